"""The profile of a user, kept across conversations: what they said of themselves, in so many words.

Every entry has a source. Settings rank above what was said in a conversation, and that above anything else; a lower
rank never replaces a higher one. Personal data that a request needs ("add my name as author") comes from here, else
from a question that is ready to ask, and never from a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from holdfast.events import DoubtRaised, Event, Refusal
from holdfast.faculties.conversation import texts
from holdfast.faculties.facts.fold import FactsFaculty
from holdfast.faculties.facts.lookup import of_category
from holdfast.faculties.facts.memos import PROFILE, ProfileAsked, ProfileSet
from holdfast.faculties.questions.pending import QuestionDropped, Work, answered, ask, waiting
from holdfast.faculty import Draft, Section
from holdfast.reading.asking import questions
from holdfast.reading.model.scorer import UNIT
from holdfast.reading.reader import Cue, Reading, Span, overlap
from holdfast.reading.standing import standing
from holdfast.reading.text import fold
from holdfast.reading.values import trimmed
from holdfast.state import State
from holdfast.telling import said

KEYS = ("name", "profession", "location", "interests", "expertise_level", "communication_style", "goals")
SHOWN = 0.5
"""Confidence from which an entry is told to the agent."""
FIRST_ASK = 3
"""Messages of the person before the profile may be asked for."""
ASK_EVERY = 5
"""Messages of the agent from one question for the profile to the next, each with one of the person before it."""
MAX_VALUE_CHARS = 200
MAX_STATEMENTS = 8
"""Statements of one message that are looked at."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing known of the user."""

    value: str
    confidence: float = 1.0
    source: str = "conversation"
    version: int = 0


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    entries: dict[str, Entry] = {}


def rank(source: str) -> int:
    """settings before conversation before anything else."""
    head = source.partition(":")[0]
    return {"settings": 3, "conversation": 2}.get(head, 1)


def profile(state: State) -> dict[str, Entry]:
    """Everything known of the user, from this conversation and the ones before."""
    entries = {}
    for memo in of_category(state, PROFILE):
        source = memo.details.get("source", "conversation")
        entries[memo.slot] = Entry(memo.value, memo.confidence, source, memo.version)
    return entries


def shown(state: State) -> dict[str, str]:
    """What may be told: entries that are sure enough."""
    return {key: entry.value for key, entry in profile(state).items() if entry.confidence >= SHOWN}


def told(entries: Mapping[str, str]) -> str:
    """The profile as a section of the prompt; empty for an empty profile."""
    if not entries:
        return ""
    return "\n".join(["**User Profile:**", *(f"- {key}: {value}" for key, value in entries.items())])


def may_ask(state: State) -> bool:
    """Whether the profile may be asked for now."""
    asked: int = state.session.slices["memory"].asked
    return state.conversation.turns >= FIRST_ASK and (not asked or state.version - asked > 2 * (ASK_EVERY - 1))


def learned(
    draft: Draft, key: str, value: str, confidence: float, source: str, cue: Cue | None = None, rule: str = ""
) -> Event:
    """The event of a new value, or the refusal of one whose source ranks too low."""
    held = profile(draft.state).get(key)
    because = draft.cause(cue.id if cue else rule or "profile.set", cue.span if cue else None)
    if held is not None and rank(source) < rank(held.source):
        reason = said("refused.rank", source=source, other=held.source, value=held.value)
        return Refusal(what=said("slot.is", slot=key, value=value), reason=reason, because=because)
    return ProfileSet(
        key=key,
        value=" ".join(value.split())[:MAX_VALUE_CHARS],
        confidence=confidence,
        source=source,
        old=held.value if held else None,
        scope="user",
        because=because,
    )


class ProfileFaculty(FactsFaculty):
    name = "profile"
    words = ("holdfast.faculties.facts/profile",)

    def view(self, state: State) -> Profile:
        return Profile(profile(state))

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        source = f"conversation:{draft.origin}" if draft.origin else "conversation"
        answer = answered(draft.state)
        if answer is not None and (key := answer.question.about) in KEYS:
            yield learned(draft, key, answer.value, 1.0, source, rule=f"request.{key}")
        wanted = [cue.span for cue in reading.all("needs_mine")]  # "add my name as author" tells no name
        for cue in reading.all("about_me")[:MAX_STATEMENTS]:
            if not any(overlap(cue.span, span) for span in wanted) and (value := _value(reading, cue)):
                yield learned(draft, cue.means, value, 1.0, source, cue)
                yield from (QuestionDropped(id=question.id) for question in waiting(draft.state, cue.means))
        said_so = answer is not None or any(cue.means == "name" for cue in reading.all("about_me"))
        if not said_so and (name := _told_name(draft)) is not None:
            yield learned(draft, "name", reading.words(name), 1.0, source, rule="profile.name")
        yield from self._needs(draft)

    def _needs(self, draft: Draft) -> Iterator[Event]:
        """What a request needs of the person and nobody knows: a question, and an open request that waits for it."""
        reading = draft.reading
        for cue in reading.all("needs_mine")[:MAX_STATEMENTS]:
            key = cue.means
            if key in shown(draft.state) or reading.find(standing).of(cue.span) & {"quoted", "reported"}:
                continue
            question = texts(draft, "profile_texts")[key]
            yield DoubtRaised(about=key, question=question, because=draft.cause(cue.id, cue.span))
            work = Work(reading.text.strip()[:300], _target(draft.state))
            yield from ask(draft, question, key, cue.id, cue.span, work=work)
            return

    def say(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        if not reading.has("asks_profile"):
            return
        spans = reading.find(questions)
        for cue in reading.all("asks_profile")[:MAX_STATEMENTS]:
            if any(start <= cue.start < end for start, end in spans):
                yield ProfileAsked(key=cue.means, because=draft.cause(cue.id, cue.span))
                return

    def sections(self, draft: Draft) -> Iterable[Section]:
        if text := told(shown(draft.state)):
            yield Section("user_profile", text, keep=60)
        missing = waiting(draft.state, *KEYS)
        if missing and missing[-1].by is None and missing[-1].turn == draft.state.conversation.turns:
            yield Section(
                "missing_data",
                f"**MISSING PERSONAL DATA:**\n{missing[-1].about}: not known. Ask “{missing[-1].text}” and wait "
                "for the answer. Never write a placeholder or an invented value.",
                keep=85,
            )


def _target(state: State) -> str | None:
    """The file that waits for the answer: the one that is meant, else the newest."""
    if "files" not in state.session.slices:
        return None
    request, files = state.files.request, state.files.files
    if request is not None and request.target:
        return str(request.target)
    return files[-1].name if files else None


def _told_name(draft: Draft) -> Span | None:
    """The name in a clause that tells the speaker's and nothing else: "a card, please, I'm Rosa"."""
    told = [
        one for one in draft.clauses if one.act == "states" and one.about == "name" and one.told >= UNIT <= one.keep
    ]
    names = [value for clause in told for value in clause.values if value.attribute == "name"]
    return (names[0].start, names[0].end) if names else None


def _value(reading: Reading, cue: Cue) -> str:
    """The value of a statement that the person makes of themselves, else nothing."""
    span = cue.groups.get("value", cue.span)
    if reading.find(standing).of(span) - {"reported"}:  # "my name is" looks like "my boss is"
        return ""
    value = reading.words(trimmed(reading, span)).strip()
    folded = fold(value)
    cuts = reading.phrases("profile", "name_cuts" if cue.means == "name" else "cuts")
    ends = [place for cut in cuts if (place := folded.find(f" {cut} ")) > 0]
    value = value[: min(ends)] if ends else value
    called = "called" in cue.traits  # "call me Maria" names, "call me later" does not
    return "" if called and not value[:1].isupper() else value
