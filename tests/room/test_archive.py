"""What the archive takes of what tables send, in a real PostgreSQL."""

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import ORIGIN, BadRecord, Record, linked, read_export, verify
from controller.runtime.state_directory import JOURNAL_FILE
from room.archive import journals as journals_module
from room.archive.export import NotHere, exported, journal_of
from room.archive.journals import MOST_ALARMS, MOST_BEGUN, Arrived, Journals, arrived
from room.contract.batch import Batch, Head
from room.record.in_postgres import connected
from tests.room.real_parts import RealRoom, missing

Database = psycopg.Connection[tuple[object, ...]]

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with RealRoom(tmp_path_factory.mktemp("r", numbered=True)) as room:
        room.start_database()
        yield room.database


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    with connected(where) as connection:
        connection.execute("TRUNCATE head, namesake, record, alarm, taken")
        yield connection


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / JOURNAL_FILE)
    journal.begin_run("boot", "1")
    journal.begin_session({"mode": "live"})
    for number in range(3):
        journal.note("call", {"wanted": bool(number % 2), "by": ""})
    journal.rest()
    journal.note("call", {"wanted": True, "by": ""})
    return journal


def message(table: str, journal: Journal, first: int, last: int) -> Arrived:
    records = tuple(record for record in journal.records() if first <= record.number <= last)
    return sent(table, journal.table, records)


def sent(table: str, journal: str, records: tuple[Record, ...]) -> Arrived:
    batch = Batch(journal, records)
    return arrived(table, batch.identity, batch.written())


def alarms(database: Database) -> list[tuple[str, bool]]:
    rows = database.execute("SELECT why, mended IS NOT NULL FROM alarm ORDER BY id").fetchall()
    return [(str(why), bool(mended)) for why, mended in rows]


def test_a_journal_is_kept_byte_for_byte_whatever_comes_twice(database: Database, journal: Journal) -> None:
    journals = Journals(database)
    last = journal.head()[0]
    for span in ((1, 3), (1, 3), (2, 5), (4, last), (1, last)):
        told = journals.take([message("table-07", journal, *span)])
    assert told == {"table-07": Head(journal.table, *journal.head())}
    assert alarms(database) == []
    lines = list(exported(database, journal_of(database, "table-07")))
    assert "".join(lines[:-1]) == "".join(f"{record.line}\n" for record in journal.records())
    assert Journals(database).heads() == told, "as another start reads it"
    with pytest.raises(NotHere, match="it has table-07"):
        journal_of(database, "table-08")


def test_an_archived_prefix_is_proved_with_the_end_that_the_table_signed(database: Database, journal: Journal) -> None:
    Journals(database).take([message("table-07", journal, 1, journal.head()[0])])
    proof = verify(read_export(line.encode() for line in exported(database, journal.table, signed=True)))
    assert proof.end_signed
    assert proof.last == journal.head()[0] - 2, "the record before the signature"
    cut = list(exported(database, journal.table, signed=True))
    with pytest.raises(BadRecord):
        verify(read_export(line.encode() for line in cut[:-2] + cut[-1:]))
    assert not verify(read_export(line.encode() for line in exported(database, journal.table))).end_signed


def test_a_gap_is_refused_and_said_until_the_right_one_comes(database: Database, journal: Journal) -> None:
    journals = Journals(database)
    journals.take([message("table-07", journal, 1, 2)])
    head = journals.take([message("table-07", journal, 4, 5)])["table-07"]
    assert head.number == 2
    assert "begins with record 4 where 3 is next" in head.why
    assert alarms(database) == [(head.why, False)]
    for _ in range(3):
        journals.take([message("table-07", journal, 4, 5)])
    assert len(alarms(database)) == 1, "the same is said once"
    assert Journals(database).heads()["table-07"].why == head.why
    assert journals.take([message("table-07", journal, 3, 5)])["table-07"].why == ""
    assert alarms(database) == [(head.why, True)]


def test_a_journal_that_does_not_begin_here_is_refused(database: Database, journal: Journal) -> None:
    head = Journals(database).take([message("table-07", journal, 3, 4)])["table-07"]
    assert head.number == 0
    assert "nothing before it is here" in head.why
    assert database.execute("SELECT count(*) FROM record").fetchone() == (0,)


def test_a_fork_and_a_changed_record_are_refused(database: Database, journal: Journal) -> None:
    journals = Journals(database)
    journals.take([message("table-07", journal, 1, 4)])
    chain = journal.chain_at(3)
    assert chain is not None
    other = linked(4, "call", '{"wanted":false,"by":"nobody"}', chain)
    assert "record 4 is another" in journals.take([sent("table-07", journal.table, (other,))])["table-07"].why
    after = linked(5, "call", "{}", other.chain)
    assert "does not follow" in journals.take([sent("table-07", journal.table, (after,))])["table-07"].why
    changed = Record(5, "call", "{}", journal.chain_at(5) or "")
    assert "does not follow" in journals.take([sent("table-07", journal.table, (changed,))])["table-07"].why
    assert journals.take([message("table-07", journal, 5, 6)])["table-07"] == Head(
        journal.table, 6, journal.chain_at(6) or ""
    )
    assert all(mended for _, mended in alarms(database))


def test_a_table_cannot_go_on_with_the_journal_of_another(database: Database, journal: Journal) -> None:
    journals = Journals(database)
    journals.take([message("table-07", journal, 1, 3)])
    head = journals.take([message("table-08", journal, 4, 5)])["table-08"]
    assert head.number == 0
    assert head.why.startswith("the journal is that of table-07, and nothing before it is here")
    assert database.execute("SELECT DISTINCT table_name FROM alarm").fetchall() == [("table-08",)]
    assert journals.heads() == {"table-07": Head(journal.table, 3, journal.chain_at(3) or "")}
    assert Journals(database).heads() == journals.heads()


def test_who_sends_a_journal_under_anothers_name_first_shuts_nobody_out_and_the_alarm_names_both(
    database: Database, journal: Journal
) -> None:
    impostor = [linked(1, "file", json.dumps({"table": journal.table, "previous": None}), ORIGIN)]
    impostor += [linked(2, "call", "{}", impostor[0].chain)]
    impostor += [linked(3, "call", "{}", impostor[1].chain)]
    journals = Journals(database)
    journals.take([sent("table-08", journal.table, tuple(impostor[:2]))])
    told = journals.take([message("table-07", journal, 1, 3), sent("table-08", journal.table, tuple(impostor[2:]))])
    assert told == {
        "table-07": Head(journal.table, 3, journal.chain_at(3) or ""),
        "table-08": Head(journal.table, 3, impostor[2].chain),
    }
    journals = Journals(database)
    assert journals.heads() == told, "as another start reads it"
    assert journals.take([message("table-07", journal, 5, 5)])["table-07"].why, "a gap"
    journals.take([message("table-07", journal, 4, 5)])
    for table, own in (("table-07", [*journal.records()][:5]), ("table-08", impostor)):
        found = [line.rstrip("\n") for line in exported(database, journal_of(database, table))][:-1]
        assert found == [record.line for record in own]
    why = f"table-07 and table-08 both send a journal {journal.table}; each is kept as its own table's"
    open_alarms = database.execute("SELECT table_name, why FROM alarm WHERE mended IS NULL ORDER BY 1").fetchall()
    assert open_alarms == [("table-07", why), ("table-08", why)]


def test_a_new_card_is_a_new_journal(database: Database, journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    card = Journal(tmp_path / "new" / JOURNAL_FILE)
    journals = Journals(database)
    journals.take([message("table-07", journal, 1, 3)])
    assert journals.take([message("table-07", card, 1, 1)])["table-07"].journal == card.table
    assert journals.heads()["table-07"].journal == Journals(database).heads()["table-07"].journal == card.table
    assert journals.take([message("table-07", journal, 4, 4)])["table-07"].number == 4, "what is late of the old one"


@pytest.mark.parametrize(
    ("identity", "content"),
    [
        ("", b""), ("j", b"x"), ("j:1-1", b"{}\n"), ("../j:1-1", b""), ("j:1-1", b"\xff\n"),
        ("j:1-1", b'{"number":' + b"9" * 5000 + b',"kind":"a","body":{},"chain":"' + b"0" * 64 + b'"}\n'),
        ("j:1-1", linked(1, "a", '{"a":"\x00"}', "0" * 64).line.encode()),
    ],
)  # fmt: skip
def test_what_is_no_batch_takes_nothing_and_stops_nobody(
    database: Database, journal: Journal, identity: str, content: bytes
) -> None:
    journals = Journals(database)
    told = journals.take([arrived("table-08", identity, content), message("table-07", journal, 1, 3)])
    assert told["table-08"].why
    assert told["table-07"].number == 3


def test_alarms_of_a_table_are_bounded_and_push_out_no_others(database: Database) -> None:
    for table in ("table-08", "table-07"):
        database.execute(
            "INSERT INTO alarm (table_name, journal, why) SELECT %s, 'j', n::text FROM generate_series(1, %s) n",
            (table, MOST_ALARMS),
        )
    for number in range(3):
        Journals(database).take([arrived("table-07", f"j{number}:1-1", b"")])
    counted = database.execute("SELECT table_name, count(*) FROM alarm GROUP BY 1 ORDER BY 1").fetchall()
    assert counted == [("table-07", MOST_ALARMS), ("table-08", MOST_ALARMS)]
    assert alarms(database)[-1][0] != str(MOST_ALARMS), "the newest are kept"


def test_a_table_that_begins_journal_after_journal_fills_no_disk(database: Database, journal: Journal) -> None:
    def first_of(name: str) -> Arrived:
        record = linked(1, "file", json.dumps({"table": name}), "0" * 64)
        return sent("table-07", name, (record,))

    journals = Journals(database)
    told = [journals.take([first_of(f"j{number}")])["table-07"] for number in range(MOST_BEGUN + 50)]
    assert [head.number for head in told] == [1] * MOST_BEGUN + [0] * 50
    assert database.execute("SELECT count(*) FROM head").fetchone() == (MOST_BEGUN,)
    assert alarms(database) == [(told[-1].why, False)], "one alarm, however many they are"
    assert "more are not taken" in told[-1].why
    assert journals.take([message("table-08", journal, 1, 3)])["table-08"].number == 3, "the others go on"
    database.execute("UPDATE head SET since = since - interval '8 days'")
    assert journals.take([first_of("next")])["table-07"].number == 1
    assert alarms(database) == [(told[-1].why, True)]


def test_a_table_that_sends_without_end_is_taken_up_to_a_days_share(
    database: Database, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals_module, "MOST_A_DAY", len("".join(r.line for r in journal.records())) - 1)
    journals, last = Journals(database), journal.head()[0]
    journals.take([message("table-07", journal, 1, last - 1)])
    for _ in range(2):
        head = journals.take([message("table-07", journal, last, last)])["table-07"]
        assert (head.number, "more is taken tomorrow" in head.why) == (last - 1, True)
    assert alarms(database) == [(head.why, False)]
    database.execute("UPDATE taken SET day = day - 1")
    head = Journals(database).take([message("table-07", journal, last, last)])["table-07"]
    assert (head.number, head.why, alarms(database)[0][1]) == (last, "", True)


def test_two_archives_do_not_write_over_each_other(where: str, database: Database, journal: Journal) -> None:
    one = Journals(database)
    one.take([message("table-07", journal, 1, 2)])
    with connected(where) as connection:
        two = Journals(connection)
        one.take([message("table-07", journal, 3, 4)])
        with pytest.raises(ConnectionError):
            two.take([message("table-07", journal, 3, 5)])
        two.load()
        assert two.take([message("table-07", journal, 3, 5)])["table-07"].number == 5
    assert len(list(exported(database, journal.table))) == 6
