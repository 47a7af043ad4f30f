"""The JSON API: everything of the public face over HTTP, and errors that say what to do next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from holdfast import Holdfast, errors
from holdfast.exchange import transcripts as exchange
from holdfast.packs.general import PACK as GENERAL
from holdfast.server.problems import problem
from tests.server.conftest import Start
from tests.server.desk import DESK

FACULTIES = {faculty.name for faculty in GENERAL.faculties}
remembers = pytest.mark.skipif("memory" not in FACULTIES, reason="the general pack has no memory yet")
plans = pytest.mark.skipif("task" not in FACULTIES, reason="the general pack has no tasks yet")


def opened(client: TestClient, id: str = "s-1", **more: str) -> str:
    made = client.post("/api/sessions", json={"id": id, **more})
    assert made.status_code == 201, made.text
    return f"/api/sessions/{id}"


def test_a_session_is_made_once_and_found_again_with_what_it_was_opened_with(client: TestClient) -> None:
    opened(client, "s-1", user="u-1", project="p-1")
    again = client.post("/api/sessions", json={"id": "s-1"})
    assert again.status_code == 200
    info = client.get("/api/sessions/s-1").json()
    assert (info["user"], info["project"], info["pack"]) == ("u-1", "p-1", "desk")
    other = client.post("/api/sessions", json={"id": "s-1", "user": "u-2"})
    assert other.status_code == 409
    assert "belongs to user" in other.json()["detail"]


def test_a_session_without_an_id_gets_one_and_says_where_it_is(client: TestClient) -> None:
    made = client.post("/api/sessions", json={})
    assert made.status_code == 201
    assert client.get(made.headers["location"]).json()["id"] == made.json()["id"]


def test_what_is_heard_comes_back_as_context_with_its_receipt(client: TestClient) -> None:
    at = opened(client)
    turn = client.post(f"{at}/hear", json={"text": "my name is Dana"}).json()
    assert turn["context"] == "[CONTEXT: User's name: Dana]"
    assert turn["prompt"] == "[CONTEXT: User's name: Dana]\n\nmy name is Dana"
    assert turn["messages"][-1] == {"role": "user", "content": turn["prompt"]}
    learned = [line for line in turn["receipt"]["lines"] if line["did"] == "learned"]
    assert learned[0]["words"] == "Dana"
    reply = client.post(f"{at}/say", json={"text": "Hello Dana. What is your name?"}).json()
    assert not reply["allowed"]
    assert reply["violations"][0]["rule"] == "slots.known"


def test_the_guard_alone_records_nothing(client: TestClient) -> None:
    at = opened(client)
    client.post(f"{at}/hear", json={"text": "my name is Dana"})
    before = client.get(at).json()["version"]
    assert client.post(f"{at}/check", json={"text": "What is your name?"}).json()["allowed"] is False
    assert client.get(at).json()["version"] == before


def test_context_is_shown_in_parts_and_cleared_one_by_one_or_whole(client: TestClient) -> None:
    at = opened(client)
    client.post(f"{at}/hear", json={"text": "my name is Dana and my email is dana@example.org"})
    context = client.get(f"{at}/context").json()
    assert {item["key"]: item["value"] for item in context["items"]}["User's name"] == "Dana"
    gone = client.delete(f"{at}/context/name")
    assert gone.status_code == 200
    assert "name" not in client.get(f"{at}/state").json()["slices"]["slots"]["values"]
    assert client.delete(f"{at}/context/nothing").status_code == 404
    client.delete(f"{at}/context")
    assert not client.get(f"{at}/state").json()["slices"]["slots"].get("values")


def test_the_state_of_any_version_can_be_seen(client: TestClient) -> None:
    at = opened(client)
    version = client.post(f"{at}/hear", json={"text": "my name is Dana"}).json()["version"]
    client.post(f"{at}/hear", json={"text": "no, my name is Robin"})
    then = client.get(f"{at}/state", params={"version": version}).json()
    assert then["slices"]["slots"]["values"]["name"]["value"] == "Dana"
    assert client.get(f"{at}/state", params={"version": 99}).status_code == 404


def test_history_is_paged_from_the_end(client: TestClient) -> None:
    at = opened(client)
    for number in range(5):
        client.post(f"{at}/hear", json={"text": f"message {number}"})
    page = client.get(f"{at}/history", params={"limit": 2}).json()
    assert [entry["text"] for entry in page["entries"]] == ["message 3", "message 4"]
    older = client.get(f"{at}/history", params={"limit": 2, "before": page["next"]}).json()
    assert [entry["text"] for entry in older["entries"]] == ["message 1", "message 2"]
    one = client.get(f"{at}/history/2").json()
    assert one["text"] == "message 0"


def test_sessions_are_paged_by_id(client: TestClient) -> None:
    for name in ("a", "b", "c"):
        opened(client, name)
    page = client.get("/api/sessions", params={"limit": 2}).json()
    assert [info["id"] for info in page["sessions"]] == ["a", "b"]
    rest = client.get("/api/sessions", params={"limit": 2, "after": page["next"]}).json()
    assert [info["id"] for info in rest["sessions"]] == ["c"]
    assert rest["next"] is None


def test_messages_are_found_in_one_session_and_in_all(client: TestClient) -> None:
    for name in ("a", "b"):
        client.post(f"{opened(client, name)}/hear", json={"text": f"the walrus of {name}"})
    assert len(client.get("/api/search", params={"query": "walrus"}).json()["hits"]) == 2
    own = client.get("/api/sessions/a/search", params={"query": "walrus"}).json()["hits"]
    assert [hit["text"] for hit in own] == ["the walrus of a"]


def test_an_export_can_be_read_in_elsewhere(client: TestClient) -> None:
    at = opened(client, user="u-1")
    client.post(f"{at}/hear", json={"text": "my name is Dana"})
    client.post(f"{at}/say", json={"text": "Hello", "agent": "greeter"})
    export = client.get(f"{at}/export")
    lines = [json.loads(line) for line in export.text.splitlines()]
    assert lines[0] == {"session": "s-1", "pack": "desk", "user": "u-1"}
    assert [line.get("text") for line in lines[2:]] == ["my name is Dana", "Hello"]
    assert lines[3]["agent"] == "greeter"
    with Holdfast(pack=DESK) as elsewhere:
        for told in exchange.parse(export.content, "export.jsonl", "s-1"):
            exchange.take_in(elsewhere, told)
        assert elsewhere.session("s-1").state.slots.get("name") == "Dana"


def test_erasure_is_real_and_a_new_session_of_that_name_starts_empty(client: TestClient) -> None:
    at = opened(client, user="u-1")
    client.post(f"{at}/hear", json={"text": "my name is Dana"})
    assert client.delete("/api/users/u-1").json()["rows"] >= 2
    assert client.get(at).status_code == 404
    assert client.post(f"{at}/hear", json={"text": "hello"}).status_code == 404
    opened(client, user="u-1")
    assert client.post(f"{at}/hear", json={"text": "hello"}).json()["context"] == ""


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "memory", None),
        ("GET", "memory/search?query=x", None),
        ("PUT", "plan", {"steps": ["look", "leap"]}),
        ("PUT", "plan/steps/1", {"status": "done"}),
        ("POST", "interrupt", {}),
    ],
)
def test_what_the_pack_cannot_do_is_said_clearly(client: TestClient, method: str, path: str, body: object) -> None:
    answer = client.request(method, f"{opened(client)}/{path}", json=body)
    assert answer.status_code == 501
    assert answer.json()["type"] == "urn:holdfast:problem:not-supported"
    assert "pack desk" in answer.json()["detail"]


@remembers
def test_memory_is_read_with_its_chains_written_undone_and_searched(client: TestClient) -> None:
    at = opened(client, pack="general", user="u-1")
    one, two = (
        client.post(f"{at}/memory", json={"value": value, "kind": "decision"}).json()["item"]["id"]
        for value in ("we ship on Fridays", "we ship on Mondays")
    )
    found = client.get(f"{at}/memory/search", params={"query": "ship"}).json()["items"]
    assert {hit["item"]["value"] for hit in found} == {"we ship on Fridays", "we ship on Mondays"}
    assert client.post(f"{at}/memory/{one}/supersede", json={"new": two}).status_code == 200
    current = client.get(f"{at}/memory", params={"kind": "decisions"}).json()["items"]
    assert [item["id"] for item in current] == [two]
    ever = client.get(f"{at}/memory", params={"kind": "decisions", "history": True}).json()["items"]
    assert [item["id"] for item in ever] == [one, two]
    assert [item["id"] for item in client.get(f"{at}/memory/{two}/chain").json()["items"]] == [one, two]
    assert client.get(f"{at}/memory", params={"as_of": 1.0}).json()["items"] == []
    assert client.post(f"{at}/memory/{two}/undo").status_code == 200
    assert [i["id"] for i in client.get(f"{at}/memory", params={"kind": "decisions"}).json()["items"]] == [one]
    assert client.post(f"{at}/memory/none/undo").status_code == 404


@plans
def test_a_plan_is_handed_over_marked_and_interrupted(client: TestClient) -> None:
    at = opened(client, pack="general")
    client.post(f"{at}/hear", json={"text": "Plan a trip to Boston and book a hotel"})
    assert client.put(f"{at}/plan", json={"steps": ["find a train", "book a hotel"]}).status_code == 200
    marked = client.put(f"{at}/plan/steps/1", json={"status": "done"})
    assert marked.status_code == 200
    assert marked.json()["receipt"]["lines"]
    assert client.put(f"{at}/plan/steps/9", json={"status": "done"}).status_code in (404, 409, 422)
    assert client.post(f"{at}/interrupt", json={}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "kind"),
    [
        ("POST", "/api/sessions", {"id": "a/b"}, 422, "invalid-request"),
        ("POST", "/api/sessions", {"pack": "no-such"}, 404, "unknown-pack"),
        ("POST", "/api/sessions", {"colour": "red"}, 422, "invalid-request"),
        ("POST", "/api/sessions/none/hear", {"text": "hi"}, 404, "unknown-session"),
        ("POST", "/api/sessions/s-1/hear", {"text": " "}, 422, "invalid-input"),
        ("POST", "/api/sessions/s-1/hear", {"text": 5}, 422, "invalid-request"),
        ("POST", "/api/sessions/s-1/hear", {"text": "hi", "attached": {"odd": 1}}, 422, "invalid-input"),
        ("GET", "/api/sessions/s-1/history?limit=0", None, 422, "invalid-request"),
        ("GET", "/api/sessions/s-1/history/77", None, 404, "unknown-version"),
        ("GET", "/api/nothing", None, 404, "not-found"),
        ("PUT", "/api/sessions", {}, 405, "method-not-allowed"),
    ],
)
def test_errors_are_problem_details(
    client: TestClient, method: str, path: str, body: object, status: int, kind: str
) -> None:
    opened(client)
    answer = client.request(method, path, json=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == f"urn:holdfast:problem:{kind}"
    assert answer.json()["status"] == status


def test_what_is_not_json_is_refused_with_the_place(client: TestClient) -> None:
    opened(client)
    broken = client.post("/api/sessions/s-1/hear", content=b"{", headers={"content-type": "application/json"})
    assert broken.status_code == 400
    form = client.post("/api/sessions/s-1/hear", content=b'{"text":"hi"}', headers={"content-type": "text/plain"})
    assert form.status_code == 415
    wrong = client.post("/api/sessions/s-1/hear", json={"text": 5}).json()
    assert wrong["errors"][0]["pointer"] == "/text"


def test_every_error_of_holdfast_has_a_status_of_its_own_kind() -> None:
    kinds = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, errors.HoldfastError)]
    for kind in kinds:
        found = problem(kind("what to do next"))
        assert 400 <= found.status < 600
        assert found.detail == "what to do next"


def test_health_metrics_docs_and_the_front_page_answer(client: TestClient) -> None:
    opened(client)
    assert client.get("/healthz").json() == {"status": "ok"}
    metrics = client.get("/metrics").text
    assert 'holdfast_requests_total{method="POST",route="/api/sessions",status="201"} 1' in metrics
    assert 'holdfast_request_seconds_bucket{route="/api/sessions",le="+Inf"} 1' in metrics
    assert "/api/sessions/{id}/hear" in client.get("/docs").text
    assert "/docs" in client.get("/").text
    assert [pack["name"] for pack in client.get("/api/packs").json()["packs"] if pack["default"]] == ["desk"]


def test_the_built_in_agent_answers_a_whole_exchange(client: TestClient) -> None:
    at = opened(client)
    client.post(f"{at}/hear", json={"text": "my name is Dana"})
    exchange = client.post(f"{at}/chat", json={"text": "what now?"}).json()
    assert exchange["turn"]["context"] == "[CONTEXT: User's name: Dana]"
    assert [reply["text"] for reply in exchange["replies"]] == ["Hello Dana, you said: what now?"]
    assert [e["role"] for e in client.get(f"{at}/history").json()["entries"]] == ["call", "person", "person", "agent"]


def test_a_session_keeps_its_pack(client: TestClient) -> None:
    at = opened(client, "g", pack="general")
    assert client.get(at).json()["pack"] == "general"
    assert client.post("/api/sessions", json={"id": "g", "pack": "desk"}).status_code == 409
    client.post(f"{at}/hear", json={"text": "my name is Dana, dana@example.org"})
    assert "email" in client.get(f"{at}/state").json()["slices"]["slots"]["values"]


def test_a_name_with_a_slash_is_reached_in_its_written_form(start: Start) -> None:
    client = start()
    client.post(
        "/v1/chat/completions",
        json={
            "model": "holdfast/desk",
            "user": "team/dana",
            "messages": [{"role": "user", "content": "my name is Dana"}],
        },
    )
    found = client.get("/api/sessions/team%2Fdana/context").json()
    assert found["clears"] == ["name"]
    assert client.get("/api/sessions/team/dana/context").status_code == 404


@remembers
def test_memory_is_paged_from_the_end(client: TestClient) -> None:
    at = opened(client, pack="general")
    for value in ("one", "two", "three"):
        client.post(f"{at}/memory", json={"value": value})
    last = client.get(f"{at}/memory", params={"limit": 2}).json()
    assert [item["value"] for item in last["items"]] == ["two", "three"]
    first = client.get(f"{at}/memory", params={"limit": 2, "before": last["next"]}).json()
    assert [item["value"] for item in first["items"]] == ["one"]
    assert first["next"] is None


def test_a_session_of_a_pack_that_is_gone_is_still_listed_and_can_be_erased(start: Start, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'h.db'}"
    with Holdfast(store, GENERAL.but(name="gone")) as hf:
        hf.session("old").hear("my name is Dana")
    client = start(store=store)
    opened(client, "new")
    for order in ("id", "newest"):
        listed = client.get("/api/sessions", params={"order": order}).json()["sessions"]
        assert {one["id"] for one in listed} == {"old", "new"}
    assert client.delete("/api/sessions/old").status_code == 200
    assert [one["id"] for one in client.get("/api/sessions").json()["sessions"]] == ["new"]


def test_all_that_is_remembered_is_listed_also_what_a_project_is_built_on(start: Start) -> None:
    client = start(pack="copilot_cli")
    at = opened(client, "s-1", user="u", project="p")
    client.post(f"{at}/hear", json={"text": "we use PostgreSQL for this project"})
    found = client.get(f"{at}/memory/search", params={"query": "PostgreSQL"}).json()
    listed = client.get(f"{at}/memory").json()["items"]
    assert {one["item"]["id"] for one in found["items"]} <= {item["id"] for item in listed}
    assert listed
