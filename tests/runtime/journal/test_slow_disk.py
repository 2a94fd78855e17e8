"""While messages wait on the queue, no silence is counted: a slow disk is not the silence of a line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.runtime.devices.port_messages import PortBytesReceived
from controller.runtime.loop.loop_messages import LoopMessage
from drivers.simulators.bench.manual_clock import ManualClock
from tests.app.rig import Rig


@pytest.fixture
def ticks(tmp_path: Path, mocker: MockerFixture) -> Callable[[float], list[float]]:
    """Give the loop a second of messages, each of which takes `seconds` to deal with; return when it ticked."""

    def run(seconds: float) -> list[float]:
        with Rig(tmp_path) as rig:
            clock: ManualClock = rig.clock
            began = clock()
            for n in range(101):
                rig.loop.put(PortBytesReceived("shoe", b"", began + n / 100))
            turn = rig.loop.handle_message

            def slow(message: LoopMessage, now: float) -> None:
                clock.advance(seconds)
                turn(message, now)
                if rig.loop._inbox.is_empty():
                    rig.loop._stop_reason = "test"  # a `StopRequested` would be taken before all that waits

            mocker.patch.object(rig.loop, "handle_message", slow)
            tick = mocker.patch.object(rig.loop, "on_tick")
            rig.loop.run()
            return [call.args[0] - began for call in tick.call_args_list]

    return run


def test_time_passes_for_devices_as_far_as_they_were_heard(ticks: Callable[[float], list[float]]) -> None:
    told = ticks(0.3)
    assert told == sorted(told)
    assert max(told) <= 1.0, "the queue spans a second, whatever time the disk took for it"
    assert len(told) >= 40, "and a queue that is never empty must not keep the time-outs from coming"


def test_a_quick_disk_changes_nothing(ticks: Callable[[float], list[float]]) -> None:
    assert 30 <= len(ticks(0.0)) <= 51
