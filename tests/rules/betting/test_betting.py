"""Wagers: how much, how often, and what a short all-in lets others do. Seat 1 has the button, seat 4 opens."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

Stacks = dict[int, int | None]

BIG = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
LIMIT = {"structure": "fixed-limit", "small_blind": 10, "big_blind": 20, "small_bet": 20, "big_bet": 40}
POT = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10}
SPREAD = {"structure": "spread-limit", "small_blind": 1, "big_blind": 2, "min_bet": 2, "max_bet": 10}
BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
GAMES = {"holdem": 2, "omaha": 4}
BOOKS_AND_GAMES = [(book, game) for book in BOOKS for game in GAMES if (book, game) != ("maryport", "omaha")]
"""Maryport has no Omaha."""


def dealt(
    book: str,
    betting: dict[str, Any],
    stacks: Stacks | None = None,
    game: str = "holdem",
    **table: Any,  # noqa: ANN401
) -> ScriptedTable:
    """All hands are dealt, the seat left of the blinds is to act."""
    chips = stacks or dict.fromkeys(range(1, 5), 2000)
    cards = "card" + " -" * (GAMES[game] * len(chips))
    return play(book, "start", cards, stacks=chips, betting=betting, game=game, **table)


def flop(book: str, betting: dict[str, Any], stacks: Stacks | None = None, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """Everybody has called, seat 2 is first to act on the flop."""
    played = dealt(book, betting, stacks, **table)
    while played.lines[-1]["next"][0]["step"] == "act":
        step = played.lines[-1]["next"][0]
        played(f"act {step['seat']} {'call' if 'call' in step['options'] else 'check'}")
    played("card - - - -")
    assert played.lines[-1]["street"] == "flop"
    return played


def due(line: dict[str, Any]) -> dict[str, Any]:
    step: dict[str, Any] = line["next"][0]
    assert step["step"] == "act"
    return step


def span(line: dict[str, Any]) -> tuple[int | None, int | None]:
    """The smallest and largest bet or raise that the next seat may make."""
    return due(line).get("min_to"), due(line).get("max_to")


def words(line: dict[str, Any]) -> list[str]:
    found: list[str] = due(line)["options"]
    return found


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("betting", [BIG, POT], ids=["no-limit", "pot-limit"])
def test_raises_are_unlimited_in_big_bet_games(book: str, betting: dict[str, Any]) -> None:
    """In no-limit and pot-limit games unlimited raising is allowed.

    Covers: R7-3.betting.2, R7-14.nl.1, HR-betting.2, HR-nl.1, FC-8.nl.1, MP-3.betting.2, MP-6.nl.1
    """
    table = dealt(book, betting, dict.fromkeys(range(1, 5), 100_000))
    for seat in (4, 1, 2, 3, 4, 1, 2, 3):
        assert "raise" in words(table.lines[-1])
        line = table(f"act {seat} raise {span(table.lines[-1])[0]}")
    assert "raise" in words(line)


@pytest.mark.parametrize("betting", [LIMIT, BIG], ids=["limit", "no-limit"])
def test_an_excess_short_of_a_raise_is_no_raise(betting: dict[str, Any]) -> None:
    """AU: nobody may raise only over the excess; the next raise is the last full one, added to the highest total.

    Covers: AU-10.2#c, AU-1.1#raise
    """
    unit = 20 if betting is LIMIT else 100
    short = unit + unit + unit * 3 // 4
    table = flop("casino-au", betting, {1: 2000, 2: 2000, 3: short, 4: 2000})
    line = table(f"act 2 bet {unit}", "act 3 all-in")
    assert (due(line)["to_call"], span(line)[0]) == (unit * 7 // 4, unit * 11 // 4)
    table("act 4 call", "act 1 fold")
    assert words(table.lines[-1]) == ["fold", "call"]


@pytest.mark.parametrize(("book", "game"), BOOKS_AND_GAMES)
def test_a_pot_limit_raise_is_at_most_the_pot_after_the_call(book: str, game: str) -> None:
    """Pot 40, bet 20: the call makes it 80, so that the wager may be 100 in all.

    Covers: R7-14.intro, FC-9.intro, MP-6.intro, AU-16.6(d), AU-17.6(d)
    """
    table = flop(book, POT, game=game)
    assert span(table.lines[-1]) == (10, 40)
    assert span(table("act 2 bet 20")) == (40, 100)


@pytest.mark.parametrize("game", GAMES)
def test_spread_limit(game: str) -> None:
    """The first to act bets at least the minimum, later ones at least the last bet or raise; up to the maximum.

    Covers: AU-16.6(e), AU-17.6(e)
    """
    table = flop("casino-au", SPREAD, game=game)
    assert span(table.lines[-1]) == (2, 10)
    assert span(table("act 2 bet 6")) == (12, 16)
    assert table("act 3 raise 10")["error"]["code"] == "amount"
