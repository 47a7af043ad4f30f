"""What is taken back: "I no longer use Vim", "never use tabs", "forget the deadline", "scrap that"."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.facts.lookup import (
    Place,
    in_slot,
    named_by,
    of_kind,
    with_types,
    with_value,
    with_words,
)
from holdfast.faculties.facts.memos import ItemRetracted, find, slices
from holdfast.faculties.facts.relations import Memo, SlotKind, same
from holdfast.faculties.facts.writing import ENDED, WITHDRAWN, compose, confirm, learned, mark_resting, undo
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.standing import clause_end, standing
from holdfast.reading.statements import statements
from holdfast.reading.stating import standing_alone
from holdfast.reading.terms import term_in
from holdfast.reading.text import fold
from holdfast.state import State

SOON = 40
"""Characters after which "just kidding" is said of something else."""
RECENT = 6
"""Messages after which "that" no longer means what was learned last."""


def stop(draft: Draft, said: Statement) -> Iterator[Event]:
    reader = draft.reading.reader
    for scope, memo in in_slot(draft.state, said.slot):
        if memo.positive and same(reader, memo.value, said.value):
            cause = draft.cause(said.rule, said.span)
            yield ItemRetracted(id=memo.id, label=memo.told, why="no longer so", scope=scope, because=cause)
            yield from mark_resting(draft, memo, ENDED)


def reject(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """ "Never use tabs": the value is retracted where it holds, and the refusal is remembered."""
    reader = draft.reading.reader
    yield from stop(draft, said)
    for scope, memo in in_slot(draft.state, said.slot):
        if not memo.positive and same(reader, memo.value, said.value):
            yield from confirm(draft, scope, memo, said)
            return
    yield learned(draft, compose(draft, said, kind, "NEW", many=True))


def taken_back(said: Statement, retracts: list[Cue]) -> bool:
    """Whether a statement is taken back as it is made: "forget that I use Vim", "I love jazz, just kidding"."""
    for cue in retracts:
        forgets = "value" in cue.groups or "thing" in cue.groups
        if forgets and said.sentence[0] <= cue.start <= said.span[0]:
            return True
        if cue.means == "joke" and 0 <= cue.start - said.span[1] <= SOON:
            return True
    return False


def retract(draft: Draft) -> Iterator[Event]:
    """ "Forget that I use Vim", "drop the deadline", "scrap that", "I'm not a developer any more"."""
    reading = draft.reading
    for cue in reading.all("retracts"):
        flags = reading.find(standing).of(cue.span)
        if flags & {"question", "quoted", "hypothetical"} or ("negated" in flags and cue.means == "joke"):
            continue  # "no kidding" takes nothing back
        if cue.groups or cue.traits:
            targets = _targets(draft, cue)
        else:
            last = _meant(draft)
            if last is not None and cue.means == "undo" and last.replaces:
                yield from undo(draft, last.id)
                continue
            where = find(draft.state, last.id) if last is not None else None
            targets = [where] if where is not None else []
        for scope, memo in targets:
            if memo.session == draft.origin and memo.version == draft.moment.version:
                continue  # "I'm not in Boston but in Austin" takes nothing back of what it says
            yield ItemRetracted(
                id=memo.id, label=memo.told, why="taken back", scope=scope, because=draft.cause(cue.id, cue.span)
            )
            yield from mark_resting(draft, memo, WITHDRAWN)


def _meant(draft: Draft) -> Memo | None:
    """What "that" is, in "scrap that": what was learned last, unless it was long ago or something else is said."""
    last = last_written(draft.state)
    told = any(one.act == "states" for one in draft.reading.find(statements))
    return None if told or last is None or draft.moment.version - last.version > RECENT else last


def _targets(draft: Draft, cue: Cue) -> list[Place]:
    """What a cue names: what is over, a tool, a thing, or a value."""
    reading, reader, state = draft.reading, draft.reading.reader, draft.state
    if gone := next(iter(cue.traits), ""):  # "I don't work there any more": what is over
        return in_slot(state, gone)
    if "tool" in cue.groups:
        tool = term_in(reading, cue.groups["tool"])
        return [one for one in with_value(state, reader, tool.value) if one[1].positive] if tool else []
    if "thing" in cue.groups:
        return _naming(draft, reading.folded[slice(*cue.groups["thing"])])[:1]
    place = cue.groups.get("value", cue.groups.get("state"))
    if place is None:
        return []
    rest = reading.folded[place[0] : clause_end(reading, place[0])]
    term = term_in(reading, (place[0], place[0] + len(rest)))
    said = [*with_words(state, reader, rest), *(in_slot(state, "role") if "state" in cue.groups else ())]
    named = [one for one in said if _says(reading, one[1], rest)] + [
        one for one in (with_value(state, reader, term.value) if term else ()) if one not in said
    ]
    return named or _naming(draft, rest)[:1]


def _says(reading: Reading, memo: Memo, words: str) -> bool:
    """Whether some words hold the value of an item, in whatever form; of a role its last word is enough."""
    value = fold(memo.value)
    ends = memo.slot == "role" and f" {value.split()[-1]} " in f" {words} "
    return ends or f" {value} " in f" {words} " or _in_another_form(reading, memo, words)


def _naming(draft: Draft, words: str) -> list[Place]:
    """What has a slot that some words name: "deadline", "my editor", "the meeting"."""
    reader, text = draft.reading.reader, f" {words} "
    tables = (reader.data("memory_kinds", None), reader.data("memory_names", None))
    slots = {str(slot) for table in tables for word, slot in table.items() if f" {word} " in text}
    kinds = {kind for token in tokens(words, draft.reading.language) for kind in token.kinds}
    found = with_types(draft.state, reader, [kind for kind in kinds if kind.startswith("attr/")])
    found += in_slot(draft.state, *slots)
    found += of_kind(draft.state, "decision") if "decision" in slots else []
    found += [one for one in named_by(draft.state, reader, words) if f" {_last_part(one[1])} " in text]
    return sorted({one[1].id: one for one in found}.values(), key=lambda one: -one[1].recorded)


def _last_part(memo: Memo) -> str:
    return memo.slot.rpartition("/")[2].replace("_", " ")


def _in_another_form(reading: Reading, memo: Memo, words: str) -> bool:
    """Whether one of the words is the value with another ending: "в Яндексе" for "Яндекс"."""
    if memo.slot not in reading.data("memory_forms"):
        return False
    forms = (standing_alone(reading, memo.slot, word.strip(".,;:!?")) for word in words.split())
    return fold(memo.value) in map(fold, forms)


def last_written(state: State) -> Memo | None:
    newest: Memo | None = None
    for _, memory in slices(state):
        for id in memory.last:
            memo = memory.items.get(id)
            if memo is not None and (
                newest is None or (memo.recorded, memo.version) >= (newest.recorded, newest.version)
            ):
                newest = memo
    return newest
