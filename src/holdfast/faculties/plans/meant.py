"""Which plan words are about: one choice among those that stand, scored by all that is said of it: its name, what it
is, whom it is for, its town, its day, its time and how many come. And whether a message asks about plans at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from holdfast.events import Entity, ReferenceResolved, Resolution
from holdfast.faculties.facts.slots.readers import party
from holdfast.faculties.plans.parts import begun
from holdfast.faculties.plans.records import Plan, Plans
from holdfast.faculty import Draft
from holdfast.reading.dates import days, hours
from holdfast.reading.endings import says
from holdfast.reading.model.clauses import Clause
from holdfast.reading.places import named_places
from holdfast.reading.reader import Cue, Reading, Span, begins_in, inside, touches, within
from holdfast.reading.standing import clause_end, sentence_of
from holdfast.reading.text import fold

NAMED, KIND, AKIN, CALLED, DAY, PART, HAND = 6, 4, 2, 2, 2, 1, 1
"""What speaks for a plan: its place is named, it is the very thing that is said or one that may be meant by it, it is
called or pointed at, its day, another part of it, and that it is being spoken of."""
UNLIKE = -4
"""What speaks against one: it is another thing, or on another day."""
CHANGING = frozenset({"requests", "corrects", "instructs", "chooses", "confirms", "answers"})
"""Acts of clauses that give or change something: "could we move it to Thursday?"."""
TWO = 2
OPENING = 3
"""Words in which a question opens."""
TALK = frozenset({"remarks", "reports", "thanks", "greets"})
"""Acts of clauses that give nothing."""
SURE = 8
"""Lead from which an act is believed."""
SPEAKS = {"own": 2, "booking": 1, "mine": 1, "again": 1, "tells": 1, "all": 1, "done": 1, "theirs": -4}
"""What the words of a question say for its being one about plans."""
ASKED = 2
"""How much must speak for a question to be one about plans."""
WEEKDAY_LETTERS = 3
"""Letters that tell one weekday from the others, however it is written."""

Kin = Callable[[Reading, Span, Plan], int]
"""How far the words of a span say what a plan is: more than 0 where they may mean it, less where they mean another
thing, 0 where they say nothing of that."""


class Choice(NamedTuple):
    """The plans that some words are about."""

    plans: tuple[Plan, ...] = ()
    """Those that fit best; none where what is said fits none."""
    told: bool = False
    """Whether the words say anything by which a plan is known."""
    described: bool = False
    """Whether they say what it is, when, where or for whom, and not only its name."""
    named: bool = False
    """Whether more than a pronoun says which one."""

    @property
    def one(self) -> Plan | None:
        return self.plans[0] if len(self.plans) == 1 else None


def choose(draft: Draft, kin: Kin, span: Span, alters: bool = False) -> Choice:
    """The plans that the words of a span are about, without those that are named beside another one. Where they alter
    something (`alters`), a day, a time or a number is what they alter it to, and tells little of which plan it is."""
    plans: Plans = draft.state.plans
    said = _without(span, [other for other in draft.reading.find(besides) if other != span])
    scores = {plan: _score(draft, kin, said, plan, alters) for plan in plans.standing}
    if not any(map(any, scores.values())):
        return Choice()
    hand = HAND if alters else 0  # what is asked or taken back may be any of them
    fitting = {plan: sum(score) + hand * (plan == plans.now) for plan, score in scores.items()}
    best = max(*fitting.values(), hand + 1)
    chosen = tuple(plan for plan, score in fitting.items() if score == best)
    return _chosen(chosen, [(0, 0), *map(scores.__getitem__, chosen)])


def _chosen(plans: tuple[Plan, ...], scores: list[tuple[int, int]]) -> Choice:
    named, described = map(max, zip(*scores, strict=True))
    return Choice(plans, True, described > 0, described > 0 or named > CALLED)


def _score(draft: Draft, kin: Kin, said: list[Span], plan: Plan, alters: bool) -> tuple[int, int]:
    """What words say for a plan by naming it, and by describing it."""
    reading = draft.reading
    named = max((_named(draft, kin, part, plan) for part in said), default=0)
    kinds = [kind for part in said if (kind := kin(reading, part, plan) or _called(reading, part, plan))]
    described = max(kinds) if kinds and max(kinds) >= KIND else min(kinds, default=0)
    for part in said:
        described += _when(reading, part, plan, alters) + _where(reading, part, plan) + _who(reading, part, plan)
    return named, described


def _without(span: Span, others: list[Span]) -> list[Span]:
    """The parts of a span beside some others."""
    parts, start = [], span[0]
    for a, b in sorted(others):
        if a < span[1] and start < b:
            parts.append((start, a))
            start = b
    return [*(part for part in parts if part[0] < part[1]), (start, span[1])]


def besides(reading: Reading) -> list[Span]:
    """Where a message names a plan only to say something of another one: "close to the museum", "same as dinner"."""
    return [span for _, span in reading.find(led_beside)]


def led_beside(reading: Reading) -> list[tuple[Cue, Span]]:
    """The same with the cue that leads to it; such words go to the first one that tells something."""
    small = reading.phrases("small", "words") | reading.phrases("plans", "definite")
    found = []
    for cue in reading.all("plan_beside"):
        after = inside(reading.tokens, (cue.end, clause_end(reading, cue.end)))
        told = [token for token in after if reading.said(token) not in small]
        found += [(cue, (cue.start, told[0][1]))] if told else []
    return found


def mentioned(draft: Draft, kin: Kin, span: Span) -> list[Plan]:
    """The plans that the words of a span name or describe one by one, in their order; or all, where it says so."""
    if _means_all(draft, span):
        return list(draft.state.plans.standing)
    pointed = [one.span for one in _resolved(draft, span)]
    words = [token for token in inside(draft.reading.tokens, span) if not touches(token, pointed)]
    found = [choose(draft, kin, part, alters=True) for part in sorted([*words, *pointed])]
    return [*dict.fromkeys(choice.one for choice in found if choice.named and choice.one is not None)]


def _means_all(draft: Draft, span: Span) -> bool:
    """Whether words point at all plans: "both", where there are two."""
    several = {cue.means for cue in within(draft.reading.all("pointing_several"), span)}
    return "all" in several or ("both" in several and len(draft.state.plans.standing) == TWO)


def _named(draft: Draft, kin: Kin, span: Span, plan: Plan) -> int:
    """Whether the place of a plan is called by a word of its name, or pointed at, and not as another kind of thing."""
    small = draft.reading.reader.phrases("small", "words") | draft.reading.reader.phrases("pointing", "small")
    if says(draft.reading, {*fold(plan.venue).split()} - small, span):
        return NAMED
    there = [one for one in _resolved(draft, span) if plan.venue in (entity.name for entity in one.entities)]
    meant = [one for one in there if kin(draft.reading, one.span, plan) >= 0]
    return (CALLED if meant[0].how else NAMED) if meant else 0


def _called(reading: Reading, span: Span, plan: Plan) -> int:
    """Whether a plan is called by what it was made for: "paseo", "the hike"."""
    small = reading.phrases("small", "words")
    return KIND if says(reading, {*fold(plan.what).split()} - small, span) else 0


def _resolved(draft: Draft, span: Span) -> list[Resolution]:
    found = [event.resolution for event in draft.events if isinstance(event, ReferenceResolved)]
    return [one for one in found if one.status == "resolved" and one.how != "silent" and begins_in(one.span[0], [span])]


def elsewhere(draft: Draft, kin: Kin, span: Span) -> Entity | None:
    """A place that was shown and is named in a span, and that is the place of no plan."""
    standing = draft.state.plans.standing
    planned, aside = {plan.venue for plan in standing}, draft.reading.find(besides)
    for found in _resolved(draft, span):
        kind = any(kin(draft.reading, found.span, plan) > 0 for plan in standing)  # "the museum" is the one planned
        if found.how or kind or len(found.entities) != 1 or begins_in(found.span[0], aside):
            continue
        if found.entities[0].name not in planned:
            return found.entities[0]
    return None


def _when(reading: Reading, span: Span, plan: Plan, alters: bool) -> int:
    """What the days and times of a span say for a plan."""
    days_said, hours_said = (within(reading.find(when), span)[-1:] for when in (days, hours))
    if not days_said and not hours_said:
        return 0
    score, planned = 0, reading.reader.read(plan.when)
    for cue in days_said:
        same = _same_day(reading, cue, planned)
        score += 0 if same is None else (PART if alters else DAY) if same else 0 if alters else UNLIKE
    for cue in hours_said:
        told = [planned.said(one.span).split()[-1:] for one in planned.find(hours)]
        score += PART if reading.said(cue.span).split()[-1:] in told else 0
    return score


def _same_day(reading: Reading, cue: Cue, planned: Reading) -> bool | None:
    """Whether a day is that of a plan; None where nobody can tell: "tomorrow" may be a friday."""
    ours, theirs = _day(reading, cue), [_day(planned, one) for one in planned.find(days)]
    if ours in theirs:
        return True
    return False if theirs and all("weekday" in one.groups for one in (cue, *planned.find(days))) else None


def _day(reading: Reading, cue: Cue) -> str:
    if "weekday" in cue.groups:
        return reading.group(cue, "weekday")[:WEEKDAY_LETTERS]
    small = reading.phrases("small", "words")
    return " ".join(word for word in reading.said(cue.span).split() if word not in small)


def _where(reading: Reading, span: Span, plan: Plan) -> int:
    """What the towns of a span say for a plan."""
    said = [fold(place.canonical) for place in begun(reading.find(named_places), span) if place.canonical]
    if not said:
        return 0
    planned = [fold(place.canonical) for place in reading.reader.read(plan.place).find(named_places)]
    return 0 if not planned else PART if said[-1] in planned else UNLIKE


def _who(reading: Reading, span: Span, plan: Plan) -> int:
    """What a span says for a plan of those who come, and of whom it is for."""
    small = reading.phrases("small", "words")
    counted = any(found.value == plan.count for found in begun(party(reading), span))
    return PART * counted + CALLED * bool(plan.whom and says(reading, {*fold(plan.whom).split()} - small, span))


def asks(reading: Reading, clause: Clause) -> bool:
    """Whether a clause asks, and wants nothing to be changed. What is hardly taken for a request and has the mark of a
    question is one; who asks leave for a change ("can we make it eight?") wants it."""
    span = clause.start, clause.end
    leave = within(reading.all("plan_leave"), span) and not within(reading.all("plan_wh"), span)
    if leave or within(reading.all("plan_moves"), span):
        return False
    marked = "?" in reading.said(sentence_of(reading, span))
    return clause.act == "asks" or (marked and (clause.act not in CHANGING or clause.lead < SURE))


def giving(draft: Draft) -> list[Clause]:
    """The clauses of a message that may give something: they neither ask nor only talk."""
    return [clause for clause in draft.clauses if clause.act not in TALK and not asks(draft.reading, clause)]


def asked(draft: Draft, kin: Kin) -> list[tuple[Span, Choice]]:
    """The clauses of a message that ask about plans, and which plans they mean."""
    reading = draft.reading
    spans = [(c.start, c.end) for c in draft.clauses if asks(reading, c) or _opens_question(reading, c)]
    found = [(span, choose(draft, kin, span)) for span in spans]
    about = [(span, choice) for span, choice in found if _of_plans(draft, kin, span, choice)]
    return [one for one in about if one[1].told] or about[:1]


def _opens_question(reading: Reading, clause: Clause) -> bool:
    """Whether a clause that may be read otherwise opens like a question, wants to be told of plans or of a part of one
    ("show me what's booked", but not "show me coffee shops"), or names all of what is planned ("the whole plan", but
    not "book all of it")."""
    span = clause.start, clause.end
    words, cues = inside(reading.tokens, span)[:OPENING], within(reading.all("plan_asks"), span)
    if not words or within(reading.all("cancels"), span):
        return False
    opening = clause.start, words[-1][1]
    if any(cue.means == "tells" for cue in within(cues, opening)):
        again = any(cue.means == "again" for cue in cues)
        return again or bool(within([*reading.all("plan_word"), *reading.all("plan_wh")], span))
    if clause.act == "remarks" and clause.lead >= SURE:
        return False
    every = [cue.end for cue in cues if cue.means == "all"]
    return bool(every) and bool(within(reading.all("plan_word"), (min(every), span[1])))


def _of_plans(draft: Draft, kin: Kin, span: Span, choice: Choice) -> bool:
    """Whether a clause that asks is about plans: by its words of booking, who speaks of themselves, what it says of a
    plan and which part of one it asks for; not where it asks for the hours of a place, or of what is not planned."""
    reading = draft.reading
    words = {cue.means for cue in within([*reading.all("plan_word"), *reading.all("plan_asks")], span)}
    parts = {cue.means for cue in within(reading.all("plan_wh"), span)}
    if elsewhere(draft, kin, span) is not None:
        return False
    known = choice.described or bool(choice.plans and words & {"booking", "again"})
    speaks = sum(SPEAKS[word] for word in words) + known + (known and not parts.isdisjoint(("when", "many")))
    return speaks >= ASKED
