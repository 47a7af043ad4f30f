"""The order in which a message is read for what it points at.

Pointing at nothing, a name, several, a position in the latest list, a property, a vague word, nothing said at all: the
first that applies decides. Definite nouns ("the hotel") go beside names and positions, for they name another thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import msgspec

from holdfast.events import Entity, Resolution
from holdfast.faculties.questions.pending import Answer
from holdfast.faculties.references.entities import References, key
from holdfast.reading.details import by_tables
from holdfast.reading.lexicon import kinds as lexicon_kinds
from holdfast.reading.mentions import COUNTED, Mention, at_place, earlier_list, kinds_of, mentions, refusals, refused
from holdfast.reading.names import named
from holdfast.reading.places import places
from holdfast.reading.properties import choose, matching, picks
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.replying import meant
from holdfast.reading.standing import sentence_of
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
    recent: Sequence[Entity]
    """The same, most recently mentioned first."""
    choice: Sequence[Entity] = ()
    """What the agent asked to choose from: "it" is then none of them yet."""
    fresh: bool = False
    """Whether the latest list was shown right before the message."""
    speaking: Speaking | None = None

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
        somebody tells, "the 1st" is a day and "the last one" one they had before."""
        return self.fresh or self.addressed(mention.span)


COUNTING = ("ordinal", "several", "first_n", "other")
"""Kinds of mentions that count in a list."""
SOMEBODY = ("person", "doctor", "salon")
MAX_BESIDE = 3
"""Words beside a detail that do not yet say of what it is asked: "and how much is that, roughly?"."""
SPOKEN = 14
"""Words of a message that is said in one breath, and may take back how it began."""


def resolve(
    reading: Reading,
    refs: References,
    answer: Answer | None,
    choice: Sequence[Entity] = (),
    fresh: bool = False,
    speaking: Speaking | None = None,
) -> Iterator[Resolved]:
    """What a message points at, by the first of these that applies; definite nouns ("the hotel") go beside names.
    `choice` are the things between which the agent asked to choose, `fresh` says that they were just shown."""
    if answer is not None and answer.question.expects == "number":
        return
    shown = len(refs.latest())
    said = [m for m in reading.find(mentions) if m.rule != COUNTED or m.place <= shown]
    known = refs.known
    sight = Sight(refs, known, list(reversed(known.values())), choice, fresh, speaking)
    found = _standing(reading, said)
    if speaking is not None:
        found = [m for m in found if m.kind not in COUNTING or sight.may_count(m)]
    if answer is not None and answer.takes:
        chosen = list(_chosen(reading, known, answer))
        if chosen or not any(_says_option(reading, mention, answer) for mention in found):
            yield from chosen
            return  # "the former" is one of the options, and nothing that was mentioned before
    rest = list(_all_but(reading, found, sight)) if any(m.kind == "remainder" for m in found) else []
    yield from rest or _pointed(reading, found, sight)


def _pointed(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    by_name = _by_name(reading, found, sight)
    nothing = next((m for m in found if m.kind == "none"), None)
    if nothing is not None and not by_name:
        yield nothing.rule, Resolution(reading.words(nothing.span), nothing.span, "none")
        return
    taken = [*by_name, *_beside_names(reading, found, sight, by_name)] or _by_order(reading, found, sight)
    nouns = _nouns(reading, found, sight, [r.span for _, r in by_name])
    free = [noun for noun in nouns if _apart(noun, taken)]
    yield from [*taken, *free]
    if len(taken) == 1 and len(taken[0][1].entities) == 1:  # "compare them" has its other side in it
        yield from _compared(reading, found, sight)
    if not taken and not free:
        yield from _vague(reading, found, sight)


def _apart(one: Resolved, others: Sequence[Resolved]) -> bool:
    return not any(overlap(one[1].span, other.span) for _, other in others)


def _by_name(reading: Reading, found: list[Mention], sight: Sight) -> list[Resolved]:
    """What is named; a name that is only refused gives way to what is pointed at: "not Osteria, the second one"."""
    by_name = list(_names(reading, sight.known))
    refused_only = all(r.status == "none" for _, r in by_name)
    return [] if refused_only and any(m.kind not in ("none", "noun", "vague") for m in found) else by_name


def _by_order(reading: Reading, found: list[Mention], sight: Sight) -> list[Resolved]:
    """Several, a position, a property, words that tell one thing from the rest: the first that finds something. One
    that points at nothing is told where the others find nothing either: "the one on 7th" counts to no seventh."""
    nothing: list[Resolved] = []
    for part in (_several, _positions, _properties, _picked):
        taken = list(part(reading, found, sight))
        if any(r.status != "none" for _, r in taken):
            return taken
        nothing = nothing or taken
    return nothing


def _beside_names(reading: Reading, found: list[Mention], sight: Sight, by_name: list[Resolved]) -> Iterator[Resolved]:
    """Positions in other sentences than the names: "I hate Gibsons. What's the first like?"."""
    said = {sentence_of(reading, r.span) for _, r in by_name}
    others = [m for m in found if m.kind == "ordinal" and sentence_of(reading, m.span) not in said]
    known = [r.entities for _, r in by_name]
    for rule, r in _positions(reading, others, sight) if by_name else ():
        if r.entities and r.entities not in known:
            yield rule, r


def recalled(reading: Reading, refs: References, sought: str) -> tuple[str, Span, int] | None:
    """The list that a message goes back to, by what was looked for then ("back to the Italian places"): the rule, the
    words that say so, and which list it is. `sought` is what is looked for now."""
    cue = next((cue for cue in reading.all("pointing_back") if cue.means == "search"), None)
    if cue is not None and len(refs.lists) > 1:
        return cue.id, cue.span, 1
    cue = reading.all("pointing_back")[0]
    for number, listing in enumerate(refs.lists):
        spans = [_said_of(reading, part) for part in fold(listing.about).split()]
        if spans and all(spans) and (number or fold(listing.about) != fold(sought)):
            whole = [cue.span, *(span for span in spans if span)]
            return cue.id, (min(a for a, _ in whole), max(b for _, b in whole)), number
    return None


def _said_of(reading: Reading, word: str) -> Span | None:
    """Where a message has a word in any of its forms: endings differ ("italiana", "italianos")."""
    stem = word[:-2] if len(word) > 6 else word
    return next((span for span in reading.tokens[:SPOKEN] if reading.folded.startswith(stem, span[0])), None)


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


def _says_option(reading: Reading, mention: Mention, answer: Answer) -> bool:
    """Whether an option was put in the very words that point: "would you like the first or the second one?"."""
    return reading.folded[slice(*mention.span)].split()[-1] in fold(answer.value).split()


def _standing(reading: Reading, found: list[Mention]) -> list[Mention]:
    """Of "the first, no, the second one" only what it came to."""
    start = meant(reading)[0] if len(found) > 1 and len(reading.tokens) <= SPOKEN else 0
    return [mention for mention in found if mention.span[1] > start] or found


def _plain(entity: Entity) -> Entity:
    return Entity(entity.name, entity.id, entity.kind, entity.facts)


def _names(reading: Reading, known: Mapping[str, Entity]) -> Iterator[Resolved]:
    for hit in named(reading, {k: e.name for k, e in known.items()}):
        entities = tuple(_plain(known[k]) for k in hit.keys)
        status: Any = "resolved" if len(entities) == 1 else "ambiguous"
        if refused(reading, hit.span):
            status, entities = "none", ()
        yield f"name.{hit.how}", Resolution(reading.words(hit.span), hit.span, status, entities)


def _all_but(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """ "All except the first": what the latest list has beside what is named then."""
    but = next(m for m in found if m.kind == "remainder")
    after = [m for m in found if m.span[0] >= but.span[1]]
    hits = named(reading, {k: e.name for k, e in sight.known.items()})
    gone = {k for hit in hits if hit.span[0] >= but.span[1] for k in hit.keys}
    for part in () if gone else (_positions, _properties):
        gone |= {key(e) for _, r in part(reading, after, sight) for e in r.entities if r.status == "resolved"}
    latest = [e for e in sight.refs.latest() if e.name]
    if gone.intersection(map(key, latest)):
        yield _result(reading, but, [e for e in latest if key(e) not in gone])


def _several(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    latest = [e for e in sight.refs.latest(1 if earlier_list(reading) else 0) if e.name]
    for mention in sorted(found, key=lambda m: m.kind != "first_n"):  # "los dos primeros" are more than "los dos"
        if mention.kind == "first_n" and latest:
            count = mention.place
            yield _result(reading, mention, latest[:count] if count > 0 else latest[count:])
            return
        if mention.kind == "several" and not any(_chooses(other) for other in found):
            those = _pair(sight) if mention.place == 2 else latest or list(sight.refs.entities)
            # "those" need things that both have spoken of, and "one of them" more than one
            if all(sight.may_mean(e, mention.span) for e in those) if mention.vague else len(those) > 1:
                yield _result(reading, mention, those)
            return


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
    latest = [e for e in sight.refs.latest() if e.name]
    return latest if len(latest) == 2 else [*recent[1:2], recent[0]]


def _positions(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """Ordinals and numbers count in the latest list, "the other one" in what was spoken of last."""
    back = 1 if earlier_list(reading) and len(sight.refs.lists) > 1 else 0
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
    latest = those or _such(reading, refs, mention.value) or _list_of(reading, refs, back, mention.noun)
    return at_place(latest, mention.place)


def _those(reading: Reading, mention: Mention, found: list[Mention], sight: Sight) -> Sequence[Entity]:
    """What "of those" counts in: what the message itself speaks of, or the one before."""
    after = reading.folded[mention.span[1] :].lstrip()
    if not after.startswith(tuple(reading.phrases("pointing", "of_those"))):
        return ()
    for other in found:
        if other.kind == "property" and other.place == 2 and other.span < mention.span:
            return [e for _, r in _properties(reading, [other], sight) for e in r.entities if r.status == "resolved"]
    return sight.refs.pointed if len(sight.refs.pointed) > 1 else ()


def _such(reading: Reading, refs: References, like: str) -> Sequence[Entity]:
    """The things of the newest list that has such ones: by what is known of them, or by what was looked for then."""
    for listing in refs.lists if like else ():
        if fitting := matching(reading, [e for e in listing.entities if e.name], like):
            return fitting
        if like in fold(listing.about):
            return listing.entities
    return ()


def _beside(reading: Reading, mention: Mention, sight: Sight) -> Resolved:
    """What stands in the latest list before or after the one spoken of last."""
    latest = sight.refs.latest()
    here = next((n for n, e in enumerate(latest) if sight.recent and key(e) == key(sight.recent[0])), None)
    place = here + mention.place if here is not None else -1
    return _result(reading, mention, latest[place : place + 1] if 0 <= place < len(latest) else ())


def _list_of(reading: Reading, refs: References, back: int, noun: str) -> Sequence[Entity]:
    """The list that is counted in: the latest, or, where a noun says what is counted ("the first museum"), the latest
    one that has such things."""
    for number in range(back, len(refs.lists) if noun else 0):
        if fitting := [e for e in refs.latest(number) if _called(e, noun)]:
            return fitting
    if noun:
        back = next((n for n in range(back, len(refs.lists)) if not _other_things(reading, refs, n, noun)), back)
    return _of_noun(reading, refs.latest(back), noun)


def _other_things(reading: Reading, refs: References, number: int, noun: str) -> bool:
    """Whether a list was shown when something else was looked for: no museum is "the second restaurant"."""
    sought = {kind for word in fold(refs.lists[number].about).split() for kind in kinds_of(reading, word)}
    meant = set(kinds_of(reading, noun))
    shared = sought & meant
    return bool(sought and meant) and not (sought - shared == set() or meant - shared == set())


def _of_noun(reading: Reading, entities: Sequence[Entity], noun: str) -> Sequence[Entity]:
    """Those that a noun can name ("the second bar"), where it tells some of them from the rest."""
    if not noun:
        return entities
    kinds = {noun, *kinds_of(reading, noun)}
    return [e for e in entities if e.kind in kinds or _called(e, noun)] or entities


def _called(entity: Entity, noun: str) -> bool:
    """Whether the heading of its list, or its own name, says that a thing is one of these."""
    return any(noun.rstrip("s") in fold(text) for text in (str(entity.facts.get("group", "")), entity.name))


def _other(reading: Reading, mention: Mention, sight: Sight) -> Iterator[Resolved]:
    others = _but_the_named(reading, mention, sight)
    if mention.value:  # "the other Italian one"
        others = matching(reading, others, mention.value)
    sure = len(others) == 1 or (others and mention.place > 1)
    yield _result(reading, mention, others, "resolved" if sure else "ambiguous" if others else "none")


def _but_the_named(reading: Reading, mention: Mention, sight: Sight) -> list[Entity]:
    """What the latest list has beside what the message refuses or names; beside what was spoken of last, where it does
    neither ("the first, no, the other one")."""
    latest = [e for e in sight.refs.latest() if e.name]
    if len(latest) < 2:
        return list(sight.known.values())[-2:-1]
    gone = {key(e) for m in reading.find(refusals) if m.kind == "ordinal" for e in _at(reading, m, sight.refs)}
    gone |= {k for hit in named(reading, {k: e.name for k, e in sight.known.items()}) for k in hit.keys}
    if not gone:
        before = [m for m in reading.find(mentions) if m.kind == "ordinal" and m.span < mention.span]
        said = [e for m in before[-1:] for e in _at(reading, m, sight.refs)]
        gone = {key(e) for e in [*said, *sight.recent][:1]}
    return [e for e in latest if key(e) not in gone]


DESCRIBING = ("where", "with", "like")
"""Properties that are words known of a thing; the others are measures."""


def _properties(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    longest = sorted((m for m in found if m.kind == "property"), key=lambda m: (m.span[0], -m.span[1]))
    for mention in longest:  # the longest says the most
        name, _, words = mention.value.partition(":")
        describes = name in DESCRIBING
        noun = mention.noun if not describes or mention.noun not in reading.phrases("pointing", "ones") else ""
        latest = _of_noun(reading, sight.refs.latest(), noun) if describes else _list_of(reading, sight.refs, 0, noun)
        latest = [e for e in latest if e.name]
        if describes:
            fitting = _described(reading, mention, {**{key(e): e for e in latest}, **sight.known}, words)
        else:
            fitting = choose(matching(reading, latest, words) or _side_by_side(sight, found) or latest, name)
        one = len(fitting) == 1
        if one or (fitting and mention.place == 2):
            yield _result(reading, mention, fitting)
        elif not describes or (mention.means != "adjective" and (fitting or (name == "where" and not noun))):
            yield _result(reading, mention, fitting or latest, "ambiguous")
        else:
            continue
        if not (describes and one and (mention.means == "adjective" or name == "like")):
            return  # "the Thai and the French", "the Thai one and the bar" are two


def _picked(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    """What words pick that are known of one of the things which were shown together."""
    latest = [e for e in sight.refs.latest() if e.name]
    for pick in picks(reading, latest, sight.fresh):
        words = reading.words(pick.span)
        yield "picked", Resolution(words, pick.span, "resolved", (_plain(latest[pick.place]),))


def _described(reading: Reading, mention: Mention, known: Mapping[str, Entity], words: str) -> list[Entity]:
    """Those that words tell of; what follows them may be said of the thing: "the one with the pool sounds good".
    Failing that, those in a place that is named in another way or language: "el de Filadelfia", "the one in Philly"."""
    candidates, said = list(known.values()), words.split()
    for end in range(len(said), 0, -1):
        if fitting := matching(reading, candidates, " ".join(said[:end])):
            return fitting
    if not mention.value.startswith("where:"):
        return []
    start, end = mention.span
    called = [p.canonical for p in reading.find(places) if start <= p.span[0] < end and p.canonical]
    return matching(reading, candidates, fold(called[0])) if called else []


def _side_by_side(sight: Sight, found: list[Mention]) -> list[Entity]:
    """What the message before put side by side: of these, "the cheaper one" is one."""
    pointed = [e for e in sight.refs.pointed if e.name]
    return pointed if len(pointed) > 1 and not any(m.kind == "several" for m in found) else []


def _nouns(reading: Reading, found: list[Mention], sight: Sight, taken: list[Span]) -> Iterator[Resolved]:
    """Definite nouns: the most recently mentioned thing of that kind."""
    seen: set[str] = set()
    for mention in found:
        if mention.kind != "noun" or any(a < mention.span[1] and mention.span[0] < b for a, b in taken):
            continue
        entity = _of_kind(reading, sight, mention.noun, sure=bool(taken))
        called = entity is None or _is_called(entity, mention.noun) or _said_to_be(reading, entity, mention.noun)
        if entity is not None and not called and (sight.speaking is not None and not entity.kind):
            continue  # of things that may be anything, "the train" is one that is called so
        if entity is not None and _owned(reading, mention) and not _is_called(entity, mention.noun):
            continue  # "near my hotel": one's own, and none of those that were shown
        if entity is not None and key(entity) not in seen:
            seen.add(key(entity))
            yield _result(reading, mention, (entity,))


def _owned(reading: Reading, mention: Mention) -> bool:
    return reading.folded[slice(*mention.span)].split()[0] in reading.phrases("pointing", "own")


def _is_called(entity: Entity, noun: str) -> bool:
    """Whether a thing is said to be what a noun names, by its kind or in its name."""
    return entity.kind == noun or noun in fold(entity.name).split()


def _said_to_be(reading: Reading, entity: Entity, noun: str) -> bool:
    """Whether the words of a name, or what is known of a thing, say that it is what a noun names."""
    kinds = set(kinds_of(reading, noun))
    words = [*fold(entity.name).split(), *fold(str(entity.facts.get("group", ""))).split()]
    named = any(kinds.intersection(kinds_of(reading, word)) for word in words)
    return named or bool(entity.facts and matching(reading, [Entity("", facts=entity.facts)], noun))


def _of_kind(reading: Reading, sight: Sight, noun: str, sure: bool = False) -> Entity | None:
    """The most recent thing that a noun can name. Where kinds are not told, that is the most recent of all, unless its
    name says that it is something else; `sure` leaves such guesses out."""
    recent = sight.recent
    kinds = set(kinds_of(reading, noun))
    if not kinds:
        return recent[0]
    having = [] if sure else [e for e in recent if e.facts and matching(reading, [Entity("", facts=e.facts)], noun)]
    if len(having) == 1 and not any(e.kind in kinds or noun in fold(e.name) for e in recent):
        return having[0]  # "the pool" is the one with a pool, where nothing mentioned is a pool
    of_kind = (e for e in recent if e.kind in kinds)
    guessed = (e for e in recent if not sure and _may_be(reading, e, noun, kinds))
    return next(of_kind, None) or next(guessed, None)


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


def _may_be_somebody(entity: Entity) -> bool:
    """Whether "she" or "his" may mean it: somebody by kind or by title ("Dr. Patel")."""
    words = fold(entity.name).replace(".", "").split()[:1]
    return entity.kind in SOMEBODY or "title" in lexicon_kinds(words, ("en", "ru", "es"))[0]


def _they(sight: Sight, span: Span) -> Sequence[Entity]:
    """What "they" are: the two that were just spoken of, or all of a list while none of it was singled out."""
    if len(sight.refs.pointed) > 1:
        return sight.refs.pointed
    latest = [e for e in sight.refs.latest() if e.name]
    several = len(latest) > 1 and not sight.refs.single
    return latest if several and all(sight.may_mean(e, span) for e in latest) else ()


def _it(reading: Reading, sight: Sight, span: Span, noun: str = "") -> Entity | None:
    """What "it" means: the newest thing, but none of several that were only named side by side."""
    spoken = _spoken_of(sight)
    meant = _of_kind(reading, sight._replace(recent=spoken), noun) if noun and spoken else None
    return next((e for e in ([meant] if meant else spoken) if sight.may_mean(e, span)), None)


def _spoken_of(sight: Sight) -> Sequence[Entity]:
    """What was mentioned, the newest first, without several that were only named side by side."""
    passing = {key(e) for e in sight.refs.entities if e.passing}
    return [e for e in sight.recent if key(e) not in passing] if len(passing) > 1 else sight.recent


def _vague(reading: Reading, found: list[Mention], sight: Sight) -> Iterator[Resolved]:
    pronouns = [m for m in found if m.kind in ("vague", "person")]
    for mention in pronouns:
        words = reading.folded[slice(*mention.span)]
        if words in reading.phrases("pointing", "they") and (all_ := _they(sight, mention.span)):
            yield _result(reading, mention, all_)
            return
        if mention.kind == "vague" and not mention.noun and sight.choice:
            yield _result(reading, mention, sight.choice, "ambiguous")
            return
        entity = _it(reading, sight, mention.span, mention.noun)
        if entity is not None and (mention.kind == "vague" or _may_be_somebody(entity)):
            yield _result(reading, mention, (entity,))
            return
    if not pronouns:
        yield from _silent(reading, sight)


def _silent(reading: Reading, sight: Sight) -> Iterator[Resolved]:
    """A question for a detail that does not say of what: "how much?", "¿tienen terraza?"."""
    idle = [cue.span for cue in reading.all("not_pointing")]
    for detail in reading.find(by_tables)[:1]:
        if any(overlap(detail.span, span) for span in idle):  # "what time is it?"
            return
        listeners = reading.phrases("pointing", "listeners")
        if not listeners.isdisjoint(reading.folded[detail.span[0] : detail.span[1] + 12].split()):
            return  # "where are you from?" asks for nothing that was mentioned
        if detail.label != "other" or detail.means in ("amenity", "attribute", "fragment"):
            words = reading.words(detail.span)
            meant = _they(sight, detail.span) if _plural_verb(reading) else ()
            recent = _it(reading, sight, detail.span) if not _has_subject(reading, detail.span, sight) else None
            if named := tuple(_plain(e) for e in meant or ([recent] if recent else [])):
                yield f"silent.{detail.label}", Resolution(words, detail.span, "resolved", named, how="silent")


def _has_subject(reading: Reading, span: Span, sight: Sight) -> bool:
    """Whether a clause says enough beside the detail it asks for to say of what: "how long before one can drive after
    an operation?"."""
    inside = next(((a, b) for a, b in sight.speaking.clauses if a <= span[0] < b), None) if sight.speaking else None
    beside = [t for t in reading.tokens if inside and inside[0] <= t[0] < inside[1] and not overlap(t, span)]
    return len(beside) > MAX_BESIDE


def _plural_verb(reading: Reading) -> bool:
    """Whether a verb says that several are meant, in a language that needs no pronoun for them: "¿tienen terraza?"."""
    verbs = reading.phrases("pointing", "they_verbs")
    return any(reading.folded[slice(*token)] in verbs for token in reading.tokens[:SPOKEN])
