"""Where the machine believed something wrong: a truthful entry for each, and the hand played from it to its award."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import all_in, before_turn, on_flop
from tests.rules.deals import dealt, plan
from tests.rules.truth import AU, HR, PLAY_ON, R7, refused, report, stud, to_the_award

CALLED = ("act 4 bring-in", "act 1 call", "act 2 call", "act 3 call")


def test_1_an_act_that_was_keyed_wrongly_is_noticed_once_the_burn_is_out() -> None:
    """Seat 1 called and was entered as folded: its act is put right, and it wins with its aces."""
    played = play(R7, "start", "card Kd 9c Tc Ad 6c 4d Qh As", "act 4 call", "act 1 fold", "act 2 call", "act 3 check")
    played("card 8h", {"ev": "amend", "line": 12, "to": {"ev": "act", "seat": 1, "do": "call"}})
    assert plan(played) == ["board flop 3", "act 2"]
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played("card 2s 7d Jc", *checks, "card 9s 3h", *checks, "card 9d 8s", *checks)
    assert to_the_award(played) == {"1": 6, "2": -2, "3": -2, "4": -2}


@pytest.mark.parametrize("sensors", [["identity", "face"], ["identity", "face", "board"]])
def test_2_a_board_card_is_named_by_its_place(sensors: list[str]) -> None:
    """The first card of the flop was misread; where the board has an antenna it found the others right."""
    played = on_flop(R7, sensors=sensors)
    if "board" in sensors:
        played(*({"ev": "seen", "at": "board", "card": card} for card in ("2h", "4s", "Qd")))
    played(report("misread", where="board", nth=1, card="2h"))
    assert played.lines[-1]["board"] == ["2h", "4s", "Qd"]
    to_the_award(played)


def test_3_chips_bought_before_the_deal_and_not_entered() -> None:
    """R7-2.proc.6: bought before the deal they play; the raise that was refused is taken."""
    played = dealt(R7, "act 4 raise 300")
    assert refused(played) == "amount"
    played({"ev": "amend", "before": 2, "to": {"ev": "stack", "seat": 4, "stack": 500}}, "act 4 raise 300")
    assert played.lines[-1]["bets"]["4"] == 300
    to_the_award(played, chips=1100)


@pytest.mark.parametrize(
    ("answers", "burn", "board"),
    [
        ([PLAY_ON], 2, 3),
        ([report("premature", count=1), PLAY_ON], 2, 3),
        ([report("premature", count=1, burned=False), PLAY_ON], 1, 4),
    ],
)
def test_4_the_floor_lets_a_premature_card_stand(answers: list[dict[str, Any]], burn: int, board: int) -> None:
    """One card left before seat 1 had acted: the burn of the turn, or the turn where it is said that none was."""
    played = on_flop(R7)
    played("act 2 check", "act 3 check", "act 4 check", "card Jc", *answers)
    assert (played.lines[-1]["piles"]["burn"], played.lines[-1]["piles"]["board"]) == (burn, board)
    assert plan(played) == ["act 1"]
    played("act 1 check")
    assert plan(played) == (["board turn 1", "act 2"] if board == 3 else ["act 2"])
    to_the_award(played)
    assert played.lines[-1]["piles"]["burn"] == burn + (board == 3) + (board == 4)


def test_4_a_street_without_a_burn_is_noticed_after_action() -> None:
    """R7-5.holdem.5: the card stands; the machine took it for the burn and refused the act."""
    played = before_turn(R7)
    played("card Jc", "act 2 check")
    assert refused(played) == "not-now"
    answer = played(report("no-burn", acted=2, chips=True))
    assert (answer["rulings"][0]["verdict"], answer["rulings"][0]["cite"][0]) == ("play-on", "R7-5.holdem.5")
    assert answer["board"][-1] == "Jc"
    played("act 2 bet 4", "act 3 call")
    to_the_award(played)
    assert played.lines[-1]["piles"]["burn"] == 3


@pytest.mark.parametrize("cards", ["card 8h", "card 8h 2s 4s Qd"])
def test_5_a_folded_hand_is_given_back_once_cards_are_out(cards: str) -> None:
    """R7-3.dead.2: it answers the wager of the round that is over before the plan goes on, and then has its turns."""
    played = dealt(R7, "act 4 raise 6", "act 1 fold", "act 2 call", "act 3 call", cards)
    answer = played({"ev": "floor", "decide": "revive", "seat": 1})
    assert plan(played) == ["move muck > seat 1", "act 1"]
    assert (answer["next"][1]["options"], answer["next"][1]["to_call"]) == (["fold", "call"], 6)
    played("done", "act 1 call", *([] if "Qd" in cards else ["card 2s 4s Qd"]))
    assert (plan(played), played.lines[-1]["pots"][0]["amount"]) == (["act 2"], 24)
    played("act 2 check", "act 3 check", "act 4 check")
    assert plan(played) == ["act 1"]
    to_the_award(played)


def test_5_a_hand_given_back_in_an_all_in_run_out_shows_with_the_others() -> None:
    played = dealt(R7, "act 4 all-in", "act 1 fold", "act 2 call", "act 3 fold", "card 8h 2s 4s Qd")
    played({"ev": "floor", "decide": "revive", "seat": 1}, "done", "act 1 call")
    assert plan(played) == ["burn", "board turn 1", "burn", "board river 1", "show 2", "show 4", "show 1"]
    assert sum(to_the_award(played).values()) == 0 or len(played.lines[-1]["stacks"]) < 4


@pytest.mark.parametrize("before", range(4))
def test_5_a_stud_hand_given_back_gets_its_card_of_the_street(before: int) -> None:
    """So many of the others have their fourth card: the hand that comes back gets its own in its turn, else at once."""
    played = stud(R7, "act 4 bring-in", "act 1 complete", "act 2 fold", "act 3 call", "act 4 call", "card Ks")
    played(*[f"card {card}" for card in ("Kh", "Kd", "Qs")[:before]])
    played({"ev": "floor", "decide": "revive", "seat": 2}, "done", "act 2 call")
    due = [step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"]
    assert due == {0: [1, 2, 3, 4], 1: [2, 3, 4], 2: [2, 4], 3: [2]}[before]
    to_the_award(played)
    assert set(played.lines[-1]["piles"]["seats"].values()) == {7}


def test_5_a_hand_mucked_at_the_showdown() -> None:
    """The only other hand was to get the pot: now both show."""
    played = on_flop(R7)
    played("act 2 bet 4", "act 3 call", "act 4 fold", "act 1 fold", "card 7h 7d", "act 2 check", "act 3 check")
    played("card 8d 8s", "act 2 check", "act 3 check", "muck 2")
    assert plan(played) == ["award [3]"]
    played({"ev": "floor", "decide": "revive", "seat": 2}, "done")
    assert plan(played) == ["show 2", "show 3"]
    to_the_award(played)


def test_6_a_wrong_hole_card_is_found_at_the_showdown() -> None:
    """Named by its place in the hand; then the show is taken, and the hand wins by what it is."""
    played = play(R7, "start", "card Ad 9c Kd 5d", "act 1 call", "act 2 check", "card 8h 2s 4s Qd", seats=2)
    played("act 2 check", "act 1 check", "card 7h 7d", "act 2 check", "act 1 check", "card 8d 8s", "act 2 check")
    show = {"ev": "show", "seat": 2, "cards": ["Ad", "7c"]}
    assert refused(played) is None
    played("act 1 check", show)
    assert refused(played) == "cards-differ"
    played(report("misread", where="hand", seat=2, nth=2, card="7c"), show)
    assert to_the_award(played, chips=400) == {"1": -2, "2": 2}


def test_7_a_premature_turn_without_a_burn() -> None:
    """R7-5.holdem.8: the card itself is set aside; a burn and a turn come after the betting."""
    played = on_flop(R7)
    played("act 2 check", "act 3 check", "act 4 check", "card Jc", report("premature", count=1, burned=False))
    assert plan(played) == ["return premature board > aside 1", "act 1"]
    played("done", "act 1 check")
    assert plan(played) == ["burn", "board turn 1", "act 2"]
    to_the_award(played)


@pytest.mark.parametrize(
    ("book", "verdict", "after"),
    [(R7, "set-aside", ["discard", "burn", *["deal"] * 4]), (AU, "restrict-bet", ["deal"] * 3 + ["act"])],
)
def test_7_a_premature_upcard_without_a_burn(book: str, verdict: str, after: list[str]) -> None:
    """R7-8.stud.14, AU-19.18: none was burned, so the first card lies with the first seat."""
    opening = ["act 4 bet 4" if book == AU else "act 4 bring-in", "act 1 call", "act 2 call", "card Ks"]
    played = stud(book, *opening, report("premature", count=1, burned=False))
    assert (played.lines[-1]["rulings"][0]["verdict"], played.lines[-1]["up"]["1"]) == (verdict, ["Td", "Ks"])
    while played.lines[-1]["next"][0]["step"] == "return":
        played("done")
    played("act 3 call")
    assert [step["step"] for step in played.lines[-1]["next"]][: len(after)] == after[: len(played.lines[-1]["next"])]
    to_the_award(played)


def test_8_a_burn_error_noticed_one_card_later_in_a_run_out() -> None:
    """R7-3.irreg.15: named by its street, what came since goes back and is dealt to its place."""
    played = all_in(R7)
    played("card 8h 2s 4s Qd", "card Jc 7h", report("no-burn", street="turn"))
    assert plan(played)[:4] == ["return burn burn > stub 1", "return board board > stub 1", "burn", "board turn 1"]
    played("done 2", "card Jc 7h")
    assert played.lines[-1]["board"] == ["2s", "4s", "Qd", "7h"]
    to_the_award(played, chips=400)


@pytest.mark.parametrize("what", ["no-burn", "double-burn"])
def test_8_a_burn_error_of_a_stud_street_noticed_on_the_next(what: str) -> None:
    """R7-3.irreg.15, R7-8.stud.13: the betting has gone on, the cards stand; the street may have gone on, too."""
    played = stud(R7, *CALLED, "card Ks Kh Kd Qs 8s", *[f"act {seat} check" for seat in (3, 4, 1, 2)])
    for card in ("", "card 3h"):
        played(*filter(None, [card]), report(what, street="fourth"))
        ruling = played.lines[-1]["rulings"][0]
        assert (ruling["verdict"], ruling["cite"]) == ("play-on", ["R7-8.stud.13", "R7-3.irreg.15"])
    to_the_award(played)


def test_9_a_wrong_seat_card_noticed_one_card_late() -> None:
    """HR-misdeals.2: the second card went to seat 4, the third had left by then."""
    played = play(HR, "start", "card Ad 9c Tc", {"ev": "report", "what": "wrong-seat", "seat": 4, "from": 3, "nth": 1})
    assert plan(played)[0] == "move seat 4 > seat 3"
    played("done")
    assert played.lines[-1]["piles"]["seats"] == {"2": 1, "3": 1, "4": 1}
    to_the_award(played)


@pytest.mark.parametrize("book", [R7, AU])
@pytest.mark.parametrize(("what", "dealt_on"), [("not-entitled", 0), ("not-entitled", 2), ("extra-card", 0)])
def test_10_a_street_card_at_a_folded_place(book: str, dealt_on: int, what: str) -> None:
    """Every card goes to where it belongs: at once, and when the whole street went one place too far."""
    opening = ["act 4 bet 4" if book == AU else "act 4 bring-in", "act 1 fold", "act 2 call", "act 3 call"]
    played = stud(book, *opening, "card Ks Kh", *["card Kd", "card 8d"][:dealt_on])
    played(report(what, seat=1))
    while played.lines[-1]["next"][0]["step"] == "move":
        played("done")
    played(*["card Kd", "card 8d"][dealt_on:])
    assert played.lines[-1]["up"] == {"2": ["Jd", "Kh"], "3": ["Qd", "Kd"], "4": ["2d", "8d"]}
    to_the_award(played)


@pytest.mark.parametrize(("book", "clause"), [(R7, "R7-8.stud.5"), (HR, "HR-stud.8")])
def test_11_the_wager_of_a_wrong_opener_stands_once_the_next_hand_has_acted(book: str, clause: str) -> None:
    played = stud(book, "act 1 bring-in", "act 2 call")
    assert [(r["verdict"], r["cite"][0]) for r in played.lines[-1]["rulings"]] == [("play-on", clause)]
    assert (played.lines[-1]["bets"], plan(played)) == ({"1": 2, "2": 2}, ["act 3"])
    to_the_award(played)


def test_a_report_is_taken_out_whose_remedy_has_brought_a_card() -> None:
    """The replacement did leave the shoe: it fits where the amendment says what it was instead."""
    played = play(R7, "start", "card Ad 9c Tc", report("exposed"), "card 5d 6c 4d Qh 6d Kd", "done", "act 4 call")
    taken_out = {"ev": "amend", "line": 6, "to": None}
    assert refused(played) is None
    played(taken_out)
    assert refused(played) == "amend-conflict"
    played({**taken_out, "also": [{"before": 13, "to": report("extra-card", seat=4)}]})
    assert [r["finding"] for r in played.lines[-1]["rulings"]] == ["amended", "card-not-due", "extra-card"]
    assert (played.lines[-1]["piles"]["seats"]["4"], played.lines[-1]["piles"]["burn"]) == (2, 1)
    played({"ev": "amend", "line": 14, "to": {"ev": "act", "seat": 4, "do": "raise", "to": 6}})
    assert plan(played) == ["act 1"]
    to_the_award(played)


def test_an_upcard_that_nothing_read_is_named_and_not_let_stand() -> None:
    """It decides who acts: `play-on` would leave the table without a step."""
    played = stud(R7, cards="card 2c 3c 4c 5c 6c 7c 8c 9c")
    played({"ev": "card", "card": None}, "card Jd Qd 2d")
    assert plan(played) == ["say"]
    played(PLAY_ON)
    assert (refused(played), plan(played)) == ("not-an-option", ["say"])
    played(report("misread", seat=1, card="Td"))
    assert plan(played) == ["act 4"]
    to_the_award(played)
