"""Who gets the page, what it may do, and what the stream carries."""

import asyncio
import http.client
import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from config.language_file import ENGLISH
from controller.runtime.devices.device_monitor import DeviceStatus
from controller.runtime.faults.notices import Notice, NoticeCode
from controller.runtime.loop.table_view import SIMULATION, RefusedEntry, TableView
from controller.web import STATIC_FOLDER
from controller.web.access.authenticator import Authenticator
from controller.web.http.host_check import SECURITY_HEADERS, parse_host_name
from controller.web.publishing import stream_source
from controller.web.publishing.page_state_hub import MAX_KEPT_STATES, PageStateHub
from controller.web.serving.listener import PageError, list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app

NAMES = ("127.0.0.1", "table-7")
ORIGIN = {"Origin": "http://127.0.0.1"}


class Wishes:
    """Remembers what the page asked of the simulation."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def play(self) -> None:
        self.heard.append("play")

    def pause(self) -> None:
        self.heard.append("pause")

    def step(self) -> None:
        self.heard.append("step")

    def set_speed(self, speed: float) -> None:
        self.heard.append(speed)

    def cause_mishap(self, fault: str) -> None:
        self.heard.append(fault)

    def set_table(self, game: str, rulebook: str) -> str | None:
        self.heard.append((game, rulebook))
        return "Finish the hand first." if game == "razz" else None

    def compare_rulings(self) -> Sequence[Mapping[str, Any]]:
        return [{"book": "Robert", "own": True, "rulings": [], "next": []}]


def standing(number: int = 1, **changes: Any) -> TableView:  # noqa: ANN401 - any field of a standing
    values: dict[str, Any] = {
        "number": number,
        "entry": number,
        "mode": SIMULATION,
        "output_line": {"hand": number, "next": []},
        "player_by_seat": {1: {"player": "Ana", "away": False, "waits": False}},
        "rulings": (),
        "rulings_hand": 0,
        "refusal": None,
        "notices": (),
        "faults": (),
        "devices": (DeviceStatus("shoe", "rdm6300", "ready"),),
        "power_lost": False,
        "max_queue_delay_s": 0.0,
    }
    return TableView(**{**values, **changes})


class Client:
    """Asks the application as a browser would, without a socket."""

    def __init__(self, app: ASGIApp) -> None:
        self._transport = httpx.ASGITransport(app)

    def request(self, method: str, path: str | httpx.URL, **how: Any) -> httpx.Response:  # noqa: ANN401 - as httpx has it
        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url="http://127.0.0.1") as client:
                return await client.request(method, path, **how)

        return asyncio.run(ask())

    def get(self, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401
        return self.request("GET", path, **how)

    def post(self, path: str, **how: Any) -> httpx.Response:  # noqa: ANN401
        return self.request("POST", path, **how)


@pytest.fixture
def hub() -> PageStateHub:
    return PageStateHub({"game": "holdem"})


@pytest.fixture
def wishes() -> Wishes:
    return Wishes()


@pytest.fixture
def client(hub: PageStateHub, wishes: Wishes) -> Client:
    return Client(make_app(hub, NAMES, wishes, door=Authenticator(is_demo=True)))


@pytest.fixture
def live_client(hub: PageStateHub) -> Client:
    return Client(make_app(hub, NAMES, None))


def test_the_page_and_all_it_needs_come_from_here(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    for text in (page.text, *(file.read_text() for file in STATIC_FOLDER.iterdir())):
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
        assert "<script>" not in text
        assert "style=" not in text
        assert "onclick" not in text
    for path in ("/static/dealer.css", "/static/dealer.js", "/favicon.ico", "/watch", "/errors"):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/", "/state", "/static/dealer.js", "/missing", "/simulation"])
def test_every_answer_carries_the_headers(client: Client, path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers.get(name) for name in SECURITY_HEADERS} == SECURITY_HEADERS
    assert "server" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "table-7.evil", "[::1]"])
def test_a_foreign_host_name_gets_nothing(client: Client, host: str) -> None:
    assert client.get("/state", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    ("host", "name"), [("a:80", "a"), ("A", "a"), ("[::1]:80", "::1"), ("::1", "::1"), ("1.2.3.4:8", "1.2.3.4")]
)
def test_the_port_is_no_part_of_the_name(host: str, name: str) -> None:
    assert parse_host_name(host) == name


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "table-7", "TABLE-7:80"])
def test_a_known_name_gets_the_page_at_any_port(client: Client, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "http://table-7"},
    ],
)
def test_a_change_from_elsewhere_is_refused(client: Client, wishes: Wishes, headers: dict[str, str]) -> None:
    assert client.post("/simulation", json={"do": "play"}, headers=headers).status_code == 403
    assert wishes.heard == []


def test_the_simulation_is_controlled_by_post(client: Client, wishes: Wishes) -> None:
    for wish in ({"do": "play"}, {"do": "pause"}, {"do": "step"}, {"do": "speed", "speed": 4}):
        assert client.post("/simulation", json=wish, headers=ORIGIN).status_code == 204
    assert wishes.heard == ["play", "pause", "step", 4.0]


def test_the_showroom_is_controlled_by_post(client: Client, wishes: Wishes) -> None:
    assert client.post("/simulation", json={"do": "fault", "fault": "boxed"}, headers=ORIGIN).status_code == 204
    wish = {"do": "table", "game": "omaha", "rulebook": "maryport"}
    assert client.post("/simulation", json=wish, headers=ORIGIN).status_code == 204
    refused = client.post("/simulation", json={**wish, "game": "razz"}, headers=ORIGIN)
    assert (refused.status_code, refused.json()) == (409, {"message": "Finish the hand first."})
    assert wishes.heard == ["boxed", ("omaha", "maryport"), ("razz", "maryport")]
    assert client.get("/answers").json()[0]["own"] is True


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
def test_nothing_else_controls_the_simulation(client: Client, wishes: Wishes, method: str) -> None:
    assert client.request(method, "/simulation", headers=ORIGIN).status_code == 405
    assert wishes.heard == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"do":"deal"}',
        b'{"do":"play","x":1}',
        b'{"do":"speed"}',
        b'{"do":"speed","speed":1e9}',
        b'{"do":"speed","speed":true}',
        b'{"do":"fault","fault":"steal"}',
        b'{"do":"fault"}',
        b'{"do":"table","game":"omaha"}',
        b"\xff",
    ],
)
def test_a_wish_without_sense_is_refused_with_what_would_be_accepted(
    client: Client, wishes: Wishes, body: bytes
) -> None:
    headers = {**ORIGIN, "Content-Type": "application/json"}
    answer = client.post("/simulation", content=body, headers=headers)
    assert answer.status_code == 400
    assert '"play", "pause", "step"' in answer.json()["message"]
    assert wishes.heard == []


def test_a_form_or_a_flood_is_refused(client: Client, wishes: Wishes) -> None:
    assert client.post("/simulation", data={"do": "play"}, headers=ORIGIN).status_code == 415
    flood = b'{"do":"play"' + b" " * 100_000 + b"}"
    headers = {**ORIGIN, "Content-Type": "application/json"}
    assert client.post("/simulation", content=flood, headers=headers).status_code == 413
    assert wishes.heard == []


def test_a_live_table_has_no_simulation_to_control(live_client: Client) -> None:
    assert live_client.post("/simulation", json={"do": "play"}, headers=ORIGIN).status_code == 404


def test_the_state_is_the_newest_publication(client: Client, hub: PageStateHub) -> None:
    assert client.get("/state").status_code == 503
    hub.publish(standing(1))
    refusal = RefusedEntry("not-now", "Not now.", "panel")
    hub.publish(standing(2, refusal=refusal, notices=(Notice(NoticeCode.KEY_WITHOUT_MEANING, "panel", "Nothing."),)))
    state = client.get("/state").json()
    assert state["number"] == 2
    assert state["mode"] == "simulation"
    assert state["table"] == {"hand": 2, "next": []}
    advice = "Do what the large line says."
    assert state["refusal"] == {"code": "not-now", "message": "Not now.", "source": "panel", "dealer": advice}
    assert state["notices"] == [{"code": "key-idle", "device": "panel", "text": "Nothing.", "dealer": advice}]
    assert state["devices"][0]["name"] == "shoe"
    assert state["setup"] == {"game": "holdem"}


def test_a_change_of_the_simulation_is_published_too(hub: PageStateHub) -> None:
    hub.publish_simulation({"playing": True, "speed": 1})
    assert hub.get_latest() is None
    hub.publish(standing())
    hub.publish_simulation({"playing": False, "speed": 1})
    latest = hub.get_latest()
    assert latest is not None
    assert json.loads(latest[1])["simulation"] == {"playing": False, "speed": 1}


def collect(hub: PageStateHub, after: int) -> list[int]:
    """The numbers that a browser gets which saw `after` last; the hub is closed for it."""

    async def run() -> list[int]:
        hub.close()
        return [publication[0] async for publication in hub.iter_states(after) if publication is not None]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("published", "after", "gets"),
    [
        (5, 5, []),
        (5, 3, [4, 5]),
        (5, 0, [1, 2, 3, 4, 5]),
        (MAX_KEPT_STATES + 9, 2, [MAX_KEPT_STATES + 9]),
        (3, 99, [3]),
        (0, -1, []),
    ],
)
def test_a_browser_goes_on_where_it_was(hub: PageStateHub, published: int, after: int, gets: list[int]) -> None:
    for number in range(1, published + 1):
        hub.publish(standing(number))
    assert collect(hub, after) == gets


def test_publications_from_another_thread_wake_the_stream(hub: PageStateHub) -> None:
    async def run() -> list[int]:
        seen: list[int] = []
        stream = hub.iter_states(0)
        for number in (1, 2, 3):
            waiting = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0)
            await asyncio.to_thread(hub.publish, standing(number))
            publication = await asyncio.wait_for(waiting, 60)
            assert publication is not None
            seen.append(publication[0])
        await stream.aclose()  # type: ignore[attr-defined]  # it is an async generator
        return seen

    assert asyncio.run(run()) == [1, 2, 3]


def test_the_server_serves_the_stream_over_a_real_socket(hub: PageStateHub) -> None:
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub)
    server.start()
    hub.publish(standing(1))
    connection = http.client.HTTPConnection("127.0.0.1", bound.getsockname()[1], timeout=60)
    connection.request("GET", "/events")
    response = connection.getresponse()
    assert response.headers["Content-Type"].startswith("text/event-stream")
    lines: list[str] = []
    while len(lines) < 4:
        line = response.readline().decode().strip()
        if line:
            lines.append(line)
        if len(lines) == 3:
            hub.publish(standing(2))
    assert lines[:2] == ["retry: 1000", "id: 1"]
    assert json.loads(lines[2].removeprefix("data: "))["table"]["hand"] == 1
    assert lines[3] == "id: 2"
    server.end()
    assert not server.is_alive()
    response.read()
    connection.close()


def test_only_loopback_names_unless_configured() -> None:
    bound = listen("127.0.0.1", 0)
    assert list_host_names(bound, ("table-7",)) == ("127.0.0.1", "localhost", "::1", "table-7")
    port = bound.getsockname()[1]
    with pytest.raises(PageError, match=f"port {port}: Address already in use; ([0-9]+) is free: say --port ") as why:
        listen("127.0.0.1", port)
    listen("127.0.0.1", int(str(why.value).rpartition("=")[2].rstrip("`)"))).close()
    bound.close()
    with pytest.raises(PageError, match=r"cannot be served at 192\.0\.2\.1"):
        listen("192.0.2.1", 0)


def test_the_static_files_are_what_a_page_needs_and_nothing_else() -> None:
    assert {path.suffix for path in STATIC_FOLDER.iterdir()} == {".css", ".html", ".js", ".svg"}


def test_a_quiet_stream_says_that_it_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_source, "KEEP_ALIVE_INTERVAL_S", 0.01)

    async def listen() -> list[str]:
        lines = PageStateHub({}).iter_event_lines("", ENGLISH)
        return [await anext(lines) for _ in range(2)]

    assert asyncio.run(listen()) == ["retry: 1000\n\n", ": still here\n\n"]
