"""What is asked twice is done once; what another server erased is gone here too; and what a model's endpoint keeps
belongs to one tenant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from holdfast.models.endpoints import Upstream as Where
from holdfast.server.api import ENDPOINTS
from tests.server.conftest import Start
from tests.server.running import served, until
from tests.server.upstream import upstream

ONE, TWO = "token-of-tenant-one", "token-of-tenant-two"
KEYS = (f"one:read+write+erase:{ONE}", f"two:read+write+erase:{TWO}")
AGAIN = {"idempotency-key": "k-1"}


def as_(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


# By function of the API: path and body. {i} and {o} are items of the memory.
WRITES: dict[str, tuple[str, Any]] = {
    "hear": ("/api/sessions/s/hear", {"text": "in Boston"}),
    "say": ("/api/sessions/s/say", {"text": "Noted."}),
    "chat": ("/api/sessions/s/chat", {"text": "I live in Boston"}),
    "stream_chat": ("/api/sessions/s/chat/stream", {"text": "I live in Boston"}),
    "open_session": ("/api/sessions", {}),
    "rename_session": ("/api/sessions/s", {"title": "A river"}),
    "set_language": ("/api/sessions/s/language", {"language": "es"}),
    "set_slot": ("/api/sessions/s/context/location", {"value": "Oslo"}),
    "clear_all": ("/api/sessions/s/context", None),
    "clear_one": ("/api/sessions/s/context/name", None),
    "restore": ("/api/sessions/s/restore", {"version": 2}),
    "rewind": ("/api/sessions/s/rewind", {"version": 2}),
    "put_plan": ("/api/sessions/s/plan", {"steps": ["look", "book"]}),
    "mark_step": ("/api/sessions/s/plan/steps/1", {"status": "done"}),
    "interrupt": ("/api/sessions/s/interrupt", {}),
    "add_item": ("/api/sessions/s/memory", {"value": "tabs over spaces", "kind": "preference"}),
    "edit_item": ("/api/sessions/s/memory/{i}", {"value": "Helix"}),
    "supersede_item": ("/api/sessions/s/memory/{i}/supersede", {"new": "{o}"}),
    "undo_item": ("/api/sessions/s/memory/{i}/undo", None),
    "add_memory_of_user": ("/api/users/u/memory", {"text": "I like tea"}),
    "update_memory_of_user": ("/api/users/u/memory/{i}", {"text": "Helix"}),
    "undo_memory_of_user": ("/api/users/u/memory/{i}/undo", None),
    "delete_memory_of_user": ("/api/users/u/memory/{i}", None),
    "delete_memories_of_user": ("/api/users/u/memory", None),
}
OTHERS = {"find_model", "take_archive", "erase_session", "erase_user", "erase_project"}
"""What writes nothing that a second time would double."""
NOTED = {"rename_session", "interrupt"}
"""Functions that answer with how things stand now."""


def test_every_write_has_a_row() -> None:
    writing = {endpoint.name for endpoint in ENDPOINTS if endpoint.scope != "read"}
    assert {name for name in writing - OTHERS if not name.endswith("_of_project")} == set(WRITES)


@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_is_sent_again_under_its_key_is_done_once_whatever_came_since(start: Start, name: str) -> None:
    client = start(pack="general")
    method = next(endpoint.method for endpoint in ENDPOINTS if endpoint.name == name)
    path, body = WRITES[name]
    client.post("/api/sessions", json={"id": "s", "user": "u"})
    client.post("/api/sessions/s/hear", json={"text": "my name is Dana and I always use Neovim"})
    client.post("/api/sessions/s/say", json={"text": "Where do you live?"})
    client.put("/api/sessions/s/plan", json={"steps": ["one", "two"]})
    client.post("/api/sessions/s/memory", json={"value": "Emacs", "kind": "preference"})
    other, item = (one["id"] for one in client.get("/api/sessions/s/memory").json()["items"][-2:])

    def send() -> Any:
        filled = {} if body is None else {name: other if value == "{o}" else value for name, value in body.items()}
        sent = client.request(method, path.format(i=item), headers=AGAIN, json=None if body is None else filled)
        assert sent.status_code in (200, 201), sent.text
        return sent.text

    def stand() -> tuple[Any, ...]:
        known = client.get("/api/users/u/memory").json()
        return len(client.get("/api/sessions").json()["sessions"]), said(client), known

    first, after = send(), stand()
    assert (send() == first, stand()) == (True, after)
    client.post("/api/sessions/s/hear", json={"text": "thanks a lot"})
    after = stand()
    assert send() == first or name in NOTED
    assert stand() == after


def said(client: Any, session: str = "s") -> list[str]:
    entries = client.get(f"/api/sessions/{session}/history", params={"limit": 100}).json()["entries"]
    return [entry["text"] or entry["role"] for entry in entries]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("body", [{"messages": [{"role": "user", "content": "in Boston"}]}, {"input": "in Boston"}])
def test_a_message_that_is_sent_again_through_the_proxy_is_heard_and_answered_once(
    tmp_path: Path, body: dict[str, Any], stream: bool
) -> None:
    path = "chat/completions" if "messages" in body else "responses"
    for named in ({}, {"x-holdfast-session": "s"}):
        with upstream() as (address, model):
            where: list[dict[str, Any]] = [{}, {"upstream": Where(address, "upstream-key")}]
            for settings in where:
                model.replies = ["All right.", "Go on.", "Something else."]
                with served(**settings) as at, httpx2.Client(base_url=at) as client:

                    def send(text: str, key: str, client: httpx2.Client = client, named: Any = named) -> str:
                        asked = body | {"model": "big", "stream": stream}
                        if "input" in body:
                            asked["input"] = text
                        else:
                            asked["messages"] = [{"role": "user", "content": text}]
                        sent = client.post(f"/v1/{path}", json=asked, headers=named | {"idempotency-key": key})
                        assert sent.status_code == 200, sent.text
                        return sent.headers["x-holdfast-session"]

                    session = send("in Boston", "k-1")
                    client.post(f"/api/sessions/{session}/hear", json={"text": "and I like tea"})
                    held = said(client, session)
                    assert send("in Boston", "k-1") == session
                    assert said(client, session) == held
                    assert len(client.get("/api/sessions").json()["sessions"]) == 1


def test_a_key_is_for_one_message(start: Start) -> None:
    client = start()
    client.post("/api/sessions", json={"id": "s"})
    client.post("/api/sessions/s/hear", json={"text": "one"}, headers=AGAIN)
    other = client.post("/api/sessions/s/hear", json={"text": "two"}, headers=AGAIN)
    assert other.status_code == 422
    assert "used for another message" in other.json()["detail"]


def test_clearing_twice_under_one_key_clears_once(start: Start) -> None:
    client = start()
    client.post("/api/sessions", json={"id": "s"})
    client.post("/api/sessions/s/hear", json={"text": "my name is Dana"})
    first, second = (client.delete("/api/sessions/s/context/name", headers=AGAIN) for _ in range(2))
    assert first.json() == second.json()
    assert client.delete("/api/sessions/s/context/name").status_code == 404


def test_an_erased_person_does_not_come_back_through_another_server(start: Start, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    one, two = start(store=store), start(store=store)
    one.post("/api/sessions", json={"id": "s", "user": "dana"})
    assert two.post("/api/sessions/s/hear", json={"text": "my name is Dana"}).status_code == 200
    assert two.get("/api/sessions").json()["sessions"][0]["user"] == "dana"
    erased = one.delete("/api/users/dana").json()
    assert erased["rows"] == 2
    assert two.post("/api/sessions/s/hear", json={"text": "hello"}).status_code == 404
    one.post("/api/sessions", json={"id": "s"})
    assert two.post("/api/sessions/s/hear", json={"text": "hello"}).status_code == 200
    assert two.get("/api/sessions/s").json()["user"] is None
    until(lambda: b"dana" not in (tmp_path / "chat.db").read_bytes())


@pytest.mark.parametrize("origin", ["http://[", "http://127.0.0.1:99999999", "null", "//", "http://evil.example"])
def test_an_origin_that_is_none_of_ours_is_refused_whatever_it_looks_like(start: Start, origin: str) -> None:
    assert start().get("/api/sessions", headers={"origin": origin}).status_code == 403


def test_a_response_that_is_kept_upstream_is_for_the_tenant_that_it_was_given_to(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    with upstream() as (address, model):
        where: dict[str, Any] = {"upstream": Where(address, "upstream-key"), "keys": KEYS, "store": store}
        with served(**where) as at:
            body = {"model": "big", "input": "my name is Dana"}
            first = httpx2.post(f"{at}/v1/responses", json=body, headers=as_(ONE)).json()["id"]
            _refused(at, first, model.asked)
            assert httpx2.get(f"{at}/v1/responses/{first}", headers=as_(ONE)).json()["id"] == first
        with served(**where) as at:  # started anew: it is on record
            _refused(at, first, model.asked)
            more = {"model": "big", "input": "and on", "previous_response_id": first}
            assert httpx2.post(f"{at}/v1/responses", json=more, headers=as_(ONE)).status_code == 200


def _refused(at: str, id: str, asked: list[dict[str, Any]]) -> None:
    before = len(asked)
    more = {"model": "big", "input": "tell me", "previous_response_id": id}
    assert httpx2.post(f"{at}/v1/responses", json=more, headers=as_(TWO)).status_code == 404
    for method, path in (("GET", id), ("DELETE", id), ("GET", f"{id}/input_items"), ("POST", f"{id}/cancel")):
        assert httpx2.request(method, f"{at}/v1/responses/{path}", headers=as_(TWO)).status_code == 404
    assert len(asked) == before


def test_a_conversation_that_is_kept_upstream_is_one_tenants(tmp_path: Path) -> None:
    with upstream() as (address, model), served(upstream=Where(address, "upstream-key"), keys=KEYS) as at:
        body = {"model": "big", "input": "my name is Dana", "conversation": "conv_1"}
        assert httpx2.post(f"{at}/v1/responses", json=body, headers=as_(ONE)).status_code == 200
        asked = len(model.asked)
        until(lambda: httpx2.post(f"{at}/v1/responses", json=body, headers=as_(TWO)).status_code == 404)
        assert len(model.asked) - asked <= 1
