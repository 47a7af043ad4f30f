"""What a program or a page does to a slot by hand: put a value in, bring one back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from holdfast.errors import InvalidInput, UnknownItem
from holdfast.events import Event, Refusal, Source
from holdfast.faculties.facts.memos import SlotRestored, SlotSet
from holdfast.faculties.facts.slots.values import MAX_VALUE_CHARS
from holdfast.faculties.facts.slots.view import stated
from holdfast.faculty import Draft
from holdfast.telling import said


def put(name: str, value: str, source: Source = "person", canonical: str = "") -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: set a slot by call, the value kept as given. An agent's or a tool's value does not replace a
    person's."""

    def act(draft: Draft) -> Iterator[Event]:
        if not isinstance(value, str) or not value.strip() or len(value) > MAX_VALUE_CHARS:
            raise InvalidInput(
                f"a value must be text of 1 to {MAX_VALUE_CHARS} characters; to remove one, use clear({name!r})"
            )
        held = draft.state.slots.values.get(name)
        if held and held.source in ("person", "import") and source not in ("person", "import"):
            reason = said("refused.person", value=held.value)
            yield Refusal(
                what=said("slot.source", slot=name, value=value, source=source),
                reason=reason,
                because=draft.cause("slots.source"),
            )
            return
        because = draft.cause(f"call.{source}")
        old = held.value if held else None
        made = SlotSet(slot=name, value=value, old=old, source=source, canonical=canonical, because=because)
        yield from stated(draft, made, draft.state.slots.facts.get(name, ""))

    return act


def restore(name: str | None = None) -> Callable[[Draft], Iterator[Event]]:
    """For `chat.act`: bring back the value that a slot had before its last change or clear; without a name, all that
    the last clear took away."""

    def act(draft: Draft) -> Iterator[Event]:
        last = {slot: values[-1] for slot, values in draft.state.slots.past.items() if values}
        newest = max((value.until for value in last.values()), default=0)
        back = {slot: v for slot, v in last.items() if (slot == name if name else v.until == newest)}
        if not back:
            raise UnknownItem(f"there is no earlier value of {name or 'anything'} to bring back")
        for slot, value in back.items():
            yield SlotRestored(slot=slot, value=value, because=draft.cause("call.restore"))

    return act
