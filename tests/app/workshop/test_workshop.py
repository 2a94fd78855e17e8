"""A table out of service: the gate stays shut, devices are heard by the technician alone, a deck is registered."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.workshop.table_workshop import WorkshopError
from controller.core.protocol.events import DeviceChanged, HandStarted
from controller.core.protocol.vocabulary import DeviceChange
from controller.runtime.devices.deck_store import STANDARD_DECK, DeckStore
from controller.runtime.faults.self_check import SelfCheckResult
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.loop.table_view import SIMULATION, TEST
from controller.runtime.storage.state_directory import HAND_KEY_FILE
from tests.app.rig import Rig

OUT = DeviceChanged("fault:in-service", DeviceChange.LOST)
BACK = DeviceChanged("fault:in-service", DeviceChange.BACK)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path, lossless=True) as rig:
        yield rig


def enter(rig: Rig, event: DeviceChanged | HandStarted) -> None:
    rig.loop.submit_entry(event, "page")
    rig.run(0.1)


def test_out_of_service_nothing_is_dealt_and_cards_and_keys_are_heard_only(rig: Rig) -> None:
    enter(rig, OUT)
    assert (rig.output["phase"], rig.standing.mode) == ("halted", TEST)
    entry = rig.standing.entry
    rig.card("As")
    rig.press("start")
    assert rig.standing.entry == entry
    assert not rig.bench.gate("gate").is_open()
    texts = [heard["text"] for heard in rig.workshop.describe()["heard"]]
    assert f"tag {rig.tags['As']}: of no registered deck" in texts
    assert "key start" in texts
    enter(rig, BACK)
    assert (rig.output["phase"], rig.standing.mode) == ("idle", SIMULATION)
    assert rig.workshop.describe()["heard"] == []


def test_a_hand_is_not_taken_out_of_service(rig: Rig) -> None:
    rig.press("start")
    rig.card("As")
    entry = rig.standing.entry
    enter(rig, OUT)
    assert rig.standing.entry == entry
    assert rig.standing.refusal is not None
    assert rig.standing.refusal.code == "hand-on"


def test_what_the_self_check_found_is_told(tmp_path: Path) -> None:
    found = (SelfCheckResult("disk", "81 GB free"), SelfCheckResult("clock", "it stands", "clock-unset"))
    with Rig(tmp_path, lossless=True, check=lambda: found) as rig:
        assert rig.workshop.describe()["checked"] == []
        rig.workshop.run_self_check()
        assert rig.workshop.describe()["checked"] == [
            {"about": "disk", "text": "81 GB free", "bad": False},
            {"about": "clock", "text": "it stands", "bad": True},
        ]


def test_a_tag_is_shown_with_its_card_out_of_service_and_never_while_a_hand_is_in_progress(
    tmp_path: Path, rig: Rig
) -> None:
    decks = DeckStore(tmp_path / "table.sqlite")
    decks.register(rig.deck)
    decks.close()
    enter(rig, OUT)
    rig.card("Qh")
    rig.tag(rig.bench.reader(rig.name).nth_tag(4000))
    texts = [each["text"] for each in rig.workshop.describe()["heard"]]
    assert f"tag {rig.tags['Qh']}: queen of hearts (demo)" in texts
    assert any(text.endswith(": of no registered deck") for text in texts)
    (tmp_path / HAND_KEY_FILE).write_bytes(b"x")  # as a hand leaves it that the power went in
    rig.card("As")
    texts = [each["text"] for each in rig.workshop.describe()["heard"]]
    assert f"tag {rig.tags['As']}" in texts, "the tag, and not whose it is"
    with pytest.raises(WorkshopError, match="its cards lie face down"):
        rig.workshop.start_verification("demo")
    (tmp_path / HAND_KEY_FILE).unlink()


def test_no_tag_of_the_workshop_is_published(rig: Rig) -> None:
    enter(rig, OUT)
    rig.card("As")
    assert rig.tags["As"] in str(rig.workshop.describe())
    assert not any(rig.tags["As"] in str(standing) for standing in rig.standings)


def test_lamps_are_lit_by_hand_and_go_back_to_the_tables_own(rig: Rig) -> None:
    enter(rig, OUT)
    own = rig.lit_seats()
    steps = rig.workshop.describe()["walk"]
    rig.workshop.light(steps.index("deal, seat 4"))
    rig.run(0.1)
    assert {role: seats for role, seats in rig.lit_seats().items() if seats} == {"deal": (4,)}
    rig.workshop.light(None)
    rig.run(0.1)
    assert rig.lit_seats() == own
    rig.workshop.light(0)
    enter(rig, BACK)
    assert rig.lit_seats()["deal"] == ()


def test_a_deck_is_registered_card_by_card_left_off_and_gone_on_with(tmp_path: Path, rig: Rig) -> None:
    enter(rig, OUT)
    rig.workshop.start_registration("demo")
    tags = {card: rig.bench.reader(rig.name).nth_tag(2000 + number) for number, card in enumerate(STANDARD_DECK)}
    for card in STANDARD_DECK[:20]:
        rig.tag(tags[card])
        rig.run(0.4)
    rig.workshop.stop_registration()
    assert rig.workshop.describe()["registration"] is None
    rig.workshop.start_registration("demo", by="Ada")
    assert rig.workshop.describe()["registration"]["taken"] == 20
    rig.workshop.take_back()
    for card in STANDARD_DECK[19:]:
        rig.tag(tags[card])
        rig.run(0.4)
    assert "registered demo: 52 cards" in rig.workshop.describe()["said"]
    decks = DeckStore(tmp_path / "table.sqlite")
    registered = decks.get("demo")
    assert registered.card_by_tag == {tag: card for card, tag in tags.items()}
    decks.close()
    archive = JournalReader.open(rig.journal.path)
    (receipt,) = [json.loads(record.body) for record in archive.read_records() if record.kind == "deck"]
    archive.close()
    assert {key: receipt[key] for key in ("deck", "cards", "checksum", "by")} == {
        "deck": "demo",
        "cards": 52,
        "checksum": registered.compute_checksum(),
        "by": "Ada",
    }
    assert receipt["wall"]
    enter(rig, BACK)
    rig.press("start")
    rig.tag(tags["Kd"])  # the deck that was registered is the one in play
    assert rig.standing.refusal is None
    assert not rig.output["rulings"]


def test_work_wants_a_table_out_of_service(rig: Rig) -> None:
    with pytest.raises(WorkshopError, match="out of service first"):
        rig.workshop.light(0)
    with pytest.raises(WorkshopError, match="out of service first"):
        rig.workshop.start_registration("demo")
    with pytest.raises(WorkshopError, match="no deck is being registered"):
        rig.workshop.take_back()


def test_a_restart_finds_the_table_out_of_service_as_it_was(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        enter(rig, OUT)
    with Rig(tmp_path) as rig:
        assert rig.output["phase"] == "halted"
        assert rig.workshop.describe()["serving"]
        enter(rig, BACK)
        assert rig.output["phase"] == "idle"
