"""Search by meaning, with the real static vectors of the extra: what words alone do not find."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from holdfast import Holdfast
from holdfast.search import meaning
from holdfast.stores.sqlite import SqliteStore


def test_a_message_is_found_that_shares_no_word_with_the_question() -> None:
    hf = Holdfast()
    chat = hf.session("s")
    for text in (
        "we painted the kitchen wall yellow last spring",
        "my old car broke down on the highway yesterday",
        "the children played chess all afternoon",
    ):
        chat.hear(text)
    assert isinstance(hf.store, SqliteStore)
    assert hf.store.search("automobile trouble", None, 3) == []
    assert chat.search("automobile trouble", k=1)[0].text == "my old car broke down on the highway yesterday"


def test_what_was_erased_leads_no_search_any_more() -> None:
    hf = Holdfast()
    chat = hf.session("s")
    chat.hear("The cat sleeps on the sofa")
    assert chat.search("feline pet animal", around=True) != []
    hf.forget(session="s")
    again = hf.session("s")
    again.hear("The invoice is due on Monday")
    assert again.search("feline pet animal", around=True) == []


def test_an_item_that_was_erased_leads_no_search_either() -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    chat.hear("I use Neovim")
    assert chat.search("which text editor", around=True) != []
    chat.memory.forget(chat.memory.preferences()[0].id)
    assert "Neovim" not in (chat.history()[0].text or "")
    assert chat.search("vim", around=True) == []


def test_searches_in_several_threads_do_not_lose_what_each_other_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "KEPT", 1)
    texts = [f"the train to town number {number} is late" for number in range(40)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda start: meaning.vectors_of(texts[start:]).shape[0], [*range(30)] * 4))
    assert found == [40 - start for start in range(30)] * 4
