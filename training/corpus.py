"""The rows of `corpus/`, read from their files. The format is told in corpus/README.md."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).parent.parent / "corpus"
SPLITS = ("train", "dev", "test", "house")

ACTS = frozenset(
    "states instructs requests asks answers chooses rejects confirms denies postpones corrects retracts returns doubts "
    "supposes reports quotes unable greets thanks stops remarks".split()
)
AIMS = frozenset("answer continue change new side return hold close stop none".split())
MARKS = frozenset("now also instead since until hedged for-now always once if limit except was from".split())
EXTRAS = frozenset("old of for marks from norm".split())

_CLAIM = re.compile(r"(-?)([^:{}]+?):\s*(.*?)\s*(?:\{(.*)\})?$")
_AIM = re.compile(r"= ([a-z+]+)(?: \((.*)\))?$")


class RowError(ValueError):
    """A line of the corpus that cannot be read; says which and why."""


class Claim(NamedTuple):
    attribute: str
    value: str
    negative: bool = False
    old: str = ""
    of: str = ""
    qualifier: str = ""
    marks: frozenset[str] = frozenset()
    earlier: bool = False
    """The value stands in an earlier message, not in this one."""
    norm: str = ""


class Clause(NamedTuple):
    start: int
    end: int
    act: str
    claims: tuple[Claim, ...]


class Row(NamedTuple):
    """One message in its situation, with what it means."""

    id: str
    writer: str
    language: str
    scene: str
    before: tuple[tuple[str, str], ...]
    text: str
    clauses: tuple[Clause, ...]
    aims: tuple[str, ...]
    target: str
    mentions: tuple[tuple[str, str], ...]

    @property
    def asked(self) -> str:
        """What the agent said last, or nothing."""
        return self.before[-1][1] if self.before and self.before[-1][0] == "S" else ""

    @property
    def told(self) -> str:
        """What the person said before, or nothing."""
        return next((text for who, text in reversed(self.before) if who == "U"), "")


def writers(split: str, home: Path = HOME) -> list[str]:
    """The writers of a split, as corpus/splits.toml says."""
    return list(tomllib.loads((home / "splits.toml").read_text(encoding="utf-8"))[split])


def rows(split: str, home: Path = HOME) -> list[Row]:
    """All rows of the writers of a split."""
    return [row for writer in writers(split, home) for row in read(home / f"{writer}.txt")]


def read(path: Path) -> Iterator[Row]:
    """The rows of one writer's file."""
    head: dict[str, str] = {}
    scene, number = "", 0
    before: list[tuple[str, str]] = []
    lines = path.read_text(encoding="utf-8").splitlines()
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if line.startswith("## "):
            scene, before = line[3:].strip(), []
        elif line.startswith("S: "):
            before.append(("S", unescape(line[3:])))
        elif line.startswith("U: "):
            text, marks = unescape(line[3:]), []
            while place < len(lines) and lines[place].startswith("  "):
                marks.append(lines[place].strip())
                place += 1
            number += 1
            id = f"{path.stem}-{number:03d}"
            yield _row(id, head, scene, tuple(before[-6:]), text, marks)
            before.append(("U", text))
        elif ":" in line:
            key, _, value = line.partition(":")
            head[key.strip()] = value.strip()
        elif line.strip():
            raise RowError(f"{path.name}:{place}: not understood: {line!r}")


def unescape(text: str) -> str:
    return text.replace("\\n", "\n").strip()


def _row(
    id: str, head: dict[str, str], scene: str, before: tuple[tuple[str, str], ...], text: str, marks: list[str]
) -> Row:
    clauses: list[Clause] = []
    mentions: list[tuple[str, str]] = []
    aims: tuple[str, ...] = ("none",)
    target, at = "", 0
    for line in marks:
        if aim := _AIM.match(line):
            aims, target = tuple(aim[1].split("+")), aim[2] or ""
            if not AIMS.issuperset(aims):
                raise RowError(f"{id}: unknown aim in {line!r}")
        elif line.startswith("@ "):
            pointer, _, to = line[2:].partition(" -> ")
            mentions.append((unescape(pointer), unescape(to)))
        else:
            clause = _clause(id, text, line, at)
            clauses.append(clause)
            at = clause.end
    return Row(
        id,
        head["writer"],
        head["language"],
        scene,
        before,
        text,
        tuple(clauses),
        aims,
        target,
        tuple(mentions),
    )


def _clause(id: str, text: str, line: str, at: int) -> Clause:
    act, _, rest = line.partition(" | ")
    if act not in ACTS:
        raise RowError(f"{id}: unknown act {act!r}")
    if rest.strip().partition(" ")[0] == "*":
        words, told = text, rest.strip()[1:].lstrip(" |")
    else:
        pieces = rest.split(" | ")
        words, told = "", ""
        for count in range(len(pieces), 0, -1):
            words = unescape(" | ".join(pieces[:count])).rstrip(" |")
            if words and text.find(words, at) >= 0:
                told = " | ".join(pieces[count:])
                break
    start = text.find(words, at)
    if start < 0 or not words:
        raise RowError(f"{id}: the clause {words!r} does not stand in the message after character {at}")
    claims = tuple(_claim(id, one) for one in told.split(" ;; ") if one.strip())
    return Clause(start, start + len(words), act, claims)


def _claim(id: str, told: str) -> Claim:
    found = _CLAIM.match(told.strip())
    if found is None:
        raise RowError(f"{id}: claim not understood: {told!r}")
    extras = dict(part.strip().partition("=")[::2] for part in (found[4] or "").split(";") if part.strip())
    if not EXTRAS.issuperset(extras):
        raise RowError(f"{id}: unknown extra in {told!r}")
    marks = frozenset(filter(None, extras.get("marks", "").replace(",", "+").split("+")))
    if not MARKS.issuperset(marks):
        raise RowError(f"{id}: unknown mark in {told!r}")
    return Claim(
        found[2].strip(),
        unescape(found[3]),
        bool(found[1]),
        extras.get("old", ""),
        extras.get("of", ""),
        extras.get("for", ""),
        marks,
        extras.get("from", "") == "before",
        extras.get("norm", ""),
    )
