"""What is plugged into this machine: serial ports, scanners that type, the SPI bus; who may open them and who does.

Read from where Linux tells it (`/dev`, `/sys`, `/proc`); `root` stands for `/` so that a test can lay out its own.
"""

import grp
import os
from dataclasses import dataclass
from pathlib import Path

from drivers.ports.port_holders import list_open_devices

BY_ID_FOLDER, BY_PATH_FOLDER = "dev/serial/by-id", "dev/serial/by-path"


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """What a USB device says about itself."""

    vendor: str
    product: str
    serial: str
    name: str
    interface: str
    """Number of the interface; adapters with several ports differ in it alone."""


@dataclass(frozen=True, slots=True)
class MachinePort:
    """One port. `stable_name` is its name that does not change with the order of plugging in, if it has one."""

    node: str
    stable_name: str | None
    usb_device: UsbDevice | None
    group: str
    can_open: bool
    users: tuple[str, ...]
    """Programs that have it open, as far as this user may see."""


def list_serial_ports(root: Path = Path("/")) -> list[MachinePort]:
    """Every serial port with something behind it, in the order of their names."""
    names = _find_stable_names(root)
    users = _find_users(root)
    found = []
    for entry in sorted((root / "sys/class/tty").glob("*")):
        node = root / "dev" / entry.name
        if (entry / "device").exists() and node.exists() and not _is_empty_uart(entry):
            found.append(_make_port(root, node, names, users, _find_usb_device(entry / "device")))
    return found


def list_other_ports(root: Path = Path("/")) -> list[MachinePort]:
    """Scanners that type, under their stable names, and SPI buses."""
    users = _find_users(root)
    inputs = {link.resolve(): f"/{link.relative_to(root)}" for link in (root / "dev/input/by-id").glob("*-event-kbd")}
    nodes = sorted(inputs) + sorted((root / "dev").glob("spidev*"))
    return [_make_port(root, node, inputs, users, None) for node in nodes]


def _make_port(
    root: Path, node: Path, names: dict[Path, str], users: dict[str, list[str]], usb: UsbDevice | None
) -> MachinePort:
    status = node.stat()
    try:
        group = grp.getgrgid(status.st_gid).gr_name
    except KeyError:
        group = str(status.st_gid)
    shown = f"/{node.relative_to(root)}"
    may = os.access(node, os.R_OK | os.W_OK)
    return MachinePort(shown, names.get(node.resolve()), usb, group, may, tuple(users.get(shown, ())))


def _find_stable_names(root: Path) -> dict[Path, str]:
    """By-id names, and by-path names for ports that have no other; ids without a serial number can clash."""
    names: dict[Path, str] = {}
    for folder in (BY_ID_FOLDER, BY_PATH_FOLDER):
        for link in sorted((root / folder).glob("*")):
            names.setdefault(link.resolve(), f"/{folder}/{link.name}")
    return names


def _is_empty_uart(entry: Path) -> bool:
    """Whether the kernel keeps a name here for a UART that is not there (type 0)."""
    kind = entry / "type"
    return kind.exists() and kind.read_text(encoding="ascii").strip() == "0"


def _find_usb_device(device: Path) -> UsbDevice | None:
    interface = ""
    for folder in (resolved := device.resolve(), *resolved.parents):
        if not interface and (folder / "bInterfaceNumber").exists():
            interface = _read_attribute(folder / "bInterfaceNumber")
        if (folder / "idVendor").exists():
            vendor, product = _read_attribute(folder / "idVendor"), _read_attribute(folder / "idProduct")
            return UsbDevice(
                vendor, product, _read_attribute(folder / "serial"), _read_attribute(folder / "product"), interface
            )
    return None


def _read_attribute(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace").strip() if file.exists() else ""


def _find_users(root: Path) -> dict[str, list[str]]:
    """Which other programs have device files open: path -> "name (pid N)"."""
    users: dict[str, list[str]] = {}
    for pid, told, opened in list_open_devices(root):
        if pid != os.getpid():
            users.setdefault(opened, []).append(told)
    return users
