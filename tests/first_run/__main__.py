"""`make run` and `make room`, as a newcomer types them, twice: each shows its page, and ends at Ctrl-C.

    python -m tests.first_run

Both work at the root of the checkout, on their own ports, so that nothing else may run there.
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE_S = 240
"""A page that has not come by then does not come, however busy the machine is."""

COMMANDS = {
    "run": (["make", "run"], "page at ", "http://127.0.0.1:8080/"),
    "room": (["make", "room", "TABLES=2", "NODES=1", "PORT=18090"], "the room is at ", "http://127.0.0.1:18090/"),
}
"""What is typed, what it says when all is up, and the page that answers then."""


class FirstRunError(Exception):
    """A command did not do what the README says; the message says which and what it said."""


def measure(name: str, command: list[str], sentence: str, url: str) -> float:
    """Start a command, wait for its page, end it as Ctrl-C does; return the seconds until all was up."""
    log = ROOT / "build" / f"first-run-{name}.log"
    log.parent.mkdir(exist_ok=True)
    begun = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
    try:
        while sentence not in log.read_text(encoding="utf-8") or not shows_page(url):
            if process.poll() is not None or time.monotonic() - begun > PATIENCE_S:
                raise FirstRunError(f"{' '.join(command)}: no page at {url}: {log.read_text(encoding='utf-8')[-2000:]}")
            time.sleep(0.2)
        took = time.monotonic() - begun
        os.killpg(process.pid, signal.SIGINT)
        process.wait(PATIENCE_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    text = log.read_text(encoding="utf-8")
    if "Traceback" in text:
        raise FirstRunError(f"{' '.join(command)} ended in a traceback: {text[-2000:]}")
    return took


def shows_page(url: str) -> bool:
    """Whether a page answers there."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return b"<html" in answer.read()
    except (urllib.error.URLError, OSError):
        return False


def main() -> int:
    """Try both; return 1 where one is not as it should be."""
    figures: dict[str, float] = {}
    for name in (*COMMANDS, *COMMANDS):
        try:
            again = "_again" if f"{name}_s" in figures else ""
            figures[f"{name}{again}_s"] = round(measure(name, *COMMANDS[name]), 1)
        except (FirstRunError, subprocess.TimeoutExpired) as error:
            print(error, file=sys.stderr)
            return 1
    print(f"figures: {json.dumps(figures)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
