"""Rules for udev: a stable name a device, the right group, no modem programs, no held-back bytes."""

from collections.abc import Mapping, Sequence

from controller.app.diagnostics.machine_ports import MachinePort

HEADER = """\
# Ports of a poker table. Put this into /etc/udev/rules.d/70-table.rules, then:
#   sudo udevadm control --reload && sudo udevadm trigger
# and name the ports /dev/table/NAME in the table's file."""

COMMON_RULES = """\
# Pins, lights and scanners that type, for the groups of the same names.
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="input", KERNEL=="event*", ENV{ID_INPUT_KEY}=="1", GROUP="input", MODE="0660\""""

FTDI_VENDOR_ID = "0403"


def render_udev_rules(ports: Sequence[MachinePort], named: Mapping[str, str]) -> str:
    """Write the rules; `named` maps a port, by any of its names, to the device of the table that is on it."""
    parts = [HEADER]
    for number, port in enumerate((port for port in ports if port.usb_device is not None), start=1):
        name = named.get(port.node) or named.get(port.stable_name or "") or f"port{number}"
        parts.append(_render_rule(port, name))
    if len(parts) == 1:
        parts.append("# No USB serial port is plugged in now: plug the devices in and run this again.")
    return "\n\n".join([*parts, COMMON_RULES]) + "\n"


def _render_rule(port: MachinePort, name: str) -> str:
    usb = port.usb_device
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
    if usb.vendor == FTDI_VENDOR_ID:
        does.append('ATTR{device/latency_timer}="1"')
    return f"{remark}\n{', '.join([*match, *does])}"
