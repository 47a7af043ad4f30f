"""What a technician's message says about the machine: readings, parts, damage, faults, repairs, restoration, topics.

Finders over one `Reading`, without any state; use them as `reading.find(measures)`. All words are in
`words/evidence.tsv`, the parts in the lexicon of the pack. What is negated, asked or supposed is no evidence. A
fault is a part and a state in one clause, a repair an action and a part: "relay is stuck", "put a new cap in".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from holdfast.faculties.desk.hearing import NOT, spans
from holdfast.faculties.desk.library import lemma
from holdfast.reading.model.clauses import strange
from holdfast.reading.reader import Cue, Reader, Reading, Span, overlap, within
from holdfast.reading.shapes import Shape
from holdfast.reading.standing import clause_end, sentence_of, sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import Number, numbers

_WATER = Shape(r"\s*(?:\"|%measures.inches%)?\s*(?:%measures.of% )?(?:w\.?\s?c\b|%measures.water%)")
_OHM = Shape(r"\s*(?P<kilo>k|%measures.kilo%)?\s?-?(?:ω|%measures.ohms%)")
_NOMINAL = Shape(r"\s?(?:v|%measures.volts%)?\s?(?:dc |ac )?%measures.nominal%")
"""What makes a figure a name: "the 12 V side"."""
_STEPS_OF = Shape(r"^\s*%measures.steps%\b")


_MARKS = re.compile(r"[;()]|[,:](?!\d)|(?<!\d)[,:]| [-\u2013\u2014] ")
_TWO_WORDS = re.compile(r" ([^\W\d]{1,2}) ([^\W\d]+)")
_EDGES = " .,;:!?()-\u2013\u2014\u00bf\u00a1"
MIN_FUZZY_LETTERS, MIN_TWO_SLIPS = 6, 11
"""Letters from which on the name of a part may have one slip, and two."""
LONG_WORD = 8
"""Letters above which a word that is nearly a name is that name, though many misspell it so."""
MAX_FUZZY_WORDS = 60
WORDS_TO_STATE, WORDS_TO_PART = 4, 1
"""Words that may stand between a part and its state: "relay on the board is stuck", "bad flame sensor"."""
APPLIED_WITHIN_CHARS = 8
"""Characters after "direct" in which a voltage is still the one that was applied."""
LEAST_MODEL = 100
"""A number from there on may be that of a model."""
LEAST_SAID = 10
"""What is counted in words is less than this; a whole number from there on may be a reading."""
ELECTRIC = frozenset({"V", "mV", "A", "ohm"})
INSTRUMENT = ELECTRIC | {"inWC", "psi", "mA", "Hz", "µF"}
"""Units that nothing but an instrument gives."""


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


def asserted(reading: Reading, *families: str) -> list[Cue]:
    """Cues of some families whose words are neither denied nor asked or imagined."""
    found = [cue for family in families for cue in reading.all(family)]
    return [cue for cue in found if not negated(reading, cue.span) and not supposed(reading, cue.span)]


def beside(cues: Iterable[Cue], reading: Reading, *families: str) -> list[Cue]:
    """The cues that share no word with those of other families: a bad day is no bad part."""
    others = [cue.span for family in families for cue in reading.all(family)]
    return [cue for cue in cues if not any(overlap(cue.span, other) for other in others)]


def measures(reading: Reading) -> list[Measure]:
    """Readings with their units. A voltage that is denied, or that was applied rather than read, is none."""
    applied = [(cue.start, cue.end + APPLIED_WITHIN_CHARS) for cue in reading.all("direct_power")]
    found = []
    for number in _in_tenths(reading):
        if _is_just_said(reading, number) or any(start <= number.span[0] < end for start, end in applied):
            continue
        measure = _with_unit(reading, number)
        if measure is None or (measure.unit is not None and measure.value and negated(reading, number.span)):
            continue
        found.append(measure)
    return found


def _in_tenths(reading: Reading) -> list[Number]:
    """The numbers of a message, tenths joined to their whole: "eleven two", "12 и 7", "doce con tres"."""
    found: list[Number] = []
    for number in reading.find(numbers):
        if found and _are_tenths(reading, found[-1], number):
            whole = found[-1]
            found[-1] = Number(whole.value + number.value / 10, number.unit, (whole.span[0], number.span[1]))
        else:
            found.append(number)
    return found


def _are_tenths(reading: Reading, whole: Number, number: Number) -> bool:
    between = reading.folded[whole.span[1] : number.span[0]].strip()
    joined = between in reading.reader.phrases("measures", "tenths") if between else _is_spelled(reading, whole)
    read = whole.unit is None and whole.value >= LEAST_SAID and not whole.value % 1
    return joined and read and number.value < LEAST_SAID and not number.value % 1


def _is_spelled(reading: Reading, number: Number) -> bool:
    return reading.folded[number.span[0]] not in "-0123456789"


def _is_just_said(reading: Reading, number: Number) -> bool:
    """ "Two of them": no instrument says that; "two volts", "two hundred" and "two point four" it may."""
    few = number.value < LEAST_SAID and not number.value % 1
    return few and number.unit not in ELECTRIC and _is_spelled(reading, number)


def _with_unit(reading: Reading, number: Number) -> Measure | None:
    """A number as a reading, with the units that only instruments have; None where it is a name or counts steps."""
    water, ohm, nominal, steps_of = (reading.reader.made(shape) for shape in (_WATER, _OHM, _NOMINAL, _STEPS_OF))
    value, unit = number.value, number.unit
    after = reading.folded[number.span[1] : number.span[1] + 16]
    if nominal.match(after) or steps_of.match(after) or (unit is None and _is_of_a_name(reading, number)):
        return None
    if unit is not None and _is_small_word(reading, number.span[1]):
        unit = None
    if unit in (None, "in") and water.match(after):
        unit = "inWC"
    elif unit is None and (ohms := ohm.match(after)):
        value, unit = value * (1000 if ohms["kilo"] else 1), "ohm"
    return Measure(value, unit, number.span)


def _is_of_a_name(reading: Reading, number: Number) -> bool:
    """Whether a whole number stands right after a word that no language has: "freshjet 2200" is a model."""
    before = next((word for word in reversed(reading.tokens) if word[1] <= number.span[0]), None)
    if before is None or number.value < LEAST_MODEL or reading.text[before[1] : number.span[0]].strip():
        return False
    word = reading.folded[slice(*before)]
    known = reading.reader.made(Names).meant(word) or any(part.span == before for part in reading.find(parts))
    return word.isalpha() and strange(word) and not known


def _is_small_word(reading: Reading, end: int) -> bool:
    """Whether what looks like a unit stands before the word that it belongs to: "36 в тени"."""
    words, stop = _TWO_WORDS.match(reading.text, end), reading.reader.phrases("stop", "words")
    return words is not None and words[1] in stop and fold(words[2]) not in stop


def damage(reading: Reading) -> list[Damage]:
    """Harm that the message says is there."""
    if not reading.has("damage"):
        return []
    found = []
    for cue in beside(asserted(reading, "damage"), reading, "damage_not"):
        sentence = sentence_of(reading, cue.span)
        seen = any(not negated(reading, verb.span) for verb in within(reading.all("found"), sentence))
        site = next(iter(within(reading.all("site"), sentence)), None)
        if seen or site is not None or parts_within(reading, sentence):
            found.append(Damage(cue.means, site.means if site else None, cue.span, cue.id, seen))
    return found


PATHS: dict[str | tuple[str, str | None], str] = {
    ("leak", "coil"): "refrigerant_leak_path",
    ("leak", "line"): "fluid_leak_path",
    "burn": "electrical_damage_path",
    "crack": "mechanical_damage_path",
}
"""The path that damage opens, by its kind, or by its kind and place."""


def path_label(harm: list[Damage]) -> str | None:
    """The name of the path that new damage opens: where it is known at its place, by that."""
    kinds = {hurt.kind for hurt in harm}
    placed = [PATHS[hurt.kind, hurt.site] for hurt in harm if (hurt.kind, hurt.site) in PATHS]
    return next(iter(placed), None) or next((PATHS[kind] for kind in ("burn", "crack") if kind in kinds), None)


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
    found = [span for span in reading.find(clauses) if span[0] <= place]
    return found[-1] if found else (0, len(reading.text))


def parts(reading: Reading) -> list[Part]:
    """The parts that a message names, by their ids: the longest name where names overlap, slips of spelling known."""
    named = sorted(reading.all("part"), key=lambda cue: (cue.start - cue.end, cue.start))
    found = [Part(cue.means, cue.span) for cue in named] + _slips(reading, reading.reader.made(Names))
    tools = {gap for cue in reading.all("tool") for gap in (cue.end, cue.end + 1)}
    mine: list[Part] = []
    for part in found:
        if not any(overlap(part.span, other.span) for other in mine):
            mine.append(part)
    # the meter's battery is no part of the machine
    return sorted((part for part in mine if part.span[0] not in tools), key=lambda part: part.span)


def misspelled_systems(reading: Reading) -> list[Part]:
    """The systems that single words mean, but for a slip: "frige", "furnance"."""
    return _slips(reading, reading.reader.made(SystemNames))


def _slips(reading: Reading, names: Names) -> list[Part]:
    ids = [(names.meant(reading.folded[slice(*word)]), word) for word in reading.tokens[:MAX_FUZZY_WORDS]]
    return [Part(id, word) for id, word in ids if id is not None]


def parts_within(reading: Reading, span: Span) -> list[Part]:
    """The parts whose names begin in a span."""
    return [part for part in reading.find(parts) if span[0] <= part.span[0] < span[1]]


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


class Names:
    """Names of one word that a word with a slip in it may mean: "themocouple". Use as `reader.made(Names)`."""

    table, least, inflected = "part_names", MIN_FUZZY_LETTERS, True

    def __init__(self, reader: Reader, language: str | None) -> None:
        names: dict[str, str] = {}
        for spoken in reader.languages(self.table):
            names |= {str(name): str(id) for name, id in reader.data(self.table, spoken).items()}
        self._ids = names
        self._by_letter: dict[str, list[str]] = {}
        for name in sorted(name for name in names if len(name) >= self.least):
            self._by_letter.setdefault(name[0], []).append(name)

    def meant(self, word: str) -> str | None:
        """What a word names, but for a slip."""
        said = lemma(word) if self.inflected else word
        if len(said) < self.least or not word.isalpha():
            return None
        slips = 1 if len(word) < MIN_TWO_SLIPS else 2
        alike = self._by_letter.get(word[0], ())
        near = process.extractOne(said, alike, scorer=OSA.distance, score_cutoff=slips)
        is_slip = len(word) > LONG_WORD or strange(word)  # "better" is no battery
        return self._ids[near[0]] if near and near[1] and is_slip else None


class SystemNames(Names):
    """Those of whole systems are few, and no other words of the bench are like them."""

    table, least, inflected = "system_names", 5, False


def faults(reading: Reading) -> list[Fault]:
    """Parts that are named as faulty. A part said to be in order is none, and neither is a bad day."""
    if not reading.has("fault", "bad"):
        return []
    found: list[Fault] = []
    for cue in beside(asserted(reading, "fault", "bad"), reading, "fault_not"):
        span = _named_by(reading, cue)
        if span is not None and not any(overlap(fault.span, cue.span) for fault in found):
            found.append(Fault(reading.words(span), (min(span[0], cue.start), max(span[1], cue.end)), cue.id))
    return sorted(found, key=lambda fault: fault.span)


def guessed(reading: Reading) -> list[Fault]:
    """The faults that are only supposed: "I think the cap is bad" raises a hypothesis and nothing more."""
    words = reading.all("guessed")
    return [fault for fault in reading.find(faults) if within(words, sentence_of(reading, fault.span))]


def _named_by(reading: Reading, cue: Cue) -> Span | None:
    """The part that a word for a fault speaks of: named in its own words, or next to it in its clause."""
    if cue.family == "fault":
        return cue.groups.get("part") or cue.groups.get("wound") or cue.span
    near = []
    for _, span in parts_within(reading, clause_of(reading, cue.start)):
        after = span[1] > cue.start
        first, last = (cue.end, span[0]) if after else (span[1], cue.start)
        words = sum(first <= word < last for word, _ in reading.tokens)
        if words <= (WORDS_TO_PART if after else WORDS_TO_STATE):
            near.append((words, after, span))
    return whole_name(reading, min(near)[2]) if near else None


def whole_name(reading: Reading, span: Span) -> Span:
    """The name of a part with the parts it belongs to: "blower motor relay", "реле давления насоса"."""
    start, end = span
    known = [part.span for part in reading.find(parts)]
    for other in reversed(known):
        if other[1] < start and not reading.folded[other[1] : start].strip():
            start = other[0]
    links = reading.reader.phrases("clause", "links")
    for other in known:
        if other[0] > end and links.issuperset(reading.folded[end : other[0]].split()):
            end = other[1]
    return _after_article(reading, start), end


def _after_article(reading: Reading, start: int) -> int:
    """Where a name begins that an article and one more word lead up to: "the inducer motor"."""
    lead = [word for word in reading.tokens if word[1] <= start][-2:]
    articles = reading.reader.phrases("articles", "words")
    if len(lead) < 2 or lead[1][1] != start - 1 or reading.folded[slice(*lead[0])] not in articles:
        return start
    small = articles | reading.reader.phrases("stop", "words")
    return start if reading.folded[slice(*lead[1])] in small else lead[1][0]


def topics(reading: Reading) -> list[str]:
    """The topics of the bench that the message gives something on, in the order of the text."""
    flags = reading.find(standing)
    return list(dict.fromkeys(cue.means for cue in reading.all("topic") if "question" not in flags.of(cue.span)))


def key_findings(reading: Reading) -> list[tuple[str, Cue]]:
    """Findings that decide cases, under their English names."""
    names = reading.reader.data("key_findings", "en")
    found: dict[str, Cue] = {}
    for cue in asserted(reading, "key_finding"):
        found.setdefault(str(names[cue.means]), cue)
    if not found and reading.find(faults):  # the general name only where no particular one fits
        fault = reading.find(faults)[0]
        found[str(names["failed_component"])] = Cue(fault.rule, "key_finding", "", *fault.span, {})
    return list(found.items())


def state_words(reading: Reading) -> str | None:
    """Whether a part is called in order ("ok"), not in order ("not ok"), or neither."""
    well = [*spans(reading, "good"), *spans(reading, "good", stands=NOT)]
    unwell = [cue.span for cue in reading.all("in_order") if negated(reading, cue.span)]
    if reading.find(faults) or unwell or spans(reading, "bad"):
        return "not ok"
    return "ok" if well or spans(reading, "bad", stands=NOT) else None


def bare(reading: Reading, family: str) -> bool:
    """Whether the message is no more than a yes or a no."""
    said = reading.first(family)
    return said is not None and len(reading.tokens) <= 2 and "?" not in reading.text
