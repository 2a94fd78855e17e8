"""What is plugged into this machine: serial ports, scanners that type, the SPI bus; who may open them and who does.

Read from where Linux tells it (`/dev`, `/sys`, `/proc`); `root` stands for `/` so that a test can lay out its own.
"""

import grp
import os
from dataclasses import dataclass
from pathlib import Path

from drivers.ports.holders import open_devices

BY_ID, BY_PATH = "dev/serial/by-id", "dev/serial/by-path"


@dataclass(frozen=True, slots=True)
class Usb:
    """What a USB device says about itself."""

    vendor: str
    product: str
    serial: str
    name: str
    interface: str
    """Number of the interface; adapters with several ports differ in it alone."""


@dataclass(frozen=True, slots=True)
class Port:
    """One port. `stable` is its name that does not change with the order of plugging in, if it has one."""

    node: str
    stable: str | None
    usb: Usb | None
    group: str
    may_open: bool
    users: tuple[str, ...]
    """Programs that have it open, as far as this user may see."""


def serial_ports(root: Path = Path("/")) -> list[Port]:
    """Every serial port with something behind it, in the order of their names."""
    names = _stable_names(root)
    users = _users(root)
    found = []
    for entry in sorted((root / "sys/class/tty").glob("*")):
        node = root / "dev" / entry.name
        if (entry / "device").exists() and node.exists() and not _is_empty_uart(entry):
            found.append(_port(root, node, names, users, _usb(entry / "device")))
    return found


def other_ports(root: Path = Path("/")) -> list[Port]:
    """Scanners that type, under their stable names, and SPI buses."""
    users = _users(root)
    inputs = {link.resolve(): f"/{link.relative_to(root)}" for link in (root / "dev/input/by-id").glob("*-event-kbd")}
    nodes = sorted(inputs) + sorted((root / "dev").glob("spidev*"))
    return [_port(root, node, inputs, users, None) for node in nodes]


def _port(root: Path, node: Path, names: dict[Path, str], users: dict[str, list[str]], usb: Usb | None) -> Port:
    status = node.stat()
    try:
        group = grp.getgrgid(status.st_gid).gr_name
    except KeyError:
        group = str(status.st_gid)
    shown = f"/{node.relative_to(root)}"
    may = os.access(node, os.R_OK | os.W_OK)
    return Port(shown, names.get(node.resolve()), usb, group, may, tuple(users.get(shown, ())))


def _stable_names(root: Path) -> dict[Path, str]:
    """By-id names, and by-path names for ports that have no other; ids without a serial number can clash."""
    names: dict[Path, str] = {}
    for folder in (BY_ID, BY_PATH):
        for link in sorted((root / folder).glob("*")):
            names.setdefault(link.resolve(), f"/{folder}/{link.name}")
    return names


def _is_empty_uart(entry: Path) -> bool:
    """Whether the kernel keeps a name here for a UART that is not there (type 0)."""
    kind = entry / "type"
    return kind.exists() and kind.read_text(encoding="ascii").strip() == "0"


def _usb(device: Path) -> Usb | None:
    interface = ""
    for folder in (resolved := device.resolve(), *resolved.parents):
        if not interface and (folder / "bInterfaceNumber").exists():
            interface = _told(folder / "bInterfaceNumber")
        if (folder / "idVendor").exists():
            vendor, product = _told(folder / "idVendor"), _told(folder / "idProduct")
            return Usb(vendor, product, _told(folder / "serial"), _told(folder / "product"), interface)
    return None


def _told(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace").strip() if file.exists() else ""


def _users(root: Path) -> dict[str, list[str]]:
    """Which other programs have device files open: path -> "name (pid N)"."""
    users: dict[str, list[str]] = {}
    for pid, told, opened in open_devices(root):
        if pid != os.getpid():
            users.setdefault(opened, []).append(told)
    return users
