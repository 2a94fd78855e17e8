"""The hands of a journal, step by step: the same replay as every recovery, told without what nobody had seen.

A session of 2,000 hands takes ten seconds to play again, so the list is kept as the hands are played (`HandIndex`), and
a hand is read in a process of its own: this module, called with what is wanted.
"""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from config.folders import VARIABLE, Library, library_of
from config.setup import open_table
from controller.core.engine.past.history import Amendment
from controller.core.model.outcome import Outcome
from controller.core.protocol.display import Phase
from controller.core.protocol.events import Start
from controller.records.told import hands_tabled, told
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.hand_index import KEPT, HandIndex, HandRow
from controller.runtime.journal.recovery.recovery import RecoveryError, replay, session_of
from controller.runtime.loop.loop import players_of
from controller.runtime.service.last_words import say_places_only
from controller.runtime.service.no_dump import forbid_dumps

log = logging.getLogger(__name__)

Step = Mapping[str, Any]
"""One step, or one hand of the list, as it is told to a page."""


MOST_SECONDS = 600.0
"""How long reading may take; a session of a million entries takes a third of it."""


class BeingRead(Exception):
    """Somebody else has a hand read just now."""


class PastHands:
    """The hands of the journal at `path`, also while the table is in play; safe to use from any thread.

    The list comes from the `index` of the session in play. What needs a session to be played again is done in another
    process, one at a time, so that no look at the record holds up the table or anybody's page. `setup` is what a page
    shows of the table besides its steps.
    """

    being_read: type[Exception] = BeingRead

    def __init__(
        self,
        path: Path,
        index: Callable[[], HandIndex | None],
        setup: Callable[[], Mapping[str, object]] = dict,
        library: Library | None = None,
    ) -> None:
        self._path = path
        self._index = index
        self._setup = setup
        self._library = library_of(library)
        self._reading = threading.Lock()

    @property
    def setup(self) -> Mapping[str, object]:
        """What the page shows of the table besides its steps."""
        return self._setup()

    @property
    def is_whole(self) -> bool:
        """Whether the list has all hands up to now."""
        index = self._index()
        return index is None or index.is_whole

    def listed(self) -> Sequence[Step]:
        """Name the newest hands of the session: number, when it began, its entries and how many were ruled on.

        Where the list is not whole, it is made so; that takes its time, and meanwhile it says what it knows.
        """
        index = self._index()
        if index is None:
            return []
        if not index.is_whole and not self._reading.locked():
            threading.Thread(target=self._complete, args=(index,), name="past hands", daemon=True).start()
        return index.listed()

    def steps(self, hand: int) -> Sequence[Step]:
        """Return every step of a hand, as `steps_of` does; raises `RecoveryError`, and `BeingRead`."""
        if not self._reading.acquire(blocking=False):
            raise BeingRead
        try:
            return self._read("steps", hand)
        finally:
            self._reading.release()

    def _complete(self, index: HandIndex) -> None:
        if not self._reading.acquire(blocking=False):
            return
        try:
            index.complete([HandRow(**row) for row in self._read("hands", index.since)])
        except RecoveryError as why:
            log.warning("the list of hands cannot be made: %s", why)
            index.complete([])
        finally:
            self._reading.release()

    def _read(self, what: str, number: int) -> list[dict[str, Any]]:
        """Play the session again in another process, with the same library; raises `RecoveryError`."""
        house = {} if self._library.house is None else {VARIABLE: str(self._library.house.absolute())}
        command = (sys.executable, "-P", "-m", __name__, what, str(self._path), str(number))
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=MOST_SECONDS, env={**os.environ, **house}
            )
            found: list[dict[str, Any]] = json.loads(done.stdout)
        except subprocess.CalledProcessError as failed:
            said = str(failed.stdout).strip()
            raise RecoveryError(said or "the process that reads the journal failed") from None
        except (OSError, subprocess.TimeoutExpired, ValueError) as why:
            raise RecoveryError(f"the journal cannot be read in a process of its own ({type(why).__name__})") from None
        return found


def hands_of(path: Path, last: int) -> list[HandRow]:
    """Count the hands of the last session up to entry `last`; raises `DatabaseError` and `RecoveryError`."""
    hands: dict[int, HandRow] = {}
    journal = Archive.open(path)
    try:
        for entry, _, given, _ in replay(journal, session_of(journal, None), open_table):
            if entry.sequence > last:
                break
            output = given.output()
            number, rulings = output["hand"], output["rulings"]
            if isinstance(number, int) and isinstance(rulings, list) and number:
                hands[number] = hands.get(number, HandRow(number, entry.wall)).counted(len(rulings))
    finally:
        journal.close()
    return [hands[number] for number in sorted(hands)[-KEPT:]]


def steps_of(path: Path, hand: int) -> list[Step]:
    """Return every step of a hand of the last session, from its start; empty where there is no such hand.

    Each has the `entry`, the `wall` time, its `source`, what was `told`, the `table` as the output line says it,
    the `players`, the hands `tabled`, the `error` when it was refused, and `by` whom it was signed. Where it was put
    right later, in the hand or after it, `struck` has `now`, the line that took its place or `None`, and whose `entry`.
    Raises `DatabaseError` and `RecoveryError`.
    """
    found: list[Step] = []
    amendments: tuple[Amendment, ...] = ()
    after: Outcome | None = None
    over = False
    journal = Archive.open(path)
    try:
        for entry, event, given, table in replay(journal, session_of(journal, None), open_table):
            number = given.outcome.state.number
            if number > hand:
                break
            if number == hand:
                amendments, after = table.history.amendments, given.outcome
            if isinstance(event, Start) and given.error is None:
                over = False
            idle = given.outcome.state.planned_phase is Phase.IDLE
            amended = given.error is None and given.outcome.amended is not None
            if number == hand and (not over or not idle or amended):
                over = idle
                found.append(
                    {
                        "entry": entry.sequence,
                        "wall": entry.wall,
                        "source": entry.source,
                        "told": told(event, given.outcome),
                        "table": given.output(),
                        "players": players_of(given.outcome),
                        "tabled": hands_tabled(given.outcome.state),
                        "error": None if given.error is None else given.error.message,
                        "by": None if entry.by is None else f"{entry.by['name']}, {entry.by['role']}",
                    }
                )
    finally:
        journal.close()
    return found if after is None else [{**step, **_struck(step["entry"], amendments, after)} for step in found]


def _struck(entry: int, amendments: Sequence[Amendment], after: Outcome) -> Step:
    """Say what took the place of an entry, as it may be told when the table stood as `after`."""
    found: dict[str, Any] = {}
    for amendment in amendments:
        for struck in amendment.struck:
            if struck.line == entry and struck.was is not None:
                now = None if struck.now is None else told(struck.now, after)
                found = {"struck": {"now": now, "entry": amendment.line}}
    return found


def main(what: str, path: str, number: str) -> int:
    """Write the hands, or the steps of one, as JSON; return the exit status: 1 and one sentence where it cannot."""
    forbid_dumps()
    say_places_only()
    try:
        found = (
            steps_of(Path(path), int(number))
            if what == "steps"
            else [asdict(row) for row in hands_of(Path(path), int(number))]
        )
    except (DatabaseError, RecoveryError) as why:
        sys.stdout.write(str(why))
        return 1
    json.dump(found, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
