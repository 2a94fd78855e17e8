"""The overlay, the feed, and the words of floor and technician, as a browser asks for them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from controller.runtime.broadcast.delay_agreement import CONSENT_VALIDITY_S
from controller.runtime.staff.entry_signature import is_entry_signed
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import Warrant
from controller.web.access.authenticator import NOBODY, Authenticator
from controller.web.pages.broadcast_page import BroadcastPage
from controller.web.publishing.broadcast_stream import MAX_OVERLAYS, BroadcastStream
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from tests.web.house import PINS, PLACE, ROOM_PIN, Browser, House, houses
from tests.web.test_pages import NAMES, Client


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path)


def test_the_overlay_holds_nothing_and_its_token_is_in_no_request(house: House) -> None:
    nobody = house.browser()
    page = nobody.get("/broadcast")
    assert page.status_code == 200
    assert "Bearer" not in page.text
    script = nobody.get("/static/broadcast.js").text
    assert "location.hash" in script, "behind `#`, which no browser sends"
    assert "location.search" not in script


def test_what_is_on_air_takes_a_token_for_it(house: House) -> None:
    house.air.show('{"hand":1}')
    client = Client(house.app)
    for path in ("/broadcast/show", "/broadcast/feed"):
        assert client.get(path).status_code == 401
        assert client.get(path, headers=house.token(TokenRole.WATCH, f"watch {path[11:]}")).status_code == 403
        answer = client.get(path, headers=house.token(TokenRole.BROADCAST, f"air {path[11:]}"))
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
    assert client.get("/broadcast/show?token=x").status_code == 401


def test_where_there_is_no_broadcast_there_is_no_route_of_it() -> None:
    client = Client(make_app(PageStateHub({}), NAMES, None))
    for path in ("", "/show", "/feed", "/desk", "/delay"):
        assert client.get(f"/broadcast{path}").status_code == 404


def test_the_stream_tells_the_picture_on_air(house: House) -> None:
    house.air.show('{"hand":7}')
    answer = Client(house.app).get("/broadcast/show", headers=house.token(TokenRole.BROADCAST))
    assert answer.text == 'data: {"hand":7}\n\n'


def sign_in_room_floor(house: House, name: str = "Flo") -> Browser:
    """Sign in a floor supervisor whom the room has enrolled."""
    house.enrol_by_room(**{name: Role.FLOOR})
    browser = house.browser()
    assert browser.sign_in(name, ROOM_PIN).status_code == 200
    return browser


def test_a_shorter_delay_takes_floor_and_technician_and_both_sign_it(house: House) -> None:
    floor, technician = sign_in_room_floor(house), house.browser("Cy")
    said = floor.post("/broadcast/delay", {"delay": 300}).json()
    assert (said["delay"], said["asked"], said["said"]) == (None, 300, ["Flo, floor"])
    assert house.agreed == []
    technician.post("/broadcast/delay", {"delay": 300})
    ((delay, words),) = house.agreed
    assert delay == 300
    assert [(word["name"], word["role"]) for word in words] == [("Flo", "floor"), ("Cy", "technician")]
    for word in words:
        assert is_entry_signed(word, {"ev": "broadcast", "delay": 300}, PLACE)
        assert not is_entry_signed(word, {"ev": "broadcast", "delay": 301}, PLACE)
    assert technician.get("/broadcast/delay").json()["delay"] == 300


@pytest.mark.parametrize("who", ["Ada", "Di"])
def test_neither_dealer_nor_auditor_has_a_word_in_it(house: House, who: str) -> None:
    assert house.browser(who).post("/broadcast/delay", {"delay": 300}).status_code == 403


def test_one_alone_cannot_even_with_patience(house: House) -> None:
    floor, technician = sign_in_room_floor(house), house.browser("Cy")
    floor.post("/broadcast/delay", {"delay": 300})
    floor.post("/broadcast/delay", {"delay": 300})
    house.clock.at += CONSENT_VALIDITY_S - 400
    technician.post("/broadcast/delay", {"delay": 600})
    assert house.agreed == []


def test_one_alone_takes_it_back(house: House) -> None:
    technician = house.browser("Cy")
    assert technician.post("/broadcast/delay", {"delay": None}).status_code == 200
    ((delay, (word,)),) = house.agreed
    assert delay is None
    assert is_entry_signed(word, {"ev": "broadcast", "delay": None}, PLACE)


@pytest.mark.parametrize("content", [{"delay": 0}, {"delay": 30}, {"delay": True}, {"delay": "300"}, {}, []])
def test_a_delay_that_cannot_be_is_refused_with_what_can(house: House, content: object) -> None:
    answer = house.browser("Bo").post("/broadcast/delay", content)
    assert answer.status_code == 400
    assert answer.json()["code"] == "not-understood"
    assert "300 to 3600" in answer.json()["message"]
    assert house.agreed == []


def test_an_overlay_that_does_not_read_gets_the_newest_and_keeps_nobody() -> None:
    async def look() -> list[str | None]:
        air = BroadcastStream()
        stream: AsyncIterator[str | None] = air.iter_frames()
        seen = [await anext(stream)]
        for number in range(10_000):
            air.show(f'{{"hand":{number}}}')
        seen.append(await anext(stream))
        air.close()
        return [*seen, *[each async for each in stream]]

    assert asyncio.run(look()) == ["null", '{"hand":9999}']


def test_so_many_overlays_and_no_more() -> None:
    air = BroadcastStream()
    assert [air.reserve() for _ in range(MAX_OVERLAYS + 1)] == [True] * MAX_OVERLAYS + [False]
    air.release()
    assert [air.reserve(), air.reserve()] == [True, False]


def test_overlays_that_come_at_once_are_no_more_than_those_that_come_one_by_one(house: House) -> None:
    """All are answered before the first of them has begun to read; each frees its place, however it ends."""
    house.air = BroadcastStream()
    page, gone = BroadcastPage(house.air, house.delays, Authenticator()), Request({"type": "http", "state": {}})
    gone.state.who = NOBODY

    async def ask() -> list[Response]:
        return [await page._stream_frames(gone) for _ in range(MAX_OVERLAYS + 12)]

    async def leave(answer: Response) -> None:
        async def fail_to_send(_: object) -> None:
            raise OSError

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        with suppress(Exception):
            await answer({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, fail_to_send)

    answers = asyncio.run(ask())
    assert Counter(answer.status_code for answer in answers) == {200: MAX_OVERLAYS, 429: 12}
    asyncio.run(leave(answers[0]))
    assert [house.air.reserve(), house.air.reserve()] == [True, False]


@pytest.mark.parametrize("change", ["removed", "given another key"])
def test_a_word_does_not_outlive_its_person(house: House, change: str) -> None:
    floor, technician = house.browser("Bo"), house.browser("Cy")
    assert floor.post("/broadcast/delay", {"delay": 300}).status_code == 200
    warrant = house.staff.redeem_code(house.code())
    if change == "removed":
        house.staff.remove("Bo", warrant)
    else:
        house.staff.reset_pin("Bo", PINS["Bo"], warrant)
    assert technician.post("/broadcast/delay", {"delay": 300}).json()["said"] == ["Cy, technician"]
    assert house.agreed == []


class LoneTechnician:
    """Has the account `Cy` and the table's terminal, and tries to be two."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.page = house.browser("Cy")
        self.warrant = house.staff.make_warrant(house.staff.sign_in("Cy", PINS["Cy"]))

    def enrol(self, name: str, role: Role, warrant: Warrant | None = None) -> Warrant:
        """Enrol somebody who does what he wants; return the authority of the new name."""
        self.house.staff.enrol(name, role, PINS["Bo"], warrant or self.warrant)
        signed_in = self.house.staff.sign_in(name, PINS["Bo"])
        return self.house.staff.make_warrant(signed_in) if role is Role.TECHNICIAN else Warrant(name)

    def make_code(self) -> Warrant:
        return self.house.staff.redeem_code(self.house.code())


def enrol_second_name(lone: LoneTechnician) -> tuple[str, str]:
    lone.enrol("Eve", Role.FLOOR)
    return "Eve", "Cy"


def enrol_with_code_of_page(lone: LoneTechnician) -> tuple[str, str]:
    code = lone.page.post("/code", {"role": "floor"}).json()["code"]
    lone.enrol("Eve", Role.FLOOR, lone.house.staff.redeem_code(code))
    return "Eve", "Cy"


def enrol_with_code_of_terminal(lone: LoneTechnician) -> tuple[str, str]:
    lone.enrol("Eve", Role.FLOOR, lone.make_code())
    return "Eve", "Cy"


def give_new_pin(lone: LoneTechnician) -> tuple[str, str]:
    lone.house.staff.reset_pin("Bo", PINS["Bo"], lone.warrant)
    return "Bo", "Cy"


def give_new_pin_by_code(lone: LoneTechnician) -> tuple[str, str]:
    lone.house.staff.reset_pin("Bo", PINS["Bo"], lone.make_code())
    return "Bo", "Cy"


def give_new_pin_over_a_third_name(lone: LoneTechnician) -> tuple[str, str]:
    lone.house.staff.reset_pin("Bo", PINS["Bo"], lone.enrol("Max", Role.TECHNICIAN))
    return "Bo", "Cy"


def enrol_both_over_third_names(lone: LoneTechnician) -> tuple[str, str]:
    second = lone.enrol("Max", Role.TECHNICIAN)
    third = lone.enrol("Moe", Role.TECHNICIAN, lone.make_code())
    lone.enrol("Eve", Role.FLOOR, second)
    lone.enrol("Kim", Role.TECHNICIAN, third)
    return "Eve", "Kim"


def enrol_over_a_name_that_has_left(lone: LoneTechnician) -> tuple[str, str]:
    lone.enrol("Eve", Role.FLOOR, lone.enrol("Max", Role.TECHNICIAN, lone.make_code()))
    lone.house.staff.remove("Max", lone.warrant)
    return "Eve", "Cy"


@pytest.mark.parametrize(
    "try_alone",
    [
        enrol_second_name, enrol_with_code_of_page, enrol_with_code_of_terminal, give_new_pin, give_new_pin_by_code,
        give_new_pin_over_a_third_name, enrol_both_over_third_names, enrol_over_a_name_that_has_left,
    ],
)  # fmt: skip
@pytest.mark.parametrize("first", ["floor", "technician"])
def test_a_technician_alone_is_never_two_people(
    house: House, try_alone: Callable[[LoneTechnician], tuple[str, str]], first: str
) -> None:
    """Not at once, not after a day, not after months, whoever of the two speaks first, and not at the second try."""
    floor, technician = try_alone(LoneTechnician(house))
    for wait_s in (0, 86_400, 80 * 86_400):
        house.wall.at += wait_s
        speakers = []
        for name in (floor, technician) if first == "floor" else (technician, floor):
            speakers.append(house.browser())
            assert speakers[-1].sign_in(name, PINS.get(name, PINS["Bo"])).status_code == 200
        assert speakers[0].post("/broadcast/delay", {"delay": 300}).status_code == 200
        for _ in range(2):
            answer = speakers[1].post("/broadcast/delay", {"delay": 300})
            assert (answer.status_code, answer.json()["code"], house.agreed) == (409, "not-two-people", [])
        assert {floor, technician} <= set(answer.json()["message"].replace(",", " ").split())
        speakers[0].post("/broadcast/delay", {"delay": None})
        house.agreed.clear()


def test_two_people_of_the_room_may_be_one(house: House) -> None:
    """Who keeps the room's list can have both names on it."""
    floor = sign_in_room_floor(house)
    house.enrol_by_room(Tom=Role.TECHNICIAN)
    technician = house.browser()
    assert technician.sign_in("Tom", ROOM_PIN).status_code == 200
    floor.post("/broadcast/delay", {"delay": 300})
    assert technician.post("/broadcast/delay", {"delay": 300}).json()["code"] == "not-two-people"
    assert house.agreed == []


def test_whom_the_rooms_technician_enrolled_at_the_table_does_not_agree_with_the_rooms_floor(house: House) -> None:
    floor = sign_in_room_floor(house)
    house.enrol_by_room(Tom=Role.TECHNICIAN)
    house.staff.enrol(
        "Eve", Role.TECHNICIAN, PINS["Bo"], house.staff.make_warrant(house.staff.sign_in("Tom", ROOM_PIN))
    )
    technician = house.browser()
    technician.sign_in("Eve", PINS["Bo"])
    floor.post("/broadcast/delay", {"delay": 300})
    assert technician.post("/broadcast/delay", {"delay": 300}).status_code == 409
    assert house.agreed == []


def test_what_was_said_in_another_session_is_not_said_in_this(house: House) -> None:
    """Its signature is good in that session only."""
    sign_in_room_floor(house).post("/broadcast/delay", {"delay": 300})
    house.place = PLACE._replace(session=PLACE.session + 1)
    house.browser("Cy").post("/broadcast/delay", {"delay": 300})
    assert house.agreed == []


def test_what_the_table_has_no_room_for_is_said(house: House) -> None:
    house.room = False
    sign_in_room_floor(house).post("/broadcast/delay", {"delay": 300})
    assert house.browser("Cy").post("/broadcast/delay", {"delay": 300}).status_code == 429
