"""The order in which a message is read for what it points at.

Pointing at nothing, a name, several, a position in the latest list, a property, a vague word, nothing said at all: the
first that applies decides. Definite nouns ("the hotel") go beside names and positions, for they name another thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from holdfast.events import Entity, Resolution
from holdfast.faculties.questions.pending import Answer
from holdfast.faculties.references.entities import References, folded, key
from holdfast.reading.details import Detail, by_tables
from holdfast.reading.lexicon import kinds as lexicon_kinds
from holdfast.reading.mentions import (
    COUNTED,
    Kind,
    Mention,
    at_place,
    is_too,
    kinds_of,
    mentions,
    ordinal,
    refusals,
    refused,
)
from holdfast.reading.names import named
from holdfast.reading.places import places
from holdfast.reading.properties import choose, matching, picks
from holdfast.reading.reader import Reading, Span, begins_in, inside, touches
from holdfast.reading.replying import meant
from holdfast.reading.text import fold

Resolved = tuple[str, Resolution]


class Speaking(NamedTuple):
    """What may be meant where nothing is said but a pronoun, a loose noun or a question for a detail."""

    hand: AbstractSet[str]
    """Keys of what was shown, picked or spoken of by both, not long ago."""
    clauses: Sequence[Span]
    """Those that want something of the agent."""


class Sight(NamedTuple):
    """What can be pointed at, as one message sees it."""

    refs: References
    known: Mapping[str, Entity]
    """Everything, most recently mentioned last."""
    names: Mapping[str, str]
    """The names of the same."""
    recent: Sequence[Entity]
    """The same, most recently mentioned first."""
    choice: Sequence[Entity] = ()
    """What the agent asked to choose from: "it" is then none of them yet."""
    fresh: bool = False
    """Whether the latest list was shown right before the message."""
    speaking: Speaking | None = None
    talk: Sequence[Span] = ()
    """Where something is only remarked: a pronoun there means nothing that was shown ("it's raining again")."""
    asking: Sequence[Span] = ()
    """Where something is asked, or agreed to: there "which" and "any" are of what was just shown."""

    def may_mean(self, entity: Entity, span: Span) -> bool:
        """Whether words that name nothing may be said of a thing there."""
        if self.speaking is None or entity.kind or entity.id:
            return True
        return self.addressed(span) and key(entity) in self.speaking.hand

    def addressed(self, span: Span) -> bool:
        """Whether words stand where something is wanted of the agent."""
        return self.speaking is None or any(start <= span[0] < end for start, end in self.speaking.clauses)

    def may_count(self, mention: Mention) -> bool:
        """Whether words may count in a list: it was just shown, or something is wanted of the agent there. In what
        somebody tells, "the 1st" is a day and "the last one" one they had before; a bare number counts no further than
        the list goes."""
        if mention.rule == COUNTED and mention.place > len(self.refs.latest()):
            return False
        return mention.kind not in COUNTING or self.fresh or self.addressed(mention.span)


COUNTING = ("ordinal", "several", "first_n", "other")
"""Kinds of mentions that count in a list."""
LANGUAGES = ("en", "ru", "es")
THINGS, BESIDE_NOUN = frozenset({"placekind", "food", "cuisine", "drink"}), 2
"""Kinds of words that name what is looked for, and words in which they are looked for."""
MAX_ENDING = 4
"""Letters of a word that is too short to tell its ending from the rest."""
HEARD, MIN_CALLED = "pointing.heard", 3
"""The rule by which words are known to point, and letters of a word that may call something by its name."""
SPOKEN = 14
"""Words of a message that is said in one breath, and may take back how it began."""


def resolve(
    reading: Reading,
    refs: References,
    answer: Answer | None,
    choice: Sequence[Entity] = (),
    fresh: bool = False,
    speaking: Speaking | None = None,
    talk: Sequence[Span] = (),
    asking: Sequence[Span] = (),
) -> Iterator[Resolved]:
    """What a message points at, by the first of these that applies; definite nouns ("the hotel") go beside names.
    `choice` are the things between which the agent asked to choose, `fresh` says that they were just shown, `talk` is
    where something is only remarked, `asking` where something is asked or agreed to."""
    known = refs.known
    names = {k: e.name for k, e in known.items()}
    sight = Sight(refs, known, names, list(reversed(known.values())), choice, fresh, speaking, talk, asking)
    found = [m for m in reading.find(mentions) if sight.may_count(m)]
    start = meant(reading)[0] if len(found) > 1 and len(reading.tokens) <= SPOKEN else 0
    found = [m for m in found if m.span[1] > start] or found  # of "the first, no, the second one" what it came to
    if answer is not None:
        if answer.question.expects == "number":
            return
        chosen = list(_chosen(reading, known, answer))
        if chosen or answer.takes:
            yield from chosen
            return  # "the former" is one of the options, and nothing that was mentioned before
    but = _of(found, "remainder")
    yield from (list(_all_but(reading, found, sight, but[0])) if but else ()) or _pointed(reading, found, sight)


def pointing(
    reading: Reading, refs: References, heard: tuple[Sequence[Span], Sequence[Span]], pointed: Sequence[Resolved]
) -> list[Resolved]:
    """What words point at that are known to point, where nothing says so by itself: what stands at the place that they
    name, or has them in its name. That takes the place of what a pronoun may mean or is only implied, and of what is
    picked by words that do not point. Words that are known to ask, and do not say of what, ask of all that was shown
    last, or of the one thing that was spoken of since."""
    named, asked = heard
    pointed = [one for one in pointed if one[0] != "picked" or touches(one[1].span, named)]
    if any(not one[1].how for one in pointed):
        return pointed
    made = [(span, _counted_at(reading, refs, span) or _with_words(reading, refs, span)) for span in named]
    found = [(HEARD, Resolution(reading.words(span), span, "resolved", tuple(meant))) for span, meant in made if meant]
    if found or any(one[1].how != "silent" for one in pointed):
        return found or pointed
    return list(_called_it(reading, refs, named)) or pointed or list(_asked_of(reading, refs, asked) if asked else ())


def _called_it(reading: Reading, refs: References, named: Sequence[Span]) -> Iterator[Resolved]:
    """What was spoken of last, where words are known to name a place and only a pronoun is among them: "book that"."""
    vague = [one.span for one in reading.find(mentions) if one.kind == "vague"]
    spans = [span for span in named if touches(span, vague)]
    if spans and refs.recent is not None:
        words = reading.words(spans[0])
        yield HEARD, Resolution(words, spans[0], "resolved", (_plain(refs.recent),), how="vague")


def _asked_of(reading: Reading, refs: References, spans: Sequence[Span]) -> Iterator[Resolved]:
    """What something is asked of without a word that says so: "any of it gluten free?", "что с парковкой?"."""
    those = [refs.recent] if refs.single else refs.shown()
    meant = tuple(_plain(entity) for entity in those if entity is not None)
    if meant and not reading.has("not_pointing") and not reading.find(mentions):
        words = reading.words(spans[0])
        yield HEARD, Resolution(words, spans[0], "resolved", meant, how="silent")


def _counted_at(reading: Reading, refs: References, span: Span) -> Sequence[Entity]:
    """What stands at the place that words name: "в третьем розетки есть?"."""
    counted = [ordinal(reading, reading.said(token)) for token in inside(reading.tokens, span)]
    places = [place for place in counted if place is not None]
    idle = touches(span, [cue.span for cue in reading.all("not_pointing")])
    return at_place(refs.shown(), places[0]) if places and not idle else ()


def _with_words(reading: Reading, refs: References, span: Span) -> Sequence[Entity]:
    """What has most of some words in its name, in any of their forms; nothing where several have as many."""
    small = reading.phrases("small", "words") | reading.phrases("pointing", "small", "articles", "generic")
    said = {reading.said(token) for token in inside(reading.tokens, span)} - small
    stems = [word[: max(MIN_CALLED, len(word) - 2)] for word in said if len(word) >= MIN_CALLED]
    counts = [sum(_is_in_name(stem, entity.name) for stem in stems) for entity in refs.known.values()]
    most = max(counts, default=0)
    return [[*refs.known.values()][counts.index(most)]] if most and counts.count(most) == 1 else ()


def _is_in_name(stem: str, name: str) -> bool:
    return any(word.startswith(stem) for word in fold(name).split())


def _of(found: list[Mention], *kinds: str) -> list[Mention]:
    """The mentions of some kinds."""
    return [mention for mention in found if mention.kind in kinds]


def _pointed(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    by_name = _by_name(reading, found, sight)
    nothing, kinds = _of(found, "none"), {mention.kind for mention in found}
    if nothing and not by_name:
        yield nothing[0].rule, Resolution(reading.words(nothing[0].span), nothing[0].span, "none")
        return
    taken = by_name or _by_order(reading, found, sight, kinds)
    nouns = _nouns(reading, found, sight, _spans(by_name)) if "noun" in kinds else ()
    free = [noun for noun in nouns if not touches(noun[1].span, _spans(taken))]
    yield from [*taken, *free]
    if len(taken) == 1 and len(taken[0][1].entities) == 1:  # "compare them" has its other side in it
        yield from _compared(reading, found, sight)
    if not taken and not free:
        yield from _vague(reading, found, sight)


def _spans(resolved: Sequence[Resolved]) -> list[Span]:
    return [resolution.span for _, resolution in resolved]


def _by_name(reading: Reading, found: list[Mention], sight: Sight) -> list[Resolved]:
    """What is named; a name that is only refused gives way to what is pointed at: "not Osteria, the second one"."""
    by_name: list[Resolved] = []
    for hit in named(reading, sight.names):
        entities = tuple(_plain(sight.known[k]) for k in hit.keys)
        status: Any = "resolved" if len(entities) == 1 else "ambiguous"
        if refused(reading, hit.span):
            status, entities = "none", ()
        by_name.append((f"name.{hit.how}", Resolution(reading.words(hit.span), hit.span, status, entities)))
    refused_only = all(r.status == "none" for _, r in by_name)
    return [] if refused_only and any(m.kind not in ("none", "noun", "vague") for m in found) else by_name


def _by_order(reading: Reading, found: list[Mention], sight: Sight, kinds: set[Kind]) -> list[Resolved]:
    """Several, a position, a property, words that tell one thing from the rest: the first that finds something. One
    that points at nothing is told where the others find nothing either: "the one on 7th" counts to no seventh."""
    nothing: list[Resolved] = []
    for part, of in _IN_ORDER.items():
        taken = list(part(reading, found, sight)) if not of or not kinds.isdisjoint(of) else []
        if any(r.status != "none" for _, r in taken):
            return taken
        nothing = nothing or taken
    return nothing


def recalled(reading: Reading, refs: References, sought: str) -> tuple[str, Span, int] | None:
    """The list that a message goes back to, by what was looked for then ("back to the Italian places"): the rule, the
    words that say so, and which list it is. `sought` is what is looked for now."""
    cues = reading.all("pointing_back")
    search = [cue for cue in cues if cue.means == "search"]
    if search and len(refs.lists) > 1:
        return search[0].id, search[0].span, 1
    for number, listing in enumerate(refs.lists if cues else ()):
        spans = _all_said(reading, fold(listing.about).split())
        if spans and (number or fold(listing.about) != fold(sought)):
            whole = sorted([cues[0].span, *spans])
            return cues[0].id, (whole[0][0], whole[-1][1]), number
    return None


def _all_said(reading: Reading, words: list[str]) -> list[Span]:
    """Where a message has some words in any of their forms ("italiana", "italianos"); nowhere, if it has not all."""
    stems = [word[:-2] if len(word) > 6 else word for word in words]
    said = reading.tokens[:SPOKEN]
    found = [next((span for span in said if reading.folded.startswith(stem, span[0])), None) for stem in stems]
    return [span for span in found if span is not None] if None not in found else []


def _result(reading: Reading, mention: Mention, entities: Sequence[Entity], status: str | None = None) -> Resolved:
    plain = tuple(Entity(e.name, e.id, e.kind, e.facts) for e in entities if e.name)
    status = status or ("resolved" if plain else "none")
    found = Resolution(reading.words(mention.span), mention.span, status, plain)  # type: ignore[arg-type]
    return mention.rule, msgspec.structs.replace(found, how="vague") if mention.vague else found


def _chosen(reading: Reading, known: Mapping[str, Entity], answer: Answer) -> Iterator[Resolved]:
    """A reply to "which one?" is what it chose."""
    wanted = [fold(answer.question.options[place]) for place in answer.takes if place < len(answer.question.options)]
    # an option has lost its article, and a name keeps it: "a madea family funeral"
    entities = [_plain(e) for name in wanted for e in known.values() if f" {fold(e.name)}".endswith(f" {name}")]
    if entities:
        yield "answer.choice", Resolution(reading.words(answer.span), answer.span, "resolved", tuple(entities))


def _plain(entity: Entity) -> Entity:
    return Entity(entity.name, entity.id, entity.kind, entity.facts)


def _named_keys(reading: Reading, sight: Sight, start: int = 0) -> set[str]:
    """What a message names from a place on."""
    return {k for hit in named(reading, sight.names) if hit.span[0] >= start for k in hit.keys}


def _all_but(reading: Reading, found: list[Mention], sight: Sight, but: Mention) -> Iterator[Resolved]:
    """ "All except the first": what the latest list has beside what is named then."""
    after = [m for m in found if m.span[0] >= but.span[1]]
    gone = _named_keys(reading, sight, but.span[1])
    for part in () if gone else (_positions, _properties):
        gone |= {key(e) for e in _sure(part(reading, after, sight))}
    latest = sight.refs.shown()
    if gone.intersection(map(key, latest)):
        yield _result(reading, but, [e for e in latest if key(e) not in gone])


def _sure(found: Iterable[Resolved]) -> list[Entity]:
    """What is pointed at beyond doubt."""
    return [e for _, r in found for e in r.entities if r.status == "resolved"]


def _first_n(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """ "The first two" are more than the "two" in them."""
    latest = sight.refs.shown(1 if reading.has("pointing_list") else 0)
    for mention in _of(found, "first_n")[:1] if latest else ():
        yield _result(reading, mention, latest[: mention.place] if mention.place > 0 else latest[mention.place :])


def _several(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    if any(_chooses(mention) for mention in found):
        return
    for mention in _of(found, "several")[:1]:
        those = _pair(sight) if mention.place == 2 else sight.refs.shown(1 if reading.has("pointing_list") else 0)
        # "those" need things that both have spoken of, and "one of them" more than one
        if all(sight.may_mean(e, mention.span) for e in those) if mention.vague else len(those) > 1:
            yield _result(reading, mention, those)


def _chooses(mention: Mention) -> bool:
    """Whether words pick some out of several: "which of them is the cheapest" means one."""
    return mention.kind in ("ordinal", "other") or (
        mention.kind == "property" and not mention.value.startswith(("like:", "with:"))
    )


def _pair(sight: Sight) -> list[Entity]:
    """What "both" means: the two things of different kinds spoken of last, else the two of the latest list."""
    recent = sight.recent
    other = next((e for e in recent[1:] if e.kind != recent[0].kind), None)
    if other is not None:
        return [other, recent[0]]
    latest = sight.refs.shown()
    return latest if len(latest) == 2 else [*recent[1:2], recent[0]]


def _positions(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """Ordinals and numbers count in the latest list, or the one before ("the second one from before"), "the other one"
    in what was spoken of last."""
    back = 1 if reading.has("pointing_list") and len(sight.refs.lists) > 1 else 0
    for mention in found:
        if mention.kind == "ordinal":
            yield _result(
                reading, mention, _at(reading, mention, sight.refs, back, _those(reading, mention, found, sight))
            )
        elif mention.kind == "other":
            yield from _other(reading, mention, sight)
        elif mention.kind == "beside":
            yield _beside(reading, mention, sight)
        elif mention.kind == "former":
            pair = sight.refs.pointed or sight.refs.latest()
            pair = pair[-2:] if len(pair) > 2 else pair
            yield _result(reading, mention, pair[mention.place - 1 : mention.place])


def _at(
    reading: Reading, mention: Mention, refs: References, back: int = 0, those: Sequence[Entity] = ()
) -> Sequence[Entity]:
    """What stands at a position: of those that were just spoken of, of such things in any list, or of the latest."""
    return at_place(those or _list_of(reading, refs, back, _noun(reading, mention)), mention.place)


def _those(reading: Reading, mention: Mention, found: list[Mention], sight: Sight) -> Sequence[Entity]:
    """What "of those" counts in: what the message itself speaks of, or the one before."""
    after = reading.folded[mention.span[1] :].lstrip()
    if not after.startswith(tuple(reading.phrases("pointing", "of_those"))):
        return ()
    for other in _of(found, "property"):
        if other.place == 2 and other.span < mention.span:
            return _sure(_properties(reading, [other], sight))
    return sight.refs.pointed if len(sight.refs.pointed) > 1 else ()


def _noun(reading: Reading, mention: Mention) -> str:
    """What a thing is said to be; "one" is said of anything."""
    return mention.noun if mention.noun not in reading.phrases("pointing", "ones") else ""


def _beside(reading: Reading, mention: Mention, sight: Sight) -> Resolved:
    """What stands in the latest list before or after the one spoken of last."""
    latest = sight.refs.latest()
    here = next((n for n, e in enumerate(latest) if sight.recent and key(e) == key(sight.recent[0])), None)
    place = here + mention.place if here is not None else -1
    return _result(reading, mention, latest[place : place + 1] if 0 <= place < len(latest) else ())


def _list_of(reading: Reading, refs: References, back: int, noun: str) -> Sequence[Entity]:
    """The list that is counted in: the latest, or, where a noun says what is counted ("the first museum"), the latest
    one that was not shown when something else was looked for."""
    if not noun:
        return refs.latest(back)
    for number in range(back, len(refs.lists)):
        if fitting := [e for e in refs.latest(number) if _called(e, noun)]:
            return fitting
    meant = {*kinds_of(reading, noun)}
    for number in range(back, len(refs.lists)) if meant else ():
        sought = {kind for word in fold(refs.lists[number].about).split() for kind in kinds_of(reading, word)}
        if not sought or sought <= meant or meant <= sought:
            return _of_noun(reading, refs.latest(number), noun)
    return _of_noun(reading, refs.latest(back), noun)


def _of_noun(reading: Reading, entities: Sequence[Entity], noun: str) -> Sequence[Entity]:
    """Those that a noun can name ("the second bar"), where it tells some of them from the rest."""
    kinds = {noun, *kinds_of(reading, noun)}
    return [e for e in entities if e.kind in kinds or _called(e, noun)] or entities


def _called(entity: Entity, noun: str) -> bool:
    """Whether the heading of its list, or its own name, says that a thing is one of these."""
    stem, group = noun.rstrip("s"), entity.facts.get("group")
    return stem in folded(entity.name) or (bool(group) and stem in fold(str(group)))


def _other(reading: Reading, mention: Mention, sight: Sight) -> Iterator[Resolved]:
    others = _but_the_named(reading, mention, sight)
    if mention.value:  # "the other Italian one"
        others = matching(reading, others, mention.value)
    sure = len(others) == 1 or (others and mention.place > 1)
    yield _result(reading, mention, others, "resolved" if sure else "ambiguous" if others else "none")


def _but_the_named(reading: Reading, mention: Mention, sight: Sight) -> list[Entity]:
    """What the latest list has beside what the message refuses or names; beside what was spoken of last, where it does
    neither ("the first, no, the other one")."""
    latest = sight.refs.shown()
    if len(latest) < 2:
        return list(sight.known.values())[-2:-1]
    gone = _keys_at(reading, reading.find(refusals), sight) | _named_keys(reading, sight)
    if not gone:
        before = [m for m in _of(reading.find(mentions), "ordinal") if m.span < mention.span]
        gone = _keys_at(reading, before[-1:], sight) or {key(e) for e in sight.recent[:1]}
    return [e for e in latest if key(e) not in gone]


def _keys_at(reading: Reading, found: list[Mention], sight: Sight) -> set[str]:
    """What stands at the positions that are said."""
    return {key(e) for m in _of(found, "ordinal") for e in _at(reading, m, sight.refs)}


DESCRIBING = ("where:", "with:", "like:")
"""Properties that are words known of a thing; the others are measures."""


def _properties(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    for mention in sorted(_of(found, "property"), key=lambda m: (m.span[0], -m.span[1])):  # the longest says the most
        describes = mention.value.startswith(DESCRIBING)
        fitting, others = (_described if describes else _measured)(reading, mention, found, sight)
        if len(fitting) == 1 or (fitting and mention.place == 2):
            yield _result(reading, mention, fitting)
        elif others:
            yield _result(reading, mention, others, _open(found, fitting))
        else:
            continue
        if not describes or len(fitting) != 1 or not _one_of_some(mention):
            return


def _open(found: list[Mention], fitting: Sequence[Entity]) -> str:
    """How several stand between which it is open: "which of them is cheaper", while no price is known, asks of all."""
    return "resolved" if not fitting and _of(found, "several") else "ambiguous"


def _one_of_some(mention: Mention) -> bool:
    """Whether words that describe one thing may stand beside another: "the Thai and the French" are two."""
    return mention.means == "adjective" or mention.value.startswith("like:")


def _measured(
    reading: Reading, mention: Mention, found: list[Mention], sight: Sight
) -> tuple[list[Entity], list[Entity]]:
    """Those that win by a measure, and those between which it is open where none does."""
    name, _, words = mention.value.partition(":")
    latest = [e for e in _list_of(reading, sight.refs, 0, mention.noun) if e.name]
    fitting = choose(matching(reading, latest, words) or _side_by_side(sight, found) or latest, name)
    return fitting, fitting or latest


def _described(
    reading: Reading, mention: Mention, found: list[Mention], sight: Sight
) -> tuple[list[Entity], list[Entity]]:
    """Those that words tell of, and those between which it is open; an adjective may as well mean something else."""
    shown, noun = sight.refs.latest(), _noun(reading, mention)
    latest = [e for e in (_of_noun(reading, shown, noun) if noun else shown) if e.name]
    fitting = _told_of(reading, mention, {**{key(e): e for e in latest}, **sight.known})
    if mention.means == "adjective":
        return fitting, []
    where = mention.value.startswith("where:") and not noun and not reading.has("day")  # "that one on Saturday": when
    return fitting, fitting or (latest if where else [])


def _picked(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """What words pick that are known of one of the things which were shown together."""
    latest = sight.refs.shown()
    for pick in picks(reading, latest, sight.fresh):
        words = reading.words(pick.span)
        yield "picked", Resolution(words, pick.span, "resolved", (_plain(latest[pick.place]),))


def _among(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """All that was just shown, where it is asked which of it is so, or any will do: "which has the fastest internet",
    "alguna abre los domingos?", "подойдёт любой"."""
    latest = sight.refs.shown()
    if not sight.fresh or sight.refs.single or len(latest) < 2:
        return
    for token in _pronouns_for_some(reading, sight.asking)[:1]:
        if not _counts_things(reading, reading.tokens.index(token) + 1):
            yield "pointing.among", Resolution(reading.words(token), token, "resolved", tuple(map(_plain, latest)))


def _pronouns_for_some(reading: Reading, asking: Sequence[Span]) -> list[Span]:
    among = reading.phrases("pointing", "among")
    if not reading.find(by_tables) and not _says_near(reading):  # "which is closer" compares them with something else
        among |= reading.phrases("pointing", "which")
    said = [token for token in reading.tokens[:SPOKEN] if reading.said(token) in among]
    return [token for token in said if begins_in(token[0], asking) and not is_too(reading, token)]


def _says_near(reading: Reading) -> bool:
    """Whether a message asks what is near or far."""
    near = reading.phrases("pointing", "nearer")
    return not near.isdisjoint(reading.folded.strip(" ?!.").split())


def _counts_things(reading: Reading, place: int) -> bool:
    """Whether the words from a place on name what is looked for, or what it should have: "any good museums?", "any with
    parking?". Then they are asked for anew."""
    after = reading.tokens[place : place + BESIDE_NOUN]
    if after and touches(after[0], [detail.span for detail in reading.find(by_tables)]):
        return True  # "any reviews?"
    words = [reading.said(token) for token in after]
    having = reading.phrases("pointing", "having") | reading.phrases("pointing", "anew")
    return bool(words) and (
        words[0] in having or any(THINGS.intersection(kind) for kind in lexicon_kinds(words, LANGUAGES))
    )


def _told_of(reading: Reading, mention: Mention, known: Mapping[str, Entity]) -> list[Entity]:
    """Those that words tell of; what follows them may be said of the thing: "the one with the pool sounds good".
    Failing that, those in a place that is named in another way or language: "el de Filadelfia", "the one in Philly"."""
    name, _, words = mention.value.partition(":")
    candidates, said = list(known.values()), words.split()
    for end in range(len(said), 0, -1):
        if fitting := matching(reading, candidates, " ".join(said[:end])):
            return fitting
    start, end = mention.span
    called = [p.canonical for p in reading.find(places) if start <= p.span[0] < end and p.canonical]
    return matching(reading, candidates, fold(called[0])) if called and name == "where" else []


def _side_by_side(sight: Sight, found: list[Mention]) -> list[Entity]:
    """What the message before put side by side: of these, "the cheaper one" is one."""
    pointed = [e for e in sight.refs.pointed if e.name]
    return pointed if len(pointed) > 1 and not _of(found, "several") else []


def _nouns(reading: Reading, found: list[Mention], sight: Sight, taken: list[Span]) -> Iterator[Resolved]:
    """Definite nouns: the most recently mentioned thing of that kind."""
    seen: set[str] = set()
    for mention in _of(found, "noun"):
        entity = _of_kind(reading, sight, mention.noun, bool(taken)) if not touches(mention.span, taken) else None
        if entity is not None and key(entity) not in seen and _noun_names(reading, mention, entity, sight):
            seen.add(key(entity))
            yield _result(reading, mention, (entity,))


def _noun_names(reading: Reading, mention: Mention, entity: Entity, sight: Sight) -> bool:
    """Whether a noun can mean a thing. "Near my hotel" means one's own, and none of those that were shown; of things
    that may be anything, "the train" is one that is called so."""
    if _is_called(entity, mention.noun):
        return True
    if reading.said(mention.span).split()[0] in reading.phrases("pointing", "own"):
        return False
    return sight.speaking is None or bool(entity.kind)


def _is_called(entity: Entity, noun: str) -> bool:
    """Whether a thing is said to be what a noun names, by its kind or in its name."""
    return entity.kind == noun or noun in fold(entity.name).split()


def _of_kind(reading: Reading, sight: Sight, noun: str, sure: bool = False) -> Entity | None:
    """The most recent thing that a noun can name. Where kinds are not told, that is the most recent of all, unless its
    name says that it is something else; `sure` leaves such guesses out."""
    kinds = set(kinds_of(reading, noun))
    if not kinds:
        return sight.recent[0]
    of_kind = (e for e in sight.recent if e.kind in kinds)
    if sure:
        return next(of_kind, None)
    guessed = (e for e in sight.recent if _may_be(reading, e, noun, kinds))
    return next(chain(of_kind, guessed), None)


def _may_be(reading: Reading, entity: Entity, noun: str, kinds: AbstractSet[str]) -> bool:
    """Whether a thing whose kind is not told may be what a noun names: its name says so, or says nothing else."""
    words = fold(entity.name).split()
    telling = [word for word in words if word not in reading.phrases("pointing", "weak")]
    others = {kind for word in telling for kind in kinds_of(reading, word)}
    return noun in words or (entity.kind not in reading.data("kinds") and not (others and others.isdisjoint(kinds)))


def _compared(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """What "it" is in "how does it differ from the first one?": the one spoken of, which the talk stays with."""
    if sight.recent and reading.has("comparing"):
        yield from (_result(reading, m, sight.recent[:1]) for m in found[:SPOKEN] if m.kind == "vague" and not m.noun)


def _they(sight: Sight, span: Span) -> Sequence[Entity]:
    """What "they" are: the two that were just spoken of, or all of a list while none of it was singled out."""
    if len(sight.refs.pointed) > 1:
        return sight.refs.pointed
    latest = sight.refs.shown()
    several = len(latest) > 1 and not sight.refs.single
    return latest if several and all(sight.may_mean(e, span) for e in latest) else ()


def _it(reading: Reading, sight: Sight, span: Span, noun: str = "") -> Entity | None:
    """What "it" means: the newest thing, but none of several that were only named side by side."""
    spoken = _spoken_of(sight)
    meant = _of_kind(reading, sight._replace(recent=spoken), noun) if noun and spoken else None
    return next((e for e in ([meant] if meant else spoken) if sight.may_mean(e, span)), None)


def _spoken_of(sight: Sight) -> Sequence[Entity]:
    """What was mentioned, the newest first, without several that were only named side by side."""
    aside = {*map(key, sight.refs.entities)} - {*map(key, sight.refs.spoken_of)}
    return [e for e in sight.recent if key(e) not in aside]


def _vague(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    pronouns = [m for m in _of(found, "vague") if not touches(m.span, sight.talk)]
    pronouns = [m for m in pronouns if not _means_the_town(reading, m.span)]
    meant = (_pronoun(reading, mention, sight) for mention in pronouns)
    yield from list(filter(None, meant))[:1] if _of(found, "vague", "person") else _silent(reading, sight)


def _means_the_town(reading: Reading, span: Span) -> bool:
    """Whether "there", or "it there", is a town that the message names: "we stayed in Porto and loved it there"."""
    there = [cue.start for cue in reading.all("pointing_vague") if cue.means == "there"]
    if not any(start in (span[0], span[1] + 1) for start in there):
        return False
    return any(p.role == "in" and p.canonical and p.span[1] <= span[0] for p in reading.find(places))


def _pronoun(reading: Reading, mention: Mention, sight: Sight) -> Resolved | None:
    """What "it", "they" or "she" means."""
    if reading.said(mention.span) in reading.phrases("pointing", "they") and (all_ := _they(sight, mention.span)):
        return _result(reading, mention, all_)
    if mention.kind == "vague" and not mention.noun and sight.choice:
        return _result(reading, mention, sight.choice, "ambiguous")
    entity = _it(reading, sight, mention.span, mention.noun)
    return _result(reading, mention, (entity,)) if entity is not None else None


def _silent(reading: Reading, sight: Sight) -> Iterator[Resolved]:
    """A question for a detail that does not say of what: "how much?", "¿tienen terraza?"; "which is easiest to reach?"
    asks of all."""
    for detail in reading.find(by_tables)[:1]:
        if _asks_of_nothing_shown(reading, detail):
            return
        among = not reading.phrases("pointing", "which").isdisjoint(reading.folded[: detail.span[0]].split()[:-1])
        meant = _they(sight, detail.span) if among or _plural_verb(reading, detail.span) else ()
        if not meant:
            meant = [e for e in [_it(reading, sight, detail.span)] if e is not None]
        if meant:
            words, entities = reading.words(detail.span), tuple(map(_plain, meant))
            yield f"silent.{detail.label}", Resolution(words, detail.span, "resolved", entities, how="silent")


def _asks_of_nothing_shown(reading: Reading, detail: Detail) -> bool:
    """Whether a detail is asked of nothing that was mentioned: "what time is it?", "where are you from?"."""
    if touches(detail.span, (cue.span for family in ("not_pointing", "forgets") for cue in reading.all(family))):
        return True  # what is to be forgotten ("never mind the price") is not asked for
    listeners = reading.phrases("pointing", "listeners")
    if not listeners.isdisjoint(reading.folded[detail.span[0] : detail.span[1] + 12].split()):
        return True
    return detail.label == "other" and detail.means not in ("amenity", "attribute", "fragment")


def _plural_verb(reading: Reading, detail: Span) -> bool:
    """Whether a verb says that several are meant, in a language that needs no pronoun for them: "¿tienen terraza?"; one
    that asks for a detail says so by its ending ("¿cuánto cuestan?")."""
    verbs, endings = reading.phrases("pointing", "they_verbs"), tuple(reading.phrases("pointing", "they_endings"))
    words = [(reading.folded[slice(*token)], token) for token in reading.tokens[:SPOKEN]]
    asked = [word for word, token in words if touches(token, [detail]) and len(word) > MAX_ENDING]
    return any(word in verbs for word, _ in words) or any(word.endswith(endings) for word in asked if endings)


_IN_ORDER: dict[Callable[[Reading, list[Mention], Sight], Iterator[Resolved]], tuple[Kind, ...]] = {
    _first_n: ("first_n",),
    _several: ("several",),
    _positions: ("ordinal", "other", "beside", "former"),
    _properties: ("property",),
    _picked: (),
    _among: (),
}
"""How what is shown is pointed at without its name, in order, and the kinds of mentions that each needs."""
