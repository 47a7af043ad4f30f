"""Dates that move: "it got moved to Thursday", "they pushed it to Monday", "it's the 23rd now" name nothing themselves.
What they speak of is known already, and keeps its words with the other date.
"""

from __future__ import annotations

from itertools import pairwise

from holdfast.faculties.facts.lookup import content, in_slot
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.writing import thing_and_values, told_now
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.kinds import token_types
from holdfast.reading.model.tokens import Token, tokens
from holdfast.reading.reader import Reader, overlap

MOVABLE = {"event": ("deadline", "event"), "deadline": ("deadline", "event"), "hours": ("hours",)}
"""Slots whose values are things with a date, and where such a thing may be known."""
_SAYS_HOW = frozenset({"now", "changeverb", "pointer"})
"""Kinds of words that name no thing with a date by themselves."""


BESIDE = 2
"""How far apart the words of one date may stand: "the 23rd of March"."""


def moved(draft: Draft, said: Statement) -> Statement:
    """A statement that moves a date that is known, as what is known with the new date; any other as it is."""
    if said.slot not in MOVABLE or said.act != "states" or said.old:
        return said
    for memo in _spoken_of(draft, said):
        if value := _redated(memo, said.value):
            old, marks = (memo.value, said.marks | {"now"}) if value != memo.value else ("", said.marks)
            return said._replace(slot=memo.slot, value=value, old=old, words="", marks=marks)
    return said


def _spoken_of(draft: Draft, said: Statement) -> list[Memo]:
    """What a statement may move, the newest first: what the message names, else anything with a date where the
    statement names nothing of its own."""
    reader, found = draft.reading.reader, tokens(said.value)
    verbs = _may_move(draft, said, found)
    if verbs is None:
        return []
    held = [
        memo for _, memo in in_slot(draft.before, *MOVABLE[said.slot]) if memo.positive and not told_now(draft, memo)
    ]
    words = content(reader, draft.reading.text)
    named = [memo for memo in held if thing_and_values(reader, memo.value)[0] & words]
    nameless = said.slot != "hours" and _words_that_name(reader, found) <= verbs
    return sorted(named or (held if nameless else []), key=lambda memo: -memo.recorded)


def _words_that_name(reader: Reader, found: list[Token]) -> int:
    """How many words of a statement may name something."""
    return sum(bool(content(reader, t.word)) and not _dates(t) and _SAYS_HOW.isdisjoint(t.kinds) for t in found)


def _may_move(draft: Draft, said: Statement, found: list[Token]) -> int | None:
    """How many words of its own a statement may have that says of something to be otherwise now: the verb that moves
    it, none beside a mere "now"; None where it says no such thing."""
    points = any("pointer" in token.kinds for token in found)
    if said.verb == "switch" or points or any(overlap(cue.span, said.span) for cue in draft.reading.all("correction")):
        return 1
    return 0 if "now" in said.marks else None


def _redated(memo: Memo, new: str) -> str:
    """The value of an item with the date of another; nothing where either has none."""
    old, date = _date(memo.value), _date(new)
    return memo.value[: old[0]] + new[slice(*date)] + memo.value[old[1] :] if old and date else ""


def other_date(reader: Reader, memo: Memo, new: str) -> str:
    """The value of an item with another date, where more is known of it: "oops, I meant Thursday" leaves the dentist
    where he is."""
    return _redated(memo, new) if not memo.question and thing_and_values(reader, memo.value)[0] else ""


def _date(words: str) -> tuple[int, int] | None:
    """From where to where a text gives its one date: none where it gives several, or a mere number."""
    found = tokens(words)
    places = [place for place, token in enumerate(found) if _dates(token)]
    apart = any(after - before > BESIDE for before, after in pairwise(places))
    if not places or apart or not any("when" in token_types(found[place]) for place in places):
        return None
    return found[places[0]].start, found[places[-1]].end


def _dates(token: Token) -> bool:
    return "now" not in token.kinds and not {"when", "number"}.isdisjoint(token_types(token))
