"""What an agent's reply names: the items of its lists and tables, bold names, ids with the names they belong to.

A list may be numbered or bulleted, stand on one line or many, and come more than once in a reply. An id ("Place ID:
ChIJ…", "[SKU: 77-a]") belongs to the list item that holds it; outside a list, to the nearest bold text before it. What
stands after a label ("Note: **closed**") and counts ("**3 options**") are never names. The patterns here are fixed and
without nested choices, so the standard library's matcher stays linear; the words around names are in `naming.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from holdfast.events import Entity
from holdfast.reading.facts import EDGES
from holdfast.reading.naming import BOLD, Naming, bare, trimmed
from holdfast.reading.offers import Offer, asks_after, heads_question, offers
from holdfast.reading.reader import Reading, Span

MAX_ITEMS = 50
"""Items that are read from one reply."""
NAME = 120
"""Characters of the longest name."""
MAX_NAME_WORDS = 4
"""Words of an item that names something among names, even where it is not written like one: "3. Visa card"."""

_NUMBERED = re.compile(
    r"(?P<lead>^[ \t]*|(?<=\s))(?:\*\*)?\(?(?P<number>\d{1,2})(?:[.)]|️?⃣)(?:\*\*)?[ \t]+(?=\S)", re.MULTILINE
)
_LETTERED = re.compile(r"^[ \t]*\(?(?P<letter>[^\W\d_])[.)][ \t]+(?=\S)", re.MULTILINE)
_BULLET = re.compile(r"^(?P<indent>[ \t]*)[-*•–·▪►][ \t]+(?=\S)", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|(?P<cells>[^\n]*)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]*$")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n]{1,120})|(?P<colon>[^\n|]{1,80}):)[ \t*]*$", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n[ \t]*(?=[^\s\d•*|-])")
_OWN = re.compile(r"(?P<name>[^\n*•|(\[:]{1,120}?)\s*[,–—-]?\s*[(\[]?\s*$")

_ID_FIRST = re.compile(r"ID: ?\S{1,80}[\s,:–—-]+(?=\S)")
_STOP = re.compile(r"[.!?](?:\s|$)|\n")


class ListItem(NamedTuple):
    """One item of a list: its place, its name, all of its text, the heading over the list, the list's number, and of a
    table row the titles of its columns."""

    place: int
    name: str
    name_span: Span
    span: Span
    heading: str = ""
    list: int = 0
    titles: str = ""
    counted: str = ""
    """By what its list counts: "letter", or nothing special."""


class Named(NamedTuple):
    """Something a reply names, with where it stands."""

    entity: Entity
    span: Span
    passing: bool = False
    """Whether a sentence only names it, by capital letters."""


class _Mark(NamedTuple):
    start: int
    end: int
    place: int
    kind: str
    titles: str = ""


def list_items(reading: Reading) -> list[ListItem]:
    """The items of a reply's lists and tables, in the order of the text. Use as `reading.find(list_items)`."""
    text = reading.text
    naming = reading.reader.made(Naming)
    marks = _marks(text, naming)
    headings = [(m.end(), (m["hash"] or m["colon"]).strip(EDGES)) for m in _HEADING.finditer(text)] if marks else []
    found: list[ListItem] = []
    lists = 0
    for number, mark in enumerate(marks[:MAX_ITEMS]):
        lists += mark.place == 1
        end = marks[number + 1].start if number + 1 < len(marks) else len(text)
        end = _item_end(text, mark.end, end, mark.kind, naming)
        name_span = _opening(text, mark.end, end, naming) if mark.kind not in _CELLS else _cell(text, mark.end, end)
        if name_span[1] > name_span[0]:
            over = next((h for place, h in reversed(headings) if place <= mark.start), "") if lists else ""
            name = text[slice(*name_span)]
            found.append(ListItem(mark.place, name, name_span, (mark.end, end), over, lists, mark.titles, mark.kind))
    return found


def _marks(text: str, naming: Naming) -> list[_Mark]:
    """Where items begin. Numbers must count up from one; bullets under a numbered item are its details."""
    marks = list(_numbers(text)) or list(_letters(text))
    bullets = (
        [m for m in _BULLET.finditer(text) if not naming.detail(text, m.end())] if not marks or "\n" in text else []
    )
    if not marks:
        if bullets:
            least = min(len(m["indent"]) for m in bullets)
            bullets = [m for m in bullets if len(m["indent"]) == least]
        marks = [_Mark(m.start(), m.end(), place, "bullet") for place, m in enumerate(bullets, start=1)]
    if "|" in text:
        marks += _rows(text, naming)
    if marks and "```" in text:
        marks = [mark for mark in marks if text.count("```", 0, mark.start) % 2 == 0]  # what code holds is no list
    return sorted(marks)


def _numbers(text: str) -> Iterator[_Mark]:
    chain: list[_Mark] = []
    for m in _NUMBERED.finditer(text):
        number = int(m["number"])
        if ")" in m[0] and "(" not in m[0] and _in_brackets(text, m.start("number")):
            continue  # "(May 2)", but not "(2) …"
        opens = m.start() == 0 or text[m.start() - 1] == "\n" or "\n" in m["lead"]
        mark = _Mark(m.start(), m.end(), number, "line" if opens else "inline")
        if chain and number == chain[-1].place + 1:
            chain.append(mark)
        elif number == 1:
            yield from _whole(chain)
            chain = [mark]
    yield from _whole(chain)


def _letters(text: str) -> list[_Mark]:
    """Lines that count in letters: "A. Osteria", "B. Vedge"."""
    found = list(_LETTERED.finditer(text)) if "\n" in text else []
    letters = [ord(m["letter"].casefold()) for m in found]
    lettered = len(found) > 1 and letters == list(range(letters[0], letters[0] + len(letters)))
    return [_Mark(m.start(), m.end(), place, "letter") for place, m in enumerate(found, start=1)] if lettered else []


def _in_brackets(text: str, place: int) -> bool:
    """Whether a bracket is open there, a little way back in the line."""
    before = text[max(0, place - 60, text.rfind("\n", 0, place) + 1) : place]
    return before.rfind("(") > before.rfind(")")


def _whole(chain: list[_Mark]) -> Iterator[_Mark]:
    """A chain that is a list: one number in the middle of a line is none."""
    if len(chain) > 1 or (chain and chain[0].kind == "line"):
        yield from chain


_CELLS = ("row", "column")


def _rows(text: str, naming: Naming) -> Iterator[_Mark]:
    """The rows of a table; where it compares its columns row by row, the columns. The rows of a timetable are none."""
    rows = list(_ROW.finditer(text))
    place, titles, skipped = 0, "", False
    for number, row in enumerate(rows):
        follows = rows[number + 1] if number + 1 < len(rows) else None
        if _RULE.match(row["cells"]):
            continue  # the rule under a header
        if follows and _RULE.match(follows["cells"]):
            place, titles = 0, row["cells"]
            title = titles.partition("|")[0].strip()
            compares = not title or bare(title) in naming.compared
            skipped = compares or bare(title) in naming.scheduled
            yield from _columns(row) if compares else ()
        elif not skipped:
            place += 1
            yield _Mark(row.start(), row.start("cells"), place, "row", titles)


def _columns(header: re.Match[str]) -> Iterator[_Mark]:
    start = header.start("cells")
    for place, cell in enumerate(header["cells"].split("|")):
        if place:
            yield _Mark(start, start, place, "column")
        start += len(cell) + 1


def _item_end(text: str, start: int, end: int, kind: str, naming: Naming) -> int:
    """An item ends before the next one; the last one before a new paragraph, unless an id still follows there."""
    if kind == "column":
        close = text.find("|", start, end)
        return close if close > 0 else end
    if kind == "row":
        return min(end, text.find("\n", start) if "\n" in text[start:end] else end)
    gap = _BLANK.search(text, start, end)
    if gap and naming.id_near.search(text, gap.end(), min(end, gap.end() + 60)) is None:
        return gap.start()
    return end


def _cell(text: str, start: int, end: int) -> Span:
    """The first cell of a table row that is a name and no number."""
    place = start
    for cell in text[start:end].split("|"):
        span = trimmed(text, place, place + len(cell))
        if any(char.isalpha() for char in text[slice(*span)]):
            return span
        place += len(cell) + 1
    return start, start


def _opening(text: str, start: int, end: int, naming: Naming) -> Span:
    """The name that opens an item: its bold text, else its words up to the first mark."""
    if identified := _ID_FIRST.match(text, start, end):
        start = identified.end()
    while start < end and not (text[start].isalnum() or text[start] in "*_[\"'“«`<"):
        start += 1  # an emoji before the name
    bold = BOLD.match(text, start, end)
    if bold:
        return trimmed(text, *bold.span(bold.lastindex or 0))
    if _bold_before(text, start):
        close = text.find("**", start, min(end, start + NAME))
        if close > 0:
            return trimmed(text, start, close)
    if text[start : start + 1] == "[":
        close = text.find("]", start, min(end, start + NAME))
        return trimmed(text, start + 1, close) if close > 0 else (start, start)
    stop = naming.end.search(text, start, min(end, start + NAME + 2))
    return trimmed(text, start, min(stop.start() if stop else end, start + NAME))


class ReplyReader:
    """Reads what a reply names. `id` is the pattern of an id that may stand alone, `label` what stands before one; with
    `plain`, list items and names without an id count too. Use as `reading.find(reader)`."""

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
        text = reading.text
        items = reading.find(list_items) if any(c.isdigit() or c in "-*•|–·▪►\n" for c in text[:20_000]) else []
        naming = reading.reader.made(Naming)
        ids = self._ids(text)
        found = self._identified(text, items, ids, naming)
        if self.plain or found:
            found += self._unidentified(reading, items, [n.span for n in found], bool(ids), naming)
        if self.plain and not found:
            asking = [i.span for i in items if asks_after(text, i.name_span[1], i.span[1])]
            found += (self._offered(text, offer, naming) for offer in offers(reading, asking))
        elif "**" in text:
            found += self._events(text, [n.span for n in found], naming)
        return sorted(found, key=lambda named: named.span)

    def _ids(self, text: str) -> list[tuple[str, Span, int]]:
        """Each id with its span and where the words before it ("🆔 Place ID: ") begin."""
        found = []
        for m in self._id.finditer(text):
            start = m.start()
            if self._before and (before := self._before.search(text, max(0, start - 40), start)):
                start = before.start()
            found.append((m["bare"].rstrip(".:/"), m.span("bare"), start))
            if len(found) == MAX_ITEMS:
                break
        return found

    def _identified(
        self, text: str, items: list[ListItem], ids: list[tuple[str, Span, int]], naming: Naming
    ) -> list[Named]:
        found: list[Named] = []
        floor = 0
        for id, span, start in ids:
            item = next((i for i in items if i.span[0] <= span[0] < i.span[1]), None)
            named = item and (item.name_span[1] <= start or item.span[0] == start < item.name_span[0])
            if item and named and floor <= item.name_span[0] and _opens(text, item, naming):
                name, whole = item.name_span, item.span
            else:
                name = _name_before(text, floor, start, naming)
                whole = (name[0], _after(text, span[1])) if name[1] > name[0] else span
            if item and item.titles:
                facts = _cell_facts(text, item, naming)
            else:
                facts = naming.facts.read(text, (name[1], whole[1]), (start, span[1]) if start > name[0] else None)
            if item and item.heading and name == item.name_span:
                facts["group"] = item.heading
            label = text[slice(*name)] if name[1] > name[0] else ""
            place = name[0] if label else span[0]
            end = max(span[1], name[1])
            found.append(Named(Entity(label[:NAME], id, self.kind, facts), (place, end)))
            floor = end
        return found

    def _unidentified(
        self, reading: Reading, items: list[ListItem], taken: list[Span], strict: bool, naming: Naming
    ) -> Iterator[Named]:
        """List items that carry no id, of lists of things (a list of steps is none). Beside items with ids they still
        hold their place in the list."""
        text = reading.text
        items = [item for item in items if not asks_after(text, item.name_span[1], item.span[1])]
        offered = bool(items) and _offers(reading)
        named = [item for item in items if naming.can_be(item.name) and _is_thing(text, item, naming, offered)]
        whole = {
            n for n in {i.list for i in items} if 2 * sum(i.list == n for i in named) > sum(i.list == n for i in items)
        }
        short = (i for i in items if i in named or (naming.can_be(i.name) and len(i.name.split()) <= MAX_NAME_WORDS))
        for item in short:
            if item.list not in whole or any(start < item.span[1] and item.name_span[0] < end for start, end in taken):
                continue
            if strict and not item.heading and item.list != 1:
                continue
            rest = (item.name_span[1], item.span[1])
            facts = _cell_facts(text, item, naming) if item.titles else naming.facts.read(text, rest, None)
            if item.heading:
                facts["group"] = item.heading
            yield Named(Entity(item.name[:NAME], "", self._kind(facts), facts), item.name_span)

    def _offered(self, text: str, offer: Offer, naming: Naming) -> Named:
        """A thing of plain sentences, with what each of them tells of it."""
        told = [naming.facts.read(text, about, offer.span) for about in offer.about]
        facts = {key: value for each in reversed(told) for key, value in each.items()}
        if len(told) > 1:
            facts["about"] = "; ".join(str(each["about"]) for each in told if "about" in each)
        return Named(Entity(offer.name[:NAME], "", self._kind(facts), facts), offer.span, not offer.marked)

    def _events(self, text: str, taken: list[Span], naming: Naming) -> Iterator[Named]:
        """Bold names with a date or a time right after them: "**Jazz Night** on Friday at 8pm"."""
        for m in islice(BOLD.finditer(text), MAX_ITEMS):
            name = text[slice(*m.span(m.lastindex or 0))].strip(EDGES)
            if (
                not naming.can_be(name)
                or heads_question(text, m.end())
                or any(start < m.end() and m.start() < end for start, end in taken)
            ):
                continue
            end = _sentence_end(text, m.end())
            facts = naming.facts.read(text, (m.end(), end), None)
            if (
                facts.keys() & {"date", "time"}
                and not naming.hours.search(text, m.end(), end)
                and not naming.labelled(text, 0, m.start())
            ):
                yield Named(Entity(name[:NAME], "", "event", facts), m.span())

    def _kind(self, facts: dict[str, Any]) -> str:
        return "event" if "date" in facts and "rating" not in facts and "hours" not in facts else self.kind


def _cell_facts(text: str, item: ListItem, naming: Naming) -> dict[str, Any]:
    """The facts of a table row, each cell read after the title of its column: "4.5" under "Rating" is one."""
    cells = zip(item.titles.split("|"), text[slice(*item.span)].split("|"), strict=False)
    said = [
        f"{title.strip(EDGES)}: {cell.strip()}"
        for title, cell in cells
        if cell.strip(EDGES) not in ("", item.name) and not bare(title).endswith("id")
    ]
    line = "\n".join(said)
    return naming.facts.read(line, (0, len(line)), None)


def _sentence_end(text: str, start: int) -> int:
    stop = _STOP.search(text, start, start + 120)
    return stop.start() if stop else min(len(text), start + 120)


def _opens(text: str, item: ListItem, naming: Naming) -> bool:
    """Whether the words that open an item which holds an id are its name, and not a detail ("- rated 4.5")."""
    bold = text[max(0, item.name_span[0] - 2) : item.name_span[0]] in ("**", "__")
    return naming.can_be(item.name) and (bold or naming.written(item.name) or not BOLD.search(text, 0, item.span[0]))


def _bold_before(text: str, start: int) -> bool:
    """Whether bold type is on there: "**Osteria**", "**1. Osteria**"."""
    return (
        text[max(0, start - 2) : start] in ("**", "__")
        or text.count("**", text.rfind("\n", 0, start) + 1, start) % 2 == 1
    )


def _offers(reading: Reading) -> bool:
    """Whether a reply lets the person choose from its list: "which one sounds good?", "shall I book one of them?"."""
    if "?" not in reading.text:
        return False
    which = any(cue.means == "which" for cue in reading.all("asks"))
    return which or any(words in reading.folded for words in reading.phrases("asking", "of_these"))


def _is_thing(text: str, item: ListItem, naming: Naming, offered: bool) -> bool:
    """Whether an item without an id is a thing and not a step or a remark: bold, written as a name, to be chosen, or
    with a price."""
    start, end = item.name_span
    if _bold_before(text, start) or text[max(0, start - 1) : start] in ("[", "|"):
        return True
    rest = text[end : item.span[1]].split("\n", 1)[0].strip(" \t»”\"'")
    closed = not rest or rest[0] in "-–—(:,|.[?!*$€£₽" or rest[0].isdigit()
    if not closed or len(item.name.split()) > 6:
        return False
    return offered or naming.written(item.name) or "price" in naming.facts.read(text, (end, item.span[1]), None)


def _name_before(text: str, floor: int, start: int, naming: Naming) -> Span:
    """The name that an id outside any item belongs to: the nearest bold text, the words right before, or a heading."""
    spans = [m.span(m.lastindex or 0) for m in BOLD.finditer(text, floor, start)]
    bolds = [b for s in reversed(spans) if naming.can_be(text[slice(*(b := trimmed(text, *s)))])]
    for bold in bolds:
        if not naming.labelled(text, floor, bold[0]):
            return bold
    line = max(text.rfind("\n", floor, start) + 1, floor)
    own = _OWN.search(text, max(line, start - NAME - 20), start)
    if own and not naming.detail(text, line):
        span = naming.proper(text, own.span("name"))
        bracket = text[start] in "(["
        if naming.can_be(text[slice(*span)]) and (bracket or naming.written(text[slice(*span)])):
            return span
    for m in reversed(list(_HEADING.finditer(text, floor, start))):
        if m["hash"] and naming.can_be(m["hash"]):
            return trimmed(text, m.start("hash"), m.end("hash"))
    for bold in bolds:  # "Top pick: **Osteria**" has nothing better
        if not naming.labelled(text, floor, bold[0], naming.labels):
            return bold
    return _name_in_line(text, floor, line, start, naming)


def _name_in_line(text: str, floor: int, line: int, start: int, naming: Naming) -> Span:
    """A name in the lines before an id: after a label that says so ("Name: Osteria"), else one that is written so."""
    for m in reversed(list(naming.said.finditer(text, floor, start))):
        if naming.can_be(m["name"]):
            return trimmed(text, *m.span("name"))
    for m in reversed(list(_LINE.finditer(text, floor, line))):
        span = naming.proper(text, m.span())
        name = text[slice(*span)]
        if not naming.detail(text, m.start()) and naming.can_be(name) and naming.written(name):
            return span
    return start, start


_LINE = re.compile(r"[^\n]{1,120}$", re.MULTILINE)


def _after(text: str, end: int) -> int:
    """Facts may also follow an id, up to the end of its line."""
    stop = text.find("\n", end)
    return len(text) if stop < 0 else stop
