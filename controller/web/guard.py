"""What stands between the network and the page: who may ask, from where, and what a browser may do with the answer.

* Host: only names that the table is known by, so that a foreign name that resolves to this machine (DNS rebinding)
  gets nothing.
* Origin: whatever changes something must come from a page of this server. A request that says no origin is refused too.
* Answers may not be framed, sniffed, cached or referred to, and their page may load nothing from anywhere else.
"""

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = ("GET", "HEAD")

HEADERS = {
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


class Guard:
    """ASGI middleware; `names` are the host names (without port) under which the page may be asked for."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        answer = self._app if refusal is None else PlainTextResponse(refusal, status_code=403)
        await answer(scope, receive, _with_headers(send))

    def _refusal(self, method: str, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if host_name(host) not in self._names:
            return "This page is not served under that name; add it to `names` in the section [page].\n"
        if method in SAFE_METHODS:
            return None
        if headers.get("origin") not in (f"http://{host}", f"https://{host}"):
            return "What changes something must be sent by a page of this table.\n"
        return None


def host_name(host: str) -> str:
    """Take the port off a Host header: `"[::1]:80"` is `"::1"`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def _with_headers(send: Send) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return send_guarded
