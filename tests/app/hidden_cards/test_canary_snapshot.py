"""Canaries in the snapshot, whose bytes are compressed: of a hand that is over it names what everybody saw."""

import zlib
from pathlib import Path

import pytest

from controller.core.values.packed_value import build_value, unpack_fields
from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE, SnapshotDocument
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from controller.runtime.loop.table_view import TableView
from tests.app.canary import Canaries, faces_in, strings_in
from tests.app.rig import Rig, demo


def find_faces(packed: object) -> set[str]:
    return {face for text in strings_in(packed) for face in faces_in(text)}


@pytest.mark.parametrize("game", ["holdem", "omaha-8"])
def test_the_snapshot_names_no_card_of_a_hand_that_nobody_saw(tmp_path: Path, game: str) -> None:
    """The table at rest none but of the hand that was over then, the other none but of the one before."""
    public_by_hand: dict[int, set[str]] = {}
    known_by_hand: dict[int, set[str]] = {}
    canaries = Canaries()
    with Rig(tmp_path, lossless=True, file=demo(game=game)) as rig:

        def follow(_: TableView) -> None:
            outcome = rig.loop.outcome
            canaries.follow(outcome)
            number, hand = outcome.state.hand_count, outcome.state.hand
            public_by_hand[number] = canaries.public
            if hand is not None:
                piles = hand.cards.piles.cards_by_place.values()
                known_by_hand.setdefault(number, set()).update(one.card for pile in piles for one in pile if one.card)

        rig.loop.subscribe(follow)
        room = rig.room(5)
        for hand in (1, 2, 3):
            while rig.output["hand"] < hand or rig.output["next"]:
                rig.live(room, 1)
            rig.run(IDLE_DELAY_S + 0.1)
            document = build_value(
                unpack_fields(zlib.decompress((tmp_path / SNAPSHOT_FILE).read_bytes())), SnapshotDocument
            )
            snapshot = unpack_fields(document.snapshot)
            rest = snapshot.pop("rest")
            assert set() < find_faces(rest) <= public_by_hand[hand] < known_by_hand[hand]
            assert find_faces(snapshot) <= public_by_hand.get(hand - 1, set())
