"""The reader that docs/adding-a-reader.md builds works as written there."""

import re
from pathlib import Path
from typing import Any

from pytest_mock import MockerFixture

from drivers.contract import driver_registry
from drivers.contract.driver_interface import ByteDriver, DeviceEvent, DeviceReady, TagRead, TagReader
from drivers.contract.driver_registry import build_driver, list_driver_keys
from drivers.ports.byte_port import open_port
from drivers.simulators.bench import bench as bench_module
from drivers.simulators.bench.bench import Bench
from drivers.simulators.bench.manual_clock import ManualClock

GUIDE = (Path(__file__).parents[3] / "docs" / "adding-a-reader.md").read_text(encoding="utf-8")


def test_the_guide_leads_to_a_reader(mocker: MockerFixture, bench: Bench, clock: ManualClock) -> None:
    driver_text, simulator_text = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[:2]
    made: dict[str, Any] = {"__name__": "acme"}
    for text in (driver_text, simulator_text):
        exec(compile(text, "docs/adding-a-reader.md", "exec"), made)
    mocker.patch.dict("drivers.contract.driver_registry.DRIVERS", {"acme": "acme:Acme"})
    mocker.patch.dict("drivers.simulators.SIMULATORS", {"acme": "acme:AcmeSimulator"})
    mocker.patch.object(driver_registry, "import_class", side_effect=lambda where: made[where.partition(":")[2]])
    mocker.patch.object(bench_module, "import_class", side_effect=lambda where: made[where.partition(":")[2]])
    assert [key.name for key in list_driver_keys("acme")] == ["prefix"]
    driver = build_driver("acme", "shoe", {"prefix": "T"})
    assert isinstance(driver, ByteDriver)
    assert isinstance(driver, TagReader)
    port = open_port("sim://acme/shoe?burst=0.5&split=2", driver, read_seconds=0)
    reader = bench.reader("shoe")
    events: list[DeviceEvent] = []
    for number in range(5):
        reader.present(reader.nth_tag(number))
        for _ in range(100):
            clock.advance(0.01)
            events += driver.receive_data(port.read(), clock())
    read = [event.tag for event in events if isinstance(event, TagRead)]
    assert set(read) <= {reader.nth_tag(number) for number in range(5)}
    assert len(read) >= 2
    assert driver.on_port_opened() == b""
    assert (driver.baudrate, driver.parity, driver.stopbits, driver.absence_timeout_s) == (19200, "N", 1.0, 0.0)


def test_the_guide_leads_to_a_reader_that_is_asked() -> None:
    text = next(text for text in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "class AskedAcme" in text)
    made: dict[str, Any] = {"__name__": "acme"}
    exec(compile(text, "docs/adding-a-reader.md", "exec"), made)
    driver = made["AskedAcme"]("shoe")
    assert isinstance(driver, TagReader)
    assert driver.on_port_opened() == b""
    assert driver.on_tick(1.0) == (b"V\r", [])
    assert driver.receive_data(b"1.4\r", 1.05) == [DeviceReady("shoe")]
    assert driver.on_tick(1.2)[0] == b"?\r"
    assert driver.receive_data(b"\r", 1.25) == []
    assert driver.on_tick(1.4)[0] == b"?\r"
    assert driver.receive_data(b"6f007b00\r", 1.45) == [TagRead("shoe", "6F007B00")]
