"""What it costs to say where a message goes, against a bare `if` on the previous type, in the same run.

    python benchmarks/routing.py [ROUNDS]

The bare `if` is what the document's entry node does: it looks at one field and knows neither the words of the message
nor the stack. "hear" is the whole turn without a store; "task" is the part of it that routes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import count

from holdfast import turn
from holdfast.events import MessageHeard
from holdfast.faculties.aims.aim import model_words
from holdfast.faculty import Draft
from holdfast.packs.nxtscape import PACK
from holdfast.state import State

TALK = (
    "Actually, make it fluoride-free toothpaste",
    "Close all YouTube tabs",
    "the large tube please",
    "what does this page say about shipping?",
    "go back to the toothpaste",
    "Book a flight to Oslo",
    "continue",
    "thanks, that looks good to me",
)


_number = count()


def bare(previous: str | None) -> dict[str, object]:
    if previous == "browse":
        return {"requiresReplanning": True, "taskType": "browse-follow-up"}
    if previous == "productivity":
        return {"taskType": "productivity"}
    return {}


def shopping() -> State:
    """A conversation in which a browse task runs and another is paused."""
    state = State(PACK.folder.start)
    for text in ("Book a table at Kumo", "Order toothpaste on Amazon"):
        state = turn.hear(text, state, PACK, 0.0).draft.state
    faculty = PACK.faculty("task")
    steps = ["Open Amazon", "Search for toothpaste", "Choose a toothpaste", "Check out"]
    return turn.call(lambda draft: faculty.plan(draft, steps), state, PACK, 0.0).draft.state  # type: ignore[attr-defined]


def per_message(work: Callable[[str], object], rounds: int) -> float:
    """Microseconds of processor time per message, the best of five runs: machines are shared. No two texts are alike:
    what was read of a text is kept with its reading."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for _ in range(rounds):
            for text in TALK:
                work(f"{text} {next(_number)}")
        best = min(best, (time.process_time() - begin) / (rounds * len(TALK)))
    return best * 1e6


def main(rounds: int) -> None:
    state = shopping()
    faculty = PACK.faculty("task")
    bare_pack = PACK.but(faculties=tuple(f for f in PACK.faculties if f.name != "task"))

    def routed(text: str) -> None:
        message = MessageHeard(text=text)
        draft = Draft(message, PACK.reader.read(text), state, 0.0, PACK.folder)
        draft.record(message)
        for event in faculty.hear(draft):
            draft.record(event)

    def read(text: str) -> None:
        message = MessageHeard(text=text)
        draft = Draft(message, PACK.reader.read(text), state, 0.0, PACK.folder)
        draft.record(message)
        draft.reading.find(model_words)  # the words of a message and what its clauses do, as every learned part needs
        assert draft.clauses

    without = State(bare_pack.folder.start)
    figures = {
        "bare if": per_message(lambda text: bare("browse"), rounds),
        "task (routing alone, after reading)": per_message(routed, rounds) - per_message(read, rounds),
        "hear without the task faculty": per_message(lambda t: turn.hear(t, without, bare_pack, 0.0), rounds),
        "hear (the whole turn)": per_message(lambda t: turn.hear(t, state, PACK, 0.0), rounds),
    }
    for name, cost in figures.items():
        print(f"{name:<38} {cost:9.2f} µs per message")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
