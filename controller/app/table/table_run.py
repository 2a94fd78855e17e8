"""Runs a table from its configuration file: everything is opened here, in order, and closed in the reverse order."""

import fcntl
import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from types import FrameType, TracebackType
from typing import Self

from config.table_file import DEMO_FILE, SecondStoreSection, TableFile, load_table_file
from controller.app.releases.needed_extras import find_extra_faults
from controller.app.simulation.shoe_mouth_simulator import make_shoe_mouth
from controller.app.simulation.simulated_deck_list import load_listed_deck
from controller.app.simulation.simulated_people import SimulatedPeople
from controller.app.simulation.simulation_controls import SimulationControls
from controller.app.simulation.simulation_runner import SimulationRunner
from controller.app.table.deck_selector import load_deck_in_play, load_registered_decks, save_deck_in_play
from controller.app.table.loop_gateway import LoopGateway, RunningSession
from controller.app.table.page_access import make_certificate_watch
from controller.app.table.required_devices import find_gate_devices, find_required_devices
from controller.app.table.session_start import (
    make_self_check,
    read_boot_id,
    read_program_version,
    read_recent_requests,
    restore_table_line,
    resume_or_begin,
)
from controller.app.table.start_trouble import StartTroubleError, StartTroubleWait, report_start_trouble
from controller.app.table.status_line import format_status_line
from controller.app.table.table_devices import (
    TableDevices,
    attach_simulators,
    build_devices,
    make_device_map,
    make_panel,
    open_pins,
    start_pins,
)
from controller.app.table.table_page import TablePage, UpkeepFactory
from controller.app.table.used_plug_ins import find_used_plug_ins
from controller.app.upkeep.second_store import SecondStore
from controller.app.upkeep.table_copy import CopyError, copy_table
from controller.app.workshop.deck_recovery import open_decks, record_registered_decks, restore_recorded_decks
from controller.core.play.showdown import evaluation
from controller.core.protocol import script_lines
from controller.core.values import cards
from controller.runtime.devices.deck_store import Deck, DeckError
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.devices.device_threads import PinSampler, PortReader
from controller.runtime.devices.panel_translator import FloorCallKeyPressed
from controller.runtime.faults.notices import Notice
from controller.runtime.faults.self_check import find_free_bytes
from controller.runtime.journal.hand_index import HAND_INDEX_FILE, HandIndex
from controller.runtime.journal.journal import NOT_STARTED, Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable
from controller.runtime.loop.inbox import Inbox
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.room_link_watch import RoomLinkWatch
from controller.runtime.loop.staff_watch import StaffWatch
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION
from controller.runtime.loop.tournament_timer import TournamentTimer
from controller.runtime.service.log_setup import set_log_format
from controller.runtime.service.systemd_notifier import StartProgress, SystemdNotifier
from controller.runtime.service.watchdog import Watchdog, Worker
from controller.runtime.staff.entry_signature import JournalPosition
from controller.runtime.storage.file_holders import describe_holders
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error
from controller.runtime.storage.state_directory import JOURNAL_FILE, LOCK_FILE
from drivers.contract.device_errors import PinError
from drivers.contract.driver_interface import KeyPressed, PinDriver, Pins
from drivers.simulators.bench.bench import Bench

FIRST_SPARE_TAG_NUMBER = 1000
"""From which number on the tags of the box are those of an older deck."""
DEMO_QUESTION_LIMIT = 12
"""Questions of a hand that raise the alarm where nobody signs in: whoever tries the demo takes back a lot."""

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
    upkeep: UpkeepFactory | None = None,
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
    file = load_table_file(path)
    set_log_format(log_form or file.log_form)
    for missing in find_extra_faults(file):
        raise missing
    if not mistakes:
        file = replace(file, simulation=replace(file.simulation, mistakes=0.0))
    directory = state or file.state_directory
    with ExitStack() as whole:
        notifier = SystemdNotifier()
        whole.callback(notifier.close)
        waiting = StartTroubleWait(file.page, port, notifier)
        while waiting.stop_reason is None:
            with ExitStack() as stack:
                try:
                    with report_start_trouble(directory):
                        stack.enter_context(_lock_state_directory(directory))
                    evaluation.load_rank_tables()
                    page = TablePage(stack, port, notifier, simulate=simulate, paused=paused, upkeep=upkeep)
                    stack.enter_context(_handle_signals(page.gateway.stop))
                    stack.callback(waiting.notify_end)
                    return _run_sessions(page, file, directory, fresh=new_session, void_hand=void_hand)
                except StartTroubleError as why:
                    waiting.trouble = why
            with _handle_signals(waiting.stop):
                waiting.wait_out()
        return waiting.stop_reason


def _run_sessions(page: TablePage, file: TableFile, directory: Path, *, fresh: bool, void_hand: bool) -> str:
    """Run one session after another, as a showroom changes its game; return why the last one ended."""
    while True:
        why = _run_session(page, file, directory, fresh=fresh, void_hand=void_hand)
        void_hand = False
        wanted = page.simulation.take_next_table_line() if page.simulation is not None else None
        if wanted is None or page.gateway.stop_reason is not None:
            return why
        file, fresh = replace(file, table_line=wanted), True


@dataclass(frozen=True, slots=True)
class _OpenDevices:
    """The devices of a session and what stands round them.

    `bench` and `card_by_spare_tag` at a simulated table alone.
    """

    devices: TableDevices
    deck: Deck | None
    bench: Bench | None
    port_urls: Mapping[str, str]
    pins: Pins | None
    card_by_spare_tag: Mapping[str, str]
    device_map: DeviceMap


@dataclass(frozen=True, slots=True)
class _ResumedTable:
    """The table as its journal leaves it, or as a new session begins it, and the run in which it is played on.

    `file` as the session has it: a showroom goes on with another game than its file says. `settled_entry`: the last
    entry of the runs before.
    """

    file: TableFile
    journal: Journal
    run: "_RunGuard"
    power_lost: bool
    settled_entry: int
    recovered: RecoveredTable


@dataclass(frozen=True, slots=True)
class _Session:
    """A session whose loop is made: its threads are not started yet, and no page shows it."""

    file: TableFile
    directory: Path
    opened: _OpenDevices
    table: _ResumedTable
    readers: Mapping[str, PortReader]
    running: RunningSession

    @property
    def loop(self) -> TableLoop:
        """What runs it."""
        return self.running.loop


def _run_session(page: TablePage, file: TableFile, directory: Path, *, fresh: bool, void_hand: bool) -> str:
    """Build a session in four steps, run its loop, close everything but the page; return why the loop ended."""
    with ExitStack() as stack:
        with report_start_trouble(directory):
            opened = _open_devices(stack, file, directory, simulate=page.mode == SIMULATION)
            table = _resume_table(stack, page, file, directory, fresh=fresh, void_hand=void_hand)
            session = _make_session(stack, page, directory, opened, table)
            url, watchdog = _serve_session(stack, page, session)
        with ExitStack() as running:
            # At once: what follows takes seconds, and nobody watches the cards meanwhile.
            _register_safe_stop(running, opened.device_map)
            with report_start_trouble(directory):
                session.loop.start()
            table.run.on_table_shown()
            log.info("%s table %s; page at %s", page.mode, table.file.path, url)
            why = session.loop.run(watchdog.on_loop_round)
        table.journal.end_run(why)
        return why


def _open_devices(stack: ExitStack, file: TableFile, directory: Path, *, simulate: bool) -> _OpenDevices:
    """Make the drivers and open the pins; at a simulated table lay the bench with the far end of each."""
    devices = build_devices(file)
    deck = _load_deck(stack, file, directory, simulate=simulate)
    bench = stack.enter_context(Bench()) if simulate else None
    urls = attach_simulators(bench, file, devices) if bench is not None else dict(devices.port_urls)
    pins: Pins | None = bench.pins if bench is not None else open_pins(devices)
    if pins is not None:
        stack.callback(pins.close)
    spares = _make_spare_tags(bench, file, deck)
    known = None if deck is None else replace(deck, retired_card_by_tag={**deck.retired_card_by_tag, **spares})
    return _OpenDevices(devices, deck, bench, urls, pins, spares, make_device_map(file, devices, pins, known))


def _resume_table(
    stack: ExitStack, page: TablePage, file: TableFile, directory: Path, *, fresh: bool, void_hand: bool
) -> _ResumedTable:
    """Open the journal, begin a run in it, and take the table up where it was left."""
    journal = Journal(directory / JOURNAL_FILE)
    stack.callback(journal.close)
    settled = journal.last_entry_number
    power_lost = journal.begin_run(read_boot_id(), ", ".join((read_program_version(), *find_used_plug_ins(file))))
    run = stack.enter_context(_RunGuard(journal))
    if page.mode == SIMULATION and not fresh:
        file = restore_table_line(journal, file)
    progress = StartProgress(page.notifier)
    recovered = resume_or_begin(journal, file, page.mode, fresh=fresh, void_hand=void_hand, progress=progress)
    return _ResumedTable(file, journal, run, power_lost, settled, recovered)


def _make_session(
    stack: ExitStack, page: TablePage, directory: Path, opened: _OpenDevices, table: _ResumedTable
) -> _Session:
    """Set the pins up, and make the loop with everything that it works with; nothing runs yet."""
    file, journal, device_map = table.file, table.journal, opened.device_map
    _register_safe_stop(stack, device_map)
    start_pins(file, opened.devices, opened.pins)
    if page.mode != SIMULATION:
        if file.shoe is not None:
            with closing(open_decks(directory)) as decks:
                record_registered_decks(decks, journal)
        device_map.enable_deck_detection(
            lambda: _list_registered_decks(directory),
            lambda deck, by: _on_deck_changed(page.gateway, directory, deck, by),
        )
    staff = None if page.is_open_to_all(file) else StaffWatch(journal, directory, page.set_staff_trouble)
    checked = make_self_check(journal, directory, file)
    self_check = replace(checked, find_staff_trouble=page.describe_file_trouble).run
    hand_index = HandIndex(directory / HAND_INDEX_FILE, journal.list_sessions()[-1].number, table.settled_entry)
    stack.callback(hand_index.close)
    inbox = Inbox()
    readers = {
        name: PortReader(name, opened.port_urls[name], driver, inbox.put, monotonic, opened.devices.control_lines[name])
        for name, driver in opened.devices.byte_drivers.items()
    }
    broadcast = page.ensure_broadcast(file)
    loop = TableLoop(
        table.recovered,
        journal,
        device_map,
        _make_device_status(file, opened.devices, table.recovered),
        mode=page.mode,
        power_lost=table.power_lost,
        clock=monotonic,
        parts=LoopParts(
            inbox=inbox,
            question_limit=DEMO_QUESTION_LIMIT if page.is_open_to_all(file) else file.question_limit,
            reopen_port=lambda device: readers[device].reopen(),
            timer=TournamentTimer(starts_with_hand=file.tournament is not None and file.tournament.starts_with_hand),
            self_check=self_check,
            workshop=page.ensure_workshop(file, directory),
            hand_index=hand_index,
            meter=page.ensure_metrics(file),
            card_release=None if broadcast is None else broadcast.make_card_release(),
            find_free_bytes=lambda: find_free_bytes(directory),
            staff_watch=staff,
            check_certificate=make_certificate_watch(file.page),
            poll_room_link=RoomLinkWatch().find_news,
        ),
    )
    position = JournalPosition(journal.journal_name, journal.list_sessions()[-1].number)
    running = RunningSession(loop, position, device_map, self_check, hand_index)
    return _Session(file, directory, opened, table, readers, running)


def _make_device_status(file: TableFile, devices: TableDevices, recovered: RecoveredTable) -> DeviceMonitor:
    return DeviceMonitor(
        {name: file.devices[name].driver for name in devices.byte_drivers},
        {name: file.devices[name].driver for name in devices.pin_drivers},
        recovered.lost_devices,
        find_required_devices(file),
    )


def _serve_session(stack: ExitStack, page: TablePage, session: _Session) -> tuple[str, Watchdog]:
    """Show a session on the page and start its threads; return where it is shown and who watches over them."""
    journal, file = session.table.journal, session.file
    asked = read_recent_requests(journal) if file.room is not None else ()
    url = page.serve(file, session.running, session.directory, asked)
    watchdog = _start_workers(stack, page, session)
    metrics = page.ensure_metrics(file)

    def on_commit(seconds: float) -> None:
        watchdog.on_commit(seconds, monotonic())
        if metrics is not None:
            metrics.on_commit(seconds)

    journal.on_commit = on_commit
    if metrics is not None:
        session.loop.subscribe(metrics.on_view_published)
        metrics.attach_session(session.loop, watchdog)
    return url, watchdog


def _list_registered_decks(directory: Path) -> Sequence[Deck]:
    """Every registered deck; none where the file cannot be used now: the deck in play is known all the same."""
    try:
        return load_registered_decks(directory)
    except DatabaseError as why:
        log.error("%s", why)
        return ()


def _on_deck_changed(gateway: LoopGateway, directory: Path, deck: Deck, by: str) -> None:
    """Keep on the disk and in the journal which deck is in play; in the loop's thread."""
    try:
        save_deck_in_play(directory, deck)
    except OSError as why:
        log.error("cannot keep that deck %s is in play: %s", deck.name, why)
    gateway.record_deck_change(deck, by)


def _start_workers(stack: ExitStack, page: TablePage, session: _Session) -> Watchdog:
    """Start the threads, and at a simulated table the people round it; return who watches over them."""
    player = None
    opened, file, loop = session.opened, session.file, session.loop
    if opened.bench is not None and page.simulation is not None:
        player = _make_simulation_runner(
            opened.bench, file, opened.deck, loop, page.simulation, opened.card_by_spare_tag
        )
        loop.subscribe(player.on_view_published)
    workers: list[Worker] = [*_start_device_threads(stack, loop, session.readers, opened.device_map)]
    if page.server is not None:
        workers.append(page.server)
    if player is not None:
        workers.append(player)
    if file.second_store is not None:
        _start_second_store(stack, file, file.second_store, session.directory, loop)
    watchdog = Watchdog(page.notifier, workers)
    loop.subscribe(lambda standing: watchdog.set_status(format_status_line(standing)))
    if player is not None:
        player.start()
        stack.callback(player.end)
    return watchdog


def _start_second_store(
    stack: ExitStack, file: TableFile, wanted: SecondStoreSection, directory: Path, loop: TableLoop
) -> None:
    def copy() -> int:
        return copy_table(file, directory, wanted.directory, keys=wanted.includes_keys)

    store = SecondStore(copy, (CopyError, OSError))
    loop.subscribe(store.on_view_published)
    store.start()
    stack.callback(store.end)


class _RunGuard:
    """A run that has begun. One that ends before the table was shown is no cut of the power, and hides none."""

    def __init__(self, journal: Journal) -> None:
        self._is_table_shown = False
        self._journal = journal

    def on_table_shown(self) -> None:
        """Take it that the table is shown: from now on an end that nobody wrote is a cut of the power."""
        self._is_table_shown = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_table_shown:
            with suppress(DatabaseError):  # what kept the table from starting is the news
                self._journal.end_run(NOT_STARTED)


@contextmanager
def _lock_state_directory(directory: Path) -> Iterator[None]:
    """Hold the directory for this process alone: two controllers of one table would both write its journal."""
    try:
        _make_state_directory(directory)
        handle = _open_lock(directory / LOCK_FILE)
    except OSError as why:
        raise StartError(
            f"{directory} cannot be used: {describe_error(why, directory)}; name another in [state], or with --state"
        ) from why
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as why:
        os.close(handle)
        holder = describe_holders(directory / LOCK_FILE)
        raise StartError(f"another controller is running on {directory}: {holder}; stop it first") from why
    try:
        yield
    finally:
        os.close(handle)


def _open_lock(path: Path) -> int:
    """Open the file that is held, which is always empty; raises `StartError` where something else is in its place."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as why:
        if not path.exists():  # it is the directory that cannot be used
            raise
        raise StartError(
            f"{path} cannot be opened: {why.strerror}; it is an empty file: see that no other controller runs, then "
            "remove what is there, and the start makes it anew"
        ) from why


def _make_state_directory(directory: Path) -> None:
    """Make a directory for this account alone; what leads there is as open as other folders."""
    mask = os.umask(0o022)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    finally:
        os.umask(mask)


def _load_deck(stack: ExitStack, file: TableFile, directory: Path, *, simulate: bool) -> Deck | None:
    """Look up the deck in play; at a simulated table register its list first, as a technician would."""
    if file.shoe is None:
        return None
    decks = open_decks(directory)
    stack.callback(decks.close)
    if not simulate:
        restore_recorded_decks(decks, directory)
    wanted = file.shoe.deck if simulate else load_deck_in_play(directory, decks, file.shoe.deck)
    listed = load_listed_deck(file) if simulate and wanted not in decks.list_names() else None
    if listed is not None:
        try:
            decks.register(listed)
        except DeckError as why:
            raise file.make_error(str(why), "simulation", "deck_list") from why
        log.info("registered deck %s from %s", wanted, file.simulation.deck_list)
    try:
        return decks.get(wanted)
    except DeckError as why:
        if simulate:
            raise file.make_error(f"{why}; register it with `tablectl deck import`", "shoe", "deck") from why
        # Where a deck is registered at the table itself the page must be there first; the self-check lets nobody deal.
        log.warning("%s", why)
        return Deck(wanted, {})


def _make_spare_tags(bench: Bench | None, file: TableFile, deck: Deck | None) -> dict[str, str]:
    """Make up tags of an older copy of every card: at a simulated table a card of it may find its way back."""
    if bench is None or file.shoe is None or deck is None:
        return {}
    make = bench.reader(file.shoe.reader).nth_tag
    return {
        make(FIRST_SPARE_TAG_NUMBER + number): card for number, card in enumerate(sorted(deck.card_by_tag.values()))
    }


def _make_simulation_runner(
    bench: Bench,
    file: TableFile,
    deck: Deck | None,
    loop: TableLoop,
    showroom: SimulationControls,
    spares: Mapping[str, str],
) -> SimulationRunner:
    if file.shoe is None or deck is None:
        raise file.make_error("is missing: without a shoe there is nothing to simulate", "shoe")
    panel = next(iter(file.key_lines_by_panel), None)
    if panel is None:
        raise file.make_error("is missing: the simulated dealer presses the keys of a panel", "keys")
    gates = find_gate_devices(file)
    setup = loop.outcome.state.setup
    in_play = cards.build_deck(setup.deck_size, setup.has_joker)
    page_keys = make_panel(load_table_file(DEMO_FILE), "panel")

    def touch_key(key: str, output: Mapping[str, object]) -> bool:
        if key in file.key_lines_by_panel[panel]:
            return False
        seats = loop.outcome.state.seating.state_by_seat
        for event in page_keys.translate(KeyPressed(panel, key), output, seats):
            if not isinstance(event, Notice | FloorCallKeyPressed):
                loop.submit_entry(event, "page")
        return True

    older = {card: tag for tag, card in spares.items()}
    room = SimulatedPeople(
        make_shoe_mouth(bench, file),
        bench.panel(panel),
        bench.gate(gates[0]) if gates else None,
        tuple(tag for tag, card in deck.card_by_tag.items() if card in in_play),
        seed=file.simulation.seed,
        mistakes=file.simulation.mistakes,
        touch=lambda line: loop.submit_entry(script_lines.parse_line(line), "page"),
        touch_key=touch_key,
        spares={tag: older[card] for tag, card in deck.card_by_tag.items()},
        start_key="start" if "start" in file.key_lines_by_panel[panel] else "next",
        newcomers=file.tournament is None or "new_player" in file.key_lines_by_panel[panel],
        hand_for_hand=lambda: loop.outcome.state.tournament.is_hand_for_hand,
    )
    speed = showroom.speed or file.simulation.speed
    player = SimulationRunner(room, speed=speed, playing=showroom.is_playing, status=showroom.on_pace_changed)
    showroom.attach_session(player, room, loop, bench, file.shoe.reader, file)
    return player


def _start_device_threads(
    stack: ExitStack, loop: TableLoop, readers: Mapping[str, PortReader], device_map: DeviceMap
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
            thread.stop()
        for thread in threads:
            thread.join(1.0)

    stack.callback(end)
    return threads


def _register_safe_stop(stack: ExitStack, device_map: DeviceMap) -> None:
    """Leave every device on pins in its safe state at the end, whatever the end is and whichever of them fails."""
    if device_map.pins is None:
        return
    for driver in device_map.pin_drivers.values():
        stack.callback(_stop_driver, driver, device_map.pins)


def _stop_driver(driver: PinDriver, pins: Pins) -> None:
    with suppress(PinError):  # it was never set up, or the pins are gone; their resistors hold the safe state
        driver.stop(pins)


@contextmanager
def _handle_signals(on_stop: Callable[[str], None]) -> Iterator[None]:
    """Answer signals until everything is closed: a second one must not kill what makes the table safe."""

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as the signal module calls it
        on_stop(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
