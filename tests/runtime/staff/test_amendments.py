"""Who may put right what at a live table, and what is refused because its journal could not prove it."""

from typing import Any

import pytest

from controller.core.engine.table import Table
from controller.core.protocol.errors import Refused
from controller.core.protocol.events import Act, Amend, Card, Change, Done, Floor, Report, Show
from controller.core.protocol.steps import Show as ShowStep
from controller.core.protocol.vocabulary import Decide, Do, What
from controller.runtime.staff.amendments import refusal
from tests.core.test_amend import BEFORE_THE_FLOP, played

DEALER: dict[str, Any] = {"role": "dealer", "name": "Ada"}
FLOOR: dict[str, Any] = {"role": "floor", "name": "Bo"}


def code(table: Table, event: Amend, by: dict[str, Any]) -> str | None:
    """Why it is not taken; the table stays as it was in any case."""
    before = table.outcome
    found = refusal(table, event, by, 500)
    assert table.outcome is before
    return None if found is None else found.code


def test_the_dealer_puts_right_what_was_entered_since_the_last_card_and_the_floor_all() -> None:
    table = played(*BEFORE_THE_FLOP)
    call = Amend(Act(3, Do.FOLD), line=11)
    assert code(table, call, DEALER) is None
    table.handle(Card(card="8c"), 12)
    assert code(table, call, DEALER) == "floor-only"
    assert code(table, call, FLOOR) is None
    assert code(table, Amend(Act(1, Do.STRADDLE), before=3), DEALER) == "floor-only"


def test_the_name_of_a_card_that_lies_face_down_is_the_floors() -> None:
    table = played(*BEFORE_THE_FLOP[:7])
    assert code(table, Amend(Card(card="9h"), line=8), DEALER) == "floor-only"
    assert code(table, Amend(Card(card="9h"), line=8), FLOOR) is None
    assert code(table, Amend(Card(card=None), before=500), DEALER) is None
    assert code(table, Amend(Card(card="9h"), before=500), DEALER) == "floor-only"
    said = refusal(table, Amend(Card(card="9h"), line=8), DEALER, 500)
    assert said is not None
    assert "9h" not in said.message
    assert "7c" not in said.message


def to_the_showdown() -> Table:
    lines: list[Any] = [*BEFORE_THE_FLOP, "8c", "9c", "Tc", "Jc"]
    checks = [{"ev": "act", "seat": seat, "do": "check"} for seat in (2, 3, 1)]
    lines += [*checks, "2d", "3d", *checks, "4d", "5d", *checks]
    return played(*lines)


def test_when_the_hand_is_over_nothing_is_put_right_that_would_ask_for_a_card_that_nobody_showed() -> None:
    table = to_the_showdown()
    line = 60
    while table.outcome.plan:
        step = table.outcome.plan[0]
        table.handle(Show(step.seat) if isinstance(step, ShowStep) else Done(), line)
        line += 1
    river = next(e.line for e in table.history.entries if isinstance(e.event, Card) and e.event.card == "5d")
    assert code(table, Amend(Card(card="6d"), line=river), FLOOR) is None
    mucked = next(e for e in table.history.entries if isinstance(e.event, Act) and e.event.seat == 2)
    assert code(table, Amend(Act(2, Do.FOLD), line=mucked.line), FLOOR) == "amend-conflict"


def test_a_hand_that_is_over_does_not_go_on_again_at_a_live_table() -> None:
    """Its cards are forgotten: a replay of the journal would deal it to others."""
    folds: list[Any] = [{"ev": "act", "seat": seat, "do": "fold"} for seat in (1, 2)]
    table = played(*BEFORE_THE_FLOP[:7], *folds, {"ev": "done"})
    assert not table.outcome.plan
    again = Amend(Act(2, Do.CALL), line=10, drop=(11,))
    assert code(table, again, FLOOR) == "amend-too-late"
    said = refusal(table, again, FLOOR, 500)
    assert said is not None
    assert "forgotten" in said.message
    assert table.tried(again, 500).state.plan, "a script may"


@pytest.mark.parametrize("by", [DEALER, FLOOR])
def test_what_the_table_refuses_is_refused_before_it_is_recorded(by: dict[str, Any]) -> None:
    table = played(*BEFORE_THE_FLOP)
    event = Amend(None, line=400)
    with pytest.raises(Refused) as why:
        table.tried(event, 500)
    assert code(table, event, by) == why.value.code == "amend-unknown-line"


def test_what_only_the_floor_enters_only_the_floor_puts_right() -> None:
    """A dealer who may not decide may not put a decision in either, nor take one out."""
    table = played(*BEFORE_THE_FLOP)
    for to in (
        Floor(Decide.MISDEAL),
        Report(What.MISREAD, card="9h"),
        Report(What.EXPOSED, seat=1, witnessed=True),
    ):
        for event in (Amend(to, before=500), Amend(Act(3, Do.CHECK), line=11, also=(Change(to, before=500),))):
            assert code(table, event, DEALER) == "floor-only"
    assert code(table, Amend(Report(What.STUB_FOULED), before=500), DEALER) is None
    table.handle(Floor(Decide.DEAD_HAND, seat=1), 12)
    for event in (Amend(None, line=12), Amend(Act(3, Do.CHECK), line=11, drop=(12,))):
        assert code(table, event, DEALER) == "floor-only"
        assert code(table, event, FLOOR) is None
    table.handle(Amend(None, line=12), 13)
    assert table.outcome.state.undo.by_floor, "only the floor takes that back"
