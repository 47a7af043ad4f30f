"""Asking back: which of the things that a person told answers a question.

A question and what was told meet in their words, in what the words are (a dog is an animal, "allergies" an attribute
that is kept), and in what the question word and its noun ask for: a time, a place, a number, a name. A question that
only points ("and where?") is about what was talked of before. Nobody's question answers one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from holdfast.faculties.facts.told import AROUND, BY_ATTRIBUTE, BY_TYPE, KIN, Part, Told, Word, best, words_in, words_of
from holdfast.faculties.facts.whose import speaks_of_oneself
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reader, Reading

ENOUGH = 0.5
"""Share of a question that what answers it must hold."""
ABSENT, RAREST, COMMONEST = 0.7, 1.0, 0.4
"""What a word of a question counts that nothing told has, one that little has, and one that everything has."""
HEAD = 1.5
"""What an attribute that is asked for counts more than another word."""
IN_CONTEXT, ABOUT = 0.6, 2
"""What the talk before counts where the question points there, and words that what is told of the same shares with
it."""
FITS, MISFITS, TYPED = 0.25, 0.3, 0.2
"""For holding what is asked for, or lacking it, and for being kept under the attribute that is asked for."""
NEWER, AS_GOOD = 0.75, 0.95
"""Share of the best score from which what was told later counts: where both tell what is asked for, and otherwise."""
DOUBTED = 20
"""Lead below which the act of a clause is in doubt."""
FRAGMENT = 3
"""Words of a question that goes on with the one before: "and my son?"."""
MAX_ON_TOPIC = 8
"""Things that are told of a topic."""
COURTEOUS = frozenset({"asks", "greets", "thanks"})
UNTOLD = COURTEOUS.union(
    "retracts doubts chooses confirms denies stops postpones supposes quotes returns requests".split()
)
"""Acts that tell nothing by themselves; the first are not even quoted beside what does."""
EXACT = frozenset({"when", "place", "number"})
"""What is asked for that an answer must hold; a name can be any word."""
KNOWN = "known"
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

    @property
    def attributes(self) -> list[str]:
        """The attributes that it names."""
        return list(dict.fromkeys(name for word in self.words for name in word.attributes))


class Answer(NamedTuple):
    """What answers a question: where it was told, and what is kept of it."""

    told: Told
    part: Part
    score: float
    fits: bool = False
    """Whether it has what is asked for."""
    whole: bool = False
    """Whether that stands elsewhere in the message."""

    @property
    def words(self) -> str:
        """The words that answer: the clause with those beside it, in its sentence or further, that still hold."""
        beside = [part for part in self.told.parts if part.act not in COURTEOUS]
        place = beside.index(next(part for part in beside if part.start == self.part.start))
        first = last = place
        while first > 0 and self._goes_on(beside[first - 1], beside[first]):
            first -= 1
        while last + 1 < len(beside) and self._goes_on(beside[last], beside[last + 1]):
            last += 1
        return self.told.text[beside[first].start : beside[last].end].strip(" ,;.")

    def _goes_on(self, one: Part, other: Part) -> bool:
        between = self.told.text[one.end : other.start].strip()
        return not between and (self.whole or self.told.text[one.end - 1] not in _ENDS)


def questions(reading: Reading, clauses: Sequence[Clause], before: Sequence[Reading]) -> list[Question]:
    """What a message asks, clause by clause; `before` are the person's messages before it, the newest last."""
    asked: list[Question] = []
    around: list[Word] = []
    for clause in clauses:
        inside = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
        own = speaks_of_oneself(reading, clause) or _has(reading, inside, "own")
        for one in _asked_apart(reading, inside) if _asks(clause, inside) else ():
            talk = _Talk(asked[-1:] or _last_asked(before), around or _said_before(before))
            asked.append(_question(reading, one, talk)._replace(own=own))
        around += words_in(reading, inside)
    return asked


class _Talk(NamedTuple):
    """What a question may go on with: the one before, and the words before it."""

    asked: Sequence[Question]
    words: Sequence[Word]


def _said_before(before: Sequence[Reading]) -> list[Word]:
    return [word for message in before[-2:] for word in words_of(message.reader, message.text)]


def _asks(clause: Clause, inside: Sequence[Token]) -> bool:
    """Whether a clause asks: by its act, or, where that is in doubt or wants something, by an asking word."""
    asking = [place for place, token in enumerate(inside) if "askword" in token.kinds]
    doubtful = clause.act == "requests" or (clause.lead < DOUBTED and asking[:1] == [0])
    return clause.act == "asks" or (bool(asking) and doubtful)


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
    return {str(table[word]) for word in (token.word, *token.english.split()) if word in table}


def _has(reading: Reading, inside: Iterable[Token], key: str) -> bool:
    """Whether there is a pronoun of some kind."""
    words = reading.reader.phrases("asking_back", key)
    return any(token.word in words or token.english in words for token in inside)


def _question(reading: Reading, inside: Sequence[Token], talk: _Talk) -> Question:
    reader = reading.reader
    asking = {token: wants for token in inside if (wants := _wants(reader, token))}
    wanted = frozenset[str]().union(*asking.values())
    words = words_in(reading, [token for token in inside if token not in asking])
    if wanted == {KNOWN}:
        widened = tuple(_widened(reader, word) for word in words)
        return Question(widened, frozenset(), everything=not words, broad=bool(words))
    if talk.asked and not wanted and _is_fragment(inside, words):
        last = talk.asked[0]
        return Question(tuple(words), last.wants, _pointed_at(words, last.words))
    points = not words or _has(reading, inside, "pronouns")
    named = words or [word for word in words_in(reading, asking) if word.attributes]
    return Question(tuple(named), wanted - {KNOWN}, _pointed_at(named, talk.words) if points else ())


def _is_fragment(inside: Sequence[Token], words: Sequence[Word]) -> bool:
    return len(words) <= FRAGMENT and all("askword" not in token.kinds for token in inside)


def _pointed_at(words: Sequence[Word], context: Sequence[Word]) -> tuple[Word, ...]:
    """What the talk was about: "and my son?" asks of nobody else that was named, "what is my name?" of nothing else."""
    own = frozenset[str]().union(*(word.kinds for word in words))
    return tuple(word for word in context if not word.kinds & own) if "attr/name" not in own else ()


def _widened(reader: Reader, word: Word) -> Word:
    """A word that names a topic, with all that belongs to it: health is allergies and medication too."""
    topics = reader.data("asking_back_topics", None)
    return word._replace(
        kinds=word.kinds.union(f"attr/{slot}" for slot, topic in topics.items() if topic in word.kinds)
    )


def answers(question: Question, told: Sequence[Told], of: int) -> list[Answer]:
    """What answers a question best, the newest of what does so equally well; of a topic all that was told, in its
    order. `of` is how many things were told in all."""
    asked = question._replace(words=tuple(_weighed(question.words, told, of)))
    if not (asked.words or asked.context):
        return []
    found = [one for message in told for one in _judged(asked, message)]
    return found[-MAX_ON_TOPIC:] if question.broad or not found else [_newest(asked, found)]


def _newest(question: Question, found: Sequence[Answer]) -> Answer:
    """Of what answers as well as the best, or nearly, what was told last."""
    top = max(found, key=lambda one: one.score)
    share = NEWER if top.fits and not asked_by_name(question, top.part) else AS_GOOD
    return [one for one in found if one.fits == top.fits and one.score >= share * top.score][-1]


def _weighed(words: Iterable[Word], told: Sequence[Told], of: int) -> Iterator[Word]:
    """The words of a question by how much each tells."""
    for word in words:
        having = sum(any(best(word, part.words) >= BY_TYPE for part in one.parts) for one in told)
        rare = RAREST - (RAREST - COMMONEST) * having / max(1, of)
        yield word._replace(weight=(HEAD if word.attributes else 1.0) * (rare if having else ABSENT))


def _judged(question: Question, told: Told) -> Iterator[Answer]:
    """The clause of a message that answers best, if one does well enough."""
    found = [one for part in told.parts if part.act not in UNTOLD for one in _weigh(question, told, part)]
    if found:
        yield max(found, key=lambda one: one.score)


def _weigh(question: Question, told: Told, part: Part) -> Iterator[Answer]:
    others = [other for other in told.parts if other is not part and other.act != "asks"]
    here, there = (bool(question.wants & _types(parts)) for parts in ([part], others))
    share = part.share * _share(question, part, [word for other in others for word in other.words])
    score = share + _fit(question, here, there) + _rank(question, part)
    if min(score, share) >= ENOUGH and (here or _touches(question, part)):
        yield Answer(told, part, score, fits=here or there, whole=bool(question.wants) and not here)


def _types(parts: Iterable[Part]) -> frozenset[str]:
    return frozenset[str]().union(*(part.types for part in parts))


def _touches(question: Question, part: Part) -> bool:
    return any(best(word, part.words) for word in (*question.words, *question.context))


def _share(question: Question, part: Part, others: Sequence[Word]) -> float:
    """How much of a question a clause holds, with the rest of its message; the talk around counts as one word."""

    def near(word: Word) -> float:
        return max(best(word, part.words), AROUND * best(word, others))

    held, whole = sum(word.weight * near(word) for word in question.words), sum(word.weight for word in question.words)
    if question.context:
        held += IN_CONTEXT * min(1.0, sum(map(near, question.context)) / ABOUT)
        whole += IN_CONTEXT
    return held / whole


def _fit(question: Question, here: bool, there: bool) -> float:
    """For holding what is asked for, in a clause or elsewhere in its message."""
    if here or there:
        return FITS if here else FITS / 2
    return -MISFITS if question.wants & EXACT else 0.0


def _rank(question: Question, part: Part) -> float:
    """For being kept under the attribute that is asked for, and against telling of others where that is asked of
    nobody."""
    if asked_by_name(question, part):
        return TYPED
    others = part.act == "reports" or _names_kin(part.words)
    return -TYPED if others and question.attributes and not _names_kin(question.words) else 0.0


def _names_kin(words: Iterable[Word]) -> bool:
    return any(KIN in word.kinds for word in words)


def asked_by_name(question: Question, part: Part) -> bool:
    """Whether a question names the attribute under which something is kept."""
    return any(best(word, part.about) >= BY_ATTRIBUTE for word in question.words)
