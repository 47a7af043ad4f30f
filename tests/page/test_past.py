"""Looking back: what was sent, the receipt with its words highlighted, and the slider through time."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.conftest import Open
from tests.page.serving import Served
from tests.page.window import Window


def test_the_context_that_was_sent_is_shown_to_the_letter(window: Window, server: Served) -> None:
    window.say("Italian places in Philadelphia")
    window.say("more about the second one")
    entries = server.call("GET", f"/api/sessions/{window.session}/history")["entries"]
    sent = [entry["context"] for entry in entries if entry["role"] == "person"][-1]
    expect(window.page.locator("#sent pre").first).to_have_text(sent)
    window.page.locator("#sent summary").click()
    expect(window.section("sent")).to_contain_text("You are Vibehuntr")
    expect(window.section("sent")).to_contain_text("more about the second one")


def test_a_receipt_opens_on_a_click_and_highlights_the_words_it_rests_on(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.page.locator("#v2").get_by_role("button", name="why", exact=False).click()
    receipt = window.page.get_by_role("region", name="What message 2 did, and why")
    expect(receipt).to_contain_text("Looking for: italian")
    expect(receipt).to_contain_text("Location: philadelphia")
    marked = window.page.locator("#v2 article mark").all_inner_texts()
    assert {word.lower() for word in marked} >= {"philadelphia", "italian"}
    receipt.locator("li.learned", has_text="Location").hover()
    expect(window.page.locator("#v2 mark.lit")).to_have_text("Philadelphia")
    window.page.locator("#v2").get_by_role("button", name="why", exact=False).click()
    expect(receipt).to_have_count(0)
    expect(window.page.locator("#v2 article mark")).to_have_count(0)


def test_a_learned_decision_shows_its_score_and_marks_the_words_that_counted(open_window: Open) -> None:
    window = open_window("nxtscape")
    window.say("Find flights from Berlin to Rome")
    window.page.locator("#v2").get_by_role("button", name="why", exact=False).click()
    line = window.page.get_by_role("region", name="What message 2 did, and why").locator("li.started")
    expect(line.locator(".score")).to_contain_text("score")
    assert (line.locator(".score").get_attribute("title") or "").startswith("aims-")
    marked = window.page.locator("#v2 article mark").all_inner_texts()
    assert "Find" in " ".join(marked)
    assert "Berlin to Rome" not in marked  # only what counted
    line.hover()
    expect(window.page.locator("#v2 mark.lit").first).to_be_visible()


def test_the_slider_goes_through_time_and_what_was_known_can_hold_again(window: Window) -> None:
    window.say("Italian places in Philadelphia")
    window.say("actually in New York")
    slider = window.page.get_by_role("slider")
    slider.focus()
    for _ in range(2):
        window.page.keyboard.press("ArrowLeft")
    expect(window.section("slots")).to_contain_text("philadelphia")
    expect(window.page.locator("#route")).to_contain_text("You are looking at the state after message")
    expect(window.page.locator("#v4")).to_have_class("turn person later")
    window.page.locator("#route").get_by_role("button", name="Back to now").click()
    expect(window.section("slots")).to_contain_text("new york")
    slider.focus()
    for _ in range(2):
        window.page.keyboard.press("ArrowLeft")
    window.button("Restore this state").click()
    expect(window.page.locator("#route")).not_to_contain_text("the state after")
    expect(window.section("slots")).to_contain_text("philadelphia")
    expect(window.page.locator("article.m.u")).to_have_count(2)


def test_a_conversation_is_exported_and_erased_for_good(window: Window, server: Served) -> None:
    window.say("Italian places in Philadelphia")
    session = window.session
    with window.page.expect_download() as taken:
        window.button("Export").click()
    assert taken.value.suggested_filename == f"{session}.jsonl"
    window.button("Erase").click()
    window.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert server.api.get(f"/api/sessions/{session}").status_code == 200
    window.button("Erase").click()
    window.page.get_by_role("dialog").get_by_role("button", name="Erase for good").click()
    expect(window.page.locator("#notices")).to_contain_text("Conversation erased")
    assert server.api.get(f"/api/sessions/{session}").status_code == 404
