"""Rules for udev: a stable name a device, the right group, no modem programs, no held-back bytes."""

from collections.abc import Mapping, Sequence

from controller.app.doctor.ports import Port

HEAD = """\
# Ports of a poker table. Put this into /etc/udev/rules.d/70-table.rules, then:
#   sudo udevadm control --reload && sudo udevadm trigger
# and name the ports /dev/table/NAME in the table's file."""

FOR_ALL = """\
# Pins, lights and scanners that type, for the groups of the same names.
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_KEY}=="1", GROUP="input", MODE="0660\""""

FTDI = "0403"


def rules(ports: Sequence[Port], named: Mapping[str, str]) -> str:
    """Write the rules; `named` maps a port, by any of its names, to the device of the table that is on it."""
    parts = [HEAD]
    for number, port in enumerate((port for port in ports if port.usb is not None), start=1):
        name = named.get(port.node) or named.get(port.stable or "") or f"port{number}"
        parts.append(_rule(port, name))
    if len(parts) == 1:
        parts.append("# No USB serial port is plugged in now: plug the devices in and run this again.")
    return "\n\n".join([*parts, FOR_ALL]) + "\n"


def _rule(port: Port, name: str) -> str:
    usb = port.usb
    assert usb is not None
    match = [f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{usb.vendor}", ATTRS{{idProduct}}=="{usb.product}"']
    remark = f"# {usb.name or 'USB serial port'}, now {port.node}"
    if usb.serial:
        match.append(f'ATTRS{{serial}}=="{usb.serial}"')
    else:
        remark += "\n# It has no serial number: a second one of its kind would match too; then use its by-path name."
    if usb.interface:
        match.append(f'ENV{{ID_USB_INTERFACE_NUM}}=="{usb.interface}"')
    does = [f'SYMLINK+="table/{name}"', 'GROUP="dialout"', 'MODE="0660"', 'ENV{ID_MM_DEVICE_IGNORE}="1"']
    if usb.vendor == FTDI:
        does.append('ATTR{device/latency_timer}="1"')
    return f"{remark}\n{', '.join([*match, *does])}"
