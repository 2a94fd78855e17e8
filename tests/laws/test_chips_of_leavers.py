"""Who leaves takes along the stack, and what comes back of a hand that is dealt again: no chip is lost to the count.

Covers: R7-3.irreg.4, AU-19.1(h)#dup, TDA-35-E
"""

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from controller.records import phh
from tests.playing import NO_LIMIT, ScriptedTable, play
from tests.records.simulated import Room

SEEDS = range(60)
BOOKS = ("roberts-7", "casino-au", "tda-2024", "wsop-live-2024")
VOID: tuple[dict[str, Any], ...] = (
    {"ev": "floor", "decide": "misdeal"},
    {"ev": "floor", "decide": "void"},
    {"ev": "report", "what": "deck-defective"},
)


def count_chips(answer: dict[str, Any]) -> int:
    """All chips at the table."""
    pots = sum(pot["amount"] for pot in answer["pots"])
    return int(sum(answer["stacks"].values()) + pots + sum(answer["bets"].values()))


def enter(table: ScriptedTable, line: dict[str, Any] | str) -> int:
    """Enter a line; returns what players took along with it, below zero where they brought chips."""
    before = count_chips(table.lines[-1])
    answer = table(line)
    assert "error" not in answer, answer
    assert count_chips(answer) == before - sum(each["chips"] for each in answer.get("returned", ())), (line, answer)
    return int(before - count_chips(answer))


@pytest.mark.parametrize("seed", SEEDS)
def test_no_chip_is_lost_where_a_hand_is_dealt_again_after_somebody_left(seed: int) -> None:
    chance = random.Random(seed)
    betting = {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": chance.choice((0, 1))}
    stacks: dict[int, int | None] = {seat: chance.randint(5, 60) for seat in range(1, 7)}
    table = play(chance.choice(BOOKS), "start", "card " + "- " * 12, stacks=stacks, betting=betting, mode="cash")
    put_in, left = dict.fromkeys(stacks, 0), list[int]()
    for _ in range(chance.randint(2, 9)):
        step = table.lines[-1]["next"][0]
        if step["step"] != "act":
            break
        do = chance.choice([word for word in step["options"] if word != "all-in"])
        to = {"to": chance.randint(step["min_to"], step["max_to"])} if do in ("bet", "raise") else {}
        enter(table, {"ev": "act", "seat": step["seat"], "do": do, **to})
        if do == "fold" and chance.random() < 0.7:
            seat, answer = step["seat"], table.lines[-1]
            took = answer["stacks"][str(seat)]
            table({"ev": "leave", "seat": seat})
            assert count_chips(table.lines[-1]) == count_chips(answer) - took
            put_in[seat], left = (stacks[seat] or 0) - took, [*left, seat]
            if chance.random() < 0.4:
                table({"ev": "sit", "seat": seat, "player": f"new {seat}", "stack": 33})
    if len(stacks) - len(left) < 2 or not table.lines[-1]["next"]:
        return
    enter(table, chance.choice(VOID))
    told = {each["seat"]: each["chips"] for each in table.lines[-1].get("returned", ())}
    assert told == {seat: put_in[seat] for seat in left if put_in[seat]}
    assert enter(table, VOID[0]) == 0, "once"


def test_the_record_of_the_hand_says_what_went_along() -> None:
    """The hand that was dealt again is one record, with the ruling, as data and in words."""
    seats = [{"seat": seat, "player": name, "stack": 200} for seat, name in enumerate(("Ann", "Bo", "Cy", "Dee"), 1)]
    room = Room(1, rulebook="roberts-7", game="holdem", betting=NO_LIMIT, button=1, seats=seats)
    room.start()
    for _ in range(8):
        room.card()
    for seat, do in ((4, "call"), (1, "call"), (2, "fold"), (3, "check")):
        room.say(ev="act", seat=seat, do=do)
    room.say(ev="leave", seat=2)
    room.say(ev="report", what="deck-defective")
    for _ in range(3):
        room.say(ev="done")
    for _ in range(6):
        room.say(ev="card", card=None)
    for seat in (1, 3):
        room.say(ev="act", seat=seat, do="fold")
    room.say(ev="done")
    [record] = room.records
    place = phh.Provenance(session=1, began_at=datetime(2026, 11, 22, tzinfo=UTC), program="1.2.3")
    texts = [each.ruling.text for each in record.rulings if each.ruling.finding == "left-chips"]
    assert texts == ["Pay 1 from the pot to Bo, who left seat 2 (R7, Section 3, Irregularities, rule 4)."]
    assert "Pay 1 from the pot to Bo, who left seat 2" in phh.render_text(phh.build_fields(record, place))
