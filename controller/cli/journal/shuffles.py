"""`tablectl journal shuffles`: the auditor's look at how well the decks are shuffled."""

import argparse
import bisect
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from nacl.public import PrivateKey

from config.errors import ConfigError
from config.setup import open_table
from controller.cli.journal.auditor import SECRET, key_in
from controller.cli.progress import add_quiet
from controller.cli.progress import counted as shown
from controller.cli.which_table import add_table, state_and_library
from controller.core.values.counted import counted
from controller.records.dealt import DealReader
from controller.records.shuffles import Deal, ShuffleWatch
from controller.runtime.journal.archive import Archive, Session
from controller.runtime.journal.database import DatabaseError
from controller.runtime.journal.recovery.recovery import OpenTable, RecoveryError, replay
from controller.runtime.journal.sealing.sealing import opened_by
from controller.runtime.staff.authority import Role
from controller.runtime.state_directory import JOURNAL_FILE


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "shuffles",
        help="tell whether the decks are shuffled well, with the auditor's key",
        description="Opens every hand with the auditor's key and tells, for each dealer and each deck, whether the "
        "cards come as after a fair shuffle; names no card. Works on a copy of a table's state directory, away from "
        "the table. docs/shuffle-watch.md says what the numbers mean. Ends with 1 where there is an alarm.",
    )
    parser.add_argument("--key", type=Path, metavar="FILE", required=True, help="the auditor's key")
    add_quiet(parser)
    add_table(parser, state="its journal is")
    parser.set_defaults(run=run)


_Timeline = tuple[list[int], list[str]]
"""Numbers of records, ascending, and what was in use from each of them on."""


class Deals:
    """The deals of a journal in their order; `closed` counts hands that this key does not open."""

    def __init__(self, archive: Archive, opening: OpenTable, key: PrivateKey) -> None:
        self.closed = 0
        self._archive = archive
        self._opening = opening
        self._key = key
        self._is_open = True
        self._decks = self._timeline("deck", "deck", {"in_play": True})
        self._dealers = self._timeline("sign-in", "name", {"role": Role.DEALER.value})

    def __iter__(self) -> Iterator[Deal]:
        """Play every session again; raises `DatabaseError` and `RecoveryError`."""
        for session in self._archive.sessions():
            yield from self._of(session)

    def _of(self, session: Session) -> Iterator[Deal]:
        reader = DealReader()
        self._is_open = was_open = True
        for entry, _, given, _ in replay(self._archive, session, self._opening, self._opened):
            if self._is_open != was_open and (deal := reader.end()) is not None and was_open:
                yield deal
            was_open = self._is_open
            if given.error is not None or not self._is_open:
                continue
            dealer, deck = _at(self._dealers, entry.record), _at(self._decks, entry.record)
            if (deal := reader.take(given.outcome, session.number, dealer, deck)) is not None:
                yield deal
        if was_open and (deal := reader.end()) is not None:
            yield deal

    def _opened(self, number: int, body: Mapping[str, Any]) -> bytes | None:  # noqa: ARG002 - a finder of keys
        key = None if body.get("sealed") is None else opened_by(self._key, str(body["sealed"]))
        self._is_open = key is not None
        self.closed += key is None
        return key

    def _timeline(self, kind: str, name: str, wanted: Mapping[str, object]) -> _Timeline:
        """From which record on what a kind of record names was in use."""
        found = [(one.number, one.read()) for one in self._archive.newest(kind)]
        counting = [(number, body) for number, body in reversed(found) if wanted.items() <= body.items()]
        return [number for number, _ in counting], [str(body[name]) for _, body in counting]


def _at(timeline: _Timeline, record: int) -> str:
    numbers, words = timeline
    index = bisect.bisect_right(numbers, record)
    return words[index - 1] if index else ""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 no alarm, 1 alarms or unreadable, 2 the configuration or key is."""
    archive: Archive | None = None
    try:
        key = PrivateKey(key_in(options.key, SECRET))
        directory, library = state_and_library(options)
        archive = Archive.open(directory / JOURNAL_FILE)
        deals = Deals(archive, partial(open_table, library=library), key)
        watch = ShuffleWatch()
        alarms = [alarm for deal in shown(deals, "deals", quiet=options.quiet) for alarm in watch.add(deal)]
    except (ConfigError, ValueError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except (DatabaseError, RecoveryError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    finally:
        if archive is not None:
            archive.close()
    for (kind, name), stream in sorted(watch.streams.items()):
        print(f"{kind} {name}: {counted(stream.shuffles, 'shuffle')}, evidence {stream.evidence:.3g}")
        for test, tally in stream.tallies.items():
            seen = f"{tally.hits} came true of {tally.expected:.1f} expected"
            print(f"  {test:9} {seen}, {tally.deviation:+.1f} standard deviations")
    for alarm in alarms:
        where = f"hand {alarm.hand} of session {alarm.session}"
        print(f"ALARM {alarm.kind} {alarm.name}: {alarm.test}, {counted(alarm.shuffles, 'shuffle')} up to {where}")
    if not watch.streams:
        print("nothing to compare: it takes two deals of one deck")
    if deals.closed:
        hands = counted(deals.closed, "hand")
        print(f"tablectl journal: left out {hands} sealed to another auditor or to none", file=sys.stderr)
    return 1 if alarms else 0
