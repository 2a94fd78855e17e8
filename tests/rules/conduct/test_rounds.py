"""Betting told by rounds (table script 2, section 3): one step a round, one key ends it."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.deals import plan

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
DEALT = "card Ad 9c Tc 5d 6c 4d Qh 6d"
STUD: dict[str, Any] = {
    "game": "stud-7",
    "betting": {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10},
    "button": None,
}
JACKS: dict[str, Any] = {
    "game": "jacks-or-better",
    "betting": {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4},
}


def rounds(book: str, *lines: str | dict[str, Any], seats: int = 4, **table: Any) -> ScriptedTable:  # noqa: ANN401
    """A table that is told rounds, then the lines."""
    return play(book, *lines, stacks=dict.fromkeys(range(1, seats + 1)), amounts="untracked", follow="rounds", **table)


def dealt(book: str, *lines: str | dict[str, Any]) -> ScriptedTable:
    return rounds(book, "start", DEALT, *lines)


def code(played: ScriptedTable) -> str | None:
    error = played.lines[-1].get("error")
    return error["code"] if error else None


def bet(played: ScriptedTable) -> list[int]:
    step = played.lines[-1]["next"][-1]
    assert step["step"] == "bet", step
    return list(step["seats"])


def test_rounds_need_untracked_amounts() -> None:
    played = ScriptedTable()
    line = {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "button": 1, "follow": "rounds"}
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
    answer = played(line | {"betting": betting, "seats": [{"seat": 1, "stack": 5}, {"seat": 2, "stack": 5}]})
    assert answer["error"]["code"] == "value"
    assert "untracked" in answer["error"]["message"]


def test_acts_are_the_default() -> None:
    played = play("roberts-7", "start", DEALT, "closed")
    assert code(played) == "not-now"


@pytest.mark.parametrize("book", BOOKS)
def test_a_whole_hand_takes_one_key_a_round(book: str) -> None:
    played = dealt(book)
    assert bet(played) == [4, 1, 2, 3]
    played("closed", "card 8h 2s 4s Qd")
    assert bet(played) == [2, 3, 4, 1]
    played("closed", "card 3h Ks", "closed", "card 7h Kd", "closed")
    assert [step["step"] for step in played.lines[-1]["next"]] == ["show"] * 4


def test_the_last_one_left_wins() -> None:
    played = dealt("roberts-7", "act 2 fold", "act 4 fold", "act 3 fold")
    assert plan(played) == ["award [1]"]
    assert played("done")["phase"] == "idle"


@pytest.mark.parametrize("acts", [("act 4 all-in", "act 1 all-in", "act 2 all-in", "act 3 all-in"), ()])
def test_nobody_bets_any_more_once_all_are_all_in(acts: tuple[str, ...]) -> None:
    played = dealt("casino-au", *acts, *(() if acts else ("act 4 all-in", "act 1 all-in", "act 2 fold", "closed")))
    assert plan(played)[:4] == ["burn", "board flop 3", "burn", "board turn 1"]


def test_one_seat_with_chips_is_waited_for_until_the_round_is_closed() -> None:
    played = dealt("casino-au", "act 4 all-in", "act 1 all-in", "act 2 fold")
    assert bet(played) == [3]


def test_an_act_is_a_fact_of_a_seat_of_the_round_only() -> None:
    played = dealt("roberts-7", "act 2 fold", "act 2 call")
    assert code(played) == "no-live-hand"
    played({"ev": "act", "seat": 3, "do": "raise", "to": 20})
    assert code(played) == "amount"
    played({"ev": "act", "seat": 3, "do": "bring-in"})
    assert code(played) == "act-not-open"
    played("act 3 all-in", "act 3 fold")
    assert code(played) == "all-in"


def test_the_bettor_of_the_last_round_shows_first() -> None:
    river = ("closed", "card 8h 2s 4s Qd", "closed", "card 3h Ks", "closed", "card 7h Kd")
    checked = dealt("roberts-7", *river, "closed")
    assert plan(checked)[0] == "show 2"
    wagered = dealt("roberts-7", *river, "act 4 bet", "closed")
    assert plan(wagered)[0] == "show 4"
    pushed = dealt("roberts-7", *river, "act 4 all-in", "closed")
    assert plan(pushed)[0] == "show 2"


WON = {"ev": "won", "seat": 4, "pot": 0}
RIVER = ("closed", "card 8h 2s 4s Qd", "closed", "card 3h Ks", "closed", "card 7h Kd", "closed")


def test_the_showdown_is_one_word_too_and_shows_nobodys_cards() -> None:
    played = dealt("roberts-7", *RIVER, "done")
    answer = played.lines[-1]
    assert (answer["phase"], answer["next"], answer["rulings"]) == ("idle", [], [])
    assert not any(card in str(answer) for card in ("Ad", "9c", "Tc", "5d", "6c", "4d", "Qh", "6d"))
    assert [step["step"] for step in played("undo")["next"]] == ["show"] * 4
    assert played(WON)["next"] == [{"step": "award", "pot": 0, "seats": [4]}]


def test_hands_that_are_turned_up_before_the_last_cards_are_one_word_too() -> None:
    all_in = ("act 4 all-in", "act 1 all-in", "act 2 fold", "closed")
    played = rounds("fish-n-chips", "start", DEALT, *all_in, mode="tournament")
    assert plan(played)[0].startswith("show")
    played("done")
    assert plan(played)[:2] == ["burn", "board flop 3"]
    played("card 8h 2s 4s Qd 3h Ks 7h Kd")
    assert plan(played)[0].startswith("show")
    assert played("done")["phase"] == "idle"


def test_acts_want_each_hand_shown() -> None:
    played = play("roberts-7", "start", "card Ad 9c Tc 5d", stacks={1: None, 2: None}, amounts="untracked")
    played("act 1 call", "act 2 check")
    for cards in ("card 8h 2s 4s Qd", "card 3h Ks", "card 7h Kd"):
        played(cards, "act 2 check", "act 1 check")
    assert plan(played) == ["show 2", "show 1"]
    played("done")
    assert code(played) == "not-now"


def test_a_house_whose_next_hand_depends_on_the_winner_wants_a_name() -> None:
    played = rounds("roberts-7", "start", DEALT, *RIVER, "done", house={"position_poker": True})
    assert code(played) == "winner-unknown"
    assert played(WON, "done")["phase"] == "idle"


def test_a_fold_sends_stud_cards_to_the_muck() -> None:
    played = rounds("roberts-7", "start", "card 2c 3c 4c 5c 6c 7c 8c 9c Tc", "act 3 fold", seats=3, **STUD)
    assert played.lines[-1]["piles"]["muck"] == 3
    assert "3" not in played.lines[-1]["piles"]["seats"]


def test_undo_takes_back_a_closed_round_before_a_card() -> None:
    played = dealt("house-rules", "closed", "undo")
    assert bet(played) == [4, 1, 2, 3]


def test_premature_cards_had_their_time_when_the_round_is_closed() -> None:
    played = dealt("fish-n-chips", "card 2s 4s Qd 8h")
    assert plan(played)[0] == "say"
    played("closed")
    assert plan(played) == ["bet"]
    assert played.lines[-1]["board"] == ["4s", "Qd", "8h"]
    assert played.lines[-1]["piles"]["burn"] == 1


def test_more_cards_than_the_street_wants_are_not_let_stand() -> None:
    played = dealt("fish-n-chips", "card 2s 4s Qd 8h 7h", "closed")
    assert code(played) == "no-card"
    assert plan(played)[0] == "say"


def test_premature_is_ruled_as_ever() -> None:
    played = dealt("roberts-7", "card 2s 4s Qd 8h", {"ev": "report", "what": "premature", "count": 4})
    assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["redeal-board"]
    played("closed")
    assert plan(played)[0].startswith("return")


class TestAPotThatMustBeOpened:
    FIVE = "card 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d"

    def start(self, *lines: str | dict[str, Any]) -> ScriptedTable:
        return rounds("roberts-7", "start", self.FIVE, *lines, seats=3, **JACKS)

    def test_is_asked_about(self) -> None:
        played = self.start("closed")
        assert played.lines[-1]["next"][0] == {"step": "say", "options": ["opened", "passed-out"]}
        assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["ask"]

    def test_opened(self) -> None:
        played = self.start("closed", "report opened")
        assert played.lines[-1]["next"][0]["step"] == "draw"

    def test_passed_out(self) -> None:
        played = self.start("closed", "report passed-out")
        assert played.lines[-1]["phase"] == "idle"
        assert [r["finding"] for r in played.lines[-1]["rulings"]] == ["passed-out"]

    @pytest.mark.parametrize("act", ["act 3 bet", "act 3 fold", "act 2 all-in"])
    def test_is_not_asked_about_after_a_wager_or_a_fold(self, act: str) -> None:
        played = self.start(act, "closed")
        assert played.lines[-1]["next"][0]["step"] == "draw"

    def test_nobody_says_so_unasked(self) -> None:
        assert code(self.start("report opened")) == "not-so"


class TestHowManyActed:
    WRONG = "report button-wrong seat=2"

    def test_is_asked_where_the_rule_depends_on_it(self) -> None:
        played = dealt("roberts-7", self.WRONG)
        assert played.lines[-1]["next"][0] == {"step": "say", "options": ["acted"]}
        assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["ask"]
        played({"ev": "report", "what": "acted", "count": 4, "chips": True})
        assert "misdeal" not in [r["verdict"] for r in played.lines[-1]["rulings"]]

    def test_is_not_asked_once_the_round_is_over(self) -> None:
        played = dealt("roberts-7", "closed", "card 8h 2s 4s Qd", self.WRONG)
        assert "ask" not in [r["verdict"] for r in played.lines[-1]["rulings"]]

    def test_is_not_asked_before_the_round(self) -> None:
        played = rounds("roberts-7", "start", "card Ad 9c Tc", self.WRONG)
        assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["misdeal"]

    def test_is_said_with_the_report(self) -> None:
        played = dealt("roberts-7", self.WRONG + " acted=4")
        assert "ask" not in [r["verdict"] for r in played.lines[-1]["rulings"]]

    def test_is_not_asked_where_one_rule_has_one_outcome(self) -> None:
        """AU-19.1(h): a joker makes the deck defective, whoever has acted; the same clause either way."""
        played = dealt("casino-au", "report joker where=hand seat=2")
        assert [(r["finding"], r["verdict"]) for r in played.lines[-1]["rulings"]] == [("joker", "misdeal")]

    def test_nobody_is_the_least(self) -> None:
        played = dealt("roberts-7", self.WRONG, {"ev": "report", "what": "acted", "count": 0})
        assert [r["verdict"] for r in played.lines[-1]["rulings"]] == ["misdeal"]

    def test_is_not_more_than_there_are(self) -> None:
        played = dealt("roberts-7", self.WRONG, {"ev": "report", "what": "acted", "count": 5})
        assert code(played) == "value"
        assert played.lines[-1]["next"][0]["options"] == ["acted"]


@pytest.mark.parametrize("book", ["house-rules", "roberts-7"])
def test_a_live_card_at_the_muck_is_a_fold_once(book: str) -> None:
    played = rounds(book, "start", DEALT, sensors=["identity", "face", "muck"])
    played({"ev": "seen", "at": "muck", "card": "5d"})
    assert bet(played) == [4, 2, 3]
    played({"ev": "seen", "at": "muck", "card": "6d"})
    assert bet(played) == [4, 2, 3]
    assert played.lines[-1]["rulings"] == []
