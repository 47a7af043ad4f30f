"""A service desk in any field: the faculties of a diagnosis over a folder of procedures.

Another field is another folder with `procedures/*.toml`, perhaps `figures.toml`, `parts.tsv` and `texts.tsv`;
`build` makes the pack. `rv_service_desk` is one such package, `examples/bicycle_workshop` another.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from holdfast.agents.desk import desk_agent
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.desk import library, replies
from holdfast.faculties.desk.case import Desk, Flags
from holdfast.faculties.desk.diagnosis import DiagnosisFaculty
from holdfast.faculties.desk.estimates import LaborFaculty
from holdfast.faculties.desk.evidence import EvidenceFaculty
from holdfast.faculties.desk.guard import GuardFaculty
from holdfast.faculties.desk.procedure import ProcedureFaculty
from holdfast.faculties.desk.report import ReportFaculty
from holdfast.faculties.desk.topics import TopicsFaculty
from holdfast.pack import Pack
from holdfast.packs.service_desk.face import DeskFace
from holdfast.reading.tables import Table


def build(
    name: str,
    home: str | Path,
    summary: str,
    instructions: str,
    *,
    tables: tuple[Table, ...] = (),
    ENABLE_CLARIFICATION_SUBFLOWS: bool = True,  # noqa: N803 - named as in the document
    ENABLE_REPLAN: bool = True,  # noqa: N803
    ENABLE_NON_BLOCKING_LABOR: bool = True,  # noqa: N803
) -> Pack:
    """A service desk over the procedures of a package (by its name) or of a folder (by its path)."""
    flags = Flags(ENABLE_CLARIFICATION_SUBFLOWS, ENABLE_REPLAN, ENABLE_NON_BLOCKING_LABOR)
    desk = Desk(library.load(home), library.load_texts("holdfast.faculties.desk", home), flags)
    return Pack(
        name=name,
        summary=summary,
        instructions=instructions,
        faculties=(
            ConversationFaculty(steady=True),
            TopicsFaculty(),
            ProcedureFaculty(desk),
            EvidenceFaculty(),
            LaborFaculty(),
            ReportFaculty(desk),
            GuardFaculty(  # before the diagnosis is told of a reply, so that it was understood in its own moment
                fallbacks=desk.texts.all("fallback.diagnostic"),
                step_of=partial(replies.step_of, desk=desk),
                instead=partial(replies.stand_in, desk=desk),
            ),
            DiagnosisFaculty(desk),
            replies.RepliesFaculty(desk),
        ),
        section_order=("procedure", "replan", "clarification", "moment", "fact_lock", "anti_loop"),
        budget=4000,
        tables=tables,
        hears_silence=True,
        settings={
            "ENABLE_CLARIFICATION_SUBFLOWS": ENABLE_CLARIFICATION_SUBFLOWS,
            "ENABLE_REPLAN": ENABLE_REPLAN,
            "ENABLE_NON_BLOCKING_LABOR": ENABLE_NON_BLOCKING_LABOR,
        },
        agent=partial(desk_agent, desk=desk),
        face=partial(DeskFace, desk=desk),
    )
