"""What a slot holds now, though the newest message does not say it.

The row names a role and describes the slot in words. A place is read by the engine's own readers; for anything else
the description chooses the vocabulary. The history goes through `hear` and `say`, the value is read from the state.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from holdfast import Holdfast, Pack
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Found, Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import asked_place, place, place_answer, stop
from holdfast.faculties.questions.pending import QuestionsFaculty, answered
from holdfast.reading.reader import Reading
from holdfast.state import State

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
_STANDS_FOR = {"location": ("destination", "origin"), "destination": ("location",)}


def predict(row: dict[str, Any], extra: object) -> dict[str, Any]:
    chat = _engine(row["role"], _kind(row)).session(row["id"])
    for speaker, text in [*row["history"], ["U", row["utterance"]]]:
        if text.strip():
            (chat.hear if speaker == "U" else chat.say)(text)
    values = chat.state.slots.values
    # while a place is not told by itself, the end of a journey is where one is
    names = (row["role"], *_STANDS_FOR.get(row["role"], ()))
    return {"value": next((values[name].value for name in names if name in values), "")}


def _kind(row: dict[str, Any]) -> str:
    """The vocabulary that the description asks for."""
    if row["role"] in ("origin", "destination"):
        return ""
    words = f"{row['slot_description']} {row['slot']}".lower()
    for name, kind in KINDS.items():
        if kind.get("role", "query") == row["role"] and re.search(kind["about"], words):
            return name
    return "" if row["role"] == "location" else "anything"


@lru_cache(maxsize=64)
def _engine(role: str, kind: str) -> Holdfast:
    slots = (_worded(role, kind),) if kind else _PLACES
    pack = Pack("carryover", (ConversationFaculty(), QuestionsFaculty(), SlotsFaculty(*slots)))
    return Holdfast(pack=pack, hot=1)


_RENTED = re.compile(r"\b(?:car|cars|collect|vehicle|rent|rental|pick|picked|get it|book it)\b")


def _here(reading: Reading, state: State) -> Iterable[Found]:
    """A place that is no stop of a journey: not the reply to "leaving from where?", but "a car from Paris"."""
    pending = [q for q in state.questions.open if q.turn == state.conversation.turns - 1]
    if (answer := answered(state)) is not None:
        pending.append(answer.question)
    asked = {question.about for question in pending}
    about = " ".join([reading.folded, *(question.text.lower() for question in pending)])
    if "from" in asked and not asked & {"where", "to"} and not _RENTED.search(about):
        return place("in", "near", "to")(reading)
    plain = list(place()(reading)) or list(asked_place("where", "to", "from")(reading, state))
    return plain or (list(place("from")(reading)) if _RENTED.search(reading.folded) else [])


_PLACES = (
    Slot("origin", "From", stop("from"), asked="from", answer=place_answer, meets=asked_place("from")),
    Slot(
        "destination",
        "To",
        stop("to"),
        asked="to",
        answer=place_answer,
        meets=asked_place("to"),
    ),
    Slot(
        "location",
        "Location",
        lambda reading: (),
        asked="where",
        answers=("to",),
        answer=place_answer,
        meets=_here,
    ),
)


def _worded(role: str, kind: str) -> Slot:
    """A slot whose values are words of a vocabulary."""
    return Slot(role, role, vocabulary(kind))


def vocabulary(kind: str) -> Callable[[Reading], Iterable[Found]]:
    """The words of a kind, but not where they are a part of a name ("the Curry Prince") or point back ("the hotel")."""
    words: dict[str, str] = {}
    kinds = KINDS.values() if kind == "anything" else [KINDS[kind]]
    for value, forms in (pair for one in kinds for pair in one["words"].items()):
        words |= {form: value for form in (value.lower(), *forms.split("|")) if form}
    one = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    back = "" if kind == "town" else r"(?<!\bthe )(?<!\bthis )(?<!\bthat )(?<!\bmy )(?<!\byour )"
    pattern = re.compile(rf"{back}(?<![\w])({one})(?: ({one}))?s?(?![\w])(?! (?:menu|dish))")
    side = re.compile(r"(?:vegetarian|vegan)s?,? (?:options?|menu|dish|food)")

    def read(reading: Reading) -> Iterable[Found]:
        text = side.sub(lambda m: " " * len(m[0]), reading.folded)
        found = [m for m in pattern.finditer(text) if not _in_name(reading, m)]
        return [Found(_value(reading, m), m.span(), f"vocabulary.{kind}") for m in found]

    def _value(reading: Reading, hit: re.Match[str]) -> str:
        return reading.words(hit.span()) if KINDS.get(kind, {}).get("typed") else words[hit[1]]

    return read


def _in_name(reading: Reading, hit: re.Match[str]) -> bool:
    """Whether capitalised words beside it make it a part of a longer name."""
    text = reading.text
    if not text[hit.start()].isupper():
        return False
    before = re.search(r"([A-Z][\w'-]*|&) $", text[: hit.start()])
    lead = text[: before.start()].rstrip() if before else ""
    named = before is not None and lead != "" and lead[-1] not in ".!?" and before[1] not in ("I", "A", "The")
    return (
        named or re.match(r" (?!Food|Restaurant|Cuisine|Car|Bar|Movie|Music)[A-Z][a-z]", text[hit.end() :]) is not None
    )
