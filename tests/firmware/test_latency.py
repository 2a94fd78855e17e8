"""Round trip and event latency at 115200 baud against the time the bytes need, in simavr.

All in the board's time: from the last byte of the question at its pin to the last byte of the answer, and what the
host waits, to the millisecond, with the pty and the simulator's pace in it. `pytest --log-cli-level=INFO` shows the
figures.
"""

import logging
from statistics import median

from firmware_bridge import limits
from firmware_bridge.wire_frames import encode_frame
from firmware_bridge.wire_messages import Edge, Key, KeyAction, Ping, Pong, State, make_frame
from tests.firmware.ends import AvrEnd
from tests.wire.bench import Bench

LOG = logging.getLogger(__name__)

BYTE_MS = 10 / 115.2
PING_MS = len(encode_frame(make_frame(Ping(), 1))) * BYTE_MS
PONG_MS = len(encode_frame(make_frame(Pong(1, 2, 3, 4, 5, 6, 0), 1))) * BYTE_MS
KEY_MS = len(encode_frame(make_frame(Key(1, 2, 3, 4, KeyAction.DOWN), 0))) * BYTE_MS
EDGE_MS = len(encode_frame(make_frame(Edge(1, 2, 3, 1, 1), 0))) * BYTE_MS
TICK_MS = 1.0


def start_bench(avr: AvrEnd) -> Bench:
    bench = Bench(avr)
    bench.run_until(lambda: bool(bench.find_events(State)))
    bench.run(0.1)
    return bench


def test_round_trip(avr: AvrEnd) -> None:
    bench = start_bench(avr)
    avr.trace.clear()
    waited: list[float] = []
    for _ in range(6):
        bench.run(0.25)
        waited.append(bench.link.counters.last_round_trip_s * 1000)
    arrived, left = avr.times("rx", "10"), avr.times("tx", "90")
    turn = [answer - question for question, answer in zip(arrived, left, strict=False)]
    board_ms = median(turn) / 1000
    wire_ms = PING_MS + PONG_MS
    LOG.info(f"ping: wire {wire_ms:.2f} ms, board's turn {board_ms:.2f} ms of which the answer takes {PONG_MS:.2f}")
    LOG.info(f"ping: host waits {median(waited):.2f} ms (worst {max(waited):.2f})")
    assert PONG_MS * 0.9 < board_ms < PONG_MS + 2 * TICK_MS


def test_event_latency(avr: AvrEnd) -> None:
    bench = start_bench(avr)
    keys: list[float] = []
    edges: list[float] = []
    for number in range(8):
        avr.trace.clear()
        pressed = avr.command(f"key {number} 1")
        bench.run_until(lambda n=number: len(bench.find_events(Key)) == n + 1)  # type: ignore[misc]
        bench.run(0.005)
        keys.append((avr.times("tx", "40")[0] - pressed) / 1000)
    for number in range(8):
        bench.run(0.03)
        avr.trace.clear()
        moved = avr.command(f"edge {1 - number % 2}")
        bench.run_until(lambda n=number: len(bench.find_events(Edge)) == n + 1)  # type: ignore[misc]
        bench.run(0.005)
        edges.append((avr.times("tx", "41")[0] - moved) / 1000)
    debounce = limits.KEY_SAMPLES * limits.SCAN_MS
    LOG.info(f"key: {median(keys):.1f} ms (worst {max(keys):.1f}), debounce {debounce}, wire {KEY_MS:.2f}")
    LOG.info(f"edge: {median(edges):.1f} ms (worst {max(edges):.1f}), debounce {limits.EDGE_MS}, wire {EDGE_MS:.2f}")
    assert max(keys) < debounce + KEY_MS + 3 * TICK_MS
    assert max(edges) < limits.EDGE_MS + EDGE_MS + 3 * TICK_MS
