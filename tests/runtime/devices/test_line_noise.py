"""A line at the wrong speed is told from a noisy one."""

from controller.runtime.devices.line_noise_detector import WRONG_SPEED_THRESHOLD_BYTES, LineNoiseDetector
from drivers.contract.driver_interface import DeviceReady, NoiseDropped, TagRead


def test_noise_and_nothing_else_is_said_once() -> None:
    lines = LineNoiseDetector()
    lines.on_port_opened("shoe")
    assert [
        lines.check_event(NoiseDropped("shoe", 1, "no frame")) for _ in range(2 * WRONG_SPEED_THRESHOLD_BYTES)
    ].count(True) == 1
    lines.on_port_opened("shoe")
    assert lines.check_event(NoiseDropped("shoe", WRONG_SPEED_THRESHOLD_BYTES, "no frame")), (
        "a port opened again may be set wrong again"
    )


def test_noise_between_good_frames_is_the_cable() -> None:
    lines = LineNoiseDetector()
    lines.on_port_opened("shoe")
    lines.check_event(TagRead("shoe", "A"))
    assert not any(lines.check_event(NoiseDropped("shoe", 40, "checksum")) for _ in range(50))


def test_devices_are_judged_alone() -> None:
    lines = LineNoiseDetector()
    assert not lines.check_event(DeviceReady("lamps"))
    assert lines.check_event(NoiseDropped("shoe", 500, "no frame"))
