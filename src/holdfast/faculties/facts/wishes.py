"""Standing wishes: how a user wants whatever is made, from now on and in every conversation.

"From now on I always want dark blue titles" is kept in its own words until the user takes it back or wishes otherwise
of the same thing; it changes nothing of what is there. Rules about libraries are `preferences.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast.events import Event
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import of_category
from holdfast.faculties.facts.memos import WISH, WishEnded, WishKept
from holdfast.faculty import Draft, Section
from holdfast.reading.model.clauses import TELLS_NOTHING, Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reading, within
from holdfast.state import State

LASTING = frozenset({"always", "now", "rememberphrase", "everything"})
"""Kinds of words that make an instruction one for all time."""
_AROUND = frozenset({"rememberphrase", "yes", "reaction"})
"""Kinds of words around a wish that are none of it: "remember: …", "… ok?"."""
_HOW = frozenset({"colour", "quality", "size", "wantphrase", "habitverb", "pointer", "thinkverb", *LASTING, *_AROUND})
"""Kinds of words that say how something is wanted, and not what."""
LOOKS = frozenset({"colour", "size", "document"})
"""Kinds of words that say what a file is or looks like."""
MAX_WISH_CHARS = 200
STEM = 5
"""Letters that the forms of a word share."""


def wishes(state: State) -> dict[str, str]:
    """What the user wants always, oldest first: what it is about → in their own words."""
    return {memo.slot: memo.value for memo in of_category(state, WISH)}


def stems(reading: Reading, start: int = 0, end: int | None = None) -> frozenset[str]:
    """The beginnings of the words that name something in a message, or in a part of it."""
    tokens = [one for one in reading.find(tokens_of) if start <= one.start and (end is None or one.end <= end)]
    named = [one.english or one.word for one in tokens if len(one.word) > STEM - 1 and _names(one)]
    return frozenset(word[:STEM].rstrip("s") for word in named)  # in any language the same


def _names(token: Token) -> bool:
    return token.shape != "." and _HOW.isdisjoint(token.kinds)


class WishesFaculty(FactsFaculty):
    name = "wishes"

    def view(self, state: State) -> dict[str, str]:
        return wishes(state)

    def hear(self, draft: Draft) -> Iterator[Event]:
        apart: list[tuple[int, int]] = []
        for clause in draft.clauses:
            event = _kept(draft, clause) if _for_good(clause) else _ended(draft, clause)
            if event is not None:
                apart.append((clause.start, clause.end))
                yield event
        if apart:
            draft.set_aside(apart)  # a wish for all time is no request at hand

    def sections(self, draft: Draft) -> Iterable[Section]:
        if held := wishes(draft.state):
            yield Section("standing_wishes", "\n".join(["**THE USER ALWAYS WANTS:**", *held.values()]), keep=87)


def _for_good(clause: Clause) -> bool:
    """Whether a clause says for all time how something shall be, and not what the person always does."""
    told = clause.act not in TELLS_NOTHING and "always" in clause.kinds and not LOOKS.isdisjoint(clause.kinds)
    return told or clause.act == "instructs"


def _kept(draft: Draft, clause: Clause) -> Event | None:
    """What a clause wants for all time, where it is about no library."""
    reading, span = draft.reading, (clause.start, clause.end)
    lasting = bool(clause.kinds & LASTING) or within(reading.all("lib_always"), span)
    about = "_".join(sorted(stems(reading, *span)))
    if not lasting or not about or within(reading.all("library"), span):
        return None
    text = " ".join(reading.words(_core(reading, span)).split())[:MAX_WISH_CHARS]
    return WishKept(about=about, text=text, scope="user", because=draft.cause("wish.kept", span))


def _core(reading: Reading, span: tuple[int, int]) -> tuple[int, int]:
    """A wish without what is only said around it."""
    tokens = [one for one in reading.find(tokens_of) if span[0] <= one.start < span[1]]
    told = [one for one in tokens if one.shape != "." and _AROUND.isdisjoint(one.kinds)]
    return told[0].start, told[-1].end


def _ended(draft: Draft, clause: Clause) -> Event | None:
    """The wish that a clause takes back: the one that it shares most words with."""
    if clause.act != "retracts" and "forgetphrase" not in clause.kinds:
        return None
    named = stems(draft.reading, clause.start, clause.end)
    about = max(wishes(draft.state), key=lambda held: len(named.intersection(held.split("_"))), default="")
    if named.isdisjoint(about.split("_")):
        return None
    return WishEnded(about=about, scope="user", because=draft.cause("wish.ended", (clause.start, clause.end)))
