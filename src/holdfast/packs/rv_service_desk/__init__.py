"""`rv_service_desk`: leads an RV technician through a diagnostic procedure, answers where, what and how without losing
the step, takes conclusions back when new evidence comes, never loops, and never blocks on labor."""

from __future__ import annotations

from holdfast.pack import Pack
from holdfast.packs.service_desk import build
from holdfast.reading.tables import shipped

INSTRUCTIONS = (
    "You are the service desk for RV technicians. Lead the technician through the diagnostic procedure, one step at a "
    "time. The engine alone decides the flow: never declare isolation, readiness or a change of mode. Use only what "
    "the technician said. Never use the words broken, failed, defective, bad, damaged, worn, misadjusted or leaking."
)


def pack(**flags: bool) -> Pack:
    """The pack, with flags switched off where wanted: `pack(ENABLE_REPLAN=False)`."""
    return build(
        "rv_service_desk",
        "holdfast.packs.rv_service_desk",
        "Leads an RV technician from the complaint to the report",
        INSTRUCTIONS,
        tables=tuple(shipped("holdfast.packs.rv_service_desk", "desk")),
        **flags,
    )


PACK = pack()
