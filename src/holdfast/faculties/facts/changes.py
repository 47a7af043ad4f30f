"""What a message puts in the place of something said before, however it is worded.

A correction mostly says a new value and little else: "no, actually MySQL", "Saturday instead", "oops typo, John". What
it changes is whatever holds a value of that type: a slot, an answer, a fact or a decision, the newest first. Values
without a type change nothing unless the old one is named, so small talk never overwrites what is known. Everything that
held the old value changes with it: there is one truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from holdfast.events import DoubtRaised, Event, Reread
from holdfast.faculties.facts.answers import put_right
from holdfast.faculties.facts.claims import denied, known_before
from holdfast.faculties.facts.lookup import Place, types_of, with_types, with_value, with_words
from holdfast.faculties.facts.memos import CorrectionHeard, ItemLearned, change
from holdfast.faculties.facts.relations import Memo, same
from holdfast.faculties.facts.writing import decide, new_id
from holdfast.faculty import Draft
from holdfast.reading.kinds import value_types
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Span
from holdfast.reading.standing import LONG, standing
from holdfast.reading.text import fold

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
        memo, new = found
        yield from _rewrite(draft, memo, new)
        read = memo.value, new.words
    old, now = read
    if not same(draft.reading.reader, now, old):
        for memo in _holders(draft, with_value(draft.state, draft.reading.reader, old)):
            yield from _rewrite(draft, memo, Candidate(now, (0, 0), frozenset()))


def _reread(draft: Draft) -> Reread | None:
    """What the encoder makes of the message: asked where it says a value, or says that it corrects."""
    return draft.reread if draft.find(_may_change) else draft.reread_already


def _may_change(draft: Draft) -> bool:
    words = [token for token in draft.reading.find(tokens_of) if token.start < LONG]
    return draft.reading.has("correction") or any(_typed(draft, word, True) for word in words if word.shape != ".")


def _put_right(draft: Draft) -> Iterator[Event]:
    """A change that the encoder hears where nothing known holds the old value: it is told, and nothing is written."""
    told = _reread(draft)
    if told is not None and told.changed >= HEARD and told.new:
        words = draft.reading.words
        old = words((told.old[0].start, told.old[0].end)) if told.old else ""
        for value in told.new:
            span = (value.start, value.end)
            yield CorrectionHeard(new=words(span), old=old, because=draft.cause("encoder.change", span))


def _read_already(draft: Draft) -> tuple[str, str] | None:
    """The old and the new value of a change that was read before in the same message."""
    for event in draft.events:
        if isinstance(event, ItemLearned) and event.item.replaces:
            closed = draft.state.stream(event.scope).slices["memory"].closed  # type: ignore[union-attr]
            return next(((m.value, event.item.value) for m in closed if m.id in event.item.replaces), None)
    return None


def _holders(draft: Draft, found: Iterable[Place]) -> list[Memo]:
    """Of some items those that hold a value: what was said in this conversation first, and the newest first."""
    held = (memo for _, memo in found if memo.positive)
    return sorted(held, key=lambda memo: (not _here(draft, memo), -memo.version))


def _may_hold(draft: Draft, candidates: Sequence[Candidate]) -> list[Memo]:
    """What may hold the value that a new one takes the place of: of its type, named beside it, or spelt much alike."""
    state, reader = draft.state, draft.reading.reader
    types = {kind for one in candidates for kind in one.types}
    letters = {fold(one.words)[:1] for one in candidates}
    found = [*with_types(state, reader, types, letters), *with_words(state, reader, draft.reading.text)]
    now = draft.moment.version
    return _holders(draft, {memo.id: (scope, memo) for scope, memo in found if memo.version != now}.values())


def _here(draft: Draft, memo: Memo) -> bool:
    return memo.session in ("", draft.origin)


def _found(draft: Draft) -> tuple[Memo, Candidate] | None:
    """What the message changes, and the new value."""
    answers = any(isinstance(event, ItemLearned) and event.item.question for event in draft.events)
    if answers or not known_before(draft):
        return None  # what answers a question of its own changes no other answer
    reading = draft.reading
    words = [token for token in reading.find(tokens_of) if token.shape != "."]
    clauses = [
        clause for clause in draft.clauses if not reading.find(standing).of((clause.start, clause.end)) & _NOT_SAID
    ]
    for _, _, memo in denied(draft):  # "not cats, dogs": what is denied gives way to what is said beside it
        beside = [one for clause in clauses for one in _candidates(draft, clause, words)]
        new = _fits(draft, memo, beside, True, True)
        if new is None and not value_types(reading.reader, memo.value):
            new = next((one for one in beside if not same(reading.reader, one.words, memo.value)), None)
        if new is not None:
            return memo, new
    cued = [cue.span for cue in reading.all("correction")]
    told = _reread(draft)
    if told is not None and told.changed >= HEARD:
        cued += [(value.start, value.end) for value in told.new]
    says_so = [
        clause
        for clause in clauses
        if clause.act in CHANGING
        or "backphrase" in clause.kinds
        or any(a < clause.end and clause.start < b for a, b in cued)
    ]
    short = len(words) <= SHORT and all(clause.act in _GIVING for clause in clauses)
    if not says_so and not short:
        return None
    for clause in says_so or clauses:
        draft.decided("talk.changes", clause.decided, (clause.start, clause.end))
    candidates = [one for clause in (says_so or clauses) for one in _candidates(draft, clause, words)]
    sure = any(clause.act in CHANGING or "backphrase" in clause.kinds for clause in says_so)
    for memo in _may_hold(draft, candidates):
        new = _fits(draft, memo, candidates, sure, bool(says_so))
        if new is not None and (says_so or _near(draft, memo)):
            return memo, new
    return None


def _near(draft: Draft, memo: Memo) -> bool:
    """Whether a bare value may change it: an answer of a moment ago, and nothing else is asked by now."""
    asked = draft.before.session.slices.get("questions")
    waiting = asked is not None and any(q.turn == draft.before.conversation.turns for q in asked.open)
    return bool(memo.question) and _here(draft, memo) and draft.ago(memo.version) <= NEAR and not waiting


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


def _fits(draft: Draft, held: Memo, candidates: list[Candidate], sure: bool, says_so: bool) -> Candidate | None:
    """The candidate that can take the place of a value, the last one first: it stands nearest to what is meant. Unless
    the clause surely corrects or names the old value, a name takes no name's place: "actually, Paris is lovely"."""
    reader = draft.reading.reader
    named = f" {fold(held.value)} " in f" {fold(draft.reading.text)} ".translate(_SIGNS)
    types = types_of(reader, held.slot, held.value) - (frozenset() if sure or named else {"name", "place"})
    for new in reversed(candidates):
        if same(reader, new.words, held.value) or not new.words:
            continue
        if types & new.types or (sure and named and not types and not new.types):
            return new
        if says_so and _misspelt(new.words, held.value):
            return new
    return None


_SIGNS = str.maketrans(dict.fromkeys(".,;:!?¿¡\"()'", " "))


def _misspelt(one: str, other: str) -> bool:
    """Whether two single words are one word spelt in two ways: "Jon" and "John"."""
    a, b = fold(one), fold(other)
    if " " in a or " " in b or a == b or a[:1] != b[:1]:
        return False
    return a.startswith(b) or b.startswith(a) or Levenshtein.distance(a, b) <= _TYPO * max(len(a), len(b))


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
        yield from decide(draft, made, memo.slot)
        return
    yield from put_right(draft, memo, new.words, "talk.changes", new.span)
