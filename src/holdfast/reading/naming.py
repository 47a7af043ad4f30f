"""How names are written in an agent's reply, and the words around them: labels before them, small words inside them,
what leads to them and what may follow.

The words are `data.reply` of the table `words/reply.tsv`, of all languages of the pack at once: a reply may mix
them. Use as `reading.reader.made(Naming)`. The patterns are without nested choices, so the standard library's matcher
stays linear.
"""

from __future__ import annotations

import re

from holdfast.reading.facts import EDGES, Facts
from holdfast.reading.lexicon import kinds
from holdfast.reading.reader import Reader, Reading, Span
from holdfast.reading.tables import either
from holdfast.reading.text import LOWER, UPPER, later

_LABELLED = re.compile(r"(?:^|[.!?]\s|\n)[ \t>*•-]*(?P<label>[^\W\d][\w'-]*(?: [\w'-]+)?)\s?:\s*$")
_FIGURE = re.compile(r"[$€£₽]?\d|\s[-–—(]")
_PRICED = r"\s(?=[$€£₽]\s?\d|\d[\d.,  ]{0,9}\s?[$€£₽])"
BOLD = re.compile(
    r"\*\*([^*\n]{1,120})\*\*|__([^_\n]{1,120})__(?=\W|$)"
    r"|(?<![*\w])\*([^\s*][^*\n]{0,118})\*(?![*\w])|<(?:b|strong)>([^<\n]{1,120})</"
)
"""Markdown's two ways, the one star of messengers, and HTML."""
QUOTED = re.compile(r"[«“]([^»”\n]{2,60})[»”]|(?<!\w)\"([^\"\n]{2,60})\"")
_CAPITAL = rf"[^\W\d_{LOWER}](?:[\w'’&.-]*\w|\w?\.(?= [{UPPER}]))"  # "Dr. Lund", "J. Brandt"


class Naming:
    """The words of a pack's languages around names, ready to be looked up."""

    def __init__(self, reader: Reader, language: str | None = None) -> None:
        def words(key: str) -> frozenset[str]:
            return reader.phrases("reply", key, language)

        self.facts = reader.made(Facts, language)
        self.labels = words("labels")
        self.compared = words("compared")
        """The title of a first column whose rows compare the other columns."""
        self.scheduled = words("scheduled")
        self._naming = words("naming")
        self._small = words("small")
        self._follows = self._small | words("after")
        counted = rf"^(?i:{either(words('counted'))} )*(?:\d+|(?i:{either(words('counts'))}))"
        self._count = later(rf"{counted} [^\W\d{UPPER}][^\d]{{0,40}}$")
        ids = either(words("ids"))
        self.end = later(rf"\s[-–—:(·|\[→]|(?<!\d):|:(?!\d)|[(|\n\[]|\s{{2,}}|[.!?](?=\s|$)|,\s|\s{ids}\b|{_PRICED}")
        """Where the name that opens an item ends."""
        self.id_near = later(rf"^[^\w\n]*(?i:{ids})\b|^[^\w\n]*ChI")
        self.said = later(
            rf"(?:^|[.!] )[ \t>*•-]*(?i:{either(self._naming)})\**:\**[ \t]*(?P<name>[^\n]{{1,120}})$", re.MULTILINE
        )
        """A line that says the name: "Name: Osteria"."""
        self.hours = later(rf"\b{either(words('hours'))}", re.I)
        joins = either(words("joins"))
        self._sentence = later(rf".*[.!?:]\s+|.*[,;]\s+{joins}?\s*", re.DOTALL)
        self._leading = later(
            rf".*\s{either(words('leading'))}\s+(?=\S)|^{either(words('joining'))}\s+", re.DOTALL | re.I
        )
        inside = rf"(?:{either(words('inside'))} )?{_CAPITAL}"  # "at 3" after a name is when
        titled = rf"{_CAPITAL}(?: (?:{inside}|&|\d{{1,2}}(?![\w,.:-])))*"
        self.titled = later(rf"(?<![\w'’-]){titled}")
        """Words with capital letters in a row."""
        self.breaks = later(rf"[,;]\s|\s[-–—]\s|\s{joins}\s")
        """What parts the things of a sentence."""
        self.at, self.inside = words("at"), reader.phrases("facts", "where", language)
        """What leads to the place of a thing: "at the Thompson", and to a place that is nothing else: "in Fishtown"."""
        self.articles = words("articles")

    def can_be(self, name: str) -> bool:
        """Whether a text can be a name: no label, no count, no sentence."""
        plain = bare(name)
        return (
            bool(plain)
            and plain not in self.labels
            and not self._count.match(name.strip(EDGES))
            and len(name.split()) <= 10
            and not plain.isdigit()
            and " > " not in name  # a way through menus
            and "→" not in name
        )

    def written(self, name: str) -> bool:
        """Whether every word but small ones inside has a capital or a digit ("Museum of Art", "iPhone"), or the name is
        one of a file or a package."""
        words = name.split()
        if len(words) == 1 and any(char in name for char in "._/"):
            return True
        plain = {place for place, word in enumerate(words) if word[0].isalpha() and word.islower()}
        ends = plain.isdisjoint((0, len(words) - 1))
        return bool(words) and ends and all(words[place] in self._small for place in plain)

    def thing(self, text: str, span: Span) -> Span:
        """The words of a piece of a row that name something, without what is told of it: "Lawn is 68 each"."""
        start, end = trimmed(text, *span)
        lead = self._leading.match(text[start:end])
        if lead and text[start : start + lead.end()].casefold().strip() in self._follows:
            start += lead.end()
        stop = _FIGURE.search(text, start, end)
        words = text[start : stop.start() if stop and stop.start() > start else end].split(" ")
        while len(words) > 1 and (words[-1].casefold() in self._follows or not words[-1]):
            words.pop()
        return trimmed(text, start, start + len(" ".join(words)))

    def detail(self, text: str, start: int) -> bool:
        """Whether a bullet holds a detail ("- Address: …") rather than a thing."""
        line = text[start : start + 60].split("\n", 1)[0].lstrip("*_` ")
        head, colon, _ = line.partition(":")
        return bool(colon) and bare(head) in self.labels

    def labelled(self, text: str, floor: int, start: int, labels: frozenset[str] | None = None) -> bool:
        """Whether bold text stands after a label ("Note: **…**"): any label, or one of `labels`."""
        line = max(floor, text.rfind("\n", 0, start) + 1, start - 80)
        label = _LABELLED.search(text[line:start].rstrip("*_"))
        if label is None:
            return False
        word = label["label"].casefold()
        return word in labels if labels is not None else word.split()[-1] not in self._naming

    def proper(self, text: str, span: Span) -> Span:
        """The part of a phrase that is the name: after the last sentence and after words that lead to a name."""
        start, end = trimmed(text, *span)
        for pattern in (self._sentence, self._leading):
            lead = pattern.match(text[start:end])
            if lead and lead.end() < end - start:
                start += lead.end()
        quote = max(text.rfind(mark, start, end) for mark in "«“")
        start = max(start, quote + 1)
        return trimmed(text, start, end)


def trimmed(text: str, start: int, end: int) -> Span:
    """A name without the marks around it."""
    while start < end and text[start] in EDGES:
        start += 1
    # what closes a bracket or a quotation inside the name belongs to it: "Cafe (Old Town)", «Книга «Сад мечты»»
    while start < end and text[end - 1] in EDGES and _PAIRS.get(text[end - 1], "\n") not in text[start : end - 1]:
        end -= 1
    return start, end


_PAIRS = {")": "(", "»": "«", "”": "“"}


def bare(label: str) -> str:
    """A label without marks, in lower case."""
    return label.strip(EDGES + "🆔📍⭐").casefold()


def is_title(reading: Reading, point: int) -> bool:
    """Whether a full stop is that of a title, and ends nothing: "Dr. Lund"."""
    word = reading.folded[max(0, point - 8) : point].rpartition(" ")[2]
    return word.isalpha() and "title" in kinds([word], spoken(reading))[0]


def spoken(reading: Reading) -> tuple[str, ...]:
    """The language of a reply, or all of them where it has none."""
    return (reading.language,) if reading.language else ("en", "ru", "es")
