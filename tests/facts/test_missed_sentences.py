"""Plain sentences of which the learned reading missed all when it began to read statements alone. Those that it misses
still are expected to fail, and say so when they no longer do: then they move to those that hold."""

from __future__ import annotations

import pytest

from holdfast import Holdfast

HELD = [
    (["I'm a developer at Acme", "I've joined Globex"], "employer", ["Globex"]),
    (["My editor is Helix"], "tooling/editor", ["Helix"]),
    (["format with prettier"], "tooling/formatter", ["prettier"]),
    (["Fumo"], "smoking", ["Fumo"]),
    (["Mi hermano usa Emacs"], "family", []),
    (["Prefiero npm", "usa pnpm por favor"], "tooling/package_manager", ["pnpm"]),
    (["I love meetings", "I hate meetings"], "likes", ["meetings"]),
    (["My brother uses Emacs"], "family", []),
    (["Мой брат использует Emacs"], "family", []),
    (["usa npm"], "tooling/package_manager", ["npm"]),
]
MISSED = [
    (["It's due on Thursday"], "deadline", ["Thursday"]),
    (["We need to ship by Friday"], "deadline", ["Friday"]),
    (["I have a demo on Tuesday"], "event", ["Event on Tuesday"]),
    (["Never commit to main"], "workflow/habit", ["never commit to main"]),
    (["la entrega es el viernes", "la entrega se pasó al lunes"], "deadline", ["lunes"]),
]


def learned(said: list[str], slot: str) -> list[str]:
    chat = Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    for text in said:
        chat.hear(text)
    known = [*chat.memory.facts(), *chat.memory.preferences()]
    return [item.value for item in known if item.slot == slot]


@pytest.mark.parametrize(("said", "slot", "kept"), HELD, ids=str)
def test_a_plain_sentence_is_kept_under_what_it_tells(said: list[str], slot: str, kept: list[str]) -> None:
    assert learned(said, slot) == kept


@pytest.mark.xfail(strict=True, reason="the learned reading misses it")
@pytest.mark.parametrize(("said", "slot", "kept"), MISSED, ids=str)
def test_a_plain_sentence_is_missed_still(said: list[str], slot: str, kept: list[str]) -> None:
    assert learned(said, slot) == kept
