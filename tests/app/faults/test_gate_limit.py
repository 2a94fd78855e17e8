"""A gate whose coil must rest, at a whole table: the dealer is told, and it opens again by itself."""

from dataclasses import replace
from pathlib import Path

from config.table_file import TableFile
from controller.core.protocol.events import EntryUndone
from controller.runtime.faults.notices import NoticeCode
from drivers.simulators.shoe.shoe_gate_simulator import ShoeGateSimulator
from tests.app.rig import Rig, demo

MAX_ON_S, REST_S = 10, 20


def make_table() -> TableFile:
    file = demo()
    gate = file.devices["gate"]
    keys = {name: value for name, value in gate.driver_keys.items() if name != "continuous_duty"}
    limited = replace(gate, driver_keys={**keys, "max_on_seconds": MAX_ON_S, "rest_seconds": REST_S})
    return replace(file, devices={**file.devices, "gate": limited})


def find_coil(rig: Rig) -> ShoeGateSimulator:
    return rig.bench.find_simulator("gate", ShoeGateSimulator)


def list_gate_notices(rig: Rig) -> list[str]:
    return [notice.text for notice in rig.standing.notices if notice.code is NoticeCode.GATE_HELD]


def wait_for_card(rig: Rig) -> None:
    """Begin a hand, and confirm until a card is due."""
    rig.press("start")
    for _ in range(5):
        if rig.loop.outcome.gate_open:
            return
        rig.press("done")
    raise AssertionError("no card is due")


def test_dealer_who_waits_is_told_and_the_gate_opens_again_by_itself(tmp_path: Path) -> None:
    with Rig(tmp_path, file=make_table()) as rig:
        rig.run(REST_S)
        wait_for_card(rig)
        assert find_coil(rig).is_open()
        rig.run(MAX_ON_S)
        assert not find_coil(rig).is_open()
        (text,) = list_gate_notices(rig)
        assert text == "Its coil has been on long enough and rests: the gate opens again by itself in 20 s."
        assert not rig.standing.faults
        rig.run(REST_S)
        assert find_coil(rig).is_open()
        entry = rig.standing.entry
        rig.card(next(iter(rig.tags)))
        assert rig.standing.entry > entry
        rig.run(2 * (MAX_ON_S + REST_S))
        assert len(list_gate_notices(rig)) >= 2
        assert not find_coil(rig).is_overheated()


def test_notice_lasts_as_long_as_a_card_is_due(tmp_path: Path) -> None:
    with Rig(tmp_path, file=make_table()) as rig:
        rig.run(REST_S)
        for _ in range(2):
            wait_for_card(rig)
            rig.run(MAX_ON_S)
            assert len(list_gate_notices(rig)) == 1
            rig.enter(EntryUndone())
            assert not rig.loop.outcome.gate_open
            assert not list_gate_notices(rig)
            rig.run(REST_S)


def test_restart_with_a_card_due_gives_no_fresh_on_time(tmp_path: Path) -> None:
    with Rig(tmp_path, file=make_table()) as rig:
        rig.run(REST_S)
        wait_for_card(rig)
        rig.run(MAX_ON_S - 1)
    with Rig(tmp_path, file=make_table()) as rig:
        assert rig.loop.outcome.gate_open
        assert find_coil(rig).is_open()
        rig.run(MAX_ON_S / 10 + 0.1)
        assert not find_coil(rig).is_open()
        assert list_gate_notices(rig)
        rig.run(REST_S)
        assert find_coil(rig).is_open()


def test_limit_holds_while_the_loop_hangs(tmp_path: Path) -> None:
    """The sampler's thread shuts the gate; nobody takes from the queue what it says."""
    with Rig(tmp_path, file=make_table()) as rig:
        rig.run(REST_S)
        wait_for_card(rig)
        for _ in range(MAX_ON_S + 1):
            rig.clock.advance(1)
            rig.sampler.sample(rig.clock())
        assert not find_coil(rig).is_open()
        rig.drain()
        assert list_gate_notices(rig)
