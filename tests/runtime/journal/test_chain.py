"""Whatever is done to an exported journal is named, by the number of the first record that is not as it was."""

import base64
import io
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey

from controller.runtime.journal.journal import Journal
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.proof.chain import (
    BadRecordError,
    ExportEnd,
    JournalProof,
    JournalRecord,
    KnownHead,
    make_record,
    parse_export,
    parse_export_line,
    render_body,
    verify_journal,
)
from controller.runtime.journal.proof.device_key import load_device_key
from controller.runtime.journal.sealing.hand_seal import CardKnowledge
from controller.runtime.staff.entry_signature import JournalPosition, sign_entry
from tests.runtime.conftest import begin_journal, read_all_records

CARDS = ("As", "Kd", "9c", "Th", "2d")


ADAS_KEY = base64.b64encode(bytes(SigningKey(bytes(32)).verify_key)).decode()


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Three runs, the last without an end, of two sessions, with every kind of record that a table writes."""
    directory = tmp_path_factory.mktemp("table")
    for run in range(3):
        journal = Journal(directory / "journal.sqlite")
        journal.begin_run("boot", "1.0")
        if run < 2:
            journal.begin_session({"mode": "live", "table": "{}"})
        else:
            journal.continue_session(journal.list_sessions()[-1])
        journal.record_result(journal.append_entry({"ev": "start"}, "panel"), "d" * 64, None, CardKnowledge(True))
        for card in CARDS:
            number = journal.append_entry({"ev": "card", "card": card}, "shoe")
            journal.record_result(
                number,
                "e" * 64,
                None,
                CardKnowledge(
                    True,
                    cards_outside_stub=frozenset(CARDS),
                    public_cards=frozenset(CARDS[:2]),
                    public_read_cards=frozenset(CARDS[:2]),
                ),
            )
        journal.append_note("sign-in", {"name": "Ada", "role": "floor", "key": ADAS_KEY})
        floor = sign_entry(
            SigningKey(bytes(32)),
            "Ada",
            "floor",
            {"ev": "undo"},
            6,
            JournalPosition(journal.journal_name, journal.list_sessions()[-1].number),
        )
        journal.record_result(
            journal.append_entry({"ev": "undo"}, "page", floor), "f" * 64, "not-now", CardKnowledge(True)
        )
        if run < 2:
            journal.record_result(journal.append_entry({"ev": "done"}, "panel"), "0" * 64, None, CardKnowledge())
            journal.store_snapshot(b"a table", journal.last_entry_number)
            journal.end_run("SIGTERM")
        if run == 0:
            journal.begin_run("boot", "1.0")
            assert journal.rotate()
            journal.end_run("SIGTERM")
        journal.close()
    return export_journal(directory)


def export_journal(directory: Path) -> list[bytes]:
    archive = JournalReader.open(directory / "journal.sqlite")
    records = list(archive.read_records())
    head = archive.read_head()
    archive.close()
    key = load_device_key(directory)
    end = ExportEnd(*head, key.sign_head(json.loads(records[0].body)["table"], *head))
    return [f"{line}\n".encode() for line in (*(record.export_line for record in records), end.export_line)]


def verify_export(lines: list[bytes]) -> JournalProof:
    return verify_journal(parse_export(lines))


def place_of(lines: list[bytes]) -> int:
    """The record that is named as the first bad one."""
    with pytest.raises(BadRecordError) as caught:
        verify_export(lines)
    assert str(caught.value.record_number) in str(caught.value)
    return caught.value.record_number


def test_a_whole_export_is_whole(export: list[bytes]) -> None:
    proof = verify_export(export)
    assert proof.record_count == proof.last_record == proof.last_signed_record == len(export) - 1
    assert (proof.entry_count, proof.power_loss_count) == (23, 0)
    kinds = {parse_export_line(line.decode()[:-1], 1).kind for line in export[:-1]}
    wanted = {
        "file", "run", "run-end", "session", "entry", "hand-key", "disclosed", "signed", "snapshot", "result",
        "sign-in",
    }  # fmt: skip
    assert kinds == wanted


def test_every_record_that_is_removed_is_named(export: list[bytes]) -> None:
    for index in range(len(export)):
        assert place_of([*export[:index], *export[index + 1 :]]) == index + 1


def test_an_entry_that_is_not_signed_by_whom_it_names_is_named(export: list[bytes]) -> None:
    """Also where the chain was made anew after it, by somebody who has the table's own key."""
    records = [parse_export_line(line.decode()[:-1], 1) for line in export[:-1]]
    index, entry = next((i, one) for i, one in enumerate(records) if '"by":' in one.body)
    body: dict[str, object] = json.loads(entry.body)
    changes: list[dict[str, object]] = [{"line": {"ev": "done"}}, {"session": 9}, {"by": {}}, {"by": 1}]
    changes.append({"by": {**json.loads(entry.body)["by"], "name": "Bo"}})
    for change in changes:
        forged = make_record(entry.number, "entry", render_body(body | change), records[index - 1].chain)
        assert place_of([*export[:index], f"{forged.export_line}\n".encode()]) == entry.number
    kept = make_record(entry.number, "entry", entry.body, records[index - 1].chain)
    assert kept.chain == entry.chain


def test_every_two_neighbours_that_are_swapped_are_named(export: list[bytes]) -> None:
    for index in range(len(export) - 1):
        swapped = [*export[:index], export[index + 1], export[index], *export[index + 2 :]]
        assert place_of(swapped) == index + 1


def test_every_record_that_is_written_twice_is_named(export: list[bytes]) -> None:
    for index in range(len(export) - 1):
        assert place_of([*export[: index + 1], export[index], *export[index + 1 :]]) == index + 2
    assert place_of([*export, export[-1]]) == len(export)


def test_a_record_that_is_appended_with_a_good_chain_is_named(export: list[bytes]) -> None:
    last = parse_export_line(export[-2].decode()[:-1], 1)
    more = make_record(last.number + 1, "entry", render_body({"entry": 23, "session": 2, "run": 3}), last.chain)
    appended = [*export[:-1], f"{more.export_line}\n".encode()]
    assert place_of([*appended, export[-1]]) == more.number
    assert place_of([*export, f"{more.export_line}\n".encode()]) == more.number
    forged = ExportEnd(more.number, more.chain, "0" * 128)
    assert place_of([*appended, f"{forged.export_line}\n".encode()]) == more.number


@settings(deadline=None)
@given(st.data())
def test_every_flipped_bit_is_named(export: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(export) - 1))
    place = data.draw(st.integers(0, len(export[index]) - 1))
    flipped = bytearray(export[index])
    flipped[place] ^= 1 << data.draw(st.integers(0, 7))
    named = place_of(list(io.BytesIO(b"".join((*export[:index], bytes(flipped), *export[index + 1 :])))))
    if index < len(export) - 1:  # a flipped end of the export may say any number
        assert named == index + 1


@settings(deadline=None)
@given(st.data())
def test_a_record_that_is_made_anew_is_named_where_the_chain_breaks(export: list[bytes], data: st.DataObject) -> None:
    """Whoever changes a record and its chain must change the next one too, up to the next signature."""
    index = data.draw(st.integers(0, len(export) - 2))
    record = parse_export_line(export[index].decode()[:-1], 1)
    body = record.parse_body() | {"wall": "2031-01-01T00:00:00.000+00:00"}
    before = "0" * 64 if index == 0 else parse_export_line(export[index - 1].decode()[:-1], 1).chain
    forged = make_record(record.number, record.kind, render_body(body), before)
    lines = [*export[:index], f"{forged.export_line}\n".encode(), *export[index + 1 :]]
    assert place_of(lines) in (record.number, record.number + 1)


def test_a_journal_whose_chain_is_made_anew_breaks_at_the_next_signature(export: list[bytes]) -> None:
    records = [parse_export_line(line.decode()[:-1], 1) for line in export[:-1]]
    chain = records[3].chain
    anew: list[JournalRecord] = records[:4]
    for record in records[4:]:
        body = record.parse_body()
        if record is records[4]:
            body["wall"] = "2031-01-01T00:00:00.000+00:00"
        if record.kind == "signed":
            body |= {"chain": chain}
        anew.append(make_record(record.number, record.kind, render_body(body), chain))
        chain = anew[-1].chain
    bad = next(record.number for record in records[4:] if record.kind == "signed")
    with pytest.raises(BadRecordError, match="is not signed by this table's key") as caught:
        verify_journal(anew)
    assert caught.value.record_number == bad


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda lines: lines[:-1], "the copy is cut off"),
        (lambda lines: [*lines[:-1], lines[-1][:-1]], "its line has no end"),
        (lambda lines: [*lines[:3], lines[3][:40]], "cut off"),
        (lambda _: [b"\xff\n"], "is no line of an exported journal"),
        (lambda _: [], "the copy is cut off"),
        (lambda lines: lines[1:], "a journal begins with a record of kind `file`"),
    ],
    ids=["no end", "no line end", "half a line", "no text", "nothing", "no beginning"],
)
def test_what_is_no_whole_export_is_said(
    export: list[bytes], change: Callable[[list[bytes]], list[bytes]], told: str
) -> None:
    with pytest.raises(BadRecordError, match=told):
        verify_export(change(export))


def test_another_tables_journal_does_not_pass_for_this_one(export: list[bytes]) -> None:
    with pytest.raises(BadRecordError, match="names another table's key"):
        verify_journal(parse_export(export), device="0" * 64)
    known = KnownHead(7, "0" * 64, "the receipt of yesterday")
    with pytest.raises(BadRecordError, match="record 7 is not the one of the receipt of yesterday"):
        verify_journal(parse_export(export), heads=[known])
    longer = KnownHead(len(export) + 5, "0" * 64, "the receipt of today")
    with pytest.raises(BadRecordError, match=f"record {len(export)} is missing: the receipt of today goes up to"):
        verify_journal(parse_export(export), heads=[longer])


def test_what_the_tables_own_disk_knows_takes_no_receipt_out_of_the_way(export: list[bytes]) -> None:
    """Who makes a journal anew makes `journal.head` too, and could have it speak of the receipt's own record."""
    own = KnownHead(7, parse_export_line(export[6].decode()[:-1], 7).chain, "journal.head")
    receipt = KnownHead(7, "0" * 64, "the receipt of yesterday")
    for heads in ([receipt, own], [own, receipt]):
        with pytest.raises(BadRecordError, match="record 7 is not the one of the receipt of yesterday"):
            verify_journal(parse_export(export), heads=heads)


def test_a_receipt_of_files_that_are_not_given_is_not_passed_over(export: list[bytes]) -> None:
    files = [number for number, line in enumerate(export, 1) if b'"kind":"file"' in line]
    assert len(files) == 2
    later, before = export[files[1] - 1 :], files[1] - 1
    assert verify_journal(parse_export(later)).first_record == files[1]
    chain = parse_export_line(export[before - 1].decode()[:-1], before).chain
    verify_journal(parse_export(later), heads=[KnownHead(before, chain, "the receipt of yesterday")])
    with pytest.raises(BadRecordError, match=f"record {before} is not the one of the receipt of yesterday"):
        verify_journal(parse_export(later), heads=[KnownHead(before, "0" * 64, "the receipt of yesterday")])
    with pytest.raises(BadRecordError, match="record 7 is missing: the receipt of yesterday is of it"):
        verify_journal(parse_export(later), heads=[KnownHead(7, "0" * 64, "the receipt of yesterday")])


def test_the_bytes_of_a_record_hold_nothing_that_two_programs_could_write_in_two_ways() -> None:
    assert render_body({"player": "Zoë \u2028", "t": 0.1}) == r'{"player":"Zo\u00eb \u2028","t":0.1}'
    with pytest.raises(ValueError, match="Out of range float"):
        render_body({"t": float("nan")})


def test_an_entry_signed_with_a_key_that_nobody_signed_in_with_is_named(tmp_path: Path) -> None:
    journal = begin_journal(tmp_path)
    session = journal.list_sessions()[-1].number
    journal.append_note("sign-in", {"name": "Ada", "role": "floor", "key": ADAS_KEY})
    forged = sign_entry(
        SigningKey(bytes([1]) * 32), "Ada", "floor", {"ev": "undo"}, 0, JournalPosition(journal.journal_name, session)
    )
    journal.record_result(journal.append_entry({"ev": "undo"}, "page", forged), "f" * 64, None, CardKnowledge())
    journal.end_run("SIGTERM")
    journal.close()
    with pytest.raises(BadRecordError, match="did not sign in with"):
        verify_journal(read_all_records(tmp_path))


KEYS = {"floor": SigningKey(bytes(32)), "technician": SigningKey(bytes([2]) * 32)}
NAMES = {"floor": "Ada", "technician": "Cy"}


def broadcast(
    directory: Path,
    delay: int | None,
    roles: tuple[str, ...],
    *,
    mode: str = "live",
    session: int = 1,
    of: int | None = -1,
) -> list[JournalRecord]:
    """The journal of a table with a broadcast, and a word about it; `of`: the delay that was signed, -1 the same."""
    journal = begin_journal(directory, mode)
    journal.append_note("broadcast", {"delay": None, "by": []})
    for role, key in KEYS.items():
        public = base64.b64encode(bytes(key.verify_key)).decode()
        journal.append_note("sign-in", {"name": NAMES[role], "role": role, "key": public})
    line, place = (
        {"ev": "broadcast", "delay": delay if of == -1 else of},
        JournalPosition(journal.journal_name, session),
    )
    words = [
        sign_entry(KEYS[role], NAMES[role], role, line, 0, place)
        if role in KEYS
        else {"name": "showroom", "role": role[1:]}
        for role in roles
    ]
    journal.append_note("broadcast", {"delay": delay, "by": words})
    journal.end_run("SIGTERM")
    journal.close()
    return read_all_records(directory)


@pytest.mark.parametrize(
    ("delay", "roles", "mode"),
    [
        (300, ("floor", "technician"), "live"),
        (None, ("floor",), "live"),
        (None, ("technician",), "live"),
        (300, ("?floor", "?technician"), "simulation"),
        (None, ("?floor",), "simulation"),
    ],
)
def test_a_word_about_the_broadcast_by_whom_it_takes_is_whole(
    tmp_path: Path, delay: int | None, roles: tuple[str, ...], mode: str
) -> None:
    assert verify_journal(broadcast(tmp_path, delay, roles, mode=mode)).record_count


@pytest.mark.parametrize(
    ("delay", "roles", "forged"),
    [
        (300, ("floor", "technician"), {"session": 2}),
        (300, ("floor", "technician"), {"of": 301}),
        (300, ("floor", "technician"), {"of": None}),
        (300, ("floor",), {}),
        (300, ("floor", "floor"), {}),
        (300, (), {}),
        (300, ("?floor", "?technician"), {}),
        (300, ("floor", "?technician"), {}),
        (None, ("floor",), {"of": 300}),
        (None, ("floor", "technician"), {}),
        (None, (), {}),
        (None, ("?floor",), {}),
        (None, ("?dealer",), {"mode": "simulation"}),
    ],
)
def test_a_word_about_the_broadcast_that_is_not_theirs_is_named(
    tmp_path: Path, delay: int | None, roles: tuple[str, ...], forged: dict[str, Any]
) -> None:
    records = broadcast(tmp_path, delay, roles, **forged)
    with pytest.raises(BadRecordError) as caught:
        verify_journal(records)
    assert caught.value.record_number == [record.number for record in records if record.kind == "broadcast"][-1]


@pytest.mark.parametrize("by", [None, "Ada", [1], {}, [[]]])
def test_a_broadcast_record_of_no_sense_is_named_and_ends_nothing(tmp_path: Path, by: object) -> None:
    with closing(begin_journal(tmp_path)) as journal:
        journal.append_note("broadcast", {"delay": 300, "by": by})
        with pytest.raises(BadRecordError, match="whose word"):
            verify_journal(read_all_records(tmp_path))
