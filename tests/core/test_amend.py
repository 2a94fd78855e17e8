"""What was entered is put right: properties of every entry of many hands, and what bounds the memory of them."""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from config.table_line import parse_table_line
from controller.core.engine import table as table_engine
from controller.core.engine.amendments.hand_history import MAX_ENTRIES, AcceptedEntry
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.table_memory import TableMemory
from controller.core.protocol.events import (
    AmendmentMade,
    CardDealt,
    PlayerActed,
    StepConfirmed,
    TimePassed,
)
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType
from controller.core.values.value import replace
from tests.playing import play

FOLDER = Path(__file__).parents[1] / "conformance" / "scenarios"
STORIES = sorted(FOLDER.rglob("*.jsonl"))[::13]


def play_scenario(path: Path) -> Table:
    """The table after a scenario."""
    table = Table()
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = {key: value for key, value in json.loads(text).items() if key != "expect"}
        try:
            table.handle(parse_table_line(line) if line["ev"] == "table" else parse_line(line), number)
        except Refused:
            continue
    return table


def render_without_rulings(table: Table) -> dict[str, Any]:
    """All that the table says but for what was ruled last."""
    line = outcome_rendering.render_outcome(table.outcome, 0)
    return {key: value for key, value in line.items() if key not in ("rulings", "amended")}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_entry_amended_to_itself_changes_nothing(path: Path) -> None:
    table = play_scenario(path)
    before, entries, refused = render_without_rulings(table), table.history.entries, set[str]()
    for entry in entries:
        assert not isinstance(entry.event, AmendmentMade)
        try:
            outcome = table.handle(AmendmentMade(entry.event, line=entry.line), 1000)
        except Refused as why:
            refused.add(why.code)
            continue
        assert render_without_rulings(table) == before
        assert len(outcome.rulings) == 1
        assert outcome.amendment_effect is not None
        assert (
            outcome.amendment_effect.chip_change_by_seat,
            outcome.amendment_effect.lapsed_findings,
            outcome.amendment_effect.dropped_lines,
        ) == ({}, (), ())
        assert [each.event for each in table.history.entries] == [each.event for each in entries]
    assert refused <= {"amend-a-fact", "amend-too-late"}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_an_act_amended_there_and_back_and_undone_changes_nothing(path: Path) -> None:
    table = play_scenario(path)
    before, tried = render_without_rulings(table), 0
    for entry in table.history.entries:
        if not isinstance(entry.event, PlayerActed):
            continue
        for do in (ActionType.FOLD, ActionType.CALL, ActionType.CHECK):
            try:
                table.handle(AmendmentMade(replace(entry.event, action_type=do, total=None), line=entry.line), 1000)
            except Refused:
                assert render_without_rulings(table) == before
                continue
            there = render_without_rulings(table)
            table.handle(parse_line({"ev": "undo"}), 1001)
            assert render_without_rulings(table) == before
            table.handle(AmendmentMade(replace(entry.event, action_type=do, total=None), line=entry.line), 1002)
            assert render_without_rulings(table) == there
            table.handle(AmendmentMade(entry.event, line=entry.line), 1003)
            assert render_without_rulings(table) == before
            tried += 1
    assert tried or not any(isinstance(entry.event, PlayerActed) for entry in table.history.entries[-1:])


HOLDEM = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "button": 1,
    "seats": [{"seat": seat, "stack": 100} for seat in (1, 2, 3)],
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
}  # fmt: skip


def play_lines(*lines: dict[str, Any] | str) -> Table:
    """A table after these lines, from line 1 on; a text is a card."""
    table = Table()
    table.handle(parse_table_line(HOLDEM), 1)
    for number, line in enumerate(lines, start=2):
        table.handle(parse_line({"ev": "card", "card": line} if isinstance(line, str) else line), number)
    return table


BEFORE_THE_FLOP: tuple[dict[str, Any] | str, ...] = (
    {"ev": "start"}, "2c", "3c", "4c", "5c", "6c", "7c",
    {"ev": "act", "seat": 1, "do": "call"}, {"ev": "act", "seat": 2, "do": "call"},
    {"ev": "act", "seat": 3, "do": "check"},
)  # fmt: skip


def test_a_card_that_came_when_none_was_due_may_come_so_again() -> None:
    table = play_lines(*BEFORE_THE_FLOP, "joker", "8c")
    before = render_without_rulings(table)
    table.handle(AmendmentMade(CardDealt(card="9d"), line=12), 14)
    assert render_without_rulings(table) != before
    table.handle(AmendmentMade(CardDealt(card="joker"), line=12), 15)
    assert render_without_rulings(table) == before


def test_a_done_whose_ruling_stands_confirms_what_is_first_at_its_place() -> None:
    """Only one whose ruling is gone goes with it."""
    table = play_lines(*BEFORE_THE_FLOP, "joker", {"ev": "done"}, "8c", "9c", "Tc", "Jc")
    step = table.history.entries[11].first_step
    assert step is not None
    assert step.is_ruled
    before = render_without_rulings(table)
    with pytest.raises(Refused, match="line 14 does not fit then"):
        table.handle(AmendmentMade(None, line=13), 18)
    with pytest.raises(Refused, match="line 13 does not fit then") as conflict:
        table.handle(AmendmentMade(StepConfirmed(), before_line=13), 19)
    assert conflict.value.code == "amend-conflict"
    assert render_without_rulings(table) == before


def test_a_done_whose_ruling_is_gone_goes_with_it() -> None:
    table = play_lines(*BEFORE_THE_FLOP, "joker", {"ev": "done"}, "8c", "9c", "Tc")
    outcome = table.handle(AmendmentMade(CardDealt(card="9d"), line=12), 17)
    assert outcome.amendment_effect is not None
    assert outcome.amendment_effect.dropped_lines == (13,)
    assert outcome.amendment_effect.lapsed_findings == ("joker",)


def test_a_table_that_stands_keeps_no_more_than_its_longest() -> None:
    table = play_scenario(STORIES[0])
    for second in range(MAX_ENTRIES + 10):
        table.handle(TimePassed(time_s=float(second)))
        assert len(table.history.entries) <= MAX_ENTRIES
    assert table.history.base_line > 0


def test_cards_that_a_ruling_had_moved_are_brought_back_step_by_step_and_play_goes_on() -> None:
    table = play("tda-2024", "start", "card - - - - - - - -", "act 4 call", "act 1 call", "act 2 call", "act 3 check")
    table("card - As Ks Qs", "act 2 check", "act 3 check", "act 4 check", "act 1 check", "card - Js 2d")
    table("report board-extra")
    report = len(table.lines)
    table("done")
    answer = table({"ev": "amend", "line": report, "to": None})
    assert answer["next"][0] == {"step": "move", "what": "card", "from": "burn", "to": "aside", "count": 1}
    answer = table("done")
    assert "error" not in answer
    assert answer["next"][0]["step"] == "say"
    assert answer["piles"]["aside"] == 1


def long_hand() -> Table:
    """A hand of 200 entries, most of them raises of the least."""
    table = play_lines()
    lines: list[dict[str, Any]] = [{"ev": "stack", "seat": seat, "stack": 100_000} for seat in (1, 2, 3)]
    lines += [{"ev": "start"}, *({"ev": "card", "card": f"{rank}{suit}"} for rank in "234" for suit in "cd")]
    for line in lines:
        table.handle(parse_line(line))
    while len(table.history.entries) < 200:
        step = outcome_rendering.render_outcome(table.outcome, 0)["next"][0]
        table.handle(parse_line({"ev": "act", "seat": step["seat"], "do": "raise", "to": step["min_to"]}))
    return table


DEAREST = 2.0
"""What the amendment of a first entry may cost, over what its hand has cost. On a core of its own, where that is less
than 0.1 ms an entry, it takes 0.02 s for 200 entries (docs/amend.md); cores that are shared say little of seconds."""


def test_an_amendment_anywhere_in_a_hand_of_200_entries_is_not_waited_for() -> None:
    table = long_hand()
    entries = table.history.entries
    plain, took = [], []
    for line in range(9):
        plain.append(seconds(partial(plays, Table.from_memory(TableMemory(table.history.base_state), 0), entries)))
        lines = [entry.line for entry in entries if isinstance(entry.event, CardDealt)]
        amended = [AmendmentMade(CardDealt("9h"), line=number) for number in (lines[0], lines[-1])]
        took.append(max(seconds(partial(table.try_amendment, each, 1000 + line)) for each in amended))
    assert min(took) < DEAREST * min(plain)


def plays(table: Table, entries: Sequence[AcceptedEntry]) -> None:
    for entry in entries:
        table.handle(entry.event, entry.line)


def seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


def test_an_amendment_plays_again_only_from_where_it_differs_and_only_once(mocker: MockerFixture) -> None:
    table = long_hand()
    last = table.history.entries[-1]
    assert isinstance(last.event, PlayerActed)
    assert last.event.total is not None
    higher, still_higher = (replace(last.event, total=last.event.total + more) for more in (1, 2))
    takes = mocker.spy(table_engine, "_apply_event")
    table.try_amendment(AmendmentMade(higher, line=last.line), 1000)
    assert takes.call_count == 1
    table.handle(AmendmentMade(higher, line=last.line), 1000)
    assert takes.call_count == 1, "what was tried is not played a second time"
    table.handle(AmendmentMade(still_higher, line=last.line), 1001)
    assert takes.call_count == 2
    table.handle(AmendmentMade(still_higher, line=last.line), 1002)
    assert takes.call_count == 2, "what is put right to what it is is not played again"


@pytest.mark.parametrize("to", [None, {"ev": "table", "rulebook": "roberts-7"}])
def test_what_the_table_began_with_is_out_of_reach(to: dict[str, object] | None) -> None:
    """Table script 2, section 1: `amend-too-late` for `table`."""
    played = play("roberts-7", "start", {"ev": "amend", "line": 1, "to": to})
    assert played.lines[-1]["error"]["code"] == "amend-too-late"


@pytest.mark.parametrize("game", ["holdem", "triple-draw-a5"])
def test_cards_that_are_yet_to_be_moved_lie_where_they_lie_whatever_is_put_right_next(game: str) -> None:
    """A boxed card went aside, then all back to the stub: the misdeal was none, so it goes aside once more.

    What the dealer has moved for an amendment no later amendment plays again; an entry that is said to be what it is
    changes nothing at all, the second time as the first.
    """
    betting = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
    played = play("tda-2024", "start", "card 5d 7h Td", game=game, betting=betting)
    played({"ev": "card", "card": "8c", "face": "up"}, "done", "card 9c")
    played({"ev": "card", "card": None, "foreign": True})
    foreign = len(played.lines)
    played(
        "done",
        {"ev": "hand-for-hand", "on": True},
        {"ev": "amend", "line": foreign, "to": {"ev": "card", "card": "2c"}},
    )

    def moves() -> list[str]:
        assert "error" not in played.lines[-1], played.lines[-1]["error"]
        return [step["to"] for step in played.lines[-1]["next"] if step["step"] == "move"]

    due = ["seat 2", "seat 3", "seat 4", "aside", "seat 1", "seat 2"]
    assert moves() == due
    for line, event in ((7, {"ev": "done"}), (7, {"ev": "done"}), (3, {"ev": "card", "card": "6d"})):
        played({"ev": "amend", "line": line, "to": event})
        assert moves() == due
    played("done")
    for line, card in ((4, "6h"), (5, "6s")):
        played({"ev": "amend", "line": line, "to": {"ev": "card", "card": card}})
        assert moves() == due[1:]
    played("done 5")
    assert (moves(), played.lines[-1]["piles"]["aside"]) == ([], 1)
