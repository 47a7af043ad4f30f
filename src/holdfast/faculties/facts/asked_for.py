"""What is kept because somebody asks for it a message later: "the gate code is 4411", "remember that"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from holdfast.events import Event
from holdfast.faculties.facts.asking_back import COURTEOUS
from holdfast.faculties.facts.beside import NOTE
from holdfast.faculties.facts.lookup import Place
from holdfast.faculties.facts.memos import ItemLearned, slices
from holdfast.faculties.facts.relations import slot_kind
from holdfast.faculties.facts.wording import nouns
from holdfast.faculties.facts.writing import confirm, write
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Reading

RULE = "talk.asked_for"
MAX_TOLD = 300
"""Characters of a message that are kept because they were asked for."""
NEWEST = 24
"""Things, the newest of a scope, among which those of the message before are."""
_BIDS = frozenset({"instructs", "requests", "remarks"})
"""Acts of what is no more than a bid to keep something; one that is no bid has another."""
_POLITE = COURTEOUS | {"confirms", "remarks"}
"""Acts beside which a message may still only ask to keep what stands before it: "ok, remember that"."""


def asked_for(draft: Draft) -> Iterator[Event]:
    """Keep what was told right before, where a message asks for that and names nothing; what else the message tells is
    meant where it tells anything. What is known of it already is as sure and as lasting as what one asks to keep."""
    asking = next((clause for clause in draft.clauses if _asks_to_keep(draft.reading, clause)), None)
    if asking is None or any(isinstance(event, ItemLearned) for event in draft.events):
        return
    tells = [one for one in draft.clauses if one is not asking and one.act not in _POLITE | {"requests"}]
    span = (tells[0].start, tells[-1].end) if tells else (asking.start, asking.end)
    told = draft.reading.text[slice(*span)] if tells else _told_before(draft)
    words = told[:MAX_TOLD].strip(" ,;.")
    own = span if tells else (0, 0)  # what was told before stands nowhere in this message
    said = Statement(NOTE, words, span, RULE, own, lifespan="permanent", words=words)
    held = [] if tells else _held(draft)
    for scope, memo in held:
        yield from confirm(draft, scope, memo, said)
    if words and not held:
        yield from write(draft, said, slot_kind(draft.reading.reader, NOTE))


def only_asks_to_keep(draft: Draft) -> bool:
    """Whether a message asks to keep what stands before it, and does no more."""
    asks = [_asks_to_keep(draft.reading, clause) for clause in draft.clauses]
    polite = (clause.act in _POLITE for clause in draft.clauses)
    return any(asks) and all(one or other for one, other in zip(asks, polite, strict=True))


def _asks_to_keep(reading: Reading, clause: Clause) -> bool:
    """Whether a clause asks to keep something and says nothing of it: "remember that", «запомни», "can you keep that in
    mind for me?"."""
    kinds = clause.kinds
    if "rememberphrase" not in kinds:
        return False
    words = reading.words((clause.start, clause.end))
    denied = ["rememberphrase" in one.kinds for one in clause.tokens if "negation" in one.kinds]  # "don't forget"
    bids = "wantphrase" in kinds or any(denied) or (clause.act in _BIDS and not words.rstrip().endswith("?"))
    return bids and all(denied) and not nouns(reading, words)


def _told_before(draft: Draft) -> str:
    """The words that the message before told something in; where it only asked, those of an answer that was given."""
    asked, own = draft.told, draft.reading.reader.read(draft.told)
    clauses = own.after("") if asked else ()
    if tells := [one for one in clauses if one.act not in COURTEOUS]:
        return asked[tells[0].start : tells[-1].end]
    answered = any(one.act == "asks" for one in clauses) and not own.reader.read(draft.asked).has("unsure")
    return draft.asked if answered else ""


def _held(draft: Draft) -> list[Place]:
    """What is known by the message before."""
    own = (one.version for one in reversed(draft.before.conversation.recent) if one.role != "assistant")
    version = next(own, None)
    newest = ((scope, islice(reversed(memory.items.values()), NEWEST)) for scope, memory in slices(draft.state))
    found = [(scope, memo) for scope, memos in newest for memo in memos if memo.current]
    return [one for one in found if (one[1].session, one[1].version) == (draft.origin, version)]
