"""What is taken back: "I no longer use Vim", "never use tabs", "forget the deadline", "scrap that"."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event, Scope
from holdfast.faculties.facts.memos import ItemRetracted, live, slices
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
            targets = [(s, m) for s, m in live(draft.state) if last is not None and m.id == last.id]
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


def _targets(draft: Draft, cue: Cue) -> list[tuple[Scope, Memo]]:
    """What a cue names: what is over, a tool, a thing, or a value."""
    reading, reader = draft.reading, draft.reading.reader
    held = list(live(draft.state))
    if gone := next(iter(cue.traits), ""):  # "I don't work there any more": what is over
        return [(s, m) for s, m in held if m.slot == gone]
    if "tool" in cue.groups:
        tool = term_in(reading, cue.groups["tool"])
        return [(s, m) for s, m in held if tool and same(reader, m.value, tool.value) and m.positive]
    if "thing" in cue.groups:
        slot = reading.folded[slice(*cue.groups["thing"])]
        return [(s, m) for s, m in held if _names(reading, slot, m)][:1]
    place = cue.groups.get("value", cue.groups.get("state"))
    if place is None:
        return []
    rest = reading.folded[place[0] : clause_end(reading, place[0])]
    state = "state" in cue.groups
    named = [(s, m) for s, m in held if _says(reading, m, rest) or (state and m.slot == "role" and _ends(m, rest))]
    return named or [(s, m) for s, m in held if _names(reading, rest, m)][:1]


def _says(reading: Reading, memo: Memo, words: str) -> bool:
    """Whether some words hold the value of an item, in whatever form."""
    start = reading.folded.find(words)
    term = term_in(reading, (start, start + len(words)))
    known = term is not None and same(reading.reader, memo.value, term.value)
    return known or f" {fold(memo.value)} " in f" {words} " or _in_another_form(reading, memo, words)


def _ends(memo: Memo, words: str) -> bool:
    return f" {fold(memo.value).split()[-1]} " in f" {words} "


def _names(reading: Reading, words: str, memo: Memo) -> bool:
    """Whether words name the slot of an item: "deadline", "my editor", "the meeting"."""
    kinds = reading.reader.data("memory_kinds", None)
    text = f" {words} "
    if any(f" {word} " in text and slot == memo.slot for word, slot in kinds.items()):
        return True
    head = f"attr/{memo.slot.partition('/')[0]}"
    if any(head in token.kinds for token in tokens(words, reading.language)):
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
