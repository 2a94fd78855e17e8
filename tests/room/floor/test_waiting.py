"""Waiting lists: nobody twice, order kept, pages that run out, must-move by time, and everything bounded."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from room.floor import waiting_lists
from room.floor.waiting_lists import (
    MAX_LISTS,
    MAX_SEATED,
    MAX_WAITING,
    PAGE_TIMEOUT_S,
    WaitingLists,
    apply_waiting_line,
)
from room.record.room_record import RecordLine

LIST: dict[str, Any] = {"do": "list", "list": "1/3", "game": "holdem", "stakes": [1, 3]}


class Day:
    """Lists of a day, and a clock that goes when the test says so."""

    def __init__(self) -> None:
        self.lists, self.now, self.number = WaitingLists(), 1000.0, 0

    def say(self, do: str, **what: Any) -> str:  # noqa: ANN401
        word = {"do": do, **what}
        why = self.lists.find_refusal(word)
        self.number += 1
        self.lists = apply_waiting_line(self.lists, RecordLine("waiting:day", self.number, self.now, "Bo", word))
        return why

    def list_waiting_players(self, name: str = "1/3") -> list[str]:
        return [waits.player for waits in self.lists.list_by_name[name].waiting_players]


def day(*players: str) -> Day:
    found = Day()
    found.say(**LIST)
    for player in players:
        found.now += 1
        assert found.say("join", list="1/3", player=player) == ""
    return found


def test_without_a_table_a_list_is_one_of_interest_and_keeps_its_order() -> None:
    it = day("Ana", "Ben")
    assert it.lists.is_interest_list("1/3")
    assert "no table" in it.say("page", list="1/3", player="Ana")
    it.say("open", table="table-01", list="1/3")
    assert not it.lists.is_interest_list("1/3")
    assert it.list_waiting_players() == ["Ana", "Ben"]
    assert it.say("page", list="1/3", player="Ana") == ""


def test_a_page_runs_out_to_the_bottom_and_then_off() -> None:
    it = day("Ana", "Ben")
    it.say("open", table="table-01", list="1/3")
    for left in (["Ben", "Ana"], ["Ben"]):
        it.say("page", list="1/3", player="Ana")
        assert list(it.lists.iter_late_lines(it.now + PAGE_TIMEOUT_S - 1)) == []
        it.now += PAGE_TIMEOUT_S
        for word in list(it.lists.iter_late_lines(it.now)):
            it.say(**word)
        assert it.list_waiting_players() == left
    assert list(it.lists.iter_late_lines(it.now + 9e9)) == []


def test_who_fetches_chips_keeps_the_place_and_no_time_runs_while_nobody_waits() -> None:
    it = day("Ana")
    it.say("open", table="table-01", list="1/3")
    it.say("page", list="1/3", player="Ana")
    assert it.say("chips", list="1/3", player="Ana") == ""
    assert list(it.lists.iter_late_lines(it.now + 9e9)) == []
    assert "nobody waits" in it.say("pick-up", list="1/3", player="Ana")
    it.say("join", list="1/3", player="Ben")
    assert it.list_waiting_players() == ["Ana", "Ben"]
    assert it.say("seat", list="1/3", player="Ana", table="table-01") == ""
    assert (it.list_waiting_players(), it.lists.find_table("ana")) == (["Ben"], "table-01")


@pytest.mark.parametrize(("players", "lasts_s"), [((), 300), (("Fay",), 300), (("Fay", "Gil"), 600)])
def test_a_locked_up_chair_is_picked_up_while_somebody_waits(players: tuple[str, ...], lasts_s: float) -> None:
    """In a new game after five minutes, else after ten; the second time its player is off the list.

    Covers: R7-2.proc.21
    """
    it = day("Ana", "Ben", "Cid")
    it.say("open", table="table-01", list="1/3")
    for player in players:
        it.say("sat", table="table-01", player=player)
    for left in (["Ben", "Cid", "Ana"], ["Ben", "Cid"]):
        it.say("page", list="1/3", player="Ana")
        it.now += PAGE_TIMEOUT_S - 1
        assert it.say("chips", list="1/3", player="Ana") == ""
        assert list(it.lists.iter_late_lines(it.now + lasts_s - 1)) == []
        it.now += lasts_s
        due = list(it.lists.iter_late_lines(it.now))
        assert due == [{"do": "pick-up", "list": "1/3", "player": "Ana"}]
        assert it.say(**due[0]) == ""
        assert it.list_waiting_players() == left
        assert list(it.lists.iter_late_lines(it.now + 9e9)) == []
    assert "not on list" in it.say(**due[0])


def test_only_who_was_not_called_waits_to_play() -> None:
    it = day("Ana", "Ben")
    it.say("open", table="table-01", list="1/3")
    for player in ("Ana", "Ben"):
        it.say("page", list="1/3", player=player)
        it.say("chips", list="1/3", player=player)
    assert list(it.lists.iter_late_lines(it.now + 9e9)) == []
    it.say("join", list="1/3", player="Cid")
    assert [word["player"] for word in it.lists.iter_late_lines(it.now + 9e9)] == ["Ana", "Ben"]


def test_nobody_holds_a_seat_in_two_games() -> None:
    """Refused however the name is written and whatever the list; whoever gets up may sit elsewhere.

    Covers: R7-2.seating.4, MP-2.seating.2
    """
    it = day("Ana")
    it.say("list", list="PLO", game="omaha", stakes=[2, 5])
    it.say("open", table="table-01", list="1/3")
    it.say("open", table="table-02", list="PLO")
    assert it.say("seat", list="1/3", player="Ana", table="table-01") == ""
    assert it.say("join", list="PLO", player="ana") == "", "whoever sits in a game may wait for another"
    words: list[dict[str, Any]] = [
        {"do": "seat", "list": "PLO", "player": "ana", "table": "table-02"},
        {"do": "sat", "player": "ANA", "table": "table-02"},
        {"do": "sat", "player": "Ana", "table": "table-01"},
    ]
    for word in words:
        was = it.lists
        assert it.say(**word).endswith("sits at table-01")
        assert it.lists == was
    assert it.say("left", table="table-01", player="ana") == ""
    assert it.say("seat", list="PLO", player="Ana", table="table-02") == ""
    assert it.lists.find_table("Ana") == "table-02"


def test_who_sits_longest_at_a_feeder_moves_first() -> None:
    it = day()
    it.say("open", table="table-01", list="1/3")
    it.say("open", table="table-02", list="1/3", main="table-01")
    it.say("open", table="table-03", list="1/3", main="table-01")
    for table, player in (("table-03", "Cid"), ("table-02", "Dora"), ("table-03", "Eve"), ("table-01", "Fay")):
        it.now += 10
        assert it.say("sat", table=table, player=player) == ""
    assert it.lists.list_must_moves("table-01") == [("table-03", "Cid"), ("table-02", "Dora"), ("table-03", "Eve")]
    it.say("left", table="table-03", player="Cid")
    it.say("sat", table="table-03", player="Cid")
    assert it.lists.list_must_moves("table-01")[-1] == ("table-03", "Cid"), "who gets up loses the time"
    assert "feed" in it.say("close", table="table-01")
    assert "main" in it.say("open", table="table-04", list="1/3", main="table-02")


def chairs(it: Day, table: str, *taken: Any) -> str:  # noqa: ANN401
    return it.say("chairs", table=table, places=3, taken=[list(each) for each in taken])


def test_a_tables_own_word_seats_moves_and_frees_and_the_next_is_proposed_must_move_first() -> None:
    it = day("Ana", "Ben")
    it.say("open", table="table-01", list="1/3")
    it.say("open", table="table-02", list="1/3", main="table-01")
    assert it.lists.table_by_name["table-01"].free_seat_count is None
    assert chairs(it, "table-01", (1, "Fay", None), (2, None, None), (3, "Gil", None)) == ""
    assert chairs(it, "table-02", (1, "Cid", 30.0), (2, "Dora", 20.0), (3, "Ana", None)) == ""
    assert it.list_waiting_players() == ["Ben"], "who sits at a table of the list waits no more"
    assert it.lists.list_must_moves("table-01") == [("table-02", "Dora"), ("table-02", "Cid"), ("table-02", "Ana")], (
        "by time seated"
    )
    assert it.lists.propose_seats() == []
    assert chairs(it, "table-01", (1, "Fay", None), (2, None, None)) == ""
    assert it.lists.propose_seats() == [("table-01", "table-02", "Dora")]
    assert chairs(it, "table-01", (1, "Fay", None), (2, None, None), (3, "dora", 50.0)) == ""
    assert it.lists.find_table("Dora") == "table-01"
    assert chairs(it, "table-02", (1, "Cid", 30.0), (3, "Ana", None)) == ""
    assert it.lists.propose_seats() == [("table-02", None, "Ben")]
    assert it.say("page", list="1/3", player="Ben") == ""
    assert it.say("seat", list="1/3", player="Ben", table="table-02") == ""
    assert it.lists.table_by_name["table-02"].free_seat_count == 0, "a chair is kept for who is on the way"
    assert it.lists.propose_seats() == []


def test_what_is_no_word_of_a_table_is_refused() -> None:
    it = day("Ana")
    assert "not open" in chairs(it, "table-01")
    it.say("open", table="table-01", list="1/3")
    for wrong in ((0, "Ana", None), (1, 5, None), (1, "Ana", "x"), (1, "x" * 41, None), (1, "Ana", -1)):
        assert chairs(it, "table-01", wrong), wrong
    assert "once" in chairs(it, "table-01", (1, "Ana", None), (1, "Ben", None))
    assert it.say("chairs", table="table-01", places=13, taken=[])


def test_the_board_shows_lists_by_game_and_stakes() -> None:
    it = Day()
    for name, game, stakes in (("b", "omaha", [1, 2]), ("c", "holdem", [5, 10]), ("a", "holdem", [1, 3])):
        it.say("list", list=name, game=game, stakes=stakes)
    assert [one.name for one in it.lists.sort_lists()] == ["a", "c", "b"]


def test_everything_is_bounded_and_says_so() -> None:
    it = Day()
    for number in range(MAX_LISTS):
        assert it.say("list", list=f"L{number}", game="holdem", stakes=[number]) == ""
    assert "lists" in it.say("list", list="more", game="holdem", stakes=[1])
    for number in range(MAX_WAITING):
        it.say("join", list="L0", player=f"P{number}")
    assert "wait there" in it.say("join", list="L0", player="more")
    it.say("open", table="t", list="L0")
    for number in range(MAX_SEATED):
        it.say("sat", table="t", player=f"Q{number}")
    assert "sit at t" in it.say("sat", table="t", player="more")
    assert "signs" in it.say("join", list="L1", player="x" * 41)


NAMES = st.sampled_from(["Ana", "ana ", "Ben", "Cid", "Dora"])
WORDS = st.one_of(
    st.fixed_dictionaries({"do": st.just("list"), "list": st.sampled_from(["A", "B"]), "game": st.just("holdem"),
                           "stakes": st.just([1])}),
    st.fixed_dictionaries({"do": st.sampled_from(["join", "leave", "page", "chips", "late", "pick-up"]),
                           "list": st.sampled_from(["A", "B"]), "player": NAMES}),
    st.fixed_dictionaries({"do": st.just("seat"), "list": st.sampled_from(["A", "B"]), "player": NAMES,
                           "table": st.sampled_from(["t1", "t2"])}),
    st.fixed_dictionaries({"do": st.just("open"), "table": st.sampled_from(["t1", "t2"]),
                           "list": st.sampled_from(["A", "B"]), "main": st.sampled_from([None, "t1", 3])}),
    st.fixed_dictionaries({"do": st.just("chairs"), "table": st.sampled_from(["t1", "t2"]), "places": st.just(3),
                           "taken": st.lists(st.tuples(st.integers(1, 3), NAMES.map(str.strip), st.none()).map(list),
                                             max_size=3)}),
    st.fixed_dictionaries({"do": st.sampled_from(["sat", "left", "close"]), "table": st.sampled_from(["t1", "t2"]),
                           "player": NAMES}),
    st.dictionaries(st.sampled_from(["do", "list", "player"]), st.one_of(st.none(), st.text(max_size=3)), max_size=3),
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS, max_size=40))
def test_nobody_waits_twice_or_sits_twice_and_who_is_not_moved_keeps_the_order(words: list[dict[str, Any]]) -> None:
    it = Day()
    for word in words:
        before = {name: it.list_waiting_players(name) for name in it.lists.list_by_name}
        was = it.lists
        it.now += 1
        if it.say(str(word.pop("do", "")), **word):
            assert it.lists == was, "what is refused changes nothing"
        for name, one in it.lists.list_by_name.items():
            folded = [player.casefold().strip() for player in it.list_waiting_players(name)]
            assert len(set(folded)) == len(folded)
            stayed = [player for player in before.get(name, []) if player in it.list_waiting_players(name)]
            moved = str(word.get("player"))
            keeps = [player for player in stayed if not waiting_lists._is_same_name(player, moved)]
            assert [player for player in it.list_waiting_players(name) if player in keeps] == keeps
            assert one.name == name
        seated = [
            name.casefold().strip() for table in it.lists.table_by_name.values() for name, _ in table.seated_players
        ]
        assert len(set(seated)) == len(seated)


def test_what_is_typed_wrong_is_refused_with_what_would_be_right() -> None:
    it = Day()
    for stakes in ([], [1, 2, 3, 4, 5], [-1], [True], [1.5], [10**9]):
        assert "one to four whole numbers" in it.say("list", list="1/3", game="holdem", stakes=stakes)
    for game in ("", "x" * 41):
        assert "a name and a game, each of 1 to 40" in it.say("list", list="1/3", game=game, stakes=[1])
    assert it.say("open", table="table-01", list="1-3") == "there is no list 1-3; make it first"
    assert it.say(**LIST) == ""
    assert it.say("join", list="1-3", player="Ana") == "there is no list 1-3; there is 1/3"
