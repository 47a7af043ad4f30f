"""Known names in a text: whole, by a distinctive part, or misspelt.

A part counts when it tells the thing apart from the others and is no everyday word of names ("house", "garden"), and
when it is written or led to like a name. Misspellings are looked for last, and only among words of five letters or
more that begin alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from holdfast.kept import kept
from holdfast.reading.endings import Endings
from holdfast.reading.mentions import around
from holdfast.reading.reader import Reader, Reading, Span, touches
from holdfast.reading.shapes import Shape
from holdfast.reading.text import WORD, fold

One = TypeVar("One")
_PARTS = re.compile(f"[{WORD}]+")
_ARTICLE = Shape("^%choice.articles% ")
READ = 2000
"""Words of a message that are looked through."""
MAX_NAMES = 20
"""Names that are found by their parts in one message."""
LOOKED_AT = 60
"""Words of a message that are compared with names for misspellings."""
ALIKE = 0.8
"""How alike a misspelt word must be."""


SPELT = 0.05
"""How much less a word is alike that only sounds so."""


class Sounds:
    """Letters that are taken for one another when a name is only heard ("Calaya", "Марокаме")."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self._same = {said: str(heard) for said, heard in reader.data("sounds", language).items()}
        self._letters: dict[str, list[str]] = {}
        for said, heard in self._same.items():
            if len(said) == 1:
                self._letters.setdefault(heard, [heard]).append(said)
        self.of = kept(4096)(self._of)

    def letters(self, first: str) -> Iterable[str]:
        """The letters that a name which begins with this one may be written with."""
        return self._letters.get(self._same.get(first, first), first)

    def _of(self, word: str) -> str:
        for said, heard in self._same.items():
            word = word.replace(said, heard)
        return "".join(letter for letter, before in zip(word, " " + word, strict=False) if letter != before)


class Hit(NamedTuple):
    """A name found: which ones it can be, where, and how it was found."""

    keys: tuple[str, ...]
    span: Span
    how: str


class Index(NamedTuple):
    """Names made ready for looking them up; kept while the same things are spoken of."""

    names: tuple[tuple[str, str], ...]
    """Key and folded name, longest first."""
    words: dict[str, tuple[str, ...]]
    """Words of the names, with the keys they belong to."""
    initials: dict[str, tuple[tuple[str, str], ...]]
    """The longer words and whole names by the letters they may be said to begin with, for misspellings."""
    plain: frozenset[str]
    """Words of names that are written like any words: "Chicken fried rice"."""
    short: dict[str, tuple[str, ...]]
    """First letters of names of several words ("bp" for Boston Pizza), and stems of words that are inflected."""


@kept(256)
def index(names: tuple[tuple[str, str], ...], sounds: Sounds, endings: Endings) -> Index:
    """Pairs of key and name as an index."""
    whole: list[tuple[str, str]] = []
    words, short, initials = _Groups[str](), _Groups[str](), _Groups[tuple[str, str]]()
    plain: set[str] = set()
    for key, name in names:
        said = fold(name)
        ordinary = " " in name and name[1:].islower()  # it has a capital letter at its beginning at most
        plain.update(said.split() if ordinary else ())
        # as it is typed with its apostrophes and without them: "kayo s", "kayos"
        for form in dict.fromkeys(" ".join(_PARTS.findall(form)) for form in (said, said.replace("'", ""))):
            parts = form.split()
            whole.append((key, form))
            words.add(key, parts)
            short.add(key, [endings.name(word) for word in parts if word[0] in endings.letters and len(word) > 2])
            first = "".join([word[0] for word in parts])
            short.add(key, [first[:count] for count in range(2, len(first) + 1)])
            # words that are no name are never misspelt: "Remove the update", "egg rice"
            for word in (form, *parts) if not name.islower() and (not ordinary or name.count(" ") == 1) else ():
                initials.add((word, key), sounds.letters(word[0]) if len(word) > 4 else ())
    whole.sort(key=lambda pair: -len(pair[1]))
    return Index(tuple(whole), words.made, initials.made, frozenset(plain), short.made)


class _Groups(Generic[One]):
    """What belongs to each of some words, in order and each once."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[One, ...]] = {}

    def add(self, one: One, words: Iterable[str]) -> None:
        for word in words:
            known = self.made.get(word, ())
            if one not in known:
                self.made[word] = (*known, one)


def named(reading: Reading, names: Mapping[str, str]) -> list[Hit]:
    """Which of the names (key → name) a message names. Whole names first; then parts, where nothing is whole."""
    known = index(tuple(names.items()), reading.reader.made(Sounds), reading.reader.made(Endings))
    said = reading.find(_said)
    hits: list[Hit] = []
    if not known.words.keys().isdisjoint(said):
        hits = _whole(reading, said, reading.find(_spans), known)
        hits += _parts(reading, known, [hit.span for hit in hits])
    hits = hits or _shortened(reading, known) or _misspelt(reading, known)
    return sorted(hits, key=lambda hit: hit.span) if len(hits) > 1 else hits


def _said(reading: Reading) -> list[str]:
    return [reading.folded[a:b] for a, b in reading.find(_spans)]


def _spans(reading: Reading) -> list[Span]:
    return [m.span() for m in islice(_PARTS.finditer(reading.folded), READ)]


def _whole(reading: Reading, said: list[str], places: list[Span], known: Index) -> list[Hit]:
    text = " " + " ".join(said) + " "
    article = reading.reader.made(_ARTICLE)
    found: list[Hit] = []
    taken: list[Span] = []
    for key, name in known.names:
        bare = article.sub("", name)
        for form in (name, bare) if bare != name else (name,):
            place = text.find(f" {form} ") if form else -1
            if place < 0:
                continue
            first = text.count(" ", 0, place + 1) - 1
            span = places[first][0], places[first + form.count(" ")][1]
            inside = any(start <= span[0] and span[1] <= end for start, end in taken)
            if not inside and _meant_as_name(reading, span, form):
                found.append(Hit((key,), span, "whole"))
                taken.append(span)
                break
    return found


def _meant_as_name(reading: Reading, span: Span, form: str) -> bool:
    """A name that is an everyday word ("After", "It") must be written like a name, or be all that is said."""
    everyday = reading.phrases("pointing", "small", "follows")
    if " " in form or (len(form) > 2 and form not in everyday and form not in reading.phrases("pointing", "generic")):
        return True
    alone = len(reading.folded.strip(" .!?")) == span[1] - span[0]
    return alone or (_capital(reading, span) and span[0] > 0 and reading.text[span[0] - 1] not in ".!?\n")


def _parts(reading: Reading, known: Index, taken: list[Span]) -> list[Hit]:
    idle = reading.phrases("pointing", "generic", "small")
    found: list[Hit] = []
    before = ""
    for span in reading.tokens[:READ]:
        word = reading.said(span).removesuffix("'s")
        keys = known.words.get(word, ())
        may_tell = keys and word not in idle and len(keys) < max(3, len(known.names))
        if may_tell and not touches(span, taken) and _is_named(reading, span, word, before, known):
            found.append(Hit(keys, (span[0], span[0] + len(word)), "part"))
        before = word
    return _joined(found[:MAX_NAMES])


def _is_named(reading: Reading, span: Span, word: str, before: str, known: Index) -> bool:
    """Whether a word of a name means the name: it is nearly all that is said, is written like one, is led to, or opens
    what is said."""
    leads = reading.phrases("pointing", "leads")
    pointers = reading.phrases("pointing", "pointers") or leads
    if len(word) < 3 and before not in pointers:
        return False
    capital = _capital(reading, span)
    if len(reading.tokens) < 3 + capital or (capital and span[0] > 0):
        return True
    if span[0] == 0:
        return len(word) > 4 and _goes_on(reading, span)
    return before in (pointers if word in known.plain else leads) and (len(word) > 3 or before in pointers)


def _shortened(reading: Reading, known: Index) -> list[Hit]:
    """Names by their first letters ("BP"), or in another case ("в «Уюте»"), where they are written like names."""
    endings, found = reading.reader.made(Endings), []
    for start, end in reading.tokens[:LOOKED_AT] if known.short else ():
        word = reading.text[start:end]
        capitals = word.isupper() and len(word) > 1
        led = word[0].isupper() or around(reading, (start, end))[0] in reading.phrases("pointing", "leads")
        if capitals or (led and len(word) > 3):
            keys = known.short.get(word.lower() if capitals else endings.name(reading.folded[start:end]), ())
            if len(keys) == 1:
                found.append(Hit(keys, (start, end), "part"))
    return found[:MAX_NAMES]


def _goes_on(reading: Reading, span: Span) -> bool:
    """Whether a word that opens the message is spoken of: "despiece tiene terraza?"."""
    return around(reading, span)[1] in reading.phrases("pointing", "follows")


def _joined(hits: list[Hit]) -> list[Hit]:
    """Parts of one name side by side are one hit, for what they have in common."""
    found: list[Hit] = []
    for hit in hits:
        last = found[-1] if found else None
        common = tuple(key for key in last.keys if key in hit.keys) if last else ()
        if last and common and hit.span[0] - last.span[1] <= 5:
            found[-1] = Hit(common, (last.span[0], hit.span[1]), "part")
        else:
            found.append(hit)
    return found


def _misspelt(reading: Reading, known: Index) -> list[Hit]:
    """The name that a word may be meant for. Everyday words are no misspelt names."""
    best: dict[str, tuple[float, Span]] = {}
    idle = reading.phrases("pointing", "generic", "leads", "nouns")
    for span in reading.tokens[:LOOKED_AT]:
        said = reading.folded[slice(*span)]
        for word, key in known.initials.get(said[0], ()) if len(said) > 3 and said not in idle else ():
            near = abs(len(word) - len(said)) <= 2 and word != said
            score = _likeness(reading, span, said, word) if near else 0.0
            if score >= ALIKE and score > best.get(key, (0.0, span))[0]:
                best[key] = score, span
    if not best:
        return []
    top = max(best.values(), key=lambda one: one[0])[0]
    keys = tuple(key for key, (score, _) in best.items() if score == top)
    return [Hit(keys, best[keys[0]][1], "misspelt")]


def _likeness(reading: Reading, span: Span, said: str, word: str) -> float:
    """How alike a word is to one of a name, as it is written or as it sounds; 0 where it cannot be meant for it."""
    if word in reading.phrases("pointing", "generic"):
        return 0.0
    leads = reading.phrases("pointing", "leads")
    if len(said) < 5 and len(reading.tokens) > 1 and around(reading, span)[0] not in leads:
        return 0.0  # one of four letters needs a word that leads to it, or no other word
    from rapidfuzz.distance import OSA  # few messages need it, and it costs a start-up time that all would pay

    sounds, alike = reading.reader.made(Sounds), OSA.normalized_similarity
    if word.isascii() and not said.isascii():  # "в Захаве" is at Zahav: other letters, and an ending
        heard = said, reading.reader.made(Endings).name(said)
        return max(alike(sounds.of(word), sounds.of(one)) for one in heard)
    return max(alike(word, said), alike(sounds.of(word), sounds.of(said)) - SPELT)


def _capital(reading: Reading, span: Span) -> bool:
    return reading.text[span[0]].isupper()
