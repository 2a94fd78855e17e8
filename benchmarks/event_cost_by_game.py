"""The cost of one event in every game, as a ratio to hold'em in the same run: no game may cost half as much again.

A hand of each game is played once by players who check and call, and its events are then handled again and again, the
games by turns, so that whatever else the machine does falls on all of them.
"""

import time
from collections.abc import Iterator

from config import game_file, rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.setup import TableOpened
from controller.core.play.betting.legal_actions import find_legal_actions
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, BoardStep, BurnStep, DealStep, DrawStep, ShowStep
from controller.core.values.cards import build_deck

BLINDS_BETTING = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD_BETTING = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
SEAT_COUNT = 5
PREFERRED_ACTIONS = ("bring-in", "check", "call", "bet", "fold")
"""What a player does who wants to see the next card for as little as it costs."""

REFERENCE_GAME = "holdem"


def make_table_line(book: str, name: str) -> TableOpened:
    """A table of a game."""
    game = game_file.load_game(name)
    line: dict[str, object] = {
        "ev": "table",
        "rulebook": book,
        "game": name,
        "betting": STUD_BETTING,
        "discards": "first",
    }
    line["seats"] = [{"seat": seat, "stack": 1000} for seat in range(1, SEAT_COUNT + 1)]
    if game.has_button:
        line |= {"button": 1, "betting": BLINDS_BETTING}
    return parse_table_line(line)


def play_hand(table: Table) -> Iterator[Event]:
    """Play a hand; yield each of its events before it is handled."""
    setup = table.outcome.state.setup
    cards = iter(build_deck(setup.deck_size, setup.has_joker))
    yield parse_line({"ev": "start"})
    while plan := table.outcome.plan:
        match plan[0]:
            case DealStep() | BurnStep() | BoardStep():
                yield parse_line({"ev": "card", "card": next(cards, None)})
            case ActStep(seat=seat):
                playing = table.outcome.state.hand_in_play
                open_ = find_legal_actions(playing, seat)
                word = next(word for word in PREFERRED_ACTIONS if word in open_.actions)
                least = {"to": open_.min_total} if word == "bet" else {}
                yield parse_line({"ev": "act", "seat": seat, "do": word, **least})
            case DrawStep(seat=seat):
                yield parse_line({"ev": "draw", "seat": seat, "discard": 1})
            case ShowStep(seat=seat):
                yield parse_line({"ev": "show", "seat": seat})
            case _:
                yield parse_line({"ev": "done"})


def main(rounds: int = 40) -> None:
    """Print the microseconds of an event in each game, and the ratio to hold'em: the best of all rounds."""
    print("core: an event by game")
    hands: dict[tuple[str, str], tuple[TableOpened, list[Event]]] = {}
    for book, name in [("roberts-7", name) for name in rulebook_file.load_rulebook("roberts-7").games] + [
        ("casino-au", name) for name in rulebook_file.load_rulebook("casino-au").games
    ]:
        line = make_table_line(book, name)
        table = Table()
        table.handle(line)
        events = []
        for event in play_hand(table):
            events.append(event)
            table.handle(event)
        hands[book, name] = line, events
    best = dict.fromkeys(hands, float("inf"))
    for _ in range(rounds):
        for each, (line, events) in hands.items():
            table = Table()
            table.handle(line)
            begun = time.thread_time_ns()
            for event in events:
                table.handle(event)
            best[each] = min(best[each], (time.thread_time_ns() - begun) / len(events) / 1000)
    for (book, name), cost in best.items():
        print(
            f"  {book:10} {name:16} {cost:6.1f} us an event, {cost / best[book, REFERENCE_GAME]:.2f} x hold'em (at "
            f"most 1.5)"
        )


if __name__ == "__main__":
    main()
