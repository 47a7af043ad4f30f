"""Receipts in the language of the reader: every form that the engine writes is in every table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast import Holdfast
from holdfast.receipt import Line, Said
from holdfast.telling import ENGINE, apart, languages, read, sentence, told_in, words

SOURCE = Path(holdfast.__file__).parent
OTHERS = [language for language in languages() if language != ENGINE]
FORMS = {form for forms in words("ru").lines.values() for form in forms} | set(words("ru").sentences)
PLACE = re.compile(r"\{\w+\}")


def _nodes(kind: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield from (
            (path.name, node) for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, kind)
        )


def _text(node: ast.expr | None) -> str | None:
    """A string as it is written, with "x1" in its places; None for what is no string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x1" for part in node.values)
    return None


def test_every_verb_of_a_receipt_has_a_word_in_every_language() -> None:
    verbs = {"left out", "mentioned", "recorded"}
    for _, node in _nodes(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        for part in node.body:
            named = isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and part.targets[0].id
            if named == "did" and isinstance(part, ast.Assign) and (did := _text(part.value)):
                verbs.add(did)
    assert len(verbs) > 35
    for language in languages():
        assert verbs - set(words(language).verbs) == set(), language


def test_every_word_that_an_event_tells_stands_in_a_form() -> None:
    known = " ".join(FORMS)
    missing = []
    for file, node in _nodes(ast.FunctionDef):
        if isinstance(node, ast.FunctionDef) and node.name == "tell":
            for inner in ast.walk(ast.Module(node.body, [])):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and "\n" not in inner.value:
                    bare = inner.value.strip(" :,().[]'\"“”→-=")
                    if re.search(r"[a-z]{2}", bare) and bare not in known and not bare.startswith("The event"):
                        missing.append((file, bare))
    names = ("library.", "follow-up", "resume")  # names of the engine's own, which have a word each
    assert [each for each in missing if each[1] not in names] == []


def test_every_reason_that_is_stored_is_known_in_every_language() -> None:
    unknown = []
    for file, node in _nodes(ast.Call):
        assert isinstance(node, ast.Call)
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        given = [each.value for each in node.keywords if each.arg == "reason"]
        given += node.args[1:2] if called == "Violation" else []
        for value in given:
            text = _text(value)
            if text and not isinstance(sentence(text), Said):
                unknown.append((file, text))
    for file, node in _nodes(ast.Yield):
        if file == "replies.py" and isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
            text = _text(node.value.elts[1])
            if text and not isinstance(sentence(text), Said):
                unknown.append((file, text))
    assert unknown == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_table_tells_every_form_and_leaves_out_no_value(language: str) -> None:
    table, model = words(language), words("ru")
    assert {did: set(forms) for did, forms in table.lines.items()} == {
        did: set(forms) for did, forms in model.lines.items()
    }
    assert set(table.sentences) == set(model.sentences)
    assert set(table.names) >= set(words(ENGINE).names)
    assert set(table.frame) == set(words(ENGINE).frame)
    unsaid = {"{relation}", "{state}", "{n}"}  # marks for those who read receipts as data
    for forms in (*table.lines.values(), table.sentences):
        for form, told in forms.items():
            assert set(PLACE.findall(told)) <= set(PLACE.findall(form)), form
            assert set(PLACE.findall(form)) - set(PLACE.findall(told)) <= unsaid, form


def test_a_line_is_told_in_three_languages_and_its_json_stays() -> None:
    line = Line("superseded", "location = Porto (was Lisbon)")
    assert words("ru").what(line) == "Место: Lisbon → Porto"
    assert words("es").what(line) == "Lugar: Lisbon → Porto"
    assert told_in("en").what(line) == line.what
    assert read(line) == Said(
        "{slot} = {value} (was {old})", parts={"slot": Said(name="location"), "value": "Porto", "old": "Lisbon"}
    )


def test_a_reason_inside_a_line_is_told_as_well() -> None:
    line = Line("held back", "“Where?”: asks for the location, which is known: Paris")
    assert words("ru").what(line) == "«Where?»: спрашивает то, что известно: Место — Paris"
    assert words("es").what(line) == "«Where?»: pregunta por lo que ya se sabe: Lugar, Paris"


def test_what_no_table_knows_stays_as_it_is() -> None:
    assert words("ru").what(Line("noted", "src/app.py")) == "src/app.py"
    assert words("xx").what(Line("learned", "colour = red")) == "colour = red"
    assert words("ru").verb("invented") == "invented"
    assert read(Line("learned", "a = b" * 2000)) is None


def test_values_that_look_like_forms_come_through_whole() -> None:
    line = Line("superseded", "search_query = bars (was open) (was pubs = [x])")
    assert words("es").what(line) == "Buscas: pubs = [x] → bars (was open)"


def test_a_name_is_one_fact_and_was_learned_once() -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    turn = chat.hear("My name is Dana")
    assert len(turn.receipt.did("learned")) == 1
    assert chat.state.slots.values["name"].fact == chat.memory.facts()[0].id


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        ("ru", ["Меня зовут Дана, я живу в Москве", "Я веган", "Теперь я живу в Казани", "Уже не веган"]),
        ("es", ["Me llamo Dana y vivo en Madrid", "Soy vegana", "Ahora vivo en Sevilla", "Prefiero el té"]),
    ],
)
def test_a_whole_talk_is_told_without_a_word_of_english(language: str, talk: list[str]) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    table = words(language)
    for text in talk:
        for line in apart(chat.hear(text).receipt).lines:
            if line.did in ("injected", "understood"):
                continue
            told = f"{table.verb(line.did)} {table.what(line)}"
            assert not re.search(r"\b(was|is|the|to|of|NEW|CHANGES|home|name|diet)\b", told), told


def test_a_line_of_a_thousand_names_is_told_and_a_longer_one_is_left_alone() -> None:
    many = ", ".join(f"venue {n % 10}" for n in range(110))
    assert len(many) < 1000
    assert "venue" not in words("ru").what(Line("learned", many))
    assert words("ru").what(Line("learned", many * 20)) == many * 20
