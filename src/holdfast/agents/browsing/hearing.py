"""What a message gives the browser agent, and what it does, learned from `corpus/errands`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.agents.browsing.web import FIGURES, Pages, is_place, root
from holdfast.reading.model import hearing
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.hearing import Hearing, Told, beside
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Reading

_OF_THINGS = ("item", "wish", "price", "count", "people", "origin", "destination", "when", "site", "whom")
FACETS = (*_OF_THINGS, "pick", "tab", "name")
"""What words give: `pick` says which of what was shown, `name` is a name to give."""
KINDS = (
    *("look", "add", "buy", "remove", "change", "choose", "yes", "no", "answer", "ask", "tabs", "read", "stop", "back"),
    "talk",
)
"""What a message may do; several at once."""
WANTING = ("look", "add", "buy", "remove", "change", "choose", "tabs")
"""Kinds by which something is to be done."""
NAMING = ("item", "wish", "origin", "destination", "tab", "pick")
"""What words give that name what is spoken of."""
WANTED = (*NAMING, "price", "count", "people", "when")
"""What words give that says what is wanted."""
CUES = (
    *("goal", "edit", "tabs", "how", "limit", "drop", "dealt", "basket", "price", "when", "hour", "counts", "else"),
    *("points", "all", "rest", "spares", "sums_up", "reads", "tab_word", "here", "negation", "yes", "no"),
)
"""Families of patterns whose words tell something of a facet."""
BOLD = 12
"""How much less speaks for a word giving nothing than the scorer has it."""
HEARING = Hearing(FACETS, KINDS, BOLD, *beside(__file__, "heard.bin"))


def told(reading: Reading, clauses: Sequence[Clause], asked: str, shown: Iterable[str], pages: Pages) -> Told:
    """What the scorers look at, with what the web knows of the words."""
    known = [(cue.span, f"{cue.family} {cue.means}") for family in CUES for cue in reading.all(family)]
    for token in reading.find(tokens_of):
        stem = root(token.word)
        of_web = {"site": stem in pages.site_words, "good": stem in pages.known(), "spot": is_place(token.word)}
        known += [((token.start, token.end), name) for name in filter(of_web.get, of_web)]
    known += [(figure.span(), "figure") for figure in FIGURES.finditer(reading.text)]
    return hearing.told(reading, clauses, asked, shown, known)
