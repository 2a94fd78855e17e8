"""Stud hands dealt to order, and the cards that nobody asked for."""

from collections.abc import Iterator
from typing import Any

from config import game_file
from controller.core.values.cards import build_deck
from tests.games.playing import first, passive, table
from tests.playing import ScriptedTable

CARD = ("deal", "burn", "board")


def dealt(book: str, game: str, *hands: str, common: str = "", stop: str = "show", **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Seats 1, 2, … get these cards in this order, burns are not read; all check and call until `stop` is due."""
    played = table(book, game, "start", seats=len(hands), **setup)
    held = {seat: iter(hand.split()) for seat, hand in enumerate(hands, start=1)}
    board = iter(common.split())
    while (step := first(played.lines[-1]))["step"] != stop:
        if step["step"] == "deal":
            played({"ev": "card", "card": next(held[step["seat"]], None)})
        elif step["step"] in CARD:
            played({"ev": "card", "card": next(board, None) if step["step"] == "board" else None})
        elif step["step"] == "act":
            played(f"act {step['seat']} {passive(step['options'])}")
        else:
            played("done")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return played


def awards(played: ScriptedTable) -> list[tuple[int, list[int], list[int]]]:
    """All show; what is then to be pushed: pot, seats, amounts."""
    while first(played.lines[-1])["step"] == "show":
        played(f"show {first(played.lines[-1])['seat']}")
    return [(step["pot"], step["seats"], step["amounts"]) for step in played.lines[-1]["next"]]


def cards(game: str, size: int | None = None) -> Iterator[str]:
    """The cards of the deck, mixed in ranks and suits."""
    pack = build_deck(size or game_file.load_game(game).deck_size, False)
    stride = 7 if len(pack) % 7 else 5
    return (pack[i * stride % len(pack)] for i in range(len(pack)))


def until(played: ScriptedTable, pack: Iterator[str | None], street: str, folds: int = 0) -> dict[str, Any]:
    """Deal and call on until the betting of a street begins; the first `folds` seats that face a wager fold."""
    while (step := first(played.lines[-1]))["step"] != "act" or played.lines[-1]["street"] != street:
        if step["step"] == "act":
            word = passive(step["options"])
            if word == "call" and folds:
                word, folds = "fold", folds - 1
            played(f"act {step['seat']} {word}")
        else:
            played({"ev": "card", "card": next(pack, None)} if step["step"] in CARD else "done")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return played.lines[-1]


def checked(played: ScriptedTable) -> dict[str, Any]:
    """The betting of the street ends with checks and calls."""
    while played.lines[-1]["next"] and first(played.lines[-1])["step"] == "act":
        step = first(played.lines[-1])
        played(f"act {step['seat']} {passive(step['options'])}")
    return played.lines[-1]


def verbs(answer: dict[str, Any]) -> list[str]:
    """What is next, one word a step."""
    return [str(step["step"]) for step in answer["next"]]


def money(answer: dict[str, Any]) -> int:
    """All chips on the table."""
    pots = sum(pot["amount"] for pot in answer["pots"])
    return int(sum(answer["stacks"].values()) + pots + sum(answer["bets"].values()))
