"""Whole tournaments over tables, in short form; `python -m tests.room.event.generator --long` plays those of 100."""

import pytest

from room.server.tournament import instruction_dispatcher
from room.tournament import hand_for_hand, proposals
from room.tournament.dispatch_decision import AlreadyEntered, AskTable, DispatchDecision, decide_dispatch
from room.tournament.tournament_state import Instruction, InstructionStatus, RoomTournament
from room.tournament.tournament_table_view import TournamentTableView
from tests.room.event import generator
from tests.room.event.generator import BOOKS, Story, play


@pytest.mark.parametrize("book", BOOKS)
def test_a_tournament_over_tables(book: str) -> None:
    """No player twice, nobody lost, balanced, no table a hand ahead, alternates in order, prizes that add up."""
    played = play(Story(2, 8, 70, book, alternates=4))
    assert played.check.moments > 50
    assert len(played.check.entered) == 74


def test_hand_for_hand_is_played() -> None:
    """What the check looks at happens: rounds that all tables play together, all-in hands that wait, a redraw."""
    words = [line.content["do"] for line in play(Story(2, 12, 100, "wsop-2024")).record.lines_by_stream["event:1"]]
    assert words.count("go") > 5
    assert "turn-up" in words
    assert "redraw" in words


@pytest.mark.parametrize("book", ["roberts-7", "wsop-2024", "fish-n-chips"])
def test_links_are_lost_and_the_server_starts_again(book: str) -> None:
    played = play(Story(3, 6, 50, book, alternates=4, links=25, starts=3))
    assert len(played.check.entered) == 54


@pytest.mark.slow
def test_the_command_that_plays_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["generator", "--seeds", "1"])
    generator.main()
    assert capsys.readouterr().out.count("12 tables") == len(BOOKS)


@pytest.mark.slow
def test_a_hundred_tables() -> None:
    assert len(play(Story(1, 100, 900, "tda-2024", alternates=20, links=8, starts=3)).check.entered) == 920


def all_done(event: RoomTournament, _: object) -> hand_for_hand.RoundStatus:
    return hand_for_hand.RoundStatus(
        dict.fromkeys(event.current_round.target_hand_by_table, 10**6) if event.current_round else {}, (), ()
    )


def asks(duty: Instruction, now: TournamentTableView | None) -> DispatchDecision:
    """Ask whatever the table shows, as if nothing had been asked before."""
    entry, hand = (now.entry, now.hand) if now else (0, 0)
    what = {"do": "asked", "duty": duty.number, "seen": entry, "hand": hand, "idle": True, "stack": 1}
    return AskTable(what)


def return_nothing(*_: object) -> tuple[()]:
    return ()


@pytest.mark.parametrize(
    ("where", "name", "broken"),
    [
        (hand_for_hand, "assess_round", all_done),
        (instruction_dispatcher, "decide_dispatch", asks),
        (proposals, "_propose_from_advice", return_nothing),
    ],
    ids=["go before all are done", "no look at the table", "no balance"],
)
def test_the_check_sees_what_is_broken(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, broken: object
) -> None:
    monkeypatch.setattr(where, name, broken)
    with pytest.raises((AssertionError, KeyError)):
        play(Story(2, 12, 100, "wsop-2024", links=10))


def test_a_go_that_let_an_all_in_hand_on_is_not_said_again() -> None:
    """Its answer was lost, and the hand was over before the table was seen again: it must not deal the next hand."""
    duty = Instruction(
        1,
        "a",
        {"ev": "hand-for-hand", "go": True},
        "Dee",
        status=InstructionStatus.ASKED,
        seen_entry=5,
        seen_hand=7,
        was_idle=False,
    )
    over = TournamentTableView(entry=9, hand=7, is_idle=True, is_held=True, view_by_seat={})
    assert isinstance(decide_dispatch(duty, over), AlreadyEntered)
    still = TournamentTableView(entry=6, hand=7, is_idle=False, is_held=True, view_by_seat={})
    assert isinstance(decide_dispatch(duty, still), AskTable)
