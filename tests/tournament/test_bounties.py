"""Bounties: each entry's goes to those who knock its player out, and all of them come out to the cent."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from controller.core.tournament.bounties import Knockout, split_bounty
from controller.core.tournament.ledger import LedgerKind, LedgerSide
from controller.core.tournament.money_terms import UNSAID_TERMS, MoneyTerms
from controller.core.tournament.tournament import Tournament, TournamentError, apply_line, remove_elimination
from tests.tournament.desk import direct
from tests.tournament.test_account import STANDARD, after, gone, make_event

TERMS = MoneyTerms(structure=STANDARD, fee=7, has_account=True)


def make_bounty_event(bounty: int = 20, terms: MoneyTerms = TERMS) -> Tournament:
    return make_event(terms, bounty=bounty)


@pytest.mark.parametrize(
    ("winners", "shares", "found"),
    [
        ("Ana", (), {"Ana": 20_00}),
        ("Ana Ben Cem", (), {"Ana": 6_67, "Ben": 6_67, "Cem": 6_66}),
        ("Cem Ana", (3, 1), {"Cem": 15_00, "Ana": 5_00}),
        ("Cem Ana Ben", (1, 5, 1), {"Cem": 2_86, "Ana": 14_29, "Ben": 2_85}),
        ("", (), {}),
    ],
)
def test_WSOP_T_39_a_a_bounty_that_is_shared(winners: str, shares: tuple[int, ...], found: dict[str, int]) -> None:
    """Covers: WSOP-T-39.a."""
    assert split_bounty(20_00, Knockout("Eve", tuple(winners.split()), shares)) == found


def play(found: Tournament, chance: Random) -> Tournament:
    """Play an event out, with all that may become of a bounty."""
    hand = 1
    while not found.is_over:
        hand += chance.randrange(2)
        left, out = list(found.remaining_players), [one.player for one in found.eliminations]
        match chance.randrange(9):
            case 0 if len(left) > 1 and out:
                line = {"do": "rebuy", "player": chance.choice(out), "amount": 50}
            case 1 if out:
                line = {"do": "re-entry", "player": chance.choice(out).partition(" (")[0]}
            case 2:
                line = {"do": "marker", "player": chance.choice(left)}
            case 3 if out:
                line = {"do": "knockout", "player": chance.choice(out), **any_knockers(found.entrants, chance)}
            case 4 if len(left) > 2:
                line = {"do": "refund", "player": chance.choice(left)}
            case _:
                player = left.pop(chance.randrange(len(left)))
                line = gone(player, hand, **any_knockers(left, chance), disqualified=chance.random() < 0.1)
        try:
            found = apply_line(found, {**line, "at": hand})
        except TournamentError:
            continue
    return found


def any_knockers(names: list[str] | tuple[str, ...], chance: Random) -> dict[str, object]:
    by = chance.sample(names, min(len(names), chance.choice((0, 1, 1, 1, 2, 3))))
    if len(by) == 1 and chance.random() < 0.5:
        return {"by": by[0]}
    return {"by": by} | ({"shares": [1 + chance.randrange(7) for _ in by]} if chance.random() < 0.5 else {})


@pytest.mark.parametrize("seed", range(60))
def test_bounties_paid_kept_and_in_the_pool_are_those_that_were_paid_in(seed: int) -> None:
    """Covers: WSOP-T-39.a WSOP-T-39.a#without."""
    chance = Random(seed)
    start = make_bounty_event(chance.choice((1, 7, 20, 33)))
    found = play(start, chance)
    ledger, whole = found.make_ledger(), found.bounty * 100
    entries = len(found.entrants) + sum(found.rebuy_count_by_player[one] for one in found.entrants
                                        if one in found.rebuy_count_by_player)  # fmt: skip
    paid = sum(found.bounty_by_player().values())
    assert paid + found.pooled_bounty_cents == entries * whole
    assert ledger.difference_cents == 0
    without = found.split_purse()[0] - found.pooled_bounty_cents - len(found.marker_buyers) * whole
    assert without == 100_00 * len(found.entrants) + 50_00 * len(found.extra_payments)
    back = sum(line.cents for line in found.refunded_payments if line.kind is LedgerKind.MARKER)
    assert ledger.sum_kind(LedgerSide.TAKEN, LedgerKind.MARKER) == len(found.marker_buyers) * whole + back
    assert apply_line(found, {"do": "close", "at": 10**6}).is_closed


def test_each_entry_and_each_rebuy_has_a_bounty_of_its_own() -> None:
    found = after(make_bounty_event(), gone("Ben", 1, by="Ana"), {"do": "re-entry", "player": "Ben", "at": 2},
                  gone("Ben (2)", 3, by="Cem"), gone("Cem", 4, by=["Dee", "Eve"]),
                  {"do": "rebuy", "player": "Cem", "amount": 50, "at": 5}, gone("Cem", 6, by="Dee"))  # fmt: skip
    assert found.bounty_by_player() == {"Ana": 20_00, "Cem": 20_00, "Dee": 30_00, "Eve": 10_00}
    assert found.make_ledger().sum_kind(LedgerSide.TAKEN, LedgerKind.BOUNTY) == 8 * 20_00


def test_who_has_won_a_bounty_is_said_anew() -> None:
    found = after(make_bounty_event(), gone("Ben", 1), gone("Cem", 2, by="Dee"))
    assert found.bounty_by_player() == {"Dee": 20_00}
    found = after(found, {"do": "knockout", "player": "Ben", "by": "Cem", "at": 3},
                  {"do": "knockout", "player": "Cem", "by": ["Eve", "Dee"], "shares": [3, 1], "at": 3})  # fmt: skip
    assert found.bounty_by_player() == {"Eve": 15_00, "Dee": 5_00, "Cem": 20_00}
    found = apply_line(found, {"do": "knockout", "player": "Cem", "by": [], "at": 4})
    assert (found.bounty_by_player(), found.pooled_bounty_cents) == ({"Cem": 20_00}, 20_00)


def test_what_is_said_anew_after_a_rebuy_leaves_the_bounty_before_it_alone() -> None:
    rebuy = {"do": "rebuy", "player": "Ben", "amount": 50, "at": 2}
    found = after(make_bounty_event(), gone("Ben", 1, by="Ana"), rebuy,
                  gone("Ben", 3), {"do": "knockout", "player": "Ben", "by": "Cem", "at": 4})  # fmt: skip
    assert found.bounty_by_player() == {"Ana": 20_00, "Cem": 20_00}
    assert remove_elimination(found, "Ben").bounty_by_player() == {"Ana": 20_00}


def test_a_marker_is_paid_back_with_its_entry() -> None:
    found = apply_line(make_bounty_event(), {"do": "marker", "player": "Ben", "at": 1})
    assert found.split_purse()[0] == 620_00
    found = apply_line(found, {"do": "refund", "player": "Ben", "at": 2})
    assert found.split_purse()[0] == 500_00
    assert found.make_ledger().sum_kind(LedgerSide.TAKEN, LedgerKind.MARKER) == 20_00


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (gone("Ben", 1, by="Ben"), "by others, each named once"),
        (gone("Ben", 1, by=["Ana", "Ana"]), "by others, each named once"),
        (gone("Ben", 1, by="Zoe"), "Zoe does not play any more"),
        (gone("Ben", 9, by="Fay"), "Fay does not play any more"),
        (gone("Ben", 1, by=7), "a name, or a list of names"),
        (gone("Ben", 1, by=["Ana", 7]), "a name, or a list of names"),
        (gone("Ben", 1, by="Ana", shares=[1, 2]), "above 0 for each of Ana"),
        (gone("Ben", 1, by="Ana", shares=[0]), "above 0 for each of Ana"),
        (gone("Ben", 1, by="Ana", shares=[True]), "above 0 for each of Ana"),
        (gone("Ben", 1, by=[], shares=[1]), "above 0 for each of nobody"),
        (gone("Ben", 1, shares=[1]), "`shares` goes with `by`"),
        ({"do": "knockout", "player": "Ben", "by": "Ana", "at": 9}, "Ben is not out"),
        ({"do": "knockout", "player": "Fay", "at": 9}, "`knockout` wants `by`"),
        ({"do": "marker", "player": "Fay", "at": 9}, "Fay does not play"),
    ],
)
def test_what_cannot_be_is_refused_in_words(line: dict[str, object], message: str) -> None:
    found = apply_line(make_bounty_event(), gone("Fay", 0, by="Ana"))
    with pytest.raises(TournamentError, match=message):
        apply_line(found, {**line, "at": 9})
    assert found.bounty_by_player() == {"Ana": 20_00}


def test_nobody_needs_a_marker_where_no_bounty_is_played() -> None:
    with pytest.raises(TournamentError, match="no bounties"):
        apply_line(make_event(TERMS), {"do": "marker", "player": "Ana", "at": 1})


def test_a_record_of_an_older_version_pays_the_bounties_that_it_paid() -> None:
    """One name each, nobody where none was said, also of who was disqualified: the prize pool has no part of them."""
    found = after(make_bounty_event(terms=UNSAID_TERMS), gone("Ben", 1, by="Ana"), gone("Cem", 2, disqualified=True))
    assert found.bounty_by_player() == {"Ana": 20_00}
    assert found.split_purse() == make_bounty_event(0, UNSAID_TERMS).split_purse()


def test_bounties_at_the_command(tmp_path: Path) -> None:
    record = ("--record", str(tmp_path / "event.jsonl"))
    direct("load", "T20000", "Ana", "Ben", "Cem", "Dee", "Eve", "--bounty", "20", "--buy-in", "100", *record)
    direct("start", *record)
    direct(
        "eliminate", "Ben", "--hand", "1", "--stack", "5", "--by", "Ana", "--by", "Cem", "--shares", "3", "1", *record
    )
    direct("eliminate", "Cem", "--hand", "2", "--stack", "5", "--by", "Ana", *record)
    direct("eliminate", "Dee", "--hand", "3", "--stack", "5", "--disqualified", *record)
    direct("marker", "Eve", *record)
    told = direct("payout", *record)
    assert "bounties of Ana  35" in told
    assert "bounties of Cem  5" in told
    assert "prize pool 490" in told
    direct("knockout", "Cem", "--by", "Eve", *record)
    assert "bounties of Eve  20" in direct("payout", *record)
    assert "goes without --by" in direct("knockout", "Cem", "--by", "Eve", "--nobody", *record, status=1)
    lines = Counter((tmp_path / "event.jsonl").read_text(encoding="utf-8").split("\n"))
    assert sum('"by": "Ana"' in line for line in lines) == 1, "one name stands as it always did"
    assert sum('"by": []' in line for line in lines) == 1
