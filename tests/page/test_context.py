"""What is known, beside the chat: chips with a cross, entities in order, clear all with undo, and an empty state."""

from __future__ import annotations

import httpx2
from playwright.sync_api import expect

from tests.page.conftest import Open
from tests.page.serving import Served
from tests.page.window import Window
from tests.server.running import served

SEARCH = "Italian places in Philadelphia, nothing fancy"


def test_an_empty_page_invites_and_an_example_begins_a_conversation(window: Window) -> None:
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Where shall we go?")
    expect(window.section("slots")).to_contain_text("Name a place")
    assert window.chips() == []
    expect(window.button("Clear All")).to_have_count(0)
    window.page.get_by_role("list", name="Messages to begin with").get_by_role("button").first.click()
    expect(window.page.locator("article.m.a").first).to_be_visible()
    expect(window.page.locator("#slots .chip").first).to_be_visible()


def test_chips_show_each_slot_and_a_cross_clears_one_of_them(window: Window, server: Served) -> None:
    window.say(SEARCH)
    window.say("we are five people")
    expect(window.page.locator("#slots .chip")).to_have_count(4)
    assert window.chips() == [
        "Location: philadelphia ×",
        "Looking for: italian ×",
        "Price: ≤ $$ ×",
        "Party: 5 people ×",
    ]
    window.button("Clear Price").click()
    expect(window.page.locator("#slots .chip")).to_have_count(3)
    assert "price_level" not in server.call("GET", f"/api/sessions/{window.session}/context")["clears"]
    expect(window.page.locator("#notices")).to_contain_text("Price cleared")
    window.page.locator("#notices").get_by_role("button", name="undo").click()
    expect(window.page.locator("#slots .chip")).to_have_count(4)


def test_entities_stand_in_order_with_their_ids_and_the_one_that_is_meant_is_marked(window: Window) -> None:
    window.say(SEARCH)
    rows = window.page.locator("#entities li")
    expect(rows).to_have_count(3)
    listed = [row.strip() for row in window.page.locator("article.m.a ol li strong").all_inner_texts()]
    assert sorted(window.page.locator("#entities .name").all_inner_texts()) == sorted(listed)
    assert window.page.locator("#entities .number").all_inner_texts() == ["1", "2", "3"]
    ids = window.page.locator("#entities code").evaluate_all("codes => codes.map((code) => code.title)")
    assert len(set(ids)) == 3
    for id in ids:  # attached to the reply, not printed in it
        expect(window.page.locator("article.m.a").first).not_to_contain_text(id)
    window.say("more about the second one")
    expect(window.page.locator("#entities [aria-current=true] .name")).to_contain_text(listed[1])


def test_clear_all_asks_nothing_and_can_be_undone(window: Window) -> None:
    window.say(SEARCH)
    before = window.chips()
    window.button("Clear All").click()
    expect(window.page.locator("#slots .chip")).to_have_count(0)
    expect(window.page.locator("#entities li")).to_have_count(0)
    expect(window.button("Clear All")).to_have_count(0)
    expect(window.page.locator("article.m.u")).to_have_count(1)  # what was said stays
    window.page.locator("#notices").get_by_role("button", name="undo").click()
    expect(window.page.locator("#slots .chip")).to_have_count(len(before))
    window.until(lambda: window.chips() == before)
    expect(window.page.locator("#entities li")).to_have_count(3)


def test_a_new_conversation_starts_empty_and_the_old_one_is_a_click_away(window: Window) -> None:
    window.say(SEARCH)
    window.button("New conversation").click()
    expect(window.page.get_by_role("heading", level=1)).to_be_visible()
    window.until(lambda: window.chips() == [])
    expect(window.page.locator("#message")).to_be_focused()
    entry = window.page.get_by_role("navigation").get_by_role("link").first
    expect(entry).to_contain_text("Italian places")
    expect(entry).to_contain_text("vibehuntr · 1 turn")
    entry.click()
    expect(window.page.locator("article.m.u")).to_have_count(1)
    expect(window.page.locator("#slots .chip")).to_have_count(3)


def test_a_value_shows_how_it_came_to_be(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.say("actually in New York")
    window.page.locator("#slots .chip .value", has_text="Location").click()
    chain = window.page.locator("#chain li")
    expect(chain).to_have_count(2)
    expect(chain.nth(0)).to_contain_text("new york")
    expect(chain.nth(1).locator("del")).to_have_text("philadelphia")


# The rows of the display in the cases of vibehuntr.


def test_V_UI_001_a_location_is_shown(window: Window) -> None:
    window.say("something in Philadelphia")
    expect(window.section("slots")).to_contain_text("Location: philadelphia")


def test_V_UI_002_a_query_is_shown(window: Window) -> None:
    window.say("I feel like italian food")
    expect(window.section("slots")).to_contain_text("Looking for: italian")


def test_V_UI_004_all_three_are_shown_under_the_header_with_a_button(window: Window) -> None:
    window.say(SEARCH)
    expect(window.page.get_by_role("heading", name="Agent Memory")).to_be_visible()
    expect(window.section("slots")).to_contain_text("Location: philadelphia")
    expect(window.section("slots")).to_contain_text("Looking for: italian")
    expect(window.page.get_by_role("heading", name="Recent venues:")).to_be_visible()
    expect(window.button("Clear All")).to_be_visible()


def test_V_UI_005_without_context_there_is_an_empty_state_without_items(window: Window) -> None:
    expect(window.page.locator("#slots .chip, #entities li")).to_have_count(0)
    expect(window.button("Clear All")).to_have_count(0)
    expect(window.section("slots")).to_be_visible()


def test_V_UI_007_a_click_clears_only_that_item(window: Window) -> None:
    window.say(SEARCH)
    names = window.page.locator("#entities .name").all_inner_texts()
    window.button(f"Clear {names[1]}").click()
    expect(window.page.locator("#entities li")).to_have_count(2)
    assert window.page.locator("#entities .name").all_inner_texts() == [names[0], names[2]]
    window.button("Clear Looking for").click()
    expect(window.section("slots")).not_to_contain_text("italian")
    expect(window.section("slots")).to_contain_text("philadelphia")
    expect(window.page.locator("#entities li")).to_have_count(2)


def test_V_UI_008_when_the_location_is_cleared_the_query_stays(window: Window) -> None:
    window.say(SEARCH)
    window.button("Clear Location").click()
    expect(window.section("slots")).not_to_contain_text("Location")
    expect(window.section("slots")).to_contain_text("Looking for: italian")


def test_V_UI_010_a_clearing_that_fails_is_said_so(window: Window) -> None:
    window.say(SEARCH)
    window.expect("status of 503")
    window.page.route("**/context/**", lambda route: route.fulfill(status=503, body="{}"))
    window.button("Clear Location").click()
    expect(window.page.get_by_role("alert")).to_contain_text("Unable to clear agent memory")
    expect(window.section("slots")).to_contain_text("Location: philadelphia")


def test_V_UI_011_turn_by_turn_the_display_accumulates_without_a_reload(window: Window) -> None:
    window.page.evaluate("window.stays = true")
    window.say("something in Philadelphia")
    expect(window.section("slots")).to_contain_text("philadelphia")
    window.say("italian food")
    expect(window.section("slots")).to_contain_text("italian")
    expect(window.section("slots")).to_contain_text("philadelphia")
    few = window.page.locator("#entities li").count()
    window.say("now show me coffee shops")
    window.until(lambda: window.page.locator("#entities li").count() > few)
    assert window.page.evaluate("window.stays")


def test_V_UI_012_a_location_that_changes_replaces_the_old_one(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.say("actually, in New York")
    expect(window.section("slots")).to_contain_text("Location: new york")
    expect(window.section("slots")).not_to_contain_text("philadelphia")


def test_what_happens_in_one_window_shows_in_another(window: Window, open_window: Open) -> None:
    window.say("something in Philadelphia")
    other = open_window(session=window.session)
    expect(other.section("slots")).to_contain_text("philadelphia")
    window.say("italian food")
    expect(other.section("slots")).to_contain_text("italian")
    expect(other.page.locator("article.m.u").last).to_contain_text("italian food")
    other.button("Clear Location").click()
    expect(window.section("slots")).not_to_contain_text("philadelphia")


def test_what_another_server_on_the_same_database_hears_shows_here(window: Window, server: Served) -> None:
    window.say("something in Philadelphia")
    with served(store=f"sqlite:///{server.folder / 'h.db'}") as other:
        assert other != server.address
        httpx2.post(f"{other}/api/sessions/{window.session}/hear", json={"text": "italian food"}).raise_for_status()
    expect(window.section("slots")).to_contain_text("italian")
    expect(window.page.locator("article.m.u").last).to_contain_text("italian food")
