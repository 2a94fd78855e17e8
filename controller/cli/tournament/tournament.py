"""`tablectl tournament`: the clock, the places, the prizes and the league of a tournament."""

import argparse
import csv
import fcntl
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from config import rulebook_file, schedule_file
from config.errors import ConfigError
from controller.cli.tournament import league, tables
from controller.core.tournament.chop import chip_chop, icm
from controller.core.tournament.clock import Reading, Stage
from controller.core.tournament.event import CENTS, EventError, Tournament, after, amount_of, opened
from controller.core.tournament.finish import Finish
from controller.core.tournament.payouts import prizes
from controller.core.tournament.schedule import Break, Level, Schedule

Command = Callable[[argparse.Namespace], None]
Line = dict[str, Any]
RECORD = Path("tournament.jsonl")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""Another with every start of the machine."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "tournament",
        description="Runs the clock of a tournament by a schedule, keeps who went out when, pays out and scores a "
        "league. Everything is kept in a record of events (--record), one JSON line each; the same record gives the "
        "same tournament after any restart.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = commands.add_parser("schedules", help="list the schedules")
    listing.set_defaults(run=run, tournament_command=_schedules)
    show = commands.add_parser("schedule", help="show a schedule, with the time at the end of each level")
    show.add_argument("name", help="the name of the schedule, or a TOML file")
    show.set_defaults(run=run, tournament_command=_schedule)
    _event_commands(commands)
    status = commands.add_parser("status", help="show level, time left and next break")
    _recorded(status, _status)
    _as_json(status)
    pay = commands.add_parser("payout", help="places and prizes, as a table or as JSON")
    pay.add_argument("--purse", type=int, metavar="AMOUNT", help="a prize pool, instead of the record's")
    pay.add_argument("--players", type=int, metavar="N", help="players at the start, with --purse")
    pay.add_argument(
        "--rakes", type=int, metavar="AMOUNT", help="of a season's Championship: rakes that come in, and none goes out"
    )
    _recorded(pay, _payout)
    _as_json(pay)
    chop = commands.add_parser("chop", help="what each would have if those who are left shared what is left")
    chop.add_argument("stacks", nargs="+", metavar="PLAYER=CHIPS", help="who is left, with the chips of each")
    chop.add_argument("--chips", action="store_true", help="by chips, not by the chances of finishing (ICM)")
    chop.add_argument("--prizes", type=int, nargs="+", metavar="AMOUNT", help="what is left, instead of the record's")
    _recorded(chop, _chop)
    scored = commands.add_parser("results", help="the results of the record, as lines of a league's CSV")
    scored.add_argument("--event", default="", metavar="NAME", help="the event's name (the record's)")
    _recorded(scored, _results)
    league.add(commands)
    tables.add(commands)
    for command in commands.choices.values():
        command.set_defaults(run=run)


def _event_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    load = commands.add_parser("load", help="begin a record: a schedule and the entrants")
    load.add_argument("schedule", help="the name of a schedule, or a TOML file")
    load.add_argument("players", nargs="+", metavar="PLAYER", help="the entrants")
    load.add_argument("--rulebook", default="fish-n-chips", choices=rulebook_file.names(), help="(fish-n-chips)")
    load.add_argument("--unlimited-rebuys", action="store_true", help="no limit of the book holds for rebuys")
    load.add_argument("--buy-in", type=int, default=0, metavar="AMOUNT", help="what each paid, whole units (0)")
    load.add_argument(
        "--late-levels", type=int, default=0, metavar="N", help="late entry until the end of level N (any)"
    )
    load.add_argument("--bounty", type=int, default=0, metavar="AMOUNT", help="for each player knocked out (0)")
    _recorded(load, _load)
    for word, what in (("start", "start the clock"), ("pause", "stop it"), ("resume", "let it go on")):
        _recorded(commands.add_parser(word, help=what), _event(word))
    out = commands.add_parser("eliminate", help="a player has lost the last chip")
    out.add_argument("player", metavar="PLAYER", help="as entered with load")
    out.add_argument("--hand", type=int, required=True, metavar="N", help="number of the hand")
    out.add_argument("--stack", type=int, required=True, metavar="CHIPS", help="the stack at the start of that hand")
    out.add_argument("--disqualified", action="store_true", help="earns the prize of the place, and no points")
    out.add_argument("--by", metavar="PLAYER", help="who has knocked the player out, for the bounty")
    out.add_argument("--table", default="", metavar="NAME", help="where; each table counts its own hands")
    _recorded(out, _event("eliminate", "player", "hand", "stack", "disqualified", "table", "by"))
    for word, what in (
        ("late-entry", "a late or alternate player enters"),
        ("re-entry", "one without chips enters again"),
    ):
        entry = commands.add_parser(word, help=what)
        entry.add_argument("player", metavar="PLAYER", help="with a full stack")
        _recorded(entry, _event(word, "player"))
    common = commands.add_parser(
        "hand-for-hand", help="the tables play hand for hand from now on, or do no more: --hand counts common hands"
    )
    _recorded(common, _event("hand-for-hand"))
    for word, what in (("rebuy", "a player buys in again"), ("add-on", "a player buys more chips")):
        more = commands.add_parser(word, help=what)
        more.add_argument("player", metavar="PLAYER", help="as entered with load")
        more.add_argument("--amount", type=int, required=True, metavar="AMOUNT", help="what it cost, whole units")
        if word == "rebuy":
            more.add_argument("--last-hand", action="store_true", help="the loss was on the last hand of a level")
        _recorded(more, _event(word, "player", "amount", *(("last_hand",) if word == "rebuy" else ())))


def _recorded(parser: argparse.ArgumentParser, command: Command) -> None:
    parser.add_argument("--record", type=Path, default=RECORD, metavar="FILE", help=f"the record ({RECORD})")
    parser.add_argument(
        "--at", type=float, metavar="SECONDS", help="when it happened, in seconds since 1970 (default: now)"
    )
    parser.set_defaults(run=run, tournament_command=command)


def _as_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Run the command; the exit status: 0 done, 1 refused, 2 a file cannot be used."""
    try:
        options.tournament_command(options)
    except BrokenPipeError:
        raise
    except FileNotFoundError as why:
        hint = "; `load` begins a record" if why.filename == str(getattr(options, "record", None)) else ""
        print(f"tablectl tournament: {why.filename}: no such file{hint}", file=sys.stderr)
        return 2
    except (ConfigError, OSError, UnicodeDecodeError, json.JSONDecodeError) as why:
        print(f"tablectl tournament: {why}", file=sys.stderr)
        return 2
    except ValueError as why:
        print(f"tablectl tournament: {why}", file=sys.stderr)
        return 1
    return 0


def schedule_of(name: str) -> Schedule:
    """A schedule by name, or from a file of the house."""
    if name in schedule_file.names():
        return schedule_file.load(name)
    if name.endswith(".toml"):
        return schedule_file.read(Path(name))
    raise EventError(f"there is no schedule {name!r}; there are {', '.join(schedule_file.names())}, or a .toml file.")


def recalled(path: Path) -> Tournament:
    """The tournament of a record; a last line that was cut off by a power failure counts for nothing."""
    return _told(path, _lines(path, path.read_bytes()))


def _lines(path: Path, raw: bytes) -> list[dict[str, Any]]:
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


def _told(path: Path, lines: list[dict[str, Any]]) -> Tournament:
    first = lines[0] if lines else {}
    players, schedule = first.get("players", []), first.get("schedule")
    named = isinstance(players, list) and all(isinstance(player, str) for player in players)
    if first.get("do") != "load" or not named or not isinstance(schedule, str):
        raise EventError(f"{path} is no record of a tournament: its first line must be a `load`.")
    book = first.get("rulebook")
    rules = rulebook_file.load(book).tournament if book in rulebook_file.names() else None
    paid, at = amount_of(first, "buy_in"), amount_of(first, "at")
    tournament = opened(schedule_of(schedule), players, int(paid), at, None if first.get("unlimited_rebuys") else rules)
    late, bounty = (int(amount_of({"late_levels": 0, "bounty": 0} | first, key)) for key in ("late_levels", "bounty"))
    tournament = replace(tournament, late_levels=late, bounty=bounty)
    for number, line in enumerate(lines[1:], start=2):
        try:
            tournament = after(tournament, line)
        except EventError as why:
            raise EventError(f"{path}:{number}: {why}") from None
    return tournament


def _append(path: Path, made: Callable[[list[Line]], tuple[Line, Tournament]]) -> tuple[Line, Tournament]:
    """Write the line that `made` makes of the record so far, and see it on the disk before anything is said about it.

    The file is locked meanwhile: of two commands at once the second goes by what the first has written.
    """
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        raw = file.read()
        line, tournament = made(_lines(path, raw))
        file.seek(raw.rfind(b"\n") + 1)
        file.truncate()
        file.write(_line(line))
        file.flush()
        os.fsync(file.fileno())
    return line, tournament


def _line(line: Mapping[str, object]) -> bytes:
    text = json.dumps(line, ensure_ascii=False)
    return (text if text.isprintable() else json.dumps(line)).encode() + b"\n"


def _now(options: argparse.Namespace, lines: list[dict[str, Any]]) -> dict[str, Any]:
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


def _load(options: argparse.Namespace) -> None:
    schedule = schedule_of(options.schedule)
    opened(schedule, options.players, options.buy_in)
    name = str(Path(options.schedule).resolve()) if options.schedule.endswith(".toml") else options.schedule
    line = {"do": "load", "schedule": name, "players": options.players, "buy_in": options.buy_in}
    line |= {"rulebook": options.rulebook, "unlimited_rebuys": options.unlimited_rebuys} | _now(options, [])
    line |= {key: value for key in ("late_levels", "bounty") if (value := getattr(options, key))}
    with options.record.open("xb") as file:
        file.write(_line(line))
        file.flush()
        os.fsync(file.fileno())
    print(f"{schedule.title}: {len(options.players)} players, {len(schedule.levels)} levels")


def _event(word: str, *keys: str) -> Command:
    def command(options: argparse.Namespace) -> None:
        def made(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], Tournament]:
            line = {"do": word} | {
                key: value for key in keys if (value := getattr(options, key)) not in ("", False, None)
            }
            line |= _now(options, lines)
            return line, after(_told(options.record, lines), line)

        line, tournament = _append(options.record, made)
        if word in ("start", "pause", "resume"):
            print(_said(tournament.clock.read(line["at"]), tournament.clock.schedule))
        else:
            print(f"{len(tournament.remaining)} of {len(tournament.entrants)} players left")

    return command


def _schedules(options: argparse.Namespace) -> None:  # noqa: ARG001 (every command takes them)
    for name in schedule_file.names():
        schedule = schedule_file.load(name)
        last = len(schedule.levels) - 1
        print(f"{name}\t{schedule.title}\t{last + 1} levels, {hours(60 * schedule.elapsed(last))}")


def _schedule(options: argparse.Namespace) -> None:
    schedule = schedule_of(options.name)
    rows = [("level", "small", "big", "ante", "minutes", "ends at")]
    for index, level in enumerate(schedule.levels):
        stakes = (f"{level.small_blind:,}", f"{level.big_blind:,}", f"{level.ante:,}" if level.ante else "-")
        rows.append((str(index + 1), *stakes, str(level.minutes), hours(60 * schedule.elapsed(index))))
        if level.then is not None:
            rows.append(("-", f"break{_chips(level.then)}", "", "", str(level.then.minutes), ""))
    print(schedule.title)
    for row in rows:
        if row[0] == "-":
            print(f"{row[0]:>5}  {row[4]}-minute {row[1]}")
        else:
            print("  ".join(f"{cell:>{width}}" for cell, width in zip(row, (5, 9, 9, 9, 7, 7), strict=True)))


def _chips(pause: Break) -> str:
    out = []
    for chips in pause.colour_out:
        value = "chips that the director names" if chips.chip is None else f"{chips.chip:,}s"
        out.append(value if chips.part.value == "all" else f"{chips.part.value.replace('-', ' ')} {value}")
    return f", colour out {' and '.join(out)}" if out else ""


def hours(seconds: float) -> str:
    """Hours and minutes, as a schedule prints them."""
    minutes = int(seconds // 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def _clock(seconds: float) -> str:
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02}"


def stakes(level: Level) -> str:
    """The stakes of a level in words."""
    ante = f", ante {level.ante:,}" if level.ante else ""
    return f"{level.small_blind:,}/{level.big_blind:,}{ante}"


def _said(reading: Reading, schedule: Schedule) -> str:
    now = schedule.levels[reading.level]
    if reading.stage is Stage.OVER:
        return f"the schedule is over; level {reading.level + 1} stays: {stakes(now)}"
    still = "" if reading.running or reading.stage is Stage.WAITING else ", the clock stands still"
    following = reading.level + 1
    then = (
        f"then level {following + 1}: {stakes(schedule.levels[following])}" if following < len(schedule.levels) else ""
    )
    if reading.stage is Stage.BREAK:
        assert reading.pause is not None
        return f"break for {_clock(reading.left)} more{_chips(reading.pause)}, {then}{still}"
    pause = "no more break" if reading.to_break is None else f"break in {_clock(reading.to_break)}"
    begun = "not started, " if reading.stage is Stage.WAITING else ""
    parts = (f"{begun}level {following}: {stakes(now)}", f"{_clock(reading.left)} left", pause, then)
    return ", ".join(part for part in parts if part) + still


def _status(options: argparse.Namespace) -> None:
    lines = _lines(options.record, options.record.read_bytes())
    tournament = _told(options.record, lines)
    schedule = tournament.clock.schedule
    reading = tournament.clock.read(_now(options, lines)["at"])
    if not options.json:
        print(_said(reading, schedule))
        print(f"{len(tournament.remaining)} of {len(tournament.entrants)} players left")
        return
    level = schedule.levels[reading.level]
    shown = {
        "stage": reading.stage.value,
        "level": reading.level + 1,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "ante": level.ante,
        "left": reading.left,
        "to_break": reading.to_break,
        "elapsed": reading.elapsed,
        "running": reading.running,
        "players": list(tournament.remaining),
    }
    print(json.dumps(shown, ensure_ascii=False))


def money(cents: int) -> str:
    """An amount in cents, without its cents where there are none."""
    return f"{cents // CENTS:,}" if cents % CENTS == 0 else f"{cents / CENTS:,.2f}"


def _payout(options: argparse.Namespace) -> None:
    if (options.purse is None) != (options.players is None):
        raise EventError("--purse and --players go together.")
    if options.rakes is not None and (options.purse is not None or options.rakes < 0):
        raise EventError("--rakes is an amount from 0, and goes with a record.")
    finishes: tuple[Finish, ...] = ()
    bounties: dict[str, int] = {}
    if options.purse is not None:
        amounts, purse, rake = prizes(options.purse * CENTS, options.players), options.purse * CENTS, 0
    else:
        tournament = recalled(options.record)
        if options.rakes is not None:
            tournament = tournament.as_championship(options.rakes)
        amounts, (purse, rake), finishes = tournament.prizes(), tournament.purse(), tournament.finishes()
        bounties = tournament.bounties()
    if options.json:
        shown = {
            "pool": purse / CENTS,
            "rake": rake / CENTS,
            "prizes": [amount / CENTS for amount in amounts],
            "finishes": [
                {"player": finish.player, "place": finish.place, "tied": finish.tied, "prize": finish.prize / CENTS}
                for finish in finishes
            ],
        }
        print(json.dumps(shown, ensure_ascii=False))
        return
    print(f"prize pool {money(purse)}, rake {money(rake)}")
    for place, amount in enumerate(amounts, start=1):
        print(f"{place:>3}  {money(amount):>10}")
    for player, earned in bounties.items():
        print(f"bounties of {player}  {money(earned)}")
    for finish in finishes:
        tied = f" (tied, {finish.tied} players)" if finish.tied > 1 else ""
        print(f"{finish.place:>3}  {finish.player}{tied}  {money(finish.prize)}")


def _chop(options: argparse.Namespace) -> None:
    stacks = {
        name: int(chips) for name, _, chips in (each.rpartition("=") for each in options.stacks) if chips.isdecimal()
    }
    if len(stacks) != len(options.stacks) or "" in stacks:
        raise EventError("the stacks are written PLAYER=CHIPS, each player once.")
    left = [prize * CENTS for prize in options.prizes or ()] or recalled(options.record).prizes()[: len(stacks)]
    try:
        found = (chip_chop if options.chips else icm)(stacks, left)
    except ValueError as error:
        raise EventError(str(error)) from error
    for player, share in found.items():
        print(f"{player}  {money(share)}")


def _results(options: argparse.Namespace) -> None:
    """Print a league's lines of everybody whose place is known; who was disqualified earns no points."""
    tournament = recalled(options.record)
    name = options.event or Path(options.record).stem
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow((*league.COLUMNS, "status"))
    for finish in tournament.finishes():
        spent, status = tournament.spent(finish.player), "forfeits" if finish.disqualified else ""
        entrants = len(tournament.entrants)
        lines.writerow((name, finish.player, entrants, tournament.buy_in, spent, f"{finish.mean_place:g}", status))
