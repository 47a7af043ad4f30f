"""A real ADK agent on a scripted model: it has ADK's history and our context, under one session id."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("google.adk")

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types

from holdfast import Holdfast
from holdfast.adapters.adk import HoldfastPlugin
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack

PACK = Pack(
    name="venues",
    instructions="Never ask for what the context line holds.",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ReferencesFaculty(id_label="Place ID", id=r"ChI[A-Za-z0-9_-]+", refers_label="User is referring to"),
    ),
)
LIST = "1. **Osteria** Place ID: ChIJabc 2. **Vedge** Place ID: ChIJdef"


class Scripted(BaseLlm):
    """Says its lines in order and remembers what it was asked; running out of lines is an error."""

    lines: list[str]
    requests: list[LlmRequest] = []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.requests.append(llm_request.model_copy(deep=True))
        line = self.lines[len(self.requests) - 1]
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=line)]))


class Talk:
    """One conversation through a real runner."""

    def __init__(self, *lines: str, model: str = "scripted", **options: Any) -> None:
        self.model = Scripted(model=model, lines=list(lines), requests=[])
        self.holdfast = Holdfast(pack=PACK)
        self.sessions = InMemorySessionService()
        agent = LlmAgent(name="venues", model=self.model, instruction="You find venues.")
        plugin = HoldfastPlugin(self.holdfast, **options)
        app = App(name="app", root_agent=agent, plugins=[plugin])
        self.runner = Runner(app=app, session_service=self.sessions)
        asyncio.run(self.sessions.create_session(app_name="app", user_id="u", session_id="s-1"))

    def tell(self, text: str) -> str:
        return asyncio.run(self._tell(text))

    async def _tell(self, text: str) -> str:
        message = types.Content(role="user", parts=[types.Part(text=text)])
        said = ""
        async for event in self.runner.run_async(user_id="u", session_id="s-1", new_message=message):
            if event.is_final_response() and event.content:
                said = event.content.parts[0].text
        return said

    def asked(self) -> list[str]:
        return [part.text for content in self.model.requests[-1].contents for part in content.parts]

    def history(self) -> list[str]:
        session = asyncio.run(self.sessions.get_session(app_name="app", user_id="u", session_id="s-1"))
        return [event.content.parts[0].text for event in session.events]


def test_the_agent_has_the_history_of_adk_and_our_context() -> None:
    talk = Talk(LIST, "It is lovely.")
    talk.tell("Italian places please")
    talk.tell("tell me about the second one")
    assert talk.asked() == [
        "Italian places please",
        LIST,
        "[CONTEXT: Recently mentioned: Osteria (Place ID: ChIJabc), Vedge (Place ID: ChIJdef) | "
        "User is referring to: Vedge (Place ID: ChIJdef)]\n\ntell me about the second one",
    ]
    system = talk.model.requests[-1].config.system_instruction
    assert "You find venues." in system
    assert "Never ask for what the context line holds." in system


def test_adk_stores_the_message_as_typed_and_both_share_the_session_id() -> None:
    talk = Talk(LIST, "It is lovely.")
    talk.tell("Italian places please")
    talk.tell("tell me about the second one")
    assert talk.history() == ["Italian places please", LIST, "tell me about the second one", "It is lovely."]
    own = talk.holdfast.session("s-1", user="u")
    assert [past.text for past in own.history()] == talk.history()


def test_without_context_the_message_goes_through_untouched() -> None:
    talk = Talk("Hello!")
    assert talk.tell("  hello ") == "Hello!"
    assert talk.asked() == ["  hello "]


def test_another_model_changes_nothing_in_the_context() -> None:
    asked = []
    for model in ("gemini-2.0-flash-exp", "gemini-2.5-flash"):
        talk = Talk(LIST, "It is lovely.", model=model)
        talk.tell("Italian places please")
        talk.tell("the first one")
        asked.append(talk.asked())
    assert asked[0] == asked[1]


def test_a_reply_that_asks_for_what_is_known_is_replaced_when_the_guard_is_on() -> None:
    talk = Talk(LIST, "Which one do you mean?", guard=True)
    talk.tell("Italian places please")
    said = talk.tell("more details")
    assert "Vedge" in said
    assert "Which one" not in said


def test_a_fault_of_ours_never_breaks_the_flow(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    talk = Talk("Hello!")

    def broken(*_: object, **__: object) -> object:
        raise OSError("the disk is gone")

    monkeypatch.setattr(talk.holdfast, "session", broken)
    assert talk.tell("hi") == "Hello!"
    assert talk.asked() == ["hi"]
    assert "Context extraction/injection failed" in caplog.text
    assert "Entity extraction from agent response failed" in caplog.text
