"""What the learned reading tells of a person: clauses that state something lasting, as statements for the memory.

A value whose attribute is sure fills that attribute. Where no attribute is sure, nothing is dropped: the clause is kept
in its own words, under the noun it is about, and is found again by those words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.events import Event
from holdfast.faculties.facts.memos import ItemRetracted, live
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.taking_back import RECENT, last_written
from holdfast.faculties.facts.writing import WITHDRAWN, mark_resting
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.model.clauses import Clause, Value
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import LONG, standing
from holdfast.reading.terms import term_in
from holdfast.reading.tiers import LINEAR

KEEP = -6
"""How much must speak for keeping a clause (16 is one unit of the trained score): chosen on the dev writers, so that
nine in ten messages that teach nothing leave no fact."""
KEEP_JUDGED = -28
"""The same where the encoder had a say: it is sparing, since few clauses of the writers tell something lasting."""
SURE = 16
"""Lead from which the attribute of a value is taken as known."""
_TELLS_NOTHING = frozenset({"asks", "retracts", "quotes", "supposes", "reports", "thanks", "greets"})
"""Acts after which nothing is kept, however much its words speak for it."""
_NOT_SAID = frozenset({"quoted", "withdrawn", "question", "hypothetical"})
_MARKS = {"corrects": frozenset({"corrects", "meant"}), "returns": frozenset({"now"})}
_SAYS_HOW = frozenset(
    "correction forgetphrase stopphrase laterphrase reaction hedge negation now always pointer yes no thanks greeting "
    "farewell".split()
)
"""Kinds of words that tell nothing by themselves."""
TAKES_BACK = 8
"""Lead from which a clause is believed to take something back: a wrong removal costs more than a missed one."""


def claims(draft: Draft, taken: Sequence[Span]) -> Iterator[Statement]:
    """Lasting claims of a message in clauses where nothing else was read: `taken` are the places that were."""
    reading = draft.reading
    if len(reading.text) > LONG:
        return  # a pasted document states nothing about the person
    for clause in _clear(draft, taken):
        if clause.act not in _TELLS_NOTHING and clause.keep >= (KEEP if clause.tier == LINEAR else KEEP_JUDGED):
            draft.decided(f"talk.{clause.act}", clause.decided, (clause.start, clause.end))
            yield from _said(draft, clause)


def let_go(draft: Draft, taken: Sequence[Span]) -> Iterator[Event]:
    """What clauses that take something back end: the fact whose words they name, else the newest of the attribute that
    they are about, else, where they only point, what was written last."""
    for clause in _clear(draft, taken):
        if clause.act != "retracts" or clause.lead < TAKES_BACK:
            continue
        named = _named(draft, clause)
        for scope, memo in list(live(draft.state)):
            if memo in named:
                draft.decided("talk.retracts", clause.decided, (clause.start, clause.end))
                cause = draft.cause("talk.retracts", (clause.start, clause.end))
                yield ItemRetracted(id=memo.id, label=memo.told, why="taken back", scope=scope, because=cause)
                yield from mark_resting(draft, memo, WITHDRAWN)


def _clear(draft: Draft, taken: Sequence[Span]) -> Iterator[Clause]:
    """The clauses that the person says as they are: not quoted, asked or supposed, and not read already."""
    flags = draft.reading.find(standing)
    for clause in draft.clauses:
        span = (clause.start, clause.end)
        if not any(_overlap(span, one) for one in taken) and not flags.of(span) & _NOT_SAID:
            yield clause


def _named(draft: Draft, clause: Clause) -> list[Memo]:
    """The facts that a clause speaks of."""
    held = [memo for _, memo in live(draft.state) if memo.version != draft.moment.version]
    said = _content(draft.reading, draft.reading.words((clause.start, clause.end)))
    by_words = [memo for memo in held if said & _content(draft.reading, memo.value)]
    if by_words:
        best = max(len(said & _content(draft.reading, memo.value)) for memo in by_words)
        return [memo for memo in by_words if len(said & _content(draft.reading, memo.value)) == best][:1]
    if "everything" in clause.kinds:
        return held
    slot = str(draft.reading.reader.data("memory_attributes", None).get(clause.about, "")).removesuffix("/*")
    about = {slot} | {kind.removeprefix("attr/") for kind in clause.kinds if kind.startswith("attr/")}
    by_slot = [memo for memo in held if memo.slot.partition("/")[0] in about]
    if by_slot:
        return by_slot[:1]
    last = last_written(draft.state)
    return [last] if last is not None and not said and draft.moment.version - last.version <= RECENT else []


def _content(reading: Reading, text: str) -> set[str]:
    """The words of a text that carry meaning, cut so that inflected forms meet."""
    small = reading.reader.phrases("small", "words")
    return {
        token.word[:6]
        for token in tokens(text)
        if token.shape != "." and token.word not in small and len(token.word) > 2
    }


def _said(draft: Draft, clause: Clause) -> Iterator[Statement]:
    reading = draft.reading
    slots = reading.reader.data("memory_attributes", None)
    sure = [value for value in clause.values if value.lead >= SURE and value.attribute in slots]
    for value in sure:
        slot = _slot(reading, value, str(slots[value.attribute]))
        yield _statement(reading, clause, slot, value)._replace(old=_replaced(draft, clause, slot, value))
    if not sure and _says_something(reading, clause):
        yield _own_words(reading, clause)


def _says_something(reading: Reading, clause: Clause) -> bool:
    """Whether a clause has words of its own beside those that only say how it is meant: "actually, never mind"."""
    found = tokens(reading.words((clause.start, clause.end)), reading.language)
    small = reading.reader.phrases("small", "words")
    own = (t for t in found if t.shape != "." and t.word not in small and not _SAYS_HOW.issuperset(t.kinds or ("own",)))
    return next(own, None) is not None


def _replaced(draft: Draft, clause: Clause, slot: str, value: Value) -> str:
    """The known value of the slot that a correction names beside the new one: "not leeds, york"."""
    if clause.act != "corrects":
        return ""
    reading = draft.reading
    beside = reading.words((clause.start, value.start)) + " " + reading.words((value.end, clause.end))
    said = _content(reading, beside)
    held = (memo.value for _, memo in live(draft.state) if memo.slot == slot and memo.positive)
    return next((old for old in held if (words := _content(reading, old)) and words <= said), "")


def _slot(reading: Reading, value: Value, slot: str) -> str:
    """The key of a value; a known tool says itself which kind it is."""
    term = term_in(reading, (value.start, value.end)) if slot.endswith("/*") else None
    return term.slot if term is not None else slot.removesuffix("/*")


def _statement(reading: Reading, clause: Clause, slot: str, value: Value) -> Statement:
    span = (value.start, value.end)
    return Statement(
        slot,
        reading.words(span).strip(" .,;:!?"),
        span,
        f"talk.{clause.act}",
        (clause.start, clause.end),
        "states" if value.positive else "rejects",
        marks=_MARKS.get(clause.act, frozenset()),
    )


def _own_words(reading: Reading, clause: Clause) -> Statement:
    span = (clause.start, clause.end)
    words = " ".join(reading.words(span).split()).strip(" .,;:!?")
    return Statement("note", words, span, f"talk.{clause.act}", span, marks=_MARKS.get(clause.act, frozenset()))


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]
