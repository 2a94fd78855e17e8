"""The oracles that look at the end: the record agrees with what was seen, and each corruption of it is found."""

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.evenings.oracles.commands import find_place, run_tablectl
from tests.evenings.oracles.hand_results import HandResultOracle, PlayedHand, compare_hand, read_sections
from tests.evenings.oracles.record import RecordOracle, compare_ends, look_at_money
from tests.evenings.recording import record_evening
from tests.evenings.seen import Seen, Truth

Fields = dict[str, Any]


@dataclass
class EveningRecord:
    """An evening that was recorded, as an oracle may ask of it."""

    seed: int
    seen: list[Seen]
    journal: Path


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> EveningRecord:
    folder = tmp_path_factory.mktemp("house") / "state"
    folder.mkdir()
    seen = list(record_evening(folder, is_signed=False))
    return EveningRecord(1, seen, seen[0].journal)


@pytest.fixture(scope="module")
def hands(evening: EveningRecord) -> Sequence[tuple[str, Mapping[str, Any], PlayedHand]]:
    """The regular hands, as they are exported, each with what was seen of it."""
    oracle = HandResultOracle()
    assert [text for seen in evening.seen for text in oracle.look(seen)] == []
    told = run_tablectl("hands", "export", "--all", "--quiet", *find_place(evening.journal)).output
    found = [
        (name, fields, oracle.hands[fields["_entries"][0]])
        for name, fields in read_sections(told)
        if oracle.hands[fields["_entries"][0]].is_regular
    ]
    assert len(found) == 3
    return found


@pytest.mark.parametrize("make", [HandResultOracle, RecordOracle])
def test_of_an_evening_that_went_well_nothing_is_said(
    make: Callable[[], HandResultOracle | RecordOracle], evening: EveningRecord
) -> None:
    oracle = make()
    assert [text for seen in evening.seen for text in oracle.look(seen)] == []
    assert list(oracle.end(evening)) == []


def other_stack(which: str) -> Callable[[Fields, random.Random], None]:
    def change(fields: Fields, chance: random.Random) -> None:
        fields[which][chance.randrange(len(fields[which]))] += 1

    return change


def without_last_action(fields: Fields, _chance: random.Random) -> None:
    del fields["actions"][-1]


def list_acts(fields: Fields) -> list[int]:
    """Where in a hand somebody folds, checks, calls, bets or raises."""
    return [at for at, action in enumerate(fields["actions"]) if action.split()[1] in ("f", "cc", "cbr")]


def with_another_first_act(fields: Fields, _chance: random.Random) -> None:
    """Who called has folded, and who folded has called."""
    at = list_acts(fields)[0]
    player, act = fields["actions"][at].split()[:2]
    fields["actions"][at] = f"{player} {'cc' if act == 'f' else 'f'}"


def with_an_act_twice(fields: Fields, chance: random.Random) -> None:
    at = chance.choice(list_acts(fields))
    fields["actions"].insert(at, fields["actions"][at])


def with_other_blinds(fields: Fields, _chance: random.Random) -> None:
    fields["blinds_or_straddles"] = [each * 2 for each in fields["blinds_or_straddles"]]


def with_other_seats(fields: Fields, _chance: random.Random) -> None:
    fields["seats"] = fields["seats"][1:] + fields["seats"][:1]


def with_swapped_stacks(fields: Fields, _chance: random.Random) -> None:
    ends = fields["finishing_stacks"]
    ends[0], ends[1] = ends[1], ends[0]


@pytest.mark.parametrize(
    "corrupt",
    [
        other_stack("starting_stacks"),
        other_stack("finishing_stacks"),
        without_last_action,
        with_another_first_act,
        with_an_act_twice,
        with_other_blinds,
        with_other_seats,
        with_swapped_stacks,
    ],
)
def test_a_hand_that_the_record_tells_otherwise_is_found(
    corrupt: Callable[[Fields, random.Random], None], hands: Sequence[tuple[str, Mapping[str, Any], PlayedHand]]
) -> None:
    for name, fields, seen in hands:
        assert list(compare_hand(name, fields, seen)) == []
        changed = copy.deepcopy(dict(fields))
        corrupt(changed, random.Random(name))
        assert list(compare_hand(name, changed, seen)), changed["actions"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_stack_that_the_page_had_otherwise_is_found(
    when: str, hands: Sequence[tuple[str, Mapping[str, Any], PlayedHand]]
) -> None:
    for name, fields, seen in hands:
        stacks = getattr(seen, when)
        for seat in map(str, fields["seats"]):
            changed: dict[str, Any] = {when: {**stacks, seat: stacks[seat] + 1}}
            other = replace(seen, **changed)
            assert list(compare_hand(name, fields, other))


def test_a_hand_that_is_not_in_the_record_is_found(evening: EveningRecord) -> None:
    oracle = HandResultOracle()
    assert [text for seen in evening.seen for text in oracle.look(seen)] == []
    oracle.hands[9999] = PlayedHand(77, {"1": 5}, {"1": 5})
    assert [text for text in oracle.end(evening) if "hand 77" in text]


@pytest.mark.parametrize("key", ["hand", "stacks", "pots", "bets", "piles", "board"])
def test_a_script_that_comes_to_another_table_is_found(key: str, evening: EveningRecord) -> None:
    page = evening.seen[-1].table
    assert list(compare_ends(page, page)) == []
    assert list(compare_ends(page, {**page, key: "another"}))


@pytest.mark.parametrize(("brought", "taken", "is_found"), [(0, 0, False), (1, 0, True), (0, 1, True), (-1, 0, True)])
def test_money_that_does_not_come_out_is_found(
    brought: int, taken: int, is_found: bool, evening: EveningRecord
) -> None:
    last = evening.seen[-1]
    there = sum(last.table["stacks"].values())
    truth = Truth("roberts-7", "holdem", bought_in={1: there + 100 + brought}, taken_away={2: 100 + taken})
    asked = EveningRecord(1, [replace(last, truth=truth)], evening.journal)
    assert bool(list(look_at_money(asked))) is is_found


def test_a_page_that_showed_another_table_than_the_journal_is_found(evening: EveningRecord) -> None:
    oracle = RecordOracle()
    last = evening.seen[-1]
    stacks = {**last.table["stacks"], "1": 1}
    other = replace(last, after={**last.after, "table": {**last.table, "stacks": stacks, "hand": 44}})
    assert [text for seen in (*evening.seen[:-1], other) for text in oracle.look(seen)] == []
    told = list(oracle.end(evening))
    assert [text for text in told if "stacks" in text]
    assert [text for text in told if "list of hands" in text]
