"""PokerKit, which knows none of our code, plays each regular hand of the record to the stacks that the page had."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pokerkit import HandHistory

from tests.evenings.oracles.commands import find_place, run_tablectl
from tests.evenings.oracles.standing import (
    HandWatch,
    Watcher,
    find_word,
    get_line,
    is_set_up_anew,
    is_tracked,
)
from tests.evenings.seen import Evening, Seen

ENTRIES = re.compile(r"_entries = \[(\d+), (\d+)\]")


@dataclass
class PlayedHand:
    """A hand as the page showed it: the stacks before its start and when it was over."""

    number: int
    before: Mapping[str, int]
    after: Mapping[str, int] = field(default_factory=dict)
    is_regular: bool = True


class HandResultOracle(Watcher):
    """Remembers what each hand came to, and compares it with the record and with PokerKit."""

    name = "hand results"
    runs_commands = True

    def __init__(self) -> None:
        self.watch = HandWatch()
        self.hands: dict[int, PlayedHand] = {}
        """By the entry that began it."""
        self.first_entry: int | None = None

    def look(self, seen: Seen) -> Iterator[str]:
        """Remember where a hand begins and ends."""
        self.watch.follow(seen)
        line, word = get_line(seen.after), find_word(seen)
        if not is_tracked(line) or is_set_up_anew(seen):
            self.first_entry = None
            return
        if word == "start" and seen.taken:
            self.first_entry = seen.after["entry"]
            self.hands[self.first_entry] = PlayedHand(line["hand"], get_line(seen.before)["stacks"])
        hand = None if self.first_entry is None else self.hands.get(self.first_entry)
        if hand is None:
            return
        hand.is_regular = hand.is_regular and (self.watch.is_regular or bool(hand.after))
        if line.get("phase") == "idle" and not hand.after:
            hand.after = line["stacks"]
        elif seen.taken and (word in ("amend", "floor") or line.get("street") is not None):
            hand.is_regular = hand.is_regular and not hand.after  # a hand that was over is on again, or is put right
        yield from ()

    def end(self, evening: Evening) -> Iterator[str]:
        """Export the record, and play what is regular in it."""
        done = run_tablectl("hands", "export", "--all", "--quiet", *find_place(evening.journal))
        if done.status not in (0, 1):
            yield f"hands export ends with {done.status}: {done.reason}"
            return
        wanted = {entry: hand for entry, hand in self.hands.items() if hand.is_regular and hand.after}
        found: set[int] = set()
        for name, fields in read_sections(done.output):
            entry = fields["_entries"][0]
            if entry in wanted:
                found.add(entry)
                yield from compare_hand(name, fields, wanted[entry])
        told = {int(first) for first, _ in ENTRIES.findall(done.output)}
        for entry in sorted(set(wanted) - found - told):
            yield f"hand {wanted[entry].number}, which began with entry {entry}, is not in the record"


def read_sections(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The regular hands of an export, by their names there."""
    if not text.strip().startswith(("[", "#")):
        text = "[1]\n" + text
    for name, fields in tomllib.loads(text).items():
        if isinstance(fields, Mapping) and "actions" in fields:
            yield name, fields


def compare_hand(name: str, fields: Mapping[str, Any], seen: PlayedHand) -> Iterator[str]:
    """Compare the stacks of the page, those of the record, and those to which PokerKit comes."""
    seats = [str(seat) for seat in fields["seats"]]
    told = dict(zip(seats, fields["finishing_stacks"], strict=True))
    begun = dict(zip(seats, fields["starting_stacks"], strict=True))
    taken = fields.get("_collection", {})
    fees = {str(each["seat"]): each["amount"] for each in (*taken.get("time", ()), *_list_fee(taken))}
    for seat in seats:
        if begun[seat] + fees.get(seat, 0) != seen.before.get(seat, 0):
            yield f"hand {name}: seat {seat} began with {seen.before.get(seat, 0)}, in the record with {begun[seat]}"
        if told[seat] != seen.after.get(seat, 0):
            yield f"hand {name}: seat {seat} ended with {seen.after.get(seat, 0)}, in the record with {told[seat]}"
    given = sum(each["amount"] for each in taken.get("pots", ()))
    yield from compare_with_pokerkit(name, fields, told, given)


def _list_fee(taken: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    fee = taken.get("button")
    return [fee] if isinstance(fee, Mapping) else list(fee or ())


def compare_with_pokerkit(name: str, fields: Mapping[str, Any], told: Mapping[str, int], given: int) -> Iterator[str]:
    """PokerKit pushes whole pots: who wins has as much more as the house took of them, and nobody else is another."""
    standard = {key: value for key, value in fields.items() if not key.startswith("_")}
    try:
        state = list(HandHistory(**standard))[-1]
    except (ValueError, KeyError, AssertionError) as why:
        yield f"hand {name}: PokerKit does not play it: {why}"
        return
    if state.status:
        yield f"hand {name}: PokerKit waits for more"
        return
    more = {seat: stack - told[seat] for seat, stack in zip(told, state.stacks, strict=True)}
    if sum(more.values()) != given or any(chips < 0 for chips in more.values()):
        yield f"hand {name}: PokerKit comes to {list(state.stacks)}, the table to {list(told.values())}"
