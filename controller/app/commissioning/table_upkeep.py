"""Sets a table up without a terminal: what is plugged in, who answers there, and the table's file that follows from it.

The file is made from one of the examples that come with the program: what was chosen takes the place of what the
example says, line by line, and the comments stay. It is checked like any other before it is offered. The program
cannot write its own file, which is root's: it leaves it beside its journal, and `table-set-up.path` has it checked
again and put in its place.
"""

import json
import re
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import game_file, rulebook_file
from config.config_error import ConfigError
from config.language_file import mark_for_translation
from config.table_file import DEMO_FILE, TableFile, load_table_file
from config.table_line import parse_table_line
from controller.app.commissioning.table_file_check import find_problems, find_weaknesses
from controller.app.diagnostics.machine_ports import list_other_ports, list_serial_ports
from controller.app.releases.requested_release import RELEASE_NAME_PATTERN, RELEASE_REQUEST_FILE
from controller.app.table.session_start import read_program_version
from controller.app.upkeep.backup import make_backup
from controller.app.upkeep.table_copy import CopyError
from controller.core.protocol.table_error import Refused
from controller.runtime.service.table_activity import is_hand_in_progress
from controller.runtime.storage.atomic_file import write_atomically
from controller.web.serving.certificate_validity import read_expiry
from drivers.contract.device_errors import DriverConfigError, PortError
from drivers.contract.driver_interface import (
    SAMPLE_INTERVAL_S,
    ByteDriver,
    DeviceReady,
    PinDriver,
    TagRead,
    TagReader,
    is_full_duplex,
)
from drivers.contract.driver_registry import DRIVERS, build_driver, list_driver_keys
from drivers.ports.byte_port import open_port

TABLE_FILE_REQUEST = "table.toml.wanted"
"""What the page leaves in the state directory for root to put in its place."""

CERTIFICATE_REQUEST = "certificate.wanted"
"""What it leaves there for root to make a new certificate (`table-certificate.path`)."""

EXAMPLE_LABELS = {
    "starter": mark_for_translation("the starter table: a slow shoe, eight keys and one LED a seat on the pins"),
    "rfid-shoe": mark_for_translation("a shoe; keys, lamps and gate on the pins of the Raspberry Pi"),
    "seat-leds": mark_for_translation("a shoe; few keys, and two LEDs a seat on the pins of the Raspberry Pi"),
    "seat-antennas": mark_for_translation("a shoe; an antenna at each seat; LEDs and keys on the Raspberry Pi's pins"),
    "barcode-shoe": mark_for_translation("a shoe; keys, lamps and gate on the table's board"),
    "no-shoe": mark_for_translation("no shoe yet: dealer and floor enter everything on the page"),
}

EXTRA_LINE_BY_DRIVER = {"thingmagic": 'region = "europe"'}
"""Keys without which a driver cannot be, and which the search cannot find out."""

PROBE_KEYS_BY_DRIVER: Mapping[str, Mapping[str, object]] = {"bridge": {"gate": True}}
"""Keys without which a driver has nothing to do."""

PROBE_TIMEOUT_S = 3.0
"""Longer than any device takes to answer."""
MAX_NAME_LENGTH = 40

_TEXT_PATTERN = re.compile(r"[A-Za-z0-9 ._:/@+\-]*")


class UpkeepError(Exception):
    """What was asked cannot be done; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class DetectedDevice:
    """Who was heard on a port: a driver of this program that made sense of what came."""

    port: str
    driver: str
    how: str

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {"port": self.port, "driver": self.driver, "how": self.how}


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """What was chosen on the page."""

    kind: str = "rfid-shoe"
    reader: str = "pn532"
    reader_port: str = ""
    board_port: str = ""
    seats_port: str = ""
    deck: str = "red"
    game: str = "holdem"
    book: str = "roberts-7"
    structure: str = "no-limit"
    small: int = 1
    big: int = 2
    places: int = 8
    second_store: bool = False

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "SetupChoice":
        """Read what a page sends; raises `UpkeepError`."""
        known = cls().to_json()
        for key, value in said.items():
            if key not in known or type(value) is not type(known[key]):
                raise UpkeepError(f"the choice has no {key!r} of that kind; it has {', '.join(known)}")
            if isinstance(value, str) and (len(value) > 200 or not _TEXT_PATTERN.fullmatch(value)):
                raise UpkeepError(f"{key} has signs that no name and no port has")
        chosen: dict[str, Any] = {**known, **said}
        choice = cls(
            kind=chosen["kind"],
            reader=chosen["reader"],
            reader_port=chosen["reader_port"],
            board_port=chosen["board_port"],
            seats_port=chosen["seats_port"],
            deck=chosen["deck"],
            game=chosen["game"],
            book=chosen["book"],
            structure=chosen["structure"],
            small=chosen["small"],
            big=chosen["big"],
            places=chosen["places"],
            second_store=chosen["second_store"],
        )
        if choice.kind not in EXAMPLE_LABELS:
            raise UpkeepError(f"kind is one of {', '.join(EXAMPLE_LABELS)}")
        return choice

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it, and sends it back."""
        return {
            "kind": self.kind,
            "reader": self.reader,
            "reader_port": self.reader_port,
            "board_port": self.board_port,
            "seats_port": self.seats_port,
            "deck": self.deck,
            "game": self.game,
            "book": self.book,
            "structure": self.structure,
            "small": self.small,
            "big": self.big,
            "places": self.places,
            "second_store": self.second_store,
        }


class TableUpkeep:
    """What the pages of set-up and upkeep ask of the machine; `file` is the table's present one, `state` its state."""

    error_type: type[Exception] = UpkeepError

    def __init__(self, file: TableFile, state: Path) -> None:
        self._file = file
        self._state_directory = state
        self._detected_devices: tuple[DetectedDevice, ...] = ()
        self._searched_port = ""
        self._lock = threading.Lock()

    def ca_certificate(self) -> Path | None:
        """Return the certificate of the local authority, where there is one."""
        if self._file.page.certificate is None:
            return None
        path = self._file.page.certificate.with_name("ca.crt")
        return path if path.exists() else None

    def describe_certificate(self) -> Mapping[str, Any]:
        """Say until when the page's certificate is good (`None`: there is none), and whether it is our own to renew."""
        path = self._file.page.certificate
        try:
            until = None if path is None else f"{read_expiry(path):%Y-%m-%d}"
        except (OSError, ValueError):
            until = None
        return {"until": until, "own": self.ca_certificate() is not None}

    def renew(self) -> None:
        """Ask root for a new certificate, with which the table starts anew. Raises `UpkeepError`."""
        if self.ca_certificate() is None:
            raise UpkeepError("the certificate is not of this table's own authority: renew it where it came from")
        if is_hand_in_progress(self._state_directory):
            raise UpkeepError("a hand is in progress, and the table starts anew with it: finish the hand first")
        self._write_request(CERTIFICATE_REQUEST, "")

    def make_backup(self, *, keys: bool) -> tuple[Path, str]:
        """Write a backup; return the file, which the caller removes, and what to call it. Raises `UpkeepError`."""
        try:
            with tempfile.NamedTemporaryFile(
                dir=self._state_directory, prefix=".backup-", suffix=".tar", delete=False
            ) as output:
                make_backup(self._file, self._state_directory, output, keys=keys, program=read_program_version())
        except (CopyError, OSError) as why:
            with suppress(NameError, OSError):
                Path(output.name).unlink()
            raise UpkeepError(f"no backup could be made: {why}") from why
        return Path(output.name), f"{socket.gethostname().partition('.')[0]}-{time.strftime('%Y-%m-%d')}.tar"

    def describe_setup(self) -> Mapping[str, Any]:
        """Say what is plugged in, who answered, and what can be chosen."""
        own = self._file.library
        return {
            "name": socket.gethostname(),
            "ports": [
                {
                    "port": port.stable_name or port.node,
                    "what": "" if port.usb_device is None else port.usb_device.name,
                    "may": port.can_open,
                }
                for port in list_serial_ports()
            ],
            "others": [port.stable_name or port.node for port in list_other_ports()],
            "pins": bool([*Path("/dev").glob("gpiochip*")]),
            "asking": self._searched_port,
            "answered": [each.to_json() for each in self._detected_devices],
            "kinds": EXAMPLE_LABELS,
            "readers": list_readers(),
            "reader_by_kind": read_example_readers(),
            "books": {name: rulebook_file.load_rulebook(name, own).title for name in rulebook_file.list_rulebooks(own)},
            "games": [*game_file.list_games(own)],
            "choice": SetupChoice().to_json(),
        }

    def search(self) -> None:
        """Begin to ask every port who is there; `describe_setup` tells. Raises `UpkeepError` while a search goes on."""
        with self._lock:
            if self._searched_port:
                raise UpkeepError("a search is under way; wait for its end")
            self._searched_port, self._detected_devices = "the ports", ()
        held = {section.port for section in self._file.devices.values()}
        ports = [
            port.stable_name or port.node for port in list_serial_ports() if not held & {port.stable_name, port.node}
        ]
        threading.Thread(target=self._search_ports, args=(ports,), name="search", daemon=True).start()

    def propose(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the file that fits the choice, and what is wrong with it, in sentences. Raises `UpkeepError`."""
        text = render_table_file(SetupChoice.from_json(choice), self._file.path.read_text(encoding="utf-8"))
        return {"text": text, "wrong": self._find_mistakes(text)}

    def request_chosen_file(self, choice: Mapping[str, Any]) -> None:
        """Leave the file for root to put in its place. Raises `UpkeepError` for one with mistakes."""
        proposed = self.propose(choice)
        if proposed["wrong"]:
            raise UpkeepError(f"the file has mistakes: {proposed['wrong'][0]}")
        self._write_request(TABLE_FILE_REQUEST, str(proposed["text"]))

    def read_present_file(self) -> str:
        """Return the table's file as it stands, with its comments. Raises `UpkeepError`."""
        try:
            return self._file.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as why:
            raise UpkeepError(f"{self._file.path} cannot be read: {getattr(why, 'strerror', 'it is no text')}") from why

    def request_file(self, text: str) -> None:
        """Leave a file that the room sent for root to put in its place. Raises `UpkeepError` for one with mistakes."""
        wrong = self._find_mistakes(text)
        if wrong:
            raise UpkeepError(f"the file has mistakes: {wrong[0]}")
        self._write_request(TABLE_FILE_REQUEST, text)

    def request_release(self, name: str | None) -> None:
        """Leave the name of a release that was fetched, or that of none, for root. Raises `UpkeepError`."""
        if name is not None and not RELEASE_NAME_PATTERN.fullmatch(name):
            raise UpkeepError("the name of a release has letters, digits, dots and dashes, and ends in .tar")
        self._write_request(RELEASE_REQUEST_FILE, json.dumps({"name": name}))

    def _write_request(self, name: str, text: str) -> None:
        try:
            write_atomically(self._state_directory / name, text.encode())
        except OSError as why:
            raise UpkeepError(f"{self._state_directory / name} cannot be written: {why.strerror}") from why

    def _find_mistakes(self, text: str) -> Sequence[str]:
        """Check a file as it will be read: beside the present one, whose certificates it names."""
        with tempfile.TemporaryDirectory(dir=self._state_directory, prefix=".set-up-") as folder:
            path = Path(folder) / "table.toml"
            tls = self._file.path.parent / "tls"
            if tls.is_dir():
                (Path(folder) / "tls").symlink_to(tls)
            path.write_text(text, encoding="utf-8")
            found = find_problems(path)
            if not found:
                found = [*find_weaknesses(load_table_file(path))]
        return [str(each) for each in found]

    def _search_ports(self, ports: Sequence[str]) -> None:
        found: list[DetectedDevice] = []
        try:
            for port in ports:
                self._searched_port = port
                heard = detect_devices(port)
                found += heard
                self._detected_devices = tuple(found)
        finally:
            self._searched_port = ""


def list_readers() -> list[str]:
    """The drivers of readers and scanners on a serial port."""
    return sorted(
        name
        for name in DRIVERS
        if isinstance(driver := _make_driver(name), TagReader)
        and isinstance(driver, ByteDriver)
        and not is_full_duplex(driver)
    )


def read_example_readers() -> dict[str, str]:
    """Which driver the reader of each example has: what its page says to buy."""
    examples = [(kind, DEMO_FILE.parent / f"{kind}.toml") for kind in EXAMPLE_LABELS]
    return {kind: load_table_file(path).devices["shoe"].driver for kind, path in examples if path.exists()}


def _list_probe_drivers() -> list[str]:
    """In which order drivers are tried: those that ask first, and scanners, to whom any text is a code, last."""

    def order(name: str) -> tuple[bool, bool, str]:
        driver = _make_driver(name)
        asks = isinstance(driver, ByteDriver) and bool(driver.on_port_opened())
        return (DRIVERS[name].startswith("drivers.scanners"), not asks, name)

    return sorted([*list_readers(), "bridge"], key=order)


def _make_driver(name: str) -> ByteDriver | PinDriver | None:
    """Make a driver with as few keys as it takes; `None` where those are no matter of a reader."""
    with suppress(DriverConfigError):
        least: dict[str, object] = {key.name: "europe" for key in list_driver_keys(name) if key.is_required}
        return build_driver(name, name, {**least, **PROBE_KEYS_BY_DRIVER.get(name, {})})
    return None


def detect_devices(
    port: str, clock: Callable[[], float] = time.monotonic, wait: Callable[[float], None] = time.sleep
) -> list[DetectedDevice]:
    """Ask a port in the language of every driver, and listen; the first driver that makes sense of it is told."""
    for name in _list_probe_drivers():
        driver = _make_driver(name)
        assert isinstance(driver, ByteDriver)
        try:
            opened = open_port(port, driver, read_seconds=0)
        except PortError:
            return []
        try:
            opened.write(driver.on_port_opened())
            ends = clock() + PROBE_TIMEOUT_S
            while clock() < ends:
                data, ticked = driver.on_tick(clock())
                events = [*driver.receive_data(opened.read(), clock()), *ticked]
                if any(isinstance(event, DeviceReady) for event in events):
                    return [DetectedDevice(port, name, "answers")]
                if any(isinstance(event, TagRead) for event in events):
                    return [DetectedDevice(port, name, "has read a card")]
                opened.write(data)
                wait(SAMPLE_INTERVAL_S)
        except PortError:
            return []
        finally:
            with suppress(PortError):
                opened.close()
    return []


def render_table_file(choice: SetupChoice, present: str) -> str:
    """Write the file: the example of this kind with what was chosen; state, page and house as they are now."""
    if choice.kind == "no-shoe":
        text = "# A table without a shoe, made by the set-up page.\n\n" + "".join(
            f"{section}\n" for section in (_find_section(present, "table"),) if section
        )
    else:
        text = (DEMO_FILE.parent / f"{choice.kind}.toml").read_text(encoding="utf-8")
        text = re.sub(r"\A(#.*\n)+", "# Made by the set-up page; docs/technician.md says what the lines mean.\n", text)
    stakes, button = _render_stakes(choice)
    values = {
        ("table", "rulebook"): json.dumps(choice.book),
        ("table", "game"): json.dumps(choice.game),
        ("table", "betting"): stakes,
        ("table", "places"): str(choice.places),
        ("shoe", "deck"): json.dumps(choice.deck),
        ("device.shoe", "driver"): json.dumps(choice.reader),
        ("device.shoe", "port"): json.dumps(choice.reader_port),
        ("device.bridge", "port"): json.dumps(choice.board_port),
        ("device.seats", "port"): json.dumps(choice.seats_port),
    }
    text = _set_values(text, values)
    text = re.sub(r"(?ms)^seats = \[.*?^\]|^seats = \[.*?\]$", GUEST_SEATS_LINE, text, count=1)
    if not button:
        text = re.sub(r"(?m)^button = .*\n", "", text, count=1)
    text = _set_reader_keys(text, choice.reader)
    for name in ("state", "page", "house", "collection"):
        text = _replace_section(text, name, _find_section(present, name))
    text = _replace_section(text, "simulation", "")
    if choice.second_store:
        text = _set_values(text, {("state", "second_store"): '"/var/lib/table-copy"'})
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


GUEST_SEATS_LINE = 'seats = [ { seat = 1, player = "Guest 1" }, { seat = 2, player = "Guest 2" } ]'


def _render_stakes(choice: SetupChoice) -> tuple[str, bool]:
    """Write the stakes in the first form that the game takes, and say whether it has a button.

    What it would not take at all, the check of the file says.
    """
    blinds = {"small_blind": choice.small, "big_blind": choice.big}
    limits = {"small_bet": choice.big, "big_bet": 2 * choice.big}
    small = {"ante": choice.small}
    forms = (blinds, limits | blinds, limits | small | {"bring_in": choice.small}, limits | small, small)
    seats = [{"seat": seat, "stack": 200 * choice.big} for seat in (1, 2)]
    line = {"ev": "table", "rulebook": choice.book, "game": choice.game, "t": 0.0, "seats": seats}
    for form in forms:
        betting = {"structure": choice.structure, **form}
        for button in ({"button": 1}, {}):
            with suppress(Refused, ConfigError):
                parse_table_line({**line, "betting": betting, **button})
                return _render_inline_table(betting), bool(button)
    return _render_inline_table({"structure": choice.structure, **blinds}), True


def _render_inline_table(values: Mapping[str, object]) -> str:
    return "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in values.items()) + " }"


def _set_values(text: str, values: Mapping[tuple[str, str], str]) -> str:
    """Put values in place of those that a file has in its sections; a key that a section lacks becomes its last."""
    for (section, key), value in values.items():
        found = re.search(rf"(?m)^\[{re.escape(section)}\].*\n(?:(?!\[).*\n?)*", text)
        if found is None:
            continue
        body = found.group()
        line = re.search(rf'(?m)^{key}\s*=\s*(?:"[^"\n]*"|\{{.*?\}}|[^#\n]*?)(\s*(?:#.*)?)$', body)
        changed, count = body, line is not None
        if line is not None:
            changed = f"{body[: line.start()]}{key} = {value}{line.group(1)}{body[line.end() :]}"
        if not count and (section, key) == ("state", "second_store"):
            changed = body.rstrip("\n") + f"\n{key} = {value}\n\n"
        text = text[: found.start()] + changed + text[found.end() :]
    return text


def _set_reader_keys(text: str, driver: str) -> str:
    """Leave of the reader's own keys those that its driver has, and add what it cannot be without."""
    found = re.search(r"(?m)^\[device\.shoe\].*\n(?:(?!\[).*\n?)*", text)
    if found is None:
        return text
    known = (
        {"driver", "port", *(key.name for key in list_driver_keys(driver))} if driver in DRIVERS else {"driver", "port"}
    )
    lines = [
        line
        for line in found.group().splitlines()
        if not (key := re.match(r"(\w+)\s*=", line)) or key.group(1) in known
    ]
    more = [EXTRA_LINE_BY_DRIVER[driver]] if driver in EXTRA_LINE_BY_DRIVER else []
    body = "\n".join([*[line for line in lines if line.strip()], *more]) + "\n\n"
    return text[: found.start()] + body + text[found.end() :]


def _find_section(text: str, name: str) -> str:
    found = re.search(rf"(?m)^\[{re.escape(name)}\].*\n(?:(?!\[).*\n?)*", text)
    return "" if found is None else found.group().rstrip() + "\n"


def _replace_section(text: str, name: str, section: str) -> str:
    """Put another section in the place of one, or at the end."""
    found = re.search(rf"(?m)^\[{re.escape(name)}\].*\n(?:(?!\[).*\n?)*", text)
    if found is None:
        return f"{text.rstrip()}\n\n{section}" if section else text
    between = f"{section}\n" if section else ""
    return f"{text[: found.start()]}{between}{text[found.end() :]}"
