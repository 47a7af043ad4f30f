"""Rows as examples for each decision: the features that the reading would see, and the answer that the marks give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from holdfast.reading.model.clauses import MAX_BEFORE, Model
from holdfast.reading.model.features import (
    Before,
    attribute_features,
    before_features,
    gap_features,
    in_context,
    sign_features,
    tag_features,
    value_features,
)
from holdfast.reading.model.tokens import Token, tokens
from training.corpus import Claim, Clause, Row

KEEPING = frozenset("states answers instructs corrects returns".split())
"""Acts whose claims are taken as said."""
LASTING = frozenset(
    "name nickname pronouns age birthday home origin address email phone timezone language role employer team studies "
    "family pet diet allergy health medication likes favourite hobby habit hours vehicle payment privacy friend budget "
    "deadline reminder event project goal number tool style decision other".split()
)
"""Attributes that outlive the conversation they were said in."""


class Example(NamedTuple):
    features: list[str]
    label: str
    weight: float = 1.0


class Cut(NamedTuple):
    """A message with its tokens and, for each clause, the tokens it spans."""

    row: Row
    tokens: list[Token]
    spans: list[tuple[int, int]]
    before: Before


def cut(row: Row) -> Cut:
    found = tokens(row.text, row.language)
    spans = []
    for clause in row.clauses:
        inside = [place for place, token in enumerate(found) if clause.start <= token.start < clause.end]
        spans.append((inside[0], inside[-1] + 1) if inside else (0, 0))
    asked, told = (tokens(text[-MAX_BEFORE:], row.language) for text in (row.asked, row.told))
    return Cut(row, found, spans, before_features(asked, told))


def as_read(one: Cut, by: Model) -> Cut:
    """A message with its clauses as marked, but what each does as a model reads it."""
    spans = [span for span in one.spans if span[1] > span[0]]
    acts = iter([clause.act for clause in by.cut(one.tokens, spans, one.before)] if spans else [])
    marked = zip(one.row.clauses, one.spans, strict=True)
    clauses = [clause._replace(act=next(acts)) if span in spans else clause for clause, span in marked]
    return one._replace(row=one.row._replace(clauses=tuple(clauses)))


def kept(clause: Clause) -> bool:
    """Whether a clause tells something lasting of the speaker that is to be kept."""
    return clause.act in KEEPING and any(
        claim.attribute.partition("/")[0] in LASTING and not claim.of for claim in clause.claims
    )


def attribute_class(attribute: str) -> str:
    """The class of an attribute: its first part."""
    return attribute.partition("/")[0].strip()


def splitting(one: Cut) -> Iterator[Example]:
    """Where clauses begin. What is quoted is one clause whatever its words, so nothing is learned from inside it: its
    words are those of plain talk, and would teach that plain talk is not cut either."""
    starts = {start for start, end in one.spans if end > start}
    quoted = {
        place
        for clause, (start, end) in zip(one.row.clauses, one.spans, strict=True)
        for place in range(start + 1, end)
        if clause.act == "quotes"
    }
    for place in range(1, len(one.tokens)):
        if place not in quoted and (one.tokens[place].shape != "." or place in starts):
            yield Example(list(gap_features(one.tokens, place)), "yes" if place in starts else "no")


def acting(one: Cut) -> Iterator[Example]:
    for place, (clause, (start, end)) in enumerate(zip(one.row.clauses, one.spans, strict=True)):
        if end > start:
            made = in_context(one.tokens, start, end, place, len(one.spans), one.before)
            yield Example(list(made), clause.act)


def keeping(one: Cut) -> Iterator[Example]:
    for example, clause in zip(acting(one), _spanned(one), strict=True):
        yield Example(example.features, "yes" if kept(clause) else "no")


def _spanned(one: Cut) -> Iterator[Clause]:
    for clause, (start, end) in zip(one.row.clauses, one.spans, strict=True):
        if end > start:
            yield clause


def values_of(one: Cut, clause: Clause, start: int, end: int) -> list[tuple[int, int, Claim]]:
    """Where the values of a clause stand, by tokens, each token in one value only."""
    taken: set[int] = set()
    found = []
    for claim in clause.claims:
        if claim.earlier or not claim.value:
            continue
        at = one.row.text.find(claim.value, clause.start, clause.end)
        if at < 0:
            continue
        inside = [
            place
            for place in range(start, end)
            if one.tokens[place].end > at and one.tokens[place].start < at + len(claim.value)
        ]
        if inside and taken.isdisjoint(inside):
            taken.update(inside)
            found.append((inside[0], inside[-1] + 1, claim))
    return sorted(found, key=lambda one: one[:2])


def tagging(one: Cut) -> Iterator[Example]:
    for clause, (start, end) in zip(one.row.clauses, one.spans, strict=True):
        tags = ["out"] * (end - start)
        for first, last, _ in values_of(one, clause, start, end):
            for place in range(first, last):
                tags[place - start] = "begin" if place == first else "in"
        for place in range(start, end):
            features = list(value_features(one.tokens, start, end, place, clause.act))
            previous = tags[place - start - 1] if place > start else "out"
            features += tag_features(previous, one.tokens[place])
            yield Example(features, tags[place - start])


def attributing(one: Cut) -> Iterator[Example]:
    for clause, (start, end) in zip(one.row.clauses, one.spans, strict=True):
        for first, last, claim in values_of(one, clause, start, end):
            made = attribute_features(
                one.tokens, start, end, first, last, clause.act, one.before.asked + one.before.meant
            )
            yield Example(list(made), attribute_class(claim.attribute))


def signing(one: Cut) -> Iterator[Example]:
    """Whether a value is said to be so, not to be so (or not wanted), to have been so, or to be somebody else's."""
    for clause, (start, end) in zip(one.row.clauses, one.spans, strict=True):
        for first, last, claim in values_of(one, clause, start, end):
            made = sign_features(one.tokens, start, end, first, last, clause.act)
            past = "was" if "was" in claim.marks else "yes"
            yield Example(list(made), "others" if claim.of else "no" if claim.negative else past)


def teaching(one: Cut) -> Iterator[Example]:
    """Whether a message as a whole tells something to keep; its clauses are judged in that light."""
    if one.tokens:
        made = in_context(one.tokens, 0, len(one.tokens), 0, 1, one.before)
        yield Example(list(made), "yes" if any(kept(clause) for clause in one.row.clauses) else "no")


def topical(one: Cut) -> Iterator[Example]:
    """Which lasting attribute a clause is about, whatever it says of it: "forget where I work" is about work."""
    for example, clause in zip(acting(one), _spanned(one), strict=True):
        heads = [attribute_class(claim.attribute) for claim in clause.claims if not claim.of]
        yield Example(example.features, next((head for head in heads if head in LASTING and head != "other"), "none"))


CHANGING = {"corrects", "returns"}
ANSWERING = frozenset({"answers", "confirms", "denies"})
ASKING = {"asks", "requests"}


def does(row: Row) -> str:
    """The weightiest thing that a message does, by its marks."""
    acts = [clause.act for clause in row.clauses]
    if any(act == "retracts" for act in acts):
        return "taken back"
    if any(clause.act in CHANGING and clause.claims for clause in row.clauses):
        return "changed"
    if any(kept(clause) for clause in row.clauses):
        return "kept"
    if any(to.startswith("item") for _, to in row.mentions) or not {"chooses", "rejects"}.isdisjoint(acts):
        return "pointed at"
    if "answer" in row.aims and not ANSWERING.isdisjoint(acts):
        return "answered"
    return "asked for" if not ASKING.isdisjoint(acts) else "nothing"


TASKS = {
    "about": topical,
    "split": splitting,
    "act": acting,
    "keep": keeping,
    "teaches": teaching,
    "tag": tagging,
    "attribute": attributing,
    "sign": signing,
}
