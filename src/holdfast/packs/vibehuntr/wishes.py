"""What a person wishes for: the search query, the price level, what else it must have, and where it is planned.

These readers belong to this pack; the words they know are in `words/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from holdfast.faculties.facts.slots import Found, stands
from holdfast.faculties.facts.slots.readers import as_found, aside, place, same_day, within
from holdfast.faculties.facts.slots.readers import when as dated
from holdfast.faculties.plans import plans_of
from holdfast.faculties.questions.pending import Answer
from holdfast.kept import kept
from holdfast.packs.vibehuntr.people import corrected_hour, hours_beside, people
from holdfast.reading.dates import shifts
from holdfast.reading.details import details
from holdfast.reading.endings import Endings
from holdfast.reading.lexicon import kinds
from holdfast.reading.mentions import mentions
from holdfast.reading.places import PARTS, Known, Mark, answers, gazetteer, named_places, namesakes
from holdfast.reading.reader import Cue, Reader, Reading, Span, touches
from holdfast.reading.standing import sentences
from holdfast.reading.tables import Table, either
from holdfast.reading.text import fold
from holdfast.reading.values import numbers
from holdfast.state import State

GROUPS = ("meals", "cuisines", "dining", "venues", "verbs")
"""What goes before what. A verb says less than a name: "cenar ceviche" is ceviche, "where to eat" anything."""
_BY_VERB = {"meals": "dining", "cuisines": "cuisines", "venues": "verbs"}
"""The group of what is named by another word, mostly a verb: "поужинать", "tomar algo"."""
NAMED = frozenset(
    {"query.name.the", "query.name.owner", "query.name.ampersand"}
    | {"query.name.joined", "query.name.house", "query.name.region"}
)
"""The rules by which a bare phrase is the name of a venue, by its shape."""
NAME_WORDS = 5
LANGUAGES = ("en", "ru", "es")
FEW_WORDS = 3
HOURS, DOLLARS = 24, 100
LEAD_CHARS = 40
"""Characters before a word in which what leads to it is looked for."""
MAX_TOKENS, MAX_FOUND = 2000, 32
"""Words of a message that are looked at, and hits that are weighed."""
TOWN = 50
"""Thousands of people of a place that is known by its name alone."""
ANSWERED, WIDENED, MOVED = "answer.query", "places.widened", "time.moved"
"""Rules: a bare reply is what is looked for, all of a town will do again, and a time is moved by so much."""
FAR_SMALLER = 10
"""How many times larger a city is than a place that is taken for a part of it."""
_places = place()
_aside = aside("location")
_BOUNDS = ((15, "1"), (30, "2"), (60, "3"))
_OTHERWISE = ("yes", "no", "politeness", "negation", "party", "day", "clock", "price", "constraint", "name_said")
"""What a message that says one of these is about, and not the name of a venue."""


def query(reading: Reading) -> Iterable[Found]:
    """What is looked for: a meal before a dish or cuisine before a kind of venue, in the order of the text of each. A
    bare name of a venue counts when nothing else does."""
    narrows = reading.all("constraint")  # "vegan options", "any with live music?": what the place must have
    hits = [hit for hit in reading.find(sought) if not any(_narrowed_by(reading, cue, hit.span) for cue in narrows)]
    none = reading.phrases("query", "no_kind")
    said = [(reading.said(cue.groups["value"]), cue) for cue in reading.all("dish_of")[:MAX_FOUND]]
    kinds = [Found(word, cue.groups["value"], cue.id) for word, cue in said if word not in none]  # "Danish food"
    if kinds and all(hit.rule in ("query.venues", "query.verbs") for hit in hits[:1]):
        hits = kinds + hits  # "a restaurant serving English food"
    return hits or list(_named(reading))


def searched_before(reading: Reading, state: State) -> Iterable[Found]:
    """ "Back to the previous search": what was looked for when the list was shown that is the latest again."""
    cues = [cue for cue in reading.all("pointing_back") if cue.means == "search"]
    lists = state.references.lists
    return [Found(lists[0].about, cues[0].span, cues[0].id)] if cues and lists and lists[0].about else []


def sought(reading: Reading) -> list[Found]:
    """The known words of a text that name what is looked for, and not what it should have or be near: "a gym with a
    pool", "a hotel by the beach"."""
    hits = reading.find(wish_words)
    leads = tuple(f" {lead}" for lead in reading.made(_not_sought)) if len(hits) > 1 else ()
    return [hit for hit in hits if not leads or not _led_up(reading, hit.span[0]).endswith(leads)]


def _not_sought(reader: Reader, language: str | None) -> frozenset[str]:
    """Words after which something is named that is not looked for itself."""
    near = reader.phrases("places", "near", language) | reader.phrases("leads", "nearby", language)
    return near | reader.phrases("people", "with", language)


def _led_up(reading: Reading, start: int) -> str:
    """What leads to a word, without the article before it."""
    words = reading.folded[max(0, start - LEAD_CHARS) : start].split()
    articles = reading.phrases("choice", "articles")
    return " " + " ".join(words[:-1] if words and words[-1] in articles else words)


def wish_words(reading: Reading) -> list[Found]:
    """Every known word in the text, by group and then by place."""
    words = [reading.folded[start:end] for start, end in reading.tokens[:MAX_TOKENS]]
    table, openings = reading.made(_table)
    key = reading.reader.made(Keys).of
    found: list[tuple[int, int, Found]] = []
    place = 0
    while place < len(words):
        for count in (3, 2, 1) if words[place] in openings else (1,):
            said = " ".join(words[place : place + count])
            if place + count <= len(words) and (known := table.get(said) or table.get(key(said))):
                group, lemma = known
                span = reading.tokens[place][0], reading.tokens[place + count - 1][1]
                kept = fold(lemma) if reading.words(span).isascii() else lemma  # accents as they were typed
                if kept in reading.phrases("small", "words"):
                    break  # "te" is no "té"
                found.append((group, place, Found(kept, span, f"query.{GROUPS[group]}")))
                place += count - 1
                break
        place += 1
    return [hit for _, _, hit in sorted(found, key=lambda item: item[:2])[:MAX_FOUND]]


def _table(reader: Reader, language: str | None) -> tuple[dict[str, tuple[int, str]], frozenset[str]]:
    """Every form that is known, with its group and the form that is kept; and the words that open longer ones."""
    table: dict[str, tuple[int, str]] = {}
    same: dict[str, list[str]] = {}
    keys = reader.made(Keys)
    for word, lemma in reader.data("query_same", language).items():
        same.setdefault(lemma, []).append(word)
    for name, by_verb in _BY_VERB.items():
        for word in sorted(reader.phrases("query", name, language)):
            folded = fold(word)  # what is kept has its accents: "cervecería"
            table |= dict.fromkeys(same.get(word, ()), (GROUPS.index(by_verb), word))
            for form in (*keys.forms(folded), folded):
                table.setdefault(form, (GROUPS.index(name), word))
    return table, frozenset(word.split(" ", 1)[0] for word in table if " " in word)


class Keys:
    """Words without the endings of their plural or their case, by the rules in the tables of all languages."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self._endings = reader.made(Endings)
        self._plural = re.compile(f"{either(reader.phrases('query', 'plural'))}$")
        self._singular = reader.data("query_singular")
        self._fixed, self._weak = (
            tuple("".join(reader.phrases("query", key))) for key in ("never_declined", "declined_if_long")
        )
        self._turns = reader.data("query_turns")
        self.of = kept(4096)(self._of)

    def _of(self, words: str) -> str:
        if words[0] in self._endings.letters:
            cut = self._endings.stem(words)
            return "~" + cut if (len(cut) > 2 and not words.endswith(self._weak)) or len(cut) > 4 else words
        plural = self._plural.search(words)
        return words if plural is None else words[: plural.start()] + str(self._singular.get(plural[0], ""))

    def forms(self, word: str) -> Iterator[str]:
        """The keys under which a known word is found."""
        if word[0] not in self._endings.letters or not word.endswith(self._fixed):
            yield self.of(word)
        for ending, turned in self._turns.items():
            if word.endswith(ending):
                yield self.of(word.removesuffix(ending) + str(turned))


def _begins_in(span: Span, others: Iterable[Span]) -> bool:
    return any(start <= span[0] < end for start, end in others)


def _narrowed_by(reading: Reading, cue: Cue, span: Span) -> bool:
    sought = cue.groups.get("sought", (0, 0))
    if sought[0] <= span[0] < sought[1] or not (cue.start <= span[0] and span[1] <= cue.end):
        return False  # "a quiet cafe" is a cafe
    before = reading.folded[: cue.start].split()[-1:] if cue.start < MAX_TOKENS else []
    return cue.span != span or (bool(before) and before[0] in reading.phrases("query", "with"))


def _named(reading: Reading) -> Iterator[Found]:
    """A bare phrase with the shape of a venue's name: "House of Kabob", "Joe's", "South Philly Barbacoa"."""
    spans = reading.find(sentences)
    tokens = reading.tokens
    text = reading.text.strip().rstrip(".!")
    if len(spans) != 1 or not 1 <= len(tokens) <= NAME_WORDS or text.endswith("?") or "," in text:
        return
    words = [reading.folded[slice(*token)] for token in tokens]
    small, joints = reading.phrases("query", "small", "contractions"), reading.reader.phrases("query", "joints")
    if not (small - joints).isdisjoint(words) or reading.has("correction", *_OTHERWISE):
        return
    if _all_place(reading):  # "the Bronx" is where, and not what
        return
    if rule := _shape(reading, words):
        span = tokens[0][0], tokens[-1][1]
        yield Found(reading.words(span), span, f"query.name.{rule}")


def _after_article(reading: Reading, words: list[str], capitals: list[bool]) -> str:
    """The shape of a phrase with an article: a name has capitals after it, or ends in a word for a house."""
    house = words[-1] in reading.phrases("query", "houses")
    return "the" if any(capitals[1:]) or (house and len(words) > 2) else ""


def _shape(reading: Reading, words: list[str]) -> str:
    capitals = [reading.text[start].isupper() for start, _ in reading.tokens]
    if words[0] in reading.phrases("query", "article"):
        return _after_article(reading, words, capitals)
    owned = any(word.endswith("'s") for word in words)
    if len(words) == 1:
        return "owner" if owned and capitals[0] else ""
    shapes = {
        "owner": owned,
        "ampersand": "&" in reading.text,
        "joined": not reading.phrases("query", "of").isdisjoint(words[1:-1]),
        "house": words[-1] in reading.phrases("query", "houses"),
        "region": capitals[-1] and reading.find(named_places),
    }
    return next(filter(shapes.get, shapes), "")


def _all_place(reading: Reading) -> bool:
    """Whether a place is all that the message says."""
    spots = reading.find(named_places)
    small = reading.phrases("query", "small")
    told = [token for token in reading.tokens if reading.folded[slice(*token)] not in small]
    return bool(spots) and all(any(p.span[0] <= start < p.span[1] for p in spots) for start, _ in told)


def query_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "what are you looking for?"."""
    words = reading.folded[slice(*answer.span)].split()
    small = reading.phrases("query", "small")
    if not words or len(words) > NAME_WORDS or reading.find(named_places) or reading.find(numbers):
        return None
    if sum(word in small for word in words) * 2 > len(words) or reading.has(*_OTHERWISE):
        return None
    return Found(answer.value, answer.span, ANSWERED)


def topics(tables: Iterable[Table]) -> Callable[[str], str]:
    """Eating and drinking is one topic, a museum another, a hike a third."""
    texts = [str(table.data.get("query", {}).get("outings", "")) for table in tables]
    outings = frozenset(fold(word) for text in texts for word in text.split("|"))
    return lambda value: fold(value) if fold(value) in outings else "food"


def price(reading: Reading) -> Iterable[Found]:
    """The price level from 1 to 4; of phrases that overlap, the longer one."""
    found: list[tuple[Span, Found]] = []
    barred = [cue.span for cue in reading.all("price_not")]
    for cue in sorted(reading.all("price"), key=lambda cue: cue.start - cue.end)[:MAX_FOUND]:
        inside = any(a <= cue.start and cue.end <= b for a, b in barred)
        if inside or any(a < cue.end and cue.start < b for (a, b), _ in found):
            continue
        found.append((cue.span, Found(_level(reading, cue), _first_word(reading, cue), cue.id)))
    return [hit for _, hit in sorted(found, key=lambda item: item[0])]


def _first_word(reading: Reading, cue: Cue) -> Span:
    """ "Not too expensive" and "doesn't eat meat" are values of their own: only their first word is looked at, so that
    they are not negated."""
    return cue.start, cue.start + len(reading.folded[cue.start : cue.end].split()[0])


def _level(reading: Reading, cue: Cue) -> str:
    key = cue.means
    if key.startswith("level"):
        return key[5]
    if key == "signs":
        return str(min(4, cue.end - cue.start))
    rate = _rate(reading, cue)
    bounds = {name.rstrip("23"): int(reading.words(span)) * DOLLARS / rate for name, span in cue.groups.items()}
    if "least" in bounds:
        least = bounds["least"]
        return next((str(int(level) + 1) for bound, level in reversed(_BOUNDS) if least >= bound), "1")
    most = bounds["most"]
    return next((level for bound, level in _BOUNDS if most <= bound), "4")


def _rate(reading: Reading, cue: Cue) -> int:
    """How many of the money that is named a hundred dollars are."""
    rates, said = reading.reader.data("rates", cue.language), reading.folded[cue.start : cue.end]
    return next((int(rates[name]) for name in rates if name in said), int(rates.get("otherwise", DOLLARS)))


def constraints(reading: Reading) -> Iterable[Found]:
    """Diet, outdoor seating, parking and the like, named by their pattern, what it should be near, what is not eaten or
    liked, and other wishes in their own words; not what is only asked of a thing."""
    found = [*_had(reading), *_landmarks(reading)] if reading.has("constraint", "landmark") else []
    if hated := reading.all("hates"):
        found += _hated(reading, hated)
    return [] if found and asks_of_a_thing(reading) else found


def _had(reading: Reading) -> Iterator[Found]:
    """What a place must have."""
    for cue in reading.all("constraint"):
        if "diet" in cue.traits:  # that of whoever comes along: "doesn't eat meat", "sin gluten"
            yield Found(cue.means.replace("_", " "), _first_word(reading, cue), cue.id)
        else:
            yield Found(cue.means.replace("_", " "), cue.span, cue.id)


def _landmarks(reading: Reading) -> Iterator[Found]:
    """What a place should be near."""
    for cue in reading.all("landmark"):
        if not touches(cue.span, [p.span for p in reading.find(named_places)]):  # no "Long Beach"
            yield Found(reading.said(cue.span), cue.span, cue.id)


def _hated(reading: Reading, cues: Iterable[Cue]) -> Iterator[Found]:
    """What whoever comes does not eat or like ("I don't like seafood"), beside a diet ("doesn't eat meat")."""
    told = [cue.span for cue in reading.all("constraint")]
    for hit in reading.find(wish_words):
        cue = next((cue for cue in cues if _begins_in(hit.span, [cue.groups["it"]])), None)
        if cue is not None and hit.rule == "query.cuisines" and not touches(hit.span, told):
            yield Found(f"{min(reading.phrases('query', 'without'))} {hit.value}", _first_word(reading, cue), cue.id)


def when(reading: Reading) -> Iterable[Found]:
    """Days and times."""
    counted = [found.span for found in reading.find(people)]  # "на 4 чел." is no time
    told = [f for f in dated(reading) if not any(a <= f.span[0] and f.span[1] <= b for a, b in counted)]
    if not told or not reading.has("clock"):
        return _timed(reading, told)
    found = told[:1]
    for one in (*told[1:], *corrected_hour(reading, told[-1])):  # "friday at 7. no, at 8" is friday at 8
        found.append(one._replace(value=same_day(reading, one.value, found[-1].value)))
    return found


def _timed(reading: Reading, told: list[Found]) -> list[Found]:
    """A day with an hour that stands beside those who come, or by how much a time is moved: "an hour later"."""
    if hours := reading.find(hours_beside):
        day = f"{told[-1].value} " if told else ""
        return [*told, Found(day + reading.words(hours[-1]), hours[-1], "people.hour")]
    return told or [Found(reading.words(cue.span), cue.span, MOVED) for cue in shifts(reading)[:1]]


def when_answer(reading: Reading, answer: Answer) -> Found | None:
    """A bare reply to "when?" in a few words that are no yes or no: "after work"."""
    if reading.find(numbers) or reading.has("yes", "no", "politeness", "negation"):
        return None
    few = len(within(reading, answer.span)) in range(1, FEW_WORDS + 1)
    return Found(answer.value, answer.span, "answer.when") if few else None


def asks_of_a_thing(reading: Reading) -> bool:
    """Whether a message asks for a detail of what was shown. "Can we do the first one on friday?" asks for none."""
    return bool(reading.find(mentions) and details(reading)[0])


def where(reading: Reading) -> Iterable[Found]:
    """Places where something may be looked for."""
    found = _in_one_town(reading, _spots(reading))
    if reading.has("widens"):  # "not only in Soho, the whole city"
        found = [spot for spot in found if _row(reading, spot).mark not in PARTS]
    if found and not reading.has("correction", "override") and not reading.find(wish_words):
        found = [spot for spot in found if not _in_passing(reading, spot.span)]
    return found


def _in_one_town(reading: Reading, found: list[Found]) -> list[Found]:
    """A city and parts of it leave no doubt: the one that is named last is where to look, and it is in that city ("in
    Lima, Barranco or Miraflores"), or the one that something is near ("near Bondi Junction in Sydney"). Without a part,
    or with two cities, what was found stays as it is."""
    if len(found) < 2 or not all(stands(reading, spot) for spot in found):
        return found
    named = sorted(((_row(reading, spot), spot) for spot in found), key=lambda one: -one[0].thousands)
    (large, city), *others = named
    if large.mark in PARTS or not all(_part_of(reading, one, (large, city)) for one in others):
        return found
    return [_looked_in(reading, found, [spot for _, spot in others])._replace(canonical=city.canonical)]


def _looked_in(reading: Reading, found: list[Found], parts: list[Found]) -> Found:
    near = {place.span for place in reading.find(named_places) if place.role == "near"}
    return max([spot for spot in parts if spot.span in near] or found, key=lambda spot: spot.span)


def _part_of(reading: Reading, part: tuple[Known, Found], town: tuple[Known, Found]) -> bool:
    """Whether a place lies in a city that is named with it: it is no city itself, or stands right before its name, or
    is far smaller and in the same country. "Boston or Salem" are two."""
    (row, small), (large, city) = part, town
    between = reading.folded[small.span[1] : city.span[0]] or reading.folded[city.span[1] : small.span[0]]
    if "," not in between and reading.data("asking").get("or") in between.split():
        return False
    beside = small.span < city.span and not between.strip(" ,")
    inside = row.country == large.country and row.thousands * FAR_SMALLER < large.thousands
    return beside or inside or not small.canonical or row.mark in PARTS


def _row(reading: Reading, spot: Found) -> Known:
    """What the gazetteer has of a place."""
    table = gazetteer()
    key = table.longest(reading.said(spot.span).split(), reading.reader.made(Endings))[1]
    return table.row(key) or Known("", "", 0, Mark.CITY)


def where_else(reading: Reading, state: State) -> Iterable[Found]:
    """A place that is named in passing, or asked about by the way, is taken while there is no other."""
    if "location" in state.slots.values:
        pointed = bool(state.references.pointed) or reading.has("pointing_ordinal")
        return _other_part(reading, state) or ([] if pointed else _turned_to(reading))
    return list(_aside(reading, state)) or _spots(reading)


def _turned_to(reading: Reading) -> list[Found]:
    """A place beside nothing but small words, while another one is held: "what about savannah then", "boise this time".
    A name that is also a word or a person's needs a word that leads to it: "thanks madison" moves nothing."""
    small = reading.phrases("query", "outcomes") | reading.phrases("places", "beside")
    leads = reading.phrases("query", "turns_to")
    known = [as_found(p) for p in reading.find(answers) if p.canonical and fold(p.value) not in small]
    known = [spot for spot in known if not (spot.value.islower() and kinds([fold(spot.value)], LANGUAGES)[0])]
    for spot in [*known, *(spot for spot in reading.find(_homonyms) if _before(reading, spot.span) in leads)][:1]:
        rest = [reading.folded[slice(*token)] for token in reading.tokens if not _begins_in(token, [spot.span])]
        if len(rest) <= NAME_WORDS and small.issuperset(rest):
            return [spot]
    return []


def _homonyms(reading: Reading) -> list[Found]:
    """Names of cities that are words or people's names first, however they are written: "nice", "madison"."""
    words = [reading.folded[slice(*token)] for token in reading.tokens[:MAX_TOKENS]]
    endings, table = reading.reader.made(Endings), gazetteer()
    found = []
    for word, token in zip(words, reading.tokens, strict=False):
        count, key = table.longest([word], endings)
        row = table.row(key) if count else None
        if row is not None and row.mark in ("w", "p") and row.thousands >= TOWN:
            found.append(Found(reading.words(token), token, "places.homonym", row.canonical, row.own))
    return found[:MAX_FOUND]


def _before(reading: Reading, span: Span) -> str:
    """The word before a span, where only a blank parts them."""
    before = reading.folded[: span[0]].split()[-1:]
    return before[0] if before else ""


def _other_part(reading: Reading, state: State) -> list[Found]:
    """What is near something that is spoken of, or all of the town again."""
    near = reading.first("near_it")
    if near is not None and (one := _spoken_of(state)):
        town, canonical = town_of(reading, state)
        return [Found(f"{one}, {town}", near.span, near.id, canonical)]
    return _widened(reading, state) if reading.has("widens") else []


def _widened(reading: Reading, state: State) -> list[Found]:
    """All of the town again, where a part of it is held: "anywhere in the city is fine"."""
    cue, (town, canonical) = reading.all("widens")[0], town_of(reading, state)
    narrow = town != state.slots.values["location"].value
    return [Found(town, _first_word(reading, cue), WIDENED, canonical)] if narrow else []


def _spoken_of(state: State) -> str:
    """The name of the one thing that is pointed at or was spoken of last."""
    refs = state.references
    spoken_of = refs.pointed or ([refs.recent] if refs.single else [])
    return spoken_of[0].name if len(spoken_of) == 1 and spoken_of[0] is not None else ""


def town_of(reading: Reading, state: State) -> tuple[str, str]:
    """The town of the place that is held: without the part of it, or the one of before where only a part is held."""
    prefixes = sorted(reading.reader.phrases("places", "area"), key=len, reverse=True)
    held, endings = state.slots.values["location"], reading.reader.made(Endings)
    for value in (held, *reversed(state.slots.past.get("location", ()))):
        name = (value.own or value.value).rpartition(", ")[2]
        name = name.removeprefix(next((f"{prefix} " for prefix in prefixes if name.startswith(f"{prefix} ")), ""))
        count, key = gazetteer().longest(fold(name).split(), endings)
        row = gazetteer().row(key)
        if row is None or row.mark not in PARTS:
            return " ".join(name.split()[: count or None]), value.canonical or held.canonical
    return held.canonical or held.value, held.canonical


def _spots(reading: Reading) -> list[Found]:
    """Places; but an unknown name is the venue where it is said to be one ("cena en Casa Lucio"), and what is looked
    for where it is known as that ("interested in Thai")."""
    found = [spot for spot in _places(reading) if not _is_one(reading, spot.span)]
    hits = reading.find(wish_words)
    if hits and not found:
        found = _beside_wish(reading, hits)
    others = [other.span for other in (*event_venue(reading), *hits)] if found else []
    return [spot for spot in found if spot.canonical or not _begins_in(spot.span, others)]


def _is_one(reading: Reading, span: Span) -> bool:
    """Whether words that are written small are one of a kind, and no place: "a very old labrador"."""
    before = reading.folded[: span[0]].split()[-2:]
    one = not reading.phrases("query", "indefinite").isdisjoint(before)
    return one and reading.words(span).islower() and _closes(reading, span[1])


def _in_passing(reading: Reading, span: Span) -> bool:
    """Whether a place without a preposition stands in the middle of talk that looks for nothing: "put it on my Paris
    card". What opens a sentence is spoken of: "Chicago sounds better"."""
    if len(reading.tokens) <= NAME_WORDS or any(start == span[0] for start, _ in reading.find(sentences)):
        return False
    roles = {p.span: p.role for p in reading.find(named_places)}
    after = reading.text[span[1] : span[1] + 2].strip()
    return roles.get(span, "in") == "" and after[:1].isalpha()


def _beside_wish(reading: Reading, wished: list[Found]) -> list[Found]:
    """A city that is called like a person or a thing, right before or after what is looked for: "Phoenix brunch
    spots", "bars Sydney"."""
    if len(reading.tokens) > NAME_WORDS:
        return []
    return [
        Found(p.value, p.span, "places.beside_wish", p.canonical, p.own)
        for p in reading.find(namesakes)
        if p.canonical
        and p.value[0].isupper()
        and any(0 < max(a - p.span[1], p.span[0] - b) < 2 for _, (a, b), *_ in wished)
    ]


def _closes(reading: Reading, end: int) -> bool:
    """Whether a phrase ends there: with a mark, the text, or a word that begins another one."""
    after = reading.folded[end : end + 30]
    word = after.split()[0] if after.strip() and after[0] == " " else ""
    return not word or word in reading.phrases("query", "small", "outcomes") | reading.phrases("slots", "stop")


def event_venue(reading: Reading) -> Iterable[Found]:
    """A capitalised name after "at": where something is planned."""
    if reading.text.isupper():
        return []
    working = [cue.span for cue in reading.all("works_at")]
    found = []
    for cue in reading.all("venue_at")[-MAX_FOUND:]:
        if any(start < cue.start < end for start, end in working):
            continue
        span = _capitals(reading, within(reading, cue.groups["capital"])[:NAME_WORDS])
        if span is not None and not _elsewhere(reading, span):
            found.append(Found(reading.words(span), span, cue.id))
    return found


def _capitals(reading: Reading, tokens: Sequence[Span]) -> Span | None:
    """The words of a name: capitalised ones, with small ones between them ("Bank of the West")."""
    inside = reading.reader.phrases("query", "inside")
    end = 0
    for number, token in enumerate(tokens, start=1):
        if reading.text[token[0]].isupper():
            end = number
        elif number == 1 or reading.folded[slice(*token)] not in inside:
            break
    return (tokens[0][0], tokens[end - 1][1]) if end else None


def _elsewhere(reading: Reading, span: Span) -> bool:
    """Whether the words are a day, a time or a city, and no venue."""
    times = [cue.span for family in ("day", "clock") for cue in reading.all(family)]
    spots = [p.span for p in reading.find(named_places) if p.canonical and p.span[1] - p.span[0] >= span[1] - span[0]]
    word = reading.folded[slice(*span)]
    return word in reading.phrases("places", "no_name") or _begins_in(span, [*times, *spots])


def known_venue(reading: Reading, state: State) -> Iterable[Found]:
    """A venue that was mentioned: named after "at" in any spelling, or pointed at by who books ("book the first")."""
    if "references" not in state.session.slices:
        return []
    found = []
    for cue in reading.all("venue_at")[-MAX_FOUND:]:
        start, end = cue.groups["capital"]
        for entity in state.references.entities:
            name = fold(entity.name)
            if name and reading.folded[start:end].startswith(name):
                found.append(Found(entity.name, (start, start + len(name)), "venue.known"))
    pointed = state.references.pointed
    if not found and len(pointed) == 1:
        instead = _instead(reading, state, pointed[0].name) if reading.has("cancels") else None
        booking = reading.first("books") or instead
        found += [Found(pointed[0].name, booking.span, booking.id)] if booking is not None else []
    return found


def _instead(reading: Reading, state: State, name: str) -> Cue | None:
    """ "Cancel that and put me down for the third" plans the third in the place of what is planned."""
    held = state.slots.values.get("event_venue_name")
    planned = {plan.venue for plan in plans_of(state).standing}  # "cancel the aquarium" plans nothing there
    return reading.first("cancels") if held is not None and name not in planned else None
