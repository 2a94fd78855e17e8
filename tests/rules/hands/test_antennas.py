"""What antennas read: a card where the plan sent it, an unread one, one that lies elsewhere, a step that is done."""

import json
from typing import Any

import pytest

from tests.playing import ScriptedTable, play
from tests.rules.boards import BOOKS, piles, ruling
from tests.rules.deals import TWO_ACTED, dealt, on_flop, plan

SENSORS: dict[str, Any] = {"sensors": ["identity", "face", "seat", "board", "muck"]}


def seen(at: str, card: str) -> dict[str, Any]:
    """An antenna reads a card."""
    return {"ev": "seen", "at": at, "card": card}


def quiet(played: ScriptedTable) -> bool:
    """The last line changed nothing and asked nothing."""
    last, before = played.lines[-1], played.lines[-2]
    return not last["rulings"] and last["next"] == before["next"] and last["piles"] == before["piles"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_where_the_plan_sent_it(book: str) -> None:
    """A seat, the board, the muck: nothing to say, early, late or twice."""
    played = dealt(book, seen("seat 2", "Ad"), **SENSORS)
    assert quiet(played)
    played(seen("seat 2", "Ad"))
    assert quiet(played)
    played(*TWO_ACTED, "act 2 fold", seen("muck", "Ad"))
    assert quiet(played)
    played(seen("seat 2", "6c"))
    assert quiet(played)
    played("act 3 check", "card 8h 2s 4s Qd", seen("board", "4s"))
    assert quiet(played)


@pytest.mark.parametrize("book", BOOKS)
def test_an_unread_card_is_named(book: str) -> None:
    """The shoe read nothing; the antenna says which card it is, and the next one like it is a duplicate."""
    played = dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", "card 8h 2s - Qd", seen("board", "4s"), **SENSORS)
    assert played.lines[-1]["board"] == ["2s", "4s", "Qd"]
    assert not played.lines[-1]["rulings"]
    played = play(book, "start", "card - 9c", seen("seat 2", "Ad"), "card Ad", **SENSORS)
    assert ruling(played, "duplicate")["verdict"] in ("void-hand", "misdeal")


def test_an_unread_card_that_is_out_elsewhere() -> None:
    """The shoe let a card go unread; the antenna names one that another seat's antenna has named, too."""
    played = play("roberts-7", "start", "card - -", seen("seat 2", "Ad"), seen("seat 3", "Ad"), **SENSORS)
    assert played.lines[-1]["rulings"]
    assert "Ad" not in json.dumps(played.lines)


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_that_was_not_due_lies_at_a_seat(book: str) -> None:
    """Nobody needs to be asked any more: it is an extra card there."""
    played = dealt(book, "card 7h", **SENSORS)
    assert plan(played)[0] == "say"
    played(seen("seat 2", "7h"))
    assert ruling(played, "extra-card")["verdict"] == ("correct" if book == "casino-au" else "return-as-burn")
    assert plan(played) == [f"return extra seat 2 > {'stub' if book == 'casino-au' else 'burn'} 1", "act 4"]
    played = dealt(book, "report looked seat=1", "card 7h", seen("seat 9", "7h"), **SENSORS)
    assert ruling(played, "not-entitled")["verdict"] == ("correct" if book == "casino-au" else "misdeal")


@pytest.mark.parametrize("book", BOOKS)
def test_a_disagreement_that_has_several_causes_is_asked_about(book: str) -> None:
    """A card read at a seat that the shoe never gave, a mucked hand that was not folded, a burn on the board."""
    played = on_flop(book, seen("seat 2", "Kc"), **SENSORS)
    assert ruling(played, "card-elsewhere")["verdict"] == "ask"
    assert (plan(played), played.lines[-1]["phase"]) == (["say", "act 2"], "remedy")
    played("report looked seat=2")
    assert plan(played) == ["act 2"]
    played(seen("muck", "9c"))
    assert ruling(played, "card-elsewhere")["verdict"] == "ask"
    played = dealt(book, *TWO_ACTED, "act 2 call", "act 3 check", "card 8h", seen("board", "8h"), **SENSORS)
    assert "no-burn" in played.lines[-1]["next"][0]["options"]
    assert "8h" not in json.dumps(played.lines)


@pytest.mark.parametrize("book", BOOKS)
def test_cards_that_are_being_gathered(book: str) -> None:
    """While a misdeal's cards go back antennas may still read them."""
    played = dealt(book, "report deck-defective", seen("seat 2", "9c"), **SENSORS)
    assert quiet(played)
    played("done", seen("seat 2", "9c"))
    assert quiet(played)


@pytest.mark.parametrize("book", BOOKS)
def test_what_lay_there_in_the_hand_before(book: str) -> None:
    """Antennas may be late: a card of the last hand at the same place says nothing until it has been dealt anew."""
    ended = ("act 4 fold", "act 1 fold", "act 2 fold", "done", "start")
    played = dealt(book, *ended, "card Kc Ad", seen("seat 3", "9c"), **SENSORS)
    assert quiet(played)
    played("card 9c", seen("seat 3", "9c"))
    assert ruling(played, "wrong-seat")["verdict"] in ("misdeal", "correct")


def test_a_hand_thrown_in_out_of_turn_is_read_before_its_fold_is_entered() -> None:
    """R7-3.betting.10: the fold of that seat answers the question; its other card asks nothing any more."""
    played = dealt("roberts-7", "act 4 call", seen("muck", "Ad"), "act 1 call", **SENSORS)
    assert (plan(played)[0], played.lines[-1]["error"]["code"]) == ("say", "not-now")
    played("act 2 fold")
    assert [(r["finding"], r["seat"]) for r in played.lines[-1]["rulings"]] == [("out-of-turn", 2)]
    played({"ev": "floor", "decide": "bind"}, seen("muck", "6c"))
    assert quiet(played)
    played("act 1 call", "act 2 fold")
    assert (plan(played), piles(played, "muck")) == (["act 3"], {"muck": 2})
