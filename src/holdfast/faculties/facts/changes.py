"""What a message puts in the place of something said before, however it is worded.

A correction mostly says a new value and little else: "no, actually MySQL", "Saturday instead", "oops typo, John". What
it changes is whatever holds a value of that type: a slot, an answer, a fact or a decision, the newest first. Values
without a type change nothing unless the old one is named, so small talk never overwrites what is known. Everything that
held the old value changes with it: there is one truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from holdfast.events import Cleared, DoubtRaised, Event, Reread, Scope
from holdfast.faculties.facts.answers import AnswerCorrected, AnswerKept
from holdfast.faculties.facts.memos import CorrectionHeard, ItemLearned, ItemRetracted, change, live
from holdfast.faculties.facts.relations import Memo, same, slot_kind
from holdfast.faculties.facts.slots import SlotSet
from holdfast.faculties.facts.writing import decide, new_id, write
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.kinds import value_types
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens
from holdfast.reading.reader import Reader, Span
from holdfast.reading.standing import LONG, standing
from holdfast.reading.text import fold
from holdfast.telling import Said

CHANGING = frozenset({"corrects", "returns"})
HEARD = 0.5
"""Chance from which the encoder is believed that something changes."""
NEAR = 4
"""Rows of the log within which a short message may change an answer without saying so."""
SHORT = 7
"""Words of a message that says a new value and little else."""
_NOT_SAID = frozenset({"quoted", "hypothetical", "question"})
_GIVING = frozenset({"answers", "chooses", "requests", "corrects", "returns", "rejects"})
"""Acts by which a bare value may take the place of an answer."""
_TYPO = 0.34
"""Share of letters that may differ between a word and its correction."""


class Holder(NamedTuple):
    """Something that holds a value now."""

    value: str
    version: int
    here: bool
    """Whether it was said in this conversation."""
    slot: str = ""
    question: str = ""
    memo: Memo | None = None
    scope: Scope = "session"


class Candidate(NamedTuple):
    """Words that could be a new value."""

    words: str
    span: Span
    types: frozenset[str]


def changed(draft: Draft) -> Iterator[Event]:
    """The changes of this message that nobody has read yet, and what follows from those that somebody has."""
    if any(isinstance(event, DoubtRaised) for event in draft.events):
        return  # which value holds is being asked
    read = _read_already(draft)
    if read is None:
        found = _found(draft)
        if found is None:
            yield from _put_right(draft)
            return
        holder, new = found
        yield from _put(draft, holder, new)
        read = holder.value, new.words
    old, now = read
    for holder in _holders(draft):
        if same(draft.reading.reader, holder.value, old) and not same(draft.reading.reader, holder.value, now):
            yield from _put(draft, holder, Candidate(now, (0, 0), frozenset()))


def _reread(draft: Draft) -> Reread | None:
    """What the encoder makes of the message: asked where it says a value, or says that it corrects."""
    return draft.reread if draft.find(_may_change) else draft.reread_already


def _may_change(draft: Draft) -> bool:
    words = tokens(draft.reading.text[:LONG], draft.reading.language)
    return draft.reading.has("correction") or any(_typed(draft, word, False) for word in words if word.shape != ".")


def _put_right(draft: Draft) -> Iterator[Event]:
    """A change that the encoder hears where nothing known holds the old value: it is told, and nothing is written."""
    told = _reread(draft)
    if told is not None and told.changed >= HEARD and told.new:
        words = draft.reading.words
        old = words((told.old[0].start, told.old[0].end)) if told.old else ""
        for value in told.new:
            span = (value.start, value.end)
            yield CorrectionHeard(new=words(span), old=old, because=draft.cause("encoder.change", span))


def agree(draft: Draft, views: Mapping[str, str]) -> Iterator[Event]:
    """Slots and facts of one attribute say the same after every message: `views` names the slot that shows each. What
    was said of an attribute in so many words goes before what a slot took from the same message, an answered question
    that identifies the person is a fact, and what is no longer known is no longer shown."""
    slots = draft.state.session.slices.get("slots")
    if slots is None or not views:
        return
    reader, now = draft.reading.reader, draft.moment.version
    known = {m.slot: m for _, m in reversed([*live(draft.state)]) if m.slot in views and m.positive}
    for attribute, name in views.items():
        fact, held = known.get(attribute), slots.values.get(name)
        if held is None:
            continue
        if fact is not None and fact.version == held.version == now and not same(reader, fact.value, held.value):
            cause = draft.cause(fact.rule, (fact.start, fact.end))
            yield SlotSet(slot=name, value=fact.value, old=held.value, source=draft.source, because=cause)
        elif held.version == now and held.rule.startswith("answer.") and slot_kind(reader, attribute).identity:
            if fact is None or not same(reader, fact.value, held.value):
                yield from _answered(draft, attribute, held.value)
        elif fact is None and any(_ended(event, attribute, held.value) for event in draft.events):
            yield Cleared(what=name, because=draft.cause("talk.retracts"))


def _answered(draft: Draft, attribute: str, value: str) -> Iterator[Event]:
    at = draft.reading.text.find(value)
    span = (at, at + len(value)) if at >= 0 else (0, len(draft.reading.text))
    said = Statement(attribute, value, span, "talk.answers", span, marks=frozenset({"corrects"}))
    yield from write(draft, said, slot_kind(draft.reading.reader, attribute))


def _ended(event: Event, attribute: str, value: str) -> bool:
    return isinstance(event, ItemRetracted) and event.label == Said("slot.is", {"slot": attribute, "value": value})


def _read_already(draft: Draft) -> tuple[str, str] | None:
    """The old and the new value of a change that a faculty before this one read in the same message."""
    for event in draft.events:
        match event:
            case SlotSet(old=str(old), value=value) if old and old != value and event.because:
                return old, value
            case AnswerCorrected(old=old, answer=value):
                return old, value
            case ItemLearned(item=item) if item.replaces:
                closed = (m for m in draft.state.stream(event.scope).slices["memory"].closed)  # type: ignore[union-attr]
                return next(((m.value, item.value) for m in closed if m.id in item.replaces), None)
    return None


def _holders(draft: Draft) -> list[Holder]:
    """Everything that holds a value now, the newest first."""
    slices, found = draft.state.session.slices, []
    if "slots" in slices:
        found += [Holder(v.value, v.version, True, slot=name) for name, v in slices["slots"].values.items()]
    if "answers" in slices:
        found += [Holder(a.answer, a.version, True, question=a.question) for a in slices["answers"].kept]
    for scope, memo in live(draft.state):
        if memo.positive:
            found.append(Holder(memo.value, memo.version, memo.session == draft.origin, memo=memo, scope=scope))
    return sorted(found, key=lambda holder: (not holder.here, -holder.version))


def _found(draft: Draft) -> tuple[Holder, Candidate] | None:
    """What the message changes, and the new value."""
    holders = [holder for holder in _holders(draft) if holder.version != draft.moment.version]
    if not holders or any(isinstance(event, AnswerKept) for event in draft.events):
        return None  # what answers a question of its own changes no other answer
    reading = draft.reading
    words = [token for token in tokens(reading.text, reading.language) if token.shape != "."]
    clauses = [
        clause for clause in draft.clauses if not reading.find(standing).of((clause.start, clause.end)) & _NOT_SAID
    ]
    cued = [cue.span for cue in reading.all("correction")]
    told = _reread(draft)
    if told is not None and told.changed >= HEARD:
        cued += [(value.start, value.end) for value in told.new]
    says_so = [c for c in clauses if c.act in CHANGING or any(a < c.end and c.start < b for a, b in cued)]
    short = len(words) <= SHORT and all(clause.act in _GIVING for clause in clauses)
    if not says_so and not short:
        return None
    for clause in says_so or clauses:
        draft.decided("talk.changes", clause.decided, (clause.start, clause.end))
    candidates = [one for clause in (says_so or clauses) for one in _candidates(draft, clause, words)]
    sure = any(clause.act in CHANGING for clause in says_so)
    for holder in holders:
        new = _fits(draft, holder, candidates, sure, bool(says_so))
        if new is not None and (says_so or _near(draft, holder)):
            return holder, new
    return None


def _near(draft: Draft, holder: Holder) -> bool:
    """Whether a bare value may change it: an answer of a moment ago, and nothing else is asked by now."""
    asked = draft.before.session.slices.get("questions")
    waiting = asked is not None and any(q.turn == draft.before.conversation.turns for q in asked.open)
    return bool(holder.question) and draft.ago(holder.version) <= NEAR and not waiting


def _candidates(draft: Draft, clause: Clause, words: list[Token]) -> list[Candidate]:
    """The values that a clause may give: those that the model found, and runs of words that have a type."""
    reading = draft.reading
    spans = [(value.start, value.end) for value in clause.values]
    if (told := _reread(draft)) is not None and told.changed >= HEARD:
        spans += [(one.start, one.end) for one in told.new if clause.start <= one.start < clause.end]
    inside = [token for token in words if clause.start <= token.start < clause.end]
    run: list[Token] = []
    small = reading.reader.phrases("small", "words")
    for token in (*inside, None):
        typed = token is not None and token.word not in small and _typed(draft, token, token is inside[0])
        if typed and token is not None:
            run.append(token)
        elif run:
            spans.append((run[0].start, run[-1].end))
            run = []
    found = []
    for span in dict.fromkeys(spans):
        text = reading.words(span).strip(" .,;:!?\"'")
        found.append(Candidate(text, span, value_types(reading.reader, text)))
    return found


def _typed(draft: Draft, token: Token, opens: bool) -> bool:
    """Whether a word is a value by itself; a capital at the beginning of a clause makes none."""
    types = value_types(draft.reading.reader, draft.reading.words((token.start, token.end)))
    return bool(types - {"name"} if opens else types)


def _types(reader: Reader, holder: Holder) -> frozenset[str]:
    """The types of what is held; of something kept in its own words, also those of the words."""
    types = value_types(reader, holder.value)
    if holder.memo is None or holder.memo.slot != "note":
        return types
    words = tokens(holder.value)
    return types.union(*(value_types(reader, holder.value[word.start : word.end]) for word in words)) - {"name"}


def _fits(draft: Draft, holder: Holder, candidates: list[Candidate], sure: bool, says_so: bool) -> Candidate | None:
    """The candidate that can take the place of a value, the last one first: it stands nearest to what is meant. Unless
    the clause surely corrects or names the old value, a name takes no name's place: "actually, Paris is lovely"."""
    reader = draft.reading.reader
    named = f" {fold(holder.value)} " in f" {fold(draft.reading.text)} ".translate(_SIGNS)
    types = _types(reader, holder) - (frozenset() if sure or named else {"name", "place"})
    for new in reversed(candidates):
        if same(reader, new.words, holder.value) or not new.words:
            continue
        if types & new.types or (sure and named and not types and not new.types):
            return new
        if says_so and _misspelt(new.words, holder.value):
            return new
    return None


_SIGNS = str.maketrans(dict.fromkeys(".,;:!?¿¡\"()'", " "))


def _misspelt(one: str, other: str) -> bool:
    """Whether two single words are one word spelt in two ways: "Jon" and "John"."""
    a, b = fold(one), fold(other)
    if " " in a or " " in b or a == b or a[:1] != b[:1]:
        return False
    return a.startswith(b) or b.startswith(a) or Levenshtein.distance(a, b) <= _TYPO * max(len(a), len(b))


def _put(draft: Draft, holder: Holder, new: Candidate) -> Iterator[Event]:
    """The new value in the place of the old one."""
    cause = draft.cause("talk.changes", new.span)
    if holder.slot:
        yield SlotSet(slot=holder.slot, value=new.words, old=holder.value, source=draft.source, because=cause)
    elif holder.question:
        yield AnswerCorrected(question=holder.question, answer=new.words, old=holder.value, because=cause)
    elif holder.memo is not None:
        yield from _rewrite(draft, holder.memo, new)


def _rewrite(draft: Draft, memo: Memo, new: Candidate) -> Iterator[Event]:
    span = new.span if new.span[1] > new.span[0] else (0, len(draft.reading.text))
    if memo.kind == "decision":
        text = memo.text.replace(memo.value, new.words) if memo.value in memo.text else new.words
        made = change(
            memo,
            id=new_id(draft, "decision"),
            value=new.words,
            text=text,
            relation="NEW",
            replaces=(),
            rests_on=(),
            review="",
            details={},
            recorded=draft.moment.at,
            valid_from=draft.moment.at,
            by=draft.source,
            session=draft.origin,
            version=draft.moment.version,
            start=span[0],
            end=span[1],
            words=draft.reading.words(span)[:300],
            rule="talk.changes",
        )
        yield from decide(draft, made, memo.slot, made.rule)
        return
    said = Statement(
        memo.slot,
        new.words,
        new.span,
        "talk.changes",
        span,
        old=memo.value,
        marks=frozenset({"corrects"}),
        verb="correct",
    )
    yield from write(draft, said, slot_kind(draft.reading.reader, memo.slot))
