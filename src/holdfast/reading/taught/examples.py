"""Example sentences as a pack author writes them: "I need [2 boxes] of ibuprofen" marks a value by brackets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from holdfast.errors import PackError
from holdfast.reading.text import fold

Span = tuple[int, int]
MAX_EXAMPLE_CHARS = 400
_BRACKETS = re.compile(r"[\[\]]")
_ORDINARY = os.path.join(os.path.dirname(__file__), "ordinary.txt")


class Example(NamedTuple):
    """A sentence, what it is an example of, and where its values are."""

    label: str
    text: str
    spans: tuple[Span, ...]


def example(label: str, sentence: str, valued: bool) -> Example:
    """A sentence without its marks. A sentence that shows a value must mark one, any other must mark none."""
    where = f"the example {sentence!r} of {label!r}"
    if not isinstance(sentence, str) or not sentence.strip() or len(sentence) > MAX_EXAMPLE_CHARS:
        raise PackError(f"{where} must be a sentence of at most {MAX_EXAMPLE_CHARS} characters")
    if "".join(_BRACKETS.findall(sentence)) != "[]" * sentence.count("["):
        opened = sentence.count("[") > sentence.count("]")
        wrong = "opens a bracket and does not close it" if opened else "has a bracket without its other half"
        raise PackError(f"{where} {wrong}; mark a value as in 'I need [2 boxes]'")
    pieces = _BRACKETS.split(sentence)  # every second one stood in brackets
    ends = [*accumulate(map(len, pieces))]
    spans = [*zip(ends[::2], ends[1::2], strict=False)]
    if valued and not (spans and all(map(str.strip, pieces[1::2]))):
        raise PackError(f"{where} shows no value; put brackets around it, as in 'I need [2 boxes] of ibuprofen'")
    if not valued and spans:
        raise PackError(f"{where} marks a value; only the examples of a slot do, so leave the brackets out")
    text = "".join(pieces)
    return Example(label, text, tuple(_tight(text, span) for span in spans))


def _tight(text: str, span: Span) -> Span:
    """A span without the blanks at its ends."""
    words = text[slice(*span)]
    return span[0] + len(words) - len(words.lstrip()), span[1] - len(words) + len(words.rstrip())


def examples(label: str, sentences: tuple[str, ...], valued: bool) -> tuple[Example, ...]:
    """The examples of one slot or one kind of message."""
    if isinstance(sentences, str):
        raise PackError(f"the examples of {label!r} must be a tuple of sentences, not one sentence")
    made = tuple(example(label, sentence, valued) for sentence in sentences)
    seen: set[str] = set()
    for one in made:
        key = f"{fold(one.text)} {one.spans}"
        if key in seen:
            raise PackError(f"the example {one.text!r} of {label!r} is there twice; write another sentence instead")
        seen.add(key)
    return made


@cache
def ordinary() -> tuple[str, ...]:
    """What people say to any assistant and what is no example of anything, in the languages that come with Holdfast."""
    with open(_ORDINARY, encoding="utf-8") as file:
        return tuple(line.strip() for line in file if line.strip() and not line.startswith("#"))


def lessons_of(taught: Mapping[str, Sequence[Example]]) -> list[Example]:
    """All examples, each once and in an order that does not depend on who wrote them first."""
    return sorted({one for given in taught.values() for one in given}, key=lambda one: (one.text, one))


def version(lessons: Iterable[Example]) -> str:
    """A short mark of some examples: other examples have another one, whatever their order."""
    import hashlib  # loads a library of its own; only packs that teach by examples need it

    told = "\n".join(f"{one.label}\t{one.text}\t{one.spans}" for one in lessons)
    return hashlib.sha256(told.encode()).hexdigest()[:8]
