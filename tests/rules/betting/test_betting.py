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


@pytest.mark.parametrize(("book", "game"), BOOKS_AND_GAMES)
def test_a_raise_is_at_least_the_bet_or_raise_before(book: str, game: str) -> None:
    """All raises must be equal to or greater than the previous bet or raise of the round, except for an all-in.

    Covers: R7-3.betting.5, R7-14.nl.4#a, HR-betting.5, HR-nl.3#a, FC-3.betting.4, FC-8.nl.3#a, MP-3.betting.3,
    MP-6.nl.3#a, AU-16.6(c), AU-17.6(c)
    """
    table = dealt(book, BIG, {1: 2000, 2: 2000, 3: 2000, 4: 2000, 5: 330}, game=game)
    assert span(table.lines[-1]) == (200, 2000)
    assert span(table("act 4 raise 300")) == (330, 330)
    assert span(table("act 5 call")) == (500, 2000)
    assert table("act 1 raise 499")["error"]["code"] == "amount"
    assert span(table("act 1 raise 700")) == (1100, 2000)


@pytest.mark.parametrize("book", BOOKS)
def test_a_wager_below_the_minimum_must_be_brought_up(book: str) -> None:
    """A player who bets or raises less than the minimum and has more chips must bring it up to it, and no more.

    The panel does not take it as it is: it names the proper amount.

    Covers: R7-14.nl.13, HR-nl.10, FC-8.nl.9, MP-6.nl.10
    """
    table = flop(book, BIG)
    line = table("act 2 bet 60")
    assert line["error"]["code"] == "amount"
    assert "100 to 1900" in line["error"]["message"]
    line = table("act 2 bet 100", "act 3 raise 150")
    assert "200 to 1900" in line["error"]["message"]
    assert due(line)["seat"] == 3


@pytest.mark.parametrize("book", BOOKS)
def test_the_minimum_bet_is_the_bring_in_on_all_rounds(book: str) -> None:
    """An all-in below the minimum may be called; who raises it must raise by the minimum: 20 all-in to 120 at least.

    Covers: R7-14.nl.2, HR-nl.2#a, FC-8.nl.2, MP-6.nl.2
    """
    table = flop(book, BIG, {1: 2000, 2: 120, 3: 2000, 4: 2000})
    assert span(table.lines[-1]) == (20, 20)
    line = table("act 2 all-in")
    assert (due(line)["to_call"], span(line)) == (20, (120, 1900))
    assert span(table("act 3 call", "act 4 fold")) == (120, 1900)


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


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "maryport"])
def test_an_all_in_of_less_than_half_a_bet(book: str) -> None:
    """It does not reopen the betting for who has acted; who has not may fold, call or complete the wager.

    Covers: R7-3.betting.6#a, R7-3.betting.6#b, HR-betting.4#a, HR-betting.4#b, MP-3.betting.4#a, MP-3.betting.4#b
    """
    table = flop(book, LIMIT, {1: 2000, 2: 2000, 3: 49, 4: 2000})
    line = table("act 2 bet 20", "act 3 all-in")
    assert (due(line)["to_call"], words(line), span(line)) == (29, ["fold", "call", "complete"], (40, 40))
    table("act 4 call", "act 1 call")
    assert (due(table.lines[-1])["seat"], words(table.lines[-1])) == (2, ["fold", "call"])
    other = flop(book, LIMIT, {1: 2000, 2: 2000, 3: 49, 4: 2000})
    other("act 2 bet 20", "act 3 all-in", "act 4 complete 40", "act 1 fold")
    assert (words(other.lines[-1]), span(other.lines[-1])) == (["fold", "call", "raise"], (60, 60))


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "maryport"])
def test_an_all_in_of_half_a_bet_or_more_is_a_full_bet(book: str) -> None:
    """The others may fold, call or make a full raise: 15 all-in on a round of 20 is raised to 35.

    Covers: R7-3.betting.6#c, HR-betting.4#c, MP-3.betting.4#c
    """
    table = flop(book, LIMIT, {1: 2000, 2: 35, 3: 2000, 4: 2000})
    line = table("act 2 all-in")
    assert (words(line), due(line)["to_call"], span(line)) == (["fold", "call", "raise"], 15, (35, 35))
    raised = flop(book, LIMIT, {1: 2000, 2: 2000, 3: 55, 4: 2000})
    raised("act 2 bet 20", "act 3 all-in", "act 4 call", "act 1 fold")
    assert (words(raised.lines[-1]), span(raised.lines[-1])) == (["fold", "call", "raise"], (55, 55))


@pytest.mark.parametrize("book", ["roberts-7", "maryport"])
def test_several_short_all_ins_add_up_in_limit(book: str) -> None:
    """Each too small to be a raise, together they act as one and reopen the betting to who now faces a raise.

    Covers: R7-3.betting.6#d, MP-3.betting.4#d
    """
    table = flop(book, LIMIT, {1: 2000, 2: 2000, 3: 48, 4: 55})
    table("act 2 bet 20", "act 3 all-in", "act 4 all-in", "act 1 call")
    assert (due(table.lines[-1])["to_call"], "raise" in words(table.lines[-1])) == (15, True)


def test_a_short_all_in_under_the_casino_rules() -> None:
    """Under half a bet: call or raise to the structured level. An all-in bet of half or more: call, or raise on top.

    Covers: AU-10.2#a, AU-10.2#b
    """
    under = flop("casino-au", LIMIT, {1: 2000, 2: 29, 3: 2000, 4: 2000})
    line = under("act 2 all-in")
    assert (due(line)["to_call"], span(line)) == (9, (20, 20))
    over = flop("casino-au", LIMIT, {1: 2000, 2: 32, 3: 2000, 4: 2000})
    line = over("act 2 all-in")
    assert (due(line)["to_call"], span(line)) == (12, (32, 32))


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


@pytest.mark.parametrize(
    ("book", "reopens"),
    [("roberts-7", False), ("house-rules", False), ("maryport", False), ("casino-au", False), ("fish-n-chips", True)],
)
def test_a_short_all_in_in_no_limit(book: str, reopens: bool) -> None:
    """A player who has acted may not raise an all-in of less than a full raise; one book says that he may.

    Covers: R7-14.nl.4#b, HR-nl.3#b, MP-6.nl.3#b, FC-8.nl.3#b
    """
    table = flop(book, BIG, {1: 2000, 2: 2000, 3: 240, 4: 2000})
    table("act 2 bet 100", "act 3 all-in", "act 4 call", "act 1 call")
    assert (due(table.lines[-1])["seat"], "raise" in words(table.lines[-1])) == (2, reopens)
    if reopens:
        assert span(table.lines[-1]) == (240, 1900)


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_is_not_completed_in_no_limit(book: str) -> None:
    """After 100 bet and 140 all-in a raise must make it 240 at least.

    Covers: R7-14.nl.5
    """
    table = flop(book, BIG, {1: 2000, 2: 2000, 3: 240, 4: 2000})
    line = table("act 2 bet 100", "act 3 all-in")
    assert (words(line), span(line)) == (["fold", "call", "raise", "all-in"], (240, 1900))


@pytest.mark.parametrize(
    ("book", "reopens"), [("roberts-7", True), ("house-rules", True), ("maryport", True), ("casino-au", False)]
)
def test_several_short_all_ins_in_no_limit(book: str, reopens: bool) -> None:
    """Together they act as a raise if what a player now faces qualifies as one; AU knows no adding up.

    Covers: R7-14.nl.6, MP-6.nl.4
    """
    table = flop(book, BIG, {1: 2000, 2: 2000, 3: 260, 4: 310})
    table("act 2 bet 100", "act 3 all-in", "act 4 all-in", "act 1 call")
    assert (due(table.lines[-1])["to_call"], "raise" in words(table.lines[-1])) == (110, reopens)


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "maryport"])
def test_the_printed_example_of_a_raiser_without_an_option(book: str) -> None:
    """A bets 100, B raises to 200, C is all-in for less than 300, A calls: B may not raise again; A could have.

    Covers: HR-nl.3#c
    """
    table = flop(book, BIG, {1: 2000, 2: 2000, 3: 2000, 4: 370})
    table("act 2 bet 100", "act 3 raise 200", "act 4 all-in", "act 1 fold")
    assert (due(table.lines[-1])["seat"], "raise" in words(table.lines[-1])) == (2, True)
    assert words(table("act 2 call")) == ["fold", "call"]


@pytest.mark.parametrize(("book", "game"), BOOKS_AND_GAMES)
def test_a_pot_limit_raise_is_at_most_the_pot_after_the_call(book: str, game: str) -> None:
    """Pot 40, bet 20: the call makes it 80, so that the wager may be 100 in all.

    Covers: R7-14.intro, FC-9.intro, MP-6.intro, AU-16.6(d), AU-17.6(d)
    """
    table = flop(book, POT, game=game)
    assert span(table.lines[-1]) == (10, 40)
    assert span(table("act 2 bet 20")) == (40, 100)


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips"])
def test_more_than_the_pot_is_given_back(book: str) -> None:
    """A wager that exceeds the pot is reduced to the maximum: the panel names it and takes no more.

    Covers: R7-14.pl.1, FC-9.pl.1
    """
    table = flop(book, POT)
    line = table("act 2 bet 41")
    assert line["error"]["code"] == "amount"
    assert "10 to 40" in line["error"]["message"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("mode", "most"), [("cash", 40), ("tournament", 35)])
def test_the_opening_raise_in_pot_limit(game: str, mode: str, most: int) -> None:
    """Money games count the small blind as a big one: four times the big blind, in tournaments three and a half.

    Covers: R7-14.pl.5
    """
    table = dealt("roberts-7", POT, game=game, mode=mode)
    assert span(table.lines[-1]) == (20, most)
    later = span(table("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -"))
    assert later == (10, 40)


@pytest.mark.parametrize("game", GAMES)
def test_spread_limit(game: str) -> None:
    """The first to act bets at least the minimum, later ones at least the last bet or raise; up to the maximum.

    Covers: AU-16.6(e), AU-17.6(e)
    """
    table = flop("casino-au", SPREAD, game=game)
    assert span(table.lines[-1]) == (2, 10)
    assert span(table("act 2 bet 6")) == (12, 16)
    assert table("act 3 raise 10")["error"]["code"] == "amount"


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips", "maryport"])
def test_a_player_to_act_is_told_what_he_faces(book: str) -> None:
    """He is entitled to know which hands are live and whether the wager is big enough to reopen the betting.

    The options say whether he may raise, the pots and bets who is in, and no dead hand is among them.

    Covers: R7-2.decision.9, FC-2.decision.7, MP-2.decision.9
    """
    table = flop(book, BIG, {1: 2000, 2: 2000, 3: 240, 4: 2000})
    line = table("act 2 bet 100", "act 3 all-in", "act 4 fold", "act 1 call")
    assert ("raise" in words(line)) == (book == "fish-n-chips")
    assert line["pots"][0]["seats"] == [1, 2, 3]
    assert line["bets"] == {"1": 140, "2": 100, "3": 140}
