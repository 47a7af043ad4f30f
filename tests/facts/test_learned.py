"""A value under negation, in a question, in a hypothesis or in quoted text is not learned as a fact, and what was
corrected is: some hundred sentences in three languages, in corpus/sayings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from holdfast import Holdfast, Session
from tests.rows import every

FILES = sorted((Path(__file__).parents[2] / "corpus" / "sayings").glob("*.txt"))


def sayings(path: Path) -> Iterator[tuple[str, str, str]]:
    packs: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            packs = line[1:].split()
        elif line and not line.startswith("#"):
            said, _, known = line.partition("=>")
            yield from ((pack, said.strip(), known.strip()) for pack in packs)


@cache
def engine(pack: str) -> Holdfast:
    return Holdfast(pack=pack)


def known(chat: Session) -> list[str]:
    state = chat.state
    slots = state.slots.values if "slots" in state else {}
    return [
        *(item.label for item in chat.memory.items() if item.kind != "context"),
        *(f"{name}: {held.value}" for name, held in slots.items()),
    ]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_only_what_is_asserted_is_learned(path: Path) -> None:
    every("pack, said, expected", sayings(path))(only_what_is_asserted_is_learned)()


def only_what_is_asserted_is_learned(pack: str, said: str, expected: str) -> None:
    chat = engine(pack).session(f"{pack}: {said}"[:200])
    for message in said.split("//"):
        chat.hear(message.strip().replace("\\n", "\n"))
    learned = known(chat)
    if expected == "0":
        assert learned == []
    text = "; ".join(learned).casefold()
    for mark in expected.split() if expected != "0" else ():
        assert (mark[1:].replace("_", " ").casefold() in text) == (mark[0] == "+"), learned


@pytest.mark.parametrize(
    "said", ["my name is Bob and I live in Perm", "me llamo Bob y vivo en Lima", "mi nombre es Bob y vivo en Lima"]
)
def test_a_name_behind_its_word_is_the_speakers_whatever_else_is_told(said: str) -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u")
    chat.hear(said)
    assert chat.memory.value("name") == "Bob"
    assert len(chat.memory.facts()) == 2


@pytest.mark.parametrize("said", ["his name is Bob", "the dog's name is Rex", "my name is on the list"])
def test_the_name_of_another_is_not_the_speakers_name(said: str) -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u")
    chat.hear(said)
    assert chat.memory.value("name") is None


def test_a_new_name_that_is_announced_takes_the_place_of_the_old_one() -> None:
    chat = Holdfast(pack="copilot_cli").session("s", user="u")
    chat.hear("my name is Bob")
    chat.hear("I changed my name, my name is Rob now")
    assert chat.memory.value("name") == "Rob"
