"""Hands with too many cards or too few, by the book's clauses."""

from typing import Any

import pytest

from tests.playing import play
from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import TWO_ACTED, again, dealt, plan

OMAHA = "card Ad 9c Tc 5d 6c 4d Qh 6d 2c 2d 2h 2s 3c 3d 3h 3s"
TRACKED_OR_NOT: tuple[dict[str, Any], ...] = (
    {"stacks": {1: 90, 2: 90}},
    {"stacks": {1: None, 2: None}, "amounts": "untracked"},
)
ANTES = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 1}

RELEASE = {"ev": "floor", "decide": "release"}


def two_extra_cards_are_a_misdeal(book: str, clause: str) -> None:
    """Two cards that were not due lie at one seat."""
    played = dealt(book, "card 7h 8h", "report extra-card seat=3 count=2")
    said = ruling(played, "extra-card")
    assert said["verdict"] == "misdeal"
    assert clause in said["cite"]
    assert plan(played)[:4] == [*again(10), "deal 2"]
    played("done 3")
    assert piles(played, "stub", "aside") == {"stub": 52, "aside": 0}


def extra_card_to_the_first_player_is_the_burn(book: str, clause: str) -> None:
    """All hands are complete and seat 2 gets one more."""
    played = dealt(book, "card 7h", "report extra-card seat=2")
    said = ruling(played, "extra-card")
    assert (said["verdict"], said["cite"][0]) == ("return-as-burn", clause)
    assert plan(played) == ["return extra seat 2 > burn 1", "act 4"]
    played("done", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played) == ["board flop 3", "act 2"]
    assert piles(played, "burn", "stub") == {"burn": 1, "stub": 43}
    played = dealt(book, *TWO_ACTED, "card 7h", "report extra-card seat=2")
    assert (ruling(played, "extra-card")["verdict"], plan(played)[-1]) == ("return-as-burn", "act 2")


def one_additional_card_is_the_burn(book: str, clause: str) -> None:
    """The card too many is at another seat: after the deal, or two running to one seat while it goes on."""
    played = dealt(book, "card 7h", "report extra-card seat=4 count=1")
    said = ruling(played, "extra-card")
    assert (said["verdict"], said["cite"][0]) == ("return-as-burn", clause)
    assert plan(played) == ["return extra seat 4 > burn 1", "act 4"]
    played = play(book, "start", "card Ad 9c Tc", "report extra-card seat=3")
    assert ruling(played, "extra-card")["cite"][0] == clause
    assert plan(played)[:3] == ["return extra seat 3 > burn 1", "deal 4", "deal 1"]
    played("done", "card Jh Jd Js Jc 2c 2d")
    assert plan(played) == ["act 4"]
    assert played.lines[-1]["piles"]["seats"] == {"1": 2, "2": 2, "3": 2, "4": 2}
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert plan(played)[0] == "board flop 3"


def a_wrong_count_is_a_misdeal_but_for_the_top_card(book: str, clause: str, top_card: bool) -> None:
    """The last card of the deal can be dealt to the hand that missed it, where the book allows it; any other cannot."""
    played = dealt(book, "report short-hand seat=3")
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"][0]) == ("misdeal", clause)
    assert plan(played)[:3] == again(8)
    played = dealt(book, "report short-hand seat=1 count=2")
    assert ruling(played, "short-hand")["verdict"] == "misdeal"
    played = dealt(book, "report short-hand seat=1")
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"][0]) == ("correct" if top_card else "misdeal", clause)
    if top_card:
        assert plan(played) == ["deal 1 missing", "act 4"]
        played("card Jc")
        assert piles(played, "stub") == {"stub": 44}
        assert played.lines[-1]["piles"]["seats"]["1"] == 2
    played = dealt(book, "act 4 call", "report extra-card seat=3")
    assert (ruling(played, "extra-card")["verdict"], ruling(played, "extra-card")["cite"][0]) == ("misdeal", clause)


def a_fold_is_dead(book: str) -> None:
    """Its cards are in the muck, its chips stay, and it is asked nothing any more."""
    played = dealt(book, "act 4 raise 6", "act 1 call", "act 2 fold")
    assert (piles(played, "muck"), plan(played)) == ({"muck": 2}, ["act 3"])
    assert played.lines[-1]["stacks"]["2"] == 199
    played("act 3 call", "card 8h 2s 4s Qd", {"ev": "show", "seat": 2})
    assert "error" in played.lines[-1]


def a_wrong_count_found_too_late_is_dead(book: str, clause: str) -> None:
    """No money goes back to a fouled hand; its cards go to the muck, the turn passes on."""
    played = dealt(book, *TWO_ACTED, "report short-hand seat=4")
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"][0], said["seat"]) == ("dead-hand", clause, 4)
    assert plan(played) == ["act 2"]
    assert played.lines[-1]["stacks"]["4"] == 198
    assert piles(played, "muck") == {"muck": 2}
    played = dealt(book, *TWO_ACTED, "report extra-card seat=2")
    assert ruling(played, "extra-card")["cite"][0] == clause
    assert plan(played) == ["act 3"]
    assert played.lines[-1]["bets"]["2"] == 1


def test_R7_3_misdeals_1d() -> None:
    """Two or more extra cards in the starting hands are a misdeal."""
    two_extra_cards_are_a_misdeal("roberts-7", "R7-3.misdeals.1d")


def test_HR_misdeals_1_4() -> None:
    """Two or more extra cards in the starting hands are a misdeal."""
    two_extra_cards_are_a_misdeal("house-rules", "HR-misdeals.1.4")


def test_FC_3_misdeals_2d() -> None:
    """Two or more extra cards in the starting hands are a misdeal."""
    two_extra_cards_are_a_misdeal("fish-n-chips", "FC-3.misdeals.2d")


def test_MP_3_misdeals_2_4() -> None:
    """Two or more extra cards in the starting hands are a misdeal."""
    two_extra_cards_are_a_misdeal("maryport", "MP-3.misdeals.2.4")


def test_R7_5_holdem_2_b() -> None:
    """More than one extra card is a misdeal."""
    two_extra_cards_are_a_misdeal("roberts-7", "R7-5.holdem.2")


def test_HR_holdem_5_b() -> None:
    """More than one extra card is a misdeal."""
    two_extra_cards_are_a_misdeal("house-rules", "HR-holdem.5")


def test_FC_5_holdem_2_b() -> None:
    """More than one extra card is a misdeal."""
    two_extra_cards_are_a_misdeal("fish-n-chips", "FC-5.holdem.2")


def test_MP_5_holdem_2_b() -> None:
    """More than one extra card is a misdeal."""
    two_extra_cards_are_a_misdeal("maryport", "MP-5.holdem.2")


def test_R7_5_holdem_2_a() -> None:
    """An extra card to the first player goes back to the deck and is the burn."""
    extra_card_to_the_first_player_is_the_burn("roberts-7", "R7-5.holdem.2")


def test_HR_holdem_5_a() -> None:
    """An extra card to the first player goes back to the deck and is the burn."""
    extra_card_to_the_first_player_is_the_burn("house-rules", "HR-holdem.5")


def test_FC_5_holdem_2_a() -> None:
    """An extra card to the first player goes back to the deck and is the burn."""
    extra_card_to_the_first_player_is_the_burn("fish-n-chips", "FC-5.holdem.2")


def test_MP_5_holdem_2_a() -> None:
    """An extra card to the first player goes back to the deck and is the burn."""
    extra_card_to_the_first_player_is_the_burn("maryport", "MP-5.holdem.2")


def test_R7_3_irreg_11() -> None:
    """One additional card before the first betting round goes back and is the burn."""
    one_additional_card_is_the_burn("roberts-7", "R7-3.irreg.11")


def test_HR_irreg_10() -> None:
    """One additional card before the first betting round goes back and is the burn."""
    one_additional_card_is_the_burn("house-rules", "HR-irreg.10")


def test_FC_3_irreg_11() -> None:
    """One additional card before the first betting round goes back and is the burn."""
    one_additional_card_is_the_burn("fish-n-chips", "FC-3.irreg.11")


def test_MP_3_irreg_11() -> None:
    """One additional card before the first betting round goes back and is the burn."""
    one_additional_card_is_the_burn("maryport", "MP-3.irreg.11")


def test_R7_3_misdeals_1e() -> None:
    """A wrong number of cards is a misdeal, but the top card may go to its player in proper sequence."""
    a_wrong_count_is_a_misdeal_but_for_the_top_card("roberts-7", "R7-3.misdeals.1e", top_card=True)


def test_HR_misdeals_1_5() -> None:
    """A wrong number of cards is a misdeal; this book has no exception."""
    a_wrong_count_is_a_misdeal_but_for_the_top_card("house-rules", "HR-misdeals.1.5", top_card=False)


def test_FC_3_misdeals_2e() -> None:
    """A wrong number of cards is a misdeal, but the top card may go to its player in proper sequence."""
    a_wrong_count_is_a_misdeal_but_for_the_top_card("fish-n-chips", "FC-3.misdeals.2e", top_card=True)


def test_MP_3_misdeals_2_5() -> None:
    """A wrong number of cards is a misdeal, but the top card may go to its player in proper sequence."""
    a_wrong_count_is_a_misdeal_but_for_the_top_card("maryport", "MP-3.misdeals.2.5", top_card=True)


def test_R7_3_dead_1a() -> None:
    """A hand folded when facing a bet is dead."""
    a_fold_is_dead("roberts-7")


def test_HR_dead_1_1() -> None:
    """A hand folded when facing a bet is dead."""
    a_fold_is_dead("house-rules")


def test_FC_3_dead_1a() -> None:
    """A hand folded when facing a bet is dead."""
    a_fold_is_dead("fish-n-chips")


def test_MP_3_dead_1_1() -> None:
    """A hand folded when facing a bet is dead."""
    a_fold_is_dead("maryport")


def test_R7_3_dead_1d() -> None:
    """A hand without the proper number of cards is dead."""
    a_wrong_count_found_too_late_is_dead("roberts-7", "R7-3.dead.1d")


def test_HR_dead_1_4() -> None:
    """A hand without the proper number of cards is dead."""
    a_wrong_count_found_too_late_is_dead("house-rules", "HR-dead.1.4")


def test_FC_3_dead_1c() -> None:
    """A hand without the proper number of cards is dead."""
    a_wrong_count_found_too_late_is_dead("fish-n-chips", "FC-3.dead.1c")


def test_MP_3_dead_1_3() -> None:
    """A hand without the proper number of cards is dead."""
    a_wrong_count_found_too_late_is_dead("maryport", "MP-3.dead.1.3")


def test_AU_6_3() -> None:
    """The number of cards is checked when a hand has shown a wrong one: before the next deal."""
    lines = (
        *TWO_ACTED,
        "report short-hand seat=4",
        RELEASE,
        "act 2 fold",
        "act 3 raise 9",
        "act 1 fold",
        "done",
        "start",
    )
    played = dealt("casino-au", *lines)
    assert ruling(played, "count-mismatch")["cite"] == ["AU-6.3"]


def test_AU_19_1_e_() -> None:
    """A wrong number of cards is put right if it can be, before substantial action; if it cannot it is a misdeal."""
    played = dealt("casino-au", "card 7h 8h", "report extra-card seat=3 count=2")
    assert (ruling(played, "extra-card")["verdict"], ruling(played, "extra-card")["cite"][0]) == (
        "correct",
        "AU-19.1(e)",
    )
    assert plan(played) == ["return extra seat 3 > stub 1", "return extra seat 3 > stub 1", "act 4"]
    played("done 2")
    assert piles(played, "stub", "burn") == {"stub": 44, "burn": 0}
    played = dealt("casino-au", "report short-hand seat=1")
    assert plan(played) == ["deal 1 missing", "act 4"]
    for report in ("report short-hand seat=2", "report extra-card seat=2 count=1"):
        played = dealt("casino-au", report)
        assert played.lines[-1]["rulings"][0]["verdict"] == "misdeal"
        assert played.lines[-1]["rulings"][0]["cite"] == ["AU-19.1(e)"]


def test_AU_19_1_f__i_() -> None:
    """A player who has acted on a wrong number of cards has a dead hand; its wagers come back without collusion."""
    played = dealt("casino-au", "act 4 raise 6", "report short-hand seat=4")
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"], said["seat"]) == ("dead-hand", ["AU-19.1(f)(i)"], 4)
    assert [(r["verdict"], r["cite"]) for r in played.lines[-1]["rulings"][1:]] == [("floor", ["AU-19.1(f)(i)"])]
    asked = {"step": "floor", "question": "short-hand", "options": ["release", "bind"]}
    assert (played.lines[-1]["next"][0], played.lines[-1]["stacks"]["4"]) == (asked, 194)
    played(RELEASE)
    assert played.lines[-1]["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}
    assert plan(played) == ["act 1"]
    played = dealt("casino-au", "act 4 call", "card 7h", "report extra-card seat=4")
    assert ruling(played, "extra-card")["cite"] == ["AU-19.1(f)(i)"]
    assert piles(played, "muck", "aside") == {"muck": 3, "aside": 0}


def test_AU_19_1_f__i_collusion() -> None:
    """The floor finds collusion: the wagers stay in the pot, and nobody has to call those of a dead hand."""
    played = dealt("casino-au", "act 4 raise 6", "report short-hand seat=4", {"ev": "floor", "decide": "bind"})
    assert [(r["verdict"], r["cite"]) for r in played.lines[-1]["rulings"]] == [("bind", ["AU-19.1(f)(i)"])]
    assert (plan(played), played.lines[-1]["next"][0]["to_call"]) == (["act 1"], 2)
    assert (played.lines[-1]["stacks"]["4"], played.lines[-1]["bets"]) == (194, {"2": 1, "3": 2, "4": 6})


def test_AU_19_1_f__i_the_last_but_one_hand() -> None:
    """One hand is left: what it takes is without the wagers that go back."""
    lines = ("act 4 raise 6", "act 1 fold", "act 2 fold", "act 3 call", "card 7h 8h 9h Th", "act 3 check")
    played = dealt("casino-au", *lines, "report short-hand seat=4", RELEASE)
    assert (plan(played), played.lines[-1]["next"][0]["amounts"]) == (["award [3]"], [7])
    assert played("done")["stacks"] == {"1": 200, "2": 199, "3": 201, "4": 200}


def test_AU_19_1_f__ii_() -> None:
    """A player who has not acted when others have: the hand is void, its blinds and forced bets go back."""
    played = dealt("casino-au", *TWO_ACTED, "report short-hand seat=3", betting=ANTES)
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"]) == ("dead-hand", ["AU-19.1(f)(ii)"])
    assert played.lines[-1]["stacks"]["3"] == 200
    assert sum(played.lines[-1]["stacks"].values()) + sum(played.lines[-1]["bets"].values()) + 3 == 800
    assert plan(played) == ["act 2"]


def test_AU_19_1_f__ii_gives_dead_money_back_too() -> None:
    """The big blind has posted the ante of the table, which is no part of its bet: a forced bet like any other."""
    antes = ANTES | {"ante": 2, "ante_by": "big-blind"}
    played = dealt("casino-au", *TWO_ACTED, betting=antes)
    before = played.lines[-1]
    assert before["stacks"]["3"] < 198
    played("report short-hand seat=3")
    answer = played.lines[-1]
    assert answer["stacks"]["3"] == 200
    kept = sum(answer["stacks"].values()) + sum(answer["bets"].values()) + sum(pot["amount"] for pot in answer["pots"])
    assert kept == 800


def test_AU_19_1_g_() -> None:
    """The only hand left after the showdown has a wrong number of cards: all wagers go back."""
    flop = ("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card 7h 8h 9h Th")
    played = dealt("casino-au", *flop, "act 2 bet 10", "act 3 fold", "act 4 fold", "act 1 fold")
    assert plan(played) == ["award [2]"]
    played("report short-hand seat=2")
    said = ruling(played, "short-hand")
    assert (said["verdict"], said["cite"]) == ("misdeal", ["AU-19.1(g)"])
    assert played.lines[-1]["stacks"] == {"1": 200, "2": 199, "3": 198, "4": 200}


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_the_last_hand_left_takes_the_pot(book: str) -> None:
    """Elsewhere the deal is played out, and nobody else has a hand."""
    played = dealt(
        book, *TWO_ACTED, "act 2 fold", "act 3 raise 9", "act 4 fold", "act 1 fold", "report short-hand seat=3"
    )
    assert ruling(played, "short-hand")["verdict"] == "play-on"
    assert plan(played) == ["award [3]"]


@pytest.mark.parametrize("book", ["roberts-7", "casino-au"])
def test_four_cards_a_hand(book: str) -> None:
    """In Omaha the deal is longer; the top card, the extra card and the dead hand are ruled the same."""
    game: dict[str, Any] = {"game": "omaha"}
    played = play(book, "start", OMAHA, "report short-hand seat=1", **game)
    assert plan(played) == ["deal 1 missing", "act 4"]
    played = play(book, "start", OMAHA, "card 7h", "report extra-card seat=2", **game)
    assert ruling(played, "extra-card")["verdict"] == ("correct" if book == "casino-au" else "return-as-burn")
    played = play(book, "start", OMAHA, *TWO_ACTED, "report short-hand seat=4 count=3", **game)
    assert ruling(played, "short-hand")["verdict"] == "dead-hand"
    assert piles(played, "muck") == {"muck": 4}


@pytest.mark.parametrize("book", BOOKS)
def test_heads_up_and_untracked(book: str) -> None:
    """With two players the window closes when both have acted; amounts are not needed."""
    first, second = (2, 1) if book == "casino-au" else (1, 2)
    early = {"roberts-7": "correct", "maryport": "correct", "fish-n-chips": "correct", "casino-au": "correct"}
    for table in TRACKED_OR_NOT:
        played = play(book, "start", "card Ad 9c Tc 5d", "report short-hand seat=1", **table)
        assert ruling(played, "short-hand")["verdict"] == early.get(book, "misdeal")
        played = play(book, "start", "card Ad 9c Tc 5d", f"act {first} call", f"act {second} check", **table)
        played("card 8h 2s 4s Qd", "report short-hand seat=1")
        assert ruling(played, "short-hand")["verdict"] == "dead-hand"
        if plan(played)[0] == "floor":
            played(RELEASE)
        assert plan(played) == ["award [2]"]


@pytest.mark.parametrize("book", BOOKS)
def test_an_extra_card_at_the_showdown(book: str) -> None:
    """A hand that shows one card too many is dead; the other one takes the pot."""
    checks = ("act 2 check", "act 3 check")
    lines = (
        "act 4 fold",
        "act 1 fold",
        "act 2 call",
        "act 3 check",
        "card 7h 8h 9h Th",
        *checks,
        "card Jh Js",
        *checks,
    )
    played = dealt(book, *lines, "card Jc Kc", *checks, {"ev": "show", "seat": 2}, "report extra-card seat=3")
    assert ruling(played, "extra-card")["verdict"] == "dead-hand"
    if book == "casino-au":
        played(RELEASE)
    assert plan(played) == ["award [2]"]
    played("done")
    assert played.lines[-1]["phase"] == "idle"


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_all_in_from_the_blinds_the_extra_card_took_the_place_of_the_burn(book: str) -> None:
    """Nobody can act, so that the card too many was counted as the burn: it is one, and no other is burned."""
    played = play(book, "start", "card Ad 9c Tc 5d", "card 7h", "report extra-card seat=2", stacks={1: 1, 2: 1})
    assert ruling(played, "extra-card")["verdict"] == "return-as-burn"
    assert "return extra seat 2 > burn 1" in plan(played)
    played("done")
    assert "burn" not in plan(played)[: plan(played).index("board flop 3")]


def test_a_second_irregularity_inside_the_remedy() -> None:
    """The card dealt in place of the missing one is boxed: a scrap of paper, and the next one is dealt."""
    played = dealt("roberts-7", "report short-hand seat=1", {"ev": "card", "card": "Jc", "face": "up"})
    assert plan(played) == ["return boxed seat 1 > aside 1", "deal 1 missing", "act 4"]
    played("done", "card Js")
    assert plan(played) == ["act 4"]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("report extra-card",), "key-missing"),
        (("report short-hand",), "key-missing"),
        (("report short-hand seat=9",), "not-dealt-in"),
        (("report short-hand seat=2 count=5",), "count"),
    ],
)
def test_counts_refused(lines: tuple[str, ...], code: str) -> None:
    """A report that names no hand, no player or an impossible number changes nothing."""
    played = dealt("roberts-7", *lines)
    assert error(played) == code
    assert plan(played) == ["act 4"]


def test_counts_refused_before_the_first_card() -> None:
    """No card has been dealt."""
    assert error(play("roberts-7", "start", "report short-hand seat=2")) == "no-card"


def test_a_wrong_count_is_remembered_at_the_next_start() -> None:
    """The deck is counted before the next deal, once."""
    lines = (*TWO_ACTED, "report short-hand seat=4", "act 2 fold", "act 3 raise 9", "act 1 fold", "done", "start")
    played = dealt("roberts-7", *lines)
    assert ruling(played, "count-mismatch")["verdict"] == "play-on"
    assert plan(played)[0] == "deal 3"
