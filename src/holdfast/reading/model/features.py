"""What the scorers look at. The same functions serve training and run time, so that both see the same.

A feature is a short string: the letter of its kind, a sign, and the words. Nothing here knows a word of any language.
Words of other languages than English count twice: as they are, and as the English that they mean, under the same names
as the words of English messages. No feature is given twice: the scorers learned of each from texts that have it or
have it not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from holdfast.reading.model.tokens import Token

_NONE = "^"
"""Stands for the word before the first and after the last."""
_EDGE = Token(0, 0, _NONE, _NONE)
_LONG_WORD = 5
_STEM = 4


def _stem(word: str) -> str:
    """The beginning of a word, so that its inflected forms share a feature."""
    return word[:_STEM] if len(word) > _LONG_WORD else word


def _meant(said: Sequence[Token]) -> list[str]:
    """The words of a text in English, without its signs; nothing where all of them are English as they are."""
    if not any(token.english for token in said):
        return []
    return [*chain.from_iterable([(token.english or token.word).split() for token in said if token.shape != "."])]


def gap_features(tokens: Sequence[Token], place: int) -> list[str]:
    """The gap before a token: does a new clause begin there?"""
    around = [tokens[at] if 0 <= at < len(tokens) else _EDGE for at in range(place - 2, place + 3)]
    two_before, before, here, after, two_after = [token.word for token in around]
    follows = _stem(after)
    found = [
        f"b={before}",
        f"h={here}",
        f"a={after}",
        f"bh={before} {here}",
        f"ha={here} {after}",
        f"bb={two_before} {before}",
        f"bha={before} {here} {after}",
        f"haa={here} {after} {two_after}",
        f"hs={_stem(here)}",
        f"as={follows}",
        f"bas={before} {follows}",
        f"s={''.join([token.shape for token in around])}",
    ]
    for kind in tokens[place].kinds:
        found += (f"hk={kind}", f"bhk={before} {kind}")
    if place + 1 < len(tokens):
        for kind in tokens[place + 1].kinds:
            found += (f"ak={kind}", f"hak={here} {kind}")
    if place and tokens[place].start > tokens[place - 1].end + 1:
        found.append("wide")
    sign = before if before in ".,;:!?)" else "w"
    since = _words_in_row(reversed(tokens[max(0, place - 9) : place]))
    return [*found, f"since={since} {sign}", f"until={_words_in_row(tokens[place : place + 9])} {sign}"]


def _words_in_row(tokens: Iterable[Token]) -> int:
    """How many words follow one another without a sign."""
    count = 0
    for token in tokens:
        if token.shape == ".":
            break
        count += 1
    return count


def asked_features(asked: Sequence[Token]) -> list[str]:
    """What the agent said last, as far as it bears on what a reply is: the words of its last question."""
    if not asked:
        return ["q0"]
    marks = [place for place, token in enumerate(asked) if token.word == "?"]
    if not marks:
        return ["q-", f"q-f={asked[0].word}"] if asked[0].shape != "." else ["q-"]
    question = _sentence_before(asked, marks[-1])
    words = [token.word for token in question if token.shape != "."][-14:]
    found = ["q?"]
    found += [f"q={_stem(word)}" for word in dict.fromkeys(words)]
    found += [f"qk={kind}" for kind in dict.fromkeys(k for token in question for k in token.kinds)]
    found += [f"qf={' '.join(words[:2])}"] if words else []
    return [*found, "q??"] if len(marks) > 1 else found


def _sentence_before(tokens: Sequence[Token], end: int) -> Sequence[Token]:
    start = end
    while start > 0 and tokens[start - 1].word not in (".", "!", "?", ":"):
        start -= 1
    return tokens[start:end]


class Before(NamedTuple):
    """What was said before a message, as the scorers look at it."""

    asked: tuple[str, ...]
    """What the agent asked, as features; they count together with where a clause stands, too."""
    meant: tuple[str, ...]
    """The same by what its words mean."""
    last: tuple[str, ...]
    """The last words of the agent, as features."""
    agent: frozenset[str]
    """What the agent said last: the stems of its words that name something, and what they are."""
    person: frozenset[str]
    """The same of what the person said before."""


_NAMES = "0WA"
"""Shapes of words that may name something however short they are: figures, and words with a capital."""
_LAST_WORDS = 14
"""Words at the end of what the agent said that are looked at."""


def before_features(asked: Sequence[Token], told: Sequence[Token]) -> Before:
    """What the agent said last, and what the person said before that."""
    words = _meant(asked) or [token.word for token in asked if token.shape != "."]
    last = [f"sw={_stem(word)}" for word in dict.fromkeys(words[-_LAST_WORDS:])]
    marks = [place for place, token in enumerate(asked) if token.word == "?"]
    question = _meant(_sentence_before(asked, marks[-1]))[-_LAST_WORDS:] if marks else []
    meant = [f"q={_stem(word)}" for word in dict.fromkeys(question)]
    meant += [f"qf={' '.join(question[:2])}"] if question else []
    return Before(tuple(asked_features(asked)), tuple(meant), tuple(last), _named(asked), _named(told))


def _named(said: Sequence[Token]) -> frozenset[str]:
    """What a text names: the stems of its longer words, of names and figures, and what its words are."""
    found = [_stem(token.word) for token in said if token.shape in _NAMES or len(token.word) >= _STEM]
    found += [f"k={kind}" for token in said for kind in token.kinds]
    return frozenset([*found, "0"] if "0" in [token.shape for token in said] else found)


def in_context(tokens: Sequence[Token], start: int, end: int, index: int, count: int, before: Before) -> list[str]:
    """A clause in its message, what its words mean, and how they meet what was said before."""
    found = clause_features(tokens, start, end, index, count, before.asked)
    inside = tokens[start:end]
    if meant := _meant(inside):
        found += _rows_of_words(meant)
        found += (f"f={meant[0]}", f"f2={' '.join(meant[:2])}", f"l={meant[-1]}")
    return [*dict.fromkeys((*found, *before.meant, *before.last, *_meeting(inside, before)))]


def _meeting(said: Sequence[Token], before: Before) -> list[str]:
    """Which of its words a clause repeats, and which stand in the place of others of their kind."""
    found: list[str] = []
    again = own = fresh = 0
    for token in said:
        if token.shape not in _NAMES and len(token.word) < _STEM:
            continue
        stem = _stem(token.word)
        by_agent, by_person = stem in before.agent, stem in before.person
        again, own = again + by_agent, own + by_person
        if by_agent or by_person:
            continue
        fresh += 1
        for kind in [f"k={kind}" for kind in token.kinds] + ["0"] * (token.shape == "0"):
            if kind in before.agent:
                found += ("xks", f"xks={kind}")
            if kind in before.person:
                found += ("xku", f"xku={kind}")
    few = min(len(said), 4)
    return [
        *dict.fromkeys(found),
        f"xs={min(again, 3)}",
        f"xu={min(own, 3)}",
        f"xn={min(fresh, 4)}",
        f"xsu={min(again, 2)}{min(own, 2)}{min(fresh, 2)}",
        f"xsf={min(again, 2)} {few}",
        f"xuf={min(own, 2)} {few}",
    ]


def clause_features(
    tokens: Sequence[Token], start: int, end: int, index: int, count: int, asked: Sequence[str]
) -> list[str]:
    """A clause in its message: which act is it, does it tell something to keep?"""
    inside = tokens[start:end]
    said = [token for token in inside if token.shape != "."]
    plain = [token.word for token in said]
    first, last = (plain[0], plain[-1]) if plain else (_NONE, _NONE)
    size, few = min(len(plain), 12), min(len(plain), 4)
    where = "only" if count == 1 else "first" if index == 0 else "last" if index == count - 1 else "mid"
    after = tokens[end].word if end < len(tokens) else _NONE
    found = _rows_of_words(plain)
    found += _kinds_of(said)
    found += (
        f"f={first}",
        f"f2={' '.join(plain[:2])}",
        f"l={last}",
        f"end={''.join([token.word for token in inside[-3:] if not token.word[0].isalnum()])}",
        f"n={size}",
        f"at={where}",
        f"atn={where} {few}",
        f"bef={tokens[start - 1].word if start else _NONE} {tokens[start - 2].word if start > 1 else _NONE}",
        f"aft={after}",
        f"sh={''.join(sorted({token.shape for token in inside}))}",
    )
    if after == "?" or "?" in [token.word for token in inside]:
        found.append("?")
    beside = f"|{few}{where[0]}"
    for feature in asked:
        found += (feature, feature + beside)
    return [*found, f"{asked[0]}|{first}"] if asked else found


def _rows_of_words(plain: Sequence[str]) -> list[str]:
    """The words of a clause alone, by their ends, and two and three in a row."""
    found = []
    for word in dict.fromkeys(plain):
        found.append(f"w={word}")
        if len(word) > _LONG_WORD:
            found += (f"p={word[:_STEM]}", f"e={word[-3:]}")
    found += [f"2={one} {two}" for one, two in zip([_NONE, *plain], [*plain, "$"], strict=True)]
    found += [f"3={one} {two} {three}" for one, two, three in zip(plain, plain[1:], plain[2:], strict=False)]
    return found + [f"1_3={one} {three}" for one, three in zip(plain, plain[2:], strict=False)]


def _kinds_of(words: Sequence[Token]) -> list[str]:
    """What the words of a clause are, alone and in pairs: "my" before a relative, a verb of habit before a dish."""
    found = [f"k={kind}" for kind in dict.fromkeys([kind for token in words for kind in token.kinds])]
    for place, token in enumerate(words[:3]):
        found += [f"fk{place}={kind}" for kind in token.kinds]
    for one, two in pairwise(words):
        for kind in two.kinds:
            found.append(f"wk={one.word} {kind}")
            for other in one.kinds:
                found.append(f"kk={other} {kind}")
        for kind in one.kinds:
            found.append(f"kw={kind} {two.word}")
    return found


_ROLES = {
    **dict.fromkeys(("w", "f", "l", "s"), "w"),
    **dict.fromkeys(("", "2", "f2", "s2"), "ww"),
    **dict.fromkeys(("k", "fk0", "fk1", "fk2", "K"), "k"),
    **{"3": "www", "1_3": "w.w", "p": "p", "e": "e", "kk": "kk", "wk": "wk", "kw": "kw"},
}
"""What the parts of a feature are, by its kind: a word, the beginning or end of one, what a word is, or any word."""
_SAME: dict[str, Callable[[Token, str], bool]] = {
    "p": lambda token, part: token.word.startswith(part),
    "e": lambda token, part: token.word.endswith(part),
    "k": lambda token, part: part in token.kinds,
    ".": lambda token, part: True,
}


def shows_words(feature: str) -> bool:
    """Whether a feature is made of words of the message."""
    name, equals, _ = feature.partition("=")
    return (name if equals else "") in _ROLES


def words_of(feature: str, plain: Sequence[Token]) -> list[Token]:
    """The words of a message (without its signs) that a feature was made of, for people: those of "2=i live". None for
    a feature that is about no words of the message: its length, or what was asked before it."""
    wanted = _parts_of(feature)
    size = len(wanted)
    for start in range(len(plain) - size + 1) if wanted else ():
        for place, (role, part) in enumerate(wanted, start):
            if not (plain[place].word == part if role == "w" else _SAME[role](plain[place], part)):
                break
        else:
            return [plain[place] for place, (role, _) in enumerate(wanted, start) if role != "."]
    return []


def _parts_of(feature: str) -> list[tuple[str, str]]:
    """What a feature says of the words in a row that it was made of."""
    name, equals, rest = feature.partition("=")
    roles = _ROLES.get(name if equals else "", "")
    parts = [rest] if roles == "w" else (rest if equals else feature).split(" ")
    if name == "1_3":
        parts.insert(1, "")
    if len(parts) != len(roles):
        return []
    return [(role, part) for role, part in zip(roles, parts, strict=True) if part not in (_NONE, "$")]


def value_features(tokens: Sequence[Token], start: int, end: int, place: int, act: str) -> list[str]:
    """A token of a clause: does it belong to a value, does it begin one?"""

    around = [tokens[at] if start <= at < end else _EDGE for at in range(place - 3, place + 3)]
    left3, left2, left, here, right, right2 = [token.word for token in around]
    before, written, after = around[2].shape, around[3].shape, around[4].shape
    found = [
        f"h={here}",
        f"hp={_stem(here)}",
        f"he={here[-3:]}",
        f"l={left}",
        f"r={right}",
        f"l2={left2}",
        f"r2={right2}",
        f"l3={left3}",
        f"lh={left} {here}",
        f"hr={here} {right}",
        f"ll={left2} {left}",
        f"rr={right} {right2}",
        f"lr={left} {right}",
        f"s={before}{written}{after}",
        f"sl={written} {left}",
        f"act={act}",
        f"act={act} {written}",
        f"at={min(place - start, 5)} {act}",
        f"to={min(end - 1 - place, 5)}",
        f"n={min(end - start, 8)} {min(place - start, 3)}",
    ]
    if any(token.english for token in around[1:]):
        found = [*dict.fromkeys(found + _value_meant(around[1:]))]
    for kind in around[2].kinds:
        found.append(f"Lk={kind}")
    for kind in around[3].kinds:
        found += (f"Hk={kind}", f"lHk={left} {kind}", f"actHk={act} {kind}")
    for kind in around[4].kinds:
        found.append(f"Rk={kind}")
    return found


def _value_meant(around: Sequence[Token]) -> list[str]:
    """A token and those beside it by what they mean."""
    left2, left, here, right, right2 = [token.english or token.word for token in around]
    return [
        f"h={here}",
        f"hp={_stem(here)}",
        f"l={left}",
        f"r={right}",
        f"l2={left2}",
        f"r2={right2}",
        f"lh={left} {here}",
        f"hr={here} {right}",
        f"ll={left2} {left}",
        f"lr={left} {right}",
    ]


def tag_features(previous: str, token: Token) -> tuple[str, str, str]:
    """What the tag of the token before tells of this one."""
    return f"t={previous}", f"t={previous} {token.word}", f"t={previous}{token.shape}"


def sign_features(tokens: Sequence[Token], start: int, end: int, first: int, last: int, act: str) -> list[str]:
    """A value in its clause: is it so, or is it said not to be?"""
    found = []
    for place in range(start, end):
        token = tokens[place]
        if token.shape != ".":
            side = "b" if place < first else "v" if place < last else "a"
            found.append(f"{side}={token.word}")
            found += [f"{side}={word}" for word in token.english.split()]
            found += [f"{side}k={kind}" for kind in token.kinds]
            if len(token.word) > _LONG_WORD:
                found.append(f"{side}p={token.word[:_STEM]}")
    found += [f"l{first - place}={tokens[place].word}" for place in range(max(start, first - 3), first)]
    return [*dict.fromkeys(found), f"act={act}"]


def attribute_features(
    tokens: Sequence[Token], start: int, end: int, first: int, last: int, act: str, asked: Sequence[str]
) -> list[str]:
    """A value (tokens first to last, the end not included) in its clause: what is it a value of?"""
    return own_features(tokens, start, end, first, last) + shared_features(tokens, start, end, act, asked)


def own_features(tokens: Sequence[Token], start: int, end: int, first: int, last: int) -> list[str]:
    """A value and the words before and after it."""
    found = _value_itself(tokens[first:last]) + _around(tokens, start, end, first, last)
    if any(token.english for token in tokens[start:end]):
        found += _attribute_meant(tokens, start, end, first, last)
    return [*dict.fromkeys(found)]


def shared_features(tokens: Sequence[Token], start: int, end: int, act: str, asked: Sequence[str]) -> list[str]:
    """What counts for all values of a clause: its words, those before it, what it does and what was asked."""
    inside = tokens[start:end]
    found = [f"c={_stem(token.word)}" for token in inside if token.shape != "."]
    found += [f"ck={kind}" for token in inside for kind in token.kinds]
    found += [f"c={_stem(word)}" for word in _meant(inside)]
    found += [f"pc={_stem(token.word)}" for token in tokens[max(0, start - 6) : start] if token.shape != "."]
    found += [f"act={act}", *asked]
    found += [f"{feature}|a" for feature in asked] if act in ("answers", "chooses") else []
    return [*dict.fromkeys(found)]


def _attribute_meant(tokens: Sequence[Token], start: int, end: int, first: int, last: int) -> list[str]:
    """A value and the words before and after it by what they mean."""
    value = _meant(tokens[first:last]) or [token.word for token in tokens[first:last]]
    found = [f"v={word}" for word in dict.fromkeys(value)]
    for word in dict.fromkeys(value):
        if len(word) > _LONG_WORD:
            found += (f"vp={word[:_STEM]}", f"ve={word[-3:]}")
    found += (f"vf={value[0]}", f"vl={value[-1]}", f"v2={' '.join(value[:2])}")
    left = _in_english(tokens[max(start, first - 4) : first])[-4:]
    for place, word in enumerate(reversed(left)):
        found += (f"l{place}={word}", f"lp={_stem(word)}")
    if len(left) > 1:
        found.append(f"ll={left[-2]} {left[-1]}")
    right = _in_english(tokens[last : min(end, last + 3)])[:3]
    return found + [f"r{place}={word}" for place, word in enumerate(right)]


def _in_english(said: Sequence[Token]) -> list[str]:
    """The words and signs of a text, those of other languages by what they mean."""
    return [*chain.from_iterable([(token.english or token.word).split() for token in said])]


def _value_itself(value: Sequence[Token]) -> list[str]:
    words = [token.word for token in value]
    found = []
    for word in dict.fromkeys(words):
        found.append(f"v={word}")
        if len(word) > _LONG_WORD:
            found += (f"vp={word[:_STEM]}", f"ve={word[-3:]}")
    found += [f"vk={kind}" for token in value for kind in token.kinds]
    shapes = "".join([token.shape for token in value])[:4]
    ends = (f"vf={words[0]}", f"vl={words[-1]}", f"v2={' '.join(words[:2])}")
    return [*found, *ends, f"vs={shapes}", f"vn={min(len(words), 6)}"]


def _around(tokens: Sequence[Token], start: int, end: int, first: int, last: int) -> list[str]:
    """The words before and after a value."""
    left = [token.word for token in tokens[max(start, first - 4) : first]]
    found: list[str] = []
    for place, word in enumerate(reversed(left)):
        found += (f"l{place}={word}", f"lp={_stem(word)}")
    if len(left) > 1:
        found.append(f"ll={left[-2]} {left[-1]}")
    found += [f"r{place}={token.word}" for place, token in enumerate(tokens[last : min(end, last + 3)])]
    return found + [f"lk={kind}" for token in tokens[max(start, first - 3) : first] for kind in token.kinds]
