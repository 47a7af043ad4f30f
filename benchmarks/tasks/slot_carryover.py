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
from holdfast.faculties.questions import QuestionsFaculty
from holdfast.faculties.readers import asked_place, place, place_answer, stop
from holdfast.faculties.slots import Found, Slot, SlotsFaculty
from holdfast.reading.reader import Reading
from holdfast.state import State

Meets = Callable[[Reading, State], Iterable[Found]]
KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))


def predict(row: dict[str, Any], extra: object) -> dict[str, Any]:
    chat = _engine(row["role"], _kind(row)).session(row["id"])
    for speaker, text in [*row["history"], ["U", row["utterance"]]]:
        if text.strip():
            (chat.hear if speaker == "U" else chat.say)(text)
    faculty = chat.holdfast.pack.faculty("slots")
    assert isinstance(faculty, SlotsFaculty)
    held = faculty.value(chat.state, row["role"])
    return {"value": held.value if held else ""}


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


def _from_alone(reading: Reading, state: State) -> Iterable[Found]:
    """Where nobody travels, "a car from Paris" is where the car is."""
    return [] if "destination" in state.slots.values else place("from")(reading)


def _either(*readers: Meets) -> Meets:
    return lambda reading, state: next((found for read in readers if (found := list(read(reading, state)))), [])


_PLACES = (
    Slot("origin", "From", stop("from"), asked="from", answer=place_answer, meets=asked_place("from")),
    Slot(
        "destination",
        "To",
        stop("to"),
        asked="to",
        answer=place_answer,
        meets=asked_place("to"),
        takes=("location",),
    ),
    Slot(
        "location",
        "Location",
        place(),
        asked="where",
        answers=("to",),
        answer=place_answer,
        meets=_either(asked_place("where", "to", "from"), _from_alone),
        takes=("destination",),
    ),
)


def _worded(role: str, kind: str) -> Slot:
    """A slot whose values are words of a vocabulary."""
    return Slot(role, role, vocabulary(kind))


def vocabulary(kind: str) -> Callable[[Reading], Iterable[Found]]:
    words: dict[str, str] = {}
    kinds = KINDS.values() if kind == "anything" else [KINDS[kind]]
    for value, forms in (pair for one in kinds for pair in one["words"].items()):
        words |= {form: value for form in (value.lower(), *forms.split("|")) if form}
    longest = sorted(words, key=len, reverse=True)
    pattern = re.compile(
        r"(?<![\w])(" + "|".join(re.escape(word) for word in longest) + r")s?(?![\w])(?! (?:options?|menu|dish))"
    )

    def read(reading: Reading) -> Iterable[Found]:
        return [Found(words[m[1]], m.span(1), f"vocabulary.{kind}") for m in pattern.finditer(reading.folded)]

    return read
