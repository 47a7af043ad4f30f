"""The goals of one message for the browser agent: "open my mail and then find the cheapest flight" has two, in order.

A goal also says how far it goes. To look for something is not to buy it, and what is put into the basket is not ordered
yet: only words for a deal lead to its confirmation.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from holdfast.agents.browsing.voice import DONE_BY, MAX_TEXT_CHARS, Voice
from holdfast.reading.reader import Reading, Span

HOW_FAR = ("visit", "look", "cart", "deal")
"""How far a goal goes, nearest first."""
MAX_GOALS = 4
TAKES = {"add": "cart", "buy": "deal"}
"""How far what is heard goes, by the kind of message."""
SURELY = 6
"""What must speak for it."""


class Goal(NamedTuple):
    """One thing that is wanted, in its own words."""

    text: str
    far: str | None
    """One of `HOW_FAR`, or None where the words do not say."""


def goals(text: str, voice: Voice) -> list[Goal]:
    """The goals of a message, in order; a part that only points at what another found ("and book it") carries that one
    further."""
    found: list[Goal] = []
    for whole in parts(text, voice):
        part = voice.read(whole)
        ends = (cue.start for cue in part.all("joins") if cue.end == len(part.folded))  # "… and" leads to the next one
        said = whole[: next(ends, None)].rstrip(" ,.;")
        goal = Goal(said, how_far(said, voice))
        elsewhere = voice.pages.site_in(said) is not None or voice.read(said).has("tab_word")
        if found and not voice.pages.words(said) and not elsewhere:
            further = [far for far in (found[-1].far, goal.far) if far is not None]
            found[-1] = Goal(f"{found[-1].text}, {said}", max(further, key=HOW_FAR.index, default=None))
        else:
            found.append(goal)
    return found[:MAX_GOALS]


def how_far(text: str, voice: Voice) -> str | None:
    """How far a message wants to go."""
    ids = {cue.means for cue in voice.read(text).all("goal")}
    does = voice.does(text) if ids <= {"look"} else {}
    surely = max(SURELY, does.get("choose", 0))
    heard = next((far for kind, far in TAKES.items() if does.get(kind, -1) >= surely), None)
    return heard or next((far for far in ("cart", "deal", "look", "visit") if far in ids), None)


def parts(text: str, voice: Voice) -> list[str]:
    """What is to be done, each in its words: "pin the recipe and mute the music" is two."""
    cut = _parts(voice.read(text[:MAX_TEXT_CHARS])) if text.strip() else []
    return [text[start:end].strip(" ,.;") for start, end in cut]


def _parts(reading: Reading) -> list[Span]:
    """The message, cut where a joining word is followed by a word for what is to be done."""
    acts = sorted(cue.start for family in (*DONE_BY, "sums_up") for cue in reading.all(family))
    cuts = [0]
    for join in reading.all("joins"):
        act = next((place for place in acts if place >= join.end), None)
        begun = any(cuts[-1] <= place < join.start for place in acts)
        if act is not None and begun and not reading.folded[join.end : act].strip():
            cuts.append(act)
    return list(pairwise([*cuts, len(reading.text)]))
