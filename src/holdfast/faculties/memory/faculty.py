"""Memory: what a person told us, kept true over time.

Statements become items in slots. Every write has one relation to what was known (`relations.py`) and is made in
`writing.py`; what is kept is in `memos.py`. What is said for good lives in the user's log, what is said for a project
in the project's, the rest in the session's.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from holdfast.events import Event, Scope
from holdfast.faculties.conversation import RECENT
from holdfast.faculties.memory.bygone import tell_past
from holdfast.faculties.memory.fitting import could_be, in_place_of
from holdfast.faculties.memory.memos import (
    EVENTS,
    MOST,
    CorrectionHeard,
    DisputeSettled,
    ItemConfirmed,
    ItemForgotten,
    ItemLearned,
    ItemMarked,
    ItemPromoted,
    ItemReleased,
    ItemRestored,
    ItemRetracted,
    ItemsCleared,
    ItemSuperseded,
    ItemUndone,
    Memory,
    change,
    fold_memory,
    held_in,
    live,
    slices,
)
from holdfast.faculties.memory.relations import (
    Memo,
    SlotKind,
    effective,
    expired,
    same,
    slot_kind,
)
from holdfast.faculties.memory.writing import (
    compose,
    confirm,
    decide,
    learned,
    mark_resting,
    new_id,
    open_dispute,
    searchable,
    settle,
    supersede,
    write,
)
from holdfast.faculties.questions import answered
from holdfast.faculty import Draft, Faculty, Item, Section
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import ARCHITECTURE, Decided, decisions
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import LONG, clause_end, standing
from holdfast.reading.statements import statements
from holdfast.reading.stating import standing_alone
from holdfast.reading.tables import Table, shipped
from holdfast.reading.terms import known_terms, term_in
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.stores.protocol import Note

FACTS, PREFERENCES, DECISIONS = 5, 10, 40
SHOWN = 0.6
"""Confidence from which the agent is told."""
_FOR = Shape(r"\s*%memory.for%\b")
SOON = 40
"""Characters after which "just kidding" is said of something else."""
TRIGGERS = ("states", "uses", "correction", "contrast", "retracts", "decides", "tech")


class MemoryFaculty(Faculty):
    name = "memory"
    slice = Memory
    events = EVENTS

    def __init__(
        self,
        languages: tuple[str, ...] = ("en", "ru", "es"),
        *,
        sections: bool = False,
        project_context: bool = False,
        agent_decides: bool = False,
        skips: tuple[str, ...] = (),
        most: int = MOST,
    ) -> None:
        self._tables = shipped("holdfast.faculties", "memory", languages)
        self._sections = sections
        self._context = project_context
        self._agent_decides = agent_decides
        self._skips = frozenset(skips)
        """Slots that the pack keeps elsewhere; they are remembered here all the same, but not told twice."""
        self._most = most

    def tables(self) -> Iterable[Table]:
        return self._tables

    # Hearing

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        if draft.state.memory.disputes or _wider_disputes(draft.state):
            yield from _settle(draft)
        if not reading.has(*TRIGGERS) or len(reading.text) > LONG:
            return  # a pasted document states nothing about the person
        if _only_answers(draft):
            return
        retracts = reading.all("retracts")
        for said in reading.find(statements):
            if not retracts or not _taken_back(said, retracts):
                yield from self._take(draft, said)
        if retracts:
            yield from _retract(draft)
        yield from self._decide(draft, agent=False)
        if self._context and reading.has("tech"):
            yield from _mention(draft)

    def say(self, draft: Draft) -> Iterator[Event]:
        if self._agent_decides and draft.reading.has("decides"):
            yield from self._decide(draft, agent=True)

    def _take(self, draft: Draft, said: Statement) -> Iterator[Event]:
        """One statement, related to what is known."""
        reader = draft.reading.reader
        if any(cue.id.endswith("__remember") for cue in draft.reading.all("states")):
            said = said._replace(lifespan="permanent")
        if not said.slot:
            yield from self._correct(draft, said)
            return
        if said.slot in ARCHITECTURE and said.verb != "prefer" and said.act != "past":
            yield from _redecide(draft, said)
            return  # what a project is built on is context and decisions, not a taste of the person
        kind = slot_kind(reader, said.slot)
        if said.act == "stops":
            yield from _stop(draft, said)
        elif said.act == "rejects":
            yield from _reject(draft, said, kind)
        elif said.act == "past":
            yield from tell_past(draft, said, kind)
        else:
            yield from write(draft, said, kind)

    def _correct(self, draft: Draft, said: Statement) -> Iterator[Event]:
        """ "I meant X", "not X but Y", where only the memory can tell what is meant."""
        reader = draft.reading.reader
        target: Memo | None = None
        if said.old:
            target = next((m for _, m in live(draft.state) if m.positive and same(reader, m.value, said.old)), None)
        elif "meant" in said.marks:
            last = _last_written(draft.state)
            target = last if last is not None and could_be(draft, said, last) else None
        elif said.marks & {"actually", "now"}:
            target, said = _just_written(draft, said)
        if target is not None and target.kind in ("fact", "preference"):
            value = said.value.strip(" .")
            again = said._replace(slot=target.slot, value=value, act="states", old=target.value, verb="correct")
            yield from write(draft, again, slot_kind(reader, target.slot))
        elif said.old or "meant" in said.marks:
            yield CorrectionHeard(new=said.value, old=said.old, because=draft.cause(said.rule, said.span))

    # Deciding

    def _decide(self, draft: Draft, agent: bool) -> Iterator[Event]:
        reading = draft.reading
        for made in reading.find(decisions):
            if not agent and not _deciding(made):
                continue
            if agent and (clash := _against_person(draft, made)) is not None:
                yield from open_dispute(draft, clash[1], clash[0], _decision(draft, made, "agent"))
                continue
            yield from decide(
                draft, _decision(draft, made, "agent" if agent else draft.source), made.subject, made.rule
            )

    # Telling

    def context(self, draft: Draft) -> Iterable[Item]:
        if self._sections:
            return ()
        return _remembered(draft, self._skips)

    def sections(self, draft: Draft) -> Iterable[Section]:
        if not self._sections:
            return ()
        told = memory_sections(draft.state, draft.moment.at)
        before = [m for _, m in live(draft.state) if m.session != draft.origin]
        if told and before and draft.state.conversation.turns <= 1:
            return [Section("Persistent Memory", "[Persistent Memory - Previous Session Context]", keep=99), *told]
        return told

    def clears(self, state: State) -> Iterable[str]:
        return [memo.id for _, memo in live(state)]

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what is None:
            yield ItemsCleared(lifespan="session")
            return
        for scope, memo in live(draft.state):
            if what in (memo.id, memo.slot):
                yield ItemRetracted(id=memo.id, label=memo.label, why="removed on request", scope=scope)

    def notes(self, draft: Draft) -> Iterable[tuple[Scope, Note]]:
        """What the search index of each scope must know about what this turn did."""
        if _NOTED.isdisjoint(map(type, draft.events)):
            return
        made: dict[tuple[Scope, str], Memo | None] = {}
        for event in draft.events:
            scope = event.scope
            match event:
                case ItemLearned(item=item) | ItemRestored(item=item) | ItemPromoted(item=item):
                    made[scope, item.id] = item
                case ItemSuperseded(id=id) | ItemRetracted(id=id):
                    made[scope, id] = _now(draft, scope, id)
                case ItemConfirmed(id=id) | ItemMarked(id=id):
                    if (memo := _now(draft, scope, id)) is not None:
                        made[scope, id] = memo
                case ItemUndone(id=id) | ItemForgotten(id=id) | ItemReleased(id=id):
                    made[scope, id] = None
        for (scope, id), learned_now in made.items():
            memo = _now(draft, scope, id) or learned_now
            if memo is None or memo.forgotten:
                yield scope, Note(id, "", False, b"")
            else:
                yield scope, Note(id, searchable(memo), memo.current, msgspec.json.encode(memo))

    def fold(self, slice: Memory, event: Event, moment: Moment) -> Memory:
        return fold_memory(slice, event, moment, self._most)


_NOTED = {
    ItemLearned,
    ItemRestored,
    ItemPromoted,
    ItemSuperseded,
    ItemRetracted,
    ItemConfirmed,
    ItemMarked,
    ItemUndone,
    ItemForgotten,
    ItemReleased,
}
"""Events after which the index is no longer true."""


def _now(draft: Draft, scope: Scope, id: str) -> Memo | None:
    stream = draft.state.stream(scope)
    return held_in(stream.slices["memory"], id) if stream is not None else None


def memory_sections(state: State, now: float) -> list[Section]:
    """The sections of what is remembered, current items only. They stay the same until the memory changes or a minute
    has gone by."""
    held = [memory for _, memory in slices(state)]
    minute = now // 60
    for known, at, told in _told:
        if at == minute and len(known) == len(held) and all(a is b for a, b in zip(known, held, strict=True)):
            return told
    told = _memory_sections(state, minute * 60)
    _told.append((held, minute, told))
    return told


_told: deque[tuple[list[Memory], float, list[Section]]] = deque(maxlen=16)


def _memory_sections(state: State, now: float) -> list[Section]:
    shown = [(s, m) for s, m in live(state) if not expired(m, now) and effective(m, now) >= SHOWN]
    open_slots = {d.slot for _, memory in slices(state) for d in memory.disputes}
    facts = _best([m for _, m in shown if m.kind == "fact"], now, FACTS)
    prefs = _best(_unshadowed([m for _, m in shown if m.kind == "preference"]), now, PREFERENCES)
    made = [m for _, m in live(state) if m.kind == "decision"][:DECISIONS]
    stack = _best(_unshadowed([m for _, m in shown if m.kind == "context"]), now, PREFERENCES)
    told: list[Section] = []
    for name, keep, lines in (
        ("User Context", 60, [_line(m, m.label, open_slots) for m in facts]),
        ("User Preferences", 55, [_line(m, m.entry, open_slots) for m in prefs]),
        ("Current Decisions", 50, [_line(m, m.text, open_slots) for m in reversed(made)]),
        ("Project Context", 35, [_line(m, f"{m.slot}: {m.value}", open_slots) for m in stack]),
    ):
        if lines:
            told.append(Section(name, "\n".join((f"## {name}", *lines)), keep=keep))
    return told


def _line(memo: Memo, words: str, open_slots: set[str]) -> str:
    words = " ".join(words.split())
    if memo.review:
        return f"- {words} (to be checked: {memo.review})"
    return f"- {words} (open: the person gave another value, not settled)" if memo.slot in open_slots else f"- {words}"


def _best(memos: list[Memo], now: float, most: int) -> list[Memo]:
    return sorted(memos, key=lambda m: (-effective(m, now), -m.recorded))[:most]


def _unshadowed(memos: list[Memo]) -> list[Memo]:
    """Without wider values that a narrower one stands before. The narrowest come first."""
    taken: set[str] = set()
    kept = []
    for memo in memos:
        if memo.many or not memo.positive or memo.slot not in taken:
            kept.append(memo)
        if memo.positive and not memo.many:
            taken.add(memo.slot)
    return kept


def _remembered(draft: Draft, skips: frozenset[str]) -> list[Item]:
    """For packs that tell it in the context line: what this message touches, and on meeting again the essentials."""
    if not any(memory.items for _, memory in slices(draft.state)):
        return []
    fresh = draft.state.conversation.turns <= 1
    words = _content(draft.reading)
    chosen: list[tuple[int, Memo]] = []
    for _, memory in slices(draft.state):
        if not memory.items:
            continue
        index = _index(memory, draft.reading.reader.phrases("small", "words"))
        shared = Counter(id for word in words for id in index.get(word, ()))
        if fresh:
            for memo in memory.items.values():
                if memo.session != draft.origin and memo.category in ("personal", "communication"):
                    shared[memo.id] += 0
        chosen += [(count, memory.items[id]) for id, count in shared.items()]
    now, version = draft.moment.at, draft.moment.version
    best = sorted(
        (
            (-count, -memo.recorded, memo.id, memo)
            for count, memo in chosen
            if not (memo.session == draft.origin and (memo.slot in skips or version - memo.version < RECENT))
            and effective(memo, now) >= SHOWN
            and not expired(memo, now)
        )
    )[:FACTS]
    told = "; ".join(_line(memo, memo.label, set())[2:] for _, _, _, memo in best)
    return [Item("Remembered", told, keep=40)] if told else []


_indexes: OrderedDict[int, tuple[Memory, dict[str, list[str]]]] = OrderedDict()


def _index(memory: Memory, small: frozenset[str]) -> dict[str, list[str]]:
    """Which items hold which words. A slice never changes, so its index is made once and kept while it is in use."""
    known = _indexes.get(id(memory))
    if known is not None and known[0] is memory:
        return known[1]
    index: dict[str, list[str]] = {}
    for memo in memory.items.values():
        for word in _words_of(memo.id, memo.slot, memo.value, memo.text, small):
            index.setdefault(word, []).append(memo.id)
    _indexes[id(memory)] = memory, index
    if len(_indexes) > 256:
        _indexes.popitem(last=False)
    return index


@lru_cache(maxsize=20_000)
def _words_of(id: str, slot: str, value: str, text: str, small: frozenset[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(f"{slot} {value} {text}"))) - small


_WORD = re.compile(r"[^\W_]{3,}")


def _content(reading: Reading) -> set[str]:
    small = reading.reader.phrases("small", "words")
    return {w for a, b in reading.tokens[:60] if len(w := reading.folded[a:b]) > 3 and w not in small}


def _last_written(state: State) -> Memo | None:
    newest: Memo | None = None
    for _, memory in slices(state):
        for id in memory.last:
            memo = memory.items.get(id)
            if memo is not None and (
                newest is None or (memo.recorded, memo.version) >= (newest.recorded, newest.version)
            ):
                newest = memo
    return newest


def _just_written(draft: Draft, said: Statement) -> tuple[Memo | None, Statement]:
    """The item of the message before that a bare correction is of the kind of, and the correction in full."""
    memo = _last_written(draft.state)
    if memo is None or memo.session != draft.origin or draft.moment.version - memo.version > 2:
        return None, said
    value = in_place_of(draft, said, memo)
    return (None, said) if value is None else (memo, said._replace(value=value))


def _redecide(draft: Draft, said: Statement) -> Iterator[Event]:
    """A change of what the work is built on replaces the decision about it, where there is one."""
    if said.act != "states" or not (said.verb in ("correct", "switch") or said.marks & {"now", "lets"}):
        return
    about = draft.reading.reader.data("memory_subjects", None).get(said.slot)
    held = [m for _, m in live(draft.state) if m.kind == "decision" and m.slot == about]
    if not held or any(made.term and made.term.value == said.value for made in draft.reading.find(decisions)):
        return
    old = held[0]
    text = old.text.replace(old.value, said.value) if old.value in old.text else f"Use {said.value}"
    memo = change(
        old,
        id=new_id(draft, "decision"),
        value=said.value,
        text=text,
        recorded=draft.moment.at,
        by=draft.source,
        session=draft.origin,
        version=draft.moment.version,
        start=said.span[0],
        end=said.span[1],
        words=draft.reading.words(said.sentence)[:300],
        rule=said.rule,
        valid_from=draft.moment.at,
        relation="NEW",
        replaces=(),
        rests_on=(),
        review="",
        details={},
    )
    yield from decide(draft, memo, str(about), said.rule)


def _stop(draft: Draft, said: Statement) -> Iterator[Event]:
    reader = draft.reading.reader
    for scope, memo in list(live(draft.state)):
        if memo.slot == said.slot and memo.positive and same(reader, memo.value, said.value):
            cause = draft.cause(said.rule, said.span)
            yield ItemRetracted(id=memo.id, label=memo.label, why="no longer so", scope=scope, because=cause)
            yield from mark_resting(draft, memo.id, f"rests on {memo.label}, which is no longer so")


def _reject(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """ "Never use tabs": the value is retracted where it holds, and the refusal is remembered."""
    reader = draft.reading.reader
    yield from _stop(draft, said)
    for scope, memo in live(draft.state):
        if memo.slot == said.slot and not memo.positive and same(reader, memo.value, said.value):
            yield from confirm(draft, scope, memo, said)
            return
    yield learned(draft, compose(draft, said, kind, "NEW", many=True))


def _in_another_form(reading: Reading, memo: Memo, words: str) -> bool:
    """Whether one of the words is the value with another ending: "в Яндексе" for "Яндекс"."""
    if memo.slot not in reading.data("memory_forms"):
        return False
    forms = (standing_alone(reading, memo.slot, word.strip(".,;:!?")) for word in words.split())
    return fold(memo.value) in map(fold, forms)


def _retract(draft: Draft) -> Iterator[Event]:
    """ "Forget that I use Vim", "drop the deadline", "scrap that", "I'm not a developer any more"."""
    reading, reader = draft.reading, draft.reading.reader
    for cue in reading.all("retracts"):
        if reading.find(standing).of(cue.span) & {"question", "quoted", "hypothetical"}:
            continue
        targets: list[tuple[Scope, Memo]] = []
        gone = cue.id.rpartition(".")[2].partition("__")[2]
        if gone:  # "I don't work there any more": the pattern tells what is over
            targets = [(s, m) for s, m in live(draft.state) if m.slot == gone]
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
            last = _last_written(draft.state)
            targets = [(s, m) for s, m in live(draft.state) if last is not None and m.id == last.id]
        for scope, memo in targets:
            if memo.session == draft.origin and memo.version == draft.moment.version:
                continue  # "I'm not in Boston but in Austin" takes nothing back of what it says
            yield ItemRetracted(
                id=memo.id, label=memo.label, why="taken back", scope=scope, because=draft.cause(cue.id, cue.span)
            )
            yield from mark_resting(draft, memo.id, f"rests on {memo.label}, which was taken back")


def _taken_back(said: Statement, retracts: list[Cue]) -> bool:
    """Whether a statement is taken back as it is made: "forget that I use Vim", "I love jazz, just kidding"."""
    for cue in retracts:
        forgets = "value" in cue.groups or "thing" in cue.groups
        if forgets and said.sentence[0] <= cue.start <= said.span[0]:
            return True
        if cue.id.endswith(".joke") and 0 <= cue.start - said.span[1] <= SOON:
            return True
    return False


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


def _only_answers(draft: Draft) -> bool:
    """Whether a message is nothing but an answer, or the change of one: "not black" is a colour then, no formatter."""
    answers = draft.state.session.slices.get("answers")
    changed = answers is not None and any(known.version == draft.moment.version for known in answers.kept)
    if not changed and answered(draft.state) is None:
        return False
    subjects = draft.reading.phrases("question", "subjects")
    return not any(draft.reading.folded[start:end] in subjects for start, end in draft.reading.tokens)


def _wider_disputes(state: State) -> bool:
    return any(memory.disputes for _, memory in slices(state))


def _settle(draft: Draft) -> Iterator[Event]:
    """A short answer that names one of the two values, or both, settles a conflict."""
    reading = draft.reading
    if len(reading.tokens) > 12:
        return
    text = f" {reading.folded.strip(' .!?')} "
    for scope, memory in list(slices(draft.state)):
        for dispute in memory.disputes:
            held = memory.items.get(dispute.held)
            if held is None:
                yield DisputeSettled(id=dispute.id, kept="gone", slot=dispute.slot, scope=scope)
                continue
            choice = _choice(reading, text, held, dispute.rival)
            if choice is None:
                continue
            yield from settle(draft, scope, dispute, held, choice)
            return


def _choice(reading: Reading, text: str, held: Memo, rival: Memo) -> str | None:
    def said(key: str) -> bool:
        return any(f" {phrase} " in text for phrase in reading.phrases("memory", key))

    terms = {fold(held.value): "old", fold(rival.value): "new"}
    named = {which for value, which in terms.items() if f" {value} " in text.replace(",", " ").replace(".", " ")}
    if said("both") or (len(named) == 2 and not reading.has("negation", "correction")):
        return "both"
    if len(named) == 1 and not reading.text.rstrip().endswith("?"):
        return named.pop()
    return "old" if said("old_one") else "new" if said("new_one") else None


def _deciding(made: Decided) -> bool:
    """Whether a person's words are a decision about the work: not a taste of theirs, and not a choice from a list."""
    name = made.rule.rpartition(".")[2]
    if made.term is not None:
        return made.term.slot in ARCHITECTURE
    if name in ("decided", "approach"):
        return True
    return bool(made.subject) and name in ("go_with", "will_use", "better") and made.what[:1].isupper()


def _decision(draft: Draft, made: Decided, by: Any) -> Memo:
    value = made.term.value if made.term else made.description
    rest = draft.reading.text[made.term.span[1] : made.span[1]] if made.term else ""
    if made.term and rest.strip(" .") and not draft.reading.reader.made(_FOR).match(fold(rest)):
        value += f" {rest.strip(' .')}"
    return Memo(
        id=new_id(draft, "decision"),
        kind="decision",
        slot=made.subject,
        value=value,
        category=made.category,
        confidence=0.8,
        lifespan="project",
        recorded=draft.moment.at,
        text=made.description,
        by=by,
        session=draft.origin,
        version=draft.moment.version,
        start=made.span[0],
        end=made.span[1],
        words=draft.reading.words(made.span)[:300],
        rule=made.rule,
        valid_from=draft.moment.at,
        details={"rationale": made.rationale} if made.rationale else {},
    )


def _against_person(draft: Draft, made: Decided) -> tuple[Scope, Memo] | None:
    """The value a person gave that an agent's decision would go against."""
    if made.term is None:
        return None
    for scope, memo in live(draft.state):
        if memo.slot == made.term.slot and memo.kind == "preference" and memo.by != "agent" and memo.positive:
            if not same(draft.reading.reader, memo.value, made.term.value):
                return scope, memo
            return None
    return None


def _mention(draft: Draft) -> Iterator[Event]:
    """Frameworks and databases that a message mentions as such: one entry each, reinforced when met again."""
    reading = draft.reading
    terms = known_terms(reading.reader)
    asserted = reading.find(statements)
    for cue in reading.all("tech"):
        known = terms.get(reading.folded[cue.start : cue.end])
        if known is None or reading.find(standing).of(cue.span) & {"negated", "withdrawn"}:
            continue
        slot = f"tech_stack/{cue.id.rpartition('.')[2]}"
        value = fold(known[1])
        held = [(s, m) for s, m in live(draft.state) if m.slot == slot and m.kind == "context"]
        said = next((one for one in asserted if one.span[0] <= cue.start < one.span[1]), None)
        equal = [(s, m) for s, m in held if m.value == value]
        if equal:
            if equal[0][1].version != draft.moment.version or equal[0][1].session != draft.origin:
                yield from confirm(draft, *equal[0])
            continue
        memo = Memo(
            new_id(draft, "context"),
            "context",
            slot,
            value,
            "tech_stack",
            0.7,
            "project",
            draft.moment.at,
            by=draft.source,
            session=draft.origin,
            version=draft.moment.version,
            start=cue.start,
            end=cue.end,
            words=reading.words(cue.span),
            rule=cue.id,
            valid_from=draft.moment.at,
        )
        if not held:
            yield learned(draft, memo)
        elif said is not None and said.act == "states" and said.slot in ARCHITECTURE:
            new = change(memo, relation="CHANGES", replaces=(held[0][1].id,))
            yield from supersede(draft, held[:1], new)
