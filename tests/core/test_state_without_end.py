"""What a table holds on to does not grow with the hands that it has dealt, in any book and game."""

import types
from collections.abc import Iterable, Iterator
from enum import Enum

import pytest

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep, DrawStep, ShowStep
from controller.core.rules.games import Game
from controller.core.rules.rulebook import Rulebook
from controller.core.values.cards import build_deck

BLINDS = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
BOOKS = {name: rulebook_file.load_rulebook(name).games for name in rulebook_file.list_rulebooks()}
LISTING = {game: [book for book in BOOKS if game in BOOKS[book]] for game in game_file.list_games()}
PAIRS = sorted(
    {(books[number % len(books)], game) for number, (game, books) in enumerate(LISTING.items())}
    | {(book, games[0]) for book, games in BOOKS.items()}
)
"""Every game and every book, if not each with each."""

WHOLE = 10
"""Every so many hands one is played to the showdown; in the others everybody folds who may."""


def table_of(book: str, name: str) -> Table:
    """A table of two whose money does not run out."""
    game = game_file.load_game(name)
    betting = BLINDS if game.has_button else STUD
    line: dict[str, object] = {"ev": "table", "rulebook": book, "game": name, "betting": betting, "discards": "first"}
    line["seats"] = [{"seat": seat, "stack": 10_000_000} for seat in (1, 2)]
    table = Table()
    table.handle(parse_table_line(line | ({"button": 1} if game.has_button else {})))
    return table


def play_hand(table: Table) -> None:
    """Play the next hand, without an entry before it."""
    table.handle(parse_line({"ev": "start"}))
    state = table.outcome.state
    words: tuple[str, ...] = ("bring-in", "check", "call", "bet", "fold")
    if state.hand_count % WHOLE:
        words = ("fold", *words)
    cards = iter(build_deck(state.setup.deck_size, state.setup.has_joker))
    while plan := table.outcome.plan:
        match plan[0]:
            case DealStep() | BurnStep() | BoardStep():
                line: dict[str, object] = {"ev": "card", "card": next(cards, None)}
            case ActStep(seat=seat):
                may = find_legal_actions(table.outcome.state.hand_in_play, seat)
                word = next(word for word in words if word in may.actions)
                line = {"ev": "act", "seat": seat, "do": word} | ({"to": may.min_total} if word == "bet" else {})
            case DrawStep(seat=seat):
                line = {"ev": "draw", "seat": seat, "discard": 1}  # what pineapple throws away, too
            case ShowStep(seat=seat):
                line = {"ev": "show", "seat": seat}
            case _:
                line = {"ev": "done"}
        table.handle(parse_line(line))


def measure_held_objects(table: Table) -> tuple[int, int]:
    """How many objects a table holds on to, and how many links away the farthest of them is."""
    seen = {id(table)}
    layer: list[object] = [table]
    count = depth = 0
    while layer:
        count, depth = count + len(layer), depth + 1
        following = []
        for one in layer:
            for other in _links(one):
                if id(other) not in seen:
                    seen.add(id(other))
                    following.append(other)
        layer = following
    return count, depth


NO_DATA = (type, types.FunctionType, types.MethodType, types.ModuleType, Enum, Rulebook, Game, str, bytes, int, float)


def _links(one: object) -> Iterator[object]:
    if one is None or isinstance(one, NO_DATA):
        return
    if isinstance(one, dict):
        yield from one.keys()
        yield from one.values()
    elif isinstance(one, Iterable):
        yield from one
    yield from getattr(one, "__dict__", {}).values()
    for kind in type(one).__mro__:
        for name in getattr(kind, "__slots__", ()):
            yield getattr(one, name, None)


def grows(book: str, game: str, *hands: int) -> list[str]:
    """What is larger or deeper after some numbers of hands than after the first of them, by more than a twentieth."""
    table, found = table_of(book, game), []
    first: tuple[int, int] | None = None
    for number in range(1, max(hands) + 1):
        play_hand(table)
        if number in hands:
            size = measure_held_objects(table)
            first = first or size
            if any(abs(now - then) > then / 20 for now, then in zip(size, first, strict=True)):
                found.append(f"{book} {game}, hand {number}: {size}, at first {first}")
    return found


@pytest.mark.parametrize(("book", "game"), PAIRS)
def test_a_table_holds_no_more_after_100_hands_than_after_10(book: str, game: str) -> None:
    assert not grows(book, game, 10, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("book", "game"), PAIRS)
def test_a_table_holds_no_more_after_3000_hands_than_after_10(book: str, game: str) -> None:
    assert not grows(book, game, 10, 300, 3000)
