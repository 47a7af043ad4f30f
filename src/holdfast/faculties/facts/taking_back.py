"""What is taken back: "I no longer use Vim", "never use tabs", "forget the deadline", "scrap that"."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event, Scope
from holdfast.faculties.facts.memos import ItemRetracted, live, slices
from holdfast.faculties.facts.relations import Memo, SlotKind, same
from holdfast.faculties.facts.writing import ENDED, WITHDRAWN, compose, confirm, learned, mark_resting, undo
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
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
    for scope, memo in list(live(draft.state)):
        if memo.slot == said.slot and memo.positive and same(reader, memo.value, said.value):
            cause = draft.cause(said.rule, said.span)
            yield ItemRetracted(id=memo.id, label=memo.told, why="no longer so", scope=scope, because=cause)
            yield from mark_resting(draft, memo, ENDED)


def reject(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """ "Never use tabs": the value is retracted where it holds, and the refusal is remembered."""
    reader = draft.reading.reader
    yield from stop(draft, said)
    for scope, memo in live(draft.state):
        if memo.slot == said.slot and not memo.positive and same(reader, memo.value, said.value):
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
    reading, reader = draft.reading, draft.reading.reader
    for cue in reading.all("retracts"):
        flags = reading.find(standing).of(cue.span)
        if flags & {"question", "quoted", "hypothetical"} or ("negated" in flags and cue.means == "joke"):
            continue  # "no kidding" takes nothing back
        targets: list[tuple[Scope, Memo]] = []
        if gone := next(iter(cue.traits), ""):  # "I don't work there any more": what is over
            targets = [(s, m) for s, m in live(draft.state) if m.slot == gone]
        elif "tool" in cue.groups:
            tool = term_in(reading, cue.groups["tool"])
            targets = [
                (s, m) for s, m in live(draft.state) if tool and same(reader, m.value, tool.value) and m.positive
            ]
        elif "thing" in cue.groups:
            slot = reading.folded[slice(*cue.groups["thing"])]
            targets = [(s, m) for s, m in live(draft.state) if _names(reading, slot, m)][:1]
        elif "value" in cue.groups or "state" in cue.groups:
            start = cue.groups.get("value", cue.groups.get("state", cue.span))[0]
            rest = reading.folded[start : clause_end(reading, start)]
            words = f" {rest} "
            term = term_in(reading, (start, start + len(rest)))
            targets = [
                (s, m)
                for s, m in live(draft.state)
                if (term and same(reader, m.value, term.value))
                or f" {fold(m.value)} " in words
                or _in_another_form(reading, m, rest)
                or ("state" in cue.groups and m.slot == "role" and f" {fold(m.value).split()[-1]} " in words)
            ]
            if not targets and "value" in cue.groups:
                targets = [(s, m) for s, m in live(draft.state) if _names(reading, rest, m)][:1]
        elif not any(one.act == "states" for one in reading.find(statements)):
            last = last_written(draft.state)
            if last is None or draft.moment.version - last.version > RECENT:
                continue  # "undo that" is said of something else by now
            if cue.means == "undo" and last.replaces:
                yield from undo(draft, last.id)
                continue
            targets = [(s, m) for s, m in live(draft.state) if m.id == last.id]
        for scope, memo in targets:
            if memo.session == draft.origin and memo.version == draft.moment.version:
                continue  # "I'm not in Boston but in Austin" takes nothing back of what it says
            yield ItemRetracted(
                id=memo.id, label=memo.told, why="taken back", scope=scope, because=draft.cause(cue.id, cue.span)
            )
            yield from mark_resting(draft, memo, WITHDRAWN)


def _names(reading: Reading, words: str, memo: Memo) -> bool:
    """Whether words name the slot of an item: "deadline", "my editor", "the meeting"."""
    kinds = reading.reader.data("memory_kinds", None)
    text = f" {words} "
    if any(f" {word} " in text and slot == memo.slot for word, slot in kinds.items()):
        return True
    names = reading.reader.data("memory_names", None)
    return f" {memo.slot.rpartition('/')[2].replace('_', ' ')} " in text or any(
        f" {word} " in text and (slot == memo.slot or (slot == "decision" and memo.kind == "decision"))
        for word, slot in names.items()
    )


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
