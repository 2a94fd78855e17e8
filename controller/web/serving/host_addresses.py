"""Under which names and addresses this machine can be asked for."""

import fcntl
import ipaddress
import socket
import struct
from pathlib import Path

SIOCGIFADDR = 0x8915

INTERFACES_FOLDER = Path("/sys/class/net")
"""Asked there and not by netlink, which the service is not allowed."""


def list_own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine's interfaces, without the loopback's."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for name in sorted(path.name for path in INTERFACES_FOLDER.glob("*")):
            try:
                answer = fcntl.ioctl(asked, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # it has none
                continue
            address = socket.inet_ntoa(answer[20:24])
            if not ipaddress.ip_address(address).is_loopback:
                found.append(address)
    return found


def make_own_host_name() -> str:
    """Return the name that this machine has in its network (mDNS)."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def list_own_hosts() -> list[str]:
    """Return name and addresses under which this machine can be asked for."""
    return [make_own_host_name(), *list_own_addresses()]


def choose_url_host(host: str) -> str:
    """Return the host of an address that people can type, for a page that is served at `host`."""
    if not ipaddress.ip_address(host).is_unspecified:
        return f"[{host}]" if ":" in host else host
    return next(iter(list_own_addresses()), make_own_host_name())
