"""What the dealer's page enters: one line of the table script a touch.

A touch belongs to what the dealer saw. Each carries the number of the entry that the page showed; when the table has
moved on meanwhile, or the same showing was answered already (a finger that touched twice), it is not taken: otherwise
a second touch on "fold" would be an act out of turn of the next seat.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.core import script
from controller.core.errors import Refused
from controller.core.events import Event

SOURCE = "page"

DEALER = (
    "start", "done", "undo", "act", "draw", "show", "muck", "won", "clock", "report", "chop", "sit", "leave", "away",
    "back", "stack", "level", "timer", "break", "colour-up", "card",
)  # fmt: skip
"""What a dealer may enter. A `card` only unread: what a card is, the shoe says."""

FLOOR = ("floor",)

Enter = Callable[[Event, str], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a touch was taken, as a status of HTTP, and why not."""

    status: int
    code: str | None = None
    message: str | None = None


TAKEN = Answer(202)


class Desk:
    """Takes the touches of one page or several; `shown` tells the number of the newest entry that pages show.

    `floor` says whether a floor's decision is taken here: at a live table it needs the floor's own authority.
    """

    def __init__(self, enter: Enter, shown: Callable[[], int | None], *, floor: bool) -> None:
        self._enter = enter
        self._shown = shown
        self._words = (*DEALER, *FLOOR) if floor else DEALER
        self._answered = -1
        self._lock = threading.Lock()

    def take(self, wish: object) -> Answer:
        """Take `{"seen": N, "line": {…}}`."""
        match wish:
            case {"seen": int() as seen, "line": {**line}, **rest} if not rest and not isinstance(seen, bool):
                return self._take(seen, {str(key): value for key, value in line.items()})
            case _:
                return Answer(
                    400, "value", 'Want {"seen": number of the entry shown, "line": a line of the table script}.'
                )

    def _take(self, seen: int, line: Mapping[str, object]) -> Answer:
        word = line.get("ev")
        if word in FLOOR and word not in self._words:
            return Answer(403, "floor-only", "Only the floor decides; call the floor.")
        if word not in self._words or (word == "card" and line != {"ev": "card", "card": None}):
            return Answer(400, "value", f"A page may enter {', '.join(self._words)}; a card only as unread (null).")
        if "t" in line:
            return Answer(400, "value", "The table sets the time itself; leave `t` out.")
        try:
            event = script.read(line)
        except Refused as why:
            return Answer(400, why.code, why.message)
        with self._lock:
            if seen != self._shown() or seen <= self._answered:
                return Answer(409, "moved-on", "The table has moved on since; look again.")
            self._answered = seen
        self._enter(event, SOURCE)
        return TAKEN
