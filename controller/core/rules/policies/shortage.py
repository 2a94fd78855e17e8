"""What is done when the stub cannot serve a stud street?"""

from collections.abc import Callable

from controller.core.values.value import Value


class Shortage(Value):
    """How a street is dealt from too few cards.

    `burn`: burn first; `first`: cards dealt from the stub as it is; `mix`: the burns (and what was removed) are then
    shuffled into what is left; `again`: burn once more after that; all others are dealt from the mixture. `common`: one
    card for all hands instead of one for each.
    """

    burn: bool = False
    first: int = 0
    mix: bool = False
    again: bool = False
    common: bool = False


DealsShort = Callable[[int, int, int, int, bool], Shortage]
"""How the street is dealt, from: cards in the stub, burns, cards removed from play, players to be served, and whether
the street's burn has been made, the shortage having come to light while it is dealt.
"""


def all_but_the_last(stub: int, burns: int, removed: int, players: int, begun: bool) -> Shortage:
    """Deal all but the last card, mix that with the burns and removed cards, burn again if that leaves enough
    [R7-8.stud.15, HR-stud.14]; one common card where there is not a fresh one for each.
    """  # noqa: D205
    if stub + burns + removed < players:
        return _one_for_all(stub)
    burn = stub > 1 and not begun
    first = max(0, stub - burn - 1)
    mixture = stub - burn - first + burns + burn + removed
    return Shortage(burn=burn, first=first, mix=True, again=mixture > players - first)


def burns_with_the_undealt(stub: int, burns: int, removed: int, players: int, begun: bool) -> Shortage:
    """Shuffle the burns with the undealt cards and deal, or else burn one and turn a community card
    [AU-12.4(a)#b, AU-13.4(a)#b].
    """  # noqa: D205
    if stub + burns + removed < players:
        return _one_for_all(stub)
    return Shortage(mix=True, again=stub + burns + removed > players)


def burns_if_they_suffice_else_common(stub: int, burns: int, removed: int, players: int, begun: bool) -> Shortage:
    """Scramble the stub with the burns and burn anew where that serves all and leaves one; else one common card,
    from a stub of three or more, or from the mixture [TDA-RP-10-H, WSOP-L-228].
    """  # noqa: D205
    if stub + burns + removed >= players + 2:
        return Shortage(mix=True, again=True)
    return Shortage(burn=True, common=True) if stub > 2 else Shortage(mix=True, again=True, common=True)


def what_is_left_then_the_burns(stub: int, burns: int, removed: int, players: int, begun: bool) -> Shortage:
    """Deal what there is, then shuffle the burns to complete the deal [AU-19.9, AU-19.16]."""
    return _one_for_all(stub) if stub + burns + removed < players else Shortage(first=stub, mix=True)


def _one_for_all(stub: int) -> Shortage:
    return Shortage(burn=True, common=True) if stub > 1 else Shortage(mix=True, again=True, common=True)


ANSWERS: dict[str, DealsShort] = {
    "all-but-the-last": all_but_the_last,
    "burns-with-the-undealt": burns_with_the_undealt,
    "burns-if-they-suffice-else-common": burns_if_they_suffice_else_common,
    "what-is-left-then-the-burns": what_is_left_then_the_burns,
}
