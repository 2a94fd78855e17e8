# The commands of a developer. `make run` and `make test` do all set-up themselves.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

SHARED ?= ../shared

# Where a table is installed, and what for: `make install`, `make update`, `make release`.
PREFIX  ?= /opt/table-controller
WHEELS  ?= build/wheels
MACHINE ?= $(shell uname -m)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# Wheels for this machine are of its own Python, those for another of Debian 12's, if nobody says otherwise.
OWN_PYTHON := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
TABLE_PYTHON ?= $(if $(filter $(shell uname -m),$(MACHINE)),$(OWN_PYTHON),3.11)
# Whose they are, where it is not this machine and Python: aarch64-3.11.
OTHER = $(filter-out $(shell uname -m)-$(OWN_PYTHON),$(MACHINE)-$(TABLE_PYTHON))
LGPIO := $(shell sed -n 's/^lgpio==\([^ ]*\).*/\1/p' requirements-table.txt)
RELEASE ?= build/table-controller-$(VERSION)-$(MACHINE).tar

# A program that may not keep what it has compiled starts in twice the time, and the tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run room room-wheels test check lint types contracts conformance compiled compiled-elsewhere bench soak mutations crash lock firmware phases commands docs side-by-side languages worths clean wheels install release update image weekly-image

help:
	@echo "make run          start a table on simulated devices, with its page"
	@echo "make room         a whole room on this machine, to look at: twelve simulated tables, brokers, database, pages"
	@echo "make test         lint, types, import contracts and tests"
	@echo "make conformance  the scenarios that ship, and the checkers beside the checkout where present"
	@echo "make compiled     build the core as machine code and hold it against the source (some minutes; needs cc)"
	@echo "make compiled-elsewhere   the same for a Pi's Pythons, under QEMU (some 15 minutes; needs requirements-cross.txt)"
	@echo "make bench        measure the core, the replay and the way from wire to lamp; fails where a ratio became worse"
	@echo "make soak         play 3,000 hands at a live table on pseudo-terminals, with trouble (HANDS=100000 PLAYERS=3: two hours)"
	@echo "make mutations    break each duty of docs/duties.md and see that its test fails (some minutes)"
	@echo "make crash        kill tables and fail their disks 10,000 times (needs cc; some minutes)"
	@echo "make firmware     build the microcontroller's firmware (needs avr-gcc)"
	@echo "make phases       draw docs/phases.md from the rows that run a hand"
	@echo "make commands     write docs/commands.md from the commands themselves"
	@echo "make docs         the documents as a site, in build/site; every link in it leads somewhere"
	@echo "make side-by-side draw docs/side-by-side.md: what eight books make of the same events"
	@echo "make languages    bring the pages' catalogues up to date with what the pages say; what is new is then translated"
	@echo "make worths       write anew what hands are worth, after a game with another deck or ranking has come"
	@echo "make install      as root: install this checkout for systemd, in $(PREFIX)"
	@echo "make release KEY=FILE [MACHINE=aarch64]   build and sign a release archive"
	@echo "make image        as root: a card to flash for Pi 3, 4 and Zero 2 W, with its list of parts (some 10 minutes)"
	@echo "make update RELEASE=FILE   as root: install a signed release on this table, and restart it"
	@echo "make room-wheels  gather what deploy/install puts on a room's machine"
	@echo "make lock         pin the dependencies anew"

$(READY): pyproject.toml requirements.txt requirements-dev.txt
	$(PYTHON) -m venv $(VENV) || { echo "python3-venv is missing: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

run: $(READY)
	$(BIN)/tablectl run --simulate

# With TABLES=3 fewer tables, NODES=1 one server of NATS, PORT=9000 other ports; what the room has learned stays in var/room.
room: $(READY)
	$(BIN)/tablectl room showroom var/room --tables $(or $(TABLES),12) --nodes $(or $(NODES),3) --port $(or $(PORT),8090) $(and $(TOURNAMENT),--tournament $(TOURNAMENT))

test: $(READY) check
	$(BIN)/pytest -q -n 2 --dist worksteal -m "not slow and not timed"
	$(BIN)/pytest -q -m timed

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
	$(BIN)/python tests/conformance/beside.py $(SHARED)
	@if [ -f $(SHARED)/phh/check.py ]; then \
	  $(BIN)/python tests/conformance/real_hands.py $(SHARED)/phh; \
	else echo "skipped: no real hands at $(SHARED)/phh"; fi

# The wheel with the compiled core in a venv of its own, which has all else from the developer's and the checkout.
COMPILED := build/compiled
compiled: $(READY)
	@[ -e "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] || \
	  { echo "Python.h is missing: apt install python3-dev" >&2; exit 1; }
	mkdir -p $(COMPILED)/wheels
	rm -f $(COMPILED)/wheels/*
	TABLE_COMPILED=yes $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --wheel-dir $(COMPILED)/wheels .
	compiled/check $(BIN) $(COMPILED) $(if $(SHORT),--short)

# For a Pi's two Pythons, under QEMU's user emulation; what that needs is said by compiled/elsewhere/tools.
compiled-elsewhere: $(READY)
	compiled/elsewhere/check $(BIN) $(if $(SHORT),--short)

bench: $(READY)
	$(BIN)/python -m benchmarks $(BENCH) $(if $(PATIENT),--patient)

soak: $(READY)
	$(BIN)/python -m tests.soak $(or $(HANDS),3000) $(if $(PLAYERS),--players $(PLAYERS)) $(if $(PATIENT),--patient)

mutations: $(READY)
	$(BIN)/pytest -q tests/docs/test_duties_mutations.py

crash: $(READY)
	$(BIN)/python -m tests.crash $(or $(CRASHES),10000)

phases: $(READY)
	$(BIN)/python -m tests.docs.phases

commands: $(READY)
	$(BIN)/python -m tests.docs.commands

docs: $(READY)
	@[ -x $(BIN)/mkdocs ] || { echo "mkdocs-material is missing: $(BIN)/python -m pip install --require-hashes -r requirements-ci.txt" >&2; exit 1; }
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

side-by-side: $(READY)
	$(BIN)/python -m tests.docs.side_by_side

languages: $(READY)
	$(BIN)/python -m tests.languages.catalogues

worths: $(READY)
	$(BIN)/python -m tests.core.hand_worths

firmware:
	$(MAKE) -C firmware_bridge/firmware all

# Nothing is built on the table: every dependency is a wheel whose hash stands in requirements-table.txt.
wheels: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
wheels: $(READY)
	@[ "$(TABLE_COMPILED)" != yes ] || [ -z "$(OTHER)" ] || compiled/elsewhere/tools $(BIN) $(OTHER)
	rm -rf build/wheels build/lib build/bdist.*
	mkdir -p build/wheels
	TABLE_COMPILED_FOR=$(OTHER) $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --wheel-dir build/wheels .
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest build/wheels \
	  $(if $(OTHER),--implementation cp --python-version $(TABLE_PYTHON) \
	    --platform manylinux_2_34_$(MACHINE)) lgpio==$(LGPIO) 2>/dev/null || \
	  echo "no wheel of lgpio for this Python: the table needs python3-rpi-lgpio (docs/installing.md)" >&2
	systemd/requirements build/wheels >build/requirements-table.txt
	rm -f build/wheels/lgpio-*
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
	  $(if $(OTHER),--implementation cp --python-version $(TABLE_PYTHON) \
	    --platform manylinux_2_34_$(MACHINE) --platform manylinux_2_28_$(MACHINE) --platform manylinux_2_17_$(MACHINE) \
	    --platform manylinux2014_$(MACHINE)) --dest build/wheels --requirement build/requirements-table.txt

# For a machine of the room: everything as wheels, with a list that has their hashes.
room-wheels: $(READY)
	rm -rf build/room-wheels
	mkdir -p build/room-wheels
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/room-wheels .
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
	  --dest build/room-wheels --requirement requirements-room.txt
	cp requirements-room.txt build/room-wheels/

# With WHEELS=FOLDER, made elsewhere by `make wheels`, neither a network nor a developer's set-up is needed.
install: $(if $(filter build/wheels,$(WHEELS)),wheels)
	PYTHON=$(PYTHON) systemd/install $(WHEELS) $(PREFIX)

release: wheels
	@[ -n "$(KEY)" ] || { echo "name the private key: make release KEY=FILE (tablectl release key FILE makes one)" >&2; exit 1; }
	systemd/gather build/wheels build/release
	$(BIN)/tablectl release sign build/release --version $(VERSION) --machine $(MACHINE) --python $(TABLE_PYTHON) \
	  --key $(KEY) --output $(RELEASE)

# For arm64, whatever this machine is; SCREEN=yes adds a browser for the dealer's page on a screen at the table.
image: MACHINE := aarch64
image: wheels
	image/build build/wheels $(VERSION)

# What CI has no time for: a second image, which must be the same bytes, a Pi 3, cuts of the power, the tests on arm64,
# and the whole core as machine code for it.
weekly-image: image
	IMAGE=required tests/image/run --long
	tests/image/same_bytes
	IMAGE=required tests/image/unit_tests
	ELSEWHERE=required compiled/elsewhere/check $(BIN)

update:
	$(PREFIX)/current/venv/bin/tablectl release install $(RELEASE)
	systemctl restart table-controller

lock: $(READY)
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra dev --extra room --output-file requirements-dev.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra pi5 --output-file requirements-table.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra room --output-file requirements-room.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra cross --output-file requirements-cross.txt pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra dev --extra room --extra ci --output-file requirements-ci.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist
