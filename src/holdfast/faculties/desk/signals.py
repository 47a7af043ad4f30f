"""What a technician's message says about the machine: readings, damage, faults, repairs, restoration, topics.

Finders over one `Reading`, without any state; use them as `reading.find(measures)`. All words are in
`words/evidence.*.toml`. What is negated, asked or supposed is no evidence.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from holdfast.reading.reader import Cue, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import clause_end, sentences, standing
from holdfast.reading.values import numbers

_WATER = Shape(r"\s*(?:\"|%measures.inches%)?\s*(?:%measures.of% )?(?:w\.?\s?c\b|%measures.water%)")
_OHM = Shape(r"\s*(?P<kilo>k|%measures.kilo%)?\s?-?(?:ω|%measures.ohms%)")
_NOMINAL = Shape(r"\s?(?:v|%measures.volts%)?\s?(?:dc |ac )?%measures.nominal%")
"""What makes a figure a name: "the 12 V side"."""
_STEPS_OF = Shape(r"^\s*%measures.steps%\b")


NEAR = 8
"""Characters after "direct" in which a voltage is still the one that was applied."""
ELECTRIC = frozenset({"V", "mV", "A", "ohm"})


class Measure(NamedTuple):
    """A reading that somebody took."""

    value: float
    unit: str | None
    span: Span


class Damage(NamedTuple):
    """Harm that was seen: which kind, and where."""

    kind: str
    site: str | None
    span: Span
    rule: str
    found: bool
    """Whether it was said to be found or seen, and not just described."""


class Fault(NamedTuple):
    """A part that is named as faulty."""

    part: str
    span: Span
    rule: str


def negated(reading: Reading, span: Span) -> bool:
    """Whether what stands there is denied: by a word before it, or by one right after it ("утечки нет"). A "not" inside
    the words themselves ("does not open") belongs to what they say."""
    if "negated" in reading.find(standing).of((span[0], span[0] + 1)):
        return True
    stop = clause_end(reading, span[1])
    return any(span[1] <= cue.start <= min(stop, span[1] + 25) for cue in reading.all("absent"))


def supposed(reading: Reading, span: Span) -> bool:
    """Whether it is asked, imagined or quoted rather than said. Without a mark only an inversion makes a question: "es"
    and "hay" open statements too, and so does "does not stay lit"."""
    flags = reading.find(standing).of(span)
    if "question" in flags and "?" not in reading.words(sentence_of(reading, span)) and not reading.has("inverted"):
        flags = flags - {"question"}
    return bool(flags & {"question", "hypothetical", "quoted"})


def wondered(reading: Reading, cue: Cue) -> bool:
    """Whether somebody does not know a thing that nobody could check: "no idea why they put it there"."""
    after = reading.folded[cue.end : cue.end + NEAR].split(maxsplit=1)
    return bool(after) and after[0] in reading.reader.phrases("wonder", "words")


def sentence_of(reading: Reading, span: Span) -> Span:
    """The sentence in which a span begins."""
    found = reading.find(sentences)
    place = bisect_right(found, (span[0], len(reading.text))) - 1
    if place >= 0 and found[place][0] <= span[0] < found[place][1]:
        return found[place]
    return 0, len(reading.text)


def measures(reading: Reading) -> list[Measure]:
    """Readings with their units. A voltage that is denied, or that was applied rather than read, is none."""
    applied = [cue.span for cue in reading.all("direct_power")]
    water, ohm, nominal, steps_of = (reading.reader.made(shape) for shape in (_WATER, _OHM, _NOMINAL, _STEPS_OF))
    found = []
    for number in reading.find(numbers):
        whole = number.value == int(number.value)
        if reading.folded[number.span[0]] not in "-0123456789" and number.unit not in ELECTRIC and whole:
            continue  # "one of them": no instrument says that; "twelve volts" and "twelve point four" it may
        value, unit = number.value, number.unit
        after = reading.folded[number.span[1] : number.span[1] + 16]
        if unit in (None, "in") and water.match(after):
            unit = "inWC"
        elif unit is None and (ohms := ohm.match(after)):
            value, unit = value * (1000 if ohms["kilo"] else 1), "ohm"
        if (
            nominal.match(after)
            or steps_of.match(after)
            or any(start <= number.span[0] < end + NEAR for start, end in applied)
        ):
            continue
        if unit is not None and negated(reading, number.span) and value:
            continue
        found.append(Measure(value, unit, number.span))
    return found


def damage(reading: Reading) -> list[Damage]:
    """Harm that the message says is there."""
    if not reading.has("damage"):
        return []
    excused = [cue.span for cue in reading.all("damage_not")]
    found = []
    for cue in reading.all("damage"):
        if any(start <= cue.start < end for start, end in excused):
            continue
        if negated(reading, cue.span) or supposed(reading, cue.span):
            continue
        start, end = sentence_of(reading, cue.span)
        seen = any(start <= verb.start < end and not negated(reading, verb.span) for verb in reading.all("found"))
        on_part = any(start <= part.start < end for family in ("part", "site") for part in reading.all(family))
        if seen or on_part:
            kind = cue.id.rpartition(".")[2]
            found.append(Damage(kind, _site(reading, (start, end)), cue.span, cue.id, seen))
    return found


def _site(reading: Reading, span: Span) -> str | None:
    return next((cue.id.rpartition(".")[2] for cue in reading.all("site") if span[0] <= cue.start < span[1]), None)


def path_label(harm: list[Damage]) -> str | None:
    """The name of the path that new damage opens."""
    for hurt in harm:
        if hurt.kind == "leak" and hurt.site == "coil":
            return "refrigerant_leak_path"
        if hurt.kind == "leak" and hurt.site == "line":
            return "fluid_leak_path"
    kinds = {hurt.kind for hurt in harm}
    if "burn" in kinds:
        return "electrical_damage_path"
    if "crack" in kinds:
        return "mechanical_damage_path"
    return None


def faults(reading: Reading) -> list[Fault]:
    """Parts that are named as faulty. A part said to be in order is none, and neither is a bad day."""
    if not reading.has("fault"):
        return []
    excused = [cue.span for cue in reading.all("fault_not")]
    found = []
    for cue in reading.all("fault"):
        if any(start < cue.end and cue.start < end for start, end in excused):
            continue
        if negated(reading, cue.span) or supposed(reading, cue.span):
            continue
        span = cue.groups.get("part") or cue.groups.get("wound") or cue.span
        found.append(Fault(reading.words(span), cue.span, cue.id))
    return found


def repaired(reading: Reading) -> Cue | None:
    """A repair that was done. "Needs to be replaced" is none."""
    needed = [cue.span for cue in reading.all("repair_needed")]
    for cue in reading.all("repair_done"):
        wished = any(start <= cue.start < end for start, end in needed)
        if not wished and not negated(reading, cue.span) and not supposed(reading, cue.span):
            return cue
    return None


def restored(reading: Reading) -> Cue | None:
    """That the unit works again."""
    denied = [cue.span for cue in reading.all("not_restored")]
    for cue in reading.all("restored"):
        inside = any(start < cue.end and cue.start < end for start, end in denied)
        if not inside and not negated(reading, cue.span) and not supposed(reading, cue.span):
            return cue
    return None


def restored_now(reading: Reading) -> Cue | None:
    """That the unit works now, in words that cannot be the answer to a step."""
    strong = reading.first("restored_now")
    return strong if strong is not None and reading.find(restored) is not None else None


def topics(reading: Reading) -> list[str]:
    """The topics of the bench that the message gives something on, in the order of the text."""
    found: dict[str, None] = {}
    for cue in reading.all("topic"):
        if "question" not in reading.find(standing).of(cue.span):
            found[cue.id.rpartition(".")[2]] = None
    return list(found)


def key_findings(reading: Reading) -> list[tuple[str, Cue]]:
    """Findings that decide cases, under their English names."""
    names = reading.reader.data("key_findings", "en")
    found: dict[str, Cue] = {}
    for cue in reading.all("key_finding"):
        if not negated(reading, cue.span) and not supposed(reading, cue.span):
            found.setdefault(str(names[cue.id.rpartition(".")[2]]), cue)
    if found.keys() - {"failed component"}:
        found.pop("failed component", None)  # the general name only where no particular one fits
    return list(found.items())


def state_words(reading: Reading) -> str | None:
    """Whether a part is called in order ("ok"), not in order ("not ok"), or neither."""
    if reading.find(faults) or any(not negated(reading, cue.span) for cue in reading.all("not_working")):
        return "not ok"
    for cue in reading.all("in_order"):
        return "not ok" if negated(reading, cue.span) else "ok"
    if reading.find(damage) or any(not negated(reading, cue.span) for cue in reading.all("unwell")):
        return "not ok"
    return None


def bare(reading: Reading, family: str) -> bool:
    """Whether the message is no more than a yes or a no."""
    said = reading.first(family)
    return said is not None and len(reading.tokens) <= 2 and "?" not in reading.text
