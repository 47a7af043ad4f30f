"""Tasks over real HTTP: the page sees a plan step by step, can stop it in the middle, and is told what goes on."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import httpx2
import jsonpatch
import pytest

from holdfast.packs.nxtscape import PACK
from tests.server.running import View, served, until


def steps_of(view: View) -> list[str]:
    """The states of the steps, as a viewer knows them by applying all it was sent."""
    state: Any = None
    for event in list(view.events):
        if event["type"] == "STATE_SNAPSHOT":
            state = event["snapshot"]
        elif event["type"] == "STATE_DELTA":
            state = jsonpatch.apply_patch(state, event["delta"])
    task = ((state or {}).get("slices", {}).get("task") or {}).get("current") or {}
    return [step.get("state", "open") for step in (task.get("plan") or {}).get("steps", [])]


@pytest.mark.parametrize(
    ("order", "results", "goes_on", "indicator", "yes", "confirmed"),
    [
        (
            "Order toothpaste on Amazon",
            "Results on",
            "continue",
            "Continuing “Order toothpaste on Amazon”",
            "yes",
            "Confirmed",
        ),
        ("Закажи зубную пасту на Amazon", "Результаты", "продолжай", "Продолжаю: «Закажи зубную", "да", "Подтверждено"),
        ("Pide pasta de dientes en Amazon", "Resultados", "continúa", "Sigo con «Pide pasta", "sí", "Confirmado"),
    ],
)
def test_an_errand_is_stopped_from_outside_while_it_runs_and_goes_on(
    order: str, results: str, goes_on: str, indicator: str, yes: str, confirmed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, work = threading.Event(), itertools.count(1)
    monkeypatch.setattr(PACK.agent, "_sleep", lambda _: next(work) == 3 and stopped.wait(30))
    with served(pack="nxtscape") as address:
        place = f"{address}/api/sessions/s"
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s")
        view.wait("STATE_SNAPSHOT")
        exchange: list[Any] = []

        def talk(text: str) -> None:
            exchange.append(httpx2.post(f"{place}/chat", json={"text": text}, timeout=60).json())

        running = threading.Thread(target=talk, args=(order,))
        running.start()
        until(lambda: steps_of(view)[:2] == ["done", "done"], 30)
        paused = httpx2.post(f"{place}/interrupt", json={"at": "the results"}).json()
        stopped.set()
        running.join(30)

        assert any(line["did"] == "paused" for line in paused["receipt"]["lines"])
        assert results in exchange[0]["replies"][-1]["text"]
        assert exchange[0]["turn"]["indicator"] == ""
        task = httpx2.get(f"{place}/state").json()["slices"]["task"]
        assert task["current"]["status"] == "paused"
        assert "the results" in task["current"]["interrupted_at"]

        heard = httpx2.post(f"{place}/hear", json={"text": goes_on}).json()
        assert heard["indicator"].startswith(indicator)
        assert (heard["route"]["relation"], heard["route"]["replan"]) == ("continue", True)
        talk(goes_on)
        assert exchange[1]["replies"][-1]["text"].endswith("?")  # nothing is ordered without a yes
        talk(yes)
        assert exchange[2]["replies"][-1]["text"].startswith(confirmed)
        until(lambda: steps_of(view) == ["done"] * 5, 30)


def test_the_live_view_carries_the_indicator() -> None:
    with served(pack="nxtscape") as address:
        place = f"{address}/api/sessions/s"
        httpx2.post(f"{address}/api/sessions", json={"id": "s"})
        view = View(address, "s")
        view.wait("STATE_SNAPSHOT")
        httpx2.post(f"{place}/hear", json={"text": "Order toothpaste on Amazon"})
        httpx2.post(f"{place}/hear", json={"text": "the large tube please"})
        until(lambda: "Continuing “Order toothpaste on Amazon”" in str(view.events))
