"""A message as clauses with acts and claims, by the learned scorers.

What every turn needs of a clause (where it ends and its act) is worked out at once; whether it tells something to keep,
its values and what it is about only when somebody asks.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec

from holdfast.kept import kept
from holdfast.reading.model import scorer
from holdfast.reading.model.features import (
    Before,
    before_features,
    gap_features,
    in_context,
    own_features,
    shared_features,
    shows_words,
    sign_features,
    tag_features,
    value_features,
    words_of,
)
from holdfast.reading.model.scorer import Decided, Scored, Scorer
from holdfast.reading.model.tokens import MAX_CHARS, Token, tokens

if TYPE_CHECKING:
    from holdfast.reading.reader import Reading

Found = TypeVar("Found")
LANGUAGES = ("de", "en", "es", "ru")
"""Languages of the writers that the model learned from."""
MAX_TOKENS = 600
MAX_BEFORE = 400
"""Characters at the end of each earlier message that are looked at."""
BORDER, PLAINLY_INSIDE = -8, -32
"""Scores of a gap: above the one a clause begins there; below the other a first look is enough to see that none
does."""
KEEP = 8
"""How much must speak for keeping a clause (16 is one unit of the trained score): chosen on the dev writers. Below it
four in ten things that were kept came from messages that tell nothing, and three in ten were right."""
BIDDEN = 16
"""What is added where somebody says how it is to be done: that is mostly meant to last, and right in three of four
however little else speaks for it."""
UNASKED = 10
"""What is added where the agent said something and asked nothing: our writers tell less of themselves there than other
people do. As much as leaves nine in ten of the dev writers' messages that teach nothing without a fact."""
_TELLING = frozenset({"states", "answers", "reports", "instructs"})
"""Acts that mostly tell something."""
GOES_ON = 4
"""How little must speak for ending a value so that a word of which nothing is known goes on with it: "черри тигго"."""
DOUBTED, SURE = 7, 32
"""Lead of an act, and distance from the border of keeping: below the one a second tier is asked, from the other on
nothing that it says of other clauses counts here."""
TELLS_NOTHING = frozenset({"asks", "retracts", "quotes", "supposes", "reports", "thanks", "greets"})
"""Acts after which nothing is kept, however much its words speak for it."""
WORTH = 16
"""What one unit of the second tier's logarithmic score is worth beside UNIT of the linear one's: chosen on the dev
writers, where the two together are better than either."""
_FAINT, _LOW = 0.01, 0.05
"""Chances that an act and that keeping have at least, so that one tier alone can rule out nothing: the encoder is sure
of too much."""
_QUOTING = frozenset("\"'“”„«»‘’`:><{}=|/")
"""Marks with which somebody else's words, or code, are shown."""
_FILE = os.path.join(os.path.dirname(__file__), "talk.bin")


class Value(NamedTuple):
    """Words of a clause that are the value of something."""

    start: int
    end: int
    attribute: str
    lead: int
    """How far the attribute leads over the next best; small means in doubt."""
    sign: str = "yes"
    """Whether it is so: "no" for what is said not to be, not wanted, or no longer, "was" for what is past, "others" for
    what is told of somebody else."""
    lasting: Scored = Scored("", 0)
    """The best of the attributes that outlive the talk, and how far it leads over the next best of those."""
    scores: Mapping[str, int] = {}
    """What speaks for each of the attributes that outlive the talk."""

    @property
    def positive(self) -> bool:
        return self.sign != "no"


class Judged(Protocol):
    """What a second tier makes of a clause."""

    @property
    def acts(self) -> Mapping[str, float]: ...
    @property
    def keep(self) -> float: ...


class _Whole(msgspec.Struct):
    """A whole message, as its clauses look at it."""

    tokens: list[Token]
    before: Before
    features: list[str]
    """Of a single clause; none where there are several and nobody has asked for more than theirs."""
    teaches: int | None = None
    """How much speaks for it telling anything to keep, once somebody has asked."""


class Clause:
    """The smallest part of a message with an act of its own."""

    def __init__(self, model: Model, whole: _Whole, place: tuple[int, int], features: list[str]) -> None:
        first, last = place
        self.tokens = whole.tokens[first:last]
        self.start, self.end = self.tokens[0].start, self.tokens[-1].end
        self._judged = model._scorers["clause"].judge(features)
        self.act, self.lead = self._judged.best("act")
        """What it does, and how far that leads over the next best."""
        self.tier = "linear"
        """Which tier had the last word on it."""
        self._model, self._whole, self._place, self.features = model, whole, place, features
        self._finds: dict[Any, Any] = {}

    def find(self, finder: Callable[[Reading, Clause], Found], reading: Reading) -> Found:
        """What a finder makes of it and the message that it is of, worked out once."""
        try:
            return self._finds[finder]  # type: ignore[no-any-return]
        except KeyError:
            found = self._finds[finder] = finder(reading, self)
            return found

    @cached_property
    def keep(self) -> int:
        """How much speaks for keeping what it tells, in the light of the whole message."""
        whole = self._whole
        if whole.teaches is None:
            features = whole.features or in_context(whole.tokens, 0, len(whole.tokens), 0, 1, whole.before)
            whole.teaches = self._model._scorers["teaches"].judge(features).yes("teaches")
        return self._judged.yes("keep") + whole.teaches // 2

    @property
    def worth(self) -> int:
        """The same for the decision to keep it: where nothing was asked people tell more than our writers do; what they
        bid mostly lasts."""
        before = self._whole.before
        unasked = UNASKED if self.act in _TELLING and before.last and not before.meant else 0
        return self.keep + unasked + (BIDDEN if self.act == "instructs" else 0)

    @property
    def doubt(self) -> int:
        """How little decides: the smaller, the more what a second tier says counts."""
        return min(self.lead, abs(self.keep))

    @property
    def open(self) -> bool:
        """Whether a second tier should be asked: a little more or less, and something else would be kept of it."""
        above = self.keep - KEEP
        if above >= DOUBTED:  # kept, unless it only asks or quotes
            return self.lead < DOUBTED and len({act in TELLS_NOTHING for act in self.likeliest}) == 2
        return above > -DOUBTED and (self.act not in TELLS_NOTHING or self.lead < DOUBTED)

    @cached_property
    def acts(self) -> dict[str, int]:
        """What speaks for each act."""
        return self._judged.table("act")

    @property
    def likeliest(self) -> list[str]:
        """The two acts that most speaks for."""
        return nlargest(2, self.acts, key=lambda act: self.acts[act])

    def leads(self, acts: Container[str]) -> int:
        """How far the best of some acts leads over the best of all others: which of them it is may be in doubt."""
        best = max(score for act, score in self.acts.items() if act in acts)
        return best - max(score for act, score in self.acts.items() if act not in acts)

    def rule_out(self, act: str) -> None:
        """Take the next best act where one cannot be."""
        if self.act == act:
            del self.acts[act]
            self._choose()

    def _choose(self) -> None:
        (self.act, best), (_, second) = sorted(self.acts.items(), key=lambda one: (-one[1], one[0]))[:2]
        self.lead = best - second

    def weigh(self, judged: Judged) -> None:
        """Add what a second tier says to what the words say, both as logarithmic scores."""
        for act in self.acts:
            self.acts[act] += round(WORTH * math.log(max(_FAINT, judged.acts.get(act, 0.0))))
        self._choose()
        chance = min(max(judged.keep, _LOW), 1 - _LOW)
        self.tier = "encoder"
        self.keep = self.keep + round(WORTH * math.log(chance / (1 - chance)))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What its words are, by the lexicon."""
        return frozenset([kind for token in self.tokens for kind in token.kinds])

    @property
    def about(self) -> str:
        """The lasting attribute that it is about ("employer"), or "none"."""
        return self._judged.best("about").best

    @cached_property
    def tells(self) -> Scored:
        """The lasting attribute that it tells, if it tells one at all, and how far that leads over the next best."""
        return leading({name: score for name, score in self.abouts.items() if name != "none"})

    @property
    def told(self) -> int:
        """How far that attribute leads over telling nothing lasting; below zero where more speaks for nothing."""
        return self.abouts[self.tells.best] - self.abouts["none"]

    @cached_property
    def abouts(self) -> dict[str, int]:
        """What speaks for each lasting attribute, and for "none", to be what it tells."""
        return self._judged.table("about")

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values that it gives, with their attributes."""
        before = self._whole.before
        hints = before.asked + before.meant
        return tuple(self._model.values(self._whole.tokens, *self._place, self.act, hints))

    def decided(self) -> Decided:
        """What was decided of it, for the record: by which model, how sure, and by which words."""
        return decided(self._judged.scorer, self.features, self.tokens, f"act:{self.act}", self.lead, self.keep)

    def __repr__(self) -> str:
        return f"Clause({self.start}, {self.end}, act={self.act!r}, lead={self.lead}, keep={self.keep})"


Second = Callable[[Sequence[Clause]], Sequence[Judged]]
"""A second tier: what it makes of each clause of a message."""


class Model:
    """The scorers of the reading, loaded when somebody first asks."""

    def __init__(self, path: str = _FILE) -> None:
        self._path = path
        self.parts = kept(8)(lambda *given: (found := tokens(*given)[:MAX_TOKENS], self.split(found) if found else []))
        """The words of a text and where its clauses stand: within a turn several ask for the same."""
        self._beside_gap = kept(32_768)(lambda b, h: self._scorers["split"].lead((f"b={b}", f"h={h}", f"bh={b} {h}")))
        """A first look at the words beside a gap: most are plainly inside a clause."""

    @cached_property
    def _scorers(self) -> dict[str, Scorer]:
        return scorer.load(self._path)

    def scorer(self, name: str) -> Scorer:
        """One trained decision by its name."""
        return self._scorers[name]

    def clauses(self, text: str, asked: str = "", language: str | None = None, told: str = "") -> list[Clause]:
        """What each part of a message does, after what the agent said last and the person before that."""
        found, spans = self.parts(text[:MAX_CHARS], language)
        if not found:
            return []
        asked, told = asked[-MAX_BEFORE:], told[-MAX_BEFORE:]
        return self.cut(found, spans, before_features(tokens(asked, language), tokens(told, language)))

    def cut(self, found: list[Token], spans: list[tuple[int, int]], before: Before) -> list[Clause]:
        """The clauses of a message whose places are known."""
        each = [in_context(found, *span, place, len(spans), before) for place, span in enumerate(spans)]
        whole = _Whole(found, before, each[0] if len(each) == 1 else [])
        made = [Clause(self, whole, span, features) for span, features in zip(spans, each, strict=True)]
        if any(clause.act == "quotes" for clause in made) and not _may_quote(found):
            for clause in made:
                clause.rule_out("quotes")
        return made

    def split(self, found: list[Token]) -> list[tuple[int, int]]:
        """The clauses of a message, by tokens."""
        splitter = self._scorers["split"]
        starts, aside = [0], _in_brackets(found)
        for place in range(1, len(found)):
            before, here = found[place - 1].word, found[place].word
            if before == "¿" or place in aside or (found[place].shape == "." and here != "¿"):
                continue
            if here != "¿" and self._beside_gap(before, here) <= PLAINLY_INSIDE:
                continue
            # "…, what can I eat?"; but "то, что в четверг" is one thing
            led = before == "," and place > 1 and "pointer" not in found[place - 2].kinds
            asks = led and "askword" in found[place].kinds
            title = found[place - 2 if before == "." and place > 1 else place - 1].kinds  # "Dr. Patel" is one name
            lead = splitter.lead(gap_features(found, place)) if "title" not in title else PLAINLY_INSIDE
            if here == "¿" or lead > (PLAINLY_INSIDE if asks else BORDER):
                starts.append(place)
        return list(zip(starts, [*starts[1:], len(found)], strict=True))

    def values(self, found: list[Token], start: int, end: int, act: str, hints: Sequence[str]) -> list[Value]:
        """The values of a clause: which words, what they are values of, and whether they are so."""
        tagger, previous = self.scorer("tag"), "out"
        runs: list[list[int]] = []
        for place in range(start, end):
            features = [*value_features(found, start, end, place, act), *tag_features(previous, found[place])]
            tag = _tag(tagger, features, previous, found[place])
            if tag == "begin" or (tag == "in" and previous == "out"):
                runs.append([place, place + 1])
            elif tag == "in":
                runs[-1][1] = place + 1
            previous = tag
        made, attribute, signs = [], self.scorer("attribute"), self.scorer("sign")
        shared = attribute.known(shared_features(found, start, end, act, hints)) if runs else []
        for first, last in runs:
            judged = attribute.judge(own_features(found, start, end, first, last), shared)
            scores = dict(zip(attribute.classes, judged.scores(), strict=True))
            lasting = {name: scores[name] for name in self.lasting if name in scores}
            sign = signs.best(sign_features(found, start, end, first, last, act))
            span = found[first].start, found[last - 1].end
            made.append(Value(*span, *leading(scores), sign, leading(lasting), lasting))
        return made

    @cached_property
    def lasting(self) -> tuple[str, ...]:
        """The attributes that outlive the talk, by name."""
        return tuple([name for name in self.scorer("clause").decisions["about"][0] if name != "none"])


def _in_brackets(found: Sequence[Token]) -> set[int]:
    """The words that stand in brackets with other ones before them: "Bram (logo, due Friday)" is one thing."""
    aside, open_ = set[int](), list[int]()
    for place, token in enumerate(found):
        if token.word == "(" and place:
            open_.append(place)
        elif token.word == ")" and open_:
            aside.update(range(open_.pop() + 1, place + 1))
    return aside


def _tag(tagger: Scorer, features: list[str], previous: str, token: Token) -> str:
    """Where a word stands: before or after a value, at its beginning, or in it. One that hardly ends a value, and of
    which nothing is known, is in it: it may be of a name."""
    tag = tagger.best(features)
    if tag != "out" or previous == "out" or token.kinds or token.english:
        return tag
    scores = dict(zip(tagger.classes, tagger.judge(features).scores(), strict=True))
    return "in" if scores["out"] - scores["in"] < GOES_ON else "out"


def leading(scores: Mapping[str, int]) -> Scored:
    """What most speaks for, of two that are equal the last by name, and how far it leads over the next best."""
    last, first = [*scores.values()][::-1], max(scores.values())
    place = last.index(first)
    del last[place]
    return Scored([*scores][-1 - place], first - max(last))


MARKED_WORDS = 4
"""Features whose words a receipt shows."""
WEIGHED = 6
"""Features that are looked at for words to show."""


def decided(
    by: Scorer, features: list[str], found: Sequence[Token], name: str, score: int, keep: int | None = None
) -> Decided:
    """What a scorer decided, with the words that spoke most for it, where they stand."""
    plain = [token for token in found if token.shape != "."]
    spoke = (feature for feature, weight in by.spoke(features, name) if weight > 0 and shows_words(feature))
    told = islice(filter(None, (words_of(feature, plain) for feature in islice(spoke, WEIGHED))), MARKED_WORDS)
    places = {(token.start, token.end) for words in told for token in words}
    return Decided(by.model, score, _joined(sorted(places)), keep)


def _joined(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Words that stand beside each other as one."""
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


_MODEL = Model()


def list_features() -> None:
    """Have all features of the scorers at hand, for a process that reads many messages."""
    for one in _MODEL._scorers.values():
        one.list_all()


def understand(
    text: str,
    asked: str = "",
    language: str | None = None,
    second: Second | None = None,
    told: str = "",
) -> list[Clause]:
    """The clauses of a message by the model that comes with Holdfast. Where it leaves open what is kept of one, a
    `second` tier, if there is one, judges all of them, and what it says of the doubtful ones counts too."""
    clauses = _MODEL.clauses(text, asked, language, told)
    if second is not None and any(clause.open for clause in clauses):
        for clause, judged in zip(clauses, second(clauses), strict=False):
            if clause.doubt < SURE:
                clause.weigh(judged)
    return clauses


def clause_spans(reading: Reading) -> list[tuple[int, int]]:
    """Where the clauses of a message stand, and no more of them. Use as `reading.find(clause_spans)`."""
    found, spans = _MODEL.parts(reading.text[:MAX_CHARS], reading.language)
    return [(found[first].start, found[last - 1].end) for first, last in spans]


def _may_quote(found: list[Token]) -> bool:
    """Whether a message has anything that shows others' words or code: a mark, a line of its own, a word of saying. An
    introduction in one breath is worded like what people quote, and is none."""
    lines = any(after.start - before.end > 1 for before, after in pairwise(found))
    return lines or any(token.word in _QUOTING or "sayverb" in token.kinds for token in found)


def strange(word: str) -> bool:
    """Whether a word is none that people say: no scorer of the reading ever met it often enough to weigh it."""
    seen = ("clause", "w="), ("attribute", "v="), ("tag", "h=")
    return not any(_MODEL.scorer(name).knows(prefix + word) for name, prefix in seen)
