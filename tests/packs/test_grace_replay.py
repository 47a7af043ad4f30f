"""Random conversations of `grace`: no faculty fails, and the log folds into the same state again."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from holdfast import Holdfast, Reply, Turn

SAID = [
    "Create an image with a red circle",
    "Use matplotlib instead",
    "don't use Pillow",
    "try something different",
    "always use plotly for charts",
    "never use fpdf",
    "you can use fpdf again",
    "make it 3 instead of 1",
    "make a document about love",
    "add my name as author",
    "Dana Frey",
    "my name is Dana",
    "which library did you use?",
    "add a row to the spreadsheet",
    "используй другую библиотеку",
    "usa pandas o polars",
    "",
    "hello",
]
CODE = [
    None,
    "from PIL import Image\nImage.new('RGB', (1, 1)).save('a.png')",
    "import matplotlib.pyplot as plt\nplt.savefig('b.png')",
    "import openpyxl, docx\nopenpyxl.Workbook()",
    "not code at all",
]
FILES = [None, ["a.png"], ["x/costs.xlsx", {"name": "love.docx", "path": "y/love.docx"}], "one.pdf"]
STEPS = some.one_of(
    some.tuples(some.just("hear"), some.sampled_from(SAID), some.sampled_from(FILES)),
    some.tuples(some.just("say"), some.sampled_from(CODE), some.sampled_from(FILES)),
    some.tuples(some.just("fail"), some.sampled_from(CODE), some.just(None)),
)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(some.lists(STEPS, max_size=25))
def test_any_conversation_replays_to_the_same_state(steps: list[tuple[str, str | None, object]]) -> None:
    hf = Holdfast(pack="grace")
    chat = hf.session("c", user="u")
    for verb, text, files in steps:
        done: Turn | Reply
        if verb == "hear":
            done = chat.hear(text or "", files=files or (["up.csv"] if not text else None))
        elif verb == "say":
            done = chat.say("Done. What is your name?", code=text, files=files)
        else:
            done = chat.say("It failed.", code=text, status="failed", task={"title": "t", "error": "e"})
        assert not done.receipt.did("failed")
        assert chat.face.routing()["previousImplementation"] == chat.face.specialist()["previousImplementation"]
    if steps:
        replayed, state = chat.at(chat.state.version), chat.state
        assert hf.pack.folder.encode(replayed.session) == hf.pack.folder.encode(state.session)
        assert replayed.user is not None
        assert state.user is not None
        assert hf.pack.folder.encode(replayed.user) == hf.pack.folder.encode(state.user)
