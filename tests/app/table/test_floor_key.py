"""The key of the panel that calls the floor, and takes the call back."""

from pathlib import Path

from controller.core.protocol.events import DeviceChanged
from controller.core.protocol.table_display import Sound
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.journal.journal_reader import JournalReader
from tests.app.rig import Rig


def test_the_key_calls_the_floor_and_takes_the_call_back(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.press("start")
        entry, line = rig.standing.entry, rig.output
        called: list[bool] = []
        for _ in range(3):
            rig.press("floor")
            called.append(rig.standing.floor_called)
            assert (rig.standing.entry, rig.output) == (entry, line)
        assert rig.loop._device_bus.last_sound is not None
        assert rig.loop._device_bus.last_sound.sound is Sound.FLOOR
        rig.loop.set_floor_called(False, "Bo")
        rig.run(0.1)
        called.append(rig.standing.floor_called)
        rig.press("floor")
        called.append(rig.standing.floor_called)
        rig.journal.end_run("test")
    assert called == [True, False, True, False, True]
    archive = JournalReader.open(tmp_path / "journal.sqlite")
    calls = [record.parse_body() for record in archive.read_newest_records("call")]
    archive.close()
    found = [(call["wanted"], call["by"]) for call in reversed(calls)]
    assert found == [*zip(called, ["", "", "", "Bo", ""], strict=True)]


def test_the_key_is_taken_at_a_halted_table_and_not_out_of_service(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.loop.submit_entry(DeviceChanged("shoe", DeviceChange.LOST), "page")
        rig.run(0.1)
        assert rig.output["phase"] == "halted"
        rig.press("floor")
        assert rig.standing.floor_called
        rig.loop.submit_entry(DeviceChanged("fault:in-service", DeviceChange.LOST), "page")
        rig.run(0.1)
        rig.press("floor")
        assert rig.standing.floor_called
