"""What a part of a message names: a list, a row of things, and things that stand on lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from holdfast.faculties.lists.headings import EDGES, items
from holdfast.faculties.lists.kept import OWN
from holdfast.faculties.lists.scene import Part, Scene, sentence_end, times
from holdfast.reading.endings import Endings
from holdfast.reading.kinds import typed_spans
from holdfast.reading.mentions import at_place, mentions, ordinal
from holdfast.reading.model.tokens import tokens, words_of
from holdfast.reading.reader import Cue, Reader, Span, within
from holdfast.reading.text import fold

ALIKE = 4
"""Letters by which two words are forms of one."""
COURTESIES = frozenset({"thanks", "greets"})
TO_DO, SHOPPING = STANDARD = ("to_do", "shopping")
"""Lists that everybody has: what is to be done, and what is to be bought."""

Thing = tuple[str, str]
"""A list and what stands on it."""


class Deed(NamedTuple):
    """What is done to a list: things put on it, taken off it, or, where it has neither, told."""

    name: str
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    missing: str = ""
    """What was to be taken off and is not there."""


def called(scene: Scene, cue: Cue) -> str:
    """The name of a list that is spoken of, in the form that the table keeps it under."""
    if cue.means in OWN:
        return cue.means
    if cue.means == TO_DO:
        return standard(scene, TO_DO)
    said = next((scene.reading.said(span) for span in _names(cue)), "")
    name = str(scene.reading.reader.data("list_names").get(said, said)) if _is_name(scene, cue, said) else ""
    return next((standard(scene, kind) for kind in STANDARD if name in _in_all_languages(scene, kind)), name)


def standard(scene: Scene, kind: str) -> str:
    """The list of what is to be bought or done, by the name under which it is kept, in whichever language."""
    language = scene.reading.language or scene.draft.state.conversation.language
    names = _in_all_languages(scene, kind)
    kept = (name for name in reversed(scene.held.lists) if name in names)
    return next(kept, scene.reading.reader.wording("lists", kind, language))


def is_there(scene: Scene, name: str) -> bool:
    """Whether a list is one that everybody has, or was spoken of: "the list of endpoints" may be no list of ours."""
    every = {*OWN, *(one for kind in STANDARD for one in _in_all_languages(scene, kind))}
    return name in {*every, *scene.held.lists, scene.held.open}


def _in_all_languages(scene: Scene, kind: str) -> set[str]:
    reader = scene.reading.reader
    return {reader.wording("lists", kind, language) for language in reader.languages("lists")}


def _names(cue: Cue) -> list[Span]:
    return [span for group, span in cue.groups.items() if group.startswith("list")]


def _is_name(scene: Scene, cue: Cue, said: str) -> bool:
    """Whether a word beside "list" is its name: «список дел», but not «в список молоко»."""
    reader = scene.reading.reader
    names, endings = reader.data("list_names"), tuple(reader.phrases("lists", "name_endings", cue.language))
    if said in names:
        return True
    if not said or {*said.split()} & scene.words("no_name", "beside", "into", "articles", "pronouns"):
        return False
    return said in {*names.values(), *scene.held.lists} or not endings or said.endswith(endings)


def named_list(scene: Scene) -> str:
    """The list that a part names; nothing where it names none, or only says "the list"."""
    return next((called(scene, cue) for cue in scene.part.lists), "")


def object_of(scene: Scene) -> Span:
    """Where the things stand that a part puts on a list: after a colon, else between its verb and the list, or after
    both."""
    part, text = scene.part, scene.reading.text
    start, end = part.said
    if part.verb is not None and "value" in part.verb.groups:  # "put halloumi on"
        return part.verb.groups["value"]
    if (colon := text.find(":", part.start, end)) >= 0:
        return colon + 1, end
    for cue in part.lists[:1]:
        between = start, max(start, cue.start)
        return between if trimmed(scene, text[slice(*between)]) else (max(start, _end_of(scene, cue)), end)
    return start, end


def _end_of(scene: Scene, cue: Cue) -> int:
    """Where the words for a list end: a word behind them that is no name of one is something to be put on it."""
    last = (span for span in _names(cue) if span[1] == cue.end and not _is_name(scene, cue, scene.reading.said(span)))
    return next(last, (cue.end, 0))[0]


def row(scene: Scene, span: Span) -> list[str]:
    """The single things of a row: "milk, eggs and bread"."""
    return row_of(scene, scene.reading.words(span))


def row_of(scene: Scene, text: str) -> list[str]:
    said = [trimmed(scene, piece).split() for piece in items(text) or _joint(scene).split(text)]
    bare = [words[1:] if len(words) > 1 and fold(words[0]) in scene.words("articles") else words for words in said]
    return [" ".join(words) for words in bare if words]


def apart(scene: Scene, span: Span, *more: str) -> list[Span]:
    """Where the things of a row stand, one by one."""
    cuts = list(_joint(scene, *more).finditer(scene.reading.text, *span))
    return list(zip([span[0], *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), span[1]], strict=True))


def _joint(scene: Scene, *more: str) -> re.Pattern[str]:
    """What stands between two things of a row: a comma, a conjunction, or both."""
    joins = "|".join(re.escape(word) for word in sorted(scene.words("joins", *more)))
    return re.compile(rf"\s*,(?!\d)\s*(?:(?:{joins})\s+)*|\s+(?:(?:{joins})\s+)+", re.IGNORECASE)


def trimmed(scene: Scene, words: str) -> str:
    """Words without what only stands beside them: "also … please"."""
    said = words.strip(EDGES).split()
    while said and fold(said[0]).strip(EDGES) in scene.words("beside", "about"):
        said = said[1:]
    while said and fold(said[-1]).strip(EDGES) in scene.words("beside"):
        said = said[:-1]
    return " ".join(said).strip(EDGES)


def meant(scene: Scene, name: str) -> list[Thing]:
    """The things on lists that a part names, or points at by their places in what was told last."""
    found = list(placed_in(scene, name or scene.held.open or scene.held.last))
    return found + [one for one in named(scene, scene.part, name) if one not in found]


def placed_in(scene: Scene, name: str) -> Iterator[Thing]:
    held = scene.held.get(name)
    told = [item for where, item in just_told(scene) if where == name]
    for place in ordinals(scene, scene.part).values():
        yield from ((name, item) for item in at_place(told if len(told) > 1 else held, place))


def ordinals(scene: Scene, part: Part) -> dict[Span, int]:
    """The places in a list that a part names; before its verb also those that nothing leads to («второе вычеркни»)."""
    reading = scene.reading
    found = {one.span: one.place for one in reading.find(mentions) if one.kind == "ordinal"}
    for cue in reading.all("pointing_ordinal") if part.verb is not None and not found else ():
        place = ordinal(reading, reading.group(cue, "ordinal"))
        if place is not None and cue.end + 1 >= part.verb.start:  # type: ignore[union-attr]
            found[cue.span] = place
    return {span: place for span, place in found.items() if part.start <= span[0] < part.end}


def named(scene: Scene, part: Part, name: str = "") -> list[Thing]:
    """The things on lists that share words with a part: for each piece of it those that share the most, first on the
    list that the talk is about."""
    order = [name] if name else dict.fromkeys((scene.held.open, *reversed(scene.held.lists)))
    found: dict[Thing, None] = {}
    for piece in row(scene, part.span):
        said = keys(scene.reading.reader, piece) - about_lists(scene, part)
        ways = (_closest(scene, where, piece, said) for where in order)
        found |= dict.fromkeys(next(filter(None, ways), []))
    return list(found)


def _closest(scene: Scene, name: str, piece: str, said: frozenset[str]) -> list[Thing]:
    """What of a list shares the most words with some, and first what is named whole."""
    reader, whole = scene.reading.reader, fold(piece)
    own = {item: keys(reader, item) for item in scene.held.get(name)}
    shared = {item: len(share(words, said)) + (fold(item) == whole) for item, words in own.items()}
    most = max(shared.values(), default=0)
    found = [item for item, count in shared.items() if most and count == most]
    named_whole = [item for item in found if len(own[item]) <= most]
    return [(name, item) for item in named_whole or found]


def about_lists(scene: Scene, part: Part) -> frozenset[str]:
    """The words of a part that say what is done to which list."""
    reading = scene.reading
    cues = [cue.span for family in ("list_done", "list_left") for cue in within(reading.all(family), part.span)]
    words = [reading.said(span) for span in (*cues, *(cue.span for cue in part.lists), *ordinals(scene, part))]
    verb = reading.said(part.verb.span).split() if part.verb is not None else []
    if part.does == "removes":  # "take the rashers off" holds what is taken off
        verb = verb[:1] + verb[-1:]
    return keys(reading.reader, " ".join([*words, *verb]))


def says_more(scene: Scene, things: Iterable[Thing] = ()) -> bool:
    """Whether a part names something beside its verb, a list, a time and some things."""
    reading, small = scene.reading, scene.words("beside", "pronouns", "into", "not", "all", "due")
    small |= reading.phrases("question", "fillers")
    said = [word for word in words_of(reading.said(scene.part.span)) if word not in small]
    asks = {token.word for token in tokens(" ".join(said)) if "askword" in token.kinds}
    typed = " ".join(reading.words(one[:2]) for one in reading.find(typed_spans))
    left = keys(reading.reader, " ".join(word for word in said if word not in asks))
    known = keys(reading.reader, " ".join([typed, *(item for _, item in things)])) | about_lists(scene, scene.part)
    return len(share(left, known)) < len(left)


def spoken_of(scene: Scene, name: str = "") -> list[Thing]:
    """What "it" is: what the rest of the message names; where nothing is said before, what was just put on a list or
    told."""
    end = sentence_end(scene.reading, scene.part)
    others = [one for one in scene.parts if one.start < end and _says_something(scene, one)]
    if found := next(filter(None, (named(scene, other, name) for other in others)), []):
        return found
    before = any(other in scene.before for other in others)
    return [] if before or name not in ("", scene.just) else just_told(scene)


def _says_something(scene: Scene, part: Part) -> bool:
    other = part is not scene.part and part.act not in COURTESIES
    return other and bool(keys(scene.reading.reader, scene.reading.said(part.span)))


def just_told(scene: Scene) -> list[Thing]:
    """What was just put on a list or told of it."""
    return [(scene.just, item) for item in scene.held.items if item in scene.held.get(scene.just)]


def points(scene: Scene, said: Iterable[str]) -> bool:
    """Whether something is only pointed at: "remind me of that"."""
    return {word for words in said for word in fold(words).split()} <= scene.words("pronouns", "about")


def keys(reader: Reader, text: str) -> frozenset[str]:
    """The words of a text that carry meaning, without their endings."""
    small, stem = reader.phrases("small", "words") | reader.phrases("lists", "short"), reader.made(Endings).stem
    return frozenset(stem(word) for word in words_of(text) if len(word) > 1 and word not in small)


def task_keys(reader: Reader, text: str) -> frozenset[str]:
    """The same without those that say when."""
    reading = reader.read(text)
    return keys(reader, text) - keys(reader, " ".join(map(reading.words, times(reading, (0, len(text))))))


def share(one: frozenset[str], other: frozenset[str]) -> set[str]:
    """The words of one text that the other has too, in whatever form."""
    return {word for word in one if any(_alike(word, said) for said in other)}


def _alike(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    length = max(ALIKE, shorter - 2)
    return one == other or (shorter >= ALIKE and one[:length] == other[:length])
