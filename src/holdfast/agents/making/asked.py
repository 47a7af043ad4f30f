"""A request taken apart: what is done (`remove`, `add`, `say` …) to which part of a file (`title`, `text`, `header` …),
and the words that are given for it. What a word does is told by its meaning, not by a fixed form of sentence, so that
"it should say X", "the title is X" and "pon X como título" give the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from holdfast.agents.making.hearing import heard
from holdfast.agents.making.scenes import QUOTED, QUOTES, reader
from holdfast.reading.mentions import ordinal
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.hearing import Given
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reading, Span, begins_in
from holdfast.reading.values import numbers

ACTS = ("remove", "add", "put", "write", "swap", "set", "call", "move")
PARTS = ("title", "text", "header", "label", "row", "file")
OTHERS = tuple(
    "leave say be link out take down up all rest small refused form known owner code keep only about can did single "
    "named".split()
)
GIVES = {"title": frozenset({"title"}), "name": frozenset({"call", "file"})}
"""What words are that are heard to give something, by their facet."""
SURE = 24
"""Lead of the facet of words from which they are believed to give it."""
WANTS = ("requests", "instructs", "corrects")
"""Acts of clauses that want something done, so that it is told where it was not."""
IDLE = ("thanks", "greets", "remarks")
"""Acts of clauses that want nothing by themselves."""
MAX_LEAD = 4
"""Words that may stand between the name of a part and what it shall say: "the title of the chart should be"."""
MAX_LIGHT = 3
_COLON = re.compile(r":(?=\s)")
_FRAGMENT = re.compile(r"[,.;!?\n]")
_BREAK = re.compile(r"[.!?]+\s+|\n+")


class Piece(NamedTuple):
    """A part of a message that says one thing, whether it wants something done, and what it asks for."""

    text: str
    wanted: bool
    asked: Asked


@cache
def _named() -> list[tuple[str, bool, str]]:
    """The words of all roles: as a beginning or whole, and the role."""
    rows = [(word, role) for role in (*ACTS, *PARTS, *OTHERS) for word in reader().phrases("maker_roles", role)]
    return [(word.rstrip("*"), word.endswith("*"), role) for word, role in rows]


@cache
def _roles_of(word: str) -> frozenset[str]:
    return frozenset(role for known, begins, role in _named() if word == known or (begins and word.startswith(known)))


def roles(token: Token) -> frozenset[str]:
    """What a word can be in a request: by itself, else by the first word of what it means in English."""
    return _roles_of(token.word) or _roles_of(token.english.partition(" ")[0])


class Asked:
    """One part of a request: the roles of its words, the words that are given, and the rest without them."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.tokens = [*reading.find(tokens_of)]
        self.roles: list[frozenset[str]] = [roles(token) for token in self.tokens]
        self.given = ""
        self.heard = _heard(reading)
        """The title and the name that are given, as they are heard."""
        self.span = start, end = self._found()
        self.given = reading.words(self.span).strip(" \"'“”«»,;:")
        self.given = self.given if _BREAK.search(self.given) else self.given.rstrip(".")
        text = reading.text
        self.rest = reader().read(text[:start] + " " * (end - start) + text[end:]) if self.given else reading

    def _at(self, *wanted: str) -> list[int]:
        """The places of the words that have one of some roles."""
        return [n for n, role in enumerate(self.roles) if not role.isdisjoint(wanted)]

    def does(self, *wanted: str) -> bool:
        """Whether any word outside those that are given has one of some roles."""
        gives = (GIVES[one.facet] for one in self.heard)
        return any(not one.isdisjoint(wanted) for one in (*gives, *self.outside()))

    def outside(self) -> Iterator[frozenset[str]]:
        """The roles of the words outside those that are given."""
        pairs = zip(self.tokens, self.roles, strict=True)
        return (one for token, one in pairs if not self.given or not begins_in(token.start, [self.span]))

    @property
    def removes(self) -> bool:
        """Whether something is to go, by the first verb: "remove", "take it out"."""
        for n, (token, role) in enumerate(zip(self.tokens, self.roles, strict=True)):
            if token.word == ":" or (n and role & {"say", "be"}):
                return False
            taken = "take" in role and any("out" in other for other in self.roles[n : n + 5])
            if role & {*ACTS} or taken:
                return "remove" in role or taken
        return False

    def place(self, count: int) -> list[int]:
        """The places that are counted, of so many: "the second", "the last two"."""
        found = [place for token in self.rest.find(tokens_of) if (place := self._ordinal(token)) is not None]
        return self._counted(found[0], count) if found and count else []

    def _counted(self, place: int, count: int) -> list[int]:
        many = next((int(n.value) for n in self.rest.find(numbers) if n.value > 1), 1) if abs(place) == 1 else 1
        first = place - 1 if place > 0 else count + min(place, -many)
        return [at for at in range(first, first + many) if 0 <= at < count]

    def _ordinal(self, token: Token) -> int | None:
        plain = {*token.kinds} <= {"pointer", "number"} and token.shape != "0"
        return ordinal(self.rest, token.word) if plain else None

    # The words that are given.

    def _found(self) -> Span:
        """Where the words stand that are given: in quotes, after a colon, after "say", behind a part or a verb."""
        quotes = list(QUOTED.finditer(self.reading.text))
        if quotes:
            return quotes[-1].span(1)
        if self.heard and not self.removes:
            return self._trimmed(*self.heard[0].span)
        named = (self._after_part, self._after_call) if not self.removes else ()
        for opens in (self._after_colon, self._after_saying, *named):
            start, end = self._trimmed(*opens())
            if start < end and (opens == self._after_colon or not self._light((start, end))):
                return start, end
        return 0, 0

    @property
    def _end(self) -> int:
        return len(self.reading.text.rstrip())

    def _after_colon(self) -> Span:
        colon = _COLON.search(self.reading.text)
        pairs = zip(self.tokens, self.roles, strict=True)
        before = {role for token, one in pairs if colon and token.start < colon.start() for role in one}
        if colon is None or before.isdisjoint({*ACTS, *PARTS, "say", "be", "all", "down", "up"}):
            return 0, 0
        return colon.end(), self._end

    def _after_saying(self) -> Span:
        """ "It should say X", "a sign that says X", "que diga X"."""
        leads = {"be", "small", *PARTS, "put", "write"}
        said = (n for n in self._at("say") if n and self.roles[n - 1] & leads)
        return next((self._from(n + 1, set()) for n in said), (0, 0))

    def _after_part(self) -> Span:
        """ "The title is X", "change the second sentence to X", "the title of the chart: X", "add a title X"."""
        kinds = self._kinds()  # the "line" of "line chart" is no line of text
        parts = [n for n in self._at("title", "text", "header", "label") if not begins_in(self.tokens[n].start, kinds)]
        for n in parts[:1]:
            link = self._link(n)
            if link is not None:
                return self._from(link, {"be", "link", "named"})
            if self._leads(n):
                return self._from(n + 1 + (self.roles[n + 1] == {"small"}), set())
        return 0, 0

    def _leads(self, part: int) -> bool:
        """Whether what a part shall be stands right behind its name: "the title Honey", "with the title Honey"."""
        plain = {*ACTS, "small", "title", "text", "header", "label", "link", "be", "down", "up"}
        follows = part + 1 < len(self.tokens) and self.tokens[part + 1].shape != "0"
        led = all(role & plain for role in self.roles[:part])
        return led and follows and not self.roles[part + 1] & {*ACTS, "about", "link"}

    def _role(self, n: int) -> frozenset[str]:
        return self.roles[n] if n < len(self.roles) else frozenset()

    def _link(self, part: int) -> int | None:
        """The word behind a part that leads to what it shall say: right behind it, or behind what it is a part of."""
        changes = any(role & {"set", "swap", "call", "put"} for role in self.roles[:part])
        for n in range(part + 1, min(part + 2 + MAX_LEAD, len(self.tokens))):
            role = self.roles[n]
            if "be" in role or self.tokens[n].word in "=-":
                return n
            if "link" in role and changes:
                return n
        return None

    def _after_call(self) -> Span:
        """ "Call it X", "rename Hives to Homes", "replace that with X", "write X under it"."""
        for n, role in enumerate(self.roles):
            if role & {"call", "swap"}:
                links = [m for m in range(n + 1, len(self.roles)) if "link" in self.roles[m]]
                if links:
                    return self._from(links[0], {"link"})
                return self._named(n + 1) if "call" in role else (0, 0)
            if "write" in role:
                found = self._from(n + 1, {"small", "text", "link", "say", "down", "up"})
                return (0, 0) if begins_in(found[0], self._kinds()) else found  # "write an essay"
        return 0, 0

    def _named(self, first: int) -> Span:
        """What stands behind "call it" or "call the chart"."""
        kinds, last = self._kinds(), len(self.tokens)
        while first < last and ("small" in self.roles[first] or begins_in(self.tokens[first].start, kinds)):
            first += 1
        return self._from(first, set())

    def _between(self, n: int, skipped: set[str]) -> bool:
        """Whether a small word stands between two of those that are skipped: "tiene que ser"."""
        return "be" in skipped and "small" in self.roles[n] and "be" in self._role(n + 1) & self._role(n - 1)

    def _kinds(self) -> list[Span]:
        return [cue.span for cue in self.reading.all("kind")]

    def _from(self, first: int, skipped: set[str]) -> Span:
        """From a word on to the end, without the words of some roles that come first."""
        last = len(self.tokens)
        while first < last and (self.roles[first] & {*skipped, "only"} or self._between(first, skipped)):
            first += 1
        return (self.tokens[first].start, self._end) if first < len(self.tokens) else (0, 0)

    def exchange(self) -> tuple[str, str]:
        """What is there and what shall be there: "change Monday to Tuesday", "not X but Y"."""
        found = self._contrast() or self._swapped() or ("", "")
        return found[0].strip(QUOTES), found[1].strip(QUOTES)

    def _contrast(self) -> tuple[str, str] | None:
        buts = self.reading.all("but")
        for n in self._at("refused"):
            for but in (but for but in buts if self.tokens[n].end < but.start):
                return self.reading.text[self.tokens[n].end : but.start], self.reading.text[but.end :]
        return None

    def _swapped(self) -> tuple[str, str] | None:
        verbs = self._at("swap", "set")
        links = [n for n in self._at("link") if verbs and verbs[0] < n < len(self.roles) - 1]
        if not links:
            return None
        verb, link = self.tokens[verbs[0]], links[0]
        old = self.reading.text[verb.end : self.tokens[link].start].strip(QUOTES)
        new = self.reading.words(self._trimmed(*self._from(link + 1, {"link"})))
        return old or self.reading.text[: verb.start], new  # "счастья замени на радости"

    def _trimmed(self, start: int, end: int) -> Span:
        """The words without signs around them, and without what follows them: "Lucy under it", "kiwi, not kiwis"."""
        inner = [n for n, token in enumerate(self.tokens) if start <= token.start < end]
        other = [n for n in inner[1:-1] if self.tokens[n].word == "," and "refused" in self.roles[n + 1]]
        end = self.tokens[other[0]].start if other else self._before_place(inner, end)
        text = self.reading.text[start:end]
        return start + len(text) - len(text.lstrip(" \"'“”«»,;:=-–—")), start + len(text.rstrip(" \"'“”«»,;:"))

    def _before_place(self, inner: list[int], end: int) -> int:
        """Where words end that a place follows."""
        tail = [*takewhile(lambda n: self.roles[n] & {"small", "down", "up", "link"}, reversed(inner))]
        placed = any(self.roles[n] & {"down", "up"} for n in tail) and tail[-1] != inner[0]
        return self.tokens[tail[-1] - 1].end if placed else end

    def _light(self, span: Span) -> bool:
        """Whether what looks like words for a file says how it shall look: "make the title to red"."""
        said = reader().read(self.reading.words(span))
        plain = len(said.tokens) <= MAX_LIGHT and not said.text[:1].isupper()
        return plain and said.has("color", "size", "place", "hue")


def _heard(reading: Reading) -> list[Given]:
    """The title and the name that are heard, apart from what a file is only about."""
    topics = [cue.groups["value"] for cue in reading.all("topic")]
    given = [one for one in heard(reading.text) if one.facet in GIVES and one.stands == "wanted"]
    return [one for one in given if one.sure >= SURE and not begins_in(one.span[0], topics)]


def pieces(reading: Reading, clauses: Sequence[Clause]) -> list[Piece]:
    """The parts of a message one by one: its clauses, what stands behind another verb, and sentences. The words that
    are given for a file stay whole, up to the next thing that is asked for."""
    text, found, start = reading.text, list[Piece](), 0
    for cut in [*_cuts(reading, clauses), len(text)]:
        piece = text[start:cut]
        if cut < len(text) and not _ends(piece, text[start:], text[cut:]):
            continue
        if piece.strip(" ,;.!?"):
            wanted = any(one.act in WANTS and one.start < cut and start < one.end for one in clauses)
            said = piece.strip(" ,;\n")
            found.append(Piece(said, wanted, Asked(reader().read(said))))
        start = cut
    return found


def _ends(piece: str, whole: str, rest: str) -> bool:
    """Whether a piece ends where another could begin: not inside the words that it gives."""
    begins, end = Asked(reader().read(whole)).span
    if begins > len(piece) or end <= len(piece.rstrip()):
        return True
    colon = _COLON.search(piece)
    whole_text = colon is not None and Asked(reader().read(piece[: colon.start()])).does(
        "text", "down", "up", "say", "write", "put", "add"
    )
    if whole_text:
        return False
    return _goes_to(rest) or bool(_BREAK.search(piece[-2:] + " "))


def commands(text: str) -> bool:
    """Whether a text begins with something that is asked for: a verb, a place, or a part with its look."""
    said = reader().read(_BREAK.split(text.strip(" ,;"))[0][:80])
    heavy = [role for token in said.find(tokens_of)[:4] if (role := roles(token)) - {"link"} and "small" not in role]
    looks = said.has("spot", "shape", "part") and said.has("color", "size", "place")
    return looks or (bool(heavy) and bool(heavy[0] & {*ACTS, "leave", "down", "up"}))


def _cuts(reading: Reading, clauses: Sequence[Clause]) -> list[int]:
    """Where a part of a message may begin: a clause, a sentence, or a verb behind "and" or a comma; not in quotes."""
    quotes = [hit.span() for hit in QUOTED.finditer(reading.text)]
    found = {clause.start for clause in clauses} | {hit.end() for hit in _BREAK.finditer(reading.text)}
    joints = reading.reader.phrases("joints", "between") | {","}
    pairs = pairwise(reading.find(tokens_of))
    found |= {a.start for a, b in pairs if a.word in joints and (roles(b) & {*ACTS} or "requestverb" in b.kinds)}
    return sorted(cut for cut in found - {0} if not begins_in(cut, quotes))


def _goes_to(rest: str) -> bool:
    """Whether the next thing that is asked for begins here, or nothing but a look: ", big letters"."""
    said = reader().read(_FRAGMENT.split(rest.strip(" ,\n"), maxsplit=1)[0])
    return commands(rest) or (said.has("color", "size") and len(said.tokens) <= MAX_LIGHT)
