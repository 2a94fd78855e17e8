"""Every route of the page, tried as somebody would who may not have it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from controller.runtime.staff import permissions
from controller.runtime.staff.permissions import (
    IDLE_TIMEOUT_S_BY_ROLE,
    MAX_SESSION_DURATION_S,
    OPEN,
    ROLES_BY_ROUTE,
    Role,
    TokenRole,
)
from controller.web.access.authenticator import (
    CSRF_HEADER,
    SESSION_COOKIE,
    Authenticator,
    UndeclaredRouteError,
    protect_routes,
)
from controller.web.http.host_check import SAFE_METHODS
from tests.web.house import PEOPLE, Browser, House, houses
from tests.web.test_pages import ORIGIN

NAMED = {role: name for name, role in PEOPLE.items()}

LOOKED_AT = {
    "/",
    "/watch",
    "/notice",
    "/events",
    "/state",
    "/errors",
    "/favicon.ico",
    "/catalogue.js",
    "/static",
    "/who",
    "/sign-in",
    "/staff",
    "/hands",
    "/drop",
    "/floor",
    "/train",
    "/technician",
    "/set-up",
    "/ca.crt",
    "/broadcast",
    "/broadcast/desk",
    "/api/v1/health",
    "/api/v1/openapi.json",
    "/api/v1/script.schema.json",
}
"""What anybody may look at. A path that is added here shows nothing hidden, and somebody has thought about it."""

JUDGE_THEMSELVES = {("POST", "/sign-in"), ("POST", "/enrol")}
"""What anybody may send: tested in `test_sign_in`."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    for house in houses(tmp_path, simulated=True):
        house.hub.close()  # so that a stream ends
        yield house


def routes(house: House) -> list[tuple[str, str]]:
    """Every method and path that the application answers, as it stands."""
    found: list[tuple[str, str]] = []
    for route in house.app.routes:
        assert isinstance(route, Route | Mount), route
        methods = (route.methods or set()) if isinstance(route, Route) else {"GET"}
        found += [(method, route.path) for method in sorted(methods)]
    return found


def fill_path_parameters(path: str) -> str:
    """Put something into the parameters of a path."""
    return "/static/dealer.css" if path == "/static" else re.sub(r"\{[^}]*\}", "1", path)


def list_closed_routes(house: House) -> list[tuple[str, str]]:
    return [(method, path) for method, path in routes(house) if permissions.find_route_roles(method, path) is not OPEN]


def ask(browser: Browser, method: str, path: str, **headers: str) -> tuple[int, str]:
    sent = {**ORIGIN, "Content-Type": "application/json", **browser.headers(), **headers}
    raw = {name: value.encode("latin-1") for name, value in sent.items()}
    answer = browser.client.request(
        method, fill_path_parameters(path), headers=raw, content=b"{}" if method == "POST" else None
    )
    is_json = answer.headers.get("content-type", "").startswith("application/json") and method != "HEAD"
    content = answer.json() if is_json else None
    return answer.status_code, str(content.get("code")) if isinstance(content, dict) else ""


def test_nobody_has_more_than_is_open(house: House) -> None:
    nobody = house.browser()
    for method, path in list_closed_routes(house):
        assert ask(nobody, method, path)[0] == 401, (method, path)
    opened = {(method, path) for method, path in routes(house) if permissions.find_route_roles(method, path) is OPEN}
    assert opened == {(method, path) for path in LOOKED_AT for method in SAFE_METHODS if (method, path) in opened} | (
        JUDGE_THEMSELVES
    )


def test_what_is_open_changes_nothing_and_is_answered(house: House) -> None:
    nobody = house.browser()
    for method, path in routes(house):
        if permissions.find_route_roles(method, path) is OPEN:
            assert ask(nobody, method, path)[0] in (200, 400), (method, path)
    assert house.entered == []


@pytest.mark.parametrize("digits", [16, 5000])
def test_no_number_in_a_path_is_too_long(house: House, digits: int) -> None:
    nobody = house.browser()
    numbered = [(method, path) for method, path in routes(house) if ":int" in path]
    assert len(numbered) >= 6
    for method, path in numbered:
        long = re.sub(r"\{[^}]*\}", "9" * digits, path)
        assert nobody.client.request(method, long, headers=ORIGIN).status_code == 404, (method, path)
        assert nobody.client.request(method, re.sub(r"\{[^}]*\}", "9" * 15, path)).status_code == 401
    floor = house.browser("Bo")
    assert floor.client.get(f"/hands/{'9' * 15}/{'9' * 15}", headers=floor.headers()).status_code == 404


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
def test_a_role_has_what_the_table_gives_it_and_nothing_else(house: House, role: Role) -> None:
    for method, path in list_closed_routes(house):
        browser = house.browser(NAMED[role])
        status, code = ask(browser, method, path)
        if role in (permissions.find_route_roles(method, path) or ()):
            assert status not in (401, 403), (method, path, code)
        else:
            assert status == 403, (method, path)
            assert code == ("" if method == "HEAD" else "not-your-role")
    assert house.entered == []


def test_a_request_from_elsewhere_is_refused_whoever_sends_it(house: House) -> None:
    for role, name in NAMED.items():
        browser = house.browser(name)
        for method, path in routes(house):
            if method in SAFE_METHODS:
                continue
            for origin in ("http://evil.example", "null", "http://127.0.0.1:81", ""):
                assert ask(browser, method, path, Origin=origin) == (403, "other-origin"), (role, method, path)
    assert house.entered == []


def test_a_request_without_its_token_is_refused(house: House) -> None:
    other = house.browser("Di").token
    for role, name in NAMED.items():
        browser = house.browser(name)
        for method, path in list_closed_routes(house):
            if method in SAFE_METHODS or role not in (permissions.find_route_roles(method, path) or ()):
                continue
            for token in ("", "x", other or "", (browser.token or "")[:-1], "\xe9"):
                assert ask(browser, method, path, **{CSRF_HEADER: token}) == (403, "token-missing"), (method, path)
    assert house.entered == []


@pytest.mark.parametrize("role", TokenRole, ids=lambda role: role.value)
def test_a_token_has_what_the_table_gives_its_role_and_nothing_else(house: House, role: TokenRole) -> None:
    """A token opens no page of people, and a person's session no route of tokens."""
    browser, sent = house.browser(), house.token(role)
    for method, path in list_closed_routes(house):
        right = permissions.find_route_roles(method, path) or frozenset()
        status, code = ask(browser, method, path, **sent)
        if role in right:
            assert status != 401, (method, path, code)
            assert code != "not-your-role", (method, path)
        elif right.isdisjoint(TokenRole):
            assert status == 401, (method, path)
        else:
            assert status == 403, (method, path)
            assert code == ("" if method == "HEAD" else "not-your-role")
    assert house.calls == []


@pytest.mark.parametrize("sent", ["", "x", "tct_", "tct_" + "A" * 43, "é", "0" * 5000], ids=len)
def test_a_forged_token_is_nobody(house: House, sent: str) -> None:
    house.token(TokenRole.WATCH)
    for method, path in list_closed_routes(house):
        if not (permissions.find_route_roles(method, path) or frozenset()).isdisjoint(TokenRole):
            status, code = ask(house.browser(), method, path, Authorization=f"Bearer {sent}")
            assert status in (401, 429), (method, path)
            assert code in ("token-wrong", "wait", "")


def assert_closed_routes_refuse(house: House, browser: Browser, cookie: str) -> None:
    for method, path in list_closed_routes(house):
        assert ask(browser, method, path, Cookie=f"{SESSION_COOKIE}={cookie}")[0] == 401, (method, path)


@pytest.mark.parametrize("cookie", ["", "x", "A" * 43, "é", '"', "../..", "0" * 900])
def test_a_forged_cookie_is_nobody(house: House, cookie: str) -> None:
    browser = house.browser("Ada")
    assert_closed_routes_refuse(house, browser, cookie)


def test_a_cookie_after_signing_out_is_nobody(house: House) -> None:
    browser = house.browser("Bo")
    stale = browser.cookie or ""
    assert browser.post("/sign-out").status_code == 204
    assert_closed_routes_refuse(house, browser, stale)


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
def test_a_cookie_after_the_idle_time_is_nobody(house: House, role: Role) -> None:
    browser = house.browser(NAMED[role])
    house.clock.at += IDLE_TIMEOUT_S_BY_ROLE[role] - 1
    assert ask(browser, "GET", "/answers")[0] == 200
    house.clock.at += IDLE_TIMEOUT_S_BY_ROLE[role] - 1
    assert browser.get("/who").json()["name"] == NAMED[role], "it was touched"
    house.clock.at += 1
    assert_closed_routes_refuse(house, browser, browser.cookie or "")


def test_a_cookie_after_the_longest_time_is_nobody(house: House) -> None:
    browser = house.browser("Ada")
    ends = house.clock.at + MAX_SESSION_DURATION_S
    while house.clock.at + IDLE_TIMEOUT_S_BY_ROLE[Role.DEALER] < ends:
        house.clock.at += IDLE_TIMEOUT_S_BY_ROLE[Role.DEALER] - 1
        assert ask(browser, "GET", "/answers")[0] == 200
    house.clock.at = ends
    assert_closed_routes_refuse(house, browser, browser.cookie or "")


def test_a_cookie_of_a_browser_before_the_restart_is_nobody(house: House, tmp_path: Path) -> None:
    cookie = house.browser("Cy").cookie or ""
    for again in houses(tmp_path / "again", simulated=True):
        assert_closed_routes_refuse(again, again.browser(), cookie)


def test_whoever_was_removed_or_reset_is_nobody_at_once(house: House) -> None:
    warrant = house.staff.make_warrant(house.staff.sign_in("Cy", "862075"))
    ada, bo = house.browser("Ada"), house.browser("Bo")
    house.staff.remove("Ada", warrant)
    house.staff.reset_pin("Bo", "720583", warrant)
    for browser in (ada, bo):
        assert_closed_routes_refuse(house, browser, browser.cookie or "")


def test_every_row_of_the_table_is_a_route(house: House) -> None:
    """A row that no route has would be a promise about nothing."""
    assert set(ROLES_BY_ROUTE) == {f"{method} {path}" for method, path in routes(house) if method != "HEAD"}


@pytest.mark.parametrize(
    "route",
    [
        Route("/new", lambda _: PlainTextResponse("secret"), methods=["GET"]),
        Route("/watch", lambda _: PlainTextResponse("secret"), methods=["DELETE"]),
        Mount("/new", PlainTextResponse("secret")),
        WebSocketRoute("/socket", lambda _: None),
    ],
    ids=["a path", "a method", "a folder", "a socket"],
)
def test_a_route_without_a_declared_role_ends_the_start(route: BaseRoute) -> None:
    with pytest.raises(UndeclaredRouteError):
        protect_routes(Authenticator(), [route])
