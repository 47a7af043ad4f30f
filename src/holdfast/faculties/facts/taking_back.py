"""What is over: "I no longer use Vim", "never use tabs", "forget the deadline", "scrap that", "I don't work there any
more". One reader of endings, by cues and by the acts of clauses; what they end is looked up in one way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from holdfast.events import Event
from holdfast.faculties.facts.attributes import slot_named, values_of
from holdfast.faculties.facts.lookup import (
    Place,
    content,
    holding,
    in_slot,
    named_by,
    of_kind,
    types_of,
    with_types,
    with_words,
)
from holdfast.faculties.facts.memos import DisputeOpened, ItemRetracted, find, live, open_slots, slices
from holdfast.faculties.facts.over import CHANGES, CHOICE, Message, Part, Told, Touch, family, judge, kin_of, touch
from holdfast.faculties.facts.relations import Memo, SlotKind, same, slot_kind
from holdfast.faculties.facts.things import beside_each_other, of_another, thing
from holdfast.faculties.facts.whose import THEIRS
from holdfast.faculties.facts.wording import nouns
from holdfast.faculties.facts.writing import (
    ENDED,
    WITHDRAWN,
    compose,
    confirm,
    is_a_change,
    learned,
    mark_resting,
    told_now,
    undo,
)
from holdfast.faculties.questions.pending import just_asked
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.clauses import sentence
from holdfast.reading.corrections import corrections
from holdfast.reading.kinds import means_same, value_types
from holdfast.reading.lexicon import kinds as kinds_of
from holdfast.reading.model.clauses import TELLS_NOTHING, Clause, decided
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.pasted import pasted
from holdfast.reading.reader import Reader, Reading, Span, overlap, touches
from holdfast.reading.standing import Standing, asks_outright, standing, suppositions
from holdfast.reading.text import fold
from holdfast.state import State

SAYS_SO, OVER, UNNAMED = -32, 4, 0
"""Scores from which a fact is said to be over: named by a clause that takes something back, named, and else."""
MAX_ASKED, AWAY = 24, 1000
"""Facts that are asked about of one clause; how many rows ago was what was told in another conversation."""
RECENT = 3
"""Rows of the log after which "that" no longer means what was learned last."""
TAKES_BACK = 8
"""Lead from which a clause is believed to take something back: a wrong removal costs more than a missed one."""
OPENING = 16
"""Characters before a clause in which a supposition begins it."""
FOLLOWING = 3
"""Words after a denial among which the verb stands that it denies: "no se lo digas"."""
TELLS_BESIDE = 8
"""Lead from which a clause is believed to tell something though its sentence asks or supposes something."""
_TELLS_ON, _KEEPS = frozenset({"requestverb", "sayverb"}), frozenset({"rememberphrase", "forgetphrase"})
"""Kinds of verbs that pass something on, and of those that keep it."""
PRIVACY = "privacy"
"""Attribute of what is not to be kept."""
_TOLD_ANEW = frozenset({"note", "smoking", "marital"})
"""Slots of which a denial is the news: what is told of them last holds."""
NOT_SAID = frozenset({"quoted", "withdrawn", "question", "hypothetical"})
OF_THE_SENTENCE = frozenset({"question", "hypothetical"})
"""Flags that stand over a whole sentence, whichever of its clauses they come from."""
_TELLING = frozenset({"states", "answers", "instructs", "corrects", "returns"})
_SIGNS = str.maketrans(dict.fromkeys(".,;:!?", " "))


class Ending(NamedTuple):
    """Something that a message ends, by which rule, from which words."""

    target: Place
    rule: str
    span: Span
    over: bool = False
    """Whether it was so until now; else it is taken back."""
    undoes: bool = False
    """Whether what it replaced holds again."""


SURE_OF_IT = 16
"""Lead from which an act is believed."""
PUTS_RIGHT = frozenset({"corrects", "returns", "retracts", "rejects", "denies"})
"""Acts of clauses that speak of something said before without naming it."""
_TELLS_OF_CHANGE = PUTS_RIGHT | {"states", "answers", "instructs", "reports", "chooses"}
"""Acts of clauses that may say of something known that it is over or another now. In 1,683 messages of dev writers no
clause of another act did, though half of what was looked at was of those."""
_MANY_KINDS = THEIRS | {"tool", "style", "note", "other", "number"}
"""Slots that hold things of many kinds: another of them says nothing about the first."""


class Over(NamedTuple):
    """A fact that a clause says to be over, as the scorer has it."""

    place: Place
    clause: Clause
    lead: int
    named: bool
    """Whether the clause names it, or the agent just did; else it only gives another value of the attribute."""


def over(draft: Draft) -> list[Over]:
    """The facts that the message says to be over, each once. Use as `draft.find(over)`."""
    found: dict[str, Over] = {}
    said = draft.find(said_plainly) if draft.find(known_before) else []
    plainly = [clause for clause in said if may_change(clause) and not _asks_to_keep(draft.reading, clause)]
    for part in draft.find(parts) if plainly else ():
        for place in _may_speak_of(draft, part) if part.clause in plainly else ():
            one = _judged(draft, part, place)
            if one is not None:
                other = found.setdefault(place[1].id, one)
                best = max(other, one, key=lambda over: (over.named, over.lead))
                found[place[1].id] = best
    return [*found.values()]


def parts(draft: Draft) -> list[Part]:
    """The clauses of the message as the scorer looks at them. Use as `draft.find(parts)`."""
    return Message(draft.reading, draft.clauses, draft.asked).parts


def told_when(draft: Draft, memo: Memo) -> Told:
    return Told(memo, draft.ago(memo.version) if memo.session in ("", draft.origin) else AWAY)


def may_change(clause: Clause) -> bool:
    """Whether a clause may say of something known that it is over or another now, by what it does or may do as well."""
    return clause.act in _TELLS_OF_CHANGE or (clause.lead < SURE_OF_IT and clause.likeliest[1] in PUTS_RIGHT)


def _may_speak_of(draft: Draft, part: Part) -> list[Place]:
    """What a clause may speak of: what it names, what is of its attributes, and what the agent just named."""
    state, reader = draft.before, draft.reading.reader
    said = draft.reading.words((part.clause.start, part.clause.end))
    heads = {part.about, *(head for _, head, _ in part.values), *part.named}
    found = with_words(state, reader, f"{said} {draft.asked}")
    if CHOICE in heads:
        heads |= {"tool", "tooling"}
        found += of_kind(state, "decision")
    found += with_types(state, reader, [f"attr/{head}" for head in sorted(heads)])
    asked = open_slots(state)  # which of two values holds is being asked
    held = {memo.id: (scope, memo) for scope, memo in found if memo.positive and memo.slot not in asked}
    return sorted(held.values(), key=lambda one: -one[1].recorded)[:MAX_ASKED]


def _judged(draft: Draft, part: Part, place: Place) -> Over | None:
    memo, clause = place[1], part.clause
    told = told_when(draft, memo)
    how = touch(part, told)
    if how is None or _says_again(part, memo) or _measures_otherwise(draft.reading, clause, memo):
        return None
    named = _names(draft, part, memo, how) and not (how.name == "part" and _of_another_kind(part, memo))
    if not named and not _gives_another(draft, part, memo, how):
        return None
    lead, seen = part.lead(told, how)
    if lead < _least(clause, how, named):
        return None
    draft.decided("talk.over", partial(decided, judge(), seen, part.tokens, "yes", lead), (clause.start, clause.end))
    return Over(place, clause, lead, named)


def _measures_otherwise(reading: Reading, clause: Clause, memo: Memo) -> bool:
    """Whether a clause gives values that are none of those of a fact: "tracking is on 3.9" says nothing of its port,
    and without a word of change, nothing of another thing."""
    words, held = reading.text[clause.start : clause.end], memo.text or memo.value
    tells = clause.act in _TELLING and clause.kinds.isdisjoint(CHANGES)
    return tells and beside_each_other(reading.reader, words, held)


def _least(clause: Clause, how: Touch, named: bool) -> int:
    if not named:
        return UNNAMED
    return SAYS_SO if how.name != "no" and clause.act == "retracts" else OVER


def _names(draft: Draft, part: Part, memo: Memo, how: Touch) -> bool:
    """Whether a clause names a fact, by more than the word for a relative; or speaks of the one that the agent just
    named, in answer to a question or by putting it right. Of several that the agent names it may mean none."""
    clause = part.clause
    if how.name in ("all", "part"):
        return clause.act in PUTS_RIGHT or not _by_relation(part, memo)
    asks = bool(just_asked(draft.before)) or clause.act in PUTS_RIGHT
    named = [one.id for _, one in draft.find(_just_named)] if how.asked != "no" and asks else []
    return named == [memo.id] and memo.slot not in THEIRS


def _by_relation(part: Part, memo: Memo) -> bool:
    """Whether a clause names somebody by no more than what they are to the speaker: "my son" has many facts."""
    whose = {stem for token, stem in zip(part.tokens, part.stems, strict=True) if "kin" in token.kinds}
    return memo.slot in THEIRS and content(part.message.reading.reader, memo.value) & part.words <= whose


def _just_named(draft: Draft) -> list[Place]:
    """What is held of all that the agent named in its last words."""
    reader, said = draft.reading.reader, content(draft.reading.reader, draft.asked)
    return [one for one in with_words(draft.before, reader, draft.asked) if content(reader, one[1].value) <= said]


def _gives_another(draft: Draft, part: Part, memo: Memo, how: Touch) -> bool:
    """Whether a clause that does not name a fact takes back or changes what it names the attribute of, or gives another
    value of it. What could do harm gives way to nothing but what names it, and of things of many kinds only what was
    told last, where it is put right."""
    reader, clause = draft.reading.reader, part.clause
    dated = any(clause.start <= cue.start < clause.end for cue in draft.reading.all("dated"))
    if how.about == "no" or dated or _only_by_name(draft.reading, clause, memo):
        return False  # "in 2018 I moved to Lisbon" tells of another time
    if _takes_back(clause, how):
        return True
    kin = any(slot_named(reader, value.attribute) == memo.slot for value, _, _ in part.values)
    last = how.near == "0" and clause.act in PUTS_RIGHT
    another = last or (kin and memo.slot not in _MANY_KINDS) or _may_be_chosen(part, memo)
    return how.about == "value" and another


def _may_be_chosen(part: Part, memo: Memo) -> bool:
    """Whether a clause gives something that may have been chosen in the place of another."""
    given = any(head == CHOICE for _, head, _ in part.values)
    return given and kin_of(part.message.reading.reader, memo) == CHOICE and not _of_another_kind(part, memo)


def _of_another_kind(part: Part, memo: Memo) -> bool:
    """Whether what a clause chooses is none of the kind of what was chosen: no database is an editor."""
    reader = part.message.reading.reader
    given = [value_types(reader, words) for _, head, words in part.values if head == CHOICE]
    held = types_of(reader, "note", memo.value) if given else frozenset()
    return bool(held) and all(types and types.isdisjoint(held) for types in given)


def _only_by_name(reading: Reading, clause: Clause, memo: Memo) -> bool:
    """Whether a fact gives way to nothing but what names it: it could do harm, or the clause tells of another thing."""
    words = reading.text[clause.start : clause.end]
    return slot_kind(reading.reader, memo.slot).vital or of_another(reading.reader, words, memo.text or memo.value)


def _takes_back(clause: Clause, how: Touch) -> bool:
    """Whether a clause takes back or changes what it names the attribute of: "don't store my age"."""
    return clause.act == "retracts" or (how.about == "attr" and "changeverb" in clause.kinds) or _private(clause)


def _says_again(part: Part, memo: Memo) -> bool:
    """Whether a clause says that a fact is so, in full or in part ("I told you, the 14th of June"), or another says
    it of the same attribute. What puts something right says nothing again: "scratch Netlify"."""
    reader, held = part.message.reading.reader, content(part.message.reading.reader, memo.value)
    said = [words for value, _, words in part.values if value.sign == "yes"]
    if _gives_it_again(part, memo, said):
        return part.clause.act not in PUTS_RIGHT or not _may_take_back(part.clause)
    if part.clause.act == "retracts":
        return False
    parts = (content(reader, words) for words in [*said, *_said_beside(part, kin_of(reader, memo))])
    return any(one and one <= held for one in parts)


def _gives_it_again(part: Part, memo: Memo, said: list[str]) -> bool:
    """Whether a clause gives the value of a fact, or all of its words with its days, times and numbers among them:
    "postgres stays at 15"."""
    reader, held = part.message.reading.reader, thing(part.message.reading.reader, memo.value).pieces
    given = [one.words for one in part.thing.pieces if one not in part.denied]
    again = all(any(means_same(reader, old.words, new) for new in given) for old in held)
    whole = bool(held) and again and content(reader, memo.value) <= part.words
    return whole or any(same(reader, words, memo.value) for words in said)


def _said_beside(part: Part, head: str) -> list[str]:
    """What the other clauses say to be so of a family of attributes."""
    others = (one for other in part.message.parts if other is not part for one in other.values)
    return [words for value, kin, words in others if kin == head and value.sign == "yes"]


def instead_of(draft: Draft, said: Statement) -> Statement:
    """A statement with the value that it takes the place of, where the message says that one to be over."""
    reader = draft.reading.reader
    if said.act != "states" or said.old or said.then:
        return said
    for one in draft.find(over):
        memo = one.place[1]
        if _takes_its_place(reader, said, one) and not same(reader, memo.value, said.value):
            how = {"corrects" if one.clause.act == "corrects" else "now"} if not is_a_change(said) else set()
            return said._replace(old=memo.value, marks=said.marks | how)
    return said


def _takes_its_place(reader: Reader, said: Statement, one: Over) -> bool:
    """Whether a statement gives a value of what is over; where a slot holds one value, that gives way by itself."""
    memo = one.place[1]
    slot = memo.slot
    if slot in THEIRS and not one.clause.start <= said.span[0] < one.clause.end:
        return False  # one of them is another
    if slot == said.slot and memo.kind != "decision":
        return slot_kind(reader, slot).many
    kin = kin_of(reader, memo)
    return (one.named or kin == CHOICE) and kin == family(reader, said.slot)


def says_no_more(draft: Draft, clause: Clause) -> bool:
    """Whether a clause says no more than that something known is over."""
    ends = _may_take_back(clause) or no_longer(draft.reading, clause)
    gone = [one.place[1].value for one in draft.find(over) if one.named and one.clause is clause] if ends else []
    return bool(gone) and not _gives_more(draft.reading, clause, gone)


def _gives_more(reading: Reading, clause: Clause, known: Sequence[str]) -> bool:
    """Whether a clause says something to be so that is none of what is known."""
    given = [reading.words((value.start, value.end)) for value in clause.values if value.sign != "no"]
    return any(not any(same(reading.reader, words, value) for value in known) for words in given)


def _may_take_back(clause: Clause) -> bool:
    """Whether a clause takes something back, or may as well as what it seems to do."""
    return clause.act == "retracts" or (clause.lead < SURE_OF_IT and "retracts" in clause.likeliest)


def reject(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """ "Never use tabs": the refusal is remembered; `ended` has retracted the value where it held."""
    reader = draft.reading.reader
    for scope, memo in holding(draft.state, reader, said.slot, said.value):
        if not memo.positive:
            yield from confirm(draft, scope, memo, said)
            return
    yield learned(draft, compose(draft, said, kind, "NEW", many=True))


def _end(draft: Draft, one: Ending) -> Iterator[Event]:
    scope, memo = one.target
    why, reason = ("no longer so", ENDED) if one.over else ("taken back", WITHDRAWN)
    cause = draft.cause(one.rule, one.span)
    yield ItemRetracted(id=memo.id, label=memo.told, why=why, scope=scope, because=cause)
    yield from mark_resting(draft, memo, reason)


def ended(draft: Draft) -> Iterator[Event]:
    """Everything that the message ends of what was known before it."""
    if not draft.find(known_before):
        return
    for one in (*_by_scorer(draft), *_by_cue(draft), *_by_act(draft)):
        memo = one.target[1]
        now = find(draft.state, memo.id)
        if told_now(draft, memo) or now is None or not now[1].current:
            continue  # "I'm not in Boston but in Austin" takes nothing back of what it says
        undoes = memo.replaces and (one.undoes or _goes_back(draft, memo, one.span))
        yield from undo(draft, memo.id) if undoes else _end(draft, one)


def _goes_back(draft: Draft, memo: Memo, span: Span) -> bool:
    """Whether the sentence that ends a fact says that what was before it is taken up again, without saying what that
    is: "Helix is not for me, went back". What gives a day or an amount is another thing: "we've put it back a day"."""
    reading, words = draft.reading, draft.reading.phrases("memory", "returned")
    whole = sentence(reading, span[0])
    for part in draft.find(parts):
        clause = part.clause
        said = fold(reading.words((clause.start, clause.end))).translate(_SIGNS).split()
        returns = overlap((clause.start, clause.end), whole) and (clause.act == "returns" or not words.isdisjoint(said))
        if returns and not part.thing.pieces and not _gives_more(reading, clause, [memo.value, *words]):
            return clause in draft.find(said_plainly)
    return False


def known_before(draft: Draft) -> bool:
    """Whether there is anything that this message could change or take back. Use as `draft.find(known_before)`."""
    return any(memory.items for _, memory in slices(draft.before))


SURELY = 32
"""Scores from which a clause tells something whatever condition it names."""


def said_plainly(draft: Draft) -> list[Clause]:
    """The clauses that the person says as they are: not quoted, taken back, asked or supposed. Use as
    `draft.find(said_plainly)`."""
    flags, reading = draft.reading.find(standing), draft.reading
    found = []
    for clause in draft.clauses:
        not_said = flags.of((clause.start, clause.end)) & NOT_SAID
        if "quoted" in not_said and not _mostly_quoted(reading, flags, clause):
            not_said = not_said - {"quoted"}  # 'every thursday at "The Lamb"': a name, and no talk of others
        if reading.text[clause.end - 1] == ":" and "quoted" in flags.of((clause.end, clause.end + 2)):
            continue  # it hands over what somebody else wrote
        beside = len(draft.clauses) > 1 or not asks_outright(reading)
        if not not_said or (not_said <= OF_THE_SENTENCE and _tells_beside(reading, clause, beside)):
            found.append(clause)
    return found


def _mostly_quoted(reading: Reading, flags: Standing, clause: Clause) -> bool:
    """Whether a clause is somebody's words rather than one that holds a few in quotes, or goes over into a mail."""
    if any(clause.start < start < clause.end for start, _ in reading.find(pasted)):
        return True
    inside = (min(end, clause.end) - max(start, clause.start) for start, end in flags.spans["quoted"])
    return 2 * sum(length for length in inside if length > 0) >= clause.end - clause.start


def _tells_beside(reading: Reading, clause: Clause, beside: bool) -> bool:
    """Whether a clause tells something beside another that asks or supposes: "im celiac, what can i eat?"."""
    start = reading.folded.rfind(",", 0, clause.start)  # "suppose, I live there": a word or two before it are its own
    start = start - OPENING if clause.start - start <= 2 else clause.start
    end = start + OPENING if clause.act == "retracts" else clause.end  # "forget about Gene, if I ever told you"
    supposes = any(start <= cue.start < end for cue in reading.find(suppositions))
    # "can you forget that?" and "can you call me Bob?" are no questions
    wants = clause.act in ("retracts", "instructs") or (beside and clause.act in _TELLING)
    # "I swell up if I eat shrimp", "no comments unless I ask"
    surely = clause.act in ("states", "instructs") and min(clause.lead, clause.keep, clause.told) >= SURELY
    return wants and (surely or not supposes) and clause.lead >= TELLS_BESIDE


def denied(draft: Draft) -> list[tuple[Clause, Place]]:
    """The clauses that deny something known, with what they deny: "I don't work at Zalando any more"."""
    reader, found = draft.reading.reader, []
    for clause in draft.find(said_plainly) if draft.find(known_before) else ():
        if "negation" in clause.kinds and clause.act not in TELLS_NOTHING - {"retracts"}:  # "she wants it without nuts"
            held = with_words(draft.before, reader, draft.reading.words((clause.start, clause.end)))
            said = content(reader, _denied_words(draft.reading, clause)) if held else frozenset()
            found += [
                (clause, (scope, memo))
                for scope, memo in held
                if memo.positive and memo.slot not in _TOLD_ANEW and content(reader, memo.value) <= said
            ]
    return found


def _denied_words(reading: Reading, clause: Clause) -> str:
    """The words of a clause over which a denial stands: "the birds" of "Darlene likes them, not the birds"."""
    flags = reading.find(standing)
    denied = [(value.start, value.end) for value in clause.values if value.sign == "no"]
    inside = ((token.start, token.end) for token in reading.find(tokens_of) if clause.start <= token.start < clause.end)
    said = [span for span in inside if "negated" in flags.of(span) or touches(span, denied)]
    return " ".join(reading.words(span) for span in said)


def no_longer(reading: Reading, clause: Clause) -> bool:
    text = f" {reading.folded[clause.start : clause.end]} ".translate(_SIGNS)
    return any(f" {words} " in text for words in reading.phrases("memory", "no_longer"))


def _by_scorer(draft: Draft) -> Iterator[Ending]:
    undoes = [cue.span for cue in draft.reading.all("retracts") if cue.means == "undo"]  # what was before holds again
    for one in left_over(draft):
        span = (one.clause.start, one.clause.end)
        if any(overlap(span, other) for other in undoes):
            continue
        gone, memo = one.named or one.clause.act == "retracts", one.place[1]
        if gone and slot_kind(draft.reading.reader, memo.slot).category != "answer":
            yield Ending(one.place, "talk.over", span, one.clause.act != "retracts")


def left_over(draft: Draft) -> list[Over]:
    """What is over, and nothing was put in the place of yet."""
    asked = {event.dispute.slot for event in draft.events if isinstance(event, DisputeOpened)}
    left = ((one, find(draft.state, one.place[1].id)) for one in draft.find(over) if one.place[1].slot not in asked)
    return [one for one, now in left if now is not None and now[1].current]


def _by_cue(draft: Draft) -> Iterator[Ending]:
    """ "Forget that I use Vim", "drop the deadline", "scrap that", "I'm not a developer any more"."""
    reading = draft.reading
    for cue in reading.all("retracts"):
        flags = reading.find(standing).of(cue.span)
        if cue.groups or flags & {"question", "quoted", "hypothetical"} or ("negated" in flags and cue.means == "joke"):
            continue  # "no kidding" takes nothing back
        if _asked_about(draft, cue.start):
            continue  # "why did you forget that"
        gone = next(iter(cue.traits), "")  # "I don't work there any more": what is over
        for place in in_slot(draft.state, gone) if gone else _meant(draft, cue.start):
            yield Ending(place, cue.id, cue.span, undoes=cue.means == "undo")


def _asked_about(draft: Draft, at: int) -> bool:
    """Whether a clause surely asks."""
    inside = (one for one in draft.clauses if one.start <= at < one.end)
    return any(one.act == "asks" and one.lead >= SURE_OF_IT for one in inside)


def _by_act(draft: Draft) -> Iterator[Ending]:
    """What clauses that take something back end, where neither the scorer nor a cue says what."""
    gone = [one for one in draft.find(over) if one.named or one.clause.act == "retracts"]
    read = [(one.clause.start, one.clause.end) for one in gone]
    read += [one.span for one in _by_cue(draft)]
    read += [said.span for said in draft.reading.find(corrections)]
    for clause in [one for one in draft.find(said_plainly) if not _asks_to_keep(draft.reading, one)]:
        span = (clause.start, clause.end)
        back = clause.act == "retracts" and clause.lead >= TAKES_BACK
        if not (back or _private(clause)) or any(overlap(span, other) for other in read):
            continue
        draft.decided("talk.retracts", clause.decided, span)
        pointed = _meant(draft, clause.start) if not back and "pointer" in clause.kinds else []
        for place in _spoken_of(draft, clause) or pointed:
            yield Ending(place, "talk.retracts", span)


def _asks_to_keep(reading: Reading, clause: Clause) -> bool:
    """Whether a clause says not to forget something ("don't forget" is one word for that), or, where it speaks of what
    is private, not to tell it to others: it is to be kept all the more."""
    found = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
    denied = [place for place, token in enumerate(found) if "negation" in token.kinds]
    after = {kind for place in denied for one in found[place + 1 :][:FOLLOWING] for kind in _kinds(one)}
    passed_on = bool(after & _TELLS_ON) and not after & _KEEPS and _private(clause)
    return passed_on or any("rememberphrase" in found[place].kinds for place in denied)


def _kinds(token: Token) -> set[str]:
    """What a word is, and what its English is."""
    return {*token.kinds, *(kind for one in kinds_of(token.english.split(), ("en",)) for kind in one)}


def _private(clause: Clause) -> bool:
    """Whether a clause asks not to keep something: "don't store my age"."""
    behind = SURELY // (2 if _may_take_back(clause) else 4)
    near = clause.abouts[PRIVACY] >= max(clause.abouts[clause.tells.best] - behind, clause.abouts["none"] - SURELY)
    asks = near and clause.act in ("instructs", "requests", "remarks", "retracts")
    names = any(kind == "pointer" or kind.startswith("attr/") for kind in clause.kinds)
    return asks and names and "negation" in clause.kinds


def _spoken_of(draft: Draft, clause: Clause) -> list[Place]:
    """The fact that a clause speaks of: by most of its words, else the newest of an attribute that it names, or, where
    it only points, what was said last."""
    reader, said_here = draft.reading.reader, draft.reading.words((clause.start, clause.end))
    words = " ".join(word for word, kinds in nouns(draft.reading, said_here) if "everything" not in kinds)
    if "everything" in clause.kinds:  # about somebody or something, or about oneself
        things = [value for value in values_of(draft.reading, clause) if value.attribute != PRIVACY]
        words = " ".join([words, *(draft.reading.words((value.start, value.end)) for value in things)])
        oneself = not things and (clause.tells.best == PRIVACY or not content(reader, words))
        return list(live(draft.before)) if oneself else with_words(draft.before, reader, words)
    about = _tells_of(draft.reading, clause)
    named = naming(draft, said_here, about)
    if alike := _most_alike(draft, words, named):
        return alike
    said = content(reader, words)
    if named and (about or len(said) <= 1):
        return named[:1]
    names = any(kind.startswith("attr/") for kind in clause.kinds)
    return [] if said or names else _meant(draft, clause.start)


def _tells_of(reading: Reading, clause: Clause) -> str:
    """The slot that a clause takes back, where it surely speaks of its attribute: one that holds one value ("forget
    where I work"), or one that it points at ("drop that rule"). Of one with many it may mean a thing that nobody told
    of: "no more PowerShell"."""
    slot = slot_named(reading.reader, clause.tells.best)
    one = slot and clause.told >= 0 and not slot_kind(reading.reader, slot).many
    sure = clause.tells.lead >= (SURE_OF_IT if one else SURELY)
    return slot if sure and (one or "pointer" in clause.kinds) else ""


def _most_alike(draft: Draft, words: str, named: list[Place]) -> list[Place]:
    """The fact that has most of some words in its value, or most of its value in them; one that is named goes first."""
    reader, found = draft.reading.reader, []
    said = content(reader, words)
    for place in with_words(draft.before, reader, words):
        held = content(reader, place[1].value)
        if 2 * len(said & held) >= min(len(said), len(held)):
            found.append((place in named, len(said & held), place))
    return [max(found, key=lambda one: one[:2])[2]] if found else []


def _meant(draft: Draft, at: int) -> list[Place]:
    """What "that" is, in "scrap that": what the same message or the agent said before it; else what was learned last,
    unless that was long ago, something else is said, or the agent asks about something else by now."""
    before = draft.reading.text[:at] if content(draft.reading.reader, draft.reading.text[:at]) else ""
    known = _most_alike(draft, before or draft.asked, [])
    if before or known or just_asked(draft.before):
        return known
    last = last_written(draft.state)
    told = any(one.act == "states" for one in draft.reading.find(corrections))
    if told or last is None or last.session not in ("", draft.origin) or draft.ago(last.version) > RECENT:
        return []
    found = find(draft.state, last.id)
    return [found] if found is not None else []


def naming(draft: Draft, words: str, about: str = "") -> list[Place]:
    """What has a slot that some words name: "deadline", "my editor", "the meeting"; the newest first."""
    reader, text = draft.reading.reader, f" {fold(words)} ".translate(_SIGNS)
    tables = (reader.data("memory_kinds", None), reader.data("memory_names", None))
    slots = {str(slot) for table in tables for word, slot in table.items() if f" {word} " in text}
    found_here = [token for token in tokens(words, draft.reading.language) if "changeverb" not in token.kinds]
    kinds = {kind for token in found_here for kind in token.kinds if kind[:5] == "attr/"}  # a wedding moves, too
    found = with_types(draft.state, reader, [*sorted(kinds), *([f"attr/{about}"] if about else [])])
    found += in_slot(draft.state, *sorted(slots))
    found += of_kind(draft.state, "decision") if "decision" in slots else []
    slot_words = (
        (one, one[1].slot.rpartition("/")[2].replace("_", " ")) for one in named_by(draft.state, reader, words)
    )
    found += [one for one, name in slot_words if f" {name} " in text]
    return sorted({one[1].id: one for one in found}.values(), key=lambda one: -one[1].recorded)


def last_written(state: State) -> Memo | None:
    newest: Memo | None = None
    for _, memory in slices(state):
        for id in memory.last:
            memo = memory.items.get(id)
            if memo is not None and (
                newest is None or (memo.recorded, memo.version) >= (newest.recorded, newest.version)
            ):
                newest = memo
    return newest
