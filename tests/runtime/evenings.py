"""Whole evenings at a live table, in one process, and everything that the table says in them.

    python -m tests.runtime.evenings --record [EVENING ...]    put what is said in them on record, in evenings.txt

People play at the rig, from a seed, and now and then something else happens: a card again, a foreign tag, a plug that
is pulled, a key that nobody expects, a line on the page, a cut of the power. After each of these it is written down
what the table shows, what its journal got, what it logged, counted and let go to a broadcast, and what lamps and gate
do. What is of this run alone (names by chance, signatures, the time of day) stands by its length.
"""

import json
import logging
import random
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config.table_file import TableFile
from config.table_line import parse_table_line
from controller.core.protocol import script_lines
from controller.core.protocol.table_error import Refused
from controller.runtime.broadcast.card_release import CardRelease, ReleaseItem
from controller.runtime.devices.port_messages import PortBytesReceived
from controller.runtime.faults.fault_table import FAULTS, make_clear_event, make_raise_event
from controller.runtime.faults.self_check import SelfCheckResult
from controller.runtime.journal.hand_index import HandQuery
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.drop_ledger import read_drop
from controller.runtime.journal.recovery.journal_follower import JournalFollower
from controller.runtime.journal.recovery.journal_replay import compare_with_replay
from controller.runtime.metrics import Metrics
from controller.runtime.service.systemd_notifier import SystemdNotifier
from controller.runtime.service.watchdog import Watchdog
from tests.app.rig import Rig, demo
from tests.core import arbitrary
from tests.recorded_answers import RecordedAnswers, to_plain
from tests.two_worlds.live_table import without_chance

ANSWERS = RecordedAnswers(Path(__file__).with_suffix(".txt"), "python -m tests.runtime.evenings --record")

LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}


@dataclass(frozen=True)
class Evening:
    """One evening: the table's line beside the demo's, how much goes wrong at the shoe, how often something happens."""

    line: Mapping[str, object] = field(default_factory=dict)
    mistakes: float = 0.05
    incidents: float = 0.2
    moves: int = 70
    collection: Mapping[str, object] | None = None
    broadcast: bool = False


EVENINGS = {
    "holdem": Evening(mistakes=0.0, incidents=0.0),
    "holdem-wrong": Evening(mistakes=0.3, incidents=0.05),
    "holdem-incidents": Evening(incidents=0.5),
    "holdem-tda": Evening({"rulebook": "tda-2024"}, 0.15),
    "holdem-house": Evening({"rulebook": "house-rules"}, 0.15),
    "holdem-rake": Evening(collection={"kind": "rake", "percent": 5, "cap": 4}, mistakes=0.02, incidents=0.05),
    "omaha-aired": Evening({"game": "omaha-8"}, 0.1, broadcast=True),
    "holdem-aired": Evening({"rulebook": "wsop-2024"}, 0.1, 0.1, broadcast=True),
    "stud": Evening({"game": "stud-7", "betting": STUD, "button": None}, 0.1),
    "razz": Evening({"game": "razz", "betting": STUD, "button": None}, 0.1),
    "triple-draw": Evening({"game": "triple-draw-27", "betting": LIMIT}, 0.1),
    "pineapple": Evening({"game": "crazy-pineapple"}, 0.1),
}

PERSON = {"seen": 0, "key": "00", "signature": "00"}
ROLES = ("dealer", "floor", "technician", "auditor")
LINES: tuple[Mapping[str, object], ...] = (
    {"ev": "undo"},
    {"ev": "start"},
    {"ev": "done"},
    {"ev": "away", "seat": 2},
    {"ev": "back", "seat": 2},
    {"ev": "leave", "seat": 4},
    {"ev": "sit", "seat": 3, "player": "Guest", "stack": 150},
    {"ev": "stack", "seat": 1, "stack": 500},
    {"ev": "report", "what": "exposed"},
    {"ev": "report", "what": "deck-defective"},
    {"ev": "floor", "decide": "void"},
    {"ev": "floor", "decide": "turned-up", "seat": 1},
    {"ev": "floor", "decide": "dead-hand", "seat": 2},
    {"ev": "penalty", "seat": 5, "hands": 1},
    {"ev": "show", "seat": 1},
    {"ev": "muck", "seat": 2},
    {"ev": "clock", "seat": 1},
    {"ev": "halt", "on": True},
    {"ev": "last-hands", "hands": 3},
    {"ev": "chop"},
    {"ev": "twice"},
)

UPTIME = re.compile(r"\b[0-9]+\.[0-9]+ ?m?s\b|mono=[0-9.]+")


class LogTap(logging.Handler):
    """The lines of the log since the last look."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name} {record.levelname} {record.getMessage()}")


class PlayedEvening:
    """An evening that goes on in `directory`; `answers` has a row for each thing that happened."""

    def __init__(self, name: str, directory: Path) -> None:
        self.evening = EVENINGS[name]
        self.directory = directory
        self.chance = random.Random(name)
        self.answers: list[object] = []
        self.released: list[ReleaseItem] = []
        self.check_results: tuple[SelfCheckResult, ...] = (SelfCheckResult("disk", "room enough"),)
        self.log = LogTap()
        self.taken = 0
        """So many records of the journal have been written down."""
        self.shown = 0
        self.start()

    def make_file(self) -> TableFile:
        line = {key: value for key, value in {**demo().table_line, **self.evening.line}.items() if value is not None}
        if self.evening.collection is not None:
            line["collection"] = self.evening.collection
        return replace(demo(), table_line=line)

    def start(self) -> None:
        """Start the program, on what an earlier run has left."""
        self.metrics = Metrics({"shoe": "shoe"}, ("shoe", "panel", "gate"), {"version": "1"}, process=False)
        self.release = CardRelease(self.released.append) if self.evening.broadcast else None
        self.rig = Rig(
            self.directory,
            file=self.make_file(),
            lossless=True,
            confirmed=False,
            meter=self.metrics,
            release=self.release,
            check=lambda: self.check_results,
        )
        self.rig.loop.subscribe(self.metrics.on_view_published)
        self.metrics.attach_session(self.rig.loop, Watchdog(SystemdNotifier({}), ()))
        self.people = self.rig.room(self.chance.randrange(1 << 30), self.evening.mistakes)
        self.shown = 0

    def cut_power(self) -> None:
        self.close()
        self.start()

    def close(self) -> None:
        self.rig.__exit__(None, None, None)

    def play(self) -> None:
        """Play the evening to its end."""
        self.look("start")
        for _ in range(self.evening.moves):
            if self.chance.random() < self.evening.incidents:
                name, happen = self.chance.choice(INCIDENTS)
                happen(self)
                self.look(name)
            else:
                self.rig.live(self.people, 1)
                self.look("move")
        self.look_back()

    def look(self, what: str) -> None:
        """Write down what the table has said since the last look."""
        views = [to_plain(view) for view in self.rig.standings[self.shown :]]
        self.shown = len(self.rig.standings)
        said: dict[str, Any] = {
            "what": what,
            "views": views[-1:],
            "notices": [view["notices"] for view in views],
            "refusals": [view["refusal"] for view in views],
            "records": self.read_records(),
            "log": [UPTIME.sub("", line).replace(str(self.directory), "") for line in self.log.lines],
            "released": [type(item).__name__ for item in self.released],
            "gate": self.rig.bench.gate("gate").is_open(),
            "amendable": self.rig.loop.list_amendable_entries(),
        }
        self.log.lines.clear()
        self.released.clear()
        self.answers.append(said)

    def read_records(self) -> list[object]:
        with closing(JournalReader.open(self.directory / "journal.sqlite")) as journal:
            records = list(journal.read_records(self.taken + 1))
        self.taken += len(records)
        return [[record.number, record.kind, self.without_machine(record.parse_body())] for record in records]

    @staticmethod
    def without_machine(body: dict[str, Any]) -> Any:  # noqa: ANN401 - a value of JSON
        """The body of a record without chance, and without what it says of this machine's programs and files."""
        kept = {key: value for key, value in body.items() if key not in ("header", "program", "python")}
        return without_chance(kept)

    def look_back(self) -> None:
        """What is told of the evening when it is over: counts, hands, drop, and the journal played again."""
        seen = self.metrics.render_exposition("text/plain")[0].decode().splitlines()
        self.answers += [line for line in seen if "seconds" not in line and "_created" not in line]
        for query in (HandQuery(), HandQuery(player="ana"), HandQuery(ruling="exposed")):
            found = self.rig.hands.find(query, most=5)
            self.answers.append([{**row.to_json(), "began": ""} for row in found.hands])
        path = self.directory / "journal.sqlite"
        with closing(JournalReader.open(path)) as journal:
            for session in journal.list_sessions():
                self.answers.append(compare_with_replay(journal, session, parse_table_line))
            counts = to_plain(journal.read_counts())
            self.answers.append({key: value for key, value in counts.items() if isinstance(value, int)})
            follower = JournalFollower("one", parse_table_line)
            for record in journal.read_records():
                for entry in follower.receive_record(record):
                    self.answers.append(
                        [entry.public_line, entry.hand_number, entry.is_refused, entry.open_drop, entry.showdown_result]
                    )
            ledger = read_drop(journal, parse_table_line)
            self.answers += [replace(row, began_at="", ended_at="") for row in ledger.rows]
            self.answers += [ledger.open_chips, *ledger.sessions, *ledger.unreadable]


Incident = Callable[[PlayedEvening], object]


def pass_any_card(evening: PlayedEvening) -> None:
    """A card of the deck passes the reader, whether it is out or not."""
    evening.rig.tag(evening.chance.choice(list(evening.rig.deck.card_by_tag)))


def pass_foreign_tag(evening: PlayedEvening) -> None:
    evening.rig.tag(f"5D{evening.chance.randrange(4):08X}")


def send_noise(evening: PlayedEvening) -> None:
    evening.rig.loop.put(PortBytesReceived("shoe", bytes(evening.chance.randbytes(9)), evening.rig.clock()))
    evening.rig.run(0.3)


def pull_or_put_plug(evening: PlayedEvening) -> None:
    if evening.rig.port is not None:
        evening.rig.lose_port("unplugged")
    else:
        evening.rig.open_port()


def press_any_key(evening: PlayedEvening) -> None:
    keys = [name for panel in evening.rig.fingers for name in panel._contact_by_key]
    evening.rig.press(evening.chance.choice(keys))


def press_floor_key(evening: PlayedEvening) -> None:
    evening.rig.press("floor")


def enter_page_line(evening: PlayedEvening) -> None:
    enter(evening, evening.chance.choice(LINES))


def enter_any_lines(evening: PlayedEvening) -> None:
    for _ in range(3):
        enter(evening, arbitrary.make_any_line(evening.rig.loop._table, evening.chance.randrange))


def enter_rare_line(evening: PlayedEvening) -> None:
    enter(evening, arbitrary.make_rare_line(evening.chance.randrange))


def enter(evening: PlayedEvening, line: Mapping[str, object]) -> None:
    """Somebody enters a line on the page; a line that is none is nobody's entry."""
    role = evening.chance.choice(ROLES)
    by = {"name": role.title(), "role": role, **PERSON}
    signer = by if evening.chance.random() < 0.7 else None
    try:
        event = script_lines.parse_line(line)
    except Refused:
        return
    evening.rig.loop.submit_entry(event, "page", signer)
    evening.rig.drain()


def clear_faults(evening: PlayedEvening) -> None:
    role = evening.chance.choice(("technician", "floor", "dealer"))
    for fault in evening.rig.standing.faults:
        if fault.id:
            by = {"name": role.title(), "role": role, **PERSON}
            evening.rig.loop.submit_entry(make_clear_event(fault.code), "page", by)
    evening.rig.drain()


def raise_fault(evening: PlayedEvening) -> None:
    """What only the controller raises is tried as an entry, and being taken out of service too."""
    code = evening.chance.choice([code for code, fault in FAULTS.items() if fault.latches])
    by = {"name": "Tess", "role": "technician", **PERSON}
    evening.rig.loop.submit_entry(make_raise_event(code), "page", by)
    evening.rig.drain()


def check_again(evening: PlayedEvening) -> None:
    code = evening.chance.choice((None, None, "self-check", "disk-low", "clock-unset", "deck-unregistered"))
    evening.check_results = (SelfCheckResult("disk", "looked at", code),)
    evening.rig.loop.submit_self_check_results(evening.check_results, "page")
    evening.rig.drain()


def let_time_pass(evening: PlayedEvening) -> None:
    for _ in range(30):
        evening.rig.clock.advance(2.0)
        evening.rig.loop.on_tick(evening.rig.clock())


def sign_in_and_out(evening: PlayedEvening) -> None:
    loop, who = evening.rig.loop, evening.chance.choice(ROLES)
    loop.record_sign_in(who.title(), who, "00")
    loop.set_floor_called(evening.chance.random() < 0.5, "page")
    loop.show_announcement("Dinner at eight.", "floor")
    evening.rig.drain()
    loop.record_sign_out(who.title(), who)
    evening.rig.drain()


def change_delay(evening: PlayedEvening) -> None:
    if evening.release is not None:
        loop, delay = evening.rig.loop, evening.chance.choice((None, 300, 600))
        loop.change_broadcast_delay(delay, ({"name": "Flo", "role": "floor", **PERSON},))
        evening.rig.drain()


def cut_the_power(evening: PlayedEvening) -> None:
    evening.cut_power()


INCIDENTS: tuple[tuple[str, Incident], ...] = (
    ("again", pass_any_card),
    ("foreign", pass_foreign_tag),
    ("unread", send_noise),
    ("unplug", pull_or_put_plug),
    ("unplug", pull_or_put_plug),
    ("key", press_any_key),
    ("key", press_any_key),
    ("floor_key", press_floor_key),
    ("page_line", enter_page_line),
    ("page_line", enter_page_line),
    ("any_line", enter_any_lines),
    ("any_line", enter_any_lines),
    ("rare_line", enter_rare_line),
    ("clear_faults", clear_faults),
    ("clear_faults", clear_faults),
    ("raise_fault", raise_fault),
    ("self_check", check_again),
    ("long_rest", let_time_pass),
    ("people_come_and_go", sign_in_and_out),
    ("other_delay", change_delay),
    ("cut_power", cut_the_power),
)
"""What may happen, as often as it stands here, each with its name in the answers."""


def play_evening(name: str) -> list[object]:
    """Play an evening; return what the table said in it."""
    with TemporaryDirectory() as directory:
        played = PlayedEvening(name, Path(directory))
        loggers = [logging.getLogger(each) for each in ("controller", "drivers")]
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.addHandler(played.log)
            logger.setLevel(logging.INFO)
        try:
            played.play()
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.removeHandler(played.log)
                logger.setLevel(level)
            played.close()
        return played.answers


def main(arguments: list[str]) -> None:
    """Put every evening on record, or print one."""
    if arguments[:1] == ["--record"]:
        ANSWERS.write({name: play_evening(name) for name in arguments[1:] or EVENINGS})
        return
    for name in arguments or EVENINGS:
        for answer in play_evening(name):
            print(json.dumps(to_plain(answer)))


if __name__ == "__main__":
    main(sys.argv[1:])
