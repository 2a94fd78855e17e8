"""Signing in and out, a new PIN, and the enrolment of whoever holds the one-time code."""

from collections.abc import Mapping
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.permissions import HOME_PAGE_BY_ROLE, Role, find_role
from controller.runtime.staff.pin_codes import MAX_PIN_LENGTH, MIN_PIN_LENGTH
from controller.runtime.staff.staff_store import (
    DEFAULT_CODE_ROLE,
    AuthenticatedPerson,
    OpenCode,
    StaffStore,
    format_code,
)
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import Authenticator, get_principal
from controller.web.access.session_store import Session
from controller.web.http.responses import (
    MAX_BODY_BYTES,
    is_json,
    make_admission_refusal,
    make_not_json_refusal,
    make_refusal,
    read_json,
)
from controller.web.wording.page_translation import make_page_response

PAGE_FILE = STATIC_FOLDER / "sign-in.html"


class SignInPage:
    """The routes that tell people apart. Without `staff` they say that nobody can sign in.

    `homes`: where a page goes after somebody signed in; `path`: the page where they do.
    """

    def __init__(
        self,
        door: Authenticator,
        staff: StaffStore | None,
        mode: str,
        homes: Mapping[Role, str] = HOME_PAGE_BY_ROLE,
        path: Path = PAGE_FILE,
    ) -> None:
        self._authenticator = door
        self._staff = staff
        self._mode = mode
        self._home_page_by_role = homes
        self._page_file = path

    def make_routes(self) -> list[Route]:
        """Every route, for `make_app`."""
        posts = {"/sign-in": self.sign_in, "/sign-out": self.sign_out, "/pin": self.change_pin, "/enrol": self.enrol}
        return [
            Route("/sign-in", self.get_page, methods=["GET"]),
            Route("/who", self.describe_principal, methods=["GET"]),
            Route("/staff", self.list_people, methods=["GET"]),
            Route("/code", self.make_code, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            Route("/code/role", self.find_code_role, methods=["POST"], max_body_size=MAX_BODY_BYTES),
            *(Route(path, take, methods=["POST"], max_body_size=MAX_BODY_BYTES) for path, take in posts.items()),
        ]

    async def get_page(self, request: Request) -> Response:
        """Give the page with the names and the PIN pad."""
        return make_page_response(request, self._page_file)

    async def describe_principal(self, request: Request) -> Response:
        """Say who is signed in on this browser, and give its pages the token that they send along."""
        person = get_principal(request)
        content: dict[str, object] = {
            "mode": self._mode,
            "name": person.name,
            "roles": sorted(role.value for role in person.roles),
            "showroom": self._authenticator.is_demo and person.session is None and bool(person.roles),
        }
        if person.session is not None and self._authenticator.sessions is not None:
            content |= {
                "token": person.session.csrf_token,
                "seconds": round(self._authenticator.sessions.get_remaining_s(person.session)),
                "renew": person.session.person.needs_new_pin,
                "home": self._find_home_page(person.session),
            }
        return JSONResponse(content)

    async def list_people(self, request: Request) -> Response:
        """List who may sign in, for the page; and whether somebody can enrol now."""
        try:
            staff = self._require_staff(request)
            staff.require_known_file()
            people = await run_in_threadpool(staff.list_people)
            code = await run_in_threadpool(staff.is_code_valid)
        except AdmissionError as why:
            return make_admission_refusal(why)
        listed = [{"name": person.name, "role": person.role.value} for person in people]
        return JSONResponse({"staff": listed, "code": code, "pin": [MIN_PIN_LENGTH, MAX_PIN_LENGTH]})

    async def sign_in(self, request: Request) -> Response:
        """Let somebody in by name and PIN."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"name": str() as name, "pin": str() as pin, **rest} if not rest:
                try:
                    staff = self._require_staff(request)
                    person = await run_in_threadpool(staff.sign_in, name, pin)
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return self._start_session(request, person)
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"name": …, "pin": …}, both as text.')

    async def sign_out(self, request: Request) -> Response:
        """Sign out whoever is signed in; a dealer beneath is signed in again."""
        response = Response(status_code=204)
        if self._authenticator.sessions is not None:
            token = self._authenticator.sessions.end(request.cookies.get(self._authenticator.cookie_name))
            if token is None:
                response.delete_cookie(self._authenticator.cookie_name, path="/", httponly=True, samesite="strict")
            else:
                self._set_session_cookie(response, request, token)
        return response

    async def change_pin(self, request: Request) -> Response:
        """Change the PIN of whoever is signed in."""
        if not is_json(request):
            return make_not_json_refusal()
        session = get_principal(request).session
        match await read_json(request):
            case {"old": str() as old, "new": str() as new, **rest} if not rest and session is not None:
                try:
                    staff = self._require_staff(request)
                    await run_in_threadpool(staff.change_pin, session.person.name, old, new, session.follow)
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return Response(status_code=204)
            case _:
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD, 'Want {"old": PIN, "new": PIN}, both as text, of who is signed in.'
                )

    async def make_code(self, request: Request) -> Response:
        """Make a one-time code, with which somebody enrols on the sign-in page; or end all that are open.

        `open` says for whom codes are open now, the new one last; `voided` for whom the one was that it ended.
        """
        if not is_json(request):
            return make_not_json_refusal()
        wish = await read_json(request)
        role = find_role(str(wish.get("role"))) if isinstance(wish, dict) else None
        if role is None and wish != {"void": True}:
            roles = ", ".join(role.value for role in Role)
            return make_refusal(
                RefusalCode.NOT_UNDERSTOOD,
                f'Want {{"role": …}}, whom the code is to enrol: {roles}; or {{"void": true}}, which ends all.',
            )
        try:
            staff = self._require_staff(request)
            if role is None:
                await run_in_threadpool(staff.void_codes)
                return Response(status_code=204)
            issued = await run_in_threadpool(staff.issue_code, role, get_principal(request).name)
            open_codes = await run_in_threadpool(staff.list_open_codes)
        except AdmissionError as why:
            return make_admission_refusal(why)
        return JSONResponse(
            {
                "code": format_code(issued.digits),
                "role": role.value,
                "open": [_find_role_name(code) for code in open_codes],
                "voided": None if issued.voided is None else _find_role_name(issued.voided),
            }
        )

    async def find_code_role(self, request: Request) -> Response:
        """Say whom a one-time code enrols, before anything else is typed; a wrong one counts as a try."""
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"code": str() as code, **rest} if not rest:
                try:
                    role = await run_in_threadpool(self._require_staff(request).find_code_role, code)
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return JSONResponse({"role": role.value})
            case _:
                return make_refusal(RefusalCode.NOT_UNDERSTOOD, 'Want {"code": …}, as text.')

    async def enrol(self, request: Request) -> Response:
        """Enrol somebody by the one-time code, in its role, and let them in.

        A code that was made for no role may be told one.
        """
        if not is_json(request):
            return make_not_json_refusal()
        match await read_json(request):
            case {"code": str() as code, "name": str() as name, "pin": str() as pin, **rest} if not rest or (
                rest.keys() == {"role"} and find_role(str(rest["role"])) is not None
            ):
                role = find_role(str(rest["role"])) if rest else None
                try:
                    staff = self._require_staff(request)
                    person = await run_in_threadpool(_enrol_and_sign_in, staff, code, name, role, pin)
                except AdmissionError as why:
                    return make_admission_refusal(why)
                return self._start_session(request, person)
            case _:
                roles = ", ".join(role.value for role in Role)
                return make_refusal(
                    RefusalCode.NOT_UNDERSTOOD,
                    f'Want {{"code", "name", "pin"}}, all as text; beside a code for no role also "role": {roles}.',
                )

    def _start_session(self, request: Request, person: AuthenticatedPerson) -> Response:
        if self._authenticator.sessions is None:
            return make_refusal(RefusalCode.SIGN_IN_NEEDED, "Nobody can sign in here.", status=403)
        sessions = self._authenticator.sessions
        token = sessions.begin(person, request.cookies.get(self._authenticator.cookie_name))
        content = {
            "name": person.name,
            "role": person.role.value,
            "home": self._find_home_page(sessions.find(token)),
            "renew": person.needs_new_pin,
        }
        response = JSONResponse(content)
        self._set_session_cookie(response, request, token)
        return response

    def _find_home_page(self, session: Session | None) -> str:
        """Where the page goes: over a dealer to the dealer's."""
        if session is None or session.is_over_dealer:
            return self._home_page_by_role[Role.DEALER]
        return self._home_page_by_role[session.person.role]

    def _set_session_cookie(self, response: Response, request: Request, token: str) -> None:
        private = request.url.scheme == "https"
        response.set_cookie(
            self._authenticator.cookie_name, token, path="/", httponly=True, samesite="strict", secure=private
        )

    def _require_staff(self, request: Request) -> StaffStore:
        """Return the staff's file for a request that may ask for it."""
        if not self._authenticator.is_private(request):
            raise AdmissionError(
                RefusalCode.PLAIN_HTTP,
                "Nobody signs in over a network without TLS: give [page] a certificate, or allow it with plain = true.",
            )
        if self._staff is None:
            raise AdmissionError(RefusalCode.STAFF_FILE_UNUSABLE, "This table has no staff's file; nobody can sign in.")
        return self._staff


def _enrol_and_sign_in(staff: StaffStore, code: str, name: str, role: Role | None, pin: str) -> AuthenticatedPerson:
    warrant = staff.redeem_code(code)
    staff.enrol(name, role or warrant.role or DEFAULT_CODE_ROLE, pin, warrant)
    return staff.sign_in(name, pin)


def _find_role_name(code: OpenCode) -> str:
    return (code.role or DEFAULT_CODE_ROLE).value
