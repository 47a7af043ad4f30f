"""Draws the pictures of docs/page.md: the live page of a real server, in a real browser, in the middle of real talk.

python tools/draw_page.py             # the pictures
python tools/draw_page.py FOLDER      # and in FOLDER each of them at both widths, dark and light, to be looked at

It needs chromium and playwright. Nothing is made up for the picture: every conversation is typed into the page.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDE, NARROW = (1440, 900), (380, 760)
COLOURS = 256
PATIENCE = 120_000
"""Milliseconds that a busy machine gets for one message."""
Scheme = Literal["dark", "light"]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """A server over an empty database."""
    command = [sys.executable, "-m", "holdfast.cli", "serve", "--port", "0", "--store", f"sqlite:///{folder}/page.db"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)


def talk(page: Page, pack: str, *said: str) -> None:
    """Choose a pack and say something, line by line."""
    page.get_by_role("group", name="Pack").get_by_role("button", name=pack, exact=True).click()
    for text in said:
        answers = page.locator("article.m.a")
        before = answers.count()
        page.get_by_role("textbox", name="Message").fill(text)
        page.keyboard.press("Enter")
        answers.nth(before).wait_for()
        page.locator(".dots, .pending").first.wait_for(state="detached")
    page.wait_for_timeout(1500)  # the live view brings the state just after the answer


def receipt(page: Page) -> None:
    talk(
        page,
        "vibehuntr",
        "Italian places in Philadelphia",
        "more about the second one. and we'll be four, no wait, five",
    )
    page.locator(".turn.person").last.get_by_role("button", name="why").click()
    page.locator(".turn.person").last.evaluate("turn => turn.scrollIntoView({ block: 'start' })")


def past(page: Page) -> None:
    talk(page, "vibehuntr", "Sushi in Boston for four people", "no, make it New York", "what about the first one?")
    page.get_by_role("slider", name="Go back in time").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(200)
    page.locator("#route .past").wait_for()


def memory(page: Page) -> None:
    talk(
        page,
        "copilot_cli",
        "I prefer tabs over spaces",
        "use vim, I mean neovim",
        "We decided to use PostgreSQL for the database",
        "Let's use spaces instead of tabs",
        "We decided to use SQLite for the database instead",
    )
    page.get_by_role("tab", name="Memory").click()


def plan(page: Page) -> None:
    talk(
        page,
        "rv_service_desk",
        "Water pump not working when faucet opened",
        "12.4 V at the pump",
        "where is the fuse?",
        "12 V there too",
    )


def files(page: Page) -> None:
    talk(page, "grace", "Create an image with a red circle", "add a yellow square")
    page.get_by_role("tab", name="Files").click()
    page.locator(".file img").wait_for()


def task(page: Page) -> None:
    talk(page, "nxtscape", "Order toothpaste from Amazon", "and a toothbrush too")


def thread(page: Page) -> None:
    talk(
        page,
        "general",
        "I live in Lisbon and I prefer tea over coffee",
        "My name is Dana, write to me at dana@example.org",
        "Actually I moved to Porto",
    )


def narrow(page: Page) -> None:
    talk(page, "vibehuntr", "Italian places in Philadelphia", "we are five, tell me more about the first one")
    page.get_by_role("button", name="Context", exact=True).click()


def model(page: Page) -> None:
    page.get_by_role("button", name="Choose who answers").click()
    page.get_by_role("radio", name="Address").check()


PICTURES: dict[str, tuple[Callable[[Page], None], tuple[int, int], Scheme]] = {
    "page": (receipt, WIDE, "dark"),
    "page-past": (past, WIDE, "light"),
    "page-memory": (memory, WIDE, "dark"),
    "page-plan": (plan, WIDE, "light"),
    "page-files": (files, WIDE, "light"),
    "page-task": (task, WIDE, "dark"),
    "page-thread": (thread, WIDE, "light"),
    "page-model": (model, WIDE, "dark"),
    "page-narrow": (narrow, NARROW, "dark"),
}


def draw(browser: Browser, address: str, proofs: Path | None) -> None:
    for name, (stage, (width, height), scheme) in PICTURES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce", color_scheme=scheme
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        stage(page)
        page.wait_for_timeout(400)
        picture = IMAGES / f"{name}.png"
        page.screenshot(path=picture)
        Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)
        if proofs is not None:
            prove(page, proofs, name)
        context.close()
        print(f"docs/images/{name}.png", flush=True)


def prove(page: Page, proofs: Path, name: str) -> None:
    """The same moment at both widths, dark and light."""
    proofs.mkdir(exist_ok=True)
    for width, height in (WIDE, NARROW):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in get_args(Scheme):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(200)
            page.screenshot(path=proofs / f"{name}-{width}-{scheme}.png")


def main() -> None:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, serving(folder) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        draw(browser, address, Path(sys.argv[1]) if sys.argv[1:] else None)
        browser.close()


if __name__ == "__main__":
    main()
