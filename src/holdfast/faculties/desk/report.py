"""The final report: each claim rests on one sentence of the technician, in words that a warranty desk accepts.

Without a model the report is put together from claims (`claims`); with one, the facts are locked and what it writes is
checked (`replies.py`). A repair is claimed only where it was done. Edits that the technician wants afterwards remove or
reword claims (`commands.py` reads them); what was removed stays in the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from holdfast.events import Cleared, Event, MessageSaid, ReplyFlagged
from holdfast.faculties.desk.answering import works
from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.evidence import Fact
from holdfast.faculties.desk.library import Said, Step, lemmas
from holdfast.faculties.desk.signals import bare, parts, parts_within, whole_name
from holdfast.faculties.desk.wording import capital
from holdfast.faculty import Draft, Faculty, Section
from holdfast.reading.reader import Reader, Reading, Span, overlap
from holdfast.reading.standing import clause_end
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

PARTS, ACTION, COMPLAINT = "parts", "action", "complaint"
"""The claims that whole sections of a report are, where the technician words them."""
HEADERS = ("complaint", "procedure", "condition", "action", "labor", "parts")
EDITS = 10
TRANSLATION = "--- TRANSLATION ---"
_GOES_ON = re.compile(r"\w|[.,]\d")
_MARKS = re.compile(r"\s+")


class ReportProduced(Event, frozen=True):
    did = "reported"
    told = "desk.reported"


class ReportEdited(Event, frozen=True):
    did = "superseded"
    told = "desk.report"

    words: str


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an edit does to claims: without an `old` they are taken out, or, with a `new`, put in these words."""

    claims: tuple[str, ...]
    old: str = ""
    new: str = ""


class ClaimsChanged(Event, frozen=True):
    did = "superseded"

    change: Change

    def tell(self) -> Telling:
        on = ", ".join(self.change.claims)
        if not self.change.new:
            return said("desk.line_out", on=on)
        return said("desk.line", on=on, old=self.change.old or said("desk.the_line"), new=self.change.new)


class PortalWanted(Event, frozen=True):
    """One statement is wanted in place of the report with headers."""

    wanted: bool = True


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    produced: int = 0
    last: bool = False
    """Whether the newest reply is a report."""
    portal: bool = False
    edits: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()


class ReportFaculty(Faculty):
    name = "report"
    words = ("holdfast.faculties.desk/replies", "holdfast.faculties.desk/edits")
    slice = Report
    events = (MessageSaid, ReportProduced, ReportEdited, ClaimsChanged, PortalWanted, Cleared)

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def say(self, draft: Draft) -> Iterator[Event]:
        flagged = any(isinstance(event, ReplyFlagged) for event in draft.events)
        diagnosis = draft.state.diagnosis
        talks = diagnosis.action == "acknowledge_and_continue" or diagnosis.is_doubt_asked(draft.reading.text)
        if draft.state.topics.mode == "final_report" and not flagged and not talks:
            yield ReportProduced(because=draft.cause("report.produced"))

    def fold(self, slice: Report, event: Event, moment: Moment) -> Report:
        change = msgspec.structs.replace
        match event:
            case MessageSaid():
                return change(slice, last=False) if slice.last else slice
            case ReportProduced():
                return change(slice, produced=slice.produced + 1, last=True)
            case ReportEdited(words=words):
                return change(slice, edits=(*slice.edits, words)[-EDITS:])
            case ClaimsChanged(change=wanted):
                return change(slice, changes=(*slice.changes, wanted)[-EDITS:])
            case PortalWanted(wanted=portal):
                return change(slice, portal=portal)
            case Cleared(what="everything"):
                return Report()
        return slice

    def sections(self, draft: Draft) -> Iterable[Section]:
        if draft.state.topics.mode != "final_report":
            return []
        text = fact_lock(draft.state)
        hours = draft.state.labor.hours
        if hours is not None:
            text += f"\nTotal labor: {hours:g} hr"
        if draft.state.report.edits:
            text += "\nEdits that the technician wants: " + " / ".join(draft.state.report.edits)
        return [Section("fact_lock", text, keep=90)]


# --- what a report may say ---


def reported(state: State) -> list[Fact]:
    """The technician's facts that a report may use, in the words that the technician wants."""
    facts = [fact for fact in state.evidence.live() if fact.source == "technician"]
    worded = [(fact, _worded(fact.id, fact.value, state)) for fact in facts]
    return [
        fact if words == fact.value else msgspec.structs.replace(fact, value=words) for fact, words in worded if words
    ]


def _worded(claim: str, words: str, state: State) -> str:
    """The words of a claim after the edits of the technician; nothing when it was taken out."""
    for change in state.report.changes:
        if claim not in change.claims:
            continue
        at = place_in(words, change.old) if change.old else -1
        words = words[:at] + change.new + words[at + len(change.old) :] if at >= 0 else change.new
    return words


def place_in(words: str, old: str) -> int:
    """Where some words stand as whole words: a 12 is not in 12.4."""
    text, wanted = fold(words), fold(old)
    at = text.find(wanted)
    while at >= 0:
        before, after = text[:at][-1:], text[at + len(wanted) :]
        if not before.isalnum() and before not in (".", ",") and not _GOES_ON.match(after):
            return at
        at = text.find(wanted, at + 1)
    return -1


def fact_lock(state: State) -> str:
    """The facts that a report may use, and the rule that there are no others."""
    facts = reported(state)
    lines = ["FACT LOCK: use only these facts, do NOT add any; write 'not verified' for the rest."]
    if not facts:
        lines.append("No specific facts extracted")
    lines += [f"- [{fact.category}] {fact.value}" for fact in facts]
    return "\n".join(lines)


class Claim(NamedTuple):
    """One line of a report: the step or fact that it rests on, its label, and the technician's words."""

    id: str
    label: Said | None
    words: str


def claims(state: State, desk: Desk) -> list[Claim]:
    """Every line that a report can hold, in its order; edits look for theirs here."""
    found = [claim for claim in checks(state, desk) if claim.words]
    steps = {fact.id: desk.library.step(fact.step) for fact in reported(state)}
    return found + [Claim(f.id, step.part if (step := steps[f.id]) else None, f.value) for f in reported(state)]


def _withdrawn(state: State) -> set[str | None]:
    """The steps whose findings were all taken back."""
    held = {fact.step for fact in state.evidence.live()}
    return {fact.step for fact in state.evidence.facts if fact.superseded_by == "correction"} - held


def checks(state: State, desk: Desk) -> Iterator[Claim]:
    """The answered steps, each with the words that answered it. Words that plainly speak of another step of the
    procedure stand under that one, and the step that was asked is not verified."""
    withdrawn = _withdrawn(state)
    for id, closing in state.procedure.closed.items():
        step = desk.library.step(id)
        if step is None:
            continue
        if closing.how != "answered" or id in withdrawn:
            yield Claim(id, step.part, "")
            continue
        words, spoken = _worded(id, closing.value, state), desk.library.step(closing.about)
        if words or spoken is not None:
            yield Claim(id, (spoken or step).part, words)


# --- a report without a model ---


def compose(state: State, desk: Desk, reader: Reader) -> str:
    """English first, then, in another case language, the same in that language."""
    paper = Paper(state, desk, reader, "en")
    if state.report.portal:
        parts = [paper.complaint(), *paper.condition()]
        return " ".join(part.rstrip(".") + "." for part in parts if part)
    if not wants_translation(state):
        return paper.body()
    return f"{paper.body()}\n\n{TRANSLATION}\n{paper._replace(language=state.conversation.language).body()}"


def wants_translation(state: State) -> bool:
    return state.conversation.language in ("ru", "es")


class Paper(NamedTuple):
    """A report in one language, put together from the claims of a case."""

    state: State
    desk: Desk
    reader: Reader
    language: str

    def body(self) -> str:
        none = self.text("not_verified")
        return "\n\n".join(f"{self.text('header_' + one)}:\n{self.section(one) or none}" for one in HEADERS)

    def section(self, name: str) -> str:
        """What stands in a section: what the technician wants there, else what the case tells."""
        if (told := self.told(name)) is None:
            return self.told_by_case(name)
        later = map(self.quoted, self.placed(name))
        worded = neutral(told.new, self.desk, self.reader)
        worded = worded if name == PARTS else capital(worded)
        return "\n".join([worded or (self.text("no_parts") if name == PARTS else ""), *later]).strip()

    def told_by_case(self, name: str) -> str:
        match name:
            case "procedure":
                return "\n".join(self.checks())
            case "condition":
                return "\n".join(self.condition())
            case "action":
                return self.action()
            case "labor":
                return self.labor()
            case "parts":
                return ", ".join(self.parts())
        return self.complaint()

    def text(self, key: str, **fields: str) -> str:
        return self.desk.texts.get(self.language, f"report.{key}", **fields)

    def told(self, section: str) -> Change | None:
        """What the technician wants to stand in a section."""
        return next((one for one in reversed(self.state.report.changes) if section in one.claims), None)

    def complaint(self) -> str:
        said = _worded("complaint", self.state.procedure.complaint, self.state)
        facts = reported(self.state)
        early = [fact for fact in facts if fact.step is None] or facts
        symptoms = [fact.value for fact in early if fact.category == "symptom"] + [fact.value for fact in early]
        words = said or next(iter(symptoms), "")
        return "\n".join(map(self.quoted, [words, *self.placed(COMPLAINT)])) if words else ""

    def placed(self, section: str) -> list[str]:
        """What the technician wanted to be added to a section."""
        return [fact.value for fact in reported(self.state) if fact.section == section]

    def checks(self) -> Iterator[str]:
        for claim in checks(self.state, self.desk):
            closing, step = self.state.procedure.closed[claim.id], self.desk.library.step(claim.id)
            if claim.words and claim.label is not None:
                yield f"{capital(claim.label.in_(self.language))}: {self.quoted(claim.words)}"
            if step is not None and (not claim.words or claim.label is not step.part):
                how = closing.how if closing.how != "answered" else "unable"
                if how != "unable" or not self.is_told_of(step):
                    yield self.text(how, part=step.part.in_(self.language))
        yield from self.others()

    def is_told_of(self, step: Step) -> bool:
        """Whether something was found at the part of a step, though its question was not answered."""
        own = {part.id for part in self.reader.read(step.part.en).find(parts)}
        return bool(own) and any(own <= set(fact.parts) for fact in reported(self.state))

    def others(self) -> Iterator[str]:
        """What was found beside the steps, each under the part that it speaks of."""
        told = [claim.words for claim in checks(self.state, self.desk)]
        told += [self.state.procedure.complaint, self.complaint(), self.action()]
        known = " / ".join(map(_squeezed, told))
        for fact in filter(_is_found, reported(self.state)):
            if self.is_complaint(fact) or _squeezed(fact.value) in known:
                continue
            label = self.label(fact)
            if label or fact.added or fact.type != "observation":
                yield f"{capital(label)}: {self.quoted(fact.value)}" if label else self.quoted(fact.value)

    def label(self, fact: Fact) -> str:
        """The part that a fact speaks of."""
        step = self.desk.library.step(fact.step)
        named = [part.name(self.language) for part in self.desk.library.parts if part.id in fact.parts[:1]]
        return step.part.in_(self.language) if step is not None else next(iter(named), "")

    def condition(self) -> list[str]:
        """What was found out of order, repaired and restored, in the technician's words; not the complaint again."""
        action = self.told(ACTION)
        facts = [one for one in reported(self.state) if action is None or one.value != action.new]
        lines = [self.line(fact) for fact in filter(self.is_condition, facts)]
        if not lines and self.state.diagnosis.isolation_complete:
            lines = [self.quoted(fact.value) for fact in facts[-1:]]
        return [*lines, self.text("restored")] if self.state.diagnosis.terminal == "terminal" else lines

    def is_complaint(self, fact: Fact) -> bool:
        """Whether a fact is the complaint and no more."""
        said, whole = _squeezed(fact.value), f"{self.complaint()} {self.state.procedure.complaint}"
        complained = _squeezed(self.state.procedure.complaint)
        return said in _squeezed(whole) or (bool(complained) and complained in said and fact.category != "repair")

    def is_condition(self, fact: Fact) -> bool:
        if fact.section or (fact.step is None and self.is_complaint(fact)):
            return fact.section == "condition"
        return _tells(fact, self.desk.library.step(fact.step), self.reader)

    def line(self, fact: Fact) -> str:
        """A fact in the technician's words, with the part it is about where they are few."""
        step, words = self.desk.library.step(fact.step), self.quoted(fact.value)
        short = step is not None and len(fact.value.split()) <= MAX_BARE_FINDING_WORDS
        return f"{capital(step.part.in_(self.language))}: {words}" if step is not None and short else words

    def action(self) -> str:
        facts = [fact for fact in reported(self.state) if fact.section in ("", ACTION)]
        done = [fact.value for fact in facts if fact.category == "repair" or fact.section]
        needed = [fact.value for fact in facts if _is_needed(fact, self.state, self.reader)]
        for key, lines in (("repaired", done or _seen(self.state, facts)), ("recommended", needed)):
            if lines:
                return self.text(key, words="; ".join(self.quoted(words) for words in lines))
        return ""

    def labor(self) -> str:
        hours = self.state.labor.hours
        return self.text("no_labor") if hours is None else self.text("total", hours=f"{hours:g}")

    def parts(self) -> list[str]:
        """The part that was named as faulty, and those that were replaced or need to be."""
        named = [self.state.diagnosis.candidate or self.state.diagnosis.resumed]
        named += [name for fact in reported(self.state) for name in _fitted(fact, self.state, self.reader)]
        found: dict[frozenset[str], str] = {}
        for text in (_bare_name(part, self.desk, self.reader) for part in named):
            key = lemmas(text)
            if self.reader.read(text).find(parts) and not any(key <= known or known <= key for known in found):
                found[key] = text
        return [*found.values(), *self.placed(PARTS)]

    def quoted(self, words: str) -> str:
        """The technician's words; in the text of another language they are marked as what was said."""
        quote = f'"{_MARKS.sub(" ", neutral(words, self.desk, self.reader)).strip()}"'
        spoken = self.reader.read(words).language
        if spoken not in (None, self.language) and spoken in self.desk.texts.languages:
            return f"{quote} ({self.text(f'said_{spoken}')})"
        return quote


def _seen(state: State, facts: list[Fact]) -> list[str]:
    """The repair that was heard at its step, as long as what it was told in stands."""
    words = state.diagnosis.repaired
    return [words] if words and any(words in fact.value for fact in facts) else []


def _is_found(fact: Fact) -> bool:
    """Whether a fact stands among what was found: no repair, and in no other section."""
    return fact.category != "repair" and fact.section in ("", "procedure")


def _squeezed(words: str) -> str:
    return " ".join(words.split()).strip(" .,;!").casefold()


MAX_BARE_FINDING_WORDS = 4
"""Words of a finding that is not understood without the part it is about."""


def _tells(fact: Fact, step: Step | None, reader: Reader) -> bool:
    """Whether a fact belongs in the verified condition: a finding, a repair, a reading that is off, an answer that is
    not the good one, a test on direct power, or what was added to the report."""
    if fact.type == "finding" or fact.category == "repair" or fact.out_of_range or fact.state == "not ok":
        return True
    said = reader.read(fact.value)
    if fact.added or said.has("direct_power") or said.find(works) is not None:
        return True
    return step is not None and step.good is not None and _polarity(said) not in (None, step.good)


def _polarity(said: Reading) -> str | None:
    """Whether an answer is plainly a yes or a no."""
    if bare(said, "no") or said.has("no_reading") or (said.has("negation") and not said.has("yes", "in_order")):
        return "no"
    return "yes" if said.has("yes") and not said.has("no", "negation", "in_order") else None


def _is_needed(fact: Fact, state: State, reader: Reader) -> bool:
    """Whether a fact says what is to be done, and not to a part that was shown to work since."""
    told = reader.read(fact.value)
    return told.has("repair_needed") and proven_good(told, (0, len(told.text)), state) is None


def proven_good(reading: Reading, span: Span, state: State) -> str | None:
    """The part that a text speaks of, by whatever name, and that ran on direct power."""
    named = {part.id for part in parts_within(reading, span)}
    for good in state.diagnosis.proven_good:
        ids = {part.id for part in reading.reader.read(good).find(parts)}
        noun = re.escape(good.casefold().split()[-1])
        if named & ids or re.search(rf"\b{noun}", reading.folded[slice(*span)]):
            return str(good)
    return None


def _fitted(fact: Fact, state: State, reader: Reader) -> list[str]:
    """The parts that a fact says were fitted anew, or are to be."""
    told = reader.read(fact.value)
    if fact.category != "repair" and not _is_needed(fact, state, reader):
        return []
    clauses = [(cue.start, clause_end(told, cue.end)) for cue in told.all("fits_new")]
    fitted = [part.span for part in told.find(parts) if any(overlap(part.span, clause) for clause in clauses)]
    return [told.words(whole_name(told, span)) for span in fitted]


def _bare_name(part: str, desk: Desk, reader: Reader) -> str:
    """The name of a part without an article or a unit before it."""
    small = reader.phrases("articles", "words") | reader.phrases("stop", "words") | frozenset(reader.data("units"))
    words = neutral(part, desk, reader).split()
    return " ".join(words[1:] if words and fold(words[0]) in small else words)


def neutral(words: str, desk: Desk, reader: Reader) -> str:
    """The words without those that a warranty desk does not accept."""
    reading = reader.read(words)
    text = reading.text
    for cue in reversed(reading.all("prohibited")):
        text = text[: cue.start] + desk.texts.get(cue.language, "report.neutral") + text[cue.end :]
    return text
