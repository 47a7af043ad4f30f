"""Fits the scorer that tells which held facts a message says to be over, and writes its model file.

    make train

The rows of each writer are gone through in order. Held is what the marks tell; which of it a message ends or replaces,
they say too. What they leave open teaches nothing. Clauses, acts and values are those that the reading finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from holdfast.faculties.facts.claims import IN_OWN_WORDS, MAX_OWN_WORDS
from holdfast.faculties.facts.over import CHOICE, Message, Part, Told, family, features, judge, kin_of, touch
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.packs.general import PACK
from holdfast.reading.endings import Endings
from holdfast.reading.model.scorer import save
from training import examples as ex
from training.corpus import HOME, Claim, Clause, Row, read, writers
from training.engine import words
from training.examples import Example
from training.fit import fit

MODEL = Path(__file__).parent.parent / "src/holdfast/faculties/facts/over.bin"
NEAR, AWAY = 8, 1000
"""Rows within which a change without a name may mean a fact; how long ago another conversation is."""
HOUSE = 3.0
"""How many ordinary pairs one of the house's own sentences counts for."""
CHANGES = frozenset({"now", "instead", "from"})
PAST = frozenset({"was", "until"})
NOTED = 6
"""Of so many facts one is kept as a note: the engine finds no attribute for it."""
VAGUE = frozenset({CHOICE, "style", "other", "note"})
"""Attributes that hold things of many kinds: being one of them says little."""
SAYS = ex.KEEPING | {"requests", "chooses"}
"""Acts whose claims hold for the talk."""


class Pair(NamedTuple):
    """A clause of a message and a fact that it touches; `over` where the clause ends or replaces it."""

    row: Row
    fact: Memo
    features: list[str]
    over: bool
    clause: tuple[int, int]


class Holding:
    """What is held of one writer, by the marks."""

    def __init__(self) -> None:
        self.facts: dict[str, Memo] = {}
        self.rows: dict[str, tuple[int, int]] = {}
        self.purposes: dict[str, frozenset[str]] = {}
        self.session = self.row = self.made = 0

    def hold(self, memo: Memo, purpose: frozenset[str]) -> None:
        self.facts[memo.id] = memo
        self.purposes[memo.id] = purpose
        self.rows[memo.id] = self.session, self.row

    def ago(self, id: str) -> int:
        session, row = self.rows[id]
        return self.row - row if session == self.session else AWAY


def pairs(name: str) -> Iterator[Pair]:
    """The pairs of one writer."""
    scene, held = "", Holding()
    for row in read(HOME / f"{name}.txt"):
        if row.scene != scene or not row.before:
            scene, held.session, held.row = row.scene, held.session + 1, 0
            held.facts = {id: memo for id, memo in held.facts.items() if not id.startswith("talk")}
        if row.asked:
            held.row += 1
        held.row += 1
        over, open_ = judged(row, held)
        reading = PACK.reader.read(row.text)
        message = Message(reading, reading.after(row.asked, row.told), row.asked)
        for part in message.parts:
            for id, memo in list(held.facts.items())[::-1]:
                told = Told(memo, held.ago(id))
                how = touch(part, told)
                if how is None:
                    continue
                spans = over.get(id, [])
                here = any(_overlap(span, part) for span in spans)
                if id in open_ and not here:
                    continue
                yield Pair(row, memo, features(part, told, how), here, (part.clause.start, part.clause.end))
        _after(row, held, set(over))


def _overlap(span: tuple[int, int], part: Part) -> bool:
    start, end = part.clause.start, part.clause.end
    both = min(end, span[1]) - max(start, span[0])
    return 2 * both >= min(end - start, span[1] - span[0])


def judged(row: Row, held: Holding) -> tuple[dict[str, list[tuple[int, int]]], set[str]]:
    """The facts that the marks of a message end, with the clauses that do, and those of which they say nothing sure."""
    over: dict[str, list[tuple[int, int]]] = {}
    unsure: set[str] = set()
    for clause in row.clauses:
        ids: set[str] = set()
        for claim in clause.claims:
            ended, maybe = _judged(clause, claim, held)
            ids |= ended
            unsure |= maybe
        if clause.act == "retracts" and not clause.claims:
            unsure |= set(held.facts)
        for id in ids:
            over.setdefault(id, []).append((clause.start, clause.end))
    return over, unsure


def _judged(clause: Clause, claim: Claim, held: Holding) -> tuple[set[str], set[str]]:
    reader = PACK.reader
    head = family(reader, claim.attribute.partition("/")[0].strip())
    kin = {id for id, memo in held.facts.items() if kin_of(reader, memo) == head}
    value = claim.norm or claim.value
    same = {id for id, memo in held.facts.items() if says(memo, value, id in kin)}
    if clause.act in ("supposes", "asks", "quotes", "doubts", "requests", "reports"):
        return set(), same | kin if claim.old or clause.act in ("requests", "doubts") else set()
    if claim.old:
        old = {id for id, memo in held.facts.items() if says(memo, claim.old, id in kin)}
        rest = set() if old else {id for id in kin if held.ago(id) <= NEAR}
        return {id for id in old if not _now_says(held.facts[id], value)}, rest | {
            id for id in kin - old if not slot_kind(reader, held.facts[id].slot).many
        }
    if clause.act == "retracts" or claim.negative or claim.marks & PAST:
        same = {id for id in same if held.facts[id].positive}
        if same or clause.act != "retracts" or claim.of:
            return same, set()
        newest = {id for id in sorted(kin, key=held.ago)[:1] if len(kin) == 1 or held.ago(id) <= NEAR // 2}
        return (newest if head not in VAGUE else set()), kin
    if claim.of:
        return set(), set()
    others = kin - same
    if head in VAGUE:
        return _of_purpose(clause, claim, held, others)
    one = {id for id in others if not slot_kind(reader, held.facts[id].slot).many}
    if clause.act in ex.CHANGING:
        newest = {id for id in sorted(others, key=held.ago)[:1] if held.ago(id) <= NEAR}
        return one | newest if len(one) <= 1 else newest, others - newest
    if claim.marks & CHANGES and "also" not in claim.marks:
        return one, others - one
    return set(), one


def _of_purpose(clause: Clause, claim: Claim, held: Holding, others: set[str]) -> tuple[set[str], set[str]]:
    """Of things of many kinds, those that give way to another: they are for the same. Those for another purpose
    stay."""
    purpose = _purpose(claim)
    same = {id for id in others if purpose and held.purposes[id] == purpose}
    apart = {id for id in others if purpose and held.purposes[id] and held.purposes[id].isdisjoint(purpose)}
    changes = clause.act in ex.CHANGING or (claim.marks & CHANGES and "also" not in claim.marks)
    return (same, others - same - apart) if changes else (set(), others - apart)


def _purpose(claim: Claim) -> frozenset[str]:
    """What something is for, as the marks say."""
    return frozenset(_stems(claim.attribute.partition("/")[2]))


def says(memo: Memo, said: str, kin: bool) -> bool:
    """Whether a fact holds a value: most of its words; of another attribute, as little else."""
    want, had, kin = _stems(said), set(_stems(memo.value)), kin or memo.slot == "note"
    if kin:
        had |= set(_stems(memo.text))
    hit = sum(word in had for word in want)
    return bool(want) and hit >= 0.6 * len(want) and (kin or 2 * hit >= len(had))


def _now_says(memo: Memo, value: str) -> bool:
    """Whether a fact says the new value already."""
    return set(_stems(memo.value)) == set(_stems(value))


@cache
def _stems(text: str) -> list[str]:
    stem = PACK.reader.made(Endings).stem
    return [stem(word) for word in words(text)]


def _after(row: Row, held: Holding, over: set[str]) -> None:
    """Hold what the message told, and let go what it ended."""
    for id in over:
        held.facts.pop(id, None)
    for clause in row.clauses:
        for claim in clause.claims:
            if clause.act not in SAYS or claim.of or claim.negative or claim.marks & PAST or not claim.value:
                continue
            if not any(says(memo, claim.value, True) for memo in held.facts.values()):
                held.hold(_kept(row, clause, claim, held), _purpose(claim))


def _kept(row: Row, clause: Clause, claim: Claim, held: Holding) -> Memo:
    """A claim as the engine keeps it: in the words of its clause, where the value says little without them."""
    held.made += 1
    head, said = claim.attribute.partition("/")[0].strip(), row.text[clause.start : clause.end].strip(" .,;!")
    lasts = clause.act in ex.KEEPING and head in ex.LASTING
    slot = str(PACK.reader.data("memory_attributes", None).get(head, f"other/{head}")).replace("/*", "")
    noted = lasts and held.made % NOTED == 0 and len(said.split()) <= MAX_OWN_WORDS
    own = noted or (head in IN_OWN_WORDS and len(said.split()) <= MAX_OWN_WORDS)
    slot, value = "note" if noted else slot, said if own else claim.norm or claim.value
    text = said if own or held.made % 2 else ""
    id = f"{'fact' if lasts else 'talk'}_{held.made}"
    if head == "decision":  # the words of a decision, or what was chosen and what for
        slot = "" if own else claim.attribute.partition("/")[2]
        return Memo(id, "decision", slot, value, "other", 0.8, "permanent", 0.0, text=text)
    if head == "tool" and claim.attribute != head and not held.made % 3:
        slot = claim.attribute.replace("tool/", "tooling/", 1)
    return Memo(id, "fact", slot, value, "other", 0.8, "permanent", 0.0, text=text)


def measured(found: list[Pair], scores: list[int], least: int) -> tuple[int, int, int]:
    """Facts that are over, those found to be, and those found rightly, by message."""
    gold: set[tuple[str, str]] = set()
    made: set[tuple[str, str]] = set()
    for pair, score in zip(found, scores, strict=True):
        key = pair.row.id, pair.fact.id
        if pair.over:
            gold.add(key)
        if score >= least:
            made.add(key)
    return len(gold), len(made), len(gold & made)


def of_writer(name: str) -> list[Pair]:
    return list(pairs(name))


def of_split(*splits: str) -> list[Pair]:
    """The pairs of all writers of some splits."""
    with Pool(2) as pool:
        names = [name for split in splits for name in writers(split)]
        return [pair for found in pool.imap(of_writer, names) for pair in found]


def main() -> None:
    made = [Example(one.features, "yes" if one.over else "no") for one in of_split("train")]
    made += [Example(one.features, "yes" if one.over else "no", HOUSE) for one in of_split("house")]
    trained = fit("over", made, fine=4, slight=4)
    print(
        f"over {len(made):,} examples, {sum(one.label == 'yes' for one in made):,} over, {len(trained.rows):,} features"
    )
    save(MODEL, [trained])
    print(f"{MODEL.name}: {MODEL.stat().st_size / 1e6:.2f} MB")
    measure("dev")


def measure(split: str) -> None:
    """How many of the facts that are over the scorer finds, and how many of those that it finds are."""
    found = of_split(split)
    scores = [judge().lead(one.features) for one in found]
    for least in (-16, -8, 0, 8, 16):
        gold, made, right = measured(found, scores, least)
        print(f"from {least:3}: precision {100 * right / made:.1f}, recall {100 * right / gold:.1f} of {gold}")


if __name__ == "__main__":
    main()
