"""Which deck is in play: the table's file says which one first, from then on the first card of each hand."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.app.table.deck_selector import DeckSelector, load_deck_in_play, load_registered_decks
from controller.runtime.devices.deck_store import STANDARD_DECK, Deck, DeckStore
from controller.runtime.faults.notices import NoticeCode
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.storage.state_directory import DECK_IN_PLAY_FILE, JOURNAL_FILE, TABLE_DATABASE_FILE
from tests.app.rig import Rig

SECOND = Deck("second", {f"5E{number:08X}": card for number, card in enumerate(STANDARD_DECK)})


def read_deck_notes(directory: Path) -> list[dict[str, Any]]:
    with closing(JournalReader.open(directory / JOURNAL_FILE)) as archive:
        return [json.loads(record.body) for record in archive.read_records() if record.kind == "deck"]


def test_the_first_card_puts_a_registered_deck_in_play_and_the_journal_says_so(tmp_path: Path) -> None:
    tags = {card: tag for tag, card in SECOND.card_by_tag.items()}
    with Rig(tmp_path) as rig:
        rig.device_map.enable_deck_detection(lambda: (rig.deck, SECOND), rig.loop.record_deck_change)
        rig.press("start")
        rig.tag(tags["As"])
        assert sum(rig.output["piles"]["seats"].values()) == 1
        assert rig.standing.faults == ()
        assert [notice.code for notice in rig.standing.notices] == [NoticeCode.DECK_CHANGED]
        rig.tag(tags["Kd"])
        assert sum(rig.output["piles"]["seats"].values()) == 2
    (note,) = read_deck_notes(tmp_path)
    assert {key: note[key] for key in ("deck", "cards", "in_play")} == {"deck": "second", "cards": 52, "in_play": True}


def make_deck_selector(rig: Rig, folder: Path) -> DeckSelector:
    decks = DeckStore(folder / TABLE_DATABASE_FILE)
    decks.register(rig.deck)
    decks.register(SECOND)
    decks.close()
    return DeckSelector(
        folder,
        find_deck_in_play=lambda: rig.device_map.deck_name,
        is_between_hands=lambda: not rig.loop.outcome.plan,
        deal_from=rig.loop.choose_deck,
    )


def test_a_deck_is_chosen_between_hands_and_its_cards_are_known_by_the_shoe(tmp_path: Path) -> None:
    tags = {card: tag for tag, card in SECOND.card_by_tag.items()}
    with Rig(tmp_path) as rig:
        rig.device_map.enable_deck_detection(lambda: (rig.deck,), rig.loop.record_deck_change)
        box = make_deck_selector(rig, tmp_path)
        assert box.describe() == {"in_play": rig.deck.name, "decks": [rig.deck.name, "second"]}
        assert box.choose("third", "Ann") == f"No deck 'third' is registered; registered: {rig.deck.name}, second."
        assert box.choose("second", "Ann") is None
        rig.press("start")
        assert box.describe()["in_play"] == "second"
        rig.tag(tags["As"])
        assert sum(rig.output["piles"]["seats"].values()) == 1
        assert rig.standing.faults == ()
        assert box.choose(rig.deck.name, "Ann") == "A hand is on: decks are changed between hands."
    (note,) = [note for note in read_deck_notes(tmp_path) if "in_play" in note]
    assert {key: note[key] for key in ("deck", "by")} == {"deck": "second", "by": "Ann"}


def test_a_choice_that_comes_after_the_first_card_is_not_taken(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.loop.choose_deck(SECOND, "Ann")
        rig.press("start")
        assert rig.device_map.deck_name == rig.deck.name
        assert "a hand began meanwhile" in rig.standing.notices[0].text


def test_a_start_goes_on_with_the_deck_that_was_dealt_last(tmp_path: Path) -> None:
    decks = DeckStore(tmp_path / TABLE_DATABASE_FILE)
    assert load_deck_in_play(tmp_path, decks, "first") == "first"
    decks.register(SECOND)
    (tmp_path / DECK_IN_PLAY_FILE).write_text("second\n")
    assert load_deck_in_play(tmp_path, decks, "first") == "second"
    (tmp_path / DECK_IN_PLAY_FILE).write_text("gone\n")
    assert load_deck_in_play(tmp_path, decks, "first") == "first"
    decks.close()
    assert load_registered_decks(tmp_path) == (SECOND,)
