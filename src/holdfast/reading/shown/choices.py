"""What stands side by side to choose from: in a question ("Dallas, Austin or Houston?"), in the sentence beside it ("I
have 5:45 or 6:30. Which one?"), in the list that goes with it, or in a row ("Pot roast, smoked chicken, trout").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from holdfast.events import Entity
from holdfast.reading.model.clauses import clause_spans
from holdfast.reading.naming import Naming
from holdfast.reading.reader import Cue, Reading, Span, within
from holdfast.reading.shown.finder import Named
from holdfast.reading.shown.items import ListItem, asks_after, last_list
from holdfast.reading.shown.names import whole_sentences
from holdfast.reading.standing import sentences
from holdfast.reading.text import fold, later

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
ROW = 3
"""Things from which a row of them is one, where no "or" says so."""

_EDGES = " \t\n,;:.?!¿¡\"'*"
_FIGURE = later(r"\d")
_PARTED = later(r",\s|;\s")
_LEAD_IN = later(r".*(?:: | [–—] )", re.DOTALL)


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
    last = last_list(reading)
    if not last:
        return Listed((), (0, 0), False)
    lettered = last[0].counted == "letter"  # such an item offers all of its line ("a) test it")
    offered = [item for item in last if not _asked(reading.text, item, item is last[-1])]
    lines = [reading.words(item.span).split("\n", 1)[0].replace("**", "").strip(_EDGES) for item in offered]
    names = tuple(lines if lettered else [item.name for item in offered])
    start = reading.text.rfind("\n", 0, last[0].span[0]) + 1 or last[0].span[0]
    return Listed(names if len(names) == len(last) else (), (start, last[-1].span[1]), lettered)


def _asked(text: str, item: ListItem, last: bool) -> bool:
    """Whether an item is a question itself; the mark behind the last one may be that of the whole list."""
    end = item.name_span[1]
    ends = text[end : end + 1] == "?" and (not last or item.name.count(" ") >= CLAUSE - 1)
    return ends or asks_after(text, end, item.span[1])


def options_of(reading: Reading, span: Span, which: bool, beside: bool) -> Offered:
    """The choices of a question. `which` says that it asks to choose, so that any list of the reply will do; `beside`
    that the sentence beside it may hold them."""
    if _ors(reading, span):
        options = _in(reading, span)
        return Offered(options, bool(options))
    offered = _from_list(reading, span, which)
    if not offered.options and beside and len(reading.text) <= LOOKED_THROUGH:
        return Offered(_beside(reading, span))
    return offered


def _from_list(reading: Reading, span: Span, which: bool) -> Offered:
    """The choices of a list that goes with a question."""
    text = reading.text
    if "\n" not in text and "**" not in text and not which:
        return Offered()
    these, found = which or _of_these(reading, span), listed(reading)
    follows = 0 <= found.span[0] - span[1] <= NEAR and not text[span[1] : found.span[0]].strip(" \n*:_")
    if len(found.names) < 2 or not (these or follows):
        return Offered()
    return Offered(found.names[:OPTIONS], which or found.lettered)


def _beside(reading: Reading, span: Span) -> tuple[str, ...]:
    """The choices of the sentence before or after a question."""
    said = [s for s in reading.find(sentences) if reading.text[s[1] - 1 : s[1]] != "?"] if reading.has("choice") else []
    near = [*[s for s in said if s[1] <= span[0]][-1:], *[s for s in said if s[0] >= span[1]][:1]]
    return next((found for s in near if (found := _in(reading, s))), ())


def side_by_side(reading: Reading) -> list[Named]:
    """Ordinary things and steps that a reply counts, names for a choice, or in a row: "the second one" points at them
    too, as long as they are the last thing said."""
    items = last_list(reading)
    if items and tells_of_somebody(reading, (item.name for item in items)):
        return []
    if items:
        return [Named(Entity(name=item.name), item.name_span, passing=True) for item in items]
    if len(reading.text) > LOOKED_THROUGH:
        return []
    for sentence in reversed(whole_sentences(reading)):
        named = _in(reading, sentence)
        if any(not _speakers(reading).isdisjoint(fold(name).split()) for name in named):
            continue  # "I can keep it on a list or among your reminders" says what the agent can do
        if spans := _places(reading, sentence, named) or _row(reading, sentence):
            return [Named(Entity(name=reading.words(span)), span, passing=True) for span in spans]
    return []


def tells_of_somebody(reading: Reading, names: Iterable[str]) -> bool:
    """Whether the items of a list are sentences about who speaks or listens: "you live in Lyon"."""
    return all(fold(name).split(" ", 1)[0] in _speakers(reading) for name in names)


def _speakers(reading: Reading) -> frozenset[str]:
    return reading.phrases("pointing", "listeners")


def _places(reading: Reading, sentence: Span, names: tuple[str, ...]) -> list[Span]:
    """Where some names stand in a sentence, one after the other; nothing where one does not."""
    at, found = sentence[0], []
    for name in names:
        place = reading.text.find(name, at)
        if place < 0:
            return []
        at = place + len(name)
        found.append((place, at))
    return found


def _row(reading: Reading, sentence: Span) -> list[Span]:
    """Things in a row, each in a few words: "Found: owner's manual, troubleshooting, wiring."; two will do where each
    has its figure: "Lawn is 68 each, pavilion 142"."""
    text, naming = reading.text, reading.reader.made(Naming)
    colon = text.rfind(": ", *sentence)
    pieces = _pieces(text, colon + 2 if colon >= 0 else sentence[0], sentence[1])
    if len(pieces) < 2 or text[sentence[1] - 1] == "?":
        return []
    good = {piece: span for piece in pieces if _is_thing(reading, span := naming.thing(text, piece), naming)}
    if len(good) == len(pieces) >= ROW:
        return list(good.values())
    counted = [span for piece, span in good.items() if _is_counted(text, piece, span)]
    return counted if len(counted) > 1 else []


def _pieces(text: str, start: int, end: int) -> list[Span]:
    """What commas part."""
    marks = [m.span() for m in _PARTED.finditer(text, start, end)]
    return [*zip([start, *(after for _, after in marks)], [*(at for at, _ in marks), end], strict=True)]


def _is_counted(text: str, piece: Span, span: Span) -> bool:
    """Whether a figure follows the name of a thing."""
    return text[span[0]].isalpha() and _FIGURE.search(text, span[1], piece[1]) is not None


def _is_thing(reading: Reading, span: Span, naming: Naming) -> bool:
    """Whether a piece of a row names something. One that begins with a small word tells of another one ("medium heat,
    with butter"), and one that speaks to somebody asks ("tell your coach")."""
    words = reading.folded[slice(*span)].split()
    small = reading.phrases("pointing", "small", "leads", "follows")
    if not 0 < len(words) <= CLAUSE or words[0] in small or naming.facts.is_day(reading.text[slice(*span)]):
        return False
    return _speakers(reading).isdisjoint(words)


def _of_these(reading: Reading, span: Span) -> bool:
    """Whether a question is about the things of a list: "shall I book any of these?"."""
    return any(words in reading.said(span) for words in reading.phrases("asking", "of_these"))


def _ors(reading: Reading, span: Span) -> list[Cue]:
    return [cue for cue in reading.all("choice") if span[0] < cue.start < span[1]]


def _in(reading: Reading, span: Span) -> tuple[str, ...]:
    """What a sentence lets choose from; not where it asks for any of several things: "do you have any garlic or
    onions?"."""
    between = _ors(reading, span)
    words = reading.folded[span[0] : between[0].start].split() if between else []
    if not between or not reading.phrases("choice", "any").isdisjoint(words):
        return ()
    return _between(reading, span, between)


def _side_by_side(reading: Reading, span: Span, between: list[Cue]) -> tuple[bool, list[str]]:
    """What stands side by side in a sentence, and whether something that led up to it is left out already."""
    text = reading.text
    lead_in = _LEAD_IN.match(text, span[0], between[0].start)
    place = lead_in.end() if lead_in else span[0]
    pieces: list[str] = []
    for cue in between:
        pieces += _commas(text[place : cue.start].rstrip(_EDGES))
        place = cue.end
    pieces.append(_commas(text[place : span[1]])[0])
    if lead_in is None and len(pieces) > 2 and _asks_which(reading, (span[0], span[0] + len(pieces[0]))):
        return True, pieces[1:]
    return lead_in is not None, pieces


def _between(reading: Reading, span: Span, between: list[Cue]) -> tuple[str, ...]:
    lead_in, pieces = _side_by_side(reading, span, between)
    rest = [_unasked(reading, piece.strip(_EDGES)) for piece in pieces[1:]]
    lead, first = ("", pieces[0]) if lead_in else _without_lead(reading, pieces[0], rest)
    rest = [piece.partition(" ")[2] if _head(piece) == lead != "" else piece for piece in rest]  # "at nine or at ten?"
    options = list(filter(None, (first.strip(_EDGES), *rest)))
    if not 1 < len(options) <= OPTIONS or max(map(len, options)) > LONGEST:
        return ()
    return tuple(_without_article(reading, option.replace("**", "")) for option in options)


def _asks_which(reading: Reading, span: Span) -> bool:
    """Whether what stands before the first comma asks, and what comes behind it are the answers: "which size, S or L?",
    and not "would you like tea, coffee or juice?"."""
    return any(cue.means not in ("yes_no", "want") for cue in within(reading.all("asks"), span))


def weighed(reading: Reading) -> tuple[str, ...]:
    """What somebody weighs against each other: "a toaster or money?", «либо кофемолку, либо набор пряжи»."""
    ors, text = reading.all("choice"), reading.text
    if not ors:
        return _between_two(reading)
    if any(text[: cue.start].rstrip().endswith(",") for cue in ors[1:]):  # the word stands before each of them
        pieces = [*(text[cue.end : after.start] for cue, after in pairwise(ors)), _commas(text[ors[-1].end :])[0]]
        return tuple(_without_article(reading, piece.strip(_EDGES)) for piece in pieces)
    begins = max((start for start, _ in reading.find(clause_spans) if start < ors[0].start), default=0)
    return _evened(reading, _between(reading, (begins, len(text)), ors))


def _between_two(reading: Reading) -> tuple[str, ...]:
    """ "I'm torn between soup and salad"."""
    said, joins = reading.text.split(), reading.phrases("joints", "between")
    starts = [place + 1 for place, word in enumerate(said) if fold(word) in reading.phrases("choice", "between")]
    joined = [place for place, word in enumerate(said) if starts and place > starts[0] and fold(word) in joins]
    if not joined or joined[-1] == len(said) - 1:
        return ()
    pair = said[starts[0] : joined[0]], said[joined[0] + 1 :]
    return tuple(_without_article(reading, " ".join(words).strip(_EDGES)) for words in pair)


def _evened(reading: Reading, options: tuple[str, ...]) -> tuple[str, ...]:
    """Options without what leads up to the first: it begins after its article, with no more words than the others."""
    most = max((len(option.split()) for option in options[1:]), default=0)
    first = options[0].split()[-most:] if options else []
    articles = [place for place, word in enumerate(first[:-1]) if word.lower() in reading.phrases("choice", "articles")]
    return (" ".join(first[articles[-1] + 1 if articles else 0 :]), *options[1:]) if options else ()


def _commas(text: str) -> list[str]:
    """What commas part, but for those in brackets: "express (2 days, $15)" is one."""
    pieces: list[str] = []
    for piece in text.split(", "):
        if pieces and pieces[-1].count("(") > pieces[-1].count(")"):
            pieces[-1] += f", {piece}"
        else:
            pieces.append(piece)
    return pieces


def _unasked(reading: Reading, piece: str) -> str:
    """A choice without the words of a question before it: "should I look further" → "look further"."""
    said = piece.split()
    if len(said) > 2 and _head(piece) in reading.phrases("choice", "opens"):
        return " ".join(said[2 if said[1].lower() in reading.phrases("choice", "subjects") else 1 :])
    return piece


def _without_lead(reading: Reading, piece: str, rest: list[str]) -> tuple[str, str]:
    """The first choice without what leads up to it, and the word that led: "do you want pizza" → "want", "pizza". Of
    several words that may lead the first one counts that leaves no more words than the other choices have."""
    leads, articles = reading.phrases("choice", "leads"), reading.phrases("choice", "articles")
    said, lead = _unasked(reading, piece.strip(_EDGES)).split(), ""
    while len(said) > 1 and _head(said[0]) in leads and _head(said[0]) not in articles:
        lead = _head(said.pop(0))
    most = max(len(option.split()) for option in rest)
    if len(said) > most and said[0].lower() in reading.phrases("choice", "subjects"):
        del said[0]  # "would you like it spicy or mild?"
    places = [place for place, word in enumerate(said[:-1]) if _head(word) in leads] if len(said) > most else []
    if not places:
        return lead, " ".join(said)
    place = next((place for place in places if len(said) - place - 1 <= most), places[-1])
    return _head(said[place]), " ".join(said[place + 1 :])


def _head(words: str) -> str:
    return words.split(" ", 1)[0].lower().strip(_EDGES)


def _without_article(reading: Reading, words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest.strip() if rest and first.lower() in reading.phrases("choice", "articles") else words
