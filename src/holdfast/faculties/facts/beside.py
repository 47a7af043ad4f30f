"""What stands beside what a message tells: the clauses that only ask are left out, those of one sentence that tell one
thing are kept together, and none of several things in a row is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.faculties.facts.asking_back import asks_back, only_names
from holdfast.faculties.facts.taking_back import said_plainly
from holdfast.faculties.facts.things import thing
from holdfast.faculties.facts.told import has
from holdfast.faculties.facts.wording import clause_words, in_words, nouns, to_be_kept
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.clauses import sentence
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens
from holdfast.reading.reader import Reading, Span, touches

NOTE = "note"
UNSURE = 8
"""Lead of an act below which another may be meant."""
_WISHES = frozenset({"asks", "requests"})
"""Acts by which something is wanted of the one who is talked to."""
_BESIDE = frozenset({"states", "answers", "reports", "remarks", "corrects", "instructs", "doubts"})
"""Acts of clauses that may belong to what is told beside them."""
_IN_ITS_SENTENCE = frozenset(
    {"note", "number", "event", "habit", "hours", "goal", "project", "health", "hobby", "family"}
)
"""Slots of what says little without the sentence that it was said in."""
MAX_BESIDE = 24
"""Words of a note with what stands beside it."""
ALONG = -64
"""Score from which a clause is kept beside others of its sentence."""
_WRITTEN = frozenset({"path", "dotted"})
"""Kinds of words that are names by their form."""


def told_plainly(draft: Draft) -> list[Clause]:
    """The clauses that are said as they are, and do not rather ask for what is known. Use as
    `draft.find(told_plainly)`."""
    return [clause for clause in draft.find(said_plainly) if not _asks(draft, clause)]


def _asks(draft: Draft, clause: Clause) -> bool:
    """Whether a clause rather asks for what is known, or for something to be done, than tells anything."""
    reading = draft.reading
    if to_be_kept(reading, clause):
        return False
    if draft.asked.rstrip().endswith("?"):
        return _begins_asking(reading, clause)
    return _begins_asking(reading, clause) or only_names(reading, clause, draft.before)


def _begins_asking(reading: Reading, clause: Clause) -> bool:
    """Whether a clause asks back, and not only behind what it tells ("only where its not obvious"), or in doubt wants
    something of the one who is talked to: "can u keep track of it"."""
    said = tokens(in_words(reading, (clause.start, clause.end)), reading.language)
    wishes = not _WISHES.isdisjoint(clause.likeliest) and clause.lead < UNSURE and has(reading, clause.tokens, "you")
    asking = any("askword" in token.kinds for token in (*said[:1], *said[-1:]))
    return wishes or ((clause.act in _WISHES or asking) and asks_back(reading, clause))


def in_their_sentence(draft: Draft, told: list[Statement], taken: Sequence[Span]) -> list[Statement]:
    """What was kept in the words of a clause, with what stands beside it in its sentence: "viewing one in Dennistoun
    thursday, 640 a month" is one thing to know, and "640 a month" nothing."""
    own = [said.slot in _IN_ITS_SENTENCE and _is_a_clause(draft, said) for said in told]
    apart = [*taken, *(said.span for said, whole in zip(told, own, strict=True) if not whole)]
    made: dict[tuple[str, str], Statement] = {}
    for said, whole in zip(told, own, strict=True):
        wide = _with_beside(draft, said, apart) if whole else said
        made.setdefault((NOTE if whole else said.slot, wide.value), wide)
    whole_ones = [said.value for (slot, _), said in made.items() if slot == NOTE]
    return [
        said
        for said in made.values()
        if " " not in said.value or not any(said.value != other and said.value in other for other in whole_ones)
    ]


def _is_a_clause(draft: Draft, said: Statement) -> bool:
    """Whether a statement is a clause in its own words, and nothing that it asks to keep."""
    clause = next((one for one in draft.clauses if (one.start, one.end) == said.span), None)
    kept = clause is not None and not to_be_kept(draft.reading, clause)
    return clause is not None and kept and said.value == clause_words(draft.reading, clause)


def _with_beside(draft: Draft, said: Statement, apart: Sequence[Span]) -> Statement:
    clauses, reading = draft.clauses, draft.reading
    bounds, at = sentence(reading, said.span[0]), [one.start for one in clauses].index(said.span[0])
    first = last = at
    while first and _goes_with(draft, clauses[at], clauses[first - 1], bounds, apart):
        first -= 1
    while last + 1 < len(clauses) and _goes_with(draft, clauses[at], clauses[last + 1], bounds, apart):
        last += 1
    words = in_words(reading, (clauses[first].start, clauses[last].end))
    return said._replace(value=words) if len(words.split()) <= MAX_BESIDE else said


def _goes_with(draft: Draft, said: Clause, beside: Clause, bounds: Span, apart: Sequence[Span]) -> bool:
    """Whether a clause belongs to what is told beside it: it does nothing of its own, and nothing is known of it in
    another way."""
    inside = bounds[0] <= beside.start and beside.end <= bounds[1]
    plain = beside.act in _BESIDE and "rememberphrase" not in beside.kinds
    return inside and plain and not touches((beside.start, beside.end), apart) and not _of_two(draft, said, beside)


def _of_two(draft: Draft, said: Clause, beside: Clause) -> bool:
    """Whether two clauses tell of two things: "the api is on 8080, and the panel on 3000", "hers is on the 14th, mine
    on the 21st"."""
    reader, reading = draft.reading.reader, draft.reading
    one, other = (thing(reader, reading.words((clause.start, clause.end))) for clause in (said, beside))
    named = one.names and other.names and one.pieces and other.pieces
    return bool(named) or not {piece.type for piece in one.pieces}.isdisjoint(piece.type for piece in other.pieces)


def along(draft: Draft, told: Sequence[Statement], taken: Sequence[Span]) -> Iterator[Clause]:
    """The clauses that give a figure or a name beside what is kept of their sentence, and would be lost: the last one
    of "danny 15, mrs okafor 40 and the guy from the garage 22.50"."""
    reading, apart = draft.reading, [*(said.span for said in told), *taken]
    for clause in draft.find(told_plainly) if told else ():
        span, bounds = (clause.start, clause.end), sentence(reading, clause.start)
        beside = any(bounds[0] <= said.span[0] < bounds[1] for said in told)
        if beside and _may_stand(clause) and not touches(span, apart) and _gives(reading, clause):
            draft.decided(f"talk.{clause.act}", clause.decided, span)
            yield clause


def _may_stand(clause: Clause) -> bool:
    """Whether a clause may be kept beside another."""
    return clause.act in _BESIDE and clause.keep >= ALONG


def _gives(reading: Reading, clause: Clause) -> bool:
    """Whether a clause gives a figure or a name of something, and says of what."""
    found = [token for token in clause.tokens if token.shape != "."]
    named = (token.shape == "0" or not _WRITTEN.isdisjoint(token.kinds) or _named(token) for token in found)
    return len(nouns(reading, reading.words((clause.start, clause.end)))) > 1 and any(named)


def _named(token: Token) -> bool:
    return token.shape == "W" and token.start > 0 and not token.kinds
