"""Which totals the page offers by one touch, and how many touches hands take so (`benchmarks/dealer_taps.py`)."""

import json
from typing import Any

import pytest

from benchmarks.dealer_taps import count_taps
from config.table_line import parse_table_line
from controller.core.engine.output import outcome_rendering
from controller.core.engine.table import Table
from controller.core.protocol.script_lines import parse_line
from controller.core.protocol.table_error import Refused
from controller.web.publishing.wager_offers import make_wager_offers

NO_LIMIT = {"structure": "no-limit", "small_blind": 1, "big_blind": 2}
FIXED = {"structure": "fixed-limit", "small_blind": 1, "big_blind": 2, "small_bet": 2, "big_bet": 4}
POT = {"structure": "pot-limit", "small_blind": 1, "big_blind": 2}


def script(betting: dict[str, Any], acts: str, *, game: str = "holdem") -> list[dict[str, Any]]:
    """A hand of six seats; `acts` street by street ("3:raise:6 4:fold … / 1:check …"), and confirmed to its end."""
    seats = [{"seat": seat, "player": f"p{seat}", "stack": 200} for seat in range(1, 7)]
    table = Table()
    opened: dict[str, Any] = {"ev": "table", "rulebook": "roberts-7", "mode": "cash", "game": game, "betting": betting}
    opened |= {"seats": seats, "button": 6}
    outcome = table.handle(parse_table_line(opened))
    lines = [opened]
    streets = [street.split() for street in acts.split("/")]

    def enter(line: dict[str, Any]) -> None:
        nonlocal outcome
        outcome = table.handle(parse_line(line))
        lines.append(line)

    enter({"ev": "start"})
    for street in streets:
        while outcome_rendering.render_outcome(outcome, 0)["next"][0]["step"] in ("deal", "burn", "board"):
            enter({"ev": "card", "card": None})
        for each in street:
            seat, do, *to = each.split(":")
            enter({"ev": "act", "seat": int(seat), "do": do, **({"to": int(to[0])} if to else {})})
    for _ in range(12):
        for line in ({"ev": "won", "seat": 2, "pot": 0}, {"ev": "done"}):
            try:
                enter(line)
            except Refused:
                continue
    return lines


RAISED = "3:fold 4:raise:6 5:fold 6:call 1:fold 2:fold / 4:bet:8 6:fold"


@pytest.mark.parametrize(
    ("betting", "acts", "game", "touches"),
    [
        # raise after a fold 2, call and the rest fold 1 or 2, bet 1, fold 1, pushed with the next start 1
        (NO_LIMIT, RAISED, "holdem", 7),
        (NO_LIMIT, "3:fold 4:fold 5:fold 6:raise:5 1:fold 2:fold", "holdem", 5),
        (NO_LIMIT, "3:raise:6 4:fold 5:fold 6:fold 1:fold 2:call / 2:check 3:check / 2:bet:10 3:fold", "holdem", 8),
        (NO_LIMIT, "3:raise:37 4:fold 5:fold 6:fold 1:fold 2:fold", "holdem", 6),
        (FIXED, "3:call 4:call 5:raise:4 6:fold 1:fold 2:fold 3:call 4:call / 3:check 4:check 5:bet:2 3:fold 4:fold",
         "holdem", 11),
        (POT, "3:raise:7 4:fold 5:fold 6:fold 1:fold 2:call / 2:check 3:bet:15 2:fold", "omaha", 8),
    ],
)  # fmt: skip
def test_touches_of_a_hand(betting: dict[str, Any], acts: str, game: str, touches: int) -> None:
    hand = script(betting, acts, game=game)
    assert count_taps(hand)[0] == touches, json.dumps(hand)


def first(acts: str, betting: dict[str, Any] = NO_LIMIT) -> dict[str, Any]:
    """The output line after these acts before the flop."""
    table = Table()
    outcome = None
    for line in script(betting, acts):
        if line["ev"] in ("done", "won"):
            break
        outcome = table.handle(parse_table_line(line) if line["ev"] == "table" else parse_line(line))
    assert outcome is not None
    return outcome_rendering.render_outcome(outcome, 0)


def test_an_opening_is_offered_half_the_pot_two_and_a_half_and_three_times_the_blind() -> None:
    offer = make_wager_offers(first(""), NO_LIMIT, [3])[3]
    assert [(each.label, each.total) for each in offer.named_totals] == [
        ("\N{MULTIPLICATION SIGN} 2½", 5),
        ("\N{MULTIPLICATION SIGN} 3", 6),
    ]  # half the pot is the least
    assert offer.round_totals == (7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 30, 40)


def test_a_raise_is_offered_by_the_pot_and_the_last_bet() -> None:
    offer = make_wager_offers(first("3:raise:6"), NO_LIMIT, [4, 2])
    assert [(each.label, each.total) for each in offer[4].named_totals] == [
        ("½ pot", 14),
        ("Pot", 21),
        ("\N{MULTIPLICATION SIGN} 3", 18),
    ]
    assert [(each.label, each.total) for each in offer[2].named_totals] == [
        ("½ pot", 12),
        ("Pot", 19),
        ("\N{MULTIPLICATION SIGN} 3", 18),
    ]
    assert all(13 <= total <= 36 for total in offer[4].round_totals)
    assert len(offer[4].round_totals) <= 12


def test_nothing_is_offered_where_the_wager_is_fixed_or_nobody_acts() -> None:
    assert make_wager_offers(first("", FIXED), FIXED, [3]) == {}
    assert make_wager_offers({"next": []}, NO_LIMIT, [3]) == {}


def test_on_an_open_pair_of_a_limit_game_there_are_two_bets_and_no_others() -> None:
    line = {"next": [{"step": "act", "seat": 3, "options": ["fold", "check", "bet"], "min_to": 4, "max_to": 8}]}
    offer = make_wager_offers({**line, "stacks": {"3": 100}}, FIXED, [3])[3]
    assert [(each.label, each.total) for each in offer.named_totals] == [("Double bet", 8)]
    assert (offer.round_totals, offer.is_any_taken) == ((), False)


def test_no_total_is_above_what_may_be_put_in_or_no_chip() -> None:
    offer = make_wager_offers(first("3:raise:6", POT), POT, [4])[4]
    assert max([*offer.round_totals, *(each.total for each in offer.named_totals)]) == 21  # the pot
    chips = make_wager_offers(first(""), {**NO_LIMIT, "chip": 5}, [3])[3]
    assert all(total % 5 == 0 for total in [*chips.round_totals, *(each.total for each in chips.named_totals)])
