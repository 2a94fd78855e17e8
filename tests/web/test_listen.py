"""Where the page cannot be served, one sentence says so; and too many connections do not stop it."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic

import pytest
from pytest_mock import MockerFixture

from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving import host_addresses as addresses_module
from controller.web.serving import page_server as server_module
from controller.web.serving.listener import (
    ADDRESS_SHARE_DIVISOR,
    MAX_CONNECTIONS,
    PageError,
    can_accept,
    list_host_names,
    listen,
)
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app
from tests.web.test_pages import standing


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_a_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(PageError, match=f"at 127.0.0.1, port {port}: .*0-65535"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.1", "no host.invalid", "a" * 80])
def test_an_address_that_this_machine_has_not_is_refused(host: str) -> None:
    with pytest.raises(PageError, match="cannot be served at"):
        listen(host, 0)


def test_a_machine_without_the_kind_of_address_is_said(mocker: MockerFixture) -> None:
    mocker.patch("socket.socket", side_effect=OSError(97, "Address family not supported by protocol"))
    with pytest.raises(PageError, match="Address family not supported"):
        listen("::1", 0)


def status(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status
    finally:
        connection.close()


def silent_from(address: str, port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))


@contextmanager
def serve_page() -> Iterator[int]:
    """A page that is served; the port where."""
    hub = PageStateHub({})
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub)
    server.start()
    try:
        yield int(bound.getsockname()[1])
    finally:
        server.end()


def test_one_machine_does_not_shut_the_others_out() -> None:
    with serve_page() as port, ExitStack() as silent:
        for _ in range(MAX_CONNECTIONS // ADDRESS_SHARE_DIVISOR):
            silent.enter_context(silent_from("127.0.0.2", port))
        with silent_from("127.0.0.2", port) as one_more, suppress(ConnectionResetError):
            assert one_more.recv(1) == b"", "closed without a word"
        assert status(port) == 200


def test_the_network_leaves_room_for_the_tables_own_display() -> None:
    full = [f"10.0.0.{n % 250}" for n in range(MAX_CONNECTIONS - MAX_CONNECTIONS // ADDRESS_SHARE_DIVISOR)]
    assert not can_accept("10.0.1.1", full)
    assert can_accept("127.0.0.1", full)
    assert can_accept("::1", full)
    assert not can_accept("fe80::1%eth0", full)


@pytest.mark.parametrize("origin", ["10.0.0.9", "127.0.0.2", "::1"])
def test_an_address_has_its_share_and_no_more(origin: str) -> None:
    own = [origin] * (MAX_CONNECTIONS // ADDRESS_SHARE_DIVISOR)
    assert can_accept(origin, own[1:])
    assert not can_accept(origin, own)


def test_those_who_connect_and_say_nothing_do_not_use_up_the_files() -> None:
    with serve_page() as port:
        with ExitStack() as silent:
            for number in range(MAX_CONNECTIONS):
                address = f"127.0.0.{2 + number * ADDRESS_SHARE_DIVISOR // MAX_CONNECTIONS}"
                silent.enter_context(silent_from(address, port))
            waiting = silent.enter_context(silent_from("127.0.0.1", port))
            waiting.settimeout(0.2)
            waiting.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            with pytest.raises(TimeoutError):
                waiting.recv(1)  # a full page leaves what comes with the kernel
        ends = monotonic() + 60
        while True:
            try:
                assert status(port) == 200
                break
            except (ConnectionResetError, http.client.RemoteDisconnected):
                # The server has not yet heard that the silent ones have gone.
                assert monotonic() < ends, "the page did not come back"


STUCK = (
    b"",
    b"GET / HTTP/1.1\r\nHo",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT",
    b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 9\r\n\r\n{",
)


@pytest.mark.parametrize("begun", STUCK, ids=["nothing", "half a head", "half a second head", "half a body"])
def test_who_does_not_end_a_request_is_sent_away(begun: bytes, mocker: MockerFixture) -> None:
    hub = PageStateHub({})
    bound = listen("127.0.0.1", 0)
    server = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub)
    server.start()
    try:
        with ExitStack() as both:
            stream = both.enter_context(silent_from("127.0.0.1", int(bound.getsockname()[1])))
            stream.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert stream.recv(9) == b"HTTP/1.1 ", "it has asked in time, before that is short"
            mocker.patch.object(server_module, "REQUEST_TIMEOUT_S", 0.05)
            stuck = both.enter_context(silent_from("127.0.0.1", int(bound.getsockname()[1])))
            with suppress(ConnectionResetError, BrokenPipeError):
                stuck.sendall(begun)
                while stuck.recv(65536):
                    pass
            hub.publish(standing(7))
            heard = b""
            while b'"entry":7' not in heard:
                more = stream.recv(65536)
                assert more, "a stream that is listened to stays"
                heard += more
    finally:
        server.end()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_nothing_that_the_page_says_waits_for_the_receipt_of_what_was_said_before(host: str) -> None:
    """With Nagle's algorithm the second event within 40 ms came that much later to every browser."""
    with listen(host, 0) as bound, socket.create_connection(bound.getsockname()[:2], timeout=60):
        taken, _ = bound.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("addresses", [["192.168.1.20", "10.0.0.7"], []])
def test_the_address_that_is_printed_can_be_typed(mocker: MockerFixture, addresses: list[str]) -> None:
    """A page that is served at every address is asked for at one of them, or by the machine's name."""
    mocker.patch.object(addresses_module, "list_own_addresses", return_value=addresses)
    mocker.patch.object(addresses_module, "make_own_host_name", return_value="table-07.local")
    hub = PageStateHub({})
    with listen("0.0.0.0", 0) as bound:
        port = bound.getsockname()[1]
        url = PageServer(make_app(hub, list_host_names(bound, ()), None), bound, hub).url
    assert url == f"http://{(addresses or ['table-07.local'])[0]}:{port}/"
