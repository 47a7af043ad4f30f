"""The Model Context Protocol: Holdfast as tools that the model of any host can call.

    holdfast mcp --store sqlite:///chat.db --user dana

A host calls a tool when its model wants to, so only what it brings is heard; the instructions ask it to bring every
message and every reply. Where messages pass through code of your own, the library, an adapter or the proxy miss none.
Erasing for good is not among the tools: that is for the person, not for a model. Needs the extra `holdfast[mcp]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import holdfast
from holdfast.errors import HoldfastError, UnknownItem
from holdfast.extras import needs
from holdfast.faculties.facts.relations import Memo
from holdfast.owned import OwnedMemory
from holdfast.session import Holdfast, Past, Session
from holdfast.turn import Done

with needs("mcp", "The server for MCP hosts"):
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

INSTRUCTIONS = (
    "Holdfast keeps the thread of this conversation. Call `hear` with every message of the person, word for word, "
    "before you answer, and go by the context that it gives: never ask again for what it holds. Call `say` with your "
    "reply; where it is not allowed, say what stands in `instead`, or something else. Use one session name for one "
    "conversation. `recall` finds what was said or learned earlier, also in other conversations of the same person."
)

Given = ParamSpec("Given")
Told = TypeVar("Told")


@dataclass(frozen=True)
class Heard:
    """What came of a person's message."""

    context: str
    refers_to: list[str]
    question: str | None
    agent: str
    continues: bool
    receipt: list[str]


@dataclass(frozen=True)
class Said:
    """What came of a reply."""

    allowed: bool
    problems: list[str]
    instead: str | None
    receipt: list[str]


@dataclass(frozen=True)
class Remembered:
    """One thing that is remembered."""

    id: str
    kind: str
    about: str
    value: str


@dataclass(frozen=True)
class Changed:
    """One thing that changed in the memory: ADD, UPDATE, DELETE, CONFLICT, or NONE where it was known."""

    event: str
    item: Remembered


@dataclass(frozen=True)
class Message:
    """A message of an earlier turn."""

    session: str
    version: int
    role: str
    text: str


@dataclass(frozen=True)
class Recalled:
    """What was found."""

    memory: list[Remembered]
    messages: list[Message]


def server(hf: Holdfast, user: str | None = None, project: str | None = None) -> MCPServer[Any]:
    """The tools over a Holdfast. All conversations of this server belong to the same user and project, where given."""
    made: MCPServer[Any] = MCPServer(
        "holdfast",
        instructions=f"{INSTRUCTIONS}\n\n{hf.pack.instructions}".strip(),
        version=holdfast.__version__,
        log_level="WARNING",
    )
    tools = Tools(hf, user, project)
    named: list[Callable[..., Any]] = [tools.hear, tools.say, tools.recall, tools.clear, tools.why]
    if _has_memory(hf) and (user or project):
        named += MemoryTools(hf.memory(user, project)).all()
    elif _has_memory(hf):
        named += [tools.remember, tools.correct]
    for tool in named:
        made.add_tool(_explained(tool))
    return made


class Tools:
    """What a model can ask of Holdfast. The words of each are what it reads before it chooses."""

    def __init__(self, hf: Holdfast, user: str | None, project: str | None) -> None:
        self._hf, self._user, self._project = hf, user, project

    def _chat(self, session: str) -> Session:
        return self._hf.session(session, self._user, self._project)

    def hear(self, text: str, session: str = "default") -> Heard:
        """Take in a message of the person, word for word, and learn what it refers to and what is already known."""
        turn = self._chat(session).hear(text)
        return Heard(
            context=turn.context,
            refers_to=[entity.name for reference in turn.references for entity in reference.entities],
            question=turn.question,
            agent=turn.route.agent,
            continues=turn.route.follow_up,
            receipt=_lines(turn),
        )

    def say(self, text: str, session: str = "default") -> Said:
        """Take in the reply to the person, and learn whether it may go out: it may ask for what is known, or repeat
        itself."""
        said = self._chat(session).say(text)
        problems = [violation.reason for violation in said.violations]
        return Said(allowed=said.allowed, problems=problems, instead=said.instead, receipt=_lines(said))

    def recall(self, query: str, session: str = "default", k: int = 5) -> Recalled:
        """Find what is remembered and what was said earlier that fits a question or some words."""
        chat = self._chat(session)
        hits = self._hf.search(query, k, self._user) if self._user else chat.search(query, k)
        items = chat.memory.search(query, k) if _has_memory(self._hf) else []
        return Recalled(
            memory=[_remembered(memo) for memo, _ in items],
            messages=[Message(hit.session, hit.version, hit.role, hit.text) for hit in hits],
        )

    def remember(self, text: str, session: str = "default") -> Remembered:
        """Remember something that the person wants to be kept, as one plain sentence. What the person says in messages
        is learned by `hear` and need not be brought here."""
        return _remembered(self._chat(session).memory.learn([text])[0])

    def correct(self, id: str, value: str, session: str = "default") -> Remembered:
        """Correct something that is remembered; the old value stays in its history. `recall` gives the ids."""
        return _remembered(self._chat(session).memory.edit(id, value))

    def clear(self, what: str, session: str = "default") -> list[str]:
        """Stop using one thing that this conversation holds, by its name, such as "location"."""
        return _lines(self._chat(session).clear(what))

    def why(self, session: str = "default", version: int | None = None) -> list[str]:
        """Why the newest turn, or that of a version, went as it did: every decision with its rule and its words."""
        chat = self._chat(session)
        newest = chat.state.version
        if not newest:
            raise UnknownItem(f"nothing was said yet in session {session!r}")
        return _lines(chat.entry(version or newest))


class MemoryTools:
    """The memory of the person or project that this server is for, over all conversations, in the words of other
    memories."""

    def __init__(self, memory: OwnedMemory) -> None:
        self._memory = memory

    def all(self) -> list[Callable[..., Any]]:
        return [
            self.add_memory,
            self.search_memories,
            self.get_memories,
            self.update_memory,
            self.delete_memory,
            self.memory_history,
        ]

    def add_memory(self, text: str) -> list[Changed]:
        """Remember something for good, as one plain sentence in the person's words ("I live in Rome"). What the person
        says in messages is learned by `hear` and need not be brought here."""
        return [Changed(event, _remembered(item)) for event, item in self._memory.add(text)]

    def search_memories(self, query: str, k: int = 5) -> list[Remembered]:
        """Find what is remembered that fits a question or some words."""
        return [_remembered(found.item) for found in self._memory.search(query, k)]

    def get_memories(self) -> list[Remembered]:
        """Everything that is remembered now."""
        return [_remembered(item) for item in self._memory.get_all()]

    def update_memory(self, id: str, text: str) -> Remembered:
        """Correct something that is remembered; the old value stays in its history."""
        return _remembered(self._memory.update(id, text))

    def delete_memory(self, id: str) -> list[Remembered]:
        """Stop knowing one thing, because the person asks for it. Gives what is still remembered."""
        self._memory.delete(id)
        return self.get_memories()

    def memory_history(self, id: str) -> list[Remembered]:
        """How one thing came to be what it is, from the first value to the current one."""
        return [_remembered(item) for item in self._memory.history(id)]


def _has_memory(hf: Holdfast) -> bool:
    return any(faculty.name == "memory" for faculty in hf.pack.faculties)


def _lines(done: Done | Past) -> list[str]:
    return [str(line) for line in done.receipt.lines]


def _remembered(memo: Memo) -> Remembered:
    return Remembered(memo.id, memo.kind, memo.slot, memo.value)


def _explained(tool: Callable[Given, Told]) -> Callable[Given, Told]:
    """Errors of ours are sentences that say what to do, so a model may read them; all others are faults."""

    @wraps(tool)
    def run(*given: Given.args, **named: Given.kwargs) -> Told:
        try:
            return tool(*given, **named)
        except HoldfastError as wrong:
            raise ToolError(str(wrong)) from wrong

    return run
