"""Exposed cards before the first bet of flop games, rule by rule."""

import pytest

from tests.playing import ScriptedTable, play

BOOKS = ("roberts-7", "casino-au", "house-rules", "fish-n-chips", "maryport")
REPLACED = {
    "roberts-7": "R7-5.holdem.1",
    "casino-au": "AU-19.25",
    "house-rules": "HR-holdem.1",
    "fish-n-chips": "FC-5.holdem.1",
    "maryport": "MP-5.holdem.1",
}
CARDS = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"]


def dealt(book: str, count: int) -> ScriptedTable:
    return play(book, "start", f"card {' '.join(CARDS[:count])}")


def ruling(played: ScriptedTable) -> tuple[str, str]:
    said = played.lines[-1]["rulings"][0]
    return said["verdict"], said["cite"][0]


@pytest.mark.parametrize(
    ("book", "misdeals", "cite"),
    [
        ("roberts-7", 2, "R7-5.holdem.1"),
        ("casino-au", 0, "AU-19.25"),
        ("house-rules", 1, "HR-holdem.1"),
        ("fish-n-chips", 2, "FC-5.holdem.1"),
        ("maryport", 2, "MP-5.holdem.1"),
    ],
)
def test_first_card_exposed(book: str, misdeals: int, cite: str) -> None:
    """The first or second card of the deal is exposed: a misdeal but in AU, in HR only for the first.

    Covers: R7-3.misdeals.1a, R7-5.holdem.1#a, HR-misdeals.1.1, HR-holdem.1#a, FC-3.misdeals.2a, FC-5.holdem.1#a,
    MP-3.misdeals.2.1, MP-5.holdem.1#a, AU-19.25#b
    """
    for card in (1, 2, 3):
        played = dealt(book, card)
        before = played.lines[1]
        said = played("report exposed")
        assert ruling(played) == ("misdeal" if card <= misdeals else "replace", cite)
        if card <= misdeals:
            steps = [step["step"] for step in said["next"][:4]]
            assert steps == ["return", "shuffle", "cut", "deal"]
            again = played("done 3")
            for key in ("next", "stacks", "lamps"):
                assert again[key] == before[key]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("nth", [3, 5, 8])
def test_one_later_card_is_replaced_and_becomes_the_burn(book: str, nth: int) -> None:
    """A later card is exposed: the deal goes on, the top card replaces it, it is the first burn; no choice for anyone.

    Covers: R7-5.holdem.1#b, AU-19.25, HR-holdem.1#b, FC-5.holdem.1#b, MP-5.holdem.1#b, R7-3.irreg.13, HR-irreg.12,
    FC-3.irreg.13, MP-3.irreg.13
    """
    played = dealt(book, nth)
    said = played("report exposed")
    assert ruling(played) == ("replace", REPLACED[book])
    seat = said["rulings"][0]["seat"]
    assert [step["step"] for step in said["next"][-3:]] == ["deal", "return", "act"]
    assert said["next"][-3] == {"step": "deal", "seat": seat, "face": "down", "why": "replacement"}
    played(*(f"card {card}" for card in CARDS[nth:]), "card Kd")
    after = played("done")
    assert after["piles"] | {"burn": 1, "stub": 43} == after["piles"]
    flop = played("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert flop["next"][0]["step"] == "board"
    turn = played("card Ts Js Qs", "act 2 check", "act 3 check", "act 4 check", "act 1 check")
    assert turn["next"][0]["step"] == "burn"
