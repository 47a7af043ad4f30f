"""The proxy for responses, embeddings and the rest below /v1, spoken to by the official client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai import OpenAI

from holdfast.models.endpoints import Upstream as Where
from holdfast.server import responses
from tests.server.desk import INSTEAD
from tests.server.running import served
from tests.server.test_proxy import Parts, fresh, said, sessions
from tests.server.upstream import Upstream, upstream

CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c_1",
    "name": "look",
    "arguments": "{}",
    "status": "completed",
}


@pytest.fixture(scope="module")
def behind() -> Iterator[tuple[str, Upstream]]:
    with upstream() as (address, model):
        yield address, model


@pytest.fixture
def parts(behind: tuple[str, Upstream]) -> Iterator[Parts]:
    address, model = behind
    fresh(model)
    with served(upstream=Where(address, "upstream-key")) as at, OpenAI(base_url=f"{at}/v1", api_key="mine") as client:
        yield client.with_options(max_retries=0), model, at


def test_a_text_is_heard_the_context_goes_in_and_the_reply_is_learned(parts: Parts) -> None:
    client, model, at = parts
    first = client.responses.create(model="big", input="my name is Dana")
    assert first.output_text == "All right."
    assert first.model_extra == {"odd_field": [1, 2]}
    assert model.asked[-1]["input"] == "[CONTEXT: User's name: Dana]\n\nmy name is Dana"
    (only,) = sessions(at)
    assert said(at, only["id"]) == ["my name is Dana", "All right."]


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_is_found_by_its_id_after_the_server_was_started_anew(
    behind: tuple[str, Upstream], tmp_path: Path, streamed: bool
) -> None:
    address, model = behind
    fresh(model)
    where = {"upstream": Where(address, "upstream-key"), "store": f"sqlite:///{tmp_path}/chat.db"}
    with served(**where) as at, OpenAI(base_url=f"{at}/v1", api_key="mine") as client:
        if streamed:
            with client.responses.stream(model="big", input="my name is Dana") as told:
                first = told.get_final_response().id
        else:
            first = client.responses.create(model="big", input="my name is Dana").id
        client.responses.create(model="big", input="and another conversation")
    with served(**where) as at, OpenAI(base_url=f"{at}/v1", api_key="mine") as client:
        client.responses.create(model="big", input="who am I?", previous_response_id=first)
        assert model.asked[-1]["input"] == "[CONTEXT: User's name: Dana]\n\nwho am I?"
        assert len(sessions(at)) == 2


def test_an_answer_can_be_gone_on_from_by_its_id_alone(parts: Parts) -> None:
    client, model, at = parts
    first = client.responses.create(model="big", input="my name is Dana")
    model.replies = ["You are Dana."]
    client.responses.create(model="big", input="who am I?", previous_response_id=first.id, instructions="Be brief.")
    sent = model.asked[-1]
    assert sent["previous_response_id"] == first.id
    assert sent["input"] == "[CONTEXT: User's name: Dana]\n\nwho am I?"
    assert sent["instructions"] == "Be brief.\n\nRead the context line."
    (only,) = sessions(at)
    assert said(at, only["id"]) == ["my name is Dana", "All right.", "who am I?", "You are Dana."]


def test_a_list_of_messages_is_recognised_and_nothing_is_learned_twice(parts: Parts) -> None:
    client, model, at = parts
    history: Any = [
        {"role": "user", "content": [{"type": "input_text", "text": "my name is Dana"}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "All right.", "annotations": []}]},
        {"role": "user", "content": [{"type": "input_text", "text": "who am I?"}]},
    ]
    client.responses.create(model="big", input=history[:1])
    client.responses.create(model="big", input=history)
    parts_sent = model.asked[-1]["input"][-1]["content"]
    assert parts_sent == [{"type": "input_text", "text": "[CONTEXT: User's name: Dana]"}, *history[-1]["content"]]
    client.responses.create(model="big", input=history)
    (only,) = sessions(at)
    assert said(at, only["id"]) == ["my name is Dana", "All right.", "who am I?", "All right."]


def test_a_stream_passes_through_and_is_learned_and_can_be_gone_on_from(parts: Parts) -> None:
    client, model, at = parts
    model.replies = ["Nice to meet you", "You are Dana"]
    with client.responses.stream(model="big", input="my name is Dana") as stream:
        pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()
    assert pieces == ["Nice", " to", " meet", " you"]
    (only,) = sessions(at)
    assert said(at, only["id"])[-1] == "Nice to meet you"
    client.responses.create(model="big", input="who am I?", previous_response_id=final.id)
    assert len(sessions(at)) == 1


def test_tool_calls_pass_whole_and_the_answer_to_their_results_is_learned(parts: Parts) -> None:
    client, model, at = parts
    model.replies = [CALL, "It is open."]
    first = client.responses.create(model="big", input="my name is Dana, is it open?")
    assert first.output[0].type == "function_call"
    result: Any = [{"type": "function_call_output", "call_id": "c_1", "output": "open"}]
    client.responses.create(model="big", input=result, previous_response_id=first.id)
    assert model.asked[-1]["input"] == result
    (only,) = sessions(at)
    assert said(at, only["id"]) == ["my name is Dana, is it open?", "It is open."]


@pytest.mark.parametrize("how", ["conversation", "user", "header"])
def test_a_session_can_be_named(parts: Parts, how: str) -> None:
    client, _, at = parts
    more: dict[str, Any] = {"extra_headers": {"x-holdfast-session": "mine"}} if how == "header" else {how: "mine"}
    client.responses.create(model="big", input="my name is Dana", **more)
    assert [one["id"] for one in sessions(at)] == ["mine"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("mode", "shown", "calls"), [("retry", "Better.", 3), ("replace", INSTEAD, 2)])
def test_a_loop_is_caught(behind: tuple[str, Upstream], mode: Any, shown: str, calls: int, stream: bool) -> None:
    address, model = behind
    fresh(model)
    model.replies = ["Same.", "Same.", "Better."]
    with served(upstream=Where(address, "k"), on_loop=mode) as at:
        client = OpenAI(base_url=f"{at}/v1", api_key="x", max_retries=0)
        first = client.responses.create(model="big", input="it is broken")
        if stream:
            with client.responses.stream(model="big", input="yes", previous_response_id=first.id) as told:
                text = told.get_final_response().output_text
        else:
            text = client.responses.create(model="big", input="yes", previous_response_id=first.id).output_text
        assert text == shown
        assert len(model.asked) == calls


def test_errors_of_the_model_pass_unchanged_and_lose_nothing(parts: Parts) -> None:
    client, model, at = parts
    model.replies = [429]
    with pytest.raises(openai.RateLimitError, match="slow down"):
        client.responses.create(model="big", input="my name is Dana")
    (only,) = sessions(at)
    assert said(at, only["id"]) == ["my name is Dana"]
    with pytest.raises(openai.NotFoundError, match="no response"):
        client.responses.create(model="big", input="hello", previous_response_id="resp_unknown")


def test_without_a_model_the_built_in_agent_answers_and_its_ids_name_their_session() -> None:
    with served(pack="general") as at:
        client = OpenAI(base_url=f"{at}/v1", api_key="x", max_retries=0)
        first = client.responses.create(model="holdfast", input="my name is Dana")
        assert "Dana" in first.output_text
        with client.responses.stream(model="holdfast", input="who am I?", previous_response_id=first.id) as stream:
            assert "Dana" in stream.get_final_response().output_text
        assert len(sessions(at)) == 1
    assert responses.session_in("resp_hf-%%%") is None
    assert responses.session_in("resp_abc") is None


@pytest.mark.parametrize("body", [{}, {"input": []}, {"input": 7}, {"input": ["a"]}, []])
def test_a_request_that_is_none_is_refused_in_the_form_of_the_protocol(parts: Parts, body: Any) -> None:
    _, model, at = parts
    answer = httpx2.post(f"{at}/v1/responses", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]
    assert (sessions(at), model.asked) == ([], [])


def test_embeddings_and_kept_responses_pass_untouched(parts: Parts) -> None:
    client, model, at = parts
    made = client.embeddings.create(model="small", input="my name is Dana", encoding_format="float")
    assert made.data[0].embedding == [0.25, 0.5]
    assert model.asked == [{"model": "small", "input": "my name is Dana", "encoding_format": "float"}]
    assert model.headers[-1]["authorization"] == "Bearer upstream-key"
    assert sessions(at) == []
    first = client.responses.create(model="big", input="hello")
    assert client.responses.retrieve(first.id).output_text == "All right."


def test_what_is_not_served_says_what_is(parts: Parts) -> None:
    client, _, at = parts
    with pytest.raises(openai.NotFoundError, match="/v1/responses"):
        client.moderations.create(input="x")
    assert httpx2.get(f"{at}/v1/models/%2e%2e/secret").status_code == 404
    with served() as alone, pytest.raises(openai.APIStatusError, match="--model"):
        OpenAI(base_url=f"{alone}/v1", api_key="x", max_retries=0).embeddings.create(model="m", input="x")
