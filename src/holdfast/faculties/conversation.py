"""The conversation itself: its last messages, its language, what the agent was last told. Every pack has it first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from holdfast.events import Briefed, Cleared, Event, FacultyFailed, MessageHeard, MessageSaid
from holdfast.faculty import Draft, Faculty, Item
from holdfast.state import Moment
from holdfast.telling import Telling

RECENT = 12
"""Messages kept for the model; older ones are in the log."""
MAX_KEPT_CHARS = 4000
"""Characters of a message that are kept for the model; the whole text is in the log."""
GAPS = 4
"""Times that something was taken back which the state knows of; older ones are in the log."""
RECALLED = 100
"""Characters under which the message before is told again."""


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message as a model will see it again."""

    role: str
    text: str
    version: int
    agent: str | None = None


class LanguageSet(Event, frozen=True):
    did = "understood"
    told = "language.set"

    language: str
    forced: bool = False


class TitleSet(Event, frozen=True):
    """The conversation was given a name by hand."""

    did = "renamed"

    title: str

    def tell(self) -> Telling:
        return self.title


class LanguageHeard(Event, frozen=True):
    """A few words came in another language than the conversation's; a second time in a row changes it, and so does a
    whole sentence."""

    language: str


class Conversation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of the talk as such."""

    turns: int = 0
    """Messages of the person so far."""
    messages: int = 0
    """Messages of both sides so far."""
    language: str | None = None
    knocking: str | None = None
    """The language of the newest message, once another than the conversation's was heard."""
    recent: tuple[Message, ...] = ()
    briefed: str = ""
    """The context line that the agent saw last."""
    since: int = 0
    """Version of the newest clearing of the messages: older ones are only in the log."""
    cleared: int = 0
    """Version of the newest clearing of anything: a message from before it may name what is to be gone."""
    title: str = ""
    """The name that somebody gave to the conversation."""
    gaps: tuple[tuple[int, int], ...] = ()
    """What was taken back: the version that was gone back to, and that of the row that says so; the newest few."""

    def last(self, role: str) -> str:
        """The newest message of one side."""
        return next((message.text for message in reversed(self.recent) if message.role == role), "")


def texts(draft: Draft, name: str) -> Mapping[str, Any]:
    """Sentences of ours for the person, in the language of the conversation."""
    spoken = draft.state.conversation.language or draft.reading.language or "en"
    return draft.reading.reader.data(name, spoken)


class ConversationFaculty(Faculty):
    name = "conversation"
    slice = Conversation
    events = (MessageHeard, MessageSaid, Briefed, LanguageSet, LanguageHeard, TitleSet, Cleared, FacultyFailed)

    def __init__(self, recall: str = "", steady: bool = False) -> None:
        """`recall` is the key under which the message before this one is told, beside other context; `steady`: no
        single message changes the language."""
        self.recall, self.steady = recall, steady

    def hear(self, draft: Draft) -> Iterator[Event]:
        known: Conversation = draft.state.conversation
        reading = draft.reading
        for cue in reading.all("language_request"):
            asked = cue.means
            if asked != known.language:
                yield LanguageSet(language=asked, forced=True, because=draft.cause(cue.id, cue.span))
            return
        spoken = reading.language
        if spoken is None or (spoken == known.language and known.knocking is None):
            return
        if known.language is None:
            yield LanguageSet(language=spoken, because=draft.cause("language.first"))
        elif spoken == known.language or len(reading.tokens) >= 3:  # a short "ok" changes nothing
            whole = not self.steady and reading.reader.recogniser.is_whole(reading.folded, spoken)
            if spoken != known.language and (whole or known.knocking == spoken):
                yield LanguageSet(language=spoken, because=draft.cause("language.whole" if whole else "language.twice"))
            else:
                yield LanguageHeard(language=spoken)

    def fold(self, slice: Conversation, event: Event, moment: Moment) -> Conversation:
        change = msgspec.structs.replace
        match event:
            case MessageHeard(text=text):
                recent = _kept(slice.recent, Message("user", text[:MAX_KEPT_CHARS], moment.version))
                return change(slice, turns=slice.turns + 1, messages=slice.messages + 1, recent=recent)
            case MessageSaid(text=text, agent=agent):
                recent = _kept(slice.recent, Message("assistant", text[:MAX_KEPT_CHARS], moment.version, agent))
                return change(slice, messages=slice.messages + 1, recent=recent)
            case Briefed(context=context):
                return change(slice, briefed=context)
            case LanguageSet(language=language):
                return change(slice, language=language, knocking=None)
            case LanguageHeard(language=language):
                return change(slice, knocking=language)
            case TitleSet(title=title):
                return change(slice, title=title)
            case Cleared(what="everything"):
                return change(slice, recent=(), briefed="", knocking=None)
            case Cleared(what="messages"):
                return change(slice, recent=(), messages=0, since=moment.version)
            case Cleared():
                return change(slice, cleared=moment.version)
        return slice

    def clear(self, draft: Draft, what: str | None, index: int | None) -> Iterator[Event]:
        if what is None:
            yield Cleared(what="everything")
        elif what == "messages":
            yield Cleared(what="messages")

    def context(self, draft: Draft) -> Iterable[Item]:
        if not self.recall:
            return ()
        known: Conversation = draft.before.conversation
        said = next((m.text for m in reversed(known.recent) if m.role == "user" and m.version >= known.cleared), "")
        if not said or len(said) >= RECALLED:
            return ()
        return [Item(self.recall, f"'{said}'", keep=10, beside=True)]


def _kept(recent: tuple[Message, ...], message: Message) -> tuple[Message, ...]:
    if not message.text:  # an interrupted turn leaves an empty message: nothing a model should see again
        return recent
    return (*recent, message)[-RECENT:]
