"""What a small agent answers when it is asked back: a sentence for what is kept under an attribute, the person's own
words for all else. It looks at what is remembered and at what the person said in any conversation."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents.wording import Words, everything, quoted, sentence
from holdfast.faculties.facts.asking_back import Answer, Question, answers, asked_by_name, questions
from holdfast.faculties.facts.told import Message, Told, told_in
from holdfast.session import Past, Session
from holdfast.turn import Turn

MAX_MESSAGES = 200
"""Newest messages of a conversation that are looked at."""
MAX_SESSIONS = 20
"""Newest conversations of a person that are looked at."""


def recalled(turn: Turn, chat: Session, words: Words) -> str:
    """The answer to what a message asks of what was told before; nothing where it asks nothing, or nothing is found."""
    reader = chat.pack.reader
    earlier = [message.text for message in turn.state.conversation.recent if message.role == "user"]
    before = [reader.read(text) for text in earlier[:-1]]
    asked = questions(reader.read(turn.text), turn.clauses, before)
    if not asked:
        return ""
    told = told_in(reader, turn.state, _said(turn, chat))
    found = [_answered(question, told, turn, words) for question in asked]
    return " ".join(dict.fromkeys(text for text in found if text))


def _said(turn: Turn, chat: Session) -> Iterator[Message]:
    """What the person said before this turn, in all conversations."""
    newest = chat.holdfast.store.newest(chat.user, limit=MAX_SESSIONS) if chat.user is not None else []
    yield from _messages(chat, turn.version)
    for info in newest:
        if info.name != chat.id:
            yield from _messages(chat.holdfast.existing(info.name), None)


def _messages(talk: Session, before: int | None) -> Iterator[Message]:
    for past in talk.history(MAX_MESSAGES, before):
        if past.role == "person" and past.text and not past.taken_back:
            yield Message(talk.id, past.version, past.entry.at, past.text, _taught(past))


def _taught(past: Past) -> bool:
    return any(line.did in ("learned", "superseded") for line in past.receipt.lines)


def _answered(question: Question, told: list[Told], turn: Turn, words: Words) -> str:
    if question.everything:
        return words.all(everything(turn, words))
    found = answers(question, told)
    if found:
        return " ".join(dict.fromkeys(_given_back(one, question, words) for one in found))
    named = [name for name in question.attributes if words.is_named(name)]
    if len(question.words) == 1 and len(named) == 1:
        return words("unknown", name=words.name(named[0]))
    return words("never") if question.broad else words("untold") if question.own else ""


def _given_back(answer: Answer, question: Question, words: Words) -> str:
    """What is kept under the attribute that is asked for as a sentence, all else in the words of the person."""
    memo = answer.part.memo
    told = sentence(words, memo) if memo is not None and asked_by_name(question, answer.part) else words("quote")
    if told.startswith(words("quote")):
        return words("said", text=quoted(answer.words))
    return words("known", what=told)
