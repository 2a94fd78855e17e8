"""Blinds without number: who posts which, who opens and who acts last, for any number of players, blinds and books."""

import random
from itertools import islice, product
from typing import Any

import pytest

from tests.laws import blinds_oracle as oracle
from tests.people.hands import chairs, dealt, over
from tests.playing import ScriptedTable, play

BOOKS = (*oracle.ON_BUTTON_BOOKS, "casino-au")
BLINDS = ([5], [2, 5], [1, 2, 5], [2, 2, 5], [1, 2, 3, 5], [1, 2, 3, 4, 5])
RULES = ("moving", "dead")
SHARE = 3
"""Each book and rule plays every third of the combinations, the next one begins with another: together, all of them."""


def table(book: str, seats: tuple[int, ...], blinds: list[int], first: int, rule: str) -> ScriptedTable:
    """A no-limit table with these blinds, the button at the first seat."""
    said: list[Any] = blinds if first else [{"position": n, "amount": blind} for n, blind in enumerate(blinds)]
    betting = {"structure": "no-limit", "blinds": said}
    return play(
        book,
        betting=betting,
        stacks=dict.fromkeys(seats, 500),
        button=seats[0],
        button_rule=rule,
        places=9,
        mode="cash",
    )


def bets(answer: dict[str, Any]) -> dict[int, int]:
    """What lies before each seat."""
    return {int(seat): bet for seat, bet in answer["bets"].items() if bet}


def chips(answer: dict[str, Any]) -> int:
    """All chips on the table."""
    pots = sum(pot["amount"] for pot in answer["pots"])
    return int(sum(answer["stacks"].values()) + sum(answer["bets"].values()) + pots)


def acting(played: ScriptedTable) -> list[int]:
    """Deal, let everybody call or check once, and say in which order they did."""
    dealt(played)
    found: list[int] = []
    street = played.lines[-1]["street"]
    while (step := played.lines[-1]["next"][0])["step"] == "act" and played.lines[-1]["street"] == street:
        found.append(step["seat"])
        assert "raise" in step["options"] or "bet" in step["options"], "everybody may raise, the last blind too"
        played(f"act {step['seat']} {'check' if 'check' in step['options'] else 'call'}")
    return found


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("book", BOOKS)
def test_blinds_lie_where_the_text_puts_them_hand_after_hand(book: str, rule: str) -> None:
    """The first left of the button, each next one on, till all are posted; left of the last one acts first.

    Covers: R7-4.intro#c, R7-4.intro#d, R7-4.blinds.2, AU-11.1(c)(ii), AU-14.1(c)(ii), AU-15.1(c)(ii), AU-16.1(c)(ii),
    AU-17.1(c)(ii), AU-11.2(a), AU-14.2(a), AU-15.2(a), AU-16.2(a), AU-17.2(a)
    """
    begin = (BOOKS.index(book) + RULES.index(rule)) % SHARE
    for count, blinds, first in islice(product(range(2, 8), BLINDS, (0, 1)), begin, None, SHARE):
        seats = tuple(range(2, 2 + count))
        played = table(book, seats, blinds, first, rule)
        players, button = list(seats), seats[0]
        for _ in range(3 if count > 2 else 1):
            answer = played("start")
            expected = oracle.place_from_button(book, button, players, blinds, first)
            if blinds == [5] and first and count == 2:
                expected = {oracle.find_left_of(button, players): 5}
            assert (answer["lamps"]["button"], bets(answer)) == ([button], expected), (count, blinds, first)
            assert chips(answer) == 500 * count
            last = answer["lamps"]["big_blind"]
            assert [seat for seat, amount in expected.items()][-1:] == last
            order = acting(played)
            assert order == oracle.ring_after(last[0], players), (count, blinds, first)
            over(played)
            assert chips(played.lines[-1]) == 500 * count
            button = oracle.find_left_of(button, players)


@pytest.mark.parametrize("rule", RULES)
def test_in_a_round_everybody_has_each_blind_once(rule: str) -> None:
    """Each round every player meets the total amount of the blinds.

    Covers: R7-4.blinds.2, HR-blinds.1, FC-4.blinds.2, MP-4.blinds.2
    """
    for book, blinds, first in product(("roberts-7", "casino-au"), BLINDS[1:], (0, 1)):
        for count in range(max(3, len(blinds)), 8):
            seats = tuple(range(1, count + 1))
            played = table(book, seats, blinds, first, rule)
            hands = []
            for _ in seats:
                hands.append(bets(played("start")))
                over(played)
            assert oracle.has_each_blind_once(hands, list(seats), blinds), (book, blinds, first, count)


def test_two_blinds_in_a_list_are_the_small_and_the_big_one() -> None:
    """`blinds` of one or two says what `big_blind` and `small_blind` say: every answer is the same, byte for byte."""
    for book, blinds, rule, count in product(BOOKS, ([5], [2, 5]), RULES, (2, 3, 6)):
        seats = tuple(range(1, count + 1))
        keys = {"big_blind": blinds[-1]} | ({"small_blind": blinds[0]} if len(blinds) > 1 else {})
        stacks: dict[int, int | None] = dict.fromkeys(seats, 500)
        listed = table(book, seats, blinds, 1, rule)
        named = play(
            book,
            betting={"structure": "no-limit", **keys},
            stacks=stacks,
            button=1,
            button_rule=rule,
            places=9,
            mode="cash",
        )
        for played in (listed, named):
            for _ in range(3):
                played("start")
                acting(played)
                over(played)
        assert listed.lines[1:] == named.lines[1:]


@pytest.mark.parametrize("seed", range(12))
def test_by_the_dead_button_each_blind_goes_to_the_chair_of_the_next(seed: int) -> None:
    """Who leaves leaves a dead blind behind, then a dead one more, then a dead button; nobody has the big blind twice.

    Covers: R7-4.blinds.2, FC-4.blinds.2, MP-4.blinds.2, WSOP-L-151
    """
    choose = random.Random(seed)
    blinds, seats = choose.choice(([1, 2, 5], [1, 2, 3, 5])), tuple(range(1, 10))
    played = table(choose.choice(oracle.ON_BUTTON_BOOKS[:3]), seats, blinds, 1, "dead")
    players, last = list(seats), None
    while len(players) > len(blinds):
        answer = played("start")
        big = answer["lamps"]["big_blind"]
        if last is not None:
            assert big == [oracle.find_left_of(last[-1], players)]
            chain = (*last[1:], big[0])
            expected = dict(zip(chain[1:], blinds, strict=True))
            assert bets(answer) == {seat: amount for seat, amount in expected.items() if seat in players}
            assert answer["lamps"]["button"] == [chain[0]]
            dead = [seat for seat in chain if seat not in players]
            assert bool(dead) == any(each["finding"] == "dead-button" for each in answer["rulings"])
        else:
            chain = tuple(seats[: len(blinds) + 1])
        over(played)
        last = chain
        if choose.random() < 0.6:
            gone = choose.choice(players)
            players.remove(gone)
            played(f"leave {gone}")


@pytest.mark.parametrize("seed", range(20))
def test_whoever_comes_and_goes_chips_stay_and_blinds_have_an_owner_each(seed: int) -> None:
    """Under any rule, with more or fewer players than blinds: one blind a player, the last always posted and called."""
    choose = random.Random(100 + seed)
    blinds, first = choose.choice(BLINDS[2:]), choose.choice((0, 1))
    book, rule = choose.choice(BOOKS[:4] + BOOKS[6:]), choose.choice(RULES)
    played = table(book, (1, 3, 5, 7), blinds, first, rule)
    total = 2000
    for _ in range(25):
        chips_now = played.lines[-1]["stacks"]
        free = [seat for seat in range(1, 10) if str(seat) not in chips_now]
        here = [int(seat) for seat in chips_now]
        match choose.randrange(4):
            case 0 if free:
                seat = choose.choice(free)
                posts = choose.random() < 0.5
                answer = played({"ev": "sit", "seat": seat, "player": f"A{seat}", "stack": 500, "post": posts})
                total += 0 if "error" in answer else 500
            case 1 if len(here) > 2:
                seat = choose.choice(here)
                total -= chips_now[str(seat)]
                played(f"leave {seat}")
            case 2 if here:
                played(f"away {choose.choice(here)}")
            case 3 if here:
                played({"ev": "back", "seat": choose.choice(here), "post": choose.random() < 0.5})
        answer = played("start")
        if "error" in answer:
            assert answer["error"]["code"] == "too-few-players"
            continue
        lamps, lying = answer["lamps"], bets(answer)
        lit = [*lamps["small_blind"], *lamps.get("middle_blind", []), *lamps["big_blind"]]
        assert chips(answer) == total
        assert len(set(lit)) == len(lit)
        assert set(lit) <= set(lying)
        assert all(lying[seat] == blinds[-1] for seat in lamps["big_blind"])
        step = dealt(played)["next"][0]
        assert step["to_call"] == blinds[-1] - lying.get(step["seat"], 0)
        over(played)
        assert chips(played.lines[-1]) == total


def test_a_table_says_what_it_cannot_take() -> None:
    """A list of blinds that makes no sense is refused, in words that say what would."""
    places = chairs(1, 2, 3)
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"blinds": []}, "value", "a list of 1 to"),
        ({"blinds": 5}, "value", "a list of 1 to"),
        ({"blinds": [1, 0, 5]}, "value", "`amount`"),
        ({"blinds": [1, "2"]}, "value", "`amount`"),
        ({"blinds": [2, 5, 1]}, "value", "no other is larger"),
        ({"blinds": [1, 2], "big_blind": 2}, "value", "not both"),
        ({"blinds": [1, 2], "small_blind": 1}, "value", "not both"),
        ({"blinds": [{"amount": 1}]}, "key-missing", "`position`"),
        ({"blinds": [{"position": 1}]}, "key-missing", "`amount`"),
        ({"blinds": [{"position": 2, "amount": 1}]}, "value", "begin at 1"),
        ({"blinds": [1, {"position": 3, "amount": 2}]}, "value", "one more than"),
        ({"blinds": [1, {"position": 2, "amount": 2, "seat": 3}]}, "unknown-key", "`seat`"),
        ({"blinds": [1] * 24}, "value", "a list of 1 to 23"),
    ]
    for betting, code, word in wrong:
        played = ScriptedTable()
        line = {"ev": "table", "rulebook": "roberts-7", "game": "holdem", "seats": places, "button": 1}
        error = played(line | {"betting": {"structure": "no-limit", **betting}})["error"]
        assert error["code"] == code, betting
        assert word in error["message"], error
