"""What the uplink reads of a table's journal, and when it sends what."""

import os
from pathlib import Path

import pytest

from controller.room_contract.batch import Batch, BatchError, Head
from controller.runtime.journal.journal import Journal
from controller.runtime.storage.state_directory import JOURNAL_FILE
from controller.uplink import uplink_outbox as outbox_module
from controller.uplink.batch_transfer import LATE_AFTER_S, MAX_RETRY_DELAY_S, MIN_RETRY_DELAY_S, BatchTransfer
from controller.uplink.uplink_outbox import JournalUnreadableError, UplinkOutbox


def begin_journal(state: Path) -> Journal:
    journal = Journal(state / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    return journal


def send_batches(outbox: UplinkOutbox, upto: int, head: Head | None = None) -> tuple[list[Batch], Head | None]:
    """Every batch to record `upto`, each taken by an archive."""
    found = []
    while (batch := outbox.read_batch_after(head, upto)) is not None:
        last = batch.records[-1]
        assert batch.find_mismatch(head or batch.find_starting_head()) == ""
        head = Head(batch.journal, last.number, last.chain)
        found.append(batch)
    return found, head


def test_the_journal_is_sent_whole_over_its_closed_files(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    outbox = UplinkOutbox(tmp_path)
    assert UplinkOutbox(tmp_path / "nowhere").read_position() is None
    for note in range(250):
        journal.append_note("call", {"wanted": True, "by": str(note)})
    reach = outbox.read_position()
    assert reach is not None
    assert (reach.journal, reach.last_record, reach.last_settled_record) == (journal.journal_name, 253, 0)
    batches, head = send_batches(outbox, reach.last_record)
    assert [len(batch.records) for batch in batches] == [100, 100, 53]
    journal.finish_hand()
    assert journal.rotate(), "no look keeps the file open"
    journal.append_note("call", {"wanted": False, "by": ""})
    reach = outbox.read_position()
    assert reach is not None
    assert (
        reach.last_record > reach.last_settled_record == journal.read_head()[0] - 3
    )  # the new file, its session and the call came later
    more, head = send_batches(outbox, reach.last_record, head)
    assert head is not None
    assert (head.number, head.chain) == journal.read_head()
    lines = b"".join(batch.to_bytes() for batch in batches + more).decode().splitlines()
    assert lines == [record.export_line for record in journal.read_records()]


def test_nothing_of_a_hand_that_is_on_is_read_for_after_the_hand(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    journal.finish_hand()
    settled = journal.read_head()[0]
    journal.append_note("call", {"wanted": True, "by": "in the next hand"})
    journal.end_run("asked")  # signs, and in the middle of a hand
    reach = UplinkOutbox(tmp_path).read_position()
    assert reach is not None
    assert reach.last_settled_record == settled < reach.last_record
    outbox = UplinkOutbox(tmp_path)
    outbox.read_position()
    batches, _ = send_batches(outbox, reach.last_settled_record)
    assert batches[-1].records[-1].number == settled
    assert b"in the next hand" not in b"".join(batch.to_bytes() for batch in batches)


def test_files_that_were_not_written_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = begin_journal(tmp_path)
    outbox = UplinkOutbox(tmp_path)
    for number in range(3, 10):  # also within a tick of the kernel's clock
        reach = outbox.read_position()
        assert reach is not None
        assert reach.last_record == number
        journal.append_note("call", {"wanted": True, "by": ""})
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    first = outbox.read_position()
    monkeypatch.setattr(outbox_module, "JournalReader", None)
    assert outbox.read_position() is first
    monkeypatch.undo()
    journal.append_note("call", {"wanted": False, "by": ""})
    later = outbox.read_position()
    assert later is not None
    assert later.last_record == 11


def test_an_archive_that_has_another_record_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    outbox = UplinkOutbox(tmp_path)
    reach = outbox.read_position()
    assert reach is not None
    with pytest.raises(JournalUnreadableError, match="another journal under this name"):
        outbox.read_batch_after(Head(journal.journal_name, 1, "0" * 64), reach.last_record)


def test_a_journal_whose_first_files_were_moved_away_is_sent_from_what_is_there(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    journal.finish_hand()
    assert journal.rotate()
    first = next(tmp_path.glob("journal-*.sqlite"))
    os.rename(first, tmp_path / "elsewhere")
    outbox = UplinkOutbox(tmp_path)
    reach = outbox.read_position()
    assert reach is not None
    batch = outbox.read_batch_after(None, reach.last_record)
    assert batch is not None
    assert batch.records[0].kind == "file"
    assert batch.find_starting_head().number == batch.records[0].number - 1 > 0
    with pytest.raises(BatchError, match=r"does not say which journal|no file of the journal"):
        Batch(batch.journal, batch.records[1:]).find_starting_head()


def test_one_batch_flies_at_a_time_and_again_with_growing_pauses(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    outbox = UplinkOutbox(tmp_path)
    reach = outbox.read_position()
    assert reach is not None
    batch = outbox.read_batch_after(None, reach.last_record)
    assert batch is not None
    sending, now, pauses = BatchTransfer(journal.journal_name), 0.0, []
    assert not sending.receive_head(None)
    for _ in range(6):
        sending.record_sent(batch, now)
        pauses.append(sending.seconds_to_retry(now))
        now += pauses[-1]
    assert pauses == [MIN_RETRY_DELAY_S, 1.0, 2.0, 4.0, MAX_RETRY_DELAY_S, MAX_RETRY_DELAY_S]
    assert sending.is_late(now) is (now > LATE_AFTER_S)
    assert not sending.receive_head(Head("another journal", 7, "x")), "it is of another card"
    assert sending.is_late(now + LATE_AFTER_S + 1), "it flies still"
    assert (
        not sending.receive_head(Head(journal.journal_name, 0, "0" * 64, "a gap")) or sending.archive_refusal == "a gap"
    )
    last = batch.records[-1]
    assert sending.receive_head(Head(journal.journal_name, last.number, last.chain))
    assert not sending.is_late(now + 100)
    assert sending.receive_head(None), "the archive lost its database"
