"""What a small agent answers when it is asked back: a sentence for what is kept under an attribute, the person's own
words for all else. It looks at what is remembered and at what the person said in any conversation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from holdfast.agents.wording import PHRASE, Words, known_things, quoted, sentence
from holdfast.faculties.facts.asking_back import Answer, Question, answers, asked_by_name, asks_back, questions
from holdfast.faculties.facts.memos import ItemLearned, SlotSet
from holdfast.faculties.facts.relations import Memo, slot_kind
from holdfast.faculties.facts.told import Message, Told, is_renewed, on_list, told_in
from holdfast.faculties.facts.whose import THEIRS
from holdfast.faculties.facts.wording import in_words
from holdfast.faculties.lists.kept import OWN, ListChanged
from holdfast.reading.model.clauses import Clause
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.text import fold
from holdfast.session import Past, Session
from holdfast.turn import Turn

MAX_MESSAGES = 200
"""Newest messages of a conversation that are looked at."""
MAX_SESSIONS = 20
"""Newest conversations of a person that are looked at."""
MAX_TOLD = 40
"""Things that are told where all is asked for: the newest."""
LINES = 3
"""Answers from which each has a line of its own."""
GROUPS = {
    "own": frozenset({"personal", "preference", "communication"}),
    "people": frozenset[str](),
    "dates": frozenset({"schedule"}),
    "work": frozenset({"tooling", "style", "workflow", "context"}),
}
"""The kinds of things that are told together where all is asked for, by the categories of what is known."""
MAX_BEFORE = 3
"""Messages before one that say what it is about."""


def recalled(turn: Turn, chat: Session, words: Words, clauses: Sequence[Clause] | None = None) -> str:
    """The answer to what a message, or some of its clauses, asks of what was told before; nothing where it asks
    nothing, or nothing is found."""
    return " ".join(dict.fromkeys(filter(None, _recalled(turn, chat, words, clauses or turn.clauses))))


def asks_for_all(turn: Turn, chat: Session) -> bool:
    """Whether a message asks for all that is known, and not for a list alone."""
    return any(one.everything for one in questions(_read(turn.text, turn, chat), turn.clauses, ()))


def _recalled(turn: Turn, chat: Session, words: Words, clauses: Sequence[Clause]) -> Iterator[str]:
    """What is said to each question of a message."""
    said = [_read(one.text, turn, chat) for one in turn.state.conversation.recent if one.role == "user"]
    asked = turn.state.conversation.last("assistant").rstrip().endswith("?")
    done = asked or turn.receipt.did("learned") or turn.all(ListChanged)
    state = None if done else turn.state
    for question in questions(_read(turn.text, turn, chat), clauses, said[:-1], state):
        found = answers(question, *told_of(question, turn, chat))
        kept = [one for one in found if one.part.memo]
        if question.everything or (question.all and not kept):
            yield listing(turn, chat, words)
        else:
            yield _all_given(kept if question.broad and kept else found, question, words, chat)


def _all_given(found: Sequence[Answer], question: Question, words: Words, chat: Session) -> str:
    given = [*dict.fromkeys(_given_back(one, question, words, chat) for one in found)]
    return (" " if len(given) < LINES else "\n").join(given) or _unknown(question, words)


def _lists(turn: Turn, words: Words) -> list[str]:
    """What stands on each list that has something."""
    lists = turn.state.lists.lists if "lists" in turn.state else {}
    return [words.on_list(name, tuple(items)) for name, items in lists.items() if items]


def listing(turn: Turn, chat: Session, words: Words) -> str:
    """All that holds now, of a kind together, and what stands on the lists."""
    reader, groups = chat.pack.reader, dict[str, list[str]]()
    known = [memo for memo in known_things(turn).values() if memo.kind != "context"]
    for memo in sorted(known, key=lambda memo: memo.recorded)[-MAX_TOLD:]:
        renewed = is_renewed(memo, memo.words)
        told = words("in_quotes", text=memo.value) if renewed else sentence(words, memo).rstrip(".")
        quoted = told.startswith(words("quote"))
        groups.setdefault(_group(reader, memo, quoted), []).append(told)
    order = [name for name in (*GROUPS, "rest") if name in groups]
    lines = [words(f"all_{name}", what="; ".join(dict.fromkeys(groups[name]))) for name in order]
    lines += _lists(turn, words)
    return "\n- ".join([words("all"), *lines]) if lines else words("nothing")


def _group(reader: Reader, memo: Memo, quoted: bool) -> str:
    """The kind of things that something is told with."""
    head = memo.slot.partition("/")[0]
    if head in THEIRS or head == "team":
        return "people"
    if quoted and head != "project" and slot_kind(reader, memo.slot).category == "personal":
        return "dates" if head == "hours" else "rest"
    category = "tooling" if memo.kind == "decision" else slot_kind(reader, memo.slot).category
    return next((name for name, categories in GROUPS.items() if category in categories), "rest")


def _read(text: str, turn: Turn, chat: Session) -> Reading:
    return chat.pack.reader.read(text).spoken(turn.language)


def told_of(question: Question, turn: Turn, chat: Session) -> tuple[list[Told], int]:
    """What may answer a question of all that was said, is remembered and is to be done, and how much was said."""
    reader, others = chat.pack.reader, other_talks(chat)
    said = [*_messages(chat, turn.version), *(message for talk in others for message in _messages(talk, None))]
    states = [turn.state, *(talk.state for talk in others)]
    told = told_in(_read(turn.text, turn, chat), states, said, (*question.words, *question.context), question.broad)
    told = [one for one in told if not _is_asked(one, turn, chat)]
    lists = turn.state.lists.lists if "lists" in turn.state else {}
    told += [one for name in OWN for one in on_list(reader, name, lists.get(name, ()))]
    return told, len(said)


def _is_asked(told: Told, turn: Turn, chat: Session) -> bool:
    """Whether something is only known from the message that asks: nobody's question answers itself."""
    here = (part.memo for part in told.parts if part.memo and part.memo.version == turn.version)
    asks = (clause for clause in turn.clauses if asks_back(_read(turn.text, turn, chat), clause))
    asked = [turn.text[clause.start : clause.end] for clause in asks]
    return any(memo.session == chat.id for memo in here) and any(words in told.text for words in asked)


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


def _given_back(answer: Answer, question: Question, words: Words, chat: Session) -> str:
    """What is kept under the attribute that is asked for as a sentence, all else in the words of the person."""
    memo = answer.part.memo
    if answer.told.on:
        return words.on_list(answer.told.on, (answer.told.text,))
    if memo is not None and answer.renewed:  # "it's been moved to thursday" says little without what it moves
        return words("known", what=memo.value)
    named = memo is not None and _says_little(answer, memo, question)
    told = sentence(words, memo) if memo is not None and named else words("quote")
    if told.startswith(words("quote")):
        said = in_words(chat.pack.reader.read(answer.told.text), answer.span)
        alone = answer.span == (answer.part.start, answer.part.end)
        if memo is not None and alone and fold(memo.value) in fold(said) and len(memo.value.split()) > PHRASE:
            said = memo.value  # without "note that"
        if answer.old:
            return words("said_anew", text=quoted(said), old=quoted(answer.old.strip(" .,;")))
        return words("said" if answer.sure else "perhaps", text=quoted(said))
    return words("known", what=told)


def _says_little(answer: Answer, memo: Memo, question: Question) -> bool:
    """Whether the words of a message are less than what is kept of them: "philly", or what is asked for by its name."""
    return fold(memo.value) == fold(answer.told.text) or asked_by_name(question, answer.part)
