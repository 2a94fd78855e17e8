"""`floor play-on` lets stand what lies there, not what the plan took it for (R7-2.decision.1): played to the award."""

from typing import Any

import pytest

from tests.games.playing import table
from tests.playing import ScriptedTable, play
from tests.rules.boards import all_in, on_flop
from tests.rules.deals import dealt, plan
from tests.rules.truth import HR, PLAY_ON, R7, drawn, refused, report, stud, to_the_award

CALLED_FOURTH = ("act 4 bring-in", "act 1 call", "act 2 call", "act 3 call")


def deals(played: ScriptedTable) -> list[int]:
    """The seats that get the next cards."""
    return [step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"]


def seats(played: ScriptedTable) -> dict[str, int]:
    held: dict[str, int] = played.lines[-1]["piles"]["seats"]
    return held


def drawing(*lines: str | dict[str, Any]) -> ScriptedTable:
    """Draw high, all four in; seat 2 is the first to draw."""
    acts = ("act 2 bet", "act 3 call", "act 4 call", "act 1 call")
    return table(R7, "draw-high", "start", "card " + "- " * 20, *acts, *lines, seats=4)


def test_the_floor_lets_two_burns_stand() -> None:
    """R7-2.decision.1: the board is what lies there, not what the plan took it for; what is missing comes."""
    played = on_flop(R7)
    played("card 9d", report("double-burn"), PLAY_ON)
    assert (played.lines[-1]["board"], plan(played)) == (["4s", "Qd", "9d"], ["act 2"])
    assert played.lines[-1]["piles"]["burn"] == 2
    to_the_award(played)
    played = all_in(R7)
    played("card 8h 2s 4s Qd", "card Jc 7h 7c", report("double-burn", street="turn"), PLAY_ON)
    assert (played.lines[-1]["board"][3:], plan(played)[:2]) == (["7c"], ["burn", "board river 1"])
    to_the_award(played, chips=400)


@pytest.mark.parametrize(
    ("what", "up", "due"), [("no-burn", ["Ks", "Kh", "Kd", "Qs"], []), ("double-burn", ["Kd", "Qs"], [3, 4])]
)
def test_the_floor_lets_a_wrong_burn_of_a_stud_street_stand(what: str, up: list[str], due: list[int]) -> None:
    played = stud(
        R7, "act 4 bring-in", "act 1 call", "act 2 call", "act 3 call", "card Ks Kh Kd Qs", report(what), PLAY_ON
    )
    assert [cards[1] for cards in played.lines[-1]["up"].values() if len(cards) > 1] == up
    assert [step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"] == due
    to_the_award(played)


def test_the_floor_lets_a_card_at_the_wrong_seat_stand() -> None:
    """The next card of the seat that got it goes to the one that it was for; where none is to come it cannot stand."""
    played = play(R7, "start", "card Ad 9c Tc", report("wrong-seat", seat=3), PLAY_ON)
    assert played.lines[-1]["piles"]["seats"] == {"2": 1, "3": 2}
    assert [step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"] == [1, 2, 4, 4, 1]
    to_the_award(played)
    played = dealt(R7, report("wrong-seat", seat=3), PLAY_ON)
    assert refused(played) == "place-unknown"


@pytest.mark.parametrize(
    ("cards", "what", "burn", "due"),
    [
        ("- -", "no-burn", 0, []),
        ("-", "no-burn", 0, [2]),
        ("- - -", "double-burn", 2, [2]),
        ("- -", "double-burn", 2, [2, 2]),
    ],
)
def test_the_floor_lets_a_wrong_burn_of_a_draw_stand(cards: str, what: str, burn: int, due: list[int]) -> None:
    """The cards that seat 2 has are those that it was given; what is missing comes, and no other burn."""
    played = drawing(drawn(2, 2), f"card {cards}", report(what), PLAY_ON)
    assert (played.lines[-1]["piles"]["burn"], deals(played)) == (burn, due)
    assert seats(played)["2"] == 5 - len(due)
    to_the_award(played)
    assert played.lines[-1]["piles"]["burn"] == burn


def test_the_floor_lets_a_wrong_burn_of_a_draw_stand_that_the_dealer_was_asked_about() -> None:
    played = drawing(drawn(2, 2), "card - - - -", report("double-burn"), PLAY_ON)
    assert (played.lines[-1]["piles"]["burn"], seats(played)["2"], plan(played)) == (2, 5, ["draw"])
    to_the_award(played)


def test_the_floor_lets_the_fifth_card_of_a_draw_stand_unburned() -> None:
    """R7-11.lowball.10: the card that the plan took for the second burn is the fifth card."""
    played = drawing(
        *[drawn(seat, 0) for seat in (2, 3, 4)], drawn(1, 5), "card - - - - - -", report("no-burn"), PLAY_ON
    )
    assert (played.lines[-1]["piles"]["burn"], seats(played)["1"], plan(played)) == (1, 5, ["act 2"])
    to_the_award(played)


def test_the_floor_lets_a_draw_of_another_stand() -> None:
    """AU-19.6 by default: who got the cards keeps them and draws so many fewer; the others get the next ones."""
    played = drawing(drawn(2, 2), "card - - -", report("wrong-seat", seat=3, count=2), PLAY_ON)
    assert (seats(played)["3"], deals(played)) == (7, [2, 2])
    played("card - -", drawn(3, 2))
    assert (seats(played)["3"], plan(played)) == (5, ["draw"])
    to_the_award(played)


@pytest.mark.parametrize(
    ("cards", "seat", "due"), [("Ad 9c", 2, [3, 4, 1, 2, 3, 4, 1]), ("Ad 9c Tc", 3, [4, 1, 2, 3, 4, 1])]
)
def test_the_floor_lets_an_extra_card_stand(cards: str, seat: int, due: list[int]) -> None:
    """It lies with who got it in place of the next one, who gets the next card."""
    played = play(R7, "start", f"card {cards}", report("extra-card", seat=seat), PLAY_ON)
    assert (seats(played)[str(seat)], deals(played)) == (2, due)
    to_the_award(played)
    assert seats(played) == {str(each): 3 if each == seat else 2 for each in (1, 2, 3, 4)}


def test_the_floor_lets_an_extra_card_stand_that_the_dealer_was_asked_about() -> None:
    """It is no burn: the flop burns as always."""
    played = dealt(R7, "card Kd", report("extra-card", seat=2), PLAY_ON)
    assert (seats(played)["2"], played.lines[-1]["piles"]["burn"], plan(played)) == (3, 0, ["act 4"])
    to_the_award(played)
    assert played.lines[-1]["piles"]["burn"] == 3


def test_the_floor_lets_a_wrong_count_stand_that_nobody_can_explain() -> None:
    """The hand is live with what it holds: a card that nobody sensed, or one that never left the stub."""
    played = on_flop(R7)
    played(report("extra-card", seat=4), PLAY_ON)
    assert (seats(played)["4"], played.lines[-1]["piles"]["stub"]) == (3, 39)
    to_the_award(played)
    played = on_flop(R7)
    played(report("short-hand", seat=4), PLAY_ON)
    assert (seats(played)["4"], played.lines[-1]["piles"]["stub"]) == (1, 41)
    assert played.lines[-1]["pots"][0]["seats"] == [1, 2, 3, 4]
    to_the_award(played)


def test_the_floor_lets_a_short_hand_stand_after_its_draw() -> None:
    played = drawing(drawn(2, 2), "card - - -", report("short-hand", seat=2), PLAY_ON)
    assert (seats(played)["2"], plan(played)) == (4, ["draw"])
    to_the_award(played)


@pytest.mark.parametrize(
    ("cards", "said", "due", "up"),
    [
        ("Ks Kh Kd", report("extra-card", seat=1), [2, 3, 4], ["KhKd", "", "", ""]),
        ("Ks Kh Kd Qs", report("extra-card", seat=1, nth=5), [3, 4], ["KhKd", "Qs", "", ""]),
        ("Ks Kh Kd Qs", report("short-hand", seat=1), [1], ["", "Kh", "Kd", "Qs"]),
        ("Ks Kh Kd Qs", report("wrong-seat", seat=1), [3, 4], ["KhQs", "Kd", "", ""]),
        ("Ks Kh Kd Qs", report("skipped", seat=2), [2], ["Kh", "", "Kd", "Qs"]),
        ("Ks Kh Kd Qs 8s 8d", report("extra-card", seat=1), [], ["Kh8d", "Kd", "Qs", "8s"]),
    ],
)
def test_the_floor_lets_the_cards_of_a_stud_street_stand(
    cards: str, said: dict[str, Any], due: list[int], up: list[str]
) -> None:
    """R7-8.stud.13 has them moved; where the floor lets them lie, who has none of the street gets the next card."""
    played = stud(R7, *CALLED_FOURTH, f"card {cards}", said, PLAY_ON)
    assert (["".join(shown[1:]) for shown in played.lines[-1]["up"].values()], deals(played)) == (up, due)
    to_the_award(played)


def test_the_floor_lets_a_street_card_at_a_folded_place_stand() -> None:
    """It is dead, and the others have what came to them."""
    played = stud(
        R7,
        "act 4 bring-in",
        "act 1 fold",
        "act 2 call",
        "act 3 call",
        "card Ks Kh Kd",
        report("not-entitled", seat=1),
        PLAY_ON,
    )
    assert played.lines[-1]["up"] == {"2": ["Jd", "Kd"], "3": ["Qd"], "4": ["2d"]}
    assert (deals(played), played.lines[-1]["piles"]["muck"]) == ([3, 4], 4)
    to_the_award(played)


@pytest.mark.parametrize("book", [R7, HR])
@pytest.mark.parametrize(
    ("cards", "said", "held", "due"),
    [
        ("Ad 9c Tc 5d 6c 4d", report("skipped", seat=3), {"1": 2, "2": 2, "4": 2}, [3, 3]),
        ("Ad 9c Tc 5d", report("skipped", seat=3), {"1": 1, "2": 2, "4": 1}, [3, 3, 4, 1]),
        ("Ad 9c Tc 5d 6c", report("not-entitled", seat=5), {"1": 1, "2": 1, "3": 1, "4": 1}, [2, 3, 4, 1]),
        ("Ad 9c Tc 5d 6c 4d Qh 6d Ks Kh", report("not-entitled", seat=5), {"1": 2, "2": 2, "3": 2, "4": 2}, []),
    ],
)
def test_the_floor_lets_a_deal_go_on_that_went_to_others(
    book: str, cards: str, said: dict[str, Any], held: dict[str, int], due: list[int]
) -> None:
    """Whom the cards went round to has them; a stranger's are dead; then who lacks cards gets them."""
    played = play(book, "start", f"card {cards}", said, PLAY_ON)
    assert (seats(played), deals(played)) == (held, due)
    to_the_award(played)


def test_the_floor_lets_cards_lie_that_no_street_wants_any_more() -> None:
    """Behind the last street nobody uses them; before a draw the first is its burn, the others are nobody's."""
    played = on_flop(R7)
    checks = [f"act {seat} check" for seat in (2, 3, 4, 1)]
    played(*checks, "card 7h 7d", *checks, "card 8d 8s", "card 9s", PLAY_ON)
    assert (plan(played), played.lines[-1]["piles"]["muck"], len(played.lines[-1]["board"])) == (["act 2"], 1, 5)
    to_the_award(played)
    played = table(R7, "draw-high", "start", "card " + "- " * 20, "act 2 bet", "card -", PLAY_ON, seats=4)
    assert (plan(played), played.lines[-1]["piles"]["burn"]) == (["act 3"], 1)
    played("card -", PLAY_ON)
    assert refused(played) == "place-unknown"
    played(report("put-back"))
    to_the_award(played)
    assert played.lines[-1]["piles"]["burn"] == 1


def test_R7_15_tourn_34_a_card_before_the_hands_are_up_in_stud_and_draw() -> None:
    """The betting is over, so that nothing was premature: the card has the first step that wants one."""
    acts = ("act 4 complete", "act 1 all-in", "act 2 fold", "act 3 fold", "act 4 all-in")
    for answer in (report("premature"), PLAY_ON):
        played = stud(R7, *acts, "card Ks Kh", answer, mode="tournament", stacks={1: 9, 2: 200, 3: 200, 4: 9})
        assert played.lines[-1]["rulings"][0]["verdict"] == "play-on"
        assert (played.lines[-1]["piles"]["burn"], played.lines[-1]["up"]) == (1, {"1": ["Td", "Kh"], "4": ["2d"]})
        all_in = ("start", "card " + "- " * 10, "act 1 all-in", "act 2 all-in", "card -", answer)
        played = table(R7, "lowball-a5", *all_in, stacks={1: 4, 2: 4}, mode="tournament")
        assert (plan(played), played.lines[-1]["piles"]["burn"]) == (["show 2", "show 1", "draw"], 1)
        played("show 2", "show 1", drawn(2, 1))
        assert deals(played) == [2]
        assert "burn" not in plan(played)


def test_the_floor_lets_no_burns_stand_that_the_cards_do_not_fit() -> None:
    """Three cards for a draw of two, none burned: one of them is not explained."""
    played = drawing(drawn(2, 2), "card - - -", drawn(3, 0), drawn(4, 0), drawn(1, 0), "act 2 check", "act 3 check")
    assert refused(played) is None
    played(report("no-burn"))
    assert played.lines[-1]["rulings"][0]["verdict"] == "play-on"
    played(PLAY_ON)
    assert refused(played) == "no-card"
    played("act 4 check")
    to_the_award(played)


def test_cards_of_a_street_that_are_to_be_moved_are_carried_first() -> None:
    """A wrong seat is ruled on; a wrong burn of the same street waits until the card is where it belongs."""
    played = stud(R7, *CALLED_FOURTH, "card Ks Kh Kd Qs", report("wrong-seat", seat=1), report("no-burn"))
    assert refused(played) == "already-ruled"
    played("done", report("no-burn"))
    assert played.lines[-1]["rulings"][0]["verdict"] == "correct"
    to_the_award(played)
