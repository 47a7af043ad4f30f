"""What detail of something a message asks for: where it is, when, what it costs, how to reach it, or another one.

Told by sentence: a sentence that asks (by its mark, its first word, or words such as "give me") is looked through for
the detail it names. A question about what is already spoken of ("does it have wifi?") asks for another detail; one that
asks for new things to be found or done asks for none.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple, cast

from holdfast.reading.model.features import asked_features, clause_features
from holdfast.reading.model.scorer import Scorer, load
from holdfast.reading.model.tokens import tokens, tokens_of
from holdfast.reading.reader import Reading, Span, within
from holdfast.reading.standing import sentences

Label = Literal["where", "when", "cost", "contact", "other"]
_FILE = os.path.join(os.path.dirname(__file__), "model", "details.bin")
ORDER: tuple[Label, ...] = ("contact", "cost", "where", "when", "other")


MAX_CHARS = 2000
"""Characters of a message, and of what was said before it, that are looked at."""
DOUBT = 40
"""How far "asks for nothing" must lead before what the tables see is left out."""
LOOKED_AT = 12
"""Sentences of a message that are looked at: what is asked stands at its end."""
ASKING = 8
"""Lead from which a clause without a mark is believed to ask."""
FRAGMENT = 3
"""Words of a sentence that is no statement but the name of what is wanted ("total cost please")."""


def detail_features(reading: Reading, before: str) -> list[str]:
    """What the scorer looks at: the words of the message, what the tables see in it, and what the agent said last."""
    found = [token for token in reading.find(tokens_of) if token.start < MAX_CHARS]
    hints = asked_features(tokens(before[-MAX_CHARS:], reading.language))
    made = clause_features(found, 0, len(found), 0, 1, hints)
    made += [f"rule={detail.label}" for detail in reading.find(by_tables)]
    for place, (start, end) in enumerate(reversed(reading.find(sentences)[-2:])):
        words = reading.folded[start:end].split()
        made.append(f"s{place}={' '.join(words[:2])}")
        made.append(f"s{place}?={reading.text[start:end].rstrip()[-1:]} {words[0] if words else ''}")
    return made


class Detail(NamedTuple):
    """A detail that is asked for, with the words that ask."""

    label: Label
    span: Span
    rule: str
    means: str = ""
    """What its pattern means, as the table declares it."""


def by_tables(reading: Reading) -> list[Detail]:
    """The details that a message asks for by the tables. Use as `reading.find(by_tables)`."""
    if not reading.has(*_FAMILIES) and "?" not in reading.text:
        return []
    found = []
    for span in _questions(reading)[-LOOKED_AT:]:
        detail = _asked(reading, span)
        if detail:
            found.append(detail)
    return sorted(found, key=lambda detail: ORDER.index(detail.label))


def _questions(reading: Reading) -> list[Span]:
    """The sentences; one that asks twice ("where is it and how late are they open?") in its parts."""
    openers, joints = reading.phrases("detail", "openers"), reading.phrases("detail", "joints")
    named = {cue.start for family in _FAMILIES for cue in reading.all(family)}
    joined = [token for before, token in pairwise(reading.tokens) if reading.said(before) in joints]
    cuts = [token[0] for token in joined if token[0] in named or reading.said(token) in openers]
    return [*pairwise(sorted({0, len(reading.text), *(a for a, _ in reading.find(sentences)), *cuts}))]


_FAMILIES = (*(f"detail_{label}" for label in ORDER), "asks_about")


def _asked(reading: Reading, span: Span) -> Detail | None:
    how = _asks(reading, span)
    if how is None:
        return None
    whole = " ".join(_rest(reading, span))
    anew = within(reading.all("asks_anew"), span)
    for label in ORDER:
        for cue in within(reading.all(f"detail_{label}"), span):
            # a fragment that is nothing but the name of a detail asks for it: "horario", "часы работы"
            named = how != "fragment" or reading.said(cue.span) == whole
            if "sure" in cue.traits or (not anew and named):
                return Detail(label, cue.span, cue.id, cue.means)
    if anew or how == "fragment":
        return None
    for cue in within(reading.all("asks_about"), span):
        if how == "question" or cue.means != "topic":
            return Detail("other", cue.span, cue.id, cue.means)
    if how == "question" and _yes_no(reading, span):
        return Detail("other", span, "detail.yes_no")
    return None


def _yes_no(reading: Reading, span: Span) -> bool:
    """Whether a question opens like "is the …", "does it …", "can I …", and is no request to the one who answers."""
    words = _rest(reading, span)
    asked = reading.phrases("detail", "asked")
    return bool(words) and words[0] in reading.phrases("detail", "aux") and not asked.intersection(words[1:2])


def _rest(reading: Reading, span: Span) -> list[str]:
    """The words of a sentence after those that only open it."""
    skipped = reading.phrases("detail", "fillers")
    first, last = bisect_left(reading.tokens, (span[0], 0)), bisect_left(reading.tokens, (span[1], 0))
    words = [reading.folded[slice(*token)] for token in reading.tokens[first:last]]
    start = next((place for place, word in enumerate(words) if word not in skipped), len(words))
    return words[start:]


def _asks(reading: Reading, span: Span) -> Literal["question", "request", "fragment"] | None:
    """How a sentence asks: by its mark or first word, by words such as "give me", by being but a noun, or by the act of
    a clause ("the second one, when do they close")."""
    text = reading.folded[slice(*span)]
    if text.rstrip("\"') ").endswith("?"):
        return "question"
    rest, openers = _rest(reading, span), reading.phrases("detail", "openers")
    if rest and rest[0] in openers:
        return "question"
    cues = [cue for family in _FAMILIES for cue in within(reading.all(family), span)]
    if any(
        not openers.isdisjoint(reading.said(cue.span).split()[1:]) for cue in cues
    ):  # "el segundo a qué hora cierra"
        return "question"
    if within(reading.all("requesting"), span):
        return "request"
    if len(rest) <= FRAGMENT:
        return "fragment"
    return "question" if _asking(reading, span) else None


def _asking(reading: Reading, span: Span) -> bool:
    """Whether a clause asks there, by the learned reading."""
    clauses = [clause for clause in reading.after("") if clause.start < span[1] and span[0] < clause.end]
    return any(clause.act == "asks" and clause.lead >= ASKING for clause in clauses)


def details(reading: Reading, before: str = "") -> tuple[list[Detail], bool]:
    """The details that a message asks for, told after what the agent said last, and whether that is sure. In English a
    scorer decides, which learned from many conversations; elsewhere, and for the words of it, the tables do."""
    told = reading.find(by_tables)
    asks = "?" in reading.text or reading.has(*_FAMILIES, "requesting")
    if reading.language != "en" or not asks or not before:  # the scorer knows replies, and no first messages
        return told, True
    scored = _scorer().score(detail_features(reading, before))
    sure = scored.lead >= DOUBT
    if scored.best == "none":
        return ([d for d in told if not sure or _asking(reading, d.span)]), sure
    best = cast(Label, scored.best)
    same = [detail for detail in told if detail.label == best]
    found = same or [Detail(best, _last(reading), "model.detail")]
    return [*found, *(d for d in told if d.label != best)], sure


def _last(reading: Reading) -> Span:
    """The sentence that probably asks: the last one with a question mark, else the last."""
    spans = reading.find(sentences)
    return next((span for span in reversed(spans) if "?" in reading.words(span)), spans[-1])


@cache
def _scorer() -> Scorer:
    return load(_FILE)["detail"]
