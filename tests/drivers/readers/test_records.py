"""`tablectl record` and `tablectl play`: the same tags come out of the same driver, however good the line was."""

import io

import pytest

from config.table_file import DeviceSection
from controller.app.workshop.device_console import DeviceConsole
from controller.app.workshop.traffic_capture import CapturePlayback, CaptureWriter
from drivers.contract.driver_interface import ByteDriver, DeviceEvent
from drivers.contract.driver_registry import build_driver
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock
from tests.drivers.serving import list_tags


@pytest.mark.parametrize(
    ("name", "query"),
    [
        *(("pn532", query) for query in ("", "?nack=silent", "?flip=0.002", "?two_tags=alternating")),
        *(("rc522", query) for query in ("", "?flip=0.002")),
    ],
)
def test_record_is_played_as_it_was(name: str, query: str, bench: Bench, clock: ManualClock) -> None:
    file = io.StringIO()
    url = f"sim://{name}/seat4{query}"
    writer = CaptureWriter(file, [DeviceSection("seat4", name, f"sim://{name}/seat4", {})], "2026-11-28")
    driver, heard = build_driver(name, "seat4", {}), list[DeviceEvent]()
    assert isinstance(driver, ByteDriver)
    bench.add_port(url)
    reader = bench.reader("seat4")
    with DeviceConsole({"seat4": driver}, {"seat4": url}, {}, None, traffic=writer.write_traffic) as console:
        for step in range(600):
            clock.advance(0.005)
            if step % 100 == 50:
                reader.present(reader.nth_tag(step // 100))
            if step % 100 == 99:
                reader.remove()
            writer.now = step * 0.005
            heard += console.poll(writer.now)
    writer.end()
    played = list_tags(event for _, event in CapturePlayback(file.getvalue().splitlines()).play_events())
    assert len(set(list_tags(heard))) >= 5
    assert played == list_tags(heard)
