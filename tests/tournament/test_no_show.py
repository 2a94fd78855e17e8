"""A player who is not there by the end of the first level."""

from controller.core.tournament.league import LeagueResult, compute_points, compute_score
from tests.playing import play

BLINDS = {"structure": "no-limit", "small_blind": 25, "big_blind": 50}


def test_FC_11_noshow_b() -> None:
    """A paid no-show is dealt in and posts until the chips are gone, and has no penalty; an unpaid one has."""
    played = play(
        "fish-n-chips",
        {"ev": "away", "seat": 3},
        "start",
        mode="tournament",
        betting=BLINDS,
        house={"schedule": "T2000"},
    )
    assert played.lines[-1]["stacks"]["3"] == 150
    played("card - - - - - - - -")
    assert [(ruling["finding"], ruling["verdict"], ruling["seat"]) for ruling in played.lines[-1]["rulings"]] == [
        ("absent", "dead-hand", 3)
    ]
    while played.lines[-1]["next"]:
        step = played.lines[-1]["next"][0]
        played(f"act {step['seat']} fold" if step["step"] == "act" else "done")
    played("level", "start")
    assert 3 in {step["seat"] for step in played.lines[-1]["next"] if step["step"] == "deal"}
    paid, unpaid = (
        LeagueResult("1", "X", 20, 40, 40, 20, forfeits_points=True),
        LeagueResult("1", "X", 20, 40, 40, 20, is_absent=True),
    )
    assert compute_points(paid) == 0
    assert compute_points(unpaid) == -compute_score(20, 40, 40, 20)
