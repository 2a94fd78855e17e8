"""Antennas tell the table once where a card has come to lie, nothing of one that passes, and nothing between hands."""

from collections.abc import Sequence

import pytest

from controller.core.protocol import events
from controller.runtime.devices.antenna_translator import AntennaTranslator
from controller.runtime.devices.deck_store import Deck
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import DeviceReady, TagRead

DECK = Deck("d", {"E004A": "As", "E004B": "Kh"})


def codes(said: Sequence[events.Event | Notice]) -> list[NoticeCode]:
    return [item.code for item in said if isinstance(item, Notice)]


def read(
    antennas: AntennaTranslator, tag: str, *times: float, hand: int | None = 7, antenna: str | None = None
) -> list[events.Event | Notice]:
    """What is said of a tag that is read at these times."""
    return [said for now in times for said in antennas.translate(TagRead(antennas.name, tag, antenna), now, hand)]


def test_a_card_is_told_once_while_it_lies_there() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    lies = [events.CardDetected("seat 3", "As")]
    assert read(seat, "E004A", 1.0) == []
    assert read(seat, "E004A", *(1.1 + n / 10 for n in range(100))) == lies
    assert read(seat, "E004A", 30.0, 30.2) == [], "it was taken away, and came again"
    assert read(seat, "E004A", 30.4, 30.5) == lies


@pytest.mark.parametrize("interval_s", [0.025, 0.1, 0.7])
def test_a_card_that_is_dealt_past_an_antenna_does_not_lie_there(interval_s: float) -> None:
    """It goes to seat 5 over the antenna of seat 4, which reads it for a moment, and again when it is dealt anew."""
    table = AntennaTranslator("table", DECK, {"4": "seat 4", "5": "seat 5"}, gone_after=0.3)
    for dealt_at in (1.0, 20.0):
        passing = [dealt_at + n * interval_s for n in range(max(1, int(0.15 / interval_s)))]
        lying = [passing[-1] + interval_s * n for n in range(1, 15)]
        assert read(table, "E004A", *passing, antenna="4") == []
        assert read(table, "E004A", *lying, antenna="5") == [events.CardDetected("seat 5", "As")]


def test_a_reader_that_speaks_once_for_each_arrival_is_believed_at_once() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.0)
    assert read(seat, "E004A", 1.0) == [events.CardDetected("seat 3", "As")]
    assert read(seat, "E004A", 1.5) == []


def test_a_new_hand_begins_anew_and_between_hands_nothing_is_said() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    lies = [events.CardDetected("seat 3", "As")]
    assert read(seat, "E004A", 1.0, 1.4) == lies
    assert read(seat, "E004A", 1.5, 1.9, hand=None) == []
    assert read(seat, "E004A", 2.0, hand=8) == []
    assert read(seat, "E004A", 2.4, hand=8) == lies
    assert read(seat, "E004A", 2.5, 2.9, hand=9) == lies


def test_each_antenna_has_its_place() -> None:
    reader = AntennaTranslator("table", DECK, {"1": "board", "2": "muck"}, gone_after=0.3)
    assert read(reader, "E004A", 1.0, 1.4, antenna="1") == [events.CardDetected("board", "As")]
    assert read(reader, "E004A", 1.1, 1.5, antenna="2") == [events.CardDetected("muck", "As")]
    assert codes(read(reader, "E004B", 1.2, antenna="3")) == [NoticeCode.MEANING_UNKNOWN]
    assert reader.translate(DeviceReady("table"), 1.3, 1) == ()


def test_a_stranger_is_said_without_its_tag() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    said = read(seat, "E004FF", 1.0, 1.4)
    assert codes(said) == [NoticeCode.FOREIGN_TAG]
    assert "E004FF" not in str(said)


def test_ever_new_tags_of_a_reader_that_reads_noise_are_not_kept() -> None:
    noisy = AntennaTranslator("table", DECK, {"1": "seat 1", "2": "seat 2"}, gone_after=0.3)
    lies = [events.CardDetected("seat 2", "As")]
    assert read(noisy, "E004A", 0.0, 0.5, antenna="2") == lies
    for number in range(20_000):
        assert read(noisy, f"F{number:X}", number / 100, antenna="1") == []
        assert number % 100 or read(noisy, "E004A", number / 100, antenna="2") == [], (
            "a card that lies there is told once"
        )
    kept = (noisy._came_at, noisy._last_read_at, noisy._told)
    assert max(map(len, kept)) <= 500, "of two times the absence, at a hundred a second"
