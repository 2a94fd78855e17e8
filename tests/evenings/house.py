"""The house of an evening: one table as `tablectl run` in a process, the far ends of its wires, people at its pages.

Everything goes the way that it goes in a house: cards past a reader on a pseudo-terminal, keys of a board, requests of
signed-in people over HTTP, tokens of programs. Whether the table took something is read from what it publishes.
"""

import http.client
import json
import os
import select
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from config.config_error import ConfigError
from config.table_file import DEMO_FILE, load_table_file
from config.table_line import parse_table_line
from controller.core.model.setup import Setup
from controller.core.protocol.table_error import Refused
from controller.core.values.cards import build_deck
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import DeckStore
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import JOURNAL_FILE, STAFF_FILE, TABLE_DATABASE_FILE, TOKENS_FILE
from controller.web.access.authenticator import CSRF_HEADER, SESSION_COOKIE
from tests.soak.campaign import LAMPS, ROOT
from tests.soak.far_ends import Board, Reader
from tests.soak.program import Page, Program, TableEndedError
from tests.web.house import CHEAP, PINS

PATIENT = """
from firmware_bridge import link
link.REQUEST_TIMEOUT_S = 30.0
"""
"""The program, which waits longer for its board: on a busy machine the far end of the wire is slow, and not gone."""

PLACES = 8
PRESS: Mapping[str, Mapping[str, object]] = {
    "start": {"ev": "start"},
    "done": {"ev": "done"},
    "undo": {"ev": "undo"},
    "fold": {"ev": "act", "do": "fold", "seat": "turn"},
    "call": {"ev": "act", "do": ["check", "call", "bring-in", "all-in"], "seat": "turn"},
    "raise": {"ev": "act", "do": ["bet", "raise", "complete", "all-in"], "to": "least", "seat": "turn"},
    "show": {"ev": "show", "seat": "turn"},
    "muck": {"ev": "muck", "seat": "turn"},
    "exposed": {"ev": "report", "what": "exposed"},
    "boxed": {"ev": "report", "what": "boxed"},
    "off_table": {"ev": "report", "what": "off-table"},
    "premature": {"ev": "report", "what": "premature"},
    "put_back": {"ev": "report", "what": "put-back"},
    "no_burn": {"ev": "report", "what": "no-burn"},
    "floor": {"ev": "call-floor"},
    "misdeal": {"ev": "floor", "decide": "misdeal"},
}
KEYS = {key: number for number, key in enumerate(PRESS)}
PERSON_BY_ROLE = {"dealer": "Ada", "floor": "Bo", "technician": "Cy", "auditor": "Di"}
TOKEN_ROLES = (TokenRole.WATCH, TokenRole.FLOOR_READ, TokenRole.ROOM)
FOREIGN_TAG = "0000FFEE01"

NEWS_SECONDS = 4.0
"""So long the table is waited for where it must say something."""
SILENCE_SECONDS = 3.0
"""So long where it may say nothing, as to a key that means nothing now and has said so before."""
READY_SECONDS = 30.0
MAX_SECONDS = 90.0
"""So long a busy machine may take for any of them."""
IDLE_SHARE = 0.1
"""A machine that took less than this share of the time for others was not busy."""


class SetUpRefusedError(Exception):
    """The table's file would be refused."""


@dataclass
class SignedIn:
    """A browser of one person: its connection, its cookie and the token of its pages."""

    connection: http.client.HTTPConnection
    cookie: str = ""
    token: str = ""


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    content: Mapping[str, Any] = field(default_factory=dict)


class House:
    """One table with its people, in a folder of its own. `first`: what its process does before the program."""

    def __init__(self, folder: Path, *, first: str = "", build: Path = ROOT) -> None:
        self.folder = folder
        (folder / "dev").mkdir(parents=True)
        self.state = folder / "state"
        self.state.mkdir(mode=0o700)
        self.journal = self.state / JOURNAL_FILE
        self.config = folder / "table.toml"
        self._first, self._build = first, build
        listed = load_table_file(DEMO_FILE).simulation.deck_list
        assert listed is not None
        deck = parse_deck_list("demo", listed.read_text(encoding="utf-8"))
        self._tags = {card: tag for tag, card in deck.card_by_tag.items()}
        self.reader = Reader(folder / "dev" / "shoe", self._tags)
        self.board = Board(folder / "dev" / "board", KEYS, LAMPS)
        self.ends: dict[str, Reader | Board] = {"shoe": self.reader, "board": self.board}
        decks = DeckStore(self.state / TABLE_DATABASE_FILE)
        decks.register(deck)
        decks.close()
        self._enrol_staff()
        self._tokens = self._make_tokens()
        self._people: dict[str, SignedIn] = {}
        self._program: Program | None = None
        self.port = 0
        """The port of the page; 0: any free one."""
        self.is_demo = False
        """Whether devices and people are simulated, and nobody signs in."""
        self.last_state: dict[str, Any] = {}

    def _enrol_staff(self) -> None:
        staff = StaffStore(self.state / STAFF_FILE, cost=CHEAP)
        for role, name in PERSON_BY_ROLE.items():
            staff.enrol(name, Role(role), PINS[name], staff.redeem_code(staff.make_one_time_code()))
        staff.close()

    def _make_tokens(self) -> dict[str, str]:
        store = TokenStore(self.state / TOKENS_FILE)
        made = {role.value: store.add(role.value, role) for role in TOKEN_ROLES}
        store.close()
        return made

    # The set-up

    def write_file(self, line: Mapping[str, Any], extra: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
        """Write the table's file; return the cards that it is played with. Raises `SetUpRefusedError`."""
        parts: dict[str, Mapping[str, object]] = {
            "table": {key: value for key, value in line.items() if key != "ev"},
            "state": {"directory": str(self.state)},
            "shoe": {"deck": "demo", "reader": "shoe"},
            "device.shoe": {"driver": "rdm6300", "model": "id-12la", "port": str(self.reader.wire.link)},
            "device.board": {"driver": "bridge", "port": str(self.board.wire.link), "gate": True},
            "device.board.keys": KEYS,
            "device.board.outputs": LAMPS,
            "keys.board": dict(PRESS),
            "page": {"host": "127.0.0.1", "port": 8080},
            **extra,
        }
        text = "".join(
            f"[{name}]\n" + "".join(f"{key} = {write_toml(value)}\n" for key, value in keys.items()) + "\n"
            for name, keys in parts.items()
        )
        setup = self._keep_file(text)
        return tuple(card for card in build_deck(setup.deck_size, setup.has_joker) if card in self._tags)

    def write_demo_file(self, line: Mapping[str, Any]) -> None:
        """Write the file of a table whose devices and people are simulated. Raises `SetUpRefusedError`."""
        text = DEMO_FILE.read_text(encoding="utf-8")
        table, _, rest = text.partition("[state]")
        keys = {key: value for key, value in line.items() if key != "ev"}
        head = "[table]\n" + "".join(f"{key} = {write_toml(value)}\n" for key, value in keys.items())
        rest = rest.replace('"demo-deck.csv"', json.dumps(str(DEMO_FILE.parent / "demo-deck.csv")))
        rest = rest.replace('"var/demo"', json.dumps(str(self.state)))
        assert "[table]" in table
        self._keep_file(f"{head}\n[state]{rest}")

    def _keep_file(self, text: str) -> Setup:
        tried = self.config.with_name("tried.toml")
        tried.write_text(text, encoding="utf-8")
        try:
            read = load_table_file(tried)
            setup = parse_table_line(dict(read.table_line), read.library).setup
        except (ConfigError, Refused) as why:
            raise SetUpRefusedError(str(why)) from why
        tried.replace(self.config)
        return setup

    # Lives of the program

    @property
    def is_up(self) -> bool:
        return self._program is not None

    @property
    def page(self) -> Page:
        assert self._program is not None
        assert self._program.page is not None
        return self._program.page

    def start(self, options: Sequence[str] = ()) -> None:
        """Start the program; raises `TableEndedError`."""
        for end in self.ends.values():
            if end.wire.near >= 0:
                end.wire.unplug()
                end.wire.plug()
        options = [*options, *(("--simulate", "--paused") if self.is_demo else ())]
        if self.port:
            options += ["--port", str(self.port)]
        first = PATIENT + self._first
        self._program = Program(self._build, self.config, self.folder, {}, self._live, options, first)
        self._people.clear()
        self._take_look()

    def end(self, *, kill: bool) -> int:
        """End the program as systemd does, or as a pulled plug would; return its status."""
        assert self._program is not None
        program, self._program = self._program, None
        self._sign_everybody_out()
        return program.kill() if kill else program.stop()

    def close(self) -> None:
        """Leave nothing behind that runs."""
        if self._program is not None:
            self._program.kill()
            self._program = None
        self._sign_everybody_out()
        for end in self.ends.values():
            end.wire.unplug()

    def use_build(self, build: Path) -> None:
        """Start another copy of the program from the next start on."""
        self._build = build

    def _sign_everybody_out(self) -> None:
        for person in self._people.values():
            person.connection.close()
        self._people.clear()

    def _live(self, listening: int | None) -> None:
        near = [end.wire.near for end in self.ends.values() if end.wire.near >= 0]
        select.select(near if listening is None else [*near, listening], [], [], 0.001)
        self.board._simulator._host_silent_ms = 0  # a busy machine is no silence
        for end in self.ends.values():
            end.live()

    # Looking

    def look(self) -> dict[str, Any]:
        """The newest state of the floor's page."""
        if self._program is not None:
            self.page.look()
            self._take_look()
        return self.last_state

    def _take_look(self) -> None:
        self.last_state = self.page.shown

    def wait(self, until: Callable[[dict[str, Any]], bool], seconds: float) -> bool:
        """Look at the page until it is so; return whether it came.

        Seconds count in which the program and this process were let run: on a busy machine an answer is late, and not
        missing.
        """
        found = wait_while_busy(
            lambda left: self.page.wait(lambda: until(self.page.shown), left), self._read_delay, seconds
        )
        self._take_look()
        return found

    def _read_delay(self) -> float:
        """Seconds that the program and this process were ready to run and waited for a processor."""
        assert self._program is not None
        return sum(read_delay(pid) for pid in (self._program.pid, os.getpid()))

    def wait_for_news(self, before: Mapping[str, Any], seconds: float, *, notices: bool = False) -> bool:
        """Wait until the table has taken an entry more, or has refused one; `notices`: or says so by a notice."""
        return self.wait(
            lambda now: (
                now["entry"] != before["entry"]
                or (now["number"] != before["number"] and now["refusal"] is not None)
                or now["floor_called"] != before["floor_called"]
                or (notices and now["notices"] != before["notices"])
            ),
            seconds,
        )

    def settle(self, unplugged: Sequence[str] = ()) -> bool:
        """Wait until every device whose cable is in is there."""
        return self.wait(
            lambda now: all(device["state"] == "ready" for device in now["devices"] if device["name"] not in unplugged),
            READY_SECONDS,
        )

    def read_pages(self, languages: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """The table as others get it: by the API's tokens, and by a page that nobody has signed in at, in languages."""
        found: dict[str, Mapping[str, Any]] = {}
        for role, token in self._tokens.items():
            answer = self._ask("GET", "/api/v1/table", role, {"Authorization": f"Bearer {token}"})
            found[role] = answer.content
        for language in languages:
            answer = self._ask("GET", "/state", "nobody", {"Cookie": f"language={language}"})
            found[f"nobody, {language}"] = answer.content
        return found

    def list_entries(self, role: str = "dealer") -> list[Mapping[str, Any]]:
        """What was entered, as the sheet of *Put right* lists it."""
        found: list[Mapping[str, Any]] = list(self._ask_as(role, "GET", "/entries").content.get("entries", []))
        return found

    # Doing

    def enter(self, role: str, line: Mapping[str, Any], seen: int) -> Answer:
        """Somebody enters a line on a page, or several with one touch."""
        meant = {"lines": list(line["lines"])} if "lines" in line else {"line": dict(line)}
        return self._ask_as(role, "POST", "/entry", {"seen": seen, **meant})

    def post(self, role: str, path: str, content: Mapping[str, Any]) -> Answer:
        """Somebody sends something else from a page."""
        return self._ask_as(role, "POST", path, content)

    def enter_by_token(self, token: str, path: str, content: Mapping[str, Any]) -> Answer:
        """A program of the house sends something."""
        headers = {"Authorization": f"Bearer {self._tokens[token]}", "Content-Type": "application/json"}
        return self._ask("POST", path, token, headers, content)

    def pass_card(self, card: str) -> None:
        """Pull a card out of the shoe, past its reader."""
        self.reader.pass_card(card)

    def pass_foreign_card(self) -> None:
        """Pull a card out of the shoe that is none of the deck's."""
        from drivers.simulators.readers.rdm6300_simulator import build_frame

        self.reader.wire.say(build_frame(FOREIGN_TAG, newline=True))

    def press(self, key: str) -> None:
        """Press a key of the panel."""
        self.board.press(key)

    def unplug(self, device: str) -> None:
        """Pull a cable."""
        self.ends[device].wire.unplug()

    def plug(self, device: str) -> None:
        """Put a cable back in."""
        end = self.ends[device]
        if end.wire.near < 0:
            end.wire.plug()
        if isinstance(end, Board):
            end.restart()

    def _ask_as(self, role: str, method: str, path: str, content: Mapping[str, Any] | None = None) -> Answer:
        """Ask as somebody, who signs in first where nobody of that role is."""
        signs_in = role in PERSON_BY_ROLE and not self.is_demo
        if signs_in and role not in self._people:
            self._sign_in(role)
        answer = self._ask(method, path, role, {}, content)
        if signs_in and (answer.status == 401 or answer.content.get("code") == "pin-to-decide"):
            self._sign_in(role)
            answer = self._ask(method, path, role, {}, content)
        return answer

    def _sign_in(self, role: str) -> None:
        name = PERSON_BY_ROLE[role]
        self._people.pop(role, None)
        person = self._people[role] = SignedIn(self._connect())
        self._ask("POST", "/sign-in", role, {}, {"name": name, "pin": PINS[name]})
        person.token = str(self._ask("GET", "/who", role, {}).content.get("token", ""))

    def sign_out(self, role: str) -> None:
        """Somebody signs out."""
        if role in self._people:
            self._ask("POST", "/sign-out", role, {}, {})
            self._people.pop(role).connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.page.port, timeout=READY_SECONDS)

    def _ask(
        self, method: str, path: str, who: str, headers: Mapping[str, str], content: Mapping[str, Any] | None = None
    ) -> Answer:
        person = self._people.setdefault(who, SignedIn(self._connect()))
        sent = dict(headers)
        if method == "POST" and "Authorization" not in headers:
            sent |= {"Origin": f"http://127.0.0.1:{self.page.port}", "Content-Type": "application/json"}
        if person.cookie:
            sent["Cookie"] = "; ".join(filter(None, (sent.get("Cookie"), f"{SESSION_COOKIE}={person.cookie}")))
        if person.token:
            sent[CSRF_HEADER] = person.token
        body = None if content is None else json.dumps(content)
        for attempt in (1, 2):
            try:
                person.connection.request(method, path, body, sent)
                response = person.connection.getresponse()
                text = response.read().decode()
                break
            except (http.client.HTTPException, ConnectionError):
                person.connection.close()
                if attempt == 2:
                    raise
        self._live(None)
        given = response.getheader("Set-Cookie", "")
        if given.startswith(f"{SESSION_COOKIE}="):
            person.cookie = given.partition(";")[0].partition("=")[2].strip('"')
        read: Any = {}
        with suppress(ValueError):
            read = json.loads(text)
        return Answer(response.status, read if isinstance(read, Mapping) else {"list": read})

    def find_cookie(self, role: str) -> str:
        """Sign somebody in, and tell the cookie of the session."""
        if self.is_demo:
            return ""
        if (
            role not in self._people
            or not self._people[role].cookie
            or self._ask("GET", "/who", role, {}).content.get("token") != self._people[role].token
        ):
            self._sign_in(role)
        return self._people[role].cookie

    @contextmanager
    def keep_alive(self) -> Iterator[None]:
        """Let the far ends live while this thread waits for something else, as for a browser."""
        is_over = threading.Event()

        def live() -> None:
            while not is_over.is_set():
                self._live(None)
                is_over.wait(0.004)

        thread = threading.Thread(target=live, daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def breathe(self, seconds: float) -> None:
        """Let real seconds pass, and the far ends live."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self._program is not None:
                self._program.breathe()
            else:
                self._live(None)


def wait_while_busy(
    wait: Callable[[float], bool],
    read_delay: Callable[[], float],
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Wait so many seconds, and again as long as others had the processor meanwhile; return whether it came.

    `read_delay`: seconds until now in which those who are waited for could have run, and were not let.
    """
    last = clock() + MAX_SECONDS
    delay, left = read_delay(), seconds
    while not wait(left):
        before, delay = delay, read_delay()
        left = delay - before
        if left < seconds * IDLE_SHARE or clock() > last:
            return False
    return True


def read_delay(pid: int) -> float:
    """Seconds that the threads of a process were ready to run and waited for a processor."""
    waited = 0.0
    for task in Path("/proc", str(pid), "task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has ended meanwhile
            waited += int(task.read_text(encoding="ascii").split()[1]) / 1e9
    return waited


def write_toml(value: object) -> str:
    """Write a value as TOML has it."""
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{key} = {write_toml(item)}" for key, item in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(write_toml(item) for item in value) + "]"
        case _:
            return json.dumps(value)


__all__ = ["Answer", "House", "SetUpRefusedError", "TableEndedError"]
