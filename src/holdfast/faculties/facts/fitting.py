"""Whether a value can be what an item holds: "I meant Vim" corrects an editor, "I meant something cheaper" does not.

A correction that names no key says only a value. It may correct what was said last only if the value is of the kind
that the item holds: a known tool for a tool, a name for a name, a number for a number, a time for a time.
"""

from __future__ import annotations

import re

from holdfast.faculties.facts.relations import Memo, exclusive
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.reader import Reading
from holdfast.reading.shapes import Shape
from holdfast.reading.terms import term_in
from holdfast.reading.text import fold

NEXT = 4
"""Versions after which a correction hardly means what was written then: an answer stands between."""
_TECHNICAL = re.compile(r"[A-Z0-9]|\w[.\-_+#]\w")
_DAY = Shape(r"(?:^|\W)%memory.weekdays%")
_TIMES = ("deadline", "event", "birthday")
_CLOSED = ("allergy", "speaks")
"""Slots whose values are of one kind, so that a word alone after "sorry" can be nothing else."""
_SAID_ANEW = ("i_mean", "trailing", "second_thought", "starred", "star_after")
"""Corrections that say a value once more and nothing else."""
_TOOLS = ("tooling/", "style/", "other/", "communication/", "workflow/")


def could_be(draft: Draft, said: Statement, held: Memo) -> bool:
    """Whether a value that was said without a key may take the place of what an item holds."""
    reading, value = draft.reading, said.value.strip(" .")
    if not value or _points(reading, value):
        return False
    if held.slot.startswith(_TOOLS):
        return _tool(draft, said, held)
    timed = _names_time(reading, value)
    if held.slot in _TIMES:
        return timed or any(char.isdigit() for char in value)
    if timed or value[:1].isdigit() != held.value[:1].isdigit():
        return False
    if held.category == "personal" and held.value[:1].isupper():
        return value[:1].isupper() or reading.text.islower()
    return len(value.split()) <= len(held.value.split()) + 3


def in_place_of(draft: Draft, said: Statement, held: Memo) -> str | None:
    """What "Actually it's Katherine", "sorry, 4" or "well, vegetarian actually" makes of what was just said, or None
    where the value is of another kind."""
    reading, value = draft.reading, said.value.strip(" .")
    words = fold(value).split()
    if len(words) > 1 and words[0] in reading.phrases("repair", "prep"):  # "no, in Austin"
        value, words = value.split(None, 1)[1], words[1:]
    if not 0 < len(words) <= 3 or _points(reading, value):
        return None
    if not reading.phrases("question", "subjects").isdisjoint(words):
        return None  # "sorry, I'm late"
    counted, _, thing = held.value.partition(" ")
    if _number(reading, counted) and _number(reading, words[0]):
        return value if len(words) > 1 or not thing else f"{value} {thing}"
    if exclusive(reading.reader, held.slot, held.value, value):
        return value
    if held.slot in _TIMES and could_be(draft, said, held):
        return value
    if fold(value) in reading.phrases("memory", "not_names"):
        return None
    if said.verb in _SAID_ANEW and could_be(draft, said, held):
        return value
    if held.slot in _CLOSED and len(words) == 1 and not held.value[:1].isupper():
        return value
    before = reading.text[: said.span[0]].rstrip()
    capital = all(word[:1].isupper() for word in value.split())  # "Paris is lovely" is no name
    named = capital and before[-1:] not in ("", ".", "!", "?") and held.value[:1].isupper() and not held.many
    return value if named else None


def _number(reading: Reading, word: str) -> bool:
    return word.isdigit() or fold(word) in reading.data("numbers")


def _tool(draft: Draft, said: Statement, held: Memo) -> bool:
    """A known value of the same key, a word that looks like a name, or one word right after what it corrects."""
    reading, value = draft.reading, said.value.strip(" .")
    term = term_in(reading, said.span)
    if term is not None:
        return term.slot == held.slot or held.slot.startswith("other/")
    if _names_time(reading, value):
        return False
    near = held.session == draft.origin and draft.ago(held.version) <= NEXT
    words = value.split()
    return near and len(words) <= 3 and (len(words) == 1 or bool(_TECHNICAL.search(value)))


def _points(reading: Reading, value: str) -> bool:
    """ "something cheaper", "the other one", "that": words that point, and name nothing."""
    words = fold(value).split()
    outside = reading.phrases("memory", "pronouns", "not_new")
    return words[0] in outside or words[-1] in outside


def _names_time(reading: Reading, value: str) -> bool:
    return reading.made(_DAY).search(fold(value)) is not None
