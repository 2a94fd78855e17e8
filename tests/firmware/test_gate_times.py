"""How soon the gate is shut when something fails, on the pin of the simulated ATmega328P, in the board's own time.

`pytest --log-cli-level=INFO` shows the times.
"""

import logging
import subprocess
import sys
from pathlib import Path

from firmware_bridge.link_events import EventGap, LinkUp
from firmware_bridge.wire_messages import GateShut, ResetCause, ShutReason
from tests.firmware.ends import AvrEnd
from tests.wire.bench import Bench

LOG = logging.getLogger(__name__)

LEASE_US = 350_000
WATCHDOG_US = 700_000


def holding(avr: AvrEnd) -> Bench:
    bench = Bench(avr)
    bench.link.open_gate(avr.now + 60)
    bench.run_until(lambda: avr.gate_open)
    bench.run(0.35)
    assert avr.gate_open
    return bench


def shut_after(avr: AvrEnd, start: int) -> int:
    """Wait for the pin to fall; microseconds of the board since `start`."""
    deadline = avr.now + 3
    while avr.gate_open:
        assert avr.now < deadline, "the gate stayed open"
        avr.step()
    return avr.times("gate", "0")[-1] - start


def test_host_killed(avr: AvrEnd) -> None:
    root = Path(__file__).parents[2]
    host = subprocess.Popen([sys.executable, "-m", "tests.firmware.host_process", avr.give_port_away()], cwd=root)
    try:
        deadline = avr.now + 10
        while not avr.gate_open or len(avr.times("rx")) < 12:
            assert avr.now < deadline, "the host process did not open the gate"
            avr.step()
    finally:
        host.kill()
    killed = avr.command("mark")
    host.wait()
    since_kill = shut_after(avr, killed)
    since_word = avr.times("gate", "0")[-1] - avr.times("rx")[-1]
    assert since_kill <= LEASE_US
    assert 0 < since_word <= LEASE_US
    LOG.info(f"host killed: shut {since_kill / 1000:.1f} ms later, {since_word / 1000:.1f} ms after its last word")


def test_cable_cut(avr: AvrEnd) -> None:
    bench = holding(avr)
    cut = avr.command("cut 1")
    took = shut_after(avr, cut)
    assert took <= LEASE_US
    LOG.info(f"cable cut: shut {took / 1000:.1f} ms later")
    avr.command("cut 0")
    bench.run_until(lambda: bool(bench.find_events(GateShut)))
    assert bench.find_events(GateShut)[0].why is ShutReason.LEASE_ENDED


def test_firmware_hung(avr: AvrEnd) -> None:
    """Interrupts off, the processor in a loop, the host still renewing: the watchdog resets the board."""
    bench = holding(avr)
    hung = avr.command("hang")
    took = shut_after(avr, hung)
    assert took <= WATCHDOG_US
    LOG.info(f"firmware hung: shut {took / 1000:.1f} ms later")
    bench.run_until(lambda: bool(bench.find_events(EventGap)))
    assert bench.find_events(EventGap) == [EventGap("the board restarted: watchdog")]
    assert bench.find_events(LinkUp)[-1].hello.cause == ResetCause.WATCHDOG
    assert bench.find_events(LinkUp)[-1].hello.boots == 2
    bench.run(0.2)
    assert not avr.gate_open, "only the controller opens it again"


def test_power_cycled(avr: AvrEnd) -> None:
    holding(avr)
    took = shut_after(avr, avr.command("reset"))
    assert took <= 1000


def test_a_renewal_on_its_way_does_not_open_the_gate_of_a_board_that_restarted(avr: AvrEnd) -> None:
    bench = holding(avr)
    reset = avr.command("reset")
    bench.run_until(lambda: bool(bench.find_events(EventGap)))
    bench.run(0.2)
    assert [(what, at >= reset) for kind, what, at in avr.trace if kind == "gate"][-1] == ("0", True)
    assert len(avr.times("gate", "1")) == 1


def test_the_gate_is_shut_and_the_lamps_dark_until_the_board_runs(avr: AvrEnd) -> None:
    Bench(avr).run(0.05)
    assert [what for kind, what, _ in avr.trace if kind == "gate"] == ["0"]
    first_lamps = next(what for kind, what, _ in avr.trace if kind == "lamps")
    assert int(first_lamps, 16) == 0
