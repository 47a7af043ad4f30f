"""From a message to facts: each sentence with its reading, its state and its parts, and what it does to hypotheses and
contradictions. A reading is judged against what its step expects; one that cannot be is asked about. A corrected
reading supersedes its fact and reopens exactly what rested on it; "the second one" settles which of two facts is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdfast.events import DoubtRaised, Event
from holdfast.faculties.desk import evidence, hearing, signals
from holdfast.faculties.desk.answering import UNITS, mended
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.estimates import worked
from holdfast.faculties.desk.evidence import MAX_FACT_CHARS, ContradictionResolved, Fact, FactLearned, FactsSuperseded
from holdfast.faculties.desk.isolation import DoubtSettled
from holdfast.faculties.desk.library import Figure, lemmas
from holdfast.faculties.desk.procedure import (
    BranchEntered,
    BranchLeft,
    ComplaintNoted,
    StepClosed,
    StepReopened,
    StepsTakenOut,
)
from holdfast.faculties.desk.report import neutral
from holdfast.faculties.desk.signals import measures
from holdfast.faculties.desk.signals import topics as topics_of
from holdfast.faculties.desk.steps import triggered
from holdfast.faculties.desk.wording import expected
from holdfast.reading.mentions import ordinal
from holdfast.reading.reader import Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.values import Number, numbers
from holdfast.telling import Said, said

SENTENCES = 8
BARE = 8
"""Words of a message in which a number without a unit is the reading that the step asks for."""
OHMS = ("continuity", "resistance")
"""Checks that are read with an ohmmeter."""
LEARNS = ("MAIN_DIAGNOSTIC", "DISPUTE_OR_NEW_EVIDENCE", "ALREADY_ANSWERED", "CORRECTION")


def parts_in(reading: Reading, span: Span) -> tuple[str, ...]:
    """The ids of the parts that a sentence names."""
    found = [part.id for part in reading.find(signals.heads) if span[0] <= part.span[0] < span[1]]
    return tuple(dict.fromkeys(found))[:6]


def _parts_of(said: Reading, state: str | None) -> tuple[str, ...]:
    """The parts that a sentence is about; of several clauses, without those that say another thing of theirs: "wont
    cool, blower runs fine" says nothing against the blower."""
    spans, found = said.find(signals.clauses), parts_in(said, (0, len(said.text)))
    if state is None or not found or len(spans) < 2:
        return found
    others = [span for span in spans if signals.state_words(said.reader.read(said.words(span))) not in (None, state)]
    return tuple(id for id in found if not any(id in parts_in(said, span) for span in others))


def _category(said: Reading, measured: bool) -> evidence.Category:
    if said.find(mended) is not None:
        return "repair"
    if measured:
        return "test_result"
    if said.has("symptom"):
        return "symptom"
    return "test_result" if said.has("checked", "in_order") else "observation"


def facts_in(case: Case, reading: Reading, step: str | None) -> Iterator[tuple[evidence.Fact, Span, Reading]]:
    """The sentences of a text as facts."""
    found = reading.find(sentences)
    for span in found[:SENTENCES]:
        said = reading.reader.read(reading.words(span)) if len(found) > 1 else reading
        if said.tokens and (len(found) == 1 or _carries(said)):
            words = " ".join(reading.words(span).split()) if "  " in reading.words(span) else reading.words(span)
            yield _fact(case, said, step, words[: evidence.MAX_FACT_CHARS]), span, said


def _carries(said: Reading) -> bool:
    """Whether a sentence among others tells something of the machine: a greeting does not."""
    told = any(one.facet not in ("line", "text", "hours") for one in said.find(hearing.given))
    return (
        told or bool(said.find(signals.parts)) or bool(said.find(signals.measures)) or said.has("symptom", "yes", "no")
    )


def _fact(case: Case, said: Reading, step: str | None, words: str) -> evidence.Fact:
    """A sentence as a fact, with the reading that it gives."""
    figure, state = figure_of(case, step), signals.state_words(said)
    measure = _measure(said, figure)
    shown = any(not signals.negated(said, cue.span) for cue in said.all("beyond_range"))  # a meter showed "OL"
    beyond = measure is None and shown and _is_in_ohms(case, step)
    number, unit = (measure.value, measure.unit) if measure is not None else (None, "ohm" if beyond else None)
    return evidence.Fact(
        id=case.draft.new_id("f"),
        type=_kind(said, unit is not None),
        value=words,
        at=case.draft.moment.at,
        step=step,
        category=_category(said, unit is not None),
        number=number,
        unit=unit,
        state=state,
        parts=_parts_of(said, state) or _measured_at(case, step, unit is not None),
        out_of_range=beyond or (measure is not None and figure is not None and figure.is_off(measure.value, unit)),
    )


def _kind(said: Reading, measured: bool) -> evidence.Kind:
    """A finding tells of a fault, a damage or a repair, an observation just of how something is."""
    if measured:
        return "measurement"
    finders = (signals.faults, signals.damage, signals.key_findings, mended)
    found = any(said.find(finder) for finder in finders) and not said.find(signals.guessed)
    return "finding" if found else "observation"


def _measured_at(case: Case, step: str | None, read: bool) -> tuple[str, ...]:
    """Where a bare reading was taken: at the part that its step is about."""
    known = case.desk.library.step(step)
    if known is None or not read:
        return ()
    said = case.reading.reader.read(known.part.in_(case.language))
    return tuple(dict.fromkeys(part.id for part in said.find(signals.parts)))


def figure_of(case: Case, step: str | None) -> Figure | None:
    known = case.desk.library.step(step)
    return case.desk.library.figures.get(known.expects) if known is not None and known.expects else None


def _is_in_ohms(case: Case, step: str | None) -> bool:
    """Whether a step is read with an ohmmeter: there "OL" is a reading."""
    known, figure = case.desk.library.step(step), figure_of(case, step)
    return known is not None and (known.check in OHMS or (figure is not None and figure.unit == "ohm"))


def _measure(said: Reading, figure: Figure | None) -> signals.Measure | None:
    """The reading of a sentence; a bare number takes the unit that the step expects, and "no voltage" is zero."""
    found = said.find(signals.measures)
    if figure is not None:
        fitting = _fitting(said, figure.unit)
        if fitting:  # of several readings, the one that is off tells more
            return next((m for m in fitting if figure.is_off(m.value, m.unit)), fitting[-1])
        nothing = said.first("no_reading")
        if nothing is not None and not signals.supposed(said, nothing.span):
            return signals.Measure(0.0, figure.unit, nothing.span)
    return next((m for m in reversed(found) if m.unit not in (None, "h", "$", "people", "d")), None)


def _stands_bare(said: Reading, number: signals.Measure | Number) -> bool:
    """Whether a number has no unit, and no letter at its end that could be one."""
    return number.unit is None and not said.folded[number.span[1] :][:1].isalpha()


def _fitting(said: Reading, unit: str) -> list[signals.Measure]:
    """The readings in the unit that is expected; in a few words, numbers without a unit may be such."""
    found = said.find(signals.measures)
    fitting = [measure for measure in found if measure.unit == unit]
    if fitting or len(said.tokens) > BARE:
        return fitting
    told = found if found or len(said.tokens) > 2 else said.find(numbers)
    bare = [number for number in told if _stands_bare(said, number)]
    return [signals.Measure(number.value, unit, number.span) for number in bare]


# --- the stage ---


def learn(case: Case) -> Iterator[Event]:
    """Facts from the message, and what they do to hypotheses and contradictions."""
    if case.intent.type not in LEARNS or case.intent.evidence == "technician_dispute":
        return
    given = case.reading.find(topics_of)
    if not set(given) <= set(case.evidence.topics):
        yield evidence.TopicsGiven(topics=tuple(given))
    silent = not case.reading.find(signals.measures) and signals.state_words(case.reading) is None
    if case.intent.type == "ALREADY_ANSWERED" and silent:
        return  # it only says that something was said before
    closed = [event.step for event in case.happened(StepClosed) if event.step not in case.told.values()]
    elsewhere = [event.complaint.words for event in case.happened(ComplaintNoted)]
    fixes = case.intent.type == "CORRECTION"  # what it puts right was taken in by `correct`
    for fact, span, told in list(_told(case, closed[-1] if closed else None)):
        # what belongs to the case of another system, and how long the work took, is not learned here
        if (worked(told) is not None and not fact.parts) and fact.category != "repair":
            continue
        if fact.value.strip() not in elsewhere and (not fixes or fact.category == "repair"):
            yield from _learned(case, fact, span, told)
    yield from _raised_by_branches(case)


def _told(case: Case, step: str | None) -> Iterator[tuple[evidence.Fact, Span, Reading]]:
    """The facts of a message, each at the step that it speaks of."""
    for span, other in case.told.items():
        said = case.reading.reader.read(case.reading.words(span).strip(" ,;"))
        yield from ((fact, span, told) for fact, _, told in facts_in(case, said, other))
    if not case.told or case.rest is not None:
        yield from facts_in(case, case.rest or case.reading, step)


def _raised_by_branches(case: Case) -> Iterator[Event]:
    """A branch is entered on a suspicion, which the newest fact supports."""
    newest = case.evidence.facts[-1].id if case.evidence.facts else ""
    for entered in case.happened(BranchEntered):
        description = f"{entered.branch} at {entered.step}"
        yield evidence.HypothesisMoved(id=case.draft.new_id("h"), description=description, supporting=(newest,))


def _learned(case: Case, fact: evidence.Fact, span: Span, told: Reading) -> Iterator[Event]:
    if any(_same(live, fact) for live in case.evidence.live()):
        return
    yield evidence.FactLearned(fact=fact, because=case.cause(f"fact.{fact.type}", span))
    yield from _doubt_impossible(case, fact)
    # a repair, or power from elsewhere, changes what is so; what was found before stays true
    if fact.category != "repair" and not told.has("direct_power"):
        yield from _contradict(case, fact)
    yield from _weigh(case, fact, told)


def _same(a: evidence.Fact, b: evidence.Fact) -> bool:
    bare = len(b.value.split()) <= 2
    return a.value.strip(" .!").casefold() == b.value.strip(" .!").casefold() and (not bare or a.step == b.step)


def _doubt_impossible(case: Case, fact: evidence.Fact) -> Iterator[Event]:
    """A reading that its quantity cannot have is kept and asked about, once; until then its step is open."""
    figure = figure_of(case, fact.step)
    read = _impossible(case.reading, fact, figure) if figure is not None else ""
    if not read or figure is None:
        return
    question = case.text("doubt.impossible", value=read, expected=expected(figure, case.desk, case.language))
    yield DoubtRaised(about=f"{fact.step}: {read}", question=question)
    if fact.step is not None and fact.step not in case.draft.before.procedure.reopened:
        yield StepReopened(step=fact.step, reason=said("desk.why_impossible"), because=case.cause("fact.impossible"))


def _impossible(reading: Reading, fact: evidence.Fact, figure: Figure) -> str:
    """The reading of a fact, where its quantity cannot have it."""
    if fact.number is not None and fact.unit == figure.unit and not figure.least <= fact.number <= figure.most:
        return f"{fact.number:g} {fact.unit}"
    shown = len(reading.tokens) <= 2 and reading.has("beyond_range")
    return "OL" if shown and figure.unit != "ohm" else ""  # what a meter on ohms shows


def _contradict(case: Case, fact: evidence.Fact) -> Iterator[Event]:
    """Another live fact on the same quantity or part that disagrees. A reading said to be new takes its place."""
    changed = case.reading.has("changed")
    for other in case.evidence.live():
        if other.id == fact.id or not evidence.opposed(other, fact):
            continue
        if fact.number is None and not (_is_plain(case, other) and _is_plain(case, fact)):
            continue
        if changed or _settles(case, fact):
            yield evidence.FactsSuperseded(facts=(other.id,), by=fact.id)
            yield from settle(case, other.id, said("desk.newer", fact=fact.id))
            continue
        found = evidence.Contradiction(case.draft.new_id("c"), other.id, fact.id)
        yield evidence.ContradictionFound(contradiction=found)
        first, second = (neutral(words, case.desk, case.reading.reader) for words in (other.value, fact.value))
        question = case.text("doubt.contradiction", first=first, second=second)
        yield DoubtRaised(about=found.id, question=question, candidates=(other.value, fact.value))
        return


def _is_plain(case: Case, fact: evidence.Fact) -> bool:
    """Whether words of a fact say plainly how its part is: only such facts contradict one another."""
    said = case.reading.reader.read(fact.value)
    return bool(said.find(signals.faults)) or said.has("in_order", "not_working", "unwell", "bad")


def _settles(case: Case, fact: evidence.Fact) -> bool:
    """A third word on a quantity that is in doubt settles it, and so does the new answer to a reopened step."""
    if fact.step is not None and fact.step in case.draft.before.procedure.reopened:
        return True
    doubted = {id for c in case.evidence.contradictions if c.resolution is None for id in (c.a, c.b)}
    return any(f.id in doubted and f.step == fact.step and f.id != fact.id for f in case.evidence.live())


def settle(case: Case, fact: str, resolution: Said) -> Iterator[Event]:
    """The contradictions in which a fact stood are over."""
    for found in case.evidence.contradictions:
        if found.resolution is None and fact in (found.a, found.b):
            yield evidence.ContradictionResolved(id=found.id, resolution=resolution)


def _weigh(case: Case, fact: evidence.Fact, said: Reading) -> Iterator[Event]:
    """Key findings raise hypotheses; a part called in order speaks against those about it."""
    for name, cue in said.find(signals.key_findings):
        yield evidence.HypothesisMoved(
            id=case.draft.new_id("h"), description=name, supporting=(fact.id,), because=case.cause(cue.id)
        )
    for fault in said.find(signals.faults):
        yield evidence.HypothesisMoved(
            id=case.draft.new_id("h"), description=f"fault: {fault.part}", supporting=(fact.id,)
        )
    if fact.state != "ok" and not said.has("runs"):
        return
    for hypothesis in case.evidence.hypotheses:
        named = said.reader.read(hypothesis.description).find(signals.parts)
        if {part.id for part in named} & set(fact.parts) and fact.id not in hypothesis.supporting:
            yield evidence.HypothesisMoved(
                id=hypothesis.id, description=hypothesis.description, contradicting=(fact.id,)
            )


# --- taking back what was said ---


def correct(case: Case) -> Iterator[Event]:
    """A corrected reading: the old fact gives way; with a new value its step is answered anew, without one reopened."""
    old = corrected(case) if case.intent.type == "CORRECTION" else None
    if old is None:
        return
    if isinstance(case.intent.value, float):
        yield from _replaced(case, old, case.intent.value)
        return
    yield FactsSuperseded(facts=(old.id,), by="correction", because=case.cause("fact.withdrawn"))
    yield from settle(case, old.id, said("desk.taken_back"))
    if old.step is not None and not _stands(case):
        yield from _undo_branches(case, old.step)
        yield StepReopened(step=old.step, reason=said("desk.why_reading_back"), because=case.cause("step.withdrawn"))


def _replaced(case: Case, old: Fact, value: float) -> Iterator[Event]:
    """Another reading takes the place of a fact."""
    unit = next((m.unit for m in case.reading.find(measures) if m.value == value), None) or old.unit
    figure = figure_of(case, old.step)
    fact = Fact(
        id=case.draft.new_id("f"),
        type="measurement",
        value=case.reading.text[:MAX_FACT_CHARS],
        at=case.draft.moment.at,
        step=old.step,
        category="test_result",
        number=value,
        unit=unit,
        parts=old.parts,
        out_of_range=figure is not None and figure.is_off(value, unit or figure.unit),
    )
    yield FactsSuperseded(facts=(old.id,), by=fact.id, because=case.cause("fact.corrected"))
    yield FactLearned(fact=fact, because=case.cause("fact.corrected"))
    yield from settle(case, old.id, said("desk.newer", fact=fact.id))
    if old.step is not None:
        yield from _undo_branches(case, old.step)
        yield StepClosed(step=old.step, value=fact.value, because=case.cause("step.corrected"))


def _stands(case: Case) -> bool:
    """Whether the conclusion stays whatever is taken back: the case is over, or replans are switched off."""
    diagnosis = case.diagnosis
    return diagnosis.terminal == "terminal" or (diagnosis.isolation_complete and not case.desk.flags.replan)


def settle_doubt(case: Case) -> Iterator[Event]:
    """ "The second one", after two facts disagreed and the technician was asked which of them is right."""
    asked = case.draft.before.diagnosis.doubt_on
    if not asked or case.happened(DoubtRaised):
        return  # nothing was in doubt, or something else is now
    yield DoubtSettled()
    found = next((c for c in case.evidence.contradictions if c.id == asked and c.resolution is None), None)
    chosen = _chosen(case.reading) if found is not None else None
    if found is None or chosen is None:
        return
    wrong, right = (found.b, found.a) if chosen == 1 else (found.a, found.b)
    yield FactsSuperseded(facts=(wrong,), by=right, because=case.cause("contradiction.word"))
    yield ContradictionResolved(id=found.id, resolution=said("desk.technician", words=case.reading.text[:80]))


def _chosen(reading: Reading) -> int | None:
    """Which of two a short message takes."""
    if len(reading.tokens) > 8:
        return None
    for cue in reading.all("reference"):
        words = reading.folded[cue.start : cue.end]
        place = ordinal(reading, reading.folded[slice(*cue.groups["ordinal"])]) if "ordinal" in cue.groups else None
        if place in (1, 2, -1) or "former" in cue.groups:
            return 1 if place == 1 or "former" in words else 2
    return None


def _put_right(case: Case) -> list[Fact]:
    """The facts that a correction can be about, the newest first: those in its unit, where it has one."""
    units = {m.unit for m in case.reading.find(measures) if m.value == case.intent.value} - {None}
    told = [f for f in reversed(case.evidence.live()) if f.source == "technician" and f.category != "repair"]
    return [fact for fact in told if not units or fact.unit in (None, *units)]


def corrected(case: Case) -> Fact | None:
    """The fact that a correction is about: by the figure it names, by its unit, by its part, or the newest reading."""
    live = _put_right(case)
    named = {m.value for m in case.reading.find(measures)} - {case.intent.value}
    units = {m.unit for m in case.reading.find(measures) if m.unit}
    units |= {UNITS[cue.means] for cue in case.reading.all("quantity")}
    stop = case.reading.reader.phrases("stop", "words")
    words = lemmas(case.reading.text, stop)
    ways: tuple[Callable[[Fact], bool], ...] = (
        lambda fact: fact.number in named,
        lambda fact: fact.number is not None and fact.unit in units,
        lambda fact: fact.step is not None and not words.isdisjoint(lemmas(_part(case, fact.step), stop)),
        lambda fact: fact.number is not None,
        lambda fact: fact.step is not None,
    )
    return next((fact for way in ways for fact in live if way(fact)), None)


def _part(case: Case, step: str) -> str:
    known = case.desk.library.step(step)
    return f"{known.part.in_(case.language)} {known.part.en}" if known else ""


def _undo_branches(case: Case, step: str) -> Iterator[Event]:
    """A branch that the old answer opened, and the new one does not, is left and its steps are taken out."""
    procedure = case.procedure
    if procedure is None:
        return
    for branch in procedure.branch:
        if case.progress.entered.get(branch.id) != step or triggered(branch, case.reading):
            continue
        steps = tuple(s.id for s in procedure.step if s.branch == branch.id)
        yield StepsTakenOut(
            steps=steps, reason=said("desk.why_not_valid", branch=branch.id), because=case.cause("branch.undone")
        )
        yield BranchLeft(branch=branch.id, reason=said("desk.why_reading_fixed"), unlocks=branch.excludes)
