"""The way from the pages to the loop that runs now: they outlive the sessions of a table, and a loop is one session's.

Before the first session runs nothing is taken, and what is asked has the answer of a table that does not play.
"""

import base64
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.play.game_flow import house_account
from controller.core.protocol.events import Event
from controller.core.protocol.table_error import Refused
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.workshop import is_out_of_service
from controller.runtime.faults.fault_table import FAULTS, list_latched_faults
from controller.runtime.faults.self_check import DECK_UNREGISTERED_FAULT, SelfCheckResult, SelfCheckRunner
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.loop.loop_messages import BoxCounted, EntryBatch, RemoteRequest
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.staff_store import AuthenticatedPerson


@dataclass(frozen=True, slots=True)
class RunningSession:
    """A session whose loop runs or is about to, and what else of it the pages ask."""

    loop: TableLoop
    journal_position: JournalPosition
    device_map: DeviceMap
    self_check: SelfCheckRunner
    hand_index: HandIndex


@dataclass(frozen=True, slots=True)
class DropStanding:
    """What the account of the table that runs has in its session, after how many hands, and whether one is on."""

    session: int
    hand_count: int
    account_chips: int
    is_hand_on: bool


class LoopGateway:
    """Hands on what pages, workshop and broadcast want of the table; for any thread, `stop` for a signal handler."""

    def __init__(self) -> None:
        self._session: RunningSession | None = None
        self._stop_reason: str | None = None

    @property
    def stop_reason(self) -> str | None:
        """The signal that asked to end, also when no loop was running that could hear it."""
        return self._stop_reason

    def attach(self, session: RunningSession) -> None:
        """Speak with this session from now on; one that is to end already hears it."""
        self._session = session
        if self._stop_reason is not None:
            session.loop.stop(self._stop_reason)

    def stop(self, why: str) -> None:
        """End the loop that is running, or the next as soon as it runs."""
        self._stop_reason = why
        if self._session is not None:
            self._session.loop.stop(why)

    # What is asked

    @property
    def journal_position(self) -> JournalPosition:
        """Where the journal of the session is."""
        return JournalPosition("", 0) if self._session is None else self._session.journal_position

    @property
    def hand_index(self) -> HandIndex | None:
        """The list of hands."""
        return None if self._session is None else self._session.hand_index

    @property
    def deck_name(self) -> str:
        """The deck that is dealt from."""
        return "" if self._session is None else self._session.device_map.deck_name

    def is_between_hands(self) -> bool:
        """Whether a table runs at which no hand is on."""
        return self._session is not None and not self._session.loop.outcome.state.is_hand_on

    def describe_drop(self) -> DropStanding:
        """How the table's account stands now."""
        if self._session is None:
            return DropStanding(0, 0, 0, is_hand_on=False)
        state = self._session.loop.outcome.state
        return DropStanding(
            self._session.journal_position.session,
            state.hand_count,
            house_account.count_session_chips(state),
            is_hand_on=state.is_hand_on,
        )

    def is_out_of_service(self) -> bool:
        """Whether a technician has taken the table out of service."""
        return self._session is not None and is_out_of_service(self._session.loop.outcome.state)

    def is_last_entry_a_decision(self) -> bool:
        """Whether an undo would take back a decision of the floor."""
        return self._session is not None and self._session.loop.outcome.state.undo.is_floor_decision

    def list_amendable_entries(self) -> list[dict[str, Any]]:
        """As `TableLoop.list_amendable_entries`."""
        return [] if self._session is None else self._session.loop.list_amendable_entries()

    def describe_offers(self, seat: int | None) -> dict[str, Any]:
        """As `TableLoop.describe_offers`."""
        if self._session is None:
            return {"before": [], "lines": [], "act": None}
        return self._session.loop.describe_offers(seat)

    # What is entered; what returns a bool returns whether it was taken

    def submit_entry(self, event: Event, source: str, by: Signer | None, batch: EntryBatch | None = None) -> bool:
        """As `TableLoop.submit_entry`."""
        return self._session is not None and self._session.loop.submit_entry(event, source, by, batch)

    def submit_remote_entry(self, event: Event, source: str, by: Signer, asked: RemoteRequest) -> bool:
        """As `TableLoop.submit_remote_entry`."""
        return self._session is not None and self._session.loop.submit_remote_entry(event, source, by, asked)

    def record_room_request(self, line: Mapping[str, object], by: Signer) -> bool:
        """As `TableLoop.record_room_request`."""
        return self._session is not None and self._session.loop.record_room_request(line, by)

    def show_announcement(self, text: str, by: str) -> None:
        """As `TableLoop.show_announcement`."""
        if self._session is not None:
            self._session.loop.show_announcement(text, by)

    def set_floor_called(self, wanted: bool, by: str) -> bool:
        """As `TableLoop.set_floor_called`."""
        return self._session is not None and self._session.loop.set_floor_called(wanted, by)

    def change_broadcast_delay(self, delay: int | None, by: tuple[Signer, ...]) -> bool:
        """As `TableLoop.change_broadcast_delay`."""
        return self._session is not None and self._session.loop.change_broadcast_delay(delay, by)

    def count_box(
        self,
        line: Mapping[str, object],
        account: int,
        by: tuple[Signer, ...],
        on_result: Callable[[Refused | None], None],
    ) -> bool:
        """Have a count of the drop box written down; `on_result` as `BoxCounted` has it."""
        if self._session is None:
            return False
        loop, session = self._session.loop, self._session.journal_position.session
        return loop.put(BoxCounted(line, session, account, by, on_result, loop.clock()))

    def record_sign_in(self, person: AuthenticatedPerson) -> None:
        """Record that somebody signed in, and with which key they sign."""
        if self._session is not None:
            key = base64.b64encode(person.public_key).decode()
            self._session.loop.record_sign_in(person.name, person.role.value, key)

    def record_sign_out(self, person: AuthenticatedPerson) -> None:
        """Record that somebody signed out."""
        if self._session is not None:
            self._session.loop.record_sign_out(person.name, person.role.value)

    def choose_deck(self, deck: Deck, by: str) -> None:
        """As `TableLoop.choose_deck`."""
        if self._session is not None:
            self._session.loop.choose_deck(deck, by)

    def set_deck(self, deck: Deck) -> None:
        """Know the cards of a deck that was registered anew; in the loop's thread."""
        if self._session is not None:
            self._session.device_map.set_deck(deck)

    def record_deck_change(self, deck: Deck, by: str) -> None:
        """As `TableLoop.record_deck_change`."""
        if self._session is not None:
            self._session.loop.record_deck_change(deck, by)

    def record_deck_registration(self, deck: Deck, by: str) -> None:
        """As `TableLoop.record_deck_registration`; a table that waited for a deck checks itself again."""
        if self._session is None:
            return
        loop = self._session.loop
        loop.record_deck_registration(deck, by)
        if FAULTS[DECK_UNREGISTERED_FAULT] in list_latched_faults(loop.outcome.state.faults):
            # Not in the loop's thread, which this is: the check reads the whole program.
            threading.Thread(target=self.check_itself, name="self-check", daemon=True).start()

    def check_itself(self) -> tuple[SelfCheckResult, ...]:
        """Have the program check itself, tell the table what was found, and return it."""
        if self._session is None:
            return ()
        found = self._session.self_check()
        self._session.loop.submit_self_check_results(found, "page")
        return found
