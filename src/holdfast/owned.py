"""`hf.memory(user=…)`: what is remembered of a person or for a project, without a conversation.

The words are those of other memories: add, search, get_all, get, update, delete, delete_all, history. What is added is
read as if it had been said, and becomes a fact like any other: the same reading, relations, history and undo. It is
written to the log of the user or the project alone, so that every conversation of theirs knows it from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from holdfast import turn
from holdfast.accepting import accept_name, accepting, called, shown
from holdfast.errors import InvalidInput, PackError
from holdfast.events import Event, Scope
from holdfast.faculties.facts import memos as m
from holdfast.faculties.facts.relations import Kind, Memo
from holdfast.faculty import Draft
from holdfast.history.recall import Found
from holdfast.memory import SessionMemory, kept_sentences, learning
from holdfast.reading.model.clauses import understand
from holdfast.shell import Shell
from holdfast.state import State, Stream
from holdfast.stores.protocol import Key

if TYPE_CHECKING:
    from holdfast.session import Holdfast

MESSAGES = 100
"""Messages that one call may bring."""
MESSAGE_CHARS = 2000
"""Characters of a text that is kept in its own words."""
ROLES = ("user", "assistant")
_TELLS_NOTHING = frozenset("asks requests retracts thanks greets supposes stops postpones".split())
"""Acts of clauses that are nothing to keep, even where somebody asks to keep them."""
_TEACHES = (
    m.ItemLearned,
    m.ItemSuperseded,
    m.ItemConfirmed,
    m.ItemRetracted,
    m.ItemMarked,
    m.ItemRestored,
    m.ItemUndone,
    m.ItemPromoted,
    m.ItemReleased,
    m.ValueSeen,
    m.DisputeOpened,
    m.DisputeSettled,
)
"""What a message does to the items of a memory; all else that it does is of its conversation."""
Change = Literal["ADD", "UPDATE", "DELETE", "CONFLICT", "NONE"]


class Written(NamedTuple):
    """What came of one thing that was added: "ADD" is new, "UPDATE" took the place of what it names in `replaces`,
    "DELETE" ended, "NONE" was known already, and "CONFLICT" stands against what is known until somebody settles it."""

    event: Change
    item: Memo


class OwnedMemory:
    """What is remembered of a user, for a project, or of both together."""

    def __init__(self, holdfast: Holdfast, user: str | None = None, project: str | None = None) -> None:
        if not holdfast.pack.has("memory"):
            raise PackError(f"the pack {holdfast.pack.name} keeps no memory; take one that does, such as general")
        self._owner = _Owner(holdfast, user, project)
        self._memory = SessionMemory(self._owner)
        self.user, self.project = user, project

    def __repr__(self) -> str:
        return called("OwnedMemory", user=self.user, project=self.project, pack=self._owner.pack.name)

    # Reading

    def get_all(self, /, kind: Kind | None = None, **when: Any) -> list[Memo]:
        """What is known now, oldest first. `history=True` gives all that ever was; `as_of=` what was true at a time
        (seconds since 1970), `known_at=` what was believed then; `category=` one category."""
        return self._memory.items(kind, **when)

    def get(self, id: str) -> Memo:
        """One item, current or not; UnknownItem otherwise."""
        return self._memory.get(id)

    def search(self, query: str, k: int = 5, *, history: bool = False) -> list[Found]:
        """Items that fit the query, best first."""
        return self._memory.search(query, k, history=history)

    def history(self, id: str) -> list[Memo]:
        """How an item came to be what it is: from the first value to the current one, from the id of any of them."""
        return self._memory.chain(id)

    # Writing

    @accepting
    def add(self, text: str | list[dict[str, str]], *, infer: bool = True) -> list[Written]:
        """Remember a text, or what a person says in messages ([{"role": "user", "content": …}, …]).

        It is read as if it had been said: it may add, change, confirm or end what is known. A text in which nothing is
        read is kept in its own words, unless it only asks, thanks or the like. `infer=False` keeps every text of the
        person in its own words."""
        said = _accepted(text)

        def act(draft: Draft) -> Iterator[Event]:
            read = False
            for event in self._owner.reading(draft, said) if infer else ():
                read = True
                yield event
            if not infer or (isinstance(text, str) and not read and self._tells(text)):
                texts = [words for role, words in said if role == "user"]
                yield from learning(draft, texts, kept_sentences(draft.state))

        return list(_written(self._owner.act(act)))

    def _tells(self, text: str) -> bool:
        takes_back = self._owner.pack.reader.read(text).has("retracts")
        return not takes_back and any(clause.act not in _TELLS_NOTHING for clause in understand(text))

    @accepting
    def update(self, id: str, text: str) -> Memo:
        """Correct an item: the new value takes its place, and the old one stays in its history. A whole sentence about
        the same ("I live in Rome") is read, a bare value ("Rome") is taken as it is."""
        return self._memory.edit(id, self._value(self.get(id), text))

    def _value(self, item: Memo, text: str) -> str:
        """The value that a sentence by itself gives for what an item is about; all of it where it gives none."""
        pack = self._owner.pack
        blank = Draft(None, pack.reader.read(""), pack.folder.state({"session": pack.folder.start}), 0.0, pack.folder)
        for event in self._owner.reading(blank, [("user", text)]) if text.strip() else ():
            if isinstance(event, m.ItemLearned) and event.item.slot == item.slot and item.slot not in ("", "note"):
                return event.item.value
        return text

    @accepting
    def delete(self, id: str, *, erase: bool = False, patience: float = 60.0) -> None:
        """Stop knowing an item: it is told no more, and stays in the history, where `undo` finds it. With `erase`, its
        words are taken out of every log, snapshot and index for good; `patience` as for `Holdfast.forget`."""
        if erase:
            self._memory.forget(id, patience)
        else:
            self._memory.retract(id, "removed on request")

    def delete_all(self) -> int:
        """Stop knowing everything; how many items that were. `Holdfast.forget(user=…)` erases for good."""

        def act(draft: Draft) -> Iterator[Event]:
            for scope, memo in list(m.live(draft.state)):
                yield m.ItemRetracted(id=memo.id, label=memo.told, why="removed on request", scope=scope)
            for scope, memory in list(m.slices(draft.state)):
                for dispute in memory.disputes:
                    yield m.DisputeSettled(id=dispute.id, kept="", slot=dispute.slot, scope=scope)

        return len(self._owner.act(act).all(m.ItemRetracted))

    def undo(self, id: str) -> list[Memo]:
        """Take a write back: what it replaced stands again, and what was deleted is known again. Gives what came
        back."""
        return [event.item for event in self._memory.undo(id).all(m.ItemRestored)]


class _Owner(Shell):
    """The logs of a user and of a project as a shell that has no conversation. What its acts do to "the session" is
    done to the owner, and nothing else of a conversation is kept."""

    def __init__(self, holdfast: Holdfast, user: str | None, project: str | None) -> None:
        named: tuple[tuple[Scope, str | None], ...] = (("user", user), ("project", project))
        keys: dict[Scope, Key] = {
            scope: Key(scope, accept_name(scope, name)) for scope, name in named if name is not None
        }
        if not keys:
            raise InvalidInput("memory() needs user=, project= or both: whose memory is it?")
        self._scope: Scope = next(iter(keys))
        own = keys[self._scope]
        super().__init__(holdfast, own.name, keys, own)
        self._origin = f"{own.kind} {own.name}"
        """Makes the ids of its items differ from those of every conversation."""

    def act(self, act: Callable[[Draft], Iterable[Event]], job: bytes | None = None) -> turn.Done:
        return self._run(  # type: ignore[no-any-return]
            "call",
            lambda state, now: turn.call(
                lambda draft: map(self._owned, act(draft)), state, self.pack, now, self._origin
            ),
            job=job,
        )

    def reading(self, draft: Draft, said: Iterable[tuple[str, str]]) -> Iterator[Event]:
        """What messages teach the memory, each read after those before it."""
        state = draft.state
        for role, text in said:
            decide = turn.hear if role == "user" else turn.say
            outcome = decide(text, state, self.pack, draft.moment.at, self._origin)
            state = outcome.draft.state
            yield from (event for event in outcome.draft.events if isinstance(event, _TEACHES))

    def _owned(self, event: Event) -> Event:
        """An event with the owner in the place of the conversation that is not there."""
        scope = event.scope if event.scope in self.keys else self._scope
        changed: dict[str, Any] = {"scope": scope}
        match event:
            case m.ItemLearned(item=item) if item.session == self._origin:
                changed["item"] = msgspec.structs.replace(item, session="", sessions=())
            case m.DisputeOpened(dispute=dispute) if dispute.rival.session == self._origin:
                rival = msgspec.structs.replace(dispute.rival, session="", sessions=())
                changed["dispute"] = msgspec.structs.replace(dispute, rival=rival)
            case m.ItemConfirmed(session=self._origin):
                changed["session"] = ""
        return msgspec.structs.replace(event, **changed)

    def _together(self, streams: dict[Scope, Stream]) -> State:
        own = streams[self._scope]
        # Each message of one call counts as a version of the conversation: ids of two calls must not meet.
        nothing = Stream(own.version * (MESSAGES + 1), own.at, self.pack.folder.start.slices)
        return self.pack.folder.state({**streams, "session": nothing})


def _accepted(messages: str | list[dict[str, str]]) -> list[tuple[str, str]]:
    """The messages as role and text."""
    if isinstance(messages, str):
        if not messages.strip() or len(messages) > MESSAGE_CHARS:
            raise InvalidInput(f"a text to remember has 1 to {MESSAGE_CHARS:,} characters")
        return [("user", messages)]
    if not 0 < len(messages) <= MESSAGES:
        raise InvalidInput(f"add() takes 1 to {MESSAGES} messages at once, not {len(messages)}")
    for message in messages:
        if message.get("role") not in ROLES or not message.get("content", "").strip():
            raise InvalidInput(
                'a message is {"role": "user" or "assistant", "content": "what was said"}; got ' + shown(message)
            )
    return [(message["role"], message["content"]) for message in messages]


def _written(done: turn.Done) -> Iterator[Written]:
    """What an act did to the memory, item by item as they are now."""
    events: dict[str, Change] = {}
    for event in done.events:
        match event:
            case m.ItemLearned(item=item):
                events[item.id] = "UPDATE" if item.replaces else "ADD"
            case m.ItemConfirmed(id=id) | m.ItemPromoted(item=Memo(id=id)):
                events.setdefault(id, "NONE")
            case m.ItemRetracted(id=id):
                events[id] = "DELETE"
            case m.DisputeOpened(dispute=dispute):
                yield Written("CONFLICT", _worded(dispute.rival))
    for id, what in events.items():
        if (found := m.find(done.state, id)) is not None:
            yield Written(what, _worded(found[1]))


def _worded(item: Memo) -> Memo:
    """An item that has a text to be shown by: its slot and value where they say all that was said."""
    return item if item.text or item.forgotten else msgspec.structs.replace(item, text=item.label)
