"""One reader with an antenna in the shoe and others elsewhere: a card in the shoe is dealt, one at the muck is not."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from pytest_mock import MockerFixture

from config.table_file import DeviceSection, TableFile
from controller.app.simulation.shoe_mouth_simulator import make_shoe_mouth
from controller.core.protocol.events import DeviceChanged
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.deck_store import Deck
from drivers.simulators.readers.lines_simulator import LinesSimulator
from tests.app import rig as rig_module
from tests.app.rig import Rig, demo, demo_deck


@pytest.fixture
def file() -> TableFile:
    table = demo(sensors=["identity", "muck"])
    keys = {"antennas": ["seat4", "mouth", "muck"], "repeats": True}
    devices = {**table.devices, "shoe": DeviceSection("shoe", "lines", "sim://lines/shoe", keys)}
    places: dict[str | None, str] = {"seat4": "seat 4", "mouth": "shoe", "muck": "muck"}
    return replace(
        table,
        devices=MappingProxyType(devices),
        places_by_reader=MappingProxyType({"shoe": MappingProxyType(places)}),
    )


@pytest.fixture
def rig(tmp_path: Path, file: TableFile, mocker: MockerFixture) -> Rig:
    cards = demo_deck().card_by_tag.values()
    deck = Deck("demo", {LinesSimulator.nth_tag(number): card for number, card in enumerate(cards)})
    mocker.patch.object(rig_module, "demo_deck", return_value=deck)
    return Rig(tmp_path, file=file, lossless=True)


def test_each_antenna_says_what_lies_there(rig: Rig, file: TableFile) -> None:
    with rig:
        rig.press("start")
        assert rig.lit_seats()["deal"] == (2,)
        mouth = make_shoe_mouth(rig.bench, file)
        mouth.present(rig.tags["As"])
        rig.run(1.0)
        mouth.remove(rig.tags["As"])
        assert rig.lit_seats()["deal"] == (4,)
        assert rig.output["piles"]["stub"] == 51
        rig.bench.reader("shoe").present(rig.tags["Kd"], "muck")
        rig.run(1.0)
        assert rig.output["piles"]["stub"] == 51
        assert rig.lit_seats()["deal"] == (4,)


def test_a_deck_is_registered_by_what_the_shoe_reads(rig: Rig, file: TableFile) -> None:
    with rig:
        rig.loop.submit_entry(DeviceChanged("fault:in-service", DeviceChange.LOST), "page")
        rig.run(0.1)
        rig.workshop.start_registration("new")
        rig.bench.reader("shoe").present(rig.tags["Kd"], "muck")
        rig.run(1.0)
        assert rig.workshop.describe()["registration"]["taken"] == 0
        make_shoe_mouth(rig.bench, file).present(rig.tags["As"])
        rig.run(1.0)
        assert rig.workshop.describe()["registration"]["taken"] == 1


def test_the_file_says_which_antenna_is_in_the_shoe(file: TableFile) -> None:
    assert file.is_in_shoe("shoe", "mouth")
    assert not file.is_in_shoe("shoe", "muck")
    assert not file.is_in_shoe("other", "mouth")
    assert file.find_shoe_antenna() == "mouth"
    assert demo().is_in_shoe("shoe", None)
    assert demo().find_shoe_antenna() is None
