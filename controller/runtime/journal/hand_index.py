"""The list of hands beside the journal, kept as they are played, so that nobody has to play a session again for it.

`hands.index` has a line of JSON for the session and one for each hand that is over; a later line of a hand takes the
place of an earlier one. It is no record and proves nothing: where it does not reach as far as the journal (a cut of the
power, a file that is gone) it is made again from there, in a process of its own (`controller.app.table.past_hands`).
Nothing waits for the disk here, and a file that cannot be written costs the list at the next start and nothing else.
"""

import json
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from controller.runtime.journal.clocks import wall

INDEX_FILE = "hands.index"

KEPT = 200
"""How many hands a list names, the newest first."""

LONGEST_FILE = 4 * KEPT
"""So many lines, and the file is written anew with those that are kept."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: its number, when it began (UTC, ISO 8601), how many entries and rulings it has had."""

    hand: int
    began: str
    steps: int = 0
    rulings: int = 0

    def counted(self, rulings: int) -> "HandRow":
        """Add an entry, on which so many rulings were made."""
        return replace(self, steps=self.steps + 1, rulings=self.rulings + rulings)


class HandIndex:
    """The newest hands of one session. `after` and `close` are the loop's thread's, all else is for any."""

    def __init__(self, path: Path, session: int, last: int, *, begun: bool) -> None:
        """Take the list up where the table stands after entry `last`; `begun`: a hand was played in the session."""
        self._path = path
        self._session = session
        self._rows: dict[int, HandRow] = {}
        self._entry = self.since = last
        """Number of the entry up to which somebody else must count, where the list is not whole."""
        self._lock = threading.Lock()
        self._lines = 0
        self.is_whole = not begun
        found = self._read() if begun else None
        if found is not None:
            self._rows, self.is_whole = found, True
        with self._lock:
            self._write_anew()

    def after(self, entry: int, hand: int, rulings: int) -> None:
        """Count an entry that belongs to a hand; 0 before the first."""
        if not hand:
            return
        with self._lock:
            if hand not in self._rows:
                self._add_newest()
                self._rows[hand] = HandRow(hand, wall())
                for old in sorted(self._rows)[:-KEPT]:
                    del self._rows[old]
            self._rows[hand] = self._rows[hand].counted(rulings)
            self._entry = entry

    def listed(self) -> list[Mapping[str, object]]:
        """Name the newest hands, the newest first."""
        with self._lock:
            return [asdict(self._rows[hand]) for hand in sorted(self._rows, reverse=True)]

    def complete(self, rows: Sequence[HandRow]) -> None:
        """Take what somebody else has counted of the entries up to `since`."""
        with self._lock:
            if self.is_whole:
                return
            for row in rows:
                own = self._rows.get(row.hand, HandRow(row.hand, row.began))
                self._rows[row.hand] = replace(row, steps=row.steps + own.steps, rulings=row.rulings + own.rulings)
            self._rows = {hand: self._rows[hand] for hand in sorted(self._rows)[-KEPT:]}
            self.is_whole = True
            self._write_anew()

    def close(self) -> None:
        """Write the hand that is on, so that the next start finds all."""
        with self._lock:
            self._add_newest()

    def _read(self) -> dict[int, HandRow] | None:
        """Read the file, if it is of this session and reaches as far as the table does."""
        try:
            head, *lines = self._path.read_text(encoding="ascii").splitlines()
            rows: dict[int, HandRow] = {}
            entry = 0
            for line in lines:
                content = json.loads(line)
                entry = int(content.pop("entry"))
                rows[int(content["hand"])] = HandRow(**content)
            if json.loads(head) != {"session": self._session} or entry != self._entry:
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return {hand: rows[hand] for hand in sorted(rows)[-KEPT:]}

    def _add_newest(self) -> None:
        """Write down the newest hand as it stands."""
        if not self._rows or not self.is_whole:
            return
        if self._lines >= LONGEST_FILE:
            self._write_anew()
            return
        self._write(self._line(self._rows[max(self._rows)]), "a")
        self._lines += 1

    def _write_anew(self) -> None:
        rows = [self._rows[hand] for hand in sorted(self._rows)] if self.is_whole else []
        self._write(json.dumps({"session": self._session}) + "\n" + "".join(map(self._line, rows)), "w")
        self._lines = len(rows)

    def _line(self, row: HandRow) -> str:
        return json.dumps({**asdict(row), "entry": self._entry}) + "\n"

    def _write(self, text: str, mode: str) -> None:
        try:
            with self._path.open(mode, encoding="ascii") as file:
                file.write(text)
        except OSError as why:
            log.warning("%s: cannot be written: %s", self._path.name, why.strerror)
