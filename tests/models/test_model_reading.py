"""What a model reads in messages that nobody took in, over a real HTTP server that speaks the protocol of chat
completions: checked by our types and standing, asked together, within a budget, and done once whatever ends in
between."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.errors import InvalidInput
from holdfast.models.claims import Claim, first_object, understood
from holdfast.models.consult import HOUR, Budget
from holdfast.models.endpoints import Local, SecondOpinion, Upstream
from holdfast.models.pending import Pending, pending
from holdfast.session import Session
from tests import warmed
from tests.server.running import until
from tests.server.upstream import Upstream as Double

THEREMIN = {"message": 1, "words": "still on the theremin", "attribute": "instrument", "value": "theremin"}


@pytest.fixture
def chat(opinion: SecondOpinion) -> Iterator[Session]:
    with Holdfast(second_opinion=opinion) as hf:
        yield hf.session("s", user="dana")


def claims(model: Double, *found: dict[str, Any]) -> None:
    model.replies = [json.dumps({"claims": found})]


def read(chat: Session) -> list[tuple[str, str]]:
    """What the model read, as it stands in the memory."""
    assert chat.holdfast.settled()
    return [(memo.slot, memo.value) for memo in chat.memory.items() if memo.details.get("second_opinion")]


def waiting(hf: Holdfast) -> list[int]:
    return [waits.opinion for _, body in hf.store.jobs() if (waits := pending(body)) is not None]


def test_a_claim_becomes_a_fact_that_is_marked_told_in_the_next_conversation_and_can_be_undone(
    chat: Session, model: Double
) -> None:
    claims(model, THEREMIN)
    chat.hear("still on the theremin")
    assert read(chat) == [("trait/instrument", "theremin")]
    (memo,) = chat.memory.items()
    assert (memo.rule, memo.details["second_opinion"], memo.confidence) == ("second_opinion", "big", 0.6)
    assert (memo.session, memo.version, memo.words) == ("s", 1, "still on the theremin")
    assert "theremin" in chat.holdfast.session("next", user="dana").hear("any news about theremin strings?").context
    assert waiting(chat.holdfast) == []
    chat.memory.undo(memo.id)
    assert read(chat) == []


@pytest.mark.parametrize(
    ("said", "claim", "kept"),
    [
        # Types: what is eaten is no place, and a place is no allergy.
        ("guar gum turns my tongue into a balloon", {"attribute": "allergy", "value": "guar gum"}, True),
        ("my heart belongs to old Lisbon", {"attribute": "allergy", "value": "Lisbon"}, False),
        ("my flat is all pizza", {"attribute": "home", "value": "pizza"}, False),
        ("my flat is what it was", {"attribute": "budget", "value": "what it was"}, False),
        # Standing: asked, supposed, quoted, denied.
        ("my flat is big. loom and all", {"attribute": "kit", "value": "loom", "words": "loom and all"}, True),
        ("my flat is big. Do I own a boat?", {"attribute": "vehicle", "value": "boat", "words": "own a boat"}, False),
        ("my flat is big. If I own a boat I sail", {"attribute": "vehicle", "value": "boat", "words": "a boat"}, False),
        (
            'my flat is big. And "own a boat", says the ad',
            {"attribute": "vehicle", "value": "boat", "words": "boat"},
            False,
        ),
        ("my flat is big. I don't own a boat", {"attribute": "vehicle", "value": "boat", "words": "a boat"}, False),
        ("Suppose I own a boat. my flat is big", {"attribute": "vehicle", "value": "boat", "words": "a boat"}, False),
        (
            'my flat is big, and the ad reads: "I own a boat"',
            {"attribute": "vehicle", "value": "boat", "words": "boat"},
            False,
        ),
        # Words: they stand in the message, and the value in the words.
        ("my flat is big", {"attribute": "home", "value": "Rome", "words": "my flat is in Rome"}, False),
        ("my flat is big", {"attribute": "home", "value": "Rome"}, False),
        ("my flat is big", {"attribute": "", "value": "big"}, False),
        ("my flat is big", {"attribute": "flat", "value": "big", "act": "retracts"}, False),
        ("my flat is big", {"attribute": "flat", "value": "big"}, True),
        ("my flat,  is BIG", {"attribute": "flat", "value": "big", "words": "flat is big"}, True),
    ],
)
def test_a_claim_counts_where_words_standing_and_type_allow_it(
    chat: Session, model: Double, said: str, claim: dict[str, Any], kept: bool
) -> None:
    claims(model, {"message": 1, "words": said, **claim})
    chat.hear(said)
    assert bool(read(chat)) is kept
    assert model.asked
    assert waiting(chat.holdfast) == []


def test_a_claim_never_stands_against_what_the_person_said_before_or_after(opinion: SecondOpinion) -> None:
    gate = threading.Event()

    def slow(messages: list[dict[str, str]]) -> str:
        gate.wait(30)
        return json.dumps({"claims": [{"message": 1, "words": "my flat", "attribute": "home", "value": "flat"}]})

    with Holdfast(second_opinion=slow) as hf:
        chat = hf.session("s", user="dana")
        chat.hear("my flat is big")
        chat.hear("I live in Lyon")  # the turn waits for nobody, and what is said later holds
        gate.set()
        assert hf.settled()
        assert chat.memory.value("home") == "Lyon"
        assert chat.memory.disputes() == []


def test_what_was_kept_in_its_own_words_is_told_what_it_is(chat: Session, model: Double) -> None:
    said = "remember that lupin sent me to hospital"
    claims(model, {"message": 1, "words": said, "attribute": "allergy", "value": "lupin"})
    chat.hear(said)
    assert read(chat) == [("allergy", "lupin")]
    assert [memo.value for memo in chat.memory.items() if memo.slot == "note"] == [said.removeprefix("remember that ")]
    assert "allergy: lupin" in chat.holdfast.session("next", user="dana").hear("hello").context


def test_one_claim_that_does_not_count_costs_the_others_nothing(chat: Session, model: Double) -> None:
    claims(model, {"message": "one"}, {**THEREMIN, "value": "violin"}, THEREMIN, {})
    chat.hear("still on the theremin")
    assert read(chat) == [("trait/instrument", "theremin")]


def test_messages_that_wait_together_are_read_together(opinion: SecondOpinion, model: Double) -> None:
    gate, asked = threading.Event(), []

    def slow(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        gate.wait(30)
        return opinion(messages)

    claims(
        model,
        {**THEREMIN, "message": 2},
        {"message": 1, "words": "the kayak is a two seater Prijon", "attribute": "vehicle", "value": "Prijon"},
    )
    with Holdfast(second_opinion=slow) as hf:
        chat = hf.session("s", user="dana")
        chat.hear("my flat is big")
        until(lambda: len(asked) == 1)
        chat.hear("the kayak is a two seater Prijon")
        chat.hear("still on the theremin")
        hf.session("other", user="erin").hear("the office used to be a chapel")
        gate.set()
        assert sorted(read(chat)) == [("trait/instrument", "theremin"), ("vehicle", "Prijon")]
        assert len(asked) == 3  # the first, the two together, and the other conversation
        assert "Message 1:" in asked[1]
        assert "Message 2:" in asked[1]
        assert hf.memory(user="erin").get_all() == []


def test_what_was_learned_from_a_message_is_told_to_the_model(chat: Session, model: Double) -> None:
    chat.hear("I live in Lyon. the kayak is a two seater Prijon.")
    assert chat.holdfast.settled()
    assert "home: Lyon" in str(model.asked[-1]).partition("Known from message 1: ")[2]


def test_a_budget_is_so_many_questions_an_hour() -> None:
    now = [0.0]
    budget = Budget(2, lambda: now[0])
    assert (budget.take(), budget.take()) == (0.0, 0.0)
    now[0] = 600.0
    assert budget.take() == HOUR - 600
    now[0] = HOUR
    assert budget.take() == 0.0


def test_beyond_the_budget_messages_wait_and_are_read_when_there_is_one(
    endpoint: tuple[str, Double], model: Double, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    claims(model, THEREMIN)
    with Holdfast(store, second_opinion=SecondOpinion(Upstream(endpoint[0], "k", "big"), per_hour=1)) as hf:
        chat = hf.session("s", user="dana")
        chat.hear("my flat is big")
        assert hf.settled()
        chat.hear("still on the theremin")
        assert not hf.settled(0.2)
        assert (len(model.asked), waiting(hf)) == (1, [2])
    with Holdfast(store, second_opinion=SecondOpinion(Upstream(endpoint[0], "k", "big"))) as hf:
        assert read(hf.existing("s")) == [("trait/instrument", "theremin")]


def test_a_budget_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInput, match="per_hour"):
        SecondOpinion(Upstream("http://127.0.0.1:9/v1"), per_hour=0)


KILLED = """
import sys
from holdfast import Holdfast
from holdfast.models.endpoints import SecondOpinion, Upstream
hf = Holdfast(sys.argv[1], second_opinion=SecondOpinion(Upstream(sys.argv[2], "key", "big")))
hf.session("s", user="dana").hear("still on the theremin")
print("heard", flush=True)
hf.settled(60)
"""


def test_a_process_that_is_killed_between_turn_and_answer_is_gone_on_with_and_it_is_done_once(
    opinion: SecondOpinion, endpoint: tuple[str, Double], model: Double, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    model.hold()  # it is asked, and answers nothing
    heard, said = os.pipe()
    killed = warmed.Process(store, endpoint[0], program=KILLED, stdin=0, stdout=said, stderr=2)
    os.close(said)
    with os.fdopen(heard) as lines:
        assert lines.readline() == "heard\n"
        until(lambda: len(model.asked) == 1)
        os.kill(killed.pid, signal.SIGKILL)
        assert killed.wait() == -signal.SIGKILL
    model.release()
    claims(model, THEREMIN)
    with Holdfast(store) as hf:  # without a model it waits on
        assert waiting(hf) == [1]
        assert hf.existing("s").memory.items() == []
    for _ in range(2):
        with Holdfast(store, second_opinion=opinion) as hf:
            assert read(hf.existing("s")) == [("trait/instrument", "theremin")]
            assert waiting(hf) == []
            assert len(hf.existing("s").memory.items(history=True)) == 1
    assert len(model.asked) == 2  # by the one that was killed, and once more


def test_an_answer_that_was_written_and_not_finished_is_not_written_twice(
    opinion: SecondOpinion, model: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    claims(model, THEREMIN)
    with Holdfast(store, second_opinion=opinion) as hf:
        monkeypatch.setattr(hf.store, "finished", lambda job: None)  # the process ends before it
        chat = hf.session("s", user="dana")
        chat.hear("still on the theremin")
        assert read(chat)
        version = chat.state.version
        assert waiting(hf) == [1]
    with Holdfast(store, second_opinion=opinion) as hf:
        chat = hf.existing("s")
        assert read(chat) == [("trait/instrument", "theremin")]
        assert (waiting(hf), chat.state.version) == ([], version)


def test_a_model_that_was_away_reads_what_waits_when_it_answers_again(
    chat: Session, model: Double, endpoint: tuple[str, Double]
) -> None:
    model.replies = [401]
    chat.hear("still on the theremin")
    assert chat.holdfast.settled()
    assert waiting(chat.holdfast) == [1]
    claims(model, THEREMIN)
    chat.hear("my flat is big")
    assert read(chat) == [("trait/instrument", "theremin")]
    assert waiting(chat.holdfast) == []


def test_an_erased_conversation_leaves_nothing_waiting_and_does_not_begin_anew(
    opinion: SecondOpinion, model: Double, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    model.replies = [401]
    with Holdfast(store, second_opinion=opinion) as hf:
        hf.session("of-dana", user="dana").hear("still on the theremin")
        assert hf.settled()
    with Holdfast(store) as hf:
        assert waiting(hf) == [1]
        hf.forget(user="dana")
        assert (waiting(hf), hf.sessions()) == ([], [])
    assert all(b"of-dana" not in part.read_bytes() for part in tmp_path.iterdir())


def test_a_message_that_was_taken_back_teaches_nothing(opinion: SecondOpinion, model: Double, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/chat.db"
    model.replies = [401]
    with Holdfast(store, second_opinion=opinion) as hf:
        chat = hf.session("s", user="dana")
        chat.hear("still on the theremin")
        assert hf.settled()
        chat.rewind(0)
    claims(model, THEREMIN)
    asked = len(model.asked)
    with Holdfast(store, second_opinion=opinion) as hf:
        assert read(hf.existing("s")) == []
        assert (waiting(hf), len(model.asked)) == ([], asked)


def test_the_state_is_the_replay_of_the_log(chat: Session, model: Double) -> None:
    claims(model, THEREMIN)
    chat.hear("still on the theremin")
    assert read(chat)
    assert chat.at(chat.state.version).json() == chat.state.json()


def test_what_waits_holds_no_words_and_an_older_release_drops_it() -> None:
    waits = Pending("s", 7, "general")
    assert pending(waits.encoded()) == waits
    assert json.loads(waits.encoded()) == {"session": "s", "opinion": 7, "pack": "general", "forget": ""}
    assert pending(b'{"forget": "fact_1", "session": "s"}') is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"claims": []}', []),
        ('Well {not json} but {"claims": [{"words": "a", "more": {"b": 1}}]} so.', [Claim(words="a")]),
        ('{"message": 1, "words": "a"}', [Claim(1, "a")]),
        ('{"claims": {"words": "a"}}', []),
        ('{"claims": [7, null, "x"]}', []),
        ("none at all", None),
        ('{"claims": [', None),
        ("{" * 100_000, None),
        ('{"a":' * 50_000, None),
    ],
)
def test_claims_are_found_wherever_they_stand(text: str, found: list[Claim] | None) -> None:
    assert understood(text) == found


def test_an_object_is_read_whole_also_where_it_is_nested() -> None:
    assert first_object('so: {"a": {"b": [1, 2]}} and {"c": 3}') == {"a": {"b": [1, 2]}}


@pytest.mark.sweep
def test_a_real_model_claims_only_what_stands_in_the_message(local_model: Local) -> None:
    with Holdfast(second_opinion=SecondOpinion(local_model)) as hf:
        chat = hf.session("s", user="dana")
        chat.hear("still on the theremin")
        assert hf.settled(600)
        for memo in chat.memory.items():
            assert memo.details.get("second_opinion")
            assert memo.value.lower() in "i play the theremin"
