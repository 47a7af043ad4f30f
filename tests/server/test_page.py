"""The page as the server gives it out, and what it needs of the server: an exchange as it comes, a strict policy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from holdfast.agents.browser import browser
from holdfast.models.endpoints import Upstream as Where
from holdfast.server import Server, Settings
from holdfast.server.app import STATIC
from tests.server.running import served
from tests.server.upstream import upstream

ROWS = [line.split("\t") for line in (STATIC / "words.tsv").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
WORDS = {
    language: {row[0]: row[place] for row in ROWS[1:] if row[place]} for place, language in enumerate(ROWS[0]) if place
}
SOURCES = sorted(STATIC.rglob("*.js"))


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(Server(Settings(rate=0)).app, base_url="http://127.0.0.1") as client:
        yield client


def streamed(at: str, path: str, text: str) -> list[dict[str, Any]]:
    with httpx2.stream("POST", f"{at}{path}", json={"text": text}, timeout=30) as answer:
        return [json.loads(line[6:]) for line in answer.iter_lines() if line.startswith("data: ")]


def test_the_page_may_talk_to_its_own_server_and_to_nobody_else(client: TestClient) -> None:
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe" not in policy
    assert "<style" not in answer.text
    assert not re.search(r"<script(?![^>]*\bsrc=)", answer.text)
    assert "http" not in re.sub(r"http-equiv", "", answer.text)


def test_the_page_needs_no_key_and_its_data_does() -> None:
    with TestClient(Server(Settings(keys=("acme:read:a-long-random-token",))).app, base_url="http://x.test") as client:
        assert client.get("/").status_code == 200
        assert client.get("/words.tsv").status_code == 200
        assert client.get("/api/packs").status_code == 401


def test_every_file_that_the_page_names_is_there(client: TestClient) -> None:
    named = re.findall(r'(?:href|src)="(/[\w./]+)"', client.get("/").text)
    for source in SOURCES:
        for link in re.findall(r'from "(\.[\w./]+)"', source.read_text(encoding="utf-8")):
            named.append("/" + str((source.parent / link).resolve().relative_to(STATIC)))
    for name in set(named) - {"/docs"}:
        assert client.get(name).status_code == 200, name


def test_no_file_of_the_page_makes_markup_of_text_or_names_another_host() -> None:
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), (
            source
        )
        assert not re.findall(r"https?://(?!www\.w3\.org/)", text), source


@pytest.mark.parametrize("language", sorted(set(WORDS) - {"en"}))
def test_a_table_says_all_that_the_english_one_says(language: str) -> None:
    plural = re.compile(r"\.(one|few|many|other)$")
    bare = {plural.sub("", name) for name in WORDS["en"]}
    assert {plural.sub("", name) for name in WORDS[language]} == bare
    for name, text in WORDS[language].items():
        if name in WORDS["en"]:
            places = re.findall(r"\{\w+\}", WORDS["en"][name])
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(places), name


def test_every_word_that_the_page_says_is_in_the_table() -> None:
    plural = re.compile(r"\.(one|few|many|other)$")
    known = set(WORDS["en"]) | {plural.sub("", name) for name in WORDS["en"]}
    for source in SOURCES:
        said = re.findall(r'\b(?:say|count)\("([\w.]+)"', source.read_text(encoding="utf-8"))
        assert set(said) <= known, (source, set(said) - known)


def test_every_pack_invites_with_messages_to_begin_with(client: TestClient) -> None:
    for pack in client.get("/api/packs").json()["packs"]:
        if f"invite.{pack['name']}.title" in WORDS["en"]:
            assert f"examples.{pack['name']}.3" in WORDS["en"]
    assert f"examples.{client.get('/api/about').json()['pack']}.1" in WORDS["en"]


HELD = ("slots", "memory", "references", "task", "files", "procedure", "evidence")
"""What the page shows of a conversation beside its messages."""
EXAMPLES = [
    (language, *name.split(".")[1:2], text)
    for language in ("en", "ru", "es")
    for name, text in WORDS[language].items()
    if name.startswith("examples.")
]


@pytest.mark.parametrize(("language", "pack", "text"), EXAMPLES)
def test_a_message_to_begin_with_is_answered_and_changes_what_is_shown(
    client: TestClient, language: str, pack: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(browser, "_pause", 0.0)  # nobody is there to interrupt it
    names = {"pack": pack, "language": language, "user": f"{language}-{pack}-{len(text)}", "project": "p"}
    id = client.post("/api/sessions", json=names).json()["id"]
    before = client.get(f"/api/sessions/{id}/state").json()
    said = client.post(f"/api/sessions/{id}/chat", json={"text": text}).json()
    assert said["replies"][0]["text"]
    after = client.get(f"/api/sessions/{id}/state").json()
    changed = {
        name
        for scope in ("slices", "user", "project")
        for name in HELD
        if (after[scope] or {}).get(name) != (before[scope] or {}).get(name)
    }
    assert changed, f"nothing is seen of {text!r}"


def test_a_model_s_answer_comes_while_it_is_written_and_is_kept_whole() -> None:
    with upstream() as (address, model), served(upstream=Where(address, "k", "big")) as at:
        model.replies = ["The table is yours at eight."]
        httpx2.post(f"{at}/api/sessions", json={"id": "s"})
        told = streamed(at, "/api/sessions/s/chat/stream", "a table at eight")
        kinds = [event["type"] for event in told]
        assert kinds[0] == "RUN_STARTED"
        assert told[0]["turn"]["text"] == "a table at eight"
        assert kinds[-2:] == ["TEXT_MESSAGE_END", "RUN_FINISHED"]
        pieces = [event["delta"] for event in told if event["type"] == "TEXT_MESSAGE_CONTENT"]
        assert len(pieces) > 3
        assert "".join(pieces) == told[-2]["reply"]["text"] == "The table is yours at eight."
        entries = httpx2.get(f"{at}/api/sessions/s/history").json()["entries"]
        assert [entry["text"] for entry in entries if entry["text"]] == [
            "a table at eight",
            "The table is yours at eight.",
        ]


def test_a_model_that_fails_is_told_and_the_message_is_kept() -> None:
    with upstream() as (address, model), served(upstream=Where(address, "k", "big")) as at:
        model.replies = [500]
        httpx2.post(f"{at}/api/sessions", json={"id": "s"})
        told = streamed(at, "/api/sessions/s/chat/stream", "are you there?")
        assert told[-1]["type"] == "RUN_ERROR"
        assert "status 500" in told[-1]["message"]
        assert httpx2.get(f"{at}/api/sessions/s").json()["turns"] == 1


@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
def test_a_model_that_nobody_names_is_refused_before_anything_is_recorded(path: str) -> None:
    with upstream() as (address, model), served(upstream=Where(address, "k")) as at:
        httpx2.post(f"{at}/api/sessions", json={"id": "s", "pack": "general"})
        before = httpx2.get(f"{at}/api/sessions/s").json()
        answer = httpx2.post(f"{at}/api/sessions/s{path}", json={"text": "my name is Dana"})
        assert answer.status_code == 422
        assert "no model is named" in answer.json()["detail"]
        assert httpx2.get(f"{at}/api/sessions/s").json() == before
        assert not model.asked


def test_a_reply_that_was_held_back_is_on_the_receipt() -> None:
    with upstream() as (address, model), served(upstream=Where(address, "k", "big"), pack="vibehuntr") as at:
        httpx2.post(f"{at}/api/sessions", json={"id": "s"})
        shown = "1. **Osteria Nonna** Place ID: ChIJnonna000000001\n2. **Vetri Piccolo** Place ID: ChIJvetri000000002"
        model.replies = [shown, "Which venue do you mean?"]
        streamed(at, "/api/sessions/s/chat/stream", "Italian places in Philadelphia")
        reply = streamed(at, "/api/sessions/s/chat/stream", "more about the second one")[-2]["reply"]
        assert "Vetri Piccolo" in reply["text"]
        held = [line["what"] for line in reply["receipt"]["lines"] if line["did"] == "held back"]
        assert held == ["“Which venue do you mean?”: asks which one is meant, which is known: Vetri Piccolo"]


def test_the_page_stays_in_small_files() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path
