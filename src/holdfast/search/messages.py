"""Search over messages: by words (BM25), joined with meaning where the extra is installed, and aware of the talk.

A message is seldom understood alone: an answer is found by the question before it. A name in the query that is the name
of a speaker says who spoke, and is no word to look for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from threading import Lock
from typing import Any, NamedTuple

from holdfast.memory import ASKED, query_words
from holdfast.pack import Pack
from holdfast.reading.text import fold
from holdfast.search import meaning
from holdfast.stores.protocol import Hit, Key, Store

MAX_COMPARED = 5000
"""Messages whose meaning is compared; in longer talks only the hits of the words and what stands beside them are."""
WHOLE = 1000
"""Messages that are looked at as a whole; of more than that, the candidates and what stands beside them."""
CANDIDATES = 200
GAP = 12
BEFORE, AFTER = 0.4, 0.15
"""What the message before and the one after add to a message."""
SPEAKER = 0.25
UNDERSTOOD = 2.0
"""What being near to the query counts as the encoder understands both; chosen on the questions of `corpus/asking`."""
CLOSE = 0.35
"""Nearness in meaning that makes a message a hit even where it shares no word with the query."""


Place = tuple[str, int]
"""A session and a version in it."""


class Message(NamedTuple):
    """A message with its place."""

    session: str
    version: int
    at: float
    role: str
    text: str

    @property
    def place(self) -> Place:
        return self.session, self.version


class _Talk(NamedTuple):
    """What a conversation means, message by message; the words themselves stay in the store."""

    version: int
    places: list[Place]
    vectors: Any


class Messages:
    """Search over the messages of a store. Vectors of what was seen are kept."""

    def __init__(self, store: Store, pack: Pack) -> None:
        self._store = store
        self._pack = pack
        self._talks: OrderedDict[str, _Talk] = OrderedDict()
        self._erasures = -1
        self._talks_lock = Lock()

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
        asked, speakers = self._asked(query[:ASKED], names or {})
        heads = self._store.heads([Key("session", name) for name in sessions])
        sizes = {name: head.version for name, head in zip(sessions, heads, strict=True)}
        total = sum(sizes.values())
        scores, chosen = self._scored(asked, sizes, total)
        messages = self._whole(sizes) if total <= WHOLE else self._beside(list(scores))
        if meaning.ready() and total > MAX_COMPARED:
            scores = _added(scores, _near_in_meaning(asked, messages))
        ranked = _ranked(messages, scores, speakers, None if around else chosen)
        return self._understood(asked if speakers else query[:ASKED], ranked, speakers)[:k]

    def _understood(self, query: str, ranked: list[Hit], speakers: set[str]) -> list[Hit]:
        """The best messages in the order in which the encoder finds them near to the query, too, where it is there."""
        space = meaning.encoder_space(self._pack.reader)
        if space is None:
            return ranked
        best = ranked[: meaning.MAX_UNDERSTOOD]
        near = meaning.similar([(query, 1.0)], [hit.text[:2000] for hit in best], space)
        weighed = [
            hit._replace(score=hit.score + UNDERSTOOD * (one + SPEAKER * (hit.role in speakers)))
            for hit, one in zip(best, near, strict=True)
        ]
        return sorted([*weighed, *ranked[len(best) :]], key=lambda hit: -hit.score)

    def _scored(self, asked: str, sizes: Mapping[str, int], total: int) -> tuple[dict[Place, float], set[Place]]:
        """How well places fit, by words and, in talks that are not too long for it, by meaning; and which are hits."""
        hits = self._store.search(asked, list(sizes), CANDIDATES)
        top = max((hit.score for hit in hits), default=0.0) or 1.0
        scores = {(hit.session, hit.version): hit.score / top for hit in hits}
        if not meaning.ready() or total > MAX_COMPARED:
            return scores, set(scores)
        near = self._near(asked, sizes)
        chosen = {*scores, *(place for place, nearness in near.items() if nearness >= CLOSE)}
        scores = _added(scores, near)
        return (_candidates(scores, near, chosen) if total > WHOLE else scores), chosen

    def _asked(self, query: str, names: Mapping[str, str]) -> tuple[str, set[str]]:
        """The words to look for, and the roles of the speakers that the query names: a speaker's name is no such word
        unless the query is nothing but names."""
        words = [word.removesuffix("'s") for word in query_words(query, self._pack.reader)]
        spoken = {fold(name): role for role, name in names.items()}
        speakers = {spoken[word] for word in words if word in spoken}
        return " ".join([word for word in words if word not in spoken] or words), speakers

    def _whole(self, sizes: Mapping[str, int]) -> list[Message]:
        return [message for name, size in sizes.items() if size for message in self._rows(name, 0, None)]

    def _beside(self, places: Sequence[Place]) -> list[Message]:
        """Some messages with their neighbours, in the order of the talk."""
        found: list[Message] = []
        for session, group in groupby(sorted(places), key=lambda place: place[0]):
            for first, last in _runs([version for _, version in group]):
                found += self._rows(session, max(0, first - 2), last + 1)
        return found

    def _rows(self, name: str, after: int, upto: int | None) -> list[Message]:
        rows = self._store.rows(Key("session", name), after, upto)
        return [Message(name, row.version, row.at, row.role, row.text) for row in rows if row.text]

    def _near(self, query: str, sizes: Mapping[str, int]) -> dict[Place, float]:
        """How near every message is to the query in meaning."""
        asked = meaning.vectors_of([query])[0]
        found: dict[Place, float] = {}
        with self._talks_lock:
            if self._erasures != self._store.erasures:  # no vector of what was erased leads a search any more
                self._talks.clear()
                self._erasures = self._store.erasures
            for name, size in sizes.items():
                talk = self._talk(name, size) if size else None
                if talk is not None and talk.places:
                    found.update(zip(talk.places, (talk.vectors @ asked).tolist(), strict=True))
            while sum(len(talk.places) for talk in self._talks.values()) > 10 * MAX_COMPARED:
                self._talks.popitem(last=False)
        return found

    def _talk(self, name: str, size: int) -> _Talk:
        """A conversation up to its newest message; only what is new in it is read."""
        known = self._talks.pop(name, None)
        if known is None or known.version > size:  # unknown, or erased and begun anew
            known = _Talk(0, [], None)
        if known.version < size:
            fresh = self._rows(name, known.version, None)
            vectors = meaning.stacked(known.vectors, [message.text[:2000] for message in fresh])
            known = _Talk(size, [*known.places, *((name, message.version) for message in fresh)], vectors)
        self._talks[name] = known
        return known


def _near_in_meaning(asked: str, messages: Sequence[Message]) -> dict[Place, float]:
    close = meaning.similar([(asked, 1.0)], [message.text[:2000] for message in messages])
    return {message.place: nearness for message, nearness in zip(messages, close, strict=True)}


def _runs(versions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Versions as the few stretches that hold them: one read of a stretch costs less than many of its parts."""
    first = last = versions[0]
    for version in versions[1:]:
        if version - last > GAP:
            yield first, last
            first = version
        last = version
    yield first, last


def _added(scores: Mapping[Place, float], near: Mapping[Place, float]) -> dict[Place, float]:
    """The scores by words and by meaning together, of the places whose meaning was compared."""
    return {place: scores.get(place, 0.0) + nearness for place, nearness in near.items()}


def _candidates(scores: Mapping[Place, float], near: Mapping[Place, float], chosen: set[Place]) -> dict[Place, float]:
    """The hits, and those nearest in meaning: far places are neither hits nor beside one."""
    best = sorted(near, key=lambda place: -near[place])[: CANDIDATES // 2]
    return {place: scores[place] for place in {*best, *chosen} & scores.keys()}


def _ranked(
    messages: Sequence[Message],
    scores: Mapping[Place, float],
    speakers: set[str],
    only: set[Place] | None,
) -> list[Hit]:
    own = [max(0.0, scores.get(message.place, 0.0)) for message in messages]
    ranked: list[Hit] = []
    for place, message in enumerate(messages):
        if only is not None and message.place not in only:
            continue
        score = own[place] + BEFORE * _beside_in(messages, own, place, -1) + AFTER * _beside_in(messages, own, place, 1)
        if score > 0:
            score += SPEAKER * (message.role in speakers)
            ranked.append(Hit(*message, score))
    return sorted(ranked, key=lambda hit: -hit.score)


def _beside_in(messages: Sequence[Message], own: Sequence[float], place: int, step: int) -> float:
    """The score of the message before or after one in the same conversation."""
    beside = place + step
    same = 0 <= beside < len(messages) and messages[beside].session == messages[place].session
    return own[beside] if same else 0.0
