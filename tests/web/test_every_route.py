"""Every route of the page, tried as somebody would who may not have it."""

import re
from collections.abc import Callable, Iterator
from itertools import cycle, product
from pathlib import Path

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from controller.runtime.staff import permissions
from controller.runtime.staff.permissions import (
    IDLE_TIMEOUT_S_BY_ROLE,
    MAX_SESSION_DURATION_S,
    OPEN,
    REMOTE_ENTRY_ROLES,
    ROLES_BY_EVENT,
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

JUDGE_THEMSELVES = {("POST", "/sign-in"), ("POST", "/enrol"), ("POST", "/code/role")}
"""What anybody may send: tested in `test_sign_in`."""


PEOPLE_MAY = {
    "dealer floor technician auditor": (
        "POST /sign-out, POST /pin, GET /decks, GET /hands/list, GET /hands/export, GET /hands/{hand:int}, "
        "GET /hands/{session:int}/{hand:int}, GET /printed/{cite}, GET /by-people, GET /train/lessons, "
        "GET /train/lessons/{book}/{lesson}, GET /broadcast/delay, POST /simulation, GET /answers"
    ),
    "dealer floor technician": "POST /entry, POST /decks",
    "dealer floor": "GET /entries, GET /offers, POST /call",
    "floor auditor": "GET /drop/list, GET /drop/export",
    "floor technician": "POST /broadcast/delay",
    "floor": "POST /drop/count",
    "technician": (
        "POST /code, GET /workshop, POST /workshop, GET /certificate, POST /certificate, POST /backup, "
        "GET /set-up/found, POST /set-up, GET /metrics"
    ),
}
TOKENS_MAY = {
    "watch floor-read room auditor metrics broadcast uplink": "GET /api/v1/errors",
    "watch floor-read room auditor broadcast uplink": "GET /api/v1/table, GET /api/v1/events",
    "floor-read room uplink": "GET /api/v1/inventory",
    "floor-read auditor": "GET /api/v1/hands, GET /api/v1/hands/{session:int}/{hand:int}",
    "room": "POST /api/v1/call, POST /api/v1/lamps, POST /api/v1/entries",
    "uplink": ", ".join(
        f"POST /api/v1/room/{verb}"
        for verb in ("standing", "enter", "staff", "fetch", "release", "file", "set-up", "announce")
    ),
    "broadcast": "GET /broadcast/show, GET /broadcast/feed",
    "metrics": "GET /metrics",
}
WORDS_OF = {
    "dealer floor": (
        "start done undo act closed draw show muck won clock report chop sit leave away back stack level card timer "
        "break colour-up buy twice collect amend game"
    ),
    "floor": "floor penalty hand-for-hand last-hands halt tournament-over collection",
    "dealer floor technician": "device",
}
"""Who may have a route and enter a word; said here once more and not read off."""


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


def test_the_table_of_permissions_gives_nobody_more_than_was_thought_of() -> None:
    expected: dict[str, set[Role | TokenRole]] = {}
    for kind, may in ((Role, PEOPLE_MAY), (TokenRole, TOKENS_MAY)):
        for who, listed in may.items():
            for route in listed.split(", "):
                expected.setdefault(route, set()).update(kind(name) for name in who.split())
    assert {route: set(roles) for route, roles in ROLES_BY_ROUTE.items() if roles is not None} == expected
    words = {word: {Role(name) for name in who.split()} for who, listed in WORDS_OF.items() for word in listed.split()}
    assert {word: set(roles) for word, roles in ROLES_BY_EVENT.items()} == words
    assert {Role.FLOOR, Role.TECHNICIAN} == REMOTE_ENTRY_ROLES


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
    browser = house.browser(NAMED[role])
    for method, path in list_closed_routes(house):
        status, code = ask(browser, method, path)
        if path == "/sign-out":
            browser = house.browser(NAMED[role])
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


def test_a_header_of_a_token_spares_no_page_its_origin(house: House) -> None:
    """A request that names no origin is taken below the API alone, with a token; one that names another, nowhere."""
    uplink = house.token(TokenRole.UPLINK)
    for role, name in NAMED.items():
        browser = house.browser(name)
        for method, path in routes(house):
            if method in SAFE_METHODS:
                continue
            for sent in ({}, uplink, {**uplink, "Origin": "http://evil.example"}):
                headers = {"Content-Type": "application/json", **browser.headers(), **sent}
                answer = browser.client.post(fill_path_parameters(path), headers=headers, content=b"{}")
                spared = path.startswith("/api/") and sent == uplink
                assert (answer.json().get("code") == "other-origin") is not spared, (role, path, sent)
    assert house.list_effects() == []


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


def test_a_token_beside_a_session_gives_neither_more_than_it_has(house: House) -> None:
    """On a route of tokens the token counts, elsewhere the person; on one that is for both, the token."""
    for name, role in (("Bo", TokenRole.WATCH), ("Cy", TokenRole.UPLINK), ("Di", TokenRole.ROOM)):
        person, sent = house.browser(name), house.token(role)
        for method, path in list_closed_routes(house):
            right = permissions.find_route_roles(method, path) or frozenset()
            counts = PEOPLE[name] if right.isdisjoint(TokenRole) else role
            status = ask(person, method, path, **sent)[0]
            assert (status == 403) is (counts not in right), (method, path, name, role)
            if (method, path) == ("POST", "/sign-out"):
                person = house.browser(name)


class EverybodyInTurn:
    """Nobody, a person of each role and a token of each, one after the other."""

    def __init__(self, house: House) -> None:
        nobody, none = house.browser(), dict[str, str]()
        people = [(house.browser(name), none) for name in PEOPLE]
        self._turns = cycle([(nobody, none), *people, *((nobody, house.token(role)) for role in TokenRole)])

    def ask(self, method: str, path: str, **headers: str) -> tuple[int, str]:
        browser, sent = next(self._turns)
        return ask(browser, method, path, **sent, **headers)


def test_under_a_foreign_name_nobody_has_any_route(house: House) -> None:
    everybody, names = (
        EverybodyInTurn(house),
        ("evil.example", "127.0.0.1.evil.example", "table-7.", "", "127.0.0.1:80:80"),
    )
    for (method, path), host in zip(routes(house) * 2, cycle(names), strict=False):
        code = "" if method == "HEAD" else "other-host-name"
        assert everybody.ask(method, path, Host=host, Origin=f"http://{host}") == (403, code), (method, path, host)
    assert house.list_effects() == []


def test_a_method_that_a_path_does_not_have_does_nothing(house: House) -> None:
    everybody, known = EverybodyInTurn(house), set(routes(house))
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"):
        for path in sorted({path for _, path in known} - {path for has, path in known if has == method}):
            # Static files are a folder, which knows no methods: whoever asks otherwise than by GET is not let in.
            assert everybody.ask(method, path)[0] in ((401, 403) if path == "/static" else (405,)), (method, path)
    assert house.list_effects() == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x/json", ""]
)
def test_nothing_is_taken_in_a_form_that_a_page_of_another_site_could_send(house: House, kind: str) -> None:
    people = {role: house.browser(name) for role, name in NAMED.items()}
    tokens = {role: house.token(role) for role in (TokenRole.ROOM, TokenRole.UPLINK)}
    for method, path in routes(house):
        if method != "POST" or path == "/sign-out":  # that one carries nothing
            continue
        right = permissions.find_route_roles(method, path)
        for role in right or (Role.FLOOR,):
            browser = people[role] if isinstance(role, Role) else house.browser()
            sent = {} if isinstance(role, Role) else tokens[role]
            answer = ask(browser, method, path, **sent, **{"Content-Type": kind})
            assert answer == (415, "not-understood"), (path, role)
    assert house.list_effects() == []


TRICKS = (
    "//{0}", "/{0}/", "/./{0}", "/x/../{0}", "/static/../{0}", "/static/%2e%2e/{0}", "/static/..%2f{0}", "/static//{0}",
    "/api/v1/../../{0}", "/api/v1/%2e%2e/%2e%2e/{0}", "/{0};x", "/{0}%00", "/{0}?/static/", "/{0}%20", "/.{0}",
)  # fmt: skip
WRITINGS: tuple[Callable[[str], str], ...] = (
    str, str.upper, lambda path: path.replace("/", "%2f"), lambda path: "".join(f"%{ord(sign):02x}" for sign in path)
)  # fmt: skip


def test_no_way_to_write_a_path_goes_round_the_door(house: House) -> None:
    """Closed routes, and files that are none of the page's; of all ways with each of them every eleventh is tried."""
    nobody, files = house.browser(), ("staff.sqlite", "../staff.sqlite", "../../permissions.py", "etc/passwd")
    wanted = [(method, fill_path_parameters(path)[1:]) for method, path in list_closed_routes(house)]
    wanted += [("GET", file) for file in files]
    for trick, write, (method, path) in [*product(TRICKS, WRITINGS, wanted)][::11]:
        url = httpx.URL("http://127.0.0.1").copy_with(raw_path=trick.format(write(path)).encode())
        answer = nobody.client.request(method, url, headers=ORIGIN)
        assert answer.status_code in (307, 401, 404, 405), (method, url)
        assert answer.headers.get("location", "http://127.0.0.1/").startswith("http://127.0.0.1/"), url
    assert house.list_effects() == []


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
