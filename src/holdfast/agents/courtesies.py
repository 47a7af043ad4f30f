"""Courtesies: messages that only greet, thank, praise, take leave, or ask who is there, how it goes and what
can be done.

All agents judge them here: by their words (`courtesy/…` of `words/says.tsv`), where there are no others, else by what
the reading takes every clause for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from holdfast.agents.texts import LANGUAGES, texts
from holdfast.reading.model.clauses import Clause
from holdfast.reading.text import fold

ORDER = ("bye", "help", "thanks", "praise", "there", "hello")
"""What a message is that is several of them: "hi, what can you do?" asks."""
MAX_PHRASE_WORDS = 5
MAX_COURTESY_WORDS = 12
BY_ACT = {"greets": "hello", "thanks": "thanks"}
SURE = 20
"""Lead from which the act of a clause is believed."""
_WORD = re.compile(r"\w+")


def courtesy(text: str, clauses: Iterable[Clause] = ()) -> str:
    """Which courtesy a message is, one of `ORDER`; nothing where it says anything else."""
    words = _WORD.findall(fold(text).replace("'", ""))
    if not words or len(words) > MAX_COURTESY_WORDS:
        return ""
    found = _kinds(words)
    if found is None:
        return _by_acts(clauses)
    kind = next((kind for kind in ORDER if kind in found), "")
    return "" if kind == "bye" and "?" in text else kind  # "that's all?"


def _by_acts(clauses: Iterable[Clause]) -> str:
    """The courtesy that all clauses are, by what they do."""
    found = {BY_ACT.get(clause.act, "") if clause.lead >= SURE else "" for clause in clauses}
    return "" if "" in found else next((kind for kind in ORDER if kind in found), "")


def _kinds(words: list[str]) -> set[str] | None:
    """The kinds of all phrases that a message is made of; None where some of its words are of none."""
    found: set[str] = set()
    while words:
        sizes = range(min(MAX_PHRASE_WORDS, len(words)), 0, -1)
        size = next((size for size in sizes if " ".join(words[:size]) in _phrases()), 0)
        if not size:
            return None
        found.add(_phrases()[" ".join(words[:size])])
        words = words[size:]
    return found


@cache
def _phrases() -> dict[str, str]:
    rows = [row for language in LANGUAGES for row in texts("courtesy", language).items()]
    return {phrase: kind for kind, phrases in rows for phrase in phrases.split("|")}
