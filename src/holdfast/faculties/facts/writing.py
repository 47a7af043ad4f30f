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
from holdfast.events import DoubtRaised, Event, Scope
from holdfast.faculties.facts.lookup import content, in_slot, of_kind, resting_on, with_words
from holdfast.faculties.facts.memos import (
    Dispute,
    DisputeOpened,
    DisputeSettled,
    ItemConfirmed,
    ItemLearned,
    ItemMarked,
    ItemPromoted,
    ItemReleased,
    ItemRestored,
    ItemRetracted,
    ItemSuperseded,
    ItemUndone,
    Seen,
    ValueSeen,
    change,
    find,
    place_for,
    slices,
    unstable,
)
from holdfast.faculties.facts.relations import (
    PREFIX,
    RANK,
    Lifespan,
    Memo,
    Relation,
    SlotKind,
    canonical,
    confidence,
    effective,
    exclusive,
    expired,
    raised,
    relation,
    same,
)
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.assertions import assertion
from holdfast.reading.decisions import subject_of
from holdfast.reading.kinds import token_types
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reader
from holdfast.reading.shapes import Shape
from holdfast.reading.text import fold
from holdfast.reading.times import since_when
from holdfast.state import State
from holdfast.telling import Said, said

STEM = 4
"""Letters that two forms of a word share at least."""
FAR = 300 * 86400.0
"""A change that is told this long after it happened may be older than what is known."""


def write(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """A statement into its slot: confirmed, added, replacing, shadowing or in conflict."""
    reader, state = draft.reading.reader, draft.state
    held = [(scope, m) for scope, m in in_slot(state, said.slot) if m.kind == kind.kind and m.positive]
    held = [(scope, m) for scope, m in held if not expired(m, draft.moment.at)]
    for place, (scope, memo) in enumerate(held):
        if same(reader, memo.value, said.value) and (place == 0 or not _narrower(said, memo)):
            yield from confirm(draft, scope, memo, said)
            return
    if "doubted" in said.marks and "either" not in said.marks and (not held or kind.many):
        return  # "maybe I use Emacs" says that nobody knows; against what is known it is asked about
    yield from _unreject(draft, said)
    said = _against(draft, said, held)
    moved = kind.category == "schedule" and bool(said.marks & _moves(said.slot)) and len(held) == 1
    many = (kind.many and not moved) or "also" in said.marks
    replaced = [(s, m) for s, m in held if same(reader, m.value, said.old)] if said.old else []
    replaced = replaced or [(s, m) for s, m in held if many and exclusive(reader, said.slot, m.value, said.value)]
    replaced = replaced or ([] if said.old or not kind.many else _retold(draft, said))
    if many and not replaced and not ("either" in said.marks and held):
        if not (kind.many and "meant" in said.marks and held):
            yield learned(draft, compose(draft, said, kind, "NEW", many=True))
            yield from _count_towards(draft, said, kind)
            return
        replaced = held[:1]
    targets = replaced or _targets(said, held)
    if not targets:
        yield learned(draft, compose(draft, said, kind, "NEW"))
        yield from _count_towards(draft, said, kind)
        return
    scope, memo = targets[0]
    related = relation(reader, said, memo, kind, unstable(state, said.slot, draft.moment.at))
    if related == "CONFLICT":
        yield from open_dispute(draft, memo, scope, compose(draft, said, kind, "CONFLICT"))
        return
    if related == "CONFIRMS":
        yield from confirm(draft, scope, memo, said)
        return
    if said.lifespan is None and not (said.verb == "correct" and kind.kind == "preference"):
        said = said._replace(lifespan=memo.lifespan)  # a change holds where the old value held
    new = compose(draft, said, kind, related, replaces=tuple(m.id for _, m in targets))
    if said.then is not None and _belongs_before(draft, new, memo):
        yield learned(draft, _filed(new, memo.valid_from, draft.moment.at))
        return
    if related in ("REFINES", "CORRECTS") and memo.valid_from is not None and not said.since:
        new = change(new, valid_from=memo.valid_from)
    yield from supersede(draft, targets, _in_place_of(memo, new))


def _retold(draft: Draft, said: Statement) -> list[tuple[Scope, Memo]]:
    """What was said before of the same thing with another day or number: "the midterm is on the 14th", "midterm got
    moved to the 21st". The newest of them gives way."""
    reader = draft.reading.reader
    about, values = _thing(reader, said.value)
    for scope, memo in with_words(draft.before, reader, said.value) if about and values else ():
        thing, held = _thing(reader, memo.value)
        shared = about & thing
        other = bool(held - values and values - held)
        if memo.many and memo.positive and other and 2 * len(shared) >= len(about | thing):
            return [(scope, memo)]
    return []


def _thing(reader: Reader, words: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a fact in its own words is about, and the days and numbers that it gives."""
    given = {token.word for token in tokens(words) if {"when", "number"}.intersection(token_types(token))}
    return content(reader, words) - content(reader, " ".join(sorted(given))), frozenset(given)


def _in_place_of(old: Memo, new: Memo) -> Memo:
    """Another value of an answer answers the same question."""
    if not old.question:
        return new
    text = f"{old.question} {new.value}" if old.text.startswith(old.question) else new.text
    return change(new, question=old.question, text=text, details=old.details)


def _moves(slot: str) -> frozenset[str]:
    """What shows that a date takes the place of the one before: of a deadline there is mostly one, of meetings many."""
    return frozenset({"now", "actually", "corrects"} if slot == "deadline" else {"now"})


_NOT = Shape(r"\s?,?\s%memory.not%\s(?P<old>[^,.;:!?\n]{1,40})")


def _against(draft: Draft, said: Statement, held: list[tuple[Scope, Memo]]) -> Statement:
    """ "The deadline is Thursday, not Friday": what is denied beside a value is what it replaces, if it is held."""
    if said.old or not held:
        return said
    hit = draft.reading.reader.made(_NOT).match(draft.reading.folded, said.span[1])
    denied = next((m for _, m in held if hit and same(draft.reading.reader, m.value, hit["old"].strip())), None)
    return said if denied is None else said._replace(old=denied.value, marks=said.marks | {"actually"})


def compose(
    draft: Draft,
    said: Statement,
    kind: SlotKind,
    related: Relation,
    *,
    many: bool = False,
    replaces: tuple[str, ...] = (),
    valid_to: float | None = None,
) -> Memo:
    """The item that a statement makes."""
    now = draft.moment.at
    corrects = said.verb == "correct" and kind.kind == "preference"
    lifespan: Any = said.lifespan or ("project" if corrects else kind.lifespan)
    start = since_when(said.since, now, draft.reading) if said.since else None
    return Memo(
        id=new_id(draft, kind.kind),
        kind=kind.kind,
        slot=said.slot,
        value=said.value,
        category=kind.category,
        confidence=confidence(said, kind, related),
        lifespan=lifespan,
        recorded=now,
        relation=related,
        text=said.words or (_fact_text(said) if kind.kind == "fact" else ""),
        positive=said.act != "rejects",
        many=many,
        by=draft.source,
        session=draft.origin,
        version=draft.moment.version,
        start=said.span[0],
        end=said.span[1],
        words=draft.reading.words(said.sentence)[:300],
        rule=said.rule,
        valid_from=start if start is not None else now,
        valid_to=valid_to,
        rejected=(said.old,) if said.old else (),
        sessions=(draft.origin,) if draft.origin else (),
        replaces=replaces,
        rests_on=_rests_on(draft, said.slot),
    )


def _belongs_before(draft: Draft, new: Memo, held: Memo) -> bool:
    """Whether a change that is told late ("in 2019 I moved to Berlin") happened before what is known now began."""
    if new.valid_from is None or held.valid_from is None or new.valid_from > draft.moment.at - FAR:
        return False
    return new.valid_from < held.valid_from


def _filed(memo: Memo, until: float | None, now: float) -> Memo:
    """An item of the past, in its place in time and never current."""
    return change(memo, relation="NEW", replaces=(), valid_to=until, retracted_at=now, why="said of the past")


def asserted(draft: Draft, sentence: str, lifespan: Lifespan) -> Memo:
    """A plain sentence about anything as an item: keyed where it has a key and a value."""
    read = assertion(draft.reading.reader, sentence)
    return Memo(
        id=new_id(draft, "fact"),
        kind="fact",
        slot=f"said/{read.key}" if read else "",
        value=read.value if read else sentence,
        category="other",
        confidence=0.8,
        lifespan=lifespan,
        recorded=draft.moment.at,
        text=sentence,
        session=draft.origin,
        version=draft.moment.version,
        rule="memory.learn",
        valid_from=draft.moment.at,
    )


def learned(draft: Draft, memo: Memo) -> ItemLearned:
    cause = draft.cause(memo.rule or "memory.add", (memo.start, memo.end))
    return ItemLearned(item=memo, scope=place_for(draft.state, _home(memo)), because=cause)


def supersede(draft: Draft, targets: list[tuple[Scope, Memo]], new: Memo) -> Iterator[Event]:
    """The new item, the end of the old ones, and the marks on what rested on them."""
    now = draft.moment.at
    yield learned(draft, new)
    for scope, memo in targets:
        until = new.valid_from if new.relation in ("CHANGES", "REFINES") else memo.valid_to
        yield ItemSuperseded(
            id=memo.id,
            by=new.id,
            at=now,
            valid_to=until,
            void=new.relation == "CORRECTS",
            why=new.relation,
            scope=scope,
        )
        reason = said("why.became", value=new.value)
        yield from mark_resting(draft, memo, reason)


ENDED, WITHDRAWN = said("why.ended"), said("why.withdrawn")
"""Why something is to be looked at again: what it rests on is no longer true, or was taken back."""


def mark_resting(draft: Draft, gone: Memo, why: Said) -> Iterator[Event]:
    """Everything that rests on an item, directly or not, is to be looked at again."""
    review = said("memo.rests", support=gone.told, reason=why)
    waiting, done = [gone.id], {gone.id}
    while waiting:
        support = waiting.pop()
        for scope, memo in resting_on(draft.state, support):
            if memo.id not in done:
                done.add(memo.id)
                waiting.append(memo.id)
                yield ItemMarked(id=memo.id, review=review, label=memo.told, scope=scope)


def confirm(draft: Draft, scope: Scope, memo: Memo, said: Statement | None = None) -> Iterator[Event]:
    now = draft.moment.at
    sure = raised(effective(memo, now))
    cause = draft.cause(said.rule, said.span) if said else draft.cause("memory.reinforce")
    yield ItemConfirmed(id=memo.id, confidence=sure, label=memo.told, session=draft.origin, scope=scope, because=cause)
    if memo.review:
        yield ItemMarked(id=memo.id, label=memo.told, scope=scope)
    wider = said.lifespan if said else None
    if wider and RANK[wider] > RANK[memo.lifespan]:
        yield from promote(draft, scope, change(memo, confidence=sure, reinforced=now, decayed=now), wider)


def promote(draft: Draft, scope: Scope, memo: Memo, lifespan: str) -> Iterator[Event]:
    """The same item, in a wider scope."""
    to = place_for(draft.state, lifespan)
    wider = change(memo, lifespan=lifespan)
    if to != scope:
        yield ItemReleased(id=memo.id, scope=scope)
    yield ItemPromoted(item=wider, scope=to, because=draft.cause("memory.promote"))


def decide(draft: Draft, memo: Memo, subject: str) -> Iterator[Event]:
    """A decision, related to the current ones of its category and subject."""
    reader, now = draft.reading.reader, draft.moment.at
    held = of_kind(draft.state, "decision")
    for scope, old in held:
        if same(reader, old.text, memo.text) or (
            subject and same_subject(old.slot, subject) and same(reader, old.value, memo.value)
        ):
            yield from confirm(draft, scope, old)
            return
    mine = [(s, m) for s, m in held if subject and same_subject(m.slot, subject) and _kin(m.category, memo.category)]
    if mine:
        # A decision is made at a time: the earlier one was right until then.
        related: Relation = (
            "REFINES" if fold(memo.value).startswith(canonical(reader, mine[0][1].value) + " ") else "CHANGES"
        )
        yield from supersede(draft, mine, change(memo, relation=related, replaces=tuple(m.id for _, m in mine)))
        return
    rivals = [
        (s, m)
        for s, m in held
        if m.category == memo.category and memo.category != "other" and not subject and not m.slot
    ]
    if rivals:
        yield from open_dispute(draft, rivals[0][1], rivals[0][0], change(memo, relation="CONFLICT"))
        return
    yield learned(draft, change(memo, valid_from=now))


def link(draft: Draft, old: tuple[Scope, Memo], new: Memo) -> Iterator[Event]:
    """Mark an item as replaced by another that is already there."""
    scope, memo = old
    if memo.id == new.id:
        raise Refused(f"{memo.id} cannot supersede itself")
    if memo.superseded_by == new.id:
        return
    now = draft.moment.at
    yield ItemSuperseded(id=memo.id, by=new.id, at=now, valid_to=now, why="CHANGES", scope=scope)
    yield from mark_resting(draft, memo, said("why.became", value=new.value))


def undo(draft: Draft, id: str, closed: Iterable[Memo] = ()) -> Iterator[Event]:
    """Take a write back: the item goes, what it replaced stands again, and the marks it caused are lifted.

    The id may be that of the write or of the item that it replaced. `closed` are older items from the log."""
    state = draft.state
    archive = {memo.id: memo for memo in closed}

    def look(wanted: str) -> tuple[Scope, Memo] | None:
        here = find(state, wanted)
        if here is None and wanted in archive:
            memo = archive[wanted]
            return place_for(state, _home(memo)), memo
        return here

    found = look(id)
    if found is None:
        raise UnknownItem(f"there is no item {shown(id)} to undo")
    scope, memo = found
    if memo.superseded_by and not memo.replaces:
        later = look(memo.superseded_by)
        if later is not None:
            scope, memo = later
    elif memo.retracted_at is not None:
        yield ItemRestored(item=reopened(memo), scope=scope, because=draft.cause("memory.undo"))
        return
    yield ItemUndone(id=memo.id, label=memo.told, scope=scope, because=draft.cause("memory.undo"))
    for old_id in memo.replaces or tuple(m.id for m in _replaced_by(state, memo.id)):
        old = look(old_id)
        if old is None:
            continue
        if memo.superseded_by:  # the chain closes over the gap
            yield ItemRestored(item=reopened(old[1]), scope=old[0])
            yield ItemSuperseded(id=old_id, by=memo.superseded_by, at=draft.moment.at, why="CHANGES", scope=old[0])
            continue
        yield ItemRestored(item=reopened(old[1]), scope=old[0], because=draft.cause("memory.undo"))
        for where, resting in resting_on(draft.state, old_id):
            if resting.review:
                yield ItemMarked(id=resting.id, label=resting.told, scope=where)
    yield from mark_resting(draft, memo, WITHDRAWN)


def reopened(memo: Memo) -> Memo:
    return change(memo, superseded_by="", superseded_at=None, retracted_at=None, valid_to=None, void=False, why="")


def new_id(draft: Draft, kind: str) -> str:
    """An id that is unique over all sessions of a user, and that a replay makes again."""
    where = f"{zlib.crc32(draft.origin.encode()):08x}" if draft.origin else "0"
    plain = draft.new_id(PREFIX[kind])
    head, _, rest = plain.partition("_")
    return f"{head}_{where}_{rest}"


def subject(reader: Any, description: str) -> str:
    """What a decision given in plain words is about."""
    return subject_of(reader, description)


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


def _narrower(said: Statement, memo: Memo) -> bool:
    return said.lifespan is not None and RANK[said.lifespan] < RANK[memo.lifespan] and said.lifespan == "session"


def _targets(said: Statement, held: list[tuple[Scope, Memo]]) -> list[tuple[Scope, Memo]]:
    """What a new value replaces: the value that holds now, and, when said for a wider scope, the narrower ones too.
    Said for a narrower scope alone, it replaces nothing there: it stands before the wider one."""
    if said.lifespan is None:
        return held[:1]
    return [(s, m) for s, m in held if RANK[m.lifespan] <= RANK[said.lifespan]]


def _rests_on(draft: Draft, slot: str) -> tuple[str, ...]:
    support = draft.reading.reader.data("memory_rests", None).get(slot)
    return tuple(m.id for _, m in in_slot(draft.state, support))[:1] if support else ()


def _unreject(draft: Draft, said: Statement) -> Iterator[Event]:
    """A value that is now wanted is no longer refused."""
    reader = draft.reading.reader
    for scope, memo in in_slot(draft.state, said.slot):
        if not memo.positive and same(reader, memo.value, said.value):
            yield ItemRetracted(id=memo.id, label=memo.told, why="wanted again", scope=scope)


def _count_towards(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """Said for one session in two sessions of a project, it holds for the project; in two projects, for good."""
    state = draft.state
    found = next((one for one in in_slot(state, said.slot) if one[1].value == said.value), None)
    if found is None or kind.kind == "context" or found[1].category == "schedule":
        return
    scope, memo = found
    steps = {"session": ("project", "project"), "project": ("user", "permanent")}
    if memo.lifespan not in steps:
        return
    log, lifespan = steps[memo.lifespan]
    stream = state.stream(log)  # type: ignore[arg-type]
    if stream is None or (log == "user" and state.project is None):
        return
    where = draft.origin if log == "project" else state.project.slices["memory"].mark  # type: ignore[union-attr]
    value = canonical(draft.reading.reader, said.value)
    seen = [s for s in stream.slices["memory"].seen if s.slot == said.slot and s.value == value and s.where != where]
    yield ValueSeen(seen=Seen(said.slot, value, where), scope=log)  # type: ignore[arg-type]
    disputed = any(d.slot == said.slot for _, memory in slices(state) for d in memory.disputes)
    if seen and not disputed:
        yield from promote(draft, scope, memo, lifespan)


def open_dispute(draft: Draft, held: Memo, scope: Scope, rival: Memo) -> Iterator[Event]:
    when = datetime.fromtimestamp(held.recorded, UTC).date().isoformat()
    old, new = (held.text, rival.text) if held.kind == "decision" else (held.value, rival.value)
    spoken = draft.reading.language or draft.state.conversation.language
    question = draft.reading.reader.wording("memory", "asks", spoken).format(old=old, when=when, new=new)
    turn = draft.state.conversation.turns
    dispute = Dispute(draft.new_id("dispute"), held.slot, held.id, rival, question, turn)
    cause = draft.cause(rival.rule or "memory.conflict", (rival.start, rival.end))
    yield DisputeOpened(dispute=dispute, scope=scope, because=cause)
    yield DoubtRaised(about=held.slot or "decision", question=question, candidates=(old, new), because=cause)


def settle(draft: Draft, scope: Scope, dispute: Dispute, held: Memo, choice: str) -> Iterator[Event]:
    """The end of a conflict: the old value stays, the new one takes its place, or both hold."""
    reading = draft.reading
    cause = draft.cause("memory.settled")
    yield DisputeSettled(id=dispute.id, kept=choice, slot=dispute.slot, scope=scope, because=cause)
    rival = change(dispute.rival, recorded=draft.moment.at, confidence=0.9)
    if choice == "new":
        related: Relation = "CORRECTS" if reading.has("corrects") and not reading.has("since") else "CHANGES"
        new = change(rival, relation=related, replaces=(held.id,), lifespan=held.lifespan)
        yield from supersede(draft, [(scope, held)], new)
    elif choice == "both":
        yield learned(draft, change(rival, relation="NEW", many=True))
    else:
        yield ItemConfirmed(
            id=held.id, confidence=raised(held.confidence), label=held.told, session=draft.origin, scope=scope
        )


def same_subject(one: str, other: str) -> bool:
    """Whether two decisions are about the same thing, in whatever form it is named: "cache" and "caching"."""
    a, b = one.split(), other.split()
    return len(a) == len(b) and all(_one_word(x, y) for x, y in zip(a, b, strict=True))


def _one_word(a: str, b: str) -> bool:
    shared = max(STEM, min(len(a), len(b)) - 1)
    return a == b or (len(a) >= shared <= len(b) and a[:shared] == b[:shared])


def _kin(a: str, b: str) -> bool:
    return a == b or not a or not b or "other" in (a, b)


def _replaced_by(state: State, id: str) -> list[Memo]:
    return [m for _, memory in slices(state) for m in memory.closed if m.superseded_by == id]
