"""The document's examples in other words and in three languages: what is current after some messages, and by which
relation it came to be so."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.faculties.facts.relations import Memo
from holdfast.session import Session
from tests.rows import every


def heard(*messages: str) -> Session:
    chat = Holdfast(pack="copilot_cli").session("s", user="u", project="p")
    for message in messages:
        chat.hear(message)
    return chat


def holding(chat: Session, slot: str) -> list[Memo]:
    return [memo for memo in chat.memory.items() if memo.slot == slot and memo.positive]


@every(
    ("messages", "slot", "values", "relation"),
    [
        (["I prefer VS Code", "Actually, Vim is what I prefer"], "tooling/editor", ["Vim"], "CORRECTS"),
        (["I prefer VS Code", "Scratch that, I prefer Vim"], "tooling/editor", ["Vim"], None),
        (["My editor is VS Code", "My editor is Emacs now"], "tooling/editor", ["Emacs"], "CHANGES"),
        (["I always use VS Code", "I moved over to Neovim last week"], "tooling/editor", ["Neovim"], "CHANGES"),
        (["I always use VS Code", "Nowadays I work in Neovim"], "tooling/editor", ["Neovim"], "CHANGES"),
        (["I code in Sublime", "I've ditched Sublime for Zed"], "tooling/editor", ["Zed"], "CHANGES"),
        (["I use VS Code", "I traded VS Code for Helix"], "tooling/editor", ["Helix"], "CHANGES"),
        (["I'm a VS Code user", "I'm a Neovim user now"], "tooling/editor", ["Neovim"], "CHANGES"),
        (["we use npm here", "we've migrated to pnpm"], "tooling/package_manager", ["pnpm"], "CHANGES"),
        (["I prefer npm", "please use pnpm from now on"], "tooling/package_manager", ["pnpm"], "CHANGES"),
        (["use npm", "instead of npm, use bun"], "tooling/package_manager", ["bun"], "CHANGES"),
        (["use npm", "replace npm with yarn"], "tooling/package_manager", ["yarn"], "CHANGES"),
        (["use npm", "change from npm to yarn"], "tooling/package_manager", ["yarn"], "CHANGES"),
        (["use npm", "yarn instead of npm please"], "tooling/package_manager", ["yarn"], "CHANGES"),
        (["use npm", "don't use npm, use yarn"], "tooling/package_manager", ["yarn"], None),
        (["use npm", "no more npm, we're on pnpm"], "tooling/package_manager", ["pnpm"], None),
        (["not poetry but uv"], "tooling/package_manager", ["uv"], None),
        (["no, use poetry"], "tooling/package_manager", ["poetry"], None),
        (["nope, pnpm please"], "tooling/package_manager", ["pnpm"], None),
        (["I indent with tabs", "make it 4 spaces instead"], "style/indentation", ["4 spaces"], "CHANGES"),
        (["I use tabs for indentation", "let's go with two spaces"], "style/indentation", ["2 spaces"], "CHANGES"),
        (["Tabs for indentation", "Actually 4 spaces"], "style/indentation", ["4 spaces"], None),
        (["I'm a junior developer", "I got promoted to senior developer"], "role", ["senior developer"], "CHANGES"),
        (
            ["I'm a junior developer", "I'm no longer a junior, I'm a senior developer"],
            "role",
            ["senior developer"],
            "CHANGES",
        ),
        (["I am a backend engineer", "I'm a team lead these days"], "role", ["team lead"], "CHANGES"),
        (["I work as a data analyst", "I recently became a data scientist"], "role", ["data scientist"], "CHANGES"),
        (["I'm a developer at Acme", "I work at Globex now"], "employer", ["Globex"], "CHANGES"),
        (["My name is Bob", "Sorry, it's Rob"], "name", ["Rob"], "CORRECTS"),
        (["My name is Jon", "call me Jonathan"], "name", ["Jonathan"], "CORRECTS"),
        (["I'm Alice"], "name", ["Alice"], "NEW"),
        (["I am Maria Lopez"], "name", ["Maria Lopez"], "NEW"),
        (["we use jest", "let's switch our tests to vitest"], "tooling/test_framework", ["vitest"], "CHANGES"),
        (["we format with prettier", "use biome for formatting"], "tooling/formatter", ["biome"], "CHANGES"),
        (
            ["I prefer functional style", "object-oriented is what I prefer now"],
            "style/paradigm",
            ["object-oriented"],
            "CHANGES",
        ),
        (["The deadline is next Monday"], "deadline", ["next Monday"], "NEW"),
        (["The deadline is on Thursday"], "deadline", ["Thursday"], "NEW"),
        (["We need to ship by Friday"], "deadline", ["We need to ship by Friday"], "NEW"),
        (["I have a demo on Tuesday"], "event", ["I have a demo on Tuesday"], "NEW"),
        (["I'm presenting on Wednesday"], "event", ["Presentation on Wednesday"], "NEW"),
        (["the deadline is Friday", "the deadline moved to Monday"], "deadline", ["Monday"], "CHANGES"),
        (["Я использую VS Code", "Я перешёл на Neovim"], "tooling/editor", ["Neovim"], "CHANGES"),
        (["Предпочитаю npm", "используй pnpm, пожалуйста"], "tooling/package_manager", ["pnpm"], None),
        (["не npm, а pnpm"], "tooling/package_manager", ["pnpm"], None),
        (["Использую табы", "На самом деле давай 2 пробела"], "style/indentation", ["2 пробела", "2 spaces"], None),
        (["Я джуниор-разработчик", "Теперь я сеньор-разработчик"], "role", ["сеньор-разработчик"], "CHANGES"),
        (
            ["Я младший разработчик", "Вообще-то я теперь старший разработчик"],
            "role",
            ["старший разработчик"],
            "CHANGES",
        ),
        (["Меня зовут Катя", "Точнее, Екатерина"], "name", ["Екатерина"], "CORRECTS"),
        (["Дедлайн в пятницу"], "deadline", ["пятницу", "пятница"], "NEW"),
        (["Вместо npm используй yarn"], "tooling/package_manager", ["yarn"], None),
        (["Замени npm на yarn"], "tooling/package_manager", ["yarn"], None),
        (["Uso VS Code", "Me he pasado a Neovim"], "tooling/editor", ["Neovim"], "CHANGES"),
        (["Prefiero npm", "usa siempre pnpm, por favor"], "tooling/package_manager", ["pnpm"], None),
        (["no npm, usa pnpm"], "tooling/package_manager", ["pnpm"], None),
        (["Uso tabuladores", "En realidad, usemos 2 espacios"], "style/indentation", ["2 espacios", "2 spaces"], None),
        (["Soy desarrollador junior", "Ahora soy desarrollador senior"], "role", ["desarrollador senior"], "CHANGES"),
        (["Me llamo Ana", "Perdón, me llamo Anna"], "name", ["Anna"], "CORRECTS"),
        (["La fecha límite es el viernes"], "deadline", ["viernes", "el viernes"], "NEW"),
        (["En lugar de npm, usa yarn"], "tooling/package_manager", ["yarn"], None),
        (["Cambia npm por yarn"], "tooling/package_manager", ["yarn"], None),
        (["I think I prefer yarn"], "tooling/package_manager", ["yarn"], None),
        (["I'm into hiking"], "hobby", ["hiking"], None),
        (["keep your answers short"], "communication/length", ["short answers"], None),
        (
            ["Please be concise", "Actually, give me detailed answers"],
            "communication/length",
            ["detailed answers"],
            None,
        ),
        (["I write my tests in pytest"], "tooling/test_framework", ["pytest"], "NEW"),
        (["Our project uses yarn"], "tooling/package_manager", ["yarn"], "NEW"),
        (["We're a pnpm shop"], "tooling/package_manager", ["pnpm"], "NEW"),
        (["pnpm is our package manager"], "tooling/package_manager", ["pnpm"], "NEW"),
        (["For formatting I use black"], "tooling/formatter", ["black"], "NEW"),
        (["My go-to editor is Helix"], "tooling/editor", ["Helix"], "NEW"),
        (["I do everything in Emacs"], "tooling/editor", ["Emacs"], "NEW"),
        (["Vim user here"], "tooling/editor", ["Vim"], "NEW"),
        (["I live in Berlin", "I just moved to Munich"], "home", ["Munich"], "CHANGES"),
        (["we use npm", "from now on yarn"], "tooling/package_manager", ["yarn"], "CHANGES"),
        (["use pip", "that's wrong, it's poetry"], "tooling/package_manager", ["poetry"], "CORRECTS"),
        (["use cargo", "we no longer use cargo but bun"], "tooling/package_manager", ["bun"], "CHANGES"),
        (["use npm", "instead of npm use yarn"], "tooling/package_manager", ["yarn"], "CHANGES"),
        (["use npm", "npm -> pnpm"], "tooling/package_manager", ["pnpm"], None),
        (["I prefer VS Code", "scratch that, Zed"], "tooling/editor", ["Zed"], None),
        (["I use 4 spaces", "make it 2"], "style/indentation", ["2 spaces"], None),
        (["tabs, not spaces"], "style/indentation", ["tabs"], None),
        (["my name is Ann", "it's Anna, not Ann"], "name", ["Anna"], "CORRECTS"),
        (["deadline is Friday", "deadline is Thursday, not Friday"], "deadline", ["Thursday"], "CORRECTS"),
        (["the deadline is March 3", "deadline got pushed to March 10"], "deadline", ["March 10"], "CHANGES"),
        (["deadline is Monday", "actually the deadline is Tuesday"], "deadline", ["Tuesday"], "CORRECTS"),
        (["дедлайн в пятницу", "дедлайн перенесли на понедельник"], "deadline", ["понедельник"], "CHANGES"),
        (["дедлайн в среду", "дедлайн в четверг, а не в среду"], "deadline", ["четверг"], "CORRECTS"),
        (["uso npm", "en vez de npm usa pnpm"], "tooling/package_manager", ["pnpm"], "CHANGES"),
        (
            ["la entrega es el viernes", "la entrega se pasó al lunes"],
            "deadline",
            ["la entrega es el lunes"],
            "CHANGES",
        ),
        (["I'm 29", "I turned 30 yesterday"], "age", ["30"], "CHANGES"),
    ],
)
def test_one_value_is_current(messages: list[str], slot: str, values: list[str], relation: str | None) -> None:
    (held,) = holding(heard(*messages), slot)
    assert held.value in values
    assert relation in (None, held.relation)


@every(
    ("messages", "slot"),
    [
        (["I'm exhausted"], "name"),
        (["I'm German"], "name"),
        (["I'm Python-savvy"], "name"),
        (["I'm busy today"], "name"),
        (["never use tabs"], "style/indentation"),
        (["I use Vim", "forget that I use Vim"], "tooling/editor"),
        (["I use Vim", "I don't use Vim anymore"], "tooling/editor"),
        (["I use Vim", "I stopped using Vim"], "tooling/editor"),
        (["I use Vim", "I've given up on Vim"], "tooling/editor"),
        (["Should I use Vim?"], "tooling/editor"),
        (["If I used Vim I'd be faster"], "tooling/editor"),
        (["My colleague uses Vim"], "tooling/editor"),
        (['He said "I use Vim"'], "tooling/editor"),
        (["I'm thinking about switching to Vim"], "tooling/editor"),
        (["I might switch to Vim"], "tooling/editor"),
        (["I don't use Vim"], "tooling/editor"),
        (["the deadline is Friday", "drop the deadline"], "deadline"),
        (["Я использую Vim", "Я больше не использую Vim"], "tooling/editor"),
        (["Я использую Vim", "Забудь, что я использую Vim"], "tooling/editor"),
        (["Никогда не используй табы"], "style/indentation"),
        (["Я устал"], "name"),
        (["Uso Vim", "Ya no uso Vim"], "tooling/editor"),
        (["Uso Vim", "Olvida que uso Vim"], "tooling/editor"),
        (["Nunca uses tabuladores"], "style/indentation"),
        (["Estoy cansado"], "name"),
        (["convert tabs to spaces in this file"], "style/indentation"),
        (["replace tabs with spaces in this function"], "style/indentation"),
        (["use yarn", "please forget about yarn"], "tooling/package_manager"),
        (["I use Vim", "delete what I said about Vim"], "tooling/editor"),
        (["deadline is Friday", "there's no deadline anymore"], "deadline"),
        (["I was going to use bun"], "tooling/package_manager"),
        (["npm, not working"], "tooling/package_manager"),
        (["npm no funciona"], "tooling/package_manager"),
        (["я использую vim", "я бросил vim"], "tooling/editor"),
    ],
)
def test_no_value_is_current(messages: list[str], slot: str) -> None:
    assert holding(heard(*messages), slot) == []


@pytest.mark.parametrize(
    ("messages", "slot", "values"),
    [
        (["I use Vim", "I also use Emacs"], "tooling/editor", ["Emacs", "Vim"]),
        (["I use both Vim and Emacs"], "tooling/editor", ["Emacs", "Vim"]),
        (["I use Vim", "I use Emacs as well"], "tooling/editor", ["Emacs", "Vim"]),
    ],
)
def test_several_values_hold_beside_each_other(messages: list[str], slot: str, values: list[str]) -> None:
    assert sorted(memo.value for memo in holding(heard(*messages), slot)) == sorted(values)


@pytest.mark.parametrize(
    ("messages", "current"),
    [
        (["Let's use React for the frontend", "Vue would be better for this use case"], ["Vue"]),
        (
            [
                "We decided to use PostgreSQL",
                "Let's go with MongoDB for the database",
                "Let's use PostgreSQL with a caching layer",
            ],
            ["PostgreSQL with a caching layer"],
        ),
        (["Use React for frontend", "Svelte would be a better fit for this"], ["Svelte"]),
        (["We'll use PostgreSQL for the database", "We'll use React for the frontend"], ["PostgreSQL", "React"]),
        (["I've decided on Django for the backend", "Let's switch to FastAPI for the backend"], ["FastAPI"]),
        (["Давайте возьмём React для фронтенда", "Vue будет лучше для этого"], ["Vue"]),
        (["Vamos a usar React para el frontend", "Vue sería mejor para este caso"], ["Vue"]),
    ],
)
def test_a_decision_replaces_that_of_its_subject_alone(messages: list[str], current: list[str]) -> None:
    made = [memo.text for memo in heard(*messages).memory.decisions()]
    assert len(made) == len(current)
    assert all(any(what in text for text in made) for what in current)


@pytest.mark.parametrize("said", ["npm or maybe pnpm", "npm или может быть pnpm", "npm o quizás pnpm"])
def test_two_values_in_one_breath_are_asked_about(said: str) -> None:
    assert heard().hear(said).question


def test_an_agent_that_tells_a_decision_again_makes_none() -> None:
    chat = heard("Let's use React for the frontend", "Vue would be better for this use case")
    chat.say("Use React for the frontend → Use Vue for frontend")
    assert [memo.text for memo in chat.memory.decisions()] == ["Use Vue for frontend"]


def test_a_third_value_settles_what_was_asked_about_two() -> None:
    chat = heard("use npm", "use yarn", "use pnpm")
    question = chat.hear("use npm").question
    assert question
    chat.say(question)
    chat.hear("use poetry")
    assert [memo.value for memo in holding(chat, "tooling/package_manager")] == ["poetry"]
    assert not chat.hear("thanks").question


@pytest.mark.parametrize(
    ("first", "then", "undone"),
    [
        ("I prefer Vim", "Actually, I prefer Emacs", "undo that"),
        ("Я пишу в Vim", "теперь пишу в Emacs", "отмени это"),
        ("Uso Vim", "ahora uso Emacs", "deshaz eso"),
    ],
)
def test_undoing_brings_back_what_was_replaced(first: str, then: str, undone: str) -> None:
    chat = heard(first, then, undone)
    assert [memo.value for memo in holding(chat, "tooling/editor")] == ["Vim"]


def test_undo_said_long_after_is_about_something_else() -> None:
    chat = heard("I prefer Vim", *["fix the failing test"] * 8, "undo that")
    assert [memo.value for memo in holding(chat, "tooling/editor")] == ["Vim"]
