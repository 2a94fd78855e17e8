"""A script that breaks a law, made as short as it can be by leaving out lines, and how it is written and read."""

import json
from collections.abc import Sequence
from pathlib import Path

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.core.protocol.table_error import Refused
from tests.explore import laws
from tests.explore.canonical import CanonicalForm
from tests.explore.entries import Line, iter_answers
from tests.explore.explorer import Failure
from tests.explore.laws import LawBrokenError, take

MAX_REPLAYS = 400


def find_broken_law(script: Sequence[Line], salt: int = 0) -> LawBrokenError | None:
    """Play a script with every law held at every line, and the ways on from its end; the first that does not hold."""
    table = Table()
    befores: tuple[Table, ...] = ()
    try:
        form = CanonicalForm(table.handle(parse_table_line(script[0])).state.setup)
    except Refused:
        return None
    try:
        for line in script[1:]:
            stood = table.copy()
            shown = form.make_digest(stood)
            taken = take(table, line)
            form.forget_values()
            if form.make_digest(stood) != shown:
                raise LawBrokenError(laws.OTHER_TABLES, "the table before it has changed")
            if taken is None:
                continue
            laws.hold_laws_of_entry(script[0]["rulebook"], stood, table, line)
            laws.hold_undo(stood, table)
            befores = laws.list_undone(befores, stood, table, line)
            laws.hold_undo_of_everything(table, befores, form)
        laws.hold_offers(table, salt)
        for nth in range(len(table.history.entries)):
            laws.hold_amendment_by_itself(table, nth)
        laws.hold_snapshot(table, salt)
        play_to_the_end(script[0]["rulebook"], table, salt)
    except LawBrokenError as error:
        return error
    return None


def play_to_the_end(book: str, table: Table, salt: int) -> None:
    """Let people do as they are told until the hand is over; raises `LawBrokenError` where they cannot."""
    for _ in range(laws.MAX_WAY):
        if laws.is_at_rest(table.outcome.state):
            return
        stood = table.copy()
        line = next((line for line in iter_answers(stood, salt) if take(table, line) is not None), None)
        if line is None:
            raise LawBrokenError("a way leads to the award", f"nobody can do {table.outcome.state.plan[:1]}")
        laws.hold_laws_of_entry(book, stood, table, line)
    raise LawBrokenError("a way leads to the award", "no end of it")


def shrink(failure: Failure) -> tuple[Line, ...]:
    """Leave out lines as long as the same law is broken; the script as it is where no replay breaks it."""
    script = failure.script
    replays = MAX_REPLAYS

    def breaks(lines: Sequence[Line]) -> bool:
        nonlocal replays
        replays -= 1
        broken = find_broken_law(lines)
        return broken is not None and broken.law == failure.law

    if not breaks(script):
        return script
    size = max(1, len(script) // 2)
    while size and replays > 0:
        start, was = 1, script
        while start < len(script) and replays > 0:
            shorter = (*script[:start], *script[start + size :])
            if breaks(shorter):
                script = shorter
            else:
                start += size
        size = size // 2 if script == was or size > 1 else size
    return script


def write_failure(failure: Failure, script: Sequence[Line], folder: Path, nth: int) -> Path:
    """Write a failure as a table script, its law in the first line's `note`."""
    folder.mkdir(parents=True, exist_ok=True)
    opening = script[0]
    path = folder / f"{opening['rulebook']}-{opening['game']}-{nth}.jsonl"
    lines = [{**opening, "note": f"{failure.law}: {failure.found}"}, *script[1:]]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
