"""What a technician wants with a message: one intent.

What each clause is, the scorer of `hearing.py` says. The rules here make the intent of a message from that, in their
order (`RULES`); the first that answers wins. A rule sees the text and, where the same words mean different things in
different moments ("yes" to a step, "yes" to an estimate), the situation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from holdfast.events import Intent
from holdfast.faculties.desk import hearing
from holdfast.faculties.desk.answering import SOLVES, Answers, Heard, is_question, mended, works
from holdfast.faculties.desk.signals import (
    damage,
    faults,
    measures,
    negated,
    parts_within,
    whole_name,
)
from holdfast.reading.reader import Reading, Span, overlap, within
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentence_of, sentences
from holdfast.reading.values import Number, numbers

HYPOTHESES, RECORDED = "LEADING_HYPOTHESES", "RECORDED"
SUPPORT, PHOTO = "GENERIC_STEP_SUPPORT", "PHOTO_CONFIRMATION"
ASKS = {
    "locate": ("LOCATE", "LOCATE_COMPONENT"),
    "explain": ("EXPLAIN", SUPPORT),
    "howto": ("HOWTO", "HOW_TO_CHECK"),
    "opinion": ("EXPLAIN", HYPOTHESES),
    "recorded": ("EXPLAIN", RECORDED),
    "appearance": ("STEP_HELP", "APPEARANCE_RECOGNITION"),
    "target": ("STEP_HELP", "CONFIRM_STEP_TARGET"),
    "not_understood": ("STEP_HELP", SUPPORT),
    "question": ("STEP_HELP", SUPPORT),
}
"""The intent of a question, and the kind of help, by what is asked for."""
SUBMODE = {"LOCATE": "locate", "EXPLAIN": "explain", "HOWTO": "howto"}
SUBMODE_OF_HELP = {
    "LOCATE_COMPONENT": "locate",
    "HOW_TO_CHECK": "howto",
    "CONFIRM_STEP_TARGET": "locate",
    SUPPORT: "howto",
}
TELLS = ("finding", "note", *SOLVES)
"""What tells of the machine and may be no answer."""
LEAST_HOURS, MOST_HOURS = 0.5, 20.0
DOUBTED = 10
"""How far a question must lead over anything else where no mark makes it one."""


MAX_NAME_WORDS = 2
MAX_NOD_WORDS = 4
"""Words of a text that is short enough to be a nod to an estimate."""

_NOTHING = Shape(r"[ \t]*%evidence_words.nothing%(?!\w)")


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
    units: frozenset[str | None] = frozenset()
    """Their units."""
    answers: Answers = Answers()
    """What each clause of the message is to the open step."""
    asking: bool = True
    """Whether the message may ask something, as a whole."""
    worn: bool = False
    """Whether the open step was asked as often as it may be."""
    chosen: bool = False
    """Whether it says which of several systems is meant, where that was asked."""


class Read(NamedTuple):
    """An intent with the rule and the words that made it."""

    intent: Intent
    rule: str
    span: Span | None = None
    means: str = ""
    """What made it, where more hangs on that than on the intent itself."""


def read(reading: Reading, now: Situation) -> Read:
    """The intent of a message."""
    return next(found for rule in RULES if (found := rule(reading, now)) is not None)


def beside_question(reading: Reading, asked: Span, told: Answers) -> Span | None:
    """The part of a message that gives a finding beside its question: "12.6 V at the board. Where is the fuse?" """
    start, end = sentence_of(reading, asked)
    gives = [clause for clause in told.heard if clause.span[1] <= asked[0] or clause.span[0] >= end]
    at = next((clause for clause in told.heard if clause.span[0] <= asked[0] < clause.span[1]), None)
    flows = at is not None and at.does == "flow" and told.asked.answer == "state"  # "no. what's next?"
    # "ok, and now?" only leads to its question
    plain = [clause for clause in told.given if flows and not start <= clause.span[0] < end]
    spans = [clause.span for clause in gives if clause in plain or _finding(reading, clause, told)]
    return (spans[0][0], spans[-1][1]) if spans and not spans[0][0] <= asked[0] < spans[-1][1] else None


def _finding(reading: Reading, clause: Heard, told: Answers) -> bool:
    """Whether a clause reports something, and does not just lead to a question ("ok", "I see a pump"). An "ok" after
    the name of a part is what was found: "fuse ok"."""
    if _is_heard(reading, clause.span):
        return True
    if clause not in told.given and clause.does not in TELLS:
        return False
    leads = [cue.span for family in ("yes", "checked", "found", "part") for cue in reading.all(family)]
    well = [cue.end for cue in within(reading.all("in_order"), clause.span)]
    if any(part.span[1] <= max(well, default=0) for part in parts_within(reading, clause.span)):
        return True
    words = _content_words(reading, clause.span)
    return any(not any(start <= word < end for start, end in leads) for word, _ in words)


def _is_heard(reading: Reading, span: Span) -> bool:
    """Whether words outside a question tell how something is, or what was done."""
    told = hearing.spans(reading, "good", "bad", "reading", "done", "works")
    return not is_question(reading, span) and any(overlap(one, span) for one in told)


def _content_words(reading: Reading, span: Span) -> list[Span]:
    """The words of a clause without those that make it a question."""
    small = reading.reader.phrases("query", "words")
    return [w for w in reading.tokens if span[0] <= w[0] < span[1] and reading.folded[slice(*w)] not in small]


def _silence(reading: Reading, now: Situation) -> Read | None:
    if reading.tokens:
        return None
    if now.photo:
        return Read(Intent("STEP_HELP", now.component, PHOTO), "help.photo", means="photo")
    return Read(Intent("UNCLEAR"), "intent.silence", means="unread")


def _chosen(reading: Reading, now: Situation) -> Read | None:
    """ "Which is up top" answers which one it is, and asks nothing."""
    return Read(Intent("MAIN_DIAGNOSTIC"), "system.chosen") if now.chosen and "?" not in reading.text else None


def _disputes(reading: Reading, now: Situation) -> bool:
    """ "Are you sure that it is the compressor?" is about the conclusion, and no question for help."""
    return now.isolated and now.answers.does("dispute") is not None


def _asked(reading: Reading, now: Situation) -> Heard | None:
    """What is asked for most clearly; without a mark, only where nothing else comes near, and nothing that cannot be
    done is plainer: "where would I even measure that, no clue"."""
    asked, unable = now.answers.does(*ASKS, "flow"), now.answers.does("unable")
    plain = max(DOUBTED, unable.lead if unable is not None else 0)
    doubted = asked is not None and asked.asks < plain and "?" not in reading.text
    return None if doubted or not now.asking or _disputes(reading, now) else asked


def _flow(reading: Reading, now: Situation) -> Read | None:
    """What comes next: with a step open, a wish to hear its question."""
    asked = _asked(reading, now)
    return Read(Intent("FLOW_QUESTION"), "asks.flow", asked.span) if asked and asked.does == "flow" else None


def _photo(reading: Reading, now: Situation) -> Read | None:
    if not now.clarify or _disputes(reading, now):
        return None
    told = bool(now.answers.given or reading.find(measures))  # "burnt on one corner" with a photo is an answer
    shown = now.photo and (_asked(reading, now) is not None or not told)
    help = shown or reading.has("help")
    return Read(Intent("STEP_HELP", now.component, PHOTO), "help.photo", means="photo") if help else None


def _question(reading: Reading, now: Situation) -> Read | None:
    asked = _asked(reading, now)
    if asked is None or not now.clarify:
        return None
    type, help = ASKS[asked.does]
    own = "" if help == RECORDED else now.component
    about = query(reading, asked.span, own) if type in SUBMODE and help != HYPOTHESES else own
    return Read(Intent(type, about, help), f"asks.{asked.does}", asked.span, asked.does if type == "STEP_HELP" else "")


def query(reading: Reading, span: Span, component: str) -> str:
    """What a question is about: the part that it names, or a word or two of its own ("fuse box", "voltage"); of a whole
    sentence without one ("what do you need from me now") no part can be told, and the open step's is meant."""
    named, words = parts_within(reading, span), _content_words(reading, span)
    if named:
        return reading.words(whole_name(reading, named[0].span))
    return reading.text[words[0][0] : words[-1][1]] if 0 < len(words) <= MAX_NAME_WORDS else component


def _correction(reading: Reading, now: Situation) -> Read | None:
    """What is put right: in words for it, or by a known figure that is denied beside another ("117, not 118")."""
    value = new_value(reading, now.numbers)
    found = value is None and any(hurt.found for hurt in reading.find(damage))  # "actually, I see a hole in it"
    if found or not now.facts or not _is_of_a_known(reading, value, now):
        return None
    told = now.answers.does("corrects") or _denied(reading, now, value)
    return Read(Intent("CORRECTION", value=value), "asks.corrects", told.span) if told else None


def _denied(reading: Reading, now: Situation, value: float | None) -> Number | None:
    """A known figure that is denied beside another."""
    if value is None:
        return None
    return next((n for n in reading.find(numbers) if n.value in now.numbers and negated(reading, n.span)), None)


def _is_of_a_known(reading: Reading, value: float | None, now: Situation) -> bool:
    """Whether a figure can take the place of a known one: ohms put no volts right, they are a reading of their own."""
    units = {m.unit for m in reading.find(measures) if m.value == value} - {None}
    return not units or not units.isdisjoint(now.units)


def new_value(reading: Reading, known: frozenset[float]) -> float | None:
    """The figure that a correction puts in place of the old one: the last that is neither known nor denied."""
    read_ = [m.value for m in reading.find(measures) if m.value not in known and not negated(reading, m.span)]
    return read_[-1] if read_ else None


def _already(reading: Reading, now: Situation) -> Read | None:
    told = now.answers.does("already")
    return Read(Intent("ALREADY_ANSWERED"), "asks.already", told.span) if told is not None else None


def _unable(reading: Reading, now: Situation) -> Read | None:
    told = now.answers.does("unable") if now.step is not None else None
    if told is None or any(clause.lead > told.lead for clause in now.answers.given):
        return None
    return Read(Intent("UNABLE_TO_VERIFY"), "asks.unable", told.span, "remark")


def _evidence(kind: str, rule: str, span: Span) -> Read:
    return Read(Intent("DISPUTE_OR_NEW_EVIDENCE", evidence=kind), rule, span)


def _damage(reading: Reading, now: Situation) -> Read | None:
    harm = [hurt for hurt in reading.find(damage) if hurt.found or now.isolated]
    return _evidence("physical_damage", harm[0].rule, harm[0].span) if harm else None


def _changed(reading: Reading, now: Situation) -> Read | None:
    """Something reads another way now; without a unit, only after a conclusion."""
    changed = reading.first("changed")
    told = any(m.unit or now.isolated for m in reading.find(measures))
    if changed is None or (reading.find(works) is not None and not told):
        return None
    return _evidence("measurement_change", changed.id, changed.span) if told else None


def _dispute(reading: Reading, now: Situation) -> Read | None:
    dispute = now.answers.does("dispute")
    return _evidence("technician_dispute", "asks.dispute", dispute.span) if dispute is not None else None


def _turn_of_mind(reading: Reading, now: Situation) -> Read | None:
    """ "Wait, now I see…" after a conclusion, unless what follows is that nothing was seen."""
    mind = reading.first("turn_of_mind")
    if mind is None or not now.isolated or negated(reading, (mind.end, mind.end + 1)):
        return None
    seen = reading.reader.made(_NOTHING).match(reading.folded, mind.end) is None
    return _evidence("new_observation", mind.id, mind.span) if seen else None


def _leaves(reading: Reading, now: Situation) -> Read | None:
    """Who says goodbye is let go; the case waits as it is."""
    told = now.answers.does("leaves")
    if told is None or now.answers.given or any(clause.does in TELLS for clause in now.answers.heard):
        return None
    help = Intent("STEP_HELP", now.component, SUPPORT) if now.step is not None and now.clarify else Intent("UNCLEAR")
    return Read(help, "talk.leaves", told.span, "leaves")


def _skips(reading: Reading, now: Situation) -> Read | None:
    """No more checks: none of those that are left can be verified."""
    told = now.answers.does("skips")
    if now.answers.given or any(clause.does in TELLS for clause in now.answers.heard):
        return None
    return Read(Intent("UNABLE_TO_VERIFY"), "asks.skips", told.span, "skips") if told is not None else None


def _only_talks(reading: Reading, told: Answers) -> bool:
    """Whether no clause answers and none tells of the machine."""
    tells = [clause for clause in told.heard if clause.does in ("answer", *TELLS)]
    if not told.heard or told.given or not all(is_question(reading, clause.span) for clause in tells):
        return False
    return not reading.find(faults) and reading.find(mended) is None


def _says_nothing(told: Answers, span: Span) -> Read | None:
    """Talk and "later", where no step is open."""
    talks = told.talk or told.does("later") is not None
    return Read(Intent("UNCLEAR"), "talk.later", span, "unread") if talks else None


def _talk(reading: Reading, now: Situation) -> Read | None:
    """Where a message only talks, the open step is asked again, and waits before the guard gives it up; where none is
    open, talk and "later" say nothing."""
    told, later = now.answers, now.answers.does("later")
    if not _only_talks(reading, told):
        return None
    span = (later or told.heard[0]).span
    if now.step is None or not now.clarify:
        return _says_nothing(told, span)
    if "?" in reading.text and not told.talk:
        return None  # any other question is help
    if later is not None or now.worn:
        return Read(Intent("STEP_HELP", now.component, SUPPORT), "talk.later", span, "remark")
    return Read(Intent("UNCLEAR"), "talk.aside", span, "remark")


def _confirmation(reading: Reading, now: Situation) -> Read | None:
    """Hours or a nod, only while an estimate waits."""
    waits = now.authorizing or (now.labor_pending and now.step is None)
    if not waits or reading.has("technical") or "?" in reading.text:
        return None
    hours = hours_in(reading)
    if hours is not None and LEAST_HOURS <= hours <= MOST_HOURS:
        return Read(Intent("CONFIRMATION", value=hours), "labor.hours")
    accept = reading.first("labor_accept")
    return Read(Intent("CONFIRMATION", value="accept"), accept.id, accept.span) if accept is not None else None


def hours_in(reading: Reading) -> float | None:
    """Hours in a message: with their unit, or, in a message of few words, a bare number."""
    found = reading.find(numbers)
    timed = [n.value for n in found if n.unit == "h"]
    bare = len(found) == 1 and found[0].unit is None and len(reading.tokens) <= MAX_NOD_WORDS
    return timed[-1] if timed else found[0].value if bare else None


def _fragment(reading: Reading, now: Situation) -> Read | None:
    """Any other question is help on the open step, unless something is told after it."""
    stated = [span for span in reading.find(sentences) if not is_question(reading, span)]
    told = stated[-1:] == reading.find(sentences)[-1:] and not _only_talks(reading, now.answers)
    if not now.clarify or "?" not in reading.text or told:
        return None
    asks = next((clause.span for clause in now.answers.heard if is_question(reading, clause.span)), None)
    return Read(Intent("STEP_HELP", now.component, SUPPORT), "help.question", asks, "question")


def _labor_talk(reading: Reading, now: Situation) -> Read | None:
    """Hours of work are no finding while a step is open, and bare hours never are."""
    hours = [n for n in reading.find(numbers) if n.unit == "h"]
    if not hours or any(clause.does in TELLS for clause in now.answers.heard):
        return None
    spoken = now.step is not None and reading.has("labor_change", "labor_word")
    alone = now.step is None and len(reading.tokens) <= MAX_NOD_WORDS
    return Read(Intent("UNCLEAR"), "labor.not_now", hours[0].span) if spoken or alone else None


def _answer(reading: Reading, now: Situation) -> Read:
    """Everything else that can be an answer or a finding."""
    read_ = reading.find(measures)
    word = "yes" if reading.has("yes") else "no" if reading.has("no") else None
    return Read(
        Intent("MAIN_DIAGNOSTIC", value=read_[0].value if read_ else word),
        "intent.answer",
        read_[0].span if read_ else None,
    )


RULES: tuple[Callable[[Reading, Situation], Read | None], ...] = (
    _silence,
    _chosen,
    _confirmation,
    _flow,
    _photo,
    _question,
    _correction,
    _leaves,
    _skips,
    _already,
    _unable,
    _damage,
    _changed,
    _dispute,
    _turn_of_mind,
    _labor_talk,
    _talk,
    _fragment,
    _answer,
)
