"""`tablectl hands`: the finished hands of a table, listed, told, exported, and an export checked."""

import argparse
import sys
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from config.errors import ConfigError
from config.setup import open_table
from config.table_file import CURRENCIES, load_table
from controller.cli.progress import add_quiet, counted
from controller.cli.which_table import add_table, state_and_library
from controller.records import phh
from controller.records.formats import Format, Untold, read, write
from controller.records.hand import Decided, PutRight, Record, title, won
from controller.runtime.journal.archive import Archive
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.hand_index import Wanted
from controller.runtime.journal.recovery.finished_hands import finished_hands, row_of
from controller.runtime.journal.recovery.recovery import RecoveryError, session_of
from controller.runtime.state_directory import JOURNAL_FILE

Finished = tuple[Record, phh.Provenance]
"""A finished hand and where it was played."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its own commands."""
    parser = subparsers.add_parser(
        "hands",
        description="Reads the finished hands out of the journal of a table, which may be in play meanwhile. Cards "
        "that nobody showed are not in them.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    listing = commands.add_parser("list", help="list the finished hands")
    _finish(listing, _list, search=True)

    show = commands.add_parser("show", help="tell a hand in words")
    show.add_argument("hand", type=int, metavar="HAND", help="its number")
    _finish(show, _show)

    export = commands.add_parser(
        "export",
        help="write hands as PHH, Open Hand History or PokerStars text",
        description="Writes hands. PHH (poker hand history): one hand as a .phh file, several as one .phhs file with a "
        "section a hand. Trackers read Open Hand History (.ohh) and the text of PokerStars (.txt); a hand that such a "
        "format cannot say is left out, with the reason. docs/records.md says what the fields are.",
    )
    export.add_argument("hand", type=int, nargs="?", metavar="HAND", help="its number (default: every hand)")
    export.add_argument("--output", type=Path, metavar="FILE", help="where to write it (default: standard output)")
    forms = [each.value for each in Format]
    export.add_argument("--format", choices=forms, default=Format.PHH.value, help="default: phh")
    currency = "what a unit of chips is, for trackers (default: `currency` of [records], else play chips)"
    export.add_argument("--currency", choices=CURRENCIES, help=currency)
    add_quiet(export)
    _finish(export, _export, search=True)

    check = commands.add_parser(
        "check",
        help="check an exported file against the journal",
        description="Says of each hand in an exported file whether the journal says the same of it, word for word. "
        "Whether the journal itself was changed, `tablectl journal verify` says.",
    )
    check.add_argument("file", type=Path, metavar="FILE", help="what was exported, in any of the formats")
    add_quiet(check)
    add_table(check, state="its journal is")
    check.set_defaults(run=run, hands_command=_check, all=True)


def _finish(
    parser: argparse.ArgumentParser,
    command: Callable[[argparse.Namespace, list[Finished]], int],
    *,
    search: bool = False,
) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--session", type=int, metavar="N", help="which session of the journal (default: the last)")
    if search:
        where.add_argument("--all", action="store_true", help="every session")
        parser.add_argument("--player", default="", metavar="TEXT", help="only hands of a player whose name has this")
        parser.add_argument("--dealer", default="", metavar="TEXT", help="only hands that such a dealer signed in")
        parser.add_argument("--ruling", default="", metavar="TEXT", help="only with such a finding or clause")
        parser.add_argument("--day", type=_day, metavar="YYYY-MM-DD", help="only hands that began on this day (UTC)")
    add_table(parser, state="its journal is")
    parser.set_defaults(run=run, hands_command=command)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it as 2026-01-31") from None


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 done, 1 refused, 2 the configuration cannot be used."""
    journal: Archive | None = None
    try:
        directory, library = state_and_library(options)
        journal = Archive.open(directory / JOURNAL_FILE)
        quiet = getattr(options, "quiet", False)
        every = getattr(options, "all", False)
        sessions = journal.sessions() if every else [session_of(journal, options.session)]
        opening = partial(open_table, library=library)
        wanted = _wanted(options)
        hands = [
            (kept.record, kept.place)
            for session in sessions
            for kept in counted(finished_hands(journal, session, opening), "hands", quiet=quiet)
            if kept.record is not None and row_of(kept).found_by(wanted)
        ]
        command: Callable[[argparse.Namespace, list[Finished]], int] = options.hands_command
        return command(options, hands)
    except ConfigError as why:
        print(f"tablectl hands: {why}", file=sys.stderr)
        return 2
    except (DatabaseError, RecoveryError) as why:
        print(f"tablectl hands: {why}", file=sys.stderr)
        return 1
    finally:
        if journal is not None:
            journal.close()


def _wanted(options: argparse.Namespace) -> Wanted:
    given = vars(options)
    words = {key: given.get(key) or "" for key in ("player", "dealer", "ruling")}
    day: date | None = given.get("day")
    days = {} if day is None else {"since": day.isoformat(), "until": (day + timedelta(days=1)).isoformat()}
    return Wanted.of(words | days)


def _chosen(hands: list[Finished], number: int) -> Finished:
    for record, place in hands:
        if record.number == number:
            return record, place
    known = f"1 to {hands[-1][0].number}" if hands else "none yet"
    raise RecoveryError(f"there is no finished hand {number} in this session; there are {known}")


def _list(options: argparse.Namespace, hands: list[Finished]) -> int:
    for record, place in hands:
        began = place.began
        winners = ", ".join(f"{record.players[seat]} +{gain}" for seat, gain in won(record).items())
        notes = [f"{record.deals} deals"] if record.deals > 1 else []
        count = len(record.rulings)
        notes += [f"{count} ruling{'s' if count > 1 else ''}"] if count else []
        when = "" if began is None else began.isoformat(timespec="seconds")
        number = f"{place.session}/{record.number}" if options.all else record.number
        print(number, when, title(record.setup), winners or "-", ", ".join(notes) or "-", sep="\t")
    return 0


def _show(options: argparse.Namespace, hands: list[Finished]) -> int:
    record, place = _chosen(hands, options.hand)
    print(f"Hand {record.number}, {title(record.setup)}, {record.setup.rulebook.title}")
    print(f"Journal entries {record.first_entry} to {record.last_entry}, session {place.session}")
    for seat in record.order:
        forced = [f"ante {record.antes[seat]}"] if seat in record.antes else []
        forced += [f"posts {record.blinds[seat]}"] if seat in record.blinds else []
        marks = [f"stack {record.starting[seat]}"] if record.setup.tracked else []
        marks += ["button"] if seat == record.button else []
        print(f"  seat {seat:2}  {record.players[seat]}: {', '.join((*marks, *forced)) or 'dealt in'}")
    struck = sorted(record.put_right, key=lambda each: (each.at, each.by))
    for index in range(len(record.acts) + 1):
        while struck and (index == len(record.acts) or struck[0].at <= record.acts[index].entry):
            print(f"  {_struck_through(struck.pop(0))}")
        for ruled in record.rulings:
            if ruled.acts == index:
                deal = f"deal {ruled.deal}, " if record.deals > 1 else ""
                cites = ", ".join(cite.split("#")[0] for cite in ruled.ruling.cite)
                print(f"  * {deal}{ruled.ruling.finding}: {ruled.ruling.verdict.value} [{cites}] {ruled.ruling.text}")
        for decided in record.decisions:
            if decided.acts == index:
                print(f"  * {_decided(decided)}")
        if index < len(record.acts):
            act = record.acts[index]
            print(f"  seat {act.seat:2}  {act.do.value}" + (f" {act.to}" if act.wagers else ""))
    for drew in record.draws:
        print(f"  seat {drew.seat:2}  draws {drew.cards}")
    if record.board:
        print(f"  board   {' '.join(card or '??' for card in record.board)}")
    for seat, cards in sorted(record.tabled.items()):
        print(f"  seat {seat:2}  shows {' '.join(cards) if cards else '(not read)'}")
    for seat, gain in won(record).items():
        print(f"  seat {seat:2}  wins {gain}")
    return 0


def _decided(decided: Decided) -> str:
    """Who of the floor decided what, and why."""
    about = "" if decided.seat is None else f" for seat {decided.seat}"
    reason = "" if decided.why is None else f": {decided.why}"
    return f"the floor, {decided.who or 'unnamed'}, decided {decided.decide.value}{about}{reason}"


def _struck_through(struck: PutRight) -> str:
    """What was entered, struck through, and what took its place."""
    was = "" if struck.was is None else f"~~{_in_words(struck.was)}~~ "
    now = "taken out" if struck.now is None else _in_words(struck.now)
    return f"! {was}{now} (entry {struck.at}, put right by entry {struck.by})"


def _in_words(line: Mapping[str, object]) -> str:
    """A line of the table script as a dealer would read it out."""
    bare = ("ev", "do", "what", "decide", "card")
    said = [str(value) if key in bare else f"{key} {value}" for key, value in line.items() if value is not None]
    return " ".join(said)


def _export(options: argparse.Namespace, hands: list[Finished]) -> int:
    chosen = hands if options.hand is None else [_chosen(hands, options.hand)]
    currency = options.currency
    if currency is None and options.state is None:
        currency = load_table(options.config).currency
    form, parts, left_out = Format(options.format), list[str](), list[str]()
    for record, place in chosen:
        section = len(parts) + 1 if options.hand is None else 0
        try:
            parts.append(write(form, record, place, currency, section))
        except Untold as why:
            left_out.append(f"hand {record.number} is left out: {why}")
            continue
        why_not = phh.fields(record, place).get("_why") if form is Format.PHH else None
        if why_not is not None:
            left_out.append(f"hand {record.number} has no regular part: {why_not}")
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


def _check(options: argparse.Namespace, hands: list[Finished]) -> int:
    try:
        found = read(options.file.read_text(encoding="utf-8"))
    except OSError as why:
        raise RecoveryError(f"{options.file} cannot be read: {why.strerror}") from None
    except ValueError as why:
        raise RecoveryError(f"{options.file} is no export of hands in PHH, OHH or PokerStars text: {why}") from None
    status = 0
    for exported in found:
        ours = next((hand for hand in hands if exported.is_of(*hand)), None)
        if ours is None:
            verdict, status = "not in this journal", 1
        elif not exported.is_as(*ours):
            verdict, status = "differs from the journal", 1
        else:
            record, place = ours
            signed = "not signed yet" if place.signed is None else f"signed up to record {place.signed['upto']}"
            verdict = f"as in the journal, entries {record.first_entry} to {record.last_entry}, {signed}"
            if exported.currency is not None:
                verdict += f"; that a unit is one {exported.currency} only the file says"
        print(exported.name, verdict, sep="\t")
    return status
