"""Which tier reads a message. The linear scorers always do; the encoder (`holdfast.reading.encoder`) is asked where
they are in doubt, at most once a turn, and what it says is recorded with the turn (`events.Reread`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.accepting import shown
from holdfast.errors import InvalidInput
from holdfast.events import Event, FoundValue, JudgedClause, Reread
from holdfast.reading.reader import Span

if TYPE_CHECKING:
    from holdfast.reading.encoder import Consulted, Found

LINEAR, ENCODER = TIERS = ("linear", "encoder")
ENGLISH = "en"
TURNS = 3
"""Turns before a message that the encoder looks at."""
MAX_CHARS = 2000
"""A longer message is a document, which no model of talk knows anything about."""
_FAINT = 0.02
"""Chance below which an act is not recorded."""


def accept_tier(tier: str | None) -> str:
    """The tier that a caller asked for; nothing is the default: linear, and the encoder only for slots that have
    nothing but a description."""
    if tier not in (None, "", LINEAR, ENCODER):
        raise InvalidInput(f"reader is {LINEAR!r} or {ENCODER!r}, not {shown(tier)}")
    return tier or ""


class SecondTier:
    """Asks the encoder about the message of one turn, at most once. `recorded` are the events of a turn that is decided
    again: then nothing is read, and what was read then counts."""

    def __init__(self, tier: str, slots: Mapping[str, str], recorded: Iterable[Event] | None = None) -> None:
        self._slots = dict(slots) if tier != LINEAR else {}
        """Descriptions of slots by their names."""
        self.doubts = tier == ENCODER
        """Whether it may be asked where the linear tier is in doubt."""
        self._known = next((event for event in recorded or () if isinstance(event, Reread)), None)
        self._asked = recorded is not None

    @property
    def told(self) -> Reread | None:
        """What it said, if it was asked."""
        return self._known

    @property
    def described(self) -> bool:
        """Whether there are slots that only it can fill."""
        return bool(self._slots)

    def close(self) -> None:
        """The turn is over: whoever looks at it later reads nothing anew."""
        self._asked = True

    def read(self, text: str, before: Sequence[tuple[str, str]], spans: Sequence[Span], language: str) -> Reread | None:
        """What the encoder makes of a message; nothing where it is not to be had, or does not know the language."""
        if not self._asked and len(text) <= MAX_CHARS:
            self._asked = True
            from holdfast.reading.encoder import consult, judges  # only for those who want it

            if judges(language):
                slots = self._slots if language == ENGLISH else {}
                told = consult(text, before[-TURNS:], spans=spans, slots=list(slots.values()), language=language)
                self._known = self._recorded(told, spans, slots, language, bool(before)) if told else None
        return self._known

    def _recorded(
        self, told: Consulted, spans: Sequence[Span], slots: Mapping[str, str], language: str, later: bool
    ) -> Reread:
        """A first message changes nothing, and turns nowhere. Of other languages than English, only what the clauses
        are counts: the rest was taught with public talk, which is English."""
        judged = zip(spans, told.spans, strict=False)
        clauses = tuple(JudgedClause(*span, _likely(one.acts), round(one.keep, 3)) for span, one in judged)
        if language != ENGLISH:
            return Reread(model=told.model, clauses=clauses, words=told.words)
        found = zip(slots, told.slots, strict=True)
        return Reread(
            model=told.model,
            changed=round(told.changed, 3) if later else 0.0,
            new=tuple(map(_value, told.new)),
            old=tuple(map(_value, told.old)),
            new_topic=round(told.new_topic, 3) if later else 0.0,
            request=_likely(told.request),
            aim=_likely(told.aim),
            clauses=clauses,
            slots={name: _value(one) for name, one in found if one is not None and one.chance >= _FAINT},
            words=told.words,
        )


def _value(found: Found) -> FoundValue:
    return FoundValue(found.start, found.end, round(found.chance, 3))


def _likely(chances: Mapping[str, float]) -> dict[str, float]:
    return {name: round(chance, 3) for name, chance in chances.items() if chance >= _FAINT}
