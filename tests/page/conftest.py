"""A real browser on a real server: one of each for all tests here, a fresh window for each test.

Every window is watched: an error in its console, a fault in its scripts, or a request to another host fails the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.serving import Served, chromium, served
from tests.page.window import Window

ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
Open = Callable[..., Window]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:  # one worker runs them all, with one browser
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None:
        reason = "no chromium is installed; `make test` installs it where it may (apt-get install chromium)"
        if os.environ.get("HOLDFAST_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("browser")) as started:
        yield started


@pytest.fixture
def open_window(browser: Browser, server: Served) -> Iterator[Open]:
    """Opens windows at the page; all that they complained of is looked at in the end."""
    opened: list[Window] = []

    def open_(pack: str = "", *, session: str = "", **options: Any) -> Window:
        window = Window(browser, server.address, pack, session, **options)
        opened.append(window)
        return window

    yield open_
    for window in opened:
        window.close()
    for window in opened:
        assert window.complaints == []


@pytest.fixture
def window(open_window: Open) -> Window:
    """A window at the page, with the pack that was made for talking of places."""
    return open_window("vibehuntr")
