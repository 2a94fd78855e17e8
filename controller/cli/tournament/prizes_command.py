"""`tablectl tournament`, of the money: prizes, seats of a satellite, bounties, and what is shared by agreement."""

import argparse
import csv
import json
import sys
from pathlib import Path

from config import payout_file, rulebook_file
from controller.cli.tournament import league_command
from controller.cli.tournament.tournament_record import RECORD_OPTIONS, RULEBOOK, load_tournament
from controller.command_table import JSON, Command, Option
from controller.core.tournament.finishing_order import Finish
from controller.core.tournament.ledger import LEDGER_COLUMNS, Ledger, make_ledger_rows, sum_ledger
from controller.core.tournament.money_terms import to_number
from controller.core.tournament.payouts import (
    CENTS_PER_UNIT,
    SHARES_PER_PERCENT,
    PayoutStructure,
    compute_prizes,
    format_amount,
    split_satellite,
)
from controller.core.tournament.prize_chop import chop_by_chips, chop_by_icm
from controller.core.tournament.tournament import Tournament, TournamentError, has_carried_as_printed, require_balance

MAX_PLAYERS = 1_000_000
"""So many players a table of prizes is printed for."""


def _print_payout(options: argparse.Namespace) -> None:
    if (options.purse is None) != (options.players is None):
        raise TournamentError("--purse and --players go together.")
    if options.seat is not None and options.purse is None:
        raise TournamentError("--seat goes with --purse; a record says at `load` what a seat costs.")
    if options.rakes is not None and (options.purse is not None or options.rakes < 0):
        raise TournamentError("--rakes is an amount from 0, and goes with a record.")
    if options.csv and options.purse is not None:
        raise TournamentError("--csv goes with a record: it is the event's account.")
    if options.players is not None and options.players > MAX_PLAYERS:
        raise TournamentError(f"--players is a number up to {MAX_PLAYERS:,}.")
    finishes: tuple[Finish, ...] = ()
    bounties: dict[str, int] = {}
    tournament: Tournament | None = None
    if options.purse is not None:
        purse, rake, seats = options.purse * CENTS_PER_UNIT, 0, 0
        amounts = compute_prizes(_find_structure(options), purse, options.players)
        if options.seat is not None:
            seats, amounts = split_satellite(purse, options.seat * CENTS_PER_UNIT, options.players)
    else:
        tournament = load_tournament(options.record)
        if options.rakes is not None:
            tournament = tournament.to_championship(options.rakes)
        amounts, (purse, rake), finishes = tournament.prizes(), tournament.split_purse(), tournament.finishes()
        bounties, seats = tournament.bounty_by_player(), tournament.satellite_seat_count
    if options.csv:
        _print_ledger_csv(tournament)
        return
    account = tournament.make_ledger() if tournament is not None and tournament.terms.has_account else None
    if options.json:
        shown: dict[str, object] = {
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
        print(json.dumps(shown | ({"account": sum_ledger(account)} if account else {}), ensure_ascii=False))
        _refuse_imbalance(tournament)
        return
    print(f"prize pool {format_amount(purse)}, rake {format_amount(rake)}")
    for place, amount in enumerate(amounts, start=1):
        print(f"{place:>3}  {format_amount(amount):>10}{'  a seat' if place <= seats else ''}")
    for player, earned in bounties.items():
        print(f"bounties of {player}  {format_amount(earned)}")
    for finish in finishes:
        tied = f" (tied, {finish.tied_count} players)" if finish.tied_count > 1 else ""
        won = "a seat" if finish.place + finish.tied_count - 1 <= seats else format_amount(finish.prize_cents)
        print(f"{finish.place:>3}  {finish.player}{tied}  {won}")
    if account is not None and tournament is not None:
        _print_ledger(account)
        _print_clauses(tournament)
    _refuse_imbalance(tournament)


def _find_structure(options: argparse.Namespace) -> PayoutStructure:
    """What `--payouts` names, else the book's."""
    if options.payouts is not None:
        return payout_file.find_payouts(options.payouts)
    return payout_file.load_default_payouts(rulebook_file.load_rulebook(options.rulebook).tournament)


def _refuse_imbalance(tournament: Tournament | None) -> None:
    """An event that is over is paid out when its account comes out; raises `TournamentError`."""
    if tournament is not None and (tournament.is_over or tournament.is_closed):
        require_balance(tournament)


def _print_ledger(ledger: Ledger) -> None:
    """Print an account: each side with its kinds, and what is still to be paid."""
    for side, kinds in sum_ledger(ledger).items():
        if isinstance(kinds, dict):
            total = sum(kinds.values())
            parts = ", ".join(f"{kind} {amount:,}" for kind, amount in kinds.items())
            print(f"{side:<10} {total:>10,.2f}{f'  {parts}' if parts else ''}")
        else:
            print(f"{side:<10} {kinds:>10,.2f}")


def _print_clauses(tournament: Tournament) -> None:
    """Print by which clauses the pool is paid out and a part of it carried, or that it is by default."""
    structure, rules = tournament.terms.structure, tournament.rules
    clause = rulebook_file.load_clauses().get(structure.cite, structure.cite) or "by default"
    print(f"payouts: {structure.title} ({clause})")
    if rules is not None and has_carried_as_printed(tournament.terms, rules):
        print(f"carried to the season: {rules.carried_percent.value} % of the buy-ins ({rules.carried_percent.source})")


def _print_ledger_csv(tournament: Tournament | None) -> None:
    """Print an account as CSV, a line an amount; raises `TournamentError` for a record that has none."""
    if tournament is None or not tournament.terms.has_account:
        raise TournamentError("the record is of an older version: it does not say what an entry consisted of.")
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(LEDGER_COLUMNS)
    lines.writerows(make_ledger_rows(tournament.make_ledger()))
    _refuse_imbalance(tournament)


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
        print(f"{player}  {format_amount(share)}")


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


def _list_payouts(options: argparse.Namespace) -> None:
    """Print the payout structures, or the columns of one: up to how many players, the share of each place."""
    if options.name is None:
        for name in payout_file.list_payouts():
            structure = payout_file.load_payouts(name)
            print(f"{name}\t{structure.title}\t{structure.cite or 'by default'}")
        return
    structure = payout_file.find_payouts(options.name)
    for column in structure.columns:
        shares = " / ".join(f"{to_number(share, SHARES_PER_PERCENT)}" for share in column.shares)
        print(f"{column.max_players:>4}  {shares}")
    if structure.players_per_place:
        print(f"beyond: a place more for every {structure.players_per_place} players")


COMMANDS = (
    Command(
        "payouts",
        "list the payout structures, or show one",
        Option("name NAME", "which, or a TOML file", nargs="?"),
        action=_list_payouts,
    ),
    Command(
        "payout",
        "places and prizes, as a table or as JSON",
        Option("--purse AMOUNT", "a prize pool, instead of the record's", int),
        Option("--players N", "players at the start, with --purse", int),
        Option("--rakes AMOUNT", "of a season's Championship: rakes that come in, and none goes out", int),
        Option("--seat AMOUNT", "of a satellite, what a seat costs, with --purse", int),
        Option("--payouts NAME", "with --purse: a payout structure, or a .toml file (as the book says)"),
        RULEBOOK,
        Option("--csv", "the event's account, a line an amount", flag=True),
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
