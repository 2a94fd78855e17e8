"""What a small store of a table held last, kept beside it: whoever opens an older copy of it is told.

A file of SQLite that was put back from a week ago, emptied or deleted looks whole. So each change of a store is marked
in two small files beside it: what it holds, entry by entry as hashes, and what it once held and does no more. Where one
of the two is lost, damaged or as old as the store, the other still knows.

What the store holds and no mark names is taken: a program from before the marks has added it.
"""

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.storage.atomic_file import write_atomically
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error

MARK_SUFFIXES = ".mark", ".mark-copy"
"""Of the two files of `tokens.sqlite`: `tokens.mark` and `tokens.mark-copy`."""

_HASH_LENGTH = 16


@dataclass(frozen=True, slots=True)
class _Mark:
    number: int = 0
    held: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()

    def to_text(self) -> str:
        body = json.dumps({"number": self.number, "held": sorted(self.held), "gone": sorted(self.gone)})
        return f"{body}\n{_hash(body)}\n"


class StoreMark:
    """The mark of the store at a path; used by whoever has that open, within its transactions."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._paths = tuple(store.with_suffix(suffix) for suffix in MARK_SUFFIXES)

    def check(self, entries: Iterable[object]) -> None:
        """Compare the mark with what the store holds, and mark what nobody has yet; raises `DatabaseError`."""
        mark, there = self._read(), _hash_entries(entries)
        missing, back = mark.held - there, mark.gone & there
        if missing or back:
            told = [f"{len(missing)} of its entries are missing"] if missing else []
            told += [f"{len(back)} are back that were withdrawn"] if back else []
            names = " and ".join(path.name for path in self._paths)
            raise DatabaseError(
                f"{self._store}: is not as it was left ({', '.join(told)}): an older copy, or another table's. Put the "
                f"newest copy back; where there is none, remove {names} to go on with what it holds"
            )
        if there != mark.held:
            with suppress(DatabaseError):  # who may only read it marks nothing
                self._write(_Mark(mark.number + 1, there, mark.gone))

    def loosen(self, entries: Iterable[object]) -> None:
        """Before a commit, let the store be as it is or hold `entries`; raises `DatabaseError`."""
        mark, there = self._read(), _hash_entries(entries)
        if not mark.held <= there or mark.gone & there:
            self._write(_Mark(mark.number + 1, mark.held & there, mark.gone - there))

    def fasten(self, before: Iterable[object], entries: Iterable[object]) -> None:
        """After the commit, mark that the store holds `entries`, and no more what it held `before`.

        Raises `DatabaseError`.
        """
        mark, there = self._read(), _hash_entries(entries)
        gone = (mark.gone | mark.held | _hash_entries(before)) - there
        if (there, gone) != (mark.held, mark.gone):
            self._write(_Mark(mark.number + 1, there, gone))

    def _read(self) -> _Mark:
        """The newer of the two that can be read; an empty one where none can."""
        return max(map(_parse, self._paths), key=lambda mark: mark.number)

    def _write(self, mark: _Mark) -> None:
        for path in self._paths:
            try:
                write_atomically(path, mark.to_text().encode())
            except OSError as why:
                raise DatabaseError(f"{path}: cannot be written: {describe_error(why, path)}") from why


def _parse(path: Path) -> _Mark:
    try:
        body, check, _ = path.read_text(encoding="ascii").split("\n")
        if check != _hash(body):
            return _Mark()
        found = json.loads(body)
        return _Mark(found["number"], frozenset(found["held"]), frozenset(found["gone"]))
    except (OSError, ValueError):
        return _Mark()


def _hash_entries(entries: Iterable[object]) -> frozenset[str]:
    return frozenset(_hash(repr(entry)) for entry in entries)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
