"""Which patterns can match a text at all, told by how its words begin.

Hundreds of patterns in one automaton are fast on text it has seen and slow on text it has not: every new sentence makes
new states, milliseconds of them. But every pattern begins at a word, and most need a word that they name. The sieve
knows for each pattern the beginnings of such words, looks up the words of the text, and leaves a handful of patterns
to be matched one by one, whatever the text. A pattern that names no word is always tried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from holdfast.reading.text import WORD

ENOUGH = 3
"""Letters of every beginning with which a place is telling enough."""
LENGTH = 5
"""Letters of a word that are looked up."""
MOST = 400
"""Beginnings of one pattern; with more of them it is better always tried."""
REMEMBERED = 20_000
"""Words whose patterns are kept at hand."""
RANGE = 12
"""Letters that a class may stand for and still be spelled out."""

_WORDS = re.compile(f"[{WORD}]+")
_IS_WORD = re.compile(f"[{WORD}]")
_PLAIN = re.compile(r"[0-9a-zа-я ']+(?=[0-9a-zа-я ']|[|()]|$)")  # letters that nothing counts
_COUNT = re.compile(r"\{(\d+)(,?)(\d*)\}")
_NAMED = re.compile(r"\?(?::|P<\w+>)")


class Node(NamedTuple):
    """A piece of a pattern: a sequence, a choice, or one character out of a few (or out of too many to name)."""

    kind: str
    parts: tuple[Node, ...] = ()
    inside: frozenset[str] | None = None
    """Of a character: the letters of words that it may be; None is any."""
    gap: bool = False
    """Of a character: whether it may be something between words."""
    least: int = 1
    most: bool = False
    """Whether it may come more than once."""


class Head(NamedTuple):
    """How a word begins; `whole` when it also ends there."""

    text: str
    whole: bool


class Sieve:
    """The beginnings of words that each pattern needs."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._whole: dict[str, list[int]] = {}
        self._begins: dict[str, list[int]] = {}
        self._always: list[int] = []
        self._known: dict[str, tuple[int, ...]] = {}
        for number, source in enumerate(sources):
            found = heads(source)
            if found is None:
                self._always.append(number)
            for head in found or ():
                (self._whole if head.whole else self._begins).setdefault(head.text, []).append(number)

    def candidates(self, folded: str) -> list[int]:
        """Numbers of the patterns that may match, in order."""
        found = set(self._always)
        known = self._known.get
        for word in set(_WORDS.findall(folded)):
            numbers = known(word)
            if numbers is None:
                numbers = self._looked_up(word)
            if numbers:
                found.update(numbers)
        return sorted(found)

    def _looked_up(self, word: str) -> tuple[int, ...]:
        """The patterns that a word may begin, kept for the next time: people use the same words all the time."""
        found = set(self._whole.get(word, ()))
        for length in range(1, min(LENGTH, len(word)) + 1):
            found.update(self._begins.get(word[:length], ()))
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[word] = numbers = tuple(found)
        return numbers


def heads(source: str) -> frozenset[Head] | None:
    """Beginnings of words, one of which every match of the pattern contains; None when it names no word."""
    tree = _Parser(source).choice()
    best: set[Head] = set()
    for branch in tree.parts:
        found = _best(_flat(branch))
        if found is None:
            return None
        best |= found
    return frozenset(best) if len(best) <= MOST else None


def _flat(node: Node) -> list[Node]:
    """A sequence with its plain groups opened."""
    flat: list[Node] = []
    for part in node.parts:
        plain = part.kind == "choice" and len(part.parts) == 1 and part.least == 1 and not part.most
        flat += _flat(part.parts[0]) if plain else [part]
    return flat


def _best(nodes: list[Node]) -> set[Head] | None:
    """The most telling place of a sequence: where a word must begin, with the longest and fewest beginnings."""
    best: set[Head] | None = None
    score = (0.0, 0)
    for place in range(len(nodes)):
        if not nodes[place].least or not _after_gap(nodes[:place]):  # what need not be there tells less than what must
            continue
        found = _heads(nodes[place:])
        if found is None or not found:
            continue
        worth: tuple[float, int] = (
            min(len(head.text) + (head.whole and len(head.text) > 2) for head in found),
            -len(found),
        )
        if best is None or worth > score:
            best, score = found, worth
        if score[0] >= ENOUGH:
            break
    return best


def _after_gap(before: Sequence[Node]) -> bool:
    """Whether what comes next begins a word, in whatever way this was matched."""
    if not before:
        return True
    last = before[-1]
    if last.kind == "character":
        ends = last.inside is not None and not last.inside
    else:
        ends = all(_after_gap([*before[:-1], *branch.parts]) for branch in last.parts)
    return ends and (last.least > 0 or _after_gap(before[:-1]))


def _heads(nodes: Sequence[Node]) -> set[Head] | None:
    """How the words that may begin here begin; None when that cannot be told."""
    done: set[Head] = set()
    growing = {""}
    for node in nodes:
        if not growing:
            return done
        step = _grown(node, growing)
        if step is None:
            return None
        ended, growing = step
        done |= ended
        if len(done) + len(growing) > MOST:
            return None
    if "" in growing:
        return None
    return done | {Head(text, True) for text in growing}


def _grown(node: Node, growing: set[str]) -> tuple[set[Head], set[str]] | None:
    """Beginnings that end within a piece, and those that go on after it."""
    if node.kind == "choice":
        return _chosen(node, growing)
    inside, gap = node.inside, node.gap
    if inside is None or len(inside) > RANGE:
        return None if "" in growing else ({Head(text, False) for text in growing}, set())
    # Where a gap may stand, a word ends, or has not yet begun.
    ended = {Head(text, True) for text in growing if text and gap}
    after = {text for text in growing if not node.least or (gap and not text)}
    for text in growing:
        for letter in inside:
            longer = text + letter
            if node.most or len(longer) == LENGTH:
                ended.add(Head(longer, False))
            else:
                after.add(longer)
    return ended, after


def _chosen(node: Node, growing: set[str]) -> tuple[set[Head], set[str]] | None:
    ended: set[Head] = set()
    after: set[str] = set()
    for branch in node.parts:
        grown = set(growing)
        for part in branch.parts:
            if not grown:
                break
            step = _grown(part, grown)
            if step is None:
                return None
            ended |= step[0]
            grown = step[1]
        after |= grown
        if len(ended) + len(after) > MOST:
            return None
    if node.most:  # it may come again: nothing is known beyond the first time
        if "" in after:
            return None
        ended |= {Head(text, False) for text in after}
        after = set()
    if not node.least:
        after |= growing
    return ended, after


class _Parser:
    """Reads the part of RE2's syntax that tables use; anything else counts as a character that may be anything."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._place = 0

    def choice(self) -> Node:
        branches = [self._sequence()]
        while self._next() == "|":
            self._place += 1
            branches.append(self._sequence())
        return Node("choice", tuple(branches))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while (char := self._next()) and char not in "|)":
            if plain := _PLAIN.match(self._source, self._place):
                parts += map(_character, plain[0])
                self._place = plain.end()
            elif (part := self._piece()) is not None:
                parts.append(part)
        return Node("sequence", tuple(parts))

    def _piece(self) -> Node | None:
        char = self._next()
        self._place += 1
        if char in "^$":
            return None
        if char == "(":
            if named := _NAMED.match(self._source, self._place):
                self._place = named.end()
            node = self.choice()
            self._place += 1
        elif char == "[":
            node = _character(self._class())
        elif char == "\\":
            node = _character(self._escaped())
        else:
            node = _character(None if char == "." else char)
        return self._counted(node)

    def _counted(self, node: Node) -> Node:
        least, most = 1, False
        if (char := self._next()) and char in "?*+":
            least, most = int(char == "+"), char in "*+"
            self._place += 1
        elif count := _COUNT.match(self._source, self._place):
            least = min(int(count[1]), 1)
            most = bool(count[2] and not count[3]) or int(count[3] or count[1]) > 1
            self._place = count.end()
        else:
            return node
        if self._next() == "?":
            self._place += 1
        return node._replace(least=least, most=most)

    def _next(self) -> str:
        return self._source[self._place : self._place + 1]

    def _escaped(self) -> str | None:
        char = self._next()
        self._place += 1
        return _SPELLED.get(char, char)

    def _class(self) -> str | None:
        """The letters of a class; None when it is turned around or too wide to spell out."""
        negated = self._next() == "^"
        self._place += negated
        letters: set[str] = set()
        wide = False
        while (char := self._next()) != "]":
            self._place += 1
            if char == "\\":
                char = self._next()
                self._place += 1
                spelled = _SPELLED.get(char, char)
                wide = wide or spelled is None
                letters.update(spelled or "")
                continue
            if self._next() == "-" and self._source[self._place + 1 : self._place + 2] != "]":
                last = self._source[self._place + 1]
                self._place += 2
                if ord(last) - ord(char) > 64:
                    wide = True
                else:
                    letters |= {chr(code) for code in range(ord(char), ord(last) + 1)}
            else:
                letters.add(char)
        self._place += 1
        return None if negated or wide else "".join(sorted(letters))


_SPELLED = {"d": "0123456789", "s": " \t\n\r\f", "w": None, "W": None, "D": None, "S": None}


@lru_cache(maxsize=1024)
def _character(letters: str | None) -> Node:
    if letters is None:
        return Node("character", gap=True)
    inside = frozenset(letter for letter in letters if _IS_WORD.match(letter))
    return Node("character", inside=inside, gap=len(inside) < len(letters))
