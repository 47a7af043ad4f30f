"""Edits of a report in the technician's words: take a line out, put it in other words, add one.

An edit names the lines it is about by their words; where none fits, one question is asked and the report stays as it
is. What is taken out of the report stays in the case, and what is added becomes a fact, so that every claim still rests
on something that was said.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from holdfast.events import DoubtRaised, Event
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import FactLearned
from holdfast.faculties.desk.learning import facts_in
from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.report import Change, Claim, ClaimsChanged, ReportEdited, claims, place_in
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.text import fold

MIN_SHARE_NAMED = 0.5
"""Share of the words of an edit that a line must hold to be the one that is meant."""
STEM_LETTERS = 4
"""Letters by which a word of an edit is known in a line: endings change ("масса", "про массу")."""
MIN_STEM_LETTERS = 3
NOTE = 10
"""Words of a remark after a report ("it was the left one") that sets a line right."""
_EDGES = " \t\n.,;:!?\"'«»“”()"


def wanted(reading: Reading) -> bool:
    """Whether a message after a report wants it changed."""
    if reading.has("report_edit", "report_add", "report_remove", "report_reword"):
        return True
    return reading.has("report_note") and len(reading.tokens) <= NOTE and "?" not in reading.text


def edit(case: Case) -> Iterator[Event]:
    """What the message does to the report."""
    reading = case.reading
    yield ReportEdited(words=reading.text[:300], because=case.cause("report.edit"))
    add, remove, reword = (reading.first(f) for f in ("report_add", "report_remove", "report_reword"))
    if remove is not None and add is not None and remove.start < add.start:
        add = None  # "don't mention the filters"
    if add is not None and "text" in add.groups:
        yield from _add(case, reading.words(add.groups["text"]).strip(_EDGES), add)
    elif reword is not None:
        yield from _reword(case, reword)
    elif remove is not None:
        yield from _remove(case, remove)
    elif (note := reading.first("report_note")) is not None:
        yield from _note(case, note)


def _add(case: Case, words: str, cue: Cue) -> Iterator[Event]:
    said = case.reading.reader.read(words)
    for fact, _, _ in facts_in(case, said, None):
        yield FactLearned(fact=msgspec.structs.replace(fact, added=True), because=case.cause(cue.id, cue.span))


def _remove(case: Case, cue: Cue) -> Iterator[Event]:
    what = case.reading.words(cue.groups["what"])
    found = _meant(case, what) or [claim for part in _parts(case, what) for claim in _meant(case, part)]
    if found:
        change = Change(tuple(claim.id for claim in found))
        yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
    else:
        yield from _which(case, what)


def _parts(case: Case, words: str) -> list[str]:
    """The things that some words name, one by one: "the capacitor and the filters"."""
    joins = case.reading.reader.phrases("edit_words", "joins")
    parts: list[list[str]] = [[]]
    for word in words.replace(",", " , ").split():
        if fold(word) in joins or word == ",":
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(part) for part in parts if part] if len(parts) > 1 else []


def _reword(case: Case, cue: Cue) -> Iterator[Event]:
    """The old words give way to the new ones; words that name a line, and are not in it, stand for the whole line."""
    old, new = (case.reading.words(cue.groups[name]).strip(_EDGES) for name in ("old", "new"))
    first, _, rest = old.partition(" ")
    old = rest if fold(first) in case.reading.reader.phrases("articles", "words") else old
    known = claims(case.state, case.desk) if old else []
    held = [claim for claim in known if place_in(claim.words, old) >= 0]
    if found := held or _meant(case, old):
        change = Change(tuple(claim.id for claim in found), old if held else "", new)
        yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
    else:
        yield from _which(case, old)


def _note(case: Case, cue: Cue) -> Iterator[Event]:
    """ "It was the left one": the line that says right says left now; where none does, the remark is added."""
    known = claims(case.state, case.desk)
    opposite = case.reading.reader.data("opposites")
    for word in case.reading.tokens:
        others = [str(other) for stem, other in opposite.items() if case.reading.folded[slice(*word)].startswith(stem)]
        old = _last_word(case, known, others[0]) if others else ""
        if old:
            change = Change(
                tuple(claim.id for claim in known if old in claim.words), old, case.reading.text[slice(*word)]
            )
            yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
            return
    yield from _add(case, case.reading.text.strip(), cue)


def _last_word(case: Case, known: list[Claim], stem: str) -> str:
    """The word that begins with a stem, in the last line that has one."""
    lines = [case.reading.reader.read(claim.words) for claim in reversed(known)]
    found = [line.text[s:e] for line in lines for s, e in line.tokens if line.folded[s:e].startswith(stem)]
    return found[0] if found else ""


def _meant(case: Case, words: str) -> list[Claim]:
    """The lines that some words name, by what they say or by the part that they are about."""
    known = claims(case.state, case.desk)
    reader = case.reading.reader
    small = (
        reader.phrases("stop", "words") | reader.phrases("articles", "words") | reader.phrases("edit_words", "words")
    )
    asked = lemmas(words, small)
    if not asked:
        return _pointed(case, words, known)

    def share(text: str) -> float:
        held = lemmas(text, small)
        return sum(any(_alike(stem, other) for other in held) for stem in asked) / len(asked)

    for shares in (
        [share(claim.words) for claim in known],
        [share(claim.label.every if claim.label else "") for claim in known],
    ):
        best = max(shares, default=0.0)
        if best >= MIN_SHARE_NAMED:
            return [claim for claim, found in zip(known, shares, strict=True) if found == best]
    return []


def _alike(one: str, other: str) -> bool:
    """Whether two words begin alike: "ice" is in "iced over", and "коды" in "кодов нет"."""
    short, long = sorted((one, other), key=len)
    size = min(STEM_LETTERS, max(MIN_STEM_LETTERS, len(short) - 1))
    return long.startswith(short[:size])


def _pointed(case: Case, words: str, known: list[Claim]) -> list[Claim]:
    """ "The last line" is the last one; a bare "that" is what was added last."""
    last = {fold(word) for word in words.split()} & case.reading.reader.phrases("edit_words", "last")
    added = [fact.id for fact in case.evidence.live() if fact.added]
    wanted = known[-1].words if last and known else None
    return [claim for claim in known if claim.words == wanted or (not last and claim.id in added[-1:])]


def _which(case: Case, words: str) -> Iterator[Event]:
    small = case.reading.reader.phrases("edit_words", "words")
    named = words.strip(_EDGES).split()
    while len(named) > 1 and fold(named[0]) in small:
        named = named[1:]
    question = case.text("ask.which_line", words=" ".join(named)[:80])
    yield DoubtRaised(about="report", question=question, because=case.cause("report.unknown_line"))
