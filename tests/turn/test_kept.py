"""What was erased is in no object of the process any more: what is kept in order to be quick holds no word of it."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest

from holdfast import Holdfast

HALVES = ("Zanzibar", "quokka")


def held() -> list[str]:
    """The kinds of objects of this process that hold a text with the word in it."""
    gc.collect()
    word = "".join(half.lower() for half in HALVES)
    found = []
    for each in gc.get_objects():
        for text in gc.get_referents(each):
            if (type(text) is str and word in text.lower()) or (type(text) is bytes and word.encode() in text.lower()):
                found.append(type(each).__name__)
    return found


def talk(hf: Holdfast, name: str) -> None:
    chat = hf.session("s", user="u")
    chat.hear("my name is " + name)
    chat.say("Hello " + name + ", where do you live?")
    chat.hear("in Lisbon, and my mail is " + name + "@example.org")
    chat.hear("x" * 5000 + " " + name)
    assert re.search(re.escape(name), name)  # as the engine looks for what was named; the pattern is kept by Python
    assert hf.search(name)
    assert chat.search(name, around=True)
    assert chat.memory.search(name)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_no_object_holds_a_word_that_was_erased(tmp_path: Path, elsewhere: bool) -> None:
    with Holdfast(tmp_path / "chat.db") as hf, Holdfast(tmp_path / "chat.db") as other:
        talk(hf, "".join(HALVES))
        (other if elsewhere else hf).forget(user="u")
        hf.session("other").hear("hello there")  # what another one erased is noticed with the next turn
        assert held() == []
