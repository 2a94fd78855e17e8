"""The feed has the form of PokerGFX's export."""

import dataclasses
from datetime import UTC, datetime

import pytest

from controller.core.values import value
from controller.records.broadcast.hand_feed import MAX_HANDS, BlindSeats, BroadcastHand, build_feed
from controller.records.broadcast.hand_frames import build_frames
from tests.broadcast.hand import a_whole_hand

BEGAN = datetime(2026, 1, 31, 18, 0, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def broadcast_hand() -> BroadcastHand:
    entries = a_whole_hand()
    hand = entries[-1].state.hand
    assert hand is not None
    return BroadcastHand(build_frames(entries), hand.setup, BlindSeats(1, 2, 3), BEGAN)


def test_every_level_has_the_fields_that_readers_of_the_export_look_for(broadcast_hand: BroadcastHand) -> None:
    told = build_feed([broadcast_hand], since=BEGAN, program="1")
    assert {"CreatedDateTimeUTC", "EventTitle", "Hands", "ID", "Payouts", "SoftwareVersion", "Type"} == set(told)
    (hand,) = told["Hands"]
    assert {
        "HandNum", "GameVariant", "GameClass", "BetStructure", "Duration", "StartDateTimeUTC", "NumBoards",
        "RunItNumTimes", "Players", "Events", "FlopDrawBlinds", "AnteAmt",
    } <= set(hand)  # fmt: skip
    assert {
        "PlayerNum", "Name", "LongName", "StartStackAmt", "EndStackAmt", "CumulativeWinningsAmt", "HoleCards",
        "SittingOut", "EliminationRank", "VPIPPercent", "PreFlopRaisePercent",
    } <= set(hand["Players"][0])  # fmt: skip
    assert set(hand["Events"][0]) == {
        "EventType", "PlayerNum", "BetAmt", "Pot", "BoardCards", "BoardNum", "DateTimeUTC", "NumCardsDrawn",
    }  # fmt: skip
    assert hand["StartDateTimeUTC"] == "2026-01-31T18:00:05.000Z"
    assert (hand["GameVariant"], hand["GameClass"], hand["BetStructure"]) == ("HOLDEM", "FLOP", "NOLIMIT")


def test_the_hand_is_told_as_it_was_played(broadcast_hand: BroadcastHand) -> None:
    (hand,) = build_feed([broadcast_hand], since=BEGAN, program="1")["Hands"]
    assert [(each["EventType"], each["PlayerNum"], each["BetAmt"]) for each in hand["Events"]] == [
        ("RAISE", 1, 6), ("CALL", 2, 6), ("FOLD", 3, 0),
        ("BOARD CARD", 0, 0), ("BOARD CARD", 0, 0), ("BOARD CARD", 0, 0),
        ("CHECK", 2, 0), ("BET", 1, 10), ("CALL", 2, 10),
        ("BOARD CARD", 0, 0), ("CHECK", 2, 0), ("CHECK", 1, 0), ("BOARD CARD", 0, 0), ("CHECK", 2, 0), ("CHECK", 1, 0),
        ("SHOWDOWN", 0, 0),
    ]  # fmt: skip
    assert [card for each in hand["Events"] for card in each["BoardCards"] or ()] == ["qs", "js", "2c", "10d", "3d"]
    assert [(each["HoleCards"], each["CumulativeWinningsAmt"]) for each in hand["Players"]] == [
        (["7c", "2d"], -16), (["as", "ks"], 18), (["qh", "qd"], -2),
    ]  # fmt: skip
    assert all(each["StartStackAmt"] == 200 for each in hand["Players"])


def test_a_stack_is_what_is_left_of_it_when_the_cards_come() -> None:
    terms = {"kind": "time", "fee": 7, "minutes": 30}
    entries = a_whole_hand("done 3", collection=terms)
    hand = BroadcastHand(build_frames(entries), entries[-1].state.hand_in_play.setup, BlindSeats(1, 2, 3), BEGAN)
    (told,) = build_feed([hand], since=BEGAN, program="1")["Hands"]
    assert [(each["StartStackAmt"], each["CumulativeWinningsAmt"]) for each in told["Players"]] == [
        (193, -16), (193, 18), (193, -2),
    ]  # fmt: skip


def test_of_more_blinds_the_first_three_are_told(broadcast_hand: BroadcastHand) -> None:
    """The export has a third blind; where there are two it is left out, as ever."""
    (two,) = build_feed([broadcast_hand], since=BEGAN, program="1")["Hands"]
    assert "ThirdBlindAmt" not in two["FlopDrawBlinds"]
    setup = broadcast_hand.setup
    stakes = value.replace(setup.stakes, small_blind=1, middle_blinds=(2, 5), big_blind=10)
    hand = dataclasses.replace(
        broadcast_hand, setup=setup.replace_stakes(stakes), blind_seats=BlindSeats(1, 2, 3, third_blind_seat=4)
    )
    (told,) = build_feed([hand], since=BEGAN, program="1")["Hands"]
    keys = ("SmallBlindPlayerNum", "SmallBlindAmt", "BigBlindPlayerNum", "BigBlindAmt", "ThirdBlindPlayerNum")
    assert [told["FlopDrawBlinds"][key] for key in (*keys, "ThirdBlindAmt")] == [2, 1, 3, 2, 4, 5]


def test_the_newest_hands_are_told(broadcast_hand: BroadcastHand) -> None:
    assert len(build_feed([broadcast_hand] * 80, since=BEGAN, program="1")["Hands"]) == MAX_HANDS
