"""Whether words of a message look for something: when a new query or place takes the place of the one that is held.

A search is changed by asking for something else, not by asking about what was shown ("is the broth vegetarian?",
"which is closest to the mission?"), not by talk ("my wife loves french food", "Biscuit is a greyhound"), and not by a
word that says less ("show me restaurants", while Italian ones are looked for).
"""

from __future__ import annotations

from holdfast.events import ReferenceResolved
from holdfast.faculties.facts.slots import Found
from holdfast.faculties.plans import Plan, PlanBeside, about_plans, plans_of
from holdfast.faculties.plans.meant import AKIN, KIND, UNLIKE, asks
from holdfast.faculties.plans.parts import begun
from holdfast.faculties.questions.pending import all_answered
from holdfast.faculty import Draft
from holdfast.packs.vibehuntr.heard import LEFT, NEAR_PLAN
from holdfast.packs.vibehuntr.people import CHANGED, people, some_of
from holdfast.packs.vibehuntr.people import SLOT as PARTY
from holdfast.packs.vibehuntr.wishes import (
    ANSWERED,
    MOVED,
    WIDENED,
    Keys,
    known_venue,
    wish_words,
)
from holdfast.reading.dates import dates
from holdfast.reading.endings import says
from holdfast.reading.lexicon import kinds
from holdfast.reading.model.clauses import Clause
from holdfast.reading.places import named_places
from holdfast.reading.reader import Reader, Reading, Span, touches, within
from holdfast.reading.standing import sentence_of
from holdfast.reading.text import fold

TOLD = frozenset({"states", "reports", "remarks"})
"""Acts of clauses that tell something."""
TALK = frozenset({"remarks", "reports", "rejects", "thanks", "greets"})
"""Acts of clauses that look for nothing."""
CHANGING = frozenset({"requests", "corrects", "instructs", "chooses", "confirms", "answers"})
"""Acts of clauses that give or change something: "could we move it to Thursday?"."""
SURE = 4
"""Lead from which an act is believed."""
TELLING = 4
"""Words beside those that could be a wish from which a clause tells something."""


def new_search(draft: Draft, found: Found) -> bool:
    """Whether what a message names is a new search."""
    held = draft.state.slots.get("search_query") or ""
    if _goes_on(found, held):
        return not touches(found.span, about_plans(draft))
    if _is_beside(draft, found) or asks_of_shown(draft, found.span):
        return False
    if any(cue.span == found.span for cue in draft.reading.all("constraint")):
        return not held  # "live music", while bars are sought
    return not held or not any(is_none(draft, found) for is_none in (_vaguer, _plans_meal))


def _is_beside(draft: Draft, found: Found) -> bool:
    """Whether words speak of a plan, or are a reply to another question."""
    return touches(found.span, about_plans(draft)) or _answers_which(draft, found)


def _goes_on(found: Found, held: str) -> bool:
    """Whether the same is looked for, or what is left of it."""
    return fold(found.value) == fold(held) or found.rule == LEFT


def _answers_which(draft: Draft, found: Found) -> bool:
    """Whether words are the reply to "which one?", and there is something to choose from, or to a question about
    another thing than what is looked for: "what's your hotel called?"."""
    asked = [answer.question for answer in all_answered(draft.state)] if found.rule == ANSWERED else []
    if draft.before.references.entities and any(question.about == "which" for question in asked):
        return True
    held, read = draft.before.slots.values.get("search_query"), draft.reading.reader.read
    return held is not None and any(read(question.text).find(wish_words) for question in asked)


def new_place(draft: Draft, found: Found) -> bool:
    """Whether a place that a message names is where to look from now on."""
    if touches(found.span, about_plans(draft)):
        return found.rule == NEAR_PLAN
    if found.firm or found.rule == WIDENED:
        return True
    here = [cue.end for cue in draft.reading.all("lives") if cue.means in ("here", "set")]
    shown = bool(draft.before.references.entities) and found.span[0] - 1 not in here  # "I'm going to be in York"
    return not (asks_of_shown(draft, found.span) or (shown and _talks(draft, found.span)))


def new_limit(draft: Draft, found: Found) -> bool:
    """Whether a price or a wish limits what is looked for: not where it is said of something that was shown ("the first
    is very expensive", "has the second one parking"). The diet of whoever comes along always does."""
    if touches(found.span, about_plans(draft)) or asks_of_shown(draft, found.span):
        return False
    if found.firm:
        return True
    if _is_no_limit(draft, found):
        return False
    if any("diet" in cue.traits and touches(found.span, [cue.span]) for cue in draft.reading.all("constraint")):
        return True
    return new_place(draft, found) and not _names_shown(draft, found.span)


def _is_no_limit(draft: Draft, found: Found) -> bool:
    """Whether words are no wish: "I don't like sushi", while sushi is looked for, "parking not needed", or talk."""
    held = draft.state.slots.get("search_query")
    known = any(cue.span == found.span for cue in draft.reading.all("constraint"))
    denied = known and found.span[1] + 1 in {cue.start for cue in draft.reading.all("negation")}
    return denied or (held is not None and found.value.endswith(f" {held}"))


def _names_shown(draft: Draft, span: Span) -> bool:
    """Whether the sentence names or points at something that was shown, by more than a pronoun."""
    start, end = sentence_of(draft.reading, span)
    found = [event.resolution for event in draft.events if isinstance(event, ReferenceResolved)]
    return any(start <= one.span[0] < end and not one.how for one in found if one.status == "resolved")


def of_plan(draft: Draft, found: Found) -> bool:
    """Whether a time, a number of people or a venue belongs to a plan: not in talk ("my boyfriend thinks 6:30 is
    early"), nor in what is put off ("I'll ask my husband later"), nor where they are only asked about ("is the first
    one open on sunday?"), nor where a plan is taken back."""
    if touches(found.span, about_plans(draft, given=True)) or _asks_of_plan(draft, found.span):
        return False
    if found.firm:
        return True
    if found.rule in (CHANGED, MOVED):
        return found.rule == CHANGED or "event_date_time" in draft.state.slots.values
    if _are_some(draft, found):
        return False
    return not _talks(draft, found.span)


def _are_some(draft: Draft, found: Found) -> bool:
    """Whether those who are counted are only some of those who come: "we have two kids", while five do."""
    held = draft.state.slots.get(PARTY) or ""
    if not held.isdigit() or not found.value.isdigit() or int(found.value) >= int(held):
        return False
    return some_of(draft.reading, found)


def asks_of_shown(draft: Draft, span: Span) -> bool:
    """Whether a sentence asks something of what was shown: its subject is a thing spoken of, or it picks among
    several, and the words come after that. With nothing shown there is nothing to ask about."""
    reading = draft.reading
    start, end = sentence_of(reading, span)
    if not draft.before.references.entities or not _asks(draft, (start, end)) or _asks_where(draft, (start, span[0])):
        return False
    cues = [cue.start for cue in reading.all("asked_of") if start <= cue.start < end]
    if cues and (min(cues) < span[0] or reading.folded[end - 1 : end] == "?"):
        return True
    anew = within(reading.all("asks_anew"), (start, span[0]))  # "is there anything for them, like a park?"
    events = filter(_names, draft.events) if anew else draft.events
    return any(_is_said_of(reading, event, (start, end), span) for event in events)


def _names(event: object) -> bool:
    """Whether a message points at something by more than a pronoun."""
    return isinstance(event, ReferenceResolved) and not event.resolution.how


def _asks_where(draft: Draft, before: Span) -> bool:
    """Whether it is asked where something is to be had: "where can we have lunch near there?", "is anything near the
    museum?"; "which is closest to the museum?" asks of what was shown."""
    reading = draft.reading
    where = reading.phrases("query", "where")
    near = any(isinstance(event, PlanBeside) and event.near for event in draft.events) and not reading.has("asked_of")
    return near or reading.has("near_it") or not where.isdisjoint(reading.folded[slice(*before)].split())


def _clause(draft: Draft, span: Span) -> Clause | None:
    return next((clause for clause in draft.clauses if clause.start <= span[0] < clause.end), None)


def _talks(draft: Draft, span: Span) -> bool:
    """Whether words stand in what is only told, while something is looked for: in a remark or a report that says more
    than could be a wish. Of a few words nobody can tell ("coffee near there"), and who wants something says so."""
    if not draft.before.references.entities and "search_query" not in draft.before.slots.values:
        return False
    clause = _clause(draft, span)
    if clause is None:
        return False
    return clause.leads(TALK) >= SURE and _tells(draft.reading, (clause.start, clause.end))


def _tells(reading: Reading, clause: Span) -> bool:
    """Whether a clause has words enough beside those that could be a wish, and none that wants something."""
    inside = [token for token in reading.tokens if clause[0] <= token[0] < clause[1]]
    wished = [found.span for found in (*reading.find(wish_words), *reading.find(people))]
    wished += [cue.span for cue in (*reading.all("constraint"), *reading.all("price"))]
    wished += [*(place.span for place in reading.find(named_places)), *(when.span for when in reading.find(dates))]
    beside = sum(not touches(token, wished) for token in inside)
    return beside >= TELLING and not _wants(reading, [reading.said(token) for token in inside])


def _wants(reading: Reading, words: list[str]) -> bool:
    """Whether words want something, or lead to a place."""
    wants = (reading.phrases("query", "wants") | reading.phrases("places", "near")) - reading.phrases("small", "words")
    told = kinds(words, [reading.language] if reading.language else ())
    return not wants.isdisjoint(words) or any("wantphrase" in of_word for of_word in told)


def _is_said_of(reading: Reading, event: object, sentence: Span, span: Span) -> bool:
    """Whether a reference in the sentence is what the words are said of: it stands before them ("does the second one
    do brunch?"), has them in it ("el jardín, ¿cuánto dura?") or is where they are to be had ("can you get dessert at
    the third?")."""
    if not isinstance(event, ReferenceResolved) or event.resolution.how == "silent":
        return False
    found = event.resolution
    if found.status != "resolved" or not found.entities or not sentence[0] <= found.span[0] < sentence[1]:
        return False
    before = reading.folded[: found.span[0]].split()[-1:]
    after = span[0] >= (found.span[0] if len(found.entities) == 1 else found.span[1])
    return after or (bool(before) and before[0] in reading.phrases("query", "at"))


def _asks(draft: Draft, span: Span) -> bool:
    """Whether a sentence is a question, by its mark or because a clause of it asks."""
    return "?" in draft.reading.said(span) or any(
        clause.act == "asks" for clause in draft.clauses if clause.start < span[1] and span[0] < clause.end
    )


def _vaguer(draft: Draft, found: Found) -> bool:
    """Whether a word says less than what is looked for: "restaurants" than "italian", "bars" than "cocktail bar", and
    "for dinner" than "sushi"."""
    reading = draft.reading
    held = draft.state.slots.get("search_query") or ""
    if not held or reading.has("pointing_none"):  # "something else to eat"
        return False
    groups, key = reading.reader.made(_groups), reading.reader.made(Keys).of
    said, known = key(fold(found.value)), key(fold(held))
    if said in groups["vague"] and known in groups["food"]:
        return not reading.has("rather", "override")  # also where something else is put right: "not takeaway"
    if reading.has("rather", "correction", "override"):
        return False
    if fold(held).endswith(f" {fold(found.value)}"):
        return True
    return said in groups["meals"] and known in groups["cuisines"] and _occasion(reading, found.span)


def _asks_of_plan(draft: Draft, span: Span) -> bool:
    """Whether words stand in a question while something is planned: it changes nothing."""
    clause, plans = _clause(draft, span), plans_of(draft.before)
    return (
        clause is not None
        and bool(plans.standing)
        and asks(draft.reading, clause)
        and not draft.reading.find(wish_words)
    )


def kin(reading: Reading, span: Span, plan: Plan) -> int:
    """How far the words of a span say what a plan is: the very thing that was looked for, or one that may be meant by
    it ("the dinner" at an Italian place, "the restaurant"), or another thing."""
    groups, key = reading.reader.made(_groups), reading.reader.made(Keys).of
    what = key(fold(plan.what)) if plan.what else ""
    scores = []
    for hit in begun(reading.find(wish_words), span):
        said = key(fold(hit.value))
        if said == what or says(reading, plan.words(), hit.span):
            return KIND
        meals = said in groups["meals"] and what in groups["meals"]
        loose = said in groups["meals"] | groups["vague"] and what in groups["food"]
        scores.append(AKIN if loose and not meals else UNLIKE)
    return min(scores, default=0)


def _plans_meal(draft: Draft, found: Found) -> bool:
    """Whether a meal is planned at what was shown, and none is looked for: "dinner at the first on sunday"."""
    reading = draft.reading
    meals = reading.reader.made(_groups)["meals"]
    if reading.reader.made(Keys).of(fold(found.value)) not in meals:
        return False
    if known_venue(reading, draft.state):
        return True
    sentence = sentence_of(reading, found.span)
    return any(_is_said_of(reading, event, sentence, (sentence[0], found.span[1])) for event in draft.events)


def _occasion(reading: Reading, span: Span) -> bool:
    """Whether a meal only says what for: "for dinner tonight"."""
    before = reading.folded[: span[0]].split()[-1:]
    return bool(before) and before[0] in reading.reader.phrases("query", "for")


def _groups(reader: Reader, language: str | None) -> dict[str, frozenset[str]]:
    """The known words by what they are, in all languages: who speaks two of them looks for the same things."""
    key = reader.made(Keys).of
    found = {
        name: frozenset(key(fold(word)) for word in reader.phrases("query", name))
        for name in ("vague", "meals", "cuisines", "eating")
    }
    return found | {"food": found["meals"] | found["cuisines"] | found["eating"]}
