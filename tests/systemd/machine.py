"""The container of tests/systemd/run, booted, and what a technician may ask of it."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = os.environ.get("TABLE_ROOTFS", "")
WORK = Path(os.environ.get("TABLE_WORK", "/nowhere"))
CHECKOUT = Path(__file__).parents[2]

needs_container = pytest.mark.skipif(not ROOT, reason="needs the container of tests/systemd/run")

UNIT = "table-controller"
TABLECTL = "/opt/table-controller/current/venv/bin/tablectl"
PATIENCE = 90.0
LOOK_SECONDS = 0.1

ASK = """
import http.client, sys
page = http.client.HTTPConnection("127.0.0.1", 8080, timeout=10)
headers = {"Origin": "http://127.0.0.1:8080", "Content-Type": "application/json"} if sys.argv[3:] else {}
page.request(sys.argv[1], sys.argv[2], *sys.argv[3:4], headers=headers)
answer = page.getresponse()
sys.stdout.write(answer.read().decode())
sys.exit(answer.status >= 300)
"""


def wait_until(what: Callable[[], Any], words: str, seconds: float = PATIENCE) -> Any:  # noqa: ANN401 - whatever it is
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if found := what():
            return found
        time.sleep(LOOK_SECONDS)
    raise AssertionError(f"{words}: not within {seconds:g} s")


class Machine:
    """The booted container."""

    def __init__(self) -> None:
        # The root is read-only below a layer in memory, so that every boot finds what was installed.
        self._console = (WORK / "console").open("wb")
        self._process = subprocess.Popen(
            [
                "systemd-nspawn", "--quiet", f"--directory={ROOT}", "--register=no", "--keep-unit", "--private-network",
                "--volatile=overlay", "--console=read-only", f"--bind-ro={WORK}:/releases",
                f"--bind-ro={CHECKOUT}:/checkout", "--boot", "systemd.show_status=0",
            ],
            stdin=subprocess.DEVNULL, stdout=self._console, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.leader = ""

    def boot(self) -> bool:
        """Wait for its systemd; return whether it came."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and self._process.poll() is None:
            children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text(encoding="ascii")
            for child in children.split():
                if Path(f"/proc/{child}/root/run/systemd/private").exists():
                    self.leader = child
                    return True
            time.sleep(LOOK_SECONDS)
        return False

    def run(self, *command: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        """Run a command in there."""
        entered = ("nsenter", "--target", self.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup")
        where = (*entered, "--root", "--wdns=/", *command)
        done = subprocess.run(where, capture_output=True, text=True, check=False, env={"PATH": "/usr/sbin:/usr/bin"})
        assert not check or done.returncode == 0, f"{command}: {done.stderr}{done.stdout}"
        return done

    def read_property(self, name: str) -> str:
        """Return a property of the unit."""
        return self.run("systemctl", "show", UNIT, "--value", f"--property={name}").stdout.strip()

    def is_active(self) -> bool:
        return self.read_property("ActiveState") == "active"

    def ask(self, method: str, path: str, body: str | None = None) -> str:
        return self.run("python3", "-c", ASK, method, path, *([] if body is None else [body])).stdout

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.ask("GET", "/state"))
        return state

    def wish(self, **wish: object) -> None:
        self.ask("POST", "/simulation", json.dumps(wish))

    def write(self, path: str, text: str) -> None:
        """Write a file that everybody may read."""
        self.run("install", "-D", "-m", "644", "/dev/null", path)
        self.run("python3", "-c", "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])", path, text)

    def log(self) -> list[dict[str, Any]]:
        """Return the unit's lines of the log."""
        said = self.run("journalctl", "--unit", UNIT, "--output=json", "--no-pager").stdout
        return [json.loads(line) for line in said.splitlines()]

    def end(self) -> None:
        if self.leader and self._process.poll() is None:
            self.run("systemctl", "poweroff", check=False)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
        elif self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._console.close()
