"""What a question offers: the choices in it ("Dallas, Austin or Houston?"), in the sentence beside it ("I have 5:45 or
6:30. Which one?"), or in the list that goes with it."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.reading.lists import ListItem, list_items
from holdfast.reading.offers import asks_after
from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold

OPTIONS = 10
"""Options of one question."""
LONGEST = 60
"""Characters of an option; what is longer is half a sentence."""
CLAUSE = 4
"""Words from which what stands before the first of several options leads up to them: "if you had to choose, …"."""
LOOKED_THROUGH = 2000
"""Characters of a reply whose other sentences may hold the options of its question."""
NEAR = 40
"""Characters between a question and the list that belongs to it."""

_EDGES = " \t\n,;:.?!¿¡\"'*"


class Offered(NamedTuple):
    """The options of a question, and whether it is a choice between them and nothing else."""

    options: tuple[str, ...] = ()
    firm: bool = False


class Listed(NamedTuple):
    """The names in a reply's list, and from where to where it goes."""

    names: tuple[str, ...]
    span: Span
    lettered: bool


def listed(reading: Reading) -> Listed:
    """The last list of a reply; what it asks in its items are questions, and no options."""
    items = reading.find(list_items)
    if not items:
        return Listed((), (0, 0), False)
    last = [item for item in items if item.list == items[-1].list]
    lettered = last[0].counted == "letter"
    names = tuple(_option(reading, item, lettered) for item in last if not _asked(reading.text, item, item is last[-1]))
    start = reading.text.rfind("\n", 0, last[0].span[0]) + 1 or last[0].span[0]
    return Listed(names if len(names) == len(last) else (), (start, last[-1].span[1]), lettered)


def _option(reading: Reading, item: ListItem, lettered: bool) -> str:
    """What an item offers: of one that is counted by a letter, all of its line ("a) test it")."""
    return _bare(reading.text[slice(*item.span)].split("\n", 1)[0]) if lettered else item.name


def _asked(text: str, item: ListItem, last: bool) -> bool:
    """Whether an item is a question itself; the mark behind the last one may be that of the whole list."""
    end = item.name_span[1]
    ends = text[end : end + 1] == "?" and (not last or item.name.count(" ") >= CLAUSE - 1)
    return ends or asks_after(text, end, item.span[1])


def options_of(reading: Reading, span: Span, which: bool, beside: bool) -> Offered:
    """The choices of a question. `which` says that it asks to choose, so that any list of the reply will do; `beside`
    that the sentence beside it may hold them."""
    or_said = reading.has("choice")
    between = [cue for cue in reading.all("choice") if span[0] < cue.start < span[1]] if or_said else []
    if between:
        return Offered(_between(reading, span, between), True) if not _any(reading, span, between) else Offered()
    text = reading.text
    if "\n" in text or which or ("**" in text and _of_these(reading, span)):
        found = listed(reading)
        follows = 0 <= found.span[0] - span[1] <= NEAR and not text[span[1] : found.span[0]].strip(" \n*:_")
        if len(found.names) > 1 and (which or follows or _of_these(reading, span)):
            return Offered(found.names[:OPTIONS], which or found.lettered)
    if beside and or_said and len(text) <= LOOKED_THROUGH:
        return Offered(_beside(reading, span), False)
    return Offered()


def choices(reading: Reading) -> tuple[str, ...]:
    """What a reply names side by side for a choice, in the last sentence that does: "a spa day, a good blanket or an
    e-reader"."""
    if not reading.has("choice") or len(reading.text) > LOOKED_THROUGH:
        return ()
    for sentence in reversed(reading.find(sentences)):
        between = [cue for cue in reading.all("choice") if sentence[0] < cue.start < sentence[1]]
        found = _between(reading, sentence, between) if between and not _any(reading, sentence, between) else ()
        if found:
            return found
    return ()


def _of_these(reading: Reading, span: Span) -> bool:
    """Whether a question is about the things of a list: "shall I book any of these?"."""
    return any(words in reading.folded[slice(*span)] for words in reading.phrases("asking", "of_these"))


def _any(reading: Reading, span: Span, between: list[Cue]) -> bool:
    """Whether it asks for any of several things, and not for one of them: "do you have any garlic or onions?"."""
    words = reading.folded[span[0] : between[0].start].split()
    return not reading.phrases("choice", "any").isdisjoint(words)


def _beside(reading: Reading, span: Span) -> tuple[str, ...]:
    """The choices of the sentence before or after a question."""
    said = [s for s in reading.find(sentences) if reading.text[s[1] - 1 : s[1]] != "?"]
    before = [s for s in said if s[1] <= span[0]][-1:]
    after = [s for s in said if s[0] >= span[1]][:1]
    for sentence in (*before, *after):
        between = [cue for cue in reading.all("choice") if sentence[0] < cue.start < sentence[1]]
        found = _between(reading, sentence, between) if between else ()
        if found:
            return found
    return ()


def _between(reading: Reading, span: Span, between: list[Cue]) -> tuple[str, ...]:
    text = reading.text
    colon = max(text.rfind(mark, span[0], between[0].start) for mark in (": ", " – ", " — "))
    place = colon + (2 if text[colon : colon + 1] == ":" else 3) if colon >= 0 else span[0]
    pieces: list[str] = []
    for cue in between:
        if _bracketed(text, place, cue.start):
            continue
        pieces += _commas(text[place : cue.start].rstrip(_EDGES))
        place = cue.end
    pieces.append(_commas(text[place : span[1]])[0])
    leads = reading.phrases("asking", "leads")
    while len(pieces) > 2 and (_asks_anew(reading, pieces[1]) or fold(pieces[0]).strip(_EDGES) in leads):
        del pieces[0]  # "Also, do you …"
    rest = [_unasked(reading, piece.strip(_EDGES)) for piece in pieces[1:]]
    lead, first = ("", pieces[0]) if colon >= 0 else _without_lead(reading, pieces[0], rest)
    rest = [_without_lead_word(piece, lead) for piece in rest]
    options = [option for option in (first.strip(_EDGES), *rest) if option]
    if len(options) > 2 and len(options[0].split()) >= CLAUSE > max(len(option.split()) for option in rest):
        del options[0]  # "if you had to choose, Paris or Rome?"
    fits = 1 < len(options) <= OPTIONS and all(len(option) <= LONGEST for option in options)
    return tuple(_without_article(reading, option.replace("**", "")) for option in options) if fits else ()


def _bracketed(text: str, start: int, end: int) -> bool:
    """Whether a bracket that opens between these places is open still."""
    return text.count("(", start, end) > text.count(")", start, end)


def _commas(text: str) -> list[str]:
    """What commas part, but for those in brackets: "express (2 days, $15)" is one."""
    pieces: list[str] = []
    for piece in text.split(", "):
        if pieces and _bracketed(pieces[-1], 0, len(pieces[-1])):
            pieces[-1] += f", {piece}"
        else:
            pieces.append(piece)
    return pieces


def _asks_anew(reading: Reading, piece: str) -> bool:
    return _head(piece) in reading.phrases("choice", "opens")


def _unasked(reading: Reading, piece: str) -> str:
    """A choice without the words of a question before it: "should I look further" → "look further"."""
    said = piece.split()
    if len(said) > 2 and _head(piece) in reading.phrases("choice", "opens"):
        return " ".join(said[2 if said[1].lower() in reading.phrases("choice", "subjects") else 1 :])
    return piece


def _without_lead(reading: Reading, piece: str, rest: list[str]) -> tuple[str, str]:
    """The first choice without what leads up to it, and the word that led: "do you want pizza" → "want", "pizza".
    Of several words that may lead the first one counts that leaves no more words than the other choices have."""
    leads, articles = reading.phrases("choice", "leads"), reading.phrases("choice", "articles")
    words = piece.strip(_EDGES).split()
    said = _unasked(reading, " ".join(words)).split()
    lead = ""
    while len(said) > 1 and _head(said[0]) in leads and _head(said[0]) not in articles:
        lead = _head(said.pop(0))
    most = max(len(option.split()) for option in rest)
    if len(said) > most and said[0].lower() in reading.phrases("choice", "subjects"):
        del said[0]  # "would you like it spicy or mild?"
    if len(said) <= most:
        return lead, " ".join(said)
    places = [place for place, word in enumerate(said[:-1]) if _head(word) in leads]
    if not places:
        return lead, " ".join(said)
    place = next((place for place in places if len(said) - place - 1 <= most), places[-1])
    return _head(said[place]), " ".join(said[place + 1 :])


def _head(words: str) -> str:
    return words.split(" ", 1)[0].lower().strip(_EDGES)


def _without_lead_word(option: str, lead: str) -> str:
    """A further choice without the small word that led to the first one as well: "at nine or at ten?"."""
    first, _, rest = option.partition(" ")
    return rest.strip() if lead and rest and first.lower() == lead else option


def _without_article(reading: Reading, words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest.strip() if rest and first.lower() in reading.phrases("choice", "articles") else words


def _bare(name: str) -> str:
    """An option as it stands in a list, without marks."""
    return name.replace("**", "").strip(_EDGES)
