"""A request taken apart: what is done (`remove`, `add`, `say` …) to which part of a file (`title`, `text`, `header` …),
and the words that are given for it. What a word does is told by its meaning, not by a fixed form of sentence, so that
"it should say X", "the title is X" and "pon X como título" give the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from holdfast.agents.making.scenes import QUOTED, QUOTES, reader
from holdfast.reading.mentions import ordinal
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens_of
from holdfast.reading.reader import Reading, Span, begins_in
from holdfast.reading.values import numbers

ACTS = ("remove", "add", "put", "write", "swap", "set", "call", "move")
PARTS = ("title", "text", "header", "label", "row", "list", "file")
OTHERS = (
    *(
        "leave",
        "say",
        "be",
        "link",
        "out",
        "take",
        "down",
        "up",
        "all",
        "rest",
        "small",
        "not",
        "form",
        "back",
        "return",
    ),
    *("the", "new", "ask", "code", "keep", "only", "about", "can", "did", "where", "them", "should", "single", "named"),
)
WANTS = ("requests", "instructs", "corrects")
"""Acts of clauses that want something done, so that it is told where it was not."""
ASIDE = ("asks", "thanks", "greets")
"""Acts of clauses that change nothing, whatever their words."""
IDLE = ("thanks", "greets", "remarks")
"""Acts of clauses that want nothing by themselves."""
MAX_LEAD = 4
"""Words that may stand between the name of a part and what it shall say: "the title of the chart should be"."""
MAX_LIGHT = 3
_COLON = re.compile(r":(?=\s)")
_JUDGING = frozenset({"quality", "feeling", "reaction", "correction"})
"""Kinds of words that judge: "the title is horrible" gives no title."""
_FRAGMENT = re.compile(r"[,.;!?\n]")
_BREAK = re.compile(r"[.!?]+\s+|\n+")


class Piece(NamedTuple):
    """A part of a message that says one thing, and whether it wants something done."""

    text: str
    wanted: bool


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

    def __init__(self, reading: Reading, before: Asked | None = None) -> None:
        self.reading = reading
        self.inherits = frozenset[str]()
        """The part that the words before spoke of, where these only tell what it shall be: "the header: … it should be X"."""
        said = [roles(token) for token in reading.find(tokens_of) if token.shape != "."]
        first = next((role for role in said if not role & {"small", "link", "not"} or "be" in role), frozenset[str]())
        if before is not None and first & {"be", "say"}:
            self.inherits = frozenset(
                role for one in before.roles for role in one & {"title", "text", "header", "label", "row"}
            )
        self.tokens = [*reading.find(tokens_of)]
        self.roles: list[frozenset[str]] = [roles(token) for token in self.tokens]
        self.given = ""
        self.span = self._found()
        self.given = reading.words(self.span).strip(" \"'“”«»,;:")
        if not _BREAK.search(self.given):
            self.given = self.given.rstrip(".")
        text, (start, end) = reading.text, self.span
        self.rest = reader().read(text[:start] + " " * (end - start) + text[end:]) if self.given else reading

    @classmethod
    def about(cls, reading: Reading) -> Asked:
        """A question taken apart, which gives no words for a file."""
        asked = cls(reading)
        asked.given, asked.span, asked.rest = "", (0, 0), reading
        return asked

    def can(self) -> bool:
        """Whether it is said that one is able to do something."""
        return any("can" in role for role in self.roles)

    def does(self, *wanted: str) -> bool:
        """Whether any word outside those that are given has one of some roles."""
        return not self.inherits.isdisjoint(wanted) or any(not one.isdisjoint(wanted) for one in self.outside())

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

    @property
    def loose(self) -> str:
        """What stands behind a verb that puts or a place, where no words are given in so many words: "y pon X"."""
        if self.tokens and self.roles[-1] & {"down", "up"} and not self.given and not self.does(*ACTS):
            return self.reading.text[: self.tokens[-1].start].strip(QUOTES)  # "the phone number underneath"
        for n, role in enumerate(self.roles[:MAX_LEAD]):
            if role & {"put", "add", "down", "up"} and not self.given:
                if role & {"put", "add"} and self._role(n + 1) & {"link", "about"}:
                    return ""  # "put it in bold"
                start, end = self._trimmed(*self._from(n + 1, {"small", "link", "down", "up", "be", "call"}))
                inner = next((m for m, token in enumerate(self.tokens) if token.start >= start), n)
                named = self._light((start, end)) or self.does("back") or begins_in(start, self._kinds())
                named = named or bool(self.roles[inner] & {"text", "title"} and "about" in self._role(inner + 1))
                return "" if named else self.reading.words((start, end))
        return self.given

    def place(self, count: int) -> list[int]:
        """The places that are counted, of so many: "the second", "the last two"."""
        found = [place for token in self.rest.find(tokens_of) if (place := self._ordinal(token)) is not None]
        if not found or not count:
            return []
        many = next((int(n.value) for n in self.rest.find(numbers) if n.value > 1), 1) if found[0] in (1, -1) else 1
        first = (found[0] - 1 if found[0] > 0 else count + found[0]) if many == 1 or found[0] > 0 else count - many
        return [at for at in range(first, first + min(many, count)) if 0 <= at < count]

    def _ordinal(self, token: Token) -> int | None:
        return (
            ordinal(self.rest, token.word) if {*token.kinds} <= {"pointer", "number"} and token.shape != "0" else None
        )

    # The words that are given.

    def _found(self) -> Span:
        """Where the words stand that are given: in quotes, after a colon, after "say", after what links them to a part
        or a verb, or right behind those."""
        quotes = list(QUOTED.finditer(self.reading.text))
        if quotes:
            return quotes[-1].span(1)
        named = (self._as_part, self._after_part, self._after_call) if not self.removes else ()
        for opens in (self._after_colon, self._after_saying, self._after_being, *named):
            start, end = opens()
            start, end = self._trimmed(start, end)
            if start < end and (opens == self._after_colon or not self._light((start, end))):
                return start, end
        return 0, 0

    @property
    def _end(self) -> int:
        return len(self.reading.text.rstrip())

    def _before(self, place: int) -> set[str]:
        return {role for token, one in zip(self.tokens, self.roles, strict=True) if token.start < place for role in one}

    def _after_colon(self) -> Span:
        colon = _COLON.search(self.reading.text)
        if colon is None or self._before(colon.start()).isdisjoint({*ACTS, *PARTS, "say", "be", "all", "down", "up"}):
            return 0, 0
        return colon.end(), self._end

    def _as_part(self) -> Span:
        """ "Put X as the title": between the verb and the part."""
        for n, role in enumerate(self.roles):
            follows = self.roles[n + 1 : n + 3]
            if "as" in self._words(n) and any("title" in one for one in follows):
                verbs = [m for m in range(n) if not {"put", "write", "set", "add"}.isdisjoint(self.roles[m])]
                return (self.tokens[verbs[-1]].end, self.tokens[n].start) if verbs else (0, 0)
        return 0, 0

    def _after_saying(self) -> Span:
        """ "It should say X", "a sign that says X", "que diga X"."""
        for n, role in enumerate(self.roles):
            if "say" in role and (n and not self.roles[n - 1].isdisjoint({"be", "small", *PARTS, "put", "write"})):
                return self._from(n + 1, {"small"} if "that" in self._words(n + 1) else set())
        return 0, 0

    def _after_being(self) -> Span:
        """ "But it should be X", of the part that the words before spoke of."""
        light = {"small", "link", "not"}
        words = [n for n, token in enumerate(self.tokens) if token.shape != "."]
        first = next((n for n in words if not self.roles[n] & light or "be" in self.roles[n]), 0)
        own = any(role & {*PARTS} for role in self.roles)
        if not self.inherits or own or not first < len(self.roles) or "be" not in self.roles[first]:
            return 0, 0
        return self._from(first + 1, {"be", "small", "link"})

    def _after_part(self) -> Span:
        """ "The title is X", "change the second sentence to X", "the title of the chart: X", "add a title X"."""
        kinds, tokens = self._kinds(), self.tokens  # the "line" of "line chart" is no line of text
        named = [n for n, role in enumerate(self.roles) if role & {"title", "text", "header", "label"}]
        parts = [n for n in named if not begins_in(tokens[n].start, kinds)]
        for n in self._last_of(parts):
            link = self._link(n)
            if link is not None:
                return self._from(link, {"be", "link", "named"})
            plain = {*ACTS, "small", "title", "text", "header", "label", "link", "be", "down", "up"}
            with_it = any("link" in role for role in self.roles[max(0, n - 2) : n])
            owned = "of" in self._words(n - 1) and not any(role & {*ACTS} for role in self.roles[:n])
            leads = (with_it or all(role & plain for role in self.roles[:n])) and not owned
            follows = n + 1 < len(self.tokens) and self.tokens[n + 1].shape != "0"
            if leads and follows and not self.roles[n + 1] & {*ACTS, "about", "link"}:
                return self._from(n + 1 + (self.roles[n + 1] == {"small"}), set())
        return 0, 0

    def _last_of(self, parts: list[int]) -> list[int]:
        """Of parts that stand together the last: "the title of the columns" is about columns."""
        last = parts[:1]
        for part in parts[1:]:
            if all(role & {"small", "link"} for role in self.roles[last[-1] + 1 : part]):
                last = [part]
        return last

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
        kinds = self._kinds()
        while first < len(self.tokens) and (
            self.roles[first] & {"small"} or begins_in(self.tokens[first].start, kinds)
        ):
            first += 1
        return self._from(first, set()) if first and "of" not in self._words(first - 1) else (0, 0)

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
        """What is there and what shall be there instead: "change Monday to Tuesday", "put X instead of Y"."""
        instead = next((cue for cue in self.reading.all("act") if cue.means == "instead"), None)
        if instead is not None and self.does("put", "add", "write", "set"):
            start = next(n for n, role in enumerate(self.roles) if role & {"put", "add", "write", "set"}) + 1
            places = [n for n, role in enumerate(self.roles) if n > start + 1 and role & {"about"}]
            end = min([instead.start, *(self.tokens[n].start for n in places)])
            span = self._trimmed(self._from(start, {"small", "text", "row"})[0], end)
            return self.reading.text[instead.end :].strip(QUOTES), self.reading.words(span)
        for n, but in (
            (n, but) for n, role in enumerate(self.roles) if "not" in role for but in self.reading.all("but")
        ):
            if self.tokens[n].end < but.start:  # "not X but Y"
                old = self.reading.text[self.tokens[n].end : but.start]
                return old.strip(QUOTES), self.reading.text[but.end :].strip(QUOTES)
        swaps = [n for n, role in enumerate(self.roles) if role & {"swap", "set"}]
        for first in swaps[:1]:
            links = [n for n in range(first + 1, len(self.roles) - 1) if "link" in self.roles[n]]
            if links:
                old = self.reading.text[self.tokens[first].end : self.tokens[links[0]].start].strip(QUOTES)
                old = old or self.reading.text[: self.tokens[first].start]  # "счастья замени на радости"
                start, end = self._trimmed(*self._from(links[0] + 1, {"link"}))
                return old.strip(QUOTES), self.reading.words((start, end))
        return "", ""

    def _words(self, n: int) -> set[str]:
        if not 0 <= n < len(self.tokens):
            return set()
        return {self.tokens[n].word, *self.tokens[n].english.split()}

    def _trimmed(self, start: int, end: int) -> Span:
        """The words without signs around them, and without a place that follows: "Lucy under it"."""
        inner = [n for n, token in enumerate(self.tokens) if start <= token.start < end]
        other = next((n for n in inner[1:-1] if self.tokens[n].word == "," and "not" in self.roles[n + 1]), None)
        if other is not None:  # "kiwi, not kiwis"
            return self._trimmed(start, self.tokens[other].start)
        tail = [*takewhile(lambda n: self.roles[n] & {"small", "down", "up", "link"}, reversed(inner))]
        on = {n for n in tail[1:] if self._words(n) & {"on", "in"}}
        lowest = [n for n in tail if self.roles[n] & {"down", "up"} or n in on]
        if lowest and tail[-1] != inner[0]:
            end = self.tokens[tail[-1] - 1].end
        text = self.reading.text[start:end]
        return start + len(text) - len(text.lstrip(" \"'“”«»,;:=-–—")), start + len(text.rstrip(" \"'“”«»,;:"))

    def _light(self, span: Span) -> bool:
        """Whether what looks like words for a file says how it shall look: "make the title to red"."""
        said = reader().read(self.reading.words(span))
        looks = said.has("color", "size", "place", "hue") and len(said.tokens) <= MAX_LIGHT
        pairs = zip(self.tokens, self.roles, strict=True)
        inner = [(token, role) for token, role in pairs if begins_in(token.start, [span]) and token.shape != "."]
        judged = len(inner) == 1 or all(_JUDGING & {*token.kinds} for token, role in inner if not role)
        says = (
            not self.does("be")
            or self.does("say", "should", *ACTS)
            or self.reading.text[span[0] : span[0] + 1].isupper()
        )
        return looks or (judged and span[1] == self._end and not says)


def pieces(reading: Reading, clauses: Sequence[Clause]) -> list[Piece]:
    """The parts of a message one by one: its clauses, what stands behind another verb, and sentences. The words that
    are given for a file stay whole, up to the next thing that is asked for."""
    text, found, start = reading.text, list[Piece](), 0
    for cut in [*_cuts(reading, clauses), len(text)]:
        piece = text[start:cut]
        if cut < len(text) and not _ends(piece, text[start:], text[cut:]):
            continue
        if piece.strip(" ,;.!?"):
            found.append(Piece(piece.strip(" ,;\n"), _wanted((start, cut), clauses)))
        start = cut
    return _joined(found)


def _ends(piece: str, whole: str, rest: str) -> bool:
    """Whether a piece ends where another could begin: not inside the words that it gives."""
    begins, end = Asked(reader().read(whole)).span
    if begins > len(piece) or end <= len(piece.rstrip()):
        return True
    if begins == end:
        return True
    quoted = QUOTED.search(whole)
    if quoted is not None and quoted.start() < len(piece) < quoted.end():
        return False
    colon = _COLON.search(piece)
    whole_text = colon is not None and Asked(reader().read(piece[: colon.start()])).does(
        "text", "list", "down", "up", "say", "write", "put", "add"
    )
    if whole_text:
        return False
    return _goes_to(rest) or (bool(_BREAK.search(piece[-2:] + " ")) and not _goes_on(rest))


def _goes_on(rest: str) -> bool:
    """Whether a sentence may go on with the words that are given: it speaks of nothing that a file has."""
    said = reader().read(_BREAK.split(rest.strip())[0])
    plain = not said.has("color", "size", "kind", "part", "act", "spot")
    return plain and rest.strip()[:1].isupper() and not Asked(said).does("text", "title", *ACTS)


def commands(text: str) -> bool:
    """Whether a text begins with something that is asked for: a verb and what it is done to, or a part with its look."""
    said = reader().read(_BREAK.split(text.strip(" ,;"))[0][:80])
    asked = [roles(token) for token in said.find(tokens_of)]
    first = next((n for n, role in enumerate(asked[:4]) if role - {"small", "link"} and not role & {"small"}), None)
    if first is None:
        return said.has("spot", "shape") and said.has("color", "size", "place")
    if asked[first] & {"down", "up"}:
        return True
    acts = bool(asked[first] & {*ACTS, "leave"}) and first <= 2
    things = any(role & {*PARTS, "small", "all", "rest"} for role in asked[first + 1 : first + 5])
    looks = said.has("color", "size", "place") and (said.has("spot", "shape", "part") or bool(asked[first] & {*PARTS}))
    if "be" in asked[first] and any(role & {"be", "say"} for role in asked[first + 1 : first + 2]):
        return True  # "it should be X"
    linked = bool(asked[first] & {*PARTS}) and any(role & {"link", "be"} for role in asked[first + 1 : first + 3])
    return (acts and (things or said.has("color", "size", "kind", "shape", "spot"))) or looks or linked


def _cuts(reading: Reading, clauses: Sequence[Clause]) -> list[int]:
    """Where a part of a message may begin: a clause, a sentence, or a verb behind "and" or a comma; not in quotes."""
    quotes = [hit.span() for hit in QUOTED.finditer(reading.text)]
    joints = reading.reader.phrases("joints", "between") | {","}
    tokens = reading.find(tokens_of)
    rows = zip(tokens, tokens[1:], [*tokens[2:], *tokens[-1:]], strict=False)
    found = {joint.start for joint, verb, thing in rows if joint.word in joints and _is_verb(verb, thing)}
    found |= {clause.start for clause in clauses} | {hit.end() for hit in _BREAK.finditer(reading.text)}
    found |= {token.start for token in tokens if token.word in joints and _goes_to(reading.text[token.end :])}
    return sorted(cut for cut in found if cut and not begins_in(cut, quotes))


def _goes_to(rest: str) -> bool:
    """Whether the next thing that is asked for begins here."""
    return commands(rest) or _looks(rest.lstrip(" ,"))


def _looks(text: str) -> bool:
    """Whether a text goes on with nothing but a look: ", big letters"."""
    said = reader().read(_FRAGMENT.split(text.strip(), maxsplit=1)[0])
    return said.has("color", "size") and len(said.tokens) <= MAX_LIGHT


def _is_verb(token: Token, after: Token) -> bool:
    """Whether a word is a verb by itself, or by what follows it: "animate it"."""
    known = bool(roles(token) & {*ACTS, "leave"}) or "requestverb" in token.kinds
    return known or (not token.kinds and "pointer" in after.kinds) or commands(token.word)


def _wanted(span: Span, clauses: Iterable[Clause]) -> bool:
    return any(clause.act in WANTS and clause.start < span[1] and span[0] < clause.end for clause in clauses)


def each(found: Iterable[Piece], before: Asked | None = None) -> Iterator[tuple[Piece, Asked]]:
    """The pieces taken apart, each after the one before it; the first after what was asked for last."""
    for piece in found:
        asked = Asked(reader().read(piece.text), before)
        before = asked if asked.does(*PARTS) else before
        yield piece, asked


def _joined(found: list[Piece]) -> list[Piece]:
    """The pieces with a thing that is named before its verb put together: "now the small line under it, remove it"."""
    made: list[Piece] = []
    for piece in found:
        verb = Asked(reader().read(piece.text))
        bare = len(verb.tokens) <= MAX_LIGHT and not any(
            role - {"small", "the", "link", "about"} for role in verb.roles
        )
        if made and bare and not verb.reading.has("color", "size") and Asked(reader().read(made[-1].text)).removes:
            made[-1] = Piece(f"{made[-1].text}, {piece.text}", made[-1].wanted)  # "remove bread and milk"
            continue
        before = Asked(reader().read(made[-1].text)) if made else None
        only = all(role & {*ACTS, "take", "out", "small"} for role in verb.roles if role) and not verb.given
        points = (
            only
            and verb.does(*ACTS, "take")
            and all(role for role, token in zip(verb.roles, verb.tokens, strict=True) if token.shape != ".")
        )
        names = all(role & {"small", "about", "the"} for role in verb.roles[:2]) and len(verb.roles) > 1
        goes_on = before is not None and before.removes and names and not verb.does(*ACTS, "be", "down", "up")
        if before is not None and goes_on:  # "the first paragraph, the one about June"
            made[-1] = Piece(f"{made[-1].text}, {piece.text}", made[-1].wanted or piece.wanted)
        elif (
            before is not None
            and points
            and before.does(*PARTS)
            and not before.does(*ACTS)
            and "?" not in made[-1].text
        ):
            made[-1] = Piece(f"{made[-1].text}, {piece.text}", made[-1].wanted or piece.wanted)
        else:
            made.append(piece)
    return made
