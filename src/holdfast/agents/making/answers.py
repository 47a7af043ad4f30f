"""What the maker answers: what a file holds, why it is so, what was changed last, what is wanted always, and which
files of earlier conversations there are. An answer changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.agents.making import scenes
from holdfast.agents.making.rows import called
from holdfast.faculties.facts.wishes import stems
from holdfast.reading.reader import Reading

LOOKS = ("color", "size", "shape", "part", "order", "place")
"""Families of cues by which a request is known to be the reason of something."""


def about(reading: Reading, wished: Mapping[str, str]) -> list[str]:
    """The standing wishes that a question shares a word with."""
    return [text for named, text in wished.items() if not stems(reading).isdisjoint(named.split("_"))]


def answer(reading: Reading, scene: scenes.Scene | None, language: str) -> str | None:
    """The answer to a question about a file, or None where there is none that it could be about."""
    if scene is None or scenes.kind_of(reading) not in (None, "image", scene.kind):
        return None  # "can you make charts?", "is there a chart of it?"
    told = {"file": scene.file, "what": scenes.describe(scene, language)}
    if reading.has("why"):
        because = reason(reading, scene.requests)
        return scenes.say(language, "because", said=because) if because else scenes.say(language, "usual", **told)
    if scene.values and not scene.sample and (counted := _counted(reading, scene, language)):
        return counted
    if reading.has("history") and scene.requests:
        return scenes.say(language, "last", said=scene.requests[-1], **told)
    return scenes.say(language, "holds", **told)


def _counted(reading: Reading, scene: scenes.Scene, language: str) -> str:
    """What a question asks of the numbers: a sum, a mean, the greatest, how many, or the one of a row."""
    rows = [*zip(scene.values, scene.labels, strict=True)]
    told_of = [f"{label}: {scenes.figure(value)}" for value, label in rows]
    found = {
        "sum": scenes.figure(sum(scene.values)),
        "mean": scenes.figure(sum(scene.values) / len(rows)),
        "most": told_of[scene.values.index(max(scene.values))],
        "least": told_of[scene.values.index(min(scene.values))],
        "count": str(len(rows)),
    }
    asked = [cue.means for cue in reading.all("stat")]
    told = [scenes.say(language, f"stat_{means}", told=found[means]) for means in dict.fromkeys(asked)]
    named = [told_of[n] for n in called(reading.text, scene.labels)] if not told else []
    return " ".join(told) or "; ".join(named)


def reason(asked: Reading, requests: Iterable[str]) -> str | None:
    """The newest request that has the most in common with what is asked about."""
    looks = _looks(asked)
    shared = [(len(looks & _looks(asked.reader.read(said))), place, said) for place, said in enumerate(requests)]
    best = max(shared, default=(0, 0, ""))
    return best[2] if best[0] else None


def _looks(reading: Reading) -> set[str]:
    return {f"{family} {cue.means}" for family in LOOKS for cue in reading.all(family)} | (
        {"color"} if reading.has("color", "hue") else set()
    )


def quoted(texts: Iterable[str]) -> str:
    return "; ".join(f"“{text}”" for text in texts)


def likely(reading: Reading, filename: str | None, earlier: Iterable[scenes.Scene]) -> list[scenes.Scene]:
    """The files of earlier conversations that a message can mean, the likeliest first; where it names none, all."""
    kind, words = scenes.kind_of(reading), stems(reading)

    def points(scene: scenes.Scene) -> int:
        known = stems(reading.reader.read(" ".join((scene.file.replace("_", " "), *scene.labels, *scene.requests))))
        return 9 * (scene.file == filename) + 2 * (scene.kind == kind) + len(words & known)

    ranked = sorted(earlier, key=points, reverse=True)
    return [scene for scene in ranked if points(scene)] or ([] if filename or kind else ranked)
