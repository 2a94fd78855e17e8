"""The technician's work at a table that is out of service: hearing its devices, lighting its lamps, registering a deck.

The loop hands in what devices say; the page asks for work and reads how it stands. Both in threads of their own.
"""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from config.table_file import TableFile
from controller.app.workshop.deck_recovery import open_decks
from controller.app.workshop.deck_registration import DeckRegistration, format_card_name
from controller.app.workshop.deck_verification import DeckVerification, load_card_text_by_tag
from controller.app.workshop.device_event_text import describe_event
from controller.app.workshop.lamp_test import LampStep, iter_lamp_steps
from controller.core.protocol.table_display import Lamps
from controller.runtime.devices.deck_store import CardMarking, Deck, DeckError
from controller.runtime.faults.self_check import SelfCheckResult, SelfCheckRunner
from controller.runtime.service.table_activity import is_hand_in_progress
from controller.runtime.storage.sqlite_database import DatabaseError
from drivers.contract.driver_interface import DeviceEvent, NoiseDropped, TagRead

MAX_RECENT_EVENTS = 40
"""How many of the last things that devices said are kept."""


class WorkshopError(Exception):
    """The work cannot be done; the message says why and what to do."""


class TableWorkshop:
    """The workshop of the table of `file`, with its decks in `directory`.

    `serving` tells whether the table is out of service, `to_deal` gives the table a deck that was registered anew,
    `to_record` is told each deck that was registered and by whom, `run_self_check` has the program check itself, and
    returns what it found.
    """

    error_type: type[Exception] = WorkshopError

    def __init__(
        self,
        file: TableFile,
        directory: Path,
        *,
        serving: Callable[[], bool],
        to_deal: Callable[[Deck], None],
        to_record: Callable[[Deck, str], None],
        check: SelfCheckRunner,
    ) -> None:
        self._file = file
        self._directory = directory
        self._is_out_of_service = serving
        self._deal_from = to_deal
        self._on_deck_registered = to_record
        self._self_check = check
        self._lamp_steps: tuple[LampStep, ...] = tuple(iter_lamp_steps(file))
        self._lit_step: int | None = None
        self._recent_events: deque[Mapping[str, str]] = deque(maxlen=MAX_RECENT_EVENTS)
        self._event_count = 0
        self._registration: DeckRegistration | None = None
        self._verification: DeckVerification | None = None
        self._card_text_by_tag: Mapping[str, str] | None = None
        self._replaces_deck = False
        self._registered_by = ""
        self._message = ""
        self._check_results: tuple[SelfCheckResult, ...] = ()
        self._lock = threading.Lock()

    def on_device_event(self, event: DeviceEvent, at: float) -> None:
        """Take what a device said."""
        with self._lock:
            if not isinstance(event, NoiseDropped):
                self._event_count += 1
                self._recent_events.append(
                    {"n": str(self._event_count), "device": event.device, "text": self._describe_event(event)}
                )
            if isinstance(event, TagRead) and self._file.is_in_shoe(event.device, event.antenna):
                self._take_tag(event.tag, at)

    def lamps(self) -> Lamps | None:
        """Return the lamps of the step of the walk that is lit."""
        lit = self._lit_step
        return None if lit is None else self._lamp_steps[lit][1]

    def on_service_ended(self) -> None:
        """Put everything away; what was registered so far is kept on the disk."""
        with self._lock:
            self._lit_step = None
            self._close_registration()
            self._message = ""
            self._recent_events.clear()

    def light(self, step: int | None) -> None:
        """Light step number `step` of the walk of lamps, from 0; `None`: the table's own. Raises `WorkshopError`."""
        self._require_service()
        if step is not None and not 0 <= step < len(self._lamp_steps):
            raise WorkshopError(f"the walk of the lamps has steps 0 to {len(self._lamp_steps) - 1}")
        self._lit_step = step

    def start_registration(
        self, name: str, *, jokers: int = 0, printed: bool = False, replace: bool = False, by: str = ""
    ) -> None:
        """Begin to register a deck card by card at the shoe's reader, or go on where it was left off.

        `by`: who does it, for the record. Raises `WorkshopError`.
        """
        self._require_service()
        if self._file.shoe is None:
            raise WorkshopError("the table has no [shoe], and so no reader at its mouth")
        with self._lock:
            self._close_registration()
            try:
                decks = open_decks(self._directory)
            except DatabaseError as why:
                raise WorkshopError(str(why)) from why
            try:
                if name in decks.list_names() and not replace:
                    raise WorkshopError(f"deck {name!r} is registered already; say that it is to be registered anew")
                progress = self._directory / f"register-{name}.json"
                marks = CardMarking.PRINTED if printed else CardMarking.TAGGED
                registration = DeckRegistration(name, decks, progress, marks, jokers)
                taken = registration.resume()
            except (DeckError, DatabaseError) as why:
                decks.close()
                raise WorkshopError(str(why)) from why
            except WorkshopError:
                decks.close()
                raise
            self._registration, self._replaces_deck, self._registered_by = registration, replace, by
            self._message = f"going on after {taken} cards" if taken else ""

    def start_verification(self, name: str) -> None:
        """Begin to deal a registered deck past the shoe's reader, to see that no two cards are swapped.

        Raises `WorkshopError`.
        """
        self._require_service()
        if self._file.shoe is None:
            raise WorkshopError("the table has no [shoe], and so no reader at its mouth")
        if self._is_hand_in_progress():
            raise WorkshopError("a hand is in progress: its cards lie face down; finish it first")
        with self._lock:
            self._close_registration()
            try:
                with closing(open_decks(self._directory)) as decks:
                    self._verification = DeckVerification(decks.get(name))
            except (DeckError, DatabaseError) as why:
                raise WorkshopError(str(why)) from why
            self._message = ""

    def take_back(self) -> None:
        """Take back the last card of the registration. Raises `WorkshopError`."""
        with self._lock:
            registration = self._require_registration()
            card = registration.take_back()
            self._message = "nothing to take back" if card is None else f"taken back: {format_card_name(card)}"

    def stop_registration(self) -> None:
        """Stop registering; the same deck can be gone on with later."""
        with self._lock:
            self._close_registration()

    def run_self_check(self) -> None:
        """Have the program check itself; what is wrong is a fault too."""
        self._check_results = self._self_check()

    def describe(self) -> Mapping[str, Any]:
        """Return how the work stands, for the technician's page. It names tags, and so is for nobody else."""
        with self._lock:
            registration = self._registration or self._verification
            return {
                "serving": self._is_out_of_service(),
                "heard": list(self._recent_events),
                "walk": [text for text, _ in self._lamp_steps],
                "lit": self._lit_step,
                "deck": None if self._file.shoe is None else self._file.shoe.deck,
                "registration": None
                if registration is None
                else {
                    "name": registration.deck_name,
                    "due": None if registration.expected_card is None else format_card_name(registration.expected_card),
                    "taken": registration.taken_count,
                    "of": len(registration.cards),
                    "check": isinstance(registration, DeckVerification),
                },
                "said": self._message,
                "checked": [
                    {"about": each.subject, "text": each.text, "bad": each.fault_code is not None}
                    for each in self._check_results
                ],
            }

    def _take_tag(self, tag: str, at: float) -> None:
        if self._verification is not None:
            self._verify_tag(self._verification, tag, at)
        registration = self._registration
        if registration is None or registration.expected_card is None:
            return
        said = registration.take(tag, at)
        self._message = said.message or self._message
        if not said.accepted or len(registration.tags) < len(registration.cards):
            return
        try:
            deck = registration.finish(replace=self._replaces_deck)
        except (DeckError, DatabaseError) as why:
            self._message = str(why)
            return
        self._message = f"registered {deck.name}: {len(deck.card_by_tag)} cards, checksum {deck.compute_checksum()}"
        self._close_registration()
        self._on_deck_registered(deck, self._registered_by)
        if self._file.shoe is not None and deck.name == self._file.shoe.deck:
            self._deal_from(deck)

    def _close_registration(self) -> None:
        if self._registration is not None:
            self._registration.decks.close()
        self._registration = self._verification = self._card_text_by_tag = None

    def _describe_event(self, event: DeviceEvent) -> str:
        """What a device said; a tag with the card that it is, while no hand is in progress."""
        said = describe_event(event)
        if not isinstance(event, TagRead) or self._is_hand_in_progress():
            return said
        if self._card_text_by_tag is None:
            try:
                self._card_text_by_tag = load_card_text_by_tag(self._directory)
            except DatabaseError:
                self._card_text_by_tag = {}
        return f"{said}: {self._card_text_by_tag.get(event.tag, 'of no registered deck')}"

    def _is_hand_in_progress(self) -> bool:
        return is_hand_in_progress(self._directory)

    def _verify_tag(self, deal: DeckVerification, tag: str, at: float) -> None:
        self._message = deal.take(tag, at).message or self._message
        if deal.expected_card is None:
            self._message = "; ".join(deal.find_mistakes()) or f"{deal.deck_name}: every card is what its tag says"
            self._verification = None

    def _require_service(self) -> None:
        if not self._is_out_of_service():
            raise WorkshopError("take the table out of service first")

    def _require_registration(self) -> DeckRegistration:
        if self._registration is None:
            raise WorkshopError("no deck is being registered")
        return self._registration
