"""Where a running table's page and API are, and by what its certificate is known."""

import http.client
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

SILENCE_TIMEOUT_S = 25.0
"""After so long without a sign of life a connection is given up: the table says something every ten seconds."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where a page is; `ssl_context` is what its certificate is checked against, `None` for plain HTTP.

    `is_own_table`: it is the page of a table of this machine, at whatever address.
    """

    host: str
    port: int
    ssl_context: ssl.SSLContext | None = None
    is_own_table: bool = False

    @property
    def is_private(self) -> bool:
        """Whether nobody between can read what is sent there: it is enciphered, or does not leave this machine."""
        if self.ssl_context is not None or self.is_own_table or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def connect(self) -> http.client.HTTPConnection:
        """Make a connection; nothing is sent yet."""
        if self.ssl_context is None:
            return http.client.HTTPConnection(self.host, self.port, timeout=SILENCE_TIMEOUT_S)
        return http.client.HTTPSConnection(self.host, self.port, timeout=SILENCE_TIMEOUT_S, context=self.ssl_context)

    def __str__(self) -> str:
        """Say where that is, in a sentence."""
        return f"{self.host}, port {self.port}"


def parse_address(url: str) -> PageAddress:
    """Take an address apart; raises `ValueError` for what is none."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.hostname is None:
        raise ValueError(f"{url!r} is no address of a page; want one such as http://127.0.0.1:8080/")
    if parts.scheme == "https":
        return PageAddress(parts.hostname, parts.port or 443, ssl.create_default_context())
    return PageAddress(parts.hostname, parts.port or 80)


def make_own_address(host: str, port: int, certificate: Path | None) -> PageAddress:
    """The page of a table of this machine, bound to `host`, known by its own certificate; raises `ValueError`."""
    if certificate is None:
        return PageAddress(host, port, is_own_table=True)
    try:
        trust = ssl.create_default_context(cafile=str(certificate))
    except OSError as why:
        raise ValueError(f"{certificate} cannot be used: {why}") from why
    trust.check_hostname = False  # the address that the page is bound to need not be a name of the certificate
    return PageAddress(host, port, trust, is_own_table=True)
