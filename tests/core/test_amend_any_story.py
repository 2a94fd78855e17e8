"""Whatever happened at a table and whatever is put right of it: laws of every amendment.

An entry amended to itself changes nothing. One amended, and then amended back or undone, changes nothing. A table that
was amended stands as one that was told so from the beginning. The answer has each ruling that the hand has now and had
not before, and each that it had and has not any more.
"""

import os
from collections import Counter
from typing import Any

import pytest

from controller.core.engine.amendments.hand_history import AcceptedEntry
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.model.outcome import Outcome
from controller.core.model.table_memory import TableMemory
from controller.core.protocol.events import (
    AmendmentMade,
    CardDealt,
    CardDetected,
    EntryUndone,
    HandStarted,
    TimePassed,
)
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.rules.rulings import Ruling
from controller.core.values.value import replace
from tests.core.arbitrary import (
    Pick,
    WatchedTable,
    list_night_seeds,
    make_any_spoken_line,
    otherwise,
    picks,
    play_random_events,
    sound,
    use_vocabulary,
)
from tests.core.kept_scripts import keep_script, read_scripts, rename_script
from tests.core.test_any_order import iter_random_numbers

FACTS = {"amend-a-fact", "amend-too-late"}


def render_without_rulings(outcome: Outcome) -> dict[str, Any]:
    """All that a table says but for what was ruled last."""
    line = outcome_rendering.render_outcome(outcome, 0)
    return {key: value for key, value in line.items() if key not in ("rulings", "amended")}


def replay_entries(table: Table) -> Outcome:
    """How a table stands that is told the entries of another from the beginning."""
    history = table.history
    again = Table.from_memory(TableMemory(history.base_state), history.base_line)
    for each in history.entries:
        again.handle(each.event, each.line)
    return again.handle(TimePassed(time_s=table.outcome.state.time.time_s))


def can_be_told_at_once(table: Table) -> bool:
    """Whether nothing but its entries made the table what it is: no card is to be moved, no fact outlived an undo."""
    history = table.history
    return not history.corrective_moves and all(each.state_after is not None for each in history.entries)


def make_reverse_amendment(table: Table, each: AcceptedEntry, made: AmendmentMade, line: int) -> AmendmentMade | None:
    """What amends an amendment back; `None` where it told of a card that left the shoe."""
    if isinstance(made.corrected, CardDealt) and (
        made.before_line is not None or not isinstance(each.event, CardDealt)
    ):
        return None
    if made.before_line is not None:
        stands = any(one.line == line for one in table.history.entries)
        return (
            AmendmentMade(None, line=line) if stands else None
        )  # a late `misread` is no entry: it amends that of its card
    if made.corrected is not None:
        return AmendmentMade(each.event, line=each.line)
    later = [one.line for one in table.history.entries if one.line > each.line]
    return AmendmentMade(replace(each.event, time_s=None), before_line=later[0] if later else line + 1)


def changes(table: Table, each: AcceptedEntry, pick: Pick) -> AmendmentMade | None:
    """Any correction of an entry, or something that was forgotten before it."""
    inserted = pick(4) == 0
    to = make_any_spoken_line(table, pick) if inserted else otherwise(table, each.event, pick)
    place = {"before": each.line} if inserted else {"line": each.line}
    try:
        event = parse_line({"ev": "amend", "to": to, **place})
    except Refused:
        return None
    assert isinstance(event, AmendmentMade)
    return event


def hold_the_laws(seed: int, length: int) -> int:
    """Play a story and put right whatever can be; returns how often that was taken."""
    pick = picks(iter_random_numbers(seed))
    watched = play_random_events(pick, length)
    with keep_script(watched.script):
        return hold_the_laws_at(watched.table, pick)


def hold_the_laws_at(table: Table, pick: Pick) -> int:
    """Put right whatever can be at a table; returns how often that was taken."""
    before, entries, line, taken = render_without_rulings(table.outcome), table.history.entries, 10_000, 0
    if can_be_told_at_once(table):
        assert render_without_rulings(replay_entries(table)) == before
    for each in entries:
        amend_to_itself(table, each, before)
        made = changes(table, each, pick)
        if made is None or each.first_step in table.history.corrective_moves:
            continue
        line += 10
        rulings = list_rulings(table)
        outcome = try_amendment(table, made, line)
        if isinstance(outcome, Refused):
            assert render_without_rulings(table.outcome) == before
            continue
        taken += 1
        sound(outcome.state, outcome)
        there = render_without_rulings(outcome)
        if can_be_told_at_once(table):
            assert render_without_rulings(replay_entries(table)) == there, made
        assert outcome.amendment_effect is not None
        withdrawn = Counter(outcome.amendment_effect.withdrawn_rulings)
        assert rulings - withdrawn + Counter(outcome.rulings[1:]) == list_rulings(table), made
        assert withdrawn <= rulings
        if table.history.corrective_moves:
            for other in table.history.entries:
                amend_to_itself(table, other, there)
        again = None if outcome.amendment_effect.dropped_lines else make_reverse_amendment(table, each, made, line)
        if again is not None:
            answer = try_amendment(table, again, line + 1)
            if isinstance(answer, Refused):
                assert answer.code == "amend-too-late" or isinstance(each.event, CardDetected | HandStarted), (
                    made,
                    answer.message,
                )
                table.handle(EntryUndone())
                continue
            assert render_without_rulings(answer) == before, made
            forgotten = bool(outcome.plan) and not answer.plan  # the hand is over: `undo` knows no hidden card any more
            assert render_without_rulings(table.handle(EntryUndone())) == there or forgotten
        assert render_without_rulings(table.handle(EntryUndone())) == before
    return taken


def list_rulings(table: Table) -> Counter[Ruling]:
    """Every ruling that the hand has."""
    return Counter(ruling for each in table.history.entries for ruling in each.rulings)


def try_amendment(table: Table, event: AmendmentMade, line: int) -> Outcome | Refused:
    """What the table says to an amendment."""
    try:
        return table.handle(event, line)
    except Refused as why:
        return why


def amend_to_itself(table: Table, each: AcceptedEntry, before: dict[str, Any]) -> None:
    """Nothing changes, and nothing is told; what an amendment before has to be moved is so still."""
    moves = table.history.corrective_moves
    outcome = try_amendment(table, AmendmentMade(each.event, line=each.line), 9_999)
    if isinstance(outcome, Refused):
        assert outcome.code in FACTS, (each, outcome.message)
        return
    assert table.history.corrective_moves == moves
    table.handle(EntryUndone())
    assert render_without_rulings(outcome) == before, each
    assert len(outcome.rulings) == 1
    assert outcome.amendment_effect is not None
    assert (
        outcome.amendment_effect.chip_change_by_seat,
        outcome.amendment_effect.lapsed_findings,
        outcome.amendment_effect.dropped_lines,
        outcome.amendment_effect.withdrawn_rulings,
    ) == ({}, (), (), ())


SCRIPTS = read_scripts("amended-*")


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_laws_hold_in_a_story_in_which_they_once_did_not(name: str) -> None:
    opened, *lines = SCRIPTS[name]
    watched = WatchedTable(opened, is_looked_at=False)
    for line in lines:
        watched.take(line)
    assert hold_the_laws_at(watched.table, picks(iter_random_numbers(1)))


def test_the_laws_hold_in_any_story() -> None:
    assert sum(hold_the_laws(seed, 20 + seed) for seed in range(12)) > 20


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("half", range(2))
def test_the_laws_hold_in_many_stories(half: int) -> None:
    """A twentieth of `STORIES`; two processes share them. Every failure is told, not the first alone."""
    count = int(os.environ.get("STORIES", "100000")) // 40
    failed = []
    for seed in list_night_seeds(0, half, count):
        try:
            with use_vocabulary(seed // 100):
                hold_the_laws(seed, 20 + seed % 70)
        except Exception as error:
            path = rename_script(error, f"amended-{seed}")
            failed.append(f"{seed}: {type(error).__name__}: {error}"[:300] + f" ({path})")
    assert not failed, f"{len(failed)} of {count}: " + "; ".join(failed)
