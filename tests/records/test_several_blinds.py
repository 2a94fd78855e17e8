"""Hands with three blinds and more, as others read them: PHH and PokerStars text by PokerKit, OHH, the feed."""

from typing import Any

import pytest

from controller.records import ohh, phh
from controller.records.export_formats import ExportFormat
from tests.records.test_formats import read_back
from tests.records.test_phh import PLACE, last_stacks, read, room

THREE = {"structure": "no-limit", "blinds": [1, 2, 5]}
FOUR = {"structure": "no-limit", "blinds": [1, 1, 2, 4]}
ON_BUTTON = {
    "structure": "no-limit",
    "blinds": [{"position": 0, "amount": 1}, {"position": 1, "amount": 2}, {"position": 2, "amount": 5}],
}
LIMIT = {"structure": "fixed-limit", "blinds": [1, 2, 4], "small_bet": 4, "big_bet": 8}
POT = {"structure": "pot-limit", "blinds": [1, 2, 4]}
PLAYED = [("holdem", THREE), ("holdem", FOUR), ("holdem", ON_BUTTON), ("holdem", LIMIT), ("omaha", POT)]


@pytest.mark.parametrize(("game", "betting"), PLAYED)
def test_pokerkit_reads_them_to_the_same_stacks(game: str, betting: dict[str, Any]) -> None:
    """Two to six players, so that some hands have fewer players than blinds."""
    regular = 0
    for seed in range(40):
        record = room(seed, game, betting, rulebook="casino-au" if seed % 2 else "roberts-7").hand()
        content = phh.build_fields(record)
        if not content["_regular"]:
            continue
        posted = sorted(abs(blind) for blind in content["blinds_or_straddles"] if blind)
        said = [each["amount"] if isinstance(each, dict) else each for each in betting["blinds"]]
        assert posted == sorted(said[-len(record.dealing_order) :])
        assert last_stacks(read(phh.render_text(content))) == content["finishing_stacks"]
        regular += 1
    assert regular >= 25


@pytest.mark.parametrize(("game", "betting"), [PLAYED[0], PLAYED[1], PLAYED[3]])
def test_other_readers_find_the_same_acts_chips_and_winners(game: str, betting: dict[str, Any]) -> None:
    """PokerStars text has the middle blind as another big one, OHH as an extra blind."""
    for seed in range(10):
        record = room(seed, game, betting).hand()
        assert read_back(record) == [ExportFormat.POKERSTARS, ExportFormat.OHH]
        hand = ohh.build_fields(record, PLACE)["ohh"]
        assert hand["big_blind_amount"] == betting["blinds"][-1]
        posts = [deed["action"] for deed in hand["rounds"][0]["actions"] if deed["action"].startswith("Post")]
        assert posts.count("Post Extra Blind") == max(0, min(len(betting["blinds"]), len(record.dealing_order)) - 2)
