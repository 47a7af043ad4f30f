"""The document's own calls, over a session of `grace`: a context that is built once per request, its routing, planning
and specialist views with the document's keys, the specialist's prompt, and the search of old messages."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import msgspec

from holdfast.errors import InvalidInput
from holdfast.events import Event, MessageHeard, MessageSaid
from holdfast.faculties.aims import files as files_
from holdfast.faculties.aims import taskhistory
from holdfast.faculties.attachments import counts, executed
from holdfast.faculties.facts import profile as profile_
from holdfast.faculties.facts.memos import LibraryPreferred
from holdfast.faculties.facts.preferences import preferences
from holdfast.faculties.revisions.faculty import RevisionsFaculty, requested
from holdfast.faculties.revisions.guidance import block
from holdfast.faculties.revisions.inforce import InForce
from holdfast.faculty import Draft
from holdfast.guests import Contained
from holdfast.packs import keyed
from holdfast.packs.grace.longmemory import Remembered, remember
from holdfast.session import Past, Session
from holdfast.state import State

RECENT = 10
PLANNED = 5
LOADED = 100
"""Messages that are loaded whole; of a longer conversation the newest 30 and every older one that ran code."""
NEWEST = 30
FURTHEST = 5000
"""Rows of the log that a build or a search looks back at."""
FOUND = 10

_WORD = re.compile(r"\w{4,}")
_FILENAME = re.compile(r"[\w-][\w.-]{0,80}\.(?:docx|docm|dotx|dotm|pdf|xlsx|xlsm|csv|pptx|txt|md|png|jpe?g|svg|html)\b")

logger = logging.getLogger("holdfast.grace")


class Context(msgspec.Struct):
    """What was loaded for one request."""

    request: str
    files: list[dict[str, Any]] = []
    messages: list[dict[str, Any]] = []
    profile: dict[str, str] | None = None
    tasks: list[dict[str, Any]] = []
    error: bool = False


class Face:
    """`chat.face` of the pack `grace`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._context: Context | None = None
        self.loads = 0
        """How often the sources were read."""
        self.sources: dict[str, Callable[[], Any]] = {
            "files": self._files,
            "messages": self._messages,
            "profile": self._profile,
            "tasks": self._tasks,
        }
        """Where the parts of a context come from; one that raises leaves its part empty."""

    # -- building ------------------------------------------------------------------------------------------------------

    def build(self, request_id: str | None = None, refresh: bool = False) -> Context:
        """The context of a request: loaded once, and from then on the same. It never raises."""
        request = request_id or f"version {self._session.state.version}"
        if self._context is not None and self._context.request == request and not refresh:
            return self._context
        self.loads += 1
        context, failed = Context(request), []
        for part, load in self.sources.items():
            # A source is anybody's code: whatever it raises costs its own part and nothing else.
            with Contained(lambda wrong, part=part: failed.append((part, wrong))):  # type: ignore[misc]
                setattr(context, part, load())
        for part, wrong in failed:
            logger.warning("grace: the source %r failed: %s", part, wrong)
        context.error = len(failed) == len(self.sources)
        self._context = context
        return context

    def invalidate(self) -> None:
        """Forget the built context; the next build loads anew."""
        self._context = None

    def add_file(self, name: str, path: str = "") -> None:
        """Add a file to the built context without building again."""
        if self._context is None:
            logger.warning("grace: no context was built yet; the file %s is ignored", name)
            return
        others = [file for file in self._context.files if file["name"] != name]
        self._context.files[:] = [{"name": name, "path": path, "type": name.rpartition(".")[2].lower()}, *others]

    def add_message(self, role: str, content: str, memorized: str = "") -> None:
        """Add a message to the built context without building again."""
        if self._context is None:
            logger.warning("grace: no context was built yet; the message is ignored")
            return
        self._context.messages.append({"role": role, "content": content, "memorized": memorized, "status": "success"})

    # -- views ---------------------------------------------------------------------------------------------------------

    def routing(self) -> dict[str, Any]:
        context = self._built()
        return {
            "hasFiles": bool(context.files),
            "files": context.files,
            "mostRecentFile": context.files[0] if context.files else None,
            "recentMessages": context.messages[-RECENT:],
            "previousImplementation": self.detect(),
            "profile": context.profile,
            "isFollowUp": files_.follows_up(self._session.state),
        }

    def planning(self) -> dict[str, Any]:
        context = self._built()
        done = [task for task in context.tasks if task["status"] == "completed"]
        return {
            "files": context.files,
            "tasks": context.tasks,
            "recentMessages": context.messages[-PLANNED:],
            "profile": context.profile,
            "previousResult": (done[-1]["result"] or done[-1]["memorized"]) if done else None,
        }

    def specialist(self) -> dict[str, Any]:
        context = self._built()
        return {
            "files": context.files,
            "profile": context.profile,
            "profileContext": profile_.told(context.profile or {}),
            "taskHistory": context.tasks[-taskhistory.SHOWN :],
            "previousImplementation": self.detect(),
        }

    def _built(self) -> Context:
        return self._context if self._context is not None else self.build()

    # -- the library in force ------------------------------------------------------------------------------------------

    def detect(self) -> dict[str, str] | None:
        """The library in force as {method, confidence, library}, or None."""
        record = self._in_force.record(self._session.state)
        return record.view() if record is not None else None

    async def detect_async(self) -> dict[str, str] | None:
        """The same, to await."""
        return await asyncio.to_thread(self.detect)

    def in_force(self) -> dict[str, Any]:
        """Which library is in force and why; the answer names the message that decided it."""
        state = self._session.state
        record = self._in_force.record(state)
        names = "library confidence strength message=version file"
        told = (
            keyed(record, names) if record else dict.fromkeys(("library", "confidence", "strength", "message", "file"))
        )
        return told | {"why": self._in_force.why(state, self._words(state, "revision_texts"))}

    def libraries(self) -> list[dict[str, object]]:
        """Every library of the conversation, with its last use, strength and files."""
        return self._in_force.tracked(self._session.state)

    def override(self) -> dict[str, Any] | None:
        """The override that waits for its first code: {kind, requested, rejected, ambiguous, matched, warnings}."""
        asked = self._session.state.revisions.asked
        if asked is None:
            return None
        return keyed(asked.override, "kind requested rejected ambiguous matched") | {"warnings": list(asked.warnings)}

    @property
    def _in_force(self) -> InForce:
        return cast(RevisionsFaculty, self._session.pack.faculty("revisions")).in_force

    # -- the prompt ----------------------------------------------------------------------------------------------------

    def prompt(self, master: str = "", specialist: str = "", task: str = "", analysis: str = "") -> str:
        """The specialist's system prompt, its parts in the document's order."""
        state = self._session.state
        known: files_.Files = state.files
        record, filename = self._in_force.record(state), _filename(task, known)
        failed = any(not task.done for task in state.task_history.tasks[-taskhistory.SHOWN :])
        parts = [
            master or self._session.pack.instructions,
            specialist,
            files_.existing(known),
            files_.rules(known, known.request),
            block(record) if record else "",
            requested(state.revisions),
            files_.planned(filename) if filename else "",
            profile_.told(profile_.shown(state)),
            f"**FILE ANALYSIS:**\n{analysis}" if analysis else files_.analysis(known, known.request),
            taskhistory.told(state.task_history.tasks) if failed else "",
        ]
        return "\n\n".join(filter(None, parts))

    # -- files and profile ---------------------------------------------------------------------------------------------

    def record_file(self, name: str, path: str = "", analysis: str = "") -> None:
        """Put a file on record; a known name gets the new path and no second entry."""
        given = {"name": name, "path": path, "analysis": analysis}
        self._session.act(lambda draft: [files_.recorded(draft, given, "person")])

    def set_profile(self, key: str, value: str, confidence: float = 1.0, source: str = "settings") -> None:
        """Set an entry of the user's profile; a lower source never replaces a higher one."""
        if not key.startswith("library.") and key not in profile_.KEYS:
            raise InvalidInput(f"the profile has no {key!r}; it has {', '.join(profile_.KEYS)} and library.<use case>")

        def act(draft: Draft) -> Iterator[Event]:
            yield profile_.learned(draft, key, value, confidence, source)
            if key.startswith("library.") and confidence >= profile_.SHOWN:
                yield LibraryPreferred(library=value, use_case=key.removeprefix("library."), scope="user")

        self._session.act(act)

    def profile_question(self) -> str | None:
        """What may be asked about the user now: nothing before their third message, nor soon after another."""
        state = self._session.state
        if not profile_.may_ask(state):
            return None
        known = profile_.profile(state)
        texts = self._words(state, "profile_questions")
        return next((str(text) for key, text in texts.items() if key not in known), None)

    def _words(self, state: State, name: str) -> Mapping[str, Any]:
        """Sentences of ours, in the language of the conversation."""
        return self._session.pack.reader.data(name, state.conversation.language or "en")

    # -- memory --------------------------------------------------------------------------------------------------------

    def search(self, query: str) -> list[dict[str, Any]]:
        """The newest messages that hold a key word of the query; without key words, none."""
        common = self._session.pack.reader.phrases("long_memory", "common")
        words = {word for word in _WORD.findall(query.lower()) if word not in common}
        found: list[dict[str, Any]] = []
        if not words:
            return found
        for message in self._backwards():
            if any(word in message["content"].lower() for word in words):
                found.append(message)
                if len(found) == FOUND:
                    break
        return found

    def long_memory(self) -> Remembered:
        """Summaries and key facts of what is too old to be handed out raw."""
        return remember(list(self._backwards())[::-1], self._session.pack.reader)

    # -- sources -------------------------------------------------------------------------------------------------------

    def _files(self) -> list[dict[str, Any]]:
        known: files_.Files = self._session.state.files
        return [keyed(file, "name path type revisions") for file in known.newest]

    def _profile(self) -> dict[str, str]:
        state: State = self._session.state
        liked = {f"library.{case}": name for case, name in preferences(state).preferred.items()}
        return {**profile_.shown(state), **liked}

    def _tasks(self) -> list[dict[str, Any]]:
        return [
            keyed(task, "id title error result memorized files")
            | {"status": "completed" if task.done else "failed", "line": taskhistory.line(task)}
            for task in self._session.state.task_history.tasks
        ]

    def _messages(self) -> list[dict[str, Any]]:
        """The loaded history, oldest first."""
        newest = list(self._backwards())
        if len(newest) > LOADED:
            newest = newest[:NEWEST] + [message for message in newest[NEWEST:] if message["memorized"]]
        return newest[::-1]

    def _backwards(self) -> Iterator[dict[str, Any]]:
        """Messages that count, newest first."""
        before, looked = None, 0
        while looked < FURTHEST and (page := self._session.history(200, before)):
            for past in reversed(page):
                if (message := _message(past)) is not None:
                    yield message
            before, looked = page[0].version, looked + len(page)
            if before <= 1:
                return


def _message(past: Past) -> dict[str, Any] | None:
    """A row of the log as a message, or None for calls, system messages and failed ones."""
    event = past.entry.events[0] if past.entry.events else None
    if not isinstance(event, (MessageHeard, MessageSaid)):
        return None
    attached = event.attached
    role = attached.get("role") or ("user" if isinstance(event, MessageHeard) else "assistant")
    if not counts(attached):
        return None
    return {
        "role": role,
        "content": past.text or "",
        "memorized": executed(attached),
        "meta": {"files": attached.get("files") or [], "task": attached.get("task")},
        "status": "success",
        "created_at": past.time,
        "version": past.version,
    }


def _filename(task: str, known: files_.Files) -> str | None:
    """The file that a task names, or that was asked for."""
    named = _FILENAME.search(task)
    if named is not None:
        return named[0]
    return known.request.filename if known.request else None
