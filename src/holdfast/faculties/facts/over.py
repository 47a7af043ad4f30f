"""Which of the facts that are held a message says to be over: ended, or replaced by another.

A linear scorer over whole numbers decides for one clause and one fact (`over.bin`, made by `training/over.py`): how the
clause names the fact, what it gives of the same attribute, what it does, and its words, with the fact and the new value
in their places ("sold the @", "moved from @ to #"). Only facts that a clause shares something with are asked about, and
those that were told a moment ago. Nothing here knows a word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from holdfast.faculties.facts.attributes import values_of
from holdfast.faculties.facts.lookup import content
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.things import Piece, Thing, shared, thing
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import means_same, value_types
from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import Clause, Value
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.standing import standing
from holdfast.reading.text import fold

_FILE = os.path.join(os.path.dirname(__file__), "over.bin")
CHOICE = "choice"
"""What tools and decisions are one of; and the slot of what was chosen of a few that were shown."""
JUST, LATELY = 3, 8
"""Rows of the log within which a fact was told just now, and lately."""
STEM = 6
HARDLY = 64
"""How far telling nothing leads over an attribute that a clause is hardly about."""
_BUCKET = 16
_SIZES = (1.5, 4, 50)
"""How many times as much a value becomes, in steps."""
CHANGES = frozenset({"now", "changeverb"})
"""Kinds of words that say that something is another now."""
_FACT, _OTHER = "@", "#"
"""Stand for the words of the fact, and for a value that may take its place."""


class Told(NamedTuple):
    """A fact that is held, and when it was told."""

    memo: Memo
    ago: int
    """How many rows of the log ago; many, where it was in another conversation."""


class Message:
    """A message as the scorer looks at it."""

    def __init__(self, reading: Reading, clauses: Sequence[Clause], asked: str) -> None:
        self.reading, self.clauses, self.asked = reading, clauses, asked

    @cached_property
    def parts(self) -> list[Part]:
        return [Part(self, clause, place) for place, clause in enumerate(self.clauses)]

    @cached_property
    def agent(self) -> frozenset[str]:
        """What the agent spoke of just before."""
        return content(self.reading.reader, self.asked)


class Part:
    """A clause as the scorer looks at it."""

    def __init__(self, message: Message, clause: Clause, place: int) -> None:
        reading = message.reading
        self.message, self.clause, self.place = message, clause, place
        stem = reading.reader.made(Endings).stem
        inside = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
        self.tokens = [token for token in inside if token.shape != "."]
        self.stems = [stem(token.word)[:STEM] for token in self.tokens]
        self.words = frozenset(self.stems)
        self._judged: dict[_Fact, tuple[int, list[str]]] = {}

    @cached_property
    def values(self) -> list[tuple[Value, str, str]]:
        """Its values, with the family of the attribute of each, and their words."""
        reading = self.message.reading
        return [
            (value, family(reading.reader, value.attribute), reading.words((value.start, value.end)))
            for value in values_of(reading, self.clause)
        ]

    @cached_property
    def thing(self) -> Thing:
        """What it is about, and the days, times and numbers that it gives of it."""
        return thing(self.message.reading.reader, self.message.reading.text[self.clause.start : self.clause.end])

    @cached_property
    def denied(self) -> list[Piece]:
        """Those values that it says not to be so."""
        flags, at = self.message.reading.find(standing), self.clause.start
        return [one for one in self.thing.pieces if "negated" in flags.of((at + one.start, at + one.end))]

    @cached_property
    def about(self) -> str:
        return family(self.message.reading.reader, self.clause.tells.best)

    @cached_property
    def named(self) -> frozenset[str]:
        """The attributes that its words name."""
        return frozenset(kind[5:] for kind in self.clause.kinds if kind.startswith("attr/"))

    @cached_property
    def beside(self) -> list[tuple[str, Part | None]]:
        """The clauses before and after it."""
        parts, before, after = self.message.parts, self.place - 1, self.place + 1
        return [("<", parts[before] if before >= 0 else None), (">", parts[after] if after < len(parts) else None)]

    def lead(self, told: Told, how: Touch) -> tuple[int, list[str]]:
        """How far being over leads, of a fact that it touches, and by which features; facts that are alike to it are
        judged once."""
        fact = _fact(self, told, how)
        if fact not in self._judged:
            seen = _features(self, fact)
            self._judged[fact] = judge().lead(seen), seen
        return self._judged[fact]


def family(reader: Reader, attribute: str) -> str:
    """What an attribute or a slot is one of: tools and decisions are of one family, whatever they are for."""
    slot = str(reader.data("memory_attributes", None).get(attribute, attribute)).partition("/")[0]
    return CHOICE if slot in ("tool", "tooling", "decision") else slot


def kin_of(reader: Reader, memo: Memo) -> str:
    """The family of a fact; the slot of a decision is what it was decided for, but for what is only chosen of a few."""
    if memo.slot == CHOICE:
        return "chosen"
    return CHOICE if memo.kind == "decision" else family(reader, memo.slot)


class Touch(NamedTuple):
    """How a clause touches a fact."""

    name: str
    """Whether it names all of it, a part, or a word of what was said of it."""
    about: str
    """Whether it gives a value of the attribute, is about it, or names it."""
    near: str
    """When the fact was told."""
    asked: str
    """How the agent just named it."""


def touch(part: Part, told: Told) -> Touch | None:
    """How a clause touches a fact; None where it does not."""
    reader, memo = part.message.reading.reader, told.memo
    held, head = content(reader, memo.value), kin_of(reader, memo)
    name, asked = _shared(held, part.words), _shared(held, part.message.agent)
    if name == "no" and not content(reader, f"{_purpose(memo)} {memo.text}").isdisjoint(part.words):
        name = "text"
    kin = any(other == head for _, other, _ in part.values)
    about = "value" if kin else "about" if part.about == head else "attr" if head in part.named else "no"
    near = when(told.ago)
    hardly = about == "no" or (about == "about" and part.clause.told < -HARDLY and near == "2")
    silent = name == asked == "no" and hardly and (about != "no" or near != "0")
    return None if silent else Touch(name, about, near, asked)


def when(ago: int) -> str:
    """When a fact was told: just now, lately, or before that."""
    return "0" if ago <= JUST else "1" if ago <= LATELY else "2"


def _purpose(memo: Memo) -> str:
    """What something was chosen for."""
    return memo.slot if memo.kind == "decision" else memo.slot.partition("/")[2]


def _shared(held: frozenset[str], said: frozenset[str]) -> str:
    """How much of a fact some words have."""
    shared = held & said
    return "no" if not shared else "all" if shared == held else "part"


class _Fact(NamedTuple):
    """All that counts of a fact that a clause touches."""

    how: Touch
    head: str
    many: str
    positive: bool
    size: int
    """How many words it has."""
    values: tuple[str, ...]
    """How the values of the clause stand to it."""
    thing: tuple[str, ...]
    """How far the clause names its thing, and how the days, times and numbers stand to each other."""
    said: frozenset[str]
    """Which words of the clause it has."""
    beside: tuple[bool, ...]
    """Whether the clauses before and after name it."""


def _fact(part: Part, told: Told, how: Touch) -> _Fact:
    reader, memo = part.message.reading.reader, told.memo
    held, head = content(reader, memo.value), kin_of(reader, memo)
    return _Fact(
        how,
        head,
        "m" if slot_kind(reader, memo.slot).many else "1",
        memo.positive,
        min(len(memo.value.split()), 4),
        tuple(_values(part, memo, head)),
        tuple(_of_thing(part, thing(reader, memo.text or memo.value))),
        held & part.words,
        tuple([other is not None and not held.isdisjoint(other.words) for _, other in part.beside]),
    )


def features(part: Part, told: Told, how: Touch) -> list[str]:
    """A clause and a fact that it touches."""
    return _features(part, _fact(part, told, how))


def _features(part: Part, fact: _Fact) -> list[str]:
    (name, about, near, asked), head, many, positive, words, values, things, *_ = fact
    clause = part.clause
    lead, keep, tells = min(clause.lead // _BUCKET, 3), max(-4, min(clause.keep // _BUCKET, 4)), clause.told // 32
    touched = f"{name} {about}"
    found = [
        f"n={name}",
        f"a={about}",
        f"r={near}",
        f"q={asked}",
        f"na={touched}",
        f"nar={touched} {near}",
        f"naq={touched} {asked}",
        f"nam={touched} {many}",
        f"act={clause.act}",
        f"actl={clause.act} {lead}",
        f"acth={clause.act} {head}",
        f"actn={clause.act} {touched}",
        f"an={clause.act} {name}",
        f"anl={clause.act} {name} {lead}",
        f"ana={clause.act} {name} {asked} {near}",
        f"actr={clause.act} {near} {name}",
        f"actq={clause.act} {asked} {name}",
        f"actm={clause.act} {about} {many}",
        f"h={head}",
        f"hn={head} {touched}",
        f"k={keep}",
        f"kn={keep} {name}",
        f"t={max(-3, min(tells, 3))} {about}",
        f"size={min(len(part.tokens), 8)}",
        f"sizen={min(len(part.tokens), 4)} {touched} {near}",
        f"pos={positive}",
        f"vn={words} {name}",
    ]
    found += values
    found += [f"{value} {name}" for value in values]
    signs = "".join(sorted({value.sign[0] for value, _, _ in part.values}))
    found += [f"sg={signs} {name}", f"sga={signs} {clause.act} {name}", f"sgq={signs} {asked} {about}"]
    found += [f"{value} {clause.act}" for value in values]
    found += [f"{value} {near}{many}" for value in values]
    how = f"{not clause.kinds.isdisjoint(CHANGES)} {near}"
    found += [f"{one}{more}" for one in things for more in ("", f" {clause.act}", f" {how}")]
    found += _beside(part, fact)
    found += _worded(part, fact)
    if asked != "no" and name == "no":  # "how is the Corsa?" – "sold it"
        found += [f"wq={word} {asked}" for one in part.tokens for word in (one.english or one.word).split()]
        found.append(f"qv={asked} {about} {clause.act} {lead}")
    return [*dict.fromkeys(found)]


def _values(part: Part, memo: Memo, head: str) -> Iterator[str]:
    """How the values of a clause stand to a fact."""
    reader = part.message.reading.reader
    held, types = content(reader, memo.value), value_types(reader, memo.value)
    if not part.values:
        yield "v=none"
    for value, other, words in part.values:
        how = "same" if fold(words) == fold(memo.value) else _overlaps(content(reader, words), held)
        kin = "kin" if other == head else "type" if types & value_types(reader, words) else "no"
        sure = "s" if value.lead >= _BUCKET else "d"
        yield f"v={how} {kin} {value.sign}"
        yield f"vs={how} {kin} {value.sign} {sure}"


def _overlaps(said: frozenset[str], held: frozenset[str]) -> str:
    """How much of some words others have."""
    if said and said == held:
        return "same"
    shared = "more" if held < said else "part"
    return shared if said & held else "other"


def _of_thing(part: Part, held: Thing) -> Iterator[str]:
    """How far a clause names the thing of a fact, and how its days, times and numbers stand to those of the fact."""
    said, reader = part.thing, part.message.reading.reader
    both = len(shared(said.names, held.names))
    named = f"{_share(both, len(said.names))} {_share(both, len(held.names))}"
    pairs = {_stand(reader, part, new, old) for new in said.pieces for old in held.pieces}
    how = min(pairs, default=f"{bool(said.pieces)} {bool(held.pieces)}")
    yield f"tn={named}"
    yield f"tp={how}"
    yield f"tpn={how} {named}"
    yield f"tpc={how} {min(len(said.pieces), 3)} {min(len(held.pieces), 3)}"


def _share(part: int, whole: int) -> str:
    if not whole or not part:
        return "no" if whole else "-"
    return "all" if part == whole else "most" if 2 * part >= whole else "few"


def _stand(reader: Reader, part: Part, new: Piece, old: Piece) -> str:
    """How a value of a clause stands to one of a fact; what tells most comes first by its letters."""
    if means_same(reader, new.words, old.words):
        return "0denied" if new in part.denied else "2same"
    if not new.like(old):
        return "3no"
    unit = "bare" if not (new.unit or old.unit) else "unit" if new.unit == old.unit else "half"
    return f"1{old.type} {unit} {sum(new.times(old) > size for size in _SIZES)} {new.type == old.type}"


def _beside(part: Part, fact: _Fact) -> Iterator[str]:
    """What the clauses before and after do, and whether they give another value of the attribute or name the fact."""
    for (side, other), named in zip(part.beside, fact.beside, strict=True):
        if other is None:
            yield f"{side}none"
            continue
        gives = any(kin == fact.head and value.sign == "yes" for value, kin, _ in other.values)
        yield f"{side}act={other.clause.act}"
        yield f"{side}kin={gives}"
        yield f"{side}kin={gives} {part.clause.act}"
        yield f"{side}n={named}"


def _worded(part: Part, fact: _Fact) -> Iterator[str]:
    """The words of a clause by what they mean, with the fact and what may take its place as such."""
    (name, about, near, _), head = fact.how, fact.head
    new = {
        place
        for value, kin, _ in part.values
        for place, token in enumerate(part.tokens)
        if kin == head and value.sign == "yes" and value.start <= token.start < value.end
    }
    said: list[str] = []
    for place, (token, stem) in enumerate(zip(part.tokens, part.stems, strict=True)):
        if stem in fact.said:
            said += [_FACT] if said[-1:] != [_FACT] else []
        elif place in new:
            said += [_OTHER] if said[-1:] != [_OTHER] else []
        else:
            said += ["0"] if token.shape == "0" else (token.english or token.word).split()
            yield from (f"kd={kind} {name}" for kind in token.kinds)
            yield from (f"ka={kind} {about}" for kind in token.kinds)
            yield from (f"kh={kind} {head}" for kind in token.kinds)
    for word in dict.fromkeys(said):
        yield f"w={word}"
        yield f"wn={word} {name}"
        yield f"wa={word} {about} {near}"
        yield f"wh={word} {head}"
        if len(word) > 5:
            yield f"p={word[:4]} {name}"
    yield from (f"2={one} {two}" for one, two in zip(["^", *said], [*said, "$"], strict=True))
    yield from (f"3={' '.join(three)}" for three in zip(said, said[1:], said[2:], strict=False))


@cache
def judge() -> Scorer:
    """The scorer, loaded when somebody first asks."""
    return scorer.load(_FILE)["over"]
