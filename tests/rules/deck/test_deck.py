"""Jokers, duplicates, foreign backs, missing cards, by the book's clauses."""

import json

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, error, piles, ruling
from tests.rules.deals import TWO_ACTED, dealt, on_flop, plan

FOREIGN = {"ev": "card", "card": None, "foreign": True}
CHIPS = {"1": 200, "2": 199, "3": 198, "4": 200}


def defective(played: ScriptedTable, finding: str, verdict: str, clause: str) -> None:
    """All money goes back, and the deal begins anew with a sound deck."""
    said = ruling(played, finding)
    assert (said["verdict"], said["cite"][0]) == (verdict, clause)
    assert played.lines[-1]["stacks"] == CHIPS
    assert plan(played)[1:4] == ["shuffle", "cut", "deal 2"]
    played("done 3")
    assert (piles(played, "stub")["stub"], played.lines[-1]["hand"]) == (52, 1)


def duplicate_voids(book: str, verdict: str, clause: str) -> None:
    """The shoe gives a card that is out already, in the deal or on the board; or somebody shows two of them."""
    defective(play(book, "start", "card Ad 9c Ad"), "duplicate", verdict, clause)
    defective(dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", "card 8h 2s 4s 9c"), "duplicate", verdict, clause)
    defective(dealt(book, "card 9c"), "duplicate", verdict, clause)
    for where in ("hand seat=3", "board", "stub"):
        played = on_flop(book, "act 2 bet 20", "act 3 call", f"report duplicate where={where}")
        defective(played, "duplicate", verdict, clause)


def foreign_back_in_play_voids(book: str, verdict: str, clause: str) -> None:
    """The shoe gives a card of another deck, for a hand, the burns or the board; or it is seen there."""
    defective(play(book, "start", "card Ad", FOREIGN), "foreign-back", verdict, clause)
    defective(dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", FOREIGN), "foreign-back", verdict, clause)
    played = dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", "card 8h", FOREIGN)
    assert piles(played, "board") == {"board": 1}
    defective(played, "foreign-back", verdict, clause)
    assert piles(played, "aside") == {"aside": 0}
    defective(on_flop(book, "report foreign-back where=hand seat=1"), "foreign-back", verdict, clause)


def test_R7_3_irreg_4() -> None:
    """Two cards of the same rank and suit void all action; all chips go back."""
    duplicate_voids("roberts-7", "void-hand", "R7-3.irreg.4")


def test_HR_irreg_4() -> None:
    """Two cards of the same rank and suit void all action; all chips go back."""
    duplicate_voids("house-rules", "void-hand", "HR-irreg.4")


def test_FC_3_irreg_4() -> None:
    """Two cards of the same rank and suit void all action; all chips go back."""
    duplicate_voids("fish-n-chips", "void-hand", "FC-3.irreg.4")


def test_MP_3_irreg_4() -> None:
    """Two cards of the same rank and suit void all action; all chips go back."""
    duplicate_voids("maryport", "void-hand", "MP-3.irreg.4")


def test_AU_19_1_h__dup() -> None:
    """Duplicates make the deck defective: misdeal, everything returned."""
    duplicate_voids("casino-au", "misdeal", "AU-19.1(h)")


def test_AU_19_1_h__foreign() -> None:
    """Two back designs make the deck defective, in play and in the stub."""
    foreign_back_in_play_voids("casino-au", "misdeal", "AU-19.1(h)")
    defective(on_flop("casino-au", "report foreign-back where=stub"), "foreign-back", "misdeal", "AU-19.1(h)")


def test_AU_4_1_a_() -> None:
    """Fifty-two cards in four suits, no jokers."""
    played = play("casino-au", "start")
    assert piles(played, "stub") == {"stub": 52}
    assert play("casino-au", "start", "card joker").lines[-1]["rulings"][0]["verdict"] == "misdeal"


def test_AU_19_1_h_() -> None:
    """A deck found defective before the pot is pushed: all wagers, forced bets and blinds go back; not after that."""
    played = on_flop("casino-au", "act 2 bet 20", "act 3 fold", "act 4 fold", "act 1 fold", "report deck-defective")
    defective(played, "deck-defective", "misdeal", "AU-19.1(h)")
    played = on_flop("casino-au", "act 2 bet 20", "act 3 fold", "act 4 fold", "act 1 fold", "done")
    played("report missing-card")
    assert (ruling(played, "missing-card")["verdict"], played.lines[-1]["phase"]) == ("play-on", "idle")


def test_AU_19_1_h__count() -> None:
    """A wrong number of cards makes the deck defective."""
    played = on_flop("casino-au", "act 2 bet 20", "report missing-card where=stub")
    defective(played, "missing-card", "misdeal", "AU-19.1(h)")


def test_AU_19_1_h__joker2() -> None:
    """A joker makes the deck defective, wherever it turns up before its holder acts."""
    defective(play("casino-au", "start", "card Ad joker"), "joker", "misdeal", "AU-19.1(h)")
    defective(dealt("casino-au", "card joker"), "joker", "misdeal", "AU-19.1(h)")
    defective(dealt("casino-au", "report joker where=hand seat=2"), "joker", "misdeal", "AU-19.1(h)")
    defective(on_flop("casino-au", "report joker where=board"), "joker", "misdeal", "AU-19.1(h)")
    defective(on_flop("casino-au", "report joker where=stub"), "joker", "misdeal", "AU-19.1(h)")


def test_AU_19_1_h__joker() -> None:
    """A joker that was acted on is a misdeal too."""
    played = on_flop("casino-au", "act 2 bet 20", "report joker where=hand seat=2")
    defective(played, "joker", "misdeal", "AU-19.1(h)")


def test_AU_1_1_defective() -> None:
    """What makes a deck defective is cited with every such misdeal."""
    for line in ("report missing-card", "report duplicate", "report foreign-back where=stub", "report deck-defective"):
        assert "AU-1.1" in dealt("casino-au", line).lines[-1]["rulings"][0]["cite"]


@pytest.mark.parametrize("book", BOOKS)
def test_more_cards_than_the_deck_has(book: str) -> None:
    """Cards that nothing reads run out of the shoe: one that leaves an empty stub is one too many."""
    played = dealt(book, "card" + " -" * 44)
    assert (piles(played, "stub"), plan(played)[0]) == ({"stub": 0}, "say")
    played("card -")
    said = ruling(played, "count-mismatch")
    assert (said["verdict"], said["cite"][0]) == ("misdeal" if book == "casino-au" else "void-hand", "AU-19.1(h)")
    played("done 3")
    assert piles(played, "stub", "aside") == {"stub": 52, "aside": 0}


@pytest.mark.parametrize("book", ["roberts-7", "house-rules", "fish-n-chips", "maryport"])
def test_a_defective_deck_elsewhere_voids_the_hand(book: str) -> None:
    """The books speak of the refund that a defective deck brings."""
    played = on_flop(book, "act 2 bet 20", "report deck-defective")
    code = {"roberts-7": "R7-3.", "house-rules": "HR-", "fish-n-chips": "FC-3.", "maryport": "MP-3."}[book]
    defective(played, "deck-defective", "void-hand", f"{code}irreg.5")


@pytest.mark.parametrize("game", ["holdem", "omaha", "omaha-8"])
def test_a_joker_as_replacement(game: str) -> None:
    """Scrap in place of scrap: the step comes once more."""
    cards = "card Ad 9c Tc 5d 6c 4d Qh 6d" + ("" if game == "holdem" else " 2c 2d 2h 3s 3c 3d 3h 4s")
    played = play("roberts-7", "start", cards, "report exposed seat=3 nth=2", "card joker", game=game)
    assert plan(played)[:2] == ["return joker seat 3 > aside 1", "deal 3 replacement"]
    played("done", "card joker", "done", "card Kc")
    assert plan(played)[0] == "return exposed seat 3 > burn 1"
    assert piles(played, "aside") == {"aside": 2}


def test_misread_as_a_joker_and_as_another_deck() -> None:
    """The true card may be the joker, and a card called a joker or foreign may be sound."""
    played = play("roberts-7", "start", "card Ad", {"ev": "report", "what": "misread", "card": "joker"})
    assert plan(played)[:2] == ["return joker seat 2 > aside 1", "deal 2"]
    for card in ({"ev": "card", "card": "joker"}, FOREIGN):
        played = play("roberts-7", "start", card, {"ev": "report", "what": "misread", "card": "As"})
        assert plan(played)[0] == "deal 3"
        assert piles(played, "aside", "stub") == {"aside": 0, "stub": 51}


def test_no_face_down_card_is_named() -> None:
    """Rulings about a downcard do not say which card it is."""
    played = play("roberts-7", "start", "card Ad 9c Ad", {"ev": "report", "what": "misread", "card": "Tc"})
    text = json.dumps(played.lines)
    assert not any(card in text for card in ("Ad", "9c", "Tc"))


def test_deck_refused_where_nothing_was_dealt() -> None:
    """Before the first card only the stub can be wrong."""
    assert error(play("roberts-7", "start", "report duplicate")) == "no-card"
    assert error(play("roberts-7", "report missing-card")) == "no-hand"
    assert error(play("roberts-7", "report duplicate")) == "no-hand"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("what", ["duplicate", "foreign-back", "deck-defective", "joker", "missing-card"])
def test_a_defect_found_when_the_pot_is_pushed(book: str, what: str) -> None:
    """The result stands, and the deck is put right before the next deal; but a duplicate voids the hand until then.

    "If two cards of the same rank and suit are found, all action is void" [R7-3.irreg.4]; a foreign back and what
    Casino AU calls defective void it only until the last award.
    """
    if what == "duplicate" and book != "casino-au":
        played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", "done")
        answer = played("report duplicate")
        assert (ruling(played, what)["verdict"], answer["phase"]) == ("void-hand", "remedy")
        assert played("done 3")["stacks"] == dealt(book).lines[-1]["stacks"]
        return
    played = dealt(book, "act 4 fold", "act 1 fold", "act 2 fold", "done")
    stacks = played.lines[-1]["stacks"]
    answer = played(f"report {what}")
    assert (ruling(played, what)["verdict"], answer["stacks"], answer["phase"]) == ("play-on", stacks, "idle")
    assert ruling(played, what)["cite"]


def test_AU_19_1_h_a_card_misread_earlier_that_the_game_does_not_have() -> None:
    """A deuce in Manila or short deck is ruled on whichever card it was, not only the last one that left the shoe.

    Covers: AU-19.1(h)#count TDA-35-A#6 TDA-35-D#scrap
    """
    renamed = {"ev": "report", "what": "misread", "where": "hand", "seat": 2, "nth": 1, "card": "2c"}
    manila = play("casino-au", "start", "card As Kd 9h Tc Jc 7c 8h", renamed, seats=3, game="manila-2")
    assert [ruling["verdict"] for ruling in manila.lines[-1]["rulings"]] == ["correct", "misdeal"]
    assert "A card that the game does not have" in manila.lines[-1]["rulings"][1]["text"]
    antes = {"structure": "no-limit", "ante": 1, "ante_by": "button"}
    deal = ("start", "card As Kd 9c 8c 8d 8h")
    early = play("tda-2024", *deal, renamed, seats=3, game="short-deck", betting=antes)
    assert early.lines[-1]["rulings"][1]["verdict"] == "misdeal"
    flop = ("act 2 call", "act 3 call", "act 1 check", "card Ts Tc Td Th")
    late = play("tda-2024", *deal, *flop, seats=3, game="short-deck", betting=antes)
    board = {"ev": "report", "what": "misread", "where": "board", "nth": 1, "card": "2c"}
    late(board)
    assert late.lines[-1]["rulings"][1]["verdict"] == "scrap"
    burned = play("roberts-7", *deal, *flop, {**board, "where": "burn"}, seats=3, game="short-deck", betting=antes)
    assert burned.lines[-1]["rulings"][1]["verdict"] == "void-hand"
