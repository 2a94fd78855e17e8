"""What is done when the stub cannot serve a stud street?"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shortage:
    """How a street is dealt from too few cards.

    `burn`: burn first; `first`: cards dealt from the stub as it is; `mix`: the burns (and what was removed) are then
    shuffled into what is left; `again`: burn once more after that; `rest`: cards dealt from the mixture; `common`: one
    card for all hands instead of one for each.
    """

    burn: bool = False
    first: int = 0
    mix: bool = False
    again: bool = False
    rest: int = 0
    common: bool = False


DealsShort = Callable[[int, int, int, int], Shortage]
"""(cards in the stub, burns, cards removed from play, players to be served) -> how the street is dealt."""


def all_but_the_last(stub: int, burns: int, removed: int, players: int) -> Shortage:
    """Deal all but the last card, mix that with the burns and removed cards, burn again if that leaves enough
    [R7-8.stud.15, HR-stud.14]; one common card where there is not a fresh one for each.
    """  # noqa: D205
    if stub + burns + removed < players:
        return Shortage(burn=True, common=True) if stub > 1 else Shortage(mix=True, again=True, common=True)
    burn = stub > 1
    first = max(0, stub - burn - 1)
    mixture = stub - burn - first + burns + burn + removed
    rest = players - first
    return Shortage(burn=burn, first=first, mix=True, again=mixture > rest, rest=rest)


def burns_with_the_undealt(stub: int, burns: int, removed: int, players: int) -> Shortage:
    """Shuffle the burns with the undealt cards and deal, or else burn one and turn a community card
    [AU-12.4(a)#b, AU-13.4(a)#b].
    """  # noqa: D205
    if stub + burns > players:
        return Shortage(mix=True, again=True, rest=players)
    return Shortage(burn=True, common=True) if stub > 1 else Shortage(mix=True, again=True, common=True)


ANSWERS: dict[str, DealsShort] = {
    "all-but-the-last": all_but_the_last,
    "burns-with-the-undealt": burns_with_the_undealt,
}
