"""What people are told is a template and its fields: every template is in the table, in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from holdfast import Holdfast
from holdfast.events import SHARED, Codec, Event, ReplyFlagged, Routed, Violation
from holdfast.pack import load
from holdfast.receipt import receipt
from holdfast.telling import NAMED, TABLE, Said, languages, listed, said, words
from tests.source import nodes, texts

PLACE = re.compile(r"\{(\w+)\}")
ENGLISH = words("en").texts


def _nodes(kind: type[ast.AST], having: str = "") -> Iterator[tuple[str, ast.AST]]:
    for name, found in nodes().items():
        if having in texts()[name]:
            yield from ((f"{name}:{getattr(node, 'lineno', 0)}", node) for node in found if type(node) is kind)


def _templates(node: ast.expr) -> list[str]:
    """The ids that an argument may be: a string, or a choice between strings."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.IfExp):
        return [*_templates(node.body), *_templates(node.orelse)]
    return []


def _calls() -> Iterator[tuple[str, list[str], list[str]]]:
    """Every call of `said`: where, which templates, with which fields."""
    for where, node in _nodes(ast.Call, "from holdfast.telling import"):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "said" and node.args:
            yield where, _templates(node.args[0]), [str(each.arg) for each in node.keywords]


def test_every_template_that_the_code_names_is_in_the_table_with_its_fields() -> None:
    named = 0
    for where, templates, fields in _calls():
        for template in templates:
            named += 1
            assert template in ENGLISH, (where, template)
            places = set(PLACE.findall(ENGLISH[template]))
            assert places <= set(fields), (where, template, "a place that nothing fills")
    assert named > 150


def test_every_template_that_an_event_names_is_filled_by_its_fields() -> None:
    load("rv_service_desk")  # whose events are the most
    kinds = [kind for kind in _events(Event) if kind.told]
    for kind in kinds:
        assert set(PLACE.findall(ENGLISH[kind.told])) <= set(kind.__struct_fields__), kind
    assert len(kinds) > 15


def _events(kind: type[Event]) -> Iterator[type[Event]]:
    for made in kind.__subclasses__():
        yield made
        yield from _events(made)


def test_every_template_of_the_table_is_named_by_the_code() -> None:
    source = "".join(texts().values())
    built = ("mention.", "library.", "insight.")  # made of a beginning and a choice
    unused = [
        id for id in ENGLISH if not id.startswith(("did.", "name.", "frame.", *built)) and f'"{id}"' not in source
    ]
    assert unused == []


def test_every_verb_of_a_receipt_is_in_the_table() -> None:
    verbs = {"left out", "mentioned", "recorded"}
    for _, node in _nodes(ast.ClassDef):
        assert isinstance(node, ast.ClassDef)
        for part in node.body:
            named = isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and part.targets[0].id
            if (
                named == "did"
                and isinstance(part, ast.Assign)
                and isinstance(part.value, ast.Constant)
                and part.value.value
            ):
                verbs.add(str(part.value.value))
    assert len(verbs) > 35
    assert {verb for verb in verbs if f"did.{verb}" not in ENGLISH} == set()


def test_every_row_is_told_in_every_language_with_the_same_places() -> None:
    head, *rows = (line.split("\t") for line in Path(TABLE).read_text("utf-8").splitlines() if line and line[0] != "#")
    assert sorted(head[1:]) == languages() == ["en", "es", "ru"]
    seen = set()
    for id, english, *others in rows:
        assert id not in seen, f"{id} stands twice"
        seen.add(id)
        said_in_letters = re.search(r"[^\W\d_]", PLACE.sub("", english))
        assert len(others) == 2 or not said_in_letters, f"{id} lacks a language"
        for other in others:
            assert set(PLACE.findall(other)) == set(PLACE.findall(english)) or not english, id


def test_no_event_keeps_a_sentence_of_ours() -> None:
    """A reason in code would be one more English sentence in a log."""
    found = []
    for where, node in _nodes(ast.Call):
        assert isinstance(node, ast.Call)
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        given = [each.value for each in node.keywords if each.arg in ("reason", "review")]
        given += node.args[1:2] if called == "Violation" else []
        found += [where for value in given if isinstance(value, ast.JoinedStr)]
        found += [where for value in given if isinstance(value, ast.Constant) and " " in str(value.value)]
    assert found == []


def test_a_line_is_told_in_three_languages() -> None:
    told = said("slot.changed", slot="location", value="Porto", old="Lisbon")
    assert words("ru").say(told) == "Место: Lisbon → Porto"
    assert words("es").say(told) == "Lugar: Lisbon → Porto"
    assert str(told) == words("xx").say(told) == "Location: Lisbon → Porto"


def test_a_reason_inside_a_line_is_told_as_well() -> None:
    told = said("held", text="Where?", reason=said("guard.slot", slot="location", value="Paris"))
    assert words("ru").say(told) == "«Where?»: спрашивает то, что известно: Место — Paris"
    assert words("es").say(told) == "«Where?»: pregunta lo que ya se sabe: Lugar es Paris"


def test_what_no_table_knows_stays_as_it_is() -> None:
    assert words("ru").say("src/app.py") == "src/app.py"
    assert words("ru").verb("invented") == "invented"
    assert words("ru").say(said("slot.is", slot="shoe_size", value="44")) == "shoe size: 44"
    assert str(Said("a.template.of.a.later.engine", {"x": "y"})) == "a.template.of.a.later.engine"


def test_values_that_look_like_places_come_through_whole() -> None:
    told = said("slot.changed", slot="search_query", value="bars {old} (was open)", old="pubs = {slot}")
    assert words("es").say(told) == "Buscas: pubs = {slot} → bars {old} (was open)"


def test_several_things_stand_in_a_row() -> None:
    told = listed([said("override.wanted", new="plotly"), said("override.refused", old="bokeh"), "x"])
    assert words("ru").say(told) == "взять plotly, не bokeh, x"


def test_events_record_the_template_and_the_text_is_made_when_it_is_read() -> None:
    chat = Holdfast(pack="vibehuntr").session("s")
    chat.hear("Italian places in Boston")
    reply = chat.say("Which city are you in?")
    (flagged,) = [event for event in reply.events if isinstance(event, ReplyFlagged)]
    assert flagged.violation.said == said("guard.slot", slot="location", value="boston")
    assert flagged.violation.reason == ""
    assert reply.violations[0].reason == "asks for what is known: Location is boston"
    turn = Holdfast(pack="nxtscape").session("t").hear("find cheap flights to Rome on kayak")
    (routed,) = [event for event in turn.events if isinstance(event, Routed)]
    assert routed.route.reason == ""
    assert turn.route.reason == str(routed.route.said) == "looks like browsing"


def test_an_old_log_with_english_sentences_is_told_as_it_is() -> None:
    old = (
        b'[{"type":"routed","route":{"agent":"a","reason":"browse follow-up, not classified again"}},'
        b'{"type":"refusal","what":"location = Paris","reason":"negated"},'
        b'{"type":"reply_flagged","violation":{"rule":"r","reason":"asks for the location, which is known: Rome"}}]'
    )
    lines = receipt(1, Codec(SHARED).decode(old)).lines
    assert [words("ru").say(line.told) for line in lines] == [
        "агенту a: browse follow-up, not classified again",
        "location = Paris (negated)",
        "asks for the location, which is known: Rome",
    ]


def test_a_stranger_gives_a_reason_in_words_of_their_own() -> None:
    assert Violation("mine", "not today").in_words().reason == "not today"
    body = msgspec.json.encode(Violation("mine", "not today"))
    assert msgspec.json.decode(body, type=Violation).why == "not today"


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
        for line in chat.hear(text).receipt.lines:
            if line.did == "injected":
                continue
            told = f"{table.verb(line.did)} {table.say(line.told)}"
            english = {f" {ENGLISH[f'did.{line.did}']} ", *(f" {name} " for name in _english_names())}
            assert not any(word in f" {told} " for word in english), told


def _english_names() -> list[str]:
    """Names that only English has in these letters."""
    others = {words(language).texts.get(id) for language in ("ru", "es") for id in ENGLISH}
    return [text for id, text in ENGLISH.items() if id.startswith("name.") and len(text) > 3 and text not in others]


def test_the_places_that_hold_names_are_places_of_templates() -> None:
    places = {place for text in ENGLISH.values() for place in PLACE.findall(text)}
    assert places >= NAMED
