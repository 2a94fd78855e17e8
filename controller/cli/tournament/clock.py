"""`tablectl tournament`, of the clock: the schedules, and the level that is on."""

import argparse
import json

from config import schedule_file
from controller.cli.tournament.record import as_json, lines_of, now, recorded, schedule_of, told
from controller.core.tournament.clock import Reading, Stage
from controller.core.tournament.event import Tournament
from controller.core.tournament.schedule import Break, Level, Schedule
from controller.core.values.counted import counted


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands; each sets `tournament_command`."""
    listing = commands.add_parser("schedules", help="list the schedules")
    listing.set_defaults(tournament_command=_schedules)
    show = commands.add_parser("schedule", help="show a schedule, with the time at the end of each level")
    show.add_argument("name", help="the name of the schedule, or a TOML file")
    show.set_defaults(tournament_command=_schedule)
    status = commands.add_parser("status", help="show level, time left and next break")
    recorded(status, _status)
    as_json(status)


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


def said(reading: Reading, schedule: Schedule) -> str:
    """What the clock says, in a sentence without its stop."""
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


def players_left(tournament: Tournament) -> str:
    """How many still play; of a satellite for how many seats, and whether it is over."""
    left = f"{len(tournament.remaining)} of {len(tournament.entrants)} players left"
    if not tournament.seat:
        return left
    seats = counted(tournament.seats, "seat")
    return f"{left}, the satellite is over: {seats}" if tournament.over else f"{left}, {seats} to be won"


def _status(options: argparse.Namespace) -> None:
    lines = lines_of(options.record, options.record.read_bytes())
    tournament = told(options.record, lines)
    schedule = tournament.clock.schedule
    reading = tournament.clock.read(now(options, lines)["at"])
    if not options.json:
        print(said(reading, schedule))
        print(players_left(tournament))
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
        "seats": tournament.seats,
        "over": tournament.over,
    }
    print(json.dumps(shown, ensure_ascii=False))
