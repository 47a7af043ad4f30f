"""Whole conversations with the service desk and its own agent, for the tests of the desk."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.exchange import archive
from holdfast.pack import Pack
from holdfast.packs.rv_service_desk import PACK
from holdfast.session import Session


class Talk:
    """A technician's conversation: what was said last, and the session that it was said in."""

    def __init__(self, *texts: str, pack: Pack = PACK) -> None:
        self.chat: Session = Holdfast(pack=pack).session("case")
        self.reply = ""
        self.turn: Any = None
        for text in texts:
            self.say(text)

    @classmethod
    def after(cls, *texts: str) -> Talk:
        """A conversation that goes on after these texts. However many tests begin so, they are said once."""
        talk = cls()
        log, talk.turn, talk.reply = _said(texts)
        archive.restore(talk.chat.holdfast, log)
        return talk

    def say(self, text: str) -> str:
        """What the desk answers; every answer must be one that may go out."""
        assert self.chat.pack.agent is not None
        self.turn = self.chat.hear(text)
        failed = [event for event in self.turn.events if type(event).__name__ == "FacultyFailed"]
        assert not failed, (text, failed)
        replies = list(run(self.chat.pack.agent, self.turn, self.chat))
        assert all(reply.allowed for reply in replies), (text, [(r.text, r.violations) for r in replies])
        self.reply = "\n".join(reply.text for reply in replies)
        return self.reply

    def each(self, texts: Iterable[str]) -> str:
        for text in texts:
            self.say(text)
        return self.reply

    @property
    def context(self) -> dict[str, Any]:
        known: dict[str, Any] = self.chat.face.context()
        return known

    @property
    def step(self) -> str | None:
        step: str | None = self.context["activeStepId"]
        return step

    @property
    def fact(self) -> Any:
        """The newest fact."""
        return self.chat.state.evidence.facts[-1]


@cache
def _said(texts: tuple[str, ...]) -> tuple[bytes, Any, str]:
    """The log of a conversation, its last turn and the last answer."""
    talk = Talk(*texts)
    return "\n".join(archive.lines(talk.chat.holdfast)).encode(), talk.turn, talk.reply
