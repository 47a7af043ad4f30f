"""What the whole engine does with the talk of writers it was not trained on: each conversation goes through the pack
`general`, one person per writer, sessions in order.

    python -m training.engine [split] [--show] [--encoder] [writer …]

Counted, per language and writer: lasting claims of the speaker that are known right after the message; messages that
teach nothing and added no fact; facts learned though the message told none; messages that ended a fact which they do
not speak of (harm); what the message did as a whole; changes and removals of what was known (change F1), and those
that changed what the message speaks of (right F1).
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from typing import Any

from holdfast import Holdfast
from training import examples as ex
from training.corpus import HOME, Clause, Row, read, writers

TAUGHT = {"ItemLearned", "ItemSuperseded", "SlotSet", "AnswerKept", "ProfileSet", "ItemPromoted"}
CHANGED = {"ItemSuperseded", "CorrectionHeard", "AnswerCorrected", "ItemRestored"}
REMOVED = {"ItemRetracted", "ItemUndone", "ProfileDropped", "ItemsCleared"}
DECISION = "decision"
STEM = 5
"""Letters that the forms of a word share."""
ANSWER = "answer/"
"""Slots of what somebody replied to a question that asks for nothing lasting: it is an answer, kept for the talk."""


def words(text: str) -> list[str]:
    return [w for w in re.findall(r"\w+", text.lower()) if len(w) > 1 or w.isdigit()]


def known(chat: Any) -> list[tuple[str, set[str]]]:
    memory = chat.memory
    found = [(item.slot, set(words(f"{item.value} {item.text}"))) for item in (*memory.facts(), *memory.preferences())]
    found += [(DECISION, set(words(f"{item.value} {item.text}"))) for item in memory.decisions()]
    found += [(name, set(words(str(value)))) for name, value in chat.state.slots.values.items()]
    found += [("answer", set(words(kept.answer))) for kept in chat.state.answers.kept]
    return found


def facts(chat: Any) -> set[tuple[str, str]]:
    memory = chat.memory
    items = [*memory.facts(), *memory.preferences(), *memory.decisions()]
    return {(m.slot, str(m.value)) for m in items if not m.slot.startswith(ANSWER)}


def held(chat: Any) -> dict[str, Any]:
    memory = chat.memory
    return {item.id: item for item in (*memory.facts(), *memory.preferences(), *memory.decisions())}


def ended(turn: Any, before: dict[str, Any]) -> list[Any]:
    """The facts known before that a message ended or replaced."""
    over = {"ItemSuperseded", *REMOVED}
    ids = [event.id for event in turn.events if type(event).__name__ in over and hasattr(event, "id")]
    return [before[id] for id in ids if id in before]


def spoken_of(row: Row, item: Any) -> bool:
    """Whether a message speaks of a fact so that it may end it: of its attribute, or of it by its words."""
    stems = {word[:STEM] for word in words(f"{item.value} {item.text}") if len(word) > 2}
    head = DECISION if item.kind == DECISION else item.slot.partition("/")[0]
    for clause in row.clauses:
        changing = clause.act in ex.CHANGING or clause.act == "retracts"
        said = " ".join(f"{one.old} {one.value}" for one in clause.claims)
        said += row.text[clause.start : clause.end] if changing else ""
        if not stems.isdisjoint(word[:STEM] for word in words(said)):
            return True
        if any(head in _slots(claim.attribute) and (changing or not item.many) for claim in clause.claims):
            return True
    return False


def changed_right(row: Row, turn: Any, over: list[Any]) -> bool:
    """Whether a message changed or took back what it speaks of: a fact, or, where none is known, a value that is told
    to be put right."""
    if any(spoken_of(row, item) for item in over):
        return True
    heard = [event for event in turn.events if type(event).__name__ == "CorrectionHeard"]
    values = {word for clause in row.clauses for claim in clause.claims for word in words(claim.value)}
    return not over and any(not values.isdisjoint(words(event.new)) for event in heard)


def did(turn: Any, chat: Any, new: set[tuple[str, str]]) -> str:
    """The weightiest thing that the engine did."""
    events = {type(event).__name__ for event in turn.events}
    if not REMOVED.isdisjoint(events):
        return "taken back"
    if not CHANGED.isdisjoint(events):
        return "changed"
    if new:
        return "kept"
    if "ReferenceResolved" in events:
        return "pointed at"
    if not {"QuestionAnswered", "AnswerKept", "SlotSet"}.isdisjoint(events):
        return "answered"
    acts = {clause.act for clause in turn.clauses}
    return "asked for" if not ex.ASKING.isdisjoint(acts) else "nothing"


def main(split: str, names: list[str], show: bool, reader: str) -> None:
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for name in names or writers(split):
        rows = list(read(HOME / f"{name}.txt"))
        engine, scene, number, chat = Holdfast(pack="general", reader=reader), "", 0, None
        for row in rows:
            if row.scene != scene or not row.before:
                scene, number = row.scene, number + 1
                chat = engine.session(f"{name}-{number}", user=name)
            if row.asked:
                chat.say(row.asked)  # type: ignore[union-attr]
            before, known_before = facts(chat), held(chat)
            turn = chat.hear(row.text)  # type: ignore[union-attr]
            new = facts(chat) - before
            over = ended(turn, known_before)
            for group in ("all", row.language, name):
                _count(tally[group], row, turn, chat, new, over, show and group == "all")
            confusion[ex.does(row)][did(turn, chat, new)] += 1
    head = ("kept", "clean", "false", "attribute", "harm", "does", "change F1", "right F1")
    print(f"{'':6}" + "".join(f"{name:>11}" for name in head) + "  messages")
    for group, t in tally.items():
        f1 = [200 * t[hit] / max(1, t["change_gold"] + t["change_made"]) for hit in ("change_hit", "change_right")]
        rates = [100 * t[name] / max(1, t[f"{name}_all"]) for name in head[:-2]]
        print(f"{group:6}" + "".join(f"{rate:11.1f}" for rate in (*rates, *f1)) + f"  {t['does_all']:,}")
    print("\nwhat a message does   right  of     taken for")
    for name, found in sorted(confusion.items(), key=lambda one: -sum(one[1].values())):
        wrong = ", ".join(f"{other} {n}" for other, n in found.most_common(5) if other != name)
        print(f"{name:20}{100 * found[name] / sum(found.values()):7.1f} {sum(found.values()):5}   {wrong}")


def _count(
    t: Counter[str], row: Row, turn: Any, chat: Any, new: set[tuple[str, str]], over: list[Any], show: bool
) -> None:
    have = known(chat)
    for clause in row.clauses:
        for claim in clause.claims:
            if _lasting(clause, claim):
                want = words(claim.value)
                found = [slot for slot, had in have if want and sum(w in had for w in want) >= 0.6 * len(want)]
                t["kept_all"] += 1
                t["kept"] += bool(found)
                if found:
                    t["attribute_all"] += 1
                    t["attribute"] += any(slot.partition("/")[0] in _slots(claim.attribute) for slot in found)
                elif show:
                    print("missed", row.id, claim.attribute, "|", claim.value, "|", row.text[:110])
    teaches = any(clause.claims for clause in row.clauses)
    if not teaches:
        t["clean_all"] += 1
        t["clean"] += not new
        if new and show:
            print("false ", row.id, new, "|", row.text[:110])
    t["false_all"] += 1
    t["false"] += bool(new) and not any(ex.kept(c) or c.act == "retracts" or _of_others(c) for c in row.clauses)
    t["does_all"] += 1
    t["does"] += ex.does(row) == did(turn, chat, new)
    gold, made = ex.does(row) in ("changed", "taken back"), did(turn, chat, new) in ("changed", "taken back")
    t["change_gold"] += gold
    t["change_made"] += made
    t["change_hit"] += gold and made
    t["change_right"] += gold and made and changed_right(row, turn, over)
    harmed = [item for item in over if not spoken_of(row, item)]
    t["harm_all"] += 1
    t["harm"] += bool(harmed)
    if harmed and show:
        print("harm  ", row.id, [(item.slot, item.value) for item in harmed], "|", row.text[:110])


def _of_others(clause: Clause) -> bool:
    """Whether a clause tells something of others: that is kept as theirs."""
    return any(claim.of for claim in clause.claims)


def _lasting(clause: Clause, claim: Any) -> bool:
    head = claim.attribute.partition("/")[0]
    return clause.act in ex.KEEPING and head in ex.LASTING and not claim.of and not claim.negative


def _slots(attribute: str) -> tuple[str, ...]:
    """The first part of the slots that keep an attribute."""
    head = attribute.partition("/")[0]
    return _KEPT_AS.get(head, (head,))


_KEPT_AS = {
    "tool": ("tooling", "tool"),
    "style": ("style", "communication", "workflow"),
    "language": ("speaks",),
    "favourite": ("likes", "favourite"),
    "habit": ("habit", "smoking"),
    "other": ("note", "other"),
    "decision": (DECISION,),
}


if __name__ == "__main__":
    given = [a for a in sys.argv[1:] if not a.startswith("-")]
    tier = "encoder" if "--encoder" in sys.argv else "linear"
    main(given[0] if given else "test", given[1:], "--show" in sys.argv, tier)
