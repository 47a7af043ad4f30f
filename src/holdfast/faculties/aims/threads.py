"""Threads of talk: whether a message goes on with what is talked about, turns to something new, or comes back.

What can be asked for lies in fields (lodging, flights, weather …), what people tell of themselves in matters (pets,
work, food …); the words of both are tables. A thread is opened by asking for something of a field, and left by asking
for something of another. Where nothing was asked for, people chat: then a question, or an unasked remark, about a
matter that the last messages did not touch turns the talk.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain
from math import log
from typing import NamedTuple

import msgspec

from holdfast.events import Cleared, Event, MessageHeard, MessageSaid, TopicTurned
from holdfast.faculties.aims.aim import aim
from holdfast.faculties.aims.naming import content, stems_of
from holdfast.faculties.questions.pending import just_asked
from holdfast.faculty import Draft, Faculty
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Cue, Reading, Span, begins_in, within
from holdfast.reading.standing import sentences
from holdfast.state import Moment

WINDOW = 2
"""Messages whose matters count as just talked about."""
EARLIER = 8
"""Fields of earlier threads that are remembered."""
SENTENCES = 40
"""Sentences of a message that are looked at."""
_WORDS_COUNT, _FAINT = 1.5, 0.001
"""How much the words count beside the encoder, in logarithmic odds; and the least chance that it gives."""
LEAVES = 36
"""How far something new or aside must lead before it is another topic."""
RECENT = 4
"""Messages whose words a follow-up may share."""
_TAKES_UP = frozenset({"yes", "reaction", "quality", "thanks"})
"""What words are that open a message which takes up what was said."""
_ELSEWHERE = frozenset({"new", "side", "fresh"})


class Threads(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is talked about, and what was."""

    thread: tuple[str, ...] = ()
    """Fields of the thread at hand; none while people chat."""
    earlier: tuple[str, ...] = ()
    """Fields of the threads before it, newest last."""
    recent: tuple[tuple[str, ...], ...] = ()
    """Matters of the last messages, newest last."""
    asked: bool = False
    """Whether the newest message asks something that is still to be answered."""
    requested: bool = False
    """Whether the newest message asks for something."""


class ThreadOpened(Event, frozen=True):
    """The first thread of a conversation has its fields."""

    fields: tuple[str, ...]


class TalkTouched(Event, frozen=True):
    """What the newest message touched and did, where that matters for the next."""

    matters: tuple[str, ...] = ()
    asked: bool = False
    requested: bool = False


class Turned(NamedTuple):
    """A message that leaves the thread: for what, and the words that say so."""

    fields: tuple[str, ...]
    cue: Cue | None = None
    rule: str = "encoder.topic"
    """What says so of the message as a whole, where no words do."""


class ThreadsFaculty(Faculty):
    name = "threads"
    words = ("holdfast.faculties.aims/threads",)
    slice = Threads
    events = (MessageHeard, MessageSaid, ThreadOpened, TalkTouched, TopicTurned, Cleared)

    def hear(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        was: Threads = draft.before.threads
        opened: tuple[str, ...] = ()
        if reading.has("thread_back"):  # "back to the trip": whatever it names was talked about already
            opened = _names(reading.all("field"))
        elif (turned := _turn(draft, was)) is not None:
            yield TopicTurned(
                relation="new" if set(was.earlier).isdisjoint(turned.fields) else "resume",
                topic=turned.fields,
                before=was.thread,
                because=draft.cause(turned.cue.id, turned.cue.span) if turned.cue else draft.cause(turned.rule),
            )
        elif not was.thread or not draft.before.conversation.messages:
            opened = _opened(reading)
        if opened:
            yield ThreadOpened(fields=opened)
        yield from _touched(reading, requested=reading.has("thread_request"))

    def say(self, draft: Draft) -> Iterator[Event]:
        reading = draft.reading
        was: Threads = draft.before.threads
        if not was.thread and was.requested and reading.has("field"):
            yield ThreadOpened(fields=_names(reading.all("field")))
        asked = "?" in reading.text
        if asked or reading.has("matter"):
            yield from _touched(reading, asked=asked)

    def fold(self, slice: Threads, event: Event, moment: Moment) -> Threads:
        change = msgspec.structs.replace
        match event:
            case MessageHeard() | MessageSaid():
                return change(slice, recent=(*slice.recent, ())[-WINDOW:], asked=False, requested=False)
            case TalkTouched(matters=matters, asked=asked, requested=requested):
                return change(slice, recent=(*slice.recent[:-1], matters), asked=asked, requested=requested)
            case ThreadOpened(fields=fields):
                return change(slice, thread=fields)
            case TopicTurned(topic=topic):
                earlier = tuple(dict.fromkeys((*slice.earlier, *slice.thread)))[-EARLIER:]
                fields = tuple(name for name in topic if not name.startswith("~"))
                return change(slice, thread=fields, earlier=earlier)
            case Cleared(what="everything"):
                return Threads()
        return slice


def _turn(draft: Draft, was: Threads) -> Turned | None:
    """What a message leaves the thread for, by its words and, where it may be asked, by the encoder."""
    reading, before = draft.reading, draft.before.conversation
    if not before.messages:
        return None
    turned = _turned(reading, was, before.turns) or _chatted(reading, was) or _left(draft)
    # what asks for something that no table knows while a thread is open is worth asking the encoder
    may_turn = bool(was.thread) and reading.has("thread_request") and not reading.has("field", "matter")
    told = draft.reread if turned is not None or may_turn else draft.reread_already
    return _weighed(reading, turned, told.new_topic) if told is not None else turned


def _weighed(reading: Reading, turned: Turned | None, chance: float) -> Turned | None:
    """What the words say, together with what the encoder makes of the message in its context."""
    odds = log(max(chance, _FAINT) / max(1 - chance, _FAINT))
    if odds + (_WORDS_COUNT if turned else -_WORDS_COUNT) <= 0:
        return None
    if turned is not None:
        return turned
    fields = _names(reading.all("field")) or tuple(f"~{name}" for name in _names(reading.all("matter")))
    return Turned(fields)


def _turned(reading: Reading, was: Threads, turns: int) -> Turned | None:
    """The field that a message turns to, sentence by sentence: what is asked for counts, not what stands beside it
    ("a cab to the restaurant" asks for a cab)."""
    for span in reading.find(sentences)[:SENTENCES] if reading.has("field") else ():
        cues, request = within(reading.all("field"), span), bool(within(reading.all("thread_request"), span))
        if was.thread:
            turned = _left_for(reading, span, was, cues) if cues else None
        else:
            turned = _first_field(reading, cues) if cues and request and turns > 1 else None
        if turned is not None:
            return turned
    return None


def _main(reading: Reading, cues: list[Cue]) -> list[Cue]:
    """The words that say what is asked for, not only where or for what."""
    return [cue for cue in cues if not _beside(reading, cue)]


def _first_field(reading: Reading, cues: list[Cue]) -> Turned:
    chosen = _main(reading, cues) or cues
    return Turned(_names(chosen), chosen[0])


def _left_for(reading: Reading, span: Span, was: Threads, cues: list[Cue]) -> Turned | None:
    """What one sentence leaves the thread for."""
    thread, main = set(was.thread), _main(reading, cues)
    chosen = main or cues
    if thread.intersection(_names(main)) or thread.issuperset(_names(chosen)):
        return None
    asks = reading.text[span[1] - 1] == "?" or within(reading.all("thread_request"), span)
    if not asks and (not main or was.asked):
        return None
    return Turned(_names(chosen), next(cue for cue in chosen if cue.means not in thread))


def _chatted(reading: Reading, was: Threads) -> Turned | None:
    """Where people chat: a question about a matter that was not just talked about, or a remark nobody asked for."""
    if was.thread or not reading.has("matter") or _opened(reading):
        return None
    said = reading.find(sentences)[:SENTENCES]
    asking = [span for span in said if reading.text[span[1] - 1] == "?"]
    new = [cue for cue in reading.all("matter") if begins_in(cue.start, asking or said)]
    names = _names(new) if asking or not was.asked else ()
    if not names or not set(names).isdisjoint(chain(*was.recent)):
        return None
    return Turned(tuple(f"~{name}" for name in names), new[0])


def _left(draft: Draft) -> Turned | None:
    """A message that by all it says is about something else: it asks for something new or aside, points at nothing,
    neither takes up what was said ("great, book a table") nor replies to a question, and shares no word with it."""
    reading, first = draft.reading, draft.reading.find(tokens_of)[:1]
    takes_up = bool(first) and not _TAKES_UP.isdisjoint(first[0].kinds)
    goes_on = any((takes_up, just_asked(draft.before), reading.has("reference")))
    if goes_on and not draft.doubting:  # where the encoder may be asked, others look at what it said of the aim
        return None
    about = aim(draft)
    if goes_on or about.prefers(_ELSEWHERE, about.scores.keys() - _ELSEWHERE) < LEAVES:
        return None
    said = [message.text for message in draft.before.conversation.recent[-RECENT:]]
    if not content(reading) or not content(reading).isdisjoint(stems_of(draft, " ".join(said))):
        return None
    return Turned(_names(reading.all("field")), rule=f"aim.{about.what}")


def _opened(reading: Reading) -> tuple[str, ...]:
    """The fields of the first thing that a message asks for."""
    for span in reading.find(sentences)[:SENTENCES] if reading.has("field") and reading.has("thread_request") else ():
        cues = within(reading.all("field"), span)
        if cues and within(reading.all("thread_request"), span):
            return _first_field(reading, cues).fields
    return ()


def _touched(reading: Reading, asked: bool = False, requested: bool = False) -> Iterator[Event]:
    matters = _names(reading.all("matter"))
    if matters or asked or requested:
        yield TalkTouched(matters=matters, asked=asked, requested=requested)


def _beside(reading: Reading, cue: Cue) -> bool:
    """Whether a word only says where or for what: a preposition stands before it, perhaps with a small word and one
    more in between."""
    text, tokens = reading.folded, reading.tokens
    place = bisect_left(tokens, (cue.start, 0))
    words = [text[start:end] for start, end in tokens[max(0, place - 3) : place]][::-1]
    prepositions, between = reading.phrases("thread", "beside"), reading.phrases("thread", "between")
    if any(word in prepositions for word in words[:2]):
        return True
    return len(words) > 2 and words[2] in prepositions and words[1] in between


def _names(cues: Iterable[Cue]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cue.means for cue in cues))[:6]
