"""`general`: the pack that anyone starts with."""

from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.memory import MemoryFaculty
from holdfast.faculties.questions import QuestionsFaculty
from holdfast.faculties.slots import Slot, SlotsFaculty, cued, email
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
        SlotsFaculty(
            Slot("name", "User's name", cued("name"), asked="name"),
            Slot("email", "User's email", email, asked="email"),
            Slot("location", "Location", cued("place"), asked="where"),
        ),
        MemoryFaculty(skips=("name", "email", "home")),  # across sessions, where the session names a user
    ),
)
