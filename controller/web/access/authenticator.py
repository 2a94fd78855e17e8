"""Who stands behind a request, and whether the route is for them. `permissions.ROLES_BY_ROUTE` says which is for whom.

`make_app` puts every route behind the `Authenticator`; a route that the table does not name stops the program as it
starts. What a route's own code wants to know, it asks with `get_principal(request)`.
"""

import hmac
import ipaddress
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import STAFF_ROLES, Role, Roles, TokenRole, can_enter, find_route_roles
from controller.runtime.staff.staff_store import AuthenticatedPerson
from controller.runtime.staff.token_store import Token, TokenStore
from controller.web.access.session_store import Session, SessionStore
from controller.web.http.host_check import SAFE_METHODS
from controller.web.http.responses import make_admission_refusal, make_refusal

SESSION_COOKIE = "table"
CSRF_HEADER = "X-Table-Token"
UNAUTHORIZED = 401


class UndeclaredRouteError(Exception):
    """A route of the page that the table of permissions does not name; the message says which row is missing."""


@dataclass(frozen=True, slots=True)
class Principal:
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
    def person(self) -> AuthenticatedPerson | None:
        """The person, with the key to sign with; `None` at a showroom and for nobody."""
        return None if self.session is None else self.session.person

    def can_enter(self, word: str) -> bool:
        """Whether this word of the table script may be entered."""
        return any(can_enter(role, word) for role in self.roles)


TOKEN_HINT = "Send a token, as `Authorization: Bearer …`; `tablectl token add NAME --role ROLE` at the table makes one."

PATHS_ALLOWED_WITH_EXPIRED_PIN = ("/pin", "/sign-out")
"""What whoever signs in with a PIN that is due may still do (R33)."""

PATHS_ALLOWED_WITHOUT_PIN = ("/pin", "/sign-out", "/call")
"""What the floor may do that has touched nothing for a while: say that it comes, and go."""

NOBODY = Principal()
DEMO_PRINCIPAL = Principal("showroom", STAFF_ROLES)
"""Anybody at a simulated table on this machine: nothing is at stake there, and every page can be tried."""


@dataclass(frozen=True, slots=True)
class Authenticator:
    """How people are told apart: by `sessions`, or at a `is_demo` not at all; with neither, nobody can sign in.

    Machines are told apart by `tokens`, at a showroom too. `allows_plain_http`: whether sign-ins and tokens are taken
    from the network without TLS. `cookie_name` is the name of the browser's token, which pages of one machine must not
    share.
    """

    sessions: SessionStore | None = None
    is_demo: bool = False
    allows_plain_http: bool = False
    tokens: TokenStore | None = None
    cookie_name: str = SESSION_COOKIE

    def identify(self, request: Request) -> Principal:
        """Say who sent a request."""
        if self.is_demo and is_local(request):
            return DEMO_PRINCIPAL
        if self.sessions is None or not self.is_private(request):
            return NOBODY
        session = self.sessions.find(request.cookies.get(self.cookie_name))
        if session is None:
            return NOBODY
        return Principal(session.person.name, frozenset({session.person.role}), session)

    def is_private(self, request: Request) -> bool:
        """Whether a PIN may come this way: enciphered, or from this machine, or as the configuration allows."""
        return self.allows_plain_http or request.url.scheme == "https" or is_local(request)

    def is_token_valid(self, person: Principal) -> bool:
        """Whether a token has not been withdrawn since its request; for an answer that goes on."""
        try:
            return person.token is None or (self.tokens is not None and self.tokens.is_valid(person.token))
        except AdmissionError:
            return False

    def is_signed_in(self, person: Principal) -> bool:
        """Whether the session of a request goes on: nobody has signed out of it, and its person is still enrolled."""
        return self.sessions is not None and person.session is not None and self.sessions.is_active(person.session)

    def _authorize_token(self, request: Request, right: Roles, sent: str) -> tuple[Principal, Response | None]:
        if not self.is_private(request):
            return NOBODY, make_refusal(
                RefusalCode.PLAIN_HTTP, "A token is not taken over a network without TLS; give [page] one."
            )
        try:
            if self.tokens is None:
                raise AdmissionError(RefusalCode.TOKEN_WRONG, TOKEN_HINT)
            token = self.tokens.find(sent)
        except AdmissionError as why:
            return NOBODY, _add_challenge(make_admission_refusal(why))
        machine = Principal(f"token {token.name}", frozenset({token.role}), token=token)
        if token.role not in right:
            wanted = " or ".join(sorted(role.value for role in right if isinstance(role, TokenRole)))
            return machine, make_refusal(RefusalCode.WRONG_ROLE, f"This is for a token with the role {wanted}.")
        return machine, None

    def admit(self, request: Request, right: Roles | None) -> tuple[Principal, Response | None]:
        """Say who sent a request, and answer it here where the route is not for them.

        A token counts only on a route that is for tokens; elsewhere the header may be meant for somebody between.
        """
        for_tokens = right is not None and not right.isdisjoint(TokenRole)
        sent = read_bearer_token(request) if for_tokens else None
        if right is not None and sent is not None:
            return self._authorize_token(request, right, sent)
        person = self.identify(request)
        if right is None:
            return person, None
        if for_tokens and person.session is None and not person.roles & right:
            return person, _add_challenge(make_refusal(RefusalCode.TOKEN_NEEDED, TOKEN_HINT))
        if not person.roles:
            return person, make_refusal(RefusalCode.SIGN_IN_NEEDED, "Sign in first.")
        if not person.roles & right:
            wanted = " or ".join(sorted(role.value for role in right)) or "controller itself"
            return person, make_refusal(RefusalCode.WRONG_ROLE, f"This is for the {wanted}.")
        if person.session is not None:
            if person.session.person.needs_new_pin and request.url.path not in PATHS_ALLOWED_WITH_EXPIRED_PIN:
                return person, make_refusal(
                    RefusalCode.PIN_DUE, "Your PIN is a quarter of a year old: choose another first."
                )
            sent = request.headers.get(CSRF_HEADER, "")
            own = hmac.compare_digest(sent.encode(), person.session.csrf_token.encode())
            if request.method not in SAFE_METHODS and not own:
                return person, make_refusal(
                    RefusalCode.SESSION_TOKEN_MISSING,
                    "Load the page again; the request lacks the token of its session.",
                )
            if self.sessions is not None:
                if (
                    request.method not in SAFE_METHODS
                    and request.url.path not in PATHS_ALLOWED_WITHOUT_PIN
                    and not self.sessions.is_confirmed(person.session)
                ):
                    return person, make_refusal(
                        RefusalCode.PIN_TO_DECIDE, "You have touched nothing for a while: type your PIN first."
                    )
                self.sessions.touch(person.session)
        return person, None


def read_bearer_token(request: Request) -> str | None:
    """The token that a request carries; `None` where it carries none."""
    scheme, _, sent = request.headers.get("authorization", "").partition(" ")
    return sent.strip() if scheme.lower() == "bearer" else None


def _add_challenge(response: Response) -> Response:
    """Say in the words of HTTP how one is let in."""
    if response.status_code == UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="table"'
    return response


def get_principal(request: Request) -> Principal:
    """Who sent the request that a route is answering."""
    found: Principal = request.state.who
    return found


def protect_routes(
    door: Authenticator,
    routes: Iterable[BaseRoute],
    right: Callable[[str, str], Roles | None] = find_route_roles,
    table: str = "controller/runtime/staff/permissions.py",
) -> list[BaseRoute]:
    """Put routes behind `door`; raises `UndeclaredRouteError` for one that `table` does not name, as `right`."""
    guarded = list(routes)
    for route in guarded:
        if not isinstance(route, Route | Mount) or (isinstance(route, Route) and route.methods is None):
            raise UndeclaredRouteError(f"{route!r} is neither a route with methods nor a folder of files")
        methods = route.methods or () if isinstance(route, Route) else ("GET",)
        try:
            rights = {method: right(method, route.path) for method in methods}
        except KeyError as why:
            raise UndeclaredRouteError(
                f"{why.args[0]!r} is missing in ROLES_BY_ROUTE of {table}: say who may have it"
            ) from None
        route.app = _ProtectedApp(route.app, door, rights)
    return guarded


class _ProtectedApp:
    """An ASGI application behind the authenticator."""

    def __init__(self, app: ASGIApp, door: Authenticator, rights: Mapping[str, Roles | None]) -> None:
        self._app = app
        self._authenticator = door
        self._roles_by_method = rights

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        right = self._roles_by_method.get(request.method, frozenset())
        person, answer = self._authenticator.admit(request, right)
        request.state.who = person
        await (answer or self._app)(scope, receive, send)


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
