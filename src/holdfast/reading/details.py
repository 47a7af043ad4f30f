"""What detail of something a message asks for: where it is, when, what it costs, how to reach it, or another one.

Told by sentence: a sentence that asks (by its mark, its first word, or words such as "give me") is looked through for
the detail it names. A question about what is already spoken of ("does it have wifi?") asks for another detail; one that
asks for new things to be found or done asks for none.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences

Label = Literal["where", "when", "cost", "contact", "other"]
ORDER: tuple[Label, ...] = ("contact", "cost", "where", "when", "other")


LOOKED_AT = 12
"""Sentences of a message that are looked at: what is asked stands at its end."""
FRAGMENT = 3
"""Words of a sentence that is no statement but the name of what is wanted ("total cost please")."""


class Detail(NamedTuple):
    """A detail that is asked for, with the words that ask."""

    label: Label
    span: Span
    rule: str
    means: str = ""
    """What its pattern means, as the table declares it."""


def details(reading: Reading) -> list[Detail]:
    """The details that a message asks for. Use as `reading.find(details)`."""
    if not reading.has(*_FAMILIES) and "?" not in reading.text:
        return []
    found = []
    for span in reading.find(sentences)[-LOOKED_AT:]:
        detail = _asked(reading, span)
        if detail:
            found.append(detail)
    return sorted(found, key=lambda detail: ORDER.index(detail.label))


_FAMILIES = (*(f"detail_{label}" for label in ORDER), "asks_about")


def _asked(reading: Reading, span: Span) -> Detail | None:
    how = _asks(reading, span)
    if how is None:
        return None
    anew = _within(reading, "asks_anew", span)
    for label in ORDER:
        for cue in _within(reading, f"detail_{label}", span):
            if "sure" in cue.traits or (not anew and how != "fragment"):
                return Detail(label, cue.span, cue.id, cue.means)
    if anew or how == "fragment":
        return None
    for cue in _within(reading, "asks_about", span):
        if how == "question" or cue.means != "topic":
            return Detail("other", cue.span, cue.id, cue.means)
    if how == "question" and _yes_no(reading, span):
        return Detail("other", span, "detail.yes_no")
    return None


def _yes_no(reading: Reading, span: Span) -> bool:
    """Whether a question opens like "is the …", "does it …", "can I …", and is no request to the one who answers."""
    words = _rest(reading, span)
    asked = reading.phrases("detail", "asked")
    return bool(words) and words[0] in reading.phrases("detail", "aux") and not asked.intersection(words[1:2])


def _rest(reading: Reading, span: Span) -> list[str]:
    """The words of a sentence after those that only open it."""
    skipped = reading.phrases("detail", "fillers")
    first, last = bisect_left(reading.tokens, (span[0], 0)), bisect_left(reading.tokens, (span[1], 0))
    words = [reading.folded[slice(*token)] for token in reading.tokens[first:last]]
    start = next((place for place, word in enumerate(words) if word not in skipped), len(words))
    return words[start:]


def _asks(reading: Reading, span: Span) -> Literal["question", "request", "fragment"] | None:
    """How a sentence asks: by its mark or first word, by words such as "give me", or by being but a noun."""
    text = reading.folded[slice(*span)]
    if text.rstrip("\"') ").endswith("?"):
        return "question"
    rest = _rest(reading, span)
    if rest and rest[0] in reading.phrases("detail", "openers"):
        return "question"
    if _within(reading, "requesting", span):
        return "request"
    return "fragment" if len(rest) <= FRAGMENT else None


def _within(reading: Reading, family: str, span: Span) -> list[Cue]:
    return [cue for cue in reading.all(family) if span[0] <= cue.start < span[1]]
