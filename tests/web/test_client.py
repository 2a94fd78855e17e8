"""The typed client and `tablectl status` against a page that is served, and a listener that takes nothing."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from controller.cli import main
from controller.client.page_address import PageAddress, make_own_address, parse_address
from controller.client.table_client import RequestRefusedError, TableClient
from controller.runtime.staff.permissions import TokenRole
from controller.web.api.api_routes import ApiRoutes
from controller.web.serving import page_server
from controller.web.serving.listener import listen
from controller.web.serving.page_server import PageServer
from tests.web.house import House, houses
from tests.web.test_api import OUTPUT, full
from tests.web.test_pages import standing


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    yield from houses(tmp_path, simulated=True)


@pytest.fixture
def place(house: House) -> Iterator[PageAddress]:
    bound = listen("127.0.0.1", 0)
    serving = PageServer(house.app, bound, house.hub)
    serving.start()
    yield PageAddress("127.0.0.1", bound.getsockname()[1])
    serving.end()


def client(house: House, place: PageAddress, role: TokenRole) -> TableClient:
    return TableClient(place, house.tokens.add(role.value, role))


def test_the_client_reads_what_its_role_may(house: House, place: PageAddress) -> None:
    full(house)
    reader = client(house, place, TokenRole.FLOOR_READ)
    assert reader.fetch_health()["status"] == "ok"
    assert reader.fetch_table()["staff"]["devices"][0]["name"] == "shoe"
    events = reader.iter_tables()
    assert next(events)["hand"] == 3
    full(house, output_line={**OUTPUT, "hand": 4})
    assert next(events)["hand"] == 4
    events.close()  # type: ignore[attr-defined]
    assert reader.search_hands(player="Ana & Ben")["hands"] == []
    assert {entry["kind"] for entry in reader.fetch_errors()} >= {"refusal", "fault"}
    assert reader.fetch_openapi()["openapi"] == "3.1.0"
    assert "$defs" in reader.fetch_script_schema()
    with pytest.raises(RequestRefusedError, match="There is no hand 3 in session 1") as why:
        reader.fetch_hand(1, 3)
    assert (why.value.status, why.value.code) == (404, "no-such-hand")
    with pytest.raises(RequestRefusedError, match="for a token with the role room"):
        reader.call_floor()


def test_the_client_does_what_its_role_may(house: House, place: PageAddress) -> None:
    room = client(house, place, TokenRole.ROOM)
    room.call_floor()
    assert house.calls == [(True, "token room")]
    room.enter_line({"ev": "start"}, 7)
    assert house.entered == [({"ev": "start"}, None)]
    with pytest.raises(RequestRefusedError, match="Take the table out of service first"):
        room.light_lamps(0)


def test_whom_the_table_does_not_know_the_client_says_so(place: PageAddress) -> None:
    with pytest.raises(RequestRefusedError, match="tablectl token list"):
        TableClient(place, "tct_x").fetch_table()
    with pytest.raises(RequestRefusedError, match="tablectl token add"):
        next(TableClient(place).iter_tables())
    with pytest.raises(OSError, match=r"refused|Errno"):
        TableClient(PageAddress("127.0.0.1", 9)).fetch_table()


def test_status_says_how_the_table_stands(
    house: House, place: PageAddress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"http://127.0.0.1:{place.port}/"
    assert main(["status", "--url", url]) == 0
    up = capsys.readouterr()
    assert up.out == "OK  simulation table\n"
    assert "tablectl token add" in up.err
    token = tmp_path / "token"
    token.write_text(house.tokens.add("office", TokenRole.FLOOR_READ) + "\n")
    full(house, output_line={**OUTPUT, "phase": "halted"})
    assert main(["status", "--url", url, "--token-file", str(token)]) == 3
    told = capsys.readouterr().out
    assert "next: Seat 1 acts" in told
    assert "! The reader of the shoe is lost (shoe)" in told
    assert "shoe\trdm6300\tready" in told
    assert main(["status", "--url", url, "--token-file", str(token), "--json"]) == 3
    assert '"hand": 3' in capsys.readouterr().out
    house.tokens.revoke("office")
    assert main(["status", "--url", url, "--token-file", str(token)]) == 1
    assert "No such token stands here" in capsys.readouterr().err
    token.write_text("two words\n")
    assert main(["status", "--url", url, "--token-file", str(token)]) == 2
    token.write_text("")
    assert main(["status", "--url", url, "--token-file", str(token)]) == 2
    assert main(["status", "--url", "http://127.0.0.1:9/"]) == 1
    assert main(["status", "--url", "table-7"]) == 2
    assert "no address of a page" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["192.0.2.2", "table-7.lan", "[2001:db8::2]", "localhost.lan", "127.0.0.1.lan"])
def test_a_token_goes_in_clear_to_this_machine_alone(
    host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sent: list[str] = []

    def connect(place: PageAddress) -> NoReturn:
        sent.append(place.host)
        raise OSError("nobody is there")

    monkeypatch.setattr(PageAddress, "connect", connect)
    monkeypatch.setenv("TABLE_TOKEN", "tct_x")
    url = f"http://{host}:8080/"
    assert main(["status", "--url", url]) == 2
    assert "could read the token: use https, or allow it in clear (--plain)" in capsys.readouterr().err
    with pytest.raises(ValueError, match="could read the token"):
        TableClient(parse_address(url), "tct_x")
    assert sent == []
    for words in (["--url", url, "--plain"], ["--url", f"https://{host}/"], ["--url", "http://localhost/"]):
        assert main(["status", *words]) == 1
    monkeypatch.delenv("TABLE_TOKEN")
    assert main(["status", "--url", url]) == 1
    assert len(sent) == 4
    TableClient(parse_address("http://127.0.0.7/"), "tct_x")
    TableClient(parse_address("http://[::1]/"), "tct_x")
    TableClient(make_own_address("0.0.0.0", 8080, None), "tct_x")


def test_a_listener_that_takes_nothing_is_cut_off(
    house: House, place: PageAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_server, "WRITE_STALL_TIMEOUT_S", 0.1)
    ended, count_down = threading.Event(), ApiRoutes._on_stream_ended

    def count(api: ApiRoutes) -> None:
        count_down(api)
        ended.set()

    monkeypatch.setattr(ApiRoutes, "_on_stream_ended", count)
    token = house.tokens.add("slow", TokenRole.WATCH)
    with socket.create_connection((place.host, place.port)) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        slow.sendall(request.encode())
        assert slow.recv(15) == b"HTTP/1.1 200 OK"
        assert not ended.is_set()
        for number in range(8, 20):
            house.hub.publish(standing(number, output_line={**OUTPUT, "board": ["x" * 1_000_000]}))
        assert ended.wait(60)
