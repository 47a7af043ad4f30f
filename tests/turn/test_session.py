"""The shells: sessions apart, scopes shared, time travel, receipts, and errors that lose nothing."""

from __future__ import annotations

import copy
import json
import logging
import pickle
from pathlib import Path

import pytest

from holdfast import Holdfast, HoldfastError
from holdfast.errors import InvalidInput, Refused, UnknownItem, UnknownPack, UnknownSession, UnknownVersion


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  \n\t ", "empty"),
        ("x" * (1 << 20) + "x", "limit"),
        ("a\x00b", "U\\+0000 at character 1"),
        ("bell \x07", "U\\+0007"),
        ("half \ud83d a smile", "surrogate at character 5"),
        (None, "NoneType"),
        (b"bytes", "bytes"),
        (12.4, "float"),
        (["a"], "list"),
    ],
)
@pytest.mark.parametrize("verb", ["hear", "say"])
def test_bad_text_is_a_clear_error_and_nothing_is_written(verb: str, text: object, said: str) -> None:
    chat = Holdfast().session("s")
    chat.hear("before")
    with pytest.raises(InvalidInput, match=said):
        getattr(chat, verb)(text)
    assert chat.state.version == 1


def test_a_megabyte_is_heard_kept_and_found() -> None:
    chat = Holdfast().session("s")
    text = "so it goes " * 95_000
    assert chat.hear(text).prompt == text
    assert chat.history()[0].text == text


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\nb", None, 7])
def test_a_bad_session_id_is_a_clear_error(name: str) -> None:
    with pytest.raises(InvalidInput, match="session id"):
        Holdfast().session(name)


def test_unknown_things_are_named() -> None:
    hf = Holdfast()
    chat = hf.session("s")
    chat.hear("hello there")
    with pytest.raises(UnknownPack, match=r"installed are: .*general"):
        Holdfast(pack="no such pack")
    with pytest.raises(UnknownSession, match="'t'"):
        hf.existing("t")
    with pytest.raises(UnknownVersion, match="its newest is 1"):
        chat.at(2)
    for wrong in (0, -1, "1", 1.5, True):
        with pytest.raises(UnknownVersion):
            chat.at(wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownItem, match="'colour'"):
        chat.clear("colour")
    with pytest.raises(InvalidInput, match="takes no 'colour'"):
        chat.hear("hi", colour="red")
    for limit in (0, -5, 10**9, "5", True):
        with pytest.raises(InvalidInput, match="limit"):
            chat.history(limit=limit)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="exactly one"):
        hf.forget()
    with pytest.raises(InvalidInput, match="no store for"):
        Holdfast("mysql://somewhere")
    assert chat.state.version == 1


def test_sessions_are_kept_apart() -> None:
    hf = Holdfast()
    one, two = hf.session("one"), hf.session("two")
    one.say("Where?")
    one.hear("philly")
    assert one.state.slots.get("location") == "philly"
    assert two.state.slots.get("location") is None
    assert two.hear("hello").context == ""


def test_a_session_keeps_its_user() -> None:
    hf = Holdfast()
    hf.session("s", user="u").hear("hello")
    assert hf.session("s").user == "u"
    with pytest.raises(Refused, match="belongs to user 'u'"):
        hf.session("s", user="v")


def test_history_is_paged_from_the_end() -> None:
    chat = Holdfast().session("s")
    for number in range(1, 8):
        chat.hear(f"message {number}")
    last = chat.history(limit=3)
    assert [past.text for past in last] == ["message 5", "message 6", "message 7"]
    assert [past.text for past in chat.history(limit=3, before=last[0].version)] == [
        "message 2",
        "message 3",
        "message 4",
    ]


def test_the_past_can_be_looked_at() -> None:
    chat = Holdfast().session("s")
    for place in ("philly", "boston", "austin"):
        chat.say("Where?")
        chat.hear(place)
    assert [chat.at(version).slots.get("location") for version in (1, 2, 4, 6)] == [None, "philly", "boston", "austin"]


def test_a_receipt_names_rule_words_and_span_and_can_be_had_again() -> None:
    chat = Holdfast().session("s")
    chat.say("Where are you?")
    turn = chat.hear("in philly")
    (learned,) = turn.receipt.did("learned")
    assert learned.what == "Location: philly (Philadelphia)"
    assert learned.rule
    assert learned.version == turn.version == 2
    assert learned.span is not None
    assert "in philly"[slice(*learned.span)] == learned.words == "philly"
    again = chat.entry(2).receipt
    assert again == turn.receipt
    assert json.loads(again.json())["lines"][0]["did"]
    assert "Location: philly (Philadelphia)" in str(again)


def test_clearing_one_item_keeps_the_rest_and_clearing_all_keeps_nothing() -> None:
    chat = Holdfast().session("s")
    chat.say("Where?")
    chat.hear("philly")
    chat.hear("my mail is dana@example.org")
    chat.clear("location")
    assert chat.state.slots.get("location") is None
    assert chat.state.slots.get("email") == "dana@example.org"
    chat.clear()
    turn = chat.hear("hello")
    assert turn.prompt == "hello"
    assert len(turn.messages) == 2


def test_conversations_that_nobody_wrote_to_for_long_are_forgotten_at_once_and_people_stay() -> None:
    now = [1000.0]
    hf = Holdfast(clock=lambda: now[0])
    hf.session("old", user="u").hear("I'm vegan")
    hf.session("older").hear("hello")
    now[0] = 5000.0
    hf.session("new").hear("hello")
    assert hf.forget(before=4000.0) == 2
    assert hf.forget(before=4000.0) == 0
    assert [info.name for info in hf.sessions()] == ["new"]
    assert [memo.value for memo in hf.session("next", user="u").memory.items()] == ["vegan"]


def test_what_a_turn_gives_can_be_copied_and_pickled() -> None:
    turn = Holdfast().session("s", user="u").hear("I live in Lyon")
    for again in (copy.copy(turn), copy.deepcopy(turn), pickle.loads(pickle.dumps(turn))):
        assert (again.state.session, again.state.user) == (turn.state.session, turn.state.user)
        assert (again.prompt, again.receipt) == (turn.prompt, turn.receipt)


def test_a_clear_can_be_taken_back(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(store) as hf:
        chat = hf.session("s")
        chat.say("Where?")
        before = chat.hear("philly").version
        chat.clear()
        assert chat.state.slots.get("location") is None
        chat.restore(before)
        assert chat.state.slots.get("location") == "philly"
        assert chat.hear("hello there").context == "[CONTEXT: Location: philly]"
        left = chat.state.json()
    with Holdfast(store) as hf:
        assert hf.session("s").state.json() == left


def test_a_whole_sentence_in_another_language_changes_the_language() -> None:
    chat = Holdfast().session("s")
    assert chat.hear("I live in Boston").language == "en"
    assert chat.hear("окей").language == "en"
    assert chat.hear("посоветуй где поесть в Москве").language == "ru"
    assert chat.hear("what is on my list for today").language == "en"
    assert chat.hear("LOS ANGELES. burgers.").language == "en"
    assert chat.hear("¿y qué hay en la lista de mañana?").language == "es"


def test_a_case_at_a_desk_keeps_its_language() -> None:
    chat = Holdfast(pack="rv_service_desk").session("s")
    assert chat.hear("где находится насос").language == "ru"
    assert chat.hear("ok").language == "ru"
    assert chat.hear("the pump is in the bay now").language == "ru"
    assert chat.hear("насос в отсеке").language == "ru"
    assert chat.hear("the pump is in the bay now").language == "ru"
    assert chat.hear("and it makes a lot of noise").language == "en"
    assert chat.hear("habla en español").language == "es"


def test_every_step_is_logged_with_the_session_id(caplog: pytest.LogCaptureFixture) -> None:
    chat = Holdfast().session("s-78")
    with caplog.at_level(logging.INFO, logger="holdfast"):
        chat.say("Where?")
        turn = chat.hear("philly")
        chat.clear("location")
        assert chat.state.slots.get("location") is None
    fields = [record.holdfast for record in caplog.records]  # type: ignore[attr-defined]
    assert {field["session_id"] for field in fields} == {"s-78"}
    assert {"extract", "inject", "store", "clear", "retrieve"} <= {field["step"] for field in fields}
    assert [field["context"] for field in fields if field["step"] == "inject"] == [turn.context]


def test_every_error_of_ours_has_one_base() -> None:
    with pytest.raises(HoldfastError):
        Holdfast(pack="no such pack")


def test_the_check_alone_records_nothing() -> None:
    chat = Holdfast().session("s")
    chat.say("Where?")
    chat.hear("philly")
    verdict = chat.check("Where do you want to go?")
    assert not verdict.allowed
    assert "philly" in verdict.violations[0].reason
    assert chat.state.version == 2
