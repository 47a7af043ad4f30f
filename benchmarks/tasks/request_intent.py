"""Which detail a message asks for: history through `hear` and `say`, the answer from what the Turn understood."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast
from holdfast.faculties.references.faculty import DetailAsked
from tasks.reference_resolution import PACK


def predict(row: dict[str, Any], extra: object) -> dict[str, Any]:
    chat = Holdfast(pack=PACK).session("s")
    for speaker, text in row["history"][-4:]:
        (chat.hear if speaker == "U" else chat.say)(text or "…")
    asked = [e.detail for e in chat.hear(row["utterance"]).events if isinstance(e, DetailAsked)]
    label = asked[0] if asked else "none"
    return {"label": "other_detail" if label == "other" else label}
