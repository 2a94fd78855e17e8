"""`tablectl tournament`, for a season: the league, its post-season, bonus chips, props."""

import argparse
import csv
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path

from config import rulebook_file
from controller.cli.tournament.seating_command import draw_lot
from controller.cli.tournament.tournament_record import RULEBOOK, load_tournament
from controller.command_table import JSON, Command, Option
from controller.core.protocol.player_names import NAME_WORDS, is_fit_player_name
from controller.core.rules.questions.rule import Rule
from controller.core.rules.rulebook import Rulebook
from controller.core.tournament import league
from controller.core.tournament.ledger import sum_season
from controller.core.tournament.money_terms import to_number
from controller.core.tournament.payouts import CENTS_PER_UNIT, format_amount
from controller.core.tournament.tournament import TournamentError, require_balance

RESULT_COLUMNS = ("event", "player", "buy_ins", "buy_in", "spent", "finish")


def parse_results(text: str) -> list[league.LeagueResult]:
    """Results of a league from CSV; raises `ValueError` with the line that cannot be used."""
    rows = csv.DictReader(text.splitlines())
    missing = [column for column in RESULT_COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(f"the results need the columns {', '.join(RESULT_COLUMNS)}; missing: {', '.join(missing)}.")
    found = []
    for row in rows:
        if all(row[column] == column for column in RESULT_COLUMNS):  # `results` of the next event, added to the file
            continue
        status = (row.get("status") or "").strip()
        if status not in ("", "absent", "forfeits"):
            raise ValueError(f"line {rows.line_num}: status {status!r}; it may be absent, forfeits or empty.")
        try:
            buy_ins, buy_in, spent = (int(row[key]) for key in ("buy_ins", "buy_in", "spent"))
            finish = _parse_finite(row["finish"] or "1")
        except (TypeError, ValueError) as why:
            raise ValueError(f"line {rows.line_num}: buy_ins, buy_in, spent and finish are numbers: {why}") from why
        _require_name(rows.line_num, row["player"])
        absent, forfeits = status == "absent", status == "forfeits"
        found.append(league.LeagueResult(row["event"], row["player"], buy_ins, buy_in, spent, finish, absent, forfeits))
    return found


def _parse_finite(text: str) -> float:
    """A number that is one; raises `ValueError` for nan and inf as for any other text."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is none")
    return value


def _read(name: str) -> str:
    raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return raw.decode("utf-8-sig")


def require_club_rule(rulebook: str, what: str, find_rule: Callable[[Rulebook], Rule[bool]]) -> None:
    """Refuse what a book does not have; raises `ValueError` with its clause and a book that has it."""
    rule = find_rule(rulebook_file.load_rulebook(rulebook))
    if not rule.value:
        have = [name for name in rulebook_file.list_rulebooks() if find_rule(rulebook_file.load_rulebook(name)).value]
        raise ValueError(f"{rulebook} has no {what} ({rule.source}); with one there is {', '.join(have)}.")


def _require_league(options: argparse.Namespace) -> None:
    require_club_rule(options.rulebook, "league", lambda book: book.tournament.league)


def _score_league(options: argparse.Namespace) -> None:
    _require_league(options)
    standing = league.rank_players(parse_results(_read(options.file)))
    if options.bonus is not None:
        _print_bonus(dict(standing), options)
    elif options.postseason:
        _print_postseason(standing, options)
    elif options.json:
        print(json.dumps([{"player": player, "points": round(points, 4)} for player, points in standing]))
    else:
        for place, (player, points) in enumerate(standing, start=1):
            print(f"{place:>3}  {player:<20} {points:8.2f}")


def _print_bonus(points: dict[str, float], options: argparse.Namespace) -> None:
    if options.bonus < 1 or options.chip < 1:
        raise ValueError("the chips in play and the smallest chip are above 0.")
    players = list(points) if options.players is None else options.players
    unknown = [player for player in players if player not in points]
    if unknown:
        raise ValueError(f"{', '.join(unknown)} has no result this season.")
    chips = league.share_bonus_chips({player: points[player] for player in players}, options.bonus, options.chip)
    if options.json:
        print(json.dumps(chips, ensure_ascii=False))
        return
    for player, amount in chips.items():
        print(f"{player:<20} {amount:>9,}")


def _print_postseason(standing: tuple[tuple[str, float], ...], options: argparse.Namespace) -> None:
    seats, invited = league.select_postseason(standing, options.declined)
    if options.qualifier_winner and options.qualifier_winner not in invited:
        raise ValueError(f"{options.qualifier_winner} was not invited to the Qualifier: {', '.join(invited)}.")
    seats = league.seat_championship(seats, options.qualifier_winner)
    if options.json:
        print(json.dumps({"championship": seats, "qualifier": invited}, ensure_ascii=False))
        return
    print(f"Championship: {', '.join(seats)}")
    print(f"Qualifier: {', '.join(invited) or 'nobody'}")


def _require_name(line_number: int, name: str | None) -> None:
    if name is None or not is_fit_player_name(name):
        raise ValueError(f"line {line_number}: the player's name has {NAME_WORDS}.")


def _score_props(options: argparse.Namespace) -> None:
    require_club_rule(options.rulebook, "props bet", lambda book: book.tournament.side_games)
    rows = csv.DictReader(_read(options.file).splitlines())
    categories = [column for column in rows.fieldnames or () if column != "player"]
    if not categories or "player" not in (rows.fieldnames or ()):
        raise ValueError("props need the column player and one for each category.")
    ranks: dict[str, dict[str, float]] = {category: {} for category in categories}
    for row in rows:
        _require_name(rows.line_num, row["player"])
        for category in categories:
            try:
                ranks[category][row["player"]] = _parse_finite(row[category])
            except (TypeError, ValueError) as why:
                raise ValueError(f"line {rows.line_num}: {category} is a number: {why}") from why
    found = league.score_props_bet(ranks, options.fewest)
    order = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    if options.fee is not None:
        _print_props_winners(found, options)
        return
    if options.json:
        print(json.dumps([{"player": player, "points": points} for player, points in order], ensure_ascii=False))
        return
    for player, points in order:
        print(f"{player:<20} {points:6.1f}")


def _print_props_winners(points: dict[str, float], options: argparse.Namespace) -> None:
    """Print who wins what: one takes all, and of more than twelve entrants the best of each of two pools a half."""
    if options.fee < 1:
        raise ValueError("the fee of an entry is an amount above 0.")
    pools = league.draw_props_pools(list(points), draw_lot(len(points), options.seed))
    won = league.pay_props_bet(points, pools, options.fee * CENTS_PER_UNIT)
    if options.json:
        winners = [{"player": player, "prize": to_number(cents, CENTS_PER_UNIT)} for player, cents in won]
        print(json.dumps({"pools": pools, "winners": winners}, ensure_ascii=False))
        return
    for number, pool in enumerate(pools, start=1):
        print(f"pool {number}: {', '.join(pool)}")
    for player, cents in won:
        print(f"{player:<20} {format_amount(cents):>8}")


def _print_season(options: argparse.Namespace) -> None:
    """Print what each event carries to its season, what is put by, and whether a Championship has had all of it."""
    _require_league(options)
    ledgers, has_championship = [], False
    for record in options.records:
        tournament = load_tournament(record)
        if not (tournament.is_over or tournament.is_closed) or not tournament.terms.has_account:
            raise TournamentError(f"{record}: the event is not over, or keeps no account.")
        try:
            require_balance(tournament)
        except TournamentError as why:
            raise TournamentError(f"{record}: {why}") from why
        has_championship |= bool(tournament.terms.carried_in_cents)
        ledgers.append((record, tournament.make_ledger()))
    purse = sum_season(ledger for _, ledger in ledgers)
    amounts = [purse.championship_cents, purse.jackpot_cents]
    if options.json:
        championship, jackpot = (to_number(cents, CENTS_PER_UNIT) for cents in amounts)
        print(json.dumps({"championship": championship, "jackpot": jackpot}))
    else:
        for record, ledger in ledgers:
            one = sum_season([ledger])
            print(f"{record}  {format_amount(one.championship_cents)}  jackpot {format_amount(one.jackpot_cents)}")
        print(f"for the Championship  {format_amount(amounts[0])}\nin the jackpot  {format_amount(amounts[1])}")
    if has_championship and any(amounts):
        what = " and ".join(
            f"{format_amount(cents)} of the {name}"
            for cents, name in zip(amounts, ("season's pool", "jackpot"), strict=True)
            if cents
        )
        raise TournamentError(f"the season does not balance: {what} went to nobody, or was not there.")


COMMANDS = (
    Command(
        "season",
        "what the events of a season put by for its Championship, and in the jackpot",
        Option("records RECORD", "the events' records, in their order", Path, nargs="+"),
        RULEBOOK,
        JSON,
        description="Adds up what the events of a season carry to its Championship and in the river jackpot. Once the "
        "Championship is among them nothing may be left of either.",
        action=_print_season,
    ),
    Command(
        "league",
        "score a league from results in CSV",
        Option(
            "file FILE",
            "columns event,player,buy_ins,buy_in,spent,finish and, if any, status (absent, forfeits); - for input",
        ),
        Option("--postseason", "Championship seats and Qualifier invitations", flag=True),
        Option("--declined PLAYER", "who cannot come, or does not want to", nargs="+", default=[]),
        Option("--qualifier-winner PLAYER", "who has won the Qualifier, for the ninth seat", default=""),
        Option("--bonus CHIPS", "the chips in play, of which a quarter is bonus", int),
        Option("--chip VALUE", "the smallest chip in play (100)", int, default=100),
        Option("--players PLAYER", "with --bonus: who plays (everybody)", nargs="+"),
        RULEBOOK,
        JSON,
        description="Scores a season. With --postseason it names who has a seat in the Championship and who is "
        "invited to the Qualifier. With --bonus it shares a quarter of the chips in play by points.",
        action=_score_league,
    ),
    Command(
        "props",
        "score the props bet from CSV",
        Option("file FILE", "columns player and one for each category; - for input"),
        Option("--fewest CATEGORY", "where least is best (rebuys finish)", nargs="+", default=["rebuys", "finish"]),
        Option("--fee AMOUNT", f"of an entry ({league.PROPS_FEE} in the book): say who wins what", int),
        Option("--seed N", "with --fee: draw the pools that this number gives, to show a draw again", int),
        RULEBOOK,
        JSON,
        description="Ranks entrants in each category: as many points as entrants for the best, one less for the next.",
        action=_score_props,
    ),
)
