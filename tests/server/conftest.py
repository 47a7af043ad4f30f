"""A server in this process for each test, over a store in memory, with a client that speaks to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from holdfast.models import endpoints
from holdfast.server import Server, Settings
from tests.server.desk import DESK

Start = Callable[..., TestClient]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is busy is asked again at once."""
    monkeypatch.setattr(endpoints, "RETRY_AFTER", 0.0)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts servers with the settings a test wants; all are closed after it."""
    begun: list[TestClient] = []

    def begin(**settings: Any) -> TestClient:
        client = TestClient(Server(Settings(**{"pack": "desk", **settings}), (DESK,)).app, base_url="http://127.0.0.1")
        client.__enter__()
        begun.append(client)
        return client

    yield begin
    for client in begun:
        client.__exit__(None, None, None)


@pytest.fixture
def client(start: Start) -> TestClient:
    return start()
