"""A live table with staff of every role, and browsers that sign in at it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from nacl.signing import SigningKey

from config.file_library import Library
from controller.app.table.broadcast.delay_control import DelayControl
from controller.app.table.drop_desk import DropDesk
from controller.app.table.loop_gateway import DropStanding
from controller.app.table.past_drop import DropQuestion, answer_question
from controller.app.training.lesson_library import LessonLibrary
from controller.client.api_types import Inventory
from controller.core.protocol import script_lines
from controller.core.protocol.events import Event
from controller.core.protocol.table_error import Refused
from controller.records.drop_box import DropBox
from controller.records.export_formats import ExportFormat
from controller.runtime.journal.hand_index import HandMatches, HandQuery
from controller.runtime.journal.recovery.drop_ledger import DropLedger
from controller.runtime.loop.loop_messages import EntryBatch
from controller.runtime.staff.entry_signature import JournalPosition, Signer
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.pin_codes import HashCost
from controller.runtime.staff.room_staff_list import RoomStaffList
from controller.runtime.staff.staff_store import StaffStore, Warrant
from controller.runtime.staff.token_store import TokenStore
from controller.web.access.authenticator import CSRF_HEADER, SESSION_COOKIE, Authenticator
from controller.web.access.session_store import SessionStore
from controller.web.entries.entry_endpoint import EntryEndpoint
from controller.web.pages.broadcast_page import BroadcastPage
from controller.web.publishing.broadcast_stream import BroadcastStream
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from tests.web.test_pages import NAMES, ORIGIN, Client, Wishes, standing

CHEAP = HashCost(1, 8192)
"""Argon2id at its least, so that tests do not wait; what is tested does not depend on it."""

PEOPLE = {"Ada": Role.DEALER, "Bo": Role.FLOOR, "Cy": Role.TECHNICIAN, "Di": Role.AUDITOR}
PINS = {"Ada": "194728", "Bo": "503316", "Cy": "862075", "Di": "391640"}

ROOM_PIN = "740261"
"""Of everybody whom the room has enrolled."""

PLACE = JournalPosition("c0ffee" * 5 + "00", 3)
"""The number of the journal's session."""


INVENTORY: Inventory = {
    "program": {"version": "1.2.3", "sha256": "ab" * 32},
    "rulebook": {"version": "roberts-7", "sha256": "cd" * 32},
    "update": None,
}


class NoUpkeep:
    """A machine on which nothing is found and nothing can be done."""

    error_type: type[Exception] = RuntimeError

    def ca_certificate(self) -> Path | None:
        return Path(__file__)

    def describe_certificate(self) -> Mapping[str, Any]:
        return {"until": None, "own": False}

    def renew(self) -> None:
        raise RuntimeError("there is no certificate")

    def make_backup(self, *, keys: bool) -> tuple[Path, str]:
        raise RuntimeError(f"there is nothing to keep, with keys: {keys}")

    def describe_setup(self) -> Mapping[str, Any]:
        return {}

    def search(self) -> None:
        raise RuntimeError("there is no port")

    def propose(self, choice: Mapping[str, Any]) -> Mapping[str, Any]:
        raise RuntimeError(f"nothing fits {len(choice)} wishes")

    def request_chosen_file(self, choice: Mapping[str, Any]) -> None:
        self.propose(choice)


class Watch:
    """A clock that goes when the test says so."""

    def __init__(self, at: float = 1_800_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


class StubRefusedError(Exception):
    pass


class Idle:
    """A workshop at which nobody works."""

    error_type: type[Exception] = StubRefusedError

    def describe(self) -> Mapping[str, Any]:
        return {"serving": False}

    def light(self, step: int | None) -> None:
        raise StubRefusedError(f"take the table out of service first, before step {step}")

    def start_registration(
        self, name: str, *, jokers: int = 0, printed: bool = False, replace: bool = False, by: str = ""
    ) -> None:
        raise StubRefusedError(
            f"take the table out of service first, before {name}, {jokers}, {printed}, {replace}, {by}"
        )

    def start_verification(self, name: str) -> None:
        raise StubRefusedError(f"there is no deck {name}")

    def take_back(self) -> None:
        raise StubRefusedError("no deck is being registered")

    def stop_registration(self) -> None:
        pass

    def run_self_check(self) -> None:
        pass


class NoHands:
    """A record in which nothing stands yet."""

    setup: Mapping[str, object] = {}
    busy_error: type[Exception] = StubRefusedError
    is_complete = True

    def find(self, wanted: HandQuery, before: tuple[int, int] | None = None) -> HandMatches:
        assert isinstance(wanted, HandQuery)
        assert before is None or all(part >= 0 for part in before)
        return HandMatches(())

    def read_steps(self, session: int | None, hand: int) -> list[Mapping[str, Any]]:
        assert session is None or session >= 0
        assert hand >= 0
        return []

    def export_hands(self, wanted: HandQuery, form: ExportFormat) -> tuple[str, int]:
        assert isinstance(wanted, HandQuery)
        assert isinstance(form, ExportFormat)
        return "", 0


class NothingDropped:
    """A table at which the house takes nothing, and no box was counted."""

    busy_error: type[Exception] = StubRefusedError
    journal_position = PLACE

    def read_drop(self, wanted: DropQuestion) -> Mapping[str, Any]:
        return answer_question(wanted, DropLedger(), ())

    def read_boxes(self) -> tuple[DropBox, ...]:
        return ()

    def describe_drop(self) -> DropStanding:
        return DropStanding(PLACE.session, 0, 0, is_hand_on=True)

    def count_box(
        self,
        line: Mapping[str, object],
        account: int,
        by: tuple[Signer, ...],
        on_result: Callable[[Refused | None], None],
    ) -> bool:
        raise AssertionError(f"a hand is on: {line}, {account}, {by}, {on_result}")


class NothingCounted:
    """A table of which nothing is counted yet."""

    def render_exposition(self, accept: str) -> tuple[bytes, str]:
        assert isinstance(accept, str)
        return b"", "text/plain; version=0.0.4; charset=utf-8"


class TwoDecks:
    """Two decks, of which one is dealt from."""

    def __init__(self) -> None:
        self.chosen = [("red", "")]

    def describe(self) -> Mapping[str, Any]:
        return {"in_play": self.chosen[-1][0], "decks": ["blue", "red"]}

    def choose(self, name: str, by: str) -> str | None:
        if name not in self.describe()["decks"]:
            return f"No deck {name!r} is registered."
        self.chosen.append((name, by))
        return None


@cache
def _make_staff_file() -> bytes:
    """The staff's file with everybody in it."""
    with TemporaryDirectory() as directory:
        staff = StaffStore(Path(directory) / "staff.sqlite", cost=CHEAP, now=Watch())
        for name, role in PEOPLE.items():
            staff.enrol(name, role, PINS[name], staff.redeem_code(staff.make_one_time_code()))
        staff.close()
        return staff.path.read_bytes()


class House:
    """The page of a live table; `simulated`: with the routes of a simulated room, for staff all the same."""

    def __init__(self, directory: Path, *, simulated: bool = False, plain: bool = False, people: bool = True) -> None:
        self.wall, self.clock = Watch(), Watch(100.0)
        directory.mkdir(exist_ok=True)
        if people:
            (directory / "staff.sqlite").write_bytes(_make_staff_file())
        self.staff = StaffStore(directory / "staff.sqlite", cost=CHEAP, now=self.wall)
        self.sessions = SessionStore(self.staff.is_still_enrolled, self.clock)
        self.hub = PageStateHub({})
        self.hub.publish(standing(7))
        self.entered: list[tuple[dict[str, Any], Signer | None]] = []
        self.decided = False
        self.calls: list[tuple[bool, str]] = []
        self.wishes = Wishes()
        self.decks = TwoDecks()
        self.air = BroadcastStream(lambda: {"Hands": []})
        self.air.close()  # so that its stream ends with what is on air
        self.place, self.room = PLACE, True
        self.drop = self.make_drop()
        self.agreed: list[tuple[int | None, tuple[Signer, ...]]] = []
        self.delays = DelayControl(
            self._agree,
            lambda: self.agreed[-1][0] if self.agreed else None,
            lambda: self.hub.shown_entry,
            lambda: self.place,
            self.staff.list_people,
            self.staff.list_key_givers,
            self.clock,
        )
        desk = EntryEndpoint(
            self.enter, lambda: self.hub.shown_entry, place=lambda: PLACE, decided=lambda: self.decided
        )
        self.tokens = TokenStore(directory / "tokens.sqlite", now=self.wall)
        door = Authenticator(self.sessions, allows_plain_http=plain, tokens=self.tokens)
        self.app = make_app(
            self.hub,
            NAMES,
            self.wishes if simulated else None,
            desk,
            door=door,
            staff=self.staff,
            hands=NoHands(),
            bench=Idle(),
            upkeep=NoUpkeep(),
            call_floor=self.call_floor,
            decks=self.decks,
            school=LessonLibrary(Library(), lambda: "roberts-7"),
            metrics=NothingCounted(),
            broadcast=lambda door: BroadcastPage(self.air, self.delays, door).make_routes(),
            inventory=lambda: INVENTORY,
            drop=DropDesk(self.drop, self.drop, self.staff, lambda: self.hub.shown_entry, self.wall),
            entered=lambda: [{"entry": 7, "told": {"ev": "start"}, "due": None, "floor": False}],
            offers=lambda seat: {"lines": [{"ev": "away", "seat": seat or 1}], "act": None, "before": []},
        )

    def make_drop(self) -> NothingDropped:
        return NothingDropped()

    def list_effects(self) -> list[object]:
        """Whatever anybody has brought about."""
        return [*self.entered, *self.calls, *self.wishes.heard, *self.decks.chosen[1:], *self.agreed]

    def code(self) -> str:
        return self.staff.make_one_time_code()

    def enrol_by_room(self, **roles: Role) -> None:
        """Take a list of the room that names these people, each let in by the room's own `Rae`."""
        if not hasattr(self, "room_staff"):
            self.room_key = SigningKey.generate()
            self.room_staff = StaffStore(self.staff.path.with_name("room-staff.sqlite"), cost=CHEAP, now=self.wall)
        for name, role in roles.items():
            self.room_staff.enrol(name, role, ROOM_PIN, Warrant("Rae"))
        number = self.staff.find_room_list_number() + 1
        self.staff.apply_room_list(RoomStaffList(number, self.room_staff.list_for_room()), self.room_key.verify_key)

    def token(self, role: TokenRole, name: str | None = None) -> dict[str, str]:
        """Make a token, as the header of a request."""
        return {"Authorization": f"Bearer {self.tokens.add(name or role.value, role)}"}

    def call_floor(self, wanted: bool, by: str) -> bool:
        self.calls.append((wanted, by))
        return self.room

    def _agree(self, delay: int | None, by: tuple[Signer, ...]) -> bool:
        if self.room:
            self.agreed.append((delay, by))
        return self.room

    def enter(self, event: Event, source: str, by: Signer | None, _: EntryBatch | None) -> None:
        assert source == "page"
        self.entered.append((script_lines.format_line(event), by))

    def browser(self, name: str | None = None) -> "Browser":
        browser = Browser(self)
        if name is not None:
            assert browser.sign_in(name).status_code == 200
        return browser


class Browser:
    """Keeps a cookie and the token of its pages."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.client = Client(house.app)
        self.cookie: str | None = None
        self.token: str | None = None

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path, headers=self.headers())

    def post(self, path: str, content: object = None, **headers: str) -> httpx.Response:
        answer = self.client.post(path, json=content, headers={**ORIGIN, **self.headers(), **headers})
        self._keep(answer)
        return answer

    def sign_in(self, name: str, pin: str | None = None) -> httpx.Response:
        return self.post("/sign-in", {"name": name, "pin": PINS[name] if pin is None else pin})

    def enter(self, line: Mapping[str, object], seen: int = 7) -> httpx.Response:
        return self.post("/entry", {"seen": seen, "line": line})

    def fetch_principal(self) -> dict[str, Any]:
        content: dict[str, Any] = self.get("/who").json()
        return content

    def headers(self) -> dict[str, str]:
        sent = {} if self.cookie is None else {"Cookie": f"{SESSION_COOKIE}={self.cookie}"}
        return sent if self.token is None else {**sent, CSRF_HEADER: self.token}

    def _keep(self, answer: httpx.Response) -> None:
        given = answer.headers.get("set-cookie")
        if given is not None:
            value = given.partition(";")[0].partition("=")[2].strip('"')
            self.cookie = value or None
            self.token = self.fetch_principal().get("token")


def houses(directory: Path, **how: bool) -> Iterator[House]:
    """Open a house for a fixture, and close it."""
    house = House(directory, **how)
    yield house
    house.staff.close()
    house.tokens.close()
