"""Stories of a table written as its journal would have them: sealed, disclosed, and read again without any key."""

import json
import random
from collections.abc import Iterator
from typing import Any

from config.table_line import parse_table_line
from controller.core.engine.table import Table
from controller.runtime.journal.entry_result import EntryResult, handle_entry
from controller.runtime.journal.journal_reader import JournalEntry
from controller.runtime.journal.proof.chain import JournalRecord, render_body
from controller.runtime.journal.recovery.journal_replay import parse_event, replay_hand
from controller.runtime.journal.sealing.hand_reader import HandReader, find_no_key
from controller.runtime.journal.sealing.hand_seal import (
    CardKnowledge,
    HandSeal,
    list_cards,
    make_hand_key,
    read_card_knowledge,
    render_line,
)

Line = dict[str, Any]


class Hand:
    """What the journal keeps of one key: the sealed lines, and what was disclosed of them."""

    def __init__(self, number: int) -> None:
        self.seal = HandSeal(number, make_hand_key()) if number else None
        self.number = number
        self.lines: list[Line] = []
        self.digests: list[str] = []
        self.disclosed: dict[int, str] = {}

    @property
    def record(self) -> JournalRecord | None:
        return JournalRecord(1, "hand-key", render_body({"hand": self.number}), "") if self.number else None


def entry(number: int, line: Line, digest: str | None = None) -> JournalEntry:
    return JournalEntry(number, 1, 1, "", "", render_line(line), digest, None)


def format_output_line(given: EntryResult) -> str:
    return json.dumps(given.to_output_line(), sort_keys=True)


def written_by_the_hand(script: list[Line]) -> tuple[list[Hand], list[str]]:
    """Play a script at a table that seals; return what it wrote, and every output."""
    table, cards = Table(), CardKnowledge()
    hands, outputs = [Hand(0)], []
    seal: HandSeal | None = None
    for number, line in enumerate(script, 1):
        if seal is None and (line["ev"] == "start" or any(isinstance(card, str) for card in list_cards(line))):
            hands.append(Hand(hands[-1].number + 1))
            seal = hands[-1].seal
        hands[-1].lines.append(json.loads(render_line(line if seal is None else seal.hide_cards(line, cards))))
        given = handle_entry(table, parse_event(entry(number, line), line, parse_table_line), number)
        outputs.append(format_output_line(given))
        hands[-1].digests.append(given.compute_digest(given.to_output_line()))
        was, cards = cards.is_hand_in_progress, read_card_knowledge(given.outcome)
        if seal is not None:
            hands[-1].disclosed |= seal.disclose_public_cards(cards)
        if not cards.is_hand_in_progress and (was or seal is not None):
            seal = None
    return hands, outputs


class AnyFree(HandReader):
    """Stands in with any free card at all."""

    chance = random.Random(0)

    def _pick_stand_in(self, alias: int, best_first: list[str]) -> str:
        unnamed = [card for card in best_first if self._find_next_line(card) is None]
        return super()._pick_stand_in(alias, self.chance.sample(unnamed, len(unnamed)) or best_first)


def read_again(hands: list[Hand], reader: type[HandReader]) -> Iterator[str]:
    """Play what was written again, without a key."""
    table = Table()
    given: EntryResult | None = None
    number = 0
    for hand in hands:
        opened = reader(hand.record, hand.disclosed, list(hand.lines), find_no_key)
        written = zip(hand.lines, hand.digests, strict=True)
        entries = [entry(number + nth, *each) for nth, each in enumerate(written, 1)]
        number += len(entries)
        played = list(replay_hand(opened, entries, (table, given), parse_table_line))
        yield from (format_output_line(answered) for _, _, answered, _ in played)
        table, given = (played[-1][3], played[-1][2]) if played else (table, given)
