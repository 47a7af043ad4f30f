"""References: what was mentioned, and what a message points at.

What an agent names (venues, products, files, events) is kept as a short list of entities, one entry per id, and as the
lists it was shown in. A message is read in a fixed order: pointing at nothing, a name, several, a position in the
latest list, a property, a vague word (the most recently mentioned), nothing said at all. What stays ambiguous stays so,
with its candidates and a ready question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from holdfast.errors import InvalidInput
from holdfast.events import (
    Cleared,
    DoubtRaised,
    Entity,
    Event,
    MessageHeard,
    MessageSaid,
    ReferenceResolved,
    Resolution,
    Source,
    Violation,
)
from holdfast.faculties.questions import Answer, answered
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.details import details
from holdfast.reading.lists import Named, ReplyReader
from holdfast.reading.mentions import Mention, earlier_list, kinds_of, mentions, role
from holdfast.reading.names import named
from holdfast.reading.properties import choose, matching
from holdfast.reading.reader import Reading, Span
from holdfast.reading.tables import Table, shipped
from holdfast.reading.text import fold
from holdfast.state import Moment, State

LISTS = 3
"""Lists that can still be pointed into."""
LONGEST_LIST = 20
"""Items of a list that can be pointed at."""
FOCUS = 12
"""How many of the most recently mentioned are known in their order."""
FACTS = 12
"""Facts that are kept of one entity."""


class Known(Entity, frozen=True, omit_defaults=True):
    """An entity with when it was last mentioned, and by whom."""

    at: float = 0.0
    by: Source = "agent"


class Listing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Things that were shown together, in their order. A cleared one leaves its place empty."""

    entities: tuple[Entity, ...]
    version: int


class EntitiesMentioned(Event, frozen=True):
    """Somebody named things; two or more of them make a list."""

    entities: tuple[Entity, ...]
    by: Source = "agent"
    fresh: int = 0
    """How many of them were not known before."""
    listed: bool = False
    last: str = ""
    """Key of the one that the text names last, where that is not the last of the list."""

    @property
    def did(self) -> str:  # type: ignore[override]
        return "learned" if self.fresh else "mentioned"

    def tell(self) -> str:
        return ", ".join(f"{e.kind or 'entity'} {e.label()}" for e in self.entities)


class DetailAsked(Event, frozen=True):
    """The message asks for a detail (where, when, cost, contact, other) of something."""

    did = "understood"

    detail: str

    def tell(self) -> str:
        return f"asks for a detail: {self.detail}"


class References(msgspec.Struct, frozen=True, omit_defaults=True):
    """What can be pointed at."""

    entities: tuple[Known, ...] = ()
    """The most recent ones, oldest first."""
    lists: tuple[Listing, ...] = ()
    """Newest first."""
    focus: tuple[str, ...] = ()
    """Keys of what was mentioned or pointed at last, newest at the end."""
    pointed: tuple[Entity, ...] = ()
    """What the newest message of the person points at."""

    def latest(self, back: int = 0) -> tuple[Entity, ...]:
        """The latest list, or one before; without any list, all that is remembered."""
        if back < len(self.lists):
            return self.lists[back].entities
        return self.entities if not self.lists and not back else ()

    def known(self) -> dict[str, Entity]:
        """Everything that can be pointed at, most recently mentioned last."""
        found: dict[str, Entity] = {}
        for listing in reversed(self.lists):
            found |= {key(e): e for e in listing.entities if e.name}
        found |= {key(e): e for e in self.entities}
        return {
            **{k: e for k, e in found.items() if k not in self.focus},
            **{k: found[k] for k in self.focus if k in found},
        }

    @property
    def recent(self) -> Entity | None:
        """The most recently mentioned one."""
        known = self.known()
        return known[next(reversed(known))] if known else None


def key(entity: Entity) -> str:
    """What makes an entity the same one: its id, else its name."""
    return entity.id or fold(entity.name)


class ReferencesFaculty(Faculty):
    """`kept` are remembered and `injected` are told; labels and the wording of ids make it speak of venues, products
    or files. `id` is the pattern of an id that may stand without its label; `place` names the slot whose value is the
    place of what has none of its own."""

    name = "references"
    slice = References
    events = (EntitiesMentioned, DetailAsked, ReferenceResolved, MessageHeard, Cleared)
    hears = ("entities",)
    says = ("entities",)

    def __init__(
        self,
        kept: int = 5,
        injected: int = 3,
        recent_label: str = "Recently mentioned",
        refers_label: str = "Refers to",
        id_label: str = "ID",
        id: str | None = None,
        kind: str = "",
        plain: bool = True,
        place: str = "location",
        item: str = "entity",
        keep: int = 70,
        languages: tuple[str, ...] = ("en", "ru", "es"),
    ) -> None:
        self.kept = kept
        self.injected = injected
        self.recent_label = recent_label
        self.refers_label = refers_label
        self.id_label = id_label
        self.kind = kind
        self.place = place
        self.item = item
        self.keep = keep
        self.read = ReplyReader(id, id_label, kind, plain)
        self._tables = shipped("holdfast.faculties", "references", languages)

    def tables(self) -> Iterable[Table]:
        return self._tables

    # what an agent names

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        given = message.attached.get("entities")
        if given is not None:
            yield from self._mentioned(draft, [accept(e, self.kind) for e in given], "agent", "attached", None)
            return
        found = draft.reading.find(self.read)
        known: dict[str, Entity] = draft.state.references.known()
        told = self._told(draft.reading.text, found, draft.before) if known else []
        found = [n for n in found if n not in told]
        if not found and known:
            found = _by_name(draft.reading, known)
        echo = [known[key(n.entity)] for n in told if key(n.entity) in known]
        if echo:  # our own words come back: they keep what is known in mind and teach nothing
            yield EntitiesMentioned(entities=tuple(echo), because=draft.cause("entities.echo", told[0].span))
        entities = [known.get(n.entity.id, n.entity) if not n.entity.name else n.entity for n in found]
        span = found[0].span if found else None
        yield from self._mentioned(draft, [e for e in entities if e.name], "agent", "entities.reply", span)

    def _told(self, text: str, found: list[Named], before: State) -> list[Named]:
        """What stands in the reply word for word as we injected it."""
        briefed: str = before.conversation.briefed
        if not briefed or not found:
            return []
        told = ", ".join(self.written(e) for e in before.references.entities[-self.injected :])
        place = text.find(told) if told and told in briefed else -1
        return [n for n in found if place <= n.span[0] < place + len(told)] if place >= 0 else []

    def _mentioned(
        self, draft: Draft, entities: Sequence[Entity], by: Source, rule: str, span: Span | None
    ) -> Iterator[EntitiesMentioned]:
        if not entities:
            return
        known = draft.state.references.known()
        here = self._here(draft)
        merged: dict[str, Entity] = {}
        for entity in entities:
            merged[key(entity)] = _merged(known.get(key(entity)), entity, here)
        yield EntitiesMentioned(
            entities=tuple(merged.values()),
            by=by,
            fresh=sum(k not in known for k in merged),
            listed=len(merged) > 1,
            last=_named_last(draft.reading, merged),
            because=draft.cause(rule, span),
        )

    def _here(self, draft: Draft) -> str | None:
        """The place of the talk, for what names none of its own."""
        slots = draft.state.session.slices.get("slots")
        return slots.get(self.place) if slots is not None and self.place else None

    # what a person points at

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        message = draft.message
        assert isinstance(message, MessageHeard)
        if given := message.attached.get("entities"):
            yield from self._mentioned(draft, [accept(e, self.kind) for e in given], "person", "attached", None)
        for detail in reading.find(details)[:1]:
            yield DetailAsked(detail=detail.label, because=draft.cause(detail.rule, detail.span))
        refs: References = draft.before.references
        if not refs.entities and not refs.lists:
            return
        for rule, found in _resolve(reading, refs, answered(draft.state)):
            way = role(reading, found.span) if len(found.entities) == 1 else ""
            resolution = msgspec.structs.replace(found, role=way) if way else found
            yield ReferenceResolved(resolution=resolution, because=draft.cause(rule, resolution.span))
            if resolution.status == "ambiguous":
                yield _doubt(reading, draft, resolution)

    # state

    def fold(self, slice: References, event: Event, moment: Moment) -> References:
        change = msgspec.structs.replace
        match event:
            case EntitiesMentioned(entities=entities, by=by, listed=listed, last=last):
                now = [Known(e.name, e.id, e.kind, e.facts, moment.at, by) for e in entities]
                keys = {key(e) for e in now}
                kept = (*(e for e in slice.entities if key(e) not in keys), *now)[-self.kept :]
                lists = slice.lists
                if listed:
                    lists = (Listing(entities[:LONGEST_LIST], moment.version), *lists)[:LISTS]
                order = [*(key(e) for e in now), *([last] if last else [])]
                return change(slice, entities=kept, lists=lists, focus=_focused(slice.focus, order))
            case ReferenceResolved(resolution=Resolution(status="resolved", entities=entities)):
                pointed = (*slice.pointed, *(e for e in entities if key(e) not in map(key, slice.pointed)))
                return change(slice, pointed=pointed, focus=_focused(slice.focus, map(key, entities)))
            case MessageHeard():
                return change(slice, pointed=()) if slice.pointed else slice
            case Cleared(what="everything"):
                return References()
            case Cleared(what=what, index=index) if what == self.item and index is not None:
                return _without(slice, key(slice.entities[index]))
            case Cleared(what=what) if what == self.item:
                return References()
        return slice

    def clears(self, state: State) -> Iterable[str]:
        return [self.item] if state.references.entities else []

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what != self.item:
            return
        entities = draft.state.references.entities
        if index is None:
            raise InvalidInput("index parameter is required")
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(entities):
            raise InvalidInput(f"Invalid {self.item} index")
        yield Cleared(what=self.item, index=index, because=draft.cause(f"clear {entities[index].label()}"))

    # what the agent is told, and what it may not ask

    def written(self, entity: Entity) -> str:
        """An entity as the context line has it: `Name (Place ID: id)`."""
        return f"{entity.name} ({self.id_label}: {entity.id})" if entity.id else entity.name

    def context(self, draft: Draft) -> Iterable[Item]:
        refs: References = draft.state.references
        if not refs.entities and not refs.pointed:
            return ()
        recent = ", ".join(self.written(e) for e in refs.entities[-self.injected :]) if self.injected else ""
        pointed = ", ".join(self.written(e) for e in refs.pointed)
        return [Item(self.recent_label, recent, self.keep), Item(self.refers_label, pointed, self.keep + 20)]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask which one is meant when that is known."""
        pointed = state.references.pointed
        if not pointed or not reading.has("asks_which"):
            return
        names = ", ".join(e.name for e in pointed)
        instead = str(reading.data("asking").get("known", "{names}")).replace("{names}", names)
        if reading.all("asks_which"):
            yield Violation("references.known", f"asks which one is meant, which is known: {names}", instead)


def accept(given: Any, kind: str = "") -> Entity:
    """An entity as an agent attaches it: an Entity, a name, or a dictionary whose other keys become facts."""
    if isinstance(given, Entity):
        return Entity(given.name, given.id, given.kind or kind, given.facts)
    if isinstance(given, str):
        return Entity(given, kind=kind)
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str) or not given["name"].strip():
        raise InvalidInput(f"an entity is an Entity or a dict with a name, not {given!r:.80}")
    facts = dict(given.get("facts") or {})
    facts |= {
        k: v for k, v in given.items() if k not in ("name", "id", "place_id", "kind", "type", "facts") and v is not None
    }
    if "location" in facts:
        facts["place"] = facts.pop("location")
    id = given.get("id") or given.get("place_id") or ""
    return Entity(given["name"], str(id), str(given.get("kind") or given.get("type") or kind), facts)


def _merged(old: Entity | None, new: Entity, here: str | None) -> Entity:
    """What is known of an entity after it was mentioned again: new facts over old ones."""
    facts = {**(old.facts if old else {}), **new.facts}
    if here and "place" not in facts:
        facts["place"] = here
    facts = dict(list(facts.items())[-FACTS:])
    return Entity(new.name, new.id or (old.id if old else ""), new.kind or (old.kind if old else ""), facts)


def _named_last(reading: Reading, entities: Mapping[str, Entity]) -> str:
    """Which of several the text comes back to: "A or B? I suggest A"."""
    if len(entities) < 2:
        return ""
    places = {k: reading.folded.rfind(fold(e.name)) for k, e in entities.items()}
    last = max(places, key=lambda k: places[k])
    return last if places[last] >= 0 and last != list(entities)[-1] else ""


def _by_name(reading: Reading, known: Mapping[str, Entity]) -> list[Named]:
    """Known things that a reply names in a sentence."""
    hits = [h for h in named(reading, {k: e.name for k, e in known.items()}) if len(h.keys) == 1 and h.how == "whole"]
    return [Named(known[hit.keys[0]], hit.span) for hit in hits]


def _focused(focus: tuple[str, ...], keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reversed((*focus, *keys))))[:FOCUS][::-1]


def _without(refs: References, gone: str) -> References:
    """Without one entity. In a list its place stays empty: what was shown second is still the second."""
    lists = tuple(
        Listing(tuple(Entity("") if key(e) == gone else e for e in listing.entities), listing.version)
        for listing in refs.lists
    )
    return References(
        entities=tuple(e for e in refs.entities if key(e) != gone),
        lists=lists,
        focus=tuple(k for k in refs.focus if k != gone),
        pointed=tuple(e for e in refs.pointed if key(e) != gone),
    )


def _doubt(reading: Reading, draft: Draft, resolution: Resolution) -> DoubtRaised:
    words = reading.data("asking")
    names = [e.name for e in resolution.entities]
    listed = ", ".join(names[:-1]) + f" {words.get('or', 'or')} {names[-1]}" if len(names) > 1 else "".join(names)
    question = str(words.get("which", "{names}?")).replace("{names}", listed)
    rule = draft.cause("references.ambiguous", resolution.span)
    return DoubtRaised(about=resolution.mention, question=question, candidates=tuple(names), because=rule)


# the order of reading

Resolved = tuple[str, Resolution]


def _resolve(reading: Reading, refs: References, answer: Answer | None) -> Iterator[Resolved]:
    """What a message points at, by the first of these that applies; definite nouns ("the hotel") go beside names."""
    found = reading.find(mentions)
    known = refs.known()
    if answer is not None and answer.question.expects == "number":
        return
    chosen = _chosen(reading, known, answer)
    if chosen:
        yield chosen
        return
    by_name = list(_names(reading, known))
    if not by_name and any(m.kind == "none" for m in found):
        mention = next(m for m in found if m.kind == "none")
        yield mention.rule, Resolution(reading.words(mention.span), mention.span, "none")
        return
    yield from by_name
    nouns = list(_nouns(reading, found, refs, [r.span for _, r in by_name]))
    for part in () if by_name else (_several, _positions, _properties):
        taken = list(part(reading, found, refs))
        if taken:
            spans = [r.span for _, r in taken]
            yield from taken
            yield from (n for n in nouns if not any(a < n[1].span[1] and n[1].span[0] < b for a, b in spans))
            return
    yield from nouns
    if not by_name and not nouns:
        yield from _vague(reading, found, refs)


def _result(reading: Reading, mention: Mention, entities: Sequence[Entity], status: str | None = None) -> Resolved:
    plain = tuple(Entity(e.name, e.id, e.kind, e.facts) for e in entities if e.name)
    status = status or ("resolved" if plain else "none")
    return mention.rule, Resolution(reading.words(mention.span), mention.span, status, plain)  # type: ignore[arg-type]


def _chosen(reading: Reading, known: Mapping[str, Entity], answer: Answer | None) -> Resolved | None:
    """A reply to "which one?" is what it chose."""
    if answer is None or answer.option is None:
        return None
    wanted = fold(answer.value)
    for entity in known.values():
        if fold(entity.name) == wanted:
            return "answer.choice", Resolution(reading.words(answer.span), answer.span, "resolved", (_plain(entity),))
    return None


def _plain(entity: Entity) -> Entity:
    return Entity(entity.name, entity.id, entity.kind, entity.facts)


def _names(reading: Reading, known: Mapping[str, Entity]) -> Iterator[Resolved]:
    for hit in named(reading, {k: e.name for k, e in known.items()}):
        entities = tuple(_plain(known[k]) for k in hit.keys)
        status: Any = "resolved" if len(entities) == 1 else "ambiguous"
        yield f"name.{hit.how}", Resolution(reading.words(hit.span), hit.span, status, entities)


def _several(reading: Reading, found: list[Mention], refs: References) -> Iterator[Resolved]:
    latest = [e for e in refs.latest(1 if earlier_list(reading) else 0) if e.name]
    for mention in found:
        if mention.kind == "first_n" and latest:
            count = mention.place
            yield _result(reading, mention, latest[:count] if count > 0 else latest[count:])
            return
        if mention.kind == "several" and not any(m.kind in ("ordinal", "property", "other") for m in found):
            both = mention.place == 2
            yield _result(reading, mention, _pair(refs) if both else latest or list(refs.entities))
            return


def _pair(refs: References) -> list[Entity]:
    """What "both" means: the two of the latest list, else the two things of different kinds spoken of last."""
    latest = [e for e in refs.latest() if e.name]
    recent = list(refs.known().values())
    other = [e for e in recent[:-1] if e.kind != recent[-1].kind]
    if len(latest) == 2 and not (other and key(recent[-1]) not in map(key, latest)):
        return latest
    return [*other[-1:], recent[-1]] if other else recent[-2:]


def _positions(reading: Reading, found: list[Mention], refs: References) -> Iterator[Resolved]:
    """Ordinals and numbers count in the latest list, "the other one" in what was spoken of last."""
    back = 1 if earlier_list(reading) and len(refs.lists) > 1 else 0
    for mention in found:
        if mention.kind == "ordinal":
            latest = _of_noun(reading, refs.latest(back), mention.noun)
            place = mention.place - 1 if mention.place > 0 else len(latest) + mention.place
            yield _result(reading, mention, latest[place : place + 1] if 0 <= place < len(latest) else ())
        elif mention.kind == "other":
            yield from _other(reading, mention, refs)
        elif mention.kind == "former":
            pair = refs.pointed or refs.latest()
            pair = pair[-2:] if len(pair) > 2 else pair
            yield _result(reading, mention, pair[mention.place - 1 : mention.place])


def _of_noun(reading: Reading, entities: Sequence[Entity], noun: str) -> Sequence[Entity]:
    """Those that a noun can name ("the second bar"), where it tells some of them from the rest."""
    if not noun:
        return entities
    kinds = {noun, *kinds_of(reading, noun)}
    fitting = [e for e in entities if e.kind in kinds or noun.rstrip("s") in fold(str(e.facts.get("group", "")))]
    return fitting or entities


def _other(reading: Reading, mention: Mention, refs: References) -> Iterator[Resolved]:
    latest = [e for e in refs.latest() if e.name]
    recent = refs.recent
    others = [e for e in latest if recent is None or key(e) != key(recent)]
    if len(latest) < 2:
        others = list(refs.known().values())[-2:-1]
    yield _result(reading, mention, others, "resolved" if len(others) == 1 else "ambiguous" if others else "none")


def _properties(reading: Reading, found: list[Mention], refs: References) -> Iterator[Resolved]:
    for mention in found:
        if mention.kind != "property":
            continue
        name, _, words = mention.value.partition(":")
        latest = [e for e in _of_noun(reading, refs.latest(), mention.noun) if e.name]
        if name in ("where", "with", "like"):
            candidates = list({**{key(e): e for e in latest}, **refs.known()}.values())
            fitting = matching(reading, candidates, words)
            doubtful = name == "where" and (not mention.noun or mention.noun in reading.phrases("pointing", "ones"))
            if not fitting and not doubtful:
                continue
        else:
            fitting = choose(latest, name)
        if len(fitting) == 1:
            yield _result(reading, mention, fitting)
        else:
            yield _result(reading, mention, fitting or latest, "ambiguous")
        return


def _nouns(reading: Reading, found: list[Mention], refs: References, taken: list[Span]) -> Iterator[Resolved]:
    """Definite nouns: the most recently mentioned thing of that kind."""
    seen: set[str] = set()
    for mention in found:
        if mention.kind != "noun" or any(a < mention.span[1] and mention.span[0] < b for a, b in taken):
            continue
        entity = _of_kind(reading, refs, mention.noun, sure=bool(taken))
        if entity is not None and key(entity) not in seen:
            seen.add(key(entity))
            yield _result(reading, mention, (entity,))


def _of_kind(reading: Reading, refs: References, noun: str, sure: bool = False) -> Entity | None:
    """The most recent thing that a noun can name. Where kinds are not told, that is the most recent of all, unless its
    name says that it is something else; `sure` leaves such guesses out."""
    recent = list(reversed(refs.known().values()))
    kinds = set(kinds_of(reading, noun))
    if not kinds:
        return recent[0]
    for entity in recent:
        if entity.kind in kinds:
            return entity
    if sure:
        return None
    told = reading.data("kinds")
    for entity in recent:
        words = fold(entity.name).split()
        telling = [word for word in words if word not in reading.phrases("pointing", "weak")]
        others = {kind for word in telling for kind in kinds_of(reading, word)}
        if noun in words or (entity.kind not in told and not (others and others.isdisjoint(kinds))):
            return entity
    return None


def _vague(reading: Reading, found: list[Mention], refs: References) -> Iterator[Resolved]:
    recent = refs.recent
    if recent is None:
        return
    for mention in found:
        if mention.kind == "vague" or (mention.kind == "person" and recent.kind in ("", "person", "doctor", "salon")):
            entity = _of_kind(reading, refs, mention.noun) if mention.noun else recent
            yield _result(reading, mention, (entity or recent,))
            return
    for detail in reading.find(details)[:1]:
        if not detail.rule.endswith(("asks_about.subject", "detail_other.more")):
            words = reading.words(detail.span)
            yield f"silent.{detail.label}", Resolution(words, detail.span, "resolved", (_plain(recent),))
