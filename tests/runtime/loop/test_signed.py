"""What a person signs stays what they signed, also where the table takes it for another entry."""

import base64
import json
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from controller.core.protocol import events, vocabulary
from controller.runtime.faults.fault_table import FAULTS
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import (
    BadRecordError,
    JournalRecord,
    make_record,
    render_body,
    verify_journal,
)
from controller.runtime.staff.entry_signature import JournalPosition, sign_entry
from tests.runtime.conftest import read_all_records
from tests.runtime.loop.test_loop import Table3

KEY = SigningKey(bytes([5]) * 32)


def said_after_a_cut(directory: Path) -> list[JournalRecord]:
    """The records of a table at which the power was cut in a hand, and somebody said that all is as shown."""
    journal = Journal(directory / "journal.sqlite")
    three = Table3(journal)
    public = base64.b64encode(bytes(KEY.verify_key)).decode()
    journal.append_note("sign-in", {"name": "Ada", "role": "dealer", "key": public})
    three.enter(events.HandStarted())
    cut = events.DeviceChanged(FAULTS["power-lost"].device_id, vocabulary.DeviceChange.LOST, is_needed=True)
    three.loop._handle_event(cut, "controller", three.now)
    by = sign_entry(
        KEY, "Ada", "dealer", {"ev": "done"}, 3, JournalPosition(journal.journal_name, three.session.number)
    )
    three.enter(events.StepConfirmed(), by)
    assert three.lines()[-1]["ev"] == "device"
    journal.end_run("SIGTERM")
    journal.close()
    return read_all_records(directory, linked=True)


def test_a_done_that_ends_a_fault_is_proved_by_its_signature(tmp_path: Path) -> None:
    records = said_after_a_cut(tmp_path)
    assert verify_journal(records).record_count == len(records)
    (index,) = (i for i, record in enumerate(records) if '"said"' in record.body)
    body = json.loads(records[index].body)
    assert body["by"]["said"] == {"ev": "done"}
    for change in (
        {"line": {"ev": "undo"}},
        {"by": {**body["by"], "said": {"ev": "undo"}}},
        {"by": {**body["by"], "said": 1}},
        {"by": {word: value for word, value in body["by"].items() if word != "said"}},
    ):
        forged = make_record(records[index].number, "entry", render_body(body | change), records[index - 1].chain)
        with pytest.raises(BadRecordError, match="is not signed by whom it names"):
            verify_journal([*records[:index], forged])
