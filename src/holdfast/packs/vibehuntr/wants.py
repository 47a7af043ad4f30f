"""What a message wants of an agent that finds places, and what its questions are about, learned from `corpus/venues`.

`heard.py` tells what the words of a message give. An agent that answers by itself also has to know what the message is
for: does it ask something of a place, look for others, settle a booking, call it off? And which of the things that are
known of places a question asks for. A question that is about none of them is about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from holdfast.agents.telling_venues import Question, Wants
from holdfast.packs.vibehuntr.heard import HEARING, LANGUAGES, listened, told
from holdfast.packs.vibehuntr.wishes import wish_words
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.features import clause_features
from holdfast.reading.model.hearing import Given, Told, meaning
from holdfast.reading.model.tokens import Token
from holdfast.reading.reader import Reading, Span, touches

ELSE, NOTHING = "other", "none"
"""What a question is about that asks for nothing which is known of places, and a clause that asks nothing."""
ANEW = ("more", "advise")
"""What is asked for that is no detail of a place."""
BOLD = 12
"""How much less speaks for a clause asking nothing than the scorer has it: most clauses of most talk ask nothing."""
VAGUE = ("dish", ELSE)
"""What words may be about that are a part of what their clause asks: "eat", of "can we eat outside"."""
BESIDE, SURE = ("place", "people"), 8
"""Facets that are asked about and ask for nothing themselves, and the lead from which words are believed to ask."""


def wants(reading: Reading, clauses: Sequence[Clause], asked: str, shown: Sequence[str]) -> Wants:
    """What a message wants, said after `asked` and while `shown` are the names of what was shown."""
    if not clauses or reading.language not in (None, *LANGUAGES):
        return Wants([], {}, [])
    said, given = told(reading, clauses, asked, shown), listened(reading, clauses, asked, shown)
    named = [hit.value for hit in reading.find(wish_words)]
    return Wants(given, HEARING.does(said, bool(shown)), _questions(reading, said, given), named)


def topic_features(said: Told, first: int, last: int, facet: str = "") -> list[str]:
    """What is looked at to tell what a stretch of words asks for, in its clause."""
    start, end, act = next((c for c in said.clauses if c[0] <= first < c[1]), (0, len(said.tokens), ""))
    found = clause_features(said.tokens, start, end, 0, 1, ())
    found += [*meaning(said.tokens[start:end]), f"act={act}", f"fa={facet}"]
    for token in said.tokens[first:last]:
        found += _word_features(token) if token.shape != "." else []
    found += [f"vM={name}" for name in chain.from_iterable(said.hints[first:last])]
    words = " ".join(token.word for token in said.tokens[first:last] if token.shape != ".")
    return [*dict.fromkeys([*found, f"v1={words}"])]


def _word_features(token: Token) -> list[str]:
    """What a word that may ask is, and means."""
    found = [f"v={word}" for word in (token.word, *token.english.split())] + [f"vk={kind}" for kind in token.kinds]
    return [*found, f"vp={token.word[:4]}"] if len(token.word) > 4 else found


def _questions(reading: Reading, said: Told, given: Sequence[Given]) -> list[Question]:
    """What is asked, clause by clause."""
    asking = [one for one in given if one.stands == "asked" and one.facet not in BESIDE and one.lead >= SURE]
    found: list[Question] = []
    for start, end, _ in said.clauses:
        span = said.tokens[start].start, said.tokens[end - 1].end
        asked = [_question(reading, said, "topic", one.span, one.facet) for one in asking if touches(one.span, [span])]
        found += _asked_by(asked, _question(reading, said, "asks", span, ""))
    return [one for one in found if one.topic != NOTHING]


def _asked_by(words: list[Question], clause: Question) -> list[Question]:
    """What a clause asks: by its words that are known to ask, or by all of it where there are none or those are only a
    part of it."""
    sure = clause.lead >= SURE and clause.topic not in (NOTHING, *VAGUE)
    vague = len(words) == 1 and words[0].topic in VAGUE
    return [clause] if not words or (sure and (vague or clause.topic in ANEW)) else words


def _question(reading: Reading, said: Told, scorer: str, span: Span, facet: str) -> Question:
    places = [place for place, token in enumerate(said.tokens) if span[0] <= token.start < span[1]]
    told = HEARING.scorers[scorer].judge(topic_features(said, places[0], places[-1] + 1, facet)).table(scorer)
    if NOTHING in told:
        told[NOTHING] -= BOLD
    (best, topic), (second, _) = sorted(((score, name) for name, score in told.items()), reverse=True)[:2]
    words = tuple(hit.value for hit in reading.find(wish_words) if touches(hit.span, [span]))
    return Question(topic, span, best - second, words, reading.has("day"))
