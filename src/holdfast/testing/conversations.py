"""Conversations as files that a person can read and write, and the one runner for them.

    # The place is kept
    pack: general

    person: I want a cheesesteak
    agent venues: Where?
    person: philly
      context: Location: philly
      route: venues
      not context: Paris

A line that starts at the margin is a step: `person:`, `agent:` or `agent NAME:`, `answer:` (let the pack's own agent
answer; what it says must hold these words), `check:` (the guard alone), `clear:` (a name, or `everything`), `session:`
(go on in another session of the same user and project), `later:` (`2 days`).
Before the first step stand `pack:` (a name, or a .py file beside this one), `user:` and `project:`. Indented under a
step stand what is expected of it (the words of `expectations.py`, each with an optional `not`), `with NAME: value` for
what is attached to the message, and `| ` for further lines of a text. `#` begins a comment; the first one of a
conversation is its title. `---` begins the next conversation of the same file.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from holdfast import agents
from holdfast import pack as packs
from holdfast.errors import HoldfastError, InvalidInput, Refused
from holdfast.events import Cleared, MessageHeard, MessageSaid
from holdfast.pack import Pack
from holdfast.receipt import Receipt
from holdfast.session import Holdfast, Session
from holdfast.state import Entry
from holdfast.stores.protocol import SessionInfo
from holdfast.testing.expectations import Happened, NotHere, checks
from holdfast.turn import Reply, Turn

SUFFIX = ".talk"
NOON = 1_750_000_000.0
"""When every conversation file begins: no result may hang on the day it is run."""

_KEYED = re.compile(r"(?P<key>[^\W\d][\w .-]*?)\s*:(?P<value>.*)$")
_SPELL = re.compile(r"(?P<count>\d+) (?P<unit>second|minute|hour|day|week)s?")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_HEADS = ("pack", "user", "project")
_STEPS = ("person", "agent", "answer", "check", "clear", "session", "later")


class Expectation(NamedTuple):
    """One indented line: what must, or must not, come of the step above it."""

    line: int
    word: str
    value: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{'not ' if self.negated else ''}{self.word}: {self.value}".rstrip()


TAKEN = "a step that can be taken"


class Step(NamedTuple):
    """One line at the margin, with all that is indented under it."""

    line: int
    kind: str
    text: str
    agent: str | None = None
    attached: dict[str, Any] = {}
    expected: tuple[Expectation, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}{f' {self.agent}' if self.agent else ''}: {self.text}".rstrip()


class Conversation(NamedTuple):
    file: str
    line: int
    title: str
    heads: dict[str, str]
    steps: tuple[Step, ...]

    @property
    def expectations(self) -> int:
        return sum(len(step.expected) for step in self.steps)

    def held(self, failures: Iterable[Failure]) -> int:
        """How many expectations held. Those under a step that could not be taken did not."""
        failed = list(failures)
        untaken = {failure.step.line for failure in failed if failure.expected == TAKEN}
        stood = sum(len(step.expected) for step in self.steps if step.line not in untaken)
        return stood - sum(failure.expected != TAKEN for failure in failed)


class Failure(NamedTuple):
    """An expectation that did not hold, or a step that could not be taken."""

    place: str
    title: str
    step: Step
    expected: str
    seen: str

    def __str__(self) -> str:
        return f"{self.place}: {self.title}\n  {self.step}\n  expected  {self.expected}\n  seen      {self.seen}"


def collect(paths: Iterable[str | Path]) -> list[Path]:
    """The conversation files among some files and folders, in order."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += sorted(path.rglob(f"*{SUFFIX}"))
        elif path.is_file():
            found.append(path)
        else:
            raise InvalidInput(f"there is no file or folder {path}; name {SUFFIX} files, or folders that hold some")
    return list(dict.fromkeys(found))


def read(path: str | Path) -> list[Conversation]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise InvalidInput(f"{path} is not UTF-8 text (byte {wrong.start}); save it as UTF-8") from None
    return parse(text, str(path))


def parse(text: str, file: str = "<text>") -> list[Conversation]:
    """The conversations in a text; an error names file and line."""
    found = [_conversation(lines, file) for lines in _parts(text.split("\n"))]
    found = [conversation for conversation in found if conversation.steps]
    if not found:
        raise InvalidInput(f"{file}:1: no conversation in this file; begin a line with “person: …”")
    return found


def run(conversation: Conversation, pack: str | Pack | None = None) -> list[Failure]:
    """Play a conversation in a store of its own, and give everything that did not hold. `pack` overrides the file's."""
    return _Player(conversation, pack or _pack(conversation)).play()


def find_pack(name: str, folder: Path | None = None) -> Pack:
    """A pack by name, or by the path of the Python file that defines it (`mine.py`, or `mine.py:NAME`)."""
    path, _, attribute = name.partition(".py:")
    if not attribute and not name.endswith(".py"):
        return packs.load(name)
    path = f"{path}.py" if attribute else name
    return packs.from_file((folder or Path()) / path, attribute or "PACK")


def write(info: SessionInfo, turns: Iterable[tuple[Entry, Receipt]], pack: Pack) -> str:
    """A recorded conversation as a conversation file that expects what was decided then: a test to start from."""
    lines = [f"# {info.name}", f"pack: {info.pack}"]
    lines += [f"{head}: {name}" for head, name in (("user", info.user), ("project", info.project)) if name]
    lines.append("")
    words = checks(pack)
    for entry, receipt in turns:
        lines += _written(entry, receipt, words)
    return "\n".join(lines) + "\n"


# Reading a file ------------------------------------------------------------------------------------------------------


def _parts(lines: list[str]) -> Iterator[list[tuple[int, str]]]:
    part: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.rstrip() == "---":
            yield part
            part = []
        else:
            part.append((number, line.rstrip("\r")))
    yield part


def _conversation(lines: list[tuple[int, str]], file: str) -> Conversation:
    heads: dict[str, str] = {}
    steps: list[Step] = []
    titles: list[str] = []
    for number, line in lines:
        bare = line.strip()
        if line.startswith("#") or not bare:
            titles.append(bare.lstrip("# "))
        elif not line[0].isspace():
            _margin(_Line(file, number, bare), heads, steps)
        elif steps:
            steps[-1] = _indented(_Line(file, number, line.lstrip() if bare.startswith("|") else bare), steps[-1])
        elif not bare.startswith("#"):
            raise InvalidInput(f"{file}:{number}: an indented line needs a step above it, such as “person: …”")
    first = steps[0].line if steps else 1
    title = next(filter(None, titles), f"{Path(file).stem}, line {first}")
    return Conversation(file, first, title, heads, tuple(steps))


class _Line(NamedTuple):
    file: str
    number: int
    text: str

    def keyed(self) -> tuple[str, str]:
        found = _KEYED.match(self.text)
        if found is None:
            raise self.wrong("is neither “word: text” nor a comment; a further line of a text begins with “| ”")
        return " ".join(found["key"].split()), found["value"].strip()

    def wrong(self, what: str) -> InvalidInput:
        shown = self.text if len(self.text) <= 60 else self.text[:59] + "…"
        return InvalidInput(f"{self.file}:{self.number}: “{shown}” {what}")


def _margin(line: _Line, heads: dict[str, str], steps: list[Step]) -> None:
    """A line that starts at the margin: a head of the conversation, or its next step."""
    key, value = line.keyed()
    kind, _, name = key.partition(" ")
    if kind in _HEADS and not name:
        if steps:
            raise line.wrong("stands too late; heads stand before the first step")
        heads[kind] = value
    elif kind in _STEPS and (not name or kind == "agent"):
        steps.append(_step(line, kind, value, name or None, steps))
    else:
        raise line.wrong(f"begins with an unknown word; known: {', '.join((*_HEADS, *_STEPS))}, agent NAME")


def _step(line: _Line, kind: str, value: str, name: str | None, before: list[Step]) -> Step:
    if kind == "later":
        _seconds(line, value)
    if kind != "answer":
        return Step(line.number, kind, value, name)
    if not any(step.kind == "person" for step in before):
        raise line.wrong("has nothing to answer; a “person:” stands before it")
    return Step(line.number, kind, value, name, expected=(Expectation(line.number, "says", value),))


def _indented(line: _Line, step: Step) -> Step:
    """A line under a step: more text, something attached, or an expectation."""
    if line.text.startswith("#"):
        return step
    if line.text.startswith("|"):
        return _continued(step, line.text[1:].removeprefix(" "))
    key, value = line.keyed()
    if key.startswith("with "):
        if step.kind not in ("person", "agent"):
            raise line.wrong("attaches something to what is no message")
        return step._replace(attached={**step.attached, key.removeprefix("with "): _value(value)})
    word = key.removeprefix("not ")
    expectation = Expectation(line.number, word, value, negated=word != key)
    return step._replace(expected=(*step.expected, expectation))


def _continued(step: Step, more: str) -> Step:
    """One more line for the text that stands last: the newest expectation's, or the message's."""
    if step.expected:
        last = step.expected[-1]
        value = f"{last.value}\n{more}" if last.value else more
        return step._replace(expected=(*step.expected[:-1], last._replace(value=value)))
    return step._replace(text=f"{step.text}\n{more}" if step.text else more)


def _value(text: str) -> Any:
    """What is attached: JSON where it reads as such, else the text itself."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _seconds(line: _Line, text: str) -> int:
    found = _SPELL.fullmatch(text)
    if found is None:
        raise line.wrong("needs a number and a unit: seconds, minutes, hours, days or weeks")
    return int(found["count"]) * _SECONDS[found["unit"]]


# Playing a conversation ----------------------------------------------------------------------------------------------


def _pack(conversation: Conversation) -> Pack:
    return find_pack(conversation.heads.get("pack", "general"), Path(conversation.file).parent)


class _Player:
    """One conversation on its way: the clock, the session it is in, and what failed so far."""

    def __init__(self, conversation: Conversation, pack: str | Pack) -> None:
        self.conversation = conversation
        self.now = NOON
        self.hf = Holdfast(pack=pack, clock=lambda: self.now)
        self.checks = checks(self.hf.pack)
        for expected in (expected for step in conversation.steps for expected in step.expected):
            if expected.word not in self.checks:
                line = _Line(conversation.file, expected.line, str(expected))
                raise line.wrong(f"expects an unknown thing; known: {', '.join(self.checks)}")
        self.chat = self._session("talk")
        self.heard: Turn | None = None

    def play(self) -> list[Failure]:
        with self.hf:
            return [failure for step in self.conversation.steps for failure in self._step(step)]

    def _session(self, name: str) -> Session:
        heads = self.conversation.heads
        return self.hf.session(name, user=heads.get("user"), project=heads.get("project"))

    def _step(self, step: Step) -> Iterator[Failure]:
        self.now += 1
        try:
            result = self._take(step)
        except HoldfastError as wrong:
            yield self._failure(step, step.line, TAKEN, str(wrong))
            return
        for expectation in step.expected:
            yield from self._compare(step, expectation, Happened(result, self.chat))

    def _take(self, step: Step) -> Any:
        match step.kind:
            case "person":
                self.heard = self.chat.hear(step.text, **step.attached)
                return self.heard
            case "answer":
                return self._answer()
            case "agent":
                return self.chat.say(step.text, agent=step.agent, **step.attached)
            case "check":
                return self.chat.check(step.text)
            case "clear":
                return self.chat.clear(None if step.text in ("", "everything") else step.text)
            case "session":
                self.chat = self._session(step.text)
            case "later":
                self.now += _seconds(_Line(self.conversation.file, step.line, str(step)), step.text)
        return None

    def _answer(self) -> list[Reply]:
        agent = self.hf.pack.agent
        if agent is None or self.heard is None:
            raise Refused(f"the pack {self.hf.pack.name} has no agent of its own that could answer")
        return list(agents.run(agent, self.heard, self.chat))

    def _compare(self, step: Step, expected: Expectation, happened: Happened) -> Iterator[Failure]:
        try:
            seen = self.checks[expected.word](happened, expected.value)
        except NotHere as wrong:
            raise InvalidInput(f"{self.conversation.file}:{expected.line}: “{expected.word}” {wrong}") from None
        if seen.there is expected.negated:
            yield self._failure(step, expected.line, str(expected), seen.what)

    def _failure(self, step: Step, line: int, expected: str, seen: str) -> Failure:
        return Failure(f"{self.conversation.file}:{line}", self.conversation.title, step, expected, seen)


# Writing a file ------------------------------------------------------------------------------------------------------


def _written(entry: Entry, receipt: Receipt, words: Container[str]) -> Iterator[str]:
    message = entry.events[0] if entry.events else None
    if not isinstance(message, (MessageHeard, MessageSaid)):
        yield from (f"clear: {event.what}" for event in entry.events if isinstance(event, Cleared))
        return
    if isinstance(message, MessageHeard):
        yield from _message("person", message)
        yield f"  context is: {''.join(line.what for line in receipt.did('injected'))}".rstrip()
    else:
        yield from _message(f"agent {message.agent or ''}".rstrip(), message)
    for line in receipt.lines:
        if line.did in words and line.did != "injected" and "\n" not in line.what:
            yield f"  {line.did}: {_DATED.split(line.what)[0]}"


_DATED = re.compile(r" \(\d{4}-\d\d-\d\d\)")
"""A line that names a day holds on that day only: what stands before it is expected."""


def _message(name: str, message: MessageHeard | MessageSaid) -> Iterator[str]:
    first, *more = message.text.replace("\r", "").split("\n")
    plain = first == first.strip()
    yield f"{name}: {first}".rstrip() if plain else f"{name}:"
    yield from (f"  | {line}" for line in (more if plain else [first, *more]))
    yield from (f"  with {key}: {msgspec.json.encode(value).decode()}" for key, value in message.attached.items())
