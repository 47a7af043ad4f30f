"""A simulated technician: random answers, readings in every spelling, side questions inside one another, disputes,
corrections, silence, gibberish, slips of spelling, digressions, second complaints, mixed languages, answers ahead of
the question, edits of the report.

    python -m benchmarks.technician 10000

Every conversation must end in a report, or in an honest report of what could not be verified. What must never happen is
counted (`Watch`) and fails the run. The cost of a turn, with its reply, is printed in CPU time.
"""

from __future__ import annotations

import random
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast
from holdfast.faculties.desk.answering import KIND
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace
from holdfast.session import Session
from holdfast.turn import Reply, Turn

SAYINGS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LANGUAGES = tuple(SAYINGS)

LONGEST = 200
"""Turns after which a conversation counts as a dead end."""
PATIENCE = 70
"""Turns after which the technician only answers."""
CASES_PER_STORE = 200
"""Cases after which a fresh store is taken: to erase each of them would cost more than to talk."""
HELPLESS = 0.04
"""Share of technicians who have no tools and no access: all they can give is that nothing can be verified."""
MIXED = 0.06
"""Share of messages in another language than the conversation's."""
MISSPELT = 0.12
"""Share of messages in which two letters of a word change places."""
FALSE_CLOSES = 0.01
"""Share of messages that answer nothing and may close a step all the same."""
EMPTY = ("digress", "second", "noise", "later")
"""Moods whose messages answer nothing."""
WEIGHTS = {
    "fits": 30,
    "digress": 8,
    "second": 2,
    "answer": 14,
    "reading": 6,
    "side": 14,
    "both": 5,
    "unable": 5,
    "already": 3,
    "dispute": 3,
    "evidence": 4,
    "correction": 4,
    "noise": 6,
    "later": 3,
    "ahead": 3,
    "fault": 2,
    "isolate": 2,
    "repair": 1,
    "other": 3,
}
QUESTIONS = ("LOCATE", "EXPLAIN", "HOWTO", "STEP_HELP")
_QUOTE = re.compile(r'"([^"\n]+)"')
NEUTRAL = re.compile("out of specification|вне нормы|fuera de especificación")


class Ending(NamedTuple):
    """How a conversation ended, what went wrong in it, and what happened on the way."""

    end: str
    turns: int
    wrong: tuple[str, ...]
    seen: Counter[str]


class Watch:
    """What must never happen in a conversation."""

    def __init__(self, chat: Session) -> None:
        self.chat = chat
        self.face: DeskFace = chat.face
        self.asked: Counter[str] = Counter()
        self.said: list[str] = []
        self.replies: list[str] = []
        self.wrong: list[str] = []
        self.seen: Counter[str] = Counter()

    def timed(self, what: str, do: Callable[[], Any]) -> Any:
        """Do something, and add up the CPU time that it takes, in microseconds."""
        began = time.thread_time()
        done = do()
        self.seen[what] += int((time.thread_time() - began) * 1e6)
        return done

    def heard(self, turn: Turn, before: Any, mood: str) -> None:
        """After a message: nothing failed, help closed nothing, no closed step is planned."""
        self.said.append(turn.text)
        self._judged(turn, before, mood)
        for event in turn.events:
            name = type(event).__name__
            self.seen[name] += 1
            if name == "FacultyFailed":
                self.wrong.append(f"a faculty failed on {turn.text!r}")
            elif name in ("StepReopened", "StepsTakenOut"):
                for step in (event.step,) if name == "StepReopened" else event.steps:  # type: ignore[attr-defined]
                    self.asked[step] = 0
            elif name in ("SystemFound", "CaseResumed"):
                self.asked.clear()
            elif name == "Replanned" and (turn.state.diagnosis.isolation_complete or not turn.state.procedure.active):
                self.wrong.append(f"the replan on {turn.text!r} led nowhere")
        plan, closed = turn.state.diagnosis.plan, turn.state.procedure.closed
        if plan.action == "ask_step" and plan.step in closed:
            self.wrong.append(f"the closed step {plan.step} is planned")
        asks_only = turn.intent is not None and turn.intent.type in QUESTIONS and not self._gave_a_finding(turn)
        if asks_only and set(closed) != set(before.procedure.closed):
            self.wrong.append(f"the question {turn.text!r} closed a step")

    def _judged(self, turn: Turn, before: Any, mood: str) -> None:
        """Whether what answers nothing closed a step, what answers it did not, and whether a complaint was lost."""
        open_ = before.procedure.active
        if open_ is None or before.topics.mode != "diagnostic":
            return
        closing = turn.state.procedure.closed.get(open_)
        answered = closing is not None and closing.how == "answered"
        if mood in EMPTY:
            self.seen["answers nothing"] += 1
            self.seen["false closes"] += answered
        elif mood == "fits":
            self.seen["answers the step"] += 1
            self.seen["closes it"] += answered
        if mood == "second":
            known = {complaint.system for complaint in turn.state.procedure.complaints} | {before.procedure.system}
            self.seen["second complaints"] += 1
            if known == {before.procedure.system}:
                self.wrong.append(f"the complaint {turn.text!r} was lost")

    @staticmethod
    def _gave_a_finding(turn: Turn) -> bool:
        return sum(type(event).__name__ == "IntentRead" for event in turn.events) > 1

    def answered(self, reply: Reply, turn: Turn) -> None:
        """After a reply: it may go out, asks no closed step, no step a third time, and is no loop."""
        if reply.violations:
            self.wrong.append(f"{reply.violations[0].rule}: {reply.text[:60]}")
        guard = self.chat.state.guard
        action = guard.actions[-1] if guard.actions and guard.actions[-1].content == reply.text[:200] else None
        if action is not None and action.type == "question" and action.step is not None:
            self.asked[action.step] += 1
            if guard.asked[action.step] > 2 or self.asked[action.step] > 3:
                self.wrong.append(f"{action.step} was asked {self.asked[action.step]} times")
            if action.step in turn.state.procedure.closed:
                self.wrong.append(f"the closed step {action.step} was asked")
        if guard.fallbacks > 1:
            self.wrong.append("two fallbacks in a row")
        self.replies.append(reply.text)
        if len(self.replies) > 3 and len(set(self.replies[-4:])) == 1 and turn.state.procedure.active:
            self.wrong.append(f"the same reply four times: {reply.text[:60]}")

    def reported(self, text: str) -> None:
        """A report quotes nothing that was not said, and claims no repair that was not done."""
        heard = " ".join(" ".join(self.said).split()).casefold()
        changed = [change.new.casefold() for change in self.chat.state.report.changes if change.new]
        for quote in _QUOTE.findall(text.split("--- TRANSLATION", maxsplit=1)[0]):
            pieces = [piece.strip().casefold() for piece in NEUTRAL.split(quote)]
            if not all(piece in heard for piece in pieces) and not any(new in quote.casefold() for new in changed):
                self.wrong.append(f"the report quotes what nobody said: {quote[:60]}")
        repaired = any(fact.category == "repair" for fact in self.chat.state.evidence.live())
        if "Repair performed" in text and not repaired:
            self.wrong.append("the report claims a repair that was not done")


def says(
    rng: random.Random, chat: Session, language: str, turns: int, question: str | None, deep: bool
) -> tuple[str, str]:
    """What the technician says, and in which mood; towards the end of patience, only what leads to a report."""
    state = chat.state
    sayings = SAYINGS[rng.choice(LANGUAGES) if rng.random() < MIXED else language]
    action = state.diagnosis.plan.action if state.diagnosis.plan is not None else ""
    if state.procedure.system is None and turns > 1:
        return rng.choice(SAYINGS[language]["roof"] if question else SAYINGS[language]["complaint"]), "complaint"
    if action in ("offer_completion", "generate_labor") and rng.random() < 0.5:
        return rng.choice(sayings["report"]), "report"
    if action == "ask_restoration_check":
        return rng.choice(sayings[rng.choice(("yes", "no", "no", "side", "noise", "answer", "later"))]), "check"
    if state.diagnosis.isolation_complete and state.diagnosis.terminal != "terminal" and rng.random() < 0.5:
        return rng.choice(sayings[rng.choice(("evidence", "evidence", "dispute"))]), "evidence"
    mood = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0] if turns < PATIENCE else "fits"
    if deep and rng.random() < 0.35:
        mood = "side"  # a question inside a question
    return _filled(_said(rng, sayings, mood, chat), rng, chat, language), mood


def _said(rng: random.Random, sayings: dict[str, Any], mood: str, chat: Session) -> str:
    """A saying of a mood; what fits the step is of the kind that it asks for, and another system complains."""
    if mood == "fits":
        return _misspelt(rng, rng.choice(_fitting(sayings["fits"], chat)))
    if mood == "second":
        others = [text for system, text in sayings["second"].items() if system != chat.state.procedure.system]
        return str(rng.choice(others))
    said: str = rng.choice(sayings[mood])
    return _misspelt(rng, said) if mood == "digress" else said


def _fitting(fits: dict[str, list[str]], chat: Session) -> list[str]:
    """What answers the open step: by the step itself where it offers kinds, else by its unit or what it asks for."""
    step = chat.face.desk.library.step(chat.state.procedure.active)
    if step is None:
        return fits["state"]
    volts = step.answer == "reading" and step.check.startswith("volts")
    return fits.get(step.id) or fits["V" if volts else KIND[step.answer]]


def _misspelt(rng: random.Random, text: str) -> str:
    """The text as it comes from hurried fingers, now and then."""
    words = [word for word in text.split() if len(word) >= 6 and word.isalpha()]
    if not words or rng.random() >= MISSPELT:
        return text
    word = rng.choice(words)
    at = rng.randrange(1, len(word) - 2)
    return text.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :], 1)


def _filled(text: str, rng: random.Random, chat: Session, language: str) -> str:
    """A saying with a reading, another answer or the name of a part in its place."""
    if "{" not in text:
        return text
    number = rng.choice((12.6, 12.4, 11.9, 13.1, 9.5, 25, 118, 0, 14.1, 120, 3, 11.2))
    procedure = chat.face.desk.library.procedure(chat.state.procedure.system)
    part = rng.choice(procedure.step).part.in_(language) if procedure else "fuse"
    answer = rng.choice(SAYINGS[language]["answer"])
    return text.format(n=f"{number:g}", c=f"{number:g}".replace(".", ","), part=part, a=answer)


def converse(chat: Session, rng: random.Random) -> Ending:
    """One conversation with the desk's own agent, watched from the first complaint to the report and its edits."""
    watch = Watch(chat)
    language = rng.choice(LANGUAGES)
    text, helpless, edits = (
        rng.choice(SAYINGS[language]["complaint"]),
        rng.random() < HELPLESS,
        rng.choice((0, 0, 1, 2, 3)),
    )
    mood = "complaint"
    for turns in range(1, LONGEST):
        before = chat.state
        attached = {"photo": f"p{turns}.jpg"} if rng.random() < 0.02 else {}
        turn = watch.timed("hear", partial(chat.hear, text, **attached))
        watch.heard(turn, before, mood)
        for said in PACK.agent(turn, chat):  # type: ignore[misc]
            reply = watch.timed("say", partial(chat.say, said.text))
            watch.answered(reply, turn)  # as it is: the desk's own words need no stand-in
        state = chat.state
        if state.topics.mode == "final_report" and state.report.produced:
            if state.report.last:
                watch.reported(watch.replies[-1])
            if not edits:
                return Ending(_end(state), turns, tuple(watch.wrong), watch.seen)
            edits -= 1
            text, mood = _filled(rng.choice(SAYINGS[language]["edit"]), rng, chat, language), "edit"
            continue
        text, mood = says(rng, chat, language, turns, turn.question, bool(turn.state.topics.stack))
        if helpless and state.procedure.active is not None:
            text, mood = rng.choice(SAYINGS[language]["unable"]), "unable"
    return Ending("dead end", LONGEST, (*watch.wrong, "no report"), watch.seen)


def _end(state: Any) -> str:
    """How a case ended: with what was found, or honestly without."""
    if state.diagnosis.terminal == "terminal":
        return "report: repaired and working"
    if state.diagnosis.isolation_complete:
        return "report: isolated"
    answered = any(closing.how == "answered" for closing in state.procedure.closed.values())
    return "report: all steps closed" if answered else "cannot be verified"


class Result(NamedTuple):
    """What came of many conversations."""

    ends: Counter[str]
    wrong: list[str]
    turns: int
    seen: Counter[str]

    def joined(self, other: Result) -> Result:
        return Result(
            self.ends + other.ends, self.wrong + other.wrong, self.turns + other.turns, self.seen + other.seen
        )


def simulate(conversations: int, seed: int = 1, show: bool = False) -> Result:
    """So many conversations, shared out among the processors; how they ended, what went wrong, the number of turns."""
    parts = [range(at, min(at + CASES_PER_STORE, conversations)) for at in range(0, conversations, CASES_PER_STORE)]
    talk, result = partial(_talk, seed=seed), Result(Counter(), [], 0, Counter())
    if len(parts) == 1:
        return talk(parts[0])
    with get_context("fork").Pool() as workers:
        for done, told in enumerate(workers.imap(talk, parts), 1):
            result = result.joined(told)
            if show:
                _progress(min(done * CASES_PER_STORE, conversations), conversations, len(result.wrong))
    return result


def _talk(numbers: range, seed: int) -> Result:
    """The conversations of those numbers: each is the same whoever else talks."""
    result, hf = Result(Counter(), [], 0, Counter()), Holdfast(pack=PACK)
    for number in numbers:
        ending = converse(hf.session(f"case-{number}"), random.Random(seed * 1_000_003 + number))
        wrong = [f"conversation {number}: {what}" for what in ending.wrong]
        result = result.joined(Result(Counter([ending.end]), wrong, ending.turns, ending.seen))
    return result


def _progress(done: int, of: int, wrong: int) -> None:
    bar = "#" * (done * 40 // of)
    print(f"\r[{bar:40}] {done:,} of {of:,}, {wrong} wrong", end="", file=sys.stderr, flush=True)


SHOWN = {
    "TopicPushed": "side questions",
    "FactLearned": "facts",
    "FactsSuperseded": "facts superseded",
    "ContradictionFound": "contradictions",
    "DoubtRaised": "doubts asked about",
    "BranchEntered": "branches entered",
    "Isolated": "isolations",
    "Replanned": "replans",
    "StepReopened": "steps reopened",
    "Recovered": "recoveries of the guard",
    "ClaimsChanged": "report lines changed",
}


def main() -> None:
    conversations = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    result = simulate(conversations, show=True)
    print(file=sys.stderr)
    for end, count in result.ends.most_common():
        print(f"{end:30} {count:9,}")
    for name, shown in SHOWN.items():
        print(f"{shown:30} {result.seen[name]:9,}")
    print(f"{'turns':30} {result.turns:9,}")
    for what, shown in (("hear", "a message heard, CPU"), ("say", "a reply checked and said, CPU")):
        print(f"{shown:30} {result.seen[what] / max(result.turns, 1) / 1e3:9.2f} ms")
    for part, whole in (("false closes", "answers nothing"), ("closes it", "answers the step")):
        share = result.seen[part] / max(result.seen[whole], 1)
        print(f"{part + ' of what ' + whole:38} {share:9.2%}  ({result.seen[part]:,} of {result.seen[whole]:,})")
    print(f"{'second complaints':30} {result.seen['second complaints']:9,}")
    print(f"{'went wrong':30} {len(result.wrong):9,}")
    for what in result.wrong[:20]:
        print(f"  {what}")
    often = result.seen["false closes"] > FALSE_CLOSES * result.seen["answers nothing"]
    if result.wrong or often or result.ends["dead end"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
