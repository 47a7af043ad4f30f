"""The small simulated web of the browser agent: tabs, pages and goods, in the language of the person (`data/web.tsv`).
A site that is searched for what it does not list invents it: the id of such a thing says all that it was made of.

All of its state is one page state, a text that the conversation keeps: a line for people, then the rest as data. A
browser that is opened again tomorrow is therefore where it was. Goods and sites are kept by their ids, so that a change
of language changes their names and nothing else.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import filterfalse
from typing import NamedTuple

import msgspec

from holdfast.agents.texts import LANGUAGES, grouped, latin, spoken
from holdfast.faculties.aims.aim import VOWELS
from holdfast.kept import kept
from holdfast.reading.endings import shipped_endings
from holdfast.reading.lexicon import meanings
from holdfast.reading.model.tokens import tokens
from holdfast.reading.places import gazetteer
from holdfast.reading.reader import Span
from holdfast.reading.text import fold

CITY = 200
"""Thousands of people of a city that a word names for sure."""
MAX_READ = 8192
"""Texts whose words are kept: names of goods are asked for their words again and again."""
LEFT = 8
"""Errands that are kept while others are run."""

TALK = frozenset({"yes", "no", "greeting", "reaction", "swear", "wantphrase"})
"""What words are that are only talk, by the lexicon."""
DAYS = frozenset({"weekday", "future", "month", "dayPart", "number"})
"""What words are that say when or how many, by the lexicon."""

_WORDS = re.compile(r"\d+[:.]\d\d(?!\w)|[\w'.-]*\w")
FIGURES = re.compile(r"\d+[:.]\d\d|\d{2,}")
"""Numbers that tell one thing from others: a time, a price."""
_VOWELS = dict.fromkeys(b"aeiouy")
_STEM = 3
_OF = "/"
"""What stands between the parts of the id of something invented: its site, its kind, its price and what it is."""
"""Letters at the beginning of a word that all of its forms share, vowels and all: "щётка", "щёток"."""


class Tab(msgspec.Struct, omit_defaults=True):
    id: int
    site: str
    title: str
    text: str
    also: str = ""
    """What people call it beside that: "the newspaper"."""
    marks: list[str] = []
    """What was done to it: pinned, muted, bookmarked."""
    group: str = ""

    @property
    def called(self) -> str:
        return f"{self.site} {self.title} {self.also}"


class Thing(msgspec.Struct, frozen=True):
    """Something that a site offers."""

    id: str
    at: str
    price: float
    name: str
    about: str
    kind: str = ""
    """The first of the things that it is like."""

    @property
    def told(self) -> str:
        """All that is said of it."""
        return f"{self.name} {self.about} {self.price:.2f} {self.price:.0f}"

    def priced(self) -> str:
        return f"{self.name}, ${self.price:.2f}" if self.price else self.name


class Site(msgspec.Struct, frozen=True):
    """A place on the web, the words by which it is known, and what is done there."""

    id: str
    name: str
    also: str
    deal: str
    seats: bool = False
    """Whether one thing there is for several people: a table."""
    shows: bool = False
    """Whether there is nothing to be had but to be looked at: mail."""


class Errand(msgspec.Struct, omit_defaults=True):
    """Where one task stands: its page, its site, what was found, chosen and put in the basket there."""

    at: str = ""
    site: str = ""
    results: list[str] = []
    chosen: list[str] = []
    """What was chosen, one for each thing that is wanted."""
    cart: list[str] = []
    offered: bool = False
    """Whether the person was asked to confirm what is in the basket."""
    goals: list[str] = []
    """Goals of the task that wait for their plan."""
    wanted: list[str] = []
    """The things that the plan is for, each in its words."""
    far: str = ""
    """How far they are wanted."""
    count: int = 1
    """How many of each are wanted where nothing else is said: people on a flight."""
    limit: float = 0
    """What a thing may cost at most, where that was said."""


class Web(Errand, omit_defaults=True):
    """What the browser shows and holds."""

    task: str = ""
    """The task whose errand is in front."""
    left: dict[str, Errand] = {}
    """Errands of tasks that were left, newest last."""
    bought: list[str] = []
    told: list[str] = []
    """What was told of last where nothing was chosen: "that one" is one of them."""
    tabs: list[Tab] = []
    closed: list[Tab] = []
    """Newest last."""
    shut: int = 0
    """How many of them were closed in one go."""
    active: int = 0
    spoken: list[int] = []
    """The tabs that were spoken of last."""

    def things(self) -> Iterator[str]:
        """The ids of all things that it holds."""
        for errand in (self, *self.left.values()):
            yield from (*errand.results, *errand.chosen, *errand.cart)
        yield from (*self.bought, *self.told)

    def turn_to(self, task: str) -> None:
        """Bring the errand of a task in front, as it was left."""
        if task == self.task:
            return
        names = Errand.__struct_fields__
        if self.task:
            here = Errand(**{name: getattr(self, name) for name in names})
            others = {id: errand for id, errand in self.left.items() if id != self.task}
            self.left = dict(list({**others, self.task: here}.items())[-LEFT:])
        back = self.left.get(task) or Errand()
        for name in names:
            setattr(self, name, getattr(back, name))
        self.task = task

    def drop(self, task: str) -> None:
        """Give up what a task was to have; where it was looked for stays in front."""
        self.left = {id: errand for id, errand in self.left.items() if id != task}
        if task == self.task:
            self.cart, self.chosen, self.goals, self.limit = [], [], [], 0

    @property
    def front(self) -> list[Tab]:
        return [tab for tab in self.tabs if tab.id == self.active] or self.tabs[-1:]

    def lists(self, site: str) -> bool:
        return self.site == site and bool(self.results)

    def state(self) -> str:
        """The page state: where we are, in words, then everything else."""
        return f"{self.at or 'the start page'}\n{msgspec.json.encode(self).decode()}"


class Pages:
    """The web in one language."""

    def __init__(self, language: str) -> None:
        # People mix languages in a single word ("no", "нет"): a small word is one in all of them.
        said = [word for each in LANGUAGES for word in fold(_table(each)["light"][0].texts[0]).split()]
        told = _table(language)
        self.language = language
        self._small = frozenset([*said, *(word.replace("'", "") for word in said)])  # "whats", "dont"
        acts = [word for each in {language, LANGUAGES[0]} for word in fold(_table(each)["acts"][0].texts[0]).split()]
        self._light = self._small.union(acts)
        self._joined = dict(pair.split(" = ") for pair in told["joined"][0].texts)
        self._words_in = lru_cache(MAX_READ)(self._words_read)
        self.tabs = [Tab(int(row.id), *row.texts) for row in told["tab"]]  # type: ignore[arg-type]
        self.sites = {row.id: _site(row) for row in told["site"]}
        self._likes = {row.id: row for row in told["like"]}
        self._known: frozenset[str] = frozenset()
        """What is known, once it was asked for; what is invented makes it known anew."""
        kinds = _kinds()
        self.goods = {
            row.id: Thing(row.id, row.at, float(row.price), row.texts[0], row.texts[1], kinds[row.id])
            for row in told["good"]
        }

    def holding(self, ids: Iterable[str]) -> Pages:
        """The same web with what was invented before."""
        pages = copy.copy(self)
        made = [self._made(*id.split(_OF, 3)) for id in ids if id.count(_OF) >= 3]
        pages.goods = {**self.goods, **{thing.id: thing for thing in made if thing is not None}}
        pages._known = frozenset() if made else self.known()
        return pages

    def invented(self, what: str, site: str, limit: float) -> list[Thing]:
        """What a site has of something that it does not list: a few of the kind, the cheapest within a limit."""
        factor = random.Random(fold(what)).randrange(5, 20) / 10
        rows = [row for row in self._likes.values() if site in row.at]
        cheapest = min((float(row.price) * factor for row in rows), default=0)
        factor *= 0.8 * limit / cheapest if 0 < limit < cheapest else 1
        ids = [(site, row.id, f"{float(row.price) * factor:.2f}", what.strip(" .,!?")) for row in rows]
        made = [thing for id in ids if (thing := self._made(*id)) is not None]
        self.goods, self._known = {**self.goods, **{thing.id: thing for thing in made}}, frozenset()
        return made

    def _made(self, site: str, like: str, price: str, what: str) -> Thing | None:
        row = self._likes.get(like)
        if row is None or site not in self.sites or not FIGURES.fullmatch(price):
            return None
        name, about = row.texts[0].format(f"{what[:1].upper()}{what[1:]}"), row.texts[1]
        return Thing(_OF.join((site, like, price, what)), site, float(price), name, about, f"{site}{_OF}{what}")

    def words(self, text: str, light: bool = True, acts: bool = False) -> list[str]:
        """The words of a text; with `light` only those that carry meaning, with `acts` also those for what is done."""
        return [*self._words_in(text, light, acts)]

    def _words_read(self, text: str, light: bool, acts: bool) -> tuple[str, ...]:
        text = fold(text)
        for said, meant in self._joined.items():
            text = re.sub(rf"\b{said}\b", meant, text)
        found = [word.strip(".'") for word in _WORDS.findall(text)]
        without = self._small if acts else self._light
        pairs = zip(found, meanings(found, self.language), strict=True)
        return tuple(word for word, means in pairs if not (light and _says_nothing(word, means, without)))

    def joins(self, text: str) -> list[Span]:
        """Where several words stand for one."""
        folded = fold(text)
        return [(at, at + len(said)) for said in self._joined if (at := folded.find(said)) >= 0]

    def shown(self, word: str) -> str:
        """A word as it is said: one that stands for several of them is shown as those."""
        return next((said for said, meant in self._joined.items() if meant == word), word)

    def stems(self, text: str, acts: bool = False, light: bool = True) -> set[str]:
        """The words of a text without their endings."""
        return {root(word) for word in self.words(text, light, acts)}

    def site_in(self, text: str) -> Site | None:
        """The site that a text names, or that has what it speaks of."""
        said = self.stems(text, light=False)
        return next((site for site in self.sites.values() if said & {root(w) for w in site.also.split()}), None)

    def place_in(self, text: str) -> bool:
        """Whether a text names a site, or one of the tabs that there are at first."""
        tabs = self.stems(" ".join(tab.called for tab in self.tabs))
        said = (root(word) for word in self.words(text) if DAYS.isdisjoint(tokens(word)[0].kinds))
        return self.site_in(text) is not None or not tabs.isdisjoint(said)

    def offered(self, site: str) -> list[Thing]:
        return [thing for thing in self.goods.values() if site in thing.at]

    def named(self, ids: list[str]) -> list[Thing]:
        return [self.goods[id] for id in ids if id in self.goods]

    def matching(self, wanted: list[str], site: str) -> list[Thing]:
        """What a site has of what is wanted, best first: its name weighs more than what is said about it, the newest
        words a little more than the older ones. What fits hardly more than half as well as the best is left out, and
        so is what is for another place: no flight to Oslo is one to Lisbon."""
        places = [*map(root, filter(is_place, wanted))][-1:]  # "Berlin to Oslo" goes to Oslo
        things, offered = {*map(root, filterfalse(tells_which, wanted))}, self.offered(site)
        if things and (things.isdisjoint(self.told(offered)) or self._is_another([*filterfalse(tells_which, wanted)])):
            return []  # no flight is a hotel, wherever it goes
        days = [root(word) for word in wanted if is_day(word)] if offered and self._has_days(offered[0]) else []
        fits = {one.id: self._fits(wanted, one) for one in offered if self.stems(one.told).issuperset(places + days)}
        best = max(fits.values(), default=0.0)
        return self.named(sorted((id for id in fits if fits[id] > 0.55 * best), key=lambda id: -fits[id]))

    def _has_days(self, thing: Thing) -> bool:
        return any(map(is_day, self.words(thing.told)))

    def _is_another(self, words: list[str]) -> bool:
        """Whether words name something that no site lists, though one of them is said of a listed thing: no mint tea is
        toothpaste, and no wrapping paper a notebook."""
        roots = [*map(root, words)]
        if self.known().issuperset(roots):
            return False
        named = self.things_in(" ".join(words)) if self.language == "ru" else {roots[-(self.language == "en")]}
        return all(named.isdisjoint(self.stems(thing.name)) for thing in self.goods.values())

    def _fits(self, wanted: list[str], thing: Thing) -> float:
        named, about = self.stems(thing.name), self.stems(thing.told)
        weights = [3 if root(word) in named else int(root(word) in about) for word in wanted]
        return sum(weight * (1 + place / 10) for place, weight in enumerate(weights))

    def things_in(self, text: str) -> set[str]:
        """Stems of a text that name something one can have, wherever it is sold."""
        names = set().union(*(self.stems(thing.name) for thing in self.goods.values()))
        return self.stems(text) & names

    @property
    def site_words(self) -> frozenset[str]:
        """Stems of words that name a site, and nothing that it has."""
        return self._site_words - self.known()

    @cached_property
    def _site_words(self) -> frozenset[str]:
        own = " ".join(f"{site.name} {site.also} {site.deal}" for site in self.sites.values())
        return frozenset(self.stems(own, light=False))

    def known(self) -> frozenset[str]:
        """Stems of all that is said of anything one can have."""
        return self._known or self._knows()

    def _knows(self) -> frozenset[str]:
        self._known = frozenset(self.told(self.goods.values()))
        return self._known

    def told(self, things: Iterable[Thing]) -> set[str]:
        """Stems of all that is said of some things."""
        return {stem for thing in things for stem in self.stems(thing.told)}

    def start(self) -> Web:
        return Web(tabs=[msgspec.structs.replace(tab) for tab in self.tabs], active=len(self.tabs) - 1)


def _says_nothing(word: str, meaning: str, small: frozenset[str]) -> bool:
    """Whether a word says nothing of what is wanted, by its kind, itself or as the English that it means."""
    kinds = _kinds_of(word)
    if kinds and TALK.issuperset(kinds):
        return True
    return word.replace("'", "") in small or (bool(meaning) and small.issuperset(meaning.split()))


@lru_cache(MAX_READ)
def _kinds_of(word: str) -> frozenset[str]:
    """What a word is, by the lexicon."""
    return frozenset(tokens(word)[0].kinds)


def is_day(word: str) -> bool:
    """Whether a word is a day of the week."""
    return "weekday" in _kinds_of(word)


def tells_which(word: str) -> bool:
    """Whether a word tells which of several things is meant, and not what: a place, a day, a time, a price."""
    return is_place(word) or bool(FIGURES.fullmatch(word)) or not DAYS.isdisjoint(_kinds_of(word))


class _Row(NamedTuple):
    id: str
    at: str
    price: str
    texts: list[str]


@cache
def _table(language: str) -> dict[str, list[_Row]]:
    place = LANGUAGES.index(language)
    return {
        kind: [_Row(id, at, price, told[place].split(" | ")) for id, at, price, *told in group]
        for kind, group in grouped("data/web.tsv").items()
    }


def _site(row: _Row) -> Site:
    name, also, deal = row.texts
    return Site(row.id, name, also, deal, row.at == "seats", row.at == "shows")


@cache
def _kinds() -> dict[str, str]:
    """For each thing the first one that it is like: on the same site, and with a word of its name in every language."""
    names: dict[str, list[set[str]]] = {}
    for language in LANGUAGES:
        for row in _table(language)["good"]:
            said = {root(fold(word)) for word in row.texts[0].split() if len(word) > 2}
            names.setdefault(row.id, [set(row.at.split())]).append(said)
    return {
        id: next(other for other, said in names.items() if all(a & b for a, b in zip(own, said, strict=True)))
        for id, own in names.items()
    }


@cache
def pages(language: str) -> Pages:
    return Pages(spoken(language))


def restored(state: str, language: str) -> Web:
    """The browser as it was when this page state was kept; a new one with its first tabs when there is none."""
    _, _, data = state.partition("\n")
    try:
        return msgspec.json.decode(data, type=Web)
    except msgspec.MsgspecError:
        return pages(language).start()


def is_place(word: str) -> bool:
    """Whether a word is the name of a city and nothing else."""
    count, key = gazetteer().longest([fold(word)], shipped_endings(*LANGUAGES))
    row = gazetteer().row(key) if count else None
    return row is not None and row.mark == "" and row.thousands >= CITY


@kept(4096)
def root(word: str) -> str:
    """What all forms of a word share: its first letters, and the consonants after them but for its ending. One with a
    hyphen is whole ("fluoride-free" is not "fluoride")."""
    if "-" in word:
        return word
    stem = shipped_endings(*LANGUAGES).word(word)
    return stem[:_STEM] + stem[_STEM:].translate(VOWELS)


def sounds(text: str) -> set[str]:
    """The consonants of its names: "гугл" sounds like "Google"."""
    found = {latin(word).translate(_VOWELS) for word in _WORDS.findall(text)}
    return {word for word in found if len(word) > 1}


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"(?<=[.!?])\s+|\n", text) if part.strip()]
