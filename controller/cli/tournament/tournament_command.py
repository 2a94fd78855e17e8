"""`tablectl tournament`: the clock, the places, the prizes and the league of a tournament."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from config.config_error import ConfigError
from controller.cli.tournament import clock_command, league_command, prizes_command, seating_command
from controller.cli.tournament.tournament_record import (
    OPTIONAL_KEYS,
    RECORD_OPTIONS,
    RULEBOOK,
    RecordCommand,
    append_line,
    build_tournament,
    format_line,
    load_schedule,
    make_timestamp,
)
from controller.command_table import Command, Option
from controller.core.tournament.tournament import Tournament, apply_line, open_tournament, parse_amount


def run(options: argparse.Namespace) -> int:
    """Run the command; the exit status: 0 done, 1 refused, 2 a file cannot be used."""
    try:
        options.action(options)
    except BrokenPipeError:
        raise
    except FileNotFoundError as why:
        hint = "; `load` begins a record" if why.filename == str(getattr(options, "record", None)) else ""
        print(f"tablectl tournament: {why.filename}: no such file{hint}", file=sys.stderr)
        return 2
    except (ConfigError, OSError, UnicodeDecodeError, json.JSONDecodeError) as why:
        told = f"{why.filename}: {why.strerror}" if isinstance(why, OSError) else why
        print(f"tablectl tournament: {told}", file=sys.stderr)
        return 2
    except ValueError as why:
        print(f"tablectl tournament: {why}", file=sys.stderr)
        return 1
    return 0


def _begin_record(options: argparse.Namespace) -> None:
    schedule = load_schedule(options.schedule)
    open_tournament(schedule, options.players, options.buy_in)
    for key in OPTIONAL_KEYS:
        parse_amount({"do": "load", key: getattr(options, key)}, key)
    name = str(Path(options.schedule).resolve()) if options.schedule.endswith(".toml") else options.schedule
    line = {"do": "load", "schedule": name, "players": options.players, "buy_in": options.buy_in}
    line |= {"rulebook": options.rulebook, "unlimited_rebuys": options.unlimited_rebuys} | make_timestamp(options, [])
    line |= {key: value for key in OPTIONAL_KEYS if (value := getattr(options, key))}
    with options.record.open("xb") as file:
        file.write(format_line(line))
        file.flush()
        os.fsync(file.fileno())
    print(f"{schedule.title}: {len(options.players)} players, {len(schedule.levels)} levels")


def _make_event_command(word: str, *keys: str) -> RecordCommand:
    def command(options: argparse.Namespace) -> None:
        def make_line_and_tournament(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], Tournament]:
            line = {"do": word} | {
                key: value for key in keys if (value := getattr(options, key)) not in ("", False, None)
            }
            line |= make_timestamp(options, lines)
            return line, apply_line(build_tournament(options.record, lines), line)

        line, tournament = append_line(options.record, make_line_and_tournament)
        if word in ("start", "pause", "resume"):
            print(clock_command.format_reading(tournament.clock.read(line["at"]), tournament.clock.schedule))
        else:
            print(clock_command.format_players_left(tournament))

    return command


PLAYER = Option("player PLAYER", "as entered with load")
AMOUNT = Option("--amount AMOUNT", "what it cost, whole units", int, required=True)

EVENT_COMMANDS = (
    Command(
        "load",
        "begin a record: a schedule and the entrants",
        Option("schedule", "the name of a schedule, or a TOML file"),
        Option("players PLAYER", "the entrants", nargs="+"),
        RULEBOOK,
        Option("--unlimited-rebuys", "no limit of the book holds for rebuys", flag=True),
        Option("--buy-in AMOUNT", "what each paid, whole units (0)", int, default=0),
        Option("--late-levels N", "late entry until the end of level N (any)", int, default=0),
        Option("--bounty AMOUNT", "for each player knocked out (0)", int, default=0),
        Option("--seat AMOUNT", "a satellite: what a seat costs in the event it leads to", int, default=0),
        *RECORD_OPTIONS,
        action=_begin_record,
    ),
    Command("start", "start the clock", *RECORD_OPTIONS, action=_make_event_command("start")),
    Command("pause", "stop it", *RECORD_OPTIONS, action=_make_event_command("pause")),
    Command("resume", "let it go on", *RECORD_OPTIONS, action=_make_event_command("resume")),
    Command(
        "eliminate",
        "a player has lost the last chip",
        PLAYER,
        Option("--hand N", "number of the hand", int, required=True),
        Option("--stack CHIPS", "the stack at the start of that hand", int, required=True),
        Option("--disqualified", "earns the prize of the place, and no points", flag=True),
        Option("--by PLAYER", "who has knocked the player out, for the bounty"),
        Option("--table NAME", "where; each table counts its own hands", default=""),
        *RECORD_OPTIONS,
        action=_make_event_command("eliminate", "player", "hand", "stack", "disqualified", "table", "by"),
    ),
    Command(
        "late-entry",
        "a late or alternate player enters",
        Option("player PLAYER", "with a full stack"),
        *RECORD_OPTIONS,
        action=_make_event_command("late-entry", "player"),
    ),
    Command(
        "re-entry",
        "one without chips enters again",
        Option("player PLAYER", "with a full stack"),
        *RECORD_OPTIONS,
        action=_make_event_command("re-entry", "player"),
    ),
    Command(
        "hand-for-hand",
        "the tables play hand for hand from now on, or do no more: --hand counts common hands",
        *RECORD_OPTIONS,
        action=_make_event_command("hand-for-hand"),
    ),
    Command(
        "rebuy",
        "a player buys in again",
        PLAYER,
        AMOUNT,
        Option("--last-hand", "the loss was on the last hand of a level", flag=True),
        *RECORD_OPTIONS,
        action=_make_event_command("rebuy", "player", "amount", "last_hand"),
    ),
    Command(
        "add-on",
        "a player buys more chips",
        PLAYER,
        AMOUNT,
        *RECORD_OPTIONS,
        action=_make_event_command("add-on", "player", "amount"),
    ),
)

COMMAND = Command(
    "tournament",
    "Runs the clock of a tournament by a schedule, keeps who went out when, pays out and scores a "
    "league. Everything is kept in a record of events (--record), one JSON line each; the same record gives the "
    "same tournament after any restart.",
    *clock_command.COMMANDS,
    *EVENT_COMMANDS,
    *prizes_command.COMMANDS,
    *league_command.COMMANDS,
    *seating_command.COMMANDS,
    run=run,
)
