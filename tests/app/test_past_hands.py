"""A hand step by step: what was shown is told again, and nothing that nobody had seen."""

import json
from pathlib import Path

import pytest

from controller.app.table.hand_history import PastHands
from controller.records.told import open_cards
from controller.runtime.loop.standing import Standing
from tests.app.rig import Rig


def test_the_steps_of_a_hand_are_what_the_table_showed(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4, mistakes=0.05), 110)
        rig.journal.end_run("test")
        shown = {standing.entry: dict(standing.output) for standing in rig.standings}
    hands = PastHands(tmp_path / "journal.sqlite")
    listed = hands.listed()
    assert [hand["hand"] for hand in listed] == sorted((hand["hand"] for hand in listed), reverse=True)
    assert len(listed) >= 2
    for hand in listed:
        steps = hands.steps(hand["hand"])
        assert steps[0]["told"]["ev"] == "start"
        assert [step["entry"] for step in steps] == sorted(step["entry"] for step in steps)
        for step in steps:
            assert step["table"] == shown[step["entry"]]
    assert hands.steps(listed[-1]["hand"])[-1]["table"]["phase"] == "idle"
    assert hands.steps(10_000) == []


@pytest.mark.parametrize("seed", [2, 5])
def test_no_step_tells_a_card_that_nobody_had_seen(tmp_path: Path, seed: int) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        hidden: dict[int, set[str]] = {}

        def look(standing: Standing) -> None:
            hand = rig.loop.outcome.state.hand
            if hand is not None:
                lying = {card.card for pile in hand.piles.out.values() for card in pile if card.card}
                hidden[standing.entry] = lying - open_cards(rig.loop.outcome.state)

        rig.loop.subscribe(look)
        rig.live(rig.room(seed, mistakes=0.05), 110)
        rig.journal.end_run("test")
    hands = PastHands(tmp_path / "journal.sqlite")
    looked_at = 0
    for hand in hands.listed():
        for step in hands.steps(hand["hand"]):
            text = json.dumps(step)
            for card in hidden.get(step["entry"], ()):
                looked_at += 1
                assert f'"{card}"' not in text
    assert looked_at > 300
