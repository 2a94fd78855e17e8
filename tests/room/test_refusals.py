"""Every refusal that a room can be given is decided, in one place: again later, or a person must look."""

import re
from pathlib import Path

import pytest

import controller
import room
from controller.runtime.staff.admission import RefusalCode
from room.contract.refusal_codes import FINAL_CODES, RETRY_CONDITION_BY_CODE, is_temporary

ROOM, TABLE = Path(room.__file__).parent, Path(controller.__file__).parent

SAID = re.compile(r'(?:TableReply\(False, None, |FetchRefusedError\(\s*|"code", )"([a-z-]+)"')
NAMED = re.compile(r"\bRefusalCode\.([A-Z_]+)")

ON_THE_WAY = (
    *(
        ROOM / name
        for name in (
            "server/request_client.py",
            "server/nats_gateway.py",
            "uplink/uplink.py",
            "uplink/fetched_releases.py",
        )
    ),
    TABLE / "web/entries/room_endpoint.py",
)


def codes(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return {*SAID.findall(text), *(RefusalCode[name].value for name in NAMED.findall(text))}


@pytest.mark.parametrize("path", ON_THE_WAY, ids=lambda path: path.name)
def test_each_code_on_the_way_to_a_table_is_decided(path: Path) -> None:
    found = codes(path)
    assert found, "the refusals are written otherwise now"
    assert found <= {*RETRY_CONDITION_BY_CODE, *FINAL_CODES}


def test_no_code_is_both_and_each_of_the_core_that_passes_is_one_that_it_gives() -> None:
    assert not FINAL_CODES & {*RETRY_CONDITION_BY_CODE}
    core = "".join(path.read_text(encoding="utf-8") for path in (TABLE / "core").rglob("*.py"))
    core += (TABLE / "runtime/faults/fault_latches.py").read_text(encoding="utf-8")
    given = set(re.findall(r'Refused\(\s*"([a-z-]+)"', core))
    assert {"in-hand", "not-now", "hand-on"} <= given
    assert {code for code in given if is_temporary(code)} == {"in-hand", "not-now", "hand-on"}
