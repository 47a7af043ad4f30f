"""What was said can be taken back: to make a reply anew, to edit a message, to undo an exchange."""

from __future__ import annotations

import asyncio

import pytest

from holdfast import AsyncHoldfast, Holdfast
from holdfast.errors import UnknownVersion
from holdfast.exchange.transcripts import messages
from holdfast.pack import installed
from holdfast.session import Session
from holdfast.stores.protocol import Key
from tests.packs.test_replay import talk


@pytest.fixture
def chat() -> Session:
    return Holdfast().session("s", user="u")


def test_a_reply_made_anew_takes_the_place_of_the_first(chat: Session) -> None:
    turn = chat.hear("Where can I eat?")
    chat.say("1. **Osteria** 2. **Vedge**. Which one?")
    chat.rewind(turn.version)
    chat.say("1. **Zahav** 2. **Laurel**. Which one?")
    after = chat.hear("the second one")
    assert [entity.name for entity in after.references[0].entities] == ["Laurel"]
    assert "Osteria" not in str(after.messages)
    assert [past.text for past in chat.history() if past.taken_back] == ["1. **Osteria** 2. **Vedge**. Which one?"]
    assert chat.entry(2).taken_back


def test_an_edited_message_teaches_what_it_says_now_and_nothing_else(chat: Session) -> None:
    turn = chat.hear("I live in Boston and I'm allergic to peanuts")
    chat.say("Noted.")
    chat.rewind(turn.version - 1)
    again = chat.hear("I live in Austin")
    assert again.context == "[CONTEXT: Location: Austin]"
    assert [memo.value for memo in chat.memory.items(history=True)] == ["Austin"]
    assert again.state.conversation.turns == 1


def test_what_a_message_replaced_or_took_away_stands_again(chat: Session) -> None:
    chat.hear("I use Vim")
    chat.hear("I'm vegan")
    before = {memo.value for memo in chat.memory.items()}
    kept = chat.state.version
    chat.hear("I've switched to Helix")
    chat.hear("I'm not vegan any more")
    assert {memo.value for memo in chat.memory.items()} != before
    chat.rewind(kept)
    assert {memo.value for memo in chat.memory.items()} == before


def test_what_another_conversation_changed_since_stays_changed() -> None:
    hf = Holdfast()
    one, two = hf.session("a", user="u"), hf.session("b", user="u")
    one.hear("I live in Boston")
    two.hear("I moved to Nice")
    one.rewind(0)
    assert one.memory.value("home") == "Nice"


def test_short_words_after_it_mean_what_they_meant_before(chat: Session) -> None:
    chat.hear("I live in Boston")
    chat.say("A fine town.")
    for _ in range(3):
        chat.hear("what is the weather like?")
        chat.say("Sunny.")
        chat.rewind(2)
    assert chat.hear("no, Austin").context == "[CONTEXT: Location: Austin]"


def test_many_are_told_apart_also_on_old_pages(chat: Session) -> None:
    for number in range(9):
        turn = chat.hear(f"message {number}")
        chat.say(f"first reply {number}")
        chat.rewind(turn.version)
        chat.say(f"second reply {number}")
    stands = [f"{what} {number}" for number in range(9) for what in ("message", "second reply")]
    whole = [past for past in chat.history(1000) if past.text]
    assert [past.text for past in whole if not past.taken_back] == stands
    old = [past for past in chat.history(limit=8, before=9) if past.text]
    assert [past.text for past in old if not past.taken_back] == stands[:4]
    info = chat.holdfast.store.session("s")
    assert info is not None
    assert [message["content"] for message in messages(chat._hf, info)] == stands


@pytest.mark.parametrize("version", [-1, 3, True, "1", None])
def test_there_is_nothing_to_go_back_to_outside_the_conversation(chat: Session, version: int) -> None:
    chat.hear("hello")
    with pytest.raises(UnknownVersion, match="from 0 to 1"):
        chat.rewind(version)


def test_it_can_be_awaited() -> None:
    async def run() -> int:
        async with AsyncHoldfast() as hf:
            chat = await hf.session("s")
            await chat.hear("hello")
            await chat.rewind(0)
            return int((await chat.hear("hi")).state.conversation.turns)

    assert asyncio.run(run()) == 1


@pytest.mark.parametrize("pack", installed())
def test_every_pack_goes_back_to_the_very_state(pack: str) -> None:
    with Holdfast(pack=pack) as hf:
        for seed in range(12):
            talk(hf, seed)
            if hf.store.session(f"s{seed}") is None:
                continue
            chat = hf.session(f"s{seed}")
            middle = chat.state.version // 2
            before = {} if not middle else dict(chat.at(middle).session.slices)
            chat.rewind(middle)
            after = dict(chat.state.session.slices)
            after.pop("conversation"), before.pop("conversation", None)
            assert not middle or after == before
            key = Key("session", f"s{seed}")
            replayed = hf.pack.folder.replay(hf.entries(key))
            assert hf.pack.folder.encode(replayed) == hf.pack.folder.encode(chat.state.session)
