"""The words of a clause: those that name something, and those that it asks to keep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from holdfast.reading.clauses import sentence
from holdfast.reading.lexicon import Kinds
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import Token, tokens, tokens_of
from holdfast.reading.reader import Reading, Span

_SAYS_HOW = frozenset(
    "correction forgetphrase stopphrase laterphrase reaction hedge negation now always past future pointer yes no "
    "thanks greeting farewell".split()
)
"""Kinds of words that tell nothing by themselves."""
PRESENTATION = "presentation"
MAX_WITH_BEFORE = 20
"""Words of a clause with what it points at."""
_ANSWERS = frozenset({"yes", "no", "correction", "greeting", "thanks"})
"""Kinds of words that lead up to what is told where a sign stands behind them: "no, the second"."""
_LEADS = {"rememberphrase", "wantphrase", "pointer", "askword"}
"""Kinds of the words with which a clause asks to keep what follows them: "please remember that"."""


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


def clause_words(reading: Reading, clause: Clause, led: bool = False) -> str:
    """A clause as it was said, without the word that joins it to what else was said. Where it points at something that
    stands before it in its sentence, or that leads to it (`led`), with that: "the worker only has a health endpoint,
    that's on 9107"."""
    words = to_be_kept(reading, clause) or reading.words((clause.start, clause.end))
    if led or _points_back(reading, clause):
        whole = reading.words((sentence(reading, clause.start)[0], clause.end))
        words = whole if len(whole.split()) <= MAX_WITH_BEFORE else words
    return _unjoined(reading, words)


def in_words(reading: Reading, span: Span) -> str:
    """Words of a message as they are kept, without the one that joins them to what else was said."""
    return _unjoined(reading, reading.words(span))


def _unjoined(reading: Reading, words: str) -> str:
    """Words without what only leads up to them: "oh and", "так, короче", "ah y"."""
    words = " ".join(words.split()).strip(" .,;:!?")
    found = tokens(words, reading.language)
    leads = reading.phrases("joints", "between") | reading.phrases("memory", "leads")
    place = 0
    while place + 1 < len(found) and _only_leads(found, place, leads):
        place += 1
    rest = words[found[place].start :] if place else words
    return rest if any(token.shape != "." for token in found[place + 1 :]) or not place else words


def _only_leads(found: Sequence[Token], place: int, leads: frozenset[str]) -> bool:
    """Whether a word at the beginning tells nothing: one that joins or sighs, and behind a comma one that agrees or
    greets, too."""
    token, apart = found[place], found[place + 1].shape == "."
    if token.shape == ".":
        return True
    return token.word in leads or "reaction" in token.kinds or (apart and not _ANSWERS.isdisjoint(token.kinds))


def _points_back(reading: Reading, clause: Clause) -> bool:
    first = next(
        (token for token in reading.find(tokens_of) if clause.start <= token.start and token.shape != "."), None
    )
    return first is not None and "pointer" in first.kinds and clause.start > 0 and first.end < clause.end


def to_be_kept(reading: Reading, clause: Clause) -> str:
    """What a clause asks to keep: "the gate code is 4411" of "the gate code is 4411, remember that" and of "remember
    that the gate code is 4411"."""
    words = reading.words((clause.start, clause.end))
    if "rememberphrase" not in clause.kinds or words.endswith("?"):  # "remember that time in Paris?"
        return ""
    words = _unjoined(reading, words)
    told, _, rest = words.rpartition(",")
    if not any("rememberphrase" in token.kinds for token in tokens(rest, reading.language)) or nouns(reading, rest):
        articles = reading.reader.phrases("choice", "articles")
        found = takewhile(lambda one: one.word not in articles, tokens(words, reading.language))
        lead = list(takewhile(lambda one: one.shape == "." or _LEADS & set(one.kinds), found))
        led = {kind for one in lead for kind in (*one.kinds, one.shape)}
        asks = "rememberphrase" in led and not led.isdisjoint({"pointer", "askword", "."})
        told = words[lead[-1].end :] if asks and nouns(reading, words[lead[-1].end :]) else ""
    return " ".join(told.split()).strip(" .,;:!?")
