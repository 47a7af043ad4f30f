"""Writing into the memory: a statement, a decision, a confirmation, a promotion, an undo, each as events.

Used by the faculty for what is said and by `chat.memory` for what programs do. Everything here looks at a draft and
yields events; nothing is changed in place.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from holdfast.accepting import shown
from holdfast.errors import Refused, UnknownItem
from holdfast.events import DoubtRaised, Event, Scope, Source
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.attributes import slot_named
from holdfast.faculties.facts.lookup import Place, content, holding, in_slot, of_kind, resting_on, with_words
from holdfast.faculties.facts.memos import change, find, open_slots, place_for, slices, unstable
from holdfast.faculties.facts.relations import (
    PREFIX,
    RANK,
    Kind,
    Lifespan,
    Memo,
    Relation,
    SlotKind,
    canonical,
    confidence,
    effective,
    expired,
    raised,
    refines,
    relation,
    rivals,
    same,
    slot_kind,
)
from holdfast.faculties.facts.things import given_anew
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.assertions import assertion
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Reader, Span
from holdfast.reading.text import fold
from holdfast.reading.times import since_when
from holdfast.state import State
from holdfast.telling import Said, said

STEM = 4
"""Letters that two forms of a word share at least."""
OF_ONE_THING = 2
"""Words that two facts in their own words must share to be of one thing."""
NEWEST = 20
"""How many of the things that a slot holds are looked at for that."""
NEAR = 4
"""Rows of the log within which a correction may mean what was said then, and a short message may change an answer
without saying so."""
LATE = 300 * 86400.0
"""A change that is told this long after it happened may be older than what is known."""

DEADLINE = "deadline"
"""The slot that takes several values, of which a single one moves."""

_COMES_BACK_TO = frozenset({"schedule", "context"})
"""Categories of what one plans with: dates, budgets, plans."""
_OF_ONES_LIFE = frozenset({"personal", "context"})
"""Categories of what is so of everybody, and told of many others."""
_PUTS_RIGHT = frozenset({"corrects", "returns"})
"""Acts of clauses that mean what is known, whatever they tell."""


def told_now(draft: Draft, memo: Memo) -> bool:
    """Whether this very message told a fact. Versions count within a session: another's first message is not this
    one's."""
    return (memo.session, memo.version) == (draft.origin, draft.moment.version)


def write(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """A statement into its slot: confirmed, added, replacing, shadowing or in conflict. What somebody is holds beyond
    the project that they speak of it in."""
    if kind.category == "personal" and said.lifespan == "project":
        said = said._replace(lifespan=None)
    same_value = holding(draft.state, draft.reading.reader, said.slot, said.value)
    for scope, memo in _in_force(draft, kind, same_value):
        yield from confirm(draft, scope, memo, said)
        return
    for scope, memo in same_value:
        if not memo.positive:
            yield m.ItemRetracted(id=memo.id, label=memo.told, why="wanted again", scope=scope)
    held = _in_force(draft, kind, in_slot(draft.state, said.slot))
    many = _one_of_many(draft, said, held, kind)
    targets = _replaced(draft, said, held, kind) or ([] if many else _targets(said, _named_first(draft, held)))
    if targets:
        yield from _replace(draft, said, kind, targets)
    else:
        new = learned(draft, compose(draft, said, kind, "NEW", many=many))
        yield new
        if new.item.lifespan in _WIDER:
            yield from _count_towards(draft, new.item.id)


def _in_force(draft: Draft, kind: SlotKind, found: list[Place]) -> list[Place]:
    """What of the items of a slot holds now."""
    found = [one for one in found if one[1].kind == kind.kind and one[1].positive]
    return [one for one in found if not expired(one[1], draft.moment.at)]


def _one_of_many(draft: Draft, said: Statement, held: list[Place], kind: SlotKind) -> bool:
    """Whether a value stands beside those that its slot holds: several are told in one breath, or it takes several. An
    alternative to them ("either") does not, and neither does a deadline that moves."""
    if held and "either" in said.marks:
        return False
    moves = said.slot == DEADLINE and len(held) == 1 and is_a_change(said)
    return (kind.many and not moves) or "also" in said.marks or _in_one_breath(draft, said, held)


def _in_one_breath(draft: Draft, said: Statement, held: list[Place]) -> bool:
    """Whether a value is told with others of its slot, and in the place of none."""
    if said.old or is_a_change(said):
        return False
    return any(told_now(draft, memo) for _, memo in held)


def is_a_change(said: Statement) -> bool:
    """Whether a value is said to be another now, or to be put right."""
    return said.verb in ("switch", "correct") or not said.marks.isdisjoint(
        {"now", "lets", "actually", "corrects", "meant"}
    )


def only_seems_another(draft: Draft, said: Statement) -> Clause | None:
    """The clause of a value that would take the place of another though it hardly tells of such a thing: "find a rice
    cooker for 20 bucks" gives no other budget, and the name in a story is nobody's new one."""
    reader, kind = draft.reading.reader, slot_kind(draft.reading.reader, said.slot)
    clause = next((one for one in draft.clauses if one.start <= said.span[0] < one.end), None)
    if clause is None or clause.told >= 0 or clause.act in _PUTS_RIGHT:
        return None
    known = any(slot_named(reader, attribute) == said.slot for attribute in clause.abouts)
    if kind.many or said.old or said.verb == "correct" or kind.category not in _OF_ONES_LIFE or not known:
        return None
    held = [old.value for _, old in _in_force(draft, kind, in_slot(draft.state, said.slot)) if not told_now(draft, old)]
    another = not any(same(reader, old, said.value) or refines(reader, old, said.value) for old in held)
    return clause if held and another else None


def _replaced(draft: Draft, said: Statement, held: list[Place], kind: SlotKind) -> list[Place]:
    """What a value clearly takes the place of, whether or not its slot holds several: what it says that it replaces,
    what cannot be true beside it, or what was said before of the same thing."""
    reader = draft.reading.reader
    named = _in_force(draft, kind, holding(draft.state, reader, said.slot, said.old))
    begin = rivals(reader, said.slot, said.value)
    rival = [one for one in held if fold(one[1].value).startswith(begin)] if begin else []
    return named or rival or (_given_anew(reader, said, held) if kind.many else [])


def _given_anew(reader: Reader, said: Statement, held: list[Place]) -> list[Place]:
    """What was said before of the same thing, with other values."""
    words = said.words or said.value
    return [one for one in held[-NEWEST:] if given_anew(reader, words, one[1].text or one[1].value, OF_ONE_THING)]


def _named_first(draft: Draft, held: list[Place]) -> list[Place]:
    """The values that the message names before the others: "jest is so slow, we move to vitest"."""
    words = content(draft.reading.reader, draft.reading.text) if len(held) > 1 else frozenset()
    return sorted(held, key=lambda one: content(draft.reading.reader, one[1].value).isdisjoint(words))


def _replace(draft: Draft, said: Statement, kind: SlotKind, targets: list[Place]) -> Iterator[Event]:
    """Replace other values, or ask about them: as the new value relates to the first of them."""
    scope, memo = targets[0]
    often = unstable(draft.state, said.slot, draft.moment.at)
    related = relation(draft.reading.reader, said, memo, kind, often)
    if related == "CONFLICT":
        yield from open_dispute(draft, memo, scope, compose(draft, said, kind, related))
        return
    if said.lifespan is None:
        said = said._replace(lifespan=memo.lifespan)  # a change holds where the old value held
    new = compose(draft, said, kind, related)
    if said.then is not None and _belongs_before(draft, new, memo):
        filed = {"relation": "NEW", "valid_to": memo.valid_from, "retracted_at": draft.moment.at}
        yield learned(draft, change(new, why="said of the past", **filed))
        return
    if related != "CHANGES" and memo.valid_from is not None and not said.since:
        new = change(new, valid_from=memo.valid_from)
    yield from supersede(draft, targets, _in_place_of(memo, new))


def _in_place_of(old: Memo, new: Memo) -> Memo:
    """Another value of an answer answers the same question."""
    if not old.question:
        return new
    text = f"{old.question} {new.value}" if old.text.startswith(old.question) else new.text
    return change(new, question=old.question, text=text, details=old.details)


def compose(
    draft: Draft,
    said: Statement,
    kind: SlotKind,
    related: Relation,
    *,
    many: bool = False,
    valid_to: float | None = None,
) -> Memo:
    """The item that a statement makes."""
    start = since_when(said.since, draft.moment.at, draft.reading) if said.since else None
    return item(
        draft,
        kind.kind,
        said.slot,
        said.value,
        kind.category,
        span=said.span,
        confidence=confidence(said, kind, related),
        lifespan=said.lifespan or _lifespan(draft, said, kind),
        relation=related,
        text=said.words or (_fact_text(said) if kind.kind == "fact" else ""),
        positive=said.act != "rejects",
        many=many,
        words=draft.reading.words(said.sentence)[:300],
        rule=said.rule,
        valid_from=start if start is not None else draft.moment.at,
        valid_to=valid_to,
        rejected=(said.old,) if said.old else (),
        sessions=(draft.origin,) if draft.origin else (),
        rests_on=_rests_on(draft, said.slot),
    )


def item(
    draft: Draft,
    kind: Kind,
    slot: str,
    value: str,
    category: str,
    *,
    span: Span = (0, 0),
    by: Source | None = None,
    **more: Any,
) -> Memo:
    """A new item of this turn. What is not given otherwise holds for the project, fairly sure, from now on."""
    now = draft.moment.at
    usual = {"confidence": 0.8, "lifespan": "project", "valid_from": now}
    return Memo(
        id=new_id(draft, kind),
        kind=kind,
        slot=slot,
        value=value,
        category=category,
        recorded=now,
        by=by or draft.source,
        session=draft.origin,
        version=draft.moment.version,
        start=span[0],
        end=span[1],
        **{**usual, **more},
    )


def _lifespan(draft: Draft, said: Statement, kind: SlotKind) -> Lifespan:
    """How long an item lives that does not say so itself. A deadline or a budget of a project's session ends with it;
    where there is no project, it is the person's, who comes back to it tomorrow."""
    own = kind.category in _COMES_BACK_TO and draft.state.user is not None and draft.state.project is None
    return "project" if own and kind.lifespan == "session" else kind.lifespan


def _belongs_before(draft: Draft, new: Memo, held: Memo) -> bool:
    """Whether a change that is told late ("in 2019 I moved to Berlin") happened before what is known now began."""
    if new.valid_from is None or held.valid_from is None or new.valid_from > draft.moment.at - LATE:
        return False
    return new.valid_from < held.valid_from


def asserted(draft: Draft, sentence: str, lifespan: Lifespan) -> Memo:
    """A plain sentence about anything as an item: keyed where it has a key and a value."""
    read = assertion(draft.reading.reader, sentence)
    slot, value = (f"said/{read.key}", read.value) if read else ("", sentence)
    return item(draft, "fact", slot, value, "other", lifespan=lifespan, text=sentence, rule="memory.learn")


def learned(draft: Draft, memo: Memo) -> m.ItemLearned:
    cause = draft.cause(memo.rule or "memory.add", (memo.start, memo.end))
    return m.ItemLearned(item=memo, scope=place_for(draft.state, _home(memo)), because=cause)


def supersede(draft: Draft, targets: list[Place], new: Memo) -> Iterator[Event]:
    """The new item, the end of the old ones, and the marks on what rested on them."""
    yield learned(draft, change(new, replaces=tuple(memo.id for _, memo in targets)))
    for scope, memo in targets:
        until = new.valid_from if new.relation in ("CHANGES", "REFINES") else memo.valid_to
        yield from _give_way(draft, scope, memo, new, until, new.relation)


def link(draft: Draft, old: Place, new: Memo) -> Iterator[Event]:
    """Mark an item as replaced by another that is already there."""
    scope, memo = old
    if memo.id == new.id:
        raise Refused(f"{memo.id} cannot supersede itself")
    if memo.superseded_by != new.id:
        yield from _give_way(draft, scope, memo, new, draft.moment.at, "CHANGES")


def _give_way(
    draft: Draft, scope: Scope, old: Memo, new: Memo, until: float | None, related: Relation
) -> Iterator[Event]:
    at, void = draft.moment.at, related == "CORRECTS"
    yield m.ItemSuperseded(id=old.id, by=new.id, at=at, valid_to=until, void=void, why=related, scope=scope)
    yield from mark_resting(draft, old, said("why.became", value=new.value))


ENDED, WITHDRAWN = said("why.ended"), said("why.withdrawn")
"""Why something is to be looked at again: what it rests on is no longer true, or was taken back."""


def mark_resting(draft: Draft, gone: Memo, why: Said) -> Iterator[Event]:
    """Everything that rests on an item, directly or not, is to be looked at again; a sentence that was kept beside it
    in its own words is as old as it is."""
    review = said("memo.rests", support=gone.told, reason=why)
    for scope, memo in with_words(draft.state, draft.reading.reader, gone.value):
        told_with = (memo.slot, memo.session, memo.version) == ("note", gone.session, gone.version)
        if told_with and memo.start <= gone.start and gone.end <= memo.end:
            yield m.ItemRetracted(id=memo.id, label=memo.told, why="no longer so", scope=scope)
    waiting, done = [gone.id], {gone.id}
    while waiting:
        support = waiting.pop()
        for scope, memo in resting_on(draft.state, support):
            if memo.id not in done:
                done.add(memo.id)
                waiting.append(memo.id)
                yield m.ItemMarked(id=memo.id, review=review, label=memo.told, scope=scope)


def confirm(draft: Draft, scope: Scope, memo: Memo, said: Statement | None = None) -> Iterator[Event]:
    now = draft.moment.at
    sure = raised(effective(memo, now))
    cause = draft.cause(said.rule, said.span) if said else draft.cause("memory.reinforce")
    yield m.ItemConfirmed(
        id=memo.id, confidence=sure, label=memo.told, session=draft.origin, scope=scope, because=cause
    )
    if memo.review:
        yield m.ItemMarked(id=memo.id, label=memo.told, scope=scope)
    wider = said.lifespan if said else None
    if wider and RANK[wider] > RANK[memo.lifespan]:
        yield from promote(draft, scope, change(memo, confidence=sure, reinforced=now, decayed=now), wider)


def promote(draft: Draft, scope: Scope, memo: Memo, lifespan: str) -> Iterator[Event]:
    """The same item, in a wider scope."""
    to = place_for(draft.state, lifespan)
    wider = change(memo, lifespan=lifespan)
    if to != scope:
        yield m.ItemReleased(id=memo.id, scope=scope)
    yield m.ItemPromoted(item=wider, scope=to, because=draft.cause("memory.promote"))


def decide(draft: Draft, memo: Memo, subject: str, given_up: Memo | None = None) -> Iterator[Event]:
    """A decision, related to the current ones of its category and subject, and to one that is given up for it."""
    reader, held = draft.reading.reader, of_kind(draft.state, "decision")
    known = [one for one in held if _same_decision(reader, one[1], memo)]
    rivals = [one for one in held if _gives_way(one[1], memo, subject, given_up)]
    if known:
        yield from confirm(draft, *known[0])
    elif rivals and not subject and given_up is None:
        yield from open_dispute(draft, rivals[0][1], rivals[0][0], change(memo, relation="CONFLICT"))
    elif rivals:  # a decision is made at a time: the earlier one was right until then
        related: Relation = "REFINES" if refines(reader, rivals[0][1].value, memo.value) else "CHANGES"
        yield from supersede(draft, rivals, change(memo, relation=related))
    else:
        yield learned(draft, memo)


def _same_decision(reader: Reader, old: Memo, new: Memo) -> bool:
    about = bool(new.slot) and same_subject(old.slot, new.slot)
    return same(reader, old.text, new.text) or (about and same(reader, old.value, new.value))


def undo(draft: Draft, id: str, closed: Iterable[Memo] = ()) -> Iterator[Event]:
    """Take a write back: the item goes, what it replaced stands again, and the marks it caused are lifted.

    The id may be that of the write or of the item that it replaced. `closed` are older items from the log."""
    state = draft.state
    archive = {memo.id: memo for memo in closed}

    def look(wanted: str) -> Place | None:
        here = find(state, wanted)
        if here is None and wanted in archive:
            return place_for(state, _home(archive[wanted])), archive[wanted]
        return here

    found = look(id)
    if found is None:
        raise UnknownItem(f"there is no item {shown(id)} to undo")
    scope, memo = found
    if memo.superseded_by and not memo.replaces:
        scope, memo = look(memo.superseded_by) or found
    elif memo.retracted_at is not None:
        yield m.ItemRestored(item=reopened(memo), scope=scope, because=draft.cause("memory.undo"))
        return
    yield m.ItemUndone(id=memo.id, label=memo.told, scope=scope, because=draft.cause("memory.undo"))
    for old in map(look, memo.replaces or _replaced_by(state, memo.id)):
        if old is not None:
            yield from _stands_again(draft, *old, memo.superseded_by)
    yield from mark_resting(draft, memo, WITHDRAWN)


def _replaced_by(state: State, id: str) -> tuple[str, ...]:
    """What an operator let an item supersede: the item itself does not say so."""
    return tuple(memo.id for _, memory in m.slices(state) for memo in memory.closed if memo.superseded_by == id)


def _stands_again(draft: Draft, scope: Scope, old: Memo, later: str) -> Iterator[Event]:
    """What an undone write had replaced. Where the write had a successor itself, that one follows it now."""
    yield m.ItemRestored(item=reopened(old), scope=scope, because=None if later else draft.cause("memory.undo"))
    if later:
        yield m.ItemSuperseded(id=old.id, by=later, at=draft.moment.at, why="CHANGES", scope=scope)
        return
    for where, resting in resting_on(draft.state, old.id):
        if resting.review:
            yield m.ItemMarked(id=resting.id, label=resting.told, scope=where)


def reopened(memo: Memo) -> Memo:
    return change(memo, superseded_by="", superseded_at=None, retracted_at=None, valid_to=None, void=False, why="")


def new_id(draft: Draft, kind: str) -> str:
    """An id that is unique over all sessions of a user, and that a replay makes again."""
    where = f"{zlib.crc32(draft.origin.encode()):08x}" if draft.origin else "0"
    plain = draft.new_id(PREFIX[kind])
    head, _, rest = plain.partition("_")
    return f"{head}_{where}_{rest}"


def searchable(memo: Memo) -> str:
    """The words under which an item is found."""
    parts = [memo.slot.replace("/", " ").replace("_", " "), memo.value, memo.text, memo.words]
    parts += [str(memo.details.get("rationale", ""))]
    return " ".join(dict.fromkeys(part for part in parts if part))


def _fact_text(said: Statement) -> str:
    if said.slot == "deadline":
        return f"Deadline on {said.value}"
    return said.value if said.slot in ("event", "note") else ""


def _home(memo: Memo) -> str:
    return "project" if memo.kind in ("decision", "context") and memo.lifespan != "permanent" else memo.lifespan


def _targets(said: Statement, held: list[Place]) -> list[Place]:
    """What a new value replaces: the value that holds now, and, when said for a wider scope, the narrower ones too.
    Said for a narrower scope alone, it replaces nothing: it overrides the wider value there."""
    if said.lifespan is None:
        return held[:1]
    return [(s, memo) for s, memo in held if RANK[memo.lifespan] <= RANK[said.lifespan]]


def _rests_on(draft: Draft, slot: str) -> tuple[str, ...]:
    support = draft.reading.reader.data("memory_rests", None).get(slot)
    return tuple(memo.id for _, memo in in_slot(draft.state, support))[:1] if support else ()


_WIDER: dict[str, tuple[Scope, str]] = {"session": ("project", "project"), "project": ("user", "permanent")}
"""By lifespan: the log in which values are counted, and the lifespan of one that was said twice."""


def _count_towards(draft: Draft, id: str) -> Iterator[Event]:
    """Said for one session in two sessions of a project, it holds for the project; in two projects, for good."""
    found, kept = find(draft.state, id), dict(slices(draft.state))
    if found is None:
        return
    scope, memo = found
    log, lifespan = _WIDER[memo.lifespan]
    if memo.kind == "context" or memo.category == "schedule" or not {log, "project"} <= kept.keys():
        return
    where = draft.origin if log == "project" else kept["project"].mark
    met = m.Seen(memo.slot, canonical(draft.reading.reader, memo.value), where)
    before = {seen.where for seen in kept[log].seen if (seen.slot, seen.value) == (met.slot, met.value)}
    yield m.ValueSeen(seen=met, scope=log)
    if before - {where} and memo.slot not in open_slots(draft.state):
        yield from promote(draft, scope, memo, lifespan)


def open_dispute(draft: Draft, held: Memo, scope: Scope, rival: Memo) -> Iterator[Event]:
    when = datetime.fromtimestamp(held.recorded, UTC).date().isoformat()
    old, new = (held.text, rival.text) if held.kind == "decision" else (held.value, rival.value)
    spoken = draft.reading.language or draft.state.conversation.language
    question = draft.reading.reader.wording("memory", "asks", spoken).format(old=old, when=when, new=new)
    turn = draft.state.conversation.turns
    dispute = m.Dispute(draft.new_id("dispute"), held.slot, held.id, rival, question, turn)
    cause = draft.cause(rival.rule or "memory.conflict", (rival.start, rival.end))
    yield m.DisputeOpened(dispute=dispute, scope=scope, because=cause)
    yield DoubtRaised(about=held.slot or "decision", question=question, candidates=(old, new), because=cause)


def settle(draft: Draft, scope: Scope, dispute: m.Dispute, held: Memo, choice: str) -> Iterator[Event]:
    """The end of a conflict: the old value stays, the new one takes its place, or both hold."""
    reading = draft.reading
    cause = draft.cause("memory.settled")
    yield m.DisputeSettled(id=dispute.id, kept=choice, slot=dispute.slot, scope=scope, because=cause)
    rival = change(dispute.rival, recorded=draft.moment.at, confidence=0.9)
    if choice == "new":
        related: Relation = "CORRECTS" if reading.has("corrects") and not reading.has("since") else "CHANGES"
        new = change(rival, relation=related, lifespan=held.lifespan)
        yield from supersede(draft, [(scope, held)], new)
    elif choice == "both":
        yield learned(draft, change(rival, relation="NEW", many=True))
    else:
        yield m.ItemConfirmed(
            id=held.id, confidence=raised(held.confidence), label=held.told, session=draft.origin, scope=scope
        )


def same_subject(one: str, other: str) -> bool:
    """Whether two decisions are about the same thing, in whatever form it is named: "cache" and "caching"."""
    a, b = one.split(), other.split()
    return len(a) == len(b) and all(_one_word(x, y) for x, y in zip(a, b, strict=True))


def _one_word(a: str, b: str) -> bool:
    shared = max(STEM, min(len(a), len(b)) - 1)
    return a == b or (len(a) >= shared <= len(b) and a[:shared] == b[:shared])


def _gives_way(old: Memo, new: Memo, subject: str, given_up: Memo | None) -> bool:
    """Whether a decision is given up for another, or is about the same: one subject, and categories that may be one;
    without a subject, only the same and a definite one."""
    a, b = old.category, new.category
    kin = a == b != "other" or (bool(new.slot) and not {a, b}.isdisjoint({"", "other"}))
    return old is given_up or (kin and same_subject(old.slot, subject))


def in_place_of_each_other(reader: Reader, told: list[Statement]) -> list[Statement]:
    """ "I no longer use npm, I use pnpm" is one claim with an old value, not two; of two values of one kind in one
    breath both hold, or one of them, where it says "or". One thing liked and another not are two."""
    over = [one for one in told if one.act in ("rejects", "stops")]
    made = []
    for one in told:
        rival = next((o for o in (told if one in over else over) if _rivals(reader, one, o)), None)
        if one.act == "states" and rival is not None and not one.old:
            how = "now" if rival.act == "stops" else "actually"
            made.append(one._replace(old=rival.value, marks=one.marks | {how}))
        elif one not in over or rival is None or rival.act != "states":
            made.append(one)
    return made


def _rivals(reader: Reader, one: Statement, other: Statement) -> bool:
    beside = slot_kind(reader, one.slot).many and "stops" not in (one.act, other.act)
    return one.slot == other.slot and not beside and one.value != other.value and one.act != other.act
