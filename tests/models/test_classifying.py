"""A model classifies what words leave open, over a real HTTP server that speaks the protocol of chat completions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.models import consult
from holdfast.models.endpoints import SecondOpinion, Upstream
from holdfast.packs.nxtscape import PACK
from holdfast.reading.reader import Reader, Reading
from holdfast.session import Session
from tests.server.upstream import Upstream as Double

OPEN = "Rotterdam harbour tonight"
"""A message whose words tell nothing of its kind."""


@pytest.fixture
def model(model: Double) -> Double:
    model.replies = ["browse"]
    return model


@pytest.fixture
def chat(opinion: SecondOpinion) -> Iterator[Session]:
    with Holdfast(pack="nxtscape", second_opinion=opinion) as hf:
        yield hf.session("s")


def test_a_model_says_the_kind_and_the_receipt_says_that_it_did(chat: Session, model: Double) -> None:
    turn = chat.hear(OPEN)
    assert (turn.route.agent, turn.route.task_type) == ("planner", "browse")
    assert turn.route.reason == "classified as browsing by big"
    assert any(line.rule == "task.classified" for line in turn.receipt.lines)
    assert chat.state.task.type == "browse"
    asked = model.asked[0]["messages"]
    assert asked[-1] == {"role": "user", "content": OPEN}
    assert all(kind in asked[0]["content"] for kind in ("browse", "productivity", "answer"))


@pytest.mark.parametrize(
    "said", ["Order toothpaste on Amazon", "Close all Google tabs", "Summarize this page", "start fresh"]
)
def test_where_words_decide_nobody_is_asked(chat: Session, model: Double, said: str) -> None:
    chat.hear(said)
    assert model.asked == []


def test_a_follow_up_is_not_classified_again(chat: Session, model: Double) -> None:
    chat.hear(OPEN)
    chat.hear("Gouda harbour tomorrow")
    assert len(model.asked) == 1


@pytest.mark.parametrize("answer", ["banana", "browse or answer", '{"kind": 3}', "planner", "x" * 5000])
def test_an_answer_that_names_no_single_kind_is_recorded_and_the_default_holds(
    chat: Session, model: Double, answer: str
) -> None:
    model.replies = [answer]
    turn = chat.hear(OPEN)
    assert turn.route.agent == "productivity"
    assert any(line.did == "refused" and "unreadable" in str(line) for line in turn.receipt.lines)


def test_a_model_that_cannot_be_reached_costs_nobody_the_turn() -> None:
    nowhere = SecondOpinion(Upstream("http://127.0.0.1:9/v1", "key", "big", seconds=2))
    with Holdfast(pack="nxtscape", second_opinion=nowhere) as hf:
        turn = hf.session("s").hear(OPEN)
    assert turn.route.agent == "productivity"
    assert any(line.did == "refused" and "Nothing answers at" in str(line) for line in turn.receipt.lines)


def test_a_model_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consult, "PATIENCE", 0.05)
    with Holdfast(pack="nxtscape", second_opinion=_slow) as hf:
        turn = hf.session("s").hear(OPEN)
    assert turn.route.agent == "productivity"
    assert "no answer within" in str(turn.receipt)


def _slow(messages: list[dict[str, str]]) -> str:
    time.sleep(0.5)
    return "browse"


def test_the_pack_may_bring_the_model() -> None:
    pack = PACK.but(settings={"second_opinion": lambda messages: "answer"})
    with Holdfast(pack=pack) as hf:
        assert hf.session("s").hear(OPEN).route.agent == "answer"


def test_a_replay_gives_the_same_and_asks_nobody(tmp_path: Path, opinion: SecondOpinion, model: Double) -> None:
    store = f"sqlite:///{tmp_path / 'chat.db'}"
    with Holdfast(store, "nxtscape", second_opinion=opinion) as hf:
        hf.session("s").hear(OPEN)
        before = hf.session("s").state.task
    model.asked.clear()
    with Holdfast(store, "nxtscape") as hf:
        assert hf.session("s").state.task == before
    assert model.asked == []


def test_without_a_model_the_message_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Holdfast(pack="nxtscape") as hf:
        reads: list[str] = []
        read = hf.pack.reader.read

        def counted(reader: Reader, text: str) -> Reading:
            reads.append(text)
            return read(text)

        monkeypatch.setattr(Reader, "read", counted)
        hf.session("s").hear(OPEN)
    assert reads == [OPEN]
