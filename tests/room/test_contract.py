"""What is said between tables and room."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.journal.proof.chain import ORIGIN, Record, linked
from room.contract.batch import MOST_BYTES, MOST_RECORDS, BadBatch, Batch, Head, batches
from room.contract.health import LONGEST, MOST, Health
from room.contract.health import MOST_BYTES as MOST_DISK
from room.contract.request import Answer, BadRequest
from room.contract.subjects import BadName, Told, asked, table_of, told


def records(bodies: list[str], before: str = ORIGIN, first: int = 1) -> list[Record]:
    found: list[Record] = []
    for number, body in enumerate(bodies, first):
        found.append(linked(number, "entry", body, found[-1].chain if found else before))
    return found


@given(st.lists(st.integers(1, 60_000), max_size=300))
def test_a_journal_cut_into_batches_is_the_same_journal(sizes: list[int]) -> None:
    journal = records([f'{{"line":"{"x" * size}"}}' for size in sizes[:250]])
    cut = batches("j", journal)
    assert [record for batch in cut for record in batch.records] == journal
    assert all(len(batch.records) <= MOST_RECORDS for batch in cut)
    assert all(len(batch.written()) <= MOST_BYTES or len(batch.records) == 1 for batch in cut)
    assert all(Batch.read("j", batch.written()) == batch for batch in cut)
    head = Head("j")
    for batch in cut:
        assert batch.fits(head) == ""
        head = Head("j", batch.records[-1].number, batch.records[-1].chain)


def test_what_does_not_go_on_from_the_head_is_said() -> None:
    one, two, three = records(["{}", "{}", "{}"])
    head = Head("j", 1, one.chain)
    assert "another journal" in Batch("k", (two,)).fits(head)
    assert "begins with record 3 where 2 is next" in Batch("j", (three,)).fits(head)
    assert "does not follow" in Batch("j", (linked(2, "entry", "{}", "0" * 64),)).fits(head)
    assert Batch("j", (two, three)).fits(head) == ""
    assert Head.read(head.written()) == head


@pytest.mark.parametrize("text", [b"", b"x\n", b"\xff", b"{}\n"])
def test_what_is_no_batch_is_refused(text: bytes) -> None:
    with pytest.raises(BadBatch):
        Batch.read("j", text)


def test_a_batch_with_a_gap_or_a_changed_record_is_refused() -> None:
    one, two, three = records(["{}", '{"a":1}', "{}"])
    for taken in ((one, three), (one, Record(2, "entry", '{"a":2}', two.chain))):
        with pytest.raises(BadBatch, match="does not follow"):
            Batch.read("j", Batch("j", taken).written())


def test_subjects_are_of_one_table() -> None:
    assert told("table-07", Told.JOURNAL) == "room.table-07.journal"
    assert table_of(asked("table-07", "enter")) == table_of("room.table-07.state") == "table-07"
    for name in ("", "*", ">", "a.b", "A", "-a", "a b", "x" * 41):
        with pytest.raises(BadName):
            told(name, Told.STATE)


def test_an_answer_is_read_as_it_was_written() -> None:
    for answer in (Answer(True, 7), Answer(False, None, "role", "A dealer does not decide.")):
        assert Answer.read(answer.written()) == answer
    for text in (b"", b"[]", b"{}", b'{"taken": 1}'):
        with pytest.raises(BadRequest):
            Answer.read(text)


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
    batch = Batch("j", (Record(first.number, "file", first.body, first.chain),))
    with pytest.raises(BadBatch):
        batch.origin()
    (true,) = (linked(1, "file", '{"table":"j","previous":null}', ORIGIN),)
    assert Batch("j", (true,)).origin() == Head("j")


@pytest.mark.parametrize("text", [b'{"number":1,"kind":"a","body":{"x":"\0"},"chain":"%s"}\n', "ä\n".encode()])
def test_what_no_export_holds_is_no_batch(text: bytes) -> None:
    with pytest.raises(BadBatch):
        Batch.read("j", text.replace(b"%s", b"0" * 64))


def test_numbers_without_end_are_no_health_and_no_head() -> None:
    with pytest.raises(BadBatch):
        Health.read(b'{"at":1,"level":"live","last":1e999}')
    for number in (b"1e999", b"-1", b"9" * 40, b"[" * 2000):
        with pytest.raises(BadBatch):
            Head.read(b'{"journal":"j","chain":"x","number":%s' % number + (b"" if number[:1] == b"[" else b"}"))
    assert len(Head.read(Head("j", why="x" * 9999).written()).why) == 500


def test_a_tables_health_is_bounded_and_blanks_no_screen() -> None:
    many = {f"firmware:{number}" * 50: "9" * 5000 for number in range(1000)}
    lie = {"at": 1, "level": "x" * 5000, "versions": many, "hashes": many, "update": many, "faults": ["f" * 999] * 999}
    lie |= {"since": {"f": 1.0}, "disks": {"journal": 1 << 200, "system": -1}}
    health = Health.read(json.dumps(lie).encode())
    assert len(health.written()) < (3 * MOST * 2 + MOST + 20) * (LONGEST + 10)
    assert health.disks == {"journal": MOST_DISK, "system": 0}
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(BadBatch):
            Health.read(f'{{"at":1,"level":"live","since":{{"f":{word}}}}}'.encode())
    assert Health.read(b'{"at":1,"level":"live","disk_free":5}').disks == {}, "an older table says less"
