"""What the uplink reads of a table's journal, and when it sends what."""

import os
from pathlib import Path

import pytest

from controller.runtime.journal.journal import Journal
from controller.runtime.state_directory import JOURNAL_FILE
from room.contract.batch import BadBatch, Batch, Head
from room.uplink import outbox as outbox_module
from room.uplink.outbox import Outbox, Unreadable
from room.uplink.sending import FIRST_PAUSE, LATE_SECONDS, LONGEST_PAUSE, Sending


def written(state: Path) -> Journal:
    journal = Journal(state / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    return journal


def sent(outbox: Outbox, upto: int, head: Head | None = None) -> tuple[list[Batch], Head | None]:
    """Every batch to record `upto`, each taken by an archive."""
    found = []
    while (batch := outbox.after(head, upto)) is not None:
        last = batch.records[-1]
        assert batch.fits(head or batch.origin()) == ""
        head = Head(batch.journal, last.number, last.chain)
        found.append(batch)
    return found, head


def test_the_journal_is_sent_whole_over_its_closed_files(tmp_path: Path) -> None:
    journal = written(tmp_path)
    outbox = Outbox(tmp_path)
    assert Outbox(tmp_path / "nowhere").reach() is None
    for note in range(250):
        journal.note("call", {"wanted": True, "by": str(note)})
    reach = outbox.reach()
    assert reach is not None
    assert (reach.journal, reach.last, reach.settled) == (journal.table, 253, 0)
    batches, head = sent(outbox, reach.last)
    assert [len(batch.records) for batch in batches] == [100, 100, 53]
    journal.rest()
    assert journal.rotate(), "no look keeps the file open"
    journal.note("call", {"wanted": False, "by": ""})
    reach = outbox.reach()
    assert reach is not None
    assert reach.last > reach.settled == journal.head()[0] - 3  # the new file, its session and the call came later
    more, head = sent(outbox, reach.last, head)
    assert head is not None
    assert (head.number, head.chain) == journal.head()
    lines = b"".join(batch.written() for batch in batches + more).decode().splitlines()
    assert lines == [record.line for record in journal.records()]


def test_nothing_of_a_hand_that_is_on_is_read_for_after_the_hand(tmp_path: Path) -> None:
    journal = written(tmp_path)
    journal.rest()
    settled = journal.head()[0]
    journal.note("call", {"wanted": True, "by": "in the next hand"})
    journal.end_run("asked")  # signs, and in the middle of a hand
    reach = Outbox(tmp_path).reach()
    assert reach is not None
    assert reach.settled == settled < reach.last
    outbox = Outbox(tmp_path)
    outbox.reach()
    batches, _ = sent(outbox, reach.settled)
    assert batches[-1].records[-1].number == settled
    assert b"in the next hand" not in b"".join(batch.written() for batch in batches)


def test_files_that_were_not_written_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = written(tmp_path)
    outbox = Outbox(tmp_path)
    for number in range(3, 10):  # also within a tick of the kernel's clock
        reach = outbox.reach()
        assert reach is not None
        assert reach.last == number
        journal.note("call", {"wanted": True, "by": ""})
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    first = outbox.reach()
    monkeypatch.setattr(outbox_module, "Archive", None)
    assert outbox.reach() is first
    monkeypatch.undo()
    journal.note("call", {"wanted": False, "by": ""})
    later = outbox.reach()
    assert later is not None
    assert later.last == 11


def test_an_archive_that_has_another_record_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    journal = written(tmp_path)
    outbox = Outbox(tmp_path)
    reach = outbox.reach()
    assert reach is not None
    with pytest.raises(Unreadable, match="another journal under this name"):
        outbox.after(Head(journal.table, 1, "0" * 64), reach.last)


def test_a_journal_whose_first_files_were_moved_away_is_sent_from_what_is_there(tmp_path: Path) -> None:
    journal = written(tmp_path)
    journal.rest()
    assert journal.rotate()
    first = next(tmp_path.glob("journal-*.sqlite"))
    os.rename(first, tmp_path / "elsewhere")
    outbox = Outbox(tmp_path)
    reach = outbox.reach()
    assert reach is not None
    batch = outbox.after(None, reach.last)
    assert batch is not None
    assert batch.records[0].kind == "file"
    assert batch.origin().number == batch.records[0].number - 1 > 0
    with pytest.raises(BadBatch, match=r"does not say which journal|no file of the journal"):
        Batch(batch.journal, batch.records[1:]).origin()


def test_one_batch_flies_at_a_time_and_again_with_growing_pauses(tmp_path: Path) -> None:
    journal = written(tmp_path)
    outbox = Outbox(tmp_path)
    reach = outbox.reach()
    assert reach is not None
    batch = outbox.after(None, reach.last)
    assert batch is not None
    sending, now, pauses = Sending(journal.table), 0.0, []
    assert not sending.heard(None)
    for _ in range(6):
        sending.sent(batch, now)
        pauses.append(sending.due(now))
        now += pauses[-1]
    assert pauses == [FIRST_PAUSE, 1.0, 2.0, 4.0, LONGEST_PAUSE, LONGEST_PAUSE]
    assert sending.late(now) is (now > LATE_SECONDS)
    assert not sending.heard(Head("another journal", 7, "x")), "it is of another card"
    assert sending.late(now + LATE_SECONDS + 1), "it flies still"
    assert not sending.heard(Head(journal.table, 0, "0" * 64, "a gap")) or sending.wrong == "a gap"
    last = batch.records[-1]
    assert sending.heard(Head(journal.table, last.number, last.chain))
    assert not sending.late(now + 100)
    assert sending.heard(None), "the archive lost its database"
