"""`tablectl tournament`, of the river jackpot: cards are sold, and the river card of the last hand wins."""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any

from config.file_library import resolve_library
from config.table_line import parse_table_line
from controller.cli.tournament.league_command import require_club_rule
from controller.cli.tournament.seating_command import draw_lot
from controller.cli.tournament.tournament_record import (
    RECORD_OPTIONS,
    append_line,
    build_tournament,
    make_timestamp,
)
from controller.command_table import JSON, Command, Option
from controller.core.tournament.payouts import format_amount
from controller.core.tournament.river_jackpot import RIVER_NUMBER, find_river_card, sell_cards, settle_jackpot
from controller.core.tournament.tournament import Tournament, TournamentError, apply_line
from controller.core.values.cards import build_deck
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.finished_hands import read_finished_hands
from controller.runtime.journal.recovery.journal_replay import RecoveryError, find_session
from controller.runtime.storage.sqlite_database import DatabaseError

NO_CARD = "none"


def _sell_cards(options: argparse.Namespace) -> None:
    """Draw a card for each that is bought, and keep whose it is."""
    wanted = [
        (name, int(count)) for name, _, count in (each.rpartition("=") for each in options.buyers) if count.isdecimal()
    ]
    if len(wanted) != len(options.buyers):
        raise ValueError("who buys is written PLAYER=CARDS, as Ana=2.")
    cards = build_deck()
    deck = [cards[number] for number in draw_lot(len(cards), options.seed)]
    sold = sell_cards(wanted, deck, options.last)

    def make(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], Tournament]:
        book = str(lines[0].get("rulebook")) if lines else ""
        tournament = build_tournament(options.record, lines)
        require_club_rule(book, "river jackpot", lambda rules: rules.tournament.side_games)
        line = {"do": "jackpot", "sold": sold, "price": options.price, "brought": options.brought, "last": options.last}
        line |= make_timestamp(options, lines)
        return line, apply_line(tournament, line)

    _, tournament = append_line(options.record, make)
    assert tournament.card_sale is not None
    if options.json:
        print(json.dumps(sold, ensure_ascii=False))
        return
    for card, player in sold.items():
        print(f"{card}  {player}")
    print(f"in the jackpot  {format_amount(tournament.card_sale.jackpot_cents)}")


def _say_river(options: argparse.Namespace) -> None:
    """Enter the river card of the last hand, and say who has won, or where the jackpot goes."""
    if (options.card is None) == (options.journal is None):
        raise ValueError(f"say the card, `{NO_CARD}` where the last hand had no river, or the --journal of its table.")
    card = read_river_card(options.journal) if options.card is None else options.card
    card = "" if card == NO_CARD else card

    def make(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], Tournament]:
        line = {"do": "river", "card": card} | make_timestamp(options, lines)
        return line, apply_line(build_tournament(options.record, lines), line)

    _, tournament = append_line(options.record, make)
    assert tournament.card_sale is not None
    result = settle_jackpot(tournament.card_sale, card)
    if result.winner:
        print(f"{card}: {result.winner} wins {format_amount(result.paid_cents)}")
    elif result.championship_cents:
        print(f"{format_amount(result.championship_cents)} goes to the Championship")
    else:
        print(f"{format_amount(result.rolled_cents)} rolls over to the next event")


def read_river_card(path: Path) -> str:
    """The river card of a table's last finished hand, "" where it had none; raises `TournamentError`."""
    try:
        journal = JournalReader.open(path)
        try:
            opening = partial(parse_table_line, library=resolve_library())
            kept = [one.record for one in read_finished_hands(journal, find_session(journal, None), opening)]
        finally:
            journal.close()
    except (DatabaseError, RecoveryError) as why:
        raise TournamentError(f"{path}: {why}") from why
    finished = [record for record in kept if record is not None]
    if not finished:
        raise TournamentError(f"{path}: no hand is finished; say the card.")
    board = [card or "" for card in finished[-1].board]
    card = find_river_card(board)
    if len(board) >= RIVER_NUMBER and not card:
        raise TournamentError(f"{path}: the river card of hand {finished[-1].number} was not read; say it.")
    return card


COMMANDS = (
    Command(
        "jackpot",
        "sell the cards of the river jackpot, each drawn by lot",
        Option("buyers PLAYER=CARDS", "who buys how many, in the order in which they came", nargs="+"),
        Option("--price AMOUNT", "of a card, whole units (1)", int, default=1),
        Option("--brought AMOUNT", "what rolled over from the events before (0)", float, default=0.0),
        Option("--last", "the last event of the season: all 52 cards are for sale", flag=True),
        Option("--seed N", "draw what this number gives, to show a draw again", int),
        *RECORD_OPTIONS,
        JSON,
        action=_sell_cards,
    ),
    Command(
        "river",
        "the river card of the last hand, which wins the jackpot",
        Option("card CARD", f"as Ks; {NO_CARD} where that hand ended before it", nargs="?"),
        Option("--journal FILE", "the journal of the table: its last finished hand", Path),
        *RECORD_OPTIONS,
        action=_say_river,
    ),
)
