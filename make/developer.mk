##@ To work on it

.PHONY: test test-long check lint types contracts conformance nightly mutants bench soak crash damage explore evenings firmware docs drawn phases commands side-by-side languages worths lock man

# The checks run beside the tests, which wait now and then. What they say comes after the tests; both count.
# By another name, because `make -n` would run a line that names make itself.
CHECK := $(MAKE) --no-print-directory check
# Two for each of two cores: half of the tests wait for a browser, a socket or a start. On more cores: make test WORKERS=16.
WORKERS ?= 4
test: $(READY)  ## everything that a change can quickly break: lint, types, contracts, tests
	@mkdir -p build
	@$(CHECK) >build/check.log 2>&1 & check=$$!; trap "kill $$check" INT TERM; \
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "not slow and not elsewhere and not long"; tests=$$?; \
	wait $$check; checked=$$?; cat build/check.log; \
	[ $$checked = 0 ] || echo "lint, types or import contracts: see above" >&2; \
	exit $$((tests + checked))

test-long: $(READY)  ## the tests that take long, which `make test` leaves out (tests/long_tests.txt)
	$(BIN)/pytest -q -n $(WORKERS) --dist worksteal -m "long and not slow and not elsewhere" \
	  $$($(BIN)/python -m tests.long_tests --files)

check: lint types contracts  ## lint, types and import contracts alone

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports

conformance: $(READY)  ## the scenarios that ship, those beside the checkout, and real hands
	$(BIN)/python tests/conformance/beside.py $(SHARED)
	@if [ -f $(SHARED)/phh/check.py ]; then $(BIN)/python tests/conformance/real_hands.py $(SHARED)/phh; \
	elif [ "$$CI" = true ]; then echo "there are no real hands at $(SHARED)/phh" >&2; exit 1; \
	else echo "left out: there are no real hands at $(SHARED)/phh"; fi

nightly: $(READY) $(VENV)/.ready-ci  ## everything long, part by part, on record in docs/nightly.json (PART="soak crash")
	$(BIN)/python .ci/gate nightly $(PART)

# Every mutant of FILE, or SAMPLE of them by SEED; more in MUTANTS="--jobs 2 --floor 0.9 --rooms controller/core".
mutants: $(READY) $(VENV)/.ready-ci  ## break the code in one place after another: which break no test notices (FILE=… or SAMPLE=100 SEED=1)
	$(BIN)/python -m tests.mutants $(and $(FILE),--file $(FILE)) $(and $(SAMPLE),--sample $(SAMPLE)) $(and $(SEED),--seed $(SEED)) $(MUTANTS)

bench: $(READY)  ## what an event, a card's way to its lamp and a replay cost; fails where a ratio became worse
	$(BIN)/python -m benchmarks $(BENCH)

soak: $(READY)  ## play 3,000 hands at a live table, with trouble (HANDS=100000 PLAYERS=3: two hours)
	$(BIN)/python -m tests.soak $(or $(HANDS),3000) $(and $(PLAYERS),--players $(PLAYERS)) $(SOAK)

crash: $(READY)  ## kill tables and fail their disks 10,000 times (needs cc)
	$(BIN)/python -m tests.crash $(or $(CRASHES),10000) $(CRASH)

damage: $(READY)  ## damage what a table keeps 10,000 times: as before, or refused plainly (N=500 SEED=7)
	$(BIN)/python -m tests.damage $(or $(N),10000) $(and $(SEED),--seed $(SEED)) $(DAMAGE)

explore: $(READY)  ## every state of tiny tables once, every law at each (STATES=1000000 SEED=7 EXPLORE="--book roberts-7 --game omaha-5")
	$(BIN)/python -m tests.explore $(or $(STATES),30000) $(and $(SEED),--seed $(SEED)) $(EXPLORE)
evenings: $(READY)  ## play 200 whole evenings at a live table, watched by oracles (N=3 SEED=7)
	$(BIN)/python -m tests.evenings --evenings $(or $(N),200) $(and $(SEED),--seed $(SEED)) $(EVENINGS)

firmware:  ## build the microcontroller's firmware (needs avr-gcc)
	$(MAKE) -C firmware_bridge/firmware all

docs: $(READY) $(VENV)/.ready-ci  ## the documents as a site, in build/site; every link in it leads somewhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "figures: {\"pages\": $$(find build/site -name index.html | wc -l)}"

# What other tools need that only CI, the site and the night run.
$(VENV)/.ready-ci: $(READY) requirements/ci.txt
	$(PIP) install --quiet --require-hashes -r requirements/ci.txt
	touch $@

drawn: phases commands side-by-side languages worths  ## write anew every file that is made from the code

phases: $(READY)  ## draw docs/phases.md from the rows that run a hand, docs/lives.md from those outside the core
	$(BIN)/python -m tests.docs.phases
	$(BIN)/python -m tests.docs.lives

commands: $(READY)  ## write docs/commands.md from the commands, docs/reports.md from what a dealer can report
	$(BIN)/python -m tests.docs.commands
	$(BIN)/python -m tests.docs.reports

man: $(READY)  ## write build/man/tablectl.1, the same as a page for man
	@mkdir -p build/man
	$(BIN)/python -m tests.docs.commands build/man/tablectl.1

side-by-side: $(READY)  ## draw docs/side-by-side.md: what eight books make of the same events
	$(BIN)/python -m tests.docs.side_by_side

languages: $(READY)  ## bring the pages' catalogues up to date with what the pages say
	$(BIN)/python -m tests.languages.catalogues

worths: $(READY)  ## write anew what hands are worth, after a game with another deck or ranking has come
	$(BIN)/python -m tests.core.hand_worths

# A pin stays as it is until somebody asks for newer ones: UPGRADE="--upgrade-package NAME". The program itself, which the
# room needs, is found as the wheel that it is just now, and is never pinned.
LOCK = $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --unsafe-package table-controller --find-links build/own \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links $(UPGRADE)
EVERY_EXTRA = --extra announcer --extra metrics --extra records --extra uplink
lock: $(READY)  ## pin the dependencies anew, in requirements
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir build/own .
	$(LOCK) --output-file requirements/base.txt pyproject.toml
	$(LOCK) $(EVERY_EXTRA) --extra pi5 --output-file requirements/table.txt pyproject.toml
	$(LOCK) $(EVERY_EXTRA) --extra pi --output-file requirements/table-pi.txt pyproject.toml
	$(LOCK) --output-file requirements/room.txt room/pyproject.toml
	$(LOCK) $(EVERY_EXTRA) --extra dev --output-file requirements/dev.txt pyproject.toml room/pyproject.toml
	$(LOCK) $(EVERY_EXTRA) --extra dev --extra ci --output-file requirements/ci.txt pyproject.toml room/pyproject.toml
