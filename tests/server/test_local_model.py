"""One real conversation with a real model on this machine, through the proxy. It needs the engine (`holdfast[local]`)
and the weights, which are fetched once; where they cannot be had the test is skipped."""

from __future__ import annotations

import httpx2
import pytest
from openai import OpenAI

from holdfast.models.endpoints import Local
from tests.server.running import served

pytestmark = pytest.mark.xdist_group("model")
PATIENCE = 600


def test_a_real_conversation_through_the_proxy(local_model: Local) -> None:
    with (
        served(upstream=local_model.upstream) as at,
        OpenAI(base_url=f"{at}/v1", api_key="none", timeout=PATIENCE) as client,
    ):
        session = {"x-holdfast-session": "real"}
        first = client.chat.completions.create(
            model="holdfast",
            messages=[{"role": "user", "content": "Hello, my name is Dana."}],
            max_tokens=12,
            temperature=0,
            extra_headers=session,
        )
        answer = first.choices[0].message.content
        assert answer
        stream = client.chat.completions.create(
            model="holdfast",
            messages=[{"role": "user", "content": "What is my name? Answer with the name only."}],
            max_tokens=8,
            temperature=0,
            stream=True,
            extra_headers=session,
        )
        named = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
        # The second request holds no history: only the context line can have told the model.
        assert "Dana" in named
        entries = httpx2.get(f"{at}/api/sessions/real/history").json()["entries"]
        spoken = [(entry["role"], entry["text"]) for entry in entries if entry["text"]]
        assert [role for role, _ in spoken] == ["person", "agent", "person", "agent"]
        assert (spoken[1][1], spoken[3][1]) == (answer, named)


def test_the_model_answers_a_whole_exchange_of_the_api(local_model: Local) -> None:
    with served(upstream=local_model.upstream) as at, httpx2.Client(base_url=at, timeout=PATIENCE) as client:
        client.post("/api/sessions", json={"id": "s"})
        exchange = client.post("/api/sessions/s/chat", json={"text": "Say hello in three words."}).json()
        assert len(exchange["replies"]) == 1
        assert exchange["replies"][0]["text"]
