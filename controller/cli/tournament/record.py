"""The record of a tournament: read whole, or one line added, seen on the disk before anything is said about it."""

import argparse
import fcntl
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from config import rulebook_file, schedule_file
from controller.core.tournament.event import EventError, Tournament, after, amount_of, opened
from controller.core.tournament.schedule import Schedule
from controller.core.values.value import replace

Command = Callable[[argparse.Namespace], None]
Line = dict[str, Any]
RECORD = Path("tournament.jsonl")
ABOUT = ("late_levels", "bounty", "seat")
"""What the first line of a record may say of the event besides, each 0 where it does not."""
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Another with every start of the machine."""


def recorded(parser: argparse.ArgumentParser, command: Command) -> None:
    """Let a command read or write a record."""
    parser.add_argument("--record", type=Path, default=RECORD, metavar="FILE", help=f"the record ({RECORD})")
    parser.add_argument(
        "--at", type=float, metavar="SECONDS", help="when it happened, in seconds since 1970 (default: now)"
    )
    parser.set_defaults(tournament_command=command)


def as_json(parser: argparse.ArgumentParser) -> None:
    """Let a command print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def schedule_of(name: str) -> Schedule:
    """A schedule by name, or from a file of the house."""
    if name in schedule_file.names():
        return schedule_file.load(name)
    if name.endswith(".toml"):
        return schedule_file.read(Path(name))
    raise EventError(f"there is no schedule {name!r}; there are {', '.join(schedule_file.names())}, or a .toml file.")


def recalled(path: Path) -> Tournament:
    """The tournament of a record; a last line that was cut off by a power failure counts for nothing."""
    return told(path, lines_of(path, path.read_bytes()))


def lines_of(path: Path, raw: bytes) -> list[dict[str, Any]]:
    """The whole lines of a record; raises `EventError` with the number of the one that is damaged."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            value = json.loads(line.decode())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise EventError(f"{path}:{number}: the line is damaged; put it right, or take it out.")
        found.append(value)
    return found


def told(path: Path, lines: list[dict[str, Any]]) -> Tournament:
    """The tournament of the lines of a record; raises `EventError` with the number of the one that makes no sense."""
    first = lines[0] if lines else {}
    players, schedule = first.get("players", []), first.get("schedule")
    named = isinstance(players, list) and all(isinstance(player, str) for player in players)
    if first.get("do") != "load" or not named or not isinstance(schedule, str):
        raise EventError(f"{path} is no record of a tournament: its first line must be a `load`.")
    book = first.get("rulebook")
    rules = rulebook_file.load(book).tournament if book in rulebook_file.names() else None
    paid, at = amount_of(first, "buy_in"), amount_of(first, "at")
    tournament = opened(schedule_of(schedule), players, int(paid), at, None if first.get("unlimited_rebuys") else rules)
    late, bounty, seat = (int(amount_of(dict.fromkeys(ABOUT, 0) | first, key)) for key in ABOUT)
    together = rules.hand_for_hand_places.value if rules else tournament.together
    tournament = replace(tournament, late_levels=late, bounty=bounty, seat=seat, together=together)
    for number, line in enumerate(lines[1:], start=2):
        try:
            tournament = after(tournament, line)
        except EventError as why:
            raise EventError(f"{path}:{number}: {why}") from None
    return tournament


def append(path: Path, made: Callable[[list[Line]], tuple[Line, Tournament]]) -> tuple[Line, Tournament]:
    """Write the line that `made` makes of the record so far, and see it on the disk before anything is said about it.

    The file is locked meanwhile: of two commands at once the second goes by what the first has written.
    """
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        raw = file.read()
        line, tournament = made(lines_of(path, raw))
        file.seek(raw.rfind(b"\n") + 1)
        file.truncate()
        file.write(line_written(line))
        file.flush()
        os.fsync(file.fileno())
    return line, tournament


def line_written(line: Mapping[str, object]) -> bytes:
    """A line as it stands in the file."""
    text = json.dumps(line, ensure_ascii=False)
    return (text if text.isprintable() else json.dumps(line)).encode() + b"\n"


def now(options: argparse.Namespace, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """When it happens: `at`, by the clock of the wall, which may be set back, and by the machine's since it began.

    A clock that is set while the machine runs moves no tournament: its seconds go on from the last line of this start.
    """
    if options.at is not None:
        return {"at": float(options.at)}
    up, boot = time.clock_gettime(time.CLOCK_BOOTTIME), _boot()
    timed = [line for line in lines if isinstance(line.get("at"), int | float)]
    last = timed[-1] if timed else {"at": 0.0}
    same = boot and last.get("boot") == boot and isinstance(last.get("up"), int | float)
    at = last["at"] + max(0.0, up - last["up"]) if same else max(time.time(), last["at"])
    return {"at": round(at, 3), "boot": boot, "up": round(up, 3)}


def _boot() -> str:
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""
