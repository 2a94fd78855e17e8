"""What is done when the stub cannot serve a stud street?"""

from collections.abc import Callable

from controller.core.values.value import Value


class ShortagePlan(Value):
    """How a street is dealt from too few cards.

    `burns_first`: burn first; `cards_before_mix`: cards dealt from the stub as it is; `mixes_burns_in`: the burns (and
    what was removed) are then shuffled into what is left; `burns_again`: burn once more after that; all others are
    dealt from the mixture. `deals_common_card`: one card for all hands instead of one for each.
    """

    burns_first: bool = False
    cards_before_mix: int = 0
    mixes_burns_in: bool = False
    burns_again: bool = False
    deals_common_card: bool = False


ShortagePolicy = Callable[[int, int, int, int, bool], ShortagePlan]
"""How the street is dealt, from: cards in the stub, burns, cards removed from play, players to be served, and whether
the street's burn has been made, the shortage having come to light while it is dealt.
"""


def deal_all_but_last(stub: int, burns: int, removed: int, players: int, begun: bool) -> ShortagePlan:
    """Deal all but the last card, mix that with the burns and removed cards, burn again if that leaves enough
    [R7-8.stud.15, HR-stud.14]; one common card where there is not a fresh one for each.
    """  # noqa: D205
    if stub + burns + removed < players:
        return _deal_common_card(stub)
    burn = stub > 1 and not begun
    first = max(0, stub - burn - 1)
    mixture = stub - burn - first + burns + burn + removed
    return ShortagePlan(
        burns_first=burn, cards_before_mix=first, mixes_burns_in=True, burns_again=mixture > players - first
    )


def mix_burns_with_undealt(stub: int, burns: int, removed: int, players: int, begun: bool) -> ShortagePlan:
    """Shuffle the burns with the undealt cards and deal, or else burn one and turn a community card
    [AU-12.4(a)#b, AU-13.4(a)#b].
    """  # noqa: D205
    if stub + burns + removed < players:
        return _deal_common_card(stub)
    return ShortagePlan(mixes_burns_in=True, burns_again=stub + burns + removed > players)


def mix_burns_or_deal_common(stub: int, burns: int, removed: int, players: int, begun: bool) -> ShortagePlan:
    """Scramble the stub with the burns and burn anew where that serves all and leaves one; else one common card,
    from a stub of three or more, or from the mixture [TDA-RP-10-H, WSOP-L-228].
    """  # noqa: D205
    if stub + burns + removed >= players + 2:
        return ShortagePlan(mixes_burns_in=True, burns_again=True)
    return (
        ShortagePlan(burns_first=True, deals_common_card=True)
        if stub > 2
        else ShortagePlan(mixes_burns_in=True, burns_again=True, deals_common_card=True)
    )


def deal_rest_then_burns(stub: int, burns: int, removed: int, players: int, begun: bool) -> ShortagePlan:
    """Deal what there is, then shuffle the burns to complete the deal [AU-19.9, AU-19.16]."""
    return (
        _deal_common_card(stub)
        if stub + burns + removed < players
        else ShortagePlan(cards_before_mix=stub, mixes_burns_in=True)
    )


def _deal_common_card(stub: int) -> ShortagePlan:
    return (
        ShortagePlan(burns_first=True, deals_common_card=True)
        if stub > 1
        else ShortagePlan(mixes_burns_in=True, burns_again=True, deals_common_card=True)
    )


POLICY_BY_NAME: dict[str, ShortagePolicy] = {
    "all-but-the-last": deal_all_but_last,
    "burns-with-the-undealt": mix_burns_with_undealt,
    "burns-if-they-suffice-else-common": mix_burns_or_deal_common,
    "what-is-left-then-the-burns": deal_rest_then_burns,
}
