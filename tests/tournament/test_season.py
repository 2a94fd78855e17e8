"""A season: what events carry to its Championship, the river jackpot, the props bet; all of it where a club says so."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config import payout_file, rulebook_file, schedule_file
from controller.core.tournament.league import (
    LeagueResult,
    draw_props_pools,
    pay_props_bet,
    rank_players,
    seat_championship,
    select_postseason,
)
from controller.core.tournament.ledger import LedgerSide, SeasonPurse, sum_season
from controller.core.tournament.money_terms import MoneyTerms
from controller.core.tournament.river_jackpot import CardSale, JackpotResult, sell_cards, settle_jackpot
from controller.core.tournament.tournament import (
    Tournament,
    TournamentError,
    apply_line,
    open_tournament,
    require_balance,
)
from controller.core.values.cards import build_deck
from controller.core.values.value import replace
from tests.tournament.desk import direct

CLUB = payout_file.load_payouts("fish-n-chips")
DECK = build_deck()
BUY_INS = (40, 50, 40, 40, 40, 40, 40, 30, 40, 60, 40)
"""Of the eleven events [FC-11.league.events]."""

REBUY_EVENTS = (1, 4, 5, 6, 8, 9)


def play_event(
    chance: Random,
    players: tuple[str, ...],
    terms: MoneyTerms,
    buy_in: int,
    rebuy: int,
    brought: int = 0,
    *,
    last: bool,
) -> Tournament:
    """An event with rebuys by chance, and cards of the jackpot, to its close."""
    found = replace(open_tournament(schedule_file.load_schedule("T20000"), players, buy_in), terms=terms)
    found = apply_line(found, {"do": "start", "at": 0})
    deck = list(DECK)
    chance.shuffle(deck)
    wanted = [(player, chance.randint(1, 4)) for player in players]
    sold = sell_cards(wanted, deck, last)
    line = {"do": "jackpot", "sold": sold, "price": 1, "brought": brought / 100, "last": last, "at": 1}
    found, hand = apply_line(found, line), 1
    while not found.is_over:
        hand += 1
        player = chance.choice(found.remaining_players)
        found = apply_line(found, {"do": "eliminate", "player": player, "hand": hand, "stack": 100, "at": hand})
        if rebuy and not found.is_over and chance.random() < 0.3:
            found = apply_line(found, {"do": "rebuy", "player": player, "amount": rebuy, "at": hand})
    river = chance.choice((*DECK, ""))
    found = apply_line(found, {"do": "river", "card": river, "at": hand})
    return apply_line(found, {"do": "close", "at": hand})


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_a_whole_season_comes_out_to_the_cent(seed: int) -> None:
    """Eleven events, the Qualifier, the Championship: what players paid in, players have, to the cent, by its end.

    Covers: FC-11.league.events, FC-11.postpay
    """
    chance = Random(seed)
    people = tuple(f"P{n}" for n in range(chance.randint(17, 30)))
    terms = MoneyTerms(CLUB, carried_tenths=100)
    events: list[Tournament] = []
    results: list[LeagueResult] = []
    for number, buy_in in enumerate(BUY_INS, start=1):
        players = tuple(chance.sample(people, chance.randint(8, len(people))))
        rebuy = 30 if number in REBUY_EVENTS else 0
        jackpot = sum_season(one.make_ledger() for one in events).jackpot_cents
        event = play_event(chance, players, terms, buy_in, rebuy, jackpot, last=number == len(BUY_INS))
        events.append(event)
        results += [
            LeagueResult(str(number), one.player, len(players), buy_in, event.total_spent(one.player), one.mean_place)
            for one in event.finishes()
        ]
    seats, invited = select_postseason(rank_players(results))
    purse = sum_season(one.make_ledger() for one in events)
    assert purse.jackpot_cents == 0
    qualifier = apply_out(chance, invited, terms, 40)
    events.append(qualifier)
    final = seat_championship(seats, qualifier.finishes()[0].player)
    assert len(final) == 9
    brought = sum_season(one.make_ledger() for one in events).championship_cents
    assert brought >= sum(one.buy_in * len(one.entrants) * 10 for one in events)
    events.append(apply_out(chance, final, MoneyTerms(CLUB, carried_in_cents=brought), 100))
    ledgers = [one.make_ledger() for one in events]
    assert sum_season(ledgers) == SeasonPurse(0, 0)
    by_players = sum(
        line.cents for one in ledgers for line in one.lines if line.side is LedgerSide.TAKEN and line.player
    )
    assert sum(one.sum_side(LedgerSide.PAID) for one in ledgers) == by_players
    for event in events:
        require_balance(event)


def apply_out(chance: Random, players: tuple[str, ...], terms: MoneyTerms, buy_in: int) -> Tournament:
    """A freezeout to its close."""
    found = replace(open_tournament(schedule_file.load_schedule("T20000"), players, buy_in), terms=terms)
    for hand, player in enumerate(chance.sample(players, len(players) - 1), start=1):
        found = apply_line(found, {"do": "eliminate", "player": player, "hand": hand, "stack": 100, "at": hand})
    return apply_line(found, {"do": "close", "at": 1000})


def test_FC_11_side_jackpot() -> None:
    """Whoever has the last hand's river card wins; else it rolls over, after the last event to the Championship."""
    sale = CardSale({"Ks": "Ana", "2c": "Ben"}, 1, brought_cents=38_00)
    assert settle_jackpot(sale, "Ks") == JackpotResult("Ana", paid_cents=40_00)
    for river in ("Kh", ""):
        assert settle_jackpot(sale, river) == JackpotResult(rolled_cents=40_00)
        assert settle_jackpot(replace(sale, is_last=True), river) == JackpotResult(championship_cents=40_00)
    assert settle_jackpot(replace(sale, is_last=True), "2c") == JackpotResult("Ben", paid_cents=40_00)


def test_FC_11_side_jackpot_forty_cards_two_each_first_then_one_at_a_time() -> None:
    """Covers: FC-11.side.jackpot"""
    sold = sell_cards([("Ana", 5), ("Ben", 1), ("Cem", 3)], DECK, is_last=False)
    assert list(sold.values()) == ["Ana", "Ana", "Ben", "Cem", "Cem", "Ana", "Cem", "Ana", "Ana"]
    many = [(f"P{n}", 3) for n in range(20)]
    assert [list(sell_cards(many, DECK, is_last=False).values()).count(f"P{n}") for n in (0, 19)] == [2, 2]
    assert len(sell_cards(many, DECK, is_last=False)) == 40
    whole = sell_cards(many, DECK, is_last=True)
    assert (len(whole), set(whole)) == (52, set(DECK))
    assert [list(whole.values()).count(f"P{n}") for n in (0, 11, 12)] == [3, 3, 2]
    with pytest.raises(ValueError, match="each player buys once"):
        sell_cards([("Ana", 1), ("Ana", 1)], DECK, is_last=False)
    with pytest.raises(ValueError, match="whole deck"):
        sell_cards([("Ana", 1)], DECK[1:], is_last=False)


def test_a_jackpot_is_part_of_its_events_account() -> None:
    found = replace(
        open_tournament(schedule_file.load_schedule("T2000"), ["Ana", "Ben", "Cem"], 40),
        terms=MoneyTerms(CLUB, carried_tenths=100),
    )
    sale = {"do": "jackpot", "sold": {"Ks": "Ana", "2c": "Ben", "3c": "Ben"}, "price": 2, "brought": 10.5, "at": 1}
    for change, message in (
        ({"sold": {"Ks": "Zoe"}}, "Zoe has not entered"),
        ({"sold": {"1x": "Ana"}}, "'1x' is no card"),
        ({"sold": dict.fromkeys(DECK[:41], "Ana")}, "41 cards are sold; at most 40"),
        ({"sold": 5}, "`jackpot` has `sold`"),
        ({"price": 0}, "a `price` above 0"),
        ({"brought": 0.005}, "`brought` is an amount"),
    ):
        with pytest.raises(TournamentError, match=message):
            apply_line(found, sale | change)
    assert apply_line(found, sale | {"sold": dict.fromkeys(DECK, "Ana"), "last": True}).card_sale
    found = apply_line(found, sale)
    with pytest.raises(TournamentError, match="sold once"):
        apply_line(found, sale)
    with pytest.raises(TournamentError, match="not over"):
        apply_line(found, {"do": "river", "card": "Ks", "at": 2})
    off = apply_line(found, {"do": "close", "abandon": True, "at": 2})
    assert sum_season([off.make_ledger()]) == SeasonPurse(0, 0)
    less = apply_line(found, {"do": "refund", "player": "Ben", "at": 2})
    over = apply_line(less, {"do": "eliminate", "player": "Ana", "hand": 3, "stack": 5, "at": 3})
    with pytest.raises(TournamentError, match=r"jackpot of 16\.50 goes to nobody yet; which was the river card"):
        apply_line(over, {"do": "close", "at": 4})
    with pytest.raises(TournamentError, match="rank and suit"):
        apply_line(over, {"do": "river", "card": "1x", "at": 4})
    won = apply_line(over, {"do": "river", "card": "2c", "at": 4})
    require_balance(apply_line(won, {"do": "close", "at": 5}))
    rolled = apply_line(over, {"do": "river", "card": "", "at": 4})
    require_balance(rolled)
    assert sum_season([rolled.make_ledger()]).jackpot_cents == 6_00
    silent = open_tournament(schedule_file.load_schedule("T2000"), ["Ana", "Ben"], 40)
    with pytest.raises(TournamentError, match="keeps no account"):
        apply_line(silent, sale)
    with pytest.raises(TournamentError, match="no cards of a jackpot"):
        apply_line(silent, {"do": "river", "card": "Ks", "at": 2})


def test_FC_11_side_props_pays_one_winner_or_the_best_of_two_pools() -> None:
    """Up to twelve entrants one takes all; of more each of two pools has a winner, who takes half.

    Covers: FC-11.side.props
    """
    twelve = {f"P{n}": float(n) for n in range(12)}
    assert draw_props_pools(tuple(twelve), range(12)) == (tuple(twelve),)
    assert pay_props_bet(twelve, [tuple(twelve)], 50_00) == (("P11", 600_00),)
    thirteen = twelve | {"P12": 12.0}
    pools = draw_props_pools(tuple(thirteen), (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
    assert tuple(map(len, pools)) == (7, 6)
    assert pay_props_bet(thirteen, pools, 50_01) == (("P12", 325_07), ("P5", 325_06))
    tied = thirteen | {"P11": 12.0}
    assert pay_props_bet(tied, pools, 50_00) == (("P12", 162_50), ("P11", 162_50), ("P5", 325_00))
    with pytest.raises(ValueError, match="each number from 0 to 12 once"):
        draw_props_pools(tuple(thirteen), range(12))


def test_FC_11_postseason_the_qualifiers_winner_has_the_ninth_seat() -> None:
    """A seat that was declined stays empty.

    Covers: FC-11.postseason
    """
    assert seat_championship(("A", "B"), "C") == ("A", "B", "C")
    assert seat_championship(("A", "B")) == ("A", "B")
    with pytest.raises(ValueError, match="A has a seat"):
        seat_championship(("A", "B"), "A")


def test_a_season_is_only_where_a_club_says_so(tmp_path: Path) -> None:
    """Every other book has none, by default; the commands refuse it in words and write nothing."""
    for name in rulebook_file.list_rulebooks():
        rules = rulebook_file.load_rulebook(name).tournament
        club = name == "fish-n-chips"
        assert (rules.league.value, rules.side_games.value) == (club, club), name
        assert (rules.league.by_default, rules.side_games.by_default) == (not club, not club), name
    table = tmp_path / "season.csv"
    table.write_text("event,player,buy_ins,buy_in,spent,finish\n1,X,20,40,40,20\n")
    assert "X" in direct("league", str(table))
    refused = direct("league", str(table), "--rulebook", "tda-2024", status=1)
    assert "tda-2024 has no league (R7, Section 15, Tournaments, rule 35, by default); with one there is" in refused
    table.write_text("player,cashes\nAna,3\n")
    assert "has no props bet" in direct("props", str(table), "--rulebook", "maryport", status=1)
    record = tmp_path / "event.jsonl"
    direct("load", "T2000", "Ana", "Ben", "--rulebook", "tda-2024", "--record", str(record))
    before = record.read_bytes()
    assert "tda-2024 has no river jackpot" in direct("jackpot", "Ana=1", "--record", str(record), status=1)
    assert "has no league" in direct("season", str(record), "--rulebook", "tda-2024", status=1)
    assert record.read_bytes() == before


def test_a_season_at_the_command(tmp_path: Path) -> None:
    """Two events, a jackpot that rolls over and then goes to the Championship, which has all of it."""
    one, two, final = (str(tmp_path / f"{name}.jsonl") for name in ("one", "two", "final"))

    def play(record: str, *words: str, buy_in: str = "45") -> None:
        direct("load", "T2000", "Ana", "Ben", "--buy-in", buy_in, *words, "--record", record)

    def end(record: str) -> None:
        direct("eliminate", "Ben", "--hand", "1", "--stack", "10", "--record", record)

    play(one)
    sold = json.loads(direct("jackpot", "Ana=2", "Ben=1", "--seed", "5", "--json", "--record", one))
    assert sorted(sold.values()) == ["Ana", "Ana", "Ben"]
    assert "PLAYER=CARDS" in direct("jackpot", "Ana", "--record", one, status=1)
    assert "not over" in direct("season", one, status=1)
    end(one)
    assert "jackpot of 3 goes to nobody yet" in direct("season", one, status=1)
    assert "say the card" in direct("river", "--record", one, status=1)
    assert (
        "no such file" in direct("river", "--journal", str(tmp_path / "none.sqlite"), "--record", one, status=1).lower()
    )
    unsold = next(card for card in DECK if card not in sold)
    assert direct("river", unsold, "--record", one) == "3 rolls over to the next event\n"
    play(two)
    assert "in the jackpot  5" in direct("jackpot", "Ana=2", "--brought", "3", "--last", "--seed", "1", "--record", two)
    end(two)
    assert direct("river", "none", "--record", two) == "5 goes to the Championship\n"
    assert json.loads(direct("season", one, two, "--json")) == {"championship": 23, "jackpot": 0}
    assert "for the Championship  23\nin the jackpot  0" in direct("season", one, two)
    play(final, "--carried-in", "23", buy_in="100")
    end(final)
    assert "for the Championship  0\n" in direct("season", one, two, final)
    assert "prize pool 223, rake 0" in direct("payout", "--record", final)
    short = str(tmp_path / "short.jsonl")
    play(short, "--carried-in", "22.5", buy_in="100")
    end(short)
    assert "the season does not balance: 0.50 of the season's pool" in direct("season", one, two, short, status=1)
    won = str(tmp_path / "won.jsonl")
    play(won)
    card, player = next(iter(json.loads(direct("jackpot", "Ana=1", "--json", "--record", won)).items()))
    end(won)
    assert direct("river", card, "--record", won) == f"{card}: {player} wins 1\n"


def test_the_props_bet_is_paid_at_the_command(tmp_path: Path) -> None:
    table = tmp_path / "props.csv"
    table.write_text("player,cashes\n" + "".join(f"P{n},{n}\n" for n in range(13)))
    shown = json.loads(direct("props", str(table), "--fee", "50", "--seed", "3", "--json"))
    assert (tuple(map(len, shown["pools"])), sum(one["prize"] for one in shown["winners"])) == ((7, 6), 650)
    assert direct("props", str(table), "--fee", "50", "--seed", "3").count("pool") == 2
    assert "above 0" in direct("props", str(table), "--fee", "0", status=1)


def test_the_qualifiers_winner_is_seated_at_the_command(tmp_path: Path) -> None:
    table = tmp_path / "season.csv"
    rows = "".join(f"1,P{n},20,40,40,{n}\n" for n in range(1, 20))
    table.write_text(f"event,player,buy_ins,buy_in,spent,finish\n{rows}")
    words = ("league", str(table), "--postseason", "--declined", "P3")
    assert "Championship: P1, P2, P4, P5, P6, P7, P8, P10\n" in direct(*words, "--qualifier-winner", "P10")
    assert "P1 was not invited" in direct(*words, "--qualifier-winner", "P1", status=1)
