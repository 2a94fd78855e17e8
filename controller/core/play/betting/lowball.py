"""What is peculiar to betting in lowball: where one opens or folds."""

from controller.core.model.setup import Setup, Structure
from controller.core.rules.games import Ranking


def is_limit_a5(setup: Setup) -> bool:
    """Whether the game is limit ace-to-five with one draw, of which R7 speaks [R7-11.a5.2, R7-11.a5.4]."""
    limit = setup.betting.structure in (Structure.FIXED_LIMIT, Structure.SPREAD_LIMIT)
    return limit and setup.game.rankings == (Ranking.LOW_A5,) and setup.game.draws == 1


def open_or_fold(setup: Setup) -> bool:
    """Whether a player who could open must open or fold, as where no blind has opened [R7-11.intro]."""
    book = setup.rulebook.lowball.get(setup.game.form)
    return book is not None and book.open_or_fold.value
