"""A short form of the damage campaign; DAMAGES says how many the long one has (`make damage`).

Each case that was once found is here by itself, as small as it was: a table that started with less, or did not say why
it did not start.
"""

import itertools
import os
import re
import select
from pathlib import Path
from typing import Any

import pytest

from controller.cli.table import token_command
from controller.runtime.journal.proof.head_file import HeadFile
from controller.runtime.loop import staff_watch
from tests.damage import trial
from tests.damage.campaign import Case, DamagedTables, Tally, make_tables
from tests.damage.judge import Verdict, find_fault_of_message, judge_command
from tests.damage.mutations import Mutation
from tests.damage.trial import Answer

DAMAGES = int(os.environ.get("DAMAGES", "8"))

pytestmark = pytest.mark.timeout(600 + DAMAGES)

BETWEEN_KILLED, BETWEEN_ENDED, MID_KILLED, MID_ENDED = (
    f"{when}, {how}" for when in ("between hands", "in mid-hand") for how in ("killed", "ended")
)
AS_BEFORE, REFUSED, SET_UP, LESS = Verdict.AS_BEFORE, Verdict.REFUSED, Verdict.SET_UP, Verdict.LESS

STARTS = (
    (BETWEEN_ENDED, [("state/tokens.sqlite", "deleted")], REFUSED),
    (BETWEEN_KILLED, [("state/tokens.sqlite", "emptied")], REFUSED),
    (MID_ENDED, [("state/tokens.sqlite", "an older copy")], REFUSED),
    (MID_KILLED, [("state/tokens.sqlite", "a directory")], REFUSED),
    (MID_KILLED, [("state/tokens.sqlite", "unreadable")], REFUSED),
    (BETWEEN_ENDED, [("state/staff.sqlite", "an older copy")], REFUSED),
    (MID_ENDED, [("state/table.sqlite", "an older copy")], AS_BEFORE),
    (MID_ENDED, [("state/lock", "a directory")], REFUSED),
    (MID_ENDED, [("state/lock", "unreadable")], REFUSED),
    (MID_ENDED, [("page.crt", "unreadable")], REFUSED),
    (BETWEEN_ENDED, [("page.key", "deleted")], REFUSED),
    (MID_ENDED, [("state/hand.key", "a directory")], REFUSED),
    (MID_KILLED, [("state/hand.key", "unreadable")], REFUSED),
    (BETWEEN_KILLED, [("state/snapshot", "a directory")], AS_BEFORE),
    (MID_KILLED, [("state/snapshot", "deleted")], AS_BEFORE),
    (BETWEEN_ENDED, [("state/snapshot", "unreadable")], AS_BEFORE),
    (MID_KILLED, [("state/journal.head", "another table's")], REFUSED),
    (MID_KILLED, [("state/journal.tail", "emptied"), ("state/journal.head", "deleted")], REFUSED),
    (MID_KILLED, [("state/journal.tail", "emptied"), ("state/journal.head-copy", "an older copy")], REFUSED),
    (BETWEEN_KILLED, [("state/journal.sqlite-wal", "deleted"), ("state/journal.head", "an older copy")], REFUSED),
    (BETWEEN_KILLED, [("state/journal-1.sqlite", "another table's")], REFUSED),
    (MID_ENDED, [("state/auditor.pub", "deleted")], REFUSED),
    (MID_ENDED, [("state/auditor.pub", "emptied")], REFUSED),
    (MID_ENDED, [("state/device.pub", "other rights"), ("state/journal.head-copy", "other rights")], REFUSED),
    (MID_ENDED, [("state/deck-in-play", "deleted")], AS_BEFORE),
    (MID_ENDED, [("state/device.pub", "deleted")], AS_BEFORE),
    (MID_KILLED, [("state/journal.sqlite-wal", "a directory"), ("state/journal.sqlite", "emptied")], REFUSED),
)

COMMANDS = (
    (BETWEEN_KILLED, ("state/journal.tail", "zeroed"), "journal list"),
    (MID_KILLED, ("state/journal.sqlite-wal", "deleted"), "journal check"),
    (BETWEEN_KILLED, ("state/journal.sqlite-wal", "deleted"), "journal export"),
    (BETWEEN_KILLED, ("state/journal.tail", "emptied"), "hands list"),
    (BETWEEN_KILLED, ("state/journal.tail", "emptied"), "drop"),
    (BETWEEN_KILLED, ("state/journal.tail", "emptied"), "backup make"),
    (BETWEEN_KILLED, ("state/table.sqlite", "deleted"), "deck list"),
    (BETWEEN_ENDED, ("state/table.sqlite", "emptied"), "deck list"),
    (BETWEEN_KILLED, ("state/journal.tail", "emptied"), "doctor"),
    (MID_ENDED, ("state/journal.sqlite", "deleted"), "backup make"),
    (MID_ENDED, ("state/device.pub", "deleted"), "backup make"),
    (MID_ENDED, ("state/journal-1.sqlite", "deleted"), "journal verify"),
    (MID_ENDED, ("state/journal-1.sqlite", "deleted"), "hands list"),
    (MID_ENDED, ("state/journal.sqlite", "emptied"), "hands list"),
    (BETWEEN_ENDED, ("state/device.key", "another table's"), "journal export"),
    (BETWEEN_KILLED, ("state/journal.tail", "a directory"), "drop"),
    (BETWEEN_ENDED, ("state/device.pub", "emptied"), "journal verify"),
    (BETWEEN_ENDED, ("receipt.txt", "zeroed"), "journal receipt"),
    (MID_KILLED, ("table.toml", "unreadable"), "journal check"),
    (BETWEEN_ENDED, ("state/table.sqlite", "deleted"), "doctor"),
    (BETWEEN_KILLED, ("state/journal-1.sqlite", "another table's"), "journal export"),
    (BETWEEN_KILLED, ("state/journal-1.sqlite", "another table's"), "journal list"),
    (MID_ENDED, ("state/journal-1.sqlite", "deleted"), "backup make"),
    (MID_ENDED, ("state/auditor.pub", "deleted"), "backup make"),
    (BETWEEN_ENDED, ("state/journal.sqlite", "deleted"), "doctor"),
    (BETWEEN_KILLED, ("page.key", "deleted"), "backup make"),
    (BETWEEN_KILLED, ("ca.crt", "deleted"), "backup make"),
    (BETWEEN_ENDED, ("house/rulebooks/our-book.toml", "deleted"), "backup make"),
    (BETWEEN_ENDED, ("state/journal-1.sqlite", "another table's"), "doctor"),
    (MID_ENDED, ("state/journal.sqlite", "deleted"), "token list"),
    (MID_ENDED, ("state/journal.sqlite", "deleted"), "staff list"),
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> DamagedTables:
    return make_tables(tmp_path_factory.mktemp("damage"), 1)


def damage(moment: str, mutations: list[tuple[str, str]], command: str = "token list") -> Case:
    return Case(moment, tuple(Mutation(name, kind, seed) for seed, (name, kind) in enumerate(mutations)), command)


@pytest.mark.parametrize(("moment", "mutations", "verdict"), STARTS, ids=str)
def test_a_start_after_damage_is_as_before_or_names_the_file(
    tables: DamagedTables, moment: str, mutations: list[tuple[str, str]], verdict: Verdict
) -> None:
    found = tables.try_case(damage(moment, mutations))
    assert found.start.verdict is verdict, found.start.why


@pytest.mark.parametrize(("moment", "mutation", "command"), COMMANDS, ids=str)
def test_a_command_over_damage_names_the_file(
    tables: DamagedTables, moment: str, mutation: tuple[str, str], command: str
) -> None:
    found = tables.try_case(damage(moment, [mutation], command))
    assert found.command.verdict is REFUSED, found.command.why
    assert not found.start.is_bad, found.start.why


def test_a_table_file_that_sets_up_another_table_is_said_to(tables: DamagedTables) -> None:
    """That is how a table is set up anew; who did not mean to is told how to go back."""
    edited = (
        (tables.evening.folder_by_moment[BETWEEN_ENDED] / "table.toml")
        .read_text()
        .replace("stack = 200", "stack = 300")
    )
    other = tables.sources[BETWEEN_ENDED].other / "table.toml"
    before = other.read_text()
    other.write_text(edited)
    try:
        found = tables.try_case(damage(BETWEEN_ENDED, [("table.toml", "another table's")]))
    finally:
        other.write_text(before)
    assert found.start.verdict is SET_UP, found.start.why


def test_a_table_file_that_names_another_directory_begins_a_table_and_names_itself(tables: DamagedTables) -> None:
    """One flipped bit in a name, and the table of years stands where nobody looks."""
    source = tables.evening.folder_by_moment[BETWEEN_ENDED] / "table.toml"
    other = tables.sources[BETWEEN_ENDED].other / "table.toml"
    before = other.read_text()
    other.write_text(re.sub(r'(?m)^directory = "state"', 'directory = "stade"', source.read_text()))
    assert "stade" in other.read_text()
    try:
        found = tables.try_case(damage(BETWEEN_ENDED, [("table.toml", "another table's")], "drop"))
    finally:
        other.write_text(before)
    assert found.start.verdict is REFUSED, found.start.why


def test_no_damage_by_chance_leaves_a_table_with_less_or_without_a_word(tables: DamagedTables) -> None:
    tally = Tally()
    for case in tables.take_cases(DAMAGES, 11):
        tally.add(tables.try_case(case))
    assert not tally.bad, "\n".join(f"{each.case}: {each.start.why} {each.command.why}" for each in tally.bad)
    assert tally.starts == DAMAGES


def test_a_table_that_looks_at_no_mark_and_one_head_starts_with_less_and_is_found(
    tables: DamagedTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign can fail: these are its positive controls."""
    older = damage(MID_ENDED, [("state/tokens.sqlite", "an older copy")])
    shorter = damage(MID_KILLED, [("state/journal.tail", "emptied"), ("state/journal.head", "deleted")])
    with monkeypatch.context() as broken:
        for each in (staff_watch, token_command):
            broken.setattr(each, "find_tokens_trouble", lambda *_: None)
        assert tables.try_case(older).start.verdict is LESS
    with monkeypatch.context() as broken:
        broken.setattr(HeadFile, "read", lambda _: None)
        assert tables.try_case(shorter).start.verdict is LESS


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "nothing is said"),
        ("Traceback (most recent call last): staff.sqlite", "it says 'Traceback'"),
        ("staff.sqlite: KeyError; put it back", "it says 'KeyError'"),
        ("the file is damaged; put its last copy back", "it does not name staff.sqlite"),
        ("staff.sqlite: is damaged", "it says no remedy"),
        ("staff.sqlite: As 7h; put it back", "it names 2 cards"),
        ("staff.sqlite: is damaged; put its last copy back", None),
    ],
)
def test_a_plain_message_names_file_and_remedy_and_nothing_of_the_program(text: str, fault: str | None) -> None:
    assert find_fault_of_message(text, {"state/staff.sqlite"}) == fault


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        ("  BAD  shoe: b (named in table.toml, [device.shoe] port): nothing is there\n       -> correct it", REFUSED),
        ("  BAD  shoe: b: nothing is there\n       -> correct it", Verdict.SILENT),
        ("  BAD  shoe: b (named in table.toml): nothing is there", Verdict.SILENT),
    ],
)
def test_a_finding_of_the_doctor_is_read_with_its_remedy_though_another_had_the_same(
    finding: str, verdict: Verdict
) -> None:
    before = Answer(1, "  BAD  shoe: a: nothing is there\n       -> correct it\n1 bad\n")
    found = judge_command("doctor", Answer(1, f"{finding}\n1 bad\n"), before, {"table.toml"})
    assert found.verdict is verdict, found.why


def test_what_waits_for_ever_hangs_and_what_is_slow_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "PATIENCE_S", 0.1)

    def wait() -> dict[str, Any]:
        return {"waits": bool(select.select([], [], [], 0.5))}

    worked = itertools.count(1)
    monkeypatch.setattr(trial, "_find_worked_time", lambda _process: next(worked) / 1000)
    assert trial._run_forked(tmp_path, wait) == {"waits": True}
    monkeypatch.setattr(trial, "_find_worked_time", lambda _process: 0.05)
    assert trial._run_forked(tmp_path, lambda: wait() | wait()) == {"hangs": True}


def test_every_file_of_an_evening_is_hit(tables: DamagedTables) -> None:
    state = {Path(name).name for names in tables.files.values() for name in names}
    assert state >= {
        *("journal.sqlite", "journal.sqlite-wal", "journal-1.sqlite", "journal.tail", "journal.head", "snapshot"),
        *("hand.key", "device.key", "device.pub", "auditor.pub", "table.sqlite", "staff.sqlite", "tokens.sqlite"),
        *("drop.sqlite", "hands.sqlite", "deck-in-play", "lock", "receipt.txt", "table.toml"),
        *("our-book.toml", "page.crt", "page.key", "journal.head-copy"),
    }
