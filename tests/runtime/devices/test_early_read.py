"""An edge that comes after the read of its card, by a slower way, makes no second card."""

from controller.core.protocol import events
from controller.runtime.devices.decks import Deck
from controller.runtime.devices.shoe import CardsOut, Shoe
from drivers.contract.base import CardEdge, TagRead

OUT = CardsOut(1)


def cards(shoe: Shoe, late: float) -> list[events.Card]:
    """A card is read at 1.0; its edge is told `late` seconds after that."""
    said = [*shoe.translate(TagRead("shoe", "A"), 1.0, OUT)]
    said += shoe.translate(CardEdge("mouth", True), 1.0 + late, OUT)
    said += shoe.translate(CardEdge("mouth", False), 1.1 + late, OUT)
    said += shoe.tick(3.0 + late)
    return [event for event in said if isinstance(event, events.Card)]


def shoe() -> Shoe:
    return Shoe("shoe", Deck("red", {"A": "As"}), edge_sensor=True, gone_after=0.3)


def test_one_card_whose_edge_is_late() -> None:
    assert cards(shoe(), 0.2) == [events.Card("As", face_up=False)]


def test_an_edge_much_later_is_another_card() -> None:
    assert cards(shoe(), 1.5) == [events.Card("As", face_up=False), events.Card(None, face_up=False)]
