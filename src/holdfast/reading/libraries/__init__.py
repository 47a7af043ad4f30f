"""Libraries that code uses (`code.py`), and those that people ask for or refuse (`overrides.py`, `ordinary.py`)."""
