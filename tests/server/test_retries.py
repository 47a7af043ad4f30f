"""What is asked twice is done once; what another server erased is gone here too; and what a model's endpoint keeps
belongs to one tenant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from holdfast.models.endpoints import Upstream as Where
from tests.server.conftest import Start
from tests.server.running import served, until
from tests.server.upstream import upstream

ONE, TWO = "token-of-tenant-one", "token-of-tenant-two"
KEYS = (f"one:read+write+erase:{ONE}", f"two:read+write+erase:{TWO}")
AGAIN = {"idempotency-key": "k-1"}


def as_(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_a_write_that_is_sent_twice_under_one_key_is_done_once(start: Start) -> None:
    client = start()
    made = [client.post("/api/sessions", json={}, headers=AGAIN).json()["id"] for _ in range(2)]
    assert made[0] == made[1]
    at = f"/api/sessions/{made[0]}"
    sent: tuple[tuple[str, dict[str, Any]], ...] = (
        ("hear", {"text": "my name is Dana"}),
        ("say", {"text": "Where do you live?"}),
        ("chat", {"text": "my mail is dana@example.org"}),
    )
    for verb, body in sent:
        key = {"idempotency-key": f"key-of-{verb}"}
        first, second = (client.post(f"{at}/{verb}", json=body, headers=key) for _ in range(2))
        assert (first.status_code, second.status_code) == (200, 200)
        assert first.json() == second.json()
    said = [entry["text"] for entry in client.get(f"{at}/history").json()["entries"] if entry["text"]]
    assert said == ["my name is Dana", "Where do you live?", sent[2][1]["text"], said[-1]]
    assert len(said) == 4


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
