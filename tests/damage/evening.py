"""An evening at a live table: everything that a table keeps is there, and differs from what it was earlier.

`live_evening` leaves folders, each with the table's file, what it names, and `state`: the moments at which a table may
be found. Real drivers, real frames, real people (`tests.app.rig`); the files are those that the program writes.
"""

import base64
import contextlib
import io
import os
import shutil
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from config import rulebook_file
from config.file_library import HOUSE_VARIABLE
from config.table_file import DEMO_FILE, load_table_file
from controller.app.table.deck_selector import save_deck_in_play
from controller.app.table.past_drop import DropQuestion
from controller.app.table.past_hands import read_drop
from controller.app.upkeep.page_certificate import make_certificate
from controller.app.workshop.deck_recovery import record_registered_decks
from controller.cli import main
from controller.records.drop import DropGrouping
from controller.runtime.devices.deck_store import STANDARD_DECK, Deck, DeckStore
from controller.runtime.faults.fault_table import make_raise_event
from controller.runtime.journal import journal as journal_module
from controller.runtime.loop.staff_watch import StaffWatch
from controller.runtime.loop.table_view import LIVE
from controller.runtime.staff import pin_codes
from controller.runtime.staff.permissions import Role, TokenRole
from controller.runtime.staff.staff_store import StaffStore
from controller.runtime.staff.token_store import TokenStore
from controller.runtime.storage.state_directory import (
    JOURNAL_FILE,
    LOCK_FILE,
    STAFF_FILE,
    TABLE_DATABASE_FILE,
    TOKENS_FILE,
)
from tests.app.rig import Rig

CHEAP = pin_codes.HashCost(1, 8192)
PIN = "194728"
TOKEN_FILE = "token.txt"
"""What a machine of the house shows at the API; it lies beside the table, and is not the table's."""

TABLE_FILE = """\
# A live table of the house.
[table]
rulebook = "our-book"
game = "holdem"
betting = { structure = "no-limit", small_blind = 1, big_blind = 2 }
places = 8
button = 1
seats = [
  { seat = 1, player = "Ana", stack = 200 },
  { seat = 2, player = "Ben", stack = 180 },
  { seat = 4, player = "Cleo", stack = 220 },
  { seat = 5, player = "Dev", stack = 150 },
  { seat = 7, player = "Eve", stack = 240 },
]
sensors = ["identity"]

[collection]                  # the house's
kind = "rake"
percent = 5
cap = 4

[state]
directory = "state"

[house]
directory = "house"

[shoe]
deck = "demo"
reader = "shoe"

[device.shoe]
driver = "rdm6300"
port = "/dev/serial/by-id/usb-shoe"

[page]
port = 0
certificate = "page.crt"
key = "page.key"

[room]
key = "6b79c57e6a095239282c04818e96112f3f03a4001ba97a564c23852a3f1ea5fc"
asks = true
"""


@dataclass(frozen=True, slots=True)
class Evening:
    """Folders with a table as somebody may find it, by the moment; `earlier` is the same table an hour before."""

    folder_by_moment: Mapping[str, Path]
    earlier: Path


def live_evening(folder: Path, seed: int) -> Evening:
    """Play at a live table whose cards and people go by `seed`, below `folder`."""
    table, earlier = folder / "table", folder / "earlier"
    _put_up(table, seed)
    state = table / "state"
    found: dict[str, Path] = {}

    def keep(name: str) -> Path:
        """Copy everything as it lies on the disk now: what a kill leaves."""
        shutil.copytree(table, folder / name)
        return folder / name

    with contextlib.chdir(table), mock.patch.object(journal_module, "MAX_FILE_RECORDS", 90):
        _enrol_first(state)
        with _sit(table) as rig:
            _sign_in(rig, state, "Cy")
            _play_hands(rig, seed, 3)
            rig.run(2.0)
            rig.journal.end_run("SIGTERM")
        _look_at_drop(state)
        keep("earlier")
        _enrol_further(state)
    with contextlib.chdir(table):
        with _sit(table) as rig:
            _sign_in(rig, state, "Flo")
            rig.loop.record_deck_change(SECOND, "Flo")
            rig.drain()
            save_deck_in_play(state, SECOND)
            _play_hands(rig, seed + 1, 5)
            rig.run(2.0)
            _look_at_drop(state)
            (table / "receipt.txt").write_text(_run_command("journal", "receipt", "--config", "table.toml"))
            rig.enter(make_raise_event("reader-failing"))
            found["between hands, killed"] = keep("between-killed")
            rig.journal.end_run("SIGTERM")
        found["between hands, ended"] = keep("between-ended")
    with contextlib.chdir(table):
        with _sit(table) as rig:
            rig.clear("reader-failing")
            _play_into_hand(rig, seed + 2)
            found["in mid-hand, killed"] = keep("mid-killed")
            rig.journal.end_run("SIGTERM")
        found["in mid-hand, ended"] = keep("mid-ended")
    return Evening(found, earlier)


SECOND = Deck("second", {f"5E{number:08X}": card for number, card in enumerate(STANDARD_DECK)})


def _put_up(table: Path, seed: int) -> None:
    (table / "house" / "rulebooks").mkdir(parents=True)
    book = rulebook_file.find_rulebook_path("roberts-7").read_text(encoding="utf-8")
    (table / "house" / "rulebooks" / "our-book.toml").write_text(f"# Of house {seed}.\n{book}", encoding="utf-8")
    (table / "table.toml").write_text(TABLE_FILE, encoding="utf-8")
    make_certificate(table, ["127.0.0.1"])
    (table / "state").mkdir(mode=0o700)
    (table / "state" / LOCK_FILE).touch(mode=0o600)


def _sit(table: Path) -> Rig:
    """The table with devices on a bench, as its file has everything else."""
    file, bench = load_table_file(table / "table.toml"), load_table_file(DEMO_FILE)
    rig = Rig(
        table / "state",
        file=replace(
            bench,
            path=file.path,
            sha256=file.sha256,
            table_line=file.table_line,
            library=file.library,
            parts=file.parts,
        ),
        mode=LIVE,
    )
    with closing(DeckStore(table / "state" / TABLE_DATABASE_FILE)) as decks:
        record_registered_decks(decks, rig.journal)
    StaffWatch(rig.journal, table / "state", lambda *_troubles: None).check()
    return rig


def _enrol_first(state: Path) -> None:
    staff = StaffStore(state / STAFF_FILE, cost=CHEAP)
    staff.enrol("Cy", Role.TECHNICIAN, PIN, staff.redeem_code(staff.make_one_time_code()))
    staff.close()
    decks = DeckStore(state / TABLE_DATABASE_FILE)
    decks.register(Deck("demo", {f"5D{number:08X}": card for number, card in enumerate(STANDARD_DECK)}))
    decks.close()
    tokens = TokenStore(state / TOKENS_FILE)
    tokens.add("display", TokenRole.FLOOR_READ)
    tokens.close()
    _run_command("journal", "auditor", "new", "auditor.key")
    _run_command("journal", "auditor", "enrol", "auditor.key.pub", "--config", "table.toml")


def _enrol_further(state: Path) -> None:
    staff = StaffStore(state / STAFF_FILE, cost=CHEAP)
    for name, role in (("Flo", Role.FLOOR), ("Di", Role.DEALER), ("Al", Role.AUDITOR)):
        staff.enrol(name, role, PIN, staff.make_warrant(staff.sign_in("Cy", PIN)))
    staff.close()
    decks = DeckStore(state / TABLE_DATABASE_FILE)
    decks.register(SECOND)
    decks.close()
    tokens = TokenStore(state / TOKENS_FILE)
    (state.parent / TOKEN_FILE).write_text(tokens.add("accounts", TokenRole.FLOOR_READ), encoding="ascii")
    tokens.close()


def _sign_in(rig: Rig, state: Path, name: str) -> None:
    staff = StaffStore(state / STAFF_FILE, cost=CHEAP)
    person = next(each for each in staff.list_people() if each.name == name)
    rig.loop.record_sign_in(person.name, person.role.value, base64.b64encode(person.public_key).decode())
    rig.drain()
    staff.close()


def _play_hands(rig: Rig, seed: int, count: int) -> None:
    room = rig.room(seed, mistakes=0.0)
    wanted = rig.output["hand"] + count
    while rig.output["hand"] < wanted or rig.output["next"]:
        rig.live(room, 1)


def _play_into_hand(rig: Rig, seed: int) -> None:
    room = rig.room(seed, mistakes=0.0)
    while not rig.output["board"] or len(rig.output["next"]) != 1:
        rig.live(room, 1)


def _look_at_drop(state: Path) -> None:
    with mock.patch.dict(os.environ, {HOUSE_VARIABLE: "house"}):
        read_drop(state / JOURNAL_FILE, DropQuestion(DropGrouping.HAND, 0))


def _run_command(*words: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(words) == 0, words
    return said.getvalue()
