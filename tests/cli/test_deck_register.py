"""`tablectl deck register`: 52 cards at the reader, with everything that goes wrong on the way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from config.table_file import DEMO_FILE
from controller.app.workshop.deck_registration import DeckRegistration, format_card_name
from controller.runtime.devices.deck_list_formats import parse_deck_list
from controller.runtime.devices.deck_store import STANDARD_DECK, CardMarking, DeckError, DeckStore
from tests.cli.conftest import World

Tablectl = Callable[..., tuple[int, str, str]]
TableFile = Callable[[str], Path]

SHOE = '[shoe]\ndeck = "red"\nreader = "shoe"\n[device.shoe]\ndriver = "rdm6300"\nport = "sim://rdm6300/shoe"\n'
EACH = 1.0
"""Seconds between two cards."""


def tag(number: int) -> str:
    return f"6F{0x007B3900 + number:08X}"


def show(world: World, number: int, at: float) -> None:
    reader = world.bench.reader("shoe")
    world.schedule(at, lambda: reader.present(tag(number)))
    world.schedule(at + 0.3, lambda: reader.remove(tag(number)))


@pytest.fixture
def site(world: World, table: TableFile) -> Path:
    world.bench.add_port("sim://rdm6300/shoe")
    return table(SHOE)


def test_a_deck_in_two_sittings(tablectl: Tablectl, site: Path, world: World, tmp_path: Path) -> None:
    for number in range(20):
        show(world, number, 0.5 + EACH * number)
    status, out, _ = tablectl("deck", "register", "red", "--config", site, "--seconds", 21)
    assert status == 1
    assert "20 of 52: 7 of hearts" in out
    assert "left off with 32 cards to go; the same command goes on" in out
    assert (tmp_path / "state/register-red.json").stat().st_mode & 0o077 == 0
    for number in range(20, 52):
        show(world, number, 0.5 + EACH * (number - 20))
    status, out, _ = tablectl("deck", "register", "red", "--config", site, "--seconds", 60)
    assert status == 0
    assert out.startswith("going on after 20 cards\nnext: 8 of hearts\n")
    assert "registered red: 52 cards, checksum " in out
    assert not (tmp_path / "state/register-red.json").exists()
    decks = DeckStore(tmp_path / "state/table.sqlite")
    assert {card: found for found, card in decks.get("red").card_by_tag.items()} == {
        card: tag(number) for number, card in enumerate(STANDARD_DECK)
    }
    decks.close()
    status, _, why = tablectl("deck", "register", "red", "--config", site)
    assert (status, "registered already; --card" in why) == (1, True)


def test_the_last_card_is_one_card(tablectl: Tablectl, site: Path, world: World) -> None:
    for number in range(51):
        show(world, number, 0.5 + EACH * number)
    status, out, _ = tablectl("deck", "register", "red", "--config", site, "--seconds", 1 + EACH * 51)
    assert status == 1
    assert "left off with 1 card to go; the same command goes on" in out
    show(world, 51, 0.5)
    status, out, _ = tablectl("deck", "register", "red", "--config", site, "--seconds", 5)
    assert status == 0
    assert out.startswith("going on after 51 cards\nnext: king of clubs\n")


def test_cards_of_another_deck_and_cards_twice(tablectl: Tablectl, site: Path, world: World, tmp_path: Path) -> None:
    decks = DeckStore(tmp_path / "state/table.sqlite")
    listed = parse_deck_list("blue", (DEMO_FILE.parent / "demo-deck.csv").read_text())
    decks.register(listed)
    decks.close()
    stranger = next(iter(listed.card_by_tag))
    world.schedule(0.5, lambda: world.bench.reader("shoe").present(stranger))
    world.schedule(0.8, lambda: world.bench.reader("shoe").remove(stranger))
    show(world, 0, 1.5)
    show(world, 1, 2.5)
    show(world, 0, 3.5)
    status, out, _ = tablectl("deck", "register", "red", "--config", site, "--seconds", 5)
    assert status == 1
    assert out.count("this card belongs to deck 'blue': put it back there") == 1
    assert out.count("this is the ace of spades, which was taken already; wanted is the 3 of spades") == 1
    assert "left off with 50 cards to go" in out


def test_one_card_anew_with_its_history(tablectl: Tablectl, site: Path, world: World, tmp_path: Path) -> None:
    decks = DeckStore(tmp_path / "state/table.sqlite")
    listed = parse_deck_list("red", (DEMO_FILE.parent / "demo-deck.csv").read_text())
    decks.register(listed)
    decks.close()
    old = next(found for found, card in listed.card_by_tag.items() if card == "Qh")
    show(world, 7, 0.5)
    status, out, _ = tablectl("deck", "register", "red", "--card", "Qh", "--config", site, "--seconds", 3)
    assert status == 0
    assert "registered the queen of hearts of red anew" in out
    assert f"    {old}: Qh from " in out
    assert " until " in out
    status, _, why = tablectl("deck", "register", "red", "--card", "1h", "--config", site, "--seconds", 3)
    assert (status, "has no card '1h'" in why) == (1, True)
    show(world, 7, 0.5)
    status, out, _ = tablectl("deck", "register", "red", "--card", "2h", "--config", site, "--seconds", 3)
    assert status == 1
    assert "is already a card of deck 'red'" in out
    assert "nothing was changed" in out


def test_reader_that_is_none(tablectl: Tablectl, table: TableFile, world: World) -> None:
    world.bench.add_port("sim://rdm6300/shoe")
    path = table(SHOE)
    status, _, why = tablectl("deck", "register", "red", "--config", path, "--device", "boot")
    assert (status, "there is no device 'boot'" in why) == (1, True)
    gate = '[device.gate]\ndriver = "gate"\npin = 17\nopen_level = "high"\nfail_safe = "locked"\n'
    status, _, why = tablectl("deck", "register", "red", "--config", table(SHOE + gate), "--device", "gate")
    assert status == 1


@pytest.fixture
def decks(tmp_path: Path) -> DeckStore:
    return DeckStore(tmp_path / "table.sqlite")


def test_taking_back_and_jokers(decks: DeckStore, tmp_path: Path) -> None:
    registration = DeckRegistration("red", decks, tmp_path / "progress.json", joker_count=2)
    assert registration.take_back() is None
    for number in range(54):
        assert registration.take(tag(number), float(number)).accepted
    assert registration.expected_card is None
    assert not registration.take(tag(60), 99.0).accepted
    assert registration.take_back() == "joker"
    assert registration.take(tag(60), 100.0).message == "54 of 54: joker"
    deck = registration.finish(replace=False)
    assert sorted(deck.card_by_tag.values()).count("joker") == 2
    decks.close()


def test_two_cards_at_once(decks: DeckStore, tmp_path: Path) -> None:
    registration = DeckRegistration("red", decks, tmp_path / "progress.json")
    registration.take(tag(0), 1.0)
    registration.take(tag(0), 1.2)
    assert registration.take(tag(1), 1.3).message == "two cards lie on the reader: one at a time"
    assert registration.take(tag(1), 2.0).accepted
    decks.close()


def test_progress_of_another_deck_is_not_mixed_up(decks: DeckStore, tmp_path: Path) -> None:
    DeckRegistration("red", decks, tmp_path / "p", joker_count=2).take(tag(0), 1.0)
    other = DeckRegistration("red", decks, tmp_path / "p")
    with pytest.raises(DeckError, match="with 2 jokers, tagged, was left off"):
        other.resume()
    other.restart()
    assert other.resume() == 0
    (tmp_path / "p").write_text("{")
    with pytest.raises(DeckError, match="is damaged"):
        other.resume()
    decks.close()


def test_printed_codes_may_be_in_every_deck(decks: DeckStore, tmp_path: Path) -> None:
    for name in ("red", "blue"):
        registration = DeckRegistration(name, decks, tmp_path / name, CardMarking.PRINTED)
        for number in range(52):
            assert registration.take(f"D07-{number:02}", float(number)).accepted
        registration.finish(replace=False)
    decks.close()


def test_names_of_cards() -> None:
    assert [format_card_name(card) for card in ("As", "Th", "9d", "Qc", "joker")] == [
        "ace of spades", "10 of hearts", "9 of diamonds", "queen of clubs", "joker",
    ]  # fmt: skip
