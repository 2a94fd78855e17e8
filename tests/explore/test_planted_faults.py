"""Faults that are planted in the core, each of a class that was found once: a small exploration finds every one.

What goes wrong goes wrong the second time, after something else, or in the second hand.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.core.engine.amendments import amendment_replay
from controller.core.engine.handlers import report_handlers
from controller.core.engine.handlers.transition_table import ROW_BY_ENTRY
from controller.core.model.outcome import Outcome
from controller.core.model.table_state import TableState, TableTournament
from controller.core.play.dealing import step_execution
from controller.core.protocol.events import PlayerActed, Report
from controller.core.protocol.steps import AwardStep, CutStep, DealStep
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ActionType, ReportKind
from controller.core.rules.rulings import Ruling
from controller.core.values.value import replace
from controller.runtime.journal.recovery import snapshot
from tests.explore import laws
from tests.explore.explorer import Explorer, Failure
from tests.explore.shrink import find_broken_law, shrink, write_failure

BUDGET = 6000
HOLDEM = {
    "ev": "table", "rulebook": "roberts-7", "game": "holdem", "places": 4, "button": 1, "mode": "tournament",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": 1, "stack": 20}, {"seat": 2, "stack": 20}, {"seat": 3, "stack": 20}],
}  # fmt: skip
STUD = {
    "ev": "table", "rulebook": "roberts-7", "game": "stud-7", "places": 4, "mode": "cash",
    "betting": {"structure": "fixed-limit", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10},
    "seats": [{"seat": 1, "stack": 30}, {"seat": 2, "stack": 40}],
}  # fmt: skip

Handler = Callable[[TableState, Any], tuple[Ruling, ...]]
Plant = Callable[[pytest.MonkeyPatch], None]


def wrap_rows(patch: pytest.MonkeyPatch, word: str, wrap: Callable[[Handler], Handler]) -> None:
    """Let another handler do what this event does, in every phase."""
    for key, row in list(ROW_BY_ENTRY.items()):
        if key[0] == word:
            patch.setitem(ROW_BY_ENTRY, key, replace(row, handler=wrap(row.handler)))


def wrap_report(patch: pytest.MonkeyPatch, kind: ReportKind, wrap: Callable[[Handler], Handler]) -> None:
    """Let another function rule on this report."""
    finding = report_handlers.FINDING_BY_REPORT_KIND[kind]
    patch.setitem(report_handlers.FINDING_BY_REPORT_KIND, kind, finding._replace(rule_on=wrap(finding.rule_on)))


def make_chips_in_second_hand(patch: pytest.MonkeyPatch) -> None:
    """A pot of the second hand is pushed with a chip too many."""

    def wrap(handler: Handler) -> Handler:
        def confirm(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            step = state.plan.next_step
            if isinstance(step, AwardStep) and state.hand_count == 2:
                chips = state.hand_in_play.chips
                seat = step.seats[0]
                stacks = {**chips.stack_by_seat, seat: chips.stack_by_seat[seat] + 1}
                state.hand_in_play.chips = replace(chips, stack_by_seat=stacks)
            return handler(state, event)

        return confirm

    wrap_rows(patch, "done", wrap)


def confirm_without_moving(patch: pytest.MonkeyPatch) -> None:
    """An exposed card that goes to the burns stays where it is."""
    move = step_execution._move_cards

    def move_others(hand: Any, source: str, to: str, cards: tuple[int, ...]) -> None:  # noqa: ANN401
        if to != "burn":
            move(hand, source, to, cards)

    patch.setattr(step_execution, "_move_cards", move_others)


def fail_after_a_report(patch: pytest.MonkeyPatch) -> None:
    """A card is reported as boxed after another report: the program ends."""

    def wrap(handler: Handler) -> Handler:
        def rule(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            previous = state.undo.previous
            if previous is not None and isinstance(previous.event, Report):
                raise KeyError(event.kind)
            return handler(state, event)

        return rule

    wrap_report(patch, ReportKind.BOXED, wrap)


def change_what_is_refused(patch: pytest.MonkeyPatch) -> None:
    """Who comes back and was not away is refused, and no longer at the table."""

    def wrap(handler: Handler) -> Handler:
        def come_back(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            try:
                return handler(state, event)
            except Refused:
                state.seating.state_by_seat.pop(event.seat, None)
                raise

        return come_back

    wrap_rows(patch, "back", wrap)


def rule_without_clause(patch: pytest.MonkeyPatch) -> None:
    """A stub that is fouled is ruled on without a clause."""

    def wrap(handler: Handler) -> Handler:
        return lambda state, event: tuple(replace(each, text="Play on.") for each in handler(state, event))

    wrap_report(patch, ReportKind.STUB_FOULED, wrap)


def deal_to_a_dead_hand(patch: pytest.MonkeyPatch) -> None:
    """Who has folded gets a card when one is reported as off the table."""

    def wrap(handler: Handler) -> Handler:
        def rule(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            rulings = handler(state, event)
            hand = state.hand_in_play
            for seat in hand.dealing_order:
                if seat not in hand.betting.live_seats:
                    hand.plan = hand.plan.prepend(DealStep(seat=seat, is_ruled=True))
            return rulings

        return rule

    wrap_report(patch, ReportKind.OFF_TABLE, wrap)


def refuse_what_is_offered(patch: pytest.MonkeyPatch) -> None:
    """All-in is listed, and refused once the seat has fewer chips than the other began with."""

    def wrap(handler: Handler) -> Handler:
        def act(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            if isinstance(event, PlayerActed) and event.action_type is ActionType.ALL_IN and state.hand_count == 2:
                raise Refused("not-now", "not in this hand.")
            return handler(state, event)

        return act

    wrap_rows(patch, "act", wrap)


def stop_at_a_cut(patch: pytest.MonkeyPatch) -> None:
    """The cut after a misdeal cannot be confirmed."""

    def wrap(handler: Handler) -> Handler:
        def confirm(state: TableState, event: Any) -> tuple[Ruling, ...]:  # noqa: ANN401 - any event
            if state.plan.next_step_if(CutStep):
                raise Refused("not-now", "no cut.")
            return handler(state, event)

        return confirm

    wrap_rows(patch, "done", wrap)


def forget_to_take_back(patch: pytest.MonkeyPatch) -> None:
    """Taken back, a halt of the floor stands."""
    assign = TableState.assign_from

    def assign_all_but_halt(self: TableState, other: TableState) -> None:
        halted = self.tournament.is_halted
        assign(self, other)
        if halted:
            self.tournament = replace(self.tournament, is_halted=True)

    patch.setattr(TableState, "assign_from", assign_all_but_halt)


def amend_with_a_chip(patch: pytest.MonkeyPatch) -> None:
    """In the second hand an amendment finds a chip."""
    play = amendment_replay.replay_amended

    def play_with_a_chip(*given: Any) -> tuple[Outcome, Any]:  # noqa: ANN401 - as it is called
        outcome, history = play(*given)
        state = outcome.state
        if state.hand is not None and state.hand_count == 2 and state.plan:
            hand = state.hand.copy()
            hand.chips = replace(hand.chips, dead_chips=hand.chips.dead_chips + 1)
            state.hand = hand
        return outcome, history

    patch.setattr(amendment_replay, "replay_amended", play_with_a_chip)


def write_down_without_halt(patch: pytest.MonkeyPatch) -> None:
    """A snapshot does not say that play is halted."""
    refer = snapshot._refer_to_setups

    def refer_without(value: Any) -> Any:  # noqa: ANN401 - any value
        return refer(replace(value, is_halted=False) if isinstance(value, TableTournament) else value)

    patch.setattr(snapshot, "_refer_to_setups", refer_without)


CHIPS, OTHERS = "chips stay at the table", laws.OTHER_TABLES
FAULTS: dict[str, tuple[Plant, dict[str, Any], set[str]]] = {
    "chips are made": (make_chips_in_second_hand, HOLDEM, {CHIPS, laws.CARDS_AND_CHIPS}),
    "a step moves nothing": (confirm_without_moving, HOLDEM, {"a step that is confirmed happens"}),
    "the program ends": (fail_after_a_report, HOLDEM, {"nothing is raised but a refusal"}),
    "a refusal changes the table": (change_what_is_refused, HOLDEM, {OTHERS}),
    "a ruling without clause": (rule_without_clause, STUD, {"every ruling names its clause"}),
    "a dead hand gets a card": (deal_to_a_dead_hand, STUD, {"cards go to live hands"}),
    "an offer is refused": (refuse_what_is_offered, HOLDEM, {"what is offered is taken"}),
    "no way to the award": (stop_at_a_cut, STUD, {"a way leads to the award", "what is offered is taken"}),
    "undo leaves something": (forget_to_take_back, HOLDEM, {"undo leads to the table before", laws.UNDO_OF_EVERYTHING}),
    "an amendment adds a chip": (amend_with_a_chip, HOLDEM, {CHIPS, "an amendment by itself changes nothing"}),
    "a snapshot forgets": (write_down_without_halt, HOLDEM, {"a snapshot is the table"}),
}


def find_failure(opening: dict[str, Any]) -> Failure | None:
    """The first failure of a small exploration."""
    explorer = Explorer(opening, BUDGET, 1, max_failures=1)
    explorer.explore()
    return next(iter(explorer.failures), None)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, opening, expected = FAULTS[fault]
    plant(monkeypatch)
    failure = find_failure(opening)
    assert failure is not None
    assert failure.law in expected, failure.found


@pytest.mark.parametrize("fault", ["a step moves nothing", "the program ends", "a refusal changes the table"])
def test_a_failure_is_made_as_short_as_it_can_be(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plant, opening, _ = FAULTS[fault]
    plant(monkeypatch)
    failure = find_failure(opening)
    assert failure is not None
    padded = (*failure.script[:-1], {"ev": "time", "t": 1.0}, {"ev": "muck", "seat": 1}, failure.script[-1])
    script = shrink(failure._replace(script=padded))
    assert len(script) <= len(failure.script)
    for nth in range(1, len(script)):
        without = find_broken_law((*script[:nth], *script[nth + 1 :]))
        assert without is None or without.law != failure.law
    written = write_failure(failure, script, tmp_path, 1).read_text().splitlines()
    assert failure.law in json.loads(written[0])["note"]
    broken = find_broken_law([json.loads(line) for line in written])
    assert broken is not None
    assert broken.law == failure.law


@pytest.mark.slow  # `make explore` finds nothing in five times as many states, at every gate
@pytest.mark.parametrize("opening", [HOLDEM, STUD], ids=["hold'em", "stud"])
def test_nothing_is_found_where_nothing_is_planted(opening: dict[str, Any]) -> None:
    assert find_failure(opening) is None
