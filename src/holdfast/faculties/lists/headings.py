"""Rows under a heading: "to do today: 1) … 2) …", «надо купить: …», "pa la lista del super: …".

A heading names a list or says what is to be done or bought, and nothing else. All that stands in its row belongs to it,
whatever it would mean by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holdfast.reading.kinds import TIMES, typed_spans
from holdfast.reading.reader import Cue, Reading, Span, begins_in, inside, within

EDGES = " .,!?;:¿¡\"'«»“”\n\t"
MAX_WORDS = 8
"""Words of a heading."""
MAX_THING_WORDS, SEVERAL = 6, 3
"""Words of a thing in a row that has no heading but "note", and things that make such a row a list."""
SHORT_VERB = 3
"""Letters of a verb that only counts as the first word: "dar", but not "al bar"."""
TASK = 4
"""Words of a task among which its verb stands."""
_MARK = re.compile(r"(?:(?<=\s)|^)(?:(\d{1,2})\s?[.)-]|[^\W\d_]\)|(?:(?<=\n)|^)[-*•–])\s+")
_HEAD_END = re.compile(r":(?=\s)|\s[-–—](?=\s)|(?=\s1\s?[.)-]\s)|[.!?\n](?=\s|$)")
_PLAIN_END = re.compile(r"[.!?](?=\s|$)|\n|$")
_MARKED_END = re.compile(r"(?<!\d)[.!?](?=\s+(?![\d*•–-]))|\n\s*\n|$")


class Heading(NamedTuple):
    start: int
    row: Span
    means: str
    """What stands under it: things "to_do" or "shopping", or what the list in it says."""


def headings(reading: Reading, verbs: Sequence[Cue]) -> Iterator[Heading]:
    """The headings of a message with their rows."""
    text, start = reading.text, 0
    while (mark := _HEAD_END.search(text, start)) is not None:
        head, row = (start, mark.start()), (mark.end(), _row_end(text, mark.end()))
        start = max(mark.end(), mark.start() + 1)
        headed = mark[0] not in (".", "!", "?", "\n") and text[slice(*row)].strip() and text[row[1] : row[1] + 1] != "?"
        if headed and (means := _means(reading, verbs, head, row)):
            yield Heading(head[0], row, means)
            start = row[1]


def items(text: str) -> list[str]:
    """What stands in a row by itself: at its numbers, else at its lines and semicolons; nothing where it has none."""
    if marked := _marks(text.strip()):
        return [text.strip()[start:end] for start, end in marked]
    return re.split(r"[;\n]", text.strip()) if re.search(r"[;\n]", text.strip(EDGES)) else []


def _marks(text: str) -> list[Span]:
    """Where the numbered things of a text stand: "1) … 2) …"; a number that is not the next one is part of a thing."""
    found: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if int(mark[1] or len(found) + 1) == len(found) + 1 and (found or not mark.start()):
            found.append(mark)
    ends = [mark.start() for mark in found[1:]]
    return [(mark.end(), end) for mark, end in zip(found, [*ends, len(text)], strict=False)]


def _row_end(text: str, start: int) -> int:
    first = len(text) - len(text[start:].lstrip())
    marked = _MARK.match(text, first) or "\n" in text[start:first]
    return (_MARKED_END if marked else _PLAIN_END).search(text, first).start()  # type: ignore[union-attr]


def _means(reading: Reading, verbs: Sequence[Cue], head: Span, row: Span) -> str:
    """What stands under some words, if they are a heading."""
    does = [verb for verb in within(verbs, head) if not _is_noun(reading, verb)]
    if len(reading.said(head).split()) > MAX_WORDS or {verb.means for verb in does} - {"adds"}:
        return ""
    lists = [cue for cue in within(reading.all("list_word"), head) if cue.means != "there"]
    heads = within(reading.all("list_head"), head)
    known = [cue.span for cue in (*does, *lists, *heads)]
    if lists:
        return lists[0].means
    headed = is_bare(reading, head, known) if heads else does
    return _needed(reading, heads, row) if headed else ""


def _is_noun(reading: Reading, verb: Cue) -> bool:
    """Whether a word for what is done stands behind an article: "a list for the move"."""
    before = reading.folded[: verb.start].split()[-1:]
    return not reading.phrases("lists", "articles").isdisjoint(before)


def _needed(reading: Reading, heads: Sequence[Cue], row: Span) -> str:
    """What a heading without a list says to do."""
    if any(cue.means == "shopping" for cue in heads):
        return "shopping"
    said = reading.said(row)
    each = items(said) or said.split(",")
    if heads or all(is_task(reading, task) for task in each):  # "note: the api is on 8081" is none
        return "to_do"
    return "list" if _are_things(reading, each) else ""


def _are_things(reading: Reading, row: Sequence[str]) -> bool:
    """Whether a row that is to be noted is several things or tasks of a few words each: "note: cake, candles, ring Ann"
    is a list, "note: the code is 1234, the key is with Ann" is none."""
    each, speaks = map(str.split, row), reading.phrases("question", "subjects") | reading.phrases("repair", "aux")
    short = all(0 < len(words) <= MAX_THING_WORDS and speaks.isdisjoint(words) for words in each)
    return len(row) >= SEVERAL and short and not any(map(str.isdigit, "".join(row)))


def is_bare(reading: Reading, span: Span, known: Sequence[Span]) -> bool:
    """Whether some words say no more than what is known of them, and when."""
    reader = reading.reader
    small = reader.phrases("small", "words") | reader.phrases(
        "lists", ("beside", "pronouns", "into", "articles", "heads")
    )
    spans = [*known, *(one[:2] for one in reading.find(typed_spans) if one.type in TIMES)]
    said = inside(reading.tokens, span)
    return all(reading.said(token) in small or begins_in(token[0], spans) for token in said)


def is_task(reading: Reading, said: str) -> bool:
    """Whether words say to do something: "to pay the band", «в пятницу оплатить», "recoger las llaves"."""
    words = [word.strip(EDGES) for word in said.split()]
    endings = tuple(reading.phrases("lists", "infinitives"))
    ends = [place for place, word in enumerate(words[:TASK]) if endings and word.endswith(endings)]
    does = any(len(words[place]) > SHORT_VERB or (place == 0 and len(words[0]) == SHORT_VERB) for place in ends)
    return does or not reading.phrases("lists", "to").isdisjoint(words[:1])
