"""`tablectl tournament`, of the clock: the schedules, and the level that is on."""

import argparse
import json

from config import schedule_file
from controller.cli.tournament.tournament_record import (
    RECORD_OPTIONS,
    build_tournament,
    load_schedule,
    make_timestamp,
    parse_lines,
)
from controller.command_table import JSON, Command, Option
from controller.core.tournament.schedule import BlindLevel, Schedule, ScheduledBreak
from controller.core.tournament.tournament import Tournament
from controller.core.tournament.tournament_clock import ClockReading, ClockStage
from controller.core.values.plurals import pluralize


def _list_schedules(options: argparse.Namespace) -> None:  # noqa: ARG001 (every command takes them)
    for name in schedule_file.list_schedules():
        schedule = schedule_file.load_schedule(name)
        last = len(schedule.levels) - 1
        print(f"{name}\t{schedule.title}\t{last + 1} levels, {format_hours(60 * schedule.elapsed_minutes(last))}")


def _show_schedule(options: argparse.Namespace) -> None:
    schedule = load_schedule(options.name)
    rows = [("level", "small", "big", "ante", "minutes", "ends at")]
    for index, level in enumerate(schedule.levels):
        lesser = "/".join(f"{blind:,}" for blind in level.blinds[:-1])
        stakes = (lesser, f"{level.big_blind:,}", f"{level.ante:,}" if level.ante else "-")
        rows.append((str(index + 1), *stakes, str(level.minutes), format_hours(60 * schedule.elapsed_minutes(index))))
        if level.following_break is not None:
            rows.append(
                (
                    "-",
                    f"break{_format_colour_out(level.following_break)}",
                    "",
                    "",
                    str(level.following_break.minutes),
                    "",
                )
            )
    print(schedule.title)
    for row in rows:
        if row[0] == "-":
            print(f"{row[0]:>5}  {row[4]}-minute {row[1]}")
        else:
            print("  ".join(f"{cell:>{width}}" for cell, width in zip(row, (5, 9, 9, 9, 7, 7), strict=True)))


def _format_colour_out(pause: ScheduledBreak) -> str:
    out = []
    for chips in pause.colour_out:
        value = "chips that the director names" if chips.chip_value is None else f"{chips.chip_value:,}s"
        out.append(value if chips.part.value == "all" else f"{chips.part.value.replace('-', ' ')} {value}")
    return f", colour out {' and '.join(out)}" if out else ""


def format_hours(seconds: float) -> str:
    """Hours and minutes, as a schedule prints them."""
    minutes = int(seconds // 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def _format_clock(seconds: float) -> str:
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02}"


def format_stakes(level: BlindLevel) -> str:
    """The stakes of a level in words."""
    ante = f", ante {level.ante:,}" if level.ante else ""
    return f"{'/'.join(f'{blind:,}' for blind in level.blinds)}{ante}"


def format_reading(reading: ClockReading, schedule: Schedule) -> str:
    """What the clock says, in a sentence without its stop."""
    now = schedule.levels[reading.level_index]
    if reading.stage is ClockStage.OVER:
        return f"the schedule is over; level {reading.level_index + 1} stays: {format_stakes(now)}"
    still = "" if reading.is_running or reading.stage is ClockStage.WAITING else ", the clock stands still"
    following = reading.level_index + 1
    then = (
        f"then level {following + 1}: {format_stakes(schedule.levels[following])}"
        if following < len(schedule.levels)
        else ""
    )
    if reading.stage is ClockStage.BREAK:
        assert reading.current_break is not None
        return (
            f"break for {_format_clock(reading.left_s)} more{_format_colour_out(reading.current_break)}, {then}{still}"
        )
    pause = "no more break" if reading.to_break_s is None else f"break in {_format_clock(reading.to_break_s)}"
    begun = "not started, " if reading.stage is ClockStage.WAITING else ""
    parts = (f"{begun}level {following}: {format_stakes(now)}", f"{_format_clock(reading.left_s)} left", pause, then)
    return ", ".join(part for part in parts if part) + still


def format_players_left(tournament: Tournament) -> str:
    """How many still play; of a satellite for how many seats, and whether it is over."""
    left = f"{len(tournament.remaining_players)} of {len(tournament.entrants)} players left"
    if not tournament.satellite_seat_price:
        return left
    seats = pluralize(tournament.satellite_seat_count, "seat")
    return f"{left}, the satellite is over: {seats}" if tournament.is_satellite_over else f"{left}, {seats} to be won"


def _show_status(options: argparse.Namespace) -> None:
    lines = parse_lines(options.record, options.record.read_bytes())
    tournament = build_tournament(options.record, lines)
    schedule = tournament.clock.schedule
    reading = tournament.clock.read(make_timestamp(options, lines)["at"])
    if not options.json:
        print(format_reading(reading, schedule))
        print(format_players_left(tournament))
        return
    level = schedule.levels[reading.level_index]
    shown = {
        "stage": reading.stage.value,
        "level": reading.level_index + 1,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        **({"blinds": list(level.blinds)} if level.middle_blinds else {}),
        "ante": level.ante,
        "left": reading.left_s,
        "to_break": reading.to_break_s,
        "elapsed": reading.elapsed_s,
        "running": reading.is_running,
        "players": list(tournament.remaining_players),
        "seats": tournament.satellite_seat_count,
        "over": tournament.is_satellite_over,
    }
    print(json.dumps(shown, ensure_ascii=False))


COMMANDS = (
    Command("schedules", "list the schedules", action=_list_schedules),
    Command(
        "schedule",
        "show a schedule, with the time at the end of each level",
        Option("name", "the name of the schedule, or a TOML file"),
        action=_show_schedule,
    ),
    Command("status", "show level, time left and next break", *RECORD_OPTIONS, JSON, action=_show_status),
)
