"""What a message claims of a person: one list, made once, from which facts, slots and answers take.

What patterns read comes first (`statements`), then what the clauses tell that nobody has read: a value whose attribute
is sure fills that attribute. Where no attribute is sure, nothing is dropped: the clause is kept in its own words, under
the noun it is about, and is found again by those words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.faculties.facts.lookup import content, in_slot
from holdfast.faculties.facts.memos import ItemLearned
from holdfast.faculties.facts.relations import slot_kind
from holdfast.faculties.facts.taking_back import (
    OF_THE_SENTENCE,
    denied,
    no_longer,
    only_ends,
    said_plainly,
    taken_back,
)
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.decisions import decisions
from holdfast.reading.kinds import typed_spans, value_types
from holdfast.reading.model.clauses import KEEP, LANGUAGES, TELLS_NOTHING, Clause, Value
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.standing import LONG, Standing, standing
from holdfast.reading.statements import statements
from holdfast.reading.terms import term_in
from holdfast.reading.tiers import LINEAR
from holdfast.reading.values import EMAIL, PHONE

SPARING = 22
"""What is added where the encoder had a say: it is sparing, since few clauses of the writers tell something lasting."""
UNUSUAL = 24
"""What more must speak for keeping a clause whose act seldom tells anything."""
_SELDOM = frozenset({"requests", "remarks", "confirms", "denies", "chooses", "rejects", "postpones", "stops", "unable"})
SURE = 16
"""Lead from which the attribute of a value is taken as known."""
_SAYS = frozenset({"states", "answers", "instructs"})
"""Acts by which something is told."""
_MARKS = {"corrects": frozenset({"corrects", "meant"}), "returns": frozenset({"now"})}
_SAYS_HOW = frozenset(
    "correction forgetphrase stopphrase laterphrase reaction hedge negation now always pointer yes no thanks greeting "
    "farewell".split()
)
"""Kinds of words that tell nothing by themselves."""
_NOT_OWN = frozenset({"asks", "supposes", "quotes", "reports", "requests", "doubts", "retracts", "thanks"})
"""Acts that tell nothing of oneself, whatever their words are."""
_NOT_MINE = frozenset({"kin", "animal", "hedge", "sayverb", "askword"})
"""Kinds of words with which a clause tells of others, or nothing for sure."""
_NAMED = frozenset({"other", "family", "friend", "pet"})
"""Attributes of which somebody's name is a value."""
IDENTIFIES = 4
"""Digits of a number that stands for something, and counts nothing."""
_OTHERS = frozenset({"kin", "animal"})
_OF_ONESELF = frozenset("name age birthday home origin role employer studies health diet allergy hobby".split())
"""Attributes of which a clause that names a relative or an animal tells nothing sure of the speaker."""
_SAYS_ITSELF = frozenset({"health", "diet"})
"""Kinds of words that say by themselves what they are a value of."""
DENIED = 16
"""Score from which it is worth keeping what is not so."""
FAINT = -16
"""How far an attribute may stay behind telling nothing, to be what a clause tells of nevertheless."""
LIKELY = -30
"""Score from which an attribute that is named beside its value is enough."""
MAX_VALUE_WORDS = 4
MAX_OWN_WORDS = 14
DECISION, NOTE = "decision", "note"
IN_OWN_WORDS = frozenset({DECISION, "event", "deadline", "number", "hours", "habit", "goal", "style"})
"""Attributes whose value says little without its clause: "tuesday at 4" is nothing, a dentist then is something."""
MORE_WORDS = 2
"""Words beside the values of a clause, none of a known kind, from which it is kept in its own words as well."""
LEFT_OVER = 3
"""Words that a clause says beyond what was read of it, from which it is kept in its own words as well."""
DOUBTFUL = -40
"""Score from which other evidence than the model's is looked at."""


def read(draft: Draft) -> list[Statement]:
    """What patterns read in a message, without what it takes back itself."""
    return draft.find(_read)


def _read(draft: Draft) -> list[Statement]:
    retracts = draft.reading.all("retracts")
    return [said for said in draft.reading.find(statements) if not retracts or not taken_back(said, retracts)]


def told(draft: Draft) -> Iterator[Statement]:
    """What the clauses of a message tell beside what was read of it."""
    reading = draft.reading
    if len(reading.text) > LONG or reading.language not in (None, *LANGUAGES):
        return  # a pasted document states nothing about the person, and of other languages the model knows nothing
    taken = _taken(draft)
    denials = {clause for clause, _ in denied(draft) if not no_longer(reading, clause)}
    plainly = said_plainly(draft)
    for place, clause in enumerate(plainly):
        if _put_right(reading, clause, plainly[place + 1 :]):
            continue
        doubt = _doubted(draft, clause)
        if doubt is not None:
            yield doubt
        over = clause.act == "retracts" and not denials and no_longer(reading, clause)
        if clause in denials or (clause.act in TELLS_NOTHING and not over) or _goes_elsewhere(draft, clause):
            continue
        beside = [span for span in taken if overlap((clause.start, clause.end), span)]
        if beside:
            yield from _rest(draft, clause, beside)
        elif over or _worth_keeping(reading, clause, bool(denials)):
            draft.decided(f"talk.{clause.act}", clause.decided, (clause.start, clause.end))
            yield from _said(draft, clause)


def _put_right(reading: Reading, clause: Clause, later: Sequence[Clause]) -> bool:
    """Whether the same breath puts something else in the place of what a clause tells: "15k. no hang on, 12k"."""
    corrects = [one for one in later if one.act == "corrects"]
    given = _types(reading, clause) if corrects else set()
    return any(not given.isdisjoint(_types(reading, one)) for one in corrects)


def _types(reading: Reading, clause: Clause) -> set[str]:
    """What the values of a clause are: their types, and where they have none what they are values of."""
    told = [(v.attribute, value_types(reading.reader, reading.words((v.start, v.end)))) for v in clause.values]
    return {kind for attribute, types in told for kind in types or (attribute,)}


def _taken(draft: Draft) -> list[Span]:
    """The words of which something was read or learned already. An answer of several clauses may tell more than it
    answers."""
    reading, several = draft.reading, len(draft.clauses) > 1
    taken = [one.span for one in reading.find(statements)] + [made.span for made in reading.find(decisions)]
    learned = (one.item for one in draft.events if isinstance(one, ItemLearned))
    return taken + [(item.start, item.end) for item in learned if not (several and item.slot.startswith("answer/"))]


def _goes_elsewhere(draft: Draft, clause: Clause) -> bool:
    """Whether a clause only returns to something, or only ends something: others read that. "Can you forget i told you
    about it" tells nothing of it."""
    retracts = [cue.span for cue in draft.reading.all("retracts")] if clause.act not in _SAYS else []
    over = _in(retracts, clause.start, clause.end)
    return over or _goes_back(draft.reading, clause) or only_ends(draft, clause)


def _worth_keeping(reading: Reading, clause: Clause, denies: bool) -> bool:
    """Whether enough speaks for keeping what a clause tells: its score, or other evidence where the score hesitates."""
    keep = clause.keep + (0 if clause.tier == LINEAR else SPARING)
    keep -= UNUSUAL if clause.act in _SELDOM else 0
    return keep >= KEEP or (not denies and keep >= DOUBTFUL and tells_of_oneself(reading, clause))


def _goes_back(reading: Reading, clause: Clause) -> bool:
    """Whether a clause only returns to a tool that was left: "I changed my mind, back to postgres"."""
    return "backphrase" in clause.kinds and term_in(reading, (clause.start, clause.end)) is not None


def tells_of_oneself(reading: Reading, clause: Clause) -> bool:
    """Whether the words of a clause speak for a claim though the model hesitates: said in the first person, with a
    value of the type that its attribute takes; an attribute that is named beside such a value ("new job at Netflix");
    or something that one no longer does."""
    if clause.act in _NOT_OWN or not _NOT_MINE.isdisjoint(clause.kinds):
        return False
    mine, values = _first_person(reading, clause), _values(reading, clause)
    if "negation" in clause.kinds:
        named = any(kind.startswith("attr/") for kind in clause.kinds)
        return mine and not named and bool(values) and no_longer(reading, clause)
    flags = reading.find(standing)
    fitting = [v for v in values if v.lead >= SURE and typed(reading, v) and _asserted(flags, v)]
    named = any(value.lead >= SURE and f"attr/{value.attribute}" in clause.kinds for value in fitting)
    return bool(fitting) if mine else named and clause.act == "states" and clause.keep >= LIKELY


def _first_person(reading: Reading, clause: Clause) -> bool:
    words = set(reading.folded[clause.start : clause.end].replace(",", " ").split())
    return not words.isdisjoint(reading.phrases("memory", "myself"))


def typed(reading: Reading, value: Value) -> bool:
    """Whether a value is of the type that its attribute takes."""
    takes = str(reading.reader.data("memory_types", None).get(value.attribute, "")).split()
    words = reading.folded[value.start : value.end].split()
    if value.attribute == "role" and len(words) > 1 and words[-1] in reading.phrases("memory", "not_roles"):
        return True  # "guy" says what nobody does, "backend guy" does
    if len(words) > MAX_VALUE_WORDS:
        return False  # a value is a few words: more are a story that holds such a word
    if value.attribute in _NAMED and value.lead >= 2 * SURE and reading.text[value.start].isupper():
        return True  # "my doctor is Dr. Patel": no attribute of ours, and yet surely a value
    if sum(map(str.isdigit, "".join(words))) >= IDENTIFIES:
        return True  # "my order number is 48213"
    return not value_types(reading.reader, reading.words((value.start, value.end))).isdisjoint(takes)


def _values(reading: Reading, clause: Clause) -> list[Value]:
    """The values of a clause; where the model finds none, what its words are by themselves: "I'm diabetic"."""
    if clause.values or "negation" in clause.kinds:
        return list(clause.values)
    found = tokens(reading.words((clause.start, clause.end)), reading.language)
    own = [(token, kind) for token in found for kind in token.kinds if kind in _SAYS_ITSELF]
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    others = [token for token in found if token.shape != "." and token.word not in small]
    if len(own) != 1 or any(token is not own[0][0] and not token.kinds for token in others):
        return []  # "I'm far from vegan"
    token, kind = own[0]
    return [Value(clause.start + token.start, clause.start + token.end, kind, SURE, True)]


def _rest(draft: Draft, clause: Clause, read: Sequence[Span]) -> Iterator[Statement]:
    """What a clause tells beside what was read of it: it is a claim, so its other sure values are told too."""
    slots = draft.reading.reader.data("memory_attributes", None)
    for value in clause.values if "negation" not in clause.kinds else ():
        beside = not any(overlap((value.start, value.end), span) for span in read)
        if beside and value.lead >= 2 * SURE and value.attribute in slots and typed(draft.reading, value):
            slot = _slot(draft.reading, value, str(slots[value.attribute]))
            if not any(m.version == draft.moment.version for _, m in in_slot(draft.state, slot)):
                yield _statement(draft.reading, clause, slot, value)
                read = [*read, (value.start, value.end)]
    here = [one for one in draft.reading.find(statements) if overlap(one.span, (clause.start, clause.end))]
    now = clause.act not in _MARKS and "negation" not in clause.kinds and not any(one.act == "past" for one in here)
    more = now and _left_over(draft.reading, clause, read) >= LEFT_OVER
    if more and _worth_keeping(draft.reading, clause, True):
        yield _own_words(draft.reading, clause)


def _left_over(reading: Reading, clause: Clause, read: Sequence[Span]) -> int:
    """How many words of a clause carry meaning and stand outside of what was read of it, and of the words it was read
    by."""
    read = [*read, *(cue.span for family in ("states", "uses") for cue in reading.all(family))]
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    places = (reading.folded[a:b] for a, b in reading.tokens if clause.start <= a < clause.end and not _in(read, a, b))
    return sum(len(word) > 2 and word not in small for word in places)


def _in(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(overlap((start, end), span) for span in spans)


def _doubted(draft: Draft, clause: Clause) -> Statement | None:
    """Another value of something known that is only thought to be so: "hmm, I think it might be pnpm"."""
    if clause.act != "doubts" and not (clause.act == "states" and "hedge" in clause.kinds):
        return None
    span = (clause.start, clause.end)
    term = term_in(draft.reading, span)
    if term is None or not any(m.positive for _, m in in_slot(draft.state, term.slot)):
        return None
    return Statement(term.slot, term.value, term.span, "talk.doubts", span, marks=frozenset({"doubted"}))


def _said(draft: Draft, clause: Clause) -> Iterator[Statement]:
    """What a clause that is worth keeping tells: its sure values under their attributes, else itself."""
    reading = draft.reading
    slots = reading.reader.data("memory_attributes", None)
    whole = (attributed(reading, clause, value) for value in _whole(reading, _values(reading, clause)))
    given = [value for value in whole if not _names_attribute(reading, value)]
    flags = reading.find(standing)
    if given and all("negated" in flags.of((v.start, v.start + 1)) for v in given) and _only_denies(draft, clause):
        return
    sure = [v for v in given if v.attribute in slots and _asserted(flags, v) and _sure(reading, clause, v)]
    short = len(reading.words((clause.start, clause.end)).split()) <= MAX_OWN_WORDS
    if (own := next((v.attribute for v in sure if v.attribute in IN_OWN_WORDS), "")) and short:
        yield _own_words(reading, clause, own)
        return
    for value in sure:
        slot = _slot(reading, value, str(slots[value.attribute]))
        yield _statement(reading, clause, slot, value)._replace(old=_replaced(draft, clause, slot, value))
    if sure and _tells_more(reading, clause, sure):
        yield _own_words(reading, clause)._replace(slot=NOTE)  # its attribute has its value already
    elif not sure and _stands_alone(reading, clause):
        yield _own_words(reading, clause)


def _sure(reading: Reading, clause: Clause, value: Value) -> bool:
    """Whether a value is surely one of its attribute, and the speaker's."""
    return _own(clause, value) and (typed(reading, value) or (value.lead >= SURE and _free(reading, value)))


def _asserted(flags: Standing, value: Value) -> bool:
    """Whether a value is said as true in a clause that is said plainly, whatever else its sentence asks or supposes."""
    return flags.of((value.start, value.start + 1)) <= OF_THE_SENTENCE


def _only_denies(draft: Draft, clause: Clause) -> bool:
    """Whether a clause says of nothing but what is not so: where more speaks for it, that is worth knowing too ("can't
    do tuesdays"), unless the message says what is so instead."""
    if no_longer(draft.reading, clause):
        return False
    types = _types(draft.reading, clause)
    others = (one for one in draft.clauses if one is not clause)
    instead = bool(read(draft)) or any(not types.isdisjoint(_types(draft.reading, one)) for one in others)
    return instead or clause.keep < DENIED


def attributed(reading: Reading, clause: Clause, value: Value) -> Value:
    """A value with its attribute. A mail address and a telephone number say by their form what they are; where the
    words around a value leave it open, what the clause as a whole tells decides, if the value is of that type."""
    words = reading.words((value.start, value.end)).strip(" .,;:!?")
    form = "email" if EMAIL.fullmatch(words) else "phone" if PHONE.fullmatch(words) else ""
    if form:
        return value._replace(attribute=form, lead=max(value.lead, 2 * SURE))
    told = value._replace(attribute=clause.tells.best, lead=clause.tells.lead if clause.told >= FAINT else 0)
    surely = typed(reading, told) or (_free(reading, told) and told.lead >= 2 * SURE)
    return told if told.lead >= SURE and value.lead < told.lead and surely else value


def _stands_alone(reading: Reading, clause: Clause) -> bool:
    """Whether a clause without a sure value is worth its own words. One that corrects something speaks of that:
    "I meant the other one" tells nothing by itself."""
    return (clause.act not in _MARKS or clause.keep >= SURE) and _says_something(reading, clause)


def _own(clause: Clause, value: Value) -> bool:
    """Whether a value may be the speaker's: "my sister studies nursing" tells nothing of one's own studies."""
    return value.attribute not in _OF_ONESELF or _OTHERS.isdisjoint(clause.kinds)


def _names_attribute(reading: Reading, value: Value) -> bool:
    """Whether the last word of a value is what an attribute is called: "new job" is nobody's role."""
    found = [token for token in tokens(reading.words((value.start, value.end)), reading.language) if token.shape != "."]
    return bool(found) and any(kind.startswith("attr/") for kind in found[-1].kinds)


def _whole(reading: Reading, values: Sequence[Value]) -> list[Value]:
    """Values as far as they reach: a date or an amount of which the model saw a part is taken whole, and parts of one
    value that stand side by side are one ("june", "14")."""
    spans = reading.find(typed_spans)
    made: list[Value] = []
    for value in values:
        over = [span for span in spans if overlap((value.start, value.end), (span.start, span.end))]
        start, end = min([value.start, *(s.start for s in over)]), max([value.end, *(s.end for s in over)])
        last = made[-1] if made else None
        if last is not None and last.attribute == value.attribute and not reading.text[last.end : start].strip():
            made[-1] = last._replace(end=max(end, last.end))
        else:
            made.append(value._replace(start=start, end=end))
    return made


def _free(reading: Reading, value: Value) -> bool:
    """Whether the attribute of a value takes anything: where it takes a type, a value is of that type or it is none."""
    return not reading.reader.data("memory_types", None).get(value.attribute)


def _tells_more(reading: Reading, clause: Clause, values: Sequence[Value]) -> bool:
    """Whether a clause that is surely worth keeping tells more than its values: nothing said is dropped."""
    if clause.keep < KEEP:
        return False
    rest = reading.text[clause.start : clause.end]
    for value in reversed(values):
        rest = rest[: value.start - clause.start] + " " + rest[value.end - clause.start :]
    found = (token for token in tokens(rest, reading.language) if token.shape != "." and len(token.word) > 2)
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    own = [token for token in found if token.word not in small and not token.kinds]
    return len(own) >= MORE_WORDS


def _says_something(reading: Reading, clause: Clause) -> bool:
    """Whether a clause has words of its own beside those that only say how it is meant: "actually, never mind"."""
    found = tokens(reading.words((clause.start, clause.end)), reading.language)
    small = reading.reader.phrases("small", "words")
    own = (t for t in found if t.shape != "." and t.word not in small and not _SAYS_HOW.issuperset(t.kinds or ("own",)))
    return next(own, None) is not None


def _replaced(draft: Draft, clause: Clause, slot: str, value: Value) -> str:
    """The known value of the slot that a correction names beside the new one: "not leeds, york"."""
    if clause.act != "corrects":
        return ""
    reading = draft.reading
    beside = reading.words((clause.start, value.start)) + " " + reading.words((value.end, clause.end))
    said = content(reading.reader, beside)
    held = (memo.value for _, memo in in_slot(draft.state, slot) if memo.positive)
    return next((old for old in held if (words := content(reading.reader, old)) and words <= said), "")


def _slot(reading: Reading, value: Value, slot: str) -> str:
    """The key of a value; a known tool says itself which kind it is."""
    term = term_in(reading, (value.start, value.end)) if slot.endswith("/*") else None
    return term.slot if term is not None else slot.removesuffix("/*")


def _statement(reading: Reading, clause: Clause, slot: str, value: Value) -> Statement:
    span = (value.start, value.end)
    return Statement(
        slot,
        reading.words(span).strip(" .,;:!?"),
        span,
        f"talk.{clause.act}",
        (clause.start, clause.end),
        "states" if value.positive else "rejects",
        marks=_MARKS.get(clause.act, frozenset()),
    )


def _own_words(reading: Reading, clause: Clause, attribute: str = "") -> Statement:
    """A clause as it was said, under what it surely tells of; what holds one value only takes no whole sentence."""
    span = (clause.start, clause.end)
    words = " ".join(reading.words(span).split()).strip(" .,;:!?")
    slots = reading.reader.data("memory_attributes", None)
    slot = str(slots.get(attribute or clause.tells.best, "")).removesuffix("/*")
    sure = slot and (attribute or (clause.tells.lead >= SURE and clause.told >= FAINT))
    kind = slot_kind(reading.reader, slot) if sure else None
    sure = kind is not None and kind.many and not (kind.vital and "negation" in clause.kinds)
    marks = _MARKS.get(clause.act, frozenset())
    return Statement(slot if sure else NOTE, words, span, f"talk.{clause.act}", span, marks=marks)
