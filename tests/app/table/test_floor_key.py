"""The key of the panel that calls the floor, and takes the call back."""

from dataclasses import replace
from pathlib import Path

import pytest

from config.table_file import DeviceSection, TableFile
from controller.core.protocol.events import DeviceChanged
from controller.core.protocol.table_display import Sound
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.loop.floor_call_control import MIN_FLOOR_CALL_INTERVAL_S
from tests.app.rig import Rig, demo


def read_calls(directory: Path) -> list[tuple[bool, str]]:
    archive = JournalReader.open(directory / "journal.sqlite")
    calls = [record.parse_body() for record in archive.read_newest_records("call")]
    archive.close()
    return [(call["wanted"], call["by"]) for call in reversed(calls)]


def test_the_key_calls_the_floor_and_takes_the_call_back(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.press("start")
        entry, line = rig.standing.entry, rig.output
        called: list[bool] = []
        for _ in range(3):
            rig.run(MIN_FLOOR_CALL_INTERVAL_S)
            rig.press("floor")
            called.append(rig.standing.floor_called)
            assert (rig.standing.entry, rig.output) == (entry, line)
        assert rig.loop._device_bus.last_sound is not None
        assert rig.loop._device_bus.last_sound.sound is Sound.FLOOR
        rig.loop.set_floor_called(False, "Bo")
        rig.run(0.1)
        called.append(rig.standing.floor_called)
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        rig.press("floor")
        called.append(rig.standing.floor_called)
        rig.journal.end_run("test")
    assert called == [True, False, True, False, True]
    assert read_calls(tmp_path) == [*zip(called, ["panel", "panel", "panel", "Bo", "panel"], strict=True)]


def test_the_key_is_taken_at_a_halted_table_and_not_out_of_service(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.loop.submit_entry(DeviceChanged("shoe", DeviceChange.LOST), "page")
        rig.run(0.1)
        assert rig.output["phase"] == "halted"
        rig.press("floor")
        assert rig.standing.floor_called
        rig.loop.submit_entry(DeviceChanged("fault:in-service", DeviceChange.LOST), "page")
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        rig.press("floor")
        assert rig.standing.floor_called


def make_table() -> TableFile:
    """A table with a second panel, which has the key alone."""
    file = demo()
    second = DeviceSection("second", "key_panel", None, {"keys": {"floor": 2}})
    keys = {**file.key_lines_by_panel, "second": {"floor": {"ev": "call-floor"}}}
    return replace(file, devices={**file.devices, "second": second}, key_lines_by_panel=keys)


def is_called(rig: Rig) -> bool:
    return rig.standing.floor_called


def press_second(rig: Rig) -> None:
    rig.bench.panel("second").tap("floor")
    rig.run(0.35)


def test_nervous_taps_are_one_call(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        for _ in range(12):  # more than 2 s of them
            rig.press("floor")
            assert is_called(rig)
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        for _ in range(12):
            rig.press("floor")
            assert not is_called(rig)
        rig.journal.end_run("test")
    assert read_calls(tmp_path) == [(True, "panel"), (False, "panel")]


def test_two_panels_are_one_call(tmp_path: Path) -> None:
    with Rig(tmp_path, file=make_table(), lossless=True) as rig:
        rig.press("floor")
        press_second(rig)
        assert is_called(rig)
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        press_second(rig)
        rig.press("floor")
        assert not is_called(rig)
        rig.journal.end_run("test")
    assert read_calls(tmp_path) == [(True, "panel"), (False, "second")]


@pytest.mark.parametrize("wanted", [True, False])
def test_key_right_after_a_word_of_a_page_means_the_same(tmp_path: Path, *, wanted: bool) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.loop.set_floor_called(not wanted, "Ada")
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        rig.loop.set_floor_called(wanted, "Ada")
        rig.run(0.1)
        rig.press("floor")
        assert is_called(rig) is wanted
        rig.run(MIN_FLOOR_CALL_INTERVAL_S)
        rig.press("floor")
        assert is_called(rig) is not wanted


def test_page_right_after_a_key_is_always_taken(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.press("floor")
        rig.loop.set_floor_called(False, "Bo")
        rig.run(0.1)
        assert not is_called(rig)
        rig.journal.end_run("test")
    assert read_calls(tmp_path) == [(True, "panel"), (False, "Bo")]


def test_call_outlasts_a_restart_and_is_taken_back_after_it(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.press("floor")
    with Rig(tmp_path, lossless=True) as rig:
        assert is_called(rig)
        rig.press("floor")
        assert not is_called(rig)
    with Rig(tmp_path, lossless=True) as rig:
        assert not is_called(rig)
        rig.press("floor")
        assert is_called(rig)
    with Rig(tmp_path, lossless=True, fresh=True) as rig:
        assert not is_called(rig)


def test_call_outlasts_midnight_and_a_restart_after_it(tmp_path: Path) -> None:
    """The journal goes on in another file, whose first record says that the session goes on."""
    with Rig(tmp_path, lossless=True) as rig:
        rig.press("floor")
        rig.journal.rotate()
    with Rig(tmp_path, lossless=True) as rig:
        assert is_called(rig)
