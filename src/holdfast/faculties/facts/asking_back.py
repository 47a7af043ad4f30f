"""Asking back: which of the things that a person told answers a question.

A question and what was told meet in their words, in what the words are (a dog is an animal, "allergies" an attribute
that is kept), and in what the question word and its noun ask for: a time, a place, a number, a name. A question that
only points ("and where?") is about what was talked of before. Nobody's question answers one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nlargest
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from holdfast.faculties.facts.lookup import named_by, with_words
from holdfast.faculties.facts.told import (
    AROUND,
    BY_ATTRIBUTE,
    BY_FORM,
    BY_TYPE,
    CHANGES,
    KIN,
    KNOWN,
    MAX_KEPT,
    POINTS,
    Part,
    Told,
    Word,
    all_known,
    asked_with,
    best,
    first_look,
    for_all,
    has,
    is_renewed,
    names_all,
    words_in,
    words_of,
)
from holdfast.faculties.facts.whose import OF_ONESELF, THEIRS, speaks_of_oneself
from holdfast.kept import kept
from holdfast.reading.kinds import TIMES, typed_spans
from holdfast.reading.model import scorer
from holdfast.reading.model.alike import alike, known, meaning, nearness, together
from holdfast.reading.model.clauses import KEEP, Clause
from holdfast.reading.model.scorer import Scorer
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reader, Reading
from holdfast.state import State

_FILE = os.path.join(os.path.dirname(__file__), "answers.bin")
ENOUGH = 0.5
"""Share of a question about a topic that what is told of it must hold."""
MAYBE, SURE = -30, -10
"""Scores from which something told may answer a question, and from which it surely does."""
CLOSE = 24
"""How far another clause of a message may stay behind to be quoted with the one that answers."""
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
SHORT_WORD = 2
"""Letters of words that are not looked up among what is known."""
MAX_SEEN = 40
"""Messages that are looked at closely: those that hold most of what is asked."""
MAX_ON_TOPIC = 8
"""Things that are told of a topic."""
MAX_POINTED = 40
"""Words of what was said before that a question may point at: the last ones."""
MAX_LED = 8
"""Words before a clause that lead to it: whose "and it's 60 euro" is."""
MIN_QUOTED, MAX_QUOTED = 3, 24
"""Words from which a clause is quoted alone, and up to which what was told beside it is quoted with it."""
COURTEOUS = frozenset({"asks", "greets", "thanks"})
"""Acts that tell nothing, and are not even quoted beside what does."""
SOMEBODY = frozenset({KIN, "animal"})
_MAY_NAME = frozenset("states requests instructs remarks asks reports retracts corrects chooses".split())
"""Acts of clauses that may do no more than name something."""
_TELLS = frozenset(
    "habitverb wantphrase negation now changeverb rememberphrase forgetphrase stopphrase weekday month".split()
)
_GIVEN = TIMES | {"email", "phone"}
"""Kinds of words, and types of values, by which a clause tells something."""
_WANTS = frozenset({"asks", "requests"})
_VALUES = frozenset({"when", "number", "name", "place"})
"""Types of what can be told anew."""
_ENDS = frozenset(".!?\n")
_FIGURES = re.compile(r"\d+(?:[.,:]\d+)*")


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
    all: bool = False
    """Whether it names all that is known, of whatever it asks."""
    own: bool = False
    """Whether it asks of oneself."""
    named: bool = False
    """Whether it only names what it asks for."""
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
    question: Question
    whole: bool = False
    """Whether what is asked for stands elsewhere in the message."""
    sure: bool = True
    close: frozenset[int] = frozenset()
    """Where the clauses of its message begin that answer nearly as well."""
    old: str = ""
    """What was said of it before, where this gives another value."""

    @property
    def renewed(self) -> bool:
        """Whether the message only gave another value of what was told before."""
        return self.part.memo is not None and is_renewed(self.part.memo, self.told.text)

    @property
    def span(self) -> tuple[int, int]:
        """Where the words that answer stand: the clause, with those beside it that answer nearly as well or hold more
        of the question. Where it is in doubt, or says too little by itself, with the rest of its sentence, as far as
        somebody would quote it."""
        beside = [part for part in self.told.parts if part.act not in COURTEOUS]
        here = first = last = [part.start for part in beside].index(self.part.start)
        few = len(self.told.text[self.part.start : self.part.end].split()) < MIN_QUOTED
        all = few or not self.sure or self.whole or not self._gives(self.part) or POINTS in self.part.types
        for place in sorted(range(len(beside)), key=lambda other: (abs(other - here), other < here)):
            wanted = all or beside[place].start in self.close or self._names_more(beside[place])
            if wanted and place == first - 1 and self._goes_on(beside, place, last):
                first = place
            elif wanted and place == last + 1 and self._goes_on(beside, first, place):
                last = place
        return beside[first].start, beside[last].end

    def _names_more(self, part: Part) -> bool:
        """Whether a clause has a word of the question that the answer has not."""
        asked = self.question.words
        return any(best(word, part.words) >= BY_FORM and best(word, self.part.words) < BY_TYPE for word in asked)

    def _gives(self, part: Part) -> bool:
        """Whether a clause gives a value, or a name that the question has not: "landlord put the rent up" does not."""
        figures = any(sign.isdigit() for sign in self.told.text[part.start : part.end])
        return figures or "when" in part.types or self._gives_a_name(part)

    def _gives_a_name(self, part: Part) -> bool:
        own = (word for word in part.words if word.weight > AROUND)
        names = (word for word in own if word.keys and not (word.kinds or any(map(known, word.english))))
        return any(best(name, self.question.words) < BY_TYPE for name in names)

    def _goes_on(self, beside: Sequence[Part], first: int, last: int) -> bool:
        """Whether some clauses are quoted together: they follow each other, in one sentence, and are few words."""
        text = self.told.text[beside[first].start : beside[last].end]
        joints = list(pairwise(beside[first : last + 1]))
        follow = all(not self.told.text[one.end : other.start].strip() for one, other in joints)
        one_sentence = (
            self.whole
            or not self._gives(self.part)
            or all(self.told.text[one.end - 1] not in _ENDS for one, _ in joints)
        )
        return follow and one_sentence and len(text.split()) <= MAX_QUOTED


def questions(
    reading: Reading, clauses: Sequence[Clause], before: Sequence[Reading], state: State | None = None
) -> list[Question]:
    """What a message asks, clause by clause; `before` are the person's messages before it, the newest last. What only
    names something that a `state` knows asks for it."""
    asked: list[Question] = []
    around: list[Word] = []
    for clause in clauses:
        inside, asks = _inside(reading, clause), asks_back(reading, clause)
        named = False if asks or state is None else only_names(reading, clause, state)
        for one in _asked_apart(reading, inside) if asks or named else ():
            talk = _Talk(asked[-1:] or _last_asked(before), around or _said_before(before))
            made = _question(reading, one, talk)._replace(own=_of_oneself(reading, clause, inside), named=named)
            asked.append(made._replace(asks=made.asks or _asking_words(reading.reader, one)))
        around += words_in(reading, inside)
    return asked


def _asking_words(reader: Reader, inside: Sequence[Token]) -> tuple[str, ...]:
    asking = (token for token in inside if "askword" in token.kinds or _wants(reader, token))
    return tuple(dict.fromkeys(word for token in asking for word in (token.english or token.word).split()))


def _of_oneself(reading: Reading, clause: Clause, inside: Sequence[Token]) -> bool:
    """Whether a clause that surely asks does so of what is one's own."""
    surely = clause.act in ("asks", "requests")
    return surely and (speaks_of_oneself(reading, clause) or has(reading, inside, "own"))


class _Talk(NamedTuple):
    """What a question may go on with: the one before, and the words before it."""

    asked: Sequence[Question]
    words: Sequence[Word]


def _said_before(before: Sequence[Reading]) -> list[Word]:
    return [word for message in before[-2:] for word in words_of(message.reader, message.text)]


def _inside(reading: Reading, clause: Clause) -> list[Token]:
    return [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]


def only_names(reading: Reading, clause: Clause, state: State) -> bool:
    """Whether a few words only name something that was told, and tell nothing of it: "and the branch format"."""
    said = [token for token in _inside(reading, clause) if token.shape != "."]
    if _tells(reading, clause, said):
        return False
    long = [token for token in said if len(token.word) > SHORT_WORD]
    naming = [token for token in long if not _wants(reading.reader, token) and words_in(reading, [token])]
    if not 0 < len(naming) <= FRAGMENT:
        return False
    known = sum(_is_known(reading, token, state) for token in naming)
    return 2 * known + (said[0].word in reading.phrases("asking_back", "goes_on")) > len(naming)


def _tells(reading: Reading, clause: Clause, said: Sequence[Token]) -> bool:
    says, acts = reading.phrases("asserting", "is"), clause.likeliest if clause.lead < DOUBTED else [clause.act]
    tells = any(token.shape == "0" or token.word in says or not _TELLS.isdisjoint(token.kinds) for token in said)
    given = any(one.type in _GIVEN and clause.start <= one.start < clause.end for one in reading.find(typed_spans))
    return tells or given or _MAY_NAME.isdisjoint(acts) or speaks_of_oneself(reading, clause)


def _is_known(reading: Reading, token: Token, state: State) -> bool:
    """Whether a word is one of what is known, or was said before in this conversation."""
    reader, earlier = reading.reader, [one.text for one in state.conversation.recent if one.role == "user"]
    if with_words(state, reader, token.word) or named_by(state, reader, token.word):
        return True
    said = [other for text in earlier if text != reading.text for other in first_look(reader, text, reading.language)]
    return any(best(word, said) >= BY_FORM for word in words_in(reading, [token]))


def asks_back(reading: Reading, clause: Clause) -> bool:
    """Whether a clause asks: by its act, or by an asking word or a wish for all where it wants something, or its act is
    in doubt and nothing is to be kept of it. All that is known is only spoken of to ask for it."""
    inside = _inside(reading, clause)
    if clause.act == "asks" or ((_shows(reading, inside) or clause.lead < DOUBTED) and all_known(reading, inside)):
        return True
    asking = for_all(reading, inside) or any("askword" in token.kinds for token in inside)
    return asking and (clause.act == "requests" or (clause.lead < DOUBTED and clause.keep < KEEP))


def _shows(reading: Reading, inside: Sequence[Token]) -> bool:
    return any(token.word in reading.phrases("question", "requests") for token in inside)


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
    """What a word asks for, or one that means much the same."""
    return {*asked_with(reader, token)} or {*_meant(reader, (token.word, *token.english.split()))}


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
    of_all = _of_all(reading, inside, asking)
    if of_all is not None:
        return of_all
    if talk.asked and not wanted and _is_fragment(inside, words):
        return _of_another(words, talk.asked[0])
    named = words or [word for word in words_in(reading, asking) if word.attributes]
    if not named and talk.asked:  # "and where?"
        return Question(talk.asked[0].words, wanted - {KNOWN}, talk.asked[0].context)
    return Question(
        tuple(named), wanted - {KNOWN}, _pointed_at(named, talk.words) if _points(reading, inside, words) else ()
    )


def _points(reading: Reading, inside: Sequence[Token], words: Sequence[Word]) -> bool:
    return not words or has(reading, inside, "pronouns")


def _of_all(reading: Reading, inside: Sequence[Token], asking: Mapping[Token, set[str]]) -> Question | None:
    """The question for all that is known, or all of something: it names all, or the one who is asked has it («что у
    тебя есть»). Of "read me back everything about the server" what stands behind the
    word for all counts."""
    you, have = ([token for token in inside if has(reading, [token], key)] for key in ("you", "have"))
    held, all = [*you, *have] if you and have else [], for_all(reading, inside)
    wanted = {KNOWN for _ in held}.union(*asking.values())
    if wanted != {KNOWN} and not all:
        return None
    about = [token for token in inside if KNOWN not in asking.get(token, ()) and token not in held]
    behind = max((place for place, token in enumerate(about) if names_all(reading, token)), default=-1) + 1
    widened = tuple(_widened(reading.reader, word) for word in words_in(reading, about[behind:]))
    return Question(widened, frozenset(), everything=not widened, broad=bool(widened), all=all)


def _of_another(words: Sequence[Word], last: Question) -> Question:
    """A few words that go on with a question: what was asked of one is asked of another."""
    pointed = _pointed_at(words, last.words)
    if any(SOMEBODY & word.kinds for word in words):
        return Question((*words, *pointed), last.wants, asks=last.asks)
    return Question(tuple(words), last.wants, pointed, asks=last.asks)


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
    on_topic = [Answer(one.told, one.part, question) for one in found if one.here >= ENOUGH]
    on_topic = on_topic if question.broad else []
    if on_topic:
        return on_topic[-MAX_ON_TOPIC:]
    scored = [(judge().lead(features(one, found)), one) for one in found]
    best = max(scored, key=lambda one: (one[0], one[1].told.at), default=None)
    if best is None or best[0] < MAYBE:
        named = [one for one in found if one.here >= ENOUGH and one.part.act not in _WANTS] if question.named else []
        return [Answer(one.told, one.part, question) for one in named[-1:]]
    lead, one = best[0], _who(best[1], found)
    if (anew := _told_anew(one, told)) is not None:
        return [anew._replace(sure=lead >= SURE, question=question)]
    beside = (other for least, other in scored if other.told is one.told and least >= lead - CLOSE)
    close = frozenset(other.part.start for other in beside if 2 * other.here >= one.here)
    return [Answer(one.told, one.part, question, not one.fits, lead >= SURE, close)]


def _who(one: Seen, found: Sequence[Seen]) -> Seen:
    """The clause of a message that has the words of a question which asks for a name: any unknown word may be one."""
    beside = [other for other in found if other.told is one.told and other.here >= max(ENOUGH, one.here)]
    asks_who = one.question.wants == {"name"} and one.here < ENOUGH
    return max(beside, key=lambda other: other.here, default=one) if asks_who else one


def _told_anew(one: Seen, told: Sequence[Told]) -> Answer | None:
    """The newest clause that gives another value of what was told before, and names it only by what was talked of:
    "it's Mondays and Thursdays now" right behind what was said of running."""
    kept = one.part.types & (one.question.wants & _VALUES or _VALUES)
    later = [message for message in told if message.at > one.told.at and not message.on] if kept else []
    for place in reversed(range(len(later))):
        message = later[place]
        only_one = not any(kept & part.types for other in later[:place] for part in other.parts)
        spoken_of = _spoken_of(one, message)
        for part in message.parts:
            meant = spoken_of or (only_one and CHANGES in part.types and _names_nothing(part))
            if meant and part.act not in COURTEOUS and kept & part.types and _says_anew(one, message, part):
                return Answer(message, part, one.question, old=one.told.text[one.part.start : one.part.end])
    return None


def _spoken_of(one: Seen, message: Told) -> bool:
    """Whether a message, or what was said right before it, has most words of a clause."""
    named = [word for word in one.part.words if word.keys and word.weight > AROUND]
    around = [*message.asked, *message.after[-MAX_LED:], *(word for part in message.parts for word in part.words)]
    return 2 * sum(best(word, around) >= BY_FORM for word in named) >= len(named)


def _says_anew(one: Seen, message: Told, part: Part) -> bool:
    """Whether a clause says that something is another now, names nothing itself ("moved to the 21st"), or gives a
    figure where its message takes one back that was told before: "not 40, they called, it's 60"."""
    figures, before = (set(_FIGURES.findall(text)) for text in (message.text, one.told.text))
    here = set(_FIGURES.findall(message.text[part.start : part.end]))
    return CHANGES in part.types or bool(here - before and (figures & before or _names_nothing(part)))


def _names_nothing(part: Part) -> bool:
    named = [word for word in part.words if word.keys and word.weight > AROUND]
    naming = [word for word in named if not any(map(_FIGURES.match, word.keys))]
    return len(naming) <= (CHANGES in part.types) + 1


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
    """The clauses that may answer a question, as it sees them, the oldest first: those of the messages that hold most
    of it."""
    if not (question.words or question.context):
        return []
    looks = [_look(question, message) for message in told]
    asked = question._replace(words=tuple(_weighed(question.words, looks, of)))
    means = _meaning((*asked.words, *(word._replace(weight=word.weight * IN_CONTEXT) for word in asked.context)))
    shares = [_share(asked, look) for look in looks]
    most = nlargest(MAX_SEEN, range(len(looks)), key=lambda place: (shares[place], place))
    return [one for place in sorted(most) for one in _seen_in(asked, means, looks[place])]


class _Look(NamedTuple):
    """A message as a question first sees it."""

    told: Told
    able: list[int]
    """Which of its clauses may answer."""
    inside: list[list[float]]
    """How well each word of the question fits each clause."""
    before: list[float]
    """How well each fits what was said before the message."""
    points: list[list[float]]
    """How well each word of what the question points at fits each clause."""


def _look(question: Question, told: Told) -> _Look:
    """How the words of a question fit a message, worked out once for all of its clauses."""
    able = [place for place, part in enumerate(told.parts) if _may_answer(question, told, part)]
    inside, points = (
        [[best(word, part.words) for part in told.parts] for word in words]
        for words in (question.words, question.context if able else ())
    )
    around = [*told.asked, *told.after] if able else []
    return _Look(told, able, inside, [best(word, around) for word in question.words], points)


def _weighed(words: Sequence[Word], looks: Sequence[_Look], of: int) -> Iterator[Word]:
    """The words of a question by how much each tells."""
    for place, word in enumerate(words):
        having = sum(max(look.inside[place], default=0.0) >= BY_TYPE for look in looks)
        rare = RAREST - (RAREST - COMMONEST) * having / max(1, of)
        yield word._replace(weight=(HEAD if word.attributes else 1.0) * (rare if having else ABSENT))


def _share(question: Question, look: _Look) -> float:
    """How much of a question a message holds, with what was said before it."""
    if not look.able:
        return -1.0
    met = zip(question.words, look.inside, look.before, strict=True)
    return sum(word.weight * max(*inside, far) for word, inside, far in met) + sum(map(max, look.points))


def _may_answer(question: Question, message: Told, part: Part) -> bool:
    """Whether a clause may answer: nobody's question does, what is told of one relative says nothing of another, and
    what is known of oneself nothing of either."""
    asks = part.act in COURTEOUS or message.text[: part.end].rstrip().endswith("?")
    of_oneself = part.memo is not None and part.memo.slot in OF_ONESELF
    named = any(SOMEBODY & word.kinds for word in question.words)
    personal = not OF_ONESELF.isdisjoint(question.attributes)
    theirs = question.own and personal and not named and part.memo is not None and part.memo.slot in THEIRS
    mine = of_oneself and named and not question.own
    return not (asks or theirs or mine) and _kin(question, part) != "others"


@kept(MAX_KEPT)
def _meaning(words: tuple[Word, ...]) -> list[float]:
    return meaning((english, word.weight) for word in words for english in word.english)


def _seen_in(question: Question, means: Sequence[float], look: _Look) -> Iterator[Seen]:
    """The clauses of a message that may answer; what the message means as a whole is worked out once."""
    told = look.told
    whole = together(_meaning(part.words) for part in told.parts if part.act != "asks")
    around = together((whole, _meaning(told.asked), _meaning(told.after)))
    near = nearness(means, whole), nearness(means, around)
    for at in look.able:
        yield _seen(question, look, at, (nearness(means, _meaning(told.parts[at].words)), *near))


def _seen(question: Question, look: _Look, at: int, near: tuple[float, ...]) -> Seen:
    told, part = look.told, look.told.parts[at]
    places = [place for place, other in enumerate(told.parts) if place != at and other.act != "asks"]
    others = [told.parts[place] for place in places]
    lead = [word for other in others if other.end <= part.start for word in other.words][-MAX_LED:]
    met = []
    here = led = message = around = whole = 0.0
    for word, clauses, far in zip(question.words, look.inside, look.before, strict=True):
        inside, beside = clauses[at], max((clauses[place] for place in places), default=0.0)
        here += word.weight * inside
        led += word.weight * max(inside, best(word, lead))
        message += word.weight * max(inside, beside)
        around += word.weight * max(inside, beside, far)
        whole += word.weight
        met.append((-word.weight, _met(word, inside, beside, far)))
    whole = whole or 1.0
    pointed = [max(clauses[place] for place in (at, *places)) for clauses in look.points]
    return Seen(
        question,
        told,
        part,
        part.share * here / whole,
        part.share * message / whole,
        part.share * around / whole,
        tuple(how for _, how in sorted(met, key=itemgetter(0))),
        min(1.0, sum(pointed) / ABOUT) if pointed else 0.0,
        bool(question.wants & part.types),
        bool(question.wants & _types(others)),
        part.share * led / whole,
        near,
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
