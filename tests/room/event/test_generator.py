"""Whole tournaments over tables, in short form; `python -m tests.room.event.generator --long` plays those of 100."""

import pytest

from room.event import advice, hand_for_hand
from room.event.asking import Ask, Found, Next, next_of
from room.event.model import Duty, Event, How
from room.event.standing import TableStanding
from room.server.event import driver
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
    words = [line.what["do"] for line in play(Story(2, 12, 100, "wsop-2024")).record.kept["event:1"]]
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


def all_done(event: Event, _: object) -> hand_for_hand.Waiting:
    return hand_for_hand.Waiting(dict.fromkeys(event.rounds.tables, 10**6) if event.rounds else {}, (), ())


def asks(duty: Duty, now: TableStanding | None) -> Next:
    """Ask whatever the table shows, as if nothing had been asked before."""
    entry, hand = (now.entry, now.hand) if now else (0, 0)
    what = {"do": "asked", "duty": duty.number, "seen": entry, "hand": hand, "idle": True, "stack": 1}
    return Ask(what)


def nothing(*_: object) -> tuple[()]:
    return ()


@pytest.mark.parametrize(
    ("where", "name", "broken"),
    [(hand_for_hand, "waiting", all_done), (driver, "next_of", asks), (advice, "_of_advice", nothing)],
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
    duty = Duty(1, "a", {"ev": "hand-for-hand", "go": True}, "Dee", how=How.ASKED, seen=5, hand=7, idle=False)
    over = TableStanding(entry=9, hand=7, idle=True, holds=True, chairs={})
    assert isinstance(next_of(duty, over), Found)
    still = TableStanding(entry=6, hand=7, idle=False, holds=True, chairs={})
    assert isinstance(next_of(duty, still), Ask)
