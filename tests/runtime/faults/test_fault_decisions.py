"""Who may end a fault, and when a table may be taken out of service: every fault, every role, up or not."""

from collections.abc import Mapping
from functools import cache

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.table_state import TableState
from controller.core.protocol.events import DeviceChanged, HandStarted, StepConfirmed
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.faults.fault_latches import FaultLatches, describe_faults
from controller.runtime.faults.fault_table import (
    FAULTS,
    OUT_OF_SERVICE,
    ClearanceProof,
    find_fault_by_device,
    list_latched_faults,
    make_clear_event,
    make_raise_event,
)
from tests.runtime.conftest import TABLE

ROLES = (None, "dealer", "floor", "technician", "auditor")
LATCHING = [code for code, fault in FAULTS.items() if fault.latches]


@cache
def stand(*up: str, hand: bool = False) -> TableState:
    """A table between hands or in one, with these faults up."""
    table = Table()
    table.handle(parse_table_line(TABLE))
    if hand:
        table.handle(HandStarted())
    for code in up:
        table.handle(make_raise_event(code))
    return table.outcome.state


def sign(role: str | None) -> Mapping[str, object] | None:
    return None if role is None else {"name": "Ada", "role": role}


def refuse(latches: FaultLatches, event: DeviceChanged | HandStarted, role: str | None, state: TableState) -> str:
    refused = latches.find_refusal(event, sign(role), state)
    return "" if refused is None else refused.code


@pytest.mark.parametrize("code", FAULTS)
@pytest.mark.parametrize("is_up", [True, False])
def test_a_fault_ends_by_those_whom_it_names_when_it_is_up_and_no_check_still_finds_it(code: str, is_up: bool) -> None:
    fault, state = FAULTS[code], stand(code) if is_up else stand()
    for anybody in (True, False):
        for cause in (None, "still there"):
            latches = FaultLatches(anybody=anybody, still=lambda _fault, cause=cause: cause)  # type: ignore[misc]
            for role in ROLES:
                expected = ""
                if not (fault.latches and is_up):
                    expected = "no-fault"
                elif not anybody and (role or "dealer") not in fault.clearing_roles:
                    expected = "fault-role"
                elif cause is not None and fault.proof is ClearanceProof.SELF_CHECK:
                    expected = "fault-remains"
                assert refuse(latches, make_clear_event(code), role, state) == expected, (anybody, cause, role)


@pytest.mark.parametrize("code", FAULTS)
def test_nobody_raises_a_fault_but_out_of_service_between_hands(code: str) -> None:
    for hand in (True, False):
        for is_up in (True, False):
            state = stand(*([code] if is_up else []), hand=hand)
            for role in ROLES:
                expected = "no-fault"
                if code == OUT_OF_SERVICE:
                    is_free = "hand-on" if hand else "no-fault" if is_up else ""
                    expected = is_free if role == "technician" else "fault-role"
                assert refuse(FaultLatches(anybody=False), make_raise_event(code), role, state) == expected


def test_no_hand_starts_while_a_fault_is_up_and_devices_are_no_faults() -> None:
    latches = FaultLatches(anybody=True)
    for code in FAULTS:
        assert refuse(latches, HandStarted(), "floor", stand(code)) == "halted"
    assert refuse(latches, HandStarted(), None, stand()) == ""
    for change in DeviceChange:
        assert refuse(latches, DeviceChanged("shoe", change), None, stand("jam")) == ""
        said = refuse(latches, DeviceChanged("fault:reader-failing", change), None, stand("reader-failing"))
        assert said == ("" if change is DeviceChange.BACK else "no-fault")
    assert latches.find_refusal(StepConfirmed(), None, stand("self-check")) is None


def test_what_is_latched_is_listed_described_and_not_raised_again() -> None:
    state = stand(*FAULTS)
    assert sorted(fault.code for fault in list_latched_faults(state.faults)) == sorted(LATCHING)
    latches = FaultLatches(anybody=False)
    assert latches.filter_new_faults(list(FAULTS), state) == [fault for fault in FAULTS.values() if not fault.latches]
    twice = [*LATCHING, *LATCHING]
    assert [fault.code for fault in latches.filter_new_faults(twice, stand(LATCHING[0]))] == LATCHING[1:]
    for status in describe_faults(tuple(each for each in state.faults if each.startswith("fault:"))):
        fault = FAULTS.get(status.code)
        assert fault is not None
        if status.id:
            assert (status.id, status.clears, status.text) == (fault.device_id, fault.clearing_roles, fault.text)
            assert (status.stops, find_fault_by_device(status.id)) == (fault.halt_scope.value, fault)
            plain = {"code": fault.code, "text": fault.text, "stops": status.stops, "clears": status.clears}
            assert status.to_json() == {**plain, "id": fault.device_id}


@pytest.mark.parametrize(
    ("change", "code"),
    [(DeviceChange.LOST, "device-lost"), (DeviceChange.JAM, "jam"), (DeviceChange.LID_OPEN, "lid-open")],
)
def test_news_of_a_device_is_its_fault_and_names_it(change: DeviceChange, code: str) -> None:
    table = Table()
    table.handle(parse_table_line(TABLE))
    table.handle(DeviceChanged("the shoe", change, is_needed=True))
    (status,) = describe_faults(table.outcome.state.faults)
    assert (status.code, status.text, status.id) == (code, f"{FAULTS[code].text} (the shoe)", "")
    assert status.clears == ()
