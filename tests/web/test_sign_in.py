"""Signing in and out at the page, the floor over the dealer, what is signed, and what no request brings about."""

import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import ASGIApp

from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.staff import permissions
from controller.runtime.staff.entry_signature import is_entry_signed
from controller.runtime.staff.permissions import (
    DECIDING_TIMEOUT_S,
    IDLE_TIMEOUT_S_BY_ROLE,
    ROLES_BY_EVENT,
    Role,
    can_enter,
)
from controller.runtime.staff.rate_limit import MAX_TRIES
from controller.runtime.staff.staff_store import CODE_VALIDITY_S, MAX_CODE_TRIES, MAX_OPEN_CODES, MAX_PIN_AGE_S
from controller.web.access.authenticator import CSRF_HEADER, SESSION_COOKIE, Authenticator
from controller.web.access.session_store import MAX_SESSIONS as MOST_SESSIONS
from controller.web.access.session_store import SessionStore
from controller.web.site import make_app
from tests.web.house import PEOPLE, PINS, PLACE, Browser, House, houses
from tests.web.test_every_route import ask, fill_path_parameters, routes
from tests.web.test_pages import NAMES, ORIGIN, Client, standing


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path)


def far(app: ASGIApp, address: str = "10.0.0.9", scheme: str = "http") -> Client:
    client = Client(app)
    client._transport = httpx.ASGITransport(app, client=(address, 1))
    if scheme == "https":

        async def over_tls(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's
            await app({**scope, "scheme": "https"}, receive, send)

        client._transport = httpx.ASGITransport(over_tls, client=(address, 1))
    return client


@pytest.mark.parametrize("name", PEOPLE)
def test_whoever_signs_in_is_told_from_the_others(house: House, name: str) -> None:
    browser = house.browser()
    assert browser.fetch_principal()["name"] is None
    answer = browser.sign_in(name)
    assert answer.json() == {"name": name, "role": PEOPLE[name].value, "home": answer.json()["home"], "renew": False}
    who = browser.fetch_principal()
    assert (who["name"], who["roles"], who["showroom"]) == (name, [PEOPLE[name].value], False)
    assert 0 < who["seconds"] <= IDLE_TIMEOUT_S_BY_ROLE[PEOPLE[name]]


def test_the_cookie_is_for_the_server_alone(house: House) -> None:
    answer = house.browser().sign_in("Ada")
    given = answer.headers["set-cookie"]
    assert {part.strip().lower() for part in given.split(";")[1:]} == {"httponly", "path=/", "samesite=strict"}
    secure = house.browser().post(
        "https://127.0.0.1/sign-in", {"name": "Ada", "pin": PINS["Ada"]}, Origin="https://127.0.0.1"
    )
    assert "; Secure" in secure.headers["set-cookie"]
    assert answer.headers["cache-control"] == "no-store"


def test_who_signs_out_is_told_and_who_is_signed_out_by_time_is_not(house: House) -> None:
    gone: list[str] = []
    now = [0.0]
    sessions = SessionStore(
        house.staff.is_still_enrolled, lambda: now[0], ended=lambda person: gone.append(person.name)
    )
    ada, bo = (house.staff.sign_in(name, PINS[name]) for name in ("Ada", "Bo"))
    over = sessions.begin(bo, sessions.begin(ada, None))
    beneath = sessions.end(over)
    assert (gone, beneath is not None) == (["Bo"], True), "the dealer is signed in as before"
    now[0] = IDLE_TIMEOUT_S_BY_ROLE[PEOPLE["Ada"]] + 1
    assert sessions.end(beneath) is None
    assert sessions.end("nobody's") is None
    assert gone == ["Bo"]


def test_a_token_that_was_planted_is_worth_nothing(house: House) -> None:
    browser = house.browser()
    browser.cookie = "planted"
    browser.sign_in("Ada")
    assert browser.cookie != "planted"
    first = browser.cookie
    browser.sign_in("Ada")
    assert browser.cookie != first
    old = house.browser()
    old.cookie = first
    assert old.fetch_principal()["name"] is None


def test_wrong_pin_and_unknown_name_are_one_answer(house: House) -> None:
    browser = house.browser()
    wrong, unknown = browser.sign_in("Ada", "000000"), browser.sign_in("Nobody", "000000")
    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
    assert wrong.json()["code"] == "wrong-pin"
    assert browser.cookie is None


def test_lock_out_is_said_and_ended_by_nobody_on_the_page(house: House) -> None:
    browser = house.browser()
    codes = []
    for _ in range(MAX_TRIES):
        codes.append(browser.sign_in("Ada", "000000").json()["code"])
        house.wall.at += 1000
    assert set(codes) == {"wrong-pin"}
    answer = browser.sign_in("Ada")
    assert (answer.status_code, answer.json()["code"]) == (403, "locked-out")
    assert browser.sign_in("Bo").status_code == 200


def test_a_wait_is_said_in_seconds(house: House) -> None:
    browser = house.browser()
    for _ in range(3):
        browser.sign_in("Ada", "000000")
    answer = browser.sign_in("Ada")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (429, "wait", "16")


def test_who_may_sign_in_is_listed_without_secrets(house: House) -> None:
    content = house.browser().get("/staff").json()
    assert content["staff"] == [{"name": name, "role": role.value} for name, role in PEOPLE.items()]
    assert content["code"] is False
    house.code()
    assert house.browser().get("/staff").json()["code"] is True


def test_a_technician_makes_the_code_with_which_a_new_dealer_enrols(house: House) -> None:
    code = house.browser("Cy").post("/code", {"role": "dealer"}).json()["code"]
    browser = house.browser()
    wish = {"code": code, "name": "Eve", "role": "dealer", "pin": "720583"}
    assert browser.post("/enrol", {**wish, "pin": "111111"}).json()["code"] == "pin-unfit"
    assert browser.post("/enrol", {**wish, "name": "ada"}).json()["code"] == "name-taken"
    assert browser.post("/enrol", wish).status_code == 200
    assert browser.fetch_principal()["name"] == "Eve"
    assert house.browser().post("/enrol", {**wish, "name": "Mallory"}).json()["code"] == "wrong-code"


@pytest.mark.parametrize("role", Role)
def test_a_code_knows_its_role_and_gives_no_other(house: House, role: Role) -> None:
    """Whoever enrols is asked for no role, and one that is sent all the same is taken for that of the code alone."""
    code = house.browser("Cy").post("/code", {"role": role.value}).json()["code"]
    browser = house.browser()
    assert browser.post("/code/role", {"code": code}).json() == {"role": role.value}
    assert browser.post("/code/role", {"code": code}).status_code == 200, "looking uses nothing up"
    assert browser.fetch_principal()["name"] is None, "and signs nobody in"
    wish = {"code": code, "name": "Eve", "pin": "720583"}
    for other in set(Role) - {role}:
        assert browser.post("/enrol", {**wish, "role": other.value}).json()["code"] == "wrong-code"
    answer = browser.post("/enrol", wish)
    assert (answer.status_code, answer.json()["role"]) == (200, role.value)
    assert browser.fetch_principal()["roles"] == [role.value]
    for path, more in (("/code/role", {}), ("/enrol", {"name": "Mallory", "pin": "720583"})):
        assert browser.post(path, {"code": code, **more}).json()["code"] == "wrong-code"
    assert {person.name for person in house.staff.list_people()} == {*PEOPLE, "Eve"}


def test_a_code_of_a_first_start_enrols_a_technician_unless_the_page_is_told_otherwise(tmp_path: Path) -> None:
    for role, wish in ((Role.TECHNICIAN, {}), (Role.AUDITOR, {"role": "auditor"})):
        for house in houses(tmp_path / role.value, people=False):
            code = house.code()
            assert house.browser().post("/code/role", {"code": code}).json() == {"role": "technician"}
            answer = house.browser().post("/enrol", {"code": code, "name": "Eve", "pin": "720583", **wish})
            assert answer.json()["role"] == role.value


def test_a_second_code_leaves_the_first_and_says_what_is_open(house: House) -> None:
    cy = house.browser("Cy")
    first, second = cy.post("/code", {"role": "floor"}).json(), cy.post("/code", {"role": "dealer"}).json()
    assert (first["role"], first["open"], first["voided"]) == ("floor", ["floor"], None)
    assert (second["role"], second["open"], second["voided"]) == ("dealer", ["floor", "dealer"], None)
    browser = house.browser()
    assert browser.post("/code/role", {"code": first["code"]}).json() == {"role": "floor"}
    for _ in range(MAX_OPEN_CODES - 2):
        assert cy.post("/code", {"role": "auditor"}).json()["voided"] is None
    assert cy.post("/code", {"role": "auditor"}).json()["voided"] == "floor"
    assert browser.post("/code/role", {"code": first["code"]}).json()["code"] == "wrong-code"
    assert browser.post("/code/role", {"code": second["code"]}).status_code == 200
    assert cy.post("/code", {"void": True}).status_code == 204
    assert browser.post("/code/role", {"code": second["code"]}).json()["code"] == "wrong-code"
    for wish in ({"void": False}, {"void": True, "role": "floor"}, {"void": 1.5}, {}):
        answer = cy.post("/code", wish)
        assert (answer.status_code == 200) == ("role" in wish)


def test_looking_at_codes_is_a_try_and_ends_them_as_enrolling_does(house: House) -> None:
    code = house.code()
    wrong = "00000000" if code != "00000000" else "00000001"
    browser = house.browser()
    for number in range(MAX_CODE_TRIES):
        path, more = (("/code/role", {}), ("/enrol", {"name": "Eve", "pin": "720583"}))[number % 2]
        assert browser.post(path, {"code": wrong, **more}).json()["code"] == "wrong-code"
    assert browser.post("/code/role", {"code": code}).json()["code"] == "wrong-code"
    assert house.browser().get("/staff").json()["code"] is False


@pytest.mark.parametrize("ending", ["a day", "whoever made it has left"])
def test_a_code_that_has_ended_enrols_nobody_and_names_no_role(house: House, ending: str) -> None:
    code = house.browser("Cy").post("/code", {"role": "technician"}).json()["code"]
    if ending == "a day":
        house.wall.at += CODE_VALIDITY_S
    else:
        house.staff.enrol("Dee", Role.TECHNICIAN, "720583", house.staff.redeem_code(house.code()))
        house.staff.remove("Cy", house.staff.make_warrant(house.staff.sign_in("Dee", "720583")))
    browser = house.browser()
    assert browser.post("/code/role", {"code": code}).json()["code"] == "wrong-code"
    assert browser.post("/enrol", {"code": code, "name": "Eve", "pin": "640193"}).json()["code"] == "wrong-code"


def test_a_pin_that_is_due_is_changed_in_the_session(house: House) -> None:
    house.wall.at += MAX_PIN_AGE_S
    browser = house.browser("Ada")
    assert browser.fetch_principal()["renew"] is True
    for refused in (browser.post("/entry", {"seen": 7, "line": {"ev": "done"}}), browser.get("/hands/list")):
        assert refused.json()["code"] == "pin-due"
    assert browser.post("/pin", {"old": PINS["Ada"], "new": "720583"}).status_code == 204
    assert browser.fetch_principal()["renew"] is False
    assert browser.get("/hands/list").status_code == 200
    assert house.browser().sign_in("Ada").json()["code"] == "wrong-pin"
    assert house.browser().sign_in("Ada", "720583").status_code == 200


def test_the_floor_signs_in_over_the_dealer_and_the_dealer_is_there_again(house: House) -> None:
    browser = house.browser("Ada")
    assert browser.enter({"ev": "floor", "decide": "misdeal"}).json()["code"] == "floor-only"
    browser.sign_in("Bo")
    assert browser.fetch_principal()["name"] == "Bo"
    assert browser.enter({"ev": "floor", "decide": "misdeal"}).status_code == 202
    browser.post("/sign-out")
    assert browser.fetch_principal()["name"] == "Ada"
    browser.post("/sign-out")
    assert browser.fetch_principal()["name"] is None


def test_a_floor_that_looks_away_leaves_the_dealer_signed_in(house: House) -> None:
    browser = house.browser("Ada")
    browser.sign_in("Bo")
    house.clock.at += IDLE_TIMEOUT_S_BY_ROLE[Role.FLOOR]
    assert browser.fetch_principal()["name"] == "Ada"
    assert browser.enter({"ev": "floor", "decide": "misdeal"}).status_code == 403
    browser.token = browser.fetch_principal()["token"]
    assert browser.enter({"ev": "undo"}).status_code == 202


def test_over_a_dealer_the_floor_is_gone_after_three_minutes_whatever_the_house_says(house: House) -> None:
    assert DECIDING_TIMEOUT_S == 180 < IDLE_TIMEOUT_S_BY_ROLE[Role.FLOOR]
    browser = house.browser("Ada")
    browser.sign_in("Bo")
    assert browser.fetch_principal()["seconds"] <= DECIDING_TIMEOUT_S
    house.clock.at += DECIDING_TIMEOUT_S
    assert browser.fetch_principal()["name"] == "Ada"


def test_the_floor_stays_signed_in_and_decides_by_its_pin_after_a_pause(house: House) -> None:
    """Looking on lets nobody decide who finds the phone, however much of it there is."""
    browser, decision = house.browser("Bo"), {"ev": "floor", "decide": "misdeal"}
    house.clock.at += DECIDING_TIMEOUT_S - 1
    assert browser.enter(decision).status_code == 202, "a touch in time goes on"
    for _ in range(3):
        house.clock.at += DECIDING_TIMEOUT_S
        assert browser.get("/hands/list").status_code == 200
        answer = browser.enter(decision)
        assert (answer.status_code, answer.json()["code"]) == (403, "pin-to-decide")
    assert browser.post("/call", {"wanted": False}).status_code == 204, "that it comes it says without"
    assert browser.enter(decision).json()["code"] == "pin-to-decide"
    assert browser.sign_in("Bo", "000000").json()["code"] == "wrong-pin"
    assert browser.enter(decision).json()["code"] == "pin-to-decide", "a wrong PIN gives nothing back"
    browser.sign_in("Bo")
    house.hub.publish(standing(8))
    assert browser.enter(decision, seen=8).status_code == 202
    assert len(house.entered) == 2
    house.clock.at += DECIDING_TIMEOUT_S
    assert browser.post("/sign-out").status_code == 204


def test_who_is_refused_for_want_of_a_pin_has_touched_nothing(house: House) -> None:
    browser = house.browser("Bo")
    ends = house.clock.at + IDLE_TIMEOUT_S_BY_ROLE[Role.FLOOR]
    while house.clock.at + DECIDING_TIMEOUT_S < ends:
        house.clock.at += DECIDING_TIMEOUT_S
        assert browser.enter({"ev": "undo"}).json()["code"] == "pin-to-decide"
    house.clock.at = ends
    assert browser.fetch_principal()["name"] is None


@pytest.mark.parametrize("name", [name for name, role in PEOPLE.items() if role is not Role.FLOOR])
def test_nobody_but_the_floor_is_asked_for_a_pin_again(house: House, name: str) -> None:
    browser = house.browser(name)
    house.clock.at += IDLE_TIMEOUT_S_BY_ROLE[PEOPLE[name]] - 1
    assert browser.enter({"ev": "undo"}).status_code == (202 if PEOPLE[name] is Role.DEALER else 403)
    assert browser.post("/pin", {"old": PINS[name], "new": "720583"}).status_code == 204


def test_everybody_lands_on_the_page_of_their_work_and_over_a_dealer_on_the_dealers(house: House) -> None:
    homes = {"dealer": "/", "floor": "/floor", "technician": "/technician", "auditor": "/hands"}
    for name, role in PEOPLE.items():
        browser = house.browser()
        assert browser.sign_in(name).json()["home"] == homes[role.value] == browser.fetch_principal()["home"]
    browser = house.browser("Ada")
    assert browser.sign_in("Bo").json()["home"] == "/" == browser.fetch_principal()["home"]
    browser.post("/sign-out")
    assert browser.sign_in("Ada").json()["home"] == "/"


def test_a_dealer_who_relieves_another_ends_the_others_session(house: House) -> None:
    house.staff.enrol("Eve", Role.DEALER, "720583", house.staff.redeem_code(house.code()))
    browser = house.browser("Ada")
    browser.sign_in("Eve", "720583")
    browser.post("/sign-out")
    assert browser.fetch_principal()["name"] is None


def test_a_crowd_of_sessions_keeps_the_newest(house: House) -> None:
    first, last = house.browser("Ada"), house.browser()
    bo = house.staff.sign_in("Bo", PINS["Bo"])
    for _ in range(MOST_SESSIONS):
        house.clock.at += 1
        last.cookie = house.sessions.begin(bo, None)
    assert first.fetch_principal()["name"] is None
    assert last.fetch_principal()["name"] == "Bo"


WHOLE = ("start", "done", "undo", "act", "draw", "muck", "won", "report", "sit", "card", "floor", "device")
"""Words whose line here is whole."""


def line_of(word: str) -> dict[str, object]:
    more: dict[str, dict[str, object]] = {
        "act": {"seat": 4, "do": "fold"}, "draw": {"seat": 4, "discard": 2}, "show": {"seat": 4}, "muck": {"seat": 4},
        "won": {"seat": 4, "pot": 0}, "clock": {"seat": 4},
        "report": {"what": "exposed"}, "sit": {"seat": 3, "stack": 9},
        "leave": {"seat": 3}, "away": {"seat": 3}, "back": {"seat": 3}, "stack": {"seat": 3, "stack": 9},
        "card": {"card": None}, "floor": {"decide": "play-on"}, "device": {"id": "fault:deck-count", "status": "back"},
    }  # fmt: skip
    return {"ev": word, **more.get(word, {})}


@pytest.mark.parametrize("word", ROLES_BY_EVENT)
@pytest.mark.parametrize("name", PEOPLE)
def test_every_word_is_for_the_roles_that_the_table_names(house: House, name: str, word: str) -> None:
    role = PEOPLE[name]
    answer = house.browser(name).enter(line_of(word))
    allowed = role.value in FAULTS["deck-count"].clearing_roles if word == "device" else can_enter(role, word)
    if role not in (permissions.find_route_roles("POST", "/entry") or ()) or not allowed:
        assert answer.status_code == 403
        assert house.entered == []
    else:
        assert answer.status_code == 202 or answer.json()["code"] in ("value", "key-missing"), "it wants more keys"
        assert answer.status_code == 202 or word not in WHOLE


def test_what_is_entered_is_signed_by_whoever_entered_it(house: House) -> None:
    house.browser("Ada").enter({"ev": "undo"})
    house.hub.publish(standing(8))
    house.browser("Bo").enter({"ev": "floor", "decide": "dead-hand", "seat": 4, "who": "Ada"}, seen=8)
    keys = {key.name: key.public_key for key in house.staff.list_signing_keys()}
    (undo, by_dealer), (decision, by_floor) = house.entered
    assert by_dealer is not None
    assert by_floor is not None
    assert decision["who"] == "Bo", "nobody decides in another's name"
    for line, by, name, seen in ((undo, by_dealer, "Ada", 7), (decision, by_floor, "Bo", 8)):
        assert (by["name"], by["role"], by["seen"]) == (name, PEOPLE[name].value, seen)
        assert by["key"] == base64.b64encode(keys[name]).decode()
        assert is_entry_signed(by, {**line, "t": 12.5}, PLACE)
        assert not is_entry_signed(by, {**line, "note": "x"}, PLACE)
        for key, other in (("name", "Cy"), ("role", "technician"), ("seen", seen + 1)):
            assert not is_entry_signed({**by, key: other}, {**line, "t": 12.5}, PLACE), (
                "good with another word of whose"
            )
        assert not is_entry_signed(by, line, PLACE._replace(session=PLACE.session + 1)), "good in another session"
        assert not is_entry_signed(by, line, PLACE._replace(journal="f" * 32)), "good in another table's journal"


@pytest.mark.parametrize("name", PEOPLE)
def test_only_the_floor_takes_back_what_the_floor_decided(house: House, name: str) -> None:
    house.decided = True
    taken_back = house.browser(name).enter({"ev": "undo"}).status_code == 202
    assert taken_back is (PEOPLE[name] is Role.FLOOR)
    assert len(house.entered) == taken_back


@pytest.mark.parametrize("witnessed", [{}, {"witnessed": True}, {"witnessed": False}])
@pytest.mark.parametrize("name", PEOPLE)
def test_the_page_adds_to_no_report_that_somebody_has_seen_the_card(
    house: House, name: str, witnessed: dict[str, bool]
) -> None:
    """It goes to the table as it was sent, whoever signs it; the table takes it from nobody."""
    house.browser(name).enter({"ev": "report", "what": "exposed", "seat": 4, "nth": 1, **witnessed})
    found = [line.get("witnessed", False) for line, _ in house.entered]
    assert found == [witnessed.get("witnessed", False)] * (PEOPLE[name] in (Role.DEALER, Role.FLOOR))


@pytest.mark.parametrize("path", ["/staff", "/sign-in", "/enrol", "/code/role"])
def test_nobody_signs_in_over_a_network_that_can_be_listened_to(house: House, path: str) -> None:
    wishes = {
        "/sign-in": {"name": "Ada", "pin": PINS["Ada"]},
        "/enrol": {"code": house.code(), "name": "Eve", "role": "floor", "pin": "720583"},
        "/code/role": {"code": house.code()},
    }
    client = far(house.app)
    answer = client.post(path, json=wishes[path], headers=ORIGIN) if path in wishes else client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (403, "plain-http")
    assert "Ada" not in answer.text


def test_a_cookie_from_the_table_is_worth_nothing_on_the_open_network(house: House) -> None:
    browser = house.browser("Bo")
    browser.client = far(house.app)
    assert browser.enter({"ev": "undo"}).status_code == 401
    assert house.entered == []


def test_over_tls_or_where_the_house_allows_it_somebody_far_signs_in(house: House, tmp_path: Path) -> None:
    wish = {"name": "Ada", "pin": PINS["Ada"]}
    headers = {"Origin": "https://127.0.0.1"}
    answer = far(house.app, scheme="https").post("/sign-in", json=wish, headers=headers)
    assert answer.status_code == 200
    assert "; Secure" in answer.headers["set-cookie"]
    for open_house in houses(tmp_path / "open", plain=True):
        assert far(open_house.app).post("/sign-in", json=wish, headers=ORIGIN).status_code == 200


def test_looking_is_open_to_the_network(house: House) -> None:
    assert {far(house.app).get(path).status_code for path in ("/", "/watch", "/state", "/who")} == {200}


def test_without_staff_nobody_signs_in(house: House) -> None:
    client = Client(make_app(house.hub, NAMES, None))
    answer = client.post("/sign-in", json={"name": "Ada", "pin": PINS["Ada"]}, headers=ORIGIN)
    assert (answer.status_code, answer.json()["code"]) == (503, "staff-file")


def test_a_showroom_says_that_it_is_one(house: House) -> None:
    app = make_app(house.hub, NAMES, house.wishes, door=Authenticator(is_demo=True))
    who = Client(app).get("/who").json()
    assert who["showroom"] is True
    assert who["roles"] == sorted(role.value for role in Role)
    assert far(app).get("/who").json()["roles"] == []


def test_a_failure_of_the_program_is_a_sentence_without_its_words(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(name: str, pin: str) -> None:
        raise RuntimeError(f"{name} {pin} As")

    monkeypatch.setattr(house.staff, "sign_in", fails)
    answer = house.browser().sign_in("Ada")
    assert (answer.status_code, answer.json()["code"]) == (500, "page-fault")
    assert "RuntimeError in" in caplog.text
    for text in (caplog.text, answer.text):
        assert PINS["Ada"] not in text
        assert "As" not in text
        assert "Traceback" not in text


def test_no_pin_reaches_the_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    browser = house.browser("Ada")
    browser.sign_in("Ada", "503316")
    browser.sign_in(PINS["Ada"], "503316")
    browser.post("/pin", {"old": PINS["Ada"], "new": "720583"})
    browser.post("/enrol", {"code": "12345678", "name": "Eve", "role": "floor", "pin": "720583"})
    browser.client.post("/sign-in", content=b'{"name": "Ada", "pin": "194728', headers=ORIGIN)
    for secret in (PINS["Ada"], "503316", "720583", "12345678", browser.cookie or "", browser.token or ""):
        assert secret not in caplog.text


PATHS = ("/entry", "/sign-in", "/sign-out", "/pin", "/enrol", "/code", "/code/role", "/simulation")
WORDS_OF_REQUESTS = st.sampled_from(
    [
        "name",
        "pin",
        "old",
        "new",
        "code",
        "role",
        "seen",
        "line",
        "ev",
        "do",
        "fault",
        "speed",
        "table",
        "game",
        "rulebook",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
    | st.sampled_from(["Ada", "194728", "\ud800", "device", "floor", "play", "speed", "fault", "boxed", "table"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS_OF_REQUESTS, inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
BODIES = VALUES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40)
TEXTS = st.binary(max_size=20).filter(lambda raw: not set(raw) & {0, 10, 13})


@pytest.fixture(scope="module")
def fuzzed_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    for house in houses(tmp_path_factory.mktemp("fuzzed"), simulated=True):
        house.hub.close()
        yield house


def no_failure(answer: httpx.Response) -> None:
    assert answer.status_code < 500 or answer.json()["code"] == "staff-file", answer.text
    assert "Traceback" not in answer.text
    assert ".py" not in answer.text or answer.headers["content-type"].startswith(("text/html", "text/plain"))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PATHS), BODIES, st.sampled_from([None, *PEOPLE]))
def test_no_body_makes_the_page_fail(fuzzed_house: House, path: str, body: bytes, name: str | None) -> None:
    browser = Browser(fuzzed_house)
    if name is not None:  # not by its PIN: the tries that are made up count
        session = fuzzed_house.sessions.begin(
            KNOWN.setdefault(name, fuzzed_house.staff.sign_in(name, PINS[name])), None
        )
        browser.cookie, browser.token = session, None
        browser.token = browser.fetch_principal()["token"]
    headers = {**ORIGIN, **browser.headers(), "Content-Type": "application/json"}
    no_failure(browser.client.post(path, content=body, headers=headers))


KNOWN: dict[str, Any] = {}


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "X"]),
    st.integers(0, 99),
    st.dictionaries(
        st.sampled_from(["Cookie", CSRF_HEADER, "Origin", "Content-Type", "Last-Event-ID", "Accept", "Range", "Host"]),
        TEXTS
        | st.sampled_from(
            [f"{SESSION_COOKIE}=x".encode(), b"http://127.0.0.1", b"application/json", b"bytes=0-", b"127.0.0.1"]
        ),
    ),
    st.text("./%\\_é0-a", max_size=9),
)
def test_no_header_and_no_path_makes_the_page_fail(
    fuzzed_house: House, method: str, number: int, headers: dict[str, bytes], more: str
) -> None:
    known = routes(fuzzed_house)
    path = fill_path_parameters(known[number % len(known)][1])
    client = Client(fuzzed_house.app)
    for asked in (path, f"{path.rstrip('/')}/{more}"):
        # As a path, which two slashes would not be: they begin a host.
        url = httpx.URL("http://127.0.0.1").copy_with(raw_path=quote(asked, safe="/%\\").encode())
        no_failure(client.request(method, url, headers=headers))


def test_what_the_fuzzed_house_took_was_allowed(fuzzed_house: House) -> None:
    for _, by in fuzzed_house.entered:
        assert by is not None
        assert by["role"] in ("dealer", "floor", "technician")
    assert ask(fuzzed_house.browser(), "GET", "/answers")[0] == 401
