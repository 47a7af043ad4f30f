"""The things that a reply shows, as entities: the items of its lists and tables, ids with the names they belong to, and
what its sentences name.

An id ("Place ID: ChIJ…", "[SKU: 77-a]") belongs to the list item that holds it; outside a list, to the nearest bold
text before it. What stands after a label ("Note: **closed**") and counts ("**3 options**") are never names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from holdfast.events import Entity
from holdfast.reading.facts import EDGES
from holdfast.reading.lexicon import kinds
from holdfast.reading.naming import BOLD, Naming, bare, spoken, trimmed
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.shown.items import HEADING, MAX_ITEMS, NAME, ListItem, asks_after, bold_before, list_items
from holdfast.reading.shown.names import Told, in_sentences
from holdfast.reading.text import fold

MAX_NAME_WORDS = 4
"""Words of an item that names something among names, even where it is not written like one: "3. Visa card"."""
STEPS = frozenset({"requestverb", "changeverb"})
"""Kinds of words that begin a step."""
LISTS_IN = 20_000
"""Characters of a reply in which a list must begin."""

_OWN = re.compile(r"(?P<name>[^\n*•|(\[:]{1,120}?)\s*[,–—-]?\s*[(\[]?\s*$")
_LIST_SIGNS = frozenset("0123456789-*•|–·▪►\n")


class Named(NamedTuple):
    """Something a reply names, with where it stands."""

    entity: Entity
    span: Span
    passing: bool = False
    """Whether a sentence only names it, by capital letters or in a row with others."""


class _Id(NamedTuple):
    id: str
    span: Span
    start: int
    """Where the words before it ("🆔 Place ID: ") begin."""


class Finder:
    """Finds what a reply shows. `id` is the pattern of an id that may stand alone, `label` what stands before one; with
    `plain`, list items and names without an id count too. Use as `reading.find(finder)`."""

    def __init__(self, id: str | None = None, label: str = "ID", kind: str = "", plain: bool = True) -> None:
        word = rf"(?<!\w)(?i:{re.escape(label)})(?!\w)".replace(r"\ ", r"\s?")
        # a model also writes "ID:" alone, or its own language's word for it: "ID de lugar:", "ID места:"
        short = r"(?<!\w)ID(?!\w)(?: (?:de )?[^\W\d]+)?\**\s?[:#=]\**\s*[`*\[(\"]*"
        after = rf"{word}\**\s?[:#=]?\**\s*[`*\[(\"]*"
        sure = rf"{word}\**\s?[:#=]\**\s*[`*\[(\"]*"
        form = f"(?P<bare>(?<![\\w-]){id}(?![\\w-]))" if id else rf"{sure}(?P<bare>[A-Za-z0-9][\w:./-]{{1,199}})"
        self._id = re.compile(form)
        self._before = re.compile(rf"(?:🆔\s?)?[(\[]?\s*\**(?:{after}|{short})\s*$") if id else None
        self.kind = kind
        self.plain = plain

    def __call__(self, reading: Reading) -> list[Named]:
        text, naming = reading.text, reading.reader.made(Naming)
        items = [] if _LIST_SIGNS.isdisjoint(text[:LISTS_IN]) else reading.find(list_items)
        ids = self._ids(text)
        found = self._identified(text, items, ids, naming)
        if self.plain or found:
            found += self._unidentified(reading, items, [n.span for n in found], bool(ids), naming)
        if self.plain and not found:
            steps = [item.name_span for item in items]  # what a list has is no name if it is no thing of the list
            found += (self._told(text, told, naming) for told in in_sentences(reading, steps))
        return sorted(found, key=lambda named: named.span)

    def _ids(self, text: str) -> list[_Id]:
        found = []
        for m in self._id.finditer(text):
            start = m.start()
            if self._before and (before := self._before.search(text, max(0, start - 40), start)):
                start = before.start()
            found.append(_Id(m["bare"].rstrip(".:/"), m.span("bare"), start))
            if len(found) == MAX_ITEMS:
                break
        return found

    def _identified(self, text: str, items: list[ListItem], ids: list[_Id], naming: Naming) -> list[Named]:
        found: list[Named] = []
        floor = 0
        for id, span, start in ids:
            item = next((i for i in items if i.span[0] <= span[0] < i.span[1]), None)
            if item and floor <= item.name_span[0] and _opens(text, item, naming):
                name, whole, grouped = item.name_span, item.span, True
            else:
                name, grouped = _name_before(text, floor, start, naming), False
                whole = (name[0], _after(text, span[1])) if name[1] > name[0] else span
            facts = _facts(text, item, (name[1], whole[1]), naming, (start, span[1]) if start > name[0] else None)
            if not grouped:
                facts.pop("group", None)
            label = text[slice(*name)]
            floor = max(span[1], name[1])
            found.append(Named(Entity(label[:NAME], id, self.kind, facts), (name[0] if label else span[0], floor)))
        return found

    def _unidentified(
        self, reading: Reading, items: list[ListItem], taken: list[Span], strict: bool, naming: Naming
    ) -> Iterator[Named]:
        """List items that carry no id, of lists of things (a list of steps is none). Beside items with ids they still
        hold their place in the list."""
        text = reading.text
        for item in _things(reading, items, naming, bool(self.kind)):
            beside = strict and not item.heading and item.list != 1
            if beside or any(overlap((item.name_span[0], item.span[1]), span) for span in taken):
                continue
            facts = _facts(text, item, (item.name_span[1], item.span[1]), naming)
            yield Named(Entity(item.name[:NAME], "", self._kind(facts), facts), item.name_span)

    def _told(self, text: str, thing: Told, naming: Naming) -> Named:
        """A thing of plain sentences, with what each of them tells of it."""
        told = [naming.facts.read(text, about, thing.span) for about in thing.about]
        facts = {key: value for each in reversed(told) for key, value in each.items()}
        if len(told) > 1:
            facts["about"] = "; ".join(str(each["about"]) for each in told if "about" in each)
        return Named(Entity(thing.name[:NAME], "", self._kind(facts), facts), thing.span, not thing.marked)

    def _kind(self, facts: dict[str, Any]) -> str:
        return "event" if "date" in facts and "rating" not in facts and "hours" not in facts else self.kind


def _things(reading: Reading, items: list[ListItem], naming: Naming, expected: bool) -> list[ListItem]:
    """The items of those lists of which most are things, without what is too long for a name. Where things are
    `expected`, a few words that begin with a capital are the name of one: "Дом мастеров"."""
    items = [item for item in items if not asks_after(reading.text, item.name_span[1], item.span[1])]
    able = [item for item in items if naming.can_be(item.name)]
    offered = able if able and _offers(reading) else [item for item in able if expected and _entitled(reading, item)]
    named = [item for item in able if _is_thing(reading.text, item, naming, item in offered)]
    things, lists = [item.list for item in named], [item.list for item in items]
    able = [item for item in able if item in named or len(item.name.split()) <= MAX_NAME_WORDS]
    return [item for item in able if 2 * things.count(item.list) > lists.count(item.list)]


def _facts(text: str, item: ListItem | None, rest: Span, naming: Naming, id: Span | None = None) -> dict[str, Any]:
    """What is told of a thing after its name. Of a table row each cell is read after the title of its column: "4.5"
    under "Rating" is one."""
    if item is None or not item.titles:
        facts = naming.facts.read(text, rest, id)
    else:
        cells = zip(item.titles.split("|"), text[slice(*item.span)].split("|"), strict=False)
        line = "\n".join(
            f"{title.strip(EDGES)}: {cell.strip()}"
            for title, cell in cells
            if cell.strip(EDGES) not in ("", item.name) and not bare(title).endswith("id")
        )
        facts = naming.facts.read(line, (0, len(line)), None)
    if item is not None and item.heading:
        facts["group"] = item.heading
    return facts


def _opens(text: str, item: ListItem, naming: Naming) -> bool:
    """Whether the words that open an item which holds an id are its name, and not a detail ("- rated 4.5")."""
    bold = text[max(0, item.name_span[0] - 2) : item.name_span[0]] in ("**", "__")
    return naming.can_be(item.name) and (bold or naming.written(item.name) or not BOLD.search(text, 0, item.span[0]))


def _offers(reading: Reading) -> bool:
    """Whether a reply lets the person choose from its list: "which one sounds good?", "shall I book one of them?"."""
    if "?" not in reading.text:
        return False
    which = any(cue.means == "which" for cue in reading.all("asks"))
    return which or any(words in reading.folded for words in reading.phrases("asking", "of_these"))


def _entitled(reading: Reading, item: ListItem) -> bool:
    """Whether an item has a capital and the length of a name, and does not begin as a step: "Choose a day"."""
    words = item.name.split()
    first = kinds([fold(words[0])], spoken(reading))[0] if words else ()
    return item.name[0].isupper() and len(words) <= MAX_NAME_WORDS and STEPS.isdisjoint(first)


def _is_thing(text: str, item: ListItem, naming: Naming, offered: bool) -> bool:
    """Whether an item without an id is a thing and not a step or a remark: bold, written as a name, to be chosen, or
    with a price."""
    start, end = item.name_span
    if bold_before(text, start) or text[max(0, start - 1) : start] in ("[", "|"):
        return True
    rest = text[end : item.span[1]].split("\n", 1)[0].strip(" \t»”\"'")
    closed = not rest or rest[0] in "-–—(:,|.[?!*$€£₽" or rest[0].isdigit()
    if not closed or len(item.name.split()) > 6:
        return False
    return offered or naming.written(item.name) or "price" in naming.facts.read(text, (end, item.span[1]), None)


def _name_before(text: str, floor: int, start: int, naming: Naming) -> Span:
    """The name that an id outside any item belongs to: the nearest bold text, the words right before, a heading, a line
    that says the name ("Name: Osteria")."""
    spans = [trimmed(text, *m.span(m.lastindex or 0)) for m in BOLD.finditer(text, floor, start)]
    bolds = [span for span in reversed(spans) if naming.can_be(text[slice(*span)])]
    sure = [bold for bold in bolds if not naming.labelled(text, floor, bold[0])]
    named = [
        *_said_before(text, floor, start, naming),
        *_by_pattern(HEADING, "hash", text, floor, start, naming),
        *(
            bold for bold in bolds if not naming.labelled(text, floor, bold[0], naming.labels)
        ),  # "Top pick: **Osteria**"
        *_by_pattern(naming.said, "name", text, floor, start, naming),
    ]
    return next(iter([*sure, *named]), (start, start))


def _said_before(text: str, floor: int, start: int, naming: Naming) -> Iterator[Span]:
    """The words right before an id: those in front of a bracket, or written as a name."""
    line = max(text.rfind("\n", floor, start) + 1, floor)
    own = _OWN.search(text, max(line, start - NAME - 20), start)
    if own and not naming.detail(text, line):
        span = naming.proper(text, own.span("name"))
        name = text[slice(*span)]
        if naming.can_be(name) and (text[start] in "([" or naming.written(name)):
            yield span


def _by_pattern(pattern: re.Pattern[str], group: str, text: str, floor: int, start: int, naming: Naming) -> list[Span]:
    """What a pattern says is a name, the nearest first."""
    found: Sequence[re.Match[str]] = [m for m in pattern.finditer(text, floor, start) if m[group]]
    return [trimmed(text, *m.span(group)) for m in reversed(found) if naming.can_be(m[group])]


def _after(text: str, end: int) -> int:
    """Facts may also follow an id, up to the end of its line."""
    stop = text.find("\n", end)
    return len(text) if stop < 0 else stop
