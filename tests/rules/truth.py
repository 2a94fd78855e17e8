"""Hands in which the machine is told the truth: reports, draws, stud hands to order, and the way to the award."""

from typing import Any

from controller.core.values.cards import build_deck
from tests.games.playing import run, table
from tests.playing import ScriptedTable
from tests.rules.stud_deals import money

R7, AU, HR = "roberts-7", "casino-au", "house-rules"
THIRD = "card 2c 3c 4c 5c 6c 7c 8c 9c Td Jd Qd 2d"
"""Seats 1 to 4 show Td Jd Qd 2d: seat 4 opens."""
PLAY_ON = {"ev": "floor", "decide": "play-on"}


def stud(book: str, *lines: str | dict[str, Any], cards: str = THIRD, **setup: Any) -> ScriptedTable:  # noqa: ANN401
    """Four players with three cards each."""
    stakes = {"structure": "fixed-limit", "ante": 1, "small_bet": 4, "big_bet": 8}
    stakes |= {} if book == AU else {"bring_in": 2}
    return table(book, "stud-7", "start", cards, *lines, seats=4, betting=stakes, **setup)


def report(what: str, **said: object) -> dict[str, Any]:
    return {"ev": "report", "what": what, **said}


def drawn(seat: int, discard: int) -> dict[str, Any]:
    return {"ev": "draw", "seat": seat, "discard": discard}


def refused(played: ScriptedTable) -> str | None:
    """The code of the last line's refusal."""
    error = played.lines[-1].get("error")
    return None if error is None else str(error["code"])


def to_the_award(played: ScriptedTable, chips: int = 800) -> dict[str, int]:
    """Play on with cards that are not out yet; the stacks after the last award."""
    assert refused(played) is None, played.lines[-1]["error"]
    hand = played.table.outcome.state.hand
    assert hand is not None
    out = {lying.card for pile in hand.cards.piles.cards_by_place.values() for lying in pile}
    answer = run(played, iter([card for card in build_deck(52, False) if card not in out]))
    assert (answer["phase"], money(answer)) == ("idle", chips)
    assert (
        sum(answer["piles"][pile] for pile in ("stub", "burn", "board", "muck", "aside"))
        + sum(answer["piles"]["seats"].values())
        == 52
    )
    return {seat: stack - 200 for seat, stack in answer["stacks"].items()}
