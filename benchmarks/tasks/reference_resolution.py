"""Which of the mentioned things a message means: history through `hear` and `say` with what the tools reported, the
answer from the references of the Turn, or, where the message points at nothing, what is in focus."""

from __future__ import annotations

from typing import Any

from holdfast import Holdfast
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.pack import Pack

PACK = Pack(
    name="reference_resolution",
    faculties=(ConversationFaculty(), QuestionsFaculty(), ReferencesFaculty(kept=12)),
)
ROLES = {"departure": "from", "destination": "to"}


def predict(row: dict[str, Any], extra: object) -> dict[str, Any]:
    chat = Holdfast(pack=PACK).session("s")
    for number, (speaker, text) in enumerate(row["history"]):
        named = [_entity(e) for e in row["entities"] if e["turn"] == number]
        if speaker == "U":
            chat.hear(text or "…", entities=named or None)
        else:
            chat.say(text or "…", entities=named or None)
    role = ROLES.get(row["act"].rpartition(".")[2], "")
    kind = row["act"].split(" ")[-1].split(".")[0] if "." in row["act"] and not role else ""
    turn = chat.hear(row["utterance"])
    return {"entity": chosen(turn, chat.state.references, role, kind)}


def _entity(told: dict[str, Any]) -> dict[str, Any]:
    return {"name": told["name"], "kind": told.get("type", "")}


def chosen(turn: Any, references: Any, role: str, kind: str) -> str | None:
    """The resolution in the role that is asked for; without one, the most recent of the kind."""
    found = [r for r in turn.references if r.entities and r.status != "none"]
    other = {e.name for r in found if role and r.role and r.role != role for e in r.entities}
    for resolution in found:
        if role and resolution.role == role:
            return str(resolution.entities[-1].name)
    fits = [e for r in found for e in r.entities if e.name not in other and (not kind or e.kind in ("", kind))]
    if fits:  # of a pair, a way leads from the first to the second
        return str(fits[0 if role == "from" else -1].name)
    known = [e for e in references.known.values() if e.name not in other]
    fitting = [e for e in known if not kind or e.kind in ("", kind)] or known
    return str(fitting[-1].name) if fitting else None
