"""Every report, in every game of every book: whatever it comes to, people can play on at the table.

A table of each game of each book is played at random. Each report is made on a copy of it, at the first entry at which
the table takes it. What is true of that one entry is looked at every time; `make test` plays one in so many to the end
of the hand, the night all of them.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from config import rulebook_file
from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.model.setup import Setup
from controller.core.protocol.events import (
    EVENT_NAME_BY_CLASS,
    EntryUndone,
    Event,
    HandStarted,
    Report,
    TournamentEnded,
)
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.protocol.vocabulary import ReportKind
from controller.runtime.journal.recovery.snapshot import Snapshot, parse_snapshot, render_snapshot
from tests.core.arbitrary import (
    Pick,
    WatchedTable,
    a_report,
    fitting,
    games_of,
    iter_obedient_answers,
    make_any_line,
    make_rare_line,
    make_table_line,
    play_to_the_end,
    sound,
    tell_rounds_only,
)
from tests.core.test_amend_any_story import amend_to_itself, render_without_rulings
from tests.laws.blocks import list_blocks
from tests.laws.clauses import hold_the_law_of_clauses

EVENTS_PER_TABLE = 120
REPORTS_PER_EVENT = 4
QUICK_SHARE = 12
"""Of so many reports `make test` plays one to the end."""
ENTRIES_AFTER_START = 12
MAX_TABLES_MORE = 60
MIN_REACHED = 20
"""So many reports in each game of each book are reached; a good 28 can be, and each block has others."""
ANSWERS = {ReportKind.OPENED, ReportKind.PASSED_OUT}
"""What is said only where the table asks whether a pot was opened: tests/rules/conduct/test_rounds.py."""
SAID_BY_THE_TABLE = {"refused"}
KEYS = {kind: set(() if kind in ANSWERS else kind.terms.keys) - SAID_BY_THE_TABLE for kind in ReportKind}
RARE = (("roberts-7", "jacks-or-better"), ("tda-2024", "holdem"), ("roberts-7", "stud-7"))
GAMES = [(book, game) for book in rulebook_file.list_rulebooks() for game in games_of(book)]
PARTS = 4
"""Into so many tests a block is cut, each with every fourth game: none of them takes long on a busy machine."""


class Reach:
    """What the laws were held of, and how often."""

    def __init__(self) -> None:
        self.reports: set[tuple[str, str, ReportKind]] = set()
        self.keys: dict[ReportKind, set[str]] = {kind: set() for kind in ReportKind}
        self.events: Counter[type[Event]] = Counter()
        self.tracking: Counter[tuple[str, bool]] = Counter()

    def list_untold(self) -> list[ReportKind]:
        """Return the reports of which none was taken yet, or none with one of their keys."""
        told = {kind for _, _, kind in self.reports} | ANSWERS
        return [kind for kind, keys in self.keys.items() if kind not in told or keys < KEYS[kind]]

    def add(self, book: str, game: str, report: Report, line: dict[str, Any]) -> None:
        self.reports.add((book, game, report.kind))
        self.keys[report.kind] |= line.keys() - {"ev", "what"}


def make_any_entry(table: Table, pick: Pick) -> dict[str, Any]:
    """What the table waits for, mostly; or anything at all, the rarest things too."""
    return fitting(table, pick) if pick(7) else make_any_line(table, pick) if pick(3) else make_rare_line(pick)


def parse_or_none(line: dict[str, Any]) -> Event | None:
    try:
        return parse_line(line)
    except Refused:
        return None


def can_take(table: Table, event: Event) -> bool:
    try:
        table.copy().handle(event)
    except Refused:
        return False
    return True


def iter_reports(
    table: Table, pick: Pick, left: list[ReportKind], reach: Reach
) -> Iterator[tuple[Report, dict[str, Any]]]:
    """Reports that the table takes as it stands: of the kinds that are `left`, or with a key that none had yet."""
    for _ in range(REPORTS_PER_EVENT if table.outcome.plan else 0):
        wanted = left + reach.list_untold()
        if not wanted:
            return
        kind = wanted[pick(len(wanted))]
        untold = KEYS[kind] - reach.keys[kind]
        line = a_report(table.outcome.state, pick, kind.value, untold if pick(2) else ())
        event = parse_or_none(line)
        if (kind in left or not line.keys() - {"ev", "what"} <= reach.keys[kind]) and event and can_take(table, event):
            assert isinstance(event, Report)
            left[:] = [each for each in left if each is not kind]
            yield event, line


def hold_the_laws_of_an_entry(opened: dict[str, Any], stood: Table, line: dict[str, Any]) -> Table:
    """What is true of a table that took this report, and of that table without it; returns the former."""
    before = render_without_rulings(stood.outcome)
    table = stood.copy()
    assert WatchedTable(opened, table).take(line) is not None
    hold_the_law_of_clauses(opened["rulebook"], table.outcome.rulings)
    told = render_without_rulings(table.outcome)
    if table.history.entries and not table.history.corrective_moves:  # those say where cards lay, not what was entered
        amend_to_itself(table, table.history.entries[-1], told)
        assert render_without_rulings(table.outcome) == told, "taken back, an amendment changed the table"
    if table.outcome.plan:  # else the hand is over, and its hidden cards are forgotten
        assert render_without_rulings(table.copy().handle(EntryUndone())) == before
    assert render_without_rulings(stood.outcome) == before, "a copy of the table changed the table"
    return table


def hold_the_laws_to_the_end(opened: dict[str, Any], table: Table, setup: Setup) -> None:
    """The hand has its end, and a table that is made of what is written down then answers as this one."""
    played = WatchedTable(opened, table, is_looked_at=False)
    play_to_the_end(played)
    sound(table.outcome.state, table.outcome)
    kept = Snapshot(1, table.to_memory(), 0.0, (), 0, frozenset())
    again = Table.from_memory(parse_snapshot(render_snapshot(kept), setup).memory, 1)
    assert again.outcome.state == table.outcome.state
    if can_take(table, HandStarted()):
        again.handle(HandStarted())
        table.handle(HandStarted())
        for _ in range(ENTRIES_AFTER_START if table.outcome.plan else 0):
            answers = (parse_line(line) for line in iter_obedient_answers(table.outcome))
            answer = next(event for event in answers if can_take(table, event))
            assert render_without_rulings(again.handle(answer)) == render_without_rulings(table.handle(answer))
            if not table.outcome.plan:
                break


def hold_the_laws_at_a_table(
    seed: str, place: tuple[str, str], kinds: Iterable[ReportKind], reach: Reach, share: int
) -> None:
    """Play one table, and make a report of each of these kinds at it, and of those with a key that none had yet."""
    book, game = place
    pick = random.Random(f"{seed} {book} {game}").randrange
    line = make_table_line(pick, book, games_of(book), game)
    if pick(5) == 0:
        tell_rounds_only(line)
    table, left = Table(), list(kinds)
    setup = table.handle(parse_table_line(line)).state.setup
    reach.tracking[setup.play_tracking.value, setup.tracks_amounts] += 1
    for _ in range(EVENTS_PER_TABLE):
        for report, told in iter_reports(table, pick, left, reach):
            reach.add(book, game, report, told)
            try:
                reported = hold_the_laws_of_an_entry(line, table, told)
                if pick(share) == 0:
                    hold_the_laws_to_the_end(line, reported, setup)
            except Exception as error:
                error.add_note(f"seed {seed}, {book}, {game}: {told}")
                raise
        event = parse_or_none(make_any_entry(table, pick))
        if event is not None:
            reach.events[type(event)] += 1
            if can_take(table, event):
                table.handle(event)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("block", list_blocks(1))
def test_people_can_play_on_after_every_report_in_every_game_of_every_book(block: int, part: int) -> None:
    games, reach, share = GAMES[part::PARTS], Reach(), 1 if block else QUICK_SHARE
    for place in games:
        hold_the_laws_at_a_table(str(block), place, ReportKind, reach, share)
    for again in range(MAX_TABLES_MORE):  # for what is seldom: a card before its round is over, a hand without openers
        if not reach.list_untold():
            break
        for place in RARE:
            hold_the_laws_at_a_table(f"{block} {part} {again}", place, (), reach, share)
    if block:  # the first is held to reach everything; others come to what they come to
        return
    assert reach.list_untold() == []
    assert {(book, game) for book, game, _ in reach.reports} >= set(games)
    assert {kind for *_, kind in reach.reports} == set(ReportKind) - ANSWERS
    # A table that is let go begins anew: tests/laws/test_tournament_over.py plays on after that.
    assert set(reach.events) == set(EVENT_NAME_BY_CLASS) - {TournamentEnded}
    assert set(reach.tracking) == {("acts", True), ("acts", False), ("rounds", False)}
    assert len(reach.reports) > MIN_REACHED * len(games)
