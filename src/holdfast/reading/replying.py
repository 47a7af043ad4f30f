"""A short reply, read as the answer to a question: agreeing, choosing, giving a number, or saying it in words.

Of a reply that repairs itself ("Saturday, I mean Sunday") only what was meant counts. A reply that fits a question
strictly answers it whenever it was asked; one that only might ("penicillin" to "are you allergic to anything?") answers
the question that was just asked, and no older one.
"""

from __future__ import annotations

from typing import NamedTuple

from holdfast.reading.asking import ELLIPTIC, Expects
from holdfast.reading.mentions import ordinal
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import repairs, sentences, standing
from holdfast.reading.values import numbers, trimmed

SHORT = 6
"""Words of a reply that is short enough to be an answer and nothing else."""
LONG = 12
"""Words of an answer in words to what was just asked, where nobody is addressed in it."""
BRIEF = 4
"""Words of a reply that may be meant for a question which waits for something else."""
BESIDE = 2
"""Words that may stand beside an ordinal that chooses an option ("the second, please")."""
PLACES = 10
"""A number up to this alone may be a place in a list; anything else of digits is a value: a size, a time, a phone."""

_CLOSING = "\"') "
_EDGES = " \t\n.,;:!?\"'()"


class Fit(NamedTuple):
    """A reply as an answer."""

    value: str
    span: Span
    yes: bool | None = None
    places: tuple[int, ...] = ()
    """Which of the options are taken."""


def meant(reading: Reading) -> Span:
    """What a short reply comes to: of "14, no, rather 15" the last, and without courtesies around it."""
    end = _before_asking_back(reading)
    start = 0
    repaired = reading.find(repairs)
    if repaired:
        start = repaired[-1].repair[0]
    for cue in reading.all("correction"):
        if "new" in cue.groups and cue.groups["new"][0] > max(start, cue.start) and reading.folded[: cue.start].strip():
            start = cue.groups["new"][0]
    return trimmed(reading, (start, end))


def _before_asking_back(reading: Reading) -> int:
    """Where the answer ends in "Ana. And yours?"."""
    said = reading.find(sentences) if "?" in reading.folded else []
    own = [end for start, end in said if not reading.folded[start:end].rstrip(_CLOSING).endswith("?")]
    return own[0] if own and own[0] == said[0][1] else len(reading.text)


def fits(reading: Reading, expects: Expects, about: str, options: tuple[str, ...], fresh: bool) -> Fit | None:
    """The reply as an answer of the kind that a question waits for. `fresh` is one that was just asked."""
    if expects == "yes_no" and (about != ELLIPTIC or reading.has("yes", "no")):
        return _agrees(reading)
    in_words = expects == "text" or about == ELLIPTIC
    if len(reading.tokens) > (LONG if fresh and in_words and not _addresses(reading) else SHORT):
        return None
    span = meant(reading)
    if expects == "choice":
        places = chosen(reading, span, options)
        return Fit(", ".join(options[place] for place in places), span, places=places) if places else None
    return _counts(reading, span) if expects == "number" else _in_words(reading, span, about, fresh)


def _in_words(reading: Reading, span: Span, about: str, fresh: bool) -> Fit | None:
    if about == "when":
        return Fit(reading.words(span), span) if _timed(reading, span) and says(reading, span) else None
    pointing = [cue for cue in _points(reading) if cue.end > span[0]]  # the "it" of "it's Ana" points at nothing
    points = pointing and (not fresh or only_points(reading, span))
    if points or not says(reading, span) or _agrees_too(reading) or orders(reading):
        return None
    if wrong_kind(reading, span, about):
        return None
    sure = _lettered(reading, span) or (about == ELLIPTIC and _no_place(reading.words(span)))
    return Fit(reading.words(span), span) if sure and (fresh or about != ELLIPTIC) else None


def might(reading: Reading, expects: Expects, options: tuple[str, ...], pointable: bool) -> Fit | None:
    """The reply as an answer to the question that was just asked, where it is not of the kind that it waits for. Where
    nothing is `pointable`, "the second" is a floor, and no entry of a list."""
    if expects == "number" or len(reading.tokens) > BRIEF or orders(reading):
        return None
    span = meant(reading)
    if not says(reading, span) or (pointable and only_points(reading, span) and expects != "choice"):
        return None
    value = reading.words(span)
    if reading.has("yes", "no") and not (expects == "choice" and _named(reading, span, options)):
        return None
    return Fit(value, span) if _lettered(reading, span) or not pointable or _no_place(value) else None


_NO_TIME = ("where", "name")
"""Questions that no time answers."""


def _agrees_too(reading: Reading) -> bool:
    """Whether it says yes or no as well; the "it is" of "it is Ana" does not."""
    leads = reading.phrases("trim", "starts")
    cues = (*reading.all("yes"), *reading.all("no"), *reading.all("accepts"))
    return any(reading.folded[cue.start : cue.end] not in leads for cue in cues)


def _timed(reading: Reading, span: Span) -> bool:
    """Whether a reply can be a time: it names one, or has a number in it."""
    return reading.has("day", "clock") or any(char.isdigit() for char in reading.text[slice(*span)])


def wrong_kind(reading: Reading, span: Span, about: str) -> bool:
    """Whether words cannot be what was asked for: no time says where."""
    if about not in _NO_TIME:
        return False
    times = [cue.span for family in ("day", "clock") for cue in reading.all(family)]
    return any(start <= span[0] and span[1] <= end for start, end in times)


def chosen(reading: Reading, span: Span, options: tuple[str, ...]) -> tuple[int, ...]:
    """Which options the words of a span take: by place ("2", "the first two", "the latter") or by name."""
    text = reading.folded[slice(*span)].strip(_EDGES)
    every = tuple(range(len(options)))
    if text.isdigit():
        alike = [place for place in every if options[place].split()[0].strip(_EDGES) == text]
        place = int(text) - 1
        return tuple(alike[:1]) if alike else ((place,) if place in every else ())
    if len(text) == 1 and text.isascii() and text.isalpha():  # "b" of "a) red b) green"
        return (place,) if (place := ord(text) - ord("a")) in every else ()
    taken = [
        (place, cue.span)
        for cue in reading.all("reference")
        if cue.end > span[0] and cue.start < span[1]
        for place in _pointed(reading, span, cue, every)
    ]
    taken = taken or _named(reading, span, options)
    places = tuple(dict.fromkeys(place for place, _ in taken))
    if reading.has("negation") and any("negated" in reading.find(standing).of(where) for _, where in taken):
        # Of two, not the one is the other; of more, what was said is all there is to say.
        return tuple(place for place in every if place not in places) if len(options) == 2 else ()
    return places


def _pointed(reading: Reading, span: Span, cue: Cue, every: tuple[int, ...]) -> tuple[int, ...]:
    groups, folded = cue.groups, reading.folded
    said = (start for start, _ in reading.tokens if span[0] <= start < span[1])
    beside = sum(not (cue.start <= start < cue.end) for start in said)
    if "first_n" in groups:
        count = next((n.value for n in reading.find(numbers) if n.span[0] >= groups["first_n"][0]), 0)
        return every[: int(count)]
    if cue.id.endswith(".both"):
        return every
    for name in ("ordinal", "former", "from_end"):
        if name in groups and beside <= BESIDE:
            place = ordinal(reading, folded[slice(*groups[name])])
            if name == "from_end" and place is not None:
                place = -abs(place)
            if place == 0:  # the middle one, where there is one
                return every[len(every) // 2 :][:1] if len(every) % 2 else ()
            if place is not None and abs(place) <= len(every):
                return (every[place - 1 if place > 0 else place],)
    if "number" in groups:
        count = next((n.value for n in reading.find(numbers) if n.span[0] >= groups["number"][0]), 0)
        return (int(count) - 1,) if int(count) - 1 in every else ()
    return ()


def _named(reading: Reading, span: Span, options: tuple[str, ...]) -> list[tuple[int, Span]]:
    """The options that are named, and where. A part of a name will do where it is that of one option alone."""
    text = reading.folded[slice(*span)]
    names = [option.casefold() for option in options]
    whole = [
        (place, (span[0] + at, span[0] + at + len(name)))
        for place, name in enumerate(names)
        if (at := text.find(name)) >= 0
    ]
    part = text.strip(_EDGES)
    parts = [(place, span) for place, name in enumerate(names) if len(part) > 2 and part in name]
    return whole or (parts if len(parts) == 1 else [])


def _agrees(reading: Reading) -> Fit | None:
    said = reading.first("yes") or reading.first("no") if reading.has("yes", "no") else None
    if said is None:
        return None
    whole = trimmed(reading, (0, len(reading.text)))
    alone = len(reading.tokens) <= SHORT and whole[0] <= said.start and not reading.has("correction", "but")
    span = whole if alone else said.span
    return Fit(reading.words(span), span, yes=said.family == "yes")


def _counts(reading: Reading, span: Span) -> Fit | None:
    """A number, with the unit or the word that limits it: "three hours", "50 tops"."""
    found = next((number for number in reading.find(numbers) if span[0] <= number.span[0] < span[1]), None)
    if found is None or not says(reading, span):
        return None
    start, end = found.span
    before = [token for token in reading.tokens if span[0] <= token[0] < start]
    after = [token for token in reading.tokens if end <= token[0] < span[1]]
    if 0 < len(after) <= BESIDE and not any(sign in reading.folded[end : span[1]] for sign in ",;.!?"):
        end = span[1]
    elif not after and len(before) == 1:  # "часа полтора"
        start = span[0]
    return Fit(reading.words((start, end)), (start, end))


def says(reading: Reading, span: Span) -> bool:
    """Whether it says something, and asks nothing itself."""
    if span[0] >= span[1] or _only_polite(reading, span):
        return False
    opener = reading.folded.split(" ", 1)[0] in reading.phrases("question", "openers")
    denies = any(cue.start == 0 for cue in reading.all("negation"))  # "doesn't matter"
    return not reading.text[: _before_asking_back(reading)].rstrip(_CLOSING).endswith("?") and (denies or not opener)


def _addresses(reading: Reading) -> bool:
    """Whether it tells of the speaker or wants something, and may be more than an answer."""
    subjects = reading.phrases("question", "subjects")
    return orders(reading) or any(reading.folded[start:end] in subjects for start, end in reading.tokens)


def orders(reading: Reading, span: Span | None = None) -> bool:
    """Whether it wants something of the agent instead: "show me more", but not "call Bob"."""
    start = trimmed(reading, span or (0, len(reading.text)))[0]
    return reading.folded[start:].split(" ", 1)[0].strip(_EDGES) in reading.phrases("question", "requests")


def _no_place(value: str) -> bool:
    return not value.isdigit() or int(value) > PLACES


def _lettered(reading: Reading, span: Span) -> bool:
    return any(char.isalpha() for char in reading.text[slice(*span)])


def only_points(reading: Reading, span: Span) -> bool:
    """Whether pointing at something is all that it does: "that one", and not "she just turned 30"."""
    pointing = _points(reading)
    said = [start for start, _ in reading.tokens if span[0] <= start < span[1]]
    apart = [place for place in said if not any(cue.start <= place < cue.end for cue in pointing)]
    return bool(pointing) and len(apart) < 2


def _points(reading: Reading) -> list[Cue]:
    """What points at something. Where an article looks like a pronoun ("la mediana"), it is an article."""
    articles = reading.phrases("choice", "articles")
    return [cue for cue in reading.all("reference") if reading.folded[cue.start : cue.end] not in articles]


def _only_polite(reading: Reading, span: Span) -> bool:
    """Whether courtesies are all that is said: "hello there", and not "blue, please"."""
    polite = [cue.span for cue in reading.all("politeness")]
    return bool(polite) and all(
        any(start <= token[0] < end for start, end in polite)
        for token in reading.tokens
        if span[0] <= token[0] < span[1]
    )
