"""Adding a fourth language is adding tables: German, given to the general pack as a folder, without a line of code.

The tables are in `tests/tables/german`. Whatever a test here needs and a table cannot give is a defect of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Holdfast, Session
from holdfast.agents import run
from holdfast.agents.companion import companion
from holdfast.errors import PackError
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import place, stop
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.pack import Pack
from holdfast.packs.general import PACK
from holdfast.packs.vibehuntr import PACK as VENUES
from holdfast.reading.standing import fluent, standing
from holdfast.reading.values import numbers

TABLES = Path(__file__).parents[1] / "tables" / "german"
GERMAN = PACK.speaking(TABLES)
TAVERNS = "Ich empfehle:\n1. **Zum Löwen** - 20 €\n2. **Gasthaus Krone** - 30 €\n3. **Alte Post** - 25 €"


@pytest.fixture
def chat() -> Session:
    return Holdfast(pack=GERMAN).session("s-1", user="u-1")


def held(chat: Session, slot: str) -> str | None:
    value = chat.state.slots.values.get(slot)
    return value.value if value else None


def facts(chat: Session) -> dict[str, str]:
    return {memo.slot: memo.value for memo in [*chat.memory.facts(), *chat.memory.preferences()]}


def test_the_language_of_a_message_is_recognised_and_the_conversation_keeps_it(chat: Session) -> None:
    assert chat.hear("Guten Tag, ich suche ein ruhiges Hotel").language == "de"
    assert chat.hear("ok").language == "de"
    assert chat.hear("Gibt es dort auch Parkplätze?").language == "de"


def test_the_languages_that_were_there_are_still_recognised() -> None:
    read = GERMAN.reader.read
    said = {"I need a hotel in Boston": "en", "Necesito un hotel en Madrid": "es", "Мне нужна гостиница": "ru"}
    assert {text: read(text).language for text in said} == said


def test_a_person_may_ask_for_the_language(chat: Session) -> None:
    chat.hear("I need some help with my trip")
    assert chat.hear("Bitte auf Deutsch").language == "de"


def test_a_name_is_learned(chat: Session) -> None:
    turn = chat.hear("Hallo, ich heiße Anna Müller.")
    assert turn.context == "[CONTEXT: User's name: Anna Müller]"
    assert facts(chat)["name"] == "Anna Müller"


def test_a_bare_mail_address_answers_the_question_for_it(chat: Session) -> None:
    chat.say("Wie lautet Ihre E-Mail-Adresse?")
    chat.hear("anna@example.de")
    assert held(chat, "email") == "anna@example.de"
    answer = chat.state.questions.answer
    assert answer is not None
    assert answer.question.about == "email"


def test_a_bare_name_of_a_town_answers_where(chat: Session) -> None:
    chat.say("In welcher Stadt wohnen Sie?")
    chat.hear("Dresden")
    assert held(chat, "location") == "Dresden"


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("Nein, nicht Hamburg, sondern Berlin.", "Berlin"),
        ("Ich wohne nicht in Hamburg, sondern in Berlin.", "Berlin"),
        ("Ich meinte Berlin.", "Berlin"),
        ("Entschuldigung, ich wohne in Berlin.", "Berlin"),
    ],
)
def test_a_correction_replaces_what_was_said_before(chat: Session, said: str, now: str) -> None:
    chat.hear("Ich wohne in Hamburg.")
    turn = chat.hear(said)
    assert held(chat, "location") == now
    assert "Hamburg" not in turn.context
    assert facts(chat)["home"] == now


def test_a_false_start_inside_a_message_is_taken_back(chat: Session) -> None:
    turn = chat.hear("Ich wohne in Hamburg, nein, ich meine in Berlin.")
    assert turn.context == "[CONTEXT: Location: Berlin]"
    assert fluent(GERMAN.reader.read("Nimm den Zug um acht, ach nein, um neun")) == "Nimm den Zug um neun"


@pytest.mark.parametrize(("said", "yes"), [("Ja, bitte.", True), ("Nein, danke.", False), ("Gerne!", True)])
def test_yes_and_no_bind_to_the_question_that_was_asked(chat: Session, said: str, yes: bool) -> None:
    chat.say("Soll ich den Tisch reservieren?", agent="booking")
    turn = chat.hear(said)
    answer = chat.state.questions.answer
    assert answer is not None
    assert answer.yes is yes
    assert turn.route.agent == "booking"


def test_a_choice_between_two_is_taken_by_its_name(chat: Session) -> None:
    chat.say("Möchten Sie Pizza oder Sushi?")
    chat.hear("Sushi bitte")
    assert chat.state.answers.kept[-1].answer == "Sushi"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Erzähl mir mehr über das zweite", "Gasthaus Krone"),
        ("Reserviere bitte das letzte", "Alte Post"),
        ("Nimm Nummer 1", "Zum Löwen"),
        ("Wie ist die Adresse vom Gasthaus Krone?", "Gasthaus Krone"),
    ],
)
def test_pointing_finds_what_a_reply_listed(chat: Session, said: str, meant: str) -> None:
    chat.say(TAVERNS)
    turn = chat.hear(said)
    assert [[entity.name for entity in found.entities] for found in turn.references] == [[meant]]


def test_labels_and_counts_of_a_reply_are_no_names(chat: Session) -> None:
    chat.say("1. **Zum Löwen**\n- Adresse: Markt 1\n- Preis: 20 €\n2. **Alte Post**\n- Öffnungszeiten: 9-17")
    assert [entity.name for entity in chat.state.references.entities] == ["Zum Löwen", "Alte Post"]


@pytest.mark.parametrize("said", ["Ich wohne nicht in Berlin.", "Ich nutze Vim nicht.", "Ich habe Vim nie benutzt."])
def test_what_is_denied_is_kept_as_denied_at_most(chat: Session, said: str) -> None:
    assert not chat.hear(said).context
    kept = [*chat.memory.facts(), *chat.memory.preferences()]
    assert all(not memo.positive or memo.value == said[:-1] for memo in kept)


@pytest.mark.parametrize(
    "said",
    [
        "Wohne ich in Berlin?",
        "Wenn ich in Berlin wohne, brauche ich ein Fahrrad.",
        "Meine Schwester wohnt in Berlin.",
        "Nutze ich Vim?",
        "Angenommen, ich nutze Vim.",
        "Vielleicht nutze ich Vim.",
        'Er sagte: "Ich nutze Vim"',
    ],
)
def test_what_is_asked_supposed_or_told_of_others_is_not_learned(chat: Session, said: str) -> None:
    turn = chat.hear(said)
    assert not turn.context
    assert not facts(chat)


def test_a_negation_at_the_end_reaches_back_over_its_clause_and_no_further() -> None:
    reading = GERMAN.reader.read("Ich nutze Emacs, aber Vim nutze ich nicht.")
    flags = {
        name: reading.find(standing).of((place := reading.text.index(name), place + 3)) for name in ("Emacs", "Vim")
    }
    assert flags == {"Emacs": set(), "Vim": {"negated"}}


@pytest.mark.parametrize(
    "said",
    [
        "Ich nutze jetzt pnpm statt npm.",
        "Ich bin von npm auf pnpm umgestiegen.",
        "Nicht npm, sondern pnpm.",
        "Ich nutze jetzt pnpm.",
    ],
)
def test_a_preference_is_superseded_and_keeps_its_chain(chat: Session, said: str) -> None:
    chat.hear("Ich nutze npm.")
    chat.hear(said)
    assert facts(chat) == {"tooling/package_manager": "pnpm"}
    chain = [memo.value for memo in chat.memory.preferences(history=True)]
    assert sorted(chain) == ["npm", "pnpm"]


def test_places_are_found_by_the_words_of_the_language() -> None:
    trips = Pack(
        name="trips",
        faculties=(
            ConversationFaculty(),
            QuestionsFaculty(),
            SlotsFaculty(
                Slot("from", "From", stop("from")), Slot("to", "To", stop("to")), Slot("in", "In", place("in", "near"))
            ),
        ),
    ).speaking(TABLES)
    chat = Holdfast(pack=trips).session("s")
    assert chat.hear("Ich suche ein Hotel in Berlin").context == "[CONTEXT: In: Berlin]"
    assert (
        chat.hear("Und einen Zug ab Hamburg nach München").context
        == "[CONTEXT: From: Hamburg | To: München | In: Berlin]"
    )
    assert chat.state.slots.canonical("to") == "Munich"
    assert chat.hear("Ich bin in Eile, wir brauchen es in Zukunft öfter").context.endswith("In: Berlin]")


def test_a_pack_of_its_own_kind_speaks_the_language_too() -> None:
    chat = Holdfast(pack=VENUES.speaking(TABLES)).session("s", user="u")
    turn = chat.hear("Ich suche ein italienisches Restaurant in Berlin für vier Personen")
    assert turn.context == "[CONTEXT: Party size: 4 people | User is looking for: italienisch | Location: berlin]"
    chat.hear("Nein, nicht in Berlin, sondern in Köln")
    chat.hear("etwas Billiges bitte, eine billige Pizza, nein, Sushi, morgen um 20 Uhr")
    held_now = {name: value.value for name, value in chat.state.slots.values.items()}
    assert held_now == {
        "event_party_size": "4",
        "search_query": "sushi",
        "location": "köln",
        "price_level": "1",
        "event_date_time": "morgen um 20 uhr",
    }


def test_sentences_that_the_tables_do_not_have_are_said_in_english(chat: Session) -> None:
    turn = chat.hear("Hallo, ich heiße Anna")
    assert [reply.text for reply in run(companion, turn, chat)] == ["I will remember that your name is Anna."]


def test_numbers_and_units_are_read_in_words_of_the_language() -> None:
    found = GERMAN.reader.read("zwei Stunden und 12,5 Volt").find(numbers)
    assert [(number.value, number.unit) for number in found] == [(2.0, "h"), (12.5, "V")]


def test_the_receipt_names_the_rule_of_the_table(chat: Session) -> None:
    assert "de.name_said.called" in str(chat.hear("Ich heiße Anna").receipt)


def test_a_language_tells_its_own_name() -> None:
    assert {code: data["name"] for code, data in GERMAN.spoken.items()}["de"] == "Deutsch"


def test_a_folder_without_tables_or_with_a_nameless_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="there are no tables"):
        PACK.speaking(tmp_path)
    (tmp_path / "german.toml").write_text("", encoding="utf-8")
    with pytest.raises(PackError, match="does not say its language"):
        PACK.speaking(tmp_path)
    with pytest.raises(PackError, match="cannot be read"):
        PACK.speaking(tmp_path / "nowhere")
