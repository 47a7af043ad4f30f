"""The command as a person runs it: a real process, with pipes, a killed chat, broken files and wrong names."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.cli import main
from holdfast.cli.terminal import where
from holdfast.faculties.facts.slots import SlotSet
from tests import warmed

COMMAND = [sys.executable, "-m", "holdfast.cli"]
"""As a stranger starts it; the other processes begin warm (see `warmed.py`)."""


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err, err


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a folder, and with it a default store, of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)
    return tmp_path


def holdfast(*arguments: str, stdin: str | bytes = "", **environment: str) -> Result:
    """The real command in a process of its own."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = warmed.run(*arguments, input=data, environment={**os.environ, **environment})
    return Result(done.returncode, done.stdout, done.stderr)


def inside(capsys: pytest.CaptureFixture[str], *arguments: str) -> Result:
    """The same door without the process, for what needs no pipe."""
    try:
        code = main(arguments)
    except SystemExit as end:  # how argparse leaves
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return Result(code, out, err)


def talk(session: str = "s", user: str | None = None) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        chat = hf.session(session, user=user)
        chat.hear("I want a cheesesteak")
        chat.say("Where?", agent="venues")
        chat.hear("philly")


def test_lines_are_piped_through_and_remembered_by_the_next_chat() -> None:
    first = holdfast("chat", stdin="I want a cheesesteak\n\nphilly\n")
    assert first.code == 0
    assert first.out.splitlines()[0] == "Where?"
    assert "learned Location: philly" in first.out
    assert "\x1b" not in first.out
    second = holdfast("chat", "--quiet", stdin="where am I?\n")
    assert second.out == "As far as I know, you are in philly.\n"


def test_a_killed_chat_loses_no_turn_that_was_answered() -> None:
    chat = subprocess.Popen([*COMMAND, "chat", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert chat.stdin is not None
    assert chat.stdout is not None
    said = [f"message number {n}" for n in range(1, 6)]
    for line in said:
        chat.stdin.write(f"{line}\n".encode())
        chat.stdin.flush()
        assert chat.stdout.readline()
    chat.send_signal(signal.SIGKILL)
    chat.wait(10)
    with Holdfast("sqlite:///holdfast.db") as hf:
        history = hf.existing("general").history()
    assert [past.text for past in history if past.role == "person"] == said
    assert holdfast("replay").code == 0


def test_a_line_that_cannot_be_taken_is_told_and_the_chat_goes_on() -> None:
    done = holdfast("chat", "--quiet", stdin=b"a bell \a here\nnot \xff utf-8\n/nonsense\nhello\n")
    assert done.code == 2
    told = done.err.splitlines()
    assert [line.split(";")[0] for line in told] == [
        "holdfast: the message has the control character U+0007 at character 7",
        "holdfast: the message is not valid Unicode: lone surrogate at character 4",
        "holdfast: there is no command /nonsense",
    ]
    assert done.out == "Hello. What is on your mind?\n"


def test_slash_commands_work_in_a_pipe_too() -> None:
    lines = "I want tacos\nLima\n/show\n/why\n/prompt\n/clear location\n/log\n/help\n/quit\nnever heard\n"
    done = holdfast("chat", stdin=lines)
    assert done.code == 0
    for part in ("  location  Lima", "answer.where from “Lima”", "[CONTEXT: Location: Lima]", "cleared Location"):
        assert part in done.out
    with Holdfast("sqlite:///holdfast.db") as hf:
        assert "never heard" not in [past.text for past in hf.existing("general").history()]


def test_the_chat_takes_pack_store_user_project_and_language() -> None:
    Path("desk.py").write_text(
        "from holdfast.packs.general import PACK as BASE\nPACK = BASE.but(name='desk', agent=None)\n"
    )
    given = ["--pack", "desk.py", "--store", "sqlite:///other.db", "--user", "u", "--project", "p", "--language", "es"]
    done = holdfast("chat", *given, stdin="mi correo es a@b.es\n")
    assert done.code == 0
    assert "[CONTEXT: User's email: a@b.es]\n\nmi correo es a@b.es\n" in done.out
    with Holdfast("sqlite:///other.db") as hf:
        (info,) = hf.sessions()
        assert (info.name, info.pack, info.user, info.project) == ("desk", "desk", "u", "p")
        assert hf.session("desk").state.conversation.language == "es"
    assert not Path("holdfast.db").exists()


def test_a_session_keeps_its_pack(capsys: pytest.CaptureFixture[str]) -> None:
    talk("general")
    Path("desk.py").write_text("from holdfast.packs.general import PACK as BASE\nPACK = BASE.but(name='desk')\n")
    done = inside(capsys, "chat", "--pack", "desk.py", "--session", "general")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "begun with the pack 'general'" in done.err


def test_the_store_can_come_from_the_environment() -> None:
    holdfast("chat", stdin="hello\n", HOLDFAST_STORE="sqlite:///mine.db")
    assert Path("mine.db").exists()
    assert "1 conversation" in holdfast("doctor", HOLDFAST_STORE="sqlite:///mine.db").out


def test_the_card_shows_what_is_remembered_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    talk(user="ann")
    now = inside(capsys, "show").out
    assert now.startswith("s  pack general, user ann, version 3\n")
    assert "slots\n  location  philly" in now
    assert "location" not in inside(capsys, "show", "--at", "2").out
    assert json.loads(inside(capsys, "show", "--json").out)["session"]["version"] == 3


def test_the_newest_conversation_is_meant_when_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b", "c", "a"):
        talk(name)
    assert inside(capsys, "show").out.startswith("a  ")
    assert inside(capsys, "show", "--session", "c").out.startswith("c  ")
    talk("of bob", user="bob")
    talk("newest")
    assert inside(capsys, "show", "--user", "bob").out.startswith("of bob  ")
    assert "no conversation of user 'eve' yet" in inside(capsys, "show", "--user", "eve").err
    inside(capsys, "forget", "--session", "newest", "--yes")
    inside(capsys, "forget", "--user", "bob", "--yes")
    listed = inside(capsys, "sessions").out.splitlines()
    assert [line.split()[0] for line in listed] == ["a", "c", "b"]


def test_the_memory_of_a_person_is_kept_and_changed_without_a_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    def memory(*words: str) -> list[dict[str, Any]]:
        done = inside(capsys, "memory", *words, "--user", "dana", "--json")
        assert done.code == 0, done.err
        return [json.loads(line) for line in done.out.splitlines()]

    (added,) = memory("add", "I", "live", "in", "Lyon")
    assert (added["event"], added["item"]["value"]) == ("ADD", "Lyon")
    (new,) = memory("update", added["item"]["id"], "Rome")
    assert [item["value"] for item in memory("history", new["item"]["id"])] == ["Lyon", "Rome"]
    assert [item["value"] for item in memory("search", "Rome")] == ["Rome"]
    memory("delete", new["item"]["id"])
    assert memory() == []
    assert [row["item"]["value"] for row in memory("undo", new["item"]["id"])] == ["Rome"]
    assert [item["value"] for item in memory("list")] == ["Rome"]
    assert memory("add", "what", "is", "my", "name?") == []
    assert len(memory("delete-all")) == 1
    shown = inside(capsys, "memory", "--user", "dana", "list", "--history")
    assert "Lyon → Rome [CHANGES] ✕ removed on request" in shown.out
    memory("delete", new["item"]["id"], "--erase")
    assert "Rome" not in inside(capsys, "memory", "list", "--history", "--user", "dana").out
    assert inside(capsys, "sessions").out.count("dana") == 0


def test_what_a_model_read_is_shown_as_such_and_undone(capsys: pytest.CaptureFixture[str]) -> None:
    claim = {"message": 1, "words": "the old cello again", "attribute": "instrument", "value": "cello"}

    def big(messages: list[dict[str, str]]) -> str:
        return json.dumps({"claims": [claim]})

    with Holdfast("sqlite:///holdfast.db", second_opinion=big) as hf:
        hf.session("s").hear("the old cello again")
        assert hf.settled()
        (memo,) = hf.existing("s").memory.items()
    assert "read by the model big" in inside(capsys, "memory").out
    assert "read by the model big" in inside(capsys, "show").out
    assert "прочитано моделью big" in inside(capsys, "show", "--language", "ru").out
    assert inside(capsys, "memory", "undo", memo.id).code == 0
    assert "cello" not in inside(capsys, "memory").out


def test_a_memory_of_a_conversation_alone_is_changed_too(capsys: pytest.CaptureFixture[str]) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        chat = hf.session("s")
        chat.hear("I live in Lyon")
        (home,) = chat.memory.items()
    assert "Rome" in inside(capsys, "memory", "update", home.id, "Rome").out
    (new,) = [json.loads(line) for line in inside(capsys, "memory", "--json").out.splitlines()]
    assert inside(capsys, "memory", "delete", new["id"]).code == 0
    assert inside(capsys, "memory", "--json").out == ""
    assert "Rome" in inside(capsys, "memory", "undo", new["id"]).out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("add", "I live in Lyon"), "whose memory"),
        (("add", "--user", "dana"), "1 to 2,000"),
        (("update", "--user", "dana"), "needs the id"),
        (("delete", "fact_1", "--user", "dana"), "no item"),
        (("burn", "--user", "dana"), "invalid choice"),
        (("list", "--user", "dana", "--pack", "vibehuntr"), "keeps no memory"),
    ],
)
def test_what_the_memory_cannot_do_is_said(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Holdfast("sqlite:///holdfast.db").close()
    done = inside(capsys, "memory", *words)
    assert done.code == 2
    assert says in done.err


def test_the_log_shows_versions_speakers_and_what_each_message_did(capsys: pytest.CaptureFixture[str]) -> None:
    talk()
    lines = inside(capsys, "log").out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["1", "2", "3"]
    assert lines[1].endswith("agent venues  Where?")
    assert "learned Location: philly" in lines[3]
    last = inside(capsys, "log", "-n", "1").out
    assert "cheesesteak" not in last
    assert "--before 3" in last
    assert [json.loads(line)["role"] for line in inside(capsys, "log", "--json").out.splitlines()] == [
        "person",
        "agent",
        "person",
    ]


def test_why_gives_rule_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    talk()
    why = inside(capsys, "why").out
    assert "version 3, person" in why
    assert "answer.where from “philly”" in why
    assert "I want a cheesesteak" in inside(capsys, "why", "1").out
    assert json.loads(inside(capsys, "why", "3", "--json").out)["version"] == 3


def test_why_tells_what_went_to_the_log_of_the_user_too(capsys: pytest.CaptureFixture[str]) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        chat = hf.session("s", user="ann")
        chat.act(lambda draft: [SlotSet(slot="name", value="Ann", scope="user")])
        chat.act(lambda draft: [SlotSet(slot="email", value="a@b.c")])
    assert "Name: Ann" in inside(capsys, "why", "1").out
    assert "name = Ann" not in inside(capsys, "why", "2").out
    assert inside(capsys, "log").out.count("Name: Ann") == 1


def test_replay_verifies_and_finds_a_state_that_the_log_does_not_give(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(11):
        talk()
    done = inside(capsys, "replay")
    assert (done.code, done.out) == (0, "ok  1 session, 33 rows: every log folds into its state, byte for byte\n")
    with sqlite3.connect("holdfast.db") as db:
        db.execute("UPDATE snapshots SET body = replace(body, 'philly', 'pontus')")
    broken = inside(capsys, "replay")
    assert broken.code == 1
    assert "wrong  s: the log of session 's' folds into another state" in broken.out
    assert inside(capsys, "doctor").code == 1


def test_what_if_shows_the_decisions_that_would_differ(capsys: pytest.CaptureFixture[str]) -> None:
    talk()
    same = inside(capsys, "replay", "--pack", "general")
    assert (same.code, same.out) == (0, "3 messages of 1 session under general: nothing would be decided otherwise\n")
    Path("mute.py").write_text(
        "from holdfast.packs.general import PACK as BASE\nPACK = BASE.but(name='mute', faculties=BASE.faculties[:2])\n"
    )
    other = inside(capsys, "replay", "--pack", "mute.py")
    assert other.code == 1
    lines = other.out.splitlines()
    assert lines[0] == "s 3 person: philly"
    assert lines[1].startswith("  - learned Location: philly")
    assert lines[-1] == "3 messages of 1 session under mute.py: 1 would be decided otherwise"


def test_an_export_comes_in_again_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    talk(user="ann")
    assert inside(capsys, "export", "-o", "out.jsonl").code == 0
    done = inside(capsys, "import", "out.jsonl", "--store", "sqlite:///copy.db")
    assert (done.code, done.out) == (0, "s: 3 messages in\n")
    again = inside(capsys, "import", "out.jsonl", "--store", "sqlite:///copy.db")
    assert again.out == "s: 0 messages in, 3 were there already\n"
    copied = inside(capsys, "export", "--store", "sqlite:///copy.db").out
    assert copied == Path("out.jsonl").read_text()
    assert "(imported)" not in inside(capsys, "log", "--store", "sqlite:///copy.db").out  # it is ours, as it was
    Path("theirs.json").write_text('[{"role": "user", "content": "hello"}]')
    assert inside(capsys, "import", "theirs.json", "--store", "sqlite:///copy.db").code == 0
    assert "(imported)" in inside(capsys, "log", "--store", "sqlite:///copy.db", "--session", "theirs").out


def test_an_exported_conversation_is_a_test_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    talk()
    talk("t")
    Path("s.talk").write_text(inside(capsys, "export", "--session", "s", "--format", "talk").out)
    Path("all.talk").write_text(inside(capsys, "export", "--format", "talk").out)
    done = inside(capsys, "test")
    assert done.code == 0
    assert "s.talk  1 conversation\n" in done.out
    assert "all.talk  2 conversations\n" in done.out


def test_messages_go_out_as_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    talk()
    out = json.loads(inside(capsys, "export", "--session", "s", "--format", "messages").out)
    assert out[1] == {"role": "assistant", "content": "Where?"}


def test_forgetting_asks_and_is_final(capsys: pytest.CaptureFixture[str]) -> None:
    talk("a", user="ann")
    talk("b", user="ann")
    talk("c")
    refused = holdfast("forget", "--user", "ann")
    assert refused.code == 2
    assert "say --yes" in refused.err
    assert len(inside(capsys, "sessions").out.splitlines()) == 3
    done = inside(capsys, "forget", "--user", "ann", "--yes")
    assert done.out == "erased user 'ann' with 2 conversations: 6 rows gone for good\n"
    assert [line.split()[0] for line in inside(capsys, "sessions").out.splitlines()] == ["c"]
    assert b"ann" not in Path("holdfast.db").read_bytes()
    assert "no user 'ann'" in inside(capsys, "forget", "--user", "ann", "--yes").err


def test_conversation_files_tell_what_did_not_hold() -> None:
    Path("good.talk").write_text("person: hi\n  context is:\n")
    assert holdfast("test", "good.talk").code == 0
    Path("bad.talk").write_text("# A hope\nagent: Where?\nperson: philly\n  context: Paris\n")
    done = holdfast("test")
    assert done.code == 1
    assert done.out.splitlines() == [
        "failed  bad.talk  1 conversation",
        "  bad.talk:4: A hope",
        "    person: philly",
        "    expected  context: Paris",
        "    seen      [CONTEXT: Location: philly]",
        "ok      good.talk  1 conversation",
        "1 expectation held, 1 did not",
    ]
    Path("bad.talk").write_text("person: hi\n  context is:\nclear: it all\n  not context:\n  not memory: x\n")
    assert holdfast("test", "bad.talk").out.splitlines()[-1] == "1 expectation held, 1 did not"
    Path("broken.talk").write_text("person: hi\n  contxt: x\n")
    broken = holdfast("test", "broken.talk", "good.talk")
    assert broken.code == 2
    assert "broken  broken.talk:2: “contxt: x” expects an unknown thing" in broken.out
    assert "ok      good.talk" in broken.out


def test_the_doctor_looks_at_everything_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    fresh = inside(capsys, "doctor")
    assert fresh.code == 0
    assert not Path("holdfast.db").exists()
    for part in ("Python 3.", "with FTS5", "pack general", "no store at holdfast.db yet"):
        assert part in fresh.out
    talk()
    assert "replay: 3 rows" in inside(capsys, "doctor").out
    with sqlite3.connect("holdfast.db") as db:
        db.execute("DELETE FROM log WHERE id & 4294967295 = 2")
    holed = inside(capsys, "doctor")
    assert holed.code == 1
    assert "restore the store from a backup" in holed.out
    Path("text.db").write_text("this is no database, and long enough to be taken for none\n" * 50)
    assert "wrong  text.db is not a readable" in inside(capsys, "doctor", "--store", "text.db").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show"], "there is no store at holdfast.db; begin one"),
        (["log", "--store", "sqlite:///gone.db"], "there is no store at gone.db"),
        (["chat", "--pack", "nonsense"], "there is no pack 'nonsense'; installed are: "),
        (["chat", "--pack", "gone.py"], "there is no pack file gone.py"),
        (["chat", "--language", "xx"], "the pack general speaks en, ru, es, not 'xx'"),
        (["chat", "--store", "mysql://x"], "no store for 'mysql://x'"),
        (["chat", "--store", "no/such/folder/x.db"], "cannot open no/such/folder/x.db"),
        (["chat", "--session", " "], "the session id must have"),
        (["import", "gone.json"], "gone.json: there is no such file or folder; check the name"),
        (["import", "."], ".: this is a folder; name a file"),
        (["test", "gone.talk"], "there is no file or folder gone.talk"),
        (["test"], "there are no .talk files in ."),
        (["forget", "--yes"], "one of the arguments --session --user --project is required; see holdfast forget"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["why", "seven"], "invalid int value: 'seven'; see holdfast why --help"),
        (["show", "s-1"], "it does not take s-1; see holdfast show --help"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    done = inside(capsys, *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("holdfast: ")
    assert done.err.count("\n") == 1
    assert told in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "--session", "x"], "there is no session 'x'"),
        (["show", "--at", "99"], "has no version 99; its newest is 3"),
        (["why", "-1"], "a version is a whole number from 1"),
        (["log", "-n", "0"], "a limit must be a whole number"),
        (["replay", "--session", "x"], "there is no session 'x'"),
        (["export", "-o", "no/such/folder/x"], "no/such/folder/x: there is no such file or folder; check the name"),
        (["import", "holdfast.db"], "neither JSON nor a line of JSONL"),
        (["chat", "--session", "s", "--user", "bob"], "belongs to user None, not to 'bob'"),
    ],
)
def test_what_is_not_in_the_store_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    talk()
    done = inside(capsys, *arguments)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert told in done.err


def test_whoever_reads_half_of_the_output_sees_no_error() -> None:
    for n in range(40):
        talk(f"s{n}")
    piped = subprocess.run(
        f"{' '.join(COMMAND)} export | head -1", shell=True, capture_output=True, timeout=60, check=False
    )
    assert json.loads(piped.stdout)["session"] == "s0"
    assert piped.stderr == b""


def test_a_fault_of_a_faculty_is_told_in_the_receipt_and_not_as_a_page_of_code() -> None:
    Path("faulty.py").write_text(
        "from holdfast import Faculty\n"
        "from holdfast.packs.general import PACK as BASE\n"
        "class Broken(Faculty):\n"
        "    name = 'broken'\n"
        "    def hear(self, draft):\n"
        "        raise ValueError('out of order')\n"
        "PACK = BASE.but(name='faulty', faculties=(*BASE.faculties, Broken()))\n"
    )
    done = holdfast("chat", "--pack", "faulty.py", stdin="hello\n")
    assert done.code == 0
    assert "failed broken: ValueError: out of order" in done.out
    assert done.err == ""


def test_the_password_of_a_store_is_never_shown() -> None:
    assert where("postgresql://ann:secret@db.example/holdfast") == "postgresql://db.example/holdfast"
    assert (where("sqlite:///a/b.db"), where("b.db")) == ("a/b.db", "b.db")


def test_words_of_a_conversation_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        hf.session("s").hear("[bold]not markup[/bold] \x9b31m :smile:")
    out = inside(capsys, "log").out
    assert "[bold]not markup[/bold] \N{REPLACEMENT CHARACTER}31m :smile:" in out


def test_conversations_of_a_pack_in_a_file_can_be_replayed_exported_and_looked_after(tmp_path: Path) -> None:
    pack, store = tmp_path / "mine.py", f"sqlite:///{tmp_path / 'h.db'}"
    pack.write_text("from holdfast.packs.general import PACK as G\nPACK = G.but(name='pizza')\n")
    assert holdfast("chat", "--store", store, "--pack", str(pack), stdin="my name is Dana\n").code == 0
    for command in (["replay"], ["export"], ["doctor"]):
        done = holdfast(*command, "--store", store, "--pack", str(pack))
        assert done.code == 0, done.err + done.out
    assert "--pack FILE.py" in holdfast("export", "--store", store).err


def test_messages_are_found_by_their_words_in_all_conversations(capsys: pytest.CaptureFixture[str]) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        hf.session("s-1", user="ann").hear("the pizza place on Main Street")
        hf.session("s-2", user="bo").hear("no " * 300 + "Pizza on Saturday, please")
    found = inside(capsys, "search", "pizza")
    assert found.code == 0
    assert "s-1  version 1, person, just now" in found.out
    assert "…" in found.out
    assert "Pizza on Saturday" in found.out
    one = inside(capsys, "search", "pizza", "--user", "ann", "--json")
    assert [json.loads(line)["session"] for line in one.out.splitlines()] == ["s-1"]
    assert len(inside(capsys, "search", "pizza", "-n", "1", "--json").out.splitlines()) == 1
    assert "s-2" not in inside(capsys, "search", "pizza", "--session", "s-1").out
    none = inside(capsys, "search", "sushi")
    assert (none.code, none.out) == (1, "no message holds 'sushi'\n")
    assert inside(capsys, "search", "?!").code == 2
    assert inside(capsys, "search", "pizza", "-n", "0").code == 2


def test_what_turns_did_is_told_in_the_language_of_the_conversation_or_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Holdfast("sqlite:///holdfast.db") as hf:
        hf.session("s").hear("Меня зовут Дана")
    told = inside(capsys, "why").out
    assert "запомнено" in told
    assert "Имя: Дана" in told
    assert "из слов «Дана»" in told
    assert "aprendido Nombre: Дана" in " ".join(inside(capsys, "why", "--language", "es").out.split())
    assert "Name: Дана" in inside(capsys, "why", "--language", "en").out
    assert "значения" in inside(capsys, "show").out
    assert "человек" in inside(capsys, "log").out
    wrong = inside(capsys, "why", "--language", "xx")
    assert (wrong.code, "take one of en, es, ru" in wrong.err) == (2, True)
    assert '"what":"Name: Дана"' in inside(capsys, "why", "--json").out
