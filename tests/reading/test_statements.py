"""Statements about the speaker: what is read, and what is rightly not."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.faculties.facts.memos import ItemLearned
from holdfast.session import Session
from tests.rows import every


def chat() -> Session:
    return Holdfast(pack="copilot_cli").session("s", user="u", project="p")


def learned(*said: str) -> list[tuple[str, str]]:
    talk = chat()
    for text in said:
        turn = talk.hear(text)
    return [(e.item.slot, e.item.value) for e in turn.events if isinstance(e, ItemLearned) and e.item.kind != "context"]


STATED = [
    ("My name is Anna", ("name", "Anna")),
    ("Hi, I'm Anna", ("name", "Anna")),
    ("please call me Bob", ("name", "Bob")),
    ("I am a data scientist", ("role", "data scientist")),
    ("I work as a nurse in Leeds", ("role", "nurse")),
    ("I got promoted to engineering manager", ("role", "engineering manager")),
    ("I live in Berlin now", ("home", "Berlin")),
    ("We moved to Lisbon", ("home", "Lisbon")),
    ("I'm from Norway", ("origin", "Norway")),
    ("I work at Siemens", ("employer", "Siemens")),
    ("I'm allergic to peanuts", ("allergy", "peanuts")),
    ("I'm vegetarian", ("diet", "vegetarian")),
    ("I love hiking", ("likes", "hiking")),
    ("My favourite film is Alien", ("favourite/film", "Alien")),
    ("my deadline is Friday", ("deadline", "Friday")),
    ("We moved off npm to pnpm", ("tooling/package_manager", "pnpm")),
    ("I format with prettier", ("tooling/formatter", "prettier")),
    ("we test with vitest", ("tooling/test_framework", "vitest")),
    ("I prefer functional programming", ("style/paradigm", "functional")),
    ("Please keep your answers short", ("communication/length", "short answers")),
    ("I use Lapce as my editor", ("tooling/editor", "Lapce")),
    ("My editor is Zed", ("tooling/editor", "Zed")),
    ("I live in Paris, no sorry, in Lyon", ("home", "Lyon")),
    ("I use npm, I mean pnpm", ("tooling/package_manager", "pnpm")),
    ("I speak German and French", ("speaks", "French")),
    ("Never commit to main", ("style", "Never commit to main")),
    ("My favorite color is green now", ("favourite/color", "green")),
    ("I moved from Kyiv to Warsaw last month", ("home", "Warsaw")),
    ("Я больше не использую npm, теперь pnpm", ("tooling/package_manager", "pnpm")),
    ("presenting tomorrow", ("event", "Presentation on tomorrow")),
    ("we have a demo next Tuesday", ("event", "we have a demo next Tuesday")),
    ("use foobar please", ("style", "use foobar please")),
    ("I've switched to quuxd", ("tool", "quuxd")),
    ("never use tabs", ("style/indentation", "tabs")),
    ("indent with 4 spaces", ("style/indentation", "4 spaces")),
    ("Меня зовут Анна", ("name", "Анна")),
    ("Я работаю инженером", ("role", "инженером")),
    ("Я живу в Москве", ("home", "Москве")),
    ("Мы перешли с npm на pnpm", ("tooling/package_manager", "pnpm")),
    ("Отвечай кратко", ("communication/length", "short answers")),
    ("У меня аллергия на орехи", ("allergy", "орехи")),
    ("дедлайн в пятницу", ("deadline", "пятницу")),
    ("Me llamo Ana", ("name", "Ana")),
    ("Soy ingeniera de datos", ("role", "ingeniera de datos")),
    ("Vivo en Madrid", ("home", "Madrid")),
    ("Hemos migrado de npm a pnpm", ("tooling/package_manager", "pnpm")),
    ("Soy alérgica a las nueces", ("allergy", "nueces")),
    ("uso 3 espacios", ("style/indentation", "3 spaces")),
    ("я использую 10 пробелов", ("style/indentation", "10 spaces")),
    ("no como carne", ("diet", "sin carne")),
    ("я не ем мясо", ("diet", "не употребляет мясо")),
    ("presentación el viernes", ("event", "Presentación: viernes")),
    ("выступаю в пятницу", ("event", "Презентация: пятницу")),
    ("nunca uses tabs", ("style/indentation", "tabs")),
]


@every(("text", "item"), STATED)
def test_a_statement_becomes_a_keyed_item(text: str, item: tuple[str, str]) -> None:
    assert item in learned(text)


NOT_STATED = [
    "I am tired",
    "I'm so happy with this",
    "I am here",
    "I'm going home",
    "I'm a bit lost",
    "I'm a big fan of nothing in particular, haha",
    "Do you use Vim?",
    "What if I switched to Emacs?",
    "If I used Vim, would it be faster?",
    "I might switch to Zed",
    "I'm thinking of moving to Neovim",
    'He said "I use Vim"',
    "She told me I use npm too much",
    "My colleague says I'm a senior developer",
    "Should I use yarn?",
    "Can you use the second one?",
    "use it",
    "use both",
    "use the latest version",
    "Let's use whatever works",
    "I used the wrong flag",
    "I want to go home",
    "I'd like a table for two",
    "I like it",
    "Thanks, that works!",
    "My problem is the login",
    "My code is broken",
    "Call me later",
    "Suppose I'm a doctor",
    "I'm not a developer",
    "I want a short trip",
    "I need to go to the bank",
    "I was wondering about Python",
    "I hate it when that happens",
    "Я устал",
    "Я думаю, это хорошо",
    "Если бы я использовал Vim",
    "Estoy cansado",
    "¿Debería usar yarn?",
    "Soy muy feliz",
]


@every("text", NOT_STATED)
def test_what_is_not_stated_about_the_speaker_is_not_learned(text: str) -> None:
    assert learned(text) == []


def test_every_item_keeps_the_words_and_the_place_it_was_read_from() -> None:
    talk = chat()
    talk.hear("Well, I always use VS Code for this.")
    (item,) = talk.memory.preferences()
    assert "Well, I always use VS Code for this."[item.start : item.end] == "VS Code"
    assert item.words == "Well, I always use VS Code for this."
    assert (item.session, item.version, item.rule) == ("s", 1, "talk.states")


CHAINS = [
    ("I prefer VS Code", "Actually, I prefer Vim", "tooling/editor", "CORRECTS"),
    ("I always use VS Code", "I've switched to Neovim", "tooling/editor", "CHANGES"),
    ("I use tabs for indentation", "Actually, let's use 2 spaces instead", "style/indentation", "CHANGES"),
    ("I use npm", "I no longer use npm, I use pnpm", "tooling/package_manager", "CHANGES"),
    ("I use npm", "not npm, use pnpm", "tooling/package_manager", "CORRECTS"),
    ("I use npm", "change from npm to pnpm", "tooling/package_manager", "CHANGES"),
    ("I use npm", "instead of npm, do pnpm", "tooling/package_manager", "CHANGES"),
    ("I use npm", "I meant pnpm", "tooling/package_manager", "CORRECTS"),
    ("I use npm", "No wait, I use pnpm", "tooling/package_manager", "CORRECTS"),
    ("I prefer jest", "Vitest would be better", "tooling/test_framework", "CHANGES"),
    ("I use npm", "actually, pnpm", "tooling/package_manager", "CORRECTS"),
    ("Я предпочитаю VS Code", "На самом деле я предпочитаю Vim", "tooling/editor", "CORRECTS"),
    ("Я всегда использую VS Code", "Я перешёл на Neovim", "tooling/editor", "CHANGES"),
    ("Я использую npm", "не npm, а pnpm", "tooling/package_manager", "CORRECTS"),
    ("Prefiero VS Code", "En realidad, prefiero Vim", "tooling/editor", "CORRECTS"),
    ("Siempre uso VS Code", "Me he cambiado a Neovim", "tooling/editor", "CHANGES"),
    ("Uso npm", "no npm, usa pnpm", "tooling/package_manager", "CORRECTS"),
]


@every(("first", "second", "slot", "relation"), CHAINS)
def test_a_second_statement_supersedes_with_the_right_relation(
    first: str, second: str, slot: str, relation: str
) -> None:
    talk = chat()
    talk.hear(first)
    talk.hear(second)
    old, new = talk.memory.preferences(history=True)
    assert (old.slot, new.slot) == (slot, slot)
    assert (old.superseded_by, new.relation) == (new.id, relation)
    assert new.superseded_by == ""
    assert old.void == (relation == "CORRECTS")


def test_a_correction_of_the_last_statement_finds_its_item() -> None:
    for said in ("Actually it's Katherine", "My name is not Kate, it's Katherine", "I meant Katherine"):
        talk = chat()
        talk.hear("My name is Kate")
        talk.hear(said)
        assert talk.memory.value("name") == "Katherine"
        assert [fact.value for fact in talk.memory.facts(history=True)] == ["Kate", "Katherine"]


def test_a_deadline_that_moves_replaces_the_old_one() -> None:
    talk = chat()
    talk.hear("The deadline is March 3rd")
    talk.hear("The deadline has been moved to March 10th")
    assert [fact.value for fact in talk.memory.facts()] == ["March 10th"]


def test_ordinary_talk_changes_nothing() -> None:
    talk = chat()
    talk.hear("I'm Anna, a senior developer at Siemens. I always use Vim and I prefer tabs.")
    before = talk.memory.items()
    for said in (
        "No, thanks",
        "No. Thanks!",
        "Actually, never mind",
        "Can you look at the build?",
        "Actually, can you explain that again?",
        "No, that is not what the log says",
        "The test fails instead of passing",
        "I think the second one is better",
        "Sorry, I was away",
        "I'm not sure what you mean",
        "He prefers Emacs, I guess",
        "What about spaces?",
        "Is Emacs any good?",
        "I'm back now",
        "Let's see what happens",
        "We should talk about the deadline at some point",
        "Use the other branch",
    ):
        talk.hear(said)
    assert talk.memory.items() == before


def test_what_is_told_of_a_colleague_is_not_the_speakers() -> None:
    talk = chat()
    talk.hear("I'm Anna, a senior developer at Siemens.")
    talk.hear("My manager is a former lawyer")
    assert [item.value for item in talk.memory.items() if item.slot == "role"] == ["senior developer"]


def test_what_a_person_does_not_like_is_kept_as_such() -> None:
    talk = chat()
    talk.hear("I love onions")
    talk.hear("I hate onions")
    (item,) = talk.memory.facts()
    assert (item.value, item.positive) == ("onions", False)
    assert item.label == "likes: not onions"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("my wife is vegetarian, remember that", "my wife is vegetarian"),
        ("The gate code is 4411, please remember it.", "The gate code is 4411"),
        ("моя жена вегетарианка, запомни это", "моя жена вегетарианка"),
        ("mi mujer es vegetariana, recuérdalo", "mi mujer es vegetariana"),
    ],
)
def test_what_stands_before_remember_that_is_kept_as_it_was_said(said: str, kept: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(said)
    assert [item.value for item in chat.memory.items()] == [kept]


@pytest.mark.parametrize("said", ["do you remember that?", "I can't remember that", "I remember it well"])
def test_to_remember_is_not_to_be_asked_to(said: str) -> None:
    chat = Holdfast().session("s", user="u")
    chat.hear(said)
    assert chat.state.user is not None
    assert not chat.state.user.slices["memory"].items
