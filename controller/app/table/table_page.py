"""The page of a running table, which outlives its sessions: its hub, its server, and what it may ask of the loop."""

import base64
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from config.language_file import load_language
from config.rulebook_file import find_rulebook_path as path_of_rulebook
from config.rulebook_file import load_rulebook
from config.table_file import TableFile
from controller.app.releases.installed_program import hash_installed_program, read_last_update
from controller.app.simulation.simulation_controls import SimulationControls
from controller.app.table.deck_selector import DeckSelector, save_deck_in_play
from controller.app.table.page_access import load_tls, open_page_access
from controller.app.table.past_hands import PastHands
from controller.app.table.required_devices import find_gate_devices
from controller.app.table.session_start import read_program_version
from controller.app.training.lesson_library import LessonLibrary
from controller.app.workshop.table_workshop import TableWorkshop
from controller.client.api_types import Inventory, SealedPart, Update
from controller.core.protocol.events import Event
from controller.core.rules.questions.house.table_rules import GameMode
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.device_bus import DeviceMap
from controller.runtime.devices.workshop import is_out_of_service
from controller.runtime.faults.fault_table import FAULTS, list_latched_faults
from controller.runtime.faults.self_check import DECK_UNREGISTERED_FAULT, SelfCheckResult, SelfCheckRunner, hash_file
from controller.runtime.journal.hand_index import HandIndex
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.staff_store import AuthenticatedPerson, Person, StaffStore
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.entries.floor_offers import list_floor_offers
from controller.web.entries.room_endpoint import Proposals, RoomEndpoint
from controller.web.pages.upkeep_page import Upkeep
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.serving.listener import list_host_names, listen
from controller.web.serving.page_server import PageServer
from controller.web.site import make_app

if TYPE_CHECKING:  # loaded where it is wanted, and nowhere else
    from controller.app.table.broadcast.table_broadcast import TableBroadcast
    from controller.runtime.metrics import Metrics

log = logging.getLogger(__name__)


class MachineUpkeep(Upkeep, Proposals, Protocol):
    """What the pages and the room want of the machine."""


UpkeepFactory = Callable[[TableFile, Path], MachineUpkeep]
"""Makes what sets up and keeps the table of a file, whose state lies in a directory."""


class TablePage:
    """The page, which outlives the sessions of a simulated table: its hub, its server, what it may enter."""

    def __init__(
        self,
        stack: ExitStack,
        port: int | None,
        notifier: SystemdNotifier,
        *,
        simulate: bool,
        paused: bool,
        upkeep: UpkeepFactory | None = None,
    ) -> None:
        self._make_upkeep = upkeep
        self.mode = SIMULATION if simulate else LIVE
        self.hub = PageStateHub({})
        self.simulation = SimulationControls(self.hub.publish_simulation, playing=not paused) if simulate else None
        self.loop: TableLoop | None = None
        self.stop_signal: str | None = None
        """The signal that asked, also when no loop was running that could hear it."""
        self._journal_position = JournalPosition("", 0)
        self._stack = stack
        self.notifier = notifier
        self.server: PageServer | None = None
        self.device_map = DeviceMap()
        self.self_check: SelfCheckRunner = tuple
        self.hand_index: HandIndex | None = None
        self._workshop: TableWorkshop | None = None
        self._metrics: Metrics | None = None
        self._port_override = port
        self.broadcast: TableBroadcast | None = None
        self._staff: StaffStore | None = None
        self._rulebook: SealedPart = {"version": "", "sha256": ""}

    def ensure_workshop(self, file: TableFile, directory: Path) -> TableWorkshop:
        """Return the technician's workshop, which outlives the sessions too."""
        if self._workshop is None:
            self._workshop = TableWorkshop(
                file,
                directory,
                serving=lambda: self.loop is not None and is_out_of_service(self.loop.outcome.state),
                to_deal=self._deal_from,
                to_record=self._on_deck_registered,
                check=self._check_itself,
            )
        return self._workshop

    def ensure_metrics(self, file: TableFile) -> "Metrics | None":
        """Return what counts the table, where its file wants that; it outlives the sessions too."""
        if file.page.has_metrics and self._metrics is None:
            from controller.runtime.metrics import Metrics

            readers = {name: name for name in file.places_by_reader}
            if file.shoe is not None:
                readers |= dict.fromkeys(file.shoe.devices(), file.shoe.reader)
            self._metrics = Metrics(readers, file.devices, {"version": read_program_version(), "mode": self.mode})
        return self._metrics

    def serve(
        self, file: TableFile, loop: TableLoop, place: JournalPosition, directory: Path, asked: Sequence[str] = ()
    ) -> str:
        """Show the session at `place`, which is about to run, from now on; return where.

        `asked`: the signatures of what a room asked last, before this start.
        """
        self.loop = loop
        self._journal_position = place
        self._rulebook = _describe_rulebook(file)
        if self.stop_signal is not None:
            loop.stop(self.stop_signal)
        language = load_language(file.page.language)
        self.hub.change_table(_describe_setup(file), file.library, language)
        loop.subscribe(self.hub.publish)
        if self.server is None:
            bound = listen(file.page.host, file.page.port if self._port_override is None else self._port_override)
            entrance = open_page_access(
                self._stack, directory, file.page, bound, self.mode,
                began=self._on_signed_in, ended=self._on_signed_out,
                room=None if file.room is None else file.room.public_key,
            )  # fmt: skip
            self._staff = entrance.staff
            desk = EntryEndpoint(
                self._enter,
                lambda: self.hub.shown_entry,
                place=lambda: self._journal_position,
                decided=self._is_last_entry_a_decision,
                refused=lambda: self.hub.refusal_count,
            )
            names = list_host_names(bound, file.page.names)
            hands = PastHands(
                directory / JOURNAL_FILE, lambda: self.hand_index, lambda: self.hub.setup, file.library, file.currency
            )
            upkeep = None if self._make_upkeep is None else self._make_upkeep(file, directory)
            app = make_app(
                self.hub,
                names,
                self.simulation,
                desk,
                door=entrance.authenticator,
                staff=entrance.staff,
                hands=hands,
                rulebook_text=file.page.rulebook_text,
                library=file.library,
                bench=self.ensure_workshop(file, directory),
                call_floor=self._call_floor,
                school=LessonLibrary(file.library, lambda: str(file.table_line["rulebook"])),
                entered=lambda: [] if self.loop is None else self.loop.list_amendable_entries(),
                upkeep=upkeep,
                decks=None if file.shoe is None or self.mode == SIMULATION else self._make_deck_selector(directory),
                language=language,
                metrics=self.ensure_metrics(file),
                broadcast=None if self.broadcast is None else self.broadcast.routes,
                room=self._make_room_endpoint(file, entrance.staff, upkeep, asked).handle_request,
                inventory=partial(self._make_inventory, hash_installed_program()),
            )
            self.server = PageServer(app, bound, self.hub, load_tls(file.page))
            self._stack.callback(self.server.end)
            self.server.start()
            entrance.announce(self.server.url)
        return self.server.url

    def _make_inventory(self, program: str) -> Inventory:
        return {
            "program": {"version": read_program_version(), "sha256": program},
            "rulebook": self._rulebook,
            "update": cast(Update | None, read_last_update()),
        }

    def _make_room_endpoint(
        self, file: TableFile, staff: StaffStore, proposals: Proposals | None, asked: Sequence[str]
    ) -> RoomEndpoint:
        return RoomEndpoint(
            file.room.public_key if file.room is not None and file.room.may_ask else None,
            staff,
            shown=lambda: self.hub.shown_entry,
            place=lambda: self._journal_position,
            ask=lambda *entered: self.loop is not None and self.loop.submit_remote_entry(*entered),
            note=lambda *asked: self.loop is not None and self.loop.record_room_request(*asked),
            rests=lambda: self.loop is not None and not self.loop.outcome.plan,
            offers=lambda: list_floor_offers(self.hub.table_view),
            announce=lambda text, by: None if self.loop is None else self.loop.show_announcement(text, by),
            proposals=proposals,
            answered=asked,
        )

    def ensure_broadcast(self, file: TableFile) -> "TableBroadcast | None":
        """Begin the broadcast of a file that wants one; it outlives the sessions too."""
        if file.has_broadcast and self.broadcast is None:
            from controller.app.table.broadcast.table_broadcast import TableBroadcast

            self.broadcast = TableBroadcast(
                self.hub, lambda: self.loop, lambda: self._journal_position, self._list_people
            )
            self._stack.callback(self.broadcast.end)
        return self.broadcast

    def stop(self, why: str) -> None:
        """End the loop that is running, or the next as soon as it runs; for a signal handler."""
        self.stop_signal = why
        if self.loop is not None:
            self.loop.stop(why)

    def _enter(self, event: Event, source: str, by: Signer | None) -> bool:
        return self.loop is not None and self.loop.submit_entry(event, source, by)

    def _deal_from(self, deck: Deck) -> None:
        self.device_map.set_deck(deck)

    def on_deck_changed(self, deck: Deck, by: str, directory: Path) -> None:
        """Keep on the disk and in the journal which deck is in play; in the loop's thread."""
        try:
            save_deck_in_play(directory, deck)
        except OSError as why:
            log.error("cannot keep that deck %s is in play: %s", deck.name, why)
        if self.loop is not None:
            self.loop.record_deck_change(deck, by)

    def _make_deck_selector(self, directory: Path) -> DeckSelector:
        def deal_from(deck: Deck, by: str) -> None:
            if self.loop is not None:
                self.loop.choose_deck(deck, by)

        return DeckSelector(
            directory,
            find_deck_in_play=lambda: self.device_map.deck_name,
            is_between_hands=lambda: self.loop is not None and not self.loop.outcome.plan,
            deal_from=deal_from,
        )

    def _on_deck_registered(self, deck: Deck, by: str) -> None:
        if self.loop is None:
            return
        self.loop.record_deck_registration(deck, by)
        if FAULTS[DECK_UNREGISTERED_FAULT] in list_latched_faults(self.loop.outcome.state.faults):
            # Not in the loop's thread, which this is: the check reads the whole program.
            threading.Thread(target=self._check_itself, name="self-check", daemon=True).start()

    def _list_people(self) -> Sequence[Person]:
        return () if self._staff is None else self._staff.list_people()

    def _on_signed_in(self, person: AuthenticatedPerson) -> None:
        if self.loop is not None:
            key = base64.b64encode(person.public_key).decode()
            self.loop.record_sign_in(person.name, person.role.value, key)

    def _on_signed_out(self, person: AuthenticatedPerson) -> None:
        if self.loop is not None:
            self.loop.record_sign_out(person.name, person.role.value)

    def _call_floor(self, wanted: bool, by: str) -> bool:
        return self.loop is not None and self.loop.set_floor_called(wanted, by)

    def _check_itself(self) -> tuple[SelfCheckResult, ...]:
        found = self.self_check()
        if self.loop is not None:
            self.loop.submit_self_check_results(found, "page")
        return found

    def _is_last_entry_a_decision(self) -> bool:
        """Whether an undo would take back a decision of the floor."""
        return self.loop is not None and self.loop.outcome.state.undo.is_floor_decision


def _describe_rulebook(file: TableFile) -> SealedPart:
    """Name the rulebook that is played by, and the hash of its file."""
    name = str(file.table_line["rulebook"])
    return {"version": name, "sha256": hash_file(path_of_rulebook(name, file.library)) or ""}


def _describe_setup(file: TableFile) -> dict[str, object]:
    """Say what the page shows of the table besides its standing."""
    book = load_rulebook(str(file.table_line["rulebook"]), file.library)
    return {
        "rulebook": book.title,
        "book": book.code,
        "tournament": str(file.table_line.get("mode", book.table.mode.value.value)) == GameMode.TOURNAMENT.value,
        "game": file.table_line["game"],
        "betting": file.table_line["betting"],
        "places": file.table_line.get("places", 10),
        "follow": file.table_line.get("follow", "acts"),
        "gate": bool(find_gate_devices(file)),
        "program": read_program_version(),
    }
