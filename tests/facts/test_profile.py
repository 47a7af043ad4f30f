"""The profile: explicit statements only, kept for the user across conversations."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from tests.rows import every


def profile(*said: str) -> dict[str, str]:
    hf = Holdfast(pack="grace")
    chat = hf.session("c1", user="u1")
    for text in said:
        chat.hear(text)
    found: dict[str, str] = hf.session("c2", user="u1").face.build().profile
    return found


@every(
    ("said", "expected"),
    [
        ("My name is Dana Frey", {"name": "Dana Frey"}),
        ("my name is Dana and I work as a nurse", {"name": "Dana", "profession": "nurse"}),
        ("Call me Maria", {"name": "Maria"}),
        ("I'm a freelance designer.", {"profession": "freelance designer"}),
        ("I live in Austin, Texas", {"location": "Austin"}),
        ("I am interested in chess and sailing", {"interests": "chess and sailing"}),
        ("I'm a complete beginner", {"expertise_level": "beginner"}),
        ("please keep your answers short", {"communication_style": "short"}),
        ("My goal is to write a book", {"goals": "write a book"}),
        ("Меня зовут Анна", {"name": "Анна"}),
        ("Я живу в Москве", {"location": "Москве"}),
        ("Me llamo Pedro y soy principiante", {"name": "Pedro", "expertise_level": "principiante"}),
    ],
)
def test_what_people_say_of_themselves_is_kept(said: str, expected: dict[str, str]) -> None:
    assert profile(said) == expected


@pytest.mark.parametrize(
    "said",
    [
        "call me later",
        "What is my name?",
        'write "my name is Bob" at the top',
        "keep it short",
        "if my name is Bob, then what?",
        "my boss is a nurse",
        "The name is missing in the document",
        "Is your name Grace?",
    ],
)
def test_nothing_else_is_kept(said: str) -> None:
    assert profile(said) == {}


def test_a_new_statement_supersedes_the_old_one() -> None:
    assert profile("I live in Austin", "I live in Boston") == {"location": "Boston"}
