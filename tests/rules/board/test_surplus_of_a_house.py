"""Several board cards too many in a house that burns them: no printed book does, all shuffle them back."""

import pytest

from controller.core.irregularities.board.extra_board_card import return_surplus_cards
from controller.core.irregularities.common.rules_for_game import require_rules_for_game
from controller.core.protocol.vocabulary import ReportKind
from controller.core.rules.questions.irregularities.board_rules import SurplusBoardCard
from controller.core.values.piles import BOARD
from controller.core.values.value import replace
from tests.playing import play


@pytest.mark.parametrize(
    ("street", "said"),
    [
        (2, "The first card is the turn; of the others 1 go to the burns and 1 to the muck"),
        (3, "The first card is the river; of the others 0 go to the burns and 2 to the muck"),
    ],
)
def test_of_several_the_ruling_says_how_many_go_where(street: int, said: str) -> None:
    acts = ("act 4 call", "act 1 call", "act 2 call", "act 3 check")
    played = play("casino-au", "start", "card - - - - - - - -", *acts, "card 9s 2s 3s 4s")
    hand = played.table.outcome.state.copy().hand_in_play.copy()
    rules = require_rules_for_game(hand.setup, hand.setup.rulebook.board)
    burns = replace(rules, more_extra=replace(rules.more_extra, value=SurplusBoardCard.NEXT_BURN))
    _, *extra = (card.serial for card in hand.cards.piles.cards_at(BOARD))
    (ruling,) = return_surplus_cards(hand, ReportKind.BOARD_EXTRA, burns, street, tuple(extra))
    assert said in ruling.text
