"""Who may put right what at a live table, and what is refused because its journal could not prove it."""

from typing import Any

import pytest

from controller.core.engine.table import Table
from controller.core.protocol.events import (
    AmendmentMade,
    CardDealt,
    EntryChange,
    FloorDecided,
    HandTabled,
    PlayerActed,
    Report,
    StepConfirmed,
)
from controller.core.protocol.steps import ShowStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, FloorDecision, ReportKind
from controller.runtime.staff.amendment_permission import find_refusal
from tests.core.test_amend import BEFORE_THE_FLOP, play_lines

DEALER: dict[str, Any] = {"role": "dealer", "name": "Ada"}
FLOOR: dict[str, Any] = {"role": "floor", "name": "Bo"}


def code(table: Table, event: AmendmentMade, by: dict[str, Any]) -> str | None:
    """Why it is not taken; the table stays as it was in any case."""
    before = table.outcome
    found = find_refusal(table, event, by, 500)
    assert table.outcome is before
    return None if found is None else found.code


def test_the_dealer_puts_right_what_was_entered_since_the_last_card_and_the_floor_all() -> None:
    table = play_lines(*BEFORE_THE_FLOP)
    call = AmendmentMade(PlayerActed(3, ActionType.FOLD), line=11)
    assert code(table, call, DEALER) is None
    table.handle(CardDealt(card="8c"), 12)
    assert code(table, call, DEALER) == "floor-only"
    assert code(table, call, FLOOR) is None
    assert code(table, AmendmentMade(PlayerActed(1, ActionType.STRADDLE), before_line=3), DEALER) == "floor-only"


def test_the_name_of_a_card_that_lies_face_down_is_the_floors() -> None:
    table = play_lines(*BEFORE_THE_FLOP[:7])
    assert code(table, AmendmentMade(CardDealt(card="9h"), line=8), DEALER) == "floor-only"
    assert code(table, AmendmentMade(CardDealt(card="9h"), line=8), FLOOR) is None
    assert code(table, AmendmentMade(CardDealt(card=None), before_line=500), DEALER) is None
    assert code(table, AmendmentMade(CardDealt(card="9h"), before_line=500), DEALER) == "floor-only"
    said = find_refusal(table, AmendmentMade(CardDealt(card="9h"), line=8), DEALER, 500)
    assert said is not None
    assert "9h" not in said.message
    assert "7c" not in said.message


def to_the_showdown() -> Table:
    lines: list[Any] = [*BEFORE_THE_FLOP, "8c", "9c", "Tc", "Jc"]
    checks = [{"ev": "act", "seat": seat, "do": "check"} for seat in (2, 3, 1)]
    lines += [*checks, "2d", "3d", *checks, "4d", "5d", *checks]
    return play_lines(*lines)


def test_when_the_hand_is_over_nothing_is_put_right_that_would_ask_for_a_card_that_nobody_showed() -> None:
    table = to_the_showdown()
    line = 60
    while table.outcome.plan:
        step = table.outcome.plan[0]
        table.handle(HandTabled(step.seat) if isinstance(step, ShowStep) else StepConfirmed(), line)
        line += 1
    river = next(e.line for e in table.history.entries if isinstance(e.event, CardDealt) and e.event.card == "5d")
    assert code(table, AmendmentMade(CardDealt(card="6d"), line=river), FLOOR) is None
    mucked = next(e for e in table.history.entries if isinstance(e.event, PlayerActed) and e.event.seat == 2)
    assert code(table, AmendmentMade(PlayerActed(2, ActionType.FOLD), line=mucked.line), FLOOR) == "amend-conflict"


def test_a_hand_that_is_over_does_not_go_on_again_at_a_live_table() -> None:
    """Its cards are forgotten: a replay of the journal would deal it to others."""
    folds: list[Any] = [{"ev": "act", "seat": seat, "do": "fold"} for seat in (1, 2)]
    table = play_lines(*BEFORE_THE_FLOP[:7], *folds, {"ev": "done"})
    assert not table.outcome.plan
    again = AmendmentMade(PlayerActed(2, ActionType.CALL), line=10, dropped_lines=(11,))
    assert code(table, again, FLOOR) == "amend-too-late"
    said = find_refusal(table, again, FLOOR, 500)
    assert said is not None
    assert "forgotten" in said.message
    assert table.try_amendment(again, 500).state.plan, "a script may"


@pytest.mark.parametrize("by", [DEALER, FLOOR])
def test_what_the_table_refuses_is_refused_before_it_is_recorded(by: dict[str, Any]) -> None:
    table = play_lines(*BEFORE_THE_FLOP)
    event = AmendmentMade(None, line=400)
    with pytest.raises(Refused) as why:
        table.try_amendment(event, 500)
    assert code(table, event, by) == why.value.code == "amend-unknown-line"


def test_what_only_the_floor_enters_only_the_floor_puts_right() -> None:
    """A dealer who may not decide may not put a decision in either, nor take one out."""
    table = play_lines(*BEFORE_THE_FLOP)
    for to in (
        FloorDecided(FloorDecision.MISDEAL),
        Report(ReportKind.MISREAD, card="9h"),
    ):
        for event in (
            AmendmentMade(to, before_line=500),
            AmendmentMade(
                PlayerActed(3, ActionType.CHECK), line=11, further_changes=(EntryChange(to, before_line=500),)
            ),
        ):
            assert code(table, event, DEALER) == "floor-only"
    assert code(table, AmendmentMade(Report(ReportKind.STUB_FOULED), before_line=500), DEALER) is None
    table.handle(FloorDecided(FloorDecision.DEAD_HAND, seat=1), 12)
    for event in (
        AmendmentMade(None, line=12),
        AmendmentMade(PlayerActed(3, ActionType.CHECK), line=11, dropped_lines=(12,)),
    ):
        assert code(table, event, DEALER) == "floor-only"
        assert code(table, event, FLOOR) is None
    table.handle(AmendmentMade(None, line=12), 13)
    assert table.outcome.state.undo.is_floor_decision, "only the floor takes that back"


@pytest.mark.parametrize("by", [DEALER, FLOOR])
def test_nobody_puts_a_report_in_that_says_who_has_seen_a_card(by: dict[str, Any]) -> None:
    table = play_lines(*BEFORE_THE_FLOP)
    to = Report(ReportKind.EXPOSED, seat=1, is_witnessed=True)
    for event in (
        AmendmentMade(to, before_line=500),
        AmendmentMade(PlayerActed(3, ActionType.CHECK), line=11, further_changes=(EntryChange(to, before_line=500),)),
    ):
        assert code(table, event, by) == "unused-key"
