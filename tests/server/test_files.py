"""Files that the pack `grace` made: listed with their versions, fetched safely, erased with their session."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from holdfast.agents.maker import Maker
from holdfast.packs.grace import grace
from holdfast.server import Server, Settings

KEYS = ("a:read+write+erase:aaaaaaaaaaaaaaaaaaaa", "a-b:read+write:bbbbbbbbbbbbbbbbbbbb")
PNG = b"\x89PNG\r\n\x1a\n"


def stroke(program: str, folder: Path) -> str:
    """In place of the program: a picture that differs from run to run."""
    (name,) = re.findall(r"[\w.-]+\.png", program)
    (folder / name).write_bytes(PNG + os.urandom(8))
    return ""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[TestClient]:
    pack = grace().but(agent=Maker(tmp_path / "made", stroke))
    server = Server(Settings(pack="grace", keys=KEYS), (pack,))
    with TestClient(server.app, base_url="http://127.0.0.1", headers=_key("a")) as client:
        client.post("/api/sessions", json={"id": "s-1", "user": "u"})
        yield client


def _key(letter: str) -> dict[str, str]:
    return {"authorization": f"Bearer {letter * 20}"}


def said(client: TestClient, text: str, session: str = "s-1", **more: Any) -> Any:
    answer = client.post(f"/api/sessions/{session}/chat", json={"text": text}, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def listed(client: TestClient, query: str = "") -> list[Any]:
    files: list[Any] = client.get(f"/api/sessions/s-1/files{query}").json()["files"]
    return files


def test_every_version_of_a_file_stays_and_can_be_fetched(studio: TestClient) -> None:
    first = said(studio, "Create an image with a red circle")["replies"][0]
    second = said(studio, "make it blue")["replies"][0]
    (file,) = listed(studio)
    assert (file["kind"], file["revisions"], file["by"]) == ("image/png", 1, "agent")
    assert [one["version"] for one in file["versions"]] == [first["version"], second["version"]]
    older, newer = (studio.get(one["url"]) for one in file["versions"])
    assert older.content.startswith(PNG)
    assert older.content != newer.content
    assert studio.get(file["url"]).content == newer.content
    assert [len(one["versions"]) for one in listed(studio, f"?version={first['version']}")] == [1]
    entry = studio.get(f"/api/sessions/s-1/history/{second['version']}").json()
    assert (entry["files"], entry["agent"]) == ([file["name"]], "specialist")


def test_a_file_comes_with_headers_that_let_it_do_nothing(studio: TestClient) -> None:
    said(studio, "Create an image with a red circle")
    (file,) = listed(studio)
    answer = studio.get(file["url"])
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-disposition"].startswith("inline; filename*=UTF-8''")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert studio.head(file["url"]).status_code == 200


@pytest.mark.parametrize(
    "name", ["../s-1/x.png", "..%2f..%2fetc%2fpasswd", "%2e%2e", ".versions", "/etc/passwd", "passwd", "..\\x", "\x00"]
)
def test_nothing_but_what_was_made_here_can_be_fetched(studio: TestClient, name: str) -> None:
    studio.post("/api/sessions/s-1/hear", json={"text": "look at this", "attached": {"files": ["/etc/passwd"]}})
    assert [file["url"] for file in listed(studio)] == [None]
    assert studio.get(f"/api/sessions/s-1/files/{quote(name, safe='%')}").status_code in (404, 422)


def test_tenants_and_sessions_with_names_alike_share_no_file(studio: TestClient) -> None:
    said(studio, "Create an image with a red circle")
    url = listed(studio)[0]["url"]
    studio.post("/api/sessions", json={"id": "S-1", "user": "u"})
    assert studio.get(url.replace("s-1", "S-1")).status_code == 404
    studio.post("/api/sessions", json={"id": "s-1", "user": "u"}, headers=_key("b"))
    assert studio.get(url, headers=_key("b")).status_code == 404
    studio.post("/api/sessions", json={"id": "b-s-1", "user": "u"})  # "@a/b-s-1" beside "@a-b/s-1"
    said(studio, "Create an image with a red circle", headers=_key("b"))
    assert studio.get(url.replace("s-1", "b-s-1")).status_code == 404


@pytest.mark.parametrize("path", ["/api/sessions/s-1", "/api/users/u"])
def test_what_was_made_is_erased_with_its_session(studio: TestClient, tmp_path: Path, path: str) -> None:
    said(studio, "Create an image with a red circle")
    assert list((tmp_path / "made").rglob("*.png"))
    assert studio.delete(path).status_code == 200
    assert not list((tmp_path / "made").rglob("*.*.json")) + list((tmp_path / "made").rglob("*.png"))
