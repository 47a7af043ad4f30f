"""The rows about venues and references, on a pack that has nothing else."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.errors import InvalidInput
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack
from holdfast.reading.reader import Reading
from holdfast.session import Session

PACK = Pack(
    name="venues",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ReferencesFaculty(
            recent_label="Recently mentioned venues",
            refers_label="User is referring to",
            id_label="Place ID",
            id=r"ChI[A-Za-z0-9_-]+",
            kind="venue",
            item="venue",
        ),
        SlotsFaculty(Slot("location", "Location", asked="where")),
    ),
)
THREE = "1. **Osteria** Place ID: ChIJabc123 2. **Vedge** Place ID: ChIJdef456 3. **Zahav** Place ID: ChIJghi789"
AGAIN = "**Osteria** is open today. Place ID: ChIJabc123"
VAGUE = ("that one", "this one", "the one", "it", "that", "this")
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def chat() -> Session:
    return Holdfast(pack=PACK).session("s")


def listed(*names: str) -> str:
    return "\n".join(f"{n}. **{name}** Place ID: ChIJ{name}" for n, name in enumerate(names, start=1))


def venues(count: int) -> list[str]:
    return [f"Venue_{n}" for n in range(count)]


def pointed(session: Session, message: str) -> list[str]:
    return [e.name for r in session.hear(message).references if r.status == "resolved" for e in r.entities]


def kept(session: Session) -> list[tuple[str, str]]:
    return [(e.name, e.id) for e in session.state.references.entities]


def test_V_VEN_001_one_venue_with_place_and_time() -> None:
    session = chat()
    session.say("Where?")
    session.hear("philly")
    session.say("I found **Osteria**. Place ID: ChIJabc123def456")
    (venue,) = session.state.references.entities
    assert (venue.name, venue.id, venue.facts["place"]) == ("Osteria", "ChIJabc123def456", "philly")
    assert venue.at > 0


def test_V_VEN_002_three_venues_in_order() -> None:
    session = chat()
    session.say(THREE)
    assert kept(session) == [("Osteria", "ChIJabc123"), ("Vedge", "ChIJdef456"), ("Zahav", "ChIJghi789")]


def test_V_VEN_003_the_newest_five_of_seven_replies_are_kept() -> None:
    session = chat()
    for name in venues(7):
        session.say(f"I found **{name}**. Place ID: ChIJ{name}")
    assert [name for name, _ in kept(session)] == venues(7)[2:]


@pytest.mark.parametrize("count", range(21))
def test_V_VEN_005_at_most_five_attached_venues_are_kept(count: int) -> None:
    session = chat()
    for n in range(count):
        session.say("Here is one.", entities=[{"name": f"Venue_{n}", "place_id": f"ChIJ{n}"}])
    assert kept(session) == [(f"Venue_{n}", f"ChIJ{n}") for n in range(count)][-5:]


@pytest.mark.parametrize("count", range(1, 11))
def test_V_VEN_006_all_venues_of_a_reply_are_read(count: int) -> None:
    session = chat()
    reply = session.say(listed(*venues(count)))
    read = [e for event in reply.events for e in getattr(event, "entities", ())]
    assert [(e.name, e.id) for e in read] == [(name, f"ChIJ{name}") for name in venues(count)]
    assert kept(session) == [(name, f"ChIJ{name}") for name in venues(count)][-5:]


@pytest.mark.parametrize("id", ["ChIJ", "ChIJa_b-C9", "ChI_-1", "ChIJN1t_tDeuEmsRUsoyG83frY4"])
@pytest.mark.parametrize("between", [" ", "\n", "\n12 Main Street\nlovely food\n🆔 ", "\n- rating 4.5\n- "])
def test_V_VEN_007_the_name_may_stand_some_lines_before_the_id(id: str, between: str) -> None:
    session = chat()
    session.say(f"**Osteria**{between}Place ID: {id}")
    assert kept(session) == [("Osteria", id)]


@pytest.mark.parametrize(
    ("row", "message", "name"),
    [
        ("V-REF-001", "the first one", "Venue_0"),
        ("V-REF-002", "the second one", "Venue_1"),
        ("V-REF-003", "third", "Venue_2"),
        ("V-REF-004", "that one", "Venue_2"),
        ("V-REF-005", "this one", "Venue_2"),
        ("V-REF-006", "the one", "Venue_2"),
        ("V-REF-007", "it", "Venue_2"),
        ("V-REF-008", "that", "Venue_2"),
        ("V-REF-009", "this", "Venue_2"),
        ("V-REF-015", "more details", "Venue_2"),
        ("V-REF-016", "tell me more", "Venue_2"),
    ],
)
def test_pointing_after_a_list_of_three(row: str, message: str, name: str) -> None:
    session = chat()
    session.say(listed(*venues(3)))
    assert pointed(session, message) == [name], row


def test_V_REF_011_without_venues_an_ordinal_resolves_to_nothing() -> None:
    turn = chat().hear("the first one")
    assert turn.references == []
    assert turn.prompt == "the first one"


@pytest.mark.parametrize("count", range(1, 6))
@pytest.mark.parametrize("word", VAGUE)
def test_V_REF_012_vague_words_mean_the_most_recent(count: int, word: str) -> None:
    session = chat()
    for name in venues(count):
        session.say(f"**{name}** Place ID: ChIJ{name}")
    turn = session.hear(word)
    assert f"User is referring to: Venue_{count - 1} (Place ID: ChIJVenue_{count - 1})" in turn.context


@pytest.mark.parametrize("count", range(1, 6))
def test_V_REF_013_every_position_as_a_word_and_as_a_digit(count: int) -> None:
    session = chat()
    session.say(listed(*venues(count)))
    for place, word in enumerate(ORDINALS[:count]):
        assert pointed(session, word) == [f"Venue_{place}"]
        assert pointed(session, str(place + 1)) == [f"Venue_{place}"]
        assert pointed(session, f"the {word} one") == [f"Venue_{place}"]


def test_V_REF_013_positions_without_a_list_count_in_order_of_mention() -> None:
    session = chat()
    for name in venues(4):
        session.say(f"**{name}** Place ID: ChIJ{name}")
    for place, word in enumerate(ORDINALS[:4]):
        assert pointed(session, word) == [f"Venue_{place}"]
    assert pointed(session, "fifth") == []


def test_V_REF_017_the_resolved_venue_is_injected() -> None:
    session = chat()
    session.hear("sushi in SF")
    session.say("1. **Akiko's** Place ID: ChIJaaa111 2. **Omakase** Place ID: ChIJbbb222")
    turn = session.hear("tell me more about the first one")
    assert "Recently mentioned venues: Akiko's (Place ID: ChIJaaa111), Omakase (Place ID: ChIJbbb222)" in turn.context
    assert turn.context.endswith("User is referring to: Akiko's (Place ID: ChIJaaa111)]") or "Akiko's" in turn.context
    assert [e.name for r in turn.references for e in r.entities] == ["Akiko's"]


@pytest.mark.parametrize(
    ("row", "message", "names"),
    [
        ("V-REF-019", "the last one", ["Zahav"]),
        ("V-REF-020", "that one", ["Osteria"]),
        ("V-REF-021", "number 2", ["Vedge"]),
        ("V-REF-022", "2nd", ["Vedge"]),
        ("V-REF-023", "tell me about Vedge, that one looks nice", ["Vedge"]),
        ("V-REF-024", "none of those", []),
        ("V-REF-025", "the first time I went", []),
        ("V-REF-026", "compare first and second", ["Osteria", "Vedge"]),
    ],
)
def test_a_single_mention_starts_no_new_list(row: str, message: str, names: list[str]) -> None:
    session = chat()
    session.say(THREE)
    session.say(AGAIN)
    assert pointed(session, message) == names, row


def test_V_REF_027_ordinals_count_in_the_latest_list() -> None:
    session = chat()
    session.say(listed("Alpha", "Beta"))
    session.say(listed("Gamma", "Delta"))
    assert pointed(session, "the first one") == ["Gamma"]
    assert pointed(session, "the second one from before") == ["Beta"]


def test_V_REF_028_a_resolved_venue_is_injected_beside_the_three_most_recent() -> None:
    session = chat()
    session.say(listed(*venues(5)))
    turn = session.hear("tell me about the first one")
    recent = ", ".join(f"{name} (Place ID: ChIJ{name})" for name in venues(5)[2:])
    told = f"Recently mentioned venues: {recent} | User is referring to: Venue_0 (Place ID: ChIJVenue_0)"
    assert turn.context == f"[CONTEXT: {told}]"


@pytest.mark.parametrize("message", ["the first one", "book it", "Osteria please", "what's the phone number?"])
def test_V_REF_029_every_message_with_a_reference_gets_name_and_place_id(message: str) -> None:
    session = chat()
    session.say(AGAIN)
    assert "User is referring to: Osteria (Place ID: ChIJabc123)" in session.hear(message).context


def test_V_VENX_001_counts_are_no_names() -> None:
    session = chat()
    session.say("Here are **3 options**: 1. **Osteria**. Place ID: ChIJabc 2. **Vedge**. Place ID: ChIJdef")
    assert kept(session) == [("Osteria", "ChIJabc"), ("Vedge", "ChIJdef")]


def test_V_VENX_002_bold_after_a_label_is_no_name() -> None:
    session = chat()
    session.say("**Osteria** is lovely.\nNote: **closed today**. Place ID: ChIJabc")
    assert kept(session) == [("Osteria", "ChIJabc")]


def test_V_VENX_003_the_injected_form_is_read_without_bold() -> None:
    session = chat()
    session.say("Osteria (Place ID: ChIJabc)")
    assert kept(session) == [("Osteria", "ChIJabc")]


def test_V_STR_014_the_reply_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = PACK.faculty("references").read  # type: ignore[attr-defined]
    read: list[str] = []
    whole = type(reader).__call__

    def counted(self: object, reading: Reading) -> object:
        read.append(reading.text)
        return whole(self, reading)

    monkeypatch.setattr(type(reader), "__call__", counted)
    session = chat()
    session.say("I found **Test Restaurant**. Place ID: ChIJtest123")
    assert read == ["I found **Test Restaurant**. Place ID: ChIJtest123"]
    assert kept(session) == [("Test Restaurant", "ChIJtest123")]


def test_V_FLOW_006_both_messages_resolve_to_the_one_venue() -> None:
    session = chat()
    session.say("I found **Osteria**. Place ID: ChIJabc")
    assert pointed(session, "Can you tell me more about it?") == ["Osteria"]
    assert pointed(session, "What do you think about the one I mentioned?") == ["Osteria"]


@pytest.mark.parametrize(
    "reply",
    [
        "Which venue do you mean?",
        "Could you provide the place id?",
        "Please specify which one you want.",
        "Sure! Which one would you like to hear about?",
    ],
)
def test_V_FLOW_007_asking_for_what_is_resolved_is_flagged(reply: str) -> None:
    session = chat()
    session.hear("Find Italian restaurants in Philadelphia")
    session.say(THREE)
    assert session.hear("more details").references[0].entities[0].name == "Zahav"
    verdict = session.say(reply)
    assert not verdict.allowed
    assert "Zahav" in (verdict.instead or "")


def test_V_API_007_to_009_clearing_one_venue() -> None:
    session = chat()
    session.say(listed(*venues(3)))
    session.clear("venue", 1)
    assert [name for name, _ in kept(session)] == ["Venue_0", "Venue_2"]
    with pytest.raises(InvalidInput, match="Invalid venue index"):
        session.clear("venue", 5)
    with pytest.raises(InvalidInput, match="index parameter is required"):
        session.clear("venue")
    assert [name for name, _ in kept(session)] == ["Venue_0", "Venue_2"]
    assert pointed(session, "the third one") == ["Venue_2"]
    assert pointed(session, "the second one") == []
    session.clear()
    assert kept(session) == []
