"""Lists, reminders and plans that a person wants kept."""

from holdfast.faculties.lists.faculty import ListChanged, Lists, ListsFaculty

__all__ = ["ListChanged", "Lists", "ListsFaculty"]
