"""Decisions about the work and what it is built on: made, changed with a statement, or met again in passing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from holdfast.events import Event, Scope
from holdfast.faculties.facts.lookup import content, in_slot, of_kind
from holdfast.faculties.facts.memos import change
from holdfast.faculties.facts.relations import Memo, same, slot_kind
from holdfast.faculties.facts.writing import (
    confirm,
    decide,
    is_a_change,
    item,
    learned,
    open_dispute,
    same_subject,
    supersede,
    told_now,
)
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import ARCHITECTURE, DECIDED_ON, Decided, decisions, subject_of
from holdfast.reading.reader import Cue, Reading
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import standing
from holdfast.reading.terms import known_terms
from holdfast.reading.text import fold

_BEFORE_FOR = Shape(r"\s%memory.for%\b")
_FOR = Shape(r"\s*%memory.for%\b")
_AS_A_WHOLE = frozenset({"decided", "approach"})
"""How something is decided that is more than a thing: "we decided to split the monolith"."""


def decided(draft: Draft, agent: bool, of_work: bool = False) -> Iterator[Event]:
    """What a message decides. An agent's decision against a person's opens a dispute. `of_work`: where all talk is of
    the work, whatever the agent has just named is a thing to decide on."""
    for made in draft.reading.find(decisions):
        # "Use npm install" of an agent is advice, or a decision told again
        meant = made.means != "plain" if agent else about_the_work(made) or (of_work and _just_named(draft, made))
        if not meant:
            continue
        if agent and (clash := _against_person(draft, made)) is not None:
            yield from open_dispute(draft, clash[1], clash[0], _decision(draft, made, "agent"))
            continue
        by = "agent" if agent else draft.source
        yield from decide(draft, _decision(draft, made, by), made.subject)


def _just_named(draft: Draft, made: Decided) -> bool:
    """Whether something is decided on that the agent has just named: "lets go with altair"."""
    words = draft.reading.reader.made(_BEFORE_FOR).split(fold(made.what))[0].strip(" .,;:")
    named = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", fold(draft.asked)) is not None
    return bool(words) and named and made.means in ("go_with", "will_use")


def redecide(draft: Draft, said: Statement) -> Iterator[Event]:
    """What is said to be used now replaces the decision about it, where there is one."""
    if said.act != "states" or said.value in _chosen(draft.reading):
        return
    old, reader = _decided_about(draft, said), draft.reading.reader
    if old is None or content(reader, said.value) <= content(reader, old.value):
        return
    text = old.text.replace(old.value, said.value) if old.value in old.text else f"Use {said.value}"
    memo = change(_made(draft, said, text, old.slot), category=old.category, lifespan=old.lifespan)
    yield from decide(draft, memo, old.slot or _subject(draft, said.slot), old)


def takes_a_place(draft: Draft, said: Statement) -> bool:
    """Whether a claim puts another value in the place of a known one: one that it names, the only one that its slot
    holds, or one that was decided on."""
    if said.old or said.act != "states":
        return bool(said.old)
    kind = slot_kind(draft.reading.reader, said.slot)
    alone = not kind.many or (is_a_change(said) and said.slot != "note")
    return (alone and bool(in_slot(draft.state, said.slot))) or _decided_about(draft, said) is not None


def _subject(draft: Draft, slot: str) -> str:
    """What a decision about a kind of tool is about."""
    return str(draft.reading.reader.data("memory_subjects", None).get(slot, ""))


def _decided_about(draft: Draft, said: Statement) -> Memo | None:
    """The decision about what a statement gives a value of: by its subject; where something changes, also by the kind
    of what was decided on."""
    about, reader = _subject(draft, said.slot), draft.reading.reader
    if not about:
        return None
    made = [memo for _, memo in of_kind(draft.state, "decision") if not told_now(draft, memo)]
    by_subject = (memo for memo in made if same_subject(memo.slot, about))
    by_value = (memo for memo in made if subject_of(reader, memo.value) == about)
    return next(chain(by_subject, by_value if is_a_change(said) else ()), None)


def _chosen(reading: Reading) -> set[str]:
    """The known things that a message decides on."""
    return {made.term.value for made in reading.find(decisions) if made.term}


def is_chosen(said: Statement) -> bool:
    """Whether a tool is told as what was decided on, or as what to take: "let's take X for the cache"."""
    lets = "lets" in said.marks and said.slot in DECIDED_ON and not said.old
    return said.act == "states" and ("decided" in said.marks or lets)


def decided_on(draft: Draft, said: Statement) -> Iterator[Event]:
    """A tool that is chosen is a decision: one that the agent asked to choose, or one that is told as such. Where it
    does not say for what, it is for what another of its kind was chosen: "Svelte is lighter, let's do that"."""
    subject, text = _subject(draft, said.slot), draft.reading.wording("memory", "use", what=said.value)
    named = draft.reading.reader.made(_BEFORE_FOR).search(draft.reading.said(said.sentence))
    old = _decided_about(draft, said) if named is None else None
    subject = old.slot if old else subject
    yield from decide(draft, _made(draft, said, text, subject), subject, old)


def decided_in_words(draft: Draft, said: Statement) -> Iterator[Event]:
    """A clause that tells a decision, whatever its wording: "min sdk stays at 26, dont touch it"."""
    subject = subject_of(draft.reading.reader, said.value)
    memo = change(_made(draft, said, said.value, subject), category="tooling" if subject else "other")
    made = (one for _, one in of_kind(draft.state, "decision") if said.old)
    yield from decide(draft, memo, subject, next((one for one in made if one.value == said.old), None))


def _made(draft: Draft, said: Statement, text: str, subject: str) -> Memo:
    """The decision that a statement makes."""
    return item(
        draft,
        "decision",
        subject,
        said.value,
        "architecture" if said.slot in ARCHITECTURE else "tooling",
        span=said.span,
        text=text,
        words=draft.reading.words(said.sentence)[:300],
        rule=said.rule,
    )


def about_the_work(made: Decided) -> bool:
    """Whether a person's words are a decision about the work: not a taste of theirs, and not a choice from a list."""
    if made.term is not None:
        return made.term.slot in DECIDED_ON
    if made.means in ("decided", "approach"):
        return True
    return bool(made.subject) and made.means in ("go_with", "will_use", "better") and made.what[:1].isupper()


def _decision(draft: Draft, made: Decided, by: Any) -> Memo:
    value = made.term.value if made.term else made.what if made.means not in _AS_A_WHOLE else made.description
    rest = draft.reading.text[made.term.span[1] : made.span[1]] if made.term else ""
    if made.term and rest.strip(" .") and not draft.reading.reader.made(_FOR).match(fold(rest)):
        value += f" {rest.strip(' .')}"
    return item(
        draft,
        "decision",
        made.subject,
        value,
        made.category,
        span=made.span,
        text=made.description,
        by=by,
        words=draft.reading.words(made.span)[:300],
        rule=made.rule,
        details={"rationale": made.rationale} if made.rationale else {},
    )


def _against_person(draft: Draft, made: Decided) -> tuple[Scope, Memo] | None:
    """The value a person gave that an agent's decision would go against."""
    if made.term is None:
        return None
    for scope, memo in in_slot(draft.state, made.term.slot):
        if memo.kind == "preference" and memo.by != "agent" and memo.positive:
            return None if same(draft.reading.reader, memo.value, made.term.value) else (scope, memo)
    return None


def mentioned(draft: Draft) -> Iterator[Event]:
    """Frameworks and databases that a message mentions as such: one entry each, reinforced when met again. One that the
    work is said to be built on takes the place of another."""
    reading = draft.reading
    terms = known_terms(reading.reader)
    for cue in reading.all("tech"):
        known = terms.get(reading.folded[cue.start : cue.end])
        if known is not None and not reading.find(standing).of(cue.span) & {"negated", "withdrawn"}:
            yield from _mentioned(draft, cue, known[1])


def _mentioned(draft: Draft, cue: Cue, name: str) -> Iterator[Event]:
    slot, value, reading = f"tech_stack/{cue.means}", fold(name), draft.reading
    held = [(scope, memo) for scope, memo in in_slot(draft.state, slot) if memo.kind == "context"]
    known = next((one for one in held if one[1].value == value), None)
    if known is not None:
        if not told_now(draft, known[1]):
            yield from confirm(draft, *known)
        return
    words = reading.words(cue.span)
    memo = item(draft, "context", slot, value, "tech_stack", span=cue.span, confidence=0.7, words=words, rule=cue.id)
    if not held:
        yield learned(draft, memo)
    elif name in _chosen(reading):
        yield from supersede(draft, held[:1], change(memo, relation="CHANGES"))
