"""`tablectl tournament`, of the money: prizes, seats of a satellite, bounties, and what is shared by agreement."""

import argparse
import csv
import json
import sys
from pathlib import Path

from controller.cli.tournament import league_command
from controller.cli.tournament.tournament_record import RECORD_OPTIONS, load_tournament
from controller.command_table import JSON, Command, Option
from controller.core.tournament.finishing_order import Finish
from controller.core.tournament.payouts import CENTS_PER_UNIT, compute_prizes, split_satellite
from controller.core.tournament.prize_chop import chop_by_chips, chop_by_icm
from controller.core.tournament.tournament import TournamentError


def format_money(cents: int) -> str:
    """An amount in cents, without its cents where there are none."""
    return f"{cents // CENTS_PER_UNIT:,}" if cents % CENTS_PER_UNIT == 0 else f"{cents / CENTS_PER_UNIT:,.2f}"


def _print_payout(options: argparse.Namespace) -> None:
    if (options.purse is None) != (options.players is None):
        raise TournamentError("--purse and --players go together.")
    if options.seat is not None and options.purse is None:
        raise TournamentError("--seat goes with --purse; a record says at `load` what a seat costs.")
    if options.rakes is not None and (options.purse is not None or options.rakes < 0):
        raise TournamentError("--rakes is an amount from 0, and goes with a record.")
    finishes: tuple[Finish, ...] = ()
    bounties: dict[str, int] = {}
    if options.purse is not None:
        purse, rake, seats = options.purse * CENTS_PER_UNIT, 0, 0
        amounts = compute_prizes(purse, options.players)
        if options.seat is not None:
            seats, amounts = split_satellite(purse, options.seat * CENTS_PER_UNIT, options.players)
    else:
        tournament = load_tournament(options.record)
        if options.rakes is not None:
            tournament = tournament.to_championship(options.rakes)
        amounts, (purse, rake), finishes = tournament.prizes(), tournament.split_purse(), tournament.finishes()
        bounties, seats = tournament.bounty_by_player(), tournament.satellite_seat_count
    if options.json:
        shown = {
            "pool": purse / CENTS_PER_UNIT,
            "rake": rake / CENTS_PER_UNIT,
            "seats": seats,
            "prizes": [amount / CENTS_PER_UNIT for amount in amounts],
            "finishes": [
                {
                    "player": finish.player,
                    "place": finish.place,
                    "tied": finish.tied_count,
                    "prize": finish.prize_cents / CENTS_PER_UNIT,
                }
                for finish in finishes
            ],
        }
        print(json.dumps(shown, ensure_ascii=False))
        return
    print(f"prize pool {format_money(purse)}, rake {format_money(rake)}")
    for place, amount in enumerate(amounts, start=1):
        print(f"{place:>3}  {format_money(amount):>10}{'  a seat' if place <= seats else ''}")
    for player, earned in bounties.items():
        print(f"bounties of {player}  {format_money(earned)}")
    for finish in finishes:
        tied = f" (tied, {finish.tied_count} players)" if finish.tied_count > 1 else ""
        won = "a seat" if finish.place + finish.tied_count - 1 <= seats else format_money(finish.prize_cents)
        print(f"{finish.place:>3}  {finish.player}{tied}  {won}")


def _chop(options: argparse.Namespace) -> None:
    stacks = {
        name: int(chips) for name, _, chips in (each.rpartition("=") for each in options.stacks) if chips.isdecimal()
    }
    if len(stacks) != len(options.stacks) or "" in stacks:
        raise TournamentError("the stacks are written PLAYER=CHIPS, each player once.")
    left = [prize * CENTS_PER_UNIT for prize in options.prizes or ()] or load_tournament(options.record).prizes()[
        : len(stacks)
    ]
    try:
        found = (chop_by_chips if options.chips else chop_by_icm)(stacks, left)
    except ValueError as error:
        raise TournamentError(str(error)) from error
    for player, share in found.items():
        print(f"{player}  {format_money(share)}")


def _print_results(options: argparse.Namespace) -> None:
    """Print a league's lines of everybody whose place is known; who was disqualified earns no points."""
    tournament = load_tournament(options.record)
    name = options.event or Path(options.record).stem
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow((*league_command.RESULT_COLUMNS, "status"))
    for finish in tournament.finishes():
        spent, status = tournament.total_spent(finish.player), "forfeits" if finish.is_disqualified else ""
        entrants = len(tournament.entrants)
        lines.writerow((name, finish.player, entrants, tournament.buy_in, spent, f"{finish.mean_place:g}", status))


COMMANDS = (
    Command(
        "payout",
        "places and prizes, as a table or as JSON",
        Option("--purse AMOUNT", "a prize pool, instead of the record's", int),
        Option("--players N", "players at the start, with --purse", int),
        Option("--rakes AMOUNT", "of a season's Championship: rakes that come in, and none goes out", int),
        Option("--seat AMOUNT", "of a satellite, what a seat costs, with --purse", int),
        *RECORD_OPTIONS,
        JSON,
        action=_print_payout,
    ),
    Command(
        "chop",
        "what each would have if those who are left shared what is left",
        Option("stacks PLAYER=CHIPS", "who is left, with the chips of each", nargs="+"),
        Option("--chips", "by chips, not by the chances of finishing (ICM)", flag=True),
        Option("--prizes AMOUNT", "what is left, instead of the record's", int, nargs="+"),
        *RECORD_OPTIONS,
        action=_chop,
    ),
    Command(
        "results",
        "the results of the record, as lines of a league's CSV",
        Option("--event NAME", "the event's name (the record's)", default=""),
        *RECORD_OPTIONS,
        action=_print_results,
    ),
)
