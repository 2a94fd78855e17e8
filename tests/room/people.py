"""A room with staff, a live table that knows its key, and what goes between them: real signatures, no wire."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from controller.core.protocol import events
from controller.runtime.journal.journal import Journal
from controller.runtime.staff.authority import Role
from controller.runtime.staff.pin_codes import Cost
from controller.runtime.staff.room_list import RoomList
from controller.runtime.staff.signature import JournalPosition
from controller.runtime.staff.staff import SignedIn, Staff, Warrant
from controller.web.serving.offers import offers
from controller.web.serving.room_desk import RoomDesk
from room.contract.request import Answer, Verb
from room.staff.asking import Standing, entry
from tests.runtime.loop.test_loop import Table3

CHEAP = Cost(1, 8192)
PINS = {"Ada": "194728", "Bo": "503316", "Cy": "862075"}
ROLES = {"Ada": Role.DEALER, "Bo": Role.FLOOR, "Cy": Role.TECHNICIAN}
ENROLS = Warrant("test")


class Refused(Exception):
    pass


class Left:
    """What was left for root."""

    refused: type[Exception] = Refused

    def __init__(self) -> None:
        self.files: list[str] = []
        self.releases: list[str | None] = []

    def present_file(self) -> str:
        return "[table]  # as it stands\n"

    def want_file(self, text: str) -> None:
        if "mistake" in text:
            raise Refused("the file has mistakes: line 1")
        self.files.append(text)

    def want_release(self, name: str | None) -> None:
        self.releases.append(name)


class Room:
    """The room's own staff and key."""

    def __init__(self, directory: Path, people: Mapping[str, Role] = ROLES) -> None:
        directory.mkdir(exist_ok=True)
        self.key = SigningKey.generate()
        self.staff = Staff(directory / "staff.sqlite", cost=CHEAP)
        for name, role in people.items():
            self.staff.enrol(name, role, PINS[name], ENROLS)

    def list(self, number: int) -> dict[str, Any]:
        return RoomList(number, self.staff.listed()).signed(self.key)

    def person(self, name: str) -> SignedIn:
        return self.staff.sign_in(name, PINS[name])


class TableOfARoom:
    """A live table of three whose file lets a room ask."""

    def __init__(self, directory: Path, room: Room | None, *, asks: bool = True) -> None:
        directory.mkdir(exist_ok=True)
        self.folder = directory
        self.journal = Journal(directory / "journal.sqlite")
        self.three = Table3(self.journal)
        self.staff = Staff(directory / "staff.sqlite", cost=CHEAP)
        self.left = Left()
        self.place = JournalPosition(self.journal.table, self.three.session.number)
        loop = self.three.loop

        def ask(*entered: Any) -> bool:  # noqa: ANN401
            taken = loop.ask(*entered)
            self.three.drain()
            return taken

        def note(*asked: Any) -> bool:  # noqa: ANN401
            taken = loop.note_asked(*asked)
            self.three.drain()
            return taken

        key = bytes(room.key.verify_key) if room is not None and asks else None
        self.desk = RoomDesk(
            key, self.staff, shown=lambda: self.three.standings[-1].entry, place=lambda: self.place, ask=ask, note=note,
            rests=lambda: not loop.outcome.plan, offers=lambda: offers(self.three.standings[-1]),
            announce=loop.announce, proposals=self.left,
        )  # fmt: skip

    def asked(self, verb: Verb, body: Mapping[str, Any]) -> Answer:
        """Ask as the uplink does, and read the answer as the room does."""
        found = self.desk.take(verb.value, json.loads(json.dumps(body)))
        written = {"taken": found.taken, "entry": found.entry, "code": found.code, "message": found.message}
        return Answer.read(json.dumps({**written, "told": dict(found.told)}).encode())

    def standing(self) -> Standing:
        return Standing.of(self.asked(Verb.STANDING, {}))

    def decide(self, person: SignedIn, line: Mapping[str, object]) -> Answer:
        return self.asked(Verb.ENTER, entry(person, line, self.standing()))

    def start(self) -> None:
        self.three.enter(events.Start())

    def close(self) -> None:
        self.journal.close()
        self.staff.close()


def key_of(person: SignedIn) -> str:
    return base64.b64encode(person.public_key).decode()
