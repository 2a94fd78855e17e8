"""Registration of decks: what is refused, what is kept, and the lists of other programs."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.devices.deck_list_formats import (
    TagFormat,
    normalize_tag,
    parse_card,
    parse_deck_list,
    render_csv,
    render_json,
)
from controller.runtime.devices.deck_store import JOKER, STANDARD_DECK, CardMarking, Deck, DeckError, DeckStore
from controller.runtime.journal.journal import Journal
from controller.runtime.storage.sqlite_database import DatabaseError
from tests.runtime.conftest import tag_of


@pytest.fixture
def decks(tmp_path: Path) -> DeckStore:
    return DeckStore(tmp_path / "table.sqlite")


def copy_deck_with_other_tags(deck: Deck, name: str) -> Deck:
    return Deck(name, {f"5C{tag[2:]}": card for tag, card in deck.card_by_tag.items()})


def test_a_registered_deck_is_there_after_reopening(decks: DeckStore, deck: Deck) -> None:
    decks.register(deck)
    decks.close()
    again = DeckStore(decks.path)
    assert again.get("red") == deck
    assert again.list_names() == ["red"]


def test_an_unknown_deck_is_refused_with_those_there_are(decks: DeckStore, deck: Deck) -> None:
    decks.register(deck)
    with pytest.raises(DeckError, match="no deck 'blue' is registered; registered: red"):
        decks.get("blue")


def test_a_tag_of_another_deck_is_refused_and_nothing_is_registered(decks: DeckStore, deck: Deck) -> None:
    decks.register(deck)
    blue = copy_deck_with_other_tags(deck, "blue")
    cards = dict(blue.card_by_tag)
    cards[tag_of("As")] = cards.pop(f"5C{tag_of('As')[2:]}")
    with pytest.raises(DeckError, match=f"tag {tag_of('As')} belongs to deck 'red'"):
        decks.register(replace(blue, card_by_tag=cards))
    assert decks.list_names() == ["red"]


@pytest.mark.parametrize("name", ["", "../../evil", "/etc/x", ".hidden", "a\x1b[2J", "a\nb", "x" * 41])
def test_a_name_that_is_no_part_of_a_files_name_is_refused(decks: DeckStore, deck: Deck, name: str) -> None:
    with pytest.raises(DeckError, match="no deck may be called") as caught:
        decks.register(replace(deck, name=name))
    assert "\x1b" not in str(caught.value)
    assert name not in decks.list_names()


def test_two_tags_for_one_card_are_refused(decks: DeckStore, deck: Deck) -> None:
    with pytest.raises(DeckError, match=r"card As has 2 tags \(4B00000000, 77\)"):
        decks.register(replace(deck, card_by_tag={**deck.card_by_tag, "77": "As"}))


def test_missing_cards_are_named(decks: DeckStore, deck: Deck) -> None:
    cards = {tag: card for tag, card in deck.card_by_tag.items() if card not in ("Qd", "2c")}
    with pytest.raises(DeckError, match="no tag for Qd, 2c"):
        decks.register(replace(deck, card_by_tag=cards))


def test_two_jokers_may_be_with_the_deck_but_not_three(decks: DeckStore, deck: Deck) -> None:
    two = replace(deck, card_by_tag={**deck.card_by_tag, "71": JOKER, "72": JOKER})
    with pytest.raises(DeckError, match="joker has 3 tags"):
        decks.register(replace(deck, card_by_tag={**two.card_by_tag, "73": JOKER}))
    decks.register(two)
    assert len(decks.get("red").card_by_tag) == 54


def test_a_known_deck_is_registered_anew_only_when_that_is_meant(decks: DeckStore, deck: Deck) -> None:
    decks.register(deck)
    with pytest.raises(DeckError, match="already registered"):
        decks.register(deck)
    swapped = {**deck.card_by_tag, tag_of("As"): "Ks", tag_of("Ks"): "As"}
    decks.register(replace(deck, card_by_tag=swapped), replace=True)
    assert decks.get("red").card_by_tag[tag_of("As")] == "Ks"
    assert [(card, gone is None) for _, card, _, gone in decks.find_tag_history(tag_of("As"))] == [
        ("As", False),
        ("Ks", True),
    ]


def test_a_replaced_card_keeps_its_history_and_its_old_tag_is_known_as_withdrawn(decks: DeckStore, deck: Deck) -> None:
    decks.register(deck)
    decks.replace_card("red", "As", "99")
    found = decks.get("red")
    assert found.card_by_tag["99"] == "As"
    assert tag_of("As") not in found.card_by_tag
    assert found.retired_card_by_tag == {tag_of("As"): "As"}
    assert [(card, gone is None) for _, card, _, gone in decks.find_tag_history(tag_of("As"))] == [("As", False)]


@pytest.mark.parametrize(("card", "tag", "why"), [("Xx", "99", "has no card"), ("As", tag_of("Ks"), "already a card")])
def test_a_wrong_replacement_is_refused(decks: DeckStore, deck: Deck, card: str, tag: str, why: str) -> None:
    decks.register(deck)
    with pytest.raises(DeckError, match=why):
        decks.replace_card("red", card, tag)
    assert decks.get("red") == deck


def test_printed_decks_may_share_their_codes(decks: DeckStore) -> None:
    codes = {card.upper(): card for card in STANDARD_DECK}
    decks.register(Deck("one", codes, CardMarking.PRINTED))
    decks.register(Deck("two", codes, CardMarking.PRINTED))
    assert decks.list_names() == ["one", "two"]


def test_a_journal_is_not_taken_for_a_table_database(tmp_path: Path) -> None:
    Journal(tmp_path / "file.sqlite").close()
    with pytest.raises(DatabaseError, match="is a database of something else"):
        DeckStore(tmp_path / "file.sqlite")


def test_a_deck_never_shows_its_cards_in_a_text(deck: Deck) -> None:
    assert tag_of("As") not in repr(deck)


@pytest.mark.parametrize(
    ("written", "form", "tag"),
    [
        ("4b:00:86:f4:44", TagFormat.HEX, "4B0086F444"),
        ("4B-00-86-F4-44", TagFormat.HEX, "4B0086F444"),
        ("4b 00 86 f4 44", TagFormat.HEX, "4B0086F444"),
        ("0x4B0086F444", TagFormat.HEX, "4B0086F444"),
        ("0008844356", TagFormat.DECIMAL, "000086F444"),
        ("E00401586DE02802", TagFormat.HEX, "E00401586DE02802"),
        ("as", TagFormat.TEXT, "AS"),
    ],
)
def test_tags_have_one_spelling(written: str, form: TagFormat, tag: str) -> None:
    assert normalize_tag(written, form) == tag


@pytest.mark.parametrize(
    ("written", "form"), [("4B0", TagFormat.HEX), ("", TagFormat.HEX), ("XY", TagFormat.HEX), ("4B", TagFormat.DECIMAL)]
)
def test_what_is_no_tag_is_refused(written: str, form: TagFormat) -> None:
    with pytest.raises(DeckError):
        normalize_tag(written, form)


@pytest.mark.parametrize(
    ("rank", "suit", "card"),
    [("A", "s", "As"), ("10", "Hearts", "Th"), ("t", "♦", "Td"), ("king", "CLUBS", "Kc"), ("joker", "", "joker")],
)
def test_cards_as_other_programs_write_them(rank: str, suit: str, card: str) -> None:
    assert parse_card(rank, suit) == card


def test_a_list_survives_csv_and_json(deck: Deck) -> None:
    with_joker = replace(deck, card_by_tag={**deck.card_by_tag, "4B99": JOKER})
    assert parse_deck_list("red", render_csv(with_joker)) == with_joker
    assert parse_deck_list("red", render_json(with_joker)) == with_joker


def test_decimal_tags_are_known_by_their_widths() -> None:
    lines = [f"{number * 7919},{card[0]},{card[1]}" for number, card in enumerate(STANDARD_DECK, start=1)]
    deck = parse_deck_list("d", "\n".join(["UID,Rank,Suit", *lines]))
    assert deck.card_by_tag[f"{7919:010X}"] == "As"


def test_digits_of_one_width_are_not_guessed() -> None:
    lines = [f"{1000 + number},{card[0]},{card[1]}" for number, card in enumerate(STANDARD_DECK)]
    text = "\n".join(["UID,Rank,Suit", *lines])
    with pytest.raises(DeckError, match="say --tags hex or --tags decimal"):
        parse_deck_list("d", text)
    assert parse_deck_list("d", text, TagFormat.HEX).card_by_tag["1000"] == "As"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("UID,Rank\n1A,A\n", r"line 1: want the columns UID,Rank,Suit; missing: suit"),
        ("UID,Rank,Suit\n1A,A,s\n1A,K,s\n", "line 3: tag 1A stands for As already"),
        ("UID,Rank,Suit\n1A,1x,s\n", "line 2: '1x' is no rank"),
        ("UID,Rank,Suit\nzz,A,s\n", "line 2: 'zz' is no tag"),
        ("{", "the list is no JSON"),
        ('{"1A": 3}', "tag 1A: want a card like 'As'"),
        ('[{"UID": "1A"}]', "entry 1: want UID, Rank, Suit; missing: rank, suit"),
        ("[3]", "entry 1: want an object"),
    ],
)
def test_a_bad_list_names_the_place(text: str, why: str) -> None:
    with pytest.raises(DeckError, match=why):
        parse_deck_list("d", text)


@given(st.permutations(STANDARD_DECK))
def test_the_checksum_depends_on_the_cards_and_not_on_their_order(order: list[str]) -> None:
    plain = Deck("d", {tag_of(card): card for card in STANDARD_DECK})
    assert Deck("d", {tag_of(card): card for card in order}).compute_checksum() == plain.compute_checksum()
    swapped = {**plain.card_by_tag, tag_of("As"): "Ks", tag_of("Ks"): "As"}
    assert Deck("d", swapped).compute_checksum() != plain.compute_checksum()
