"""The companion: the agent of the `general` pack when nobody brings a model. It knows nothing of the world and says so;
it answers from what is remembered, asks when something is missing, and otherwise stays out of the way.

It sees what any agent sees: the Turn and the Session. What it understands and says is in `words/companion.*.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from holdfast import telling
from holdfast.agents import Said
from holdfast.reading.places import places
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.tables import shipped
from holdfast.receipt import Line
from holdfast.session import Session
from holdfast.turn import Turn

LONGEST = 120
"""Characters of somebody's words that are quoted back."""
KEPT = {"learned": "noted", "superseded": "changed", "retracted": "dropped"}


def companion(turn: Turn, chat: Session) -> Iterator[Said]:
    """One reply: the open question first, then what was asked, then what was learned, then what is missing."""
    reading = _reader().read(turn.text)
    words = Words(turn.language or reading.language or next((cue.language for cue in reading.cues), "en"))
    if turn.question is not None:
        yield Said(turn.question)
        return
    for part in (_courtesy, _recalled, _learned, _missing):
        if said := part(turn, chat, reading, words):
            yield Said(said)
            return
    yield Said(words("cannot_know" if _asks(reading) else "heard"))


class Words:
    """What the companion says, in one language."""

    def __init__(self, language: str) -> None:
        self._says = _reader().data("says", language)
        self._names = _reader().data("names", language)
        self._receipts = telling.words(language)

    def __call__(self, key: str, **given: str) -> str:
        return str(self._says[key]).format(**given)

    def name(self, slot: str) -> str:
        return str(self._names.get(slot, self._receipts.name(slot).lower()))

    def told(self, line: Line) -> str:
        """A line of a receipt in the middle of a sentence: the name of what was learned does not begin one."""
        name, mark, value = self._receipts.what(line).partition(": ")
        if not mark or name not in self._receipts.names.values():
            return name + mark + value
        own = {self._receipts.name(slot): str(said) for slot, said in self._names.items()}
        return value if name.casefold() == value.casefold() else f"{own.get(name, name.lower())}: {value}"


@cache
def _reader() -> Reader:
    return Reader(shipped("holdfast.agents", "companion", ("en", "ru", "es")))


def _courtesy(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """Greetings and thanks, when there is nothing else in the message."""
    if reading.has("who"):
        return words("who")
    if len(reading.tokens) > 4 or reading.has("recall", "topic", "wish") or turn.receipt.did("learned"):
        return ""
    if reading.has("bye"):
        return words("bye")
    if reading.has("thanks"):
        return words("thanks")
    if not reading.has("greeting"):
        return ""
    known = known_things(turn)
    return words("greet_named", name=known["name"]) if "name" in known else words("greet")


def _recalled(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What the person asks for: from what is known by name, else from what was once said."""
    known = known_things(turn)
    asked = [cue.id.rpartition(".")[2] for cue in reading.all("recall")]
    if "all" in asked:
        told = ", ".join(f"{words.name(name)}: {value}" for name, value in known.items())
        return words("all", what=told) if told else words("nothing")
    own = [_meant(reading.words(cue.groups["value"]), known, words) for cue in reading.all("own")]
    answers = " ".join(_known(name, known, words) for name in dict.fromkeys(asked or own))
    if asked or any(name in known for name in own):
        return answers
    topics = [reading.words(cue.groups["value"]) for cue in reading.all("topic") if "value" in cue.groups]
    if topics:
        found = _found(topics[-1], turn, chat)
        return words("said", text=found) if found else words("never")
    found = _found(turn.text, turn, chat) if _asks(reading) else ""
    return words("said", text=found) if found else answers


def _known(name: str, known: dict[str, str], words: Words) -> str:
    if name in known:
        return words("known", name=words.name(name), value=known[name])
    return words("unknown", name=words.name(name))


def _meant(asked: str, known: dict[str, str], words: Words) -> str:
    """Which of the things we keep is meant by "my role" or "my editor"."""
    asked = asked.strip().casefold()
    return next((name for name in known if asked in (words.name(name).casefold(), _last(name))), asked)


def _last(name: str) -> str:
    return name.rpartition("/")[2].replace("_", " ").casefold()


def _learned(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What this message taught, and what the talk goes back to when it answered a question."""
    told = []
    for verb, key in KEPT.items():
        lines = [words.told(line) for line in turn.receipt.did(verb)]
        if lines:
            told.append(words(key, what="; ".join(dict.fromkeys(lines))))
    asked = _wished(turn) if turn.receipt.did("bound") else ""
    if told and asked:
        told += [words("back", text=asked), words("cannot")]
    return " ".join(told)


def _missing(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """A wish needs a place; with the place known, it needs more than we have."""
    if not reading.has("wish"):
        return ""
    placed = chat.pack.reader.read(turn.text).find(places)  # "coffee in Moscow" says where
    if _keeps(turn, "location") and "location" not in known_things(turn) and not placed:
        return words("where")
    return words("cannot")


def known_things(turn: Turn) -> dict[str, str]:
    """What is known of the person, by name: the session's slots, then what is remembered more widely."""
    known: dict[str, list[str]] = {}
    for stream in (turn.state.session, turn.state.project, turn.state.user):
        slices: Mapping[str, Any] = stream.slices if stream is not None else {}
        for name, held in slices["slots"].values.items() if "slots" in slices else ():
            known.setdefault(name, [str(held.value)])
        for item in slices["memory"].items.values() if "memory" in slices else ():
            if item.positive and item.value not in known.get(item.slot, ()):
                known.setdefault(item.slot, []).append(item.value)
    return {name: ", ".join(values) for name, values in known.items()}


def _keeps(turn: Turn, slot: str) -> bool:
    """Whether this pack could keep such a thing at all: nobody should be asked in vain."""
    return "slots" in turn.state.session.slices


def _wished(turn: Turn) -> str:
    """The wish that led to the question which this message answers."""
    recent = turn.state.conversation.recent
    earlier = [message.text for message in recent if message.role == "user" and message.version < turn.version]
    wishes = [text for text in earlier[-2:] if _reader().read(text).has("wish")]
    return _quoted(wishes[-1]) if wishes else ""


def _found(query: str, turn: Turn, chat: Session) -> str:
    """The person's earlier message that holds most of the words of a question, if it holds at least half of them."""
    asked = _content(_reader().read(query))
    best, most = "", 0
    for hit in chat.search(" ".join(sorted(asked)), k=10) if asked else []:
        reading = _reader().read(hit.text)
        shared = len(asked & _content(reading))
        if hit.role == "person" and hit.version < turn.version and shared > most and not _asks(reading):
            best, most = hit.text, shared
    return _quoted(best) if most * 2 >= len(asked) else ""


def _content(reading: Reading) -> set[str]:
    skip = reading.phrases("search", "skip")
    return {word for span in reading.tokens if (word := reading.folded[slice(*span)]) not in skip and len(word) > 2}


def _asks(reading: Reading) -> bool:
    return reading.text.rstrip().endswith("?")


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
