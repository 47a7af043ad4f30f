"""The final report: each claim rests on one sentence of the technician, in words that a warranty desk accepts.

Without a model the report is put together from the facts; with one, the facts are locked and what it writes is checked
(`replies.py`). A repair is claimed only where it was done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Cleared, Event, MessageSaid, ReplyFlagged
from holdfast.faculties.case import Desk
from holdfast.faculties.evidence import Fact
from holdfast.faculty import Draft, Faculty, Section
from holdfast.reading.reader import Reader
from holdfast.reading.tables import Table, shipped
from holdfast.state import Moment, State

HEADERS = ("complaint", "procedure", "condition", "action", "labor", "parts")
EDITS = 10
TRANSLATION = "--- TRANSLATION ---"
_MARKS = re.compile(r"\s+")


class ReportProduced(Event, frozen=True):
    did = "reported"

    def tell(self) -> str:
        return "a report was produced"


class ReportEdited(Event, frozen=True):
    did = "superseded"

    words: str

    def tell(self) -> str:
        return f"the report: {self.words}"


class PortalWanted(Event, frozen=True):
    """One statement is wanted in place of the report with headers."""

    wanted: bool = True


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    produced: int = 0
    last: bool = False
    """Whether the newest reply is a report."""
    portal: bool = False
    edits: tuple[str, ...] = ()


class ReportFaculty(Faculty):
    name = "report"
    slice = Report
    events = (MessageSaid, ReportProduced, ReportEdited, PortalWanted, Cleared)

    def __init__(self, desk: Desk, languages: tuple[str, ...] = ("en", "ru", "es")) -> None:
        self.desk = desk
        self._tables = shipped("holdfast.faculties", "replies", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    def say(self, draft: Draft) -> Iterator[Event]:
        flagged = any(isinstance(event, ReplyFlagged) for event in draft.events)
        plan = draft.state.diagnosis.plan
        talks = plan is not None and plan.action == "acknowledge_and_continue"
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
            case PortalWanted(wanted=wanted):
                return change(slice, portal=wanted)
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


def reported(state: State) -> list[Fact]:
    """The technician's facts that a report may use."""
    return [fact for fact in state.evidence.live() if fact.source == "technician"]


def fact_lock(state: State) -> str:
    """The facts that a report may use, and the rule that there are no others."""
    facts = reported(state)
    lines = ["FACT LOCK: use only these facts, do NOT add any; write 'not verified' for the rest."]
    if not facts:
        lines.append("No specific facts extracted")
    lines += [f"- [{fact.category}] {fact.value}" for fact in facts]
    return "\n".join(lines)


def compose(state: State, desk: Desk, reader: Reader) -> str:
    """A report without a model: English first, then, in another case language, the same in that language."""
    if state.report.portal:
        return _statement(state, desk, reader, "en")
    text = _body(state, desk, reader, "en")
    language = state.conversation.language
    if language in ("ru", "es"):
        text += f"\n\n{TRANSLATION}\n" + _body(state, desk, reader, language)
    return text


def wants_translation(state: State) -> bool:
    return state.conversation.language in ("ru", "es")


def _statement(state: State, desk: Desk, reader: Reader, language: str) -> str:
    parts = [_complaint(state, desk, reader, language), *_condition(state, desk, reader, language)]
    return " ".join(part.rstrip(".") + "." for part in parts if part)


def _body(state: State, desk: Desk, reader: Reader, language: str) -> str:
    def text(key: str) -> str:
        return desk.texts.get(language, f"report.{key}")

    none = text("not_verified")
    hours = state.labor.hours
    bodies = {
        "complaint": _complaint(state, desk, reader, language) or none,
        "procedure": "\n".join(_checks(state, desk, reader, language)) or none,
        "condition": "\n".join(_condition(state, desk, reader, language)) or none,
        "action": _action(state, desk, reader, language),
        "labor": text("total").format(hours=f"{hours:g}") if hours is not None else text("no_labor"),
        "parts": neutral(state.diagnosis.candidate or state.diagnosis.resumed, desk, reader) or none,
    }
    return "\n\n".join(f"{text('header_' + header)}:\n{bodies[header]}" for header in HEADERS)


def _complaint(state: State, desk: Desk, reader: Reader, language: str) -> str:
    facts = reported(state)
    early = [fact for fact in facts if fact.step is None] or facts
    first = next((fact for fact in early if fact.category == "symptom"), early[0] if early else None)
    return _quoted(first.value, desk, reader) if first else ""


def _checks(state: State, desk: Desk, reader: Reader, language: str) -> Iterator[str]:
    for id, closing in state.procedure.closed.items():
        step = desk.library.step(id)
        if step is None:
            continue
        part = step.part.in_(language)
        if closing.how != "answered":
            yield desk.texts.get(language, f"report.{closing.how}", part=part)
        else:
            yield f"{part[:1].upper()}{part[1:]}: {_quoted(closing.value, desk, reader)}"


def _condition(state: State, desk: Desk, reader: Reader, language: str) -> list[str]:
    """Findings, repair and restoration, in the technician's words."""
    facts = reported(state)
    shown = [fact for fact in facts if fact.type == "finding" or fact.category == "repair" or fact.out_of_range]
    if not shown and state.diagnosis.isolation_complete:
        shown = facts[-1:]
    powered = [fact for fact in facts if fact not in shown and reader.read(fact.value).has("direct_power")]
    lines = [_quoted(fact.value, desk, reader) for fact in (*shown, *powered)]
    lines += [_quoted(added, desk, reader) for added in _added(state, reader)]
    if state.diagnosis.terminal == "terminal":
        lines.append(desk.texts.get(language, "report.restored"))
    return lines


def _added(state: State, reader: Reader) -> Iterator[str]:
    """What the technician wanted added after the report."""
    for words in state.report.edits:
        reading = reader.read(words)
        cue = reading.first("report_add")
        if cue is not None and "text" in cue.groups:
            yield reading.words(cue.groups["text"]).strip(" .")


def _action(state: State, desk: Desk, reader: Reader, language: str) -> str:
    repairs = [fact for fact in reported(state) if fact.category == "repair"]
    if repairs:
        words = "; ".join(_quoted(fact.value, desk, reader) for fact in repairs)
        return desk.texts.get(language, "report.repaired", words=words)
    needed = [fact for fact in reported(state) if reader.read(fact.value).has("repair_needed")]
    if needed:
        words = "; ".join(_quoted(fact.value, desk, reader) for fact in needed)
        return desk.texts.get(language, "report.recommended", words=words)
    return desk.texts.get(language, "report.not_verified")


def _quoted(words: str, desk: Desk, reader: Reader) -> str:
    return f'"{_MARKS.sub(" ", neutral(words, desk, reader)).strip()}"'


def neutral(words: str, desk: Desk, reader: Reader) -> str:
    """The words without those that a warranty desk does not accept."""
    reading = reader.read(words)
    text = reading.text
    for cue in reversed(reading.all("prohibited")):
        text = text[: cue.start] + desk.texts.get(cue.language, "report.neutral") + text[cue.end :]
    return text
