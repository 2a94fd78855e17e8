"""Asks a running table's API (docs/api.md). What it answers is typed by `controller.client.api_types`."""

import http.client
import json
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlencode

from controller.client.api_types import ErrorEntry, Hands, HandSteps, Health, Inventory, Table, Walk
from controller.client.page_address import PageAddress
from controller.strict_json import parse_json

API_BASE_PATH = "/api/v1"

MAX_LINE_BYTES = 1 << 20
"""Bytes of one event at most; a table has some 10 kB."""

STARTING_STATUS = 503


class RequestRefusedError(Exception):
    """The table answered that it does not take a request; the message is its own, `code` one of the error catalogue."""

    def __init__(self, status: int, code: str, message: str, wait: float = 0.0) -> None:
        """Keep the parts; `wait`: seconds to the next try, 0 where waiting does not help."""
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after_s = wait


class TableClient:
    """The table whose page is at `address`, with the rights of `token`.

    Every method raises `RequestRefusedError` where the table refuses, and `OSError` where there is no table or it says
    no HTTP.
    """

    def __init__(self, place: PageAddress, token: str | None = None, *, plain: bool = False) -> None:
        """Prepare; raises `ValueError` for a token that everybody on the way could read, unless `plain` allows it."""
        if token is not None and not (plain or place.is_private):
            raise ValueError(
                f"everybody on the way to {place} could read the token: use https, or allow it in clear (--plain)"
            )
        self.address = place
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def fetch_health(self) -> Health:
        """Return whether the table is up; takes no token."""
        told = cast(dict[str, Any], self._request("GET", "/health", taken=(http.client.OK, STARTING_STATUS)))
        if "status" not in told:  # what keeps it from starting
            raise RequestRefusedError(STARTING_STATUS, str(told.get("code", "")), str(told.get("message", "")))
        return cast(Health, told)

    def fetch_table(self) -> Table:
        """Return the table as it stands."""
        return cast(Table, self._request("GET", "/table"))

    def fetch_inventory(self) -> Inventory:
        """Return what runs at the table: versions and hashes."""
        return cast(Inventory, self._request("GET", "/inventory"))

    def iter_tables(self, after: int | None = None) -> Iterator[Table]:
        """Yield the table as it stands, or each standing later than number `after`, and then whenever it changes."""
        connection = self.address.connect()
        more = {} if after is None else {"Last-Event-ID": str(after)}
        try:
            answer = self._send(connection, "GET", "/events", None, more)
            if answer.status != http.client.OK:
                raise _make_refused_error(answer.status, answer.read(MAX_LINE_BYTES))
            while line := answer.readline(MAX_LINE_BYTES):
                if line.startswith(b"data: "):
                    yield cast(Table, parse_json(line.removeprefix(b"data: ")))
        except http.client.HTTPException as why:
            raise OSError(f"it does not speak as a table does ({type(why).__name__})") from None
        finally:
            connection.close()

    def search_hands(self, **wanted: str) -> Hands:
        """Look for hands by `player`, `dealer`, `ruling`, `since`, `until`; `before` goes on where a look ended."""
        return cast(Hands, self._request("GET", f"/hands?{urlencode(wanted)}" if wanted else "/hands"))

    def fetch_hand(self, session: int, number: int) -> HandSteps:
        """Return one hand, entry by entry; may take seconds."""
        return cast(HandSteps, self._request("GET", f"/hands/{session:d}/{number:d}"))

    def fetch_errors(self) -> list[ErrorEntry]:
        """Return the error catalogue."""
        return cast(list[ErrorEntry], self._request("GET", "/errors"))

    def call_floor(self) -> None:
        """Call the floor to the table."""
        self._request("POST", "/call", {"wanted": True}, taken=(http.client.NO_CONTENT,))

    def light_lamps(self, step: int | None) -> Walk:
        """Light a step of the walk of lamps, from 0; `None`: none. The table must be out of service."""
        return cast(Walk, self._request("POST", "/lamps", {"step": step}))

    def enter_line(self, line: Mapping[str, object], seen: int) -> None:
        """Enter a line of the table script at a simulated table, as an answer to its entry `seen`."""
        self._request("POST", "/entries", {"seen": seen, "line": line}, taken=(http.client.ACCEPTED,))

    def send_room_request(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        """Pass on what the room asks of the table; return the table's answer."""
        return cast(dict[str, Any], self._request("POST", f"/room/{verb}", content))

    def fetch_script_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a line of the table script; takes no token."""
        return cast(dict[str, Any], self._request("GET", "/script.schema.json"))

    def fetch_openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document; takes no token."""
        return cast(dict[str, Any], self._request("GET", "/openapi.json"))

    def _request(
        self,
        method: str,
        path: str,
        content: Mapping[str, object] | None = None,
        *,
        taken: tuple[int, ...] = (http.client.OK,),
    ) -> object:
        connection = self.address.connect()
        try:
            answer = self._send(connection, method, path, content, {})
            text = answer.read()
            if answer.status not in taken:
                raise _make_refused_error(answer.status, text)
            return parse_json(text) if text else None
        except (http.client.HTTPException, ValueError) as why:
            raise OSError(f"it does not speak as a table does ({type(why).__name__})") from None
        finally:
            connection.close()

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        content: Mapping[str, object] | None,
        headers: Mapping[str, str],
    ) -> http.client.HTTPResponse:
        body = None if content is None else json.dumps(content)
        kind = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, API_BASE_PATH + path, body, {**self._headers, **kind, **headers})
        return connection.getresponse()


def _make_refused_error(status: int, text: bytes) -> RequestRefusedError:
    try:
        said = parse_json(text)
        return RequestRefusedError(status, str(said["code"]), str(said["message"]), float(said.get("wait", 0.0)))
    except (ValueError, KeyError, TypeError, AttributeError):
        return RequestRefusedError(status, "", f"it answers {status}, and not as a table does")
