"""What was dropped, read out of a journal of several days: sessions, files, starts and kills, hands given up."""

import json
import random
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from config.table_file import LIVE_TABLE_DEFAULTS
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.play.game_flow import house_account
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import format_line, parse_line
from controller.core.protocol.steps import ActStep, CardStep
from controller.core.protocol.table_error import Refused
from controller.records.drop_box import BOX_RECORD_KIND, make_count_line
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.recovery.drop_index import DROP_INDEX_FILE, DropIndex
from controller.runtime.journal.recovery.drop_ledger import DropLedger, read_boxes, read_drop
from controller.runtime.journal.recovery.journal_replay import (
    RecoveredTable,
    find_last_idle_snapshot,
    recover_table,
    take_up,
)
from controller.runtime.journal.recovery.snapshot import to_text
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from tests.core.arbitrary import WatchedTable
from tests.laws.blocks import list_blocks
from tests.laws.test_collection import next_line, raked_line
from tests.laws.test_journal_restart import JournaledTable
from tests.playing import NO_LIMIT

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 2, 4, 320


class DaysOfPlay(JournaledTable):
    """A table that is played for days; `total_chips` is all that its account had at rest, over all its sessions."""

    def __init__(self, directory: Path, opened: dict[str, object]) -> None:
        self.opened = {**LIVE_TABLE_DEFAULTS, **opened}
        self.closed_chips = self.resting_account = self.boxes_chips = 0
        super().__init__(directory, self.opened)

    @property
    def total_chips(self) -> int:
        return self.closed_chips + self.resting_account

    def take(self, line: dict[str, object], event: Event) -> EntryResult:
        given = super().take(line, event)
        if not given.outcome.state.is_hand_on:
            self.resting_account = house_account.count_session_chips(given.outcome.state)
        return given

    def restart(self) -> None:
        self.journal.close()
        self._open()
        session = self.journal.find_last_session()
        assert session is not None
        self.found = recover_table(self.journal, session, parse_table_line, make_current_key_finder(self.directory))
        self.journal.continue_session(session)
        self.journal.resume_hand(read_card_knowledge(self.found.table.outcome), self.found.unsealed_hand)
        self.writer = SnapshotWriter(self.journal, self.found)

    def begin_session(self, *, goes_on: bool) -> None:
        """Another session, with the stacks of its line or with the table as it last rested."""
        session = self.journal.find_last_session()
        assert session is not None
        left = find_last_idle_snapshot(self.journal, session, parse_table_line) if goes_on else None
        event = parse_table_line(self.opened)
        self.journal.begin_session({"table": json.dumps(self.opened)}, None if left is None else to_text(left))
        number = self.journal.append_entry(self.opened, "test")
        if left is None:
            self.closed_chips, self.resting_account = self.total_chips, 0
            self.found = RecoveredTable(Table())
            given = handle_entry(self.found.table, event, number)
            self.found.add_entry(event, given, 0.0)
        else:
            self.found = take_up(left, event.setup, number)
        self.writer = SnapshotWriter(self.journal, self.found)

    def count_box(self) -> None:
        """Count the box of all sessions, right to the chip."""
        number = len(read_boxes(self.journal)) + 1
        expected = self.total_chips - self.boxes_chips
        self.journal.append_note(
            BOX_RECORD_KIND,
            {
                "line": make_count_line(number, expected, expected),
                "session": self.journal.list_sessions()[-1].number,
                "account": self.resting_account,
                "by": [{"name": "Flo", "role": "floor"}, {"name": "Ada", "role": "dealer"}],
            },
        )
        self.boxes_chips = self.total_chips


def check_index(played: DaysOfPlay, directory: Path, where: str) -> None:
    """What is kept beside the journal says what the journal says, played again."""
    kept = DropIndex(directory / DROP_INDEX_FILE).read_drop(played.journal, parse_table_line)
    assert kept == read_drop(played.journal, parse_table_line), where


def check_ledger(ledger: DropLedger, played: DaysOfPlay, where: str) -> None:
    state = played.found.table.outcome.state
    assert not ledger.unreadable, where
    assert all((one.session, one.hand) < (other.session, other.hand) for one, other in pairwise(ledger.rows)), where
    if not state.setup.tracks_amounts:
        return
    assert ledger.open_chips is not None
    now = played.closed_chips + house_account.count_session_chips(state)
    assert sum(row.amount or 0 for row in ledger.rows) + ledger.open_chips == now, where
    boxes = read_boxes(played.journal)
    assert ledger.count_chips_since(boxes[-1] if boxes else None) == played.total_chips - played.boxes_chips, where
    assert all(box.difference == 0 for box in boxes)


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_what_was_dropped_is_the_account_of_all_sessions(block: int, tmp_path: Path) -> None:
    seen = {"sessions": 0, "files": 0, "chips": 0, "boxes": 0, "given up": 0, "looks": 0}
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        directory = tmp_path / str(seed)
        directory.mkdir()
        played = DaysOfPlay(directory, raked_line(pick))
        watched = WatchedTable(played.opened, played.found.table, is_looked_at=False)
        with closing(played.journal):
            for _ in range(EVENTS_PER_TABLE):
                watched.table = played.found.table
                try:
                    event = parse_line(next_line(watched, pick))
                except Refused:
                    continue
                played.take(format_line(event), event)
                is_on = played.found.table.outcome.state.is_hand_on
                match pick(150):
                    case 0:
                        played.restart()
                    case 1:
                        played.begin_session(goes_on=True)
                        seen["given up"] += is_on
                    case 2:
                        played.begin_session(goes_on=False)
                    case 3 | 4 | 5 | 6 | 7 | 12 | 13 | 14 | 15 if not is_on:
                        seen["files"] += played.journal.rotate()
                    case 16 | 17 | 18 | 19:
                        check_index(played, directory, f"seed {seed}")
                        seen["looks"] += 1
                    case 8 | 9 | 10 | 11 if not is_on and played.found.table.outcome.state.setup.tracks_amounts:
                        played.count_box()
                    case _:
                        pass
            ledger = read_drop(played.journal, parse_table_line)
            check_ledger(ledger, played, f"seed {seed}")
            check_index(played, directory, f"seed {seed}")
            boxes = read_boxes(played.journal)
            if boxes:
                since = read_drop(played.journal, parse_table_line, boxes[-1].session)
                assert since.count_chips_since(boxes[-1]) == ledger.count_chips_since(boxes[-1])
            seen["sessions"] += len(ledger.sessions)
            seen["chips"] += sum(row.amount or 0 for row in ledger.rows)
            seen["boxes"] += len(boxes)
    assert block >= QUICK_BLOCKS or all(seen.values()), seen


def play(played: DaysOfPlay, *lines: dict[str, object]) -> None:
    """These lines, and the hand that is on to its end, where all fold in turn."""
    for line in lines:
        played.take(line, parse_line(line))
    while played.found.table.outcome.state.is_hand_on:
        match played.found.table.outcome.state.plan.next_step:
            case CardStep():
                line = {"ev": "card", "card": None}
            case ActStep(seat=seat):
                line = {"ev": "act", "seat": seat, "do": "fold"}
            case _:
                line = {"ev": "done"}
        played.take(line, parse_line(line))


def open_timed_table(directory: Path, book: str) -> DaysOfPlay:
    return DaysOfPlay(
        directory,
        {
            "ev": "table", "rulebook": book, "game": "holdem", "betting": NO_LIMIT, "button": 1, "mode": "cash",
            "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
            "collection": {"kind": "time", "fee": 4, "minutes": 30},
        },
    )  # fmt: skip


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_charge_after_the_last_hand_of_a_session_counts_once(tmp_path: Path, goes_on: bool) -> None:
    played = open_timed_table(tmp_path, "roberts-7")
    with closing(played.journal):
        play(played, {"ev": "start"}, {"ev": "collect", "seat": 2, "paid": False})
        late: dict[str, object] = {"ev": "collect", "seat": 2}
        played.take(late, parse_line(late))
        assert read_drop(played.journal, parse_table_line).open_chips == 4
        played.begin_session(goes_on=goes_on)
        play(played, {"ev": "start"})
        ledger = read_drop(played.journal, parse_table_line)
        check_ledger(ledger, played, "a late charge")
        assert [row.amount for row in ledger.rows] == ([8, 4] if goes_on else [8, 12])
        assert ledger.open_chips == (0 if goes_on else 4)


def test_a_hand_that_was_on_again_as_it_was_given_up_stays_as_it_was_over(tmp_path: Path) -> None:
    played = open_timed_table(tmp_path, "tda-2024")
    with closing(played.journal):
        play(played, {"ev": "start"})
        again: dict[str, object] = {"ev": "report", "what": "duplicate", "where": "hand", "seat": 3}
        played.take(again, parse_line(again))
        assert played.found.table.outcome.state.is_hand_on
        assert read_drop(played.journal, parse_table_line).rows == []
        played.begin_session(goes_on=True)
        ledger = read_drop(played.journal, parse_table_line)
        check_ledger(ledger, played, "given up")
        assert [row.amount for row in ledger.rows] == [12]
