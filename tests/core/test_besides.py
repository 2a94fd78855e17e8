"""What a page may offer besides the first step, and the cards of the street to come, for every kind of game."""

import pytest

from controller.core.engine.output import available_entries
from controller.core.engine.output.available_entries import UpcomingCards
from controller.core.protocol.script_lines import format_line
from tests.playing import ScriptedTable, play

LIMIT = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
ANTES = {"structure": "fixed-limit", "ante": 1, "small_bet": 2, "big_bet": 4}
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
ALL_IN = ("act 4 all-in", "act 1 call", "act 2 fold", "act 3 fold")


def list_available_lines(played: ScriptedTable) -> list[dict[str, object]]:
    """The lines besides; each of them must be taken, and looking must change nothing."""
    state = played.table.outcome.state
    before = repr(state)
    lines = [format_line(event) for event in available_entries.find_available_entries(state)]
    assert repr(state) == before
    for line in lines:
        again = played.table.copy()
        again.handle(available_entries.find_available_entries(state)[lines.index(line)])
    return lines


def test_a_straddle_is_offered_to_the_one_seat_that_may_until_a_card_has_left() -> None:
    played = play("roberts-7", "start")
    assert list_available_lines(played) == [{"ev": "act", "seat": 4, "do": "straddle"}]
    played("card As")
    assert list_available_lines(played) == []


@pytest.mark.parametrize(("book", "game"), [("roberts-7", "lowball-27"), ("casino-au", "draw-high")])
def test_a_straddle_is_offered_wherever_the_book_has_one(book: str, game: str) -> None:
    assert [line["do"] for line in list_available_lines(play(book, "start", game=game))] == ["straddle"]


def test_a_pot_is_killed_by_choice_where_the_house_says_so() -> None:
    betting = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    played = play(
        "roberts-7", "start", game="lowball-a5", betting=betting, house={"kill": "full", "voluntary_kill": True}
    )
    played("card - - - - - - - -")
    assert {line["do"] for line in list_available_lines(played)} == {"kill"}
    assert len(list_available_lines(played)) == 4


def test_the_blinds_take_back_when_everybody_else_has_folded() -> None:
    played = play("roberts-7", "start", "card - - - - - - - -", "act 4 fold")
    assert {"ev": "chop"} not in list_available_lines(played)
    played("act 1 fold")
    assert list_available_lines(played) == [{"ev": "chop"}]


def test_the_rest_is_not_dealt_twice_while_cards_are_thrown_away_or_something_is_asked() -> None:
    stacks: dict[int, int | None] = {1: 200, 2: 2, 3: 2, 4: 2}
    pineapple = play("roberts-7", "start", game="pineapple", stacks=stacks)
    pineapple("card " + "- " * 12, "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    assert pineapple.lines[-1]["next"][0]["step"] == "draw"
    assert {"ev": "twice"} not in list_available_lines(pineapple)
    asked = play("wsop-live-2024", "start", "card - - - - - - - -", *ALL_IN, stacks={1: 200, 2: 200, 3: 200, 4: 50})
    asked({"ev": "seen", "at": "board", "card": "5h"})
    assert asked.lines[-1]["next"][0]["step"] == "say"
    assert {"ev": "twice"} not in list_available_lines(asked)


def test_the_rest_is_dealt_twice_when_somebody_is_all_in() -> None:
    played = play("roberts-7", "start", "card - - - - - - - -", *ALL_IN, stacks={1: 200, 2: 200, 3: 200, 4: 50})
    played("show 4", "show 1")
    assert {"ev": "twice"} in list_available_lines(played)


def test_a_player_who_is_all_in_declares_the_pot_open() -> None:
    played = play(
        "roberts-7", "start", "card" + " -" * 20, game="jacks-or-better", betting=ANTES,
        stacks={1: 200, 2: 1, 3: 200, 4: 200},
    )  # fmt: skip
    assert {"ev": "act", "seat": 2, "do": "open"} in list_available_lines(played)


def test_nothing_is_offered_between_hands_or_at_a_table_that_is_halted() -> None:
    assert list_available_lines(play("roberts-7")) == []
    assert list_available_lines(play("roberts-7", "start", {"ev": "device", "id": "shoe", "status": "lost"})) == []


SHOT = {"seconds": 30, "extensions": 1}


def test_a_time_extension_is_offered_while_the_shot_clock_runs_and_one_is_left() -> None:
    played = play("wsop-2024", "start", "card - - - - - - - -", shot_clock=SHOT)
    assert {"ev": "clock", "seat": 4, "extend": True} in list_available_lines(played)
    played({"ev": "clock", "seat": 4, "extend": True})
    assert {"ev": "clock", "seat": 4, "extend": True} not in list_available_lines(played)
    assert list_available_lines(play("wsop-2024", "start", "card - - - - - - - -")) == []


def test_a_caller_that_still_has_its_cards_is_offered_the_hand_of_the_last_to_bet() -> None:
    """TDA-18-B."""
    river = ("start", "card - - - - - - - -", "act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - - - -",
             "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card - -", "act 2 check", "act 3 check",
             "act 4 check", "act 1 check", "card - -")  # fmt: skip
    bet = ("act 2 bet 4", "act 3 call", "act 4 fold", "act 1 fold")
    assert list_available_lines(play("tda-2024", *river, *bet)) == [{"ev": "show", "seat": 2, "asked": 3}]
    checked = ("act 2 check", "act 3 check", "act 4 check", "act 1 check")
    assert list_available_lines(play("tda-2024", *river, *checked)) == []


def of_the_floor(played: ScriptedTable) -> list[dict[str, object]]:
    """The floor's own lines; each of them must be taken, and looking must change nothing."""
    state = played.table.outcome.state
    before = repr(state)
    events = available_entries.find_floor_entries(state)
    assert repr(state) == before
    for event in events:
        played.table.copy().handle(event)
    return [format_line(event) for event in events]


def test_the_floor_of_a_tournament_halts_counts_and_penalises_between_hands_and_in_one() -> None:
    """WSOP-T-113, WSOP-T-125, WSOP-T-126, TDA-11-D."""
    played = play("wsop-2024", seats=2)
    wanted: list[dict[str, object]] = [
        {"ev": "hand-for-hand", "on": True}, {"ev": "last-hands", "hands": 1}, {"ev": "halt"},
        {"ev": "penalty", "seat": 1, "hands": 1}, {"ev": "penalty", "seat": 2, "hands": 1},
    ]  # fmt: skip
    assert of_the_floor(played) == wanted
    played("start")
    assert of_the_floor(played) == wanted


def test_what_the_floor_said_it_takes_back_and_lets_what_waits_go_on() -> None:
    played = play("wsop-2024", {"ev": "hand-for-hand", "on": True}, {"ev": "halt"}, {"ev": "last-hands", "hands": 3})
    played({"ev": "penalty", "seat": 2, "hands": 2})
    lines = of_the_floor(played)
    for line in (
        {"ev": "hand-for-hand", "on": False}, {"ev": "halt", "on": False}, {"ev": "last-hands"},
        {"ev": "penalty", "seat": 2, "hands": 0},
    ):  # fmt: skip
        assert line in lines
    assert {"ev": "hand-for-hand", "go": True} not in lines
    played({"ev": "halt", "on": False}, {"ev": "penalty", "seat": 2, "hands": 0}, "start", "card - - - - - - - -")
    played("act 4 fold", "act 1 fold", "act 2 fold", "done")
    assert played.lines[-1]["next"] == [{"step": "hold"}]
    assert {"ev": "hand-for-hand", "go": True} in of_the_floor(played)


def test_only_who_is_still_to_act_is_left_nothing_but_to_check_call_or_fold() -> None:
    """TDA-53-B."""
    played = play("tda-2024", "start", "card - - - - - - - -", "act 4 call", mode="cash")
    passive = [{"ev": "floor", "decide": "passive", "seat": seat} for seat in (1, 2, 3)]
    assert of_the_floor(played) == passive
    played(passive[0])
    assert of_the_floor(played) == passive[1:]


@pytest.mark.parametrize("book", ["roberts-7", "maryport"])
def test_a_cash_game_of_a_book_without_these_rules_offers_the_floor_nothing(book: str) -> None:
    assert of_the_floor(play(book, "start", "card - - - - - - - -")) == []


def test_a_table_that_is_halted_by_a_fault_offers_the_floor_nothing() -> None:
    assert of_the_floor(play("wsop-2024", {"ev": "device", "id": "shoe", "status": "lost"})) == []


@pytest.mark.parametrize(
    ("book", "game", "betting", "cards", "wanted"),
    [
        ("roberts-7", "holdem", LIMIT, 8, UpcomingCards(True, 3)),
        ("casino-au", "manila-2", LIMIT, 9, UpcomingCards(True, 1)),
        ("roberts-7", "stud-7", STUD, 12, UpcomingCards(True, 4)),
    ],
)
def test_the_cards_of_the_street_to_come(
    book: str, game: str, betting: dict[str, object], cards: int, wanted: UpcomingCards
) -> None:
    names = iter(f"{rank}{suit}" for rank in "789TJQKA" for suit in "shdc")
    button = None if game == "stud-7" else 1
    played = play(
        book, "start", *(f"card {next(names)}" for _ in range(cards)), game=game, betting=betting, button=button
    )
    while played.lines[-1]["next"][0]["step"] == "say":
        pytest.fail(str(played.lines[-1]))
    assert played.lines[-1]["phase"] == "bet"
    assert available_entries.find_upcoming_cards(played.table.outcome.state) == wanted


def test_no_street_comes_after_the_last_nor_where_nobody_acts() -> None:
    assert available_entries.find_upcoming_cards(play("roberts-7", "start").table.outcome.state) is None
    played = play("roberts-7", "start", "card - - - - - - - -", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    played("card - - - -", "act 2 check", "act 3 check", "act 4 check", "act 1 check")
    played("card - -", "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card - -")
    assert played.lines[-1]["street"] == "river"
    assert available_entries.find_upcoming_cards(played.table.outcome.state) is None


def test_nobody_is_lit_for_a_card_while_all_cards_go_back() -> None:
    played = play("roberts-7", "start", "card Ad", "report not-shuffled")
    for step in ("return", "shuffle", "cut"):
        answer = played.lines[-1]
        assert (answer["next"][0]["step"], answer["lamps"]["deal"]) == (step, [])
        played("done")
    assert played.lines[-1]["lamps"]["deal"] == [2]
