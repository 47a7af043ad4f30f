"""Places in text, by gazetteer and grammar: "pizza in South Philly" → "South Philly", that is Philadelphia.

A table of the world's cities, their short names and districts is looked up word by word (`tools/build_gazetteer.py`
makes it). A name alone is not enough: one that is first of all a word ("nice", "reading") or a person ("Charlotte")
needs a capital and a preposition, a small town needs a preposition, and a large city stands anywhere. The table is
read when the first message needs it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import islice, pairwise, zip_longest
from typing import NamedTuple

from holdfast.reading.endings import Endings
from holdfast.reading.reader import Reader, Reading, Span, overlap
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentences

LARGE, KNOWN, TOWN = 300, 100, 20
"""Thousands of people: a city that is known by its name in any spelling, one that is known by its capital, and a town
that is known beside another place."""
MOST_WORDS = 4
LONGEST, MOST = 2000, 64
"""Words of a message that are looked at, and places of it that are told: enough for any talk, a bound for a paste."""
_GAP = re.compile(r"[ \t]+|, ?")
_ADDRESS = Shape(
    r"\b\d{1,5} (?:[A-Z0-9][\w.'-]{0,20} ){1,5}?%places.streets%\b\.?(?: ?# ?[\w-]{1,6}| %places.doors% \w{1,6})?"
    r"|\b(?:[A-Z][\w.'-]{0,30} ){0,3}?%places.streets_before% \d{1,4}[a-z]?\b"
)
_FIRM = ("in", "near", "from", "to")


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


class Known(NamedTuple):
    """A row of the gazetteer."""

    canonical: str
    country: str
    thousands: int
    mark: str
    """w: a word first; u: a rare word; r: a large city and a word; p: a person's name first; s: a short name;
    e: a small town whose name is no word in Spanish; d: a district; n: a street, a sight or a district whose name is of
    plain words; c: a country or state."""
    own: str = ""
    """For a Russian name, the form that stands alone ("москва"): keys are stems, and people say any case."""


class Gazetteer:
    """Names to places. Rows stay text until somebody asks for one: that halves the memory and the time to load."""

    def __init__(self, text: str) -> None:
        self._rows = dict(line.split("\t", 1) for line in text.splitlines() if line[0] != "#")
        self._openings = frozenset(key.split(" ", 1)[0] for key in self._rows if " " in key)

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
        return Known(canonical or key.title(), country, int(thousands), mark, own[0] if own else "")

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


@lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    """The shipped table, read once."""
    return Gazetteer(files("holdfast.reading").joinpath("data/places.tsv").read_text(encoding="utf-8"))


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
    found = list(islice(walk, MOST))
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
    for hit in islice(reading.reader.made(_ADDRESS).finditer(reading.text, 0, walk.tokens[-1][1]), MOST):
        first = next(place for place, token in enumerate(walk.tokens) if token[0] >= hit.start())
        yield hit.span(), walk._role(first)


_ROLES = ("near", "from", "to", "in", "of")
_LISTS = (
    *_ROLES,
    "skip",
    "area",
    "no_name",
    "not_before",
    "states",
    "stations",
    "ports",
    "no_journey",
    "of_people",
    "beside",
    "dishes",
    "indefinite",
    "kin",
    "sights",
    "wider",
    "quarter",
    "street",
    "street_after",
    "street_ends",
    "not_streets",
    "articles",
    "portions",
    "praise",
    "travels",
    "through",
    "after_thing",
)


class _Words:
    """The words around places in one language, ready to be looked up."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        self.lists = {key: reader.phrases("places", key, language) for key in _LISTS}
        self.roles = {words: role for role in reversed(_ROLES) for words in self.lists[role]}
        data = reader.data("places", language) if language is not None else {}
        self.words_first = bool(data.get("words_first"))
        """Whether a short name or a small town without capitals is rather a word of this language."""
        self.capitals_tell = not data.get("nouns_have_capitals")
        """Whether a capital makes an unknown word a name."""
        self.called = reader.data("place_names", language)
        """Places that the language calls otherwise than the gazetteer."""
        before = (words for key in (*_ROLES, "skip", "area") for words in self.lists[key])
        self.leads = frozenset(words.rpartition(" ")[2] for words in before)
        """Every word that may stand right before a place and tell something about it."""
        self.eaten = frozenset(
            form for dish in self.lists["dishes"] for word in dish.split() for form in (word, f"{word}s")
        )
        """Words of dishes that are called after a place."""
        parts = self.lists["quarter"] | self.lists["street"]
        self.quarters = frozenset(words.rpartition(" ")[2] for words in parts)
        self.small = (
            reader.phrases("small", "words", language) | self.lists["in"] | self.lists["of"] | self.lists["after_thing"]
        )


class _Walk:
    """One pass over the words of a message."""

    def __init__(self, reading: Reading, names: tuple[str, ...], asked: bool = False, bare: bool = False) -> None:
        """`names` are the senses of prepositions after which an unknown name counts; `asked` says that a place was
        asked for, `bare` that a name which a person may have too is one."""
        self.reading = reading
        self.asked = asked
        self.meant = bare
        self.tokens = reading.tokens[:LONGEST]
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
        told = [self._capital(place) for place, word in enumerate(self.words) if word not in beside]
        return self.meant or (len(self.words) <= 6 and bool(beside) and all(told))

    def phrases(self, key: str) -> frozenset[str]:
        return self.around.lists[key]

    def __iter__(self) -> Iterator[Place]:
        if not self.phrases("in"):  # the pack brings no words for places
            return
        table, text, end = gazetteer(), self.reading.text, 0
        for place, (start, _) in enumerate(self.tokens):
            if start < end:
                continue
            found = None
            word = self.words[place]
            if word in self.around.called:
                found = self._known(place, 1, table.row(str(self.around.called[word])))
            # most words open no name: they must cost next to nothing
            elif table.may_open(word, self.endings):
                count, key = table.longest(self._run(place, MOST_WORDS), self.endings)
                found = self._known(place, count, table.row(key)) if count else None
            if found is None and self.names and place:
                if text[start].isupper():
                    found = self._name(place)
                elif self.words[place - 1] in self.around.quarters or word in self.phrases("street_after"):
                    found = self._quarter(place)
            if found is not None:
                yield found
                end = found.span[1]

    def _run(self, place: int, most: int) -> list[str]:
        """Words that follow each other with nothing but blanks between them."""
        words = [self.words[place]]
        while len(words) < most and place + len(words) < len(self.tokens):
            after = place + len(words)
            if not self._near(after):
                break
            words.append(self.words[after])
        return words

    def _known(self, place: int, count: int, row: Known | None) -> Place | None:
        if row is None:
            return None
        last = place + count - 1
        first, prefixed = self._prefix(place)
        role = self._role(first)
        if not self._stands(first, place, last, row, role) or self._called_otherwise(place, last, first, role):
            return None
        after = last + 1
        if "to" in self.names and role and after < len(self.tokens) and self._near(after) and self._capital(after):
            return self._name(place)  # a stop such as "Georgetown Waterfront Park"
        if row.mark in ("d", "n") and (city := self._city_after(last)) is not None:
            last, row = city
        elif row.mark in ("", "e") and (part := self._part_after(last)):
            last = part
        start, end = self.tokens[first][0], self._suffixed(last, row, role)
        value = self.reading.words((start, end))
        own = "" if prefixed else row.own
        return Place(value, row.canonical, (start, end), f"places.{'area' if prefixed else 'gazetteer'}", role, own)

    def _stands(self, first: int, place: int, last: int, row: Known, role: str) -> bool:
        """Whether the name is a place here and not a word, a person or a part of something else. `first` is where the
        part of the town begins that is named before it."""
        prefixed = first < place
        typed = self.reading.words((self.tokens[place][0], self.tokens[last][1]))
        capital = typed[0].isupper() and not self.shouted
        if place == last and self.words[place] in self.phrases("no_name"):
            return False
        after = self.words[last + 1] if last + 1 < len(self.words) else ""
        if after in self.phrases("not_before") and self.reading.folded[self.tokens[last][1]] not in ".,;!?":
            return False
        if row.mark == "s":
            words = self.around.words_first
            return (typed.isupper() and not (self.shouted and words)) or (role in _FIRM[:3] and not words)
        firm = role in _FIRM or prefixed
        travels = role == "to" and first > 1 and self.words[first - 2] in self.phrases("travels")
        if row.mark == "p" and (prefixed or role in ("in", "near") or travels):  # nobody is in a person
            return True
        if prefixed and " ".join(self.words[first:place]) in self.phrases("quarter"):
            return True
        if row.mark in ("w", "p"):
            bare = row.thousands >= KNOWN and self._set_apart(place, last, row.mark)
            return (capital and (firm or self.asked or bare)) or (self.asked and len(self.words) == last - place + 1)
        if self.asked:
            return True
        if row.mark in ("n", "u", "r"):
            return firm or self._tells(place, last, row, role, capital)
        if (
            not capital
            and row.thousands < KNOWN
            and self.around.words_first
            and not (firm and (row.mark == "e" or (last > place and self.words[place] not in self.phrases("articles"))))
        ):
            return False
        if firm or (role and (capital or row.thousands >= KNOWN)):
            return True
        if row.mark == "c":
            return len(self.tokens) == last + 1 and place == 0
        told = self.bare or (row.thousands >= TOWN and self._between_marks(place, last))
        if (capital and told and (row.thousands >= TOWN or last > place)) or self._only(place, last, row.thousands):
            return True
        alone = place == 0 and last + 1 == len(self.words)
        opens = place == 0 and not alone and self.reading.folded[self.tokens[last][1]] != ","
        # a name of several words is no other word
        return row.thousands >= (KNOWN if last > place or (capital and not opens) else LARGE) or (
            alone and row.thousands >= 50
        )

    def _tells(self, place: int, last: int, row: Known, role: str, capital: bool) -> bool:
        """Whether a name that is also of plain words is a place without a preposition that says so."""
        if row.mark == "n":
            several = last > place and bool(role or capital or place == 0 or self._ends(last))
            through = role == "of" and self.words[self._led(place) - 1] in self.phrases("through")
            return several or through or (capital and bool(role))
        if row.mark == "u":
            return False
        told = capital and (bool(role) or self._set_apart(place, last, row.mark))
        return told or self._only(place, last, row.thousands)

    def _between_marks(self, place: int, last: int) -> bool:
        """Whether marks set a name apart on both sides: "craft beer / Asheville / this weekend"."""
        if not place or last + 1 == len(self.tokens):
            return False
        text = self.reading.folded
        before = text[self.tokens[place - 1][1] : self.tokens[place][0]].strip()
        return bool(before) and bool(text[self.tokens[last][1] : self.tokens[last + 1][0]].strip())

    def _only(self, place: int, last: int, thousands: int) -> bool:
        """Whether nothing but small words and other places stand beside a name, with or without capitals: "florence
        might be better", "не самара а сызрань". Beside another place, a small town is one too."""
        if thousands < TOWN:
            return False
        beside, table = self.phrases("beside"), gazetteer()
        rest = [*self.words[:place], *self.words[last + 1 :]]
        others = [word for word in rest if word not in beside]
        known = all(table.longest([word], self.endings)[0] for word in others)
        return 0 < len(rest) <= (5 if thousands >= KNOWN or others else 2) and known

    def _called_otherwise(self, place: int, last: int, first: int, role: str) -> bool:
        """Whether the name is that of a dish ("chicken Kiev"), a thing ("a Manhattan with rye") or somebody's ("my
        friend Paris")."""
        if not self.around.eaten.isdisjoint(self.words[max(0, place - 2) : last + 3]) and self._dish(place, last):
            return True
        before = self.words[first - 1] if first and self._near(first) else ""
        if before in self.phrases("kin"):
            return True
        if role == "of" and first > 1 and self.words[first - 2] in self.phrases("portions"):  # "a glass of Bordeaux"
            return True
        if before in self.phrases("praise") and first > 1 and self._near(first - 1):
            before = self.words[first - 2]
        after = self.words[last + 1] if last + 1 < len(self.words) and self._near(last + 1) else ""
        return not role and before in self.phrases("indefinite") and (not after or after in self.around.small)

    def _dish(self, place: int, last: int) -> bool:
        dishes = self.phrases("dishes")
        for start in range(max(0, place - 2), place + 1):
            run = self._run(start, last - start + 4)
            said = (" ".join(run[:end]) for end in range(last - start + 1, len(run) + 1))
            if any(words in dishes or words.removesuffix("s") in dishes for words in said):
                return True
        return False

    def _set_apart(self, place: int, last: int, mark: str) -> bool:
        """Whether a name that is also a word or a person's stands for itself: nothing but names is said, and no name
        goes on beside it. A word that opens the message needs another name to be one ("Boulder, not Denver")."""
        if self.meant:
            return mark != "w"
        if not self.bare or (mark == "w" and place == 0 and sum(map(self._capital, range(len(self.words)))) < 2):
            return False
        beside = self.phrases("beside")
        before = place == 0 or not self._near(place) or self.words[place - 1] in beside
        after = last + 1 == len(self.words) or not self._near(last + 1) or self.words[last + 1] in beside
        return before and after

    def _prefix(self, place: int) -> tuple[int, bool]:
        """Takes "south", "downtown" or "center city" before a place into it."""
        if not place or self.words[place - 1] not in self.around.leads:
            return place, False
        for count in (3, 2, 1):
            start = place - count
            if start >= 0 and " ".join(self._run(start, count)) in self.phrases("area") and self._near(place):
                return start, True
        return place, False

    def _near(self, place: int) -> bool:
        """Whether nothing but a blank (or the full stop of "St.") parts a word from the one before."""
        gap = self.reading.folded[self.tokens[place - 1][1] : self.tokens[place][0]].strip(" \t-")
        return not gap or (gap == "." and self.words[place - 1] in self.reading.reader.phrases("places", "saints"))

    def _role(self, place: int) -> str:
        """The sense of the preposition before a word; an article or "the city of" may stand between."""
        if not place or self.words[place - 1] not in self.around.leads:
            return ""
        place = self._led(place)
        if not place or not self._near(place):
            return ""
        for count in (3, 2, 1):
            if place >= count:
                role = self.around.roles.get(" ".join(self.words[place - count : place]))
                if role is not None:
                    return role
        return ""

    def _led(self, place: int) -> int:
        """Where the preposition of a word ends."""
        skip = self.phrases("skip")
        for _ in range(3):
            if not place or not self._near(place):
                break
            if self.words[place - 1] in skip:
                place -= 1
            elif " ".join(self.words[max(0, place - 2) : place]) in skip:
                place -= 2
            else:
                break
        return place

    def _city_after(self, last: int) -> tuple[int, Known] | None:
        """The city of a district: "Fishtown, Philadelphia", "center city philly", "Chelsea in London"."""
        after = last + 1
        if after < len(self.words) and self.words[after] in self.phrases("in"):
            after += 1
        if after >= len(self.tokens) or not _GAP.fullmatch(
            self.reading.folded[self.tokens[after - 1][1] : self.tokens[after][0]]
        ):
            return None
        count, key = gazetteer().longest(self._run(after, 3), self.endings)
        city = gazetteer().row(key) if count else None
        if city is None or city.mark not in ("", "e", "s") or city.thousands < KNOWN:
            return None
        if city.mark == "s" and self.around.words_first:
            return None
        return after + count - 1, city

    def _part_after(self, last: int) -> int:
        """The last word of a part that is named after its city: "London Soho", "Palermo, Soho"; 0 for none."""
        after = last + 1
        if after >= len(self.tokens) or not _GAP.fullmatch(
            self.reading.folded[self.tokens[last][1] : self.tokens[after][0]]
        ):
            return 0
        count, key = gazetteer().longest(self._run(after, 3), self.endings)
        part = gazetteer().row(key) if count else None
        return after + count - 1 if part is not None and part.mark in ("d", "n") else 0

    def _suffixed(self, last: int, row: Known, role: str) -> int:
        """The end of the place with the state or country that is named after it: "Austin, TX"."""
        last = self._sight(self._station(last), role)
        end, after = self.tokens[last][1], last + 1
        if after >= len(self.tokens) or row.mark == "c":
            return end
        gap = self.reading.folded[end : self.tokens[after][0]]
        if not _GAP.fullmatch(gap):
            return end
        typed = self.reading.words(self.tokens[after])
        wide = next((n for n in (2, 1) if " ".join(self._run(after, n)) in self.phrases("wider")), 0)
        if wide and "," in gap:  # "Astoria, Queens"
            return self.tokens[after + wide - 1][1]
        if typed.lower() in self.phrases("states") and (
            typed.isupper() or ("," in gap and (typed[0].isupper() or self._ends(after)))
        ):
            return self.tokens[after][1]
        count, key = gazetteer().longest(self._run(after, 3), self.endings)
        wider = gazetteer().row(key) if count else None
        if wider is not None and wider.mark == "c" and ("," in gap or typed[0].isupper()):
            return self.tokens[after + count - 1][1]
        return end

    def _station(self, last: int) -> int:
        """The last word of "London Liverpool Street", "Birmingham New Street" or "Stansted Airport"."""
        small = (
            self.phrases("in")
            | self.phrases("near")
            | self.phrases("to")
            | self.phrases("from")
            | self.phrases("skip")
            | self.phrases("of")
        )
        for count in (1, 2, 3):
            run = self._run(last, count + 1)[1:]
            ends = self.phrases("stations") if count > 1 else self.phrases("ports")
            if len(run) == count and run[-1] in ends and not small & set(run):
                return last + count
        return last

    def _sight(self, last: int, role: str) -> int:
        """The last word of "Boston Common" or "Denver Union Station": a capital tells that the name goes on, and so
        does what something is near ("near columbia university")."""
        for count in (1, 2):
            after = last + count
            if after >= len(self.tokens) or not self._near(after):
                return last
            if not (role == "near" and count == 1) and (not self._capital(after) or self.titled):
                return last
            if self.words[after] in self.phrases("sights"):
                return after
        return last

    def _ends(self, place: int) -> bool:
        end = self.tokens[place][1]
        return end == len(self.reading.text) or self.reading.text[end] in ".,;!?\n"

    def _name(self, place: int) -> Place | None:
        """An unknown capitalised name after "in", "near" or "around"."""
        start = self.tokens[place][0]
        if not self.around.capitals_tell or self.titled or self.shouted or not self.reading.text[start].isupper():
            return None
        first, _ = self._prefix(place)
        role = self._role(first)
        if role not in self.names or self._opens_sentence(first) or self._opens_area(place):
            return None
        if self.words[first - 1] in self.phrases("of_people"):
            return None  # "у Маши": at her place, and no place of that name
        last = place
        while last + 1 < len(self.tokens) and last - place < 3 and self._near(last + 1) and self._capital(last + 1):
            last += 1
        # a way may lead to "Shiki Japanese Cuisine"; elsewhere a day or a language is no part of a place
        holds = all if "to" in self.names and last > place else any
        if holds(word in self.phrases("no_name") for word in self.words[place : last + 1]):
            return None
        if self.words[last].endswith("'s") and last + 1 < len(self.words) and self._near(last + 1):
            return None  # "in McMahon's favor"
        if role == "to" and first > 1 and self.words[first - 2] in self.phrases("no_journey"):
            return None
        span = self.tokens[first][0], self.tokens[self._station(last)][1]
        return Place(self.reading.words(span), "", span, "places.name", role)

    def _quarter(self, place: int) -> Place | None:
        """A name without a capital that the words beside it call a quarter or a street: "en el barrio de yungay", "на
        площади восстания", "на ленинском проспекте"."""
        word, first = self.words[place], place - 1
        if word in self.phrases("street_after"):
            named = self.words[first]
        else:
            lead, named = self._lead(place), word
            first = place - lead
            if not lead:
                return None
        role = self._role(first) if self._near(place) else ""
        if role not in ("in", "near", "of") or named in self.around.small | self.phrases("not_streets"):
            return None
        if " ".join(self.words[first:place]) in self.phrases("quarter"):
            first = place  # a quarter is called by its name alone
        span = self.tokens[first][0], self.tokens[place][1]
        return Place(self.reading.words(span), "", span, "places.quarter", role)

    def _lead(self, place: int) -> int:
        """How many words before a name say that it is that of a quarter or a street."""
        for count in (2, 1):
            before = " ".join(self.words[max(0, place - count) : place])
            if before in self.phrases("quarter"):
                return count
            if before in self.phrases("street"):
                ends = tuple(self.phrases("street_ends"))
                return count if not ends or self.words[place].endswith(ends) else 0
        return 0

    def _opens_area(self, place: int) -> bool:
        return any(" ".join(self._run(place, count)) in self.phrases("area") for count in (1, 2))

    def _capital(self, place: int) -> bool:
        return self.reading.text[self.tokens[place][0]].isupper()

    def _opens_sentence(self, place: int) -> bool:
        start = self.tokens[place][0]
        spans = self.reading.find(sentences)
        return spans[max(0, bisect_right(spans, (start, len(self.reading.text))) - 1)][0] == start
