"""Which release each table is to run, and what came of asking: a fold of the stream `fleet`. Pure.

    {"do": "stage", "tables": ["table-01"], "release": "table-controller-1.4.0-aarch64.tar"}   null: the one before
    {"do": "answered", "table": "table-01", "taken": true, "why": "", "was": "1.3.0"}   what it ran then
    {"do": "drop", "tables": ["table-01"]}

A table is asked by the word of the technician who staged it, and only between hands (`docs/room.md`, "The fleet").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from controller.room_contract.artifact import RELEASE_NAME_PATTERN
from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.subjects import TABLE_NAME_PATTERN
from controller.room_contract.table_health import HEALTH_INTERVAL_S, TableHealth
from room.record.room_record import RecordLine

FLEET_STREAM = "fleet"

MAX_TABLES = 1000
AWAY_AFTER_S = 3 * HEALTH_INTERVAL_S
"""So long without a word, and a table is away."""

REFUSED_PREFIX = "refused: "
"""How the log of updates begins what came of an update that was refused."""

MAX_CLOCK_DIFFERENCE_S = 60.0
"""Seconds that the clocks of room and table may differ."""

VERSION_PATTERN = re.compile(r"(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}")


@dataclass(frozen=True, slots=True)
class StagedRelease:
    """What a table is to install, `None`: to go back by one; `is_accepted`: the table has left it for its root.

    `previous_version`: the program that ran there when it was taken, empty where that is not known.
    """

    release_name: str | None
    staged_by: str
    staged_at: float
    is_accepted: bool = False
    reason: str = ""
    previous_version: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "release": self.release_name,
            "by": self.staged_by,
            "since": self.staged_at,
            "taken": self.is_accepted,
            "why": self.reason,
            "was": self.previous_version,
        }


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is wanted, by table."""

    release_by_table: Mapping[str, StagedRelease] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """A table's last word about itself, and when it came (Unix seconds); it stays listed when it is away."""

    health: TableHealth
    received_at: float


def apply_fleet_line(fleet: Fleet, line: RecordLine) -> Fleet:
    """Take one line more; what is no word of this stream changes nothing."""
    match line.content:
        case {"do": "stage", "tables": [*tables], "release": None | str() as release} if not find_staging_refusal(
            tables, release
        ):
            staged = {str(table): StagedRelease(release, line.entered_by, line.entered_at) for table in tables}
            return Fleet(dict([*fleet.release_by_table.items(), *staged.items()][-MAX_TABLES:]))
        case {"do": "answered", "table": str(table), "taken": bool(taken), "why": str(why)} if (
            table in fleet.release_by_table
        ):
            told = replace(
                fleet.release_by_table[table],
                is_accepted=taken,
                reason=why,
                previous_version=str(line.content.get("was", "")),
            )
            return Fleet({**fleet.release_by_table, table: told})
        case {"do": "drop", "tables": [*tables]}:
            return Fleet({table: one for table, one in fleet.release_by_table.items() if table not in tables})
        case _:
            return fleet


def find_staging_refusal(tables: Sequence[object], release: str | None) -> str:
    """Say why that cannot be staged; empty where it can."""
    if not 0 < len(tables) <= MAX_TABLES or not all(
        isinstance(one, str) and TABLE_NAME_PATTERN.fullmatch(one) for one in tables
    ):
        return f"name 1 to {MAX_TABLES} tables"
    if release is not None and not (RELEASE_NAME_PATTERN.fullmatch(release) and find_version(release)):
        return "a release is called as it was made, with its version: table-controller-1.4.0-aarch64.tar"
    return ""


def find_version(release: str) -> str:
    """The version in the name of an archive, empty where there is none. What is inside, each table checks itself."""
    found = VERSION_PATTERN.search(release)
    return found.group() if found else ""


def preview_staging(
    release: str | None, tables: Sequence[str], seen: Mapping[str, HealthReport], now: float
) -> Iterator[tuple[str, str]]:
    """Say for each table what staging would do there, before anything is asked of it."""
    for table in tables:
        last = seen.get(table)
        runs = "" if last is None else last.health.version_by_component.get("program", "")
        if last is None or now - last.received_at > AWAY_AFTER_S:
            yield table, "away: it is asked when it is back"
        elif last.health.level != DisclosureLevel.LIVE.value:
            yield table, "tells, and is asked nothing: install it there"
        elif release is None:
            yield table, f"{runs}: back to the release before it"
        elif VERSION_PATTERN.fullmatch(runs) and _parse_version(runs) > _parse_version(find_version(release)):
            yield table, f"{runs} is newer: it will refuse"
        else:
            has = runs == find_version(release)
            yield table, "has it already" if has else f"{runs or 'unknown'} to {find_version(release)}, between hands"


def is_installed(wanted: StagedRelease, seen: HealthReport | None) -> bool:
    """Whether a table says that it runs what it is to run; of a way back, that it runs another than it did."""
    runs = "" if seen is None else seen.health.version_by_component.get("program", "")
    if wanted.release_name is None:
        return wanted.is_accepted and runs not in ("", wanted.previous_version)
    return runs == find_version(wanted.release_name)


def find_table_refusal(wanted: StagedRelease, seen: HealthReport | None) -> str:
    """Say why the table's root did not do it, as the table's log of updates has it; empty where it has not said so."""
    if seen is None or not wanted.is_accepted:
        return ""
    told = seen.health.last_update
    try:
        at = datetime.fromisoformat(told.get("at", "")).timestamp()
    except (ValueError, OverflowError):
        return ""
    said = told.get("result", "")
    is_news = at >= wanted.staged_at - MAX_CLOCK_DIFFERENCE_S
    return said.removeprefix(REFUSED_PREFIX) if is_news and said.startswith(REFUSED_PREFIX) else ""


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
