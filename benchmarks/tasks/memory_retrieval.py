"""Which turns of a long acquaintance answer a question: every talk goes through hear and say, then a search."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from holdfast import Holdfast

FORMS = ("%I:%M %p on %d %B, %Y", "%Y-%m-%d", "%Y/%m/%d (%a) %H:%M", "%d %B, %Y", "%Y-%m-%dT%H:%M:%S")


class Talks:
    """The conversations, each told to an engine when it is first asked about."""

    def __init__(self, path: Path) -> None:
        rows = (json.loads(line) for line in path.open(encoding="utf-8") if line.strip())
        self._talks: dict[str, dict[str, Any]] = {row["conv_id"]: row for row in rows}
        self._told: dict[str, tuple[Holdfast, str, dict[str, str], dict[tuple[str, int], str]]] = {}

    def told(self, name: str) -> tuple[Holdfast, str, dict[str, str], dict[tuple[str, int], str]]:
        if name not in self._told:
            self._told[name] = _tell(self._talks[name])
        return self._told[name]


def _tell(talk: dict[str, Any]) -> tuple[Holdfast, str, dict[str, str], dict[tuple[str, int], str]]:
    time = [0.0]
    hf = Holdfast(clock=lambda: time[0])
    person, agent = ([*map(str, talk["speakers"]), "person", "agent"])[:2]
    places: dict[tuple[str, int], str] = {}
    for session in talk["sessions"]:
        time[0] = max(time[0], _seconds(session.get("date")))
        chat = hf.session(str(session["session"]), user=person)
        for turn in session["turns"]:
            if turn["text"].strip():
                mine = turn["speaker"] == person
                done = chat.hear(turn["text"]) if mine else chat.say(turn["text"], agent=str(turn["speaker"]))
                places[chat.id, done.version] = turn["id"]
    return hf, person, {"person": person, "agent": agent}, places


def _seconds(date: str | None) -> float:
    for form in FORMS:
        try:
            return datetime.strptime(str(date), form).replace(tzinfo=UTC).timestamp()
        except ValueError:
            continue
    return 0.0


def prepare(path: Path) -> Talks:
    return Talks(path)


def predict(row: dict[str, Any], extra: Talks) -> dict[str, Any]:
    hf, person, names, places = extra.told(row["conv_id"])
    hits = hf.search(row["question"], k=15, user=person, names=names, around=True)
    return {"turns": [places[hit.session, hit.version] for hit in hits]}
