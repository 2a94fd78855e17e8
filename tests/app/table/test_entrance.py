"""Who gets in at a page as it starts: nobody by default, the first by the code in the log, everybody at a showroom."""

import ipaddress
import logging
import re
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from config.table_file import PageSection, RoomSection
from controller.app.table.page_access import PageAccess, open_page_access
from controller.app.table.table_page import TablePage
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import StaffStore
from controller.web.serving.listener import listen
from tests.app.rig import demo


def entrance(stack: ExitStack, directory: Path, mode: str, host: str = "127.0.0.1") -> PageAccess:
    bound = listen(host, 0)
    stack.callback(bound.close)
    return open_page_access(stack, directory, PageSection(), bound, mode)


@pytest.mark.parametrize(("mode", "host"), [(LIVE, "127.0.0.1"), (LIVE, "0.0.0.0"), (SIMULATION, "0.0.0.0")])
def test_the_code_of_a_first_start_is_in_the_log_until_somebody_is_enrolled(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: str, host: str
) -> None:
    caplog.set_level(logging.INFO)
    with ExitStack() as stack:
        opened = entrance(stack, tmp_path, mode, host)
        assert not opened.authenticator.is_demo
        assert not opened.authenticator.allows_plain_http
        opened.announce("http://127.0.0.1:8080/")
        shown = re.search(r"one-time code (\d{4}-\d{4}).* http://127.0.0.1:8080/sign-in", caplog.text)
        assert shown is not None
        opened.staff.enrol("Cy", Role.TECHNICIAN, "194728", opened.staff.redeem_code(shown[1]))
    caplog.clear()
    with ExitStack() as stack:
        entrance(stack, tmp_path, mode, host).announce("http://127.0.0.1:8080/")
    assert "code" not in caplog.text


@pytest.mark.parametrize("minutes", [None, 3, 45, 720])
def test_the_floor_is_signed_in_as_long_as_the_house_says(tmp_path: Path, minutes: int | None) -> None:
    page = PageSection() if minutes is None else PageSection(floor_minutes=minutes)
    with ExitStack() as stack:
        bound = listen("127.0.0.1", 0)
        stack.callback(bound.close)
        opened = open_page_access(stack, tmp_path, page, bound, LIVE)
        assert opened.authenticator.sessions is not None
        code = opened.staff.make_one_time_code(Role.FLOOR)
        opened.staff.enrol("Bo", Role.FLOOR, "194728", opened.staff.redeem_code(code))
        token = opened.authenticator.sessions.begin(opened.staff.sign_in("Bo", "194728"), None)
        session = opened.authenticator.sessions.find(token)
        assert session is not None
        assert round(opened.authenticator.sessions.get_remaining_s(session) / 60) == (minutes or 30)


def test_a_page_of_which_the_file_says_nothing_is_for_this_machine_alone() -> None:
    assert ipaddress.ip_address(PageSection().host).is_loopback
    assert not PageSection().allows_plain_http


def test_a_simulated_table_on_this_machine_says_that_everybody_gets_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with ExitStack() as stack:
        opened = entrance(stack, tmp_path, SIMULATION)
        opened.announce("http://127.0.0.1:8080/")
        assert opened.authenticator.is_demo
        assert not opened.staff.is_code_valid()
    assert "every page is open, nobody signs in" in caplog.text


@pytest.mark.parametrize("may_ask", [None, False, True])
def test_a_room_asks_of_a_table_whose_file_says_so_and_of_no_other(tmp_path: Path, may_ask: bool | None) -> None:
    room = None if may_ask is None else RoomSection(bytes(SigningKey.generate().verify_key), may_ask)
    staff = StaffStore(tmp_path / "staff.sqlite")
    with ExitStack() as stack:
        page = TablePage(stack, None, SystemdNotifier({}), simulate=False, paused=False)
        endpoint = page._make_room_endpoint(replace(demo(), room=room), staff, None, ())
        answer = endpoint.handle_request("announce", {"text": "Break"})
    assert answer.code == ("not-understood" if may_ask else "no-room-asks")
    staff.close()
