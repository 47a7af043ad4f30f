"""Known names in a text: whole, by a distinctive part, or misspelt.

A part counts when it tells the thing apart from the others and is no everyday word of names ("house", "garden"), and
when it is written or led to like a name. Misspellings are looked for last, and only among words of five letters or
more that begin alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from holdfast.reading.mentions import around
from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import WORD, fold

_PARTS = re.compile(f"[{WORD}]+")
_ARTICLE = re.compile(r"^(?:the|a|an|el|la|los|las) ")
LOOKED_AT = 60
"""Words of a message that are compared with names for misspellings."""
ALIKE = 0.8
"""How alike a misspelt word must be."""


class Hit(NamedTuple):
    """A name found: which ones it can be, where, and how it was found."""

    keys: tuple[str, ...]
    span: Span
    how: str


def named(reading: Reading, names: Mapping[str, str]) -> list[Hit]:
    """Which of the names (key → name) a message names. Whole names first; then parts, where nothing is whole."""
    folded = {key: " ".join(_PARTS.findall(fold(name))) for key, name in names.items()}
    text, places = _flat(reading)
    hits = list(_whole(reading, text, places, folded))
    hits += _parts(reading, folded, [hit.span for hit in hits])
    if not hits:
        hits = _misspelt(reading, folded)
    return sorted(hits, key=lambda hit: hit.span)


def _flat(reading: Reading) -> tuple[str, list[Span]]:
    """The words of a message with single blanks between and around them, and where each stands."""
    spans = [m.span() for m in _PARTS.finditer(reading.folded)]
    return " " + " ".join(reading.folded[a:b] for a, b in spans) + " ", spans


def _whole(reading: Reading, text: str, places: list[Span], names: Mapping[str, str]) -> Sequence[Hit]:
    found: list[Hit] = []
    taken: list[Span] = []
    for key, name in sorted(names.items(), key=lambda pair: -len(pair[1])):
        bare = _ARTICLE.sub("", name)
        for form in (name, bare) if bare != name else (name,):
            place = text.find(f" {form} ") if form else -1
            if place < 0:
                continue
            first = text.count(" ", 0, place + 1) - 1
            last = first + form.count(" ")
            span = places[first][0], places[last][1]
            inside = any(start <= span[0] and span[1] <= end for start, end in taken)
            if not inside and _meant_as_name(reading, span, form):
                found.append(Hit((key,), span, "whole"))
                taken.append(span)
                break
    return found


def _meant_as_name(reading: Reading, span: Span, form: str) -> bool:
    """A name that is an everyday word ("After", "It") must be written like a name, or be all that is said."""
    everyday = reading.phrases("pointing", "small") | reading.phrases("pointing", "follows")
    if " " in form or (len(form) > 2 and form not in everyday and form not in reading.phrases("pointing", "generic")):
        return True
    alone = len(reading.folded.strip(" .!?")) == span[1] - span[0]
    return alone or (_capital(reading, span) and span[0] > 0 and reading.text[span[0] - 1] not in ".!?\n")


def _parts(reading: Reading, names: Mapping[str, str], taken: list[Span]) -> list[Hit]:
    owners: dict[str, list[str]] = {}
    for key, name in names.items():
        for word in set(name.split()):
            owners.setdefault(word, []).append(key)
    generic = reading.phrases("pointing", "generic")
    leads = reading.phrases("pointing", "leads")
    found: list[Hit] = []
    before = ""
    for span in reading.tokens:
        word = reading.folded[slice(*span)].removesuffix("'s")
        keys = owners.get(word, ())
        if keys and len(word) > 3 and word not in generic and not any(a < span[1] and span[0] < b for a, b in taken):
            written = _capital(reading, span) and (span[0] > 0 or len(reading.tokens) < 4)
            if (written or before in leads) and len(keys) < max(3, len(names)):
                found.append(Hit(tuple(keys), (span[0], span[0] + len(word)), "part"))
        before = word
    return _joined(found)


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


def _misspelt(reading: Reading, names: Mapping[str, str]) -> list[Hit]:
    generic = reading.phrases("pointing", "generic")
    words = [(w, key) for key, name in names.items() for w in {name, *name.split()} if len(w) > 4 and w not in generic]
    if not words:
        return []
    common = reading.phrases("pointing", "nouns") | generic | reading.phrases("pointing", "leads")
    leads = reading.phrases("pointing", "leads")
    tokens = [s for s in reading.tokens[:LOOKED_AT] if s[1] - s[0] > 3]
    best: dict[str, tuple[float, Span]] = {}
    for span in tokens:
        said = reading.folded[slice(*span)]
        if said in common or (len(said) == 4 and around(reading, span)[0] not in leads):
            continue
        for word, key in words:
            if word[0] == said[0] and abs(len(word) - len(said)) <= 2 and word != said:
                score = _alike(word, said)
                if score >= ALIKE and score > best.get(key, (0.0, span))[0]:
                    best[key] = score, span
    if not best:
        return []
    top = max(score for score, _ in best.values())
    keys = tuple(key for key, (score, _) in best.items() if score == top)
    return [Hit(keys, best[keys[0]][1], "misspelt")]


def _alike(one: str, other: str) -> float:
    from rapidfuzz.distance import OSA  # few messages need it, and it costs a start-up time that all would pay

    return OSA.normalized_similarity(one, other)


def _capital(reading: Reading, span: Span) -> bool:
    return reading.text[span[0]].isupper()
