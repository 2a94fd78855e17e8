"""Reads where a room's servers are, as somebody types it: `HOST` or `HOST:PORT`."""

import ipaddress
import re
from collections.abc import Sequence

from room.set_up.authority import SetUpError
from room.set_up.servers import Node

HOST = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*", re.I)
"""The name of a host [RFC 1123, 2.1]."""

APART = 10
"""How far the ports of servers on one machine are apart: they share none."""

MOST_PORT = 65535


def nodes_of(places: Sequence[str]) -> list[Node]:
    """The servers of a room, in order; raises `SetUpError`."""
    hosts = {place.partition(":")[0] for place in places}
    nodes = []
    for number, place in enumerate(places):
        apart = APART * number if len(hosts) == 1 else 0
        host, port = _read(place)
        first = Node(host)
        nodes.append(Node(host, port or first.port + apart, first.cluster + apart, first.mqtt + apart))
    if len({(node.host, node.port) for node in nodes}) < len(nodes):
        raise SetUpError(f"{' '.join(places)}: two servers cannot be at one place")
    return nodes


def _read(place: str) -> tuple[str, int]:
    """Host and port of a place, 0 where it says none."""
    host, colon, port = place.partition(":")
    if not HOST.fullmatch(host) or (colon and not (port.isascii() and port.isdecimal())):
        raise SetUpError(f"{place!r} is no place of a server; want HOST or HOST:PORT, such as room-1.lan:4222")
    if re.fullmatch(r"[0-9.]+", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise SetUpError(f"{host!r} is no address; want four numbers from 0 to 255, such as 10.0.0.7") from None
    if colon and not 1 <= int(port[:6]) <= MOST_PORT:
        raise SetUpError(f"{place!r}: a port is 1 to {MOST_PORT}")
    return host, int(port or 0)


def server_address(address: str) -> str:
    """Return the address of a server as a table has it, `tls://HOST:PORT`; raises `SetUpError`."""
    kind, _, place = address.partition("://")
    if kind != "tls" or not _read(place)[1]:
        raise SetUpError(f"{address!r} is no server's address; want tls://HOST:PORT, such as tls://room-1.lan:4222")
    return address
