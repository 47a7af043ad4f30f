"""Replies in JSON are read as what they say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Holdfast
from holdfast.packs.general import PACK
from holdfast.reading.structured import plain

HOTELS = {
    "text": "I found two",
    "results": [{"id": "h1", "name": "Hotel Arts", "price": 320}, {"id": "h2", "name": "Casa Camper", "price": 240}],
    "question": "Which one would you like?",
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["name", "id", "text", "options", "price", "items"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":")])
def test_what_a_reply_in_json_lists_and_asks_is_known(separators: tuple[str, str]) -> None:
    chat = Holdfast().session("s")
    chat.hear("a hotel in Barcelona please")
    chat.say(json.dumps(HOTELS, separators=separators))
    assert [(e.name, e.id) for e in chat.state.references.entities] == [("Hotel Arts", "h1"), ("Casa Camper", "h2")]
    turn = chat.hear("the second one")
    assert "“Casa Camper” answers “Which one would you like?”" in str(turn.receipt)
    assert "Refers to: Casa Camper (ID: h2)" in turn.context


@pytest.mark.parametrize(
    ("reply", "said", "kept"),
    [
        ('{"message": "How many nights?"}', "2", "How many nights? 2"),
        ('```json\n{"reply": "Under what name?"}\n```', "Elena", "Under what name? Elena"),
        ('{"message":"Inside or outside?","options":["inside","outside"]}', "2", "Inside or outside? outside"),
        ('{"message": "Which one?", "options": ["tea", "coffee"]}', "the first", "“tea” answers “Which one?”"),
        ('{"text": "Что пьёте: чай или кофе?"}', "кофе", "Что пьёте: чай или кофе? кофе"),
        (r'{"text": "What\u2019s your size?\nTell me."}', "42 wide", "What’s your size? 42 wide"),
    ],
)
def test_a_question_in_json_is_answered_like_any_other(reply: str, said: str, kept: str) -> None:
    chat = Holdfast().session("s")
    chat.say(reply)
    turn = chat.hear(said)
    assert kept in f"{turn.receipt} {turn.context}"


def test_a_span_of_what_was_read_is_one_of_the_reply() -> None:
    reply = json.dumps(HOTELS)
    read = plain(reply, PACK.reader)
    for words in ("I found two", "Hotel Arts", "Which one would you like?"):
        assert read.find(words) == reply.find(words) > 0


@pytest.mark.parametrize(
    "reply", ["[CONTEXT: x]", "[link](there)", "{not json}", "`code` here", "[]", "{}", "[" * 5000]
)
def test_what_is_no_json_stays_as_it_is(reply: str) -> None:
    assert plain(reply, PACK.reader) == reply


@given(VALUES)
def test_any_json_is_read_in_its_own_length(value: Any) -> None:
    reply = json.dumps({"reply": value}, ensure_ascii=False)
    assert len(plain(reply, PACK.reader)) == len(reply)
