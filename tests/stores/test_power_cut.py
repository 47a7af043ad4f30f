"""The power goes: of what was written since the last sync any part may be missing, down to half a sector. What is left
opens, is whole turns from the first on, and has every turn that was acknowledged before the sync."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.stores.protocol import Key
from tests.plain import PLAIN

SECTOR = 512
TURNS = 12


@pytest.fixture
def written(tmp_path: Path) -> tuple[bytes, bytes, list[int]]:
    """The file, its write-ahead log, and how long that was after each turn was acknowledged."""
    path, sizes = tmp_path / "written.db", []
    with Holdfast(f"sqlite:///{path}?synchronous=full", PLAIN) as hf:
        chat = hf.session("s", user="u")
        for turn in range(1, TURNS + 1):
            chat.hear(f"turn {turn}")
            sizes.append((tmp_path / "written.db-wal").stat().st_size)
        return path.read_bytes(), (tmp_path / "written.db-wal").read_bytes(), sizes


def left(folder: Path, file: bytes, log: bytes) -> list[str]:
    """What a session holds after the power went, with all checks."""
    folder.mkdir()
    (folder / "chat.db").write_bytes(file)
    (folder / "chat.db-wal").write_bytes(log)
    with Holdfast(f"sqlite:///{folder}/chat.db", PLAIN) as hf:
        assert hf.store.check() == []
        held = [str(past.text) for past in hf.session("s").history()] if hf.store.version(Key("session", "s")) else []
        going_on = hf.session("s").hear("and on")
        assert going_on.version == len(held) + 1
    return held


@pytest.mark.parametrize("torn", [False, True])
def test_what_was_synced_is_there_and_nothing_is_half_there(
    tmp_path: Path, written: tuple[bytes, bytes, list[int]], torn: bool
) -> None:
    file, log, sizes = written
    cuts = sorted({*range(0, len(log), 7 * SECTOR), *sizes, len(log)})
    for cut in cuts:
        rest = b"\xa5" * SECTOR if torn else b""
        held = left(tmp_path / f"{cut}-{torn}", file, log[:cut] + rest)
        assert held == [f"turn {turn}" for turn in range(1, len(held) + 1)]
        assert len(held) >= sum(size <= cut for size in sizes)
