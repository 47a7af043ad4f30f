"""What detail of something a message asks for: where it is, when, what it costs, how to reach it, or another one.

Told by sentence: a sentence that asks (by its mark, its first word, or words such as "give me") is looked through for
the detail it names. A question about what is already spoken of ("does it have wifi?") asks for another detail; one that
asks for new things to be found or done asks for none.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences

Label = Literal["where", "when", "cost", "contact", "other"]
ORDER: tuple[Label, ...] = ("contact", "cost", "where", "when", "other")


class Detail(NamedTuple):
    """A detail that is asked for, with the words that ask."""

    label: Label
    span: Span
    rule: str


def details(reading: Reading) -> list[Detail]:
    """The details that a message asks for. Use as `reading.find(details)`."""
    if not reading.has(*_FAMILIES):
        return []
    found = []
    for span in reading.find(sentences):
        detail = _asked(reading, span)
        if detail:
            found.append(detail)
    return sorted(found, key=lambda detail: ORDER.index(detail.label))


_FAMILIES = (*(f"detail_{label}" for label in ORDER), "asks_about")


def _asked(reading: Reading, span: Span) -> Detail | None:
    asking = _asks(reading, span)
    if _within(reading, "asks_anew", span):
        return None
    for label in ORDER:
        for cue in _within(reading, f"detail_{label}", span):
            sure = cue.id.endswith("_sure")
            if asking or sure:
                return Detail(label, cue.span, cue.id)
    if asking:
        for cue in _within(reading, "asks_about", span):
            return Detail("other", cue.span, cue.id)
    return None


def _asks(reading: Reading, span: Span) -> bool:
    text = reading.folded[slice(*span)]
    if text.rstrip("\"') ").endswith("?") or _within(reading, "requesting", span):
        return True
    words = text.lstrip("¿¡\"'( ").replace(",", " ").split()
    skipped = reading.phrases("detail", "fillers")
    head = next((word for word in words if word not in skipped), "")
    return head in reading.phrases("question", "openers")


def _within(reading: Reading, family: str, span: Span) -> list[Cue]:
    return [cue for cue in reading.all(family) if span[0] <= cue.start < span[1]]
