"""Repeat read, duplicate card, unread card and foreign card are four different things."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.protocol import events
from controller.core.protocol.events import Card, Device
from controller.core.protocol.vocabulary import Status
from controller.runtime.devices.decks import STANDARD, Deck, Marks
from controller.runtime.devices.shoe import CardsOut, Shoe
from controller.runtime.loop.notices import Code, Notice
from drivers.contract.base import CardEdge, DeviceEvent, FaceSensed, Jammed, LidMoved, TagRead
from tests.runtime.conftest import tag_of

NOTHING = CardsOut(1)
STRANGER = "5D00000001"


def out(*cards: str, hand: int = 1) -> CardsOut:
    return CardsOut(hand, frozenset(cards))


def read(tag: str) -> TagRead:
    return TagRead("shoe", tag)


def codes(translated: Sequence[events.Event | Notice]) -> list[Code]:
    return [item.code for item in translated if isinstance(item, Notice)]


def cards(translated: Sequence[events.Event | Notice]) -> list[Card]:
    return [item for item in translated if isinstance(item, Card)]


@pytest.fixture
def plain(deck: Deck) -> Shoe:
    """A shoe with a repeating reader and nothing else."""
    return Shoe("shoe", deck, gone_after=0.4)


@pytest.fixture
def edged(deck: Deck) -> Shoe:
    """A shoe with an edge sensor too."""
    return Shoe("shoe", deck, gone_after=0.4, edge_sensor=True)


def test_a_read_is_a_card(plain: Shoe) -> None:
    assert plain.translate(read(tag_of("As")), 1.0, NOTHING) == (Card("As"),)


def test_the_tag_that_lies_on_the_reader_is_one_card_however_long(plain: Shoe) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    for tick in range(1, 100):
        assert plain.translate(read(tag_of("As")), 1.0 + 0.065 * tick, NOTHING) == ()
    assert plain.repeats == 99


def test_two_tags_that_alternate_on_the_reader_are_two_cards(plain: Shoe) -> None:
    seen = [
        item
        for tick in range(20)
        for item in plain.translate(read(tag_of("As" if tick % 2 else "Kd")), 1.0 + 0.065 * tick, NOTHING)
    ]
    assert seen == [Card("Kd"), Card("As")]


def test_a_card_that_is_out_is_not_dealt_again_when_its_tag_comes_back(plain: Shoe) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    assert codes(plain.translate(read(tag_of("As")), 9.0, out("As"))) == [Code.TAG_AGAIN]


def test_the_same_card_comes_again_once_it_is_back_in_the_stub(plain: Shoe) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 9.0, NOTHING) == (Card("As"),)


def test_a_tag_of_no_card_is_a_foreign_card_once_a_hand(plain: Shoe) -> None:
    foreign = Card(None, foreign=True)
    assert plain.translate(read(STRANGER), 1.0, NOTHING) == (foreign,)
    assert codes(plain.translate(read(STRANGER), 9.0, NOTHING)) == [Code.TAG_AGAIN]
    assert plain.translate(read(STRANGER), 99.0, out(hand=2)) == (foreign,)


def test_a_withdrawn_tag_is_a_duplicate_while_its_face_is_out_and_foreign_otherwise(deck: Deck) -> None:
    shoe = Shoe("shoe", replace(deck, withdrawn={STRANGER: "As"}), gone_after=0.4)
    assert shoe.translate(read(STRANGER), 1.0, NOTHING) == (Card(None, foreign=True),)
    shoe = Shoe("shoe", replace(deck, withdrawn={STRANGER: "As"}), gone_after=0.4)
    assert shoe.translate(read(STRANGER), 1.0, out("As")) == (Card("As"),)


def test_a_printed_code_read_again_after_a_pause_is_a_second_card() -> None:
    shoe = Shoe("shoe", Deck("printed", {card.upper(): card for card in STANDARD}, Marks.PRINTED), gone_after=0.4)
    assert shoe.translate(read("AS"), 1.0, NOTHING) == (Card("As"),)
    assert shoe.translate(read("AS"), 1.2, out("As")) == ()
    assert shoe.translate(read("AS"), 2.0, out("As")) == (Card("As"),)


def test_a_printed_code_in_a_new_passage_is_a_second_card_at_once() -> None:
    printed = Deck("printed", {card.upper(): card for card in STANDARD}, Marks.PRINTED)
    shoe = Shoe("shoe", printed, gone_after=0.4, edge_sensor=True)
    for at in (1.0, 1.1):
        shoe.translate(CardEdge("shoe", True), at, NOTHING)
        assert shoe.translate(read("AS"), at + 0.02, NOTHING) == (Card("As"),)
        assert shoe.translate(read("AS"), at + 0.03, NOTHING) == ()
        shoe.translate(CardEdge("shoe", False), at + 0.05, NOTHING)


def test_an_edge_without_a_read_is_an_unread_card(edged: Shoe) -> None:
    edged.translate(CardEdge("shoe", True), 1.0, NOTHING)
    assert edged.translate(CardEdge("shoe", False), 1.1, NOTHING) == ()
    assert edged.tick(1.3) == ()
    assert edged.tick(1.36) == (Card(None),)
    assert edged.tick(9.0) == ()


def test_a_read_just_after_the_edge_belongs_to_its_card(edged: Shoe) -> None:
    edged.translate(CardEdge("shoe", True), 1.0, NOTHING)
    edged.translate(CardEdge("shoe", False), 1.1, NOTHING)
    assert edged.translate(read(tag_of("As")), 1.2, NOTHING) == (Card("As"),)
    assert edged.tick(9.0) == ()


def test_a_read_after_the_card_was_counted_as_unread_is_no_second_card(edged: Shoe) -> None:
    edged.translate(CardEdge("shoe", True), 1.0, NOTHING)
    edged.translate(CardEdge("shoe", False), 1.1, NOTHING)
    assert cards(edged.tick(1.4)) == [Card(None)]
    assert codes(edged.translate(read(tag_of("As")), 1.6, NOTHING)) == [Code.LATE_READ]


@pytest.mark.parametrize("read_at", [5.1, 5.3], ids=["as it passes", "just after"])
def test_a_card_pulled_back_and_out_again_is_one_card(edged: Shoe, read_at: float) -> None:
    out = CardsOut(1, frozenset({"As"}))
    edged.translate(CardEdge("edge", True), 1.0, CardsOut(1))
    assert edged.translate(read(tag_of("As")), 1.1, CardsOut(1)) == (Card("As"),)
    edged.translate(CardEdge("edge", False), 1.2, out)
    said = [*edged.translate(CardEdge("edge", True), 5.0, out)]
    moments: list[tuple[float, DeviceEvent]] = [(5.2, CardEdge("edge", False)), (read_at, read(tag_of("As")))]
    for at, event in sorted(moments, key=lambda moment: moment[0]):
        said += edged.translate(event, at, out)
    said += edged.tick(7.0)
    assert codes(said) == [Code.TAG_AGAIN]
    assert len(said) == 1, "no card was dealt by it, read or unread"
    edged.translate(CardEdge("edge", True), 8.0, out)
    edged.translate(CardEdge("edge", False), 8.2, out)
    assert edged.tick(9.0) == (Card(None),), "the next that passes unread is one"


def test_the_next_edge_ends_the_wait_for_the_read_of_the_card_before(edged: Shoe) -> None:
    edged.translate(CardEdge("shoe", True), 1.0, NOTHING)
    edged.translate(CardEdge("shoe", False), 1.05, NOTHING)
    assert edged.translate(CardEdge("shoe", True), 1.1, NOTHING) == (Card(None),)
    assert edged.translate(read(tag_of("As")), 1.15, NOTHING) == (Card("As"),)


def test_two_reads_in_one_passage_are_two_cards_and_said(edged: Shoe) -> None:
    edged.translate(CardEdge("shoe", True), 1.0, NOTHING)
    edged.translate(read(tag_of("As")), 1.1, NOTHING)
    second = edged.translate(read(tag_of("Kd")), 1.2, out("As"))
    assert codes(second) == [Code.TWO_READS]
    assert cards(second) == [Card("Kd")]


def test_a_read_without_an_edge_is_a_card_and_a_hint_at_the_sensor(edged: Shoe) -> None:
    seen = edged.translate(read(tag_of("As")), 1.0, NOTHING)
    assert codes(seen) == [Code.NO_EDGE]
    assert cards(seen) == [Card("As")]


def test_a_face_seen_before_the_read_belongs_to_that_card_alone(plain: Shoe) -> None:
    plain.translate(FaceSensed("shoe", True), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 1.1, NOTHING) == (Card("As", face_up=True),)
    assert plain.translate(read(tag_of("Kd")), 2.0, out("As")) == (Card("Kd"),)


def test_a_face_seen_long_ago_belongs_to_nobody(plain: Shoe) -> None:
    plain.translate(FaceSensed("shoe", True), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 4.0, NOTHING) == (Card("As"),)


def test_lid_and_jam_are_news_of_the_shoe(edged: Shoe) -> None:
    assert edged.translate(LidMoved("lid", True), 1.0, NOTHING) == (Device("shoe", Status.LID_OPEN, needed=True),)
    assert edged.translate(LidMoved("lid", False), 2.0, NOTHING) == (Device("shoe", Status.LID_CLOSED, needed=True),)
    edged.translate(CardEdge("edge", True), 3.0, NOTHING)
    assert edged.translate(Jammed("edge"), 5.0, NOTHING) == (Device("shoe", Status.JAM, needed=True),)
    cleared = edged.translate(CardEdge("edge", False), 8.0, NOTHING)
    assert [item for item in cleared if not isinstance(item, Notice)] == [Device("shoe", Status.BACK)]
    assert codes(cleared) == [Code.JAM_UNREAD]
    assert edged.tick(20.0) == ()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("As", "Kd", "2c", STRANGER, "edge on", "edge off", "face", "tick")),
        st.floats(0.0, 1.5),
    ),
    max_size=60,
)


@given(STEPS, st.booleans())
def test_no_tagged_card_ever_leaves_the_shoe_twice(steps: list[tuple[str, float]], has_edge: bool) -> None:
    deck = Deck("red", {tag_of(card): card for card in STANDARD})
    shoe = Shoe("shoe", deck, gone_after=0.4, edge_sensor=has_edge)
    now, dealt = 0.0, list[str]()
    for what, wait in steps:
        now += wait
        lying = out(*dealt)
        match what:
            case "edge on" | "edge off":
                seen = shoe.translate(CardEdge("shoe", what == "edge on"), now, lying)
            case "face":
                seen = shoe.translate(FaceSensed("shoe", True), now, lying)
            case "tick":
                seen = shoe.tick(now)
            case _:
                tag = what if what == STRANGER else tag_of(what)
                seen = shoe.translate(read(tag), now, lying)
        for card in cards(seen):
            assert card.card is None or card.card not in dealt
            assert not card.foreign or card.card is None
            if card.card:
                dealt.append(card.card)
        for item in seen:
            if isinstance(item, Notice):
                assert "4B0000" not in item.text
                assert STRANGER not in item.text


SECOND = Deck("second", {f"5E{number:08X}": card for number, card in enumerate(STANDARD)})


def test_the_first_card_of_a_hand_says_which_registered_deck_is_in_play(plain: Shoe) -> None:
    told: list[Deck] = []
    first = plain.deck
    plain.others, plain.changed = lambda: (first, SECOND), told.append
    tags = {card: tag for tag, card in SECOND.cards.items()}
    fresh = CardsOut(1, fresh=True)
    found = plain.translate(read(tags["As"]), 1.0, fresh)
    assert codes(found) == [Code.DECK_CHANGED]
    assert "As" not in str(found[0])
    assert cards(found) == [Card("As")]
    assert (plain.deck, told) == (SECOND, [SECOND])
    assert cards(plain.translate(read(tag_of("Kd")), 2.0, out("As"))) == [Card(None, foreign=True)]
    assert cards(plain.translate(read(tags["Kd"]), 3.0, out("As"))) == [Card("Kd")]
    assert cards(plain.translate(read(tag_of("Kd")), 9.0, CardsOut(2, fresh=True))) == [Card("Kd")]
    assert plain.deck is first


def test_a_card_of_another_deck_in_the_middle_of_a_hand_is_foreign(plain: Shoe) -> None:
    plain.others = lambda: (plain.deck, SECOND)
    assert cards(plain.translate(read(next(iter(SECOND.cards))), 1.0, out("As"))) == [Card(None, foreign=True)]
    assert cards(plain.translate(read(STRANGER), 2.0, CardsOut(1, fresh=True))) == [Card(None, foreign=True)]
