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

from room.contract.health import HEALTH_SECONDS, Health
from room.contract.level import Level
from room.contract.parcel import RELEASE
from room.contract.subjects import NAME
from room.record.lines import Line

STREAM = "fleet"

MOST_TABLES = 1000
AWAY_SECONDS = 3 * HEALTH_SECONDS

REFUSED = "refused: "
"""How the log of updates begins what came of an update that was refused."""

CLOCKS_APART = 60.0
"""Seconds that the clocks of room and table may differ."""

VERSION = re.compile(r"(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table is to install, `None`: to go back by one; `taken`: the table has left it for its root.

    `was`: the program that ran there when it was taken, empty where that is not known.
    """

    release: str | None
    by: str
    since: float
    taken: bool = False
    why: str = ""
    was: str = ""

    def to_json(self) -> dict[str, object]:
        """Write it as the page has it."""
        return {
            "release": self.release,
            "by": self.by,
            "since": self.since,
            "taken": self.taken,
            "why": self.why,
            "was": self.was,
        }


@dataclass(frozen=True, slots=True)
class Fleet:
    """What is wanted, by table."""

    wanted: Mapping[str, Wanted] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """A table's last word about itself, and when it came (Unix seconds); it stays listed when it is away."""

    health: Health
    at: float


def after(fleet: Fleet, line: Line) -> Fleet:
    """Take one line more; what is no word of this stream changes nothing."""
    match line.what:
        case {"do": "stage", "tables": [*tables], "release": None | str() as release} if not why_not(tables, release):
            staged = {str(table): Wanted(release, line.by, line.at) for table in tables}
            return Fleet(dict([*fleet.wanted.items(), *staged.items()][-MOST_TABLES:]))
        case {"do": "answered", "table": str(table), "taken": bool(taken), "why": str(why)} if table in fleet.wanted:
            told = replace(fleet.wanted[table], taken=taken, why=why, was=str(line.what.get("was", "")))
            return Fleet({**fleet.wanted, table: told})
        case {"do": "drop", "tables": [*tables]}:
            return Fleet({table: one for table, one in fleet.wanted.items() if table not in tables})
        case _:
            return fleet


def why_not(tables: Sequence[object], release: str | None) -> str:
    """Say why that cannot be staged; empty where it can."""
    if not 0 < len(tables) <= MOST_TABLES or not all(isinstance(one, str) and NAME.fullmatch(one) for one in tables):
        return f"name 1 to {MOST_TABLES} tables"
    if release is not None and not (RELEASE.fullmatch(release) and version_of(release)):
        return "a release is called as it was made, with its version: table-controller-1.4.0-aarch64.tar"
    return ""


def version_of(release: str) -> str:
    """The version in the name of an archive, empty where there is none. What is inside, each table checks itself."""
    found = VERSION.search(release)
    return found.group() if found else ""


def would(
    release: str | None, tables: Sequence[str], seen: Mapping[str, Seen], now: float
) -> Iterator[tuple[str, str]]:
    """Say for each table what staging would do there, before anything is asked of it."""
    for table in tables:
        last = seen.get(table)
        runs = "" if last is None else last.health.versions.get("program", "")
        if last is None or now - last.at > AWAY_SECONDS:
            yield table, "away: it is asked when it is back"
        elif last.health.level != Level.LIVE.value:
            yield table, "tells, and is asked nothing: install it there"
        elif release is None:
            yield table, f"{runs}: back to the release before it"
        elif VERSION.fullmatch(runs) and _order(runs) > _order(version_of(release)):
            yield table, f"{runs} is newer: it will refuse"
        else:
            has = runs == version_of(release)
            yield table, "has it already" if has else f"{runs or 'unknown'} to {version_of(release)}, between hands"


def is_done(wanted: Wanted, seen: Seen | None) -> bool:
    """Whether a table says that it runs what it is to run; of a way back, that it runs another than it did."""
    runs = "" if seen is None else seen.health.versions.get("program", "")
    if wanted.release is None:
        return wanted.taken and runs not in ("", wanted.was)
    return runs == version_of(wanted.release)


def refused(wanted: Wanted, seen: Seen | None) -> str:
    """Say why the table's root did not do it, as the table's log of updates has it; empty where it has not said so."""
    if seen is None or not wanted.taken:
        return ""
    told = seen.health.update
    try:
        at = datetime.fromisoformat(told.get("at", "")).timestamp()
    except (ValueError, OverflowError):
        return ""
    said = told.get("result", "")
    is_news = at >= wanted.since - CLOCKS_APART
    return said.removeprefix(REFUSED) if is_news and said.startswith(REFUSED) else ""


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
