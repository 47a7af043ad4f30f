"""Modes, submodes and the topic stack: a side question is answered and the open step comes back by itself.

The moves that are allowed are declared here (`MODES`, `SUBMODES`); `tools/draw_modes.py` draws them for the docs. In a
pack with a procedure the diagnosis calls `read_intent` and `push_topic` in its own order; in a pack without one, this
faculty does both by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from sys import intern

import msgspec

from holdfast.events import Cleared, Event, Intent, IntentRead, MessageHeard
from holdfast.faculties.desk import intents
from holdfast.faculties.desk.answering import Asked, answers
from holdfast.faculty import Draft, Faculty
from holdfast.reading.reader import Reading
from holdfast.reading.tables import Table
from holdfast.state import Moment
from holdfast.telling import Telling, said

MODES: dict[str, tuple[str, ...]] = {
    "diagnostic": ("authorization", "final_report"),
    "authorization": ("final_report", "diagnostic"),
    "final_report": ("diagnostic",),
}
"""From each mode the modes that may follow, the usual one first."""

SUBMODES: dict[str, tuple[str, ...]] = {
    "main": ("locate", "explain", "howto", "replan"),
    "locate": ("main", "explain", "howto", "locate", "replan"),
    "explain": ("main", "locate", "howto", "explain", "replan"),
    "howto": ("main", "locate", "explain", "howto", "replan"),
    "replan": ("main", "locate", "explain", "howto"),
}
"""Inside `diagnostic`: from each submode the submodes that may follow."""

DEEPEST = 5
"""Side questions that can be open in one another; the oldest is dropped then."""
MAX_TOPIC_CHARS = 120


class Topic(msgspec.Struct, frozen=True, omit_defaults=True):
    """A side question, and where to return."""

    topic: str
    submode: str
    return_step: str | None = None


class TopicPushed(Event, frozen=True):
    did = "routed"

    topic: Topic

    def tell(self) -> Telling:
        back = self.topic.return_step or said("desk.the_case")
        return said("desk.aside", mode=self.topic.submode, topic=self.topic.topic, step=back)


class TopicPopped(Event, frozen=True):
    did = "resolved"

    topic: Topic
    reason: Telling = ""

    def tell(self) -> Telling:
        return said("desk.aside_over", mode=self.topic.submode, topic=self.topic.topic, reason=self.reason)


class ModeChanged(Event, frozen=True):
    did = "routed"
    told = "desk.mode"

    mode: str
    reason: Telling = ""


class SubmodeChanged(Event, frozen=True):
    submode: str
    reason: Telling = ""


class Topics(msgspec.Struct, frozen=True, omit_defaults=True):
    mode: str = "diagnostic"
    submode: str = "main"
    stack: tuple[Topic, ...] = ()
    intent: Intent | None = None
    """Of the newest message."""


class TopicsFaculty(Faculty):
    name = "topics"
    words = tuple(f"holdfast.faculties.desk/{subject}" for subject in ("intents", "evidence", "labor"))
    slice = Topics
    events = (IntentRead, TopicPushed, TopicPopped, ModeChanged, SubmodeChanged, Cleared)

    def tables(self) -> Iterable[Table]:
        return map(_typed, super().tables())

    def hear(self, draft: Draft) -> Iterator[Event]:
        if "diagnosis" in draft.state.session.slices:
            return
        yield from read_intent(draft, intents.Situation())
        yield from push_topic(draft, None)

    def say(self, draft: Draft) -> Iterator[Event]:
        """After the reply the topic is done with, and a replan notice has been given."""
        topics: Topics = draft.state.topics
        if topics.stack:
            yield TopicPopped(
                topic=topics.stack[-1], reason=said("desk.why_answered"), because=draft.cause("topic.reply")
            )
        elif topics.submode == "replan":
            yield SubmodeChanged(submode="main", reason=said("desk.why_noticed"))

    def fold(self, slice: Topics, event: Event, moment: Moment) -> Topics:
        change = msgspec.structs.replace
        match event:
            case IntentRead(intent=intent):
                return change(slice, intent=intent)
            case TopicPushed(topic=topic):
                return change(slice, stack=(*slice.stack, topic)[-DEEPEST:], submode=topic.submode)
            case TopicPopped():
                stack = slice.stack[:-1]
                return change(slice, stack=stack, submode=stack[-1].submode if stack else "main")
            case ModeChanged(mode=mode):
                # one object for each mode: a default is left out of the record only where it is the very same
                return change(slice, mode=intern(mode), submode="main", stack=())
            case SubmodeChanged(submode=submode):
                return change(slice, submode=intern(submode), stack=() if submode == "replan" else slice.stack)
            case Cleared(what="everything"):
                return Topics()
        return slice


_APOSTROPHE = re.compile(r"(?<=n)'(?=t\b)|(?<=[a-z])'(?=s\b)|(?<=\bi)'(?=m\b)")


def _typed(table: Table) -> Table:
    """A table whose words are also known as they are typed in a hurry: "isnt", "thats", "im"."""
    patterns = tuple(p._replace(source=_APOSTROPHE.sub("'?", p.source)) for p in table.patterns)
    return table._replace(patterns=patterns)


def read_intent(draft: Draft, now: intents.Situation, reading: Reading | None = None) -> Iterator[Event]:
    message = draft.message
    photo = isinstance(message, MessageHeard) and bool(message.attached.get("photo"))
    reading = reading or draft.reading
    if not now.answers.heard:
        now = now._replace(answers=answers(reading, Asked("any")))
    found = intents.read(reading, now._replace(photo=photo))
    yield IntentRead(intent=found.intent, means=found.means, because=draft.cause(found.rule, found.span))


def submode_for(intent: Intent) -> str | None:
    """The side path that an intent opens, if it opens one."""
    if intent.type == "STEP_HELP":
        return intents.SUBMODE_OF_HELP.get(str(intent.value), "explain")
    return intents.SUBMODE.get(intent.type)


def push_topic(draft: Draft, step: str | None) -> Iterator[Event]:
    """A question about a part or a check opens a topic; the step stays where it is."""
    intent: Intent | None = draft.state.topics.intent
    submode = submode_for(intent) if intent is not None else None
    if submode is not None and intent is not None:
        topic = Topic((intent.query or "")[:MAX_TOPIC_CHARS], submode, step)
        yield TopicPushed(topic=topic, because=draft.cause(f"topic.{submode}"))
