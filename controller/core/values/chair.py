"""A player's chair between hands."""

from enum import IntEnum, unique
from typing import NamedTuple

from controller.core.values.value import Value


class DealtOn(NamedTuple):
    """A deal of a tournament: how many levels it is past the first, and the number of its hand."""

    level: int
    hand: int


@unique
class FreeEntry(IntEnum):
    """Whether a player comes in without a post once button and blinds have passed, and which of them still must."""

    NONE = 0
    BUTTON_TO_PASS = 1
    BLINDS_TO_PASS = 2


class Chair(Value):
    """A player's chair between hands.

    `stack` is `None` where amounts are untracked. `waits`: not dealt in as a matter of course, but when the big blind
    comes; `posts`: posts to be dealt in as soon as the book allows it; `hold`: hands to wait after a change of seats.
    `owes_small`, `owes_big`: blinds that passed the chair while its player missed hands. `fresh`: never dealt in at
    this table; `moved`: sent here from another table. `owner`: the absent player in whose chair somebody plays over.
    `pledges`: will kill the next pot, to be dealt into a killed one. `penalty`: so many hands dealt to it are killed.
    `away_since`: when its player went away; `lost`: the deal that took the last chip. `had_big`: the number of the hand
    on which its player had the big blind last. `buys_button`: comes in between button and small blind, for both blinds.
    `straddles`: comes in as the live straddle under the gun.
    """

    seat: int
    player: str
    stack: int | None
    away: bool = False
    waits: bool = False
    posts: bool = False
    moved: bool = False
    owes_small: bool = False
    owes_big: bool = False
    fresh: bool = False
    free: FreeEntry = FreeEntry.NONE
    hold: int = 0
    away_since: float | None = None
    lost: DealtOn | None = None
    owner: "Chair | None" = None
    pledges: bool = False
    had_big: int | None = None
    penalty: int = 0
    buys_button: bool = False
    straddles: bool = False

    def entered(self) -> "Chair":
        """The chair once its player has been dealt in: nothing is owed, nothing waited for."""
        if not (self.waits or self.posts or self.fresh or self.moved or self.free or self.owes_big or self.owes_small):
            return self
        return Chair(
            self.seat,
            self.player,
            self.stack,
            self.away,
            away_since=self.away_since,
            owner=self.owner,
            had_big=self.had_big,
            penalty=self.penalty,
        )
