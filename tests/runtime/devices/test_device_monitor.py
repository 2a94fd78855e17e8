"""A device is well while its port is open and its driver has nothing against it; the table hears of changes alone."""

from hypothesis import given
from hypothesis import strategies as st

from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.device_monitor import DeviceMonitor

WORDS = st.lists(st.sampled_from(("opened", "lost", "silent", "answered")), max_size=12)


def say(monitor: DeviceMonitor, word: str) -> DeviceChange | None:
    match word:
        case "opened":
            event = monitor.on_port_opened("desk")
        case "lost":
            event = monitor.on_port_lost("desk", "unplugged")
        case "silent":
            event = monitor.on_device_lost("desk", "no answer")
        case _:
            event = monitor.on_device_ready("desk", "1.2")
    return None if event is None else event.change


@given(WORDS, st.booleans())
def test_the_table_knows_after_every_word_whether_both_witnesses_are_content(words: list[str], was_lost: bool) -> None:
    monitor = DeviceMonitor({"desk": "keys"}, {}, ["desk"] if was_lost else [])
    is_open, has_failure, is_held_lost, why = False, False, was_lost, ""
    assert [status.state for status in monitor.list_statuses()] == ["waiting"]
    for word in words:
        is_open = word == "opened" or (is_open and word != "lost")
        has_failure = word == "silent" or (has_failure and word != "answered")
        why = "unplugged" if word == "lost" or (why == "unplugged" and word != "opened") else ""
        is_lost = not is_open or has_failure
        told = say(monitor, word)
        assert told is (None if is_lost is is_held_lost else DeviceChange.LOST if is_lost else DeviceChange.BACK)
        is_held_lost = is_lost
        assert (monitor.is_lost("desk"), monitor.is_ready("desk")) == (is_lost, not is_lost)
        expected = why or ("no answer" if has_failure else "")
        (status,) = monitor.list_statuses()
        assert (monitor.find_failure("desk"), status.why) == (expected, expected)
        assert status.state == ("lost" if expected else "waiting" if is_lost else "ready")


def test_a_device_on_pins_is_there_by_the_start_alone_and_its_driver_says_when_it_is_not() -> None:
    monitor = DeviceMonitor({"desk": "keys"}, {"ring": "lamps", "gate": "gate"}, ["desk", "ring"], ["ring"])
    assert [(event.device_id, event.change, event.is_needed) for event in monitor.report_recovered_devices()] == [
        ("ring", DeviceChange.BACK, True)
    ]
    assert monitor.is_lost("desk"), "its port is not open yet"
    assert monitor.report_recovered_devices() == []
    lost = monitor.on_device_lost("gate", "")
    assert lost is not None, "without a reason too"
    assert (lost.change, lost.is_needed) == (DeviceChange.LOST, False)
    assert [status.state for status in monitor.list_statuses()] == ["waiting", "ready", "lost"]
