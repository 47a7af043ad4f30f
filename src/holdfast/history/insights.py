"""What the history of a memory shows: which keys are unstable, which decisions are often reversed, where to ask.

The same measures that let the memory ask before it swaps a value on an unstable key, for people to look at.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import msgspec

from holdfast.faculties.facts.relations import UNSTABLE, WEEK, Memo
from holdfast.telling import Said, Telling, listed, said

DAY = 86400.0


def lasting(seconds: float) -> Said:
    """How long something held, in the unit that fits."""
    for size, unit in ((DAY, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return said(f"insight.{unit}", n=round(seconds / size))
    return said("insight.seconds", n=round(seconds))


class KeyInsight(msgspec.Struct, frozen=True):
    """How one key behaved."""

    key: str
    kind: str
    relations: dict[str, int]
    mean_life: float | None
    """Seconds that a value lived before it was replaced, on average."""
    last_change: float | None
    roles: dict[str, int]
    unstable: bool

    def told(self) -> Telling:
        return said("insight.key", slot=self.key, counts=self.counts())

    def counts(self) -> Telling:
        """What happened to it how often, and how long its values last."""
        parts: list[Telling] = [said("insight.unstable")] if self.unstable else []
        parts += [said(f"insight.{name.lower()}", n=count) for name, count in self.relations.items()]
        if self.mean_life is not None:
            parts.append(said("insight.life", time=lasting(self.mean_life)))
        return listed(parts)


class DecisionInsight(msgspec.Struct, frozen=True):
    """A decision that did not last."""

    subject: str
    chain: tuple[str, ...]
    shortest: float
    """Seconds until the quickest reversal."""

    def told(self) -> Telling:
        return said("insight.chain", chain=" → ".join(self.chain), time=lasting(self.shortest))


class Insights(msgspec.Struct, frozen=True):
    keys: tuple[KeyInsight, ...]
    decisions: tuple[DecisionInsight, ...]
    ask_first: tuple[str, ...]
    """Keys on which an unmarked change is asked about."""

    @property
    def unstable(self) -> tuple[str, ...]:
        return tuple(key.key for key in self.keys if key.unstable)

    def told(self) -> list[Telling]:
        """A line for each, for people in any language."""
        return [*(key.told() for key in self.keys), *(decision.told() for decision in self.decisions)]

    def __str__(self) -> str:
        return "\n".join(map(str, self.told() or [said("insight.none")]))


def insights(memos: Iterable[Memo], kept_old: Iterable[str] = ()) -> Insights:
    """Measure the history of a memory."""
    slots: dict[str, list[Memo]] = {}
    for memo in memos:
        if memo.slot and not memo.forgotten:
            slots.setdefault(memo.slot, []).append(memo)
    keys = [_key(slot, group) for slot, group in slots.items()]
    changed = [d for slot, group in slots.items() if (d := _decision(slot, group)) is not None]
    ask = dict.fromkeys([*(key.key for key in keys if key.unstable), *kept_old])
    return Insights(tuple(keys), tuple(changed), tuple(ask))


def _key(slot: str, group: list[Memo]) -> KeyInsight:
    relations = Counter(str(memo.relation) for memo in group)
    relations["CONFIRMS"] += sum(memo.reinforced is not None for memo in group)
    # not those of the past
    relations["RETRACTS"] += sum(memo.retracted_at not in (None, memo.recorded) for memo in group)
    lives = _lives(group)
    changes = sorted(memo.recorded for memo in group if memo.relation in ("CHANGES", "CORRECTS"))
    close = any(b - a <= WEEK for a, b in itertools.pairwise(changes))
    return KeyInsight(
        slot,
        group[0].kind,
        dict(+relations),  # without those that did not happen
        sum(lives) / len(lives) if lives else None,
        max(changes, default=None),
        dict(Counter(memo.by for memo in group)),
        len(changes) >= UNSTABLE or close,
    )


def _lives(group: list[Memo]) -> list[float]:
    """How long the values that were superseded had held, in seconds."""
    return [memo.superseded_at - memo.recorded for memo in group if memo.superseded_at is not None]


def _decision(slot: str, group: list[Memo]) -> DecisionInsight | None:
    made = [memo for memo in group if memo.kind == "decision"]
    lives = _lives(made)
    if (len(made) >= 3 and lives) or any(life < DAY for life in lives):
        return DecisionInsight(slot, tuple(memo.text for memo in made), min(lives))
    return None
