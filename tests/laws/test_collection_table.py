"""Every kind of collection in every game of every book, followed by acts, by rounds and without amounts."""

import itertools
import os
import random
from typing import Any

import pytest

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from tests.core.arbitrary import Pick, a_card, fitting, make_table_line, tell_rounds_only
from tests.laws.house_oracle import HouseOracle

KINDS: tuple[dict[str, Any], ...] = (
    {"kind": "rake", "percent": 7.5, "cap": 40, "caps": [{"dealt": 3, "cap": 9}]},
    {"kind": "hand", "fee": 3},
    {"kind": "rake", "percent": 10, "step": 3, "no_flop_no_drop": True},
    {"kind": "button", "fee": 4},
    {"kind": "rake", "percent": 5},
    {"kind": "time", "fee": 6, "minutes": 1},
    {"kind": "none"},
)
MODES = ("acts", "untracked", "rounds")
GAMES = [(book, game) for book in rulebook_file.list_rulebooks() for game in rulebook_file.load_rulebook(book).games]
WHOLE = list(itertools.product(range(len(GAMES)), range(len(KINDS)), range(len(MODES))))
QUICK = [(index, index % len(KINDS), 0 if index % 4 else 1 + index // 4 % 2) for index in range(len(GAMES))]
NIGHT_KINDS = range(len(KINDS)) if int(os.environ.get("STORIES", "0")) >= 500 else ()
"""The whole table is the night's, as `list_blocks` has it."""
MAX_LINES = 300


def open_table(book: str, game_name: str, kind: dict[str, Any], mode: str, pick: Pick) -> dict[str, Any]:
    """A cash table of three to five at this game."""
    game = game_file.load_game(game_name)
    line = make_table_line(pick, book, (game_name,), game_name)
    seats = [{"seat": seat, "stack": (200, 200, 60, 1000)[pick(4)]} for seat in range(2, 5 + pick(3))]
    line = {key: line[key] for key in ("ev", "rulebook", "game", "betting")} | {"seats": seats, "mode": "cash"}
    if game.has_button:
        line["button"] = seats[pick(len(seats))]["seat"]
    if mode != "acts":
        tell_rounds_only(line, rounds=mode == "rounds")
    return line | {"collection": kind}


def find_line(table: Table, pick: Pick) -> dict[str, Any]:
    """What the plan waits for; the shoe deals sound cards, and all-in is told where chips are counted only."""
    line = fitting(table, pick)
    if line["ev"] == "act" and line["do"] == "all-in" and not table.outcome.state.setup.tracks_amounts:
        return {**line, "do": ("call", "bet", "raise")[pick(3)]}
    if line["ev"] == "card":
        return {"ev": "card", "card": a_card(table.outcome.state, pick)}
    return {**line, "ev": "show"} if line["ev"] == "muck" else line


def play_hands(line: dict[str, Any], pick: Pick, hands: int) -> int:
    """Play hands, and hold each answer against the oracle; returns how many hands were reckoned to their end."""
    table = Table()
    oracle = HouseOracle(line, outcome_rendering.render_outcome(table.handle(parse_table_line(line)), 1))
    begun = 0
    for number in range(2, MAX_LINES):
        said = find_line(table, pick)
        if not table.outcome.state.plan:
            if begun == hands:
                break
            said = {"ev": "start", "t": 40.0 * begun}
            begun += 1
        try:
            outcome = table.handle(parse_line(said))
        except Refused:
            continue
        answer = outcome_rendering.render_outcome(outcome, number)
        oracle.see(said, answer, has_button=outcome.state.setup.game.has_button)
    return oracle.reckoned_count


def play_row(row: tuple[int, int, int], seed: int) -> int:
    (book, game), kind, mode = GAMES[row[0]], KINDS[row[1]], MODES[row[2]]
    pick = random.Random(seed * len(WHOLE) + WHOLE.index(row)).randrange
    line = open_table(book, game, kind, mode, pick)
    try:
        return play_hands(line, pick, 1)
    except AssertionError as error:
        raise AssertionError(f"{book} {game} {kind} {mode}, seed {seed}: {error}") from error


def test_each_game_takes_what_is_due_by_one_kind_and_mode() -> None:
    reckoned = sum(play_row(row, 0) for row in QUICK)
    assert reckoned > len(QUICK) * 8 // 10, f"{reckoned} hands of {len(QUICK)} were reckoned"


@pytest.mark.slow
@pytest.mark.parametrize("kind", NIGHT_KINDS)
def test_each_game_takes_what_is_due_by_every_kind_and_mode(kind: int) -> None:
    rows = [row for row in WHOLE if row[1] == kind]
    reckoned = sum(play_row(row, seed) for row in rows for seed in range(2))
    assert reckoned > len(rows), f"{reckoned} hands of {2 * len(rows)} were reckoned"
