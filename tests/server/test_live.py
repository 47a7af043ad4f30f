"""Live views: a snapshot, then deltas that lead to the same state, across processes, resumable, bounded."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import jsonpatch
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Holdfast
from holdfast.server import live
from holdfast.server.patch import diff
from tests.server.desk import DESK
from tests.server.running import View, served
from tests.stores.postgres import postgres_address

scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab/~", max_size=3) | st.sampled_from([0.5, 1.0])
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=4)
)


@given(documents, documents)
@settings(max_examples=150, deadline=None)
def test_a_patch_leads_from_the_old_document_to_the_new_one(old: Any, new: Any) -> None:
    made = jsonpatch.apply_patch({"x": old}, diff({"x": old}, {"x": new}))
    # As bytes: to Python, 1 and True and 1.0 are equal.
    assert msgspec.json.encode(made, order="sorted") == msgspec.json.encode({"x": new}, order="sorted")


def test_a_window_that_moves_on_sends_only_what_is_new() -> None:
    old = [{"text": f"message {n}"} for n in range(12)]
    ops = diff(old, [*old[1:], {"text": "message 12"}])
    assert [op["op"] for op in ops] == ["remove", "add"]


def state_of(view: View) -> Any:
    """The state that a viewer arrives at by applying all it was sent."""
    state: Any = None
    for event in list(view.events):
        if event["type"] == "STATE_SNAPSHOT":
            state = event["snapshot"]
        elif event["type"] == "STATE_DELTA":
            state = jsonpatch.apply_patch(state, event["delta"])
    return state


def test_a_viewer_sees_the_state_and_then_every_change() -> None:
    with served() as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s")
        assert view.wait("STATE_SNAPSHOT")[0]["snapshot"]["version"] == 1
        httpx2.post(f"{address}/api/sessions/s/hear", json={"text": "my name is Dana"})
        httpx2.post(f"{address}/api/sessions/s/say", json={"text": "Hello Dana"})
        view.wait("STATE_DELTA", 2)
        assert [e["role"] for e in view.of("TEXT_MESSAGE_START")] == ["user", "assistant"]
        assert [e["delta"] for e in view.of("TEXT_MESSAGE_CONTENT")] == ["my name is Dana", "Hello Dana"]
        places = [op["path"] for op in view.of("STATE_DELTA")[1]["delta"]]
        assert "/slices/conversation/recent/1" in places  # the new message alone, not the list of all
        receipts = view.of("CUSTOM")
        assert any(line["did"] == "learned" for line in receipts[0]["value"]["receipt"]["lines"])
        now = httpx2.get(f"{address}/api/sessions/s/state").json()
        assert state_of(view) == now
        assert now["slices"]["slots"]["values"]["name"]["value"] == "Dana"
        view.close()


def test_what_another_process_writes_is_seen_too(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'chat.db'}"
    with served(store=store) as address, Holdfast(store, DESK) as elsewhere:
        elsewhere.session("s", user="u").hear("hello")
        view = View(address, "s")
        view.wait("STATE_SNAPSHOT")
        elsewhere.session("s").hear("my name is Dana")
        view.wait("STATE_DELTA")
        assert state_of(view)["slices"]["slots"]["values"]["name"]["value"] == "Dana"
        view.close()


def test_postgres_wakes_the_viewers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SELDOM", 60.0)  # so that only a notification can bring the news in time
    address = f"{postgres_address()}"
    store = f"{address}{'&' if '?' in address else '?'}schema=live_views"
    with served(store=store) as at, Holdfast(store, DESK) as elsewhere:
        elsewhere.session("s").hear("hello")
        view = View(at, "s")
        view.wait("STATE_SNAPSHOT")
        elsewhere.session("s").hear("my name is Dana")
        view.wait("STATE_DELTA")
        assert state_of(view)["slices"]["slots"]["values"]["name"]["value"] == "Dana"
        view.close()


def test_a_viewer_that_returns_gets_what_it_missed_and_nothing_twice() -> None:
    with served() as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s")
        httpx2.post(f"{address}/api/sessions/s/hear", json={"text": "one"})
        view.wait("STATE_DELTA")
        before = state_of(view)
        view.close()
        for text in ("two", "my name is Dana"):
            httpx2.post(f"{address}/api/sessions/s/hear", json={"text": text})
        back = View(address, "s", last=view.last)
        back.wait("STATE_DELTA", 2)
        assert not back.of("STATE_SNAPSHOT")
        assert [e["delta"] for e in back.of("TEXT_MESSAGE_CONTENT")] == ["two", "my name is Dana"]
        state = before
        for event in back.of("STATE_DELTA"):
            state = jsonpatch.apply_patch(state, event["delta"])
        assert state == httpx2.get(f"{address}/api/sessions/s/state").json()
        back.close()


@pytest.mark.parametrize("last", ["nonsense", "99999.0.0", "0.0.0", "1.2.3.4"])
def test_an_id_that_leads_nowhere_gets_a_snapshot(last: str) -> None:
    with served() as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s", last=last)
        assert view.wait("STATE_SNAPSHOT")
        view.close()


def test_what_a_user_said_elsewhere_reaches_the_view() -> None:
    with served() as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s", "user": "u"})
        view = View(address, "s")
        first = view.wait("STATE_SNAPSHOT")[0]["snapshot"]
        assert first["user"] is not None
        assert first["project"] is None
        view.close()


def test_a_viewer_that_does_not_keep_up_is_told_and_let_go() -> None:
    async def run() -> list[bytes | None]:
        viewer = live.Viewer((0, 0, 0))
        steps = [live.Step((n, 0, 0), (n + 1, 0, 0), b"x") for n in range(live.QUEUE + 1)]
        for step in steps:
            document: Any = type("D", (), {"versions": step.after})()
            if not viewer.give([step], document):
                viewer.end("slow", "come back with Last-Event-ID")
        return [viewer.queue.get_nowait() for _ in range(viewer.queue.qsize())]

    left = asyncio.run(run())
    assert len(left) == 2
    assert left[0] is not None
    assert b'"code":"slow"' in left[0]
    assert left[1] is None


def test_an_erased_session_and_a_stopping_server_end_the_view_with_a_word() -> None:
    with served() as address:
        for name in ("s", "t"):
            httpx2.post(f"{address}/api/sessions", json={"id": name})
        gone, other = View(address, "s"), View(address, "t")
        gone.wait("STATE_SNAPSHOT")
        other.wait("STATE_SNAPSHOT")
        httpx2.delete(f"{address}/api/sessions/s")
        assert gone.wait("RUN_ERROR")[0]["code"] == "erased"
    assert other.wait("RUN_ERROR")[0]["code"] == "stopping"
    assert other.ended or other.events


def test_viewers_are_limited_and_counted() -> None:
    with served(viewers=1) as address:
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s")
        view.wait("STATE_SNAPSHOT")
        assert View(address, "s").status == 503
        assert "holdfast_viewers 1" in httpx2.get(f"{address}/metrics").text
        view.close()


def test_there_is_nothing_to_see_of_an_unknown_session() -> None:
    with served() as address:
        answer = httpx2.get(f"{address}/api/sessions/none/events")
        assert answer.status_code == 404
        assert answer.headers["content-type"] == "application/problem+json"
