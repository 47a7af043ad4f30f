"""Decisions in text: "let's go with Vue", "we decided to cache", "MongoDB would be better for this".

A decision has a subject (what it is about: the words after "for", or the kind of the thing chosen) and a category, so
that a later one on the same subject can replace it and one on another subject cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import LONG, meant, sentences, standing
from holdfast.reading.statements import MOST_CUES, Term, term_at, term_in
from holdfast.reading.text import fold

ARCHITECTURE = {
    "tooling/framework",
    "tooling/backend",
    "tooling/database",
    "tooling/cache",
    "tooling/api",
    "tooling/cloud",
    "tooling/container",
    "tooling/messenger",
}
_FOR = re.compile(
    r"\s(?:for|as|para|como|для|в качестве)\s+(?:the |our |my |a |an |this |el |la |los |las |nuestro |нашего )?"
)
_END = re.compile(
    r"[,;:!?\n]|\.(?:\s|$)|\s(?:because|since|due to|so that|porque|ya que|потому что|так как|instead|вместо)(?:\s|$)"
)
_EMPTY = re.compile(
    r"^(?:this|that|it|these|those|use case|case|us|now|me|everything|ahora|est[eo]|nosotros|этого|нас)\b"
)
_VAGUE = re.compile(
    r"^(?:it|that|this|them|those|you|your|the (?:first|second|third|last|other|same|next)|option|number|eso|это)\b"
)


class Decided(NamedTuple):
    """A decision as read: nothing here knows what was decided before."""

    description: str
    subject: str
    category: str
    rationale: str
    span: Span
    rule: str
    term: Term | None


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


def subject_of(reading_terms: dict[str, tuple[str, str]], description: str, subjects: Mapping[str, Any]) -> str:
    """The subject of a decision given as plain words: "Use Vue for frontend" → frontend."""
    text = fold(description)
    if hit := _FOR.search(text):
        rest = _END.split(text[hit.end() :])[0].strip(" .")
        if rest and not _EMPTY.match(rest):
            return _called(rest, subjects)
    words = re.findall(r"[\w+#.-]+", text)
    for size in (3, 2, 1):
        for place in range(len(words) - size + 1):
            known = reading_terms.get(" ".join(words[place : place + size]).strip("."))
            if known and known[0] in subjects:
                return str(subjects[known[0]])
    return ""


def _decided(reading: Reading, cue: Cue) -> Decided | None:
    place = next((span for name, span in cue.groups.items() if name != "noun"), None)
    if place is None:
        return None
    flags = reading.find(standing).of(place)
    if flags & {"question", "quoted", "withdrawn", "negated"} or _supposed(reading, place):
        return None
    name = cue.id.rpartition(".")[2]
    hit = _END.search(reading.folded, place[0])
    end = place[1] if name == "better" else hit.start() if hit else len(reading.folded)
    what = reading.text[place[0] : end].strip(" .")
    if not what or _VAGUE.match(fold(what)) or len(what) > 160:
        return None
    span = (place[0], place[0] + len(what))
    term = term_in(reading, span) if name == "better" else term_at(reading, span)
    if name == "better":
        if term is None and not what.split()[-1][0].isupper():
            return None
        what = term.value if term else what.split()[-1]
    subjects = reading.reader.data("memory_subjects", None)
    subject = _subject(reading, span if name != "better" else (cue.end, _stop(reading, cue.end)), term, subjects)
    return Decided(
        _described(reading, name, what, subject, term),
        subject,
        _category(name, term, subject),
        _why(reading, span),
        span,
        cue.id,
        term,
    )


def _stop(reading: Reading, start: int) -> int:
    hit = _END.search(reading.folded, start)
    return hit.start() if hit else len(reading.folded)


def _subject(reading: Reading, span: Span, term: Term | None, subjects: Mapping[str, Any]) -> str:
    text = reading.folded[span[0] : span[1]]
    if hit := _FOR.search(text if text.startswith(" ") else f" {text}"):
        rest = (text if text.startswith(" ") else f" {text}")[hit.end() :].strip(" .")
        if rest and not _EMPTY.match(rest):
            return _called(rest, subjects)
    return str(subjects.get(term.slot, "")) if term else ""


def _called(words: str, subjects: Mapping[str, Any]) -> str:
    """A subject by its usual name, whatever it is called: "фронтенда", "the front end" and "frontend" are one."""
    for key, name in subjects.items():
        if key.startswith("~") and re.search(rf"(?:^|\s){key[1:]}", words):
            return str(name)
    return " ".join(words.split()[:4])


def _described(reading: Reading, name: str, what: str, subject: str, term: Term | None) -> str:
    if name in ("decided", "approach"):
        what = re.sub(r"^go with ", "use ", what)
        return what[:1].upper() + what[1:]
    data = reading.data("memory")
    if name == "better" and subject:
        return str(data.get("use_for", "Use {what} for {subject}")).format(what=what, subject=subject)
    return str(data.get("use", "Use {what}")).format(what=what)


def _category(name: str, term: Term | None, subject: str) -> str:
    if name == "approach":
        return "approach"
    if term is not None:
        return "architecture" if term.slot in ARCHITECTURE else "tooling"
    return "architecture" if subject in ("frontend", "backend", "database", "storage", "api", "hosting") else "other"


def _why(reading: Reading, span: Span) -> str:
    start, end = next(((a, b) for a, b in reading.find(sentences) if a <= span[0] < b), span)
    for cue in reading.all("because"):
        if start <= cue.start < end:
            place = next(iter(cue.groups.values()))
            return reading.text[place[0] : end].strip(" .!")
    return ""


def _supposed(reading: Reading, place: Span) -> bool:
    start, end = next(((a, b) for a, b in reading.find(sentences) if a <= place[0] < b), place)
    return any(start <= cue.start < place[0] for cue in reading.all("supposes") if cue.start < end)
