"""Google ADK: a plugin that stands beside ADK's own session service, under the same session id.

    app = App(name="venues", root_agent=agent, plugins=[HoldfastPlugin(hf)])
    runner = Runner(app=app, session_service=sessions)

ADK keeps the history as it was typed; what Holdfast knows is put before the person's message in the request to the
model, and nowhere else. So the agent has both, and the context line is always the current one. Needs the extra
`holdfast[adk]`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from holdfast.aio import AsyncHoldfast, AsyncSession
from holdfast.extras import needs
from holdfast.guests import Contained
from holdfast.logs import HEAR_FAILED, SAY_FAILED
from holdfast.session import Holdfast
from holdfast.turn import Turn

with needs("adk", "The plugin for Google ADK"):
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.events import Event
    from google.adk.models import LlmRequest, LlmResponse
    from google.adk.plugins import BasePlugin
    from google.genai import types

logger = logging.getLogger("holdfast")

OPEN = 1000
"""Invocations whose turn is remembered at once; one that never ends must not stay for ever."""


class HoldfastPlugin(BasePlugin):
    """Hears the person's messages, briefs the model, and reads the agent's replies.

    With `guard`, a reply that asks for what is known is replaced by what may be said instead, where there is such."""

    def __init__(
        self, holdfast: Holdfast | AsyncHoldfast, *, name: str = "holdfast", guard: bool = False, users: bool = True
    ) -> None:
        super().__init__(name=name)
        self.holdfast = _awaitable(holdfast)
        self.guard = guard
        self.users = users
        self._turns: dict[str, Turn] = {}

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """A person's message is heard; ADK stores it as it was typed."""
        text = spoken(user_message)
        if text:
            # A fault of ours must never cost the person their message: it goes to the agent as typed.
            with Contained(_logged(HEAR_FAILED, invocation_context)):
                chat = await self._chat(invocation_context)
                self._keep(invocation_context.invocation_id, await chat.hear(text))
        return None

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        """The request gets the context line before the person's newest message, and the prompt sections."""
        turn = self._turns.get(callback_context.invocation_id)
        if turn is not None:
            brief(llm_request, turn)
        return None

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        """A finished reply of the agent is read, once and whole."""
        text = spoken(event.content)
        if not text or event.partial or event.author == "user" or not event.is_final_response():
            return None
        # The reply goes out whatever happens to our reading of it.
        with Contained(_logged(SAY_FAILED, invocation_context)):
            chat = await self._chat(invocation_context)
            verdict = await chat.check(text)
            if self.guard and not verdict.allowed and verdict.instead:
                await chat.say(verdict.instead, agent=event.author)
                content = types.Content(role="model", parts=[types.Part(text=verdict.instead)])
                return event.model_copy(update={"content": content})
            await chat.say(text, agent=event.author)
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        self._turns.pop(invocation_context.invocation_id, None)

    async def _chat(self, context: InvocationContext) -> AsyncSession:
        return await self.holdfast.session(context.session.id, user=context.user_id if self.users else None)

    def _keep(self, invocation: str, turn: Turn) -> None:
        self._turns[invocation] = turn
        while len(self._turns) > OPEN:
            del self._turns[next(iter(self._turns))]


def brief(request: Any, turn: Turn) -> None:
    """Put what the turn tells into a request. ADK's own contents are copied, never changed: they are its history."""
    if turn.system:
        request.append_instructions([turn.system])
    for place in range(len(request.contents) - 1, -1, -1):
        content = request.contents[place]
        if content.role == "user" and spoken(content) == turn.text:
            others = [part for part in content.parts or [] if not part.text]
            parts = [types.Part(text=turn.prompt), *others]
            request.contents[place] = content.model_copy(update={"parts": parts})
            return


def spoken(content: types.Content | None) -> str:
    """The text of a message, without thoughts, calls and files."""
    parts = (content.parts or []) if content is not None else []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _logged(what: str, context: InvocationContext) -> Callable[[Exception], None]:
    return lambda wrong: logger.error("%s: session=%s", what, context.session.id, exc_info=wrong)


def _awaitable(holdfast: Holdfast | AsyncHoldfast) -> AsyncHoldfast:
    return holdfast if isinstance(holdfast, AsyncHoldfast) else AsyncHoldfast.around(holdfast)
