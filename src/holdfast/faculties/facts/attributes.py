"""What a value is a value of: the lasting attribute that most speaks for, by what its words are themselves, by what
they and their clause tell, and by the type that an attribute takes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from holdfast.faculties.facts.wording import PRESENTATION
from holdfast.faculty import Draft
from holdfast.reading.kinds import TIMES, Typed, typed_spans, value_types
from holdfast.reading.model.clauses import KEEP, Clause, Value, leading, strange
from holdfast.reading.model.tokens import tokens, tokens_of
from holdfast.reading.reader import Reader, Reading, Span, overlap
from holdfast.reading.standing import LONG
from holdfast.reading.values import EMAIL, PHONE

LIKELY, SURE = 8, 16
"""Leads from which an attribute is taken for that of a value: where the value is of its type, and else."""
STATUS = frozenset({"marital", "smoking"})
"""Kinds of words of which the model knows no attribute: they say by themselves what they are a value of."""
_SAYS_ITSELF = STATUS | {"health", "diet"}
"""The same, and those that say it where the model finds no value."""
_NAMED_ALONE = {"attr/commute": "commute", PRESENTATION: "event"}
"""Kinds of words that name an attribute: one that the model does not know, or one whose value is a day beside them."""
PLACES = frozenset({"home", "origin"})
"""Attributes that take a known place, and another only where it is surely one: a search may go by them."""
_TIMELESS = frozenset({"name", "employer", "address"})
"""Attributes whose values end where a time is told: "Acme" of "Acme two years now"."""
_UNNUMBERED = frozenset({"name", "employer"})
"""Those of them in which a number with a word behind it counts years or months."""
_PLAIN = frozenset({"when", "number", "email"})
"""Types that a value has by its form, whatever is said of it."""
UNFIT = 40
"""How much it speaks against an attribute that a value is of another type."""
FAINT = -16
"""How far an attribute may stay behind telling nothing, to be what a clause tells of nevertheless."""
_NUMBERED = frozenset({"number", "age", "family", "pet"})
"""What a mere number may be taken for; a relative may also be a mere name."""
COUNTED = {"kin": "family", "animal": "pet"}
"""What those are to the speaker who are told by their number."""
_TELLS = frozenset({"states", "answers", "corrects", "retracts"})
"""Acts by which something is said to be no longer so."""
MAX_VALUE_WORDS = 4
NAME, OTHER = "name", "other"
"""What one is called; and what lasts, and has no attribute of its own."""


def typed(reading: Reading, value: Value) -> bool:
    """Whether a value is of the type that its attribute takes."""
    takes = types_taken(reading.reader).get(value.attribute, frozenset())
    if len(reading.folded[value.start : value.end].split()) > MAX_VALUE_WORDS:
        return False  # a value is a few words: more are a story that holds such a word
    return not _types(reading, value).isdisjoint(takes)


def _types(reading: Reading, value: Value) -> frozenset[str]:
    """The types of a value: by its words, and as a time by what it is read as ("3/14")."""
    types = value_types(reading.reader, reading.words((value.start, value.end)))
    if any(one.type in TIMES and covered(value, [one[:2]]) for one in reading.find(typed_spans)):
        types |= {"when"}
    return types


@lru_cache(maxsize=8)
def types_taken(reader: Reader) -> dict[str, frozenset[str]]:
    """The types of values that attributes take; those that take any are left out."""
    return {name: frozenset(str(types).split()) for name, types in reader.data("memory_types", None).items()}


def values_of(reading: Reading, clause: Clause) -> list[Value]:
    """The values of a clause, each under the attribute that it is likely a value of; where the model finds none, what
    its words are by themselves: "I'm diabetic"."""
    return clause.find(_values_of, reading)


def _values_of(reading: Reading, clause: Clause) -> list[Value]:
    if clause.values:
        return [attributed(reading, clause, value) for value in _whole(reading, clause.values)]
    found = tokens(reading.words((clause.start, clause.end)), reading.language)
    kinds = STATUS if "negation" in clause.kinds else _SAYS_ITSELF
    own = [(token, kind) for token in found for kind in token.kinds if kind in kinds]
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    others = [token for token in found if token.shape != "." and token.word not in small]
    beside = any(token is not own[0][0] and not token.kinds for token in others) if own else True
    if len(own) != 1 or (beside and own[0][1] != "smoking"):
        return []
    token, kind = own[0]
    sign = "no" if "negation" in clause.kinds else "yes"
    return [Value(clause.start + token.start, clause.start + token.end, kind, 2 * SURE, sign)]


def attributed(reading: Reading, clause: Clause, value: Value) -> Value:
    """A value under the lasting attribute that most speaks for: what its words are by themselves, else what they or the
    clause as a whole tell."""
    if by_itself := _by_itself(reading, clause, value):
        return value._replace(attribute=by_itself, lead=max(value.lead, 2 * SURE))
    alone = clause.told >= FAINT and len(clause.values) == 1
    whole = clause.abouts if alone else {}
    scores = {name: score + whole.get(name, 0) for name, score in value.scores.items()}
    types = _types(reading, value)
    if types and types <= _PLAIN:  # a time is nobody's employer
        unfit = [name for name, takes in types_taken(reading.reader).items() if types.isdisjoint(takes)]
        scores |= {name: scores[name] - UNFIT for name in unfit if name in scores}
    best = leading(scores)
    if best.best == "home":  # where one goes, or something is held, is mostly nobody's home
        lead = min(best.lead, 3 * value.lead) if value.attribute == best.best else 0
        return value._replace(attribute=best.best, lead=lead)
    if value.attribute == OTHER and not (alone and value.lasting.best == clause.tells.best != NAME):
        # it is likelier something else: what is sure of that, or would be somebody's name, goes under nothing
        against = 1 << 10 if best.best == NAME or value.lead >= 2 * SURE else value.lead
        return value._replace(attribute=best.best, lead=max(0, best.lead - against))
    return value._replace(attribute=best.best, lead=best.lead)


def attribute_at(draft: Draft, span: Span) -> Value | None:
    """The value that a clause worth keeping surely gives at some place, under its attribute: the clause and the value
    speak for the same, and no attribute that does not last speaks louder ("Boston", of a hotel)."""
    for clause in draft.clauses if len(draft.reading.text) <= LONG else ():
        told = clause.tells.best
        own = {value.attribute for value in clause.values if overlap((value.start, value.end), span)}
        for value in values_of(draft.reading, clause) if told in own and clause.keep >= KEEP else ():
            surely = value.attribute == told and value.lead >= 2 * SURE
            if surely and overlap((value.start, value.end), span):
                return value
    return None


def _by_itself(reading: Reading, clause: Clause, value: Value) -> str:
    """The attribute that the words of a value say by themselves: a mail address and a telephone number by their form, a
    state of life by its word, and what the model has no attribute for by its name."""
    words = reading.words((value.start, value.end)).strip(" .,;:!?")
    if EMAIL.fullmatch(words):
        return "email"
    if PHONE.fullmatch(words):
        other = clause.tells.best == "number" and "attr/phone" not in clause.kinds
        return "number" if other else "phone"  # "my account number is 20887134"
    status = [kind for token in tokens(words, reading.language) for kind in token.kinds if kind in STATUS]
    if status:
        return status[0]
    named = (name for kind, name in _NAMED_ALONE.items() if kind in clause.kinds)
    return next((name for name in named if name != "event" or typed(reading, value._replace(attribute=name))), "")


def _narrowed(reading: Reading, value: Value, spans: Sequence[Typed], times: Sequence[Span]) -> Value:
    """A value without the time that it holds from, or held ("Berlin" of "Berlin since 2019"), and where somebody lives
    or comes from without what is said beside the place ("Dublin" of "Dublin 6 years")."""
    starts = [start for start, _ in times]
    if value.lasting.best in _TIMELESS:
        starts += [one.start for one in spans if one.type in TIMES]
        starts += [token.start for token in reading.find(tokens_of) if "weekday" in token.kinds]
    if value.lasting.best in _UNNUMBERED:
        starts += [one.start for one in spans if one.type == "number" and one.end < value.end]
    end = min((start for start in starts if value.start < start < value.end), default=value.end)
    if end < value.end:
        value = value._replace(end=_without_small_words(reading, value.start, end))
    if value.lasting.best not in PLACES:
        return value
    found = [span for span in spans if span.type == "place" and value.start <= span.start and span.end <= value.end]
    return value._replace(start=found[0].start, end=found[-1].end) if found else value


def _without_small_words(reading: Reading, start: int, end: int) -> int:
    """Where words end without the small ones that lead to what comes next: "on", "for"."""
    small = reading.phrases("small", "words")
    found = [token for token in reading.find(tokens_of) if start <= token.start and token.end <= end]
    return next((token.end for token in reversed(found) if token.shape != "." and token.word not in small), end)


def _whole(reading: Reading, values: Sequence[Value]) -> list[Value]:
    """Values as far as they reach: a date or an amount of which the model saw a part is taken whole, and parts of one
    value that stand side by side are one ("june", "14")."""
    spans = reading.find(typed_spans)
    times = [cue.span for family in ("since", "dated") for cue in reading.all(family)]
    # "2019" says when, not what
    beside = [v for v in values if not any(start <= v.start and v.end <= end for start, end in times)]
    given = [_narrowed(reading, one, spans, times) for one in beside or values]
    made: list[Value] = []
    for value in (_with_word(reading, one) if one.lasting.best in _NUMBERED else one for one in given):
        over = [span for span in spans if overlap((value.start, value.end), (span.start, span.end))]
        start, end = min([value.start, *(s.start for s in over)]), max([value.end, *(s.end for s in over)])
        whole = value._replace(start=start, end=end)
        joined = _joined(reading, made[-1], whole) if made else None
        made[-1 if joined else len(made) :] = [joined or whole]
    return made


def _joined(reading: Reading, last: Value, value: Value) -> Value | None:
    """Two values as one: parts of one value that stand side by side, and a thing with its name."""
    alike = last.attribute == value.attribute
    if alike and not reading.text[last.end : value.start].strip():
        return last._replace(end=max(value.end, last.end))
    if (alike or value.attribute == NAME) and _is_called(reading, last.end, value.start):
        return last._replace(start=value.start if last.lasting.best == "employer" else last.start, end=value.end)
    return None


def _is_called(reading: Reading, start: int, end: int) -> bool:
    """Whether nothing but a word for being called stands between a thing and its name: "a hamster called Peanut"."""
    between = [token for token in reading.find(tokens_of) if start <= token.start < end]
    return len(between) == 1 and "attr/name" in between[0].kinds


def _with_word(reading: Reading, value: Value) -> Value:
    """A value with the word for those whom it counts or names: "dos hijos", not "dos"; "sister Pat", not "Pat"."""
    value = _counted(reading, value)
    before = [token for token in reading.find(tokens_of) if token.end <= value.start][-1:]
    theirs = [token for token in before if any(COUNTED.get(kind) == value.lasting.best for kind in token.kinds)]
    near = [token for token in theirs if not reading.text[token.end : value.start].strip()]
    return value._replace(start=near[0].start) if near else value


def _counted(reading: Reading, value: Value) -> Value:
    """How many relatives or animals there are, with the word for them: "dos hijos", not "dos"."""
    found = [token for token in reading.find(tokens_of) if token.end > value.start]
    count = list(takewhile(lambda token: token.shape == "0" or "number" in token.kinds, found))
    counted = found[len(count)] if count and len(found) > len(count) else None
    if counted is None or value.end > counted.end:
        return value
    for of in COUNTED.keys() & set(counted.kinds):
        return value._replace(end=counted.end, scores={COUNTED[of]: 4 * SURE, OTHER: 0})
    return value


def likely(reading: Reading, value: Value) -> bool:
    """Whether enough speaks for the attribute of a value: less where it is of the type that the attribute takes, more
    where it is not."""
    if typed(reading, value):
        return value.lead >= (SURE if value.attribute == NAME else LIKELY)  # any unknown word may be a name
    if value.attribute in PLACES:
        return value.lead >= 3 * SURE and _looks_like_a_name(reading, value)
    return value.lead >= (2 * SURE if value.attribute in types_taken(reading.reader) else SURE)


def _looks_like_a_name(reading: Reading, value: Value) -> bool:
    """Whether each word of a value but small ones is written like a name, or is none that people say."""
    found = [t for t in reading.find(tokens_of) if value.start <= t.start < value.end and t.shape != "."]
    small = reading.reader.phrases("small", "words")
    named = [t for t in found if t.word not in small]
    return len(found) <= MAX_VALUE_WORDS and bool(named) and all(t.shape in "WA" or strange(t.word) for t in named)


def instead(draft: Draft, value: Value) -> Value:
    """A doubtful value beside one that is over takes its place: "sold the Solaris, got a Chery"."""
    if value.sign != "yes":
        return value
    near = value.scores.get(value.attribute, 0) - 2 * SURE
    taken = [name for name in draft.find(_over_here) if value.scores.get(name, near) > near]
    return value._replace(attribute=taken[0], lead=2 * SURE) if taken else value


def _over_here(draft: Draft) -> list[str]:
    """The attributes of which a message says that a value of theirs is no longer so."""
    values = [value for clause in draft.clauses if clause.act in _TELLS for value in clause.values]
    return [value.lasting.best for value in values if value.sign == "no" and value.lasting.lead >= LIKELY]


def slot_named(reader: Reader, attribute: str) -> str:
    """The slot that keeps an attribute, or none."""
    return str(reader.data("memory_attributes", None).get(attribute, "")).removesuffix("/*")


def covered(value: Value, spans: Sequence[Span]) -> bool:
    return any(overlap((value.start, value.end), span) for span in spans)
