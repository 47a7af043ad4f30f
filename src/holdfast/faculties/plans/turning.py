"""Which plan a message is about, before anything of it is taken: so what it gives belongs to that plan.

A question about plans gives nothing, and neither do the words by which one is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Cause, Entity, Event, ReferenceResolved, Resolution
from holdfast.faculties.plans.keeping import ended, shown
from holdfast.faculties.plans.meant import Choice, Kin, asked, asks, choose, elsewhere, giving, led_beside, mentioned
from holdfast.faculties.plans.parts import begun, counts, moved_to
from holdfast.faculties.plans.records import Plan, PlanBeside, PlansAsked, PlanTurnedTo
from holdfast.faculty import Draft
from holdfast.reading.dates import days, hours, shifts
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Cue, Reading, Span, within
from holdfast.reading.standing import clause_end, sentence_of, standing
from holdfast.reading.values import numbers

UNWANTED = frozenset({"negated", "question"})
"""How words stand that cancel nothing: "don't cancel it", "can I cancel later?"."""


def spoken_of(draft: Draft, kin: Kin, dropped: list[Span]) -> Iterator[Event]:
    """What a message asks about plans, which of them it takes back, and to which it turns; `dropped` is where it is
    heard to give up a place."""
    for cue, span in draft.reading.find(led_beside):
        if (plan := choose(draft, kin, span).one) is not None:
            because = draft.cause("plan.beside", span)
            yield PlanBeside(id=plan.id, line=plan.line(), near=cue.means == "near", because=because)
    questions = asked(draft, kin)
    for span, choice in questions:
        plans = choice.plans if choice.told else draft.state.plans.standing
        yield _told(plans, draft.cause("plan.asked", span))
    if draft.reading.has("cancels"):
        yield from _cancelled(draft, kin)
    elif given_up := _given_up(draft, kin, dropped):
        yield from ended(draft, given_up[0], draft.cause("plan.given_up", given_up[1]))
    elif not questions and draft.state.plans.standing:
        yield from _turned(draft, kin)


def _cancelled(draft: Draft, kin: Kin) -> Iterator[Event]:
    """A person takes back plans: those that the words beside "cancel" are about. Where none fits, or several do,
    none is cancelled."""
    if elsewhere(draft, kin, (0, len(draft.reading.text))) is not None:
        return  # "cancel that and put me down for the third" moves it there
    stands = draft.reading.find(standing)
    for cue in draft.reading.all("cancels"):
        if stands.of(cue.span).isdisjoint(UNWANTED):
            clause = next((c for c in draft.clauses if c.start <= cue.start < c.end), None)
            whole = (clause.start, clause.end) if clause is not None else sentence_of(draft.reading, cue.span)
            yield from _taken_back(draft, kin, cue, whole)


def _given_up(draft: Draft, kin: Kin, dropped: list[Span]) -> tuple[Plan, Span] | None:
    """The plan whose place is given up though no word of cancelling says so: "kill it", "forget the railway"."""
    if not dropped or elsewhere(draft, kin, (0, len(draft.reading.text))) is not None:
        return None
    choice = choose(draft, kin, dropped[0])
    return (choice.one, dropped[0]) if choice.one is not None else None


def _taken_back(draft: Draft, kin: Kin, cue: Cue, whole: Span) -> Iterator[Event]:
    plans, because = draft.state.plans, draft.cause("plan.cancelled", whole)
    piece = _piece(draft.reading, cue, whole)
    several = mentioned(draft, kin, piece)  # "cancel both", "cancel dinner and the museum"
    choice = _to_cancel(draft, kin, cue, (piece, whole))
    plan = choice.one if choice.told else plans.now or next(reversed(plans.standing), None)
    if plan is not None or len(several) > 1:
        for one in several if len(several) > 1 or plan is None else [plan]:
            yield from ended(draft, one, because)
    elif plans.standing:
        yield _told(choice.plans or plans.standing, because, to_cancel=True)


def _to_cancel(draft: Draft, kin: Kin, cue: Cue, spans: tuple[Span, Span]) -> Choice:
    """The plans that the words beside "cancel" are about; where no more than a pronoun says which one, the one that
    was named before it: "the museum is too much, cancel that one"."""
    piece, whole = spans
    choice = choose(draft, kin, piece)
    choice = choice if choice.told else choose(draft, kin, (piece[0], whole[1]))  # "отмени то, что в четверг"
    before = sentence_of(draft.reading, cue.span)[0], cue.start
    return choice if choice.named else _named_before(draft, kin, before) or choice


def _named_before(draft: Draft, kin: Kin, span: Span) -> Choice | None:
    """The plan that is named last before a place; none at all, where what is named is no plan."""
    named, choice = mentioned(draft, kin, span), choose(draft, kin, span)
    if named:
        return Choice((named[-1],), True)
    return choice if choice.told and not choice.plans else None


def _turned(draft: Draft, kin: Kin) -> Iterator[Event]:
    """The talk turns to the plan that the first clause means which gives something and says which one it means; or to
    several, where each of them gets something."""
    whole = (0, len(draft.reading.text))
    if len(several := changes(draft, kin)) > 1:
        for one in several:
            yield PlanTurnedTo(id=one.id, line=one.line(), because=draft.cause("plan.turned", whole))
        return
    for clause in draft.clauses:
        span = clause.start, clause.end
        if asks(draft.reading, clause) or not _gives(draft.reading, span):
            continue
        choice = choose(draft, kin, span, alters=True)
        plan = choice.one
        if plan is None:
            continue
        yield PlanTurnedTo(id=plan.id, line=plan.line(), because=draft.cause("plan.turned", span))
        yield from shown(draft, plan)
        return


def changes(draft: Draft, kin: Kin) -> dict[Plan, dict[str, str]]:
    """What a message gives to each plan that it names: the numbers and times of a clause are for those that it names,
    one of them for all. Those of a clause that names none are for what is named after it: "we're five, for dinner and
    the museum"."""
    found: dict[Plan, dict[str, str]] = {}
    given: dict[str, list[str]] = {}
    for clause in draft.clauses:
        span = clause.start, clause.end
        plans, new = mentioned(draft, kin, span), _given(draft, clause)
        given = new or given
        for place, plan in enumerate(plans):
            if gets := _share(given, place, len(plans)):
                found.setdefault(plan, {}).update(gets)
    return found


def _share(given: dict[str, list[str]], place: int, count: int) -> dict[str, str]:
    """What one of several plans gets: its own number and time, or those that are for all."""
    return {part: values[place % len(values)] for part, values in given.items() if len(values) in (1, count)}


def _given(draft: Draft, clause: Clause) -> dict[str, list[str]]:
    """The numbers of people and the times of a clause that may give something."""
    span, reading = (clause.start, clause.end), draft.reading
    times = [reading.words(cue.span) for cue in within(reading.find(hours), span)]
    told = {"count": counts(reading, span), "when": times} if clause in giving(draft) else {}
    return {part: values for part, values in told.items() if values}


def _told(plans: tuple[Plan, ...], because: Cause, to_cancel: bool = False) -> PlansAsked:
    lines = "; ".join(plan.line() for plan in plans)
    return PlansAsked(ids=tuple(plan.id for plan in plans), lines=lines, to_cancel=to_cancel, because=because)


def pointed_at(draft: Draft) -> Iterator[Event]:
    """Who asks about one plan, or describes it, points at where it takes place."""
    found = {event.resolution.how for event in draft.events if isinstance(event, ReferenceResolved)}
    meant = {id for event in draft.events if isinstance(event, PlansAsked | PlanTurnedTo) for id in event.meant}
    for plan in draft.state.plans.items if len(meant) == 1 and found <= {"silent"} else ():
        if plan.id in meant:
            words = draft.reading.text.strip()
            there = Resolution(words, (0, len(words)), "resolved", (Entity(plan.venue, plan.venue_id),))
            yield ReferenceResolved(resolution=there, because=draft.cause("plan.called"))


def _piece(reading: Reading, cue: Cue, whole: Span) -> Span:
    """What is said of what is cancelled: the words around the cue, up to a comma or a "but"."""
    start, end = whole[0], clause_end(reading, whole[0])
    while end <= cue.start and end < whole[1]:
        start, end = end + 1, clause_end(reading, end + 1)
    return start, min(end, whole[1])


def _gives(reading: Reading, span: Span) -> bool:
    """Whether a clause has something that a plan may take: a day, a time, or a number."""
    cues = [*reading.find(days), *reading.find(hours), *shifts(reading)]
    return bool(within(cues, span) or begun(reading.find(numbers), span) or moved_to(reading))
