"""What TDA 2024 and WSOP 2024 answer otherwise than the older books."""

from typing import Any

import pytest

from controller.core.protocol.vocabulary import ActionType
from controller.core.rules.policies import misdeal_window
from controller.core.rules.policies.opening_pot import OpeningBlinds, assume_full_blinds
from tests.playing import ScriptedTable, play
from tests.rules.deals import dealt, on_flop, plan

TOURNAMENTS = ("tda-2024", "wsop-2024")
FOLD, CHECK, CALL, BET = ActionType.FOLD, ActionType.CHECK, ActionType.CALL, ActionType.BET


def said(played: ScriptedTable) -> list[tuple[str, str]]:
    return [(ruling["finding"], ruling["verdict"]) for ruling in played.lines[-1]["rulings"]]


@pytest.mark.parametrize(
    ("acts", "tournament", "live"),
    [
        ((FOLD,), False, False),
        ((CALL,), False, False),
        ((FOLD, FOLD), False, False),
        ((CHECK, CHECK), False, False),
        ((FOLD, CHECK), False, True),
        ((FOLD, CALL), True, True),
        ((BET, FOLD), True, True),
        ((FOLD, FOLD, FOLD), True, True),
        ((CHECK, CHECK, CHECK), True, True),
    ],
)
def test_substantial_action(acts: tuple[ActionType, ...], tournament: bool, live: bool) -> None:
    """Covers: TDA-36 WSOP-T-88.c WSOP-L-105"""
    told = tuple(enumerate(acts, 1))
    assert misdeal_window.is_closed_by_substantial_action(told, (8, 9), tuple(range(1, 10))) is tournament
    assert misdeal_window.is_closed_by_substantial_live_action(told, (8, 9), tuple(range(1, 10))) is live


def test_substantial_action_live_behind_a_bring_in_is_two_players() -> None:
    one = ((1, ActionType.BRING_IN), (2, FOLD))
    assert not misdeal_window.is_closed_by_substantial_live_action(one, (1,), (1, 2, 3))
    assert misdeal_window.is_closed_by_substantial_live_action((*one, (3, FOLD)), (1,), (1, 2, 3))


class TestFlopOfFour:
    """Covers: TDA-39-A WSOP-T-89"""

    def four(self, book: str, *lines: str | dict[str, Any]) -> ScriptedTable:
        return on_flop(book, "card Jd", {"ev": "report", "what": "board-extra", "count": 1}, *lines)

    @pytest.mark.parametrize("book", TOURNAMENTS)
    def test_one_picked_blind_is_the_next_burn(self, book: str) -> None:
        played = self.four(book)
        assert plan(played)[:2] == ["return board board > burn 1", "act 2"]
        assert len(played.lines[-1]["board"]) == 4
        played("done")
        assert played.lines[-1]["board"] == [None] * 3
        assert played.lines[-1]["piles"]["burn"] == 2

    @pytest.mark.parametrize("card", ["2s", "Jd"])
    def test_the_pick_may_be_named(self, card: str) -> None:
        played = self.four("tda-2024", {"ev": "done", "card": card})
        assert played.lines[-1]["board"] == [each for each in ("2s", "4s", "Qd", "Jd") if each != card]
        played("act 2 check", "act 3 check", "act 4 check", "act 1 check")
        assert plan(played)[0] == "board turn 1"

    def test_no_other_card_is_picked(self) -> None:
        assert self.four("tda-2024", {"ev": "done", "card": "As"}).lines[-1]["error"]["code"] == "no-card"

    def test_done_names_a_card_nowhere_else(self) -> None:
        played = dealt(
            "tda-2024", {"ev": "report", "what": "exposed", "seat": 2, "nth": 1}, {"ev": "done", "card": "As"}
        )
        assert played.lines[-1]["error"]["code"] in ("unused-key", "not-now")

    def test_a_larger_flop_is_dealt_again(self) -> None:
        played = on_flop("tda-2024", "card Jd Js", {"ev": "report", "what": "board-extra", "count": 2})
        assert said(played) == [("board-extra", "redeal-board")]


class TestFlopWithoutABurn:
    """Covers: TDA-39-B TDA-39-B#acted WSOP-T-88.c.3.i"""

    @pytest.mark.parametrize("book", TOURNAMENTS)
    def test_one_of_its_cards_is_the_burn(self, book: str) -> None:
        played = dealt(book, "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card 8h 2s 4s", "report no-burn")
        assert plan(played) == ["return board board > burn 1", "board flop 1", "act 2"]
        played({"ev": "done", "card": "2s"}, "card Qd")
        assert played.lines[-1]["board"] == ["8h", "4s", "Qd"]
        assert played.lines[-1]["piles"]["burn"] == 1

    @pytest.mark.parametrize("book", TOURNAMENTS)
    def test_after_a_check_it_stands(self, book: str) -> None:
        played = on_flop(book, "act 2 check", "report no-burn")
        assert said(played) == [("no-burn", "play-on")]


class TestOutOfTurn:
    """Covers: TDA-53-A TDA-53-A#changed TDA-53-A#fold TDA-58 WSOP-T-90.d WSOP-T-90.d#changed WSOP-T-84"""

    @pytest.mark.parametrize("book", TOURNAMENTS)
    def test_a_check_binds(self, book: str) -> None:
        played = on_flop(book, "act 4 check", "act 2 check", "act 3 check")
        assert played.lines[-1]["next"][0]["options"] == ["check"]

    @pytest.mark.parametrize("book", TOURNAMENTS)
    def test_a_bet_releases_a_check(self, book: str) -> None:
        played = on_flop(book, "act 4 check", "act 2 bet 10", "act 3 fold")
        assert set(played.lines[-1]["next"][0]["options"]) >= {"fold", "call", "raise"}

    @pytest.mark.parametrize(("book", "then"), [("tda-2024", (4, ["fold"])), ("wsop-2024", (1, ["fold", "call"]))])
    def test_a_fold_stands_through_a_bet(self, book: str, then: tuple[int, list[str]]) -> None:
        played = on_flop(book, "act 4 fold", "act 2 bet 10", "act 3 fold")
        step = played.lines[-1]["next"][0]
        assert (step["seat"], step["options"][:2]) == (then[0], then[1])


def test_a_pot_limit_pot_assumes_full_blinds() -> None:
    """Covers: TDA-54-B"""
    assert assume_full_blinds(OpeningBlinds(100, 200, 0, 200, is_big_blind_to_act=True)) == 100
    assert assume_full_blinds(OpeningBlinds(100, 200, 100, 100, is_big_blind_to_act=True)) == 100
    assert assume_full_blinds(OpeningBlinds(100, 200, 200, 200, is_big_blind_to_act=False)) == 0


@pytest.mark.parametrize(("book", "verdict"), [("tda-2024", "play-on"), ("wsop-2024", "correct")])
def test_the_button_of_the_hand_before(book: str, verdict: str) -> None:
    """Covers: TDA-34-A#next"""
    played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", "done")
    played({"ev": "report", "what": "button-wrong", "seat": 4, "hand": "previous"})
    assert said(played) == [("button-wrong", verdict)]


@pytest.mark.parametrize("book", TOURNAMENTS)
def test_nobody_gets_a_hand_between_the_button_and_the_small_blind(book: str) -> None:
    """Covers: TDA-8-A TDA-10-A WSOP-T-66"""
    seats: dict[int, int | None] = {1: 200, 3: 200, 5: 200, 8: 200}
    played = play(book, "start", stacks=seats)
    for line in ("card Ad 9c Tc 5d 6c 4d Qh 6d", "act 8 fold", "act 1 fold", "act 3 fold", "done"):
        played(line)
    played({"ev": "sit", "seat": 4, "player": "New", "stack": 200, "moved": True}, "start")
    assert {step.get("seat") for step in played.lines[-1]["next"]} == {1, 3, 5, 8}
    waits = "Seat 4 sits between the button and the small blind: it waits for the next hand"
    assert played.lines[-1]["rulings"][0]["text"].startswith(waits)


class TestDraw:
    """Covers: WSOP-T-IX.draw"""

    FIVE = "card 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d"

    def asked(self, *lines: str | dict[str, Any]) -> ScriptedTable:
        betting = {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4}
        return play("wsop-2024", "start", self.FIVE, *lines, seats=3, game="draw-high", betting=betting)

    def test_all_discard_then_one_burn_then_the_cards(self) -> None:
        played = self.asked("act 2 bet 2", "act 3 call", "act 1 call")
        draws = [{"ev": "draw", "seat": seat, "discard": count} for seat, count in ((2, 1), (3, 0), (1, 2))]
        played(*draws)
        assert plan(played)[:4] == ["burn", "deal 2 draw", "deal 1 draw", "deal 1 draw"]

    def test_the_burn_comes_also_when_all_stand_pat(self) -> None:
        played = self.asked("act 2 bet 2", "act 3 call", "act 1 call")
        played(*({"ev": "draw", "seat": seat, "discard": 0} for seat in (2, 3, 1)))
        assert plan(played)[:2] == ["burn", "act 2"]


class TestJoker:
    """Covers: TDA-35-A#6 TDA-35-D#scrap"""

    def found(self, *acts: str) -> ScriptedTable:
        """Seat 3, the big blind, holds a card that the shoe took for another, a joker in truth; it is told now."""
        told = {"ev": "report", "what": "joker", "where": "hand", "seat": 3, "nth": 1}
        return play("tda-2024", "start", "card Ad - Tc 5d 6c 4d Qh 6d", *acts, told)

    def test_before_substantial_action_it_is_a_misdeal_whoever_has_acted(self) -> None:
        assert said(play("tda-2024", "start", "card Ad joker")) == [("joker", "misdeal")]
        played = self.found("act 4 call")
        assert (said(played), played.lines[-1]["rulings"][0]["cite"]) == ([("joker", "misdeal")], ["TDA-35-A"])

    def test_a_four_in_short_deck_is_no_card_of_the_game_either(self) -> None:
        """TDA-35-A#6 names 2 to 5 in short deck beside jokers."""
        dealt = ("start", "card Ad 9c Tc 7d 6c 8d Qh 6d")
        played = play("tda-2024", "start", "card Ad 4c", game="short-deck")
        assert said(played) == [("count-mismatch", "misdeal")]
        assert played.lines[-1]["rulings"][0]["cite"] == ["TDA-35-A"]
        acted = ("act 4 call", "act 1 call", "act 2 call", "act 3 check")
        played = play("tda-2024", *dealt, *acted, "card 8h 4c", game="short-deck")
        assert said(played) == [("count-mismatch", "scrap")]
        assert played.lines[-1]["rulings"][0]["cite"] == ["TDA-35-D"]
        played("done")
        assert plan(played)[:2] == ["board flop 3", "act 2"]

    def test_after_substantial_action_it_is_a_scrap_of_paper(self) -> None:
        played = self.found("act 4 call", "act 1 call", "act 2 call")
        assert (said(played), played.lines[-1]["rulings"][0]["cite"]) == ([("joker", "scrap")], ["TDA-35-D"])
        played("done", "card 9c")
        assert (played.lines[-1]["piles"]["seats"]["3"], plan(played)[0]) == (2, "act 3")
        played("act 3 check", "card 8h 2s joker")
        assert (said(played), played.lines[-1]["rulings"][0]["cite"]) == ([("joker", "scrap")], ["TDA-35-D"])
        played("done", "card 4s Kd")
        assert played.lines[-1]["board"] == ["2s", "4s", "Kd"]
