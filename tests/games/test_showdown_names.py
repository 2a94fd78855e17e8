"""A showdown is told as PokerKit ranks it: who wins, with what kind of a hand, with which cards, and what decides."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations

import pytest
from pokerkit import Card, Hand, Label

from config.game_file import list_games, load_game
from config.language_file import list_languages, load_language
from controller.core.engine.output.showdown_view import render_showdown
from controller.core.model.table_state import TableState
from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.play.showdown.hand_name import HandCategory, HandName, count_deciding_ranks, name_hand
from controller.core.rules.games import Ranking
from controller.web.wording.showdown_wording import describe_hand
from tests.games.test_hands_as_pokerkit import (
    WITHOUT_POTS,
    deal_hands,
    is_beyond_pokerkit,
    judge_by_pokerkit,
    play_out,
)

DEALS, PLAYERS, SHOWDOWNS = 40, 4, 8
"""So many deals of a game are named, of so many players, and so many showdowns are played out."""

CATEGORY_BY_LABEL: Mapping[Label, HandCategory] = {
    Label.HIGH_CARD: HandCategory.HIGH_CARD,
    Label.ONE_PAIR: HandCategory.PAIR,
    Label.TWO_PAIR: HandCategory.TWO_PAIR,
    Label.THREE_OF_A_KIND: HandCategory.THREE_OF_A_KIND,
    Label.STRAIGHT: HandCategory.STRAIGHT,
    Label.FLUSH: HandCategory.FLUSH,
    Label.FULL_HOUSE: HandCategory.FULL_HOUSE,
    Label.FOUR_OF_A_KIND: HandCategory.FOUR_OF_A_KIND,
    Label.STRAIGHT_FLUSH: HandCategory.STRAIGHT_FLUSH,
}
"""What PokerKit calls a hand -> its category."""


def find_category(ranking: Ranking, judged: Hand) -> HandCategory:
    """The category of a hand by PokerKit; five different ranks are a low where a low hand wins."""
    if ranking in (Ranking.BADUGI, Ranking.BADUGI_27):
        return HandCategory.BADUGI
    category = CATEGORY_BY_LABEL[judged.entry.label]
    return HandCategory.LOW if ranking is not Ranking.HIGH and category is HandCategory.HIGH_CARD else category


@cache
def name_hands(name: str, ranking: Ranking) -> list[list[tuple[HandName, Hand]]]:
    """Random deals: the name of each hand of a deal, and what PokerKit makes of it."""
    game = load_game(name)
    judge, chance = judge_by_pokerkit(game, ranking), random.Random(f"names {game.title} {ranking.value}")
    deals = []
    for _ in range(DEALS):
        hands, board = deal_hands(game, PLAYERS, chance)
        named = []
        for own in hands:
            judged = judge(own, board)
            if judged is None or is_beyond_pokerkit(game, own, board):
                continue
            strength = evaluate_hand(ranking, own, board, game.hole_cards_to_play, game.deck_size)
            assert strength is not None
            played = (*strength.used_cards, *strength.board_cards)
            assert {*strength.used_cards} <= {*own}
            assert {*strength.board_cards} <= {*board}
            assert type(judged)("".join(played)) == judged, "the cards that are marked are the best"
            named.append((name_hand(ranking, played, game.deck_size), judged))
        deals.append(named)
    return deals


@pytest.mark.parametrize("name", list_games())
def test_a_hand_is_named_as_pokerkit_calls_it(name: str, record_property: Callable[[str, object], None]) -> None:
    for ranking in load_game(name).rankings:
        deals = name_hands(name, ranking)
        assert sum(map(len, deals)) >= DEALS // 2, "too few hands of this ranking"
        for named in deals:
            for told, judged in named:
                assert told.category is find_category(ranking, judged), judged
        record_property("named_hands", sum(map(len, deals)))


@pytest.mark.parametrize("name", list_games())
def test_what_is_told_of_two_hands_says_which_is_better(name: str) -> None:
    """Hands are told alike just where they tie, and no rank is told that decides nothing."""
    for ranking in load_game(name).rankings:
        for named in name_hands(name, ranking):
            for (first, judged), (second, other) in combinations(named, 2):
                assert (first == second) == (judged == other), (judged, other)
                better, worse = (first, second) if judged >= other else (second, first)
                count = count_deciding_ranks(better, [worse])
                alike = better.category is worse.category and better.ranks[:count] == worse.ranks[:count]
                assert alike == (judged == other), (judged, other)
                if count > better.told_rank_count:
                    assert better.ranks[: count - 1] == worse.ranks[: count - 1], "the last rank told decides"


@pytest.mark.parametrize("name", [name for name in list_games() if name not in WITHOUT_POTS])
def test_the_winner_of_a_showdown_is_pokerkits(name: str) -> None:
    """Played out at a table: seats, categories and marked cards of every award, and none for who is beaten."""
    game, chance = load_game(name), random.Random(f"showdown {name}")
    for _ in range(SHOWDOWNS):
        hands, board = deal_hands(game, 3, chance)
        states: list[TableState] = []
        play_out(name, hands, board, 4, states.append)
        seen = [render_showdown(state) or {} for state in states]
        shown = next(each for each in seen if each.get("awards"))
        assert shown["hands"] == {str(seat): list(own) for seat, own in enumerate(hands, 1)}
        judged: list[tuple[Ranking, dict[int, Hand]]] = []
        for ranking in game.rankings:
            judge = judge_by_pokerkit(game, ranking)
            found = {seat: judge(own, board) for seat, own in enumerate(hands, 1)}
            judged.append((ranking, {seat: each for seat, each in found.items() if each is not None}))
        decided = [(ranking, known) for ranking, known in judged if known]
        assert len(shown["awards"]) == len(decided)
        for award, (ranking, known) in zip(shown["awards"], decided, strict=True):
            best = max(known.values())
            assert [winner["seat"] for winner in award["winners"]] == [seat for seat in known if known[seat] == best]
            assert award["hand"]["category"] == find_category(ranking, best).value
            for winner in award["winners"]:
                assert type(best)("".join(winner["cards"])) == best
        over = seen[-1]
        assert all(award["pushed"] for award in over["awards"])
        assert [award.get("hand") for award in over["awards"]] == [award.get("hand") for award in shown["awards"]]


def test_every_category_and_rank_has_its_words() -> None:
    """In every language, none like another's; and PokerKit has no label that has no category."""
    assert {*CATEGORY_BY_LABEL} == {*Label}
    ranks = [card.rank.value for card in Card.parse("2s3s4s5s6s7s8s9sTsJsQsKsAs")]
    for language in map(load_language, list_languages()):
        said = [
            describe_hand({"hand": {"category": category.value, "ranks": [rank, other], "kickers": []}}, language)
            for category in HandCategory
            for rank, other in zip(ranks, [*ranks[1:], ranks[0]], strict=True)
        ]
        assert len({*said}) == len(said), language.name
        assert all(said)
