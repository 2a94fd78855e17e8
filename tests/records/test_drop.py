"""What was dropped, hand by hand: examples counted by hand."""

from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.steps import ActStep, CardStep, CollectStep, ShowStep
from controller.records.drop import DropGrouping, DropRecorder, DropRow, DropSum, ShiftClock, sum_drop
from tests.playing import NO_LIMIT

FEE = {"kind": "hand", "fee": 1}
TIME = {"kind": "time", "fee": 4, "minutes": 30}
ADA, BEN = {"name": "Ada", "role": "dealer"}, {"name": "Ben", "role": "dealer"}
FLOOR = {"name": "Flo", "role": "floor"}


class Story:
    """A table of three players and what is kept of its drop."""

    def __init__(
        self, collection: dict[str, Any] | None = FEE, *, tracked: bool = True, book: str = "roberts-7"
    ) -> None:
        self.table, self.recorder = Table(), DropRecorder(1)
        line = {
            "ev": "table", "rulebook": book, "game": "holdem", "betting": NO_LIMIT, "button": 1, "mode": "cash",
            "amounts": "tracked" if tracked else "untracked",
            "seats": [{"seat": seat} | ({"stack": 100} if tracked else {}) for seat in (1, 2, 3)],
        }  # fmt: skip
        self.table.handle(parse_table_line(line if collection is None else line | {"collection": collection}))

    def take(
        self, *lines: dict[str, Any], at: str = "2026-01-31T21:00:00.000+00:00", by: dict[str, Any] | None = ADA
    ) -> None:
        for line in lines:
            outcome = self.table.handle(parse_line(line))
            self.recorder.receive_outcome(outcome, self.table.history, at, by)

    def play(self, at: str = "2026-01-31T21:00:00.000+00:00", by: dict[str, Any] | None = ADA) -> None:
        """A hand that the big blind wins before the flop."""
        self.take({"ev": "start"}, at=at, by=by)
        self.finish(at, by)

    def finish(self, at: str = "2026-01-31T21:00:00.000+00:00", by: dict[str, Any] | None = ADA) -> None:
        """The hand that is on, where all fold in turn."""
        while self.table.outcome.state.is_hand_on:
            match self.table.outcome.state.plan.next_step:
                case CardStep():
                    line: dict[str, Any] = {"ev": "card", "card": None}
                case ActStep(seat=seat):
                    line = {"ev": "act", "seat": seat, "do": "fold"}
                case ShowStep(seat=seat):
                    line = {"ev": "muck", "seat": seat}
                case _:
                    line = {"ev": "done"}
            self.take(line, at=at, by=by)

    def amounts(self) -> list[tuple[int, int | None]]:
        return [(row.hand, row.amount) for row in self.recorder.rows]


def test_a_row_says_when_who_dealt_and_what_the_hand_gave() -> None:
    story = Story()
    story.play()
    story.play(by=BEN, at="2026-01-31T22:10:00.000+00:00")
    first, second = story.recorder.rows
    assert (first.hand, first.kind, first.amount_by_kind, first.dealer) == (1, "hand", {"hand": 1}, "Ada")
    assert (second.dealer, second.ended_at) == ("Ben", "2026-01-31T22:10:00.000+00:00")
    assert first.game == second.game != ""


def test_a_hand_that_no_dealer_signed_is_of_the_one_signed_in() -> None:
    story = Story()
    story.recorder.receive_sign_in("Ada", "dealer")
    story.recorder.receive_sign_in("Flo", "floor")
    story.play(by=FLOOR)
    story.recorder.receive_sign_in("Ada", "dealer", is_sign_out=True)
    story.play(by=None)
    assert [row.dealer for row in story.recorder.rows] == ["Ada", ""]


def test_what_is_taken_back_is_in_no_row_and_comes_again_once() -> None:
    story = Story()
    story.play()
    story.take({"ev": "undo"})
    assert story.amounts() == []
    assert story.recorder.open_chips == 1
    assert [row.amount for row in story.recorder.rows_at_rest] == [1]
    story.take({"ev": "done"})
    assert story.amounts() == [(1, 1)]
    assert story.recorder.open_chips == 0


def test_untracked_amounts_are_unknown_and_never_0() -> None:
    story = Story(tracked=False)
    story.play()
    assert story.amounts() == [(1, None)]
    assert story.recorder.open_chips is None
    assert sum_drop(story.recorder.rows, DropGrouping.DEALER) == (DropSum("Ada", 1, None, 1),)
    story.take({"ev": "collection", "kind": "none"})
    story.play()
    assert story.amounts() == [(1, None), (2, 0)]


def test_a_table_without_a_collection_has_no_rows() -> None:
    story = Story(None)
    story.play()
    assert story.recorder.rows == ()
    story.take({"ev": "collection", **FEE})
    story.play()
    assert story.amounts() == [(2, 1)]


def test_a_hand_keeps_its_kind_when_the_floor_changes_it() -> None:
    story = Story()
    story.play()
    story.take({"ev": "collection", **TIME}, {"ev": "collection", "kind": "button", "fee": 3})
    story.play()
    assert [row.amount_by_kind for row in story.recorder.rows] == [{"hand": 1}, {"button": 3}]
    assert [each.label for each in sum_drop(story.recorder.rows, DropGrouping.KIND)] == ["hand", "button"]


def test_who_pays_for_time_stands_in_the_row_also_after_an_undo() -> None:
    story = Story(TIME)
    story.take({"ev": "start"}, {"ev": "done"}, {"ev": "undo"}, {"ev": "collect", "seat": 2, "paid": False})
    story.take({"ev": "undo"})
    while isinstance(step := story.table.outcome.state.plan.next_step, CollectStep):
        story.take({"ev": "collect", "seat": step.seat, "paid": step.seat != 2})
    story.take({"ev": "report", "what": "missing-card"})
    assert story.recorder.open_chips == 8
    story.finish()
    (row,) = story.recorder.rows
    assert (row.amount_by_kind, row.paying_seats) == ({"time": 8}, (1, 3))


def test_who_has_no_chip_left_for_the_time_does_not_stand_in_the_row() -> None:
    story = Story(TIME)
    story.take({"ev": "stack", "seat": 2, "stack": 1})  # the small blind
    story.play()
    (row,) = story.recorder.rows
    assert (row.amount, row.paying_seats) == (8, (1, 3))


def test_a_hand_that_is_on_again_has_its_charges_still() -> None:
    story = Story(TIME, book="tda-2024")
    story.play()
    assert [row.paying_seats for row in story.recorder.rows] == [(1, 2, 3)]
    story.take({"ev": "report", "what": "duplicate", "where": "hand", "seat": 3})
    assert story.table.outcome.state.is_hand_on
    assert (story.amounts(), story.recorder.open_chips) == ([], 12)
    story.finish()
    assert [(row.amount, row.paying_seats) for row in story.recorder.rows] == [(12, (1, 2, 3))]


def test_an_amendment_of_the_hand_that_is_over_changes_its_row() -> None:
    story = Story({"kind": "rake", "percent": 10})
    story.take({"ev": "start"}, *[{"ev": "card", "card": None}] * 6)
    story.take({"ev": "act", "seat": 1, "do": "raise", "to": 20}, {"ev": "act", "seat": 2, "do": "call"})
    raised = story.table.history.entries[-2].line
    story.finish()
    assert story.amounts() == [(1, 4)]
    story.take({"ev": "amend", "line": raised, "to": {"ev": "act", "seat": 1, "do": "raise", "to": 50}}, by=FLOOR)
    assert not story.table.outcome.state.is_hand_on
    assert story.amounts() == [(1, 10)]
    assert story.recorder.rows[0].dealer == "Ada"


def test_a_session_that_goes_on_from_another_counts_what_it_takes_itself() -> None:
    story = Story(TIME)
    story.play()
    story.recorder = DropRecorder(2, story.table.outcome.state)
    assert (story.recorder.open_chips, story.amounts()) == (0, [])
    story.take({"ev": "start", "t": 1900.0})
    story.finish()
    assert story.amounts() == [(2, 12)]
    assert story.recorder.open_chips == 0


def test_a_table_that_stands_before_a_hand_has_no_row_of_it() -> None:
    story = Story()
    story.play()
    before = story.table.outcome, story.table.history
    story.play()
    assert story.amounts() == [(1, 1), (2, 1)]
    story.recorder.receive_outcome(*before, "2026-01-31T21:00:00.000+00:00")
    assert story.amounts() == [(1, 1)]


ROW = DropRow(1, 1, "2026-01-31T21:59:59.999+00:00", "2026-02-01T05:30:00.000+00:00", "Hold'em", "rake", {"rake": 5})


@pytest.mark.parametrize(
    ("ended", "zone", "shift", "hour"),
    [
        ("2026-02-01T05:59:59.999+00:00", "UTC", "2026-01-31 22:00", "2026-02-01 05:00"),
        ("2026-02-01T06:00:00.000+00:00", "UTC", "2026-02-01 06:00", "2026-02-01 06:00"),
        ("2026-02-01T05:30:00.000+00:00", "Europe/Vienna", "2026-02-01 06:00", "2026-02-01 06:00"),
        ("2026-02-01T21:59:00.000+00:00", "UTC", "2026-02-01 14:00", "2026-02-01 21:00"),
    ],
)
def test_a_hand_belongs_to_the_hour_and_shift_in_which_it_was_over(
    ended: str, zone: str, shift: str, hour: str
) -> None:
    clock = ShiftClock(ZoneInfo(zone))
    row = DropRow(1, 1, ended, ended, "Hold'em", "rake", {"rake": 5})
    assert sum_drop([row], DropGrouping.SHIFT, clock) == (DropSum(shift, 1, 5),)
    assert sum_drop([row], DropGrouping.HOUR, clock) == (DropSum(hour, 1, 5),)
    assert ShiftClock(starts=(time(5, 30),)).find_shift(ROW.ended_at) == "2026-02-01 05:30"
