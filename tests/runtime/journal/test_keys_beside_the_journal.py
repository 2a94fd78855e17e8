"""Keys that were taken away or exchanged: the table says so before it goes on, and makes no new one in their place."""

from pathlib import Path

import pytest
from nacl.signing import SigningKey

from config.table_line import parse_table_line
from controller.core.protocol import events
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.recovery.journal_replay import RecoveryError, recover_table
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.journal.sealing.hand_seal import HandKeyFile
from controller.runtime.storage.sqlite_database import DatabaseError
from tests.runtime.conftest import begin_journal
from tests.runtime.loop.test_loop import Table3


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = begin_journal(tmp_path)
    journal.append_entry({"ev": "start"}, "panel")
    return journal


@pytest.mark.parametrize("rotated", [False, True], ids=["one file", "a closed one"])
def test_a_journal_is_not_gone_on_with_under_another_key(journal: Journal, tmp_path: Path, rotated: bool) -> None:
    if rotated:
        assert journal.rotate()
    journal.close()
    key, public = tmp_path / "device.key", (tmp_path / "device.pub").read_text()
    kept = key.read_text()
    key.write_text(SigningKey.generate().encode().hex())
    with pytest.raises(DatabaseError, match="is not the key that the journal beside it names"):
        Journal(tmp_path / "journal.sqlite")
    key.unlink()
    with pytest.raises(DatabaseError, match=r"device\.key: is missing, and the journal beside it is signed with it"):
        Journal(tmp_path / "journal.sqlite")
    assert not key.exists(), "no other was made"
    assert (tmp_path / "device.pub").read_text() == public
    key.write_text(kept)
    key.chmod(0o600)
    Journal(tmp_path / "journal.sqlite").close()


def test_the_key_of_another_hand_is_said_to_be_one(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    three = Table3(journal)
    three.enter(events.HandStarted())
    three.enter(events.CardDealt("Ad"))
    recover_table(journal, three.session, parse_table_line, make_current_key_finder(tmp_path))
    found = journal.read_hand_key()
    assert found is not None
    HandKeyFile(tmp_path).write(found[0], bytes(len(found[1])))
    with pytest.raises(RecoveryError, match=r"hand\.key, which opens its cards, is missing or not") as caught:
        recover_table(journal, three.session, parse_table_line, make_current_key_finder(tmp_path))
    assert "Ad" not in str(caught.value)
    journal.close()
