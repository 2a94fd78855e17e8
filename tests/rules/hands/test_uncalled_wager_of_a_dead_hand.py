"""A hand that is killed after it bet or raised: what nobody has called goes back where the book says so.

One sum, whichever way it is killed: what it would have had to call is lost, and all that the others paid stays.
"""

import random
from typing import Any

import pytest

from tests.playing import ScriptedTable, play

BACK = ("tda-2024", "wsop-2024", "wsop-live-2024")
KEPT = ("roberts-7", "house-rules", "fish-n-chips", "maryport")
STAKES: tuple[dict[str, Any], ...] = (
    {"structure": "no-limit", "small_blind": 1, "big_blind": 2},
    {"structure": "pot-limit", "small_blind": 1, "big_blind": 2},
    {"structure": "fixed-limit", "small_blind": 2, "big_blind": 4, "small_bet": 4, "big_bet": 8},
    {"structure": "no-limit", "small_blind": 1, "big_blind": 2, "ante": 2, "ante_by": "big-blind"},
)
WAYS: tuple[dict[str, Any], ...] = (
    {"ev": "floor", "decide": "dead-hand"},
    {"ev": "report", "what": "extra-card"},
    {"ev": "report", "what": "short-hand"},
)


def play_some(book: str, source: random.Random) -> tuple[list[Any], dict[str, Any], ScriptedTable, int | None]:
    """Random acts of random players; the lines, the set-up, the table, and who bet or raised last on the round."""
    seats = source.randrange(2, 6)
    setup: dict[str, Any] = {
        "betting": source.choice(STAKES),
        "stacks": {seat: source.choice((7, 40, 200, 200)) for seat in range(1, seats + 1)},
    }
    lines: list[Any] = ["start"]
    played = play(book, "start", **setup)
    last: int | None = None
    for _ in range(source.randrange(8, 50)):
        now = played.lines[-1]["next"][0]
        street = played.lines[-1].get("street")
        if now["step"] == "act":
            do = source.choice(
                [each for each in now["options"] if each not in ("fold", "straddle", "chop")] or ["fold"]
            )
            line = {"ev": "act", "seat": now["seat"], "do": do}
            if do in ("bet", "raise"):
                line["to"] = source.choice((now["min_to"], now["max_to"]))
            level = max(played.lines[-1]["bets"].values(), default=0)
            played(line)
            if max(played.lines[-1]["bets"].values(), default=0) > level:
                last = now["seat"]
        elif now["step"] in ("deal", "burn", "board"):
            line = {"ev": "card", "card": None}
            played(line)
        else:
            break
        assert "error" not in played.lines[-1], (line, played.lines[-1])
        if played.lines[-1].get("street") != street:
            last = None
        lines.append(line)
    return lines, setup, played, last


@pytest.mark.parametrize("book", [*BACK, *KEPT])
def test_one_sum_goes_back_whichever_way_a_hand_is_killed(book: str) -> None:
    """The raise goes back and the call is forfeited, else all stays [WSOP-T-91, WSOP-T-108, TDA-65-A]."""
    returned = 0
    for seed in range(25):
        source = random.Random(f"{book} {seed}")
        lines, setup, played, last = play_some(book, source)
        before = played.lines[-1]
        if before["next"][0]["step"] != "act":
            continue
        bets = {int(seat): bet for seat, bet in before["bets"].items()}
        for seat in sorted({last, before["next"][0]["seat"]} - {None}):
            forced = setup["betting"]["big_blind"] if before["street"] == "preflop" else 0
            called = max([forced, *(bet for other, bet in bets.items() if other != seat)])
            back = max(bets.get(seat, 0) - called, 0) if book in BACK and seat == last else 0
            for way in WAYS:
                again = play(book, *lines, **setup)
                answer = again(way | {"seat": seat})
                if "dead-hand" not in [ruling["verdict"] for ruling in answer["rulings"]]:
                    continue
                assert answer["stacks"][str(seat)] == before["stacks"][str(seat)] + back, (seed, way)
                assert sum_chips(answer) == sum_chips(before), (seed, way)
                assert any("goes back" in ruling["text"] for ruling in answer["rulings"]) == (back > 0), (seed, way)
                returned += back > 0
    assert returned > 3 or book in KEPT, returned


def sum_chips(answer: dict[str, Any]) -> int:
    """All chips of stacks, bets and pots."""
    pots: int = sum(pot["amount"] for pot in answer["pots"])
    stacks: int = sum(answer["stacks"].values())
    bets: int = sum(answer["bets"].values())
    return stacks + bets + pots
