"""A small pack for these tests: it learns a name, has an agent, and does not let an agent repeat itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast import Faculty, Pack, Session, Turn
from holdfast.agents import Said
from holdfast.events import Violation
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import cued, email
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculty import Action
from holdfast.reading.reader import Reading
from holdfast.reading.tables import parse
from holdfast.state import State

WORDS = parse("desk.en.toml", "en", "[name]\nmine = 'my name is (?P<value>[a-z]+)'\n")
INSTEAD = "I said that already. Shall we look at something else?"


class Parrot(Faculty):
    """Forbids what the agent said last."""

    name = "parrot"

    def forbid(self, action: Action, reading: Reading, state: State) -> Iterable[Violation]:
        said = [m.text for m in state.conversation.recent if m.role == "assistant"]
        if said and said[-1] == action.text:
            yield Violation("parrot.again", "the agent repeats itself", INSTEAD)


def agent(turn: Turn, chat: Session) -> Iterator[Said]:
    known = turn.state.slots.get("name")
    yield Said(f"Hello {known}, you said: {turn.text}" if known else f"You said: {turn.text}", "desk")


DESK = Pack(
    name="desk",
    summary="For tests",
    instructions="Read the context line.",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        SlotsFaculty(Slot("name", "User's name", cued("name"), asked="name"), Slot("email", "User's email", email)),
        Parrot(),
    ),
    tables=(WORDS,),
    agent=agent,
)
