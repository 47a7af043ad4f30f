"""A small coding assistant for trying `copilot_cli` without a key: it says what it took in, answers what it knows,
shows chains, and asks when something stays open. It writes no code: a model does that."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents import Said
from holdfast.agents.companion import Words, companion, replaced
from holdfast.faculties.facts.memos import (
    CorrectionHeard,
    ItemConfirmed,
    ItemLearned,
    ItemRestored,
    ItemRetracted,
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
    texts = reading.data("coder")
    words = Words(turn.language or reading.language or "en")
    told = turn.question or _asked(chat, reading, texts, words) or " ".join(_acknowledged(turn, texts, words))
    if told:
        yield Said(told, agent="coder")
    else:  # nothing to keep: an answer from what is known, a greeting, or that a model writes the code
        yield from (said._replace(agent="coder") for said in companion(turn, chat))


def _asked(chat: Session, reading: Reading, texts: object, words: Words) -> str:
    """The answer where the person asks what is remembered: all of it, or one thing."""
    cue = reading.first("about_me")
    if cue is None:
        return ""
    if cue.means == "ask":
        return _all(chat, texts, words)
    span = cue.groups.get("slot") or cue.groups.get("thing")
    if span is None:
        return ""
    return _one(chat, reading.folded[slice(*span)].strip(), cue.means in ("chain", "why"), texts, words)


def _all(chat: Session, texts: object, words: Words) -> str:
    items = [*chat.memory.facts(), *chat.memory.preferences(), *chat.memory.decisions()]
    if not items:
        return _text(texts, "empty")
    return "\n".join((_text(texts, "know"), *(f"- {_sentence(words, memo)}" for memo in items)))


def _sentence(words: Words, memo: Memo) -> str:
    """Something remembered as a person would say it, without the key that it is kept under. What is not wanted and
    what was decided have their own words."""
    return words.fact(memo.slot, memo.value) if memo.kind != "decision" and memo.positive else memo.label


def _one(chat: Session, asked: str, chain: bool, texts: object, words: Words) -> str:
    names = asked.replace("_", " ").split()
    fitting = [memo for memo in chat.memory.items(history=chain) if _about(memo, names, words)]
    if not fitting:
        found = chat.memory.search(asked, k=1, history=chain)
        fitting = [hit.item for hit in found if set(names) & set(fold(searchable(hit.item)).split())]
    if not fitting:
        return _text(texts, "unknown")
    if chain:
        return chat.memory.told(fitting[-1].id)
    return words("known", what=words.row([_sentence(words, memo) for memo in fitting[-3:]]))


def _about(memo: Memo, asked: list[str], words: Words) -> bool:
    """Whether something remembered is what was asked for, by its key or by its name in the language of the talk."""
    named = f"{memo.slot.replace('/', ' ').replace('_', ' ')} {words.name(memo.slot)}"
    return not set(fold(named).split()).isdisjoint(asked)


def _acknowledged(turn: Turn, texts: object, words: Words) -> Iterator[str]:
    for event in turn.events:
        match event:
            case ItemLearned(item=item) if item.replaces:
                old = words("instead", old=replaced(turn, item))
                yield words("changed", what=f"{_sentence(words, item)} {old}")
            case ItemLearned(item=item) if not item.current:
                yield _text(texts, "past").format(item=item.label)
            case ItemLearned(item=item):
                yield _text(texts, "learned").format(item=_sentence(words, item))
            case ItemConfirmed(label=label):
                yield _text(texts, "confirmed").format(item=label)
            case ItemRetracted(label=label):
                yield _text(texts, "retracted").format(item=label)
            case ItemRestored(item=item):
                yield _text(texts, "restored").format(item=_sentence(words, item))
            case CorrectionHeard(new=new):
                yield _text(texts, "corrected").format(new=new)


def _text(texts: object, name: str) -> str:
    return str(texts.get(name, name)) if isinstance(texts, dict) else name
