"""What a reply asks: its questions, what each is about, the kind of answer it waits for, and the options it offers."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from holdfast.reading.lists import list_items
from holdfast.reading.reader import Cue, Reading, Span

Expects = Literal["yes_no", "choice", "number", "text"]

ASKED = 8
"""Questions that are taken from one reply."""
OPTIONS = 10
"""Options of one question."""
LONGEST = 60
"""Characters of an option; what is longer is half a sentence."""
CLAUSE = 4
"""Words from which what stands before the first of several options leads up to them: "if you had to choose, …"."""
ANYTHING = "anything"
"""The asking word of a question that waits for nothing: "how can I help?", "anything else?"."""
ELLIPTIC = "elliptic"
"""What a question without any asking word is about: "Tuesday?" can be agreed to, and answered in words."""
OFFER = "offer"
"""What a question is about that only wants to be agreed to: "shall I book it?", "is that right?", "how does that
sound?". Its answer is over when it is given."""

_BEFORE_ASKING = ("\n", ". ", "! ", "? ")
_NUMBERED = re.compile(r"(?:^|\s)\d{1,2}$")
_EDGES = " \t\n,;:.?!¿¡\"'()*"
_NUMBERS = {"how_many"}
_YES_NO = {"yes_no", "want"}
_UNSPECIFIC = {*_YES_NO, ANYTHING, "which", "what"}


def specific(about: str) -> bool:
    """Whether it names a thing: "where?" does; "what?", "Tuesday?" and "shall I?" are about another each time."""
    return about not in ("", "which", "what", ELLIPTIC, OFFER)


class Asks(NamedTuple):
    """One question."""

    about: str
    """What it asks for: a slot's asking word ("where"), or "" when nothing tells."""
    expects: Expects
    options: tuple[str, ...] = ()


def questions(reading: Reading) -> list[Span]:
    """The sentences of a reply that ask something. Use as `reading.find(questions)`."""
    text = reading.text
    found: list[Span] = []
    place = text.find("?")
    while place >= 0 and len(found) < ASKED:
        start = _opening(text, place)
        while start < place and text[start].isspace():
            start += 1
        if start < place:
            found.append((start, place + 1))
        place = text.find("?", place + 1)
    return found


def _opening(text: str, end: int) -> int:
    """Where the sentence that ends there begins. The number of an item ("2. Sakura") ends none."""
    best = 0
    for mark in _BEFORE_ASKING:
        place = text.rfind(mark, 0, end)
        while mark == ". " and _NUMBERED.search(text, max(0, place - 4), max(0, place)):
            place = text.rfind(mark, 0, place)
        best = max(best, place + 1)
    return best


def asks(reading: Reading, span: Span) -> Asks:
    """What a question asks for."""
    start, end = span
    cues = [cue for cue in reading.all("asks") if start <= cue.start < end]
    words = [_name(cue) for cue in cues]
    options = _options(reading, span, "which" in words)
    before = reading.text.find(options[0], start, end) if options else end  # "by email or text?" asks for no address
    about = next((_name(cue) for cue in cues if _name(cue) not in _UNSPECIFIC and not 0 <= before <= cue.start), "")
    if options:
        return Asks(about or ("which" if "which" in words else ""), "choice", options)
    if not about and ANYTHING in words:
        return Asks(ANYTHING, "text")
    if not about and any(start <= cue.start < end for cue in reading.all("confirms")):
        return Asks(OFFER, "yes_no")
    if not _NUMBERS.isdisjoint(words):
        return Asks(about, "number")
    if about or (words and words[0] not in _YES_NO):  # "how long will you stay?" wants more than a yes
        return Asks(about or words[0], "text")
    offered = any(start <= cue.start < end for cue in reading.all("offers_to"))
    return Asks(OFFER if offered else "" if words else ELLIPTIC, "yes_no")


def _name(cue: Cue) -> str:
    return cue.id.rpartition(".")[2]


def _options(reading: Reading, span: Span, which: bool) -> tuple[str, ...]:
    """The choices of a question: "Dallas, Austin or Houston?", or the list that stands before "which one?"."""
    between = [cue for cue in reading.all("choice") if span[0] < cue.start < span[1]]
    if between:
        return _offered(reading, span, between)
    names = [item.name for item in reading.find(list_items)] if which else []
    names = names or ([found[1].strip(_EDGES) for found in _LETTERED.finditer(reading.text)] if which else [])
    return tuple(names[:OPTIONS]) if len(names) > 1 else ()


_LETTERED = re.compile(r"^\s*[a-hA-H][).] +([^\n]{1,80})$", re.MULTILINE)
"""A line of a list that counts in letters."""


def _offered(reading: Reading, span: Span, between: list[Cue]) -> tuple[str, ...]:
    text = reading.text
    colon = text.rfind(": ", span[0], between[0].start)
    place = colon + 2 if colon >= 0 else span[0]
    pieces: list[str] = []
    for cue in between:
        pieces += text[place : cue.start].rstrip(_EDGES).split(", ")
        place = cue.end
    pieces.append(text[place : span[1]].split(", ")[0])
    lead, first = _without_lead(reading, pieces[0]) if colon < 0 else ("", pieces[0])
    rest = [_without_lead_word(piece.strip(_EDGES), lead) for piece in pieces[1:]]
    options = [option for option in (first.strip(_EDGES), *rest) if option]
    if len(options) > 2 and len(options[0].split()) >= CLAUSE > max(len(option.split()) for option in rest):
        del options[0]  # "if you had to choose, Paris or Rome?"
    fits = 1 < len(options) <= OPTIONS and all(len(option) <= LONGEST for option in options)
    return tuple(_without_article(reading, option) for option in options) if fits else ()


def _without_lead(reading: Reading, words: str) -> tuple[str, str]:
    """The first choice without what leads up to it, and the word that led: "do you want pizza" → "want", "pizza"."""
    leads = reading.phrases("choice", "leads")
    said = words.split()
    last = max((place for place, word in enumerate(said) if word.lower().strip("¿¡") in leads), default=-1)
    return said[last].lower().strip("¿¡") if last >= 0 else "", " ".join(said[last + 1 :])


def _without_lead_word(option: str, lead: str) -> str:
    """A further choice without the small word that led to the first one as well: "at nine or at ten?"."""
    first, _, rest = option.partition(" ")
    return rest.strip() if lead and rest and first.lower() == lead else option


def _without_article(reading: Reading, words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest.strip() if rest and first.lower() in reading.phrases("choice", "articles") else words
