"""A technician's first hour, run inside the machine: by the page alone, with the code that the screen shows."""

import http.client
import json
import re
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

PORT = 8443
ORIGIN = f"https://127.0.0.1:{PORT}"
SCREEN = "/dev/vcs1"


class Browser:
    """One person's browser."""

    def __init__(self) -> None:
        self.cookie, self.token = "", ""

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        page = http.client.HTTPSConnection("127.0.0.1", PORT, timeout=120, context=context)
        headers = {"Origin": ORIGIN, "Content-Type": "application/json"}
        headers |= {"Cookie": self.cookie, "X-Table-Token": self.token}
        page.request(method, path, None if body is None else json.dumps(body), headers)
        answer = page.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                self.cookie = value.partition(";")[0]
        said = answer.read().decode()
        return answer.status, json.loads(said) if said[:1] in ("{", "[") else said

    def want(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - whatever the page answers
        status, said = self.ask(method, path, body)
        assert status < 300, (path, status, said)
        return said

    def know(self) -> None:
        self.token = self.want("GET", "/who").get("token", "")


def wait_until(what: Callable[[], Any], words: str, seconds: float = 300.0) -> Any:  # noqa: ANN401 - whatever it is
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            if found := what():
                return found
        except (OSError, AssertionError):
            pass
        time.sleep(1)
    raise AssertionError(words)


def code_on_screen() -> str:
    with open(SCREEN, "rb") as console:
        shown = console.read().decode("latin-1")
    found = re.search(r"One-time code:\s+(\d{4})-(\d{4})", shown)
    return "" if found is None else found.group(1) + found.group(2)


def main_process() -> str:
    ask = ["systemctl", "show", "-p", "MainPID", "--value", "table-controller"]
    return subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()


def enrol_staff(code: str) -> tuple[Browser, Browser]:
    """Enrol a technician by the table's first code, and a dealer by the technician's."""
    tess, dana = Browser(), Browser()
    tess.want("POST", "/enrol", {"code": code, "name": "Tess", "role": "technician", "pin": "739146"})
    tess.know()
    code = tess.want("POST", "/code", {"role": "dealer"})["code"].replace("-", "")
    dana.want("POST", "/enrol", {"code": code, "name": "Dana", "role": "dealer", "pin": "285017"})
    dana.know()
    return tess, dana


def main() -> None:
    tess, dana = enrol_staff(wait_until(code_on_screen, "the screen shows a code"))
    found = tess.want("GET", "/set-up/found")
    choice = found["choice"] | {"kind": "no-shoe", "game": "omaha", "structure": "pot-limit"}
    proposed = tess.want("POST", "/set-up", {"do": "propose", "choice": choice})
    assert not proposed["wrong"], proposed
    before = main_process()
    tess.want("POST", "/set-up", {"do": "write", "choice": choice})
    wait_until(
        lambda: main_process() not in (before, "0") and dana.want("GET", "/state")["setup"]["game"] == "omaha",
        "the table starts anew with its file",
    )
    dana.want("POST", "/sign-in", {"name": "Dana", "pin": "285017"})
    dana.know()
    dana.want("POST", "/entry", {"seen": dana.want("GET", "/state")["entry"], "line": {"ev": "start"}})
    wait_until(lambda: dana.want("GET", "/state")["table"]["phase"] != "idle", "the first hand has begun")
    sys.stdout.write("the first hand has begun\n")


if __name__ == "__main__":
    main()
