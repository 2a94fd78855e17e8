"""Missed and surplus burns, by the book's clauses."""

from collections.abc import Callable

import pytest

from tests.playing import NO_LIMIT, ScriptedTable, play
from tests.rules.boards import (
    BOOKS,
    CHECKS,
    all_in,
    before_flop,
    before_river,
    before_turn,
    error,
    on_flop,
    piles,
    plan,
    preflop,
    ruling,
)

FLOP_AGAIN = {
    "roberts-7": [],
    "casino-au": ["burn"],
    "house-rules": ["burn"],
    "fish-n-chips": ["burn"],
    "maryport": [],
}
NO_BURN_FLOP = {
    "roberts-7": "R7-5.holdem.4",
    "casino-au": "AU-19.26",
    "house-rules": "R7-5.holdem.4",
    "fish-n-chips": "FC-5.holdem.4",
    "maryport": "MP-5.holdem.4",
}
PUT_RIGHT = {
    "roberts-7": "R7-5.holdem.5",
    "casino-au": "AU-19.3",
    "house-rules": "R7-5.holdem.5",
    "fish-n-chips": "FC-5.holdem.6",
    "maryport": "MP-5.holdem.6",
}


@pytest.mark.parametrize("book", BOOKS)
def test_no_burn_before_the_flop_under_five_books(book: str) -> None:
    """An open flop without a burn is shuffled back everywhere; the books differ on the burn before the new one."""
    flop_without_a_burn(book)


def flop_without_a_burn(book: str) -> None:
    played = before_flop(book)
    played("card 8h 2s 4s", "report no-burn")
    said = ruling(played, "no-burn")
    assert (said["verdict"], said["cite"][0]) == ("redeal-board", NO_BURN_FLOP[book])
    assert ("by default" in said["text"]) == (book == "house-rules")
    assert piles(played, "burn", "board", "stub") == {"burn": 0, "board": 3, "stub": 41}
    after = [*FLOP_AGAIN[book], "board flop 3", "act 2"]
    assert plan(played) == ["return board > stub 3", "shuffle", "cut", *after]
    played("done 3")
    assert plan(played) == after
    assert piles(played, "burn", "board", "stub") == {"burn": 0, "board": 0, "stub": 44}
    played("card 8h 2s 4s", *(["card Kc"] if FLOP_AGAIN[book] else []))
    assert plan(played) == ["act 2"]


def test_R7_5_holdem_4_four_cards_without_a_burn() -> None:
    """Found only when a fourth card lies there: all four go back."""
    played = on_flop("roberts-7")
    played("report no-burn")
    assert piles(played, "burn", "board") == {"burn": 0, "board": 4}
    assert plan(played) == ["return board > stub 4", "shuffle", "cut", "board flop 3", "act 2"]


@pytest.mark.parametrize("book", BOOKS)
def test_no_burn_before_the_turn_under_five_books(book: str) -> None:
    """Before action the turn goes back, is burned, and the next card is the turn; all five books agree."""
    turn_without_a_burn(book)


def turn_without_a_burn(book: str) -> None:
    played = before_turn(book)
    played("card Js", "report no-burn")
    said = ruling(played, "no-burn")
    assert (said["verdict"], said["cite"][0]) == ("correct", PUT_RIGHT[book])
    assert piles(played, "burn", "board") == {"burn": 1, "board": 4}
    assert plan(played) == ["return board > stub 1", "burn", "board turn 1", "act 2"]
    played("done", "card Js Ks")
    assert plan(played) == ["act 2"]
    assert played.lines[-1]["board"] == ["2s", "4s", "Qd", "Ks"]


def test_R7_5_holdem_5_river_and_a_second_card() -> None:
    """The river was turned without a burn and a second card after it: both go back, the first becomes the burn."""
    played = before_river("roberts-7")
    played("card 7c 7d", "report no-burn")
    assert piles(played, "burn", "board") == {"burn": 2, "board": 6}
    assert plan(played) == ["return board > stub 2", "burn", "board river 1", "act 2"]
    played("done", "card 7c 7d")
    assert played.lines[-1]["board"][-1] == "7d"


@pytest.mark.parametrize("book", BOOKS)
def test_two_burns_before_the_flop_and_no_board_card_up(book: str) -> None:
    """The second burn goes back and is the flop's first card; all five books agree."""
    played = before_flop(book)
    played("card 8h 2s", "report double-burn")
    assert ruling(played, "double-burn")["verdict"] == "correct"
    assert piles(played, "burn", "board", "stub") == {"burn": 2, "board": 0, "stub": 42}
    assert plan(played) == ["return burn > stub 1", "board flop 3", "act 2"]
    played("done", "card 2s 4s Qd")
    assert plan(played) == ["act 2"]
    assert piles(played, "burn", "board") == {"burn": 1, "board": 3}


@pytest.mark.parametrize(
    ("book", "back", "again", "verdict", "cite"),
    [
        ("roberts-7", ["return board > stub 3", "shuffle", "cut"], [], "redeal-board", "R7-5.holdem.4"),
        ("house-rules", ["return board > stub 3", "shuffle", "cut"], ["burn"], "redeal-board", "R7-5.holdem.4"),
        (
            "fish-n-chips",
            ["return board > stub 3", "return burn > stub 2", "shuffle", "cut"],
            ["burn"],
            "redeal-board",
            "FC-5.holdem.4",
        ),
        ("maryport", ["return board > stub 3", "shuffle", "cut"], [], "redeal-board", "MP-5.holdem.4"),
        ("casino-au", ["return board > stub 3", "return burn > stub 1"], [], "correct", "AU-19.3"),
    ],
)
def test_two_burns_before_an_open_flop(book: str, back: list[str], again: list[str], verdict: str, cite: str) -> None:
    """Two burns, then three cards: the deck is reshuffled, but AU puts the cards in their right places [AU-19.3]."""
    played = on_flop(book)
    played("card Kc", "report double-burn")
    said = ruling(played, "double-burn")
    assert (said["verdict"], said["cite"][0]) == (verdict, cite)
    assert piles(played, "burn", "board", "aside") == {"burn": 2, "board": 3, "aside": 0}
    assert plan(played) == [*back, *again, "board flop 3", "act 2"]


@pytest.mark.parametrize("cards", [1, 2])
def test_R7_5_holdem_4_part_of_the_flop_is_up(cards: int) -> None:
    """One board card up is enough for a reshuffle."""
    played = before_flop("roberts-7")
    played("card 8h 2s", "card 4s", *["card Qd"][: cards - 1], "report double-burn")
    assert plan(played) == [f"return board > stub {cards}", "shuffle", "cut", "board flop 3", "act 2"]


@pytest.mark.parametrize("book", BOOKS)
def test_two_burns_before_the_turn_with_the_turn_up(book: str) -> None:
    """Before action: the wrong turn and the second burn go back, the last dealt first; the second burn is the turn."""
    played = before_turn(book)
    played("card Js Ks 7c")
    assert plan(played)[0] == "say"
    played("report double-burn")
    said = ruling(played, "double-burn")
    assert (said["verdict"], said["cite"][0]) == ("correct", PUT_RIGHT[book])
    assert piles(played, "burn", "board", "aside") == {"burn": 3, "board": 4, "aside": 0}
    assert plan(played) == ["return board > stub 1", "return burn > stub 1", "board turn 1", "act 2"]
    played("done 2", "card Ks", *CHECKS)
    assert plan(played) == ["burn", "board river 1", "act 2"]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_after_action_the_card_stands(book: str) -> None:
    """One player has acted on the turn: it stands, and the surplus burn goes back as the burn of the river."""
    turn_after_two_burns_and_action(book)


def turn_after_two_burns_and_action(book: str) -> None:
    played = before_turn(book)
    played("card Js Ks", "act 2 check", "card 7c", "report double-burn")
    first, second = played.lines[-1]["rulings"]
    assert (first["verdict"], second["verdict"]) == ("play-on", "correct")
    assert second["cite"][0].endswith(("irreg.15", "irreg.16"))
    assert piles(played, "burn", "board") == {"burn": 3, "board": 4}
    assert plan(played) == ["return burn > stub 1", "act 3"]
    assert played.lines[-1]["board"][-1] == "7c"
    played("done", *CHECKS[1:])
    assert plan(played) == ["burn", "board river 1", "act 2"]


def test_AU_19_3_after_substantial_action_the_number_of_burns_stays_wrong() -> None:
    """One act is no substantial action: put right. After two the card stands and nothing is compensated."""
    played = before_turn("casino-au")
    played("card Js Ks", "act 2 check", "card 7c", "report double-burn")
    assert ruling(played, "double-burn")["verdict"] == "correct"
    played = before_turn("casino-au")
    played("card Js Ks", "act 2 check", "act 3 check", "card 7c", "report double-burn")
    said = ruling(played, "double-burn")
    assert (said["verdict"], said["cite"]) == ("play-on", ["AU-19.3", "AU-1.1"])
    assert piles(played, "burn", "board") == {"burn": 3, "board": 4}
    assert plan(played) == ["act 4"]


def test_R7_3_irreg_15_b_river_after_action() -> None:
    """No street follows: the river stands and the surplus burn stays where it is."""
    played = before_river("roberts-7")
    played("card 7c 7d", "act 2 check", "card 9h", "report double-burn")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["play-on"]
    assert plan(played) == ["act 3"]


def test_R7_3_irreg_15_b_a_late_report_without_a_card_too_many() -> None:
    """By the count nothing is amiss with the cards to come: play on."""
    for report in ("report double-burn", "report no-burn"):
        played = before_turn("roberts-7")
        played("card Js Ks", "act 2 check", report)
        assert played.lines[-1]["rulings"][0]["verdict"] == "play-on"
        assert plan(played) == ["act 3"]
        assert piles(played, "burn", "board") == {"burn": 2, "board": 4}


@pytest.mark.parametrize("book", BOOKS)
def test_all_in_until_the_pot_is_awarded(book: str) -> None:
    """Without betting the river is put right even when hands have been shown, until the pot is pushed."""
    river_without_betting(book)


def river_without_betting(book: str) -> None:
    played = all_in(book, mode="cash")
    played("card 8h 2s 4s Qd", "card Js Ks", "card 7c 7d 9h", "report double-burn")
    assert ruling(played, "double-burn")["verdict"] == "correct"
    assert plan(played)[:3] == ["return board > stub 1", "return burn > stub 1", "board river 1"]
    played("done 2", "card 7d")
    assert played.lines[-1]["board"] == ["2s", "4s", "Qd", "Ks", "7d"]
    shows = [step.split()[1] for step in plan(played)]
    played(f"show {shows[0]}", f"show {shows[1]}")
    assert plan(played) == ["award"]
    played("report no-burn")
    assert ruling(played, "no-burn")["verdict"] == "correct"
    assert plan(played) == ["return board > stub 2", "burn", "board river 1"]
    played("done", "card 7c Ac")
    assert plan(played) == ["award"]
    assert played.lines[-1]["board"][-1] == "Ac"


def test_R7_15_tourn_34_burn_error_with_hands_turned_up() -> None:
    """In a tournament the hands lie open first; a turn without a burn is put right all the same."""
    played = all_in("roberts-7", mode="tournament")
    played(*(f"show {step.split()[1]}" for step in plan(played)[:2]))
    played("card 8h 2s 4s Qd", "card Js", "report no-burn")
    assert plan(played) == ["return board > stub 1", "burn", "board turn 1", "burn", "board river 1"]
    played("done", "card Js Ks 7c 7d")
    assert plan(played) == ["award"]


def test_R7_5_holdem_5_run_out_takes_the_turn_for_the_next_burn() -> None:
    """Without betting between the streets the plan took the turn for the river's burn: it comes again."""
    played = all_in("roberts-7")
    played("card 8h 2s 4s Qd", "card Js Ks 7c", "report double-burn")
    assert piles(played, "burn", "board") == {"burn": 3, "board": 4}
    assert plan(played)[:5] == [
        "return board > stub 1",
        "return burn > stub 1",
        "board turn 1",
        "burn",
        "board river 1",
    ]


def test_R7_3_irreg_15_c_too_late_when_a_pot_is_pushed() -> None:
    """The side pot has been pushed on this board: the river stands for the main pot, too."""
    played = ScriptedTable()
    stacks = [{"seat": 1, "stack": 200}, {"seat": 2, "stack": 100}, {"seat": 3, "stack": 50}]
    played(
        {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "betting": NO_LIMIT, "seats": stacks, "button": 1}
    )
    played("start", "card Ad 9c Tc 5d 6c 4d", "act 1 all-in", "act 2 all-in", "act 3 all-in")
    played("card 8h 2s 4s Qd Js Ks 7c 7d", *(f"show {step.split()[1]}" for step in plan(played)[-3:]))
    assert plan(played) == ["award", "award"]
    played("done", "report no-burn")
    assert ruling(played, "no-burn")["verdict"] == "play-on"
    assert plan(played) == ["award"]


def test_R7_5_holdem_5_three_burns() -> None:
    """More than one burn too many: all of them go back, the first of them is the turn."""
    played = before_turn("roberts-7")
    played("card Js Ks 7c", "report double-burn count=3")
    assert piles(played, "burn", "board") == {"burn": 4, "board": 3}
    assert plan(played) == ["return burn > stub 2", "board turn 1", "act 2"]


@pytest.mark.parametrize(("book", "burns"), [*((book, 2) for book in BOOKS if book != "casino-au"), ("casino-au", 1)])
def test_no_burn_noticed_after_action(book: str, burns: int) -> None:
    """R7-5.holdem.5: the turn stands, and the river is the card that would have come: two burns. AU-19.3: one."""
    played = before_turn(book)
    played("card Js", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True})
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["play-on", "correct"][:burns]
    played(*CHECKS)
    assert plan(played)[: burns + 1] == [*["burn"] * burns, "board river 1"]
    played("card " + " ".join(("Ks", "Kd", "7c")[: burns + 1]))
    assert piles(played, "burn", "board") == {"burn": 1 + burns, "board": 5}


def test_R7_5_holdem_5_a_second_burn_stands_for_the_missing_one() -> None:
    """No burn before the flop, the error standing: the turn has two burns, the river one, as if nothing had been."""
    played = before_flop("roberts-7")
    played("card 8h 2s 4s", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True}, *CHECKS)
    assert plan(played)[:3] == ["burn", "burn", "board turn 1"]
    played("card 7c 7d 9h", *CHECKS)
    assert plan(played)[:2] == ["burn", "board river 1"]


def test_R7_5_holdem_5_no_order_is_left_in_a_stub_that_was_shuffled() -> None:
    """The stub was shuffled since: no card would have come, so one burn as always."""
    played = before_turn("roberts-7")
    played("card Js", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True}, "report stub-fouled", "done 2")
    played(*CHECKS)
    assert plan(played)[:2] == ["burn", "board river 1"]


@pytest.mark.parametrize(("book", "again"), [("roberts-7", []), ("house-rules", ["burn"])])
def test_R7_5_holdem_5_a_premature_river_after_a_turn_without_a_burn(book: str, again: list[str]) -> None:
    """The first card that came too early was the burn; once the river is shuffled back no order is owed any more."""
    played = before_turn(book)
    played("card Js", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True})
    played("act 2 check", "card Ks Kd", "report premature count=2")
    assert piles(played, "burn", "board") == {"burn": 2, "board": 5}
    played(*CHECKS[1:])
    assert plan(played)[3 : 4 + len(again)] == [*again, "board river 1"]


def test_R7_5_holdem_5_a_burn_that_the_floor_lets_stand_is_one_of_the_two() -> None:
    """It left the shoe during the betting on the turn: one more is burned before the river."""
    played = before_turn("roberts-7")
    played("card Js", {"ev": "report", "what": "no-burn", "acted": 2, "chips": True})
    played("act 2 check", "card Ks", {"ev": "floor", "decide": "play-on"}, *CHECKS[1:])
    assert piles(played, "burn", "board") == {"burn": 2, "board": 4}
    assert plan(played)[:2] == ["burn", "board river 1"]


def test_no_burn_needs_a_card() -> None:
    """Nothing has been dealt for a street yet, or its burn lies there already: refused, and nothing changes."""
    played = preflop("roberts-7")
    before = played.lines[-1]
    played("report no-burn")
    assert error(played) == "no-card"
    assert {**played.lines[-1], "line": 0, "error": 0, "rulings": 0} == {**before, "line": 0, "error": 0, "rulings": 0}
    played = before_flop("roberts-7")
    played("card 8h", "report double-burn")
    assert error(played) == "no-card"
    played("report double-burn count=1")
    assert error(played) == "value"


def test_R7_5_holdem_7_redealt_flop_that_was_burned_for() -> None:
    """R7 deals the flop again without a burn; when the dealer burns all the same that card goes back."""
    played = before_flop("roberts-7")
    played("card 8h 2s 4s", "report no-burn", "done 3", "card 9d", "report double-burn")
    assert ruling(played, "double-burn")["verdict"] == "correct"
    assert plan(played) == ["return burn > stub 1", "board flop 3", "act 2"]
    played("report no-burn")
    assert error(played) == "no-card"


@pytest.mark.parametrize("book", ["roberts-7", "fish-n-chips"])
def test_R7_3_irreg_7_boxed_card_in_a_burn_put_right(book: str) -> None:
    """A boxed card inside the remedy is a scrap of paper: the burn comes again, then the turn."""
    played = before_turn(book)
    played("card Js", "report no-burn", "done", {"ev": "card", "card": "Js", "face": "up"})
    assert ruling(played, "boxed")["verdict"] == "scrap"
    assert plan(played) == ["return burn > aside 1", "burn", "board turn 1", "act 2"]
    played("done", "card Ks 7c")
    assert plan(played) == ["act 2"]


def test_R7_5_holdem_1_b_exposed_card_is_the_burn_of_the_flop() -> None:
    """The flop needs no burn of its own then, and so none can be missing; one that is made is a burn too many."""
    played = play("roberts-7", "start", "card Ad 9c Tc", "report exposed", "card 5d 6c 4d Qh 6d 3h", "done")
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played) == ["board flop 3", "act 2"]
    played("card 2s", "report no-burn")
    assert error(played) == "no-burn-due"
    played("report double-burn")
    assert plan(played) == ["return burn > stub 1", "board flop 3", "act 2"]


def test_AU_19_26() -> None:
    """No burn before the flop: back, shuffle, cut, burn, a new flop."""
    flop_without_a_burn("casino-au")


def test_AU_19_3() -> None:
    """Before substantial action the burn is put right."""
    turn_without_a_burn("casino-au")


def test_R7_5_holdem_4() -> None:
    """A flop without a burn is reshuffled."""
    flop_without_a_burn("roberts-7")


def test_FC_5_holdem_4() -> None:
    """A flop without a burn is reshuffled."""
    flop_without_a_burn("fish-n-chips")


def test_MP_5_holdem_4() -> None:
    """A flop without a burn is reshuffled."""
    flop_without_a_burn("maryport")


def test_R7_3_irreg_15_a() -> None:
    """Before the betting on the round: corrected."""
    turn_without_a_burn("roberts-7")


def test_FC_3_irreg_16_a() -> None:
    """Before the betting on the round: corrected."""
    turn_without_a_burn("fish-n-chips")


def test_MP_3_irreg_16_a() -> None:
    """Before the betting on the round: corrected."""
    turn_without_a_burn("maryport")


def test_R7_3_irreg_15_b() -> None:
    """After action the card stands; later cards are those that would have come."""
    turn_after_two_burns_and_action("roberts-7")


def test_FC_3_irreg_16_b() -> None:
    """After action the card stands; later cards are those that would have come."""
    turn_after_two_burns_and_action("fish-n-chips")


def test_MP_3_irreg_16_b() -> None:
    """After action the card stands; later cards are those that would have come."""
    turn_after_two_burns_and_action("maryport")


def test_R7_3_irreg_15_c() -> None:
    """Without betting: corrected until the pot is awarded."""
    river_without_betting("roberts-7")


def test_FC_3_irreg_16_c() -> None:
    """Without betting: corrected until the pot is awarded."""
    river_without_betting("fish-n-chips")


def test_MP_3_irreg_16_c() -> None:
    """Without betting: corrected until the pot is awarded."""
    river_without_betting("maryport")


@pytest.mark.parametrize("check", [turn_without_a_burn, turn_after_two_burns_and_action, river_without_betting])
def test_R7_5_holdem_5(check: Callable[[str], None]) -> None:
    """Turn and river: corrected before action, standing after it, corrected until the award without betting."""
    check("roberts-7")


@pytest.mark.parametrize("check", [turn_without_a_burn, turn_after_two_burns_and_action, river_without_betting])
def test_FC_5_holdem_6(check: Callable[[str], None]) -> None:
    """Turn and river: corrected before action, standing after it, corrected until the award without betting."""
    check("fish-n-chips")


@pytest.mark.parametrize("check", [turn_without_a_burn, turn_after_two_burns_and_action, river_without_betting])
def test_MP_5_holdem_6(check: Callable[[str], None]) -> None:
    """Turn and river: corrected before action, standing after it, corrected until the award without betting."""
    check("maryport")


def test_R7_3_irreg_15_c_the_stub_is_no_longer_intact() -> None:
    """All-in, the river came without a burn, and then the stub was dropped: nobody knows the right card any more."""
    played = all_in("roberts-7")
    played("card 2c 3c 4c 5c 6c 7c 8c 9h", "report stub-fouled", "report no-burn")
    said = ruling(played, "no-burn")
    assert (said["verdict"], "R7-3.irreg.15" in said["cite"]) == ("play-on", True)
    assert plan(played) == ["show 2", "show 1"]


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "maryport"])
@pytest.mark.parametrize("more", [1, 2])
def test_R7_3_irreg_15_c_the_turn_had_no_burn_noticed_later(book: str, more: int) -> None:
    """All-in: the burn of the river, or the river, lies there, too; all goes back in turn and comes anew."""
    played = all_in(book)
    played("card 2c 3c 4c 5c", "card 6c", *["card 7c", "card 8c"][:more])
    answer = played({"ev": "report", "what": "no-burn", "street": "turn"})
    assert "error" not in answer, answer
    places = ["board", "burn", "board"][: more + 1]
    assert answer["board"][3:] == ["6c", "8c"][:more]
    assert plan(played)[: len(places)] == [f"return {place} > stub 1" for place in reversed(places)]
    played(f"done {len(places)}")
    assert plan(played)[:4] == ["burn", "board turn 1", "burn", "board river 1"]


@pytest.mark.parametrize("more", ["", "8c", "8c 9d"])
def test_R7_3_irreg_15_c_two_burns_before_the_turn_noticed_later(more: str) -> None:
    """All-in: two were burned before the turn; its surplus burn, turn and what came since go back, and come anew."""
    played = all_in("roberts-7")
    played("card 2c 3c 4c 5c", "card 6c 7c Jc", *([f"card {more}"] if more else []))
    answer = played({"ev": "report", "what": "double-burn", "street": "turn"})
    assert answer["rulings"][0]["cite"][0] == "R7-5.holdem.5"
    places = ["burn", "board", "burn", "board"][: 2 + len(more.split())]
    assert answer["board"][3:] == ["Jc", "9d"][: 1 + len(more.split()) // 2]
    assert plan(played)[: len(places)] == [f"return {place} > stub 1" for place in reversed(places)]
    played(f"done {len(places)}")
    assert plan(played)[:3] == ["board turn 1", "burn", "board river 1"]
    assert piles(played, "burn", "board") == {"burn": 2, "board": 3}


def test_R7_5_holdem_4_two_burns_before_the_flop_noticed_in_a_run_out() -> None:
    """The turn lies there, too: the board is shuffled back, the burns stay (R7-5.holdem.7)."""
    played = all_in("roberts-7")
    played("card 2c 3c 4c 5c 6c 7c 8c", {"ev": "report", "what": "double-burn", "street": "flop"})
    assert ruling(played, "double-burn")["cite"] == ["R7-5.holdem.4", "R7-5.holdem.7"]
    assert played.lines[-1]["board"] == ["4c", "5c", "6c", "8c"]
    assert plan(played)[:5] == ["return board > stub 4", "shuffle", "cut", "board flop 3", "burn"]
    played = all_in("roberts-7")
    played("card 2c 3c 4c 5c 6c 7c", {"ev": "report", "what": "no-burn", "street": "flop"})
    assert ruling(played, "no-burn")["cite"] == ["R7-5.holdem.4", "R7-5.holdem.7"]
    assert played.lines[-1]["board"] == ["2c", "3c", "4c", "6c"]


def test_R7_3_irreg_15_b_two_burns_named_after_the_betting() -> None:
    """Players have acted on the turn: it stands, whenever it is said."""
    played = before_river("roberts-7")
    played("card 7c 7d", {"ev": "report", "what": "double-burn", "street": "turn"})
    assert (ruling(played, "double-burn")["verdict"], plan(played)) == ("play-on", ["act 2"])


def test_no_burn_names_a_street_that_lies_there() -> None:
    """Another is refused."""
    played = on_flop("roberts-7")
    for street in ("turn", "preflop", "seventh"):
        played({"ev": "report", "what": "no-burn", "street": street})
        assert error(played) == "no-card"
