"""Writes one more recorded story: what chance enters at a table of this book and game.

    python -m tests.recorded.new_story BOOK/GAME [SEED]

Record the answers afterwards: `tests.recorded.answers --record` and `tests.recorded.hands --record`.
"""

import itertools
import json
import random
import sys
from collections.abc import Iterator

from tests.core.arbitrary import (
    WatchedTable,
    fitting,
    games_of,
    make_any_line,
    make_rare_line,
    make_table_line,
    picks,
)
from tests.recorded.answers import STORIES, Line

LINES = 60
ODD_LINES_IN_A_HUNDRED, RARE_LINES_IN_A_HUNDRED = 12, 3


def write_story(book: str, game: str, seed: int) -> list[Line]:
    """Return the lines of a story, the same for a seed."""
    chance = random.Random(f"{book} {game} {seed}")
    pick = picks(_iter_numbers(chance))
    watched = WatchedTable(make_table_line(pick, book, games_of(book), game), is_looked_at=False)
    for _ in range(LINES):
        rest = pick(100) - ODD_LINES_IN_A_HUNDRED
        if rest < -RARE_LINES_IN_A_HUNDRED:
            watched.take(make_any_line(watched.table, pick))
        else:
            watched.take(make_rare_line(pick) if rest < 0 else fitting(watched.table, pick))
    return watched.script


def _iter_numbers(chance: random.Random) -> Iterator[int]:
    return (chance.randrange(1 << 30) for _ in itertools.count())


def main(arguments: list[str]) -> None:
    """Add a story to those of its book and game."""
    form, *seeds = arguments
    book, _, game = form.partition("/")
    file = STORIES / book / f"{game}.jsonl"
    file.parent.mkdir(exist_ok=True)
    story = write_story(book, game, int(seeds[0]) if seeds else 1)
    with file.open("a", encoding="utf-8") as lines:
        lines.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in story)
    print(f"{file.name} has a story of {len(story)} lines more; record the answers now")


if __name__ == "__main__":
    main(sys.argv[1:])
