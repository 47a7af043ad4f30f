"""Abilities, one file or folder each and whole; `docs/faculties.md` lists them."""
