"""A hand step by step: what was shown is told again, and nothing that nobody had seen."""

import json
import re
import threading
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from nacl.signing import VerifyKey
from pytest_mock import MockerFixture

from controller.app.table import past_hands
from controller.app.table.past_hands import PastHands, ReadBusyError, read_rows, read_steps
from controller.cli import main
from controller.core.protocol.script_lines import parse_line
from controller.records.export_formats import ExportFormat
from controller.records.public_view import find_open_cards
from controller.runtime.journal.hand_index import HAND_INDEX_FILE, HandIndex, HandQuery, HandRow
from controller.runtime.journal.recovery.journal_replay import RecoveryError
from controller.runtime.loop.table_view import TableView
from tests.app.rig import Rig


def test_the_steps_of_a_hand_are_what_the_table_showed(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4, mistakes=0.05), 110)
        rig.journal.end_run("test")
        shown = {standing.entry: (dict(standing.output_line), standing.showdown) for standing in rig.standings}
        assert drop_start_times(rig.hands.find(HandQuery()).hands) == drop_start_times(read_listed_hands(tmp_path))
    listed = read_listed_hands(tmp_path)
    assert [hand.hand for hand in listed] == sorted((hand.hand for hand in listed), reverse=True)
    assert len(listed) >= 2
    for hand in listed:
        steps = read_steps(tmp_path / "journal.sqlite", 1, hand.hand)
        assert steps[0]["told"]["ev"] == "start"
        assert [step["entry"] for step in steps] == sorted(step["entry"] for step in steps)
        for step in steps:
            assert (step["table"], step["showdown"]) == shown[step["entry"]]
    assert any(showdown["hands"] for _, showdown in shown.values() if showdown), "nobody tabled a hand"
    assert read_steps(tmp_path / "journal.sqlite", 1, listed[-1].hand)[-1]["table"]["phase"] == "idle"
    assert read_steps(tmp_path / "journal.sqlite", 1, 10_000) == read_steps(tmp_path / "journal.sqlite", 9, 1) == []


def test_the_page_reads_a_hand_in_a_process_of_its_own_and_one_at_a_time(tmp_path: Path, mocker: MockerFixture) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 60)
        rig.journal.end_run("test")
        newest = rig.loop.outcome.state.hand_count
    wanted = json.loads(json.dumps(read_steps(tmp_path / "journal.sqlite", 1, newest)))
    mocker.patch.object(past_hands, "replay_hand_steps", side_effect=AssertionError("played again in this process"))
    hands = PastHands(tmp_path / "journal.sqlite", lambda: None)
    assert hands.read_steps(1, newest) == hands.read_steps(None, newest) == wanted
    assert hands.read_steps(1, 10_000) == []
    with hands._read_lock, pytest.raises(ReadBusyError):
        hands.read_steps(1, newest)
    (tmp_path / "journal.sqlite").unlink()
    with pytest.raises(RecoveryError, match="there is no such file"):
        hands.read_steps(1, newest)


def test_a_list_that_is_not_whole_is_made_so_beside_the_table(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 60)
        rig.journal.end_run("test")
        wanted, last = rig.hands.find(HandQuery()).hands, rig.journal.last_entry_number
    (tmp_path / HAND_INDEX_FILE).unlink()
    index = HandIndex(tmp_path / HAND_INDEX_FILE, 1, last)
    hands = PastHands(tmp_path / "journal.sqlite", lambda: index)
    assert hands.find(HandQuery()).hands == ()
    before = hands.is_complete
    wait_for_the_list()
    assert (before, hands.is_complete) == (False, True)
    assert drop_start_times(hands.find(HandQuery()).hands) == drop_start_times(row for row in wanted if row.over)


def wait_for_the_list() -> None:
    for thread in [thread for thread in threading.enumerate() if thread.name == "past hands"]:
        thread.join(60.0)


def read_listed_hands(directory: Path) -> list[HandRow]:
    """The list as the journal gives it, the newest hand first."""
    return list(reversed(list(read_rows(directory / "journal.sqlite", 0, 10_000_000))))


def drop_start_times(rows: Iterable[HandRow]) -> list[HandRow]:
    """Leave out when a hand began: the journal and the list look at the clock one after the other."""
    return [replace(row, began="") for row in rows]


def test_page_command_and_phh_count_the_same_rulings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The page counted what was taken back, and a refused entry's ruling again; all count the record's now."""
    with Rig(tmp_path, lossless=True) as rig:
        room = rig.room(5, mistakes=0.15)
        rig.live(room, 60)
        deal_up_to_an_act(rig)
        rig.enter({"ev": "report", "what": "exposed", "seat": rig.output["next"][0]["seat"]})
        rig.enter({"ev": "undo"})
        rig.enter({"ev": "floor", "decide": "misdeal", "who": "Bo", "why": "seen from the rail"})
        rig.enter({"ev": "won", "seat": 9})
        number = rig.loop.outcome.state.hand_count
        while rig.loop.outcome.state.hand_count == number:
            rig.live(room, 5)
        rows = [row for row in rig.hands.find(HandQuery()).hands if row.over]
        rig.journal.end_run("test")
    assert sum(row.rulings for row in rows) > 2
    state = ["--state", str(tmp_path)]
    assert main(["hands", "list", *state]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    listed = {int(line[0]): re.search(r"(\d+) ruling", line[4]) for line in lines}
    assert main(["hands", "export", *state]) == 0
    written = tomllib.loads(capsys.readouterr().out).values()
    for row in rows:
        said = listed[row.hand]
        assert row.rulings == (0 if said is None else int(said[1]))
    counted = {hand["hand"]: len(hand["_rulings"]) for hand in written}
    assert counted == {row.hand: row.rulings for row in rows}
    decided = next(hand["_decisions"] for hand in written if "_decisions" in hand)
    assert [(each["decide"], each["who"], each["why"]) for each in decided] == [("misdeal", "Bo", "seen from the rail")]
    assert main(["hands", "show", str(number), *state]) == 0
    assert "the floor, Bo, decided misdeal: seen from the rail" in capsys.readouterr().out
    assert main(["hands", "list", "--all", "--ruling", "overrule", *state]) == 0


def deal_up_to_an_act(rig: Rig) -> None:
    while not rig.output["next"] or rig.output["next"][0]["step"] != "act":
        rig.live(rig.room(4), 1)


def test_hands_of_all_sessions_are_listed_and_what_was_found_is_exported(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 80)
        rig.journal.end_run("test")
        rig.hands.close()
    with Rig(tmp_path, lossless=True, fresh=True) as rig:
        assert rig.hands.is_complete
        rig.live(rig.room(5), 80)
        rig.journal.end_run("test")
        hands = PastHands(tmp_path / "journal.sqlite", lambda: rig.hands)
        found = hands.find(HandQuery()).hands
        assert {row.session for row in found} == {1, 2}
        assert [(row.session, row.hand) for row in found] == sorted(((r.session, r.hand) for r in found), reverse=True)
        player = found[-1].players[0]
        wanted = [(row.session, row.hand) for row in found if row.over and player in row.players]
        exported = tomllib.loads(hands.export_hands(HandQuery(player=player), ExportFormat.PHH)[0])
        assert sorted((hand["_session"], hand["hand"]) for hand in exported.values()) == sorted(wanted)
        assert hands.export_hands(HandQuery(player="nobody at all"), ExportFormat.PHH) == ("", 0)
        hands = PastHands(tmp_path / "journal.sqlite", lambda: rig.hands, currency="EUR")
        trackers, left_out = hands.export_hands(HandQuery(player=player), ExportFormat.POKERSTARS)
        assert (trackers.count("(€1/€2 EUR)"), left_out) == (len(wanted), 0)
        key = VerifyKey(bytes.fromhex(next(rig.journal.read_newest_records("file")).parse_body()["device"]))
        table = rig.journal.journal_name
        for hand in exported.values():
            signed = hand["_signed"]
            statement = f"table-controller journal {table} {signed['upto']} {signed['chain']}"
            key.verify(statement.encode(), bytes.fromhex(signed["signature"]))


@pytest.mark.parametrize("seed", [2, 5])
def test_no_step_tells_a_card_that_nobody_had_seen(tmp_path: Path, seed: int) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        hidden: dict[int, set[str]] = {}

        def look(standing: TableView) -> None:
            hand = rig.loop.outcome.state.hand
            if hand is not None:
                lying = {card.card for pile in hand.cards.piles.cards_by_place.values() for card in pile if card.card}
                hidden[standing.entry] = lying - find_open_cards(rig.loop.outcome.state)

        rig.loop.subscribe(look)
        rig.live(rig.room(seed, mistakes=0.05), 110)
        rig.journal.end_run("test")
    looked_at = 0
    for hand in read_listed_hands(tmp_path):
        for step in read_steps(tmp_path / "journal.sqlite", 1, hand.hand):
            text = json.dumps(step)
            for card in hidden.get(step["entry"], ()):
                looked_at += 1
                assert f'"{card}"' not in text
    assert looked_at > 300


def test_a_step_that_was_put_right_is_struck_and_says_what_took_its_place(tmp_path: Path) -> None:
    with Rig(tmp_path, lossless=True) as rig:
        rig.live(rig.room(4), 40)
        while not rig.output["next"] or rig.output["next"][0]["step"] != "act":
            rig.live(rig.room(4), 1)
        seat = rig.output["next"][0]["seat"]
        rig.enter({"ev": "act", "seat": seat, "do": "fold"})
        wrong, number = rig.standing.entry, rig.loop.outcome.state.hand_count
        rig.loop.submit_entry(
            parse_line({"ev": "amend", "line": wrong, "to": {"ev": "act", "seat": seat, "do": "call"}}), "page"
        )
        rig.drain()
        by = rig.standing.entry
        assert rig.output["amended"]["line"] == wrong
        rig.journal.end_run("test")
    steps = {step["entry"]: step for step in read_steps(tmp_path / "journal.sqlite", 1, number)}
    assert steps[wrong]["told"] == {"ev": "act", "seat": seat, "do": "fold"}
    assert steps[wrong]["struck"] == {"now": {"ev": "act", "seat": seat, "do": "call"}, "entry": by}
    assert [entry for entry, step in steps.items() if "struck" in step] == [wrong]
    assert steps[by]["table"]["amended"]["was"] == steps[wrong]["told"]
