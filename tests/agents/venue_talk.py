"""Talk with the built-in venue agent, for the tests of it."""

from __future__ import annotations

from holdfast import Holdfast, Session
from holdfast.agents import run
from holdfast.agents.venues import venues


def talk(*messages: str) -> tuple[Session, list[str]]:
    """A conversation of these messages, and all that the agent said in it."""
    session = Holdfast(pack="vibehuntr").session("s")
    said: list[str] = []
    for message in messages:
        turn = session.hear(message)
        said += [reply.text for reply in run(venues, turn, session)]
    return session, said


def names(reply: str) -> list[str]:
    """The places that a reply lists."""
    return [line.split("**")[1] for line in reply.splitlines() if line[:1].isdigit()]
