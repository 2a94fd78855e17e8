"""Chops, buy-ins, absences, and who comes or goes in the middle of a hand."""

import pytest

from controller.core.play.seating.lineup import build_lineup
from controller.core.values.seat_state import SeatState
from controller.core.values.value import replace
from tests.people.hands import at, dealt, hand, over, receiving, rulings, sit
from tests.playing import play
from tests.rules.seating.test_people import AU, FC, HR, LIMIT, MP, R7, WSOP_LIVE, refused


@pytest.mark.parametrize("book", [R7, FC])
def test_R7_2_proc_15_b(book: str) -> None:
    """Everybody else has folded: the blinds take their bets back, and the hand is over without a board."""
    played = at(book, 1, 2, 3, 4, mode="cash")
    hand(played)
    dealt(played)
    assert refused(played({"ev": "chop"})) == "chop"
    played("act 4 fold", "act 1 fold")
    answer = played({"ev": "chop"})
    assert answer["phase"] == "idle"
    assert answer["stacks"] == dict.fromkeys("1234", 200)


@pytest.mark.parametrize("book", [HR, AU])
def test_HR_general_4(book: str) -> None:
    """No agreement to split: the blinds play on [AU-16.5(f)]."""
    played = at(book, 1, 2, 3, 4)
    hand(played)
    dealt(played)
    played("act 4 fold", "act 1 fold")
    assert refused(played({"ev": "chop"})) == "chop"


def test_chop_wants_untouched_blinds() -> None:
    """A raise, a straddle or a dead post makes it another pot."""
    played = at(R7, 1, 2, 3, 4)
    hand(played)
    dealt(played)
    played("act 4 fold", "act 1 fold", "act 2 raise 6")
    assert refused(played({"ev": "chop"})) == "chop"


@pytest.mark.parametrize(("book", "cite"), [(R7, "R7-3.buyin.2"), (HR, "HR-buyin.2")])
def test_R7_3_buyin_1(book: str, cite: str) -> None:
    """Limit: ten maximum bets; less is a short buy-in, said so [HR-buyin.1].

    Covers: R7-3.buyin.1, HR-buyin.2
    """
    played = at(book, 1, 2, 3, betting=LIMIT)
    assert played(sit(5, stack=80))["rulings"] == []
    assert rulings(played(sit(6, stack=79)), "short-buy-in")[0]["cite"] == [cite]


def test_R7_3_buyin_2() -> None:
    """One short buy-in a game; adding chips between hands is none."""
    played = at(R7, 1, 2, 3, betting=LIMIT)
    played(sit(6, "Short", stack=20))
    assert played({"ev": "stack", "seat": 6, "stack": 25})["stacks"]["6"] == 25
    played("leave 6")
    assert refused(played(sit(6, "Short", stack=20))) == "buy-in"
    assert "error" not in played(sit(6, "Short", stack=80))


def test_R7_3_buyin_3() -> None:
    """A player from a broken game keeps what it has, even below the minimum."""
    played = at(R7, 1, 2, 3, betting=LIMIT)
    assert played(sit(6, stack=20, moved=True))["rulings"] == []


def test_HR_buyin_1() -> None:
    """No-limit and pot-limit: forty big blinds; R7 prints no number for them. Limit: ten of the largest bets.

    Covers: R7-3.buyin.1
    """
    assert rulings(at(HR, 1, 2, 3, betting=LIMIT)(sit(5, stack=79)), "short-buy-in")
    assert not rulings(at(HR, 1, 2, 3, betting=LIMIT)(sit(5, stack=80)), "short-buy-in")
    assert rulings(at(HR, 1, 2, 3)(sit(5, stack=79)), "short-buy-in")
    assert not rulings(at(HR, 1, 2, 3)(sit(5, stack=80)), "short-buy-in")
    assert not rulings(at(R7, 1, 2, 3)(sit(5, stack=5)), "short-buy-in")


def test_HR_buyin_4() -> None:
    """Where a maximum buy-in is set no stack may exceed it after buying chips.

    Covers: HR-buyin.4, HR-buyin.3
    """
    played = at(HR, 1, 2, 3, house={"people.buy-in-most": 300})
    assert refused(played(sit(5, stack=301))) == "buy-in"
    assert refused(played({"ev": "stack", "seat": 1, "stack": 301})) == "buy-in"
    assert played({"ev": "stack", "seat": 1, "stack": 300})["stacks"]["1"] == 300


def gone(seat: int, at_s: float) -> dict[str, object]:
    return {"ev": "leave", "seat": seat, "t": at_s}


@pytest.mark.parametrize(("book", "cite"), [(R7, "rule 5)"), (WSOP_LIVE, "Rule 58)"), (AU, "rule 5, by default)")])
@pytest.mark.parametrize("stack", [20, 450])
def test_who_is_back_within_the_hour_brings_what_was_taken_away(book: str, cite: str, stack: int) -> None:
    """The same chips, be they less than the least buy-in or more than the most; a time later, any.

    Covers: R7-2.proc.5, WSOP-L-58
    """
    played = at(book, 1, 2, 3, betting=LIMIT, house={"people.buy-in-most": 300})
    played(sit(5, "Eve", stack=200), {"ev": "stack", "seat": 5, "stack": 300})
    played(gone(5, 60), sit(5, "Eve", stack=300, t=61), {"ev": "stack", "seat": 5, "stack": 20}, gone(5, 100))
    for wrong in (19, 80, 300):
        answer = played(sit(6, "Eve", stack=wrong, t=3700))
        assert refused(answer) == "buy-in"
        assert "20" in answer["error"]["message"]
        assert cite in answer["error"]["message"]
    assert "error" not in played(sit(6, "Fay", stack=80, t=3700)), "somebody else buys in as usual"
    late, returning = at(book, 1, 2, 3, betting=LIMIT), sit(5, "Eve", stack=stack)
    late(sit(5, "Eve", stack=100), gone(5, 100))
    assert refused(late(returning | {"t": 3700})) == "buy-in"
    answer = late(returning | {"t": 3701})
    assert ("error" in answer) is (stack < 80 and book in (WSOP_LIVE, AU)), "an hour later as anybody"
    again = played(sit(5, "Eve", stack=20, t=3700))
    assert ("error" in again, again["rulings"]) == (False, [])
    assert refused(played("undo", sit(5, "Eve", stack=80, t=3700))) == "buy-in", "after an undo as before"


@pytest.mark.parametrize(("mode", "minutes"), [("tournament", 60), ("cash", 0)])
def test_who_is_back_is_asked_for_nothing_in_a_tournament_or_where_the_house_says_so(mode: str, minutes: int) -> None:
    played = at(R7, 1, 2, 3, mode=mode, betting=LIMIT, house={"people.return-minutes": minutes})
    played(sit(5, "Eve", stack=200), gone(5, 60))
    assert "error" not in played(sit(5, "Eve", stack=100, t=61))


def test_who_comes_along_from_another_game_or_at_no_told_time_keeps_the_stack() -> None:
    played = at(R7, 1, 2, 3, betting=LIMIT)
    played(sit(5, "Eve", stack=200), gone(5, 60))
    assert "error" not in played(sit(5, "Eve", stack=30, moved=True, t=61))
    assert "error" not in played("leave 5", sit(5, "Eve", stack=100))


def test_a_hand_that_was_folded_takes_its_bets_from_what_is_cashed_out() -> None:
    played = at(R7, 1, 2, 3, betting=LIMIT)
    before = played("start")["stacks"]["2"]
    played("card - - - - - -", "act 1 fold", "act 2 fold", gone(2, 5))
    assert f"left with {before} " in played(sit(2, "A2", stack=200, t=6))["error"]["message"]


def test_AU_7_4() -> None:
    """Everybody needs the minimum buy-in."""
    assert refused(at(AU, 1, 2, 3, betting=LIMIT)(sit(5, stack=79))) == "buy-in"
    assert "error" not in at(AU, 1, 2, 3)(sit(5, stack=1))


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_AU_5_1_a_iv(game: str) -> None:
    """At most ten players at hold'em.

    Covers: AU-5.1(a)(iv), AU-5.1(a)(v)
    """
    played = at(AU, *range(1, 10), places=12, game=game)
    assert "error" not in played(sit(10))
    assert refused(played(sit(11))) == "table-full"


def test_FC_10_seating_1() -> None:
    """At most ten at a table."""
    played = at(FC, *range(1, 11), places=12)
    assert refused(played(sit(11))) == "table-full"


@pytest.mark.parametrize(
    ("book", "cite", "minutes"),
    [(R7, "R7-2.proc.20", 30), (MP, "MP-2.proc.10", 30), (FC, "FC-10.absent.leave", 20), (WSOP_LIVE, "WSOP-L-73", 60)],
)
def test_R7_2_proc_20(book: str, cite: str, minutes: int) -> None:
    """The table times an absence and says once when it has become too long [MP-2.proc.10].

    Covers: R7-2.proc.20, MP-2.proc.10, WSOP-L-73, FC-10.absent.leave
    """
    played = at(book, 1, 2, 3, 4)
    played({"ev": "away", "seat": 2, "t": 100.0})
    assert played({"ev": "time", "t": 100.0 + 60 * minutes})["rulings"] == []
    answer = played({"ev": "time", "t": 101.0 + 60 * minutes})
    assert rulings(answer, "absent")[0]["cite"] == [cite]
    assert played({"ev": "time", "t": 9000.0})["rulings"] == []


def test_redeal_keeps_who_left() -> None:
    """A misdeal deals the hand anew to those who are still there, from the same button; a latecomer waits."""
    played = play(R7, seats=5)
    hand(played)
    played("card -", sit(6, post=True), "report exposed")
    assert played.lines[-1]["rulings"][0]["verdict"] == "misdeal"
    played("done 3")
    assert receiving(played.lines[-1]) == [2, 3, 4, 5, 1]
    over(played)
    assert 6 in receiving(hand(played))


def test_leaving_in_the_middle_of_a_hand() -> None:
    """Who has folded may go, with what is left of the stack; who sits down there brings a stack of its own."""
    played = at(R7, 1, 2, 3, 4)
    hand(played)
    dealt(played)
    assert refused(played("leave 4")) == "in-hand"
    assert refused(played({"ev": "sit", "seat": 6, "from": 3})) == "in-hand"
    played("act 4 call", "act 1 raise 10", "act 2 fold", "act 3 fold", "act 4 fold", "leave 4")
    assert "4" not in played.lines[-1]["stacks"]
    played(sit(4, "Bo", 500))
    over(played)
    assert played.lines[-1]["stacks"] == {"1": 205, "2": 199, "3": 198, "4": 500}


def test_untracked_posts() -> None:
    """Where amounts are untracked people come and go all the same."""
    seats = [{"seat": seat} for seat in (1, 2, 3, 4)]
    played = at(R7, 1, seats=seats, amounts="untracked")
    hand(played)
    over(played)
    answer = hand(played, {"ev": "sit", "seat": 6, "post": True})
    assert 6 in receiving(answer)
    assert "raise" in dealt(played)["next"][0]["options"]


@pytest.mark.parametrize("book", [R7, FC, MP, WSOP_LIVE])
def test_R7_3_irreg_6(book: str) -> None:
    """Chips forfeited on the last deal lie in the pot: only who was dealt in there gets a hand.

    Covers: R7-3.irreg.6, FC-3.irreg.6, MP-3.irreg.6, WSOP-L-114
    """
    played = at(book, 1, 2, 3, 4, mode="tournament")
    hand(played)
    over(played)
    state = played.table.outcome.state.copy()
    state.last_dealt_seats = (1, 2, 3, 4)
    state.carried_pot = replace(state.carried_pot, chips=6)
    newcomer = SeatState(6, "New", 200, came_from_table=True)
    state.seating = replace(state.seating, state_by_seat={**state.seating.state_by_seat, 6: newcomer})
    assert build_lineup(state).seats == (1, 2, 3, 4)
    state.carried_pot = replace(state.carried_pot, passed_out_count=1)
    assert 6 in build_lineup(state).seats
