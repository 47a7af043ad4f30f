"""What the browser agent answers: from the tabs, the basket, the results, the sites it knows and the open pages. A
question changes nothing."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

from holdfast.agents.browsing.errands import HOUR, NoSuch, another, picked, summed, which
from holdfast.agents.browsing.hearing import NAMING
from holdfast.agents.browsing.tabs import asked_of_tabs, standing_of
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice
from holdfast.agents.browsing.web import Site, Tab, Thing, Web, is_place, root, sentences
from holdfast.reading.model.tokens import tokens
from holdfast.reading.text import UPPER
from holdfast.reading.values import numbers

_NAMES = re.compile(rf"(?<=[^.!?¿¡\"] )[{UPPER}]\w+|\d+")
"""Words that stand for one thing and no other: names inside a sentence, and numbers."""
WORDS = 5
"""Words of a question that are said back where nothing is known of it."""
MAX_SENTENCES = 6
"""Sentences of a page that are told where none of them is the answer."""


def answered(question: str, web: Web, given: Any, voice: Voice) -> str:
    """The answer to a question; nothing where it asks how things stand, and names nothing."""
    missed = "" if _says_nothing(question, voice) else _missed(question, web, voice)
    return known(question, web, given, voice) or missed


def known(question: str, web: Web, given: Any, voice: Voice) -> str:
    """The answer to a question, where anything is known of it."""
    return (
        (asked_of_tabs(question, web, voice) if given is None else "")
        or _of_sites(question, web, voice)
        or _of_deals(question, web, voice)
        or (_of_things(question, web, voice) if _of_ours(question, web, voice) else "")
        or ("" if _says_nothing(question, voice) else _of_the_rest(question, web, given, voice))
    )


def _of_the_rest(question: str, web: Web, given: Any, voice: Voice) -> str:
    """What a page says, else what is told of a thing or a site that the question names; else that nothing is known."""
    if told := standing_of(question, web.closed, web, voice):
        return told
    if told := _details(question, web, voice):
        return told
    if told := answer(question, web, given, voice) or _of_things(question, web, voice):
        return told
    if (site := voice.pages.site_in(question)) is not None:
        return _offers(site, voice, ", ".join(filter(is_place, _content(question, voice))))
    return ""


def _missed(question: str, web: Web, voice: Voice) -> str:
    """That nothing is known of what is asked."""
    return unknown(question, web, voice) or voice.say("no_page_on", thing=question.strip(" ?"))


def _page_named(text: str, web: Web, voice: Voice) -> str:
    """What the one page says that a text names by its title."""
    bare = voice.pages.words(voice.without(text, "sums_up", "reads", "tab_word"))
    said = {root(word) for word in bare if not is_place(word)}
    titled = [tab for tab in web.tabs if said & voice.pages.stems(tab.title)]
    return _silent(titled[0], web, voice) if len(titled) == 1 else ""


def unknown(text: str, web: Web, voice: Voice) -> str:
    """What the page says that a text names; else that nothing is known of it, and how things stand; nothing where it is
    about nothing."""
    if page := _page_named(text, web, voice):
        return page
    heard = [text[slice(*one.span)] for one in voice.all_given(text) if one.facet in NAMING]
    words = ", ".join((heard or _content(text, voice))[:WORDS])
    return " ".join(filter(None, [voice.say("no_page_on", thing=words), held(web, voice)])) if words else ""


def _details(question: str, web: Web, voice: Voice) -> str:
    """All that is said of the one thing that a question points at: "what colour is that one"."""
    about = voice.pages.named(web.told or web.chosen or web.cart[-1:])
    if len(about) != 1 or web.spoken or not voice.read(question).has("points"):
        return ""
    return f"{voice.say('details', thing=about[0].priced(), about=about[0].about)} {held(web, voice)}".strip()


def _content(question: str, voice: Voice) -> list[str]:
    """The words of a question that say what it is about, but for those that name a site."""
    bare = voice.without(question, "price", "how", "goal", "dealt", "limit", "when", "tabs", "edit")
    said = [word for word in voice.pages.words(bare) if not voice.number(word)]
    return [word for word in said if root(word) not in voice.pages.site_words]


def _says_nothing(question: str, voice: Voice) -> bool:
    """Whether a question names nothing: it asks how things stand."""
    named = [token.word for token in tokens(question, voice.language) if "askword" not in token.kinds]
    other = voice.sums_up(question) or voice.read(question).has("reads", "here", "translates", "how", "when")
    return not voice.pages.words(" ".join(named)) and not other


def _of_sites(question: str, web: Web, voice: Voice) -> str:
    """Which sites there are, or what one has, beside what was shown of it."""
    reading, site = voice.read(question), voice.pages.site_in(question)
    if reading.has("site_word"):
        return voice.say("sites", sites=sites(voice))
    if reading.has("else") and web.site and not _content(question, voice):
        return _offers(voice.pages.sites[web.site], voice, but={*web.chosen, *web.cart})
    other = reading.has("reads", "tab_word", "when") or _priced(question, voice)
    if site is None or other or _of_a_deal(question, voice, past=True):
        return ""
    told = voice.pages.told(voice.pages.offered(site.id)) - {root(word) for word in site.also.split()}
    if any(not site.shows or root(word) in told for word in _content(question, voice)):
        return ""  # "any new mail?" asks for all of it
    return _offers(site, voice)


def _offers(site: Site, voice: Voice, missing: str = "", but: Container[str] = ()) -> str:
    """What a site has, and what not."""
    things = [thing.priced() for thing in voice.pages.offered(site.id) if thing.id not in but]
    lacks = f"{voice.say('no_results', site=site.name, thing=missing)}. " if missing else ""
    return f"{lacks[:1].upper()}{lacks[1:]}{voice.say('offers', site=site.name, things='; '.join(things))}"


def sites(voice: Voice) -> str:
    return ", ".join(site.name for site in voice.pages.sites.values())


def _of_deals(question: str, web: Web, voice: Voice) -> str:
    """How the things stand that are in the basket or were ordered, for a question that names none of them. Of
    more than is known nothing is made up."""
    if _priced(question, voice) and voice.read(question).has("how"):
        return ""
    had = [*web.cart, *web.bought, *_waiting(web)]
    named = any(root(word) in voice.pages.known() for word in _thing_words(question, voice))
    return "" if named else _of_all(question, had, web, voice)


def _of_all(question: str, had: list[str], web: Web, voice: Voice) -> str:
    """How all stands that is in the basket or was ordered, where a question that names nothing asks for it."""
    reading, deal = voice.read(question), _of_basket(question, voice)
    counts = reading.has("counts") or (bool(web.site) and bool(reading.find(numbers)))
    if not deal and (voice.pages.place_in(question) or not _asks_how_much(question, counts, had, web, voice)):
        return ""
    if not had:
        return voice.say("empty" if reading.has("basket") else "bought_nothing")
    told = held(web, voice, ones=counts)
    return told + _no_more(question, had, voice) if not deal else told


def _no_more(question: str, had: list[str], voice: Voice) -> str:
    """That more is not said, where an hour is asked for that things have not."""
    timed = any(HOUR.search(thing.name) for thing in voice.pages.named(had))
    return f" {voice.say('no_more')}" if voice.read(question).has("when") and not timed else ""


def _asks_how_much(question: str, counts: bool, had: list[str], web: Web, voice: Voice) -> bool:
    """Whether a question asks for a number, a sum or an hour, where there are things that have one."""
    if had:
        return counts or _priced(question, voice) or voice.read(question).has("when")
    waits = bool(web.site) and not (web.told or web.chosen)
    return waits and (counts or _priced(question, voice))


def _of_basket(question: str, voice: Voice) -> bool:
    return voice.read(question).has("basket") or _of_a_deal(question, voice)


def _of_a_deal(question: str, voice: Voice, past: bool = False) -> bool:
    """Whether a question is about a deal; with `past` about one that was made."""
    return bool(voice.meant(question, "dealt")) or ("deal" in voice.meant(question, "goal") and not past)


def _waiting(web: Web) -> list[str]:
    """What is in the baskets of errands that were left."""
    return [id for task, errand in web.left.items() if task != web.task for id in errand.cart]


def held(web: Web, voice: Voice, ones: bool = False) -> str:
    """What is in the baskets and what was ordered or booked, with what it costs."""
    both = {"bought": web.bought, "in_basket": [*web.cart, *_waiting(web)]}
    web.offered = bool(web.cart)  # who is told that it waits for a yes may say it
    return " ".join(voice.say(key, things=summed(ids, voice, ones)) for key, ids in both.items() if ids)


def _priced(question: str, voice: Voice) -> bool:
    return bool(voice.meant(question, "price"))


def _of_things(question: str, web: Web, voice: Voice) -> str:
    """What is told of results, or of what else the site has, where a question names or points at one of them."""
    try:
        other = another(question, web, voice) if not voice.names(question) else None
    except NoSuch as known:
        return str(known)
    if other is not None:
        return _shown([other], web, [other])
    reading = voice.read(question)
    words = _thing_words(question, voice)
    things = _sought(question, words, web, voice)
    if (words and things) or _priced(question, voice) or reading.has("how"):
        return _shown(_meant(question, things, web, voice), web, things)
    return ""


def _thing_words(question: str, voice: Voice) -> list[str]:
    """The words of a question that may name a thing."""
    without = voice.without(question, "price", "how", "limit", "dealt")
    return [word for word in voice.pages.words(without) if not word.isdigit()]


def _sought(question: str, words: list[str], web: Web, voice: Voice) -> list[Thing]:
    """The things among which those are that a question is about: the results, else what a site has."""
    pages, named = voice.pages, voice.pages.site_in(question)
    site = named.id if named is not None else web.site
    things = pages.named(web.results if site == web.site else [])
    if words and pages.told(things).isdisjoint(map(root, words)) and (site or voice.names(question)):
        things = pages.matching(words, site) or pages.matching(words, "")
    return things


def _shown(things: list[Thing], web: Web, among: list[Thing]) -> str:
    """Things with their prices; from now on they, and those among which they are, are what can be pointed at."""
    if things:
        web.told, web.spoken = [thing.id for thing in things], []
    if things and not web.cart:
        web.site, web.results = things[0].at.split()[0], [thing.id for thing in among]
        web.far = web.far or "look"
        web.chosen = web.told if len(things) == 1 else []
    return "\n".join(thing.priced() for thing in things)


def _of_ours(question: str, web: Web, voice: Voice) -> bool:
    """Whether a question names something that the site in front has, or asks for a price or a choice."""
    things = voice.pages.things_in(question)
    if _priced(question, voice) or voice.read(question).has("how", "limit"):
        return True
    return bool(web.site) and bool(voice.pages.matching([*things], web.site))


def _meant(text: str, things: list[Thing], web: Web, voice: Voice) -> list[Thing]:
    """Which of the results a question is about: by its words, by place or price, the one that is chosen, else all."""
    best = _likest(text, things, voice)
    if things and (how := which(text, voice)):
        return [picked(how, best or things)]
    return best or voice.pages.named([id for id in web.chosen if id in web.results]) or things[:5]


def _likest(text: str, things: list[Thing], voice: Voice) -> list[Thing]:
    """Those that share most words with a text, if any does."""
    said = voice.pages.stems(text)
    shared = [len(said & voice.pages.stems(thing.told)) for thing in things]
    return [thing for thing, count in zip(things, shared, strict=True) if count == max(shared)] if any(shared) else []


def answer(question: str, web: Web, given: Any, voice: Voice) -> str:
    """Answer from the pages that are meant: given with the request, named, or in front; nothing where none knows."""
    question = question[:MAX_TEXT_CHARS]
    reading = voice.read(question)
    tabs = _pages(question, web, given, voice)
    if not tabs:
        return voice.say("no_page")
    if reading.has("translates"):
        return voice.say("no_translation")
    wanted = voice.pages.stems(voice.without(voice.kept(question), "sums_up", "reads"), acts=True)
    if reading.has("sums_up") or not wanted:
        return _summed(tabs if given is not None else tabs[:1])
    if given is not None or reading.has("here", "reads"):
        return _told_by(tabs, wanted, web, voice)
    return _best(wanted, _knowing(question, wanted, tabs, web, voice), web, voice)


def _summed(tabs: list[Tab]) -> str:
    """Each page by its title and its first sentence."""
    return "\n".join(f"{tab.title[:1].upper()}{tab.title[1:]}: {sentences(tab.text)[0]}" for tab in tabs)


def _told_by(tabs: list[Tab], wanted: set[str], web: Web, voice: Voice) -> str:
    """What the pages that are meant tell of it; where they do not, that is said."""
    return _best(wanted, tabs, web, voice) or _silent(tabs[0], web, voice)


def _knowing(question: str, wanted: set[str], tabs: list[Tab], web: Web, voice: Voice) -> list[Tab]:
    """All pages that speak of what is asked, first those that are likely meant."""
    every = [*tabs, *(tab for tab in web.tabs if tab not in tabs)]
    return [tab for tab in every if _knows(wanted, question, tab, voice)]


def _silent(tab: Tab, web: Web, voice: Voice) -> str:
    web.spoken = [tab.id]
    return voice.say("says_not", title=tab.title, part=_whole(tab))


def _whole(tab: Tab) -> str:
    """What a page says, as far as it is short."""
    return " ".join(sentences(tab.text)[:MAX_SENTENCES])


def _best(wanted: set[str], tabs: list[Tab], web: Web, voice: Voice) -> str:
    """The sentence that tells most of what is asked, if any does; what stands in the title of its page counts less."""

    def tells(tab: Tab, part: str) -> int:
        own, title = voice.pages.stems(part, acts=True), voice.pages.stems(tab.title, acts=True)
        shared = wanted & own
        told = 4 * len(shared) - 3 * len(shared & title)
        return 2 * told + bool(own - title) if told else 0

    found = [(tells(tab, part), tab, part) for tab in tabs for part in sentences(tab.text)]
    score, tab, part = max(found, key=lambda one: one[0], default=(0, None, ""))
    if not score or tab is None:
        return ""
    web.spoken = [tab.id]
    own = wanted & voice.pages.stems(part, acts=True)
    if own <= voice.pages.stems(tab.title, acts=True):  # "how do I make the soup": a title tells nothing
        part = _whole(tab)
    return voice.say("says", title=tab.title, part=part)


def _knows(wanted: set[str], question: str, tab: Tab, voice: Voice) -> bool:
    """Whether a page speaks of what is asked: it has every name and number of the question, and half of its other
    words. A page on flights to Oslo says nothing of a flight to Tokyo, nor of how many people live in Oslo."""
    page = voice.pages.stems(f"{tab.called} {tab.text}", acts=True)
    names = wanted & voice.pages.stems(" ".join(_NAMES.findall(question)), acts=True)
    others = wanted - names
    return names <= page and 2 * len(others & page) >= len(others)


def _pages(question: str, web: Web, given: Any, voice: Voice) -> list[Tab]:
    ids = set(given) if isinstance(given, list) else {given}
    if asked := [tab for tab in web.tabs if tab.id in ids]:
        return asked
    said = voice.pages.stems(question)
    named = [tab for tab in web.tabs if said & voice.pages.stems(tab.called)]
    return named or web.front
