"""Takes the words of floor and technician, and has the table do what they agree on."""

import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from controller.runtime.broadcast.agreement import LONGEST, NEEDED, SHORTEST, Agreement
from controller.runtime.staff.authority import Role
from controller.runtime.staff.signature import By, JournalPosition, signed
from controller.web.access.door import Who

SHOWROOM: By = {"name": "showroom"}
"""Who speaks at a simulated table, where nobody signs in: once as the floor, once as the technician."""


class Delays:
    """The agreement of one table; safe to use from any thread. `shown`: the number of the entry that pages show."""

    def __init__(
        self,
        agreed: Callable[[int | None, tuple[By, ...]], None],
        holds: Callable[[], int | None],
        shown: Callable[[], int | None],
        place: Callable[[], JournalPosition],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._agreed = agreed
        self._holds = holds
        self._shown = shown
        self._place = place
        self._clock = clock
        self._agreement = Agreement()
        self._lock = threading.Lock()

    def standing(self) -> Mapping[str, Any]:
        """Say which delay holds, which is asked for, by whom."""
        with self._lock:
            waiting = self._agreement.waiting(self._clock())
            said = [f"{by['name']}, {role.value}" for role, by in waiting.items()]
            asked = self._agreement.delay if said else None
        return {"delay": self._holds(), "asked": asked, "said": said, "shortest": SHORTEST, "longest": LONGEST}

    def say(self, delay: int | None, who: Who) -> None:
        """Take a word; one that takes an agreement back needs no other. Raises `ValueError`."""
        with self._lock:
            role = self._role(who)
            by = self._signed(delay, role, who)
            if delay is None:
                self._agreement.forget()
                self._agreed(None, (by,))
            elif (words := self._agreement.word(delay, role, by, self._clock())) is not None:
                self._agreed(delay, words)

    def _role(self, who: Who) -> Role:
        """In which role somebody speaks; at a showroom in the one that is missing."""
        said = self._agreement.waiting(self._clock())
        return who.role or next((role for role in NEEDED if role not in said), NEEDED[0])

    def _signed(self, delay: int | None, role: Role, who: Who) -> By:
        if who.person is None:
            return {**SHOWROOM, "role": role.value}
        line = {"ev": "broadcast", "delay": delay}
        return signed(who.person.key, who.person.name, role.value, line, self._shown() or 0, self._place())
