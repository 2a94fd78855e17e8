"""Every route of the room is declared with the roles that may have it, and nobody else has it."""

import pytest
from starlette.routing import Route

from controller.runtime.staff.permissions import Role
from controller.web.access.authenticator import CSRF_HEADER, UndeclaredRouteError
from room.server.app import make_app
from room.server.room_context import PassivePage
from room.server.route_permissions import ROLES_BY_ROUTE
from tests.room.server.house import House
from tests.web.house import PEOPLE


def fill_path_parameters(path: str) -> str:
    return (
        path.replace("{table}", "table-01")
        .replace("{number}", "1")
        .replace("{hand}", "1")
        .replace("{journal}", "a1")
        .replace("{session}", "1")
    )


def test_every_declared_route_is_there_and_no_other(house: House) -> None:
    there = {
        f"{method} {route.path}"
        for route in house.app.routes
        for method in (getattr(route, "methods", None) or {"GET"}) - {"HEAD"}
        if hasattr(route, "path")
    }
    assert there == set(ROLES_BY_ROUTE)


@pytest.mark.parametrize("route", sorted(route for route, right in ROLES_BY_ROUTE.items() if right is not None))
def test_a_route_is_for_its_roles_alone(house: House, route: str) -> None:
    method, path = route.split()
    right = ROLES_BY_ROUTE[route] or frozenset()
    house.room.hub.close()  # so that a stream ends
    ask = {
        "GET": lambda browser: browser.get(fill_path_parameters(path)),
        "POST": lambda browser: browser.post(fill_path_parameters(path), {}),
    }
    assert ask[method](house.browser()).status_code == 401
    for name, role in PEOPLE.items():
        if role not in right:
            assert ask[method](house.browser(name)).json()["code"] == "not-your-role", (name, route)
        elif method == "GET":
            assert ask[method](house.browser(name)).status_code not in (401, 403, 500), (name, route)


@pytest.mark.parametrize("number", ["9" * 16, "9" * 5000, "x", "-1", "1.5", "٣"])
def test_a_session_and_a_hand_are_numbers_that_can_be_read(house: House, number: str) -> None:
    browser = house.browser("Bo")
    for path in (f"/rulings/a1/{number}/1", f"/rulings/a1/1/{number}"):
        answer = browser.get(path)
        assert answer.status_code == 400
        assert "is a number of 15 digits at most" in answer.json()["message"]


def test_a_post_of_another_site_or_without_the_sessions_token_is_refused(house: House) -> None:
    browser = house.browser("Bo")
    for route in sorted(ROLES_BY_ROUTE):
        method, path = route.split()
        if method == "POST":
            other = browser.post(fill_path_parameters(path), {}, Origin="https://elsewhere.example")
            assert other.json()["code"] == "other-origin"
            plain = browser.post(f"https://127.0.0.1{fill_path_parameters(path)}", {}, Origin="http://127.0.0.1")
            assert plain.json()["code"] == "other-origin", "a page over HTTP may be anybody's"
            assert plain.headers["strict-transport-security"]
            if Role.FLOOR in (ROLES_BY_ROUTE[route] or ()):
                without = browser.post(fill_path_parameters(path), {}, **{CSRF_HEADER: ""})
                assert without.json()["code"] == "token-missing"


def test_a_page_that_nobody_has_declared_ends_the_program_as_it_starts(house: House) -> None:
    class Secret(PassivePage):
        def make_routes(self) -> list[Route]:
            return [Route("/secret", lambda _: None, methods=["GET"])]

    with pytest.raises(
        UndeclaredRouteError, match=r"'GET /secret' is missing in ROLES_BY_ROUTE of room/server/route_permissions\.py"
    ):
        make_app(house.room, ["127.0.0.1"], [Secret()])


def test_signing_in_is_as_at_a_table_with_a_cookie_of_its_own(house: House) -> None:
    browser = house.browser()
    answer = browser.post("/sign-in", {"name": "Bo", "pin": "503316"})
    assert answer.status_code == 200
    assert answer.json()["home"] == "/"
    assert answer.headers["set-cookie"].startswith("room=")
    assert browser.get("/who").json()["name"] == "Bo"
    assert browser.get("/sign-in").text.count("Back to the room") == 1
