"""Who stands behind a request, and whether the route is for them. `authority.ROUTES` says which is for whom.

`make_app` puts every route behind the door; a route that the table does not name stops the program as it starts. What
a route's own code wants to know, it asks with `who(request)`.
"""

import hmac
import ipaddress
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import STAFF, Role, Roles, TokenRole, may_enter, right_to
from controller.runtime.staff.staff import SignedIn
from controller.runtime.staff.tokens import Token, Tokens
from controller.web.access.guard import SAFE_METHODS
from controller.web.access.sessions import Session, Sessions
from controller.web.pages.answers import not_admitted, refusal

COOKIE = "table"
TOKEN_HEADER = "X-Table-Token"
UNAUTHORIZED = 401


class Undeclared(Exception):
    """A route of the page that the table of authority does not name; the message says which row is missing."""


@dataclass(frozen=True, slots=True)
class Who:
    """Who sent a request: nobody (no roles), a person or a token with one role, or at a showroom anybody, with all."""

    name: str | None = None
    roles: Roles = frozenset()
    session: Session | None = field(default=None, repr=False)
    token: Token | None = field(default=None, repr=False)

    @property
    def role(self) -> Role | None:
        """The one role of a person who is signed in."""
        return None if self.session is None else self.session.person.role

    @property
    def person(self) -> SignedIn | None:
        """The person, with the key to sign with; `None` at a showroom and for nobody."""
        return None if self.session is None else self.session.person

    def may_enter(self, word: str) -> bool:
        """Whether this word of the table script may be entered."""
        return any(may_enter(role, word) for role in self.roles)


HOW = "Send a token, as `Authorization: Bearer …`; `tablectl token add NAME --role ROLE` at the table makes one."

WITH_AN_OLD_PIN = ("/pin", "/sign-out")
"""What whoever signs in with a PIN that is due may still do (R33)."""

NOBODY = Who()
SHOWROOM = Who("showroom", STAFF)
"""Anybody at a simulated table on this machine: nothing is at stake there, and every page can be tried."""


@dataclass(frozen=True, slots=True)
class Door:
    """How people are told apart: by `sessions`, or at a `showroom` not at all; with neither, nobody can sign in.

    Machines are told apart by `tokens`, at a showroom too. `plain`: whether sign-ins and tokens are taken from the
    network without TLS. `cookie` is the name of the browser's token, which pages of one machine must not share.
    """

    sessions: Sessions | None = None
    showroom: bool = False
    plain: bool = False
    tokens: Tokens | None = None
    cookie: str = COOKIE

    def who(self, request: Request) -> Who:
        """Say who sent a request."""
        if self.showroom and is_near(request):
            return SHOWROOM
        if self.sessions is None or not self.is_private(request):
            return NOBODY
        session = self.sessions.find(request.cookies.get(self.cookie))
        if session is None:
            return NOBODY
        return Who(session.person.name, frozenset({session.person.role}), session)

    def is_private(self, request: Request) -> bool:
        """Whether a PIN may come this way: enciphered, or from this machine, or as the configuration allows."""
        return self.plain or request.url.scheme == "https" or is_near(request)

    def still_stands(self, person: Who) -> bool:
        """Whether a token has not been withdrawn since its request; for an answer that goes on."""
        try:
            return person.token is None or (self.tokens is not None and self.tokens.stands(person.token))
        except NotAdmitted:
            return False

    def is_signed_in(self, person: Who) -> bool:
        """Whether the session of a request goes on: nobody has signed out of it, and its person is still enrolled."""
        return self.sessions is not None and person.session is not None and self.sessions.goes_on(person.session)

    def _by_token(self, request: Request, right: Roles, sent: str) -> tuple[Who, Response | None]:
        if not self.is_private(request):
            return NOBODY, refusal(Code.PLAIN, "A token is not taken over a network without TLS; give [page] one.")
        try:
            if self.tokens is None:
                raise NotAdmitted(Code.TOKEN_WRONG, HOW)
            token = self.tokens.find(sent)
        except NotAdmitted as why:
            return NOBODY, _asking(not_admitted(why))
        machine = Who(f"token {token.name}", frozenset({token.role}), token=token)
        if token.role not in right:
            wanted = " or ".join(sorted(role.value for role in right if isinstance(role, TokenRole)))
            return machine, refusal(Code.ROLE, f"This is for a token with the role {wanted}.")
        return machine, None

    def admit(self, request: Request, right: Roles | None) -> tuple[Who, Response | None]:
        """Say who sent a request, and answer it here where the route is not for them.

        A token counts only on a route that is for tokens; elsewhere the header may be meant for somebody between.
        """
        for_tokens = right is not None and not right.isdisjoint(TokenRole)
        sent = bearer(request) if for_tokens else None
        if right is not None and sent is not None:
            return self._by_token(request, right, sent)
        person = self.who(request)
        if right is None:
            return person, None
        if for_tokens and person.session is None and not person.roles & right:
            return person, _asking(refusal(Code.TOKEN_NEEDED, HOW))
        if not person.roles:
            return person, refusal(Code.SIGN_IN, "Sign in first.")
        if not person.roles & right:
            wanted = " or ".join(sorted(role.value for role in right)) or "controller itself"
            return person, refusal(Code.ROLE, f"This is for the {wanted}.")
        if person.session is not None:
            if person.session.person.renew and request.url.path not in WITH_AN_OLD_PIN:
                return person, refusal(Code.PIN_DUE, "Your PIN is a quarter of a year old: choose another first.")
            sent = request.headers.get(TOKEN_HEADER, "")
            own = hmac.compare_digest(sent.encode(), person.session.csrf.encode())
            if request.method not in SAFE_METHODS and not own:
                return person, refusal(Code.TOKEN, "Load the page again; the request lacks the token of its session.")
            if self.sessions is not None:
                self.sessions.touch(person.session)
        return person, None


def bearer(request: Request) -> str | None:
    """The token that a request carries; `None` where it carries none."""
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    return sent.strip() if scheme.lower() == "bearer" else None


def _asking(response: Response) -> Response:
    """Say in the words of HTTP how one is let in."""
    if response.status_code == UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="table"'
    return response


def who(request: Request) -> Who:
    """Who sent the request that a route is answering."""
    found: Who = request.state.who
    return found


def put_behind(
    door: Door,
    routes: Iterable[BaseRoute],
    right: Callable[[str, str], Roles | None] = right_to,
    table: str = "controller/runtime/staff/authority.py",
) -> list[BaseRoute]:
    """Put routes behind the door; raises `Undeclared` for one that `ROUTES` of `table` does not name, as `right`."""
    guarded = list(routes)
    for route in guarded:
        if not isinstance(route, Route | Mount) or (isinstance(route, Route) and route.methods is None):
            raise Undeclared(f"{route!r} is neither a route with methods nor a folder of files")
        methods = route.methods or () if isinstance(route, Route) else ("GET",)
        try:
            rights = {method: right(method, route.path) for method in methods}
        except KeyError as why:
            raise Undeclared(f"{why.args[0]!r} is missing in ROUTES of {table}: say who may have it") from None
        route.app = _Behind(route.app, door, rights)
    return guarded


class _Behind:
    """An ASGI application behind the door."""

    def __init__(self, app: ASGIApp, door: Door, rights: Mapping[str, Roles | None]) -> None:
        self._app = app
        self._door = door
        self._rights = rights

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        right = self._rights.get(request.method, frozenset())
        person, answer = self._door.admit(request, right)
        request.state.who = person
        await (answer or self._app)(scope, receive, send)


def is_near(request: Request) -> bool:
    """Whether a request comes from this machine."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
