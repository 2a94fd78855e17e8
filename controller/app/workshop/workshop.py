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
from controller.app.release.safe_moment import hand_lives
from controller.app.workshop.deal_through import DealThrough, faces
from controller.app.workshop.device_words import words
from controller.app.workshop.lamp_walk import Step, walk
from controller.app.workshop.register_deck import Registration, card_name
from controller.core.protocol.display import Lamps
from controller.runtime.devices.decks import Deck, DeckError, Decks, Marks
from controller.runtime.faults.self_check import Check, Result
from controller.runtime.journal.database import DatabaseError
from controller.runtime.state_directory import TABLE_FILE
from drivers.contract.base import DeviceEvent, Noise, TagRead

HEARD = 40
"""How many of the last things that devices said are kept."""


class WorkshopError(Exception):
    """The work cannot be done; the message says why and what to do."""


class TableWorkshop:
    """The workshop of the table of `file`, with its decks in `directory`.

    `serving` tells whether the table is out of service, `to_deal` gives the table a deck that was registered anew,
    `to_record` is told each deck that was registered and by whom, `check` has the program check itself, and returns
    what it found.
    """

    refused: type[Exception] = WorkshopError

    def __init__(
        self,
        file: TableFile,
        directory: Path,
        *,
        serving: Callable[[], bool],
        to_deal: Callable[[Deck], None],
        to_record: Callable[[Deck, str], None],
        check: Check,
    ) -> None:
        self._file = file
        self._directory = directory
        self._serving = serving
        self._to_deal = to_deal
        self._to_record = to_record
        self._check = check
        self._walk: tuple[Step, ...] = tuple(walk(file))
        self._lit: int | None = None
        self._heard: deque[Mapping[str, str]] = deque(maxlen=HEARD)
        self._count = 0
        self._registration: Registration | None = None
        self._deal: DealThrough | None = None
        self._faces: Mapping[str, str] | None = None
        self._replace = False
        self._by = ""
        self._said = ""
        self._checked: tuple[Result, ...] = ()
        self._lock = threading.Lock()

    def heard(self, event: DeviceEvent, at: float) -> None:
        """Take what a device said."""
        with self._lock:
            if not isinstance(event, Noise):
                self._count += 1
                self._heard.append({"n": str(self._count), "device": event.device, "text": self._words(event)})
            if isinstance(event, TagRead) and self._is_readers(event.device):
                self._take(event.tag, at)

    def lamps(self) -> Lamps | None:
        """Return the lamps of the step of the walk that is lit."""
        lit = self._lit
        return None if lit is None else self._walk[lit][1]

    def closed(self) -> None:
        """Put everything away; what was registered so far is kept on the disk."""
        with self._lock:
            self._lit = None
            self._leave_off()
            self._said = ""
            self._heard.clear()

    def light(self, step: int | None) -> None:
        """Light step number `step` of the walk of lamps, from 0; `None`: the table's own. Raises `WorkshopError`."""
        self._need_service()
        if step is not None and not 0 <= step < len(self._walk):
            raise WorkshopError(f"the walk of the lamps has steps 0 to {len(self._walk) - 1}")
        self._lit = step

    def register(
        self, name: str, *, jokers: int = 0, printed: bool = False, replace: bool = False, by: str = ""
    ) -> None:
        """Begin to register a deck card by card at the shoe's reader, or go on where it was left off.

        `by`: who does it, for the record. Raises `WorkshopError`.
        """
        self._need_service()
        if self._file.shoe is None:
            raise WorkshopError("the table has no [shoe], and so no reader at its mouth")
        with self._lock:
            self._leave_off()
            decks = Decks(self._directory / TABLE_FILE)
            try:
                if name in decks.names() and not replace:
                    raise WorkshopError(f"deck {name!r} is registered already; say that it is to be registered anew")
                progress = self._directory / f"register-{name}.json"
                marks = Marks.PRINTED if printed else Marks.TAGGED
                registration = Registration(name, decks, progress, marks, jokers)
                taken = registration.resume()
            except DeckError as why:
                decks.close()
                raise WorkshopError(str(why)) from why
            except WorkshopError:
                decks.close()
                raise
            self._registration, self._replace, self._by = registration, replace, by
            self._said = f"going on after {taken} cards" if taken else ""

    def deal_through(self, name: str) -> None:
        """Begin to deal a registered deck past the shoe's reader, to see that no two cards are swapped.

        Raises `WorkshopError`.
        """
        self._need_service()
        if self._file.shoe is None:
            raise WorkshopError("the table has no [shoe], and so no reader at its mouth")
        if self._hand_lives():
            raise WorkshopError("a hand is in progress: its cards lie face down; finish it first")
        with self._lock:
            self._leave_off()
            try:
                with closing(Decks(self._directory / TABLE_FILE, create=False)) as decks:
                    self._deal = DealThrough(decks.get(name))
            except (DeckError, DatabaseError) as why:
                raise WorkshopError(str(why)) from why
            self._said = ""

    def take_back(self) -> None:
        """Take back the last card of the registration. Raises `WorkshopError`."""
        with self._lock:
            registration = self._need_registration()
            card = registration.take_back()
            self._said = "nothing to take back" if card is None else f"taken back: {card_name(card)}"

    def leave_off(self) -> None:
        """Stop registering; the same deck can be gone on with later."""
        with self._lock:
            self._leave_off()

    def check(self) -> None:
        """Have the program check itself; what is wrong is a fault too."""
        self._checked = self._check()

    def standing(self) -> Mapping[str, Any]:
        """Return how the work stands, for the technician's page. It names tags, and so is for nobody else."""
        with self._lock:
            registration = self._registration or self._deal
            return {
                "serving": self._serving(),
                "heard": list(self._heard),
                "walk": [text for text, _ in self._walk],
                "lit": self._lit,
                "deck": None if self._file.shoe is None else self._file.shoe.deck,
                "registration": None
                if registration is None
                else {
                    "name": registration.name,
                    "due": None if registration.due is None else card_name(registration.due),
                    "taken": registration.taken,
                    "of": len(registration.cards),
                    "check": isinstance(registration, DealThrough),
                },
                "said": self._said,
                "checked": [
                    {"about": each.about, "text": each.text, "bad": each.fault is not None} for each in self._checked
                ],
            }

    def _take(self, tag: str, at: float) -> None:
        if self._deal is not None:
            self._dealt(self._deal, tag, at)
        registration = self._registration
        if registration is None or registration.due is None:
            return
        said = registration.take(tag, at)
        self._said = said.text or self._said
        if not said.accepted or len(registration.tags) < len(registration.cards):
            return
        try:
            deck = registration.finish(replace=self._replace)
        except DeckError as why:
            self._said = str(why)
            return
        self._said = f"registered {deck.name}: {len(deck.cards)} cards, checksum {deck.checksum()}"
        self._leave_off()
        self._to_record(deck, self._by)
        if self._file.shoe is not None and deck.name == self._file.shoe.deck:
            self._to_deal(deck)

    def _leave_off(self) -> None:
        if self._registration is not None:
            self._registration.decks.close()
        self._registration = self._deal = self._faces = None

    def _words(self, event: DeviceEvent) -> str:
        """What a device said; a tag with the card that it is, while no hand is in progress."""
        said = words(event)
        if not isinstance(event, TagRead) or self._hand_lives():
            return said
        if self._faces is None:
            try:
                self._faces = faces(self._directory)
            except DatabaseError:
                self._faces = {}
        return f"{said}: {self._faces.get(event.tag, 'of no registered deck')}"

    def _hand_lives(self) -> bool:
        return hand_lives(self._directory)

    def _dealt(self, deal: DealThrough, tag: str, at: float) -> None:
        self._said = deal.take(tag, at).text or self._said
        if deal.due is None:
            self._said = "; ".join(deal.found()) or f"{deal.name}: every card is what its tag says"
            self._deal = None

    def _is_readers(self, device: str) -> bool:
        return self._file.shoe is not None and device == self._file.shoe.reader

    def _need_service(self) -> None:
        if not self._serving():
            raise WorkshopError("take the table out of service first")

    def _need_registration(self) -> Registration:
        if self._registration is None:
            raise WorkshopError("no deck is being registered")
        return self._registration
