"""What a room is told of the program: one hash for one list of files, and what came of the last update."""

import hashlib
import json
from pathlib import Path

from controller.app.releases.installed_program import MAX_RESULT_LENGTH, hash_installed_program, read_last_update
from controller.app.releases.release_store import ReleaseStore


def test_a_release_is_known_by_its_signed_list(tmp_path: Path) -> None:
    release = tmp_path / "releases" / "1.4.0"
    (release / "venv").mkdir(parents=True)
    (release / "manifest.json").write_bytes(b"{}")
    (tmp_path / "current").symlink_to(release)
    assert hash_installed_program(tmp_path / "current" / "venv") == hashlib.sha256(b"{}").hexdigest()
    assert hash_installed_program(tmp_path / "elsewhere" / "venv") == "", "a checkout is sealed by nobody"


def test_the_last_update_is_told_in_short_and_a_damaged_log_tells_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert read_last_update(log) is None
    store = ReleaseStore(tmp_path, log)
    for number in range(200):
        store.append_log("then", f"1.{number}.0", "", "installed")
    store.append_log("then", "1.200.0", "", "refused: " + "x" * 1000)
    told = read_last_update(log)
    assert told is not None
    assert (told["version"], len(told["result"])) == ("1.200.0", MAX_RESULT_LENGTH)
    assert told["at"] == json.loads(log.read_text().splitlines()[-1])["end"]
    log.write_text(log.read_text() + "[" * 5000)
    assert read_last_update(log) is None
