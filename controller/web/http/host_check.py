"""What stands between the network and the page: who may ask, from where, and what a browser may do with the answer.

* Host: only names that the table is known by, so that a foreign name that resolves to this machine (DNS rebinding)
  gets nothing.
* Origin: whatever changes something must come from a page of this server: its scheme, its host and its port. A request
  that says no origin is refused too, unless it goes to the API with a token, which no page of another site can send
  without being asked about first. A page over HTTP is no page of a server over HTTPS: anybody on the way can write it.
* Over HTTPS a browser is told to come back by HTTPS alone.
* A failure of the program is one sentence, and logged by its place: an error's own words may hold a card or a PIN.
* Answers may not be framed, sniffed, cached or referred to, and their page may load nothing from anywhere else.
"""

import ipaddress
import logging
import re
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.runtime.service.crash_log import describe_failure
from controller.runtime.staff.admission import RefusalCode
from controller.web.http.responses import make_refusal

SAFE_METHODS = ("GET", "HEAD")

CONTENT_TOO_LARGE = 413

API_PATH_PREFIX = "/api/"
"""Below this path are the routes that go by a token, and by no cookie."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}

TRANSPORT_HEADER = ("Strict-Transport-Security", "max-age=2592000")
"""Over HTTPS only, for 30 days since the last visit: for so long a house that gives up its certificate is not found by
name. Browsers do not heed it for an address, nor where the certificate is not trusted."""

DEFAULT_PORT_BY_SCHEME = {"http": 80, "https": 443}
_ORIGIN_PATTERN = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[^\[\]\s:/?#@\\]+)(?::([0-9]{1,5}))?")

log = logging.getLogger(__name__)


class HostCheck:
    """ASGI middleware; `names` are the host names (without port) under which the page may be asked for."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._host_names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        machine = scope["path"].startswith(API_PATH_PREFIX) and "authorization" in headers and "origin" not in headers
        answer = self._find_refusal(scope, headers, machine=machine)
        guarded = _ResponseSender(scope, receive, send)
        try:
            await (answer or self._app)(scope, receive, guarded.send)
        except ClientDisconnect:
            pass  # it has gone and hears no answer
        except Exception as failure:
            log.error("the page failed on a request: %s", describe_failure(failure))
            if not guarded.has_started:
                sorry = make_refusal(RefusalCode.PAGE_FAULT, "The program failed on this request; nothing was entered.")
                await sorry(scope, receive, guarded.send)

    def _find_refusal(self, scope: Scope, headers: Headers, *, machine: bool) -> Response | None:
        host, server = headers.get("host", ""), scope.get("server")
        # The address that was connected to is no name that anybody could make resolve to this machine.
        if parse_host_name(host) not in self._host_names and (server is None or parse_host_name(host) != server[0]):
            return make_refusal(
                RefusalCode.OTHER_HOST_NAME, "This page is not served under that name; add it to `names` in [page]."
            )
        if scope["method"] in SAFE_METHODS or machine:
            return None
        said = headers.getlist("origin")
        own = parse_origin(f"{scope['scheme']}://{host}")
        if len(said) != 1 or own is None or parse_origin(said[0]) != own:
            return make_refusal(
                RefusalCode.OTHER_ORIGIN, "What changes something must be sent by a page of this table."
            )
        return None


def parse_origin(origin: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of an origin as RFC 6454 compares them; `None` for `null` and what else is none.

    Letters count as small ones and the port of the scheme as said; a dot at the end makes another host.
    """
    found = _ORIGIN_PATTERN.fullmatch(origin.lower())
    if found is None:
        return None
    scheme, host, port = found.groups()
    if host.startswith("["):
        try:
            host = ipaddress.IPv6Address(host[1:-1]).compressed
        except ValueError:
            return None
    return scheme, host, DEFAULT_PORT_BY_SCHEME[scheme] if port is None else int(port)


def parse_host_name(host: str) -> str:
    """Take the port off a Host header: `"[::1]:80"` is `"::1"`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


class _ResponseSender:
    """Sends an answer with the headers; `has_started` says whether anything of it is out.

    A request that is too long is answered by the framework, in plain text; every refusal of ours has its code.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.has_started = False
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_replaced = False

    async def send(self, message: Message) -> None:
        if self._is_replaced:
            return
        if (
            message["type"] == "http.response.start"
            and message["status"] == CONTENT_TOO_LARGE
            and not self._is_json(message)
        ):
            await make_refusal(
                RefusalCode.NOT_UNDERSTOOD,
                "The request is longer than any that this page takes.",
                status=CONTENT_TOO_LARGE,
            )(self._scope, self._receive, self.send)
            self._is_replaced = True
            return
        if message["type"] == "http.response.start":
            self.has_started = True
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
            if self._scope["scheme"] == "https":
                headers[TRANSPORT_HEADER[0]] = TRANSPORT_HEADER[1]
        await self._send(message)

    @staticmethod
    def _is_json(message: Message) -> bool:
        return Headers(raw=message["headers"]).get("content-type") == "application/json"
