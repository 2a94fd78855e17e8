import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.contract.driver_interface import DeviceEvent, TagRead
from drivers.ports.byte_port import open_port
from drivers.readers.rdm6300 import Rdm6300
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.bench.simulated_link import MAX_BUFFER_BYTES, LinkFaults, SimulatedLink
from drivers.simulators.bench.uart import LineSettings, simulate_reception
from drivers.simulators.readers.rdm6300_simulator import FIRST_READ_DELAY_S, Rdm6300Simulator
from drivers.simulators.shoe.shoe_gate_simulator import ShoeGateSimulator


def test_two_benches_of_one_name_are_refused(bench: Bench) -> None:
    with pytest.raises(ValueError, match="a bench 'table' is open already"):
        Bench(bench.name)
    with Bench("other"):
        pass
    with Bench("other"):
        pass


def test_room_may_come_before_or_after_the_port(bench: Bench) -> None:
    simulator = bench.add_port("sim://rdm6300/shoe")
    port = open_port("sim://rdm6300/shoe", Rdm6300("shoe"), read_seconds=0)
    assert bench.reader("shoe") is simulator
    port.close()
    open_port("sim://rdm6300/muck", Rdm6300("muck"), read_seconds=0)
    assert isinstance(bench.reader("muck"), Rdm6300Simulator)
    assert bench.devices() == ("muck", "shoe")


def test_url_chooses_the_bench(bench: Bench, clock: ManualClock) -> None:
    with Bench("other", clock=clock) as other:
        open_port("sim://rdm6300/shoe?bench=other", Rdm6300("shoe"), read_seconds=0)
        assert (bench.devices(), other.devices()) == ((), ("shoe",))


def test_what_is_not_there_is_listed(bench: Bench) -> None:
    with pytest.raises(LookupError, match="no simulated device 'shoe' on bench 'table'; there is nothing"):
        bench.reader("shoe")
    bench.add_port("sim://rdm6300/shoe")
    with pytest.raises(LookupError, match="no simulated device 'sho' on bench 'table'; there is shoe"):
        bench.reader("sho")
    with pytest.raises(LookupError, match="simulated device 'shoe' is a Rdm6300Simulator, not a gate"):
        bench.gate("shoe")
    for wrong in (bench.panel, bench.lamps, bench.sensors, lambda name: bench.find_simulator(name, ShoeGateSimulator)):
        with pytest.raises(LookupError, match="simulated device 'shoe' is a Rdm6300Simulator, not a"):
            wrong("shoe")
    with pytest.raises(LookupError, match="no simulated port 'gate' on bench 'table'; there is shoe"):
        bench.unplug("gate")


def test_one_name_one_device(bench: Bench) -> None:
    bench.add_port("sim://rdm6300/shoe")
    with pytest.raises(ValueError, match=r"is already there as sim://rdm6300/shoe$"):
        bench.add_port("sim://rdm6300/shoe?flip=0.1")
    with pytest.raises(ValueError, match="is already on bench 'table'"):
        bench.add_device("gate", "shoe", {"pin": 17, "open_level": "high", "fail_safe": "locked"})


def test_gate_is_found_by_what_it_can(bench: Bench) -> None:
    bench.add_device("gate", "gate", {"pin": 17, "open_level": "high", "fail_safe": "locked"})
    assert isinstance(bench.gate("gate"), ShoeGateSimulator)


def test_what_was_said_to_nobody_is_gone(bench: Bench, clock: ManualClock) -> None:
    bench.add_port("sim://rdm6300/shoe")
    bench.reader("shoe").present("6F007B3972")
    clock.advance(60)
    bench.reader("shoe").remove()
    port = open_port("sim://rdm6300/shoe", Rdm6300("shoe"), read_seconds=0)
    clock.advance(1)
    assert port.read() == b""


def test_bytes_take_their_time_on_the_wire(bench: Bench, clock: ManualClock) -> None:
    """Fourteen bytes of ten bits at 9600 baud: 14.6 ms, after the reader's own time."""
    port = open_port("sim://rdm6300/shoe", Rdm6300("shoe"), read_seconds=0)
    bench.reader("shoe").present("6F007B3972")
    heard = b""
    began = clock()
    while len(heard) < 14:
        clock.advance(0.001)
        heard += port.read()
    assert FIRST_READ_DELAY_S + 0.0145 < clock() - began < FIRST_READ_DELAY_S + 0.017


def test_two_tags_in_the_field_silence_the_reader(bench: Bench, clock: ManualClock) -> None:
    port = open_port("sim://rdm6300/shoe", Rdm6300("shoe"), read_seconds=0)
    reader = bench.reader("shoe")
    reader.present("6F007B3972")
    reader.present("6F007B3973")
    clock.advance(1)
    assert port.read() == b""
    reader.remove("6F007B3972")
    clock.advance(1)
    assert b"6F007B3973" in port.read()


def test_no_tag_no_present(bench: Bench) -> None:
    bench.add_port("sim://rdm6300/shoe")
    with pytest.raises(ValueError, match="ten upper-case hexadecimal digits"):
        bench.reader("shoe").present("As")


def test_cable_pulled_and_put_back_by_the_url(bench: Bench, clock: ManualClock) -> None:
    assert bench.devices() == ()
    url = "sim://rdm6300/shoe?unplug=2&replug=1"
    driver = Rdm6300("shoe")
    port = open_port(url, driver, read_seconds=0)
    clock.advance(1.9)
    assert port.read() == b""
    clock.advance(0.2)
    with pytest.raises(OSError, match="gone"):
        port.read()
    port.close()
    with pytest.raises(OSError, match="nothing is plugged in"):
        open_port(url, driver)
    clock.advance(1.0)
    open_port(url, driver, read_seconds=0).close()


def test_serial_port_in_real_time(bench: Bench) -> None:
    """The one test without a clock of its own: a thread's blocking read gets the frame."""
    bench.close()
    driver = Rdm6300("shoe")
    with Bench() as real:
        port = open_port("sim://rdm6300/shoe", driver, read_seconds=1.0)
        real.reader("shoe").present("6F007B3972")
        events: list[DeviceEvent] = []
        while not events:
            events += driver.receive_data(port.read(), real.clock())
        assert events == [TagRead("shoe", "6F007B3972")]
        port.close()


@given(st.binary(max_size=200), st.integers(0, 9))
def test_cable_without_faults_loses_nothing(data: bytes, split: int) -> None:
    cable = SimulatedLink(LinkFaults(split=split), 9600)
    cable.push(data, 0.0)
    got = b""
    for n in range(400):
        got += cable.pull(100, n / 100)
    assert got == data


def test_cable_forgets_what_nobody_reads() -> None:
    cable = SimulatedLink(LinkFaults(), 115200)
    for _ in range(100):
        cable.push(bytes(100), 0.0)
    assert cable.count_waiting(1e9) == MAX_BUFFER_BYTES


def test_one_seed_one_fate() -> None:
    fates = set()
    for _ in range(3):
        cable = SimulatedLink(LinkFaults(flip=0.1, drop=0.1, double=0.1, burst=0.5, seed=9), 9600)
        for _ in range(10):
            cable.push(b"a frame of bytes", 0.0)
        fates.add(cable.pull(4096, 1e9))
    assert len(fates) == 1


@given(st.binary(max_size=50), st.sampled_from("NEO"))
def test_ends_set_alike_hear_each_other(data: bytes, parity: str) -> None:
    assert simulate_reception(data, LineSettings(9600, parity), LineSettings(9600, parity)) == data


@given(st.binary(min_size=1, max_size=50))
def test_two_hundredths_off_is_near_enough(data: bytes) -> None:
    """UARTs tolerate small differences: the sampled middles stay inside their bits."""
    assert simulate_reception(data, LineSettings(115200, "N"), LineSettings(117400, "N")) == data


def test_wrong_speed_is_garbage_of_a_known_look() -> None:
    heard = simulate_reception(b"\x026F007B39725F\x03", LineSettings(9600, "N"), LineSettings(115200, "N"))
    assert len(heard) > 14
    assert heard.count(0) > len(heard) / 3


@pytest.mark.parametrize(("sender", "receiver"), [("N", "E"), ("E", "N"), ("E", "O")])
def test_wrong_parity_spoils_bytes(sender: str, receiver: str) -> None:
    data = bytes(range(32, 96))
    assert simulate_reception(data, LineSettings(9600, sender), LineSettings(9600, receiver)) != data


def test_what_is_heard_too_fast_takes_no_longer_on_the_wire(clock: ManualClock, bench: Bench) -> None:
    """A receiver at 115200 makes several bytes of each at 9600; they are there when the sender has sent its last."""
    driver = Rdm6300("shoe")
    driver.baudrate = 115200
    port = open_port("sim://rdm6300/shoe", driver, read_seconds=0)
    bench.reader("shoe").present(bench.reader("shoe").nth_tag(1))
    clock.advance(FIRST_READ_DELAY_S)
    clock.advance(14 * 10 / 9600 + 0.001)
    assert len(port.read()) > 14
    clock.advance(0.01)
    assert port.read() == b""
