"""The table's API as the announcer has it, at a real page; and far ends that are no table."""

import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from config.announcer_file import TableSection
from controller.announcer import table_api
from controller.announcer.observed_table import parse_table
from controller.announcer.table_api import TableApi
from controller.runtime.staff.permissions import TokenRole
from controller.runtime.staff.token_store import TokenStore
from controller.web.access.authenticator import Authenticator
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app
from tests.web.house import Idle, StubRefusedError
from tests.web.test_pages import standing


class Lamps(Idle):
    """A workshop with five lamps, in service or not."""

    def __init__(self) -> None:
        self.lit_seats: list[int | None] = []
        self.out_of_service = True

    def describe(self) -> Mapping[str, Any]:
        return {"serving": True, "walk": [{}] * 5}

    def light(self, step: int | None) -> None:
        if not self.out_of_service:
            raise StubRefusedError("take the table out of service first")
        self.lit_seats.append(step)


class Page:
    """A table's page with its API."""

    def __init__(self, directory: Path) -> None:
        self.calls: list[tuple[bool, str]] = []
        self.bench = Lamps()
        self.hub = PageStateHub({"game": "holdem", "rulebook": "roberts-7"})
        self.hub.publish(standing(7))
        self.tokens = TokenStore(directory / "tokens.sqlite")
        bound = listen("127.0.0.1", 0)
        app = make_app(
            self.hub,
            list_host_names(bound, ()),
            None,
            door=Authenticator(tokens=self.tokens),
            bench=self.bench,
            call_floor=lambda wanted, by: self.calls.append((wanted, by)),
        )
        self.server = PageServer(app, bound, self.hub)
        self.server.start()

    def api(self, role: TokenRole) -> TableApi:
        return TableApi(read_at(self.server.url), self.tokens.add(role.value, role))


def read_at(url: str) -> TableSection:
    return TableSection(url.rstrip("/"), Path("token"), "table-3", "Table 3", None)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    page = Page(tmp_path)
    yield page
    page.server.end()
    page.tokens.close()


def test_a_watching_token_sees_the_table_and_may_do_nothing(page: Page) -> None:
    watching = page.api(TokenRole.WATCH)
    states = watching.iter_states()
    first = parse_table(next(states))
    assert (first.game, first.rulebook, first.entry) == ("holdem", "roberts-7", 7)
    page.hub.publish(standing(8, floor_called=True))
    assert parse_table(next(states)).floor_called
    for act in (watching.call_floor, watching.test_lamps):
        with pytest.raises(OSError, match="This is for a token with the role room"):
            act()
    assert (page.calls, page.bench.lit_seats) == ([], [])
    page.hub.close()
    assert list(states) == []


def test_a_rooms_token_calls_the_floor_and_lights_every_lamp_once(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_api, "LAMP_STEP_DURATION_S", 0.0)
    room = page.api(TokenRole.ROOM)
    room.call_floor()
    assert page.calls == [(True, "token room")]
    room.test_lamps()
    assert page.bench.lit_seats == [0, 1, 2, 3, 4, None]


def test_a_table_in_service_keeps_its_lamps(page: Page) -> None:
    page.bench.out_of_service = False
    with pytest.raises(OSError, match="ake the table out of service first"):
        page.api(TokenRole.ROOM).test_lamps()
    assert page.bench.lit_seats == []


def test_a_wrong_token_is_said_and_not_shown(page: Page) -> None:
    with pytest.raises(OSError, match="token") as why:
        next(TableApi(read_at(page.server.url), "tct_wrong").iter_states())
    assert "tct_" not in str(why.value)


@pytest.fixture
def far_end() -> Iterator[Callable[[bytes], TableApi]]:
    """Something else at the table's address, which answers with these bytes."""
    said = [b""]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.wfile.write(said[0])

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()

        def make_api(answer: bytes) -> TableApi:
            said[0] = answer
            return TableApi(read_at(f"http://127.0.0.1:{server.server_port}"), "tct_token")

        yield make_api
        server.shutdown()
        thread.join()


OK = b"HTTP/1.0 200 OK\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.0 404 Not Found\r\n\r\n<html>", OK + b"data: {\n\n",
        OK + b"data: " + b"x" * (2 << 20) + b"\n\n", b"HTTP/1.0 401 No\r\n\r\n[]",
        b"HTTP/1.0 302 F\r\nLocation: /\r\n\r\n",
    ],
    ids=["nothing", "ssh", "web", "cut", "long", "list", "moved"],
)  # fmt: skip
def test_what_is_no_table_is_an_error_and_no_more(far_end: Callable[[bytes], TableApi], answer: bytes) -> None:
    with pytest.raises((OSError, ValueError)):
        next(far_end(answer).iter_states())


def test_a_stream_without_news_yields_nothing(far_end: Callable[[bytes], TableApi]) -> None:
    assert list(far_end(OK + b"retry: 1000\n\n: still here\n\n").iter_states()) == []
