"""The acceptance rows of the pack `grace`, row by row. A test's id holds the id of its row."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from holdfast import Holdfast, Session, Turn
from holdfast.errors import InvalidInput, Refused

PILLOW = "from PIL import Image, ImageDraw; img = Image.new('RGB',(9,9))"
PLOT = "import matplotlib.pyplot as plt; plt.plot(x)"
BLOCK = "**PREVIOUS IMPLEMENTATION METHOD:**"


def session(id: str = "c1", user: str = "u1", hf: Holdfast | None = None) -> Session:
    return (hf or Holdfast(pack="grace")).session(id, user=user)


def previous(chat: Session) -> dict[str, str] | None:
    found: dict[str, str] | None = chat.face.detect()
    return found


def after(code: str, request: str = "Add a blue square") -> tuple[Session, Turn]:
    chat = session()
    chat.hear("Create an image with a red circle")
    chat.say("Done.", code=code)
    return chat, chat.hear(request)


def record(method: str, library: str, confidence: str = "high") -> dict[str, str]:
    return {"method": method, "confidence": confidence, "library": library}


DETECTED = {
    "G-DET-001": (PILLOW, record("Used Pillow/PIL to create image files", "Pillow")),
    "G-DET-002": (
        "from PIL import ImageDraw; ImageDraw.Draw(im)",
        record("Used Pillow/PIL to create image files", "Pillow"),
    ),
    "G-DET-003": ("from PIL import Image", record("Used Pillow/PIL to create image files", "Pillow", "medium")),
    "G-DET-004": (PLOT, record("Used matplotlib for data visualization", "matplotlib")),
    "G-DET-005": (
        "import matplotlib.pyplot as plt",
        record("Used matplotlib for data visualization", "matplotlib", "medium"),
    ),
    "G-DET-006": (
        "import pandas as pd; df = pd.DataFrame(d)",
        record("Used pandas for data processing", "pandas"),
    ),
    "G-DET-008": (
        "from docx import Document; doc = Document('a.docx')",
        record("Used python-docx for Word document creation", "python-docx"),
    ),
    "G-DET-010": (
        "import openpyxl; wb = openpyxl.Workbook()",
        record("Used openpyxl/xlsxwriter for Excel file creation", "openpyxl"),
    ),
    "G-DET-022": ("import seaborn as sns; sns.barplot()", record("Used seaborn for data visualization", "seaborn")),
    "the one on top": (
        "import pandas as pd\nimport seaborn as sns\nimport matplotlib.pyplot as plt\n"
        "sns.heatmap(pd.read_csv('a.csv'))\nplt.savefig('a.png')",
        record("Used seaborn for data visualization", "seaborn"),
    ),
    "G-DET-023": (
        "from reportlab.pdfgen import canvas; canvas.Canvas('a.pdf')",
        record("Used reportlab for PDF generation", "reportlab"),
    ),
    "G-DET-024": (
        "from reportlab.platypus import SimpleDocTemplate; SimpleDocTemplate('a.pdf')",
        record("Used reportlab for PDF generation", "reportlab"),
    ),
    "G-DET-025": ("from fpdf import FPDF", record("Used fpdf for PDF generation", "fpdf", "medium")),
    "G-DET-025-called": ("from fpdf import FPDF\npdf = FPDF()", record("Used fpdf for PDF generation", "fpdf")),
    "G-DET-026": ("import matplotlib", record("Used matplotlib for data visualization", "matplotlib", "medium")),
    "G-DET-027": (
        "import pandas as pd; pd.read_csv('a.csv')",
        record("Used pandas for data processing", "pandas"),
    ),
    "both-imported": (
        "from PIL import Image\nimport matplotlib.pyplot as plt",
        record("Used Pillow/PIL to create image files", "Pillow", "medium"),
    ),
}


@pytest.mark.parametrize(("code", "expected"), DETECTED.values(), ids=DETECTED.keys())
def test_code_decides_the_previous_implementation(code: str, expected: dict[str, str]) -> None:
    chat, turn = after(code)
    assert previous(chat) == expected
    assert f"{BLOCK}\n{expected['method']} (Confidence: {expected['confidence']})" in turn.system
    assert ("you SHOULD use the SAME" in turn.system) == (expected["confidence"] == "high")
    assert ("you CONSIDER using the SAME" in turn.system) == (expected["confidence"] == "medium")


def test_G_DET_013_G_PROMPT_003_without_library_code_there_is_no_record_and_no_block() -> None:
    chat = session()
    chat.hear("Create a chart")
    chat.say("I could import pandas and use matplotlib for that. Shall I?")
    turn = chat.hear("use your own judgement, I like matplotlib charts and pandas")
    assert previous(chat) is None
    assert BLOCK not in turn.system


def _filled(count: int) -> Session:
    """A conversation with code, then `count` messages without, the last of them a request."""
    chat = session()
    chat.say("Here it is.", code=PILLOW)
    for number in range(count - 1):
        if number % 2:
            chat.say("Nice weather.")
        else:
            chat.hear("and how are you?")
    chat.hear("go on")
    return chat


def test_G_DET_015_the_window_is_the_last_ten_messages() -> None:
    assert previous(_filled(10)) is None
    nine = previous(_filled(9))
    assert nine is not None
    assert nine["confidence"] == "high"


def test_G_DET_017_at_equal_confidence_the_newest_message_wins() -> None:
    chat = session()
    chat.say("One.", code=PILLOW)
    chat.say("Two.", code=PLOT)
    chat.hear("go on")
    assert (previous(chat) or {})["library"] == "matplotlib"
    assert [row["library"] for row in chat.face.libraries()] == ["matplotlib", "Pillow"]


def test_a_use_goes_before_a_newer_import() -> None:
    chat = session()
    chat.say("One.", code=PILLOW)
    chat.say("Two.", code="import matplotlib.pyplot as plt")
    chat.hear("go on")
    assert (previous(chat) or {})["library"] == "Pillow"


def test_G_DET_020_a_note_without_code_does_not_hide_the_content() -> None:
    chat = session()
    chat.say("from PIL import Image; Image.new('RGB',(9,9))", code="A long note about what was done. " * 40)
    chat.hear("go on")
    assert previous(chat) == record("Used Pillow/PIL to create image files", "Pillow")


def test_G_DET_028_content_alone_is_read_too() -> None:
    chat = session()
    chat.say("from PIL import Image; Image.new('RGB',(9,9))")
    chat.hear("go on")
    assert previous(chat) == record("Used Pillow/PIL to create image files", "Pillow")


def test_what_people_write_is_never_evidence() -> None:
    chat = session()
    chat.hear("from PIL import Image; Image.new('RGB',(9,9))")
    assert previous(chat) is None


def test_G_DET_030_pillow_is_kept_for_the_revision() -> None:
    _chat, turn = after("from PIL import Image, ImageDraw; Image.new('RGB',(99,99))")
    assert "you SHOULD use the SAME implementation approach" in turn.system
    assert "Used Pillow/PIL to create image files (Confidence: high)" in turn.system


def test_G_PROMPT_001_the_block_is_worded_as_the_document_has_it() -> None:
    _chat, turn = after(PILLOW)
    start = turn.system.index(BLOCK)
    assert turn.system[start:].startswith(
        """**PREVIOUS IMPLEMENTATION METHOD:**
Used Pillow/PIL to create image files (Confidence: high)

**IMPORTANT:** When making revisions, you SHOULD use the SAME implementation approach as before for consistency.
- If previous revision used Pillow/PIL for images → Continue using Pillow/PIL (unless user explicitly requests \
otherwise)
- If previous revision used matplotlib → Continue using matplotlib
- If previous revision used pandas → Continue using pandas
- If previous revision used reportlab/fpdf → Continue using the same PDF library
- If previous revision used openpyxl → Continue using openpyxl
- Maintain consistency across revisions UNLESS user explicitly asks for a different approach
- If user says "instead", "rather", "switch to", or "use X instead" → Honor their request and change approach"""
    )


def test_G_PROMPT_005_the_parts_of_the_prompt_stand_in_order() -> None:
    chat = session()
    chat.hear("My name is Dana Frey. Create report.docx about tea")
    chat.say("Done.", code="from docx import Document\nDocument().save('report.docx')", files=["out/report.docx"])
    turn = chat.hear("Update report.docx with a table")
    prompt = chat.face.prompt("MASTER", "SPECIALIST", task="Update report.docx", analysis="two paragraphs")
    parts = ["MASTER", "SPECIALIST", "**EXISTING FILES:**", "**REVISION OR CREATION:**", BLOCK]
    parts += ["**PLANNED FILENAME:**", "**User Profile:**", "**FILE ANALYSIS:**"]
    places = [prompt.index(part) for part in parts]
    assert places == sorted(places)
    told = [turn.system.index(part) for part in parts[2:7]]
    assert told == sorted(told)


def test_G_PROMPT_006_without_documents_no_filename_is_invented() -> None:
    turn = session().hear("Create a chart")
    assert "**EXISTING FILES:**\n(none found)\nDo NOT invent filenames" in turn.system


def test_G_PROMPT_007_the_named_file_is_to_be_used_exactly() -> None:
    chat = session()
    turn = chat.hear("Write a summary of the meeting into report.docx")
    assert "report.docx\nUse exactly this filename." in turn.system
    assert "report.docx\nUse exactly this filename." in chat.face.prompt(task="Create report.docx")


OVERRIDES = {
    "G-OVR-001": ("Use matplotlib instead", "library", "matplotlib", ()),
    "G-OVR-002": ("Switch to pandas", "library", "pandas", ()),
    "G-OVR-003": ("Rather use openpyxl", "library", "openpyxl", ()),
    "G-OVR-004": ("Try a different approach", "approach", None, ()),
    "G-OVR-005": ("Forget Pillow, use matplotlib", "library", "matplotlib", ("Pillow",)),
    "G-OVR-015": ("use matplotlib", "library", "matplotlib", ()),
    "redo": ("redo it in matplotlib", "library", "matplotlib", ()),
    "go-with": ("let's go with plotly", "library", "plotly", ()),
    "swap": ("swap Pillow for matplotlib", "library", "matplotlib", ("Pillow",)),
    "reject": ("don't use Pillow", "reject", None, ("Pillow",)),
    "ru": ("Используй matplotlib вместо этого", "library", "matplotlib", ()),
    "es": ("Usa matplotlib en su lugar", "library", "matplotlib", ()),
}


@pytest.mark.parametrize(("said", "kind", "requested", "rejected"), OVERRIDES.values(), ids=OVERRIDES.keys())
def test_an_override_ends_the_old_guidance(said: str, kind: str, requested: str | None, rejected: tuple[str]) -> None:
    chat, turn = after(PILLOW, said)
    override = chat.face.override()
    assert (override["kind"], override["requested"], tuple(override["rejected"])) == (kind, requested, rejected)
    assert BLOCK not in turn.system
    assert previous(chat) is None
    told = turn.receipt.did("superseded")
    assert told
    assert told[0].words in said


def test_G_OVR_006_the_first_code_with_the_new_library_puts_it_in_force() -> None:
    chat, _turn = after(
        "from PIL import Image, ImageDraw; Image.new('RGB',(99,99))", "Use matplotlib instead to add a chart"
    )
    assert previous(chat) is None
    chat.say("Done.", code=PLOT)
    turn = chat.hear("Make the line red")
    assert (previous(chat) or {})["library"] == "matplotlib"
    assert "Used matplotlib for data visualization (Confidence: high)" in turn.system


def test_an_override_holds_until_code_with_it_came() -> None:
    chat, _turn = after(PILLOW, "Use matplotlib instead")
    chat.say("Which data shall I draw?")
    turn = chat.hear("the sales")
    assert BLOCK not in turn.system
    assert "asked for matplotlib" in turn.system


def test_an_import_of_the_new_library_is_enough_to_take_force() -> None:
    chat, _turn = after(PILLOW, "Use matplotlib instead")
    chat.say("Done.", code="import matplotlib.pyplot as plt")
    chat.hear("go on")
    assert previous(chat) == record("Used matplotlib for data visualization", "matplotlib", "medium")


KEPT = {
    "G-OVR-009": "Add a blue square",
    "G-OVR-010": "make it 3 instead of 1",
    "G-OVR-011": "change to red",
    "G-OVR-013": "make the circle green instead",
    "confirmation": "use Pillow please",
    "question": "why did you use Pillow?",
    "other-question": "is matplotlib better?",
    "position": "I'd rather have it on the left",
    "text": 'change the title to "Use matplotlib"',
    "ru": "сделай 3 вместо 1",
    "es": "cambia a rojo",
}


@pytest.mark.parametrize("said", KEPT.values(), ids=KEPT.keys())
def test_attributes_confirmations_and_questions_keep_the_guidance(said: str) -> None:
    chat, turn = after(PILLOW, said)
    assert "you SHOULD use the SAME" in turn.system
    assert (previous(chat) or {})["library"] == "Pillow"
    assert not turn.receipt.did("superseded")


def test_G_OVR_014_something_different_softens_and_asks() -> None:
    _chat, turn = after(PILLOW, "can we try something different")
    assert "you CONSIDER using the SAME" in turn.system
    assert turn.question == "Another library, or another look?"


@pytest.mark.parametrize("first", ["routing", "specialist"])
def test_G_OVR_020_the_override_counts_whichever_view_is_built_first(first: str) -> None:
    chat, _turn = after(PILLOW)
    assert getattr(chat.face, first)()["previousImplementation"]["library"] == "Pillow"
    chat.hear("Use matplotlib instead")
    views = [chat.face.routing, chat.face.specialist]
    for view in views if first == "routing" else views[::-1]:
        assert view()["previousImplementation"] is None


def test_G_CTX_002_a_session_needs_a_user_and_an_id() -> None:
    hf = Holdfast(pack="grace")
    with pytest.raises(Refused, match=r"^user_id is required$"):
        hf.session("c1")
    with pytest.raises(InvalidInput, match=r"^conversation_id is required$"):
        hf.session("", user="u1")
    hf.session("c1", user="u1").hear("hello")
    assert hf.session("c1").user == "u1"


def test_G_CTX_003_to_006_a_context_is_built_once_per_request() -> None:
    chat, _turn = after(PILLOW)
    face = chat.face
    first = face.build("r1")
    assert face.build("r1") is first
    assert face.loads == 1
    assert face.build("r2") is not first
    assert face.loads == 2
    face.build("r2", refresh=True)
    assert face.loads == 3
    face.invalidate()
    face.build("r2")
    assert face.loads == 4


def test_G_CTX_008_adding_before_the_first_build_is_ignored_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    chat = session()
    with caplog.at_level(logging.WARNING, logger="holdfast.grace"):
        chat.face.add_file("test.txt")
    assert "test.txt is ignored" in caplog.text
    chat.face.build("r1")
    assert chat.face.routing()["files"] == []
    chat.face.add_file("test.txt", "/x/test.txt")
    chat.face.add_message("user", "hi")
    assert chat.face.routing()["mostRecentFile"]["name"] == "test.txt"
    assert chat.face.loads == 1


def test_G_CTX_009_and_010_sources_that_fail_leave_their_part_empty() -> None:
    chat, _turn = after(PILLOW)

    def broken() -> Any:
        raise OSError("disk gone")

    chat.face.sources["files"] = broken
    context = chat.face.build("r1")
    assert context.files == []
    assert context.messages
    assert not context.error
    for part in chat.face.sources:
        chat.face.sources[part] = broken
    context = chat.face.build("r2")
    assert (context.files, context.messages, context.tasks, context.profile) == ([], [], [], None)
    assert context.error


def test_G_CTX_015_all_views_share_one_loading() -> None:
    chat, _turn = after(PILLOW)
    chat.face.build("r1")
    views = [chat.face.routing(), chat.face.planning(), chat.face.specialist()]
    assert views[0]["files"] is views[1]["files"] is views[2]["files"]
    assert chat.face.loads == 1
    assert set(views[0]) == {
        *("hasFiles", "files", "mostRecentFile", "recentMessages", "previousImplementation", "profile", "isFollowUp")
    }
    assert set(views[1]) == {"files", "tasks", "recentMessages", "profile", "previousResult"}
    assert set(views[2]) == {"files", "profile", "profileContext", "taskHistory", "previousImplementation"}
    assert views[0]["previousImplementation"] == views[2]["previousImplementation"]


def test_G_CTX_016_the_profile_is_told_line_by_line() -> None:
    chat = session()
    assert chat.face.specialist()["profileContext"] == ""
    chat.face.set_profile("name", "dana")
    assert chat.face.build("r").profile == {"name": "dana"}
    assert chat.face.specialist()["profileContext"] == "**User Profile:**\n- name: dana"


def test_G_CTX_019_and_020_old_messages_are_found_by_key_words() -> None:
    chat = session()
    for number in range(12):
        chat.hear(f"the poker guide, part {number}")
    chat.hear("something else")
    found = chat.face.search("remember when we made the poker guide")
    assert len(found) == 10
    assert found[0]["content"] == "the poker guide, part 11"
    assert chat.face.search("what is it") == []


def test_G_CTX_021_system_and_failed_messages_are_outside_the_window() -> None:
    chat = session()
    chat.say("x", code=PILLOW)
    chat.say("y", code=PLOT, status="failed")
    chat.say("z", code="import pandas as pd; pd.DataFrame()", role="system")
    for _ in range(10):
        chat.say("system note", role="system")
    chat.hear("go on")
    assert (previous(chat) or {})["library"] == "Pillow"
    assert [m["content"] for m in chat.face.routing()["recentMessages"]] == ["x", "go on"]


def test_G_CTX_022_failed_tasks_are_told_with_their_error() -> None:
    chat = session()
    for number in range(6):
        chat.say("Done.", task={"title": f"Task {number}", "status": "completed", "result": "ok"})
    chat.say("It failed.", status="failed", task={"title": "Add author name", "error": "File not found"})
    turn = chat.hear("try again")
    shown = chat.face.specialist()["taskHistory"]
    assert len(shown) == 5
    assert shown[-1]["line"] == "✗ Add author name (Error: File not found)"
    assert "✗ Add author name (Error: File not found)" in turn.system
    assert "try a different approach" in turn.system
    assert chat.face.planning()["previousResult"] == "ok"


def with_document(request: str = "", path: str = "out/love.docx") -> tuple[Session, Turn]:
    chat = session()
    chat.hear('Create a Word document about love with a title "The Essence of Love" and 2 paragraphs')
    chat.say("Done.", code="from docx import Document\nDocument().save('love.docx')", files=[path])
    return chat, chat.hear(request or "thanks")


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param("make it 3 stars", id="G-FU-001"),
        pytest.param(
            "Make that document more romantic and add 2 more paragraphs about passion and connection", id="G-FU-004"
        ),
        pytest.param("can you make it shorter?", id="can-you"),
        pytest.param("Добавь в документ ещё абзац, сделай его длиннее", id="ru"),
        pytest.param("Añade un párrafo y hazlo más corto", id="es"),
    ],
)
def test_a_follow_up_is_a_revision_of_the_file(request_: str) -> None:
    chat, turn = with_document(request_)
    assert chat.face.routing()["isFollowUp"] is True
    assert chat.state.files.request.mode == "revision"
    assert chat.state.files.request.target == "love.docx"
    assert "This is a REVISION of love.docx" in turn.system


@pytest.mark.parametrize(
    "said",
    [pytest.param("What is the capital of France?", id="G-FU-005"), pytest.param("Edit title", id="G-FU-006")],
)
def test_pronouns_are_matched_as_whole_words(said: str) -> None:
    chat, _turn = with_document(said)
    assert chat.face.routing()["isFollowUp"] is False


def test_G_FU_007_without_a_user_message_among_the_last_three_nothing_follows_up() -> None:
    chat, _turn = with_document("make it red")
    assert chat.face.routing()["isFollowUp"] is True
    for _ in range(3):
        chat.say("Working.")
    assert chat.face.routing()["isFollowUp"] is False


def test_G_FU_010_a_stated_kind_needs_no_question() -> None:
    assert session().hear("make an educational overview document about ADHD").question is None


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("make a document about ADHD", "reflection"),
        ("сделай документ про космос", "эссе"),
        ("haz un documento sobre el mar", "ensayo"),
    ],
)
def test_a_new_document_without_a_kind_gets_a_ready_question(said: str, word: str) -> None:
    question = session().hear(said).question
    assert question is not None
    assert word in question


def test_G_REV_001_a_quantity_keeps_pillow_for_the_stars() -> None:
    chat = session()
    chat.hear("make me a word document about poker")
    chat.say("Done.", code="from docx import Document\nDocument().save('poker.docx')", files=["poker.docx"])
    chat.hear("add a star at the top")
    code = "from PIL import Image, ImageDraw; Image.new('RGBA',(99,99))"
    chat.say("Done.", code=code, files=["poker.docx"])
    turn = chat.hear("make it 3 instead of 1")
    assert (previous(chat) or {})["library"] == "Pillow"
    assert "you SHOULD use the SAME" in turn.system
    assert chat.face.override() is None
    assert {row["library"]: row["files"] for row in chat.face.libraries()} == {
        "Pillow": ["poker.docx"],
        "python-docx": ["poker.docx"],
    }


def test_G_REV_002_and_003_a_missing_name_is_asked_for_and_the_answer_continues_the_work() -> None:
    chat, _turn = with_document()
    turn = chat.hear("add my name as author, if you don't know ask")
    assert turn.question == "What name should I put as the author?"
    assert "Never write a placeholder" in turn.system
    assert chat.state.questions.open[-1].about == "name"
    turn = chat.hear("Dana Frey")
    assert chat.face.build("r").profile == {"name": "Dana Frey"}
    assert chat.state.files.request.target == "love.docx"
    assert chat.state.files.request.mode == "revision"
    assert "add my name as author" in turn.context
    assert "- name: Dana Frey" in turn.system
    assert not chat.state.questions.open


def test_G_REV_003_the_agent_may_ask_in_its_own_words() -> None:
    chat, _turn = with_document()
    chat.hear("add my name as author")
    chat.say("I don't know it yet. What is your name?", agent="specialist")
    turn = chat.hear("dana frey")
    assert "- name: dana frey" in turn.system
    assert chat.state.files.request.target == "love.docx"


def test_a_known_name_needs_no_question() -> None:
    hf = Holdfast(pack="grace")
    session("c0", hf=hf).hear("my name is Dana Frey")
    turn = session("c1", hf=hf).hear("add my name as author")
    assert turn.question is None
    assert "- name: Dana Frey" in turn.system


def test_G_REV_005_after_the_first_reply_one_file_is_on_record() -> None:
    chat = session()
    turn = chat.hear('Create a Word document about love with a title "The Essence of Love" and 2 paragraphs')
    assert turn.question is None
    assert previous(chat) is None
    assert chat.face.routing()["isFollowUp"] is False
    chat.say("Done.", code="from docx import Document\nDocument().save('love.docx')", files=["out/love.docx"])
    chat.face.build("r2")
    assert [file["name"] for file in chat.face.routing()["files"]] == ["love.docx"]


def test_G_REV_008_every_revision_has_its_own_entry_and_the_file_stays_one() -> None:
    chat, _turn = with_document()
    for request in (
        "Add an introduction",
        "Change the title",
        'Add a new section called "Why Love Matters" with 1 paragraph',
    ):
        turn = chat.hear(request)
        assert "This is a REVISION of love.docx" in turn.system
        chat.say(
            "Done.", code="from docx import Document\nDocument('love.docx').save('love.docx')", files=["out/love.docx"]
        )
    assert len(chat.face.routing()["files"]) == 1
    titles = [task["title"] for task in chat.face.specialist()["taskHistory"]]
    assert titles[-3:] == [
        "Add an introduction",
        "Change the title",
        'Add a new section called "Why Love Matters" with 1 paragraph',
    ]


@pytest.mark.parametrize(
    "verb", ["add", "update", "modify", "edit", "change", "revise", "insert", "put", "remove", "move", "rename"]
)
def test_G_REV_011_verbs_of_revision_mean_the_newest_version(verb: str) -> None:
    chat, _turn = with_document()
    chat.say("Version two.", files=["out/love_v2.docx"])
    turn = chat.hear(f"{verb} the second paragraph of the document")
    assert chat.state.files.request.mode == "revision"
    assert chat.state.files.request.target == "love_v2.docx"
    assert "apply only the asked change" in turn.system
    assert turn.question is None


def test_G_REV_013_a_known_name_updates_its_path() -> None:
    chat, _turn = with_document()
    chat.face.record_file("love.docx", "/elsewhere/love.docx")
    assert [(f["name"], f["path"]) for f in chat.face.build("r").files] == [("love.docx", "/elsewhere/love.docx")]


def test_G_REV_018_an_upload_without_text_answers_the_open_request() -> None:
    chat = session()
    chat.hear("Write a letter to the bank about my loan")
    chat.say("Please send me the loan details.")
    for _ in range(8):
        chat.hear("by the way, how is the weather")
        chat.say("Sunny.")
    turn = chat.hear("", files=["uploads/loan_agreement.pdf"])
    assert turn.receipt.did("bound")
    assert "loan_agreement.pdf" in turn.context
    assert "Please send me the loan details." in turn.context
    assert "Write a letter to the bank" in turn.context


def test_G_PROF_003_a_conversation_with_an_id_ranks_as_conversation() -> None:
    chat = session()
    chat.face.set_profile("name", "dana", source="import")
    chat.face.set_profile("name", "Dana F.", source="conversation:c0")
    chat.face.set_profile("name", "nobody", source="import")
    assert chat.face.build("r1").profile == {"name": "Dana F."}
    chat.hear("my name is Dana Frey")
    assert chat.face.build("r2").profile == {"name": "Dana Frey"}
    chat.face.set_profile("name", "D. Frey", source="settings")
    turn = chat.hear("call me Maria")
    assert chat.face.build("r3").profile == {"name": "D. Frey"}
    assert turn.receipt.did("refused")


def test_G_PROF_004_a_doubtful_entry_is_not_shown() -> None:
    chat = session()
    chat.face.set_profile("location", "Austin", confidence=0.4)
    assert "Austin" not in chat.hear("hello").system
    chat.face.set_profile("location", "Austin", confidence=0.5)
    assert "- location: Austin" in chat.hear("hello").system


def test_G_PROF_005_the_profile_is_asked_for_late_and_seldom() -> None:
    chat = session()
    for _ in range(2):
        chat.hear("hello")
        assert chat.face.profile_question() is None
    chat.hear("hello")
    assert chat.face.profile_question() == "What is your name?"
    chat.say("What is your name?")
    for _ in range(4):
        chat.hear("later")
        assert chat.face.profile_question() is None
        chat.say("Sure.")
    chat.say("Well.")
    assert chat.face.profile_question() is not None


def test_detection_is_the_same_when_awaited() -> None:
    chat, _turn = after(PILLOW)
    assert asyncio.run(chat.face.detect_async()) == previous(chat) is not None
