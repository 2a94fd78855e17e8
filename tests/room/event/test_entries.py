"""Registration, alternates, late and second entries, eliminations: what the lines say and what is refused."""

from typing import Any

import pytest

from config import payout_file, rulebook_file, schedule_file
from controller.core.tournament.money_terms import UNSAID_TERMS, MoneyTerms, terms_to_json
from controller.core.tournament.tournament import TournamentError
from room.record.room_record import RecordLine
from room.server.tournament.tournament_views import make_account_value
from room.tournament import schedule_codec
from room.tournament.hand_for_hand import assess_round, find_next_line
from room.tournament.line_handlers import apply_tournament_line, open_tournament
from room.tournament.proposals import find_proposals, pick_newcomer_seat
from room.tournament.seat_cards import make_move_cards, make_seat_cards
from room.tournament.tournament_state import RoomTournament
from room.tournament.tournament_table_view import TournamentTableView


def books(name: str) -> Any:  # noqa: ANN401 - the rules of a book
    return rulebook_file.load_rulebook(name).tournament


def make_tournament(capacity: int = 4, **more: Any) -> RoomTournament:  # noqa: ANN401 (keys of the line)
    what = {
        "do": "open",
        "title": "Evening",
        "rulebook": "tda-2024",
        "schedule": schedule_codec.to_json(schedule_file.load_schedule("T2000")),
        "buy_in": 50,
        "stack": 2000,
        "capacity": capacity,
        "tables": [{"name": "a", "places": 3}, {"name": "b", "places": 3}],
        "late_levels": 2,
        **more,
    }
    return open_tournament(RecordLine("event:1", 1, 100.0, "Dee", what), books)


def apply_line(event: RoomTournament, at: float = 100.0, **what: Any) -> RoomTournament:  # noqa: ANN401 (JSON)
    return apply_tournament_line(event, RecordLine("event:1", event.line_number + 1, at, "Dee", what))


def start_tournament(*players: str, capacity: int = 4, **more: Any) -> RoomTournament:  # noqa: ANN401 (keys of the line)
    event = make_tournament(capacity, **more)
    for player in players:
        event = apply_line(event, do="register", player=player)
    event = apply_line(event, do="draw", draw=[0, 3, 1, 4, 2, 5])
    return apply_line(event, do="start")


def test_who_finds_the_event_full_is_an_alternate_and_enters_in_order() -> None:
    event = start_tournament("Ana", "Ben", "Cem", "Dan", "Eve", "Fay")
    assert event.alternates == ("Eve", "Fay")
    with pytest.raises(TournamentError, match="Eve is the next alternate"):
        apply_line(event, do="late-entry", player="Fay", seat=["a", 3])
    with pytest.raises(TournamentError, match="full with 4 players"):
        apply_line(event, do="late-entry", player="Eve", seat=["a", 3])
    where = event.seat_by_player["Ben"]
    event = apply_line(event, do="eliminate", player="Ben", hand=1, stack=2000)
    found = find_proposals(event, {}, 100.0)
    assert [one.line for one in found] == [{"do": "late-entry", "player": "Eve", "seat": list(where)}]
    event = apply_line(event, **found[0].line)
    assert event.seat_by_player["Eve"] == where
    assert event.alternates == ("Fay",)
    assert [dict(duty.script_line) for duty in event.instruction_by_number.values()][-1] == {
        "ev": "sit", "seat": where[1], "player": "Eve", "stack": 2000,
    }  # fmt: skip


def test_before_the_start_an_alternate_takes_the_place_of_who_withdraws() -> None:
    event = make_tournament(2)
    for player in ("Ana", "Ben", "Cem"):
        event = apply_line(event, do="register", player=player)
    event = apply_line(event, do="draw", draw=[0, 3, 1, 4, 2, 5])
    seat = event.seat_by_player["Ana"]
    event = apply_line(event, do="withdraw", player="Ana")
    assert event.registered_players == ("Ben", "Cem")
    assert event.seat_by_player["Cem"] == seat


def test_nobody_enters_after_the_last_level_for_it() -> None:
    event = start_tournament("Ana", "Ben", "Cem")
    seat = pick_newcomer_seat(event, 12345)
    assert seat is not None
    assert seat[0] == min("ab", key=lambda name: len(event.seating_at(name)))
    assert "Eve" in apply_line(event, do="late-entry", player="Eve", seat=list(seat)).seat_by_player
    with pytest.raises(TournamentError, match="until the end of level 2"):
        apply_line(event, at=100.0 + 61 * 60, do="late-entry", player="Eve", seat=list(seat))


def test_who_is_out_enters_again_as_another_participant() -> None:
    event = apply_line(start_tournament("Ana", "Ben", "Cem"), do="eliminate", player="Ben", hand=1, stack=2000)
    event = apply_line(event, do="re-entry", player="Ben", seat=list(event.freed_seats[0]))
    assert "Ben (2)" in event.seat_by_player
    assert event.freed_seats == ()
    assert event.progress is not None
    assert event.progress.entrants[-1] == "Ben (2)"


def test_an_elimination_that_was_a_mistake_is_taken_back() -> None:
    event = start_tournament("Ana", "Ben", "Cem", bounty=10)
    seat = event.seat_by_player["Ben"]
    event = apply_line(event, do="eliminate", player="Ben", hand=1, stack=2000, knocked_by="Ana")
    assert event.progress is not None
    assert event.progress.bounty_by_player() == {"Ana": 1000}
    event = apply_line(event, do="reinstate", player="Ben", seat=list(seat))
    assert event.progress is not None
    assert event.progress.eliminations == ()
    assert event.progress.bounty_by_player() == {}
    assert event.seat_by_player["Ben"] == seat


def test_who_is_disqualified_is_taken_from_the_table() -> None:
    event = apply_line(
        start_tournament("Ana", "Ben", "Cem"), do="eliminate", player="Ben", hand=1, stack=2000, disqualified=True
    )
    assert dict(list(event.instruction_by_number.values())[-1].script_line)["ev"] == "leave"


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ({"do": "fly"}, "`do` cannot be 'fly'"),
        ({"do": "register", "player": "Ana"}, "Ana is registered"),
        ({"do": "register", "player": "\n"}, "a text of 1 to 80 letters"),
        ({"do": "move", "moves": [["Ana", "c", 1]]}, "no seat 1 at table c"),
        ({"do": "move", "moves": [["Zed", "a", 1]]}, "Zed has no seat"),
        ({"do": "move", "moves": "Ana"}, "a list of"),
        ({"do": "move", "moves": [["Ana"]]}, "is not as it must be"),
        ({"do": "break", "table": "a", "moves": [["Ben", "b", 3]]}, "all of table a move"),
        ({"do": "break", "table": "z", "moves": []}, "table z cannot break"),
        ({"do": "redraw", "tables": ["a"], "draw": [0, 0]}, "each number from 0"),
        ({"do": "go", "hands": {}}, "do not play hand for hand"),
        ({"do": "entered", "duty": 99}, "nothing open under number 99"),
        ({"do": "eliminate", "player": "Zed", "hand": 1}, "does not play any more"),
        ({"do": "pay", "player": "Ana"}, "no prize to be paid"),
        ({"do": "tell", "tables": ["z"], "lines": [{"ev": "halt"}]}, "`tell` has `tables` in play"),
        ({"do": "late-entry", "player": "Eve", "seat": ["a", 99]}, "a table in play"),
        ({"do": "start"}, "the event has started"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(what: dict[str, Any], why: str) -> None:
    with pytest.raises(TournamentError, match=why):
        apply_line(start_tournament("Ana", "Ben", "Cem"), **what)


def test_go_is_refused_while_a_table_has_not_done_its_hand() -> None:
    event = apply_line(start_tournament("Ana", "Ben", "Cem", "Dan"), do="hand-for-hand", on=True)
    for duty in list(event.instruction_by_number.values()):
        what: dict[str, Any] = {"do": "asked", "duty": duty.number, "seen": 1, "hand": 4, "idle": False}
        event = apply_line(apply_line(event, **what), do="entered", duty=duty.number, entry=2)
    with pytest.raises(TournamentError, match="hand 1 is not over at 1 table: b"):
        apply_line(event, do="go", hands={"a": 4, "b": 3})
    event = apply_line(apply_line(event, do="hand-done", table="b"), do="go", hands={"a": 4, "b": 3})
    assert event.current_round is not None
    assert event.current_round.number == 2


def test_slips_say_who_sits_where_and_who_moves() -> None:
    event = start_tournament("Ana", "Ben", "Cem")
    table, seat = event.seat_by_player["Ana"]
    assert f"Ana\nTable {table}   Seat {seat}\n2,000 chips" in make_seat_cards(event)[0].render_text()
    event = apply_line(event, do="move", moves=[["Ana", "b" if table == "a" else "a", 3]])
    assert f"from table {table}, seat {seat}" in make_move_cards(event, event.moves[-1:])[0].render_text()


@pytest.mark.parametrize(
    ("book", "places"),
    [
        ("wsop-2024", {"Ben": (3, 2), "Cem": (3, 2)}),
        ("roberts-7", {"Ben": (4, 1), "Cem": (3, 1)}),
        ("tda-2024", {"Ben": (3, 2), "Cem": (3, 2)}),
    ],
)
def test_two_out_on_one_hand_of_two_tables_are_placed_by_the_book(
    book: str, places: dict[str, tuple[int, int]]
) -> None:
    """The book's word: they tie (WSOP 126 b), share the place (TDA RP-8 A), or the larger stack is higher (R7 35).

    Covers: WSOP-T-126.b TDA-RP-8-A
    """
    event = start_tournament("Ana", "Ben", "Cem", "Dan", rulebook=book)
    assert event.seat_by_player["Ben"][0] != event.seat_by_player["Cem"][0]
    event = apply_line(event, do="hand-for-hand", on=True)
    event = apply_line(event, do="eliminate", player="Ben", hand=7, stack=900)
    event = apply_line(event, do="eliminate", player="Cem", hand=31, stack=1100)
    assert event.progress is not None
    assert {one.player: (one.place, one.tied_count) for one in event.progress.finishes()} == places


def test_an_all_in_hand_of_a_table_that_breaks_is_turned_up() -> None:
    """Hand for hand it waits with its hands face down, as at any table: nobody could ever leave it otherwise."""
    event = apply_line(start_tournament("Ana", "Ben", "Cem"), do="hand-for-hand", on=True)
    (duty,) = (number for number, one in event.instruction_by_number.items() if one.event_name == "hand-for-hand")
    event = apply_line(event, do="asked", duty=duty, seen=1, hand=4, idle=False)
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="entered", duty=number, entry=2)
    event = apply_line(event, do="break", table="a", moves=[["Ana", "b", 2], ["Cem", "b", 3]])
    plays, holds = TournamentTableView(9, 4, False, False, {}), TournamentTableView(9, 4, False, True, {})
    assert assess_round(event, {"a": plays}).unfinished_tables == ("a",), "b has one player yet, who waits for theirs"
    for number in [
        one.number
        for one in event.instruction_by_number.values()
        if one.table == "b" and one.event_name == "hand-for-hand"
    ]:
        event = apply_line(event, do="entered", duty=number, entry=2)
    assert find_next_line(event, {"a": holds}) == {"do": "turn-up", "tables": ["a"]}
    event = apply_line(event, do="turn-up", tables=["a"])
    assert [one.table for one in event.instruction_by_number.values() if one.script_line.get("go")] == ["a"]
    assert assess_round(event, {"a": TournamentTableView(20, 4, True, True, {})}).unfinished_tables == (), (
        "its players may leave"
    )


def test_an_all_in_hand_waits_for_no_table_that_is_halted_for_its_players() -> None:
    """It begins its hand of the round when they have come, and they come when theirs is over."""
    event = start_tournament("Ana", "Ben", "Cem", "Dan", "Eve", capacity=6)
    event = apply_line(event, do="hand-for-hand", on=True)
    for number, duty in list(event.instruction_by_number.items()):
        if duty.event_name == "hand-for-hand":
            idle = duty.table == "b"
            event = apply_line(event, do="asked", duty=number, seen=1, hand=4, idle=idle)
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="entered", duty=number, entry=2)
    all_in = TournamentTableView(9, 4, False, True, {})
    assert find_next_line(event, {"a": all_in, "b": TournamentTableView(9, 4, True, True, {})}) is None, (
        "b has a hand to play"
    )
    event = apply_line(event, do="redraw", tables=["a", "b"], draw=[5, 4, 3, 2, 1, 0])
    assert find_next_line(event, {"a": all_in, "b": TournamentTableView(9, 5, False, False, {})}) is None, (
        "b is in its hand"
    )
    found = find_next_line(event, {"a": all_in, "b": TournamentTableView(9, 4, True, True, {})})
    assert found == {"do": "turn-up", "tables": ["a"]}
    done = TournamentTableView(20, 4, True, True, {})
    assert find_next_line(event, {"a": done, "b": TournamentTableView(9, 4, True, True, {})}) is None


def lines_told(event: RoomTournament, table: str) -> list[Any]:
    return [
        one.script_line
        for one in event.instruction_by_number.values()
        if one.table == table and one.event_name == "hand-for-hand"
    ]


def test_a_table_that_has_players_again_plays_hand_for_hand_with_the_others() -> None:
    """A newcomer makes two of one: without a word of it that table would deal on while the others wait."""
    event = apply_line(start_tournament("Ana", "Ben", "Cem"), do="hand-for-hand", on=True)
    assert lines_told(event, "b") == [], "Ben sits there alone"
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="asked", duty=number, seen=1, hand=4, idle=False)
        event = apply_line(event, do="entered", duty=number, entry=2)
    event = apply_line(apply_line(event, do="register", player="Dan"), do="late-entry", player="Dan", seat=["b", 3])
    off, on = {"ev": "hand-for-hand", "on": False}, {"ev": "hand-for-hand", "on": True}
    assert lines_told(event, "b") == [off, on], "whatever it waited for is over"
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="entered", duty=number, entry=3)
    with pytest.raises(TournamentError, match="hand 1 is not over at 1 table: b"):
        apply_line(event, do="go", hands={"a": 4, "b": 3})


def test_a_table_whose_last_but_one_leaves_holds_nobody_up_and_is_told_when_it_is_over() -> None:
    event = apply_line(start_tournament("Ana", "Ben", "Cem", "Dan"), do="hand-for-hand", on=True)
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="asked", duty=number, seen=1, hand=4, idle=True)
        event = apply_line(event, do="entered", duty=number, entry=2)
    event = apply_line(event, do="move", moves=[["Dan", "a", 3]])
    assert event.seat_by_player["Dan"][0] == "a"
    for number in list(event.instruction_by_number):
        event = apply_line(event, do="entered", duty=number, entry=3)
    done, still = TournamentTableView(20, 5, True, True, {}), TournamentTableView(9, 4, True, False, {})
    go = find_next_line(event, {"a": done, "b": still})
    assert go == {"do": "go", "hands": {"a": 5}}, "one player alone deals no hand"
    event = apply_line(event, **go)
    assert lines_told(event, "b") == []
    event = apply_line(event, do="hand-for-hand", on=False)
    assert lines_told(event, "b") == [{"ev": "hand-for-hand", "on": False}]


MONEY = terms_to_json(MoneyTerms(payout_file.load_payouts("standard"), fee=5, staff_tenths=20))


def play_out(event: RoomTournament) -> RoomTournament:
    """All but the first go out."""
    for number, player in enumerate(event.active_players[1:], start=1):
        event = apply_line(
            event, do="eliminate", player=player, hand=number, stack=2000, knocked_by=event.active_players[0]
        )
    return event


def test_an_event_that_says_its_money_has_an_account_and_closes_when_it_comes_out() -> None:
    """Three at 50 + 5: 2 % of 150 for the staff, 147 for the first; a bounty that nobody has keeps it open."""
    event = start_tournament("Ana", "Ben", "Cem", bounty=10, **MONEY)
    assert make_account_value(event) | {"cite": ""} == {
        "taken": {"buy-in": 150, "fee": 15, "bounty": 30}, "paid": {}, "kept": {"fee": 15, "staff": 3}, "carried": {},
        "difference": 177, "uncollected": 0, "structure": "One in eight", "cite": "",
    }  # fmt: skip
    over = play_out(event)
    assert make_account_value(over)["paid"] == {"prize": 147, "bounty": 30}
    assert (make_account_value(over)["difference"], make_account_value(over)["uncollected"]) == (0, 147)
    paid = apply_line(apply_line(over, do="pay", player="Ana"), do="close")
    assert (paid.closed_by, make_account_value(paid)["uncollected"]) == ("Dee", 0)
    silent = apply_line(event, do="eliminate", player="Cem", hand=1, stack=2000)
    silent = apply_line(silent, do="eliminate", player="Ben", hand=2, stack=2000, knocked_by="Ana")
    for word in ("pay", "close"):
        with pytest.raises(TournamentError, match="10 were taken in and go to nobody; bounties of 10 have nobody"):
            apply_line(silent, do=word, player="Ana")


def test_an_event_of_an_older_version_closes_as_it_did() -> None:
    """Its line says nothing of the money: a tenth, the club's table, and no account."""
    event = start_tournament("Ana", "Ben", "Cem", bounty=10)
    assert event.terms == UNSAID_TERMS
    over = event
    for number, player in enumerate(("Ben", "Cem"), start=1):
        over = apply_line(over, do="eliminate", player=player, hand=number, stack=2000)
    assert over.progress is not None
    assert (over.progress.split_purse(), over.progress.prizes()) == ((135_00, 15_00), (135_00,))
    assert make_account_value(over) == {}
    assert apply_line(apply_line(over, do="pay", player="Ana"), do="close").closed_by == "Dee"
    assert apply_line(event, do="close", abandon=True).closed_by == "Dee"


def test_an_event_that_is_broken_off_pays_back_what_was_taken_in() -> None:
    event = start_tournament("Ana", "Ben", "Cem", **MONEY)
    off = apply_line(event, do="close", abandon=True)
    assert make_account_value(off)["paid"] == {"refund": 165}
    assert (make_account_value(off)["kept"], make_account_value(off)["difference"]) == ({}, 0)
    with pytest.raises(TournamentError, match="was broken off"):
        apply_line(off, do="pay", player="Ana")
    many = make_tournament(6, **MONEY)
    for player in ("Ana", "Ben", "Cem", "Dan", "Eve"):
        many = apply_line(many, do="register", player=player)
    many = apply_line(apply_line(many, do="draw", draw=[0, 3, 1, 4, 2, 5]), do="start")
    for number, player in enumerate(("Eve", "Dan", "Cem"), start=1):
        many = apply_line(many, do="eliminate", player=player, hand=number, stack=2000)
    two = apply_line(many, do="eliminate", player="Ben", hand=9, stack=2000)
    paid = apply_line(two, do="pay", player="Ben")
    back = apply_line(paid, do="reinstate", player="Ben", seat=list(paid.open_seats()[0]))
    with pytest.raises(TournamentError, match="Ben has been paid out; what is left is shared by a deal"):
        apply_line(back, do="close", abandon=True)


def test_a_prize_that_changed_since_it_was_paid_is_brought_to_what_is_won() -> None:
    """The second of five was the mistake: Ana goes out instead, and Ben gives back 85 for the first place's 160."""
    event = make_tournament(6, **MONEY)
    for player in ("Ana", "Ben", "Cem", "Dan", "Eve"):
        event = apply_line(event, do="register", player=player)
    event = play_out(apply_line(apply_line(event, do="draw", draw=[0, 3, 1, 4, 2, 5]), do="start"))
    second = event.progress.finishes()[1] if event.progress else None
    assert (second.player, second.prize_cents) == ("Eve", 85_00) if second else False
    paid = apply_line(event, do="pay", player="Eve")
    assert make_account_value(paid)["uncollected"] == 160
    back = apply_line(paid, do="reinstate", player="Eve", seat=list(paid.open_seats()[0]))
    back = apply_line(back, do="eliminate", player="Ana", hand=9, stack=2000, knocked_by="Eve")
    with pytest.raises(TournamentError, match="Eve has been paid 85 and has won 160"):
        apply_line(back, do="close")
    assert not back.is_paid_out("Eve", 160_00)
    right = apply_line(back, do="pay", player="Eve")
    with pytest.raises(TournamentError, match="no prize to be paid"):
        apply_line(right, do="pay", player="Eve")
    closed = apply_line(right, do="close")
    assert (make_account_value(closed)["uncollected"], make_account_value(closed)["difference"]) == (85, 0)


def test_a_deal_ends_an_event_and_a_refunded_player_leaves() -> None:
    event = start_tournament("Ana", "Ben", "Cem", "Dan", **MONEY)
    table, seat = event.seat_by_player["Dan"]
    less = apply_line(event, do="refund", player="Dan")
    assert "Dan" not in less.seat_by_player
    assert (table, seat) in less.freed_seats
    assert [one.script_line for one in less.instruction_by_number.values() if one.event_name == "leave"] == [
        {"ev": "leave", "seat": seat}
    ]
    assert make_account_value(less)["paid"] == {"refund": 55}
    with pytest.raises(TournamentError, match="147 of prizes are left; the shares come to 1 less"):
        apply_line(less, do="deal", shares={"Ana": 100, "Ben": 40, "Cem": 6})
    over = apply_line(less, do="deal", shares={"Ana": 100, "Ben": 40.5, "Cem": 6.5})
    assert over.is_over
    assert over.progress is not None
    assert over.progress.clock.running_since_s is None
    assert make_account_value(over)["difference"] == 0
    assert apply_line(apply_line(over, do="pay", player="Cem"), do="close").closed_by == "Dee"
    out = apply_line(less, do="eliminate", player="Cem", hand=1, stack=2000)
    agreed = apply_line(out, do="deal", shares={"Ana": 100, "Ben": 47})
    with pytest.raises(TournamentError, match="nobody plays on"):
        apply_line(agreed, do="reinstate", player="Cem", seat=["a", 3])


def test_an_events_money_that_makes_no_sense_is_not_opened() -> None:
    with pytest.raises(TournamentError, match="`staff` is a percentage"):
        make_tournament(**(MONEY | {"staff": 2.55}))
    with pytest.raises(TournamentError, match="said whole"):
        make_tournament(fee=5)
