"""Which deck is in play: the table's file says which one first, from then on the first card of each hand."""

import json
from pathlib import Path

from controller.app.table.deck_box import DeckBox, left_in_play, registered_decks
from controller.runtime.devices.decks import STANDARD, Deck, Decks
from controller.runtime.journal.archive import Archive
from controller.runtime.loop.notices import Code
from controller.runtime.state_directory import DECK_FILE, JOURNAL_FILE, TABLE_FILE
from tests.app.rig import Rig

SECOND = Deck("second", {f"5E{number:08X}": card for number, card in enumerate(STANDARD)})


def test_the_first_card_puts_a_registered_deck_in_play_and_the_journal_says_so(tmp_path: Path) -> None:
    tags = {card: tag for tag, card in SECOND.cards.items()}
    with Rig(tmp_path) as rig:
        rig.device_map.look_up_decks(lambda: (rig.deck, SECOND), rig.loop.deck_changed)
        rig.press("start")
        rig.tag(tags["As"])
        assert sum(rig.output["piles"]["seats"].values()) == 1
        assert rig.standing.faults == ()
        assert [notice.code for notice in rig.standing.notices] == [Code.DECK_CHANGED]
        rig.tag(tags["Kd"])
        assert sum(rig.output["piles"]["seats"].values()) == 2
    archive = Archive.open(tmp_path / JOURNAL_FILE)
    (note,) = [json.loads(each.body) for each in archive.records() if each.kind == "deck"]
    archive.close()
    assert {key: note[key] for key in ("deck", "cards", "in_play")} == {"deck": "second", "cards": 52, "in_play": True}


def boxed(rig: Rig, folder: Path) -> DeckBox:
    decks = Decks(folder / TABLE_FILE)
    decks.register(rig.deck)
    decks.register(SECOND)
    decks.close()
    return DeckBox(
        folder,
        in_play=lambda: rig.device_map.in_play,
        rests=lambda: not rig.loop.outcome.plan,
        deal_from=rig.loop.deal_from,
    )


def test_a_deck_is_chosen_between_hands_and_its_cards_are_known_by_the_shoe(tmp_path: Path) -> None:
    tags = {card: tag for tag, card in SECOND.cards.items()}
    with Rig(tmp_path) as rig:
        rig.device_map.look_up_decks(lambda: (rig.deck,), rig.loop.deck_changed)
        box = boxed(rig, tmp_path)
        assert box.standing() == {"in_play": rig.deck.name, "decks": [rig.deck.name, "second"]}
        assert box.choose("third", "Ann") == f"No deck 'third' is registered; registered: {rig.deck.name}, second."
        assert box.choose("second", "Ann") is None
        rig.press("start")
        assert box.standing()["in_play"] == "second"
        rig.tag(tags["As"])
        assert sum(rig.output["piles"]["seats"].values()) == 1
        assert rig.standing.faults == ()
        assert box.choose(rig.deck.name, "Ann") == "A hand is on: decks are changed between hands."
    archive = Archive.open(tmp_path / JOURNAL_FILE)
    (note,) = [json.loads(each.body) for each in archive.records() if each.kind == "deck" and "in_play" in each.body]
    archive.close()
    assert {key: note[key] for key in ("deck", "by")} == {"deck": "second", "by": "Ann"}


def test_a_choice_that_comes_after_the_first_card_is_not_taken(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.loop.deal_from(SECOND, "Ann")
        rig.press("start")
        assert rig.device_map.in_play == rig.deck.name
        assert "a hand began meanwhile" in rig.standing.notices[0].text


def test_a_start_goes_on_with_the_deck_that_was_dealt_last(tmp_path: Path) -> None:
    decks = Decks(tmp_path / TABLE_FILE)
    assert left_in_play(tmp_path, decks, "first") == "first"
    decks.register(SECOND)
    (tmp_path / DECK_FILE).write_text("second\n")
    assert left_in_play(tmp_path, decks, "first") == "second"
    (tmp_path / DECK_FILE).write_text("gone\n")
    assert left_in_play(tmp_path, decks, "first") == "first"
    decks.close()
    assert registered_decks(tmp_path) == (SECOND,)
