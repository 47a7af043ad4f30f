"""What a person can change from the page: the title of a conversation, the value of a slot, and who answers."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from holdfast import Holdfast
from holdfast.errors import InvalidInput
from tests.server.conftest import Start
from tests.server.running import served
from tests.server.test_api import opened
from tests.server.upstream import upstream

TEXT = "Italian places in Philadelphia"


def test_a_title_is_shown_in_the_list_and_survives_a_rewind(client: TestClient) -> None:
    at = opened(client, pack="vibehuntr")
    client.post(f"{at}/hear", json={"text": TEXT})
    assert client.get(at).json()["title"] == TEXT
    assert client.patch(at, json={"title": "  Dinner with   Ana "}).json()["title"] == "Dinner with Ana"
    client.post(f"{at}/rewind", json={"version": 0})
    assert client.get("/api/sessions").json()["sessions"][0]["title"] == "Dinner with Ana"
    assert client.patch(at, json={"title": ""}).status_code == 422
    assert client.patch(at, json={"title": "   "}).status_code == 422


def test_a_title_is_part_of_the_log_and_replays() -> None:
    chat = Holdfast().session("s")
    chat.rename("Holidays")
    assert chat.at(chat.state.version).conversation.title == "Holidays"
    before = chat.state.version
    chat.rename("Holidays")
    assert chat.state.version == before, "the same title again is no change"
    with pytest.raises(InvalidInput, match="1 to 120 characters"):
        chat.rename("x" * 121)


def test_a_slot_is_set_by_hand_told_to_the_agent_and_taken_back(client: TestClient) -> None:
    at = opened(client, pack="vibehuntr")
    version = client.post(f"{at}/hear", json={"text": TEXT}).json()["version"]
    set_ = client.patch(f"{at}/context/location", json={"value": "Boston"})
    assert set_.status_code == 200
    assert "Boston" in client.get(f"{at}/context").json()["context"]
    client.post(f"{at}/restore", json={"version": version})
    assert "philadelphia" in client.get(f"{at}/context").json()["context"].lower()


def test_a_slot_that_the_pack_does_not_have_is_named_with_those_it_has(client: TestClient) -> None:
    at = opened(client, pack="vibehuntr")
    wrong = client.patch(f"{at}/context/colour", json={"value": "red"})
    assert wrong.status_code == 404
    assert "location" in wrong.json()["detail"]
    assert client.patch(f"{at}/context/location", json={"value": ""}).status_code == 422


def test_what_would_be_sent_next_follows_a_clear_at_once(client: TestClient) -> None:
    at = opened(client, pack="vibehuntr")
    client.post(f"{at}/hear", json={"text": TEXT})
    before = client.get(f"{at}/context").json()
    assert "philadelphia" in before["context"].lower()
    assert before["tokens"] > 0
    client.delete(f"{at}/context")
    after = client.get(f"{at}/context").json()
    assert (after["context"], after["tokens"]) == ("", 0)


def test_a_message_may_name_the_model_that_answers_it(client: TestClient) -> None:
    at = opened(client, pack="general")
    with upstream() as (address, model):
        model.replies = ["Said by the model."]
        where = {"where": address, "name": "big", "key": "secret"}
        found = client.post("/api/models", json=where).json()
        assert found == {"address": address, "name": "big", "names": ["big"]}
        said = client.post(f"{at}/chat", json={"text": "hello", "model": where}).json()
        assert said["replies"][0]["text"] == "Said by the model."
        assert model.headers[-1]["authorization"] == "Bearer secret"
    said = client.post(f"{at}/chat", json={"text": "hello again", "model": {"where": "built-in"}}).json()
    assert said["replies"][0]["text"] != "Said by the model."


def test_the_servers_own_key_goes_to_no_address_that_a_message_names(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODEL_KEY", "of-the-server")
    at = opened(client, pack="general")
    with upstream() as (address, model):
        client.post(f"{at}/chat", json={"text": "hello", "model": {"where": address, "name": "big"}})
        assert "of-the-server" not in str(model.headers)


def test_where_there_are_keys_the_model_is_not_for_the_caller_to_choose(start: Start) -> None:
    client = start(keys=("acme:read+write:0123456789abcdef",))
    client.headers["authorization"] = "Bearer 0123456789abcdef"
    assert client.get("/api/about").json()["choice"] is False
    refused = client.post("/api/models", json={"where": "http://127.0.0.1:1/v1"})
    assert refused.status_code == 409
    assert "--model" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("status", "reason", "advice"),
    [
        (401, "key", "Check the key."),
        (404, "unknown", "Check the model's name and the address."),
        (429, "busy", "Wait a moment, then try again."),
        (503, "fault", "Try again in a moment."),
    ],
)
def test_an_error_of_the_model_is_said_in_plain_words(status: int, reason: str, advice: str) -> None:
    import httpx2

    with upstream() as (address, model), served() as at, httpx2.Client(base_url=at, timeout=30) as http:
        model.replies = [status]
        http.post("/api/sessions", json={"id": "s", "pack": "general"})
        said = http.post(
            "/api/sessions/s/chat/stream", json={"text": "hello", "model": {"where": address, "name": "big"}}
        ).text
        assert f'"reason":"{reason}"' in said
        assert advice in said
        assert "slow down" in said, "what the endpoint itself said is passed on"


def test_a_model_that_is_busy_for_a_moment_is_asked_once_more(client: TestClient) -> None:
    at = opened(client, pack="general")
    with upstream() as (address, model):
        model.replies = [503, "Now I can."]
        said = client.post(f"{at}/chat", json={"text": "hello", "model": {"where": address, "name": "big"}}).json()
        assert said["replies"][0]["text"] == "Now I can."


def test_a_model_that_nobody_serves_is_named_with_what_to_check(client: TestClient) -> None:
    wrong = client.post("/api/models", json={"where": "http://127.0.0.1:9/v1"})
    assert wrong.status_code == 502
    assert wrong.json()["detail"] == (
        "Nothing answers at http://127.0.0.1:9/v1. Check the address, and that it is running."
    )
    assert client.post("/api/models", json={"where": "not an address"}).status_code == 422


def test_a_remembered_item_is_edited_and_its_old_value_stays_in_the_chain(client: TestClient) -> None:
    at = opened(client, pack="copilot_cli", user="u", project="p")
    client.post(f"{at}/hear", json={"text": "I prefer tabs over spaces"})
    old = client.get(f"{at}/memory").json()["items"][0]
    new = client.patch(f"{at}/memory/{old['id']}", json={"value": "four spaces"}).json()["item"]
    chain = client.get(f"{at}/memory/{new['id']}/chain").json()["items"]
    assert [item["value"] for item in chain] == ["tabs", "four spaces"]
    client.post(f"{at}/memory/{new['id']}/undo")
    assert [item["value"] for item in client.get(f"{at}/memory").json()["items"]] == ["tabs"]
    assert client.patch(f"{at}/memory/nothing", json={"value": "x"}).status_code == 404
