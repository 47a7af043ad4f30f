"""Tools, style and habits in what a person says: the value itself tells the slot, and where nobody knows it, what it
replaces or what it is used for. The verb tells whether it is taken up, refused, given up or told of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.reading.asserting import MOST_CUES, Act, Statement, asserted, asserts, of_one_piece, value_of
from holdfast.reading.clauses import clause, count, cut, first, short
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.terms import Term, listed, purpose, term_at, term_in
from holdfast.reading.text import fold

_PERSONAL = ("style/", "communication/", "workflow/")
_DATED = "did"
"""A trait of what tells of the past only where a time is named."""
_REQUESTS = frozenset({"want", "bare", "better", "now", "do_in", "cleft"})
_OPPOSED = frozenset({"opposed", "arrow"})
_VAGUE = frozenset({"want", "bare"})
_ONE_TERM = frozenset({"better", "cleft", "shop", "opposed"})
_SPEAKER = Shape(r"\b%memory.speakers%\s+(?:%memory.speaking%\s+)?$")
_HESITATES = Shape(r"[\s,.…-]+%memory.fillers%[\s,.…-]+")
_OVER = Shape(r"\s%memory.over%\s+")
_OR = Shape(r"\s%memory.or%\s")
_RATHER = Shape(r"\b%memory.rather%\b")
_EVERYDAY = Shape(r"\b%memory.everyday%\b")


def uses(reading: Reading) -> Iterator[Statement]:
    """Values of tools, style and habits."""
    dated = reading.has("dated")
    of_then = {cue.groups["value"] for cue in reading.all("uses") if _DATED in cue.traits} if dated else set()
    for cue in reading.all("uses")[:MOST_CUES]:
        verb = cue.means
        group, place = value_of(cue)
        if (place in of_then) != (_DATED in cue.traits):
            continue  # "in 2019 I used Vim" tells of then, "I used Vim" without a date of now
        if place is None or not asserted(reading, cue, place, negative=verb in ("never", "stop")):
            continue
        if "imperative" in cue.traits and of_one_piece(reading, cue):
            continue
        if (
            cue.means == "style"
            and "be" in cue.traits
            and reading.reader.made(_SPEAKER).search(reading.folded[: cue.start])
        ):
            continue  # "I speak German" asks for no manner of speaking
        yield from _used(reading, cue, verb, group, place)


def _used(reading: Reading, cue: Cue, verb: str, group: str, place: Span) -> Iterator[Statement]:
    """The values that one cue leads to."""
    taste = group in ("like", "love")
    whole = (place[0], clause(reading, place[0]))
    old, before = _old(reading, cue), whole
    if verb == "prefer" and (over := reading.reader.made(_OVER).search(reading.folded, *whole)):
        old, before = term_at(reading, (over.end(), whole[1])) or old, (whole[0], over.start())
    terms = _terms(reading, cue, place, before)
    act: Act = {"never": "rejects", "stop": "stops", "past": "past"}.get(verb, "states")  # type: ignore[assignment]
    vague = taste or verb == "prefer" or bool(cue.traits & _VAGUE)
    for term in terms:
        rival = old if old is not None and old.slot == term.slot else None
        if cue.traits & _OPPOSED and rival is None:
            continue  # "npm, not working", "x -> npm": only two values of one slot are set against each other
        if _not_meant(reading, cue, verb, term, whole) or only_a_word(reading, term, whole, vague):
            continue
        one = asserts(reading, cue, term.slot, term.value, term.span, act, verb=verb)
        marks = _several(reading, term, terms, whole) if old is None else set()
        replaced = rival.value if rival is not None and rival.value != term.value else one.old
        yield one._replace(marks=one.marks | marks, old=replaced)
    if not terms:
        yield from _in_words(reading, cue, verb, group, place, old)


def _in_words(reading: Reading, cue: Cue, verb: str, group: str, place: Span, old: Term | None) -> Iterator[Statement]:
    """What a cue leads to where no value of it is known: a habit, or a tool that nobody told us about. "I want X" and
    "X please" tell a preference only of what is known."""
    whole = (place[0], clause(reading, place[0]))
    if group == "do":
        yield from _habit(reading, cue, place, whole)
    elif group not in ("like", "love") and verb in ("use", "prefer", "switch") and not cue.traits & _REQUESTS:
        yield from _unknown(reading, cue, whole, old, verb)


def _several(reading: Reading, term: Term, terms: list[Term], whole: Span) -> set[str]:
    """How a value stands beside another of its kind: both hold, or, where it says "or", one of them."""
    if len({other.value for other in terms if other.slot == term.slot}) < 2:
        return set()
    return {"either" if reading.reader.made(_OR).search(reading.folded, *whole) else "also"}


def _terms(reading: Reading, cue: Cue, place: Span, whole: Span) -> list[Term]:
    """The known values that a cue leads to."""
    terms = list(listed(reading, whole))
    if cue.traits & _ONE_TERM:
        terms = [term] if (term := term_in(reading, place)) else []
    return terms and [*terms[:-1], _mended(reading, terms[-1])]


def _not_meant(reading: Reading, cue: Cue, verb: str, term: Term, whole: Span) -> bool:
    """Whether a known value is not what the verb is said of: no manner, a thing's manner, or not under the "never"."""
    if verb in ("style", "habit") and not term.slot.startswith(_PERSONAL):
        return True
    if verb == "never":
        return _positive(cue, reading, term)
    return verb == "style" and _of_a_thing(reading, term, whole)


def _habit(reading: Reading, cue: Cue, place: Span, whole: Span) -> Iterator[Statement]:
    """ "Never commit to main": what is done or not done, in its own words; "never mind" is nothing."""
    if first(reading, place) not in reading.phrases("memory", "not_values") and count(reading, whole) <= 9:
        told = reading.text[cue.start : whole[1]].strip(" .!")
        yield asserts(reading, cue, "workflow/habit", told[:1].lower() + told[1:], (cue.start, whole[1]))


def _mended(reading: Reading, term: Term) -> Term:
    """ "Vim, er, Neovim": of two values of a kind with nothing but a sound between them, the second."""
    hit = reading.reader.made(_HESITATES).match(reading.folded, term.span[1], term.span[1] + 20)
    again = term_at(reading, (hit.end(), clause(reading, hit.end()))) if hit else None
    return again if again is not None and again.slot == term.slot else term


def _of_a_thing(reading: Reading, term: Term, whole: Span) -> bool:
    """ "Write a short story": the word is said of a thing, and not of the manner of answering."""
    if fold(reading.words(term.span)) not in reading.reader.phrases("memory", "vague"):
        return False
    rest = (term.span[1], whole[1])
    after = first(reading, rest)
    if not after or any(rest[0] <= cue.start <= rest[0] + 2 for cue in reading.all("politeness")):
        return False
    return after not in reading.phrases("memory", "stops", "cuts", "said_of_manner")


def _old(reading: Reading, cue: Cue) -> Term | None:
    span = cue.groups.get("old")
    return term_in(reading, span) if span else None


def _positive(cue: Cue, reading: Reading, term: Term) -> bool:
    """ "not npm, use pnpm" rejects npm alone: what follows a comma or a "but" is not under the negation."""
    between = reading.folded[cue.start : term.span[0]]
    return "," in between or bool(reading.reader.made(_RATHER).search(between))


def only_a_word(reading: Reading, term: Term, whole: Span, taste: bool) -> bool:
    """ "I want to go", "I like fish": names of tools that are words of everyday talk need the spelling of the tool, or
    a verb or a purpose that leaves no doubt."""
    typed, reader = reading.words(term.span), reading.reader
    if fold(typed) in reader.phrases("memory", "vague"):
        return taste  # "I want a short trip": only the manner of answering makes a style of it
    if fold(typed) not in reader.phrases("memory", "ambiguous"):
        return False
    if typed == term.value and not typed.islower():
        return False
    if fold(typed) in reader.phrases("memory", "spelled"):
        return True
    return taste and purpose(reading, (term.span[1], whole[1])) != term.slot


def _unknown(reading: Reading, cue: Cue, whole: Span, old: Term | None, verb: str) -> Iterator[Statement]:
    """A tool nobody told us about: its kind is that of what it replaces, or what it is used for, or unknown."""
    span = short(reading, cut(reading, (whole[0], whole[0] + 1), "use"))
    words = reading.words(span)
    if verb == "prefer" and span[0] > whole[0]:
        return  # "I prefer to fly", "I prefer a concert": said of the moment, no preference in general
    if not words or first(reading, span) in reading.phrases("memory", "not_values") or count(reading, span) > 3:
        return
    slot = old.slot if old else purpose(reading, (span[1], whole[1]))
    if not slot and reading.reader.made(_EVERYDAY).search(reading.folded[cue.start : whole[0]]):
        return  # "I went to the park", "let's go with Green Book": words of everyday talk need more than a name
    bare = count(reading, span) == 1 and span[0] == whole[0]
    alone = bare and (verb == "switch" or len(reading.tokens) <= 4)  # "use foobar", no more
    if not slot and verb != "prefer" and not alone and not _technical(words):
        return  # "use the second one", "we use cookies": nothing says that this is a tool
    marked = asserts(reading, cue, slot or f"other/{fold(words)}", words, span, verb=verb)
    yield marked._replace(old=old.value) if old else marked


def _technical(words: str) -> bool:
    """Whether a word looks like the name of a tool: a capital, a digit, a dot or a hyphen inside."""
    return bool(re.search(r"[A-Z0-9]|\w[.\-_+#]\w", words)) and len(words) > 1
