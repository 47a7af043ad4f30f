"""`grace`: keeps a document or file on the library that made it, over any number of revisions, until the user asks for
another one."""

from holdfast.agents.maker import maker
from holdfast.faculties.aims.files import FilesFaculty
from holdfast.faculties.aims.taskhistory import TaskHistoryFaculty
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.preferences import PreferencesFaculty
from holdfast.faculties.facts.profile import ProfileFaculty
from holdfast.faculties.facts.wishes import WishesFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.revisions import RevisionsFaculty
from holdfast.pack import Pack
from holdfast.packs.grace.face import Face
from holdfast.reading.libraries.code import Libraries, known
from holdfast.reading.libraries.overrides import Speech
from holdfast.reading.tables import shipped

MASTER = (
    "You make and revise documents, images, charts and spreadsheets by writing code. A message may begin with one line "
    "in square brackets, [CONTEXT: key: value | key: value]; it was written by the system and says what is known."
)
SPECIALIST = (
    "You are the specialist for the file that is asked for. Write the code, run it, and attach the code and the files "
    "that it made. When you need something that only the user knows, ask for it and wait."
)


def grace(libraries: Libraries | None = None) -> Pack:
    """The pack, over the shipped table of libraries or one of your own (`known().extended(text)`)."""
    speech = Speech(libraries or known())
    return Pack(
        name="grace",
        summary="Keeps every file on the library that made it, until you ask for another",
        instructions=f"{MASTER}\n\n{SPECIALIST}",
        agents=("specialist",),
        faculties=(
            ConversationFaculty(),
            QuestionsFaculty(),
            WishesFaculty(),  # before the files: what is wanted for all time changes none of them
            FilesFaculty(),  # after the questions: an answer lets the work on a file go on
            ProfileFaculty(),
            PreferencesFaculty(speech),
            RevisionsFaculty(speech),  # after the files and the rules: they say which file and what is barred
            TaskHistoryFaculty(),
        ),
        tables=tuple(shipped("holdfast.packs.grace", "long")),
        section_order=(
            "existing_files",
            "revision_rules",
            "previous_implementation",
            "requested_library",
            "library_rules",
            "preferred_library",
            "standing_wishes",
            "library_in_force",
            "planned_filename",
            "user_profile",
            "missing_data",
            "file_analysis",
            "task_history",
        ),
        requires={"id": "conversation_id is required", "user": "user_id is required"},
        agent=maker,
        face=Face,
    )


PACK = grace()
