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

ENOUGH = 0.5
"""Share of the words of an edit that a line must hold to be the one that is meant."""
NEAR = 4
"""Letters by which a word of an edit is known in a line: endings change ("масса", "про массу")."""
SHORTEST = 3
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
    for article in sorted(case.reading.reader.phrases("articles", "words"), key=len, reverse=True):
        old = old[len(article) + 1 :] if fold(old).startswith(f"{article} ") else old
    held = [claim for claim in claims(case.state, case.desk) if old and place_in(claim.words, old) >= 0]
    if held:
        change = Change(tuple(claim.id for claim in held), old, new)
    elif found := _meant(case, old):
        change = Change(tuple(claim.id for claim in found), "", new)
    else:
        yield from _which(case, old)
        return
    yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))


def _note(case: Case, cue: Cue) -> Iterator[Event]:
    """ "It was the left one": the line that says right says left now; where none does, the remark is added."""
    opposite = case.reading.reader.data("opposites")
    for start, end in case.reading.tokens:
        word = case.reading.folded[start:end]
        other = next((str(o) for stem, o in opposite.items() if word.startswith(stem)), None)
        for claim in reversed(claims(case.state, case.desk)) if other else ():
            said = case.reading.reader.read(claim.words)
            for s, e in said.tokens:
                if said.folded[s:e].startswith(other or ""):
                    held = [c.id for c in claims(case.state, case.desk) if said.text[s:e] in c.words]
                    change = Change(tuple(held), said.text[s:e], case.reading.text[start:end])
                    yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
                    return
    yield from _add(case, case.reading.text.strip(), cue)


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

    for shares in ([share(claim.words) for claim in known], [share(_label(claim)) for claim in known]):
        best = max(shares, default=0.0)
        if best >= ENOUGH:
            return [claim for claim, found in zip(known, shares, strict=True) if found == best]
    return []


def _alike(one: str, other: str) -> bool:
    """Whether two words begin alike: "ice" is in "iced over", and "коды" in "кодов нет"."""
    short, long = sorted((one, other), key=len)
    size = min(NEAR, max(SHORTEST, len(short) - 1))
    return long.startswith(short[:size])


def _label(claim: Claim) -> str:
    return claim.label.every if claim.label is not None else ""


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
