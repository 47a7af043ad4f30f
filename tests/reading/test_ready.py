"""What is made of a file of ours is kept beside it, and made again where anything is different."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from holdfast.reading.ready import ready, ready_bytes
from tests.rows import every


class Maker:
    def __init__(self) -> None:
        self.times = 0

    def make(self) -> dict[str, list[int]]:
        self.times += 1
        return {"made": [1, 2]}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    return str(tmp_path / "words.toml")


def test_it_is_made_once_for_the_same_content_and_code(place: str) -> None:
    maker = Maker()
    assert [ready(place, b"one", maker.make) for _ in range(3)] == [{"made": [1, 2]}] * 3
    assert maker.times == 1
    assert [name for name in os.listdir(os.path.dirname(place)) if name != "__pycache__"] == []


def test_other_content_or_other_code_is_made_anew(place: str) -> None:
    maker = Maker()
    for content, others in ((b"one", ()), (b"two", ()), (b"two", (every,)), (b"two", ())):
        ready(place, content, maker.make, *others)
    assert maker.times == 4


def test_a_kept_file_that_is_damaged_is_made_anew(place: str) -> None:
    maker = Maker()
    ready(place, b"one", maker.make)
    (kept,) = Path(place).parent.joinpath("__pycache__").iterdir()
    whole = kept.read_bytes()
    for damaged in (b"", whole[:-3], whole[:-1] + b"!"):
        kept.write_bytes(damaged)
        assert ready(place, b"one", maker.make) == {"made": [1, 2]}
    assert maker.times == 4


def test_where_nothing_can_be_written_it_is_made_each_time(place: str) -> None:
    Path(place).parent.joinpath("__pycache__").write_text("no folder")
    maker = Maker()
    assert [ready(place, b"one", maker.make) for _ in range(2)] == [{"made": [1, 2]}] * 2
    assert maker.times == 2


def test_bytes_stay_on_disk_under_their_key(place: str) -> None:
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"many")
        return b"many"

    for key in (b"key-1", b"key-1", b"key-2", b"key-2"):
        assert bytes(ready_bytes(place, key, make)) == b"many"
    assert len(made) == 2
    (kept,) = Path(place).parent.joinpath("__pycache__").iterdir()
    for damaged in (b"", kept.read_bytes()[:-1]):
        kept.unlink()  # the old one is still looked at
        kept.write_bytes(damaged)
        assert bytes(ready_bytes(place, b"key-2", make)) == b"many"
    assert len(made) == 4
