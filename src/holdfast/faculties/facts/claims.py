"""What a message claims of a person: one list, made once, from which facts, slots and answers take.

A clause that is worth keeping tells its values, each under the attribute that it is a value of. Where no attribute is
likely, or the one that is likely is held by something surer, nothing is dropped: the clause is kept in its own words,
and is found again by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from holdfast.faculties.facts.attributes import (
    FAINT,
    LIKELY,
    NAME,
    STATUS,
    SURE,
    covered,
    instead,
    likely,
    slot_named,
    typed,
    types_taken,
    values_of,
)
from holdfast.faculties.facts.beside import NOTE, along, in_their_sentence, told_plainly
from holdfast.faculties.facts.bygone import bygone
from holdfast.faculties.facts.deciding import about_the_work
from holdfast.faculties.facts.lookup import content, in_slot, of_kind
from holdfast.faculties.facts.memos import ItemLearned, change
from holdfast.faculties.facts.project import beyond_place, places_told
from holdfast.faculties.facts.relations import ARTICLE, same, slot_kind
from holdfast.faculties.facts.renewing import renewed
from holdfast.faculties.facts.taking_back import (
    OF_THE_SENTENCE,
    denied,
    instead_of,
    known_before,
    no_longer,
    over,
    says_no_more,
)
from holdfast.faculties.facts.things import thing
from holdfast.faculties.facts.whose import (
    HARMFUL,
    OF_ONESELF,
    SOMEBODY,
    THEIRS,
    WORTH_KNOWING,
    speaks_of_oneself,
    tells_of_others,
    whose,
)
from holdfast.faculties.facts.wording import PRESENTATION, clause_words, nouns, to_be_kept
from holdfast.faculties.facts.writing import in_place_of_each_other, is_a_change
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement, placed
from holdfast.reading.corrections import as_said, corrections
from holdfast.reading.decisions import decisions
from holdfast.reading.kinds import TIMES, typed_spans
from holdfast.reading.model.clauses import KEEP, LANGUAGES, TELLS_NOTHING, Clause, Value
from holdfast.reading.model.tokens import tokens, tokens_of
from holdfast.reading.reader import Cue, Reading, Span, overlap, touches
from holdfast.reading.standing import LONG, Standing, meant, standing, suppositions
from holdfast.reading.terms import JOIN, Term, kind_of, known_terms, only_a_word, purpose, terms_in
from holdfast.reading.tiers import LINEAR
from holdfast.reading.values import standing_alone
from holdfast.reading.written import written

SPARING = 22
"""What is added where the encoder had a say: it is sparing, since few clauses of the writers tell something lasting."""
UNUSUAL = 24
"""What more must speak for keeping a clause whose act seldom tells anything."""
_SELDOM = frozenset({"requests", "remarks", "confirms", "denies", "chooses", "rejects", "postpones", "stops", "unable"})
_SAYS = frozenset({"states", "answers", "instructs"})
"""Acts by which something is told."""
_MARKS = {"corrects": frozenset({"corrects", "meant"}), "returns": frozenset({"now"})}
_NOT_OWN = frozenset({"asks", "supposes", "quotes", "reports", "requests", "doubts", "retracts", "thanks"})
"""Acts that tell nothing of oneself, whatever their words are."""
_NOT_MINE = frozenset({"kin", "animal", "hedge", "sayverb", "askword"})
"""Kinds of words with which a clause tells of others, or nothing for sure."""
_DOUBTS = frozenset({"doubts", "supposes", "states"})
"""Acts of a clause that only thinks something to be so, where it has a word that says as much."""
_NOT_THOUGHT = frozenset({"quoted", "question"})
_TELLS_OF_OTHERS = frozenset({"states", "answers", "reports"})
"""Acts by which something is told of a relative or a friend."""
_CHANGES = frozenset({"now", "changeverb"})
"""Kinds of words that say that something is another now."""
_USED = frozenset({"tool", "style", "decision", "habit"})
"""Attributes whose values may be known by name: a known tool says itself of which kind it is."""
_OF_WORK = _USED - {"habit"}
_TOLD_IN_ASKING = frozenset({"email", "phone", "budget"})
"""Attributes whose values are told by asking for something with them."""
_STYLE = "style/"
"""Slots of how one writes, whose values are named by nothing else."""
_MANNERS = ("communication/", "workflow/")
"""Slots of how one wants to be answered and how one works, whose values are words of everyday talk."""
_OF_ANSWERS = frozenset({"communication/length", "communication/tone"})
"""Those of them that are said of nothing but answers: "in Russian" may be said of a comment."""
MAX_OWN_WORDS = 14
MAX_BETWEEN = 1
"""Words between the word for a name and the name: "is"."""
DECISION, ANSWER = "decision", "answer/"
IN_OWN_WORDS = frozenset({DECISION, "smoking", "event", "deadline", "number", "hours", "habit", "goal", "style"})
"""Attributes whose value says little without its clause: "tuesday at 4" is nothing, a dentist then is something."""
MORE_WORDS = 2
"""Words beside the values of a clause, none of a known kind, from which it is kept in its own words as well."""
LEFT_OVER = 3
"""The same where something was read of it already."""
_TAKEN = frozenset({"diet", "medication"})
"""Slots of what one takes in: what is refused of it is worth knowing as such."""
DOUBTFUL = -48
"""Score from which other evidence than the model's is looked at."""
OF_OTHERS = -20
"""How far an attribute may stay behind telling nothing in a clause that tells of somebody else."""
HESITANT = -32
"""Score from which a clause that says of something known by name that it is used is kept."""
_VERSION = re.compile(r"v?\d[\d.]*")


def told(draft: Draft, beside_answer: bool = False) -> list[Statement]:
    """What the clauses of a message tell beside what was read of it; of a message that answers, nothing was."""
    if len(draft.reading.text) > LONG or draft.reading.language not in (None, *LANGUAGES):
        return []  # a pasted document states nothing about the person, and of other languages the model knows nothing
    said = meant(draft.reading)  # "in Paris, no sorry, in Lyon" tells of Lyon
    if said is draft.reading:
        made = in_place_of_each_other(draft.reading.reader, list(_told(draft, beside_answer)))
        taken = _taken(draft, beside_answer)
        made += [_own_words(said, clause)._replace(slot=NOTE) for clause in along(draft, made, taken)]
        made = in_their_sentence(draft, made, taken)
        return [instead_of(draft, one) for one in made]
    other = draft.read_as(said)
    made = in_place_of_each_other(said.reader, list(_told(other, beside_answer)))
    return [instead_of(draft, _as_said(draft, other, one)) for one in made]


def _as_said(draft: Draft, other: Draft, one: Statement) -> Statement:
    """A claim of the message as it was meant, with its place and its score in the message as it was said; the words
    that the score names stand elsewhere there, and are left out."""
    said, score = as_said(draft.reading, one), other.cause(one.rule, one.span).by
    if score is not None:
        draft.decided(one.rule, lambda: change(score, marks=()), said.span)
    return said


def _told(draft: Draft, beside_answer: bool) -> Iterator[Statement]:
    reading, taken = draft.reading, _taken(draft, beside_answer)
    plainly = draft.find(told_plainly)
    for clause in draft.clauses:
        if _only_thought(reading, clause) and not any(overlap((clause.start, clause.end), span) for span in taken):
            yield from _doubted(draft, clause, clause in plainly and clause.act == "states")
    for clause in plainly:
        if anew := [*_renewed(draft, clause, taken)] if draft.find(known_before) else []:
            yield from anew
        elif (theirs := whose(draft, clause)) and not _only_named(reading, clause):
            yield from _of_others(draft, clause, theirs, taken)
        else:
            yield from _of_oneself(draft, clause, taken)


def _renewed(draft: Draft, clause: Clause, taken: Sequence[Span]) -> Iterator[Statement]:
    """What is known of a thing, with the other value that a clause gives of it."""
    span = (clause.start, clause.end)
    for memo, value, text in renewed(draft, clause) if not any(overlap(span, one) for one in taken) else ():
        draft.decided(f"talk.{clause.act}", clause.decided, span)
        said = _claim(draft.reading, clause, DECISION if memo.kind == DECISION else memo.slot, value, span)
        marks = said.marks if is_a_change(said) else said.marks | {"now"}
        yield said._replace(act="states", old=memo.value, words=text, marks=marks)


def _of_oneself(draft: Draft, clause: Clause, taken: Sequence[Span]) -> Iterator[Statement]:
    """What a clause ends of what is known, else what it tells anew, else what it says of what is known."""
    if clause.kinds.isdisjoint(STATUS) and says_no_more(draft, clause):
        return
    yield from places_told(draft, clause)
    denies = clause.act != "instructs" and any(one is clause for one, _ in draft.find(denied))
    if denies or not _tells(draft, clause):
        return
    if clause.find(worth_keeping, draft.reading):
        draft.decided(f"talk.{clause.act}", clause.decided, (clause.start, clause.end))
        yield from _said(draft, clause, taken)
        return
    given = [value for value in values_of(draft.reading, clause) if value.attribute in _TOLD_IN_ASKING]
    asking = [value for value in given if _told_in_asking(draft.reading, value)]
    for value in asking:
        draft.decided(f"talk.{clause.act}", clause.decided, (clause.start, clause.end))
        yield _statement(draft.reading, clause, value.attribute, value)
    if not asking:
        yield from _told_of_known(draft, clause)


def _only_named(reading: Reading, clause: Clause) -> bool:
    """Whether a clause says of others no more than who they are: "my dog is called Biscuit"."""
    values = values_of(reading, clause)
    who = bool(values) and all(value.attribute in THEIRS and value.sign != "others" for value in values)
    return who and not _beside(reading, clause)


def _of_others(draft: Draft, clause: Clause, slot: str, taken: Sequence[Span]) -> Iterator[Statement]:
    """What a clause tells of a relative, a friend or an animal: itself, under what they are to the speaker."""
    reading, span = draft.reading, (clause.start, clause.end)
    sure = any(v.lasting.lead >= 2 * SURE and v.lasting.best not in _OF_WORK for v in clause.values)
    known = slot != SOMEBODY and clause.keep >= 2 * HESITANT and clause.told >= (DOUBTFUL if sure else OF_OTHERS)
    asked = to_be_kept(reading, clause)
    theirs = _worth_knowing(clause, slot)
    plain = clause.worth >= KEEP or known or asked or theirs
    read_here = any(overlap(span, one) for one in taken) or _answers(draft, clause)
    over = read_here or "sayverb" in clause.kinds or bygone(reading, clause)
    if (asked or clause.act in _TELLS_OF_OTHERS) and plain and not over:
        draft.decided(f"talk.{clause.act}", clause.decided, span)
        said = _own_words(reading, clause, slot, led=slot == SOMEBODY)  # who it is stands before it
        yield said._replace(marks=frozenset())  # it stands beside what is known of them


def _worth_knowing(clause: Clause, slot: str) -> bool:
    """Whether a clause tells something of others that is worth knowing however it is told; of those who are only
    pointed at, what could do harm."""
    worth, signs = (HARMFUL, ("others", "yes")) if slot == SOMEBODY else (WORTH_KNOWING, ("others",))
    return any(value.sign in signs and value.lasting.best in worth for value in clause.values)


def _tells(draft: Draft, clause: Clause) -> bool:
    """Whether a clause may tell something: by its act, because it asks to be kept, or as news of how one lives ("I quit
    smoking"); unless it goes elsewhere."""
    news = clause.act == "retracts" and not clause.kinds.isdisjoint(STATUS)
    may = clause.act not in TELLS_NOTHING or news or bool(to_be_kept(draft.reading, clause))
    return may and not _goes_elsewhere(draft, clause)


def _only_thought(reading: Reading, clause: Clause) -> bool:
    """Whether a clause may say what is only thought to be so: nothing that is asked, quoted or supposed on purpose."""
    if "hedge" not in clause.kinds or clause.act not in _DOUBTS:
        return False
    span = (clause.start, clause.end)
    supposed = any(cue.means != "might" and overlap(cue.span, span) for cue in reading.find(suppositions))
    return not reading.find(standing).of(span) & _NOT_THOUGHT and not (clause.act == "supposes" and supposed)


def _told_of_known(draft: Draft, clause: Clause) -> Iterator[Statement]:
    """What a clause tells of what is known, though little else speaks for keeping it: that something else is used from
    now on ("I switched to Neovim"), or what surely is told again."""
    reading, reader, span = draft.reading, draft.reading.reader, (clause.start, clause.end)
    changes = any(overlap(cue.span, span) for cue in reading.all("since")) and _NOT_MINE.isdisjoint(clause.kinds)
    if changes and "reported" not in reading.find(standing).of(span) and "negation" not in clause.kinds:
        others = [term for term in _terms(reading, clause) if _has_one(draft, term)]
        yield from _by_name(draft, clause, others, clause.values) if others else ()
    slot = slot_named(reader, clause.tells.best)
    if clause.tells.lead >= 2 * SURE and "negation" not in clause.kinds:
        said = content(reader, reading.words(span))
        for _, memo in in_slot(draft.before, slot):
            if memo.positive and (held := content(reader, memo.value)) and held <= said:
                yield _claim(reading, clause, slot, memo.value, span)


def _has_one(draft: Draft, term: Term) -> bool:
    """Whether a tool of the same kind is known to be used, or was decided on."""
    made = (kind_of(draft.reading.reader, memo.value) for _, memo in of_kind(draft.before, "decision"))
    return bool(in_slot(draft.before, term.slot)) or term.slot in made


def _taken(draft: Draft, beside_answer: bool) -> list[Span]:
    """The words of which something was read or learned already; an answer may tell more than it answers."""
    reading = draft.reading
    taken = [one.span for one in reading.find(corrections)] if not beside_answer else []
    decided = [made.span for made in reading.find(decisions) if about_the_work(made)]
    past = [(clause.start, clause.end) for clause in draft.clauses if bygone(reading, clause)] if decided else []
    taken += [span for span in decided if not any(overlap(span, one) for one in past)]
    learned = (one.item for one in draft.events if isinstance(one, ItemLearned) and one.item.kind != "context")
    return taken + [(item.start, item.end) for item in learned if not item.slot.startswith(ANSWER)]


def _answers(draft: Draft, clause: Clause) -> bool:
    """Whether a clause is kept already as what was replied to a question."""
    learned = (one.item for one in draft.events if isinstance(one, ItemLearned))
    spans = [(item.start, item.end) for item in learned if item.slot.startswith(ANSWER)]
    inside = [span for span in spans if len(draft.clauses) == 1 or clause.start <= span[0] < span[1] <= clause.end]
    return any(overlap((clause.start, clause.end), span) for span in inside)


def _goes_elsewhere(draft: Draft, clause: Clause) -> bool:
    """Whether a clause only ends something: "can you forget i told you about it" tells nothing of it."""
    retracts = [cue.span for cue in draft.reading.all("retracts")]
    over = touches((clause.start, clause.end), retracts)
    return over or clause.kinds >= {"negation", "rememberphrase"}  # "don't remember that …"


def worth_keeping(reading: Reading, clause: Clause) -> bool:
    """Whether enough speaks for keeping what a clause tells: its score, or other evidence where the score hesitates."""
    keep = clause.worth + (0 if clause.tier == LINEAR else SPARING)
    surely = min(clause.told, clause.tells.lead) >= 2 * SURE and bool(slot_named(reading.reader, clause.tells.best))
    keep -= UNUSUAL if clause.act in _SELDOM and not surely else 0  # "trying to save 5000" tells a goal
    if (
        to_be_kept(reading, clause)
        or _names_a_danger(reading, clause)
        or keep >= (HESITANT if _may_harm(reading, clause) else KEEP)
        or (keep >= DOUBTFUL and tells_of_oneself(reading, clause))
    ):
        return True
    return _says_its_kind(reading, clause) or _says_how_one_lives(reading, clause, keep)


def _names_a_danger(reading: Reading, clause: Clause) -> bool:
    """Whether a clause says in so many words what does the speaker harm, whatever else the message does: "the second
    one, and I'm allergic to nuts". To miss that costs most."""
    slot, kinds = slot_named(reading.reader, clause.tells.best), clause.kinds
    given = not kinds.isdisjoint(types_taken(reading.reader).get(clause.tells.best, frozenset()))
    named = f"attr/{clause.tells.best}" in kinds and given and slot_kind(reading.reader, slot).vital
    told = clause.act in _SAYS | {"remarks"} and kinds.isdisjoint(("negation", "number"))  # "one of us is vegan"
    return named and told and speaks_of_oneself(reading, clause)


def _told_in_asking(reading: Reading, value: Value) -> bool:
    """Whether a value is one that people tell by asking for something: "email me at …", "a laptop under 400"."""
    written = any(sign.isdigit() or sign == "@" for sign in reading.words((value.start, value.end)))
    return value.lead >= 2 * SURE and value.sign == "yes" and written


def _says_how_one_lives(reading: Reading, clause: Clause, keep: int) -> bool:
    """Whether a clause tells a state of one's own life ("бросил курить" has no word for oneself), or what one uses."""
    if clause.act not in _SAYS | {"retracts"}:
        return False
    mine = speaks_of_oneself(reading, clause) or (clause.tells.best == "habit" and clause.tells.lead >= SURE)
    own = mine and _NOT_MINE.isdisjoint(clause.kinds)
    status = own and not clause.kinds.isdisjoint(STATUS)
    return status or (keep >= (DOUBTFUL if own else HESITANT) and _uses(reading, clause))


def _says_its_kind(reading: Reading, clause: Clause) -> bool:
    """Whether a clause ends with a tool and says before what it is: "the database will be mongodb". It does nothing
    else for sure."""
    if clause.keep < 2 * HESITANT or "negation" in clause.kinds or (clause.act not in _SAYS and clause.lead >= UNUSUAL):
        return False
    found = ((term.span, term.slot) for term in _terms(reading, clause))
    return any(
        len(reading.text[end : clause.end].split()) <= MORE_WORDS and purpose(reading, (clause.start, start)) == slot
        for (start, end), slot in found
    )


def _uses(reading: Reading, clause: Clause) -> bool:
    """Whether a clause surely says that something is used: what is known by name, or what is changed to ("switched to
    mac", "I've switched to quuxd")."""
    named = bool(_terms(reading, clause))
    least = SURE if named else 2 * SURE
    sure = any(value.lasting.best in _USED and value.lasting.lead >= least for value in clause.values)
    return sure and (named or "changeverb" in clause.kinds)


def tells_of_oneself(reading: Reading, clause: Clause) -> bool:
    """Whether the words of a clause speak for a claim though the model hesitates: said in the first person, with a
    value of the type that its attribute takes; an attribute that is named beside such a value ("new job at Netflix");
    or something that one no longer does."""
    if clause.act not in _NOT_OWN and any(_introduces(clause, value) for value in values_of(reading, clause)):
        return not tells_of_others(reading, (clause.start, clause.end))
    if clause.act in _NOT_OWN or not _NOT_MINE.isdisjoint(clause.kinds):
        return False
    mine, values = speaks_of_oneself(reading, clause), values_of(reading, clause)
    if "negation" in clause.kinds:
        named = any(kind.startswith("attr/") for kind in clause.kinds)
        return mine and not named and bool(values) and no_longer(reading, clause)
    fitting = _fitting(reading, values)
    plain = [v for v in values if v.lead >= 2 * SURE and _asserted(reading.find(standing), v)]
    named = any(f"attr/{value.attribute}" in clause.kinds for value in [*fitting, *plain])
    return (mine and bool(fitting)) or (named and clause.act == "states" and clause.keep >= HESITANT)


def _introduces(clause: Clause, value: Value) -> bool:
    """Whether a value is a name, and stands right behind the word for one: "my name is Bob", "me llamo Bob"."""
    before = [token for token in clause.tokens if token.end <= value.start][-MAX_BETWEEN - 1 :]
    return value.attribute == NAME and value.sign == "yes" and any("attr/name" in token.kinds for token in before)


def _fitting(reading: Reading, values: Sequence[Value]) -> list[Value]:
    """The values of attributes that take a type, each of it, or surely of the attribute."""
    sure = [value for value in values if value.lead >= (SURE if typed(reading, value) else 4 * SURE)]
    takes, flags = reading.reader.data("memory_types", None), reading.find(standing)
    return [value for value in sure if value.attribute in takes and _asserted(flags, value)]


def _doubted(draft: Draft, clause: Clause, plainly: bool) -> Iterator[Statement]:
    """What is only thought to be so: another value of something known ("hmm, I think it might be pnpm"), or two values
    of one kind of which nobody knows which ("npm or maybe pnpm"), unless they are told plainly."""
    reading, span = draft.reading, (clause.start, clause.end)
    terms = _terms(reading, clause)
    several = [term for term in terms if any(o.slot == term.slot and o.value != term.value for o in terms)]
    if several:
        for term in several if not plainly else ():
            marks = frozenset({"either", "hedged"})
            yield Statement(term.slot, term.value, term.span, "talk.doubts", span, marks=marks)
        return
    for slot, value, place in [(term.slot, term.value, term.span) for term in terms] or _guessed(reading, clause):
        held = [memo.value for _, memo in in_slot(draft.state, slot) if memo.positive]
        if any(not same(reading.reader, one, value) for one in held):
            yield Statement(slot, value, place, "talk.doubts", span, marks=frozenset({"doubted"}))


def _guessed(reading: Reading, clause: Clause) -> list[tuple[str, str, Span]]:
    """The slots and values of which a clause likely speaks."""
    found = [value for value in values_of(reading, clause) if likely(reading, value)]
    return [(slot_named(reading.reader, v.attribute), reading.words((v.start, v.end)), (v.start, v.end)) for v in found]


class _Found(NamedTuple):
    """What is found in a clause: its values, those that surely go under an attribute, what is known by name, and
    whether something of it was read or answered already."""

    values: list[Value]
    sure: list[Value]
    known: list[Term]
    beside: bool


def _said(draft: Draft, clause: Clause, taken: Sequence[Span]) -> Iterator[Statement]:
    """What a clause that is worth keeping tells: its values under their attributes, else itself."""
    reading, found = draft.reading, _found(draft, clause, taken)
    told = bool(found.known) or found.beside
    if not told and (own := _in_own_words(draft, clause, found.sure)):
        yield _own_words(reading, clause, own)
        return
    named = [span for term in found.known for span in (term.span, _numbered(reading, term))]
    sure = [value for value in found.sure if not covered(value, named) and not (found.beside and value.sign == "no")]
    yield from _by_name(draft, clause, found.known, found.values)
    words = _kept_with(reading, clause, sure)
    for value in sure:
        if len(sure) > 1 and value.attribute == "event":  # "starting at Aldi on monday": the job, and what is on monday
            if not bygone(reading, clause):
                yield _own_words(reading, clause, value.attribute)
            continue
        yield _statement(reading, clause, slot_named(reading.reader, value.attribute), value)._replace(words=words)
    if not words:
        yield from _the_rest(draft, clause, [*sure, *found.values], [*named, *taken], bool(sure) or told)


def _found(draft: Draft, clause: Clause, taken: Sequence[Span]) -> _Found:
    places = [said.span for said in places_told(draft, clause)]
    values = _values(draft, clause, places)
    given = [value for value in values if not covered(value, taken)]
    answered = _answers(draft, clause)
    spans = [(clause.start, clause.end), *((value.start, value.end) for value in given)]
    words = [content(draft.reading.reader, draft.reading.words(span)) for span in spans]
    bare = answered and len(given) == 1 and given[0].positive and words[0] <= words[1]
    # a bare answer is kept as that: what it is a value of, its question says
    sure = [v for v in given if not bare and _own(draft, clause, v) and _sure(draft, clause, v)]
    known, replaced = _known(draft, clause, sure, taken)
    nothing_else = not (sure or known) if places else not values and touches((clause.start, clause.end), taken)
    return _Found(values, sure, known, replaced or given != values or nothing_else or answered)


def _values(draft: Draft, clause: Clause, places: Sequence[Span]) -> list[Value]:
    """The values of a clause beside the places that it tells."""
    reading = draft.reading
    values = values_of(reading, clause)
    values = [beyond_place(reading, value, places) for value in values] if places else values
    return [instead(draft, v) if v.lead < 2 * SURE else v for v in values if v.end > v.start]


def _kept_with(reading: Reading, clause: Clause, sure: Sequence[Value]) -> str:
    """The words of a clause that says more than its values, or that they are bad for one: they are kept with them."""
    if len(sure) == 1 and sure[0].sign == "no" and "negation" not in clause.kinds:
        return clause_words(reading, clause)
    if not sure or "negation" in clause.kinds or (len(sure) == 1 and _only_names(reading, clause, sure[0])):
        return ""
    rest = reading.text[clause.start : clause.end]
    for value in sure:
        rest = rest.replace(reading.words((value.start, value.end)), " ")
    return clause_words(reading, clause) if nouns(reading, rest) else ""


def _in_own_words(draft: Draft, clause: Clause, sure: Sequence[Value]) -> str:
    """The attribute under which a clause is kept as it was said: one whose value says little without it. Where a day
    alone is known, another day alone takes its place."""
    reading = draft.reading
    if _names_a_danger(reading, clause) and all(value.attribute != clause.tells.best for value in sure):
        return clause.tells.best
    own = next((value.attribute for value in sure if value.attribute in IN_OWN_WORDS), "")
    if any(value.attribute not in IN_OWN_WORDS and value.lead >= 4 * SURE for value in sure):
        return ""  # "starting at Aldi on monday" tells of the job first
    if not own or (len(sure) == 1 and _only_names(reading, clause, sure[0])):
        return ""
    known = [memo.value for _, memo in in_slot(draft.before, own)] if "changeverb" in clause.kinds else []
    if any(not thing(reading.reader, value).names for value in known):
        return ""
    return own if len(reading.words((clause.start, clause.end)).split()) <= MAX_OWN_WORDS else ""


def _the_rest(
    draft: Draft, clause: Clause, values: Sequence[Value], taken: Sequence[Span], told: bool
) -> Iterator[Statement]:
    """The clause itself, where it tells more than was told of it, or where nothing was. A change is told by what
    changed."""
    reading = draft.reading
    changes = told and any(one.named and one.clause is clause for one in draft.find(over))
    if told and not changes and _tells_more(reading, clause, values, taken):
        yield _own_words(reading, clause)._replace(slot=NOTE)  # its attribute has its value already
    elif not told and _stands_alone(reading, clause) and clause.act != "answers":  # its question says what it is
        yield _own_words(reading, clause)


def _known(draft: Draft, clause: Clause, sure: Sequence[Value], taken: Sequence[Span]) -> tuple[list[Term], bool]:
    """The tools and styles of a clause that are known by name, where it tells of such, and whether another was read in
    the place of one of them: "instead of npm"."""
    reading, span = draft.reading, (clause.start, clause.end)
    of_use = {clause.tells.best, *(value.attribute for value in clause.values), *(value.attribute for value in sure)}
    found = _terms(reading, clause)
    if of_use.isdisjoint(_USED):  # "3 spaces" are no number
        found = [t for t in found if t.slot.startswith(_STYLE) and any(covered(v, [t.span]) for v in clause.values)]
    gone = {said.old for said in draft.reading.find(corrections) if said.old}
    replaced = any(term.value in gone for term in found)
    read_here = any(overlap(span, one) for one in taken)
    return [] if read_here else [term for term in found if term.value not in gone], replaced


def _terms(reading: Reading, clause: Clause) -> list[Term]:
    """The tools, styles and manners that a clause names, and surely means as such."""
    found = terms_in(reading, (clause.start, clause.end))
    return [term for term in found if _surely_meant(reading, term, clause)]


def _surely_meant(reading: Reading, term: Term, clause: Clause) -> bool:
    """Whether words that are the name of a tool or a manner are meant as such: "in English" is a manner of answering
    where nothing else is said to be so, or where it is surely one of style."""
    if only_a_word(reading, term, (clause.start, clause.end), False):
        return False
    if not term.slot.startswith(_MANNERS):
        return True
    styles = (value.lasting for value in clause.values if covered(value, [term.span]))
    if term.slot in _OF_ANSWERS and any(one.best == "style" and one.lead >= 2 * SURE for one in styles):
        return True
    return all(kinds for _, kinds in nouns(reading, _around(reading, clause, term.span)))


def _by_name(draft: Draft, clause: Clause, known: Sequence[Term], values: Sequence[Value]) -> Iterator[Statement]:
    """What a clause says of tools that are known by name."""
    reading = draft.reading
    if clause.act == "corrects":  # "vim, er, neovim"
        known = [t for t in known if any(overlap((v.start, v.end), t.span) for v in values)] or known
    for term in known:
        sign = _sign_of(reading, term, values)
        others = [other for other in known if other.slot == term.slot and other.value != term.value]
        if sign == "others" or any(
            _traded(draft, term, other) or _compared(reading, values, term, other) for other in known
        ):
            continue
        old = next((other.value for other in known if _traded(draft, other, term)), "")
        marks = frozenset({"now"}) if old else frozenset({"also"} if others else ()) | _chosen(term, values)
        claim = _claim(reading, clause, term.slot, term.value + _version(reading, term), term.span, sign, marks)
        yield claim._replace(old=old)


def _compared(reading: Reading, values: Sequence[Value], term: Term, other: Term) -> bool:
    """Whether something is only what another of its kind is held against, and no value: "tabs over spaces"."""
    told, beside = (any(overlap((value.start, value.end), one.span) for value in values) for one in (other, term))
    between = reading.folded[min(term.span[1], other.span[1]) : max(term.span[0], other.span[0])]
    return told and not beside and term.slot == other.slot and not reading.reader.made(JOIN).fullmatch(between)


def _chosen(term: Term, values: Sequence[Value]) -> frozenset[str]:
    """The mark of a tool that is told as what was decided on."""
    chosen = (value for value in values if value.attribute == DECISION and value.sign == "yes")
    return frozenset({"decided"} if any(covered(value, [term.span]) for value in chosen) else ())


def _sign_of(reading: Reading, term: Term, values: Sequence[Value]) -> str:
    """Whether what is known by name is so: as the model says, unless it is denied; nobody's own if it is taken back."""
    flags = reading.find(standing).of(term.span)
    signs = [value.sign for value in values if overlap((value.start, value.end), term.span)]
    return "others" if "withdrawn" in flags else "no" if "negated" in flags else signs[0] if signs else "yes"


def _traded(draft: Draft, old: Term, new: Term) -> bool:
    """Whether one thing is said to be given for another of its kind: the one is known to be used, the other is not, and
    they are no list ("ditched Sublime for Zed", "npm -> pnpm")."""
    reading, held = draft.reading, [memo.value for _, memo in in_slot(draft.before, old.slot) if memo.positive]
    between = reading.folded[min(old.span[1], new.span[1]) : max(old.span[0], new.span[0])]
    return old.value in held and new.value not in held and not reading.reader.made(JOIN).fullmatch(between)


def _version(reading: Reading, term: Term) -> str:
    """The number after the name of a tool, with a space before it."""
    start, end = _numbered(reading, term)
    return f" {reading.folded[start:end]}" if end > start else ""


def _numbered(reading: Reading, term: Term) -> Span:
    """Where the number of a tool stands: "debian 12", "postgres is now 16", "upgraded postgres to 16"."""
    towards = reading.phrases("memory", "towards")
    after = [token for token in reading.find(tokens_of) if token.start >= term.span[1]]
    led = [*takewhile(lambda token: "now" in token.kinds or token.word in towards, after)]
    number = after[len(led)] if len(led) < len(after) else None
    if number is None or not _VERSION.fullmatch(reading.folded, number.start, number.end):
        return term.span[1], term.span[1]
    return number.start, number.end


def _sure(draft: Draft, clause: Clause, value: Value) -> bool:
    """Whether a value goes under its attribute: what is doubtful takes nobody's place."""
    reading = draft.reading
    slot = slot_named(reading.reader, value.attribute)
    plain = value.lead >= LIKELY and _introduces(clause, value)
    if not slot or not (plain or likely(reading, value)) or not _asserted(reading.find(standing), value):
        return False
    start = reading.folded[value.start : value.end].partition("-")[0]
    if value.attribute == "name" and start in known_terms(reading.reader):
        return False  # "I'm Python-savvy"
    if _of_something_else(reading, clause, value):
        return False
    held = [memo.value for _, memo in in_slot(draft.state, slot) if memo.positive]
    if clause.act == "corrects" and not held:
        return value.lead >= 2 * SURE  # it puts something right that is known
    if value.lead >= _least(reading, clause, value, held):
        return True
    words = reading.words((value.start, value.end))
    return all(same(reading.reader, old, words) for old in held)


def _least(reading: Reading, clause: Clause, value: Value, held: Sequence[str]) -> int:
    """How far an attribute must lead where something of it may be known. Nobody is renamed in passing."""
    if typed(reading, value) and not clause.kinds.isdisjoint(_CHANGES):
        return SURE  # it is announced as another now
    if value.attribute == NAME:
        return 4 * SURE if held else LIKELY if _introduces(clause, value) else 3 * SURE
    return SURE if f"attr/{value.attribute}" in clause.kinds else 3 * SURE


def _of_something_else(reading: Reading, clause: Clause, value: Value) -> bool:
    """Whether a food is told of without a word for eating ("I put garlic in bed 1"), or a number counts what is no age:
    "width 8"."""
    inside = [token for token in clause.tokens if value.start <= token.start < value.end]
    kinds = {kind for token in inside for kind in token.kinds}
    if value.attribute == "diet":
        return value.sign == "yes" and "food" in kinds and "diet" not in kinds and "attr/diet" not in clause.kinds
    if value.attribute != "age" or "attr/age" in clause.kinds or speaks_of_oneself(reading, clause):
        return False
    around = dict(nouns(reading, _around(reading, clause, (value.start, value.end))))
    return any(token.shape == "w" and around.get(token.word) == () for token in clause.tokens)


def _asserted(flags: Standing, value: Value) -> bool:
    """Whether a value is said as it is marked in a clause that is said plainly, whatever else its sentence asks or
    supposes: what is denied is said to be not so."""
    denied = {"negated"} if value.sign == "no" else set()
    named = {"reported"} if value.attribute in THEIRS else set()  # who one's sister is, whatever she says
    return flags.of((value.start, value.start + 1)) <= OF_THE_SENTENCE | denied | named


def _stands_alone(reading: Reading, clause: Clause) -> bool:
    """Whether a clause without a sure value is worth its own words. One that corrects something speaks of that: "I
    meant the other one" tells nothing by itself; and what was once done is a story."""
    if to_be_kept(reading, clause):
        return True
    if "wantphrase" in clause.kinds and clause.told < 0:
        return False  # "I want fish tacos" is a wish of now
    if clause.act in _MARKS and (clause.keep < 3 * SURE or not nouns(reading, clause_words(reading, clause))):
        return False
    words = clause_words(reading, clause)
    bare = len(words.split()) < 2 and words.islower()  # "again", but "Rosa" and "38k2417"
    return not (bare or bygone(reading, clause)) and bool(nouns(reading, words))


def _own(draft: Draft, clause: Clause, value: Value) -> bool:
    """Whether a value may be the speaker's: "my sister studies nursing" tells nothing of one's own studies."""
    reading = draft.reading
    if value.attribute == "age" and "future" in clause.kinds:
        return False  # "I'll be 39 in May"
    wished = "wantphrase" in clause.kinds
    theirs = tells_of_others(reading, (clause.start, value.start)) and not speaks_of_oneself(reading, clause)
    return value.sign != "others" and (value.attribute not in OF_ONESELF or not (wished or theirs))


def _tells_more(reading: Reading, clause: Clause, values: Sequence[Value], taken: Sequence[Span]) -> bool:
    """Whether a clause that is surely worth keeping tells more than its values: nothing said is dropped."""
    if clause.worth < KEEP or "negation" in clause.kinds or clause.act in _MARKS or bygone(reading, clause):
        return False
    if touches((clause.start, clause.end), reading.find(written)):
        return False  # where something is was told in the words of the clause
    beside = _beside(reading, clause, [*((v.start, v.end) for v in values), *taken])
    return beside >= (LEFT_OVER if taken else MORE_WORDS)


def _around(reading: Reading, clause: Clause, span: Span) -> str:
    """The words of a clause beside some of them."""
    return reading.text[clause.start : span[0]] + " " + reading.text[span[1] : clause.end]


def _beside(reading: Reading, clause: Clause, told: Sequence[Span] = ()) -> int:
    """How many words of a clause that nothing is known of stand beside what it tells, which is its values if nothing
    else is given."""
    rest = reading.text[clause.start : clause.end]
    for span in told or [(value.start, value.end) for value in clause.values]:
        start, end = (max(0, place - clause.start) for place in span)
        rest = rest[:start] + " " * (end - start) + rest[end:]
    return sum(not kinds for _, kinds in nouns(reading, rest))


def _only_names(reading: Reading, clause: Clause, value: Value) -> bool:
    """Whether a clause says no more than what its value is a value of: "the deadline is Friday"."""
    if value.attribute in STATUS:
        return False  # "I quit smoking"
    rest = _around(reading, clause, (value.start, value.end))
    named = {f"attr/{value.attribute}", value.attribute, PRESENTATION} - {"event"}  # a wedding is one of many
    others = [kinds for _, kinds in nouns(reading, rest) if PRESENTATION not in kinds]
    return not clause.kinds.isdisjoint(named) and all(kinds and named.issuperset(kinds) for kinds in others)


def _statement(reading: Reading, clause: Clause, slot: str, value: Value) -> Statement:
    span = (value.start, value.end)
    words = reading.reader.made(ARTICLE).sub("", standing_alone(reading, slot, reading.words(span).strip(" .,;:!?")))
    words = re.sub(r"\D.*", "", words) or words if slot == "age" else words
    if value.sign == "no" and (none := _none_of(reading, clause, slot, words)) is not None:
        words, value = none, value._replace(sign="yes")
    if value.attribute == "favourite":  # "my favourite film is Alien": of what
        named = [word for word, _ in nouns(reading, _around(reading, clause, (value.start, value.end)))]
        slot = f"favourite/{named[0]}" if len(named) == 1 else slot
    if slot == "tool":  # "Lapce as my editor": what it is used for
        slot = purpose(reading, (clause.start, clause.end)) or slot
    if slot == "event":
        event = "presentation_on" if PRESENTATION in clause.kinds else "event_on"
        when = [one for one in reading.find(typed_spans) if one.type in TIMES and span[0] <= one.start < span[1]]
        words = reading.words((when[0].start, when[-1].end)) if when else words
        words = reading.wording("memory", event, when=words)
    return _claim(reading, clause, slot, words, span, value.sign)


def _claim(
    reading: Reading,
    clause: Clause,
    slot: str,
    words: str,
    span: Span,
    sign: str = "yes",
    marks: frozenset[str] = frozenset(),
) -> Statement:
    """What a clause says of a slot, with how and when it holds."""
    changes = clause.act == "returns" or "changeverb" in clause.kinds
    if changes and len(clause.values) == 1:
        sign = "yes" if sign == "was" else sign  # what one changes to
    elif not changes and _over(reading, clause, slot, sign):
        sign = "was"
    over = changes or no_longer(reading, clause)
    act = {"was": "past", "no": "stops" if over else "rejects"}.get(sign, "states")
    verb = "correct" if clause.act == "corrects" else "switch" if changes else "use"
    lifespan = "permanent" if "rememberphrase" in clause.kinds else None
    marks |= _MARKS.get(clause.act, frozenset())
    said = Statement(slot, words, span, f"talk.{clause.act}", span, act, "", marks, lifespan, "", verb)  # type: ignore[arg-type]
    said = placed(reading, said, clause.start, changes)
    if not _within(clause, reading.all("also")):
        said = said._replace(marks=said.marks - ({"also"} - marks))  # "…, npm was too slow"
    began = said.since and _within(clause, reading.all("since"))  # "… since 2019"
    return said._replace(act="states") if began and not said.then else said


def _may_harm(reading: Reading, clause: Clause) -> bool:
    """Whether a clause rather tells of what does harm where it is misread, such as what a person must not eat or take,
    than of nothing, or names it of oneself. A budget is told with every message too, but a missed one does no harm."""
    best = clause.tells.best
    slot = slot_named(reading.reader, best)
    told = clause.told >= 0 or (f"attr/{best}" in clause.kinds and speaks_of_oneself(reading, clause))
    return told and bool(slot) and slot_kind(reading.reader, slot).vital and slot != "budget"


def _stands(reading: Reading, clause: Clause, slot: str) -> bool:
    """Whether what a clause says not to be good for one stands all the same: it is not said to be over."""
    return slot_kind(reading.reader, slot).vital and clause.act != "retracts" and not no_longer(reading, clause)


def _none_of(reading: Reading, clause: Clause, slot: str, words: str) -> str | None:
    """What is known where a value of such a slot is refused: that one takes none of it, or, where no word denies it,
    the value itself ("ibuprofen gives me hives"). Nothing where it is denied of the person: "I'm not vegan"."""
    denied = "negation" in clause.kinds
    way = any("diet" in token.kinds for token in tokens(words, reading.language))
    if denied and not way and (slot == "diet" or (slot in _TAKEN and _stands(reading, clause, slot))):
        return reading.wording("memory", "none_of", what=words)
    return words if not denied and _stands(reading, clause, slot) else None


def _within(clause: Clause, cues: Sequence[Cue]) -> bool:
    return any(clause.start <= cue.start < clause.end for cue in cues)


def _over(reading: Reading, clause: Clause, slot: str, sign: str) -> bool:
    """Whether a value held once: it is told of a time that is over, or said not to be so without a word that denies
    it, where nobody refuses such a value ("I was vegan for ten years")."""
    if "negation" in clause.kinds:
        return False
    personal = slot_kind(reading.reader, slot).category == "personal"
    return bygone(reading, clause) or (sign == "no" and personal and not _stands(reading, clause, slot))


def _own_words(reading: Reading, clause: Clause, attribute: str = "", *, led: bool = False) -> Statement:
    """A clause as it was said, under what it likely tells of; what holds one value only takes no whole sentence."""
    span = (clause.start, clause.end)
    words = clause_words(reading, clause, led)
    slot = slot_named(reading.reader, attribute or clause.tells.best)
    slot = (
        "style" if (clause.act, slot) == ("instructs", "habit") else slot
    )  # a rule for others is no habit of one's own
    sure = slot and (attribute or (clause.tells.lead >= LIKELY and clause.told >= FAINT))
    kind = slot_kind(reading.reader, slot) if sure else None
    several = kind is not None and (kind.many or attribute in STATUS)
    sure = kind is not None and several and not (kind.vital and "negation" in clause.kinds)
    return _claim(reading, clause, slot if sure else NOTE, words, span)
