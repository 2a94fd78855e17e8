"""Action that passes somebody by, and acts out of turn heads-up: TDA 53-B, WSOP 90 d, WSOP live 133."""

import pytest

from tests.playing import ScriptedTable
from tests.rules.deals import dealt, on_flop, plan

TOURNAMENTS = [("tda-2024", "TDA-53-B"), ("wsop-2024", "WSOP-T-90.d")]


def ruled(played: ScriptedTable) -> list[tuple[str, str, str]]:
    assert "error" not in played.lines[-1], played.lines[-1]["error"]
    return [(ruling["finding"], ruling["verdict"], ruling["cite"][0]) for ruling in played.lines[-1]["rulings"]]


def options(played: ScriptedTable) -> list[str]:
    found: list[str] = played.lines[-1]["next"][0]["options"]
    return found


@pytest.mark.parametrize(("book", "clause"), TOURNAMENTS)
def test_TDA_53_B_substantial_action_past_a_seat(book: str, clause: str) -> None:
    """Addendum 53-B, example 1: a raise, a seat skipped, a call and a fold behind it: both bind, the floor rules.

    Covers: TDA-53-B WSOP-T-90.d#skipped
    """
    played = dealt(book, "act 4 raise 6", "act 2 call")
    assert [one[:2] for one in ruled(played)] == [("out-of-turn", "bind")]
    played("act 3 fold")
    assert ruled(played)[-1] == ("acted-behind", "floor", clause)
    assert (plan(played)[0], played.lines[-1]["phase"], played.lines[-1]["gate"]) == ("floor", "floor", "locked")
    assert options(played) == ["dead-hand", "passive", "play-on"]
    played({"ev": "floor", "decide": "dead-hand", "seat": 1})
    assert (plan(played)[0], options(played), "1" in played.lines[-1]["piles"]["seats"]) == ("act 2", ["call"], False)
    played("act 2 call")
    assert options(played) == ["fold"]


@pytest.mark.parametrize(("book", "clause"), TOURNAMENTS)
def test_TDA_53_B_the_skipped_hand_may_be_left_to_check_call_or_fold(book: str, clause: str) -> None:
    played = dealt(book, "act 4 raise 6", "act 2 call", "act 3 fold", {"ev": "floor", "decide": "passive"})
    assert ruled(played) == [("acted-behind", "restrict-bet", clause)]
    assert (plan(played)[0], options(played)) == ("act 1", ["fold", "call"])
    played = dealt(book, "act 4 raise 6", "act 2 call", "act 3 fold", {"ev": "floor", "decide": "play-on"})
    assert (plan(played)[0], set(options(played))) == ("act 1", {"fold", "call", "raise", "all-in"})


def test_two_checks_past_a_seat_are_no_substantial_action() -> None:
    played = on_flop("tda-2024", "act 3 check", "act 4 check")
    assert plan(played)[0] == "act 2"
    played("act 1 check")
    assert plan(played)[0] == "floor"


def test_an_act_in_turn_begins_the_count_anew() -> None:
    played = on_flop("tda-2024", "act 3 check", "act 4 check", "act 2 check", "act 3 check", "act 1 check")
    assert plan(played)[0] == "act 4"


def test_WSOP_L_133_two_acts_behind_put_the_right_in_doubt() -> None:
    """The floor may declare the hand dead; nothing waits for it, and nobody is asked while one in front has to act.

    Covers: WSOP-L-133
    """
    played = on_flop("wsop-live-2024", "act 3 check", "act 4 check")
    assert ruled(played)[-1] == ("acted-behind", "play-on", "WSOP-L-133")
    assert plan(played)[0] == "act 2"


def heads_up(book: str, *acts: str) -> ScriptedTable:
    """Seats 2 and 3 alone on the flop: the betting of that round begins heads-up."""
    return dealt(book, "act 4 fold", "act 1 fold", "act 2 call", "act 3 check", "card 8h 2s 4s Qd", *acts)


def test_WSOP_T_gloss_oot_passive_heads_up() -> None:
    """A check out of turn leaves fold, check and call, also when the action has changed.

    Covers: WSOP-T-gloss.oot#passive
    """
    played = heads_up("wsop-2024", "act 3 check")
    assert ruled(played) == [("out-of-turn", "restrict-bet", "WSOP-T-gloss.oot")]
    played("act 2 check")
    assert options(played) == ["fold", "check"]
    assert options(heads_up("wsop-2024", "act 3 check", "act 2 bet 10")) == ["fold", "call"]
    assert set(options(heads_up("tda-2024", "act 3 check", "act 2 bet 10"))) == {"fold", "call", "raise", "all-in"}
    played = on_flop("wsop-2024", "act 3 check", "act 2 bet 10")
    assert "raise" in options(played), "more than two were in the round"


def test_the_floor_may_leave_any_hand_passive() -> None:
    played = on_flop("roberts-7", {"ev": "floor", "decide": "passive", "seat": 2})
    assert options(played) == ["fold", "check"]
    for seat, code in ((None, "key-missing"), (9, "no-live-hand")):
        line = {"ev": "floor", "decide": "passive"} | ({} if seat is None else {"seat": seat})
        assert on_flop("tda-2024", line).lines[-1]["error"]["code"] == code
