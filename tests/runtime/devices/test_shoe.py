"""Repeat read, duplicate card, unread card and foreign card are four different things."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.protocol import events
from controller.core.protocol.events import CardDealt, DeviceChanged
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, Deck
from controller.runtime.devices.shoe_translator import CardsOut, ShoeTranslator
from controller.runtime.faults.notices import Notice, NoticeCode
from drivers.contract.driver_interface import CardEdgeSensed, DeviceEvent, FaceSensed, LidMoved, ShoeJammed, TagRead
from tests.runtime.conftest import tag_of

NOTHING = CardsOut(1)
STRANGER = "5D00000001"


def make_cards_out(*cards: str, hand: int = 1) -> CardsOut:
    return CardsOut(hand, frozenset(cards))


def read(tag: str) -> TagRead:
    return TagRead("shoe", tag)


def codes(translated: Sequence[events.Event | Notice]) -> list[NoticeCode]:
    return [item.code for item in translated if isinstance(item, Notice)]


def cards(translated: Sequence[events.Event | Notice]) -> list[CardDealt]:
    return [item for item in translated if isinstance(item, CardDealt)]


@pytest.fixture
def plain(deck: Deck) -> ShoeTranslator:
    """A shoe with a repeating reader and nothing else."""
    return ShoeTranslator("shoe", deck, gone_after=0.4)


@pytest.fixture
def edge_shoe(deck: Deck) -> ShoeTranslator:
    """A shoe with an edge sensor too."""
    return ShoeTranslator("shoe", deck, gone_after=0.4, edge_sensor=True)


def test_a_read_is_a_card(plain: ShoeTranslator) -> None:
    assert plain.translate(read(tag_of("As")), 1.0, NOTHING) == (CardDealt("As"),)


def test_the_tag_that_lies_on_the_reader_is_one_card_however_long(plain: ShoeTranslator) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    for tick in range(1, 100):
        assert plain.translate(read(tag_of("As")), 1.0 + 0.065 * tick, NOTHING) == ()
    assert plain.repeat_count == 99


def test_two_tags_that_alternate_on_the_reader_are_two_cards(plain: ShoeTranslator) -> None:
    seen = [
        item
        for tick in range(20)
        for item in plain.translate(read(tag_of("As" if tick % 2 else "Kd")), 1.0 + 0.065 * tick, NOTHING)
    ]
    assert seen == [CardDealt("Kd"), CardDealt("As")]


def test_a_card_that_is_out_is_not_dealt_again_when_its_tag_comes_back(plain: ShoeTranslator) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    assert codes(plain.translate(read(tag_of("As")), 9.0, make_cards_out("As"))) == [NoticeCode.TAG_REPEATED]


def test_the_same_card_comes_again_once_it_is_back_in_the_stub(plain: ShoeTranslator) -> None:
    plain.translate(read(tag_of("As")), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 9.0, NOTHING) == (CardDealt("As"),)


def test_a_tag_of_no_card_is_a_foreign_card_once_a_hand(plain: ShoeTranslator) -> None:
    foreign = CardDealt(None, is_foreign=True)
    assert plain.translate(read(STRANGER), 1.0, NOTHING) == (foreign,)
    assert codes(plain.translate(read(STRANGER), 9.0, NOTHING)) == [NoticeCode.TAG_REPEATED]
    assert plain.translate(read(STRANGER), 99.0, make_cards_out(hand=2)) == (foreign,)


def test_a_withdrawn_tag_is_a_duplicate_while_its_face_is_out_and_foreign_otherwise(deck: Deck) -> None:
    shoe = ShoeTranslator("shoe", replace(deck, retired_card_by_tag={STRANGER: "As"}), gone_after=0.4)
    assert shoe.translate(read(STRANGER), 1.0, NOTHING) == (CardDealt(None, is_foreign=True),)
    shoe = ShoeTranslator("shoe", replace(deck, retired_card_by_tag={STRANGER: "As"}), gone_after=0.4)
    assert shoe.translate(read(STRANGER), 1.0, make_cards_out("As")) == (CardDealt("As"),)


def test_a_printed_code_read_again_after_a_pause_is_a_second_card() -> None:
    shoe = ShoeTranslator(
        "shoe", Deck("printed", {card.upper(): card for card in STANDARD_DECK}, CardMarking.PRINTED), gone_after=0.4
    )
    assert shoe.translate(read("AS"), 1.0, NOTHING) == (CardDealt("As"),)
    assert shoe.translate(read("AS"), 1.2, make_cards_out("As")) == ()
    assert shoe.translate(read("AS"), 2.0, make_cards_out("As")) == (CardDealt("As"),)


def test_a_printed_code_in_a_new_passage_is_a_second_card_at_once() -> None:
    printed = Deck("printed", {card.upper(): card for card in STANDARD_DECK}, CardMarking.PRINTED)
    shoe = ShoeTranslator("shoe", printed, gone_after=0.4, edge_sensor=True)
    for at in (1.0, 1.1):
        shoe.translate(CardEdgeSensed("shoe", True), at, NOTHING)
        assert shoe.translate(read("AS"), at + 0.02, NOTHING) == (CardDealt("As"),)
        assert shoe.translate(read("AS"), at + 0.03, NOTHING) == ()
        shoe.translate(CardEdgeSensed("shoe", False), at + 0.05, NOTHING)


def test_an_edge_without_a_read_is_an_unread_card(edge_shoe: ShoeTranslator) -> None:
    edge_shoe.translate(CardEdgeSensed("shoe", True), 1.0, NOTHING)
    assert edge_shoe.translate(CardEdgeSensed("shoe", False), 1.1, NOTHING) == ()
    assert edge_shoe.on_tick(1.3) == ()
    assert edge_shoe.on_tick(1.36) == (CardDealt(None),)
    assert edge_shoe.on_tick(9.0) == ()


def test_a_read_just_after_the_edge_belongs_to_its_card(edge_shoe: ShoeTranslator) -> None:
    edge_shoe.translate(CardEdgeSensed("shoe", True), 1.0, NOTHING)
    edge_shoe.translate(CardEdgeSensed("shoe", False), 1.1, NOTHING)
    assert edge_shoe.translate(read(tag_of("As")), 1.2, NOTHING) == (CardDealt("As"),)
    assert edge_shoe.on_tick(9.0) == ()


def test_a_read_after_the_card_was_counted_as_unread_is_no_second_card(edge_shoe: ShoeTranslator) -> None:
    edge_shoe.translate(CardEdgeSensed("shoe", True), 1.0, NOTHING)
    edge_shoe.translate(CardEdgeSensed("shoe", False), 1.1, NOTHING)
    assert cards(edge_shoe.on_tick(1.4)) == [CardDealt(None)]
    assert codes(edge_shoe.translate(read(tag_of("As")), 1.6, NOTHING)) == [NoticeCode.LATE_READ]


@pytest.mark.parametrize("read_at", [5.1, 5.3], ids=["as it passes", "just after"])
def test_a_card_pulled_back_and_out_again_is_one_card(edge_shoe: ShoeTranslator, read_at: float) -> None:
    out = CardsOut(1, frozenset({"As"}))
    edge_shoe.translate(CardEdgeSensed("edge", True), 1.0, CardsOut(1))
    assert edge_shoe.translate(read(tag_of("As")), 1.1, CardsOut(1)) == (CardDealt("As"),)
    edge_shoe.translate(CardEdgeSensed("edge", False), 1.2, out)
    said = [*edge_shoe.translate(CardEdgeSensed("edge", True), 5.0, out)]
    moments: list[tuple[float, DeviceEvent]] = [(5.2, CardEdgeSensed("edge", False)), (read_at, read(tag_of("As")))]
    for at, event in sorted(moments, key=lambda moment: moment[0]):
        said += edge_shoe.translate(event, at, out)
    said += edge_shoe.on_tick(7.0)
    assert codes(said) == [NoticeCode.TAG_REPEATED]
    assert len(said) == 1, "no card was dealt by it, read or unread"
    edge_shoe.translate(CardEdgeSensed("edge", True), 8.0, out)
    edge_shoe.translate(CardEdgeSensed("edge", False), 8.2, out)
    assert edge_shoe.on_tick(9.0) == (CardDealt(None),), "the next that passes unread is one"


def test_the_next_edge_ends_the_wait_for_the_read_of_the_card_before(edge_shoe: ShoeTranslator) -> None:
    edge_shoe.translate(CardEdgeSensed("shoe", True), 1.0, NOTHING)
    edge_shoe.translate(CardEdgeSensed("shoe", False), 1.05, NOTHING)
    assert edge_shoe.translate(CardEdgeSensed("shoe", True), 1.1, NOTHING) == (CardDealt(None),)
    assert edge_shoe.translate(read(tag_of("As")), 1.15, NOTHING) == (CardDealt("As"),)


def test_two_reads_in_one_passage_are_two_cards_and_said(edge_shoe: ShoeTranslator) -> None:
    edge_shoe.translate(CardEdgeSensed("shoe", True), 1.0, NOTHING)
    edge_shoe.translate(read(tag_of("As")), 1.1, NOTHING)
    second = edge_shoe.translate(read(tag_of("Kd")), 1.2, make_cards_out("As"))
    assert codes(second) == [NoticeCode.TWO_READS]
    assert cards(second) == [CardDealt("Kd")]


def test_a_read_without_an_edge_is_a_card_and_a_hint_at_the_sensor(edge_shoe: ShoeTranslator) -> None:
    seen = edge_shoe.translate(read(tag_of("As")), 1.0, NOTHING)
    assert codes(seen) == [NoticeCode.NO_EDGE]
    assert cards(seen) == [CardDealt("As")]


def test_a_face_seen_before_the_read_belongs_to_that_card_alone(plain: ShoeTranslator) -> None:
    plain.translate(FaceSensed("shoe", True), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 1.1, NOTHING) == (CardDealt("As", face_up=True),)
    assert plain.translate(read(tag_of("Kd")), 2.0, make_cards_out("As")) == (CardDealt("Kd"),)


def test_a_face_seen_long_ago_belongs_to_nobody(plain: ShoeTranslator) -> None:
    plain.translate(FaceSensed("shoe", True), 1.0, NOTHING)
    assert plain.translate(read(tag_of("As")), 4.0, NOTHING) == (CardDealt("As"),)


def test_lid_and_jam_are_news_of_the_shoe(edge_shoe: ShoeTranslator) -> None:
    assert edge_shoe.translate(LidMoved("lid", True), 1.0, NOTHING) == (
        DeviceChanged("shoe", DeviceChange.LID_OPEN, is_needed=True),
    )
    assert edge_shoe.translate(LidMoved("lid", False), 2.0, NOTHING) == (
        DeviceChanged("shoe", DeviceChange.LID_CLOSED, is_needed=True),
    )
    edge_shoe.translate(CardEdgeSensed("edge", True), 3.0, NOTHING)
    assert edge_shoe.translate(ShoeJammed("edge"), 5.0, NOTHING) == (
        DeviceChanged("shoe", DeviceChange.JAM, is_needed=True),
    )
    cleared = edge_shoe.translate(CardEdgeSensed("edge", False), 8.0, NOTHING)
    assert [item for item in cleared if not isinstance(item, Notice)] == [DeviceChanged("shoe", DeviceChange.BACK)]
    assert codes(cleared) == [NoticeCode.JAM_UNREAD]
    assert edge_shoe.on_tick(20.0) == ()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("As", "Kd", "2c", STRANGER, "edge on", "edge off", "face", "tick")),
        st.floats(0.0, 1.5),
    ),
    max_size=60,
)


@given(STEPS, st.booleans())
def test_no_tagged_card_ever_leaves_the_shoe_twice(steps: list[tuple[str, float]], has_edge: bool) -> None:
    deck = Deck("red", {tag_of(card): card for card in STANDARD_DECK})
    shoe = ShoeTranslator("shoe", deck, gone_after=0.4, edge_sensor=has_edge)
    now, dealt = 0.0, list[str]()
    for what, wait in steps:
        now += wait
        lying = make_cards_out(*dealt)
        match what:
            case "edge on" | "edge off":
                seen = shoe.translate(CardEdgeSensed("shoe", what == "edge on"), now, lying)
            case "face":
                seen = shoe.translate(FaceSensed("shoe", True), now, lying)
            case "tick":
                seen = shoe.on_tick(now)
            case _:
                tag = what if what == STRANGER else tag_of(what)
                seen = shoe.translate(read(tag), now, lying)
        for card in cards(seen):
            assert card.card is None or card.card not in dealt
            assert not card.is_foreign or card.card is None
            if card.card:
                dealt.append(card.card)
        for item in seen:
            if isinstance(item, Notice):
                assert "4B0000" not in item.text
                assert STRANGER not in item.text


SECOND = Deck("second", {f"5E{number:08X}": card for number, card in enumerate(STANDARD_DECK)})


def test_the_first_card_of_a_hand_says_which_registered_deck_is_in_play(plain: ShoeTranslator) -> None:
    told: list[Deck] = []
    first = plain.deck
    plain.list_registered_decks, plain.on_deck_changed = lambda: (first, SECOND), told.append
    tags = {card: tag for tag, card in SECOND.card_by_tag.items()}
    fresh = CardsOut(1, is_before_first_card=True)
    found = plain.translate(read(tags["As"]), 1.0, fresh)
    assert codes(found) == [NoticeCode.DECK_CHANGED]
    assert "As" not in str(found[0])
    assert cards(found) == [CardDealt("As")]
    assert (plain.deck, told) == (SECOND, [SECOND])
    assert cards(plain.translate(read(tag_of("Kd")), 2.0, make_cards_out("As"))) == [CardDealt(None, is_foreign=True)]
    assert cards(plain.translate(read(tags["Kd"]), 3.0, make_cards_out("As"))) == [CardDealt("Kd")]
    assert cards(plain.translate(read(tag_of("Kd")), 9.0, CardsOut(2, is_before_first_card=True))) == [CardDealt("Kd")]
    assert plain.deck is first


def test_a_card_of_another_deck_in_the_middle_of_a_hand_is_foreign(plain: ShoeTranslator) -> None:
    plain.list_registered_decks = lambda: (plain.deck, SECOND)
    assert cards(plain.translate(read(next(iter(SECOND.card_by_tag))), 1.0, make_cards_out("As"))) == [
        CardDealt(None, is_foreign=True)
    ]
    assert cards(plain.translate(read(STRANGER), 2.0, CardsOut(1, is_before_first_card=True))) == [
        CardDealt(None, is_foreign=True)
    ]
