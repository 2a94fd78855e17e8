"""A table whose one reader is a Pepper C1 MUX: each of its antennas is a place, the shoe one of them."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from pytest_mock import MockerFixture

from config.table_file import DeviceSection, TableFile
from controller.app.simulation.shoe_mouth_simulator import make_shoe_mouth
from controller.runtime.devices.deck_store import Deck
from drivers.simulators.readers.pepper_c1_simulator import PepperC1Simulator
from tests.app import rig as rig_module
from tests.app.rig import Rig, demo, demo_deck


@pytest.fixture
def file() -> TableFile:
    table = demo(sensors=["identity", "muck"])
    places: dict[str | None, str] = {"1": "shoe", "4": "seat 4", "8": "muck"}
    section = DeviceSection("shoe", "pepper_c1", "sim://pepper_c1/shoe", {"antennas": [1, 4, 8]})
    return replace(
        table,
        devices=MappingProxyType({**table.devices, "shoe": section}),
        places_by_reader=MappingProxyType({"shoe": MappingProxyType(places)}),
    )


@pytest.fixture
def rig(tmp_path: Path, file: TableFile, mocker: MockerFixture) -> Rig:
    cards = demo_deck().card_by_tag.values()
    deck = Deck("demo", {PepperC1Simulator.nth_tag(number): card for number, card in enumerate(cards)})
    mocker.patch.object(rig_module, "demo_deck", return_value=deck)
    return Rig(tmp_path, file=file, lossless=True)


def test_a_card_is_dealt_where_it_passes_the_shoe_and_nowhere_else(rig: Rig, file: TableFile) -> None:
    with rig:
        rig.press("start")
        mouth = make_shoe_mouth(rig.bench, file)
        mouth.present(rig.tags["As"])
        rig.run(1.0)
        mouth.remove(rig.tags["As"])
        assert rig.lit_seats()["deal"] == (4,)
        assert rig.output["piles"]["stub"] == 51
        for tag, antenna in (("Kd", "8"), ("Qd", "4"), ("Jd", "2")):  # nobody listens at 2
            rig.bench.reader("shoe").present(rig.tags[tag], antenna)
        rig.run(3.0)
        assert rig.output["piles"]["stub"] == 51
        assert rig.lit_seats()["deal"] == (4,)
