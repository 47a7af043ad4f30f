"""What a person does on the page: try an example, edit, regenerate, rename, search, copy, choose who answers; and how
the page says what was done and what went wrong."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Open
from tests.page.serving import Served
from tests.page.window import Window
from tests.server.upstream import upstream

SEARCH = "Italian places in Philadelphia, nothing fancy"


def notice(window: Window) -> Any:
    return window.page.locator("#notices .notice")


def said(window: Window) -> list[str]:
    return [text.strip() for text in window.page.locator("article.m.u .body").all_inner_texts()]


def test_the_page_opens_with_places_and_three_things_to_try(open_window: Open) -> None:
    window = open_window()
    expect(window.page.locator(".packs .pill").first).to_have_text("vibehuntr")
    expect(window.button("vibehuntr")).to_have_attribute("aria-pressed", "true")
    expect(window.page.get_by_role("list", name="Messages to begin with").get_by_role("button")).to_have_count(3)


# Notices


def test_there_is_one_notice_at_a_time_and_it_stays_with_its_conversation(window: Window) -> None:
    window.say(SEARCH)
    window.button("Clear Price").click()
    expect(notice(window)).to_contain_text("Price cleared")
    window.button("Clear Looking for").click()
    expect(notice(window)).to_have_count(1)
    expect(notice(window)).to_contain_text("Looking for cleared")
    window.button("New conversation").click()
    expect(notice(window)).to_have_count(0)


def test_a_way_back_is_gone_when_the_talk_goes_on(window: Window) -> None:
    window.say(SEARCH)
    window.button("Clear Price").click()
    expect(notice(window)).to_contain_text("Price cleared")
    window.say("we are five")
    expect(notice(window)).to_have_count(0)
    expect(window.section("slots")).to_contain_text("5 people")


def test_a_notice_goes_by_itself(open_window: Open) -> None:
    window = open_window("vibehuntr", own=True)
    window.page.clock.install()
    window.say(SEARCH)
    window.button("Clear Price").click()
    expect(notice(window)).to_have_count(1)
    window.page.mouse.move(0, 0)
    window.page.clock.run_for(20_000)
    expect(notice(window)).to_have_count(0)


def test_an_error_that_is_over_disappears(window: Window) -> None:
    window.say(SEARCH)
    window.expect("status of 503")
    window.page.route("**/context/**", lambda route: route.fulfill(status=503, body="{}"))
    window.button("Clear Location").click()
    expect(window.page.locator("#alerts")).to_contain_text("Unable to clear")
    window.page.unroute("**/context/**")
    window.button("Rename").click()
    window.page.get_by_role("dialog").get_by_role("textbox").fill("Dinner")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Dinner")
    expect(window.page.locator("#alerts .notice")).to_have_count(0)


@pytest.mark.parametrize(("pack", "text"), [("vibehuntr", SEARCH), ("rv_service_desk", "Water pump does not run")])
def test_no_id_of_the_engine_is_shown_to_people(open_window: Open, pack: str, text: str) -> None:
    window = open_window(pack)
    window.say(text)
    window.say("12.6 volts at the pump" if pack == "rv_service_desk" else "more about the second one")
    for place in ("#log .note", "#slots", "#topics", "#plan", "#evidence", "#route"):
        for shown in window.page.locator(place).all_inner_texts():
            words = shown.replace(",", " ").split()
            assert [word for word in words if "_" in word and any(c.isdigit() for c in word)] == [], place


def test_an_address_of_a_conversation_that_is_not_there_says_so_and_begins_anew(open_window: Open) -> None:
    window = open_window()
    window.expect("status of 404")
    window.page.goto(f"{window.address}/#nobody-has-this")
    expect(window.page.locator("#alerts")).to_contain_text("There is no such conversation.")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Where shall we go?")
    window.say(SEARCH)
    expect(window.page.locator("#alerts .notice")).to_have_count(0)


def test_a_message_that_is_too_long_is_said_so_and_not_lost(window: Window) -> None:
    long = "word " * 200_001
    window.page.locator("#message").fill(long)
    window.button("Send").click()
    expect(window.page.locator("#alerts")).to_contain_text("This message is too long. Send it in parts.")
    assert window.page.locator("#message").input_value() == long


# Why, and what the agent is told


def test_why_opens_where_one_can_see_it(open_window: Open) -> None:
    window = open_window("vibehuntr", viewport={"width": 1200, "height": 600})
    window.say(SEARCH)
    window.say("more about the second one. and we'll be four, no wait, five")
    # "why" is the last line in view
    window.page.locator("#v4").evaluate("turn => turn.scrollIntoView({ block: 'end' })")
    window.page.locator("#v4").get_by_role("button", name="why", exact=False).click()
    above, below = window.page.locator("#v4").evaluate(
        "turn => { const chat = document.getElementById('chat').getBoundingClientRect(),"
        " own = turn.getBoundingClientRect(); return [own.top - chat.top, chat.bottom - own.bottom]; }"
    )
    assert above >= 0, "the message itself is still in view"
    assert below >= 0 or above < 20, "as much of the receipt as fits is in view"


def test_clear_all_shows_at_once_what_the_next_message_is_sent_with(window: Window) -> None:
    window.say(SEARCH)
    expect(window.page.locator("#sent pre").first).to_contain_text("philadelphia")
    window.button("Clear All").click()
    expect(window.button("Next message")).to_have_attribute("aria-pressed", "true")
    expect(window.section("sent")).to_contain_text("Nothing would be added")
    window.button("Last message").click()
    expect(window.page.locator("#sent pre").first).to_contain_text("philadelphia")
    window.button("Next message").click()
    notice(window).get_by_role("button", name="undo").click()
    expect(window.page.locator("#sent pre").first).to_contain_text("philadelphia")


def test_a_chip_is_edited_told_to_the_agent_and_taken_back(window: Window) -> None:
    window.say(SEARCH)
    window.button("Edit Location").click()
    field = window.page.get_by_role("dialog").get_by_role("textbox")
    expect(field).to_have_value("philadelphia")
    field.fill("Boston")
    window.page.keyboard.press("Enter")
    expect(window.section("slots")).to_contain_text("Location: Boston")
    expect(window.page.locator("#sent pre").first).to_contain_text("Location: Boston")
    notice(window).get_by_role("button", name="undo").click()
    expect(window.section("slots")).to_contain_text("Location: philadelphia")


def test_a_remembered_item_is_edited_and_taken_back(open_window: Open) -> None:
    window = open_window("copilot_cli", kept={"holdfast.who": '{"user": "mia", "project": "mias"}'})
    window.say("I prefer tabs over spaces")
    window.button("Edit Indentation tabs").click()
    window.page.get_by_role("dialog").get_by_role("textbox").fill("four spaces")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#panel .chip", has_text="Indentation")).to_contain_text("four spaces")
    notice(window).get_by_role("button", name="undo").click()
    expect(window.page.locator("#panel .chip", has_text="Indentation")).to_contain_text("tabs")


# Messages


def test_a_message_is_edited_and_the_edit_can_be_undone(window: Window) -> None:
    window.say(SEARCH)
    window.say("more about the second one")
    window.button("Edit message 2").click()
    window.page.get_by_role("textbox", name="Edit message 2").fill("Sushi in Boston")
    window.page.keyboard.press("Enter")
    window.until(lambda: said(window) == ["Sushi in Boston"])
    expect(window.section("slots")).to_contain_text("Location: boston")
    expect(window.section("slots")).not_to_contain_text("philadelphia")
    expect(window.page.locator("article.m.a")).to_have_count(1)
    expect(notice(window)).to_contain_text("Message edited")
    notice(window).get_by_role("button", name="undo").click()
    window.until(lambda: said(window) == [SEARCH, "more about the second one"])
    expect(window.section("slots")).to_contain_text("Location: philadelphia")
    window.page.reload()
    window.until(lambda: said(window) == [SEARCH, "more about the second one"])


def test_escape_leaves_a_message_as_it_is(window: Window) -> None:
    window.say(SEARCH)
    window.button("Edit message 2").click()
    window.page.get_by_role("textbox", name="Edit message 2").fill("Sushi in Boston")
    window.page.keyboard.press("Escape")
    window.until(lambda: said(window) == [SEARCH])


def test_an_answer_is_made_anew_and_another_window_follows(window: Window, open_window: Open) -> None:
    window.say(SEARCH)
    other = open_window(session=window.session)
    expect(other.page.locator("article.m.a")).to_have_count(1)
    first = window.page.locator(".turn.agent").get_attribute("data-version")
    window.button("Regenerate the answer").click()
    window.until(lambda: window.page.locator(".turn.agent").last.get_attribute("data-version") not in (None, first))
    window.until(lambda: not window.page.locator(".dots, .pending").count())
    assert said(window) == [SEARCH]
    again = window.page.locator(".turn.agent").get_attribute("data-version")
    other.until(lambda: other.page.locator(f"#v{again}").count() == 1)
    expect(other.page.locator("article.m.a")).to_have_count(1)
    assert said(other) == [SEARCH]


def test_a_message_and_the_conversation_are_copied(open_window: Open) -> None:
    window = open_window("vibehuntr", permissions=["clipboard-read", "clipboard-write"])
    window.say(SEARCH)
    window.button("Copy message 2").click()
    window.until(lambda: window.page.evaluate("navigator.clipboard.readText()") == SEARCH)
    window.button("Copy the conversation").click()
    window.until(lambda: str(window.page.evaluate("navigator.clipboard.readText()")).startswith(f"You: {SEARCH}\n\n"))


# Conversations


def test_a_conversation_is_renamed_here_and_in_the_list(window: Window) -> None:
    window.say(SEARCH)
    window.button("Rename").click()
    field = window.page.get_by_role("dialog").get_by_role("textbox", name="Title")
    expect(field).to_have_value(SEARCH)
    field.fill("Dinner on Friday")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Dinner on Friday")
    expect(window.page.get_by_role("navigation").get_by_role("link").first).to_contain_text("Dinner on Friday")
    window.say("more about the second one")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Dinner on Friday")


def test_conversations_are_found_by_title_and_by_what_was_said(window: Window) -> None:
    window.say("Sushi in Boston with a zeppelin")
    window.button("New conversation").click()
    window.say(SEARCH)
    search = window.page.get_by_role("searchbox", name="Search conversations")
    links = window.page.get_by_role("navigation").get_by_role("link")
    search.fill("zeppelin")
    expect(links).to_have_count(1)
    expect(links.first).to_contain_text("Sushi in Boston")
    links.first.click()
    expect(window.page.locator("article.m.u")).to_contain_text("zeppelin")
    search.fill("nobody ever said this")
    expect(window.page.get_by_role("navigation")).to_contain_text("No conversation matches")
    search.fill("")
    window.until(lambda: links.count() > 1)


# Who answers


def use(window: Window, address: str, name: str = "big") -> None:
    window.button("Choose who answers", exact=False).click()
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Address", exact=False).check()
    dialog.get_by_role("textbox", name="Address").fill(address)
    dialog.get_by_role("textbox", name="Model name").or_(dialog.get_by_role("combobox")).fill(name)
    dialog.get_by_role("button", name="Use it").click()


def test_any_endpoint_can_be_chosen_and_answers(open_window: Open) -> None:
    window = open_window("general")
    with upstream() as (address, model):
        model.replies = ["Said by the model."]
        use(window, address, "")
        expect(window.page.get_by_role("dialog")).to_have_count(0)
        expect(window.page.locator("#composer")).to_contain_text("Answers: big")
        window.say("hello there")
        expect(window.page.locator("article.m.a")).to_contain_text("Said by the model.")
    window.button("Choose who answers", exact=False).click()
    window.page.get_by_role("dialog").get_by_role("radio", name="Built-in agent", exact=False).check()
    window.button("Use it").click()
    expect(window.page.get_by_role("dialog")).to_have_count(0)  # it gives the focus back when it is gone
    window.say("I live in Lisbon")
    expect(window.page.locator("article.m.a").last).to_contain_text("Lisbon")


def test_an_address_where_nobody_answers_is_not_taken(open_window: Open) -> None:
    window = open_window("general")
    window.expect("status of 502")
    use(window, "http://127.0.0.1:9/v1")
    expect(window.page.get_by_role("dialog")).to_contain_text("Nothing answers at http://127.0.0.1:9/v1")
    window.page.keyboard.press("Escape")
    expect(window.page.locator("#composer")).to_contain_text("Answers: built-in agent")


def test_an_error_of_the_model_is_said_plainly_and_tried_again(open_window: Open) -> None:
    window = open_window("general")
    with upstream() as (address, model):
        use(window, address)
        expect(window.page.get_by_role("dialog")).to_have_count(0)
        model.replies = [401, "Now I can."]
        window.page.locator("#message").fill("hello there")
        window.page.keyboard.press("Enter")
        failed = window.page.locator(".m.failed")
        expect(failed).to_contain_text("The model does not accept the key. Check the key.")
        failed.get_by_role("button", name="Try again").click()
        expect(window.page.locator("article.m.a")).to_contain_text("Now I can.")
        expect(failed).to_have_count(0)
        assert said(window) == ["hello there"]


def test_a_server_with_keys_keeps_its_own_model(window: Window, server: Served) -> None:
    assert server.call("GET", "/api/about")["choice"] is True
    window.page.route("**/api/about", lambda route: route.fulfill(json={**about(server), "choice": False}))
    window.page.reload()
    expect(window.page.locator("#composer .foot")).to_contain_text("Answers: built-in agent")
    expect(window.button("Choose who answers", exact=False)).to_have_count(0)


def about(server: Served) -> dict[str, Any]:
    found: dict[str, Any] = server.call("GET", "/api/about")
    return found
