"""What a technician's message says about the machine: readings, parts, damage, faults, repairs, restoration, topics.

Finders over one `Reading`, without any state; use them as `reading.find(measures)`. All words are in
`words/evidence.*.toml`, the parts in the lexicon of the pack. What is negated, asked or supposed is no evidence. A
fault is a part and a state in one clause, a repair an action and a part: "relay is stuck", "put a new cap in".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from holdfast.faculties.desk.library import lemma
from holdfast.reading.reader import Cue, Reader, Reading, Span
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import clause_end, sentence_of, sentences, standing
from holdfast.reading.values import numbers

_WATER = Shape(r"\s*(?:\"|%measures.inches%)?\s*(?:%measures.of% )?(?:w\.?\s?c\b|%measures.water%)")
_OHM = Shape(r"\s*(?P<kilo>k|%measures.kilo%)?\s?-?(?:ω|%measures.ohms%)")
_NOMINAL = Shape(r"\s?(?:v|%measures.volts%)?\s?(?:dc |ac )?%measures.nominal%")
"""What makes a figure a name: "the 12 V side"."""
_STEPS_OF = Shape(r"^\s*%measures.steps%\b")


_MARKS = re.compile(r"[,;:()]| [-\u2013\u2014] ")
_EDGES = " .,;:!?()-\u2013\u2014\u00bf\u00a1"
MIN_FUZZY_LETTERS, MIN_TWO_SLIPS = 6, 11
"""Letters from which on the name of a part may have one slip, and two."""
MAX_FUZZY_WORDS = 60
WORDS_TO_STATE, WORDS_TO_PART = 4, 1
"""Words that may stand between a part and its state: "relay on the board is stuck", "bad flame sensor"."""
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


class Part(NamedTuple):
    """A part that is named, by its id."""

    id: str
    span: Span


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
        spots = [part.span for part in reading.find(parts)] + [cue.span for cue in reading.all("site")]
        on_part = any(start <= spot[0] < end for spot in spots)
        if seen or on_part:
            kind = cue.means
            found.append(Damage(kind, _site(reading, (start, end)), cue.span, cue.id, seen))
    return found


def _site(reading: Reading, span: Span) -> str | None:
    return next((cue.means for cue in reading.all("site") if span[0] <= cue.start < span[1]), None)


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


def clauses(reading: Reading) -> list[Span]:
    """The parts of a message between marks and joining words."""
    joins = reading.reader.phrases("clause", "joins")
    found: list[Span] = []
    for start, end in reading.find(sentences):
        ends = [mark.start() for mark in _MARKS.finditer(reading.folded, start, end)]
        ends += [s for s, e in reading.tokens if start < s < end and reading.folded[s:e] in joins]
        found += [(s, e) for s, e in pairwise([start, *sorted(ends), end]) if reading.folded[s:e].strip(_EDGES)]
    return found


def clause_of(reading: Reading, place: int) -> Span:
    """The clause that a place stands in."""
    found = [span for span in reading.find(clauses) if span[0] <= place]
    return found[-1] if found else (0, len(reading.text))


def parts(reading: Reading) -> list[Part]:
    """The parts that a message names, by their ids: the longest name where names overlap, slips of spelling known."""
    found: list[Part] = []
    for cue in sorted(reading.all("part"), key=lambda cue: (cue.start - cue.end, cue.start)):
        if not any(start < cue.end and cue.start < end for _, (start, end) in found):
            found.append(Part(cue.means, cue.span))
    for start, end in reading.tokens[:MAX_FUZZY_WORDS]:
        if not any(s < end and start < e for _, (s, e) in found):
            id = reading.reader.made(_Spelling).part(reading.folded[start:end])
            found += [Part(id, (start, end))] if id else []
    tools = [cue.end for cue in reading.all("tool")]
    mine = [part for part in found if not any(0 <= part.span[0] - end <= 1 for end in tools)]
    return sorted(mine, key=lambda part: part.span)  # the meter's battery is no part of the machine


def named_parts(reading: Reading) -> frozenset[str]:
    """The ids of the parts that a message speaks of; a wire or a terminal may be of any part, and tells of none."""
    return frozenset(part.id for part in reading.find(parts)) - reading.reader.phrases("parts", "anywhere")


def heads(reading: Reading) -> list[Part]:
    """The parts that a message speaks of, without those that only say which one is meant: the "relay" of a blower motor
    relay, the "масса" of масса насоса. Where the names stand side by side, English has the head last."""
    links = reading.reader.phrases("clause", "links")
    groups: list[list[Part]] = []
    for part in reading.find(parts):
        between = reading.folded[groups[-1][-1].span[1] : part.span[0]] if groups else "."
        if groups and all(word in links for word in between.split()):
            groups[-1].append(part)
        else:
            groups.append([part])
    last = reading.language in (None, "en")
    return [group[-1 if last else 0] for group in groups]


class _Spelling:
    """The names of parts that a word with a slip in it may mean: "themocouple". Use as `reader.made(_Spelling)`."""

    def __init__(self, reader: Reader, language: str | None) -> None:
        names: dict[str, str] = {}
        for spoken in reader.languages("part_names"):
            names |= {str(name): str(id) for name, id in reader.data("part_names", spoken).items()}
        self._ids = names
        self._by_letter: dict[str, list[str]] = {}
        for name in sorted(name for name in names if len(name) >= MIN_FUZZY_LETTERS):
            self._by_letter.setdefault(name[0], []).append(name)

    def part(self, word: str) -> str | None:
        """The part whose name a word is, but for a slip."""
        said = lemma(word)
        if len(said) < MIN_FUZZY_LETTERS or not word.isalpha():
            return None
        slips = 1 if len(word) < MIN_TWO_SLIPS else 2
        alike = self._by_letter.get(word[0], ())
        near = process.extractOne(said, alike, scorer=OSA.distance, score_cutoff=slips)
        return self._ids[near[0]] if near else None


def faults(reading: Reading) -> list[Fault]:
    """Parts that are named as faulty. A part said to be in order is none, and neither is a bad day."""
    if not reading.has("fault", "bad"):
        return []
    excused = [cue.span for cue in reading.all("fault_not")]
    found: list[Fault] = []
    for cue in (*reading.all("fault"), *reading.all("bad")):
        if any(start < cue.end and cue.start < end for start, end in excused):
            continue
        if negated(reading, cue.span) or supposed(reading, cue.span):
            continue
        span = _named_by(reading, cue)
        if span is not None and not any(f.span[0] < cue.end and cue.start < f.span[1] for f in found):
            found.append(Fault(reading.words(span), (min(span[0], cue.start), max(span[1], cue.end)), cue.id))
    return sorted(found, key=lambda fault: fault.span)


def _named_by(reading: Reading, cue: Cue) -> Span | None:
    """The part that a word for a fault speaks of: named in its own words, or next to it in its clause."""
    if cue.family == "fault":
        return cue.groups.get("part") or cue.groups.get("wound") or cue.span
    start, end = clause_of(reading, cue.start)
    near = []
    for part in reading.find(parts):
        if not start <= part.span[0] < end:
            continue
        before = part.span[1] <= cue.start
        between = (part.span[1], cue.start) if before else (cue.end, part.span[0])
        words = sum(between[0] <= s < between[1] for s, _ in reading.tokens)
        if words <= (WORDS_TO_STATE if before else WORDS_TO_PART):
            near.append((words, not before, part.span))
    return whole_name(reading, min(near)[2]) if near else None


def whole_name(reading: Reading, span: Span) -> Span:
    """The name of a part with the parts it belongs to: "blower motor relay", "реле давления насоса"."""
    start, end = span
    known = reading.find(parts)
    for part in reversed(known):
        if part.span[1] < start and not reading.folded[part.span[1] : start].strip():
            start = part.span[0]
    for part in known:
        between = reading.folded[end : part.span[0]] if part.span[0] > end else "."
        if all(word in reading.reader.phrases("clause", "links") for word in between.split()) and between != ".":
            end = part.span[1]
    lead = [(s, e) for s, e in reading.tokens if e <= start]
    if len(lead) > 1 and reading.folded[slice(*lead[-2])] in reading.reader.phrases("articles", "words"):
        small = reading.reader.phrases("stop", "words") | reading.reader.phrases("articles", "words")
        word = reading.folded[slice(*lead[-1])]
        start = lead[-1][0] if lead[-1][1] == start - 1 and word not in small else start
    return start, end


def repaired(reading: Reading) -> Cue | None:
    """A repair that was done in this case. "Needs to be replaced" is none, nor is what was done last week."""
    needed = [cue.span for cue in reading.all("repair_needed")]
    for cue in sorted((*reading.all("repair_done"), *_composed(reading)), key=lambda cue: cue.start):
        wished = any(start <= cue.start < end for start, end in needed)
        if wished or negated(reading, cue.span) or supposed(reading, cue.span):
            continue
        start, end = clause_of(reading, cue.start)
        if not any(start <= told.start < end for told in reading.all("before_case")):
            return cue
    return None


def _composed(reading: Reading) -> Iterator[Cue]:
    """Actions that are repairs by what they are done to: a part changed, a new one put in."""
    for start, end in reading.find(clauses) if reading.has("changing", "placing", "brand_new") else ():
        if not any(start <= part.span[0] < end for part in reading.find(parts)):
            continue

        def here(family: str, start: int = start, end: int = end) -> list[Cue]:
            return [cue for cue in reading.all(family) if start <= cue.start < end]

        yield from here("changing")
        yield from here("placing") if here("brand_new") else ()
        if reading.has("restored", "all_well"):
            yield from here("brand_new")  # "new cap in there, runs great"


def restored(reading: Reading) -> Cue | None:
    """That the unit works again; told with a repair, also that it runs, or that all is well."""
    denied = [cue.span for cue in reading.all("not_restored")]
    repair = reading.find(repaired) if reading.has("runs", "all_well") else None
    after = repair.end if repair is not None else len(reading.text)
    for cue in sorted(
        (*reading.all("restored"), *(c for f in ("runs", "all_well") for c in reading.all(f) if c.start >= after)),
        key=lambda cue: cue.start,
    ):
        inside = any(start < cue.end and cue.start < end for start, end in denied)
        if not inside and not negated(reading, cue.span) and not supposed(reading, cue.span):
            return cue
    return None


def topics(reading: Reading) -> list[str]:
    """The topics of the bench that the message gives something on, in the order of the text."""
    found: dict[str, None] = {}
    for cue in reading.all("topic"):
        if "question" not in reading.find(standing).of(cue.span):
            found[cue.means] = None
    return list(found)


def key_findings(reading: Reading) -> list[tuple[str, Cue]]:
    """Findings that decide cases, under their English names."""
    names = reading.reader.data("key_findings", "en")
    found: dict[str, Cue] = {}
    for cue in reading.all("key_finding"):
        if not negated(reading, cue.span) and not supposed(reading, cue.span):
            found.setdefault(str(names[cue.means]), cue)
    if not found and reading.find(faults):  # the general name only where no particular one fits
        fault = reading.find(faults)[0]
        found[str(names["failed_component"])] = Cue(fault.rule, "key_finding", "", *fault.span, {})
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
