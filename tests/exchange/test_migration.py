"""From SQLite to PostgreSQL and back: everything arrives as it was, also when it was stopped on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.cli import main
from holdfast.errors import Refused, StoreFull
from holdfast.exchange.migration import migrate
from holdfast.stores.protocol import Key, Write
from holdfast.stores.sqlite import SqliteStore
from tests.stores.postgres import new_schema


def talk(hf: Holdfast) -> None:
    for name in ("s", "t"):
        chat = hf.session(name, user="u", project="p")
        for number in range(3):
            chat.hear(f"I always use editor{number} and live in Boston")
            chat.say("Where do you work?")
    hf.session("gone", user="only remembered").hear("my name is Dana")
    hf.forget(session="gone")  # the user's memory stays, without any session


def states(hf: Holdfast) -> dict[str, str]:
    return {info.name: hf.session(info.name).state.json() for info in hf.sessions()}


def test_there_and_back_again(tmp_path: Path) -> None:
    postgres = new_schema()
    with Holdfast(tmp_path / "a.db") as one, Holdfast(postgres) as two, Holdfast(tmp_path / "b.db") as three:
        talk(one)
        first = [moved.mark for moved in migrate(one, two)]
        assert [moved.mark for moved in migrate(two, three)] == first
        assert states(one) == states(two) == states(three)
        assert three.store.logs() == one.store.logs()
        assert three.store.version(Key("user", "only remembered")) > 0
        for hf in (two, three):
            assert hf.session("s").memory.search("editor2")
            assert hf.search("Boston")
        assert [moved.added for moved in migrate(one, two)] == [0] * len(first)
        one.session("s").hear("one more")
        assert sum(moved.added for moved in migrate(one, two)) >= 1
        assert states(one) == states(two)


def test_keys_and_what_belongs_to_a_session_outside_come_along(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "a.db") as one, Holdfast(new_schema()) as two, Holdfast(tmp_path / "b.db") as three:
        heard = one.session("s", user="u").hear("I always use Neovim", idempotency_key="k-1")
        one.store.claim(Key("session", "s"), "conversation conv_1")
        for source, target in ((one, two), (two, three)):
            list(migrate(source, target))
            again = target.session("s").hear("I always use Neovim", idempotency_key="k-1")
            assert (again.version, target.session("s").state.version) == (heard.version, 1)
            assert target.store.claimants("conversation conv_1") == ["s"]
        assert [moved.added for moved in migrate(one, three)] == [0, 0]


class Stopping(SqliteStore):
    """A store that ends after some writes, as a disk does that is full."""

    left = 2

    def append(
        self,
        writes: Sequence[Write],
        marks: Mapping[Key, int] | None = None,
        read: Mapping[Key, int] | None = None,
    ) -> None:
        self.left -= 1
        if self.left < 0:
            raise StoreFull("no space left")
        super().append(writes, marks)


def test_one_that_was_stopped_is_gone_on_with(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "a.db") as one:
        talk(one)
        stopped = Stopping(str(tmp_path / "b.db"))
        with pytest.raises(StoreFull):
            list(migrate(one, Holdfast(stopped)))
        stopped.close()
        with Holdfast(tmp_path / "b.db") as two:
            moved = list(migrate(one, two))
            assert 0 < sum(each.added for each in moved) < sum(each.rows for each in moved)
            assert states(one) == states(two)
            assert two.store.check() == []


def test_another_log_of_the_same_name_is_refused(tmp_path: Path) -> None:
    with Holdfast(tmp_path / "a.db") as one, Holdfast(tmp_path / "b.db") as two:
        one.session("s").hear("hello")
        two.session("s").hear("something else")
        with pytest.raises(Refused, match="is another one"):
            list(migrate(one, two))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Holdfast(tmp_path / "a.db") as one:
        talk(one)
    store = ["--store", f"sqlite:///{tmp_path}/a.db"]
    assert main(["migrate", *store, "--to", f"sqlite:///{tmp_path}/b.db"]) == 0
    assert "folds into the same state" in capsys.readouterr().out
    assert main(["migrate", *store, "--to", store[1]]) == 2
    assert main(["compact", *store]) == 0
