"""What is peculiar to betting in lowball: where one opens or folds."""

from controller.core.model.setup import BettingStructure, Setup
from controller.core.rules.games import Ranking


def is_limit_a5(setup: Setup) -> bool:
    """Whether the game is limit ace-to-five with one draw, of which R7 speaks [R7-11.a5.2, R7-11.a5.4]."""
    limit = setup.stakes.structure in (BettingStructure.FIXED_LIMIT, BettingStructure.SPREAD_LIMIT)
    return limit and setup.game.rankings == (Ranking.LOW_A5,) and setup.game.draw_count == 1


def is_open_or_fold_game(setup: Setup) -> bool:
    """Whether a player who could open must open or fold, as where no blind has opened [R7-11.intro]."""
    book = setup.rulebook.lowball.get(setup.game.rules_form)
    return book is not None and book.open_or_fold.value
