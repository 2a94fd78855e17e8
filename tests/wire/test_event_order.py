"""The order of events: each number once, in order, within one boot, round the circle of 16 bits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.event_order import Arrival, EventOrder, count_behind
from firmware_bridge.wire_frames import Frame
from firmware_bridge.wire_messages import EventAck, Hello, Jam, get_payload_size, parse_message


def hello(boots: int, oldest: int) -> Hello:
    head = bytes((1, 1)) + boots.to_bytes(2, "big") + bytes(6) + oldest.to_bytes(2, "big")
    message = parse_message(Frame(Hello.CODE, 0, head.ljust(get_payload_size(Hello), b"\0")))
    assert isinstance(message, Hello)
    return message


@pytest.fixture
def order() -> EventOrder:
    order = EventOrder()
    order.begin(hello(0x0107, 0xFFFF))
    return order


def test_in_order_and_round_the_circle(order: EventOrder) -> None:
    assert [order.take(Jam(7, number, 0)) for number in (0xFFFF, 0, 1)] == [Arrival.NEXT] * 3
    assert order.make_acknowledgement() == EventAck(7, 1)
    assert order.take(Jam(7, 0xFFFF, 0)) is Arrival.REPEATED
    assert order.take(Jam(7, 3, 0)) is Arrival.EARLY
    assert order.make_acknowledgement() == EventAck(7, 1)


def test_the_next_number_of_another_boot_is_not_the_next(order: EventOrder) -> None:
    assert order.take(Jam(8, 0xFFFF, 0)) is Arrival.FOREIGN
    assert order.take(Jam(7, 0xFFFF, 0)) is Arrival.NEXT


def test_before_any_board_every_event_is_foreign() -> None:
    assert EventOrder().take(Jam(0, 1, 0)) is Arrival.FOREIGN


def test_what_a_hello_tells_of_the_count(order: EventOrder) -> None:
    assert order.has_missed_events(hello(7, 0))
    assert not order.has_missed_events(hello(7, 0xFFFF))
    assert order.is_impossible(hello(7, 0xFFFF - 33))
    assert not order.is_impossible(hello(7, 0xFFFF - 32))


@given(st.integers(0, 0xFFFF), st.integers(-0x7FFF, 0x7FFF))
def test_behind_is_the_short_way_round(number: int, late: int) -> None:
    assert count_behind(number, (number + late) & 0xFFFF) == late
