"""Search by meaning, with the real static vectors of the extra: what words alone do not find."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from holdfast import Holdfast
from holdfast.reading.encoder import encoder
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


def test_the_encoder_finds_what_neither_words_nor_static_vectors_put_first() -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    for text in (
        "the garage rang, the clutch will be 640",
        "my sister collects stamps and old coins",
        "golden sands called, we got the van with the tub",
        "the boiler man comes tuesday between 8 and 12",
    ):
        chat.hear(text)
    asked = "what is the mechanic charging me"
    assert chat.search(asked, k=1, around=True)[0].text == "the garage rang, the clutch will be 640"
    space = meaning.encoder_space(hf.pack.reader)
    assert space is not None, "the package of the model is installed with the tests"
    near, far = meaning.similar([(asked, 1.0)], ["the garage rang, the clutch will be 640", "nice weather"], space)
    assert near > far


@pytest.mark.parametrize(
    ("asked", "said", "other"),
    [
        ("когда приедет врач", "доктор будет в пятницу утром", "сестра собирает марки"),
        ("¿cuánto me cobra el mecánico?", "el taller pide 300 por el embrague", "mi hermana colecciona sellos"),
    ],
)
def test_the_encoder_understands_other_languages_by_what_their_words_mean(asked: str, said: str, other: str) -> None:
    space = meaning.encoder_space(Holdfast().pack.reader)
    assert space is not None
    near, far = meaning.similar([(asked, 1.0)], [said, other], space)
    assert near > far


def test_without_the_encoder_static_vectors_rank_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "installed", lambda: False)
    hf = Holdfast()
    assert meaning.encoder_space(hf.pack.reader) is None
    chat = hf.session("s", user="u")
    chat.memory.add("I live in the Netherlands")
    chat.hear("my old car broke down on the highway yesterday")
    assert chat.search("automobile trouble", k=1)[0].text == "my old car broke down on the highway yesterday"
    assert chat.memory.search("which country is home")[0].item.text == "I live in the Netherlands"


def test_a_search_goes_on_where_the_encoder_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def run(self, *_: object) -> None:
            raise RuntimeError("out of memory")

    found = encoder()
    assert found is not None
    monkeypatch.setattr(found, "_meaning", Broken())
    monkeypatch.setattr(found, "_failed", False)
    chat = Holdfast().session("s", user="u")
    chat.hear("the dentist in room seven has moved")
    with pytest.warns(RuntimeWarning, match="out of memory"):
        assert chat.search("dentist", k=1)[0].text == "the dentist in room seven has moved"
    assert meaning.encoder_space(chat.holdfast.pack.reader) is None
