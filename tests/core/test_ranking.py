"""Hands are compared as PokerKit compares them, whatever was compared before."""

import operator
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import EightOrBetterLowHand, Hand, RegularLowHand, StandardHighHand, StandardLowHand

from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.play.showdown.hand_ranks import format_rank_tables
from controller.core.rules.games import Ranking
from controller.core.values.cards import build_deck, card_sort_key
from tests.core.hand_worths import FILE, list_rank_tables

KINDS: dict[Ranking, type[Hand]] = {
    Ranking.HIGH: StandardHighHand,
    Ranking.LOW_8: EightOrBetterLowHand,
    Ranking.LOW_A5: RegularLowHand,
    Ranking.LOW_27: StandardLowHand,
}
FIVE = st.lists(st.sampled_from(build_deck()), min_size=5, max_size=5, unique=True)


@pytest.mark.parametrize("ranking", list(KINDS))
@given(one=FIVE, other=FIVE)
def test_five_cards_against_five(ranking: Ranking, one: list[str], other: list[str]) -> None:
    ours = [evaluate_hand(ranking, five, (), None) for five in (one, other)]
    theirs = [worth(KINDS[ranking], five) for five in (one, other)]
    assert [each is None for each in ours] == [each is None for each in theirs]
    (ours_1, ours_2), (theirs_1, theirs_2) = ours, theirs
    if ours_1 is None or ours_2 is None or theirs_1 is None or theirs_2 is None:
        return
    for compare in (operator.gt, operator.ge, operator.lt, operator.le, operator.eq):
        assert compare(ours_1, ours_2) == compare(theirs_1, theirs_2), compare


def test_the_tables_are_those_of_pokerkit() -> None:
    assert FILE.read_text(encoding="ascii") == format_rank_tables(list_rank_tables()), "write them anew: make worths"


def test_no_table_that_is_kept_asks_pokerkit_nor_fills() -> None:
    """PokerKit takes 7 MiB; and once the 7,462 kinds of hands that come in 10,000 filled 2 MB."""
    program = """
import random, sys, tracemalloc
from controller.core.play.showdown.evaluation import evaluate_hand, load_rank_tables
from controller.core.rules.games import Ranking
from controller.core.values.cards import build_deck, card_sort_key
load_rank_tables()
chance = random.Random(1)
fives = [tuple(chance.sample(build_deck(), 5)) for _ in range(6_000)]
evaluate_hand(Ranking.HIGH, fives[0], (), None)
tracemalloc.start()
for five in fives:
    evaluate_hand(Ranking.HIGH, five, (), None)
kept, _ = tracemalloc.get_traced_memory()
assert kept < 250_000, kept  # of which CPython keeps 160,000 for tuples to come
import controller.app.table.table_run, controller.app.table.table_page, controller.cli.table.run_command
assert "pokerkit" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_deck_without_a_table_is_compared_all_the_same() -> None:
    """A flush beats a full house in any stripped deck [AU-9.2], here one that no game has."""
    assert (Ranking.HIGH, 40) not in list_rank_tables()
    flush, full = ("Ah", "Jh", "9h", "7h", "6h"), ("Ah", "Ad", "As", "Kd", "Kc")
    ours = [evaluate_hand(Ranking.HIGH, five, (), None, 40) for five in (flush, full)]
    assert ours[0] is not None
    assert ours[1] is not None
    assert ours[0] > ours[1]


def worth(kind: type[Hand], five: list[str]) -> Hand | None:
    """The hand as PokerKit has it; `None` where five cards are none of that kind."""
    return kind("".join(five)) if kind.lookup.get_entry_or_none("".join(five)) else None


def test_a_joker_ranks_below_every_card_and_an_ace_may() -> None:
    cards = ("Kd", "joker", "2s", "As", "2c")
    assert sorted(cards, key=card_sort_key) == ["joker", "2c", "2s", "Kd", "As"]
    assert min(("As", "2c"), key=lambda card: card_sort_key(card, ace_low=True)) == "As"


def test_two_jokers_make_no_hand() -> None:
    """A deck has one: of two the table asks, and until it is told the hand has no worth."""
    own = ("joker", "joker", "As", "Kd", "2c")
    assert all(evaluate_hand(ranking, own, (), None) is None for ranking in KINDS)
