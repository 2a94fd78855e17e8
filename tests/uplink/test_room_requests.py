"""Whatever a room asks of a table, the uplink answers: it is taken, or refused with a code."""

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from controller.room_contract.disclosure_level import DisclosureLevel
from controller.room_contract.table_request import RequestKind, TableReply
from controller.uplink.link_status_file import LinkStatusFile
from controller.uplink.uplink import Uplink

NO_REQUESTS = (
    b"", b"null", b"[]", b"1", b'"x"', b"{", b"\xff", b'{"a":NaN}', b'{"a":1e999}', b'{"a":"\\ud800"}',
    b'{"a":' + b"9" * 5000 + b"}", b"x" * 600_000,
)  # fmt: skip


class WritingTable:
    """Passes on what it is given, as the client of the table's API does."""

    def send_room_request(self, verb: str, content: Mapping[str, object]) -> dict[str, Any]:
        json.dumps({"verb": verb, "content": content})
        return {"taken": True, "entry": 1, "code": "", "message": ""}


@pytest.fixture
def uplink(tmp_path: Path) -> Uplink:
    settings = SimpleNamespace(
        table_name="table-07", level=DisclosureLevel.LIVE, state_directory=tmp_path, allows_requests=True
    )
    return Uplink(cast(Any, settings), cast(Any, WritingTable()), LinkStatusFile(None))


@pytest.mark.parametrize("verb", [kind.value for kind in RequestKind])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_a_request_of_any_depth_is_answered(uplink: Uplink, verb: str, opens: str, closes: str) -> None:
    def ask(depth: int) -> TableReply:
        return uplink._handle_request(verb, f'{{"line":{opens * depth}1{closes * depth}}}'.encode())

    with ThreadPoolExecutor(1) as thread:  # as in the uplink, where little of the stack is used
        depths = (1, *range(960, 1000), 10 * sys.getrecursionlimit())  # about as deep as can be read, too
        answers = list(thread.map(ask, depths))
    assert all(answer.is_accepted or answer.message for answer in answers)
    assert answers[-1].code == "bad-request"


@pytest.mark.parametrize("verb", [*(kind.value for kind in RequestKind), "", "x" * 9999, "\ud800"])
def test_what_is_no_request_is_refused(uplink: Uplink, verb: str) -> None:
    for asked in NO_REQUESTS:
        assert uplink._handle_request(verb, asked).code == "bad-request"
