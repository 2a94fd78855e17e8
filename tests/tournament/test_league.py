"""League scores, season and bonus chips: the examples of the text."""

import pytest

from controller.core.tournament.league import (
    LeagueResult,
    compute_points,
    compute_score,
    rank_players,
    score_props_bet,
    select_postseason,
    share_bonus_chips,
)


def test_FC_11_league_score() -> None:
    """20 players at 40, no rebuys: the first one out, 20th, earns 1.35; with a rebuy less."""
    assert round(compute_score(20, 40, 40, 20), 2) == 1.35
    assert compute_score(20, 40, 80, 20) == pytest.approx(compute_score(20, 40, 40, 20) / 2**0.5)


def test_FC_11_noshow_a() -> None:
    """A late cancellation of the same event: -1.35."""
    assert round(compute_points(LeagueResult("1", "X", 20, 40, 40, 20, is_absent=True)), 2) == -1.35


def test_FC_10_absent_1() -> None:
    """A paid player who never came, or a disqualified one, earns no points in that event [FC-10.intro]."""
    assert compute_points(LeagueResult("1", "X", 20, 40, 40, 3, forfeits_points=True)) == 0.0


def test_season() -> None:
    results = [
        LeagueResult("1", "A", 20, 40, 40, 1),
        LeagueResult("2", "A", 10, 40, 40, 5),
        LeagueResult("1", "B", 20, 40, 40, 2),
    ]
    standing = rank_players(results)
    assert [player for player, _ in standing] == ["A", "B"]
    assert standing[0][1] == pytest.approx(compute_score(20, 40, 40, 1) + compute_score(10, 40, 40, 5))


def test_scores_that_make_no_sense() -> None:
    for values in ((0, 40, 40, 1), (20, 40, 39, 1), (20, 40, 40, 0)):
        with pytest.raises(ValueError, match="score"):
            compute_score(*values)


def test_FC_11_postseason() -> None:
    """The first eight have seats that stay empty when declined; invitations to the Qualifier pass down the line."""
    standing = [(f"p{n}", 100.0 - n) for n in range(1, 20)]
    seats, invited = select_postseason(standing, declined=("p3", "p10"))
    assert seats == ("p1", "p2", "p4", "p5", "p6", "p7", "p8")
    assert invited == ("p9", *(f"p{n}" for n in range(11, 19)))


def test_FC_11_bonus() -> None:
    """Nine players, 180,000 in play: 45,000 bonus chips by season points, fractions rounded up to the smallest chip."""
    assert share_bonus_chips({"a": 50.0, "b": 25.0, "c": 25.0}, 180_000, 100) == {"a": 22_500, "b": 11_300, "c": 11_300}
    assert share_bonus_chips({"a": 10.0, "b": -1.0}, 180_000, 100) == {"a": 45_000, "b": 0}
    with pytest.raises(ValueError, match="points"):
        share_bonus_chips({"a": 0.0}, 180_000, 100)


def test_FC_11_side_props() -> None:
    """Six entrants: six points for the best, ties shared; fewest rebuys and lowest average finish are best."""
    ranks = {"cashes": {"a": 3.0, "b": 1.0, "c": 1.0}, "rebuys": {"a": 2.0, "b": 0.0, "c": 1.0}}
    assert score_props_bet(ranks) == {"a": 3 + 1, "b": 1.5 + 3, "c": 1.5 + 2}
