"""Tiny tables: two or three seats, small stacks, one chair free, each game of each book."""

import random
from collections.abc import Iterator
from typing import Any

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.protocol.table_error import Refused
from tests.core.arbitrary import BETTING, MIXED_BETTING, STUD_BETTING, any_collection, games_of, tell_rounds_only

Place = tuple[str, str]
"""A book and one of its games."""

STACKS = ((20, 20, 20), (7, 12, 30), (3, 40, 15), (60, 60, 2))
CHAIRS = 4
FORMS = 4
MAX_TRIALS = 50


def list_places() -> list[Place]:
    """Every game of every book."""
    return [(book, game) for book in rulebook_file.list_rulebooks() for game in games_of(book)]


def list_openings(place: Place, seed: int, count: int = FORMS) -> list[dict[str, Any]]:
    """`count` tables of a game of a book, each a `table` line: as most are, heads-up, without amounts, with more."""
    book, game = place
    chance = random.Random(f"{seed} {book} {game}")
    made = (_make_line(place, chance, nth) for nth in range(MAX_TRIALS))
    found = [line for line in made if _is_table(line)]
    forms = found[:FORMS]
    chance.shuffle(forms)
    return forms[:count]


def _is_table(line: dict[str, Any]) -> bool:
    try:
        parse_table_line(line)
    except Refused:
        return False
    return True


def _make_line(place: Place, chance: random.Random, nth: int) -> dict[str, Any]:
    book, name = place
    game = game_file.load_game(name)
    count = (3, 2, 3, 3)[nth % FORMS]
    stacks = STACKS[nth % len(STACKS)] if nth else STACKS[chance.randrange(2)]
    line: dict[str, Any] = {"ev": "table", "rulebook": book, "game": name, "places": CHAIRS}
    if game.has_button:
        line["betting"] = dict(BETTING[chance.choice(tuple(BETTING))])
        line["button"] = 1
    else:
        line["betting"] = dict(STUD_BETTING)
    line["seats"] = [{"seat": seat, "stack": stacks[seat - 1]} for seat in range(1, count + 1)]
    line["mode"] = ("cash", "tournament")[(nth + chance.randrange(2)) % 2]
    for change in _draw_changes(line, place, chance) if nth else ():
        changed = line | change
        if _is_table(changed):
            line = changed
    if nth % FORMS == 2:
        line["seats"] = [dict(seat) for seat in line["seats"]]
        tell_rounds_only(line, rounds=bool(chance.randrange(2)))
    return line


def _draw_changes(line: dict[str, Any], place: Place, chance: random.Random) -> Iterator[dict[str, Any]]:
    """What tables may have besides, some of it; what does not fit together is left out."""
    book, game = place
    has_button = "button" in line
    changes: tuple[dict[str, Any], ...] = (
        {"sensors": ["identity", "face", "seat", "board", "muck"]},
        {"live": True},
        {"shot_clock": {"seconds": 30, "extensions": 1}},
        {"collection": any_collection(chance.randrange)},
        {"joker": True},
        {"discards": "first"},
        {"button_rule": "dead"} if has_button else {},
        {"house": {"schedule": "T2000"}},
        {"house": {"kill": "full"}},
        {"betting": line["betting"] | {"ante": 1}},
        {"betting": {"structure": "no-limit", "ante": 2, "ante_by": "button"}} if has_button else {},
    )
    for change in changes:
        if chance.randrange(3) == 0:
            yield change
    others = games_of(book)
    if chance.randrange(4) == 0:
        rows = [{"game": each, "hands": 1, "betting": MIXED_BETTING} for each in (game, chance.choice(others))]
        yield {"rotation": rows, "betting": MIXED_BETTING, "button": 1}
