"""Fits the scorer that tells which of the things that a person told answers a question, and writes its model file.

    make train

`corpus/asking/` holds talks with questions back, each with the number of the message that answers it (0 where nothing
does) and words of the answer. They are played through the pack `general`; each question is put where it stands, and
each clause that it may mean is an example.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

from holdfast import Holdfast
from holdfast.agents.recalling import told_of
from holdfast.faculties.facts.asking_back import MAYBE, Question, Seen, features, judge, questions, seen
from holdfast.faculties.facts.told import Told
from holdfast.reading.model.scorer import save
from training.corpus import HOME
from training.examples import Example
from training.fit import fit

MODEL = Path(__file__).parent.parent / "src/holdfast/faculties/facts/answers.bin"
TALKS = HOME / "asking"
STEM = 5


class Asked(NamedTuple):
    """A question of a talk, with the clauses that it may mean, which of them answer it, and which neither do nor do
    not."""

    id: str
    features: list[list[str]]
    right: list[bool]
    neither: list[bool]


def asked(path: Path) -> Iterator[Asked]:
    """The questions of all talks of one writer."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield from _of_talk(json.loads(line))


def _of_talk(talk: dict[str, Any]) -> Iterator[Asked]:
    engine, number, said = Holdfast(pack="general", reader="linear"), 0, list[str]()
    chat = engine.session("0", user="u")
    for step in talk["steps"]:
        match step:
            case ["NEW"]:
                number += 1
                chat = engine.session(str(number), user="u")
            case ["A", text]:
                chat.say(text)
            case ["ASK", text, words, place]:
                turn = chat.hear(text)
                answer = said[place - 1] if place else ""
                yield from _examples(talk["id"], turn, chat, answer, words)
            case [kind, text]:
                said += [text] if kind == "U" else []
                chat.hear(text)


def _examples(id: str, turn: Any, chat: Any, answer: str, words: str) -> Iterator[Asked]:
    read = chat.pack.reader.read
    earlier = [message.text for message in turn.state.conversation.recent if message.role == "user"]
    for question in questions(read(turn.text), turn.clauses, [read(text) for text in earlier[:-1]])[:1]:
        if question.everything or question.broad:
            continue
        told, of = told_of(question, turn, chat)
        others = [one for one in told if one.text != answer]
        few = others[len(turn.text) % 3 :: 3]  # somebody who told little
        yield _asked(id, question, told, of, answer, words)
        yield _asked(id, question, [one for one in told if one in few or one.text == answer], len(few), answer, words)
        if answer:  # the same question where nothing answers it
            yield _asked(id, question, others, of, "", "")
            yield _asked(id, question, few, len(few), "", "")


def _asked(id: str, question: Question, told: list[Told], of: int, answer: str, words: str) -> Asked:
    found = seen(question, told, of)
    inside = [bool(answer) and one.told.text == answer for one in found]
    right = [_answers(one, answer, words) for one in found]
    right = right if any(right) else inside
    neither = [here and not yes for here, yes in zip(inside, right, strict=True)]
    return Asked(id, [features(one, found) for one in found], right, neither)


def _answers(one: Seen, answer: str, words: str) -> bool:
    """Whether a clause is of the message that answers, and has its words."""
    if not answer or one.told.text != answer:
        return False
    said = _words(one.told.text[one.part.start : one.part.end])
    return any(not said.isdisjoint(_words(way)) for way in words.split("|"))


def _words(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"\w+", text.lower())}


def of_writer(path: Path) -> list[Asked]:
    return list(asked(path))


def of_all(paths: list[Path]) -> list[Asked]:
    with Pool(2) as pool:
        return [one for found in pool.imap(of_writer, paths) for one in found]


def examples(found: list[Asked]) -> list[Example]:
    return [
        Example(features, "yes" if right else "no")
        for one in found
        for features, right, neither in zip(one.features, one.right, one.neither, strict=True)
        if not neither
    ]


def measure(found: list[Asked], lead: Any) -> None:
    """How many questions are answered by the right clause, and how many of those that nothing answers by none."""
    for least in (-32, -24, -16, -8, MAYBE, 8, 16):
        right = wrong = silent = missed = 0
        for one in found:
            scores = [lead(features) for features in one.features]
            best = max(range(len(scores)), key=scores.__getitem__, default=0)
            told = bool(scores) and scores[best] >= least
            if any(one.right):
                right += told and (one.right[best] or one.neither[best])
                wrong += told and not (one.right[best] or one.neither[best])
                missed += not told
            else:
                silent += not told
        some = right + wrong + missed
        share = f"right {100 * right / some:.1f}, wrong {100 * wrong / some:.1f} of {some}"
        print(f"from {least:3}: {share}; silent {silent} of {len(found) - some}")


def main(aside: list[str]) -> None:
    paths = sorted(TALKS.glob("*.jsonl"))
    taught = of_all([path for path in paths if path.stem not in aside])
    made = examples(taught)
    trained = fit("answers", made, fine=4, slight=4)
    print(f"answers {len(made):,} examples of {len(taught):,} questions, {len(trained.rows):,} features")
    save(MODEL, [trained])
    judge.cache_clear()
    measure(of_all([path for path in paths if path.stem in aside]) if aside else taught, judge().lead)


if __name__ == "__main__":
    main(sys.argv[1:])
