"""Stories of a table written as its journal would have them: sealed, disclosed, and read again without any key."""

import json
import random
from collections.abc import Iterator
from typing import Any

from config.setup import open_table
from controller.core.engine.table import Table
from controller.runtime.journal.archive import Entry
from controller.runtime.journal.proof.chain import Record, written
from controller.runtime.journal.recovery.recovery import event_of, hand_again
from controller.runtime.journal.sealing.sealing import Cards, HandSeal, cards_at, cards_of, new_key, text_of
from controller.runtime.journal.sealing.unsealing import HandReader, no_keys
from controller.runtime.loop.ruling import Answer, answer

Line = dict[str, Any]


class Hand:
    """What the journal keeps of one key: the sealed lines, and what was disclosed of them."""

    def __init__(self, number: int) -> None:
        self.seal = HandSeal(number, new_key()) if number else None
        self.number = number
        self.lines: list[Line] = []
        self.digests: list[str] = []
        self.disclosed: dict[int, str] = {}

    @property
    def record(self) -> Record | None:
        return Record(1, "hand-key", written({"hand": self.number}), "") if self.number else None


def entry(number: int, line: Line, digest: str | None = None) -> Entry:
    return Entry(number, 1, 1, "", "", text_of(line), digest, None)


def told(given: Answer) -> str:
    return json.dumps(given.output(), sort_keys=True)


def written_by_the_hand(script: list[Line]) -> tuple[list[Hand], list[str]]:
    """Play a script at a table that seals; return what it wrote, and every output."""
    table, cards = Table(), Cards()
    hands, outputs = [Hand(0)], []
    seal: HandSeal | None = None
    for number, line in enumerate(script, 1):
        if seal is None and (line["ev"] == "start" or any(isinstance(card, str) for card in cards_of(line))):
            hands.append(Hand(hands[-1].number + 1))
            seal = hands[-1].seal
        hands[-1].lines.append(json.loads(text_of(line if seal is None else seal.hide(line, cards))))
        given = answer(table, event_of(entry(number, line), line, open_table), number)
        outputs.append(told(given))
        hands[-1].digests.append(given.digest(given.output()))
        was, cards = cards.in_hand, cards_at(given.outcome)
        if seal is not None:
            hands[-1].disclosed |= seal.settle(cards)
        if not cards.in_hand and (was or seal is not None):
            seal = None
    return hands, outputs


class AnyFree(HandReader):
    """Stands in with any free card at all."""

    chance = random.Random(0)

    def _chosen(self, best_first: list[str]) -> str:
        unnamed = [card for card in best_first if self._named_next(card) is None]
        return super()._chosen(self.chance.sample(unnamed, len(unnamed)) or best_first)


def read_again(hands: list[Hand], reader: type[HandReader]) -> Iterator[str]:
    """Play what was written again, without a key."""
    table = Table()
    given: Answer | None = None
    number = 0
    for hand in hands:
        opened = reader(hand.record, hand.disclosed, list(hand.lines), no_keys)
        written = zip(hand.lines, hand.digests, strict=True)
        entries = [entry(number + nth, *each) for nth, each in enumerate(written, 1)]
        number += len(entries)
        played = list(hand_again(opened, entries, (table, given), open_table))
        yield from (told(answered) for _, _, answered, _ in played)
        table, given = (played[-1][3], played[-1][2]) if played else (table, given)
