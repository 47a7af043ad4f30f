"""What a value is a value of: the lasting attribute that most speaks for, by what its words are themselves, by what
they and their clause tell, and by the type that an attribute takes."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.faculties.facts.wording import PRESENTATION, nouns
from holdfast.faculty import Draft
from holdfast.reading.kinds import TIMES, typed_spans, value_types
from holdfast.reading.model.clauses import KEEP, Clause, Value
from holdfast.reading.model.scorer import Scored
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading, Span, overlap
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
"""Attributes that take a known place and nothing else: a search may go by them."""
FAINT = -16
"""How far an attribute may stay behind telling nothing, to be what a clause tells of nevertheless."""
MAX_VALUE_WORDS = 4
NAME, OTHER = "name", "other"
"""What one is called; and what lasts, and has no attribute of its own."""


def typed(reading: Reading, value: Value) -> bool:
    """Whether a value is of the type that its attribute takes."""
    takes = str(reading.reader.data("memory_types", None).get(value.attribute, "")).split()
    words = reading.folded[value.start : value.end].split()
    if len(words) > MAX_VALUE_WORDS:
        return False  # a value is a few words: more are a story that holds such a word
    types = value_types(reading.reader, reading.words((value.start, value.end)))
    if any(one.type in TIMES and covered(value, [one[:2]]) for one in reading.find(typed_spans)):
        types |= {"when"}
    return not types.isdisjoint(takes)


def values_of(reading: Reading, clause: Clause) -> list[Value]:
    """The values of a clause, each under the attribute that it is likely a value of; where the model finds none, what
    its words are by themselves: "I'm diabetic"."""
    if clause.values:
        return [attributed(reading, clause, value) for value in _whole(reading, clause.values)]
    found = tokens(reading.words((clause.start, clause.end)), reading.language)
    kinds = STATUS if "negation" in clause.kinds else _SAYS_ITSELF
    own = [(token, kind) for token in found for kind in token.kinds if kind in kinds]
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    others = [token for token in found if token.shape != "." and token.word not in small]
    beside = any(token is not own[0][0] and not token.kinds for token in others) if own else True
    if len(own) != 1 or (beside and own[0][1] != "smoking"):
        return placed_in(reading, clause)[-1:] if clause.told >= FAINT else []  # "I'm far from vegan"
    token, kind = own[0]
    sign = "no" if "negation" in clause.kinds else "yes"
    return [Value(clause.start + token.start, clause.start + token.end, kind, 2 * SURE, sign)]


def attributed(reading: Reading, clause: Clause, value: Value) -> Value:
    """A value under the lasting attribute that most speaks for: what its words are by themselves, else what they or the
    clause as a whole tell."""
    if by_itself := _by_itself(reading, clause, value):
        return value._replace(attribute=by_itself, lead=max(value.lead, 2 * SURE))
    alone = clause.told >= FAINT and len(clause.values) == 1
    whole = clause.tells if alone else Scored(clause.tells.best, 0)
    best = value.lasting if value.lasting.lead >= whole.lead else whole
    agree = value.lasting.best == whole.best
    lead = best.lead + (min(value.lasting.lead, whole.lead) if agree else 0)
    against = _against(value, best.best) if value.attribute == OTHER and not (agree and best.best != NAME) else 0
    return value._replace(attribute=best.best, lead=max(0, lead - against))


def _against(value: Value, attribute: str) -> int:
    """How much speaks against a lasting attribute of a value that is likelier something else: all, where that is sure
    or the value would be somebody's name."""
    return 1 << 10 if attribute == NAME or value.lead >= 2 * SURE else value.lead


def attribute_at(draft: Draft, span: Span) -> Value | None:
    """The value that a clause worth keeping surely gives at some place, under its attribute: the clause and the value
    speak for the same, and no attribute that does not last speaks louder ("Boston", of a hotel)."""
    for clause in draft.clauses if len(draft.reading.text) <= LONG else ():
        own = {value.attribute for value in clause.values if overlap((value.start, value.end), span)}
        for value in values_of(draft.reading, clause) if clause.tells.best in own and clause.keep >= KEEP else ():
            same_place = overlap((value.start, value.end), span)
            if same_place and value.attribute == clause.tells.best and value.lead >= 2 * SURE:
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
    if status and (status != ["marital"] or not _unknown(reading, clause, words)):
        return status[0]
    named = (name for kind, name in _NAMED_ALONE.items() if kind in clause.kinds)
    return next((name for name in named if name != "event" or typed(reading, value._replace(attribute=name))), "")


def _without_its_time(reading: Reading, value: Value, times: Sequence[Span]) -> Value:
    """A value without the time that it holds from, or held: "Berlin" of "Berlin since 2019"."""
    end = min((start for start, _ in times if value.start < start < value.end), default=value.end)
    return value._replace(end=value.start + len(reading.text[value.start : end].rstrip()))


def _but_times(values: Sequence[Value], times: Sequence[Span]) -> Sequence[Value]:
    """The values beside the time that something holds from, or held: "2019" says when, not what."""
    return [v for v in values if not any(start <= v.start and v.end <= end for start, end in times)] or values


def _unknown(reading: Reading, clause: Clause, words: str) -> bool:
    """Whether a clause has words beside a value that nothing is known of: "engaged in a long debate"."""
    rest = reading.words((clause.start, clause.end)).replace(words, " ")
    return any(not kinds for _, kinds in nouns(reading, rest))


def _whole(reading: Reading, values: Sequence[Value]) -> list[Value]:
    """Values as far as they reach: a date or an amount of which the model saw a part is taken whole, and parts of one
    value that stand side by side are one ("june", "14")."""
    spans = reading.find(typed_spans)
    times = [cue.span for family in ("since", "dated") for cue in reading.all(family)]
    made: list[Value] = []
    for value in (_without_its_time(reading, one, times) for one in _but_times(values, times)):
        over = [span for span in spans if overlap((value.start, value.end), (span.start, span.end))]
        start, end = min([value.start, *(s.start for s in over)]), max([value.end, *(s.end for s in over)])
        last = made[-1] if made else None
        if last is not None and last.attribute == value.attribute and not reading.text[last.end : start].strip():
            made[-1] = last._replace(end=max(end, last.end))
        else:
            made.append(value._replace(start=start, end=end))
    return made


def placed_in(reading: Reading, clause: Clause) -> list[Value]:
    """A known place of a clause that tells where one lives or comes from, though the model finds no value in it."""
    found = [one for one in reading.find(typed_spans) if one.type == "place" and clause.start <= one.start < clause.end]
    surely = clause.tells.best in PLACES and clause.tells.lead >= SURE
    return [Value(one.start, one.end, clause.tells.best, clause.tells.lead) for one in found if surely]


def likely(reading: Reading, value: Value) -> bool:
    """Whether enough speaks for the attribute of a value: less where it is of the type that the attribute takes, more
    where it is not."""
    if typed(reading, value) or value.attribute in PLACES:
        least = SURE if value.attribute == NAME else LIKELY  # any unknown word may be a name
        return value.lead >= least and typed(reading, value)
    return value.lead >= (2 * SURE if value.attribute in reading.reader.data("memory_types", None) else SURE)


def covered(value: Value, spans: Sequence[Span]) -> bool:
    return any(overlap((value.start, value.end), span) for span in spans)
