"""What the learned reading tells of a person: clauses that state something lasting, as statements for the memory.

A value whose attribute is sure fills that attribute. Where no attribute is sure, nothing is dropped: the clause is kept
in its own words, under the noun it is about, and is found again by those words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.events import Event, Scope
from holdfast.faculties.facts.lookup import Place, content, in_slot, with_types, with_words
from holdfast.faculties.facts.memos import ItemRetracted, find, live, slices
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.taking_back import RECENT, last_written
from holdfast.faculties.facts.writing import ENDED, WITHDRAWN, mark_resting
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.kinds import typed_spans, value_types
from holdfast.reading.model.clauses import Clause, Value
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading, Span, overlap
from holdfast.reading.standing import LONG, standing
from holdfast.reading.terms import term_in
from holdfast.reading.tiers import LINEAR

KEEP = -6
"""How much must speak for keeping a clause (16 is one unit of the trained score): chosen on the dev writers, so that
nine in ten messages that teach nothing leave no fact."""
SPARING = 22
"""What is added where the encoder had a say: it is sparing, since few clauses of the writers tell something lasting."""
SURE = 16
"""Lead from which the attribute of a value is taken as known."""
_TELLS_NOTHING = frozenset({"asks", "retracts", "quotes", "supposes", "reports", "thanks", "greets"})
"""Acts after which nothing is kept, however much its words speak for it."""
_NOT_SAID = frozenset({"quoted", "withdrawn", "question", "hypothetical"})
_MARKS = {"corrects": frozenset({"corrects", "meant"}), "returns": frozenset({"now"})}
_SAYS_HOW = frozenset(
    "correction forgetphrase stopphrase laterphrase reaction hedge negation now always pointer yes no thanks greeting "
    "farewell".split()
)
"""Kinds of words that tell nothing by themselves."""
_NOT_OWN = frozenset({"asks", "supposes", "quotes", "reports", "requests", "doubts", "retracts", "thanks"})
"""Acts that tell nothing of oneself, whatever their words are."""
_NOT_MINE = frozenset({"kin", "hedge", "sayverb", "askword"})
"""Kinds of words with which a clause tells of others, or nothing for sure."""
_SAYS_ITSELF = frozenset({"health", "diet"})
"""Kinds of words that say by themselves what they are a value of."""
_SIGNS = str.maketrans(dict.fromkeys(".,;:!?", " "))
LIKELY = -40
"""Score from which an attribute that is named beside its value is enough."""
MAX_VALUE_WORDS = 4
MORE_WORDS = 2
"""Words beside the values of a clause, none of a known kind, from which it is kept in its own words as well."""
DOUBTFUL = -70
"""Score from which other evidence than the model's is looked at."""
TAKES_BACK = 8
"""Lead from which a clause is believed to take something back: a wrong removal costs more than a missed one."""


def claims(draft: Draft, taken: Sequence[Span]) -> Iterator[Statement]:
    """Lasting claims of a message: `taken` are the places where something was read already."""
    reading = draft.reading
    if len(reading.text) > LONG:
        return  # a pasted document states nothing about the person
    denials = {clause for clause, _, _ in denied(draft) if not _no_longer(reading, clause)}
    for clause in _said_plainly(draft):
        read = [span for span in taken if overlap((clause.start, clause.end), span)]
        if clause.act in _TELLS_NOTHING or clause in denials or _goes_back(reading, clause):
            continue
        keep = clause.keep if clause.tier == LINEAR else clause.keep + SPARING
        if read:
            yield from _rest(draft, clause, read)
        elif keep >= KEEP or (not denials and keep >= DOUBTFUL and tells_of_oneself(reading, clause)):
            draft.decided(f"talk.{clause.act}", clause.decided, (clause.start, clause.end))
            yield from _said(draft, clause)


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
        return mine and not named and bool(values) and _no_longer(reading, clause)
    flags = reading.find(standing)
    fitting = [v for v in values if typed(reading, v) and flags.asserted((v.start, v.end))]
    named = any(value.lead >= SURE and f"attr/{value.attribute}" in clause.kinds for value in fitting)
    return bool(fitting) if mine else named and clause.act == "states" and clause.keep >= LIKELY


def _first_person(reading: Reading, clause: Clause) -> bool:
    words = set(reading.folded[clause.start : clause.end].replace(",", " ").split())
    return not words.isdisjoint(reading.phrases("memory", "myself"))


def _no_longer(reading: Reading, clause: Clause) -> bool:
    text = f" {reading.folded[clause.start : clause.end]} ".translate(_SIGNS)
    return any(f" {words} " in text for words in reading.phrases("memory", "no_longer"))


def typed(reading: Reading, value: Value) -> bool:
    """Whether a value is of the type that its attribute takes."""
    takes = str(reading.reader.data("memory_types", None).get(value.attribute, "")).split()
    words = reading.folded[value.start : value.end].split()
    if value.attribute == "role" and len(words) > 1 and words[-1] in reading.phrases("memory", "not_roles"):
        return True  # "guy" says what nobody does, "backend guy" does
    if len(words) > MAX_VALUE_WORDS:
        return False  # a value is a few words: more are a story that holds such a word
    if value.attribute == "other":  # "my doctor is Dr. Patel": no attribute of ours, and yet surely a value
        return value.lead >= 2 * SURE and reading.text[value.start].isupper()
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


def denied(draft: Draft) -> list[tuple[Clause, Scope, Memo]]:
    """The clauses that deny something known, with what they deny: "I don't work at Zalando any more"."""
    reader, found = draft.reading.reader, []
    for clause in _said_plainly(draft) if known_before(draft) else ():
        if "negation" in clause.kinds:
            words = draft.reading.words((clause.start, clause.end))
            said = content(reader, words)
            for scope, memo in with_words(draft.state, reader, words):
                before = memo.version != draft.moment.version and memo.positive and memo.slot != "note"
                if before and content(reader, memo.value) <= said:
                    found.append((clause, scope, memo))
    return found


def known_before(draft: Draft) -> bool:
    """Whether there is anything that this message could change or take back."""
    return any(memory.items for _, memory in slices(draft.before))


def no_longer_so(draft: Draft) -> Iterator[Event]:
    """What a message says to be over: named with its attribute, or as something that is no longer so."""
    for clause, scope, memo in denied(draft):
        names = f"attr/{memo.slot.partition('/')[0]}" in clause.kinds
        if clause.act not in _TELLS_NOTHING - {"retracts"} and _no_longer(draft.reading, clause):
            cause = draft.cause("talk.no_longer", (clause.start, clause.end))
            yield ItemRetracted(id=memo.id, label=memo.told, why="no longer so", scope=scope, because=cause)
            yield from mark_resting(draft, memo, ENDED)
            if names:
                draft.find(_ended).append((clause.start, clause.end))


def _ended(draft: Draft) -> list[Span]:
    """Where a message says no more than that something is over."""
    return []


def doubted(draft: Draft) -> Iterator[Statement]:
    """Another value of something known that is only thought to be so: "hmm, I think it might be pnpm"."""
    reading = draft.reading
    for clause in _said_plainly(draft):
        if clause.act != "doubts" and not (clause.act == "states" and "hedge" in clause.kinds):
            continue
        term = term_in(reading, (clause.start, clause.end))
        if term is not None and any(m.positive for _, m in in_slot(draft.state, term.slot)):
            span = (clause.start, clause.end)
            yield Statement(term.slot, term.value, term.span, "talk.doubts", span, marks=frozenset({"doubted"}))


def let_go(draft: Draft, taken: Sequence[Span]) -> Iterator[Event]:
    """What clauses that take something back end: the fact whose words they name, else the newest of the attribute that
    they are about, else, where they only point, what was written last."""
    for clause in _said_plainly(draft):
        if clause.act != "retracts" or clause.lead < TAKES_BACK:
            continue
        if any(overlap((clause.start, clause.end), span) for span in taken):
            continue
        for scope, memo in _named(draft, clause):
            draft.decided("talk.retracts", clause.decided, (clause.start, clause.end))
            cause = draft.cause("talk.retracts", (clause.start, clause.end))
            yield ItemRetracted(id=memo.id, label=memo.told, why="taken back", scope=scope, because=cause)
            yield from mark_resting(draft, memo, WITHDRAWN)


def _said_plainly(draft: Draft) -> Iterator[Clause]:
    """The clauses that the person says as they are: not quoted, asked or supposed."""
    flags = draft.reading.find(standing)
    for clause in draft.clauses:
        span = (clause.start, clause.end)
        if not flags.of(span) & _NOT_SAID and span not in draft.find(_ended):
            yield clause


def _named(draft: Draft, clause: Clause) -> list[Place]:
    """The facts that a clause speaks of."""
    state, reader, now = draft.state, draft.reading.reader, draft.moment.version
    words = draft.reading.words((clause.start, clause.end))
    said = content(reader, words)
    by_words = [(scope, memo) for scope, memo in with_words(state, reader, words) if memo.version != now]
    if by_words:
        return [max(by_words, key=lambda one: len(said & content(reader, one[1].value)))]
    if "everything" in clause.kinds:
        return [(scope, memo) for scope, memo in live(state) if memo.version != now]
    slot = str(reader.data("memory_attributes", None).get(clause.about, "")).removesuffix("/*")
    about = {slot} | {kind.removeprefix("attr/") for kind in clause.kinds if kind.startswith("attr/")}
    by_slot = [one for one in with_types(state, reader, [f"attr/{name}" for name in about]) if one[1].version != now]
    if by_slot:
        return by_slot[:1]
    last = last_written(state)
    found = find(state, last.id) if last is not None and not said and now - last.version <= RECENT else None
    return [found] if found is not None else []


def _said(draft: Draft, clause: Clause) -> Iterator[Statement]:
    reading = draft.reading
    slots = reading.reader.data("memory_attributes", None)
    found = [value for value in _whole(reading, _values(reading, clause)) if value.attribute in slots]
    sure = [value for value in found if typed(reading, value) or (value.lead >= SURE and _free(reading, value))]
    for value in sure:
        slot = _slot(reading, value, str(slots[value.attribute]))
        yield _statement(reading, clause, slot, value)._replace(old=_replaced(draft, clause, slot, value))
    if _tells_more(reading, clause, sure) if sure else _says_something(reading, clause):
        yield _own_words(reading, clause)


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


def _own_words(reading: Reading, clause: Clause) -> Statement:
    span = (clause.start, clause.end)
    words = " ".join(reading.words(span).split()).strip(" .,;:!?")
    return Statement("note", words, span, f"talk.{clause.act}", span, marks=_MARKS.get(clause.act, frozenset()))
