"""Fits the scorer that tells which facts a message moves without naming them, and writes its model file.

    python -m training.moved          fit
    python -m training.moved dev      what it finds in the talk of writers kept out

`corpus/changes/` holds talks in which what was told changes or ends: after a message `GONE` has the words that are over
by it, as they were told. The talks go through the engine, so that what is held is what it holds without this scorer;
what is gone stays gone. What the writers of the corpus say without changing or taking back anything moves nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast, agents
from holdfast.faculties.facts import moved
from holdfast.faculties.facts.moved import may_move, newest, seen
from holdfast.faculties.facts.over import Message, Told
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.taking_back import AWAY
from holdfast.reading.model.scorer import Scorer, save
from holdfast.session import Session
from holdfast.turn import Turn
from training.aims import made
from training.corpus import HOME, Row, read, writers
from training.engine import STEM, words
from training.examples import Example
from training.fit import STRENGTH, fit

MODEL = Path(__file__).parent.parent / "src/holdfast/faculties/facts/moved.bin"
TALKS = HOME / "changes"
STRENGTH["moved"] = 0.2
EVERY = 6
"""Of the writers of the corpus every so many-th teaches what moves nothing."""
APART = 0.3
"""What one of their pairs counts for."""
TWICE = 0.5
"""What a pair of a talk counts for, which is gone through twice."""
CHANGES = frozenset({"now", "instead", "was", "until", "from"})
FOLDS = 4
"""Into how many parts the talks are put, each judged by what the others teach."""


class Asked(NamedTuple):
    """A message and a fact that it may move, once for each clause; `gone` where it does."""

    key: tuple[str, str]
    features: list[str]
    gone: bool


class Talk(NamedTuple):
    """What may be learned of one talk, and the facts that are gone in it, reached or not."""

    asked: list[Asked]
    gone: set[tuple[str, str]]


def played(pack: str, talk: dict[str, Any], own: bool) -> Talk:
    """A talk with the replies that are written in it, or (`own`) with those of the pack's own agent: what moves hangs
    less on what an agent says."""
    engine, day, found, over = Holdfast(pack=pack, reader="linear"), 0, Talk([], set()), set[str]()
    agent = engine.pack.agent or _silent
    chat, said, asked, steps = engine.session("0", user="u", project="p"), "", "", talk["steps"]
    for place, (kind, *rest) in enumerate(steps):
        if kind == "NEW":
            day, said, asked = day + 1, "", ""
            chat = engine.session(str(day), user="u", project="p")
        elif kind == "A" and not own:
            chat.say(rest[0])
            asked = rest[0]
        elif kind == "U":
            told = takewhile(lambda step: step[0] in ("KNOWN", "GONE"), steps[place + 1 :])
            gone = [step[1] for step in told if step[0] == "GONE"]
            over |= _message(f"{talk['id']} {place}", chat, (rest[0], asked, said), gone, over, found)
            turn = chat.hear(rest[0])
            said = rest[0]
            asked = " ".join(reply.text for reply in agents.run(agent, turn, chat)) if own else ""
    return found


def _message(id: str, chat: Any, said: tuple[str, str, str], gone: list[str], over: set[str], found: Talk) -> set[str]:
    """Take in what one message teaches; the facts that it moves."""
    text, asked, before = said
    held = [one for one in newest(chat.state) if one[1].id not in over]
    ends = {memo.id for _, memo in held if _is_gone(memo, gone)}
    found.gone.update((id, one) for one in ends)
    reading, facts = chat.pack.reader.read(text), seen(chat.pack.reader, held)
    for part in Message(reading, reading.after(asked, before), asked).parts:
        for one in may_move(part, facts, partial(_told, chat)):
            memo = one.place[1]
            found.asked.append(Asked((id, memo.id), one.features, memo.id in ends))
    return ends


def _is_gone(memo: Memo, gone: Sequence[str]) -> bool:
    """Whether a fact says what is over: all words of it, figures as they stand and others in any form."""
    said = words(f"{memo.value} {memo.text}")
    return any(all(_says(said, word) for word in words(one)) for one in gone if words(one))


def _says(said: Sequence[str], word: str) -> bool:
    if word[:1].isdigit():
        return word in said
    return any(one.startswith(word[:STEM]) for one in said)


def _told(chat: Any, memo: Memo) -> Told:
    here = memo.session in ("", chat.id)
    return Told(memo, chat.state.version + 1 - memo.version if here else AWAY)


def _silent(_: Turn, __: Session) -> Iterator[agents.Said]:
    """An agent that says nothing, for a pack that has none."""
    yield from ()


class Silent:
    """A scorer that says nothing to be over."""

    def lead(self, _: Sequence[str]) -> int:
        return -1000


def _job(job: tuple[str, str, bool]) -> Talk:
    moved.judge = Silent  # type: ignore[assignment]
    return played(job[0], json.loads(job[1]), job[2])


def talks() -> Iterator[tuple[str, bool, Talk]]:
    """What each writer's talks teach, by the writer (files whose names end alike may be of one): with the replies that
    are written in them, and with those of the pack's own agent."""
    files = sorted(TALKS.glob("*.jsonl"))
    jobs = [
        (path.stem, "copilot_cli" if path.stem[0] == "c" else "general", line, own)
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        for own in (False, True)
    ]
    with Pool() as pool:
        for (name, _, _, own), talk in zip(jobs, pool.map(_job, [job[1:] for job in jobs], chunksize=4), strict=True):
            yield name[1:], own, talk


def unmoved(name: str) -> list[list[str]]:
    """What the messages of a writer show that change nothing."""
    moved.judge = Silent  # type: ignore[assignment]
    engine, scene, day, found = Holdfast(pack="general", reader="linear"), "", 0, list[list[str]]()
    chat = engine.session("0", user="u")
    for row in read(HOME / f"{name}.txt"):
        if row.scene != scene or not row.before:
            scene, day = row.scene, day + 1
            chat = engine.session(str(day), user="u")
        if row.asked:
            chat.say(row.asked)
        if not _changes(row):
            talk = Talk([], set())
            _message("", chat, (row.text, row.asked, row.told), [], set(), talk)
            found += [one.features for one in talk.asked]
        chat.hear(row.text)
    return found


def _changes(row: Row) -> bool:
    """Whether a message may change or take back something, by its marks."""
    acts = {clause.act for clause in row.clauses}
    marked = (claim.old or claim.negative or claim.marks & CHANGES for clause in row.clauses for claim in clause.claims)
    return any(marked) or not acts.isdisjoint(("corrects", "retracts", "returns", "rejects"))


def beside() -> list[Example]:
    with Pool() as pool:
        found = pool.map(unmoved, writers("train")[::EVERY], chunksize=1)
    return [Example(features, "no", APART) for one in found for features in one]


def examples(found: Sequence[Talk]) -> list[Example]:
    return [Example(one.features, "yes" if one.gone else "no", TWICE) for talk in found for one in talk.asked]


def fitted(found: Sequence[Talk], more: list[Example]) -> Any:
    return fit("moved", examples(found) + more, fine=4, slight=3)


def counted(found: Sequence[Talk], by: Scorer, tally: Counter[tuple[int, str]]) -> None:
    """How many facts are gone, how many are found to be, and how many of those rightly, by least score."""
    for talk in found:
        best: dict[tuple[str, str], int] = {}
        for one in talk.asked:
            best[one.key] = max(best.get(one.key, -1000), by.lead(one.features))
        for least in (-16, -8, 0, 8, 16, 24):
            told = {key for key, lead in best.items() if lead >= least}
            tally.update({(least, "gone"): len(talk.gone), (least, "found"): len(told)})
            tally[least, "right"] += len(told & talk.gone)


def main(kept_out: str = "") -> None:
    found, more = list(talks()), beside()
    print(f"{len(found)} talks, {len(more):,} pairs of what moves nothing", flush=True)
    if not kept_out:
        trained = fitted([talk for _, _, talk in found], more)
        save(MODEL, [trained])
        print(f"{len(trained.rows):,} features, {MODEL.stat().st_size / 1e6:.2f} MB")
        return
    names, tally = sorted({name for name, _, _ in found}), Counter[tuple[int, str]]()
    for fold in range(FOLDS):
        out = set(names[fold::FOLDS])
        by = made(fitted([talk for name, _, talk in found if name not in out], more))
        counted([talk for name, own, talk in found if name in out and not own], by, tally)
    for least in (-16, -8, 0, 8, 16, 24):
        gone, told, right = (tally[least, kind] for kind in ("gone", "found", "right"))
        print(f"from {least:3}: precision {100 * right / max(1, told):.1f}, recall {100 * right / gone:.1f} of {gone}")


if __name__ == "__main__":
    main(*sys.argv[1:])
