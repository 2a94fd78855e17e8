"""Where the page cannot be served, one sentence says so."""

import pytest
from pytest_mock import MockerFixture

from controller.web.server import PageError, listen


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
