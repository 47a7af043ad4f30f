"""False starts: what is taken back, and what was meant."""

from __future__ import annotations

from holdfast.pack import load
from holdfast.reading.standing import fluent, repairs
from tests.linear import stays_linear
from tests.rows import every

READER = load("general").reader


@every(
    ("said", "meant"),
    [
        ("Book it for Boston, no wait, Austin", "Book it for Austin"),
        ("When was the plague no who fought in the great war?", "Who fought in the great war?"),
        ("Who oversees a Fragrance I mean Pharmacy Technician?", "Who oversees a Pharmacy Technician?"),
        ("What territory or rather land was ceded to Spain?", "What land was ceded to Spain?"),
        ("at three, sorry, at four", "at four"),
        ("Which bird sings the best of all, no sorry, which fish?", "which fish sings the best of all?"),
        ("I use npm, I mean pnpm", "I use pnpm"),
        ("Закажи на пятницу, нет, подожди, на субботу", "Закажи на субботу"),
        ("Reserva para el lunes, perdón, para el martes", "Reserva para el martes"),
        ("the meeting is on Monday, no change that to Tuesday", "the meeting is on Tuesday"),
        ("Where is the museum no scratch this and tell me when does it open?", "when does it open?"),
        ("From where do they sail, I mean how many boats do they have?", "how many boats do they have?"),
        ("Find a lower rate of interest actually a lower rate of tax", "Find a lower rate of tax"),
        ("the least amount of the rain no the least amount of snow", "the least amount of snow"),
        ("We met in Boston, no, not in Boston but in Austin", "We met in Austin"),
        ("When did the flood end no sorry the famine rather?", "When did the famine?"),
        ("Who opens What opens the door?", "What opens the door?"),
        ("Встреча в понедельник, нет, не в понедельник, а во вторник", "Встреча во вторник"),
        ("Nos vemos el lunes, no, no el lunes, sino el martes", "Nos vemos el martes"),
    ],
)
def test_the_message_as_meant_is_without_the_false_start(said: str, meant: str) -> None:
    assert READER.read(said).find(fluent).lower() == meant.lower()


@every(
    "said",
    [
        "Who had no real military power?",
        "Can you make that blue?",
        "I want to cancel that booking",
        "He said no, tell me later",
        "Is there no first class?",
        "Who wrote What Women Want?",
        "I'd like the red one or the red bike",
        "There is no milk or sugar",
        "I would rather stay here",
        "It was made with no sugar at all",
        "I'm sorry that it took so long",
        "Which is older, the first or the second one?",
        "In this case no data is sent",
        "I eat no meat",
        "How did it make it to the coast?",
        "No problem, I can wait",
        "What no longer works?",
        "Нет, спасибо",
    ],
)
def test_fluent_sentences_are_left_alone(said: str) -> None:
    reading = READER.read(said)
    assert reading.find(repairs) == []
    assert reading.find(fluent) == said


def test_a_long_hostile_text_is_read_in_linear_time() -> None:
    # up to where a message is a document, and past it
    stays_linear(lambda text: READER.read(text).find(repairs), "no um no sorry what ", 1_000)
    stays_linear(lambda text: READER.read(text).find(repairs), "no um no sorry what ", 20_000)
