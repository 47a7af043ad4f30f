"""How a new statement stands to what is known: the seven relations, and nothing else.

NEW, CONFIRMS, REFINES, CHANGES (was true until now), CORRECTS (was never true), RETRACTS and CONFLICT (both kept open).
Pure: a remembered item, a slot's declaration and a statement go in, a relation comes out.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from holdfast.accepting import called, shown
from holdfast.events import Source
from holdfast.kept import kept
from holdfast.reading.asserting import Statement
from holdfast.reading.kinds import KEPT_VALUES
from holdfast.reading.reader import Reader
from holdfast.reading.shapes import Shape
from holdfast.reading.terms import known_terms
from holdfast.reading.text import fold
from holdfast.telling import Telling, said

Relation = Literal["NEW", "CONFIRMS", "REFINES", "CHANGES", "CORRECTS", "RETRACTS", "CONFLICT"]
Kind = Literal["fact", "preference", "decision", "context"]
Lifespan = Literal["session", "project", "permanent"]

PREFIX: dict[str, str] = {"fact": "fact", "preference": "pref", "decision": "dec", "context": "ctx"}
RANK = {"session": 0, "project": 1, "permanent": 2}
SURE = 0.6
"""Confidence from which a hedged statement does not replace a value."""
UNSTABLE = 3
WEEK = 7 * 86400.0
HOUR = 3600.0
_DECAY = {"preference": 0.01, "fact": 0.005, "context": 0.005}
FLOOR = 0.1
CONFIDENT, IN_DOUBT = 0.8, 0.5
"""Confidence of answers. One that may be only a remark stays below what the agent is told."""
ARTICLE = Shape(r"^%memory.articles% ")


class Memo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something remembered: a fact, a preference, a decision or a piece of the project's context."""

    id: str
    kind: Kind
    slot: str
    """What it is about: "role", "tooling/editor"; for a decision its subject."""
    value: str
    category: str
    confidence: float
    lifespan: Lifespan
    recorded: float
    relation: Relation = "NEW"
    text: str = ""
    positive: bool = True
    many: bool = False
    by: Source = "person"
    session: str = ""
    version: int = 0
    start: int = 0
    end: int = 0
    words: str = ""
    rule: str = ""
    valid_from: float | None = None
    valid_to: float | None = None
    void: bool = False
    """It was never true: a correction took it back."""
    reinforced: float | None = None
    decayed: float | None = None
    """From when its confidence decays; its birth when not set."""
    superseded_by: str = ""
    superseded_at: float | None = None
    retracted_at: float | None = None
    why: str = ""
    """Why it was closed."""
    review: Telling = ""
    """Why it must be looked at again: something that it rests on is no longer so."""
    rests_on: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    details: dict[str, Any] = {}
    question: str = ""
    """The agent's question that it answers."""
    aside: str = ""
    """The topic that it waits for, while the talk is about another."""
    until: int = 0
    """The version that closed it, for what a slot shows."""
    forgotten: bool = False

    def __repr__(self) -> str:
        """The item as people look for it, not all its thirty fields: `msgspec.to_builtins` has those."""
        about = {"confidence": round(self.confidence, 2), "lifespan": self.lifespan, "session": self.session}
        closed = {"superseded_by": self.superseded_by, "why": self.why, "forgotten": self.forgotten}
        return called(type(self).__name__, repr(self.id), shown(self.entry), kind=self.kind, **about, **closed)

    @property
    def current(self) -> bool:
        return not (self.superseded_by or self.retracted_at is not None or self.forgotten)

    @property
    def label(self) -> str:
        """The item in a few words."""
        if self.kind == "decision" or (self.text and self.positive):
            return self.text or self.value
        return self.entry

    @property
    def told(self) -> Telling:
        """The same for a receipt, in any language."""
        if self.question and self.text.startswith(self.question):
            return said("answer.kept", question=self.question, answer=self.value)
        if self.label != self.entry or self.slot.startswith("other/"):
            return self.label
        value, known = self.value, str(self.details.get("canonical", ""))
        told = said("value.known", value=value, known=known) if known and fold(known) != fold(value) else value
        return said("slot.is" if self.positive else "slot.not", slot=self.slot, value=told)

    @property
    def entry(self) -> str:
        """Its slot and value; where no slot is declared for it, the value says all."""
        value = self.value if self.positive else f"not {self.value}"
        return value if self.slot.startswith("other/") else f"{self.slot}: {value}"


class SlotKind(NamedTuple):
    """A slot as declared: what kind of item fills it, how many values it holds, how long they live."""

    kind: Kind
    category: str
    many: bool
    lifespan: Lifespan
    confidence: float
    identity: bool
    essential: bool
    """Whether it matters whatever is talked about."""
    vital: bool
    """Whether forgetting it could do harm: it is told with every message."""


@kept(4096)
def slot_kind(reader: Reader, slot: str) -> SlotKind:
    """The declaration of a slot; of its group ("tooling/*") or of its head ("favourite/film") where it has none."""
    table = reader.data("memory_slots", None)
    head = slot.partition("/")[0]
    row = str(table.get(slot) or table.get(f"{head}/*") or table.get(head) or table["other"]).split()
    kind, category, many, lifespan, confidence = row[:5]
    marks = [mark in row for mark in ("identity", "essential", "vital")]
    return SlotKind(kind, category, many == "many", lifespan, float(confidence), *marks)  # type: ignore[arg-type]


def same(reader: Reader, a: str, b: str) -> bool:
    """Whether two values are the same: spelling, case and known other names apart."""
    return canonical(reader, a) == canonical(reader, b)


@kept(KEPT_VALUES)
def canonical(reader: Reader, value: str) -> str:
    folded = " ".join(fold(value).split()).strip(" .!")
    known = known_terms(reader).get(folded)
    return fold(known[1]) if known else reader.made(ARTICLE).sub("", folded)


def rivals(reader: Reader, slot: str, value: str) -> tuple[str, ...]:
    """How those values begin that cannot hold beside one in a slot that holds several: nobody is vegan and
    vegetarian."""
    kinds = tuple(reader.phrases("memory_rivals", slot))
    return kinds if kinds and fold(value).startswith(kinds) else ()


def refines(reader: Reader, old: str, new: str) -> bool:
    """Whether the new value keeps the old one and adds to it: "PostgreSQL", then "PostgreSQL 16"."""
    a, b = canonical(reader, old).split(), fold(new).split()
    b = canonical(reader, b[0]).split() + b[1:] if b else b
    return len(b) > len(a) and (b[: len(a)] == a)


def relation(reader: Reader, said: Statement, held: Memo, kind: SlotKind, unstable: bool) -> Relation:
    """How a statement stands to the value that its one-valued slot holds."""
    changes = bool(said.marks & {"now", "lets"}) or said.verb == "switch"
    corrects = bool(said.marks & {"actually", "meant", "corrects"})
    unsure = {"either", "doubted", "hedged"} if held.confidence >= SURE else {"either", "doubted"}
    unexpected = unstable and not (changes or corrects or said.old)
    rules: tuple[tuple[bool, Relation], ...] = (
        (same(reader, said.value, held.value), "CONFIRMS"),
        (unexpected or not unsure.isdisjoint(said.marks), "CONFLICT"),
        (refines(reader, held.value, said.value), "REFINES"),
        (changes, "CHANGES"),
        (corrects or kind.identity, "CORRECTS"),
    )
    return next((related for holds, related in rules if holds), "CHANGES")


def confidence(said: Statement, kind: SlotKind, related: Relation) -> float:
    """How sure a new item is: as declared, more for a correction, less for a hedge or an unknown kind of thing."""
    if "hedged" in said.marks or "either" in said.marks:
        return round(max(0.3, kind.confidence - 0.3), 2)
    if said.verb == "correct" and said.marks & {"actually", "meant", "now"}:
        return 0.9
    base = 0.5 if said.slot.startswith("other/") else kind.confidence
    return raised(base) if related in ("REFINES", "CHANGES", "CORRECTS") else base


def raised(value: float) -> float:
    return min(1.0, round(value + 0.1, 4))


def effective(memo: Memo, now: float) -> float:
    """Confidence now. It falls with the hours since the last decay moment, however often it is asked."""
    if memo.lifespan == "permanent" or memo.category == "personal" or memo.kind == "decision" or not memo.current:
        return memo.confidence
    rate = 0.05 if memo.category == "context" and memo.kind == "fact" else _DECAY.get(memo.kind, 0.0)
    since = memo.decayed if memo.decayed is not None else memo.recorded
    hours = max(0.0, now - since) / HOUR
    return max(min(FLOOR, memo.confidence), round(memo.confidence - rate * hours, 6))


def expired(memo: Memo, now: float) -> bool:
    """Only what was said for one session ends by itself."""
    return memo.lifespan == "session" and memo.kind != "decision" and effective(memo, now) < 0.2
