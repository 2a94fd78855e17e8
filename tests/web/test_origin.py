"""What changes something comes from a page of this server: its scheme, its host, its port, as a browser says them."""

import http.client

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from controller.web.access.authenticator import Authenticator
from controller.web.http.host_check import SECURITY_HEADERS, TRANSPORT_HEADER, parse_origin
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app
from tests.web.test_pages import Client, Wishes

NAMES = ("table-7", "127.0.0.1", "::1")

TAKEN = [
    ("http://table-7", "table-7", "http://table-7"),
    ("http://table-7", "TABLE-7", "http://table-7"),
    ("http://table-7", "table-7", "HTTP://Table-7"),
    ("http://table-7", "table-7:80", "http://table-7"),
    ("http://table-7:8080", "table-7:8080", "http://table-7:8080"),
    ("https://table-7", "table-7", "https://table-7"),
    ("https://table-7", "table-7:443", "https://table-7"),
    ("https://table-7:8443", "table-7:8443", "https://table-7:8443"),
    ("http://127.0.0.1:8080", "127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("https://[::1]:8443", "[::1]:8443", "https://[::1]:8443"),
    ("http://[::1]", "[::1]:80", "http://[0:0:0:0:0:0:0:1]"),
]
"""Where the request went, the host that it says, and the origin."""

REFUSED = [
    ("https://table-7", "table-7", "http://table-7"),
    ("https://table-7:8443", "table-7:8443", "http://table-7:8443"),
    ("http://table-7", "table-7", "https://table-7"),
    ("https://table-7", "table-7", "https://table-7:80"),
    ("https://table-7", "table-7:80", "https://table-7"),
    ("http://table-7:8080", "table-7:8080", "http://table-7"),
    ("http://table-7", "table-7", "http://table-7:8080"),
    ("http://table-7", "table-7", "http://table-7."),
    ("http://table-7", "table-7", "http://table-7.evil.example"),
    ("http://table-7", "table-7", "http://127.0.0.1"),
    ("http://127.0.0.1", "127.0.0.1", "http://[::1]"),
    ("http://[::1]", "[::1]", "http://[::2]"),
    ("http://[::1]", "[::1]", "http://[::1"),
    ("http://table-7", "table-7", "null"),
    ("http://table-7", "table-7", ""),
    ("http://table-7", "table-7", "http://table-7/"),
    ("http://table-7", "table-7", "http://x@table-7"),
    ("http://table-7", "table-7", "http://table-7 http://evil.example"),
    ("http://table-7", "table-7", "http://table-7:"),
    ("http://table-7", "table-7", "http://table-7:080000"),
    ("http://table-7", "table-7", "table-7"),
    ("http://table-7", "table-7", "file://table-7"),
]


def ask(
    app: Starlette, url: str, host: str, *origins: str, method: str = "POST", path: str = "/simulation"
) -> httpx.Response:
    headers = [("Host", host), *(("Origin", origin) for origin in origins)]
    return Client(app).request(method, url + path, headers=headers, json={"do": "play"})


@pytest.fixture
def app() -> Starlette:
    return make_app(PageStateHub({"game": "holdem"}), NAMES, Wishes(), door=Authenticator(is_demo=True))


@pytest.mark.parametrize(("url", "host", "origin"), TAKEN)
def test_a_page_of_this_server_may_change_something(app: Starlette, url: str, host: str, origin: str) -> None:
    assert ask(app, url, host, origin).status_code == 204


@pytest.mark.parametrize(("url", "host", "origin"), REFUSED)
def test_a_page_of_another_scheme_host_or_port_may_not(app: Starlette, url: str, host: str, origin: str) -> None:
    answer = ask(app, url, host, origin)
    assert (answer.status_code, answer.json()["code"]) == (403, "other-origin")


def test_one_origin_is_said_and_no_two(app: Starlette) -> None:
    for origins in ((), ("http://table-7", "http://evil.example"), ("http://table-7", "http://table-7")):
        assert ask(app, "http://table-7", "table-7", *origins).json()["code"] == "other-origin"


@pytest.mark.parametrize("host", ["table-7.", "table-7.:80", "[::2]", "table-7.evil.example", "table-7@evil.example"])
def test_a_host_that_is_not_this_tables_is_none(app: Starlette, host: str) -> None:
    answer = ask(app, "http://table-7", host, f"http://{host}")
    assert (answer.status_code, answer.json()["code"]) == (403, "other-host-name")


@given(st.text(max_size=30) | st.from_regex(r"https?://[\[\]:.a-z0-9@/-]{0,20}", fullmatch=True))
def test_an_origin_is_understood_or_is_none(text: str) -> None:
    found = parse_origin(text)
    if found is not None:
        scheme, host, port = found
        assert parse_origin(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}") == found


def test_over_https_every_answer_says_so_and_over_http_none(app: Starlette) -> None:
    name, value = TRANSPORT_HEADER
    for path in (
        "/",
        "/state",
        "/static/dealer.js",
        "/missing",
        "/simulation",
        "/api/v1/table",
        "/api/v1/openapi.json",
    ):
        for host in ("table-7", "evil.example"):
            plain, private = (
                ask(app, f"{scheme}://{host}", host, method="GET", path=path) for scheme in ("http", "https")
            )
            assert name not in plain.headers
            assert private.headers[name] == value
            assert {each: private.headers.get(each) for each in SECURITY_HEADERS} == SECURITY_HEADERS, path
    assert "includesubdomains" not in value.lower(), "other hosts of the house are not this table's to speak for"


def test_whoever_asks_for_a_websocket_gets_the_page_and_the_log_advises_nothing(
    app: Starlette, caplog: pytest.LogCaptureFixture
) -> None:
    bound = listen("127.0.0.1", 0)
    server = PageServer(app, bound, PageStateHub({}))
    server.start()
    connection = http.client.HTTPConnection("127.0.0.1", bound.getsockname()[1], timeout=60)
    for wanted in ("websocket", "h2c"):
        connection.request("GET", "/", headers={"Connection": "Upgrade", "Upgrade": wanted})
        answer = connection.getresponse()
        assert answer.read()
        assert answer.status == 200
    connection.close()
    server.end()
    assert caplog.text == ""
