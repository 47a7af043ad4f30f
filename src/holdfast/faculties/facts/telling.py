"""What the agent is told of the memory: sections of the system prompt, or, for packs that tell it in the context line,
what a message touches and what is essential.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from itertools import islice

from holdfast.faculties.conversation import RECENT
from holdfast.faculties.facts.lookup import ESSENTIAL, by_words, of_kind
from holdfast.faculties.facts.memos import SLOT, Memory, live, open_slots, slices
from holdfast.faculties.facts.relations import Memo, effective, expired, slot_kind
from holdfast.faculties.facts.whose import speaks_of_oneself
from holdfast.faculty import Draft, Item, Section
from holdfast.reading.decisions import ARCHITECTURE
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Reading
from holdfast.reading.text import fold
from holdfast.state import State

FACTS, PREFERENCES, DECISIONS = 5, 10, 40
TOLD = 12
"""Items in the context line."""
DAY = 86400.0
NAMED_TYPES = frozenset({"food", "drink", "animal", "hobby", "medication", "vehicle", "health"})
"""Types by which a question may ask for what is known."""
NEEDED = 4
"""Rows of the log after which an item is told again that a message touches, or a request may need."""
_OF_THE_PERSON = frozenset(
    "personal communication preference context schedule other style answer tooling workflow".split()
)
SHOWN = 0.6
"""Confidence from which the agent is told."""


def memory_sections(state: State, now: float) -> list[Section]:
    """The sections of what is remembered, current items only. They stay the same until the memory changes or a minute
    has gone by."""
    now = now // 60 * 60
    shown = [memo for _, memo in live(state) if _sure(memo, now)]
    facts, preferences, stack = _by_section(shown)
    made = [memo for _, memo in of_kind(state, "decision")][:DECISIONS]
    open_now = open_slots(state)
    told = [
        ("User Context", 60, "label", _best(facts, now, FACTS)),
        ("User Preferences", 55, "entry", _best(_unshadowed(preferences), now, PREFERENCES)),
        ("Current Decisions", 50, "label", made[::-1]),
        ("Project Context", 35, "entry", _best(_unshadowed(stack), now, PREFERENCES)),
    ]
    return [
        Section(
            name, "\n".join((f"## {name}", *(_line(m, getattr(m, words), now, open_now) for m in memos))), keep=keep
        )
        for name, keep, words, memos in told
        if memos
    ]


def _by_section(shown: list[Memo]) -> tuple[list[Memo], list[Memo], list[Memo]]:
    """Facts, preferences and what the project is built on: as it is said to be, else as it was only mentioned."""
    by_kind: dict[str, list[Memo]] = {"fact": [], "preference": [], "context": [], "built on": []}
    for memo in shown:
        if memo.kind != "decision":
            by_kind["built on" if memo.slot in ARCHITECTURE and memo.lifespan != "permanent" else memo.kind].append(
                memo
            )
    facts, preferences, stack, built_on = by_kind.values()
    mentioned = [m for m in stack if not any(fold(one.value).startswith(m.value) for one in built_on)]
    return facts, preferences, built_on + mentioned


def _sure(memo: Memo, now: float) -> bool:
    return effective(memo, now) >= SHOWN and not expired(memo, now)


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
    """Without values that a narrower scope overrides. The narrowest scope comes first."""
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
    now = draft.moment.at
    wants = any(_wants(draft.reading, clause) for clause in draft.clauses)
    best = islice((memo for memo in _touched(draft, wants) if _sure(memo, now)), TOLD)
    told = "; ".join(_line(memo, memo.label, now)[2:] for memo in best)
    return [Item("Remembered", told, keep=40)] if told else []


def _wants(reading: Reading, clause: Clause) -> bool:
    """Whether a clause may need what no word of it names: a request, or a question of one's own things ("how do I …",
    "when is my …")."""
    return clause.act == "requests" or (clause.act == "asks" and speaks_of_oneself(reading, clause))


def _touched(draft: Draft, wants: bool) -> Iterator[Memo]:
    """The items that have a word of the message, are essential, or may be needed though nothing names them, and that
    the agent does not see anyway: those with the most of its words and types first, then the essential, the newest."""
    shown = {value.fact for value in draft.state.slots.values.values()} if "slots" in draft.state else ()
    found = ((-words, not matters, -memo.recorded, memo.id, memo) for memo, words, matters in _near(draft, wants))
    for words, _, _, id, memo in sorted(found):
        if id not in shown and not _in_sight(draft, memo, wants or words < 0):
            yield memo


def _near(draft: Draft, wants: bool) -> Iterator[tuple[Memo, int, bool]]:
    """The same unsorted, each with how many of the message's words and types it has, and whether it is essential."""
    keys = (*_content(draft.reading), *_asked_for(draft.reading))
    for _, memory in slices(draft.state):
        index = by_words(memory, draft.reading.reader) if memory.items else {}
        shared = Counter(id for key in keys for id in index.get(key, ()))
        essential = index.get(ESSENTIAL, {})
        for id in {**essential, **shared, **dict.fromkeys(_unnamed(draft, memory, wants))}:
            yield memory.items[id], shared[id], id in essential


def _unnamed(draft: Draft, memory: Memory, wants: bool) -> list[str]:
    """Ids of what is personal: all of earlier conversations when one begins, and the newest for a request."""
    first = draft.state.conversation.turns <= 1
    newest = islice(reversed(memory.items.values()), None if first else TOLD if wants else 0)
    personal = (memo for memo in newest if memo.category in _OF_THE_PERSON)
    return [memo.id for memo in personal if wants or memo.session != draft.origin]


def _in_sight(draft: Draft, memo: Memo, needed: bool) -> bool:
    """Whether the agent sees an item anyway: as a slot or an answer of this conversation, or in the messages that it
    still gets. What could do harm is told at once all the same, and what a message touches or a request may need a
    little later."""
    if memo.category == SLOT or memo.session != draft.origin:
        return memo.category == SLOT
    seen = NEEDED if needed else RECENT
    rows = 1 if slot_kind(draft.reading.reader, memo.slot).vital else seen
    return draft.moment.version - memo.version < rows or bool(memo.question and "answers" in draft.state)


ASKED_CHARS = 400
"""Characters of a message that are looked at for the attributes it names."""


def _asked_for(reading: Reading) -> set[str]:
    """The attributes and types that a message names, so that "what food do I hate?" meets the cilantro."""
    kinds = {kind for token in reading.find(tokens_of) if token.start < ASKED_CHARS for kind in token.kinds}
    return {f"={kind}" for kind in kinds if kind.startswith("attr/") or kind in NAMED_TYPES}


def _content(reading: Reading) -> set[str]:
    small = reading.reader.phrases("small", "words")
    return {f"word {w}" for a, b in reading.tokens[:60] if len(w := reading.folded[a:b]) > 2 and w not in small}
