"""What the house takes over restarts: the floor's change stays, another section of the file is another set-up."""

from pathlib import Path

import pytest

from config.table_line import parse_table_line
from controller.app.table import session_start
from controller.app.table.session_start import resume_or_begin
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from controller.runtime.loop.table_view import SIMULATION
from tests.app.rig import Rig, demo

RAKE = {"kind": "rake", "percent": 7.5, "cap": 4, "caps": [{"dealt": 3, "cap": 2}], "no_flop_no_drop": True}
TIME = {"kind": "time", "fee": 6, "minutes": 30}
NONE = {"kind": "none"}


@pytest.mark.parametrize("other_rules", [False, True])
@pytest.mark.parametrize("changed", [TIME, NONE, RAKE])
def test_what_the_floor_changed_stands_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, object], *, other_rules: bool
) -> None:
    file = demo() if changed is RAKE else demo(collection=RAKE)
    with Rig(tmp_path, file=file, lossless=True) as rig:
        rig.enter({"ev": "collection", **changed})
        rig.run(IDLE_DELAY_S + 0.1)
        terms = rig.loop.outcome.state.setup.collection
        assert (terms is None) is (changed is NONE)
    if other_rules:
        monkeypatch.setattr(session_start, "find_header_changes", lambda *_: ["rulebook_sha256"])
    with Rig(tmp_path, file=file, lossless=True) as rig:
        assert rig.loop.outcome.state.setup.collection == terms
        session = rig.journal.list_sessions()[-1]
        assert len(rig.journal.list_sessions()) == 1 + other_rules
        told = changed if other_rules else file.table_line.get("collection")
        assert rig.read_lines()[0].get("collection") == told
        assert journal_replay.compare_with_replay(rig.journal, session, parse_table_line).first_difference is None


def test_a_changed_section_begins_a_session_and_never_in_a_hand(tmp_path: Path) -> None:
    with Rig(tmp_path, file=demo(collection=RAKE)):
        pass
    with Rig(tmp_path, file=demo(collection=TIME)) as rig:
        assert len(rig.journal.list_sessions()) == 2
        assert rig.loop.outcome.state.setup.collection is not None
        assert rig.loop.outcome.state.setup.collection.minutes == 30
        rig.press("start")
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    with pytest.raises(RecoveryError, match="a hand is being played under another set-up"):
        resume_or_begin(journal, demo(collection=RAKE), SIMULATION)
    journal.close()
