"""The service desk's own names for what its document calls for, over a session.

`chat.face.context()` is the diagnostic context with the document's keys; `turn(text)` hears a message and gives what
the document's turn exposes; the rest are the calls of the document: push and pop a topic, propose an action, mark an
isolation, draft labor, change the mode, compose the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec

from holdfast.errors import InvalidInput, Refused, UnknownItem
from holdfast.events import Event
from holdfast.faculties.desk import estimates, guard, library, replies, report, wording
from holdfast.faculties.desk.case import Desk
from holdfast.faculties.desk.diagnosis import RULES
from holdfast.faculties.desk.evidence import Fact, FactLearned
from holdfast.faculties.desk.isolation import Isolated, Plan, Planned, TerminalReached
from holdfast.faculties.desk.procedure import (
    BranchEntered,
    Closed,
    Progress,
    StepClosed,
    StepOpened,
    StepSetAside,
    SystemFound,
)
from holdfast.faculties.desk.signals import key_findings, measures
from holdfast.faculties.desk.signals import topics as topics_of
from holdfast.faculties.desk.steps import next_step, open_steps
from holdfast.faculties.desk.topics import MODES, ModeChanged, Topic, TopicPopped, TopicPushed
from holdfast.faculty import Action, Draft
from holdfast.packs import keyed
from holdfast.session import Session
from holdfast.state import State
from holdfast.telling import said
from holdfast.turn import Reply

UNCHANGING = ("lastAgentActions", "language")
"""What of a context is no change of the case."""


class DeskFace:
    """A case at the service desk."""

    def __init__(self, chat: Session, desk: Desk) -> None:
        self.chat = chat
        self.desk = desk

    # --- what is known ---

    def context(self, state: State | None = None) -> dict[str, Any]:
        """The diagnostic context, with the document's keys."""
        state = state or self.chat.state
        progress, evidence, diagnosis, topics = state.procedure, state.evidence, state.diagnosis, state.topics
        procedure = self.desk.library.procedure(progress.system)
        return {
            "caseId": self.chat.id,
            "classification": procedure.classification if procedure else None,
            **keyed(topics, "mode submode"),
            "language": state.conversation.language,
            "topicStack": [keyed(topic, "topic submode returnStepId=return_step") for topic in topics.stack],
            "completedSteps": progress.completed(),
            "unableSteps": progress.unable(),
            "openSteps": open_steps(procedure, progress),
            **keyed(progress, "activeProcedureId=system activeStepId=active primarySystem=system"),
            **keyed(progress, "activeBranch=branch lockedBranches=locked excludedSubtypes=excluded"),
            "facts": [_fact(fact) for fact in evidence.facts],
            "hypotheses": [
                keyed(h, "id description confidence supportingFacts=supporting contradictingFacts=contradicting")
                for h in evidence.hypotheses
            ],
            "contradictions": [
                _without_none(keyed(c, "id factA=a factB=b") | {"resolution": c.resolution and str(c.resolution)})
                for c in evidence.contradictions
            ],
            "lastAgentActions": [
                _without_none(keyed(a, "type content stepId=step") | {"timestamp": _iso(a.at)})
                for a in state.guard.actions
            ],
            **keyed(diagnosis, "isolationComplete=isolation_complete isolationFinding=finding"),
            **keyed(diagnosis, "isolationInvalidated=invalidated terminalState=terminal"),
            "labor": self.labor(state),
            "artifacts": [keyed(artifact, "id name kind") for artifact in diagnosis.artifacts],
            "complaints": [keyed(complaint, "system words") for complaint in progress.complaints],
            "decisionPath": [keyed(w, "what on turn=version") | {"reason": str(w.reason)} for w in diagnosis.path],
        }

    def labor(self, state: State | None = None) -> dict[str, Any]:
        """The labor state, with the document's keys."""
        labor = (state or self.chat.state).labor
        times = {"draftGeneratedAt": labor.drafted_at, "confirmedAt": labor.confirmed_at}
        told = keyed(labor, "mode estimatedHours=estimated confirmedHours=confirmed")
        return told | {key: None if at is None else _iso(at) for key, at in times.items()}

    def instructions(self, state: State | None = None) -> dict[str, Any]:
        """What the agent is to do: action, constraints, antiLoopDirectives."""
        state = state or self.chat.state
        plan = state.diagnosis.plan
        if plan is None:
            return {"action": "acknowledge_and_continue", "constraints": [], "antiLoopDirectives": []}
        told: dict[str, Any] = {
            "action": plan.action,
            "constraints": list(plan.constraints),
            "antiLoopDirectives": guard.directives(state),
        }
        if plan.step:
            told["stepId"] = plan.step
        if plan.kind:
            told |= {"clarificationType": plan.kind, "query": plan.query, "returnToStep": plan.return_step}
        return told

    @property
    def settings(self) -> dict[str, Any]:
        return {
            **self.chat.pack.settings,
            "maxConsecutiveFallbacks": guard.MAX_FALLBACKS,
            "maxStepRepeatCount": guard.MAX_STEP_REPEATS,
            "topicCooldownTurns": guard.COOL_DOWN_TURNS,
        }

    # --- a turn ---

    def turn(self, text: str, **attached: Any) -> dict[str, Any]:
        """Hear a message; what the document's turn exposes."""
        before = self.context()
        turn = self.chat.hear(text, **attached)
        after = self.context(turn.state)
        return {
            "context": after,
            "intent": _without_none(msgspec.structs.asdict(turn.intent)) if turn.intent else {"type": "UNCLEAR"},
            "instructions": self.instructions(turn.state),
            "notices": list(turn.state.diagnosis.notices),
            "question": turn.question,
            "stateChanged": any(before[key] != after[key] for key in before if key not in UNCHANGING),
        }

    # --- the procedures ---

    def procedure(self, system: str) -> library.Procedure | None:
        return self.desk.library.procedure(system)

    def _known(self, system: str) -> library.Procedure:
        procedure = self.desk.library.procedure(system)
        if procedure is None:
            raise UnknownItem(f"there is no procedure {system!r}; there are {', '.join(self.procedures())}")
        return procedure

    def procedures(self) -> list[str]:
        return list(self.desk.library.procedures)

    def next_step(self, system: str, done: Iterable[str] = (), unable: Iterable[str] = ()) -> str | None:
        """The step that follows when some are done and some could not be verified."""
        closed = {step: Closed("answered") for step in done} | {step: Closed("unable") for step in unable}
        step = next_step(self._known(system), Progress(system=system, closed=closed), None)
        return step.id if step else None

    def key_findings(self, text: str) -> list[str]:
        return [name for name, _ in self._read(text).find(key_findings)]

    def topics_of(self, text: str) -> list[str]:
        return list(self._read(text).find(topics_of))

    def measures(self, text: str) -> list[dict[str, Any]]:
        return [{"value": m.value, "unit": m.unit} for m in self._read(text).find(measures)]

    # --- calls of the document ---

    def start(
        self,
        system: str,
        done: Iterable[str] = (),
        unable: Iterable[str] = (),
        active: str | None = None,
        branch: str | None = None,
    ) -> dict[str, Any]:
        """Begin a case on a system, with steps that are already closed and, where wanted, a branch and an open step."""
        procedure = self._known(system)

        def act(draft: Draft) -> Iterator[Event]:
            yield SystemFound(system=system)
            for step in done:
                yield StepClosed(step=step, value="done")
            for step in unable:
                yield StepClosed(step=step, how="unable")
            if branch is not None:
                known = procedure.branches[branch]
                yield BranchEntered(branch=branch, entry=known.entry, step=known.steps[0], excludes=known.excludes)
            following = next_step(procedure, draft.state.procedure, draft.state.procedure.branch)
            if first := active or (following.id if following else None):
                yield StepOpened(step=first)

        return self._acted(act)

    def isolate(self, finding: str, step: str | None = None) -> dict[str, Any]:
        """Mark the isolation as complete."""

        def act(draft: Draft) -> Iterator[Event]:
            closed = list(draft.state.procedure.closed)
            decides = step or (closed[-1] if closed else None)
            fact = Fact(draft.new_id("f"), "finding", finding, draft.moment.at, decides, "inference")
            yield FactLearned(fact=fact)
            yield Isolated(finding=finding, step=decides, fact=fact.id)
            yield from _set_aside(draft)

        return self._acted(act)

    def end(self, finding: str) -> dict[str, Any]:
        """Mark the case as terminal: fault, repair and restoration are known."""

        def act(draft: Draft) -> Iterator[Event]:
            yield TerminalReached(terminal="terminal", finding=f"Verified restoration - {finding}")
            yield from _set_aside(draft)

        return self._acted(act)

    def push(self, intent: str, topic: str) -> dict[str, Any]:
        """Push a side topic: LOCATE, EXPLAIN or HOWTO."""
        submode = intent.lower()
        if submode not in ("locate", "explain", "howto"):
            raise InvalidInput(f"a topic is LOCATE, EXPLAIN or HOWTO, not {intent!r}")

        def act(draft: Draft) -> Iterator[Event]:
            step, action = draft.state.procedure.active, "provide_clarification"
            yield TopicPushed(topic=Topic(topic, submode, step))
            yield Planned(plan=Plan(action, step, submode, topic, step, RULES[action]))

        return self._acted(act)

    def pop(self) -> dict[str, Any]:
        """Pop the newest side topic."""

        def act(draft: Draft) -> Iterator[Event]:
            if draft.state.topics.stack:
                yield TopicPopped(topic=draft.state.topics.stack[-1], reason=said("desk.why_removed"))

        return self._acted(act)

    def text_for_model(self) -> str:
        """The text that a model is told now, without a new message."""
        pack = self.chat.pack
        draft = Draft(None, pack.reader.read(""), self.chat.state, 0.0, pack.folder)
        order = {name: place for place, name in enumerate(pack.section_order)}
        parts = [section for faculty in pack.faculties for section in faculty.sections(draft)]
        return "\n\n".join(s.text for s in sorted(parts, key=lambda s: order.get(s.name, len(order))))

    def propose(self, type: str, step: str | None = None, content: str = "") -> dict[str, Any]:
        """Would this action be a loop? `{violation, reason}`, with the way out."""
        verdict = self.chat.check(Action(content, type, step))
        reasons = [v.reason for v in verdict.violations]
        if not reasons:
            return {"violation": False}
        way = guard.recovery(verdict.found[0].why)
        return {
            "violation": True,
            "reason": reasons[0],
            "instead": verdict.instead,
            "recovery": {"action": way.action, "reason": str(way.reason)},
        }

    def is_fallback(self, text: str) -> bool:
        faculty = self.chat.pack.faculty("guard")
        assert isinstance(faculty, guard.GuardFaculty)
        return faculty.is_fallback(self._read(text))

    def anti_loop_directives(self) -> list[str]:
        return guard.directives(self.chat.state)

    def recovery(self, reason: str) -> dict[str, str]:
        """The way out of a violation whose reason came back as text: from a program that keeps no templates."""
        step = reason.removeprefix("Step ").partition(" ")[0]
        often, empty = said("guard.step_often", step=step), said("guard.fallback")
        known = often if str(often).startswith(reason) else empty if str(empty) == reason else reason
        return {"action": guard.recovery(known).action, "reason": reason}

    # --- labor and mode ---

    def draft_labor(self, hours: float | None = None) -> dict[str, Any]:
        """Draft hours. Without a figure the procedure's own is taken, and that needs an isolation."""
        state = self.chat.state
        procedure = self.desk.library.procedure(state.procedure.system)
        if hours is None:
            if not state.diagnosis.isolation_complete or procedure is None:
                raise Refused("a labor draft needs an isolation; name the hours to draft them anyway")
            hours = procedure.labor_hours
        drafted = float(hours)
        self.chat.act(lambda draft: [estimates.LaborDrafted(hours=drafted)])
        return {**self.labor(), "requiresConfirmation": False, "blocks": False}

    def confirm_labor(self, hours: float) -> dict[str, Any]:
        self.chat.act(lambda draft: [estimates.LaborConfirmed(hours=float(hours))])
        return self.labor()

    def skip_labor(self) -> dict[str, Any]:
        self.chat.act(lambda draft: [estimates.LaborSkipped()])
        return self.labor()

    def requested_labor(self, text: str) -> float | None:
        """The total that a message after a report asks for."""
        return estimates.requested(self._read(text))

    def enter(self, mode: str) -> dict[str, Any]:
        if mode not in MODES:
            raise InvalidInput(f"the modes are {', '.join(MODES)}, not {mode!r}")
        return self._acted(lambda draft: [ModeChanged(mode=mode, reason=said("desk.why_by_hand"))])

    # --- replies and the report ---

    def want_portal_cause(self, wanted: bool = True) -> None:
        """Ask for one statement in place of the report with headers."""
        self.chat.act(lambda draft: [report.PortalWanted(wanted=wanted)])

    def report(self) -> str:
        """The report, put together from the facts."""
        return report.compose(self.chat.state, self.desk, self.chat.pack.reader)

    def fact_lock(self) -> str:
        return report.fact_lock(self.chat.state)

    def fallback(self) -> str:
        """What to say when a reply may not go out."""
        return replies.stand_in(self.chat.state, None, self.desk)

    def help_text(self) -> str:
        return wording.help_text(self.chat.state, self.desk)

    def deliver(self, write: Callable[[str], str]) -> Reply:
        """Let a model write: its reply, one retry with the rules it broke, then what the desk says itself."""
        told = ""
        for _ in range(2):
            text = write(told)
            verdict = self.chat.check(text)
            if verdict.allowed:
                return self.chat.say(text)
            told = replies.retry(verdict.violations)
        return self.chat.say(verdict.instead or self.fallback())

    def _acted(self, act: Callable[[Draft], Iterable[Event]]) -> dict[str, Any]:
        self.chat.act(act)
        return self.context()

    def _read(self, text: str) -> Any:
        return self.chat.pack.reader.read(text)


def _set_aside(draft: Draft) -> Iterator[Event]:
    if draft.state.procedure.active is not None:
        yield StepSetAside(step=draft.state.procedure.active)


def _fact(fact: Fact) -> dict[str, Any]:
    names = "id type source value stepId=step supersededBy=superseded_by category outOfRange=out_of_range?"
    return _without_none(keyed(fact, names) | {"timestamp": _iso(fact.at)})


def _without_none(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
