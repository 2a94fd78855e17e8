"""`tablectl ports`: what is plugged in."""

import argparse


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "ports",
        description="Lists serial ports, scanners that type and SPI buses: the name for the table's file, what it is, "
        "whether this user may open it, and who has it open.",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:  # noqa: ARG001 - every command takes them
    """Run the command; return the exit status 0."""
    from controller.app.doctor.machine_checks import joining
    from controller.app.doctor.ports import Port, other_ports, serial_ports

    def show(port: Port, name: str) -> None:
        print(name)
        if port.usb is not None:
            serial = f", serial number {port.usb.serial}" if port.usb.serial else ", without a serial number"
            print(f"    {port.usb.name or 'USB device'} ({port.usb.vendor}:{port.usb.product}{serial})")
        if port.stable:
            print(f"    now {port.node}")
        if not port.may_open:
            print(f"    this user may not open it: {joining(port.group)}")
        if port.users:
            print(f"    open in {', '.join(port.users)}")

    serial = serial_ports()
    others = other_ports()
    for port in serial:
        show(port, port.stable or port.node)
    for port in others:
        scheme = "evdev" if port.stable else "spi"
        show(port, f"{scheme}://{port.stable or port.node}")
    if not serial and not others:
        print("nothing is plugged in: no serial port, no scanner that types, no SPI bus")
    return 0
