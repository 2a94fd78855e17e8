"""One reader with an antenna in the shoe and others elsewhere: a card in the shoe is dealt, one at the muck is not."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
from pytest_mock import MockerFixture

from config.table_file import DeviceSection, TableFile
from controller.app.simulation.shoe_mouth_simulator import make_shoe_mouth
from controller.core.protocol.events import DeviceChanged
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.deck_store import Deck
from drivers.simulators.readers.lines_simulator import LinesSimulator
from drivers.simulators.readers.pepper_c1_simulator import PepperC1Simulator
from tests.app import rig as rig_module
from tests.app.rig import Rig, demo, demo_deck


class AntennaReader(NamedTuple):
    """A reader each of whose antennas is a place of the table, the shoe one of them."""

    simulator: type[LinesSimulator | PepperC1Simulator]
    keys: dict[str, object]
    places: dict[str | None, str]
    unheard: str
    """An antenna that the file does not name; empty where the device has none."""


READERS = {
    "lines": AntennaReader(
        LinesSimulator,
        {"antennas": ["seat4", "mouth", "muck"], "repeats": True},
        {"seat4": "seat 4", "mouth": "shoe", "muck": "muck"},
        "",
    ),
    "pepper_c1": AntennaReader(
        PepperC1Simulator, {"antennas": [1, 4, 8]}, {"1": "shoe", "4": "seat 4", "8": "muck"}, "2"
    ),
}


@pytest.fixture(params=READERS)
def driver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reader(driver: str) -> AntennaReader:
    return READERS[driver]


@pytest.fixture
def antennas(reader: AntennaReader) -> dict[str, str | None]:
    """The antenna of each place."""
    return {place: antenna for antenna, place in reader.places.items()}


@pytest.fixture
def file(driver: str, reader: AntennaReader) -> TableFile:
    table = demo(sensors=["identity", "muck"])
    section = DeviceSection("shoe", driver, f"sim://{driver}/shoe", reader.keys)
    return replace(
        table,
        devices=MappingProxyType({**table.devices, "shoe": section}),
        places_by_reader=MappingProxyType({"shoe": MappingProxyType(reader.places)}),
    )


@pytest.fixture
def rig(tmp_path: Path, file: TableFile, reader: AntennaReader, mocker: MockerFixture) -> Rig:
    cards = demo_deck().card_by_tag.values()
    deck = Deck("demo", {reader.simulator.nth_tag(number): card for number, card in enumerate(cards)})
    mocker.patch.object(rig_module, "demo_deck", return_value=deck)
    return Rig(tmp_path, file=file, lossless=True)


def test_a_card_is_dealt_where_it_passes_the_shoe_and_nowhere_else(
    rig: Rig, file: TableFile, reader: AntennaReader, antennas: dict[str, str | None]
) -> None:
    with rig:
        rig.press("start")
        assert rig.lit_seats()["deal"] == (2,)
        mouth = make_shoe_mouth(rig.bench, file)
        mouth.present(rig.tags["As"])
        rig.run(1.0)
        mouth.remove(rig.tags["As"])
        assert rig.lit_seats()["deal"] == (4,)
        assert rig.output["piles"]["stub"] == 51
        elsewhere = [("Kd", antennas["muck"]), ("Qd", antennas["seat 4"])]
        for card, antenna in (*elsewhere, *([("Jd", reader.unheard)] if reader.unheard else [])):
            rig.bench.reader("shoe").present(rig.tags[card], antenna)
        rig.run(3.0)
        assert rig.output["piles"]["stub"] == 51
        assert rig.lit_seats()["deal"] == (4,)


def test_a_deck_is_registered_by_what_the_shoe_reads(
    rig: Rig, file: TableFile, antennas: dict[str, str | None]
) -> None:
    with rig:
        rig.enter(DeviceChanged("fault:in-service", DeviceChange.LOST))
        rig.run(0.1)
        rig.workshop.start_registration("new")
        rig.bench.reader("shoe").present(rig.tags["Kd"], antennas["muck"])
        rig.run(1.0)
        assert rig.workshop.describe()["registration"]["taken"] == 0
        make_shoe_mouth(rig.bench, file).present(rig.tags["As"])
        rig.run(1.0)
        assert rig.workshop.describe()["registration"]["taken"] == 1


def test_the_file_says_which_antenna_is_in_the_shoe(file: TableFile, antennas: dict[str, str | None]) -> None:
    assert file.is_in_shoe("shoe", antennas["shoe"])
    assert not file.is_in_shoe("shoe", antennas["muck"])
    assert not file.is_in_shoe("other", antennas["shoe"])
    assert file.find_shoe_antenna() == antennas["shoe"]
    assert demo().is_in_shoe("shoe", None)
    assert demo().find_shoe_antenna() is None
