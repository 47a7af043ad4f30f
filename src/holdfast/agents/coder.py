"""A small coding assistant for trying `copilot_cli` without a key: it says what it took in, answers what it knows,
shows chains, and asks when something stays open. It writes no code: a model does that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdfast.agents import Said
from holdfast.agents.companion import Words, companion, replaced
from holdfast.agents.texts import texts
from holdfast.events import Event
from holdfast.faculties.facts.memos import (
    CorrectionHeard,
    ItemConfirmed,
    ItemLearned,
    ItemRestored,
    ItemRetracted,
    find,
)
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.writing import searchable
from holdfast.reading.reader import Reading
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn


def coder(turn: Turn, chat: Session) -> Iterator[Said]:
    """Answer a turn."""
    reading = chat.pack.reader.read(turn.text)
    language = turn.language or reading.language
    says, words = texts("coder.says", language), Words(language or "en")
    told = turn.question or _asked(chat, reading, says, words) or _acknowledged(turn, says, words)
    if told:
        yield Said(told, agent="coder")
    else:  # nothing to keep: an answer from what is known, a greeting, or that a model writes the code
        yield from (said._replace(agent="coder") for said in companion(turn, chat, "coder"))


def _asked(chat: Session, reading: Reading, says: Mapping[str, str], words: Words) -> str:
    """The answer where the person asks what is remembered: all of it, or one thing."""
    cue = reading.first("about_me")
    if cue is None:
        return ""
    if cue.means == "ask":
        items = [*chat.memory.facts(), *chat.memory.preferences(), *chat.memory.decisions()]
        return "\n".join((says["know"], *(f"- {_sentence(words, memo)}" for memo in items))) if items else says["empty"]
    span = cue.groups.get("slot") or cue.groups.get("thing")
    if span is None:
        return ""
    return _one(chat, reading.folded[slice(*span)].strip(), cue.means in ("chain", "why"), words) or says["unknown"]


def _sentence(words: Words, memo: Memo, said: str = "") -> str:
    """Something remembered as a person would say it, without the key that it is kept under. What was decided is quoted,
    what is not wanted has its own words."""
    if memo.kind == "decision":
        return words("in_quotes", text=memo.label)
    return words.fact(memo.slot, memo.value, said) if memo.positive else memo.label


def _one(chat: Session, asked: str, chain: bool, words: Words) -> str:
    names = asked.replace("_", " ").split()
    fitting = [memo for memo in chat.memory.items(history=chain) if _about(memo, names, words)]
    if not fitting:
        found = chat.memory.search(asked, k=1, history=chain)
        fitting = [hit.item for hit in found if set(names) & set(fold(searchable(hit.item)).split())]
    if not fitting:
        return ""
    if chain:
        return chat.memory.told(fitting[-1].id)
    return words("known", what=words.row([_sentence(words, memo) for memo in fitting[-3:]]))


def _about(memo: Memo, asked: list[str], words: Words) -> bool:
    """Whether something remembered is what was asked for, by its key or by its name in the language of the talk."""
    named = f"{memo.slot.replace('/', ' ').replace('_', ' ')} {words.name(memo.slot)}"
    return not set(fold(named).split()).isdisjoint(asked)


def _acknowledged(turn: Turn, says: Mapping[str, str], words: Words) -> str:
    """What the message taught, changed, confirmed and took back: each thing once, those of a kind together."""
    told: dict[str, dict[str, str]] = {}
    learned = [event.item for event in turn.events if isinstance(event, ItemLearned)]
    for event in turn.events:
        if (taught := _taught(event, turn, words, learned)) is not None:
            told.setdefault(taught[0], {}).setdefault(fold(taught[1]), taught[1])
    return " ".join(
        says[key].format(item=words.row(list(things.values())))
        if key in says
        else words(key, what=words.row(list(things.values())))
        for key, things in told.items()
    )


def _is_told_by_another(item: Memo, learned: list[Memo]) -> bool:
    """What was decided is told by the value that it chose, and what is kept in two scopes once."""
    if item.kind == "decision":
        values = [fold(other.value) for other in learned if other.kind != "decision"]
        return any(value in fold(item.label) for value in values)
    return not item.replaces and item.slot in {other.slot for other in learned if other.replaces}


def _taught(event: Event, turn: Turn, words: Words, learned: list[Memo]) -> tuple[str, str] | None:
    """Which text tells of an event, and what stands in it."""
    match event:
        case ItemLearned(item=item) if _is_told_by_another(item, learned):
            return None
        case ItemLearned(item=item) if item.replaces:
            return "changed", f"{_sentence(words, item, turn.text)} {words('instead', old=replaced(turn, item))}"
        case ItemLearned(item=item):
            return ("learned", _sentence(words, item, turn.text)) if item.current else ("past", item.label)
        case ItemConfirmed(id=id, label=label):
            held = find(turn.state, id)
            return "confirmed", _sentence(words, held[1]) if held else str(label)
        case ItemRetracted(label=label):
            return "retracted", str(label)
        case ItemRestored(item=item):
            return "restored", _sentence(words, item, turn.text)
        case CorrectionHeard(new=new):
            return "corrected", new
    return None
