"""An edge that comes after the read of its card, by a slower way, makes no second card."""

from controller.core.protocol import events
from controller.runtime.devices.deck_store import Deck
from controller.runtime.devices.shoe_translator import CardsOut, ShoeTranslator
from drivers.contract.driver_interface import CardEdgeSensed, TagRead

OUT = CardsOut(1)


def cards(shoe: ShoeTranslator, late: float) -> list[events.CardDealt]:
    """A card is read at 1.0; its edge is told `late` seconds after that."""
    said = [*shoe.translate(TagRead("shoe", "A"), 1.0, OUT)]
    said += shoe.translate(CardEdgeSensed("mouth", True), 1.0 + late, OUT)
    said += shoe.translate(CardEdgeSensed("mouth", False), 1.1 + late, OUT)
    said += shoe.on_tick(3.0 + late)
    return [event for event in said if isinstance(event, events.CardDealt)]


def shoe() -> ShoeTranslator:
    return ShoeTranslator("shoe", Deck("red", {"A": "As"}), edge_sensor=True, gone_after=0.3)


def test_one_card_whose_edge_is_late() -> None:
    assert cards(shoe(), 0.2) == [events.CardDealt("As", face_up=False)]


def test_an_edge_much_later_is_another_card() -> None:
    assert cards(shoe(), 1.5) == [events.CardDealt("As", face_up=False), events.CardDealt(None, face_up=False)]
