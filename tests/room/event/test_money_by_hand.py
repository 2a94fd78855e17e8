"""Two whole tournaments one after the other on the same tables of the core, card by card, and what was paid for them.

Every amount is beside what was reckoned by hand in `docs/tournament-money.md`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from config import payout_file
from controller.core.tournament.ledger import LedgerKind, LedgerSide
from controller.core.tournament.money_terms import MoneyTerms, terms_to_json
from controller.core.values.cards import ALL_CARDS
from tests.room.event.test_two_tournaments import Night, is_free, make_tables
from tests.tournament.money_page import Amounts, read_amounts

STANDARD = payout_file.load_payouts("standard")
BEST, NEXT, WORST = ("Ah", "Ts"), ("Kc", "3d"), ("4c", "2h")
"""On a board of As Kd Qh 7c 2s: a pair of aces with the ten, of kings, of deuces; others are dealt what is left."""
TIED = (("Ah", "Ts"), ("Ac", "Th"), ("Ad", "Tc"))
BOARD = ("As", "Kd", "Qh", "7c", "2s")


class Event(Night):
    """A night whose hands end as they are told."""

    def seat_of(self, player: str) -> tuple[str, int]:
        self.confirm_moves()
        return self.chairs()[player]

    def confirm_moves(self) -> None:
        for _ in range(20):
            found = [one for one in self.desk.find_proposals(self.now) if one.line["do"] != "eliminate"]
            if not found:
                return
            self.confirm(found[0].line["do"])
        raise AssertionError("the desk proposes for ever")

    def play_hand(self, name: str, hole: Mapping[int, Sequence[str]], acts: Mapping[int, Sequence[Any]]) -> None:
        """A hand with those hole cards and the board above: each seat does as told, then checks or folds."""
        table = self.tables[name]
        assert table.begin()
        self.report_state(name)
        left = sorted(ALL_CARDS - {*BOARD, *(card for cards in hole.values() for card in cards)})
        dealt, board = {seat: list(cards) for seat, cards in hole.items()}, list(BOARD)
        told = {seat: list(words) for seat, words in acts.items()}
        for _ in range(200):
            shown = table.played.lines[-1]
            if not shown["next"] or shown["next"][0]["step"] == "hold":
                self.end_hand(name)
                return
            step = shown["next"][0]
            match step["step"]:
                case "deal":
                    answer = table.say({"ev": "card", "card": (dealt.get(step["seat"]) or left).pop()})
                case "burn":
                    answer = table.say({"ev": "card", "card": left.pop()})
                case "board":
                    answer = table.say({"ev": "card", "card": board.pop(0)})
                case "act":
                    wanted = told.get(step["seat"]) or ["check" if "check" in step["options"] else "fold"]
                    word = wanted.pop(0)
                    word = "call" if word == "all-in" and word not in step["options"] else word
                    how = {"do": "raise", "to": word} if isinstance(word, int) else {"do": word}
                    answer = table.say({"ev": "act", "seat": step["seat"], **how})
                case "show":
                    answer = table.say({"ev": "show", "seat": step["seat"]})
                case _:
                    answer = table.say({"ev": "done"})
            assert "error" not in answer, (step, answer["error"])
        raise AssertionError("the hand does not end")

    def bust_all(self, *losers: str, by: str) -> None:
        """They lose all they have to one who has as much, on one hand."""
        (name, winner), seats = self.seat_of(by), [self.seat_of(loser)[1] for loser in losers]
        assert {self.seat_of(loser)[0] for loser in losers} == {name}, (losers, by, self.chairs())
        hands = {winner: BEST, **dict(zip(seats, (NEXT, WORST), strict=False))}
        self.play_hand(name, hands, {seat: ["all-in"] for seat in hands})

    def end_hand(self, name: str) -> None:
        self.report_state(name)
        self.settle(3)
        if self.tables[name].state()["next"]:
            self.settle()
            self.tables[name].play_on()
        self.settle()

    def enter(self, word: str, player: str, **more: Any) -> None:  # noqa: ANN401 (JSON)
        seat = list(self.event.freed_seats[-1]) if self.event.freed_seats else self.find_chair()
        self.say(do=word, player=player, seat=seat, **more)
        self.settle()

    def find_chair(self) -> list[Any]:
        taken = set(self.event.seat_by_player.values())
        return next(
            [name, seat] for name, places in self.event.seat_count_by_table.items() for seat in range(1, places + 1)
            if (name, seat) not in taken
        )  # fmt: skip

    def list_players_left(self) -> tuple[str, ...]:
        assert self.event.progress is not None
        return self.event.progress.remaining_players

    def hand_number(self) -> int:
        return max(int(table.state()["hand"]) for table in self.tables.values())

    def pay_all(self) -> None:
        """Hand out each prize once; the second time it is refused."""
        assert self.event.progress is not None
        for one in self.event.progress.finishes():
            if one.prize_cents:
                self.say(do="pay", player=one.player)
                with pytest.raises(ValueError, match="no prize to be paid"):
                    self.say(do="pay", player=one.player)

    def sum_sides(self) -> Amounts:
        assert self.event.progress is not None
        ledger = self.event.progress.make_ledger()
        assert ledger.difference_cents == 0
        found = {(side.value, kind.value): ledger.sum_kind(side, kind) for side in LedgerSide for kind in LedgerKind}
        return {key: cents for key, cents in found.items() if cents}

    def list_prizes(self) -> Amounts:
        assert self.event.progress is not None
        won = [one for one in self.event.progress.finishes() if one.prize_cents]
        assert dict(self.event.paid_cents_by_player) == {one.player: one.prize_cents for one in won}
        return {(str(one.place), one.player): one.prize_cents for one in won}


def find_leader(event: Event, player: str) -> str:
    """Who has the most chips at a player's table."""
    stacks = {one["player"]: one["stack"] for one in event.chairs_at(event.seat_of(player)[0])}
    return str(max((one for one in stacks if one != player), key=lambda one: stacks[one]))


def play_under_tda(house: Event) -> None:
    """As the page tells it; who wins the chips makes no difference to the money."""
    house.say(do="start", seats_first=True)
    house.settle()
    house.enter("late-entry", "Ola")

    def bust(*players: str) -> None:
        for player in players:
            while player in house.list_players_left():  # the shorter stack wins what it can, once
                house.bust_all(player, by=find_leader(house, player))

    bust("Ben")
    house.enter("re-entry", "Ben")
    bust("Cem")
    house.enter("rebuy", "Cem", amount=80)
    house.say(do="add-on", player="Ana", amount=50)
    bust("Nia", "Max", "Leo", "Kim", "Jon", "Ida", "Hal", "Gil", "Fay", "Ben (2)", "Ola", "Cem")
    house.enter("re-entry", "Ben")
    house.enter("re-entry", "Cem")
    where = {player: house.seat_of(player)[1] for player in ("Ben (3)", "Cem (2)", "Eve")}
    name, (ben, cem, eve) = house.seat_of("Eve")[0], where.values()
    house.play_hand(name, {eve: BEST}, {eve: [100], ben: ["call"]})  # Cem, behind the button, waits a hand
    house.play_hand(name, {eve: BEST}, {eve: [125], cem: ["call"]})  # Ben has the small blind
    stacks = {one["player"]: one["stack"] for one in house.chairs_at(name)}
    assert stacks["Ben (3)"] == stacks["Cem (2)"], stacks
    house.bust_all("Ben (3)", "Cem (2)", by=find_leader(house, "Ben (3)"))
    house.say(do="eliminate", player="Eve", hand=house.hand_number(), stack=2000, disqualified=True)
    house.settle()
    house.say(do="deal", shares={"Ana": 700, "Dee": 642.45})


def play_bounties(event: Event) -> None:
    event.say(do="start", seats_first=True)
    event.settle()
    assert event.event.seating_at("a") == {1: "Eve", 2: "Ben", 3: "Cem", 4: "Ana", 5: "Dee"}
    event.play_hand("a", {2: WORST, 3: BEST}, {2: [800], 3: ["call"]})
    event.play_hand("a", {3: BEST}, {5: [1500], 1: ["call"], 3: ["call"], 4: ["call"]})
    assert event.tables["a"].state()["stacks"] == {"1": 500, "2": 1200, "3": 7300, "4": 500, "5": 500}
    hands = {3: TIED[0], 5: TIED[1], 1: TIED[2], 2: NEXT, 4: WORST}
    event.play_hand("a", hands, {1: ["all-in"], 2: ["all-in"], 3: ["call"], 4: ["all-in"], 5: ["all-in"]})
    event.enter("re-entry", "Ana")
    event.say(do="marker", player="Dee")
    event.say(do="eliminate", player="Max", hand=1, stack=2000, disqualified=True, knocked_by=[])
    event.settle()
    for loser, winner in (("Gil", "Fay"), ("Hal", "Jon"), ("Kim", "Jon"), ("Leo", "Jon"), ("Ida", "Jon")):
        event.bust_all(loser, by=winner)
    for loser in ("Dee", "Ana (2)", "Eve", "Fay", "Jon"):
        event.bust_all(loser, by="Cem")


def test_two_tournaments_on_the_same_tables_come_out_as_by_hand() -> None:
    """Covers: WSOP-T-39.a, WSOP-T-39.a#without"""
    links = make_tables("wsop-2024")
    names = ["Eve", "Ben", "Cem", "Ana", "Dee", "Fay", "Gil", "Hal", "Ida", "Jon", "Kim", "Leo", "Max"]
    terms = terms_to_json(MoneyTerms(STANDARD, fee=20))
    first = Event(links, 1, "wsop-2024", names, **terms | {"buy_in": 100, "bounty": 50})
    play_bounties(first)
    first.pay_all()
    sides, prizes, bounties = read_amounts("Bounties under WSOP")
    assert first.event.progress is not None
    assert {(player,): cents for player, cents in first.event.progress.bounty_by_player().items()} == bounties
    assert (first.sum_sides(), first.list_prizes()) == (sides, prizes)
    first.settle()
    assert all(map(is_free, links.tables.values()))
    terms = terms_to_json(MoneyTerms(STANDARD, fee=15, rebuy_fee=5, add_on_fee=3, staff_tenths=35))
    names = ["Ana", "Ben", "Cem", "Dee", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon", "Kim", "Leo", "Max", "Nia"]
    second = Event(links, 2, "tda-2024", names, **terms | {"buy_in": 100, "unlimited_rebuys": True})
    play_under_tda(second)
    second.pay_all()
    sides, prizes = read_amounts("A house under TDA")
    assert (second.sum_sides(), second.list_prizes()) == (sides, prizes)
    second.settle()
    assert all(map(is_free, links.tables.values()))
