"""Reads the configuration of one table: its set-up, its devices, its keys, its page. Refuses; never guesses.

The sections of the file:

* `[table]`: the `table` line of the table script, key for key;
* `[collection]`: what the house takes, key for key as the line `collection` of the table script (docs/collection.md);
  not in a tournament. The floor changes it between hands; what the file says holds from the next session on;
* `[tournament]`: `schedule`, whose timer runs at the table, and `starts`: `"with-first-hand"` or `"by-hand"`;
* `[house] directory`: where the house keeps rulebooks, games and schedules of its own (`config.file_library`);
relative to
  this file; `questions`, how often in a hand cards may be named or reports taken back before the alarm on repeated
  questions is up (3);
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
  the table does, for Prometheus; `floor_minutes`, after how many without a touch the floor is signed out (30);
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
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from config import language_file, schedule_file
from config.config_error import ConfigError
from config.file_library import Library, add_plug_in_packages, resolve_library
from config.line_index import LineIndex
from config.section_reader import SectionReader
from config.toml_file import read_toml
from controller.core.protocol.player_names import refuse_unfit_player_names
from controller.core.protocol.script_lines import list_collection_shapes
from controller.core.protocol.table_error import Refused
from controller.core.tournament.schedule import Schedule
from controller.shape import Bounds, Choice, Key, Parser, Pattern, ShapeError, make_shape

DEMO_FILE = Path(__file__).parent / "tables" / "demo.toml"
"""The table that needs no hardware."""

SECTIONS = (
    "table",
    "collection",
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

LIVE_KEY = "live"
"""The key of the table line that no file has: every table of a file is live, and a script is not."""

TIMER_STARTS = ("with-first-hand", "by-hand")
"""When a tournament's timer starts."""

CURRENCIES = ("USD", "EUR", "GBP")
"""What a unit of chips may be."""
LOG_FORMS = ("text", "json")
"""How the lines of the log may be written."""
AFTER_THE_HAND = "after-the-hand"
"""When hole cards are broadcast. Sooner only floor and technician can say, at the table."""
_BROADCAST_WORDS = f'"{AFTER_THE_HAND}" (sooner only the floor and a technician together can say, at the table)'

DEFAULT_QUESTION_LIMIT = 3
"""Questions of a hand that raise the alarm on repeated questions."""

TAG_FORMS = ("hex", "decimal", "text")
"""How the tags of a list may be written."""

_PLACE_WORDS = '"board", "muck" or a seat such as "seat 3"'
CardPlaceName = Annotated[str, Pattern("^(board|muck|seat [1-9][0-9]?)$", _PLACE_WORDS)]
AntennaPlaceName = Annotated[str, Pattern("^(shoe|board|muck|seat [1-9][0-9]?)$", _PLACE_WORDS)]
"""Where an antenna of a reader with several lies."""


@dataclass(frozen=True, slots=True)
class DeviceSection:
    """One device: `port` is `None` for a device on pins; `driver_keys` are its driver's own.

    `dtr` and `rts` are the levels of these lines of its port, true for high; `None`: as that kind of port has them.
    """

    name: str
    driver: Annotated[str, Key("driver", "the name of a driver")]
    port: Annotated[str | None, Key("port", "a port")] = None
    driver_keys: Mapping[str, object] = field(default_factory=dict)
    dtr: Annotated[bool | None, Key("dtr")] = None
    rts: Annotated[bool | None, Key("rts")] = None


@dataclass(frozen=True, slots=True)
class ShoeSection:
    """The shoe: the deck in play, and the device that is each of its sensors (`None`: it has none)."""

    deck: Annotated[str, Key("deck", "a name")]
    reader: Annotated[str, Key("reader", "a name")]
    edge: Annotated[str | None, Key("edge", "a name")] = None
    face: Annotated[str | None, Key("face", "a name")] = None
    lid: Annotated[str | None, Key("lid", "a name")] = None

    def devices(self) -> tuple[str, ...]:
        """Every device that is one of its sensors, once."""
        named = (self.reader, self.edge, self.face, self.lid)
        return tuple(dict.fromkeys(name for name in named if name is not None))


@dataclass(frozen=True, slots=True)
class TournamentSection:
    """The tournament: the name of its schedule, and whether its timer starts with the first hand or by hand."""

    schedule: Annotated[str, Key("schedule", "the name of a schedule")]
    starts_with_hand: Annotated[bool, Key("starts"), Choice(TIMER_STARTS), Parser(TIMER_STARTS[0].__eq__)] = True


@dataclass(frozen=True, slots=True)
class RoomSection:
    """The room of many tables to which this one belongs: its public key (Ed25519), and whether it may `ask`."""

    public_key: Annotated[
        bytes,
        Key("key", "the public key of the room"),
        Pattern("^[0-9a-f]{64}$", "the room's public key, 64 signs of 0-9 and a-f"),
        Parser(bytes.fromhex),
    ]
    may_ask: Annotated[bool, Key("asks")] = False


@dataclass(frozen=True, slots=True)
class PageSection:
    """Where the page is served; `names` are further host names that browsers may use for it.

    `certificate` and `private_key` are the PEM files of TLS; `allows_plain_http`: staff may sign in over a network
    without it. `rulebook_text`: the house's own copy of its printed rulebook, which the floor's page shows beside a
    clause. `language`: what the pages speak, unless somebody chooses otherwise on their own.
    `has_metrics`: what the table does is counted, for Prometheus. `floor_minutes`: after so many without a touch the
    floor is signed out.
    """

    host: Annotated[str, Key("host", "an address")] = "127.0.0.1"
    port: Annotated[int, Key("port", "a port number"), Bounds(0, 65535, "0 (any free port) to 65535")] = 8080
    names: Annotated[tuple[str, ...], Key("names", "a list of host names")] = ()
    certificate: Annotated[Path | None, Key("certificate")] = None
    private_key: Annotated[Path | None, Key("key")] = None
    allows_plain_http: Annotated[bool, Key("plain")] = False
    rulebook_text: Annotated[Path | None, Key("rulebook_text")] = None
    language: Annotated[str, Key("language"), Choice(language_file.list_languages)] = language_file.ENGLISH_NAME
    has_metrics: Annotated[bool, Key("metrics")] = False
    floor_minutes: Annotated[int, Key("floor_minutes", "a whole number"), Bounds(3, 720, "3 to 720")] = 30


@dataclass(frozen=True, slots=True)
class HouseSection:
    """Where the house keeps rulebooks, games and schedules of its own; `question_limit`: see `TableFile`."""

    directory: Annotated[Path | None, Key("directory", "a directory")] = None
    question_limit: Annotated[int, Key("questions", "a whole number"), Bounds(2, 12, "2 to 12")] = (
        DEFAULT_QUESTION_LIMIT
    )


@dataclass(frozen=True, slots=True)
class StateSection:
    """Where the state of the table is kept, and its copy: both from the working directory."""

    directory: Annotated[str, Key("directory")]
    second_store: Annotated[str | None, Key("second_store", "a directory")] = None
    includes_keys: Annotated[bool, Key("second_store_keys")] = False


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

    deck_list: Annotated[Path | None, Key("deck_list")] = None
    deck_tags: Annotated[str | None, Key("deck_tags"), Choice(TAG_FORMS)] = None
    deck_hex_digits: Annotated[
        int, Key("deck_hex_digits", "a whole number"), Bounds(2, 64, "even, 2 to 64", step=2)
    ] = 10
    seed: Annotated[int, Key("seed")] = 1
    speed: Annotated[float, Key("speed", "a number"), Bounds(0.1, 100, "0.1 to 100")] = 1.0
    mistakes: Annotated[float, Key("mistakes", "a number"), Bounds(0, 1, "0 (never) to 1")] = 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
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
    currency: Annotated[str | None, Key("records.currency"), Choice(CURRENCIES)] = None
    log_form: Annotated[str, Key("log.form"), Choice(LOG_FORMS)] = LOG_FORMS[0]
    simulation: SimulationSection
    has_broadcast: Annotated[
        bool, Key("broadcast.hole_cards"), Choice((AFTER_THE_HAND,), words=_BROADCAST_WORDS), Parser(bool)
    ]
    """Whether hole cards are broadcast when a hand is over."""
    room: RoomSection | None
    """The room of many tables to which it belongs; `None`: it belongs to none."""
    library: Library
    question_limit: int = DEFAULT_QUESTION_LIMIT
    """How many questions of a hand raise the alarm on repeated questions."""
    has_collection_section: bool = False
    """Whether what the house takes stands in a section of its own, not in the table line."""
    parts: tuple[str, ...] = ()
    """What the file says besides the table line, by name and without what it says: `shoe.deck`, `device.shoe.port`."""
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
        if path[:2] == ("table", "collection") and self.has_collection_section:
            path = path[1:]
        return ConfigError(self.path, self._line_index.find_line(*path), ".".join(path), message)


KIND_BY_SECTION: Mapping[str, type] = {
    "house": HouseSection, "tournament": TournamentSection, "state": StateSection, "shoe": ShoeSection,
    "page": PageSection, "records": TableFile, "log": TableFile, "broadcast": TableFile, "room": RoomSection,
    "simulation": SimulationSection,
}  # fmt: skip
"""The class whose fields are the keys of a section."""


def load_table_file(path: Path) -> TableFile:
    """Read the file at `path`; raises `ConfigError`."""
    return parse_table_file(path, *read_toml(path))


def parse_table_file(path: Path, text: str, content: dict[str, object]) -> TableFile:
    """Read what `content`, of the file with that `text`, says of a table; raises `ConfigError`."""
    return _TableFileReader(path, LineIndex(text)).read_table_file(content, hashlib.sha256(text.encode()).hexdigest())


def _name_parts(content: Mapping[str, object]) -> tuple[str, ...]:
    found = set[str]()
    for section, keys in content.items():
        if section in ("table", "collection") or not isinstance(keys, Mapping):
            continue
        for key, inner in keys.items():
            is_device = section == "device" and isinstance(inner, Mapping)
            found |= {f"{section}.{key}.{each}" for each in inner} if is_device else {f"{section}.{key}"}
    return tuple(sorted(found))


class _TableFileReader(SectionReader):
    """Reads one file, knowing where its keys stand."""

    def __init__(self, path: Path, lines: LineIndex) -> None:
        super().__init__(path, lines)
        self._library = Library()

    def read_table_file(self, content: dict[str, object], sha256: str) -> TableFile:
        self.check_keys(content, (), SECTIONS, ("table", "state"))
        house = self.read_kind(HouseSection, content, "house")
        self._library = self._add_plug_in_packages(
            self._read_library(house.directory),
            self.read_section(content, "table"),
        )
        state = self.read_kind(StateSection, content, "state")
        devices = self._read_devices(self.read_section(content, "device"))
        table = self._read_table_line(self.read_section(content, "table")) | self._read_collection(content)
        tournament = self._read_tournament(content) if "tournament" in content else None
        if tournament is not None:
            table = self._apply_first_level(table, schedule_file.load_schedule(tournament.schedule, self._library))
        second = state.second_store
        return TableFile(
            path=self.path,
            sha256=sha256,
            table_line=MappingProxyType({"ev": "table", **LIVE_TABLE_DEFAULTS, **table}),
            tournament=tournament,
            state_directory=Path(state.directory),
            second_store=None if second is None else SecondStoreSection(Path(second), state.includes_keys),
            devices=MappingProxyType(devices),
            shoe=self._read_shoe(content, devices) if "shoe" in content else None,
            places_by_reader=MappingProxyType(self._read_antennas(self.read_section(content, "antennas"), devices)),
            key_lines_by_panel=MappingProxyType(self._read_keys(self.read_section(content, "keys"), devices)),
            page=self.read_kind(PageSection, content, "page"),
            simulation=self.read_kind(SimulationSection, content, "simulation"),
            room=self.read_kind(RoomSection, content, "room") if "room" in content else None,
            library=self._library,
            question_limit=house.question_limit,
            has_collection_section="collection" in content,
            parts=_name_parts(content),
            _line_index=self.line_index,
            **self.read_part(TableFile, content, "records"),
            **self.read_part(TableFile, content, "log"),
            **(self.read_part(TableFile, content, "broadcast") if "broadcast" in content else {"has_broadcast": False}),
        )

    def _read_library(self, directory: Path | None) -> Library:
        """Say where the rulebook, the game and the schedule that the file names are looked up."""
        if directory is not None and not directory.is_dir():
            raise self.make_error(f"there is no directory {directory}", "house", "directory")
        return resolve_library() if directory is None else Library(directory)

    def _add_plug_in_packages(self, library: Library, table: dict[str, object]) -> Library:
        try:
            return add_plug_in_packages(library, table)
        except ConfigError as why:
            raise self.make_error(why.message, "table", why.key) from why

    def _read_table_line(self, section: dict[str, object]) -> dict[str, object]:
        if "ev" in section:
            raise self.make_error("is not written here; the section is the table line without it", "table", "ev")
        if LIVE_KEY in section:
            raise self.make_error(
                "is not written here: every table of a file is live, which the program says itself; leave it out",
                "table", LIVE_KEY,
            )  # fmt: skip
        try:
            refuse_unfit_player_names(section)
        except Refused as why:
            raise self.make_error(why.message, "table", "seats") from None
        return section

    def _read_collection(self, content: dict[str, object]) -> dict[str, object]:
        """What the house takes, as a part of the table line; what its kind and the book make of it is found there."""
        if "collection" not in content:
            return {}
        if "collection" in self.read_section(content, "table"):
            raise self.make_error("is said in [table], too; leave one of them out", "collection")
        section = self.read_section(content, "collection")
        shapes = list_collection_shapes()
        self.check_keys(section, ("collection",), tuple(shapes), ("kind",))
        for key, value in section.items():
            try:
                shapes[key].read(value)
            except ShapeError as why:
                raise self.make_error(f"cannot be {why.value!r}; {why.words}", "collection", key) from None
        return {"collection": section}

    def _read_tournament(self, content: dict[str, object]) -> TournamentSection:
        section = self.read_kind(TournamentSection, content, "tournament")
        there = schedule_file.list_schedules(self._library)
        if section.schedule not in there:
            names = ", ".join(there)
            raise self.make_error(
                f"names no schedule: {section.schedule!r}; there are {names}", "tournament", "schedule"
            )
        return section

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
        blinds = [blind for blind in schedule.levels[0].blinds if blind]
        for key in ("blinds", "small_blind", "big_blind"):
            is_other_way = key in betting and ("blinds" in stakes) != (key == "blinds")
            if is_other_way and betting[key] != blinds:
                raise self.make_error(
                    f"level 1 of {schedule.name} has the blinds {blinds}; leave it out, or say `blinds` so",
                    "table", "betting", key,
                )  # fmt: skip
            if is_other_way:
                stakes = {each: amount for each, amount in stakes.items() if not each.endswith("_blind")}
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
            own = {key: value for key, value in content.items() if key not in DEVICE_KEYS}
            read = self.read_fields(
                DeviceSection, {key: content[key] for key in content if key not in own}, "device", name
            )
            devices[name] = DeviceSection(name=name, driver_keys=MappingProxyType(own), **read)
        return devices

    def _read_shoe(self, content: dict[str, object], devices: Mapping[str, DeviceSection]) -> ShoeSection:
        read = self.read_part(ShoeSection, content, "shoe")
        for key, name in read.items():
            if key != "deck":
                self._refuse_unknown_device(name, devices, "shoe", key)
        return ShoeSection(**read)

    def _read_antennas(
        self, section: dict[str, object], devices: Mapping[str, DeviceSection]
    ) -> dict[str, Mapping[str | None, str]]:
        readers: dict[str, Mapping[str | None, str]] = {}
        for name, value in section.items():
            self._refuse_unknown_device(name, devices, "antennas", name)
            if isinstance(value, dict):
                place_of = make_shape(AntennaPlaceName)
                places = {key: self.read_shape(place_of, value, "antennas", name, key) for key in value}
            else:
                places = {None: self.read_shape(make_shape(CardPlaceName), section, "antennas", name)}
            readers[name] = MappingProxyType(places)
        return readers

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

    def _refuse_unknown_device(self, name: str, devices: Mapping[str, DeviceSection], *path: str) -> None:
        if name not in devices:
            there = ", ".join(devices) or "none"
            raise self.make_error(f"names device {name!r}, which is not configured; configured: {there}", *path)
