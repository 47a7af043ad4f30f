"""What a technician wants with a message: one intent, read by patterns in a fixed order, never by a model.

The order is that of `RULES` below; the first rule that answers wins. A rule sees the text and, where the same words
mean different things in different moments ("yes" to a step, "yes" to an estimate), the situation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from holdfast.events import Intent
from holdfast.faculties.desk.answers import Answers, evident, nods, shares, tells
from holdfast.faculties.desk.hearing import Heard
from holdfast.faculties.desk.signals import (
    damage,
    faults,
    key_findings,
    measures,
    negated,
    repaired,
    restored,
    supposed,
    wondered,
)
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentence_of, sentences, standing
from holdfast.reading.values import numbers

HYPOTHESES = "LEADING_HYPOTHESES"
HELP = {"LOCATE": "LOCATE_COMPONENT", "EXPLAIN": "GENERIC_STEP_SUPPORT", "HOWTO": "HOW_TO_CHECK"}
CATEGORIES = {
    "appearance": "APPEARANCE_RECOGNITION",
    "target": "CONFIRM_STEP_TARGET",
    "photo": "PHOTO_CONFIRMATION",
    "not_understood": "GENERIC_STEP_SUPPORT",
    "question": "GENERIC_STEP_SUPPORT",
}
SUBMODE = {"LOCATE": "locate", "EXPLAIN": "explain", "HOWTO": "howto"}
SUBMODE_OF_HELP = {
    "LOCATE_COMPONENT": "locate",
    "HOW_TO_CHECK": "howto",
    "CONFIRM_STEP_TARGET": "locate",
    "GENERIC_STEP_SUPPORT": "howto",
}
LEAST_HOURS, MOST_HOURS = 0.5, 20.0
SHORT = 4
"""Words of a text that is short enough to be a nod to an estimate."""

_NOTHING = Shape(r"[ \t]*%evidence_words.nothing%(?!\w)")
_STATED = Shape("%evidence_words.stated%")
_HELP_ORDER = ("photo", "appearance", "target", "not_understood", "question")
_EDGES = " \t\n.,;:!?¿¡\"'()-"


class Situation(NamedTuple):
    """What the same words may mean something else in."""

    step: str | None = None
    component: str = ""
    """The part of the open step, in the language of the case."""
    isolated: bool = False
    labor_pending: bool = False
    authorizing: bool = False
    photo: bool = False
    clarify: bool = True
    facts: bool = False
    numbers: frozenset[float] = frozenset()
    """The readings that are known."""
    answers: Answers = Answers()
    """What each clause of the message is to the open step."""
    stop: frozenset[str] = frozenset()
    worn: bool = False
    """Whether the open step was asked as often as it may be."""


class Read(NamedTuple):
    """An intent with the rule and the words that made it."""

    intent: Intent
    rule: str
    span: Span | None = None
    means: str = ""
    """What made it, where more hangs on that than on the intent itself."""


def read(reading: Reading, now: Situation) -> Read:
    """The intent of a message."""
    for rule in RULES:
        found = rule(reading, now)
        if found is not None:
            return found
    return Read(Intent("UNCLEAR"), "intent.unclear", means="unread")


def beside_question(reading: Reading, asked: Span, told: Answers) -> Span | None:
    """The part of a message that gives a finding beside its question: "12.6 V at the board. Where is the fuse?" """
    end = sentence_of(reading, asked)[1]
    gives = [clause for clause in told.heard if clause.span[1] <= asked[0] or clause.span[0] >= end]
    spans = [clause.span for clause in gives if _finding(reading, clause, told)]
    return (spans[0][0], spans[-1][1]) if spans and not spans[0][0] <= asked[0] < spans[-1][1] else None


def _finding(reading: Reading, clause: Heard, told: Answers) -> bool:
    """Whether a clause reports something, and does not just lead to a question ("ok", "I am at the board")."""
    said = reading.reader.read(reading.words(clause.span))
    if clause in told.given and not nods(said):
        return evident(said) or tells(said) or shares(said, told.asked)
    return clause.does == "finding" and tells(said)


def _silence(reading: Reading, now: Situation) -> Read | None:
    if reading.tokens:
        return None
    if now.photo:
        return Read(Intent("STEP_HELP", now.component, "PHOTO_CONFIRMATION"), "help.photo", means="photo")
    return Read(Intent("UNCLEAR"), "intent.silence", means="unread")


def _off_topic(reading: Reading, now: Situation) -> Read | None:
    cue = reading.first("offtopic")
    if cue is None or reading.has("part", "system", "topic") or reading.find(measures):
        return None
    return Read(Intent("UNCLEAR"), cue.id, cue.span, "unread")


def _flow(reading: Reading, now: Situation) -> Read | None:
    """What comes next, or simply: on. With a step open both are a wish to hear its question."""
    cue = reading.first("flow")
    if cue is not None and _asks(reading, cue):
        return Read(Intent("FLOW_QUESTION"), cue.id, cue.span)
    on = reading.first("go_on")
    return Read(Intent("FLOW_QUESTION"), on.id, on.span) if on is not None else None


def _opinion(reading: Reading, now: Situation) -> Read | None:
    """What the desk makes of it so far: the leading hypotheses are told."""
    cue = reading.first("opinion")
    if cue is None or not now.clarify:
        return None
    return Read(Intent("EXPLAIN", now.component, HYPOTHESES), cue.id, cue.span)


def _not_understood(reading: Reading, now: Situation) -> Read | None:
    if not now.clarify:
        return None
    for cue in reading.all("help"):
        if cue.means == "not_understood":
            return Read(Intent("STEP_HELP", now.component, "GENERIC_STEP_SUPPORT"), cue.id, cue.span, cue.means)
    return None


def _question(reading: Reading, now: Situation) -> Read | None:
    """LOCATE, EXPLAIN, HOWTO: the one that is asked first, the longer form where two begin together."""
    if not now.clarify or (now.isolated and reading.has("dispute", "new_part")):
        return None  # "are you sure that it is the compressor?" is about the conclusion
    found: list[tuple[int, int, int, str, Cue]] = []
    for place, type in enumerate(SUBMODE):
        asked = [cue for cue in reading.all(type.lower()) if cue.means == "why" or _asks(reading, cue)]
        found += [(cue.start, -cue.end, place, type, cue) for cue in asked]
    if not found:
        return None
    *_, type, cue = min(found, key=lambda item: item[:3])
    if now.photo or any(help.means == "photo" for help in reading.all("help")):
        return Read(Intent("STEP_HELP", now.component, "PHOTO_CONFIRMATION"), "help.photo", cue.span, "photo")
    return Read(Intent(type, query(reading, cue, now.component), HELP[type]), cue.id, cue.span)


def _asks(reading: Reading, cue: Cue) -> bool:
    """Whether the words are a question: nothing but fillers before them, or a question mark after them."""
    start, end = sentence_of(reading, cue.span)
    if "?" in reading.text[cue.start : end + 1]:
        return True
    lead = reading.reader.phrases("lead", "words")
    start = max(start, reading.folded.rfind(",", start, cue.start))
    before = [reading.folded[s:e] for s, e in reading.tokens if start <= s and e <= cue.start]
    return all(word in lead for word in before)


def query(reading: Reading, cue: Cue, component: str) -> str:
    """What is asked for: the text after the matched words, without article and end marks."""
    span = cue.groups.get("q")
    if span is None and cue.means == "why":
        return component
    if span is None:
        span = (cue.end, sentence_of(reading, cue.span)[1])
        comma = reading.folded.find(",", *span)
        span = (span[0], comma) if comma >= 0 else span
    text = reading.words(span).strip(_EDGES)
    drop = reading.reader.phrases("articles", "words")
    words = text.split()
    while words and words[0].lower().strip(_EDGES) in drop:
        words = words[1:]
    ends = reading.reader.phrases("ends", "words")
    while words and words[-1].lower() in ends:
        words = words[:-1]
    text = " ".join(words)
    if not text or text.lower() in reading.reader.phrases("pronouns", "words"):
        return component
    return text


def _help(reading: Reading, now: Situation) -> Read | None:
    """Short questions on the open step: how it looks, whether this is the one, a photo."""
    if not now.clarify:
        return None
    if now.photo and not reading.find(measures):
        return Read(Intent("STEP_HELP", now.component, "PHOTO_CONFIRMATION"), "help.photo", means="photo")
    found = sorted(reading.all("help"), key=lambda cue: _HELP_ORDER.index(cue.means))
    for cue in found:
        name = cue.means
        asked = "?" in reading.text or reading.has("asks_inside", "inverted")
        asked = asked or "question" in reading.find(standing).of(cue.span)
        if name == "question" and reading.has("dispute"):
            continue  # "are you sure" is about the conclusion, not about the step
        if name == "photo" or asked:
            return Read(Intent("STEP_HELP", now.component, CATEGORIES[name]), cue.id, cue.span, name)
    return None


def _correction(reading: Reading, now: Situation) -> Read | None:
    cue = reading.first("fix")
    if cue is None or not now.facts or "question" in reading.find(standing).of(cue.span):
        return None
    value = new_value(reading, now.numbers)
    return Read(Intent("CORRECTION", value=value), cue.id, cue.span)


def new_value(reading: Reading, known: frozenset[float]) -> float | None:
    """The figure that a correction puts in place of the old one."""
    for cue in reading.all("fix"):
        if "new" in cue.groups:
            start = cue.groups["new"][0]
            return next((m.value for m in reading.find(measures) if m.span[0] == start), None)
    wrong = reading.first("fix")
    read_ = reading.find(measures)
    after = [m for m in read_ if wrong is not None and m.span[0] >= wrong.end]
    if after:
        return after[-1].value
    if wrong is not None and wrong.means == "wrong":
        return None  # "the 12 V reading was wrong": the figure before it is the old one
    if len(read_) == 1 and read_[0].value not in known:
        return read_[0].value  # "11.6, sorry, typo"
    said = [cue.groups["new"][0] for cue in reading.all("fix_value")]
    return next((m.value for m in reversed(read_) if m.span[0] in said), None)


def _already(reading: Reading, now: Situation) -> Read | None:
    cue = reading.first("already", "pushback")
    if cue is None or ("?" in reading.text and supposed(reading, cue.span)):
        return None  # without a mark "did that already" is no question
    return Read(Intent("ALREADY_ANSWERED"), cue.id, cue.span)


def _unable(reading: Reading, now: Situation) -> Read | None:
    cue = reading.first("unable")
    if cue is None or "any" in cue.groups or reading.find(key_findings) or (now.isolated and reading.has("dispute")):
        return None
    if wondered(reading, cue):
        return None
    if any(m.unit for m in reading.find(measures)):
        return None
    return Read(Intent("UNABLE_TO_VERIFY"), cue.id, cue.span)


def _evidence(reading: Reading, now: Situation) -> Read | None:
    """Damage, a changed measurement, a dispute, something new."""

    def evidence(kind: str, rule: str, span: Span) -> Read:
        return Read(Intent("DISPUTE_OR_NEW_EVIDENCE", evidence=kind), rule, span)

    harm = [hurt for hurt in reading.find(damage) if hurt.found or now.isolated]
    if harm:
        return evidence("physical_damage", harm[0].rule, harm[0].span)
    changed = reading.first("changed")
    if changed is not None and reading.find(restored) is None:
        words = sum(changed.start <= start < changed.end for start, _ in reading.tokens)
        if any(m.unit or now.isolated for m in reading.find(measures)) or (now.isolated and words > 1):
            return evidence("measurement_change", changed.id, changed.span)
    dispute = reading.first("dispute", "new_part") if now.isolated else reading.first("dispute")
    if dispute is not None and (now.isolated or now.step is None or _strong(reading, dispute)):
        return evidence("technician_dispute", dispute.id, dispute.span)
    mind = reading.first("turn_of_mind")
    if mind is None or not now.isolated or negated(reading, (mind.end, mind.end + 1)):
        return None
    seen = reading.reader.made(_NOTHING).match(reading.folded, mind.end) is None
    return evidence("new_observation", mind.id, mind.span) if seen else None


def _strong(reading: Reading, cue: Cue) -> bool:
    """While a step is open, "that's not turning" is an answer; "that can't be" is a dispute."""
    return len(reading.tokens) <= 6 and not reading.reader.made(_STATED).match(reading.folded, cue.start)


def _talk(reading: Reading, now: Situation) -> Read | None:
    """What the learned acts take for something else than an answer, where no clause answers and none tells of the
    machine: the step is asked again, and waits before the guard gives it up."""
    told = now.answers
    if now.step is None or not now.clarify or told.given or not told.heard or told.does("finding"):
        return None
    plain = bool(reading.find(measures)) or bool(reading.find(faults)) or reading.find(repaired) is not None
    if tells(reading) and (plain or not told.talk):
        return None
    if reading.text.rstrip(" )\"'").endswith("?"):
        return None  # any other question is help
    unable, later = told.does("unable"), told.does("later")
    if unable is not None:
        return Read(Intent("UNABLE_TO_VERIFY"), "talk.unable", unable.span, "remark")
    if later is not None and now.clarify:
        return Read(Intent("STEP_HELP", now.component, "GENERIC_STEP_SUPPORT"), "talk.later", later.span, "remark")
    waits = now.worn and now.clarify
    intent = Intent("STEP_HELP", now.component, "GENERIC_STEP_SUPPORT") if waits else Intent("UNCLEAR")
    return Read(intent, "talk.aside", told.heard[0].span, "remark")


def _confirmation(reading: Reading, now: Situation) -> Read | None:
    """Hours or a nod, only while an estimate waits."""
    if not (now.authorizing or (now.labor_pending and now.step is None)):
        return None
    if reading.has("technical") or "?" in reading.text:
        return None
    hours = hours_in(reading)
    if hours is not None and LEAST_HOURS <= hours <= MOST_HOURS:
        return Read(Intent("CONFIRMATION", value=hours), "labor.hours")
    accept = reading.first("labor_accept")
    if accept is not None:
        return Read(Intent("CONFIRMATION", value="accept"), accept.id, accept.span)
    nod = now.labor_pending and now.authorizing and len(reading.tokens) <= SHORT and bool(now.answers.given)
    if nod and hours is None and not reading.has("no", "negation", "politeness", "go_on") and not reading.find(numbers):
        return Read(Intent("CONFIRMATION", value="accept"), "labor.short")
    return None


def hours_in(reading: Reading) -> float | None:
    """Hours in a message: with their unit, or, in a message of few words, a bare number."""
    found = reading.find(numbers)
    timed = [n.value for n in found if n.unit == "h"]
    if timed:
        return timed[-1]
    if len(found) == 1 and found[0].unit is None and len(reading.tokens) <= SHORT:
        return found[0].value
    return None


def _fragment(reading: Reading, now: Situation) -> Read | None:
    """Any other question is help on the open step, unless something is stated beside it."""
    if not now.clarify or "?" not in reading.text:
        return None
    stated = [s for s in reading.find(sentences) if not reading.text[s[0] : s[1]].rstrip("\"') ").endswith("?")]
    if any(start <= m.span[0] < end and m.unit for start, end in stated for m in reading.find(measures)):
        return None
    if stated and reading.find(sentences)[-1] == stated[-1]:
        return None
    return Read(Intent("STEP_HELP", now.component, "GENERIC_STEP_SUPPORT"), "help.question", means="question")


def _later(reading: Reading, now: Situation) -> Read | None:
    """ "I'll check" and "one moment" are no findings yet."""
    cue = reading.first("later")
    if cue is None or reading.find(measures) or len(reading.tokens) > 12 or (now.facts and reading.has("fix")):
        return None
    if any(start > cue.start for start, _ in reading.find(sentences)):
        return None  # "let me check. Yep, it hums"
    if now.step is not None and now.clarify:  # the step waits, and is not used up by being asked again and again
        return Read(Intent("STEP_HELP", now.component, "GENERIC_STEP_SUPPORT"), cue.id, cue.span, "later")
    return Read(Intent("UNCLEAR"), cue.id, cue.span, "unread")


def _labor_talk(reading: Reading, now: Situation) -> Read | None:
    """Hours of work are no finding while a step is open, and bare hours never are."""
    hours = [n for n in reading.find(numbers) if n.unit == "h"]
    if not hours:
        return None
    spoken = now.step is not None and reading.has("labor_change", "labor_word")
    alone = now.step is None and len(reading.tokens) <= SHORT
    return Read(Intent("UNCLEAR"), "labor.not_now", hours[0].span) if spoken or alone else None


def _empty_talk(reading: Reading, now: Situation) -> Read | None:
    """Greetings and thanks say nothing about the step."""
    if not reading.has("politeness"):
        return None
    polite = [cue.span for cue in reading.all("politeness")]
    rest = [t for t in reading.tokens if not any(start <= t[0] < end for start, end in polite)]
    return Read(Intent("UNCLEAR"), "intent.politeness", polite[0]) if not rest else None


def _answer(reading: Reading, now: Situation) -> Read | None:
    """Everything else that can be an answer or a finding."""
    read_ = reading.find(measures)
    yes, no = reading.first("yes"), reading.first("no")
    value: float | str | None = read_[0].value if read_ else "yes" if yes else "no" if no else None
    return Read(Intent("MAIN_DIAGNOSTIC", value=value), "intent.answer", read_[0].span if read_ else None)


RULES: tuple[Callable[[Reading, Situation], Read | None], ...] = (
    _silence,
    _off_topic,
    _later,
    _flow,  # "what is the next step" would read as EXPLAIN
    _opinion,
    _not_understood,
    _question,
    _help,
    _correction,
    _already,
    _unable,
    _evidence,
    _talk,
    _confirmation,
    _fragment,
    _labor_talk,
    _empty_talk,
    _answer,
)
