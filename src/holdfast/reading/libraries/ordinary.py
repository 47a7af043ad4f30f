"""Names of libraries that are words of their own too: pandas are animals, Cairo is a city, a picture can be sharp.

Such a word counts as a library only where it stands alone in its clause, or where what follows is work for a library:
"use pandas", "use pandas for the table"; not "use sharp edges", "bokeh in the background", "pandas rather than bears".
"""

from __future__ import annotations

import re

from holdfast.reading.reader import Cue, Reading, Span

_WORDS = re.compile(r"[^\s,;:.!?()\"]+")
_NEAR = 40
"""Characters after a name in which what it is for is looked for."""


def ordinary(reading: Reading, span: Span, cue: Cue) -> bool:
    """Whether such a word, chosen by a cue, is meant as the word and not as the library."""
    if _another(reading, span):
        return False
    return _contrasted(reading, span) or _pointed(reading, span, cue) or _describes(reading, span, cue)


def moved(reading: Reading, span: Span, cue: Cue) -> bool:
    """Whether something goes to a place of that name: "move it to Cairo". Only a library in use can be meant then."""
    verb = _WORDS.match(reading.folded, cue.start)
    if verb is None or verb[0] not in reading.phrases("ordinary", "moves") or _another(reading, span):
        return False
    return not any(cue.start <= output.start < span[0] for output in reading.all("output"))


def _another(reading: Reading, span: Span) -> bool:
    """Whether another library is named too: beside one, the word is one."""
    word = reading.folded[slice(*span)]
    return any(reading.folded[c.start : c.end] != word and c.start != span[0] for c in reading.all("library"))


def _contrasted(reading: Reading, span: Span) -> bool:
    """ "use pandas instead of bears": what it is set against is no library."""
    if any(0 <= cue.start - span[1] <= 2 for cue in reading.all("lib_refuse")):
        return True
    following = _following(reading, span[1])
    return bool(following) and following[0] in reading.phrases("ordinary", "than")


def _pointed(reading: Reading, span: Span, cue: Cue) -> bool:
    """ "I'd prefer it sharp": the word says how something should be."""
    before = _WORDS.findall(reading.folded, cue.start, span[0])
    return cue.family == "lib_choose" and bool(before) and before[-1] in reading.phrases("ordinary", "pointers")


def _describes(reading: Reading, span: Span, cue: Cue) -> bool:
    """ "sharp edges", "Cairo time", "bokeh in the background": the word belongs to what follows."""
    following = _following(reading, span[1])
    if not following or any(0 <= c.start - span[1] <= 2 for c in reading.all("lib_instead")):
        return False
    if following[0] in reading.phrases("ordinary", "toward"):
        return not _work(reading, span[1], following[1:])
    if cue.means == "prefer" and following[0] in reading.phrases("ordinary", "compares"):
        return True  # "I prefer pandas to koalas"
    return following[0] not in reading.phrases("ordinary", "closers")


def _work(reading: Reading, end: int, words: list[str]) -> bool:
    """Whether what follows "for" or "in" is something that a library works on."""
    if any(word in reading.phrases("ordinary", "scenery") for word in words):
        return False
    if any(word in reading.phrases("ordinary", "work") for word in words):
        return True
    return any(end <= cue.start <= end + _NEAR for cue in reading.all("output"))


def _following(reading: Reading, end: int) -> list[str]:
    """The words that follow in the same clause."""
    clause = re.match(r"[^,;:.!?()\n\"]*", reading.folded[end : end + _NEAR])
    return _WORDS.findall(clause[0])[:4] if clause else []
