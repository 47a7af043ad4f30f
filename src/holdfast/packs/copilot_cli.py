"""`copilot_cli`: the memory of a coding assistant. It remembers facts, preferences and decisions, replaces values when
they change, keeps the whole history and gives the model only what is current."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from holdfast import brief
from holdfast.agents.coder import coder
from holdfast.errors import HoldfastError, StoreError
from holdfast.events import Event
from holdfast.faculties.aims import workbench as bench
from holdfast.faculties.aims.workbench import WorkbenchFaculty, workbench_sections
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts import MemoryFaculty, memory_sections
from holdfast.faculties.facts.memos import ItemLearned, place_for
from holdfast.faculties.facts.relations import PREFIX, Kind, Lifespan, Memo
from holdfast.faculties.lists import ListsFaculty, lists_sections
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.faculty import Draft, Section
from holdfast.memory import SessionMemory
from holdfast.pack import Pack
from holdfast.session import Holdfast, Session
from holdfast.turn import Turn

ORDER = (
    "Persistent Memory",
    "Mission",
    "Current Task",
    "Unresolved Errors",
    "User Context",
    "User Preferences",
    "Current Decisions",
    "Working On",
    "Pending Tasks",
    "Lists",
    "Project Context",
)
log = logging.getLogger("holdfast.copilot_cli")

_FIELDS = (
    ("rationale", "Rationale"),
    ("category", "Category"),
    ("alternatives", "Alternatives"),
    ("tradeoffs", "Tradeoffs"),
    ("relatedFiles", "Related files"),
    ("revisitCondition", "Revisit when"),
)


def _listed(kind: Kind, history: bool = False) -> Callable[[CopilotMemory], list[dict[str, Any]]]:
    """A method that lists the items of a kind: the current ones, or all that ever were."""
    return lambda face: [view(memo) for memo in face.memory.items(kind, history=history)]


class CopilotMemory:
    """The document's names for the memory, over a session; views are dictionaries with the document's keys."""

    def __init__(self, chat: Session) -> None:
        self._chat = chat
        self.memory: SessionMemory = chat.memory

    # Facts

    def add_user_fact(
        self,
        fact: str,
        category: str = "other",
        confidence: float = 0.8,
        lifespan: Lifespan = "permanent",
        source: str = "",
    ) -> dict[str, Any]:
        memo = self.memory.add(
            fact, kind="fact", category=category, confidence=confidence, lifespan=lifespan, source=source
        )
        return view(memo)

    get_user_facts, get_all_user_facts = _listed("fact"), _listed("fact", history=True)

    # Preferences

    def add_preference(
        self,
        category: str,
        key: str,
        value: str,
        confidence: float = 0.8,
        lifespan: Lifespan = "permanent",
        source: str = "",
    ) -> dict[str, Any]:
        memo = self.memory.add(
            value,
            kind="preference",
            slot=f"{category}/{key}",
            category=category,
            confidence=confidence,
            lifespan=lifespan,
            source=source,
        )
        return view(memo)

    def update_preference(self, category: str, key: str, value: str) -> dict[str, Any]:
        """Another value for a key: a supersession where the key holds one, a new preference otherwise."""
        held = self.memory.holding(f"{category}/{key}")
        if held is None:
            return self.add_preference(category, key, value)
        return view(held) if held.value == value else view(self.memory.edit(held.id, value))

    get_preferences, get_all_preferences = _listed("preference"), _listed("preference", history=True)

    def get_preference_by_key(self, category: str, key: str) -> dict[str, Any] | None:
        held = self.memory.holding(f"{category}/{key}")
        return view(held) if held else None

    # Decisions

    def add_decision(self, description: str, category: str | None = None, **fields: Any) -> dict[str, Any]:
        details = {name: value for name, value in _details(fields).items() if value}
        memo = self.memory.add(
            description, kind="decision", category=category or "", lifespan="project", details=details
        )
        return view(memo)

    def decide(self, description: str, category: str = "other", **fields: Any) -> dict[str, Any] | None:
        """A decision that arrives in the conversation: related to the current ones."""
        memo = self.memory.decide(description, category=category, **_details(fields))
        return view(memo) if memo else None

    get_decisions, get_all_decisions = _listed("decision"), _listed("decision", history=True)

    def get_decision_by_id(self, id: str) -> dict[str, Any] | None:
        found = next((memo for memo in self.memory.decisions(history=True) if memo.id == id), None)
        return view(found) if found else None

    # Decision tools for a model: they answer in words

    def add_decision_tool(self, description: str, category: str | None = None, **fields: Any) -> str:
        made = self.add_decision(description, category, **fields)
        return "\n".join((f"Decision recorded: {made['id']}", f"Description: {description}", *_told(made)))

    def list_decisions_tool(self, include_superseded: bool = False, category: str | None = None) -> str:
        made = self.get_all_decisions() if include_superseded else self.get_decisions()
        chosen = [d for d in made if category is None or d.get("category") == category]
        if not chosen:
            return "No decisions found"
        lines = []
        for one in chosen:
            lines.append(f"[{one['id']}] {one['description']}")
            lines += [f"  {line}" for line in _told(one)]
            if one.get("supersededBy"):
                lines.append(f"  Superseded by: {one['supersededBy']}")
        return "\n".join(lines)

    def supersede_decision_tool(self, old_id: str, new_id: str) -> str:
        for id in (old_id, new_id):
            if self.get_decision_by_id(id) is None:
                return f"Error: no decision with id {id}"
        try:
            self.memory.supersede(old_id, new_id)
        except HoldfastError as refused:
            return f"Error: {refused}"
        old, new = (self.memory.get(id).text for id in (old_id, new_id))
        return f"Superseded: {old} ({old_id})\nNow: {new} ({new_id})"

    # Upkeep

    def supersede(self, id: str, new_id: str) -> None:
        self.memory.supersede(id, new_id)

    supersede_user_fact = supersede_preference = supersede_decision = supersede

    def reinforce(self, id: str) -> dict[str, Any]:
        return view(self.memory.reinforce(id))

    def chain(self, id: str) -> list[dict[str, Any]]:
        return [view(memo) for memo in self.memory.chain(id)]

    get_project_contexts = _listed("context")

    def clear(self, scope: str) -> None:
        """`session`: what was said for it, and its mission, tasks and errors; `project`: facts, preferences and
        contexts of that lifespan; `conversation`: messages and session memory, all else stays."""
        if scope != "conversation":
            self.memory.clear("session" if scope == "session" else "project")
        if scope in ("session", "conversation"):
            self._chat.clear()

    # The workbench

    def set_goal(self, text: str) -> None:
        self._chat.act(lambda draft: [bench.MissionSet(text=text)])

    def add_task(self, text: str, status: bench.Status = "pending", current: bool = False) -> str:
        return self._made("task", lambda id: bench.TaskSet(task=bench.Task(id, text, status), current=current))

    def set_current_task(self, id: str) -> None:
        self._chat.act(lambda draft: [bench.TaskSet(task=bench.find_task(draft.state, id), current=True)])

    def set_task(self, id: str, status: bench.Status) -> None:
        self._chat.act(
            lambda draft: [bench.TaskSet(task=bench.Task(id, bench.find_task(draft.state, id).text, status))]
        )

    def complete_task(self, id: str) -> None:
        self.set_task(id, "done")

    @property
    def goal(self) -> str:
        return str(self._chat.state.workbench.mission)

    @property
    def current_task(self) -> bench.Task | None:
        return self._chat.state.workbench.task  # type: ignore[no-any-return]

    def add_error(self, text: str) -> str:
        return self._made("err", lambda id: bench.ErrorMet(error=bench.Trouble(id, text[:400])))

    def resolve_error(self, id: str) -> None:
        self._chat.act(lambda draft: [bench.ErrorResolved(id=id)])

    def working_on(self, path: str) -> None:
        self._chat.act(lambda draft: [bench.FileTouched(path=path)])

    # Context

    def get_current_context(self, budget: int | None = None) -> str:
        """What a model is told: current values only, section by section until the budget is used up."""
        state = self._chat.state
        told = [
            *workbench_sections(state),
            *lists_sections(state),
            *memory_sections(state, self._chat.holdfast.clock()),
        ]
        told.sort(key=lambda section: ORDER.index(section.name))
        count = self._chat.pack.count_tokens or brief.estimate
        kept: list[Section] = []
        for section in told:
            text = "\n\n".join(part.text for part in (*kept, section))
            if budget is not None and count(text) > budget:
                break
            kept.append(section)
        return "\n\n".join(section.text for section in kept)

    def messages(self, turn: Turn) -> list[dict[str, str]]:
        """What to send for a turn. A reference to earlier work ("the function you showed me") brings that work back
        from the archive, before the person's message."""
        sent = list(turn.messages)
        reading = self._chat.pack.reader.read(turn.text)
        if reading.has("earlier"):
            recent = {message["content"] for message in sent}
            hits = [
                hit for hit in self._chat.search(turn.text, k=8) if hit.text not in recent and hit.text != turn.text
            ]
            if hits:
                found = "\n".join(
                    ("[Retrieved from earlier context]", *(f"{hit.role}: {hit.text}" for hit in hits[:2]))
                )
                sent.insert(len(sent) - 1, {"role": "system", "content": found})
        return sent

    def compressed(self, keep: int = 10) -> list[list[dict[str, str]]]:
        """The conversation with its older part cut down. Corrections stay whole, and each begins a new part."""
        past = [entry for entry in self._chat.history(limit=2000) if entry.text]
        parts: list[list[dict[str, str]]] = [[]]
        for place, entry in enumerate(past):
            said = self._chat.pack.reader.read(entry.text or "")
            corrects = entry.role == "person" and said.has("corrects", "correction")
            if corrects:
                parts.append([])
            if corrects or place == 0 or place >= len(past) - keep:
                role = "assistant" if entry.role == "agent" else "user"
                parts[-1].append({"role": role, "content": entry.text or ""})
        return list(filter(None, parts))

    # Persistence: every turn is stored as it happens; a file holds a copy that can be carried elsewhere

    def save(self, path: str | Path | None = None) -> bool:
        """Write everything, with its history, to a file. A failure is logged with a plain reason; nothing is raised."""
        memos = self.memory.items(history=True)
        now = self._chat.holdfast.clock()  # confidences are those of now, and fall from here
        whole = (msgspec.to_builtins(msgspec.structs.replace(memo, decayed=now)) for memo in memos)
        records = [view(memo) | {"kind": memo.kind, "whole": kept} for memo, kept in zip(memos, whole, strict=True)]
        if path is None:
            return True
        try:
            Path(path).write_text(json.dumps(records, ensure_ascii=False, indent=1, default=str), encoding="utf-8")
        except OSError as wrong:
            log.warning("memory was not saved to %s: %s; it goes on in memory", path, wrong.strerror or wrong)
            return False
        return True

    def load(self, path: str | Path) -> bool:
        """Take in what `save` wrote, with chains and times. A damaged file is logged and leaves the memory empty."""
        try:
            memos = [unview(record) for record in json.loads(Path(path).read_text(encoding="utf-8"))]
        except (OSError, ValueError, KeyError, TypeError, msgspec.ValidationError) as wrong:
            log.warning("the memory in %s cannot be read (%s); starting empty", path, wrong)
            return False
        known = {memo.id for memo in self.memory.items(history=True)}
        fresh = [memo for memo in memos if memo.id not in known]
        self._chat.act(lambda draft: [ItemLearned(item=m, scope=place_for(draft.state, m.lifespan)) for m in fresh])
        return True

    def _made(self, prefix: str, event: Callable[[str], Event]) -> str:
        """Record something that gets an id; gives the id."""
        made: list[str] = []

        def act(draft: Draft) -> Iterator[Event]:
            made[:] = [draft.new_id(prefix)]
            yield event(made[0])

        self._chat.act(act)
        return made[0]


def open_memory(path: str, session: str = "cli", user: str = "me", project: str | None = None) -> Session:
    """The memory in a file. A file that cannot be used is reported, and the program goes on with an empty memory."""
    try:
        return Holdfast(f"sqlite:///{path}", pack=PACK).session(session, user=user, project=project)
    except StoreError as wrong:
        log.warning("the memory cannot be opened: %s; starting empty", wrong)
        return Holdfast(pack=PACK).session(session, user=user, project=project)


def view(memo: Memo) -> dict[str, Any]:
    """An item under the document's names."""
    shown: dict[str, Any] = {"id": memo.id, **_content(memo)}
    source = {"session": memo.session, "message": memo.version, "role": memo.by, "start": memo.start, "end": memo.end}
    shown |= {"source": source | {"words": memo.words}, "relation": memo.relation, "timestamp": _time(memo.recorded)}
    shown |= {"recordedAt": _time(memo.recorded), "validFrom": _time(memo.valid_from), "validTo": _time(memo.valid_to)}
    optional = {
        "lastReinforced": _time(memo.reinforced),
        "supersededBy": memo.superseded_by or None,
        "supersededAt": _time(memo.superseded_at),
        "retractedAt": _time(memo.retracted_at),
        "review": memo.review or None,
    }
    return shown | {name: value for name, value in optional.items() if value is not None}


def _content(memo: Memo) -> dict[str, Any]:
    """What an item says, by its kind."""
    if memo.kind == "decision":
        category = {"category": memo.category} if memo.category not in ("", "other") else {}
        return {"description": memo.text, **memo.details, **category}
    if memo.kind == "fact":
        shown = {"fact": memo.label, "key": memo.slot, "value": memo.value}
    else:
        shown = {"key": memo.slot.partition("/")[2] or memo.slot, "value": memo.value}
    polarity = "positive" if memo.positive else "negative"
    about = {"category": memo.category, "confidence": memo.confidence, "lifespan": memo.lifespan}
    return {**shown, **about, "polarity": polarity}


def unview(record: dict[str, Any]) -> Memo:
    """An item from what `save` wrote of it."""
    kind: Kind = record["kind"]
    if not str(record["id"]).startswith(PREFIX[kind] + "_"):
        raise ValueError(f"the id {record['id']!r} is not that of a {kind}")
    return msgspec.convert(record["whole"], Memo)


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _details(fields: dict[str, Any]) -> dict[str, Any]:
    names = {"related_files": "relatedFiles", "revisit_condition": "revisitCondition"}
    known = {name for name, _ in _FIELDS}
    details = {names.get(name, name): value for name, value in fields.items()}
    if unknown := set(details) - known:
        raise TypeError(f"a decision has no {unknown.pop()!r}")
    return details


def _told(made: dict[str, Any]) -> Iterable[str]:
    for name, label in _FIELDS:
        value = made.get(name)
        if value:
            yield f"{label}: {', '.join(value) if isinstance(value, list | tuple) else value}"


PACK = Pack(
    name="copilot_cli",
    summary="The memory of a coding assistant: facts, preferences and decisions that supersede each other",
    instructions=(
        "You are a coding assistant with a memory. The sections below say what is current: what the person told about "
        "themselves, what they prefer and what was decided. Superseded values are not shown; do not return to them. "
        "An entry marked as open or to be checked is not certain: ask before you rely on it."
    ),
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ListsFaculty(sections=True),  # before all that reads the rest: what is to be done is no fact and no decision
        ReferencesFaculty(kept=8, injected=0, place="", sought=""),  # "the second approach" of what the agent listed
        WorkbenchFaculty(),
        MemoryFaculty(sections=True, project_context=True, agent_decides=True),
    ),
    agents=("coder",),
    section_order=ORDER,
    agent=coder,
    face=CopilotMemory,
)
