"""Several things to be done that are said in passing: "I have to fetch the dog, pay the rent and call Ann". Nobody
asked for a list, so none is made: they are offered, and a yes or a word for a list puts them on one."""

from __future__ import annotations

import re

from holdfast.faculties.lists.headings import EDGES, is_task
from holdfast.faculties.lists.naming import (
    TO_DO,
    Deed,
    apart,
    named_list,
    object_of,
    points,
    row,
    says_more,
    standard,
    trimmed,
)
from holdfast.faculties.lists.scene import JUST, NOT_MEANT, Scene, is_telling
from holdfast.reading.model.tokens import tokens_of
from holdfast.reading.reader import Cue, Span
from holdfast.reading.standing import standing

LASTS = 3 * JUST
"""Rows of the log after which what was offered may still be put on a list."""
NO_ERRANDS = frozenset({"asks", "reports", "supposes", "quotes"})
"""Acts of clauses that do not say what one has to do oneself."""
SEVERAL = 2
"""Things to be done from which a list is worth its while."""
_END = re.compile(r"[.!?\n](?=\s|$)|$")


def errands(scene: Scene) -> tuple[list[str], Span]:
    """What is to be done by a message, and where it says so."""
    for head in scene.reading.all("list_head"):
        end = _END.search(scene.reading.text, head.end).start()  # type: ignore[union-attr]
        if head.means == TO_DO and _is_meant(scene, head, end):
            tasks = _tasks(scene, (head.end, end))
            if len(tasks) >= SEVERAL:
                return tasks, (head.start, end)
    return [], (0, 0)


def _is_meant(scene: Scene, head: Cue, end: int) -> bool:
    """Whether it is said so and not asked, denied or supposed, and is no heading of a row."""
    flags = scene.reading.find(standing).of((head.start, head.start + 1))
    part = next((one for one in reversed(scene.parts) if one.start <= head.start), scene.part)
    asked = part.act in NO_ERRANDS or scene.reading.text[end : end + 1] == "?"
    return not (flags & NOT_MEANT or asked or part.heading is not None)


def _tasks(scene: Scene, span: Span) -> list[str]:
    """The tasks of a row; what is none goes with the one before: "buy milk, eggs and bread"."""
    found: list[Span] = []
    for start, end in apart(scene, span, "then"):
        if _is_errand(scene, (start, end), first=not found):
            found.append((start, end))
        elif found and not is_telling(scene.reading, (start, end)):
            found[-1] = found[-1][0], end
        else:
            break
    return [trimmed(scene, scene.reading.text[start:end]) for start, end in found]


def _is_errand(scene: Scene, span: Span, first: bool) -> bool:
    """Whether some words say to do something. Where a verb shows it by its ending, it must; elsewhere the first word
    stands for one unless it can be none."""
    said = scene.reading.said(span)
    words = [word.strip(EDGES) for word in said.split()]
    after = span[0] + len(scene.reading.text[slice(*span)].partition(" ")[0])
    if (
        not words
        or words[0] in scene.words("not")
        or words[0][:1].isdigit()
        or is_telling(scene.reading, (after, span[1]))
    ):
        return False
    if scene.reading.phrases("lists", "infinitives"):
        return is_task(scene.reading, said)
    other = scene.words("articles", "pronouns", "beside") | scene.reading.phrases("question", "subjects")
    return first or (len(words) > 1 and words[0] not in other | scene.reading.phrases("repair", "prep"))


def taken(scene: Scene) -> list[Deed]:
    """What was offered, where a part takes it: it says yes, or wants a list and names nothing to put on it."""
    ago = scene.draft.ago(scene.held.offered_in)
    open_still = scene.held.offered and ago <= LASTS and not any(one.heading for one in scene.parts)
    if open_still and ((ago <= JUST and _agrees(scene)) or _wants_list(scene)):
        return [Deed(named_list(scene) or standard(scene, TO_DO), added=scene.held.offered)]
    return []


def _agrees(scene: Scene) -> bool:
    """Whether a part says yes and nothing else, and does not hesitate."""
    part, reading = scene.part, scene.reading
    hedged = any("hedge" in one.kinds for one in reading.find(tokens_of) if part.start <= one.start < part.end)
    if hedged or part.act in ("denies", "rejects"):
        return False
    return part.act == "confirms" or (reading.has("yes") and not says_more(scene))


def _wants_list(scene: Scene) -> bool:
    part = scene.part
    if part.does == "adds":
        return points(scene, row(scene, object_of(scene)))
    return part.act != "asks" and bool(part.lists or part.does == "shows") and not says_more(scene)
