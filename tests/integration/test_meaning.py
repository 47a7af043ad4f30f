"""Search by meaning, with the real static vectors of the extra: what words alone do not find."""

from __future__ import annotations

from holdfast import Holdfast
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
