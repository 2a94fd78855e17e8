"""A line at the wrong speed is told from a noisy one."""

from controller.runtime.devices.line_noise import ENOUGH, LineNoise
from drivers.contract.base import DeviceReady, Noise, TagRead


def test_noise_and_nothing_else_is_said_once() -> None:
    lines = LineNoise()
    lines.opened("shoe")
    assert [lines.heard(Noise("shoe", 1, "no frame")) for _ in range(2 * ENOUGH)].count(True) == 1
    lines.opened("shoe")
    assert lines.heard(Noise("shoe", ENOUGH, "no frame")), "a port opened again may be set wrong again"


def test_noise_between_good_frames_is_the_cable() -> None:
    lines = LineNoise()
    lines.opened("shoe")
    lines.heard(TagRead("shoe", "A"))
    assert not any(lines.heard(Noise("shoe", 40, "checksum")) for _ in range(50))


def test_devices_are_judged_alone() -> None:
    lines = LineNoise()
    assert not lines.heard(DeviceReady("lamps"))
    assert lines.heard(Noise("shoe", 500, "no frame"))
