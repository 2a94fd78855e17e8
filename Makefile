# What this project can do for you, in three parts: `make help` lists them all. Set-up is done by whatever needs it.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SHARED ?= ../shared

# A program that may not keep what it has compiled starts in twice the time, and the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

# PyPI's client, as it is meant here: quiet, and only what is pinned by its hash.
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: help clean
help:  # The groups are the files, a command is a line with two number signs.
	@awk -F ':.*## ' '/^##@ /{ print substr($$0, 5) } /^[a-z-]+:.*## /{ printf "  make %-13s %s\n", $$1, $$2 }' \
	  make/user.mk make/developer.mk make/release.mk

$(READY): pyproject.toml room/pyproject.toml requirements/base.txt requirements/dev.txt requirements/alone.txt
	$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing: apt install python3-venv" >&2; exit 1; }
	$(PIP) install --quiet --require-hashes -r requirements/dev.txt
	$(PIP) install --quiet --no-deps --require-hashes -r requirements/alone.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable . --editable room
	touch $@

clean:
	rm -rf $(VENV) build dist

include make/user.mk make/developer.mk make/release.mk
