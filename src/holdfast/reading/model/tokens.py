"""The words of a text as the scorers see them: folded, chat spellings evened out, with their place in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from holdfast.kept import kept
from holdfast.reading.lexicon import Kinds, kinds, lexicon, meanings
from holdfast.reading.text import fold

if TYPE_CHECKING:
    from holdfast.reading.reader import Reading

MAX_CHARS = 8000
"""A longer message is a document: its first part is understood, the rest is left alone."""

# Words with inner signs ("don't", "3.5", "c++", "a@b.org"), else one sign at a time.
_PIECES = re.compile(r"[^\W_]+(?:['._@/+#&-]+[^\W_]+)*(?:\+\+|#)?|[^\w\s]|_")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")
_DIGIT = re.compile(r"\d")
_FORMS = re.compile(r"(?P<path>[^\W\d][\w.-]+/[\w./-]*\w)|(?P<dotted>[^\W\d_][\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,})")
"""Words whose form says what they are: a place among files or pages, and the name of a file, a host or a package."""
_CYRILLIC = re.compile("[\u0400-\u04ff]")


class Token(msgspec.Struct, frozen=True, gc=False):
    """One word or sign."""

    start: int
    end: int
    word: str
    """Folded, without apostrophes, stretched letters shortened: "Soooo" is "so", "don't" is "dont"."""
    shape: str
    """How it is written: W a capital first, A all capitals, w small letters, 0 with digits, . a sign."""
    kinds: Kinds = ()
    """What it is, by the lexicon: "role", "food", "habitverb"; mostly nothing."""
    english: str = ""
    """What it means in English, where it is a word of another language."""


@kept(32)
def tokens(text: str, language: str | None = None) -> list[Token]:
    """The words and signs of a text, in order. Within a turn several ask for the same: the list is theirs together."""
    folded = fold(text)
    spans = [piece.span() for piece in _PIECES.finditer(folded)]
    spelt = [_spelt(folded[start:end], text[start:end]) for start, end in spans]
    words = [word for word, _, _ in spelt]
    spoken = _spoken(folded, language)
    english = meanings(words, spoken[0]) if spoken[0] != "en" else [""] * len(words)
    known = zip(spans, spelt, kinds(words, spoken), english, strict=True)
    return [Token(*span, word, shape, kind or form, english) for span, (word, shape, form), kind, english in known]


def words_of(text: str) -> list[str]:
    """The words of a text without its signs, for those who need not know what they are."""
    folded = fold(text)
    spelt = [_spelt(piece[0], text[piece.start() : piece.end()]) for piece in _PIECES.finditer(folded)]
    return [word for word, shape, _ in spelt if shape != "."]


def tokens_of(reading: Reading) -> list[Token]:
    """The words and signs of a message. Use as `reading.find(tokens_of)`: they are worked out once."""
    return tokens(reading.text[:MAX_CHARS], reading.language)


def in_english(text: str, language: str | None) -> tuple[str, list[tuple[int, int]]]:
    """A text with each word of another language as the English that it means, and for each character of that from where
    to where in the text it stands for."""
    made, places, at = [], [], 0
    for token in tokens(text, language):
        if token.english:
            made += [text[at : token.start], token.english]
            places += [(place, place + 1) for place in range(at, token.start)]
            places += [(token.start, token.end)] * len(token.english)
            at = token.end
    return "".join([*made, text[at:]]), [*places, *((place, place + 1) for place in range(at, len(text)))]


def _spoken(folded: str, language: str | None) -> tuple[str, ...]:
    """The languages whose words a text may hold: by its letters first, then by what the reader took it for."""
    if _CYRILLIC.search(folded):
        return ("ru", "en")
    return (language,) if language and lexicon(language) is not None else ("en", "es")


@kept(8192)  # the words of a language come again and again
def _spelt(word: str, typed: str) -> tuple[str, str, Kinds]:
    """A folded word, evened out, how it was written, and what it is by its form."""
    if not word[0].isalnum():
        return word, ".", ()
    found = _FORMS.fullmatch(word)
    form: Kinds = (str(found.lastgroup),) if found else ()
    if _DIGIT.search(word):
        return word, "0", form
    word = word.replace("'", "")
    if len(word) > 3:
        word = _STRETCHED.sub(r"\1", word)
    return word, ("A" if len(typed) > 1 and typed.isupper() else "W") if typed[0].isupper() else "w", form
