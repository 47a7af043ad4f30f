"""Whole archives over HTTP: out as a stream, in as a whole or not at all, and never across tenants."""

from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import Start
from tests.server.test_api import opened

KIND = {"content-type": "application/x-ndjson"}
KEYS = ("acme:read+write+erase:acme-token-long-enough", "other:read+write:other-token-long-enough")
ACME, OTHER = ({"authorization": f"Bearer {key.rsplit(':', 1)[1]}"} for key in KEYS)


def filled(client: TestClient, **more: dict[str, str]) -> None:
    for id, user in (("a", "dana"), ("b", "dana"), ("c", "bo")):
        client.post("/api/sessions", json={"id": id, "user": user, "pack": "general"}, **more)  # type: ignore[arg-type]
        client.post(f"/api/sessions/{id}/hear", json={"text": f"my name is {user.title()}"}, **more)  # type: ignore[arg-type]


def test_everything_comes_in_as_it_went_out(start: Start) -> None:
    first, second = start(), start()
    filled(first)
    data = first.get("/api/archive")
    assert data.headers["content-type"].startswith("application/x-ndjson")
    done = second.post("/api/archive", content=data.content, headers=KIND).json()
    assert (done["logs"], done["known"]) == (5, 0)
    assert second.get("/api/archive").content == data.content
    again = second.post("/api/archive", content=data.content, headers=KIND).json()
    assert (again["added"], again["known"]) == (0, done["added"])
    for id in "abc":
        path = f"/api/sessions/{id}/state"
        assert second.get(path).json() == first.get(path).json()
    assert second.post("/api/sessions/a/hear", json={"text": "who am I?"}).json()["context"].count("Dana") == 1


@pytest.mark.parametrize(("whose", "names"), [("user=dana", {"a", "b", "dana"}), ("session=c", {"c", "bo"})])
def test_one_user_or_session_can_be_had(start: Start, whose: str, names: set[str]) -> None:
    client = start()
    filled(client)
    lines = [json.loads(line) for line in client.get(f"/api/archive?{whose}").text.splitlines()]
    assert {line["name"] for line in lines if "log" in line} == names


def test_a_tenant_gets_its_own_and_brings_in_nothing_of_another(start: Start) -> None:
    client = start(keys=KEYS)
    filled(client, headers=ACME)
    client.post("/api/sessions", json={"id": "z"}, headers=OTHER)
    mine = client.get("/api/archive", headers=ACME).content
    assert b"@other/" not in mine
    theirs = client.get("/api/archive", headers=OTHER).content
    assert b"acme" not in theirs
    assert client.get("/api/archive?session=a", headers=OTHER).status_code == 404
    refused = client.post("/api/archive", content=mine, headers=OTHER | KIND)
    assert refused.status_code == 409
    assert "is of the tenant 'acme'" in refused.json()["detail"]
    assert "goes back there only" in refused.json()["detail"]
    assert [one["id"] for one in client.get("/api/sessions", headers=OTHER).json()["sessions"]] == ["z"]
    assert client.post("/api/archive", content=mine, headers=ACME | KIND).json()["added"] == 0
    assert client.get("/api/archive").status_code == 401


def test_what_is_no_archive_too_large_or_broken_is_refused_and_nothing_is_written(start: Start) -> None:
    client = start(archive_limit=100_000)
    filled(client)
    whole = client.get("/api/archive?session=a").content
    client.delete("/api/sessions/a")
    broken = whole.replace(b'"type":"language_set"', b'"type":"language_set","scope":7')
    assert broken != whole
    for content, status in ((b"hello", 422), (b"", 422), (broken, 422), (b"x" * 100_001, 413)):
        answer = client.post("/api/archive", content=content, headers=KIND)
        assert answer.status_code == status, answer.text
        assert answer.json()["detail"]
    assert client.post("/api/archive", content=whole).status_code == 415
    assert client.get("/api/sessions/a").status_code == 404
    assert client.get("/api/archive?session=a&user=dana").status_code == 422
    assert opened(client, "d")
