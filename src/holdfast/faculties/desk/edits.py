"""What a technician wants changed in a report, by what the words of a message give: the line that is meant, the words
that shall go, the words that shall stand there, another total.

Lines are found by their words, by the part that they are about, or by their section. Where none fits, one question is
asked. What is taken out of the report stays in the case, and what is added becomes a fact, so that every claim still
rests on something that was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
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
from holdfast.reading.model.hearing import Given
from holdfast.reading.reader import Cue, Reader, Reading, Span, overlap, within
from holdfast.reading.standing import sentence_of, sentences, standing
from holdfast.reading.text import fold

MIN_SHARE_NAMED = 0.5
"""Share of the words of an edit that a line must hold to be the one that is meant."""
STEM_LETTERS = 4
"""Letters by which a word of an edit is known in a line: endings change ("масса", "про массу")."""
MIN_STEM_LETTERS = 3
PUT_RIGHT = ("part", "good", "bad", "reading", "how", "done")
"""Facets of which one that is so takes the place of one that is not: "it was 26 uF, not 28"."""


PLAIN = 8
"""How far it must speak for hours that are told after a report."""
ORDERED = -40
"""From how far on a message with words of an order is one."""
MAX_LEAD_WORDS = 3
"""Words from "add" to what shall be added: "add a line saying …"."""
MAX_LINES = 6
"""Lines that a change of wording may touch: one finding stands in a check, in the condition and in the action."""


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
    made = made or _told(case)
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
    new = words(order.new).strip(_EDGES) if order.new is not None else ""
    gone = [words(span).strip(_EDGES) for span in (*order.gone, *order.out)]
    if new and gone:
        return list(_reword(case, gone[0], new))
    return list(_put(case, order, new)) if new else _taken_out(case, order)


def _taken_out(case: Case, order: Order) -> list[Event]:
    """Lines or words that shall go. A section that is only named takes what was done, as the message tells it."""
    if ACTION in _sections(case, order) and not order.out and not order.gone:
        return list(_late(case, ACTION))
    wanted = [(span, False) for span in order.out] + [(span, True) for span in order.gone]
    return [event for span, exactly in wanted for event in _remove(case, case.whole.words(span), exactly)]


def _told(case: Case) -> list[Event]:
    """What a message changes by what it tells, in whatever words: something that is so in place of what is not, or a
    repair that is told late."""
    if "?" in case.whole.text:
        return []
    made = [event for old, new in _pairs(case) for event in _reword(case, old, new, ask=False)]
    return made or list(_late(case))


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
    on = () if before.has("edit_add") else sections or _lines(case, order)
    if not {ACTION, COMPLAINT}.isdisjoint(on):  # what a report says was said by somebody
        yield from _add(case, new)
    if on:
        yield ClaimsChanged(change=Change(on, "", new), because=case.cause("report.line"))
    else:
        yield from _add(case, new, next(iter(sections), ""))


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


def _holding(lines: Iterable[Claim], words: str) -> tuple[str, ...]:
    """The lines in which some words stand."""
    return tuple(claim.id for claim in lines if words and place_in(claim.words, words) >= 0)


def _meant(case: Case, words: str) -> list[Claim]:
    """The lines that some words name, by what they say or by the part that they are about."""
    known = claims(case.state, case.desk)
    small = _small(case.whole.reader)
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
    return []


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
