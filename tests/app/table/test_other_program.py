"""R11: a table goes on with a program that differs from the one before it, newer or older, and loses no chip."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.app.table import session_start
from controller.app.table.session_start import resume_or_begin
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.output_digest import DigestMatch
from controller.runtime.journal.recovery import journal_replay
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.snapshot_keeper import IDLE_DELAY_S
from controller.runtime.loop.table_view import SIMULATION
from tests.app.rig import Rig, demo
from tests.tree_copy import copy_tree

ROOT = Path(__file__).parents[3]
LIFE = Path(__file__).with_name("life_of_a_table.py")

PATCHES = {
    "pyproject.toml": ('version = "', 'version = "9.'),
    "controller/core/rules/rulings.py": ('f"{sentence} (', 'f"In other words: {sentence} ('),
    "controller/core/engine/output/outcome_rendering.py": (
        '"line": number,\n        "hand": state',
        '"line": number, "new": 1, "hand": state',
    ),
    "controller/core/model/table_state.py": (
        "    hand_count: int = 0\n",
        "    hand_count: int = 0\n    hue: int = 3\n",
    ),
    "config/rulebooks/roberts-7.toml": ("\n", "\n# one more word\n"),
}


@pytest.fixture(scope="module")
def update(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with other words, a new key, a new field of the state and another version, as its wheel has it."""
    folder = tmp_path_factory.mktemp("update")
    sources = ("controller", "drivers", "firmware_bridge", "config", "pyproject.toml", "README.md")
    copy_tree((*sources, "make/index_metadata.py"), folder)
    for name, (old, new) in PATCHES.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text, name
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, str(folder)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "installed")
    return folder / "installed"


def life(directory: Path, program: Path, hand: int, phase: str) -> dict[str, Any]:
    """Let `program` live from the state of the table until `phase` of a hand."""
    path = os.pathsep.join(map(str, (program, ROOT)))
    done = subprocess.run(
        (sys.executable, str(LIFE), str(directory), str(hand), phase),
        env={**os.environ, "PYTHONPATH": path}, cwd=directory, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_table_goes_on_with_another_program_and_with_the_one_before(tmp_path: Path, update: Path) -> None:
    """Between hands, where other rules begin a session that keeps everything, and in the middle of one."""
    first = life(tmp_path, ROOT, 2, "idle")
    newer = life(tmp_path, update, 3, "bet")
    assert newer["begun"] == first["ended"]
    assert newer["program"][1].startswith("9.")
    assert newer["program"][2] == first["program"][2] + 1
    assert newer["program"][0] == first["program"][0] + 1, "other rules are another session"
    older = life(tmp_path, ROOT, 3, "idle")
    assert older["begun"] == newer["ended"]
    again = life(tmp_path, update, 4, "idle")
    assert again["begun"] == older["ended"]
    last = life(tmp_path, ROOT, 4, "idle")
    assert last["begun"] == again["ended"]


def in_hand(directory: Path, hand: int = 3) -> dict[str, Any]:
    """Play into a hand; return how the table stood before it."""
    with Rig(directory, lossless=True) as rig:
        room, before = rig.room(5), rig.output
        while rig.output["hand"] < hand or rig.output["phase"] != "bet":
            before = rig.output if rig.output["phase"] == "idle" else before
            rig.live(room, 1)
        assert rig.output["stacks"] != before["stacks"]
    return before


def start(directory: Path) -> None:
    journal = Journal(directory / "journal.sqlite")
    try:
        journal.begin_run("boot", "test")
        resume_or_begin(journal, demo(), SIMULATION)
    finally:
        journal.close()


def comes_to_other_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_replay, "compare_digest", lambda *_: DigestMatch.OTHER_STAKES)


def test_other_chips_in_mid_hand_stop_the_start_and_the_way_on_keeps_the_stacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = in_hand(tmp_path)
    comes_to_other_chips(monkeypatch)
    with pytest.raises(RecoveryError, match=r"finish the hand, or give the hand up with --void-hand"):
        start(tmp_path)
    with Rig(tmp_path, lossless=True, void_hand=True) as rig:
        assert rig.output["phase"] == "idle"
        assert rig.output["stacks"] == before["stacks"]
        assert rig.output["hand"] == before["hand"]
    monkeypatch.undo()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.output["stacks"] == before["stacks"]
        room = rig.room(6)
        while rig.output["hand"] <= before["hand"] or rig.output["phase"] != "idle":
            rig.live(room, 1)
        stands = rig.read_lasting_state()
        session = rig.journal.list_sessions()[-1]
        assert journal_replay.compare_with_replay(rig.journal, session, parse_table_line).first_difference is None
    (tmp_path / "snapshot").unlink()
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.read_lasting_state() == stands


def test_other_chips_between_hands_are_said_and_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(5)
        while rig.output["hand"] < 2 or rig.output["phase"] != "idle":
            rig.live(room, 1)
        stood = rig.output["stacks"]
    (tmp_path / "snapshot").unlink(missing_ok=True)  # of a hand after which the table rested
    comes_to_other_chips(monkeypatch)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.output["stacks"] == stood
        assert any(notice.code is NoticeCode.RESULT_DIFFERS for notice in rig.standing.notices)


def test_other_rules_that_decide_the_last_hand_otherwise_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played again from the snapshot, by rules that may have changed, before the new session begins."""
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(5)
        while rig.output["hand"] < 2 or rig.output["phase"] != "idle":
            rig.live(room, 1)
        rig.run(IDLE_DELAY_S + 0.1)
    comes_to_other_chips(monkeypatch)
    monkeypatch.setattr(session_start, "find_header_changes", lambda *_: ["rulebook_sha256"])
    with Rig(tmp_path, lossless=True) as rig:
        assert len(rig.journal.list_sessions()) == 2
        assert any(notice.code is NoticeCode.RESULT_DIFFERS for notice in rig.standing.notices)


def test_other_words_in_mid_hand_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_hand(tmp_path)
    monkeypatch.setattr(journal_replay, "compare_digest", lambda *_: DigestMatch.OTHER_PLAY)
    with Rig(tmp_path, lossless=True) as rig:
        assert rig.output["phase"] == "bet"
