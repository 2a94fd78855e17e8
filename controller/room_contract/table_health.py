"""How a table is, as its room is told every ten seconds: versions, counters and errors, nothing of the game."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from typing import Any, Self, TypeVar

from controller.room_contract.batch import MAX_REASON_LENGTH, MAX_RECORD_NUMBER, BatchError
from controller.strict_json import parse_json

HEALTH_INTERVAL_S = 10.0
"""So often a table says how it is; three times that without a word, and it is away."""

MAX_ITEMS = 64
"""Entries of each part of it; a table has some ten devices. What is more is left out, by whoever writes and reads."""

MAX_TEXT_LENGTH = 200
"""Signs of each text."""

MAX_DISK_BYTES = 1 << 53
"""More than any disk has, and no more than a page can count."""

FIRMWARE_PREFIX = "firmware:"
"""Before the name of a device, in `versions`."""

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class TableHealth:
    """`reported_at`: Unix seconds at the table; `is_up`: the table's program answers.

    `journal_free_bytes` in bytes, of its state.
    `last_record`: the number of its journal's newest record; `last_archived_record`: of the last that the archive has,
    as far as the table was told; `archive_refusal`: why the archive takes no more of it.
    """

    reported_at: float
    level: str
    is_up: bool = False
    version_by_component: Mapping[str, str] = field(default_factory=dict)
    """Of `program`, `rulebook` (its name), and of each device that says one as `firmware:NAME`."""
    is_halted: bool = False
    fault_codes: tuple[str, ...] = ()
    journal_free_bytes: int | None = None
    last_record: int = 0
    last_archived_record: int = 0
    archive_refusal: str = ""
    hash_by_component: Mapping[str, str] = field(default_factory=dict)
    """SHA-256, in hex, of what says which files `program` and `rulebook` have."""
    raised_at_by_fault: Mapping[str, float] = field(default_factory=dict)
    """Code of a fault -> when it came up at the latest, Unix seconds at the table."""
    free_bytes_by_disk: Mapping[str, int] = field(default_factory=dict)
    """Bytes that are free of `journal` and `system`, which may be the same disk."""
    last_update: Mapping[str, str] = field(default_factory=dict)
    """`version`, `result` and `reported_at` of the update that was tried last, as the table's log of updates has it."""

    def to_json(self) -> bytes:
        """Write it as JSON."""
        told = {
            "at": self.reported_at,
            "level": self.level,
            "up": self.is_up,
            "versions": dict(self.version_by_component),
            "halted": self.is_halted,
            "faults": self.fault_codes,
            "disk_free": self.journal_free_bytes,
            "last": self.last_record,
            "archived": self.last_archived_record,
            "wrong": self.archive_refusal,
            "hashes": dict(self.hash_by_component),
            "since": dict(self.raised_at_by_fault),
            "disks": dict(self.free_bytes_by_disk),
            "update": dict(self.last_update),
        }
        return json.dumps(told, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, text: bytes) -> Self:
        """Read what `to_json` wrote; what a newer table says besides is passed over. Raises `BatchError`."""
        try:
            body: dict[str, Any] = parse_json(text)
            disk = body.get("disk_free")
            return cls(
                reported_at=_parse_timestamp(body["at"]),
                level=str(body["level"])[:MAX_TEXT_LENGTH],
                is_up=bool(body.get("up")),
                version_by_component=_parse_items(body.get("versions", {}), _truncate),
                is_halted=bool(body.get("halted")),
                fault_codes=tuple(_truncate(code) for code in islice(body.get("faults", ()), MAX_ITEMS)),
                journal_free_bytes=None if disk is None else _clamp_bytes(disk),
                last_record=_clamp_record(body.get("last", 0)),
                last_archived_record=_clamp_record(body.get("archived", 0)),
                archive_refusal=str(body.get("wrong", ""))[:MAX_REASON_LENGTH],
                hash_by_component=_parse_items(body.get("hashes", {}), _truncate),
                raised_at_by_fault=_parse_items(body.get("since", {}), _parse_timestamp),
                free_bytes_by_disk=_parse_items(body.get("disks", {}), _clamp_bytes),
                last_update=_parse_items(body.get("update", {}), _truncate),
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as why:
            raise BatchError("a table's health is a JSON object with at and level.") from why


def _truncate(value: object) -> str:
    return str(value)[:MAX_TEXT_LENGTH]


def _parse_timestamp(value: Any) -> float:  # noqa: ANN401 - of JSON
    found = float(value)
    if not isfinite(found):
        raise ValueError("no moment")
    return found


def _clamp_bytes(value: Any) -> int:  # noqa: ANN401 - of JSON
    return min(max(int(value), 0), MAX_DISK_BYTES)


def _clamp_record(value: Any) -> int:  # noqa: ANN401 - of JSON
    return min(max(int(value), 0), MAX_RECORD_NUMBER)


def _parse_items(found: Mapping[str, Any], read: Callable[[Any], V]) -> dict[str, V]:
    return {_truncate(name): read(value) for name, value in islice(dict(found).items(), MAX_ITEMS)}
