"""The page of a running table, which outlives its sessions: its hub, its server, and what it may ask of the loop."""

import base64
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from config.language_file import load as load_language
from config.rulebook_file import load as load_rulebook
from config.rulebook_file import path_of as path_of_rulebook
from config.table_file import TableFile
from controller.app.release.installed import last_update, sealed_as
from controller.app.school.lessons import Lessons
from controller.app.simulation.controls import Showroom
from controller.app.table.deck_box import DeckBox, keep_in_play
from controller.app.table.needed_devices import gate_devices
from controller.app.table.past_hands import PastHands
from controller.app.table.session import program_version
from controller.app.table.sign_in import open_entrance, tls_of
from controller.app.workshop.workshop import TableWorkshop
from controller.client.shapes import Inventory, Sealed, Update
from controller.core.protocol.events import Event
from controller.core.rules.questions.house.table import Mode
from controller.runtime.devices.decks import Deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.workshop import in_service
from controller.runtime.faults.faults import FAULTS, latched
from controller.runtime.faults.self_check import DECK_UNREGISTERED, Check, Result, sha256_of
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.loop.loop import Loop
from controller.runtime.loop.standing import LIVE, SIMULATION
from controller.runtime.service.notify import Notifier
from controller.runtime.staff.signature import By, JournalPosition
from controller.runtime.staff.staff import Person, SignedIn, Staff
from controller.runtime.state_directory import JOURNAL_FILE
from controller.web.pages.dealer_page import make_app
from controller.web.pages.upkeep_page import Upkeep
from controller.web.serving.desk import Desk
from controller.web.serving.hub import Hub
from controller.web.serving.listener import listen, names_of
from controller.web.serving.offers import offers
from controller.web.serving.room_desk import Proposals, RoomDesk
from controller.web.serving.server import PageServer

if TYPE_CHECKING:  # loaded where it is wanted, and nowhere else
    from controller.app.table.broadcast.broadcast import Broadcast
    from controller.runtime.service.metrics import Metrics

log = logging.getLogger(__name__)


class Machine(Upkeep, Proposals, Protocol):
    """What the pages and the room want of the machine."""


MakeUpkeep = Callable[[TableFile, Path], Machine]
"""Makes what sets up and keeps the table of a file, whose state lies in a directory."""


class TablePage:
    """The page, which outlives the sessions of a simulated table: its hub, its server, what it may enter."""

    def __init__(
        self,
        stack: ExitStack,
        port: int | None,
        notifier: Notifier,
        *,
        simulate: bool,
        paused: bool,
        upkeep: MakeUpkeep | None = None,
    ) -> None:
        self._upkeep = upkeep
        self.mode = SIMULATION if simulate else LIVE
        self.hub = Hub({})
        self.showroom = Showroom(self.hub.show_simulation, playing=not paused) if simulate else None
        self.loop: Loop | None = None
        self.asked_to_stop: str | None = None
        """The signal that asked, also when no loop was running that could hear it."""
        self._place = JournalPosition("", 0)
        self._stack = stack
        self.notifier = notifier
        self.server: PageServer | None = None
        self.device_map = DeviceMap()
        self.check: Check = tuple
        self.hands: HandIndex | None = None
        self._workshop: TableWorkshop | None = None
        self._metrics: Metrics | None = None
        self._port = port
        self.broadcast: Broadcast | None = None
        self._staff: Staff | None = None
        self._rulebook: Sealed = {"version": "", "sha256": ""}

    def workshop(self, file: TableFile, directory: Path) -> TableWorkshop:
        """Return the technician's workshop, which outlives the sessions too."""
        if self._workshop is None:
            self._workshop = TableWorkshop(
                file,
                directory,
                serving=lambda: self.loop is not None and in_service(self.loop.outcome.state),
                to_deal=self._deal_from,
                to_record=self._deck_registered,
                check=self._check_itself,
            )
        return self._workshop

    def metrics(self, file: TableFile) -> "Metrics | None":
        """Return what counts the table, where its file wants that; it outlives the sessions too."""
        if file.page.metrics and self._metrics is None:
            from controller.runtime.service.metrics import Metrics

            readers = {name: name for name in file.antennas}
            if file.shoe is not None:
                readers |= dict.fromkeys(file.shoe.devices(), file.shoe.reader)
            self._metrics = Metrics(readers, file.devices, {"version": program_version(), "mode": self.mode})
        return self._metrics

    def serve(
        self, file: TableFile, loop: Loop, place: JournalPosition, directory: Path, asked: Sequence[str] = ()
    ) -> str:
        """Show the session at `place`, which is about to run, from now on; return where.

        `asked`: the signatures of what a room asked last, before this start.
        """
        self.loop = loop
        self._place = place
        self._rulebook = _rulebook(file)
        if self.asked_to_stop is not None:
            loop.stop(self.asked_to_stop)
        language = load_language(file.page.language)
        self.hub.set_up(_setup(file), file.library, language)
        loop.subscribe(self.hub.publish)
        if self.server is None:
            bound = listen(file.page.host, file.page.port if self._port is None else self._port)
            entrance = open_entrance(
                self._stack, directory, file.page, bound, self.mode,
                began=self._signed_in, ended=self._signed_out, room=None if file.room is None else file.room.key,
            )  # fmt: skip
            self._staff = entrance.staff
            desk = Desk(
                self._enter,
                lambda: self.hub.entry,
                place=lambda: self._place,
                decided=self._decided,
                refused=lambda: self.hub.refusals,
            )
            names = names_of(bound, file.page.names)
            hands = PastHands(
                directory / JOURNAL_FILE, lambda: self.hands, lambda: self.hub.setup, file.library, file.currency
            )
            upkeep = None if self._upkeep is None else self._upkeep(file, directory)
            app = make_app(
                self.hub,
                names,
                self.showroom,
                desk,
                door=entrance.door,
                staff=entrance.staff,
                hands=hands,
                rulebook_text=file.page.rulebook_text,
                library=file.library,
                bench=self.workshop(file, directory),
                call_floor=self._call_floor,
                school=Lessons(file.library, lambda: str(file.table["rulebook"])),
                entered=lambda: [] if self.loop is None else self.loop.entered(),
                upkeep=upkeep,
                decks=None if file.shoe is None or self.mode == SIMULATION else self._deck_box(directory),
                language=language,
                metrics=self.metrics(file),
                broadcast=None if self.broadcast is None else self.broadcast.routes,
                room=self._room_desk(file, entrance.staff, upkeep, asked).take,
                inventory=partial(self._inventory, sealed_as()),
            )
            self.server = PageServer(app, bound, self.hub, tls_of(file.page))
            self._stack.callback(self.server.end)
            self.server.start()
            entrance.announce(self.server.url)
        return self.server.url

    def _inventory(self, program: str) -> Inventory:
        return {
            "program": {"version": program_version(), "sha256": program},
            "rulebook": self._rulebook,
            "update": cast(Update | None, last_update()),
        }

    def _room_desk(self, file: TableFile, staff: Staff, proposals: Proposals | None, asked: Sequence[str]) -> RoomDesk:
        return RoomDesk(
            file.room.key if file.room is not None and file.room.asks else None,
            staff,
            shown=lambda: self.hub.entry,
            place=lambda: self._place,
            ask=lambda *entered: self.loop is not None and self.loop.ask(*entered),
            note=lambda *asked: self.loop is not None and self.loop.note_asked(*asked),
            rests=lambda: self.loop is not None and not self.loop.outcome.plan,
            offers=lambda: offers(self.hub.standing),
            announce=lambda text, by: None if self.loop is None else self.loop.announce(text, by),
            proposals=proposals,
            answered=asked,
        )

    def with_broadcast(self, file: TableFile) -> "Broadcast | None":
        """Begin the broadcast of a file that wants one; it outlives the sessions too."""
        if file.broadcast and self.broadcast is None:
            from controller.app.table.broadcast.broadcast import Broadcast

            self.broadcast = Broadcast(self.hub, lambda: self.loop, lambda: self._place, self._people)
            self._stack.callback(self.broadcast.end)
        return self.broadcast

    def stop(self, why: str) -> None:
        """End the loop that is running, or the next as soon as it runs; for a signal handler."""
        self.asked_to_stop = why
        if self.loop is not None:
            self.loop.stop(why)

    def _enter(self, event: Event, source: str, by: By | None) -> bool:
        return self.loop is not None and self.loop.enter(event, source, by)

    def _deal_from(self, deck: Deck) -> None:
        self.device_map.deal_from(deck)

    def deck_changed(self, deck: Deck, by: str, directory: Path) -> None:
        """Keep on the disk and in the journal which deck is in play; in the loop's thread."""
        try:
            keep_in_play(directory, deck)
        except OSError as why:
            log.error("cannot keep that deck %s is in play: %s", deck.name, why)
        if self.loop is not None:
            self.loop.deck_changed(deck, by)

    def _deck_box(self, directory: Path) -> DeckBox:
        def deal_from(deck: Deck, by: str) -> None:
            if self.loop is not None:
                self.loop.deal_from(deck, by)

        return DeckBox(
            directory,
            in_play=lambda: self.device_map.in_play,
            rests=lambda: self.loop is not None and not self.loop.outcome.plan,
            deal_from=deal_from,
        )

    def _deck_registered(self, deck: Deck, by: str) -> None:
        if self.loop is None:
            return
        self.loop.deck_registered(deck, by)
        if FAULTS[DECK_UNREGISTERED] in latched(self.loop.outcome.state.down):
            # Not in the loop's thread, which this is: the check reads the whole program.
            threading.Thread(target=self._check_itself, name="self-check", daemon=True).start()

    def _people(self) -> Sequence[Person]:
        return () if self._staff is None else self._staff.people()

    def _signed_in(self, person: SignedIn) -> None:
        if self.loop is not None:
            key = base64.b64encode(person.public_key).decode()
            self.loop.signed_in(person.name, person.role.value, key)

    def _signed_out(self, person: SignedIn) -> None:
        if self.loop is not None:
            self.loop.signed_out(person.name, person.role.value)

    def _call_floor(self, wanted: bool, by: str) -> bool:
        return self.loop is not None and self.loop.call_floor(wanted, by)

    def _check_itself(self) -> tuple[Result, ...]:
        found = self.check()
        if self.loop is not None:
            self.loop.checked(found, "page")
        return found

    def _decided(self) -> bool:
        """Whether an undo would take back a decision of the floor."""
        return self.loop is not None and self.loop.outcome.state.undo.by_floor


def _rulebook(file: TableFile) -> Sealed:
    """Name the rulebook that is played by, and the hash of its file."""
    name = str(file.table["rulebook"])
    return {"version": name, "sha256": sha256_of(path_of_rulebook(name, file.library)) or ""}


def _setup(file: TableFile) -> dict[str, object]:
    """Say what the page shows of the table besides its standing."""
    book = load_rulebook(str(file.table["rulebook"]), file.library)
    return {
        "rulebook": book.title,
        "book": book.code,
        "tournament": str(file.table.get("mode", book.table.mode.value.value)) == Mode.TOURNAMENT.value,
        "game": file.table["game"],
        "betting": file.table["betting"],
        "places": file.table.get("places", 10),
        "follow": file.table.get("follow", "acts"),
        "gate": bool(gate_devices(file)),
        "program": program_version(),
    }
