"""The service desk, its abilities and their parts. `diagnosis.py` has the order of work: read it first."""
