"""`tablectl journal shuffles`: the auditor's look at how well the decks are shuffled."""

import argparse
import bisect
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from nacl.public import PrivateKey

from config.config_error import ConfigError
from config.table_line import parse_table_line
from controller.cli.journal.auditor_command import SECRET_KEY_LABEL, read_auditor_key
from controller.cli.progress import QUIET
from controller.cli.progress import show_progress as shown
from controller.cli.table_options import JOURNAL_OPTIONS, find_state_and_library
from controller.command_table import Command, Option
from controller.core.values.plurals import pluralize
from controller.records.deal_reader import DealReader
from controller.records.shuffle_watch import Deal, ShuffleWatch
from controller.runtime.journal.journal_reader import JournalReader, JournalSession
from controller.runtime.journal.recovery.journal_replay import RecoveryError, TableOpener, replay_session
from controller.runtime.journal.sealing.hand_seal import unseal_hand_key
from controller.runtime.staff.permissions import Role
from controller.runtime.storage.sqlite_database import DatabaseError
from controller.runtime.storage.state_directory import JOURNAL_FILE

_Timeline = tuple[list[int], list[str]]
"""Numbers of records, ascending, and what was in use from each of them on."""


class JournalDeals:
    """The deals of a journal in their order; `unopened_count` counts hands that this key does not open."""

    def __init__(self, archive: JournalReader, opening: TableOpener, key: PrivateKey) -> None:
        self.unopened_count = 0
        self._archive = archive
        self._open_table = opening
        self._key = key
        self._is_hand_open = True
        self._deck_timeline = self._make_timeline("deck", "deck", {"in_play": True})
        self._dealer_timeline = self._make_timeline("sign-in", "name", {"role": Role.DEALER.value})

    def __iter__(self) -> Iterator[Deal]:
        """Play every session again; raises `DatabaseError` and `RecoveryError`."""
        for session in self._archive.list_sessions():
            yield from self._iter_session(session)

    def _iter_session(self, session: JournalSession) -> Iterator[Deal]:
        reader = DealReader()
        self._is_hand_open = was_open = True
        for entry, _, given, _ in replay_session(self._archive, session, self._open_table, self._decrypt_hand_key):
            if self._is_hand_open != was_open and (deal := reader.finish_deal()) is not None and was_open:
                yield deal
            was_open = self._is_hand_open
            if given.error is not None or not self._is_hand_open:
                continue
            dealer, deck = (
                _find_at(self._dealer_timeline, entry.record_number),
                _find_at(self._deck_timeline, entry.record_number),
            )
            if (deal := reader.receive_outcome(given.outcome, session.number, dealer, deck)) is not None:
                yield deal
        if was_open and (deal := reader.finish_deal()) is not None:
            yield deal

    def _decrypt_hand_key(self, number: int, body: Mapping[str, Any]) -> bytes | None:  # noqa: ARG002 - a finder of keys
        key = None if body.get("sealed") is None else unseal_hand_key(self._key, str(body["sealed"]))
        self._is_hand_open = key is not None
        self.unopened_count += key is None
        return key

    def _make_timeline(self, kind: str, name: str, wanted: Mapping[str, object]) -> _Timeline:
        """From which record on what a kind of record names was in use."""
        found = [(one.number, one.parse_body()) for one in self._archive.read_newest_records(kind)]
        here = [
            (number, body) for number, body in reversed(found) if "at" not in body
        ]  # who signs elsewhere deals nowhere
        counting = [(number, body) for number, body in here if wanted.items() <= body.items()]
        return [number for number, _ in counting], [str(body[name]) for _, body in counting]


def _find_at(timeline: _Timeline, record: int) -> str:
    numbers, words = timeline
    index = bisect.bisect_right(numbers, record)
    return words[index - 1] if index else ""


def run(options: argparse.Namespace) -> int:
    """Run the command; return the exit status: 0 no alarm, 1 alarms or unreadable, 2 the configuration or key is."""
    archive: JournalReader | None = None
    try:
        key = PrivateKey(read_auditor_key(options.key, SECRET_KEY_LABEL))
        directory, library = find_state_and_library(options)
        archive = JournalReader.open(directory / JOURNAL_FILE)
        deals = JournalDeals(archive, partial(parse_table_line, library=library), key)
        watch = ShuffleWatch()
        alarms = [alarm for deal in shown(deals, "deals", quiet=options.quiet) for alarm in watch.add_deal(deal)]
    except (ConfigError, ValueError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 2
    except (DatabaseError, RecoveryError) as why:
        print(f"tablectl journal: {why}", file=sys.stderr)
        return 1
    finally:
        if archive is not None:
            archive.close()
    for (kind, name), stream in sorted(watch.series_by_name.items()):
        print(f"{kind} {name}: {pluralize(stream.shuffle_count, 'shuffle')}, evidence {stream.evidence:.3g}")
        for test, tally in stream.tally_by_test.items():
            seen = f"{tally.hit_count} came true of {tally.expected_hits:.1f} expected"
            print(f"  {test:9} {seen}, {tally.deviation:+.1f} standard deviations")
    for alarm in alarms:
        where = f"hand {alarm.hand} of session {alarm.session}"
        print(
            f"ALARM {alarm.kind} {alarm.name}: {alarm.test}, {pluralize(alarm.shuffle_count, 'shuffle')} up to {where}"
        )
    if not watch.series_by_name:
        print("nothing to compare: it takes two deals of one deck")
    if deals.unopened_count:
        hands = pluralize(deals.unopened_count, "hand")
        print(f"tablectl journal: left out {hands} sealed to another auditor or to none", file=sys.stderr)
    return 1 if alarms else 0


COMMAND = Command(
    "shuffles",
    "tell whether the decks are shuffled well, with the auditor's key",
    Option("--key FILE", "the auditor's key", Path, required=True),
    QUIET,
    *JOURNAL_OPTIONS,
    description="Opens every hand with the auditor's key. Tells for each dealer and each deck whether the cards come "
    "as after a fair shuffle. Names no card. Works on a copy of a table's state directory, away from the table. "
    "docs/shuffle-watch.md says what the numbers mean. Ends with 1 where there is an alarm.",
    run=run,
)
