"""Matter that a person hands over inside a message: a mail, a letter, a log, a talk of others, code.

Its words are theirs who wrote it: "my name is Bob" in a mail that is to be summed up names nobody here. Looked for line
by line, and only in messages of several lines, so that an ordinary message pays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.reading.reader import Reading, Span
from holdfast.reading.text import later

MIN_LINES = 2
"""Lines from which on a log or the head of a mail is one."""
TALK = 3
"""Lines from which on what several people say is a talk."""
CODE = 3
"""Lines from which on code is code, unless one of them can be nothing else."""
SALUTE = 5
"""Words of the line that opens a letter."""

_LOGGED = later(
    r"\[?(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4}|[a-z]{3} {1,2}\d{1,2})[t ,]{1,2}\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|\[?(?:trace|debug|info|warn|warning|error|fatal|critical)\b ?[\]:|]"
)
_CODED = later(
    r"\s*(?:def \w+\(|class \w+ ?[:({]|import [\w.{*]|from \S+ import |return\b|(?:if|for|while|try|else)\b.*[:{]$"
    r"|(?:function|async|public|private|static) |(?:const|let|var) \w+ ?=|#include|[\w.]+\(.*\);?$|[)}\]]+[;,]?$"
    r"|[\w.\[\]\"']+ ?[-+]?= ?\S|</?\w+[ >/])"
)
_SURELY_CODED = later(
    r".*(?:\{$|[)\]}];|[-+*/!=]=[ =]|=>|&&|\|\||\w::\w|\w\[\w+\]|\w\((?:[^()]*[=,'\"][^()]*)?\)[:;]?$|\((?:[^()]*;){2})"
    r"|select .* from |def \w+\("
)
_LINE = later(r"(?m)^.*$")
_TAG = later(r"</?([a-z][a-z0-9]*)(?:\s[^<>]{0,500})?/?>")
BLOCKS = frozenset(
    "html head title body main section article aside nav header footer div p table tr td th ul ol li dl dt dd form "
    "label input button select textarea script style iframe h1 h2 h3 h4 h5 h6 blockquote pre span meta".split()
)
"""Marks of a page's parts; others only set words in another type."""
_SPEAKER = later(r"(?:\[[^\]\n]{1,20}\] ?)?([^\W\d_][\w.'-]+(?: [\w.'-]+)?): ")


def pasted(reading: Reading) -> list[Span]:
    """The parts of a message that somebody else wrote."""
    text = reading.folded
    if "\n" not in text:
        return list(_markup(text))
    lines = [line.span() for line in _LINE.finditer(text)]
    letter = min((start for find in (_mail, _forwarded, _letter) for start in find(reading, lines)), default=None)
    told = [*_log(text, lines), *_talk(text, lines), *_code(text, lines), *_markup(text)]
    return told if letter is None else [*told, (letter, len(text))]


def _words(reading: Reading, key: str) -> frozenset[str]:
    """Of all languages: a mail need not be in the one of the person who hands it over."""
    return reading.reader.phrases("pasted", key)


def _mail(reading: Reading, lines: list[Span]) -> Iterator[int]:
    """Where a mail begins: with lines such as "From:" and "To:", of which one has a subject or an address. A form that
    is filled in ("from: Paris, to: Rome") has neither."""
    text, headers, subjects = reading.folded, _words(reading, "headers"), _words(reading, "subjects")
    first, count, sure = 0, 0, False
    for start, end in lines:
        head = text[start : min(end, start + 24)].partition(":")
        name = head[0].strip(" *>")
        if not head[1] or name not in headers:
            count, sure = 0, False
            continue
        first = first if count else start
        count, sure = count + 1, sure or name in subjects or "@" in text[start:end]
        if count >= MIN_LINES and sure:
            yield first
            return


def _forwarded(reading: Reading, lines: list[Span]) -> Iterator[int]:
    """What stands below "---- Forwarded message ----" or "Bob wrote:"; a line with figures is the mail's own."""
    marks, wrote = _words(reading, "forwarded"), tuple(_words(reading, "wrote"))
    for start, end in lines:
        if end - start > 200:
            continue
        line = reading.folded[start:end].strip(" -_=*>")
        if line.rstrip(":") in marks or (line.endswith(wrote) and line not in wrote):
            yield start if any(map(str.isdigit, line)) else end
            return


def _letter(reading: Reading, lines: list[Span]) -> Iterator[int]:
    """A letter below what is asked about it: a line of its own with "Hi Dana,". At the very beginning it is the
    person's own."""
    salutes = _words(reading, "salutes")
    blank = False
    for number, (start, end) in enumerate(lines):
        line = reading.folded[start : min(end, start + 80)].strip()
        words = line.split(" ")
        opens = words[0].rstrip(",!") in salutes or " ".join(words[:2]).rstrip(",!") in salutes
        if number and blank and opens and line[-1:] in (",", "!", ":") and len(words) <= SALUTE and end - start < 80:
            yield start
            return
        blank = not line


def _log(text: str, lines: list[Span]) -> list[Span]:
    found = [(start, end) for start, end in lines if _LOGGED.match(text, start, end)]
    return found if len(found) >= MIN_LINES else []


def _code(text: str, lines: list[Span]) -> list[Span]:
    """From the first line of code to the last, with the comments between."""
    short = [(start, end) for start, end in lines if end - start < 300]
    sure = [line for line in short if _SURELY_CODED.match(text, *line)]
    found = sorted({*sure, *(line for line in short if _CODED.match(text, *line))})
    return [(found[0][0], found[-1][1])] if sure or len(found) >= CODE else []


def _markup(text: str) -> Iterator[Span]:
    """A page, or a part of one: from its first mark to its last. Words that are only set in bold are the person's."""
    tags = list(_TAG.finditer(text)) if "</" in text else []
    if any(tag[1] in BLOCKS for tag in tags):
        yield tags[0].start(), tags[-1].end()


def _talk(text: str, lines: list[Span]) -> list[Span]:
    """Lines that name their speakers, of whom somebody speaks twice: in a form that is filled in nobody does."""
    heads = ((_SPEAKER.match(text, start, min(end, start + 80)), (start, end)) for start, end in lines)
    found = [(hit[1], line) for hit, line in heads if hit]
    names = {name for name, _ in found}
    return [span for _, span in found] if len(found) >= TALK and 1 < len(names) < len(found) else []
