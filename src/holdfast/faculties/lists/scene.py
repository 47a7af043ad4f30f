"""A message in the parts that each do one thing to a list, and what a part is decided from."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from holdfast.faculties.lists.headings import EDGES, Heading, headings, is_bare, is_task
from holdfast.faculties.lists.kept import Lists
from holdfast.faculty import Draft
from holdfast.reading.kinds import TIMES, typed_spans
from holdfast.reading.model.clauses import DOUBTED, Clause
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Cue, Reading, Span, begins_in, inside, touches, within
from holdfast.reading.standing import standing

JUST = 2
"""Rows of the log after which a list is still the one that was spoken of just before: its reply and this message."""
NOT_MEANT = frozenset({"negated", "hypothetical", "quoted"})
CHANGES = frozenset({"adds", "removes", "clears", "moves"})
"""Verbs that change a list where they ask for it, and only tell of it after the one who does: "you put …"."""
KEEPS = frozenset({"reminds", "forgets", "plans"})
"""Verbs after which whatever is said is to be kept, verbs and all: "remind me to move the car"."""
_SENTENCE = re.compile(r"[.!?\n](?=\s|$)")


class Part(NamedTuple):
    """A stretch of a message with one verb at most."""

    start: int
    end: int
    act: str
    keep: int
    verb: Cue | None
    lists: tuple[Cue, ...]
    """The words for lists in it."""
    heading: Heading | None = None
    """What it begins with, where it is a row under a heading."""

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def does(self) -> str:
        return self.verb.means if self.verb is not None else ""

    @property
    def does_at(self) -> int:
        """Where its verb stands."""
        return self.verb.start if self.verb is not None else self.start

    @property
    def traits(self) -> frozenset[str]:
        return self.verb.traits if self.verb is not None else frozenset()

    @property
    def said(self) -> Span:
        """What follows its verb."""
        return (self.verb.end if self.verb is not None else self.start), self.end


class Scene:
    """A part of a message, and all that it is decided from."""

    def __init__(self, draft: Draft, parts: Sequence[Part], place: int, held: Lists) -> None:
        self.draft, self.parts, self.place, self.part, self.held = draft, parts, place, parts[place], held
        self.reading = draft.reading
        self.before = parts[:place]

    @cached_property
    def just(self) -> str:
        """The list that was spoken of just before, or whose things were."""
        return self.held.open if self.draft.ago(self.held.version) <= JUST else ""

    @cached_property
    def flags(self) -> frozenset[str]:
        """How the part stands: asked, denied, supposed."""
        return frozenset(self.reading.find(standing).of(self.part.span))

    def words(self, *names: str) -> frozenset[str]:
        return self.reading.phrases("lists", *names)


def parts(draft: Draft) -> list[Part]:
    """The message in parts: at its clauses, and at the verbs in them that a conjunction joins."""
    if not draft.clauses:
        return []
    reading, verbs = draft.reading, _verbs(draft.reading)
    headed = {heading.start: heading for heading in headings(reading, verbs)}
    rows = [heading.row for heading in headed.values()]
    verbs = [verb for verb in verbs if not begins_in(verb.start, rows)]
    firm = {*headed, *_after(reading, rows)}
    begins = {start for start in _begins(draft, verbs) if not begins_in(start, rows)}
    starts = _unbroken(reading, sorted(begins | firm), verbs, firm)
    ends = [*starts[1:], draft.clauses[-1].end]
    spans = zip(starts, ends, strict=True)
    return [_part(draft, verbs, span, headed.get(span[0])) for span in spans if span[0] < span[1]]


def _after(reading: Reading, rows: list[Span]) -> list[int]:
    """Where something follows a row."""
    return [end + 1 for _, end in rows if reading.text[end + 1 :].strip()]


def _begins(draft: Draft, verbs: list[Cue]) -> set[int]:
    """Where clauses begin, and verbs in them that do something else."""
    begins = {clause.start for clause in draft.clauses}
    return begins | {
        verb.start for verb in verbs if _is_joined(draft.reading, verb, max(n for n in begins if n <= verb.start))
    }


def _is_joined(reading: Reading, verb: Cue, start: int) -> bool:
    """Whether a verb begins something else in the clause that begins at a place."""
    before = reading.folded[start : verb.start].split()
    joined = len(before) > 1 and (before[-1] in reading.phrases("lists", "joins") or before[-1][-1] in ",;")
    return joined and verb.means != "refuses" and "better" not in verb.traits


def _part(draft: Draft, verbs: list[Cue], span: Span, heading: Heading | None) -> Part:
    clause = next(c for c in reversed(draft.clauses) if c.start <= span[0])
    verb = _leading(within(verbs, span))
    head = span if heading is None else (span[0], heading.row[0])
    words = [cue for cue in within(draft.reading.all("list_word"), head) if _names_a_list(draft.reading, verb, cue)]
    asked = "question" in draft.reading.find(standing).of(span)  # the form asks where no verb wants anything else
    act = "asks" if (asked if verb is None else _asks_again(draft, clause, verb)) else clause.act
    return Part(*span, act, clause.keep, verb, tuple(words), heading)


def _asks_again(draft: Draft, clause: Clause, verb: Cue) -> bool:
    """Whether a clause asks for what was told rather than for a reminder: "remind me why we chose it", "what was the
    port, remind me"; "remind me when the exam is" may do either."""
    reading = draft.reading
    if verb.means != "reminds" or _is_to_be_done(reading, clause, verb):
        return False
    after = next((one for one in reading.find(tokens_of) if one.start >= verb.end and one.shape != "."), None)
    if after is None or "askword" not in after.kinds:
        asked = any(other.act == "asks" for other in draft.clauses if other.end <= clause.start)
        return asked and not times(reading, (verb.end, clause.end))
    may_ask = "asks" in clause.likeliest and clause.lead < DOUBTED
    return may_ask or after.word not in reading.phrases("lists", "either")


def _is_to_be_done(reading: Reading, clause: Clause, verb: Cue) -> bool:
    """Whether a time stands before the verb or a task behind it: «завтра напомни, что …», "remind me to …"."""
    timed = times(reading, (clause.start, verb.start))
    return bool(timed) or is_task(reading, reading.said((verb.end, clause.end)))


def _names_a_list(reading: Reading, verb: Cue | None, word: Cue) -> bool:
    """Whether a word for a list names one beside a verb: "put it on there", but not "what is there?", not the reminder
    of "set a reminder", and not "a function that sums numbers in a list"."""
    inside_verb = verb is not None and verb.start <= word.start and word.end <= verb.end
    any_of_them = not word.groups and not reading.phrases("lists", "any").isdisjoint(
        reading.said(word.span).split()[1:]
    )
    return (
        not inside_verb
        and not any_of_them
        and not _is_made_into_more(reading, verb, word)
        and (word.means != "there" or (verb is not None and verb.means == "adds"))
    )


def _is_made_into_more(reading: Reading, verb: Cue | None, word: Cue) -> bool:
    """Whether something else is to be made that only has the word: "make a list component", "an app with a list"."""
    if verb is None or "made" not in verb.traits:
        return False
    after = reading.folded[word.end :].split(maxsplit=1)[:1]
    closed = not after or reading.folded[word.end - 1] in EDGES or reading.folded[word.end] in EDGES.strip()
    itself = is_bare(reading, (verb.end, word.start), ())
    return not (itself and (closed or reading.phrases("lists", "holds").issuperset(after)))


def _leading(verbs: list[Cue]) -> Cue | None:
    """The verb that says what is done."""
    return min(
        verbs, key=lambda cue: (cue.means not in KEEPS, cue.means == "refuses", "better" in cue.traits), default=None
    )


def _verbs(reading: Reading) -> list[Cue]:
    """The verbs that are meant so, the longest of those that overlap."""
    flags, found = reading.find(standing), list[Cue]()
    for cue in sorted(reading.all("list_does"), key=lambda cue: (cue.start, -cue.end)):
        denied = flags.of((cue.start, cue.start + 1)) & NOT_MEANT and cue.means not in ("forgets", "refuses", "misses")
        told = cue.means in CHANGES and _is_told_of(reading, cue)
        if not (denied or told) and not touches(cue.span, [other.span for other in found]):
            found.append(cue)
    return found


def _is_told_of(reading: Reading, verb: Cue) -> bool:
    """Whether a verb tells what somebody does or did and asks for nothing: "you just put 4 things on it"."""
    before = [word for word in reading.folded[: verb.start].split() if word not in reading.phrases("lists", "just")][
        -2:
    ]
    does = reading.phrases("lists", "doers")
    return before[-1:] != [] and before[-1] in does and before[0] not in reading.phrases("lists", "may")


def sentence_end(reading: Reading, part: Part) -> int:
    """Where the sentence ends that a part stands in."""
    end = _SENTENCE.search(reading.text, part.does_at)
    return end.end() if end is not None else len(reading.text)


def _unbroken(reading: Reading, begins: list[int], verbs: list[Cue], firm: Container[int]) -> list[int]:
    """Without the borders inside what one verb says, but for those that are firm."""
    kept = begins[:1]
    for start, end in pairwise([*begins[1:], len(reading.text)]):
        lead = _leading(within(verbs, (kept[-1], start)))
        if lead is None:
            goes_on = _dates_what_follows(reading, verbs, (kept[-1], start), end)
        else:
            over = _SENTENCE.search(reading.text, lead.end, start)
            goes_on = not over and _goes_on(reading, lead, (start, end))
        if start in firm or not goes_on:
            kept.append(start)
    return kept


def _dates_what_follows(reading: Reading, verbs: list[Cue], span: Span, end: int) -> bool:
    """Whether some words only say when one is to be reminded of what follows: "tomorrow at 9 remind me …"."""
    following = _leading(within(verbs, (span[1], end)))
    return following is not None and following.means in KEEPS and says_only_when(reading, span)


def _goes_on(reading: Reading, verb: Cue, span: Span) -> bool:
    """Whether some words still belong to the verb before them: a row after a colon, what else one is to be reminded
    of, or a row whose list is named at its end."""
    own, named = within(reading.all("list_does"), span), within(reading.all("list_word"), span)
    if verb.means in KEEPS and verb.means != "plans":
        other = bool(own) and (bool(named) or any(cue.means == "reminds" for cue in own))
        return says_only_when(reading, (verb.end, span[0])) or (not other and _is_one_more(reading, span))
    if ":" in reading.text[verb.start : span[0]]:
        return not own
    named_before = within(reading.all("list_word"), (verb.start, span[0]))
    row_on = verb.means == "adds" and not is_telling(reading, span)  # "add milk, some eggs and bread"
    return not own and (row_on or (verb.means in ("adds", "removes") and bool(named) and not named_before))


def is_telling(reading: Reading, span: Span) -> bool:
    """Whether some words tell or ask of somebody rather than name things: they have a subject, a pronoun or a form of
    "be", or begin like a question."""
    inside = [one for one in reading.find(tokens_of) if span[0] <= one.start < span[1] and one.shape != "."]
    speaks = reading.phrases("question", "subjects") | reading.phrases("repair", "aux")
    plain = reading.phrases("lists", "articles")
    tells = any((one.word in speaks or "pointer" in one.kinds) and one.word not in plain for one in inside)
    return tells or any("askword" in one.kinds for one in inside[:1])


def _is_one_more(reading: Reading, span: Span) -> bool:
    """Whether words go on with what is to be done: "and to pay the band", «и в пятницу оплатить», "y recoger"."""
    first, _, rest = reading.folded[slice(*span)].partition(" ")
    joined = first.strip(EDGES) in reading.phrases("lists", "joins")
    return joined and (is_task(reading, rest) or (bool(times(reading, span)) and " " in rest))


def says_only_when(reading: Reading, span: Span) -> bool:
    """Whether a stretch says a time and nothing else: "remind me tomorrow at 8 that …"."""
    found = times(reading, span)
    return bool(found) and is_bare(reading, span, found)


def times(reading: Reading, span: Span) -> list[Span]:
    """What a stretch says of days and hours."""
    return inside([one[:2] for one in reading.find(typed_spans) if one.type in TIMES], span)
