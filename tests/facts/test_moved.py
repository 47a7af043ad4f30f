"""What a message moves without naming it, and what it leaves."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.faculties.facts.memos import ItemRetracted
from holdfast.session import Session
from holdfast.turn import Turn

BETWEEN = {
    "en": ("how do you get coffee stains out?", "my brother plays the drums", "haha thanks", "I work at a bakery"),
    "ru": ("как отстирать кофе?", "брат играет на барабанах", "спасибо", "работаю в пекарне"),
    "es": ("¿cómo quito una mancha de café?", "mi hermano toca la batería", "jaja gracias", "trabajo en una panadería"),
}


def talked(language: str, first: str, then: str) -> tuple[Session, Turn]:
    """A talk in which something is told, other things after it, and then something else; and its last turn."""
    chat = Holdfast(pack="general").session("s", user="u")
    for text in (first, *BETWEEN[language]):
        chat.hear(text)
        chat.say("All right.")
    return chat, chat.hear(then)


def known(chat: Session) -> str:
    memory = chat.memory
    return " ; ".join(f"{one.value} {one.text}" for one in (*memory.facts(), *memory.preferences()))


@pytest.mark.parametrize(
    ("language", "first", "then", "gone", "now"),
    [
        (
            "en",
            "I swim on tuesdays at 7",
            "the pool changed hours so now we go thursdays at 8",
            "tuesdays",
            "thursdays",
        ),
        ("en", "the worker listens on 8042", "moved it to 8050 because of the proxy", "8042", "8050"),
        ("ru", "аренда 35 тысяч", "хозяйка подняла до 40 тысяч", "35", "40"),
        ("es", "pago 550 de alquiler", "me lo subieron a 600", "550", "600"),
    ],
)
def test_another_value_ends_the_one_that_nobody_names(
    language: str, first: str, then: str, gone: str, now: str
) -> None:
    chat, _ = talked(language, first, then)
    assert gone not in known(chat)
    assert now in known(chat)


@pytest.mark.parametrize(
    ("first", "then", "stays"),
    [
        ("I take 15 mg of ramipril in the mornings", "the recipe wants 20 mg of saffron now", "15 mg"),
        ("I'm allergic to nuts", "there are nuts in the garden now", "nuts"),
        ("I live in Leeds", "the worker moved to 8050", "Leeds"),
        ("the worker listens on 8042", "what else listens on 8050?", "8042"),
        ("I swim on tuesdays at 7", "my friend swims thursdays at 8", "tuesdays"),
    ],
)
def test_what_could_do_harm_and_what_is_told_of_others_or_asked_moves_nothing(
    first: str, then: str, stays: str
) -> None:
    assert stays in known(talked("en", first, then)[0])


def test_the_receipt_says_what_was_moved_and_by_which_words() -> None:
    _, turn = talked("en", "the worker listens on 8042", "moved it to 8050 because of the proxy")
    (gone,) = turn.all(ItemRetracted)
    assert gone.because is not None
    assert (gone.because.rule, gone.because.words) == ("talk.moved", "moved it to 8050 because of the proxy")
    assert gone.because.by is not None  # the score, and the words that counted
    assert any(line.did == "retracted" and "8042" in line.what for line in turn.receipt.lines)
