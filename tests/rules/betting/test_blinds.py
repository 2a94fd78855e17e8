"""The deal, the blinds and straddles, the order of action, and what lies on the table. Seat 1 has the button."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play

Stacks = dict[int, int | None]

BIG = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
LIMIT = {"structure": "fixed-limit", "small_blind": 10, "big_blind": 20, "small_bet": 20, "big_bet": 40}
BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
GAMES = {"holdem": 2, "omaha": 4}
BUTTON_GAMES = [(book, game) for book in BOOKS for game in GAMES if (book, game) != ("maryport", "omaha")]


def begun(
    book: str,
    game: str = "holdem",
    stacks: Stacks | None = None,
    betting: dict[str, Any] | None = None,
    **table: Any,  # noqa: ANN401
) -> ScriptedTable:
    """The blinds are posted, the first card is due."""
    chips = stacks or dict.fromkeys(range(1, 5), 2000)
    return play(book, "start", game=game, stacks=chips, betting=betting or BIG, **table)


def dealt(book: str, game: str = "holdem", stacks: Stacks | None = None, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """All hands are dealt."""
    played = begun(book, game, stacks, **table)
    played("card" + " -" * (GAMES[game] * len(stacks or range(4))))
    return played


def turns(played: ScriptedTable, word: str) -> list[int]:
    """Who acts, one after the other, until the street is over, each with `word` (or a call)."""
    order: list[int] = []
    while (step := played.lines[-1]["next"][0])["step"] == "act":
        order.append(step["seat"])
        played(f"act {step['seat']} {word if word in step['options'] else 'call'}")
    return order


def options(line: dict[str, Any]) -> list[str]:
    found: list[str] = line["next"][0]["options"]
    return found


@pytest.mark.parametrize(("book", "game"), BUTTON_GAMES)
def test_cards_go_clockwise_and_the_button_gets_the_last(book: str, game: str) -> None:
    """One card at a time, face down, from the left of the button until everybody has a whole hand.

    Covers: R7-4.intro#a, R7-5.intro#a, R7-6.omaha.1, FC-4.intro#a, FC-5.intro#a, FC-7.omaha, MP-4.intro#a,
    MP-5.intro#a, HR-omaha, AU-16.1(b)#a, AU-17.1(b)#a, AU-16.1(d), AU-17.1(d)
    """
    table = begun(book, game)
    deals = table.lines[-1]["next"][:-1]
    assert [step["seat"] for step in deals] == [2, 3, 4, 1] * GAMES[game]
    assert {step["step"] for step in deals} == {"deal"}
    assert {step["face"] for step in deals} == {"down"}
    table("card" + " -" * len(deals))
    for street, n in (("flop", 3), ("turn", 1), ("river", 1)):
        turns(table, "check")
        assert table.lines[-1]["next"][:2] == [{"step": "burn"}, {"step": "board", "street": street, "n": n}]
        table("card" + " -" * (n + 1))
    turns(table, "check")
    assert [step["step"] for step in table.lines[-1]["next"]] == ["show"] * 4


@pytest.mark.parametrize(("book", "game"), BUTTON_GAMES)
def test_who_opens_each_street(book: str, game: str) -> None:
    """First left of the blinds, later left of the button, clockwise; who is left alone wins.

    Covers: R7-4.intro#d, FC-4.intro#d, MP-4.intro#d, R7-4.intro#a, FC-4.intro#a, MP-4.intro#a, AU-16.2(a), AU-16.2(b),
    AU-16.2(c), AU-16.3(b), AU-16.3(c), AU-16.4(b), AU-16.4(c), AU-16.5(b), AU-16.5(c), AU-17.2(a), AU-17.2(b),
    AU-17.2(c), AU-17.3(b), AU-17.3(c), AU-17.4(b), AU-17.4(c), AU-17.5(b), AU-17.5(c)
    """
    seats = dict.fromkeys(range(1, 6), 2000)
    table = dealt(book, game, dict(seats))
    assert "check" not in options(table.lines[-1])
    assert table("act 4 fold")["next"][0]["seat"] == 5
    assert turns(table, "check") == [5, 1, 2, 3]
    for cards in ("card - - - -", "card - -", "card - -"):
        table(cards)
        assert turns(table, "check") == [2, 3, 5, 1]
    for cards, left in (("", [5, 1, 2, 3]), ("card - - - -", [2, 3, 5, 1]), ("card - -", [2, 3, 5, 1])):
        alone = dealt(book, game, dict(seats))
        alone("act 4 fold")
        for street in ("card - - - -", "card - -") if cards == "card - -" else (cards,) if cards else ():
            turns(alone, "check")
            alone(street)
        if cards:
            alone(f"act {left[0]} bet 100")
            line = alone(*(f"act {seat} fold" for seat in left[1:]))
            winner = left[0]
        else:
            line = alone("act 5 fold", "act 1 fold", "act 2 fold")
            winner = 3
        assert line["next"][0]["step"] == "award"
        assert line["next"][0]["seats"] == [winner]


@pytest.mark.parametrize(("book", "again"), [("roberts-7", False), ("house-rules", True)])
def test_a_straddle(book: str, again: bool) -> None:
    """Left of the big blind, twice its size; it sets the bring-in, is no raise, and acts last. HR lets it go on.

    Covers: R7-14.nl.3, R7-14.nl.15, HR-nl.2#b, HR-nl.11
    """
    table = begun(book, stacks=dict.fromkeys(range(1, 6), 2000))
    assert table("act 5 straddle")["error"]["code"] == "straddle-not-allowed"
    line = table("act 4 straddle")
    assert (line["bets"]["4"], line["next"][-1]["seat"]) == (200, 5)
    assert (line["next"][-1]["to_call"], line["next"][-1]["min_to"]) == (200, 400)
    refused = "error" in table("act 5 straddle")
    assert refused == (not again)
    last = 5 if again else 4
    assert table.lines[-1]["bets"].get("5") == (400 if again else None)
    table("card" + " -" * 10)
    order = turns(table, "check")
    assert order[-1] == last
    tournament = begun(book, mode="tournament", stacks=dict.fromkeys(range(1, 6), 2000))
    assert "error" in tournament("act 4 straddle")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("book", "refused"), [("casino-au", True), ("roberts-7", False)])
def test_the_last_blind_is_the_minimum_at_least(book: str, refused: bool, game: str) -> None:
    """AU: the last compulsory blind is at least the table minimum for the first round; elsewhere the house sets it.

    Covers: AU-16.6(b), AU-17.6(b)
    """
    seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3)]
    line = {"ev": "table", "rulebook": book, "game": game, "betting": LIMIT | {"big_blind": 15}, "seats": seats}
    answer = ScriptedTable()(line | {"button": 1})
    assert (answer.get("error", {}).get("code") == "value") == refused
    assert "error" not in ScriptedTable()(line | {"button": 1, "betting": LIMIT})
