"""References: what was mentioned, and what a message points at. `faculty.py` is the ability; the rest are its parts."""

from holdfast.faculties.references.faculty import ReferencesFaculty

__all__ = ["ReferencesFaculty"]
