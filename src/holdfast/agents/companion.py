"""The companion: the agent of the `general` pack when nobody brings a model. It answers from what it knows, keeps
lists, reminders and plans, and says what it kept; it knows nothing of the world, says so in one line, and tells once
how to give it a model.

It sees what any agent sees: the Turn and the Session. What it understands is in
`words/companion.tsv`, what it says in `words/says.tsv`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from holdfast import telling
from holdfast.agents import Said
from holdfast.agents.courtesies import courtesy
from holdfast.agents.texts import LANGUAGES, texts
from holdfast.events import Cleared, Event
from holdfast.faculties.facts.memos import (
    CorrectionHeard,
    ItemConfirmed,
    ItemLearned,
    ItemRestored,
    ItemRetracted,
    SlotSet,
    find,
    slices,
)
from holdfast.faculties.facts.relations import Memo
from holdfast.faculties.lists.kept import OWN, ListChanged, ListOpened
from holdfast.reading.places import places
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.tables import shipped
from holdfast.reading.text import fold
from holdfast.session import Session
from holdfast.turn import Turn

MAX_QUOTED_CHARS = 120
"""Characters of somebody's words that are quoted back."""
HISTORY = 100
"""Messages that are looked through for what was already explained."""
STEM = 5
"""Letters by which a word of a question is known again in the name of something that is kept."""
PHRASE = 3
"""Words of a value that still ends a sentence of ours; a longer one is told in the person's own words."""
OWN_WORDS = ("note", "other")
"""Slots whose values are sentences of the person."""


def companion(turn: Turn, chat: Session, manner: str = "companion") -> Iterator[Said]:
    """One reply: the open question first, then what was asked, then what was learned, then what is missing. `manner`
    names texts that another agent has in the place of the companion's."""
    reading = _reader().read(turn.text)
    words = Words(turn.language or reading.language or next((cue.language for cue in reading.cues), "en"), manner)
    parts = (_listed, _courtesy, _recalled, learned, _missing, _otherwise)
    told = turn.question or next(said for part in parts if (said := part(turn, chat, reading, words)))
    # what it says back to the person is no list of things to choose from
    attached: dict[str, Any] = (
        {"entities": []} if "entities" in chat.pack.attachments["say"] and turn.question is None else {}
    )
    yield Said(told, attached=attached)


def _otherwise(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """Where there is nothing to answer: a word on what can be done, never the same one twice in a row, and once, how
    to give it a model."""
    acts = {clause.act for clause in turn.clauses}
    kind = "cannot_know" if _asks(reading) or "asks" in acts else "cannot" if "requests" in acts else "heard"
    said = _another_way(kind, turn, words)
    told = any(past.role == "agent" and words("model") in (past.text or "") for past in chat.history(HISTORY))
    return said if told else f"{said} {words('model')}"


def _another_way(kind: str, turn: Turn, words: Words) -> str:
    """Something in words that were not used just before."""
    last = turn.state.conversation.last("assistant")
    ways = (text for name, text in words.says.items() if name.rstrip("23") == kind)
    return next((text for text in ways if text not in last), words(kind))


def _listed(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What was put on a list or taken off it, what is on one, and what else the message taught."""
    changes = [event for event in turn.events if isinstance(event, ListChanged)]
    told = [words.changed(event, turn.state.lists.get(event.name)) for event in changes]
    asked = [event for event in turn.events if isinstance(event, ListOpened) and event.asked]
    told += [words.on_list(event.name, event.items) for event in asked]
    return " ".join([*dict.fromkeys(told), learned(turn, chat, reading, words)]).strip() if told else ""


class Words:
    """What the companion says, in one language."""

    def __init__(self, language: str, manner: str = "companion") -> None:
        self._language = language
        self.says = {**texts("companion", language), **texts(manner, language)}
        self._names = texts("companion.name", language)
        self._facts = texts("companion.fact", language)
        self._articles = _reader().data("articles", language)
        self._receipts = telling.words(language)

    def __call__(self, key: str, **given: str) -> str:
        return self.says[key].format(**given)

    def name(self, slot: str) -> str:
        last = slot.rpartition("/")[2]
        return self._names.get(slot) or self._names.get(last) or self._receipts.name(last).lower()

    def _is_named(self, slot: str, said: str) -> bool:
        """Whether a slot has a name in this language; in English its own is one, and so is what somebody called it."""
        own = slot.rpartition("/")[2].replace("_", " ").lower()
        return self.name(slot) != own or self._language == "en" or own in said.casefold()

    def fact(self, slot: str, value: str, said: str = "") -> str:
        """Something known, as the end of a sentence: "your name is Sam"; by what was said where it has no name."""
        if (told := self._facts.get(slot)) is not None:
            return told.format(value=value, one=self.one(value))
        own = slot.partition("/")[0] in OWN_WORDS
        if own or len(value.split()) > PHRASE or self.name(slot).casefold() in value.casefold().split():
            return self("in_quotes", text=value)
        if said and not self._is_named(slot, said):  # a name of ours says nothing to a person: "length"
            return self("in_quotes", text=_quoted(said))
        return self._facts["any"].format(name=self.name(slot), value=value)

    def one(self, value: str) -> str:
        """A value with the article that its first letter asks for, where the language has one: "a nurse"."""
        first = value.split(maxsplit=1)[0].casefold()
        if first in self._articles:
            return value
        article = next((word for word, letters in self._articles.items() if first[0] in str(letters)), "")
        return f"{article} {value}".strip()

    def changed(self, event: ListChanged, left: tuple[str, ...]) -> str:
        """What was done to a list, as a sentence."""
        kind = event.name if event.name in OWN else "list"
        list, what, old = self.list(event.name), self.row(event.added or event.removed), self.row(event.removed)
        if event.added:
            return self(f"{'moved' if event.removed else 'kept'}_{kind}", what=what, old=old, list=list)
        return self(f"gone_{kind}" if left or kind != "list" else "emptied", what=what, list=list)

    def on_list(self, name: str, items: tuple[str, ...]) -> str:
        if name in OWN:
            return self(f"are_{name}", what=self.row(items)) if items else self(f"no_{name}")
        return self("is_on" if items else "empty", what=self.row(items), list=self.list(name))

    def list(self, name: str) -> str:
        """A list by its name, as it stands in a sentence."""
        plain = not name or name in self.says["plain_lists"].split()
        return self("plain_list") if plain else self("named_list", name=name)

    def row(self, items: Sequence[str]) -> str:
        """Things in a row: "milk, eggs and bread"."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self('and')} {items[-1]}"


@cache
def _reader() -> Reader:
    return Reader(shipped("holdfast.agents", "companion", LANGUAGES))


def _courtesy(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """Greetings, thanks and the like, when there is nothing else in the message."""
    kind = "" if turn.receipt.did("learned") else courtesy(turn.text, turn.clauses)
    if kind in ("hello", "there"):
        known = known_things(turn)
        return words("greet_named", name=known["name"]) if "name" in known else words("greet")
    return words(kind) if kind in ("bye", "thanks", "help") else ""


def _recalled(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What the person asks for: from what is known by name, else from what was once said."""
    known = known_things(turn)
    asked = [cue.means for cue in reading.all("recall")]
    if "all" in asked:
        if known.get("home") == known.get("location"):  # where one lives is the place of the talk too
            known.pop("home", None)
        told = [words.fact(name, value) for name, value in known.items()]
        return words("all", what=words.row(told)) if told else words("nothing")
    own = [_meant(reading.words(cue.groups["value"]), known, words) for cue in reading.all("own")]
    answers = " ".join(_known(name, known, words) for name in dict.fromkeys(asked or own))
    if asked or not known.keys().isdisjoint(own):
        return answers
    return _by_name(turn, known, words) or _once_said(turn, chat, reading, words) or answers


def _by_name(turn: Turn, known: dict[str, str], words: Words) -> str:
    """What is known under a name that a question holds: "when is the deadline", "какая у нас база?"."""
    if not _asks(_reader().read(turn.text)) and all(clause.act != "asks" for clause in turn.clauses):
        return ""
    asked = _stems(turn.text)
    shared = {name: len(_stems(words.name(name)) & asked) for name in known}
    found = [name for name, count in shared.items() if count and count == max(shared.values())]
    told = [_known(name, known, words) for name in found[:2]]
    return " ".join(sentence for place, sentence in enumerate(told) if fold(sentence) not in map(fold, told[:place]))


def _stems(text: str) -> set[str]:
    """How the words of a text that say something begin."""
    return {word[:STEM] for word in _content(_reader().read(text))}


def _once_said(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What the person said earlier of what is asked about."""
    topics = [reading.words(cue.groups["value"]) for cue in reading.all("topic") if "value" in cue.groups]
    found = _found(topics[-1] if topics else turn.text, turn, chat) if topics or _asks(reading) else ""
    if found:
        return words("said", text=found)
    return words("never") if topics else ""


def _known(name: str, known: dict[str, str], words: Words) -> str:
    if name == "location" and name not in known and "home" in known:  # "where do I live?"
        name = "home"
    if name in known:
        return words("known", what=words.fact(name, known[name]))
    return words("unknown", name=words.name(name))


def _meant(asked: str, known: dict[str, str], words: Words) -> str:
    """Which of the things we keep is meant by "my role" or "my editor"."""
    asked = asked.strip().casefold()
    last = {name: name.rpartition("/")[2].replace("_", " ").casefold() for name in known}
    return next((name for name in known if asked in (words.name(name).casefold(), last[name])), asked)


def learned(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What this message taught, changed, confirmed and took back: each thing once, those of a kind together; and what
    the talk goes back to when it answered a question."""
    told: dict[str, dict[str, str]] = {}
    items = [event.item for event in turn.events if isinstance(event, ItemLearned)]
    for event in sorted(turn.events, key=lambda event: event.because.start if event.because else 0):
        kind, fact = _taught(event, turn, words, items)
        if fact and not any(fold(fact) in others for others in told.values()):
            told.setdefault(words.says[kind], {})[fold(fact)] = fact
    parts = [template.format(what=words.row(list(facts.values()))) for template, facts in told.items()]
    asked = _wished(turn) if turn.receipt.did("bound") else ""
    return " ".join([*parts, words("back", text=asked), words("cannot")] if parts and asked else parts)


def _taught(event: Event, turn: Turn, words: Words, items: list[Memo]) -> tuple[str, str]:
    """Which text tells of an event, and what stands in it."""
    match event:
        case SlotSet(slot=slot, value=value, old=None):
            return "noted", words.fact(slot, value)
        case SlotSet(slot=slot, value=value, old=str(old)) if old != value:
            return "changed", f"{words.fact(slot, value)} {words('instead', old=old)}"
        case ItemLearned(item=item) if not _told_by_another(item, turn, items):
            return _kept(item, turn, words)
        case ItemConfirmed(id=id) if (held := find(turn.state, id)) is not None:
            return "confirmed", sentence(words, held[1])
        case ItemRestored(item=item):
            return "restored", sentence(words, item, turn.text)
        case CorrectionHeard(new=new):
            return "corrected", new
        case ItemRetracted(label=label):
            return "dropped", str(label.fields.get("value", label)) if isinstance(label, telling.Said) else label
        case Cleared(what=what) if "slots" in turn.state and what in turn.state.slots.past:
            return "dropped", words.name(what)
    return "", ""


def _told_by_another(item: Memo, turn: Turn, items: list[Memo]) -> bool:
    """What was decided is told by the value that it chose, and what is kept in two scopes or views once."""
    if item.kind == "decision":
        values = [fold(other.value) for other in items if other.kind != "decision"]
        return any(value in fold(item.label) for value in values)
    slots = (event.value for event in turn.events if isinstance(event, SlotSet))
    again = not item.replaces and item.slot in {other.slot for other in items if other.replaces}
    return again or fold(item.value) in map(fold, slots)


def _kept(item: Memo, turn: Turn, words: Words) -> tuple[str, str]:
    told = sentence(words, item, turn.text)
    if old := replaced(turn, item):
        return "changed", f"{told} {words('instead', old=old)}"
    if not item.current:
        return "past", words("in_quotes", text=_quoted(turn.text))
    return "quoted" if told.startswith(words("quote")) else "noted", told


def sentence(words: Words, memo: Memo, said: str = "") -> str:
    """Something remembered as a person would say it, without the key that it is kept under. What was decided is quoted,
    what is not wanted has its own words."""
    if memo.kind == "decision":
        return words("in_quotes", text=memo.label)
    if memo.positive:
        return words.fact(memo.slot, memo.value, said)
    return words("in_quotes", text=_quoted(said)) if said else memo.label


def replaced(turn: Turn, item: Memo) -> str:
    """The value that a fact took the place of."""
    closed = (memo for _, memory in slices(turn.state) for memo in memory.closed)
    return next((memo.value for memo in closed if memo.id in item.replaces), "")


def _missing(turn: Turn, chat: Session, reading: Reading, words: Words) -> str:
    """What is looked for needs a place; with the place known, it needs more than we have."""
    wishes = {cue.means for cue in reading.all("wish")}
    if not wishes or _asks(reading):  # "what did we book again?" wishes for nothing
        return ""
    placed = chat.pack.reader.read(turn.text).find(places)  # "coffee in Moscow" says where
    known = placed or "location" in known_things(turn) or words("where") in turn.state.conversation.last("assistant")
    if "find" in wishes and "slots" in turn.state and not known:
        return words("where")
    return _another_way("cannot", turn, words)


def known_things(turn: Turn) -> dict[str, str]:
    """What is known of the person, by name: the session's slots, then what is remembered more widely."""
    known: dict[str, list[str]] = {}
    for stream in (turn.state.session, turn.state.project, turn.state.user):
        slices: Mapping[str, Any] = stream.slices if stream is not None else {}
        for name, held in slices["slots"].values.items() if "slots" in slices else ():
            known.setdefault(name, [str(held.value)])
        for item in slices["memory"].items.values() if "memory" in slices else ():
            if item.positive and item.value not in known.get(item.slot, ()):
                known.setdefault(item.slot, []).append(item.value)
    return {name: ", ".join(values) for name, values in known.items()}


def _wished(turn: Turn) -> str:
    """The wish that led to the question which this message answers."""
    recent = turn.state.conversation.recent
    earlier = [message.text for message in recent if message.role == "user" and message.version < turn.version]
    wishes = [text for text in earlier[-2:] if _reader().read(text).has("wish")]
    return _quoted(wishes[-1]) if wishes else ""


def _found(query: str, turn: Turn, chat: Session) -> str:
    """The person's earlier message that holds most of the words of a question, if it holds at least half of them."""
    asked = _content(_reader().read(query))
    best, most = "", 0
    for hit in chat.search(" ".join(sorted(asked)), k=10) if asked else []:
        reading = _reader().read(hit.text)
        shared = len(asked & _content(reading))
        if hit.role == "person" and hit.version < turn.version and shared > most and not _asks(reading):
            best, most = hit.text, shared
    return _quoted(best) if most * 2 >= len(asked) else ""


def _content(reading: Reading) -> set[str]:
    skip = reading.phrases("search", "skip")
    words = (reading.folded[slice(*span)].partition("'")[0] for span in reading.tokens)
    return {word for word in words if word not in skip and len(word) > 2}


def _asks(reading: Reading) -> bool:
    return reading.text.rstrip().endswith("?")


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 1] + "…"
