"""Asking back: which of the things that a person told answers a question.

A question and what was told meet in their words, in what the words are (a dog is an animal, "allergies" an attribute
that is kept), and in what the question word and its noun ask for: a time, a place, a number, a name. A question that
only points ("and where?") is about what was talked of before. Nobody's question answers one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.facts.told import (
    BY_ATTRIBUTE,
    BY_TYPE,
    CHANGES,
    KIN,
    MAX_KEPT,
    Part,
    Told,
    Word,
    best,
    for_all,
    has,
    is_renewed,
    words_in,
    words_of,
)
from holdfast.faculties.facts.whose import OF_ONESELF, speaks_of_oneself
from holdfast.kept import kept
from holdfast.reading.model import scorer
from holdfast.reading.model.alike import alike, known, meaning, nearness
from holdfast.reading.model.clauses import KEEP, Clause
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reader, Reading

_FILE = os.path.join(os.path.dirname(__file__), "answers.bin")
ENOUGH = 0.5
"""Share of a question about a topic that what is told of it must hold."""
MAYBE, SURE = -30, -10
"""Scores from which something told may answer a question, and from which it surely does."""
ABSENT, RAREST, COMMONEST = 0.7, 1.0, 0.4
"""What a word of a question counts that nothing told has, one that little has, and one that everything has."""
HEAD = 1.5
"""What an attribute that is asked for counts more than another word."""
MEANT = 0.7
"""How near a word must be in meaning to one that asks for something."""
STEPS = 8
"""Into how many steps a share is divided."""
SURELY, HARDLY = 0.85, 0.3
"""From which a word is one of a clause, and up to which it is not."""
IN_CONTEXT, ABOUT = 0.6, 2
"""What the talk before counts where a question points there, and words that what is told of the same shares with
it."""
DOUBTED = 24
"""Lead below which the act of a clause is in doubt."""
FRAGMENT = 3
"""Words of a question that goes on with the one before: "and my son?"."""
MAX_ON_TOPIC = 8
"""Things that are told of a topic."""
MAX_MEANT, MAX_POINTED = 200, 40
"""Words of a message whose meaning counts together, and of what was said before that a question may point at: the first
and the last ones."""
MAX_LED = 8
"""Words before a clause that lead to it: whose "and it's 60 euro" is."""
MAX_QUOTED = 24
"""Words up to which what was told beside an answer is quoted with it."""
COURTEOUS = frozenset({"asks", "greets", "thanks"})
"""Acts that tell nothing, and are not even quoted beside what does."""
KNOWN = "known"
SOMEBODY = frozenset({KIN, "animal"})
_ENDS = frozenset(".!?\n")


class Question(NamedTuple):
    """What is asked."""

    words: tuple[Word, ...]
    wants: frozenset[str]
    context: tuple[Word, ...] = ()
    """What the talk was about, where the question points there."""
    everything: bool = False
    """All that is known."""
    broad: bool = False
    """All that is known of something."""
    own: bool = False
    """Whether it asks of oneself."""
    asks: tuple[str, ...] = ()
    """The words that ask, by what they mean in English: "how", "old"."""

    @property
    def attributes(self) -> list[str]:
        """The attributes that it names."""
        return list(dict.fromkeys(name for word in self.words for name in word.attributes))


class Answer(NamedTuple):
    """What answers a question: where it was told, and what is kept of it."""

    told: Told
    part: Part
    whole: bool = False
    """Whether what is asked for stands elsewhere in the message."""
    sure: bool = True
    wants: frozenset[str] = frozenset()
    """What is asked for."""

    @property
    def renewed(self) -> bool:
        """Whether the message only gave another value of what was told before."""
        return self.part.memo is not None and is_renewed(self.part.memo, self.told.text)

    @property
    def words(self) -> str:
        """The words that answer: the clause with those beside it, in its sentence or further, that still hold, as far
        as somebody would quote them. What is asked for and stands elsewhere in the message is among them."""
        beside = [part for part in self.told.parts if part.act not in COURTEOUS]
        first = last = next(place for place, part in enumerate(beside) if part.start == self.part.start)
        for place in self._others(beside, first):
            if place == first - 1 and self._goes_on(beside, place, last):
                first = place
            elif place == last + 1 and self._goes_on(beside, first, place):
                last = place
        return self.told.text[beside[first].start : beside[last].end].strip(" ,;.")

    def _others(self, beside: Sequence[Part], place: int) -> list[int]:
        """The clauses beside one in the order in which they are quoted with it: the nearest first, and where what is
        asked for stands elsewhere, first those on the way there."""
        having = [other for other, part in enumerate(beside) if self.wants & part.types] if self.whole else []
        to = min(having, key=lambda other: abs(other - place), default=place)
        way = [*range(place + 1, to + 1), *range(place - 1, to - 1, -1)]
        rest = {*range(len(beside))} - {place, *way}
        return way + sorted(rest, key=lambda other: (abs(other - place), other < place))

    def _goes_on(self, beside: Sequence[Part], first: int, last: int) -> bool:
        """Whether some clauses are quoted together: they follow each other, in one sentence, and are few words."""
        text = self.told.text[beside[first].start : beside[last].end]
        joints = list(pairwise(beside[first : last + 1]))
        follow = all(not self.told.text[one.end : other.start].strip() for one, other in joints)
        one_sentence = self.whole or all(self.told.text[one.end - 1] not in _ENDS for one, _ in joints)
        return follow and one_sentence and len(text.split()) <= MAX_QUOTED


def questions(reading: Reading, clauses: Sequence[Clause], before: Sequence[Reading]) -> list[Question]:
    """What a message asks, clause by clause; `before` are the person's messages before it, the newest last."""
    asked: list[Question] = []
    around: list[Word] = []
    for clause in clauses:
        inside = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
        for one in _asked_apart(reading, inside) if _asks(reading, clause, inside) else ():
            talk = _Talk(asked[-1:] or _last_asked(before), around or _said_before(before))
            made = _question(reading, one, talk)._replace(own=_of_oneself(reading, clause, inside))
            asked.append(made._replace(asks=made.asks or _asking_words(reading.reader, one)))
        around += words_in(reading, inside)
    return asked or _asked_on(reading, before)


def _asking_words(reader: Reader, inside: Sequence[Token]) -> tuple[str, ...]:
    asking = (token for token in inside if "askword" in token.kinds or _wants(reader, token))
    return tuple(dict.fromkeys(word for token in asking for word in (token.english or token.word).split()))


def _of_oneself(reading: Reading, clause: Clause, inside: Sequence[Token]) -> bool:
    """Whether a clause that surely asks does so of what is one's own."""
    surely = clause.act in ("asks", "requests")
    return surely and (speaks_of_oneself(reading, clause) or has(reading, inside, "own"))


def _asked_on(reading: Reading, before: Sequence[Reading]) -> list[Question]:
    """A few words that go on with the question before, whatever they are taken for: "and the worker one"."""
    said = [token for token in reading.find(tokens_of) if token.shape != "."]
    joined = said[:1] and said[0].word in reading.phrases("asking_back", "goes_on")
    if not joined or len(said) > FRAGMENT + 1 or not (last := _last_asked(before)):
        return []
    return [_question(reading, said, _Talk(last, ()))]


class _Talk(NamedTuple):
    """What a question may go on with: the one before, and the words before it."""

    asked: Sequence[Question]
    words: Sequence[Word]


def _said_before(before: Sequence[Reading]) -> list[Word]:
    return [word for message in before[-2:] for word in words_of(message.reader, message.text)]


def _asks(reading: Reading, clause: Clause, inside: Sequence[Token]) -> bool:
    """Whether a clause asks: by its act, or by an asking word or a wish for all where it wants something, or its act is
    in doubt and nothing is to be kept of it."""
    asking = for_all(reading, inside) or any("askword" in token.kinds for token in inside)
    doubtful = clause.act == "requests" or (clause.lead < DOUBTED and clause.keep < KEEP)
    return clause.act == "asks" or (asking and doubtful)


def _last_asked(before: Sequence[Reading]) -> list[Question]:
    return questions(before[-1], before[-1].after(""), ())[-1:] if before else []


def _asked_apart(reading: Reading, inside: Sequence[Token]) -> list[list[Token]]:
    """A clause as the questions that it is made of: "where do I live and where do I work"."""
    joints = reading.phrases("joints", "between")
    asking = ["askword" in token.kinds or bool(_wants(reading.reader, token)) for token in inside]
    found: list[list[Token]] = [[]]
    for place, token in enumerate(inside):
        if token.word in joints and any(asking[:place]) and any(asking[place + 1 : place + 4]):
            found.append([])
        else:
            found[-1].append(token)
    return found


def _wants(reader: Reader, token: Token) -> set[str]:
    """What a word asks for, by what it means in English or as it is."""
    table = reader.data("asking_back_wants", None)
    words = (token.word, *token.english.split())
    return {str(table[word]) for word in words if word in table} or {*_meant(reader, words)}


@kept(MAX_KEPT)
def _meant(reader: Reader, words: tuple[str, ...]) -> frozenset[str]:
    table = reader.data("asking_back_wants", None)
    near = [(alike(word, other), str(what)) for word in words for other, what in table.items() if what != KNOWN]
    best = max(near, default=(0.0, ""))
    return frozenset({best[1]} if best[0] >= MEANT else ())


def _question(reading: Reading, inside: Sequence[Token], talk: _Talk) -> Question:
    reader = reading.reader
    asking = {token: wants for token in inside if (wants := _wants(reader, token))}
    wanted = frozenset[str]().union(*asking.values())
    words = words_in(reading, [token for token in inside if token not in asking])
    if wanted == {KNOWN} or for_all(reading, inside):
        words = words_in(reading, [token for token in inside if KNOWN not in asking.get(token, ())])
        widened = tuple(_widened(reader, word) for word in words)
        return Question(widened, frozenset(), everything=not words, broad=bool(words))
    if talk.asked and not wanted and _is_fragment(inside, words):
        last = talk.asked[0]
        return Question(tuple(words), last.wants, _pointed_at(words, last.words), asks=last.asks)
    named = words or [word for word in words_in(reading, asking) if word.attributes]
    if not named and talk.asked:  # "and where?"
        return Question(talk.asked[0].words, wanted - {KNOWN}, talk.asked[0].context)
    points = not words or has(reading, inside, "pronouns")
    return Question(tuple(named), wanted - {KNOWN}, _pointed_at(named, talk.words) if points else ())


def _is_fragment(inside: Sequence[Token], words: Sequence[Word]) -> bool:
    return len(words) <= FRAGMENT and all("askword" not in token.kinds for token in inside)


def _pointed_at(words: Sequence[Word], context: Sequence[Word]) -> tuple[Word, ...]:
    """What the talk was about: "and my son?" asks of nobody else that was named, "what is my name?" of nothing else."""
    own = frozenset[str]().union(*(word.kinds for word in words))
    return tuple(word for word in context if not word.kinds & own)[-MAX_POINTED:] if "attr/name" not in own else ()


def _widened(reader: Reader, word: Word) -> Word:
    """A word that names a topic, with all that belongs to it: health is allergies and medication too, the stack all
    tools."""
    topics, names = reader.data("asking_back_topics", None), reader.data("asking_back_named", None)
    named = " ".join(str(names[name]) for name in (*word.keys, *word.english) if name in names)
    kinds = word.kinds.union(named.split())
    return word._replace(kinds=kinds.union(f"attr/{slot}" for slot, topic in topics.items() if topic in kinds))


def answers(question: Question, told: Sequence[Told], of: int) -> list[Answer]:
    """What answers a question best, the newest of what does so equally well; of a topic all that was told, in its
    order. `of` is how many things were told in all."""
    found = seen(question, told, of)
    on_topic = [Answer(one.told, one.part) for one in found if one.here >= ENOUGH] if question.broad else []
    if on_topic:
        return on_topic[-MAX_ON_TOPIC:]
    scored = [(judge().lead(features(one, found)), one) for one in found]
    best = max(scored, key=lambda one: (one[0], one[1].told.at), default=None)
    if best is None or best[0] < MAYBE:
        return []
    lead, one = best
    return [Answer(one.told, one.part, not one.fits, lead >= SURE, question.wants)]


class Seen(NamedTuple):
    """A clause of something told, as a question sees it."""

    question: Question
    told: Told
    part: Part
    here: float
    """Share of the question that the clause holds."""
    message: float
    """The same with the rest of its message."""
    around: float
    """The same with what was said before the message."""
    words: tuple[str, ...]
    """How each word of the question is met, the one that tells most first."""
    context: float
    """Share that the clause and its message hold of what the question points at."""
    fits: bool
    """Whether it has what is asked for."""
    beside: bool
    """Whether that stands elsewhere in its message."""
    led: float
    """Share that it holds with the clause before it."""
    near: tuple[float, ...]
    """How near the question is in meaning to the clause, its message, and that with what was said before."""


def seen(question: Question, told: Sequence[Told], of: int) -> list[Seen]:
    """The clauses that may answer a question, as it sees them, the oldest first."""
    asked = question._replace(words=tuple(_weighed(question.words, told, of)))
    if not (asked.words or asked.context):
        return []
    means = _meaning((*asked.words, *(word._replace(weight=word.weight * IN_CONTEXT) for word in asked.context)))
    return [one for message in told for one in _seen_in(asked, means, message)]


def _seen_in(question: Question, means: Sequence[float], told: Told) -> Iterator[Seen]:
    """The clauses of a message that may answer. How the words of the question fit its clauses is worked out once."""
    able = [place for place, part in enumerate(told.parts) if _may_answer(question, told, part)]
    if not able:
        return
    before = [*told.asked, *told.after]
    words = sorted(question.words, key=lambda word: -word.weight)
    fits = [_Fit(word, [best(word, part.words) for part in told.parts], best(word, before)) for word in words]
    points = [[best(word, part.words) for part in told.parts] for word in question.context]
    for place in able:
        yield _seen(question, means, told, place, fits, points)


class _Fit(NamedTuple):
    """How well a word of a question fits each clause of a message, and what was said before it."""

    word: Word
    inside: list[float]
    before: float


def _may_answer(question: Question, message: Told, part: Part) -> bool:
    """Whether a clause may answer: nobody's question does, what is told of one relative says nothing of another, and
    what is known of oneself nothing of either."""
    asks = part.act in COURTEOUS or message.text[: part.end].rstrip().endswith("?")
    of_oneself = part.memo is not None and part.memo.slot in OF_ONESELF
    of_others = any(SOMEBODY & word.kinds for word in question.words) and not question.own
    return not asks and _kin(question, part) != "others" and not (of_oneself and of_others)


def _meaning(words: Iterable[Word]) -> list[float]:
    return meaning((english, word.weight) for word in words for english in word.english)


def _weighed(words: Iterable[Word], told: Sequence[Told], of: int) -> Iterator[Word]:
    """The words of a question by how much each tells."""
    for word in words:
        having = sum(any(best(word, part.words) >= BY_TYPE for part in one.parts) for one in told)
        rare = RAREST - (RAREST - COMMONEST) * having / max(1, of)
        yield word._replace(weight=(HEAD if word.attributes else 1.0) * (rare if having else ABSENT))


def _seen(
    question: Question,
    means: Sequence[float],
    told: Told,
    at: int,
    fits: Sequence[_Fit],
    points: Sequence[Sequence[float]],
) -> Seen:
    part = told.parts[at]
    places = [place for place, other in enumerate(told.parts) if place != at and other.act != "asks"]
    others = [told.parts[place] for place in places]
    lead = [word for other in others if other.end <= part.start for word in other.words][-MAX_LED:]
    together = [*part.words, *(word for other in others for word in other.words)][:MAX_MEANT]
    nested = part.words, together, [*together, *told.asked, *told.after][: 2 * MAX_MEANT]
    met = []
    here = led = message = around = whole = 0.0
    for word, clauses, far in fits:
        inside, near = clauses[at], max((clauses[place] for place in places), default=0.0)
        here += word.weight * inside
        led += word.weight * max(inside, best(word, lead))
        message += word.weight * max(inside, near)
        around += word.weight * max(inside, near, far)
        whole += word.weight
        met.append(_met(word, inside, near, far))
    whole = whole or 1.0
    pointed = [max(clauses[place] for place in (at, *places)) for clauses in points]
    return Seen(
        question,
        told,
        part,
        part.share * here / whole,
        part.share * message / whole,
        part.share * around / whole,
        tuple(met),
        min(1.0, sum(pointed) / ABOUT) if pointed else 0.0,
        bool(question.wants & part.types),
        bool(question.wants & _types(others)),
        part.share * led / whole,
        tuple(nearness(means, _meaning(words)) for words in nested),
    )


def _met(word: Word, inside: float, beside: float, before: float) -> str:
    """Where and how well a word of a question is met."""
    kind = "k" if KIN in word.kinds else "n" if not (word.kinds or any(map(known, word.english))) else "w"
    for place, share in (("i", inside), ("m", beside), ("b", before)):
        if share >= SURELY:
            return f"{kind}{place}"
    best_of = max(inside, beside)
    return f"{kind}{'~' if best_of > HARDLY else '-'}"


def _types(parts: Iterable[Part]) -> frozenset[str]:
    return frozenset[str]().union(*(part.types for part in parts))


def features(one: Seen, all: Sequence[Seen]) -> list[str]:
    """A clause as the scorer looks at it, beside all others that may answer."""
    part, question = one.part, one.question
    here, message, around, context = (int(STEPS * share) for share in (one.here, one.message, one.around, one.context))
    wants = "+".join(sorted(question.wants)) or "-"
    fit = "here" if one.fits else "beside" if one.beside else "no"
    inside, absent = (sum(word[1] == how for word in one.words) for how in "i-")
    better = sum(other.message > one.message + 1 / STEPS for other in all)
    later = sum(other.message >= one.message - 1 / STEPS for other in all if other.told.at > one.told.at)
    top = max(other.around for other in all)
    memo = "none" if part.memo is None else part.memo.kind
    named = asked_by_name(question, part)
    found = [
        f"h={here}",
        f"m={message}",
        f"a={around}",
        f"c={context} {bool(question.context)} {bool(question.words)}",
        f"fit={fit} {bool(question.wants)}",
        f"w={wants} {fit}",
        f"mf={message} {fit}",
        f"af={around // 2} {fit} {context // 3}",
        f"in={min(inside, 4)} {min(absent, 3)}",
        f"better={min(better, 3)}",
        f"later={min(later, 3)}",
        f"gap={int(STEPS * (top - one.around))}",
        f"act={part.act}",
        f"new={CHANGES in part.types} {_changed_later(one, all)}",
        f"acth={part.act} {here // 3}",
        f"memo={memo}",
        f"named={named}",
        f"share={part.share < 1}",
        f"size={min(len(part.words), 8)}",
        f"on={one.told.on}",
        f"own={question.own} {part.memo is not None and part.memo.slot in OF_ONESELF}",
        f"kin={_kin(question, part)}",
    ]
    steps = [max(0, int(STEPS * near)) for near in one.near]
    found += [f"near{place}={step}" for place, step in enumerate(steps)]
    found += [f"near={steps[1]} {message // 2} {fit}", f"nearf={steps[0]} {fit}", f"neara={steps[2]} {around // 2}"]
    closer = min(sum(other.near[1] > one.near[1] + 1 / STEPS for other in all), 3)
    led, most = int(STEPS * one.led), max(other.led for other in all)
    found += [f"led={led} {fit}", f"ledgap={int(STEPS * (most - one.led))} {fit}", f"ledm={led // 2} {message // 2}"]
    found += [f"closer={closer}", f"closerb={closer} {min(better, 3)}", f"two={' '.join(one.words[:2])} {fit}"]
    return [*found, *_asked_for(one)]


def _asked_for(one: Seen) -> Iterator[str]:
    """How the words of a question are met, and each that asks beside what a clause holds: "old" and an age."""
    yield from (f"word{place}={how}" for place, how in enumerate(one.words[:2]))
    yield from (f"met={how}" for how in set(one.words))
    kept_as = (kind for word in one.part.words for kind in word.kinds if kind.startswith("slot/"))
    held = sorted({*one.part.types, *kept_as})
    asks = (*one.question.asks, *one.question.attributes)
    yield from (f"q={word} {what}" for word in asks for what in held)


def _changed_later(one: Seen, all: Sequence[Seen]) -> bool:
    """Whether something that was told later of as much of what is asked says that it is another now."""
    later = (other for other in all if other.told.at > one.told.at and other.message >= one.message - 1 / STEPS)
    return any(CHANGES in part.types for other in later for part in other.told.parts)


def _kin(question: Question, part: Part) -> str:
    asked, said = (
        {key for word in words if KIN in word.kinds for key in word.keys} for words in (question.words, part.words)
    )
    if not (asked and said):
        return f"{bool(asked)} {bool(said)}"
    return "same" if asked & said else "others"


def asked_by_name(question: Question, part: Part) -> bool:
    """Whether a question names the attribute under which something is kept."""
    return any(best(word, part.about) >= BY_ATTRIBUTE for word in question.words)


@cache
def judge() -> Scorer:
    """The scorer, loaded when somebody first asks."""
    return scorer.load(_FILE)["answers"]
