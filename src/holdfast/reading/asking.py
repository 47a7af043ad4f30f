"""What a reply asks: its questions, what each is about, the kind of answer it waits for, and the options it offers.

A question is a sentence with a question mark, without what leads up to it: the mark of a list ("2. **Travellers** –"),
an emoji, "Great, and". Where one sentence asks for two things ("your name and date of birth?"), it is two questions. A
reply that ends in a list to choose from ("Pick one: a) … b) …") asks without a question mark. The options themselves
are in `shown/choices.py`.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from holdfast.reading.reader import Cue, Reading, Span, within
from holdfast.reading.shown import list_items, options_of
from holdfast.reading.shown.choices import listed, tells_of_somebody

Expects = Literal["yes_no", "choice", "number", "text", "file"]
"""The kind of answer that a question waits for; "file" is something to be sent."""

ASKED = 8
"""Questions that are taken from one reply."""
FURTHEST = 2000
"""Characters of the longest question."""
LEADS = 3
"""Words and marks in a row that may lead up to a question."""
ANYTHING = "anything"
"""The asking word of a question that waits for nothing: "how can I help?", "anything else?"."""
ELLIPTIC = "elliptic"
"""What a question without any asking word is about: "Tuesday?" can be agreed to, and answered in words."""
OFFER = "offer"
"""What a question is about that only wants to be agreed to: "shall I book it?", "is that right?", "how does that
sound?". Its answer is over when it is given."""

_BEFORE_ASKING = re.compile(r"[.!?…](?:\*\*)? ")
_NUMBERED = re.compile(r"(?:^|\s)\d{1,2}$")
_MARK = re.compile(
    r"[^\w\"'“«¿¡(`*]*(?:\(?(?:\d{1,2}|[a-hA-H])(?:[.)]|️?⃣)\**\s+|[*_]{2}[^*_\n]{1,40}(?:[*_]{2}:?\s*[–—:-]+|:[*_]{2})\s*"
    r"|[-*•>#]+\s+)?"
)
"""What a line of a list begins with: signs, a number or a letter, a bold label."""
_ITEM = re.compile(r"\s*(?:\(?(?:\d{1,2}|[^\W\d_])[.)]|[-*•])\s")
_LEAD = re.compile(r"([^,:!?\n–—-]{1,24})(?:[,:!]| [–—-])\s*")
_NUMBERS = {"how_many"}
_YES_NO = {"yes_no", "want"}
_UNSPECIFIC = {*_YES_NO, ANYTHING, "which", "what"}


def specific(about: str) -> bool:
    """Whether it names a thing: "where?" does; "what?", "how many?" and "shall I?" are about another each time."""
    return about not in ("", "which", "what", "how_many", ELLIPTIC, OFFER)


class Asks(NamedTuple):
    """One question."""

    about: str
    """What it asks for: a slot's asking word ("where"), or "" when nothing tells."""
    expects: Expects
    options: tuple[str, ...] = ()
    """What it offers. A question that waits for a yes or for words may offer something as well."""


def questions(reading: Reading) -> list[Span]:
    """The parts of a reply that ask something. Use as `reading.find(questions)`."""
    text = reading.text
    found: list[Span] = []
    place, before = text.find("?"), 0
    while place >= 0 and len(found) < ASKED:
        if _ends_a_question(text, place):
            opening = _opening(reading, place, before)
            start = _unled(reading, opening, place)
            if start < place:
                found += _over_list(reading, opening) or _parted(reading, (start, place + 1))
        before = place if text.startswith(" ", place + 1) else before  # that of an address ends no sentence
        place = text.find("?", place + 1)
    return found or _implied(reading)


def _ends_a_question(text: str, place: int) -> bool:
    """Whether a question mark ends something asked: not one of an address, of code or of a quotation."""
    after = text[place + 1 : place + 2]
    if after.isalnum() or after in ("=", "/", "?") or (after and after in '"”»' and text.find("?", place + 1) > 0):
        return False
    return "`" not in text or not (text.count("`", text.rfind("\n", 0, place) + 1, place) % 2 or _fenced(text, place))


def _fenced(text: str, place: int) -> bool:
    return text.count("```", 0, place) % 2 == 1


def _opening(reading: Reading, end: int, before: int = 0) -> int:
    """Where the sentence that ends there begins, which is not before the last question mark. The number of an item
    ("2. Sakura") ends none."""
    text = reading.text
    line = max(0, text.rfind("\n", 0, end))
    for mark in reversed([*_BEFORE_ASKING.finditer(text, max(line, before, end - FURTHEST), end)]):
        if mark[0] != ". " or not _goes_on(reading, mark.start()):
            return mark.end() - 1
    return line


def _goes_on(reading: Reading, place: int) -> bool:
    """Whether a full stop ends no sentence: that of an item's number, or of "Dr."."""
    text = reading.text
    if _NUMBERED.search(text, max(0, place - 4), place):  # but "on 3 November. Shall I book it?"
        return any(item.span[0] == place + 2 for item in reading.find(list_items))
    word = reading.folded[max(0, place - 6) : place].rpartition(" ")[2]
    return len(word) < 5 and word in reading.phrases("asking", "short")


def _unled(reading: Reading, start: int, end: int) -> int:
    """Where a question begins behind what leads up to it: marks of a list, a label, "got it,"."""
    text = reading.text
    start = _skip(text, start, end)
    if text[start].isalpha() and "," not in text[start:end] and ":" not in text[start:end]:
        return start
    for _ in range(LEADS):
        mark = _MARK.match(text, start, end)
        place = mark.end() if mark else start
        lead = _LEAD.match(text, place, end)
        if lead is not None and reading.said(lead.span(1)).strip() in reading.phrases("asking", "leads"):
            place = lead.end()
        if place in (start, end):
            break
        start = place
    return _skip(text, start, end, "*_ ")


def _skip(text: str, start: int, end: int, signs: str | None = None) -> int:
    """The place behind these signs, or behind blanks."""
    return start + len(text[start:end]) - len(text[start:end].lstrip(signs))


def _parted(reading: Reading, span: Span) -> list[Span]:
    """A question as the questions that it is made of: "what day, and for how many people?"."""
    cues = _cues(reading, span)
    if len(cues) < 2 or len(cues := [cue for cue in cues if cue.means not in _YES_NO]) < 2:
        return [span]
    found: list[Span] = []
    start, last = span[0], cues[0]
    for cue in cues[1:]:
        if cue.start < last.end:
            continue
        joint = _joint(reading, last.end, cue.start)
        if joint is not None and _parts(reading, last, cue, joint):
            found.append((start, last.end + len(reading.text[last.end : joint[0]].rstrip(" ,;("))))
            start = _unled(reading, joint[1], span[1])
        last = cue
    return [*found, (start, span[1])]


def _parts(reading: Reading, last: Cue, cue: Cue, joint: Span) -> bool:
    """Whether what joins two asking words parts two questions: they ask for different things, or the second begins
    right behind it ("what's the length, and who is the audience?")."""
    if _UNSPECIFIC.isdisjoint((last.means, cue.means)):
        return cue.means != last.means
    return not reading.text[joint[1] : cue.start].strip(" ¿") and last.start != cue.start


def _joint(reading: Reading, start: int, end: int) -> Span | None:
    """What joins two questions between these places: "and", or the comma right before the second."""
    joints = reading.phrases("joints", "between")
    for token in reversed([token for token in reading.tokens if start <= token[0] < end]):
        if reading.said(token) in joints:
            return token
    return (end - 2, end) if reading.folded[end - 2 : end] == ", " else None


def _over_list(reading: Reading, opening: int) -> list[Span]:
    """The line over a list, where the question mark stands behind the last of its options."""
    text = reading.text
    if text[opening : opening + 1] != "\n" or not _ITEM.match(text, opening):
        return []
    found = listed(reading)
    end = len(text[: found.span[0]].rstrip())
    if len(found.names) < 2 or not found.span[0] <= opening + 1 < found.span[1] or text[end - 1 : end] != ":":
        return []
    return [(_unled(reading, _opening(reading, end), end), end)]


def _implied(reading: Reading) -> list[Span]:
    """The line before a list to choose from, where the reply ends with that list and has no question mark."""
    text = reading.text.rstrip()
    if "\n" not in text or text[-1:] in ".!:":
        return []
    found = listed(reading)
    if len(found.names) < 2 or "\n\n" in text[found.span[1] :] or _fenced(text, found.span[0]):
        return []
    if tells_of_somebody(reading, found.names):
        return []
    end = len(text[: found.span[0]].rstrip())
    span = (_unled(reading, _opening(reading, end), end), end)
    if span[0] >= end or not (found.lettered or _cues(reading, span)):
        return []
    if reading.said(span).split(" ", 1)[0] in reading.phrases("asking", "shows"):
        return []  # "вот что нашлось:" shows, and asks nothing
    return [span]


def asks(reading: Reading, span: Span) -> Asks:
    """What a question asks for."""
    cues = _cues(reading, span)
    words = [cue.means for cue in cues]
    if ANYTHING in words and _UNSPECIFIC.issuperset(words):
        return Asks(ANYTHING, "text")
    offers = bool(within(reading.all("offers_to"), span))
    options, firm = options_of(reading, span, "which" in words, not offers and _YES_NO.isdisjoint(words[:1]))
    about = _asked_for(reading, span, cues, options)
    if firm:
        return Asks(about or ("which" if "which" in words else ""), "choice", options)
    return Asks(*_expected(reading, span, words, about, offers), options)


def _asked_for(reading: Reading, span: Span, cues: list[Cue], options: tuple[str, ...]) -> str:
    """The asking word that says what is asked for. It stands before the options: "by email or text?" asks for no
    address."""
    first = reading.text.find(options[0], *span) if options else -1
    asking = (cue.means for cue in cues if cue.means not in _UNSPECIFIC and not 0 <= first <= cue.start)
    return next(asking, "")


def _expected(reading: Reading, span: Span, words: list[str], about: str, offers: bool) -> tuple[str, Expects]:
    """What a question without a firm choice is about, and the kind of answer that it waits for."""
    if not about and within(reading.all("confirms"), span):
        return OFFER, "yes_no"
    if not _NUMBERS.isdisjoint(words):
        return about, "number"
    if wanted := about or _more_than_a_yes(words):
        return wanted, "text"
    if offers or (not words and _to_do(reading, span)):
        return OFFER, "yes_no"
    return "" if words else ELLIPTIC, "yes_no"


def _more_than_a_yes(words: list[str]) -> str:
    """The asking word that a question begins with, unless it can be agreed to: "how long will you stay?"."""
    return words[0] if words and words[0] not in _YES_NO else ""


def _to_do(reading: Reading, span: Span) -> bool:
    """Whether a question asks what to do with a bare verb, in a language that can."""
    word = reading.said(span).split(" ", 1)[0].strip("?")
    return len(word) > 5 and any(word.endswith(end) for end in reading.phrases("asking", "to_do"))


def worded(reading: Reading, span: Span) -> str:
    """A question in its words, without marks of bold type. One of two in a sentence gets its own question mark."""
    text = reading.words(span).replace("**", "").rstrip(" :,")
    return text if text.endswith("?") else f"{text}?"


def _cues(reading: Reading, span: Span) -> list[Cue]:
    """The asking words of a question; "when" in "do you sing when you run?" asks for nothing."""
    found = within(reading.all("asks"), span)
    cues = [cue for cue in found if reading.folded[cue.end : cue.end + 1] != "-"]
    if not cues or cues[-1].start == span[0]:
        return cues
    return [cue for cue in cues if not _subordinate(reading, span, cue)]


def _subordinate(reading: Reading, span: Span, cue: Cue) -> bool:
    """Whether an asking word only opens a clause within the question."""
    if reading.said(cue.span) not in reading.phrases("question", "subordinate"):
        return False
    after = reading.folded[cue.end : cue.end + 12]
    if after[:1] == "'" or after.strip().split(" ", 1)[0] in reading.phrases("choice", "opens"):
        return False  # "…, what does he like?"
    before = reading.folded[span[0] : cue.start].rstrip()
    follows = before.endswith(",") or before.count(" ") > 0
    return follows and before.rstrip(",").rpartition(" ")[2].strip("¿¡(") not in reading.phrases("asking", "tells")
