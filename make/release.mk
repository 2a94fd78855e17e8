##@ To install and release it

# Where a table is installed, and what for.
PREFIX  ?= /opt/table-controller
WHEELS  ?= build/wheels
MACHINE ?= $(shell uname -m)
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# Wheels for this machine are of its own Python, those for another of Debian 12's, if nobody says otherwise.
OWN_PYTHON := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
TABLE_PYTHON ?= $(if $(filter $(shell uname -m),$(MACHINE)),$(OWN_PYTHON),3.11)
# Whose they are, where it is not this machine and Python: aarch64-3.11.
OTHER = $(filter-out $(shell uname -m)-$(OWN_PYTHON),$(MACHINE)-$(TABLE_PYTHON))
LGPIO := $(shell sed -n 's/^lgpio==\([^ ]*\).*/\1/p' requirements/table.txt)
# Which library drives the pins: that of this board, and of every other machine rpi-lgpio. RPi.GPIO is compiled, so here.
GPIO ?= $(if $(OTHER),pi5,$(shell systemd/gpio-library))
RELEASE ?= build/table-controller-$(VERSION)-$(MACHINE).tar

.PHONY: install release wheels room-wheels image

# With WHEELS=FOLDER, made elsewhere by `make wheels`, neither a network nor a developer's set-up is needed.
install: $(if $(filter build/wheels,$(WHEELS)),wheels)  ## as root: install this checkout for systemd, in PREFIX (EXTRAS="records announcer")
	PYTHON=$(PYTHON) EXTRAS="$(EXTRAS)" systemd/install $(WHEELS) $(PREFIX)

release: wheels  ## build and sign a release archive (KEY=FILE, MACHINE=aarch64)
	@[ -n "$(KEY)" ] || { echo "name the private key: make release KEY=FILE (tablectl release key FILE makes one)" >&2; exit 1; }
	systemd/gather build/wheels build/release
	$(BIN)/tablectl release sign build/release --version $(VERSION) --machine $(MACHINE) --python $(TABLE_PYTHON) \
	  --key $(KEY) --output $(RELEASE)

# Nothing is built on the table: every dependency is a wheel whose hash stands in requirements/table.txt.
wheels: export PAGES_URL := $(PAGES_URL)
wheels: export PICTURES_URL := $(PICTURES_URL)
wheels: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
wheels: $(READY)  ## gather what a table installs, in build/wheels (MACHINE=aarch64, TABLE_PYTHON=3.13, GPIO=pi)
	[ "$(GPIO)" = pi5 ] || [ "$(GPIO)" = pi ] || { echo "GPIO is pi5 (rpi-lgpio) or pi (RPi.GPIO), not $(GPIO)" >&2; exit 1; }
	[ "$(GPIO)" = pi5 ] || [ -z "$(OTHER)" ] || { echo "RPi.GPIO is compiled: gather it on the Pi (make wheels GPIO=pi)" >&2; exit 1; }
	rm -rf build/wheels build/lib build/bdist.*
	mkdir -p build/wheels
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheels .
	if [ "$(GPIO)" = pi ]; then \
	  awk '/^[a-z]/ { own = /^rpi-gpio==/ } own' requirements/table-pi.txt >build/requirements-gpio.txt && \
	  $(PIP) wheel --quiet --no-deps --require-hashes --no-binary :all: --no-build-isolation --wheel-dir build/wheels \
	    --requirement build/requirements-gpio.txt; \
	else \
	  $(PIP) download --quiet --no-deps --only-binary :all: --dest build/wheels \
	    $(if $(OTHER),--implementation cp --python-version $(TABLE_PYTHON) \
	      --platform manylinux_2_34_$(MACHINE)) lgpio==$(LGPIO) 2>/dev/null || \
	    echo "no wheel of lgpio for this Python: the table needs python3-rpi-lgpio (docs/installing.md)" >&2; \
	fi
	systemd/requirements build/wheels >build/requirements-table.txt
	rm -f build/wheels/lgpio-*
	$(PIP) download --quiet --no-deps --require-hashes --only-binary :all: \
	  $(if $(OTHER),--implementation cp --python-version $(TABLE_PYTHON) \
	    --platform manylinux_2_34_$(MACHINE) --platform manylinux_2_28_$(MACHINE) --platform manylinux_2_17_$(MACHINE) \
	    --platform manylinux2014_$(MACHINE)) --find-links build/wheels --dest build/wheels --requirement build/requirements-table.txt

# For a machine of the room: everything as wheels, with a list that has their hashes.
room-wheels: $(READY)  ## gather what deploy/install puts on a room's machine, in build/room-wheels
	rm -rf build/room-wheels
	mkdir -p build/room-wheels
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir build/room-wheels . ./room
	$(PIP) download --quiet --no-deps --require-hashes --only-binary :all: \
	  --dest build/room-wheels --requirement requirements/room.txt
	cp requirements/room.txt build/room-wheels/requirements.txt

# For arm64, whatever this machine is; SCREEN=yes adds a browser for the dealer's page on a screen at the table.
image: MACHINE := aarch64
image: wheels  ## as root: a card to flash for Pi 3, 4 and Zero 2 W, with its list of parts (some 10 minutes)
	image/build build/wheels $(VERSION)
