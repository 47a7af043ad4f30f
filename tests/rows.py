"""Rows of phrases, run by one runner: a test takes all rows of its group and names every one that does not hold.

As tests of their own, thousands of rows cost more in bookkeeping than in what they show."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.missed import MISSED

Check = Callable[..., None]


def every(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Check], Callable[[], None]]:
    """Runs a check for each row, as `pytest.mark.parametrize` would: `names` are its arguments, a row has their values.
    The check makes what it needs itself, so that no row sees what another left. Rows that `missed.py` lists should hold
    and do not yet: one that does is named too, and then no longer belongs there."""
    known = list(rows)
    several = not isinstance(names, str) or "," in names
    assert known, "a group without rows shows nothing"

    def runner(check: Check) -> Callable[[], None]:
        @functools.wraps(check)
        def test() -> None:
            wrong = []
            for row in known:
                try:
                    check(*row) if several else check(row)
                except Exception as fault:  # noqa: BLE001 - whatever it is, the other rows are told as well
                    if (check.__name__, repr(row)) not in MISSED:
                        wrong.append(f"{row!r}: {type(fault).__name__}: {fault}")
                else:
                    if (check.__name__, repr(row)) in MISSED:
                        wrong.append(f"{row!r} holds: it is missed no more")
            if wrong:
                pytest.fail(f"{len(wrong)} of {len(known)} rows do not hold\n\n" + "\n\n".join(wrong), pytrace=False)

        del test.__wrapped__  # pytest would ask the check for its arguments
        return test

    return runner
