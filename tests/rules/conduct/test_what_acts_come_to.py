"""Amounts and orders that follow from who has acted already: the pot of an opening raise, who shows first."""

import pytest

from tests.playing import ScriptedTable, play

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
POT = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10}
BIG = {"structure": "no-limit", "small_blind": 50, "big_blind": 100}
Stacks = dict[int, int | None]


def most(table: ScriptedTable) -> int:
    """What the seat to act may make it at most."""
    largest: int = table.lines[-1]["next"][0]["max_to"]
    return largest


def shows(table: ScriptedTable) -> list[int]:
    return [step["seat"] for step in table.lines[-1]["next"] if step["step"] == "show"]


@pytest.mark.parametrize("mode", ["cash", "tournament"])
def test_R7_14_pl_5_a_small_blind_that_calls_counts_for_what_it_is(mode: str) -> None:
    """5 counted as 10 makes the pot 20; so does the call, so that it may be 30 at most for both blinds."""
    table = play("roberts-7", "start", "card - - - - - -", "act 1 fold", betting=POT, seats=3, mode=mode)
    assert most(table) == 30
    table("act 2 call")
    assert most(table) == 30


def test_R7_14_pl_5_later_players_count_the_small_blind_as_a_big_one() -> None:
    """Seat 4 makes it 40: 10 + 10 + 40 + 40 for the button; the blinds have 40 + 40 and one of 10 or 10 as 10."""
    table = play("roberts-7", "start", "card - - - - - - - -", "act 4 raise 40", betting=POT)
    assert most(table) == 140
    table("act 1 fold")
    assert most(table) == 130
    table("act 2 fold")
    assert most(table) == 130


@pytest.mark.parametrize("book", BOOKS)
def test_R7_3_showdown_8_a_who_is_all_in_already_did_not_act_first(book: str) -> None:
    """Seat 2 is all-in since the flop: on the river seat 3 checks first and shows first."""
    table = play(
        book, "start", "card - - - - - - - -", stacks={1: 900, 2: 200, 3: 900, 4: 900}, betting=BIG, mode="cash"
    )
    table("act 4 call", "act 1 fold", "act 2 call", "act 3 check", "card - - - -")
    table("act 2 all-in", "act 3 call", "act 4 call")
    for _ in range(2):
        table("card - -", "act 3 check", "act 4 check")
    assert shows(table) == [3, 4, 2]


def test_FC_6_position_e_all_in_before_the_end() -> None:
    """Seat 4 with the Winner Button is left of the button, but acts last: it would not have opened the last round."""
    table = play("fish-n-chips", "start", "card - - - - - - - -", house={"position_poker": True})
    table("act 4 fold", "act 1 fold", "act 2 fold", "done")
    table("start", "card - - - - - - - -", "act 1 fold", "act 2 fold", "act 3 fold", "done")
    assert table.lines[-1]["lamps"]["winner_button"] == [4]
    table("start", "card - - - - - - - -", "act 2 call", "act 3 call", "act 4 call", "act 1 check", "card - - - -")
    table("act 1 all-in", "act 2 all-in", "act 3 fold", "act 4 call")
    assert shows(table) == [1, 2, 4]


def test_FC_3_betting_7_an_all_in_that_binds_names_its_amount() -> None:
    """Seat 4 is bound to its all-in of 150: one word, at one amount; as a mere call it has no amounts."""
    table = play("fish-n-chips", "start", "card - - - - - - - - - -", stacks=dict.fromkeys(range(1, 6), 150))
    step = table("act 5 all-in", "act 4 fold")["next"][0]
    assert (step["options"], step["min_to"], step["max_to"]) == (["all-in"], 150, 150)
    short: Stacks = {1: 150, 2: 150, 3: 150, 4: 150, 5: 2}
    table = play("fish-n-chips", "start", "card - - - - - - - - - -", "act 5 all-in", "act 4 fold", stacks=short)
    step = table.lines[-1]["next"][0]
    assert step == {"step": "act", "seat": 5, "options": ["all-in"], "to_call": 2}


def test_R7_15_tourn_34_who_throws_the_hand_away_ends_it_on_the_street_that_was_due() -> None:
    """Both are all-in: their hands are turned up, and only the floor can call one dead; then no flop is dealt."""
    table = play("roberts-7", "start", "card - - - - - -", seats=3, mode="tournament")
    table("act 1 fold", "act 2 all-in", "act 3 call")
    assert table.lines[-1]["street"] == "flop"
    refused = table("muck 2")["error"]
    assert (refused["code"], "Tournaments, rule 34" in refused["message"]) == ("hands-up", True)
    line = table({"ev": "floor", "decide": "dead-hand", "seat": 2})
    assert (line["street"], [step["step"] for step in line["next"]]) == ("flop", ["award"])
    assert table("done")["stacks"] == {"1": 200, "3": 400}


@pytest.mark.parametrize("what", ["deck-defective", "missing-card"])
def test_a_report_about_a_chair_without_a_player_is_refused(what: str) -> None:
    """Also where the report is about the deck: the chair it names is a slip of whoever entered it."""
    table = play("roberts-7", "start", "card - - -")
    before = table.lines[-1]
    line = table(f"report {what} seat=9")
    assert line["error"] == {"code": "empty-chair", "message": "nobody sits at seat 9; taken seats: 1, 2, 3, 4."}
    assert (line["next"], line["piles"]) == (before["next"], before["piles"])
    assert "error" not in table(f"report {what} seat=4")


def test_R7_14_nl_15_by_default_in_a_cash_game_of_fish_n_chips() -> None:
    """The book is silent on straddles, so that the clause it falls back on holds: one, and none in tournaments.

    It is posted left of the big blind, also by who holds the Winner Button.
    """
    table = play("fish-n-chips", seats=6, mode="cash", house={"position_poker": True})
    table("start", "card - - - - - - - - - - - -", "act 4 fold", "act 5 raise 30", "act 6 fold", "act 1 fold")
    table("act 2 fold", "act 3 fold", "done", "start")
    assert (table.lines[-1]["lamps"]["big_blind"], table.lines[-1]["lamps"]["winner_button"]) == ([4], [5])
    assert "only seat 5" in table("act 6 straddle")["error"]["message"]
    line = table("act 5 straddle")
    assert (line["bets"], line["next"][-1]["seat"]) == ({"3": 1, "4": 2, "5": 4}, 6)
    assert "its 1 straddle" in table("act 6 straddle")["error"]["message"]
    table("card - - - - - - - - - - - -", *(f"act {seat} call" for seat in (6, 1, 2, 3, 4)))
    assert table.lines[-1]["next"][0]["options"] == ["fold", "check", "raise", "all-in"]
    tournament = play("fish-n-chips", "start", seats=6)("act 4 straddle")
    assert tournament["error"]["code"] == "straddle-not-allowed"


SPREAD = {"structure": "spread-limit", "small_blind": 1, "big_blind": 2, "min_bet": 2, "max_bet": 10}
LIMIT_BOOKS = ("roberts-7", "house-rules", "maryport")


@pytest.mark.parametrize("book", LIMIT_BOOKS)
@pytest.mark.parametrize(("whole", "least", "reopened"), [(13, 19, True), (11, 17, True), (10, 14, False)])
def test_R7_3_betting_6_in_spread_limit(book: str, whole: int, least: int, reopened: bool) -> None:
    """Spread limit is limit play: seat 4 has raised by 6 to 8, half of that or more all-in counts as a full raise.

    With less the next player may call, or complete the raise to 14.

    Covers: HR-betting.4#b, HR-betting.4#c, MP-3.betting.4#b, MP-3.betting.4#c
    """
    stacks: Stacks = {1: 200, 2: 200, 3: 200, 4: 200, 5: whole}
    table = play(book, "start", "card - - - - - - - - - -", stacks=stacks, betting=SPREAD, mode="cash")
    line = table("act 4 raise 8", "act 5 all-in")
    assert (line["next"][0]["to_call"], line["next"][0]["min_to"]) == (whole, least)
    line = table("act 1 call", "act 2 fold", "act 3 fold")
    assert line["next"][0]["seat"] == 4
    assert ("raise" in line["next"][0]["options"]) == reopened


@pytest.mark.parametrize(("whole", "least"), [(5, 11), (2, 6)])
def test_AU_10_2_in_spread_limit(whole: int, least: int) -> None:
    """An all-in bet of less than half the minimum is raised to the structured level, another by a whole bet."""
    betting = {"structure": "spread-limit", "small_blind": 3, "big_blind": 6, "min_bet": 6, "max_bet": 20}
    stacks: Stacks = {1: 100, 2: 6 + whole, 3: 100}
    table = play("casino-au", "start", "card - - - - - -", stacks=stacks, betting=betting)
    line = table("act 1 call", "act 2 call", "act 3 check", "card - - - -", "act 2 all-in")
    assert (line["next"][0]["to_call"], line["next"][0]["min_to"]) == (whole, least)
