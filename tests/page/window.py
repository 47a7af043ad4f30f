"""A window at the page, and what a person does in it: say something, look, click, press keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

WIDE = {"width": 1360, "height": 850}
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)


class Window:
    """One window. `page` is Playwright's."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.address = address
        self.complaints: list[str] = []
        self._expected: list[str] = []
        self._context = browser.new_context(
            **{"viewport": WIDE, "locale": "en-US", "reduced_motion": "reduce", **options}
        )
        self._context.set_default_timeout(PATIENCE)
        self.page = self._context.new_page()
        self._watch(self.page)

    def open(
        self, pack: str = "", session: str = "", kept: dict[str, str] | None = None, ready: str = ".packs .pill.on"
    ) -> Window:
        """At the page, as a browser comes to it that was never there, or has kept only what is given."""
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.emulate_media(color_scheme="light")
        self.page.goto(f"{self.address}/look/mark.svg")  # what a browser keeps belongs to an address; nothing runs here
        self.page.evaluate(
            "kept => { localStorage.clear(); sessionStorage.clear();"
            " for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value); }",
            {**({"holdfast.pack": pack} if pack else {}), **(kept or {})},
        )
        self.complaints.clear()
        self._expected.clear()
        self.page.goto(f"{self.address}/#{session}" if session else self.address)
        self.page.locator(ready).wait_for()
        return self

    def _watch(self, page: Any) -> None:
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self._note(f"fault: {error}"))
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((self.address, "blob:", "data:"))
                else self._note(f"request to {asked.url}")
            ),
        )

    def _logged(self, said: Any) -> None:
        icon = said.location.get("url", "").endswith("/favicon.ico")  # asked for where no page of ours is open
        if said.type in ("error", "warning") and not icon:
            self._note(f"{said.type}: {said.text}")

    def _note(self, complaint: str) -> None:
        if not any(expected in complaint for expected in self._expected):
            self.complaints.append(complaint)

    def expect(self, complaint: str) -> None:
        """From now on the browser may complain of this."""
        self._expected.append(complaint)

    def close(self) -> None:
        self._context.close()

    # What a person does

    def say(self, text: str) -> None:
        """Say something and wait for the answer."""
        before = self.page.locator("article.m.a").count()
        self.page.locator("#message").fill(text)
        self.page.locator("#message").press("Enter")
        self.until(
            lambda: (
                self.page.locator("article.m.a").count() > before and not self.page.locator(".pending, .dots").count()
            )
        )

    def button(self, name: str, exact: bool = True) -> Any:
        return self.page.get_by_role("button", name=name, exact=exact)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def section(self, id: str) -> Any:
        return self.page.locator(f"#{id}")

    def chips(self) -> list[str]:
        return [" ".join(text.split()) for text in self.page.locator("#slots .chip").all_inner_texts()]

    @property
    def session(self) -> str:
        return str(self.page.evaluate("decodeURIComponent(location.hash.slice(1))"))

    def restless(self) -> int:
        """Changes to a page to which nothing happens."""
        return int(
            self.page.evaluate(
                "() => new Promise((done) => { let seen = 0;"
                " const watch = new MutationObserver((changes) => { seen += changes.length; });"
                " watch.observe(document.body, { subtree: true, childList: true, attributes: true });"
                " setTimeout(() => { watch.disconnect(); done(seen); }, 300); })"
            )
        )

    def until(self, done: Callable[[], Any], seconds: float = PATIENCE / 1000) -> None:
        """Wait for something. (Playwright's own way of waiting for code is what the page's policy forbids.)"""
        give_up = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < give_up, "it did not happen"
            self.page.wait_for_timeout(50)
