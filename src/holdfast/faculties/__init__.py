"""Abilities. One file is one ability, whole; `docs/faculties.md` lists them."""
