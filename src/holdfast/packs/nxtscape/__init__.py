"""`nxtscape`: tasks in a browser that go on over interruptions. A browse task is planned, a productivity task acts on
tabs, an answer task reads a page; a follow-up goes where its task goes, with the plan and how far it was."""

from holdfast.agents.browser import browser
from holdfast.faculties.aims.tasks import Kind, TasksFaculty
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack
from holdfast.packs.nxtscape.face import NxtscapeFace
from holdfast.packs.nxtscape.messages import marked
from holdfast.packs.nxtscape.notes import NotesFaculty
from holdfast.reading.tables import shipped

# The order is the precedence where evidence overlaps: the content verb decides before the object noun
# ("summarize these tabs" is a question about tabs, "close these tabs" an act on them).
KINDS = (
    Kind("answer", agent="answer", about="a question about what an open page or tab says"),
    Kind("productivity", agent="productivity", about="work on the browser itself: tabs, windows, bookmarks, history"),
    Kind(
        "browse",
        agent="browse",
        planner="planner",
        follow_up="browse-follow-up",
        about="something to be done on websites: search, order, book, fill in, post",
    ),
)

PACK = Pack(
    name="nxtscape",
    summary="Tasks in a browser that go on over interruptions",
    instructions=(
        "You work in the user's browser. The task type says who you are: the planner writes at most five steps, the "
        "browse agent carries them out, the productivity agent works on tabs and bookmarks, the answer agent answers "
        "from the content of the page. Build on what is done; never start over unless you are told to."
    ),
    agents=("planner", "browse", "productivity", "answer"),
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),  # before the tasks: a short reply goes to the agent whose question it answers
        # "the third ones" of what an agent showed
        ReferencesFaculty(kept=8, injected=0, plain=False, place="", sought="", wonders=False),
        TasksFaculty(*KINDS, default="productivity", asked="answer", closes=True),
        NotesFaculty(),
    ),
    tables=tuple(shipped("holdfast.packs.nxtscape", "kinds")),
    agent=browser,
    face=NxtscapeFace,
    request=marked,
)
