"""Replay: every log folds into its state, and another pack's decisions are found where they differ."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Faculty, Holdfast
from holdfast.errors import UnknownSession
from holdfast.events import SCOPES, Event
from holdfast.faculties.facts.slots import SlotSet, SlotsFaculty
from holdfast.faculty import Draft
from holdfast.history.whatif import _groups, recorded, verify, what_if
from holdfast.packs.general import PACK
from holdfast.state import Moment
from holdfast.stores.protocol import SessionInfo

NO_SLOTS = PACK.but(
    name="no_slots", faculties=tuple(SlotsFaculty() if f.name == "slots" else f for f in PACK.faculties)
)


def talk(hf: Holdfast, id: str = "s", user: str | None = None) -> None:
    chat = hf.session(id, user=user)
    chat.hear("I want a cheesesteak")
    chat.say("Where?", agent="venues")
    chat.hear("philly")
    chat.say("Noted.")


def test_a_store_that_is_well_verifies_with_the_number_of_its_rows() -> None:
    hf = Holdfast()
    for id in ("a", "b"):
        talk(hf, id)
    assert [(v.session, v.rows, v.faults) for v in verify(hf, recorded(hf))] == [("a", 4, ()), ("b", 4, ())]


def test_a_state_that_its_log_does_not_give_is_found(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    with Holdfast(str(path)) as hf:
        for _ in range(8):
            talk(hf)  # 32 rows: a snapshot stands beside the log
    with sqlite3.connect(path) as db:
        db.execute("UPDATE snapshots SET body = replace(body, 'philly', 'pontus')")
    with Holdfast(str(path)) as hf:
        assert hf.session("s").state.slots.get("location") == "pontus"
        (found,) = verify(hf, recorded(hf))
    assert found.faults == ("the log of session 's' folds into another state than the one in use",)


def test_a_missing_or_unreadable_row_is_found(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    with Holdfast(str(path)) as hf:
        talk(hf, "holed")
        talk(hf, "torn")
    with sqlite3.connect(path) as db:
        row = "id = (SELECT id << 32 | ? FROM streams WHERE name = ?)"
        db.execute(f"DELETE FROM log WHERE {row}", (2, "holed"))
        db.execute(f"UPDATE log SET body = x'7b' WHERE {row}", (3, "torn"))
    with Holdfast(str(path)) as hf:
        holed, torn = verify(hf, recorded(hf))
    assert "version 2 is missing" in holed.faults[0]
    assert "cannot be read" in torn.faults[0]


def test_a_session_of_a_pack_that_is_gone_is_a_finding_and_no_end() -> None:
    hf = Holdfast(pack=PACK.but(name="vanished"))
    talk(hf)
    (found,) = verify(Holdfast(hf.store), recorded(hf))
    assert "no pack 'vanished'" in found.faults[0]


def test_the_same_pack_decides_the_same() -> None:
    hf = Holdfast()
    talk(hf, "a", user="u")
    talk(hf, "b", user="u")
    hf.session("a").clear("location")
    hf.session("a").hear("hello?")
    results = list(what_if(hf, "general"))
    assert [(r.session, r.messages, r.differences) for r in results] == [("a", 5, ()), ("b", 4, ())]


def test_a_changed_pack_is_told_apart_message_by_message() -> None:
    hf = Holdfast()
    talk(hf)
    (result,) = what_if(hf, NO_SLOTS)
    (difference,) = result.differences
    assert (difference.session, difference.version, difference.text) == ("s", 3, "philly")
    assert [line.split()[0] for line in difference.gone] == ["learned", "injected"]
    assert all("philly" in line for line in difference.gone)
    assert [line.split()[0] for line in difference.new] == ["learned", "injected"]  # kept as an answer, not as a place
    assert all("Where? philly" in line for line in difference.new)
    assert [one.version for one in hf.session("s").history()] == [1, 2, 3, 4]  # nothing was written


def test_a_message_that_the_other_pack_would_refuse_is_a_difference() -> None:
    hf = Holdfast(pack=PACK.but(name="general", hears_silence=True))
    hf.session("s").hear("")
    hf.session("s").hear("hello")
    (result,) = what_if(hf, PACK)
    assert [(d.version, d.new[0].split(";")[0]) for d in result.differences] == [(1, "refused the message is empty")]


def test_what_a_call_did_is_done_again_also_in_the_log_of_the_user() -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    chat.hear("hello")

    def act(draft: Draft) -> list[Event]:
        return [SlotSet(slot="name", value="Ann"), SlotSet(slot="email", value="a@b.c", scope="user")]

    chat.act(act)
    chat.hear("and now?")
    (result,) = what_if(hf, PACK.but(name="other"))
    assert result.differences == ()
    (result,) = what_if(hf, NO_SLOTS)
    assert "Ann" in result.differences[-1].gone[-1]  # a pack without slots would not have told the name


class Heard(msgspec.Struct, frozen=True):
    last: str = "nothing"


class Followed(Event, frozen=True):
    """A message, and the one that the user or the project heard before it, in whatever session."""

    did = "learned"

    text: str
    after: str

    def tell(self) -> str:
        return f"{self.text} after {self.after}"


class EchoFaculty(Faculty):
    name = "echo"
    slice = Heard
    events = (Followed,)

    def hear(self, draft: Draft) -> Iterator[Event]:
        for scope in SCOPES[1:]:
            stream = draft.state.stream(scope)
            if stream is not None:
                yield Followed(text=draft.reading.text, after=stream.slices["echo"].last, scope=scope)

    def fold(self, slice: Heard, event: Followed, moment: Moment) -> Heard:
        return Heard(event.text)


def test_sessions_joined_by_a_user_or_a_project_are_played_together_in_the_order_of_time() -> None:
    now = [1000.0]
    pack = PACK.but(name="echo", faculties=(*PACK.faculties, EchoFaculty()))
    hf = Holdfast(pack=pack, clock=lambda: now[0])
    belongs = {"a": ("u", None), "b": ("u", "p"), "c": (None, "p"), "d": (None, None)}
    for step, id in enumerate("abcdbacabc"):
        now[0] += 1
        user, project = belongs[id]
        hf.session(id, user=user, project=project).hear(f"message {step}")
    told = hf.session("b").entry(1)
    assert told.text == "message 1"
    results = list(what_if(hf, pack))
    assert sorted((r.session, r.messages) for r in results) == [("a", 3), ("b", 3), ("c", 3), ("d", 1)]
    assert [r.differences for r in results] == [()] * 4
    (alone,) = what_if(hf, pack, "b")  # its neighbours are played too, and not reported
    assert (alone.session, alone.messages, alone.differences) == ("b", 3, ())


def test_a_session_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownSession, match="nobody"):
        list(recorded(Holdfast(), "nobody"))


WORDS = st.sampled_from(
    ["hi", "philly", "yes", "no", "I am in Rome", "мой адрес a@b.ru", "vivo en Lima", "the second", "Where are you?"]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.booleans(), WORDS), min_size=1, max_size=12))
def test_whatever_was_said_the_log_gives_the_state_and_the_pack_decides_alike(said: list[tuple[bool, str]]) -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    for person, text in said:
        _ = chat.hear(text) if person else chat.say(text, agent="a")
    assert [v.faults for v in verify(hf, recorded(hf))] == [()]
    assert [r.differences for r in what_if(hf, PACK)] == [()]
    assert chat.state.json() == Holdfast(hf.store).session("s").state.json()


def test_sessions_that_a_later_one_joins_are_replayed_together() -> None:
    a, b, c, d, e = (
        SessionInfo(name, "general", user, project)
        for name, user, project in (
            ("a", "u", None),
            ("b", "v", "p"),
            ("c", "u", "p"),
            ("d", "v", None),
            ("e", "w", None),
        )
    )
    assert _groups([a, b, c, d, e]) == [[a, b, c, d], [e]]
