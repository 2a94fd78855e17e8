# The commands of a developer. `make run` and `make test` do all set-up themselves.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

SHARED ?= ../shared

.PHONY: help run test check lint types contracts conformance bench lock firmware clean

help:
	@echo "make run          start a table on simulated devices, with its page"
	@echo "make test         lint, types, import contracts and tests"
	@echo "make conformance  the scenarios that ship, and the checkers beside the checkout where present"
	@echo "make bench        measure the core, the replay and the way from wire to lamp"
	@echo "make firmware     build the microcontroller's firmware (needs avr-gcc)"
	@echo "make lock         pin the dependencies anew"

$(READY): pyproject.toml requirements.txt requirements-dev.txt
	$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

run: $(READY)
	$(BIN)/tablectl run --simulate

test: $(READY) check
	$(BIN)/pytest -q -n 2 -m "not slow"

check: lint types contracts

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports

conformance: $(READY)
	$(BIN)/python tests/conformance/scenarios/check.py --jobs 2 --command $(BIN)/tablectl tests/conformance/scenarios
	@if [ -f $(SHARED)/scenarios/check.py ]; then \
	  $(BIN)/python $(SHARED)/scenarios/check.py --jobs 2 --command $(BIN)/tablectl $(SHARED)/scenarios; \
	else echo "skipped: no scenarios at $(SHARED)/scenarios"; fi
	@if [ -f $(SHARED)/phh/check.py ]; then \
	  $(BIN)/python tests/conformance/real_hands.py $(SHARED)/phh; \
	else echo "skipped: no real hands at $(SHARED)/phh"; fi

bench: $(READY)
	$(BIN)/python -m benchmarks

firmware:
	$(MAKE) -C firmware_bridge/firmware all

lock: $(READY)
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra dev --output-file requirements-dev.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist
