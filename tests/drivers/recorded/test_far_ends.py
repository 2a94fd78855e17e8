"""A simulated device stands every byte that a driver, or somebody else, may send: it raises nothing."""

import random

import pytest

from drivers.conformance.check_bench import open_bench
from drivers.conformance.documented_driver import DocumentedDriver, parse_driver_page
from drivers.contract.driver_interface import ByteDriver
from drivers.contract.driver_registry import DRIVERS
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.cr95hf_simulator import Cr95HfSimulator
from tests.drivers.recorded.conversations import PAGE

EXAMPLES = [parse_driver_page(driver, PAGE.read_text(encoding="utf-8")) for driver in sorted(DRIVERS)]
ON_PORTS = [example for example in EXAMPLES if isinstance(example.build_driver(), ByteDriver)]

CHUNKS = 1500


@pytest.mark.parametrize("example", ON_PORTS, ids=lambda example: example.driver)
def test_whatever_a_far_end_is_sent_it_raises_nothing(example: DocumentedDriver) -> None:
    chance = random.Random(example.driver)
    with open_bench() as (bench, clock):
        driver = example.build_byte_driver()
        simulator = bench.add_port(str(example.port), keys=example.keys)
        words = [driver.on_port_opened()]
        for step in range(CHUNKS):
            clock.advance(chance.choice((0.001, 0.02, 0.3)))
            sent, _ = driver.on_tick(clock())
            words = [*words[-20:], sent] if sent else words
            word = bytearray(chance.choice(words))
            for _ in range(chance.randrange(3)):
                place = chance.randrange(len(word) + 1)
                word[place : place + chance.randrange(3)] = _make_small_bytes(chance)
            simulator.receive_data(bytes(word) if step % 2 else _make_small_bytes(chance))
            simulator.take_frames()


def _make_small_bytes(chance: random.Random) -> bytes:
    """Some bytes, of which many are small: lengths and counts, none among them."""
    return bytes(chance.choice((chance.randrange(10), chance.randrange(256))) for _ in range(chance.randrange(8)))


@pytest.mark.parametrize("command", ["0200", "0800", "090100"])
def test_a_cr95hf_says_of_a_command_that_it_is_too_short(command: str) -> None:
    clock = ManualClock()
    simulator = Cr95HfSimulator(clock)
    simulator.receive_data(b"\0" + bytes.fromhex(command))
    clock.advance(1)
    assert [frame for _, frame in simulator.take_frames()] == [b"\x82\x00"]
