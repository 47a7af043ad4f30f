"""Conversations out and in: nothing lost on the way round, strangers' forms understood, nothing doubled."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Holdfast
from holdfast.errors import HoldfastError, InvalidInput, Refused
from holdfast.events import Event, MessageHeard
from holdfast.exchange import transcripts as exchange
from holdfast.faculties.facts.slots import SlotSet
from holdfast.faculty import Draft
from holdfast.history.whatif import recorded


def talk(hf: Holdfast) -> None:
    chat = hf.session("s-1", user="u-1")
    chat.hear("I want a cheesesteak")
    chat.say("Tell me the place.", agent="venues", asks="where")
    chat.hear("philly")

    def act(draft: Draft) -> list[Event]:
        return [SlotSet(slot="name", value="Ann"), SlotSet(slot="email", value="a@b.c", scope="user")]

    chat.act(act)
    chat.clear("location")


def exported(hf: Holdfast) -> str:
    return "\n".join(line for info in recorded(hf) for line in exchange.jsonl(hf, info))


def taken(hf: Holdfast, data: str | bytes, file: str = "x.json") -> list[exchange.Imported]:
    raw = data if isinstance(data, bytes) else data.encode()
    return [exchange.take_in(hf, told) for told in exchange.parse(raw, file, "x")]


def test_our_jsonl_goes_out_and_comes_in_again_with_the_same_state_and_times() -> None:
    hf, other = Holdfast(), Holdfast()
    talk(hf)
    (result,) = taken(other, exported(hf))
    assert (result.session, result.added, result.known, result.skipped) == ("s-1", 5, 0, 0)
    assert exported(other) == exported(hf)
    then, now = hf.session("s-1").state, other.session("s-1").state
    assert now.json() == then.json()


def test_a_role_that_is_no_word_is_no_message() -> None:
    hf = Holdfast()
    taken(hf, '{"session": "x"}\n{"role": ["person"], "text": "hello"}\n{"role": "person", "text": "hi"}')
    assert [past.text for past in hf.session("x").history()] == ["hi"]


def test_an_imported_message_is_marked_and_a_typed_one_is_not() -> None:
    hf = Holdfast()
    taken(hf, '[{"role": "user", "content": "hello"}]')
    hf.session("x").hear("and now by hand")
    first, second = (past.entry.events[0] for past in hf.session("x").history())
    assert isinstance(first, MessageHeard)
    assert isinstance(second, MessageHeard)
    assert (first.imported, second.imported) == (True, False)


def test_what_is_remembered_of_an_imported_message_says_so() -> None:
    hf = Holdfast()
    taken(hf, '[{"role": "user", "content": "My name is Dana and I am in Boston"}]')
    chat = hf.session("x")
    assert {memo.by for memo in chat.memory.items()} == {"import"}
    assert {value.source for value in chat.state.slots.values.values()} == {"import"}
    chat.hear("My name is Ann")
    assert [(memo.value, memo.by) for memo in chat.memory.facts() if memo.slot == "name"] == [("Ann", "person")]


def test_what_a_person_said_stays_theirs_through_our_own_export() -> None:
    hf, other = Holdfast(), Holdfast()
    taken(hf, '[{"role": "user", "content": "My name is Dana"}]')
    hf.session("y").hear("My name is Ann")
    taken(other, exported(hf))
    assert [memo.by for memo in other.session("x").memory.facts()] == ["import"]
    assert [memo.by for memo in other.session("y").memory.facts()] == ["person"]


def test_importing_again_adds_only_what_is_new() -> None:
    hf = Holdfast()
    short = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]
    assert taken(hf, json.dumps(short))[0][1:] == (2, 0, 0)
    assert taken(hf, json.dumps(short))[0][1:] == (0, 2, 0)
    assert taken(hf, json.dumps([*short, {"role": "user", "content": "three"}]))[0][1:] == (1, 2, 0)
    assert [past.text for past in hf.session("x").history()] == ["one", "two", "three"]


def test_another_conversation_under_a_taken_name_is_refused_and_nothing_is_written() -> None:
    hf = Holdfast()
    hf.session("x").hear("mine")
    with pytest.raises(Refused, match="another conversation"):
        taken(hf, '[{"role": "user", "content": "theirs"}]')
    assert [past.text for past in hf.session("x").history()] == ["mine"]


def test_messages_in_openais_form_come_with_parts_names_and_times() -> None:
    hf = Holdfast()
    data = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "42"},
        {"role": "assistant", "name": "desk", "content": "Where?", "created_at": "2024-05-01T12:00:00Z"},
        {"role": "user", "content": "philly", "timestamp": 1714568500},
    ]
    (result,) = taken(hf, json.dumps({"messages": data}))
    assert (result.added, result.skipped) == (3, 3)
    past = hf.session("x").history()
    assert [(p.role, p.text) for p in past] == [("person", "look"), ("agent", "Where?"), ("person", "philly")]
    assert hf.session("x").state.slots.get("location") == "philly"


def test_times_that_were_given_are_kept() -> None:
    hf = Holdfast()
    rows = [{"role": "user", "content": c, "created_at": 1_600_000_000 + n} for n, c in enumerate(["a", "b"])]
    taken(hf, json.dumps(rows))
    assert [past.time[:19] for past in hf.session("x").history()] == ["2020-09-13T12:26:40", "2020-09-13T12:26:41"]


def test_lines_of_message_lists_become_one_session_each() -> None:
    hf = Holdfast()
    lines = [{"messages": [{"role": "user", "content": f"hello {n}"}]} for n in (1, 2)]
    results = taken(hf, "\n".join(json.dumps(line) for line in lines))
    assert [result.session for result in results] == ["x-1", "x-2"]


def test_a_session_goes_out_as_a_message_list() -> None:
    hf = Holdfast()
    talk(hf)
    (info,) = recorded(hf)
    assert exchange.messages(hf, info) == [
        {"role": "user", "content": "I want a cheesesteak"},
        {"role": "assistant", "content": "Tell me the place."},
        {"role": "user", "content": "philly"},
    ]


def node(id: str, parent: str | None, role: str, parts: list[Any] | None, **more: Any) -> dict[str, Any]:
    message = {"author": {"role": role}, "create_time": 1_700_000_000.25, "content": {"parts": parts}, **more}
    return {"id": id, "parent": parent, "children": [], "message": message if parts is not None else None}


def chatgpt(**changes: Any) -> list[dict[str, Any]]:
    nodes = [
        node("root", None, "system", None),
        node("sys", "root", "system", ["instructions"]),
        node("ctx", "sys", "user", ["about me"], metadata={"is_visually_hidden_from_conversation": True}),
        node("q", "ctx", "user", ["where to eat?", {"content_type": "image_asset_pointer"}]),
        node("old", "q", "assistant", ["an answer that was regenerated"]),
        node("tool", "q", "assistant", ["search('x')"], recipient="browser"),
        node("a", "tool", "assistant", ["Where?"]),
        node("q2", "a", "user", ["philly"]),
    ]
    mapping = {one["id"]: one for one in nodes}
    return [{"title": "Food", "conversation_id": "c-1", "mapping": mapping, "current_node": "q2", **changes}]


def test_a_chatgpt_export_comes_in_along_the_branch_that_was_seen_last() -> None:
    hf = Holdfast()
    (result,) = taken(hf, json.dumps(chatgpt()))
    assert result.session == "c-1"
    past = hf.session("c-1").history()
    assert [p.text for p in past] == ["where to eat?", "Where?", "philly"]
    assert past[0].time.startswith("2023-11-14T22:13:20.25")
    assert hf.session("c-1").state.slots.get("location") == "philly"


def test_a_chatgpt_export_without_a_leaf_or_with_a_circle_still_comes_in() -> None:
    assert [m.text for m in exchange.parse(json.dumps(chatgpt(current_node=None)).encode(), "x", "x")[0].messages][
        -1
    ] == "philly"
    circle = chatgpt()
    circle[0]["mapping"]["root"]["parent"] = "q2"
    assert len(exchange.parse(json.dumps(circle).encode(), "x", "x")[0].messages) == 3


def test_a_chatgpt_archive_is_opened_for_its_conversations(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chatgpt()))
    assert exchange.read(path)[0].session == "c-1"
    path.write_bytes(io.BytesIO(b"PK no").getvalue())
    with pytest.raises(InvalidInput, match="no ChatGPT export"):
        exchange.read(path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "holds no messages"),
        (b"[]", "holds no messages"),
        (b'{"a": 1}', "holds no messages"),
        (b"42", "holds no messages"),
        (b'[{"role": "user", "content": 7}]', "holds no messages"),
        (b'[{"mapping": null}]', "holds no messages"),
        (b'[{"mapping": {"a": 3}, "current_node": "a"}]', "holds no messages"),
        (b'{"role": "user"}\n{nonsense\n', "x.json:2: neither JSON nor"),
        (b"\xff\xfe\x00", "x.json:1: neither JSON nor"),
        (b'{"role": "person", "text": "hi"}\n{"session": "s"}\n', "before the line that names its session"),
    ],
)
def test_a_file_of_no_use_is_refused_with_what_is_wrong(data: bytes, told: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        exchange.parse(data, "x.json", "x")
    assert told in str(wrong.value)


def test_messages_that_cannot_be_kept_are_skipped_and_counted() -> None:
    hf = Holdfast()
    rows = [{"role": "user", "content": text} for text in ("fine", "with a bell\a", "x" * ((1 << 20) + 1), "fine too")]
    (result,) = taken(hf, json.dumps(rows))
    assert (result.added, result.skipped) == (2, 2)


KEYS = st.sampled_from(
    [
        "role",
        "content",
        "messages",
        "mapping",
        "current_node",
        "parent",
        "message",
        "author",
        "parts",
        "session",
        "text",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "assistant", "person", "hi", "a"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.just("a"), inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_no_json_whatever_gets_in_without_being_understood_or_refused(value: object) -> None:
    try:
        told = exchange.parse(json.dumps(value).encode(), "x", "x")
    except HoldfastError:
        return  # refused as a whole
    with Holdfast() as hf:
        with suppress(HoldfastError):
            for one in told:
                exchange.take_in(hf, one)
        for info in recorded(hf):
            assert all(past.text for past in hf.session(info.name).history())


def test_a_message_list_has_the_newest_plan_in_its_tags_and_an_import_takes_it_again() -> None:
    with Holdfast(pack="nxtscape") as hf:
        chat = hf.session("s-1")
        chat.hear("Order toothpaste on Amazon")
        chat.plan(["Open eBay"])
        chat.plan(["Open Amazon", "Search for toothpaste"])
        (info,) = recorded(hf)
        listed = exchange.messages(hf, info)
    plan = {"role": "assistant", "content": '<plan>["Open Amazon","Search for toothpaste"]</plan>'}
    assert listed == [{"role": "user", "content": "Order toothpaste on Amazon"}, plan]
    with Holdfast(pack="nxtscape") as hf:
        taken(hf, json.dumps(listed))
        assert hf.session("x").state.task.plan.texts == ("Open Amazon", "Search for toothpaste")


def test_several_lists_of_messages_are_several_conversations() -> None:
    data = b'[[{"role": "user", "content": "one"}], [{"role": "user", "content": "two"}]]'
    assert [(told.session, told.messages[0].text) for told in exchange.parse(data, "f", "f")] == [
        ("f-1", "one"),
        ("f-2", "two"),
    ]


def test_a_file_that_is_no_utf_8_says_so_and_what_to_do() -> None:
    with pytest.raises(InvalidInput, match="f:1: this is no UTF-8 text; convert it to UTF-8 first"):
        exchange.parse('[{"role": "user", "content": "café"}]'.encode("latin-1"), "f", "f")


@pytest.mark.parametrize(
    "line",
    [
        {"role": "call", "events": [{"type": "plan_made", "plan": 7}]},
        {"role": "call", "events": [5]},
        {"role": "call", "events": [{"type": ["odd"]}]},
        {"role": "call", "events": [{"type": "never heard of"}]},
    ],
)
def test_a_call_that_cannot_be_read_is_left_out_and_the_rest_comes_in(line: dict[str, Any]) -> None:
    rows = [{"session": "s"}, {"role": "person", "text": "I live in Boston"}, line, {"role": "agent", "text": "Good."}]
    hf = Holdfast()
    (told,) = exchange.parse("\n".join(json.dumps(row) for row in rows).encode(), "file", "s")
    assert exchange.take_in(hf, told)[1:] == (2, 0, 1)
    assert hf.session("s").state.slots.get("location") == "Boston"


def test_names_and_times_that_cannot_be_kept_cost_no_message() -> None:
    odd: list[Any] = ["x" * 300, "a\nb", ["list"], "", 7]
    rows = [{"role": "assistant", "content": "Well.", "name": name, "time": 10**400} for name in odd]
    (told,) = exchange.parse(
        json.dumps([*rows, {"role": "user", "content": "hi", "time": "0001-01-01T00:00:00"}]).encode(), "f", "s"
    )
    assert exchange.take_in(Holdfast(), told)[1:] == (6, 0, 0)


def test_a_role_that_is_no_word_in_a_chatgpt_export_is_passed_over() -> None:
    nodes = {
        "a": {
            "message": {"author": {"role": ["odd"]}, "content": {"parts": ["one"]}},
            "parent": None,
            "children": ["b"],
        },
        "b": {"message": {"author": {"role": "user"}, "content": {"parts": ["two"]}}, "parent": "a", "children": []},
    }
    (told,) = exchange.parse(json.dumps([{"mapping": nodes, "current_node": "b"}]).encode(), "f", "s")
    assert ([message.text for message in told.messages], told.skipped) == (["two"], 1)
