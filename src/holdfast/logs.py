"""Structured logs of every step, with the session id: extract, inject, store, retrieve, clear, failure.

Records go to the logger "holdfast" at INFO; their fields are in `record.holdfast`, the same in words in the message.
The core logs nothing: a shell hands its outcome over when it is written.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from holdfast.events import Briefed, Event, Unknown
from holdfast.pack import Pack
from holdfast.state import Failure, State
from holdfast.turn import Outcome

logger = logging.getLogger("holdfast")

HEAR_FAILED = "Context extraction/injection failed"
SAY_FAILED = "Entity extraction from agent response failed"
FAILED = {"hear": HEAR_FAILED, "say": SAY_FAILED, "check": "Checking a reply failed", "load": "Reading the log failed"}


def step(name: str, session: str, **fields: Any) -> None:
    """One record of one step."""
    if logger.isEnabledFor(logging.INFO):
        words = " ".join(f"{key}={value!r}" for key, value in fields.items())
        record = {"step": name, "session_id": session, **fields}
        logger.info("%s session=%s %s", name, session, words, extra={"holdfast": record})


def retrieved(session: str, state: State, pack: Pack) -> None:
    """Somebody looked at what a session knows."""
    if logger.isEnabledFor(logging.INFO):
        step("retrieve", session, version=state.version, state=pack.folder.encode(state.session).decode())


def failures(verb: str, session: str, failed: Iterable[Failure]) -> None:
    """Faculties that raised, each with its whole traceback."""
    for failure in failed:
        logger.error(
            "%s: session=%s faculty=%s",
            FAILED.get(verb, "A call failed in part"),
            session,
            failure.faculty,
            exc_info=failure.error,
            extra={"holdfast": {"step": "failure", "session_id": session, "faculty": failure.faculty}},
        )


def unread(where: str, events: Iterable[Event]) -> None:
    """Events that took another form since they were written: they are kept, and not understood any more."""
    for event in events:
        if type(event) is Unknown and event.wrong:
            logger.warning("An event cannot be read any more: %s: %s", where, event.wrong)


def outcome(verb: str, session: str, done: Outcome) -> None:
    """Everything that one written turn did."""
    failures(verb, session, done.failures)
    if not logger.isEnabledFor(logging.INFO):
        return
    for event in done.draft.events:
        _event(session, event, done.draft.moment.at)
    step("store", session, verb=verb, version=done.draft.moment.version, events=len(done.draft.events))


def _event(session: str, event: Event, at: float) -> None:
    if isinstance(event, Briefed):
        step("inject", session, context=event.context, left_out=event.left_out)
    elif event.did in ("cleared", "retracted"):
        step("clear", session, what=getattr(event, "what", "") or event.tell(), at=at)
    elif event.did:
        rule = event.because.rule if event.because else ""
        step("extract", session, did=event.did, what=str(event.tell()), rule=rule)
