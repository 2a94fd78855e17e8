"""Equities against figures that everybody can look up, and against PokerKit's own."""

from itertools import combinations

import pytest

from controller.core.values.cards import build_deck
from controller.records.broadcast import equities as module
from controller.records.broadcast.equities import EquitySituation, compute_equities


def situation(*hands: str, board: str = "", dead: str = "", **more: object) -> EquitySituation:
    """A situation of hold'em, unless said otherwise."""
    facts: dict[str, object] = {"rankings": ("high",), "exactly": None, "deck": 52, "hand_size": 2, "board_size": 5}
    named = tuple((seat, cards(hand)) for seat, hand in enumerate(hands, 1))
    return EquitySituation(hands=named, board=cards(board), dead=cards(dead), **{**facts, **more})  # type: ignore[arg-type]


def cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))


@pytest.mark.parametrize(
    ("hands", "first"),
    [(("AsKs", "QhQd"), 0.4605), (("AsAh", "KsKh"), 0.8264)],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_before_the_flop_they_are_known_figures(hands: tuple[str, str], first: float) -> None:
    found = compute_equities(situation(*hands))
    assert found[1] == pytest.approx(first, abs=0.015)
    assert sum(found.values()) == pytest.approx(1.0)


def by_pokerkit(first: str, second: str, board: str) -> float:
    """The first hand's share, every way counted, as PokerKit compares them."""
    import pokerkit

    def hand(own: str, all_board: str) -> pokerkit.Hand:
        return pokerkit.StandardHighHand.from_game(own, all_board)

    left = [card for card in build_deck() if card not in cards(first + second + board)]
    shares = []
    for coming in combinations(left, 5 - len(cards(board))):
        mine, theirs = hand(first, board + "".join(coming)), hand(second, board + "".join(coming))
        shares.append(1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
    return sum(shares) / len(shares)


@pytest.mark.parametrize(
    ("first", "second", "board"),
    [("AsKs", "QhQd", "Qs7h2d9c"), ("8h7h", "AcAd", "6h5hKs2c"), ("AsKd", "AhKc", "2s3s4sJd")],
)
def test_with_a_card_to_come_they_are_pokerkits(first: str, second: str, board: str) -> None:
    assert compute_equities(situation(first, second, board=board))[1] == pytest.approx(
        by_pokerkit(first, second, board)
    )


def test_a_flop_is_counted_whole() -> None:
    found = compute_equities(situation("2h2c", "3h3c", "AhKh", board="3s3d4c"))
    assert found == {1: 0.0, 2: 1.0, 3: 0.0}


def test_a_folded_card_does_not_come() -> None:
    drawing = compute_equities(situation("AsKs", "QhQd", board="Qs7s2d9c"))[1]
    assert compute_equities(situation("AsKs", "QhQd", board="Qs7s2d9c", dead="3s4s5s6s"))[1] < drawing


def test_the_low_half_and_the_other_way_round() -> None:
    split = situation("As2sKhKd", "QcQdJcJd", board="3h4dKc9s9h", rankings=("high", "low-8"), exactly=2, hand_size=4)
    assert compute_equities(split) == {1: 1.0, 2: 0.0}, "no low is possible"
    low = situation("As2s9cTd", "KhKdJcJd", board="3h4dKc8sQh", rankings=("high", "low-8"), exactly=2, hand_size=4)
    assert compute_equities(low) == {1: 0.5, 2: 0.5}


def test_cards_of_ones_own_are_still_to_come_in_stud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_SAMPLED_RUNOUTS", 100)
    monkeypatch.setattr(module, "MAX_COMPARED_HANDS", 200)
    found = compute_equities(situation("AsAhAdAc", "2s3h7d9c", board="", hand_size=7, board_size=0))
    assert found[1] > 0.99


def test_the_same_situation_has_the_same_figures_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_SAMPLED_RUNOUTS", 50)
    monkeypatch.setattr(module, "MAX_COMPARED_HANDS", 150)
    asked = situation("AsKs", "QhQd", "7c2d")
    assert compute_equities(asked) == compute_equities(EquitySituation.from_json(asked.to_json()))


def test_a_situation_names_no_card_in_a_log() -> None:
    assert "As" not in repr(situation("AsKs", "QhQd", board="Qs7s2d"))
