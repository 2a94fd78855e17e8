"""Every game's hands are compared as PokerKit compares them: who wins, who splits, who gets the odd chips.

PokerKit deals and ranks them with classes of its own; only the choice of own and board cards is made here where it
knows the ranking and not the game. How many pairs and pots were compared stands in pytest's summary. It has no joker.
"""

import random
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from pokerkit import (
    Automation,
    BadugiHand,
    BettingStructure,
    Deck,
    EightOrBetterLowHand,
    Hand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardBadugiHand,
    StandardHighHand,
    StandardLowHand,
    State,
    Street,
)

from config.game_file import list_games, load_game
from controller.core.model.table_state import TableState
from controller.core.play.showdown.evaluation import evaluate_hand
from controller.core.rules.games import Game, Ranking
from controller.core.values.cards import SUITS, build_deck
from tests.playing import play

HAND_BY_RANKING: dict[Ranking, type[Hand]] = {
    Ranking.HIGH: StandardHighHand,
    Ranking.LOW_8: EightOrBetterLowHand,
    Ranking.LOW_A5: RegularLowHand,
    Ranking.LOW_27: StandardLowHand,
    Ranking.BADUGI: BadugiHand,
    Ranking.BADUGI_27: StandardBadugiHand,
}

TWO_OWN_CARDS: dict[Ranking, type[Hand]] = {
    Ranking.HIGH: OmahaHoldemHand,
    Ranking.LOW_8: OmahaEightOrBetterLowHand,
}
"""PokerKit's hands of exactly two own cards."""

DEALS, PLAYERS = 60, 4
"""So many deals of a game are compared, of so many players each with each."""

MIN_TIES = 5
"""So many of these pairs must tie: it is there that a split goes wrong."""

POTS, ODD_ANTE, EVEN_ANTE = 16, 3, 24
"""So many pots, of three antes: by threes a chip is odd where two tie and between two halves, by 24 none ever is."""

OTHER_ODD_CHIPS = {
    "badacey": "between the halves PokerKit gives it to the first kind of hand, WSOP Live 149 by position",
    "badeucey": "between the halves PokerKit gives it to the first kind of hand, WSOP Live 149 by position",
    "razz": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
    "razzdeucey": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
    "razzdugi": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
    "stud-7": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
    "stud-8": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
    "stud-hi-lo": "PokerKit gives it to the first seat, R7 3.Ties.5(b) by suit",
}
"""Games whose pots are compared without odd chips, and why: PokerKit knows the winners, not the rule."""

WITHOUT_POTS = {
    "crazy-pineapple": "nothing tells the table which card was thrown away",
    "crazy-pineapple-8": "nothing tells the table which card was thrown away",
    "jacks-or-better": "a pot that nobody has opened is played for again",
    "manila-2": "PokerKit has no game of a short deck of which exactly two own cards play",
    "manila-3": "PokerKit has no game of a short deck of which exactly two own cards play",
    "pineapple": "nothing tells the table which card was thrown away",
    "stud-5": "R7 does not play it; its hands are those of draw-high",
}
"""Games whose pots are not compared, and why."""


def judge_by_pokerkit(game: Game, ranking: Ranking) -> Callable[[tuple[str, ...], tuple[str, ...]], Hand | None]:
    """What PokerKit makes of own and board cards; `None` where they are no hand of that kind."""
    exactly = game.hole_cards_to_play
    kind = HAND_BY_RANKING[ranking] if game.deck_size == 52 else ShortDeckHoldemHand

    def choose_two(own: tuple[str, ...], board: tuple[str, ...]) -> Hand:
        return max(
            kind("".join((*mine, *theirs))) for mine in combinations(own, 2) for theirs in combinations(board, 3)
        )

    def judge(own: tuple[str, ...], board: tuple[str, ...]) -> Hand | None:
        if exactly == 2 and game.deck_size != 52:
            return choose_two(own, board)
        try:
            return (TWO_OWN_CARDS[ranking] if exactly == 2 else kind).from_game("".join(own), "".join(board))
        except ValueError:
            return None

    return judge


def deal_hands(game: Game, players: int, chance: random.Random) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Own cards of each player and the board; half of the time the last player's are the first's in other suits."""
    size = game.hand_size - sum(street.discard_count for street in game.streets)
    count = sum(street.board_count for street in game.streets)
    deck, is_tie = list(build_deck(game.deck_size)), chance.random() < 0.5
    while True:
        cards = chance.sample(deck, count + size * players)
        board = tuple(cards[:count])
        hands = [tuple(cards[count + size * nth : count + size * (nth + 1)]) for nth in range(players)]
        if is_tie:
            suits = dict(zip(SUITS, chance.sample(SUITS, 4), strict=True))
            hands[-1] = tuple(card[0] + suits[card[1]] for card in hands[0])
        everything = [*board, *(card for hand in hands for card in hand)]
        if len({*everything}) == len(everything):
            return hands, board


def is_beyond_pokerkit(game: Game, own: tuple[str, ...], board: tuple[str, ...]) -> bool:
    """PokerKit knows a short deck from six up: A-7-8-9-T, a straight with 32 cards, is none there."""
    return game.deck_size == 32 and {*"A789T"} <= {card[0] for card in (*own, *board)}


def compare_pairs(game: Game, ranking: Ranking) -> Iterator[bool]:
    """Compare the hands of random deals, each with each; says of each pair whether they tie."""
    judge, chance = judge_by_pokerkit(game, ranking), random.Random(f"{game.title} {ranking.value}")
    for _ in range(DEALS):
        hands, board = deal_hands(game, PLAYERS, chance)
        known = [own for own in hands if not is_beyond_pokerkit(game, own, board)]
        judged = [
            (own, evaluate_hand(ranking, own, board, game.hole_cards_to_play, game.deck_size), judge(own, board))
            for own in known
        ]
        for (own, ours, theirs), (other_own, other_ours, other_theirs) in combinations(judged, 2):
            what = f"{ranking.value}: {own} and {other_own}, board {board}"
            assert (ours is None, other_ours is None) == (theirs is None, other_theirs is None), what
            if ours is None or other_ours is None or theirs is None or other_theirs is None:
                continue
            assert (ours < other_ours, ours == other_ours) == (theirs < other_theirs, theirs == other_theirs), what
            yield ours == other_ours


@pytest.mark.parametrize("name", list_games())
def test_hands_are_compared_as_pokerkit_compares_them(
    name: str, record_property: Callable[[str, object], None]
) -> None:
    game = load_game(name)
    for ranking in game.rankings:
        ties = list(compare_pairs(game, ranking))
        assert sum(ties) >= MIN_TIES, "too few hands tie"
        record_property("pokerkit_pairs", len(ties))
        record_property("pokerkit_ties", sum(ties))


def push_by_pokerkit(game: Game, hands: list[tuple[str, ...]], board: tuple[str, ...], ante: int) -> list[int]:
    """What each player has when everybody was all-in for the ante; the first acts first."""
    by_ranking = TWO_OWN_CARDS if game.hole_cards_to_play == 2 else HAND_BY_RANKING
    short = game.deck_size != 52
    by_hand = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.RUNOUT_COUNT_SELECTION)
    state = State(
        tuple(each for each in Automation if each not in by_hand),
        Deck.SHORT_DECK_HOLDEM if short else Deck.STANDARD,
        (ShortDeckHoldemHand,) if short else tuple(by_ranking[ranking] for ranking in game.rankings),
        (Street(False, (False,) * len(hands[0]), len(board), False, Opening.POSITION, 1, None),),
        BettingStructure.FIXED_LIMIT,
        True,
        ante,
        (0,) * len(hands),
        0,
        ante,
        len(hands),
    )
    for own in hands:
        state.deal_hole("".join(own))
    if board:
        state.deal_board("".join(board))
    assert not state.status, "the pot is pushed"
    return [int(stack) for stack in state.stacks]


def push_by_table(name: str, hands: list[tuple[str, ...]], board: tuple[str, ...], ante: int) -> list[int]:
    """The same at a table."""
    answer = play_out(name, hands, board, ante)
    return [answer["stacks"].get(str(seat), 0) for seat, _ in enumerate(hands, 1)]


def play_out(
    name: str,
    hands: list[tuple[str, ...]],
    board: tuple[str, ...],
    ante: int,
    on_entry: Callable[[TableState], object] = lambda _: None,
) -> dict[str, Any]:
    """Play a hand in which all are all-in for the ante, the button, if there is one, at the last player's.

    `on_entry` is told how the table stands after each entry. Returns the last answer.
    """
    has_button = load_game(name).has_button
    betting = {"structure": "fixed-limit", "ante": ante, "small_bet": 4, "big_bet": 8} | (
        {} if has_button else {"bring_in": 1}
    )
    stacks: dict[int, int | None] = dict.fromkeys(range(1, len(hands) + 1), ante)
    button = len(hands) if has_button else None
    played = play("roberts-7", "start", game=name, betting=betting, stacks=stacks, button=button)
    own, common = {seat: list(hand) for seat, hand in enumerate(hands, 1)}, list(board)
    while step := next(iter(played.lines[-1]["next"]), None):
        line: dict[str, Any] | str = "done"
        if step["step"] == "burn":
            line = "card -"
        elif step["step"] in ("deal", "board"):
            line = f"card {(common if step['step'] == 'board' else own[step['seat']]).pop(0)}"
        elif step["step"] == "draw":
            line = {"ev": "draw", "seat": step["seat"], "discard": 0}
        elif step["step"] == "show":
            line = f"show {step['seat']}"
        played(line)
        assert "error" not in played.lines[-1], (line, played.lines[-1]["error"])
        on_entry(played.table.outcome.state)
    return played.lines[-1]


@pytest.mark.parametrize("name", [name for name in list_games() if name not in WITHOUT_POTS])
def test_pots_are_pushed_as_pokerkit_pushes_them(name: str, record_property: Callable[[str, object], None]) -> None:
    game, chance = load_game(name), random.Random(name)
    ante = EVEN_ANTE if name in OTHER_ODD_CHIPS else ODD_ANTE
    odd = 0
    for _ in range(POTS):
        hands, board = deal_hands(game, 3, chance)
        ours, theirs = push_by_table(name, hands, board, ante), push_by_pokerkit(game, hands, board, ante)
        assert ours == theirs, (hands, board)
        odd += sum(1 for chips in ours if chips % ante)
    record_property("pokerkit_pots", POTS)
    assert (ante == EVEN_ANTE) or odd, "no chip was odd"


def test_every_game_left_out_is_a_game() -> None:
    assert {*OTHER_ODD_CHIPS, *WITHOUT_POTS} <= {*list_games()}
