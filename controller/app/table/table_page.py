"""The page of a running table, which outlives its sessions: its hub, its server, and what it may ask of the loop."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from config.announcer_file import is_loopback_host
from config.language_file import load_language
from config.rulebook_file import find_rulebook_path as path_of_rulebook
from config.rulebook_file import load_rulebook
from config.table_file import TableFile
from controller.app.releases.installed_program import hash_installed_program, read_last_update
from controller.app.simulation.simulation_controls import SimulationControls
from controller.app.table.deck_selector import DeckSelector
from controller.app.table.drop_desk import DropDesk
from controller.app.table.loop_gateway import LoopGateway, RunningSession
from controller.app.table.page_access import load_tls, open_page_access
from controller.app.table.past_hands import PastHands
from controller.app.table.required_devices import find_gate_devices
from controller.app.table.session_start import read_program_version
from controller.app.training.lesson_library import LessonLibrary
from controller.app.workshop.table_workshop import TableWorkshop
from controller.client.api_types import Inventory, SealedPart, Update
from controller.core.rules.questions.house.table_rules import GameMode
from controller.runtime.faults.self_check import hash_file
from controller.runtime.loop.table_view import LIVE, SIMULATION
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.staff.entry_signature import Signer
from controller.runtime.staff.staff_store import Person, StaffStore
from controller.runtime.storage.state_directory import JOURNAL_FILE, STAFF_FILE, TOKENS_FILE
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
        self.gateway = LoopGateway()
        """The way to the loop that runs now."""
        self._stack = stack
        self.notifier = notifier
        self.server: PageServer | None = None
        self._workshop: TableWorkshop | None = None
        self._metrics: Metrics | None = None
        self._port_override = port
        self.broadcast: TableBroadcast | None = None
        self._staff: StaffStore | None = None
        self.staff_trouble: str | None = None
        """Why the staff's file is not the one that the journal knows."""
        self._tokens_trouble: str | None = None
        self._rulebook: SealedPart = {"version": "", "sha256": ""}

    def ensure_workshop(self, file: TableFile, directory: Path) -> TableWorkshop:
        """Return the technician's workshop, which outlives the sessions too."""
        if self._workshop is None:
            self._workshop = TableWorkshop(
                file,
                directory,
                serving=self.gateway.is_out_of_service,
                to_deal=self.gateway.set_deck,
                to_record=self.gateway.record_deck_registration,
                check=self.gateway.check_itself,
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

    def serve(self, file: TableFile, session: RunningSession, directory: Path, asked: Sequence[Signer] = ()) -> str:
        """Show a session, which is about to run, from now on; return where.

        `asked`: who signed what a room asked last, before this start.
        """
        self.gateway.attach(session)
        self._rulebook = _describe_rulebook(file)
        language = load_language(file.page.language)
        self.hub.change_table(_describe_setup(file), file.library, language)
        session.loop.subscribe(self.hub.publish)
        if self.server is None:
            bound = listen(file.page.host, file.page.port if self._port_override is None else self._port_override)
            self._stack.callback(bound.close)  # also where the page does not come to be served
            entrance = open_page_access(
                self._stack, directory, file.page, bound, self.mode,
                began=self.gateway.record_sign_in, ended=self.gateway.record_sign_out,
                room=None if file.room is None else file.room.public_key,
            )  # fmt: skip
            self._staff = entrance.staff
            entrance.staff.find_trouble = lambda: self.staff_trouble
            entrance.tokens.find_trouble = lambda: self._tokens_trouble
            desk = EntryEndpoint(
                self.gateway.submit_entry,
                lambda: self.hub.shown_entry,
                place=lambda: self.gateway.journal_position,
                decided=self.gateway.is_last_entry_a_decision,
                refused=lambda: self.hub.refusal_count,
            )
            names = list_host_names(bound, file.page.names)
            hands = PastHands(
                directory / JOURNAL_FILE,
                lambda: self.gateway.hand_index,
                lambda: self.hub.setup,
                file.library,
                file.currency,
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
                call_floor=self.gateway.set_floor_called,
                school=LessonLibrary(file.library, lambda: str(file.table_line["rulebook"])),
                entered=self.gateway.list_amendable_entries,
                offers=self.gateway.describe_offers,
                upkeep=upkeep,
                decks=None if file.shoe is None or self.mode == SIMULATION else self._make_deck_selector(directory),
                language=language,
                metrics=self.ensure_metrics(file),
                broadcast=None if self.broadcast is None else self.broadcast.routes,
                room=self._make_room_endpoint(file, entrance.staff, upkeep, asked).handle_request,
                drop=DropDesk(hands, self.gateway, entrance.staff, lambda: self.hub.shown_entry),
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
        self, file: TableFile, staff: StaffStore, proposals: Proposals | None, asked: Sequence[Signer]
    ) -> RoomEndpoint:
        return RoomEndpoint(
            file.room.public_key if file.room is not None and file.room.may_ask else None,
            staff,
            shown=lambda: self.hub.shown_entry,
            place=lambda: self.gateway.journal_position,
            ask=self.gateway.submit_remote_entry,
            note=self.gateway.record_room_request,
            rests=self.gateway.is_between_hands,
            offers=lambda: list_floor_offers(self.hub.table_view),
            announce=self.gateway.show_announcement,
            proposals=proposals,
            answered=asked,
        )

    def ensure_broadcast(self, file: TableFile) -> "TableBroadcast | None":
        """Begin the broadcast of a file that wants one; it outlives the sessions too."""
        if file.has_broadcast and self.broadcast is None:
            from controller.app.table.broadcast.table_broadcast import TableBroadcast

            self.broadcast = TableBroadcast(self.hub, self.gateway, self._list_people, self._list_key_givers)
            self._stack.callback(self.broadcast.end)
        return self.broadcast

    def _make_deck_selector(self, directory: Path) -> DeckSelector:
        return DeckSelector(
            directory,
            find_deck_in_play=lambda: self.gateway.deck_name,
            is_between_hands=self.gateway.is_between_hands,
            deal_from=self.gateway.choose_deck,
        )

    def describe_file_trouble(self) -> str | None:
        """Which file of staff or tokens is not the one that the table had, and why; `None` where both are."""
        if self.staff_trouble is not None:
            return f"{STAFF_FILE} {self.staff_trouble}"
        return None if self._tokens_trouble is None else f"{TOKENS_FILE} {self._tokens_trouble}"

    def set_staff_trouble(self, trouble: str | None, tokens_trouble: str | None) -> None:
        """Let nobody in by a file of staff or tokens that is not the one that the journal knows."""
        self.staff_trouble, self._tokens_trouble = trouble, tokens_trouble

    def is_open_to_all(self, file: TableFile) -> bool:
        """Whether nobody signs in: a simulated table that is shown on its own machine alone."""
        return self.mode == SIMULATION and is_loopback_host(file.page.host)

    def _list_people(self) -> Sequence[Person]:
        return () if self._staff is None else self._staff.list_people()

    def _list_key_givers(self) -> Mapping[str, frozenset[str]]:
        return {} if self._staff is None else self._staff.list_key_givers()


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
        **({"collection": file.table_line["collection"]} if "collection" in file.table_line else {}),
        "places": file.table_line.get("places", 10),
        "follow": file.table_line.get("follow", "acts"),
        "gate": bool(find_gate_devices(file)),
        "program": read_program_version(),
    }
