"""`tablectl journal verify`: prove on any machine that a journal is as the table wrote it."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from controller.cli.progress import QUIET, show_progress
from controller.command_table import Command, Option
from controller.runtime.journal.journal_reader import APPLICATION_ID, JournalReader, find_closed_files
from controller.runtime.journal.proof.chain import (
    BadRecordError,
    ExportEnd,
    JournalProof,
    JournalRecord,
    KnownHead,
    parse_export,
    verify_journal,
)
from controller.runtime.journal.proof.head_file import HEAD_FILE, find_unreadable_heads, read_known_head
from controller.runtime.journal.receipt import Receipt, parse_receipt
from controller.runtime.storage.sqlite_database import DatabaseError, describe_error, open_read_only
from controller.runtime.storage.state_directory import JOURNAL_FILE

SQLITE_MAGIC = b"SQLite format 3\0"


def run(options: argparse.Namespace) -> int:
    """Verify; return the exit status."""
    try:
        receipts = [_read_receipt_file(path) for path in options.receipt]
        device = _find_device_key(options.key, receipts)
        heads = [*(receipt.head for receipt in receipts), *_read_heads_beside(options.files)]
        proof = verify_journal(
            show_progress(read_records(options.files), "records", quiet=options.quiet), device, heads
        )
        _check_same_table(proof, receipts)
    except BadRecordError as why:
        print(f"tablectl journal: {_explain(options, why)}", file=sys.stderr)
        return 1
    except (DatabaseError, OSError, ValueError) as why:
        told = f"{why.filename}: {describe_error(why, Path(why.filename))}" if isinstance(why, OSError) else why
        print(f"tablectl journal: {told}", file=sys.stderr)
        return 2
    for line in format_proof(proof, known=device is not None, export=_is_export(options.files[-1])):
        print(line)
    for name in _find_absent_files(options.files) if len(options.files) == 1 else ():
        print(f"absent  {name}: put it beside the others to have it proved too")
    for path in [head for each in options.files if each.name == JOURNAL_FILE for head in find_unreadable_heads(each)]:
        print(f"unread  {path.name}: it would say how far the journal goes")
    return 0


def _explain(options: argparse.Namespace, why: BadRecordError) -> str:
    """Say what does not hold; of the files of a table itself also what was compared, and what to look at."""
    tables = [path for path in options.files if path.name == JOURNAL_FILE]
    if not tables:
        return str(why)
    closed = [each.name for path in tables for each in find_closed_files(path).values()]
    beside = [*closed, *map(str, [options.key] if options.key else []), *map(str, options.receipt)]
    named = f" (with {', '.join(beside)})" if beside else ""
    return (
        f"{', '.join(map(str, options.files))}{named}: {why}; see that journal.tail and the -wal lie beside it, and "
        "put back what is missing or an older copy"
    )


def _find_absent_files(paths: Iterable[Path]) -> Iterator[str]:
    """Name the closed files of which only the later ones are here; raises `DatabaseError`."""
    for path in paths:
        if path.name == JOURNAL_FILE:
            with closing(JournalReader.open(path)) as journal:
                absent = journal.find_absent_file()
            if absent is not None:
                yield absent


def format_proof(proof: JournalProof, *, known: bool, export: bool = False) -> Iterator[str]:
    """Say what was proved, and what was not; `export`: of a copy, beside which no `journal.head` can stand."""
    yield f"journal {proof.journal_name}: records {proof.first_record} to {proof.last_record} are as they were written"
    yield f"chain   {proof.chain}"
    yield f"key     {proof.device_key}" + ("" if known else " (named by the journal itself; give --key or --receipt)")
    if proof.last_signed_record == proof.last_record or proof.last_signed_record == proof.last_record - 1:
        yield f"signed  up to record {proof.last_signed_record}"
    elif proof.last_signed_record:
        yield f"signed  up to record {proof.last_signed_record}; nothing proves that what follows is all there was"
    else:
        yield "signed  nowhere: nothing proves that this is all there was"
    if export and not proof.is_end_signed:
        yield (
            f"end     not signed: what came after record {proof.last_record} may have been cut off; compare with a "
            f"receipt"
        )
    yield (
        f"entries {proof.entry_count}, power lost {proof.power_loss_count} times, clock set back "
        f"{proof.clock_setback_count} times"
    )
    for auditor, (first, last) in proof.record_range_by_auditor.items():
        yield f"sealed  to {auditor}, who can open hands that begin in records {first} to {last}"
    if proof.gap_count:
        yield f"gaps    {proof.gap_count}: records that had been acknowledged were lost, see the records of kind `gap`"
    if proof.first_record > 1:
        yield f"begins  with record {proof.first_record}: the files before it are not among these"


def _find_device_key(path: Path | None, receipts: Iterable[Receipt]) -> str | None:
    keys = {receipt.device_key for receipt in receipts}
    if path is not None:
        key = path.read_text(encoding="ascii", errors="replace").strip()
        if len(key) != 64:
            raise ValueError(
                f"{path}: is no public key of a table (64 hexadecimal signs): take the one of its receipts"
            )
        keys.add(key)
    if len(keys) > 1:
        raise ValueError("the key and the receipts given are not of one table")
    return next(iter(keys), None)


def _read_receipt_file(path: Path) -> Receipt:
    try:
        return parse_receipt(path.read_text(encoding="ascii", errors="replace"))
    except ValueError as why:
        raise ValueError(f"{path}: {why}") from None


def _read_heads_beside(paths: Sequence[Path]) -> Iterator[KnownHead]:
    """What the table itself knows, beside its journal, of how far that goes."""
    for path in paths:
        known = read_known_head(path) if path.name == JOURNAL_FILE else None
        if known is not None:
            yield KnownHead(*known, f"{HEAD_FILE} or {HEAD_FILE}-copy beside {path.name}")


def _check_same_table(proof: JournalProof, receipts: Iterable[Receipt]) -> None:
    for receipt in receipts:
        if receipt.journal_name != proof.journal_name:
            raise BadRecordError(proof.first_record, f"belongs to another journal than the receipt of {receipt.date}")


def read_records(paths: Sequence[Path]) -> Iterator[JournalRecord | ExportEnd]:
    """Read exports and files of journals, one after the other; raises `BadRecordError`, `DatabaseError`, `OSError`."""
    for path in sorted(paths, key=_find_first_record) if len(paths) > 1 else paths:
        if _is_export(path):
            with open(path, "rb") as file:
                yield from parse_export(file)
            continue
        archive = JournalReader(path, open_read_only(path, APPLICATION_ID), alone=len(paths) > 1)
        try:
            yield from archive.read_records(linked=False)
        finally:
            archive.close()


def _find_first_record(path: Path) -> int:
    """The number of a file's first record: in the order of the shell `journal-10001` comes before `journal-2`."""
    with ExitStack() as opened:
        if _is_export(path):
            records = parse_export(opened.enter_context(open(path, "rb")))
        else:
            archive = JournalReader(path, open_read_only(path, APPLICATION_ID), alone=True)
            opened.callback(archive.close)
            records = archive.read_records(linked=False)
        first = next((record for record in records if isinstance(record, JournalRecord)), None)
        return 0 if first is None else first.number


def _is_export(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC


COMMAND = Command(
    "verify",
    "prove that a journal is as the table wrote it",
    Option("files FILE", "an export; the file in use; or every file", Path, nargs="+"),
    Option("--key FILE", "device.pub of the table, kept since it was put up", Path),
    Option("--receipt FILE", "a receipt it must fit", Path, default=[], repeated=True),
    QUIET,
    description="Checks the chain and the signatures of a journal: an exported copy, or the file itself, with the "
    "closed files before it. Needs no table. Exit status: 0 whole, 1 not (the first bad record is named), 2 a file "
    "cannot be read.",
    run=run,
)
