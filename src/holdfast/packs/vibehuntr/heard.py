"""What the words of a message give of a search or a plan, and how each of them stands, learned from `corpus/venues`.

A message is tagged word by word with the facets of what is looked for or planned (`FACETS`); then each stretch of words
is judged: wanted for the search, planned, asked about, dropped, or only told of. The scorers look at the words, at what
the tables and the lexicon know of them, at what their clause does and at what the agent asked.

The second half is what the slots take of that. The tables know the words that mean the same and the level of a price;
what they do not know is kept in the person's own words. What is only asked about or told of is no value, whatever the
tables say of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import takewhile
from operator import attrgetter

from holdfast.events import ReferenceResolved, Resolution
from holdfast.faculties.facts.slots import Found, stands, without_swapped
from holdfast.faculties.plans import PlanBeside, about_plans, turned_to
from holdfast.faculties.plans.parts import moved_to
from holdfast.faculties.references.entities import key
from holdfast.faculties.references.resolving import HEARD
from holdfast.faculty import Draft
from holdfast.packs.vibehuntr.people import are_people, counted, people
from holdfast.packs.vibehuntr.wishes import NAMED, known_venue, town_of, wish_words
from holdfast.packs.vibehuntr.wishes import sought as named_kinds
from holdfast.reading.dates import dates, hours
from holdfast.reading.endings import Endings, says
from holdfast.reading.mentions import mentions
from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.hearing import Given, Hearing, Told, beside
from holdfast.reading.places import GOAL, gazetteer, named_places
from holdfast.reading.reader import Reader, Reading, Span, inside, touches

FACETS = ("what", "meal", "city", "area", "price", "wish", "when", "people", "for", "place")
CUES = ("constraint", "price", "landmark", "day", "clock", "party", "shift", "books", "cancels", "negation", "forgets")
"""Families of patterns whose words tell something of a facet."""
BOLD = 18
"""How much less speaks for a word giving nothing than the scorer has it: most words of most talk give nothing."""
LANGUAGES = ("en", "ru", "es")
"""Languages of the rows."""
OWN, TO_PLAN, LEFT, NEAR_PLAN = "heard.own", "heard.planned", "heard.left", "heard.near_plan"
PART = "heard.part"
"""The rules by which words are taken that no table knows, by which they make a plan, by which some are left, and by
which something is looked for near a plan or in a part of the town that is held."""
TAKEN, IDLE = frozenset({"wanted", "planned"}), frozenset({"asked", "told"})
"""How words stand that give something, and that give nothing."""
STANDS = TAKEN | IDLE | {"dropped"}
SURE, PLAIN, PLANNED = 40, 24, 32
"""Leads of the way that words stand, from which it is believed: that words give nothing though tables know them, that
others give something, and that any are for a plan."""
CITY, POINTS = 24, 12
"""Leads of a facet from which words are believed to name a city that no map has, and to name or call something else."""
KINDS = ("what", "meal")
"""Facets that say what is looked for."""
BESIDE = frozenset({"area", "people", "for"})
"""Facets that say where, for whom and with whom, and never what is looked for."""
WHERE = frozenset({"city", "area", "place", "wish"})
"""Facets whose words may name a place."""
TALK, BARE = frozenset({"remarks", "reports", "thanks", "greets", "rejects"}), 3
"""Acts of clauses that look for nothing, and words of a message of which nobody can tell."""
NAMES = frozenset({"query.cuisines", "query.venues"})
"""The rules of words that name a thing, and may name it in talk; "где поужинать" and "cosas que ver" look for it."""
SETTLING, SETTLED = frozenset({"answers", "chooses"}), 8
"""Acts of clauses by which a plan is settled, and the lead from which one is believed."""
GIVEN = frozenset({"when", "people"})
PARTS = GIVEN | {"place"}
"""Facets of a plan, those that are given for it first."""
OF_THINGS = frozenset(FACETS) - {"place"}
"""Facets that may be asked of what was shown."""
MESSAGES = ("search", "ask", "refine", "plan", "choose", "change", "cancel", "answer", "talk")
"""What a message may do; several at once."""
ASKS = 20
"""How much more must speak for a message asking than for its looking for something, so that it only asks."""
OF_SEARCH = frozenset({"wish", "area"})
"""Facets that a message which only asks of what was shown gives no search."""
HEARING = Hearing(FACETS, MESSAGES, BOLD, *beside(__file__, "heard.bin", "wants.bin"), rules=(OWN, TO_PLAN, HEARD))


def told(reading: Reading, clauses: Sequence[Clause], asked: str, shown: Iterable[str]) -> Told:
    """What the scorers look at, with what the tables know of the words."""
    known = [(hit.span, hit.rule) for hit in reading.find(wish_words)]
    known += [(cue.span, cue.family) for family in CUES for cue in reading.all(family)]
    known += [(spot.span, f"spot {spot.role} {bool(spot.canonical)}") for spot in reading.find(named_places)]
    known += [(one.span, "people") for one in reading.find(people)]
    known += [(one.span, f"points {one.kind}") for one in reading.find(mentions) if one.kind != "silent"]
    return hearing.told(reading, clauses, asked, shown, known)


def given(draft: Draft) -> list[Given]:
    """What a message gives. Use as `draft.find(given)`."""
    shown = [entity.name for entity in draft.before.references.entities]
    return listened(draft.reading, draft.clauses, draft.asked, shown, draft.decided)


def listened(
    reading: Reading,
    clauses: Sequence[Clause],
    asked: str,
    shown: Sequence[str],
    decided_by: Callable[..., None] | None = None,
) -> list[Given]:
    """The same, of a message that was said after `asked` and while `shown` are the names of what was shown. Of a
    language that nobody wrote rows in, nothing is known."""
    if reading.language not in (None, *LANGUAGES):
        return []
    said = told(reading, clauses, asked, shown)

    found = HEARING.given(said, decided_by)
    asks = shown and any(act == "asks" for _, _, act in said.clauses)
    return _only_asked(said, found) if asks else found


def _only_asked(said: Told, found: list[Given]) -> list[Given]:
    """What words give where a message may only ask of what was shown: what is hardly wanted is asked about then."""
    kinds = HEARING.does(said, True)
    if kinds.pop("ask") < ASKS + max(*kinds.values(), 0):
        return found
    idle = [one.facet in OF_SEARCH and one.stands == "wanted" and one.lead < PLAIN for one in found]
    return [one._replace(stands="asked") if no else one for one, no in zip(found, idle, strict=True)]


def _of(draft: Draft, facets: Container[str], stands: Container[str], lead: int = 0, sure: int = 0) -> list[Given]:
    """What a message gives of some facets, where it stands in one of some ways."""
    found = (one for one in draft.find(given) if one.lead >= lead and one.sure >= sure)
    return [one for one in found if one.facet in facets and one.stands in stands]


def _spans(draft: Draft, facets: Container[str], stands: Container[str], lead: int = 0, sure: int = 0) -> list[Span]:
    """Where a message gives something of some facets."""
    return [one.span for one in _of(draft, facets, stands, lead, sure)]


def meant(draft: Draft, found: Iterable[Found], facets: Container[str] = FACETS) -> list[Found]:
    """Of what the tables find, what is not only asked about or told aside."""
    no = [one.span for one in _of(draft, facets, IDLE) if one.lead >= PLAIN or _asks(draft, one)]
    turned = turned_to(draft) if no else ()  # "can we move dinner to nine?" gives a time
    return [one for one in found if touches(one.span, turned) or not touches(one.span, no)]


def _asks(draft: Draft, one: Given) -> bool:
    """Whether words stand in a question about what was shown."""
    if one not in _of(draft, OF_THINGS, ("asked",)) or not draft.before.references.entities:
        return False
    asking = [c for c in draft.clauses if c.act == "asks" and c.lead >= PLAIN and c.start <= one.span[0] < c.end]
    return bool(asking and one.lead >= POINTS) or _asks_silently(draft)


def _asks_silently(draft: Draft) -> bool:
    """Whether a message asks for a detail of what was shown, and does not name it: "abre los lunes?"."""
    return "?" in draft.reading.text and any(found.how == "silent" for found in _resolved(draft))


def _resolved(draft: Draft) -> list[Resolution]:
    """What the message points at."""
    return [event.resolution for event in draft.events if isinstance(event, ReferenceResolved)]


def _others(draft: Draft, facets: tuple[str, ...], known: Iterable[Span], sure: int = 0) -> list[Given]:
    """What is wanted of some facets in words that are not known."""
    spans = list(known)
    wanted = _of(draft, facets, TAKEN, PLAIN, sure)
    return [one for one in wanted if not touches(one.span, spans) and _tells(draft.reading, one.span)]


def _tells(reading: Reading, span: Span) -> bool:
    """Whether words say anything: not "near me", "any good ones"."""
    small = reading.made(_saying_nothing)
    words = [reading.said(token) for token in inside(reading.tokens, span)]
    return not small.issuperset(word for word in words if len(word) > 1 or word.isdigit())


def _saying_nothing(reader: Reader, language: str | None) -> frozenset[str]:
    """Words that alone say nothing of what is looked for."""
    lists = (("query", ("small", "vague", "outcomes")), ("pointing", ("small", "generic", "articles")))
    said = [reader.phrases(name, keys, language) for name, keys in lists]
    return reader.phrases("small", "words", language).union(reader.phrases("places", "near", language), *said)


def _leading(reader: Reader, language: str | None) -> frozenset[str]:
    """Words that only lead to what is said."""
    lists = (("choice", "articles"), ("people", "with"), ("plans", "moved_to"))
    return frozenset().union(*(reader.phrases(name, key, language) for name, key in lists))


def _without(reading: Reading, one: Given, spots: Sequence[Span]) -> Given:
    """What a wish says before words that are known to say something else: "cosy" in "cosy wine bar"; but of what leads
    to such a word ("чтобы были сырники") nothing is left."""
    tokens = inside(reading.tokens, one.span)
    small = reading.phrases("small", "words") | reading.phrases("query", "small")
    leads = bool(tokens) and reading.said(tokens[0]) in small
    taken = [*spots, *(() if leads else (hit.span for hit in reading.find(named_kinds)))]
    first = list(takewhile(lambda token: not touches(token, taken), tokens))
    while first and reading.said(first[-1]) in small:
        first.pop()
    return one._replace(span=(first[0][0], first[-1][1])) if 0 < len(first) < len(tokens) else one


def _own(reading: Reading, one: Given) -> Found:
    """Words as they are, without what only leads to them."""
    leads, tokens = reading.made(_leading), inside(reading.tokens, one.span)
    while len(tokens) > 1 and reading.said(tokens[0]) in leads:
        tokens.pop(0)
    span = (tokens[0][0], one.span[1]) if tokens else one.span
    return Found(reading.words(span).lower(), span, OWN, firm=True)


def price(draft: Draft, found: list[Found]) -> list[Found]:
    """The price, and not one that is given up: "olvídate de lo barato"."""
    gone = _spans(draft, ("price",), ("dropped",), PLAIN) if found else []
    if any("any" in cue.traits for cue in draft.reading.all("forgets")):
        gone = []  # "money is no object" is a price of its own
    return [one for one in meant(draft, found) if not touches(one.span, gone)]


def wishes(draft: Draft, found: list[Found]) -> list[Found]:
    """What it should be like, where it should be near, and a price that has no level."""
    reading, parts = draft.reading, _parts(draft) if draft.reading.has("part_of_town") else []
    found = [one for one in found if not touches(one.span, parts)]
    own = _own_wishes(draft, [*parts, *(one.span for one in found), *(cue.span for cue in reading.all("constraint"))])
    return sorted([*meant(draft, found), *(_own(reading, one) for one in own)], key=_place)


def _own_wishes(draft: Draft, known: list[Span]) -> list[Given]:
    """Wishes in words that are not known, and that are more than who comes or what is asked of a thing."""
    reading, spots = draft.reading, _spots(draft) if draft.reading.find(named_places) else []
    wanted = [_without(reading, one, spots) for one in _others(draft, ("wish",), known)]
    wanted = [one for one in wanted if not are_people(reading, one.span)]
    wanted += _others(draft, ("area", "city") if spots else ("area",), [*known, *spots])
    return wanted + _others(draft, ("price",), [*known, *(cue.span for cue in reading.all("price"))])


def sought(draft: Draft, found: list[Found]) -> list[Found]:
    """What is looked for: what the tables know of it first; in all its words where these say more."""
    refused = [one for one in found if not stands(draft.reading, one)]
    known, hits = _wanted(draft, found), [hit.span for hit in draft.reading.find(wish_words)]
    more = [_own(draft.reading, one) for one in _others(draft, ("what", "meal"), (), POINTS)]
    new = [one for one in more if not touches(one.span, hits)]
    held = draft.before.slots.values.get("search_query")
    if held is not None and held.own and not more and (left := _left(draft, held.own.split(", "), found)):
        return left
    if not known:
        return [*refused, *([new[0]._replace(own=_together(new) if len(new) > 1 else "")] if new else [])]
    new += [one for one in more if " " in one.value and one not in new]
    return [*refused, known[0]._replace(own=_all_of([*known, *sorted(new, key=_place)], draft.reading))]


def _wanted(draft: Draft, found: list[Found]) -> list[Found]:
    """Of what the tables know, what is wanted; what is only asked about, told of or swapped for another thing is no
    search. What is heard otherwise, or not at all, counts where nothing is looked for yet, or in a few words."""
    known = [one for one in found if stands(draft.reading, one)]
    named = [one for one in known if one.rule in NAMED]
    if named or draft.reading.language not in (None, *LANGUAGES):  # of a language without rows, tables know alone
        return named or known
    held = "search_query" in draft.before.slots.values
    idle = [*_spans(draft, FACETS, IDLE, SETTLED), *(cue.span for cue in draft.reading.all("hates"))]
    idle += _spans(draft, BESIDE, STANDS) if held else []
    wanted = [*_heard_as_sought(draft), *_taken_for_sought(draft, known, held)]
    known = [one for one in known if touches(one.span, wanted) and not touches(one.span, idle)]
    left = without_swapped(draft.reading, sorted(known, key=_place))
    return [one for one in known if one in left]


def _taken_for_sought(draft: Draft, known: list[Found], held: bool) -> list[Span]:
    """What is looked for though it is not heard so: what a message goes back to, or says in a few words; and, where
    nothing is looked for yet, what is heard in any way or says by itself that something is sought."""
    reading, talks = draft.reading, all(c.act in TALK and c.lead >= SETTLED for c in draft.clauses)
    if len(reading.tokens) <= BARE:
        dropped = _spans(draft, FACETS, ("dropped",))
        return [one.span for one in known if not touches(one.span, dropped)]
    if talks or (held and not reading.has("pointing_back")):
        return []
    if held:
        return [one.span for one in known]
    told = [*_spans(draft, FACETS, TAKEN), *_spans(draft, KINDS, IDLE)]
    return [*told, *(one.span for one in known if one.rule not in NAMES or _is_any(reading, one.span))]


def _heard_as_sought(draft: Draft) -> list[Span]:
    """Where a kind of thing is wanted, or hardly dropped; or what is called like one, and is none that was shown."""
    dropped = [one.span for one in _of(draft, KINDS, ("dropped",)) if one.lead < PLAIN]
    shown = [found.span for found in _resolved(draft)]
    called = [span for span in _spans(draft, ("place",), TAKEN) if not touches(span, shown)]
    return [*_spans(draft, KINDS, TAKEN), *dropped, *called]


def _is_any(reading: Reading, span: Span) -> bool:
    """Whether a thing is any of its kind: "take me to a brewery"."""
    return not reading.phrases("query", "indefinite").isdisjoint(reading.folded[: span[0]].split()[-1:])


def _all_of(found: list[Found], reading: Reading) -> str:
    """All that is looked for, where a message names more than the first: "dinner, italian"."""
    vague = reading.phrases("query", "vague")
    told = [found[0], *(one for one in found[1:] if one.value not in vague)]
    return _together(told) if len({one.value for one in told}) > 1 else ""


def _left(draft: Draft, parts: list[str], found: list[Found]) -> list[Found]:
    """What is still looked for, where some of it is given up: "it needn't be vegan", of vegan burgers."""
    gone = _spans(draft, ("what", "meal", "wish"), ("dropped",))
    if not any(stands(draft.reading, one) for one in found):
        gone += [one.span for one in found]
    left = [part for part in parts if not any(says(draft.reading, part.split(), span) for span in gone)]
    return [Found(left[0], gone[0], LEFT, own=", ".join(left), firm=True)] if 0 < len(left) < len(parts) else []


_place = attrgetter("span")


def _together(found: Iterable[Found]) -> str:
    """Several values as one."""
    return ", ".join(dict.fromkeys(one.own or one.value for one in found))


def place(draft: Draft, found: list[Found]) -> list[Found]:
    """Where it is looked for."""
    spots = [spot.span for spot in draft.reading.find(named_places)]
    known = [one for one in meant(draft, found, WHERE) if one.span not in spots or one.span in _spots(draft)]
    if len(known) > 1:  # "brixton is miles away, I said soho"
        refused = [(c.start, c.end) for c in draft.clauses if c.act in ("rejects", "denies", "asks")]
        known = [one for one in known if not touches(one.span, refused)] or known
    new = [one for one in _others(draft, ("city",), spots, CITY) if _is_strange(draft.reading, one.span)]
    if draft.reading.has("part_of_town") and not known and (part := _part_of_town(draft)):
        return part
    return known or [_own(draft.reading, one) for one in new][:1] or _near_plan(draft)


def _part_of_town(draft: Draft) -> list[Found]:
    """Another part of the town that is held, where one is wanted: "maybe somewhere downtown"."""
    spans = _parts(draft)
    if not spans:
        return []
    said, (town, canonical) = draft.reading.said(spans[0]), town_of(draft.reading, draft.state)
    part = draft.reading.data("parts_of_town").get(said, said)
    return [Found(f"{part} {town}", spans[0], PART, canonical, firm=True)]


def _parts(draft: Draft) -> list[Span]:
    """Where parts of the town that is held are wanted."""
    if "location" not in draft.before.slots.values:
        return []
    spans = [span for cue in draft.reading.all("part_of_town") for span in cue.groups.values()]
    wanted, nearer = _spans(draft, WHERE, TAKEN), draft.reading.phrases("pointing", "nearer")
    spans = [span for span in spans if touches(span, wanted)]  # but not "any further downtown?"
    return [span for span in spans if nearer.isdisjoint(draft.reading.folded[: span[0]].split()[-1:])]


def _near_plan(draft: Draft) -> list[Found]:
    """Near what is planned, where something is looked for near it: "is anything near the museum for dinner?"."""
    near = [event for event in draft.events if isinstance(event, PlanBeside) and event.near]
    if not near or "location" not in draft.before.slots.values or draft.reading.has("asked_of"):
        return []
    plan, (town, canonical) = draft.state.plans.get(near[0].id), town_of(draft.reading, draft.state)
    return [Found(f"{plan.venue}, {town}", about_plans(draft)[0], NEAR_PLAN, canonical, firm=True)] if plan else []


def _spots(draft: Draft) -> list[Span]:
    """Where places are named; one that nothing leads to and that ends a longer name of something near is none ("near
    temple meads"), and neither is one that is a part of a wish ("with a view to the tower")."""
    reading, longer = draft.reading, _near_names(draft)
    seen = {one.span[1] for one in _of(draft, ("wish",), TAKEN, SURE, POINTS)}
    free = [p for p in reading.find(named_places) if p.role != GOAL or p.span[1] not in seen]
    return [p.span for p in free if p.role or p.span[1] not in longer or reading.text[p.span[0]].isupper()]


def _near_names(draft: Draft) -> set[int]:
    """Where names of what something should be near end."""
    near = tuple(f"{lead} " for lead in draft.reading.phrases("places", "near"))
    wanted = _spans(draft, ("area", "wish"), TAKEN)
    return {end for start, end in wanted if draft.reading.folded.startswith(near, start)}


def _is_strange(reading: Reading, span: Span) -> bool:
    """Whether words may be a name that no map has: none of them is an ordinary word."""
    words = [reading.said(token) for token in inside(reading.tokens, span)]
    known = any(reading.reader.knows(word, reading.language) for word in words)
    return bool(words) and not known and not gazetteer().longest(words, reading.reader.made(Endings))[0]


def time(draft: Draft, found: list[Found]) -> list[Found]:
    """When; not an hour that is a part of a wish ("open after midnight")."""
    wished = [*_spans(draft, ("wish",), TAKEN, SURE, POINTS), *_spans(draft, ("wish",), ("asked",), POINTS, POINTS)]
    known = [one for one in meant(draft, found) if not any(a < one.span[0] and one.span[1] <= b for a, b in wished)]
    return known or [_own(draft.reading, one) for one in _others(draft, ("when",), [f.span for f in found])][-1:]


def number(draft: Draft, found: list[Found]) -> list[Found]:
    """How many come."""
    hour = moved_to(draft.reading) if draft.reading.has("plan_moves") else ""  # "перенеси ужин на девять"
    wished = _spans(draft, ("wish",), STANDS - {"wanted"}, 0, POINTS)  # "open past 11"
    company = _of(draft, ("people",), ("told",))  # who looks for something says with whom
    along = [one.span for one in company if one.lead < SURE] if not draft.before.references.entities else []
    counts = [one for one in found if touches(one.span, along)] + meant(draft, found)
    known = [one for one in found if one in counts and one.value != hour and not touches(one.span, wished)]
    clocks = draft.reading.find(hours) if draft.reading.has("clock") else ()  # "make it eight thirty" counts nobody
    taken = [one.span for one in (*found, *clocks)]
    new = _others(draft, ("people",), taken, POINTS) if not known else []
    told = [(counted(draft.reading, one.span), one.span) for one in new]
    return known or [Found(str(people), span, OWN, firm=True) for people, span in told if people][-1:]


def venue(draft: Draft, found: list[Found]) -> list[Found]:
    """Where something is to take place: what is named as that, or the one thing that is spoken of, where a time, a
    number of people or the thing itself is given for a plan."""
    if (known := meant(draft, found or known_venue(draft.reading, draft.state))) or (
        draft.state.plans.items and turned_to(draft)
    ):
        return known
    settles = any(clause.act in SETTLING and clause.lead >= SETTLED for clause in draft.clauses)  # "sold, 8 o'clock"
    given_for_it = _of(draft, PARTS, ("planned",), PLANNED) or (settles and _of(draft, GIVEN, ("planned",))) or []
    names = _spoken_of(draft) if given_for_it and "ambiguous" not in (one.status for one in _resolved(draft)) else []
    return [Found(names[0], given_for_it[0].span, TO_PLAN, firm=True)] if len(names) == 1 else []


def _booked(draft: Draft) -> list[Given]:
    """Names of what nobody has shown, where something is planned there: "book zahav for friday 7pm"."""
    named = _of(draft, ("place",), ("planned",), PLANNED) if _of(draft, GIVEN, ("planned",)) else []
    known = [found.span for found in _resolved(draft)]
    return [one for one in named if not touches(one.span, known) and _names(draft.reading, one.span)]


def _names(reading: Reading, span: Span) -> bool:
    """Whether words may be a name: not "it", "the restaurant", "the second", "7pm"."""
    other = [one.span for one in reading.find(wish_words)]
    other += [one.span for one in reading.find(mentions)] + [one.span for one in reading.find(dates)]
    return any(not touches(token, other) and _tells(reading, token) for token in inside(reading.tokens, span))


def _spoken_of(draft: Draft) -> list[str]:
    """What the message names or points at, or else the one thing that was spoken of since it was told what is looked
    for."""
    if booked := _booked(draft):
        return [draft.reading.words(_own(draft.reading, booked[0]).span)]
    refs, sought = draft.state.references, draft.before.slots.values.get("search_query")
    last = refs.recent if refs.single else None
    fresh = last is not None and (sought is None or refs.hand.get(key(last), 0) > sought.version)
    if refs.pointed or last is None or not fresh:
        return [one.name for one in refs.pointed]
    return [last.name]


def pointing(draft: Draft) -> tuple[list[Span], list[Span]]:
    """Where a message points at something that was shown or planned, and where it asks something of that and does not
    say of what. "Closer" alone asks nothing."""
    named = _spans(draft, ("place",), STANDS - {"told", "dropped"}, 0, POINTS)
    told = [one.span for one in _of(draft, OF_THINGS, ("asked",)) if one.lead >= PLAIN or _asks(draft, one)]
    bare = draft.reading.phrases("pointing", "nearer")
    return named, [span for span in told if draft.reading.said(span) not in bare]


def whom(draft: Draft) -> str:
    """For whom, or for what, something is planned."""
    for_whom = _of(draft, ("for",), TAKEN, 0, POINTS)
    return draft.reading.words(for_whom[0].span) if for_whom else ""


def chosen(draft: Draft) -> list[Span]:
    """Where a message takes a place, to go there or to look there, and asks nothing."""
    if "?" in draft.reading.text:
        return []
    settled = [(c.start, c.end) for c in draft.clauses if c.act in SETTLING and c.lead >= SETTLED]
    taken = _of(draft, ("place",), TAKEN)
    return [one.span for one in taken if one.lead >= PLAIN or touches(one.span, settled)]


def given_up(draft: Draft) -> list[Span]:
    """Where a message gives up a place."""
    return _spans(draft, ("place",), ("dropped",), PLANNED)


def dropped(*facets: str) -> Callable[[Draft], list[Span]]:
    """Where a message says that what was wanted of some facets is not wanted any longer."""

    def spans(draft: Draft) -> list[Span]:
        return _spans(draft, facets, ("dropped",), PLAIN)

    return spans
