"""The agreement of floor and technician to show hole cards sooner than when the hand is over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.runtime.staff.entry_signature import Signer
from controller.runtime.staff.permissions import Role

MIN_DELAY_S = 300
"""Seconds. Most hands are over by then, so that whoever sits at the table and listens learns of hands that are gone; of
a longer hand viewers see the first streets while the last are played, which is what the two who sign answer for."""

MAX_DELAY_S = 3600
"""Seconds: so long the table holds back what happened."""

REQUIRED_ROLES = (Role.FLOOR, Role.TECHNICIAN)
"""Who has to agree, one of each."""

CONSENT_VALIDITY_S = 600.0
"""So long a word waits for the other one."""


@dataclass(slots=True)
class DelayAgreement:
    """Words that wait for each other: role -> who said it and when; all of the same delay."""

    delay_s: int | None = None
    _consent_by_role: dict[Role, tuple[float, Signer]] = field(default_factory=dict)

    def list_consents(self, now: float) -> Mapping[Role, Signer]:
        """Whose word waits for another."""
        self._consent_by_role = {
            role: word for role, word in self._consent_by_role.items() if now - word[0] < CONSENT_VALIDITY_S
        }
        return {role: by for role, (_, by) in self._consent_by_role.items()}

    def drop_invalid_consents(self, holds: Callable[[Signer], bool]) -> None:
        """Drop every word that does not hold any more."""
        self._consent_by_role = {role: word for role, word in self._consent_by_role.items() if holds(word[1])}

    def add_consent(self, delay: int, role: Role, by: Signer, now: float) -> tuple[Signer, ...] | None:
        """Take somebody's word; return the words of all when nobody's is missing any more.

        A word of another delay takes the place of those before. Raises `ValueError` for a delay that cannot be.
        """
        if not MIN_DELAY_S <= delay <= MAX_DELAY_S:
            raise ValueError(f"The delay is {MIN_DELAY_S} to {MAX_DELAY_S} seconds, not {delay}.")
        if delay != self.delay_s:
            self._consent_by_role.clear()
        self.delay_s = delay
        said = self.list_consents(now)
        self._consent_by_role[role] = now, by
        if {role, *said} != set(REQUIRED_ROLES):
            return None
        words = tuple(self._consent_by_role[each][1] for each in REQUIRED_ROLES)
        self._consent_by_role.clear()
        return words

    def clear_consents(self) -> None:
        """Nobody's word waits any more."""
        self._consent_by_role.clear()
