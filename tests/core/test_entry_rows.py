"""An entry arrives where its row leads, and nowhere else."""

from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.handlers import transition_table
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, ShowStep
from controller.core.protocol.table_display import Phase
from controller.core.values.cards import build_deck
from controller.core.values.state_machine import UndeclaredTransitionError
from controller.core.values.value import replace
from tests.core.test_hand_machine import TABLE_LINE


def play(lines: list[dict[str, Any]], **keys: object) -> Table:
    """A table of two seats after these lines."""
    table = Table()
    line = {key: value for key, value in (TABLE_LINE | keys).items() if value is not None}
    table.handle(parse_table_line(line))
    for line in lines:
        table.handle(parse_line(line))
    return table


def make_cards(*cards: str) -> list[dict[str, Any]]:
    return [{"ev": "card", "card": card} for card in cards]


def test_an_arrival_that_its_row_does_not_declare_leaves_the_table_as_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play([{"ev": "start"}])
    before = table.to_memory()
    entry = ("card", Phase.DEAL)
    row = replace(transition_table.ROW_BY_ENTRY[entry], next_phases=(Phase.DRAW,))
    monkeypatch.setitem(transition_table.ROW_BY_ENTRY, entry, row)
    with pytest.raises(UndeclaredTransitionError, match="arrived at"):
        table.handle(parse_line(make_cards("As")[0]))
    assert table.to_memory() == before


def test_a_row_without_next_phases_stays_where_it_was() -> None:
    row = transition_table.find_row("sit", Phase.BET)
    assert row is not None
    row.require_arrival(Phase.BET, Phase.BET)
    with pytest.raises(UndeclaredTransitionError):
        row.require_arrival(Phase.BET, Phase.DEAL)


def test_blinds_that_put_everybody_all_in_hand_for_hand_wait_for_the_floor_with_the_last_card() -> None:
    table = play(
        [{"ev": "hand-for-hand", "on": True}, {"ev": "start"}, *make_cards("As", "Kd", "Qc", "Jh")],
        rulebook="tda-2024",
        mode="tournament",
        seats=[{"seat": 2, "stack": 2}, {"seat": 5, "stack": 1}],
    )
    assert table.outcome.state.phase is Phase.FLOOR


def test_a_joker_that_leaves_at_the_showdown_is_a_scrap_and_the_showdown_goes_on() -> None:
    act = {"ev": "act", "do": "all-in"}
    table = play(
        [
            {"ev": "start"},
            *make_cards("As", "Kd", "Qc", "Jh"),
            {**act, "seat": 5},
            {**act, "seat": 2},
            *({"ev": "show", "seat": seat} for seat in (2, 5)),
            *make_cards("2c", "3c", "4c", "7h", "5d", "6d", "8s", "2h"),
            *make_cards("joker"),
        ],
        rulebook="fish-n-chips",
    )
    assert table.outcome.state.phase is Phase.SHOWDOWN
    assert table.outcome.rulings[0].finding == "joker"


def test_who_mucks_last_at_an_empty_pot_ends_the_hand() -> None:
    """At pot limit without blinds and antes nobody can bet a chip."""
    table = play(
        [{"ev": "start"}],
        game="stud-7",
        button=None,
        betting={"structure": "pot-limit", "small_blind": 5, "big_blind": 10},
        seats=[{"seat": seat, "stack": 200} for seat in (2, 4, 5)],
    )
    cards = iter(build_deck())
    while not isinstance(step := table.outcome.state.plan[0], ShowStep):
        if isinstance(step, ActStep):
            do = "check" if table.outcome.state.hand_in_play.round_in_play.street else "bet"
            table.handle(parse_line({"ev": "act", "seat": step.seat, "do": do}))
        else:
            table.handle(parse_line({"ev": "card", "card": next(cards)}))
    first, second, third = (step.seat for step in table.outcome.state.plan.steps_of_type(ShowStep))
    for line in ({"ev": "show", "seat": first}, {"ev": "show", "seat": second}, {"ev": "muck", "seat": third}):
        table.handle(parse_line(line))
    assert table.outcome.state.phase is Phase.IDLE
