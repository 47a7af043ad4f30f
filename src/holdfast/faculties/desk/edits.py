"""What a technician wants changed in a report, by what the words of a message give: the line that is meant, the words
that shall go, the words that shall stand there, another total.

Lines are found by their words, by the part that they are about, or by their section. Where none fits, one question is
asked. What is taken out of the report stays in the case, and what is added becomes a fact, so that every claim still
rests on something that was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter

import msgspec

from holdfast.events import DoubtRaised, Event
from holdfast.faculties.desk import estimates, hearing
from holdfast.faculties.desk.answering import mended
from holdfast.faculties.desk.case import Case
from holdfast.faculties.desk.evidence import FactLearned
from holdfast.faculties.desk.hearing import NOT, SO
from holdfast.faculties.desk.learning import facts_in
from holdfast.faculties.desk.library import lemmas
from holdfast.faculties.desk.report import ACTION, COMPLAINT, PARTS, Change, Claim, ClaimsChanged, claims, place_in
from holdfast.faculties.desk.signals import named_parts, negated
from holdfast.faculties.desk.steps import passed_over
from holdfast.reading.model.hearing import Given
from holdfast.reading.reader import Cue, Reader, Reading, Span, overlap, within
from holdfast.reading.standing import sentence_of, sentences, standing
from holdfast.reading.text import fold
from holdfast.reading.values import numbers

MIN_SHARE_NAMED = 0.5
"""Share of the words of an edit that a line must hold to be the one that is meant."""
STEM_LETTERS = 4
"""Letters by which a word of an edit is known in a line: endings change ("масса", "про массу")."""
MIN_STEM_LETTERS = 3
HOW = ("good", "bad", "reading", "how", "done")
"""What is told of a part."""
PUT_RIGHT = ("part", *HOW)
"""Facets of which one that is so takes the place of one that is not: "it was 26 uF, not 28"."""
MAX_LEAD_WORDS = 3
"""Words from "add" to what shall be added: "add a line saying …"."""
PLAIN = 8
"""How far it must speak for hours that are told after a report."""
ORDERED = -40
"""From how far on a message with words of an order is one."""
MAX_LINES = 6
"""Lines that a change of wording may touch: one finding stands in a check, in the condition and in the action."""
SHORT_NOTE = 6
"""Words of a remark after a report ("it was the left one") that sets a line right."""
ORDERS = {"edit_add": SO, "edit_put": SO, "edit_for": NOT, "edit_out": NOT}
"""Families of words that order something, and how what follows them stands."""
_EDGES = " \t\n.,;:!?\"'«»“”()"


@dataclass
class Order:
    """One thing that is wanted of a report."""

    lines: list[Span] = field(default_factory=list)
    """Lines that are meant."""
    out: list[Span] = field(default_factory=list)
    """Lines that shall go."""
    gone: list[Span] = field(default_factory=list)
    """Words that shall go."""
    new: Span | None = None
    """Words that shall stand in the report."""

    def takes(self, one: Given, between: Reading) -> bool:
        """Whether what is given next belongs to this order, by what stands between."""
        same = not any(sign in between.text for sign in ".!?\n")
        if self.new is None:  # words that shall stand take the place of what shall go, unless they are to be added
            added = one.facet == "text" and one.stands == SO and between.has("edit_add")
            return (same or one.facet == "text") and not (added and bool(self.gone or self.out))
        if one.facet == "text":  # "damaged instead of fried"
            return one.stands == NOT and same and not self.gone
        return one.stands == SO and same and not self.lines  # "put this in the repair line"

    def take(self, one: Given) -> None:
        match one.facet, one.stands:
            case "text", hearing.SO:
                self.new = one.span
            case "text", _:
                self.gone.append(one.span)
            case _, hearing.SO:
                self.lines.append(one.span)
            case _:
                self.out.append(one.span)

    @property
    def end(self) -> int:
        return max(span[1] for span in (*self.lines, *self.out, *self.gone, *([self.new] if self.new else [])))


def orders(case: Case) -> list[Order]:
    """What is wanted of the report, in the order of the words."""
    found: list[Order] = []
    reader, text = case.whole.reader, case.whole.text
    for one in _of_the_report(case):
        if not found or not found[-1].takes(one, reader.read(text[found[-1].end : one.span[0]])):
            found.append(Order())
        found[-1].take(one)
    return found


def _of_the_report(case: Case) -> Iterator[Given]:
    """The lines that are meant and the words that shall stand or go, in their order; what follows "add that" or a
    colon stands as it is told."""
    told = list(_quoted(case)) or list(_told_that(case.whole))
    spans = [one.span for one in told]
    free = [one for one in _heard(case) if not any(overlap(one.span, span) for span in spans)]
    lines = [one for one in free if one.facet == "line"]
    words = [one for one in (*free, *told) if one.facet == "text"]
    yield from sorted([*lines, *(piece for one in words for piece in _parted(case.whole, one))], key=_begins)


def _heard(case: Case) -> list[Given]:
    """The lines and the words of the report that are heard; small words are none where others are."""
    heard = [one for one in case.given if one.facet in ("line", "text") and one.stands in (SO, NOT)]
    named = [one for one in heard if _has_content(case.whole.reader, case.whole.words(one.span))]
    return [one._replace(stands=NOT) if _goes(case.whole, one) else one for one in named or heard]


def _goes(reading: Reading, one: Given) -> bool:
    """Whether the last order before a line is that something goes: "lose the ground line"."""
    orders = [cue for family in ORDERS for cue in reading.all(family) if cue.end <= one.span[0]]
    last = max(orders, key=_starts, default=None)
    between = reading.text[last.end : one.span[0]] if last is not None else ""
    return one.facet == "line" and last is not None and last.family == "edit_out" and "." not in between


def _quoted(case: Case) -> Iterator[Given]:
    """Words in quotation marks: those that stand in the report shall go, others shall stand there."""
    known = claims(case.state, case.desk)
    for start, end in case.whole.find(standing).spans["quoted"]:
        words = case.whole.text[start:end].strip(_EDGES)
        if words:
            yield Given("text", NOT if _holding(known, words) else SO, (start, end), 0, 0)


def _told_that(reading: Reading) -> Iterator[Given]:
    """The words of a sentence after "add that", "write:", "complaint:" and their like."""
    orders = (*reading.all("section"), *reading.all("edit_add"), *reading.all("edit_put"))
    for cue in sorted(orders, key=_starts):
        start, end = _led_to(reading, cue), sentence_of(reading, cue.span)[1]
        if start is not None and reading.text[start:end].strip(_EDGES):
            yield Given("text", SO, (start, end), 0, 0)
            return


def _led_to(reading: Reading, cue: Cue) -> int | None:
    """Where what shall stand begins, right after an order or the name of a section."""
    if reading.text[cue.end :].lstrip().startswith(":"):
        return reading.text.index(":", cue.end) + 1
    if cue.family == "section":
        return None
    leads = reading.reader.phrases("edit_words", "leads")
    after = [word for word in reading.tokens if word[0] >= cue.end][:MAX_LEAD_WORDS]
    return next((end for start, end in after if reading.folded[start:end] in leads), None)


def _parted(reading: Reading, one: Given) -> Iterator[Given]:
    """Words as they are tagged, parted where it is said how they shall read: "soiled instead of filthy"."""
    start, stands = one.span[0], one.stands
    orders = sorted((cue for family in ORDERS for cue in within(reading.all(family), one.span)), key=_starts)
    for cue in orders:
        if cue.start > start:
            yield one._replace(span=(start, cue.start), stands=stands)
        if cue.family == "edit_out":
            return  # what follows is a line that shall go
        start, stands = max(start, cue.end), ORDERS[cue.family]
    if reading.text[start : one.span[1]].strip(_EDGES):
        yield one._replace(span=(start, one.span[1]), stands=stands)


_starts, _begins = attrgetter("start"), attrgetter("span")


def edit(case: Case) -> list[Event]:
    """What a message after a report changes in it; where it wants a change and does not say which, that is asked."""
    ordered = _orders_words(case.whole)
    wants = case.does("edit", lead=0) and (ordered or not case.does("talk"))
    likely = (ordered and case.does("edit", lead=ORDERED)) or (case.does("edit") and not case.does("talk"))
    if "?" in case.whole.text and not wants:
        return []
    made = list(_total(case))
    if likely:
        made += (event for order in orders(case) for event in _carried_out(case, order))
    made = made or _told(case) or list(_guessed(case, wants))
    return made or (list(_which(case, case.whole.text)) if likely else [])


def is_plain(made: list[Event]) -> bool:
    """Whether something is changed, and not only asked about."""
    return not all(isinstance(event, DoubtRaised) for event in made)


def _orders_words(reading: Reading) -> bool:
    """Whether words of an order are there: "put", "take out", "instead"."""
    return reading.has(*ORDERS, "section")


def parts_told(case: Case) -> Iterator[Event]:
    """What is told of the parts when all is done: it stands in the report that is written then."""
    for order in orders(case):
        for span in (*order.lines, *order.out):
            if any(cue.means == PARTS for cue in within(case.whole.all("section"), span)):
                new = case.whole.words(order.new).strip(_EDGES) if order.new is not None else ""
                yield ClaimsChanged(change=Change((PARTS,), "", new), because=case.cause("report.parts"))


def _total(case: Case) -> Iterator[Event]:
    """Another total; a bare number is none."""
    told = [case.whole.words(span) for span in case.spans("hours") if case.does("hours", lead=PLAIN)]
    hours = estimates.hours_told(case.whole.reader, told[-1]) if told else None
    if len(case.whole.tokens) > 1 and (hours := hours or estimates.requested(case.whole)) is not None:
        yield estimates.LaborRequested(hours=hours, because=case.cause("labor.requested"))


def _carried_out(case: Case, order: Order) -> list[Event]:
    words = case.whole.words
    new = _without_place(case.whole, order.new).strip(_EDGES) if order.new is not None else ""
    gone = [words(span).strip(_EDGES) for span in (*order.gone, *order.out)]
    pair = None if order.lines else _both(case, gone, new)
    pair = pair or ((gone[0], new) if new and gone else None)
    if pair is not None:
        return list(_reword(case, *pair))
    return list(_put(case, order, new)) if new else _taken_out(case, order)


def _without_place(reading: Reading, span: Span) -> str:
    """Words that shall stand somewhere, without the section that is named at their end: "put it back in the parts"."""
    ends = [cue for cue in within(reading.all("section"), span) if not reading.text[cue.end : span[1]].strip(_EDGES)]
    if not ends:
        return reading.words(span)
    small = _small(reading.reader)
    kept = [word for word in reading.tokens if span[0] <= word[0] and word[1] <= ends[0].start]
    while kept and reading.folded[slice(*kept[-1])] in small:
        kept = kept[:-1]
    return reading.text[kept[0][0] : kept[-1][1]] if kept else reading.words(span)


def _taken_out(case: Case, order: Order) -> list[Event]:
    """Lines or words that shall go; a figure beside another gives way to it. A section that is only named takes what
    was done, as the message tells it."""
    if ACTION in _sections(case, order) and not order.out and not order.gone:
        return list(_late(case, ACTION))
    if (figure := _figure(case)) is not None:
        return [ClaimsChanged(change=figure, because=case.cause("report.line"))]
    wanted = [(span, False) for span in order.out] + [(span, True) for span in order.gone]
    return [event for span, exactly in wanted for event in _remove(case, case.whole.words(span), exactly)]


def _both(case: Case, gone: list[str], new: str) -> tuple[str, str] | None:
    """Words of the report and those that shall take their place, heard in one: "117 not 118", "filthy as dirty", "swap
    filthy for dirty". What stands in the report is the old."""
    known = claims(case.state, case.desk)
    if len(gone) == 2 and not new:
        return _in_place(known, gone[0], gone[1])
    said = new.split() if new and not gone else gone[0].split() if len(gone) == 1 and not new else []
    between = case.whole.reader.phrases("edit_words", "between")
    cuts = [at for at in range(1, len(said) - 1) if fold(said[at]) in between]
    found = (_in_place(known, " ".join(said[:at]), " ".join(said[at + 1 :])) for at in cuts)
    return next(filter(None, found), None)


def _in_place(known: list[Claim], one: str, other: str) -> tuple[str, str] | None:
    """Of two, the one that stands in the report and the one that does not."""
    for old, new in ((one.strip(_EDGES), other.strip(_EDGES)), (other.strip(_EDGES), one.strip(_EDGES))):
        if _holding(known, old) and new and not _holding(known, new):
            return old, new
    return None


def _guessed(case: Case, wants: bool) -> Iterator[Event]:
    """What a change is most likely to mean that names neither line nor words plainly: of what is told, what stands in
    the report gives way to what does not; "the right one" to the left one; what is named goes, where something goes."""
    pair = _pair(case) if case.does("edit", "correct") else None
    if pair is not None:
        yield from _reword(case, *pair)
    elif wants and (change := _opposite(case, case.whole.text)) is not None:
        yield ClaimsChanged(change=change, because=case.cause("report.line"))
    elif wants and case.whole.has("edit_out"):
        yield from _remove(case, _without_orders(case.whole), False)


def _pair(case: Case) -> tuple[str, str] | None:
    """Of what is told, what stands in the report, and what shall take its place."""
    reading, known = case.whole, claims(case.state, case.desk)
    small = reading.reader.phrases("stop", "words") | reading.reader.phrases("edit_words", "words")
    told = [_bare(reading, one.span, small) for one in case.given if one.facet in HOW]
    turned = [_in_place(known, _bare(reading, one.span, small), _turned_to(reading, one.span)) for one in case.given]
    one_by_one = [_in_place(known, one, other) for one, other in pairwise(told)]
    last = _after_small(reading, small)
    in_one = [_both(case, [], words) for words in (*told, " ".join(last) if len(last) <= SHORT_NOTE // 2 else "")]
    return next(filter(None, turned + one_by_one + in_one), None)


def _turned_to(reading: Reading, span: Span) -> str:
    """The words after others that "but" turns away from: "not swollen, but leaking"."""
    after = [word for word in reading.tokens if word[0] >= span[1]]
    turns = reading.reader.phrases("edit_words", "turns")
    ends = sentence_of(reading, span)[1]
    return reading.text[after[0][1] : ends] if after and reading.folded[slice(*after[0])] in turns else ""


def _without_orders(reading: Reading) -> str:
    """The words of a message that order nothing."""
    orders = [cue.span for family in ("edit_out", "edit_put") for cue in reading.all(family)]
    kept = (word for word in reading.tokens if not any(overlap(word, order) for order in orders))
    return " ".join(reading.text[slice(*word)] for word in kept)


def _bare(reading: Reading, span: Span, small: frozenset[str]) -> str:
    """Words without small ones and denials before them."""
    denied = [cue.span for cue in reading.all("negation")]
    words = [word for word in reading.tokens if span[0] <= word[0] < span[1]]
    while words and (reading.folded[slice(*words[0])] in small or any(overlap(words[0], one) for one in denied)):
        words = words[1:]
    return reading.text[words[0][0] : words[-1][1]] if words else ""


def _after_small(reading: Reading, small: frozenset[str]) -> list[str]:
    """The words of a message after the last small one that no other stands before: "contacts were burnt not pitted"."""
    between = reading.reader.phrases("edit_words", "between")
    words = [reading.text[slice(*word)] for word in reading.tokens]
    cut = [at for at, word in enumerate(words) if fold(word) in small and fold(word) not in between]
    return words[cut[-1] + 1 :] if cut else words


def _told(case: Case) -> list[Event]:
    """What a message changes by what it tells, in whatever words: something that is so in place of what is not, a
    figure, a check that was passed over, a repair that is told late."""
    if "?" in case.whole.text:
        return []
    made = [event for old, new in _pairs(case) for event in _reword(case, old, new, ask=False)]
    if made:
        return made
    noted = _opposite(case, case.whole.text) if len(case.whole.tokens) <= SHORT_NOTE else None
    if (change := noted or _figure(case)) is not None:
        return [ClaimsChanged(change=change, because=case.cause("report.line"))]
    return list(passed_over(case)) or list(_late(case))


def _late(case: Case, section: str = "") -> Iterator[Event]:
    """Repairs that are told late, for a section."""
    for span in case.whole.find(sentences):
        words = case.whole.words(span)
        if case.whole.reader.read(words).find(mended) is not None:
            yield from _add(case, words.strip(_EDGES), section)


def _pairs(case: Case) -> Iterator[tuple[str, str]]:
    """What is not so, and what is."""
    for facet in PUT_RIGHT:
        old, new = case.spans(facet, stands=NOT), case.spans(facet)
        if old and new:
            yield case.whole.words(old[0]), case.whole.words(new[-1])


def _put(case: Case, order: Order, new: str) -> Iterator[Event]:
    """Words that shall stand in the report: in a section, in place of a line, or added."""
    before = case.whole.reader.read(case.whole.words((0, order.new[0] if order.new else 0)))
    sections = _sections(case, order)
    on = () if before.has("edit_add") or _is_after(order) else sections or _lines(case, order)
    if on and PARTS not in on and _only_says(case.whole, order):
        return
    if not {ACTION, COMPLAINT}.isdisjoint(on):  # what a report says was said by somebody
        yield from _add(case, new)
    if on:
        yield ClaimsChanged(change=Change(on, "", new), because=case.cause("report.line"))
    elif (change := _opposite(case, new)) is not None:
        yield ClaimsChanged(change=change, because=case.cause("report.line"))
    else:
        yield from _add(case, new, next(iter(sections), ""))


def _is_after(order: Order) -> bool:
    """Whether a line is named after what shall stand there: "put this in the complaint" adds to it."""
    return bool(order.lines) and order.new is not None and order.lines[0] > order.new


def _only_says(reading: Reading, order: Order) -> bool:
    """Whether nothing but a small word leads from a section to what it is to say: "the complaint is fixed" orders
    nothing."""
    start, end = order.lines[0][1], order.new[0] if order.new is not None else 0
    small = reading.reader.phrases("stop", "words") | reading.reader.phrases("query", "words")
    between = [reading.folded[slice(*word)] for word in reading.tokens if start <= word[0] < end]
    ordered = reading.has("edit_add", "edit_put", "edit_for") or ":" in reading.text[start:end]
    return bool(between) and small.issuperset(between) and not ordered


def _sections(case: Case, order: Order) -> tuple[str, ...]:
    named = case.whole.all("section")
    return tuple(str(cue.means) for span in order.lines for cue in within(named, span))


def _lines(case: Case, order: Order) -> tuple[str, ...]:
    named = _meant(case, case.whole.words(order.lines[0])) if order.lines else []
    return tuple(claim.id for claim in named)


def _add(case: Case, words: str, section: str = "") -> Iterator[Event]:
    for fact, _, _ in facts_in(case, case.whole.reader.read(words), None):
        added = msgspec.structs.replace(fact, added=True, section=section)
        yield FactLearned(fact=added, because=case.cause("report.added"))


def _remove(case: Case, what: str, words: bool) -> Iterator[Event]:
    """Lines that some words name go, or only these words of them."""
    sections = [str(cue.means) for cue in case.whole.reader.read(what).all("section")]
    found = _meant(case, what)
    if PARTS in sections and not found:
        yield ClaimsChanged(change=Change((PARTS,)), because=case.cause("report.parts"))
    elif cut := [change for claim in found for change in _cut(case, claim, what, words)]:
        yield from (ClaimsChanged(change=change, because=case.cause("report.removed")) for change in cut)
    elif found:
        change = Change(tuple(claim.id for claim in found))
        yield ClaimsChanged(change=change, because=case.cause("report.removed"))
    else:
        yield from _which(case, what)


def _cut(case: Case, claim: Claim, words: str, exactly: bool) -> Iterator[Change]:
    """The words of a line that shall go, or its sentences that some words speak of, where others are left; nothing
    where the line itself is meant, or all of it."""
    bare = words.strip(_EDGES)
    at = place_in(claim.words, bare) if exactly else -1
    if at >= 0 and len(bare) < len(claim.words.strip(_EDGES)):
        yield Change((claim.id,), claim.words[at : at + len(bare)])
    elif at < 0:
        yield from _sentences_cut(case, claim, words)


def _sentences_cut(case: Case, claim: Claim, words: str) -> Iterator[Change]:
    line, small = case.whole.reader.read(claim.words), case.whole.reader.phrases("edit_words", "words")
    asked = lemmas(words, small | case.whole.reader.phrases("stop", "words"))
    spans = [(span, lemmas(line.words(span))) for span in line.find(sentences)]
    meant = [span for span, held in spans if any(_alike(stem, other) for stem in asked for other in held)]
    of_line = {fold(word) for word in words.split()} & case.whole.reader.phrases("edit_words", "line")
    if not of_line and len(meant) < len(spans):
        yield from (Change((claim.id,), line.words(span).strip()) for span in meant)


def _reword(case: Case, old: str, new: str, ask: bool = True) -> Iterator[Event]:
    """The old words give way to the new ones; words that name a line, and are not in it, stand for the whole line."""
    old = _without_article(case.whole.reader, old)
    if not _has_content(case.whole.reader, old):
        return
    held = _holding(claims(case.state, case.desk), old)
    found = held or (tuple(claim.id for claim in _meant(case, old)) if ask else ())
    if 0 < len(found) <= MAX_LINES:  # a word in many lines means none of them
        yield ClaimsChanged(change=Change(found, old if held else "", new), because=case.cause("report.line"))
    elif ask:
        yield from _which(case, old)


def _without_article(reader: Reader, words: str) -> str:
    first, _, rest = words.partition(" ")
    return rest if rest and fold(first) in reader.phrases("articles", "words") else words


def _has_content(reader: Reader, words: str) -> bool:
    """Whether words name something: "the" and "de" stand in every line."""
    small = _small(reader)
    return any(fold(word.strip(_EDGES)) not in small for word in words.split() if word.strip(_EDGES))


def _small(reader: Reader) -> frozenset[str]:
    """Words that name nothing in a report."""
    return frozenset[str]().union(*(reader.phrases(table, "words") for table in ("stop", "articles", "edit_words")))


def _figure(case: Case) -> Change | None:
    """A figure of the report that another takes the place of: the line is named, or has the old one."""
    told = {case.whole.text[slice(*n.span)]: negated(case.whole, n.span) for n in case.whole.find(numbers)}
    if not told or case.whole.has("edit_add", "labor_word"):
        return None
    known = claims(case.state, case.desk)
    named = [claim for claim in known if _is_named(case, claim)]
    lines = named or known
    held = [text for text in told if _holding(lines, text)] or _only_figure(case.whole.reader, named)
    new = [text for text, denied in told.items() if text not in held[:1] and not denied]
    return Change(_holding(lines, held[0]), held[0], new[0]) if held and new else None


def _holding(lines: Iterable[Claim], words: str) -> tuple[str, ...]:
    """The lines in which some words stand."""
    return tuple(claim.id for claim in lines if words and place_in(claim.words, words) >= 0)


def _only_figure(reader: Reader, lines: list[Claim]) -> list[str]:
    """The one figure that some lines have."""
    found = {claim.words[slice(*number.span)] for claim in lines for number in reader.read(claim.words).find(numbers)}
    return list(found) if len(found) == 1 else []


def _is_named(case: Case, claim: Claim) -> bool:
    """Whether a message names the part of a line."""
    stop = case.whole.reader.phrases("stop", "words") | case.whole.reader.phrases("edit_words", "words")
    label = lemmas(claim.label.every, stop) if claim.label is not None else frozenset()
    return any(_alike(stem, other) for stem in lemmas(case.whole.text, stop) for other in label)


def _opposite(case: Case, new: str) -> Change | None:
    """ "The right one": the line that says left says right now."""
    known = claims(case.state, case.desk)
    for word in new.split():
        stem = _other_side(case.whole.reader, word)
        if stem and (old := _last_word(case, known, stem)):
            return Change(tuple(claim.id for claim in known if old in claim.words), old, word)
    return None


def _other_side(reader: Reader, word: str) -> str:
    """How the word for the other side begins."""
    for pair in map(str.split, reader.phrases("edits", "opposites")):
        for one, other in (pair, pair[::-1]):
            if fold(word).startswith(one):
                return other
    return ""


def _last_word(case: Case, known: list[Claim], stem: str) -> str:
    """The word that begins with a stem, in the last line that has one."""
    lines = [case.whole.reader.read(claim.words) for claim in reversed(known)]
    found = [line.text[s:e] for line in lines for s, e in line.tokens if line.folded[s:e].startswith(stem)]
    return found[0] if found else ""


def _meant(case: Case, words: str) -> list[Claim]:
    """The lines that some words name, by what they say or by the part that they are about."""
    known = claims(case.state, case.desk)
    reader, small = case.whole.reader, _small(case.whole.reader)
    asked = lemmas(words, small)
    if not asked:
        return _pointed(case, words, known)

    def share(text: str) -> float:
        held = lemmas(text, small)
        return sum(any(_alike(stem, other) for other in held) for stem in asked) / len(asked)

    for shares in (
        [share(claim.words) for claim in known],
        [share(claim.label.every if claim.label else "") for claim in known],
    ):
        best = max(shares, default=0.0)
        if best >= MIN_SHARE_NAMED:
            return [claim for claim, found in zip(known, shares, strict=True) if found == best]
    return _about(reader, words, known)


def _about(reader: Reader, words: str, known: list[Claim]) -> list[Claim]:
    """The lines under the parts that some words name."""
    about = named_parts(reader.read(words))
    return [claim for claim in known if claim.label is not None and about & named_parts(reader.read(claim.label.every))]


def _alike(one: str, other: str) -> bool:
    """Whether two words begin alike: "ice" is in "iced over", and "коды" in "кодов нет"."""
    short, long = sorted((one, other), key=len)
    size = min(STEM_LETTERS, max(MIN_STEM_LETTERS, len(short) - 1))
    return long.startswith(short[:size])


def _pointed(case: Case, words: str, known: list[Claim]) -> list[Claim]:
    """ "The last line" is the last one; a bare "that" is what was added last."""
    last = {fold(word) for word in words.split()} & case.whole.reader.phrases("edit_words", "last")
    added = [fact.id for fact in case.evidence.live() if fact.added]
    wanted = known[-1].words if last and known else None
    return [claim for claim in known if claim.words == wanted or (not last and claim.id in added[-1:])]


def _which(case: Case, words: str) -> Iterator[Event]:
    small = case.whole.reader.phrases("edit_words", "words")
    named = words.strip(_EDGES).split()
    while len(named) > 1 and fold(named[0]) in small:
        named = named[1:]
    question = case.text("ask.which_line", words=" ".join(named)[:80])
    yield DoubtRaised(about="report", question=question, because=case.cause("report.unknown_line"))
