"""One world: a live table as the runtime opens it, and everything that leaves it, by the surface on which it does.

The loop, its journal, its page and its listeners are the program's own. A card reaches it as its shoe's translator
would hand it on. What is tried can be taken back without a trace (`rewound`): the journal's file gets nothing of it.
"""

import json
import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, cast

from config.language_file import load_language
from config.table_file import DEMO_FILE, TableFile, load_table_file
from controller.announcer.announcements import AnnouncerMark, find_announcements
from controller.announcer.home_assistant import build_state
from controller.announcer.observed_table import parse_table
from controller.app.table.session_start import resume_or_begin
from controller.app.table.status_line import format_status_line
from controller.core.model.table_state import TableState
from controller.core.protocol.events import CardDealt, CardDetected, Event
from controller.runtime.broadcast.card_release import CardRelease, EntryReleased, HandReleased, ReleaseItem
from controller.runtime.devices.device_bus import DeviceMap, build_signals
from controller.runtime.devices.device_monitor import DeviceMonitor
from controller.runtime.journal.hand_index import HAND_INDEX_FILE, HandIndex
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import JournalRecord
from controller.runtime.journal.sealing.hand_seal import HandKeyFile
from controller.runtime.loop.loop_messages import RemoteRequest
from controller.runtime.loop.loop_parts import LoopParts
from controller.runtime.loop.meter import Meter
from controller.runtime.loop.table_loop import TableLoop
from controller.runtime.loop.table_view import LIVE, TableView
from controller.runtime.metrics import Metrics
from controller.runtime.staff.entry_signature import JournalPosition
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import AuthenticatedPerson, StaffStore
from controller.web.access.authenticator import NOBODY, Principal
from controller.web.access.session_store import Session
from controller.web.api.page_state_redaction import redact_page_state
from controller.web.entries.entry_endpoint import EntryEndpoint, EntryResponse, parse_entry_line
from controller.web.publishing.page_state_hub import PageStateHub
from drivers.simulators.bench.manual_clock import ManualClock
from tests.web.house import CHEAP, PEOPLE, PINS, _make_staff_file

Line = Mapping[str, Any]
Look = Mapping[str, str]
"""What leaves a table, by the surface."""

KEY, PAGE, ROOM = "a key or a program", "nobody on the page", "the room's floor"
ROLES = (KEY, PAGE, *(role.value for role in Role), ROOM)
"""Who enters something: a key of the panel (and whatever else has no name), a page without and with a name, a room."""

RANDOM_KEYS = ("sealed", "signature", "chain", "key", "auditor", "wall", "begun", "ended", "table", "device")
"""Keys of records whose values are of this run alone: chance, time, or sums over those. Their lengths are compared."""

WRITES_FILES = re.compile("HandIndex|Snapshot")
"""Listeners that hear of nothing that leaves no trace."""

UPTIME = re.compile(r'"mono":[0-9]+')
SINCE = re.compile(r'"since": ?[0-9.]+')
GERMAN = load_language("de")


@cache
def find_people() -> Mapping[Role, AuthenticatedPerson]:
    """One person of each role, signed in."""
    with TemporaryDirectory() as directory:
        path = Path(directory) / "staff.sqlite"
        path.write_bytes(_make_staff_file())
        staff = StaffStore(path, cost=CHEAP)
        found = {role: staff.sign_in(name, PINS[name]) for name, role in PEOPLE.items()}
        staff.close()
    return {role: replace(person, needs_new_pin=False) for role, person in found.items()}


@cache
def find_principals() -> Mapping[str, Principal]:
    """Who stands behind a page, by role."""
    people = find_people()
    made = {
        role.value: Principal(one.name, frozenset({role}), Session(one, "token", 0.0, 0.0, 0.0))
        for role, one in people.items()
    }
    return {PAGE: NOBODY, **made}


@cache
def load_file() -> TableFile:
    return load_table_file(DEMO_FILE)


def without_chance(value: Any) -> Any:  # noqa: ANN401 - a value of JSON
    """A value of JSON in which chance and time stand by their lengths."""
    if isinstance(value, dict):
        return {
            key: f"{len(str(inner))} signs"
            if key in RANDOM_KEYS and not isinstance(inner, dict)
            else without_chance(inner)
            for key, inner in value.items()
            if key != "mono"
        }
    return [without_chance(inner) for inner in value] if isinstance(value, list) else value


def name_cards(state: TableState) -> list[str | None]:
    """Every card of the hand, by name, where it lies: what no surface may have."""
    piles = {} if state.hand is None else state.hand.cards.piles.cards_by_place
    return [one.card for pile in piles.values() for one in pile]


class LogTap(logging.Handler):
    """The lines of the log since the last look."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname} {record.getMessage()}")


LOG = LogTap()


class MeterTap:
    """Hands what is counted on to `metrics`, where there is one: it is asked for one entry in so many, for its time."""

    def __init__(self) -> None:
        self.metrics: Metrics | None = make_metrics()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the meter has it
        return getattr(self.metrics, name) if self.metrics is not None else _ignore


class KeptKey:
    """Stands for the file of the hand's key while no file is touched."""

    def write(self, number: int, key: bytes) -> None:
        pass

    def erase(self) -> None:
        pass


def _ignore(*_args: object) -> None:
    pass


def make_metrics() -> Metrics:
    return Metrics({}, {}, {"version": "1"}, process=False)


class LiveTable:
    """A live table on `directory`, opened with a `table` line; leaving it without `close` is a cut of the power."""

    def __init__(self, directory: Path, line: Line) -> None:
        find_principals()
        self.directory = directory
        self.clock = ManualClock()
        self.file = replace(load_file(), table_line={**line})
        self.records: list[tuple[str, str]] = []
        self.is_trial = False
        """What is entered is to leave no trace: no file is touched."""
        self.cost_s = 0.0
        """Seconds of processor that entries have taken, with all that hears of them."""
        self.meter = MeterTap()
        self.released: list[ReleaseItem] = []
        self._mark = AnnouncerMark()
        self.hub = PageStateHub({"game": line["game"], "rulebook": line["rulebook"], "book": line["rulebook"]})
        self.view: TableView | None = None
        self._open()

    def _open(self) -> None:
        """Start the program, with a new table or with what an earlier run has left."""
        self.journal = Journal(self.directory / "journal.sqlite")
        self.journal._db.execute("PRAGMA synchronous=OFF")  # no power is cut here
        self.journal._write_ahead_log.sync_file = lambda _handle: None
        settled = self.journal.last_entry_number
        commit = self.journal._commit

        def keep(records: Sequence[JournalRecord]) -> None:
            self.records += [(record.kind, record.body) for record in records]
            if not self.is_trial:
                commit(records)
            else:
                self.journal._number, self.journal._chain = records[-1].number, records[-1].chain

        self.journal._commit = keep  # type: ignore[method-assign]
        power_lost = self.journal.begin_run("boot", "test")
        recovered = resume_or_begin(self.journal, self.file, LIVE)
        self.hands = HandIndex(self.directory / HAND_INDEX_FILE, self.journal.list_sessions()[-1].number, settled)
        self.release = CardRelease(self._on_released)
        self.loop = TableLoop(
            recovered,
            self.journal,
            DeviceMap(byte_drivers={}),
            DeviceMonitor({}, {}),
            mode=LIVE,
            power_lost=power_lost,
            clock=self.clock,
            parts=LoopParts(hand_index=self.hands, meter=cast(Meter, self.meter), card_release=self.release),
        )
        self.loop.subscribe(self._on_view)
        self.loop.start()
        position = JournalPosition(self.journal.journal_name, 1)
        self.endpoint = EntryEndpoint(
            self.loop.submit_entry,
            lambda: self.hub.shown_entry,
            place=lambda: position,
            decided=lambda: self.loop.outcome.state.undo.is_floor_decision,
            refused=lambda: self.hub.refusal_count,
        )

    def restart(self) -> Look:
        """Cut the power, and start on what is left; what everybody has of the table then."""
        self.close()
        del self.records[:], LOG.lines[:]
        self._open()
        return self.look()

    def _on_view(self, view: TableView) -> None:
        self.view = view
        self.hub.publish(view)

    def _on_released(self, item: ReleaseItem) -> None:
        self.released.append(item)

    def close(self) -> None:
        self.hands.close()
        self.journal.close()

    # What comes in

    def deal_card(self, card: str | None, *, boxed: bool = False) -> Look:
        """A card leaves the shoe."""
        return self._take(lambda: self._sense(CardDealt(card, boxed)))

    def read_card(self, place: str, card: str) -> Look:
        """An antenna reads a card."""
        return self._take(lambda: self._sense(CardDetected(place, card)))

    def _sense(self, event: Event) -> str:
        self.loop._handle_event(event, "shoe", self.clock())
        return ""

    def enter(self, line: Line, role: str) -> Look:
        """Somebody enters a line, the way that is theirs; what leaves the table by it."""
        return self._take(lambda: self._submit(line, role))

    def _submit(self, line: Line, role: str) -> str:
        if role in (KEY, ROOM):
            floor, said = find_people()[Role.FLOOR], list[str]()
            roles = frozenset(Role) if role == KEY else frozenset({Role.FLOOR})
            event = parse_entry_line(line, roles, None if role == KEY else floor.name)
            if isinstance(event, EntryResponse):
                return f"{event.status} {event.code} {event.message}"
            if role == KEY:
                self.loop.submit_entry(event, "panel")
                return ""
            by = {"name": floor.name, "role": "floor", "seen": 0, "key": "00", "signature": "00"}
            asked = RemoteRequest(
                self.loop._shown.entry_number, lambda number, why: said.append(f"{number} {why and why.message}")
            )
            self.loop.submit_remote_entry(event, "room", by, asked)
            self.drain()
            return " ".join(said)
        given = self.endpoint.submit({"seen": self.hub.shown_entry, "line": dict(line)}, find_principals()[role])
        return f"{given.status} {given.code} {given.message}"

    def drain(self) -> None:
        """Let the loop take everything that waits on its queue."""
        while True:
            try:
                message = self.loop._inbox.get_nowait()
            except Empty:
                return
            self.loop.handle_message(message, self.clock())

    def _take(self, put: Callable[[], str]) -> Look:
        del self.records[:], LOG.lines[:]
        self.loop._inbox._budget_by_source.clear()  # people are slower than this
        began = process_time()
        answer = put()
        self.drain()
        self.cost_s += process_time() - began
        return self.look(answer)

    def rest(self) -> None:
        """A second passes: the table comes to rest, and is written down between two hands."""
        self.clock.advance(1.0)
        self.loop.on_tick(self.clock())

    # What goes out

    def look(self, answer: str = "") -> Look:
        """Everything that anybody can have of the table after an entry, by the surface."""
        view, outcome = self.view, self.loop.outcome
        assert view is not None
        latest = self.hub.get_latest()
        assert latest is not None
        page = SINCE.sub('"since":0', latest[1])
        state = json.loads(page)
        look = {
            "answer": answer,
            "page": page,
            "page in German": SINCE.sub("", (self.hub.get_latest(GERMAN) or (0, ""))[1]),
            "status line": format_status_line(view),
            "repr": repr(view),
            "journal": self._render_records(),
            "log": "\n".join(LOG.lines),
            "entries": json.dumps(self.loop.list_amendable_entries()),
            "metrics": self._render_metrics(view),
            "broadcast": self._render_broadcast(),
            "lengths": str([len(UPTIME.sub("", body)) for _, body in self.records]),
        }
        for token in TokenRole:
            if token is not TokenRole.METRICS:
                look[f"API, {token.value}"] = json.dumps(redact_page_state(state, token))
        observed = parse_table(redact_page_state(state, TokenRole.ROOM))
        self._mark, announced = find_announcements(self._mark, observed)
        look["announcer"] = json.dumps([build_state(observed), *(dict(each.data) for each in announced)])
        look["devices"] = repr((build_signals(outcome), view.last_sound))
        return look

    def _render_records(self) -> str:
        bodies = [(kind, without_chance(json.loads(body))) for kind, body in self.records]
        return "\n".join(f"{kind} {json.dumps(body)}" for kind, body in bodies)

    def _render_metrics(self, view: TableView) -> str:
        if self.meter.metrics is None:
            return ""
        self.meter.metrics.on_view_published(view)
        lines = self.meter.metrics.render_exposition("")[0].decode().splitlines()
        return "\n".join(line for line in lines if "seconds" not in line and not line.startswith("#"))

    def _render_broadcast(self) -> str:
        """What is on its way to viewers: of a hand that is over for good how many entries, of another everything."""
        now = self.loop.outcome.state
        begun = now.hand is not None and bool(now.hand.cards.piles.dealt_count)
        told: list[object] = []
        for item in self.released:
            if isinstance(item, HandReleased):
                early = begun and item.entries[-1].state.hand_count >= now.hand_count
                told.append([name_cards(each.state) for each in item.entries] if early else len(item.entries))
            else:
                told.append(name_cards(item.entry.state) if isinstance(item, EntryReleased) else item)
        return repr(told)

    @contextmanager
    def rewound(self, *, counted: bool = True) -> Iterator[None]:
        """What is entered meanwhile leaves no trace: afterwards everything stands as it stood.

        `counted`: it is counted, from nothing, and looked at.
        """
        loop = self.loop
        listeners = loop._listeners
        parts: list[Any] = [
            *(self, self.meter, self.journal, self.hub, self.hub._remedy_progress, self.endpoint, self.release),
            *(loop._table, loop._shown, loop._notices, loop._publisher, loop._fault_alarm, loop._fault_alarm._latches),
            *(loop._time, loop._device_bus, loop._router),
            *([] if self.journal._seal is None else [self.journal._seal]),
        ]
        kept = [(part, {key: _copy(value) for key, value in vars(part).items()}) for part in parts]
        loop._listeners = tuple(one for one in listeners if not WRITES_FILES.match(type(one).__name__))
        self.is_trial = True
        self.meter.metrics = make_metrics() if counted else None
        keys = self.journal._key_file
        self.journal._fold_log = lambda: True  # type: ignore[method-assign]
        self.journal._key_file = cast(HandKeyFile, KeptKey())
        try:
            yield
        finally:
            loop._listeners = listeners
            self.journal._key_file = keys
            for part, values in kept:
                vars(part).clear()
                vars(part).update(values)


def _copy(value: Any) -> Any:  # noqa: ANN401 - a field of an object of the program
    return value.copy() if isinstance(value, dict | list | set | deque) else value
