"""What the browser agent understands (`words/browser.tsv`) and says (`words/says.tsv`), in one language."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from holdfast.agents.browsing import hearing
from holdfast.agents.browsing.web import Pages, is_place, pages
from holdfast.agents.texts import LANGUAGES, reader_of, spoken, texts
from holdfast.faculties.aims.tasks.plans import Plan
from holdfast.reading.model.clauses import understand
from holdfast.reading.model.hearing import UNHEARD, Given, Told
from holdfast.reading.model.tokens import in_english, tokens
from holdfast.reading.reader import Cue, Reader, Reading, Span, touches
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import standing
from holdfast.reading.values import Number, numbers

MAX_TEXT_CHARS = 2000
"""Characters of a message that the agent looks at: more is no instruction for a small browser."""


DONE_BY = ("goal", "tabs", "edit")
"""Families of verbs for what the browser does."""

_PARTS = Shape(",| %joints.between% ")


SURELY = 24
"""Lead from which words are believed to be wanted."""
GIVEN_UP = 6
"""Lead from which words are believed to be given up."""
TO_TABS = 8
"""What speaks for a text being about tabs that names none."""
GAP = 2
"""Characters between a limit and its number."""


class Did(NamedTuple):
    """A step as the agent reads it: what is done, and with what."""

    act: str
    what: dict[str, str]


class Voice:
    """One language of the agent."""

    def __init__(self, language: str | None, last: str = "") -> None:
        """`last` is what was said last, and is not said again where there are other words for it."""
        self.language, self._last = spoken(language), last
        self.pages: Pages = pages(self.language)
        self.shown: list[str] = []
        """The names of what was shown last."""
        self._given: dict[str, list[Given]] = {}
        self._does: dict[str, dict[str, int]] = {}
        self._told: dict[str, Told | None] = {}

    def given(self, text: str, *facets: str, stands: str = "wanted") -> list[Given]:
        """What the words of a text give of some facets, where that stands in some way."""
        return [one for one in self.all_given(text) if one.facet in facets and one.stands == stands]

    def all_given(self, text: str) -> list[Given]:
        """What the words of a text give, heard after what was said last."""
        if text not in self._given:
            told = self._heard(text)
            given = hearing.HEARING.given(told) if told else []
            weak = [one.stands == "dropped" and one.lead < GIVEN_UP for one in given]
            pairs = zip(given, weak, strict=True)
            self._given[text] = [one._replace(stands="wanted") if no else one for one, no in pairs]
        return self._given[text]

    def names_nothing(self, text: str) -> bool:
        """Whether a text names nothing: no thing, no tab, no place, none of what was shown."""
        return not any(one.facet in hearing.NAMING for one in self.all_given(text)) and not self.knows(text)

    def wants(self, text: str) -> bool:
        """Whether a text rather wants something than asks: by what it gives, and by what it does."""
        sure = any(one.lead >= SURELY for one in self.given(text, *hearing.WANTED))
        if not (sure or self.meant(text, "tabs") or self.read(text).has("tab_word")):
            return False
        does = self.does(text)
        best = max(does[kind] for kind in hearing.WANTING) if sure else does["tabs"]
        return best > does["ask"] and (sure or best >= TO_TABS)

    def does(self, text: str) -> dict[str, int]:
        """How far it speaks for each kind that a text is one."""
        if text not in self._does:
            told = self._heard(text)
            does = hearing.HEARING.does(told, bool(self.shown)) if told else dict.fromkeys(hearing.KINDS, UNHEARD)
            self._does[text] = does
        return self._does[text]

    def _heard(self, text: str) -> Told | None:
        """A text as it is listened to; nothing where it has no words."""
        if text not in self._told:
            clauses = understand(text, self._last, self.language) if text.strip() else []
            told = hearing.told(self.read(text), clauses, self._last, self.shown, self.pages) if clauses else None
            self._told[text] = told
        return self._told[text]

    def read(self, text: str) -> Reading:
        return reader().read(text[:MAX_TEXT_CHARS])

    def without(self, text: str, *families: str, but: str = "") -> str:
        """A text without the words of some families, but for those of one meaning."""
        reading = self.read(text)
        taken = [cue.span for family in families for cue in reading.all(family) if cue.means != but]
        return blanked(text, taken)

    def meant(self, text: str, family: str) -> set[str]:
        """What the words of a family mean that a text has, in its own language or as the English that they mean."""
        return {means for means, _ in self._verbs(text, family)}

    def hows(self, text: str) -> set[str]:
        """How a text says which of several things is meant: the cheapest, the second."""
        own = {cue.means for cue in self.read(text).all("how")}
        return own | {means for means, _ in self._foreign_verbs(text, "how")}

    def denied(self, text: str, *families: str) -> bool:
        """Whether a text has verbs of some families, and denies all of them: "don't book any flight"."""
        negated = self.negated(text)
        places = [place for family in families for _, place in self._verbs(text, family)]
        return bool(places) and all(any(a <= place < b for a, b in negated) for place in places)

    def _verbs(self, text: str, family: str) -> list[tuple[str, int]]:
        """What the words of a family mean, and where they stand."""
        articles = reader().phrases("choice", "articles", self.language)
        verbs = [(cue.means, cue.start) for cue in self.read(text).all(family)]
        verbs = [one for one in verbs if not articles.intersection(text[: one[1]].lower().split()[-1:])]  # "the order"
        return [*verbs, *self._foreign_verbs(text, family)]

    def _foreign_verbs(self, text: str, family: str) -> list[tuple[str, int]]:
        """Those that are there only by the English that they mean: "оформляй" has its own, and arranges no tabs."""
        said, places = in_english(text[:MAX_TEXT_CHARS], self.language)
        meant = [(cue.means, places[cue.start][0]) for cue in reader().read(said).all(family)] if said != text else []
        own = [cue.span for verbs in DONE_BY for cue in self.read(text).all(verbs)] if meant else []
        return [one for one in meant if not any(a <= one[1] < b for a, b in own)]

    def names(self, text: str) -> bool:
        """Whether a text names something one can have."""
        return bool(self.pages.things_in(self.kept(text)))

    def knows(self, text: str) -> bool:
        """Whether a text has a word for something one can have, or for which of it."""
        return not self.pages.known().isdisjoint(self.pages.stems(self.kept(text)))

    def places(self, text: str) -> bool:
        """Whether a text names a place."""
        return any(map(is_place, self.pages.words(text)))

    def has(self, text: str, kind: str) -> bool:
        """Whether a text has a word of a kind, by the lexicon."""
        return any(kind in token.kinds for token in tokens(text, self.language))

    def kept(self, text: str) -> str:
        """A text without what it denies: "not the morning, the evening one"."""
        return blanked(text, self.negated(text))

    def gone(self, text: str) -> str:
        """What a text denies."""
        return " ".join(text[a:b] for a, b in self.negated(text))

    def negated(self, text: str) -> list[Span]:
        """What a text denies. A thing that has its name by what it lacks denies nothing: "without fluoride"."""
        reading, names = self.read(text), self.pages.joins(text)
        told = [cue.groups["old"] for cue in reading.all("correction") if "old" in cue.groups]
        found = [*told, *reading.find(standing).spans["negated"]]
        return [span for span in found if not any(a <= span[0] <= b for a, b in names)]

    def sums_up(self, text: str) -> bool:
        """Whether a text asks for a summary."""
        return any(cue.means == "summary" for cue in self.read(text).all("sums_up"))

    def parts(self, text: str) -> list[str]:
        """What is named side by side: "toothpaste and a charger"."""
        return [part for part in reader().made(_PARTS).split(text) if part.strip()]

    def limit(self, text: str) -> tuple[float, list[Span]]:
        """What a thing may cost at most ("under 50 bucks", 0 where nothing is said of it), and where that stands."""
        reading = self.read(text)
        told = [(cue.span, one) for cue in reading.all("limit") for one in reading.find(numbers) if _beside(cue, one)]
        for price in self.given(text, "price"):  # "around 40 dollars"
            told += [(price.span, one) for one in reading.find(numbers) if touches(one.span, [price.span])]
        return (told[-1][1].value if told else 0, [span for cue, one in told for span in (cue, one.span)])

    def say(self, key: str, **given: object) -> str:
        """A text; of several ways to say it the first that was not said last."""
        told = [way.format(**given) for way in texts("browser", self.language)[key].split(" | ")]
        return next((way for way in told if way not in self._last), told[0])

    def step(self, key: str, **given: object) -> str:
        return texts("browser.step", self.language)[key].format(**given)

    def how(self, key: str) -> str:
        return texts("browser.how", self.language)[key]

    def number(self, word: str) -> bool:
        return word.isdigit() or word in reader().data("numbers", self.language)

    def tabs(self, count: int) -> str:
        return self.say("one_tab" if count == 1 else "some_tabs", count=count)

    def progress(self, plan: Plan | None) -> str:
        plan = plan or Plan()
        return self.say("progress", done=plan.done, all=len(plan.steps))


def names_in(text: str) -> str | None:
    """The language in which a short text names something to be had, where nothing else tells its language."""
    return next((language for language in LANGUAGES if Voice(language).names(text)), None)


def _beside(cue: Cue, number: Number) -> bool:
    """Whether a number stands right after a word for a limit, or right before one: "20 at most"."""
    return 0 <= number.span[0] - cue.end <= GAP or (cue.means == "after" and 0 <= cue.start - number.span[1] <= GAP)


def blanked(text: str, spans: list[Span]) -> str:
    """A text with blanks in some places."""
    return "".join(" " if any(a <= place < b for a, b in spans) else sign for place, sign in enumerate(text))


@cache
def reader() -> Reader:
    return reader_of("browser")


def understood(step: str) -> Did | None:
    """What a step asks for, in whichever language it was written; None where it is no step of ours."""
    for language in LANGUAGES:
        for act, pattern in _templates(language):
            if hit := pattern.fullmatch(step.strip()):
                return Did(act, hit.groupdict())
    return None


def chosen(how: str) -> str:
    """Which result a step means by "the cheapest result"."""
    for language in LANGUAGES:
        for key, text in texts("browser.how", language).items():
            if text == how:
                return key
    return "best"


@cache
def _templates(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for act, template in texts("browser.step", language).items():
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template))
        found.append((act, re.compile(pattern)))
    return tuple(found)
