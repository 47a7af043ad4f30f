"""The words of a clause: those that name something, and those that it asks to keep."""

from __future__ import annotations

from holdfast.reading.lexicon import Kinds
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import tokens
from holdfast.reading.reader import Reading

_SAYS_HOW = frozenset(
    "correction forgetphrase stopphrase laterphrase reaction hedge negation now always past future pointer yes no "
    "thanks greeting farewell".split()
)
"""Kinds of words that tell nothing by themselves."""
PRESENTATION = "presentation"
_ASKS_TO_KEEP = frozenset({"rememberphrase", "wantphrase"})


def nouns(reading: Reading, text: str) -> list[tuple[str, Kinds]]:
    """The words of a text that name something, as far as the lexicon tells: all but small words and words that say how
    or that something is done."""
    small = reading.reader.phrases("small", "words") | reading.phrases("memory", "myself")
    found = [
        t for t in tokens(text, reading.language) if t.word[0].isalpha() and len(t.word) > 2 and t.word not in small
    ]
    # a word with figures is the name of something, whatever it looks like: "editor3"
    return [(t.word, t.kinds) for t in found if t.shape == "0" or not any(map(_says_how, t.kinds))]


def _says_how(kind: str) -> bool:
    return kind in _SAYS_HOW or kind.endswith(("verb", "phrase")) or kind.startswith("attr/")


def clause_words(reading: Reading, clause: Clause) -> str:
    words = " ".join(reading.words((clause.start, clause.end)).split()).strip(" .,;:!?")
    return to_be_kept(reading, clause) or words


def to_be_kept(reading: Reading, clause: Clause) -> str:
    """What a clause asks to keep: "the gate code is 4411" of "the gate code is 4411, remember that" and of "remember
    that the gate code is 4411"."""
    words = reading.words((clause.start, clause.end))
    if "rememberphrase" not in clause.kinds or words.endswith("?"):  # "remember that time in Paris?"
        return ""
    told, _, rest = words.rpartition(",")
    asks = any("rememberphrase" in token.kinds for token in tokens(rest, reading.language))
    kept = told if asks and not nouns(reading, rest) else _asked_before(reading, words)
    return " ".join(kept.split()).strip(" .,;:!?")


def _asked_before(reading: Reading, words: str) -> str:
    """What stands behind "remember that" or "please note:" at the beginning of some words; nothing without those."""
    found = tokens(words, reading.language)
    asks = next((n for n, token in enumerate(found) if not _ASKS_TO_KEEP.intersection(token.kinds)), 0)
    if not asks or "rememberphrase" not in found[asks - 1].kinds:
        return ""
    leads = asks - ("pointer" in found[asks - 1].kinds)
    while asks < len(found) and (found[asks].shape == "." or {"pointer", "askword"}.intersection(found[asks].kinds)):
        asks += 1
    rest = words[found[asks - 1].end :] if asks > leads else ""
    return rest if nouns(reading, rest) else ""
