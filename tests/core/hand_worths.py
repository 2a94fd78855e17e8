"""Writes the tables of what hands are worth: `make worths`, after a game with another deck or ranking has come."""

from pathlib import Path

from config import game_file
from controller.core.play.showdown import hand_ranks
from controller.core.rules.games import Ranking

FILE = Path(hand_ranks.__file__).with_name(hand_ranks.RANK_TABLE_FILE)


def list_rank_tables() -> list[tuple[Ranking, int]]:
    """A table for each ranking and deck of the games, in an order of its own."""
    games = [game_file.load_game(name) for name in game_file.list_games()]
    found = {
        (ranking, game.deck_size)
        for game in games
        for ranking in game.rankings
        if ranking in hand_ranks.POKERKIT_NAME_BY_RANKING
    }
    return sorted(found, key=lambda each: (each[0].value, each[1]))


if __name__ == "__main__":
    FILE.write_text(hand_ranks.format_rank_tables(list_rank_tables()), encoding="ascii")
