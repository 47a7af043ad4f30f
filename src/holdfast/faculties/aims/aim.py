"""What a message is about: one scored choice, made once per message, for every faculty that has to know.

A message answers what was just asked, goes on with what is at hand, begins something new, asks something aside, returns
to something earlier, puts it off, stops it, closes it, starts fresh, or is about nothing (a greeting, thanks, a
remark). The evidence is the same on every turn: its words, the kinds of cues that fired, what it has in common with
what is at hand, with what was left and with what the agent said last, what its clauses do, the kind of work it asks
for, and what was just asked. Words of other languages count as they are and as the English that they mean. The weights
are learned (`training/aims.py`); nothing here knows a word of any language.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import chain
from math import log
from typing import TYPE_CHECKING, NamedTuple

from holdfast.faculties.aims.naming import objects
from holdfast.faculty import Draft
from holdfast.reading.model import scorer
from holdfast.reading.model.clauses import MARKED_WORDS, MAX_BEFORE, Clause, strange
from holdfast.reading.model.scorer import UNIT, Decided, Scorer
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import sentences

if TYPE_CHECKING:
    from holdfast.faculties.aims.tasks.events import Task, Tasks

MAX_WORDS = 40
"""Words of a message that are looked at: what it is about is said at its beginning and its end."""
FAMILIES = (
    *("task_fresh", "task_resume", "task_back", "task_continue", "task_more", "task_change", "task_navigate"),
    *("points_at", "library", "lib_choose", "lib_instead", "approach", "something_else", "output"),
    *("yes", "no", "politeness", "unsure", "let_go", "correction", "reference", "negation"),
)
"""Families of cues that count as evidence beside the words themselves, where the pack has them."""
CAREFUL = {
    **{(name, "same"): "same" for name in ("none", "stop", "hold", "close")},
    ("return", "new"): "new",
    ("return", "same"): "same",
    ("return", "none"): "none",
    ("none", "hold"): "hold",
}
"""Of two aims that are nearly equal, the one whose mistake costs less: an instruction is not lost as a remark, least of
all one to wait, and neither a request that is complete in itself, nor what fits the task at hand, nor a remark returns
to something old."""
_MODEL = os.path.join(os.path.dirname(__file__), "aims.bin")
_GOES_ON = {"same": ("continue", "change"), "fresh": ("new",)}
"""What the aims of a room are called in the corpus, where not the same."""
_ASKS = frozenset({"asks"})
_IDLE = frozenset({"remarks", "greets", "thanks"})
_DROPS = frozenset({"stops", "retracts"})
"""What clauses do that let go of something."""
_STOPS = frozenset({"stops"})
_WHY = _IDLE | {"reports", "states", "denies"}
"""What clauses do that say why."""
_FAINT = 0.02
LONG_WORD = 5
_STEM = 4
_VERBS = 3
"""Words at the beginning of a message among which its verb mostly is."""
VOWELS = dict.fromkeys((*b"aeiouy", 0x430, 0x435, 0x438, 0x43E, 0x443, 0x44B, 0x44D, 0x44E, 0x44F))
"""Vowels of the Latin and the Cyrillic alphabet, by their numbers."""
_CLOSE = 16
"""Lead below which a choice is a close call."""
BARE = 2
"""Words of an answer that gives something and says no more."""
_PLAIN = 60
"""Lead from which a choice is plain, even where nothing else speaks for it."""


class Situation(NamedTuple):
    """What a message could be about, as far as it counts as evidence."""

    room: str
    """Where it is said: among tasks, beside files, or in plain talk."""
    at: str = "none"
    """What is at hand there: the kind of the running task, "file", or "none"."""
    status: str = ""
    """How far it is: running, paused, done …"""
    asked: str = ""
    """The kind of answer that was just asked for, if any."""
    common: str = "none"
    """How much of what the message names is known of what is at hand: none, where (only the place), some, most."""
    earlier: str = "none"
    """How much of it is known of something that was left."""
    waiting: bool = False
    """Whether something was left that could be returned to."""
    kind: str = ""
    """The kind of work that the message asks for by itself, "none" where it asks for none."""
    sure: int = 0
    """How far that kind leads."""
    likely: str = ""
    """The kind that it would be if it asks for any."""
    acts: tuple[tuple[str, int], ...] = ()
    """What each of its clauses does, and how sure that is."""
    met: tuple[int, int] | None = None
    """How many of the words that name something the agent said last, too, and how many it did not."""


class Aim(NamedTuple):
    """What a message is about, how far that leads, the scores of everything it could be about, and where it is said."""

    what: str
    lead: int
    scores: dict[str, int]
    here: Situation

    @property
    def close(self) -> bool:
        """Whether the next best was nearly as good."""
        return self.lead < _CLOSE

    @property
    def plain(self) -> bool:
        """Whether nothing else comes near."""
        return self.lead >= _PLAIN

    @property
    def readable(self) -> bool:
        """Whether the words tell the kind of work at all, however little."""
        return self.plain or self.here.kind != "none"

    @property
    def leaves(self) -> bool:
        """Whether the message leaves a question that was just asked: it wants something else, or nothing."""
        return self.what in ("new", "side", "return", "fresh", "stop", "hold")

    @property
    def own(self) -> bool:
        """Whether the message asks for something itself, which is more than an answer."""
        return self.what in ("new", "same", "side", "return", "fresh")

    @property
    def asks(self) -> bool:
        """Whether the message surely asks, and does nothing else."""
        return _surely(self.here, _ASKS)

    def weighed(self, chances: Mapping[str, float]) -> Aim:
        """The choice with what the encoder says of it: chances of the corpus' aims, two of which are going on."""
        scores = dict(self.scores)
        for name in scores:
            chance = sum(chances.get(one, 0.0) for one in _GOES_ON.get(name, (name,)))
            scores[name] += round(UNIT * log(max(chance, _FAINT)))
        (what, first), (_, second) = sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:2]
        return self._replace(what=what, lead=first - second, scores=scores)

    def decided(self, reading: Reading) -> Decided:
        """The choice for the record, with the words that spoke for it."""
        by = _scorers()[self.here.room]
        said = {"w=" + token.word: (token.start, token.end) for token in reading.find(model_words)}
        spoke = [said[feature] for feature, weight in by.spoke(said, self.what)[:MARKED_WORDS] if weight > 0]
        return Decided(by.model, self.lead, tuple(sorted(spoke)))

    def prefers(self, one: Iterable[str], other: Iterable[str]) -> int:
        """How far the best of some aims leads over the best of others; below zero it does not."""
        low = -(10**6)
        best = max((self.scores.get(name, low) for name in one), default=low)
        return best - max((self.scores.get(name, low) for name in other), default=low)


@lru_cache(maxsize=1)
def _scorers() -> dict[str, Scorer]:
    return scorer.load(_MODEL)


def unheard(reading: Reading) -> bool:
    """Whether a message holds a word that no scorer ever met, so that it may mean anything."""
    return any(not token.kinds and strange(token.word) for token in reading.find(model_words))


MODEL_CHARS = 4000
"""Characters of a message that are looked at for what it is about."""


def model_words(reading: Reading) -> list[Token]:
    """The words of a message as the scorers see them: its beginning and its end. Use as `reading.find(model_words)`."""
    found = [token for token in reading.find(tokens_of) if token.start < MODEL_CHARS]
    if len(found) > MAX_WORDS:
        found = [*found[: MAX_WORDS - 10], *found[-10:]]
    return found


def words(reading: Reading) -> list[str]:
    """What the words of a message tell, one by one, in pairs, at its beginning and at its end, and how many they are;
    those of another language tell it as the English that they mean, too. Use as `reading.find(words)`."""
    found = reading.find(model_words)
    said = [token for token in found if token.shape != "."]
    told: list[str] = []
    if len(said) > 1 and "yes" in found[0].kinds:  # "ok go on" says what "go on" says
        told.append("o=yes")
        del said[0]
    told += ["K=" + kind for token in found for kind in token.kinds]
    plain = [token.word for token in said]
    told += _in_rows(plain)
    if any(token.english for token in said):
        meant = [*chain.from_iterable([(token.english or token.word).split() for token in said])]
        known = set(told)  # "no" is the same in Spanish, and counts once
        told += [one for one in _in_rows(meant) if one not in known]
    # a verb with a letter too many or too few: "ordr", "bok"
    told += ["x=" + word.translate(VOWELS) for word in plain[:_VERBS] if len(word) > 2]
    told.append(f"n={min(len(plain), 10)}")
    return [*told, "?"] if found and found[-1].word == "?" else told


def _in_rows(plain: list[str]) -> list[str]:
    told, last = [], "^"
    for word in plain:
        told.append("w=" + word)
        if len(word) > LONG_WORD:
            told.append("p=" + word[:_STEM])
        told.append(last + " " + word)
        last = word
    if plain:
        told += (plain[-1] + " $", "f=" + plain[0], "l=" + plain[-1])
    if len(plain) > 1:  # how a verb that nobody knows takes its object: "… my", "… it", "… the"
        told += ("s=" + plain[1], "s2=" + " ".join(plain[1:3]))
    return told


def aim_features(reading: Reading, here: Situation) -> list[str]:
    """What tells what a message is about."""
    found = [*reading.find(words)]
    short = found[-1] if found[-1] != "?" else found[-2]
    found += ["c=" + family for family in reading.among(FAMILIES)]
    same = "none" if here.kind in ("", "none") else "same" if here.kind == here.at else "other"
    sure = min(max(here.sure, 0) // 24, 3)
    state = f"{here.at} {here.status}"
    found += (
        f"at={state}",
        f"q={here.asked}",
        f"q={here.asked} {short}",
        f"qy={here.asked} {reading.has('yes', 'no')}",
        f"k={here.kind}{sure}",
        f"ks={same}{sure}",
        f"ks={same}{sure} {state}",
        f"ks={same} {here.common}",
        f"ks={same}{sure} {here.asked}",
        f"sh={here.common} {here.at}",
        f"er={here.earlier} {here.common} {here.at}",
        f"wait={here.waiting} {here.at}",
    )
    return [*found, *_acting(here), *_meeting(here, short)]


def _acting(here: Situation) -> Iterable[str]:
    """What the clauses of a message do, and in which situation the last one does it."""
    if not here.acts:
        return ()
    (first, sure), (last, surely) = here.acts[0], here.acts[-1]
    done = sorted({act for act, _ in here.acts})
    return (
        *[f"a={act}" for act in done],
        f"as={'+'.join(done)}",
        f"aF={first}{min(sure // UNIT, 2)}",
        f"aL={last}{min(surely // UNIT, 2)}",
        f"aq={last} {here.asked}",
        f"ak={last} {here.kind}",
        f"aat={last} {here.at}",
    )


def _meeting(here: Situation, short: str) -> Iterable[str]:
    """Whether a message takes up words of what the agent said last."""
    if here.met is None:
        return ()
    again, fresh = here.met
    few = min(again, 2)
    return f"xs={min(again, 3)}", f"xn={few}{min(fresh, 3)}", f"xq={few} {here.asked}", f"xat={few} {here.at} {short}"


def in_context(here: Situation, reading: Reading, clauses: Iterable[Clause], asked: str) -> Situation:
    """A situation with what the clauses of the message do and what it takes up of what the agent said last."""
    here = here._replace(acts=tuple([(clause.act, clause.lead) for clause in clauses]))
    if not asked:
        return here
    said = {_brief(token) for token in tokens(asked[-MAX_BEFORE:], reading.language) if _names(token)}
    named = [_brief(token) for token in reading.find(model_words) if _names(token)]
    again = sum([word in said for word in named])
    return here._replace(met=(again, len(named) - again))


def _names(token: Token) -> bool:
    """Whether a word may name something: a longer one, a figure, or one with a capital."""
    return token.shape in "0WA" or len(token.word) >= _STEM


def _brief(token: Token) -> str:
    """The beginning of a word, which its forms share."""
    return token.word[:_STEM] if len(token.word) > LONG_WORD else token.word


def kind_of(name: str, reading: Reading) -> tuple[str, int, str]:
    """The kind of work that a message asks for by itself, by the scorer of that name, how far it leads, and the kind
    that it would be if it asks for any."""
    by = _scorers()[name]
    told = sorted(zip(by.scores(reading.find(words)), by.classes, strict=True), reverse=True)
    best, lead = told[0][1], told[0][0] - told[1][0]
    return best, lead, best if best != "none" else told[1][1]


def choose(reading: Reading, here: Situation) -> Aim:
    """The choice itself."""
    by = _scorers()[here.room]
    scores = by.scores(aim_features(reading, here))
    ranked = sorted(zip(scores, by.classes, strict=True), reverse=True)
    (first, what), (second, other) = ranked[:2]
    if first - second <= _CLOSE:
        what = _careful(what, other, here)
    return Aim(what, first - second, dict(zip(by.classes, scores, strict=True)), here)


def _careful(what: str, other: str, here: Situation) -> str:
    """Of two aims that are nearly equal, the one for which speaks what the clauses do, else the less costly one."""
    pair = {what, other}
    if pair == {"same", "side"}:
        return "side" if _surely(here, _ASKS) else "same"
    if (what, other, here.kind) == ("new", "same", "none"):
        return other  # what is complete in itself tells its kind of work
    idle = _surely(here, _IDLE)
    if (what, other) == ("none", "new") and here.at in ("none", "file"):
        return what if idle else other  # with no task at hand, what is no plain remark wants something
    if idle and here.room == "task" and pair in ({"same", "none"}, {"close", "none"}):
        return "none"  # beside a file a remark is often a complaint
    return CAREFUL.get((what, other), what)


def _surely(here: Situation, acts: frozenset[str]) -> bool:
    """Whether the clauses of a message surely do one of some things, and nothing else."""
    return bool(here.acts) and all(act in acts and lead >= _CLOSE for act, lead in here.acts)


def share(named: frozenset[str], known: Iterable[str]) -> str:
    """How much of what a message names is known already."""
    both = len(named.intersection(known))
    return "none" if not both else "most" if 2 * both >= len(named) else "some"


def aim(draft: Draft) -> Aim:
    """What the message of this turn is about, seen from where the conversation stood before it."""
    return draft.find(_aim)


def _aim(draft: Draft) -> Aim:
    chosen = choose(draft.reading, situation(draft))
    if chosen.close and (read := draft.reread) is not None:
        chosen = chosen.weighed(read.aim)
    chosen = _by_part(draft, chosen)
    told = partial(chosen.decided, draft.reading)  # of the reading alone: a draft must not hold on to itself
    for rule in (f"aim.{chosen.what}", "task.follow_up"):
        draft.decided(rule, told)
    return chosen


def _by_part(draft: Draft, chosen: Aim) -> Aim:
    """The aim of the part that says what a message is about; letting go, where it says no more than why."""
    if (rest := _rest(draft, chosen)) is not None:
        last, short = part_aim(draft, rest), len(draft.reading.words(rest).split()) <= BARE
        if last.what not in ("none", "answer") or (last.what == "answer" and short):
            return last
    return _called_off(chosen) if _lets_go(draft, chosen) else chosen


def _lets_go(draft: Draft, chosen: Aim) -> bool:
    """Whether a message lets go of a task or of what is asked about it, and says no more than why: "never mind, a
    friend is picking me up". It names nothing that is let go of alone ("forget the colour"); beside a file one may take
    back a change of it."""
    acts, drops = {clause.act for clause in draft.clauses}, _DROPS if chosen.here.room == "task" else _STOPS
    at_hand = chosen.here.at != "none" or bool(chosen.here.asked)
    alone = acts <= drops | _WHY and not any(clause.values for clause in draft.clauses if clause.act in drops)
    return at_hand and alone and bool(acts & drops) and chosen.what in ("same", "answer", "none", "new")


def _called_off(chosen: Aim) -> Aim:
    return chosen._replace(
        what="stop", lead=_PLAIN, scores={**chosen.scores, "stop": max(chosen.scores.values()) + _PLAIN}
    )


def _rest(draft: Draft, chosen: Aim) -> Span | None:
    """The part of a message that says what it is about, where that is not all of it: what is asked for after something
    was dropped ("scratch the bike. check the trains"), or what comes after a remark ("that is nice. add my logo")."""
    clauses, end = draft.clauses, len(draft.reading.text)
    dropped = [place for place, clause in enumerate(clauses) if clause.act in _DROPS and chosen.what != "fresh"]
    if dropped and dropped[-1] + 1 < len(clauses):
        return clauses[dropped[-1]].end, end
    said = draft.reading.find(sentences) if chosen.what == "none" and not chosen.plain else []
    return said[-1] if len(said) > 1 else None


def part_aim(draft: Draft, span: Span) -> Aim:
    """What a part of the message of this turn is about, by itself."""
    part = draft.reading.reader.read(draft.reading.words(span))
    return choose(part, _situated(draft, part, [c for c in draft.clauses if span[0] <= c.start < span[1]]))


def requests(draft: Draft) -> bool:
    """Whether any part of a message asks for something to be done, by what the reading makes of its clauses."""
    return any(clause.act == "requests" for clause in draft.clauses)


def situation(draft: Draft) -> Situation:
    """What the message of this turn could be about."""
    return _situated(draft, draft.reading, draft.clauses)


def _situated(draft: Draft, reading: Reading, clauses: Iterable[Clause]) -> Situation:
    """What a message, or a part of it, could be about."""
    rooms = reading.reader.data("aims")
    here = Situation(str(rooms.get("room", "talk")), asked=asked_kind(draft))
    here = in_context(here, reading, clauses, draft.asked)
    slices = draft.before.session.slices
    if here.room == "task":
        kind, sure, likely = kind_of(str(rooms["kinds"]), reading)
        return among_tasks(reading, slices["task"], here._replace(kind=kind, sure=sure, likely=likely))
    if here.room == "file" and slices["files"].files:
        return here._replace(at="file", waiting=len(slices["files"].files) > 1)
    return here


def among_tasks(reading: Reading, tasks: Tasks, here: Situation) -> Situation:
    """A situation with the tasks of a conversation in it."""
    named, current = reading.find(objects), tasks.current
    shares = {share(named, task.objects) for task in tasks.paused}
    return here._replace(
        at=current.type if current else "none",
        status=current.status if current else "",
        common=known(named, current) if current else "none",
        earlier=next((name for name in ("most", "some") if name in shares), "none"),
        waiting=bool(tasks.paused),
    )


def known(named: frozenset[str], task: Task) -> str:
    """How much of what a message names is known of a task."""
    common = share(named, task.objects)
    return "where" if common == "none" and not named.isdisjoint(task.beside) else common


def asked_kind(draft: Draft) -> str:
    """The kind of answer that the newest reply of the agent asked for, or nothing."""
    questions = draft.before.session.slices.get("questions")
    if questions is None or not questions.open:
        return ""
    newest = questions.open[-1]
    turn = draft.before.conversation.turns
    return str(newest.expects) if turn - newest.turn <= 0 else ""
