"""No thread of the program dies unnoticed: the program ends, and the next start finds the hand as it stood."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.app.table.test_process import Running, pick_lasting_state, port_of

KILLER = """
import ctypes, sys, threading
from controller.runtime.service import watchdog
watchdog.DEAD_WORKER_GRACE_S = 0.1
def kill():
    for name in sys.stdin:
        # What a worker catches it goes on after; the end of a thread is what none may.
        error = SystemError if name.strip() == "MainThread" else SystemExit
        found = [thread.ident for thread in threading.enumerate() if thread.name == name.strip()]
        for ident in found:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(error))
        print(len(found), flush=True)
threading.Thread(target=kill, daemon=True).start()
from controller.cli import main
raise SystemExit(main())
"""
"""Raises an error in a thread of the program wherever it stands, as a fault of its own would: one that ends it."""

THREADS = ("page", "pins", "port shoe", "room", "MainThread")
"""Every thread of the demo table. Timer, journal and watchdog have none of their own: the last turns them."""


@contextmanager
def table(directory: Path) -> Iterator[Running]:
    command = (sys.executable, "-c", KILLER, "run", "--simulate", "--paused", "--port", "0", "--state", str(directory))
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        yield Running(process, port_of(process))
    finally:
        process.kill()
        process.communicate()


def confirm_as_shown(running: Running) -> dict[str, Any]:
    """Let the dealer say that the table is as shown."""
    return running.play_until(lambda state: not state["faults"])


def test_whichever_thread_dies_the_program_ends_and_the_hand_is_intact(tmp_path: Path) -> None:
    stood: dict[str, Any] | None = None
    for name in THREADS:
        with table(tmp_path) as running:
            if stood is None:
                state = running.play_until(lambda state: state["table"]["piles"]["stub"] <= 47)
                stood = pick_lasting_state(state)
            else:
                assert pick_lasting_state(confirm_as_shown(running)) == stood, f"before {name}"
            assert running.process.stdin is not None
            assert running.process.stdout is not None
            running.process.stdin.write(f"{name}\n")
            assert running.process.stdout.readline() == "1\n", f"there is no thread {name!r}"
            if name == "room":
                assert running.wish(do="speed", speed=19) == 204, "it waits without end, and dies when it is woken"
            assert running.process.wait(60) == 1, name
    with table(tmp_path) as running:
        assert pick_lasting_state(confirm_as_shown(running)) == stood
