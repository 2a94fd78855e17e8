"""The hand goes on by the rows of its machine; a move that they do not declare leaves the table as it stood."""

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.hand import HandStage
from controller.core.play.dealing import hand_machine
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ShowStep
from controller.core.protocol.table_display import Phase
from controller.core.values.state_machine import StateMachine, UndeclaredTransitionError
from controller.runtime.journal.entry_result import INTERNAL_FAULT_CODE, handle_entry

TABLE_LINE = {
    "ev": "table",
    "rulebook": "roberts-7",
    "game": "holdem",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": 2, "stack": 200}, {"seat": 5, "stack": 200}],
    "button": 5,
}
LAST_ACT = parse_line({"ev": "act", "seat": 2, "do": "check"})


def make_table(**keys: object) -> Table:
    """A table whose big blind has only to check for the flop to come."""
    table = Table()
    table.handle(parse_table_line(TABLE_LINE | keys))
    for card in (None, "As", "Kd", "Qc", "Jh"):
        table.handle(parse_line({"ev": "card", "card": card} if card else {"ev": "start"}))
    table.handle(parse_line({"ev": "act", "seat": 5, "do": "call"}))
    return table


def forget_row(patch: pytest.MonkeyPatch, source: HandStage, destination: HandStage) -> None:
    """The machine without the rows from one stage to another."""
    rows = [row for row in hand_machine.HAND_ROWS if (row.source, row.destination) != (source, destination)]
    patch.setattr(hand_machine, "HAND_MACHINE", StateMachine({"go_on": rows}, HandStage))


def test_a_move_that_no_row_declares_leaves_the_table_as_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table()
    before = table.to_memory()
    with monkeypatch.context() as patch:
        forget_row(patch, HandStage.ROUND, HandStage.STREET)
        with pytest.raises(UndeclaredTransitionError, match="no row leads on"):
            table.handle(LAST_ACT)
        assert table.to_memory() == before
    assert table.handle(LAST_ACT).state.phase is Phase.DEAL


def test_a_live_table_tells_it_like_a_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = make_table()
    before = table.to_memory()
    forget_row(monkeypatch, HandStage.ROUND, HandStage.STREET)
    result = handle_entry(table, LAST_ACT, 8)
    assert result.error is not None
    assert result.error.code == INTERNAL_FAULT_CODE
    assert result.outcome.state is table.outcome.state
    assert table.to_memory() == before
    assert "UndeclaredTransitionError" in caplog.text
    assert "As" not in caplog.text


def test_a_fault_behind_a_time_out_takes_the_time_out_back_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table()
    table.handle(parse_line({"ev": "clock", "seat": 2, "t": 1}))
    before = table.to_memory()
    forget_row(monkeypatch, HandStage.ROUND, HandStage.STREET)
    with pytest.raises(UndeclaredTransitionError):
        table.handle(parse_line({"ev": "act", "seat": 2, "do": "check", "t": 500}))
    assert table.to_memory() == before


def test_the_stage_is_read_off_the_facts_and_stores_nothing() -> None:
    hand = make_table().outcome.state.hand_in_play.copy()
    assert hand.stage is HandStage.ROUND
    before = hand.copy()
    hand.stage = HandStage.ROUND
    with pytest.raises(UndeclaredTransitionError, match="its row leads to"):
        hand.stage = HandStage.STREET
    assert hand == before


def test_a_hand_given_back_while_pots_are_pushed_answers_first_and_then_shows() -> None:
    table = Table()
    seats = [{"seat": 2, "stack": 20}, {"seat": 5, "stack": 200}, {"seat": 8, "stack": 200}]
    table.handle(parse_table_line(TABLE_LINE | {"rulebook": "fish-n-chips", "seats": seats, "button": 8}))
    table.handle(parse_line({"ev": "start"}))
    for card in ("As", "Kd", "Qc", "Jh", "Ts", "9d"):
        table.handle(parse_line({"ev": "card", "card": card}))
    for seat, action_name in ((8, "call"), (2, "all-in"), (5, "call"), (8, "fold")):
        table.handle(parse_line({"ev": "act", "seat": seat, "do": action_name}))
    for seat in (2, 5):
        table.handle(parse_line({"ev": "show", "seat": seat}))
    for card in ("2c", "3c", "7h", "4c", "5d", "6d", "8s", "2h"):
        table.handle(parse_line({"ev": "card", "card": card}))
    assert table.outcome.state.hand_in_play.stage is HandStage.SHOWDOWN
    table.handle(parse_line({"ev": "floor", "decide": "revive", "seat": 8}))
    assert table.handle(parse_line({"ev": "done"})).state.hand_in_play.stage is HandStage.ANSWER
    hand = table.handle(parse_line({"ev": "act", "seat": 8, "do": "call"})).state.hand_in_play
    assert (hand.stage, tuple(hand.plan)) == (HandStage.SHOWDOWN, (ShowStep(8),))
