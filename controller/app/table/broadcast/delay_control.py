"""Takes the words of floor and technician, and has the table do what they agree on."""

import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from controller.runtime.broadcast.delay_agreement import (
    MAX_DELAY_S,
    MIN_DELAY_S,
    REQUIRED_ROLES,
    DelayAgreement,
)
from controller.runtime.staff.admission import AdmissionError, RefusalCode
from controller.runtime.staff.entry_signature import JournalPosition, Signer, sign_entry
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.staff_store import Person
from controller.runtime.staff.two_signers import find_person, find_shared_vouchers
from controller.web.access.authenticator import Principal

DEMO_SIGNER: Signer = {"name": "showroom"}
"""Who speaks at a simulated table, where nobody signs in: once as the floor, once as the technician."""


class DelayControl:
    """The agreement of one table; safe to use from any thread.

    `agreed` does it; false where the table has no room for it. `shown`: the number of the entry that pages show.
    `people`: who is enrolled now, `key_givers` who let each of them in (`StaffStore.list_key_givers`).
    """

    def __init__(
        self,
        agreed: Callable[[int | None, tuple[Signer, ...]], object],
        holds: Callable[[], int | None],
        shown: Callable[[], int | None],
        place: Callable[[], JournalPosition],
        people: Callable[[], Sequence[Person]],
        key_givers: Callable[[], Mapping[str, frozenset[str]]],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._apply_delay = agreed
        self._find_current_delay = holds
        self._find_shown_entry = shown
        self._find_journal_position = place
        self._list_people = people
        self._list_key_givers = key_givers
        self._clock = clock
        self._requested_at: JournalPosition | None = None
        self._agreement = DelayAgreement()
        self._lock = threading.Lock()

    def describe(self) -> Mapping[str, Any]:
        """Say which delay holds, which is asked for, by whom."""
        with self._lock:
            waiting = self._agreement.list_consents(self._clock())
            said = [f"{by['name']}, {role.value}" for role, by in waiting.items()]
            asked = self._agreement.delay_s if said else None
        return {
            "delay": self._find_current_delay(),
            "asked": asked,
            "said": said,
            "shortest": MIN_DELAY_S,
            "longest": MAX_DELAY_S,
        }

    def request_delay(self, delay: int | None, who: Principal) -> None:
        """Take a word; one that takes an agreement back needs no other. Raises `ValueError` and `AdmissionError`."""
        with self._lock:
            role = self._choose_role(who)
            by = self._make_signer(delay, role, who)
            if delay is None:
                self._agreement.clear_consents()
                words: tuple[Signer, ...] | None = (by,)
            else:
                self._drop_stale_requests(delay, role, by)
                words = self._agreement.add_consent(delay, role, by, self._clock())
            if words is not None and self._apply_delay(delay, words) is False:
                raise AdmissionError(
                    RefusalCode.TOO_MUCH, "The table has no room for that; wait a moment, then say it again.", 1
                )

    def _drop_stale_requests(self, delay: int, role: Role, by: Signer) -> None:
        """Drop the words of whoever is not enrolled any more, and refuse one that may be the same person's twice."""
        place = self._find_journal_position()
        if place != self._requested_at:  # what was signed for another session is good in no other
            self._agreement.clear_consents()
        self._requested_at = place
        people = self._list_people()
        self._agreement.drop_invalid_consents(lambda word: "key" not in word or find_person(word, people) is not None)
        if delay != self._agreement.delay_s:
            return
        for said, word in self._agreement.list_consents(self._clock()).items():
            if said is not role and "key" in word:
                self._refuse_one_person(word, by, people)

    def _refuse_one_person(self, one: Signer, other: Signer, people: Sequence[Person]) -> None:
        """Refuse two words behind which one person may stand."""
        first, second = (find_person(by, people) for by in (one, other))
        if first and second and not find_shared_vouchers(first.name, second.name, self._list_key_givers()):
            return
        raise AdmissionError(
            RefusalCode.NOT_TWO_PEOPLE,
            f"{one['name']} and {other['name']} cannot agree on this: whoever let both of them in could be both. One "
            "of the two is enrolled at this table, the other by the room, and neither by the other.",
        )

    def _choose_role(self, who: Principal) -> Role:
        """In which role somebody speaks; at a showroom in the one that is missing."""
        said = self._agreement.list_consents(self._clock())
        return who.role or next((role for role in REQUIRED_ROLES if role not in said), REQUIRED_ROLES[0])

    def _make_signer(self, delay: int | None, role: Role, who: Principal) -> Signer:
        if who.person is None:
            return {**DEMO_SIGNER, "role": role.value}
        line = {"ev": "broadcast", "delay": delay}
        return sign_entry(
            who.person.signing_key,
            who.person.name,
            role.value,
            line,
            self._find_shown_entry() or 0,
            self._find_journal_position(),
        )
