"""Tasks: what a person wants done, and how far it is. `faculty.py` is the ability; the rest are its parts."""

from holdfast.faculties.aims.tasks.faculty import Kind, TasksFaculty

__all__ = ["Kind", "TasksFaculty"]
