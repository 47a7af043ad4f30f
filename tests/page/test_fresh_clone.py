"""The first minute, as a stranger has it: a fresh clone, `make run`, a real browser at both widths. It downloads
packages, so it runs only where HOLDFAST_FRESH is set: HOLDFAST_FRESH=1 pytest tests/page/test_fresh_clone.py -s"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.page.window import Window

ROOT = Path(__file__).parents[2]
MOST_MB = 120
SIZES = ({"width": 1440, "height": 900}, {"width": 380, "height": 760})

pytestmark = pytest.mark.skipif("HOLDFAST_FRESH" not in os.environ, reason="set HOLDFAST_FRESH to clone and install")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    clone = tmp_path_factory.mktemp("fresh") / "holdfast"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    begun = monotonic()
    running = subprocess.Popen(
        ["make", "run", "PORT=0"], cwd=clone, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert running.stdout is not None
        found: re.Match[str] | None = None
        for line in running.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        assert found, "it did not start"
        size = sum(path.lstat().st_blocks * 512 for path in (clone / ".venv").rglob("*")) / 1_000_000
        print(f"make run: {monotonic() - begun:.1f} s, {size:.0f} MB")
        assert size < MOST_MB
        yield found[0]
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(30)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_every_example_of_every_pack_is_answered(browser: Browser, address: str, size: dict[str, Any]) -> None:
    window = Window(browser, address, viewport=size).open()
    for pack in window.page.locator(".packs .pill").all_inner_texts():
        for place in range(3):
            window.button("New conversation").click()
            window.button(pack).click()
            window.page.get_by_role("list", name="Messages to begin with").get_by_role("button").nth(place).click()
            expect(window.page.locator("article.m.a").first).to_be_visible(timeout=30_000)
            window.until(lambda: not window.page.locator(".pending, .dots").count(), seconds=30)
    window.close()
    assert window.complaints == []


def test_a_chart_says_the_command_that_brings_its_library(browser: Browser, address: str) -> None:
    window = Window(browser, address).open("grace")
    window.say("Make a bar chart of sales: Jan 12, Feb 18, Mar 9")
    expect(window.page.locator("article.m.a pre")).to_have_text(".venv/bin/python3 -m pip install matplotlib")
    window.close()
