"""Work on tabs for the browser agent: close, reopen, group, sort, pin, mute, bookmark, switch, count, list. What is
done to a tab stays on it as a mark, so that a question about it is answered from there."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.agents.browsing.errands import PLACES
from holdfast.agents.browsing.goals import parts
from holdfast.agents.browsing.voice import MAX_TEXT_CHARS, Voice, blanked
from holdfast.agents.browsing.web import Tab, Web, sounds
from holdfast.reading.reader import Reading
from holdfast.reading.values import numbers

EVERYTHING = ("list", "count", "group", "ungroup", "sort")
"""What is done with all tabs where none are named."""
TO_TABS = ("close", "unpin", "unmute", "pin", "mute", "ungroup", "bookmark")
"""What is done to nothing but tabs."""
MARKS = {"pin": "pinned", "mute": "muted", "bookmark": "saved"}
"""What each verb leaves on a tab."""
UNMARKS = {"unpin": "pinned", "unmute": "muted"}
BEFORE = 2
"""Characters between a word for tabs and the number of one."""


class _Part(NamedTuple):
    """One thing to be done with tabs: the verb, what it is done to, and what of it no tab is called."""

    verb: str
    tabs: list[Tab]
    lacks: list[str]


def worked(text: str, before: str, web: Web, voice: Voice) -> str:
    """Do what is asked, one part after the other; nothing where that cannot be told. A follow-up without a verb of its
    own ("and YouTube too") takes the one before, and what no tab is called is said."""
    told: list[str] = []
    own = _verb(text, voice, web)
    bare = own is None and not voice.has(text, "requestverb")
    verb = _verb(before, voice) if bare and _unknown(text[:MAX_TEXT_CHARS], voice) else None
    done: list[Tab] = []
    for said in parts(text, voice):
        verb = _verb(said, voice, web) or verb
        part = _part(said, verb, done, web, voice)
        if part.verb and (own or part.tabs):
            done += part.tabs
            told.append(_acted(part, said, web, voice))
    return "\n".join(told)


def _part(text: str, verb: str | None, done: list[Tab], web: Web, voice: Voice) -> _Part:
    if verb is None:
        return _Part("", [], [])
    start, end = _spares(text, voice)
    among = _open_to(verb, web)
    (named, lacks), (kept, unkept) = _named(text[:start], among, voice), _named(text[end:], among, voice)
    if unkept:  # "all but the mail" spares what is not there: better say so than close all
        return _Part(verb, [], unkept)
    if start == len(text) and voice.read(text).has("rest"):
        named, lacks = _beside([*named, *_spoken(web)], web.tabs), []
    lacks = lacks if verb not in EVERYTHING else []
    meant = named if named or lacks else _meant(text, verb, bool(kept), web, voice)
    return _Part(verb, _beside(kept, meant), lacks)


def _open_to(verb: str, web: Web) -> list[Tab]:
    """The tabs that something can be done to: what is reopened was closed."""
    return web.closed if verb == "reopen" else web.tabs


def _spares(text: str, voice: Voice) -> tuple[int, int]:
    """Where the words stand that spare some tabs ("all but"), else the end of the text."""
    spares = voice.read(text).first("spares")
    return spares.span if spares is not None else (len(text), len(text))


def _beside(these: list[Tab], tabs: list[Tab]) -> list[Tab]:
    """The tabs that are none of these."""
    return [tab for tab in tabs if tab not in these]


def asked(text: str, web: Web, voice: Voice) -> bool:
    """Whether a message in the middle of an errand is about the tabs: it says so, or does to one that is open what is
    done to tabs alone ("mute youtube")."""
    verb, reading = _verb(text, voice), voice.read(text)
    if verb is None or not _closes(text, verb, web, voice):
        return False
    if reading.has("tab_word") or (verb == "reopen" and web.closed):
        return True
    return verb in TO_TABS or (verb == "switch" and bool(_of_no_site(text, [*web.tabs, *web.closed], voice)))


def _of_no_site(text: str, among: list[Tab], voice: Voice) -> list[Tab]:
    """The tabs that a text names, where it names no site."""
    return _named(text, among, voice)[0] if voice.pages.site_in(text) is None else []


def _closes(text: str, verb: str, web: Web, voice: Voice) -> bool:
    """Whether a tab is to be closed, where that is the verb: it is said so, or what is to be removed is one."""
    if voice.read(text).has("basket"):
        return False
    says = verb != "close" or "close" in voice.meant(text, "tabs") or voice.read(text).has("tab_word")
    return says or bool(_named(text, web.tabs, voice)[0])


def asked_of_tabs(text: str, web: Web, voice: Voice) -> str:
    """The answer to a question about the tabs, if it is one: how they are, how many, which, and what was closed."""
    verbs, reading = voice.meant(text, "tabs"), voice.read(text)
    if voice.sums_up(text) or reading.has("basket") or voice.does(text)["read"] >= 0:
        return ""
    unnamed = not voice.pages.words(text) or (voice.names_nothing(text) and not voice.pages.place_in(text))
    opened = unnamed and ("visit" in voice.meant(text, "goal") or reading.has("tab_state"))
    of_tabs = opened or reading.has("tab_word") or not verbs.isdisjoint(TO_TABS)
    return _listed(text, verbs, web, voice) if of_tabs else ""


def _listed(text: str, verbs: set[str], web: Web, voice: Voice) -> str:
    """The tabs, those of them that are named, or the bookmarks."""
    if voice.read(text).has("saved_word"):
        saved = ", ".join(tab.title for tab in web.tabs if "saved" in tab.marks)
        return voice.say("bookmarks", titles=saved) if saved else voice.say("no_bookmarks")
    named = _named(text, web.tabs, voice)[0] or web.tabs
    return _told("count" if "count" in verbs else "list", named, web, voice)


def standing_of(text: str, among: list[Tab], web: Web, voice: Voice) -> str:
    """How the tabs are that talk names: "and the newspaper you left"."""
    return _standing(_of_no_site(text, among, voice), web, voice)


def _standing(tabs: list[Tab], web: Web, voice: Voice) -> str:
    web.spoken = [tab.id for tab in tabs] or web.spoken
    return "\n".join(_stands(tab, web, voice) for tab in tabs)


def _stands(tab: Tab, web: Web, voice: Voice) -> str:
    """How a tab is: open or closed, and what was done to it."""
    told = [voice.say("is_open" if tab in web.tabs else "is_closed"), *(voice.say(mark) for mark in tab.marks)]
    return f"{tab.title}: {', '.join(told)}."


def _spoken(web: Web) -> list[Tab]:
    """The tabs that were spoken of last."""
    return [tab for tab in [*web.tabs, *web.closed] if tab.id in web.spoken]


def _meant(text: str, verb: str, spares: bool, web: Web, voice: Voice) -> list[Tab]:
    """The tabs that are meant where none is named: those spoken of, the one in front, or all. "Close all news tabs"
    where there are none closes nothing."""
    reading, spoken = voice.read(text), _spoken(web)
    if verb == "reopen":
        return _closed_last(spoken, web)
    if reading.has("here"):
        return spoken or web.front
    if spares or _says_all(text, voice):
        return list(web.tabs)
    if verb in EVERYTHING:
        return list(web.tabs)
    return [] if _unknown(text, voice) else [tab for tab in spoken if tab in web.tabs]


def _closed_last(spoken: list[Tab], web: Web) -> list[Tab]:
    """The closed tabs that were spoken of, else those that were closed last."""
    return [tab for tab in spoken if tab in web.closed] or web.closed[len(web.closed) - web.shut :]


def _says_all(text: str, voice: Voice) -> bool:
    """Whether a text means all tabs, and not all of some kind that no tab is of."""
    return voice.read(text).has("all") and not _unknown(text, voice)


def _placed(reading: Reading, tabs: list[Tab]) -> list[Tab]:
    """ "The first one", "the first and the last": tabs by their place."""
    said = [PLACES[cue.means] for cue in reading.all("how") if cue.means in PLACES]
    return [tabs[place] for place in said if -len(tabs) <= place < len(tabs)]


def _numbered(text: str, tabs: list[Tab], voice: Voice) -> list[Tab]:
    """ "Tab 3", "la 1 y la 2": tabs by their number in the list."""
    reading = voice.read(text)
    found = [one for one in reading.find(numbers) if text[slice(*one.span)].isdigit()]  # "that one" is no number
    beside = any(0 < one.span[0] - cue.end <= BEFORE for one in found for cue in reading.all("tab_word"))
    bare = not reading.has("tab_word") and not _unknown(text, voice)
    told = [int(one.value) for one in found if beside or bare]  # a closed tab keeps the number that it had
    return _at(told, tabs)


def _at(told: list[int], tabs: list[Tab]) -> list[Tab]:
    return [tab for place, tab in enumerate(tabs, 1) if place in told or (tab.id in told and tab.id > len(tabs))]


def _verb(text: str, voice: Voice, web: Web | None = None) -> str | None:
    """The verb that comes first in the list of verbs, not in the text: "show me which to close" is about closing. To
    remove a tab is to close it, to open one that is open already to turn to it, one that is closed to reopen it."""
    ids = voice.meant(text, "tabs")
    opens = "visit" in voice.meant(text, "goal")
    if opens and web is not None and _opens_again(text, "close" in ids, web, voice):
        return "reopen"
    if "remove" in voice.meant(text, "edit"):
        ids = ids | {"close"}
    if _unknown(text, voice) and not voice.read(text).has("tab_word"):
        ids = ids - {"count", "list"}
    bare = voice.names_nothing(text) and not voice.read(text).has("points")
    if opens and bare and voice.read(text).has("tab_word"):
        return min({*ids, "list"}, key=[*TOLD].index)  # "the list of my open tabs"
    return min({*ids, *["switch"][: int(opens)]}, key=[*TOLD].index, default=None)


def _opens_again(text: str, closed: bool, web: Web, voice: Voice) -> bool:
    """Whether a tab is to be opened that was closed: "open the closed one"."""
    here, gone = _named(text, web.tabs, voice)[0], _named(text, web.closed, voice)[0]
    return bool(gone) and not here


def _named(text: str, tabs: list[Tab], voice: Voice) -> tuple[list[Tab], list[str]]:
    """The tabs that a text names, of several those that share most with it, and what of it no tab is called."""
    if numbered := _placed(voice.read(text), tabs) or _numbered(text, tabs, voice):
        return numbered, []
    found, lacks = list[Tab](), list[str]()
    heard = [one.span for one in voice.given(text, "tab")]
    sure = [part for span in heard for part in voice.parts(text[slice(*span)])]
    for part in [voice.without(part, "tabs") for part in [*sure, *voice.parts(blanked(text, heard))]]:
        said, acts = voice.pages.stems(part), voice.pages.stems(part, acts=True)
        alike = _best([(score, tab) for tab in tabs if (score := _shares(said, tab, voice))])
        told = _best([(len(acts & voice.pages.stems(tab.title, acts=True)), tab) for tab in alike])
        found += [tab for tab in told if tab not in found]  # "the Google search one"
        lacks += [] if told or (sure and part not in sure) else _lacking(part, voice)
    return found, lacks


def _lacking(part: str, voice: Voice) -> list[str]:
    """What a part names that no tab is called."""
    words = voice.pages.words(voice.without(part, "tabs", "edit", "goal", "all", "rest"))
    return [" ".join(words)] if _unknown(part, voice) else []


def _shares(said: set[str], tab: Tab, voice: Voice) -> int:
    """How many of some stems a tab has, foreign ones by their sound: "кроме ютуба"."""
    foreign = sounds(" ".join(word for word in said if not word.isascii()))
    return len(said & voice.pages.stems(tab.called) | foreign & sounds(tab.site))


def _best(scored: list[tuple[int, Tab]]) -> list[Tab]:
    best = max((score for score, _ in scored), default=0)
    return [tab for score, tab in scored if score == best]


def _unknown(text: str, voice: Voice) -> bool:
    """Whether a text names something beside the verbs and the tabs."""
    without = voice.without(text, "tabs", "edit", "all", "rest", "spares", "yes", "tab_state", "tab_word")
    return any(len(word) > 2 for word in voice.pages.words(without))


def _close(web: Web, tabs: list[Tab]) -> None:
    web.closed, web.shut = [*web.closed, *tabs], len(tabs)
    web.tabs = [tab for tab in web.tabs if tab not in tabs]
    web.active = web.tabs[-1].id if web.tabs else 0


def _reopen(web: Web, tabs: list[Tab]) -> None:
    web.closed = [tab for tab in web.closed if tab not in tabs]
    web.shut = min(web.shut, len(web.closed))
    web.tabs = sorted([*web.tabs, *tabs], key=lambda tab: tab.id)


def _mark(verb: str, tabs: list[Tab]) -> None:
    for tab in tabs:
        if verb in ("group", "ungroup"):
            tab.group = tab.site if verb == "group" else ""
        tab.marks = [mark for mark in tab.marks if mark != UNMARKS.get(verb)]
        if verb in MARKS:
            tab.marks = [*dict.fromkeys((*tab.marks, MARKS[verb]))]


def _done(verb: str, web: Web, tabs: list[Tab], voice: Voice) -> None:
    web.spoken = [tab.id for tab in tabs]
    if verb == "close":
        _close(web, tabs)
    elif verb == "reopen":
        _reopen(web, tabs)
    elif verb == "sort":
        web.tabs = sorted(web.tabs, key=lambda tab: tab.title)
    elif verb == "switch":
        web.active, web.at, web.results = tabs[0].id, voice.say("tab_at", titles=tabs[0].title), []
        web.site = web.site if web.cart else ""  # what is in a basket waits at its shop
    else:
        _mark(verb, tabs)


TOLD = {
    **{
        "reopen": "reopened",
        "close": "closed",
        "unpin": "unpinned",
        "unmute": "unmuted",
        "pin": "pinned_now",
    },
    **{"mute": "muted_now", "bookmark": "bookmarked", "ungroup": "ungrouped", "group": "grouped", "sort": "sorted"},
    **{"switch": "switched", "count": "counted", "list": "listed"},
}
"""What can be done with tabs, and the text that tells it."""


def _acted(part: _Part, text: str, web: Web, voice: Voice) -> str:
    others = _named(", ".join(part.lacks), web.closed if part.verb != "reopen" else web.tabs, voice)[0]
    lacks = _standing(others, web, voice)  # "close the recipe", which is closed already
    lacks = lacks or (voice.say("no_tab", thing=", ".join(part.lacks)) if part.lacks else "")
    tabs = part.tabs[:1] if part.verb == "switch" else part.tabs
    if not tabs:
        return lacks or _which(part.verb, text, web, voice)
    _done(part.verb, web, tabs, voice)
    return f"{_told(part.verb, tabs, web, voice)} {lacks}".strip()


def _which(verb: str, text: str, web: Web, voice: Voice) -> str:
    """What is said where no tab is meant: that there are not so many, that none was closed, else which one is meant."""
    if verb == "reopen" and not web.closed:
        return voice.say("none_closed")
    over = voice.read(text).has("tab_word") and bool(voice.read(text).find(numbers))
    return voice.say("counted", tabs=voice.tabs(len(web.tabs))) if over else voice.say("which_tab")


def _told(verb: str, tabs: list[Tab], web: Web, voice: Voice) -> str:
    told = voice.say(
        TOLD[verb],
        tabs=voice.tabs(len(tabs)),
        titles=", ".join(tab.title for tab in tabs),
        names=", ".join(sorted({tab.site for tab in tabs})),
        left=len(web.tabs),
    )
    return "\n".join([told, *(_line(tab, web, voice) for tab in tabs)]) if verb == "list" else told


def _line(tab: Tab, web: Web, voice: Voice) -> str:
    """A line of the list of tabs: the number by which it can be called, its title, and its marks."""
    marks = ", ".join(voice.say(mark) for mark in tab.marks)
    return f"{web.tabs.index(tab) + 1}. {tab.title}" + (f" ({marks})" if marks else "")
