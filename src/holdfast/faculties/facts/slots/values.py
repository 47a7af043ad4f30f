"""What a slot is, what it holds, and what happens to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from holdfast.events import Scope
from holdfast.faculties.facts.memos import Offer, Value
from holdfast.faculties.questions.pending import Answer
from holdfast.faculty import Draft
from holdfast.reading.reader import Reading, Span
from holdfast.state import State

PAST = 3
"""Earlier values of a slot that are at hand; older ones are in the log."""
MAX_VALUE_CHARS = 200
"""Characters of a value."""


class Found(NamedTuple):
    """A value read from a message."""

    value: str
    span: Span
    rule: str
    canonical: str = ""
    """The value as the world writes it, where that is known."""
    own: str = ""
    """The value in the form that stands alone, where the words have another ("москве": "москва")."""
    firm: bool = False
    """Whether it is known to be meant: "nothing too formal" denies nothing."""


class Cued(msgspec.Struct, frozen=True):
    """A reader: the values that the patterns of a family capture as `value`."""

    family: str

    def __call__(self, reading: Reading) -> Iterable[Found]:
        return [
            Found(reading.words(cue.groups["value"]), cue.groups["value"], cue.id)
            for cue in reading.all(self.family)
            if "value" in cue.groups
        ]


class Slot(NamedTuple):
    """A declared slot: what it is called, how it is read, and how it is asked for."""

    name: str
    label: str = ""
    """Its key in the context line; without one, its name."""
    read: Callable[[Reading], Iterable[Found]] | None = None
    """Finds its values in a person's message; the last one that stands counts."""
    examples: tuple[str, ...] = ()
    """Sentences that show its values, each marked by brackets: "I need [2 boxes] of ibuprofen"."""
    questions: tuple[str, ...] = ()
    """Ways in which an agent asks for it: "How many boxes do you need?". A reply is then its value."""
    describe: str = ""
    """What it is, in plain words ("how many stars the hotel should have"): the encoder of `holdfast[reader]` finds its
    values by that where nothing else finds any."""
    asked: str = ""
    """The asking word that an agent uses for it (a key of the family "asks"): a bare reply is then its value."""
    answers: tuple[str, ...] = ()
    """Further asking words whose bare reply may be its value, though they do not ask for it alone."""
    lower: bool = False
    """Whether values are kept in lower case."""
    many: bool = False
    """Whether it holds several values at once."""
    doubt: bool = False
    """Whether two values in one message leave a doubt."""
    survives: bool = True
    """Whether the value lives on when another topic begins."""
    topic: Callable[[str], str] | None = None
    """For the slot that says what the talk is about: the topic that a value belongs to."""
    told: str = "{}"
    """How the value is told in the context line."""
    answer: Callable[[Reading, Answer], Found | None] | None = None
    """Reads a bare reply to its question; None takes the reply as it is."""
    meets: Callable[[Reading, State], Iterable[Found]] | None = None
    """Finds values that are known from elsewhere in the state, such as venues that were mentioned."""
    hears: Callable[[Draft, list[Found]], list[Found]] | None = None
    """Chooses among the values that were read, and adds others, by the whole message and the talk before it."""
    drops: Callable[[Draft], list[Span]] | None = None
    """Where a message says that what is held is not wanted any longer."""
    gives_way: Callable[[Draft, Found], bool] = lambda draft, found: True
    """Whether the value that is held gives way to one that a message names; always, if nothing else is said."""
    named: bool = False
    """Whether its values are names: they are read as they stand, also where they are known, and their words are no
    value of another slot ("I'm Austin" names no city)."""
    joins: Callable[[Reading, str, str], str] | None = None
    """Makes one value of a new one and the one that is held ("at nine" and "tomorrow at eight")."""
    claim: bool = False
    """Whether it is something that the person claims: what is asked or supposed then is no value. What is looked for is
    no claim: "any cafés in Boston?" names where."""
    remembered: str = ""
    """The key under which a memory keeps the same across conversations: what is changed there changes here."""
    scope: Scope = "session"
    """Whose it is: with "user", what one conversation told is known in the next ones of the same person."""
    keep: int = 80
    """How long it stays in a short context line."""
    wakes: tuple[str, ...] = ()
    """Families of patterns of which one must have fired for `read` to be asked; none: it is asked of every message."""

    @property
    def key(self) -> str:
        """What stands before its value in the context line."""
        return self.label or self.name.replace("_", " ").capitalize()


class Slots(msgspec.Struct, frozen=True, omit_defaults=True):
    values: dict[str, Value] = {}
    past: dict[str, tuple[Value, ...]] = {}
    """Earlier values, newest last."""
    topic: str = ""
    aside: dict[str, dict[str, Value]] = {}
    """Values of other topics, by topic, the one left last at the end."""
    offers: dict[str, Offer] = {}
    facts: dict[str, str] = {}
    """Slots that show what is known of the person, and the attribute that each shows."""

    def get(self, name: str) -> str | None:
        held = self.values.get(name)
        return held.value if held else None

    def canonical(self, name: str) -> str | None:
        """The value as the world writes it, or as it was given."""
        held = self.values.get(name)
        return (held.canonical or held.value) if held else None


def kept_value(slot: Slot, found: Found) -> str:
    return (found.value.lower() if slot.lower else found.value)[:MAX_VALUE_CHARS]
