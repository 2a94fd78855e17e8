"""The programs of a showroom come up in order, and none is left behind."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config.table_file import load_table_file
from controller.app.commissioning.table_file_check import find_problems
from room.demo.demo_database import find_program, start_database
from room.demo.demo_room import _find_code, _measure_log, run_demo
from room.demo.demo_tables import GAMES, write_table_files
from room.demo.process_group import MAX_LOG_BYTES, DemoError, ProcessGroup
from room.record.postgres_record import PostgresRecord, connect_database
from room.record.room_record import StreamConflictError
from tests.room.real_parts import free_row

if TYPE_CHECKING:
    import psycopg
    from psycopg.rows import TupleRow


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder in which another user may have one, too, and with a path short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="room-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_what_does_not_come_up_is_named_with_its_log(tmp_path: Path) -> None:
    with ProcessGroup(tmp_path) as processes:
        with pytest.raises(DemoError, match=r"broker ended with status 3: no; its log is .*broker\.log"):
            processes.start("broker", [sys.executable, "-c", "print('no'); raise SystemExit(3)"], is_up=lambda: False)
        assert processes.log_path("broker").read_text() == "no\n"
        assert processes.find_ended() == "broker"


def test_a_log_stays_short_and_its_program_goes_on_at_the_end(tmp_path: Path) -> None:
    with ProcessGroup(tmp_path) as processes:
        log = processes.log_path("talker")
        log.write_bytes(b"old\n" * MAX_LOG_BYTES)
        processes.trim_logs()
        assert log.stat().st_size <= MAX_LOG_BYTES
        with log.open("ab") as said:
            log.write_bytes(b"new\n" * MAX_LOG_BYTES)
            processes.trim_logs()
            said.write(b"the end\n")
        assert log.stat().st_size <= MAX_LOG_BYTES
        assert log.read_bytes().endswith(b"new\nthe end\n")
        assert log.read_bytes().startswith(b"new\n"), "whole lines"


def test_all_that_was_started_is_ended_the_last_first(tmp_path: Path) -> None:
    ended: list[str] = []

    class RecordingProcessGroup(ProcessGroup):
        def stop(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
            ended.append(name)
            super().stop(name, how)

    with RecordingProcessGroup(tmp_path) as processes:
        running: dict[str, subprocess.Popen[bytes]] = {}
        for name in ("one", "two"):
            processes.start(name, ["sleep", "100"])
            running[name] = processes.find_process(name)
        assert processes.find_ended() is None
    assert ended == ["two", "one"]
    assert all(process.poll() is not None for process in running.values())


def test_lines_are_kept_over_a_restart_of_the_database_and_one_of_two_writers_is_told(
    tmp_path: Path, open_to_all: Path
) -> None:
    try:
        find_program("postgres")
    except DemoError as why:
        pytest.skip(str(why))
    for after in (0, 1):
        with ProcessGroup(tmp_path / "logs") as processes:
            where = start_database(processes, open_to_all / "db")
            one, two = connect_database(where), connect_database(where)
            line = PostgresRecord(one).append("calls", after, 1.5, "Ana", {"do": "take", "table": "t-1"})
            with pytest.raises(StreamConflictError):
                PostgresRecord(two).append("calls", after, 2.0, "Ben", {"do": "done"})
            assert list(PostgresRecord(two).read_lines("calls", after)) == [line]
            assert len(list(PostgresRecord(two).read_lines("calls"))) == after + 1
            assert PostgresRecord(two).list_streams("c") == PostgresRecord(two).list_streams("c", "done") == ["calls"]
            assert PostgresRecord(two).list_streams("c", "take") == []
            one.close()
            two.close()
    with pytest.raises(ConnectionError, match="does not answer"):
        connect_database(where)


def test_a_one_time_code_of_an_earlier_start_is_not_said_again(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    assert _measure_log(log) == 0
    log.write_text("nobody is enrolled here: with the one-time code 1234-5678 the first person enrols\n")
    assert "1234-5678" in _find_code(log, 0)
    before = _measure_log(log)
    with log.open("a") as said:
        said.write("the page is up\n")
    assert _find_code(log, before) == ""


@pytest.mark.parametrize("number", range(1, len(GAMES) + 1))
def test_every_table_of_the_showroom_is_one_that_can_be_run(tmp_path: Path, number: int) -> None:
    table = write_table_files(tmp_path, number, 8100 + number, "ab" * 32)
    token = table.token_file.read_text()
    assert find_problems(table.config_file) == []
    assert write_table_files(tmp_path, number, 8100 + number, "ab" * 32) == table
    assert table.token_file.read_text() == token, "a second start takes up the first"


def test_a_table_that_waits_for_a_tournament_is_empty_and_can_be_run(tmp_path: Path) -> None:
    table = write_table_files(tmp_path, 4, 8104, "ab" * 32, tournament=True)
    assert find_problems(table.config_file) == []
    file = load_table_file(table.config_file)
    assert file.table_line["seats"] == []
    assert file.tournament is not None
    assert "new_player" not in file.key_lines_by_panel["panel"], "nobody sits down by themselves"


@pytest.mark.slow
def test_a_whole_room_comes_up_its_tables_are_archived_and_it_goes_on_where_it_was(open_to_all: Path) -> None:
    try:
        find_program("postgres")
    except DemoError as why:
        pytest.skip(str(why))
    before: dict[str, int] = {}
    port = free_row(3)  # the room's page, and a page for each table
    for _ in range(2):
        with run_demo(open_to_all, tables=2, nodes=1, port=port) as running:
            database = connect_database(f"host={open_to_all.resolve()}/database user=room dbname=postgres")

            def read_archived_numbers(database: "psycopg.Connection[TupleRow]" = database) -> dict[str, int]:
                return dict(database.execute("SELECT table_name, number FROM head").fetchall())

            ends = time.monotonic() + 60
            while len(read_archived_numbers()) < 2 or any(
                read_archived_numbers()[name] <= before.get(name, 0) + 20 for name in read_archived_numbers()
            ):
                assert time.monotonic() < ends, read_archived_numbers()
                assert running.processes.find_ended() is None
                time.sleep(0.2)
            before = read_archived_numbers()
            database.close()
        assert before.keys() == {"table-01", "table-02"}
