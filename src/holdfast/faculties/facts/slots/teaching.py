"""What the examples of slots teach: their values, and the questions that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.faculties.facts.slots.values import Found, Slot
from holdfast.faculties.questions.pending import Answer, just_asked
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.taught.choices import Choices
from holdfast.reading.taught.examples import examples
from holdfast.reading.taught.values import Values
from holdfast.reading.values import trimmed
from holdfast.state import State


class Lessons:
    """The examples of some slots, learned once for each reader."""

    def __init__(self, slots: Sequence[Slot]) -> None:
        self._slots = slots
        self._values = {slot.name: examples(slot.name, slot.examples, True) for slot in slots if slot.examples}
        self._asked = {slot.name: examples(slot.name, slot.questions, False) for slot in slots if slot.questions}
        self.given = bool(self._values or self._asked)

    def learn(self, reader: Reader) -> None:
        """Learn now rather than with the first message."""
        if self._values:
            reader.made(self._learn_values)
        if self._asked:
            reader.made(self._learn_questions)

    def _learn_values(self, reader: Reader, language: str | None) -> Values:
        return Values(self._values, reader)

    def _learn_questions(self, reader: Reader, language: str | None) -> Choices:
        return Choices(self._asked, reader)

    def found(self, reading: Reading, asked: frozenset[str] = frozenset()) -> dict[str, list[Found]]:
        """The values in a message by slot."""
        if not self._values:
            return {}
        learned = reading.reader.made(self._learn_values)
        made: dict[str, list[Found]] = {}
        for value in learned.find(reading, asked):
            span = trimmed(reading, (value.start, value.end))
            rule = f"examples.{value.slot}.{learned.version}"
            made.setdefault(value.slot, []).append(Found(reading.words(span), span, rule))
        return made

    def asks(self, reader: Reader, question: str) -> str:
        """The slot that a question asks for by its examples, or nothing."""
        if not self._asked:
            return ""
        reading = reader.read(question)
        chosen = reader.made(self._learn_questions).choose(reading, (0, len(question)))
        return chosen.label if chosen else ""

    def asked(self, reader: Reader, state: State) -> frozenset[str]:
        """The slots that the agent has just asked for."""
        if "questions" not in state.session.slices:
            return frozenset()
        found = set()
        for question in just_asked(state):
            found |= {slot.name for slot in self._slots if question.about and slot.asked == question.about}
            found.add(self.asks(reader, question.text))
        return frozenset(found - {""})

    def answered(self, slot: Slot, reading: Reading, answer: Answer) -> Found | None:
        """A reply to a question that the examples of a slot know."""
        if slot.name not in self._asked or self.asks(reading.reader, answer.question.text) != slot.name:
            return None
        if slot.examples and not reading.reader.made(self._learn_values).fits(slot.name, reading, answer.span):
            return None
        return Found(answer.value, answer.span, f"answer.{slot.name}")

    def asked_in(self, reading: Reading) -> set[str]:
        """The slots that an agent's text asks for by their examples."""
        if not self._asked or "?" not in reading.text:
            return set()
        learned = reading.reader.made(self._learn_questions)
        asking: Iterable[Span] = (span for span in reading.find(sentences) if "?" in reading.words(span))
        return {chosen.label for span in asking if (chosen := learned.choose(reading, span)) is not None}
