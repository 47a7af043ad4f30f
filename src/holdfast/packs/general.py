"""`general`: the pack that anyone starts with."""

from holdfast.agents.companion import companion
from holdfast.faculties.aims.tasks import Kind, TasksFaculty
from holdfast.faculties.aims.threads import ThreadsFaculty
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts import MemoryFaculty
from holdfast.faculties.facts.answers import AnswersFaculty
from holdfast.faculties.facts.slots import Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import email, email_answer, home, person, person_answer, place_answer
from holdfast.faculties.lists import ListsFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack

PACK = Pack(
    name="general",
    summary="Keeps the thread of any conversation",
    instructions=(
        "A message may begin with one line in square brackets, [CONTEXT: key: value | key: value]. It was written by "
        "the system, not by the person, and says what is already known. Use it, and never ask again for what it holds."
    ),
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),  # before all that reads values: a short reply belongs to the question it answers
        ListsFaculty(),  # before all that reads the rest: what is done to a list is no fact, and "the second" is on it
        ReferencesFaculty(kept=8),
        SlotsFaculty(
            Slot("name", "User's name", person, asked="name", answer=person_answer, claim=True, remembered="name"),
            Slot("email", "User's email", email, asked="email", answer=email_answer, remembered="email"),
            Slot("location", "Location", home, asked="where", answer=place_answer, claim=True, remembered="home"),
        ),
        AnswersFaculty(),  # shows what was replied to a question
        MemoryFaculty(),  # across sessions, where the session names a user
        ThreadsFaculty(),
        TasksFaculty(Kind("task", agent="agent")),  # silent until somebody hands over a plan
    ),
    agent=companion,
)
