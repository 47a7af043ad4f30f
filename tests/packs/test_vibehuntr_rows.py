"""The acceptance rows of the vibehuntr pack: what people say, and what the pack then holds, tells and refuses."""

from __future__ import annotations

import itertools
import logging
from typing import Any

import pytest

from holdfast import Holdfast, Session
from holdfast.errors import InvalidInput, UnknownSession
from holdfast.pack import load

ENGINE = Holdfast(pack="vibehuntr")
_ids = itertools.count()


def chat() -> Session:
    return ENGINE.session(f"row-{next(_ids)}")


def heard(*messages: str) -> Session:
    """A conversation: lines that open with "agent:" are the agent's."""
    session = chat()
    for message in messages:
        if message.startswith("agent:"):
            session.say(message.removeprefix("agent:").strip())
        else:
            session.hear(message)
    return session


def held(session: Session) -> dict[str, Any]:
    """What is set, under the document's names, without the last message."""
    return {k: v for k, v in session.face.context().items() if v not in (None, []) and k != "last_user_message"}


def _steps(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [r.__dict__["holdfast"] for r in caplog.records if "holdfast" in r.__dict__]


ROWS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("V-LOC-001", ("I want pizza in philadelphia",), {"location": "philadelphia", "search_query": "pizza"}),
    ("V-LOC-003", ("Restaurants in nyc",), {"location": "nyc", "search_query": "restaurant"}),
    ("V-LOC-004", ("Find me something in new york",), {"location": "new york"}),
    ("V-LOC-005", ("Boston area restaurants",), {"location": "boston", "search_query": "restaurant"}),
    ("V-LOC-007", ("restaurants around seattle",), {"location": "seattle", "search_query": "restaurant"}),
    ("V-LOC-010", ("pizza in philly", "what about italian food"), {"location": "philly", "search_query": "italian"}),
    (
        "V-LOC-011",
        ("pizza in philly", "actually, show me places in boston"),
        {"location": "boston", "search_query": "pizza"},
    ),
    ("V-LOC-012", (), {}),
    ("V-LOC-014", ("any in NYC?",), {"location": "nyc"}),
    ("V-LOC-015", ("agent: Where?", "philly"), {"location": "philly"}),
    ("V-LOC-017", ("I'm interested in brunch",), {"search_query": "brunch"}),
    ("V-LOC-018", ("in the morning",), {}),
    ("V-LOC-019", ("near me",), {}),
    ("V-LOC-022", ("is it in a safe area",), {}),
    ("V-LOC-025", ("dinner in london and bars",), {"location": "london", "search_query": "dinner"}),
    ("V-LOC-026", ("Actually show me places in new orleans please",), {"location": "new orleans"}),
    ("V-LOC-027", ("let's do Boston instead of Philly",), {"location": "boston"}),
    ("V-QRY-001", ("I want pizza",), {"search_query": "pizza"}),
    ("V-QRY-004", ("Chinese restaurants",), {"search_query": "chinese"}),
    ("V-QRY-006", ("Thai food",), {"search_query": "thai"}),
    ("V-QRY-007", ("Indian cuisine",), {"search_query": "indian"}),
    ("V-QRY-009", ("Find me a restaurant",), {"search_query": "restaurant"}),
    ("V-QRY-011", ("Coffee shops nearby",), {"search_query": "coffee"}),
    ("V-QRY-012", ("Good cafes",), {"search_query": "cafe"}),
    ("V-QRY-013", ("brunch spots",), {"search_query": "brunch"}),
    ("V-QRY-014", ("lunch places",), {"search_query": "lunch"}),
    ("V-QRY-016", ("breakfast options",), {"search_query": "breakfast"}),
    ("V-QRY-017", ("I want pizza", "in philadelphia"), {"search_query": "pizza", "location": "philadelphia"}),
    (
        "V-QRY-018",
        ("cheesesteak", "agent: Where?", "philly"),
        {"search_query": "cheesesteak", "location": "philly"},
    ),
    ("V-QRY-020", ("no, not Italian, sushi instead",), {"search_query": "sushi"}),
    ("V-FLOW-011", ("table at 7pm on Friday",), {"event_date_time": "on friday at 7pm"}),
    # the same behaviour in other words
    ("area before a city", ("Italian food in South Philly",), {"location": "south philly", "search_query": "italian"}),
    ("center city", ("brunch in center city",), {"location": "center city", "search_query": "brunch"}),
    ("downtown", ("downtown Austin tacos",), {"location": "downtown austin", "search_query": "taco"}),
    ("city first", ("Chicago pizza",), {"location": "chicago", "search_query": "pizza"}),
    ("unknown name", ("bars in Kittersvale",), {"location": "kittersvale", "search_query": "bar"}),
    ("short upper case", ("LA tacos",), {"location": "la", "search_query": "taco"}),
    ("short with preposition", ("sushi in sf",), {"location": "sf", "search_query": "sushi"}),
    ("a la carte", ("is the menu a la carte",), {}),
    ("not x, y", ("not Boston, Denver",), {"location": "denver"}),
    ("rather than", ("ramen in Portland rather than Seattle",), {"location": "portland", "search_query": "ramen"}),
    ("self repair", ("dinner in Dallas, no wait, Houston",), {"location": "houston", "search_query": "dinner"}),
    ("set by words", ("pizza in philly", "change location to Denver"), {"location": "denver", "search_query": "pizza"}),
    ("anywhere is no place", ("agent: Where?", "anywhere"), {}),
    ("meal before cuisine", ("italian dinner",), {"search_query": "dinner"}),
    ("cuisine before venue", ("a bar with good burgers",), {"search_query": "burger"}),
    ("plural", ("breweries in Denver",), {"search_query": "brewery", "location": "denver"}),
    ("a kind of food", ("a restaurant serving Danish food",), {"search_query": "danish"}),
    ("an unlisted kind", ("Ruritanian cuisine in Boston",), {"search_query": "ruritanian", "location": "boston"}),
    ("the house", ("the capital grille",), {"search_query": "the capital grille"}),
    ("a region's house", ("South Philly Barbacoa",), {
        "search_query": "south philly barbacoa", "location": "south philly"
    }),
    ("dinner for two", ("dinner for two",), {"search_query": "dinner", "event_party_size": 2}),
    ("not people", ("lunch for 5 dollars", "book it for 8 pm"), {
        "search_query": "lunch", "event_date_time": "for 8 pm", "constraints": ["5 dollars"]
    }),
    ("a command", ("compare them", "show me more", "start over"), {}),
    ("a budget", ("my budget is $40",), {"price_level": 3}),
    ("no wish", ("What club won the cup?", "do you like pizza?", "I had sushi yesterday"), {}),
    ("anything but", ("anything but pizza",), {}),
    ("instead of", ("thai instead of sushi",), {"search_query": "thai"}),
    ("a venue's name", ("House of Kabob",), {"search_query": "house of kabob"}),
    ("an owner's name", ("Joe's Steaks",), {"search_query": "steak"}),
    ("answer to what", ("agent: What are you looking for?", "Franklin Institute"), {
        "search_query": "franklin institute"
    }),
    ("day first", ("at 8pm tomorrow",), {"event_date_time": "tomorrow at 8pm"}),
    ("party of", ("party of six",), {"event_party_size": 6}),
    ("table for two", ("a table for two tonight",), {"event_party_size": 2, "event_date_time": "tonight"}),
    ("name and mail", ("Ana Ruiz and ana@example.com",), {"user_name": "Ana Ruiz", "user_email": "ana@example.com"}),
    ("I'm", ("I'm Jordan",), {"user_name": "Jordan"}),
    ("planned at", ("dinner at Zahav on friday",), {
        "event_venue_name": "Zahav", "event_date_time": "on friday", "search_query": "dinner"
    }),
    ("constraints", ("thai with outdoor seating and parking",), {
        "search_query": "thai", "constraints": ["outdoor seating", "parking"]
    }),
    ("Russian", ("хочу пиццу в Москве",), {"search_query": "пицца", "location": "москве"}),
    ("Russian short", ("бары в питере", "недорого"), {"search_query": "бар", "location": "питере", "price_level": 1}),
    ("Spanish", ("sushi barato en Madrid",), {"search_query": "sushi", "location": "madrid", "price_level": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_was_said_is_held(messages: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert held(heard(*messages)) == expected


def test_LOC_028_two_places_keep_both_take_the_last_and_ask() -> None:
    session = chat()
    turn = session.hear("restaurants in dallas or houston")
    place = session.state.slots.values["location"]
    assert (place.value, place.candidates, place.ambiguous) == ("houston", ("dallas", "houston"), True)
    assert turn.question == "dallas or houston?"
    session.say("Dallas or Houston?")
    session.hear("the first")
    assert session.face.context()["location"] == "dallas"
    assert not session.state.slots.values["location"].ambiguous


def test_LOC_060_the_normalised_form_stands_beside_the_typed_one() -> None:
    session = heard("pizza in philly")
    assert session.face.details()["location"]["normalised"] == "Philadelphia"
    assert session.face.context()["location"] == "philly"


def test_QRY_018_both_values_are_injected_with_the_message_that_completes_them() -> None:
    session = heard("cheesesteak", "agent: Where?")
    turn = session.hear("philly")
    assert turn.context.startswith("[CONTEXT: User is looking for: cheesesteak | Location: philly | ")


def test_STR_001_and_010_without_context_the_message_goes_through_unchanged() -> None:
    session = chat()
    turn = session.hear("Test message")
    assert (turn.context, turn.prompt) == ("", "Test message")
    assert session.hear("hello again").prompt == "hello again"  # the last message alone is no context


def test_STR_003_a_query_alone_is_told() -> None:
    session = chat()
    session.face.set_item("query", "pizza")
    assert session.hear("ok").context == "[CONTEXT: User is looking for: pizza]"


def test_STR_006_the_keys_come_in_their_order() -> None:
    session = heard(
        "I'm Ana, ana@example.com",
        "dinner at Zahav for 4 people tomorrow at 8pm",
        "cheap sushi in philly",
        "any quiet place? " + "really " * 20,
    )
    session.hear("and parking")
    context = session.hear("thanks").context
    assert context == (
        "[CONTEXT: User's name: Ana | User's email: ana@example.com | Planning event at: Zahav | Party size: 4 people"
        " | Event time: tomorrow at 8pm | User is looking for: sushi | Location: philly | Price level: 1"
        " | Constraints: quiet, parking | Last user message: 'and parking']"
    )


def test_STR_006_a_last_message_of_100_characters_is_not_repeated() -> None:
    session = heard("pizza in philly " + "x" * 84)
    assert "Last user message" not in session.hear("ok").context
    session = heard("pizza in philly " + "x" * 83)
    assert "Last user message: 'pizza" in session.hear("ok").context


@pytest.mark.parametrize(("place", "query"), [(None, None), ("boston", None), (None, "pizza"), ("boston", "pizza")])
def test_STR_007_the_line_has_exactly_what_is_set(place: str | None, query: str | None) -> None:
    session = chat()
    if place:
        session.face.set_item("location", place)
    if query:
        session.face.set_item("query", query)
    context = session.hear("hm").context
    assert bool(context) == bool(place or query)
    assert ("Location: boston" in context) == bool(place)
    assert ("User is looking for: pizza" in context) == bool(query)
    assert (" | " in context) == bool(place and query)


def test_STR_008_the_sent_text_is_the_line_a_blank_line_and_the_message_as_typed() -> None:
    session = heard("pizza in philly")
    turn = session.hear("  any  GOOD ones?")
    assert turn.prompt == (
        "[CONTEXT: User is looking for: pizza | Location: philly | Last user message: 'pizza in philly']"
        "\n\n  any  GOOD ones?"
    )


def test_STR_015_the_log_holds_the_session_and_the_whole_line(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="holdfast"):
        session = chat()
        turn = session.hear("pizza in philly")
    records = _steps(caplog)
    injected = [r for r in records if r["step"] == "inject"]
    assert [(r["session_id"], r["context"]) for r in injected] == [(session.id, turn.context)]
    assert any(r["step"] == "extract" and "philly" in r["what"] for r in records)


def test_FLOW_001_a_follow_up_is_sent_with_the_place() -> None:
    session = heard("Indian food in philly")
    turn = session.hear("any with outdoor seating?")
    assert "Location: philly" in turn.context
    assert "User is looking for: indian" in turn.context
    assert turn.prompt.endswith("\n\nany with outdoor seating?")


def test_FLOW_004_every_message_is_in_the_history() -> None:
    session = heard(*itertools.chain.from_iterable((f"message {n}", f"agent: reply {n}") for n in range(8)))
    assert [m["content"] for m in session.face.messages()][::2] == [f"message {n}" for n in range(8)]
    assert len(session.face.messages()) == 16


def test_FLOW_005_what_was_answered_need_not_be_asked_again() -> None:
    session = heard("sushi", "agent: Where should I look?", "Boston")
    assert "Location: boston" in session.hear("go on").context
    assert not session.check("Where should I look?").allowed


@pytest.mark.parametrize(
    "reply",
    [
        "What is your name?",
        "Could you tell me your email address?",
        "Please provide your email address.",
        "I'll need your name first.",
    ],
)
def test_FLOW_009_a_reply_that_asks_for_name_or_email_again_is_flagged(reply: str) -> None:
    session = heard("My name is Ana and my email is ana@example.com")
    turn = session.hear("create my profile")
    assert "User's name: Ana | User's email: ana@example.com" in turn.context
    said = session.say(reply)
    assert not said.allowed
    assert "known" in said.violations[0].reason


def test_FLOW_009_a_reply_that_asks_for_nothing_known_is_allowed() -> None:
    session = heard("My name is Ana")
    assert session.check("Where should I look?").allowed
    assert session.check("Here you are, Ana. Anything else?").allowed


@pytest.mark.parametrize(
    ("reply", "allowed"),
    [
        ("Shall I send it to your email?", True),
        ("Do you want me to use your location?", True),
        ("How much would you like to spend?", True),
        ("How many people will be there?", False),
        ("What time works for you?", False),
        ("¿Cuántas personas son?", False),
    ],
)
def test_FLOW_009_asking_for_leave_is_not_asking_for_what_is_known(reply: str, allowed: bool) -> None:
    session = heard("ana@example.com", "a table for 4 people tomorrow at 8pm in philly")
    assert session.check(reply).allowed == allowed


def test_SES_001_and_002_a_new_session_is_empty_and_a_set_value_is_kept() -> None:
    session = chat()
    assert held(session) == {}
    session.face.set_item("location", "South Philly")
    assert ENGINE.session(session.id).face.context()["location"] == "South Philly"


def test_SES_004_and_006_clearing_leaves_nothing() -> None:
    session = heard("I'm Ana", "cheap pizza in philly for 4 people tomorrow at 8pm with parking")
    assert len(held(session)) > 5
    session.face.clear_all()
    context = session.face.context()
    assert all(value in (None, []) for value in context.values())
    assert session.hear("hello").prompt == "hello"


def test_SES_008_the_export_has_every_field() -> None:
    assert set(chat().face.context()) == {
        "location",
        "search_query",
        "recent_venues",
        "user_name",
        "user_email",
        "event_venue_name",
        "event_date_time",
        "event_party_size",
        "price_level",
        "constraints",
        "last_user_message",
    }


def test_SES_010_and_011_a_session_begins_with_a_message_and_outlives_its_messages() -> None:
    session = chat()
    assert session.face.add_message("user", "pizza in philly")["messageCount"] == 1
    session.face.add_message("assistant", "Here you are.")
    entry = next(row for row in session.face.sessions() if row["id"] == session.id)
    assert (entry["preview"], entry["messageCount"]) == ("pizza in philly", 2)
    assert session.face.clear_messages()["messageCount"] == 0
    assert session.face.messages() == []
    assert session.id in [row["id"] for row in session.face.sessions()]
    session.face.add_message("user", "hello")
    assert next(row for row in session.face.sessions() if row["id"] == session.id)["preview"] == "hello"


def test_SES_deleting_removes_a_session_and_an_unknown_one_is_an_error() -> None:
    session = heard("pizza")
    session.face.delete()
    assert session.id not in [row["id"] for row in session.face.sessions()]
    for call in (session.face.messages, session.face.delete, session.face.clear_messages):
        with pytest.raises(UnknownSession):
            call()


def test_SES_sessions_are_kept_apart() -> None:
    one, two = heard("pizza in philly"), heard("sushi in boston")
    assert (held(one)["location"], held(two)["location"]) == ("philly", "boston")
    assert held(one.face.new_session()) == {}


def test_API_004_clearing_an_unknown_session_succeeds() -> None:
    session = chat()
    assert session.face.clear_all()["status"] == "success"
    assert session.state.version == 0


@pytest.mark.parametrize(
    ("item", "name"),
    [("location", "location"), ("query", "search_query"), ("user_name", "user_name"), ("user_email", "user_email")],
)
def test_API_005_006_013_clearing_one_item_leaves_the_others(item: str, name: str) -> None:
    session = heard("I'm Ana, ana@example.com", "pizza in philly")
    before = held(session)
    session.face.clear_item(item)
    assert held(session) == {key: value for key, value in before.items() if key != name}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"item_type": "venue", "index": 5}, "Invalid venue index"),
        ({"item_type": "venue"}, "index parameter is required"),
        ({"item_type": "mood"}, "Invalid item_type"),
        ({}, "item_type is required"),
    ],
)
def test_API_008_009_010_011_a_wrong_clear_is_refused_and_changes_nothing(
    arguments: dict[str, Any], message: str
) -> None:
    session = heard("pizza in philly")
    version = session.state.version
    with pytest.raises(InvalidInput, match=message):
        session.face.clear_item(**arguments)
    assert session.state.version == version


def test_API_a_clear_is_logged_and_can_be_undone(caplog: pytest.LogCaptureFixture) -> None:
    session = heard("cheap pizza in philly")
    before = held(session)
    with caplog.at_level(logging.INFO, logger="holdfast"):
        session.face.clear_all()
    cleared = [r for r in _steps(caplog) if r["step"] == "clear"]
    assert cleared
    assert cleared[0]["session_id"] == session.id
    assert cleared[0]["at"] > 0
    session.face.restore()
    assert held(session) == before


PRICES = {
    1: ("cheap", "inexpensive", "budget", "affordable", "$", "under $15"),
    2: ("moderate", "mid-range", "reasonable", "$$", "$15-30", "not too expensive"),
    3: ("expensive", "upscale", "fancy", "nice", "$$$", "$30-60"),
    4: ("very expensive", "luxury", "high-end", "splurge", "$$$$", "over $60"),
}


@pytest.mark.parametrize(("level", "words"), [(level, w) for level, many in PRICES.items() for w in many])
def test_PRICE_002_to_006_a_price_is_held_told_replaced_and_cleared(level: int, words: str) -> None:
    session = heard("sushi in boston")
    turn = session.hear("let's splurge" if words == "splurge" else f"a {words} restaurant please")
    assert session.face.context()["price_level"] == level
    assert f"Price level: {level}" in turn.context
    assert f"Price level: {level}" in session.hear("what about thai food").context
    other = 1 if level > 1 else 4
    session.hear("something cheap" if other == 1 else "something luxury")
    assert session.face.context()["price_level"] == other
    session.face.clear_all()
    assert session.face.context()["price_level"] is None


def test_V41_and_V44_the_model_is_a_setting() -> None:
    pack = load("vibehuntr")
    assert pack.model == "gemini-2.0-flash-exp"
    other = Holdfast(pack=pack.but(model="gemini-2.5-flash")).session("s")
    assert other.hear("pizza in philly").context == heard().hear("pizza in philly").context


def test_V26_to_V28_the_instructions_have_rules_and_examples() -> None:
    text = heard().hear("hello").system
    assert [f"\n{n}. " in text for n in range(1, 6)] == [True] * 5
    right, wrong = text.split("RIGHT:")[1].split("WRONG:")
    assert (right.count("\n- "), wrong.count("\n- ")) == (3, 3)


LISTED = "1. **Osteria** Place ID: ChIJabc123 2. **Vedge** Place ID: ChIJdef456 3. **Zahav** Place ID: ChIJghi789"


def test_STR_004_place_query_and_venue_are_told_together() -> None:
    session = heard("pizza in philly", "agent: I found **Osteria**. Place ID: ChIJabc123")
    context = session.hear("hm").context
    assert (
        "User is looking for: pizza | Location: philly | Recently mentioned venues: Osteria (Place ID: ChIJabc123)"
        in context
    )


def test_STR_006_venues_and_the_one_referred_to_stand_before_the_last_message() -> None:
    session = heard("cheap pizza in philly", f"agent: {LISTED}")
    assert session.hear("tell me more about the first one").context == (
        "[CONTEXT: User is looking for: pizza | Location: philly | Price level: 1 | Recently mentioned venues: "
        "Osteria (Place ID: ChIJabc123), Vedge (Place ID: ChIJdef456), Zahav (Place ID: ChIJghi789)"
        " | User is referring to: Osteria (Place ID: ChIJabc123) | Last user message: 'cheap pizza in philly']"
    )


def test_STR_013_a_failing_reader_of_replies_is_logged_and_the_talk_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    session = heard("pizza in philly")
    monkeypatch.setattr(ENGINE.pack.faculty("references"), "say", broken)
    assert session.say(f"Here: {LISTED}").allowed
    assert "Entity extraction from agent response failed" in caplog.text
    assert "Location: philly" in session.hear("ok").context


def test_STR_a_failing_reader_of_messages_is_logged_and_the_message_is_sent(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(ENGINE.pack.faculty("slots"), "hear", broken)
    assert chat().hear("pizza in philly").prompt == "pizza in philly"
    assert "Context extraction/injection failed" in caplog.text


@pytest.mark.parametrize("turns", [2, 3, 4, 5, 7])
def test_FLOW_003_place_and_query_persist_while_venues_gather(turns: int) -> None:
    session = heard("pizza in philly", "agent: **Venue_1** Place ID: ChIJv1", "what about sushi?")
    for number in range(2, turns + 1):
        session.say(f"**Venue_{number}** is nice. Place ID: ChIJv{number}")
        session.hear("anything else?")
        context = session.face.context()
        assert (context["location"], context["search_query"]) == ("philly", "sushi")
        assert len(context["recent_venues"]) == min(number, 5)


def test_FLOW_006_it_and_the_one_I_mentioned_are_the_venue() -> None:
    session = heard("agent: I found **Osteria**. Place ID: ChIJabc123")
    for message in ("Can you tell me more about it?", "What do you think about the one I mentioned?"):
        assert "User is referring to: Osteria (Place ID: ChIJabc123)" in session.hear(message).context


@pytest.mark.parametrize(
    "reply", ["Which venue do you mean?", "Please provide the place id.", "Could you specify which?", "Which one?"]
)
def test_FLOW_007_a_reply_that_asks_which_venue_is_flagged(reply: str) -> None:
    session = heard("Find Italian restaurants in Philadelphia", f"agent: {LISTED}", "more details")
    assert not session.check(reply).allowed


def test_SES_008_an_exported_venue_has_name_id_place_and_time() -> None:
    session = heard("pizza in philly", "agent: I found **Osteria**. Place ID: ChIJabc123")
    (venue,) = session.face.context()["recent_venues"]
    assert (venue["name"], venue["place_id"], venue["location"]) == ("Osteria", "ChIJabc123", "philly")
    assert venue["mentioned_at"].startswith("20")


def test_API_002_values_set_by_call_are_exactly_the_context() -> None:
    session = chat()
    session.face.set_item("location", "South Philly")
    session.face.set_item("query", "Pizza")
    for number in range(3):
        session.face.add_venue(f"Venue_{number}", f"ChIJv{number}", "Old City")
    context = session.face.context()
    assert (context["location"], context["search_query"]) == ("South Philly", "Pizza")
    assert [(v["name"], v["place_id"], v["location"]) for v in context["recent_venues"]] == [
        (f"Venue_{n}", f"ChIJv{n}", "Old City") for n in range(3)
    ]


def test_API_007_clearing_a_venue_by_index_leaves_the_others() -> None:
    session = heard(f"agent: {LISTED}")
    session.face.clear_item("venue", index=1)
    assert [venue["name"] for venue in session.face.context()["recent_venues"]] == ["Osteria", "Zahav"]


def test_words_inside_a_known_name_are_no_wish() -> None:
    session = heard(
        "tacos in austin", "agent: 1. **Boston Pizza** Place ID: ChIJb1 2. **Thai Palace** Place ID: ChIJb2"
    )
    session.hear("tell me more about Boston Pizza")
    assert (held(session)["location"], held(session)["search_query"]) == ("austin", "taco")


def test_booking_what_is_pointed_at_plans_the_event_there() -> None:
    session = heard("pizza in philly", f"agent: {LISTED}")
    session.hear("book the second one for four tomorrow at eight")
    assert held(session)["event_venue_name"] == "Vedge"
    assert (held(session)["event_party_size"], held(session)["event_date_time"]) == (4, "tomorrow at eight")
