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
from controller.app.table.session import take_up
from controller.core.protocol import script
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Device, Event
from controller.core.protocol.vocabulary import Status
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.health import Health
from controller.runtime.faults.faults import cleared, latched_by
from controller.runtime.journal import journal as journal_module
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import BadRecord, Proof, verify
from controller.runtime.journal.recovery.recovery import Recovered, RecoveryError
from controller.runtime.journal.sealing.sealing import Cards, cards_of
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.messages import Entered
from controller.runtime.loop.standing import SIMULATION
from drivers.sim.bench.clock import HandClock
from tests.core.arbitrary import anything, fitting
from tests.crash.disk import Disk, Step
from tests.crash.standing import stands

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
        mock.patch.object(journal_module, "SNAPSHOT_ENTRIES", life.snapshot_entries),
        mock.patch.object(journal_module, "FILE_RECORDS", life.file_records),
        mock.patch.object(journal_module, "FOLD_BYTES", life.fold_bytes),
        mock.patch.object(journal_module, "MOST_BYTES", 3 * life.fold_bytes),
    ):
        try:
            _play(life, directory, file, tell)
            tell("Q")
        except DatabaseError as why:
            tell("D", why)
        except RecoveryError as why:
            tell("E", why)
        except BadRecord as why:
            tell("V", why)
        except Exception:
            tell("X", traceback.format_exc())
    tell("F", disk.happened)


class _Told(Journal):
    """The journal, which says what it is about to write and what is acknowledged."""

    tell: Tell

    def append(self, line: Mapping[str, object], source: str, by: Mapping[str, object] | None = None) -> int:
        self.tell("I", self.last + 1, json.dumps(dict(line)))
        return super().append(line, source, by)

    def settle(self, sequence: int, outcome_digest: str, refused: str | None, cards: Cards | None = None) -> None:
        self.tell("A", sequence, outcome_digest)
        super().settle(sequence, outcome_digest, refused, cards)


def _play(life: Life, directory: Path, file: TableFile, tell: Tell) -> None:
    begun = time.perf_counter()
    journal = _Told(directory / "journal.sqlite")
    journal.tell = tell
    if life.careless:
        journal._db.execute("PRAGMA synchronous=OFF")
        journal._tail.wait = lambda _handle: None
    try:
        power_lost = journal.begin_run("boot", "crash")
        recovered = take_up(journal, file, SIMULATION)
        taken = time.perf_counter() - begun
        _report(life, journal, recovered, tell, power_lost)
        if life.only_looks:
            return
        begun = time.perf_counter()
        clock = HandClock()
        loop = Loop(
            recovered,
            journal,
            DeviceMap(),
            Health({}, {}, recovered.lost),
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


def _report(life: Life, journal: Journal, recovered: Recovered, tell: Tell, power_lost: bool) -> None:
    found = {"last": journal.last, "stands": stands(recovered), "power_lost": power_lost}
    proof = verify(journal.records(linked=False)) if life.verifies else Proof()
    proved = proof.entry if life.verifies else None
    tell("R", json.dumps(found | {"proved": proved, "back": proof.clock_back, "gaps": proof.gaps}))


def _people(life: Life, loop: Loop, clock: HandClock, journal: _Told) -> None:
    chance = random.Random(life.seed)
    for _ in range(life.events):
        clock.advance(chance.choice((0.0, 0.2, 1.0, 30.0)))
        loop.tick(clock())  # after a second the table rests, and is written down
        event = _next(loop, chance)
        if event is None:
            continue
        try:
            loop.turn(Entered(event, "page", clock()), clock())
            loop.tick(clock())
        except DatabaseError:
            _refuses_from_now_on(journal)
            raise


def _refuses_from_now_on(journal: _Told) -> None:
    """A journal that could not be written takes nothing more, also when the disk is well again."""
    last = journal.last
    with suppress(DatabaseError):
        Journal.append(journal, {"ev": "undo"}, "page")
        raise AssertionError(f"went on after a write had failed, with entry {last + 1}")


def _next(loop: Loop, chance: random.Random) -> Event | None:
    down = loop.outcome.state.down
    if down and chance.random() < 0.8:
        device, _, word = chance.choice(sorted(down)).rpartition(" ")
        fault = latched_by(device)
        if fault is not None:
            return cleared(fault.code)
        return Device(device, Status.LID_CLOSED if word == Status.LID_OPEN.value else Status.BACK)
    draw = anything if chance.randrange(12) == 0 else fitting
    try:
        line = draw(loop._table, chance.randrange)
        if cards_of(line) and not loop.outcome.plan:
            return None  # what nobody saw of a hand that is over is gone with its key, and no start can judge by it
        return script.read(line)
    except Refused:
        return None
