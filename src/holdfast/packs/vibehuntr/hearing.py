"""What the slots of this pack take of a message, by what its words give and how that stands (`heard.py`).

The tables know the words that mean the same and the level of a price; what they do not know is kept in the person's own
words. What is asked about, dropped or only told of is no value, whatever the tables say of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from holdfast.faculties.facts.slots import Found
from holdfast.faculty import Draft
from holdfast.packs.vibehuntr.heard import Given, given
from holdfast.packs.vibehuntr.people import counted
from holdfast.packs.vibehuntr.wishes import known_venue, wish_words
from holdfast.reading.places import named_places
from holdfast.reading.reader import Reader, Reading, Span, inside, touches

OWN = "heard.own"
"""The rule by which words are taken that no table knows."""
TAKEN, IDLE = frozenset({"wanted", "planned"}), frozenset({"asked", "told"})
"""How words stand that give something, and that give nothing."""
SURE, PLAIN, PLANNED = 40, 24, 32
"""Leads of the way that words stand, from which it is believed: that words give nothing though tables know them, that
others give something, and that any are for a plan."""
CITY, POINTS = 24, 12
"""Leads of a facet from which words are believed to name a city that no map has, and to name or call something else."""
PARTS = frozenset({"when", "people", "place"})
"""Facets of a plan."""


def meant(draft: Draft, found: Iterable[Found]) -> list[Found]:
    """Of what the tables find, what is not only asked about or told aside."""
    no = [one.span for one in draft.find(given) if one.stands in IDLE and one.lead >= SURE]
    return [one for one in found if not touches(one.span, no)]


def _others(draft: Draft, facets: tuple[str, ...], known: Iterable[Span]) -> list[Given]:
    """What is wanted of some facets in words that are not known."""
    spans = list(known)
    wanted = [one for one in draft.find(given) if one.facet in facets and one.stands in TAKEN and one.lead >= PLAIN]
    return [one for one in wanted if not touches(one.span, spans) and _tells(draft.reading, one.span)]


def _tells(reading: Reading, span: Span) -> bool:
    """Whether words say anything: not "near me", "any good ones"."""
    small = reading.made(_saying_nothing)
    return not small.issuperset(reading.said(token) for token in inside(reading.tokens, span))


def _saying_nothing(reader: Reader, language: str | None) -> frozenset[str]:
    """Words that alone say nothing of what is looked for."""
    lists = (("query", ("small", "vague", "outcomes")), ("pointing", ("small", "generic", "articles")))
    said = [reader.phrases(name, keys, language) for name, keys in lists]
    return reader.phrases("small", "words", language).union(reader.phrases("places", "near", language), *said)


def _leading(reader: Reader, language: str | None) -> frozenset[str]:
    """Words that only lead to what is said."""
    lists = (("choice", "articles"), ("people", "with"), ("plans", "moved_to"))
    return frozenset().union(*(reader.phrases(name, key, language) for name, key in lists))


def _own(reading: Reading, one: Given) -> Found:
    """Words as they are, without what only leads to them."""
    leads, tokens = reading.made(_leading), inside(reading.tokens, one.span)
    while len(tokens) > 1 and reading.said(tokens[0]) in leads:
        tokens.pop(0)
    span = (tokens[0][0], one.span[1]) if tokens else one.span
    return Found(reading.words(span).lower(), span, OWN, firm=True)


def wishes(draft: Draft, found: list[Found]) -> list[Found]:
    """What it should be like, where it should be near, and a price that has no level."""
    reading = draft.reading
    known = [one.span for one in found] + [cue.span for cue in reading.all("constraint")]
    wanted = _others(draft, ("wish",), known)
    spots = [spot.span for spot in reading.find(named_places)]
    wanted += _others(draft, ("area", "city") if spots else ("area",), [*known, *spots])
    wanted += _others(draft, ("price",), [*known, *(cue.span for cue in reading.all("price"))])
    return sorted([*meant(draft, found), *(_own(reading, one) for one in wanted)], key=lambda one: one.span)


def sought(draft: Draft, found: list[Found]) -> list[Found]:
    """What is looked for: what the tables know of it first; in all its words where these say more."""
    known, reading = meant(draft, found), draft.reading
    wanted = [one for one in draft.find(given) if one.facet in ("what", "meal") and one.stands in TAKEN]
    said = [_own(reading, one) for one in wanted if one.sure >= POINTS and _tells(reading, one.span)]
    hits = [hit.span for hit in reading.find(wish_words)]
    new = [one for one in said if not touches(one.span, hits)]
    more = [one for one in said if len(one.value.split()) > 1 and touches(one.span, hits)]
    if not known:
        return [new[0]._replace(own=", ".join(one.value for one in new)) if len(new) > 1 else new[0]] if new else []
    if not new and not more:
        return known
    first = known[-1].own or known[-1].value
    values = [first, *(one.value for one in sorted([*new, *more], key=lambda one: one.span))]
    return [*known[:-1], known[-1]._replace(own=", ".join(dict.fromkeys(values)))]


def place(draft: Draft, found: list[Found]) -> list[Found]:
    """Where it is looked for."""
    known = meant(draft, found)
    spots = [spot.span for spot in draft.reading.find(named_places)]
    new = [one for one in _others(draft, ("city",), spots) if one.sure >= CITY and _is_strange(draft.reading, one.span)]
    return known or [_own(draft.reading, one) for one in new][:1]


def _is_strange(reading: Reading, span: Span) -> bool:
    """Whether words may be a name: none of them is an ordinary word."""
    words = [reading.said(token) for token in inside(reading.tokens, span)]
    return bool(words) and not any(reading.reader.knows(word, reading.language) for word in words)


def time(draft: Draft, found: list[Found]) -> list[Found]:
    """When."""
    known = meant(draft, found)
    return known or [_own(draft.reading, one) for one in _others(draft, ("when",), [f.span for f in found])][-1:]


def number(draft: Draft, found: list[Found]) -> list[Found]:
    """How many come."""
    known = meant(draft, found)
    new = _others(draft, ("people",), [f.span for f in found]) if not known else []
    told = [(counted(draft.reading, one.span), one.span) for one in new]
    return known or [Found(str(people), span, OWN, firm=True) for people, span in told if people][-1:]


def price(draft: Draft, found: list[Found]) -> list[Found]:
    """The price level."""
    return meant(draft, found)


def venue(draft: Draft, found: list[Found]) -> list[Found]:
    """Where something is to take place: what is named as that, or the one thing that is spoken of, where a time, a
    number of people or the thing itself is given for a plan."""
    known = found or list(known_venue(draft.reading, draft.state))
    planned = [one for one in draft.find(given) if one.stands == "planned" and one.facet in PARTS]
    if known or not any(one.lead >= PLANNED for one in planned):
        return known
    refs = draft.state.references
    spoken_of = list(refs.pointed) or ([refs.recent] if refs.single and refs.recent else [])
    return [Found(spoken_of[0].name, planned[0].span, "heard.planned", firm=True)] if len(spoken_of) == 1 else []


def pointing(draft: Draft) -> list[Span]:
    """Where a message points at something that was shown or planned."""
    named = [one for one in draft.find(given) if one.facet == "place" and one.sure >= POINTS]
    return [one.span for one in named if one.stands not in ("told", "dropped")]


def whom(draft: Draft) -> str:
    """For whom, or for what, something is planned."""
    for_whom = [one for one in draft.find(given) if one.facet == "for" and one.stands in TAKEN and one.sure >= POINTS]
    return draft.reading.words(for_whom[0].span) if for_whom else ""


def dropped(*facets: str) -> Callable[[Draft], list[Span]]:
    """Where a message says that what was wanted of some facets is not wanted any longer."""

    def spans(draft: Draft) -> list[Span]:
        return [one.span for one in draft.find(given) if one.facet in facets and one.stands == "dropped"]

    return spans
