"""A table written down between two hands, so that a start need not play a whole session again.

The snapshot is no proof and no record: its SHA-256 stands in the chain, and a start that does not find that very file
plays the session again. Between two hands a table knows no card that lies face down (`hand_redaction` of the core),
so there is none in it. It is plain data by the annotations of the core's data classes (`snapshot_codec.py`), as
compressed JSON. A newer program and the one before it read it as well: what `snapshot_codec.py` cannot follow by
itself (a field that got another name, a class that moved to another module, another meaning) is a step of
`MIGRATION_BY_VERSION`, and `SNAPSHOT_VERSION` one more. Rulebook and set-up are not in it but come from the
configuration, as at any start.
"""

import base64
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from controller.core.model.setup import Setup
from controller.core.model.table_memory import TableMemory
from controller.runtime.journal.recovery.snapshot_codec import ROW_KEY, SnapshotCodecError, SnapshotSchema

SNAPSHOT_FILE = "snapshot"

SNAPSHOT_VERSION = 2
"""The version of the form: raised when a reader of the one before would misread what it finds, or find it nowhere."""

VERSION_2_GROUPS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "hand.Hand": {
        "hand.HandStreets streets": {"street": "reached", "planned": "planned", "changes": "changes"},
        "hand.HandKill kill": {"killer": "seat", "kill": "halves", "must_kill": "required"},
    },
    "state.State": {
        "state.TableButton button": {
            "positions": "positions",
            "began": "began",
            "button_due": "due",
            "button_had": "had",
        },
        "state.CarriedPot carried_pot": {
            "carried": "chips",
            "matched": "matched",
            "forfeited": "forfeited",
            "sitting_out": "sitting_out",
            "passed": "passed",
        },
        "state.TableKill kill": {
            "won_last": "won_last",
            "leg": "leg",
            "legs": "legs",
            "kills": "due",
            "pledged": "pledged",
            "owes_kill": "owing",
        },
        "state.SingleBlind single_blind": {"blind_due": "due", "blind_taken": "taken"},
    },
}
"""Class -> class and field of a group -> field of version 1 -> its name in the group, where names have changed."""


def _migrate_to_version_2(found: dict[str, Any]) -> dict[str, Any]:
    """Version 2: fields of a hand and of a table that got another name in a group of their own."""
    classes = [[name, list(fields)] for name, fields in found["classes"]]
    rows = [list(row) for row in found["rows"]]
    for number, (name, fields) in enumerate(found["classes"]):
        for group, names in VERSION_2_GROUPS.get(name, {}).items():
            kind, field = group.split()
            there = [old for old in names if old in fields]
            classes.append([kind, [names[old] for old in there]])
            classes[number][1] = [f"{one} of version 1" if one in there else one for one in classes[number][1]]
            classes[number][1].append(field)
            for row, old_row in zip(rows[: len(found["rows"])], found["rows"], strict=True):
                if old_row[0] == number:
                    row.append({ROW_KEY: len(rows)})
                    rows.append([len(classes) - 1, *(old_row[1 + fields.index(old)] for old in there)])
    return {**found, "classes": classes, "rows": rows}


MIGRATION_BY_VERSION: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _migrate_to_version_2}
"""How a document of a version becomes one of the next. None is ever taken away."""

MAX_DOCUMENT_BYTES = 16_000_000
"""Bytes of a document: some hundred times what a table between two hands comes to."""


class SnapshotError(Exception):
    """The snapshot cannot be written, or cannot be used."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table after entry `entry`, and what the loop keeps beside it; `RecoveredTable` says what the fields mean."""

    entry: int
    memory: TableMemory
    table_time_s: float
    rulings: tuple[Mapping[str, object], ...]
    rulings_hand: int
    lost_devices: frozenset[str]
    entry_count: int


def render_snapshot(snapshot: Snapshot) -> bytes:
    """Write a snapshot; raises `SnapshotError` where the table holds what has no plain form."""
    return zlib.compress(json.dumps(to_document(snapshot), separators=(",", ":"), ensure_ascii=False).encode())


def to_document(snapshot: Snapshot) -> dict[str, Any]:
    """The snapshot as plain data; raises `SnapshotError`."""
    try:
        written = make_schema().encode(snapshot, _map_games_by_name(snapshot.memory.state.setup))
    except Exception as why:  # whatever it is, it must not end the table
        raise SnapshotError(f"the table cannot be written down ({type(why).__name__})") from None
    return {"version": SNAPSHOT_VERSION, **written}


def parse_snapshot(data: bytes, setup: Setup) -> Snapshot:
    """Read a snapshot of a table that was set up as `setup`; raises `SnapshotError`."""
    try:
        unpacked = zlib.decompressobj()
        found = json.loads(unpacked.decompress(data, MAX_DOCUMENT_BYTES))
    except (zlib.error, ValueError, RecursionError) as why:
        raise SnapshotError(f"the snapshot cannot be read ({type(why).__name__})") from None
    return from_document(found, setup)


def to_text(snapshot: Snapshot) -> str:
    """Write a snapshot as text, for a record of the journal; raises `SnapshotError`."""
    return base64.b64encode(render_snapshot(snapshot)).decode("ascii")


def from_text(text: str, setup: Setup) -> Snapshot:
    """Read what `to_text` wrote; raises `SnapshotError`."""
    try:
        return parse_snapshot(base64.b64decode(text, validate=True), setup)
    except ValueError:
        raise SnapshotError("the text is no snapshot") from None


def from_document(found: Any, setup: Setup) -> Snapshot:  # noqa: ANN401 - JSON
    """Read a snapshot from plain data, also of an older version, or of a newer one; raises `SnapshotError`."""
    try:
        for version in range(int(found["version"]), SNAPSHOT_VERSION):
            found = MIGRATION_BY_VERSION[version](found)
        snapshot: Snapshot = make_schema().decode(found, _map_games_by_name(setup), {Setup: setup})
    except (SnapshotCodecError, KeyError, TypeError, ValueError) as why:
        raise SnapshotError(f"the snapshot does not fit this program ({type(why).__name__}: {why})") from None
    state = snapshot.memory.state
    if state.plan:
        raise SnapshotError("the snapshot is of a table in the middle of a hand")
    return replace(snapshot, rulings=tuple(snapshot.rulings))


@cache
def make_schema() -> SnapshotSchema:
    """Collect what a snapshot is made of, under the names that it has on the disk."""
    return SnapshotSchema(Snapshot, shortened={Setup: ("stakes", "game", "deck_size", "has_joker")})


def _map_games_by_name(setup: Setup) -> Mapping[str, object]:
    """The games that the `table` line has looked up; that of the table has an old name, too."""
    return {"game": setup.game, **{f"game {game.name}": game for game in setup.games}}
