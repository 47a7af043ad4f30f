"""What a conversation file may expect of a message: one small check per word, all in one table.

A check looks at what happened and gives whether the expected value is there and what was seen instead. "not" before a
word turns it around. A check without a value asks whether there is anything of the kind at all.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from holdfast.events import SHARED, Resolution
from holdfast.pack import Pack
from holdfast.receipt import Line
from holdfast.session import Session
from holdfast.turn import Done, Reply, Turn, Verdict


class Happened(NamedTuple):
    """What a step of the conversation gave, and the session after it."""

    result: object
    chat: Session


class Seen(NamedTuple):
    """Whether the expected value is there, and what is there, for people."""

    there: bool
    what: str


Check = Callable[[Happened, str], Seen]
Of = Callable[[Happened], str | None]
"""What a check looks at, where it is there."""
Result = TypeVar("Result")

VERBS = ("learned", "confirmed", "superseded", "mentioned", "recorded", "retracted", "cleared", "left out")
"""Verbs of the receipt that any pack may use; `checks` adds those of the pack at hand."""


class NotHere(Exception):
    """The expectation does not fit the step that it stands under."""


def _holds(text: str, words: str) -> bool:
    return words.casefold() in text.casefold()


def text(of: Of, nothing: str = "nothing", holds: Callable[[str, str], bool] = operator.contains) -> Check:
    """The check of a text, where there is one: it holds the value, to the letter or as `holds` compares them."""

    def check(happened: Happened, value: str) -> Seen:
        found = of(happened)
        return Seen(found is not None and holds(found, value), found or nothing)

    return check


def name(of: Of, nothing: str) -> Check:
    """The check of a name: it is this one, or any where none is given."""
    return text(of, nothing, lambda found, value: value in ("", found))


def words(of: Of, nothing: str) -> Check:
    """The check of words that may not be there at all: it holds these, in whichever case."""
    return text(of, nothing, _holds)


def yes(of: Callable[[Happened], bool]) -> Check:
    return lambda happened, value: _yes(of(happened), value)


def route(happened: Happened, value: str) -> Seen:
    way = _turn(happened).route
    return Seen(way.agent == value, f"{way.agent} ({way.reason})")


def refers_to(happened: Happened, value: str) -> Seen:
    """Each of the names, separated by commas, is the name or id of something that the message points at."""
    found = _turn(happened).references
    resolved = [entity for r in found if r.status == "resolved" for entity in r.entities]
    names = {name.casefold() for entity in resolved for name in (entity.name, entity.id)} - {""}
    wanted = {name.strip().casefold() for name in value.split(",")} - {""}
    return Seen(bool(names) and wanted <= names, "; ".join(map(_pointing, found)) or "no references")


def _pointing(reference: Resolution) -> str:
    names = ", ".join(entity.name for entity in reference.entities) or "nothing"
    return f"“{reference.mention}” → {names} [{reference.status}]"


def reference(happened: Happened, value: str) -> Seen:
    """The status of a reference: resolved, ambiguous or none."""
    statuses = [r.status for r in _turn(happened).references]
    return Seen(value in statuses if value else bool(statuses), ", ".join(statuses) or "no references")


def intent(happened: Happened, value: str) -> Seen:
    """`type`, or `type = what it asks, gives or shows`."""
    read = _turn(happened).intent
    if read is None:
        return Seen(False, "no intent")
    kind, _, given = (part.strip() for part in value.partition("="))
    rest = [str(part) for part in (read.query, read.value, read.evidence) if part is not None]
    told = " = ".join([read.type, *rest[:1]])
    return Seen(kind in ("", read.type) and (not given or given in rest), told)


def asks(happened: Happened, value: str) -> Seen:
    """A question that waits for the person's answer, by its words or by what it asks for."""
    held = happened.chat.state
    waiting = held.questions.open if "questions" in held.session.slices else ()
    there = any(_holds(q.text, value) or q.about == value for q in waiting)
    return Seen(there, "; ".join(q.text for q in waiting) or "no open question")


def state(happened: Happened, value: str) -> Seen:
    """`path.to.something = value`, anywhere in the session's state: for what no other word covers."""
    path, _, wanted = (part.strip() for part in value.partition("="))
    seen = happened.chat.state
    shown = {name: view(seen) for name, view in seen.views.items()}
    found: Any = msgspec.to_builtins({**seen.session.slices, **shown})
    for name in filter(None, path.split(".")):
        if isinstance(found, list) and name.lstrip("-").isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            found = found.get(name) if isinstance(found, dict) else None
    told = found if isinstance(found, str) else msgspec.json.encode(found).decode()
    return Seen(found is not None and wanted in ("", told), told)


def says(happened: Happened, value: str) -> Seen:
    """Words of what the pack's own agent answered."""
    texts = [reply.text for reply in _replies(happened)]
    return Seen(any(_holds(text, value) for text in texts), "\n".join(texts) or "no answer")


def allowed(happened: Happened, value: str) -> Seen:
    verdict = _verdict(happened)
    told = "; ".join(v.reason for v in verdict.violations)
    return Seen(
        _yes(verdict.allowed, value).there, f"yes{told and ', but ' + told}" if verdict.allowed else f"no: {told}"
    )


def violation(happened: Happened, value: str) -> Seen:
    found = _verdict(happened).violations
    there = any(v.rule == value or _holds(v.reason, value) for v in found)
    return Seen(there, "; ".join(f"{v.rule}: {v.reason}" for v in found) or "no violation")


def receipt(happened: Happened, value: str) -> Seen:
    """A line of the receipt that has these words in it, whatever its verb."""
    lines = _done(happened).receipt.lines
    return Seen(any(_holds(str(line), value) for line in lines), _listed(str(line) for line in lines))


def did(verb: str) -> Check:
    """The check of one verb of the receipt: `learned: place = philly`."""

    def check(happened: Happened, value: str) -> Seen:
        lines = _done(happened).receipt.lines
        there = any(line.did == verb and (_holds(line.what, value) or _is(line, value)) for line in lines)
        return Seen(there, _listed(f"{line.did} {line.what}" for line in lines))

    return check


def _is(line: Line, value: str) -> bool:
    """Whether a line gives a slot by its name that value: `location = philly`."""
    name, equals, wanted = (part.strip() for part in value.partition("="))
    fields = line.said.fields if line.said is not None else {}
    return bool(equals) and fields.get("slot") == name and _holds(str(fields.get("value", "")), wanted)


CHECKS: dict[str, Check] = {
    "context": text(lambda happened: _turn(happened).context or None, "no context"),
    "context is": text(lambda happened: _turn(happened).context, "no context", operator.eq),
    "prompt": text(lambda happened: _turn(happened).prompt, holds=operator.eq),
    "system": text(lambda happened: _turn(happened).system or None),
    "route": route,
    "task": name(lambda happened: _turn(happened).route.task_type, "no task type"),
    "follow up": yes(lambda happened: _turn(happened).route.follow_up),
    "replan": yes(lambda happened: _turn(happened).route.replan),
    "refers to": refers_to,
    "reference": reference,
    "intent": intent,
    "question": words(lambda happened: _turn(happened).question, "no question"),  # what stayed open
    "asks": asks,
    "slot": lambda happened, value: _pair(_slots(happened.chat), value),
    "memory": lambda happened, value: _pair(list(remembered(happened.chat)), value),
    "language": name(lambda happened: happened.chat.state.conversation.language, "no language yet"),
    "state": state,
    "says": says,
    "allowed": allowed,
    "violation": violation,
    "instead": words(lambda happened: _verdict(happened).instead, "nothing"),
    "receipt": receipt,
    **{verb: did(verb) for verb in VERBS},
}


def checks(pack: Pack) -> dict[str, Check]:
    """Everything that can be expected of a pack: the words above and every verb that its events go by."""
    events = (*SHARED, *(event for faculty in pack.faculties for event in faculty.events))
    verbs = {event.did for event in events if isinstance(event.did, str) and event.did}
    return {**{verb: did(verb) for verb in sorted(verbs)}, **CHECKS}


def remembered(chat: Session) -> Iterator[tuple[str, str]]:
    """What is remembered now for the session, its project and its user, as pairs of key and value."""
    held = chat.state
    for stream in (held.session, held.project, held.user):
        memory: Any = stream.slices.get("memory") if stream is not None else None
        for item in memory.items.values() if memory is not None else ():
            yield item.slot, item.value if item.positive else f"not {item.value}"


def _slots(chat: Session) -> list[tuple[str, str]]:
    held = chat.state
    if "slots" not in held:
        return []
    return [(name, str(value.value)) for name, value in held.slots.values.items()]


def _pair(held: list[tuple[str, str]], value: str) -> Seen:
    """`name = value`, or words that stand in one of the pairs."""
    name, equals, wanted = (part.strip() for part in value.partition("="))
    told = ", ".join(f"{key} = {what}" for key, what in held) or "nothing"
    if equals:
        return Seen(any(key == name and what.casefold() == wanted.casefold() for key, what in held), told)
    return Seen(any(key == name or _holds(f"{key} = {what}", name) for key, what in held), told)


def _replies(happened: Happened) -> list[Reply]:
    return _given(happened, list, "stands under an answer of the pack's own agent only")


def _turn(happened: Happened) -> Turn:
    return _given(happened, Turn, "stands under a message of the person only")


def _verdict(happened: Happened) -> Verdict:
    return _given(happened, Verdict, "stands under a message of an agent, or a check, only")


def _done(happened: Happened) -> Done:
    return _given(happened, Done, "has no place under a check, which records nothing")


def _given(happened: Happened, kind: type[Result], otherwise: str) -> Result:
    if isinstance(happened.result, kind):
        return happened.result
    raise NotHere(otherwise)


def _yes(is_so: bool, value: str) -> Seen:
    if value not in ("", "yes", "no"):
        raise NotHere("takes yes or no")
    return Seen(is_so is (value != "no"), "yes" if is_so else "no")


def _listed(lines: Iterable[str]) -> str:
    return "; ".join(lines) or "nothing"
