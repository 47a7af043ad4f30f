"""A short reply, read as the answer to a question: agreeing, choosing, giving a number, or saying it in words.

Of a reply that repairs itself ("Saturday, I mean Sunday") only what was meant counts. A reply that fits a question
strictly answers it whenever it was asked; one that only might ("penicillin" to "are you allergic to anything?") answers
the question that was just asked, and no older one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.asking import ELLIPTIC, Expects
from holdfast.reading.mentions import at_place, ordinal
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.places import places
from holdfast.reading.reader import Cue, Reading, Span, begins_in, inside, overlap, touches
from holdfast.reading.standing import repairs, sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import number_in, trimmed

SHORT = 6
"""Words of a reply that is short enough to be an answer and nothing else."""
LONG = 12
"""Words of an answer in words to what was just asked, where nothing is asked for in it."""
BRIEF = 4
"""Words of a reply that may be meant for a question which waits for something else."""
BESIDE = 2
"""Words that may stand beside an ordinal that chooses an option ("the second, please")."""
STEM = 3
"""Letters that two forms of a word have in common."""
PLACES = 10
"""A number up to this alone may be a place in a list; anything else of digits is a value: a size, a time, a phone."""

PLACED = ("where", "from", "to")
"""What questions for a place are about."""

_BLANKS = re.compile(r"[\s,;.)(]+")
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
    end = _before_asking_back(reading) if "?" in reading.folded else len(reading.text)
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
    said = reading.find(sentences)
    own = [end for start, end in said if not reading.folded[start:end].rstrip(_CLOSING).endswith("?")]
    return own[0] if own and own[0] == said[0][1] else len(reading.text)


def fits(
    reading: Reading, expects: Expects, about: str, options: tuple[str, ...], fresh: bool, by_place: bool = True
) -> Fit | None:
    """The reply as an answer of the kind that a question waits for. `fresh` is one that was just asked; `by_place` says
    whether its options can be counted still."""
    taken = _takes(reading, expects, options, fresh, by_place)
    if taken is not None or expects == "choice":
        return taken
    if expects == "yes_no" and (about != ELLIPTIC or reading.has("yes", "no")):
        return _agrees(reading)
    if not _is_brief(reading, fresh and expects in ("text", "yes_no")):
        return None
    span = meant(reading)
    return _counts(reading, span) if expects == "number" else _in_words(reading, span, about, fresh)


def _is_brief(reading: Reading, fresh: bool) -> bool:
    """Whether a reply can be an answer and no more: what was just asked may be answered in a longer sentence."""
    return len(reading.tokens) <= SHORT or (fresh and _tells(reading))


def _takes(reading: Reading, expects: Expects, options: tuple[str, ...], fresh: bool, by_place: bool) -> Fit | None:
    """The reply as a choice between the options of a question."""
    if not options or (expects != "choice" and reading.has("yes", "no")) or not _is_brief(reading, fresh):
        return None
    span = meant(reading)
    short = len(reading.tokens) <= SHORT
    taken = chosen(reading, span, options, by_place) if short else _whole(reading, span, options)
    if not taken or not says(reading, span):
        return None
    return Fit(", ".join(options[place] for place in taken), span, places=taken)


def _in_words(reading: Reading, span: Span, about: str, fresh: bool) -> Fit | None:
    if about == "when":  # it names a time, or has a number in it
        timed = reading.has("day", "clock") or any(map(str.isdigit, reading.words(span)))
        fit = timed and says(reading, span)
    elif about == ELLIPTIC:
        fit = fresh and not _is_place(reading, span) and _only_answers(reading, span, about, fresh)
    else:
        fit = any(map(str.isalpha, reading.words(span))) and _only_answers(reading, span, about, fresh)
    return Fit(reading.words(span), span) if fit else None


def _only_answers(reading: Reading, span: Span, about: str, fresh: bool) -> bool:
    """Whether words may answer, and neither point at something nor say yes or no."""
    pointing = any(cue.end > span[0] for cue in _points(reading))  # the "it" of "it's Ana" points at nothing
    if pointing and (not fresh or only_points(reading, span)):
        return False
    return not _agrees_too(reading) and _may_answer(reading, span, about)


def _may_answer(reading: Reading, span: Span, about: str) -> bool:
    """Whether words say something that can be what was asked for, and want nothing of the agent instead."""
    return says(reading, span) and not orders(reading) and not wrong_kind(reading, span, about)


def might(
    reading: Reading, expects: Expects, about: str, options: tuple[str, ...], pointable: bool, most: int = BRIEF
) -> Fit | None:
    """The reply of no more than so many words as an answer to the question that was just asked, where it is not of the
    kind that it waits for. Where nothing is `pointable`, "the second" is a floor, and no entry of a list."""
    span = meant(reading)
    if expects == "number" or len(reading.tokens) > most or not _may_answer(reading, span, about):
        return None
    if expects == "choice":
        other = reading.has("yes", "no") and not _named(reading, span, options)
    else:
        other = reading.has("yes", "no") or (pointable and only_points(reading, span))
    return None if other or (pointable and _is_place(reading, span)) else Fit(reading.words(span), span)


def _agrees_too(reading: Reading) -> bool:
    """Whether it says yes or no as well; the "it is" of "it is Ana" does not."""
    leads = reading.phrases("trim", "starts")
    cues = (*reading.all("yes"), *reading.all("no"), *reading.all("accepts"))
    return any(reading.folded[cue.start : cue.end] not in leads for cue in cues)


def wrong_kind(reading: Reading, span: Span, about: str) -> bool:
    """Whether words cannot be what was asked for: no time says where, and no wish does that names no place."""
    if about not in PLACED and about != "name":
        return False
    if about != "name" and reading.has("thread_request") and not reading.find(places):
        return True
    times = [cue.span for family in ("day", "clock") for cue in reading.all(family)]
    return any(start <= span[0] and span[1] <= end for start, end in times)


def chosen(reading: Reading, span: Span, options: tuple[str, ...], by_place: bool = True) -> tuple[int, ...]:
    """Which options the words of a span take: by name, or `by_place` ("2", "b and c", "the first two")."""
    every = tuple(range(len(options)))
    taken: list[tuple[int, Span]] = []
    if by_place:
        if (counted := _counted(reading, span, options)) is not None:
            return counted
        taken = _pointed_at(reading, span, every)
    taken = taken or _named(reading, span, options)
    places = tuple(dict.fromkeys(place for place, _ in taken))
    if reading.has("negation") and any("negated" in reading.find(standing).of(where) for _, where in taken):
        # Of two, not the one is the other; of more, what was said is all there is to say.
        return tuple(sorted({*every} - {*places})) if len(options) == 2 else ()
    return places


def _counted(reading: Reading, span: Span, options: tuple[str, ...]) -> tuple[int, ...] | None:
    """The options that bare numbers or letters take ("2", "b and c"); None where something else is said."""
    small = reading.phrases("joints", "between") | reading.phrases("choice", "articles")
    said = list(filter(None, _BLANKS.split(reading.said(span).strip(_EDGES))))
    marks = [word for word in said if word not in small] if len(said) > 1 else said
    letters = sorted(reading.phrases("choice", "letters"))
    if not marks or not all(mark.isdigit() or mark in letters for mark in marks):
        return None
    places = tuple(dict.fromkeys(_place(mark, letters, options) for mark in marks))
    return places if -1 not in places else ()


def _place(mark: str, letters: list[str], options: tuple[str, ...]) -> int:
    """The place of the option that a number or a letter stands for ("256" of "128 or 256 GB", "2", "b"); -1 where no
    option has it."""
    alike = [place for place, option in enumerate(options) if option.split()[0].strip(_EDGES) == mark]
    if alike:
        return alike[0]
    alphabet = [letter for letter in letters if letter.isascii() == mark.isascii()]
    place = int(mark[:9]) - 1 if mark.isdigit() else alphabet.index(mark)
    return place if 0 <= place < len(options) else -1


def _pointed_at(reading: Reading, span: Span, every: tuple[int, ...]) -> list[tuple[int, Span]]:
    """The places that words of a span point at, each with those words."""
    idle = [cue.span for cue in reading.all("not_pointing")]  # "first time I hear of it"
    cues = [cue for cue in reading.all("reference") if overlap(cue.span, span) and not touches(cue.span, idle)]
    return [(place, cue.span) for cue in cues for place in _pointed(reading, span, cue, every)]


def _pointed(reading: Reading, span: Span, cue: Cue, every: tuple[int, ...]) -> tuple[int, ...]:
    if "first_n" in cue.groups:
        return every[: _count(reading, (cue.groups["first_n"][0], len(reading.text)))]
    if "number" in cue.groups:
        count = _count(reading, (cue.groups["number"][0], len(reading.text)))
        return every[max(0, count - 1) : count]
    if cue.means == "both":
        return every if len(every) == _count(reading, cue.span, unknown=2) else ()
    word = reading.group(cue, "ordinal") or reading.group(cue, "former")
    place = ordinal(reading, word or reading.group(cue, "from_end"))
    if place is None or _words_beside(reading, span) > BESIDE:
        return ()
    return tuple(at_place(every, place if word else -abs(place)))


def _count(reading: Reading, span: Span, unknown: int = 0) -> int:
    number = number_in(reading, span)
    return int(number.value) if number is not None else unknown


def _words_beside(reading: Reading, span: Span) -> int:
    """How many words neither point nor join."""
    pointing = [cue.span for cue in reading.all("reference")]
    joints = reading.phrases("joints", "between")
    said = [token for token in inside(reading.tokens, span) if not begins_in(token[0], pointing)]
    return sum(reading.said(token) not in joints for token in said)


def _named(reading: Reading, span: Span, options: tuple[str, ...]) -> list[tuple[int, Span]]:
    """The options that are named, and where. A part of a name will do where it is that of one option alone, and nothing
    else is said with it: "standard is fine", "1tb" for "1 TB"."""
    text, names = reading.said(span), _names(options)
    if whole := _wholly(text, names, span[0]):
        return whole
    forms = ((text.strip(_EDGES), names), (_tight(text), [_tight(name) for name in names]))
    found = ([place for place, name in enumerate(known) if part in name] for part, known in forms if len(part) > 2)
    parts = next(filter(None, found), None)
    if parts is None:
        parts = [] if reading.has("yes") else _by_words(reading, span, names)
    return [(parts[0], span)] if len(parts) == 1 else []


def _names(options: tuple[str, ...]) -> list[str]:
    """Options as they are said: without what is in brackets."""
    return [fold(option.split(" (", 1)[0]) for option in options]


def _wholly(text: str, names: list[str], start: int) -> list[tuple[int, Span]]:
    """The names that stand in a text, and where it is, that begins at `start`."""
    found = [(place, re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)) for place, name in enumerate(names) if name]
    return [(place, (start + at.start(), start + at.end())) for place, at in found if at]


def _whole(reading: Reading, span: Span, options: tuple[str, ...]) -> tuple[int, ...]:
    """The options that a longer reply names with their whole names."""
    if reading.has("negation"):
        return ()
    return tuple(place for place, _ in _wholly(reading.said(span), _names(options), span[0]))


def _tight(words: str) -> str:
    """Without blanks and hyphens: "1 TB" and "1tb" are alike."""
    return re.sub(r"[\s-]+", "", words.strip(_EDGES))


def _by_words(reading: Reading, span: Span, names: list[str]) -> list[int]:
    """The options of which a word was said that no other has, with no word beside it but small and agreeing ones."""
    small = reading.phrases("small", "words")
    agreeing = [cue.span for family in ("accepts", "politeness", "yes") for cue in reading.all(family)]
    said = {reading.said(t) for t in inside(reading.tokens, span) if not begins_in(t[0], agreeing)} - small
    own = [set(re.split(r"[\s-]+", name)) - small for name in names] if said else []
    return [place for place, words in enumerate(own) if all(_is_one_of(word, words) for word in said)]


def _is_one_of(said: str, words: set[str]) -> bool:
    return any(_alike(said, word) for word in words)


def _alike(said: str, word: str) -> bool:
    """Whether two words are one but for an ending: "среду" and "среда"."""
    if said == word:
        return True
    same = next((n for n, (a, b) in enumerate(zip(said, word, strict=False)) if a != b), min(len(said), len(word)))
    return abs(len(said) - len(word)) <= 2 and same >= max(STEM, min(len(said), len(word)) - 2)


def _agrees(reading: Reading) -> Fit | None:
    said = reading.first("yes") or reading.first("no") if reading.has("yes", "no") else None
    if said is None:
        return None
    whole = trimmed(reading, (0, len(reading.text)))
    alone = len(reading.tokens) <= SHORT and whole[0] <= said.start and not reading.has("correction", "but")
    span = whole if alone and whole[1] >= said.end else said.span
    return Fit(reading.words(span), span, yes=said.family == "yes")


def _counts(reading: Reading, span: Span) -> Fit | None:
    """A number, with the unit or the word that limits it: "three hours", "50 tops"."""
    found = number_in(reading, span)
    if found is None or not says(reading, span):
        return None
    start, end = found.span
    before, after = inside(reading.tokens, (span[0], start)), inside(reading.tokens, (end, span[1]))
    if 0 < len(after) <= BESIDE and not any(sign in reading.folded[end : span[1]] for sign in ",;.!?"):
        end = span[1]
        units = [token for token in reading.find(tokens_of) if token.end == start - 1 and "unit" in token.kinds]
        start = units[0].start if units else start  # "минут двадцать утром"
    elif not after and len(before) == 1:  # "часа полтора", "at least five"
        start = reading.tokens[0][0] if len(reading.tokens) <= BESIDE + 1 else span[0]
    return Fit(reading.words((start, end)), (start, end))


def says(reading: Reading, span: Span) -> bool:
    """Whether it says something, and asks nothing itself."""
    if span[0] >= span[1] or _only_polite(reading, span):
        return False
    opener = _first_word(reading) in reading.phrases("question", "openers")
    denies = any(cue.start == 0 for cue in reading.all("negation"))  # "doesn't matter"
    return not reading.text[: _before_asking_back(reading)].rstrip(_CLOSING).endswith("?") and (denies or not opener)


def _first_word(reading: Reading) -> str:
    """The word that a reply begins with, after "hmm" or "ok"."""
    fillers = reading.phrases("question", "fillers")
    said = (word.strip(_EDGES) for word in reading.folded.split(" ", BESIDE + 1)[: BESIDE + 1])
    return next((word for word in said if word not in fillers), "")


def _tells(reading: Reading) -> bool:
    """Whether a longer reply can be an answer in words: it does not ask for something itself."""
    if "?" in reading.text or len(reading.tokens) > LONG:
        return False
    return not reading.has("thread_request") and not orders(reading)


def orders(reading: Reading, span: Span | None = None) -> bool:
    """Whether it wants something of the agent instead: "show me more", but not "call Bob"."""
    start = trimmed(reading, span or (0, len(reading.text)))[0]
    before = reading.phrases("question", "before_requests")
    words = (word.strip(_EDGES) for word in reading.folded[start : start + 60].split())
    return next((word for word in words if word not in before), "") in reading.phrases("question", "requests")


def _is_place(reading: Reading, span: Span) -> bool:
    """Whether a reply is no more than a number that may be a place in a list."""
    value = reading.words(span)
    return value.isdigit() and len(value) <= 4 and int(value) <= PLACES


def only_points(reading: Reading, span: Span) -> bool:
    """Whether pointing at something is all that it does: "that one", and not "she just turned 30"."""
    pointing = [cue.span for cue in _points(reading)]
    apart = [token for token in inside(reading.tokens, span) if not begins_in(token[0], pointing)]
    return bool(pointing) and len(apart) < 2


def _points(reading: Reading) -> list[Cue]:
    """What points at something. Where an article looks like a pronoun ("la mediana"), it is an article."""
    articles = reading.phrases("choice", "articles")
    return [cue for cue in reading.all("reference") if reading.folded[cue.start : cue.end] not in articles]


def _only_polite(reading: Reading, span: Span) -> bool:
    """Whether courtesies are all that is said: "hello there", and not "blue, please"."""
    polite = [cue.span for cue in reading.all("politeness")]
    return bool(polite) and all(begins_in(token[0], polite) for token in inside(reading.tokens, span))
