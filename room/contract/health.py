"""How a table is, as its room is told every ten seconds: versions, counters and errors, nothing of the game."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from room.contract.batch import BadBatch

HEALTH_SECONDS = 10.0
"""So often a table says how it is; three times that without a word, and it is away."""


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
    halted: bool = False
    faults: tuple[str, ...] = ()
    disk_free: int | None = None
    last: int = 0
    archived: int = 0
    wrong: str = ""

    def written(self) -> bytes:
        """Write it as JSON."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def read(cls, text: bytes) -> Self:
        """Read what `written` wrote; what a newer table says besides is passed over. Raises `BadBatch`."""
        try:
            body: dict[str, Any] = json.loads(text)
            disk = body.get("disk_free")
            return cls(
                at=float(body["at"]),
                level=str(body["level"]),
                up=bool(body.get("up")),
                versions={str(name): str(value) for name, value in dict(body.get("versions", {})).items()},
                halted=bool(body.get("halted")),
                faults=tuple(str(code) for code in body.get("faults", ())),
                disk_free=None if disk is None else int(disk),
                last=int(body.get("last", 0)),
                archived=int(body.get("archived", 0)),
                wrong=str(body.get("wrong", "")),
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as why:
            raise BadBatch("a table's health is a JSON object with at and level.") from why
