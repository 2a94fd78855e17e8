"""A scanner's driver and its simulator on a perfect line."""

from drivers.contract.driver_interface import ByteDriver, DeviceEvent
from drivers.simulators.bench.manual_clock import ManualClock
from drivers.simulators.bench.simulator_interfaces import ByteSimulator
from tests.drivers.serving import PerfectCable, serve


class Conversation:
    """Looked at every 10 ms unless told otherwise; `sent` is what the driver sent."""

    def __init__(self, driver: ByteDriver, simulator: ByteSimulator, clock: ManualClock, step_s: float = 0.01) -> None:
        self.driver, self.clock, self.step_s = driver, clock, step_s
        self.cable = PerfectCable(simulator)
        self.sent = self.cable.sent
        self.open_port()
        self.sent.clear()

    def open_port(self) -> None:
        self.cable.write(self.driver.on_port_opened())

    def run(self, seconds: float) -> list[DeviceEvent]:
        return serve(self.driver, self.cable, self.clock, seconds, self.step_s)
