"""Asks the process that works out equities, and remembers what it said."""

import json
import logging
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Full, Queue

from controller.records.broadcast.equities import Situation

MOST_ASKED = 64
"""Situations that wait; a hand has some ten. Of more the newest are not asked about, and are shown without equities."""

REMEMBERED = 256

PROCESS = "controller.app.table.broadcast.equity_process"

log = logging.getLogger(__name__)


class EquityDesk:
    """Equities of situations, as they become known; `ended` is called in another thread when one does."""

    def __init__(self, known: Callable[[Situation], None]) -> None:
        self._told = known
        self._asked: Queue[Situation | None] = Queue(MOST_ASKED)
        self._found: OrderedDict[Situation, Mapping[int, float] | None] = OrderedDict()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._ended = False

    def of(self, situation: Situation) -> Mapping[int, float] | None:
        """Return what is known of a situation by now."""
        with self._lock:
            return self._found.get(situation)

    def ask(self, situation: Situation) -> None:
        """Have a situation worked out, if nobody has asked before."""
        with self._lock:
            if situation in self._found:
                return
            self._found[situation] = None
            while len(self._found) > REMEMBERED:
                self._found.popitem(last=False)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="equities", daemon=True)
            self._thread.start()
        try:
            self._asked.put_nowait(situation)
        except Full:
            with self._lock:
                self._found.pop(situation, None)

    def end(self) -> None:
        """End the process and the thread."""
        if self._thread is None:
            return
        self._ended = True
        if (process := self._process) is not None:
            process.kill()  # whoever waits for its answer waits no more
        with suppress(Full):
            self._asked.put_nowait(None)
        self._thread.join()

    def _work(self) -> None:
        while (situation := self._asked.get()) is not None and not self._ended:
            found = self._answer(situation)
            if found is not None:
                with self._lock:
                    if situation in self._found:
                        self._found[situation] = found
                self._told(situation)
        self._leave()

    def _leave(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError, ValueError):
                process.communicate()

    def _answer(self, situation: Situation) -> Mapping[int, float] | None:
        try:
            process = self._process or self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(situation.plain()) + "\n")
            process.stdin.flush()
            said = json.loads(process.stdout.readline())
        except (OSError, ValueError) as why:
            if not self._ended:
                log.warning("no equities: %s", type(why).__name__)
            self._leave()
            return None
        return None if said is None else {int(seat): float(share) for seat, share in said.items()}

    def _started(self) -> subprocess.Popen[str]:
        command = (sys.executable, "-P", "-m", PROCESS)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        return self._process
