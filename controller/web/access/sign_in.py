"""Signing in and out, a new PIN, and the enrolment of whoever holds the one-time code."""

from collections.abc import Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import HOMES, Role, role_named
from controller.runtime.staff.pin_codes import LONGEST, SHORTEST
from controller.runtime.staff.staff import SignedIn, Staff, readable
from controller.web import STATIC
from controller.web.access.door import Door, who
from controller.web.languages import page
from controller.web.pages.answers import LONGEST_BODY, is_json, json_of, not_admitted, refusal, send_json

PAGE = STATIC / "sign-in.html"


class SignIn:
    """The routes that tell people apart. Without `staff` they say that nobody can sign in.

    `homes`: where a page goes after somebody signed in; `path`: the page where they do.
    """

    def __init__(
        self, door: Door, staff: Staff | None, mode: str, homes: Mapping[Role, str] = HOMES, path: Path = PAGE
    ) -> None:
        self._door = door
        self._staff = staff
        self._mode = mode
        self._homes = homes
        self._path = path

    def routes(self) -> list[Route]:
        """Every route, for `make_app`."""
        posts = {"/sign-in": self.sign_in, "/sign-out": self.sign_out, "/pin": self.pin, "/enrol": self.enrol}
        return [
            Route("/sign-in", self.page, methods=["GET"]),
            Route("/who", self.who, methods=["GET"]),
            Route("/staff", self.people, methods=["GET"]),
            Route("/code", self.code, methods=["POST"], max_body_size=LONGEST_BODY),
            *(Route(path, take, methods=["POST"], max_body_size=LONGEST_BODY) for path, take in posts.items()),
        ]

    async def page(self, request: Request) -> Response:
        """Give the page with the names and the PIN pad."""
        return page(request, self._path)

    async def who(self, request: Request) -> Response:
        """Say who is signed in on this browser, and give its pages the token that they send along."""
        person = who(request)
        content: dict[str, object] = {
            "mode": self._mode,
            "name": person.name,
            "roles": sorted(role.value for role in person.roles),
            "showroom": self._door.showroom and person.session is None and bool(person.roles),
        }
        if person.session is not None and self._door.sessions is not None:
            content |= {
                "token": person.session.csrf,
                "seconds": round(self._door.sessions.seconds_left(person.session)),
                "renew": person.session.person.renew,
                "home": self._homes[person.session.person.role],
            }
        return JSONResponse(content)

    async def people(self, request: Request) -> Response:
        """List who may sign in, for the page; and whether somebody can enrol now."""
        try:
            staff = self._for(request)
            people = await run_in_threadpool(staff.people)
            code = await run_in_threadpool(staff.code_stands)
        except NotAdmitted as why:
            return not_admitted(why)
        listed = [{"name": person.name, "role": person.role.value} for person in people]
        return JSONResponse({"staff": listed, "code": code, "pin": [SHORTEST, LONGEST]})

    async def sign_in(self, request: Request) -> Response:
        """Let somebody in by name and PIN."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"name": str() as name, "pin": str() as pin, **rest} if not rest:
                try:
                    staff = self._for(request)
                    person = await run_in_threadpool(staff.sign_in, name, pin)
                except NotAdmitted as why:
                    return not_admitted(why)
                return self._let_in(request, person)
            case _:
                return refusal(Code.FORM, 'Want {"name": …, "pin": …}, both as text.')

    async def sign_out(self, request: Request) -> Response:
        """Sign out whoever is signed in; a dealer beneath is signed in again."""
        response = Response(status_code=204)
        if self._door.sessions is not None:
            token = self._door.sessions.end(request.cookies.get(self._door.cookie))
            if token is None:
                response.delete_cookie(self._door.cookie, path="/", httponly=True, samesite="strict")
            else:
                self._give(response, request, token)
        return response

    async def pin(self, request: Request) -> Response:
        """Change the PIN of whoever is signed in."""
        if not is_json(request):
            return send_json()
        session = who(request).session
        match await json_of(request):
            case {"old": str() as old, "new": str() as new, **rest} if not rest and session is not None:
                try:
                    staff = self._for(request)
                    person = await run_in_threadpool(staff.change_pin, session.person.name, old, new)
                except NotAdmitted as why:
                    return not_admitted(why)
                session.person = person
                return Response(status_code=204)
            case _:
                return refusal(Code.FORM, 'Want {"old": PIN, "new": PIN}, both as text, of who is signed in.')

    async def code(self, request: Request) -> Response:
        """Make a one-time code, with which somebody enrols on the sign-in page."""
        if not is_json(request):
            return send_json()
        wish = await json_of(request)
        role = role_named(str(wish.get("role"))) if isinstance(wish, dict) else None
        if role is None:
            roles = ", ".join(role.value for role in Role)
            return refusal(Code.FORM, f'Want {{"role": …}}, whom the code is to enrol: {roles}.')
        try:
            code = await run_in_threadpool(self._for(request).one_time_code, role, who(request).name)
        except NotAdmitted as why:
            return not_admitted(why)
        return JSONResponse({"code": readable(code)})

    async def enrol(self, request: Request) -> Response:
        """Enrol somebody by the one-time code, and let them in."""
        if not is_json(request):
            return send_json()
        match await json_of(request):
            case {"code": str() as code, "name": str() as name, "role": str() as word, "pin": str() as pin, **rest} if (
                not rest and (role := role_named(word)) is not None
            ):
                try:
                    staff = self._for(request)
                    person = await run_in_threadpool(_enrolled, staff, code, name, role, pin)
                except NotAdmitted as why:
                    return not_admitted(why)
                return self._let_in(request, person)
            case _:
                roles = ", ".join(role.value for role in Role)
                return refusal(Code.FORM, f'Want {{"code", "name", "role", "pin"}}, all as text; role: {roles}.')

    def _let_in(self, request: Request, person: SignedIn) -> Response:
        if self._door.sessions is None:
            return refusal(Code.SIGN_IN, "Nobody can sign in here.", status=403)
        content = {
            "name": person.name,
            "role": person.role.value,
            "home": self._homes[person.role],
            "renew": person.renew,
        }
        response = JSONResponse(content)
        self._give(response, request, self._door.sessions.begin(person, request.cookies.get(self._door.cookie)))
        return response

    def _give(self, response: Response, request: Request, token: str) -> None:
        private = request.url.scheme == "https" or request.headers.get("origin", "").startswith("https:")
        response.set_cookie(self._door.cookie, token, path="/", httponly=True, samesite="strict", secure=private)

    def _for(self, request: Request) -> Staff:
        """Return the staff's file for a request that may ask for it."""
        if not self._door.is_private(request):
            raise NotAdmitted(
                Code.PLAIN,
                "Nobody signs in over a network without TLS: give [page] a certificate, or allow it with plain = true.",
            )
        if self._staff is None:
            raise NotAdmitted(Code.RECORDS, "This table has no staff's file; nobody can sign in.")
        return self._staff


def _enrolled(staff: Staff, code: str, name: str, role: Role, pin: str) -> SignedIn:
    staff.enrol(name, role, pin, staff.warrant_by_code(code))
    return staff.sign_in(name, pin)
