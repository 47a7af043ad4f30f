"""Reading: what is in a text, in three languages, and how each part of it stands."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import PackError
from holdfast.pack import installed, load
from holdfast.packs.general import PACK
from holdfast.reading.reader import Reader, Reading
from holdfast.reading.standing import fluent, sentences, standing
from holdfast.reading.tables import parse, shipped
from holdfast.reading.text import fold
from holdfast.reading.values import numbers, trimmed
from tests.linear import stays_linear
from tests.rows import every

READER = PACK.reader


def corrected(text: str) -> list[tuple[str | None, str | None]]:
    """The (old, new) of every correction cue, trimmed."""
    reading = READER.read(text)
    return [
        tuple(
            reading.words(trimmed(reading, cue.groups[name])) if name in cue.groups else None for name in ("old", "new")
        )  # type: ignore[misc]
        for cue in reading.all("correction")
    ]


@every(
    ("text", "old", "new"),
    [
        ("not npm, use pnpm", "npm", "pnpm"),
        ("change from React to Vue", "React", "Vue"),
        ("I meant Boston", None, "Boston"),
        ("Actually, Neovim", None, "Neovim"),
        ("instead of tabs, do 2 spaces", "tabs", "2 spaces"),
        ("no, wait, make it seven", None, "seven"),
        ("replace PostgreSQL with MongoDB please", "PostgreSQL", "MongoDB"),
        ("let's do Boston instead of Philly", "Philly", "Boston"),
        ("не npm, а pnpm", "npm", "pnpm"),
        ("перейди с React на Vue", "React", "Vue"),
        ("я имел в виду Москву", None, "Москву"),
        ("на самом деле, Питер", None, "Питер"),
        ("no npm sino pnpm", "npm", "pnpm"),
        ("cambia de React a Vue", "React", "Vue"),
        ("quise decir Madrid", None, "Madrid"),
        ("en realidad, Neovim", None, "Neovim"),
        ("Madrid en vez de Barcelona", "Barcelona", "Madrid"),
    ],
)
def test_a_correction_is_read_with_what_it_replaces(text: str, old: str | None, new: str | None) -> None:
    assert (old, new) in corrected(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Boston, no, I mean Austin", "Austin"),
        ("find pizza in Boston no wait in Austin please", "find pizza in Austin please"),
        ("We'll be four, no wait, five", "We'll be five"),
        ("встретимся в Москве, нет, подожди, в Питере", "встретимся в Питере"),
        ("una mesa para cuatro, no, perdón, cinco", "una mesa para cinco"),
        ("nothing to repair in this one", "nothing to repair in this one"),
    ],
)
def test_a_self_repair_leaves_what_was_meant(text: str, meant: str) -> None:
    assert fluent(READER.read(text)) == meant


@every(
    ("text", "value", "flag"),
    [
        ("I don't use tabs", "tabs", "negated"),
        ("anything but sushi", "sushi", "negated"),
        ("do I use Vim?", "Vim", "question"),
        ("where is Boston", "Boston", "question"),
        ("if I moved to Boston, what would change", "Boston", "hypothetical"),
        ("maybe I will use Emacs", "Emacs", "hypothetical"),
        ('she wrote "I use Vim" on the board', "I use Vim", "quoted"),
        ("> I use Vim\nok", "Vim", "quoted"),
        ("my brother uses Vim", "Vim", "reported"),
        ("Boston, no, I mean Austin", "Boston", "withdrawn"),
        ("я не использую табы", "табы", "negated"),
        ("если я перееду в Москву", "Москву", "hypothetical"),
        ("мой брат любит рыбу", "рыбу", "reported"),
        ("no uso tabuladores", "tabuladores", "negated"),
        ("¿uso Vim?", "Vim", "question"),
        ("si me mudo a Madrid", "Madrid", "hypothetical"),
    ],
)
def test_a_value_that_is_not_asserted_says_why(text: str, value: str, flag: str) -> None:
    reading = READER.read(text)
    start = reading.text.index(value)
    assert flag in reading.find(standing).of((start, start + len(value)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I use Vim", "Vim"),
        ("I don't use tabs but spaces", "spaces"),
        ("not npm, use pnpm", "pnpm"),
        ("I use Vim. What do you use?", "Vim"),
        ("Boston, no, I mean Austin", "Austin"),
        ("я живу в Питере", "Питере"),
        ("uso Vim", "Vim"),
        ("Sí, vivo en Lima", "Lima"),
        ("si, uso Vim", "Vim"),
        ("sí uso Vim", "Vim"),
    ],
)
def test_a_value_that_is_simply_said_is_asserted(text: str, value: str) -> None:
    reading = READER.read(text)
    start = reading.text.index(value)
    assert reading.find(standing).asserted((start, start + len(value)))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is the water pump", "en"),
        ("где находится насос", "ru"),
        ("dónde está la bomba", "es"),
        ("DONDE ESTA LA BOMBA DE AGUA", "es"),
        ("используй pnpm instead", "ru"),
        ("¿Vale?", "es"),
        ("12.4", None),
        ("xyzzy", None),
    ],
)
def test_the_language_of_a_message(text: str, language: str | None) -> None:
    assert READER.read(text).language == language


@every(
    ("text", "value", "unit"),
    [
        ("12.4 V at the pump", 12.4, "V"),
        ("12,4 вольта", 12.4, "V"),
        ("una mesa para cuatro personas", 4, "people"),
        ("for seven people", 7, "people"),
        ("на двоих", 2, None),
        ("$30", 30, "$"),
        ("use 2 spaces", 2, "spaces"),
        ("two hours", 2, "h"),
        ("twenty-five people", 25, "people"),
        ("one thousand two hundred", 1200, None),
        ("twelve hundred dollars", 1200, "$"),
        ("two dozen", 24, None),
        ("we have 1,250 users", 1250, None),
        ("it costs $1,200.50", 1200.5, "$"),
        ("tengo 1.500 euros", 1500, "€"),
        ("5k euros", 5000, "€"),
        ("5 тыс рублей", 5000, "₽"),
        ("две тысячи пятьсот рублей", 2500, "₽"),
        ("mil doscientos euros", 1200, "€"),
        ("20€ please", 20, "€"),
        ("half an hour", 0.5, "h"),
        ("полчаса", 0.5, "h"),
        ("hora y media", 1.5, "h"),
        ("minus five degrees", -5, "°"),
        ("version 12.4.1", 12.4, None),
    ],
)
def test_numbers_are_read_with_their_units(text: str, value: float, unit: str | None) -> None:
    assert (value, unit) in [(number.value, number.unit) for number in READER.read(text).find(numbers)]


def test_a_cue_has_an_id_a_language_and_a_span() -> None:
    reading = READER.read("No, не надо. ¡Espera!")
    cue = next(cue for cue in reading.cues if cue.family == "negation" and cue.language == "ru")
    assert cue.id == "ru.negation.not"
    assert reading.words(cue.span) == "не"


def test_word_boundaries_hold_in_cyrillic() -> None:
    assert not READER.read("неделя нетто").has("negation")
    assert READER.read("не надо").has("negation")


def test_composed_and_decomposed_letters_read_alike() -> None:
    assert READER.read("qué\u0301".replace("é\u0301", "e\u0301") + " es").language == READER.read("qué es").language


def test_a_pattern_that_re2_refuses_names_table_and_id() -> None:
    table = parse("mine.en.toml", "en", "[greeting]\nlook = '(?<=a)b'")
    with pytest.raises(PackError, match=r"mine\.en\.toml.*en\.greeting\.look.*refused by RE2"):
        Reader([table])


@pytest.mark.parametrize("name", installed())
def test_every_pattern_that_comes_with_holdfast_is_taken_by_re2(name: str) -> None:
    pack = load(name)
    tables = [table for faculty in pack.faculties for table in faculty.tables()] + list(pack.tables)
    own = {table.name: table for table in [*shipped("holdfast.reading", "shared", pack.languages), *tables]}
    Reader(table._replace(place="") for table in own.values())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[greeting]\nx = 3", "greeting.x must be a pattern"),
        ("greeting = 'x'", "must be a table of patterns"),
        ("[greeting", "mine.en.toml"),
        ("[greeting]\nx = '%who%'", "%who%"),
        ("[greeting]\nx = 'café'", "written folded"),
    ],
)
def test_a_broken_table_is_a_clear_error(text: str, said: str) -> None:
    with pytest.raises(PackError, match="mine") as error:
        parse("mine.en.toml", "en", text)
    assert said in str(error.value)


def test_a_table_with_columns_has_keys_with_values_and_values_with_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop_of_test" / "words").mkdir(parents=True)
    (tmp_path / "shop_of_test" / "__init__.py").touch()
    rows = ("# remark", "buys/now\tbuy\tкупи\tcompra", "data.sizes=-1\tsmall, tiny\tмалый\t", "data.sizes=1.5\txl")
    (tmp_path / "shop_of_test" / "words" / "shop.tsv").write_text("\n".join((*rows, "cut/odd\t(?<=a)b")), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    tables = {table.language: table for table in shipped("shop_of_test", "shop", ("en", "ru"))}
    assert {language: table.data.get("sizes") for language, table in tables.items()} == {
        "any": {"xl": 1.5},
        "en": {"small": -1, "tiny": -1},
        "ru": {"малый": -1},
    }
    assert [pattern.id for table in tables.values() for pattern in table.patterns] == [
        "any.cut.odd",
        "en.buys.now",
        "ru.buys.now",
    ]
    with pytest.raises(PackError, match=r"shop\.tsv.*any\.cut\.odd.*refused by RE2"):
        Reader(tables.values())


def test_the_same_id_twice_is_a_clear_error() -> None:
    table = parse("mine.en.toml", "en", "[a]\nx = 'b'")
    with pytest.raises(PackError, match="already defined"):
        Reader([table, table])


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_folding_keeps_the_length(text: str) -> None:
    assert len(fold(text)) == len(text)


ODD = st.text(alphabet=st.characters(codec="utf-8"), max_size=300)
WORDS = (
    "no wait i mean boston austin if \" ? . , not use vim don't [CONTEXT: a: b] 12.4 v не а нет подожди "
    "espera mejor ¿ ``` > - 1. ** () second one maybe my brother said"
).split(" ")
TALK = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(ODD | TALK)
def test_reading_never_raises_and_its_spans_lie_in_the_text(text: str) -> None:
    reading = READER.read(text)
    for cue in reading.cues:
        assert 0 <= cue.start <= cue.end <= len(reading.text)
        for start, end in cue.groups.values():
            assert 0 <= start <= end <= len(reading.text)
    stands = reading.find(standing)
    assert isinstance(stands.of((0, len(text))), set)
    fluent(reading)
    reading.find(numbers)


@pytest.mark.parametrize(
    "piece", ["no wait i mean ", "a" * 15 + " ", '"', "[context: ", "не а ", "1. **x** ", "((((", "?"]
)
def test_the_time_of_a_reading_is_linear_in_the_text(piece: str) -> None:
    def work(text: str) -> None:
        reading = READER.read(text)
        reading.find(standing)
        reading.find(numbers)

    stays_linear(work, piece)


def test_a_text_that_is_read_again_in_a_row_is_read_once_and_never_shared_between_threads() -> None:
    reader = PACK.reader
    first = reader.read("Где находится Эрмитаж?")
    assert reader.read("Где находится Эрмитаж?") is first
    elsewhere: list[Reading] = []
    thread = Thread(target=lambda: elsewhere.append(reader.read("Где находится Эрмитаж?")))
    thread.start()
    thread.join()
    assert elsewhere[0] is not first
    assert reader.read("something else") is not first


def test_a_title_with_its_dot_ends_no_sentence() -> None:
    reading = PACK.reader.read(
        "My doctor is Dr. Anand at the Millbrook surgery. She is kind. I live on Elm St. It rains."
    )
    assert [reading.words(span) for span in reading.find(sentences)][:2] == [
        "My doctor is Dr. Anand at the Millbrook surgery.",
        "She is kind.",
    ]
