"""References: what was mentioned, and what a message points at.

What an agent names (venues, products, files, events) is kept as a short list of entities, one entry per id, and as the
lists it was shown in. A message is read in a fixed order: pointing at nothing, a name, several, a position in the
latest list, a property, a vague word (the most recently mentioned), nothing said at all. What stays ambiguous stays so,
with its candidates and a ready question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log

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
from holdfast.faculties.questions.pending import Answer, all_answered
from holdfast.faculties.references.entities import (
    AT_HAND,
    LISTS,
    LONGEST_LIST,
    Known,
    Listing,
    References,
    accepted,
    focused,
    folded,
    handed,
    key,
    merged,
    without,
)
from holdfast.faculties.references.resolving import Speaking, pointing, recalled, resolve
from holdfast.faculty import Action, Draft, Faculty, Item
from holdfast.reading.dates import dates
from holdfast.reading.details import ORDER, Detail, by_tables, details
from holdfast.reading.endings import Endings
from holdfast.reading.lexicon import kinds
from holdfast.reading.mentions import role
from holdfast.reading.names import Hit, named
from holdfast.reading.naming import Naming
from holdfast.reading.reader import Reading, Span, touches
from holdfast.reading.shown import Finder, Named, list_items, side_by_side, told_of
from holdfast.reading.text import fold
from holdfast.state import Moment, State
from holdfast.telling import Telling, said

_WORDS_COUNT, _FAINT = 1.5, -5.0
"""How much the words count beside the encoder, and what it gives to what it does not name, both logarithmic."""
FRESH = 2
"""Messages after which what was shown is still what one chooses from: a question about it and its answer."""
_WORDS = re.compile(r"[\w'&-]+")
ADDRESSED = frozenset(
    {"asks", "requests", "instructs", "chooses", "confirms", "rejects", "returns", "postpones", "retracts"}
)
"""Acts of clauses that want something of the agent: there "it" is what both speak of. In what somebody tells of their
life it is mostly something of that life."""
ASKING = frozenset({"asks", "confirms", "chooses"})
"""Acts of clauses in which "which" and "any" may be said of what was shown."""
TALK, SURE = frozenset({"remarks", "thanks", "greets"}), 16
"""Acts of clauses that want nothing, and the lead from which one is believed to be one of them."""
FOOD, LANGUAGES = frozenset({"food", "drink"}), ("en", "ru", "es")
"""Kinds of words that are no names, and the languages whose words are known."""
BARE = 4
"""Words of a reply that is no more than an answer, or of a clause that may be anything."""


class EntitiesMentioned(Event, frozen=True):
    """Somebody named things; two or more of them make a list."""

    entities: tuple[Entity, ...]
    by: Source = "agent"
    fresh: int = 0
    """How many of them were not known before."""
    listed: bool = False
    last: str = ""
    """Key of the one that the text names last, where that is not the last of the list."""
    about: str = ""
    """What was looked for then."""
    passing: bool = False
    """Whether plain sentences only name them."""

    @property
    def did(self) -> str:  # type: ignore[override]
        return "learned" if self.fresh else "mentioned"

    def tell(self) -> Telling:
        return ", ".join(entity.label() for entity in self.entities)


class DetailAsked(Event, frozen=True):
    """The message asks for a detail (where, when, cost, contact, other) of something."""

    did = "understood"
    told = "detail.asked"

    detail: str


class ReferencesFaculty(Faculty):
    """`kept` are remembered and `injected` are told; labels and the wording of ids make it speak of venues, products
    or files. `id` is the pattern of an id that may stand without its label; `place` names the slot whose value is the
    place of what has none of its own, `sought` the one that says what the things of a list are. With `newest_is_it` a
    vague "it" is the most recently mentioned thing even when the agent has just asked which one is meant. `heard` tells
    which words of a message are known to point, though nothing in them says so by itself ("ложка тогда"), and which ask
    something of what was shown. Without `wonders` what stays ambiguous is no question to the person: the agent sees the
    page."""

    name = "references"
    words = ("holdfast.faculties.references/references",)
    slice = References
    events = (EntitiesMentioned, DetailAsked, ReferenceResolved, MessageHeard, MessageSaid, Cleared)
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
        sought: str = "search_query",
        item: str = "entity",
        newest_is_it: bool = False,
        keep: int = 70,
        heard: Callable[[Draft], tuple[Sequence[Span], Sequence[Span]]] | None = None,
        wonders: bool = True,
    ) -> None:
        self.kept = kept
        self.injected = injected
        self.recent_label = recent_label
        self.refers_label = refers_label
        self.id_label = id_label
        self.kind = kind
        self.place = place
        self.sought = sought
        self.item = item
        self.newest_is_it = newest_is_it
        self.keep = keep
        self.heard = heard
        self.wonders = wonders
        self.read = Finder(id, id_label, kind, plain)

    # what an agent names

    def say(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageSaid)
        given = message.attached.get("entities")
        if given is not None:
            yield from self._mentioned(draft, accepted(given, self.kind), "agent", "attached", None)
            return
        known: dict[str, Entity] = draft.state.references.known
        shown = draft.reading.find(self.read)
        told = self._told(draft.reading.text, shown, draft.before)
        echo = [known[key(n.entity)] for n in told if key(n.entity) in known]
        if echo:  # our own words come back: they keep what is known in mind and teach nothing
            yield EntitiesMentioned(entities=tuple(echo), because=draft.cause("entities.echo", told[0].span))
        found = self._found(draft.reading, [n for n in shown if n not in told], known, bool(told))
        if found and "plan" not in message.attached:  # steps are nothing to choose from
            yield from self._named(draft, found, passing=not self.kind and not echo)

    def _named(self, draft: Draft, found: list[Named], passing: bool) -> Iterator[Event]:
        """What a reply names; `passing` where what plain sentences only name may be forgotten soon."""
        refs: References = draft.state.references
        entities = [e for n in found if (e := _known_as(refs.known, n.entity, draft.reading)).name]
        passing = passing and all(n.passing for n in found)
        if passing and len(found) == 1 and any(not e.passing for e in refs.entities):
            # what a sentence only names is not spoken of beside what was shown: "picked up from the airport"
            entities = [e for e in entities if key(e) in refs.known]
        yield from self._mentioned(draft, entities, "agent", "entities.reply", found[0].span, passing)

    def _found(self, reading: Reading, found: list[Named], known: Mapping[str, Entity], told: bool) -> list[Named]:
        """What a reply names anew: things; failing that, known ones by name; or more that stand side by side."""
        if told:
            return found
        found = _shown_in(reading, found)
        again = _by_name(reading, known) if known and all(n.passing for n in found) else []
        found = _as_known(reading, found, again) if found else again
        beside = side_by_side(reading) if not self.kind else []
        return beside if len(beside) > len(found) else found

    def _told(self, text: str, found: list[Named], before: State) -> list[Named]:
        """What stands in the reply word for word as we injected it."""
        briefed: str = before.conversation.briefed
        if not briefed or not found:
            return []
        told = ", ".join(self.written(e) for e in before.references.entities[-self.injected :])
        place = text.find(told) if told and told in briefed else -1
        return [n for n in found if place <= n.span[0] < place + len(told)] if place >= 0 else []

    def _mentioned(
        self, draft: Draft, entities: Sequence[Entity], by: Source, rule: str, span: Span | None, passing: bool = False
    ) -> Iterator[EntitiesMentioned]:
        if not entities:
            return
        known = draft.state.references.known
        here = self._held(draft, self.place)
        found: dict[str, Entity] = {}
        for entity in entities:
            found[key(entity)] = merged(known.get(key(entity)), entity, here)
        yield EntitiesMentioned(
            entities=tuple(found.values()),
            by=by,
            fresh=sum(k not in known for k in found),
            listed=len(found) > 1 or (by == "agent" and _one_item(draft.reading, span)),
            last=_named_last(draft.reading, found),
            about=(self._held(draft, self.sought) or "") if len(found) > 1 else "",
            passing=passing,
            because=draft.cause(rule, span),
        )

    def _held(self, draft: Draft, slot: str) -> str:
        """What a slot holds: the place of the talk, for what names none of its own, or what is looked for."""
        held = draft.state.slots.values.get(slot) if slot and "slots" in draft.state else None
        return held.value if held else ""

    # what a person points at

    def hear(self, draft: Draft) -> Iterator[Event]:
        message = draft.message
        assert isinstance(message, MessageHeard)
        if given := message.attached.get("entities"):
            yield from self._mentioned(draft, accepted(given, self.kind), "person", "attached", None)
        answers = all_answered(draft.state)
        bound = any(a.takes or not (a.question.options or a.question.about == "which") for a in answers)
        for detail in _details(draft) if not bound or _asks_too(draft.reading) else ():
            yield DetailAsked(detail=detail.label, because=draft.cause(detail.rule, detail.span))
        if draft.before.references.entities or draft.before.references.lists:
            yield from self._points(draft, answers)

    def _points(self, draft: Draft, answers: Sequence[Answer]) -> Iterator[Event]:
        """What the message points at."""
        reading, refs = draft.reading, draft.before.references
        back = recalled(reading, refs, self._held(draft, self.sought))
        if back is not None:
            yield from self._shown_again(draft, *back)
            refs = msgspec.structs.replace(draft.state.references, pointed=refs.pointed)
        answer = next((a for a in answers if a.takes), answers[-1]) if answers else None
        fresh = any(one.version >= draft.before.version - FRESH for one in refs.lists[:1])
        speaking = None if self.kind else _speaking(draft, refs)
        # of a few words nobody can tell whether they only remark something
        remarks = [c for c in draft.clauses if c.act in TALK and c.lead >= SURE]
        talk = [(c.start, c.end) for c in remarks if reading.folded.count(" ", c.start, c.end) >= BARE]
        asking = [(c.start, c.end) for c in draft.clauses if c.act in ASKING or c.lead < BARE]
        pointed = list(resolve(reading, refs, answer, self._choice(draft, refs), fresh, speaking, talk, asking))
        if back is not None and not pointed:  # "let's go back to sushi" means all that was shown then
            pointed = [(back[0], Resolution(reading.words(back[1]), back[1], "resolved", tuple(refs.shown())))]
        if self.heard is not None:
            pointed = pointing(reading, refs, self.heard(draft), pointed)
        for rule, found in pointed:
            yield from _resolved(draft, rule, found, answer, self.wonders)

    def _choice(self, draft: Draft, refs: References) -> Sequence[Entity]:
        """What the agent just asked to choose from, where "it" does not mean the newest of it."""
        latest = refs.shown()
        if self.newest_is_it or len(latest) < 2 or refs.single or not draft.asked:
            return ()
        return latest if draft.reading.reader.read(draft.asked).has("asks_which") else ()

    def _shown_again(self, draft: Draft, rule: str, span: Span, number: int) -> Iterator[EntitiesMentioned]:
        """What was shown for an earlier search is what the talk is about again."""
        listing = draft.before.references.lists[number]
        yield EntitiesMentioned(
            entities=tuple(e for e in listing.entities if e.name),
            by="person",
            listed=True,
            about=listing.about,
            because=draft.cause(rule, span),
        )

    # state

    def fold(self, slice: References, event: Event, moment: Moment) -> References:
        match event:
            case MessageSaid():
                return _without_passing(slice)
            case EntitiesMentioned():
                return self._held_in_mind(slice, event, moment)
            case ReferenceResolved(resolution=Resolution(status="resolved", entities=entities)):
                return _pointed_at(slice, entities, moment)
            case MessageHeard():
                return msgspec.structs.replace(slice, pointed=()) if slice.pointed else slice
            case Cleared(what=what, index=int(index)) if what == self.item:
                return without(slice, key(slice.entities[index]))
            case Cleared(what=what) if what in ("everything", self.item):
                return References()
        return slice

    def _held_in_mind(self, slice: References, event: EntitiesMentioned, moment: Moment) -> References:
        keys = [key(e) for e in event.entities]
        plain = {*keys} - slice.hand.keys() if event.passing else set()
        now = [
            Known(e.name, e.id, e.kind, e.facts, moment.at, event.by, k in plain)
            for k, e in zip(keys, event.entities, strict=True)
        ]
        return msgspec.structs.replace(
            slice,
            entities=(*(e for e in slice.entities if key(e) not in keys), *now)[-self.kept :],
            lists=_listed(slice.lists, event, moment) if event.listed else slice.lists,
            focus=focused(slice.focus, filter(None, (*keys, event.last))),
            single=not event.listed,
            hand=handed(slice.hand, [k for k in keys if k not in plain], moment.version),
        )

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
        # of choices named in passing only the chosen one is told
        told = refs.spoken_of[-self.injected :] if self.injected else ()
        recent, pointed = (", ".join(map(self.written, entities)) for entities in (told, refs.pointed))
        return [Item(self.recent_label, recent, self.keep), Item(self.refers_label, pointed, self.keep + 20)]

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        """An agent does not ask which one is meant when that is known. Of several it may ask."""
        pointed = state.references.pointed
        if len(pointed) != 1 or not reading.has("asks_which"):
            return
        names = pointed[0].name
        instead = str(reading.data("asking").get("known", "{names}")).replace("{names}", names)
        if reading.all("asks_which"):
            yield Violation("references.known", instead=instead, said=said("guard.which", names=names))


def _speaking(draft: Draft, refs: References) -> Speaking:
    """What pronouns may be said of, and in which clauses. (Things of a declared kind are what a pack is about: there a
    pronoun is said of the newest of them, wherever it stands.)"""
    recently = draft.before.version - AT_HAND
    named = [key(e) for e in refs.entities if e.passing]
    hand = {*(k for k, at in refs.hand.items() if at >= recently), *(named if len(named) == 1 else ())}
    return Speaking(hand, [(c.start, c.end) for c in draft.clauses if c.act in ADDRESSED])


def _without_passing(refs: References) -> References:
    """Without what a reply only named."""
    stays = tuple(e for e in refs.entities if not e.passing)
    if len(stays) == len(refs.entities):
        return refs
    keys = {key(e) for e in stays}
    return msgspec.structs.replace(refs, entities=stays, focus=tuple(k for k in refs.focus if k in keys))


def _pointed_at(refs: References, entities: Sequence[Entity], moment: Moment) -> References:
    """After the person pointed at things: what a reply only named stays for good then."""
    change = msgspec.structs.replace
    pointed = (*refs.pointed, *(e for e in entities if key(e) not in map(key, refs.pointed)))
    chosen = [key(e) for e in entities]
    return change(
        refs,
        entities=tuple(change(e, passing=False) if e.passing and key(e) in chosen else e for e in refs.entities),
        pointed=pointed,
        focus=focused(refs.focus, chosen),
        single=len(pointed) == 1,
        hand=handed(refs.hand, chosen, moment.version),
    )


def _listed(lists: Sequence[Listing], event: EntitiesMentioned, moment: Moment) -> tuple[Listing, ...]:
    """The lists after another one was shown; one that is shown again is the newest."""
    keys = {key(e) for e in event.entities}
    others = (old for old in lists if {key(e) for e in old.entities} != keys)
    return (Listing(event.entities[:LONGEST_LIST], moment.version, event.about), *others)[:LISTS]


def _asks_too(reading: Reading) -> bool:
    """Whether an answer asks for something as well: "email" in reply to "by email or text?" does not."""
    return len(reading.tokens) > BARE or "?" in reading.text or reading.has("requesting")


def _details(draft: Draft) -> list[Detail]:
    """The details that a message asks for: those of its questions, where it has several; else the one that it asks by
    its words and, where it may be asked, by the encoder."""
    several = {one.label: one for one in draft.reading.find(by_tables)}
    if len(several) > 1:
        return [*several.values()]
    found, sure = details(draft.reading, draft.asked)
    told = draft.reread_already if sure else draft.reread
    if told is None or not told.request:
        return found[:1]
    scores = {"other" if name == "other_detail" else name: log(chance) for name, chance in told.request.items()}
    by_words = found[0].label if found else "none"
    scores[by_words] = scores.get(by_words, _FAINT) + _WORDS_COUNT
    label = max(scores, key=lambda name: (scores[name], name))
    guessed = [Detail(one, (0, len(draft.reading.text)), "encoder.detail") for one in ORDER]
    return [one for one in (*found[:1], *guessed) if one.label == label][:1]


def _resolved(draft: Draft, rule: str, found: Resolution, answer: Answer | None, wonders: bool) -> Iterator[Event]:
    """What one mention points at, with the way that leads from it or to it; where it is ambiguous, a question."""
    if _of_the_question(found, answer, draft):
        return
    way = role(draft.reading, found.span) if len(found.entities) == 1 else ""
    found = msgspec.structs.replace(found, role=way) if way else found
    yield ReferenceResolved(resolution=found, because=draft.cause(rule, found.span))
    if found.status == "ambiguous" and wonders:
        yield _doubt(draft.reading, draft, found)


def _one_item(reading: Reading, span: Span | None) -> bool:
    """Whether what a reply names is the one item of a list: "1. **Osteria**"."""
    items = reading.find(list_items)
    return len(items) == 1 and (span is None or items[0].span[0] <= span[0] < items[0].span[1])


def _named_last(reading: Reading, entities: Mapping[str, Entity]) -> str:
    """Which of several the text comes back to: "A or B? I suggest A"."""
    if len(entities) < 2:
        return ""
    places = {k: reading.folded.rfind(fold(e.name)) for k, e in entities.items()}
    last = max(places, key=lambda k: places[k])
    return last if places[last] >= 0 and last != list(entities)[-1] else ""


def _known_as(known: Mapping[str, Entity], entity: Entity, reading: Reading) -> Entity:
    """What is named, as it is known: by its id alone, by a part of its name ("Vines" for Vines Lounge), in another case
    ("в «Стамбе»") or with what belongs to it ("Vedge's terrace")."""
    if entity.id or not entity.name:
        return known.get(entity.id, entity) if not entity.name else entity
    words, endings = _words(entity.name), reading.reader.made(Endings)
    said = _stems(endings, words[1:] if words[0] in reading.phrases("pointing", "articles") else words)
    named = {key(e): _stems(endings, _words(e.name)) for e in known.values()}
    same = [e for e in known.values() if said in named[key(e)] or said.startswith(f"{named[key(e)].rstrip()}'s ")]
    return msgspec.structs.replace(same[0], facts=entity.facts) if len(same) == 1 else entity


def _as_known(reading: Reading, found: list[Named], again: list[Named]) -> list[Named]:
    """What sentences name, where a part of a name that is known is all of it ("Музей" in "Музей пряника"). What stands
    beside a known thing in a sentence about it is none that was shown: "Aster takes cards and Apple Pay"."""
    spans = [n.span for n in found]
    whole = [n for n in again if n.span in spans or (_is_whole(reading, n) and touches(n.span, spans))]
    rest = [n for n in found if not touches(n.span, [one.span for one in whole])]
    about_one = len(whole) == 1 and all(whole[0].span < n.span for n in rest)
    return whole if about_one else sorted([*whole, *rest], key=lambda n: n.span)


def _is_whole(reading: Reading, named: Named) -> bool:
    return reading.said(named.span) == folded(named.entity.name)


def _shown_in(reading: Reading, found: list[Named]) -> list[Named]:
    """What a reply shows: of what its sentences only name, nothing beside what it marks as a name ("«Atlas», Long
    Street"), and nothing that is known as something else."""
    marked = [n for n in found if not n.passing]
    return marked or [n for n in found if not _is_something_else(reading, n)]


def _is_something_else(reading: Reading, named: Named) -> bool:
    """Whether what a sentence only names is known as something else: a day that a capital leads to ("Hopefully Sunday
    is drier"), or a dish ("Oysters, grouper and crab")."""
    days = [when.span for when in reading.find(dates) if when.day and when.span[1] == named.span[1]]
    dish = FOOD.intersection(kinds([reading.said(named.span)], LANGUAGES)[0])
    return bool(days or dish)


def _words(name: str) -> list[str]:
    return _WORDS.findall(folded(name)) or [folded(name)]


def _stems(endings: Endings, words: Sequence[str]) -> str:
    """Words as they are compared: without the endings of their case, between blanks."""
    return f" {' '.join(endings.name(word) if word[0] in endings.letters else word for word in words)} "


def _by_name(reading: Reading, known: Mapping[str, Entity]) -> list[Named]:
    """Known things that a reply names in a sentence, whole or by a part, with what it tells of them."""
    hits = [h for h in named(reading, {k: e.name for k, e in known.items()}) if _names_one(reading, h)]
    facts = reading.reader.made(Naming).facts
    abouts = zip(hits, told_of(reading, [hit.span for hit in hits]), strict=True)
    told = [(known[hit.keys[0]], hit.span, facts.read(reading.text, about, hit.span)) for hit, about in abouts]
    return [Named(msgspec.structs.replace(entity, facts=said), span) for entity, span, said in told]


def _names_one(reading: Reading, hit: Hit) -> bool:
    """Whether a reply means one thing by a name: by all of it, or by a part that is written like a name."""
    return len(hit.keys) == 1 and (hit.how == "whole" or (hit.how == "part" and reading.text[hit.span[0]].isupper()))


def _of_the_question(found: Resolution, answer: Answer | None, draft: Draft) -> bool:
    """Whether the "it" of a yes or no is what the question was about, and nothing that was mentioned: the question and
    the reply that it stands in neither name the thing nor point at it."""
    if answer is None or answer.yes is None or found.how != "vague" or not found.entities:
        return False
    recent = draft.before.conversation.recent
    said = fold(recent[-1].text) if recent and recent[-1].role != "user" else ""
    if any(fold(entity.name) in said for entity in found.entities):
        return False
    pointing = draft.reading.phrases("pointing", "vague")
    return pointing.isdisjoint(fold(answer.question.text).replace("?", " ").split())


def _doubt(reading: Reading, draft: Draft, resolution: Resolution) -> DoubtRaised:
    words = reading.data("asking")
    names = [e.name for e in resolution.entities]
    listed = ", ".join(names[:-1]) + f" {words.get('or', 'or')} {names[-1]}" if len(names) > 1 else "".join(names)
    question = str(words.get("which", "{names}?")).replace("{names}", listed)
    rule = draft.cause("references.ambiguous", resolution.span)
    return DoubtRaised(about=resolution.mention, question=question, candidates=tuple(names), because=rule)
