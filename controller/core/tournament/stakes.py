"""What a level of the schedule makes of a table's stakes."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from controller.core.tournament.schedule import Level

if TYPE_CHECKING:
    from controller.core.model.setup import Betting


def first_stakes(level: Level, *, limit: bool) -> dict[str, int]:
    """The stakes of a table that begins on a level, by the keys of the table line; 0 where none is posted."""
    stakes = {"small_blind": level.small_blind, "big_blind": level.big_blind, "ante": level.ante}
    if level.chip:
        stakes["chip"] = level.chip
    if limit:
        stakes |= {"small_bet": level.small_bet or level.big_blind, "big_bet": level.big_bet or 2 * level.big_blind}
    return stakes


def at_level(betting: "Betting", level: Level, stacks: Iterable[int]) -> "Betting":
    """The stakes from the next riffle on [R7-15.tourn.9, FC-10.play.1, MP-7.tourn.10].

    In limit games without limits of their own in the schedule the small bet is the big blind and the big bet twice
    that. The smallest chip grows only once every stack has been changed up to it.
    """
    limit = bool(betting.small_bet)
    chip = betting.chip
    if level.chip > chip and all(stack % level.chip == 0 for stack in stacks):
        chip = level.chip
    return replace(
        betting,
        small_blind=level.small_blind,
        big_blind=level.big_blind,
        ante=level.ante,
        bring_in=level.bring_in or betting.bring_in,
        small_bet=(level.small_bet or level.big_blind) if limit else betting.small_bet,
        big_bet=(level.big_bet or 2 * level.big_blind) if limit else betting.big_bet,
        min_bet=0 if betting.max_bet == 0 else betting.min_bet,
        chip=chip,
    )
