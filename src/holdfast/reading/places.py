"""Places in text, by gazetteer and grammar: "pizza in South Philly" → "South Philly", that is Philadelphia.

A table of the world's cities, their short names and districts is looked up word by word (`tools/build_gazetteer.py`
makes it). A name alone is not enough: one that is first of all a word ("nice", "reading") or a person ("Charlotte")
needs a capital and a preposition, a small town needs a preposition, and a large city stands anywhere. The table is
read when the first message needs it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import islice, pairwise, zip_longest
from typing import NamedTuple

from holdfast.reading.endings import Endings
from holdfast.reading.mending import LETTERS, is_word, slips
from holdfast.reading.reader import Reader, Reading, Span, overlap
from holdfast.reading.ready import ready
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentence_of

LARGE, KNOWN, ALONE, TOWN = 300, 100, 50, 20
"""Thousands of people: a city that is known by its name in any spelling, one that is known by its capital, one that is
known when nothing else is said, and a town that is known beside another place."""
MAX_NAME_WORDS = 4
MAX_MESSAGE_WORDS, MAX_PLACES = 2000, 64
"""Words of a message that are looked at, and places of it that are told: enough for any talk, a bound for a paste."""
_GAP = re.compile(r"[ \t]+|, ?")
_ADDRESS = Shape(
    r"\b\d{1,5} (?:[A-Z0-9][\w.'-]{0,20} ){1,5}?%places.streets%\b\.?(?: ?# ?[\w-]{1,6}| %places.doors% \w{1,6})?"
    r"|\b(?:[A-Z][\w.'-]{0,30} ){0,3}?%places.streets_before% \d{1,4}[a-z]?\b"
)
_FIRM = ("in", "near", "from", "to")
GOAL = _FIRM[-1]
"""The role of a place that something goes, or looks, to."""


class Place(NamedTuple):
    """A place that a message names: as typed, and as the gazetteer writes it ("" for a name that it does not know)."""

    value: str
    canonical: str
    span: Span
    rule: str
    role: str = ""
    """The preposition's sense: "in", "near", "from", "to", the weak "of" (of, for, about, at), or nothing."""
    own: str = ""
    """The form that stands alone, where the typed one may be a case of it ("москве": "москва")."""


class Mark(StrEnum):
    """What else a name is, beside that of a place; as the gazetteer writes it."""

    CITY = ""
    WORD = "w"
    """First of all a word: "nice"."""
    RARE_WORD = "u"
    LARGE_AND_WORD = "r"
    """A large city, and a word."""
    PERSON = "p"
    """First of all the name of people: "Charlotte"."""
    SHORT_NAME = "s"
    """A short name: "LA"."""
    TOWN_NO_WORD = "e"
    """A small town whose name is no word in Spanish."""
    DISTRICT = "d"
    PLAIN_WORDS = "n"
    """A street, a sight or a district whose name is of plain words."""
    COUNTRY = "c"
    """A country or state."""


_CITIES = (Mark.CITY, Mark.TOWN_NO_WORD)
PARTS = (Mark.DISTRICT, Mark.PLAIN_WORDS)
_ALSO_WORDS = (Mark.PLAIN_WORDS, Mark.RARE_WORD, Mark.LARGE_AND_WORD)


class Known(NamedTuple):
    """A row of the gazetteer."""

    canonical: str
    country: str
    thousands: int
    mark: Mark
    own: str = ""
    """For a Russian name, the form that stands alone ("москва"): keys are stems, and people say any case."""


class Gazetteer:
    """Names to places. Rows stay text until somebody asks for one: that halves the memory and the time to load."""

    def __init__(self, rows: dict[str, str], openings: Iterable[str]) -> None:
        self._rows = rows
        self._openings = frozenset(openings)

    def __len__(self) -> int:
        return len(self._rows)

    def knows(self, name: str) -> bool:
        """Whether this is the name of a place, as it stands alone."""
        return name in self._rows

    def row(self, key: str) -> Known | None:
        text = self._rows.get(key)
        if text is None:
            return None
        canonical, country, thousands, mark, *own = text.split("\t")
        return Known(canonical or key.title(), country, int(thousands), Mark(mark), own[0] if own else "")

    def may_open(self, word: str, endings: Endings) -> bool:
        """Whether a name may begin with this word."""
        return word in self._rows or word in self._openings or word[0] in endings.letters

    def longest(self, words: list[str], endings: Endings) -> tuple[int, str]:
        """How many of the words, from the first on, are a name, and the key they are found under: a stem after "~" in
        a language whose names have endings."""
        first = words[0]
        inflected = first[0] in endings.letters
        if inflected:
            first = "~" + endings.name(first)
        if len(words) > 1 and first.split(" ", 1)[0] in self._openings:
            for count in range(len(words), 1, -1):
                key = "~" + endings.name(" ".join(words[:count])) if inflected else " ".join(words[:count])
                if key in self._rows:
                    return count, key
        return (1, first) if first in self._rows else (0, "")

    def nearest(self, name: str, endings: Endings) -> Known | None:
        """The largest of the large cities whose names are one slip of the fingers away: "seatle", "barselona"."""
        inflected = name[0] in endings.letters
        name = endings.name(name) if inflected else name
        others = slips(name, endings.letters if inflected else LETTERS)
        rows = (row for other in others if (row := self.row("~" * inflected + other)) is not None)
        return max((row for row in rows if row.thousands >= LARGE), key=lambda row: row.thousands, default=None)


@lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    """The shipped table, read once."""
    place = os.path.join(os.path.dirname(__file__), "data", "places.tsv")
    with open(place, "rb") as file:
        content = file.read()
    return Gazetteer(*ready(place, content, lambda: _listed(content.decode())))


def _listed(text: str) -> tuple[dict[str, str], list[str]]:
    """The rows by their names, and the words that longer names begin with."""
    rows = dict(line.split("\t", 1) for line in text.splitlines() if line[0] != "#")
    return rows, sorted({key.split(" ", 1)[0] for key in rows if " " in key})


def places(reading: Reading) -> list[Place]:
    """The places of a message that the gazetteer knows, in the order of the text. Use as `reading.find(places)`."""
    return _journey(reading, _Walk(reading, ()))


def named_places(reading: Reading) -> list[Place]:
    """The same, and unknown capitalised names after "in", "near" or "around"."""
    return _journey(reading, _Walk(reading, ("in", "near")))


def stops(reading: Reading) -> list[Place]:
    """The places of a journey: cities, street addresses, and capitalised names after any preposition."""
    streets = [Place(reading.words(span), "", span, "places.address", role) for span, role in _addresses(reading)]
    named = _journey(reading, _Walk(reading, ("in", "near", "to", "from")))
    walk = [p for p in named if not any(overlap(p.span, s.span) for s in streets)]
    return sorted([*walk, *streets], key=lambda place: place.span)


def answers(reading: Reading) -> list[Place]:
    """The places of a reply to "where?": there, any name of the gazetteer is one."""
    return _journey(reading, _Walk(reading, ("in", "near"), asked=True))


def namesakes(reading: Reading) -> list[Place]:
    """The places of a message where large cities that are called like people ("Sydney", "Phoenix") are always meant."""
    return _journey(reading, _Walk(reading, (), bare=True))


def _journey(reading: Reading, walk: _Walk) -> list[Place]:
    """The places of a walk. One that is only "of" something is where a way begins when the next word leads on to
    another place ("de Madrid a Sevilla"); one that the next takes in ("Old Town" Alexandria) is no place of its own."""
    found = list(islice(walk, MAX_PLACES))
    found = [p for p, after in zip_longest(found, found[1:]) if after is None or p.span[1] <= after.span[0]]
    for number, (place, goal) in enumerate(pairwise(found)):
        between = reading.folded[place.span[1] : goal.span[0]].strip()
        if place.role == "of" and goal.role == "to" and between in walk.phrases("to"):
            found[number] = place._replace(role="from")
    return found


def _addresses(reading: Reading) -> Iterator[tuple[Span, str]]:
    """ "899 Sir Francis Drake Boulevard", "160 Saratoga Ave # 280", with the sense of the preposition before it."""
    walk = _Walk(reading, ())
    if not walk.tokens:
        return
    for hit in islice(reading.reader.made(_ADDRESS).finditer(reading.text, 0, walk.tokens[-1][1]), MAX_PLACES):
        first = next(place for place, token in enumerate(walk.tokens) if token[0] >= hit.start())
        yield hit.span(), walk.role(first)


_ROLES = ("near", "from", "to", "in", "of")


class _Words:
    """The words around places in one language, ready to be looked up."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        def words(*keys: str) -> frozenset[str]:
            return reader.phrases("places", keys, language)

        self.roles = {said: role for role in reversed(_ROLES) for said in words(role)}
        data = reader.data("places", language) if language is not None else {}
        self.words_first = bool(data.get("words_first"))
        """Whether a short name or a small town without capitals is rather a word of this language."""
        self.capitals_tell = not data.get("nouns_have_capitals")
        """Whether a capital makes an unknown word a name."""
        self.called = reader.data("place_names", language)
        """Places that the language calls otherwise than the gazetteer."""
        self.leads = frozenset(said.rpartition(" ")[2] for said in words(*_ROLES, "skip", "area"))
        """Every word that may stand right before a place and tell something about it."""
        self.eaten = frozenset(form for dish in words("dishes") for word in dish.split() for form in (word, f"{word}s"))
        """Words of dishes that are called after a place."""
        self.small = reader.phrases("small", "words", language) | words("in", "of", "after_thing")


class _Walk:
    """One pass over the words of a message."""

    def __init__(self, reading: Reading, names: tuple[str, ...], asked: bool = False, bare: bool = False) -> None:
        """`names` are the senses of prepositions after which an unknown name counts; `asked` says that a place was
        asked for, `bare` that a name which a person may have too is one."""
        self.reading = reading
        self.asked = asked
        self.meant = bare
        self.tokens = reading.tokens[:MAX_MESSAGE_WORDS]
        self.words = [reading.folded[start:end] for start, end in self.tokens]
        self.names = names
        self.shouted = reading.text.isupper()
        self.around = reading.made(_Words)
        self.endings = reading.reader.made(Endings)

    @cached_property
    def titled(self) -> bool:
        """Whether Every Word Has A Capital, so that a capital tells nothing."""
        capitals = sum(self.reading.text[start].isupper() for start, _ in self.tokens)
        return len(self.tokens) > 3 and capitals > 0.8 * len(self.tokens)

    @cached_property
    def bare(self) -> bool:
        """Whether the message says nothing but names: "Valencia instead", "no, let's do Phoenix"."""
        beside = self.phrases("beside")
        told = [self.capital(place) for place, word in enumerate(self.words) if word not in beside]
        return self.meant or (len(self.words) <= 6 and bool(beside) and all(told))

    def phrases(self, *keys: str) -> frozenset[str]:
        return self.reading.phrases("places", *keys)

    def __iter__(self) -> Iterator[Place]:
        around, may_open = self.around, gazetteer().may_open
        if not around.roles:  # the pack brings no words for places
            return
        end = 0
        for place, (start, _) in enumerate(self.tokens):
            if start < end:
                continue
            # most words open no name: they must cost next to nothing
            word = self.words[place]
            found = self._in_gazetteer(place) if word in around.called or may_open(word, self.endings) else None
            if found is None and self.names and place:
                found = self._unknown(place, start)
            if found is not None:
                yield found
                end = found.span[1]

    def _in_gazetteer(self, place: int) -> Place | None:
        """The place that a word opens."""
        word, table = self.words[place], gazetteer()
        if word in self.around.called:
            return self._known(place, 1, table.row(str(self.around.called[word])))
        count, key = table.longest(self.run(place, MAX_NAME_WORDS), self.endings)
        return self._known(place, count, table.row(key)) if count else None

    def _unknown(self, place: int, start: int) -> Place | None:
        """A place that only its capital and the word before it call one."""
        if self.words[place - 1] not in self.around.leads:
            return None
        if self.reading.text[start].isupper():
            return self._name(place)
        return self._misspelt(place) if self.words[place - 1] in self.around.roles else None

    def _misspelt(self, place: int) -> Place | None:
        """A large city with a slip in its name, where a place is named and no known word stands: "around seatle"."""
        word, reading = self.words[place], self.reading
        if self.role(place) not in self.names or not word.isalpha():
            return None
        if reading.reader.knows(word, reading.language) or is_word(word, reading.language):
            return None
        row, span = gazetteer().nearest(word, self.endings), self.tokens[place]
        return Place(reading.words(span), row.canonical, span, "places.misspelt", self.role(place)) if row else None

    def run(self, place: int, most: int) -> list[str]:
        """Words that follow each other with nothing but blanks between them."""
        words = [self.words[place]]
        while len(words) < most and place + len(words) < len(self.tokens):
            after = place + len(words)
            if not self.near(after):
                break
            words.append(self.words[after])
        return words

    def _known(self, place: int, count: int, row: Known | None) -> Place | None:
        last = place + count - 1
        first, prefixed = self._prefix(place)
        role = self.role(first)
        if row is None or not _Sighting(self, first, place, last, row, role).stands():
            return None
        if "to" in self.names and role and self._name_goes_on(last):
            return self._name(place)  # a stop such as "Georgetown Waterfront Park"
        last, row = self._with_city_or_part(last, row)
        span = self.tokens[first][0], self._suffixed(last, row, role)
        rule, own = ("places.area", "") if prefixed else ("places.gazetteer", row.own)
        return Place(self.reading.words(span), row.canonical, span, rule, role, own)

    def _prefix(self, place: int) -> tuple[int, bool]:
        """Takes "south", "downtown" or "center city" before a place into it."""
        if not place or self.words[place - 1] not in self.around.leads:
            return place, False
        for count in (3, 2, 1):
            start = place - count
            if start >= 0 and " ".join(self.run(start, count)) in self.phrases("area") and self.near(place):
                return start, True
        return place, False

    def near(self, place: int) -> bool:
        """Whether nothing but a blank (or the full stop of "St.") parts a word from the one before."""
        gap = self.reading.folded[self.tokens[place - 1][1] : self.tokens[place][0]].strip(" \t-")
        return not gap or (gap == "." and self.words[place - 1] in self.reading.reader.phrases("places", "saints"))

    def role(self, place: int) -> str:
        """The sense of the preposition before a word; an article or "the city of" may stand between."""
        if not place or self.words[place - 1] not in self.around.leads:
            return ""
        place = self.led(place)
        if not place or not self.near(place):
            return ""
        for count in (3, 2, 1):
            if place >= count:
                role = self.around.roles.get(" ".join(self.words[place - count : place]))
                if role is not None:
                    return role
        return ""

    def led(self, place: int) -> int:
        """Where the preposition of a word ends."""
        skip = self.phrases("skip")
        for _ in range(3):
            if not place or not self.near(place):
                break
            if self.words[place - 1] in skip:
                place -= 1
            elif " ".join(self.words[max(0, place - 2) : place]) in skip:
                place -= 2
            else:
                break
        return place

    def _with_city_or_part(self, last: int, row: Known) -> tuple[int, Known]:
        """The last word and the row of a district with its city ("Fishtown, Philadelphia") or a city with its part."""
        if row.mark in PARTS:
            return self._city_after(last) or (last, row)
        part = self._known_after(last) if row.mark in _CITIES else None  # "London Soho", "Palermo, Soho"
        return (part[0] if part is not None and part[1].mark in PARTS else last), row

    def _name_goes_on(self, last: int) -> bool:
        """Whether the next word belongs to the name by its capital."""
        after = last + 1
        return after < len(self.tokens) and self.near(after) and self.capital(after)

    def _known_after(self, last: int) -> tuple[int, Known] | None:
        """The place of the gazetteer that follows a word after a blank or a comma, with the last of its words."""
        after = last + 1
        if after >= len(self.tokens) or not _GAP.fullmatch(self.between(last, after)):
            return None
        count, key = gazetteer().longest(self.run(after, 3), self.endings)
        row = gazetteer().row(key) if count else None
        return None if row is None else (last + count, row)

    def between(self, last: int, after: int) -> str:
        """What stands between two words."""
        return self.reading.folded[self.tokens[last][1] : self.tokens[after][0]]

    def _city_after(self, last: int) -> tuple[int, Known] | None:
        """The city of a district: "Fishtown, Philadelphia", "center city philly", "Chelsea in London"."""
        after = last + 1
        named = after < len(self.words) and self.words[after] in self.phrases("in")
        found = self._known_after(after if named else last)
        if found is None:
            return None
        city, marks = found[1], _CITIES if self.around.words_first else (*_CITIES, Mark.SHORT_NAME)
        return found if city.mark in marks and city.thousands >= KNOWN else None

    def _suffixed(self, last: int, row: Known, role: str) -> int:
        """The end of the place with the state or country that is named after it: "Austin, TX"."""
        last = self._sight(self._station(last), role)
        if last + 1 < len(self.tokens) and row.mark is not Mark.COUNTRY:
            last = self._wider(last)
        return self.tokens[last][1]

    def _wider(self, last: int) -> int:
        """The last word of the state, country or larger city that follows; the same word where none does."""
        after = last + 1
        gap = self.between(last, after)
        if not _GAP.fullmatch(gap):
            return last
        comma = "," in gap
        if comma and (wide := self._larger_city(after)):
            return last + wide
        if self._state(after, comma):
            return after
        found = self._known_after(last) if comma or self.capital(after) else None
        return found[0] if found is not None and found[1].mark is Mark.COUNTRY else last

    def _larger_city(self, place: int) -> int:
        """How many words name a part of a large city that places are told with: "Astoria, Queens"."""
        runs = (self.run(place, count) for count in (2, 1))
        return next((len(run) for run in runs if " ".join(run) in self.phrases("wider")), 0)

    def _state(self, place: int, comma: bool) -> bool:
        """Whether a word is the short name of a state: "TX", or "tx" after a comma at the end."""
        typed = self.reading.words(self.tokens[place])
        if typed.lower() not in self.phrases("states"):
            return False
        return typed.isupper() or (comma and (self.capital(place) or self.ends(place)))

    def _station(self, last: int) -> int:
        """The last word of "London Liverpool Street", "Birmingham New Street" or "Stansted Airport"."""
        small = self.phrases(*_ROLES, "skip")
        for count in (1, 2, 3):
            run = self.run(last, count + 1)[1:]
            ends = self.phrases("stations") if count > 1 else self.phrases("ports")
            if len(run) == count and run[-1] in ends and not small & set(run):
                return last + count
        return last

    def _sight(self, last: int, role: str) -> int:
        """The last word of "Boston Common" or "Denver Union Station": a capital tells that the name goes on, and so
        does what something is near ("near columbia university")."""
        for count in (1, 2):
            after = last + count
            if after >= len(self.tokens) or not self.near(after):
                return last
            if not (role == "near" and count == 1) and (not self.capital(after) or self.titled):
                return last
            if self.words[after] in self.phrases("sights"):
                return after
        return last

    def ends(self, place: int) -> bool:
        end = self.tokens[place][1]
        return end == len(self.reading.text) or self.reading.text[end] in ".,;!?\n"

    def _name(self, place: int) -> Place | None:
        """An unknown capitalised name after "in", "near" or "around"."""
        if not self.around.capitals_tell or self.shouted or not self.capital(place) or self.titled:
            return None
        first, _ = self._prefix(place)
        role = self.role(first)
        if role not in self.names or not self._introduced(first, role) or self._opens_area(place):
            return None
        last = place
        while last - place < 3 and self._name_goes_on(last):
            last += 1
        if self._no_name(place, last):
            return None
        span = self.tokens[first][0], self.tokens[self._station(last)][1]
        return Place(self.reading.words(span), "", span, "places.name", role)

    def _introduced(self, first: int, role: str) -> bool:
        """Whether the words before a name lead to a place."""
        if sentence_of(self.reading, self.tokens[first])[0] == self.tokens[first][0]:
            return False
        if self.words[first - 1] in self.phrases("of_people"):
            return False  # "у Маши": at her place, and no place of that name
        return not (role == "to" and first > 1 and self.words[first - 2] in self.phrases("no_journey"))

    def _no_name(self, place: int, last: int) -> bool:
        """Whether the words of a name are those of something else. A way may lead to "Shiki Japanese Cuisine";
        elsewhere a day or a language is no part of a place. What is "in McMahon's favor" is in no place either."""
        holds = all if "to" in self.names and last > place else any
        if holds(word in self.phrases("no_name") for word in self.words[place : last + 1]):
            return True
        return self.words[last].endswith("'s") and last + 1 < len(self.words) and self.near(last + 1)

    def _opens_area(self, place: int) -> bool:
        return any(" ".join(self.run(place, count)) in self.phrases("area") for count in (1, 2))

    def capital(self, place: int) -> bool:
        return self.reading.text[self.tokens[place][0]].isupper()


class _Sighting:
    """A name of the gazetteer in a message: whether a place is meant there, or a word, a person, a part of a phrase."""

    def __init__(self, walk: _Walk, first: int, place: int, last: int, row: Known, role: str) -> None:
        """The name goes from the word `place` to the word `last`; the part of the town that is named before it
        ("south") begins at `first`."""
        self.walk = walk
        self.first, self.place, self.last = first, place, last
        self.row = row
        self.role = role
        self.typed = walk.reading.words((walk.tokens[place][0], walk.tokens[last][1]))
        self.capital = self.typed[0].isupper() and not walk.shouted
        self.firm = role in _FIRM or first < place
        """Whether a preposition or a part of the town says that a place follows."""
        self.several = last > place
        """Whether it has several words: such a name is no other word."""

    def stands(self) -> bool:
        return not self._in_a_phrase() and self._is_place() and not self._called_otherwise()

    def _is_place(self) -> bool:
        mark = self.row.mark
        if mark is Mark.SHORT_NAME:
            return self._short_name()
        if self._pointed_at():
            return True
        if mark in (Mark.WORD, Mark.PERSON):
            return self._word_or_person()
        if self.walk.asked:
            return True
        if mark in _ALSO_WORDS:
            return self.firm or self._more_than_a_word()
        return not self._small_and_without_capital() and self._named_as_place()

    def _named_as_place(self) -> bool:
        """Whether a name that is nothing but a place's is meant as one."""
        if self.firm or (self.role and (self.capital or self.row.thousands >= KNOWN)):
            return True
        return self._is_whole_message() if self.row.mark is Mark.COUNTRY else self._city_by_itself()

    def _in_a_phrase(self) -> bool:
        """Whether the word before or after makes it something else."""
        walk, last = self.walk, self.last
        if not self.several and walk.words[self.place] in walk.phrases("no_name"):
            return True
        after = walk.words[last + 1] if last + 1 < len(walk.words) else ""
        return after in walk.phrases("not_before") and walk.reading.folded[walk.tokens[last][1]] not in ".,;!?"

    def _short_name(self) -> bool:
        words_first, shouted = self.walk.around.words_first, self.walk.shouted
        return (self.typed.isupper() and not (shouted and words_first)) or (
            self.role in ("in", "near", "from") and not words_first
        )

    def _pointed_at(self) -> bool:
        """Whether it is said as only places are: a part of a town before it, or a preposition that no person has."""
        walk, first = self.walk, self.first
        prefixed = first < self.place
        if prefixed and " ".join(walk.words[first : self.place]) in walk.phrases("quarter"):
            return True
        travels = self.role == "to" and first > 1 and walk.words[first - 2] in walk.phrases("travels")
        return self.row.mark is Mark.PERSON and (prefixed or self.role in ("in", "near") or travels)

    def _word_or_person(self) -> bool:
        asked = self.walk.asked
        bare = self.walk.led(self.first) == self.first and self.row.thousands >= KNOWN
        if bare and self.role in ("in", "near") and self._before_aside():  # "we're in nice this weekend"
            return True
        if self.capital and (self.firm or asked or (self.row.thousands >= KNOWN and self._set_apart())):
            return True
        return asked and self._is_whole_message()

    def _more_than_a_word(self) -> bool:
        """Whether a name that is also of plain words is a place without a preposition that says so."""
        if self.row.mark is Mark.RARE_WORD:
            return False
        if self.capital and self.role:
            return True
        if self.row.mark is Mark.PLAIN_WORDS:
            return self._of_plain_words()
        return (self.capital and self._set_apart()) or self._among_places()

    def _of_plain_words(self) -> bool:
        walk = self.walk
        if self.several and (self.role or self.capital or self.place == 0 or walk.ends(self.last)):
            return True
        return self.role == "of" and walk.words[walk.led(self.place) - 1] in walk.phrases("through")

    def _small_and_without_capital(self) -> bool:
        """Whether it is a small town, typed small, in a language where such a name is rather a word."""
        if self.capital or self.row.thousands >= KNOWN or not self.walk.around.words_first:
            return False
        no_article = self.walk.words[self.place] not in self.walk.phrases("articles")
        no_word = self.row.mark is Mark.TOWN_NO_WORD or (self.several and no_article)
        return not (self.firm and no_word)

    def _city_by_itself(self) -> bool:
        """Whether a city is meant that nothing introduces: by its size, its capital and what stands beside it."""
        thousands, whole = self.row.thousands, self._is_whole_message()
        if self._told_apart() or self._among_places() or (whole and thousands >= ALONE):
            return True
        named = self.several or (self.capital and (whole or not self._opens_a_sentence()))
        return thousands >= (KNOWN if named or self._closes_a_part() else LARGE)

    def _closes_a_part(self) -> bool:
        """Whether a name that is no word ends what was said, or comes before a word of price: "pho, nazran"."""
        return self.row.mark is Mark.CITY and self._ends_here()

    def _ends_here(self) -> bool:
        """Whether no word follows that the name could belong to."""
        after = self.last + 1
        return after == len(self.walk.words) or not self.walk.near(after) or self._before_aside()

    def _before_aside(self) -> bool:
        """Whether a day, a time or a word beside the matter follows: "this weekend", "please"."""
        walk, after = self.walk, self.last + 1
        if after == len(walk.words):
            return False
        start = walk.tokens[after][0]
        dated = any(cue.start == start for family in ("day", "clock") for cue in walk.reading.all(family))
        return dated or walk.words[after] in walk.phrases("beside", "after_thing")

    def _opens_a_sentence(self) -> bool:
        """Whether a capital tells nothing, since any first word has one; before a comma it is a name all the same."""
        return self.place == 0 and self.walk.reading.folded[self.walk.tokens[self.last][1]] != ","

    def _told_apart(self) -> bool:
        """Whether a name with a capital stands beside nothing but names, or between marks."""
        town = self.row.thousands >= TOWN
        if not self.capital or not (town or self.several):
            return False
        return self.walk.bare or (town and self._between_marks())

    def _is_whole_message(self) -> bool:
        return self.place == 0 and self.last + 1 == len(self.walk.words)

    def _between_marks(self) -> bool:
        """Whether marks set a name apart on both sides: "craft beer / Asheville / this weekend"."""
        walk, place, last = self.walk, self.place, self.last
        if not place or last + 1 == len(walk.tokens):
            return False
        return bool(walk.between(place - 1, place).strip()) and bool(walk.between(last, last + 1).strip())

    def _among_places(self) -> bool:
        """Whether nothing but small words and other places stand beside a name, with or without capitals: "florence
        might be better", "не самара а сызрань". Beside another place, a small town is one too."""
        walk, thousands = self.walk, self.row.thousands
        if thousands < TOWN:
            return False
        beside, table = walk.phrases("beside"), gazetteer()
        rest = [*walk.words[: self.place], *walk.words[self.last + 1 :]]
        others = [word for word in rest if word not in beside]
        known = all(table.longest([word], walk.endings)[0] for word in others)
        return 0 < len(rest) <= (5 if thousands >= KNOWN or others else 2) and known

    def _set_apart(self) -> bool:
        """Whether a name that is also a word or a person's stands for itself: nothing but names is said, and no name
        goes on beside it. A word that opens the message needs another name to be one ("Boulder, not Denver")."""
        walk, is_word = self.walk, self.row.mark is Mark.WORD
        if walk.meant:
            return not is_word
        if not walk.bare or (is_word and self.place == 0 and sum(map(walk.capital, range(len(walk.words)))) < 2):
            return False
        return self._no_name_goes_on(self.place, self.place - 1) and self._no_name_goes_on(self.last + 1, self.last + 1)

    def _no_name_goes_on(self, border: int, beside: int) -> bool:
        walk = self.walk
        at_edge = border in (0, len(walk.words))
        return at_edge or not walk.near(border) or walk.words[beside] in walk.phrases("beside")

    def _called_otherwise(self) -> bool:
        """Whether the name is that of a dish ("chicken Kiev"), a thing ("a Manhattan with rye") or somebody's ("my
        friend Paris")."""
        walk, first = self.walk, self.first
        if self._dish():
            return True
        before = walk.words[first - 1] if first and walk.near(first) else ""
        if before in walk.phrases("kin"):
            return True
        if self.role == "of" and first > 1 and walk.words[first - 2] in walk.phrases("portions"):  # a glass of Bordeaux
            return True
        return not self.role and self._one_of_its_kind(before)

    def _one_of_its_kind(self, before: str) -> bool:
        """Whether an indefinite article makes it a thing: "a Manhattan", "a good Manhattan with rye"."""
        walk, first, after = self.walk, self.first, self.last + 1
        if before in walk.phrases("praise") and first > 1 and walk.near(first - 1):
            before = walk.words[first - 2]
        if before not in walk.phrases("indefinite"):
            return False
        goes_on = after < len(walk.words) and walk.near(after)
        return not goes_on or walk.words[after] in walk.around.small

    def _dish(self) -> bool:
        walk, place, last = self.walk, self.place, self.last
        if walk.around.eaten.isdisjoint(walk.words[max(0, place - 2) : last + 3]):
            return False
        dishes = walk.phrases("dishes")
        for start in range(max(0, place - 2), place + 1):
            run = walk.run(start, last - start + 4)
            said = (" ".join(run[:end]) for end in range(last - start + 1, len(run) + 1))
            if any(words in dishes or words.removesuffix("s") in dishes for words in said):
                return True
        return False
