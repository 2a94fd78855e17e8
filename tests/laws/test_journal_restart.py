"""A start from the disk stands as the table did, though nobody has the keys of the hands that are over."""

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from config.table_file import LIVE_TABLE_DEFAULTS
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import format_line, parse_line
from controller.core.protocol.table_error import Refused
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, recover_table
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.journal.sealing.hand_seal import read_card_knowledge
from controller.runtime.loop.snapshot_writer import SnapshotWriter
from tests.core.arbitrary import table_line
from tests.laws.blocks import list_blocks
from tests.laws.test_restart import make_line

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 2, 3, 200


class JournaledTable:
    """A table that writes its journal and its snapshots, and starts again from them."""

    def __init__(self, directory: Path, opened: dict[str, object]) -> None:
        self.directory = directory
        self.found = RecoveredTable(Table())
        opened = {**LIVE_TABLE_DEFAULTS, **opened}
        self._open()
        self.journal.begin_session({"table": json.dumps(opened)})
        event = parse_table_line(opened)
        given = handle_entry(self.found.table, event, self.journal.append_entry(opened, "test"))
        self.journal.record_result(1, given.compute_digest(given.to_output_line()), None)
        self.found.add_entry(event, given, 0.0)
        self.writer = SnapshotWriter(self.journal, self.found)

    def _open(self) -> None:
        self.journal = Journal(self.directory / "journal.sqlite")
        self.journal._db.execute("PRAGMA synchronous=OFF")  # many hands, and no power to be cut
        self.journal._write_ahead_log.sync_file = lambda _handle: None
        self.journal.begin_run("boot", "test")

    def take(self, line: dict[str, object], event: Event) -> EntryResult:
        number = self.journal.append_entry(line, "test")
        given = handle_entry(self.found.table, event, number)
        refused = None if given.error is None else given.error.code
        digest = given.compute_digest(given.to_output_line())
        self.journal.record_result(number, digest, refused, read_card_knowledge(given.outcome))
        self.found.table_time_s = max(self.found.table_time_s, event.time_s or 0.0)
        self.writer.on_entry(event, given, self.found.table_time_s)
        return given

    def rest(self) -> None:
        self.writer.write_snapshot_if_due((), 0, at_leisure=True)

    def restart(self) -> None:
        """As after a cut of the power."""
        self.journal.close()
        self._open()
        (session,) = self.journal.list_sessions()
        keys = make_current_key_finder(self.directory)
        self.found = recover_table(self.journal, session, parse_table_line, keys)
        self.journal.continue_session(session)
        self.journal.resume_hand(read_card_knowledge(self.found.table.outcome), self.found.unsealed_hand)
        self.writer = SnapshotWriter(self.journal, self.found)


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_a_table_that_was_started_from_its_disk_answers_as_one_that_never_was(block: int, tmp_path: Path) -> None:
    restarts = 0
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        directory = tmp_path / str(seed)
        directory.mkdir()
        opened = table_line(pick)
        stood, again = Table(), JournaledTable(directory, opened)
        handle_entry(stood, parse_table_line(opened), 1)
        with closing(again.journal):
            for number in range(2, EVENTS_PER_TABLE):
                try:
                    event = parse_line(make_line(stood, pick))
                except Refused:
                    event = parse_line({"ev": "done"})
                said = handle_entry(stood, event, number)
                where = f"seed {seed}, entry {number}: {event}"
                assert again.take(format_line(event), event).to_output_line() == said.to_output_line(), where
                if not stood.outcome.state.plan and pick(2):
                    again.rest()
                if pick(12) == 0:
                    again.restart()
                    assert again.found.last_result is not None
                    assert again.found.last_result.to_output_line() == said.to_output_line(), where
                    assert again.found.doubtful_entry is None, where
                    restarts += 1
    assert block >= QUICK_BLOCKS or restarts > 10 * TABLES_PER_BLOCK
