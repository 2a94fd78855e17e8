"""What the archive takes of what tables send, in a real PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from controller.room_contract.batch import Batch, Head
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import (
    ORIGIN,
    BadRecordError,
    JournalRecord,
    make_record,
    parse_export,
    verify_journal,
)
from controller.runtime.storage.state_directory import JOURNAL_FILE
from room.archive import journal_store as journals_module
from room.archive.journal_export import JournalNotFoundError, find_newest_journal, iter_export_lines
from room.archive.journal_store import (
    MAX_ALARMS_PER_TABLE,
    MAX_NEW_JOURNALS_PER_WEEK,
    BatchReceived,
    JournalStore,
    parse_batch_message,
)
from room.record.postgres_record import connect_database
from tests.room.real_parts import describe_missing_parts

Database = psycopg.Connection[tuple[object, ...]]

pytestmark = pytest.mark.skipif(bool(describe_missing_parts()), reason=describe_missing_parts())


@pytest.fixture
def database(conninfo: str) -> Iterator[Database]:
    with connect_database(conninfo) as connection:
        connection.execute("TRUNCATE head, namesake, record, alarm, taken")
        yield connection


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    for number in range(3):
        journal.append_note("call", {"wanted": bool(number % 2), "by": ""})
    journal.finish_hand()
    journal.append_note("call", {"wanted": True, "by": ""})
    return journal


def message(table: str, journal: Journal, first: int, last: int) -> BatchReceived:
    records = tuple(record for record in journal.read_records() if first <= record.number <= last)
    return make_received_batch(table, journal.journal_name, records)


def make_received_batch(table: str, journal: str, records: tuple[JournalRecord, ...]) -> BatchReceived:
    batch = Batch(journal, records)
    return parse_batch_message(table, batch.identity, batch.to_bytes())


def alarms(database: Database) -> list[tuple[str, bool]]:
    rows = database.execute("SELECT why, mended IS NOT NULL FROM alarm ORDER BY id").fetchall()
    return [(str(why), bool(mended)) for why, mended in rows]


def test_a_journal_is_kept_byte_for_byte_whatever_comes_twice(database: Database, journal: Journal) -> None:
    journals = JournalStore(database)
    last = journal.read_head()[0]
    for span in ((1, 3), (1, 3), (2, 5), (4, last), (1, last)):
        told = journals.store_batches([message("table-07", journal, *span)])
    assert told == {"table-07": Head(journal.journal_name, *journal.read_head())}
    assert alarms(database) == []
    lines = list(iter_export_lines(database, find_newest_journal(database, "table-07")))
    assert "".join(lines[:-1]) == "".join(f"{record.export_line}\n" for record in journal.read_records())
    assert JournalStore(database).read_heads() == told, "as another start reads it"
    with pytest.raises(JournalNotFoundError, match="it has table-07"):
        find_newest_journal(database, "table-08")


def test_an_archived_prefix_is_proved_with_the_end_that_the_table_signed(database: Database, journal: Journal) -> None:
    JournalStore(database).store_batches([message("table-07", journal, 1, journal.read_head()[0])])
    proof = verify_journal(
        parse_export(line.encode() for line in iter_export_lines(database, journal.journal_name, signed=True))
    )
    assert proof.is_end_signed
    assert proof.last_record == journal.read_head()[0] - 2, "the record before the signature"
    cut = list(iter_export_lines(database, journal.journal_name, signed=True))
    with pytest.raises(BadRecordError):
        verify_journal(parse_export(line.encode() for line in cut[:-2] + cut[-1:]))
    assert not verify_journal(
        parse_export(line.encode() for line in iter_export_lines(database, journal.journal_name))
    ).is_end_signed


def test_a_gap_is_refused_and_said_until_the_right_one_comes(database: Database, journal: Journal) -> None:
    journals = JournalStore(database)
    journals.store_batches([message("table-07", journal, 1, 2)])
    head = journals.store_batches([message("table-07", journal, 4, 5)])["table-07"]
    assert head.number == 2
    assert "begins with record 4 where 3 is next" in head.reason
    assert alarms(database) == [(head.reason, False)]
    for _ in range(3):
        journals.store_batches([message("table-07", journal, 4, 5)])
    assert len(alarms(database)) == 1, "the same is said once"
    assert JournalStore(database).read_heads()["table-07"].reason == head.reason
    assert journals.store_batches([message("table-07", journal, 3, 5)])["table-07"].reason == ""
    assert alarms(database) == [(head.reason, True)]


def test_a_journal_that_does_not_begin_here_is_refused(database: Database, journal: Journal) -> None:
    head = JournalStore(database).store_batches([message("table-07", journal, 3, 4)])["table-07"]
    assert head.number == 0
    assert "nothing before it is here" in head.reason
    assert database.execute("SELECT count(*) FROM record").fetchone() == (0,)


def test_a_fork_and_a_changed_record_are_refused(database: Database, journal: Journal) -> None:
    journals = JournalStore(database)
    journals.store_batches([message("table-07", journal, 1, 4)])
    chain = journal.find_chain(3)
    assert chain is not None
    other = make_record(4, "call", '{"wanted":false,"by":"nobody"}', chain)
    assert (
        "record 4 is another"
        in journals.store_batches([make_received_batch("table-07", journal.journal_name, (other,))])["table-07"].reason
    )
    after = make_record(5, "call", "{}", other.chain)
    assert (
        "does not follow"
        in journals.store_batches([make_received_batch("table-07", journal.journal_name, (after,))])["table-07"].reason
    )
    changed = JournalRecord(5, "call", "{}", journal.find_chain(5) or "")
    assert (
        "does not follow"
        in journals.store_batches([make_received_batch("table-07", journal.journal_name, (changed,))])[
            "table-07"
        ].reason
    )
    assert journals.store_batches([message("table-07", journal, 5, 6)])["table-07"] == Head(
        journal.journal_name, 6, journal.find_chain(6) or ""
    )
    assert all(mended for _, mended in alarms(database))


def test_a_table_cannot_go_on_with_the_journal_of_another(database: Database, journal: Journal) -> None:
    journals = JournalStore(database)
    journals.store_batches([message("table-07", journal, 1, 3)])
    head = journals.store_batches([message("table-08", journal, 4, 5)])["table-08"]
    assert head.number == 0
    assert head.reason.startswith("the journal is that of table-07, and nothing before it is here")
    assert database.execute("SELECT DISTINCT table_name FROM alarm").fetchall() == [("table-08",)]
    assert journals.read_heads() == {"table-07": Head(journal.journal_name, 3, journal.find_chain(3) or "")}
    assert JournalStore(database).read_heads() == journals.read_heads()


def test_who_sends_a_journal_under_anothers_name_first_shuts_nobody_out_and_the_alarm_names_both(
    database: Database, journal: Journal
) -> None:
    impostor = [make_record(1, "file", json.dumps({"table": journal.journal_name, "previous": None}), ORIGIN)]
    impostor += [make_record(2, "call", "{}", impostor[0].chain)]
    impostor += [make_record(3, "call", "{}", impostor[1].chain)]
    journals = JournalStore(database)
    journals.store_batches([make_received_batch("table-08", journal.journal_name, tuple(impostor[:2]))])
    told = journals.store_batches(
        [message("table-07", journal, 1, 3), make_received_batch("table-08", journal.journal_name, tuple(impostor[2:]))]
    )
    assert told == {
        "table-07": Head(journal.journal_name, 3, journal.find_chain(3) or ""),
        "table-08": Head(journal.journal_name, 3, impostor[2].chain),
    }
    journals = JournalStore(database)
    assert journals.read_heads() == told, "as another start reads it"
    assert journals.store_batches([message("table-07", journal, 5, 5)])["table-07"].reason, "a gap"
    journals.store_batches([message("table-07", journal, 4, 5)])
    for table, own in (("table-07", [*journal.read_records()][:5]), ("table-08", impostor)):
        found = [line.rstrip("\n") for line in iter_export_lines(database, find_newest_journal(database, table))][:-1]
        assert found == [record.export_line for record in own]
    why = f"table-07 and table-08 both send a journal {journal.journal_name}; each is kept as its own table's"
    open_alarms = database.execute("SELECT table_name, why FROM alarm WHERE mended IS NULL ORDER BY 1").fetchall()
    assert open_alarms == [("table-07", why), ("table-08", why)]


def test_a_new_card_is_a_new_journal(database: Database, journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    card = Journal(tmp_path / "new" / JOURNAL_FILE)
    journals = JournalStore(database)
    journals.store_batches([message("table-07", journal, 1, 3)])
    assert journals.store_batches([message("table-07", card, 1, 1)])["table-07"].journal == card.journal_name
    assert (
        journals.read_heads()["table-07"].journal
        == JournalStore(database).read_heads()["table-07"].journal
        == card.journal_name
    )
    assert journals.store_batches([message("table-07", journal, 4, 4)])["table-07"].number == 4, (
        "what is late of the old one"
    )


@pytest.mark.parametrize(
    ("identity", "content"),
    [
        ("", b""), ("j", b"x"), ("j:1-1", b"{}\n"), ("../j:1-1", b""), ("j:1-1", b"\xff\n"),
        ("j:1-1", b'{"number":' + b"9" * 5000 + b',"kind":"a","body":{},"chain":"' + b"0" * 64 + b'"}\n'),
        ("j:1-1", make_record(1, "a", '{"a":"\x00"}', "0" * 64).export_line.encode()),
    ],
)  # fmt: skip
def test_what_is_no_batch_takes_nothing_and_stops_nobody(
    database: Database, journal: Journal, identity: str, content: bytes
) -> None:
    journals = JournalStore(database)
    told = journals.store_batches(
        [parse_batch_message("table-08", identity, content), message("table-07", journal, 1, 3)]
    )
    assert told["table-08"].reason
    assert told["table-07"].number == 3


def test_alarms_of_a_table_are_bounded_and_push_out_no_others(database: Database) -> None:
    for table in ("table-08", "table-07"):
        database.execute(
            "INSERT INTO alarm (table_name, journal, why) SELECT %s, 'j', n::text FROM generate_series(1, %s) n",
            (table, MAX_ALARMS_PER_TABLE),
        )
    for number in range(3):
        JournalStore(database).store_batches([parse_batch_message("table-07", f"j{number}:1-1", b"")])
    counted = database.execute("SELECT table_name, count(*) FROM alarm GROUP BY 1 ORDER BY 1").fetchall()
    assert counted == [("table-07", MAX_ALARMS_PER_TABLE), ("table-08", MAX_ALARMS_PER_TABLE)]
    assert alarms(database)[-1][0] != str(MAX_ALARMS_PER_TABLE), "the newest are kept"


def test_a_table_that_begins_journal_after_journal_fills_no_disk(database: Database, journal: Journal) -> None:
    def first_of(name: str) -> BatchReceived:
        record = make_record(1, "file", json.dumps({"table": name}), "0" * 64)
        return make_received_batch("table-07", name, (record,))

    journals = JournalStore(database)
    told = [
        journals.store_batches([first_of(f"j{number}")])["table-07"] for number in range(MAX_NEW_JOURNALS_PER_WEEK + 50)
    ]
    assert [head.number for head in told] == [1] * MAX_NEW_JOURNALS_PER_WEEK + [0] * 50
    assert database.execute("SELECT count(*) FROM head").fetchone() == (MAX_NEW_JOURNALS_PER_WEEK,)
    assert alarms(database) == [(told[-1].reason, False)], "one alarm, however many they are"
    assert "more are not taken" in told[-1].reason
    assert journals.store_batches([message("table-08", journal, 1, 3)])["table-08"].number == 3, "the others go on"
    database.execute("UPDATE head SET since = since - interval '8 days'")
    assert journals.store_batches([first_of("next")])["table-07"].number == 1
    assert alarms(database) == [(told[-1].reason, True)]


def test_a_table_that_sends_without_end_is_taken_up_to_a_days_share(
    database: Database, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        journals_module, "MAX_BYTES_PER_DAY", len("".join(r.export_line for r in journal.read_records())) - 1
    )
    journals, last = JournalStore(database), journal.read_head()[0]
    journals.store_batches([message("table-07", journal, 1, last - 1)])
    for _ in range(2):
        head = journals.store_batches([message("table-07", journal, last, last)])["table-07"]
        assert (head.number, "more is taken tomorrow" in head.reason) == (last - 1, True)
    assert alarms(database) == [(head.reason, False)]
    database.execute("UPDATE taken SET day = day - 1")
    head = JournalStore(database).store_batches([message("table-07", journal, last, last)])["table-07"]
    assert (head.number, head.reason, alarms(database)[0][1]) == (last, "", True)


def test_two_archives_do_not_write_over_each_other(conninfo: str, database: Database, journal: Journal) -> None:
    one = JournalStore(database)
    one.store_batches([message("table-07", journal, 1, 2)])
    with connect_database(conninfo) as connection:
        two = JournalStore(connection)
        one.store_batches([message("table-07", journal, 3, 4)])
        with pytest.raises(ConnectionError):
            two.store_batches([message("table-07", journal, 3, 5)])
        two.load_heads()
        assert two.store_batches([message("table-07", journal, 3, 5)])["table-07"].number == 5
    assert len(list(iter_export_lines(database, journal.journal_name))) == 6
