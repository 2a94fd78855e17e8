"""Runs a table from its configuration file: everything is opened here, in order, and closed in the reverse order."""

import fcntl
import logging
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from config.rulebook_file import load as load_rulebook
from config.table_file import TableFile, load_table
from controller.app.devices import build_devices, lay_bench, make_edge, open_pins, start_pins
from controller.app.player import Player
from controller.app.room import Room
from controller.app.session import boot_id, program_version, take_up
from controller.runtime.decklists import read_list
from controller.runtime.decks import Deck, DeckError, Decks
from controller.runtime.edge import Edge
from controller.runtime.health import Health
from controller.runtime.journal import Journal
from controller.runtime.loop import Loop
from controller.runtime.places import JOURNAL_FILE, LOCK_FILE, TABLE_FILE
from controller.runtime.readers import PinSampler, PortReader
from controller.runtime.standing import LIVE, SIMULATION
from controller.web.hub import Hub
from controller.web.pages import make_app
from controller.web.server import PageServer, listen, names_of
from drivers.base import PinDriver, Pins
from drivers.errors import PinError
from drivers.sim.bench import Bench

log = logging.getLogger(__name__)


class StartError(Exception):
    """The table cannot start; the message says why and what to do."""


def run_table(
    path: Path,
    *,
    simulate: bool,
    state: Path | None = None,
    port: int | None = None,
    new_session: bool = False,
    paused: bool = False,
) -> str:
    """Run the table of the configuration file `path` until a signal; return why it ended.

    `simulate` puts the far end of every device on a bench and people round it; `state` and `port` override the file.
    Raises `ConfigError`, `StartError` and the errors of the runtime, each with one sentence.
    """
    file = load_table(path)
    directory = state or file.directory
    mode = SIMULATION if simulate else LIVE
    with ExitStack() as stack:
        stack.enter_context(_lock(directory))
        devices = build_devices(file)
        deck = _deck(stack, file, directory, simulate=simulate)
        bench = stack.enter_context(Bench()) if simulate else None
        urls = lay_bench(bench, file, devices) if bench is not None else dict(devices.urls)
        pins: Pins | None = bench.pins if bench is not None else open_pins(devices)
        if pins is not None:
            stack.callback(pins.close)
        edge = make_edge(file, devices, pins, deck)
        journal = Journal(directory / JOURNAL_FILE)
        stack.callback(journal.close)
        power_lost = journal.begin_run(boot_id(), program_version())
        recovered = take_up(journal, file, mode, fresh=new_session)
        _leave_safe(stack, edge)
        start_pins(file, devices, pins)
        health = Health(
            {name: file.devices[name].driver for name in devices.byte_drivers},
            {name: file.devices[name].driver for name in devices.pin_drivers},
            recovered.lost,
        )
        readers: dict[str, PortReader] = {}
        loop = Loop(
            recovered,
            journal,
            edge,
            health,
            mode=mode,
            power_lost=power_lost,
            reopen=lambda device: readers[device].reopen(),
        )
        for name, driver in devices.byte_drivers.items():
            readers[name] = PortReader(name, urls[name], driver, loop.put, loop.clock)
        hub = Hub(_setup(file))
        loop.subscribe(hub.publish)
        player = _player(bench, file, deck, hub, paused=paused) if bench is not None else None
        if player is not None:
            loop.subscribe(player.see)
        server = _serve(stack, file, hub, player, port)
        _start_threads(stack, loop, readers, edge)
        if player is not None:
            player.start()
            stack.callback(player.end)
        with _signals(loop):
            loop.start()
            log.info("%s table %s; page at %s", mode, file.path, server.url)
            why = loop.run()
        journal.end_run(why)
        return why


@contextmanager
def _lock(directory: Path) -> Iterator[None]:
    """Hold the directory for this process alone: two controllers of one table would both write its journal."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(directory / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as why:
        raise StartError(
            f"{directory} cannot be used: {why.strerror}; name another in [state], or with --state"
        ) from why
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as why:
        os.close(handle)
        raise StartError(f"another controller is running on {directory}; stop it first") from why
    try:
        yield
    finally:
        os.close(handle)


def _deck(stack: ExitStack, file: TableFile, directory: Path, *, simulate: bool) -> Deck | None:
    """Look up the deck in play; at a simulated table register its list first, as a technician would."""
    if file.shoe is None:
        return None
    decks = Decks(directory / TABLE_FILE)
    stack.callback(decks.close)
    wanted, listed = file.shoe.deck, file.simulation.deck_list
    if simulate and wanted not in decks.names() and listed is not None:
        try:
            decks.register(read_list(wanted, listed.read_text(encoding="utf-8")))
        except (OSError, DeckError) as why:
            raise file.error(f"{listed}: {why}", "simulation", "deck_list") from why
        log.info("registered deck %s from %s", wanted, listed)
    try:
        return decks.get(wanted)
    except DeckError as why:
        raise file.error(f"{why}; register it with `tablectl deck import`", "shoe", "deck") from why


def _setup(file: TableFile) -> dict[str, object]:
    """Say what the page shows of the table besides its standing."""
    book = load_rulebook(str(file.table["rulebook"]))
    return {
        "rulebook": book.title,
        "game": file.table["game"],
        "betting": file.table["betting"],
        "places": file.table.get("places", 10),
        "program": program_version(),
    }


def _player(bench: Bench, file: TableFile, deck: Deck | None, hub: Hub, *, paused: bool) -> Player:
    if file.shoe is None or deck is None:
        raise file.error("is missing: without a shoe there is nothing to simulate", "shoe")
    panel = next(iter(file.keys), None)
    if panel is None:
        raise file.error("is missing: the simulated dealer presses the keys of a panel", "keys")
    gates = [name for name, section in file.devices.items() if section.driver == "gate"]
    room = Room(
        bench.reader(file.shoe.reader),
        bench.panel(panel),
        bench.gate(gates[0]) if gates else None,
        tuple(deck.cards),
        seed=file.simulation.seed,
    )
    return Player(room, speed=file.simulation.speed, playing=not paused, status=hub.show_simulation)


def _serve(stack: ExitStack, file: TableFile, hub: Hub, player: Player | None, port: int | None) -> PageServer:
    bound = listen(file.page.host, file.page.port if port is None else port)
    server = PageServer(make_app(hub, names_of(bound, file.page.names), player), bound, hub)
    stack.callback(server.end)
    server.start()
    return server


def _start_threads(stack: ExitStack, loop: Loop, readers: dict[str, PortReader], edge: Edge) -> None:
    threads: list[PortReader | PinSampler] = list(readers.values())
    if edge.pins is not None:
        threads.append(PinSampler(tuple(edge.pin_drivers.values()), edge.pins, loop.put, loop.clock, loop.pins_lock))
    for thread in threads:
        thread.start()

    def end() -> None:
        for thread in threads:
            thread.end()
        for thread in threads:
            thread.join(1.0)

    stack.callback(end)


def _leave_safe(stack: ExitStack, edge: Edge) -> None:
    """Leave every device on pins in its safe state at the end, whatever the end is and whichever of them fails."""
    if edge.pins is None:
        return
    for driver in edge.pin_drivers.values():
        stack.callback(_stop_driver, driver, edge.pins)


def _stop_driver(driver: PinDriver, pins: Pins) -> None:
    with suppress(PinError):  # it was never set up, or the pins are gone; their resistors hold the safe state
        driver.stop(pins)


@contextmanager
def _signals(loop: Loop) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as the signal module calls it
        loop.stop(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
