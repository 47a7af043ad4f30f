"""What every store promises. A new store is added to STORES and has to pass all of this."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holdfast.errors import Conflict
from holdfast.stores.postgres import PostgresStore
from holdfast.stores.protocol import Key, Note, Row, SessionInfo, Snapshot, Store, Write
from holdfast.stores.sqlite import SqliteStore
from tests.stores.postgres import emptied

STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite file": lambda folder: SqliteStore(str(folder / "chat.db")),
    "sqlite memory": lambda folder: SqliteStore(":memory:"),
    "postgres": lambda folder: PostgresStore.at(emptied()),
}

S1, S2, USER = Key("session", "s-1"), Key("session", "s-2"), Key("user", "u-1")


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = STORES[request.param](tmp_path)
    yield opened
    opened.close()


def row(key: Key, version: int, text: str | None = "hello", role: str = "person") -> Row:
    return Row(key, version, 100.0 + version, role, text, b"[]", 1)


def write(key: Key, version: int, text: str | None = "hello", user: str | None = None) -> Write:
    about = SessionInfo(key.name, "general", user) if key.kind == "session" else None
    return Write(row(key, version, text), None, about)


def versions(store: Store, *keys: Key) -> list[int]:
    return [head.version for head in store.heads(keys)]


def marks(store: Store, *keys: Key) -> dict[Key, int]:
    return {key: head.mark for key, head in zip(keys, store.heads(keys), strict=True)}


def test_an_unknown_log_is_empty(store: Store) -> None:
    assert store.version(S1) == 0
    assert store.rows(S1) == []
    assert store.snapshots([S1]) == {}
    assert store.session("s-1") is None


def test_rows_come_back_as_they_were_written_and_in_order(store: Store) -> None:
    written = [row(S1, n, f"message {n} — привет 🙂") for n in range(1, 6)]
    for each in written:
        store.append([Write(each, None, SessionInfo("s-1", "general"))])
    assert store.rows(S1) == written
    assert store.rows(S1, after=2, upto=4) == written[2:4]
    assert store.rows(S1, after=1, limit=2) == written[1:3]
    assert store.version(S1) == 5


def test_a_version_is_written_once(store: Store) -> None:
    store.append([write(S1, 1)])
    with pytest.raises(Conflict):
        store.append([write(S1, 1, "another")])
    assert [r.text for r in store.rows(S1)] == ["hello"]


def test_a_version_that_follows_nothing_is_not_written(store: Store) -> None:
    store.append([write(S1, 1)])
    for key, version in ((S1, 3), (S2, 2)):
        with pytest.raises(Conflict):
            store.append([write(key, version)])
    assert versions(store, S1, S2) == [1, 0]


def test_nothing_is_written_that_was_decided_on_words_that_were_erased_since(store: Store) -> None:
    store.append([write(S1, 1), write(USER, 1, None)])
    known = marks(store, S1, USER)
    store.append([write(S1, 2)], known)
    for erase in (lambda: store.rewrite([row(S1, 1, "·····")], [(USER, "n")]), lambda: store.erase([USER])):
        known, before = marks(store, S1, USER), store.erasures
        erase()
        assert store.erasures > before
        for each in (write(S1, 3), write(S2, 1)):
            with pytest.raises(Conflict):
                store.append([each], known)
    assert versions(store, S1, S2, USER) == [2, 0, 0]
    store.append([write(S1, 3), write(S2, 1)], marks(store, S1, USER))


def test_nothing_is_written_that_was_decided_on_an_older_version_of_what_it_read(store: Store) -> None:
    store.append([write(S1, 1), write(USER, 1, None)])
    for read in ({USER: 0}, {USER: 2}, {USER: 1, S2: 1}):
        with pytest.raises(Conflict):
            store.append([write(S1, 2)], None, read)
    store.append([write(S1, 2)], None, {USER: 1, S2: 0})
    assert versions(store, S1, USER, S2) == [2, 1, 0]


def test_an_erasure_elsewhere_is_nobody_elses_conflict(store: Store) -> None:
    store.append([write(S1, 1), write(S2, 1)])
    known = marks(store, S1)
    store.erase([S2])
    store.append([write(S1, 2)], known)


def test_a_log_that_was_erased_and_begun_anew_is_another_one(store: Store) -> None:
    store.append([write(S1, 1)])
    known = marks(store, S1)
    store.erase([S1])
    store.append([write(S1, 1)])
    with pytest.raises(Conflict):
        store.append([write(S1, 2)], known)


def test_a_key_is_written_once_and_tells_which_version_it_was(store: Store) -> None:
    store.append([write(S1, 1)._replace(once="a")])
    assert [store.written(S1, "a"), store.written(S1, "b"), store.written(S2, "a")] == [1, 0, 0]
    with pytest.raises(Conflict):
        store.append([write(S1, 2)._replace(once="a")])
    assert store.version(S1) == 1
    store.append([write(S1, 2)._replace(once="b")])
    store.append([write(S2, 1)._replace(once="a")])
    store.erase([S1])
    assert [store.written(S1, "a"), store.written(S2, "a")] == [0, 1]


def test_what_belongs_to_a_session_outside_is_on_record_as_long_as_the_session_is(store: Store) -> None:
    store.append([write(S1, 1)])
    store.claim(S1, "answer:1")
    store.claim(S1, "answer:1")
    store.claim(S2, "answer:2")  # there is no such session
    assert store.claimants("answer:1") == ["s-1"]
    assert store.claimants("answer:2") == []
    assert store.written(S1, "answer:1") == 0
    store.erase([S1])
    assert store.claimants("answer:1") == []


def test_in_its_turn_a_writer_cannot_lose(store: Store) -> None:
    store.append([write(S1, 1)])
    with store.turn({S1: 0}):
        version = store.version(S1)
        store.append([write(S1, version + 1)])
    with store.turn({S1: 0}):
        assert store.version(S1) == 2
    assert store.version(S1) == 2
    store.append([write(S1, 3)])


def test_a_job_is_kept_with_its_row_until_it_is_finished(store: Store) -> None:
    store.append([write(S1, 1)._replace(job=b"one")])
    with pytest.raises(Conflict):
        store.append([write(S1, 1)._replace(job=b"never")])
    ((number, body),) = store.jobs()
    assert body == b"one"
    store.finished(number)
    assert store.jobs() == []


def test_staged_logs_are_nobodys_until_they_are_published_all_at_once(store: Store) -> None:
    store.append([write(S1, 1, "first")])
    one, two = Key("staged", f"{'0' * 16}/session/s-1"), Key("staged", f"{'0' * 16}/session/s-2")
    store.append([write(one, 2, "second"), write(two, 1, "other")._replace(about=SessionInfo("s-2", "general", "u"))])
    store.append([write(one, 3, "third")])
    assert [info.name for info in store.sessions()] == ["s-1"]
    assert [hit.text for hit in store.search("second other", None, 5)] == []
    store.publish({one: S1, two: S2})
    assert [r.text for r in store.rows(S1)] == ["first", "second", "third"]
    assert [(info.name, info.user, info.version) for info in store.sessions()] == [("s-1", None, 3), ("s-2", "u", 1)]
    assert {hit.text for hit in store.search("second other", None, 5)} == {"second", "other"}
    assert versions(store, one, two) == [0, 0]
    store.append([write(S1, 4)])
    assert store.check() == []


def test_staged_rows_that_follow_nothing_any_more_are_not_published(store: Store) -> None:
    store.append([write(S1, 1)])
    one, two = Key("staged", f"{'0' * 16}/session/s-1"), Key("staged", f"{'0' * 16}/session/s-2")
    store.append([write(one, 2), write(two, 1)])
    store.append([write(S1, 2, "faster")])
    with pytest.raises(Conflict):
        store.publish({two: S2, one: S1})
    assert versions(store, S1, S2) == [2, 0]
    store.erase([S1, S2])
    assert versions(store, one, two) == [0, 0]  # what is staged of a log is erased with it


def test_sessions_of_a_project_are_listed(store: Store) -> None:
    for number in range(4):
        about = SessionInfo(f"s-{number}", "general", "u", f"p-{number % 2}")
        store.append([Write(row(Key("session", about.name), 1), None, about)])
    assert [info.name for info in store.sessions(project="p-1")] == ["s-1", "s-3"]
    assert [info.name for info in store.sessions("u", "s-1", project="p-1")] == ["s-3"]


def test_all_logs_are_listed_by_page(store: Store) -> None:
    kept = [Key(kind, name) for kind in ("project", "session", "user") for name in ("a", "b")]
    store.append([write(key, 1) for key in kept] + [write(Key("staged", "x" * 16 + "/user/c"), 1)])
    assert [*store.logs(limit=4), *store.logs(kept[3], 4)] == kept


def test_a_search_may_be_of_one_tenant(store: Store) -> None:
    for name in ("@a/s", "@ab/s", "@a0/s", "s"):
        store.append([write(Key("session", name), 1, "the red circle")])
    assert [hit.session for hit in store.search("circle", None, 5, tenant="@a/")] == ["@a/s"]


def test_a_search_may_be_of_one_user(store: Store) -> None:
    for name, user in (("s1", "u1"), ("s2", "u2"), ("s3", "u1")):
        store.append([write(Key("session", name), 1, "a red boat", user)])
    assert {hit.session for hit in store.search("boat", None, 9, user="u1")} == {"s1", "s3"}
    assert [hit.session for hit in store.search("boat", ["s2", "s3"], 9, user="u1")] == ["s3"]
    assert store.search("boat", None, 9, user="nobody") == []


def test_many_logs_are_erased_in_one_call(store: Store) -> None:
    keys = [Key("session", f"s{number}") for number in range(120)]
    for key in keys:
        store.append([write(key, 1)])
    assert store.erase(keys[:110]) == 110
    assert {info.name for info in store.sessions()} == {key.name for key in keys[110:]}
    assert store.check() == []


def test_several_logs_are_written_together_or_not_at_all(store: Store) -> None:
    store.append([write(USER, 1, None)])
    with pytest.raises(Conflict):
        store.append([write(S1, 1), write(USER, 1, None)])
    assert store.version(S1) == 0
    store.append([write(S1, 1), write(USER, 2, None)])
    assert versions(store, S1, USER, S2) == [1, 2, 0]


def test_logs_are_kept_apart(store: Store) -> None:
    store.append([write(S1, 1, "one")])
    store.append([write(S2, 1, "two")])
    store.append([write(Key("user", "s-1"), 1, None)])
    assert [r.text for r in store.rows(S1)] == ["one"]
    assert [r.text for r in store.rows(S2)] == ["two"]


def test_the_newest_snapshot_is_kept(store: Store) -> None:
    for version in (1, 2):
        snapshot = Snapshot(version, b"body %d" % version, "shape")
        store.append([Write(row(S1, version), snapshot, SessionInfo("s-1", "general"))])
    assert store.snapshots([S1]) == {S1: Snapshot(2, b"body 2", "shape")}


def test_sessions_are_listed_by_page_and_by_user(store: Store) -> None:
    for number in range(5):
        store.append([write(Key("session", f"s-{number}"), 1, f"first of {number}", user=f"u-{number % 2}")])
    store.append([write(Key("session", "s-0"), 2, "second")])
    first = store.sessions(limit=3)
    assert [info.name for info in first] == ["s-0", "s-1", "s-2"]
    assert [info.name for info in store.sessions(after="s-2")] == ["s-3", "s-4"]
    assert [info.name for info in store.sessions(user="u-1")] == ["s-1", "s-3"]
    assert first[0] == SessionInfo("s-0", "general", "u-0", None, 101.0, 102.0, 2, "first of 0")
    assert store.session("s-0") == first[0]


def test_the_newest_sessions_come_first_whoever_they_belong_to(store: Store) -> None:
    names = ("s-1", "@acme/s-1", "s-2", "@acme/s-2", "@other/s-1", "a/b")
    for place, name in enumerate(names):
        key, about = Key("session", name), SessionInfo(name, "general", "u-1" if name.endswith("s-1") else None)
        store.append([Write(row(key, 1)._replace(at=100.0 + place), None, about)])
    store.append([Write(row(Key("session", "s-1"), 2)._replace(at=200.0), None, None)])
    store.append([write(USER, 1)])  # a log that is no session has no place here
    assert [info.name for info in store.newest()] == ["s-1", "a/b", "@other/s-1", "@acme/s-2", "s-2", "@acme/s-1"]
    assert [info.changed for info in store.newest(limit=2)] == [200.0, 105.0]
    assert [info.name for info in store.newest(tenant="@acme/")] == ["@acme/s-2", "@acme/s-1"]
    assert [info.name for info in store.newest("u-1")] == ["s-1", "@other/s-1", "@acme/s-1"]
    assert [info.name for info in store.newest("u-1", "@acme/")] == ["@acme/s-1"]
    assert store.newest()[0] == store.session("s-1")
    store.erase([Key("session", "s-1")])
    assert store.newest()[0].name == "a/b"


def test_the_newest_sessions_are_paged_also_where_many_changed_at_once(store: Store) -> None:
    for number in range(7):
        name = f"s-{number}"
        store.append([Write(row(Key("session", name), 1)._replace(at=100.0), None, SessionInfo(name, "general"))])
    seen: list[str] = []
    before: tuple[float, str] | None = None
    while page := store.newest(before=before, limit=3):
        seen += [info.name for info in page]
        before = (page[-1].changed, page[-1].name)
    assert seen == [f"s-{number}" for number in reversed(range(7))]


def test_words_of_messages_are_found_whatever_was_written_since(store: Store) -> None:
    store.append([write(S1, 1, "the red circle")])
    store.append([write(S2, 1, "a blue square, Café Málaga")])
    assert [hit.session for hit in store.search("circle", None, 5)] == ["s-1"]
    store.append([write(S1, 2, "another circle")])
    assert {hit.version for hit in store.search("circle", ["s-1"], 5)} == {1, 2}
    assert store.search("circle", ["s-2"], 5) == []
    assert [hit.session for hit in store.search("malaga", None, 5)] == ["s-2"]


@pytest.mark.parametrize("query", ["", '"', "AND OR NOT", "a* (b", "NEAR/3", "'; DROP TABLE log; --", "колонка:*"])
def test_no_query_is_too_odd_to_search_for(store: Store, query: str) -> None:
    store.append([write(S1, 1, "plain text")])
    assert isinstance(store.search(query, None, 5), list)


def test_what_is_erased_is_gone_and_the_rest_stays(store: Store) -> None:
    store.append([write(S1, 1, "secret word"), write(USER, 1, None)])
    store.append([write(S2, 1, "public word")])
    assert store.erase([S1, USER, Key("session", "never was")]) == 2
    assert versions(store, S1, USER, S2) == [0, 0, 1]
    assert store.search("secret", None, 5) == []
    assert [hit.session for hit in store.search("word", None, 5)] == ["s-2"]
    store.append([write(S1, 1, "a new beginning")])
    assert [hit.text for hit in store.search("beginning", None, 5)] == ["a new beginning"]


def test_notes_are_recalled_by_their_words_within_their_logs(store: Store) -> None:
    def note(key: Key, version: int, *notes: Note) -> Write:
        about = SessionInfo(key.name, "general") if key.kind == "session" else None
        return Write(row(key, version, None), None, about, notes)

    store.append(
        [note(USER, 1, Note("a", "prefers dark roast coffee", True, b"1"), Note("b", "drinks tea", True, b"2"))]
    )
    store.append([note(S1, 1, Note("c", "coffee at nine", True, b"3"))])
    assert [found.id for found, _ in store.recall([USER], "coffee", 5)] == ["a"]
    assert {found.id for found, _ in store.recall([USER, S1], "coffee", 5)} == {"a", "c"}
    store.append([note(USER, 2, Note("a", "prefers tea", False, b"4"), Note("b", "", False, b""))])
    assert store.recall([USER], "coffee", 5) == []
    assert [(found.id, found.live, found.body) for found, _ in store.recall([USER], "tea", 5)] == [("a", False, b"4")]


def test_rewritten_rows_take_the_place_of_the_old_ones(store: Store) -> None:
    for version in (1, 2):
        about = SessionInfo("s-1", "general")
        notes = (Note(f"n{version}", f"secret {version}", True, b"x"),)
        store.append([Write(row(S1, version, f"secret {version}"), Snapshot(version, b"s", "shape"), about, notes)])
    store.rewrite([row(S1, 1, "gone")._replace(body=b'["tombstone"]')], [(S1, "n1")])
    assert [(r.text, r.body) for r in store.rows(S1)] == [("gone", b'["tombstone"]'), ("secret 2", b"[]")]
    assert [hit.version for hit in store.search("secret", None, 5)] == [2]
    assert [found.id for found, _ in store.recall([S1], "secret", 5)] == ["n2"]
    assert store.snapshots([S1]) == {}


def test_a_healthy_store_says_so(store: Store) -> None:
    store.append([write(S1, 1)])
    assert store.check() == []
