"""Antennas tell the table once where a card came to lie, and nothing between hands."""

from collections.abc import Sequence

from controller.core.protocol import events
from controller.runtime.devices.antenna_translator import AntennaTranslator
from controller.runtime.devices.deck_store import Deck
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import DeviceReady, TagRead

DECK = Deck("d", {"E004A": "As", "E004B": "Kh"})


def codes(said: Sequence[events.Event | Notice]) -> list[NoticeCode]:
    return [item.code for item in said if isinstance(item, Notice)]


def test_a_card_is_told_once_while_it_lies_there() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    assert seat.translate(TagRead("seat3", "E004A"), 1.0, 7) == (events.CardDetected("seat 3", "As"),)
    for n in range(100):
        assert seat.translate(TagRead("seat3", "E004A"), 1.0 + n / 10, 7) == ()
    assert seat.translate(TagRead("seat3", "E004A"), 30.0, 7) == (events.CardDetected("seat 3", "As"),)


def test_a_new_hand_begins_anew_and_between_hands_nothing_is_said() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    assert seat.translate(TagRead("seat3", "E004A"), 1.0, 7)
    assert seat.translate(TagRead("seat3", "E004A"), 1.1, None) == ()
    assert seat.translate(TagRead("seat3", "E004A"), 1.2, 8) == (events.CardDetected("seat 3", "As"),)


def test_each_antenna_has_its_place() -> None:
    reader = AntennaTranslator("table", DECK, {"1": "board", "2": "muck"}, gone_after=0.3)
    assert reader.translate(TagRead("table", "E004A", "1"), 1.0, 1) == (events.CardDetected("board", "As"),)
    assert reader.translate(TagRead("table", "E004A", "2"), 1.1, 1) == (events.CardDetected("muck", "As"),)
    said = reader.translate(TagRead("table", "E004B", "3"), 1.2, 1)
    assert codes(said) == [NoticeCode.MEANING_UNKNOWN]
    assert reader.translate(DeviceReady("table"), 1.3, 1) == ()


def test_a_stranger_is_said_without_its_tag() -> None:
    seat = AntennaTranslator("seat3", DECK, {None: "seat 3"}, gone_after=0.3)
    said = seat.translate(TagRead("seat3", "E004FF"), 1.0, 1)
    assert codes(said) == [NoticeCode.FOREIGN_TAG]
    assert "E004FF" not in str(said)
