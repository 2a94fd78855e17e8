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
BY_PLAYER = {
    "roberts-7": "R7-3.irreg.12",
    "casino-au": "AU-19.5",
    "house-rules": "HR-irreg.11",
    "fish-n-chips": "FC-3.irreg.12",
    "maryport": "MP-3.irreg.12",
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


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("roberts-7", "R7-5.holdem.1"),
        ("casino-au", "AU-19.1(p)"),
        ("house-rules", "HR-holdem.1"),
        ("fish-n-chips", "FC-5.holdem.1"),
        ("maryport", "MP-5.holdem.1"),
    ],
)
def test_two_exposed_cards_are_a_misdeal(book: str, cite: str) -> None:
    """More than one card exposed in the deal: misdeal; the replacement itself counts.

    Covers: R7-3.misdeals.1b, R7-5.holdem.1#c, AU-19.1(p), HR-misdeals.1.2, HR-holdem.1#c, FC-3.misdeals.2b,
    FC-5.holdem.1#c, MP-3.misdeals.2.2, MP-5.holdem.1#c
    """
    played = dealt(book, 3)
    played("report exposed", "card 5c 6c", "report exposed")
    assert ruling(played) == ("misdeal", cite)
    played = dealt(book, 3)
    played("report exposed", *(f"card {card}" for card in CARDS[3:]), "card Kd", "report exposed")
    assert ruling(played) == ("misdeal", cite)


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_that_its_player_exposes_or_drops_plays(book: str) -> None:
    """A player flashes, exposes or drops an own card: it plays, nothing is replaced, however many there are.

    Covers: R7-3.irreg.12#c, R7-3.irreg.14, AU-19.5, HR-irreg.11#c, HR-irreg.13, FC-3.irreg.12#c, FC-3.irreg.14,
    MP-3.irreg.12#c, MP-3.irreg.14
    """
    played = dealt(book, 1)
    before = played.lines[-1]["next"]
    said = played("report exposed by=player seat=2 nth=1")
    assert ruling(played) == ("must-keep", BY_PLAYER[book])
    assert said["next"] == before
    played("card 3c 4c", "report exposed by=player", "card 5c 6c 7c 8c 9c")
    assert played.lines[-1]["next"][0]["step"] == "act"


@pytest.mark.parametrize("book", BOOKS)
def test_a_card_off_the_table_is_exposed(book: str) -> None:
    """A downcard dealt off the table, or flashed by the dealer, is an exposed card.

    Covers: R7-3.irreg.12#e, R7-3.irreg.12#b, HR-irreg.11#e, HR-irreg.11#b, FC-3.irreg.12#e, FC-3.irreg.12#b,
    MP-3.irreg.12#e, MP-3.irreg.12#b
    """
    flashed, dropped = dealt(book, 4), dealt(book, 4)
    flashed("report exposed by=dealer")
    dropped("report off-table")
    assert ruling(flashed) == ruling(dropped) == ("replace", REPLACED[book])
    assert flashed.lines[-1]["next"] == dropped.lines[-1]["next"]


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "casino-au"])
def test_who_looks_before_speaking_keeps_the_card(book: str) -> None:
    """A claim that a card was flashed comes after its player looked: too late, the card plays.

    Covers: R7-3.irreg.12#d, HR-irreg.11#d, FC-3.irreg.12#d, MP-3.irreg.12#d
    """
    played = dealt(book, 8)
    played("report looked seat=4", "report exposed seat=4 nth=2")
    assert ruling(played) == ("must-keep", BY_PLAYER[book])
    assert played("report exposed seat=3 nth=2")["rulings"][0]["verdict"] == "replace"


def test_the_act_of_a_seat_is_a_look() -> None:
    played = dealt("roberts-7", 8)
    played("act 4 call", "report exposed seat=4 nth=2")
    assert ruling(played)[0] == "must-keep"


def test_the_face_of_an_exposed_card_is_not_named_in_the_ruling() -> None:
    played = play("roberts-7", "start", "card Ks Qd Jh", "report exposed")
    assert "Jh" not in str(played.lines[-1]["rulings"])


def test_omaha_replaces_like_holdem() -> None:
    played = play("fish-n-chips", "start", f"card {' '.join(CARDS[:7])}", game="omaha")
    said = played("report exposed")
    assert said["rulings"][0]["verdict"] == "replace"
    assert [step["step"] for step in said["next"]][-3:] == ["deal", "return", "act"]


def test_a_burn_that_is_seen_changes_nothing() -> None:
    """A burn card being seen is no exposure of a card that anybody plays."""
    played = dealt("roberts-7", 8)
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card Kd")
    before = played.lines[-1]["next"]
    said = played("report exposed")
    assert (said["rulings"][0]["verdict"], said["next"]) == ("play-on", before)


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "casino-au"])
def test_R7_5_holdem_1_b_all_in_from_the_blinds(book: str) -> None:
    """The run-out is planned already: the exposed card is its first burn, the turn and the river burn as always."""
    lines = ("card Ad 9c Tc", "report exposed", "card 5d 7s", "done")
    played = play(book, "start", *lines, stacks={1: 1, 2: 2}, mode="cash")
    steps = [step["step"] for step in played.lines[-1]["next"]]
    assert steps == ["board", "burn", "board", "burn", "board", "show", "show"]
    assert played.lines[-1]["piles"]["burn"] == 1


def test_R7_5_holdem_1_b_the_hand_of_the_exposed_card_dies() -> None:
    """A blind that never acted is all-in; its hand is dead with the card still there: the flop burns as always."""
    lines = ("card Ad 9c Tc 5d 6c 4d", "act 1 call", "act 2 call", "report exposed seat=3 nth=2")
    played = play("roberts-7", "start", *lines, stacks={1: 200, 2: 200, 3: 2})
    assert [step["step"] for step in played.lines[-1]["next"]] == ["deal", "return", "board", "act"]
    played("report extra-card seat=3")
    assert played.lines[-1]["rulings"][0]["verdict"] == "dead-hand"
    assert [step["step"] for step in played.lines[-1]["next"]] == ["burn", "board", "act"]


def test_R7_5_holdem_1_b_no_burn_is_due_any_more() -> None:
    """The river lies there when the blind, all-in and never asked, says so: the exposed card goes to the muck."""
    lines = ("card Ad 9c Tc 5d 6c 4d", "act 1 call", "act 2 call", "card 8h 2s 4s Qd", "act 2 check", "act 1 check")
    later = ("card Js Ks", "act 2 check", "act 1 check", "card 3s 7c", "report exposed seat=3 nth=2")
    played = play("roberts-7", "start", *lines, *later, stacks={1: 200, 2: 200, 3: 2})
    assert [step["step"] for step in played.lines[-1]["next"]] == ["deal", "return", "act"]
    assert played.lines[-1]["next"][1]["to"] == "muck"
    assert "muck" in played.lines[-1]["rulings"][0]["text"]


@pytest.mark.parametrize(
    ("book", "cite"),
    [
        ("roberts-7", "R7-3.misdeals.1b"),
        ("casino-au", "AU-19.1(p)"),
        ("house-rules", "HR-misdeals.1.2"),
        ("fish-n-chips", "FC-3.misdeals.2b"),
        ("maryport", "MP-3.misdeals.2.2"),
    ],
)
def test_R7_3_misdeals_1b_an_exposed_card_that_the_floor_let_stand_counts(book: str, cite: str) -> None:
    """The floor lets the third card stand: it has been exposed all the same, and with the fourth there are two."""
    played = dealt(book, 3)
    before = played.lines[-1]["next"]
    assert played("report exposed", {"ev": "floor", "decide": "play-on"})["next"] == before
    said = played("card 5d", "report exposed")["rulings"][0]
    assert said["verdict"] == "misdeal"
    assert cite in said["cite"]
