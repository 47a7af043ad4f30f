"""What a text is about, and where a question leaves it out.

Names are runs of capitalised words, what is put in quotes, and what stands before the verb of a reply. The content of
a request is its words without the small ones. A gap is a pronoun, or a question that names nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Literal, NamedTuple

from holdfast.reading.mentions import mentions
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import sentences
from holdfast.reading.text import LOWER

Gap = Literal["person", "plural", "thing", "else", "answer", "value", "open"]

READ = 2000
"""Characters of a message that are looked at for names."""
SHORT = 7
"""Words of an answer that is but a value."""
LONG = 14
"""Words of a message that is no question and still too long to leave its subject out."""
WORDS = 8
"""Words that are kept of a request."""

_CAPITAL = rf"[^\W\d_{LOWER}]"
_RUN = Shape(rf"{_CAPITAL}[\w'&.-]*(?:\s(?:%subject.inside%\s)?(?:{_CAPITAL}|\d)[\w'&-]*)*")
_FIGURE = Shape(r"\b\d{1,5}(?: [A-Z][\w'-]+)* (?:%subject.streets%|%subject.distances%)\b")
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{2,60})[\"”»]")


_DETAILS = ("detail_where", "detail_contact", "detail_cost", "detail_when")


class _Words:
    """The words of a language that tell what a text is about, ready to be looked up; use as `reading.made(_Words)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        def words(*keys: str) -> frozenset[str]:
            return reader.phrases("subject", keys, language)

        self.empty, self.verbs, self.articles = words("empty"), words("verbs"), words("articles")
        self.small = self.empty | self.verbs
        self.known = self.empty | self.articles
        self.dates, self.places, self.selves = words("dates"), words("places"), words("selves")
        self.persons, self.plurals = words("persons"), words("plurals")
        self.doing = tuple(reader.phrases("subject", "doing"))
        self.run = reader.made(_RUN)


class Name(NamedTuple):
    """A name in a text; `subject` says that a verb follows it, as in "Curry Prince serves Indian food"."""

    text: str
    span: Span
    subject: bool


def names(reading: Reading) -> list[Name]:
    """The names in a text, in order. Use as `reading.find(names)`."""
    text = reading.text[:READ]
    known = reading.made(_Words)
    starts = {start for start, _ in reading.find(sentences)}
    found = [Name(m[1], m.span(1), False) for m in _QUOTED.finditer(text)]
    for m in known.run.finditer(text):
        start, words = m.start(), m[0].split(" ")
        while words and (
            words[0].casefold().strip(".'") in known.empty or (start in starts and words[0].endswith(known.doing))
        ):
            start += len(words[0]) + 1
            words = words[1:]
        name = " ".join(words).rstrip(".,'- ")
        if len(name) < 2 or any(n.span[0] <= start < n.span[1] for n in found) or _is_date(reading, name):
            continue
        after = reading.folded[start + len(name) : READ].split(maxsplit=1)[:1]
        subject = bool(after) and after[0].strip(",") in known.verbs
        describing = (
            len(words) == 1 and bool(after) and after[0][:1].isalpha() and after[0].strip(",.?!") not in known.small
        )
        if subject or (not describing and (start not in starts or len(words) > 1)):
            found.append(Name(name, (start, start + len(name)), subject))
    return sorted(found, key=lambda name: name.span)


def _is_date(reading: Reading, name: str) -> bool:
    """Whether words with capitals are but a day: "November 28"."""
    dates = reading.made(_Words).dates
    return all(word.strip(",.").isdigit() or word.strip(",.").casefold() in dates for word in name.split())


def _heads(reading: Reading) -> list[Name]:
    """What stands before the verb of a sentence, however it is written: "taj tandoori is the only one"."""
    known = reading.made(_Words)
    found = []
    for start, end in reading.find(sentences)[:6]:
        tokens = [t for t in reading.tokens if start <= t[0] < end][:7]
        words = [reading.folded[slice(*t)] for t in tokens]
        skip = 1 if words and words[0] in known.articles else 0
        verb = next((n for n, word in enumerate(words) if word in known.verbs), 0)
        head = words[skip:verb]
        if head and len(head) < 5 and not known.empty.intersection(head) and reading.text[end - 1] != "?":
            span = tokens[skip][0], tokens[verb - 1][1]
            if any(cue.start < span[1] and span[0] < cue.end for family in _DETAILS for cue in reading.all(family)):
                continue  # "the address is …" tells of something, and is not what is told of
            found.append(Name(reading.words(span), span, True))
    return found


def topic(reading: Reading) -> str | None:
    """The one thing that a reply is about: what a verb follows, else the first name that stands in no place."""
    found = reading.find(names)
    told = [n for n in found if n.subject] or _heads(reading)
    places = reading.made(_Words).places
    free = [n for n in found if _before(reading, n.span[0]) not in places]
    best = told or free or found
    return best[0].text if best else None


def content(reading: Reading, span: Span | None = None) -> str:
    """The telling words of a text, as typed."""
    empty = reading.made(_Words).empty
    start, end = span or (0, len(reading.text))
    words = [reading.words(t) for t in reading.tokens if start <= t[0] < end]
    telling = [word for word in words if word.casefold() not in empty and len(word) > 1]
    return " ".join(dict.fromkeys(telling[:WORDS]))


def figures(reading: Reading) -> str:
    """Where a reply says that something is: an address or a distance ("113 Arbol Dr", "2 miles")."""
    found = reading.reader.made(_FIGURE).findall(reading.text[:READ])
    return ", ".join(dict.fromkeys(found))[:60]


def name_words(reading: Reading) -> list[str]:
    """The words of the names in a text, folded: a name is still one when somebody types it small."""
    empty = reading.made(_Words).empty
    words = [reading.folded[a:b] for n in reading.find(names) for a, b in reading.tokens if n.span[0] <= a < n.span[1]]
    return [word for word in words if len(word) > 3 and word not in empty]


def gap(reading: Reading, asked: bool, seen: Container[str] = ()) -> Gap | None:
    """What a message leaves out; `asked` says that it may answer a question, `seen` are words of names in the talk."""
    words = [reading.folded[slice(*t)] for t in reading.tokens]
    named = [*(name.span[0] for name in reading.find(names)), *_capitals(reading)]
    first = min(named, default=len(reading.text))
    known = reading.made(_Words)
    people = min((start for start in named if _before(reading, start) not in known.articles), default=len(reading.text))
    question = "?" in reading.text
    if not question and reading.has("gap_closing") and not reading.has("gap_request"):
        return None
    pronouns: tuple[tuple[Gap, frozenset[str], int], ...] = (
        ("person", known.persons, people),
        ("plural", known.plurals, first),
    )
    for kind, forms, stop in pronouns:
        place = next((t[0] for t, w in zip(reading.tokens, words, strict=True) if w in forms), None)
        if place is not None and place < stop:  # a name before it would be what it stands for
            return kind
    if asked and reading.has("gap_answer"):
        return "answer"
    if reading.has("gap_else"):
        return "else"
    vague = [
        m.span[0]
        for m in reading.find(mentions)
        if m.kind in ("vague", "several") and not (named and m.means == "more")  # "more about Toronto"
    ]
    vague += [cue.start for cue in reading.all("gap_this") if not _masked(reading, cue.span)]
    if vague and min(vague) < first:
        return "thing"
    if asked and len(words) <= SHORT and not question:
        return "value"
    named += [t[0] for t, word in zip(reading.tokens, words, strict=True) if word.removesuffix("'s") in seen]
    if named or _defines(reading) or (not question and (len(words) > LONG or _tells(reading, words))):
        return None
    return "open"


def _masked(reading: Reading, span: Span) -> bool:
    """Whether words only look like pointing: "this year", "that day"."""
    return any(cue.start < span[1] and span[0] < cue.end for cue in reading.all("not_pointing"))


def _tells(reading: Reading, words: list[str]) -> bool:
    """Whether somebody tells of themselves ("yes, I want to go on with my studies") and asks for nothing."""
    selves = reading.made(_Words).selves
    return not selves.isdisjoint(words[:3]) and not reading.has("gap_request")


def _capitals(reading: Reading) -> list[int]:
    """Where words with a capital stand inside a sentence: each may be a name."""
    starts = {start for start, _ in reading.find(sentences)}
    empty = reading.made(_Words).empty
    text, folded = reading.text, reading.folded
    return [a for a, b in reading.tokens if text[a].isupper() and a not in starts and folded[a:b] not in empty]


def _defines(reading: Reading) -> bool:
    """Whether a question asks what something is by its bare name ("what is universalism?")."""
    known = reading.made(_Words).known
    cue = reading.first("gap_definition")
    if cue is None or "thing" not in cue.groups:
        return cue is not None
    return reading.folded[slice(*cue.groups["thing"])].split()[0] not in known


def _before(reading: Reading, place: int) -> str:
    words = reading.folded[max(0, place - 20) : place].split()
    return words[-1] if words else ""
