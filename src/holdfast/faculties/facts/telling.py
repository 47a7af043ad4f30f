"""What the agent is told of the memory: sections of the system prompt, or, for packs that tell it in the context line,
what a message touches and what is essential.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import islice

from holdfast.faculties.conversation import RECENT
from holdfast.faculties.facts.lookup import ESSENTIAL, by_words, of_kind
from holdfast.faculties.facts.memos import SLOT, Memory, live, slices
from holdfast.faculties.facts.relations import Memo, effective, expired, slot_kind
from holdfast.faculty import Draft, Item, Section
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Reader, Reading
from holdfast.state import State

FACTS, PREFERENCES, DECISIONS = 5, 10, 40
TOLD = 8
"""Items in the context line."""
DAY = 86400.0
NAMED_TYPES = frozenset({"food", "drink", "animal", "hobby", "medication", "vehicle", "health"})
"""Types by which a question may ask for what is known."""
NEEDED = 4
"""Rows of the log after which an item is told again that a message touches, or a request may need."""
_OF_THE_PERSON = frozenset({"personal", "communication", "preference", "context", "schedule", "other", "style"})
SHOWN = 0.6
"""Confidence from which the agent is told."""


def memory_sections(state: State, now: float) -> list[Section]:
    """The sections of what is remembered, current items only. They stay the same until the memory changes or a minute
    has gone by."""
    held = [memory for _, memory in slices(state)]
    minute = now // 60
    for known, at, told in _told:
        if at == minute and len(known) == len(held) and all(a is b for a, b in zip(known, held, strict=True)):
            return told
    told = _memory_sections(state, minute * 60)
    _told.append((held, minute, told))
    return told


_told: deque[tuple[list[Memory], float, list[Section]]] = deque(maxlen=16)


def _memory_sections(state: State, now: float) -> list[Section]:
    shown = [(s, m) for s, m in live(state) if not expired(m, now) and effective(m, now) >= SHOWN]
    open_slots = {d.slot for _, memory in slices(state) for d in memory.disputes}
    facts = _best([m for _, m in shown if m.kind == "fact"], now, FACTS)
    prefs = _best(_unshadowed([m for _, m in shown if m.kind == "preference"]), now, PREFERENCES)
    made = [m for _, m in of_kind(state, "decision")][:DECISIONS]
    stack = _best(_unshadowed([m for _, m in shown if m.kind == "context"]), now, PREFERENCES)
    told: list[Section] = []
    for name, keep, lines in (
        ("User Context", 60, [_line(m, m.label, now, open_slots) for m in facts]),
        ("User Preferences", 55, [_line(m, m.entry, now, open_slots) for m in prefs]),
        ("Current Decisions", 50, [_line(m, m.text, now, open_slots) for m in reversed(made)]),
        ("Project Context", 35, [_line(m, f"{m.slot}: {m.value}", now, open_slots) for m in stack]),
    ):
        if lines:
            told.append(Section(name, "\n".join((f"## {name}", *lines)), keep=keep))
    return told


def _line(memo: Memo, words: str, now: float, open_slots: Collection[str] = ()) -> str:
    words = " ".join(words.split())
    if memo.category == "schedule" and now - memo.recorded >= DAY / 2:  # its "tomorrow" was not today's
        words += f" (said on {datetime.fromtimestamp(memo.recorded, UTC):%Y-%m-%d})"
    if memo.review:
        return f"- {words} (to be checked: {memo.review})"
    return f"- {words} (open: the person gave another value, not settled)" if memo.slot in open_slots else f"- {words}"


def _best(memos: list[Memo], now: float, most: int) -> list[Memo]:
    return sorted(memos, key=lambda m: (-effective(m, now), -m.recorded))[:most]


def _unshadowed(memos: list[Memo]) -> list[Memo]:
    """Without wider values that a narrower one stands before. The narrowest come first."""
    taken: set[str] = set()
    kept = []
    for memo in memos:
        if memo.many or not memo.positive or memo.slot not in taken:
            kept.append(memo)
        if memo.positive and not memo.many:
            taken.add(memo.slot)
    return kept


def remembered(draft: Draft) -> list[Item]:
    """For packs that tell it in the context line: what this message touches, what matters whatever it is about, and on
    meeting again what else is personal."""
    if not any(memory.items for _, memory in slices(draft.state)):
        return []
    fresh = draft.state.conversation.turns <= 1
    words, asked = _content(draft.reading), _asked_for(draft.reading)
    wants = any(clause.act == "requests" for clause in draft.clauses)  # it may need what no word of it names
    chosen: list[tuple[int, bool, Memo]] = []
    for _, memory in slices(draft.state):
        if not memory.items:
            continue
        index = by_words(memory, draft.reading.reader)
        essential = index.get(ESSENTIAL, {})
        shared = dict.fromkeys(essential, 0)
        if fresh or wants:
            for memo in islice(reversed(memory.items.values()), None if fresh else TOLD):
                if memo.category in _OF_THE_PERSON and (wants or memo.session != draft.origin):
                    shared[memo.id] = 0
        for key in (*words, *asked):
            for id in index.get(key, ()):
                shared[id] = shared.get(id, 0) + 1
        chosen += [(-count, id not in essential, memory.items[id]) for id, count in shared.items()]
    if not chosen:
        return []
    now, version, reader = draft.moment.at, draft.moment.version, draft.reading.reader
    shown = {value.fact for value in draft.state.slots.values.values()} if "slots" in draft.state else ()
    answers = "answers" in draft.state
    best = sorted(
        (
            (count, spare, -memo.recorded, memo.id, memo)
            for count, spare, memo in chosen
            if memo.id not in shown
            and memo.category != SLOT
            and not (memo.question and answers and memo.session == draft.origin)
            and not (memo.session == draft.origin and version - memo.version < _recent(reader, memo, wants or count))
            and effective(memo, now) >= SHOWN
            and not expired(memo, now)
        )
    )[:TOLD]
    told = "; ".join(_line(memo, memo.label, now)[2:] for *_, memo in best)
    return [Item("Remembered", told, keep=40)] if told else []


def _recent(reader: Reader, memo: Memo, needed: int) -> int:
    """Rows of the log after which an item is told again: until then the agent sees the message that said it. What could
    do harm is told at once, and what a message touches or a request may need a little later."""
    return 1 if slot_kind(reader, memo.slot).vital else NEEDED if needed else RECENT


ASKED_CHARS = 400
"""Characters of a message that are looked at for the attributes it names."""


def _asked_for(reading: Reading) -> set[str]:
    """The attributes and types that a message names, so that "what food do I hate?" meets the cilantro."""
    kinds = {kind for token in reading.find(tokens_of) if token.start < ASKED_CHARS for kind in token.kinds}
    return {f"={kind}" for kind in kinds if kind.startswith("attr/") or kind in NAMED_TYPES}


def _content(reading: Reading) -> set[str]:
    small = reading.reader.phrases("small", "words")
    return {f"word {w}" for a, b in reading.tokens[:60] if len(w := reading.folded[a:b]) > 2 and w not in small}
