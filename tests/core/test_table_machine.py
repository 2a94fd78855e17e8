"""The table moves by the rows of its machine, and one place ends a hand, however it ends."""

from collections.abc import Iterable
from typing import Any

import pytest

from controller.core.engine.output.hand_redaction import find_open_cards
from controller.core.model.table_state import TableStage, TableState
from controller.core.play.game_flow.table_machine import TABLE_MACHINE
from controller.core.protocol.facts import HandOver
from controller.core.values.state_machine import UndeclaredTransitionError
from controller.core.values.value import replace
from tests.people.hands import over
from tests.playing import ScriptedTable, play

RESTING, IN_HAND, WAITING, BREAK = TableStage.RESTING, TableStage.IN_HAND, TableStage.WAITING, TableStage.BREAK

ON, GO, OFF = ({"ev": "hand-for-hand", **more} for more in ({"on": True}, {"go": True}, {"on": False}))
LEVEL, TO_BREAK, DUPLICATE = {"ev": "level"}, {"ev": "break"}, {"ev": "report", "what": "duplicate"}
OVER = "over"
"""All fold, and the pot is pushed."""

TOURNAMENT: dict[str, Any] = {
    "mode": "tournament",
    "house": {"schedule": "T2000"},
    "betting": {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5},
    "stacks": dict.fromkeys((1, 2, 3), 2000),
}
"""A break follows its third level."""
THIRD = (LEVEL, LEVEL)


def iter_stages(played: ScriptedTable, lines: Iterable[str | dict[str, Any]]) -> Iterable[TableStage]:
    for line in lines:
        if line == OVER:
            over(played)
        else:
            assert "error" not in played(line), played.lines[-1]["error"]
        yield played.table.outcome.state.stage


@pytest.mark.parametrize(
    ("before", "lines", "stages"),
    [
        ((), ("start", OVER, DUPLICATE, OVER), [IN_HAND, RESTING, IN_HAND, RESTING]),
        ((), ("start", "undo", "start", OVER, "undo", "done"), [IN_HAND, RESTING, IN_HAND, RESTING, IN_HAND, RESTING]),
        ((ON,), ("start", OVER, GO, "start"), [IN_HAND, WAITING, RESTING, IN_HAND]),
        ((ON,), ("start", OVER, GO, "undo", GO), [IN_HAND, WAITING, RESTING, WAITING, RESTING]),
        ((ON,), ("start", OVER, OFF, "start", OVER), [IN_HAND, WAITING, RESTING, IN_HAND, RESTING]),
        ((ON,), ("start", OVER, DUPLICATE, OVER), [IN_HAND, WAITING, IN_HAND, WAITING]),
        (THIRD, (TO_BREAK, LEVEL, "start"), [BREAK, RESTING, IN_HAND]),
        (THIRD, ("start", TO_BREAK, OVER, DUPLICATE, OVER), [IN_HAND, IN_HAND, BREAK, IN_HAND, BREAK]),
        (THIRD, ("start", TO_BREAK, LEVEL, OVER), [IN_HAND, IN_HAND, IN_HAND, RESTING]),
        ((ON, *THIRD), ("start", OVER, TO_BREAK, GO, LEVEL), [IN_HAND, WAITING, WAITING, BREAK, RESTING]),
        ((ON, *THIRD), ("start", OVER, TO_BREAK, LEVEL, GO), [IN_HAND, WAITING, WAITING, WAITING, RESTING]),
        ((ON, *THIRD), ("start", TO_BREAK, OVER, GO), [IN_HAND, IN_HAND, WAITING, BREAK]),
    ],
)
def test_the_table_moves_by_its_rows(
    before: tuple[dict[str, Any], ...], lines: tuple[str | dict[str, Any], ...], stages: list[TableStage]
) -> None:
    played = play("wsop-2024", *before, **TOURNAMENT)
    assert list(iter_stages(played, lines)) == stages


def test_an_amendment_brings_the_stage_back_with_the_rest() -> None:
    played = play("wsop-2024", ON, **TOURNAMENT)
    assert list(iter_stages(played, ("start", OVER))) == [IN_HAND, WAITING]
    award = len(played.lines)
    assert list(iter_stages(played, [{"ev": "amend", "line": award, "to": None}, "done"])) == [IN_HAND, WAITING]


@pytest.mark.parametrize("held", [{"is_halted": True}, {"hands_left": 0}])
def test_no_row_begins_a_hand_that_the_floor_holds_back(held: dict[str, Any]) -> None:
    state = play("wsop-2024", **TOURNAMENT).table.outcome.state.copy()
    state.tournament = replace(state.tournament, **held)
    with pytest.raises(UndeclaredTransitionError, match=r"no row leads on from TableStage\.RESTING by begin_hand"):
        TABLE_MACHINE.move(state, "begin_hand")
    assert state.stage is RESTING


def deal_razz_without_antes(*lines: dict[str, Any]) -> ScriptedTable:
    """Razz at a table of blinds: nobody has to put a chip in, and nobody does; the last hand is yet to be shown."""
    betting = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    played = play("wsop-2024", *lines, "start", seats=2, game="razz", betting=betting, button=None)
    deck = iter(rank + suit for suit in "hs" for rank in "23456789TJQKA")
    while (step := played.lines[-1]["next"][0])["step"] != "show":
        match step["step"]:
            case "act":
                played(f"act {step['seat']} {'check' if 'check' in step['options'] else 'bet'}")
            case _:
                played(f"card {next(deck)}")
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
    played(f"show {played.lines[-1]['next'][0]['seat']}")
    return played


def test_a_hand_without_a_chip_in_the_pot_ends_like_any_other() -> None:
    played = deal_razz_without_antes(ON)
    last = played.lines[-1]["next"][0]["seat"]
    began = played.table.outcome.state.state_before_hand
    assert began is not None
    played(f"show {last}")
    state: TableState = played.table.outcome.state
    assert (state.stage, state.state_before_hand, state.state_before_last_hand) == (WAITING, None, began)
    assert state.hand_in_play.betting.live_seats == ()
    assert HandOver(1) in played.table.outcome.facts
    assert played.lines[-1]["next"] == [{"step": "hold"}]
    known = {lying.card for pile in state.hand_in_play.cards.piles.cards_by_place.values() for lying in pile}
    assert known - {None} <= {card for _, card in find_open_cards(state.hand_in_play)}
    assert list(iter_stages(played, ["undo", f"show {last}", GO, "start"])) == [IN_HAND, WAITING, RESTING, IN_HAND]


@pytest.mark.parametrize("rounds", [False, True])
@pytest.mark.parametrize(("book", "minutes"), [("tda-2024", 2), ("roberts-7", 0)])
def test_a_hand_that_nobody_opened_is_a_hand_of_hand_for_hand(book: str, minutes: int, *, rounds: bool) -> None:
    """It waits for the floor and takes its minutes, the second time as the first; its pot stays.

    Covers: TDA-RP-8-A TDA-RP-8-B
    """
    table: dict[str, Any] = {
        "game": "jacks-or-better",
        "betting": {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4},
        "house": {"schedule": "T20000"},
        "mode": "tournament",
        "stacks": dict.fromkeys((1, 2), None if rounds else 200),
    } | ({"amounts": "untracked", "follow": "rounds"} if rounds else {})
    checks: list[str | dict[str, Any]] = (
        [{"ev": "closed"}, "report passed-out"] if rounds else ["act 2 check", "act 1 check"]
    )
    played = play(book, {"ev": "timer", "set": "start", "t": 0}, ON, **table)
    for _ in range(2):
        played("start", "card - - - - - - - - - -")
        before = played.lines[-1]["timer"]["left"]
        played(*checks)
        if not rounds:
            checks.reverse()
        assert [ruling["finding"] for ruling in played.lines[-1]["rulings"]] == ["passed-out"]
        assert (played.table.outcome.state.stage, played.lines[-1]["next"]) == (WAITING, [{"step": "hold"}])
        assert before - played.lines[-1]["timer"]["left"] == 60 * minutes
        assert list(iter_stages(played, ["undo", checks[1 if rounds else 0]])) == [IN_HAND, WAITING]
        assert played("start")["error"]["code"] == "waits"
        played(GO)
    state: TableState = played.table.outcome.state
    assert (state.stage, state.carried_pot.passed_out_count, state.state_before_hand) == (RESTING, 2, None)
    played({"ev": "hand-for-hand", "on": False}, "start", "card - - - - - - - - - -", *checks)
    assert (played.table.outcome.state.stage, played.lines[-1]["next"]) == (RESTING, [])


def open_all_in_hand(*lines: str) -> ScriptedTable:
    """Hold'em in which seat 3 is all-in and called, then the lines, which end the betting of the others."""
    stacks: dict[int, int | None] = {1: 200, 2: 200, 3: 20, 4: 200}
    deal = ("start", "card - - - - - - - -", "act 4 raise 20", "act 1 call", "act 2 fold", "act 3 call", "card - - - -")
    return play("tda-2024", *deal, *lines, stacks=stacks, mode="tournament")


@pytest.mark.parametrize(
    "ended", [("act 4 check", "act 1 bet 50", "act 4 fold"), ("act 4 all-in", "act 1 call")], ids=str
)
def test_hand_for_hand_that_begins_once_an_all_in_was_called_waits_before_anything_is_shown_or_dealt(
    ended: tuple[str, ...],
) -> None:
    """[TDA-RP-8-A]: "hands stay face down", whether play was hand for hand before the call or is with this word."""
    played = open_all_in_hand(*ended)
    planned = played.lines[-1]["next"]
    held = played(ON)
    assert (held["phase"], held["gate"], held["next"]) == ("floor", "locked", [{"step": "hold"}, *planned])
    assert played("show 3")["error"]["code"] == played("card -")["error"]["code"] == "not-now"
    for goes_on in (GO, OFF):
        assert played(goes_on)["next"] == planned
        played("undo")
    played("undo")
    assert played.lines[-1]["next"] == planned
    played(ON, GO, OFF, ON)
    assert played.lines[-1]["next"] == planned, "they have waited once"


def test_hand_for_hand_that_begins_while_a_stud_street_is_dealt_waits_before_its_next_card() -> None:
    limits = {"structure": "fixed-limit", "small_bet": 10, "big_bet": 20, "ante": 5, "bring_in": 5}
    stacks: dict[int, int | None] = {1: 8, 2: 8}
    played = play("wsop-2024", "start", stacks=stacks, mode="tournament", game="stud-7", button=None, betting=limits)
    planned = played("card 2s 3h 8d 4c Kc Qd", "act 2 all-in", "act 1 call")["next"]
    assert played(ON)["next"] == [{"step": "hold"}, *planned], "before hands are shown, too"
    played("undo", "show 1", "show 2")
    due = played("card 7h")["next"]
    assert due[0]["step"] == "deal"
    assert played(ON)["next"] == [{"step": "hold"}, *due]
    assert played(GO)["next"] == due


def test_hand_for_hand_that_begins_while_draws_are_dealt_waits_before_the_next_card() -> None:
    stacks: dict[int, int | None] = {1: 8, 2: 80}
    played = play("wsop-2024", "start", stacks=stacks, mode="tournament", game="draw-high")
    played("card " + "- " * 10, "act 1 all-in", "act 2 call", "show 1", "show 2")
    asked = {"ev": "draw", "seat": 2, "discard": 2}, {"ev": "draw", "seat": 1, "discard": 1}
    assert played(*asked, "card -")["phase"] == "draw"
    due = played.lines[-1]["next"]
    assert due[0]["step"] == "deal"
    assert played(ON)["next"] == [{"step": "hold"}, *due]
    assert played(GO)["next"] == due
    assert played("undo", "undo")["next"] == due


def test_hand_for_hand_waits_behind_what_is_to_be_put_right_and_goes_with_its_end() -> None:
    played = open_all_in_hand("act 4 check", "act 1 bet 50", "act 4 fold")
    planned = played.lines[-1]["next"]
    played("card -", ON)
    assert [step["step"] for step in played.lines[-1]["next"][:2]] == ["say", "hold"]
    assert played(OFF)["next"][1:] == planned


def test_a_hand_given_back_acts_before_a_lamp_says_that_a_card_comes_to_it() -> None:
    limits = {"structure": "fixed-limit", "small_bet": 10, "big_bet": 20, "ante": 5, "bring_in": 5}
    stacks: dict[int, int | None] = dict.fromkeys((1, 2, 3), 500)
    played = play("roberts-7", "start", stacks=stacks, mode="tournament", game="stud-7", button=None, betting=limits)
    played(
        "card 2s 3h 4d 8h 9c Tc 2d Jd Kc", "act 1 bring-in", "act 2 fold", "act 3 call", "card - Js Qs", "act 3 check"
    )
    given_back = played({"ev": "floor", "decide": "revive", "seat": 2})
    assert [step["step"] for step in given_back["next"]] == ["move", "act"]
    assert given_back["lamps"]["deal"] == []
    played("done")
    dealt = played("act 2 call")
    assert dealt["next"][0]["step"] == "deal"
    assert dealt["lamps"]["deal"] == [2]
