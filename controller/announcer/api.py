"""A table's API over HTTP: `source.Table` of a running table."""

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from config.announcer_file import ReadTable, is_here

BASE = "/api/v1"
SILENCE_SECONDS = 25.0
"""After so long without a sign of life the connection is given up: the API says something every ten seconds."""

LONGEST_LINE = 1 << 20
"""Bytes of one event; a table is some 10 kB."""

LONGEST_REFUSAL = 2000
LIT_SECONDS = 0.7
"""How long each step of the walk of lamps is lit."""


class TableApi:
    """The API at the address of `table`, with the rights of `token`."""

    def __init__(self, table: ReadTable, token: str) -> None:
        """Prepare; raises `OSError` where the certificate cannot be read."""
        parts = urlsplit(table.url)
        assert parts.hostname is not None
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "table-controller-announcer"}
        self._trust: ssl.SSLContext | None = None
        if parts.scheme == "https":
            named = None if table.certificate is None else str(table.certificate)
            self._trust = ssl.create_default_context(cafile=named)
            # On this machine the page is asked for by an address that need not be a name of its own certificate.
            self._trust.check_hostname = named is None or not is_here(parts.hostname)
        self._closed = threading.Event()
        self._wire: socket.socket | None = None

    def states(self) -> Iterator[Mapping[str, Any]]:
        """Yield the table as it stands and each time that it changes, until the connection ends."""
        connection = self._connection()
        try:
            answer = self._ask(connection, "GET", "/events", None)
            self._wire = connection.sock
            table: Mapping[str, Any] | None = None
            while line := answer.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise OSError("it sends events without end")
                if line.startswith(b"data:"):
                    table = json.loads(line.removeprefix(b"data:"))
                    yield table
        except http.client.HTTPException as why:
            raise OSError(f"it does not speak as a table does ({type(why).__name__})") from None
        finally:
            self._wire = None
            connection.close()

    def call_floor(self) -> None:
        """Call the floor to the table."""
        self._post("/call", {"wanted": True})

    def test_lamps(self) -> None:
        """Light every step of the walk of lamps in turn."""
        steps, step = 1, 0
        try:
            while step < steps and not self._closed.is_set():
                steps = int(self._post("/lamps", {"step": step})["steps"])
                step += 1
                self._closed.wait(LIT_SECONDS)
        finally:
            if step:
                self._post("/lamps", {"step": None})

    def close(self) -> None:
        """End what is waited for. May be called from a signal's handler."""
        self._closed.set()
        wire = self._wire
        if wire is not None:
            with suppress(OSError):  # it is closed already
                wire.shutdown(socket.SHUT_RDWR)

    def _post(self, path: str, content: Mapping[str, object]) -> Any:  # noqa: ANN401 (whatever JSON says)
        connection = self._connection()
        try:
            text = self._ask(connection, "POST", path, json.dumps(content)).read(LONGEST_LINE)
            return json.loads(text) if text else None
        except http.client.HTTPException as why:
            raise OSError(f"it does not speak as a table does ({type(why).__name__})") from None
        finally:
            connection.close()

    def _ask(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: str | None
    ) -> http.client.HTTPResponse:
        """Send a request; return the answer. What is refused raises `OSError` with the sentence of the refusal."""
        more = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, f"{self._path}{BASE}{path}", body, {**self._headers, **more})
        answer = connection.getresponse()
        if 200 <= answer.status < 300:
            return answer
        try:
            said = json.loads(answer.read(LONGEST_REFUSAL))
            raise OSError(f"{said['code']}: {said['message']}")
        except (ValueError, KeyError, TypeError):
            raise OSError(f"it answers {answer.status}") from None

    def _connection(self) -> http.client.HTTPConnection:
        if self._trust is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=SILENCE_SECONDS)
        return http.client.HTTPSConnection(self._host, self._port, timeout=SILENCE_SECONDS, context=self._trust)
