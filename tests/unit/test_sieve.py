"""The sieve lets through every pattern that can match, and few others."""

from __future__ import annotations

import random
import re

import pytest
import re2

from holdfast.packs.general import PACK as GENERAL
from holdfast.packs.nxtscape import PACK as NXTSCAPE
from holdfast.reading.reader import bounded
from holdfast.reading.sieve import Head, Sieve, heads
from holdfast.reading.text import fold

TALK = [
    "Find me Italian places in South Philly for four people tomorrow",
    "no wait, I meant something cheaper, and my name is Dana",
    "the 2nd one; # 3 or number 4, please",
    "Actually, make it fluoride-free toothpaste instead of mint",
    "I'd like to book a table for two, not Boston but Austin",
    "go back to the toothpaste, and close all Google tabs too",
    "Меня зовут Анна, я живу в Казани, а не в Москве",
    "Нет, подожди, вернись к билетам; закрой все вкладки",
    "¿Puedes buscar un hotel en Madrid? Me llamo Lucía.",
    "En realidad, prefiero el segundo, gracias",
    "it's ok",
    "42",
    "...",
]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("hotels?", {("hotel", False)}),
        ("no", {("no", True)}),
        ("(?:start|begin) over", {("start", False), ("begin", False)}),
        (r"(?P<new>[^,.]{1,60}?) instead", {("inste", False)}),
        (r"(?:no,? )?(?:please )?not [a-z]+", {("not", True)}),
        (r"# ?\d{1,2}", {(digit, False) for digit in "0123456789"}),
        ("^(?:ok|yes)$", {("ok", True), ("yes", True)}),
        ("do n'?t", {("do", True)}),
        ("[a-z]+ [a-z]+", None),
        ("x*", None),
    ],
)
def test_a_pattern_needs_one_of_its_words(source: str, expected: set[tuple[str, bool]] | None) -> None:
    found = heads(source)
    assert found == (None if expected is None else frozenset(Head(*head) for head in expected))


def sentences() -> list[str]:
    """Talk, and sentences put together at random from the words of the patterns themselves."""
    chance = random.Random(7)
    words = sorted({w for p in GENERAL.reader._patterns for w in re.findall(r"[a-zа-я']{2,}", p.source)})
    made = [" ".join(chance.choices(words, k=12)) for _ in range(150)]
    glued = [
        " ".join(chance.choice(words) + chance.choice(["", "s", "ing", ",", "'s"]) for _ in range(12))
        for _ in range(100)
    ]
    return [fold(text) for text in [*TALK, *made, *glued]]


@pytest.mark.parametrize("pack", [GENERAL, NXTSCAPE], ids=lambda pack: pack.name)
def test_nothing_that_matches_is_held_back(pack: object) -> None:
    patterns = pack.reader._patterns  # type: ignore[attr-defined]
    sieve = Sieve([pattern.source for pattern in patterns])
    compiled = [re2.compile(bounded(pattern.source)) for pattern in patterns]
    let_through = 0
    for text in sentences():
        candidates = set(sieve.candidates(text))
        matching = {number for number, regexp in enumerate(compiled) if regexp.search(text)}
        assert not [patterns[number].id for number in matching - candidates], text
        let_through += len(candidates)
    assert let_through / len(sentences()) < len(patterns) / 4
