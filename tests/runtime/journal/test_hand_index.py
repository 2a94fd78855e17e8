"""The list of hands beside the journal: whole after every clean end, never trusted after another, bounded, searched."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture
from starlette.applications import Starlette

from controller.app.table.past_hands import PastHands
from controller.core.engine.amendments.hand_history import HandHistory
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableStage
from controller.core.values.value import replace as replace_value
from controller.runtime.journal import hand_index
from controller.runtime.journal.hand_index import (
    HAND_INDEX_FILE,
    MAX_MATCHES,
    MAX_SEARCHED_HANDS,
    HandIndex,
    HandQuery,
    HandRow,
)
from controller.web.pages.hands_page import HandsPage
from tests.records.simulated import Room
from tests.web.test_pages import Client

HANDS = 9_000
MAX_SEARCH_S = 0.05


def row(number: int, session: int = 1, **more: Any) -> HandRow:  # noqa: ANN401 - fields of the row
    known = HandRow(session, number, f"2026-11-{1 + number % 28:02}T20:00:00.000+00:00", over=True, game="holdem")
    return replace(known, **{"players": ("Ann", f"Guest {number % 97}"), "dealers": ("Ada",), **more})


def make_hand_index(path: Path, rows: list[HandRow]) -> HandIndex:
    index = HandIndex(path, 1, 0)
    index.add_missing_hands(rows)
    return index


def numbers(index: HandIndex, **wanted: str) -> list[int]:
    """All that is found, look by look."""
    found, further = [], None
    while True:
        looked = index.find(HandQuery(**wanted), further)
        assert len(looked.hands) <= MAX_MATCHES
        found += [each.hand for each in looked.hands]
        further = looked.next_before
        if further is None:
            return found


@pytest.fixture(scope="module")
def long_index(tmp_path_factory: pytest.TempPathFactory) -> HandIndex:
    rare: dict[int, dict[str, Any]] = {
        17: {"players": ("Zoë",)},
        8_000: {"findings": ("boxed-card",), "clauses": ("R7-3.irreg.4",), "rulings": 1},
    }
    rows = [row(number, **rare.get(number, {})) for number in range(1, HANDS + 1)]
    return make_hand_index(tmp_path_factory.mktemp("list") / HAND_INDEX_FILE, rows)


def test_each_look_at_a_long_list_is_short_whatever_is_looked_for(long_index: HandIndex, tmp_path: Path) -> None:
    page = HandsPage(PastHands(tmp_path / "there is no journal", lambda: long_index))
    client = Client(Starlette(routes=page.make_routes()))
    client.get("/hands/list")
    for asked in ("", "?player=nobody", "?player=zo%C3%AB&dealer=ada", "?since=2026-11-03T00:00Z"):
        spent = []
        for _ in range(5):  # the least of them: whatever else the machine does only adds
            began = time.process_time()
            answer = client.get(f"/hands/list{asked}").json()
            spent.append(time.process_time() - began)
        assert min(spent) <= MAX_SEARCH_S, asked
        assert len(answer["hands"]) <= MAX_MATCHES
    answer = client.get("/hands/list?player=nobody").json()
    assert (answer["hands"], answer["further"]) == ([], f"1-{HANDS - MAX_SEARCHED_HANDS + 1}")


def test_hands_are_found_by_player_dealer_ruling_clause_and_day(long_index: HandIndex) -> None:
    assert numbers(long_index, player="zoë") == numbers(long_index, player="ZOË") == [17]
    assert numbers(long_index, ruling="boxed card") == numbers(long_index, ruling="R7-3.irreg") == [8_000]
    assert numbers(long_index, ruling="boxed-card", player="Zoë") == []
    assert numbers(long_index, dealer="Bo") == []
    day = numbers(long_index, since="2026-11-05T00:00", until="2026-11-06T00:00")
    assert day == [number for number in range(HANDS, 0, -1) if number % 28 == 4]
    assert numbers(long_index) == list(range(HANDS, 0, -1))


def test_what_is_no_search_is_refused_with_what_would_be_right(long_index: HandIndex, tmp_path: Path) -> None:
    page = HandsPage(PastHands(tmp_path / "there is no journal", lambda: long_index))
    client = Client(Starlette(routes=page.make_routes()))
    for asked, named in (
        ("?card=As", "card"), ("?since=soon", "ISO 8601"), ("?before=3", "3-17"), ("?before=%C2%B2-1", "3-17"),
        ("?player=" + "x" * 101, "100"), ("?before=9999999999999999-1", "3-17"),
    ):  # fmt: skip
        answer = client.get(f"/hands/list{asked}")
        assert answer.status_code == 400
        assert named in answer.json()["message"]


def test_the_list_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_index, "MAX_HANDS", 300)
    index = make_hand_index(tmp_path / HAND_INDEX_FILE, [row(number) for number in range(1, 2001)])
    assert numbers(index)[0] == 2000
    assert 300 <= len(numbers(index)) <= 300 + hand_index.PRUNE_INTERVAL_HANDS


class IndexedTable:
    """A table whose hands are taken by an index."""

    def __init__(self, path: Path, entry: int = 0) -> None:
        seats = [{"seat": seat, "player": f"Player {seat}", "stack": 100} for seat in (1, 2, 4)]
        betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
        table = {"rulebook": "roberts-7", "game": "holdem", "betting": betting, "button": 1, "seats": seats}
        self.room = Room(3, **table)
        self.index = HandIndex(path, 1, entry)

    def hand(self, by: dict[str, object] | None = None) -> None:
        self.room.start()
        while self.room.table.outcome.plan:
            self.index_last_entry(by)
            self.room.move()
        self.index_last_entry(by)

    def index_last_entry(self, by: dict[str, object] | None = None) -> None:
        self.index.on_entry(self.room.entry, self.room.table.outcome, self.room.table.history, by=by)


def test_a_clean_end_leaves_the_list_whole_and_any_other_does_not(tmp_path: Path) -> None:
    played = IndexedTable(tmp_path / HAND_INDEX_FILE)
    played.hand({"role": "dealer", "name": "Ada"})
    assert not HandIndex(tmp_path / HAND_INDEX_FILE, 1, played.room.entry).is_complete, "it was not closed"
    played.hand()
    last, rows = played.room.entry, played.index.find(HandQuery()).hands
    played.index.close()
    again = HandIndex(tmp_path / HAND_INDEX_FILE, 1, last)
    assert again.is_complete
    assert again.find(HandQuery()).hands == rows
    assert [(each.hand, each.dealers) for each in rows] == [(2, ()), (1, ("Ada",))]
    assert not HandIndex(tmp_path / HAND_INDEX_FILE, 1, last + 1).is_complete, "an entry is missing"


def test_a_hand_that_is_on_is_in_the_list_and_goes_on_after_a_clean_end(tmp_path: Path) -> None:
    played = IndexedTable(tmp_path / HAND_INDEX_FILE)
    played.room.start()
    played.index_last_entry({"role": "dealer", "name": "Ada"})
    on = played.index.find(HandQuery()).hands
    assert [(each.hand, each.over, each.rulings) for each in on] == [(1, False, 0)]
    played.index.close()
    played.index = HandIndex(tmp_path / HAND_INDEX_FILE, 1, played.room.entry)
    while played.room.table.outcome.plan:
        played.room.move()
        played.index_last_entry({"role": "dealer", "name": "Bo"})
    over = played.index.find(HandQuery()).hands[0]
    assert (over.over, over.began, over.dealers) == (True, on[0].began, ("Ada", "Bo"))


def test_a_hand_that_is_taken_up_again_is_no_longer_over(tmp_path: Path) -> None:
    played = IndexedTable(tmp_path / HAND_INDEX_FILE)
    played.hand()
    played.room.say(ev="undo")
    played.index_last_entry()
    assert [each.over for each in played.index.find(HandQuery()).hands] == [False]


def test_a_damaged_list_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / HAND_INDEX_FILE
    for content in (b"", b"no database", b"\xff\x00" * 5000):
        path.write_bytes(content)
        index = HandIndex(path, 1, 3)
        assert (index.is_complete, index.recover_last_indexed_entry()) == (False, 0)
        index.add_missing_hands([row(1)])
        assert numbers(index) == [1]
        index.close()
    path.write_bytes(path.read_bytes().replace(b"tablehandhand", b"table\xff\xfe\xfd\xfchand"))  # the schema is no text
    index = HandIndex(path, 1, 3)
    assert index.recover_last_indexed_entry() == 0
    index.close()
    index = make_hand_index(path, [row(number) for number in range(1, 2000)])
    index.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:20_000] + b"\x07" * 40_000 + whole[60_000:])
    index = HandIndex(path, 1, 9)
    assert index.recover_last_indexed_entry() == 0
    assert numbers(index) == []


def test_what_is_told_of_a_hand_that_was_over_meanwhile_leaves_it_its_end(tmp_path: Path) -> None:
    index = HandIndex(tmp_path / HAND_INDEX_FILE, 1, 30)
    assert not index.is_complete
    played = IndexedTable(tmp_path / "other")
    played.index = index
    played.hand()
    early = HandRow(1, 1, "2020-01-01T00:00:00.000+00:00", dealers=("Ada",))
    index.add_missing_hands([early, replace(early, over=True, game="told")])
    rows = index.find(HandQuery()).hands
    assert [(each.began[:4], each.dealers, each.game) for each in rows] == [("2020", ("Ada",), "no-limit holdem")]
    assert index.is_complete


def test_a_list_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    played = IndexedTable(tmp_path / "no such directory" / HAND_INDEX_FILE)
    played.hand()
    assert len(played.index.find(HandQuery()).hands) == 1
    played.index.close()


def test_a_hand_whose_beginning_is_out_of_reach_is_left_to_the_journal(tmp_path: Path) -> None:
    index = HandIndex(tmp_path / HAND_INDEX_FILE, 1, 0)
    played = IndexedTable(tmp_path / "other")
    played.index = index
    played.room.start()
    played.index_last_entry()
    ended = Outcome(replace_value(played.room.table.outcome.state, hand=None, stage=TableStage.RESTING))
    index.on_entry(played.room.entry, ended, HandHistory(ended.state, 1))
    assert (index.is_complete, index.missing_until_entry) == (False, played.room.entry)


def test_a_record_that_cannot_be_made_stops_no_table(tmp_path: Path, mocker: MockerFixture) -> None:
    played = IndexedTable(tmp_path / HAND_INDEX_FILE)
    mocker.patch.object(hand_index, "find_finished_record", side_effect=AssertionError("a card"))
    played.hand()
    assert (played.index.is_complete, played.index.find(HandQuery()).hands) == (False, ())


def test_what_nobody_can_tell_is_asked_for_once_a_start(tmp_path: Path) -> None:
    index = HandIndex(tmp_path / HAND_INDEX_FILE, 1, 30)
    index.abandon_missing_hands()
    assert index.is_complete
    index.close()
    assert not HandIndex(tmp_path / HAND_INDEX_FILE, 1, 30).is_complete


def test_rows_of_another_program_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    index = make_hand_index(tmp_path / HAND_INDEX_FILE, [row(1), row(2), row(3)])
    index._db.execute("UPDATE hand SET row = json_set(row, '$.later', 7) WHERE number = 2")
    index._db.execute("UPDATE hand SET row = '[' WHERE number = 3")
    assert numbers(index) == [2, 1]
    index.add_missing_hands([row(3)])
    assert numbers(index) == [3, 2, 1]
