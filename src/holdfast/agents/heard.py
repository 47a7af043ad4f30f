"""What each part of a message does, for the browser agent: it wants something, asks, forbids, puts off, gives up, or is
only talk. What a clause does is told by the reading; a verb that is denied forbids, whatever its clause does."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.agents.voice import Voice
from holdfast.agents.wishes import lines
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
        parts: list[tuple[str, str]] = []
        for clause in clauses:
            said = text[clause.start : clause.end]
            parts.append((_does(clause, said, parts[-1][0] if parts else "", voice), said))
        leaves = {does for does, _ in parts} & {"ends", "holds", "forbids"}
        wants = [said for does, said in parts if does == "wants" or (does == "perhaps" and not leaves)]
        if wants and not voice.places(" ".join(wants)):  # "we fly to Oslo on Friday, find us a flight"
            wants = [*(said for does, said in parts if does == "talk" and voice.places(said)), *wants]
        self.wants = " ".join(wants)
        """The words of all that is to be done."""
        self.asks = [said for does, said in parts if does == "asks"]
        self.ends = " ".join(said for does, said in parts if does == "ends")
        """The words with which something is given up."""
        self.waits = bool(leaves - {"ends"})
        """Whether something is put off or not to be done."""


def _does(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What a clause does; `last` is what the one before it does."""
    reading = voice.read(said)
    if voice.denied(said, *DONE_BY):
        return "forbids"
    if clause.act == "asks" and not reading.has("request"):
        return "asks"
    if clause.act != "postpones" and (voice.meant(said, "drop") or _unwanted(said, voice)):
        return "ends"
    if clause.act in WANTS or clause.act == "asks" or reading.has("how", "edit"):
        return "wants"
    leaves = clause.act in LEAVES and clause.lead >= HARDLY and clause.kinds != {"no"}  # a bare no leaves nothing
    return LEAVES[clause.act] if leaves else _perhaps(clause, said, last, voice)


def _unwanted(said: str, voice: Voice) -> bool:
    """Whether a clause denies that something is wanted: "I don't need the lamp", "щётка не нужна"."""
    wishes = (token for token in tokens(said, voice.language) if "wantphrase" in token.kinds)
    return any(a <= token.start < b for token in wishes for a, b in voice.negated(said))


def _perhaps(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What talk does that may be more: it goes on with a list, says to wait, or names something."""
    wishes = "wantphrase" in clause.kinds and "negation" not in clause.kinds
    if wishes or (last == "wants" and (voice.knows(said) or voice.read(said).has("spares"))):
        return "wants"
    told = any(value.attribute == "party" for value in clause.values)  # "we are four, find us a flight"
    if told or voice.read(said).has("tabs"):
        return "perhaps"
    if clause.lead >= SURELY:
        return "talk"
    if not STOPS.isdisjoint(clause.kinds):
        return "holds"
    counts = clause.lead < HARDLY and lines(voice.kept(said), voice)  # "no, just two"
    return "perhaps" if counts or voice.knows(said) else "talk"
