"""Search over messages: by words (BM25), joined with meaning where the extra is installed, and aware of the talk.

A message is seldom understood alone: an answer is found by the question before it. A name in the query that is the name
of a speaker says who spoke, and is no word to look for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from holdfast import meaning
from holdfast.memory import query_words
from holdfast.reading.text import fold
from holdfast.stores.protocol import Hit, Key, Store

MOST = 5000
"""Messages whose meaning is compared; in longer talks only the hits of the words and what stands around them are."""
CANDIDATES = 200
BEFORE, AFTER = 0.4, 0.15
"""What the message before and the one after add to a message."""
SPEAKER = 0.25
CLOSE = 0.35
"""Nearness in meaning that makes a message a hit even where it shares no word with the query."""


class Message(NamedTuple):
    """A message with its place."""

    session: str
    version: int
    at: float
    role: str
    text: str


class Messages:
    """Search over the messages of a store. Vectors of what was seen are kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._vectors: OrderedDict[tuple[str, int], Any] = OrderedDict()

    def search(
        self,
        query: str,
        sessions: Sequence[str],
        k: int,
        names: Mapping[str, str] | None = None,
        around: bool = False,
    ) -> list[Hit]:
        """The messages that fit best. `names` says who speaks: {"person": "Ada", "agent": "Bob"}. With `around`,
        messages that hold no word of the query but stand beside one, or mean the same, are found too."""
        words = [word.removesuffix("'s") for word in query_words(query)]
        spoken = {fold(name): role for role, name in (names or {}).items()}
        speakers = {spoken[word] for word in words if word in spoken}
        words = [word for word in words if word not in spoken] or words
        hits = self._store.search(" ".join(words), sessions, CANDIDATES)
        top = max((hit.score for hit in hits), default=0.0) or 1.0
        scores = {(hit.session, hit.version): hit.score / top for hit in hits}
        chosen = set(scores)
        messages = self._around(hits, sessions)
        if meaning.ready():
            near = self._near(" ".join(words), messages)
            scores = {place: scores.get(place, 0.0) + near[place] for place in near}
            chosen |= {place for place, nearness in near.items() if nearness >= CLOSE}
        ranked = _ranked(messages, scores, speakers, None if around else chosen)
        return ranked[:k]

    def _around(self, hits: Sequence[Hit], sessions: Sequence[str]) -> list[Message]:
        """All messages of short talks; of long ones the hits with their neighbours. In the order of the talk."""
        sizes = self._store.versions([Key("session", name) for name in sessions])
        found: list[Message] = []
        if sum(sizes) <= MOST:
            for name in sessions:
                found += self._rows(name, 0, None)
            return found
        seen: set[tuple[str, int]] = set()
        for hit in hits:
            for message in self._rows(hit.session, max(0, hit.version - 2), hit.version + 1):
                if (message.session, message.version) not in seen:
                    seen.add((message.session, message.version))
                    found.append(message)
        return sorted(found, key=lambda message: (message.session, message.version))

    def _rows(self, name: str, after: int, upto: int | None) -> list[Message]:
        rows = self._store.rows(Key("session", name), after, upto)
        return [Message(name, row.version, row.at, row.role, row.text) for row in rows if row.text]

    def _near(self, query: str, messages: Sequence[Message]) -> dict[tuple[str, int], float]:
        fresh = [message for message in messages if (message.session, message.version) not in self._vectors]
        if fresh:
            for message, vector in zip(fresh, meaning.vectors_of([m.text[:2000] for m in fresh]), strict=True):
                self._vectors[message.session, message.version] = vector
            while len(self._vectors) > 10 * MOST:
                self._vectors.popitem(last=False)
        asked = meaning.vectors_of([query])[0]
        return {
            (m.session, m.version): float(self._vectors[m.session, m.version] @ asked)
            for m in messages
            if (m.session, m.version) in self._vectors
        }


def _ranked(
    messages: Sequence[Message],
    scores: Mapping[tuple[str, int], float],
    speakers: set[str],
    only: set[tuple[str, int]] | None,
) -> list[Hit]:
    own = [max(0.0, scores.get((m.session, m.version), 0.0)) for m in messages]
    ranked: list[Hit] = []
    for place, message in enumerate(messages):
        if only is not None and (message.session, message.version) not in only:
            continue
        score = own[place]
        if place and messages[place - 1].session == message.session:
            score += BEFORE * own[place - 1]
        if place + 1 < len(messages) and messages[place + 1].session == message.session:
            score += AFTER * own[place + 1]
        if score > 0 and message.role in speakers:
            score += SPEAKER
        if score > 0:
            ranked.append(Hit(message.session, message.version, message.at, message.role, message.text, score))
    return sorted(ranked, key=lambda hit: -hit.score)
