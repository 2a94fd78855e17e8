"""Bounties of a room's tournament, by what its tables have seen."""

import asyncio
from typing import Any

import pytest

from controller.core.tournament.tournament import TournamentError
from room.server.tournament.tournament_views import make_board_values
from room.tournament.line_handlers import fold_lines
from tests.room.event.test_story import Evening, books

WHOLE = 12 * 20_00


def find_lines(evening: Evening, word: str) -> list[dict[str, Any]]:
    lines = (line.content for line in evening.record.read_lines("event:1"))
    return [dict(what) for what in lines if what["do"] == word]


def count_bounties(evening: Evening) -> dict[str, int]:
    assert evening.event.progress is not None
    return evening.event.progress.bounty_by_player()


def test_who_has_knocked_out_whom_is_seen_at_the_table() -> None:
    """Covers: WSOP-T-39.a."""
    evening = Evening(bounty=20)
    evening.bust("a")
    (out,) = find_lines(evening, "eliminate")
    (winner,) = out["knocked_by"]
    assert evening.chairs()[winner][0] == "a"
    assert count_bounties(evening) == {winner: 20_00}


def test_no_line_names_anybody_where_no_bounty_is_played() -> None:
    evening = Evening()
    evening.bust("a")
    (out,) = find_lines(evening, "eliminate")
    assert set(out) == {"do", "player", "hand", "stack"}


def test_all_bounties_of_an_evening_are_won_or_kept() -> None:
    """Covers: WSOP-T-39.a."""
    evening = Evening(bounty=20)
    for _ in range(400):
        assert evening.event.progress is not None
        if len(evening.event.progress.remaining_players) == 1:
            break
        found = evening.desk.find_proposals(evening.now)
        if found:
            evening.confirm(found[0].line["do"])
            continue
        for name in evening.event.seat_count_by_table:
            table = evening.tables[name]
            if len(table.state()["seats"]) > 1 and not evening.desk.find_proposals(evening.now):
                if table.state()["next"]:
                    continue
                evening.bust(name)
    assert len(find_lines(evening, "eliminate")) == 11
    assert all(out["knocked_by"] for out in find_lines(evening, "eliminate"))
    assert sum(count_bounties(evening).values()) == WHOLE
    assert fold_lines(evening.record.read_lines("event:1"), books) == evening.event


@pytest.mark.parametrize("is_reopened", [True, False])
@pytest.mark.parametrize("by_tables", [True, False])
def test_a_hand_that_ends_otherwise_since_gives_the_bounty_to_another(*, by_tables: bool, is_reopened: bool) -> None:
    """Covers: WSOP-T-39.a."""
    evening = Evening(bounty=20, by_tables=by_tables)
    evening.bust("a")
    if not by_tables:
        evening.confirm("eliminate")
    (out,) = find_lines(evening, "eliminate")
    assert count_bounties(evening) == {out["knocked_by"][0]: 20_00}
    shown = evening.tables["a"].state()
    others = [seat["player"] for seat in shown["seats"] if seat["player"] not in out["knocked_by"]]
    seat = next(seat["seat"] for seat in shown["seats"] if seat["player"] == others[0])
    evening.now += 1
    if is_reopened:
        back = {"seat": shown["out"][0]["seat"], "player": out["player"], "stack": 0}
        reopened = {**shown, "phase": "showdown", "next": [{"step": "award"}], "seats": [*shown["seats"], back]}
        evening.desk.receive_state("a", {key: reopened[key] for key in reopened if key != "out"}, evening.now)
    evening.desk.receive_state("a", {**shown, "out": [{"seat": shown["out"][0]["seat"], "by": [seat]}]}, evening.now)
    if by_tables:
        asyncio.run(evening.desk.step(evening.now))
    else:
        (proposal,) = [one for one in evening.desk.find_proposals(evening.now) if one.line["do"] == "knockout"]
        assert "WSOP-T-39.a" in proposal.cite
        assert proposal.by_default
        evening.say(**proposal.line)
    assert count_bounties(evening) == {others[0]: 20_00}
    assert not any(one.line["do"] == "knockout" for one in evening.desk.find_proposals(evening.now))


def test_the_floor_says_otherwise_and_is_not_asked_again() -> None:
    evening = Evening(bounty=20)
    evening.bust("a")
    (out,) = find_lines(evening, "eliminate")
    other = evening.event.seating_at("b")[1]
    evening.say(do="knockout", player=out["player"], knocked_by=[other, out["knocked_by"][0]], shares=[1, 3])
    evening.settle(3)
    assert count_bounties(evening) == {other: 5_00, out["knocked_by"][0]: 15_00}
    with pytest.raises(TournamentError, match="`knockout` wants `by`"):
        evening.say(do="knockout", player=out["player"])
    evening.say(do="knockout", player=out["player"], knocked_by=[])
    assert count_bounties(evening) == {}


def test_a_marker_is_the_prize_pools() -> None:
    """Covers: WSOP-T-39.a#without."""
    evening = Evening(bounty=20)
    assert evening.event.progress is not None
    before = evening.event.progress.split_purse()[0]
    evening.say(do="marker", player="P3")
    assert evening.event.progress.split_purse()[0] == before + 20_00


@pytest.mark.parametrize(
    "out", [[{"seat": 1}], [{"by": [2]}], 7, [7], [{"seat": "x", "by": [2]}], [{"seat": 1, "by": 3}]]
)
def test_a_table_that_shows_nonsense_of_who_is_out_is_passed_over(out: object) -> None:
    evening = Evening(bounty=20)
    assert not evening.desk.receive_state("a", {**evening.tables["a"].state(), "out": out}, evening.now)


def test_a_table_that_names_an_empty_chair_leaves_it_to_the_director() -> None:
    evening = Evening(bounty=20)
    shown = evening.tables["a"].state()
    assert evening.desk.receive_state("a", {**shown, "out": [{"seat": 1, "by": [9]}]}, evening.now)
    assert not evening.desk.view_by_table["a"].knockout_by_seat


def test_who_bought_in_again_and_is_out_again_has_a_bounty_that_nobody_has_been_named_for() -> None:
    evening = Evening(bounty=20, by_tables=False)
    evening.say(do="eliminate", player="P3", hand=1, stack=2000, knocked_by="P1")
    shown = make_board_values(evening.event, evening.now)["event"]
    assert shown["knockouts"] == [{"player": "P3", "knocked_by": ["P1"]}]
    evening.say(do="rebuy", player="P3", amount=50, seat=list(evening.event.freed_seats[0]))
    evening.say(do="eliminate", player="P3", hand=2, stack=2000)
    shown = make_board_values(evening.event, evening.now)["event"]
    assert (shown["knockouts"], shown["bounties"]) == ([{"player": "P3"}], {"P1": 20_00})
    evening.say(do="reinstate", player="P3", seat=list(evening.event.freed_seats[0]))
    assert count_bounties(evening) == {"P1": 20_00}
