"""The memory of users and projects over HTTP, without a session."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import Start

ONE, TWO, SHY = "token-of-tenant-one", "token-of-tenant-two", "token-that-erases-not"
KEYS = (f"one:read+write+erase:{ONE}", f"two:read+write+erase:{TWO}", f"one:read+write:{SHY}")


def as_(token: str, **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", **more}


@pytest.fixture
def client(start: Start) -> TestClient:
    return start(pack="general")


def add(client: TestClient, text: Any, at: str = "/api/users/dana/memory", **headers: str) -> list[Any]:
    answer = client.post(at, json={"text" if isinstance(text, str) else "messages": text}, headers=headers)
    assert answer.status_code == 201, answer.text
    return [(one["event"], one["item"]["slot"], one["item"]["value"]) for one in answer.json()["results"]]


@pytest.mark.parametrize("at", ["/api/users/dana/memory", "/api/projects/shop/memory"])
def test_a_memory_is_kept_corrected_searched_and_let_go_of_without_a_session(client: TestClient, at: str) -> None:
    assert add(client, "I live in Lyon", at) == [("ADD", "home", "Lyon")]
    assert add(client, "I've moved to Rome", at) == [("UPDATE", "home", "Rome")]
    (item,) = client.get(at).json()["items"]
    assert client.get(f"{at}/{item['id']}").json()["item"]["value"] == "Rome"
    new = client.patch(f"{at}/{item['id']}", json={"text": "I live in Paris"}).json()["item"]
    assert new["value"] == "Paris"
    chain = client.get(f"{at}/{new['id']}/history").json()["items"]
    assert [one["value"] for one in chain] == ["Lyon", "Rome", "Paris"]
    assert client.get(f"{at}/search", params={"query": "Paris"}).json()["items"][0]["item"]["id"] == new["id"]
    assert client.delete(f"{at}/{new['id']}").json() == {"deleted": 1, "waiting": ""}
    assert client.get(at).json()["items"] == []
    back = client.post(f"{at}/{new['id']}/undo").json()["items"]
    assert [one["value"] for one in back] == ["Paris"]
    assert client.delete(at).json() == {"deleted": 1, "waiting": ""}
    assert client.get("/api/sessions").json()["sessions"] == []


def test_a_session_of_the_person_is_told_at_once_and_teaches_the_same_memory(client: TestClient) -> None:
    add(client, "I'm allergic to peanuts")
    client.post("/api/sessions", json={"id": "s", "user": "dana"})
    heard = client.post("/api/sessions/s/hear", json={"text": "I live in Lyon. Find me a snack"}).json()
    assert "peanuts" in heard["context"]
    assert [item["slot"] for item in client.get("/api/users/dana/memory").json()["items"]] == ["allergy", "home"]


def test_messages_are_read_and_what_tells_nothing_is_answered_with_nothing(client: TestClient) -> None:
    asked = [{"role": "assistant", "content": "What is your name?"}, {"role": "user", "content": "Dana"}]
    assert add(client, asked) == [("ADD", "name", "Dana")]
    none = client.post("/api/users/dana/memory", json={"text": "What is my name?"})
    assert (none.status_code, none.json()) == (200, {"results": []})
    kept = client.post("/api/users/dana/memory", json={"text": "What is my name?", "infer": False})
    assert kept.json()["results"][0]["item"]["text"] == "What is my name?"


def test_a_write_that_is_sent_twice_under_one_key_is_done_once(client: TestClient) -> None:
    key = {"idempotency-key": "k-1"}
    body = {"text": "Dana's desk is on floor 2"}
    first, second = (client.post("/api/users/dana/memory", json=body, headers=key) for _ in range(2))
    assert first.json() == second.json()
    (item,) = client.get("/api/users/dana/memory").json()["items"]
    at = f"/api/users/dana/memory/{item['id']}"
    key = {"idempotency-key": "k-2"}
    first, second = (client.patch(at, json={"text": "floor 3"}, headers=key) for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json()) == (200, first.json())
    assert len(client.get("/api/users/dana/memory?history=true").json()["items"]) == 2


def test_tenants_have_people_of_their_own_and_erasing_needs_its_scope(start: Start) -> None:
    client = start(pack="general", keys=KEYS)
    assert client.get("/api/users/dana/memory").status_code == 401
    add(client, "I live in Lyon", **as_(ONE))
    assert client.get("/api/users/dana/memory", headers=as_(TWO)).json()["items"] == []
    (item,) = client.get("/api/users/dana/memory", headers=as_(ONE)).json()["items"]
    assert "one/" not in str(item)
    at = f"/api/users/dana/memory/{item['id']}"
    assert client.get(at, headers=as_(TWO)).status_code == 404
    assert client.delete(f"{at}?erase=true", headers=as_(SHY)).status_code == 403
    assert client.delete(f"{at}?erase=true", headers=as_(ONE)).status_code == 200
    assert client.get(at, headers=as_(ONE)).json()["item"]["forgotten"] is True
    add(client, "I live in Lyon", **as_(ONE))
    assert client.delete("/api/users/dana", headers=as_(ONE)).json()["rows"] > 0
    assert client.get("/api/users/dana/memory?history=true", headers=as_(ONE)).json()["items"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("POST", "", {"text": ""}, 422, "length"),
        ("POST", "", {"messages": []}, 422, "length"),
        ("POST", "", {"messages": [{"role": "system", "content": "x"}]}, 422, "system"),
        ("POST", "", {}, 422, "either as `text` or as `messages`"),
        ("POST", "", {"value": "I live in Lyon"}, 422, "value"),
        ("POST", "?pack=nothing", {"text": "I live in Lyon"}, 404, "installed are"),
        ("POST", "?pack=vibehuntr", {"text": "I live in Lyon"}, 501, "keeps no memory"),
        ("GET", "/fact_1", None, 404, "no item"),
        ("PATCH", "/fact_1", {"text": "x"}, 404, "no item"),
        ("DELETE", "/fact_1", None, 404, "no item"),
        ("GET", "/search", None, 422, "query"),
    ],
)
def test_what_cannot_be_done_is_said(
    client: TestClient, method: str, path: str, body: Any, status: int, says: str
) -> None:
    answer = client.request(method, f"/api/users/dana/memory{path}", json=body)
    assert answer.status_code == status
    assert says in answer.json()["detail"]


def test_a_pack_without_a_memory_says_so_as_everywhere(client: TestClient) -> None:
    answer = client.get("/api/users/dana/memory?pack=vibehuntr").json()
    assert answer["type"] == "urn:holdfast:problem:not-supported"


def test_a_server_whose_pack_keeps_no_memory_takes_the_general_one(start: Start) -> None:
    assert add(start(pack="vibehuntr"), "I live in Lyon") == [("ADD", "home", "Lyon")]
