"""`tablectl hands`: the finished hands of a table, listed, told, exported, and an export checked."""

import argparse
import sys
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from config.config_error import ConfigError
from config.table_file import CURRENCIES, load_table_file
from config.table_line import parse_table_line
from controller.cli.journal.journal_loss import report_loss
from controller.cli.progress import QUIET, show_progress
from controller.cli.table_options import JOURNAL_OPTIONS, find_state_and_library
from controller.command_table import Command, Option
from controller.records import phh
from controller.records.export_formats import ExportFormat, NotRepresentableError, read_hands, write_hand
from controller.records.hand_record import (
    AmendmentRecorded,
    CollectionRecorded,
    DecisionRecorded,
    HandRecord,
    compute_gains,
    format_game_title,
)
from controller.runtime.journal.hand_index import HandQuery
from controller.runtime.journal.journal_reader import JournalReader
from controller.runtime.journal.recovery.finished_hands import read_finished_hands, to_hand_row
from controller.runtime.journal.recovery.journal_replay import RecoveryError, find_session
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE

FinishedHand = tuple[HandRecord, phh.Provenance]
"""A finished hand and where it was played."""


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it as 2026-01-31") from None


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused, 2 the configuration cannot be used."""
    journal: JournalReader | None = None
    try:
        directory, library = find_state_and_library(options)
        journal = JournalReader.open(directory / JOURNAL_FILE)
        quiet = getattr(options, "quiet", False)
        every = getattr(options, "all", False)
        sessions = journal.list_sessions() if every else [find_session(journal, options.session)]
        opening = partial(parse_table_line, library=library)
        wanted = _make_query(options)
        hands = [
            (kept.record, kept.provenance)
            for session in sessions
            for kept in show_progress(read_finished_hands(journal, session, opening), "hands", quiet=quiet)
            if kept.record is not None and to_hand_row(kept).is_match(wanted)
        ]
        command: Callable[[argparse.Namespace, list[FinishedHand]], int] = options.action
        return max(command(options, hands), report_loss("hands", journal))
    except ConfigError as why:
        print(f"tablectl hands: {why}", file=sys.stderr)
        return 2
    except (DatabaseError, RecoveryError) as why:
        print(f"tablectl hands: {why}", file=sys.stderr)
        return 1
    finally:
        if journal is not None:
            journal.close()


def _find_next_day(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day


def _make_query(options: argparse.Namespace) -> HandQuery:
    given = vars(options)
    words = {key: given.get(key) or "" for key in ("player", "dealer", "ruling")}
    day: date | None = given.get("day")
    days = {} if day is None else {"since": day.isoformat(), "until": _find_next_day(day).isoformat()}
    return HandQuery.from_words(words | days)


def _find_hand(hands: list[FinishedHand], number: int) -> FinishedHand:
    for record, place in hands:
        if record.number == number:
            return record, place
    known = f"1 to {hands[-1][0].number}" if hands else "none yet"
    raise RecoveryError(f"there is no finished hand {number} in this session; there are {known}")


def _list(options: argparse.Namespace, hands: list[FinishedHand]) -> int:
    for record, place in hands:
        began = place.began_at
        winners = ", ".join(f"{record.player_by_seat[seat]} +{gain}" for seat, gain in compute_gains(record).items())
        notes = [f"{record.deal_count} deals"] if record.deal_count > 1 else []
        count = len(record.rulings)
        notes += [f"{count} ruling{'s' if count > 1 else ''}"] if count else []
        taken = 0 if record.collection is None else record.collection.total
        notes += [f"house {taken}"] if taken else []
        when = "" if began is None else began.isoformat(timespec="seconds")
        number = f"{place.session}/{record.number}" if options.all else record.number
        print(number, when, format_game_title(record.setup), winners or "-", ", ".join(notes) or "-", sep="\t")
    return 0


def _show(options: argparse.Namespace, hands: list[FinishedHand]) -> int:
    record, place = _find_hand(hands, options.hand)
    print(f"Hand {record.number}, {format_game_title(record.setup)}, {record.setup.rulebook.title}")
    print(f"Journal entries {record.first_entry} to {record.last_entry}, session {place.session}")
    for seat in record.dealing_order:
        forced = [f"ante {record.ante_by_seat[seat]}"] if seat in record.ante_by_seat else []
        forced += [f"posts {record.blind_by_seat[seat]}"] if seat in record.blind_by_seat else []
        marks = [f"stack {record.starting_stack_by_seat[seat]}"] if record.setup.tracks_amounts else []
        marks += ["button"] if seat == record.button_seat else []
        print(f"  seat {seat:2}  {record.player_by_seat[seat]}: {', '.join((*marks, *forced)) or 'dealt in'}")
    struck = sorted(record.amendments, key=lambda each: (each.at_entry, each.amending_entry))
    for index in range(len(record.actions) + 1):
        while struck and (index == len(record.actions) or struck[0].at_entry <= record.actions[index].entry):
            print(f"  {_format_amendment(struck.pop(0))}")
        for ruled in record.rulings:
            if ruled.action_count == index:
                deal = f"deal {ruled.deal_number}, " if record.deal_count > 1 else ""
                cites = ", ".join(cite.split("#")[0] for cite in ruled.ruling.cite)
                print(f"  * {deal}{ruled.ruling.finding}: {ruled.ruling.verdict.value} [{cites}] {ruled.ruling.text}")
        for decided in record.decisions:
            if decided.action_count == index:
                print(f"  * {_format_decision(decided)}")
        if index < len(record.actions):
            act = record.actions[index]
            print(f"  seat {act.seat:2}  {act.action_type.value}" + (f" {act.total}" if act.is_wager else ""))
    for drew in record.draws:
        print(f"  seat {drew.seat:2}  draws {drew.card_count}")
    if record.board:
        print(f"  board   {' '.join(card or '??' for card in record.board)}")
    for seat, cards in sorted(record.tabled_cards_by_seat.items()):
        print(f"  seat {seat:2}  shows {' '.join(cards) if cards else '(not read)'}")
    for seat, gain in compute_gains(record).items():
        print(f"  seat {seat:2}  wins {gain}")
    if record.collection is not None:
        print(f"  house    takes {_format_collection(record.collection)}")
    return 0


def _format_collection(collected: CollectionRecorded) -> str:
    """What the house took, and of what."""
    if collected.total is None:
        return "a part of the pot, which nobody counted" if collected.is_dropped else "nothing that was counted"
    fee, charges = collected.button_fee, collected.time_charges
    parts = [f"{amount} of {f'side pot {pot}' if pot else 'the pot'}" for pot, amount in collected.chips_by_pot.items()]
    parts += [] if fee is None else [f"{fee.amount} of the button, seat {fee.seat}"]
    parts += [f"{paid.amount} of seat {paid.seat} for the time" for paid in charges]
    return f"{collected.total or 'nothing'}" + (f": {', '.join(parts)}" if parts else "")


def _format_decision(decided: DecisionRecorded) -> str:
    """Who of the floor decided what, and why."""
    about = "" if decided.seat is None else f" for seat {decided.seat}"
    reason = "" if decided.reason is None else f": {decided.reason}"
    return f"the floor, {decided.floor_name or 'unnamed'}, decided {decided.decision.value}{about}{reason}"


def _format_amendment(struck: AmendmentRecorded) -> str:
    """What was entered, struck through, and what took its place."""
    was = "" if struck.original is None else f"~~{_format_line(struck.original)}~~ "
    now = "taken out" if struck.replacement is None else _format_line(struck.replacement)
    return f"! {was}{now} (entry {struck.at_entry}, put right by entry {struck.amending_entry})"


def _format_line(line: Mapping[str, object]) -> str:
    """A line of the table script as a dealer would read it out."""
    bare = ("ev", "do", "what", "decide", "card")
    said = [str(value) if key in bare else f"{key} {value}" for key, value in line.items() if value is not None]
    return " ".join(said)


def _export(options: argparse.Namespace, hands: list[FinishedHand]) -> int:
    chosen = hands if options.hand is None else [_find_hand(hands, options.hand)]
    currency = options.currency
    if currency is None and options.state is None:
        currency = load_table_file(options.config).currency
    form, parts, left_out = ExportFormat(options.format), list[str](), list[str]()
    for record, place in chosen:
        section = len(parts) + 1 if options.hand is None else 0
        try:
            parts.append(write_hand(form, record, place, currency, section))
        except NotRepresentableError as why:
            left_out.append(f"hand {record.number} is left out: {why}")
            continue
        why_not = phh.build_fields(record, place).get("_why") if form is ExportFormat.PHH else None
        if why_not is not None:
            where = "" if options.hand is not None else ", and stands there as a comment"
            left_out.append(f"hand {record.number} has no regular part{where}: {why_not}")
    try:
        if options.output is None:
            sys.stdout.write("".join(parts))
        else:
            options.output.write_text("".join(parts), encoding="utf-8")
    except OSError as why:
        print(f"tablectl hands: {options.output} cannot be written: {why.strerror}", file=sys.stderr)
        return 1
    for line in left_out:
        print(f"tablectl hands: {line}", file=sys.stderr)
    return 1 if left_out and not parts else 0


def _check(options: argparse.Namespace, hands: list[FinishedHand]) -> int:
    try:
        found = read_hands(options.file.read_text(encoding="utf-8"))
    except OSError as why:
        raise RecoveryError(f"{options.file} cannot be read: {why.strerror}") from None
    except ValueError as why:
        raise RecoveryError(f"{options.file} is no export of hands in PHH, OHH or PokerStars text: {why}") from None
    status = 0
    for exported in found:
        ours = next((hand for hand in hands if exported.is_hand(*hand)), None)
        if ours is None:
            verdict, status = "not in this journal", 1
        elif not exported.is_identical(*ours):
            verdict, status = "differs from the journal", 1
        else:
            record, place = ours
            signed = (
                "not signed yet"
                if place.journal_signature is None
                else f"signed up to record {place.journal_signature['upto']}"
            )
            verdict = f"as in the journal, entries {record.first_entry} to {record.last_entry}, {signed}"
            if exported.currency is not None:
                verdict += f"; that a unit is one {exported.currency} only the file says"
        print(exported.hand_name, verdict, sep="\t")
    return status


SESSION = Option("--session N", "which session of the journal (default: the last)", int, either="sessions")
SEARCH_OPTIONS = (
    SESSION,
    Option("--all", "every session", flag=True, either="sessions"),
    Option("--player TEXT", "only hands of a player whose name has this", default=""),
    Option("--dealer TEXT", "only hands that such a dealer signed in", default=""),
    Option("--ruling TEXT", "only with such a finding or clause", default=""),
    Option("--day YYYY-MM-DD", "only hands that began on this day (UTC)", _parse_day),
)

COMMAND = Command(
    "hands",
    "Reads the finished hands out of the journal of a table, which may be in play meanwhile. Cards "
    "that nobody showed are not in them.",
    Command("list", "list the finished hands", *SEARCH_OPTIONS, *JOURNAL_OPTIONS, action=_list),
    Command(
        "show", "tell a hand in words", Option("hand HAND", "its number", int), SESSION, *JOURNAL_OPTIONS, action=_show
    ),
    Command(
        "export",
        "write hands as PHH, Open Hand History or PokerStars text",
        Option("hand HAND", "its number (default: every hand)", int, nargs="?"),
        Option("--output FILE", "where to write it (default: standard output)", Path),
        Option(
            "--format", "default: phh", choices=[each.value for each in ExportFormat], default=ExportFormat.PHH.value
        ),
        Option(
            "--currency",
            "what a unit of chips is, for trackers (default: `currency` of [records], else play chips)",
            choices=CURRENCIES,
        ),
        QUIET,
        *SEARCH_OPTIONS,
        *JOURNAL_OPTIONS,
        description="Writes hands. PHH (poker hand history): one hand as a .phh file, several as one .phhs file with "
        "a section a hand. Trackers read Open Hand History (.ohh) and the text of PokerStars (.txt). A hand that "
        "such a format cannot say is left out, with the reason. docs/records.md says what the fields are.",
        action=_export,
    ),
    Command(
        "check",
        "check an exported file against the journal",
        Option("file FILE", "what was exported, in any of the formats", Path),
        QUIET,
        *JOURNAL_OPTIONS,
        description="Says of each hand in an exported file whether the journal says the same of it, word for word. "
        "Whether the journal itself was changed, `tablectl journal verify` says.",
        action=_check,
        defaults={"all": True},
    ),
    run=run,
    as_table_user=True,
)
