"""Decisions about the work and what it is built on: made, changed with a statement, or met again in passing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from holdfast.events import Event, Scope
from holdfast.faculties.facts.lookup import in_slot, of_kind
from holdfast.faculties.facts.memos import change
from holdfast.faculties.facts.relations import Memo, same
from holdfast.faculties.facts.writing import (
    confirm,
    decide,
    learned,
    new_id,
    open_dispute,
    same_subject,
    supersede,
)
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import ARCHITECTURE, DECIDED_ON, Decided, decisions, subject_of
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import standing
from holdfast.reading.statements import statements
from holdfast.reading.terms import known_terms
from holdfast.reading.text import fold

_FOR = Shape(r"\s*%memory.for%\b")


def decided(draft: Draft, agent: bool) -> Iterator[Event]:
    """What a message decides. An agent never decides against a person: that stays open between the two."""
    for made in draft.reading.find(decisions):
        if not agent and not about_the_work(made):
            continue
        if agent and made.means == "plain":
            continue  # "Use npm install" of an agent is advice, or a decision told again
        if agent and (clash := _against_person(draft, made)) is not None:
            yield from open_dispute(draft, clash[1], clash[0], _decision(draft, made, "agent"))
            continue
        by = "agent" if agent else draft.source
        yield from decide(draft, _decision(draft, made, by), made.subject)


def redecide(draft: Draft, said: Statement) -> Iterator[Event]:
    """A change of what the work is built on replaces the decision about it, where there is one."""
    if said.act != "states" or not (said.verb in ("correct", "switch") or said.marks & {"now", "lets"}):
        return
    about = draft.reading.reader.data("memory_subjects", None).get(said.slot)
    made = [m for _, m in of_kind(draft.state, "decision")]
    held = [m for m in made if same_subject(m.slot, str(about))] or [
        m for m in made if known_terms(draft.reading.reader).get(fold(m.value), ("", ""))[0] == said.slot
    ]
    if not held or any(made.term and made.term.value == said.value for made in draft.reading.find(decisions)):
        return
    old = held[0]
    text = old.text.replace(old.value, said.value) if old.value in old.text else f"Use {said.value}"
    memo = change(_made(draft, said, text, old.slot), category=old.category, lifespan=old.lifespan)
    yield from decide(draft, memo, old.slot)


def decided_on(draft: Draft, said: Statement) -> Iterator[Event]:
    """A choice between tools that the agent asked for is a decision."""
    subject = str(draft.reading.reader.data("memory_subjects", None).get(said.slot, ""))
    text = draft.reading.wording("memory", "use", what=said.value)
    yield from decide(draft, _made(draft, said, text, subject), subject)


def decided_in_words(draft: Draft, said: Statement) -> Iterator[Event]:
    """A clause that tells a decision, whatever its wording: "min sdk stays at 26, dont touch it"."""
    subject = subject_of(draft.reading.reader, said.value)
    yield from decide(draft, _made(draft, said, said.value, subject), subject)


def _made(draft: Draft, said: Statement, text: str, subject: str) -> Memo:
    """The decision that a statement makes."""
    return Memo(
        id=new_id(draft, "decision"),
        kind="decision",
        slot=subject,
        value=said.value,
        category="architecture" if said.slot in ARCHITECTURE else "tooling",
        confidence=0.8,
        lifespan="project",
        recorded=draft.moment.at,
        text=text,
        by=draft.source,
        session=draft.origin,
        version=draft.moment.version,
        start=said.span[0],
        end=said.span[1],
        words=draft.reading.words(said.sentence)[:300],
        rule=said.rule,
        valid_from=draft.moment.at,
    )


def about_the_work(made: Decided) -> bool:
    """Whether a person's words are a decision about the work: not a taste of theirs, and not a choice from a list."""
    if made.term is not None:
        return made.term.slot in DECIDED_ON
    if made.means in ("decided", "approach"):
        return True
    return bool(made.subject) and made.means in ("go_with", "will_use", "better") and made.what[:1].isupper()


def _decision(draft: Draft, made: Decided, by: Any) -> Memo:
    value = made.term.value if made.term else made.description
    rest = draft.reading.text[made.term.span[1] : made.span[1]] if made.term else ""
    if made.term and rest.strip(" .") and not draft.reading.reader.made(_FOR).match(fold(rest)):
        value += f" {rest.strip(' .')}"
    return Memo(
        id=new_id(draft, "decision"),
        kind="decision",
        slot=made.subject,
        value=value,
        category=made.category,
        confidence=0.8,
        lifespan="project",
        recorded=draft.moment.at,
        text=made.description,
        by=by,
        session=draft.origin,
        version=draft.moment.version,
        start=made.span[0],
        end=made.span[1],
        words=draft.reading.words(made.span)[:300],
        rule=made.rule,
        valid_from=draft.moment.at,
        details={"rationale": made.rationale} if made.rationale else {},
    )


def _against_person(draft: Draft, made: Decided) -> tuple[Scope, Memo] | None:
    """The value a person gave that an agent's decision would go against."""
    if made.term is None:
        return None
    for scope, memo in in_slot(draft.state, made.term.slot):
        if memo.kind == "preference" and memo.by != "agent" and memo.positive:
            if not same(draft.reading.reader, memo.value, made.term.value):
                return scope, memo
            return None
    return None


def mentioned(draft: Draft) -> Iterator[Event]:
    """Frameworks and databases that a message mentions as such: one entry each, reinforced when met again."""
    reading = draft.reading
    terms = known_terms(reading.reader)
    asserted = reading.find(statements)
    chosen = {made.term.value for made in reading.find(decisions) if made.term}
    for cue in reading.all("tech"):
        known = terms.get(reading.folded[cue.start : cue.end])
        if known is None or reading.find(standing).of(cue.span) & {"negated", "withdrawn"}:
            continue
        slot = f"tech_stack/{cue.means}"
        value = fold(known[1])
        held = [(s, m) for s, m in in_slot(draft.state, slot) if m.kind == "context"]
        said = next((one for one in asserted if one.span[0] <= cue.start < one.span[1]), None)
        equal = [(s, m) for s, m in held if m.value == value]
        if equal:
            if equal[0][1].version != draft.moment.version or equal[0][1].session != draft.origin:
                yield from confirm(draft, *equal[0])
            continue
        memo = Memo(
            new_id(draft, "context"),
            "context",
            slot,
            value,
            "tech_stack",
            0.7,
            "project",
            draft.moment.at,
            by=draft.source,
            session=draft.origin,
            version=draft.moment.version,
            start=cue.start,
            end=cue.end,
            words=reading.words(cue.span),
            rule=cue.id,
            valid_from=draft.moment.at,
        )
        if not held:
            yield learned(draft, memo)
        elif known[1] in chosen or (said is not None and said.act == "states" and said.slot in ARCHITECTURE):
            new = change(memo, relation="CHANGES", replaces=(held[0][1].id,))
            yield from supersede(draft, held[:1], new)
