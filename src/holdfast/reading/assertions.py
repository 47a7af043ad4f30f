"""Plain sentences about anything, as key and value: "The capital of Malta is Valletta", "Fokker was founded by …".

The key is the subject with what is said about it, up to the place where the value stands. Two sentences with one key
and different values cannot both be current. The words that lead to the value are `[data.asserting]` of the tables,
written as typed.
"""

from __future__ import annotations

from typing import NamedTuple

from holdfast.reading.reader import Reader
from holdfast.reading.shapes import Shape
from holdfast.reading.text import LOWER, fold

_LEADS = Shape(r"(?i)^%asserting.leads%\s")
_COPULA = Shape(r"\s%asserting.is%\s|\s[-–—]\s(?=\S)")
_VERB = Shape(r"\s(?:%asserting.is%|%asserting.verbs%)\s")
_LINK = Shape(
    rf"(?:%asserting.articles% )?(?:[{LOWER}]+ ){{0,3}}?%asserting.links%"
    rf"(?: %asserting.articles% [{LOWER}]+(?: [{LOWER}]+)? %asserting.of%)? "
)


class Assertion(NamedTuple):
    """What is said, about what, and the value."""

    key: str
    subject: str
    value: str


def assertion(reader: Reader, sentence: str) -> Assertion | None:
    """The key and the value of a plain sentence, or None where it has neither."""
    text = " ".join(sentence.split()).rstrip(" .!")
    if not text or sentence.rstrip().endswith("?") or len(text) > 400:
        return None
    led, copula = reader.made(_LEADS).match(text), reader.made(_COPULA)
    verbs = list(copula.finditer(text)) if led else []
    verb = verbs[-1] if verbs else copula.search(text) or reader.made(_VERB).search(text)
    if verb is None:
        return None
    link = reader.made(_LINK).match(text, verb.end())
    start = link.end() if link else verb.end()
    value = text[start:]
    if not value:
        return None
    subject = text[: verb.start()]
    return Assertion(fold(text[:start]).strip(), subject, value)
