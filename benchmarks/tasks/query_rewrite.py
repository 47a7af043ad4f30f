"""What a question leaves out: history through `hear` and `say`, the answer from the context of the Turn. The title of
the page that a talk is about is handed over as its subject."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.subjects import SubjectsFaculty
from holdfast.pack import Pack

LABEL = "About"
PACK = Pack(name="query_rewrite", faculties=(ConversationFaculty(), SubjectsFaculty(LABEL)))


def predict(row: dict[str, Any], extra: object) -> dict[str, Any]:
    chat = Holdfast(pack=PACK).session("s")
    for speaker, text in row["history"]:
        if speaker == "C":
            chat.say(text, subject=text.partition(" — ")[0])
        else:
            (chat.hear if speaker == "U" else chat.say)(text or "…")
    context = chat.hear(row["question"]).context
    return {"context": context.removeprefix(f"[CONTEXT: {LABEL}: ").removesuffix("]")}
