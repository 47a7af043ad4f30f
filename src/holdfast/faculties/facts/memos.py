"""What is known: the events of the facts, and the one slice that holds them. `fold.py` leads from the one to the other.

A superseded item leaves the slice and stays in the log with its chain, both clocks and the words it came from. The
slice holds what is current and, for undo, the few items that were closed last. Slots, answers, the profile and the
rules about libraries are views of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from holdfast.events import Cleared, Event, Scope, Source
from holdfast.faculties.facts.relations import UNSTABLE, WEEK, Kind, Lifespan, Memo
from holdfast.state import State, Stream
from holdfast.telling import Telling, said

MAX_CURRENT = 400
"""Current items of one scope that stay in the state; older ones that nothing can replace are found in the log."""
CLOSED = 24
"""Items closed last that stay at hand for undo."""
OPEN = 4
"""Conflicts that can be open at once."""
PROFILE, ALWAYS, NEVER, RATHER, WISH = "profile", "always", "never", "rather", "wish"
"""Categories of what a profile shows, of rules and tastes about libraries, and of how all that is made shall be."""
SLOT = "slot"
"""Category of what a slot holds for the talk alone, such as what is looked for."""
SHOWN_DETAILS = ("canonical", "items", "candidates", "own", "expects", "about", "options")
"""What a slot or an answer says of its value."""
SEEN = 60
STATS = 120
change = msgspec.structs.replace


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two values for a slot that holds one, both kept until somebody says which holds."""

    id: str
    slot: str
    held: str
    """Id of the older item; it stays current."""
    rival: Memo
    question: str
    turn: int = 0


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A value met in a narrower scope, counted towards promotion."""

    slot: str
    value: str
    where: str


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that an agent offered."""

    value: str
    version: int
    canonical: str = ""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a slot shows of a fact: the value, since when, and from whom."""

    value: str
    version: int
    source: Source = "person"
    rule: str = ""
    canonical: str = ""
    items: tuple[str, ...] = ()
    """The single values of a slot that holds several."""
    candidates: tuple[str, ...] = ()
    """All that may have been meant, while that is open."""
    until: int = 0
    """The version that took it away."""
    own: str = ""
    """The form in which it is shown, where the words had another case ("москве": "москва")."""
    fact: str = ""
    """The id of the fact that it shows."""

    @property
    def ambiguous(self) -> bool:
        return bool(self.candidates)


class ItemLearned(Event, frozen=True):
    """A new item, and the ids of those that it replaces."""

    item: Memo

    @property
    def did(self) -> str:  # type: ignore[override]
        return "superseded" if self.item.replaces else "learned"

    def tell(self) -> Telling:
        item = self.item
        if not item.rejected:
            return item.told
        if item.question and item.text.startswith(item.question):
            return said("answer.changed", question=item.question, answer=item.value, old=item.rejected[0])
        # "tabs over spaces" changes nothing where nothing was known
        told = "slot.changed" if item.replaces else "slot.rather"
        return said(told, slot=item.slot, value=item.value, old=item.rejected[0])


class ItemSuperseded(Event, frozen=True):
    """An item has a successor. Its validity ends, or, after a correction, was void from the beginning."""

    id: str
    by: str
    at: float
    valid_to: float | None = None
    void: bool = False
    why: str = ""


class ItemConfirmed(Event, frozen=True):
    did = "confirmed"

    id: str
    confidence: float
    label: Telling = ""
    session: str = ""

    def tell(self) -> Telling:
        return self.label


class ItemRetracted(Event, frozen=True):
    did = "retracted"

    id: str
    label: Telling = ""
    why: str = ""
    valid_to: float | None = None

    def tell(self) -> Telling:
        return said("text.because", what=self.label, reason=said("kind", kind=self.why)) if self.why else self.label


class ItemMarked(Event, frozen=True):
    """Something an item rests on is no longer so: it must be looked at again. An empty reason lifts the mark."""

    did = "marked"

    id: str
    review: Telling = ""
    label: Telling = ""

    def tell(self) -> Telling:
        if self.review:
            return said("memo.check", label=self.label, reason=self.review)
        return said("memo.valid", label=self.label)


class ItemRestored(Event, frozen=True):
    """An undo put an item back as it was."""

    did = "restored"

    item: Memo

    def tell(self) -> Telling:
        return self.item.told


class ItemUndone(Event, frozen=True):
    """A write was taken back, as if it had not been made."""

    did = "undone"

    id: str
    label: Telling = ""

    def tell(self) -> Telling:
        return self.label


class ItemPromoted(Event, frozen=True):
    """An item moved to a wider scope and keeps its id."""

    did = "promoted"

    item: Memo

    def tell(self) -> Telling:
        return said("memo.wider", label=self.item.told, lifespan=self.item.lifespan)


class ItemReleased(Event, frozen=True):
    """The item moved to a wider scope (or back), and leaves this one."""

    id: str


class ValueSeen(Event, frozen=True):
    """A value was stated in a narrower scope."""

    seen: Seen


class DisputeOpened(Event, frozen=True):
    did = "conflict"

    dispute: Dispute

    def tell(self) -> Telling:
        return said("slot.is", slot=self.dispute.slot, value=self.dispute.rival.value)


class DisputeSettled(Event, frozen=True):
    did = "settled"

    id: str
    kept: str
    slot: str = ""

    def tell(self) -> Telling:
        return said("slot.is", slot=self.slot, value=self.kept)


class CorrectionHeard(Event, frozen=True):
    """A correction of something that is not remembered as an item."""

    did = "corrected"

    new: str
    old: str = ""

    def tell(self) -> Telling:
        return said("memo.changed", old=self.old, new=self.new) if self.old else said("memo.last", new=self.new)


class ItemsCleared(Event, frozen=True):
    """Everything of one lifespan in this scope was let go."""

    did = "cleared"
    told = "memory.of"

    lifespan: Lifespan
    kinds: tuple[Kind, ...] = ("fact", "preference", "context")


class ItemForgotten(Event, frozen=True):
    """An item was erased on request; only its place in the chain is left."""

    did = "forgotten"

    id: str

    def tell(self) -> Telling:
        return self.id


class ValueSet(Event, frozen=True, kw_only=True):
    """A value in the place of an older one."""

    value: str
    old: str | None = None

    @property
    def did(self) -> str:  # type: ignore[override]
        if self.old is None:
            return "learned"
        return "confirmed" if self.old == self.value else "superseded"

    def tell_of(self, slot: str, value: Telling) -> Telling:
        if self.old is None or self.old == self.value:
            return said("slot.is", slot=slot, value=value)
        return said("slot.changed", slot=slot, value=value, old=self.old)


class SlotSet(ValueSet, frozen=True):
    slot: str
    source: Source = "person"
    canonical: str = ""
    items: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    own: str = ""

    def tell(self) -> Telling:
        if not self.canonical or self.canonical.lower() == self.value.lower():
            return self.tell_of(self.slot, self.value)
        return self.tell_of(self.slot, said("value.known", value=self.value, known=self.canonical))


class SlotOffered(Event, frozen=True):
    """An agent offers a value; a plain yes takes it."""

    slot: str
    value: str
    canonical: str = ""


class SlotRestored(Event, frozen=True):
    """A value that was cleared or replaced is back."""

    did = "restored"

    slot: str
    value: Value

    def tell(self) -> Telling:
        return said("slot.is", slot=self.slot, value=self.value.value)


class TopicChanged(Event, frozen=True):
    """The talk turned to something else: values of the old topic are set aside, those of the new one come back."""

    did = "turned"

    topic: str
    slots: tuple[str, ...]
    """The slots that belong to a topic."""

    def tell(self) -> Telling:
        return said("kind", kind=self.topic)


class AnswerKept(Event, frozen=True):
    """An answer, as it was kept before answers were facts; `AnswerCorrected` likewise."""

    did = "learned"
    told = "answer.kept"

    question: str
    answer: str
    expects: str
    about: str = ""
    options: tuple[str, ...] = ()


class AnswerCorrected(Event, frozen=True):
    did = "superseded"
    told = "answer.changed"

    question: str
    answer: str
    old: str


class ProfileSet(ValueSet, frozen=True):
    key: str
    confidence: float = 1.0
    source: str = "conversation"

    def tell(self) -> Telling:
        return self.tell_of(self.key, self.value)


class ProfileDropped(Event, frozen=True):
    did = "retracted"

    key: str

    def tell(self) -> Telling:
        return said("slot.name", slot=self.key)


class ProfileAsked(Event, frozen=True):
    """The agent asked the person about themselves."""

    key: str


class LibraryPinned(Event, frozen=True):
    did = "learned"
    told = "library.always"

    library: str
    use_case: str


class LibraryBanned(Event, frozen=True):
    did = "learned"
    told = "library.never"

    library: str


class LibraryLifted(Event, frozen=True):
    did = "retracted"
    told = "library.rule"

    library: str


class LibraryPreferred(Event, frozen=True):
    did = "learned"
    told = "library.for"

    library: str
    use_case: str


class LibraryChosen(Event, frozen=True):
    """An explicit choice, in one conversation."""

    library: str
    use_case: str
    session: str


class WishKept(Event, frozen=True):
    """How the person wants all that is made, in their words."""

    did = "learned"
    told = "wish"

    about: str
    text: str


class WishEnded(Event, frozen=True):
    did = "retracted"
    told = "wish.ended"

    about: str


class Memory(msgspec.Struct, frozen=True, omit_defaults=True):
    items: dict[str, Memo] = {}
    """What is current, oldest first."""
    closed: tuple[Memo, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    changes: dict[str, tuple[float, ...]] = {}
    """When each slot was changed or corrected, the last few times."""
    kept_old: tuple[str, ...] = ()
    """Slots whose last conflict was settled by keeping the old value."""
    seen: tuple[Seen, ...] = ()
    last: tuple[str, ...] = ()
    """Ids that the newest statement wrote: what "I meant X" corrects."""
    mark: str = ""
    """Names this log: the first item it ever held."""
    archived: int = 0
    """Current items that are no longer in the slice, only in the log."""
    topic: str = ""
    """What the talk is about: slots that belong to another topic are set aside."""
    offers: dict[str, Offer] = {}
    """Values that an agent offered for a slot."""
    asked: int = 0
    """The version in which an agent last asked the person about themselves."""

    @staticmethod
    def lifted(slices: Mapping[str, Any]) -> Mapping[str, Any]:
        """Slices of old logs, which kept slots and answers apart from the facts, as one."""
        if not {"slots", "answers", "profile", "preferences"} & set(slices):
            return slices
        slots, memory = slices.get("slots") or {}, dict(slices.get("memory") or {})
        items = {**(memory.get("items") or {}), **dict(_lifted_values(slots)), **dict(_lifted_rest(slices))}
        more = {name: slots[name] for name in ("topic", "offers") if name in slots}
        return {**slices, "memory": {**memory, **more, "items": {id: {**item, "id": id} for id, item in items.items()}}}


Lifted = tuple[str, dict[str, Any]]
"""The id and the plain fields of an item that is made from a value of an old log."""


def _lifted_values(slots: Mapping[str, Any]) -> Iterator[Lifted]:
    for topic, values in {"": slots.get("values", {}), **slots.get("aside", {})}.items():
        for name, value in values.items():
            yield f"{name}_{value['version']}{topic}", _lifted(name, SLOT, value, value["value"], aside=topic)


def _lifted_rest(slices: Mapping[str, Any]) -> Iterator[Lifted]:
    answers, profile, rules = (slices.get(name) or {} for name in ("answers", "profile", "preferences"))
    for kept in answers.get("kept", ()):
        lifted = _lifted("answer", "answer", kept, kept["answer"], question=kept["question"])
        yield f"answer_{kept['version']}", lifted
    for key, entry in profile.get("entries", {}).items():
        yield f"{key}_{entry.get('version', 0)}", _lifted(key, PROFILE, entry, entry["value"])
    bans = {library: library for library in rules.get("bans", ())}
    for category, known in ((ALWAYS, rules.get("pins", {})), (RATHER, rules.get("preferred", {})), (NEVER, bans)):
        for slot, library in known.items():
            yield f"{category}_{slot}", _lifted(slot, category, {}, library)


def _lifted(slot: str, category: str, old: Mapping[str, Any], value: str, **more: Any) -> dict[str, Any]:
    kept = (*SHOWN_DETAILS, "source") if category == PROFILE else SHOWN_DETAILS
    memo = Memo(
        id="",
        kind="fact",
        slot=slot,
        value=value,
        category=category,
        confidence=old.get("confidence", 1.0),
        lifespan="session",
        recorded=0.0,
        version=old.get("version", 0),
        rule=old.get("rule", ""),
        by="person" if category == PROFILE else old.get("source", "person"),
        details={name: old[name] for name in kept if old.get(name)},
        **more,
    )
    plain: dict[str, Any] = msgspec.to_builtins(memo)
    return plain


EVENTS: tuple[type[Event], ...] = (
    *(kind for kind in (*Event.__subclasses__(), *ValueSet.__subclasses__()) if kind.__module__ == __name__),
    Cleared,
)
"""The events of this file, and that something was cleared."""
LADDER: dict[str, tuple[Scope, ...]] = {
    "session": ("session",),
    "project": ("project", "user", "session"),
    "permanent": ("user", "project", "session"),
}


def slices(state: State) -> list[tuple[Scope, Memory]]:
    """The memory of each scope that the session has, the narrowest first."""
    streams: tuple[tuple[Scope, Stream | None], ...] = (
        ("session", state.session),
        ("project", state.project),
        ("user", state.user),
    )
    return [(scope, one.slices["memory"]) for scope, one in streams if one is not None and "memory" in one.slices]


def open_slots(state: State) -> set[str]:
    """Slots with two values of which nobody has said yet which one holds."""
    return {dispute.slot for _, memory in slices(state) for dispute in memory.disputes}


def live(state: State) -> Iterator[tuple[Scope, Memo]]:
    """Every current item, the narrowest scope first, newest first in each; without the slots of the talk."""
    for scope, memory in slices(state):
        for memo in reversed(memory.items.values()):
            if memo.category != SLOT:
                yield scope, memo


def place_for(state: State, lifespan: str) -> Scope:
    """The log that keeps a lifespan: its own where the session has it, else the next best."""
    return next(scope for scope in LADDER[lifespan] if state.stream(scope) is not None)


def unstable(state: State, slot: str, now: float) -> bool:
    """Whether a slot changes so often that an unmarked change must be asked about."""
    times = sorted(t for _, memory in slices(state) for t in memory.changes.get(slot, ()))
    recent = [t for t in times if now - t <= WEEK]
    kept = any(slot in memory.kept_old for _, memory in slices(state))
    return len(times) >= UNSTABLE or len(recent) >= 2 or kept


def find(state: State, id: str) -> tuple[Scope, Memo] | None:
    """An item by id, current or closed lately, and its scope."""
    for scope, memory in slices(state):
        memo = held_in(memory, id)
        if memo is not None:
            return scope, memo
    return None


def held_in(memory: Memory, id: str) -> Memo | None:
    return memory.items.get(id) or next((m for m in memory.closed if m.id == id), None)
