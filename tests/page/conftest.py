"""A real browser on a real server: one of each for all tests here, and a window that knows nothing
of what another test did in it.

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


@pytest.fixture(scope="package")
def usual(browser: Browser, server: Served) -> Iterator[Window]:
    """The window that most tests use one after another: a new one takes longer than what they do in it."""
    window = Window(browser, server.address)
    yield window
    window.close()


@pytest.fixture
def open_window(browser: Browser, server: Served, usual: Window) -> Iterator[Open]:
    """Opens windows at the page; all that they complained of is looked at in the end. A test has one of its own where
    it needs a second one, another kind, or changes the window itself (`own`)."""
    opened: list[Window] = []

    def open_(
        pack: str = "",
        *,
        session: str = "",
        kept: dict[str, str] | None = None,
        ready: str = ".packs .pill.on",
        own: bool = False,
        **options: Any,
    ) -> Window:
        window = Window(browser, server.address, **options) if own or opened or options else usual
        opened.append(window)
        return window.open(pack, session, kept, ready)

    yield open_
    complaints = [window.complaints for window in opened]
    for window in opened:
        if window is not usual:
            window.close()
    assert complaints == [[] for _ in opened]


@pytest.fixture
def window(open_window: Open) -> Window:
    """A window at the page, with the pack that was made for talking of places."""
    return open_window("vibehuntr")
