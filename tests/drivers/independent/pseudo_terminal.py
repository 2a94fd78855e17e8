"""A simulated device behind a pseudo-terminal, where a library of others opens it as it would open a real port."""

import os
import pty
import select
import termios
import threading
import tty
from types import TracebackType
from typing import Self

from drivers.simulators.bench.simulator_interfaces import ByteSimulator
from drivers.simulators.bench.uart import LineSettings, simulate_reception

PATIENCE_S = 20.0
POLL_INTERVAL_S = 0.002

BAUDRATE_BY_CODE = {
    getattr(termios, f"B{baudrate}"): baudrate
    for baudrate in (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
}


class PseudoTerminal:
    """Carries bytes between simulator and `path` until closed; what stands at different speeds garbles them.

    It does not know parity: Linux has none on pseudo-terminals.
    """

    def __init__(self, simulator: ByteSimulator) -> None:
        self._simulator = simulator
        self._near, self._far = pty.openpty()
        tty.setraw(self._far)
        self.path = os.ttyname(self._far)
        self.heard_bytes = 0
        self._has_heard = threading.Condition()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join(PATIENCE_S)
        os.close(self._near)
        os.close(self._far)

    def wait_until_heard(self, count: int) -> None:
        """Wait until the simulator has heard so many bytes: a library may change its speed or close at once."""
        with self._has_heard:
            assert self._has_heard.wait_for(lambda: self.heard_bytes >= count, PATIENCE_S)

    def _carry(self) -> None:
        while not self._is_over.is_set():
            readable, _, _ = select.select([self._near], [], [], POLL_INTERVAL_S)
            ours = LineSettings(BAUDRATE_BY_CODE[termios.tcgetattr(self._far)[5]], self._simulator.parity)
            if readable:
                data = os.read(self._near, 4096)
                self._simulator.receive_data(simulate_reception(data, ours, self._get_settings()))
                with self._has_heard:
                    self.heard_bytes += len(data)
                    self._has_heard.notify_all()
            for _, frame in self._simulator.take_frames():
                os.write(self._near, simulate_reception(frame, self._get_settings(), ours))

    def _get_settings(self) -> LineSettings:
        return LineSettings(self._simulator.baudrate, self._simulator.parity)
