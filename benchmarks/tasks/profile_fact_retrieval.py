"""Which facts of a person bear on a message: facts go into the memory, the talk through hear and say, then a search."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast


def predict(row: dict[str, Any], extra: None) -> dict[str, Any]:
    with Holdfast() as hf:
        chat = hf.session("s", user="u")
        ids = {chat.memory.add(text).id: name for name, text in row["facts"].items()}
        for speaker, text in row["history"]:
            if text.strip():
                (chat.hear if speaker == "U" else chat.say)(text)
        near = [message.text for message in chat.state.conversation.recent]
        found = chat.memory.search(row["utterance"], k=20, near=near)
    return {"facts": [ids[hit.item.id] for hit in found if hit.item.id in ids]}
