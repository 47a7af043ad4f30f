"""Facts in the text of one item of a reply: price, rating, reviews, address, phone, link, hours, place and time.

The patterns are fixed and without nested choices, so the standard library's matcher stays linear.
"""

from __future__ import annotations

import re
from typing import Any

from holdfast.reading.reader import Span

LONGEST = 1200
"""Characters of one item that are read."""
EDGES = " \t\r\n*_`\"'“”«».,;:!?-–—•·|#>()[]️"
"""What may stand around a name or a value without being part of it."""

_PRICE = re.compile(
    r"(?<![\w$])(\${1,4}|€{1,4}|£{1,4})(?![\w$€£])|([$€£₽])\s?(\d{1,6}(?:[.,]\d{1,3})*)|(\d{1,6}(?:[.,]\d{2})?)\s?(?:[€₽]|dollars|euros|руб)"
)
_STARS = re.compile(
    r"(\d(?:[.,]\d{1,2})?)\s?(?:/\s?(?:5|10)|-?\s?(?:⭐|★|stars?\b|из 5|estrellas?\b))"
    r"|(?:⭐️?|★|rat(?:ing|ed):?\**|рейтинг:?|calificaci[oó]n:?)\s?(\d(?:[.,]\d{1,2})?)(?![\d%])",
    re.I,
)
_REVIEWS = re.compile(r"\(?(\d[\d.,]{0,9})\s?(?:reviews|ratings|отзыв\w*|reseñas)", re.I)
_PHONE = re.compile(
    r"(?<![\w-])\+?\(?\d{1,4}\)?[\s.-]?\(?\d{2,4}\)?[\s.-]\d{2,4}[\s.-]?\d{2,4}(?:[\s.-]\d{2,4})?(?![\w-])"
)
_LINK = re.compile(r"https?://[^\s)\]>\"']{1,300}|(?<![\w@.])www\.[^\s)\]>\"']{1,200}")
_VALUE = re.compile(
    r"(?P<label>address|адрес|direcci[oó]n|📍|🏠|location|ubicaci[oó]n|hours|opening hours|часы работы|horario|🕒|⏰|"
    r"cuisine|кухня|cocina|category|type|date|when|дата|fecha|📅|time|время|hora)"
    r"\**\s?:?\**\s*(?P<value>[^\n|•;]{2,120})",
    re.I,
)
_STREET = re.compile(
    r"(?<![\w-])\d{1,5}[A-Za-z]?(?:\s?-\s?\d{1,5})? (?:[A-ZА-ЯÀ-Þ0-9][\w'.-]* ){1,4}"
    r"(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Ln|Lane|Dr|Drive|Way|Pl|Place|Sq|Square|Pike|Hwy|Parkway|Court|Ct|Row|Walk)\b\.?"
    r"(?:,? [A-ZА-ЯÀ-Þ][\w'. -]{1,40})?(?:, [A-ZА-ЯÀ-Þ][\w'. -]{1,40})*"
)
_IN = re.compile(
    r"(?:\b(?:in|near|в|en)\s)((?:(?:South|North|East|West|Old|Center|downtown|Downtown)\s)?[A-ZА-ЯÀ-Þ][\w'-]+(?:\s[A-ZА-ЯÀ-Þ][\w'-]+){0,2})"
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*"
_DIGIT = re.compile(r"\d")
_MARKUP = re.compile(r"[*_`#|\[\]()]+")
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|"
    rf"{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}} {_MONTH}|\d{{4}}-\d{{2}}-\d{{2}}|"
    r"завтра|сегодня|понедельник|вторник|среду?|четверг|пятницу?|субботу?|воскресенье|"
    r"mañana|hoy|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
)
_CLOCK = r"(?:\d{1,2}(?::\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.)|\d{1,2}:\d{2})"
_WHEN = re.compile(rf"\b({_DAY}(?:,? \d{{4}})?(?:,? (?:at |в |a las )?{_CLOCK})?|{_CLOCK}(?: (?:on )?{_DAY})?)", re.I)
_DETAILS = {"📍": "address", "🏠": "address", "адрес": "address", "location": "place", "🕒": "hours", "⏰": "hours"}
_DETAILS |= {
    "opening hours": "hours",
    "часы работы": "hours",
    "horario": "hours",
    "кухня": "cuisine",
    "cocina": "cuisine",
}
_DETAILS |= {
    "📅": "date",
    "when": "date",
    "дата": "date",
    "fecha": "date",
    "время": "time",
    "hora": "time",
    "type": "category",
}


def read_facts(text: str, span: Span, id: Span | None) -> dict[str, Any]:
    """Price, rating, reviews, address, phone, link, hours, place and time from the text of one item."""
    start, end = span[0], min(span[1], span[0] + LONGEST)
    piece = text[start:end]
    if id and start <= id[0] < end:
        piece = text[start : id[0]] + " " * (id[1] - id[0]) + text[id[1] : end]
    facts: dict[str, Any] = {}
    about = " ".join(_MARKUP.sub(" ", piece).split()).strip(EDGES)
    if not about:
        return facts
    for m in _VALUE.finditer(piece):
        label = m["label"].casefold()
        value = m["value"].strip(EDGES)
        if value:
            facts.setdefault(
                _DETAILS.get(
                    label, label.replace("ó", "o").replace("direccion", "address").replace("ubicacion", "place")
                ),
                value,
            )
    if price := _PRICE.search(piece):
        facts["price"] = price[0].strip()
    if link := _LINK.search(piece):
        facts["website"] = link[0]
    if _DIGIT.search(piece):
        _numbers(piece, facts)
    _where(piece, facts)
    if "date" not in facts and "hours" not in facts and (when := _WHEN.search(piece)):
        facts["date" if re.search(_DAY, when[0], re.I) else "time"] = when[0]
    facts["about"] = about[:200]
    return facts


def _numbers(piece: str, facts: dict[str, Any]) -> None:
    """What has digits in it: rating, reviews, phone, street."""
    if stars := _STARS.search(piece):
        facts["rating"] = float((stars[1] or stars[2]).replace(",", "."))
    if reviews := _REVIEWS.search(piece):
        facts["reviews"] = int(re.sub(r"\D", "", reviews[1]))
    if phone := _PHONE.search(piece):
        facts["phone"] = phone[0].strip()
    if "address" not in facts and (street := _STREET.search(piece)) and not _WHEN.match(street[0]):
        facts["address"] = street[0].strip(EDGES)


def _where(piece: str, facts: dict[str, Any]) -> None:
    """The town: named after "in", or the part of the address that follows the street."""
    if "place" not in facts and (named := _IN.search(piece)):
        facts["place"] = named[1]
    parts = [part.strip() for part in str(facts.get("address", "")).split(",")]
    if "place" not in facts and len(parts) > 1 and parts[1] and not parts[1][0].isdigit():
        facts["place"] = parts[1]
