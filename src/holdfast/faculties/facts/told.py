"""What a person told, clause by clause, as a question about it sees it: the words that mean something, in all their
forms and by what they mean in English; what each clause holds (a time, a place, a name); and what is kept of it.

A clause of which something is kept stands for that. What was taken back or has a successor tells nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import inf
from typing import NamedTuple

from holdfast import telling
from holdfast.faculties.facts.memos import slices
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.telling import NAMED_TYPES
from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import TIMES, token_types, typed_spans, value_types
from holdfast.reading.lexicon import kinds as kinds_of
from holdfast.reading.model.alike import alike
from holdfast.reading.model.clauses import LANGUAGES, Clause
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.text import fold
from holdfast.state import State

MAX_KEPT, MAX_PAIRS = 4096, 65536
"""Messages whose clauses are kept at hand, and pairs of words of which is known how near they are."""
NEWEST = 40
"""Messages that may tell what is asked whatever their words are."""
AROUND = 0.7
"""What words count that are not of a clause but of what it is told beside."""
BY_FORM, BY_ATTRIBUTE, BY_TYPE, BY_MEANING = 0.9, 0.6, 0.5, 0.8
"""How well two words fit that begin alike, that name one attribute, that are of one type, and that mean the same."""
RELATED = 0.4
"""How near two words are in meaning from which they have to do with each other."""
LISTED = 0.9
"""What a thing on a list tells of what it names."""
SHARED = 0.5
"""Share of the words that take something back which a clause must hold to be gone."""
MIN_PREFIX, MAX_ENDING = 4, 3
"""Letters with which two forms of a word begin alike, and those that one of them may have more."""
SENTENCE = 3
"""Words of a value up to which it is no sentence."""
KNOWN_BEHIND = 5
"""Words behind "everything" among which the one stands that says it to be what is known."""
KIN, CHANGES, KNOWN, POINTS = "kin", "changes", "known", "points"
_SAYS_SO = frozenset({"now", "changeverb"})
"""Kinds of words that say that something is another now."""
_MADE_OF = {
    **dict.fromkeys(("weekday", "month", "dayPart", "season", *TIMES), "when"),
    **dict.fromkeys(("workplace", "placekind"), "place"),
}
"""What can be asked for, by the kinds of words that tell it."""


class Word(NamedTuple):
    """A word that means something: its forms, in its language and in English, and what it is."""

    keys: frozenset[str]
    kinds: frozenset[str]
    heads: frozenset[str] = frozenset()
    """How those of its forms begin that are long enough to be known again with another ending."""
    english: tuple[str, ...] = ()
    """What it means in English."""
    weight: float = 1.0

    @property
    def attributes(self) -> list[str]:
        """The attributes that it names; a relative is no attribute: a brother is no sister."""
        return [] if KIN in self.kinds else [kind[5:] for kind in sorted(self.kinds) if kind.startswith("attr/")]


class Part(NamedTuple):
    """A clause of something told."""

    start: int
    end: int
    act: str
    words: tuple[Word, ...]
    types: frozenset[str]
    memo: Memo | None = None
    about: tuple[Word, ...] = ()
    """The attribute under which it is kept."""
    share: float = 1.0
    """How far it still holds."""


class Told(NamedTuple):
    """A message or a sentence of the person, as the clauses that it is made of."""

    text: str
    at: float
    parts: tuple[Part, ...]
    asked: tuple[Word, ...] = ()
    """What the agent had said before it."""
    after: tuple[Word, ...] = ()
    """What the person had said before it."""
    on: str = ""
    """The list that it stands on."""


class Message(NamedTuple):
    """A message of the person."""

    session: str
    version: int
    at: float
    text: str
    kept: bool
    """Whether it taught anything."""
    asked: str = ""
    """What the agent had said before it."""
    after: str = ""
    """What the person had said before it."""


@kept(MAX_KEPT)
def parts_of(reader: Reader, text: str) -> tuple[Part, ...]:
    """The clauses of a message."""
    reading = reader.read(text)
    made = []
    for clause in reading.after(""):
        inside = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
        words = [*words_in(reading, inside), *(_kept_as(value.attribute) for value in clause.values)]
        act = "asks" if clause.act == "requests" and for_all(reading, inside) else clause.act
        made.append(Part(clause.start, clause.end, act, tuple(words), _types_in(reading, clause, inside, words)))
    return tuple(made)


def _types_in(reading: Reading, clause: Clause, inside: Sequence[Token], words: Sequence[Word]) -> frozenset[str]:
    """The types of what a clause gives, and whether it points at something."""
    typed = [one.type for one in reading.find(typed_spans) if clause.start <= one.start < clause.end]
    points = {POINTS} if has(reading, inside, "pronouns") else set[str]()
    return _types({*typed, *_named(inside), *points}.union(*(word.kinds for word in words)), inside)


def for_all(reading: Reading, inside: Sequence[Token]) -> bool:
    """Whether all that is known of something is to be told: "a rundown of the stack", "list all ports"."""
    shows = any(token.word in reading.phrases("question", "requests") for token in inside)
    return has(reading, inside, "summaries") or (shows and has(reading, inside, "all")) or all_known(reading, inside)


def all_known(reading: Reading, inside: Sequence[Token]) -> bool:
    """Whether all that is known is named as such: "everything we decided", "все что помнишь", "todo lo apuntado"."""
    places = [place for place, token in enumerate(inside) if names_all(reading, token)]
    near = [token for place in places for token in inside[place + 1 : place + 1 + KNOWN_BEHIND]]
    yours = has(reading, near, "you") and has(reading, near, "have")
    return yours or any(KNOWN in asked_with(reading.reader, token) for token in near)


def names_all(reading: Reading, token: Token) -> bool:
    return "everything" in token.kinds or has(reading, [token], "all")


def asked_with(reader: Reader, token: Token) -> frozenset[str]:
    """What a word asks for, by what it means in English or as it is."""
    table = reader.data("asking_back_wants", None)
    return frozenset(str(table[word]) for word in (token.word, *token.english.split()) if word in table)


def has(reading: Reading, inside: Iterable[Token], key: str) -> bool:
    """Whether there is a word of some kind among others."""
    words = reading.reader.phrases("asking_back", key)
    return any(token.word in words or token.english in words for token in inside)


def _types(found: set[str], inside: Sequence[Token]) -> frozenset[str]:
    """What can be asked for of some words, and whether they say that something is another now."""
    found = found.union(*map(token_types, inside))
    found |= {_MADE_OF[kind] for kind in found if kind in _MADE_OF}
    return frozenset(found | {CHANGES} if any(_SAYS_SO & {*token.kinds} for token in inside) else found)


def words_of(reader: Reader, text: str) -> list[Word]:
    """The words of a text that mean something."""
    return [word for part in parts_of(reader, text) for word in part.words] if text.strip() else []


def words_in(reading: Reading, found: Iterable[Token]) -> list[Word]:
    """The words among some that mean something; one that only asks does not."""
    made = []
    for token in found:
        meant = _meant(reading, token) if token.shape != "." else []
        attribute = any(kind.startswith("attr/") for kind in token.kinds)  # "how old"
        if meant and (attribute or "askword" not in token.kinds):
            made.append(_word(reading.reader, token, meant))
    return made


def _word(reader: Reader, token: Token, meant: Iterable[str]) -> Word:
    cut = reader.made(Endings).word
    kinds = {*token.kinds, *(kind for one in kinds_of(token.english.split(), ("en",)) for kind in one)}
    keys = frozenset(cut(cut(word)) for word in meant)
    heads = frozenset(key[:MIN_PREFIX] for key in keys if len(key) >= MIN_PREFIX)
    return Word(keys, frozenset(kinds), heads, tuple(token.english.split()) or (token.word,))


def _meant(reading: Reading, token: Token) -> list[str]:
    """A word and what it means in English, unless either says nothing."""
    own, english = (_small(reading.reader, language) for language in (reading.language, "en"))
    meant = token.english.split()
    if token.word in own or (meant and english.issuperset(meant)):
        return []
    return [token.word, *(word for word in meant if word not in english)]


def _small(reader: Reader, language: str | None) -> frozenset[str]:
    return reader.phrases("small", "words", language) | reader.phrases("asking_back", "small", language)


def _named(inside: Sequence[Token]) -> Iterator[str]:
    """Whether somebody or something is named: "is called Rex", "my sister Noreen"."""
    if any("attr/name" in token.kinds for token in inside):
        yield "name"
    for one, other in pairwise(inside):
        if {KIN, "animal"} & {*one.kinds} and other.shape in "wW" and not (other.kinds or other.english):
            yield "name"


def best(word: Word, others: Iterable[Word]) -> float:
    """How well the best of some words fits a word."""
    return max((other.weight * _alike(word, other) for other in others), default=0.0)


@kept(MAX_PAIRS)
def _alike(word: Word, other: Word) -> float:
    if word.keys & other.keys:
        return 1.0
    if word.heads & other.heads and any(_forms(one, two) for one in word.keys for two in other.keys):
        return BY_FORM
    type = word.kinds & NAMED_TYPES
    named = _by_attribute(word, other, bool(type)) or (BY_TYPE if type & other.kinds else 0.0)
    return max(named, _by_meaning(word.english, other.english))


@kept(MAX_PAIRS)
def _by_meaning(words: tuple[str, ...], others: tuple[str, ...]) -> float:
    near = max((alike(word, other) for word in words for other in others), default=0.0)
    return BY_MEANING * near if near >= RELATED else 0.0


def _by_attribute(word: Word, other: Word, of_a_type: bool) -> float:
    """How well two words fit by the attribute that one names: best where the other is kept under it. (A dog is a pet,
    and a cat another one.)"""
    names = word.attributes if other.kinds else ()
    if any(f"slot/{name}" in other.kinds for name in names):
        return BY_ATTRIBUTE if of_a_type else 1.0
    return BY_ATTRIBUTE if any(f"attr/{name}" in other.kinds for name in names) else 0.0


def _forms(one: str, other: str) -> bool:
    """Whether two words are forms of one: the longer one only has an ending more."""
    short, long = sorted((one, other), key=len)
    return len(short) >= MIN_PREFIX and len(long) - len(short) <= MAX_ENDING and long.startswith(short)


class _Held:
    """What is remembered by the message that it came from, and what was closed last."""

    def __init__(self, states: Iterable[State]) -> None:
        self.now: dict[tuple[str, int], list[Memo]] = {}
        self.closed: dict[tuple[str, int], list[Memo]] = {}
        self.all: dict[str, Memo] = {}
        for memory in [memory for state in states for _, memory in slices(state)]:
            for memos, by_place in ((memory.items.values(), self.now), (memory.closed, self.closed)):
                for memo in [memo for memo in memos if memo.id not in self.all]:
                    by_place.setdefault((memo.session, memo.version), []).append(memo)
                    self.all[memo.id] = memo


def told_in(
    reading: Reading, states: Iterable[State], messages: Iterable[Message], asked: Sequence[Word], all: bool = False
) -> list[Told]:
    """What the person told in these messages and whatever else is remembered, the oldest first: the newest, and what
    has a word of what is asked. (To look at every clause of all that somebody ever said takes seconds.) A clause of
    which several things are kept stands for the first of them, or for `all`."""
    reader, held, found = reading.reader, _Held(states), list[Told]()
    for place, message in enumerate(sorted(messages, key=lambda message: -message.at)):
        here = held.now.pop((message.session, message.version), [])
        if place < NEWEST or _shares(reading, f"{message.text} {message.asked}", here, asked):
            parts = tuple(_standing(reader, message, here, held, all))
            asked_for = tuple(first_look(reader, message.asked, reading.language))
            after = tuple(first_look(reader, message.after, reading.language))
            found.append(Told(message.text, message.at, parts, asked_for, after))
    for memo in chain.from_iterable(held.now.values()):
        if _shares(reading, memo.words or memo.text or memo.value, [memo], asked):
            found.append(_sentence(reader, memo, held))
    found.sort(key=lambda told: told.at)
    return _untaken(found)


def on_list(reader: Reader, name: str, items: Iterable[str]) -> list[Told]:
    """What stands on a list: it holds now, whatever was said of it before, and tells less than a sentence."""
    return [Told(item, inf, (_whole(reader, item)._replace(share=LISTED),), on=name) for item in items]


def _shares(reading: Reading, text: str, memos: Iterable[Memo], asked: Sequence[Word]) -> bool:
    words = [
        *first_look(reading.reader, text, reading.language),
        *(word for memo in memos for word in _about(reading.reader, memo)),
    ]
    return any(best(word, words) for word in asked)


@kept(MAX_KEPT)
def first_look(reader: Reader, text: str, language: str | None) -> list[Word]:
    """The words of a text, without a look at its clauses."""
    return [_word(reader, token, (token.word, *token.english.split())) for token in tokens(text, language)]


def _standing(reader: Reader, message: Message, now: Sequence[Memo], held: _Held, all: bool) -> Iterator[Part]:
    """The clauses of a message, each with what is kept of it; without those of which nothing holds any more."""
    for part in parts_of(reader, message.text):
        here = _inside(part, now)
        if here:
            yield from (_remembered(reader, part, memo, held) for memo in here[: None if all else 1])
        elif not _inside(part, held.closed.get(message[:2], ())):
            yield _unkept(part, message)


def _unkept(part: Part, message: Message) -> Part:
    """A clause of which nothing is kept."""
    return part._replace(act="states") if part.act == "requests" and message.kept else part


def _inside(part: Part, memos: Iterable[Memo]) -> list[Memo]:
    return [memo for memo in memos if part.start <= memo.start < part.end]


def _remembered(reader: Reader, part: Part, memo: Memo, held: _Held) -> Part:
    """A clause with what is kept of it: the attribute and its names, and what it took the place of."""
    about = tuple(_about(reader, memo))
    before = [held.all[id] for id in memo.replaces if id in held.all]
    olds = [word for old in before for word in words_of(reader, old.text or old.value)]
    own = words_of(reader, memo.value) if is_renewed(memo, memo.words) else ()
    words = (*part.words, *about, *own, *(word._replace(weight=AROUND) for word in olds))
    types = part.types | value_types(reader, memo.value)
    return part._replace(words=words, types=types, memo=memo, about=about, act="states")


def is_renewed(memo: Memo, text: str) -> bool:
    """Whether something is kept in the words in which it was told before, with a value of another message."""
    return bool(memo.replaces) and len(memo.value.split()) > SENTENCE and fold(memo.value) not in fold(text)


def _about(reader: Reader, memo: Memo) -> list[Word]:
    """The attribute of an item, and the words of its name."""
    head, _, rest = memo.slot.partition("/")
    named = rest or (memo.slot if memo.kind == "decision" else "")
    called = [(telling.words(one).name(memo.slot), one) for one in LANGUAGES] if rest else []
    names = [word for name, one in called for word in first_look(reader, name, one)]
    return [_kept_as(head, memo.kind), *first_look(reader, named.replace("_", " "), "en"), *names]


def _kept_as(*attributes: str) -> Word:
    """Stands for an attribute that something is told of, whether a word names it or not: "Tom is 9"."""
    return Word(frozenset(), frozenset(f"slot/{name}" for name in attributes))


def _sentence(reader: Reader, memo: Memo, held: _Held) -> Told:
    """Something remembered whose message is not at hand."""
    text = memo.words or memo.text or memo.value
    return Told(text, memo.recorded, (_remembered(reader, _whole(reader, text), memo, held),))


def _whole(reader: Reader, text: str) -> Part:
    """A text as one clause."""
    types = frozenset[str]().union(*(part.types for part in parts_of(reader, text)))
    return Part(0, len(text), "states", tuple(words_of(reader, text)), types)


def _untaken(found: Sequence[Told]) -> list[Told]:
    """Without what was only said and later taken back by its words: "forget all about the boat"."""
    made: list[Told] = []
    taken: list[Sequence[Word]] = []
    for told in reversed(found):
        parts = [part for part in told.parts if part.memo is not None or not _is_taken(part, taken)]
        made.append(told._replace(parts=tuple(parts)))
        taken += [_named_in(part) for part in told.parts if part.act == "retracts" and _named_in(part)]
    return made[::-1]


def _named_in(part: Part) -> list[Word]:
    return [word for word in part.words if word.keys]


def _is_taken(part: Part, taken: Iterable[Sequence[Word]]) -> bool:
    return any(sum(best(word, part.words) for word in words) >= SHARED * len(words) for words in taken)
