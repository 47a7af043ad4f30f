"""What the browser agent answers: from the tabs, the basket, the results, the sites it knows and the open pages. A
question changes nothing."""

from __future__ import annotations

import re
from typing import Any

from holdfast.agents.browsing.errands import counted, picked, which
from holdfast.agents.browsing.tabs import asked_of_tabs
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice
from holdfast.agents.browsing.web import Tab, Thing, Web, root, sentences
from holdfast.reading.model.tokens import tokens
from holdfast.reading.text import UPPER

_NAMES = re.compile(rf"(?<=[^.!?¿¡\"] )[{UPPER}]\w+|\d+")
"""Words that stand for one thing and no other: names inside a sentence, and numbers."""


def answered(question: str, web: Web, given: Any, voice: Voice) -> str:
    """The answer to a question; nothing where it asks how things stand, and names nothing."""
    return (
        (asked_of_tabs(question, web, voice) if given is None else "")
        or _of_sites(question, voice)
        or _of_deals(question, web, voice)
        or (_of_things(question, web, voice) if _of_ours(question, web, voice) else "")
        or ("" if _says_nothing(question, voice) else _of_the_rest(question, web, given, voice))
    )


def _of_the_rest(question: str, web: Web, given: Any, voice: Voice) -> str:
    """What a page says, else what is told of something that the question names; else that there is no page on it."""
    told = answer(question, web, given, voice)
    return _of_things(question, web, voice) or told if told == no_page(web, voice) else told


def no_page(web: Web, voice: Voice) -> str:
    return voice.say("no_page_on", titles="; ".join(tab.title for tab in web.tabs))


def _says_nothing(question: str, voice: Voice) -> bool:
    """Whether a question names nothing: it asks how things stand."""
    named = [token.word for token in tokens(question, voice.language) if "askword" not in token.kinds]
    other = voice.sums_up(question) or voice.read(question).has("reads", "here", "translates", "how")
    return not voice.pages.words(" ".join(named)) and not other


def _of_sites(question: str, voice: Voice) -> str:
    """Which sites there are, or what one has."""
    site, things = voice.pages.site_in(question), voice.names(question)
    if voice.read(question).has("site_word"):
        return voice.say("sites", sites=sites(voice))
    sells = site is not None and not things and "deal" in voice.meant(question, "goal")
    return voice.say("offers", site=site.name, things=", ".join(voice.pages.offered(site.id))) if site and sells else ""


def sites(voice: Voice) -> str:
    return ", ".join(site.name for site in voice.pages.sites.values())


def _of_deals(question: str, web: Web, voice: Voice) -> str:
    """What is in the basket and what was ordered or booked; with a price, what it is all together."""
    reading = voice.read(question)
    if _priced(question, voice):
        in_all = len(web.cart) > 1 and not voice.names(question) and not reading.has("how")
        total = sum(thing.price for thing in voice.pages.named(web.cart))
        return voice.say("together", things=counted(web.cart, voice), total=total) if in_all else ""
    if reading.has("basket") or _of_a_deal(question, voice):
        return held(web, voice) or voice.say("empty" if reading.has("basket") else "bought_nothing")
    return ""


def _of_a_deal(question: str, voice: Voice) -> bool:
    return "deal" in voice.meant(question, "goal") or bool(voice.meant(question, "dealt"))


def held(web: Web, voice: Voice) -> str:
    """What is in the baskets and what was ordered or booked."""
    waiting = [id for task, errand in web.left.items() if task != web.task for id in errand.cart]
    both = {"in_basket": [*web.cart, *waiting], "bought": web.bought}
    return " ".join(voice.say(key, things=counted(things, voice)) for key, things in both.items() if things)


def _priced(question: str, voice: Voice) -> bool:
    return bool(voice.meant(question, "price"))


def _of_things(question: str, web: Web, voice: Voice) -> str:
    """What is told of results, or of what else the site has, where a question names or points at one of them."""
    pages = voice.pages
    site = _asked_at(question, web, voice)
    words = [word for word in pages.words(voice.without(question, "price", "how")) if not word.isdigit()]
    things = pages.named(web.results if site == web.site else [])
    if words and not pages.told(things) & {*map(root, words)} and (site or voice.names(question)):
        things = pages.matching(words, site)
    pointed = (words and things) or _priced(question, voice) or voice.read(question).has("how")
    return "\n".join(thing.priced() for thing in _meant(question, things, web, voice)) if pointed else ""


def _asked_at(question: str, web: Web, voice: Voice) -> str:
    """The site that a question is about: the one that it names, else the one in front, else any."""
    named = voice.pages.site_in(question)
    return named.id if named is not None else web.site


def _of_ours(question: str, web: Web, voice: Voice) -> bool:
    """Whether a question names something that the site in front has, or asks for a price or a choice."""
    things = voice.pages.things_in(question)
    if _priced(question, voice) or voice.read(question).has("how"):
        return True
    return bool(web.site) and bool(voice.pages.matching([*things], web.site))


def _meant(text: str, things: list[Thing], web: Web, voice: Voice) -> list[Thing]:
    """Which of the results a question is about: by its words, by place or price, the one that is chosen, else all."""
    said = voice.pages.stems(text)
    shared = [len(said & voice.pages.stems(thing.told)) for thing in things]
    if any(shared):
        return [thing for thing, count in zip(things, shared, strict=True) if count == max(shared)]
    if things and (how := which(text, voice)):
        return [picked(how, things)]
    return voice.pages.named([id for id in web.chosen if id in web.results]) or things[:5]


def answer(question: str, web: Web, given: Any, voice: Voice) -> str:
    """Answer from the pages that are meant: the tabs given with the request, those named, or what is in front."""
    question = question[:MAX_TEXT_CHARS]
    reading = voice.read(question)
    plural = any(cue.means == "plural" for cue in reading.all("sums_up"))
    tabs = _pages(question, web, given, plural, voice)
    if not tabs:
        return voice.say("no_page")
    if reading.has("translates"):
        return voice.say("no_translation")
    wanted = voice.pages.stems(voice.without(question, "sums_up"), acts=True)
    if reading.has("sums_up") or not wanted:
        summed = tabs if plural or given is not None else tabs[:1]
        return "\n".join(f"{tab.title[:1].upper()}{tab.title[1:]}: {sentences(tab.text)[0]}" for tab in summed)
    if given is not None or reading.has("here", "reads"):
        return _best(wanted, tabs, voice) or voice.say("says_not", part=sentences(tabs[0].text)[0])
    every = [*tabs, *(tab for tab in web.tabs if tab not in tabs)]
    known = [tab for tab in every if _knows(wanted, question, tab, voice)]
    return _best(wanted, known, voice) or no_page(web, voice)


def _best(wanted: set[str], tabs: list[Tab], voice: Voice) -> str:
    """The sentence that tells most of what is asked, if any does; what already stands in the title of its page counts
    less."""

    def tells(tab: Tab, part: str) -> int:
        shared = wanted & voice.pages.stems(part, acts=True)
        return 4 * len(shared) - 3 * len(shared & voice.pages.stems(tab.title, acts=True))

    found = [(tells(tab, part), tab, part) for tab in tabs for part in sentences(tab.text)]
    score, tab, part = max(found, key=lambda one: one[0], default=(0, None, ""))
    return voice.say("says", title=tab.title, part=part) if score and tab is not None else ""


def _knows(wanted: set[str], question: str, tab: Tab, voice: Voice) -> bool:
    """Whether a page speaks of what is asked: it has every name and number of the question, and half of its other
    words. A page on flights to Oslo says nothing of a flight to Tokyo, nor of how many people live in Oslo."""
    page = voice.pages.stems(f"{tab.site} {tab.title} {tab.text}", acts=True)
    names = wanted & voice.pages.stems(" ".join(_NAMES.findall(question)), acts=True)
    others = wanted - names
    return names <= page and 2 * len(others & page) >= len(others)


def _pages(question: str, web: Web, given: Any, every: bool, voice: Voice) -> list[Tab]:
    ids = set(given) if isinstance(given, list) else {given}
    if asked := [tab for tab in web.tabs if tab.id in ids]:
        return asked
    said = voice.pages.stems(question)
    named = [tab for tab in web.tabs if every or said & voice.pages.stems(f"{tab.site} {tab.title}")]
    return named or (web.front if voice.read(question).has("reads") else [*web.page, *web.front])
