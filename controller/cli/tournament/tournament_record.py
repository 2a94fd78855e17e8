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
from controller.command_table import Option
from controller.core.protocol.player_names import MAX_PLAYER_NAME_LENGTH, NAME_WORDS, is_fit_player_name
from controller.core.tournament.money_terms import parse_terms
from controller.core.tournament.schedule import Schedule
from controller.core.tournament.tournament import (
    Tournament,
    TournamentError,
    apply_line,
    open_tournament,
    parse_amount,
    parse_units,
)
from controller.core.values.value import replace
from controller.strict_json import RepeatedKeyError, parse_json

RecordCommand = Callable[[argparse.Namespace], None]
RecordLine = dict[str, Any]
DEFAULT_RECORD = Path("tournament.jsonl")
OPTIONAL_KEYS = ("late_levels", "bounty", "seat")
"""What the first line of a record may say of the event besides, each 0 where it does not."""
BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")
"""Another with every start of the machine."""


def load_schedule(name: str) -> Schedule:
    """A schedule by name, or from a file of the house."""
    if name in schedule_file.list_schedules():
        return schedule_file.load_schedule(name)
    if name.endswith(".toml"):
        return schedule_file.read_schedule(Path(name))
    raise TournamentError(
        f"there is no schedule {name!r}; there are {', '.join(schedule_file.list_schedules())}, or a .toml file."
    )


def require_player_name(name: str) -> None:
    """Refuse a name that nobody can enter with; raises `TournamentError`. What a record has stands."""
    if not is_fit_player_name(name):
        shown = name if len(name) <= MAX_PLAYER_NAME_LENGTH else f"{name[:MAX_PLAYER_NAME_LENGTH]}…"
        raise TournamentError(f"nobody is entered as {shown!r}: a name has {NAME_WORDS}.")


def load_tournament(path: Path) -> Tournament:
    """The tournament of a record; a last line that was cut off by a power failure counts for nothing."""
    return build_tournament(path, parse_lines(path, path.read_bytes()))


def parse_lines(path: Path, raw: bytes) -> list[dict[str, Any]]:
    """The whole lines of a record; raises `TournamentError` with the number of the one that is damaged."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            value = parse_json(line.decode())
        except RepeatedKeyError as why:
            raise TournamentError(f"{path}:{number}: {why}.") from None
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise TournamentError(f"{path}:{number}: the line is damaged; put it right, or take it out.")
        found.append(value)
    return found


def build_tournament(path: Path, lines: list[dict[str, Any]]) -> Tournament:
    """The tournament of a record's lines; raises `TournamentError` with the number of one that makes no sense."""
    first = lines[0] if lines else {}
    players, schedule = first.get("players", []), first.get("schedule")
    named = isinstance(players, list) and all(isinstance(player, str) for player in players)
    if first.get("do") != "load" or not named or not isinstance(schedule, str):
        raise TournamentError(f"{path} is no record of a tournament: its first line must be a `load`.")
    book = first.get("rulebook")
    rules = rulebook_file.load_rulebook(book).tournament if book in rulebook_file.list_rulebooks() else None
    at, has_account = parse_amount(first, "at"), "payouts" in first
    paid = parse_units(first, "buy_in", has_account=has_account)
    tournament = open_tournament(
        load_schedule(schedule), players, paid, at, None if first.get("unlimited_rebuys") else rules
    )
    late, bounty, seat = (
        parse_units(dict.fromkeys(OPTIONAL_KEYS, 0) | first, key, has_account=has_account) for key in OPTIONAL_KEYS
    )
    try:
        terms = parse_terms(first)
    except ValueError as why:
        raise TournamentError(f"{path}:1: {why}") from why
    together = rules.hand_for_hand_places.value if rules else tournament.same_hand_ranking
    tournament = replace(
        tournament,
        terms=terms,
        late_entry_levels=late,
        bounty=bounty,
        satellite_seat_price=seat,
        same_hand_ranking=together,
    )
    for number, line in enumerate(lines[1:], start=2):
        try:
            tournament = apply_line(tournament, line)
        except TournamentError as why:
            raise TournamentError(f"{path}:{number}: {why}") from None
    return tournament


def append_line(
    path: Path, made: Callable[[list[RecordLine]], tuple[RecordLine, Tournament]]
) -> tuple[RecordLine, Tournament]:
    """Write the line that `made` makes of the record so far, and see it on the disk before anything is said about it.

    The file is locked meanwhile: of two commands at once the second goes by what the first has written.
    """
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        raw = file.read()
        line, tournament = made(parse_lines(path, raw))
        file.seek(raw.rfind(b"\n") + 1)
        file.truncate()
        file.write(format_line(line))
        file.flush()
        os.fsync(file.fileno())
    return line, tournament


def format_line(line: Mapping[str, object]) -> bytes:
    """A line as it stands in the file."""
    text = json.dumps(line, ensure_ascii=False)
    return (text if text.isprintable() else json.dumps(line)).encode() + b"\n"


def make_timestamp(options: argparse.Namespace, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """When it happens: `at`, by the clock of the wall, which may be set back, and by the machine's since it began.

    A clock that is set while the machine runs moves no tournament: its seconds go on from the last line of this start.
    """
    if options.at is not None:
        return {"at": float(options.at)}
    up, boot = time.clock_gettime(time.CLOCK_BOOTTIME), _read_boot_id()
    timed = [line for line in lines if isinstance(line.get("at"), int | float)]
    last = timed[-1] if timed else {"at": 0.0}
    same = boot and last.get("boot") == boot and isinstance(last.get("up"), int | float)
    at = last["at"] + max(0.0, up - last["up"]) if same else max(time.time(), last["at"])
    return {"at": round(at, 3), "boot": boot, "up": round(up, 3)}


def _read_boot_id() -> str:
    try:
        return BOOT_ID_FILE.read_text(encoding="ascii").strip()
    except OSError:
        return ""


RECORD_OPTIONS = (
    Option("--record FILE", f"the record ({DEFAULT_RECORD})", Path, default=DEFAULT_RECORD),
    Option("--at SECONDS", "when it happened, in seconds since 1970 (default: now)", float),
)
"""What every command takes that reads or writes a record."""

RULEBOOK = Option("--rulebook", "(fish-n-chips)", default="fish-n-chips", choices=rulebook_file.list_rulebooks)
"""The option of every command that a clause of a book decides."""
