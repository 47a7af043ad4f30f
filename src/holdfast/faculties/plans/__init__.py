"""Plans beside the search: what is to happen, where, when, with how many and for whom."""

from holdfast.faculties.plans.faculty import Plan, PlanKept, Plans, PlansFaculty, booked, cancelled, planned, plans_of

__all__ = ["Plan", "PlanKept", "Plans", "PlansFaculty", "booked", "cancelled", "planned", "plans_of"]
