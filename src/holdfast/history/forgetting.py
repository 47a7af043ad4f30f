"""Erasing one item of the memory from every log that holds its words.

That the item is forgotten is one row; taking its words out of other rows takes time, and the process may be stopped in
it. So what is to be done is kept with that row (a job of the store) until it is finished, and whoever opens the store
next goes on with it. The rows that say what the item is are changed last: until then its words can be found again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from threading import Thread
from typing import Any, Protocol

import msgspec

from holdfast.errors import HoldfastError
from holdfast.events import ERASED
from holdfast.pack import Pack
from holdfast.state import Entry
from holdfast.stores.protocol import FOREVER, Key, Row, Store, all_rows, all_sessions

DEFINING = ("item_learned", "item_restored", "item_promoted")
"""Events that say what an item is."""
PATIENT = 1.0
"""Seconds from which on somebody waits until it is done."""
_PLAIN = {"type", "id", "by", "kind", "relation", "lifespan", "scope", "slot", "rule", "category", "session", "held"}
"""Fields that hold no words of anybody."""


class Job(msgspec.Struct, frozen=True, omit_defaults=True):
    """An item to be erased, and the logs that it lived in."""

    forget: str
    session: str
    """The conversation in which that was asked for; empty where there was none."""
    project: str | None = None
    user: str | None = None
    sessions: tuple[str, ...] = ()
    """Sessions in which it was said."""

    @property
    def keys(self) -> list[Key]:
        named = (("session", self.session), ("project", self.project), ("user", self.user))
        return [Key(kind, name) for kind, name in named if name]  # type: ignore[arg-type]


class Logs(Protocol):
    """What the memory needs of the engine: its pack, its store, its clock and its logs."""

    pack: Pack
    store: Store
    clock: Callable[[], float]

    def entries(self, key: Key, after: int = 0, upto: int | None = None) -> Iterator[Entry]: ...

    def cool(self, keys: Iterable[Key]) -> None: ...


def resume(hf: Logs, number: int, body: bytes, patience: float = FOREVER) -> None:
    """Go on with a job that somebody was stopped in."""
    job = msgspec.json.decode(body, type=Job)
    logs = list(dict.fromkeys(_holding(hf.store, job)))
    if secrets := {secret for key in logs for row in all_rows(hf.store, key) for secret in _defined(row, job.forget)}:
        mask = Mask(secrets)
        for again in (False, True):  # a turn may have been under way; what was decided before the first is not written
            rows = _blanked(hf.store, logs, mask, job.forget)
            first = next(rows, None)
            if first is not None or not again:
                given = () if first is None else (first,)
                hf.store.rewrite(chain(given, rows), [(key, job.forget) for key in job.keys], patience)
    hf.store.finished(number)
    hf.cool(logs)


def finish(hf: Logs, body: bytes, patience: float) -> None:
    """Do what was just begun. A person's logs may be many: who has no patience waits no longer than that, and the rest
    is done on a thread."""

    def work() -> None:
        for number, other in hf.store.jobs():
            if other == body:
                resume(hf, number, body, patience)

    def work_on() -> None:
        with suppress(HoldfastError):  # busy or closed: the job stays written down
            work()

    if patience >= PATIENT:
        work()
    else:
        thread = Thread(target=work_on, name="holdfast-forgetting", daemon=True)
        thread.start()
        thread.join(patience)


def _holding(store: Store, job: Job) -> Iterator[Key]:
    """Logs that may hold the words of an item: those where it was said, and all where it may have been told."""
    yield from (Key("session", name) for name in job.sessions)
    for user, project in ((job.user, None), (None, job.project)):
        if user or project:
            yield from (Key("session", info.name) for info in all_sessions(store, user, project))
    yield from job.keys


def _defined(row: Row, id: str) -> Iterator[str]:
    """What a row says that an item is, in all the words that it has for it."""
    if id.encode() not in row.body:
        return
    for event in msgspec.json.decode(row.body):
        item = event.get("item") if event.get("type") in DEFINING else None
        if isinstance(item, dict) and item.get("id") == id:
            words = [item.get(name) for name in ("value", "text", "words")] + list(item.get("rejected", ()))
            yield from (word for word in words if word and ERASED not in word)


def _blanked(store: Store, logs: Iterable[Key], mask: Mask, id: str) -> Iterator[Row]:
    last: list[Row] = []
    for key in logs:
        for row in all_rows(store, key):
            clean = mask.row(row)
            if clean is None:
                continue
            if any(_defined(row, id)):
                last.append(clean)
            else:
                yield clean
    yield from last


class Mask:
    """Words that must go, wherever they stand and however their letters are composed."""

    def __init__(self, secrets: Iterable[str]) -> None:
        parts = sorted({part for s in secrets for part in (s, s[:200])}, key=len, reverse=True)
        body = "|".join(_any_form(part) for part in parts if len(part) > 1)
        self._pattern = re.compile(rf"(?<!\w)(?:{body})(?!\w)", re.IGNORECASE) if body else None

    def row(self, row: Row) -> Row | None:
        """The row without them; None where it has none."""
        events = msgspec.json.decode(row.body)
        clean = [self.event(event) for event in events]
        text = self.text(row.text) if row.text else row.text
        if clean == events and text == row.text:
            return None
        return row._replace(text=text, body=msgspec.json.encode(clean))

    def text(self, text: str) -> str:
        return self._pattern.sub(lambda hit: ERASED * len(hit[0]), text) if self._pattern else text

    def event(self, value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            return value if name in _PLAIN else self.text(value)
        if isinstance(value, dict):
            return {key: self.event(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.event(inner, name) for inner in value]
        return value


def _any_form(words: str) -> str:
    """A pattern for words whose letters may be written as one character or as a letter and its marks."""
    parts = []
    for char in unicodedata.normalize("NFC", words):
        apart = unicodedata.normalize("NFD", char)
        parts.append(re.escape(char) if apart == char else f"(?:{re.escape(char)}|{re.escape(apart)})")
    return "".join(parts)
