"""A registered deck dealt past the reader: two cards that were swapped are named."""

from pathlib import Path

import pytest

from controller.app.workshop.deal_through import DealThrough, faces
from controller.runtime.devices.decks import STANDARD, Deck, Decks


def dealt(deck: Deck, tags: dict[str, str]) -> DealThrough:
    """Deal every card in order; `tags`: which tag is really in a card."""
    deal = DealThrough(deck)
    for number, card in enumerate(deal.cards):
        deal.take(tags[card], float(number))
    return deal


@pytest.fixture
def deck() -> Deck:
    return Deck("red", {f"T{card}": card for card in STANDARD})


@pytest.fixture
def tags(deck: Deck) -> dict[str, str]:
    return {card: tag for tag, card in deck.cards.items()}


def test_a_right_deck_has_nothing_wrong(deck: Deck, tags: dict[str, str]) -> None:
    deal = dealt(deck, tags)
    assert (deal.due, deal.taken, deal.found()) == (None, 52, [])


def test_two_swapped_cards_are_named_once(deck: Deck, tags: dict[str, str]) -> None:
    tags["As"], tags["Qh"] = tags["Qh"], tags["As"]
    (said,) = dealt(deck, tags).found()
    assert said.startswith("the ace of spades and the queen of hearts are swapped")
    assert "tablectl deck register red --card As" in said


def test_three_in_a_ring_are_each_named(deck: Deck, tags: dict[str, str]) -> None:
    tags["As"], tags["2s"], tags["3s"] = tags["2s"], tags["3s"], tags["As"]
    assert len(dealt(deck, tags).found()) == 3


def test_a_strange_tag_is_said_at_once(deck: Deck) -> None:
    deal = DealThrough(deck)
    said = deal.take("other", 0.0)
    assert said.accepted
    assert said.text == "asked for was the ace of spades, and the tag is a tag of no card of this deck"
    assert "has a tag that is no card's" in deal.found()[0]


def test_a_card_that_lies_on_the_reader_counts_once(deck: Deck) -> None:
    deal = DealThrough(deck)
    assert deal.take("TAs", 0.0).accepted
    assert not deal.take("TAs", 1.0).accepted
    assert deal.take("T2s", 1.1).text == "two cards lie on the reader: one at a time"
    assert deal.due == "2s"


def test_faces_are_those_of_every_deck(tmp_path: Path, deck: Deck) -> None:
    assert faces(tmp_path) == {}
    decks = Decks(tmp_path / "table.sqlite")
    decks.register(deck)
    decks.close()
    assert faces(tmp_path)["TQh"] == "queen of hearts (red)"
