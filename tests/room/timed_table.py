"""A whole table in this process, `tablectl run` with its page and simulated devices, and each entry timed in it.

`python -m tests.room.timed_table STATE PORT`: for each line on its input it plays hands that everybody folds, and says
on its output what each entry took. The line is JSON: `hands`, `pause` (seconds between entries), and `more`, the share
of an entry's work that is done again for nothing, as a table does that is made slower.
"""

import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from controller.cli import main as tablectl
from controller.core.protocol.events import CardDealt, Event, HandStarted, PlayerActed, StepConfirmed
from controller.core.protocol.steps import ActStep
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.cards import build_deck
from controller.runtime.loop import inbox
from controller.runtime.loop.loop_messages import EntrySubmitted, LoopMessage
from controller.runtime.loop.table_loop import TableLoop

SOURCE = "timed"
PLAYERS = 6
PATIENCE = 60.0
RAISED = 50 * inbox.MAX_SOURCE_BYTES_PER_S


@dataclass
class EntryTimings:
    """What entries took, in seconds: `wall` from the line to the answer shown, `cpu` of the loop's processor time."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    process: float = 0.0
    """Processor time of the whole process."""


class Entering:
    """Enters lines one by one into the loop that the program makes, and times it within."""

    def __init__(self) -> None:
        self.loop: TableLoop | None = None
        self._ready, self._answered = threading.Event(), threading.Event()
        self._timed = EntryTimings()
        self._more = 0.0

    def watch(self) -> None:
        """Have each loop of this process tell, and take lines as fast as they come."""
        inbox.MAX_SOURCE_BYTES_PER_S = inbox.MAX_BURST_BYTES = RAISED
        made, turned, entering = TableLoop.start, TableLoop.handle_message, self

        def start(self: TableLoop) -> None:
            made(self)
            entering.loop = self
            entering._ready.set()

        def turn(self: TableLoop, message: LoopMessage, now: float) -> None:
            if not (isinstance(message, EntrySubmitted) and message.source == SOURCE):
                turned(self, message, now)
                return
            begun = time.thread_time()
            turned(self, message, now)
            took = time.thread_time() - begun
            while entering._more and time.thread_time() - begun < (1 + entering._more) * took:
                pass
            entering._timed.cpu.append(time.thread_time() - begun)
            entering._timed.wall.append(self.clock() - message.at)
            entering._answered.set()

        TableLoop.start, TableLoop.handle_message = start, turn  # type: ignore[method-assign]

    def play(self, hands: int, pause: float, more: float) -> EntryTimings:
        """Play hands; return what their entries took."""
        assert self._ready.wait(PATIENCE)
        self._timed, self._more = EntryTimings(), more
        begun = time.process_time()
        for _ in range(hands):
            self._play(pause)
        self._timed.process = time.process_time() - begun
        return self._timed

    def _play(self, pause: float) -> None:
        assert self.loop is not None
        self._enter(HandStarted(), pause)
        for card in build_deck()[: 2 * PLAYERS]:
            self._enter(CardDealt(str(card)), pause)
        while (plan := self.loop.outcome.plan) and isinstance(step := plan[0], ActStep):
            self._enter(PlayerActed(step.seat, ActionType.FOLD), pause)
        while self.loop.outcome.plan:
            self._enter(StepConfirmed(), pause)

    def _enter(self, event: Event, pause: float) -> None:
        assert self.loop is not None
        time.sleep(pause)
        self._answered.clear()
        assert self.loop.submit_entry(event, SOURCE)
        assert self._answered.wait(PATIENCE)


def main(state: str, port: str) -> int:
    """Run the table until the input ends."""
    said = os.fdopen(os.dup(1), "w", buffering=1)
    entering = Entering()
    entering.watch()

    def serve() -> None:
        for line in sys.stdin:
            asked: dict[str, Any] = json.loads(line)
            timed = entering.play(asked["hands"], asked["pause"], asked["more"])
            said.write(json.dumps({"wall": timed.wall, "cpu": timed.cpu, "process": [timed.process]}) + "\n")
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=serve, daemon=True).start()
    return tablectl(["run", "--simulate", "--paused", "--no-mistakes", "--state", state, "--port", port])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
