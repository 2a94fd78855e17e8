"""Irregularities inside irregularities: what a floor person found that no single rule's test had tried."""

from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, CHECKS, before_turn, error, piles, ruling
from tests.rules.deals import again, dealt, on_flop, plan

DEAD = {"ev": "floor", "decide": "dead-hand"}
SENSORS: dict[str, Any] = {"sensors": ["identity", "face", "seat", "board", "muck"]}


@pytest.mark.parametrize("book", BOOKS)
def test_an_exposed_card_that_dies_with_its_hand_is_no_burn(book: str) -> None:
    """The exposed card was to be the first burn; the hand is declared dead before that: the flop burns as ever.

    Covers: R7-5.holdem.1#b, AU-19.25, HR-holdem.1#b, FC-5.holdem.1#b, MP-5.holdem.1#b
    """
    played = play(book, "start", "card Ad 9c Tc 5d 6c", "report exposed", "card 4d Qh 6d", {**DEAD, "seat": 2})
    assert (piles(played, "burn", "muck"), plan(played)) == ({"burn": 0, "muck": 2}, ["act 4"])
    played("act 4 call", "act 1 call", "act 3 raise 4", "act 4 call", "act 1 call")
    assert plan(played) == ["burn", "board flop 3", "act 3"]


RELEASE = {"ev": "floor", "decide": "release"}


def test_R7_5_holdem_2_a_extra_card_of_a_hand_that_is_dead_meanwhile() -> None:
    """The extra card goes to the muck with the hand, and the flop has its own burn."""
    played = dealt("roberts-7", "card 8h", "report extra-card seat=2", {**DEAD, "seat": 2})
    assert piles(played, "burn", "muck") == {"burn": 0, "muck": 3}
    played("act 4 call", "act 1 call", "act 3 check")
    assert plan(played)[:2] == ["burn", "board flop 3"]


def test_AU_19_1_c_a_card_on_its_way_when_a_hand_is_declared_dead() -> None:
    """A dead hand receives no card; a card that lies at a dead hand and belongs to another is moved all the same."""
    played = play("casino-au", "start", "card Ad 9c Tc", "report wrong-seat seat=1", {**DEAD, "seat": 4})
    assert (plan(played)[:3], piles(played, "muck")) == (["deal 1", "deal 2", "deal 3"], {"muck": 1})
    played = play("casino-au", "start", "card Ad 9c Tc", "report wrong-seat seat=1", {**DEAD, "seat": 1})
    assert plan(played)[:3] == ["move seat 1 > seat 4", "deal 2", "deal 3"]
    played("done")
    assert played.lines[-1]["piles"]["seats"] == {"2": 1, "3": 1, "4": 1}


def test_AU_19_1_f__i_nobody_calls_a_bet_that_was_returned() -> None:
    """The raiser's hand is fouled and all its wagers go back: what is left to match is the highest bet still there."""
    played = dealt("casino-au", "act 4 raise 20", "act 1 fold", "report short-hand seat=4")
    assert ruling(played, "short-hand")["cite"] == ["AU-19.1(f)(i)"]
    played(RELEASE)
    first = played.lines[-1]["next"][0]
    assert (first["seat"], first["to_call"], first["min_to"]) == (2, 1, 4)
    assert (played.lines[-1]["stacks"]["4"], played.lines[-1]["bets"]) == (200, {"2": 1, "3": 2})
    played = dealt("casino-au", "act 4 raise 6", "act 1 raise 20", "report short-hand seat=1", RELEASE)
    first = played.lines[-1]["next"][0]
    assert (first["seat"], first["to_call"], first["min_to"]) == (2, 5, 10)
    played("act 2 fold", "act 3 call")
    assert plan(played)[:2] == ["burn", "board flop 3"]


def test_AU_19_1_f__i_a_bet_that_others_called_stays() -> None:
    """Somebody has called the bet before it was returned: the chips of the caller stand, and have to be matched."""
    played = dealt("casino-au", "act 4 raise 20", "act 1 call", "report short-hand seat=4", RELEASE)
    assert played.lines[-1]["next"][0]["to_call"] == 19


def flop(*lines: str | dict[str, Any]) -> ScriptedTable:
    """A flop under AU, where the big blind cannot check before it."""
    before = ("act 4 call", "act 1 call", "act 2 call", "act 3 raise 4", "act 4 call", "act 1 call", "act 2 call")
    return dealt("casino-au", *before, "card 8h 2s 4s Qd", *lines)


def test_AU_19_1_f__i_the_only_bet_of_a_round_is_returned() -> None:
    """All had checked to the bettor: with the bet gone nobody has anything left to do on this round."""
    played = flop("act 2 check", "act 3 check", "act 4 check", "act 1 bet 10", "report short-hand seat=1", RELEASE)
    assert plan(played) == ["burn", "board turn 1", "act 2"]
    played = flop("act 2 bet 10", "act 3 fold", "report short-hand seat=2", RELEASE)
    assert played.lines[-1]["next"][0]["options"] == ["fold", "check", "bet", "all-in"]


def test_AU_19_1_d__b_cards_move_where_no_other_waits() -> None:
    """Cards that went one seat too far are moved back last first, so that no two lie together at any time."""
    played = play("casino-au", "start", "card Ad 9c Tc", "report not-entitled seat=7", stacks={1: 200, 8: 200, 9: 200})
    assert plan(played)[:3] == ["move seat 9 > seat 1", "move seat 8 > seat 9", "move seat 7 > seat 8"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_fouled_stub_that_nobody_needs(book: str) -> None:
    """All cards are out, or one hand is left: there is nothing to shuffle.

    Covers: R7-3.irreg.17, FC-3.irreg.17, MP-3.irreg.17
    """
    played = before_turn(book)
    played("card Js Ks", *CHECKS, "card 7c 7d", "report stub-fouled")
    assert (ruling(played, "stub-fouled")["verdict"], plan(played)) == ("play-on", ["act 2"])
    played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", "report stub-fouled")
    assert (ruling(played, "stub-fouled")["verdict"], plan(played)) == ("play-on", ["award [3]"])


def test_R7_3_irreg_17_stub_fouled_while_it_is_to_be_shuffled_anyway() -> None:
    """The flop is on its way back: it goes into the stub first, and one shuffle and one cut serve both."""
    played = on_flop("roberts-7", "card Kc", "report board-extra", "report stub-fouled")
    assert ruling(played, "stub-fouled")["verdict"] == "correct"
    assert plan(played)[:4] == ["return board board > stub 4", "shuffle", "cut", "board flop 3"]


def test_R7_5_holdem_4_says_too_many_when_the_exposed_card_was_the_burn() -> None:
    """The flop needed no burn of its own: one burned card is one too many, and the sentence does not count to one."""
    played = play("roberts-7", "start", "card Ad 9c Tc 5d 6c", "report exposed", "card 4d Qh 6d 2h", "done")
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card 8h 2s 4s Qd", "report double-burn")
    assert ruling(played, "double-burn")["text"].startswith("too many cards were burned")


@pytest.mark.parametrize("book", BOOKS)
def test_two_cards_exposed_reported_at_once(book: str) -> None:
    """`count` says how many of the last cards were seen: more than one is a misdeal in all five books.

    Covers: R7-5.holdem.1#c, AU-19.1(p), HR-holdem.1#c, FC-5.holdem.1#c, MP-5.holdem.1#c
    """
    played = play(book, "start", "card Ad 9c Tc 5d 6c", "report exposed count=2")
    assert ([said["verdict"] for said in played.lines[-1]["rulings"]], plan(played)[:3]) == (["misdeal"], again(5))
    played = play(book, "start", "card Ad 9c Tc 5d 6c", "report exposed seat=2 count=3")
    assert error(played) == "no-card"


@pytest.mark.parametrize("book", BOOKS)
def test_cards_read_in_the_muck_before_their_fold_is_entered(book: str) -> None:
    """The seat whose turn it is throws its hand away, the winner after the last award is seen: nothing is asked."""
    played = play(book, "start", "card Ad 9c Tc 5d 6c 4d Qh 6d", {"ev": "seen", "at": "muck", "card": "Tc"}, **SENSORS)
    assert (played.lines[-1]["rulings"], plan(played)) == ([], ["act 4"])
    played("act 4 fold", "act 1 fold", "act 2 fold", {"ev": "seen", "at": "muck", "card": "9c"})
    assert (played.lines[-1]["rulings"], plan(played)) == ([], ["award [3]"])


def test_HR_irreg_6_the_sentence_names_the_place() -> None:
    """A boxed card goes under the stub: the dealer is not told to take it out of play."""
    boxed = {"ev": "card", "card": "Kc", "face": "up"}
    assert "under the stub" in ruling(play("house-rules", "start", boxed), "boxed")["text"]
    assert "in the muck" in ruling(play("casino-au", "start", boxed), "boxed")["text"]
    assert "out of play" in ruling(play("roberts-7", "start", boxed), "boxed")["text"]


@pytest.mark.parametrize(
    "found", ["report boxed", {"ev": "report", "what": "joker", "where": "board"}, "report misread card=joker"]
)
@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_the_pot_goes_by_the_card_that_replaced_a_scrap(book: str, found: dict[str, Any] | str) -> None:
    """Kings won with the river that proves a scrap of paper; by the card in its place the aces win.

    Covers: R7-3.irreg.7, R7-3.irreg.8#a, HR-irreg.6, HR-irreg.7#a, FC-3.irreg.7, FC-3.irreg.8#a, MP-3.irreg.7
    """
    dealing = ("card 2c 3c 7d 9s 4c Tc 5c Ks", "show 2", "show 1")
    played = play(book, "start", "card Ad Kd Ah Kh", "act 1 all-in", "act 2 call", seats=2, mode="cash")
    played(*dealing)
    assert played.lines[-1]["next"][0]["seats"] == [1]
    played(found)
    assert played.lines[-1]["rulings"][-1]["verdict"] == "scrap"
    assert plan(played)[1:] == ["board river 1"]
    played("done", "card Qs")
    assert (played.lines[-1]["next"][0]["seats"], played.lines[-1]["board"][-1]) == ([2], "Qs")


def test_R7_3_irreg_8_b_a_card_that_was_misread_and_is_a_joker() -> None:
    """It is ruled on as any joker: a scrap before its holder acts, a dead hand afterwards; AU has a defective deck."""
    played = dealt("roberts-7", "act 4 call", "report misread seat=1 card=joker")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["correct", "scrap"]
    assert plan(played)[:2] == ["return joker seat 1 > aside 1", "deal 1"]
    played = dealt("roberts-7", "act 4 call", "act 1 call", "report misread seat=1 card=joker")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["correct", "dead-hand"]
    played = dealt("casino-au", "act 4 call", "report misread seat=1 card=joker")
    assert [said["verdict"] for said in played.lines[-1]["rulings"]] == ["correct", "misdeal"]


def test_R7_3_irreg_8_a_joker_of_an_all_in_blind_is_replaced_before_the_flop() -> None:
    """The big blind is all-in by its post and has not acted; the deal is complete: its card comes before the burn."""
    played = play("roberts-7", "start", "card Ad 9c Tc 5d 6c 4d", stacks={1: 200, 2: 200, 3: 2})
    played("act 1 call", "act 2 call", "report joker where=hand seat=3")
    assert plan(played)[:3] == ["return joker seat 3 > aside 1", "deal 3 replacement", "burn"]


def test_R7_3_irreg_4_nobody_shows_a_card_that_lies_open_elsewhere() -> None:
    """Two hands that nothing has read cannot both hold the ace: it is another card, or a duplicate to be reported."""
    played = play("roberts-7", "start", "card - - - -", "act 1 all-in", "act 2 call", "card - - - - - - - -", seats=2)
    played({"ev": "show", "seat": 2, "cards": ["As", "Ah"]}, {"ev": "show", "seat": 1, "cards": ["As", "Kh"]})
    assert error(played) == "cards-differ"
    played({"ev": "report", "what": "duplicate", "where": "hand", "seat": 1})
    assert played.lines[-1]["rulings"][0]["verdict"] == "void-hand"
