"""`tablectl tournament`: the clock, the places, the prizes and the league of a tournament."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from config import payout_file, rulebook_file
from config.config_error import ConfigError
from controller.cli.tournament import clock_command, jackpot_command, league_command, prizes_command, seating_command
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
    require_player_name,
)
from controller.command_table import Command, Option
from controller.core.tournament.money_terms import (
    TENTHS_PER_PERCENT,
    MoneyTerms,
    parse_cents,
    parse_tenths,
    parse_terms,
    parse_whole,
    terms_to_json,
)
from controller.core.tournament.tournament import Tournament, TournamentError, apply_line, open_tournament, parse_amount


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
    for name in options.players:
        require_player_name(name)
    open_tournament(schedule, options.players, options.buy_in)
    for key in ("buy_in", *OPTIONAL_KEYS):
        parse_amount({"do": "load", key: getattr(options, key)}, key)
    terms = terms_to_json(_parse_terms(options))
    parse_terms(terms)
    name = str(Path(options.schedule).resolve()) if options.schedule.endswith(".toml") else options.schedule
    line = {"do": "load", "schedule": name, "players": options.players, "buy_in": options.buy_in}
    line |= {"rulebook": options.rulebook, "unlimited_rebuys": options.unlimited_rebuys} | make_timestamp(options, [])
    line |= {key: value for key in OPTIONAL_KEYS if (value := getattr(options, key))} | terms
    with options.record.open("xb") as file:
        file.write(format_line(line))
        file.flush()
        os.fsync(file.fileno())
    print(f"{schedule.title}: {len(options.players)} players, {len(schedule.levels)} levels")


def _parse_terms(options: argparse.Namespace) -> MoneyTerms:
    """What the options say of the money, and the book where they say nothing; raises `ValueError`."""
    book = rulebook_file.load_rulebook(options.rulebook).tournament
    structure = payout_file.load_default_payouts(book) if options.payouts is None else None
    carried = 0 if options.carried_in else book.carried_percent.value * TENTHS_PER_PERCENT
    return MoneyTerms(
        structure or payout_file.find_payouts(options.payouts),
        parse_whole(options.fee, "fee"),
        parse_whole(options.rebuy_fee, "rebuy_fee"),
        parse_whole(options.add_on_fee, "add_on_fee"),
        parse_tenths(options.staff, "staff"),
        carried if options.carried is None else parse_tenths(options.carried, "carried"),
        parse_cents(options.carried_in, "carried_in"),
    )


def _share_by_deal(options: argparse.Namespace) -> None:
    shares = {name: amount for name, _, amount in (each.rpartition("=") for each in options.shares)}
    if len(shares) != len(options.shares) or "" in shares:
        raise ValueError("the shares are written PLAYER=AMOUNT, each player once.")
    try:
        options.shares = {name: float(amount) if "." in amount else int(amount) for name, amount in shares.items()}
    except ValueError:
        raise ValueError("the shares are written PLAYER=AMOUNT, as Ana=120.50.") from None
    _make_event_command("deal", "shares")(options)


def _make_event_command(word: str, *keys: str) -> RecordCommand:
    def command(options: argparse.Namespace) -> None:
        def make_line_and_tournament(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], Tournament]:
            line = {"do": word} | {
                key: value for key in keys if (value := getattr(options, key)) not in ("", False, None)
            }
            tournament = build_tournament(options.record, lines)
            if word == "late-entry":
                require_player_name(options.player)
            if "by" in keys:
                line |= _make_knockout_keys(options, has_bounty=tournament.bounty > 0)
            line |= make_timestamp(options, lines)
            return line, apply_line(tournament, line)

        line, tournament = append_line(options.record, make_line_and_tournament)
        if word in ("start", "pause", "resume"):
            print(clock_command.format_reading(tournament.clock.read(line["at"]), tournament.clock.schedule))
        else:
            print(clock_command.format_players_left(tournament))

    return command


def _make_knockout_keys(options: argparse.Namespace, *, has_bounty: bool) -> dict[str, Any]:
    """Who has knocked a player out; of one who is disqualified nobody, where nobody says who."""
    if options.by and options.nobody:
        raise TournamentError("--nobody goes without --by.")
    names: list[str] = options.by or []
    if options.nobody or (has_bounty and not names and getattr(options, "disqualified", False)):
        return {"by": []}
    by = {"by": names[0] if len(names) == 1 else names} if names else {}
    return by | ({} if options.shares is None else {"shares": options.shares})


PLAYER = Option("player PLAYER", "as entered with load")
AMOUNT = Option("--amount AMOUNT", "what it cost, whole units", int, required=True)
KNOCKOUT_OPTIONS = (
    Option(
        "--by PLAYER", "who has knocked the player out, for the bounty; again for each who shares it", repeated=True
    ),
    Option("--shares N", "how many parts of the bounty each has who is named (all the same)", int, nargs="+"),
    Option("--nobody", "nobody has: the bounty goes into the prize pool", flag=True),
)

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
        Option("--fee AMOUNT", "the house's, of each entry, beside the buy-in (0)", int, default=0),
        Option("--rebuy-fee AMOUNT", "the house's, of each rebuy (0)", int, default=0),
        Option("--add-on-fee AMOUNT", "the house's, of each add-on (0)", int, default=0),
        Option("--staff PERCENT", "withheld for the staff of all that goes into the pool (0)", float, default=0.0),
        Option("--carried PERCENT", "of the buy-ins, for the season's Championship (as the book says)", float),
        Option("--carried-in AMOUNT", "a season's Championship: what the season brings in", float, default=0.0),
        Option("--payouts NAME", "how the pool is paid out: a name, or a .toml file (as the book says)"),
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
        *KNOCKOUT_OPTIONS,
        Option("--table NAME", "where; each table counts its own hands", default=""),
        *RECORD_OPTIONS,
        action=_make_event_command("eliminate", "player", "hand", "stack", "disqualified", "table", "by"),
    ),
    Command(
        "knockout",
        "somebody else has knocked out a player who is out",
        PLAYER,
        *KNOCKOUT_OPTIONS,
        *RECORD_OPTIONS,
        action=_make_event_command("knockout", "player", "by"),
    ),
    Command(
        "marker",
        "a player is found without a bounty marker, and pays for another",
        PLAYER,
        *RECORD_OPTIONS,
        action=_make_event_command("marker", "player"),
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
    Command(
        "deal",
        "those who are left share what is left of the prizes, and the event is over",
        Option("shares PLAYER=AMOUNT", "everybody who is left, with the share of each", nargs="+"),
        *RECORD_OPTIONS,
        action=_share_by_deal,
    ),
    Command(
        "refund",
        "an entry does not count: all that was paid for it is paid back",
        PLAYER,
        *RECORD_OPTIONS,
        action=_make_event_command("refund", "player"),
    ),
    Command(
        "close",
        "nothing more is entered: the account comes out to the cent, or it is refused",
        Option("--abandon", "break off what is still played, and pay everything back", flag=True),
        *RECORD_OPTIONS,
        action=_make_event_command("close", "abandon"),
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
    *jackpot_command.COMMANDS,
    *seating_command.COMMANDS,
    run=run,
)
