"""From the wire to the lamps and back into the journal, with the real drivers and a clock of our own."""

import json
from pathlib import Path

import pytest

from config.table_line import parse_table_line
from controller.core.protocol.events import ClockCalled
from controller.core.protocol.table_display import Phase
from controller.runtime.journal.recovery.journal_replay import compare_with_replay, recover_table
from controller.runtime.journal.sealing.hand_reader import make_current_key_finder
from controller.runtime.loop.table_view import TableView
from controller.web.publishing.page_state_hub import PageStateHub
from tests.app.rig import Rig, random_deck


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def test_a_card_on_the_wire_moves_the_lamp_to_the_next_seat(rig: Rig) -> None:
    with rig:
        rig.press("start")
        assert rig.output["gate"] == "open"
        assert rig.bench.gate("gate").is_open()
        assert rig.lit_seats()["deal"] == (2,)
        rig.card("As")
        assert rig.lit_seats()["deal"] == (4,)
        rig.card("Kd")
        assert rig.lit_seats()["deal"] == (5,)
        assert rig.output["piles"]["stub"] == 50


def test_the_gate_locks_when_a_player_must_act(rig: Rig) -> None:
    with rig:
        rig.press("start")
        rig.deal(random_deck(1)[:12])
        assert rig.output["phase"] == "bet"
        assert not rig.bench.gate("gate").is_open()
        lit = rig.lit_seats()
        assert lit["act"] == (5,)
        assert lit["deal"] == ()
        rig.press("call")
        assert rig.lit_seats()["act"] == (7,)


def test_a_repeated_read_is_one_card_and_one_entry(rig: Rig) -> None:
    with rig:
        rig.press("start")
        before = rig.standing.entry
        rig.bench.reader("shoe").present(rig.tags["As"])
        rig.run(3.0)
        assert rig.standing.entry == before + 1


def test_a_foreign_card_is_recorded_as_one(rig: Rig) -> None:
    with rig:
        rig.press("start")
        rig.tag("5D00000001")
        card, fault = rig.read_lines()[-2:]
        assert (card["ev"], card["card"], card["foreign"]) == ("card", None, True)
        assert (fault["ev"], fault["id"], fault["status"]) == ("device", "fault:deck-foreign", "lost")


def test_a_refused_key_is_in_the_journal_with_its_refusal_and_changes_nothing(rig: Rig) -> None:
    with rig:
        rig.press("start")
        before = rig.read_lasting_state()
        entry = rig.standing.entry
        rig.press("start")
        assert rig.read_lasting_state() == before
        assert rig.standing.entry == entry + 1
        assert rig.standing.refusal is not None
        assert rig.standing.refusal.source == "panel"
        rig.journal.end_run("test")
        last = list(rig.journal.read_entries(rig.journal.list_sessions()[-1]))[-1]
        assert json.loads(last.script_line)["ev"] == "start"
        assert last.refusal_code == rig.standing.refusal.code


def test_a_key_without_sense_at_the_moment_is_said_and_not_recorded(rig: Rig) -> None:
    with rig:
        entry = rig.standing.entry
        rig.press("call")
        assert rig.standing.entry == entry
        assert "does nothing now" in rig.standing.notices[0].text


def test_an_unplugged_reader_halts_the_table_until_it_is_back(rig: Rig) -> None:
    with rig:
        rig.press("start")
        steps = rig.output["next"]
        rig.lose_port("unplugged")
        assert rig.output["phase"] == "halted"
        assert not rig.bench.gate("gate").is_open()
        assert rig.output["next"] == steps
        assert [device.state for device in rig.standing.devices if device.name == "shoe"] == ["lost"]
        rig.open_port()
        assert rig.output["phase"] == "deal"
        assert rig.bench.gate("gate").is_open()


def test_a_reader_lost_before_a_restart_is_back_when_its_port_opens(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.lose_port("unplugged")
    with Rig(tmp_path, opened=False) as rig:
        assert rig.output["phase"] == "halted"
        assert not rig.bench.gate("gate").is_open()
        rig.open_port()
        assert rig.output["phase"] == "deal"


def test_time_goes_on_where_it_stood_after_a_restart(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.run(5.0)
        rig.press("start")
        stood = rig.read_lines(0)[-1]["t"]
        assert stood > 5.0
    with Rig(tmp_path) as rig:
        rig.card("As")
        times = [line["t"] for line in rig.read_lines(0)]
        assert times == sorted(times)
        assert stood < times[-1] < stood + 5.0


def test_a_called_clock_ends_with_one_time_event(rig: Rig) -> None:
    with rig:
        rig.press("start")
        rig.deal(random_deck(1)[:12])
        rig.enter(ClockCalled(5))
        rig.run(0.1)
        entry = rig.standing.entry
        rig.run(59.0)
        assert rig.standing.entry == entry
        rig.run(2.0)
        assert rig.standing.entry == entry + 1
        assert rig.read_lines(0)[-1]["ev"] == "time"
        rig.run(5.0)
        assert rig.standing.entry == entry + 1


@pytest.mark.parametrize("after", [3, 14, 17, 24])
def test_after_a_cut_of_the_power_everything_stands_as_it_did(tmp_path: Path, after: int) -> None:
    cards = random_deck(4)
    with Rig(tmp_path) as rig:
        rig.press("start")
        for _ in range(after):
            if rig.output["phase"] == "deal":
                rig.card(cards.pop())
            else:
                rig.press("call")
        stood = rig.read_lasting_state()
        rulings = rig.standing.rulings
    with Rig(tmp_path, confirmed=False) as rig:
        assert rig.power_lost
        assert rig.standing.power_lost
        assert rig.output["next"] == stood[0]
        assert [fault.code for fault in rig.standing.faults if fault.id] == ["power-lost"]
        assert (rig.output["phase"], rig.bench.gate("gate").is_open()) == ("halted", False)
        rig.clear("power-lost")
        assert rig.read_lasting_state() == stood
        assert rig.standing.rulings == rulings
        assert not rig.standing.power_lost


def test_after_a_cut_of_the_power_the_key_done_confirms_the_table_and_no_step(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.card("As")
        stood = rig.read_lasting_state()
    with Rig(tmp_path, confirmed=False) as rig:
        rig.card("Kd")
        assert not rig.bench.gate("gate").is_open()
    with Rig(tmp_path, confirmed=False) as rig:
        assert rig.output["phase"] == "halted"
        rig.press("done")
        assert rig.bench.gate("gate").is_open()
        lines = rig.read_lines(0)
        assert (lines[-1]["id"], lines[-1]["status"]) == ("fault:power-lost", "back")
        assert [record.kind for record in rig.journal.read_newest_records("run")] == ["run"] * 3
        assert stood[2] == rig.output["street"]


def test_a_clean_end_is_no_loss_of_power(tmp_path: Path) -> None:
    with Rig(tmp_path) as rig:
        rig.press("start")
        rig.journal.end_run("SIGTERM")
    with Rig(tmp_path) as rig:
        assert not rig.standing.power_lost


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hands_played_by_the_room_replay_to_the_recorded_outcomes(tmp_path: Path, seed: int) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(seed, mistakes=0.05), 120)
        assert rig.output["hand"] >= 2
        assert rig.standing.max_queue_delay_s < 0.1
        rig.journal.end_run("test")
        session = rig.journal.list_sessions()[0]
        found = compare_with_replay(rig.journal, session, parse_table_line)
        assert found.first_difference is None
        assert found.same_count == found.entry_count == rig.standing.entry
        recovered = recover_table(rig.journal, session, parse_table_line, make_current_key_finder(tmp_path))
        assert recovered.last_result is not None
        assert recovered.last_result.to_output_line() == rig.output


def test_no_face_down_card_and_no_tag_is_ever_published(tmp_path: Path) -> None:
    """Every publication of some hands is searched for the cards that lie face down at that moment, and for all tags."""
    with Rig(tmp_path, lossless=True) as rig:
        hub = PageStateHub({})
        texts: list[tuple[str, set[str]]] = []

        def look(standing: TableView) -> None:
            hub.publish(standing)
            latest = hub.get_latest()
            assert latest is not None
            hand = rig.loop.outcome.state.hand
            down = (
                set()
                if hand is None
                else {
                    lying.card
                    for pile in hand.cards.piles.cards_by_place.values()
                    for lying in pile
                    if lying.card and not lying.is_known
                }
            )
            texts.append((latest[1], down))

        rig.loop.subscribe(look)
        rig.live(rig.room(5, mistakes=0.05), 100)
        tags = tuple(rig.deck.card_by_tag)
        assert sum(len(down) for _, down in texts) > 300
        for text, down in texts:
            assert not any(tag in text for tag in tags)
            for card in down:
                assert f'"{card}"' not in text


def test_nobody_deals_from_a_table_whose_hand_is_over(rig: Rig) -> None:
    with rig:
        assert rig.loop.outcome.phase is Phase.IDLE
        assert not rig.bench.gate("gate").is_open()


def test_many_hands_go_by_without_the_room_or_the_table_coming_to_a_stop(tmp_path: Path) -> None:
    """Dealers err often here: every third hand is dealt again, and cards go back into the stub."""
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(11, mistakes=0.15)
        for _ in range(6):
            before = rig.standing.entry
            rig.live(room, 50)
            assert rig.standing.entry > before + 35
        assert {"exposed", "boxed", "off-table"} <= {line.get("what") for line in rig.read_lines(0)}


def test_without_mistakes_nothing_goes_wrong_by_itself(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(seed=5, mistakes=0), 50)
        said = [entry.script_line for entry in rig.journal.read_entries(rig.journal.list_sessions()[-1])]
    assert len(said) > 40
    assert not any('"report"' in line or '"undo"' in line for line in said)
