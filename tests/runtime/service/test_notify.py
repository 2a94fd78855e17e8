"""The service manager is a real socket here; what it is told is read at its end."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.runtime.service import systemd_notifier
from controller.runtime.service.systemd_notifier import StartProgress, SystemdNotifier


class Manager:
    """The manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self.end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.end.bind(address)

    def read_lines(self) -> list[str]:
        """Everything that came since the last call, a line each."""
        lines = []
        while True:
            try:
                lines += self.end.recv(4096).decode().splitlines()
            except BlockingIOError:
                return lines


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Manager, dict[str, str]]]:
    if request.param == "path":
        name = address = str(tmp_path / "notify")
    else:
        name, address = f"@table/{os.getpid()}/{id(request)}", f"\0table/{os.getpid()}/{id(request)}"
    manager = Manager(address)
    yield manager, {"NOTIFY_SOCKET": name}
    manager.end.close()


def test_lines_of_one_message_arrive(manager: tuple[Manager, dict[str, str]]) -> None:
    there, environment = manager
    notifier = SystemdNotifier(environment)
    assert notifier.is_connected
    assert notifier.send(systemd_notifier.READY, systemd_notifier.format_status("live, deal"))
    assert there.read_lines() == ["READY=1", "STATUS=live, deal"]
    notifier.close()


def test_without_a_manager_nothing_is_said() -> None:
    notifier = SystemdNotifier({})
    assert not notifier.is_connected
    assert notifier.send(systemd_notifier.READY)
    assert notifier.watchdog_interval_s is None
    notifier.close()


def test_a_socket_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        SystemdNotifier({"NOTIFY_SOCKET": str(tmp_path / "none")})


def test_a_manager_that_does_not_read_holds_nobody_up(manager: tuple[Manager, dict[str, str]]) -> None:
    there, environment = manager
    notifier = SystemdNotifier(environment)
    results = [notifier.send(systemd_notifier.WATCHDOG_ALIVE) for _ in range(5000)]
    assert results[0]
    assert not results[-1], "the queue is full, and the call has returned"
    there.read_lines()
    assert notifier.send(systemd_notifier.WATCHDOG_ALIVE)
    notifier.close()


def test_a_manager_that_is_gone_is_no_failure_of_the_table(manager: tuple[Manager, dict[str, str]]) -> None:
    there, environment = manager
    notifier = SystemdNotifier(environment)
    there.end.close()
    assert not notifier.send(systemd_notifier.WATCHDOG_ALIVE)
    notifier.close()


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "77"}, 10.0),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "78"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_time_of_the_watchdog(environment: dict[str, str], seconds: float | None) -> None:
    assert SystemdNotifier(environment, process=77).watchdog_interval_s == seconds


def test_a_status_is_one_line_and_not_long() -> None:
    assert systemd_notifier.format_status("a\nREADY=1\0\x1b[1m") == "STATUS=a READY=1  [1m"
    assert len(systemd_notifier.format_status("x" * 1000)) == len("STATUS=") + systemd_notifier.MAX_STATUS_LENGTH


def test_a_long_start_says_how_far_it_is_and_asks_for_more_time(manager: tuple[Manager, dict[str, str]]) -> None:
    """A short one says nothing; a long one speaks once a second."""
    heard, environment = manager
    notifier = SystemdNotifier(environment)
    seconds = iter([0.0, 0.5, 1.0, 1.2, 2.5])
    progress = StartProgress(notifier, lambda: next(seconds))
    progress(1000, 5000)
    assert heard.read_lines() == []
    progress(2000, 5000)
    progress(3000, 5000)
    assert heard.read_lines() == [
        "EXTEND_TIMEOUT_USEC=60000000",
        "STATUS=starting: entry 2000 of 5000 of the journal played again",
    ]
    progress(4000, 5000)
    assert any("entry 4000 of 5000" in line for line in heard.read_lines())
    notifier.close()
