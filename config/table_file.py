"""Reads the configuration of one table: its set-up, its devices, its keys, its page. Refuses; never guesses.

The sections of the file:

* `[table]`: the `table` line of the table script, key for key;
* `[tournament]`: `schedule`, whose timer runs at the table, and `starts`: `"with-first-hand"` or `"by-hand"`;
* `[house] directory`: where the house keeps rulebooks, games and schedules of its own (`config.file_library`);
relative to
  this file;
* `[state] directory`: where the journal and the registered decks are kept; relative to the working directory;
  `second_store`, a directory on another medium that gets a copy after each hand, `second_store_keys`: with the keys;
* `[shoe]`: the registered `deck` that is in play, the `reader` device, and any of `edge`, `face`, `lid`;
* `[antennas]`: where the antenna of a reader lies: `NAME = "seat 3"`, `"board"` or `"muck"`; for a reader with several
  antennas a table of them, `NAME = { 1 = "board", 2 = "muck" }`, in which `"shoe"` is one that reads in the shoe, where
  NAME is its reader;
* `[device.NAME]`: `driver`, `port` for a device on a byte port, `dtr` and `rts` for one on a serial port whose lines
  shall not be as that kind of port has them, and the driver's own keys;
* `[keys.NAME]`: for the key panel NAME, what each key means, as a line of the table script;
* `[page]`: `host`, `port`, and further `names` under which browsers may ask for it; `certificate` and `key`, the PEM
  files of TLS, beside this file or by their whole path; `plain = true` lets staff sign in over a network without it;
  `rulebook_text`, the house's own copy of its printed rulebook, which the floor's page shows beside a clause;
  `language`, what the pages speak unless somebody chooses otherwise on their own (`"en"`); `metrics = true` counts what
  the table does, for Prometheus;
* `[records]`: `currency`, what a unit of chips is when hands are exported for trackers: `"USD"`, `"EUR"` or `"GBP"`;
* `[log]`: `form`, how lines of the log are written: `"text"`, or `"json"` for one object a line;
* `[broadcast]`: `hole_cards = "after-the-hand"`, which is all there is to choose: the overlay and the feed of
  docs/broadcast.md are there, and show the cards of every hand when it is over. Without the section there is neither;
* `[room]`: `key`, the public key of the room that this table belongs to (docs/room.md), 64 signs of hex, and
  `asks = true`, which lets people of that room enter decisions here, and lets it send its list of staff, releases and
  files. Without the section, or with `asks = false`, the table takes nothing of any room;
* `[simulation]`: `deck_list`, the list of the deck to register when the table is simulated, `seed`, `speed`, and
  `mistakes`, how often something goes wrong by itself (0: never); where the list does not show how its tags are
  written, `deck_tags` says it (`"hex"`, `"decimal"` or `"text"`), and `deck_hex_digits` how long a decimal tag is in
  hex (10).
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from config import language_file, schedule_file
from config.config_error import ConfigError
from config.file_library import Library, add_plug_in_packages, resolve_library
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.core.tournament.schedule import Schedule

DEMO_FILE = Path(__file__).parent / "tables" / "demo.toml"
"""The table that needs no hardware."""

SECTIONS = (
    "table",
    "house",
    "tournament",
    "state",
    "shoe",
    "antennas",
    "device",
    "keys",
    "page",
    "records",
    "log",
    "broadcast",
    "room",
    "simulation",
)
"""What a file may hold."""

CONTROL_LINE_KEYS = ("dtr", "rts")
"""The keys of a device that say how these lines of its port shall be."""

DEVICE_KEYS = ("driver", "port", *CONTROL_LINE_KEYS)
"""The keys that any device may have; all others are its driver's."""

SHOE_PLACE = "shoe"
"""Where an antenna lies that reads in the shoe, of a reader that has others elsewhere."""

LIVE_TABLE_DEFAULTS = {"discards": "unknown"}
"""What a live table has in its `table` line unless the file says otherwise."""

TIMER_STARTS = ("with-first-hand", "by-hand")
"""When a tournament's timer starts."""

PAGE_KEYS = ("host", "port", "names", "certificate", "key", "plain", "rulebook_text", "language", "metrics")
CURRENCIES = ("USD", "EUR", "GBP")
"""What a unit of chips may be."""
LOG_FORMS = ("text", "json")
"""How the lines of the log may be written."""
AFTER_THE_HAND = "after-the-hand"
"""When hole cards are broadcast. Sooner only floor and technician can say, at the table."""

SIMULATION_KEYS = ("deck_list", "deck_tags", "deck_hex_digits", "seed", "speed", "mistakes")
TAG_FORMS = ("hex", "decimal", "text")
"""How the tags of a list may be written."""

_PUBLIC_KEY_PATTERN = re.compile(r"[0-9a-f]{64}")
_SEAT_PATTERN = re.compile(r"seat [1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class DeviceSection:
    """One device: `port` is `None` for a device on pins; `driver_keys` are its driver's own.

    `dtr` and `rts` are the levels of these lines of its port, true for high; `None`: as that kind of port has them.
    """

    name: str
    driver: str
    port: str | None
    driver_keys: Mapping[str, object]
    dtr: bool | None = None
    rts: bool | None = None


@dataclass(frozen=True, slots=True)
class ShoeSection:
    """The shoe: the deck in play, and the device that is each of its sensors (`None`: it has none)."""

    deck: str
    reader: str
    edge: str | None = None
    face: str | None = None
    lid: str | None = None

    def devices(self) -> tuple[str, ...]:
        """Every device that is one of its sensors, once."""
        named = (self.reader, self.edge, self.face, self.lid)
        return tuple(dict.fromkeys(name for name in named if name is not None))


@dataclass(frozen=True, slots=True)
class TournamentSection:
    """The tournament: the name of its schedule, and whether its timer starts with the first hand or by hand."""

    schedule: str
    starts_with_hand: bool = True


@dataclass(frozen=True, slots=True)
class RoomSection:
    """The room of many tables to which this one belongs: its public key (Ed25519), and whether it may `ask`."""

    public_key: bytes
    may_ask: bool = False


@dataclass(frozen=True, slots=True)
class PageSection:
    """Where the page is served; `names` are further host names that browsers may use for it.

    `certificate` and `private_key` are the PEM files of TLS; `allows_plain_http`: staff may sign in over a network
    without it. `rulebook_text`: the house's own copy of its printed rulebook, which the floor's page shows beside a
    clause. `language`: what the pages speak, unless somebody chooses otherwise on their own.
    `has_metrics`: what the table does is counted, for Prometheus.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    private_key: Path | None = None
    allows_plain_http: bool = False
    rulebook_text: Path | None = None
    language: str = language_file.ENGLISH_NAME
    has_metrics: bool = False


@dataclass(frozen=True, slots=True)
class SecondStoreSection:
    """Where a copy of the table's state is kept after each hand; `includes_keys`: with the keys of table and page."""

    directory: Path
    includes_keys: bool = False


@dataclass(frozen=True, slots=True)
class SimulationSection:
    """How the table is simulated: cards of `deck_list`, chance from `seed`, `speed` times a person's pace.

    `mistakes`: the probability, 0 to 1, that something goes wrong with a downcard by itself.
    """

    deck_list: Path | None = None
    deck_tags: str | None = None
    deck_hex_digits: int = 10
    seed: int = 1
    speed: float = 1.0
    mistakes: float = 0.04


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table's configuration, read and checked as far as this layer can."""

    path: Path
    sha256: str
    table_line: Mapping[str, object]
    tournament: TournamentSection | None
    state_directory: Path
    second_store: SecondStoreSection | None
    devices: Mapping[str, DeviceSection]
    shoe: ShoeSection | None
    places_by_reader: Mapping[str, Mapping[str | None, str]]
    key_lines_by_panel: Mapping[str, Mapping[str, Mapping[str, object]]]
    page: PageSection
    currency: str | None
    log_form: str
    simulation: SimulationSection
    has_broadcast: bool
    """Whether hole cards are broadcast when a hand is over."""
    room: RoomSection | None
    """The room of many tables to which it belongs; `None`: it belongs to none."""
    library: Library
    _line_index: LineIndex = field(repr=False)

    def is_in_shoe(self, device: str, antenna: str | None) -> bool:
        """Whether an antenna of `device` lies in the shoe; those of its reader do that are said to lie nowhere else."""
        if self.shoe is None or device != self.shoe.reader:
            return False
        places = self.places_by_reader.get(device)
        return places is None or places.get(antenna) == SHOE_PLACE

    def find_shoe_antenna(self) -> str | None:
        """The first antenna in the shoe, of a reader that has others elsewhere."""
        places = {} if self.shoe is None else self.places_by_reader.get(self.shoe.reader, {})
        return next((antenna for antenna, place in places.items() if place == SHOE_PLACE), None)

    def make_error(self, message: str, *path: str) -> ConfigError:
        """Make the error that names the place of `path` in the file."""
        return ConfigError(self.path, self._line_index.find_line(*path), ".".join(path), message)


def load_table_file(path: Path) -> TableFile:
    """Read the file at `path`; raises `ConfigError`."""
    return parse_table_file(path, *read_toml(path))


def parse_table_file(path: Path, text: str, content: dict[str, object]) -> TableFile:
    """Read what `content`, of the file with that `text`, says of a table; raises `ConfigError`."""
    return _TableFileReader(path, LineIndex(text)).read_table_file(content, hashlib.sha256(text.encode()).hexdigest())


class _TableFileReader(SectionReader):
    """Reads one file, knowing where its keys stand."""

    def __init__(self, path: Path, lines: LineIndex) -> None:
        super().__init__(path, lines)
        self._library = Library()

    def read_table_file(self, content: dict[str, object], sha256: str) -> TableFile:
        self.check_keys(content, (), SECTIONS, ("table", "state"))
        self._library = self._add_plug_in_packages(
            self._read_library(self.read_section(content, "house")), self.read_section(content, "table")
        )
        state = self.read_section(content, "state")
        self.check_keys(state, ("state",), ("directory", "second_store", "second_store_keys"), ("directory",))
        devices = self._read_devices(self.read_section(content, "device"))
        table = self._read_table_line(self.read_section(content, "table"))
        tournament = (
            self._read_tournament(self.read_section(content, "tournament")) if "tournament" in content else None
        )
        if tournament is not None:
            table = self._apply_first_level(table, schedule_file.load_schedule(tournament.schedule, self._library))
        return TableFile(
            path=self.path,
            sha256=sha256,
            table_line=MappingProxyType({"ev": "table", **LIVE_TABLE_DEFAULTS, **table}),
            tournament=tournament,
            state_directory=Path(self.read_value(state, str, "a text", "state", "directory")),
            second_store=self._read_second_store(state),
            devices=MappingProxyType(devices),
            shoe=self._read_shoe(self.read_section(content, "shoe"), devices) if "shoe" in content else None,
            places_by_reader=MappingProxyType(self._read_antennas(self.read_section(content, "antennas"), devices)),
            key_lines_by_panel=MappingProxyType(self._read_keys(self.read_section(content, "keys"), devices)),
            page=self._read_page(self.read_section(content, "page")),
            currency=self._read_currency(self.read_section(content, "records")),
            log_form=self._read_log_form(self.read_section(content, "log")),
            simulation=self._read_simulation(self.read_section(content, "simulation")),
            has_broadcast=self._read_broadcast(content),
            room=self._read_room(self.read_section(content, "room")) if "room" in content else None,
            library=self._library,
            _line_index=self.line_index,
        )

    def _read_second_store(self, state: dict[str, object]) -> SecondStoreSection | None:
        if "second_store" not in state:
            return None
        keys = state.get("second_store_keys", False)
        if not isinstance(keys, bool):
            raise self.make_error(f"must be true or false, not {keys!r}", "state", "second_store_keys")
        return SecondStoreSection(Path(self.read_value(state, str, "a directory", "state", "second_store")), keys)

    def _read_library(self, section: dict[str, object]) -> Library:
        """Say where the rulebook, the game and the schedule that the file names are looked up."""
        self.check_keys(section, ("house",), ("directory",), ("directory",) if section else ())
        if not section:
            return resolve_library()
        directory = self.path.parent / self.read_value(section, str, "a directory", "house", "directory")
        if not directory.is_dir():
            raise self.make_error(f"there is no directory {directory}", "house", "directory")
        return Library(directory)

    def _add_plug_in_packages(self, library: Library, table: dict[str, object]) -> Library:
        try:
            return add_plug_in_packages(library, table)
        except ConfigError as why:
            raise self.make_error(why.message, "table", why.key) from why

    def _read_table_line(self, section: dict[str, object]) -> dict[str, object]:
        if "ev" in section:
            raise self.make_error("is not written here; the section is the table line without it", "table", "ev")
        return section

    def _read_tournament(self, section: dict[str, object]) -> TournamentSection:
        self.check_keys(section, ("tournament",), ("schedule", "starts"), ("schedule",))
        schedule = self.read_value(section, str, "the name of a schedule", "tournament", "schedule")
        there = schedule_file.list_schedules(self._library)
        if schedule not in there:
            names = ", ".join(there)
            raise self.make_error(f"names no schedule: {schedule!r}; there are {names}", "tournament", "schedule")
        starts = section.get("starts", TIMER_STARTS[0])
        if starts not in TIMER_STARTS:
            raise self.make_error(f"must be {' or '.join(TIMER_STARTS)}, not {starts!r}", "tournament", "starts")
        return TournamentSection(schedule, starts == TIMER_STARTS[0])

    def _apply_first_level(self, table: dict[str, object], schedule: Schedule) -> dict[str, object]:
        """Complete the table line of a tournament: its mode, its schedule, the stakes of level 1."""
        house, betting = table.get("house", {}), table.get("betting", {})
        if table.get("mode", "tournament") != "tournament":
            raise self.make_error("must be tournament, as the file has a section [tournament]", "table", "mode")
        if not isinstance(house, dict) or not isinstance(betting, dict):
            return table  # refused with everything else that is wrong with the line
        if house.get("schedule", schedule.name) != schedule.name:
            raise self.make_error(
                f"is {schedule.name} by [tournament]; leave it out here", "table", "house", "schedule"
            )
        stakes = schedule.levels[0].opening_stakes(limit=betting.get("structure") == "fixed-limit")
        for key, amount in stakes.items():
            if betting.get(key, amount) != amount:
                raise self.make_error(
                    f"level 1 of {schedule.name} has {amount}; leave it out, or say so", "table", "betting", key
                )
        return {
            **table,
            "mode": "tournament",
            "betting": {**betting, **{key: amount for key, amount in stakes.items() if amount}},
            "house": {**house, "schedule": schedule.name},
        }

    def _read_devices(self, section: dict[str, object]) -> dict[str, DeviceSection]:
        devices: dict[str, DeviceSection] = {}
        for name in section:
            content = dict(self.read_value(section, dict, "a table", "device", name))
            if "driver" not in content:
                raise self.make_error("is missing; a device names its driver", "device", name, "driver")
            driver = self.read_value(content, str, "the name of a driver", "device", name, "driver")
            port = self.read_value(content, str, "a port", "device", name, "port") if "port" in content else None
            own = {key: value for key, value in content.items() if key not in DEVICE_KEYS}
            lines = {key: self.read_flag(content, "device", name, key) for key in CONTROL_LINE_KEYS if key in content}
            devices[name] = DeviceSection(name, driver, port, MappingProxyType(own), **lines)
        return devices

    def _read_shoe(self, section: dict[str, object], devices: Mapping[str, DeviceSection]) -> ShoeSection:
        self.check_keys(section, ("shoe",), ("deck", "reader", "edge", "face", "lid"), ("deck", "reader"))
        named = {key: self.read_value(section, str, "a name", "shoe", key) for key in section}
        for key, name in named.items():
            if key != "deck":
                self._refuse_unknown_device(name, devices, "shoe", key)
        return ShoeSection(
            deck=named["deck"],
            reader=named["reader"],
            edge=named.get("edge"),
            face=named.get("face"),
            lid=named.get("lid"),
        )

    def _read_antennas(
        self, section: dict[str, object], devices: Mapping[str, DeviceSection]
    ) -> dict[str, Mapping[str | None, str]]:
        readers: dict[str, Mapping[str | None, str]] = {}
        for name, value in section.items():
            self._refuse_unknown_device(name, devices, "antennas", name)
            if isinstance(value, dict):
                places: dict[str | None, str] = {
                    key: place if place == SHOE_PLACE else self._check_place(place, "antennas", name, key)
                    for key, place in value.items()
                }
            else:
                places = {None: self._check_place(value, "antennas", name)}
            readers[name] = MappingProxyType(places)
        return readers

    def _check_place(self, value: object, *path: str) -> str:
        if isinstance(value, str) and (value in ("board", "muck") or _SEAT_PATTERN.fullmatch(value)):
            return value
        raise self.make_error(f'must be "board", "muck" or a seat such as "seat 3", not {value!r}', *path)

    def _read_keys(
        self, section: dict[str, object], devices: Mapping[str, DeviceSection]
    ) -> dict[str, Mapping[str, Mapping[str, object]]]:
        panels: dict[str, Mapping[str, Mapping[str, object]]] = {}
        for name in section:
            self._refuse_unknown_device(name, devices, "keys", name)
            keys = self.read_value(section, dict, "a table of keys", "keys", name)
            panels[name] = MappingProxyType(
                {
                    key: dict(self.read_value(keys, dict, "a line of the table script", "keys", name, key))
                    for key in keys
                }
            )
        return panels

    def _read_page(self, section: dict[str, object]) -> PageSection:
        self.check_keys(section, ("page",), PAGE_KEYS, ())
        page = PageSection()
        names = section.get("names", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self.make_error(f"must be a list of host names, not {names!r}", "page", "names")
        port = self.read_value(section, int, "a port number", "page", "port") if "port" in section else page.port
        if not 0 <= port <= 65535:
            raise self.make_error(f"must be 0 (any free port) to 65535, not {port}", "page", "port")
        host = self.read_value(section, str, "an address", "page", "host") if "host" in section else page.host
        certificate, private = (self._read_page_path(section, key) for key in ("certificate", "key"))
        printed = self._read_page_path(section, "rulebook_text")
        for key, other in (("certificate", "key"), ("key", "certificate")):
            if key in section and other not in section:
                raise self.make_error(f"is missing; {key} and {other} go together", "page", other)
        plain, metrics = (section.get(key, False) for key in ("plain", "metrics"))
        for key, value in (("plain", plain), ("metrics", metrics)):
            if not isinstance(value, bool):
                raise self.make_error(f"must be true or false, not {value!r}", "page", key)
        language, spoken = section.get("language", page.language), language_file.list_languages()
        if language not in spoken:
            raise self.make_error(f"must be {', '.join(spoken)}, not {language!r}", "page", "language")
        return PageSection(
            host, port, tuple(names), certificate, private, bool(plain), printed, str(language), bool(metrics)
        )

    def _read_currency(self, section: dict[str, object]) -> str | None:
        self.check_keys(section, ("records",), ("currency",), ("currency",) if section else ())
        currency = section.get("currency")
        if currency is None or currency in CURRENCIES:
            return None if currency is None else str(currency)
        raise self.make_error(f"must be {', '.join(CURRENCIES)}, not {currency!r}", "records", "currency")

    def _read_log_form(self, section: dict[str, object]) -> str:
        self.check_keys(section, ("log",), ("form",), ("form",) if section else ())
        form = section.get("form", LOG_FORMS[0])
        if form not in LOG_FORMS:
            raise self.make_error(f"must be {' or '.join(LOG_FORMS)}, not {form!r}", "log", "form")
        return str(form)

    def _read_broadcast(self, content: dict[str, object]) -> bool:
        if "broadcast" not in content:
            return False
        section = self.read_section(content, "broadcast")
        self.check_keys(section, ("broadcast",), ("hole_cards",), ("hole_cards",))
        if section["hole_cards"] != AFTER_THE_HAND:
            sooner = "sooner only the floor and a technician together can say, at the table"
            raise self.make_error(
                f'must be "{AFTER_THE_HAND}", not {section["hole_cards"]!r}; {sooner}', "broadcast", "hole_cards"
            )
        return True

    def _read_room(self, section: dict[str, object]) -> RoomSection:
        self.check_keys(section, ("room",), ("key", "asks"), ("key",))
        key = self.read_value(section, str, "the public key of the room", "room", "key")
        if not _PUBLIC_KEY_PATTERN.fullmatch(key):
            raise self.make_error("must be the room's public key, 64 signs of 0-9 and a-f", "room", "key")
        return RoomSection(bytes.fromhex(key), self.read_flag(section, "room", "asks"))

    def _read_page_path(self, section: dict[str, object], key: str) -> Path | None:
        if key not in section:
            return None
        return self.path.parent / self.read_value(section, str, "a file", "page", key)

    def _read_simulation(self, section: dict[str, object]) -> SimulationSection:
        self.check_keys(section, ("simulation",), SIMULATION_KEYS, ())
        usual = SimulationSection()
        deck_list = None
        if "deck_list" in section:
            deck_list = self.path.parent / self.read_value(section, str, "a file", "simulation", "deck_list")
        tags = section.get("deck_tags")
        if tags not in (None, *TAG_FORMS):
            raise self.make_error(f"must be {', '.join(TAG_FORMS)}, not {tags!r}", "simulation", "deck_tags")
        digits = usual.deck_hex_digits
        if "deck_hex_digits" in section:
            digits = self.read_value(section, int, "a whole number", "simulation", "deck_hex_digits")
            if digits not in range(2, 65, 2):
                raise self.make_error(f"must be even, 2 to 64, not {digits}", "simulation", "deck_hex_digits")
        seed = (
            self.read_value(section, int, "a whole number", "simulation", "seed") if "seed" in section else usual.seed
        )
        speed = usual.speed
        if "speed" in section:
            speed = float(self.read_value(section, float, "a number", "simulation", "speed"))
            if not 0.1 <= speed <= 100:
                raise self.make_error(f"must be 0.1 to 100, not {speed}", "simulation", "speed")
        mistakes = usual.mistakes
        if "mistakes" in section:
            mistakes = float(self.read_value(section, float, "a number", "simulation", "mistakes"))
            if not 0 <= mistakes <= 1:
                raise self.make_error(f"must be 0 (never) to 1, not {mistakes}", "simulation", "mistakes")
        return SimulationSection(deck_list, None if tags is None else str(tags), digits, seed, speed, mistakes)

    def _refuse_unknown_device(self, name: str, devices: Mapping[str, DeviceSection], *path: str) -> None:
        if name not in devices:
            there = ", ".join(devices) or "none"
            raise self.make_error(f"names device {name!r}, which is not configured; configured: {there}", *path)
