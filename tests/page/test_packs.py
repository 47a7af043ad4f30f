"""What each pack shows of its own: memory with chains, plans and interruptions, topics as a path, the guard, files."""

from __future__ import annotations

import json
from typing import Any

import httpx2
from playwright.sync_api import Browser, expect

from holdfast.models.endpoints import Upstream
from tests.page.conftest import Open
from tests.page.serving import Served
from tests.page.window import Window
from tests.server.running import served
from tests.server.upstream import upstream


def test_memory_is_a_timeline_with_what_was_superseded_and_where_it_came_from(open_window: Open) -> None:
    window = open_window("copilot_cli", kept={"holdfast.who": '{"user": "dana", "project": "home"}'})
    window.say("I prefer tabs over spaces")
    window.say("actually I prefer spaces")
    window.tab("Memory")
    rows = window.page.locator(".memory", has_text="Indentation").locator(".chain li")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("spaces")
    expect(rows.nth(1).locator("del")).to_have_text("tabs")
    expect(rows.nth(1)).to_contain_text("I prefer tabs over spaces")
    expect(window.section("insights")).to_contain_text("Indentation")
    rows.nth(1).get_by_role("button", name="why: show message", exact=False).click()
    expect(window.page.locator("article.m.u mark").first).to_be_visible()


def test_an_undo_in_memory_lets_the_older_value_hold_again(open_window: Open) -> None:
    window = open_window("copilot_cli", kept={"holdfast.who": '{"user": "eve", "project": "home"}'})
    window.say("I prefer tabs over spaces")
    window.say("actually I prefer spaces")
    window.tab("Memory")
    card = window.page.locator(".memory", has_text="Indentation")
    card.get_by_role("button", name="undo", exact=False).click()
    expect(card.locator(".chain li.now")).to_contain_text("tabs")
    window.page.get_by_role("searchbox", name="Search in memory").fill("xylophone")
    expect(window.section("remembered")).to_contain_text("Nothing matches")


def test_what_a_model_read_is_shown_as_such_and_can_be_undone(browser: Browser) -> None:
    claim = {"message": 1, "words": "still on the theremin", "attribute": "instrument", "value": "theremin"}
    with upstream() as (address, model):
        model.replies = [json.dumps({"claims": [claim]})]
        with served(pack="general", second_opinion=Upstream(address, model="big")) as here:
            window = Window(browser, here).open("general", kept={"holdfast.who": '{"user": "dana"}'})
            window.say("still on the theremin")
            expect(window.page.locator(".chip", has_text="theremin")).to_contain_text("read by the model")
            window.tab("Memory")
            card = window.page.locator(".memory", has_text="theremin")
            expect(card).to_contain_text("read by the model big")
            window.page.get_by_role("banner").get_by_role("combobox").select_option("ru")
            expect(card).to_contain_text("прочитано моделью big")
            window.page.get_by_role("banner").get_by_role("combobox").select_option("en")
            card.get_by_role("button", name="undo", exact=False).click()
            expect(window.page.locator(".memory .now")).to_have_count(0)
            assert httpx2.get(f"{here}/api/users/dana/memory").json()["items"] == []
            window.close()
            assert window.complaints == []


def test_a_plan_shows_its_steps_and_an_interruption_is_continued(open_window: Open, server: Served) -> None:
    window = open_window("nxtscape")
    window.say("Close the YouTube tabs")
    at = f"/api/sessions/{window.session}"
    server.call("POST", f"{at}/hear", text="Find flights from Berlin to Rome")
    server.call("PUT", f"{at}/plan", steps=["Open the search", "Compare the prices", "Book the best one"])
    expect(window.page.locator("#plan .steps li")).to_have_count(3)
    server.call("PUT", f"{at}/plan/steps/1", status="done")
    expect(window.section("plan")).to_contain_text("1 of 3 done")
    expect(window.page.locator("#plan .steps li.done")).to_contain_text("Open the search")
    expect(window.page.get_by_role("progressbar", name="Plan")).to_have_attribute("aria-valuenow", "1")
    server.call("POST", f"{at}/interrupt", at="step 2")
    expect(window.section("slots")).to_contain_text("paused")
    window.say("continue")
    expect(window.page.locator("#route")).to_contain_text("continues")
    expect(window.page.locator("#route")).to_contain_text("sent to")


def test_stop_interrupts_the_agent_that_is_at_work(open_window: Open, server: Served) -> None:
    window = open_window("nxtscape")
    window.say("Close the YouTube tabs")
    at = f"/api/sessions/{window.session}"
    server.call("POST", f"{at}/hear", text="Find flights from Berlin to Rome")
    server.call("PUT", f"{at}/plan", steps=["Open the search", "Compare the prices"])
    held: list[Any] = []
    window.page.route("**/chat/stream", lambda route: held.append(route))  # noqa: PLW0108 - Playwright wants one it can mark
    expect(window.button("Stop")).to_be_hidden()
    window.page.locator("#message").fill("go on with it")
    window.page.keyboard.press("Enter")
    window.button("Stop").click()
    expect(window.section("slots")).to_contain_text("paused")
    held[0].continue_()
    expect(window.button("Stop")).to_be_hidden()


def test_the_path_of_topics_shows_a_detour_and_the_way_back(open_window: Open, server: Served) -> None:
    window = open_window("rv_service_desk")
    window.say("Water pump not working when faucet opened")
    path = window.page.locator("#topics .path li")
    expect(path).to_have_count(2)
    expect(path.first).to_contain_text("water pump")
    server.call("POST", f"/api/sessions/{window.session}/hear", text="what is a pressure switch?")
    expect(path).to_have_count(3)
    expect(path.last).to_contain_text("pressure switch")
    expect(path.last).to_have_attribute("aria-current", "location")
    window.say("there is no sound at all")
    expect(window.section("topics")).not_to_contain_text("pressure switch")
    expect(window.page.locator("#plan .steps li.done")).to_contain_text("no sound")


def test_the_route_says_what_is_continued_where_it_went_and_why(open_window: Open) -> None:
    window = open_window("vibehuntr")
    window.say("Italian places in Philadelphia")
    expect(window.page.locator("#route")).to_contain_text("sent to agent (the default agent)")
    expect(window.page.locator("#route")).to_contain_text("ms")
    window.say("which of them is open late?")
    expect(window.page.locator("#route")).to_contain_text("continues")
    expect(window.page.locator("#route")).to_contain_text("italian")


def test_the_guard_says_when_it_steps_in(open_window: Open, server: Served) -> None:
    window = open_window("vibehuntr")
    window.say("Italian places in Philadelphia")
    at = f"/api/sessions/{window.session}"
    asked = "Which city are you in?"
    held = server.call("POST", f"{at}/say", text="Shall I look for more of them?", instead_of=asked)
    expect(window.page.locator(f"#v{held['version']} .guard")).to_contain_text(f"The guard held back: “{asked}”")
    flagged = server.call("POST", f"{at}/say", text=asked)
    assert not flagged["allowed"]
    expect(window.page.locator(f"#v{flagged['version']} .guard")).to_contain_text("The guard objects")


def test_the_picture_that_grace_made_is_shown_with_its_versions(open_window: Open) -> None:
    window = open_window("grace")
    window.say("Create an image with a red circle")
    window.say("make it blue")
    window.tab("Files")
    picture = window.page.locator("#files img")
    expect(picture).to_be_visible()
    window.until(lambda: picture.evaluate("img => img.complete && img.naturalWidth > 100"))
    newest = picture.get_attribute("src")
    versions = window.page.get_by_role("group", name="Versions of", exact=False).get_by_role("button")
    expect(versions).to_have_count(2)
    versions.first.click()
    window.until(lambda: window.page.locator("#files img").get_attribute("src") not in (None, newest))
    window.page.locator("#files summary").click()
    expect(window.page.locator("#files pre")).to_contain_text("ImageDraw")
    with window.page.expect_download() as taken:
        window.button("download red_circle.png").click()
    assert taken.value.suggested_filename == "red_circle.png"
    window.until(lambda: window.restless() == 0)


def test_every_pack_can_be_chosen_and_answers(open_window: Open, server: Served) -> None:
    window = open_window()
    names = [pack["name"] for pack in server.call("GET", "/api/packs")["packs"]]
    assert window.page.locator(".packs .pill").all_inner_texts() == names
    assert len(names) >= 6
    for name in ("general", "nxtscape"):
        window.button(name).click()
        expect(window.button(name)).to_have_attribute("aria-pressed", "true")
        window.page.get_by_role("list", name="Messages to begin with").get_by_role("button").first.click()
        expect(window.page.locator("article.m.a").first).to_be_visible()
