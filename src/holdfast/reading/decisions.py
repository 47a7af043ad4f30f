"""Decisions in text: "let's go with Vue", "we decided to cache", "MongoDB would be better for this".

A decision has a subject (what it is about: the words after "for", or the kind of the thing chosen) and a category, so
that a later one on the same subject can replace it and one on another subject cannot.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.asserting import MOST_CUES, asserted
from holdfast.reading.clauses import sentence
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import LONG, meant
from holdfast.reading.terms import Term, known_terms, term_at, term_in
from holdfast.reading.text import fold

ARCHITECTURE = {f"tooling/{kind}" for kind in "framework backend database cache api cloud container messenger".split()}
DECIDED_ON = ARCHITECTURE | {"tooling/queue", "tooling/infrastructure"}
"""Kinds of tools that a project decides on; those that are not of its architecture a person may also simply use."""
_FOR = Shape(r"\s%memory.for%\s+(?:%memory.for_the% )?")
_END = Shape(r"[,;:!?\n]|\.(?:\s|$)|\s%memory.reasons%(?:\s|$)")
_EMPTY = Shape(r"^%memory.not_subjects%\b")
_VAGUE = Shape(r"^%memory.not_decided%\b")
_GOING = Shape(r"^%memory.going_with% ")


class Decided(NamedTuple):
    """A decision as read: nothing here knows what was decided before."""

    description: str
    what: str
    """What was chosen, as typed."""
    subject: str
    category: str
    rationale: str
    span: Span
    rule: str
    term: Term | None
    means: str = ""
    """What its pattern means, as the table declares it."""


def decisions(reading: Reading) -> list[Decided]:
    """Use as `reading.find(decisions)`."""
    if not reading.has("decides") or len(reading.text) > LONG:
        return []
    if (said := meant(reading)) is not reading:  # "we decided to use MySQL, I mean PostgreSQL"
        return [_in_place(reading, one) for one in said.find(decisions)]
    kept: dict[tuple[str, str], Decided] = {}
    for cue in reading.all("decides")[:MOST_CUES]:
        one = _decided(reading, cue)
        if one is not None and not any(a < one.span[1] and one.span[0] < b for a, b in (k.span for k in kept.values())):
            kept[(one.subject, fold(one.description))] = one
    return list(kept.values())


def _in_place(reading: Reading, one: Decided) -> Decided:
    """A decision of the message as meant, with its place in the message as said."""
    words = fold(one.term.value) if one.term else ""
    start = reading.folded.rfind(words) if words else -1
    return one._replace(span=(start, start + len(words)) if start >= 0 else (0, len(reading.text)))


def subject_of(reader: Reader, description: str) -> str:
    """The subject of a decision given as plain words: "Use Vue for frontend" → frontend."""
    text = fold(description)
    subjects = reader.data("memory_subjects", None)
    if named := _for(reader, text):
        return named
    terms = known_terms(reader)
    words = re.findall(r"[\w+#.-]+", text)
    for size in (3, 2, 1):
        for place in range(len(words) - size + 1):
            known = terms.get(" ".join(words[place : place + size]).strip("."))
            if known and known[0] in subjects:
                return str(subjects[known[0]])
    return ""


def _for(reader: Reader, text: str) -> str:
    """The subject that follows a "for"."""
    hit = reader.made(_FOR).search(text)
    return _named(reader, reader.made(_END).split(text[hit.end() :])[0]) if hit else ""


def _decided(reading: Reading, cue: Cue) -> Decided | None:
    place = next((span for name, span in cue.groups.items() if name != "noun"), None)
    if place is None or not asserted(reading, cue, place):
        return None
    name = cue.means
    end = place[1] if name == "better" else _stop(reading, place[0])
    what = reading.text[place[0] : end].strip(" .")
    if not what or reading.reader.made(_VAGUE).match(fold(what)) or len(what) > 160:
        return None
    span = (place[0], place[0] + len(what))
    term = term_in(reading, span) if name == "better" else term_at(reading, span)
    if name == "better":
        if term is None and not what.split()[-1][0].isupper():
            return None
        what = term.value if term else what.split()[-1]
    about = reading.folded[cue.end : _stop(reading, cue.end)] if name == "better" else reading.said(span)
    subject = _for(reading.reader, f" {about}")
    if not subject and term is not None:
        subject = str(reading.reader.data("memory_subjects", None).get(term.slot, ""))
    subject = subject or subject_of(reading.reader, what)  # "we decided to try bun"
    return Decided(
        _described(reading, name, what, subject),
        what,
        subject,
        _category(name, term, subject),
        _why(reading, span),
        span,
        cue.id,
        term,
        name,
    )


def _stop(reading: Reading, start: int) -> int:
    hit = reading.reader.made(_END).search(reading.folded, start)
    return hit.start() if hit else len(reading.folded)


def _named(reader: Reader, words: str) -> str:
    """A subject by its usual name, whatever it is called: "фронтенда", "the front end" and "frontend" are one."""
    words = words.strip(" .")
    if not words or reader.made(_EMPTY).match(words):
        return ""
    for known, name in reader.made(_subjects):
        if known.search(words):
            return name
    return " ".join(words.split()[:4])


def _subjects(reader: Reader, language: str | None) -> list[tuple[re.Pattern[str], str]]:
    """The rows that say what a subject may be called; the others say of which subject a kind of tool is."""
    rows = reader.data("memory_subjects", language).items()
    return [(re.compile(rf"(?:^|\s){key[1:]}"), str(name)) for key, name in rows if key.startswith("~")]


def _described(reading: Reading, name: str, what: str, subject: str) -> str:
    if name in ("decided", "approach"):
        going = reading.reader.made(_GOING).match(what)
        what = reading.wording("memory", "use", what=what[going.end() :]) if going else what
        return what[:1].upper() + what[1:]
    if name == "better" and subject:
        return reading.wording("memory", "use_for", what=what, subject=subject)
    return reading.wording("memory", "use", what=what)


def _category(name: str, term: Term | None, subject: str) -> str:
    if name == "approach":
        return "approach"
    if term is not None:
        return "architecture" if term.slot in ARCHITECTURE else "tooling"
    return "architecture" if subject in ("frontend", "backend", "database", "storage", "api", "hosting") else "other"


def _why(reading: Reading, span: Span) -> str:
    start, end = sentence(reading, span[0])
    for cue in reading.all("because"):
        if start <= cue.start < end:
            place = next(iter(cue.groups.values()))
            return reading.text[place[0] : end].strip(" .!")
    return ""
