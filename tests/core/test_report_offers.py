"""What people may say now: every line of it is taken, looking changes nothing, and no game is asked by its name."""

from typing import Any

import pytest

from config import game_file, rulebook_file
from config.file_library import resolve_library
from controller.app.simulation.simulation_controls import make_table_line
from controller.core.engine import report_offers
from controller.core.engine.table import Table
from controller.core.protocol.events import Event
from controller.core.protocol.script_lines import format_line, parse_line
from tests.playing import ScriptedTable, play

Lines = list[dict[str, Any]]
STUD = {"structure": "fixed-limit", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
ROUNDS = {"holdem": 8, "omaha": 16, "jacks-or-better": 20, "stud-7": 12}


def read(played: ScriptedTable, events: "tuple[Event, ...]") -> Lines:
    """The lines; each must be taken by the table as it stands."""
    for event in events:
        played.table.copy().handle(event)
    return [dict(format_line(event)) for event in events]


def reports(played: ScriptedTable) -> Lines:
    before = repr(played.table.outcome.state)
    found = read(played, report_offers.find_report_offers(played.table.outcome.state))
    assert repr(played.table.outcome.state) == before
    return found


def of_seat(played: ScriptedTable, seat: int) -> Lines:
    before = repr(played.table.outcome.state)
    found = read(played, report_offers.find_seat_offers(played.table.outcome.state, seat))
    assert repr(played.table.outcome.state) == before
    return found


def words(lines: Lines, ev: str = "report") -> set[str]:
    key = {"report": "what", "act": "do"}.get(ev, "ev")
    return {str(line[key]) for line in lines if line["ev"] == ev}


def list_commands(played: ScriptedTable) -> list[str]:
    """What may be said to the timer."""
    return [str(line["set"]) for line in reports(played) if line["ev"] == "timer"]


def deal(game: str) -> ScriptedTable:
    """A hand of four up to its first act."""
    more: dict[str, Any] = {"betting": STUD, "button": None} if game.startswith("stud") else {}
    cards = "card - - - - - - - - 2c 9h Kd 7s" if game.startswith("stud") else "card " + "- " * ROUNDS[game]
    return play("roberts-7", "start", cards, game=game, **more)


@pytest.mark.parametrize("game", ROUNDS)
def test_openers_upcards_and_boards_are_offered_where_the_game_has_them(game: str) -> None:
    played = deal(game)
    assert "false-openers" not in words(reports(played)), "nobody has opened"
    if game == "jacks-or-better":
        played("act 4 raise 4")
    assert ("false-openers" in words(reports(played))) == (game == "jacks-or-better")
    assert ("wrong-opener" in words(reports(played))) == game.startswith("stud")
    assert not {"board-extra", "two-exposed", "no-burn"} & words(reports(played)), "no board lies there yet"


def test_a_burn_and_the_board_can_go_wrong_once_there_is_one() -> None:
    played = deal("holdem")
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - 2c 3c 4c")
    assert {"no-burn", "double-burn"} <= words(reports(played))
    assert {"ev": "report", "what": "duplicate", "where": "board"} in reports(played)


def test_a_seat_that_is_not_due_may_have_done_what_it_could_do_then() -> None:
    played = deal("holdem")
    assert words(of_seat(played, 2), "act") == {"fold", "call", "raise", "all-in"}
    assert words(of_seat(played, 4), "act") == set(), "it is its turn"
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - 2c 3c 4c")
    assert words(of_seat(played, 4), "act") == {"fold", "check", "bet", "all-in"}
    early = report_offers.find_early_actions(played.table.outcome.state, 4)
    assert early is not None
    assert (early.min_total, early.max_total) == (2, 198)


def list_acts_before(played: ScriptedTable, seat: int) -> list[str]:
    """Who has done what before a seat that acts next; each is taken, one after the other."""
    acts = report_offers.find_acts_before(played.table.outcome.state, seat)
    trial = played.table.copy()
    for act in acts:
        trial.handle(act)
    return [f"{act.seat} {act.action_type.value}" for act in acts]


def test_those_before_a_seat_fold_or_check_where_they_can() -> None:
    played = deal("holdem")
    assert list_acts_before(played, 2) == ["4 fold", "1 fold"]
    assert list_acts_before(played, 4) == [], "it is its turn"
    assert list_acts_before(played, 3) == ["4 fold", "1 fold", "2 fold"], "which ends the hand"
    played("act 4 call", "act 1 call", "act 2 call", "act 3 check", "card - 2c 3c 4c")
    assert list_acts_before(played, 4) == ["2 check", "3 check"]
    assert list_acts_before(deal("stud-7"), 3) == [], "who is to bring it in can neither check nor fold"


def test_after_a_restart_it_is_the_same() -> None:
    played = deal("holdem")
    again = Table.from_memory(played.table.to_memory())
    state, restored = played.table.outcome.state, again.outcome.state
    assert report_offers.find_report_offers(restored) == report_offers.find_report_offers(state)
    assert report_offers.describe_seat_offers(restored, 2) == report_offers.describe_seat_offers(state, 2)


def test_in_stud_nobody_but_the_seat_that_is_due_has_the_forced_bet_and_all_can_fold() -> None:
    played = deal("stud-7")
    due = int(played.lines[-1]["next"][0]["seat"])
    other = next(seat for seat in (1, 2, 3, 4) if seat != due)
    assert {"fold", "complete"} <= words(of_seat(played, other), "act")


def test_who_has_folded_acts_no_more_and_who_is_away_comes_back() -> None:
    played = deal("holdem")
    played("act 4 fold")
    assert words(of_seat(played, 4), "act") == set()
    played("away 4")
    assert "back" in words(of_seat(played, 4), "back")
    assert not words(of_seat(played, 4), "away")


def test_an_empty_chair_is_offered_to_sit_down_and_nothing_else() -> None:
    played = deal("holdem")
    assert {line["ev"] for line in of_seat(played, 6)} <= {"sit", "report"}
    assert {"ev": "sit", "seat": 6, "stack": 200} in of_seat(played, 6)


def test_after_undo_it_is_as_before() -> None:
    played = deal("holdem")
    before = reports(played), of_seat(played, 2)
    played("act 4 raise 6")
    assert "string-bet" in words(reports(played))
    played("undo")
    assert (reports(played), of_seat(played, 2)) == before


def test_a_table_that_is_halted_takes_no_word() -> None:
    played = deal("holdem")
    played({"ev": "device", "id": "reader:shoe", "status": "lost"})
    assert reports(played) == of_seat(played, 2) == []


def test_the_clock_of_a_tournament_is_offered_as_it_stands_and_not_at_all_in_a_cash_game() -> None:
    assert not [line for line in reports(deal("holdem")) if line["ev"] in ("level", "timer", "game")]
    chips: dict[int, int | None] = dict.fromkeys((1, 2, 3, 4), 2000)
    stakes = {"structure": "no-limit", "small_blind": 5, "big_blind": 10, "chip": 5}
    played = play("fish-n-chips", stacks=chips, betting=stakes, house={"schedule": "T2000"}, mode="tournament")
    assert list_commands(played) == ["start"]
    played({"ev": "timer", "set": "start"})
    assert list_commands(played) == ["pause"]
    played({"ev": "timer", "set": "pause"})
    assert list_commands(played) == ["resume"]


@pytest.mark.parametrize("game", sorted(game_file.list_games()))
def test_in_every_game_the_last_card_may_have_been_exposed(game: str) -> None:
    library = resolve_library(None)
    books = (rulebook_file.load_rulebook(name, library) for name in rulebook_file.list_rulebooks(library))
    book = next(each for each in books if game in each.games).name
    seats = [{"seat": seat, "player": f"Seat {seat}", "stack": 200} for seat in (1, 2, 3, 4)]
    played = ScriptedTable()
    played(make_table_line({"ev": "table", "seats": seats, "button": 1}, game, book, library))
    assert "exposed" not in words(reports(played))
    played("start", "card -")
    assert "exposed" in words(reports(played))


def test_a_line_of_an_offer_is_a_line_of_the_script() -> None:
    played = deal("holdem")
    for line in (*reports(played), *of_seat(played, 2)):
        Table.copy(played.table).handle(parse_line(line))
