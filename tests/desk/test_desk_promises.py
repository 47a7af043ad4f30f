"""The engine's promises hold at the desk: replay, bounded state, no cost that grows, hostile text."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random

import msgspec
import pytest

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.events import Event
from holdfast.faculties import desk
from holdfast.packs.rv_service_desk import PACK
from holdfast.stores.protocol import Key
from tests.linear import stays_linear

WORDS = [
    "Water heater does not light",
    "gas only",
    "yes",
    "no",
    "0 V",
    "12.6 V",
    "where is it?",
    "как проверить?",
    "не знаю",
    "I already told you",
    "found a leak on the hose",
    "I misread it, it is 11.2 V",
    "the reading was wrong",
    "flame sensor is bad",
    "are you sure?",
    "replaced the relay, works now",
    "the problem is back",
    "START FINAL REPORT",
    "make it 2 hours",
    "skip labor",
    "also the fridge is not cooling",
    "это не COMBO",
    "",
    "thanks",
]


def talk(hf: Holdfast, name: str, seed: int, turns: int) -> None:
    rng = random.Random(seed)
    chat = hf.session(name)
    for _ in range(turns):
        turn = chat.hear(rng.choice(WORDS))
        assert not [e for e in turn.events if type(e).__name__ == "FacultyFailed"]
        list(run(PACK.agent, turn, chat))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(6))
def test_replaying_the_log_gives_the_same_state_byte_for_byte(seed: int) -> None:
    hf = Holdfast(pack=PACK)
    talk(hf, "c", seed, 25)
    folder = PACK.folder
    replayed = folder.replay(hf.entries(Key("session", "c")))
    assert folder.encode(replayed) == folder.encode(hf.session("c").state.session)


def test_the_state_stays_bounded_however_long_the_case_gets() -> None:
    hf = Holdfast(pack=PACK)
    sizes = []
    for part in range(3):
        talk(hf, "c", part, 120)
        sizes.append(len(msgspec.json.encode(hf.session("c").state.session.slices)))
    assert max(sizes) < 120_000
    assert sizes[2] < sizes[0] * 3


@pytest.mark.parametrize("piece", ["leak. ", "not a leak, but ", "where is it? ", "12 V "])
def test_a_hostile_message_stays_linear(piece: str) -> None:
    def work(text: str) -> None:
        chat = Holdfast(pack=PACK).session("c")
        chat.hear("Water pump not working")
        turn = chat.hear(text)
        assert not [e for e in turn.events if type(e).__name__ == "FacultyFailed"]
        chat.check(text)

    stays_linear(work, piece)


def test_every_event_of_the_desk_belongs_to_a_faculty_of_its_pack() -> None:
    known = {event for faculty in PACK.faculties for event in faculty.events}
    modules = [importlib.import_module(f"{desk.__name__}.{info.name}") for info in pkgutil.iter_modules(desk.__path__)]
    defined = {
        item
        for module in modules
        for item in vars(module).values()
        if inspect.isclass(item) and issubclass(item, Event) and item.__module__ == module.__name__
    }
    assert defined
    assert defined <= known
