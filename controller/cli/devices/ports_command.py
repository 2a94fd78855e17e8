"""`tablectl ports`: what is plugged in."""

import argparse

from controller.command_table import Command


def run(options: argparse.Namespace) -> int:  # noqa: ARG001 - every command takes them
    """Run the command; return the exit status 0."""
    from controller.app.diagnostics.machine_checks import explain_group_access
    from controller.app.diagnostics.machine_ports import MachinePort, list_other_ports, list_serial_ports

    def show(port: MachinePort, name: str) -> None:
        print(name)
        if port.usb_device is not None:
            serial = (
                f", serial number {port.usb_device.serial}" if port.usb_device.serial else ", without a serial number"
            )
            print(
                f"    {port.usb_device.name or 'USB device'} "
                f"({port.usb_device.vendor}:{port.usb_device.product}{serial})"
            )
        if port.stable_name:
            print(f"    now {port.node}")
        if not port.can_open:
            print(f"    this user may not open it: {explain_group_access(port.group)}")
        if port.users:
            print(f"    open in {', '.join(port.users)}")

    serial = list_serial_ports()
    others = list_other_ports()
    for port in serial:
        show(port, port.stable_name or port.node)
    for port in others:
        scheme = "evdev" if port.stable_name else "spi"
        show(port, f"{scheme}://{port.stable_name or port.node}")
    if not serial and not others:
        print("nothing is plugged in: no serial port, no scanner that types, no SPI bus")
    return 0


COMMAND = Command(
    "ports",
    "Lists serial ports, scanners that type and SPI buses: the name for the table's file, what it is, "
    "whether this user may open it, and who has it open.",
    run=run,
    as_table_user=True,
)
