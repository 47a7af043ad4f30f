"""Conversation files: what they may say, what they answer when something does not hold, and what is broken."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Faculty, Holdfast, Pack
from holdfast.errors import HoldfastError, InvalidInput, PackError, UnknownPack
from holdfast.events import MessageHeard
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.state import Moment
from holdfast.testing.conversations import Expectation, Failure, collect, parse, read, run, write

PLACE = """
# The place is kept
person: I want a cheesesteak
agent venues: Where?
person: philly
"""


def failures(text: str) -> list[Failure]:
    return [failure for conversation in parse(text, "some.talk") for failure in run(conversation)]


@pytest.mark.parametrize(
    "line",
    [
        "context: Location: philly",
        "not context: Paris",
        "context is: [CONTEXT: Location: philly]",
        "prompt: [CONTEXT: Location: philly]\n  |\n  | philly",
        "system: written by the system",
        "not system: written by the person",
        "route: venues",
        "not route: agent",
        "follow up: yes",
        "replan: no",
        "not task:",
        "not refers to: Osteria",
        "not reference:",
        "not intent:",
        "not question:",
        "not asks:",
        "slot: location = Philly",
        "slot: location",
        "not slot: name",
        "not slot: location = Paris",
        "memory: location = philly",
        "not memory: Paris",
        "state: slots.values.location.value = philly",
        "state: conversation.turns = 2",
        "not state: slots.values.name",
        "learned: location = philly",
        "not superseded:",
        "not left out:",
        "receipt: answer.where",
    ],
)
def test_what_is_so_holds_and_its_opposite_does_not(line: str) -> None:
    assert failures(f"{PLACE}  {line}\n") == []
    turned = line.removeprefix("not ") if line.startswith("not ") else f"not {line}"
    assert len(failures(f"{PLACE}  {turned}\n")) == 1


def test_a_failure_tells_the_place_the_step_and_what_was_seen() -> None:
    (failure,) = failures(f"{PLACE}  context: Location: Paris\n")
    assert str(failure).splitlines() == [
        "some.talk:6: The place is kept",
        "  person: philly",
        "  expected  context: Location: Paris",
        "  seen      [CONTEXT: Location: philly]",
    ]


def test_a_step_that_cannot_be_taken_is_a_failure_and_the_rest_goes_on() -> None:
    (failure,) = failures("clear: something\nperson: hello\n  context is:\n")
    assert failure.place == "some.talk:1"
    assert "nothing called 'something'" in failure.seen


def test_replies_and_checks_can_be_forbidden() -> None:
    known = "agent: Where are you?\nperson: Lisbon\n"
    assert (
        failures(known + "check: Where do you live?\n  allowed: no\n  violation: slots.known\n  not instead:\n") == []
    )
    assert failures(known + "agent: Nice.\n  allowed: yes\n  not violation:\n  not allowed: no\n") == []
    assert len(failures(known + "agent: Nice.\n  allowed: no\n  violation: slots\n")) == 2


def test_the_packs_own_agent_can_be_let_answer() -> None:
    wish = "person: I want a cheesesteak\nanswer: Where?\n  not says: when\nperson: philly\nanswer:\n  says: philly\n"
    assert failures(wish) == []
    (failure,) = failures("person: I want a cheesesteak\nanswer: When?\n")
    assert (failure.expected, failure.seen) == ("says: When?", "Where?")


def test_conversations_of_one_file_do_not_know_of_each_other() -> None:
    assert failures(PLACE + "---\nperson: hello there\n  not slot: location\n") == []


def test_another_session_begins_empty_and_the_first_can_be_returned_to() -> None:
    there_and_back = PLACE + "session: other\nperson: hi\n  not slot: location\nsession: talk\nperson: hi\n"
    assert failures(there_and_back + "  slot: location = philly\n") == []


class Clock(msgspec.Struct, frozen=True):
    at: float = 0.0


class ClockFaculty(Faculty):
    name = "clock"
    slice = Clock
    events = (MessageHeard,)

    def fold(self, slice: Clock, event: MessageHeard, moment: Moment) -> Clock:
        return Clock(moment.at)


def test_time_passes_only_when_the_file_says_so() -> None:
    pack = Pack("clocked", (ConversationFaculty(), ClockFaculty()))
    (conversation,) = parse("person: hi\n  state: clock.at = 1750000001.0\nlater: 2 days\nperson: hi\n")
    assert run(conversation, pack) == []
    later = conversation.steps[-1]._replace(expected=(Expectation(4, "state", "clock.at = 1750172803.0"),))
    assert run(conversation._replace(steps=(*conversation.steps[:-1], later)), pack) == []


def test_attachments_are_handed_over_as_json_or_as_text() -> None:
    asks = "agent: Tell me.\n  with asks: where\nperson: Rome\n  slot: location = Rome\n"
    assert failures(asks) == []
    choice = 'agent: Pick.\n  with asks: {"about": "size", "options": ["S", "M"]}\nperson: 2\n  bound: “M” answers\n'
    assert failures(choice) == []
    assert "takes no 'colour'" in failures("person: hi\n  with colour: red\n")[0].seen


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "some.talk:1: no conversation"),
        ("# only a comment\n", "some.talk:1: no conversation"),
        ("person: hi\nhello there\n", "some.talk:2: “hello there” is neither"),
        ("  context: x\n", "some.talk:1: an indented line needs a step"),
        ("person: hi\n  contxt: x\n", "some.talk:2: “contxt: x” expects an unknown thing"),
        ("persona: hi\n", "some.talk:1: “persona: hi” begins with an unknown word"),
        ("person: hi\npack: general\n", "some.talk:2: “pack: general” stands too late"),
        ("person: hi\nlater: soon\n", "some.talk:2: “later: soon” needs a number"),
        ("clear: x\n  with a: b\n", "some.talk:2: “with a: b” attaches something"),
        ("agent: hi\n  context: x\n", "some.talk:2: “context” stands under a message of the person only"),
        ("person: hi\n  allowed: yes\n", "some.talk:2: “allowed” stands under a message of an agent"),
        ("check: hi\n  learned: x\n", "some.talk:2: “learned” has no place under a check"),
        ("person: hi\n  says: x\n", "some.talk:2: “says” stands under an answer"),
        ("answer: hi\n", "some.talk:1: “answer: hi” has nothing to answer"),
        ("person: hi\n  follow up: maybe\n", "some.talk:2: “follow up” takes yes or no"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_line(text: str, told: str) -> None:
    with pytest.raises(InvalidInput) as wrong:
        failures(text)
    assert str(wrong.value).startswith(told)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.talk").write_bytes(b"person: \xff\xfe\n")
    with pytest.raises(InvalidInput, match="not UTF-8"):
        read(tmp_path / "x.talk")


def test_files_are_collected_from_folders_once_and_a_missing_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.talk").write_text("person: hi\n")
    (tmp_path / "b.txt").write_text("no")
    assert collect([tmp_path, tmp_path / "deep" / "a.talk"]) == [tmp_path / "deep" / "a.talk"]
    with pytest.raises(InvalidInput, match=r"gone\.talk"):
        collect([tmp_path / "gone.talk"])


def test_a_pack_can_be_a_python_file_beside_the_conversation(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from holdfast.packs.general import PACK as BASE\nPACK = BASE.but(name='mine', agents=('desk',))\n"
    )
    (tmp_path / "x.talk").write_text("pack: mine.py\nperson: hi\n  route: desk\n")
    assert [run(conversation) for conversation in read(tmp_path / "x.talk")] == [[]]
    (tmp_path / "mine.py").write_text("PACK = 1 / 0\n")
    with pytest.raises(PackError, match="ZeroDivisionError"):
        run(read(tmp_path / "x.talk")[0])
    (tmp_path / "mine.py").unlink()
    with pytest.raises(UnknownPack, match=r"no pack file .*mine\.py"):
        run(read(tmp_path / "x.talk")[0])


def test_a_recorded_conversation_written_as_a_file_holds() -> None:
    hf = Holdfast()
    chat = hf.session("s", user="u")
    chat.hear("  I want\n\n a cheesesteak ")
    chat.say("Where?\n- here\n- there", agent="venues", asks="where")
    chat.hear("philly")
    chat.clear("location")
    chat.hear("ok")
    (info,) = hf.sessions()
    text = write(info, ((past.entry, past.receipt) for past in chat.history()), hf.pack)
    (conversation,) = parse(text)
    assert conversation.heads == {"pack": "general", "user": "u"}
    assert [step.text for step in conversation.steps][:2] == ["  I want\n\n a cheesesteak ", "Where?\n- here\n- there"]
    assert conversation.expectations > 4
    assert run(conversation) == []


LINES = st.sampled_from(
    (
        *("person: hi", "agent a: ok?", "  context: x", "  not slot:", "  | more", "---", "# t", "", "later: 1 day"),
        *("answer:", "  with asks: {", "pack: general", "session: b", "clear:", "check: yes", "  state: a.b.-1 = 2"),
        "  intent: = =",
    )
)


@settings(max_examples=40, deadline=None)
@given(st.lists(LINES | st.text(max_size=12), max_size=12).map("\n".join))
def test_whatever_a_file_holds_it_is_played_or_refused(text: str) -> None:
    with suppress(HoldfastError):
        assert all(failure.seen for conversation in parse(text) for failure in run(conversation))
