"""A small coding assistant for trying `copilot_cli` without a key: it says what it took in, answers what it knows,
shows chains, and asks when something stays open. It writes no code: a model does that."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents import Said
from holdfast.agents.companion import Words, companion, learned, sentence
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
    words = Words(language or "en", "coder")
    told = turn.question or _asked(chat, reading, words) or learned(turn, chat, reading, words)
    if told:
        yield Said(told, agent="coder")
    else:  # nothing to keep: an answer from what is known, a greeting, or that a model writes the code
        yield from (said._replace(agent="coder") for said in companion(turn, chat, "coder"))


def _asked(chat: Session, reading: Reading, words: Words) -> str:
    """The answer where the person asks what is remembered: all of it, or one thing."""
    cue = reading.first("about_me")
    if cue is None:
        return ""
    if cue.means == "ask":
        items = [*chat.memory.facts(), *chat.memory.preferences(), *chat.memory.decisions()]
        told = "\n".join((words("know"), *(f"- {sentence(words, memo)}" for memo in items)))
        return told if items else words("nothing")
    span = cue.groups.get("slot") or cue.groups.get("thing")
    if span is None:
        return ""
    return _one(chat, reading.folded[slice(*span)].strip(), cue.means in ("chain", "why"), words) or words("untold")


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
    return words("known", what=words.row([sentence(words, memo) for memo in fitting[-3:]]))


def _about(memo: Memo, asked: list[str], words: Words) -> bool:
    """Whether something remembered is what was asked for, by its key or by its name in the language of the talk."""
    named = f"{memo.slot.replace('/', ' ').replace('_', ' ')} {words.name(memo.slot)}"
    return not set(fold(named).split()).isdisjoint(asked)
