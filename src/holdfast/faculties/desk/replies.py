"""What a reply may not do: drift into a report, use words that a warranty desk refuses, leave the step, declare what
only the engine decides, speak another language, claim to see a photo that is not there.

An invalid reply comes with what to say instead; one retry is told which rules it broke.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdfast.events import Violation
from holdfast.faculties.desk import wording
from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.estimates import estimate
from holdfast.faculties.desk.library import Step, lemma, lemmas
from holdfast.faculties.desk.procedure import Closed
from holdfast.faculties.desk.report import (
    HEADERS,
    TRANSLATION,
    compose,
    neutral,
    proven_good,
    reported,
    wants_translation,
)
from holdfast.faculties.desk.steps import next_step, open_steps
from holdfast.faculty import Action, Faculty
from holdfast.reading.reader import Cue, Reading, Span, overlap, within
from holdfast.reading.standing import sentence_of, standing
from holdfast.reading.text import fold
from holdfast.state import State
from holdfast.telling import Said, said

COVERED = 0.4
"""Share of a question's key words that a reply must hold to be that question."""
SURE = 0.7
"""The same, for a step that cannot be asked now."""
AHEAD = 0.2
"""How much less of its question is enough for the open step than for another."""
OFFER = "start final report"
_QUOTED = re.compile(r'"[^"\n]{1,300}"|«[^»\n]{1,300}»')
_NUMBERED = re.compile(r"(?m)^\s*\d{1,2}[.)]\s+\S")


def covered(step: Step, reading: Reading) -> float:
    """How much of a step's question a text holds, in the language in which it holds most."""
    stop = reading.reader.phrases("stop", "words")
    said = lemmas(reading.text, stop)
    asked = [lemmas(text, stop) for text in step.texts.values()]
    return max((len(keys & said) / len(keys) for keys in asked if keys), default=0.0)


def step_of(reading: Reading, state: State, desk: Desk) -> str | None:
    """Which step a reply asks: the one of whose question it has most, the open one rather than another. One that cannot
    be asked now must plainly be it."""
    procedure, progress = desk.library.procedure(state.procedure.system), state.procedure
    if procedure is None or "?" not in reading.text or state.diagnosis.is_doubt_asked(reading.text):
        return None
    active = procedure.steps.get(progress.active or "")
    if active is not None and covered(active, reading) + AHEAD >= 1:  # no other step can have more
        return active.id
    shares = {step.id: covered(step, reading) + AHEAD * (step.id == progress.active) for step in procedure.step}
    best = max(shares, key=shares.__getitem__)
    due = best in open_steps(procedure, progress)
    return best if shares[best] >= (COVERED + AHEAD * (best == progress.active) if due else SURE) else None


def stand_in(state: State, reading: Reading | None, desk: Desk) -> str:
    """What to say in place of a reply that may not go out."""
    text = wording.stand_in(_moved(state, desk), desk)
    return neutral(text, desk, reading.reader) if reading is not None else text


def _moved(state: State, desk: Desk) -> State:
    """Where the open step was asked twice already, the next one stands in for it."""
    active, procedure = state.procedure.active, desk.library.procedure(state.procedure.system)
    if procedure is None or active is None or state.guard.asked.get(active, 0) < 2 or state.topics.stack:
        return state
    closed = {**state.procedure.closed, active: Closed("unable")}
    progress = msgspec.structs.replace(state.procedure, closed=closed, active=None)
    step = next_step(procedure, progress, progress.branch) or next_step(procedure, progress, None)
    progress = msgspec.structs.replace(progress, active=step.id if step else None)
    slices = {**state.session.slices, "procedure": progress}
    return State(msgspec.structs.replace(state.session, slices=slices), state.project, state.user, state.views)


def headers(reading: Reading) -> list[Cue]:
    """Report headers: they stand at the beginning of a line."""
    return [cue for cue in reading.all("header") if not reading.text[: cue.start].rpartition("\n")[2].strip(" *#")]


class RepliesFaculty(Faculty):
    name = "replies"
    words = ("holdfast.faculties.desk/replies",)

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        if action.type != "reply":
            return
        instead = None
        for rule, reason in self._wrong(reading, state):
            instead = instead or stand_in(state, reading, self.desk)
            yield Violation(rule, instead=instead, said=reason)

    def _wrong(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        if not reading.tokens:
            yield "EMPTY_OUTPUT", said("guard.empty")
            return
        for cue in reading.all("prohibited"):
            yield "PROHIBITED_WORDS", said("guard.word", words=reading.words(cue.span))
        if reading.has("claims_image") and not state.diagnosis.artifacts:
            yield "UNKNOWN_IMAGE", said("guard.photo")
        mode = state.topics.mode
        if mode == "diagnostic":
            yield from self._diagnostic(reading, state)
        elif mode == "authorization":
            yield from self._authorization(reading)
        elif state.diagnosis.is_doubt_asked(reading.text):
            pass  # which line an edit is about is asked before the report is written again
        elif state.diagnosis.action != "acknowledge_and_continue":
            yield from self._report(reading, state)

    def _diagnostic(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        yield from self._drift(reading, "DIAGNOSTIC_DRIFT")
        cue = reading.first("authority")
        if cue is not None:
            yield "AUTHORITY", said("guard.authority", words=reading.words(cue.span))
        yield from self._language(reading, state)
        free = OFFER in reading.folded or bool(state.topics.stack)
        questions = reading.text.count("?")
        if state.diagnosis.action == "generate_labor":
            yield from self._labor(reading)
        elif reading.text in self.desk.texts.all("fallback.language"):
            return  # nothing else can be asked before the language is known
        elif not free and not 1 <= questions <= 2:
            yield "DIAGNOSTIC_QUESTION", said("guard.questions", n=questions)
        if not state.diagnosis.is_doubt_asked(reading.text):  # what is in doubt is asked before the step
            yield from self._due(reading, state, free)
        yield from self._proven_good(reading, state)

    def _due(self, reading: Reading, state: State, free: bool) -> Iterator[tuple[str, Said]]:
        """The offer of the report also where a late correction opened a step again: what is repaired and works is
        offered, not asked about."""
        step = self.desk.library.step(state.procedure.active)
        if state.diagnosis.action == "offer_completion":
            if not free:
                yield "COMPLETION_OFFER", said("guard.offer")
        elif step is not None:
            yield from self._step(reading, step, bool(state.topics.stack))

    def _drift(self, reading: Reading, rule: str) -> Iterator[tuple[str, Said]]:
        if headers(reading) or len(reading.all("marker")) >= 2:
            yield rule, said("guard.report")
        elif reading.has("translation"):
            yield rule, said("guard.translated")

    def _language(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        wanted = state.conversation.language
        own = _QUOTED.sub(" ", reading.folded)  # what the technician said may be quoted in any language
        known = reading.reader.recogniser
        script = known.script(own)
        alphabet = wanted if wanted in known.scripts else None
        other = reading.language not in (None, wanted, *known.scripts)  # of those that share an alphabet
        if wanted and (script != alphabet or (alphabet is None and other)):
            yield "LANGUAGE_MISMATCH", said("guard.language", language=wanted)

    def _step(self, reading: Reading, step: Step, helping: bool) -> Iterator[tuple[str, Said]]:
        known = {id for procedure in self.desk.library.procedures.values() for id in procedure.steps}
        if other := known & {reading.folded[slice(*word)] for word in reading.tokens} - {step.id}:
            yield "STEP_COMPLIANCE", said("guard.other_step", other=", ".join(sorted(other)), step=step.id)
        asked = covered(step, reading) >= COVERED
        if not helping and not asked:
            yield "STEP_COMPLIANCE", said("guard.step_missed", step=step.id)
        elif helping:
            yield from self._help(reading, asked or "?" in reading.text)

    def _help(self, reading: Reading, asks: bool) -> Iterator[tuple[str, Said]]:
        """Help goes no further than the open step, and comes back to it."""
        for cue in (*headers(reading), *reading.all("next_words"))[:1]:
            yield "STEP_HELP", said("guard.help_stays", words=reading.words(cue.span))
        if not asks and not reading.has("asks_findings"):
            yield "STEP_HELP", said("guard.help_asks")

    def _proven_good(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        """A part that ran on direct power is not recommended for replacement, by whatever name."""
        quotes = reading.find(standing).spans["quoted"]
        for cue in reading.all("recommends"):  # what the technician said is judged without the label before it
            said_in = next((quote for quote in quotes if overlap(quote, cue.span)), None)
            good = proven_good(reading, said_in or sentence_of(reading, cue.span), state)
            if good is not None:
                yield "PART_PROVEN_GOOD", said("guard.works", part=good.lower())
                return

    def _authorization(self, reading: Reading) -> Iterator[tuple[str, Said]]:
        yield from self._drift(reading, "AUTHORIZATION_DRIFT")
        if not reading.has("authorization_text"):
            yield "AUTHORIZATION_TEXT", said("guard.authorization")
        yield from self._labor(reading)

    def _labor(self, reading: Reading) -> Iterator[tuple[str, Said]]:
        if estimate(reading) is None:
            yield "LABOR_ESTIMATE", said("guard.no_total")
        if not reading.has("labor_confirm_line"):
            yield "LABOR_CONFIRM_LINE", said("guard.no_confirm")

    def _report(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        if reading.text != compose(state, self.desk, reading.reader):  # that one is put together from what was said
            yield from self._written(reading, state)
        yield from self._proven_good(reading, state)

    def _written(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        """What is wrong with a report that somebody else wrote."""
        english, translated, _ = reading.folded.partition(TRANSLATION.lower())
        names = {header: re.escape(fold(self.desk.texts.get("en", f"report.header_{header}"))) for header in HEADERS}
        lines = {header: re.search(rf"(?m)^[ *#]*{name}[ *]*:", english) for header, name in names.items()}
        places = {header: hit.start() for header, hit in lines.items() if hit}
        in_order = tuple(sorted(places, key=places.__getitem__)) == HEADERS
        shape = (
            ("PORTAL_CAUSE", "guard.one_statement", places or "\n\n" in reading.text.strip()),
            ("REPORT_HEADERS", "guard.headers", not in_order),
            ("REPORT_TRANSLATION", "guard.translation", wants_translation(state) != bool(translated)),
        )
        opening = (english if translated else english[:40]).split('"')[0]
        wrong = (
            *(shape[:1] if state.report.portal else shape[1:]),
            ("REPORT_LIST", "guard.numbered", _NUMBERED.search(reading.text)),
            ("LANGUAGE_MISMATCH", "guard.english", reading.reader.recogniser.script(opening)),
        )
        yield from ((rule, said(why)) for rule, why, is_wrong in wrong if is_wrong)
        yield from self._claims(reading, state)

    def _claims(self, reading: Reading, state: State) -> Iterator[tuple[str, Said]]:
        """Each repair that is claimed must be in one sentence of the technician."""
        stop = reading.reader.phrases("stop", "words")
        done = lemmas(" ".join(fact.value for fact in reported(state) if fact.category == "repair"), stop)
        for cue in reading.all("claims_repair"):
            if within(reading.all("claims_needed"), sentence_of(reading, cue.span)):
                continue
            span = cue.groups.get("part") or cue.groups.get("object") or cue.span
            if not done.issuperset(_claimed(reading, span, stop)):
                yield "UNSUPPORTED_CLAIM", said("guard.unsaid", words=reading.words(cue.span))


def _claimed(reading: Reading, span: Span, stop: frozenset[str]) -> list[str]:
    """What a repair is claimed of."""
    words = lemmas(reading.words(span), stop) - reading.reader.phrases("claims", "empty")
    return [stem for stem in map(lemma, reading.folded[slice(*span)].split()) if stem in words][-1:]


def retry(violations: Iterable[Violation]) -> str:
    """What a model is told for its one more try."""
    rules = "\n".join(f"- {v.rule}: {v.reason}" for v in violations)
    return f"The reply broke these rules:\n{rules}\nWrite it again as a compliant output; change nothing else."
