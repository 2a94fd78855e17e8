"""An event's account: what was taken in is paid, kept and carried, to the cent, or the event does not post."""

import csv
import io
import json
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import payout_file, schedule_file
from controller.core.tournament.ledger import LedgerKind, LedgerSide, make_ledger_rows
from controller.core.tournament.money_terms import (
    TERMS_KEYS,
    UNSAID_TERMS,
    MoneyTerms,
    parse_terms,
    terms_to_json,
)
from controller.core.tournament.tournament import (
    Tournament,
    TournamentError,
    apply_line,
    open_tournament,
    require_balance,
)
from controller.core.values.value import replace
from tests.tournament.desk import direct

STANDARD = payout_file.load_payouts("standard")
PLAYERS = ("Ana", "Ben", "Cem", "Dee", "Eve", "Fay")
TAKEN, PAID, KEPT, CARRIED = LedgerSide


def make_event(terms: MoneyTerms, players: tuple[str, ...] = PLAYERS, buy_in: int = 100, **more: Any) -> Tournament:  # noqa: ANN401 (fields)
    found = open_tournament(schedule_file.load_schedule("T20000"), players, buy_in)
    return apply_line(replace(found, terms=terms, **more), {"do": "start", "at": 0})


def gone(player: str, hand: int, **more: object) -> dict[str, object]:
    return {"do": "eliminate", "player": player, "hand": hand, "stack": 500, "at": hand, **more}


def after(found: Tournament, *lines: Mapping[str, object]) -> Tournament:
    return reduce(apply_line, lines, found)


def play_out(found: Tournament, hand: int = 10, **more: object) -> Tournament:
    """All but the first go out, the last to enter first, each by the first."""
    others = found.remaining_players[1:]
    return after(found, *(gone(player, hand + number, **more) for number, player in enumerate(reversed(others))))


def side_sums(found: Tournament) -> tuple[int, int, int, int]:
    ledger = found.make_ledger()
    return (ledger.sum_side(TAKEN), ledger.sum_side(PAID), ledger.sum_side(KEPT), ledger.sum_side(CARRIED))


def test_an_entrys_parts() -> None:
    """Six at 100 + 15: 3.5 % of 600 for the staff; a re-entry pays all of it again, a rebuy its own fee."""
    terms = MoneyTerms(STANDARD, fee=15, rebuy_fee=5, staff_tenths=35)
    found = after(make_event(terms), gone("Ben", 1), {"do": "re-entry", "player": "Ben", "at": 2}, gone("Cem", 3))
    found = after(found, {"do": "rebuy", "player": "Cem", "amount": 80, "at": 4})
    found = after(found, {"do": "add-on", "player": "Ana", "amount": 50, "at": 5})
    assert found.staff_cents == 830_00 * 35 // 1000 == 29_05
    assert found.split_purse() == (830_00 - 29_05, 0)
    over = play_out(found)
    ledger = over.make_ledger()
    kinds = {kind: ledger.sum_kind(TAKEN, kind) for kind in LedgerKind}
    assert {kind.value: cents for kind, cents in kinds.items() if cents} == {
        "buy-in": 700_00, "rebuy": 80_00, "add-on": 50_00, "fee": 7 * 15_00 + 5_00,
    }  # fmt: skip
    assert side_sums(over) == (940_00, 800_95, 110_00 + 29_05, 0)
    require_balance(over)


def test_FC_10_payouts_a() -> None:
    """A tenth of the buy-ins goes to the season; rebuys and add-ons go to the prize pool whole.

    Covers: FC-10.payouts#a
    """
    club = MoneyTerms(payout_file.load_payouts("fish-n-chips"), carried_tenths=100)
    found = make_event(club, tuple(f"P{n}" for n in range(20)), 40)
    paid = {"do": "add-on", "player": "P1", "amount": 30, "at": 1}
    assert after(found, paid, {**paid, "player": "P2"}, paid).split_purse() == (720_00 + 90_00, 80_00)
    assert side_sums(play_out(found)) == (800_00, 720_00, 0, 80_00)


def test_FC_11_postpay() -> None:
    """Nine at 100 and 860 of the season: 1,760, which are 960, 480 and 320; nothing goes out.

    Covers: FC-11.postpay
    """
    terms = MoneyTerms(payout_file.load_payouts("fish-n-chips"), carried_in_cents=860_00)
    found = make_event(terms, tuple(f"P{n}" for n in range(9)))
    assert (found.split_purse(), found.prizes()) == ((1_760_00, 0), (960_00, 480_00, 320_00))
    assert side_sums(play_out(found)) == (1_760_00, 1_760_00, 0, 0)


def test_an_event_that_runs_has_its_prizes_still_to_pay() -> None:
    found = make_event(MoneyTerms(STANDARD, fee=10))
    assert found.make_ledger().difference_cents == 600_00
    with pytest.raises(TournamentError, match="6 players still play"):
        apply_line(found, {"do": "close", "at": 1})
    two = after(found, *(gone(player, n) for n, player in enumerate(("Fay", "Eve", "Dee", "Cem"), 1)))
    assert two.make_ledger().difference_cents == sum(two.prizes()[:2]) == 600_00
    over = apply_line(two, gone("Ben", 9))
    assert over.make_ledger().difference_cents == 0
    closed = apply_line(over, {"do": "close", "at": 20})
    for line in (gone("Ana", 30), {"do": "close", "at": 30}, {"do": "rebuy", "player": "Ben", "amount": 5, "at": 30}):
        with pytest.raises(TournamentError, match="the event is closed"):
            apply_line(closed, line)


def test_bounties_that_nobody_has_are_named() -> None:
    """60 of bounties were taken in; who knocked one out was not said: 20 go to nobody, and the event does not post."""
    found = make_event(MoneyTerms(STANDARD), ("Ana", "Ben", "Cem"), bounty=20)
    told = after(found, gone("Ben", 1, by="Ana"), gone("Cem", 2, by="Ana"))
    assert told.bounty_by_player() == {"Ana": 60_00}
    require_balance(told)
    silent = after(found, gone("Ben", 1, by="Ana"), gone("Cem", 2))
    with pytest.raises(TournamentError, match="20 were taken in and go to nobody; bounties of 20 have nobody"):
        apply_line(silent, {"do": "close", "at": 3})
    assert apply_line(told, {"do": "close", "at": 3}).is_closed


def test_R7_15_tourn_37_a_deal() -> None:
    """Everybody who is left, and all that is left; the larger share finishes higher, and equal ones tie.

    Covers: R7-15.tourn.37, MP-7.tourn.32
    """
    found = after(make_event(MoneyTerms(STANDARD, fee=10)), gone("Fay", 1), gone("Eve", 2), gone("Dee", 3))

    def deal(**shares: float) -> Tournament:
        return apply_line(found, {"do": "deal", "shares": shares, "at": 5})

    with pytest.raises(TournamentError, match=r"everybody who is left \(R7-15.tourn.37\): Ana, Ben, Cem"):
        deal(Ana=300, Ben=300)
    with pytest.raises(TournamentError, match=r"600 of prizes are left; the shares come to 0\.50 less"):
        deal(Ana=300, Ben=200, Cem=99.5)
    with pytest.raises(TournamentError, match="share of Ben"):
        deal(Ana=300, Ben=299.995, Cem=0.005)
    agreed = deal(Ana=200, Ben=333.33, Cem=66.67)
    assert [(one.player, one.place, one.prize_cents) for one in agreed.finishes()][:4] == [
        ("Ben", 1, 333_33), ("Ana", 2, 200_00), ("Cem", 3, 66_67), ("Dee", 4, 0),
    ]  # fmt: skip
    assert [(one.place, one.tied_count) for one in deal(Ana=100, Ben=400, Cem=100).finishes()][:3] == [
        (1, 1), (2, 2), (2, 2),
    ]  # fmt: skip
    assert agreed.is_over
    require_balance(apply_line(agreed, {"do": "close", "at": 6}))
    for line in (gone("Ana", 9), {"do": "deal", "shares": {}, "at": 9}, {"do": "late-entry", "player": "Gil", "at": 9}):
        with pytest.raises(TournamentError, match="have agreed on a deal: the event is over"):
            apply_line(agreed, line)


def test_rebuys_are_in_the_pool_of_a_championship_too() -> None:
    found = apply_line(make_event(MoneyTerms(STANDARD, carried_tenths=100)), gone("Ben", 1))
    found = apply_line(found, {"do": "rebuy", "player": "Ben", "amount": 30, "at": 2})
    assert found.to_championship(50).split_purse() == (680_00, 0)


def test_a_refunded_entry_does_not_count() -> None:
    """All of it comes back, the fee and the bounty too; prizes and places are those of the others."""
    found = make_event(MoneyTerms(STANDARD, fee=10, staff_tenths=20), bounty=5)
    found = apply_line(found, {"do": "add-on", "player": "Eve", "amount": 50, "at": 1})
    less = apply_line(found, {"do": "refund", "player": "Eve", "at": 2})
    assert (len(less.entrants), less.split_purse()[0]) == (5, 500_00 * 98 // 100)
    ledger = less.make_ledger()
    assert [(line.player, line.cents) for line in ledger.lines if line.kind is LedgerKind.REFUND] == [
        ("Eve", 100_00), ("Eve", 10_00), ("Eve", 5_00), ("Eve", 50_00),
    ]  # fmt: skip
    require_balance(play_out(less, by="Ana"))
    again = apply_line(less, {"do": "late-entry", "player": "Eve", "at": 3})
    assert side_sums(play_out(again, by="Ana"))[0] == 6 * 115_00 + 165_00
    require_balance(play_out(again, by="Ana"))
    with pytest.raises(TournamentError, match="Ben cannot be refunded"):
        apply_line(apply_line(found, gone("Ben", 2)), {"do": "refund", "player": "Ben", "at": 3})


def test_an_event_that_is_broken_off_pays_everything_back() -> None:
    """What came from the season goes back there; who has been paid out keeps it, and then it does not post."""
    terms = MoneyTerms(STANDARD, fee=10, staff_tenths=30, carried_in_cents=86_05)
    found = after(make_event(terms), gone("Fay", 1), {"do": "refund", "player": "Eve", "at": 2})
    closed = apply_line(found, {"do": "close", "abandon": True, "at": 3})
    assert side_sums(closed) == (660_00 + 86_05, 660_00, 0, 86_05)
    require_balance(closed)
    with pytest.raises(TournamentError, match="Fay has been paid out"):
        require_balance(closed, {"Fay": 5})


def test_a_satellites_seats_are_paid_at_what_they_cost() -> None:
    found = make_event(MoneyTerms(STANDARD, fee=10, staff_tenths=50), satellite_seat_price=200)
    over = after(found, *(gone(player, n) for n, player in enumerate(("Fay", "Eve", "Dee", "Cem"), 1)))
    assert over.is_over
    ledger = over.make_ledger()
    assert (ledger.sum_kind(PAID, LedgerKind.SEAT), ledger.sum_kind(PAID, LedgerKind.PRIZE)) == (400_00, 170_00)
    require_balance(over)


@given(st.integers(0, 2**32))
def test_every_event_comes_out_to_the_cent(seed: int) -> None:
    """Whatever an entry consists of, and however it goes on: rebuys, ties, disqualified, refunds, a deal."""
    chance = Random(seed)
    terms = MoneyTerms(
        payout_file.load_payouts(chance.choice(payout_file.list_payouts())),
        chance.choice((0, 7, 15)),
        chance.choice((0, 7, 15)),
        chance.choice((0, 7, 15)),
        chance.randrange(101),
        chance.choice((0, 100, chance.randrange(900))),
        chance.choice((0, chance.randrange(10**6))),
    )
    players = tuple(f"P{n}" for n in range(chance.randint(2, 50)))
    found = make_event(terms, players, chance.choice((1, 33, 40)), bounty=chance.choice((0, 9)))
    hand = 0
    while not found.is_over:
        hand += 1
        left = found.remaining_players
        match chance.randrange(8):
            case 0 if len(left) > 2:
                line: dict[str, object] = {"do": "refund", "player": chance.choice(left)}
            case 1:
                line = {"do": "add-on", "player": chance.choice(left), "amount": chance.randint(1, 50)}
            case 2 if found.eliminations and not terms.rebuy_fee and not found.bounty:
                line = {"do": "rebuy", "player": found.eliminations[-1].player, "amount": chance.randint(1, 50)}
            case 3 if found.eliminations and hand < 90:
                line = {"do": "late-entry", "player": f"L{hand}"}
            case 4 if chance.random() < 0.1:
                prizes = sum(found.prizes()[: len(left)])
                each, rest = divmod(prizes, len(left))
                cents = dict.fromkeys(left, each) | {left[0]: each + rest}
                line = {"do": "deal", "shares": {player: cent / 100 for player, cent in cents.items()}}
            case _:
                out = chance.choice(left[1:])
                line = gone(out, hand // 2, by=left[0], disqualified=chance.random() < 0.1)
        found = apply_line(found, {**line, "at": hand})
    for event in (found, apply_line(found, {"do": "close", "at": hand})):
        require_balance(event)
        taken, *gone_to = side_sums(event)
        assert sum(gone_to) == taken
        rows = list(csv.reader(io.StringIO("\n".join(",".join(row) for row in make_ledger_rows(event.make_ledger())))))
        assert rows[-1] == ["difference", "", "", "0.00"]


def test_what_an_events_line_says_of_its_money_is_read_as_it_was_written() -> None:
    terms = MoneyTerms(STANDARD, 15, 5, 2, 35, 100, 860_50)
    written = terms_to_json(terms)
    assert tuple(written) == TERMS_KEYS
    assert (written["staff"], written["carried"], written["carried_in"]) == (3.5, 10, 860.5)
    assert parse_terms(json.loads(json.dumps(written))) == terms
    assert parse_terms({"buy_in": 40}) == UNSAID_TERMS


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("fee", -1, "`fee` is a whole number from 0; it is -1"),
        ("rebuy_fee", 2.5, "`rebuy_fee` is a whole number"),
        ("add_on_fee", True, "`add_on_fee` is a whole number"),
        ("staff", 2.55, "`staff` is a percentage from 0 to 100, with one decimal at most; it is 2.55"),
        ("staff", 101, "`staff` is a percentage"),
        ("carried", 98, "more than 100 per cent"),
        ("carried_in", 1.005, "`carried_in` is an amount from 0, with two decimals at most"),
        ("carried_in", float("nan"), "`carried_in` is an amount"),
        ("payouts", "standard", "`payouts` has a name, round_to, and columns"),
        (
            "payouts",
            {"name": "x", "columns": [{"players": 5, "shares": [50, 40]}]},
            "column 1: the shares come to 90 %",
        ),
        ("payouts", {"name": "x", "columns": [5]}, "column 1: it has `players` and `shares`"),
        ("payouts", {"name": "x", "columns": [], "round_to": 1}, "`payouts` has a name"),
        ("payouts", {"columns": [{"players": 5, "shares": [100]}], "round_to": 0}, "`round_to` is an amount above 0"),
        ("payouts", {"columns": [{"players": 5, "shares": [100]}], "rounding": []}, "`rounding` is one of"),
    ],
)
def test_terms_that_make_no_sense_are_refused_in_words(key: str, value: object, message: str) -> None:
    written = terms_to_json(MoneyTerms(STANDARD, staff_tenths=35)) | {key: value}
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        parse_terms(written)
    if key != "payouts":
        with pytest.raises(ValueError, match="said whole"):
            parse_terms({key: value})


OLD_RECORD = """\
{"do": "load", "schedule": "T2000", "players": ["Ana", "Ben", "Cem", "Dee", "Eve", "Fay"], "buy_in": 40, \
"rulebook": "tda-2024", "unlimited_rebuys": true, "at": 1000.0, "bounty": 10}
{"do": "eliminate", "player": "Ana", "hand": 10, "stack": 900, "at": 1001.0}
{"do": "eliminate", "player": "Ben", "hand": 11, "stack": 900, "by": "Cem", "at": 1002.0}
{"do": "rebuy", "player": "Ana", "amount": 30, "at": 1003.0}
{"do": "eliminate", "player": "Cem", "hand": 12, "stack": 900, "at": 1004.0}
{"do": "eliminate", "player": "Dee", "hand": 13, "stack": 900, "at": 1005.0}
{"do": "eliminate", "player": "Eve", "hand": 14, "stack": 900, "at": 1006.0}
{"do": "eliminate", "player": "Ana", "hand": 14, "stack": 900, "at": 1007.0}
"""
OLD_PAYOUT = """\
prize pool 246, rake 24
  1         165
  2          81
bounties of Cem  10
bounties of Fay  10
  1  Fay  165
  2  Ana (tied, 2 players)  40.50
  2  Eve (tied, 2 players)  40.50
  4  Dee  0
  5  Cem  0
  6  Ben  0
"""
OLD_CHAMPIONSHIP = "prize pool 340, rake 0\n  1         225\n  2         115\n"
OLD_JSON = (
    '{"pool": 246.0, "rake": 24.0, "seats": 0, "prizes": [165.0, 81.0], "finishes": ['
    '{"player": "Fay", "place": 1, "tied": 1, "prize": 165.0}, '
    '{"player": "Ana", "place": 2, "tied": 2, "prize": 40.5}, {"player": "Eve", "place": 2, "tied": 2, "prize": 40.5}, '
    '{"player": "Dee", "place": 4, "tied": 1, "prize": 0.0}, '
    '{"player": "Cem", "place": 5, "tied": 1, "prize": 0.0}, {"player": "Ben", "place": 6, "tied": 1, "prize": 0.0}]}\n'
)


def test_a_record_of_an_older_version_pays_what_it_paid(tmp_path: Path) -> None:
    """A tenth and the club's table under every book, bounties that were never taken in: byte for byte."""
    record = tmp_path / "old.jsonl"
    record.write_text(OLD_RECORD)
    assert direct("payout", "--record", str(record)) == OLD_PAYOUT
    assert direct("payout", "--json", "--record", str(record)) == OLD_JSON
    assert direct("payout", "--rakes", "100", "--record", str(record)).startswith(OLD_CHAMPIONSHIP)
    assert "does not say what an entry consisted of" in direct("payout", "--csv", "--record", str(record), status=1)
    assert "keeps no account" in direct("refund", "Fay", "--record", str(record), status=1)
    assert record.read_text() == OLD_RECORD


def test_a_new_record_always_says_its_money(tmp_path: Path) -> None:
    """All keys, those too that are 0: as the book has it, as the words have it, and as a championship has it."""

    def load(*words: str) -> dict[str, Any]:
        record = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        direct("load", "T2000", "Ana", "Ben", *words, "--record", str(record))
        found: dict[str, Any] = json.loads(record.read_text().splitlines()[0])
        return found

    plain, club = load("--rulebook", "tda-2024"), load()
    assert set(TERMS_KEYS) <= set(plain)
    assert [plain[key] for key in TERMS_KEYS[:-1]] == [0, 0, 0, 0, 0, 0]
    assert (plain["payouts"]["name"], plain["payouts"]["cite"]) == ("standard", "")
    assert (club["carried"], club["payouts"]["name"], club["payouts"]["cite"]) == (
        10,
        "fish-n-chips",
        "FC-10.payouts#a",
    )
    said = load("--fee", "15", "--staff", "3.5", "--carried", "2.5", "--payouts", "standard", "--rebuy-fee", "1")
    assert (said["fee"], said["staff"], said["carried"], said["rebuy_fee"]) == (15, 3.5, 2.5, 1)
    assert said["payouts"]["name"] == "standard"
    final = load("--carried-in", "860.5")
    assert (final["carried_in"], final["carried"]) == (860.5, 0)
    assert "one decimal at most" in direct(
        "load", "T2000", "Ana", "Ben", "--staff", "0.55", "--record", str(tmp_path / "none.jsonl"), status=1
    )
    assert not (tmp_path / "none.jsonl").exists()


def test_the_account_at_the_command(tmp_path: Path) -> None:
    record = ["--record", str(tmp_path / "event.jsonl")]
    direct("load", "T2000", "Ana", "Ben", "Cem", "--rulebook", "tda-2024", "--buy-in", "100", "--fee", "15", "--staff",
           "3.5", "--bounty", "20", *record)  # fmt: skip
    shown = direct("payout", *record)
    assert "taken          405.00  buy-in 300, fee 45, bounty 60\n" in shown
    assert "difference     349.50\n" in shown
    direct("eliminate", "Cem", "--hand", "3", "--stack", "500", "--by", "Ana", *record)
    direct("eliminate", "Ben", "--hand", "4", "--stack", "500", *record)
    before = Path(record[1]).read_bytes()
    refused = "the account does not balance: 20 were taken in and go to nobody; bounties of 20 have nobody"
    assert refused in direct("payout", *record, status=1)
    assert refused in direct("payout", "--csv", *record, status=1)
    assert refused in direct("close", *record, status=1)
    assert Path(record[1]).read_bytes() == before


def test_a_closed_record(tmp_path: Path) -> None:
    record = ["--record", str(tmp_path / "event.jsonl")]
    direct("load", "T2000", "Ana", "Ben", "Cem", "--buy-in", "45", "--fee", "5", *record)
    assert "still play" in direct("close", *record, status=1)
    assert "PLAYER=AMOUNT" in direct("deal", "Ana", *record, status=1)
    assert "PLAYER=AMOUNT" in direct("deal", "Ana=much", *record, status=1)
    direct("refund", "Cem", *record)
    assert "0.01 less" in direct("deal", "Ana=40.5", "Ben=40.49", *record, status=1)
    direct("deal", "Ana=40.5", "Ben=40.5", *record)
    direct("close", *record)
    assert "the event is closed" in direct("add-on", "Ana", "--amount", "5", *record, status=1)
    assert direct("payout", "--csv", *record).splitlines() == [
        "side,kind,player,amount",
        "taken,buy-in,Ana,45.00", "taken,fee,Ana,5.00", "taken,buy-in,Ben,45.00", "taken,fee,Ben,5.00",
        "taken,buy-in,Cem,45.00", "taken,fee,Cem,5.00",
        "paid,prize,Ana,40.50", "paid,prize,Ben,40.50", "paid,refund,Cem,45.00", "paid,refund,Cem,5.00",
        "kept,fee,,10.00", "carried,season,,9.00", "difference,,,0.00",
    ]  # fmt: skip
    account = json.loads(direct("payout", "--json", *record))["account"]
    assert account == {
        "taken": {"buy-in": 135, "fee": 15}, "paid": {"prize": 81, "refund": 50}, "kept": {"fee": 10},
        "carried": {"season": 9}, "difference": 0,
    }  # fmt: skip
