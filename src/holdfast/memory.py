"""`chat.memory`: what is remembered, for programs. Reading is over the state where it suffices and over the log for the
past; every write is one act of the session, so that it is stored, explained and replayed like anything that was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

import msgspec

from holdfast.accepting import accepting, shown
from holdfast.errors import InvalidInput, Refused, UnknownItem
from holdfast.events import Event, Scope
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts import writing as w
from holdfast.faculties.facts.lookup import in_slot
from holdfast.faculties.facts.relations import Kind, Lifespan, Memo, effective, expired, slot_kind
from holdfast.faculties.facts.telling import SHOWN
from holdfast.faculty import Draft
from holdfast.history import forgetting, recall
from holdfast.history.insights import Insights, insights
from holdfast.history.recall import Found
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import subject_of
from holdfast.reading.endings import Endings
from holdfast.reading.reader import Reader
from holdfast.reading.text import fold
from holdfast.search import meaning
from holdfast.state import State
from holdfast.stores.protocol import Key
from holdfast.turn import Done

change = msgspec.structs.replace
ASKED = 2000
"""Characters of a query that count: whole messages are searched with, and some are books."""
MAX_NEAR_MESSAGES = 4
"""Messages around a query that help to understand it."""
KEYED = 1.0
"""The same for an item with a key: there the words tell what is asked for."""
AROUND, CLOSEST = 0.3, 0.6
"""What each message around a query adds to its meaning, and what the one that is closest to an item adds."""
AT_HAND = 400
"""Items whose meaning is compared with a query."""
WORDS = 0.1
"""What the word search counts beside the meaning, where both are there."""
BEHIND = 10.0
"""How far what the encoder was not asked about stays behind what it was."""
_MEMO = msgspec.json.Decoder(Memo)


class Chat(Protocol):
    """What the memory needs of a session."""

    keys: dict[Scope, Key]

    @property
    def holdfast(self) -> forgetting.Logs: ...

    @property
    def state(self) -> State: ...

    def act(self, act: Callable[[Draft], Iterable[Event]], job: bytes | None = None) -> Done: ...


class SessionMemory:
    """What the session, its project and its user remember together."""

    def __init__(self, session: Chat) -> None:
        self._chat = session

    def __repr__(self) -> str:
        return f"SessionMemory({', '.join(f'{key.kind}={shown(key.name)}' for key in self._chat.keys.values())})"

    # Reading

    def facts(self, /, **when: Any) -> list[Memo]:
        """Current facts. `history=True` lists all that ever were; `as_of=` what was true at a time (seconds since
        1970), `known_at=` what was believed then."""
        return self.items("fact", **when)

    def preferences(self, /, **when: Any) -> list[Memo]:
        """Current preferences; `history=`, `as_of=` and `known_at=` as for facts."""
        return self.items("preference", **when)

    def decisions(self, /, **when: Any) -> list[Memo]:
        """Current decisions; `history=`, `as_of=` and `known_at=` as for facts."""
        return self.items("decision", **when)

    @accepting
    def items(
        self,
        kind: Kind | None = None,
        *,
        history: bool = False,
        as_of: float | None = None,
        known_at: float | None = None,
        category: str | None = None,
    ) -> list[Memo]:
        """Items of a kind, oldest first; confidences are those of now."""
        now = self._now()
        chosen = [
            memo
            for memo in self._held(history, as_of, known_at, now)
            if kind in (None, memo.kind) and category in (None, memo.category) and _shown(memo)
        ]
        chosen.sort(key=lambda memo: memo.recorded)
        return [change(memo, confidence=effective(memo, now)) for memo in chosen]

    def _held(self, history: bool, as_of: float | None, known_at: float | None, now: float) -> Iterable[Memo]:
        """What is held now; with a time, what was true then; with `history`, all that ever was."""
        if not (history or as_of is not None or known_at is not None or self._archived()):
            return self._in_state(now)
        found = self._all(known_at).values()
        if as_of is not None:
            return recall.true_at(found, as_of)
        return found if history else [memo for memo in found if memo.current and memo.valid_to is None]

    def _in_state(self, now: float) -> list[Memo]:
        held = (memo for _, memory in m.slices(self._chat.state) for memo in memory.items.values())
        return [memo for memo in held if not expired(memo, now)]

    @accepting
    def get(self, id: str) -> Memo:
        """One item, current or not; UnknownItem otherwise."""
        here = m.find(self._chat.state, id)
        memo = here[1] if here else self._all().get(id)
        if memo is None:
            raise UnknownItem(f"there is no item {shown(id)} in this memory")
        return change(memo, confidence=effective(memo, self._now()))

    @accepting
    def value(self, slot: str) -> str | None:
        """What a slot holds now ("role", "tooling/editor"): the narrowest scope first, the newest in it."""
        memo = self.holding(slot)
        return memo.value if memo else None

    @accepting
    def holding(self, slot: str) -> Memo | None:
        """The item that a slot holds now."""
        now = self._now()
        for _, memo in in_slot(self._chat.state, slot):
            if memo.positive and not expired(memo, now):
                return memo
        return None

    @accepting
    def chain(self, id: str) -> list[Memo]:
        """The items from the first to the current one, from any of them."""
        memos = self._all()
        if id not in memos:
            raise UnknownItem(f"there is no item {shown(id)} in this memory")
        return recall.chain(memos, id)

    @accepting
    def told(self, id: str) -> str:
        """A chain for people."""
        return recall.told(self.chain(id))

    def disputes(self) -> list[m.Dispute]:
        """What stays open, each with its question."""
        return [dispute for _, memory in m.slices(self._chat.state) for dispute in memory.disputes]

    def insights(self) -> Insights:
        """Unstable keys, decisions that did not last, and where an unmarked change is asked about."""
        kept = [slot for _, memory in m.slices(self._chat.state) for slot in memory.kept_old]
        return insights(self._all().values(), kept)

    @property
    def _reader(self) -> Reader:
        return self._chat.holdfast.pack.reader

    @accepting
    def search(self, query: str, k: int = 5, *, history: bool = False, near: Sequence[str] = ()) -> list[Found]:
        """Items that fit the query, best first, current ones before superseded ones. `near` are the messages around
        the query, newest last: a question is often half said before."""
        if not 0 < k <= 1000:
            raise InvalidInput(f"k must be a whole number from 1 to 1,000, not {shown(k)}")
        query = query[:ASKED]
        if not query_words(query, self._reader):
            return []
        around = [text[:ASKED] for text in near[-MAX_NEAR_MESSAGES:] if query_words(text[:ASKED], self._reader)]
        found = self._by_all_words(query, around, max(50, 4 * k))
        if meaning.ready():
            found = self._by_meaning(query, around, found)
        now = self._now()
        kept = [f for f in found.values() if history or (f.item.current and not expired(f.item, now))]
        kept.sort(key=lambda f: (not f.item.current, -f.score))
        return kept[:k]

    def _by_all_words(self, query: str, near: Sequence[str], most: int) -> dict[str, Found]:
        """By the words of the query, and a little by those of the messages around it."""
        found: dict[str, Found] = {}
        for text, weight in ((query, 1.0), *((text, AROUND) for text in near)):
            for hit in self._by_words(text, most):
                before = found[hit.item.id].score if hit.item.id in found else 0.0
                found[hit.item.id] = Found(hit.item, before + weight * hit.score)
        return found

    def _by_words(self, query: str, most: int) -> list[Found]:
        """By words alone, the best hit as 1: rarer words count more, and the key of an item more than its value."""
        words = query_words(query, self._reader)
        hits = self._chat.holdfast.store.recall(list(self._chat.keys.values()), " ".join(words), most) if words else []
        scored = []
        root = self._reader.made(Endings).root
        asked = {root(word) for word in words}
        for note, score in hits:
            item = _MEMO.decode(note.body)
            scored.append(Found(item, score * (1 + _asked_for(item, asked, self._reader))))
        top = max((f.score for f in scored), default=0.0) or 1.0
        return [Found(f.item, f.score / top) for f in scored]

    def _by_meaning(self, query: str, near: Sequence[str], found: dict[str, Found]) -> dict[str, Found]:
        """Join the word search with meaning: the candidates of the words, and what is at hand in the state, by static
        vectors; the best of them as the encoder understands them, where it is there."""
        items = {id: f.item for id, f in found.items()}
        for _, memo in m.live(self._chat.state):
            if not memo.slot.startswith("said/"):
                items.setdefault(memo.id, memo)
        joined = self._joined(query, near, found, list(items.values())[:AT_HAND], meaning.STATIC)
        if (encoder := meaning.encoder_space(self._reader)) is not None:
            ranked = sorted(joined, key=lambda one: -one.score)
            best = [one.item for one in ranked[: meaning.MAX_UNDERSTOOD]]
            behind = [one._replace(score=one.score - BEHIND) for one in ranked[len(best) :]]
            joined = [*self._joined(query, near, found, best, encoder), *behind]
        return {one.item.id: one for one in joined}

    def _joined(
        self, query: str, near: Sequence[str], found: dict[str, Found], items: list[Memo], space: meaning.Space
    ) -> list[Found]:
        """Items by their words and by what they mean."""
        texts = [memo.text or f"{memo.slot} {memo.value}" for memo in items]
        close = meaning.similar([(query, 1.0), *((text, AROUND) for text in near)], texts, space)
        if near:  # what one message around is all about counts more than what all of them touch
            close = [a + CLOSEST * b for a, b in zip(close, meaning.closest(near, texts, space), strict=True)]
        words = [(KEYED if one.slot else WORDS) * (found[one.id].score if one.id in found else 0.0) for one in items]
        return [Found(memo, by_words + nearness) for memo, by_words, nearness in zip(items, words, close, strict=True)]

    # Writing

    @accepting
    def add(
        self,
        value: str,
        *,
        kind: Kind = "fact",
        slot: str = "",
        category: str = "",
        confidence: float = 0.8,
        lifespan: Lifespan = "permanent",
        text: str = "",
        because: Iterable[str] = (),
        source: str = "",
        valid_from: float | None = None,
        details: dict[str, Any] | None = None,
    ) -> Memo:
        """Keep an item as given, without asking how it stands to the others. `because` names items that it rests on."""
        self._accept(value, confidence)
        supports = tuple(because)
        state = self._chat.state
        for id in supports:
            if m.find(state, id) is None and id not in self._all():
                raise UnknownItem(f"there is no item {shown(id)} to rest on")

        def act(draft: Draft) -> Iterator[Event]:
            memo = w.item(
                draft,
                kind,
                slot or (subject_of(draft.reading.reader, text or value) if kind == "decision" else ""),
                value,
                category or "other",
                confidence=confidence,
                lifespan=lifespan,
                text=text or (value if kind in ("decision", "fact") else ""),
                words=source,
                rule="memory.add",
                rests_on=supports,
                details=dict(details or {}),
                valid_from=draft.moment.at if valid_from is None else valid_from,
            )
            yield w.learned(draft, memo)

        return self._made(act)

    @accepting
    def state(
        self, slot: str, value: str, *, lifespan: Lifespan | None = None, marks: Iterable[str] = ()
    ) -> Memo | None:
        """Put a value into a slot as if the person had said so: confirmed, replacing or in conflict, as it stands."""
        self._accept(value)
        said = Statement(slot, value, (0, 0), "memory.state", (0, 0), marks=frozenset(marks), lifespan=lifespan)
        self._chat.act(lambda draft: w.write(draft, said, slot_kind(draft.reading.reader, slot)))
        return self.holding(slot)

    @accepting
    def learn(self, sentences: Iterable[str], *, lifespan: Lifespan = "permanent") -> list[Memo]:
        """Plain sentences about anything, in the order of time, many at once. One that says another value of the same
        thing supersedes the earlier one; what cannot be read as a key and a value is kept as it stands.

        Gives the item of each sentence: its own, or the one that it confirmed."""
        given, made = list(sentences), list[Memo]()
        self._chat.act(lambda draft: learning(draft, given, self._kept_sentences(draft), lifespan, made))
        return made

    def _kept_sentences(self, draft: Draft) -> dict[str, Memo]:
        """Current sentences by what they are about; those that left the state are in the logs."""
        archived = self._all().values() if self._archived() else ()
        old = {memo.slot: memo for memo in archived if memo.current and memo.slot.startswith("said/")}
        return {**old, **kept_sentences(draft.state)}

    @accepting
    def decide(
        self, /, description: str, *, category: str = "other", subject: str | None = None, **details: Any
    ) -> Memo | None:
        """A decision that arrives in the conversation: it replaces the current one of its category and subject."""
        self._accept(description)

        def act(draft: Draft) -> Iterator[Event]:
            about = subject_of(draft.reading.reader, description) if subject is None else subject
            more = {name: value for name, value in details.items() if value}
            memo = w.item(
                draft, "decision", about, description, category, text=description, rule="memory.decide", details=more
            )
            yield from w.decide(draft, memo, about)

        self._chat.act(act)
        made = [memo for memo in self.decisions() if memo.text == description]
        return made[-1] if made else None

    @accepting
    def supersede(self, old: str, new: str) -> Memo:
        """Mark an item as replaced by another. Refused: unknown ids, an item by itself, and cycles."""
        for id in (old, new):
            self.get(id)

        def act(draft: Draft) -> Iterator[Event]:
            memos = self._all()
            if _leads(memos, new, old):
                raise Refused(f"superseding {old} by {new} would close a cycle")
            first = m.find(draft.state, old) or (m.place_for(draft.state, memos[old].lifespan), memos[old])
            yield from w.link(draft, first, memos[new])

        self._chat.act(act)
        return self.get(old)

    @accepting
    def edit(self, id: str, value: str) -> Memo:
        """Change an item: never in place, always by a successor."""
        self.get(id)
        self._accept(value)

        def act(draft: Draft) -> Iterator[Event]:
            found = m.find(draft.state, id)
            if found is None:
                raise UnknownItem(f"there is no item {shown(id)} in this memory")
            scope, memo = found
            if not memo.current:
                raise Refused(f"{id} is no longer current; edit its successor {memo.superseded_by or ''}".rstrip())
            new = change(
                memo,
                id=w.new_id(draft, memo.kind),
                value=value,
                text=_with_value(memo, value),
                relation="CHANGES",
                replaces=(id,),
                recorded=draft.moment.at,
                valid_from=draft.moment.at,
                words="",
                start=0,
                end=0,
                version=draft.moment.version,
                rule="memory.edit",
                review="",
                confidence=min(1.0, round(memo.confidence + 0.1, 4)),
            )
            yield from w.supersede(draft, [(scope, memo)], new)
            yield from _no_longer_open(draft, id)

        return self._made(act)

    @accepting
    def undo(self, id: str) -> Done:
        """Take a write back: what it replaced stands again, and what followed from it is put right."""
        memos = self._all()
        return self._chat.act(lambda draft: w.undo(draft, id, memos.values()))

    @accepting
    def reinforce(self, id: str) -> Memo:
        """Confirm an item: its confidence rises by 0.1, never above 1."""
        self._on(id, w.confirm)
        return self.get(id)

    @accepting
    def retract(self, id: str, why: str = "removed on request") -> None:
        """Close an item without a successor; it stays in the history."""

        def act(draft: Draft, scope: Scope, memo: Memo) -> Iterator[Event]:
            yield m.ItemRetracted(id=id, label=memo.told, why=why, scope=scope)
            yield from w.mark_resting(draft, memo, w.WITHDRAWN)
            yield from _no_longer_open(draft, id)

        self._on(id, act)

    @accepting
    def promote(self, id: str, lifespan: Literal["project", "permanent"]) -> Memo:
        """Let an item hold more widely."""
        self._on(id, lambda draft, scope, memo: w.promote(draft, scope, memo, lifespan))
        return self.get(id)

    @accepting
    def clear(self, lifespan: Lifespan) -> None:
        """Let go of all facts, preferences and contexts of one lifespan. Decisions stay."""
        kinds: tuple[Kind, ...] = ("fact", "preference", "context")

        def act(draft: Draft) -> Iterator[Event]:
            for scope, _ in list(m.slices(draft.state)):
                yield m.ItemsCleared(lifespan=lifespan, kinds=kinds, scope=scope)

        self._chat.act(act)

    @accepting
    def forget(self, id: str, patience: float = 60.0) -> Memo:
        """Erase one item for good: its words are removed from every log, snapshot and index that held them. What stays
        is a tombstone that keeps the shape of its chain. `patience` as for `Holdfast.forget`."""
        memo = self.get(id)
        found = m.find(self._chat.state, id)
        scope: Scope = found[0] if found else m.place_for(self._chat.state, memo.lifespan)
        names = {"session": "", **{scope: key.name for scope, key in self._chat.keys.items()}}
        said = tuple(name for name in dict.fromkeys((memo.session, *memo.sessions)) if name)
        job = msgspec.json.encode(forgetting.Job(id, sessions=said, **names))
        self._chat.act(lambda draft: iter([m.ItemForgotten(id=id, scope=scope)]), job)
        forgetting.finish(self._chat.holdfast, job, patience)
        return recall.tombstone(memo)

    # The log

    def _all(self, known_at: float | None = None) -> dict[str, Memo]:
        """Every item of every scope by id, from the logs."""
        memos: dict[str, Memo] = {}
        for key in self._chat.keys.values():
            memos |= recall.history(self._chat.holdfast.entries(key), known_at)
        return memos

    def _on(self, id: str, act: Any) -> None:
        self.get(id)

        def run(draft: Draft) -> Iterator[Event]:
            found = m.find(draft.state, id)
            if found is None or not found[1].current:
                raise UnknownItem(f"the item {shown(id)} is not current any more")
            yield from act(draft, *found)

        self._chat.act(run)

    def _made(self, act: Callable[[Draft], Iterator[Event]]) -> Memo:
        """The item that an act keeps."""
        return self._chat.act(act).all(m.ItemLearned)[-1].item

    def _archived(self) -> bool:
        return any(memory.archived for _, memory in m.slices(self._chat.state))

    def _now(self) -> float:
        return self._chat.holdfast.clock()

    def _accept(self, value: str, confidence: float = 0.8) -> None:
        if not value.strip() or len(value) > 2000:
            raise InvalidInput("an item needs a value of 1 to 2,000 characters")
        if not 0 <= confidence <= 1:
            raise InvalidInput(f"a confidence is a number from 0 to 1, not {confidence!r}")


def _shown(memo: Memo) -> bool:
    """Whether an item is told of at all: slots are told as such, and an answer when it is sure enough."""
    return memo.category != m.SLOT and (memo.category != "answer" or memo.confidence >= SHOWN)


def learning(
    draft: Draft,
    sentences: Iterable[str],
    known: Mapping[str, Memo],
    lifespan: Lifespan = "permanent",
    made: list[Memo] | None = None,
) -> Iterator[Event]:
    """Plain sentences as events, beside those that are `known`; `made` gets the item of each sentence."""
    made, known = [] if made is None else made, dict(known)
    made.clear()  # a turn that lost the race is decided again
    scope = m.place_for(draft.state, lifespan)
    for sentence in sentences:
        memo = w.asserted(draft, sentence, lifespan)
        old = known.get(memo.slot) if memo.slot else None
        made.append(memo)
        if old is None:
            yield w.learned(draft, memo)
        elif fold(old.value) == fold(memo.value):
            made[-1] = old
            yield from w.confirm(draft, scope, old)
            continue
        else:
            memo = change(memo, relation="CHANGES", replaces=(old.id,))
            made[-1] = memo
            yield from w.supersede(draft, [(scope, old)], memo)
        if memo.slot:
            known[memo.slot] = memo


def kept_sentences(state: State) -> dict[str, Memo]:
    """Current sentences of a state, by what they are about."""
    return {memo.slot: memo for _, memo in m.live(state) if memo.slot.startswith("said/")}


def _no_longer_open(draft: Draft, id: str) -> Iterator[Event]:
    """The end of what stood against an item that is no longer there."""
    for scope, memory in list(m.slices(draft.state)):
        for dispute in memory.disputes:
            if dispute.held == id:
                yield m.DisputeSettled(id=dispute.id, kept="", slot=dispute.slot, scope=scope)


def _asked_for(memo: Memo, asked: set[str], reader: Reader) -> float:
    """How much of what an item is about the question names: the key tells more than the value."""
    about = query_words(memo.slot.replace("/", " ").replace("_", " "), reader) if memo.slot else []
    if not about:
        return 0.0
    root = reader.made(Endings).root
    return sum(root(word) in asked for word in about) / len(about)


def query_words(query: str, reader: Reader) -> list[str]:
    """The words of a question that can find something."""
    words = re.findall(r"[^\W_]+(?:[.+#'-][^\W_]+)*[+#]*", fold(query))
    small = reader.phrases("small", "words")
    kept = [word for word in words if word not in small]
    return (kept or words)[:64]


def _leads(memos: dict[str, Memo], start: str, end: str) -> bool:
    """Whether the chain of successors from one item reaches another."""
    seen = set()
    while start and start not in seen:
        seen.add(start)
        start = memos[start].superseded_by if start in memos else ""
        if start == end:
            return True
    return False


def _with_value(memo: Memo, value: str) -> str:
    """The words of an item with another value in the place of its own: "the server is called egret"."""
    said = memo.text
    return said.replace(memo.value, value) if memo.value and memo.value in said else value if said else ""
