"""Whether a message changes something that was settled before, and to what: read from the events of its turn."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast
from holdfast.events import Reread
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts import MemoryFaculty
from holdfast.faculties.particulars import ParticularsFaculty, changes
from holdfast.pack import Pack

PACK = Pack("corrections", (ConversationFaculty(), MemoryFaculty(), ParticularsFaculty()))


def predict(row: dict[str, Any], extra: None) -> dict[str, Any]:
    with Holdfast(pack=PACK) as hf:
        chat = hf.session("s")
        for speaker, text in row["history"]:
            if text.strip():
                (chat.hear if speaker == "U" else chat.say)(text)
        turn = chat.hear(row["utterance"])
    found = changes(turn.events)
    values = [{"new": event.given.value, "old": event.old} for event in found]
    told = next((event for event in turn.events if isinstance(event, Reread)), None)
    if told is not None:  # the encoder was asked: it decides whether, and its values count too
        values += [{"new": row["utterance"][one.start : one.end], "old": None} for one in told.new]
        changed = told.changed >= 0.5
        return {"changed": changed, "changes": values if changed else []}
    values += [{"new": v["new"].split(",")[0], "old": v["old"]} for v in values if v["new"] and "," in v["new"]]
    return {"changed": bool(found), "changes": values}
