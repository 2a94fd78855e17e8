"""What the records make of the recorded stories: hands in every format, pictures, the drop, what may be amended.

    python -m tests.recorded.hands [NAME ...]    print what is made of these stories, or of all
    python -m tests.recorded.hands --record      put the digests of it all on record, in hands.txt

On record is a digest for each time that a hand is over, and one for how the story ends.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.facts import HandOver
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.records import phh, public_view
from controller.records.action_history import NotRepresentableError
from controller.records.broadcast.hand_feed import BlindSeats, BroadcastHand, build_feed
from controller.records.broadcast.hand_frames import FilmedEntry, Frame, build_frames, render_frame
from controller.records.drop import DropRecorder
from controller.records.export_formats import ExportFormat, write_hand
from controller.records.hand_record import HandRecord, HandRecorder, compute_gains
from tests.recorded.answers import Line, digest, read_stories, write_record

RECORD = Path(__file__).with_suffix(".txt")

EVENING = datetime(2026, 11, 22, 18, 30, 15, 250_000, tzinfo=UTC)
PROGRAM = "1.2.3"


def iter_hands(story: Sequence[Line]) -> Iterator[str]:
    """What is made of each hand as it is over, and of what is left at the end of the story."""
    table, recorder, drop = Table(), HandRecorder(), DropRecorder(1)
    filmed, told = list[FilmedEntry](), list[str]()
    for number, line in enumerate(story, start=1):
        event = None
        try:
            event = parse_table_line(line) if line["ev"] == "table" else parse_line(line)
            outcome = table.handle(event, number)
        except Refused:
            continue
        at = EVENING + timedelta(seconds=number)
        signer = {"name": f"dealer {number // 20}", "role": "dealer"} if number % 3 == 0 else None
        recorder.receive_event(event, outcome, number, table.history)
        row = drop.receive_outcome(outcome, table.history, at.isoformat(), signer)
        told.append(_write(public_view.render_public_line(event, outcome)))
        told += [] if row is None else [_write(row.to_json())]
        filmed.append(FilmedEntry(number, outcome.state, outcome.facts))
        if not outcome.has_fact(HandOver):
            continue
        frames = build_frames(filmed)
        told += [_write(render_frame(frame)) for frame in frames]
        told += _write_feed(frames, table, at)
        told += [] if not recorder.finished_records else _write_record(recorder.finished_records[-1], at)
        told += [str(public_view.find_showdown_result(outcome)), _describe_entries(table)]
        yield "\n".join(told)
        told.clear()
        filmed.clear()
    told += [line for record in recorder.finished_records for line in _write_record(record, EVENING)]
    told += [_describe_entries(table), _write([row.to_json() for row in drop.rows]), f"{drop.open_chips}"]
    told += [f"{drop.open_chips_at_rest} {drop.account_at_rest} {drop.begun_chips}"]
    yield "\n".join(told)


def _write(content: object) -> str:
    return json.dumps(content)


def _write_record(record: HandRecord, at: datetime) -> list[str]:
    """The hand in every format, or why it is in none, and who gained what."""
    signed = {"upto": record.number, "chain": "00" * 32, "signature": "11" * 64} if record.number % 2 else None
    place = phh.Provenance(7, at, PROGRAM, (f"dealer {record.number}",), {record.number: "22" * 64}, signed)
    told = [_write(sorted(compute_gains(record).items()))]
    for form in ExportFormat:
        try:
            told.append(write_hand(form, record, place, "EUR" if record.number % 2 else None, record.number % 3))
        except NotRepresentableError as why:
            told.append(str(why))
    return told


def _write_feed(frames: tuple[Frame, ...], table: Table, at: datetime) -> list[str]:
    """The hand as a broadcaster's feed has it."""
    state = table.outcome.state
    if not frames or state.hand is None:
        return []
    seats = (*state.hand.dealing_order, 0, 0, 0)
    hand = BroadcastHand(frames, state.setup, BlindSeats(seats[0], seats[1], seats[2]), at)
    return [_write(build_feed([hand], since=EVENING, program=PROGRAM))]


def _describe_entries(table: Table) -> str:
    return _write([public_view.list_amendable_entries(table.history), public_view.describe_players(table.outcome)])


def main(arguments: list[str]) -> None:
    """Print what is made of stories, or put its digests on record."""
    stories = read_stories()
    if arguments == ["--record"]:
        write_record(RECORD, {name: [digest(each) for each in iter_hands(story)] for name, story in stories.items()})
        return
    for name in arguments or stories:
        print(f"# {name}")
        for hand in iter_hands(stories[name]):
            print(hand, end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
