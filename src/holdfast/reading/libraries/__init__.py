"""Libraries that code uses (`code.py`), and those that people ask for or refuse (`overrides.py`, `ordinary.py`)."""

from holdfast.reading.libraries.code import Libraries, Library, known

__all__ = ["Libraries", "Library", "known"]
