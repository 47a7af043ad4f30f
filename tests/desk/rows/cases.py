"""Cases of the RV service desk in the states that the acceptance rows begin in."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from holdfast import Holdfast
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace

HF = Holdfast(pack=PACK)
_ids = itertools.count()

Case = tuple[str, Callable[[], None]]


def new(hf: Holdfast = HF) -> DeskFace:
    """A fresh case."""
    face: DeskFace = hf.session(f"case-{next(_ids)}").face
    return face


def at(system: str = "water_pump", **how: Any) -> DeskFace:
    """A case in the middle of a procedure."""
    face = new()
    face.start(system, **how)
    return face


def before(system: str, step: str) -> list[str]:
    """The main-flow steps before a step."""
    procedure = PACK.faculty("procedure").desk.library.procedures[system]  # type: ignore[attr-defined]
    ids = [s.id for s in procedure.step if s.branch is None]
    return ids[: ids.index(step)] if step in ids else ids[:1]


def heater(step: str, **how: Any) -> DeskFace:
    return at("water_heater", done=before("water_heater", step), active=step, **how)


def isolated(finding: str = "Compressor not starting", system: str = "roof_ac") -> DeskFace:
    face = at(system, done=["ac_1", "ac_2"] if system == "roof_ac" else ())
    face.isolate(finding)
    return face


def type_of(face: DeskFace, text: str) -> str:
    return str(face.turn(text)["intent"]["type"])


def rules(face: DeskFace, text: str) -> set[str]:
    return {violation.rule for violation in face.chat.check(text).violations}


def authorizing(hours: float = 1.5) -> DeskFace:
    face = at("water_pump", done=["wp_1"])
    face.isolate("Pump")
    face.draft_labor(hours)
    face.enter("authorization")
    return face


def produced() -> DeskFace:
    face = at("water_pump", done=["wp_1", "wp_2", "wp_3", "wp_4"], active="wp_5")
    face.turn("yes it clicks")
    face.turn("START FINAL REPORT")
    reply = face.chat.say(face.report())
    assert reply.allowed, reply.violations
    return face
