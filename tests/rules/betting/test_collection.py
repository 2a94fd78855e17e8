"""What a refusal says where the house's money leaves too few players for a hand."""

from collections.abc import Mapping

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol import script_lines
from controller.core.protocol.table_error import Refused

TIME = {"kind": "time", "fee": 7, "minutes": 30}


def open_table(book: str, collection: Mapping[str, object], stacks: dict[int, int]) -> Table:
    table = Table()
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
    seats = [{"seat": seat, "stack": stack} for seat, stack in stacks.items()]
    line = {"ev": "table", "rulebook": book, "game": "holdem", "betting": betting, "button": 1, "seats": seats}
    table.handle(parse_table_line({**line, "collection": collection}))
    return table


def enter(table: Table, *lines: Mapping[str, object]) -> None:
    for line in lines:
        table.handle(script_lines.parse_line(line))


@pytest.mark.parametrize("book", ["casino-au", "roberts-7"])
def test_a_hand_that_cannot_be_dealt_names_who_has_not_paid_the_time(book: str) -> None:
    """The word of whom the charge would deal out is refused, and so is the start of the next hand."""
    table = open_table(book, TIME, {1: 200, 2: 200})
    blind = 1 if book == "casino-au" else 2
    enter(table, {"ev": "start", "t": 1})
    with pytest.raises(Refused, match=rf"paid \(`collect`\): seat {blind}\."):
        enter(table, {"ev": "collect", "seat": blind, "paid": False})
    enter(table, {"ev": "done"}, {"ev": "done"}, {"ev": "floor", "decide": "void"}, {"ev": "undo"})

    table = open_table("roberts-7", TIME, {1: 200, 2: 200, 3: 200})
    enter(table, {"ev": "start", "t": 1}, *({"ev": "collect", "seat": seat, "paid": False} for seat in (3, 1)))
    cards = [{"ev": "card", "card": card} for card in ("As", "Kd", "Qh", "2c")]
    enter(table, {"ev": "done"}, *cards, {"ev": "act", "seat": 1, "do": "fold"}, {"ev": "done"})
    with pytest.raises(Refused, match=r"paid \(`collect`\): seat 1, 3\."):
        enter(table, {"ev": "start", "t": 60})
    enter(table, {"ev": "collect", "seat": 3}, {"ev": "collect", "seat": 1}, {"ev": "start", "t": 70})


def test_a_button_without_a_chip_after_the_fee_is_told_what_it_needs() -> None:
    table = open_table("roberts-7", {"kind": "button", "fee": 2}, {1: 2, 2: 100})
    with pytest.raises(Refused, match=r"seat 1 has nothing left .* it needs more chips \(`stack`\)\."):
        enter(table, {"ev": "start"})
    enter(table, {"ev": "stack", "seat": 1, "stack": 50}, {"ev": "start"})
