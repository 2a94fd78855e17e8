"""`tablectl journal verify`, `receipt`, `open` and `auditor`, as an auditor types them far from the table."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.table.session_start import resume_or_begin
from controller.cli import main
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.table_view import SIMULATION
from tests.app.rig import Rig, demo

Tablectl = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def played_table_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with an auditor that has played two hands and is in the third, and the auditor's keys beside it."""
    folder = tmp_path_factory.mktemp("played")
    directory = folder / "table"
    assert main(["journal", "auditor", "new", str(folder / "auditor.key")]) == 0
    assert main(["journal", "auditor", "enrol", str(folder / "auditor.key.pub"), "--state", str(directory)]) == 0
    with Rig(directory, lossless=True) as rig:
        room = rig.room(2)
        while rig.output["hand"] < 3 or rig.output["phase"] != "deal":
            rig.live(room, 1)
        rig.live(room, 3)
        rig.journal.end_run("SIGTERM")
    return folder


@pytest.fixture
def state(played_table_folder: Path, tmp_path: Path) -> Path:
    """That table's folder, for a test to do with as it likes; the auditor's keys lie beside it."""
    shutil.copytree(played_table_folder, tmp_path, dirs_exist_ok=True)
    return tmp_path / "table"


@pytest.fixture
def export(state: Path, tmp_path: Path, tablectl: Tablectl) -> Path:
    path = tmp_path / "export.jsonl"
    status, out, _ = tablectl("journal", "export", "--state", state)
    assert status == 0
    path.write_text(out)
    return path


def test_an_export_and_the_file_itself_are_proved(
    state: Path, export: Path, tmp_path: Path, tablectl: Tablectl
) -> None:
    for file in (export, state / "journal.sqlite"):
        status, out, _ = tablectl("journal", "verify", file, "--key", state / "device.pub")
        assert status == 0
        assert "are as they were written" in out
        assert "named by the journal itself" not in out
    status, out, _ = tablectl("journal", "receipt", "--state", state)
    assert (status, out.count("\n")) == (0, 7)
    receipt = tmp_path / "receipt.txt"
    receipt.write_text(out)
    assert tablectl("journal", "verify", export, "--receipt", receipt)[0] == 0
    lines = export.read_text().splitlines(keepends=True)
    export.write_text("".join((*lines[:9], *lines[10:])))
    status, _, why = tablectl("journal", "verify", export)
    assert (status, why) == (
        1,
        "tablectl journal: record 10 is missing, or out of its place: record 11 stands there\n",
    )


def test_an_export_that_is_cut_off_behind_a_signature_has_no_signed_end(export: Path, tablectl: Tablectl) -> None:
    """Who cuts it off can write an end for it, and not sign that."""
    lines = export.read_text().splitlines(keepends=True)
    assert "end     not signed" not in tablectl("journal", "verify", export)[1]
    last = max(number for number, line in enumerate(lines[:-2]) if '"kind":"signed"' in line)
    end = f'{{"end":{last + 1},"chain":"{json.loads(lines[last])["chain"]}","signature":null}}\n'
    export.write_text("".join((*lines[: last + 1], end)))
    status, out, _ = tablectl("journal", "verify", export)
    assert (status, f"signed  up to record {last}\n" in out) == (0, True)
    assert f"end     not signed: what came after record {last + 1} may have been cut off" in out


def test_what_does_not_fit_together_is_said(state: Path, export: Path, tmp_path: Path, tablectl: Tablectl) -> None:
    other = tmp_path / "other"
    with Rig(other, lossless=True) as rig:
        rig.press("start")
        rig.journal.end_run("SIGTERM")
    receipt = tmp_path / "receipt.txt"
    receipt.write_text(tablectl("journal", "receipt", "--state", other)[1])
    status, _, why = tablectl("journal", "verify", export, "--receipt", receipt)
    assert (status, "names another table's key" in why) == (1, True)
    status, _, why = tablectl("journal", "verify", export, "--receipt", receipt, "--key", state / "device.pub")
    assert (status, "are not of one table" in why) == (2, True)
    receipt.write_text(receipt.read_text().replace("record    ", "record    1"))
    status, _, why = tablectl("journal", "verify", export, "--receipt", receipt)
    assert (status, "its signature is not that of the key it names" in why) == (2, True)
    receipt.write_text("a receipt for two coffees")
    assert "is no receipt" in tablectl("journal", "verify", export, "--receipt", receipt)[2]
    assert tablectl("journal", "verify", tmp_path / "none")[0] == 2
    assert "is no public key" in tablectl("journal", "verify", export, "--key", receipt)[2]


def test_every_auditor_is_named_also_one_that_somebody_put_there(
    state: Path, export: Path, tmp_path: Path, tablectl: Tablectl
) -> None:
    own = (tmp_path / "auditor.key.pub").read_text().split()[1]
    told = [line for line in tablectl("journal", "verify", export)[1].splitlines() if line.startswith("sealed")]
    assert len(told) == 1
    assert own in told[0]
    assert tablectl("journal", "auditor", "new", tmp_path / "spy.key")[0] == 0
    assert tablectl("journal", "auditor", "enrol", tmp_path / "spy.key.pub", "--state", state)[0] == 0
    journal = Journal(state / "journal.sqlite")
    journal.begin_run("boot", "1.0")
    journal.begin_session({"mode": SIMULATION, "table": "{}"})
    journal.append_entry({"ev": "start"}, "panel")
    last = journal.read_head()[0]
    journal.close()
    out = tablectl("journal", "verify", state / "journal.sqlite")[1]
    spy = (tmp_path / "spy.key.pub").read_text().split()[1]
    assert f"sealed  to {spy}, who can open hands that begin in records {last - 1} to {last - 1}\n" in out
    assert own in out


def test_the_secret_half_of_the_auditors_keys_is_never_enrolled_and_the_public_one_opens_nothing(
    state: Path, tmp_path: Path, tablectl: Tablectl
) -> None:
    """Enrolled, it would be published: in a file that everybody reads, and in the journal for ever."""
    assert tablectl("journal", "auditor", "new", tmp_path / "new.key")[0] == 0
    secret, public = tmp_path / "new.key", tmp_path / "new.key.pub"
    old_secret, old_public = tmp_path / "old.key", tmp_path / "old.key.pub"
    for old, new, mode in ((old_secret, secret, 0o600), (old_public, public, 0o644)):
        old.write_text(new.read_text().split()[1] + "\n")  # as earlier programs wrote them
        old.chmod(mode)
    enrolled = (state / "auditor.pub").read_text()
    for half in (secret, old_secret):
        status, out, why = tablectl("journal", "auditor", "enrol", half, "--state", state)
        assert (status, "is the secret half" in why) == (2, True)
        assert half.read_text().split()[-1] not in out + why
    assert (
        "is the table's own key" in tablectl("journal", "auditor", "enrol", state / "device.pub", "--state", state)[2]
    )
    assert (state / "auditor.pub").read_text() == enrolled
    for half in (public, old_public):
        status, _, why = tablectl("journal", "shuffles", "--key", half, "--state", state, "--quiet")
        assert (status, "is the public half" in why) == (2, True)
    said = tablectl("journal", "auditor", "enrol", old_public, "--state", state)[1]
    assert said.endswith(f"and no longer to {enrolled.strip()}\n")


def test_only_the_auditor_reads_the_cards(state: Path, export: Path, tmp_path: Path, tablectl: Tablectl) -> None:
    status, out, why = tablectl("journal", "open", export, "--key", tmp_path / "auditor.key")
    assert (status, why) == (0, "")
    lines = [json.loads(line)["line"] for line in out.splitlines()]
    dealt = [line["card"] for line in lines if line["ev"] == "card"]
    assert len(dealt) > 20
    assert None not in dealt
    hidden = tablectl("journal", "export", "--script", "--live-hand", "--state", state)[1]
    known = [json.loads(line).get("card") for line in hidden.splitlines() if json.loads(line)["ev"] == "card"]
    assert None in known
    assert all(card in (None, true) for card, true in zip(known, dealt, strict=True))
    assert tablectl("journal", "auditor", "new", tmp_path / "second.key")[0] == 0
    status, out, why = tablectl("journal", "open", export, "--key", tmp_path / "second.key", "--script")
    assert (status, "3 hands sealed to another auditor" in why) == (1, True)
    assert '"card":null' in out
    assert "is no key of an auditor" in tablectl("journal", "open", export, "--key", export)[2]


def test_a_key_is_not_written_over(tmp_path: Path, tablectl: Tablectl) -> None:
    assert tablectl("journal", "auditor", "new", tmp_path / "key")[0] == 0
    kept = (tmp_path / "key").read_text()
    status, _, why = tablectl("journal", "auditor", "new", tmp_path / "key")
    assert (status, "is not written over" in why) == (1, True)
    assert (tmp_path / "key").read_text() == kept
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_hand_in_progress_needs_its_key(state: Path) -> None:
    (state / "hand.key").write_bytes(b"")
    journal = Journal(state / "journal.sqlite")
    journal.begin_run("boot", "test")
    with pytest.raises(RecoveryError, match=r"hand\.key, which opens its cards, is missing"):
        resume_or_begin(journal, demo(), SIMULATION)
    assert resume_or_begin(journal, demo(), SIMULATION, fresh=True).entry_count == 1
    journal.close()


def test_records_that_are_lost_are_missed_at_the_start(state: Path) -> None:
    known = (state / "journal.head").read_text()
    (state / "journal.sqlite").unlink()
    journal = Journal(state / "journal.sqlite")
    journal.begin_run("boot", "test")
    with pytest.raises(RecoveryError, match=f"has not the record {known.split()[0]} that the table has written"):
        resume_or_begin(journal, demo(), SIMULATION)
    assert resume_or_begin(journal, demo(), SIMULATION, fresh=True).entry_count == 1
    assert [record.kind for record in journal.read_newest_records("gap")] == ["gap"]
    journal.close()


def test_the_finished_hands_are_told_without_any_key(state: Path, tablectl: Tablectl) -> None:
    (state / "hand.key").unlink()
    status, out, _ = tablectl("hands", "list", "--state", state)
    assert (status, out.count("\n")) == (0, 2)
    assert tablectl("journal", "check", "--state", state)[0] == 0
    status, out, _ = tablectl("hands", "export", "--state", state)
    assert status == 0
    assert "d dh p1 ????" in out


def test_an_exported_file_is_checked_word_for_word(state: Path, tmp_path: Path, tablectl: Tablectl) -> None:
    file = tmp_path / "night"
    for form in ("phh", "ohh", "pokerstars"):
        assert tablectl("hands", "export", "--state", state, "--format", form, "--output", file)[0] == 0
        status, out, _ = tablectl("hands", "check", file, "--state", state)
        assert (status, out.count("\tas in the journal, entries"), "only the file" in out) == (0, 2, False)
    assert (
        tablectl("hands", "export", "--state", state, "--format", "ohh", "--currency", "EUR", "--output", file)[0] == 0
    )
    assert (
        tablectl("hands", "check", file, "--state", state)[1].count("; that a unit is one EUR only the file says\n")
        == 2
    )
    real = file.read_text()
    file.write_text(real.replace('"EUR"', '"500 stolen"', 1))
    status, out, _ = tablectl("hands", "check", file, "--state", state)
    assert (status, out.count("differs from the journal"), out.count("as in the journal")) == (1, 1, 1)
    for forged, why in ((real.replace("{", '{"ohh": {}, ', 1), "stands twice"), ("{" + "[" * 200_000, "is no export")):
        file.write_text(forged)
        status, out, said = tablectl("hands", "check", file, "--state", state)
        assert (status, out, why in said, "the program failed" in said) == (1, "", True, False)


def test_the_files_of_a_journal_are_taken_in_any_order(tmp_path: Path, tablectl: Tablectl) -> None:
    """The shell has `journal-10…` before `journal-2…` in `journal-*.sqlite`."""
    journal = Journal(tmp_path / "journal.sqlite")
    journal.begin_run("boot", "test")
    journal.begin_session({"table": "{}"})
    for number in range(3):
        journal.record_result(journal.append_entry({"ev": "done", "note": str(number)}, "panel"), "0" * 64, None)
        journal.finish_hand()
        assert journal.rotate()
    journal.end_run("SIGTERM")
    journal.close()
    files = sorted(tmp_path.glob("journal*.sqlite"), reverse=True)
    assert len(files) == 4
    assert tablectl("journal", "verify", *files)[0] == 0
    assert {path.stat().st_mode & 0o077 for path in files} == {0}


def test_the_river_card_of_the_last_hand_is_read_from_the_tables_journal(
    state: Path, tmp_path: Path, tablectl: Tablectl
) -> None:
    """What `hands show` has as the last hand's board, the jackpot goes by."""
    shown = tablectl("hands", "show", "2", "--state", state)[1]
    board = next(line.split()[1:] for line in shown.splitlines() if line.strip().startswith("board"))
    record = tmp_path / "event.jsonl"
    for words in (
        ("load", "T2000", "Ana", "Ben"),
        ("jackpot", "Ana=2"),
        ("eliminate", "Ben", "--hand", "2", "--stack", "5"),
        ("river", "--journal", state / "journal.sqlite"),
    ):
        assert tablectl("tournament", *words, "--record", record)[0] == 0
    assert len(board) == 5
    assert json.loads(record.read_text().splitlines()[-1])["card"] == board[-1]
