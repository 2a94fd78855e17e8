"""Whole tournaments at the command, every amount beside what was reckoned by hand in `docs/tournament-money.md`."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from controller.core.values.cards import build_deck
from tests.tournament.desk import direct
from tests.tournament.money_page import Amounts, read_amounts

PEOPLE = [
    "Ana",
    "Ben",
    "Cem",
    "Dee",
    "Eve",
    "Fay",
    "Gil",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Leo",
    "Max",
    "Nia",
    "Ola",
    "Pia",
]


class Record:
    """An event at the command; hands are counted by the eliminations."""

    def __init__(self, path: Path, players: list[str], *words: str, schedule: str = "T20000") -> None:
        self.path, self.hand = path, 0
        self("load", schedule, *players, *words)

    def __call__(self, *words: str, status: int = 0) -> str:
        return direct(*words, "--at", "1000", "--record", str(self.path), status=status)

    def out(self, *players: str, by: str = "", stack: int = 2000, **more: list[str]) -> None:
        """They go out, each on a hand of its own, by that player."""
        for player in players:
            self.hand += 1
            bounty = ("--by", by) if by else ()
            self("eliminate", player, "--hand", str(self.hand), "--stack", str(stack), *bounty, *more.get("words", []))

    def close(self) -> dict[str, Any]:
        """Close it, twice refused the second time; what `payout` says then, its account as CSV too."""
        self("close")
        kept = self.path.read_bytes()
        assert "the event is closed" in self("close", status=1)
        assert self.path.read_bytes() == kept
        found: dict[str, Any] = json.loads(self("payout", "--json"))
        found["rows"] = list(csv.DictReader(io.StringIO(self("payout", "--csv"))))
        assert found["account"]["difference"] == 0
        return found


def to_cents(amount: float | str) -> int:
    return round(float(amount) * 100)


def sum_sides(paid: dict[str, Any]) -> Amounts:
    """The account by side and kind, and the same from the rows of the CSV."""
    found: Amounts = {
        (side, kind): to_cents(amount)
        for side, kinds in paid["account"].items()
        if side != "difference"
        for kind, amount in kinds.items()
    }
    rows: Amounts = {}
    for row in paid["rows"][:-1]:
        rows[row["side"], row["kind"]] = rows.get((row["side"], row["kind"]), 0) + to_cents(row["amount"])
    assert rows == found
    return found


def list_prizes(paid: dict[str, Any]) -> Amounts:
    return {(str(one["place"]), one["player"]): to_cents(one["prize"]) for one in paid["finishes"] if one["prize"]}


def test_a_house_under_tda(tmp_path: Path) -> None:
    house = Record(
        tmp_path / "house.jsonl", PEOPLE[:14], "--rulebook", "tda-2024", "--buy-in", "100", "--fee", "15", "--staff",
        "3.5", "--rebuy-fee", "5", "--add-on-fee", "3",
    )  # fmt: skip
    house("late-entry", "Ola")
    house.out("Ben")
    house("re-entry", "Ben")
    house.out("Cem")
    house("rebuy", "Cem", "--amount", "80")
    house("add-on", "Ana", "--amount", "50")
    house.out("Nia", "Max", "Leo", "Kim", "Jon", "Ida", "Hal", "Gil", "Fay", "Ben (2)", "Ola", "Cem")
    house("re-entry", "Ben")
    house("re-entry", "Cem")
    house.out("Ben (3)")
    house.hand -= 1
    house.out("Cem (2)")
    house.out("Eve", words=["--disqualified"])
    assert "1,342.45 of prizes are left; the shares come to 0.01 more" in house(
        "deal", "Ana=700.01", "Dee=642.45", status=1
    )
    house("deal", "Ana=700", "Dee=642.45")
    paid, (sides, prizes) = house.close(), read_amounts("A house under TDA")
    assert sum_sides(paid) == sides
    assert list_prizes(paid) == prizes


def test_bounties_under_wsop(tmp_path: Path) -> None:
    """Covers: WSOP-T-39.a, WSOP-T-39.a#without"""
    start = ["Eve", "Ben", "Cem", "Ana", "Dee", "Fay", "Gil", "Hal", "Ida", "Jon", "Kim", "Leo", "Max"]
    event = Record(
        tmp_path / "bounties.jsonl",
        start,
        "--rulebook",
        "wsop-2024",
        "--buy-in",
        "100",
        "--fee",
        "20",
        "--bounty",
        "50",
    )
    event.out("Ana", stack=500, words=["--by", "Dee", "--by", "Eve", "--by", "Cem"])
    event.hand -= 1
    event.out("Ben", stack=1200, by="Cem")
    event("re-entry", "Ana")
    event("marker", "Dee")
    event.out("Max", words=["--disqualified"])
    event.out("Gil", by="Fay")
    event.out("Hal", "Kim", "Leo", "Ida", by="Jon")
    event.out("Dee", "Ana (2)", "Eve", "Fay", "Jon", by="Cem")
    paid, (sides, prizes, bounties) = event.close(), read_amounts("Bounties under WSOP")
    assert sum_sides(paid) == sides
    assert list_prizes(paid) == prizes
    won = {(row["player"],): to_cents(row["amount"]) for row in paid["rows"] if row["kind"] == "bounty"
           and row["side"] == "paid"}  # fmt: skip
    assert won == bounties


def test_a_season_of_fish_n_chips(tmp_path: Path) -> None:
    """Covers: FC-10.payouts#a, FC-10.payouts#round, FC-11.postpay, FC-11.side.jackpot, FC-10.winning.2"""
    events = {
        name: Record(tmp_path / f"{name}.jsonl", PEOPLE[:count], "--buy-in", str(buy_in), *more)
        for name, count, buy_in, more in (
            ("1", 10, 40, ()), ("2", 8, 40, ()), ("3", 16, 30, ("--unlimited-rebuys",)), ("qualifier", 9, 40, ()),
        )
    }  # fmt: skip

    def sell(name: str, buyers: int, brought: int, *more: str) -> set[str]:
        words = [f"{player}=2" for player in PEOPLE[:buyers]]
        return set(
            json.loads(events[name]("jackpot", *words, "--brought", str(brought), "--seed", "7", "--json", *more))
        )

    def rebuy(name: str, *players: str) -> None:
        for player in players:
            events[name].out(player)
            events[name]("rebuy", player, "--amount", "30")

    one, two, three, qualifier = events.values()
    sell("1", 10, 0)
    rebuy("1", "Jon", "Ida", "Hal")
    one.out(*reversed(PEOPLE[1:10]))
    assert "which was the river card" in one("close", status=1)
    one("river", "none")
    sold = sell("2", 8, 20)
    two.out(*reversed(PEOPLE[2:8]))
    two.hand -= 1
    two.out("Ben")
    two("river", next(card for card in build_deck() if card not in sold))
    sold = sell("3", 15, 36, "--last")
    rebuy("3", "Pia", "Pia", "Ola")
    three.out(*reversed(PEOPLE[1:16]))
    three("river", next(card for card in build_deck() if card not in sold))
    qualifier.out(*reversed(PEOPLE[1:9]))
    paid = {name: event.close() for name, event in events.items()}
    season = ["season", *(str(event.path) for event in events.values())]
    put_by = json.loads(direct(*season, "--json"))
    assert put_by == {"championship": 222, "jackpot": 0}
    final = Record(tmp_path / "final.jsonl", PEOPLE[:9], "--buy-in", "100", "--carried-in", str(put_by["championship"]))
    final.out(*reversed(PEOPLE[1:9]))
    paid["championship"] = final.close()
    assert "for the Championship  0\nin the jackpot  0" in direct(*season, str(final.path))
    sides, prizes, points = read_amounts("A season of Fish 'N' Chips")
    found: Amounts = {}
    won: Amounts = {}
    for name, said in paid.items():
        for (side, kind), cents in sum_sides(said).items():
            key = (name, side if side != "carried" else f"carried {kind}")
            found[key] = found.get(key, 0) + cents
        for (place, _), cents in list_prizes(said).items():
            tied = ("tied",) if (name, place) in won else ()
            won[name, place, *tied] = cents
    assert found == sides
    assert won == prizes
    results = tmp_path / "season.csv"
    results.write_text("".join(events[name]("results", "--event", name) for name in "123"))
    league = json.loads(direct("league", str(results), "--json"))
    standing = {one["player"]: round(one["points"] * 100) for one in league}
    assert {player: standing[player] for (player,) in points} == {player: cents for (player,), cents in points.items()}
