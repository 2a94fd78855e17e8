"""How a table is, as its room is told every ten seconds: versions, counters and errors, nothing of the game."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from typing import Any, Self, TypeVar

from room.contract.batch import BadBatch

HEALTH_SECONDS = 10.0
"""So often a table says how it is; three times that without a word, and it is away."""

MOST = 64
"""Entries of each part of it; a table has some ten devices. What is more is left out, by whoever writes and reads."""

LONGEST = 200
"""Signs of each text."""

MOST_BYTES = 1 << 53
"""More than any disk has, and no more than a page can count."""

FIRMWARE = "firmware:"
"""Before the name of a device, in `versions`."""

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Health:
    """`at`: Unix seconds at the table; `up`: the table's program answers; `disk_free` in bytes, of its state.

    `last`: the number of its journal's newest record; `archived`: of the last that the archive has, as far as the table
    was told; `wrong`: why the archive takes no more of it.
    """

    at: float
    level: str
    up: bool = False
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of `program`, `rulebook` (its name), and of each device that says one as `firmware:NAME`."""
    halted: bool = False
    faults: tuple[str, ...] = ()
    disk_free: int | None = None
    last: int = 0
    archived: int = 0
    wrong: str = ""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """SHA-256, in hex, of what says which files `program` and `rulebook` have."""
    since: Mapping[str, float] = field(default_factory=dict)
    """Code of a fault -> when it came up at the latest, Unix seconds at the table."""
    disks: Mapping[str, int] = field(default_factory=dict)
    """Bytes that are free of `journal` and `system`, which may be the same disk."""
    update: Mapping[str, str] = field(default_factory=dict)
    """`version`, `result` and `at` of the update that was tried last, as the table's log of updates has it."""

    def written(self) -> bytes:
        """Write it as JSON."""
        told = {
            "at": self.at,
            "level": self.level,
            "up": self.up,
            "versions": dict(self.versions),
            "halted": self.halted,
            "faults": self.faults,
            "disk_free": self.disk_free,
            "last": self.last,
            "archived": self.archived,
            "wrong": self.wrong,
            "hashes": dict(self.hashes),
            "since": dict(self.since),
            "disks": dict(self.disks),
            "update": dict(self.update),
        }
        return json.dumps(told, separators=(",", ":")).encode()

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Read what `written` wrote; what a newer table says besides is passed over. Raises `BadBatch`."""
        try:
            body: dict[str, Any] = json.loads(text)
            disk = body.get("disk_free")
            return cls(
                at=float(body["at"]),
                level=str(body["level"])[:LONGEST],
                up=bool(body.get("up")),
                versions=_few(body.get("versions", {}), _short),
                halted=bool(body.get("halted")),
                faults=tuple(_short(code) for code in islice(body.get("faults", ()), MOST)),
                disk_free=None if disk is None else int(disk),
                last=int(body.get("last", 0)),
                archived=int(body.get("archived", 0)),
                wrong=str(body.get("wrong", "")),
                hashes=_few(body.get("hashes", {}), _short),
                since=_few(body.get("since", {}), _moment),
                disks=_few(body.get("disks", {}), _bytes),
                update=_few(body.get("update", {}), _short),
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as why:
            raise BadBatch("a table's health is a JSON object with at and level.") from why


def _short(value: object) -> str:
    return str(value)[:LONGEST]


def _moment(value: Any) -> float:  # noqa: ANN401 - of JSON
    found = float(value)
    if not isfinite(found):
        raise ValueError("no moment")
    return found


def _bytes(value: Any) -> int:  # noqa: ANN401 - of JSON
    return min(max(int(value), 0), MOST_BYTES)


def _few(found: Mapping[str, Any], read: Callable[[Any], V]) -> dict[str, V]:
    return {_short(name): read(value) for name, value in islice(dict(found).items(), MOST)}
