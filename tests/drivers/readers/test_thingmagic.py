"""What is special to ThingMagic modules: stopping, starting, trouble; bytes of others (tests/drivers/vectors.jsonl)."""

import pytest

from drivers.contract.driver_interface import DeviceEvent, DeviceLost, DeviceReady, TagRead
from drivers.ports.byte_port import open_port
from drivers.readers import thingmagic
from drivers.readers.framing import FrameDecoder
from drivers.readers.thingmagic import ThingMagic, build_command, compute_crc, parse_epc
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.readers.thingmagic_simulator import ThingMagicSimulator, build_answer
from tests.drivers.device_vectors import DeviceVector, load_vectors
from tests.drivers.serving import list_tags, serve

VECTORS = load_vectors("thingmagic")
STOP, PROGRAM, BOOT = (bytes.fromhex(text) for text in ("FF032F0000025E86", "FF000C1D03", "FF00041D0B"))
FIRMWARE_RUNS = bytes.fromhex("FF010C0000526303")
ALIVE, HOT = build_answer(0x22, 0x0400), build_answer(0x22, 0x0504)


def find_vector(meaning: str, *, is_from_device: bool = True) -> bytes:
    found = [each for each in VECTORS if each.meaning.startswith(meaning) and each.is_from_device == is_from_device]
    return found[0].data


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector.meaning[:30]} {vector.data[:9].hex()}")
def test_recorded_frames_pass_the_checksum_and_are_judged(vector: DeviceVector) -> None:
    data = vector.data
    assert compute_crc(data[1:-2]) == int.from_bytes(data[-2:], "big")
    if not vector.is_from_device:
        assert build_command(data[2], data[3:-2]) == data
        return
    frames = FrameDecoder(thingmagic.parse_frame)
    if data[2] in thingmagic.OPCODES:
        assert frames.feed(data) == [(data[2], int.from_bytes(data[3:5], "big"), data[5:-2])]
    else:
        assert not any(isinstance(item, tuple) for item in frames.feed(data) + frames.discard_partial())


def test_recorded_buffered_records_have_their_codes() -> None:
    """From the read count on, a record of the buffer is one of the stream: 16 bytes, then bits of EPC, EPC and CRC."""
    codes: list[str | None] = []
    for data in (each.data[5:-2] for each in VECTORS if each.data[2] == 0x29):
        at, count = 4, data[3]
        for _ in range(count):
            bits = at + 16 + (int.from_bytes(data[at + 13 : at + 15], "big") + 7) // 8
            end = bits + 2 + int.from_bytes(data[bits : bits + 2], "big") // 8
            codes.append(parse_epc(bytes(6) + data[at:end]))
            at = end
        assert at == len(data)
    assert codes == [
        *(f"E2000015860E{rest}" for rest in (
            "02331080B045", "00811050B12D", "02441080B04F", "02821090AE86", "00541050B0F7", "01261050B187",
            "00251050B0BD", "00251060B2D9", "01891050B1FF",
        )),
        "0123456789ABCDEF",
    ]  # fmt: skip


def answer_setup(driver: ThingMagic, now: float, stop: bytes, version: bytes) -> list[DeviceEvent]:
    """Go through the greeting with a module that answers everything well from the version on."""
    events: list[DeviceEvent] = []
    for _ in range(12):
        now += 0.02
        asked = driver.on_tick(now)[0]
        if asked:
            answers = {STOP: stop, PROGRAM: FIRMWARE_RUNS, build_command(0x03): version}
            events += driver.receive_data(answers.get(asked, build_answer(asked[2])), now + 0.01)
    return events


VERSIONS = {
    "01.07.01.02": find_vector("VERSION"),
    "02.01.03.2E": find_vector("VERSION answer of an M7E Hecto"),
}


@pytest.mark.parametrize("stop", [find_vector("stop answered with an error"), find_vector("answer to STOP after")])
@pytest.mark.parametrize(("version", "answer"), VERSIONS.items())
def test_any_answer_to_stop_ends_it_and_the_version_is_told(stop: bytes, version: str, answer: bytes) -> None:
    driver = ThingMagic("deck", region="europe")
    for start in (1.0, 10.0):
        driver.on_port_opened()
        assert answer_setup(driver, start, stop, answer) == [DeviceReady("deck", version)]


def test_version_that_is_too_short_is_none() -> None:
    assert answer_setup(ThingMagic("deck", region="europe"), 1.0, build_answer(0x2F), build_answer(0x03)) == [
        DeviceReady("deck")
    ]


def make_ready_driver() -> ThingMagic:
    driver = ThingMagic("deck", region="europe")
    assert answer_setup(driver, 0.0, build_answer(0x2F, 0x0100), VERSIONS["01.07.01.02"])
    return driver


# Trouble.


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (find_vector("stream status high return loss"), "high return loss"),
        (build_answer(0x22, 0x0503), "not connected"),
        (HOT, "too hot"),
    ],
)
def test_trouble_is_told_once_and_its_end_once(record: bytes, words: str) -> None:
    driver = make_ready_driver()
    for start in (1.0, 11.0):
        (lost,) = driver.receive_data(ALIVE + record + record + ALIVE, start)
        assert isinstance(lost, DeviceLost)
        assert words in lost.reason
        for n in range(1, 4):
            assert driver.receive_data(record + ALIVE, start + n) == []
        assert driver.receive_data(ALIVE, start + 5.9) == []
        assert driver.receive_data(ALIVE, start + 6.0) == [DeviceReady("deck", "01.07.01.02")]
        assert driver.receive_data(ALIVE, start + 7.0) == []


def test_end_of_a_search_without_a_tag_is_no_trouble() -> None:
    assert make_ready_driver().receive_data(find_vector("empty stream record"), 1.0) == []


def test_record_of_trouble_before_the_setup_is_of_another_stream() -> None:
    driver = ThingMagic("deck", region="europe")
    assert driver.receive_data(HOT, 1.0) == []
    assert answer_setup(driver, 1.0, build_answer(0x2F), VERSIONS["01.07.01.02"]) == [
        DeviceReady("deck", "01.07.01.02")
    ]


def test_stream_that_trouble_ends_each_time_is_said_once() -> None:
    """The M7E may stop at a missing antenna; being set up anew does not make it well."""
    driver = make_ready_driver()
    missing = find_vector("stream status high return loss")
    events = list(driver.receive_data(missing, 1.0))
    for start in (5.0, 10.0, 15.0):
        events += driver.on_tick(start)[1]
        events += answer_setup(driver, start, build_answer(0x2F, 0x0100), VERSIONS["01.07.01.02"])
        events += driver.receive_data(missing, start + 1)
    assert [type(event) for event in events] == [DeviceLost]
    assert driver.receive_data(ALIVE, 20.0) == [DeviceReady("deck", "01.07.01.02")]


def test_module_that_falls_silent_in_trouble_is_said_to_be_silent() -> None:
    driver = make_ready_driver()
    driver.receive_data(HOT, 1.0)
    events = [event for n in range(100) for event in driver.on_tick(2.0 + n * 0.2)[1]]
    assert [event.reason for event in events if isinstance(event, DeviceLost)] == [
        "it does not answer; is it powered, and are TX and RX the right way round?"
    ]
    assert answer_setup(driver, 30.0, build_answer(0x2F), VERSIONS["01.07.01.02"]) == [
        DeviceReady("deck", "01.07.01.02")
    ]


# Boot loader and power-up.

IN_BOOT_LOADER = build_answer(0x0C, 0, b"\x51")


def start_boot(driver: ThingMagic, now: float) -> None:
    driver.on_tick(now)
    driver.receive_data(build_answer(0x2F, 0x0101), now + 0.01)
    assert driver.on_tick(now + 0.02)[0] == PROGRAM
    assert driver.receive_data(IN_BOOT_LOADER, now + 0.03) == []
    assert driver.on_tick(now + 0.04)[0] == BOOT
    assert driver.receive_data(build_answer(0x04, 0, bytes(20)), now + 0.1) == []


def test_module_in_its_boot_loader_is_booted_and_left_alone_for_650_ms() -> None:
    driver = ThingMagic("deck", region="europe")
    for start in (1.0, 5.0):
        driver.on_port_opened()
        start_boot(driver, start)
        assert driver.receive_data(build_answer(0x04, 0, bytes(20)), start + 0.5) == [], "the firmware may say it too"
        assert driver.on_tick(start + 0.74)[0] == b""
        assert driver.on_tick(start + 0.76)[0] == PROGRAM
        assert driver.receive_data(FIRMWARE_RUNS, start + 0.77) == []
        assert driver.on_tick(start + 0.78)[0] == build_command(0x03)


def test_module_that_stays_in_its_boot_loader_is_lost_and_tried_again() -> None:
    driver = ThingMagic("deck", region="europe")
    start_boot(driver, 1.0)
    driver.on_tick(2.0)
    assert driver.receive_data(IN_BOOT_LOADER, 2.1) == [
        DeviceLost("deck", "it stays in its boot loader; is its firmware whole?")
    ]
    start_boot(driver, 4.0)
    driver.on_tick(5.0)
    assert driver.receive_data(IN_BOOT_LOADER, 5.1) == []


def test_module_that_is_silent_after_booting_is_greeted_from_the_start() -> None:
    driver = ThingMagic("deck", region="europe")
    start_boot(driver, 1.0)
    events = [event for n in range(40) for event in driver.on_tick(2.0 + n * 0.1)[1]]
    assert [type(event) for event in events] == [DeviceLost]
    assert answer_setup(driver, 30.0, build_answer(0x2F), VERSIONS["01.07.01.02"]) == [
        DeviceReady("deck", "01.07.01.02")
    ]


BANNER = build_answer(0x04, 0, VERSIONS["01.07.01.02"][5:-2])


def test_module_that_starts_anew_is_set_up_anew_at_once() -> None:
    driver = make_ready_driver()
    for start in (1.0, 3.0):
        assert driver.receive_data(BANNER, start) == [DeviceLost("deck", "it has started anew; is its power enough?")]
        assert answer_setup(driver, start, build_answer(0x2F, 0x0100), VERSIONS["01.07.01.02"]) == [
            DeviceReady("deck", "01.07.01.02")
        ]


def test_power_up_during_the_setup_is_silent_unless_it_goes_on_for_ever() -> None:
    driver = ThingMagic("deck", region="europe")
    events: list[DeviceEvent] = []
    for n in range(40):
        events += driver.on_tick(n * 0.5)[1]
        events += driver.receive_data(BANNER, n * 0.5 + 0.1)
        assert (events == []) == (n < 3)
    assert events == [DeviceLost("deck", "it starts anew again and again; is its power enough?")]


# The simulator.


class Table:
    """A driver and a simulator on a bench, for as long as is wanted."""

    def __init__(self, bench: Bench, clock: ManualClock, query: str, **keys: list[int]) -> None:
        self.url = f"sim://thingmagic/deck{query}"
        self.bench, self.clock = bench, clock
        self.driver = ThingMagic("deck", region="europe", antenna_ports=keys.get("antenna_ports", [1]))
        self.port = open_port(self.url, self.driver, read_seconds=0)

    def reopen(self) -> None:
        """Go on with another driver, as after a restart of the program; the module streams on."""
        self.port.close()
        self.driver = ThingMagic("deck", region="europe")
        self.port = open_port(self.url, self.driver, read_seconds=0)

    def run(self, seconds: float) -> list[DeviceEvent]:
        return serve(self.driver, self.port, self.clock, seconds)


@pytest.mark.parametrize(
    "query", ["", "?idle_stop=answered", "?program=boot-loader", "?program=boot-loader&idle_stop=answered"]
)
def test_simulated_module_comes_up_however_it_answers(query: str, bench: Bench, clock: ManualClock) -> None:
    table = Table(bench, clock, query)
    assert table.run(4) == [DeviceReady("deck", "01.07.01.02")]
    table.reopen()
    assert table.run(4) == [DeviceReady("deck", "01.07.01.02")]


def test_simulated_module_that_loses_its_power_is_set_up_anew(bench: Bench, clock: ManualClock) -> None:
    table = Table(bench, clock, "")
    table.run(4)
    simulator = bench.reader("deck")
    assert isinstance(simulator, ThingMagicSimulator)
    for _ in range(2):
        simulator.restart()
        assert [type(event) for event in table.run(4)] == [DeviceLost, DeviceReady]


def test_simulated_missing_antenna_is_told_and_the_other_one_heard(bench: Bench, clock: ManualClock) -> None:
    table = Table(bench, clock, "?unplugged=2", antenna_ports=[1, 2])
    here, there = (ThingMagicSimulator.nth_tag(number) for number in range(2))
    bench.reader("deck").present(here, "1")
    bench.reader("deck").present(there, "2")
    events = table.run(12)
    assert set(list_tags(events)) == {here}
    assert [type(event) for event in events if not isinstance(event, TagRead)] == [DeviceReady, DeviceLost]


@pytest.mark.parametrize("query", ["?idle_stop=no", "?program=basic", "?unplugged=x"])
def test_simulator_refuses_what_it_does_not_know(query: str, bench: Bench) -> None:
    with pytest.raises(ValueError, match=r"idle_stop is|unplugged is"):
        bench.add_port(f"sim://thingmagic/deck{query}")
