"""Whose a clause is in which the speaker only joins in, and what is only wished for."""

from __future__ import annotations

import pytest

from holdfast import Holdfast


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("Mi padre es médico y yo lo admiro", "family", "Mi padre es médico y yo lo admiro"),
        ("mi hermana Ana me ayuda mucho", "family", "mi hermana Ana me ayuda mucho"),
        ("my wife and I moved to Leeds", "home", "Leeds"),
        ("mi hermana y yo vivimos en Cádiz", "home", "Cádiz"),
        ("my son Theo and I love chess", "likes", "chess"),
    ],
)
def test_what_is_told_before_the_speaker_joins_in_is_told_of_others(text: str, slot: str, value: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    assert [(item.slot, item.value) for item in chat.memory.items()] == [(slot, value)]


@pytest.mark.parametrize(
    ("text", "kept"), [("Quiero tacos de carne", []), ("Quiero dejar la carne", ["diet"]), ("Quiero paella", [])]
)
def test_a_dish_that_is_wished_for_is_no_diet(text: str, kept: list[str]) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    assert [item.slot for item in chat.memory.items()] == kept
