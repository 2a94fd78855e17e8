"""Takes the words of floor and technician, and has the table do what they agree on."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from controller.runtime.broadcast.agreement import LONGEST, NEEDED, SHORTEST, Agreement, are_apart, person_of
from controller.runtime.staff.admission import Code, NotAdmitted
from controller.runtime.staff.authority import Role
from controller.runtime.staff.signature import By, JournalPosition, signed
from controller.runtime.staff.staff import Person
from controller.web.access.door import Who

SHOWROOM: By = {"name": "showroom"}
"""Who speaks at a simulated table, where nobody signs in: once as the floor, once as the technician."""


class Delays:
    """The agreement of one table; safe to use from any thread.

    `agreed` does it; false where the table has no room for it. `shown`: the number of the entry that pages show.
    `people`: who is enrolled now, with the seconds of `wall`.
    """

    def __init__(
        self,
        agreed: Callable[[int | None, tuple[By, ...]], object],
        holds: Callable[[], int | None],
        shown: Callable[[], int | None],
        place: Callable[[], JournalPosition],
        people: Callable[[], Sequence[Person]],
        clock: Callable[[], float] = monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._agreed = agreed
        self._holds = holds
        self._shown = shown
        self._place = place
        self._people = people
        self._clock = clock
        self._wall = wall
        self._said_at: JournalPosition | None = None
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
        """Take a word; one that takes an agreement back needs no other. Raises `ValueError` and `NotAdmitted`."""
        with self._lock:
            role = self._role(who)
            by = self._signed(delay, role, who)
            if delay is None:
                self._agreement.forget()
                words: tuple[By, ...] | None = (by,)
            else:
                self._look_again(delay, role, by)
                words = self._agreement.word(delay, role, by, self._clock())
            if words is not None and self._agreed(delay, words) is False:
                raise NotAdmitted(Code.TOO_MUCH, "The table has no room for that; wait a moment, then say it again.", 1)

    def _look_again(self, delay: int, role: Role, by: By) -> None:
        """Drop the words of whoever is not enrolled any more, and refuse one that may be the same person's twice."""
        place = self._place()
        if place != self._said_at:  # what was signed for another session is good in no other
            self._agreement.forget()
        self._said_at = place
        people = self._people()
        self._agreement.keep(lambda word: "key" not in word or person_of(word, people) is not None)
        if delay != self._agreement.delay:
            return
        speaker = person_of(by, people)
        for said, word in self._agreement.waiting(self._clock()).items():
            other = person_of(word, people)
            if said is not role and speaker and other and not are_apart(speaker, other, self._wall()):
                raise NotAdmitted(
                    Code.NOT_NOW,
                    f"{other.name} and {speaker.name} cannot agree on this: one of them enrolled the other, or gave "
                    "them a new PIN, less than 24 hours ago. Somebody else has to say it too.",
                )

    def _role(self, who: Who) -> Role:
        """In which role somebody speaks; at a showroom in the one that is missing."""
        said = self._agreement.waiting(self._clock())
        return who.role or next((role for role in NEEDED if role not in said), NEEDED[0])

    def _signed(self, delay: int | None, role: Role, who: Who) -> By:
        if who.person is None:
            return {**SHOWROOM, "role": role.value}
        line = {"ev": "broadcast", "delay": delay}
        return signed(who.person.key, who.person.name, role.value, line, self._shown() or 0, self._place())
