"""Runs a table from its configuration file: everything is opened here, in order, and closed in the reverse order."""

import fcntl
import logging
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

from config.table_file import SecondStoreSection, TableFile, load_table
from controller.app.simulation.controls import Showroom
from controller.app.simulation.deck_list import listed_deck
from controller.app.simulation.pace import Player
from controller.app.simulation.room import Room
from controller.app.simulation.shoe_mouth import mouth_of
from controller.app.table.build_devices import Devices, build_devices, lay_bench, make_device_map, open_pins, start_pins
from controller.app.table.deck_box import left_in_play, registered_decks
from controller.app.table.needed_devices import gate_devices, needed_devices
from controller.app.table.page import MakeUpkeep, TablePage
from controller.app.table.plug_ins_used import used
from controller.app.table.session import as_left, boot_id, lately_asked, program_version, self_check_of, take_up
from controller.app.table.sign_in import certificate_of
from controller.app.table.status_line import status_line
from controller.app.upkeep.copies import CopyError, copy_table
from controller.app.upkeep.second_store import SecondStore
from controller.core.play.showdown import evaluation
from controller.core.protocol import script
from controller.core.values import cards
from controller.runtime.devices.decks import Deck, DeckError, Decks
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.health import Health
from controller.runtime.devices.readers import PinSampler, PortReader
from controller.runtime.faults.self_check import free_bytes
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.hand_index import INDEX_FILE, HandIndex
from controller.runtime.journal.journal import NOT_STARTED, Journal
from controller.runtime.journal.recovery.recovery import Recovered
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.standing import SIMULATION
from controller.runtime.loop.timer import TournamentTimer
from controller.runtime.service.log_lines import write_as
from controller.runtime.service.notify import STOPPING, Notifier, StartProgress
from controller.runtime.service.room_link import RoomLink
from controller.runtime.service.watchdog import Watchdog, Worker
from controller.runtime.staff.signature import JournalPosition
from controller.runtime.state_directory import JOURNAL_FILE, LOCK_FILE, TABLE_FILE
from drivers.contract.base import PinDriver, Pins
from drivers.contract.errors import PinError
from drivers.sim.bench.bench import Bench

SPARE_TAGS = 1000
"""From which number on the tags of the box are those of an older deck."""

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
    void_hand: bool = False,
    paused: bool = False,
    mistakes: bool = True,
    upkeep: MakeUpkeep | None = None,
    log_form: str | None = None,
) -> str:
    """Run the table of the configuration file `path` until a signal; return why it ended.

    A service manager is told when it is up and how it is, and its watchdog is fed.

    `simulate` puts the far end of every device on a bench and people round it; `state` and `port` override the file;
    without `mistakes` nothing goes wrong in the room by itself;
    `upkeep` makes what sets the table up and packs its backup, for the pages; `log_form` is how lines of the log are
    written, instead of what the file says.
    Raises `ConfigError`, `StartError` and the errors of the runtime, each with one sentence.
    """
    file = load_table(path)
    write_as(log_form or file.log_form)
    if not mistakes:
        file = replace(file, simulation=replace(file.simulation, mistakes=0.0))
    directory = state or file.directory
    with ExitStack() as stack:
        stack.enter_context(_lock(directory))
        evaluation.warm()
        notifier = Notifier()
        stack.callback(notifier.close)
        page = TablePage(stack, port, notifier, simulate=simulate, paused=paused, upkeep=upkeep)
        stack.enter_context(_signals(page))
        stack.callback(notifier.tell, STOPPING)
        while True:
            why = _run_session(page, file, directory, fresh=new_session, void_hand=void_hand)
            void_hand = False
            wanted = page.showroom.wanted() if page.showroom is not None else None
            if wanted is None or page.asked_to_stop is not None:
                return why
            file, new_session = replace(file, table=wanted), True


@dataclass(frozen=True, slots=True)
class _Opened:
    """The devices of a session and what stands round them; `bench` and `spares` at a simulated table alone."""

    devices: Devices
    deck: Deck | None
    bench: Bench | None
    urls: Mapping[str, str]
    pins: Pins | None
    spares: Mapping[str, str]
    device_map: DeviceMap


def _run_session(page: TablePage, file: TableFile, directory: Path, *, fresh: bool, void_hand: bool) -> str:
    """Open everything, run the loop, close everything but the page; return why the loop ended."""
    with ExitStack() as stack:
        opened = _open_devices(stack, file, directory, simulate=page.mode == SIMULATION)
        journal = Journal(directory / JOURNAL_FILE)
        stack.callback(journal.close)
        settled = journal.last
        power_lost = journal.begin_run(boot_id(), ", ".join((program_version(), *used(file))))
        run = stack.enter_context(_Run(journal))
        if page.mode == SIMULATION and not fresh:
            file = as_left(journal, file)
        progress = StartProgress(page.notifier)
        recovered = take_up(journal, file, page.mode, fresh=fresh, void_hand=void_hand, progress=progress)
        _leave_safe(stack, opened.device_map)
        start_pins(file, opened.devices, opened.pins)
        readers: dict[str, PortReader] = {}
        page.device_map, page.check = opened.device_map, self_check_of(journal, directory, file).run
        if page.mode != SIMULATION:
            opened.device_map.look_up_decks(
                lambda: registered_decks(directory), lambda deck, by: page.deck_changed(deck, by, directory)
            )
        page.hands = HandIndex(directory / INDEX_FILE, journal.sessions()[-1].number, settled)
        stack.callback(page.hands.close)
        metrics = page.metrics(file)
        broadcast = page.with_broadcast(file)
        loop = Loop(
            recovered,
            journal,
            opened.device_map,
            _health(file, opened.devices, recovered),
            mode=page.mode,
            power_lost=power_lost,
            reopen=lambda device: readers[device].reopen(),
            check=page.check,
            workshop=page.workshop(file, directory),
            hands=page.hands,
            free=lambda: free_bytes(directory),
            certificate=certificate_of(file.page),
            link=RoomLink().news,
            meter=metrics,
            release=None if broadcast is None else broadcast.release(),
            timer=TournamentTimer(starts_with_hand=file.tournament is not None and file.tournament.starts_with_hand),
        )
        for name, driver in opened.devices.byte_drivers.items():
            readers[name] = PortReader(name, opened.urls[name], driver, loop.put, loop.clock)
        place = JournalPosition(journal.table, journal.sessions()[-1].number)
        url = page.serve(file, loop, place, directory, lately_asked(journal) if file.room is not None else ())
        watchdog = _start(stack, page, file, opened, loop, readers, directory)
        if metrics is not None:
            journal.committed = metrics.committed
            loop.subscribe(metrics.see)
            metrics.follow(loop, watchdog)
        with ExitStack() as running:
            # At once: what follows takes seconds, and nobody watches the cards meanwhile.
            _leave_safe(running, opened.device_map)
            loop.start()
            run.shown = True
            log.info("%s table %s; page at %s", page.mode, file.path, url)
            why = loop.run(watchdog.turn)
        journal.end_run(why)
        return why


def _open_devices(stack: ExitStack, file: TableFile, directory: Path, *, simulate: bool) -> _Opened:
    """Make the drivers and open the pins; at a simulated table lay the bench with the far end of each."""
    devices = build_devices(file)
    deck = _deck(stack, file, directory, simulate=simulate)
    bench = stack.enter_context(Bench()) if simulate else None
    urls = lay_bench(bench, file, devices) if bench is not None else dict(devices.urls)
    pins: Pins | None = bench.pins if bench is not None else open_pins(devices)
    if pins is not None:
        stack.callback(pins.close)
    spares = _spares(bench, file, deck)
    known = None if deck is None else replace(deck, withdrawn={**deck.withdrawn, **spares})
    return _Opened(devices, deck, bench, urls, pins, spares, make_device_map(file, devices, pins, known))


def _health(file: TableFile, devices: Devices, recovered: Recovered) -> Health:
    return Health(
        {name: file.devices[name].driver for name in devices.byte_drivers},
        {name: file.devices[name].driver for name in devices.pin_drivers},
        recovered.lost,
        needed_devices(file),
    )


def _start(
    stack: ExitStack,
    page: TablePage,
    file: TableFile,
    opened: _Opened,
    loop: Loop,
    readers: Mapping[str, PortReader],
    directory: Path,
) -> Watchdog:
    """Start the threads, and at a simulated table the people round it; return who watches over them."""
    player = None
    if opened.bench is not None and page.showroom is not None:
        player = _player(opened.bench, file, opened.deck, loop, page.showroom, opened.spares)
        loop.subscribe(player.see)
    workers: list[Worker] = [*_start_threads(stack, loop, readers, opened.device_map)]
    if page.server is not None:
        workers.append(page.server)
    if player is not None:
        workers.append(player)
    if file.second_store is not None:
        _keep_second_store(stack, file, file.second_store, directory, loop)
    watchdog = Watchdog(page.notifier, workers)
    loop.subscribe(lambda standing: watchdog.say(status_line(standing)))
    if player is not None:
        player.start()
        stack.callback(player.end)
    return watchdog


def _keep_second_store(
    stack: ExitStack, file: TableFile, wanted: SecondStoreSection, directory: Path, loop: Loop
) -> None:
    def copy() -> int:
        return copy_table(file, directory, wanted.directory, keys=wanted.keys)

    store = SecondStore(copy, (CopyError, OSError))
    loop.subscribe(store.see)
    store.start()
    stack.callback(store.end)


class _Run:
    """A run that has begun. One that ends before the table was `shown` is no cut of the power, and hides none."""

    def __init__(self, journal: Journal) -> None:
        self.shown = False
        self._journal = journal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.shown:
            with suppress(DatabaseError):  # what kept the table from starting is the news
                self._journal.end_run(NOT_STARTED)


@contextmanager
def _lock(directory: Path) -> Iterator[None]:
    """Hold the directory for this process alone: two controllers of one table would both write its journal."""
    try:
        _make_state_directory(directory)
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


def _make_state_directory(directory: Path) -> None:
    """Make a directory for this account alone; what leads there is as open as other folders."""
    mask = os.umask(0o022)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    finally:
        os.umask(mask)


def _deck(stack: ExitStack, file: TableFile, directory: Path, *, simulate: bool) -> Deck | None:
    """Look up the deck in play; at a simulated table register its list first, as a technician would."""
    if file.shoe is None:
        return None
    decks = Decks(directory / TABLE_FILE)
    stack.callback(decks.close)
    wanted = file.shoe.deck if simulate else left_in_play(directory, decks, file.shoe.deck)
    listed = listed_deck(file) if simulate and wanted not in decks.names() else None
    if listed is not None:
        try:
            decks.register(listed)
        except DeckError as why:
            raise file.error(str(why), "simulation", "deck_list") from why
        log.info("registered deck %s from %s", wanted, file.simulation.deck_list)
    try:
        return decks.get(wanted)
    except DeckError as why:
        if simulate:
            raise file.error(f"{why}; register it with `tablectl deck import`", "shoe", "deck") from why
        # Where a deck is registered at the table itself the page must be there first; the self-check lets nobody deal.
        log.warning("%s", why)
        return Deck(wanted, {})


def _spares(bench: Bench | None, file: TableFile, deck: Deck | None) -> dict[str, str]:
    """Make up tags of an older copy of every card: at a simulated table a card of it may find its way back."""
    if bench is None or file.shoe is None or deck is None:
        return {}
    make = bench.reader(file.shoe.reader).nth_tag
    return {make(SPARE_TAGS + number): card for number, card in enumerate(sorted(deck.cards.values()))}


def _player(
    bench: Bench, file: TableFile, deck: Deck | None, loop: Loop, showroom: Showroom, spares: Mapping[str, str]
) -> Player:
    if file.shoe is None or deck is None:
        raise file.error("is missing: without a shoe there is nothing to simulate", "shoe")
    panel = next(iter(file.keys), None)
    if panel is None:
        raise file.error("is missing: the simulated dealer presses the keys of a panel", "keys")
    gates = gate_devices(file)
    setup = loop.outcome.state.setup
    in_play = cards.deck(setup.deck, setup.joker)
    older = {card: tag for tag, card in spares.items()}
    room = Room(
        mouth_of(bench, file),
        bench.panel(panel),
        bench.gate(gates[0]) if gates else None,
        tuple(tag for tag, card in deck.cards.items() if card in in_play),
        seed=file.simulation.seed,
        mistakes=file.simulation.mistakes,
        touch=lambda line: loop.enter(script.read(line), "page"),
        spares={tag: older[card] for tag, card in deck.cards.items()},
        start_key="start" if "start" in file.keys[panel] else "next",
        newcomers=file.tournament is None or "new_player" in file.keys[panel],
        hand_for_hand=lambda: loop.outcome.state.tournament.hand_for_hand,
    )
    speed = showroom.speed or file.simulation.speed
    player = Player(room, speed=speed, playing=showroom.playing, status=showroom.paced)
    showroom.open(player, room, loop, bench, file.shoe.reader, file)
    return player


def _start_threads(
    stack: ExitStack, loop: Loop, readers: Mapping[str, PortReader], device_map: DeviceMap
) -> list[PortReader | PinSampler]:
    threads: list[PortReader | PinSampler] = list(readers.values())
    if device_map.pins is not None:
        threads.append(
            PinSampler(tuple(device_map.pin_drivers.values()), device_map.pins, loop.put, loop.clock, loop.pins_lock)
        )
    for thread in threads:
        thread.start()

    def end() -> None:
        for thread in threads:
            thread.end()
        for thread in threads:
            thread.join(1.0)

    stack.callback(end)
    return threads


def _leave_safe(stack: ExitStack, device_map: DeviceMap) -> None:
    """Leave every device on pins in its safe state at the end, whatever the end is and whichever of them fails."""
    if device_map.pins is None:
        return
    for driver in device_map.pin_drivers.values():
        stack.callback(_stop_driver, driver, device_map.pins)


def _stop_driver(driver: PinDriver, pins: Pins) -> None:
    with suppress(PinError):  # it was never set up, or the pins are gone; their resistors hold the safe state
        driver.stop(pins)


@contextmanager
def _signals(page: TablePage) -> Iterator[None]:
    """Answer signals until everything is closed: a second one must not kill what makes the table safe."""

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as the signal module calls it
        page.stop(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
