"""The agreement of floor and technician to show hole cards sooner than when the hand is over."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from controller.runtime.staff.authority import Role
from controller.runtime.staff.signature import By
from controller.runtime.staff.staff import Person

SHORTEST = 300
"""Seconds. Most hands are over by then, so that whoever sits at the table and listens learns of hands that are gone; of
a longer hand viewers see the first streets while the last are played, which is what the two who sign answer for."""

LONGEST = 3600
"""Seconds: so long the table holds back what happened."""

NEEDED = (Role.FLOOR, Role.TECHNICIAN)
"""Who has to agree, one of each."""

TOGETHER_SECONDS = 600.0
"""So long a word waits for the other one."""

APART_SECONDS = 86400.0
"""So long whoever enrolled somebody, or gave them a new PIN, agrees on nothing with them: it may be one person."""


@dataclass(slots=True)
class Agreement:
    """Words that wait for each other: role -> who said it and when; all of the same delay."""

    delay: int | None = None
    _words: dict[Role, tuple[float, By]] = field(default_factory=dict)

    def waiting(self, now: float) -> Mapping[Role, By]:
        """Whose word waits for another."""
        self._words = {role: word for role, word in self._words.items() if now - word[0] < TOGETHER_SECONDS}
        return {role: by for role, (_, by) in self._words.items()}

    def keep(self, holds: Callable[[By], bool]) -> None:
        """Drop every word that does not hold any more."""
        self._words = {role: word for role, word in self._words.items() if holds(word[1])}

    def word(self, delay: int, role: Role, by: By, now: float) -> tuple[By, ...] | None:
        """Take somebody's word; return the words of all when nobody's is missing any more.

        A word of another delay takes the place of those before. Raises `ValueError` for a delay that cannot be.
        """
        if not SHORTEST <= delay <= LONGEST:
            raise ValueError(f"The delay is {SHORTEST} to {LONGEST} seconds, not {delay}.")
        if delay != self.delay:
            self._words.clear()
        self.delay = delay
        said = self.waiting(now)
        self._words[role] = now, by
        if {role, *said} != set(NEEDED):
            return None
        words = tuple(self._words[each][1] for each in NEEDED)
        self._words.clear()
        return words

    def forget(self) -> None:
        """Nobody's word waits any more."""
        self._words.clear()


def person_of(by: By, people: Sequence[Person]) -> Person | None:
    """Return who is enrolled now with the name, the role and the key of a word; `None`: nobody any more."""
    told = by.get("name"), by.get("role"), by.get("key")
    return next(
        (
            person
            for person in people
            if (person.name, person.role.value, base64.b64encode(person.public_key).decode()) == told
        ),
        None,
    )


def are_apart(one: Person, other: Person, wall: float) -> bool:
    """Whether neither of two gave the other, within a day, the key to sign with. `wall`: seconds, as in `Person`."""
    return all(
        given.key_by != giver.name or wall - given.key_since >= APART_SECONDS
        for given, giver in ((one, other), (other, one))
    )
