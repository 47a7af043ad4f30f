"""Work on tabs for the browser agent: close, reopen, group, sort, pin, mute, bookmark, switch, count, list. Nobody
sees more of a mark on a tab than that it was made."""

from __future__ import annotations

from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice
from holdfast.agents.browsing.web import Tab, Web, sounds
from holdfast.reading.reader import Reading
from holdfast.reading.values import numbers

EVERYTHING = ("list", "count", "group", "sort", "reopen")
"""What is done with all tabs where none are named."""
TO_TABS = ("close", "unpin", "unmute", "pin", "mute")
"""What is done to nothing but tabs."""


def worked(text: str, before: str, web: Web, voice: Voice) -> str:
    """Do what is asked; nothing where that cannot be told. A follow-up without a verb of its own ("and YouTube too")
    takes the one before."""
    text = text[:MAX_TEXT_CHARS]
    reading = voice.read(text)
    verb = _verb(text, voice, web) or (_verb(before, voice) if _unknown(text, voice) else None)
    spares = reading.first("spares")
    start, end = spares.span if spares is not None else (len(text), len(text))
    named, kept = _named(text[:start], web, voice), _named(text[end:], web, voice)
    if verb is None:
        return _acted("list", web, named, voice) if named else ""
    meant = named or _meant(text, verb, bool(kept), web, voice)
    return _acted(verb, web, [tab for tab in meant if tab not in kept], voice)


def asked(text: str, web: Web, voice: Voice) -> bool:
    """Whether a message in the middle of an errand is about the tabs: it says so, or does to one that is open what is
    done to tabs alone ("mute youtube")."""
    verb = _verb(text, voice)
    named = verb in (*TO_TABS, "switch") and bool(_named(text, web, voice)) and voice.pages.site_in(text) is None
    return verb is not None and (named or voice.read(text).has("tab_word") or (verb == "reopen" and bool(web.closed)))


def asked_of_tabs(text: str, web: Web, voice: Voice) -> str:
    """The answer to a question about the tabs, if it is one: how many, which, and what was closed last."""
    verbs = voice.meant(text, "tabs")
    if not _asks_of_tabs(text, verbs, web, voice):
        return ""
    told = _acted("count" if "count" in verbs else "list", web, _named(text, web, voice) or web.tabs, voice)
    closed = ", ".join(tab.title for tab in web.closed)
    return f"{told}\n{voice.say('closed_last', titles=closed)}" if closed and "close" in verbs else told


def _asks_of_tabs(text: str, verbs: set[str], web: Web, voice: Voice) -> bool:
    """Whether a question is about tabs: it says so, or names nothing and asks what is open, or how many there are."""
    if voice.sums_up(text):
        return False
    bare = not voice.pages.words(text)
    opened = bare and "visit" in voice.meant(text, "goal")
    counts = bare and "count" in verbs and not (web.cart or web.results)
    return opened or counts or voice.read(text).has("tab_word") or not verbs.isdisjoint(TO_TABS)


def _meant(text: str, verb: str, spares: bool, web: Web, voice: Voice) -> list[Tab]:
    """The tabs that are meant where none is named: the one in front, or all. "Close all news tabs" where there are none
    closes nothing."""
    reading = voice.read(text)
    if placed := _placed(reading, web):
        return placed
    if reading.has("here"):
        return web.front
    if verb in EVERYTHING or spares or (reading.has("all") and not _unknown(text, voice)):
        return list(web.tabs)
    return []


def _placed(reading: Reading, web: Web) -> list[Tab]:
    """ "The first one", "the last two tabs": tabs by their place."""
    ordinals = reading.data("ordinals")
    places = [int(ordinals[word]) for a, b in reading.tokens if (word := reading.folded[a:b]) in ordinals]
    if not places or abs(places[0]) > len(web.tabs):
        return []
    counts = [int(number.value) for number in reading.find(numbers) if 1 <= number.value <= len(web.tabs)]
    many, place = (counts[0] if counts else 1), places[0]
    return web.tabs[place - 1 : place - 1 + many] if place > 0 else web.tabs[-many:]


def _verb(text: str, voice: Voice, web: Web | None = None) -> str | None:
    """The verb that comes first in the list of verbs, not in the text: "show me which to close" is about closing. To
    remove a tab is to close it, to open one that is open already to turn to it."""
    ids = voice.meant(text, "tabs")
    opens = "visit" in voice.meant(text, "goal")
    if opens and "close" in ids and web is not None and not _named(text, web, voice):
        return "reopen"  # "open the closed one"
    ids |= {"close"} if "remove" in voice.meant(text, "edit") else set()
    ids |= {"switch"} if opens else set()
    return next((verb for verb in TOLD if verb in ids), None)


def _named(text: str, web: Web, voice: Voice) -> list[Tab]:
    """The tabs that a text names; of several that share a word, those that share most ("the Google Docs tab")."""
    found: list[Tab] = []
    for part in voice.parts(voice.without(text, "tabs")):
        said, acts = voice.pages.stems(part), voice.pages.stems(part, acts=True)
        alike = _best([(score, tab) for tab in web.tabs if (score := _shares(said, tab, voice))])
        told = _best([(len(acts & voice.pages.stems(tab.title, acts=True)), tab) for tab in alike])
        found += [tab for tab in told if tab not in found]  # "the Google search one"
    return found


def _shares(said: set[str], tab: Tab, voice: Voice) -> int:
    """How many of some stems a tab has, foreign ones by their sound: "кроме ютуба"."""
    foreign = sounds(" ".join(word for word in said if not word.isascii()))
    return len(said & voice.pages.stems(f"{tab.site} {tab.title}") | foreign & sounds(tab.site))


def _best(scored: list[tuple[int, Tab]]) -> list[Tab]:
    best = max((score for score, _ in scored), default=0)
    return [tab for score, tab in scored if score == best]


def _unknown(text: str, voice: Voice) -> bool:
    """Whether a text names something beside the verbs and the tabs."""
    return any(len(word) > 2 for word in voice.pages.words(voice.without(text, "tabs", "all", "spares", "yes")))


def _done(verb: str, web: Web, tabs: list[Tab], voice: Voice) -> None:
    if verb == "close":
        web.closed = tabs
        web.tabs = [tab for tab in web.tabs if tab not in tabs]
        web.active = web.tabs[-1].id if web.tabs else 0
    elif verb == "reopen":
        web.closed = []
        web.tabs = sorted([*web.tabs, *tabs], key=lambda tab: tab.id)
    elif verb == "sort":
        web.tabs = sorted(web.tabs, key=lambda tab: tab.title)
    elif verb == "switch":
        web.active, web.at, web.site, web.results = tabs[0].id, voice.say("tab_at", titles=tabs[0].title), "", []
        web.shown = ""


TOLD = {
    **{"reopen": "reopened", "close": "closed", "unpin": "unpinned", "unmute": "unmuted", "pin": "pinned"},
    **{"mute": "muted", "bookmark": "bookmarked", "group": "grouped", "sort": "sorted", "switch": "switched"},
    **{"count": "counted", "list": "listed"},
}
"""What can be done with tabs, and the text that tells it."""


def _acted(verb: str, web: Web, tabs: list[Tab], voice: Voice) -> str:
    if verb == "reopen" and not (tabs := web.closed):
        return voice.say("none_closed")
    if not tabs:
        return voice.say("no_tab", titles="; ".join(tab.title for tab in web.tabs))
    tabs = tabs[:1] if verb == "switch" else tabs
    _done(verb, web, tabs, voice)
    told = voice.say(
        TOLD[verb],
        tabs=voice.tabs(len(tabs)),
        titles=", ".join(tab.title for tab in tabs),
        names=", ".join(sorted({tab.site for tab in tabs})),
        left=len(web.tabs),
    )
    return "\n".join([told, *(f"{n}. {tab.title}" for n, tab in enumerate(tabs, 1))]) if verb == "list" else told
