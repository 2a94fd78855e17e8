"""The maker's library against our Pepper C1, over a terminal of the kernel: PyPI `pepper-c1`, its `UARTTransport`."""

# mypy: disable-error-code="import-untyped"

import os
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pepper_c1 import CommandError, PepperC1, PollingEventFormat, UARTTransport
from pepper_c1.commands import Command
from pepper_c1.protocol import FrameParser, build_frame

from drivers.readers.pepper_c1 import MAX_PAYLOAD_BYTES, NOT_NOW, build_command, parse_tag
from drivers.simulators.readers.pepper_c1_simulator import NO_COMMAND, NO_VALUE, RF_ERROR, PepperC1Simulator

UID4, UID7, ISO15693_UID = "74541265", "045D9A31C00001", "E01624010A7F8F04"


@contextmanager
def serve_on_terminal(simulator: PepperC1Simulator) -> Iterator[str]:
    """Let a simulator sit at the far end of a terminal; gives the terminal's name."""
    master, slave = os.openpty()
    tty.setraw(slave)
    is_over = threading.Event()

    def serve() -> None:
        while not is_over.is_set():
            if select.select([master], [], [], 0.002)[0]:
                simulator.receive_data(os.read(master, 4096))
            for _, frame in simulator.take_frames():
                os.write(master, frame)

    server = threading.Thread(target=serve, name="pepper", daemon=True)
    server.start()
    try:
        yield os.ttyname(slave)
    finally:
        is_over.set()
        server.join()
        os.close(master)
        os.close(slave)


@pytest.fixture
def simulator() -> PepperC1Simulator:
    return PepperC1Simulator(time.monotonic)


@pytest.fixture
def library(simulator: PepperC1Simulator) -> Iterator[PepperC1]:
    with serve_on_terminal(simulator) as terminal, PepperC1(UARTTransport(terminal, timeout=0.01)) as made:
        yield made


def refusal(ask: Callable[[], object]) -> int:
    with pytest.raises(CommandError) as refused:
        ask()
    return int(refused.value.error_code) >> 8  # it reads layer and number as one


def test_version_and_life(library: PepperC1) -> None:
    assert library.get_version() == "2.56.2249"
    assert library.send_command(Command.DUMMY) == b""


def test_its_example_of_a_multiplexer(library: PepperC1, simulator: PepperC1Simulator) -> None:
    """README, Antenna multiplexer example: each antenna, how many, and the first; here all of them."""
    lies = {1: [UID4], 3: [UID7, ISO15693_UID], 8: [ISO15693_UID]}
    for antenna, tags in lies.items():
        for tag in tags:
            simulator.present(tag, str(antenna))
    found: dict[int, list[str | None]] = {}
    for antenna in range(1, 9):
        library.set_active_antenna(antenna)
        for index in range(library.get_tag_count()):
            found.setdefault(antenna, []).append(parse_tag(library.get_uid(index)[2:]))
    assert found == lies


def test_the_order_of_a_uid_is_that_of_the_manual(library: PepperC1, simulator: PepperC1Simulator) -> None:
    """Eccel manual 1356NFC, 3.1.5 and 3.6.2."""
    simulator.present(ISO15693_UID)
    assert library.get_tag_count() == 1
    kind, _, *uid = library.get_uid()
    assert 0x21 <= kind <= 0x28
    assert bytes(uid).hex() == "048f7f0a012416e0"


def test_what_is_refused(library: PepperC1, simulator: PepperC1Simulator) -> None:
    simulator._failing_antennas = frozenset((2,))
    library.get_tag_count()
    assert refusal(library.get_uid) == NO_VALUE
    assert refusal(library.save_keys) == NO_COMMAND
    library.set_active_antenna(2)
    assert refusal(library.get_tag_count) == RF_ERROR
    library.set_polling(True)
    library.set_active_antenna(1)
    assert refusal(library.get_tag_count) == NOT_NOW
    library.set_polling(False)
    assert library.get_tag_count() == 0


def test_pushed_tags_come_between_answers(library: PepperC1, simulator: PepperC1Simulator) -> None:
    simulator.present(UID7, "4")
    library.set_polling(True)
    deadline = time.monotonic() + 20
    while not library.async_events and time.monotonic() < deadline:
        library.get_version()
    assert library.async_events[0].hex().upper().endswith("04" + UID7)


def test_a_c1_without_multiplexer_refuses_to_choose() -> None:
    single = PepperC1Simulator(time.monotonic, mux="no")
    single.present(UID7)
    with serve_on_terminal(single) as terminal, PepperC1(UARTTransport(terminal, timeout=0.01)) as library:
        assert refusal(lambda: library.set_active_antenna(1)) == NO_COMMAND
        assert library.get_tag_count() == 1


@pytest.mark.parametrize("size", [1, 2, 8, MAX_PAYLOAD_BYTES])
def test_frames_are_those_of_the_library(size: int) -> None:
    payload = bytes(range(256))[-size:]
    assert build_command(*payload) == build_frame(payload)
    assert FrameParser().feed(b"\x00" + build_command(*payload)) == [payload]


def test_it_is_made_push_as_home_assistant_makes_it(library: PepperC1, simulator: PepperC1Simulator) -> None:
    """eccel-dev/ha-pepper-c1, coordinator.py: then tags come as text without a frame; our driver's greeting ends it."""
    simulator.present(UID7, "4")
    library.set_polling(False)
    library.polling_setup_timeout(200)
    for known in (False, True):
        library.polling_setup_async(known, PollingEventFormat.JSON)
    library.set_polling(True)
    said = b""
    deadline = time.monotonic() + 20
    while UID7.encode() not in said and time.monotonic() < deadline:
        said += library._transport._read_chunk(256)
    assert b'"uid":"' + UID7.encode() in said
    assert library.get_version() == "2.56.2249"
    library.set_polling(False)
    assert library.get_tag_count() == 0
