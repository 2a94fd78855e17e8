"""What is said between tables and room."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.room_contract.batch import (
    MAX_BATCH_BYTES,
    MAX_BATCH_RECORDS,
    Batch,
    BatchError,
    Head,
    split_into_batches,
)
from controller.room_contract.subjects import (
    TableNameError,
    TableTopic,
    make_request_subject,
    make_topic_subject,
    parse_table_name,
)
from controller.room_contract.table_health import MAX_DISK_BYTES as MOST_DISK
from controller.room_contract.table_health import MAX_ITEMS, MAX_TEXT_LENGTH, TableHealth
from controller.room_contract.table_request import MessageFormatError, TableReply
from controller.runtime.journal.proof.chain import ORIGIN, JournalRecord, make_record


def records(bodies: list[str], before: str = ORIGIN, first: int = 1) -> list[JournalRecord]:
    found: list[JournalRecord] = []
    for number, body in enumerate(bodies, first):
        found.append(make_record(number, "entry", body, found[-1].chain if found else before))
    return found


@given(st.lists(st.integers(1, 60_000), max_size=300))
def test_a_journal_cut_into_batches_is_the_same_journal(sizes: list[int]) -> None:
    journal = records([f'{{"line":"{"x" * size}"}}' for size in sizes[:250]])
    cut = split_into_batches("j", journal)
    assert [record for batch in cut for record in batch.records] == journal
    assert all(len(batch.records) <= MAX_BATCH_RECORDS for batch in cut)
    assert all(len(batch.to_bytes()) <= MAX_BATCH_BYTES or len(batch.records) == 1 for batch in cut)
    assert all(Batch.from_bytes("j", batch.to_bytes()) == batch for batch in cut)
    head = Head("j")
    for batch in cut:
        assert batch.find_mismatch(head) == ""
        head = Head("j", batch.records[-1].number, batch.records[-1].chain)


def test_what_does_not_go_on_from_the_head_is_said() -> None:
    one, two, three = records(["{}", "{}", "{}"])
    head = Head("j", 1, one.chain)
    assert "another journal" in Batch("k", (two,)).find_mismatch(head)
    assert "begins with record 3 where 2 is next" in Batch("j", (three,)).find_mismatch(head)
    assert "does not follow" in Batch("j", (make_record(2, "entry", "{}", "0" * 64),)).find_mismatch(head)
    assert Batch("j", (two, three)).find_mismatch(head) == ""
    assert Head.from_json(head.to_json()) == head


@pytest.mark.parametrize("text", [b"", b"x\n", b"\xff", b"{}\n"])
def test_what_is_no_batch_is_refused(text: bytes) -> None:
    with pytest.raises(BatchError):
        Batch.from_bytes("j", text)


def test_a_batch_with_a_gap_or_a_changed_record_is_refused() -> None:
    one, two, three = records(["{}", '{"a":1}', "{}"])
    for taken in ((one, three), (one, JournalRecord(2, "entry", '{"a":2}', two.chain))):
        with pytest.raises(BatchError, match="does not follow"):
            Batch.from_bytes("j", Batch("j", taken).to_bytes())


def test_subjects_are_of_one_table() -> None:
    assert make_topic_subject("table-07", TableTopic.JOURNAL) == "room.table-07.journal"
    assert (
        parse_table_name(make_request_subject("table-07", "enter"))
        == parse_table_name("room.table-07.state")
        == "table-07"
    )
    for name in ("", "*", ">", "a.b", "A", "-a", "a b", "x" * 41):
        with pytest.raises(TableNameError):
            make_topic_subject(name, TableTopic.STATE)


def test_an_answer_is_read_as_it_was_written() -> None:
    for answer in (TableReply(True, 7), TableReply(False, None, "role", "A dealer does not decide.")):
        assert TableReply.from_json(answer.to_json()) == answer
    for text in (b"", b"[]", b"{}", b'{"taken": 1}'):
        with pytest.raises(MessageFormatError):
            TableReply.from_json(text)


@pytest.mark.parametrize(
    "previous",
    [
        '{"number":1e999,"chain":"%s"}' % ("0" * 64),
        '{"number":0,"chain":"\\u0000"}',
        '{"number":0,"chain":"\\ud800"}',
        f'{{"number":{10**30},"chain":"{"0" * 64}"}}',
        '{"number":true,"chain":"%s"}' % ("0" * 64),
        '{"number":0,"chain":"%s"}' % ("1" * 64),
        "[]",
    ],
)
def test_a_journal_that_begins_with_a_lie_begins_nowhere(previous: str) -> None:
    (first,) = records([f'{{"table":"j","previous":{previous}}}'])
    batch = Batch("j", (JournalRecord(first.number, "file", first.body, first.chain),))
    with pytest.raises(BatchError):
        batch.find_starting_head()
    (true,) = (make_record(1, "file", '{"table":"j","previous":null}', ORIGIN),)
    assert Batch("j", (true,)).find_starting_head() == Head("j")


@pytest.mark.parametrize("text", [b'{"number":1,"kind":"a","body":{"x":"\0"},"chain":"%s"}\n', "ä\n".encode()])
def test_what_no_export_holds_is_no_batch(text: bytes) -> None:
    with pytest.raises(BatchError):
        Batch.from_bytes("j", text.replace(b"%s", b"0" * 64))


def test_numbers_without_end_are_no_health_and_no_head() -> None:
    with pytest.raises(BatchError):
        TableHealth.from_json(b'{"at":1,"level":"live","last":1e999}')
    for number in (b"1e999", b"-1", b"9" * 40, b"[" * 2000):
        with pytest.raises(BatchError):
            Head.from_json(b'{"journal":"j","chain":"x","number":%s' % number + (b"" if number[:1] == b"[" else b"}"))
    assert len(Head.from_json(Head("j", reason="x" * 9999).to_json()).reason) == 500
    assert Head.from_json(Head("j", reason="a\nb\x1b[2J\ud800").to_json()).reason == "a b [2J "  # it stands in a log


def test_a_tables_health_is_bounded_and_blanks_no_screen() -> None:
    many = {f"firmware:{number}" * 50: "9" * 5000 for number in range(1000)}
    lie = {"at": 1, "level": "x" * 5000, "versions": many, "hashes": many, "update": many, "faults": ["f" * 999] * 999}
    lie |= {"since": {"f": 1.0}, "disks": {"journal": 1 << 200, "system": -1}}
    health = TableHealth.from_json(json.dumps(lie).encode())
    assert len(health.to_json()) < (3 * MAX_ITEMS * 2 + MAX_ITEMS + 20) * (MAX_TEXT_LENGTH + 10)
    assert health.free_bytes_by_disk == {"journal": MOST_DISK, "system": 0}
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(BatchError):
            TableHealth.from_json(f'{{"at":1,"level":"live","since":{{"f":{word}}}}}'.encode())
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(BatchError):
            TableHealth.from_json(b'{"at":%s,"level":"live"}' % word.encode())
    long = TableHealth.from_json(
        b'{"at":1,"level":"live","last":%s,"archived":-5,"disk_free":%s,"wrong":"%s"}'
        % (b"9" * 4000, b"9" * 4000, b"x" * 9999)
    )
    assert len(long.to_json()) < 1000, "what a table says without end stands on the room's pages"
    assert (long.last_archived_record, long.reported_at) == (0, 1.0)
    assert TableHealth.from_json(b'{"at":1,"level":"live","disk_free":5}').free_bytes_by_disk == {}, (
        "an older table says less"
    )
