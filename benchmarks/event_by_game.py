"""The cost of one event in every game, as a ratio to hold'em in the same run: no game may cost half as much again.

A hand of each game is played once by players who check and call, and its events are then handled again and again, the
games by turns, so that whatever else the machine does falls on all of them.
"""

import time
from collections.abc import Iterator

from config import game_file, rulebook_file
from config.setup import open_table
from controller.core.engine.table import Table
from controller.core.model.setup import Opened
from controller.core.play.betting.legal_actions import options_of
from controller.core.protocol.events import Event
from controller.core.protocol.script import read
from controller.core.protocol.steps import Act, Board, Burn, Deal, Draw, Show
from controller.core.values.cards import deck

BLINDS = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
SEATS = 5
WORDS = ("bring-in", "check", "call", "bet", "fold")
"""What a player does who wants to see the next card for as little as it costs."""

YARDSTICK = "holdem"


def opened(book: str, name: str) -> Opened:
    """A table of a game."""
    game = game_file.load(name)
    line: dict[str, object] = {"ev": "table", "rulebook": book, "game": name, "betting": STUD}
    line["seats"] = [{"seat": seat, "stack": 1000} for seat in range(1, SEATS + 1)]
    if game.button:
        line |= {"button": 1, "betting": BLINDS}
    return open_table(line)


def hand(table: Table) -> Iterator[Event]:
    """Play a hand; yield each of its events before it is handled."""
    setup = table.outcome.state.setup
    cards = iter(deck(setup.deck, setup.joker))
    yield read({"ev": "start"})
    while plan := table.outcome.plan:
        match plan[0]:
            case Deal() | Burn() | Board():
                yield read({"ev": "card", "card": next(cards, None)})
            case Act(seat=seat):
                playing = table.outcome.state.hand_in_play
                open_ = options_of(playing, seat)
                word = next(word for word in WORDS if word in open_.words)
                least = {"to": open_.min_to} if word == "bet" else {}
                yield read({"ev": "act", "seat": seat, "do": word, **least})
            case Draw(seat=seat):
                yield read({"ev": "draw", "seat": seat, "discard": 1})
            case Show(seat=seat):
                yield read({"ev": "show", "seat": seat})
            case _:
                yield read({"ev": "done"})


def main(rounds: int = 40) -> None:
    """Print the microseconds of an event in each game, and the ratio to hold'em: the best of all rounds."""
    print("core: an event by game")
    hands: dict[tuple[str, str], tuple[Opened, list[Event]]] = {}
    for book, name in [("roberts-7", name) for name in rulebook_file.load("roberts-7").games] + [
        ("casino-au", name) for name in rulebook_file.load("casino-au").games
    ]:
        line = opened(book, name)
        table = Table()
        table.handle(line)
        events = []
        for event in hand(table):
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
            f"  {book:10} {name:16} {cost:6.1f} us an event, {cost / best[book, YARDSTICK]:.2f} x hold'em (at most 1.5)"
        )


if __name__ == "__main__":
    main()
