"""The status line that the service manager shows: what the page says first, and never a card."""

import re
from dataclasses import fields
from typing import Any

import pytest

from controller.app.table.status_line import format_status_line
from controller.runtime.devices.device_monitor import DeviceStatus
from controller.runtime.faults.fault_latches import FaultStatus
from controller.runtime.loop.table_view import RefusedEntry, TableView

CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])[shdc](?![A-Za-z0-9])")


def standing(steps: list[dict[str, Any]], **other: object) -> TableView:
    output = {
        "phase": "deal", "hand": 12, "gate": "open", "next": steps, "board": ["As", "Kd", "9h"], "up": {"4": ["Qs"]},
    }  # fmt: skip
    known: dict[str, Any] = {field.name: () for field in fields(TableView)}
    known |= {"number": 1, "entry": 1, "mode": "live", "output_line": output, "player_by_seat": {}, "refusal": None}
    return TableView(**{**known, "power_lost": False, "max_queue_delay_s": 0.0, **other})


def test_what_is_due_and_what_is_wrong() -> None:
    devices = (DeviceStatus("shoe", "rdm6300", "lost", "gone"), DeviceStatus("gate", "gate", "ready"))
    line = format_status_line(
        standing(
            [{"step": "deal", "seat": 4, "face": "down"}],
            devices=devices, power_lost=True, refusal=RefusedEntry("duplicate-card", "Kd is out already", "shoe"),
        )
    )  # fmt: skip
    assert line == (
        "live, deal; hand 12; Card to seat 4; gate open; lost: shoe; was cut short; refused: duplicate-card"
    )


def test_faults_are_named_once() -> None:
    faults = tuple(FaultStatus(code, "", "", (), "") for code in ("jam", "device-lost", "device-lost"))
    assert "; faults: jam, device-lost" in format_status_line(standing([], faults=faults))


def test_nothing_due() -> None:
    assert "nothing is due" in format_status_line(standing([]))


@pytest.mark.parametrize(
    "step",
    [
        {"step": "deal", "seat": 4, "face": "up", "card": "As", "why": "replacement"}, {"step": "burn", "card": "As"},
        {"step": "board", "street": "flop", "n": 3, "cards": ["As"]}, {"step": "act", "seat": 1, "options": ["fold"]},
        {"step": "show", "seat": 1, "cards": ["As", "Kd"]}, {"step": "move", "what": "card", "from": "board",
        "to": "stub", "card": "As"}, {"step": "return", "from": "all"}, {"step": "discard", "count": 2},
        {"step": "award", "pot": 0, "seats": [1], "cards": ["As"]}, {"step": "reshuffle", "cards": ["As"]},
        {"step": "floor", "question": "misdeal", "options": ["yes"], "card": "As"}, {"step": "say", "options": []},
    ],
)  # fmt: skip
def test_no_step_names_a_card(step: dict[str, Any]) -> None:
    assert not CARD.search(format_status_line(standing([step])))
