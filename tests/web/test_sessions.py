"""What ends whose session, and whose stream: two pages of one person, and what happens to that person meanwhile."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.runtime.staff.admission import AdmissionError
from controller.runtime.staff.permissions import BROADCAST_TOKENS, IDLE_TIMEOUT_S_BY_ROLE, SPECTATOR_TOKENS, Role
from controller.runtime.staff.rate_limit import MAX_TRIES
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import StaffStore, Warrant
from controller.runtime.staff.token_store import TokenStore
from tests.room.people import Room
from tests.web.house import CHEAP, PEOPLE, PINS, Browser, House, houses
from tests.web.test_every_route import NAMED
from tests.web.test_pages import standing

NEW_PIN = "720583"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path)


class Pages:
    """Two pages of one person, and one of everybody else."""

    def __init__(self, house: House, name: str) -> None:
        self.house, self.name = house, name
        self.here, self.there = house.browser(name), house.browser(name)
        self.others = [house.browser(other) for other in PEOPLE if other != name]
        self.warrant = Warrant("Eve")
        house.staff.enrol("Eve", Role.TECHNICIAN, NEW_PIN, self.warrant)

    def change_pin_at_terminal(self) -> None:
        with closing(StaffStore(self.house.staff.path, cost=CHEAP, now=self.house.wall)) as staff:
            staff.change_pin(self.name, PINS[self.name], NEW_PIN)

    def lock_out(self) -> None:
        for _ in range(MAX_TRIES + 1):
            self.house.browser().sign_in(self.name, "000000")
            self.house.wall.at += 1000
        with pytest.raises(AdmissionError, match="Locked out"):
            self.house.staff.sign_in(self.name, PINS[self.name])

    def leave_alone(self) -> None:
        ends = self.house.clock.at + IDLE_TIMEOUT_S_BY_ROLE[PEOPLE[self.name]]
        while self.house.clock.at < ends:
            self.house.clock.at += 170
            for browser in (self.there, *self.others):
                browser.get("/hands/list")


EVENTS: dict[str, tuple[Callable[[Pages], object], tuple[bool, bool]]] = {
    "signs out here": (lambda pages: pages.here.post("/sign-out"), (False, True)),
    "is idle here": (Pages.leave_alone, (False, True)),
    "changes the PIN here": (
        lambda pages: pages.here.post("/pin", {"old": PINS[pages.name], "new": NEW_PIN}),
        (True, False),
    ),
    "changes the PIN at the terminal": (Pages.change_pin_at_terminal, (False, False)),
    "is given a new PIN": (
        lambda pages: pages.house.staff.reset_pin(pages.name, NEW_PIN, pages.warrant),
        (False, False),
    ),
    "is removed": (lambda pages: pages.house.staff.remove(pages.name, pages.warrant), (False, False)),
    "does not know the old PIN": (
        lambda pages: pages.here.post("/pin", {"old": "000000", "new": NEW_PIN}),
        (True, True),
    ),
    "signs in once more": (lambda pages: pages.house.browser(pages.name), (True, True)),
    "is locked out by a stranger": (Pages.lock_out, (True, True)),
}
"""What happens, and whether the page on which it does and the person's other one are signed in afterwards."""


def is_signed_in(browser: Browser, role: Role) -> bool:
    """Whether a page is signed in: by all that it may ask, and with the token of its pages."""
    listed, entered = browser.get("/hands/list").status_code, browser.enter({"ev": "done"}, seen=6)
    assert listed in (200, 401)
    if listed == 401:
        assert entered.status_code == 401
        assert browser.fetch_principal()["roles"] == []
        return False
    assert entered.json()["code"] == ("moved-on" if role in (Role.DEALER, Role.FLOOR) else "not-your-role")
    assert browser.fetch_principal()["roles"] == [role.value]
    return True


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
@pytest.mark.parametrize("event", EVENTS)
def test_a_session_ends_with_whatever_ends_the_right_to_it_and_with_nothing_else(
    house: House, event: str, role: Role
) -> None:
    pages = Pages(house, NAMED[role])
    happens, left = EVENTS[event]
    happens(pages)
    assert (is_signed_in(pages.here, role), is_signed_in(pages.there, role)) == left
    assert all(browser.fetch_principal()["name"] for browser in pages.others), "nobody else is signed out"
    assert house.entered == []


@pytest.mark.parametrize("role", [Role.DEALER, Role.FLOOR, Role.TECHNICIAN])
def test_a_list_of_the_room_signs_out_whom_it_gives_another_role_or_pin_or_names_no_more(
    tmp_path: Path, role: Role
) -> None:
    room = Room(tmp_path / "room")
    key, name = room.key.verify_key, NAMED[role]
    for house in houses(tmp_path / "table", people=False):
        numbers = iter(range(1, 99))

        def take(people: Any, house: House = house, numbers: Iterator[int] = numbers) -> None:  # noqa: ANN401
            sent = RoomStaffList(next(numbers), people).sign(room.key)
            house.staff.apply_room_list(RoomStaffList.parse(sent, key), key)

        everybody = room.staff.list_for_room()
        take(everybody)
        browser = house.browser(name)
        take(everybody)
        assert is_signed_in(browser, role), "nothing has changed"
        for other in set(Role) - {role}:
            take([replace(each, role=other) if each.name == name else each for each in everybody])
            assert not is_signed_in(browser, role), "neither in the old role nor in the new one"
            take(everybody)
            browser = house.browser(name)
        take([each for each in everybody if each.name != name])
        assert not is_signed_in(browser, role)
        take(everybody)
        browser = house.browser(name)
        room.staff.change_pin(name, PINS[name], NEW_PIN)
        take(room.staff.list_for_room())
        assert not is_signed_in(browser, role)
        assert browser.sign_in(name, NEW_PIN).status_code == 200
        assert house.entered == []
    room.staff.close()


def use_up(house: House) -> None:
    """Another process takes the file of tokens away."""
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            house.tokens.path.with_name(house.tokens.path.name + end).unlink()


def withdraw_elsewhere(house: House) -> None:
    with closing(TokenStore(house.tokens.path, now=house.wall)) as tokens:
        tokens.revoke("display")


def give_again(house: House) -> None:
    """The same name has another token of the same role."""
    role = house.tokens.list_tokens()[0].role
    house.tokens.revoke("display")
    house.tokens.add("display", role)


WITHDRAWN = {
    "here": lambda house: house.tokens.revoke("display"),
    "elsewhere": withdraw_elsewhere,
    "with its file": use_up,
    "and given again": give_again,
}


@pytest.mark.parametrize("how", WITHDRAWN)
def test_a_stream_ends_with_its_token_whoever_listens(house: House, how: str) -> None:
    house.air._is_closed = False
    house.air.show('{"hand":7}')
    streams = [("/api/v1/events", role) for role in SPECTATOR_TOKENS] + [
        ("/broadcast/show", role) for role in BROADCAST_TOKENS
    ]
    for path, role in streams:
        sent = house.token(role, "display")

        async def listen(
            path: str = path, sent: dict[str, str] = sent, picture: str = f'{{"{path} {role.value}":9}}'
        ) -> str:
            heard: list[str] = []
            first = asyncio.Event()

            async def take(message: Any) -> None:  # noqa: ANN401 - ASGI's
                heard.append(message.get("body", b"").decode())
                if "data: " in heard[-1]:
                    first.set()

            async def wait() -> Any:  # noqa: ANN401
                await asyncio.sleep(60)

            headers = [
                (b"host", b"127.0.0.1"),
                *((name.lower().encode(), text.encode()) for name, text in sent.items()),
            ]
            scope = {
                "type": "http", "http_version": "1.1", "method": "GET", "path": path, "raw_path": path.encode(),
                "query_string": b"", "headers": headers, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
                "scheme": "http", "root_path": "",
            }  # fmt: skip
            stream = asyncio.create_task(house.app(scope, wait, take))
            await asyncio.wait_for(first.wait(), 10)
            WITHDRAWN[how](house)
            told = len(heard)
            house.hub.publish(standing(9))
            house.air.show(picture)
            await asyncio.wait_for(stream, 10)
            return "".join(heard[told:])

        assert "data" not in asyncio.run(listen()), (path, role)
        with suppress(AdmissionError):
            house.tokens.revoke("display")
