"""What a person tells of the past: filed in its place in time, never current.

"In 2019 I lived in Berlin" held for that year; "until last year I used Vim" ended then; "back in college I wrote Java"
has no date, and is kept as history alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.events import Event
from holdfast.faculties.facts.lookup import in_slot
from holdfast.faculties.facts.memos import ItemRetracted, change
from holdfast.faculties.facts.relations import SlotKind, same
from holdfast.faculties.facts.writing import ENDED, compose, learned, mark_resting
from holdfast.faculty import Draft
from holdfast.reading.asserting import Statement
from holdfast.reading.times import during


def tell_past(draft: Draft, said: Statement, kind: SlotKind) -> Iterator[Event]:
    """Something that was so and is no longer."""
    now = draft.moment.at
    start, end = during(*said.then, now, draft.reading) if said.then else (None, None)
    ended = bool(said.then and said.then.until and end is not None) or _formerly(draft, said)
    for scope, memo in in_slot(draft.state, said.slot) if ended else ():
        if memo.positive and same(draft.reading.reader, memo.value, said.value):
            cause = draft.cause(said.rule, said.span)
            why = "no longer so"
            yield ItemRetracted(id=memo.id, label=memo.told, why=why, valid_to=end, scope=scope, because=cause)
            yield from mark_resting(draft, memo, ENDED)
    memo = compose(draft, said, kind, "NEW", valid_to=end if end is not None else now)
    dated = start is not None or end is not None
    yield learned(draft, change(memo, valid_from=start if dated else now, retracted_at=now, why="said of the past"))


def _formerly(draft: Draft, said: Statement) -> bool:
    text = draft.reading.folded[said.sentence[0] : said.span[0]]
    return any(word in text for word in draft.reading.phrases("memory", "formerly"))
