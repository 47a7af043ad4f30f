"""Words that are orders and not findings: the report, an authorization, skipping labor, the language, report edits.

A mode command is a whole message. A report is made only when the case is ready: terminal, isolated, or with all steps
closed; a wish alone never makes it so, but an offer once made stands. An edit names the lines it is about by their
words; where none fits, one question is asked. What is taken out of the report stays in the case, and what is added
becomes a fact, so that every claim still rests on something that was said.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from holdfast.events import DoubtRaised, Event, Intent, IntentRead
from holdfast.faculties.desk import estimates
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import FactLearned
from holdfast.faculties.desk.hearing import mended
from holdfast.faculties.desk.intents import SUPPORT, TELLS, beside_question
from holdfast.faculties.desk.isolation import NotReady, TerminalReached
from holdfast.faculties.desk.learning import facts_in
from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.procedure import SystemFound
from holdfast.faculties.desk.report import (
    ACTION,
    COMPLAINT,
    PARTS,
    Change,
    Claim,
    ClaimsChanged,
    ReportEdited,
    claims,
    place_in,
)
from holdfast.faculties.desk.signals import clauses, measures, misspelled_systems, named_parts, negated, parts
from holdfast.faculties.desk.steps import (
    TROUBLE,
    asked_about,
    complaint_in,
    open_steps,
    passed_over,
    system_in,
    unwanted,
)
from holdfast.faculties.desk.topics import ModeChanged
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold
from holdfast.reading.values import numbers
from holdfast.telling import said

SURE = 8
"""How far words must lead that put a job aside."""
GOES_ON = ("switch", "flow")
"""What takes up the next complaint where a case is over."""
MAX_WISH_WORDS = 8
"""Words of a message that can be a wish for the report."""


def ready(case: Case) -> bool:
    return case.diagnosis.isolation_complete or case.diagnosis.offered or all_closed(case) or _is_solved(case)


def _is_solved(case: Case) -> bool:
    """Whether the technician said that all works again, and was asked what did it."""
    return case.diagnosis.terminal == "fault_candidate" and not case.diagnosis.candidate


def all_closed(case: Case) -> bool:
    procedure = case.procedure
    return procedure is not None and bool(case.progress.closed) and not open_steps(procedure, case.progress)


def commands(case: Case) -> Iterator[Event]:
    """The stage: what the message orders, if it orders anything."""
    reading = case.reading
    case.heard = case.answers
    case.skips = tuple(unwanted(case))
    command = reading.first("command")
    if command is not None:
        yield from _mode(case, command.means, command.id)
    elif reading.has("labor_skip"):
        yield _order(case, "labor_skip")
        yield estimates.LaborSkipped(because=case.cause("labor.skip"))
    elif reading.has("language_request") and len(reading.tokens) <= 4:
        yield _order(case, "language")
    elif (switch := _switched(case)) is not None:
        yield from _switch(case, switch)
    elif case.state.report.produced and (case.topics.mode == "final_report" or case.state.report.last):
        yield from _edit(case)
    elif (wish := _wish(case)) is not None:
        yield from _report_asked(case, wish)
    else:
        yield from _beside_steps(case)


def _report_asked(case: Case, wish: Span) -> Iterator[Event]:
    """A report that is asked for beside a finding, or once all else is skipped, comes after that was taken in."""
    rest = beside_question(case.reading, wish, case.answers)
    if rest is not None or case.answers.does("skips") is not None:
        case.wants_report = True
        case.set_apart(rest or (0, len(case.reading.text)), None)
        return
    yield from _mode(case, "report_request", "command.report_wish")


def report_beside(case: Case) -> Iterator[Event]:
    """The stage: the report that was asked for beside a finding, or before the case was ready for it; what is told of
    its parts when all is done stands in it."""
    over = case.progress.active is None and not case.state.report.produced
    for change in filter(None, map(_section, map(case.at, case.whole.find(clauses)))) if over else ():
        if change.claims == (PARTS,):
            yield ClaimsChanged(change=change, because=case.cause("report.parts"))
    if case.wants_report or (case.draft.before.diagnosis.report_due and ready(case) and not case.happened(ModeChanged)):
        yield from _mode(case, "report_request", "command.report_wish")


def _beside_steps(case: Case) -> Iterator[Event]:
    """What may be ordered where no step is open, and where the case is over."""
    hours = estimates.requested(case.reading) if case.reading.has("labor_word") else None
    if case.progress.active is None and hours is not None:
        yield _order(case, "labor_total")
        yield estimates.LaborRequested(hours=hours, because=case.cause("labor.requested"))
    elif case.diagnosis.terminal == "terminal" and case.answers.does(*GOES_ON) is not None:
        yield from _take_up(case)


def _order(case: Case, what: str) -> IntentRead:
    return IntentRead(intent=Intent("COMMAND", value=what), because=case.cause(f"command.{what}"))


def _asks_for_report(case: Case) -> Span | None:
    """The words that are heard to ask for a report now."""
    told = case.answers.does("report")
    if told is None or told.lead <= SURE:
        return None
    said = case.reading.reader.read(case.reading.words(told.span))
    return None if said.has("not_now", "negation") else told.span


def _wish(case: Case) -> Span | None:
    """The clause that asks for a report, all of it; the word in some other sentence does not."""
    reading, told = case.reading, _asks_for_report(case)
    if told is not None:
        return told
    if not reading.has("report_noun", "report_wish"):
        return None
    for span in (*reading.find(clauses), (0, len(reading.text))):
        said = reading.reader.read(reading.words(span))
        asked = said.has("report_wish") or (said.has("report_noun") and said.has("makes"))
        if (
            asked
            and not said.has("not_now", "negation")
            and len(said.tokens) <= MAX_WISH_WORDS
            and "?" not in said.text
        ):
            return span
    return None


def _mode(case: Case, asked: str, rule: str) -> Iterator[Event]:
    yield _order(case, asked)
    mode = "final_report" if asked in ("final_report", "report_request") else asked
    if _is_solved(case):
        yield TerminalReached(terminal="terminal", finding="the unit works again", because=case.cause(rule))
    if not ready(case):
        yield NotReady(asked=asked, because=case.cause(rule))
    elif mode == "final_report" and not labor_settled(case):
        yield NotReady(asked="labor", because=case.cause("labor.waits"))
    elif case.topics.mode != mode:
        yield ModeChanged(mode=mode, reason=said("desk.why_asked", asked=asked), because=case.cause(rule))


def labor_settled(case: Case) -> bool:
    """With the older behaviour a report waits for confirmed hours."""
    return case.desk.flags.free_labor or case.state.labor.mode in ("confirmed", "skipped")


def _edit(case: Case) -> Iterator[Event]:
    """After a report: another total, another wording, what was left out; all of it stays in the report."""
    whole = len(case.reading.all("section")) == 1 and (section := _section(case)) and section.claims != (PARTS,)
    pieces = [(0, len(case.reading.text))] if whole else _pieces(case.reading)
    made = [event for piece in pieces for event in _edited(case.at(piece))]
    if not made:
        if case.answers.does(*GOES_ON) is not None:
            yield from _take_up(case)
        return
    words = [event for event in made if not isinstance(event, estimates.LaborRequested)]
    yield _order(case, "report_edit" if words else "labor_total")
    if words:
        yield ReportEdited(words=case.reading.text[:300], because=case.cause("report.edit"))
    yield from made
    if case.topics.mode != "final_report":
        yield ModeChanged(mode="final_report", reason=said("desk.why_edited"))


def _pieces(reading: Reading) -> list[Span]:
    """The parts of a message that each want something of a report: "take out the ice, labor was 2 h, no parts". A
    clause that wants nothing goes with the one before it, or with the first of its sentence."""
    found: list[tuple[Span, bool]] = []
    for sentence in reading.find(sentences):
        first = len(found)
        for span in (span for span in reading.find(clauses) if sentence[0] <= span[0] < sentence[1]):
            late = len(found) == first and reading.reader.read(reading.words(sentence)).find(mended) is not None
            wants = late or _wants(reading.reader.read(reading.words(span)))
            if len(found) > first and not (wants and found[-1][1]):
                found[-1] = ((found[-1][0][0], span[1]), wants or found[-1][1])
            else:
                found.append((span, wants))
    return (
        [span for span, wants in found if wants] if sum(wants for _, wants in found) > 1 else [(0, len(reading.text))]
    )


def _wants(said: Reading) -> bool:
    hours = estimates.requested(said) or estimates.worked(said)
    return wanted(said) or said.has("section") or hours is not None


def _edited(case: Case) -> list[Event]:
    """What one part of a message changes about the report; a repair that is told late is added."""
    reading = case.reading
    hours = None if "?" in reading.text else estimates.requested(reading) or estimates.worked(reading)
    made: list[Event] = []
    if hours is not None:
        made.append(estimates.LaborRequested(hours=hours, because=case.cause("labor.requested")))
    if found := list(changed(case)):
        return made + found
    if hours is None and wanted(reading):
        return list(edit(case)) or list(_which(case, reading.text))
    told = [reading.words(span) for span in reading.find(sentences)]
    late = [one for one in told if "?" not in one and reading.reader.read(one).find(mended) is not None]
    return made + [event for words in late for event in _add(case, words.strip(_EDGES), None)]


def _switched(case: Case) -> Span | None:
    """The words that put the open job aside for another: for one that is named, that waits, or that is asked about.
    "Also" tells of one more."""
    told = case.answers.does("switch") if case.progress.active is not None else None
    if told is None or told.lead < SURE or case.reading.has("another", "direct_power"):
        return None
    meant = _other_systems(case) or case.progress.complaints or "?" in case.reading.text
    return told.span if meant else None


def _other_systems(case: Case) -> list[Span]:
    """Where other systems are named than the open one and those that its step asks about; a word that fits several of
    which one is open is none."""
    several = case.reading.reader.data("ambiguous", "en")
    named = [cue for family in ("system", "ambiguous") for cue in case.reading.all(family)]
    meant = [(cue.span, (cue.means, *str(several.get(cue.means, "")).split())) for cue in named]
    own = {case.progress.system, *asked_about(case)}
    return [span for span, systems in meant if own.isdisjoint(systems)]


def _switch(case: Case, told: Span) -> Iterator[Event]:
    """Another job is wanted; where none is named, how one is taken up is told."""
    if _job(case) is not None:
        yield from _take_up(case)
    elif case.progress.active is not None:
        intent = Intent("STEP_HELP", case.step.part.in_(case.language) if case.step else "", SUPPORT)
        yield IntentRead(intent=intent, means="switch", because=case.cause("asks.switch", told))


def _take_up(case: Case) -> Iterator[Event]:
    """Another job is taken up; the open one is put aside as it is, and goes on when it is named again."""
    system = _job(case)
    if system is None:
        return
    if not any(clause.does in TELLS for clause in case.answers.heard):
        yield _order(case, "take_up")  # else what is told of the job is taken in
    if case.topics.mode != "diagnostic":
        yield ModeChanged(mode="diagnostic", reason=said("desk.why_system", system=system))
    leaves = case.progress.system or "" if case.progress.active is not None else ""
    named = system_in(case.reading, case.desk.library.procedures)
    tells = case.reading.has(*TROUBLE)  # else what was noted of it stays
    words = complaint_in(case, named[1]) if named is not None and named[0] == system and tells else ""
    wrong, cause = _is_mistaken(case.reading, leaves), case.cause("system.taken_up")
    yield SystemFound(system=system, complaint=words, leaves=leaves, mistaken=wrong, because=cause)


def _is_mistaken(reading: Reading, leaves: str) -> bool:
    """Whether the job that is left was named by mistake: "not the slide, the awning"."""
    denied = any(cue.means == leaves and negated(reading, cue.span) for cue in reading.all("system"))
    return bool(leaves) and (denied or reading.has("correction"))


def _job(case: Case) -> str | None:
    """The job that a message takes up: another system that it names, or the complaint that was noted first."""
    noted = [complaint.system for complaint in case.progress.complaints]
    named = [cue.means for cue in case.reading.all("system")] + [p.id for p in case.reading.find(misspelled_systems)]
    fitting = sorted(_fitting(case.reading), key=lambda id: id not in noted)
    waiting = noted if not named and "?" not in case.reading.text else []
    return next((id for id in (*named, *fitting, *waiting) if id != case.progress.system), None)


def _fitting(reading: Reading) -> list[str]:
    """The systems that words fit which fit several."""
    several = reading.reader.data("ambiguous", "en")
    return [id for cue in reading.all("ambiguous") for id in str(several[cue.means]).split()]


# --- edits of a report ---


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


def changed(case: Case) -> Iterator[Event]:
    """What a message after a report changes by what it tells, in whatever words: the parts, a line, a figure of one, or
    a check that was passed over."""
    if "?" in case.reading.text:
        return
    if (change := _section(case) or _line(case) or _figure(case)) is not None:
        if not {ACTION, COMPLAINT}.isdisjoint(change.claims):  # what a report says was said by somebody
            yield from _add(case, change.new, None)
        yield ClaimsChanged(change=change, because=case.cause("report.line"))
    else:
        yield from passed_over(case)


def _section(case: Case) -> Change | None:
    """A section that is named, and what it should say: after a colon, or after "should be"; of the parts also that
    there are none. A further complaint is another job."""
    named = case.reading.first("section")
    if named is None or (named.means == COMPLAINT and (case.reading.has("another") or case.answers.does(*GOES_ON))):
        return None
    new = _told_of(case.reading, named)
    said = case.reading.reader.read(new.partition(",")[0]) if new else case.reading
    if named.means == PARTS and said.has("negation", "absent", "no"):
        return Change((PARTS,))
    return Change((str(named.means),), "", new) if new else None


def _told_of(reading: Reading, named: Cue) -> str:
    """What a section is to say."""
    after = reading.text[named.end :]
    links = [cue for cue in reading.all("section_says") if cue.start <= named.end + 1 <= cue.end]
    links = [cue for cue in links if cue.means != "tells" or named.means == PARTS]
    _, colon, new = after.partition(":")
    return (new if colon else reading.text[links[-1].end :] if links else "").strip(_EDGES)


def _line(case: Case) -> Change | None:
    """A line that is named, and after a colon what it should say."""
    head, colon, new = case.reading.text.partition(": ")
    found = _meant(case, head) if colon and not case.reading.has("report_add", "section") else []
    return Change(tuple(claim.id for claim in found), "", new.strip(_EDGES)) if found and new.strip() else None


def _figure(case: Case) -> Change | None:
    """A figure of the report that another takes the place of: the line is named, or has the old one."""
    told = {case.reading.text[slice(*n.span)]: negated(case.reading, n.span) for n in case.reading.find(numbers)}
    if not told or case.reading.has("report_add", "labor_word"):
        return None
    known = claims(case.state, case.desk)
    named = [claim for claim in known if _is_named(case, claim)]
    lines = named or known
    held = [text for text in told if _holding(lines, text)] or _only_figure(case.reading.reader, named)
    new = [text for text, denied in told.items() if text not in held[:1] and not denied]
    return Change(_holding(lines, held[0]), held[0], new[0]) if held and new else None


def _holding(lines: list[Claim], words: str) -> tuple[str, ...]:
    """The lines in which some words stand."""
    return tuple(claim.id for claim in lines if words and place_in(claim.words, words) >= 0)


def _only_figure(reader: Reader, lines: list[Claim]) -> list[str]:
    """The one figure that some lines have."""
    found = {claim.words[slice(*number.span)] for claim in lines for number in reader.read(claim.words).find(numbers)}
    return list(found) if len(found) == 1 else []


def _is_named(case: Case, claim: Claim) -> bool:
    """Whether a message names the part of a line."""
    stop = case.reading.reader.phrases("stop", "words") | case.reading.reader.phrases("edit_words", "words")
    label = lemmas(claim.label.every, stop) if claim.label is not None else frozenset()
    return any(_alike(stem, other) for stem in lemmas(case.reading.text, stop) for other in label)


def edit(case: Case) -> Iterator[Event]:
    reading = case.reading
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


def _add(case: Case, words: str, cue: Cue | None) -> Iterator[Event]:
    said = case.reading.reader.read(words)
    cause = case.cause(cue.id, cue.span) if cue is not None else case.cause("report.told_late")
    for fact, _, _ in facts_in(case, said, None):
        yield FactLearned(fact=msgspec.structs.replace(fact, added=True), because=cause)


def _remove(case: Case, cue: Cue) -> Iterator[Event]:
    what = case.reading.words(cue.groups["what"])
    found = _meant(case, what)
    if cut := [change for claim in found for change in _cut(case, claim, what)]:
        yield from (ClaimsChanged(change=change, because=case.cause(cue.id, cue.span)) for change in cut)
    elif found:
        change = Change(tuple(claim.id for claim in found))
        yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
    else:
        yield from _which(case, what)


def _cut(case: Case, claim: Claim, words: str) -> Iterator[Change]:
    """The sentences of a line that some words speak of, where others are left; nothing where the line itself is meant,
    or all of it."""
    line, small = case.reading.reader.read(claim.words), case.reading.reader.phrases("edit_words", "words")
    asked = lemmas(words, small | case.reading.reader.phrases("stop", "words"))
    spans = [(span, lemmas(line.words(span))) for span in line.find(sentences)]
    meant = [span for span, held in spans if any(_alike(stem, other) for stem in asked for other in held)]
    of_line = {fold(word) for word in words.split()} & case.reading.reader.phrases("edit_words", "line")
    if not of_line and len(meant) < len(spans):
        yield from (Change((claim.id,), line.words(span).strip()) for span in meant)


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
    """ "It was the left one": the line that says right says left now; where none does, a remark about the machine or
    about some line is added."""
    known = claims(case.state, case.desk)
    pairs = [pair.split() for pair in case.reading.reader.phrases("edits", "opposites")]
    opposite = {stem: other for one, two in pairs for stem, other in ((one, two), (two, one))}
    for word in case.reading.tokens:
        others = [other for stem, other in opposite.items() if case.reading.folded[slice(*word)].startswith(stem)]
        old = _last_word(case, known, others[0]) if others else ""
        if old:
            change = Change(
                tuple(claim.id for claim in known if old in claim.words), old, case.reading.text[slice(*word)]
            )
            yield ClaimsChanged(change=change, because=case.cause(cue.id, cue.span))
            return
    of_machine = bool(case.reading.find(parts)) or bool(case.reading.find(measures))
    if of_machine or _meant(case, case.reading.text):
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
    return _about(reader, words, known)


def _about(reader: Reader, words: str, known: list[Claim]) -> list[Claim]:
    """The lines under the parts that some words name."""
    about = named_parts(reader.read(words))
    return [claim for claim in known if claim.label is not None and about & named_parts(reader.read(claim.label.every))]


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
