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

from controller.records.broadcast.equities import EquitySituation

MAX_PENDING = 64
"""Situations that wait; a hand has some ten. Of more the newest are not asked about, and are shown without equities."""

MAX_CACHED = 256

PROCESS_MODULE = "controller.app.table.broadcast.equity_process"

log = logging.getLogger(__name__)


class EquityClient:
    """Equities of situations, as they become known; `ended` is called in another thread when one does."""

    def __init__(self, known: Callable[[EquitySituation], None]) -> None:
        self._on_equities_known = known
        self._requests: Queue[EquitySituation | None] = Queue(MAX_PENDING)
        self._equities_by_situation: OrderedDict[EquitySituation, Mapping[int, float] | None] = OrderedDict()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._ended = False

    def find_equities(self, situation: EquitySituation) -> Mapping[int, float] | None:
        """Return what is known of a situation by now."""
        with self._lock:
            return self._equities_by_situation.get(situation)

    def ask(self, situation: EquitySituation) -> None:
        """Have a situation worked out, if nobody has asked before."""
        with self._lock:
            if situation in self._equities_by_situation:
                return
            self._equities_by_situation[situation] = None
            while len(self._equities_by_situation) > MAX_CACHED:
                self._equities_by_situation.popitem(last=False)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="equities", daemon=True)
            self._thread.start()
        try:
            self._requests.put_nowait(situation)
        except Full:
            with self._lock:
                self._equities_by_situation.pop(situation, None)

    def end(self) -> None:
        """End the process and the thread."""
        if self._thread is None:
            return
        self._ended = True
        if (process := self._process) is not None:
            process.kill()  # whoever waits for its answer waits no more
        with suppress(Full):
            self._requests.put_nowait(None)
        self._thread.join()

    def _run(self) -> None:
        while (situation := self._requests.get()) is not None and not self._ended:
            found = self._query_process(situation)
            if found is not None:
                with self._lock:
                    if situation in self._equities_by_situation:
                        self._equities_by_situation[situation] = found
                self._on_equities_known(situation)
        self._stop_process()

    def _stop_process(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError, ValueError):
                process.communicate()

    def _query_process(self, situation: EquitySituation) -> Mapping[int, float] | None:
        try:
            process = self._process or self._start_process()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(situation.to_json()) + "\n")
            process.stdin.flush()
            said = json.loads(process.stdout.readline())
        except (OSError, ValueError) as why:
            if not self._ended:
                log.warning("no equities: %s", type(why).__name__)
            self._stop_process()
            return None
        return None if said is None else {int(seat): float(share) for seat, share in said.items()}

    def _start_process(self) -> subprocess.Popen[str]:
        command = (sys.executable, "-P", "-m", PROCESS_MODULE)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        return self._process
