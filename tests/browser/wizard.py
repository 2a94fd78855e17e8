"""A table that nobody has set up yet: its reader and its board at pseudo-terminals, and a technician at its page."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Self

from drivers.simulators.readers.pn532_simulator import Pn532Simulator
from tests.soak.far_ends import Board, Wire

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
PIN = "862075"

LAUNCH = """
import sys
from pathlib import Path
from controller.app.diagnostics.machine_ports import MachinePort, UsbDevice
from controller.app.commissioning import table_upkeep as set_up
from controller.cli import main
from controller.cli.table import check_command as check
ports, check.INSTALLED_TABLE_FILE = Path(sys.argv[1]), Path(sys.argv[2])
what = {"reader": "USB UART", "board": "Arduino Uno"}
set_up.PROBE_TIMEOUT_S = 6.0
set_up._list_probe_drivers = lambda: ["bridge", "pn532"]
set_up.list_serial_ports = lambda: [
    MachinePort(str(ports / name), None, UsbDevice("2341", "0043", "", told, "00"), "dialout", True, ())
    for name, told in what.items()
]
sys.exit(main(sys.argv[3:]))
"""
"""The program, which is told what is plugged in: a pseudo-terminal is no device of the kernel's list. It asks in two
languages only, and waits long for each: the far ends answer at once, but for a busy machine; and the table's file is
not the machine's."""

BEGUN = """() => {
  const said = document.querySelector("#ports").textContent;
  return said.includes("Asking") || said.includes(": pn532 ");
}"""
"""The search goes on, or has been sooner over than the page looked."""


class FarEnds(threading.Thread):
    """A PN532 and the microcontroller's board, alive in a thread of their own; `reader` is shown cards."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self.reader = Pn532Simulator(monotonic)
        self._wire = Wire(folder / "reader")
        self._board = Board(folder / "board", {}, {})
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(0.002):
            self._board.live()
            if data := self._wire.hear():
                self.reader.receive_data(data)
            for _, frame in self.reader.take_frames():
                self._wire.say(frame)

    def end(self) -> None:
        self._ended.set()
        self.join(60)
        self._wire.unplug()
        self._board.wire.unplug()


class FreshTable:
    """The program with the file that the image comes with, until it is ended; `again` starts it with what is there."""

    def __init__(self, folder: Path, ports: Path) -> None:
        self.file, self.state = folder / "table.toml", folder / "state"
        text = (
            (ROOT / "image/table.toml")
            .read_text(encoding="utf-8")
            .replace("/var/lib/table-controller", str(self.state))
        )
        text = re.sub(r"(?m)^(certificate|key) = .*\n", "", text).replace('"0.0.0.0"', '"127.0.0.1"')
        self.file.write_text(text.replace("port = 8443", "port = 0"), encoding="utf-8")
        self._command = [sys.executable, "-c", LAUNCH, str(ports), str(self.file)]
        self.far = FarEnds(ports)
        self.far.start()
        self.code = self.url = ""
        self._start()

    def _start(self) -> None:
        command = [*self._command, "run", "--config", str(self.file)]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if found := re.search(r"one-time code (\d{4})-(\d{4})", line):
                self.code = found[1] + found[2]
            if found := re.search(r"page at (\S+)", line):
                self.url = found[1]
                break
        assert self.url, "".join(said)
        self._drain = threading.Thread(target=lambda out: [*out], args=(self._process.stderr,), daemon=True)
        self._drain.start()

    def _stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(60)
        self._drain.join(60)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def install_and_restart(self) -> str:
        """Do what `table-set-up.service` does; return what the check said."""
        wanted = [*self._command, "check", str(self.state / "table.toml.wanted"), "--install"]
        done = subprocess.run(wanted, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        self._stop()
        self.url = ""
        self._start()
        return done.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self.far.end()


def enrol(page: "Page", table: FreshTable, take: Callable[[str], object] = lambda _name: None) -> None:
    """Scan the code on the screen, and become the technician."""
    page.goto(f"{table.url}sign-in#{table.code}")

    def tap(text: str) -> None:
        page.get_by_role("button", name=text, exact=True).first.click()

    page.wait_for_selector(".pad")
    take("enrol-code")
    tap("Next")
    page.wait_for_selector(".letters")
    for letter in ("T", "E", "S", "S"):
        tap(letter)
    take("enrol-name")
    tap("Next")
    for _ in range(2):
        for digit in PIN:
            page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
        tap("Next")
    page.wait_for_url("**/technician")


def set_up(page: "Page", take: Callable[[str], object] = lambda _name: None) -> None:
    """Find reader and board, choose, check, and use it."""
    page.get_by_role("link", name="Set the table up").click()
    page.wait_for_selector("#set-up:visible")
    page.check("input[name=kind][value=starter]")
    assert page.input_value("#reader") == "rdm6300", "each example names its reader until one was found or chosen"
    assert page.is_hidden("#seats_port")
    page.check("input[name=kind][value=seat-antennas]")
    assert page.is_visible("#seats_port")
    page.check("input[name=kind][value=starter]")
    page.click("#search")
    page.wait_for_function(BEGUN)
    page.wait_for_function("() => !document.querySelector('#search').disabled", timeout=60_000)
    take("set-up-found")
    page.select_option("#game", "omaha")
    page.select_option("#structure", "pot-limit")
    page.locator("#game").scroll_into_view_if_needed()
    take("set-up-played")
    page.click("#check")
    page.wait_for_selector("#write:enabled")
    page.locator("#said").scroll_into_view_if_needed()
    take("set-up-checked")
    page.click("#write")
    page.wait_for_function("() => document.querySelector('#said').textContent.includes('starts anew')")
