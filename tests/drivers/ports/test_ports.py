import errno
import os
import socket
import stat
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial
from pytest_mock import MockerFixture

from drivers.contract.device_errors import (
    PortBusyError,
    PortError,
    PortForbiddenError,
    PortLostError,
    PortMissingError,
    PortUnknownError,
    PortUnsuitableError,
)
from drivers.ports import port_holders as holders_module
from drivers.ports.byte_port import find_port_problem, open_port
from drivers.ports.port_holders import find_holders, is_held_here
from drivers.simulators.bench.bench import Bench


@dataclass
class Settings:
    baudrate: int = 9600
    parity: str = "N"
    stopbits: float = 1.0


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the far end's descriptor and the near end's path."""
    far, near = os.openpty()
    tty.setraw(near)
    name = os.ttyname(near)
    os.close(near)
    kept = os.open(name, os.O_RDWR | os.O_NOCTTY)
    yield far, name
    os.close(kept)
    if far_open(far):
        os.close(far)


def far_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def test_bytes_go_both_ways(pty: tuple[int, str]) -> None:
    far, name = pty
    port = open_port(name, Settings())
    os.write(far, b"card")
    assert port.read() == b"card"
    port.write(b"lamp")
    assert os.read(far, 10) == b"lamp"
    assert port.read() == b""
    port.close()


def test_second_opener_is_refused(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], Settings())
    with pytest.raises(PortBusyError, match="this program holds the port already, for another device"):
        open_port(pty[1], Settings())
    port.close()
    open_port(pty[1], Settings()).close()


def test_who_holds_the_port_is_named(pty: tuple[int, str]) -> None:
    holding = (
        f"import serial, sys; port = serial.Serial({pty[1]!r}, exclusive=True); print(flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(PortBusyError, match=rf"\(pid {other.pid}\) holds the port; end that program first$"):
            open_port(pty[1], Settings())
        name = Path(f"/proc/{other.pid}/comm").read_text().strip()
        assert find_holders(pty[1]) == (f"{name} (pid {other.pid})",)
        other.communicate(b"")
    assert find_holders(pty[1]) == ()
    assert is_held_here(pty[1])


def test_a_terminal_of_a_container_is_another(pty: tuple[int, str], tmp_path: Path, mocker: MockerFixture) -> None:
    """Its programs have files open whose names are those of ours, and which are others."""
    (tmp_path / "proc/77/fd").mkdir(parents=True)
    (tmp_path / "proc/77/comm").write_text("agetty\n")
    handle = tmp_path / "proc/77/fd/3"
    handle.symlink_to(pty[1])
    assert find_holders(pty[1], tmp_path) == ("agetty (pid 77)",)
    handle.unlink()
    handle.symlink_to("/dev/null")
    mocker.patch("os.readlink", return_value=pty[1])
    assert find_holders(pty[1], tmp_path) == ()


def test_a_holder_whom_this_user_may_not_see(pty: tuple[int, str], mocker: MockerFixture) -> None:
    mocker.patch.object(holders_module, "list_open_devices", return_value=iter(()))
    mocker.patch("fcntl.flock", side_effect=BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"))
    with pytest.raises(PortBusyError, match="another program holds the port; end that program first"):
        open_port(pty[1], Settings())


def test_far_end_gone(pty: tuple[int, str]) -> None:
    far, name = pty
    port = open_port(name, Settings())
    os.close(far)
    with pytest.raises(PortLostError, match="the port has gone while reading"):
        port.read()
    with pytest.raises(PortLostError, match="the port has gone while writing"):
        port.write(b"x")
    port.close()


def test_far_end_that_takes_nothing(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], Settings())
    with pytest.raises(PortLostError):
        port.write(bytes(1 << 20))
    port.close()


def test_last_words_are_not_lost(pty: tuple[int, str], mocker: MockerFixture) -> None:
    """What came before the port went is returned; that it went is said by the next read."""
    far, name = pty
    port = open_port(name, Settings())
    os.write(far, b"x")
    mocker.patch.object(serial.Serial, "in_waiting", mocker.PropertyMock(side_effect=OSError(errno.EIO, "gone")))
    assert port.read() == b"x"
    os.close(far)
    with pytest.raises(PortLostError):
        port.read()


def test_close_ends_a_waiting_read(pty: tuple[int, str]) -> None:
    port = open_port(pty[1], Settings(), read_seconds=30)
    got: list[bytes] = []
    began = threading.Event()

    def read() -> None:
        began.set()
        got.append(port.read())

    reader = threading.Thread(target=read)
    reader.start()
    began.wait(60)
    port.close()
    reader.join(60)
    assert got == [b""]


def test_modem_lines_are_low_before_the_port_opens(mocker: MockerFixture, pty: tuple[int, str]) -> None:
    """Raising DTR resets many boards: the state at the moment of opening is what counts."""
    opened: list[tuple[bool, bool, bool | None]] = []
    really = serial.Serial.open

    def spying(port: serial.Serial) -> None:
        opened.append((port.dtr, port.rts, port.exclusive))
        really(port)

    mocker.patch.object(serial.Serial, "open", spying)
    open_port(pty[1], Settings()).close()
    assert opened == [(False, False, True)]


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOENT, PortMissingError),
        (errno.ENXIO, PortMissingError),
        (errno.EACCES, PortForbiddenError),
        (errno.EAGAIN, PortBusyError),
        (errno.EINVAL, PortUnsuitableError),
        (errno.ENFILE, PortMissingError),
    ],
)
def test_refusals_of_the_system(mocker: MockerFixture, number: int, kind: type[PortError]) -> None:
    mocker.patch("os.open", side_effect=OSError(number, os.strerror(number)))
    with pytest.raises(kind, match=r"^/dev/reader: "):
        open_port("/dev/reader", Settings())


@pytest.mark.parametrize(
    ("url", "kind", "words"),
    [
        (
            "usb://reader",
            PortUnknownError,
            "a device path, or one of socket://, rfc2217://, evdev://, spi://, sim://, would do",
        ),
        ("/dev/serial/by-id/nothing", PortMissingError, "nothing is plugged in there"),
        ("sim://rdm6300/shoe?bench=none", PortUnknownError, "no bench 'none' is open"),
        ("sim://nothing/shoe", PortUnknownError, "there is no simulated device 'nothing'; there are"),
        ("sim://rdm6300", PortUnknownError, "should read sim://driver/id"),
        ("sim://rdm6300/shoe?fire=1", PortUnknownError, "there is no fault 'fire'; there are flip, drop"),
        ("sim://rdm6300/shoe?flip=2", PortUnknownError, "fault 'flip' wants 0 to 1, not 2"),
        ("sim://rdm6300/shoe?flip=x", PortUnknownError, "fault 'flip' wants a number, not 'x'"),
        ("sim://rdm6300/shoe?model=x", PortUnknownError, "there is no model 'x'"),
        ("sim://gate/gate", PortUnknownError, "is a device on pins and has no port"),
    ],
)
def test_urls_refused(url: str, kind: type[PortError], words: str, bench: Bench) -> None:
    assert bench.devices() == ()
    with pytest.raises(kind) as caught:
        open_port(url, Settings())
    assert words in str(caught.value)
    assert str(caught.value).startswith(url)
    assert isinstance(caught.value, OSError)


def _make_socket_file(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


NO_PORTS: dict[str, Callable[[Path], object]] = {
    "a file": Path.touch,
    "a directory": Path.mkdir,
    "a pipe": os.mkfifo,
    "a socket of this machine": _make_socket_file,
    "a device without a line": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("kind", NO_PORTS)
@pytest.mark.parametrize("scheme", [""])
def test_what_is_no_character_device_is_no_port_and_is_not_opened(
    kind: str, scheme: str, tmp_path: Path, mocker: MockerFixture
) -> None:
    NO_PORTS[kind](tmp_path / "port")
    opened = mocker.spy(os, "open")
    url = f"{scheme}{tmp_path / 'port'}"
    with pytest.raises(PortUnsuitableError) as refused:
        open_port(url, Settings())
    assert str(refused.value).startswith(f"{url}: this is {kind} and no port; name a ")
    assert find_port_problem(url) == str(refused.value)
    opened.assert_not_called()


def test_a_disk_is_no_port(mocker: MockerFixture) -> None:
    mocker.patch("os.stat", return_value=SimpleNamespace(st_mode=stat.S_IFBLK, st_rdev=os.makedev(8, 0)))
    assert find_port_problem("/dev/sda") == (
        "/dev/sda: this is a disk and no port; name a serial port, under /dev/serial/by-id (tablectl ports shows them)"
    )


def test_a_pseudo_terminal_and_what_is_elsewhere_or_not_there_may_be_a_port() -> None:
    far, near = os.openpty()
    for url in (
        os.ttyname(near),
        "/dev/serial/by-id/none",
        "socket://table:4000",
        "rfc2217://table:1",
        "sim://lines/a",
    ):
        assert find_port_problem(url) is None
    os.close(far)
    os.close(near)


@pytest.mark.parametrize("scheme", ["spy", "loop", "hwgrep", "cp2110", "alt", "file"])
def test_what_pyserial_knows_besides_is_no_port(scheme: str) -> None:
    url = f"{scheme}:///dev/ttyACM0?file=/tmp/tags"
    with pytest.raises(PortUnknownError, match=f"no port begins with {scheme}://"):
        open_port(url, Settings())
    assert f"no port begins with {scheme}://" in str(find_port_problem(url))


def test_socket_port_delivers_what_came_in_one_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", Settings())
        far, _ = server.accept()
        with far:
            far.sendall(b"from afar")
            assert port.read() == b"from afar"
            port.write(b"and back")
            assert far.recv(20) == b"and back"
        with pytest.raises(PortLostError):
            port.read()
        port.close()


def test_nobody_listens() -> None:
    with socket.socket() as kept:  # and nobody else can take it meanwhile
        kept.bind(("127.0.0.1", 0))
        with pytest.raises(PortMissingError, match="nobody listens at that address"):
            open_port(f"socket://127.0.0.1:{kept.getsockname()[1]}", Settings())


def test_a_port_is_not_closed_under_a_write(pty: tuple[int, str], mocker: MockerFixture) -> None:
    """The descriptor could be the journal's by the time the bytes go out."""
    port = open_port(pty[1], Settings())
    closing = threading.Thread(target=port.close)
    write = serial.Serial.write
    open_during_write: list[bool] = []

    def slow(near: serial.Serial, data: bytes) -> int | None:
        closing.start()
        closing.join(0.1)
        open_during_write.append(near.is_open)
        return write(near, data)

    mocker.patch.object(serial.Serial, "write", slow)
    port.write(b"lamp")
    closing.join(60)
    assert open_during_write == [True]
    assert not closing.is_alive()
    assert os.read(pty[0], 10) == b"lamp"
