"""follow_up_vs_new_topic: does the message go on with what is talked about, or turn to something else? The history goes
through the general pack, the label is what the Turn says of its route."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast

HF = Holdfast(pack="general")


def predict(row: dict[str, Any], extra: None) -> dict[str, str]:
    chat = HF.session(row["id"])
    for speaker, text in row["history"]:
        if text.strip():
            chat.hear(text) if speaker == "U" else chat.say(text)
    turn = chat.hear(row["utterance"])
    HF.forget(session=row["id"])
    return {"label": "follow_up" if turn.route.follow_up else "new_topic"}
