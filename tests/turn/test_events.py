"""Events: stored once, readable for ever."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from holdfast import Holdfast, events
from holdfast.events import Codec, Refusal, Unknown
from holdfast.faculties.questions.pending import QuestionAnswered, QuestionAsked, QuestionDropped, Work
from holdfast.packs.general import PACK
from holdfast.packs.grace import PACK as GRACE
from holdfast.stores.protocol import Key


def test_an_event_comes_back_as_it_was() -> None:
    codec = Codec(events.SHARED)
    told = (Refusal(what="x", reason="y", because=events.Cause("rule", 3, 1, 4, "abc"), scope="user"),)
    assert codec.decode(codec.encode(told)) == told


def test_an_event_of_an_unknown_faculty_is_kept_and_ignored() -> None:
    codec = Codec(events.SHARED)
    body = b'[{"type":"refusal","what":"x","reason":"y"},{"type":"spell_cast","spell":"z"}]'
    known, unknown = codec.decode(body)
    assert known == Refusal(what="x", reason="y")
    assert unknown == Unknown(raw={"type": "spell_cast", "spell": "z"})


def test_an_old_event_is_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_1(raw: dict[str, Any]) -> dict[str, Any]:
        return {**raw, "what": raw.pop("item")} if "item" in raw else raw

    def from_2(raw: dict[str, Any]) -> dict[str, Any]:
        return {**raw, "reason": raw["reason"].upper()}

    monkeypatch.setattr(events, "FORMAT", 3)
    monkeypatch.setattr(events, "LIFTS", {1: from_1, 2: from_2})
    body = msgspec.json.encode([{"type": "refusal", "item": "x", "reason": "y"}])
    assert Codec(events.SHARED).decode(body, 1) == (Refusal(what="x", reason="Y"),)


@pytest.mark.parametrize(
    ("was", "takes"),
    [({"option": 1}, (1,)), ({"several": [0, 2]}, (0, 2)), ({"option": 0, "fits": False}, (0,)), ({}, ())],
)
def test_an_answer_of_the_first_format_keeps_its_options(was: dict[str, Any], takes: tuple[int, ...]) -> None:
    question = {"id": "q1", "text": "Tea or coffee?", "about": "", "expects": "choice", "turn": 1}
    answer = {"question": question, "value": "coffee", "span": [0, 6], "version": 2, **was}
    body = msgspec.json.encode([{"type": "question_answered", "answer": answer}])
    (event,) = PACK.codec.decode(body, 1)
    assert isinstance(event, QuestionAnswered)
    assert event.answer.takes == takes


def test_an_open_request_of_the_second_format_is_a_question_that_work_waits_for() -> None:
    request = {"id": "r_4_1", "text": "How much is it?", "version": 4, "file": "a.docx", "request": "write to the bank"}
    bound = {"request": request, "version": 5, "value": "10000"}
    body = msgspec.json.encode(
        [
            {"type": "request_opened", "request": request},
            {"type": "request_answered", "bound": bound},
            {"type": "request_closed", "id": "r_4_1"},
        ]
    )
    asked, answered, dropped = GRACE.codec.decode(body, 2)
    assert isinstance(asked, QuestionAsked)
    assert asked.question.work == Work("write to the bank", "a.docx")
    assert isinstance(answered, QuestionAnswered)
    assert (answered.answer.question, answered.answer.value) == (asked.question, "10000")
    assert dropped == QuestionDropped(id="r_4_1")


def test_a_log_written_with_another_pack_still_opens(tmp_path: Any) -> None:
    from holdfast.faculties.conversation import ConversationFaculty
    from holdfast.pack import Pack

    store = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(store) as hf:
        chat = hf.session("s")
        chat.say("Where?")
        chat.hear("philly")
    with Holdfast(store, pack=Pack("small", (ConversationFaculty(),))) as hf:
        assert hf.session("s").state.conversation.turns == 1
        assert any(isinstance(e, Unknown) for entry in hf.entries(Key("session", "s")) for e in entry.events)
    with Holdfast(store) as hf:
        assert hf.session("s").state.slots.get("location") == "philly"
