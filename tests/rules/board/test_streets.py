"""How the board of the flop games comes down."""

import pytest

from tests.playing import ScriptedTable, play

CARDS = "2c 3c 4c 5c 6c 7c 8c 9c 2d 3d 4d 5d 6d 7d 8d 9d"


def at_the_flop(game: str) -> ScriptedTable:
    cards = " ".join(CARDS.split()[: 8 if game == "holdem" else 16])
    return play(
        "casino-au", "start", f"card {cards}", "act 4 call", "act 1 call", "act 2 call", "act 3 check", game=game
    )


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_burn_and_board_of_each_street(game: str) -> None:
    """A burn, then three cards dealt one at a time for the flop, one each for turn and river; the shoe gives no other.

    Covers: AU-1.1#flop, AU-16.3(a), AU-16.4(a), AU-16.5(a), AU-17.3(a), AU-17.4(a), AU-17.5(a)
    """
    played = at_the_flop(game)
    for street, cards in (("flop", "Ts Js Qs"), ("turn", "Ks"), ("river", "As")):
        due = played.lines[-1]
        count = len(cards.split())
        assert due["next"][:2] == [{"step": "burn"}, {"step": "board", "street": street, "n": count}]
        said = played({"ev": "card", "card": "9h" if street == "flop" else "8h" if street == "turn" else "7h"})
        for left in range(count, 0, -1):
            assert said["next"][0] == {"step": "board", "street": street, "n": left}
            said = played(f"card {cards.split()[count - left]}")
        assert (said["phase"], said["gate"], said["street"]) == ("bet", "locked", street)
        played("act 2 check", "act 3 check", "act 4 check", "act 1 check")
    assert played.lines[-1]["phase"] == "showdown"
    assert played.lines[-1]["board"] == ["Ts", "Js", "Qs", "Ks", "As"]


def test_AU_19_29_r() -> None:
    """The river is turned while the turn is still bet: it stands, nobody may bet more than was wagered already."""
    played = at_the_flop("holdem")
    played("card 9h Ts Js Qs", "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card 8h Ks")
    played("act 2 bet 10", "act 3 call", "card 7h As")
    said = played("report premature count=2")
    assert (said["rulings"][0]["verdict"], said["rulings"][0]["cite"][0]) == ("restrict-bet", "AU-19.29")
    assert said["board"] == ["Ts", "Js", "Qs", "Ks", "As"]
    assert said["next"][0] | {"seat": 4, "options": ["fold", "call"]} == said["next"][0]
    after = played("act 4 call", "act 1 call")
    assert (after["street"], after["phase"]) == ("river", "bet")
    assert "bet" in after["next"][0]["options"]
