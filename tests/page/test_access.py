"""For everyone: three languages, two themes, a phone, the keyboard alone, a screen reader, a server with keys; and text
that wants to be more than text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.page.conftest import Open
from tests.page.serving import Served
from tests.page.window import Window
from tests.server.running import served

PHONE = {"width": 380, "height": 780}
HOSTILE = (
    '<img src="http://evil.example/x.png" onerror="window.harmed=1"><script>window.harmed=1</script> in Philadelphia '
    "[click](javascript:window.harmed=1) ![x](http://evil.example/y.png) **bold** \u202egnp.exe `<b>code</b>` "
    "]} | Location: Moscow] &lt;b&gt;"
)


def faults(window: Window) -> list[str]:
    """What is wrong in either theme: what axe finds (WCAG 2 on level A and AA), and texts that are too pale."""
    found = []
    for theme in ("dark", "light"):
        window.page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {fault}" for fault in (*axe(window), *window.page.evaluate(PALE))]
    return found


def axe(window: Window) -> list[str]:
    """What axe finds wrong with what is shown now."""
    found = Axe().run(window.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).response
    return [
        f"{rule['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


PALE = (Path(__file__).parent / "pale.js").read_text(encoding="utf-8")
"""Texts without enough contrast. Axe gives up on a ground that is a gradient; here it is the color beneath."""


def sideways(window: Window) -> int:
    """Pixels by which the page is wider than the window."""
    return int(window.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_the_page_speaks_three_languages_and_so_does_the_conversation(window: Window, server: Served) -> None:
    window.say("Italian places in Philadelphia")
    for code, new, clear in (("ru", "Новый разговор", "Очистить"), ("es", "Nueva conversación", "Borrar")):
        window.page.get_by_role("banner").get_by_role("combobox").select_option(code)
        expect(window.button(new)).to_be_visible()
        expect(window.page.locator("html")).to_have_attribute("lang", code)
        expect(window.section("slots")).to_contain_text(clear)
    window.until(lambda: server.call("GET", f"/api/sessions/{window.session}")["language"] == "es")
    window.page.reload()
    expect(window.button("Nueva conversación")).to_be_visible()


@pytest.mark.parametrize("pack", ["vibehuntr", "rv_service_desk"])
def test_axe_finds_nothing_and_all_text_can_be_read_in_either_theme(open_window: Open, pack: str) -> None:
    window = open_window(pack)
    assert faults(window) == []
    window.say("Italian places in Philadelphia" if pack == "vibehuntr" else "The water pump does not work")
    window.page.locator("#v2").get_by_role("button", name="why", exact=False).click()
    assert faults(window) == []


def test_axe_finds_nothing_where_one_edits_or_chooses(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.button("Edit message 2").click()
    expect(window.page.get_by_role("textbox", name="Edit message 2")).to_be_focused()
    assert faults(window) == []
    window.page.keyboard.press("Escape")
    window.button("Choose who answers", exact=False).click()
    window.page.get_by_role("radio", name="Address", exact=False).check()
    assert axe(window) == []
    window.page.keyboard.press("Escape")
    window.button("Clear All").click()
    expect(window.page.locator("#notices .notice")).to_be_visible()
    assert faults(window) == []


def test_parts_of_the_page_have_names_and_what_is_new_is_announced(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    for role, name in (("navigation", "Conversations"), ("complementary", "Context"), ("log", "Conversation")):
        expect(window.page.get_by_role(role, name=name)).to_have_count(1)
    expect(window.page.get_by_role("banner")).to_have_count(1)
    expect(window.page.get_by_role("main")).to_have_count(1)
    expect(window.page.get_by_role("log")).to_have_attribute("aria-live", "polite")
    assert window.page.get_by_role("log").get_by_role("article").count() == 2
    unnamed = window.page.locator("button, input, textarea, select, a").evaluate_all(
        "all => all.filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))"
        ".map((one) => one.outerHTML)"
    )
    assert unnamed == []


def brightness(window: Window) -> float:
    color = window.page.evaluate("getComputedStyle(document.body).backgroundColor")
    parts = [float(part) for part in color.partition("(")[2].rstrip(")").split(",")[:3]]
    return sum(parts) / 3


def test_the_theme_follows_the_system_while_nobody_chose_one(window: Window) -> None:
    for scheme, light in (("dark", False), ("light", True), ("dark", False)):
        window.page.emulate_media(color_scheme=scheme)
        assert (brightness(window) > 200) is light
        assert (brightness(window) < 60) is not light


def test_a_theme_that_was_chosen_stays_whatever_the_system_is(window: Window) -> None:
    window.page.emulate_media(color_scheme="dark")
    window.button("Theme: like the system").click()
    assert brightness(window) > 200
    window.page.reload()
    window.page.locator(".packs .pill.on").wait_for()
    assert brightness(window) > 200
    window.button("Theme: light").click()
    window.page.emulate_media(color_scheme="light")
    assert brightness(window) < 60
    window.button("Theme: dark").click()
    expect(window.button("Theme: like the system")).to_be_visible()


def test_on_a_phone_everything_is_within_reach_and_nothing_sticks_out(open_window: Open) -> None:
    window = open_window("vibehuntr", viewport=PHONE)
    assert sideways(window) == 0
    window.say("Italian places in Philadelphia, nothing fancy")
    expect(window.page.locator("article.m.a").first).to_be_visible()
    assert sideways(window) == 0
    for name, shown in (("Context", "#slots"), ("Conversations", "#conversations"), ("Chat", "#message")):
        window.page.locator("#views").get_by_role("button", name=name).click()
        expect(window.page.locator(shown)).to_be_visible()
        assert sideways(window) == 0
    assert faults(window) == []
    small = window.page.locator("#views button, #composer button").evaluate_all(
        "all => all.filter((one) => one.offsetParent && one.getBoundingClientRect().height < 32).length"
    )
    assert small == 0


def test_the_keyboard_alone_is_enough(window: Window) -> None:
    press = window.page.keyboard.press

    def reach(wanted: str) -> None:
        """Go on with Tab to the thing of that name; whatever has the focus must show it."""
        for _ in range(60):
            press("Tab")
            name, outlined = window.page.evaluate(
                "() => { const one = document.activeElement, look = getComputedStyle(one);"
                " return [one.getAttribute('aria-label') || one.textContent.trim() || one.tagName,"
                " look.outlineStyle !== 'none' || look.boxShadow !== 'none' || one === document.body]; }"
            )
            assert outlined, f"{name} has the focus and does not show it"
            if name.startswith(wanted):
                return
        raise AssertionError(f"{wanted} is not reached by Tab")

    reach("vibehuntr")
    press("Enter")
    reach("Message")
    window.page.keyboard.type("Italian places in Philadelphia")
    press("Shift+Enter")
    window.page.keyboard.type("nothing fancy")
    press("Enter")
    expect(window.page.locator("article.m.a")).to_have_count(1)
    expect(window.page.locator("article.m.u")).to_contain_text("nothing fancy")
    window.page.locator("#log").focus()
    reach("why: what message 2 did")
    press("Enter")
    expect(window.page.get_by_role("region", name="What message 2 did, and why")).to_be_visible()
    reach("Clear Location")
    press("Enter")
    expect(window.section("slots")).not_to_contain_text("philadelphia")
    window.button("Settings").focus()
    press("Enter")
    expect(window.page.get_by_role("dialog")).to_be_visible()
    press("Escape")
    expect(window.page.get_by_role("dialog")).to_have_count(0)
    expect(window.button("Settings")).to_be_focused()


def test_text_stays_text_wherever_it_is_shown(window: Window, server: Served) -> None:
    window.say(HOSTILE)
    expect(window.page.locator("article.m.u .body")).to_contain_text("<script>window.harmed=1</script>")
    at = f"/api/sessions/{window.session}"
    said = server.call("POST", f"{at}/say", text=f"1. **{HOSTILE}**\n2. [x](javascript:alert(1)) <iframe src=//evil>")
    expect(window.page.locator(f"#v{said['version']}")).to_be_visible()
    window.page.locator("#v2").get_by_role("button", name="why", exact=False).click()
    for scheme in window.page.locator("#main a, #panel a").evaluate_all("all => all.map((one) => one.protocol)"):
        assert scheme in ("http:", "https:", "mailto:")
    assert window.page.locator("main img, main iframe, main script, aside iframe, aside script").count() == 0
    assert window.page.evaluate("window.harmed") is None
    context = window.page.locator("#sent pre").first.inner_text()
    assert context.count("[") == context.count("]") == 1


def test_a_very_long_message_is_shown_in_part_first(window: Window) -> None:
    window.say("word " * 4000 + "in Philadelphia")
    more = window.button("Show all", exact=False)
    expect(more).to_be_visible()
    more.click()
    expect(window.page.locator("article.m.u")).to_contain_text("in Philadelphia")
    assert sideways(window) == 0


def test_what_could_not_be_sent_is_said_so_and_not_lost(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.expect("Failed to load resource")
    window.page.route("**/chat/stream", lambda route: route.abort())
    window.page.locator("#message").fill("which is the cheapest?")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    expect(window.page.locator("#message")).to_have_value("which is the cheapest?")
    window.page.unroute("**/chat/stream")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("article.m.u").last).to_contain_text("cheapest")


def test_a_message_whose_answer_was_lost_is_heard_once_when_it_is_sent_again(window: Window, server: Served) -> None:
    window.say("Italian places in Philadelphia")
    window.expect("Failed to load resource")

    def lose(route: Any) -> None:
        route.fetch()  # the server hears it, and nobody here knows
        route.abort()

    window.page.route("**/chat/stream", lose)
    window.page.locator("#message").fill("which is the cheapest?")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    window.page.unroute("**/chat/stream")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#message")).to_have_value("")
    window.say("thanks")
    entries = server.call("GET", f"/api/sessions/{window.session}/history?limit=100")["entries"]
    assert [one["text"] for one in entries if one["role"] == "person"] == [
        "Italian places in Philadelphia",
        "which is the cheapest?",
        "thanks",
    ]


def test_a_server_with_keys_asks_for_one_and_works_with_it(browser: Any) -> None:
    with served(pack="general", keys=("acme:read+write+erase:a-long-random-token",)) as locked:
        window = Window(browser, locked).open(ready="dialog")
        window.expect("status of 401")
        window.page.get_by_label("Key of this server").fill("a-long-random-token")
        window.page.keyboard.press("Enter")
        window.page.locator(".packs .pill.on").wait_for()
        window.say("I live in Lisbon")
        expect(window.page.locator("article.m.a")).to_have_count(1)
        window.close()
        assert [said for said in window.complaints if "401" not in said] == []


def test_who_is_faster_than_the_page_is_heard_all_the_same(open_window: Open) -> None:
    window = open_window("vibehuntr", ready="#message")
    window.page.locator("#message").fill("Italian places in Philadelphia")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("article.m.a")).to_have_count(1, timeout=15_000)
    expect(window.section("slots")).to_contain_text("Looking for: italian")
