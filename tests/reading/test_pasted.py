"""What somebody hands over to be worked on (a mail, a letter, a log, a talk, code) says nothing about the person."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.reading.pasted import pasted
from tests.linear import stays_linear
from tests.rows import every

HANDED_OVER = [
    "please reply\n\nHey Marta,\nI'm Kevin, I live in Tucson and my email is kev@acc.example.\nThx, K",
    "what does he want??\n\nTo: all@firm.example\nSubject: cats\n\nI'm allergic to cats. I moved to Bremen.",
    "tldr?\n\n---------- Forwarded message ---------\nmy name is Oleg and I work at Siemens",
    "so she said this\n\nOn Tue, Nov 3, 2026 Ann Lee wrote:\nI live in Tampa now. I'm vegan.",
    "here's our chat, who's right?\nsam: i live in chicago\nlee: no way\nsam: my name is samuel\nlee: lol",
    "[10:02] Tom: I work at Intel\n[10:03] Ida: I live in Ghent\n[10:04] Tom: cool\nsummarize",
    "it crashes\n2026-11-02T10:11:12Z ERROR my name is worker\n2026-11-02T10:11:13Z INFO I live in Boston",
    "ERROR: user says i live in Madrid\nERROR: user says my name is Pia\nwhat is this",
    "why no output\nimport os\nname = 'Rita'\n# my name is Rita, I live in Porto\nprint(name)",
    "review please\nfunction f() {\n  // I use vim and i'm vegan\n  const city = 'Lima';\n  return city;\n}",
    "is it right?\nlet me = { name: 'Rita', home: 'Porto', job: 'nurse' };",
    "make it faster\n  for (int k = 9; k > 0; k--)\n    total += row[k];",
    "почему пусто\nSELECT name FROM people WHERE city = 'Пермь'",
    "no funciona\nuser = Person(name='Ana', city='Quito')",
    "fix my html\n<div>\n<p>My name is Ana and I live in Quito</p>\n</div>\n<span>x</span>",
    "> I live in Boston\n> my name is Ted\nis that about me?",
    "переведи письмо\n\nЗдравствуйте, Анна!\nМеня зовут Пётр, я живу в Казани.\nС уважением, Пётр",
    "что ответить?\n\nОт: petr@firma.example\nТема: встреча\n\nЯ живу в Самаре, меня зовут Пётр",
    "resume esto\n\nDe: luis@empresa.example\nAsunto: viaje\n\nMe llamo Luis y vivo en Sevilla.",
    "¿qué contesto?\n\nHola Carmen,\nme llamo Pedro, vivo en Bilbao y trabajo en Iberdrola.\nSaludos",
]
OWN = [
    ("Hi there,\nmy name is Marta and I live in Ghent.", "Marta", "Ghent"),
    ("Hello!\n\nI'm Kevin.\nI live in Tucson", "Kevin", "Tucson"),
    ("two things\n- I live in Bremen\n- I'm vegan", "Bremen", "vegan"),
    ("from: Paris\nto: Rome\ndate: friday\nmy name is Ida", "Ida"),
    ("1. I live in Quito\n2. I work at Intel\n3. I'm vegetarian", "Quito", "Intel", "vegetarian"),
    ("here is the error:\nERROR: disk full\nbtw I live in Lima", "Lima"),
    ("question: where to eat?\nI live in Cork\nI'm vegan", "Cork", "vegan"),
    ("can you help?\n\nI live in Graz and I need a dentist.\n\nThanks,\nUte", "Graz"),
    ("x = 5 is what I got\nI live in Bonn", "Bonn"),
    ("my brother(s) say hi;\nI live in Bonn (north)", "Bonn"),
    ("привет\nменя зовут Пётр\nя живу в Казани", "Пётр", "Казани"),
    ("Hola\nme llamo Luis\nvivo en Sevilla", "Luis", "Sevilla"),
]


def known(text: str) -> str:
    chat = Holdfast().session("s", user="u")
    chat.hear(text)
    return str([*chat.state.slots.values.items(), *((memo.slot, memo.value) for memo in chat.memory.items())])


@every("text", HANDED_OVER)
def test_what_is_handed_over_is_not_learned(text: str) -> None:
    assert known(text) == "[]"


@every(("text", "values"), [(text, values) for text, *values in OWN])
def test_what_a_person_says_on_several_lines_is_learned(text: str, values: list[str]) -> None:
    assert [value for value in values if value not in known(text)] == []


def test_a_pasted_log_leaves_no_more_behind_than_a_few_lines() -> None:
    hf = Holdfast()
    chat = hf.session("s")
    log = "\n".join(f"10:00:{n % 60:02d} login from Boston by user{n}@example.org" for n in range(600))
    assert len(chat.hear(f"why does this fail?\n{log}").events) < 30


@pytest.mark.parametrize("part", ["a: b\n", "hi a,\n\n", "from: a\n", "f(\n", "10:00:00\n", "\n", "aaaa "])
def test_hostile_lines_are_read_in_linear_time(part: str) -> None:
    reader = Holdfast().pack.reader
    stays_linear(lambda text: reader.read(f"x\n{text}").find(pasted), part)
