"""What each clause of a message is to the open question: an answer, a finding beside it, a wish or a question of its
own, "later", "cannot", or talk. A step closes only on what answers it.

A linear scorer over whole numbers decides (`answers.bin`, made by `training/desk.py`). It sees the words of the clause
and of the question, the act that the reading takes it for, and what the tables and the lexicon recognise: a reading in
the unit that is asked for, the part that the question is about or another one, a state, a yes. Nothing here knows a
word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.desk import hearing
from holdfast.faculties.desk.library import Library, Step, lemma
from holdfast.faculties.desk.signals import (
    INSTRUMENT,
    clause_of,
    clauses,
    measures,
    named_parts,
    negated,
    parts,
)
from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import Clause, clause_spans, decided
from holdfast.reading.model.features import Before, in_context
from holdfast.reading.model.scorer import Decided
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reader, Reading, Span, overlap, within
from holdfast.reading.standing import sentences
from holdfast.reading.values import numbers

_FILE = os.path.join(os.path.dirname(__file__), "answers.bin")
CUES = (
    *("found", "damage", "site", "bad", "fault", "repair_done", "changing", "placing", "repair_needed", "restored"),
    *("not_restored", "not_working", "working", "checked", "direct_power", "runs", "not_runs", "in_order", "unwell"),
    *("symptom", "absent", "no_reading", "beyond_range", "quantity", "topic", "key_finding", "yes", "no", "negation"),
    *("system", "complaint", "another", "changed", "politeness", "labor_word", "labor_change"),
    *("before_case", "guessed", "all_well", "correction", "repair", "unsure", "asks"),
)
"""Families of cues that the scorer is told of."""
KINDS = ("reading", "state", "kind", "code")
"""What can answer a step: a figure with its unit, how something is (a yes or a no among it), which of several it is,
what a display shows."""
KIND = {"yes_no": "state", "finding": "state", "choice": "kind"} | {kind: kind for kind in KINDS}
"""What the scorer tells apart, by what a step says."""
UNITS = {"v": "V", "ohm": "ohm", "inwc": "inWC", "mv": "mV", "a": "A", "deg": "°"}
"""Unit of a quantity that is called by its name."""
SORTS = ("states", "qualities", "acts", "tells", "people")
SLACK = dict.fromkeys(("state", "kind", "code"), 4) | {"any": -16}
"""How far talk may lead over an answer, or over "cannot", that is still taken for it, by what is asked for ("any": no
step is open, an estimate waits)."""
TALKED, NOTED = 4, 16
"""How much further talk, and how far a note, may lead over an answer at a step: people answer in more ways than any
writer thinks of. A note that names another part, and nothing of what is asked, may not."""
READ, TYPED = frozenset({"figure=asked", "c=no_reading", "c=beyond_range"}), 32
"""What a clause has that gives a reading, and how much that speaks for an answer where one is asked for."""
QUESTIONS = frozenset("locate explain howto opinion appearance target not_understood question recorded flow".split())
"""What asks for something."""
SOLVES = ("works", "mended")
"""What tells that the unit works again, and what was done for that."""
AFTER_COLON = 2
"""Signs between some words and the yes or no that follows their colon."""
YEARS = range(1960, 2060)
SHARE_OFF = 0.2
"""How far from what it should be, in parts of it, a figure without a unit is still taken for the reading."""
SURE = 32
"""How far talk leads that cannot be anything else."""
ALONE = Before((), (), (), frozenset(), frozenset())
MAX_TOKENS = 200


class Asked(NamedTuple):
    """What the open question asks for, as far as it bears on what answers it."""

    answer: str = "finding"
    """The kind of its answer, as the step says."""
    unit: str | None = None
    words: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    text: str = ""
    meant: frozenset[str] = frozenset()
    """Its words in English, whatever language it is put in."""
    check: str = ""
    """How the step is checked: by looking, by switching on, with an instrument."""
    usual: tuple[float, float] = (1.0, 0.0)
    """Between which values a figure can be the reading, though nobody says its unit."""


class Bench:
    """The words of the bench: how things are there, what is done and told. Use as `reader.made(Bench)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self._whole: dict[str, set[str]] = {}
        self._begun: dict[str, tuple[str, ...]] = {}
        for sort in SORTS:
            words = reader.phrases("bench", sort)
            self._whole[sort] = {word for word in words if not word.endswith("*")}
            self._begun[sort] = tuple(sorted(word[:-1] for word in words if word.endswith("*")))

    def has(self, sort: str, word: str) -> bool:
        """Whether a word is of a sort, in whatever form."""
        return lemma(word) in self._whole[sort] or word.startswith(self._begun[sort])

    def cues(self, found: list[Token]) -> Iterator[str]:
        """How many words of each sort a clause has, and whether it has others."""
        words = [token.word for token in found if token.shape not in ".0"]
        rest = len(words)
        for sort in SORTS:
            count = sum(self.has(sort, word) for word in words)
            rest -= count
            if count:
                yield f"{sort}={min(count, 3)}"
                yield f"c={sort}"
        yield f"rest={max(min(rest, 4), 0)}"


class Heard(NamedTuple):
    """A clause, what it is, and how far that leads over anything else."""

    span: Span
    does: str
    lead: int
    answer: int
    """How far an answer leads over anything else, or falls behind."""
    asks: int
    """The same for a question, whatever it asks for."""
    decided: Callable[[], Decided]
    """The same for the record."""


class Answers(NamedTuple):
    """A message at an open step, clause by clause."""

    heard: tuple[Heard, ...] = ()
    given: tuple[Heard, ...] = ()
    """The clauses that answer."""
    asked: Asked = Asked()

    @property
    def talk(self) -> bool:
        """Whether every clause is plainly talk."""
        return bool(self.heard) and all(clause.does == "aside" and clause.lead > SURE for clause in self.heard)

    def does(self, *what: str) -> Heard | None:
        """The clause that most clearly does something."""
        found = [heard for heard in self.heard if heard.does in what]
        return max(found, key=lambda heard: heard.lead) if found else None


def _reads_for_another(reading: Reading, asked: Asked) -> bool:
    """Whether an instrument was read, and not for what is asked."""
    if asked.answer == "state" and _reads_elsewhere(reading, asked):
        return True
    read = {measure.unit for measure in reading.find(measures)} & INSTRUMENT
    if not read or _shares(reading, asked):
        return False
    return asked.answer == "kind" or asked.unit not in (None, *read)


def _reads_elsewhere(reading: Reading, asked: Asked) -> bool:
    """Whether words give a reading at a part that is not asked about, and no more."""
    named, how = named_parts(reading), hearing.spans(reading, "good", "bad")
    return not how and bool(named) and named.isdisjoint(asked.parts) and bool(hearing.spans(reading, "reading"))


def answers(reading: Reading, asked: Asked) -> Answers:
    """What the clauses of a message are to the open question."""
    heard = tuple(one for clause in clauses_of(reading, asked) for one in _told(reading, _heard(*clause, asked), asked))
    if _reads_for_another(reading, asked):
        return Answers(heard, (), asked)
    given = (clause for clause in heard if clause.answer > 0 and not is_question(reading, clause.span))
    return Answers(heard, tuple(clause for clause in given if _can_answer(reading, clause.span, asked)), asked)


def unasked(reading: Reading) -> tuple[Heard, ...]:
    """The clauses of a text by themselves, whatever was asked before it. Use as `reading.find(unasked)`."""
    return answers(reading, Asked("any")).heard


def mended(reading: Reading) -> Span | None:
    """The words of a repair that was done in this case, if one is told."""
    if reading.has("direct_power"):
        return None  # a test mends nothing
    return next((span for span in hearing.spans(reading, "done") if is_done(reading, span)), None)


def is_done(reading: Reading, span: Span) -> bool:
    """Whether what mends was done, and in this case: neither asked about nor only needed, and not last week."""
    wished = any(overlap(cue.span, span) for cue in reading.all("repair_needed"))
    before = within(reading.all("before_case"), clause_of(reading, span[0]))
    return not wished and not before and is_so(reading, span)


def is_so(reading: Reading, span: Span) -> bool:
    """Whether words are told as they stand: neither asked about, nor denied before them or after a colon ("repaired:
    no")."""
    noes = [cue.start for family in ("no", "negation") for cue in reading.all(family)]
    labelled = [at for at in noes if reading.text[:at].rstrip().endswith(":")]
    denied = any(span[0] <= at <= span[1] + AFTER_COLON for at in labelled)
    return not denied and not negated(reading, span) and not is_question(reading, span)


def works(reading: Reading) -> Span | None:
    """The words that say that the unit works again, if any do: those for that, or, told after a repair, that something
    is well."""
    repair = reading.find(mended)
    told = hearing.spans(reading, "works")
    told += [span for span in hearing.spans(reading, "good") if repair is not None and span > repair]
    return next((span for span in told if is_so(reading, span)), None)


def _told(reading: Reading, heard: Heard, asked: Asked) -> list[Heard]:
    """A clause as it is heard; one that may be talk, and is not plainly, piece by piece, where a piece plainly is
    something else: "free, I blew it out yesterday"."""
    (start, end), doubted = heard.span, heard.does == "aside" and heard.lead <= SURE
    cuts = [at for at, _ in reading.find(clauses) if start < at < end] if doubted else []
    pieces = clauses_of(reading, asked, list(pairwise([start, *cuts, end]))) if cuts else ()
    told = [_heard(*piece, asked) for piece in pieces]
    plain = any(piece.does != "aside" and piece.lead > SURE for piece in told)
    return told if plain else [heard]


def _can_answer(reading: Reading, span: Span, asked: Asked) -> bool:
    """Whether a clause is of the kind that is asked for: a figure and nothing else tells only what is counted or read,
    or is in the question ("120" of "LP gas, 120 V or 12 V")."""
    if asked.unit is not None or asked.answer in ("reading", "code", "any"):
        return True
    inside = [token for token in reading.find(tokens_of) if span[0] <= token.start < span[1] and token.shape != "."]
    return any(token.shape != "0" or token.word in asked.text for token in inside)


def is_question(reading: Reading, span: Span) -> bool:
    """Whether words end in a question mark: those answer nothing."""
    return reading.words(span).rstrip(" )\"'").endswith("?")


def _shares(reading: Reading, asked: Asked) -> bool:
    """Whether a message has a word of a question for a kind, beside the parts that it names."""
    named = [part.span for part in reading.find(parts)]
    words = [reading.folded[s:e] for s, e in reading.tokens if not any(start <= s < end for start, end in named)]
    return asked.answer == "kind" and any(lemma(word) in asked.words for word in words)


def asked_at(step: Step, language: str | None, reader: Reader, library: Library) -> Asked:
    """The question of a step as the scorer sees it. A part is its own when the question or its label names it."""
    key = (step.id, language)
    known: dict[tuple[str, str | None], Asked] = reader.made(_known)
    if key not in known:
        figure = library.figures.get(step.expects or "")
        question = step.in_(language)
        said = reader.read(f"{question} {step.part.in_(language)}")
        stop = reader.phrases("stop", "words")
        asked = asked_for(question, said, KIND[step.answer], figure.unit if figure else None, stop)
        meant = asked.meant | loose(f"{step.en} {step.part.en}", stop).words
        usual = (figure.low * (1 - SHARE_OFF), figure.high * (1 + SHARE_OFF)) if figure else asked.usual
        known[key] = asked._replace(meant=meant, check=step.check, usual=usual)
    return known[key]


def _known(reader: Reader, language: str | None) -> dict[tuple[str, str | None], Asked]:
    """The questions that were looked at already: none at first. Use as `reader.made(_known)`."""
    return {}


def loose(question: str, stop: frozenset[str]) -> Asked:
    """A question of some other conversation than one at the desk."""
    named = [token for token in tokens(question) if token.word not in stop]
    meant = frozenset(lemma(word) for token in named for word in (token.english or token.word).split())
    return Asked("any", None, frozenset(lemma(token.word) for token in named), frozenset(), question, meant)


def asked_for(question: str, said: Reading, answer: str, unit: str | None, stop: frozenset[str]) -> Asked:
    named = frozenset(cue.means for cue in said.all("part"))
    return loose(question, stop)._replace(answer=answer, unit=unit, parts=named)


# --- a clause as the scorer sees it ---


def clauses_of(
    reading: Reading, asked: Asked, pieces: list[Span] | None = None
) -> Iterator[tuple[Span, list[str], list[Token]]]:
    """The clauses of a message, or some pieces of it, with their features and their words. Each is heard for itself:
    "cool." before an answer makes no talk of it."""
    found, spans = reading.find(tokens_of)[:MAX_TOKENS], pieces or reading.find(_spans)
    for start, end in spans:
        inside = [token for token in found if start <= token.start < end]
        if inside:
            said = reading if len(spans) == 1 else reading.reader.read(reading.words((start, end)))
            act = next(iter(said.after(asked.text)), None)
            yield (start, end), features(said, inside, asked, act), inside


def _spans(reading: Reading) -> list[Span]:
    """The clauses of a message: those of the reading, cut at ends of sentences, and at marks where one also asks."""
    found: list[Span] = []
    cuts = {start for start, _ in reading.find(sentences)}
    for start, end in reading.find(_unbroken):
        marks = {mark for mark, _ in reading.find(clauses)} if "?" in reading.text[start:end] else set()
        found += pairwise([start, *sorted(cut for cut in cuts | marks if start < cut < end), end])
    return found


def _unbroken(reading: Reading) -> list[Span]:
    """The clauses of the reading, none of which ends inside a figure: "12,4"."""
    figures = [number.span for number in reading.find(numbers)]
    found: list[Span] = []
    for span in reading.find(clause_spans):
        broken = bool(found) and any(start < span[0] < end for start, end in figures)
        found.append((found.pop()[0], span[1]) if broken else span)
    return found


def features(said: Reading, inside: list[Token], asked: Asked, act: Clause | None = None) -> list[str]:
    """A clause as the scorer sees it: its reading, its tokens, and what the reading takes it for."""
    # what the question shares with a clause is counted below, by stems
    alone = in_context(inside, 0, len(inside), 0, 1, ALONE)
    made = [one for one in alone if not one.startswith(("end=", "x"))]
    words = [token for token in inside if token.shape not in ".0"]
    english = [word for token in words for word in (token.english or token.word).split()]
    cues = [*_cues(said, inside, asked), *_shared(said, english, asked)]
    if act is not None:
        cues += [f"act={act.act}", f"act={act.act} {min(act.lead // 16, 3)}", f"keep={max(-4, min(act.keep // 16, 4))}"]
    for said_in in ([token.word for token in words], english if any(token.english for token in words) else []):
        stems = [lemma(word) for word in said_in]
        made += [f"m={stem}" for stem in dict.fromkeys(stems)]
        made += [f"mm={one} {two}" for one, two in pairwise(stems)]
    # a word that means itself in English counts once
    ways = [asked.answer, asked.check] if asked.check else [asked.answer]
    return list(dict.fromkeys(made + cues + [f"{way}|{cue}" for way in ways for cue in cues]))


def _cues(said: Reading, found: list[Token], asked: Asked) -> Iterator[str]:
    """What the tables and the lexicon recognise in a clause."""
    for family in CUES:
        if said.has(family) and said.all(family):
            yield f"c={family}"
    yield from _figures(said, asked)
    yield from said.reader.made(Bench).cues(found)
    yield f"part={_whose_part(said, asked)}"
    words = [token.word for token in found if token.shape != "."]
    shared = sum(lemma(word) in asked.words for word in words)
    yield f"shared={min(shared, 3)}"
    yield f"shared={'all' if shared == len(words) else 'some' if shared else 'none'} {min(len(words), 4)}"


def _shared(said: Reading, english: list[str], asked: Asked) -> Iterator[str]:
    """How much of what a clause says is what the question speaks of, by what the words of both mean."""
    stop = said.reader.phrases("stop", "words")
    stems = {lemma(word) for word in english if word not in stop}
    shared = len(stems & asked.meant)
    yield f"meant={min(shared, 3)}"
    yield f"meant={'all' if shared == len(stems) else 'some' if shared else 'none'} {min(len(stems), 4)}"


def _whose_part(said: Reading, asked: Asked) -> str:
    """Whether a clause names the part that is asked about, another one, or one that may be of any part."""
    named = {part.id for part in said.find(parts)}
    if named & asked.parts:
        return "own"
    return "other" if said.find(named_parts) else "anywhere" if named else "none"


def _figures(said: Reading, asked: Asked) -> Iterator[str]:
    units = {measure.unit for measure in said.find(measures)}
    read = said.find(numbers)
    # at a question for a reading, nobody gives fractions of anything else, nor figures that are just what it should be
    bare = [m.value for m in said.find(measures) if m.unit is None] if asked.answer == "reading" else []
    exact = any(value % 1 or asked.usual[0] <= value <= asked.usual[1] for value in bare)
    figures = {
        "asked": exact or asked.unit in units - {None},
        "instrument": not units.isdisjoint(INSTRUMENT),
        # "one of these" is no figure, and a year is none that was read: "the sticker says 2017"
        "bare": any(number.unit is None and number.value != 1 and number.value not in YEARS for number in read),
        "year": any(number.unit is None and number.value in YEARS for number in read),
        "other": not units <= INSTRUMENT | {None},
        "denied": any(negated(said, number.span) for number in read),
    }
    yield from (f"figure={kind}" for kind, is_there in figures.items() if is_there)


@cache
def _scorer() -> scorer.Scorer:
    """The scorer that comes with Holdfast, loaded when somebody first asks."""
    return scorer.load(_FILE)["desk"]


def _best(scores: dict[str, int], slack: int) -> tuple[str, int]:
    """What a clause is, and how far that leads. At an open step talk may lead a little over "cannot", as it may over an
    answer: why somebody cannot is often told as talk is."""
    second, best = sorted(scores, key=lambda name: (scores[name], name))[-2:]
    lead = scores[best] - scores[second]
    return (second, slack - lead) if (best, second) == ("aside", "unable") and lead < slack else (best, lead)


def _heard(span: Span, made: list[str], found: list[Token], asked: Asked) -> Heard:
    by = _scorer()
    scores = dict(zip(by.classes, by.scores(made), strict=True))
    best, lead = _best(scores, SLACK.get(asked.answer, 0))
    read = asked.answer == "reading" and not READ.isdisjoint(made)
    # a question for a state or a figure is answered by what was found, unless another part is spoken of
    found_here = (asked.answer == "state" or read) and "part=other" not in made
    answering = {"answer", "finding"} if found_here else {"answer"}
    if asked.check == "look" and "part=own" in made:  # what was done to a part that was to be looked at says how it is
        answering.update(SOLVES)
    slack = {"aside": SLACK.get(asked.answer, 0) + (TALKED if asked.check else 0)}
    slack["note"] = NOTED if read or not {"part=other", "meant=0"} <= set(made) else 0
    others = max(score - slack.get(name, 0) for name, score in scores.items() if name not in answering)
    well = asked.answer == "state" and "c=all_well" in made  # "all good"
    answer = max(scores[name] for name in answering) - others + (TYPED if read or well else 0)
    told = max(score for name, score in scores.items() if name not in QUESTIONS)
    asks = max(scores[name] for name in QUESTIONS) - told
    return Heard(span, best, lead, answer, asks, partial(decided, by, made, found, best, lead))
