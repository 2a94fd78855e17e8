"""What a whole house reads of a live table: every route of its site by every role and token, files, exports, copies.

`look_at_house` takes a second or two, so it is asked now and then; what changes with each entry `LiveTable.look` has.
"""

import asyncio
import contextlib
import io
import json
import re
import sqlite3
import sys
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
from starlette.routing import Route

from config.file_library import Library
from controller.app.table import past_hands
from controller.app.table.past_hands import PastHands
from controller.app.training.lesson_library import LessonLibrary
from controller.app.upkeep.backup import make_backup
from controller.cli import main
from controller.core.values.packed_value import build_value, unpack_fields
from controller.records.export_formats import ExportFormat
from controller.runtime.journal.hand_index import HandMatches, HandQuery
from controller.runtime.journal.recovery.snapshot import SNAPSHOT_FILE, SnapshotDocument
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.token_store import TokenStore
from controller.web.access.authenticator import SESSION_COOKIE, Authenticator
from controller.web.access.session_store import SessionStore
from controller.web.publishing.page_state_hub import PageStateHub
from controller.web.site import make_app
from tests.two_worlds.live_table import SINCE, LiveTable, Look, find_people, without_chance
from tests.web.house import INVENTORY, Idle, NoUpkeep

NOBODY = "nobody"

CHANCE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?|\b[0-9a-f]{32,}\b|(?<![\w-])[\w-]{43}(?![\w-])"
    r"|[A-Za-z0-9+/]{40,}={0,2}"
)
"""Times, keys, hashes and what is sealed: of this run alone. Their lengths are compared."""

PARAMETERS = {"session:int": "1", "cite": "TDA-35-A", "book": "roberts-7", "lesson": "wrong-seat", "path:path": ""}


class HandsHere(PastHands):
    """Plays sessions again here, and not in a process of its own; once for all who ask the same.

    The list of hands is made whole before it is asked: a thread that does so meanwhile answers others with "busy",
    sooner in one world than in the other.
    """

    def find(self, wanted: HandQuery, before: tuple[int, int] | None = None) -> HandMatches:
        index = self._find_index()
        if index is not None and not index.is_complete and not self._read_lock.locked():
            self._complete_index(index)
        return super().find(wanted, before)

    def _read_in_process(self, what: str, *wanted: str) -> Iterator[Any]:
        told: dict[tuple[str, ...], list[Any]] = self.__dict__.setdefault("_told", {})
        if (what, *wanted) not in told:
            told[what, *wanted] = list(self._read(what, *wanted))
        return iter(told[what, *wanted])

    def _read(self, what: str, *wanted: str) -> Iterable[Any]:
        match what:
            case "steps":
                return past_hands.read_steps(self._path, int(wanted[0] or 0) or None, int(wanted[1]))
            case "rows":
                return [row.to_json() for row in past_hands.read_rows(self._path, int(wanted[0]), int(wanted[1]))]
            case _:
                assert what == "export"
                return past_hands.export_hands(self._path, ExportFormat(wanted[0]), wanted[1] or None, wanted[2:])


def look_at_house(table: LiveTable) -> Look:
    """Everything that can be read of a table that rests or plays, by the surface."""
    look: dict[str, str] = {}
    look |= asyncio.run(_ask_site(table))
    look |= _read_files(table)
    look |= _ask_commands(table)
    return {surface: CHANCE.sub(_write_length, SINCE.sub("", text)) for surface, text in look.items()}


def _write_length(found: re.Match[str]) -> str:
    return f"<{len(found.group())}>"


async def _ask_site(table: LiveTable) -> Look:
    """Every route that is read, by everybody; a stream ends with what stands there now."""
    hub = PageStateHub(table.hub.setup)
    assert table.view is not None
    hub.publish(table.view)
    hub.close()
    sessions = SessionStore(lambda _person: True, lambda: 0.0)
    store = TokenStore(table.directory.parent / f"{table.directory.name}.tokens")
    tokens = {role: store.add(role.value, role) for role in TokenRole}
    cookies = {role.value: sessions.begin(person, None) for role, person in find_people().items()}
    hands = HandsHere(table.journal.path, lambda: table.hands, lambda: hub.setup)
    app = make_app(
        hub,
        ("127.0.0.1",),
        None,
        table.endpoint,
        door=Authenticator(sessions, tokens=store),
        hands=hands,
        bench=Idle(),
        upkeep=NoUpkeep(),
        call_floor=lambda _wanted, _by: True,
        school=LessonLibrary(Library(), lambda: "roberts-7"),
        entered=table.loop.list_amendable_entries,
        offers=table.loop.describe_offers,
        inventory=lambda: INVENTORY,
    )
    look: dict[str, str] = {}
    hand = table.loop.outcome.state.hand_count
    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            for route in app.routes:
                if not isinstance(route, Route) or "GET" not in (route.methods or ()):
                    continue
                for path in _fill(route.path, hand):
                    callers: dict[str, dict[str, str]] = {NOBODY: {}}
                    callers |= {role: {"Cookie": f"{SESSION_COOKIE}={cookie}"} for role, cookie in cookies.items()}
                    if path.startswith("/api/"):
                        callers |= {
                            f"{role.value} (token)": {"Authorization": f"Bearer {tokens[role]}"} for role in tokens
                        }
                    for who, headers in callers.items():
                        answer = await client.get(path, headers=headers)
                        look[f"GET {path} by {who}"] = f"{answer.status_code} {answer.text}"
    finally:
        store.close()
        Path(store.path).unlink()
    return look


def _fill(path: str, hand: int) -> list[str]:
    """The paths to ask for: of hands the one that is on, or the last, and the one before."""
    for name, value in PARAMETERS.items():
        path = path.replace("{" + name + "}", value)
    paths = [path.replace("{hand:int}", str(number)) for number in (hand, hand - 1)] if "{hand:int}" in path else [path]
    if path == "/offers":
        paths = ["/offers", *(f"/offers?seat={seat}" for seat in range(1, 11))]
    if path.endswith("/export"):
        paths = [f"{path}?format={each.value}" for each in ExportFormat]
    return [each for each in paths if "{" not in each]


def _read_files(table: LiveTable) -> Look:
    """Every file by name and size; what is compressed or in tables, by its content; a backup with and without keys."""
    directory = table.directory
    look: dict[str, str] = {}
    look["files"] = repr([(path.name, path.stat().st_size) for path in sorted(directory.iterdir())])
    snapshot = directory / SNAPSHOT_FILE
    if snapshot.exists():
        document = build_value(unpack_fields(zlib.decompress(snapshot.read_bytes())), SnapshotDocument)
        look["snapshot"] = repr(without_chance(unpack_fields(document.snapshot)))
    with contextlib.closing(sqlite3.connect(f"file:{directory / 'hands.sqlite'}?mode=ro", uri=True)) as hands:
        look["list of hands, file"] = "\n".join(hands.iterdump())
    records = [(record.kind, without_chance(record.parse_body())) for record in table.journal.read_records(1)]
    look["journal, whole"] = "\n".join(f"{kind} {json.dumps(body)}" for kind, body in records)
    for keys in (False, True):
        packed = io.BytesIO()
        make_backup(table.file, directory, packed, keys=keys, program="test")
        with tarfile.open(fileobj=io.BytesIO(packed.getvalue())) as archive:
            look[f"backup, keys {keys}"] = repr([(member.name, member.size) for member in archive])
    return look


def _ask_commands(table: LiveTable) -> Look:
    """What the commands print that read a journal, without any key."""
    state = ("--state", str(table.directory))
    last = str(max(1, table.loop.outcome.state.hand_count - 1))
    commands: Mapping[str, tuple[str, ...]] = {
        "journal list": ("journal", "list"),
        "journal export": ("journal", "export"),
        "journal export, script": ("journal", "export", "--script"),
        "journal check": ("journal", "replay-check"),
        "journal receipt": ("journal", "receipt"),
        "hands list": ("hands", "list"),
        "hands show": ("hands", "show", last),
        **{f"hands export, {each.value}": ("hands", "export", "--format", each.value) for each in ExportFormat},
    }
    look: dict[str, str] = {}
    for name, words in commands.items():
        out, err = io.StringIO(), io.StringIO()
        argv, sys.argv = sys.argv, ["tablectl", *words, *state]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status: object = main()
        except SystemExit as end:
            status = end.code
        finally:
            sys.argv = argv
        text = out.getvalue().replace(str(table.directory), "DIR")
        if name == "journal export":
            lines = [json.loads(line) for line in text.splitlines()]
            text = "\n".join(json.dumps(without_chance(_open_body(line))) for line in lines)
        look[name] = f"{status}\n{text}\n{err.getvalue().replace(str(table.directory), 'DIR')}"
    return look


def _open_body(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the export, its record's body read."""
    return {**line, "body": json.loads(line["body"])} if isinstance(line.get("body"), str) else line


def list_readers() -> tuple[str, ...]:
    """Everybody who reads: nobody, every role, every kind of token."""
    return (NOBODY, *(role.value for role in Role), *(f"{role.value} (token)" for role in TokenRole))
