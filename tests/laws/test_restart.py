"""A start changes nothing: what was written down, with the entries since, is the table that was never interrupted."""

import random
from typing import Any

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.setup import AnyEvent
from controller.core.model.table_memory import is_same_at_rest
from controller.core.protocol.events import PlayerActed
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep
from controller.core.protocol.table_error import Refused
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.recovery.journal_replay import RecoveredTable, make_snapshot, restore_from_snapshot
from controller.runtime.journal.recovery.snapshot import parse_snapshot, render_snapshot
from tests.core.arbitrary import Pick, between_hands, fitting, iter_obedient_answers, make_any_line, table_line
from tests.laws.blocks import list_blocks
from tests.playing import NO_LIMIT, parse_phrase

QUICK_BLOCKS, TABLES_PER_BLOCK, EVENTS_PER_TABLE = 3, 8, 400


class RecordedTable:
    """A table and the events that it was told, all of which a journal would have."""

    def __init__(self, opened: AnyEvent) -> None:
        self.events: list[AnyEvent] = []
        self.found = RecoveredTable(Table())
        self.take(opened)

    def take(self, event: AnyEvent) -> EntryResult:
        self.events.append(event)
        given = handle_entry(self.found.table, event, len(self.events))
        self.found.add_entry(event, given, max(self.found.table_time_s, event.time_s or 0.0))
        return given

    def restart(self) -> "RecordedTable":
        """The table that a start makes of what is written down now, and the events since."""
        setup = self.found.table.outcome.state.setup
        kept = parse_snapshot(render_snapshot(make_snapshot(self.found)), setup)
        other = RecordedTable.__new__(RecordedTable)
        other.events = self.events[: kept.entry]
        other.found = restore_from_snapshot(kept, kept.entry, kept.entry)
        for event in self.events[kept.entry :]:
            given = other.take(event)
            if kept.rest is not None and given.entry_number == kept.rest.entry:
                assert is_same_at_rest(given.outcome.state, kept.rest.memory.state)
        return other


def describe(recorded: RecordedTable) -> tuple[object, ...]:
    """All that the next entries can be answered from, and what the loop keeps beside it."""
    found = recorded.found
    beside = (found.entry_count, found.table_time_s, found.lost_devices)
    return found.table.outcome, found.table.histories, beside


def make_line(table: Table, pick: Pick) -> dict[str, Any]:
    """What the table waits for, or now and then anything; a fault lasts not long, and a hand does not begin at once."""
    state = table.outcome.state
    if state.faults and pick(3) == 0:
        device, change = state.faults[0].split(" ")
        mended = "lid-closed" if change == "lid-open" else "back"
        return {"ev": "device", "id": device, "status": mended}
    if not state.plan and pick(3) == 0:
        return between_hands(state, pick)
    return make_any_line(table, pick) if pick(7) == 0 else fitting(table, pick)


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_a_table_that_was_started_again_answers_as_one_that_never_was(block: int) -> None:
    restarts = hands = 0
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        stood = RecordedTable(parse_table_line(table_line(pick)))
        again = stood.restart()
        for _ in range(EVENTS_PER_TABLE):
            table = stood.found.table
            try:
                event = parse_line(make_line(table, pick))
            except Refused:
                continue
            said = stood.take(event)
            where = f"seed {seed}, entry {said.entry_number}"
            assert again.take(event).to_output_line() == said.to_output_line(), where
            if table.outcome.state.plan or pick(2):
                continue
            again = again.restart()  # of a table that was started again itself
            assert again.found.table.outcome == table.outcome, where
            restarts += 1
            hands += table.outcome.state.hand_count - make_snapshot(again.found).memory.state.hand_count
            if pick(4) == 0:
                assert describe(again) == describe(stood), where
        assert describe(again) == describe(stood), f"seed {seed}"
    assert block >= QUICK_BLOCKS or restarts > 4 * TABLES_PER_BLOCK
    assert hands < 2 * restarts, "the base moves on with the hands"


LINE = {
    "ev": "table",
    "rulebook": "wsop-2024",
    "game": "holdem",
    "mode": "tournament",
    "betting": {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    "seats": [{"seat": seat, "stack": 200} for seat in (1, 2, 3)],
    "button": 1,
}


def take_lines(recorded: RecordedTable, *lines: dict[str, Any]) -> None:
    for line in lines:
        given = recorded.take(parse_line(line))
        assert given.error is None, (line, given.error)


def play_on(recorded: RecordedTable) -> None:
    """Play the hand that is on to its end."""
    while recorded.found.table.outcome.plan:
        answers = iter_obedient_answers(recorded.found.table.outcome)
        assert any(recorded.take(parse_line(line)).error is None for line in answers)


def undo_all(recorded: RecordedTable) -> list[dict[str, object]]:
    """What the table says as one entry after the other is taken back, until none can be."""
    said = [recorded.take(parse_line({"ev": "undo"}))]
    while said[-1].error is None:
        said.append(recorded.take(parse_line({"ev": "undo"})))
    return [given.to_output_line() for given in said]


def test_entries_of_the_hand_before_are_taken_back_after_a_start_where_no_card_was_dealt_since() -> None:
    stood = RecordedTable(parse_table_line(LINE))
    take_lines(stood, {"ev": "start"})
    play_on(stood)
    take_lines(stood, {"ev": "away", "seat": 1}, {"ev": "away", "seat": 2})
    for _ in range(3):
        take_lines(stood, {"ev": "start", "alone": True}, {"ev": "done"})
    again = stood.restart()
    said = undo_all(again)
    assert said == undo_all(stood)
    assert len(said) > 3 * 2 + 2


def test_the_base_is_no_end_of_a_hand_that_was_put_right_since() -> None:
    stood = RecordedTable(parse_table_line(LINE))
    take_lines(stood, {"ev": "start"})
    began = len(stood.events)
    play_on(stood)
    take_lines(stood, {"ev": "amend", "before": began, "to": {"ev": "stack", "seat": 3, "stack": 300}})
    for hands in (1, 2):
        take_lines(stood, {"ev": "start"})
        play_on(stood)
        again = stood.restart()
        assert describe(again) == describe(stood)
        assert again.found.table.outcome.state.hand_count == hands + 1


def test_an_amendment_that_was_taken_back_is_played_again_with_all_behind_it() -> None:
    """A start that begins behind it would refuse it, and its `undo` would take back what was entered before."""
    seats = [{"seat": seat, "stack": 200} for seat in (1, 2, 3)]
    opened = {"ev": "table", "rulebook": "tda-2024", "game": "holdem", "betting": NO_LIMIT, "button": 1, "seats": seats}
    recorded = RecordedTable(parse_table_line(opened))

    def play(*phrases: str | dict[str, Any]) -> None:
        for phrase in phrases:
            for line in [phrase] if isinstance(phrase, dict) else parse_phrase(phrase):
                assert recorded.take(parse_line(line)).error is None, line

    hand = ("start", "card 2c 3c 4c 5c 6c 7c", "act 1 raise 6", "act 2 fold", "act 3 fold", "done")
    play(*hand, {"ev": "sit", "seat": 6, "player": "new", "stack": 100})
    raised = next(number for number, event in enumerate(recorded.events, start=1) if isinstance(event, PlayerActed))
    play({"ev": "amend", "line": raised, "to": {"ev": "act", "seat": 1, "do": "raise", "to": 8}}, "undo")
    play("start", "card 2c 3c 4c 5c 6c 7c")
    while plan := recorded.found.table.outcome.plan:
        play(f"act {plan[0].seat} fold" if isinstance(plan[0], ActStep) else "done" if len(plan) == 1 else "card -")
    stood = recorded.found.table.outcome.state.seating
    assert recorded.restart().found.table.outcome.state.seating == stood
