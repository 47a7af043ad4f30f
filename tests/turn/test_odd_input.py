"""Clocks, damaged files, events of nobody and endless numbers: each is told as what it is, and spoils nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.cli import main
from holdfast.errors import InvalidInput, StoreUnreadable
from holdfast.history.whatif import recorded, verify


@pytest.mark.parametrize("now", [float("inf"), float("-inf"), float("nan"), "noon", None, True])
def test_a_clock_that_is_wrong_is_told_and_spoils_no_session(tmp_path: Path, now: object) -> None:
    told: list[object] = [100.0]
    with Holdfast(tmp_path / "chat.db", clock=lambda: told[0]) as hf:  # type: ignore[arg-type,return-value]
        chat = hf.session("s")
        chat.hear("one")
        told[0] = now
        with pytest.raises(InvalidInput, match="clock"):
            chat.hear("two")
        told[0] = 200.0
        assert chat.hear("two").version == 2
        assert [past.entry.at for past in chat.history()] == [100.0, 200.0]


def test_a_session_that_a_clock_spoiled_before_goes_on(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear("one")
        with sqlite3.connect(tmp_path / "chat.db") as db:
            db.execute("UPDATE log SET at = 9e999")
    with Holdfast(tmp_path / "chat.db", clock=lambda: 100.0) as hf:
        assert hf.session("s").hear("two").version == 2
        assert [past.time for past in hf.session("s").history()] == ["", "1970-01-01T00:01:40.000+00:00"]


def test_an_event_that_no_faculty_knows_is_found_by_replay_and_by_the_doctor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear("one")
        with sqlite3.connect(tmp_path / "chat.db") as db:
            db.execute("UPDATE log SET body = ?", (b'[{"type":"name_stolen"}]',))
        (found,) = verify(hf, list(recorded(hf)))
        assert "no faculty of the pack general knows an event 'name_stolen'" in found.faults[0]
    assert main(["doctor", "--store", str(tmp_path / "chat.db")]) == 1
    assert "name_stolen" in capsys.readouterr().out


@pytest.mark.parametrize(
    "damage", [b'[{"type":"\xff\xfe"}]', b"\xff\xff\xff", b'[{"type":"refusal","what":"\xc3\x28"}]']
)
def test_bytes_that_are_no_text_are_told_as_damage(tmp_path: Path, damage: bytes) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear("one")
        with sqlite3.connect(tmp_path / "chat.db") as db:
            db.execute("UPDATE log SET body = ?", (damage,))
    with Holdfast(tmp_path / "chat.db") as hf, pytest.raises(StoreUnreadable, match="damaged"):
        hf.session("s").history()


def test_a_text_column_that_is_no_text_is_told_as_damage(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        hf.session("s").hear("one")
        with sqlite3.connect(tmp_path / "chat.db") as db:
            db.execute("UPDATE log SET text = CAST(? AS TEXT)", (b"\xff\xfe\xfd",))
    with Holdfast(tmp_path / "chat.db") as hf, pytest.raises(StoreUnreadable):
        hf.session("s").history()


def test_a_snapshot_that_is_no_text_is_made_anew(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "chat.db") as hf:
        for number in range(33):
            hf.session("s").hear(f"message {number}")
        with sqlite3.connect(tmp_path / "chat.db") as db:
            db.execute("UPDATE snapshots SET body = ?", (b'{"version":32,"at":1.0,"slices":{"\xff":1}}',))
    with Holdfast(tmp_path / "chat.db") as hf:
        assert hf.session("s").hear("one more").version == 34


@pytest.mark.parametrize("pack", ["general", "vibehuntr"])
@pytest.mark.parametrize("text", ["0" * 6000, "7" * 5000, f"for {'7' * 5000} people", f"option {'0' * 6000}"])
def test_a_number_without_an_end_is_no_fault_of_a_faculty(pack: str, text: str) -> None:
    chat = Holdfast(pack=pack).session("s")
    chat.say("Which one?\n1. Osteria\n2. Vetri\n3. Zahav")
    assert [line for line in chat.hear(text).receipt.lines if line.did == "failed"] == []
