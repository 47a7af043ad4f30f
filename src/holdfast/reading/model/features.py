"""What the scorers look at. The same functions serve training and run time, so that both see the same.

A feature is a short string: the letter of its kind, a sign, and the words. Nothing here knows a word of any language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from holdfast.reading.model.tokens import Token

_NONE = "^"
"""Stands for the word before the first and after the last."""
_EDGE = Token(0, 0, _NONE, _NONE)
_LONG_WORD = 5
_STEM = 4


def _stem(word: str) -> str:
    """The beginning of a word, so that its inflected forms share a feature."""
    return word[:_STEM] if len(word) > _LONG_WORD else word


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
    since, until = _words_in_row(tokens, place - 1, -1), _words_in_row(tokens, place, 1)
    return [*found, f"since={since} {sign}", f"until={until} {sign}"]


def _words_in_row(tokens: Sequence[Token], place: int, step: int) -> int:
    """How many words, nine at most, follow one another from there on without a sign."""
    count = 0
    while count < 9 and 0 <= place < len(tokens) and tokens[place].shape != ".":
        count += 1
        place += step
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


def clause_features(
    tokens: Sequence[Token], start: int, end: int, index: int, count: int, asked: Sequence[str]
) -> list[str]:
    """A clause in its message: which act is it, does it tell something to keep?"""
    inside = tokens[start:end]
    said = [token for token in inside if token.shape != "."]
    plain = [token.word for token in said]
    first, last = (plain[0], plain[-1]) if plain else (_NONE, _NONE)
    size, few = min(len(plain), 12), min(len(plain), 4)
    where, after = _where(index, count), tokens[end].word if end < len(tokens) else _NONE
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
    for feature in asked:
        found += (feature, f"{feature}|{few}{where[0]}")
    return [*found, f"{asked[0]}|{first}"] if asked else found


def _where(index: int, count: int) -> str:
    """Where a clause stands among those of its message."""
    if count == 1:
        return "only"
    return "first" if index == 0 else "last" if index == count - 1 else "mid"


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
    for kind in around[2].kinds:
        found.append(f"Lk={kind}")
    for kind in around[3].kinds:
        found += (f"Hk={kind}", f"lHk={left} {kind}", f"actHk={act} {kind}")
    for kind in around[4].kinds:
        found.append(f"Rk={kind}")
    return found


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
            found += [f"{side}k={kind}" for kind in token.kinds]
            if len(token.word) > _LONG_WORD:
                found.append(f"{side}p={token.word[:_STEM]}")
    found += [f"l{first - place}={tokens[place].word}" for place in range(max(start, first - 3), first)]
    return [*found, f"act={act}"]


def attribute_features(
    tokens: Sequence[Token], start: int, end: int, first: int, last: int, act: str, asked: Sequence[str]
) -> list[str]:
    """A value (tokens first to last, the end not included) in its clause: what is it a value of?"""
    found = _value_itself(tokens[first:last]) + _around(tokens, start, end, first, last)
    found += [f"pc={_stem(token.word)}" for token in tokens[max(0, start - 6) : start] if token.shape != "."]
    found += [f"act={act}", *asked]
    return found + [f"{feature}|a" for feature in asked] if act in ("answers", "chooses") else found


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
    """The words of the clause around a value."""
    left = [token.word for token in tokens[max(start, first - 4) : first]]
    found: list[str] = []
    for place, word in enumerate(reversed(left)):
        found += (f"l{place}={word}", f"lp={_stem(word)}")
    if len(left) > 1:
        found.append(f"ll={left[-2]} {left[-1]}")
    found += [f"r{place}={token.word}" for place, token in enumerate(tokens[last : min(end, last + 3)])]
    for place in range(start, end):
        token = tokens[place]
        if token.shape != ".":
            found.append(f"c={_stem(token.word)}")
        near = first - 3 <= place < first
        for kind in token.kinds:
            found += (f"ck={kind}", f"lk={kind}") if near else (f"ck={kind}",)
    return found
