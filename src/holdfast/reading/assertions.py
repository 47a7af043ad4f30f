"""Plain sentences about anything, as key and value: "The capital of Malta is Valletta", "Fokker was founded by …".

The key is the subject with what is said about it, up to the place where the value stands. Two sentences with one key
and different values cannot both be current.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.reading.text import fold

_IS = r"(?:is|are|was|were|es|son|era|fue|est[aá])"
_LEADS = re.compile(r"^(?:the|my|our|his|her|their|its|el|la|los|las|mi)\s", re.IGNORECASE)
_COPULA = re.compile(rf"\s{_IS}\s|\s[-–—]\s(?=\S)")
_VERB = re.compile(
    rf"\s(?:{_IS}|has|have|had|plays?|speaks?|died|works?|worked|lives?|lived|moved|uses?|owns?|leads?|teaches|studies|"
    r"studied|prefers?|likes?|drives?|runs?|[a-z]{3,}ed|[a-z]{3,}s|vive|trabaja|juega|habla|живет|работает|играет|говорит)\s"
)
_LINK = re.compile(
    r"(?:(?:an?|the|una?|el|la) )?(?:[a-zа-я]+ ){0,3}?(?:of|by|in|to|for|with|from|as|at|on|de|por|en|a|в|на|из|с|о)"
    r"(?: (?:the|an?|el|la) [a-z]+(?: [a-z]+)? (?:of|in|for|de))? "
)


class Assertion(NamedTuple):
    """What is said, about what, and the value."""

    key: str
    subject: str
    value: str


def assertion(sentence: str) -> Assertion | None:
    """The key and the value of a plain sentence, or None where it has neither."""
    text = " ".join(sentence.split()).rstrip(" .!")
    if not text or sentence.rstrip().endswith("?") or len(text) > 400:
        return None
    led = _LEADS.match(text)
    verbs = list(_COPULA.finditer(text)) if led else []
    verb = verbs[-1] if verbs else next(_COPULA.finditer(text), None) or _VERB.search(text)
    if verb is None:
        return None
    link = _LINK.match(text, verb.end())
    start = link.end() if link else verb.end()
    value = text[start:]
    if not value:
        return None
    subject = text[: verb.start()]
    return Assertion(fold(text[:start]).strip(), subject, value)
