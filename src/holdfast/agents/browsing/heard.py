"""What each part of a message does, for the browser agent: it agrees, refuses, asks, wants something, forbids, puts
off, gives up, or is only talk. What a clause does is told by the reading; a verb that is denied forbids, whatever its
clause does, and what looks back ("so all I bought is two") or has the form of a question asks, whatever it was taken
for."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.agents.browsing.goals import parts
from holdfast.agents.browsing.orders import lines
from holdfast.agents.browsing.voice import DONE_BY, Voice
from holdfast.agents.courtesies import courtesy
from holdfast.reading.model.clauses import Clause, strange
from holdfast.reading.model.tokens import Token, tokens

WANTS = frozenset({"requests", "instructs", "corrects", "chooses", "answers", "returns", "confirms"})
"""Acts of a clause that says what is to be done."""
PLAINLY = frozenset({"requests", "instructs"})
"""Those of them that need no word for what is done, nor for what it is done to."""
LEAVES = {"postpones": "holds", "stops": "stops", "retracts": "ends", "rejects": "ends"}
"""What becomes of a task by acts that leave it."""
STOPS = frozenset({"stopphrase", "laterphrase"})
"""What words are that put something off, by the lexicon."""
LIGHT = frozenset({"yes", "no", "reaction", "greeting", "now", "correction", "swear"})
"""What words are that come before what is said."""
HARDLY = 8
"""Lead up to which what names something to be had leaves nothing."""
SURELY = 24
"""Lead from which talk is talk, even where it names something to be had."""
MAY_ASK, ASKS = 44, 24
"""How far another act may lead over asking in a clause that has the form of a question, and in any."""


class Heard:
    """The parts of one message by what they do."""

    def __init__(self, text: str, clauses: Iterable[Clause], voice: Voice, shown: bool = False) -> None:
        """`shown`: whether there is something that "that one" can mean."""
        self._voice = voice
        self._parts: list[tuple[str, str]] = []
        last = ""
        for clause in clauses:
            said = text[clause.start : clause.end]
            last = _does(clause, said, last, voice)
            if shown and last in ("talk", "perhaps") and clause.lead < SURELY and voice.read(said).has("points"):
                last = "wants"
            asked, *wanted = parts(said, voice) if last == "asks" else [said]
            self._parts += [(last, asked), *(("wants", part) for part in wanted)]  # "is it big, open it"
        self.agrees, self.refuses = bool(self._that("agrees")), bool(self._that("refuses"))
        self.thanks, self.stops = bool(self._that("thanks")), bool(self._that("stops"))
        self.asks = self._that("asks")
        self.ends = " ".join(self._that("ends"))
        """The words with which something is given up."""
        self.waits = self.stops or bool(self._that("holds", "forbids"))
        """Whether something is put off or not to be done."""
        self.wants = " ".join(self._wanted())
        """The words of all that is to be done."""

    def _wanted(self) -> list[str]:
        voice = self._voice
        leaves = self.waits or self.ends or self.asks
        wants = self._that("wants", *(() if leaves else ("perhaps",)))
        if self.ends:  # "forget it, I'll buy one myself" wants nothing
            wants = [said for said in wants if lines(said, voice) and _begins_with_verb(said, voice)]
        return self._with_places(wants, self._that("talk")) if wants else []

    def _with_places(self, wants: list[str], talk: list[str]) -> list[str]:
        """What is wanted, with what was said beside it of where."""
        voice = self._voice
        if not any(map(voice.places, wants)):  # "we fly to Oslo on Friday, find us a flight"
            wants = [*filter(voice.places, talk), *wants]
        known = any(map(voice.knows, wants))  # "I must get to a wedding in Lisbon, flying from London"
        return [*wants, *(said for said in talk if not known and said not in wants and voice.pages.site_in(said))]

    def _that(self, *does: str) -> list[str]:
        return [said for done, said in self._parts if done in does]

    @property
    def silent(self) -> bool:
        """Whether nothing is wanted, asked or left."""
        return not (self.wants or self.asks or self.ends or self.waits)


def _names(said: str, voice: Voice) -> bool:
    return voice.knows(said) or voice.pages.place_in(said)


def _does(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What a clause does; `last` is what the one before it does."""
    if voice.denied(said, *DONE_BY):
        return "forbids"
    if plain := _plain(clause, said, voice) or _takes_leave(clause, said):
        return plain
    wants = voice.wants(said)
    if not wants and not voice.read(said).has("request") and _asks(clause, said, last, voice):
        return "asks"
    if wants or _begins_with_verb(said, voice):
        return "wants"
    if clause.act != "postpones" and _unwanted(said, voice):
        return "ends"
    if _speaks(clause, said, voice):
        return "wants"
    return _leaves(clause, said, voice) or _perhaps(clause, said, last, voice)


def _leaves(clause: Clause, said: str, voice: Voice) -> str:
    """What becomes of a task by a clause that leaves it, and names no tab or site."""
    return LEAVES.get(clause.act, "") if clause.lead >= HARDLY and not voice.pages.place_in(said) else ""


def _asks(clause: Clause, said: str, last: str, voice: Voice) -> bool:
    """Whether a clause asks: it does, is heard to ask, or hardly does anything else and is worded as a question."""
    if clause.act == "asks" or voice.does(said)["ask"] >= HARDLY:
        return True
    marked = "?" in said
    if clause.act in PLAINLY and clause.lead >= HARDLY and "look" in voice.meant(said, "goal"):
        return False  # "can you help me find a coffee grinder?"
    if not marked and last == "wants":
        return False  # "two tubes, whitening if they have it", "and when that's done close the recipe"
    asks = clause.acts.get("asks", 0)
    behind = max(clause.acts.values()) - asks
    return behind <= MAY_ASK if marked else behind <= ASKS and not _orders(clause, asks, said, voice)


def _orders(clause: Clause, asks: int, said: str, voice: Voice) -> bool:
    """Whether more speaks for a clause saying what is to be done, or which: "that is too early for us"."""
    plainly = max(clause.acts.get(act, 0) for act in PLAINLY) >= asks
    return plainly or _wishes(said, voice) or voice.read(said).has("how", "limit")


def _wishes(said: str, voice: Voice) -> bool:
    """Whether words wish for something that is done here: "I want to buy red lentils"."""
    return voice.has(said, "wantphrase")


def _begins_with_verb(said: str, voice: Voice) -> bool:
    """Whether a clause begins with a verb for what is to be done ("ungroup everything"), or asks for it politely."""
    reading = voice.read(said)
    cues = [cue for family in DONE_BY for cue in reading.all(family)]
    if reading.has("request"):
        return False
    first = _first(said, voice)
    told = reading.has("tab_state") or bool(voice.meant(said, "dealt"))
    return first is not None and not told and any(cue.start == first.start for cue in cues)


def _first(said: str, voice: Voice) -> Token | None:
    """The first word that is neither a yes or no nor only leads on."""
    words = (one for one in tokens(said, voice.language) if one.shape != "." and LIGHT.isdisjoint(one.kinds))
    reading = voice.read(said)
    fillers = reading.phrases("question", "fillers") | reading.phrases("joints", "between")
    return next((one for one in words if one.word not in fillers), None)


def _plain(clause: Clause, said: str, voice: Voice) -> str:
    """What a clause does that only agrees, refuses or thanks."""
    if clause.act in ("confirms", "denies") and "?" not in said:
        bare = not (lines(voice.kept(said), voice) or voice.meant(said, "goal"))
        said_so = any(
            one.shape != "." and not strange(one.word) for one in clause.tokens
        )  # a name is no yes: "Burrard."
        bare = bare and said_so and not voice.hows(said) and clause.lead >= HARDLY
        return {"confirms": "agrees", "denies": "refuses"}[clause.act] if bare else ""
    return "thanks" if clause.act == "thanks" else ""


def _takes_leave(clause: Clause, said: str) -> str:
    """What a clause does that only greets or says goodbye: it names nothing, and asks for nothing."""
    return {"bye": "thanks", "hello": "greets"}.get(courtesy(said, [clause]), "")


def _speaks(clause: Clause, said: str, voice: Voice) -> bool:
    """Whether a clause that may want something says what: by its verb, a thing, a place, a tab or a number."""
    reading = voice.read(said)
    if clause.act in PLAINLY | {"asks"} or reading.has("how", "limit"):
        return True
    if reading.has("edit"):
        return True
    if clause.act not in WANTS:
        return "deal" in voice.meant(said, "goal")
    return reading.has("reads", "tab_word", "all", "spares") or _says_what(said, voice)


def _says_what(said: str, voice: Voice) -> bool:
    """Whether words have a verb for what is to be done, or name something that it can be done to."""
    verbs = any(voice.meant(said, family) for family in DONE_BY)
    known = _names(said, voice) or voice.pages.stems(said) & voice.pages.known()
    return bool(verbs or known or lines(voice.kept(said), voice))


def _unwanted(said: str, voice: Voice) -> bool:
    """Whether a clause gives something up: "I don't need the lamp", "щётка не нужна"."""
    dropped = voice.given(said, "item", stands="dropped")
    verbs = voice.meant(said, "edit") | voice.meant(said, "goal")
    return bool(voice.meant(said, "drop") or (dropped and not verbs))


def _perhaps(clause: Clause, said: str, last: str, voice: Voice) -> str:
    """What talk does that may be more: it goes on with a list, says to wait, or names something."""
    if _goes_on(clause, said, last, voice) or any(one.lead >= HARDLY for one in voice.given(said, "item", "tab")):
        return "wants"
    if clause.lead >= SURELY and not voice.read(said).has("tabs"):
        return "talk"
    if _waits(clause, said, voice):
        return "holds"
    return "perhaps" if _counts(clause, said, voice) else "talk"


def _waits(clause: Clause, said: str, voice: Voice) -> bool:
    """Whether talk that names nothing to be had puts something off: "later", and not "are there tickets later"."""
    return not STOPS.isdisjoint(clause.kinds)


def _goes_on(clause: Clause, said: str, last: str, voice: Voice) -> bool:
    """Whether talk wishes for something, or goes on with what the clause before it wants."""
    return "wantphrase" in clause.kinds or (last == "wants" and (voice.knows(said) or voice.read(said).has("spares")))


def _counts(clause: Clause, said: str, voice: Voice) -> bool:
    """Whether what hardly is talk names something, gives a number, or is done to tabs: "no, just two"."""
    return (
        voice.knows(said)
        or voice.read(said).has("tabs")
        or (clause.lead < HARDLY and bool(lines(voice.kept(said), voice)))
    )
