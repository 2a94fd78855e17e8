"""Reads where a room's servers are, as somebody types it: `HOST_PATTERN` or `HOST:PORT`."""

import ipaddress
import re
from collections.abc import Sequence

from controller.room_contract.certificate_request import ProvisioningError
from room.provisioning.nats_configuration import NatsNode

HOST_PATTERN = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*", re.I
)
"""The name of a host [RFC 1123, 2.1]."""

PORT_STRIDE = 10
"""How far the ports of servers on one machine are apart: they share none."""

MAX_PORT = 65535


def parse_nodes(places: Sequence[str]) -> list[NatsNode]:
    """The servers of a room, in order; raises `SetUpError`."""
    hosts = {place.partition(":")[0] for place in places}
    nodes = []
    for number, place in enumerate(places):
        apart = PORT_STRIDE * number if len(hosts) == 1 else 0
        host, port = _parse_host_and_port(place)
        first = NatsNode(host)
        nodes.append(
            NatsNode(host, port or first.client_port + apart, first.cluster_port + apart, first.mqtt_port + apart)
        )
    if len({(node.host, node.client_port) for node in nodes}) < len(nodes):
        raise ProvisioningError(f"{' '.join(places)}: two servers cannot be at one place")
    return nodes


def _parse_host_and_port(place: str) -> tuple[str, int]:
    """Host and port of a place, 0 where it says none."""
    host, colon, port = place.partition(":")
    if not HOST_PATTERN.fullmatch(host) or (colon and not (port.isascii() and port.isdecimal())):
        raise ProvisioningError(f"{place!r} is no place of a server; want HOST or HOST:PORT, such as room-1.lan:4222")
    if re.fullmatch(r"[0-9.]+", host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise ProvisioningError(
                f"{host!r} is no address; want four numbers from 0 to 255, such as 10.0.0.7"
            ) from None
    if colon and not 1 <= int(port[:6]) <= MAX_PORT:
        raise ProvisioningError(f"{place!r}: a port is 1 to {MAX_PORT}")
    return host, int(port or 0)


def check_server_url(address: str) -> str:
    """Return the address of a server as a table has it, `tls://HOST:PORT`; raises `SetUpError`."""
    kind, _, place = address.partition("://")
    if kind != "tls" or not _parse_host_and_port(place)[1]:
        raise ProvisioningError(
            f"{address!r} is no server's address; want tls://HOST:PORT, such as tls://room-1.lan:4222"
        )
    return address
