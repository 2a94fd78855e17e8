"""A table written down between two hands, so that a start need not play a whole session again.

The snapshot is no proof and no record: its SHA-256 stands in the chain, and a start that does not find that very file,
or finds another program or set-up, plays the session again. Between two hands a table knows no card that lies face
down (`core.forgetting`), so there is none in it.

It is a pickle that may name nothing but the core's own data classes; the rulebook and the game are not in it but come
from the configuration, as at any start.
"""

import hashlib
import importlib
import io
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import controller.core
from controller.core.engine.table import Table
from controller.core.model.setup import Setup

SNAPSHOT_FILE = "snapshot"

_PLAIN: Mapping[str, type] = {"set": set, "frozenset": frozenset}


class SnapshotError(Exception):
    """The snapshot cannot be used; the session is played again."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table after entry `entry`, and what the loop keeps beside it; `Recovered` says what the fields mean."""

    entry: int
    table: Table
    t: float
    rulings: tuple[Mapping[str, object], ...]
    ruled_in: int
    lost: frozenset[str]
    entries: int


def written(kept: Snapshot) -> bytes:
    """Write a snapshot; raises `SnapshotError` where the table holds what cannot be read back."""
    setup = kept.table.outcome.state.setup
    beside = (kept.entry, kept.t, kept.rulings, kept.ruled_in, kept.lost, kept.entries)
    buffer = io.BytesIO()
    try:
        _Writer(buffer, setup).dump((kept.table.kept(), beside))
        data = buffer.getvalue()
        read(data, setup)
    except (pickle.PicklingError, SnapshotError, TypeError, AttributeError) as why:
        raise SnapshotError(f"the table cannot be written down ({type(why).__name__})") from None
    return data


def read(data: bytes, setup: Setup) -> Snapshot:
    """Read a snapshot of a table that was set up as `setup`; raises `SnapshotError`."""
    try:
        kept, beside = _Reader(io.BytesIO(data), setup).load()
        entry, t, rulings, ruled_in, lost, entries = beside
        return Snapshot(entry, Table.at(*kept), t, rulings, ruled_in, lost, entries)
    except SnapshotError:
        raise
    except Exception as why:  # what a pickle of unknown bytes may raise has no bounds
        raise SnapshotError(f"the snapshot cannot be read ({type(why).__name__})") from None


@cache
def core_mark() -> str:
    """Fingerprint the rules of this program: a state means the same only to the code that wrote it."""
    digest = hashlib.sha256()
    folder = Path(str(controller.core.__file__)).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, setup: Setup) -> None:
        super().__init__(file, protocol=5)
        self._named = {id(setup): "setup", id(setup.rulebook): "rulebook", id(setup.game): "game"}

    def persistent_id(self, obj: Any) -> str | None:  # noqa: ANN401 - as pickle calls it
        return self._named.get(id(obj))


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, setup: Setup) -> None:
        super().__init__(file)
        self._named = {"setup": setup, "rulebook": setup.rulebook, "game": setup.game}

    def persistent_load(self, pid: Any) -> object:  # noqa: ANN401 - as pickle calls it
        return self._named[pid]

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - as pickle calls it
        """Find a data class of the core, and nothing that does anything."""
        if module == "builtins" and name in _PLAIN:
            return _PLAIN[name]
        if module.startswith("controller.core.") and name.isidentifier():
            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise SnapshotError(f"the snapshot names {module}.{name}, which is no data of the table")
