"""The memory of a person or a project without a conversation, in the words of other memories."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast import AsyncHoldfast, Holdfast
from holdfast.errors import HoldfastError, InvalidInput, PackError, Refused, UnknownItem
from holdfast.owned import OwnedMemory, Written
from holdfast.shell import idempotent
from holdfast.stores.protocol import Key


@pytest.fixture
def hf() -> Holdfast:
    return Holdfast()


@pytest.fixture
def dana(hf: Holdfast) -> OwnedMemory:
    return hf.memory(user="dana")


def values(memory: OwnedMemory, slot: str) -> list[str]:
    return [item.value for item in memory.get_all() if item.slot == slot]


def did(written: list[Written]) -> list[tuple[str, str, str]]:
    return [(one.event, one.item.slot, one.item.value) for one in written]


def test_what_is_added_is_read_and_stands_to_what_is_known_like_anything_that_was_said(dana: OwnedMemory) -> None:
    assert did(dana.add("I live in Lyon")) == [("ADD", "home", "Lyon")]
    assert did(dana.add("i live in Lyon")) == [("NONE", "home", "Lyon")]
    assert did(dana.add("I've moved to Rome")) == [("UPDATE", "home", "Rome")]
    assert did(dana.add("maybe I live in Oslo")) == [("CONFLICT", "home", "Oslo")]
    assert values(dana, "home") == ["Rome"]
    (home,) = [item for item in dana.get_all() if item.slot == "home"]
    assert [item.value for item in dana.history(home.id)] == ["Lyon", "Rome"]
    assert home.words == "I've moved to Rome"


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("Я живу в Казани", "home", "Казани"),
        ("Soy alérgica a los cacahuetes", "allergy", "cacahuetes"),
    ],
)
def test_what_is_added_is_read_in_every_language(dana: OwnedMemory, text: str, slot: str, value: str) -> None:
    ((event, found, told),) = did(dana.add(text))
    assert (event, found) == ("ADD", slot)
    assert value in told


def test_a_text_in_which_nothing_is_read_is_kept_in_its_own_words(dana: OwnedMemory) -> None:
    assert [one.item.text for one in dana.add("Dana's seat faces pillar 2")] == ["Dana's seat faces pillar 2"]
    (later,) = dana.add("Dana's seat faces pillar 5")
    assert later.event == "UPDATE"
    assert [item.text for item in dana.get_all()] == ["Dana's seat faces pillar 5"]


@pytest.mark.parametrize(
    "text", ["I live in Lyon", "I don't eat meat", "Dana's car is a Fiat", "Dana's desk is on floor 2", "vivo en Lyon"]
)
def test_what_is_added_has_a_text_to_be_shown_by(hf: Holdfast, text: str) -> None:
    added = hf.memory(user="dana").add(text)
    assert added
    assert all(one.item.text == one.item.label for one in added)


@pytest.mark.parametrize("text", ["What is my name?", "Thanks a lot!", "Find me a hotel in Rome", "forget my address"])
def test_a_text_that_tells_nothing_leaves_nothing(dana: OwnedMemory, text: str) -> None:
    assert dana.add(text) == []
    assert dana.get_all() == []


def test_without_inference_every_text_is_kept_as_it_stands(dana: OwnedMemory) -> None:
    (kept,) = dana.add("Who is on call in June?", infer=False)
    assert (kept.event, kept.item.text) == ("ADD", "Who is on call in June?")


def test_messages_are_read_in_their_order_and_an_answer_belongs_to_its_question(dana: OwnedMemory) -> None:
    said = dana.add(
        [
            {"role": "user", "content": "I live in Lyon"},
            {"role": "assistant", "content": "What is your name?"},
            {"role": "user", "content": "Dana"},
            {"role": "user", "content": "sorry, I meant I live in Rome"},
        ]
    )
    assert values(dana, "home") == ["Rome"]
    assert values(dana, "name") == ["Dana"]
    assert len({one.item.id for one in said}) == len(said)


def test_ids_of_two_calls_and_two_owners_never_meet(hf: Holdfast) -> None:
    several = [{"role": "user", "content": text} for text in ("I live in Lyon", "I work at Initech", "I use Vim")]
    made = [
        one.item.id
        for memory in (hf.memory(user="dana"), hf.memory(project="dana"), hf.memory(user="dana", project="dana"))
        for messages in (several, "I'm allergic to nuts", "I'm allergic to shellfish")
        for one in memory.add(messages)
        if one.event == "ADD"
    ]
    assert len(made) >= 10
    assert len(set(made)) == len(made)


def test_the_next_conversation_is_told_and_what_it_changes_is_seen_here(hf: Holdfast, dana: OwnedMemory) -> None:
    dana.add("I'm allergic to peanuts")
    monday = hf.session("monday", user="dana")
    assert "peanuts" in monday.hear("find me a snack").context
    monday.hear("I live in Lyon")
    assert values(dana, "home") == ["Lyon"]
    dana.add("I've moved to Rome")
    assert monday.memory.value("home") == "Rome"
    (allergy,) = [item for item in dana.get_all() if item.slot == "allergy"]
    dana.delete(allergy.id)
    assert "peanuts" not in hf.session("tuesday", user="dana").hear("find me a snack").context


def test_no_conversation_is_made_and_other_people_see_nothing(hf: Holdfast, dana: OwnedMemory) -> None:
    dana.add("I live in Lyon")
    assert hf.sessions() == []
    assert hf.memory(user="erin").get_all() == []
    assert hf.memory(project="dana").get_all() == []
    assert hf.memory(user="erin").search("Lyon") == []


def test_a_project_remembers_for_everybody_who_works_on_it(hf: Holdfast) -> None:
    hf.memory(project="shop").add("The staging server is called heron")
    assert hf.session("s", user="erin", project="shop").memory.search("staging server")[0].item.value.endswith("heron")
    both = hf.memory(user="erin", project="shop")
    both.add("I live in Oslo")
    assert values(hf.memory(user="erin"), "home") == ["Oslo"]
    assert values(hf.memory(project="shop"), "home") == []


def test_an_update_takes_a_value_or_a_sentence_and_can_be_undone(dana: OwnedMemory) -> None:
    (first,) = dana.add("I live in Lyon")
    rome = dana.update(first.item.id, "Rome")
    paris = dana.update(rome.id, "I live in Paris")
    assert (paris.slot, paris.value) == ("home", "Paris")
    assert [item.value for item in dana.history(paris.id)] == ["Lyon", "Rome", "Paris"]
    dana.undo(paris.id)
    assert values(dana, "home") == ["Rome"]


def test_an_update_and_a_delete_end_what_stood_against_the_old_value(hf: Holdfast, dana: OwnedMemory) -> None:
    for end in (lambda id: dana.update(id, "Bergen"), dana.delete):
        dana.add("I live in Rome")
        dana.add("I live in Rome")
        dana.add("maybe I live in Oslo")
        chat = hf.session("s", user="dana")
        assert len(chat.memory.disputes()) == 1
        end(next(item.id for item in dana.get_all() if item.slot == "home"))
        assert chat.memory.disputes() == []


def test_a_deleted_item_is_known_no_more_stays_in_the_history_and_comes_back_by_undo(dana: OwnedMemory) -> None:
    (home,) = dana.add("I live in Lyon")
    dana.delete(home.item.id)
    assert dana.get_all() == []
    assert dana.search("Lyon") == []
    assert [item.why for item in dana.history(home.item.id)] == ["removed on request"]
    dana.undo(home.item.id)
    assert values(dana, "home") == ["Lyon"]


def test_an_erased_item_leaves_no_word_behind(tmp_path: Path) -> None:
    file = tmp_path / "chat.db"
    with Holdfast(f"sqlite:///{file}") as hf:
        dana = hf.memory(user="dana")
        (home,) = dana.add("I live in Timbuktu")
        dana.add("I work at Initech")
        hf.session("s", user="dana").hear("hello")
        dana.delete(home.item.id, erase=True)
        assert dana.get(home.item.id).forgotten
        assert values(dana, "employer") == ["Initech"]
        assert hf.store.jobs() == []
    assert all(b"Timbuktu" not in part.read_bytes() for part in tmp_path.iterdir())


def test_everything_can_be_deleted_at_once_and_forgetting_a_user_erases_it(hf: Holdfast, dana: OwnedMemory) -> None:
    for text in ("I live in Lyon", "I'm allergic to peanuts", "maybe I live in Oslo"):
        dana.add(text)
    assert dana.delete_all() == 2
    assert (dana.get_all(), dana.delete_all()) == ([], 0)
    assert len(dana.get_all(history=True)) == 2
    assert hf.forget(user="dana") > 0
    assert dana.get_all(history=True) == []


def test_a_write_under_one_key_is_done_once_and_answers_the_same(dana: OwnedMemory) -> None:
    def twice(act: Any) -> tuple[Any, Any]:
        made = []
        for _ in range(2):
            with idempotent("key " + act.__name__):
                made.append(act())
        return made[0], made[1]

    def add() -> Any:
        return did(dana.add("I'm allergic to peanuts"))

    def update() -> Any:
        return dana.update(dana.get_all(history=True)[0].id, "walnuts").value

    def delete() -> Any:
        return dana.delete(dana.get_all(history=True)[1].id)

    assert twice(add) == ([("ADD", "allergy", "peanuts")],) * 2
    assert twice(update) == ("walnuts",) * 2
    assert [item.value for item in dana.get_all(history=True)] == ["peanuts", "walnuts"]
    twice(delete)
    assert dana.get_all() == []


def test_state_is_the_replay_of_the_log_and_an_archive_carries_it(hf: Holdfast, dana: OwnedMemory) -> None:
    for text in ("I live in Lyon", "I've moved to Rome", "forget where I live", "Dana's desk is on floor 2"):
        dana.add(text)
    chat = hf.session("s", user="dana")
    chat.hear("hello")
    assert chat.at(chat.state.version).json() == chat.state.json()


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    """A conversation, the memory in another process's engine, and this one, all writing of one person."""
    things = ("peanuts", "shellfish", "sesame", "celery", "mustard", "lupin", "eggs", "milk", "wheat", "soy")
    store = f"sqlite:///{tmp_path}/chat.db"
    with Holdfast(store) as one, Holdfast(store) as two:
        places: list[Callable[[str], object]] = [
            one.memory(user="dana").add,
            two.memory(user="dana").add,
            one.session("s", user="dana").hear,
        ]

        def write(place: int) -> None:
            for thing in things[place::3]:
                places[place](f"I'm allergic to {thing}")

        threads = [threading.Thread(target=write, args=(place,)) for place in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(values(two.memory(user="dana"), "allergy")) == sorted(things)
        assert one.store.version(Key("user", "dana")) == len(things)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda hf: hf.memory(), "whose memory"),
        (lambda hf: hf.memory(user=" "), "printable"),
        (lambda hf: hf.memory(user=7), "user"),
        (lambda hf: hf.memory(user="dana").add(""), "1 to 2,000"),
        (lambda hf: hf.memory(user="dana").add("x" * 2001), "1 to 2,000"),
        (lambda hf: hf.memory(user="dana").add(7), "text"),
        (lambda hf: hf.memory(user="dana").add([]), "1 to 100"),
        (lambda hf: hf.memory(user="dana").add([{"role": "system", "content": "x"}]), "assistant"),
        (lambda hf: hf.memory(user="dana").add([{"role": "user", "content": " "}]), "what was said"),
        (lambda hf: hf.memory(user="dana").update("fact_1", "x"), "no item"),
        (lambda hf: hf.memory(user="dana").delete("fact_1"), "no item"),
        (lambda hf: hf.memory(user="dana").history("fact_1"), "no item"),
        (lambda hf: hf.memory(user="dana").search("x", k=0), "k must be"),
        (lambda hf: Holdfast(pack="vibehuntr").memory(user="dana"), "keeps no memory"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(hf: Holdfast, wrong: Any, says: str) -> None:
    with pytest.raises((InvalidInput, UnknownItem, PackError, HoldfastError)) as error:
        wrong(hf)
    assert says in str(error.value)


def test_what_was_replaced_cannot_be_updated_again(dana: OwnedMemory) -> None:
    (home,) = dana.add("I live in Lyon")
    dana.update(home.item.id, "Rome")
    with pytest.raises(Refused, match="no longer current"):
        dana.update(home.item.id, "Oslo")


def test_the_same_to_await() -> None:
    async def run() -> list[str]:
        async with AsyncHoldfast() as hf:
            dana = await hf.memory(user="dana")
            (home,) = await dana.add("I live in Lyon")
            await dana.update(home.item.id, "Rome")
            return [found.item.value for found in await dana.search("where does Dana live, Rome?")]

    assert asyncio.run(run()) == ["Rome"]
