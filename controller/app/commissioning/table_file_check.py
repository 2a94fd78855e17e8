"""Finds everything that is wrong with a table's file without touching a device, not only the first thing.

Whatever reads the file stops at the first mistake, as it must at a start. So the mistake is noted, struck out of what
was read, and the rest is looked at again, until nothing is left to be said. What only fails because something was
struck out is not told.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path

from config.announcer_file import is_loopback_host
from config.config_error import ConfigError
from config.table_file import TableFile, parse_table_file
from config.table_line import REQUIRED_KEYS, parse_table_line
from config.toml_file import read_toml
from controller.app.commissioning.pruned_file import MAX_CHECKS, PrunedFile
from controller.app.commissioning.wiring import find_absent_seats, find_unlimited_gates, read_wiring
from controller.app.releases.needed_extras import find_extra_faults
from controller.app.simulation.simulated_deck_list import load_listed_deck
from controller.app.table.table_devices import build_unchecked_devices, make_device_map, refuse_shared
from controller.core.protocol.collection_terms import CollectionKind
from controller.core.protocol.table_error import Refused
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.panel_translator import FLOOR_CALL, parse_sample_events
from controller.runtime.staff import floor_permission
from controller.wall_clock import read_wall_clock
from controller.web.serving.certificate_validity import find_expiry_problem
from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import EdgeDriver
from drivers.contract.driver_registry import find_key_errors
from drivers.pins.rpi_pins import EDGE_PACKAGES, find_installed_package
from drivers.ports.byte_port import find_port_problem

_UNSTABLE_PORT_NAME = re.compile(r"/dev/tty(USB|ACM)\d+")
"""Names that the kernel gives in the order of plugging in."""

_BACKTICKED_WORD = re.compile(r"`([a-z_]+)`")

STAND_INS: Mapping[str, object] = {
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": 1, "stack": 100}, {"seat": 2, "stack": 100}],
    "button": 1,
}
"""What stands for a part of the table line that is wrong or missing, while the rest of the line is looked at."""

COLLECTION_STAND_INS: Mapping[str, object] = {"percent": 5, "fee": 1, "minutes": 60}
"""What stands for a key of the collection that is wrong and that its kind needs."""

GAME_KEYS = ("game", "betting", "button", "joker", "house", "seats")
"""What cannot be judged where the rulebook or the game are not known."""


def find_problems(path: Path) -> list[ConfigError]:
    """Every mistake that can be told apart from the others, in the order of their lines."""
    try:
        text, content = read_toml(path)
    except ConfigError as error:
        return [error]
    struck = PrunedFile(path, content)
    for check in (
        _check_device_keys,
        _check_devices,
        _check_device_map,
        _check_deck_list,
        _check_table_line,
        _check_shared,
    ):
        struck.check_until_clean(partial(_check_remaining, struck, text, check))
    return sorted(struck.mistakes, key=lambda error: (error.path != path, error.line))


def find_weaknesses(file: TableFile) -> Iterator[ConfigError]:
    """What a right file says that this machine will not bear for long: unsteady ports, LEDs, files or extras not there.

    Nothing is opened but the certificate.
    """
    for name, section in file.devices.items():
        node = (section.port or "").partition("?")[0]
        if section.port is not None and (problem := find_port_problem(section.port)) is not None:
            yield file.make_error(problem, "device", name, "port")
        if _UNSTABLE_PORT_NAME.fullmatch(node):
            yield file.make_error(
                f"{node} is another device when the plugs are in another order; name it by /dev/serial/by-id/… "
                "(tablectl ports shows it), or give it a name of its own (tablectl udev)",
                "device", name, "port",
            )  # fmt: skip
    yield from find_extra_faults(file)
    load = read_wiring(file).load
    if load is not None and load.is_too_much:
        lamps = next(name for name, section in file.devices.items() if section.driver == "lamps_pins")
        yield file.make_error(load.describe_excess(), "device", lamps, "outputs")
    for key, path in (("certificate", file.page.certificate), ("key", file.page.private_key)):
        if path is None:
            continue
        try:
            with path.open("rb"):
                wrong = find_expiry_problem(path, read_wall_clock()) if key == "certificate" else None
        except PermissionError:  # it is for another user to read, and `doctor` is run as that one
            continue
        except OSError as why:
            wrong = f"{path} cannot be read: {why.strerror}; tablectl certificate make makes one"
        except ValueError as why:
            wrong = f"{path}: {why}"
        if wrong is not None:
            yield file.make_error(wrong, "page", key)


def find_doubts(file: TableFile) -> Iterator[ConfigError]:
    """What may be meant so, and is no mistake, but is to be looked at."""
    yield from find_refused_keys(file)
    yield from _find_odd_collection(file)
    page = file.page
    if page.certificate is None and not page.allows_plain_http and not is_loopback_host(page.host):
        yield file.make_error(
            "other machines can open this page and nobody can sign in there: PINs are taken over TLS alone; `tablectl "
            "certificate make` makes a certificate, and with `plain = true` everybody on the network can read them",
            "page", "host",
        )  # fmt: skip
    for name, text in find_unlimited_gates(file).items():
        yield file.make_error(text, "device", name)
    for path, text in find_absent_seats(file):
        yield file.make_error(text, *path)


def _find_odd_collection(file: TableFile) -> Iterator[ConfigError]:
    """What the house takes in chips that do not play [R7-3.betting.7#b], and caps that fall with more players."""
    setup = parse_table_line({**file.table_line, "t": 0.0}, file.library).setup
    terms, chip = setup.collection, setup.stakes.smallest_chip
    if terms is None:
        return
    if terms.kind is CollectionKind.RAKE and not terms.half_percent:
        text = "takes nothing, as `percent` is 0: say 0.5 to 10, or none"
        yield file.make_error(text, "table", "collection", "kind")
    for key, amount in (("step", terms.step), ("fee", terms.fee)):
        if amount and amount % chip:
            right = amount + chip - amount % chip
            yield file.make_error(
                f"{amount} is no multiple of the smallest chip in play, {chip}: dealers need chips of the house's own "
                f"for it (R7-3.betting.7#b); {right} needs none",
                "table", "collection", key,
            )  # fmt: skip
    caps = sorted(terms.caps)
    for fewer, more in pairwise(caps):
        if more.cap < fewer.cap:
            yield file.make_error(
                f"up to {more.dealt} players the cap is {more.cap}, and {fewer.cap} with {fewer.dealt} or fewer; a cap "
                f"does not fall, as a rule, when more are dealt in: {fewer.cap} or more",
                "table", "collection", "caps",
            )  # fmt: skip
    if caps and terms.cap is not None and terms.cap < caps[-1].cap:
        yield file.make_error(
            f"{terms.cap} holds for more players than {caps[-1].dealt}, for which it is {caps[-1].cap}; a cap does not "
            f"fall, as a rule, when more are dealt in: {caps[-1].cap} or more",
            "table", "collection", "cap",
        )  # fmt: skip


def find_refused_keys(file: TableFile) -> Iterator[ConfigError]:
    """The keys of panels that a table in play always refuses; a simulated one takes them, so that it is no mistake."""
    for panel, meanings in file.key_lines_by_panel.items():
        for key, meaning in meanings.items():
            events = parse_sample_events(key, meaning)
            refused = [refusal for event in events if (refusal := floor_permission.find_standing_refusal(event))]
            if refused and len(refused) == len(events):
                yield file.make_error(
                    f"a table in play always refuses this key ({refused[0].message.rstrip('.')}); give it another "
                    f'meaning, such as {{ ev = "{FLOOR_CALL}" }}, which calls the floor',
                    "keys", panel, key,
                )  # fmt: skip


def find_sampled_edges(file: TableFile) -> Iterator[ConfigError]:
    """The sensors whose short edges this machine's GPIO library loses; no mistake where the table runs elsewhere."""
    try:
        package = find_installed_package()
    except PinError:  # said where the pins are opened
        return
    if package in EDGE_PACKAGES:
        return
    for name, driver in build_unchecked_devices(file).pin_drivers.items():
        if isinstance(driver, EdgeDriver) and driver.min_sampled_s:
            yield file.make_error(
                f"{package} tells no edges with their time: what it sees for less than "
                f"{driver.min_sampled_s * 1000:.0f} ms may pass unseen; install rpi-lgpio in its place (the extra "
                "[pi5]), or put the sensor on a microcontroller board (driver bridge)",
                "device", name,
            )  # fmt: skip


def _check_remaining(struck: PrunedFile, text: str, check: Callable[[PrunedFile, TableFile], None]) -> None:
    """Read what is left, and check that; raises `ConfigError`."""
    check(struck, parse_table_file(struck.path, text, struck.content))


def _check_device_keys(struck: PrunedFile, file: TableFile) -> None:
    """Look at every key of every device, and not only up to the first wrong one."""
    for name, section in file.devices.items():
        for fault in [*find_key_errors(section.driver, name, section.driver_keys)]:
            struck.remove_mistake(file.make_error(fault.message, "device", name, fault.key or "driver"))


def _check_devices(_: PrunedFile, file: TableFile) -> None:
    build_unchecked_devices(file)


def _check_shared(_: PrunedFile, file: TableFile) -> None:
    refuse_shared(file, build_unchecked_devices(file))


def _check_device_map(_: PrunedFile, file: TableFile) -> None:
    """Try who translates what, with an empty deck: which cards are registered is no matter of the file."""
    make_device_map(file, build_unchecked_devices(file), None, Deck("", {}) if file.shoe is not None else None)


def _check_deck_list(_: PrunedFile, file: TableFile) -> None:
    """Read the list of the simulated deck, if it is there: a table that is in play needs none."""
    if file.simulation.deck_list is not None and file.simulation.deck_list.exists():
        load_listed_deck(file)


def _check_table_line(struck: PrunedFile, file: TableFile) -> None:
    """Set the table up, with stand-ins for what of its line is wrong."""
    stood_in = {key for key in STAND_INS if struck.is_removed("table", key)}
    line = {**file.table_line, **{key: STAND_INS[key] for key in stood_in}}
    if isinstance(collection := line.get("collection"), dict):
        needed = {key: value for key, value in COLLECTION_STAND_INS.items() if struck.is_removed("collection", key)}
        line["collection"] = collection | needed
    for _ in range(MAX_CHECKS):
        if struck.table_line_unreadable:
            return
        try:
            parse_table_line(line, file.library)
        except (Refused, ConfigError) as error:
            place = _find_named_key(error, line)
            again = not place or ".".join(place) in stood_in
            of_the_game = isinstance(error, Refused) and error.code == "game-not-in-book"
            unsure = {"rulebook", "game"} & stood_in and (of_the_game or (place[:1] and place[0] in GAME_KEYS))
            if isinstance(error, ConfigError):
                struck.note_mistake(error)  # in the file of the rulebook
            elif not (place and again) and (not unsure or error.code == "unknown-key"):
                struck.note_mistake(file.make_error(error.message, "table", *place))
            if again:
                return
            stood_in.add(".".join(place))
            is_unused = isinstance(error, Refused) and error.code in ("unused-key", "unknown-key")
            _replace_by_stand_in(line, place, COLLECTION_STAND_INS if not is_unused else {})
        else:
            return


def _replace_by_stand_in(line: dict[str, object], place: tuple[str, ...], terms: Mapping[str, object]) -> None:
    """Replace what is wrong; `terms` stand for keys of the collection."""
    key, inner = place[0], line.get(place[0])
    if len(place) > 1 and key == "collection" and isinstance(inner, dict) and place[1] in terms:
        line[key] = {**inner, place[1]: terms[place[1]]}
        return
    if place == ("betting", "blinds") and isinstance(inner, dict):  # without any, the game would miss its big blind
        other = {name: value for name, value in inner.items() if name not in ("small_blind", "big_blind")}
        line[key] = {**other, "blinds": [1, 2]}
        return
    if place == ("collection", "kind"):  # without it nothing can be said of the others
        place = place[:1]
    stand_in = STAND_INS.get(key)
    if len(place) > 1 and isinstance(inner, dict) and isinstance(stand_in, Mapping) and place[1] in stand_in and terms:
        line[key] = {**inner, place[1]: stand_in[place[1]]}
    elif len(place) > 1 and isinstance(inner, dict):
        line[key] = {name: value for name, value in inner.items() if name != place[1]}
    elif key in STAND_INS:
        line[key] = STAND_INS[key]
    else:
        line.pop(key, None)


def _find_named_key(error: Refused | ConfigError, line: Mapping[str, object]) -> tuple[str, ...]:
    """Which key of the table line a refusal is about, as far as it says."""
    if isinstance(error, ConfigError):
        return ("rulebook",)
    words = _BACKTICKED_WORD.findall(error.message)
    outer = next((word for word in words if word in line or word in REQUIRED_KEYS), None)
    for key in line if outer is None else (outer,):
        inside = line.get(key)
        inner = next((word for word in words if isinstance(inside, Mapping) and word in inside), None)
        if inner is not None:
            return (key, inner)
        rows = [row for row in inside if isinstance(row, Mapping)] if isinstance(inside, list | tuple) else []
        if outer is None and any(word in row for word in words for row in rows):
            return (key,)
    return () if outer is None else (outer,)
