"""A bicycle workshop: the faculties of the service desk in another field, with a handful of procedures.

    holdfast chat --pack examples/bicycle_workshop/__init__.py

Nothing here is code but this file: the procedures are TOML, the figures are TOML, and what the workshop says in its own
words is TOML.
"""

from pathlib import Path

from holdfast.packs.service_desk import build

PACK = build(
    "bicycle_workshop",
    Path(__file__).parent,
    "Leads a mechanic from the complaint to the report",
    "You are the desk of a bicycle workshop. Lead the mechanic through the checks, one at a time.",
)
