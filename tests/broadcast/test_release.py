"""No card leaves the table for a broadcast before its time."""

from pathlib import Path

import pytest

from controller.records.broadcast.hand_frames import FilmedEntry, build_frames
from controller.runtime.broadcast.card_release import MAX_HELD_ENTRIES, DelayCancelled, EntryReleased
from controller.runtime.journal.journal import Journal
from tests.broadcast.hand import DEAL, PLAYED, BroadcastTable


def test_a_hand_goes_out_with_the_first_card_of_the_next_and_not_before() -> None:
    shown = BroadcastTable()
    shown(*DEAL, *PLAYED)
    assert shown.released == []
    shown.to_the_end()
    assert shown.released == [], "the hand is over, but an undo leads back into it"
    shown("start")
    assert shown.released == [], "the start may still be taken back"
    shown("card 2h")
    (hand,) = shown.hands()
    assert {card for player in build_frames(hand.entries)[-1].players for card in player.cards} == {
        "As", "Ks", "Qh", "Qd", "7c", "2d",
    }  # fmt: skip
    shown("card 3h 4h")
    assert len(shown.released) == 1


def test_a_hand_that_is_brought_back_stays_in_the_table() -> None:
    shown = BroadcastTable()
    shown(*DEAL, *PLAYED)
    shown.to_the_end()
    shown("start", "undo", "undo")
    assert shown.state.plan, "the award is taken back, and the hand goes on"
    assert shown.released == []
    shown.to_the_end()
    shown("start", "card 2h")
    assert len(shown.hands()) == 1


def test_with_a_delay_what_happened_goes_out_that_much_later_and_from_the_next_hand_on() -> None:
    shown = BroadcastTable()
    shown(*DEAL)
    shown.release.set_delay(300)
    shown(*PLAYED)
    shown.release.on_tick(shown.now + 1000)
    assert shown.released_entries() == [], "the players of this hand were told otherwise"
    shown.to_the_end()
    shown("start", "card 2h")
    assert len(shown.hands()) == 1
    dealt = shown.now
    shown.release.on_tick(dealt + 299.9)
    assert [each.entry.table_time_s for each in shown.released_entries()] == [dealt - 1]
    shown.release.on_tick(dealt + 300)
    assert [each.entry.table_time_s for each in shown.released_entries()] == [dealt - 1, dealt]


def test_who_takes_the_delay_back_stops_the_hand_that_is_on() -> None:
    shown = BroadcastTable()
    shown.release.set_delay(300)
    shown(*DEAL)
    shown.release.set_delay(None)
    shown(*PLAYED)
    shown.release.on_tick(shown.now + 1000)
    assert [type(each) for each in shown.released] == [DelayCancelled]
    shown.to_the_end()
    shown("start", "card 2h")
    assert len(shown.hands()) == 1


def test_a_hand_shown_as_it_was_played_is_not_shown_again() -> None:
    shown = BroadcastTable()
    shown.release.set_delay(300)
    shown(*DEAL, *PLAYED)
    shown.to_the_end()
    shown("start", "card 2h")
    assert shown.hands() == []


def test_what_is_held_is_bounded() -> None:
    shown = BroadcastTable()
    shown.release.set_delay(3600)
    shown(*DEAL)
    for _ in range(10_000):
        shown.release.on_entry(shown.now, shown.now, shown.played.table.outcome, shown.played.table.history)
    shown.release.on_tick(shown.now + 3600)
    assert len(shown.released_entries()) == MAX_HELD_ENTRIES


@pytest.mark.parametrize("text", [repr, str])
def test_what_is_released_names_no_card_in_a_log(text: object) -> None:
    shown = BroadcastTable()
    shown(*DEAL, *PLAYED)
    shown.to_the_end()
    shown("start", "card 2h")
    assert callable(text)
    for each in (
        *shown.released,
        EntryReleased(FilmedEntry(1.0, shown.state)),
        *build_frames(shown.hands()[0].entries),
    ):
        assert not any(card in text(each) for card in ("As", "Qh", "7c", "2d", "2h"))


@pytest.mark.parametrize("aired", [True, False])
def test_a_hand_of_a_run_without_a_broadcast_is_never_shown(aired: bool) -> None:
    before = BroadcastTable()
    before(*DEAL)
    shown = BroadcastTable()
    shown.played = before.played
    shown.release.resume(before.state, before.played.table.history, aired=aired)
    shown(*PLAYED)
    shown.to_the_end()
    shown("start", "undo", "start", "card 2h")
    assert len(shown.hands()) == aired
    shown("card As Qh 7c Ks Qd", "act 2 fold", "act 3 fold")
    shown.to_the_end()
    shown("start", "card 2h")
    assert len(shown.hands()) == aired + 1, "the next is"


@pytest.mark.parametrize(
    ("runs", "aired"),
    [
        (("hand",), False),
        (("air hand",), True),
        (("hand", "air"), False),
        (("air hand", ""), False),
        (("air hand", "", "air"), False),
        (("air hand", "air"), True),
        (("hand", "air hand"), True),
        (("hand", "air hand", "air"), True),
        (("air",), False),
        ((), False),
    ],
)
def test_every_run_that_played_a_hand_had_a_broadcast_or_it_is_not_shown(
    tmp_path: Path, runs: tuple[str, ...], aired: bool
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    for number, run in enumerate((*runs, "now")):
        journal.begin_run("boot", "test")
        if not number:
            journal.begin_session({"mode": "live", "table": "{}"})
        elif run == "now":
            break
        if "air" in run:
            journal.append_note("broadcast", {"delay": None, "by": []})
        if "hand" in run:
            journal.append_note("hand-key", {"hand": number + 1, "auditor": None, "sealed": None})
    assert journal.is_last_hand_aired() is aired
    journal.close()


def test_a_hand_shown_as_it_was_played_is_not_shown_again_at_once() -> None:
    """Also where somebody has gone back behind the start of the next hand."""
    shown = BroadcastTable()
    shown.release.set_delay(1800)
    shown(DEAL[0])
    shown(*DEAL[1:], *PLAYED)
    shown.to_the_end()
    shown("start", "undo", "start", "card 2h")
    assert [hand.entries[-1].state.hand_count for hand in shown.hands()] in ([], [0])
