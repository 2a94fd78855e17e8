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

from config.file_library import HOUSE_VARIABLE, Library, resolve_library
from config.table_line import parse_table_line
from controller.app.table.past_drop import DropQuestion, answer_question
from controller.extras import describe_missing
from controller.records.drop_box import DropBox
from controller.records.export_formats import ExportFormat, NotRepresentableError, write_hand
from controller.runtime.journal.hand_index import MAX_HANDS, HandIndex, HandMatches, HandQuery, HandRow
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.drop_index import DROP_INDEX_FILE, DropIndex
from controller.runtime.journal.recovery.drop_ledger import read_boxes
from controller.runtime.journal.recovery.finished_hands import read_finished_hands, to_hand_row
from controller.runtime.journal.recovery.hand_steps import HandStep, replay_hand_steps
from controller.runtime.journal.recovery.journal_replay import RecoveryError, find_session
from controller.runtime.service.core_dumps import disable_core_dumps
from controller.runtime.service.crash_log import install_crash_log
from controller.runtime.storage.sqlite_database import DatabaseError

log = logging.getLogger(__name__)

MAX_READ_DURATION_S = 600.0
"""How long reading may take; a session of a million entries takes a third of it."""

MAX_EXPORTED_HANDS = 500
"""How many hands are exported at once, the newest of those that were found."""

READER_NICENESS = 10
"""How far reading stands back: the table, its lamps and its page come first."""

UNREADABLE_MESSAGE = "the journal cannot be read in a process of its own"


class ReadBusyError(Exception):
    """Somebody else has a hand read just now."""


class PastHands:
    """The hands of the journal at `path`, also while the table is in play; safe to use from any thread.

    The list comes from the `index` of the table in play. What needs a session to be played again is done in another
    process, one at a time, so that no look at the record holds up the table or anybody's page. `setup` is what a page
    shows of the table besides its steps; `currency`, what a unit of chips is, for trackers.
    """

    busy_error: type[Exception] = ReadBusyError

    def __init__(
        self,
        path: Path,
        index: Callable[[], HandIndex | None],
        setup: Callable[[], Mapping[str, object]] = dict,
        library: Library | None = None,
        currency: str | None = None,
    ) -> None:
        self._path = path
        self._find_index = index
        self._setup = setup
        self._library = resolve_library(library)
        self._currency = currency
        self._read_lock = threading.Lock()

    @property
    def setup(self) -> Mapping[str, object]:
        """What the page shows of the table besides its steps."""
        return self._setup()

    @property
    def is_complete(self) -> bool:
        """Whether the list has all hands up to now."""
        index = self._find_index()
        return index is None or index.is_complete

    def find(self, wanted: HandQuery, before: tuple[int, int] | None = None) -> HandMatches:
        """Look for hands, the newest first, as `HandIndex.find` does.

        Where the list is not whole, it is made so; that takes its time, and meanwhile it says what it knows.
        """
        index = self._find_index()
        if index is None:
            return HandMatches(())
        if not index.is_complete and not self._read_lock.locked():
            threading.Thread(target=self._complete_index, args=(index,), name="past hands", daemon=True).start()
        return index.find(wanted, before)

    def read_steps(self, session: int | None, hand: int) -> Sequence[HandStep]:
        """Return every step of a hand, as `read_steps` does; raises `RecoveryError`, and `ReadBusyError`."""
        with self._hold_read_lock():
            return list(self._read_in_process("steps", str(session or ""), str(hand)))

    def read_drop(self, wanted: DropQuestion) -> Mapping[str, Any]:
        """What was dropped, as `answer_question` says it; raises as `read_steps`.

        It plays what came since the last look; the first one plays the journal.
        """
        with self._hold_read_lock():
            (told,) = self._read_in_process("drop", *wanted.to_words())
            return dict(told)

    def read_boxes(self) -> tuple[DropBox, ...]:
        """The boxes that were counted; raises `DatabaseError`."""
        journal = JournalReader.open(self._path)
        try:
            return read_boxes(journal)
        finally:
            journal.close()

    def export_hands(self, wanted: HandQuery, form: ExportFormat) -> tuple[str, int]:
        """Write the hands that are found, `MAX_EXPORTED_HANDS` at most, and say how many the format cannot say.

        Raises `RecoveryError`, and `ReadBusyError`.
        """
        with self._hold_read_lock():
            places: list[str] = []
            further: tuple[int, int] | None = None
            while len(places) < MAX_EXPORTED_HANDS:
                found = self.find(wanted, further)
                places += [f"{row.session}-{row.hand}" for row in found.hands if row.over]
                further = found.next_before
                if further is None:
                    break
            parts = (
                list(self._read_in_process("export", form.value, self._currency or "", *places[:MAX_EXPORTED_HANDS]))
                if places
                else []
            )
            told = [str(part) for part in parts if part is not None]
            return "".join(told), len(parts) - len(told)

    @contextmanager
    def _hold_read_lock(self) -> Iterator[None]:
        if not self._read_lock.acquire(blocking=False):
            raise ReadBusyError
        try:
            yield
        finally:
            self._read_lock.release()

    def _complete_index(self, index: HandIndex) -> None:
        try:
            with self._hold_read_lock():
                after, upto = index.recover_last_indexed_entry(), index.missing_until_entry
                index.add_missing_hands(
                    HandRow.from_json(row) for row in self._read_in_process("rows", str(after), str(upto))
                )
        except ReadBusyError:
            pass
        except RecoveryError as why:
            log.warning("the list of hands cannot be made: %s", why)
            index.abandon_missing_hands()

    def _read_in_process(self, what: str, *wanted: str) -> Iterator[Any]:
        """Play sessions again in another process, with the same library, and tell what it says, a line of JSON each.

        Raises `RecoveryError`.
        """
        house = {} if self._library.house is None else {HOUSE_VARIABLE: str(self._library.house.absolute())}
        command = (sys.executable, "-P", "-m", __name__, what, str(self._path), *wanted)
        try:
            done = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **house})
        except OSError as why:
            raise RecoveryError(f"{UNREADABLE_MESSAGE} ({type(why).__name__})") from None
        too_long = threading.Timer(MAX_READ_DURATION_S, done.kill)
        too_long.start()
        line = ""
        try:
            assert done.stdout is not None
            for line in done.stdout:
                yield json.loads(line)
            if done.wait():
                raise RecoveryError(UNREADABLE_MESSAGE)
        except ValueError:
            raise RecoveryError(line.strip() or UNREADABLE_MESSAGE) from None
        finally:
            too_long.cancel()
            done.kill()
            done.communicate()


def read_rows(path: Path, after: int, upto: int) -> Iterator[HandRow]:
    """Tell the hands of every session that has entries behind `after`, up to entry `upto`, the newest session first.

    A session that this program cannot play again is passed over. Raises `DatabaseError`.
    """
    journal = JournalReader.open(path)
    count = 0
    try:
        sessions = journal.list_sessions()
        ends = [*(later.last_entry_before for later in sessions[1:]), journal.last_entry_number]
        for session, end in reversed(list(zip(sessions, ends, strict=True))):
            if end <= after or session.last_entry_before >= upto or count >= MAX_HANDS:
                continue
            try:
                for kept in read_finished_hands(journal, session, parse_table_line, upto):
                    count += 1
                    yield to_hand_row(kept)
            except RecoveryError as why:
                log.warning("session %d has no list of hands: %s", session.number, why)
    finally:
        journal.close()


def export_hands(path: Path, form: ExportFormat, currency: str | None, places: Sequence[str]) -> Iterator[str | None]:
    """Write hands, each `"<session>-<number>"`; `None` for one that the format cannot say.

    Raises `DatabaseError` and `RecoveryError`.
    """
    wanted: dict[int, set[int]] = {}
    for place in places:
        session, _, hand = place.partition("-")
        wanted.setdefault(int(session), set()).add(int(hand))
    section = 0
    journal = JournalReader.open(path)
    try:
        for number in sorted(wanted):
            for kept in read_finished_hands(journal, find_session(journal, number), parse_table_line):
                if kept.record is not None and kept.number in wanted[number]:
                    section += 1
                    try:
                        yield write_hand(form, kept.record, kept.provenance, currency, section)
                    except NotRepresentableError:
                        yield None
    finally:
        journal.close()


def read_steps(path: Path, session: int | None, hand: int) -> list[HandStep]:
    """Return every step of a hand of a session (the last for `None`), as `replay_hand_steps` does.

    Empty where there is none.

    Raises `DatabaseError` and `RecoveryError`.
    """
    journal = JournalReader.open(path)
    try:
        if session is not None and all(each.number != session for each in journal.list_sessions()):
            return []
        return replay_hand_steps(journal, find_session(journal, session), hand, parse_table_line)
    finally:
        journal.close()


def read_drop(path: Path, wanted: DropQuestion) -> dict[str, Any]:
    """What was dropped, out of the index beside the journal and what came since; raises `DatabaseError`."""
    journal = JournalReader.open(path)
    try:
        ledger = DropIndex(path.with_name(DROP_INDEX_FILE)).read_drop(journal, parse_table_line)
        return answer_question(wanted, ledger, read_boxes(journal))
    finally:
        journal.close()


def main(what: str, path: str, *wanted: str) -> int:
    """Write what is wanted, a line of JSON each; return the exit status: 1 and one sentence where it cannot."""
    disable_core_dumps()
    install_crash_log()
    os.nice(READER_NICENESS)
    place = Path(path)
    try:
        match what:
            case "steps":
                told: Iterable[Any] = read_steps(place, int(wanted[0] or 0) or None, int(wanted[1]))
            case "rows":
                told = (row.to_json() for row in read_rows(place, int(wanted[0]), int(wanted[1])))
            case "drop":
                told = (read_drop(place, DropQuestion.from_words(wanted)),)
            case _:
                told = export_hands(place, ExportFormat(wanted[0]), wanted[1] or None, wanted[2:])
        for part in told:
            sys.stdout.write(json.dumps(part) + "\n")
    except (DatabaseError, RecoveryError) as why:
        sys.stdout.write(str(why))
        return 1
    except ModuleNotFoundError as why:
        missing = describe_missing(why)
        if missing is None:
            raise
        sys.stdout.write(missing)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
