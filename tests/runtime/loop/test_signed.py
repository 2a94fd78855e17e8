"""What a person signs stays what they signed, also where the table takes it for another entry."""

import base64
import json
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from controller.core.protocol import events, vocabulary
from controller.runtime.faults.faults import FAULTS
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.proof.chain import BadRecord, Record, linked, verify, written
from controller.runtime.staff.signature import JournalPosition, signed
from tests.runtime.loop.test_loop import Table3

KEY = SigningKey(bytes([5]) * 32)


def said_after_a_cut(directory: Path) -> list[Record]:
    """The records of a table at which the power was cut in a hand, and somebody said that all is as shown."""
    journal = Journal(directory / "journal.sqlite")
    three = Table3(journal)
    public = base64.b64encode(bytes(KEY.verify_key)).decode()
    journal.note("sign-in", {"name": "Ada", "role": "dealer", "key": public})
    three.enter(events.Start())
    cut = events.Device(FAULTS["power-lost"].device, vocabulary.Status.LOST, needed=True)
    three.loop._take(cut, "controller", three.now)
    by = signed(KEY, "Ada", "dealer", {"ev": "done"}, 3, JournalPosition(journal.table, three.session.number))
    three.loop.enter(events.Done(), "page", by)
    three.drain()
    assert three.lines()[-1]["ev"] == "device"
    journal.end_run("SIGTERM")
    journal.close()
    archive = Archive.open(directory / "journal.sqlite")
    records = list(archive.records())
    archive.close()
    return records


def test_a_done_that_ends_a_fault_is_proved_by_its_signature(tmp_path: Path) -> None:
    records = said_after_a_cut(tmp_path)
    assert verify(records).records == len(records)
    (index,) = (i for i, record in enumerate(records) if '"said"' in record.body)
    body = json.loads(records[index].body)
    assert body["by"]["said"] == {"ev": "done"}
    for change in (
        {"line": {"ev": "undo"}},
        {"by": {**body["by"], "said": {"ev": "undo"}}},
        {"by": {**body["by"], "said": 1}},
        {"by": {word: value for word, value in body["by"].items() if word != "said"}},
    ):
        forged = linked(records[index].number, "entry", written(body | change), records[index - 1].chain)
        with pytest.raises(BadRecord, match="is not signed by whom it names"):
            verify([*records[:index], forged])
