"""A whole hand on the board: keys pressed at its pins, cards over its edge, lamps and gate read from its pins.

One test body, three far ends, as in test_far_ends.py; the AVR build is reached through its pty by the port that a table
opens. What the table says to each entry is compared with the same hand as a table script.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.cli.table.replay_command import replay_script
from controller.runtime.faults.notices import NoticeCode
from firmware_bridge import limits
from tests.firmware.whole_board import PRESS_SECONDS, BoardTable
from tests.wire.bench import FarEnd

SEATS = [
    {"seat": 1, "player": "Ana", "stack": 200},
    {"seat": 4, "player": "Cleo", "stack": 200},
    {"seat": 7, "player": "Eve", "stack": 60},
]
ALL_LAMPS = frozenset(range(limits.LAMPS))
STEP_SECONDS = 0.01
"""What an instant of the board, as seen here, may be off."""

Line = dict[str, Any]


def card(name: str) -> tuple[Line, None]:
    return {"ev": "card", "card": name}, None


def act(key: str, seat: int, do: str, **to: int) -> tuple[Line, str]:
    return {"ev": "act", "seat": seat, "do": do, **to}, key


HAND: list[tuple[Line, str | None]] = [
    ({"ev": "start"}, "next"),
    *map(card, ("As", "Kd", "7c", "Ah", "Kh", "2d")),
    act("fold", 1, "fold"),
    act("call", 4, "call"),
    act("raise", 7, "raise", to=4),
    act("call", 4, "call"),
    *map(card, ("9s", "Ks", "8d", "3c")),
    act("raise", 4, "bet", to=2),
    act("call", 7, "call"),
    *map(card, ("4d", "Jh")),
    act("call", 4, "check"),
    act("call", 7, "check"),
    *map(card, ("5c", "Ad")),
    act("call", 4, "check"),
    act("all_in", 7, "all-in"),
    act("call", 4, "call"),
    ({"ev": "show", "seat": 7}, "show"),
    ({"ev": "show", "seat": 4}, "show"),
    ({"ev": "done"}, "done"),
]
"""Each entry as a line of the table script, and the key that makes it; cards have none."""


@pytest.fixture(scope="module")
def file() -> TableFile:
    file = load_table_file(DEMO_FILE.parent / "barcode-shoe.toml")
    return replace(file, table_line={**file.table_line, "seats": SEATS, "amounts": "tracked", "follow": "acts"})


@pytest.fixture(scope="module")
def answers(file: TableFile) -> list[Line]:
    """What the script's table says to each line of the hand."""
    script = [{"ev": "table", **file.table_line}, *(line for line, _ in HAND)]
    said = [{key: value for key, value in answer.items() if key != "line"} for answer in replay_script(script)]
    assert not any("error" in answer for answer in said)
    return said[1:]


@pytest.fixture
def table(file: TableFile, tmp_path: Path, far: FarEnd) -> Iterator[BoardTable]:
    with BoardTable(file, tmp_path, far) as table:
        yield table


def play(table: BoardTable, answers: list[Line], first: int, end: int) -> None:
    """Play some entries of the hand; after each the table, its lamps and its gate stand as in the script."""
    for number in range(first, end):
        table.enter_line(*HAND[number])
        assert table.output == answers[number]
        table.await_lamps()
        table.await_gate()


def test_a_whole_hand(table: BoardTable, answers: list[Line]) -> None:
    play(table, answers, 0, len(HAND))
    assert table.read_entries() == [line for line, _ in HAND]
    assert table.output["stacks"] == {"1": 200, "4": 260}
    assert not table.far.gate_open
    assert not set(table.list_notice_codes()) & {
        NoticeCode.EVENTS_MISSED,
        NoticeCode.NO_EDGE,
        NoticeCode.TWO_READS,
        NoticeCode.LATE_READ,
    }
    assert not table.read_entries("device"), "nothing was lost on the way"


def test_the_board_restarts_in_mid_hand(table: BoardTable, answers: list[Line]) -> None:
    """A key is pressed that the board cannot tell before it restarts: nobody makes it up, and the place is marked."""
    play(table, answers, 0, 4)
    table.await_gate()
    table.far.cut(True)
    unheard = table.inputs["card"]
    table.far.key(unheard, True)
    table.wait_until(table.far.now + PRESS_SECONDS)
    table.far.key(unheard, False)
    table.wait_until(table.far.now + PRESS_SECONDS)
    table.far.power_cycle()
    table.far.cut(False)
    restarted = table.far.now
    table.wait_for(lambda: table.output["phase"] == "halted", "the table hears of it")
    assert not any(is_open for at, is_open in table.gate_moves if at > restarted + STEP_SECONDS)
    table.wait_for(lambda: table.faults() == ["events-missed"], "the board is back, and the place is marked")
    assert table.output["phase"] == "halted"
    table.clear("events-missed")
    table.wait_for(lambda: table.output["phase"] == "deal", "the dealer has compared the table")
    assert table.output == answers[3]
    table.await_lamps()
    table.await_gate()
    assert [line["status"] for line in table.read_entries("device")] == ["lost", "back", "lost", "back"]
    assert table.list_notice_codes() == [NoticeCode.EVENTS_MISSED]
    assert table.driver.board_hello is not None
    assert table.driver.board_hello.boots == 2
    play(table, answers, 4, 8)
    assert table.read_entries() == [line for line, _ in HAND[:8]]


def test_the_controller_hangs_in_mid_hand(table: BoardTable, answers: list[Line]) -> None:
    """The gate shuts within its lease and the lamps show "link lost"; when the controller goes on, so does the hand."""
    play(table, answers, 0, 4)
    table.await_gate()
    table.host_runs = False
    silent = table.far.now
    table.wait_for(lambda: not table.far.gate_open, "the gate shuts")
    assert table.gate_moves[-1][0] - silent <= limits.LEASE_MAX_MS / 1000 + STEP_SECONDS
    table.wait_for(lambda: table.far.lit_seats == ALL_LAMPS, "the lamps show that the link is lost")
    assert table.far.now - silent >= limits.HOST_SILENT_MS / 1000 - STEP_SECONDS
    winks = winks_of(table, 2.2)
    assert len(winks) == 3
    assert winks[1][1] == pytest.approx(0.1, abs=STEP_SECONDS)
    assert winks[2][0] - winks[1][0] == pytest.approx(1.0, abs=STEP_SECONDS)
    table.host_runs = True
    table.wait_for(lambda: table.output["phase"] == "halted", "the controller notices the silence")
    table.wait_for(lambda: table.output["phase"] == "deal", "they talk again")
    table.await_lamps()
    table.await_gate()
    assert [line["status"] for line in table.read_entries("device")] == ["lost", "back"]
    assert NoticeCode.EVENTS_MISSED not in table.list_notice_codes(), "the board has lived on and kept what happened"
    play(table, answers, 4, 8)
    assert table.read_entries() == [line for line, _ in HAND[:8]]


def winks_of(table: BoardTable, seconds: float) -> list[tuple[float, float]]:
    """When all lamps shone and for how long; at no time did some shine and others not."""
    end = table.far.now + seconds
    winks: list[tuple[float, float]] = []
    while table.far.now < end:
        before, was = table.far.now, table.far.lit_seats
        assert was in (ALL_LAMPS, frozenset())
        table.step()
        if was:
            start, length = winks.pop() if winks and sum(winks[-1]) == pytest.approx(before) else (before, 0.0)
            winks.append((start, length + table.far.now - before))
    return winks
