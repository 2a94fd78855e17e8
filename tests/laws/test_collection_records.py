"""What the house took stands in every record of the hand: other programs read back the table's stacks and its drop."""

import random
import warnings
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from pokerkit import HandHistory

from config import game_file
from controller.core.engine.output import outcome_rendering
from controller.core.model.table_state import TableState
from controller.core.protocol.facts import HandOver
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.core.values.value import replace
from controller.records import export_formats, ohh, phh
from controller.records.action_history import NotRepresentableError
from controller.records.export_formats import ExportFormat
from controller.records.hand_record import HandRecord, HandRecorder
from tests.core.arbitrary import (
    BETTING,
    STUD_BETTING,
    Pick,
    WatchedTable,
    any_collection,
    games_of,
    make_table_line,
)
from tests.laws.blocks import list_blocks
from tests.laws.test_collection import next_line, raked_line
from tests.records.readers import Account, of_ohh, of_text
from tests.records.simulated import Room

PLACE = phh.Provenance(session=3, began_at=datetime(2026, 11, 22, 18, 30, tzinfo=UTC), program="1.2.3")

QUICK_BLOCKS, TABLES_PER_BLOCK, HANDS_PER_TABLE, EVENTS_PER_TABLE = 3, 10, 8, 160


class RecordedTable:
    """A table, and the records of what is played at it."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.watched = WatchedTable(line, is_looked_at=False)
        self.recorder = HandRecorder()
        self.entry = 1

    def take(self, line: dict[str, Any]) -> TableState | None:
        """Play a line; the table with a hand that is over by it, else `None`."""
        outcome = self.watched.take(line)
        if outcome is None:
            return None
        self.entry += 1
        self.recorder.receive_event(parse_line(line), outcome, self.entry, self.watched.table.history)
        return outcome.state if outcome.has_fact(HandOver) else None


def regular_line(pick: Pick) -> dict[str, Any]:
    """A table of a game that PHH has a code for, on which the house takes something."""
    games = sorted({game for game, _ in phh.VARIANT_BY_GAME} & set(games_of("house-rules")))
    game = games[pick(len(games))]
    structures = [structure.value for name, structure in phh.VARIANT_BY_GAME if name == game]
    line = make_table_line(pick, "house-rules", (game,), game)
    first = {"button": line["seats"][0]["seat"]} if game_file.load_game(game).has_button else {}
    betting = BETTING[structures[pick(len(structures))]] if first else STUD_BETTING
    if game == "short-deck" and pick(2):
        betting = {"structure": "no-limit", "ante": 2, "ante_by": "button"}
    seats = [{"seat": seat["seat"], "stack": 20 + pick(300)} for seat in line["seats"]]
    told = {"rulebook": "house-rules", "game": game, "betting": betting, "seats": seats, **first}
    return {**told, "collection": any_collection(pick)}


def read_stacks(record: HandRecord, account: Account) -> dict[int, int]:
    """The stacks of an account by seat, whose players are named in the order of their seats."""
    return dict(zip(sorted(record.dealing_order), account.stacks.values(), strict=True))


def check_phh(record: HandRecord) -> bool:
    """Whether PHH can tell the hand, and PokerKit comes to its stacks by what the pots gave."""
    text = phh.render_text(phh.build_fields(record))
    if "_regular = false\n" in text:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # folds that were not forced
        history = HandHistory.loads(text)
        told = history.user_defined_fields.get("_collection", {})
        taken = {part["pot"]: part["amount"] for part in told.get("pots", ())}
        history.rake = phh.make_rake(taken)  # type: ignore[assignment]  # the history's type knows no state
        *_, last = history
    order = record.dealing_order
    assert list(last.stacks) == history.finishing_stacks == [record.finishing_stack_by_seat[seat] for seat in order]
    assert history.starting_stacks == [record.starting_stack_by_seat[seat] for seat in order]
    assert sum(history.starting_stacks) - sum(last.stacks) == sum(taken.values())
    assert told.get("total", 0) == sum(taken.values()) + count_paid_by_seats(record)
    return True


def count_paid_by_seats(record: HandRecord) -> int:
    """What seats paid to the house beside the pots."""
    if record.collection is None:
        return 0
    fee = record.collection.button_fee
    return sum(paid.amount for paid in (*record.collection.time_charges, *((fee,) if fee else ())))


def check_trackers(record: HandRecord) -> list[str]:
    """Read back what trackers read; which formats could tell the hand."""
    told: list[str] = []
    pot_chips = sum(record.taken_by_pot.values())
    with suppress(NotRepresentableError):
        text = export_formats.write_hand(ExportFormat.POKERSTARS, record, PLACE)
        account = of_text(text)
        assert read_stacks(record, account) == record.finishing_stack_by_seat
        assert account.raked == pot_chips
        told.append(ExportFormat.POKERSTARS.value)
    with suppress(NotRepresentableError):
        account = of_ohh(ohh.build_fields(record, PLACE))
        assert account.stacks == record.finishing_stack_by_seat
        assert account.raked == pot_chips
        told.append(ExportFormat.OHH.value)
    return told


def check_account(record: HandRecord, state: TableState) -> None:
    """The record says what the table does."""
    chairs, account = state.seating.state_by_seat, state.collection
    assert all(
        (chairs[seat].stack or 0) == stack for seat, stack in record.finishing_stack_by_seat.items() if seat in chairs
    )
    if account is None or not state.setup.tracks_amounts:
        assert record.collection is None or record.collection.total is None
        return
    drop = outcome_rendering.render_collection(replace(state, hand=None))["drop"]
    told = record.collection
    assert (0 if told is None else told.total) == drop["hand"] == account.last_hand_chips
    if told is not None:
        fee = 0 if told.button_fee is None else told.button_fee.amount
        charges = sum(paid.amount for paid in told.time_charges)
        assert told.pot_chips + fee + charges == told.total


def check_hand(record: HandRecord, over: TableState) -> list[str]:
    """Check the record of a hand that is over; which formats could tell it, and whether its pots gave anything."""
    check_account(record, over)
    told = check_trackers(record) + [ExportFormat.PHH.value] * check_phh(record)
    return [*told, "raked"] if record.taken_by_pot else told


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_ordinary_hands_are_read_back_to_the_tables_stacks_and_its_drop(block: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        line = regular_line(random.Random(seed).randrange)
        played = Room(seed, **line)
        with suppress(Refused):  # too few have chips
            for number in range(HANDS_PER_TABLE):
                record = played.hand(t=120.0 * number)
                seen.update(["hands", *check_hand(record, played.table.outcome.state)])
    assert block >= QUICK_BLOCKS or seen["raked"], seen
    assert block >= QUICK_BLOCKS or seen["phh"] > seen["hands"] * 9 // 10, seen


@pytest.mark.parametrize("block", list_blocks(QUICK_BLOCKS))
def test_what_happens_at_any_table_is_recorded_with_what_the_house_took(block: int) -> None:
    """Undone, amended and reopened hands, misdeals and dead hands among them."""
    seen: Counter[str] = Counter()
    for seed in range(block * TABLES_PER_BLOCK, (block + 1) * TABLES_PER_BLOCK):
        pick = random.Random(seed).randrange
        played = RecordedTable(raked_line(pick))
        for _ in range(EVENTS_PER_TABLE):
            over = played.take(next_line(played.watched, pick))
            if over is not None:
                seen.update(["hands", *check_hand(played.recorder.finished_records[-1], over)])
    assert block >= QUICK_BLOCKS or seen["hands"], seen
