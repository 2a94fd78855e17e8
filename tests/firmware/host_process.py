"""A host that holds the gate open until it is killed: `python -m tests.firmware.host_process PTY`."""

import sys
import time

import serial

from firmware_bridge.link import TICK_INTERVAL_S, Link


def main(path: str) -> None:
    link = Link()
    link.on_port_opened()
    with serial.Serial(path, 115200, timeout=TICK_INTERVAL_S / 2, exclusive=True) as port:
        while True:
            link.receive_data(port.read(256), time.monotonic())
            link.open_gate(time.monotonic() + 60)
            link.on_tick(time.monotonic())
            port.write(link.take_outgoing())


if __name__ == "__main__":
    main(sys.argv[1])
