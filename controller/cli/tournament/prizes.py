"""`tablectl tournament`, of the money: prizes, seats of a satellite, bounties, and what is shared by agreement."""

import argparse
import csv
import json
import sys
from pathlib import Path

from controller.cli.tournament import league
from controller.cli.tournament.record import as_json, recalled, recorded
from controller.core.tournament.chop import chip_chop, icm
from controller.core.tournament.event import CENTS, EventError
from controller.core.tournament.finish import Finish
from controller.core.tournament.payouts import prizes, satellite


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands; each sets `tournament_command`."""
    pay = commands.add_parser("payout", help="places and prizes, as a table or as JSON")
    pay.add_argument("--purse", type=int, metavar="AMOUNT", help="a prize pool, instead of the record's")
    pay.add_argument("--players", type=int, metavar="N", help="players at the start, with --purse")
    pay.add_argument(
        "--rakes", type=int, metavar="AMOUNT", help="of a season's Championship: rakes that come in, and none goes out"
    )
    pay.add_argument("--seat", type=int, metavar="AMOUNT", help="of a satellite, what a seat costs, with --purse")
    recorded(pay, _payout)
    as_json(pay)
    chop = commands.add_parser("chop", help="what each would have if those who are left shared what is left")
    chop.add_argument("stacks", nargs="+", metavar="PLAYER=CHIPS", help="who is left, with the chips of each")
    chop.add_argument("--chips", action="store_true", help="by chips, not by the chances of finishing (ICM)")
    chop.add_argument("--prizes", type=int, nargs="+", metavar="AMOUNT", help="what is left, instead of the record's")
    recorded(chop, _chop)
    scored = commands.add_parser("results", help="the results of the record, as lines of a league's CSV")
    scored.add_argument("--event", default="", metavar="NAME", help="the event's name (the record's)")
    recorded(scored, _results)


def money(cents: int) -> str:
    """An amount in cents, without its cents where there are none."""
    return f"{cents // CENTS:,}" if cents % CENTS == 0 else f"{cents / CENTS:,.2f}"


def _payout(options: argparse.Namespace) -> None:
    if (options.purse is None) != (options.players is None):
        raise EventError("--purse and --players go together.")
    if options.seat is not None and options.purse is None:
        raise EventError("--seat goes with --purse; a record says at `load` what a seat costs.")
    if options.rakes is not None and (options.purse is not None or options.rakes < 0):
        raise EventError("--rakes is an amount from 0, and goes with a record.")
    finishes: tuple[Finish, ...] = ()
    bounties: dict[str, int] = {}
    if options.purse is not None:
        purse, rake, seats = options.purse * CENTS, 0, 0
        amounts = prizes(purse, options.players)
        if options.seat is not None:
            seats, amounts = satellite(purse, options.seat * CENTS, options.players)
    else:
        tournament = recalled(options.record)
        if options.rakes is not None:
            tournament = tournament.as_championship(options.rakes)
        amounts, (purse, rake), finishes = tournament.prizes(), tournament.purse(), tournament.finishes()
        bounties, seats = tournament.bounties(), tournament.seats
    if options.json:
        shown = {
            "pool": purse / CENTS,
            "rake": rake / CENTS,
            "seats": seats,
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
        print(f"{place:>3}  {money(amount):>10}{'  a seat' if place <= seats else ''}")
    for player, earned in bounties.items():
        print(f"bounties of {player}  {money(earned)}")
    for finish in finishes:
        tied = f" (tied, {finish.tied} players)" if finish.tied > 1 else ""
        won = "a seat" if finish.place + finish.tied - 1 <= seats else money(finish.prize)
        print(f"{finish.place:>3}  {finish.player}{tied}  {won}")


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
