"""A player's chair between hands."""

from enum import IntEnum, unique
from typing import NamedTuple

from controller.core.values.value import Value


class TournamentDeal(NamedTuple):
    """A deal of a tournament: how many levels it is past the first, and the number of its hand."""

    level_index: int
    hand_number: int


@unique
class FreeEntry(IntEnum):
    """Whether a player comes in without a post once button and blinds have passed, and which of them still must."""

    NONE = 0
    BUTTON_TO_PASS = 1
    BLINDS_TO_PASS = 2


@unique
class ChargeStanding(IntEnum):
    """How a player stands to the time charge: settled, declined and plays on for now, or dealt out until it pays."""

    SETTLED = 0
    DECLINED = 1
    DEALT_OUT = 2


class SeatState(Value):
    """A player's chair between hands.

    `stack` is `None` where amounts are untracked. `waits_for_big_blind`: not dealt in as a matter of course, but when
    the big blind comes; `posts_to_enter`: posts to be dealt in as soon as the book allows it; `hands_to_wait`: hands to
    wait after a change of seats. `owes_small_blind`, `owes_big_blind`: blinds that passed the chair while its player
    missed hands. `was_never_dealt_in`: never dealt in at this table; `came_from_table`: sent here from another table.
    `absent_owner`: the absent player in whose chair somebody plays over. `pledges_kill`: will kill the next pot, to be
    dealt into a killed one. `penalty_hands`: so many hands dealt to it are killed. `away_since_s`: when its player went
    away; `busted_on`: the deal that took the last chip. `last_big_blind_hand`: the number of the hand on which its
    player had the big blind last. `buys_button`: comes in between button and small blind, for both blinds.
    `straddles_in`: comes in as the live straddle under the gun. `charge`: how its player stands to the time charge.
    `owed_middle_blinds`: which of the blinds between the small and the big one passed it, the first of them 0.
    `seated_after_hands`: how many hands had begun when its player sat down, 0 for those of the `table` line.
    """

    seat: int
    player: str
    stack: int | None
    is_away: bool = False
    waits_for_big_blind: bool = False
    posts_to_enter: bool = False
    came_from_table: bool = False
    owes_small_blind: bool = False
    owes_big_blind: bool = False
    was_never_dealt_in: bool = False
    free_entry: FreeEntry = FreeEntry.NONE
    hands_to_wait: int = 0
    away_since_s: float | None = None
    busted_on: TournamentDeal | None = None
    absent_owner: "SeatState | None" = None
    pledges_kill: bool = False
    last_big_blind_hand: int | None = None
    penalty_hands: int = 0
    buys_button: bool = False
    straddles_in: bool = False
    charge: ChargeStanding = ChargeStanding.SETTLED
    seated_after_hands: int = 0
    owed_middle_blinds: frozenset[int] = frozenset()

    @property
    def owes_blinds(self) -> bool:
        """Whether any blind passed the chair while its player missed hands."""
        return self.owes_small_blind or self.owes_big_blind or bool(self.owed_middle_blinds)

    def clear_entry_duties(self) -> "SeatState":
        """The chair once its player has been dealt in: nothing is owed, nothing waited for."""
        if not (
            self.waits_for_big_blind
            or self.posts_to_enter
            or self.was_never_dealt_in
            or self.came_from_table
            or self.free_entry
            or self.owes_blinds
        ):
            return self
        return SeatState(
            self.seat,
            self.player,
            self.stack,
            self.is_away,
            away_since_s=self.away_since_s,
            absent_owner=self.absent_owner,
            last_big_blind_hand=self.last_big_blind_hand,
            penalty_hands=self.penalty_hands,
            charge=self.charge,
        )
