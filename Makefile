# Everything anyone needs: each target makes .venv and installs what it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check format bench clean

run: .venv/run
	$(BIN)/holdfast chat

test: check
	$(BIN)/python -m pytest -n auto

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev
	$(BIN)/python benchmarks/turn.py

.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/run

clean:
	rm -rf .venv
