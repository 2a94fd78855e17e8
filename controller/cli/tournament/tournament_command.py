"""`tablectl tournament`: the clock, the places, the prizes and the league of a tournament."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from config import rulebook_file
from config.config_error import ConfigError
from controller.cli.tournament import clock_command, league_command, prizes_command, seating_command
from controller.cli.tournament.tournament_record import (
    OPTIONAL_KEYS,
    RecordCommand,
    add_record_options,
    append_line,
    build_tournament,
    format_line,
    load_schedule,
    make_timestamp,
)
from controller.core.tournament.tournament import Tournament, apply_line, open_tournament, parse_amount


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "tournament",
        description="Runs the clock of a tournament by a schedule, keeps who went out when, pays out and scores a "
        "league. Everything is kept in a record of events (--record), one JSON line each; the same record gives the "
        "same tournament after any restart.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    clock_command.add(commands)
    _add_event_commands(commands)
    prizes_command.add(commands)
    league_command.add(commands)
    seating_command.add(commands)
    for command in commands.choices.values():
        command.set_defaults(run=run)


def _add_event_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    load = commands.add_parser("load", help="begin a record: a schedule and the entrants")
    load.add_argument("schedule", help="the name of a schedule, or a TOML file")
    load.add_argument("players", nargs="+", metavar="PLAYER", help="the entrants")
    load.add_argument(
        "--rulebook", default="fish-n-chips", choices=rulebook_file.list_rulebooks(), help="(fish-n-chips)"
    )
    load.add_argument("--unlimited-rebuys", action="store_true", help="no limit of the book holds for rebuys")
    load.add_argument("--buy-in", type=int, default=0, metavar="AMOUNT", help="what each paid, whole units (0)")
    load.add_argument(
        "--late-levels", type=int, default=0, metavar="N", help="late entry until the end of level N (any)"
    )
    load.add_argument("--bounty", type=int, default=0, metavar="AMOUNT", help="for each player knocked out (0)")
    load.add_argument(
        "--seat", type=int, default=0, metavar="AMOUNT", help="a satellite: what a seat costs in the event it leads to"
    )
    add_record_options(load, _begin_record)
    for word, what in (("start", "start the clock"), ("pause", "stop it"), ("resume", "let it go on")):
        add_record_options(commands.add_parser(word, help=what), _make_event_command(word))
    out = commands.add_parser("eliminate", help="a player has lost the last chip")
    out.add_argument("player", metavar="PLAYER", help="as entered with load")
    out.add_argument("--hand", type=int, required=True, metavar="N", help="number of the hand")
    out.add_argument("--stack", type=int, required=True, metavar="CHIPS", help="the stack at the start of that hand")
    out.add_argument("--disqualified", action="store_true", help="earns the prize of the place, and no points")
    out.add_argument("--by", metavar="PLAYER", help="who has knocked the player out, for the bounty")
    out.add_argument("--table", default="", metavar="NAME", help="where; each table counts its own hands")
    add_record_options(out, _make_event_command("eliminate", "player", "hand", "stack", "disqualified", "table", "by"))
    for word, what in (
        ("late-entry", "a late or alternate player enters"),
        ("re-entry", "one without chips enters again"),
    ):
        entry = commands.add_parser(word, help=what)
        entry.add_argument("player", metavar="PLAYER", help="with a full stack")
        add_record_options(entry, _make_event_command(word, "player"))
    common = commands.add_parser(
        "hand-for-hand", help="the tables play hand for hand from now on, or do no more: --hand counts common hands"
    )
    add_record_options(common, _make_event_command("hand-for-hand"))
    for word, what in (("rebuy", "a player buys in again"), ("add-on", "a player buys more chips")):
        more = commands.add_parser(word, help=what)
        more.add_argument("player", metavar="PLAYER", help="as entered with load")
        more.add_argument("--amount", type=int, required=True, metavar="AMOUNT", help="what it cost, whole units")
        if word == "rebuy":
            more.add_argument("--last-hand", action="store_true", help="the loss was on the last hand of a level")
        add_record_options(
            more, _make_event_command(word, "player", "amount", *(("last_hand",) if word == "rebuy" else ()))
        )


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
