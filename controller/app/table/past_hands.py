"""The hands of a journal, listed and step by step: the same replay as every recovery, told without the unseen.

A session of 2,000 hands takes ten seconds to play again, so the list is kept as the hands are played (`HandIndex`), and
a hand is read, and hands exported, in a process of its own: this module, called with what is wanted.
"""

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from config.folders import VARIABLE, Library, library_of
from config.setup import open_table
from controller.records.formats import Format, Untold, write
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.hand_index import KEPT, Found, HandIndex, HandRow, Wanted
from controller.runtime.journal.recovery.finished_hands import finished_hands, row_of
from controller.runtime.journal.recovery.hand_steps import Step, steps_in
from controller.runtime.journal.recovery.recovery import RecoveryError, session_of
from controller.runtime.service.last_words import say_places_only
from controller.runtime.service.no_dump import forbid_dumps

log = logging.getLogger(__name__)

MOST_SECONDS = 600.0
"""How long reading may take; a session of a million entries takes a third of it."""

MOST_EXPORTED = 500
"""How many hands are exported at once, the newest of those that were found."""

NOT_READ = "the journal cannot be read in a process of its own"


class BeingRead(Exception):
    """Somebody else has a hand read just now."""


class PastHands:
    """The hands of the journal at `path`, also while the table is in play; safe to use from any thread.

    The list comes from the `index` of the table in play. What needs a session to be played again is done in another
    process, one at a time, so that no look at the record holds up the table or anybody's page. `setup` is what a page
    shows of the table besides its steps; `currency`, what a unit of chips is, for trackers.
    """

    being_read: type[Exception] = BeingRead

    def __init__(
        self,
        path: Path,
        index: Callable[[], HandIndex | None],
        setup: Callable[[], Mapping[str, object]] = dict,
        library: Library | None = None,
        currency: str | None = None,
    ) -> None:
        self._path = path
        self._index = index
        self._setup = setup
        self._library = library_of(library)
        self._currency = currency
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

    def find(self, wanted: Wanted, before: tuple[int, int] | None = None) -> Found:
        """Look for hands, the newest first, as `HandIndex.find` does.

        Where the list is not whole, it is made so; that takes its time, and meanwhile it says what it knows.
        """
        index = self._index()
        if index is None:
            return Found(())
        if not index.is_whole and not self._reading.locked():
            threading.Thread(target=self._complete, args=(index,), name="past hands", daemon=True).start()
        return index.find(wanted, before)

    def steps(self, session: int | None, hand: int) -> Sequence[Step]:
        """Return every step of a hand, as `steps_of` does; raises `RecoveryError`, and `BeingRead`."""
        with self._alone():
            return list(self._read("steps", str(session or ""), str(hand)))

    def exported(self, wanted: Wanted, form: Format) -> tuple[str, int]:
        """Write the hands that are found, `MOST_EXPORTED` at most, and say how many the format cannot say.

        Raises `RecoveryError`, and `BeingRead`.
        """
        with self._alone():
            places: list[str] = []
            further: tuple[int, int] | None = None
            while len(places) < MOST_EXPORTED:
                found = self.find(wanted, further)
                places += [f"{row.session}-{row.hand}" for row in found.hands if row.over]
                further = found.further
                if further is None:
                    break
            parts = (
                list(self._read("export", form.value, self._currency or "", *places[:MOST_EXPORTED])) if places else []
            )
            told = [str(part) for part in parts if part is not None]
            return "".join(told), len(parts) - len(told)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._reading.acquire(blocking=False):
            raise BeingRead
        try:
            yield
        finally:
            self._reading.release()

    def _complete(self, index: HandIndex) -> None:
        try:
            with self._alone():
                after, upto = index.wanting(), index.since
                index.complete(HandRow.read(row) for row in self._read("rows", str(after), str(upto)))
        except BeingRead:
            pass
        except RecoveryError as why:
            log.warning("the list of hands cannot be made: %s", why)
            index.leave()

    def _read(self, what: str, *wanted: str) -> Iterator[Any]:
        """Play sessions again in another process, with the same library, and tell what it says, a line of JSON each.

        Raises `RecoveryError`.
        """
        house = {} if self._library.house is None else {VARIABLE: str(self._library.house.absolute())}
        command = (sys.executable, "-P", "-m", __name__, what, str(self._path), *wanted)
        try:
            done = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **house})
        except OSError as why:
            raise RecoveryError(f"{NOT_READ} ({type(why).__name__})") from None
        too_long = threading.Timer(MOST_SECONDS, done.kill)
        too_long.start()
        line = ""
        try:
            assert done.stdout is not None
            for line in done.stdout:
                yield json.loads(line)
            if done.wait():
                raise RecoveryError(NOT_READ)
        except ValueError:
            raise RecoveryError(line.strip() or NOT_READ) from None
        finally:
            too_long.cancel()
            done.kill()
            done.communicate()


def rows_of(path: Path, after: int, upto: int) -> Iterator[HandRow]:
    """Tell the hands of every session that has entries behind `after`, up to entry `upto`, the newest session first.

    A session that this program cannot play again is passed over. Raises `DatabaseError`.
    """
    journal = Archive.open(path)
    count = 0
    try:
        sessions = journal.sessions()
        ends = [*(later.before for later in sessions[1:]), journal.last]
        for session, end in reversed(list(zip(sessions, ends, strict=True))):
            if end <= after or session.before >= upto or count >= KEPT:
                continue
            try:
                for kept in finished_hands(journal, session, open_table, upto):
                    count += 1
                    yield row_of(kept)
            except RecoveryError as why:
                log.warning("session %d has no list of hands: %s", session.number, why)
    finally:
        journal.close()


def exported(path: Path, form: Format, currency: str | None, places: Sequence[str]) -> Iterator[str | None]:
    """Write hands, each `"<session>-<number>"`; `None` for one that the format cannot say.

    Raises `DatabaseError` and `RecoveryError`.
    """
    wanted: dict[int, set[int]] = {}
    for place in places:
        session, _, hand = place.partition("-")
        wanted.setdefault(int(session), set()).add(int(hand))
    section = 0
    journal = Archive.open(path)
    try:
        for number in sorted(wanted):
            for kept in finished_hands(journal, session_of(journal, number), open_table):
                if kept.record is not None and kept.number in wanted[number]:
                    section += 1
                    try:
                        yield write(form, kept.record, kept.place, currency, section)
                    except Untold:
                        yield None
    finally:
        journal.close()


def steps_of(path: Path, session: int | None, hand: int) -> list[Step]:
    """Return every step of a hand of a session (the last for `None`), as `steps_in` does; empty where there is none.

    Raises `DatabaseError` and `RecoveryError`.
    """
    journal = Archive.open(path)
    try:
        if session is not None and all(each.number != session for each in journal.sessions()):
            return []
        return steps_in(journal, session_of(journal, session), hand, open_table)
    finally:
        journal.close()


def main(what: str, path: str, *wanted: str) -> int:
    """Write what is wanted, a line of JSON each; return the exit status: 1 and one sentence where it cannot."""
    forbid_dumps()
    say_places_only()
    place = Path(path)
    try:
        match what:
            case "steps":
                told: Iterable[Any] = steps_of(place, int(wanted[0] or 0) or None, int(wanted[1]))
            case "rows":
                told = (row.to_json() for row in rows_of(place, int(wanted[0]), int(wanted[1])))
            case _:
                told = exported(place, Format(wanted[0]), wanted[1] or None, wanted[2:])
        for part in told:
            sys.stdout.write(json.dumps(part) + "\n")
    except (DatabaseError, RecoveryError) as why:
        sys.stdout.write(str(why))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
