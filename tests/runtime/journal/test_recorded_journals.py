"""What earlier programs left: their snapshots are not read, and their journals lead to the same table.

Each archive has the files of a table that was cut short, and how it stood then. `form-1` and `form-2`: the form of its
snapshot. Those whose hands were given up have three sessions, of which two go on from a snapshot in their record. None
of these files is ever written anew.
"""

import json
import logging
import tarfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.model.setup import DiscardSelection, TableOpened
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.output_digest import DigestMatch, compare_digest
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery.journal_follower import JournalFollower
from controller.runtime.journal.recovery.journal_replay import RecoveryError, compare_with_replay, recover_table
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from tests.app.rig import Rig, demo

RECORDED = sorted(Path(__file__).with_name("recorded").glob("*.tar.xz"))
KEYS = ("hand", "phase", "stacks", "pots", "bets", "piles", "board", "gate", "next")


@pytest.fixture(params=RECORDED, ids=lambda path: path.name.removesuffix(".tar.xz"))
def recorded_directory(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with tarfile.open(request.param) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has none
        archive.extractall(tmp_path)
    return tmp_path


def start(directory: Path) -> Rig:
    """Start with the table as it was set up when it was recorded."""
    with closing(JournalReader.open(directory / "journal.sqlite")) as journal:
        header = journal.list_sessions()[-1].header
    return Rig(directory, lossless=True, file=replace(demo(), table_line=json.loads(header["table"])))


def describe(output: dict[str, Any]) -> dict[str, Any]:
    return {key: output[key] for key in KEYS}


def test_a_start_plays_the_journal_again_and_says_so_once(
    recorded_directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stood = describe(json.loads((recorded_directory / "standing.json").read_text()))
    with closing(JournalReader.open(recorded_directory / "journal.sqlite")) as journal:
        sessions = journal.list_sessions()
    with start(recorded_directory) as rig:
        assert describe(rig.output) == stood
        assert rig.recovered.doubtful_entry is None
        assert "the snapshot is not used (it is of another form): the session is played again" in caplog.text
        for session in sessions:
            said = f"session {session.number} cannot be taken up (it is of another form)"
            assert (said in caplog.text) == (session.snapshot_text is not None)
        room, hand = rig.room(11), rig.output["hand"]
        while rig.output["hand"] < hand + 2 or rig.output["phase"] != "idle":
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)
        stands = rig.read_lasting_state()
    caplog.clear()
    caplog.set_level(logging.WARNING)
    with start(recorded_directory) as rig:
        assert rig.read_lasting_state() == stands
        assert "another form" not in caplog.text


def test_every_session_comes_to_what_was_recorded(recorded_directory: Path) -> None:
    with closing(JournalReader.open(recorded_directory / "journal.sqlite")) as journal:
        for session in journal.list_sessions():
            assert compare_with_replay(journal, session, parse_table_line).first_difference is None


def test_a_journal_that_is_followed_comes_to_what_was_recorded(recorded_directory: Path) -> None:
    """From its first session on; from one that goes on from a snapshot of another form it says that it cannot."""
    with closing(JournalReader.open(recorded_directory / "journal.sqlite")) as journal:
        records = [*journal.read_records()]
        sessions = journal.list_sessions()
    followed = JournalFollower("one", parse_table_line)
    played = [each for record in records for each in followed.receive_record(record)]
    for each in played:
        if each.entry.digest is not None:
            match = compare_digest(each.entry.digest, dict(each.output_line))
            assert match is not DigestMatch.OTHER_STAKES
    assert played[-1].entry.session == sessions[-1].number
    for session in sessions:
        if session.snapshot_text is not None:
            with pytest.raises(RecoveryError, match="cannot be taken up"):
                JournalFollower("one", parse_table_line).receive_record(records[session.first_record - 1])


@pytest.mark.parametrize("recorded_directory", RECORDED[1:2], indirect=True)
def test_a_session_before_that_leads_to_other_chips_now_is_said(
    recorded_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the session is that goes on from it: its first entry is compared."""
    monkeypatch.setattr(journal_replay, "MAX_VERIFIED_ENTRIES", 0)
    monkeypatch.setattr(journal_replay, "compare_digest", lambda *_: DigestMatch.OTHER_STAKES)
    with closing(JournalReader.open(recorded_directory / "journal.sqlite")) as journal:
        session = journal.list_sessions()[-1]
        assert session.snapshot_text is not None
        found = recover_table(journal, session, parse_table_line)
    assert found.doubtful_entry == session.last_entry_before + 1


@pytest.mark.parametrize(("said", "meant"), [({}, "first"), ({"discards": "unknown"}, "unknown")])
def test_a_recorded_line_without_discards_is_older_than_the_key(said: dict[str, str], meant: str) -> None:
    """When it was written the cards dealt first were taken to have gone; a line of today's scripts takes none."""
    betting = {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4}
    line = {"ev": "table", "rulebook": "roberts-7", "game": "draw-high", "betting": betting, "button": 1, **said}
    line["seats"] = [{"seat": 1, "stack": 9}, {"seat": 2, "stack": 9}]
    session = SimpleNamespace(header={"table": json.dumps(line)})
    assert journal_replay.load_setup(session, parse_table_line).discard_selection.value == meant  # type: ignore[arg-type]
    event = journal_replay.parse_event(SimpleNamespace(number=1), line, parse_table_line)  # type: ignore[arg-type]
    assert isinstance(event, TableOpened)
    assert event.setup.discard_selection.value == meant
    assert parse_table_line(line).setup.discard_selection is DiscardSelection.UNKNOWN
