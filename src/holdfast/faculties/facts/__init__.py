"""Memory: what a person told, kept true over time. `faculty.py` is the ability; the rest are its parts."""

from holdfast.faculties.facts.faculty import MemoryFaculty
from holdfast.faculties.facts.telling import memory_sections

__all__ = ["MemoryFaculty", "memory_sections"]
