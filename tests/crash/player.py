"""One life of the program, in a process of its own: it starts as the program does, plays, and tells what it did.

Told are, a line each: `I entry line`, an event that is about to be written; `A entry digest`, an event that the journal
has and the table has handled; `R {...}`, how the table stands after the start; `S ms`, how long the start took; `N`,
that the run is about to be ended. Then how the life ended, if it had the time: `Q` well, `D` or `E` with the sentence
of a `DatabaseError` or `RecoveryError`, `V` with a record that does not fit, `X` with anything else; and `F count`, how
often the disk failed.
"""

import json
import os
import random
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from config.table_file import TableFile
from controller.app.table.session_start import resume_or_begin
from controller.core.protocol import script_lines
from controller.core.protocol.events import DeviceChanged, Event
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.faults.fault_table import find_fault_by_device, make_clear_event
from controller.runtime.journal import journal as journal_module
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import BadRecordError, JournalProof, verify_journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, RecoveryError
from controller.runtime.journal.sealing.hand_seal import CardKnowledge, list_cards
from controller.runtime.loop.loop_messages import EntrySubmitted
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import SIMULATION
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.simulators.bench.manual_clock import ManualClock
from tests.core.arbitrary import fitting, make_any_line
from tests.crash.disk import Disk, Step
from tests.crash.standing import format_lasting_state

NO_STEP = Step()

Tell = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Life:
    """What a life is to do, and what happens to it."""

    seed: int
    events: int = 40
    step: Step = NO_STEP
    undo: Path | None = None
    clock: float = 0.0
    """Seconds that the wall clock is set forward."""
    snapshot_entries: int = 20
    file_records: int = 120
    fold_bytes: int = 4_000
    verifies: bool = True
    """Whether it proves the whole chain at its start."""
    careless: bool = False
    """Whether its journal does not wait for the disk."""
    only_looks: bool = False
    """Whether it ends after the start."""


def live(life: Life, directory: Path, file: TableFile, wire: int) -> None:
    """Live until the end, or until it is killed; the caller has forked, and exits after it."""

    def tell(kind: str, *words: object) -> None:
        os.write(wire, (" ".join([kind, *map(str, words)]).replace("\n", "|") + "\n").encode())

    disk = Disk()
    disk.watch(directory, life.undo)
    disk.set_clock(life.clock)
    disk.arm(life.step)
    with (
        mock.patch.object(journal_module, "SNAPSHOT_INTERVAL_ENTRIES", life.snapshot_entries),
        mock.patch.object(journal_module, "MAX_FILE_RECORDS", life.file_records),
        mock.patch.object(journal_module, "FOLD_THRESHOLD_BYTES", life.fold_bytes),
        mock.patch.object(journal_module, "MAX_LOG_BYTES", 3 * life.fold_bytes),
    ):
        try:
            _play(life, directory, file, tell)
            tell("Q")
        except DatabaseError as why:
            tell("D", why)
        except RecoveryError as why:
            tell("E", why)
        except BadRecordError as why:
            tell("V", why)
        except Exception:
            tell("X", traceback.format_exc())
    tell("F", disk.mishap_count)


class _ReportingJournal(Journal):
    """The journal, which says what it is about to write and what is acknowledged."""

    tell: Tell

    def append_entry(self, line: Mapping[str, object], source: str, by: Mapping[str, object] | None = None) -> int:
        self.tell("I", self.last_entry_number + 1, json.dumps(dict(line)))
        return super().append_entry(line, source, by)

    def record_result(
        self, sequence: int, outcome_digest: str, refused: str | None, cards: CardKnowledge | None = None
    ) -> None:
        self.tell("A", sequence, outcome_digest)
        super().record_result(sequence, outcome_digest, refused, cards)


def _play(life: Life, directory: Path, file: TableFile, tell: Tell) -> None:
    begun = time.perf_counter()
    journal = _ReportingJournal(directory / "journal.sqlite")
    journal.tell = tell
    if life.careless:
        journal._db.execute("PRAGMA synchronous=OFF")
        journal._write_ahead_log.sync_file = lambda _handle: None
    try:
        power_lost = journal.begin_run("boot", "crash")
        recovered = resume_or_begin(journal, file, SIMULATION)
        taken = time.perf_counter() - begun
        _report(life, journal, recovered, tell, power_lost)
        if life.only_looks:
            return
        begun = time.perf_counter()
        clock = ManualClock()
        loop = TableLoop(
            recovered,
            journal,
            DeviceMap(),
            DeviceMonitor({}, {}, recovered.lost_devices),
            mode=SIMULATION,
            power_lost=power_lost,
            clock=clock,
        )
        loop.start()
        tell("S", round(1000 * (taken + time.perf_counter() - begun), 3))
        _people(life, loop, clock, journal)
        tell("N")
        journal.end_run("end")
    finally:
        journal.close()


def _report(life: Life, journal: Journal, recovered: RecoveredTable, tell: Tell, power_lost: bool) -> None:
    found = {"last": journal.last_entry_number, "stands": format_lasting_state(recovered), "power_lost": power_lost}
    proof = verify_journal(journal.read_records(linked=False)) if life.verifies else JournalProof()
    proved = proof.last_entry if life.verifies else None
    tell("R", json.dumps(found | {"proved": proved, "back": proof.clock_setback_count, "gaps": proof.gap_count}))


def _people(life: Life, loop: TableLoop, clock: ManualClock, journal: _ReportingJournal) -> None:
    chance = random.Random(life.seed)
    for _ in range(life.events):
        clock.advance(chance.choice((0.0, 0.2, 1.0, 30.0)))
        loop.on_tick(clock())  # after a second the table rests, and is written down
        event = _next(loop, chance)
        if event is None:
            continue
        try:
            loop.handle_message(EntrySubmitted(event, "page", clock()), clock())
            loop.on_tick(clock())
        except DatabaseError:
            _refuses_from_now_on(journal)
            raise


def _refuses_from_now_on(journal: _ReportingJournal) -> None:
    """A journal that could not be written takes nothing more, also when the disk is well again."""
    last = journal.last_entry_number
    with suppress(DatabaseError):
        Journal.append_entry(journal, {"ev": "undo"}, "page")
        raise AssertionError(f"went on after a write had failed, with entry {last + 1}")


def _next(loop: TableLoop, chance: random.Random) -> Event | None:
    down = loop.outcome.state.faults
    if down and chance.random() < 0.8:
        device, _, word = chance.choice(sorted(down)).rpartition(" ")
        fault = find_fault_by_device(device)
        if fault is not None:
            return make_clear_event(fault.code)
        return DeviceChanged(
            device, DeviceChange.LID_CLOSED if word == DeviceChange.LID_OPEN.value else DeviceChange.BACK
        )
    draw = make_any_line if chance.randrange(12) == 0 else fitting
    try:
        line = draw(loop._table, chance.randrange)
        if list_cards(line) and not loop.outcome.plan:
            return None  # what nobody saw of a hand that is over is gone with its key, and no start can judge by it
        return script_lines.parse_line(line)
    except Refused:
        return None
