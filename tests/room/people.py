"""A room with staff, a live table that knows its key, and what goes between them: real signatures, no wire."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from controller.app.table.session_start import read_recent_requests
from controller.core.protocol import events
from controller.room_contract.table_request import RequestKind, TableReply
from controller.runtime.journal.journal import Journal
from controller.runtime.staff.entry_signature import JournalPosition
from controller.runtime.staff.permissions import Role
from controller.runtime.staff.pin_codes import HashCost
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import AuthenticatedPerson, StaffStore, Warrant
from controller.web.entries.floor_offers import list_floor_offers
from controller.web.entries.room_endpoint import RoomEndpoint
from room.staff.signed_requests import TablePosition, sign_script_line
from tests.runtime.loop.test_loop import Table3

CHEAP = HashCost(1, 8192)
PINS = {"Ada": "194728", "Bo": "503316", "Cy": "862075", "Di": "391640"}
ROLES = {"Ada": Role.DEALER, "Bo": Role.FLOOR, "Cy": Role.TECHNICIAN}
ENROLS = Warrant("test")


class FileRefusedError(Exception):
    pass


class RecordedProposals:
    """What was left for root."""

    error_type: type[Exception] = FileRefusedError

    def __init__(self) -> None:
        self.files: list[str] = []
        self.releases: list[str | None] = []

    def read_present_file(self) -> str:
        return "[table]  # as it stands\n"

    def request_file(self, text: str) -> None:
        if "mistake" in text:
            raise FileRefusedError("the file has mistakes: line 1")
        self.files.append(text)

    def request_release(self, name: str | None) -> None:
        self.releases.append(name)


class Room:
    """The room's own staff and key."""

    def __init__(self, directory: Path, people: Mapping[str, Role] = ROLES) -> None:
        directory.mkdir(exist_ok=True)
        self.key = SigningKey.generate()
        self.staff = StaffStore(directory / "staff.sqlite", cost=CHEAP)
        for name, role in people.items():
            self.staff.enrol(name, role, PINS[name], ENROLS)

    def list(self, number: int) -> dict[str, Any]:
        return RoomStaffList(number, self.staff.list_for_room()).sign(self.key)

    def person(self, name: str) -> AuthenticatedPerson:
        return self.staff.sign_in(name, PINS[name])


class TableOfARoom:
    """A live table of three whose file lets a room ask."""

    def __init__(self, directory: Path, room: Room | None, *, asks: bool = True) -> None:
        directory.mkdir(exist_ok=True)
        self.folder = directory
        self.journal = Journal(directory / "journal.sqlite")
        self.three = Table3(self.journal)
        self.staff = StaffStore(directory / "staff.sqlite", cost=CHEAP)
        self.left = RecordedProposals()
        self.place = JournalPosition(self.journal.journal_name, self.three.session.number)
        self.key = bytes(room.key.verify_key) if room is not None and asks else None
        self.start_page()

    def start_page(self) -> None:
        """Begin to be asked, as a start of the program does, which has read what was asked last."""
        loop = self.three.loop

        def ask(*entered: Any) -> bool:  # noqa: ANN401
            taken = loop.submit_remote_entry(*entered)
            self.three.drain()
            return taken

        def note(*asked: Any) -> bool:  # noqa: ANN401
            taken = loop.record_room_request(*asked)
            self.three.drain()
            return taken

        self.desk = RoomEndpoint(
            self.key, self.staff, shown=lambda: self.three.standings[-1].entry, place=lambda: self.place,
            ask=ask, note=note, rests=lambda: not loop.outcome.plan,
            offers=lambda: list_floor_offers(self.three.standings[-1]),
            announce=loop.show_announcement, proposals=self.left, answered=read_recent_requests(self.journal),
        )  # fmt: skip

    def send_request(self, verb: RequestKind, body: Mapping[str, Any]) -> TableReply:
        """Ask as the uplink does, and read the answer as the room does."""
        found = self.desk.handle_request(verb.value, json.loads(json.dumps(body)))
        written = {"taken": found.is_accepted, "entry": found.entry, "code": found.code, "message": found.message}
        return TableReply.from_json(json.dumps({**written, "told": dict(found.content)}).encode())

    def standing(self) -> TablePosition:
        return TablePosition.from_reply(self.send_request(RequestKind.POSITION, {}))

    def decide(self, person: AuthenticatedPerson, line: Mapping[str, object]) -> TableReply:
        return self.send_request(RequestKind.ENTER, sign_script_line(person, line, self.standing()))

    def start(self) -> None:
        self.three.enter(events.HandStarted())

    def close(self) -> None:
        self.journal.close()
        self.staff.close()


def key_of(person: AuthenticatedPerson) -> str:
    return base64.b64encode(person.public_key).decode()
