"""Tables of every game, and an autopilot that plays what is first in `next`."""

from collections.abc import Iterable, Iterator
from typing import Any

from config import game_file
from controller.core.rules.games import StreetOpener
from controller.core.values.cards import build_deck
from tests.playing import ScriptedTable, play

STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
ANTE = {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4}
BLINDS = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STEPS = ("return", "shuffle", "cut", "move", "discard", "award", "post")


def table(book: str, game: str, *lines: dict[str, Any] | str, seats: int = 3, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """A table of any game with 200 each; stud has no button, draw high an ante."""
    button = game_file.load_game(game).has_button
    ante = game_file.load_game(game).streets[-1].opener is StreetOpener.DRAW_OPENER and book != "casino-au"
    betting = STUD if not button else ANTE if ante else BLINDS
    return play(
        book, *lines, seats=seats, **({"game": game, "betting": betting, "button": 1 if button else None} | setup)
    )


def cards_of(game: str, joker: bool = False) -> Iterator[str]:
    """The deck of a game, one card after the other, in an order that mixes ranks and suits."""
    cards = build_deck(game_file.load_game(game).deck_size, joker)
    return (cards[i * 7 % len(cards)] if len(cards) % 7 else cards[i * 5 % len(cards)] for i in range(len(cards)))


def passive(options: Iterable[str]) -> str:
    """The cheapest word that stays in the hand."""
    options = tuple(options)
    return next(word for word in ("bring-in", "check", "call", "bet", "all-in", "fold") if word in options)


def run(played: ScriptedTable, cards: Iterator[str], discard: int = 1, steps: int = 400) -> dict[str, Any]:
    """Play on with calls and checks, `discard` cards in each draw, until the hand is over."""
    answer = played.lines[-1]
    for _ in range(steps):
        if not answer["next"]:
            return answer
        step = answer["next"][0]
        match step["step"]:
            case "deal" | "burn" | "board":
                answer = played({"ev": "card", "card": next(cards, None)})
            case "act":
                word = passive(step["options"])
                to = {"to": step["min_to"]} if word == "bet" else {}
                answer = played({"ev": "act", "seat": step["seat"], "do": word, **to})
            case "draw":
                answer = played({"ev": "draw", "seat": step["seat"], "discard": step.get("discard", discard)})
            case "show":
                answer = played({"ev": "show", "seat": step["seat"]})
                if "error" in answer:
                    answer = played({"ev": "muck", "seat": step["seat"]})
            case "award":
                answer = played(
                    "done" if "amounts" in step else {"ev": "won", "seat": step["seats"][0], "pot": step["pot"]}
                )
            case name if name in STEPS:
                answer = played("done")
            case _:
                raise AssertionError(step)
        assert "error" not in answer, answer["error"]
    raise AssertionError("the hand has no end")


def steps(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The steps of `next` in short: name, seat, face or why."""
    return [
        tuple(step[key] for key in ("step", "seat", "face", "why", "from", "to", "n", "count") if key in step)
        for step in answer["next"]
    ]


def first(answer: dict[str, Any]) -> dict[str, Any]:
    """The first step."""
    step: dict[str, Any] = answer["next"][0]
    return step


def said(answer: dict[str, Any]) -> list[tuple[str, str, int | None, str]]:
    """The rulings in short: finding, verdict, seat, deciding clause."""
    return [(r["finding"], r["verdict"], r.get("seat"), r["cite"][0]) for r in answer["rulings"]]
