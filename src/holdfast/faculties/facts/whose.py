"""Whose a claim is. What is told of a relative, a friend or an animal, or answers a question about one, is theirs: it
is kept in its own words under what they are to the speaker, and is never known of the speaker."""

from __future__ import annotations

import re
from itertools import pairwise

from holdfast.faculties.facts.lookup import with_words
from holdfast.faculties.questions.pending import Answer, all_answered
from holdfast.faculty import Draft
from holdfast.reading.clauses import sentence
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reading, Span, overlap

FAMILY, FRIEND, PET = "family", "friend", "pet"
THEIRS = frozenset({FAMILY, FRIEND, PET})
"""Slots of those that somebody tells of."""
SOMEBODY = "note"
"""Slot of what is told of somebody of whom only the name is known."""
OF_ONESELF = frozenset("name age birthday home origin role employer studies health diet allergy hobby".split())
"""Attributes of which a clause that names somebody else tells nothing sure of the speaker."""
HARMFUL = frozenset("health diet allergy medication".split())
"""Attributes that do harm where they are taken for somebody else's."""
WORTH_KNOWING = HARMFUL | {"role"}
"""Attributes of relatives and friends that are worth knowing however they are told."""
_GOES_ON = HARMFUL | {"age", "birthday", "phone", "email", "address"}
"""Attributes that are told of the one who was told of right before."""
_PERSONAL = OF_ONESELF | WORTH_KNOWING
_TOLD_BY_VERB = WORTH_KNOWING | {"age"}
MIN_LETTERS = 3
"""Letters of a name."""
FIRST_WORDS = 3
"""Words of a clause among which the one stands that it tells of: "and my sister"."""
_POSSESSIVE = re.compile(r"['’]s\b")
_OTHERS = frozenset({"kin", "animal"})


def whose(draft: Draft, clause: Clause) -> str:
    """The slot of those whom a clause tells of, by a word for them or a name; none where it tells of the speaker: "my
    wife and I moved", "with my wife in Leeds"."""
    reading = draft.reading
    found = [token for token in reading.find(tokens_of) if clause.start <= token.start < clause.end]
    said = [token for token in found if token.shape != "."]
    if not said or speaks_of_oneself(reading, clause):
        return ""
    if any(overlap(one.span, (clause.start, clause.end)) for one in _asked_of_others(draft)):
        return SOMEBODY
    for place, token in enumerate(said[:FIRST_WORDS]):
        if _one_of(reading, clause, said, place):
            return _slot(token, clause)
    named = (_by_name(draft, token) for token in said[: FIRST_WORDS + 1])
    found_out = next(filter(None, named), "") or _by_verb(reading, clause, said)
    return found_out or (SOMEBODY if _by_pronoun(reading, clause, said) or _goes_on(draft, clause) else "")


def _by_pronoun(reading: Reading, clause: Clause, said: list[Token]) -> bool:
    """Whether a personal thing is told of somebody who is only pointed at: "his blood pressure pill is ramipril"."""
    others = reading.phrases("memory", "others")
    pointed_at = any(one.word in others for one in said[:FIRST_WORDS])
    return pointed_at and any(value.attribute in _PERSONAL for value in clause.values)


def _goes_on(draft: Draft, clause: Clause) -> bool:
    """Whether a clause goes on with a personal thing that was told of somebody else in its sentence: "my brother takes
    ramipril in the morning, and atorvastatin at night", "it's mum's birthday, 60 years"."""
    place = draft.clauses.index(clause) if clause in draft.clauses else 0
    before = draft.clauses[place - 1] if place else None
    if before is None or before.start < sentence(draft.reading, clause.start)[0]:
        return False
    named = [token for token in before.tokens if "role" in token.kinds]
    theirs = bool(named) and not speaks_of_oneself(draft.reading, before)
    return any(value.attribute in _GOES_ON for value in clause.values) and (theirs or bool(whose(draft, before)))


def _by_verb(reading: Reading, clause: Clause, said: list[Token]) -> str:
    """The slot of somebody of whom nothing is known but that a personal thing is told of them, by the verb after the
    name or the word before it: "bruno is allergic to cashews", «у димы астма»."""
    verbs, before, small = (
        reading.phrases("memory", "third_person"),
        reading.phrases("memory", "has_before"),
        reading.reader.phrases("small", "words"),
    )
    pairs = [*pairwise(said[: FIRST_WORDS + 1])]
    names = [one for one, verb in pairs if verb.word in verbs] + [one for first, one in pairs if first.word in before]
    if not any(map(_may_be_a_name, names)) or not small.isdisjoint(name.word for name in names):
        return ""
    return "" if _TOLD_BY_VERB.isdisjoint(value.attribute for value in clause.values) else FRIEND


def _may_be_a_name(token: Token) -> bool:
    return not token.kinds and len(token.word) >= MIN_LETTERS


def speaks_of_oneself(reading: Reading, clause: Clause) -> bool:
    """Whether the speaker is a part of what a clause says: "I", "we", "vivo"."""
    words = reading.folded[clause.start : clause.end].replace(",", " ").split()
    return not reading.phrases("reported", "speaker").isdisjoint(words)


def tells_of_others(reading: Reading, span: Span) -> bool:
    """Whether words for a relative or an animal stand somewhere."""
    found = (token for token in reading.find(tokens_of) if span[0] <= token.start < span[1])
    return any(not _OTHERS.isdisjoint(token.kinds) for token in found)


def _asked_of_others(draft: Draft) -> list[Answer]:
    """What the message answers of questions about others."""
    found = all_answered(draft.state)
    return [answer for answer in found if asked_of_others(draft.reading, answer.question.text)]


def _one_of(reading: Reading, clause: Clause, said: list[Token], place: int) -> bool:
    """Whether a word is that for a relative, or for an animal of one's own (a horse may be a piece of chess), or for
    somebody by what they do, where the clause tells what people are: "my teacher is from Peru"."""
    token, before = said[place], [one.word for one in said[:place]]
    if not reading.phrases("memory", "together").isdisjoint(before):
        return False
    mine = place > 0 and before[-1] in reading.phrases("memory", "myself") | reading.phrases("memory", "ours")
    if not mine or not token.kinds:
        return "kin" in token.kinds
    works = "role" in token.kinds and any(value.attribute in OF_ONESELF | _GOES_ON for value in clause.values)
    return "kin" in token.kinds or "animal" in token.kinds or works


def _slot(token: Token, clause: Clause) -> str:
    if clause.tells.best in THEIRS:
        return clause.tells.best
    return SOMEBODY if "role" in token.kinds else PET if "animal" in token.kinds else FAMILY


def _by_name(draft: Draft, token: Token) -> str:
    """The slot of somebody who was told of by name: "Theo" after "my son Theo"."""
    if not _may_be_a_name(token):
        return ""
    known = with_words(draft.before, draft.reading.reader, token.word)
    slots = (memo.slot.partition("/")[0] for _, memo in known)
    return next((slot for slot in slots if slot in THEIRS), "")


def asked_of_others(reading: Reading, question: str) -> str:
    """The slot of those whom a question asks about: "How old is your son?", "And his job?"."""
    asked = tokens(_POSSESSIVE.sub("", question), reading.language)
    slots = [PET if "animal" in token.kinds else FAMILY for token in asked if not _OTHERS.isdisjoint(token.kinds)]
    pronouns = reading.phrases("memory", "others")
    return next(iter(slots), SOMEBODY if any(token.word in pronouns for token in asked) else "")
