"""Intents: what a message wants, learned from example sentences that a pack gives.

A message may want several things, a clause each; a message that is like none of the examples wants nothing that the
pack knows. What was understood is `turn.intent` (`turn.intents`), and is told to the agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from holdfast.accepting import shown
from holdfast.errors import PackError
from holdfast.events import Event, IntentRead
from holdfast.events import Intent as Understood
from holdfast.faculty import Draft, Faculty, Item
from holdfast.reading.reader import Reader
from holdfast.reading.standing import standing
from holdfast.reading.taught.choices import Choices
from holdfast.reading.taught.examples import examples

_NOT_MEANT = {"negated", "quoted", "withdrawn", "reported"}


class Intent(NamedTuple):
    """Something that people want of an assistant, shown by sentences in which they say so."""

    name: str
    examples: tuple[str, ...]


class IntentsFaculty(Faculty):
    """`label` is the key under which an intent is told to the agent; with an empty one it is not told."""

    name = "intents"
    events = (IntentRead,)

    def __init__(self, *intents: Intent, label: str = "Intent") -> None:
        self.label = label
        _refuse_faults(intents)
        self._taught = {intent.name: examples(intent.name, intent.examples, False) for intent in intents}

    def faults(self, reader: Reader) -> Iterable[str]:
        reader.made(self._learn)
        return ()

    def _learn(self, reader: Reader, language: str | None) -> Choices:
        return Choices(self._taught, reader)

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        learned = reading.reader.made(self._learn)
        seen: set[str] = set()
        spans = [(clause.start, clause.end) for clause in draft.clauses]
        for span in spans if len(spans) > 1 else [(0, len(reading.text))]:
            chosen = learned.choose(reading, span)
            if chosen is None or chosen.label in seen or reading.find(standing).of(span) & _NOT_MEANT:
                continue
            seen.add(chosen.label)
            rule = f"examples.{chosen.label}.{learned.version}"
            intent = Understood(chosen.label, query=reading.words(span).strip())
            yield IntentRead(intent=intent, because=draft.cause(rule, span))

    def context(self, draft: Draft) -> Iterable[Item]:
        read = [event.intent.type for event in draft.events if isinstance(event, IntentRead)]
        return [Item(self.label, ", ".join(read))] if read and self.label else ()


def _refuse_faults(intents: tuple[Intent, ...]) -> None:
    """What is wrong with the declaration of intents by itself."""
    shown_by: dict[str, str] = {}
    for intent in intents:
        if not isinstance(intent, Intent):
            raise PackError(f"{shown(intent)} is no intent; write Intent(name, (example, …))")
        if not intent.examples:
            raise PackError(f"the intent {intent.name!r} has no examples; give it some sentences that say it")
        if [other.name for other in intents].count(intent.name) > 1:
            raise PackError(f"there are two intents called {intent.name!r}; put their examples together")
        for sentence in intent.examples:
            if (other := shown_by.setdefault(sentence.casefold(), intent.name)) != intent.name:
                raise PackError(f"{sentence!r} is an example of both {other!r} and {intent.name!r}; decide for one")
