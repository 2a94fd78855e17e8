"""Whoever shows the table is told the stakes of the game that is played, not of the one that the table opened with."""

from pathlib import Path

from controller.core.protocol.events import GameChosen
from controller.web.publishing.page_state_hub import PageStateHub
from tests.app.rig import Rig, demo
from tests.web.test_wagers import NO_LIMIT

OMAHA = {"structure": "pot-limit", "small_blind": 5, "big_blind": 10}


def test_in_a_rotation_totals_are_offered_by_the_stakes_of_the_game_in_play(tmp_path: Path) -> None:
    games = [{"game": "holdem", "betting": NO_LIMIT}, {"game": "omaha", "betting": OMAHA}]
    hub = PageStateHub({"betting": NO_LIMIT})
    with Rig(tmp_path, file=demo(game="holdem", betting=NO_LIMIT, rotation=games)) as rig:
        rig.loop.subscribe(hub.publish)
        assert dict(rig.standing.betting) == {**NO_LIMIT, "chip": 1, "ante_by": "each"}
        rig.loop.submit_entry(GameChosen("omaha"), "page")
        rig.run(0.1)
        assert rig.standing.output_line["game"] == "omaha"
        assert rig.standing.betting["structure"] == "pot-limit"
        latest = hub.get_latest()
        assert latest is not None
        assert '"betting":{"structure":"pot-limit","small_blind":5,"big_blind":10' in latest[1]
