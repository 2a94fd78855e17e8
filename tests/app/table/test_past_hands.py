"""A hand step by step: what was shown is told again, and nothing that nobody had seen."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.app.table.past_hands import BeingRead, PastHands, hands_of, steps_of
from controller.core.protocol.script import read
from controller.records.told import open_cards
from controller.runtime.journal.hand_index import INDEX_FILE, HandIndex
from controller.runtime.journal.recovery.recovery import RecoveryError
from controller.runtime.loop.standing import Standing
from tests.app.rig import Rig


def test_the_steps_of_a_hand_are_what_the_table_showed(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4, mistakes=0.05), 110)
        rig.journal.end_run("test")
        shown = {standing.entry: dict(standing.output) for standing in rig.standings}
        assert as_counted(rig.hands.listed()) == as_counted(listed_of(tmp_path, rig.journal.last))
    listed = listed_of(tmp_path, 10_000)
    assert [hand["hand"] for hand in listed] == sorted((hand["hand"] for hand in listed), reverse=True)
    assert len(listed) >= 2
    for hand in listed:
        steps = steps_of(tmp_path / "journal.sqlite", hand["hand"])
        assert steps[0]["told"]["ev"] == "start"
        assert [step["entry"] for step in steps] == sorted(step["entry"] for step in steps)
        for step in steps:
            assert step["table"] == shown[step["entry"]]
    assert steps_of(tmp_path / "journal.sqlite", listed[-1]["hand"])[-1]["table"]["phase"] == "idle"
    assert steps_of(tmp_path / "journal.sqlite", 10_000) == []


def test_the_page_reads_a_hand_in_a_process_of_its_own_and_one_at_a_time(tmp_path: Path, mocker: MockerFixture) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 60)
        rig.journal.end_run("test")
        newest = rig.loop.outcome.state.number
    wanted = json.loads(json.dumps(steps_of(tmp_path / "journal.sqlite", newest)))
    mocker.patch("controller.app.table.past_hands.replay", side_effect=AssertionError("played again in this process"))
    hands = PastHands(tmp_path / "journal.sqlite", lambda: None)
    assert hands.steps(newest) == wanted
    assert hands.steps(10_000) == []
    with hands._reading, pytest.raises(BeingRead):
        hands.steps(newest)
    (tmp_path / "journal.sqlite").unlink()
    with pytest.raises(RecoveryError, match="there is no such file"):
        hands.steps(newest)


def test_a_list_that_is_not_whole_is_made_so_beside_the_table(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 60)
        rig.journal.end_run("test")
        wanted, last = rig.hands.listed(), rig.journal.last
    (tmp_path / INDEX_FILE).unlink()
    index = HandIndex(tmp_path / INDEX_FILE, 1, last, begun=True)
    hands = PastHands(tmp_path / "journal.sqlite", lambda: index)
    assert hands.listed() == []
    before = hands.is_whole
    for thread in [thread for thread in threading.enumerate() if thread.name == "past hands"]:
        thread.join(30.0)
    assert (before, hands.is_whole) == (False, True)
    assert as_counted(hands.listed()) == as_counted(wanted)


def listed_of(directory: Path, last: int) -> list[dict[str, Any]]:
    """The list as the journal gives it, the newest hand first."""
    return [asdict(row) for row in reversed(hands_of(directory / "journal.sqlite", last))]


def as_counted(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Leave out when a hand began: the journal and the list look at the clock one after the other."""
    return [{key: value for key, value in row.items() if key != "began"} for row in rows]


@pytest.mark.parametrize("seed", [2, 5])
def test_no_step_tells_a_card_that_nobody_had_seen(tmp_path: Path, seed: int) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        hidden: dict[int, set[str]] = {}

        def look(standing: Standing) -> None:
            hand = rig.loop.outcome.state.hand
            if hand is not None:
                lying = {card.card for pile in hand.cards.piles.out.values() for card in pile if card.card}
                hidden[standing.entry] = lying - open_cards(rig.loop.outcome.state)

        rig.loop.subscribe(look)
        rig.live(rig.room(seed, mistakes=0.05), 110)
        rig.journal.end_run("test")
    looked_at = 0
    for hand in hands_of(tmp_path / "journal.sqlite", 10_000):
        for step in steps_of(tmp_path / "journal.sqlite", hand.hand):
            text = json.dumps(step)
            for card in hidden.get(step["entry"], ()):
                looked_at += 1
                assert f'"{card}"' not in text
    assert looked_at > 300


def test_a_step_that_was_put_right_is_struck_and_says_what_took_its_place(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 40)
        while not rig.output["next"] or rig.output["next"][0]["step"] != "act":
            rig.live(rig.room(4), 1)
        seat = rig.output["next"][0]["seat"]
        rig.loop.enter(read({"ev": "act", "seat": seat, "do": "fold"}), "page")
        rig.drain()
        wrong, number = rig.standing.entry, rig.loop.outcome.state.number
        rig.loop.enter(read({"ev": "amend", "line": wrong, "to": {"ev": "act", "seat": seat, "do": "call"}}), "page")
        rig.drain()
        by = rig.standing.entry
        assert rig.output["amended"]["line"] == wrong
        rig.journal.end_run("test")
    steps = {step["entry"]: step for step in steps_of(tmp_path / "journal.sqlite", number)}
    assert steps[wrong]["told"] == {"ev": "act", "seat": seat, "do": "fold"}
    assert steps[wrong]["struck"] == {"now": {"ev": "act", "seat": seat, "do": "call"}, "entry": by}
    assert [entry for entry, step in steps.items() if "struck" in step] == [wrong]
    assert steps[by]["table"]["amended"]["was"] == steps[wrong]["told"]
