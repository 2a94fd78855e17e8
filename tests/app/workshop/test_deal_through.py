"""A registered deck dealt past the reader: two cards that were swapped are named."""

from pathlib import Path

import pytest

from controller.app.workshop.deck_verification import DeckVerification, load_card_text_by_tag
from controller.runtime.devices.deck_store import STANDARD_DECK, Deck, DeckStore


def deal_whole_deck(deck: Deck, tags: dict[str, str]) -> DeckVerification:
    """Deal every card in order; `tags`: which tag is really in a card."""
    deal = DeckVerification(deck)
    for number, card in enumerate(deal.cards):
        deal.take(tags[card], float(number))
    return deal


@pytest.fixture
def deck() -> Deck:
    return Deck("red", {f"T{card}": card for card in STANDARD_DECK})


@pytest.fixture
def tags(deck: Deck) -> dict[str, str]:
    return {card: tag for tag, card in deck.card_by_tag.items()}


def test_a_right_deck_has_nothing_wrong(deck: Deck, tags: dict[str, str]) -> None:
    deal = deal_whole_deck(deck, tags)
    assert (deal.expected_card, deal.taken_count, deal.find_mistakes()) == (None, 52, [])


def test_two_swapped_cards_are_named_once(deck: Deck, tags: dict[str, str]) -> None:
    tags["As"], tags["Qh"] = tags["Qh"], tags["As"]
    (said,) = deal_whole_deck(deck, tags).find_mistakes()
    assert said.startswith("the ace of spades and the queen of hearts are swapped")
    assert "tablectl deck register red --card As" in said


def test_three_in_a_ring_are_each_named(deck: Deck, tags: dict[str, str]) -> None:
    tags["As"], tags["2s"], tags["3s"] = tags["2s"], tags["3s"], tags["As"]
    assert len(deal_whole_deck(deck, tags).find_mistakes()) == 3


def test_a_strange_tag_is_said_at_once(deck: Deck) -> None:
    deal = DeckVerification(deck)
    said = deal.take("other", 0.0)
    assert said.accepted
    assert said.message == "asked for was the ace of spades, and the tag is a tag of no card of this deck"
    assert "has a tag that is no card's" in deal.find_mistakes()[0]


def test_a_card_that_lies_on_the_reader_counts_once(deck: Deck) -> None:
    deal = DeckVerification(deck)
    assert deal.take("TAs", 0.0).accepted
    assert not deal.take("TAs", 1.0).accepted
    assert deal.take("T2s", 1.1).message == "two cards lie on the reader: one at a time"
    assert deal.expected_card == "2s"


def test_faces_are_those_of_every_deck(tmp_path: Path, deck: Deck) -> None:
    assert load_card_text_by_tag(tmp_path) == {}
    decks = DeckStore(tmp_path / "table.sqlite")
    decks.register(deck)
    decks.close()
    assert load_card_text_by_tag(tmp_path)["TQh"] == "queen of hearts (red)"
