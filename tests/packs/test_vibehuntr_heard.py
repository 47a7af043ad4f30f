"""What a message gives in words that no table has, and what gives nothing, by what the scorers of the pack learned."""

import pytest

from holdfast import Holdfast
from holdfast.session import Session


def heard(*said: str) -> Session:
    chat = Holdfast(pack="vibehuntr").session("s")
    for line in said:
        agent, _, text = line.rpartition("agent: ")
        if agent or line.startswith("agent: "):
            chat.say(text)
        else:
            chat.hear(line)
    return chat


SHOWN = "agent: Two for you: Copper Lamp on Hill Road and Old Mill Tap by the bridge."


@pytest.mark.parametrize(
    ("text", "slot", "words"),
    [
        ("a tearoom in Bath with big armchairs", "constraints", "big armchairs"),
        ("somewhere in Leeds that stays open past midnight, nothing too posh", "constraints", "nothing too posh"),
        ("need a cobbler in York", "search_query", "cobbler"),
        ("пекарня в перми с розетками у столов", "constraints", "розетками"),
        ("ищу багетную мастерскую в туле", "search_query", "багетную"),
        ("una sidrería en oviedo con mesas de madera", "constraints", "mesas de madera"),
        ("busco una mercería en lugo", "search_query", "mercería"),
    ],
)
def test_what_no_table_knows_is_kept_in_its_own_words(text: str, slot: str, words: str) -> None:
    held = heard(text).state.slots.values[slot]
    assert words in f"{held.value} {held.own} {' '.join(held.items)}"


def test_what_was_heard_is_on_record_with_the_model_and_its_score() -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    events = chat.hear("a tearoom in Bath with big armchairs").events
    (by,) = [event.because.by for event in events if getattr(event, "slot", "") == "constraints" and event.because]
    assert by is not None
    assert by.model.startswith("heard-")
    assert by.score > 0


@pytest.mark.parametrize(
    "text",
    [
        "does Copper Lamp have armchairs?",
        "we went to a lovely tearoom last summer",
        "ha my feet are killing me",
        "а в Old Mill Tap есть розетки?",
        "мы прошлым летом были в чудесной пекарне",
        "¿tiene Copper Lamp mesas de madera?",
        "el verano pasado fuimos a una sidrería preciosa",
    ],
)
def test_what_is_asked_of_a_place_or_only_told_changes_no_search(text: str) -> None:
    before = heard("pubs in Kent", SHOWN).state.slots.values
    after = heard("pubs in Kent", SHOWN, text).state.slots.values
    for slot in ("search_query", "location", "constraints"):
        assert (slot in after and after[slot].value) == (slot in before and before[slot].value)


@pytest.mark.parametrize(
    "text", ["old mill it is, friday at 8", "old mill, viernes a las 8", "old mill, в пятницу в 8"]
)
def test_a_time_given_for_what_was_shown_is_a_plan_there(text: str) -> None:
    (plan,) = heard("pubs in Kent", SHOWN, text).state.plans.standing
    assert plan.venue == "Old Mill Tap"


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (("a quiet cafe in Bath with armchairs", "armchairs are not needed after all"), "armchairs"),
        (("тихое кафе в туле с камином", "камин не обязательно"), "камин"),
        (("un café en lugo con chimenea", "ya no hace falta chimenea"), "chimenea"),
    ],
)
def test_a_wish_is_dropped(said: tuple[str, str], gone: str) -> None:
    assert gone in str(heard(said[0]).state.slots.values["constraints"].items)
    held = heard(*said).state.slots.values.get("constraints")
    assert held is None or gone not in str(held.items)
