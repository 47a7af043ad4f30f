"""Every kind of line in a receipt, each with its rule, the message it comes from and the characters in it."""

from __future__ import annotations

import msgspec
import pytest

from holdfast import Holdfast, Receipt, Session
from holdfast.packs import general, vibehuntr


def talk(chat: Session, *said: str) -> list[Receipt]:
    receipts = []
    for line in said:
        role, _, text = line.partition(": ")
        receipts.append(chat.hear(text).receipt if role == "person" else chat.say(text).receipt)
    return receipts


PLACES = "agent: 1. **Osteria** - Place ID: ChIJosteria0001\n2. **Roma** - Place ID: ChIJroma000002"
KINDS = {
    "learned": ("vibehuntr", "person: pizza in Boston"),
    "confirmed": ("vibehuntr", "person: pizza in Boston", "person: yes, in Boston"),
    "superseded": ("vibehuntr", "person: pizza in Boston", "person: no, I meant Austin"),
    "retracted": ("general", "person: I work at Siemens.", "person: I no longer work at Siemens."),
    "resolved": ("vibehuntr", "person: pizza in Boston", PLACES, "person: tell me more about the second one"),
    "routed": ("nxtscape", "person: find cheap flights to Oslo"),
    "injected": ("vibehuntr", "person: pizza in Boston"),
    "refused": ("vibehuntr", "person: pizza in Boston, no, I mean Austin"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_names_its_rule_its_message_and_its_characters(kind: str) -> None:
    pack, *said = KINDS[kind]
    receipts = talk(Holdfast(pack=pack).session("s"), *said)
    texts = [line.partition(": ")[2] for line in said]
    assert receipts[-1].did(kind)
    for receipt in receipts:
        for line in receipt.lines:
            assert line.rule
            assert line.span is not None
            assert 1 <= line.version <= receipt.version
            assert 0 <= line.span[0] < line.span[1] <= len(texts[line.version - 1])
            if line.words:
                assert texts[line.version - 1][slice(*line.span)] == line.words


def test_what_was_left_out_for_the_budget_is_in_the_receipt() -> None:
    chat = Holdfast(pack=vibehuntr.PACK.but(budget=12)).session("s")
    turn = chat.hear("Italian places in South Philly for 4 people tomorrow at 8, my name is Ana")
    left = turn.receipt.did("left out")
    assert left
    assert turn.tokens <= 12
    assert all(line.rule == "budget" and line.version == 1 and line.span for line in left)
    assert all(line.what not in turn.context for line in left)


def test_a_receipt_is_readable_as_text_and_as_json() -> None:
    receipt = Holdfast(pack=general.PACK).session("s").hear("My name is Ana").receipt
    assert "learned     Name: Ana  (en.name_said.my_name, “Ana”)" in str(receipt)
    lines = msgspec.json.decode(receipt.json())["lines"]
    assert {"did": "learned", "what": "Name: Ana", "rule": "en.name_said.my_name", "version": 1} in [
        {key: line[key] for key in ("did", "what", "rule", "version")} for line in lines
    ]


def test_what_nobody_said_has_a_rule_and_no_characters() -> None:
    chat = Holdfast(pack=general.PACK).session("s")
    chat.hear("My name is Ana")
    (line,) = chat.clear("name").receipt.did("retracted")
    assert (line.rule, line.version, line.span) == ("item_retracted", 2, None)
