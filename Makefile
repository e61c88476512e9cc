# Two commands for a fresh clone: `make demo` and `make test`. Each builds .venv once and then only runs.
# Needs python3 (3.11 or newer) with venv, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
EXTRAS := $(VENV)/.extras
PYTEST := $(BIN)/python -m pytest
# Each test has a world of its own, and much of its time a client waits: two share a small machine well.
CLIENTS_AT_ONCE ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test check format test-clients features bench docs wheel lock clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

$(STAMP): pyproject.toml requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "thruline needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	    echo "  try  make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "This python3 cannot make virtual environments."; \
	    echo "  try  apt-get install python3-venv   (or your system's package of that name)"; exit 1; }
	@echo "Installing into $(VENV) (once; about a minute)…"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

# What the optional parts need; the demo does without.
$(EXTRAS): $(STAMP) requirements/extras.txt
	@echo "Installing the extras into $(VENV) (once; about a minute)…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/extras.txt
	@touch $(EXTRAS)

demo: $(STAMP)  ## the main job, on sample data in this repository
	@$(BIN)/python tools/demo.py

test: $(EXTRAS)  ## the whole fast suite
	@$(PYTEST) -n auto --dist worksteal -q -m "not client and not shared"

check: $(EXTRAS)  ## ruff, mypy --strict, import contracts, docs
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tools.docs --check

format: $(STAMP)  ## write what ruff would
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

test-clients: $(EXTRAS)  ## real clients from npm, and what needs ../shared
	@$(BIN)/python -m tools.clients
	@$(PYTEST) -n $(CLIENTS_AT_ONCE) --dist worksteal -q -m "client or shared" || { \
	  echo "== What failed beside others, once more and alone: whoever fails there too has failed."; \
	  $(PYTEST) -q --last-failed --last-failed-no-failures none -m "client or shared"; }

features: $(STAMP)  ## which rows of features.toml are real, from the last runs
	@$(BIN)/python -m tools.features

bench: $(EXTRAS)  ## ratios, written to docs/benchmarks.md
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m bench

docs: $(STAMP)  ## regenerate the generated pages
	@$(BIN)/python -m tools.docs

wheel: $(STAMP)  ## dist/thruline-*.whl
	@$(BIN)/python -m build --no-isolation --wheel --outdir dist . >/dev/null && ls dist/*.whl

lock: $(STAMP)  ## requirements/*.txt from pyproject.toml and dev.in
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  pyproject.toml requirements/dev.in -o requirements/dev.txt
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  pyproject.toml --extra api -o requirements/extras.txt

clean:  ## remove what make made
	rm -rf $(VENV) dist .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
