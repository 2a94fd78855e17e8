"""`tablectl tournament`, for a season: the league, its post-season, bonus chips, props."""

import argparse
import csv
import json
import sys
from pathlib import Path

from controller.command_table import JSON, Command, Option
from controller.core.tournament import league

RESULT_COLUMNS = ("event", "player", "buy_ins", "buy_in", "spent", "finish")


def parse_results(text: str) -> list[league.LeagueResult]:
    """Results of a league from CSV; raises `ValueError` with the line that cannot be used."""
    rows = csv.DictReader(text.splitlines())
    missing = [column for column in RESULT_COLUMNS if column not in (rows.fieldnames or ())]
    if missing:
        raise ValueError(f"the results need the columns {', '.join(RESULT_COLUMNS)}; missing: {', '.join(missing)}.")
    found = []
    for row in rows:
        status = (row.get("status") or "").strip()
        if status not in ("", "absent", "forfeits"):
            raise ValueError(f"line {rows.line_num}: status {status!r}; it may be absent, forfeits or empty.")
        try:
            amounts = (int(row["buy_ins"]), int(row["buy_in"]), int(row["spent"]), float(row["finish"] or 1))
        except (TypeError, ValueError) as why:
            raise ValueError(f"line {rows.line_num}: buy_ins, buy_in, spent and finish are numbers: {why}") from why
        absent, forfeits = status == "absent", status == "forfeits"
        found.append(
            league.LeagueResult(row["event"], row["player"], *amounts, is_absent=absent, forfeits_points=forfeits)
        )
    return found


def _read(name: str) -> str:
    raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return raw.decode("utf-8-sig")


def _score_league(options: argparse.Namespace) -> None:
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
    if options.json:
        print(json.dumps({"championship": seats, "qualifier": invited}, ensure_ascii=False))
        return
    print(f"Championship: {', '.join(seats)}")
    print(f"Qualifier: {', '.join(invited) or 'nobody'}")


def _score_props(options: argparse.Namespace) -> None:
    rows = csv.DictReader(_read(options.file).splitlines())
    categories = [column for column in rows.fieldnames or () if column != "player"]
    if not categories or "player" not in (rows.fieldnames or ()):
        raise ValueError("props need the column player and one for each category.")
    ranks: dict[str, dict[str, float]] = {category: {} for category in categories}
    for row in rows:
        for category in categories:
            try:
                ranks[category][row["player"]] = float(row[category])
            except (TypeError, ValueError) as why:
                raise ValueError(f"line {rows.line_num}: {category} is a number: {why}") from why
    found = league.score_props_bet(ranks, options.fewest)
    order = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
    if options.json:
        print(json.dumps([{"player": player, "points": points} for player, points in order], ensure_ascii=False))
        return
    for player, points in order:
        print(f"{player:<20} {points:6.1f}")


COMMANDS = (
    Command(
        "league",
        "score a league from results in CSV",
        Option(
            "file FILE",
            "columns event,player,buy_ins,buy_in,spent,finish and, if any, status (absent, forfeits); - for input",
        ),
        Option("--postseason", "Championship seats and Qualifier invitations", flag=True),
        Option("--declined PLAYER", "who cannot come, or does not want to", nargs="+", default=[]),
        Option("--bonus CHIPS", "the chips in play, of which a quarter is bonus", int),
        Option("--chip VALUE", "the smallest chip in play (100)", int, default=100),
        Option("--players PLAYER", "with --bonus: who plays (everybody)", nargs="+"),
        JSON,
        description="Scores a season. With --postseason it names who has a seat in the Championship and who is invited "
        "to the Qualifier; with --bonus it shares a quarter of the chips in play by points.",
        action=_score_league,
    ),
    Command(
        "props",
        "score the props bet from CSV",
        Option("file FILE", "columns player and one for each category; - for input"),
        Option("--fewest CATEGORY", "where least is best (rebuys finish)", nargs="+", default=["rebuys", "finish"]),
        JSON,
        description="Ranks entrants in each category: as many points as entrants for the best, one less for the next.",
        action=_score_props,
    ),
)
