"""What the venue agent tells of its venues, in one language: what their table has is told, of what it has not the agent
says that it does not know it."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from holdfast.agents.catalogue import EATING, FEATURES, Venue, has_feature, is_tagged, known
from holdfast.agents.texts import texts

KITCHENS = EATING | {"bar"}
"""Tags of places that have a menu."""
WHEN, DISH, ABOUT, ELSE = "hours", "dish", "about", "other"
TOLD = {"where": "asked_where", WHEN: "asked_when", "cost": "asked_cost", "contact": "asked_contact"}
"""Details that the table has of a venue, and the texts that tell them."""
TOLD |= {"rating": "asked_rating"}


class Question(NamedTuple):
    """Something that is asked of venues."""

    topic: str
    span: tuple[int, int] = (0, 0)
    lead: int = 0
    """How far the topic leads over the next best."""
    words: tuple[str, ...] = ()
    """What is looked for, as far as the question names such things."""
    day: bool = False
    """Whether it names a day."""


class Wants(NamedTuple):
    """What a message wants, as the pack hears it."""

    given: Sequence[Any]
    """What its words give, and how that stands."""
    kinds: Mapping[str, int]
    """How far it speaks for each kind that the message is one."""
    questions: Sequence[Question]
    named: Sequence[str] = ()
    """What it names that can be looked for."""

    def has(self, kind: str, lead: int = 0) -> bool:
        return self.kinds.get(kind, -1) >= lead

    def of(self, facets: Container[str], stands: Container[str]) -> list[Any]:
        """What it gives of some facets, where that stands in one of some ways."""
        return [one for one in self.given if one.facet in facets and one.stands in stands]


class Speaker:
    """Speaks of venues."""

    def __init__(self, language: str | None) -> None:
        self.language = language
        self.words = texts("venues", language)

    def _say(self, key: str, **fields: Any) -> str:
        return self.words[key].format(**fields)

    def _filled(self, key: str, venue: Venue, **more: Any) -> str:
        fields: dict[str, Any] = {**venue._asdict(), **more}
        fields |= {"city": self._called(venue.city), "area": self._name(venue.area)}
        fields |= {"price": "$" * venue.price, "features": ", ".join(self._name(f) for f in venue.features)}
        return self._say(key, **fields, what=self._name(venue.kind))

    def _called(self, city: str) -> str:
        """A city in the language of the talk."""
        name = self._name(city)
        return name.title() if name.islower() else name

    def _name(self, thing: str) -> str:
        """A city, a kind, a feature or a wish in the language of the talk."""
        return texts("venues.name", self.language).get(thing, thing)

    def _kinds(self) -> str:
        return ", ".join(sorted({self._name(venue.kind) for venue in known()}))

    def _told(self, venue: Venue, asked: Sequence[Question]) -> str:
        """What is asked of a venue, each thing once; what the table has not is said to be unknown."""
        if any(one.topic == ABOUT for one in asked):
            return self._filled("details", venue)
        told = [text for one in asked if (text := self._answer(venue, one))]
        if not told:
            return self._filled("unknown_detail", venue)
        rest = [self.words["unknown_rest"]] if any(one.topic == ELSE for one in asked) else []
        return " ".join([*dict.fromkeys(told), *rest])

    def _answer(self, venue: Venue, asked: Question) -> str:
        """The answer to one question; nothing where the table has none."""
        if asked.topic in TOLD:
            day = [self.words["days_unknown"]] if asked.day and asked.topic == WHEN else []
            return " ".join([self._filled(TOLD[asked.topic], venue), *day])
        if asked.topic in FEATURES:
            return self._featured(venue, asked.topic)
        if asked.topic == DISH:
            return self._served(venue, asked.words)
        return ""

    def _featured(self, venue: Venue, feature: str) -> str:
        if has_feature(venue, feature) and feature not in venue.features:  # a vegan place has vegan dishes
            return self._filled("is_kind", venue)
        return self._filled("has" if feature in venue.features else "has_not", venue, feature=self._name(feature))

    def _served(self, venue: Venue, words: Sequence[str]) -> str:
        if any(is_tagged(venue, word) for word in words):
            return self._filled("is_kind", venue)
        return self._filled("listed_as", venue) if KITCHENS & {*venue.tags.split()} else ""

    def _of_several(self, found: Sequence[Venue], asked: Question) -> str:
        """Which of several have something, in one sentence; where the table has not that, that we do not know."""
        having = [venue for venue in found if self._has(venue, asked)]
        knows = asked.topic in FEATURES or asked.words
        key = "unknown_of" if not knows else "some_have" if having else "none_have"
        names = ", ".join(f"**{venue.name}**" for venue in having or found)
        feature = ", ".join(asked.words) if asked.topic == DISH else self._name(asked.topic)
        return self._say(key, names=names, feature=feature)

    def _has(self, venue: Venue, asked: Question) -> bool:
        if asked.topic == DISH:
            return any(is_tagged(venue, word) for word in asked.words)
        return has_feature(venue, asked.topic)
