"""What a small agent answers when it is asked back: a sentence for what is kept under an attribute, the person's own
words for all else. It looks at what is remembered and at what the person said in any conversation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from holdfast.agents.wording import Words, everything, quoted, sentence
from holdfast.faculties.facts.asking_back import Answer, Question, answers, asked_by_name, questions
from holdfast.faculties.facts.memos import ItemLearned, SlotSet
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.facts.told import Message, Told, on_list, told_in
from holdfast.faculties.lists.kept import OWN
from holdfast.reading.model.clauses import Clause
from holdfast.reading.text import fold
from holdfast.session import Past, Session
from holdfast.turn import Turn

MAX_MESSAGES = 200
"""Newest messages of a conversation that are looked at."""
MAX_SESSIONS = 20
"""Newest conversations of a person that are looked at."""
MAX_BEFORE = 3
"""Messages before one that say what it is about."""


def recalled(turn: Turn, chat: Session, words: Words, clauses: Sequence[Clause] | None = None) -> str:
    """The answer to what a message, or some of its clauses, asks of what was told before; nothing where it asks
    nothing, or nothing is found."""
    return " ".join(dict.fromkeys(text for _, text in _recalled(turn, chat, words, clauses) if text))


def finds(turn: Turn, chat: Session, words: Words) -> bool:
    """Whether a message is surely answered by something that was told and stands on no list."""
    return any(one.sure and not one.told.on for found, _ in _recalled(turn, chat, words) for one in found)


def _recalled(
    turn: Turn, chat: Session, words: Words, clauses: Sequence[Clause] | None = None
) -> Iterator[tuple[list[Answer], str]]:
    """For each question of a message what answers it, and what is said to it."""
    read = chat.pack.reader.read
    earlier = [message.text for message in turn.state.conversation.recent if message.role == "user"]
    for question in questions(read(turn.text), clauses or turn.clauses, [read(text) for text in earlier[:-1]]):
        if question.everything:
            yield [], words.all(everything(turn, words))
        else:
            found = answers(question, *told_of(question, turn, chat))
            given = " ".join(dict.fromkeys(_given_back(one, question, words) for one in found))
            yield found, given or _unknown(question, words)


def told_of(question: Question, turn: Turn, chat: Session) -> tuple[list[Told], int]:
    """What may answer a question of all that was said, is remembered and is to be done, and how much was said."""
    reader, others = chat.pack.reader, other_talks(chat)
    said = [*_messages(chat, turn.version), *(message for talk in others for message in _messages(talk, None))]
    states = [turn.state, *(talk.state for talk in others)]
    told = told_in(reader.read(turn.text), states, said, (*question.words, *question.context), question.broad)
    lists = turn.state.lists.lists if "lists" in turn.state else {}
    told += [one for name in OWN for one in on_list(reader, name, lists.get(name, ()))]
    return told, len(said)


def other_talks(chat: Session) -> list[Session]:
    """The newest of the other conversations of the person."""
    newest = chat.holdfast.store.newest(chat.user, limit=MAX_SESSIONS) if chat.user is not None else []
    return [chat.holdfast.existing(info.name) for info in newest if info.name != chat.id]


def _messages(talk: Session, before: int | None) -> Iterator[Message]:
    """What the person said in a conversation, each with what was said before it."""
    asked, after = "", deque[str](maxlen=MAX_BEFORE)
    for past in talk.history(MAX_MESSAGES, before):
        if not past.text or past.taken_back:
            continue
        if past.role == "person":
            taught = _taught(past)
            yield Message(talk.id, past.version, past.entry.at, past.text, taught, asked, "\n".join(after))
            after.append(past.text)
        asked = past.text if past.role == "agent" else ""


def _taught(past: Past) -> bool:
    return any(isinstance(event, ItemLearned | SlotSet) for event in past.events)


def _unknown(question: Question, words: Words) -> str:
    """What is said where nothing answers a question of one's own things; nothing where it asks of the world."""
    named = [name for name in question.attributes if words.is_named(name)]
    if len(question.words) == 1 and len(named) == 1:
        return words("unknown", name=words.name(named[0]))
    return words("never") if question.broad else words("untold") if question.own else ""


def _given_back(answer: Answer, question: Question, words: Words) -> str:
    """What is kept under the attribute that is asked for as a sentence, all else in the words of the person."""
    memo = answer.part.memo
    if answer.told.on:
        return words.on_list(answer.told.on, (answer.told.text,))
    if memo is not None and answer.renewed:  # "it's been moved to thursday" says little without what it moves
        return words("known", what=memo.value)
    told = sentence(words, memo) if memo is not None and _says_little(answer, memo, question) else words("quote")
    if told.startswith(words("quote")):
        return words("said" if answer.sure else "perhaps", text=quoted(answer.words))
    return words("known", what=told)


def _says_little(answer: Answer, memo: Memo, question: Question) -> bool:
    """Whether the words of a message are less than what is kept of them: "philly", or what is asked for by its name."""
    return fold(memo.value) == fold(answer.told.text) or asked_by_name(question, answer.part)
