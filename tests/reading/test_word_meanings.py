"""What words of other languages mean in English: by the form itself, by its nearest relative, and where in a text."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from holdfast.reading import lexicon
from holdfast.reading.lexicon import meanings
from holdfast.reading.model.tokens import in_english, tokens

CORPUS = Path(__file__).parents[2] / "corpus/meanings"


@pytest.mark.parametrize(
    ("language", "word", "meaning"),
    [
        ("ru", "живу", "live"),
        ("es", "gatos", "cats"),
        ("ru", "перми", "perm"),
        ("es", "xyzzyq", ""),
        ("en", "live", ""),
    ],
)
def test_a_word_means_what_is_listed(language: str, word: str, meaning: str) -> None:
    assert meanings([word], language) == [meaning]


@pytest.mark.parametrize(
    ("language", "form", "meaning"),
    [("ru", "собаками", "dog"), ("ru", "врачами", "doctor"), ("es", "alergicas", "allergic")],
)
def test_a_form_that_is_not_listed_means_what_its_nearest_relative_means(
    language: str, form: str, meaning: str
) -> None:
    words, _ = lexicon.listed((CORPUS / f"{language}.txt").read_text(encoding="utf-8"))
    assert form not in words
    assert meanings([form], language) == [meaning]


def test_a_text_is_read_word_by_word_and_every_letter_knows_where_it_comes_from() -> None:
    text = "Я живу в Перми, да"
    english, places = in_english(text, "ru")
    assert english.startswith("i live in perm")
    assert len(places) == len(english)
    start = english.index("live")
    assert {text[a:b] for a, b in places[start : start + 4]} == {"живу"}
    assert in_english("I live here", "en")[0] == "I live here"


def test_tokens_of_english_have_no_other_meaning() -> None:
    assert not any(token.english for token in tokens("I live in Perm", "en"))


@pytest.mark.parametrize("language", ["es", "ru"])
def test_what_is_packed_is_what_the_corpus_says(language: str) -> None:
    packed = Path(lexicon.__file__).parent / f"{language}.meanings"
    assert zlib.decompress(packed.read_bytes()) == (CORPUS / f"{language}.txt").read_bytes()
