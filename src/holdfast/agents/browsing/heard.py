"""What each part of a message does, for the browser agent: it wants something, asks, forbids, puts off, gives up, or is
only talk. What a clause does is told by the reading; a verb that is denied forbids, whatever its clause does."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.agents.browsing.orders import lines
from holdfast.agents.browsing.voice import Voice
from holdfast.reading.model.clauses import Clause
from holdfast.reading.model.tokens import tokens

WANTS = frozenset({"requests", "instructs", "corrects", "chooses", "answers", "returns", "confirms"})
"""Acts of a clause that says what is to be done."""
LEAVES = {"postpones": "holds", "stops": "holds", "retracts": "ends", "rejects": "ends"}
"""What becomes of a task by acts that leave it."""
DONE_BY = ("goal", "tabs", "edit")
"""Families of verbs for what the browser does."""
STOPS = frozenset({"stopphrase", "laterphrase"})
"""What words are that put something off, by the lexicon."""
HARDLY = 8
"""Lead up to which what names something to be had leaves nothing."""
SURELY = 24
"""Lead from which talk is talk, even where it names something to be had."""


class Heard:
    """The parts of one message by what they do."""

    def __init__(self, text: str, clauses: Iterable[Clause], voice: Voice) -> None:
        self._parts: list[tuple[str, str]] = []
        last = ""
        for clause in clauses:
            said = text[clause.start : clause.end]
            last = _does(clause, said, last, voice)
            self._parts.append((last, said))
        leaves = {does for does, _ in self._parts} & {"ends", "holds", "forbids"}
        wants = self._that("wants") if leaves else self._that("wants", "perhaps")
        if "ends" in leaves:  # "forget it, I'll buy one myself" wants nothing
            wants = [said for said in wants if voice.knows(said)]
        if wants and not voice.places(" ".join(wants)):  # "we fly to Oslo on Friday, find us a flight"
            wants = [*filter(voice.places, self._that("talk")), *wants]
        self.wants = " ".join(wants)
        """The words of all that is to be done."""
        self.asks = self._that("asks")
        self.ends = " ".join(self._that("ends"))
        """The words with which something is given up."""
        self.waits = bool(leaves - {"ends"})
        """Whether something is put off or not to be done."""

    def _that(self, *does: str) -> list[str]:
        return [said for done, said in self._parts if done in does]

    @property
    def silent(self) -> bool:
        """Whether nothing is wanted, asked or left."""
        return not (self.wants or self.asks or self.ends or self.waits)


def _does(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What a clause does; `last` is what the one before it does."""
    reading = voice.read(said)
    if voice.denied(said, *DONE_BY):
        return "forbids"
    if clause.act == "asks" and not reading.has("request"):
        return "asks"
    if clause.act != "postpones" and _unwanted(said, voice):
        return "ends"
    if clause.act in WANTS | {"asks"} or reading.has("how", "edit"):
        return "wants"
    leaves = LEAVES.get(clause.act, "") if clause.lead >= HARDLY else ""
    return leaves or _perhaps(clause, said, last, voice)


def _unwanted(said: str, voice: Voice) -> bool:
    """Whether a clause gives something up, or denies that it is wanted: "I don't need the lamp", "щётка не нужна"."""
    if voice.meant(said, "drop"):
        return True
    wishes = (token for token in tokens(said, voice.language) if "wantphrase" in token.kinds)
    return any(a <= token.start < b for token in wishes for a, b in voice.negated(said))


def _perhaps(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What talk does that may be more: it goes on with a list, says to wait, or names something."""
    knows = voice.knows(said)
    wishes = "wantphrase" in clause.kinds and "negation" not in clause.kinds
    if wishes or (last == "wants" and (knows or voice.read(said).has("spares"))):
        return "wants"
    if "party" in {value.attribute for value in clause.values}:  # "we are four, find us a flight"
        return "perhaps"
    if clause.lead >= SURELY and not voice.read(said).has("tabs"):
        return "talk"
    if not STOPS.isdisjoint(clause.kinds):
        return "holds"
    return "perhaps" if knows or _counts(clause, said, voice) else "talk"


def _counts(clause: Clause, said: str, voice: Voice) -> bool:
    """Whether what hardly is talk gives a number, or is done to tabs: "no, just two"."""
    return voice.read(said).has("tabs") or (clause.lead < HARDLY and bool(lines(voice.kept(said), voice)))
