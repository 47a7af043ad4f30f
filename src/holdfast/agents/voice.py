"""What the browser agent understands (`words/browser.tsv`) and says (`words/says.tsv`), in one language."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from holdfast.agents.texts import LANGUAGES, reader_of, spoken, texts
from holdfast.agents.web import Pages, pages
from holdfast.faculties.aims.tasks.plans import Plan
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.shapes import Shape

MAX_TEXT_CHARS = 2000
"""Characters of a message that the agent looks at: more is no instruction for a small browser."""


_PARTS = Shape(",| %joints.between% ")


class Did(NamedTuple):
    """A step as the agent reads it: what is done, and with what."""

    act: str
    what: dict[str, str]


class Voice:
    """One language of the agent."""

    def __init__(self, language: str | None) -> None:
        self.language = spoken(language)
        self.pages: Pages = pages(self.language)

    def read(self, text: str) -> Reading:
        return reader().read(text[:MAX_TEXT_CHARS])

    def without(self, text: str, *families: str, but: str = "") -> str:
        """A text without the words of some families, but for those of one meaning."""
        reading = self.read(text)
        taken = [cue.span for family in families for cue in reading.all(family) if cue.means != but]
        return "".join(" " if any(a <= place < b for a, b in taken) else sign for place, sign in enumerate(text))

    def parts(self, text: str) -> list[str]:
        """What is named side by side: "toothpaste and a charger"."""
        return [part for part in reader().made(_PARTS).split(text) if part.strip()]

    def say(self, key: str, **given: object) -> str:
        return texts("browser", self.language)[key].format(**given)

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
