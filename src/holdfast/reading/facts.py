"""Facts in the text of one item of a reply: price, rating, reviews, address, phone, link, hours, place and time.

The words are `data.facts` and `data.fact_labels` of the table `words/reply.tsv`, of all languages of the pack
at once: a reply may mix them. Use as `reader.made(Facts)`. The patterns are without nested choices, so the standard
library's matcher stays linear. Signs of money, stars and the clock are the same in every language and stand here.
"""

from __future__ import annotations

import re
from typing import Any

from holdfast.reading.reader import Reader, Span
from holdfast.reading.tables import either
from holdfast.reading.text import UPPER, later

LONGEST = 1200
"""Characters of one item that are read."""
EDGES = " \t\r\n*_`\"'“”«».,;:!?-–—•·|#>()[]️"
"""What may stand around a name or a value without being part of it."""

_PHONE = re.compile(
    r"(?<![\w-])\+?\(?\d{1,4}\)?[\s.-]?\(?\d{2,4}\)?[\s.-]\d{2,4}[\s.-]?\d{2,4}(?:[\s.-]\d{2,4})?(?![\w-])"
)
_LINK = re.compile(r"https?://[^\s)\]>\"']{1,300}|(?<![\w@.])www\.[^\s)\]>\"']{1,200}")
_DIGIT = re.compile(r"\d")
_MARKUP = re.compile(r"[*_`#|\[\]()]+")
_MONEY = "$€£₽₦₹¥"
_SIGNS = "|".join(f"[{sign}]{{1,4}}" for sign in _MONEY)
_AMOUNT = rf"(?<![\w$])({_SIGNS})(?![\w{_MONEY}])|([{_MONEY}])\s?(\d{{1,6}}(?:[.,]\d{{1,3}})*)"
_CLOCK = r"(?:\d{1,2}(?::\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.)|\d{1,2}:\d{2})"


class Facts:
    """The words of a pack's languages for what is told of a thing, ready to be looked for."""

    def __init__(self, reader: Reader, language: str | None = None) -> None:
        def words(key: str) -> str:
            return either(reader.phrases("facts", key, language))

        self._labels = {str(k): str(v) for k, v in reader.data("fact_labels", language).items()}
        self._value = later(
            rf"(?P<label>{either(self._labels)})\**\s?:?\**\s*(?P<value>[^\n|•;]{{2,120}})", re.IGNORECASE
        )
        self._price = later(rf"{_AMOUNT}|(\d{{1,6}}(?:[.,]\d{{2}})?)\s?(?:[€₽]|{words('money')})")
        number = r"(\d(?:[.,]\d{1,2})?)"
        self._stars = later(
            rf"{number}\s?(?:/\s?(?:5|10)|-?\s?(?:⭐|★|{words('stars')}\b))"
            rf"|(?:⭐️?|★|{words('rated')}:?\**)\s?{number}(?![\d%])",
            re.IGNORECASE,
        )
        self._reviews = later(rf"\(?(\d[\d.,]{{0,9}})\s?{words('reviews')}", re.IGNORECASE)
        capital = f"[{UPPER}]"
        house = r"(?<![\w-])\d{1,5}[A-Za-z]?(?:\s?-\s?\d{1,5})?"
        self._street = later(
            rf"{house} (?:[{UPPER}0-9][\w'.-]* ){{1,4}}{words('streets')}\b\.?"
            rf"(?:,? {capital}[\w'. -]{{1,40}})?(?:, {capital}[\w'. -]{{1,40}})*"
        )
        self._in = later(
            rf"\b{words('where')}\s((?:{words('quarters')}\s)?{capital}[\w'-]+(?:\s{capital}[\w'-]+){{0,2}})"
        )
        month = rf"{words('months')}\w*"
        day = (
            rf"(?:{words('days')}|{month}\.? \d{{1,2}}{words('nth')}?|\d{{1,2}} (?:{words('day_of')} )?{month}"
            r"|\d{4}-\d{2}-\d{2})"
        )
        self._day = later(day, re.IGNORECASE)
        self._when = later(
            rf"\b({day}(?:,? \d{{4}})?(?:,? (?:{words('at')} )?{_CLOCK})?|{_CLOCK}(?: (?:{words('on')} )?{day})?)",
            re.IGNORECASE,
        )

    def is_day(self, words: str) -> bool:
        """Whether words begin with a day: "Friday", "Oct 27"."""
        return self._day.match(words) is not None

    def read(self, text: str, span: Span, id: Span | None) -> dict[str, Any]:
        """Price, rating, reviews, address, phone, link, hours, place and time from the text of one item."""
        start, end = span[0], min(span[1], span[0] + LONGEST)
        piece = text[start:end]
        if id and start <= id[0] < end:
            piece = text[start : id[0]] + " " * (id[1] - id[0]) + text[id[1] : end]
        facts: dict[str, Any] = {}
        about = " ".join(_MARKUP.sub(" ", piece).split()).strip(EDGES)
        if not about:
            return facts
        for m in self._value.finditer(piece):
            if value := m["value"].strip(EDGES):
                facts.setdefault(self._labels.get(m["label"].casefold(), m["label"].casefold()), value)
        if price := self._price.search(piece):
            facts["price"] = price[0].strip()
        if link := _LINK.search(piece):
            facts["website"] = link[0]
        if _DIGIT.search(piece):
            self._numbers(piece, facts)
        self._where(piece, facts)
        if "date" not in facts and "hours" not in facts and (when := self._when.search(piece)):
            facts["date" if self._day.search(when[0]) else "time"] = when[0]
        facts["about"] = about[:200]
        return facts

    def _numbers(self, piece: str, facts: dict[str, Any]) -> None:
        """What has digits in it: rating, reviews, phone, street."""
        if stars := self._stars.search(piece):
            facts["rating"] = float((stars[1] or stars[2]).replace(",", "."))
        if reviews := self._reviews.search(piece):
            facts["reviews"] = int(re.sub(r"\D", "", reviews[1]))
        if phone := _PHONE.search(piece):
            facts["phone"] = phone[0].strip()
        if "address" not in facts and (street := self._street.search(piece)) and not self._when.match(street[0]):
            facts["address"] = street[0].strip(EDGES)

    def _where(self, piece: str, facts: dict[str, Any]) -> None:
        """The town: named after "in", or the part of the address that follows the street."""
        if "place" not in facts and (named := self._in.search(piece)):
            facts["place"] = named[1]
        parts = [part.strip() for part in str(facts.get("address", "")).split(",")]
        if "place" not in facts and len(parts) > 1 and parts[1] and not parts[1][0].isdigit():
            facts["place"] = parts[1]
