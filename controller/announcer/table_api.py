"""A running table as the announcer has it: `TableSource` by the client of its API."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from config.announcer_file import TableSection, is_loopback_host
from controller.client.api_types import Table
from controller.client.page_address import PageAddress
from controller.client.table_client import RequestRefusedError, TableClient

LAMP_STEP_DURATION_S = 0.7
"""How long each step of the walk of lamps is lit."""


class TableApi:
    """The API at the address of `table`, with the rights of `token`."""

    def __init__(self, table: TableSection, token: str) -> None:
        """Prepare; raises `OSError` where the certificate cannot be read."""
        self._client = TableClient(_make_address(table), token, plain=True)  # or its file would not have been taken
        self._lamp_timer = threading.Event()

    def iter_states(self) -> Iterator[Table]:
        """Yield the table as it stands and each time that it changes, until the connection ends."""
        with _translate_refusals():
            yield from self._client.iter_tables()

    def call_floor(self) -> None:
        """Call the floor to the table."""
        with _translate_refusals():
            self._client.call_floor()

    def test_lamps(self) -> None:
        """Light every step of the walk of lamps in turn."""
        steps, step = 1, 0
        with _translate_refusals():
            try:
                while step < steps:
                    steps = self._client.light_lamps(step)["steps"]
                    step += 1
                    self._lamp_timer.wait(LAMP_STEP_DURATION_S)
            finally:
                if step:
                    self._client.light_lamps(None)


def _make_address(table: TableSection) -> PageAddress:
    parts = urlsplit(table.url)
    assert parts.hostname is not None
    if parts.scheme == "http":
        return PageAddress(parts.hostname, parts.port or 80)
    trust = ssl.create_default_context(cafile=None if table.certificate is None else str(table.certificate))
    # On this machine the page is asked for by an address that need not be a name of its own certificate.
    trust.check_hostname = table.certificate is None or not is_loopback_host(parts.hostname)
    return PageAddress(parts.hostname, parts.port or 443, trust)


@contextmanager
def _translate_refusals() -> Iterator[None]:
    """What the table refuses is an `OSError`, as what it does not answer is."""
    try:
        yield
    except RequestRefusedError as why:
        raise OSError(f"{why.code}: {why.message}" if why.code else why.message) from None
