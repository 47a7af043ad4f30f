"""Slots: named values that a pack declares, such as a place, a name or a party size."""

from holdfast.faculties.facts.memos import SlotSet
from holdfast.faculties.facts.slots.calls import put, restore
from holdfast.faculties.facts.slots.faculty import SlotsFaculty
from holdfast.faculties.facts.slots.sifting import stands, without_swapped
from holdfast.faculties.facts.slots.values import Found, Slot

__all__ = ["Found", "Slot", "SlotSet", "SlotsFaculty", "put", "restore", "stands", "without_swapped"]
