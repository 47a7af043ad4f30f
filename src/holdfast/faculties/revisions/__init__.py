"""Revisions: the same library across the revisions of a file. `faculty.py` is the ability; the rest are its parts."""

from holdfast.faculties.revisions.faculty import RevisionsFaculty

__all__ = ["RevisionsFaculty"]
