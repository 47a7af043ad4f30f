"""Safe by default: who may come in, what they see, how much they may send, and how the server stops."""

from __future__ import annotations

import logging
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from holdfast.cli import main
from holdfast.errors import InvalidInput
from holdfast.server import Server, Settings, serving
from holdfast.server.auth import callers, keys_from
from holdfast.server.serving import Listening, bind
from tests.server.conftest import Start
from tests.server.desk import DESK
from tests.server.running import View, served, until

ACME, UMBRELLA, READER = "acme-token-0123456789", "umbrella-token-0123456", "reader-token-0123456789"
KEYS = (f"acme:read+write+erase:{ACME}", f"umbrella:read+write:{UMBRELLA}", f"acme:read:{READER}")


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_a_server_that_others_can_reach_needs_keys() -> None:
    with pytest.raises(InvalidInput, match="HOLDFAST_KEYS"):
        Settings(host="0.0.0.0")
    assert Settings(host="0.0.0.0", keys=KEYS).keys


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {ACME}"}])
def test_without_a_known_key_nobody_comes_in(start: Start, headers: dict[str, str]) -> None:
    answer = start(keys=KEYS).get("/api/sessions", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_scopes_are_kept(start: Start) -> None:
    client = start(keys=KEYS)
    assert client.post("/api/sessions", json={"id": "s"}, headers=by(READER)).status_code == 403
    assert client.post("/api/sessions", json={"id": "s"}, headers=by(ACME)).status_code == 201
    assert client.get("/api/sessions/s", headers=by(READER)).status_code == 200
    client.post("/api/sessions", json={"id": "s"}, headers=by(UMBRELLA))
    assert client.delete("/api/sessions/s", headers=by(UMBRELLA)).status_code == 403
    assert client.delete("/api/sessions/s", headers=by(ACME)).status_code == 200


def test_tenants_never_see_each_other(start: Start) -> None:
    client = start(keys=KEYS)
    for token, name in ((ACME, "Dana"), (UMBRELLA, "Robin")):
        made = client.post("/api/sessions", json={"id": "s", "user": "u", "project": "p"}, headers=by(token))
        assert made.json()["user"] == "u"
        heard = client.post("/api/sessions/s/hear", json={"text": f"my name is {name}"}, headers=by(token))
        assert heard.json()["context"] == f"[CONTEXT: User's name: {name}]"
    found: Any = client.get("/api/search", params={"query": "name"}, headers=by(ACME)).json()["hits"]
    assert [(hit["session"], hit["text"]) for hit in found] == [("s", "my name is Dana")]
    found = client.get("/api/search", params={"query": "name", "user": "u"}, headers=by(UMBRELLA)).json()["hits"]
    assert [hit["text"] for hit in found] == ["my name is Robin"]
    listed = client.get("/api/sessions", headers=by(ACME)).json()["sessions"]
    assert [info["id"] for info in listed] == ["s"]
    assert client.get("/api/sessions/@umbrella/s", headers=by(ACME)).status_code == 404
    assert client.get("/api/sessions/@umbrella%2Fs", headers=by(ACME)).status_code == 404
    client.delete("/api/users/u", headers=by(ACME))
    assert client.get("/api/sessions/s", headers=by(ACME)).status_code == 404
    assert client.get("/api/sessions/s", headers=by(UMBRELLA)).status_code == 200


def test_a_tenant_is_never_told_how_its_names_are_stored(start: Start) -> None:
    client = start(keys=KEYS)
    client.post("/api/sessions", json={"id": "s", "user": "u"}, headers=by(ACME))
    said = [
        client.post("/api/sessions", json={"id": "s", "user": "other"}, headers=by(ACME)),
        client.get("/api/sessions/s/history/99", headers=by(ACME)),
        client.get("/api/sessions/s/state", headers=by(ACME)),
        client.get("/api/sessions/s/export", headers=by(ACME)),
        client.get("/api/sessions/none", headers=by(ACME)),
    ]
    assert [answer.status_code for answer in said] == [409, 404, 200, 200, 404]
    assert not any("@acme" in answer.text for answer in said)


def test_what_is_remembered_names_sessions_as_their_tenant_does(start: Start) -> None:
    client = start(keys=KEYS, pack="general")
    client.post("/api/sessions", json={"id": "s", "user": "u", "project": "p"}, headers=by(ACME))
    client.post("/api/sessions/s/hear", json={"text": "I live in Boston"}, headers=by(ACME))
    added = client.post("/api/sessions/s/memory", json={"value": "tea", "kind": "preference"}, headers=by(ACME))
    listed = client.get("/api/sessions/s/memory", headers=by(ACME))
    assert added.json()["item"]["session"] == "s"
    assert {item["session"] for item in listed.json()["items"]} == {"s"}
    state = client.get("/api/sessions/s/state", headers=by(ACME))
    exported = client.get("/api/sessions/s/export", headers=by(ACME))
    assert not any("@acme" in answer.text for answer in (added, listed, state, exported))


def test_live_views_keep_tenants_apart() -> None:
    with served(keys=KEYS) as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s"}, headers=by(ACME))
        assert View(address, "s", headers=by(UMBRELLA)).status == 404
        assert View(address, "s").status == 401
        view = View(address, "s", headers=by(READER))
        view.wait("STATE_SNAPSHOT")
        httpx2.post(f"{address}/api/sessions/s/hear", json={"text": "my name is Dana"}, headers=by(ACME))
        view.wait("STATE_DELTA")
        view.close()


def test_bodies_are_limited_with_and_without_a_length(start: Start) -> None:
    client = start(body_limit=2000)
    client.post("/api/sessions", json={"id": "s"})
    assert client.post("/api/sessions/s/hear", json={"text": "x" * 3000}).status_code == 413
    parts = (b"x" * 500 for _ in range(10))
    chunked = client.post("/api/sessions/s/hear", content=parts, headers={"content-type": "application/json"})
    assert chunked.status_code == 413


def test_the_rate_is_limited_for_each_tenant(start: Start) -> None:
    client = start(keys=KEYS, rate=2)
    answers = [client.get("/api/sessions", headers=by(ACME)) for _ in range(8)]
    assert [a.status_code for a in answers].count(200) in (4, 5)
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert client.get("/api/sessions", headers=by(UMBRELLA)).status_code == 200


def test_pages_of_other_sites_are_kept_out(client: TestClient) -> None:
    crossed = client.post("/api/sessions", json={}, headers={"origin": "https://evil.example"})
    assert crossed.status_code == 403
    assert "access-control-allow-origin" not in crossed.headers
    own = client.post("/api/sessions", json={}, headers={"origin": "http://127.0.0.1"})
    assert own.status_code == 201
    rebound = client.get("/api/sessions", headers={"host": "evil.example"})
    assert rebound.status_code == 421


def test_no_token_and_no_message_reaches_the_log(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client = start(keys=KEYS)
        client.get("/api/sessions", headers=by(ACME))
        client.get("/api/sessions", headers=by("a-token-nobody-knows"))
    assert ACME not in caplog.text
    assert "a-token-nobody-knows" not in caplog.text


def test_keys_come_from_the_environment_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text(f'[[key]]\ntenant = "umbrella"\nscopes = ["read"]\ntoken = "{UMBRELLA}"\n')
    found = callers(keys_from({"HOLDFAST_KEYS": KEYS[0]}, file))
    assert sorted(caller.tenant for caller in found.values()) == ["acme", "umbrella"]
    for wrong in ("acme:read:short", "acme:fly:0123456789abcdef", "Ac me:read:0123456789abcdef", "nonsense"):
        with pytest.raises(InvalidInput) as told:
            callers([wrong])
        assert "0123456789abcdef" not in str(told.value)
    file.write_text("[[key]]\ntoken = 'only-a-token-here'\n")
    with pytest.raises(InvalidInput) as told:
        keys_from({}, file)
    assert "only-a-token-here" not in str(told.value)


def test_a_server_that_stops_finishes_the_turns_it_began(tmp_path: Path) -> None:
    settings = Settings(pack="desk", port=0, store=f"sqlite:///{tmp_path / 'chat.db'}")
    taken = bind(settings)
    server = Server(settings, (DESK,))
    listening = Listening(server)
    thread = threading.Thread(target=listening.run, args=([taken],), daemon=True)
    thread.start()
    until(lambda: listening.started)
    address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    httpx2.post(f"{address}/api/sessions", json={"id": "s"})
    chat = server.house.engine("desk").session("s")
    answers: list[int] = []
    with server.house.engine("desk")._locks.of([chat.keys["session"]]):  # a turn that has to wait
        asking = threading.Thread(
            target=lambda: answers.append(
                httpx2.post(f"{address}/api/sessions/s/hear", json={"text": "my name is Dana"}).status_code
            )
        )
        asking.start()
        until(lambda: server.running.pool._work_queue.qsize() == 0 and listening.server_state.connections)
        time.sleep(0.3)
        listening.should_exit = True
        thread.join(0.5)
        assert thread.is_alive()
    asking.join(10)
    thread.join(10)
    assert answers == [200]
    assert not thread.is_alive()


def test_a_port_that_is_taken_is_said_so() -> None:
    taken = bind(Settings(port=0))
    taken.listen()
    with pytest.raises(InvalidInput, match="--port"):
        bind(Settings(port=taken.getsockname()[1]))
    taken.close()


def test_a_store_that_is_held_by_another_writer_stops_no_other_request(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    with served(store=f"sqlite:///{path}") as address, httpx2.Client(base_url=address, timeout=20) as client:
        client.post("/api/sessions", json={"id": "s"})
        client.post("/api/sessions/s/hear", json={"text": "hello"})
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answers: list[int] = []
        waiting = threading.Thread(
            target=lambda: answers.append(
                httpx2.post(f"{address}/api/sessions/s/hear", json={"text": "my name is Dana"}, timeout=20).status_code
            )
        )
        waiting.start()
        time.sleep(0.3)
        assert client.get("/metrics").status_code == 200
        assert answers == []  # answered while the other one still waits
        other.execute("ROLLBACK")
        other.close()
        waiting.join(15)
        assert answers == [200]
        values = client.get("/api/sessions/s/state").json()["slices"]["slots"]["values"]
        assert values["name"]["value"] == "Dana"


def test_the_command_serves_says_where_and_stops_on_a_signal(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "holdfast.cli",
        "serve",
        "--port",
        "0",
        "--store",
        f"sqlite:///{tmp_path / 'c.db'}",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address, said
        with httpx2.Client(base_url=address[0]) as client:
            until(lambda: _answers(client))
            assert client.post("/api/sessions", json={"id": "s"}).status_code == 201
    finally:
        process.terminate()
        process.wait(20)
    assert process.returncode in (0, -15)


def test_the_usual_port_gives_way_and_a_named_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serving.Listening, "run", lambda self, sockets: sockets[0].close())
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(InvalidInput, match="--port"):
            serving.serve(port=port)
        monkeypatch.setattr(serving, "Settings", lambda **given: Settings(port=port, **given))
        serving.serve()
    said = capsys.readouterr().out
    assert f"port {port} is taken" in said
    assert f":{port}/" not in said


def test_without_its_packages_the_command_says_what_to_install(tmp_path: Path) -> None:
    bare = "import sys; sys.modules['starlette'] = None; from holdfast.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", bare], capture_output=True, text=True, timeout=30, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "pip install 'holdfast[server]'" in done.stderr
    assert done.stderr.count("\n") == 1


def _answers(client: httpx2.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx2.HTTPError:
        return False


def test_the_command_refuses_an_open_port_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOLDFAST_KEYS", raising=False)
    assert main(["serve", "--host", "0.0.0.0", "--port", "0"]) == 2
    assert "HOLDFAST_KEYS" in capsys.readouterr().err


def test_agents_that_think_long_stop_no_other_request() -> None:
    thinking = threading.Event()

    def ponder(turn: Any, chat: Any) -> Any:
        thinking.wait(20)
        yield from ()

    slow = Server(Settings(pack="desk", port=0, rate=0), (DESK.but(agent=ponder),))
    with TestClient(slow.app, base_url="http://127.0.0.1") as client:
        client.post("/api/sessions", json={"id": "s"})
        asking = [
            threading.Thread(target=client.post, args=("/api/sessions/s/chat",), kwargs={"json": {"text": f"{n}?"}})
            for n in range(12)
        ]
        for one in asking:
            one.start()
        try:
            until(lambda: client.get("/api/sessions/s").json()["turns"] == 12)
            assert client.get("/healthz").status_code == 200
        finally:
            thinking.set()
            for one in asking:
                one.join(20)


def test_an_agent_that_breaks_ends_the_stream_with_a_word(caplog: pytest.LogCaptureFixture) -> None:
    def broken(turn: Any, chat: Any) -> Any:
        raise RuntimeError("secret detail")
        yield

    server = Server(Settings(pack="desk", port=0), (DESK.but(agent=broken),))
    with TestClient(server.app, base_url="http://127.0.0.1") as client:
        client.post("/api/sessions", json={"id": "s"})
        told = client.post("/api/sessions/s/chat/stream", json={"text": "hello"}).text
    assert '"RUN_ERROR"' in told
    assert "secret detail" not in told
    assert "secret detail" in caplog.text


@pytest.mark.parametrize(
    "path", ["/api/sessions/s/hear", "/api/sessions/s/chat/stream", "/v1/chat/completions", "/v1/responses"]
)
def test_json_that_nests_without_end_is_no_json(start: Start, path: str) -> None:
    client = start()
    client.post("/api/sessions", json={"id": "s"})
    deep = b"[" * 50_000 + b"]" * 50_000
    for body in (deep, b'{"text": "hi", "attached": {"entities": ' + deep + b'}, "messages": ' + deep + b"}"):
        answer = client.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), answer.text
    assert [entry["text"] for entry in client.get("/api/sessions/s/history").json()["entries"]] == [None]


def test_an_error_of_the_proxy_has_the_shape_that_its_clients_know(start: Start) -> None:
    client = start()
    json = {"content-type": "application/json"}
    broken = client.post("/v1/chat/completions", content=b"{", headers=json)
    assert broken.json()["error"]["code"] == "not-json"
    asked = {"model": "holdfast", "messages": [{"role": "user", "content": "hi"}]}
    long = client.post("/v1/chat/completions", json=asked, headers={"x-holdfast-session": "x" * 300})
    assert long.status_code == 422
    assert "session id must have 1 to 200" in long.json()["error"]["message"]


def test_an_error_says_a_long_value_short(start: Start) -> None:
    for path in ("/api/sessions?order=" + "x" * 3000, "/api/words/" + "x" * 3000):
        answer = start().get(path)
        assert answer.status_code in (404, 422)
        assert len(answer.text) < 1000
