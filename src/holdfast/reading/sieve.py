"""What of a pattern can be looked for together with hundreds of others.

The one pass over all patterns is an automaton that is built while it reads. A gap in a pattern ("not [^,]{1,60} but")
stays alive over many words, and every combination of gaps that are alive is a state of its own: with a few dozen of
them, a text that was never seen before cost a thousand times its second reading. So the pass looks for the solid piece
of such a pattern, and the pattern itself is tried only where its piece was found. What is found stays exactly the same.
"""

from __future__ import annotations

from typing import NamedTuple

SOLID = 3
"""Letters that a piece must have to be worth looking for."""


class _Element(NamedTuple):
    text: str
    """With its quantifier."""
    body: str
    """Inside of a group, else the atom itself."""
    group: bool
    needed: bool
    gap: bool


def piece(source: str) -> tuple[str, bool] | None:
    """A pattern that fires wherever the given one does, without gaps, and whether it begins where that one begins;
    None when the pattern has no gap, or no solid piece."""
    if not _gapped(source):
        return None
    found = [_of(alternative) for alternative in _alternatives(source)]
    if any(one is None for one in found):
        return None
    pieces = [one for one in found if one is not None]
    begins = all(at_start for _, at_start in pieces)
    return "|".join(text for text, _ in pieces), begins


def _of(alternative: str) -> tuple[str, bool] | None:
    """The piece of one alternative: its beginning if that is solid, else its most solid run."""
    runs: list[tuple[int, str, bool]] = []
    run, at_start = "", True
    weight = 0
    for element in [*_elements(alternative), None]:
        if element is not None and not element.gap:
            run += element.text
            weight += _weight(element)
            continue
        if element is not None and element.group and element.needed and (inner := _inside(element.body)):
            run, weight = run + inner[0], weight + inner[1]
        if run:
            runs.append((weight, run, at_start))
        run, at_start, weight = "", False, 0
    if runs and runs[0][2] and runs[0][0] >= SOLID:
        return runs[0][1], True
    best = max(runs, default=(0, "", False))
    return (best[1], best[2]) if best[0] >= SOLID else None


def _inside(body: str) -> tuple[str, int] | None:
    """The piece of a group that has a gap inside; everything after it is cut."""
    found = [_of(alternative) for alternative in _alternatives(body)]
    if any(one is None or not one[1] for one in found):
        return None
    return "(?:" + "|".join(one[0] for one in found if one is not None) + ")", SOLID


def _weight(element: _Element) -> int:
    """Letters that an element surely has."""
    if not element.needed:
        return 0
    if element.group:
        return min(sum(_weight(e) for e in _elements(alternative)) for alternative in _alternatives(element.body))
    return 1 if element.body.isalnum() else 0


def _gapped(source: str) -> bool:
    return any(element.gap for alternative in _alternatives(source) for element in _elements(alternative))


def _alternatives(source: str) -> list[str]:
    """The alternatives of a pattern at its top level."""
    found, depth, start, place = [], 0, 0, 0
    while place < len(source):
        char = source[place]
        if char == "\\":
            place += 1
        elif char == "[":
            place = _class_end(source, place)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
        elif char == "|" and not depth:
            found.append(source[start:place])
            start = place + 1
        place += 1
    return [*found, source[start:]]


def _elements(alternative: str) -> list[_Element]:
    """The atoms of one alternative, each with its quantifier."""
    found, place = [], 0
    while place < len(alternative):
        start = place
        char = alternative[place]
        group = char == "("
        if char == "\\":
            place += 2
        elif char == "[":
            place = _class_end(alternative, place) + 1
        elif group:
            place = _group_end(alternative, place) + 1
        else:
            place += 1
        atom = alternative[start:place]
        body = _body(atom) if group else atom
        place, least, most = _quantifier(alternative, place)
        wide = most > 1 and _spans_words(body, group)
        gap = wide or (group and _gapped(body))
        found.append(_Element(alternative[start:place], body, group, least > 0, gap))
    return found


def _body(group: str) -> str:
    """The inside of a group, without its opening and its name."""
    inside = group[1:-1]
    if inside.startswith("?:"):
        return inside[2:]
    return inside[inside.index(">") + 1 :] if inside.startswith("?P<") else inside


def _spans_words(body: str, group: bool) -> bool:
    """Whether what is repeated can run over a blank."""
    if group:
        return " " in body or "\\s" in body or "[^" in body or any(e.body == "." for e in _elements(body))
    return body == "." or body.startswith("[^") or (body.startswith("[") and (" " in body or "\\s" in body))


def _quantifier(text: str, place: int) -> tuple[int, int, int]:
    """Where the quantifier at a place ends, and how often it repeats."""
    least = most = 1
    if place < len(text) and text[place] in "*+?":
        least, most = {"*": (0, 99), "+": (1, 99), "?": (0, 1)}[text[place]]
        place += 1
    elif place < len(text) and text[place] == "{" and "}" in text[place:]:
        end = text.index("}", place)
        low, _, high = text[place + 1 : end].partition(",")
        least, most = int(low or 0), int(high or (low if "," not in text[place:end] else 99))
        place = end + 1
    else:
        return place, least, most
    return (place + 1 if place < len(text) and text[place] == "?" else place), least, most


def _class_end(text: str, place: int) -> int:
    place += 2 if text[place + 1 : place + 2] == "^" else 1
    if text[place : place + 1] == "]":
        place += 1
    while text[place] != "]":
        place += 2 if text[place] == "\\" else 1
    return place


def _group_end(text: str, place: int) -> int:
    depth = 0
    while True:
        char = text[place]
        if char == "\\":
            place += 1
        elif char == "[":
            place = _class_end(text, place)
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if not depth:
                return place
        place += 1
